"""The least turn of B that makes an edge of it parallel to one of A, or lays its nearest edge on A's."""

from __future__ import annotations

from collections.abc import Callable
from math import atan2, inf

from msgspec.structs import replace

from ..geometry.tolerances import EPS
from ..geometry.vec2 import Vec2, cross, dot, negated
from ..minkowski.plane import nearest_of_pair
from ..pair.candidate_axes import AxisKind
from ..pair.features import facing_edge
from ..pair.plane_cores import PlanePair
from ..sat.plane import plane_sat
from ..scene import Scene

PARALLEL = 4.0 * EPS
"""Unit vectors that enclose a smaller sine are parallel: turning once more would not bring them closer."""


def edges_made_parallel(scene: Scene) -> Scene:
    """B turned until the edge whose normal wins is parallel to the other body's nearest in direction.

    Raises ValueError for a circle, which has no edges, and for edges that are parallel.
    """
    pair = _with_edges(scene)
    table = plane_sat(scene.a, scene.b)
    # Between two corners the closest points' axis may win, which is no edge's.
    rows = [row for row, it in enumerate(table.candidates) if it.kind is not AxisKind.CENTRES]
    winner = table.candidates[max(rows, key=lambda row: (row == table.winner, table.separations[row]))]
    of_a = winner.kind is AxisKind.FACE_A
    fixed, others = (pair.a, pair.b) if of_a else (pair.b, pair.a)
    edge = winner.feature_a if of_a else winner.feature_b
    assert edge is not None
    along = fixed.normals[edge]
    nearest = max(range(len(others.normals)), key=lambda k: abs(dot(along, others.normals[k])))
    one, other = (edge, nearest) if of_a else (nearest, edge)
    if abs(cross(pair.a.normals[one], pair.b.normals[other])) <= PARALLEL:
        raise ValueError("These edges are parallel already.")

    def wanted(found: PlanePair) -> tuple[Vec2, Vec2]:
        to, turned = found.a.normals[one], found.b.normals[other]
        return turned, to if dot(to, turned) >= 0.0 else negated(to)

    return _turned_onto(scene, wanted)


def edges_aligned(scene: Scene) -> Scene:
    """B turned until its edge that faces A most faces A's edge that faces B most.

    Raises ValueError for a circle, which has no edges, and for edges that face each other.
    """
    pair = _with_edges(scene)
    normal = nearest_of_pair(pair).normal
    one, other = facing_edge(pair.a, normal), facing_edge(pair.b, negated(normal))

    def wanted(found: PlanePair) -> tuple[Vec2, Vec2]:
        return found.b.normals[other], negated(found.a.normals[one])

    if abs(cross(*wanted(pair))) <= PARALLEL and dot(*wanted(pair)) > 0.0:
        raise ValueError("The nearest edges are parallel already.")
    return _turned_onto(scene, wanted)


def _with_edges(scene: Scene) -> PlanePair:
    pair = PlanePair.of(scene.a, scene.b)
    for name, core in (("A", pair.a), ("B", pair.b)):
        if not core.normals:
            raise ValueError(f"{name} has no edges.")
    return pair


def _turned_onto(scene: Scene, wanted: Callable[[PlanePair], tuple[Vec2, Vec2]]) -> Scene:
    """B turned until the first of the two unit vectors that `wanted` gives lies on the second.

    Rounding leaves an angle of some last places; turning again by it takes what an angle of doubles can.
    """
    b = best = scene.b
    least = inf
    for _ in range(4):
        start, end = wanted(PlanePair.of(scene.a, b))
        b = replace(b, angle=b.angle + atan2(cross(start, end), dot(start, end)))
        left = abs(cross(*wanted(PlanePair.of(scene.a, b))))
        if left < least:
            best, least = b, left
    return replace(scene, b=best)
