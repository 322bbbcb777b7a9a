"""Simplified hulls: how far they are from the true ones, against every corner, side and triangle of few points."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest

from core.shapes import Hull
from core.shapes.simplified import FEWEST_CORNERS, extreme, simplified, simplified_loop


def distance_from_hull(point, corners) -> float:
    """By brute force: the nearest point of the hull lies on one to three of its corners, with shares of at least 0."""
    best = np.inf
    for count in (1, 2, 3):
        for chosen in combinations(range(len(corners)), count):
            base, *others = corners[list(chosen)]
            ways = np.array(others).reshape(-1, 3) - base
            shares = np.linalg.lstsq(ways.T, point - base, rcond=None)[0] if others else np.zeros(0)
            if (shares >= 0.0).all() and shares.sum() <= 1.0:
                best = min(best, float(np.linalg.norm(base + shares @ ways - point)))
    return best


def inside(point, corners) -> bool:
    solid = Hull.of(corners).polyhedron
    return bool((solid.normals @ point <= solid.offsets + 1e-12).all())


KINDS = {
    "ball": lambda p: p / np.linalg.norm(p, axis=1)[:, None],
    "cloud": lambda p: p,
    "lattice": lambda p: np.unique(np.round(1.5 * p), axis=0),
    "needle": lambda p: p * (1.0, 0.01, 0.002) + 5.0,
    "far": lambda p: p * 0.01 + (100.0, -300.0, 40.0),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.sampled(4, "random")
def test_the_distance_is_that_of_the_farthest_point_left_out(kind: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = KINDS[kind](rng.normal(size=(40, 3)))
    for most in (FEWEST_CORNERS, 6, 9):
        found = simplified(points, most)
        corners = points[found.kept]
        assert len(found.kept) <= most
        assert (np.diff(found.kept) > 0).all()
        left = np.delete(points, found.kept, axis=0)
        expected = max(
            (distance_from_hull(point, corners) for point in left if not inside(point, corners)), default=0.0
        )
        assert found.distance == pytest.approx(expected, abs=1e-9 * np.abs(points).max())


def test_with_room_for_every_corner_nothing_is_lost() -> None:
    points = np.random.default_rng(1).normal(size=(200, 3))
    corners = Hull.of(points).polyhedron.vertices
    found = simplified(points, len(points))
    assert found.distance == pytest.approx(0.0, abs=1e-12)
    assert np.array_equal(Hull.of(points[found.kept]).polyhedron.vertices, corners)
    assert np.array_equal(points[extreme(points)], corners)


def test_more_corners_come_nearer() -> None:
    points = np.random.default_rng(2).normal(size=(3000, 3))
    points /= np.linalg.norm(points, axis=1)[:, None]
    distances = [simplified(points, most).distance for most in (8, 32, 128, 512)]
    assert all(second < 0.5 * first for first, second in pairwise(distances))
    # A triangle of side s lies s²/6 below the unit sphere: 2n - 4 of them cover 4π.
    assert distances[-1] < 3.0 * 4.0 * np.pi / (2 * 512 * np.sqrt(3.0) * 1.5)


def test_a_corner_that_only_one_point_makes_is_kept_first() -> None:
    points = np.random.default_rng(3).normal(size=(500, 3))
    points /= np.linalg.norm(points, axis=1)[:, None]
    spike = np.array((3.0, 4.0, 5.0))
    found = simplified(np.concatenate((points, [spike])), 8)
    assert len(points) in found.kept


@pytest.mark.parametrize(
    ("points", "most", "words"), [(np.eye(3), 4, "one plane"), (np.eye(4)[:, :3], 3, "at least 4")]
)
def test_what_cannot_be_simplified_is_told(points, most: int, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        simplified(points, most)


def test_a_hull_of_its_corners_is_the_same() -> None:
    whole = Hull.of(np.random.default_rng(4).normal(size=(300, 3)))
    tight = whole.of_corners()
    assert np.array_equal(tight.points, whole.polyhedron.vertices)
    again = Hull.of(tight.points)
    assert tight == again
    assert hash(tight) == hash(again)
    assert {frozenset(face) for face in tight.polyhedron.faces} == {frozenset(face) for face in again.polyhedron.faces}


LOOPS = {
    "circle": lambda turn: np.column_stack((np.cos(turn), np.sin(turn))),
    "long": lambda turn: np.column_stack((1e3 * np.cos(turn), np.sin(turn))),
    "far": lambda turn: np.column_stack((1e4 + np.cos(turn), -1e5 + np.sin(turn))),
    "tiny": lambda turn: 1e-170 * np.column_stack((np.cos(turn), np.sin(turn))),
    "rounded corner": lambda turn: np.vstack((np.column_stack((np.cos(turn / 4), np.sin(turn / 4))), (-5.0, -5.0))),
}


def distance_from_polygon(point, corners) -> float:
    """From the nearest of all sides, whichever it is beyond."""
    following = np.roll(corners, -1, axis=0) - corners
    share = np.clip(((point - corners) * following).sum(1) / (following * following).sum(1), 0.0, 1.0)
    return float(np.hypot(*(point - corners - share[:, None] * following).T).min())


@pytest.mark.parametrize("kind", LOOPS)
@pytest.mark.parametrize("clockwise", [False, True])
def test_of_a_polygon_the_distance_is_that_of_the_farthest_corner_left_out(kind: str, clockwise: bool) -> None:
    rng = np.random.default_rng(7)
    loop = LOOPS[kind](np.sort(rng.uniform(0.0, 2.0 * np.pi, 200)))
    loop = loop[::-1] if clockwise else loop
    size, last = float(np.ptp(loop, axis=0).max()), np.inf
    for most in (3, 4, 17, 60, 199, len(loop), 500):
        found = simplified_loop(loop, most)
        assert len(found.kept) == min(most, len(loop))
        assert (np.diff(found.kept) > 0).all()
        corners, left = loop[found.kept] / size, np.delete(loop, found.kept, axis=0) / size
        expected = max((distance_from_polygon(point, corners) for point in left), default=0.0)
        assert found.distance / size == pytest.approx(expected, abs=1e-13 * np.abs(loop).max() / size)
        assert found.distance <= last
        last = found.distance


def test_a_circle_keeps_corners_all_round() -> None:
    turn = np.linspace(0.0, 2.0 * np.pi, 4096, endpoint=False)
    # Of n sides each lies 1 - cos(π / n) inside the circle; halving again and again makes 64 of them alike.
    found = simplified_loop(LOOPS["circle"](turn), 64)
    assert found.distance == pytest.approx(1.0 - np.cos(np.pi / 64), rel=1e-6)


@pytest.mark.parametrize(("count", "most"), [(2, 5), (5, 2)])
def test_a_polygon_has_three_corners(count: int, most: int) -> None:
    with pytest.raises(ValueError, match="at least 3 corners"):
        simplified_loop(np.eye(5)[:count, :2], most)
