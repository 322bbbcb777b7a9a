"""What a contact manifold is made of, and the steps it is found in."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ..geometry.vector import Array


class ContactCase(StrEnum):
    """How the features meet."""

    FACE_OF_A = "face of A"
    FACE_OF_B = "face of B"
    EDGES = "edge × edge"
    POINT = "point"
    """A vertex, or a round surface, against an edge or another vertex."""


@dataclass(frozen=True, eq=False, slots=True)
class Contact:
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


@dataclass(frozen=True, eq=False, slots=True)
class FeaturesStep:
    """Which features meet: `points_a` (k, 3), `points_b` (m, 3) in the world, loop order for faces; their names."""

    case: ContactCase
    normal: Array
    feature_a: str
    feature_b: str
    points_a: Array
    points_b: Array


@dataclass(frozen=True, eq=False, slots=True)
class ClipStep:
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


@dataclass(frozen=True, eq=False, slots=True)
class DepthStep:
    """What lies below the reference surface `normal·p = offset` (world).

    `points` (k, 3) of the incident surface, world, their `depths` (k,), negative above it, and which are `kept`.
    """

    normal: Array
    offset: float
    points: Array
    depths: Array
    names: tuple[tuple[str, str], ...]
    kept: tuple[bool, ...]


@dataclass(frozen=True, eq=False, slots=True)
class EdgesStep:
    """The edge pairs tried, the supporting edges first: names, and the closest points (k, 3) on A and on B, world.

    `misses` (k,): how far those are apart seen along the normal; `chosen`: the pair with the least.
    """

    names: tuple[tuple[str, str], ...]
    points_a: Array
    points_b: Array
    misses: Array
    chosen: int


@dataclass(frozen=True, eq=False, slots=True)
class ReduceStep:
    """The contacts kept and the ones dropped."""

    kept: tuple[Contact, ...]
    dropped: tuple[Contact, ...]


ManifoldStep = FeaturesStep | ClipStep | DepthStep | EdgesStep | ReduceStep


@dataclass(frozen=True, eq=False, slots=True)
class Manifold:
    """All contacts of a pair. `normal` (3,): unit, from A to B, of the reference face if there is one."""

    case: ContactCase
    normal: Array
    contacts: tuple[Contact, ...]
    dropped: tuple[Contact, ...] = ()
