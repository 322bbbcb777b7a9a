"""What a ray's answer and its steps say: against the definition of each number, near and very far away."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from core.pair.support import support_map
from core.rays.raycast import GjkRaycastStop, gjk_raycast, gjk_raycast_steps, raycast
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
)
from core.trace import record
from tests.core.closed_form_samples import MAKERS, rotation

UNIT = (
    Sphere(1.0),
    Box((1.0, 1.5, 2.0)),
    Capsule(0.5, 1.0),
    Cylinder(0.5, 1.0),
    Cone(0.5, 1.0),
    Ellipsoid((1.0, 0.5, 0.75)),
    Hull(((0.5, 0.0, 0.0), (-0.5, 0.5, 0.0), (-0.5, -0.5, 0.0), (0.0, 0.0, 1.0))),
)


@pytest.mark.parametrize("shape", UNIT, ids=lambda shape: shape.word)
@pytest.mark.parametrize("far", [1e15, 1e16, 1e17, 1e20])
def test_a_ray_from_so_far_that_rounding_exceeds_the_body_misses_what_it_passes(shape: Shape, far: float) -> None:
    for way in np.eye(3):
        aside = 5.0 * np.roll(way, 1)
        assert raycast(Body(shape), aside - far * way, way) is None
        found = raycast(Body(shape), -far * way, way)
        assert found is not None
        assert found.entry is not None
        assert abs(found.entry.t - far) <= 2.0 + 4e-16 * far


@pytest.mark.parametrize("border", [0.0, 0.25])
@pytest.mark.parametrize("name", MAKERS)
def test_every_step_of_the_cast_tells_what_its_definition_says(name: str, border: float) -> None:
    rng = np.random.default_rng(31)
    stops = set()
    for k in range(4):
        sharp = MAKERS[name](rng)
        shape = Rounded(sharp, border) if border else sharp
        body = Body(shape, tuple(rng.normal(size=3).tolist()), rotation(rng))
        origin = body.pose.position + rng.normal(size=3) * 3.0 * shape.bounding_radius
        way = body.pose.position - origin + rng.normal(size=3) * shape.bounding_radius * (0.2, 1.5)[k % 2]
        recording = record(gjk_raycast_steps(body, origin, way))
        result, start = recording.result, origin - body.pose.position
        stops.add(result.stop)
        # The cast is at the body's core, which lies so far inside the surface.
        _, radius = support_map(body, np.zeros(3), "core")
        for number, step in enumerate(recording.steps, start=1):
            assert step.number == number
            np.testing.assert_allclose(step.point, start + step.t * way, atol=1e-12 * np.linalg.norm(start))
            corners = np.array([step.simplex[row].xyz for row in step.region])
            assert step.weights.sum() == pytest.approx(1.0, abs=1e-12)
            assert step.weights @ corners == pytest.approx(step.closest, abs=1e-12)
            gap = float(np.linalg.norm(step.closest - step.point))
            assert step.distance == pytest.approx(gap - radius, abs=1e-9)
            if step.normal is not None:
                assert np.linalg.norm(step.normal) == pytest.approx(1.0, abs=1e-14)
                # The support is the farthest of the core along the normal.
                reach = float(shape.reach(body.pose.direction_to_local(step.normal))) - radius
                assert step.support.xyz @ step.normal == pytest.approx(reach, abs=1e-9)
            # The body's plane has the free part in front, or the ray's point stays.
            assert step.clipped == (step.next_t > step.t)
        last = recording.steps[-1]
        assert (result.stop, result.iterations) == (last.stop, last.number)
        assert result.free == (inf if result.stop is GjkRaycastStop.MISS else last.next_t)
        if result.hit is not None:
            np.testing.assert_allclose(result.hit.point, origin + result.hit.t * way, atol=1e-12)
            held = result.weights @ np.array([support.xyz for support in result.feature])
            assert held == pytest.approx(last.closest, abs=1e-12)
        if result.stop is GjkRaycastStop.MISS:
            # The normal proves it: the ray is in front, and leads away.
            assert float(result.normal @ way) >= 0.0
            reach = float(shape.reach(body.pose.direction_to_local(result.normal)))
            assert float(result.normal @ start) + last.t * float(result.normal @ way) > reach
    assert stops & {GjkRaycastStop.HIT, GjkRaycastStop.MISS}


@pytest.mark.parametrize("way", [(2.0, 0.0, 0.0), (-0.5, 0.0, 0.0)])
def test_the_words_of_an_answer_have_its_numbers(way: tuple[float, float, float]) -> None:
    box = Body(Box((2.0, 2.0, 2.0)))
    through = raycast(box, -5.0 * np.array(way), np.array(way))
    inside = raycast(box, np.zeros(3), np.array(way))
    half = 1.0 / abs(way[0])
    assert repr(through) == f"RayCast(from t = {5.0 - half:.6g} to t = {5.0 + half:.6g})"
    assert repr(inside) == f"RayCast(from inside to t = {half:.6g})"
    assert (inside.t, through.t) == (0.0, 5.0 - half)
    told = through.to_dict()
    assert (told["entry"]["t"], told["exit"]["t"], told["inside"]) == (5.0 - half, 5.0 + half, False)
    assert told["entry"]["point"] == [-np.sign(way[0]), 0.0, 0.0]
    assert inside.to_dict()["entry"] is None
    down = raycast(Body(HalfSpace((0.0, 1.0, 0.0), 0.0)), np.array((0.0, 3.0, 0.0)), np.array((0.0, -1.0, 0.0)))
    assert repr(down) == "RayCast(from t = 3 to the end)"


@pytest.mark.parametrize("settings", ["MISS", "HIT", "INSIDE"])
def test_a_circle_and_a_polygon_are_cast_at_as_flat_bodies(settings: str) -> None:
    origin, way = {"MISS": (2.0, 3.0), "HIT": (-3.0, 0.2), "INSIDE": (0.1, 0.2)}[settings], np.array((1.0, 0.0, 0.0))
    for shape in (Circle(1.0), Polygon(((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)))):
        found = gjk_raycast(Body.in_plane(shape), np.array((*origin, 0.0)), way)
        assert found.stop.name == settings
        assert found.inside == (settings == "INSIDE")
        if found.hit is not None:
            expected = -1.0 if isinstance(shape, Polygon) else -np.sqrt(1.0 - 0.04)
            assert found.hit.point == pytest.approx((expected, 0.2, 0.0), abs=1e-9)
