"""Stretches of straight lines: where a line lies inside a convex region, and what is left of it outside several.

A line runs from `a` (t = 0) to `b` (t = 1); rows are lines. A stretch is a pair t0 < t1; one with t0 >= t1 is empty.
Clipping after Cyrus and Beck (1978): a convex region meets a line in one stretch.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from core.geometry.vector import Array

from ..draw_list import IntArray

BoolArray = NDArray[np.bool_]

MANY_PLANES = 40
"""From here on it pays to sort out the lines that no plane cuts; by so many first."""

SHORTEST = 1e-9
"""Pieces shorter than this share of their line are rounding, not geometry."""


class Pieces(Struct, frozen=True, eq=False):
    """Parts of lines: `line` (m,) row of the line each is part of, `t0`, `t1` (m,), `covered` (m,) bool."""

    line: IntArray
    t0: Array
    t1: Array
    covered: BoolArray


def inside_planes(a: Array, b: Array, planes: Array) -> tuple[Array, Array]:
    """Where lines (n, 3) lie in {p: n·p + d <= 0 for every row (n, d)}, planes (k, 4); returns t0, t1 (n,)."""
    if len(planes) <= MANY_PLANES:
        return _clip(_heights(a, planes), _heights(b, planes))
    if len(planes) > 2 * MANY_PLANES:
        # Most lines that are wholly before some plane are before one of a few: the rest is held against all.
        some = planes[:: len(planes) // MANY_PLANES]
        left = np.nonzero(np.minimum(_heights(a, some), _heights(b, some)).max(axis=0) <= 0.0)[0]
    else:
        left = np.arange(len(a))
    at_a, at_b = _heights(a[left], planes), _heights(b[left], planes)
    # Most others are wholly inside, or wholly before one plane after all: only what is cut needs the quotients.
    outside = np.minimum(at_a, at_b).max(axis=0) > 0.0
    cut = np.nonzero((np.maximum(at_a, at_b).max(axis=0) > 0.0) & ~outside)[0]
    t0, t1 = np.ones(len(a)), np.zeros(len(a))
    t0[left[~outside]], t1[left[~outside]] = 0.0, 1.0
    t0[left[cut]], t1[left[cut]] = _clip(at_a[:, cut], at_b[:, cut])
    return t0, t1


def _heights(points: Array, planes: Array) -> Array:
    """Signed heights (k, n) of points (n, 3) over planes (k, 4)."""
    heights: Array = planes[:, :3] @ points.T + planes[:, 3:]
    return heights


def _clip(at_a: Array, at_b: Array) -> tuple[Array, Array]:
    """The stretches t0, t1 (n,) from the heights (k, n) of the lines' ends over k planes."""
    fall = at_a - at_b
    level = fall == 0.0
    t = at_a / np.where(level, 1.0, fall)
    # A line parallel to a plane is wholly inside it or wholly out.
    t0 = np.where(fall > 0.0, t, np.where(level & (at_a > 0.0), 2.0, 0.0)).max(axis=0, initial=0.0)
    t1 = np.where(fall < 0.0, t, 1.0).min(axis=0, initial=1.0)
    return t0, t1


def inside_cone(constant: Array, linear: Array, square: Array, t0: Array, t1: Array) -> tuple[Array, Array]:
    """The part of the stretches t0..t1 where `square t² + 2 linear t + constant <= 0`, all (n,).

    Meant for quadrics cut by a plane so that what is left is convex: of two outer rays only one meets the stretch.
    """
    # Seen from very near, the coefficients are so large that their squares would leave the range of doubles.
    largest = np.maximum(np.maximum(np.abs(constant), np.abs(linear)), np.abs(square))
    shrink = 1.0 / np.where(largest == 0.0, 1.0, largest)
    constant, linear, square = constant * shrink, linear * shrink, square * shrink
    root = np.sqrt(np.maximum(linear * linear - square * constant, 0.0))
    # Citardauq: no difference of nearly equal numbers.
    q = -(linear + np.where(linear < 0.0, -root, root))
    safe_square = np.where(square == 0.0, 1.0, square)
    first = np.where(square == 0.0, np.where(q < 0.0, np.inf, -np.inf), q / safe_square)
    second = np.where(q == 0.0, first, constant / np.where(q == 0.0, 1.0, q))
    low, high = np.minimum(first, second), np.maximum(first, second)
    crosses = linear * linear - square * constant > 0.0
    between_low, between_high = np.maximum(t0, low), np.minimum(t1, high)
    # The quadric opens downwards: inside are the rays before `low` and after `high`.
    before = np.minimum(t1, low)
    after = np.maximum(t0, high)
    ray_low = np.where(before > t0, t0, after)
    ray_high = np.where(before > t0, before, t1)
    opens_up = square > 0.0
    out0 = np.where(crosses, np.where(opens_up, between_low, ray_low), t0)
    out1 = np.where(crosses, np.where(opens_up, between_high, ray_high), t1)
    nowhere = ~crosses & (np.where(opens_up, 1.0, constant) > 0.0)
    return np.where(nowhere, 1.0, out0), np.where(nowhere, 0.0, out1)


def hull_of_spans(t0: Array, t1: Array, u0: Array, u1: Array) -> tuple[Array, Array]:
    """The stretch that holds both t0..t1 and u0..u1, of which either may be empty; all (n,)."""
    no_t, no_u = t0 >= t1, u0 >= u1
    low = np.where(no_t, u0, np.where(no_u, t0, np.minimum(t0, u0)))
    high = np.where(no_t, u1, np.where(no_u, t1, np.maximum(t1, u1)))
    return low, high


def split(t0: Array, t1: Array) -> Pieces:
    """Lines cut by the union of k stretches each, t0 and t1 (n, k): the covered parts, then the free ones."""
    count, k = t0.shape
    empty = t0 >= t1
    starts, ends = np.where(empty, 0.0, t0), np.where(empty, 0.0, t1)
    if k > 1:
        order = np.argsort(starts, axis=1)
        starts, ends = np.take_along_axis(starts, order, axis=1), np.take_along_axis(ends, order, axis=1)
        ends = np.maximum.accumulate(ends, axis=1)
    free0, free1 = np.zeros((count, k + 1)), np.ones((count, k + 1))
    free0[:, 1:], free1[:, :-1] = ends, starts
    # A covered run begins where a gap came before (or at the first stretch) and ends before the next gap.
    begins = np.ones((count, k), dtype=bool)
    begins[:, 1:] = starts[:, 1:] > ends[:, :-1]
    last = np.ones((count, k), dtype=bool)
    last[:, :-1] = begins[:, 1:]
    run_ends = np.minimum.accumulate(np.where(last, ends, np.inf)[:, ::-1], axis=1)[:, ::-1]
    runs = begins & (run_ends - starts > SHORTEST)
    gaps = free1 - free0 > SHORTEST
    covered_line, covered_at = np.nonzero(runs)
    free_line, free_at = np.nonzero(gaps)
    return Pieces(
        np.concatenate((covered_line, free_line)),
        np.concatenate((starts[covered_line, covered_at], free0[free_line, free_at])),
        np.concatenate((run_ends[covered_line, covered_at], free1[free_line, free_at])),
        np.arange(len(covered_line) + len(free_line)) < len(covered_line),
    )
