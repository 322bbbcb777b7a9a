"""The closed forms of motion by situation: planes, spheres, 27 regions, scaled space."""

from __future__ import annotations

from itertools import pairwise
from math import pi, sqrt

import numpy as np
import pytest

from core.geometry.quaternion import from_axis_angle, from_euler_xyz
from core.scene import Body
from core.shapes import Box, Cone, Cylinder, Ellipsoid, HalfSpace, Shape, Sphere
from core.toi.half_spaces import PlaneStage, ScaledPlaneStage, plane_motion, plane_steps, scaled_plane_steps
from core.toi.motion import Motion, MotionOutcome, MotionResult, MotionStop
from core.toi.spheres import (
    GrownPiece,
    SpheresStage,
    sphere_box_motion,
    sphere_box_steps,
    spheres_motion,
    spheres_steps,
)
from core.trace import record
from tests.strategies import Triple

GROUND = Body(HalfSpace((0.0, 1.0, 0.0), 0.0))


def over_the_ground(shape: Shape, height: float, way: Triple, **more: Triple) -> MotionResult:
    return plane_motion(Motion.of(Body(shape, (0.0, height, 0.0), displacement=way, **more), GROUND))


def test_a_sphere_falls_on_the_ground() -> None:
    found = over_the_ground(Sphere(1.0), 3.0, (0.5, -4.0, 0.0))
    assert (found.stop, found.time, found.free, found.axis) == (MotionStop.HIT, 0.5, 0.5, "B.plane")
    np.testing.assert_array_equal(found.normal, (0.0, -1.0, 0.0))
    np.testing.assert_array_equal(found.witness_a, (0.25, 0.0, 0.0))
    np.testing.assert_array_equal(found.witness_b, (0.25, 0.0, 0.0))
    assert found.separation == 0.0


def test_the_ground_rises_to_a_sphere_and_the_normal_turns_with_the_order() -> None:
    rising = Body(GROUND.shape, displacement=(0.0, 4.0, 0.0))
    found = plane_motion(Motion.of(rising, Body(Sphere(1.0), (0.0, 3.0, 0.0))))
    assert (found.stop, found.time, found.axis) == (MotionStop.HIT, 0.5, "A.plane")
    np.testing.assert_array_equal(found.normal, (0.0, 1.0, 0.0))
    np.testing.assert_array_equal(found.witness_a, (0.0, 2.0, 0.0))


@pytest.mark.parametrize(
    ("height", "way", "stop"),
    [
        (0.5, (0.0, 1.0, 0.0), MotionStop.OVERLAPPING_AT_START),
        (-9.0, (0.0, 1.0, 0.0), MotionStop.OVERLAPPING_AT_START),  # behind the plane is solid
        (1.0, (0.0, 1.0, 0.0), MotionStop.TOUCHING_AT_START),
        (1.0, (0.0, 0.0, 0.0), MotionStop.TOUCHING_AT_START),
        (2.0, (0.0, 0.0, 0.0), MotionStop.NO_MOTION),
        (2.0, (1.0, 0.0, 0.0), MotionStop.MOVING_AWAY),  # n·v = 0: never
        (2.0, (1.0, 1e-30, 0.0), MotionStop.MOVING_AWAY),
        (2.0, (0.0, 1.0, 0.0), MotionStop.MOVING_AWAY),
        (2.0, (0.0, -0.5, 0.0), MotionStop.OUT_OF_TIME),
        (2.0, (0.0, -1.0, 0.0), MotionStop.HIT),  # at the very end
        (2.0, (0.0, -1.0 + 1e-13, 0.0), MotionStop.GRAZING),
    ],
)
def test_every_way_out_of_the_plane(height: float, way: Triple, stop: MotionStop) -> None:
    found = over_the_ground(Sphere(1.0), height, way)
    assert found.stop is stop
    assert (found.time is None) == (found.outcome is MotionOutcome.SEPARATED)
    assert found.free == (1.0 if found.time is None else found.time)


