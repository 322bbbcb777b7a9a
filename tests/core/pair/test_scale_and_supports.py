"""The scale of a pair, the separation that a direction proves, and support maps: by the shapes' definitions."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from core import Body, Scene
from core.geometry.quaternion import from_axis_angle
from core.geometry.tolerances import AGREEMENT, ROUNDING, TIE, touching_band
from core.pair.pair import LEAST_EXTENT, PairScale, box_and_ball, certificate, half_space_of, two_balls, two_boxes
from core.pair.support import Difference, Points, Rounding, support_map, support_maps, weighted_sources
from core.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Rounded, Shape, Sphere
from tests.core.closed_form_samples import directions
from tests.core.gjk_samples import random_hull, turn
from tests.oracles import axes_of, support_gap
from tests.shape_truths import truth_of

SOLIDS: tuple[Shape, ...] = (
    Box((1.0, 2.0, 3.0)),
    Sphere(0.5),
    Capsule(0.25, 2.0),
    Cylinder(0.5, 1.5),
    Cone(0.75, 1.0),
    Ellipsoid((0.5, 1.0, 0.25)),
    random_hull(np.random.default_rng(1), 40),
    Rounded(Box((1.0, 0.5, 2.0)), 0.125),
    Rounded(Cylinder(0.5, 1.0), 0.25),
    Rounded(Ellipsoid((0.5, 1.0, 0.75)), 0.25),
)
names = [f"{type(shape).__name__}{k}" for k, shape in enumerate(SOLIDS)]


@pytest.mark.parametrize("rounded", ["core", "full"])
@pytest.mark.parametrize("shape", SOLIDS, ids=names)
def test_a_placed_body_reaches_as_far_as_its_shape_is_defined_to(shape: Shape, rounded: Rounding) -> None:
    """Along any direction of any length; under "full" no radius is left, and the point is the body's own."""
    rng = np.random.default_rng(3)
    for _ in range(8):
        body, offset = Body(shape, rotation=turn(rng)), rng.normal(size=3)
        found, radius = support_map(body, offset, rounded)
        if rounded == "full":
            assert radius == 0.0
        for way in rng.normal(size=(6, 3)):
            for way_too in (way, 1e-3 * way):
                point = found.support(tuple(way_too.tolist())).point
                unit = way / np.linalg.norm(way)
                reached = float(point @ unit) + radius
                wanted = truth_of(shape).reach(axes_of(body).T @ unit) + float(offset @ unit)
                assert reached == pytest.approx(wanted, abs=1e-14 * (1.0 + np.abs(offset).max()) * 4.0)


def test_a_difference_tells_its_sources_and_the_radii_of_both() -> None:
    """`w = a - b`; swapped, its points are the negatives of the same sources; and their radii change places."""
    rng = np.random.default_rng(4)
    for (k, one), (m, two) in product(enumerate(SOLIDS), repeat=2):
        if (k + m) % 3:
            continue
        a, b = Body(one, (1.0, 2.0, 0.5), turn(rng)), Body(two, (3.0, 1.0, -1.0), turn(rng))
        there, back = support_maps(a, b), support_maps(b, a)
        assert (there.radius_a, there.radius_b) == (back.radius_b, back.radius_a)
        assert there.radius == there.radius_a + there.radius_b
        assert (there.offset, there.dimension) == ((2.0, -1.0, -1.5), 3)
        assert there.largest_radius == pytest.approx(max(truth_of(one).size(), truth_of(two).size()))
        assert there.extent == pytest.approx(there.largest_radius + np.sqrt(7.25))
        for way in rng.normal(size=(4, 3)).tolist():
            found = there.support(tuple(way))
            other = back.support((-way[0], -way[1], -way[2]))
            assert found.w.tolist() == (found.a - found.b).tolist() == list(found.xyz)
            assert (found.a.tolist(), found.b.tolist()) == (list(found.xyz_a), list(found.xyz_b))
            assert found.direction.tolist() == way
            assert (found.vertex_a, found.vertex_b) == (other.vertex_b, other.vertex_a)
            assert other.w == pytest.approx(-found.w, abs=1e-14)


