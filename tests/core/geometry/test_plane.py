"""Planes from normals and points, sides, and a convex shape as the set of its planes."""

from __future__ import annotations

import numpy as np
import pytest

from core.geometry.plane import Plane, farthest_plane, inside, line_through, plane_at, plane_through
from core.geometry.vector import vec
from core.shapes import Box
from tests.core.closed_form_samples import MAKERS, body


def test_v2_a_plane_has_its_point_nearest_the_origin_at_n_d_and_flips_as_one() -> None:
    plane = plane_at(vec(0.0, 3.0, 4.0), vec(7.0, 5.0, 0.0))
    assert plane.normal == pytest.approx([0.0, 0.6, 0.8])
    assert plane.offset == pytest.approx(3.0)
    assert plane.signed_distance(plane.point()) == pytest.approx(0.0, abs=1e-15)
    assert plane.signed_distance(vec(0.0, 0.0, 10.0)) == pytest.approx(5.0)
    other = plane.flipped()
    assert other.signed_distance(vec(0.0, 0.0, 10.0)) == pytest.approx(-5.0)
    assert other.point() == pytest.approx(plane.point())
    assert plane.projected(vec(1.0, 0.0, 10.0)) == pytest.approx([1.0, -3.0, 6.0])


def test_a_placed_plane_keeps_its_distances() -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        pose = body(rng, Box((1.0, 1.0, 1.0))).pose
        plane, point = plane_at(rng.normal(size=3), rng.normal(size=3)), rng.normal(size=3)
        moved = plane.placed(pose.matrix, pose.position)
        assert moved.signed_distance(pose.to_world(point)) == pytest.approx(plane.signed_distance(point), abs=1e-14)


@pytest.mark.parametrize("normal", [(0.0, 0.0, 0.0), (np.nan, 0.0, 0.0), (np.inf, 0.0, 0.0)])
def test_a_plane_needs_a_normal(normal: tuple[float, float, float]) -> None:
    with pytest.raises(ValueError, match="normal"):
        plane_at(np.array(normal), np.zeros(3))


def test_v3_three_points_counter_clockwise_seen_from_in_front() -> None:
    plane = plane_through(vec(0.0, 0.0, 2.0), vec(1.0, 0.0, 2.0), vec(0.0, 1.0, 2.0))
    assert plane.normal.tolist() == [0.0, 0.0, 1.0]
    assert plane.offset == 2.0
    rng = np.random.default_rng(1)
    for _ in range(200):
        a, b, c = rng.normal(size=(3, 3)) * rng.choice((1e-6, 1.0, 1e6))
        if rng.random() < 0.3:
            c = b + (c - b) * 1e-6
        plane = plane_through(a, b, c)
        assert np.dot(plane.normal, np.cross(b - a, c - a)) > 0.0
        size = np.abs((a, b, c)).max()
        assert [plane.signed_distance(p) for p in (a, b, c)] == pytest.approx([0.0] * 3, abs=1e-15 * size)


@pytest.mark.parametrize(
    "third", [(0.0, 0.0, 0.0), (1.0, 2.0, 3.0), (3.0, 6.0, 9.0), (0.1, 0.2, 0.3), (np.nan, 0.0, 0.0)]
)
def test_three_points_on_one_line_are_refused(third: tuple[float, float, float]) -> None:
    with pytest.raises(ValueError, match="span no plane"):
        plane_through(np.zeros(3), vec(1.0, 2.0, 3.0), np.array(third))


def test_v3_two_points_in_the_plane_choose_the_side_by_the_turn() -> None:
    corners = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0)]
    sides = [line_through(start, end) for start, end in zip(corners, corners[1:] + corners[:1], strict=True)]
    assert [side.normal for side in sides] == [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)]
    assert max(side.signed_distance((1.0, 0.5)) for side in sides) == -0.5
    left = line_through((0.0, 0.0), (2.0, 0.0), left=True)
    assert left == sides[0].flipped()
    assert left.signed_distance((0.0, 3.0)) == 3.0
    with pytest.raises(ValueError, match="coincide"):
        line_through((1.0, 1.0), (1.0, 1.0))


def test_v4_a_point_is_in_a_convex_shape_when_no_plane_has_it_in_front() -> None:
    rng = np.random.default_rng(2)
    within = 0
    for _ in range(20):
        solid = MAKERS["hull"](rng).polyhedron
        assert solid is not None
        planes = [Plane(normal, float(offset)) for normal, offset in zip(solid.normals, solid.offsets, strict=True)]
        for _ in range(20):
            weights = rng.dirichlet(np.ones(len(solid.vertices)))
            assert inside(planes, weights @ solid.vertices, 1e-15)
            point = rng.normal(size=3)
            index, distance = farthest_plane(planes, point)
            assert distance == planes[index].signed_distance(point)
            assert inside(planes, point) == (distance <= 0.0)
            within += distance <= 0.0
        assert inside(planes, solid.vertices[0], 1e-14)
    assert 20 <= within <= 380
