"""What the answers of motions say beside the time: points, features, steps' numbers, ends, and whose they are."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from core.analysis.motion_answers import sweep
from core.geometry.quaternion import from_axis_angle
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Shape, Sphere
from core.toi.advancement import advancement_steps, closing
from core.toi.half_spaces import plane_motion, plane_steps, scaled_plane_motion, scaled_plane_steps
from core.toi.motion import Motion, MotionOutcome, MotionResult, MotionStop, nearness
from core.toi.ray import DifferenceSupport, motion_raycast_steps
from core.toi.spheres import approach, sphere_box_steps
from core.trace import record
from tests.core.shapes_samples import CUBE_POINTS, beyond
from tests.motion_judge import general, turning

KINDS = [
    ("box", "box"),
    ("hull", "box"),
    ("hull", "capsule"),
    ("cone", "cylinder"),
    ("sphere", "box"),
    ("sphere", "sphere"),
    ("ellipsoid", "cone"),
    ("halfspace", "hull"),
]


def place(scene: Scene, time: float) -> tuple[Body, Body]:
    """Both bodies of the world at that time."""
    bodies = []
    for body in (scene.a, scene.b):
        there = np.array(body.position) + time * np.array(body.displacement)
        turn = tuple(time * x for x in body.angular_displacement)
        moved = body.turned(turn) if any(turn) else body
        bodies.append(replace(moved, position=tuple(there.tolist())))
    return bodies[0], bodies[1]


def check(scene: Scene, result: MotionResult) -> None:
    """At the time the points lie on the bodies, as far apart as is told, and the features hold them."""
    time, normal = result.time, result.normal
    assert time is not None
    assert normal is not None
    bodies = place(scene, time)
    size = max(body.shape.bounding_radius for body in bodies if body.shape.plane is None)
    far = size + max(float(np.linalg.norm(body.position)) for body in bodies)
    for body, point, feature in zip(
        bodies, (result.witness_a, result.witness_b), (result.contact.a, result.contact.b), strict=True
    ):
        assert abs(float(beyond(body.shape, body.pose.to_local(point)[None])[0])) <= 1e-7 * far
        assert np.abs(beyond(body.shape, body.pose.to_local(feature.points))).max() <= 1e-7 * far
        side = 1.0 if body is bodies[0] else -1.0
        if body.shape.plane is None:
            reach = float(body.shape.reach(body.pose.direction_to_local(side * normal)))
            heights = side * (feature.points - body.pose.position) @ normal
            assert np.abs(heights - reach).max() <= 1e-6 * far
    assert result.witness_b - result.witness_a == pytest.approx(result.separation * normal, abs=1e-6 * far)


@pytest.mark.parametrize(("first", "second"), KINDS)
@pytest.mark.parametrize("family", [general, turning])
def test_points_and_features_of_every_method_lie_on_the_bodies_where_they_meet(
    first: str, second: str, family: object
) -> None:
    rng = np.random.default_rng(61)
    hits = 0
    for k in range(4):
        scene = family(rng, first, second)
        if k % 2:
            scene = scene.swapped()
        found = sweep(scene)
        assert found is not None
        for trace in found.traces:
            if trace.result.outcome is MotionOutcome.HIT:
                hits += 1
                check(scene, trace.result)
    assert hits >= 1


def test_the_distance_of_bodies_without_a_formula_has_a_point_on_each() -> None:
    rng = np.random.default_rng(62)
    a = Body(Hull.of(rng.normal(size=(12, 3))), (1.0, 2.0, 3.0), from_axis_angle((1.0, 2.0, 2.0), 0.5))
    b = Body(Cylinder(0.5, 2.0), (5.0, 2.5, 2.0), from_axis_angle((0.0, 1.0, 1.0), 0.7))
    near = nearness(a, b)
    for body, point in ((a, near.proximity.witness_a), (b, near.proximity.witness_b)):
        local = body.pose.to_local(point + a.pose.position)
        assert abs(float(beyond(body.shape, local[None])[0])) <= 1e-9
    assert near.proximity.witness_b - near.proximity.witness_a == pytest.approx(
        near.separation * near.proximity.normal, abs=1e-9
    )


@pytest.mark.parametrize("turns", [False, True])
def test_each_look_of_advancement_shows_the_distance_of_its_time_in_the_world(turns: bool) -> None:
    rng = np.random.default_rng(63)
    for _ in range(6):
        scene = (turning if turns else general)(rng, "box", "hull")
        motion = Motion.of(scene.a, scene.b)
        for number, step in enumerate(record(advancement_steps(motion)).steps, start=1):
            bodies = place(scene, step.time)
            assert step.number == number
            assert step.distance == pytest.approx(nearness(*bodies).separation, abs=1e-7)
            assert step.lower <= step.distance
            assert step.rate == step.straight + step.turning
            for body, point in zip(bodies, (step.witness_a, step.witness_b), strict=True):
                assert abs(float(beyond(body.shape, body.pose.to_local(point)[None])[0])) <= 1e-9
            assert step.witness_b - step.witness_a == pytest.approx(step.distance * step.normal, abs=1e-9)
            assert step.straight == pytest.approx(-float(step.normal @ motion.displacement), abs=1e-12)


LATE = (Sphere(1.0), Box((2.0, 2.0, 2.0)), Cylinder(1.0, 2.0), Ellipsoid((2.0, 1.0, 0.5)), Hull(CUBE_POINTS))


@pytest.mark.parametrize("shape", LATE, ids=lambda shape: shape.word)
@pytest.mark.parametrize(("speed", "stop"), [(0.25, MotionStop.OUT_OF_TIME), (1.0 - 1e-13, MotionStop.GRAZING)])
@pytest.mark.parametrize("order", [1, -1])
def test_a_body_that_would_reach_the_ground_after_the_end_is_kept_off_by_it(
    shape: Shape, speed: float, stop: MotionStop, order: int
) -> None:
    falling, ground = (
        Body(shape, (0.5, 2.0, 0.25), displacement=(0.0, -speed, 0.0)),
        Body(HalfSpace((0.0, 2.0, 0.0), 0.0)),
    )
    motion = Motion.of(*(falling, ground)[::order])
    methods = [(plane_motion, plane_steps)]
    if isinstance(shape, Ellipsoid):
        methods.append((scaled_plane_motion, scaled_plane_steps))
    for method, steps in methods:
        found, last = method(motion), record(steps(motion)).steps[-1]
        assert (found.stop, last.stop) == (stop, stop)
        # The steps tell when it would arrive, the answer does not, but for what touches at the very end.
        arrived = next(step.time for step in record(steps(motion)).steps if step.time is not None)
        assert arrived == pytest.approx(1.0 / speed, rel=1e-12)
        assert found.time == (None if stop is MotionStop.OUT_OF_TIME else 1.0)
        assert found.axis == ("B.plane" if order == 1 else "A.plane")
        assert found.row == 0
        np.testing.assert_array_equal(found.normal, (0.0, -float(order), 0.0))


def test_the_ray_cast_through_the_difference_names_the_vertices_of_both() -> None:
    rng = np.random.default_rng(64)
    for _ in range(6):
        scene = general(rng, "hull", "box")
        motion = Motion.of(scene.a, scene.b)
        seen = set()
        for step in record(motion_raycast_steps(motion)).steps:
            for support in (*step.simplex, *(() if step.support is None else (step.support,))):
                assert isinstance(support, DifferenceSupport)
                for body, vertex, point in (
                    (motion.a, support.vertex_a, support.xyz_a),
                    (motion.b, support.vertex_b, support.xyz_b),
                ):
                    corner = body.pose.to_world(body.shape.polyhedron.vertices[vertex])
                    assert point == pytest.approx(corner, abs=1e-12)
                assert np.subtract(support.xyz_a, support.xyz_b) == pytest.approx(support.xyz, abs=1e-12)
                seen.add((support.vertex_a, support.vertex_b, support.vertex))
        # One number stands for one pair of vertices.
        assert len({pair[:2] for pair in seen}) == len({number for _, _, number in seen})
    cone, box = Body(Cone(1.0, 2.0)), Body(Box((1.0, 1.0, 1.0)))
    for first, second in ((cone, box), (box, cone), (cone, cone)):
        coming = replace(second, position=(5.0, 0.25, 0.125), displacement=(-5.0, 0.0, 0.0))
        steps = record(motion_raycast_steps(Motion.of(first, coming))).steps
        assert {support.vertex for step in steps for support in step.simplex} == {-1}


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_the_closest_approach_of_a_point_is_that_of_many_times(dimension: int) -> None:
    rng = np.random.default_rng(65)
    times = np.linspace(-5.0, 5.0, 20_001)
    for k in range(8):
        offset, velocity = rng.normal(size=(2, dimension))
        radius = float(rng.uniform(0.1, 1.0)) * (1.0 if k % 2 else float(np.linalg.norm(offset)))
        velocity /= np.linalg.norm(velocity)
        found = approach(offset, velocity, radius)
        distances = np.linalg.norm(offset + times[:, None] * velocity, axis=1)
        assert found.when == pytest.approx(times[distances.argmin()], abs=1e-3)
        assert found.nearest == pytest.approx(distances.min(), abs=1e-3)
        assert (found.enter is None) == (found.nearest > radius) == (found.discriminant < 0.0)
        if found.enter is not None:
            assert found.enter <= found.when
            assert np.linalg.norm(offset + found.enter * velocity) == pytest.approx(radius, abs=1e-13)
    still = approach(np.ones(dimension), np.zeros(dimension), 0.5)
    assert (still.nearest, still.when, still.enter) == (pytest.approx(dimension**0.5), 0.0, None)


@pytest.mark.parametrize("order", [1, -1])
def test_each_region_of_a_ball_past_a_box_has_the_least_distance_of_its_stretch(order: int) -> None:
    rng = np.random.default_rng(66)
    looked = 0
    for _ in range(12):
        scene = general(rng, "sphere", "box")
        scene = scene if order == 1 else scene.swapped()
        box = scene.a if isinstance(scene.a.shape, Box) else scene.b
        for step in record(sphere_box_steps(Motion.of(scene.a, scene.b))).steps:
            assert isinstance(box.shape, Box)
            if step.crossing is None:
                if step.stop is None:
                    start = np.linalg.norm(step.centre + step.nearest_time * step.velocity)
                    assert step.nearest == pytest.approx(start - box.shape.bounding_radius - step.radius, abs=1e-12)
                continue
            times = np.linspace(step.crossing.enter, step.crossing.leave, 1001)
            centres = step.centre + times[:, None] * step.velocity
            outside = np.maximum(np.abs(centres) - step.half_extents, 0.0)
            distances = np.linalg.norm(outside, axis=1) - step.radius
            if step.crossing.piece != "inside":
                looked += 1
                assert step.nearest == pytest.approx(distances.min(), abs=1e-5)
                assert np.interp(step.nearest_time, times, distances) == pytest.approx(step.nearest, abs=1e-5)
    assert looked >= 12


def test_swapped_bodies_have_each_others_points_and_features() -> None:
    a = Body(Capsule(0.5, 2.0), (0.3, 0.2, 0.1))
    b = Body(Box((1.0, 2.0, 3.0)), (4.0, 0.5, 0.25), from_axis_angle((0.0, 0.0, 1.0), 0.3), (-4.0, 0.0, 0.0))
    one, other = sweep(Scene(a, b)), sweep(Scene(b, a))
    assert one is not None
    assert other is not None
    assert one.result.time == pytest.approx(other.result.time, abs=1e-12)
    assert one.result.witness_a == pytest.approx(other.result.witness_b, abs=1e-9)
    assert (one.result.contact.a.name, one.result.contact.b.name) == (
        other.result.contact.b.name,
        other.result.contact.a.name,
    )


@pytest.mark.parametrize("order", [1, -1])
def test_a_gap_before_a_turning_plane_lasts_as_long_as_is_said_wherever_the_body_goes(order: int) -> None:
    """Small balls far out that come in, go out and pass: each way of using up the gap is the largest once."""
    rng = np.random.default_rng(67)
    ways = [
        ((0.0, 10.0, 0.0), (0.0, -10.0, 0.0)),
        ((0.0, 1.0, 0.0), (9.0, 0.0, 0.0)),
        ((8.0, 1.0, 0.0), (0.0, 0.0, 0.0)),
    ]
    ways += [(tuple(4.0 * p), tuple(6.0 * d)) for p, d in rng.normal(size=(15, 2, 3))]
    short = 0
    for (x, y, z), way in ways:
        for turn in (0.3, 3.0, -3.0):
            floor = Body(HalfSpace((0.0, 1.0, 0.0), 0.0), angular_displacement=(0.0, 0.0, turn))
            ball = Body(Sphere(1e-3), (x, y, z), displacement=tuple(map(float, way)))
            motion = Motion.of(*(floor, ball)[::order])
            for gap in (0.05, 1.35):
                found = closing(motion, np.array((0.0, float(order), 0.0)), gap, 0.0)
                assert found.lasting > 0.0
                short += found.lasting < 1.0
                times = np.linspace(0.0, min(found.lasting, 1.0), 40)
                places = np.array((x, y, z)) + times[:, None] * np.array(way)
                heights = np.cos(turn * times) * places[:, 1] - np.sin(turn * times) * places[:, 0]
                assert (heights[0] - heights).max() <= gap + 1e-12
    assert short >= 30


@pytest.mark.parametrize(("share", "stop"), [(0.5, MotionStop.GRAZING), (2.0, MotionStop.PASSES_BY)])
@pytest.mark.parametrize("other", [Sphere(1.0), Box((2.0, 2.0, 2.0))], ids=lambda shape: shape.word)
def test_bodies_graze_within_the_touching_band_and_pass_by_beyond_it(
    other: Shape, share: float, stop: MotionStop
) -> None:
    def passing(height: float) -> Scene:
        ball = Body(Sphere(0.5), (-8.0, height, 0.25 if isinstance(other, Box) else 0.0), displacement=(16.0, 0.0, 0.0))
        return Scene(Body(other), ball)

    scene = passing(1.5)
    scene = passing(1.5 + share * Motion.of(scene.a, scene.b).band)
    for each in (scene, scene.swapped()):
        found = sweep(each)
        assert found is not None
        assert found.traces[0].result.stop is stop
