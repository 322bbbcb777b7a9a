"""A contact manifold's parts, and the steps that find it."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import cached_property

import numpy as np
from msgspec import Struct

from ..geometry.elementary import acos
from ..geometry.vector import Array, frozen
from .region import Loop, points_along


class ContactCase(StrEnum):
    """How the features meet."""

    FACE_OF_A = "face of A"
    FACE_OF_B = "face of B"
    EDGES = "edge × edge"
    POINT = "point"
    """A vertex, or a round surface, against an edge or another vertex."""


class ContactSettings(Struct, frozen=True):
    """Limits of what counts as flat, and as a contact.

    `alpha`: α, radians; faces and lines this close to square to the normal are flat. `delta`: δ in units of ℓ; where
    the clearance is at most this there is a contact, but never more than THIN of the thinner body's width. `lateral`,
    `witness`: points this close seen along the normal are one, and a contact this close to the depth has it, in units
    of the smaller bounding radius. `speculative`: bodies apart by no more than this, scene units, have contacts before
    they touch, all of them gaps; 0 is none, as the answer has it.
    """

    alpha: float = acos(0.996)
    delta: float = 1e-3
    lateral: float = 1e-6
    witness: float = 1e-6
    speculative: float = 0.0


class Contact(Struct, frozen=True, eq=False):
    """One contact point.

    `position` (3,): world, midway between the two surfaces. `depth`: positive overlapping, along the manifold's
    normal; negative, beside a contact, where the surfaces are no more than δ apart. `feature_a`, `feature_b`: which
    feature of each body made it (`v3`, `edge7`, `+x`, `plane`, `centre`, `rim +y.2`; `level`, where the clearance is δ
    on the other's feature). `gap`: the surfaces are apart there by more than rounding.
    """

    position: Array
    depth: float
    feature_a: str
    feature_b: str
    gap: bool = False

    @property
    def name(self) -> str:
        """`v3|+x`: the same point keeps it while the bodies slide a little."""
        return f"{self.feature_a}|{self.feature_b}"


class FeaturesStep(Struct, frozen=True, eq=False):
    """Which features meet: `points_a` (k, 3), `points_b` (m, 3) in the world, loop order for faces; their names."""

    case: ContactCase
    normal: Array
    feature_a: str
    feature_b: str
    points_a: Array
    points_b: Array


class ClipStep(Struct, frozen=True, eq=False):
    """One cut: the plane `normal·p = offset` (world) through side `side` of the reference face.

    `before` (k, 3), `after` (m, 3): the polygon, world; `names`: feature pairs (A's first) of the points after;
    `cut`: which points after are new.
    """

    side: str
    normal: Array
    offset: float
    before: Array
    after: Array
    names: tuple[tuple[str, str], ...]
    cut: tuple[bool, ...]


class DepthStep(Struct, frozen=True, eq=False):
    """The points below the reference surface `normal·p = offset` (world).

    `points` (k, 3) of the incident surface, world, their `depths` (k,), negative above it, and which are `kept`.
    `axis` (3,): the unit direction along which depths are measured, where it is not `normal`.
    """

    normal: Array
    offset: float
    points: Array
    depths: Array
    names: tuple[tuple[str, str], ...]
    kept: tuple[bool, ...]
    axis: Array | None = None


class EdgesStep(Struct, frozen=True, eq=False):
    """The edge pairs tried, the supporting edges first: names, and the closest points (k, 3) on A and on B, world.

    `misses` (k,): how far those are apart seen along the normal; `chosen`: the pair with the least.
    """

    names: tuple[tuple[str, str], ...]
    points_a: Array
    points_b: Array
    misses: Array
    chosen: int


class ReduceStep(Struct, frozen=True, eq=False):
    """The contacts kept and the ones dropped; `order`: places in `kept`, in the order in which they were chosen."""

    kept: tuple[Contact, ...]
    dropped: tuple[Contact, ...]
    order: tuple[int, ...]

    @property
    def chosen(self) -> tuple[Contact, ...]:
        """The contacts kept, the first chosen first."""
        return tuple(self.kept[place] for place in self.order)


class NormalStep(Struct, frozen=True, eq=False):
    """The answer that the contacts are about: unit `normal` (3,), the nearest points (3,) in the world."""

    normal: Array
    separation: float
    witness_a: Array
    witness_b: Array


class Outlined(Struct, frozen=True, eq=False, dict=True):
    """A loop seen along the normal, as a polygon of the world: both made when they are asked for, for a picture.

    `across` (3, 3): columns u, v, n. `placed`: puts points (k, 2) across the normal into the world, (k, 3).
    """

    across: Array
    make_loop: Callable[[], Loop]
    placed: Callable[[Array], Array]

    @property
    def loop(self) -> Loop:
        """The sides of the reference face, across the normal."""
        return self.make_loop()

    @cached_property
    def points(self) -> Array:
        """The corners (k, 3), world, with as many of each arc as a picture needs."""
        return frozen(self.placed(points_along(self.loop)))


class FlatStep(Struct, frozen=True, eq=False):
    """The flat part of a body. `body`: 0 for A, 1 for B. `kind`: point, segment, polygon, disc or plane. `name` of it.

    `outline`: world; of a point and of a plane none. `angle`: of the flattest face or line from square, radians, None
    for what is round; flat if at most `alpha`. `normal` (3,): the answer's; `point` (3,): the body's nearest, world.
    """

    body: int
    kind: str
    name: str
    outline: Outlined
    angle: float | None
    alpha: float
    normal: Array
    point: Array


class ShadowsStep(Struct, frozen=True, eq=False):
    """The shadows of both flat parts along the normal; of a plane no points."""

    of_a: Outlined
    of_b: Outlined


class CutStep(Struct, frozen=True, eq=False):
    """One side of the shadow of body `body` cuts the other's: the loop before and after, and the side's name."""

    body: int
    side: str
    before: Outlined
    after: Outlined


class LevelStep(Struct, frozen=True, eq=False):
    """The clearance between the planes of two faces, A's first, is at most `delta` on one side of a line."""

    faces: tuple[str, str]
    delta: float
    before: Outlined
    after: Outlined


class NeedlesStep(Struct, frozen=True, eq=False, dict=True):
    """The overlap along the `normal` (3,) at each corner. `dropped`: corners left out because there were too many."""

    contacts: tuple[Contact, ...]
    normal: Array
    dropped: int

    @cached_property
    def ends(self) -> tuple[Array, Array]:
        """Each needle's ends (k, 3), world: on B's surface, and on A's; the other way round where they are apart."""
        middles = np.array([contact.position for contact in self.contacts])
        half = 0.5 * np.array([contact.depth for contact in self.contacts])[:, None] * self.normal
        return frozen(middles - half), frozen(middles + half)


class WitnessStep(Struct, frozen=True, eq=False):
    """No corner is as deep as the bodies are: the middle of their nearest points is a contact too."""

    contact: Contact
    deepest: float | None


OverlapRegionStep = NormalStep | FlatStep | ShadowsStep | CutStep | LevelStep | NeedlesStep | WitnessStep | ReduceStep
"""A step of the policies tolerant and narrow, whose contacts are the overlap region's corners."""

ManifoldStep = FeaturesStep | ClipStep | DepthStep | EdgesStep | OverlapRegionStep


class Flatness(Struct, frozen=True):
    """How flat both bodies lie, and the tolerances that decided.

    `kinds`: of A's and B's part towards the other: point, segment, polygon, disc or plane. `angles`: of these from
    square to the normal, radians, of a point the flattest face's or line's; None for what is round. `alpha`: flat
    within, radians. `delta`: contacts may be this far apart, scene units. `gaps`: how many are. `dropped`: corners
    left out because there were too many.
    """

    kinds: tuple[str, str]
    angles: tuple[float | None, float | None]
    alpha: float
    delta: float
    gaps: int
    dropped: int


class Manifold(Struct, frozen=True, eq=False):
    """All contacts of a pair. `normal` (3,): unit, from A to B; with the policy `exact` that of the reference face.

    `flatness`: None with policies that know no α.
    """

    case: ContactCase
    normal: Array
    contacts: tuple[Contact, ...]
    dropped: tuple[Contact, ...] = ()
    flatness: Flatness | None = None