@pytest.mark.parametrize(
    ("turn", "kind", "count"),
    [
        ((1.0, 0.0, 0.0, 0.0), "face", 4),
        (from_axis_angle((0.0, 0.0, 1.0), pi / 2), "face", 4),  # a dot product of 2e-16
        (from_axis_angle((0.0, 0.0, 1.0), 0.5), "edge", 2),
        (from_euler_xyz(0.5, 0.2, 0.4), "vertex", 1),
    ],
)
def test_a_box_by_its_effective_radius_meets_the_ground_on_1_2_or_4_vertices(
    turn: tuple[float, float, float, float], kind: str, count: int
) -> None:
    box = Body(Box((2.0, 1.0, 3.0)), (0.0, 5.0, 0.0), turn, displacement=(1.0, -10.0, 0.0))
    motion = Motion.of(box, GROUND)
    steps = record(plane_steps(motion)).steps
    assert [step.stage for step in steps] == list(PlaneStage)
    assert steps[-1].radius == pytest.approx(float(steps[-1].arms.sum()))
    assert steps[-1].distance == 5.0
    assert steps[-1].speed == -10.0
    found = plane_motion(motion)
    assert found.time == pytest.approx((5.0 - steps[-1].radius) / 10.0)
    assert found.contact is not None
    assert (found.contact.a.kind, len(found.contact.a.points)) == (kind, count)
    assert np.abs(found.contact.a.points[:, 1]).max() <= 1e-15 * 8
    np.testing.assert_allclose(found.contact.b.points, found.contact.a.points, atol=1e-15)


def test_other_shapes_reach_the_ground_by_their_support_point() -> None:
    assert over_the_ground(Cylinder(1.0, 2.0), 3.0, (0.0, -4.0, 0.0)).time == 0.5
    # A cone on its side stands on its base's rim.
    lying = Body(Cone(1.0, 2.0), (0.0, 3.0, 0.0), from_axis_angle((1.0, 0.0, 0.0), pi / 2), (0.0, -4.0, 0.0))
    assert plane_motion(Motion.of(lying, GROUND)).time == pytest.approx(0.5)


def test_an_ellipsoid_is_scaled_to_a_sphere_and_times_survive() -> None:
    turn = from_euler_xyz(0.4, -0.7, 0.2)
    egg = Body(Ellipsoid((2.0, 0.5, 1.0)), (0.0, 4.0, 0.0), turn, (1.0, -5.0, 0.5))
    motion = Motion.of(egg, GROUND)
    steps = record(scaled_plane_steps(motion))
    assert [step.stage for step in steps.steps] == list(ScaledPlaneStage)
    last, found = steps.steps[-1], steps.result
    assert found is not None
    assert found.time == pytest.approx(plane_motion(motion).time, abs=1e-15)
    assert last.time == found.time
    # In the scaled space: a unit normal, the contact on the unit sphere's way, and on the plane.
    assert float(last.scaled_normal @ last.scaled_normal) == pytest.approx(1.0)
    assert float(last.scaled_contact @ last.scaled_normal) == pytest.approx(last.scaled_offset)
    centre = last.time * last.scaled_velocity
    assert np.linalg.norm(last.scaled_contact - centre) == pytest.approx(1.0)
    # Taken back it is the contact: `p - R S² Rᵀ n / h`.
    back = motion.world(egg.pose.matrix @ last.contact, 0.0)
    np.testing.assert_allclose(back, found.witness_a, atol=1e-14)
    # Distances do not survive: the scaled one is that many radii.
    assert last.stretch * (-last.scaled_offset) == pytest.approx(4.0)


def balls(offset: Triple, way: Triple) -> Motion:
    return Motion.of(Body(Sphere(1.0)), Body(Sphere(0.5), offset, displacement=way))


def test_two_spheres_head_on_and_aside() -> None:
    found = spheres_motion(balls((4.0, 0.0, 0.0), (-5.0, 0.0, 0.0)))
    assert (found.stop, found.time) == (MotionStop.HIT, 0.5)
    np.testing.assert_array_equal(found.normal, (1.0, 0.0, 0.0))
    np.testing.assert_array_equal(found.witness_a, (1.0, 0.0, 0.0))
    aside = spheres_motion(balls((4.0, 0.9, 0.0), (-5.0, 0.0, 0.0)))
    assert aside.time == pytest.approx((4.0 - 1.2) / 5.0)
    np.testing.assert_allclose(aside.normal, (0.8, 0.6, 0.0), atol=1e-15)


