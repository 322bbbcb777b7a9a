"""What a contact manifold is made of, and the steps it is found in."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from ..geometry.vector import Array


class ContactCase(StrEnum):
    """How the features meet."""

    FACE_OF_A = "face of A"
    FACE_OF_B = "face of B"
    EDGES = "edge × edge"
    POINT = "point"
    """A vertex, or a round surface, against an edge or another vertex."""


class Contact(Struct, frozen=True, eq=False):
    """One contact point.

    `position` (3,): world, midway between the two surfaces. `depth`: positive overlapping, along the manifold's
    normal. `feature_a`, `feature_b`: which feature of each body made it (`v3`, `edge7`, `+x`, `plane`, `centre`).
    """

    position: Array
    depth: float
    feature_a: str
    feature_b: str

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
    """What lies below the reference surface `normal·p = offset` (world).

    `points` (k, 3) of the incident surface, world, their `depths` (k,), negative above it, and which are `kept`.
    """

    normal: Array
    offset: float
    points: Array
    depths: Array
    names: tuple[tuple[str, str], ...]
    kept: tuple[bool, ...]


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
    """The contacts kept and the ones dropped."""

    kept: tuple[Contact, ...]
    dropped: tuple[Contact, ...]


ManifoldStep = FeaturesStep | ClipStep | DepthStep | EdgesStep | ReduceStep


class Manifold(Struct, frozen=True, eq=False):
    """All contacts of a pair. `normal` (3,): unit, from A to B, of the reference face if there is one."""

    case: ContactCase
    normal: Array
    contacts: tuple[Contact, ...]
    dropped: tuple[Contact, ...] = ()
