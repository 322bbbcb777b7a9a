"""Hulls, rays, closed forms and the parts of a polytope."""

from __future__ import annotations

from math import cos, sin, sqrt

import numpy as np
import pytest

from core import Body, Box, Hull, Scene, Sphere, analyse
from core.analysis.in_space import too_slow
from core.closed_form.ellipsoids import nearest_on_ellipsoid
from core.closed_form.segments import Segment, distance_segment_segment
from core.geometry.tolerances import EPS
from core.geometry.vector import vec
from core.gjk.polytope import Polytope
from core.minkowski.difference import BuildAction, difference, difference_steps
from core.rays.raycast import raycast
from core.sat.sat import sat
from core.shapes import Polygon
from core.trace import record
from tests.core.explicit import explicit_distance

CORNERS = [(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)]
CUBE = Hull.of(CORNERS)


def ball(vertices: int) -> Hull:
    """So many points on the unit sphere, no four of them in a plane."""
    rng = np.random.default_rng(vertices)
    points = rng.normal(size=(vertices, 3))
    return Hull.of(points / np.sqrt((points * points).sum(axis=1))[:, None])


@pytest.mark.parametrize(("size", "kept"), [(3e-141, False), (3e-140, True), (3e149, True), (3e150, False)], ids=str)
def test_a_hull_is_scaled_within_the_range_of_doubles(size: float, kept: bool) -> None:
    factor = size / CUBE.bounding_radius
    if kept:
        scaled = CUBE.scaled(factor)
        assert scaled.polyhedron.vertices[7] == pytest.approx([factor] * 3, rel=4 * EPS, abs=0.0)
        assert scaled.bounding_radius == pytest.approx(size, rel=4 * EPS, abs=0.0)
    else:
        with pytest.raises(ValueError, match="range of doubles"):
            CUBE.scaled(factor)


@pytest.mark.parametrize(("beside", "hit"), [(0.5e-3, True), (5e-3, False)])
def test_a_ray_from_very_far_grazes_by_a_thousandth_of_the_body_at_most(beside: float, hit: bool) -> None:
    # The last places of the start, a third of the body here, would let every ray hit.
    start, way = vec(-1e14, 1.0 + beside, 0.0), vec(1.0, 0.0, 0.0)
    assert (raycast(Body(Sphere(1.0)), start, way) is not None) is hit


def test_the_plane_of_a_sliver_is_square_to_its_long_side() -> None:
    # Sides that enclose 3e-4 make a product that leans along them by rounding over that.
    rng = np.random.default_rng(2)
    worst = 0.0
    for _ in range(200):
        a, way, side = rng.normal(size=(3, 3))
        way /= np.linalg.norm(way)
        b, c = a + way, a + 0.5 * way + 1.5e-4 * side
        d = a + rng.normal(size=3)
        polytope = Polytope([tuple(point.tolist()) for point in (a, b, c, d)], 1e-15)
        face = next(face for face in polytope.faces.values() if 3 not in face.vertices)
        worst = max(worst, abs(float(np.array(face.normal) @ way)))
    assert worst < 40 * EPS


@pytest.mark.parametrize(("height", "stays"), [(4e-3, True), (0.3e-3, False)])
def test_a_face_in_the_plane_of_a_new_point_stays_if_the_new_one_is_firm(height: float, stays: bool) -> None:
    # The plane is uncertain by 1e-15: a face 4e-3 high beside it agrees with its normal to 1e-12, a lower one does not.
    polytope = Polytope([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.2, 0.2, -1.0)], 1e-15)
    flat = next(face for face in polytope.faces.values() if 3 not in face.vertices)
    beside = next(face for face in polytope.faces.values() if 0 not in face.vertices)
    aside = 0.5 + height / sqrt(2.0)
    growth = polytope.grow((aside, aside, 0.0), beside)
    assert (flat not in growth.removed) is stays


@pytest.mark.parametrize(("vertices", "shown"), [(50, True), (100, False)])
def test_large_hulls_go_without_the_slow_methods_while_dragged(vertices: int, shown: bool) -> None:
    a, b = Body(ball(vertices)), Body(ball(vertices + 1), (1.5, 0.0, 0.0))
    assert (too_slow(a, b) == "") is shown


@pytest.mark.parametrize(("vertices", "steps"), [(8, 8), (40, 14)])
def test_copies_arrive_one_by_one_up_to_sixteen(vertices: int, steps: int) -> None:
    a, b = Body(CUBE if vertices == 8 else ball(vertices)), Body(CUBE, (1.0, 0.5, 0.25))
    solid, table = difference(a, b), sat(a, b)
    points = [np.array(body.shape.polyhedron.vertices) for body in (a, b)]
    taken = record(difference_steps(*points, solid, table.candidates)).steps
    assert sum(step.action is BuildAction.SUBTRACT for step in taken) == steps