def test_weighted_sources_are_the_means_of_either_bodys_points() -> None:
    rng = np.random.default_rng(5)
    difference = support_maps(Body(SOLIDS[6]), Body(SOLIDS[0], (1.0, 0.0, 2.0)))
    points = [difference.support(tuple(way)) for way in rng.normal(size=(4, 3)).tolist()]
    weights = rng.dirichlet(np.ones(4))
    on_a, on_b = weighted_sources(points, weights.tolist())
    assert on_a == pytest.approx(weights @ [point.a for point in points], abs=1e-15)
    assert on_b == pytest.approx(weights @ [point.b for point in points], abs=1e-15)


@pytest.mark.parametrize("count", [4, 24, 25, 200])
def test_of_any_number_of_points_the_farthest_is_found_and_the_first_of_equal_ones(count: int) -> None:
    rng = np.random.default_rng(count)
    rows = rng.integers(-3, 4, (count, 3)).astype(float)
    points = Points(rows)
    for way in [*rng.integers(-2, 3, (40, 3)).astype(float), np.array((1.0, 0.0, 0.0))]:
        heights = rows @ way
        found = points.support(tuple(way.tolist()))
        assert found.vertex == int(np.flatnonzero(heights == heights.max())[0])
        assert found.point.tolist() == rows[found.vertex].tolist()


def test_a_half_space_has_no_support_map() -> None:
    ground, ball = Body(HalfSpace((0.0, 1.0, 0.0), 0.0)), Body(Sphere(1.0))
    for pair in ((ground, ball), (ball, ground)):
        with pytest.raises(ValueError, match="half-space has no farthest point"):
            support_maps(*pair)
    with pytest.raises(ValueError, match="only one of the two bodies may be a half-space"):
        PairScale.of(ground, ground)


def test_the_ball_inside_a_grown_core_stands_for_nothing_along_no_direction() -> None:
    """The zero vector counts as +x."""
    found, radius = support_map(Body(Sphere(0.5)), np.array((1.0, 2.0, 3.0)), "full")
    assert radius == 0.0
    assert found.support((0.0, 0.0, 0.0)).point.tolist() == [1.5, 2.0, 3.0]
    assert found.support((0.0, -2.0, 0.0)).point.tolist() == [1.0, 1.5, 3.0]


@pytest.mark.parametrize("swap", [False, True])
def test_the_scale_is_of_the_larger_and_the_smaller_body_and_the_way_between_them(swap: bool) -> None:
    """Powers of two scale it exactly; a move of both changes nothing; which is A makes no difference."""
    a, b = Body(Box((2.0, 4.0, 4.0)), (1.0, 1.0, 1.0)), Body(Sphere(0.25), (3.0, 4.0, 7.0))
    scale = PairScale.of(b, a) if swap else PairScale.of(a, b)
    assert scale.offset.tolist() == ([-2.0, -3.0, -6.0] if swap else [2.0, 3.0, 6.0])
    assert (scale.largest_radius, scale.least_half_extent, scale.extent) == (3.0, 0.25, 10.0)
    assert scale.rounding == ROUNDING * 10.0
    assert scale.tie == TIE * 10.0
    assert scale.agreement == AGREEMENT * 10.0
    assert scale.touching_band() == touching_band(0.25, 3.0, 7.0)
    # The half-space has no size, but its plane may be far from its position.
    ground = Body(HalfSpace((0.0, 2.0, 0.0), -8.0), (1.0, 1.0, 1.0))
    pair = (b, ground) if swap else (ground, b)
    found = PairScale.of(*pair)
    assert (found.largest_radius, found.least_half_extent, found.extent) == (0.25, 0.25, 0.25 + 7.0 + 4.0)


