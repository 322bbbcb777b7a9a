"""GJK, EPA and what they are made of: which way to look, what is flat, when to stop, what counts as certified."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from core import Body, Box, Capsule, Cone, Ellipsoid, Provenance, Scene, Sphere
from core.analysis.analysis import LIMITED, analyse
from core.analysis.methods import NO_LIMITS
from core.geometry.quaternion import from_euler_xyz
from core.geometry.tolerances import EPS
from core.geometry.vector import vec
from core.gjk.epa import EpaSettings, EpaStop, epa
from core.gjk.gjk import Bounds, GjkStop, gjk, gjk_steps
from core.gjk.gjk_epa import signed_distance
from core.gjk.simplex import SubDistance, nearest_on_simplex
from core.mpr import MprStop, mpr
from core.pair.support import support_maps
from core.rays.raycast import GjkRaycastStop, gjk_raycast
from core.trace import record
from tests.strategies import random_rotation


def steps_of(difference):
    return record(gjk_steps(difference)).steps


@pytest.mark.parametrize("method", list(SubDistance))
@pytest.mark.parametrize(("height", "flat"), [(0.5e-15, True), (4e-15, False)])
def test_a_triangle_is_flat_to_four_last_places(method: SubDistance, height: float, flat: bool) -> None:
    # The origin's foot lies in the middle of a needle two long: on a side of it if it is no triangle.
    points = [(-1.0, -height / 3, 1.0), (1.0, -height / 3, 1.0), (0.0, 2 * height / 3, 1.0)]
    found = nearest_on_simplex(points, method)
    assert (len(found.region) < 3) is flat
    assert found.point == pytest.approx((0.0, 0.0, 1.0), abs=1e-14)


@pytest.mark.parametrize("method", list(SubDistance))
@pytest.mark.parametrize(("height", "inside"), [(0.5e-15, False), (1e-14, True)])
def test_a_tetrahedron_is_flat_to_four_last_places(method: SubDistance, height: float, inside: bool) -> None:
    # Lower than that the sign of a rounding error would say whether the origin is inside.
    low = -height / 4
    points = [(1.0, -1.0, low), (1.0, 1.0, low), (-1.0, 0.0, low), (0.0, 0.0, 3 * height / 4)]
    assert (len(nearest_on_simplex(points, method).region) == 4) is inside


def close_by(gap: float):
    """A turned box over another one's face, `gap` times L away: vertex on face, no direction is an axis."""
    rng = np.random.default_rng(5)
    frame = random_rotation(rng)
    a = Body(Box((2.0, 2.0, 2.0)), rotation=frame)
    b = Body(Box((2.0, 2.0, 2.0)), rotation=random_rotation(rng))
    normal = a.pose.matrix[:, 1]
    reach = b.shape.reach((normal @ b.pose.matrix)[None])[0]
    place = (1.0 + reach + gap * np.sqrt(3.0)) * normal + 0.1 * a.pose.matrix[:, 0]
    return a, replace(b, position=tuple(place.tolist())), normal


@pytest.mark.parametrize("gap", [1.0, 3e-6, 0.3e-6, 1e-9, 1e-11])
def test_gjk_takes_the_direction_of_the_feature(gap: float) -> None:
    # The nearest point is good to 1e-16, so its direction to 1e-16 / gap; the feature's perpendicular knows better.
    a, b, normal = close_by(gap)
    steps = steps_of(support_maps(a, b))
    assert {len(step.region) for step in steps} == {1, 2, 3}
    for step in steps:
        if step.direction is not None:
            corners = np.array([step.simplex[k].xyz for k in step.region])
            sides = corners[1:] - corners[0]
            assert np.abs(sides @ step.direction).max(initial=0.0) <= 4 * EPS * np.abs(corners).max()
            assert step.direction @ step.closest < 0.0
    assert np.abs(gjk(support_maps(a, b)).normal - normal).max() < 1e-15


def test_gjk_stops_after_eight_steps_without_a_better_bound_and_not_before() -> None:
    class Same:
        feature, upper = (0, 1), 1.0

    bounds = Bounds(full=4, spacing=EPS)
    stops = [bounds.see(Same(), 1e-15) for _ in range(30)]
    # On a nearly flat side a few steps shorten the way by less than a double shows; thirty would be a waste.
    assert 5 <= stops.index(GjkStop.NO_PROGRESS) <= 12


@pytest.mark.parametrize(("farther", "taken"), [(1 + 2 * EPS, True), (1 + 20 * EPS, False)])
def test_of_simplices_as_near_to_a_double_the_later_is_taken(farther: float, taken: bool) -> None:
    class At:
        feature = (0, 1)

        def __init__(self, upper: float) -> None:
            self.upper = upper

    bounds = Bounds(full=4, spacing=EPS)
    first, second = At(1.0), At(farther)
    bounds.see(first, 1e-14)
    bounds.see(second, 1e-14)
    assert bounds.best is (second if taken else first)


