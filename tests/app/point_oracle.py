"""Names of points of A − B by the order in which GJK and EPA find them, counted anew from the steps."""

from __future__ import annotations

from functools import lru_cache

from core.gjk.gjk import GjkStep
from core.pair.support import DifferencePoint
from core.query.query import Moment, Phase, Query


def points_of(moment: Moment) -> tuple[DifferencePoint, ...]:
    """The points that a step of GJK or EPA begins with, and the one that it finds."""
    step = moment.step
    begun = step.simplex if isinstance(step, GjkStep) else step.vertices
    return begun if step.support is None else (*begun, step.support)


def closing(found: Query) -> list[Moment]:
    return [moment for moment in found.moments if moment.phase in (Phase.GJK, Phase.EPA)]


def corners(point: DifferencePoint) -> tuple[object, ...]:
    """A point of vertices is known by them, another by its place as well."""
    pair = point.vertex_a, point.vertex_b
    return pair if min(pair) >= 0 else (*pair, *point.xyz)


@lru_cache(maxsize=2)
def discovered(found: Query) -> dict[tuple[object, ...], DifferencePoint]:
    """All points in the order of their discovery."""
    known: dict[tuple[object, ...], DifferencePoint] = {}
    for moment in closing(found):
        for point in points_of(moment):
            known.setdefault(corners(point), point)
    return known


def name_of(found: Query, point: DifferencePoint) -> str:
    number = list(discovered(found)).index(corners(point))
    return "w" + "".join("₀₁₂₃₄₅₆₇₈₉"[int(digit)] for digit in str(number))
