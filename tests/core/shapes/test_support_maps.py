"""Support maps of all shapes: against brute force, closed forms, and what any support map must obey."""

from __future__ import annotations

from copy import copy
from math import hypot, inf, sqrt

import numpy as np
import pytest

from core.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Polygon, Shape, Sphere
from tests.core.shapes_samples import BOUNDED, CUBE_POINTS, POLYHEDRA, ROUND, ball_points, beyond, directions, name_of

EPS = float(np.finfo(float).eps)

bounded = pytest.mark.parametrize("shape", BOUNDED, ids=name_of)
curved = pytest.mark.parametrize("shape", ROUND, ids=name_of)
polyhedral = pytest.mark.parametrize("shape", POLYHEDRA, ids=name_of)


@bounded
def test_support_points_lie_on_the_surface(shape: Shape) -> None:
    points = np.array([shape.support(d) for d in directions(200)])
    off = beyond(shape, points) / shape.bounding_radius
    assert np.abs(off).max() <= 64 * EPS


@bounded
def test_reach_is_the_height_of_the_support_point(shape: Shape) -> None:
    along = directions(200)
    heights = [float(d @ shape.support(d)) for d in along]
    assert np.abs(shape.reach(along) - heights).max() <= 8 * EPS * shape.bounding_radius


@bounded
def test_no_point_inside_reaches_further_and_some_nearly_as_far(shape: Shape) -> None:
    generator = np.random.default_rng(1)
    top, bottom = shape.reach(np.eye(3)), -shape.reach(-np.eye(3))
    along = directions(50)
    points = bottom + (top - bottom) * generator.uniform(size=(40_000, 3))
    inside = points[beyond(shape, points) <= 0.0]
    assert len(inside) > 2_000
    shortfall = shape.reach(along) - (inside @ along.T).max(axis=0)
    assert shortfall.min() >= -8 * EPS * shape.bounding_radius
    widths = shape.reach(along) + shape.reach(-along)
    assert (shortfall <= 0.35 * widths).all()


@bounded
def test_length_of_the_direction_does_not_matter(shape: Shape) -> None:
    for d in directions(30):
        point = shape.support(d)
        for power in (-900, -30, 30, 900):
            assert (shape.support(np.ldexp(d, power)) == point).all() or np.allclose(
                shape.support(np.ldexp(d, power)), point, rtol=4 * EPS, atol=4 * EPS * shape.bounding_radius
            )


@bounded
def test_support_is_monotone(shape: Shape) -> None:
    along = directions(60)
    points = np.array([shape.support(d) for d in along])
    turns = np.einsum("ijk,ijk->ij", points[:, None] - points, along[:, None] - along)
    assert turns.min() >= -32 * EPS * shape.bounding_radius


@bounded
def test_reach_of_a_sum_is_at_most_the_sum_of_reaches(shape: Shape) -> None:
    along = directions(60)
    sums = along[:, None] + along
    slack = shape.reach(along)[:, None] + shape.reach(along) - shape.reach(sums)
    assert slack.min() >= -32 * EPS * shape.bounding_radius


@bounded
def test_any_direction_at_all_gives_a_finite_point_of_the_surface(shape: Shape) -> None:
    strange = [(0.0, 0.0, 0.0), (-0.0, -0.0, -0.0), (5e-324, 0.0, 0.0), (0.0, -5e-324, 5e-324), (1e308, -1e308, 1e308)]
    strange += [(1e-310, 1e-308, -1e-309), (1e300, 1e-300, 0.0), (1e-200, 1e-200, -1e-200)]
    points = np.array([shape.support(np.array(d)) for d in strange])
    assert np.isfinite(points).all()
    assert np.abs(beyond(shape, points)).max() <= 64 * EPS * shape.bounding_radius


@bounded
def test_the_bounding_ball_touches(shape: Shape) -> None:
    points = np.array([shape.support(d) for d in directions(300)])
    farthest = sqrt(float((points * points).sum(axis=1).max()))
    radius = shape.bounding_radius
    assert farthest <= radius * (1 + 4 * EPS)
    assert farthest >= radius * (0.99 if isinstance(shape, Hull) else 1 - 4 * EPS)


