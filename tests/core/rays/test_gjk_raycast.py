"""The GJK ray cast against the closed forms of every shape."""

from __future__ import annotations

from itertools import pairwise
from math import inf

import numpy as np
import pytest

from core.pair.support import Rounding
from core.rays.raycast import GjkRaycastSettings, GjkRaycastStop, gjk_raycast, gjk_raycast_steps, raycast
from core.scene import Body
from core.shapes import Box, Capsule, HalfSpace, Sphere
from core.trace import record
from tests.core.closed_form_samples import MAKERS
from tests.core.gjk_samples import turn
from tests.selection import some

kinds = pytest.mark.parametrize("kind", MAKERS)
modes = pytest.mark.parametrize("rounded", ["core", "full"])


@modes
@kinds
def test_the_closed_form_agrees(kind: str, rounded: Rounding) -> None:
    rng = np.random.default_rng(1)
    hits = 0
    for _ in range(some(80)):
        x, y, z = rng.normal(size=3).tolist()
        body = Body(MAKERS[kind](rng), (x, y, z), turn(rng))
        radius = body.shape.bounding_radius
        origin = 3.0 * radius * rng.normal(size=3) + body.pose.position
        direction = rng.uniform(0.2, 3.0) * (body.pose.position + 0.5 * radius * rng.normal(size=3) - origin)
        exact = raycast(body, origin, direction)
        found = gjk_raycast(body, origin, direction, rounded=rounded)
        assert found.inside == (exact is not None and exact.inside)
        if exact is None or exact.entry is None:
            assert found.hit is None
            continue
        hits += 1
        assert found.hit is not None
        # A ray that grazes turns an error of the surface into a larger one along the ray.
        slope = -float(found.hit.normal @ direction) / np.sqrt(direction @ direction)
        off = abs(found.hit.t - exact.entry.t) * np.sqrt(direction @ direction)
        assert off <= 1e-13 * (radius + np.sqrt(origin @ origin)) / slope**2
        assert found.free <= found.hit.t
        assert abs(float(found.hit.normal @ found.hit.normal) - 1.0) <= 1e-14
    assert 0.15 <= hits / some(80) <= 0.95


BOX = Body(Box((2.0, 2.0, 2.0)), (5.0, 0.0, 0.0))
TOWARDS = np.array((1.0, 0.0, 0.0))


def test_a_box_straight_ahead() -> None:
    found = gjk_raycast(BOX, np.zeros(3), TOWARDS)
    assert found.stop is GjkRaycastStop.HIT
    assert found.hit is not None
    assert found.hit.t == 4.0
    np.testing.assert_array_equal(found.hit.point, (4.0, 0.0, 0.0))
    np.testing.assert_array_equal(found.hit.normal, (-1.0, 0.0, 0.0))


def test_t_counts_in_units_of_the_direction() -> None:
    found = gjk_raycast(BOX, np.zeros(3), 8.0 * TOWARDS)
    assert found.hit is not None
    assert found.hit.t == 0.5


def test_a_ray_that_leads_away_misses() -> None:
    found = gjk_raycast(BOX, np.zeros(3), -TOWARDS)
    assert (found.stop, found.hit, found.free) == (GjkRaycastStop.MISS, None, inf)


def test_a_ray_that_ends_before_the_body() -> None:
    found = gjk_raycast(BOX, np.zeros(3), TOWARDS, reach=3.9)
    assert (found.stop, found.hit) == (GjkRaycastStop.BEYOND_REACH, None)
    assert gjk_raycast(BOX, np.zeros(3), TOWARDS, reach=4.0).hit is not None


def test_a_ray_from_inside() -> None:
    for body in (BOX, Body(Sphere(1.0), (5.0, 0.0, 0.0)), Body(Capsule(0.5, 1.0), (5.0, 0.2, 0.0))):
        for rounded in ("core", "full"):
            found = gjk_raycast(body, np.array((5.0, 0.1, 0.1)), TOWARDS, rounded=rounded)
            assert found.inside
            assert found.hit is None


@pytest.mark.parametrize("height", [1.0, np.sqrt(0.5), 0.0])
def test_grazing_rays_end(height: float) -> None:
    sphere = Body(Sphere(1.0))
    for nudge in (0.0, 1e-16, -1e-16, 1e-12, -1e-12, 1e-8, -1e-8):
        for rounded in ("core", "full"):
            origin = np.array((-3.0, height + nudge, 0.0))
            found = gjk_raycast(sphere, origin, TOWARDS, rounded=rounded)
            assert found.stop is not GjkRaycastStop.ITERATION_LIMIT
            exact = 3.0 - np.sqrt(max(0.0, 1.0 - (height + nudge) ** 2))
            if found.hit is not None:
                assert abs(found.hit.t - exact) <= 1e-6  # at a tangent, 1e-14 of height is 1e-7 of way
            else:
                assert height + nudge >= 1.0 - 1e-10


def test_along_the_face_of_a_box() -> None:
    for nudge, hit in ((-1e-9, True), (1e-9, False)):
        found = gjk_raycast(BOX, np.array((0.0, 1.0 + nudge, 0.3)), TOWARDS)
        assert (found.hit is not None) == hit


def test_the_steps_walk_towards_the_hit() -> None:
    rng = np.random.default_rng(2)
    for kind in MAKERS:
        body = Body(MAKERS[kind](rng), (1.0, 2.0, 3.0), turn(rng))
        direction = body.pose.position - np.array((-4.0, 0.0, 0.0))
        recording = record(gjk_raycast_steps(body, np.array((-4.0, 0.0, 0.0)), direction))
        result = recording.result
        assert result is not None
        assert result.hit is not None
        assert recording.steps[-1].stop is result.stop
        assert recording.steps[-1].next_t == result.hit.t
        for step, following in pairwise(recording.steps):
            assert step.stop is None
            assert step.t <= step.next_t == following.t <= result.hit.t
            assert step.clipped == (step.next_t > step.t)
            assert 1 <= len(step.simplex) <= 4


def test_the_iteration_limit_is_a_result() -> None:
    found = gjk_raycast(BOX, np.array((0.0, 0.3, 0.2)), TOWARDS, settings=GjkRaycastSettings(iterations=1))
    assert found.stop is GjkRaycastStop.ITERATION_LIMIT
    assert found.hit is None
    assert found.free <= 4.0


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="direction of a ray"):
        gjk_raycast(BOX, np.zeros(3), np.zeros(3))
    with pytest.raises(ValueError, match="half-space"):
        gjk_raycast(Body(HalfSpace((0.0, 1.0, 0.0), 0.0)), np.zeros(3), TOWARDS)
