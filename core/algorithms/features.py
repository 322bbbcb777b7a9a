"""Contact vertices: the feature of each body nearest the separating plane (article P, system P10)."""

from __future__ import annotations

from dataclasses import dataclass

from ..geometry.vector import Array


@dataclass(frozen=True, eq=False, slots=True)
class SupportFeature:
    """The supporting feature of a body in a direction: `kind` is "vertex", "edge", "face" or "surface" (a sphere).

    `points` (k, 3) in the world, in loop order for a face; `indices`: their vertex numbers (empty for a sphere).
    `name`: `v3`, `v1-v4`, `+x`, `surface`.
    """

    kind: str
    points: Array
    indices: tuple[int, ...]
    name: str


@dataclass(frozen=True, eq=False, slots=True)
class ContactVertices:
    """The two supporting features along the normal: of A towards B, and of B towards A."""

    a: SupportFeature
    b: SupportFeature
