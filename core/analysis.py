"""`analyse(scene)`: every answer about one scene, from the algorithms; no ideas of its own."""

from __future__ import annotations

from dataclasses import dataclass

from .algorithms.features import ContactVertices
from .algorithms.minkowski import MinkowskiDifference
from .algorithms.sat import SatTable
from .answer import Certainty, Verdict
from .geometry.vector import Array
from .scene import Scene


@dataclass(frozen=True, eq=False, slots=True)
class Analysis:
    """The answers for `scene`, in world space.

    `separation` signed (positive apart); `normal` unit, from A towards B; `mtv` = depth * normal, None when
    separated; witnesses with `|b - a| = |separation|` on the two surfaces; `certainty` of the separation and
    `band`, the half width of the touching band; `nearest` (3,): the boundary point of the difference nearest the
    origin, `-separation * normal`; `disagreements`: one sentence per pair of algorithms that differ beyond tolerance.
    """

    scene: Scene
    verdict: Verdict
    separation: float
    normal: Array
    mtv: Array | None
    witness_a: Array
    witness_b: Array
    nearest: Array
    certainty: Certainty
    band: float
    sat: SatTable
    difference: MinkowskiDifference
    contact_vertices: ContactVertices
    disagreements: tuple[str, ...]