EGGS = support_maps(
    Body(Ellipsoid((1.0, 0.8, 0.6)), rotation=from_euler_xyz(0.2, 0.5, -0.3)),
    Body(Ellipsoid((0.7, 1.0, 0.9)), (0.6, 0.5, 0.4), from_euler_xyz(0.7, -0.2, 0.4)),
    rounded="full",
)


def test_epa_calls_certified_what_is_known_to_a_ten_thousand_millionth_of_the_body() -> None:
    simplex = gjk(EGGS).simplex
    gaps = {}
    for iterations in range(30, 200, 4):
        found = epa(EGGS, simplex, EpaSettings(iterations=iterations))
        gaps[found.gap / EGGS.largest_radius] = found.certified
    assert [share for share in gaps if 1e-11 < share < 1e-10]
    assert [share for share in gaps if 1e-10 < share < 1e-9]
    assert all(certified is (share <= 1e-10) for share, certified in gaps.items())


def test_epa_gives_up_at_its_limit_with_a_bound() -> None:
    # Coaxial cones: the way out is a ring, which no polytope closes in on.
    a, b = Body(Cone(1.0, 2.0)), Body(Cone(1.0, 2.0), (0.0, 0.2, 0.0))
    full, live = (analyse(Scene(a, b), limits) for limits in (NO_LIMITS, LIMITED))
    assert full.epa is not None
    assert live.epa is not None
    assert (full.epa.stop, live.epa.stop) == (EpaStop.ITERATION_LIMIT, EpaStop.ITERATION_LIMIT)
    assert (full.epa.iterations, live.epa.iterations) == (256, 96)


def test_at_the_limit_epa_looks_for_the_best_of_the_nearest_faces() -> None:
    # Of three faces none holds its own foot and is as tight: the depth would be a bound 0.02 worse.
    cones = support_maps(Body(Cone(1.0, 2.0)), Body(Cone(1.0, 2.0), (0.0, 0.2, 0.0)))
    found = epa(cones, gjk(cones).simplex, EpaSettings(iterations=20))
    assert found.stop is EpaStop.ITERATION_LIMIT
    assert found.depth < 1.72


def test_gjk_ends_by_itself_about_round_bodies() -> None:
    a = Body(Ellipsoid((1.0, 0.5, 0.8)), rotation=from_euler_xyz(0.2, 0.5, -0.3))
    b = Body(Ellipsoid((0.7, 1.0, 0.3)), (1.6, 0.9, 0.4), from_euler_xyz(0.7, -0.2, 0.4))
    found = gjk(support_maps(a, b))
    assert found.stop is GjkStop.CONVERGED
    assert found.iterations > 12
    ray = gjk_raycast(a, vec(-5.0, 0.4, 0.2), vec(4.0, -0.1, 0.1), rounded="full")
    assert ray.stop is GjkRaycastStop.HIT
    assert ray.iterations > 25


@pytest.mark.parametrize(("depth", "seen"), [(5e-5, False), (1e-4, True)])
def test_portal_refinement_sees_overlaps_deeper_than_its_tolerance(depth: float, seen: bool) -> None:
    # A ball over a plate's face, beside the ray from its centre: the portal closes in on it from below.
    plate, ball = Body(Box((2.4, 1.0, 2.4)), (0.0, 0.5, 0.0)), Body(Sphere(0.5), (0.5, 1.5 - depth, 0.8))
    assert mpr(plate, ball).overlapping is seen


def test_portal_refinement_ends_before_its_limit() -> None:
    rng = np.random.default_rng(1)
    stops = []
    for _ in range(40):
        first, second = (Ellipsoid(tuple(rng.uniform(0.2, 2.0, 3).tolist())) for _ in range(2))
        stops.append(mpr(Body(first), Body(second, tuple((0.6 * rng.normal(size=3)).tolist()))).stop)
    assert stops.count(MprStop.SURFACE) > 20
    assert MprStop.ITERATION_LIMIT not in stops


def test_edges_are_tried_whose_ends_are_among_the_four_farthest_vertices() -> None:
    # A capsule on an ellipsoid's axis: EPA's normal is across the whole of its core, and no end of it is met alone.
    capsule, egg = Body(Capsule(0.075, 0.25)), Body(Ellipsoid((0.0025, 0.01, 0.0025)))
    found = signed_distance(support_maps(capsule, egg))
    assert found.epa is not None
    assert found.epa.stop is EpaStop.ITERATION_LIMIT
    assert found.certainty.provenance is Provenance.CERTIFIED
    assert found.separation == pytest.approx(-0.0775, abs=1e-13)
