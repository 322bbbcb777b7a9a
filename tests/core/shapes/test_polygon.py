"""Polygons of the plane: their corners, sides and sizes by brute force, and the loops that are none."""

from __future__ import annotations

from math import cos, hypot, sin, tau

import numpy as np
import pytest

from core.shapes import Hull, Polygon, corners_of
from core.shapes.convex_loop import convex_ring, hull_loop
from core.shapes.polygon import MOST_CORNERS
from tests.core.planar_samples import polygon

SQUARE = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))


def samples() -> list[Polygon]:
    """Random ones, listed either way round, some with doubled points and points on a side."""
    rng = np.random.default_rng(7)
    plain = [polygon(rng) for _ in range(20)]
    crowded = []
    for it in plain:
        points = []
        for k, (x, y) in enumerate(it.points):
            u, v = it.points[(k + 1) % len(it.points)]
            points += [(x, y)] * (1 + k % 2) + [(0.5 * (x + u), 0.5 * (y + v))] * (k % 3)
        crowded.append(Polygon(tuple(points)))
    return [*plain, *crowded, Polygon(((3.0, 1.0), (5.0, 2.0), (4.0, 2.5)))]


def area(points: np.ndarray) -> float:
    """Signed, positive counter-clockwise."""
    x, y = points.T
    return 0.5 * float(x @ np.roll(y, -1) - y @ np.roll(x, -1))


@pytest.mark.parametrize("number", range(41))
def test_corners_run_counter_clockwise_and_sides_face_out_and_hold_every_point(number: int) -> None:
    it = samples()[number]
    points = np.array(it.points)
    ring = np.array(it.ring)
    corners = points[ring]
    assert it.ring[0] == min(it.ring)
    assert corners_of(it) == tuple(sorted(it.ring))
    assert area(corners) == pytest.approx(abs(area(points)), rel=1e-12)
    assert area(corners) > 0.0
    # Side k leads from corner k to the next.
    normals = np.array(it.edge_normals)
    sides = np.roll(corners, -1, axis=0) - corners
    np.testing.assert_allclose((normals * sides).sum(axis=1), 0.0, atol=1e-15)
    np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1.0, atol=1e-15)
    np.testing.assert_array_equal(it.face_normals, np.column_stack((normals, np.zeros(len(normals)))))
    heights = points @ normals.T
    np.testing.assert_allclose(heights.max(axis=0), (corners * normals).sum(axis=1), atol=1e-14)
    # Its sizes, and its farthest points, are those of all points.
    assert it.bounding_radius == pytest.approx(np.linalg.norm(points, axis=1).max(), rel=1e-15)
    assert it.largest_half_extent == pytest.approx(0.5 * np.ptp(points, axis=0).max(), rel=1e-15)
    for turn in np.linspace(0.0, tau, 24):
        way = np.array((cos(turn), sin(turn), 0.0))
        best = float((points @ way[:2]).max())
        assert float(it.support(way) @ way) == pytest.approx(best, abs=1e-15)
        assert float(it.reach(way)) == pytest.approx(best, abs=1e-15)
        assert it.support_vertex(way) == int(np.argmax(points[:, 0] * way[0] + points[:, 1] * way[1]))
    solid = it.polyhedron
    assert solid.faces == (it.ring, it.ring[::-1])
    assert {frozenset(edge) for edge in solid.edges.tolist()} == {
        frozenset((it.ring[k - 1], it.ring[k])) for k in range(len(it.ring))
    }
    # The hull may keep a middle of a side that rounding puts outside.
    assert set(hull_loop(it.points)) >= {tuple(corner) for corner in corners.tolist()}


