"""The stretch of a line inside every shape, by trying points of the line against the shape's definition."""

from __future__ import annotations

from itertools import product
from math import isfinite

import numpy as np
import pytest

from core.rays.raycast import raycast
from core.scene import Body
from core.shapes import (
    Box,
    Capsule,
    Circle,
    Cone,
    Cylinder,
    Ellipsoid,
    HalfSpace,
    Hull,
    Polygon,
    Rounded,
    Shape,
    Sphere,
    ball_radius,
    corners_of,
)
from core.shapes.line_spans import Line, LineSpan
from tests.core.shapes_samples import CUBE_POINTS, beyond

CONE = Cone(3.0, 4.0)
SHAPES = (
    Box((2.0, 2.0, 2.0)),
    Sphere(1.5),
    Capsule(0.5, 2.0),
    Cylinder(1.0, 2.0),
    CONE,
    Cone(4.0, 3.0),
    Ellipsoid((1.0, 2.0, 0.5)),
    Hull(CUBE_POINTS),
    HalfSpace((0.0, 3.0, 4.0), 2.5),
)
STEPS = np.linspace(-8.0, 8.0, 801)


def line(origin: np.ndarray, way: np.ndarray) -> Line:
    """Through `origin`, from its point nearest the frame's origin on."""
    way = way / np.linalg.norm(way)
    return Line(origin - (origin @ way) * way, way, 1e-14)


def lines() -> list[Line]:
    """General ones; and ones along and beside the axes, diagonals and the sides of a cone of 3 by 4."""
    rng = np.random.default_rng(1)
    general = [line(p, d) for p, d in rng.normal(size=(40, 2, 3))]
    ways = [np.array(way, dtype=float) for way in product((-1, 0, 1), repeat=3) if any(way)]
    ways += [np.array((x, y, z)) for x, y, z in product((-3.0, 0.0, 3.0), (-4.0, 4.0), (-3.0, 3.0, 0.0)) if x or z]
    places = [np.array(p) for p in ((0.0, 0.0, 0.0), (0.25, 0.5, -0.125), (2.0, 0.5, 0.0), (0.0, -4.0, 3.5))]
    return general + [line(place, way) for way in ways for place in places]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: f"{shape.word} {shape.bounding_radius:.3g}")
def test_a_span_is_where_the_lines_points_are_inside(shape: Shape) -> None:
    hits = 0
    for it in lines():
        span = shape.line_span(it, 0.0)
        points = it.origin + STEPS[:, None] * it.direction
        inside = beyond(shape, points) <= 0.0
        if span is None:
            assert not (beyond(shape, points) < -1e-12).any()
            continue
        hits += 1
        assert span.enter <= span.leave
        told = np.clip(STEPS, span.enter, span.leave) == STEPS
        # The points at which both tell something else lie on the surface.
        assert np.abs(beyond(shape, points[told != inside])).max(initial=0.0) <= 1e-7
        for t, normal, side in ((span.enter, span.enter_normal, -1.0), (span.leave, span.leave_normal, 1.0)):
            if isfinite(t):
                check_end(shape, it, t, normal, side)
    assert hits >= 60


def check_end(shape: Shape, it: Line, t: float, normal: np.ndarray, side: float) -> None:
    """On the surface, with a unit normal that supports the shape there and faces outwards along the line."""
    assert abs(float(beyond(shape, it.at(t)[None])[0])) <= 1e-7
    assert np.linalg.norm(normal) == pytest.approx(1.0, abs=1e-14)
    assert side * float(normal @ it.direction) >= -1e-7
    if shape.plane is None:
        assert float(shape.reach(normal)) == pytest.approx(float(normal @ it.at(t)), abs=1e-7)