@pytest.mark.parametrize(
    ("offset", "way", "stop"),
    [
        ((1.0, 0.0, 0.0), (9.0, 0.0, 0.0), MotionStop.OVERLAPPING_AT_START),
        ((1.5, 0.0, 0.0), (9.0, 0.0, 0.0), MotionStop.TOUCHING_AT_START),
        ((4.0, 0.0, 0.0), (0.0, 0.0, 0.0), MotionStop.NO_MOTION),
        ((4.0, 0.0, 0.0), (1.0, 0.0, 0.0), MotionStop.MOVING_AWAY),
        ((4.0, 0.0, 0.0), (0.0, 3.0, 0.0), MotionStop.MOVING_AWAY),
        ((4.0, 2.0, 0.0), (-9.0, 0.0, 0.0), MotionStop.PASSES_BY),
        ((4.0, 2.0, 0.0), (-1.0, 0.0, 0.0), MotionStop.PASSES_BY),
        ((4.0, 0.0, 0.0), (-1.0, 0.0, 0.0), MotionStop.OUT_OF_TIME),
        ((4.0, 1.5, 0.0), (-8.0, 0.0, 0.0), MotionStop.HIT),  # grazes to the last place
        ((4.0, 1.5 + 1e-13, 0.0), (-8.0, 0.0, 0.0), MotionStop.GRAZING),
        ((2.5, 0.0, 0.0), (-1.0 + 1e-13, 0.0, 0.0), MotionStop.GRAZING),
    ],
)
def test_every_way_out_of_two_spheres(offset: Triple, way: Triple, stop: MotionStop) -> None:
    found = spheres_motion(balls(offset, way))
    assert found.stop is stop
    if found.time is not None:
        assert abs(found.separation) <= 2e-13 or stop is MotionStop.OVERLAPPING_AT_START


def test_two_spheres_show_the_closest_approach_before_the_root() -> None:
    steps = record(spheres_steps(balls((4.0, 0.9, 0.0), (-5.0, 0.0, 0.0)))).steps
    assert [step.stage for step in steps] == list(SpheresStage)
    assert steps[1].closest_time == pytest.approx(0.8)
    assert steps[1].closest == pytest.approx(0.9)
    assert steps[2].discriminant == pytest.approx(25.0 * (1.5**2 - 0.9**2))
    # The smaller root of the plain quadratic.
    a, b, c = 25.0, -20.0, 16.0 + 0.81 - 2.25
    assert steps[2].time == pytest.approx((-b - sqrt(b * b - a * c)) / a)


def rolled(start: Triple, way: Triple, radius: float = 0.5) -> Motion:
    return Motion.of(Body(Box((2.0, 4.0, 6.0))), Body(Sphere(radius), start, displacement=way))


@pytest.mark.parametrize(
    ("start", "way", "name", "piece", "feature", "time"),
    [
        ((5.0, 0.0, 0.0), (-7.0, 0.0, 0.0), "<+1, 0, 0>", GrownPiece.FACE, "+x", 0.5),
        ((0.5, -5.5, 1.0), (0.0, 6.0, 0.0), "<0, -1, 0>", GrownPiece.FACE, "-y", 0.5),
        # Past the edge x = 1, y = 2 at 0.3 aside: 0.4 before its plane.
        ((5.4, 2.3, 0.0), (-8.0, 0.0, 0.0), "<+1, +1, 0>", GrownPiece.EDGE, "v4-v7", 0.5),
        # Past the corner (1, 2, 3), 0.24 and 0.18 aside: 0.4 before it.
        ((5.4, 2.24, 3.18), (-8.0, 0.0, 0.0), "<+1, +1, +1>", GrownPiece.CORNER, "v4", 0.5),
    ],
)
def test_a_sphere_meets_a_face_an_edge_and_a_corner(
    start: Triple, way: Triple, name: str, piece: GrownPiece, feature: str, time: float
) -> None:
    steps = record(sphere_box_steps(rolled(start, way)))
    found, last = steps.result, steps.steps[-1]
    assert found is not None
    assert found.stop is MotionStop.HIT
    assert found.time == pytest.approx(time, abs=1e-15)
    assert last.crossing is not None
    assert (last.crossing.name, last.crossing.piece, last.crossing.feature) == (name, piece, feature)
    assert steps.steps[0].crossing is None