@bounded
def test_half_extents_are_those_of_the_axes(shape: Shape) -> None:
    extents = 0.5 * (shape.reach(np.eye(3)) + shape.reach(-np.eye(3)))
    assert shape.largest_half_extent == pytest.approx(float(extents.max()), rel=4 * EPS)


@bounded
def test_shapes_are_values(shape: Shape) -> None:
    twin = copy(shape)
    assert twin == shape
    assert hash(twin) == hash(shape)
    assert twin is not shape
    with pytest.raises((AttributeError, TypeError)):
        shape.radius = 1.0


@curved
def test_curved_shapes_have_no_vertices(shape: Shape) -> None:
    assert shape.polyhedron is None
    assert shape.support_vertex(np.array((1.0, 2.0, 3.0))) == -1


@polyhedral
def test_polyhedra_answer_with_the_lowest_of_the_farthest_vertices(shape: Shape) -> None:
    assert shape.polyhedron is not None
    for d in directions(100):
        vertex = shape.support_vertex(d)
        x, y, z = shape.polyhedron.vertices.T
        heights = x * d[0] + y * d[1] + z * d[2]
        if isinstance(shape, Hull):
            assert vertex == int(np.flatnonzero(heights == heights.max())[0])
        assert heights[vertex] >= heights.max() - 4 * EPS * shape.bounding_radius
        assert (shape.support(d) == shape.polyhedron.vertices[vertex]).all()


def test_exact_ties_go_to_the_lowest_vertex() -> None:
    box = Box((2.0, 2.0, 2.0))
    cube = Hull(CUBE_POINTS)
    for signs in np.argwhere(np.ones((3, 3, 3))) - 1.0:
        for shape in (box, cube):
            heights = shape.polyhedron.vertices @ signs
            assert shape.support_vertex(signs * 0.3) == int(np.argmax(heights))


@bounded
def test_a_core_grown_by_its_radius_is_the_shape(shape: Shape) -> None:
    core = shape.core
    if core is None:
        assert isinstance(shape, Cylinder | Cone | Ellipsoid)
        return
    along = directions(100)
    reach = (core.points @ along.T).max(axis=0) + core.radius
    assert np.abs(reach - shape.reach(along)).max() <= 8 * EPS * shape.bounding_radius


def test_closed_forms_of_known_directions() -> None:
    tilted = np.array((3.0, 4.0, 0.0))
    assert Sphere(2.0).support(tilted) == pytest.approx((1.2, 1.6, 0.0))
    assert Capsule(2.0, 3.0).support(tilted) == pytest.approx((1.2, 3.1, 0.0))
    assert Cylinder(2.0, 3.0).support(tilted) == pytest.approx((2.0, 1.5, 0.0))
    assert Cylinder(2.0, 3.0).support(np.array((3.0, -1.0, 4.0))) == pytest.approx((1.2, -1.5, 1.6))
    assert Cone(2.0, 3.0).support(tilted) == pytest.approx((0.0, 1.5, 0.0))
    assert Cone(3.0, 2.0).support(tilted) == pytest.approx((3.0, -1.0, 0.0))
    assert Ellipsoid((1.0, 2.0, 3.0)).support(np.array((0.0, 3.0, 2.0))) == pytest.approx((0.0, sqrt(2.0), 3 / sqrt(2)))
    assert Ellipsoid((1.0, 2.0, 3.0)).reach(np.array((0.0, 3.0, 2.0))) == pytest.approx(6 * sqrt(2.0))


def test_sizes_of_known_shapes() -> None:
    assert Capsule(1.0, 3.0).bounding_radius == 2.5
    assert Cylinder(3.0, 8.0).bounding_radius == 5.0
    assert Cone(3.0, 8.0).bounding_radius == 5.0
    assert Ellipsoid((1.0, 4.0, 2.0)).bounding_radius == 4.0
    assert Hull.of(np.array(CUBE_POINTS) * 2.0 + (1.0, 0.0, 0.0)).bounding_radius == hypot(3.0, 2.0, 2.0)
    assert Hull.of(np.array(CUBE_POINTS) * (1.0, 4.0, 2.0)).largest_half_extent == 4.0


