"""Where a cast ends: at its reach, inside, at its limit, at a near miss of a rounded body."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from core.rays.raycast import GjkRaycastSettings, GjkRaycastStop, gjk_raycast, gjk_raycast_steps, raycast
from core.scene import Body
from core.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, Rounded, Shape, Sphere
from core.trace import record

X = np.array((1.0, 0.0, 0.0))
ROUND: list[Shape] = [Sphere(1.0), Capsule(1.0, 2.0), Rounded(Box((1.0, 1.0, 1.0)), 0.5), Ellipsoid((1.0, 2.0, 0.5))]


@pytest.mark.parametrize("shape", [Box((2.0, 2.0, 2.0)), *ROUND], ids=lambda shape: shape.word)
def test_a_ray_that_ends_on_the_body_hits_it_and_a_shorter_one_is_free_to_its_end(shape: Shape) -> None:
    body, start = Body(shape, (1.0, 2.0, 3.0)), np.array((-4.0, 2.0, 3.0))
    whole = gjk_raycast(body, start, 2.0 * X)
    assert whole.stop is GjkRaycastStop.HIT
    assert whole.hit.t == 2.0
    assert whole.hit.point.tolist() == [0.0, 2.0, 3.0]
    at_end = gjk_raycast(body, start, 2.0 * X, 2.0)
    assert at_end.stop is GjkRaycastStop.HIT
    assert at_end.hit.t == 2.0
    for reach in (0.5, 1.75):
        short = gjk_raycast(body, start, 2.0 * X, reach)
        assert (short.stop, short.hit) == (GjkRaycastStop.BEYOND_REACH, None)
        assert reach < short.free <= 2.0


@pytest.mark.parametrize(
    "shape", [Cone(1.0, 2.0), Cylinder(0.5, 2.0), Box((1.0, 2.0, 1.0)), *ROUND], ids=lambda s: s.word
)
def test_a_ray_from_inside_is_at_no_distance_and_free_for_no_time(shape: Shape) -> None:
    for way in (X, -X, np.array((0.3, -0.5, 0.2))):
        found = gjk_raycast(Body(shape, (1.0, 2.0, 3.0)), np.array((1.1, 1.9, 3.05)), way)
        assert (found.stop, found.inside, found.hit) == (GjkRaycastStop.INSIDE, True, None)
        assert (found.distance, found.free) == (0.0, 0.0)


@pytest.mark.parametrize("shape", [Ellipsoid((1.0, 2.0, 0.5)), Cone(1.0, 2.0), Rounded(Cylinder(0.5, 1.0), 0.25)])
def test_a_cast_takes_as_many_steps_as_it_may(shape: Shape) -> None:
    origin, way = np.array((-5.0, 0.4, 0.3)), np.array((1.0, -0.05, -0.03))
    whole = record(gjk_raycast_steps(Body(shape), origin, way))
    count = len(whole.steps)
    assert whole.result.stop is GjkRaycastStop.HIT
    assert count >= 3
    for most in range(1, count):
        cut = record(gjk_raycast_steps(Body(shape), origin, way, settings=GjkRaycastSettings(iterations=most)))
        assert (len(cut.steps), cut.result.iterations) == (most, most)
        assert cut.result.stop is GjkRaycastStop.ITERATION_LIMIT
        assert cut.result.free == whole.steps[most - 1].next_t <= whole.result.hit.t
        assert not cut.result.inside
    assert gjk_raycast(Body(shape), origin, way, settings=GjkRaycastSettings(iterations=count)).hit is not None


@pytest.mark.parametrize("shape", [Sphere(1.0), Capsule(1.0, 2.0), Rounded(Box((1.0, 2.0, 1.0)), 0.5)])
def test_what_passes_a_rounded_body_within_the_grazing_distance_grazes_it_and_beyond_misses(shape: Shape) -> None:
    """The distance is that from the surface, and not from the core inside."""
    body, scale = Body(shape), shape.bounding_radius + np.hypot(5.0, 1.0)
    settings = GjkRaycastSettings(certified=1e-3)
    for off, stops in (
        (-0.2, {GjkRaycastStop.HIT}),
        (0.2, {GjkRaycastStop.MISS}),
        (0.2e-3 * scale, {GjkRaycastStop.GRAZING, GjkRaycastStop.MISS}),
        (20e-3 * scale, {GjkRaycastStop.MISS, GjkRaycastStop.NO_PROGRESS}),
    ):
        for axis in (2,):
            origin = np.array((-5.0, 0.0, 0.0))
            origin[axis] = 1.0 + off
            found = gjk_raycast(body, origin, X, settings=settings)
            assert found.stop in stops
            closed = raycast(body, origin, X)
            assert (closed is not None) == (off < 0.0)
            if found.stop is GjkRaycastStop.MISS:
                assert found.free == inf