def test_the_regions_are_walked_in_order_of_time_and_abut() -> None:
    motion = rolled((5.0, 4.5, 4.0), (-9.0, -9.0, -1.0), radius=0.1)
    steps = record(sphere_box_steps(motion)).steps
    crossings = steps[0].crossings
    assert [crossing.name for crossing in crossings] == [
        "<+1, +1, +1>",
        "<+1, 0, +1>",
        "<0, 0, +1>",
        "<-1, 0, +1>",
        "<-1, -1, +1>",
    ]
    assert (crossings[0].enter, crossings[-1].leave) == (0.0, 1.0)
    for before, after in pairwise(crossings):
        assert before.leave == after.enter
        np.testing.assert_array_equal(before.end, after.start)
    assert [step.crossing for step in steps[1:]] == list(crossings)
    assert steps[-1].stop is MotionStop.PASSES_BY


@pytest.mark.parametrize(
    ("start", "way", "stop"),
    [
        ((1.2, 0.0, 0.0), (9.0, 0.0, 0.0), MotionStop.OVERLAPPING_AT_START),
        ((0.1, 0.0, 0.0), (0.0, 0.0, 0.0), MotionStop.OVERLAPPING_AT_START),
        ((1.5, 0.0, 0.0), (9.0, 0.0, 0.0), MotionStop.TOUCHING_AT_START),
        ((3.0, 0.0, 0.0), (0.0, 0.0, 0.0), MotionStop.NO_MOTION),
        ((3.0, 0.0, 0.0), (0.0, 1.0, 0.0), MotionStop.MOVING_AWAY),
        ((9.0, 0.0, 0.0), (1.0, 0.0, 0.0), MotionStop.MOVING_AWAY),
        ((3.0, 0.0, 0.0), (-1.0, 0.0, 0.0), MotionStop.OUT_OF_TIME),
        ((9.0, 0.0, 0.0), (-1.0, 0.0, 0.0), MotionStop.OUT_OF_TIME),
        ((1.6, 9.0, 0.0), (0.0, -18.0, 0.0), MotionStop.PASSES_BY),
        ((5.0, 5.0, 0.0), (-4.0, -2.0, 0.0), MotionStop.OUT_OF_TIME),
        ((5.0, 5.0, 0.0), (-16.0, -2.0, 0.0), MotionStop.PASSES_BY),
        ((1.5, 9.0, 0.0), (0.0, -18.0, 0.0), MotionStop.HIT),  # along a face, at the radius
        ((1.5 + 1e-13, 9.0, 0.0), (0.0, -18.0, 0.0), MotionStop.GRAZING),
        ((1.4, 2.3, 9.0), (0.0, 0.0, -18.0), MotionStop.HIT),  # along an edge, at the radius
        ((1.4, 2.3 + 1e-13, 9.0), (0.0, 0.0, -18.0), MotionStop.GRAZING),
    ],
)
def test_every_way_out_of_sphere_and_box(start: Triple, way: Triple, stop: MotionStop) -> None:
    found = sphere_box_motion(rolled(start, way))
    if stop in (MotionStop.HIT, MotionStop.GRAZING):
        # Which of the two rounding decides.
        assert found.outcome is MotionOutcome.HIT
        assert abs(found.separation) <= 2e-13
    else:
        assert found.stop is stop


def test_other_pairs_are_refused() -> None:
    boxes = Motion.of(Body(Box((1.0, 1.0, 1.0))), Body(Box((1.0, 1.0, 1.0)), (3.0, 0.0, 0.0)))
    for method in (plane_motion, spheres_motion, sphere_box_motion):
        with pytest.raises(TypeError):
            method(boxes)
    spinning = Body(Box((1.0, 1.0, 1.0)), (0.0, 5.0, 0.0), angular_displacement=(1.0, 0.0, 0.0))
    for method, other in ((plane_motion, GROUND), (sphere_box_motion, Body(Sphere(1.0)))):
        with pytest.raises(ValueError, match="turn"):
            method(Motion.of(spinning, other))
