"""The mistakes of the article on the separating axis theorem for two boxes, each alone."""

from __future__ import annotations

from math import sqrt

from ..sat.sat import sat
from ..scene import Body, Scene
from ..shapes import Box
from ..verdict import Verdict
from .box_projections import (
    CUBE,
    Interval,
    all_intervals,
    article_axes,
    cubes,
    right_table,
    right_verdict,
    upright_against_lying,
)
from .comparison import ArticleVariant


def s5_touching_called_apart(scene: Scene) -> str:
    """Apart as soon as, on some axis, the span of all four ends is not shorter than both intervals together."""
    for a, b in all_intervals(scene):
        ends = sorted((*a, *b))
        if ends[3] - ends[0] >= (a[1] - a[0]) + (b[1] - b[0]):
            return Verdict.SEPARATED.value
    return Verdict.OVERLAPPING.value


def s6_depth_by_middle_ends(scene: Scene) -> float:
    """Least distance of the two middle ends over the axes; 0 if some axis separates."""
    least = float("inf")
    for a, b in all_intervals(scene):
        if _ways_out(a, b)[2] <= 0.0:
            return 0.0
        ends = sorted((*a, *b))
        least = min(least, ends[2] - ends[1])
    return least


def s6_normal_by_lowest_end(scene: Scene) -> tuple[float, ...]:
    """The axis of least overlap, turned to run from the owner of the lowest end to the other body."""
    ends = all_intervals(scene)
    overlaps = [_ways_out(a, b)[2] for a, b in ends]
    least = overlaps.index(min(overlaps))
    a, b = ends[least]
    side = 1.0 if a[0] <= b[0] else -1.0
    return tuple((side * article_axes(scene)[least]).tolist())


def s6_search_from_10000(scene: Scene) -> float:
    """Length of the shortest way out found by a search that starts from the vector (10000, 10000, 10000)."""
    best = 10000.0 * sqrt(3.0)
    for a, b in all_intervals(scene):
        overlap = _ways_out(a, b)[2]
        if overlap <= 0.0:
            return 0.0
        best = min(best, overlap)
    return best


def _ways_out(a: Interval, b: Interval) -> tuple[float, float, float]:
    """How far B must move up the axis, and down it, to leave A; and the smaller of the two."""
    up, down = a[1] - b[0], b[1] - a[0]
    return up, down, min(up, down)


def _right_depth(scene: Scene) -> float:
    return max(0.0, -right_table(scene).separation)


def _right_normal(scene: Scene) -> tuple[float, ...]:
    return tuple(right_table(scene).normal.tolist())


_SMALL = Box((0.4, 0.4, 0.4))
_APART = cubes("Two cubes apart", (3.0, 0.5, 0.25))
_SHALLOW = cubes("Two cubes that overlap a little", (1.75, 0.5, 0.25))

SEPARATING_AXES = (
    ArticleVariant(
        "S5-touching-apart",
        "Touching is called apart",
        s5_touching_called_apart,
        right_verdict,
        sat,
        "At an exact touch the span of the ends equals both lengths, which is neither a gap nor an overlap.",
        (cubes("Two cubes kiss face to face", (2.0, 0.0, 0.0)),),
        (_APART, _SHALLOW, upright_against_lying("Edge before edge", 3.0)),
    ),
    ArticleVariant(
        "S6-middle-ends",
        "Depth by the two middle ends",
        s6_depth_by_middle_ends,
        _right_depth,
        sat,
        "When one interval contains the other, the middle ends are both the inner one's: its length, not a way out.",
        (Scene(Body(CUBE), Body(_SMALL, (0.25, 0.0, 0.0)), "A small cube inside a large one"),),
        (_APART, _SHALLOW),
    ),
    ArticleVariant(
        "S6-lowest-end",
        "Normal by who owns the lowest end",
        s6_normal_by_lowest_end,
        _right_normal,
        sat,
        "A containing interval owns the lowest end wherever the other lies within it, also where the way out is down.",
        (Scene(Body(CUBE), Body(_SMALL, (-0.7, 0.0, 0.0)), "A small cube inside a large one, near its left side"),),
        (_SHALLOW, cubes("Two cubes, B on the left", (-1.75, 0.5, 0.25))),
    ),
    ArticleVariant(
        "S6-search-from-10000",
        "The search starts from (10000, 10000, 10000)",
        s6_search_from_10000,
        _right_depth,
        sat,
        "No way out longer than the starting vector's 17320.5 can replace it, so that constant is the answer.",
        (Scene(Body(Box((4e4, 4e4, 4e4))), Body(Box((4e4, 4e4, 4e4)), (1e4, 0.0, 0.0)), "Two cubes of side 40000"),),
        (_APART, _SHALLOW),
    ),
)