@pytest.mark.parametrize("segment", [Hull(((0.0, 1.0, -1.0), (4.0, 5.0, 6.0))), Polygon(((1.0, 1.0), (-6.2, 6.4)))])
def test_a_segment_is_as_large_as_it_is_long_whichever_way_it_runs(segment: Hull | Polygon) -> None:
    assert segment.largest_half_extent == pytest.approx(4.5, rel=1e-15)


def test_support_points_are_extreme_points_even_where_a_whole_flat_end_ties() -> None:
    up, down = np.array((0.0, 1.0, 0.0)), np.array((0.0, -1.0, 0.0))
    assert tuple(Cylinder(2.0, 3.0).support(up)) == (2.0, 1.5, 0.0)
    assert tuple(Cylinder(2.0, 3.0).support(down)) == (2.0, -1.5, 0.0)
    assert tuple(Cone(2.0, 3.0).support(down)) == (2.0, -1.5, 0.0)


@pytest.mark.parametrize(
    "points",
    [
        ball_points(1000),
        np.concatenate([c + 1e-9 * ball_points(100, k) for k, c in enumerate(np.array(CUBE_POINTS))]),
        np.random.default_rng(3).integers(-5, 6, size=(1000, 3)).astype(float),
        ball_points(1000) * (1e-6, 1.0, 1e6),
    ],
    ids=["ball", "clusters", "lattice", "needle"],
)
def test_a_hull_of_1000_points_finds_what_all_points_would(points: np.ndarray) -> None:
    hull = Hull.of(points)
    along = directions(1000)
    size = hull.bounding_radius
    assert np.abs(hull.reach(along) - (points @ along.T).max(axis=0)).max() <= 64 * EPS * size
    heights = [float(hull.support(d) @ d) for d in along]
    assert np.abs(hull.reach(along) - heights).max() <= 4 * EPS * size


def test_a_half_space_has_no_size() -> None:
    space = HalfSpace((0.0, 1.0, 0.0), 2.0)
    assert space.bounding_radius == inf
    assert space.largest_half_extent == inf
    assert space.polyhedron is None
    assert space.core is None
    assert space.support_vertex(np.array((0.0, 1.0, 0.0))) == -1


def test_a_half_space_has_a_farthest_point_along_its_normal_only() -> None:
    space = HalfSpace((0.0, 3.0, 4.0), 10.0)
    assert space.plane.normal == pytest.approx((0.0, 0.6, 0.8))
    assert space.plane.offset == 2.0
    assert space.support(np.array((0.0, 30.0, 40.0))) == pytest.approx((0.0, 1.2, 1.6))
    assert space.reach(np.array((0.0, 6.0, 8.0))) == pytest.approx(20.0)
    for away in ((0.0, -3.0, -4.0), (1.0, 0.0, 0.0), (0.0, 3.0, 4.001), (1e-12, 3.0, 4.0)):
        assert space.reach(np.array(away)) == inf
        with pytest.raises(ValueError, match="along its normal only"):
            space.support(np.array(away))


@pytest.mark.parametrize("size", [5e-324, 1e-320, 1e-200, 1e200, 1e308])
def test_a_half_space_is_as_unbounded_along_tiny_and_huge_directions(size: float) -> None:
    space = HalfSpace((0.0, 1.0, 0.0), 0.5)
    along, across, against = size * np.array(((0.0, 1.0, 0.0), (1.0, 0.0, 0.0), (0.0, -1.0, 0.0)))
    assert space.reach(np.array((along, across, against))).tolist() == [0.5 * size, inf, inf]
    assert space.support(along).tolist() == [0.0, 0.5, 0.0]
    with pytest.raises(ValueError, match="along its normal only"):
        space.support(across)


def test_a_half_spaces_normal_survives_being_turned_there_and_back() -> None:
    generator = np.random.default_rng(5)
    for normal in directions(200):
        space = HalfSpace((float(normal[0]), float(normal[1]), float(normal[2])), 0.5)
        turned = normal * float(generator.uniform(0.5, 2.0)) * (1.0 + EPS * generator.integers(-2, 3, size=3))
        assert np.isfinite(space.reach(turned))


def test_a_zero_normal_is_refused() -> None:
    for normal in ((0.0, 0.0, 0.0), (inf, 0.0, 0.0), (float("nan"), 1.0, 0.0)):
        with pytest.raises(ValueError, match="the normal of a half-space must"):
            _ = HalfSpace(normal, 1.0).plane