@pytest.mark.parametrize(
    ("points", "word", "ring"),
    [
        (((2.0, 1.0),), "point", (0,)),
        (((2.0, 1.0), (2.0, 1.0)), "point", (0,)),
        (((0.0, 0.0), (3.0, 4.0)), "segment", (0, 1)),
        (((3.0, 4.0), (0.0, 0.0)), "segment", (0, 1)),
        (((1.5, 2.0), (3.0, 4.0), (0.75, 1.0), (0.0, 0.0)), "segment", (1, 3)),
        (SQUARE, "polygon", (0, 1, 2, 3)),
        (SQUARE[::-1], "polygon", (0, 3, 2, 1)),
        ((SQUARE[0], SQUARE[0], *SQUARE[1:], SQUARE[0]), "polygon", (0, 2, 3, 4)),
        (((0.0, -1.0), *SQUARE[1:], SQUARE[0]), "polygon", (1, 2, 3, 4)),
    ],
)
def test_points_segments_and_corners_keep_the_numbers_of_the_points(points: tuple, word: str, ring: tuple) -> None:
    it = Polygon(points)
    assert (it.word, it.ring) == (word, ring)
    assert it.bounding_radius == max(hypot(*point) for point in points)
    solid, corners = it.polyhedron, np.array(points)[list(ring)]
    if word == "point":
        assert it.edge_normals == ()
        assert it.face_normals.shape == (0, 3)
        assert (solid.faces, len(solid.edges), len(solid.vertices)) == ((), 0, 1)
        assert it.largest_half_extent == 0.0
    if word == "segment":
        across = np.array(it.edge_normals)
        np.testing.assert_array_equal(across[0], -across[1])
        np.testing.assert_allclose(across @ (corners[1] - corners[0]), 0.0, atol=1e-15)
        assert {*map(tuple, solid.edges.tolist())} == {ring}
        assert it.largest_half_extent == pytest.approx(2.5)
    assert [tuple(point) for point in solid.vertices[list(ring if word != "point" else (0,)), :2].tolist()] == [
        points[k] for k in ring
    ]


@pytest.mark.parametrize(
    ("points", "words"),
    [
        ((), "at least one point"),
        (((0.0, 0.0), (1.0, np.nan)), "point 1 is not finite"),
        (((np.inf, 0.0), (1.0, 0.0)), "point 0 is not finite"),
        ((*SQUARE[:2], (0.0, 0.0), *SQUARE[2:]), "not convex at point 2"),
        ((SQUARE[3], (0.0, 0.0), *SQUARE[2::-1]), "not convex at point 1"),
        ((SQUARE[0], SQUARE[2], SQUARE[1], SQUARE[3]), "not convex"),
        (tuple((cos(2 * k * tau / 5), sin(2 * k * tau / 5)) for k in range(5)), "around more than once"),
    ],
)
def test_loops_that_are_no_convex_polygon_are_refused_with_the_reason(points: tuple, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        convex_ring(points)


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1.0, 1e160, 1e300])
def test_size_does_not_matter(scale: float) -> None:
    points = tuple((scale * x, scale * y) for x, y in (*SQUARE, (-1.0, 0.25)))
    for listed in (points, points[::-1]):
        it = Polygon(listed)
        assert area(np.array([listed[k] for k in it.ring]) / scale) == pytest.approx(4.0)
        assert {listed[k] for k in it.ring} == set(points[:4])


def test_a_polygon_has_as_many_points_as_it_may_and_no_more() -> None:
    turns = [tau * k / (MOST_CORNERS + 1) for k in range(MOST_CORNERS + 1)]
    points = tuple((cos(turn), sin(turn)) for turn in turns)
    assert len(Polygon(points[:-1]).ring) == MOST_CORNERS == 2000
    with pytest.raises(ValueError, match=r"^a polygon has at most 2,000 points, got 2,001$"):
        Polygon(points)


def test_polygons_are_values_of_their_points_in_their_order() -> None:
    one, other = Polygon(SQUARE), Polygon.of(np.array(SQUARE))
    assert one == other
    assert hash(one) == hash(other)
    assert one != Polygon(SQUARE[::-1])


def test_a_flat_hull_is_the_polygon_in_space() -> None:
    for it in samples()[:6]:
        flat = Hull.of([(x, y, 0.0) for x, y in it.points])
        assert flat.bounding_radius == it.bounding_radius
        assert {tuple(p) for p in flat.polyhedron.vertices.tolist()} == {(*it.points[k], 0.0) for k in it.ring}
