"""The records of a contact manifold: the manifold, its contacts, the settings, and the steps of its computation."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import cached_property
from typing import Any
from warnings import warn

import numpy as np
from msgspec import Struct

from ..geometry.elementary import acos
from ..geometry.vector import Array, frozen
from .region import Loop, points_along


class ContactCase(StrEnum):
    """The kind of features that meet."""

    FACE_OF_A = "face of A"
    FACE_OF_B = "face of B"
    EDGES = "edge × edge"
    POINT = "point"
    """One contact point at most: a vertex or a round surface on each body, or on one of them against an edge.

    The case also of bodies too far apart for contacts.
    """


class ContactSettings(Struct, frozen=True):
    """The tolerances that decide what is flat and what is a contact.

    `alpha`: α, radians; a face or line is flat if its angle from perpendicular to the normal is at most this. `delta`:
    δ, in units of PairScale's `least_half_extent`; a place is a contact if the clearance there is at most δ. δ is at
    most THIN of the thinner body's width, but at least the touching band. `lateral`: points this close, seen along the
    normal, are one point. `witness`: a contact's depth this close to the bodies' depth counts as equal. Both are in
    units of the smaller bounding radius. `speculative`, scene units: bodies apart by no more than this have contacts,
    all of them gaps; 0: only bodies that touch or overlap have contacts.
    """

    alpha: float = acos(0.996)
    delta: float = 1e-3
    lateral: float = 1e-6
    witness: float = 1e-6
    speculative: float = 0.0


class Contact(Struct, frozen=True, eq=False):
    """One contact point.

    `position` (3,): world, midway between the two surfaces. `depth`: positive overlapping, along the manifold's
    normal; negative where the surfaces are apart. `feature_a`, `feature_b`: the feature of each body that made the
    contact (`v3`, `edge7`, `+x`, `plane`, `centre`, `rim +y.2`; `level`: a place on the other's feature at which the
    clearance is δ). `gap`: the surfaces are apart there by more than rounding; under the policies that clip, but for
    `Jolt`, by more than the touching band.
    """

    position: Array
    depth: float
    feature_a: str
    feature_b: str
    gap: bool = False

    @property
    def name(self) -> str:
        """The name, as `v3|+x`. A contact keeps its name while the bodies slide a little."""
        return f"{self.feature_a}|{self.feature_b}"


class FeaturesStep(Struct, frozen=True, eq=False):
    """The features that meet: their names, and `points_a` (k, 3), `points_b` (m, 3), world; faces in loop order.

    `normal` (3,): unit, world, from A to B.
    """

    case: ContactCase
    normal: Array
    feature_a: str
    feature_b: str
    points_a: Array
    points_b: Array


class ClipStep(Struct, frozen=True, eq=False):
    """One cut: the plane `normal·p = offset` (world) through side `side` of the reference face.

    `before` (k, 3), `after` (m, 3): the polygon, world; `names`: feature pairs (A's first) of the points after;
    `cut`: whether each point after is new.
    """

    side: str
    normal: Array
    offset: float
    before: Array
    after: Array
    names: tuple[tuple[str, str], ...]
    cut: tuple[bool, ...]


class DepthStep(Struct, frozen=True, eq=False):
    """The depths of the incident points below the reference surface `normal·p = offset` (world).

    `points` (k, 3), world; `depths` (k,), negative above the surface; `names`: the points' feature pairs, A's first;
    `kept`: whether each point is a contact. `axis` (3,): the unit direction along which depths are measured; None:
    along `normal`.
    """

    normal: Array
    offset: float
    points: Array
    depths: Array
    names: tuple[tuple[str, str], ...]
    kept: tuple[bool, ...]
    axis: Array | None = None


class EdgesStep(Struct, frozen=True, eq=False):
    """The pairs of edges or vertices tried, the supporting pair first, by their names.

    `points_a`, `points_b` (k, 3): the closest points of each pair, world. `misses` (k,): the distances of the closest
    points seen along the normal; `chosen`: the index of the pair that misses least, of equal ones the first.
    """

    names: tuple[tuple[str, str], ...]
    points_a: Array
    points_b: Array
    misses: Array
    chosen: int


class EndsStep(Struct, frozen=True, eq=False):
    """Both ends of the stretch that two edges share, seen along the unit `normal` (3,).

    `points_a`, `points_b` (2, 3): each end on the surface of A and of B, world. `depths` (2,): the overlap along the
    normal at each end, negative apart. `names`: the two vertices of each end, A's first; `kept`: whether each end is a
    contact.
    """

    normal: Array
    names: tuple[tuple[str, str], ...]
    points_a: Array
    points_b: Array
    depths: Array
    kept: tuple[bool, ...]


class ReduceStep(Struct, frozen=True, eq=False):
    """The contacts kept and the ones dropped; `order`: indices in `kept`, in the order of choice."""

    kept: tuple[Contact, ...]
    dropped: tuple[Contact, ...]
    order: tuple[int, ...]

    @property
    def chosen(self) -> tuple[Contact, ...]:
        """The contacts kept, the first chosen first."""
        return tuple(self.kept[place] for place in self.order)


class NormalStep(Struct, frozen=True, eq=False):
    """The answer that the contacts are computed from: the unit `normal` (3,) from A to B, and the signed `separation`.

    `witness_a`, `witness_b` (3,): the witness points, world.
    """

    normal: Array
    separation: float
    witness_a: Array
    witness_b: Array


class Outlined(Struct, frozen=True, eq=False, dict=True):
    """A loop across the normal, and the same as a polygon in the world, for a picture; both are computed on demand.

    `across` (3, 3): columns u, v, n. `placed`: maps points (k, 2) across the normal to the world, (k, 3).
    """

    across: Array
    make_loop: Callable[[], Loop]
    placed: Callable[[Array], Array]

    @property
    def loop(self) -> Loop:
        """The loop's sides, across the normal."""
        return self.make_loop()

    @cached_property
    def points(self) -> Array:
        """The corners and points along the arcs (k, 3), world, as in `points_along`."""
        return frozen(self.placed(points_along(self.loop)))


class FlatStep(Struct, frozen=True, eq=False):
    """The flat part of a body. `body`: 0 for A, 1 for B. `kind`: point, segment, polygon, disc or plane.

    `name`: the flat part's. `outline`: world; empty for a point and for a plane. `angle`: of the flattest face or line
    from perpendicular to the normal, radians, None for a round surface; flat if at most `alpha`. `normal` (3,): the
    answer's; `point` (3,): the body's nearest point, world.
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
    """The shadows of both flat parts along the normal; the shadow of a plane has no points."""

    of_a: Outlined
    of_b: Outlined


class CutStep(Struct, frozen=True, eq=False):
    """One side of the shadow of body `body` cuts the other shadow: the loop before and after, and the side's name."""

    body: int
    side: str
    before: Outlined
    after: Outlined


class LevelStep(Struct, frozen=True, eq=False):
    """A cut at the level: beyond its line the planes of two faces, A's first, are more than `delta` apart.

    `faces`: both names are empty if the line leaves no side, as when it cuts off the whole loop.
    """

    faces: tuple[str, str]
    delta: float
    before: Outlined
    after: Outlined


class CornerDepthsStep(Struct, frozen=True, eq=False, dict=True):
    """The overlap at each corner of the region, shown as a segment along the unit `normal` (3,), from A to B.

    `contacts`: one for each corner. `dropped`: the number of corners left out as too many.
    """

    contacts: tuple[Contact, ...]
    normal: Array
    dropped: int

    @cached_property
    def ends(self) -> tuple[Array, Array]:
        """The segments' ends (k, 3) on B's surface, and those on A's; world."""
        middles = np.array([contact.position for contact in self.contacts])
        half = 0.5 * np.array([contact.depth for contact in self.contacts])[:, None] * self.normal
        return frozen(middles - half), frozen(middles + half)


class WitnessStep(Struct, frozen=True, eq=False):
    """A contact added at the middle of the bodies' deepest places, because no corner is as deep as the bodies.

    `deepest`: the depth of the deepest corner; None without corners.
    """

    contact: Contact
    deepest: float | None


OverlapRegionStep = (
    NormalStep | FlatStep | ShadowsStep | CutStep | LevelStep | CornerDepthsStep | WitnessStep | ReduceStep
)
"""A step of the policies tolerant and narrow, whose contacts are the overlap region's corners."""

ManifoldStep = FeaturesStep | ClipStep | DepthStep | EdgesStep | EndsStep | OverlapRegionStep


class Flatness(Struct, frozen=True):
    """The flat parts of both bodies, and the tolerances that decided.

    `kinds`: of A's and B's flat part: point, segment, polygon, disc or plane. `angles`: of the flattest face or line
    of each from perpendicular to the normal, radians; None for a round surface. `alpha`: the largest angle that is
    flat, radians. `delta`: the largest distance of the surfaces at a contact, scene units. `gaps`: number of contacts
    that are gaps. `dropped`: number of corners left out as too many.
    """

    kinds: tuple[str, str]
    angles: tuple[float | None, float | None]
    alpha: float
    delta: float
    gaps: int
    dropped: int


class Manifold(Struct, frozen=True, eq=False):
    """All contacts of a pair. `case`: the kind of features that meet.

    `normal` (3,): unit, from A to B: the answer's, or that of the reference face if the policy takes it. `dropped`: the
    contacts that the reduction to four left out. `flatness`: None under policies without α, and for bodies too far
    apart for contacts.
    """

    case: ContactCase
    normal: Array
    contacts: tuple[Contact, ...]
    dropped: tuple[Contact, ...] = ()
    flatness: Flatness | None = None


def __getattr__(name: str) -> Any:
    if name != "NeedlesStep":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warn("the name is CornerDepthsStep now, NeedlesStep goes with the next release", DeprecationWarning, stacklevel=2)
    return CornerDepthsStep