@pytest.mark.parametrize("beside", [0.5, -0.5, 1e-3])
@pytest.mark.parametrize("up", [1.0, -1.0])
def test_a_line_beside_a_cones_side_and_level_with_it_misses(beside: float, up: float) -> None:
    """It lies in the plane that touches the cone along a line of its side: exactly, as 3, 4 and 5 are whole."""
    apex = np.array((0.0, 2.0, 0.0))
    for x in (0.6, -0.6):
        way = up * np.array((x, -0.8, 0.0))
        assert CONE.line_span(Line(np.array((0.0, 2.0, beside)), way, 0.0), 0.0) is None
        # Farther out it is beside the other nappe, which is not of the cone; farther in it comes in through the side.
        out = 0.25 * np.array((np.sign(x) * 0.8, 0.6, 0.0))
        assert CONE.line_span(Line(apex + out, way, 0.0), 0.0) is None
        within = CONE.line_span(Line(apex - out, way, 0.0), 0.0)
        assert within is not None
        for t in (within.enter, within.leave):
            assert abs(float(beyond(CONE, (apex - out + t * way)[None])[0])) <= 1e-12
        # Along the side itself it is met from the apex to the rim.
        span = CONE.line_span(Line(apex, way, 1e-15), 0.0)
        assert span is not None
        assert sorted((span.enter, span.leave)) == pytest.approx([0.0, 5.0] if up > 0.0 else [-5.0, 0.0], abs=1e-12)


FLAT = (
    Polygon(((-1.0, -1.0), (2.0, -1.0), (0.0, 1.5))),
    Hull(((-1.0, -1.0, 0.0), (2.0, -1.0, 0.0), (0.0, 1.5, 0.0))),
)


@pytest.mark.parametrize("shape", FLAT, ids=["polygon", "hull"])
def test_a_flat_shape_is_met_in_one_point_or_along_its_plane(shape: Shape) -> None:
    sharp = np.array(((-1.0, -1.0), (2.0, -1.0), (0.0, 1.5)))
    sides = np.roll(sharp, -1, axis=0) - sharp
    rng = np.random.default_rng(2)
    hits = 0
    for _ in range(100):
        target, way = np.append(rng.uniform(-1.5, 2.0, 2), 0.0), rng.normal(size=3)
        # The foot on z = 0 is inside where it is on the left of all three sides.
        away = target[:2] - sharp
        inside = bool((sides[:, 0] * away[:, 1] - sides[:, 1] * away[:, 0] > 0.0).all())
        found = raycast(Body(shape), target - 2.0 * way, way)
        assert (found is not None) == inside
        if found is not None and found.entry is not None and found.exit is not None:
            hits += 1
            assert (found.entry.t, found.exit.t) == pytest.approx((2.0, 2.0), abs=1e-12)
            assert found.entry.normal == pytest.approx((0.0, 0.0, -np.sign(way[2])), abs=1e-15)
    assert hits > 20
    level = raycast(Body(shape), np.array((-5.0, -0.5, 0.0)), np.array((2.0, 0.0, 0.0)))
    assert level is not None
    assert (level.entry.t, level.exit.t) == pytest.approx((2.1, 3.3), abs=1e-14)
    assert raycast(Body(shape), np.array((-5.0, -0.5, 1e-6)), np.array((2.0, 0.0, 0.0))) is None


@pytest.mark.parametrize("points", [((0.5, 0.25, 0.0),), ((-1.0, 0.0, 0.0), (1.0, 0.5, 0.0))])
def test_points_and_segments_are_met_and_missed(points: tuple) -> None:
    it = Body(Hull(points), (1.0, 2.0, 3.0))
    assert it.shape.line_span is None
    middle = it.pose.to_world(np.mean(points, axis=0))
    for way in np.random.default_rng(3).normal(size=(20, 3)):
        found = raycast(it, middle - 3.0 * way, way)
        assert found is not None
        assert found.t == pytest.approx(3.0, abs=1e-9)
        aside = np.cross(way, np.subtract(points[-1], points[0]) if len(points) > 1 else (1.0, 0.0, 0.0))
        assert raycast(it, middle - 3.0 * way + 1e-6 * aside, way) is None


PLAIN: tuple[tuple[Shape, Shape], ...] = (
    (Sphere(1.0), Sphere(1.25)),
    (Circle(1.0), Circle(1.25)),
    (Capsule(1.0, 2.0), Capsule(1.25, 2.0)),
    (Hull(((0.0, 0.0, 0.0),)), Sphere(0.25)),
    (Polygon(((0.0, 0.0),)), Circle(0.25)),
    (Hull(((0.0, -1.5, 0.0), (0.0, 1.5, 0.0))), Capsule(0.25, 3.0)),
    (Hull(((0.0, 1.5, 0.0), (0.0, -1.5, 0.0))), Capsule(0.25, 3.0)),
    (HalfSpace((0.0, 2.0, 0.0), 1.0), HalfSpace((0.0, 2.0, 0.0), 1.5)),
)


