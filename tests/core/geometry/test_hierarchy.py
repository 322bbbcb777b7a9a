"""Searches of many boxes, points and directions find what trying every pair finds."""

from __future__ import annotations

import numpy as np
import pytest

from core.geometry.hierarchy import bisected, extreme_heights, farthest, overlapping, reach


@pytest.mark.parametrize("count", [1, 2, 5, 32, 33, 100])
@pytest.mark.parametrize("most", [1, 7])
def test_groups_are_small_and_of_one_size_and_hold_every_point_near_its_like(count: int, most: int) -> None:
    points = np.random.default_rng(count).normal(size=(count, 3)) * (1.0, 5.0, 0.2)
    groups = bisected(points, most)
    assert groups.shape[1] <= most
    assert set(groups.ravel().tolist()) == set(range(count))
    assert groups.size < 2 * count + len(groups)
    if len(groups) > 1:
        # Halved across the widest extent, which is that of y.
        halves = groups.reshape(2, -1)
        assert points[halves[0], 1].max() <= points[halves[1], 1].min()


@pytest.mark.parametrize(("first", "second"), [(1, 1), (1, 40), (40, 1), (37, 90), (700, 700), (0, 5), (5, 0)])
def test_boxes_that_overlap_are_found_once_each(first: int, second: int) -> None:
    rng = np.random.default_rng([first, second])
    boxes = []
    for count in (first, second):
        # On a lattice, so that many touch exactly.
        low = rng.integers(-6, 7, size=(count, 3)).astype(float)
        boxes += [low, low + rng.integers(0, 3, size=(count, 3))]
    low_a, high_a, low_b, high_b = boxes
    meet = ((low_a[:, None] <= high_b) & (low_b <= high_a[:, None])).all(axis=2)
    found = [pair for i, j in overlapping(*boxes) for pair in zip(i.tolist(), j.tolist(), strict=True)]
    assert len(found) == len(set(found))
    assert set(found) == set(zip(*(rows.tolist() for rows in np.nonzero(meet)), strict=True))


@pytest.mark.parametrize(("points", "directions"), [(1, 1), (50, 40), (300, 300), (40, 3000), (3000, 500), (2, 9000)])
def test_the_farthest_of_many_points_is_that_of_all_products(points: int, directions: int) -> None:
    rng = np.random.default_rng([points, directions])
    at = rng.normal(size=(points, 3))
    at /= np.linalg.norm(at, axis=1)[:, None]
    at = at * (1.0, 2.0, 0.5) + 3.0
    ways = rng.normal(size=(directions, 3))
    heights = ways @ at.T
    numbers, highest = farthest(at, ways)
    np.testing.assert_allclose(highest, heights.max(axis=1), rtol=0.0, atol=1e-14 * 20.0)
    np.testing.assert_allclose(heights[np.arange(directions), numbers], highest, rtol=0.0, atol=1e-14 * 20.0)
    columns = np.ascontiguousarray(at.T)
    np.testing.assert_allclose(reach(columns, ways), heights.max(axis=1), rtol=0.0, atol=1e-14 * 20.0)
    low, high = extreme_heights(columns, ways)
    np.testing.assert_allclose(low, heights.min(axis=1), rtol=0.0, atol=1e-14 * 20.0)
    np.testing.assert_allclose(high, heights.max(axis=1), rtol=0.0, atol=1e-14 * 20.0)
    single = float(reach(columns, ways[0]))
    assert single == pytest.approx(float(heights[0].max()), abs=1e-13)