def test_two_points_at_one_place_have_an_extent_all_the_same() -> None:
    point = Body(Hull(((0.0, 0.0, 0.0),)))
    scale = PairScale.of(point, point)
    assert (scale.largest_radius, scale.least_half_extent, scale.extent) == (0.0, 0.0, LEAST_EXTENT)
    assert scale.rounding > 0.0
    ball = PairScale.of(point, Body(Sphere(2.0)))
    assert (ball.largest_radius, ball.least_half_extent) == (2.0, 2.0)


def test_pairs_with_formulas_are_recognised_in_either_order() -> None:
    box, ball, ground = (Body(one) for one in (Box((2.0, 4.0, 6.0)), Sphere(0.5), HalfSpace((0.0, 1.0, 0.0), 0.0)))
    other, cone = Body(Sphere(0.25)), Body(Cone(1.0, 1.0))
    for first, second, side in ((box, ball, 1.0), (ball, box, -1.0)):
        found = box_and_ball(first, second)
        assert found is not None
        assert (found.box, found.ball, found.radius, found.side) == (box, ball, 0.5, side)
        assert found.half_extents.tolist() == [1.0, 2.0, 3.0]
    for first, second, side in ((ground, ball, 1.0), (ball, ground, -1.0)):
        space = half_space_of(first, second)
        assert space is not None
        assert (space.space, space.body, space.side) == (ground, ball, side)
    sizes = two_boxes(box, Body(Box((1.0, 1.0, 2.0))))
    assert sizes is not None
    assert [half.tolist() for half in sizes] == [[1.0, 2.0, 3.0], [0.5, 0.5, 1.0]]
    assert two_balls(ball, other) == 0.75
    for pair in ((cone, ball), (ball, cone), (cone, box), (ball, other)):
        assert box_and_ball(*pair) is None
        assert half_space_of(*pair) is None
        assert two_boxes(*pair) is None
    assert half_space_of(ground, ground) is None
    assert two_balls(cone, ball) is None
    assert two_balls(ball, cone) is None


@pytest.mark.parametrize("shape", SOLIDS, ids=names)
def test_a_direction_proves_what_lies_between_both_bodies_along_it(shape: Shape) -> None:
    """By the shapes' definitions; swapped, the opposite direction proves the same. Cones are not their own mirror."""
    rng = np.random.default_rng(6)
    for other in (Cone(0.5, 1.0), random_hull(rng, 12)):
        a, b = Body(shape, (1.0, 0.0, 2.0), turn(rng)), Body(other, (2.0, 3.0, 1.0), turn(rng))
        for way in directions(12):
            found = certificate(a, b, way)
            assert found == pytest.approx(support_gap(Scene(a, b), way), abs=1e-14)
            assert certificate(b, a, -way) == pytest.approx(found, abs=1e-15)


def test_a_half_space_proves_along_its_own_normal_only() -> None:
    ground, ball = Body(HalfSpace((0.0, 1.0, 0.0), 0.5)), Body(Sphere(1.0), (0.0, 4.0, 0.0))
    assert certificate(ground, ball, np.array((0.0, 1.0, 0.0))) == 2.5
    assert certificate(ball, ground, np.array((0.0, -1.0, 0.0))) == 2.5
    assert certificate(ground, ball, np.array((1.0, 0.0, 0.0))) == -np.inf


def test_what_is_asked_of_a_difference_grows_with_its_extent() -> None:
    one = Difference(Points(np.eye(3)), Points(np.eye(3)), (0.0, 0.0, 0.0), 1.0, 4.0, 0.5, 0.25)
    assert (one.radius, one.rounding(1e-10)) == (0.75, 4e-10)
    assert one.within(1e-6) == pytest.approx(1e-6)


def test_of_a_box_turned_by_a_quarter_the_farthest_vertex_is_as_turned() -> None:
    quarter = Body(Box((2.0, 4.0, 6.0)), rotation=from_axis_angle((0, 0, 1), np.pi / 2))
    found, radius = support_map(quarter, np.zeros(3))
    assert radius == 0.0
    assert found.support((1.0, 0.5, 0.25)).point == pytest.approx((2.0, 1.0, 3.0))