@pytest.mark.parametrize(("sharp", "plain"), PLAIN, ids=lambda shape: shape.word)
def test_what_grows_to_a_plain_shape_answers_as_that_digit_for_digit(sharp: Shape, plain: Shape) -> None:
    grown = Rounded(sharp, 0.25)
    assert grown.plain == plain
    assert grown.bounding_radius == plain.bounding_radius
    assert grown.largest_half_extent == plain.largest_half_extent
    assert (grown.plane is None) == (plain.plane is None)
    assert ball_radius(grown) == ball_radius(plain)
    for way in np.random.default_rng(4).normal(size=(20, 3)):
        if plain.plane is None:
            np.testing.assert_array_equal(grown.support(way), plain.support(way))
            assert float(grown.reach(way)) == float(plain.reach(way))
        mine, theirs = grown.support_feature(way, 1e-9), plain.support_feature(way, 1e-9)
        assert (mine.kind, mine.name) == (theirs.kind, theirs.name)
        one, other = (raycast(Body(shape), np.array((-4.0, 0.2, 0.1)), way) for shape in (grown, plain))
        assert repr(one) == repr(other)
        mine_span, span = (shape.line_span(line(np.array((0.05, 0.02, 0.01)), way), 0.0) for shape in (grown, plain))
        assert isinstance(span, LineSpan)
        assert (mine_span.enter, mine_span.leave) == (span.enter, span.leave)


def test_what_grows_to_no_plain_shape_keeps_its_core_apart() -> None:
    for sharp in (Cylinder(1.0, 2.0), Cone(1.0, 2.0), Ellipsoid((1.0, 2.0, 3.0))):
        assert Rounded(sharp, 0.25).core is None
    for sharp in (
        Box((1.0, 2.0, 3.0)),
        Hull(CUBE_POINTS),
        Hull(((0.0, 0.0, 1.0),)),
        Hull(((0.0, 0.0, -1.0), (0.0, 0.0, 1.0))),
        Hull(((0.0, 0.5, 0.0), (0.0, 2.0, 0.0))),
        Polygon(((1.0, 0.0),)),
        Polygon(((0.0, -1.0), (0.0, 1.0))),
        FLAT[0],
    ):
        grown = Rounded(sharp, 0.25)
        assert grown.plain is None
        assert grown.line_span is None
        assert grown.core is not None
        assert grown.core.radius == 0.25
        np.testing.assert_array_equal(grown.core.points, sharp.core.points)
        assert (grown.core.boxed, grown.core.solid is None) == (sharp.core.boxed, sharp.core.solid is None)


