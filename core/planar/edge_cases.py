"""The least turn of B that makes an edge of it parallel to one of A, or lays its nearest edge on A's."""

from __future__ import annotations

from collections.abc import Callable
from math import atan2, inf

from msgspec.structs import replace

from ..geometry.tolerances import EPS
from .analysis import analyse2
from .features import facing_edge
from .pair import Pair2
from .sat import AxisKind2, sat2
from .scene import Body2, Scene2
from .vec2 import Vec2, cross, dot, negated

PARALLEL = 4.0 * EPS
"""Unit vectors that enclose a smaller sine are parallel: turning once more would not bring them closer."""


def angle_of_parallel_edges(scene: Scene2) -> float:
    """B's angle, radians, at which the edge whose normal wins is parallel to the other body's nearest in direction.

    Raises ValueError for a circle, which has no edges, and for edges that are parallel.
    """
    pair = _with_edges(scene)
    table = sat2(scene.a, scene.b)
    winner = table.candidates[table.winner]
    of_a = winner.kind is AxisKind2.EDGE_A
    fixed, others = (pair.a, pair.b) if of_a else (pair.b, pair.a)
    assert winner.edge is not None
    along = fixed.normals[winner.edge]
    nearest = max(range(len(others.normals)), key=lambda k: abs(dot(along, others.normals[k])))
    one, other = (winner.edge, nearest) if of_a else (nearest, winner.edge)
    if abs(cross(pair.a.normals[one], pair.b.normals[other])) <= PARALLEL:
        raise ValueError("These edges are parallel already.")

    def wanted(found: Pair2) -> tuple[Vec2, Vec2]:
        to, turned = found.a.normals[one], found.b.normals[other]
        return turned, to if dot(to, turned) >= 0.0 else negated(to)

    return _turned_onto(scene, wanted)


def angle_of_aligned_edges(scene: Scene2) -> float:
    """B's angle, radians, at which its edge that faces A most faces A's edge that faces B most.

    Raises ValueError for a circle, which has no edges, and for edges that face each other.
    """
    pair, normal = _with_edges(scene), analyse2(scene).normal
    one, other = facing_edge(pair.a, normal), facing_edge(pair.b, negated(normal))

    def wanted(found: Pair2) -> tuple[Vec2, Vec2]:
        return found.b.normals[other], negated(found.a.normals[one])

    if abs(cross(*wanted(pair))) <= PARALLEL and dot(*wanted(pair)) > 0.0:
        raise ValueError("The nearest edges are parallel already.")
    return _turned_onto(scene, wanted)


def _with_edges(scene: Scene2) -> Pair2:
    pair = Pair2.of(scene.a, scene.b)
    for name, core in (("A", pair.a), ("B", pair.b)):
        if not core.normals:
            raise ValueError(f"{name} has no edges.")
    return pair


def _turned_onto(scene: Scene2, wanted: Callable[[Pair2], tuple[Vec2, Vec2]]) -> float:
    """B's angle when the first of the two unit vectors that `wanted` gives lies on the second.

    Rounding leaves an angle of some last places; turning again by it takes what an angle of doubles can.
    """
    b: Body2 = scene.b
    best, least = b.rotation, inf
    for _ in range(4):
        start, end = wanted(Pair2.of(scene.a, b))
        b = replace(b, rotation=b.rotation + atan2(cross(start, end), dot(start, end)))
        left = abs(cross(*wanted(Pair2.of(scene.a, b))))
        if left < least:
            best, least = b.rotation, left
    return best