@pytest.mark.parametrize(("long", "beside"), [(1e3, 1e-30), (1e6, 1e-40), (1e3, 1e-60)])
def test_the_nearest_point_of_a_long_ellipsoid_is_found_from_its_very_tip(long: float, beside: float) -> None:
    # Here the range of the root is as wide as doubles are long, and the root far from both its ends.
    radii, point = np.array((1.0, 1.0, long)), vec(beside, 0.0, long)
    surface, outward, distance = nearest_on_ellipsoid(point, radii)
    assert float(np.sum((surface / radii) ** 2)) == pytest.approx(1.0, abs=1e-12)
    assert np.abs(surface + distance * outward - point).max() <= 1e-12 * long
    # x / r² of the surface's own point is along the normal, in every digit.
    assert outward[0] == pytest.approx(surface[0] * long, rel=1e-6, abs=0.0)


def test_the_normal_between_segments_proves_the_distance_and_lies_along_the_points() -> None:
    # Of directions that prove the distance to rounding the points' own is taken, of others the one that proves most.
    rng = np.random.default_rng(0)
    lost, aside = 0.0, 0.0
    for number in range(600):
        d1, d2 = (way / np.linalg.norm(way) for way in rng.normal(size=(2, 3)))
        h1, h2 = (10.0 ** rng.uniform(-1.0, 0.3, 2)).tolist()
        across = np.cross(d1, d2) / np.linalg.norm(np.cross(d1, d2))
        gap = rng.uniform(0.5, 2.0) if number % 2 else 10.0 ** rng.uniform(-4.0, -2.0)
        middle = rng.uniform(-1.0, 1.0) * h1 * d1 + gap * across - rng.uniform(-1.0, 1.0) * h2 * d2
        a, b = Segment(np.zeros(3), d1, h1), Segment(middle, d2, h2)
        found = distance_segment_segment(a, b)
        size = float(np.linalg.norm(middle)) + h1 + h2
        lost = max(lost, (found.separation + b.reach(-found.normal) + a.reach(found.normal)) / size)
        way = found.witness_b - found.witness_a
        if number % 2:
            aside = max(aside, float(np.abs(way / np.linalg.norm(way) - found.normal).max()))
    assert lost < 6 * EPS
    assert aside < 1.5 * EPS


def test_of_faces_in_one_plane_the_one_that_holds_the_point_is_found() -> None:
    # Two rods turned about y and tilted by 1e-13: merged faces of the difference are flat to 1e-12 only, and the
    # farthest of them by a last digit is not the one that the origin lies before. Another one's rim is 0.007 off.
    a = Body(Box((0.012859229709512424, 0.03005729330241775, 28.55547674743318)))
    turn = (-0.8195516433061827, -1.189609920349168e-13, 0.573005326287754, -2.4343100480791736e-13)
    place = (-0.20717258148771547, 0.03336484279797892, 3.894131298654057)
    b = Body(Box((1.0566662612566395, 0.0306060572393621, 0.06128941914579271)), place, turn)
    found = explicit_distance(a, b)
    assert found.separation == pytest.approx(analyse(Scene(a, b)).gjk.separation, abs=1e-10)
    assert found.separation == pytest.approx(0.0030331675, abs=1e-9)


def test_a_plate_whose_points_are_lost_is_refused() -> None:
    # Fifty times as thick as what counts as flat, and Qhull leaves one of its ten corners out, far beyond an edge.
    angles = (0.15, 1.74, 4.95, 0.96, 2.7, 0.17, 0.62, 3.21, 4.79, 5.35)
    sides = (-1.0, 0.0, 1.0, -1.0, 0.0, -1.0, -1.0, 1.0, -1.0, 0.0)
    points = [(cos(at), sin(at), 7.2e-13 * side) for at, side in zip(angles, sides, strict=True)]
    with pytest.raises(ValueError, match="so thin"):
        Hull.of(points)


def test_points_left_out_may_reach_beyond_the_hull_by_what_counts_as_flat() -> None:
    low = 2.7130928323849317e-14
    plane = ((0.7, 1.2, low), (0.4, 1.2, -2.0 * low), (0.3, 0.2, 0.0), (-0.6, 1.0, -low))
    assert len(Hull.of([*plane, (-2.7, -0.4, 0.0), (-2.7, -0.4, -low), (-0.1, 1.5, low)]).polyhedron.vertices) == 6


def test_a_polygon_has_at_most_two_thousand_points() -> None:
    ring = [(cos(0.001 * k), sin(0.001 * k)) for k in range(2_001)]
    assert len(Polygon.of(ring[:2_000]).ring) == 2_000
    with pytest.raises(ValueError, match=r"^a polygon has at most 2,000 points, got 2,001$"):
        Polygon.of(ring)