@pytest.mark.parametrize(
    ("shape", "radius", "corners"),
    [
        (Sphere(2.0), 2.0, 1),
        (Circle(2.0), 2.0, 1),
        (Hull(((0.0, 0.0, 0.0),)), 0.0, 1),
        (Hull(((0.0, 1.0, 0.0),)), None, 1),
        (Rounded(Hull(((0.0, 0.0, 0.0),)), 0.5), 0.5, 1),
        (Rounded(Hull(((1.0, 0.0, 0.0),)), 0.5), None, 1),
        (Capsule(1.0, 2.0), None, 2),
        (Capsule(1.0, 5e-324), None, 2),
        (Hull(((0.0, 0.0, 0.0), (0.0, 1.0, 0.0))), None, 2),
        (Box((1.0, 1.0, 1.0)), None, 8),
        (Rounded(Box((1.0, 1.0, 1.0)), 0.5), None, 8),
        (FLAT[1], None, 3),
        (Polygon(((0.0, 0.0), (0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (0.0, 2.0))), None, 3),
        (Cylinder(1.0, 2.0), None, 0),
        (Cone(1.0, 2.0), None, 0),
        (Ellipsoid((1.0, 1.0, 1.0)), None, 0),
        (HalfSpace((0.0, 1.0, 0.0), 0.0), None, 0),
        (Rounded(Cylinder(1.0, 2.0), 0.5), None, 0),
    ],
)
def test_what_is_a_ball_and_how_many_corners_it_has(shape: Shape, radius: float | None, corners: int) -> None:
    assert ball_radius(shape) == radius
    found = corners_of(shape)
    assert len(found) == corners
    assert list(found) == sorted(set(found))
    assert (shape.core is None) == (corners == 0)
    if isinstance(shape, Hull) and len(shape.points) < 3:
        assert shape.core.solid is None


TOLERANCE = 1e-6
LEVEL = (
    # The shape, the direction of a whole feature, the way to tilt it, and how far the feature extends that way.
    (Cylinder(1.0, 4.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0), 2.0, "cap +y", "rim +y"),
    (Cylinder(1.0, 4.0), (0.0, -1.0, 0.0), (0.6, 0.0, 0.8), 2.0, "cap -y", "rim -y"),
    (Cylinder(1.0, 4.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), 4.0, "side", "rim +y"),
    (Cone(3.0, 4.0), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0), 6.0, "base", "rim -y"),
    (Cone(3.0, 4.0), (0.8, 0.6, 0.0), (-0.6, 0.8, 0.0), 5.0, "side", "apex"),
    (Cone(3.0, 4.0), (0.8, 0.6, 0.0), (0.6, -0.8, 0.0), 5.0, "side", "rim -y"),
    (Capsule(0.5, 4.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), 4.0, "side", "cap +y"),
    (Capsule(0.5, 4.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0), 4.0, "side", "cap -y"),
    (Box((2.0, 3.0, 4.0)), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0), 4.0, "+x", "v4-v6"),
    (Hull(CUBE_POINTS), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0), 2.0, "face", "edge"),
    (FLAT[1], (0.0, 0.0, 1.0), (0.0, -1.0, 0.0), 2.5, "face", "edge"),
)


@pytest.mark.parametrize(("shape", "way", "tilt", "extent", "whole", "part"), LEVEL)
@pytest.mark.parametrize("share", [0.75, 1.25])
def test_a_feature_counts_as_whole_until_an_end_is_a_tolerance_lower(
    shape: Shape, way: tuple, tilt: tuple, extent: float, whole: str, part: str, share: float
) -> None:
    direction = np.array(way) + share * TOLERANCE / extent * np.array(tilt)
    found = shape.support_feature(direction / np.linalg.norm(direction), TOLERANCE)
    assert found.name.startswith(whole if share < 1.0 else part)
    assert len(found.points) >= (2 if share < 1.0 and whole == "side" else 1)
    heights = found.points @ direction
    assert float(np.ptp(heights)) <= 1.01 * TOLERANCE
    assert heights.max() >= float(shape.reach(direction)) - TOLERANCE


def test_what_is_flatter_than_the_tolerance_keeps_its_own_features() -> None:
    up = np.array((0.0, 1.0, 0.0))
    assert Cone(1.0, 1e-12).support_feature(up, 1e-9).name == "apex"
    assert Cone(1.0, 1e-12).support_feature(-up, 1e-9).name == "base"
    assert Cylinder(1.0, 1e-12).support_feature(np.array((0.8, 0.6, 0.0)), 1e-9).name == "side"
    assert Cylinder(1.0, 1e-12).support_feature(up, 1e-9).name == "cap +y"
    assert Cylinder(1e-12, 1.0).support_feature(np.array((0.6, 0.8, 0.0)), 1e-9).name == "cap +y"


def test_a_hull_of_one_point_at_its_position_has_no_size_to_leave_the_range() -> None:
    assert Hull(((0.0, 0.0, 0.0),)).scaled(2.0) == Hull(((0.0, 0.0, 0.0),))
    for size, factor in ((1e-70, 1.1e-70), (1e75, 0.9e75)):
        assert Hull(((size, 0.0, 0.0),)).scaled(factor).bounding_radius == size * factor
    for size, factor in ((1e-70, 0.9e-70), (1e75, 1.1e75)):
        with pytest.raises(ValueError, match="leaves the range of doubles"):
            Hull(((size, 0.0, 0.0),)).scaled(factor)
