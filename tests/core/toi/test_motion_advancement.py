"""Conservative advancement by situation: how far each look gets, what it proves, and bodies that turn."""

from __future__ import annotations

from itertools import pairwise
from math import acos, inf, pi, sqrt

import numpy as np
import pytest

from core.scene import Body
from core.shapes import Box, Capsule, Ellipsoid, HalfSpace, Sphere
from core.toi.advancement import AdvancementSettings, ClosingBound, advancement, advancement_steps, closing
from core.toi.motion import Motion, MotionOutcome, MotionStop, nearness
from core.trace import record
from tests.motion_judge import PAIRS, faults, general, larger, turning
from tests.strategies import Triple

CUBE = Box((2.0, 2.0, 2.0))
LONG = Box((6.0, 1.0, 1.0))


def test_face_to_face_it_arrives_in_two_looks() -> None:
    recording = record(advancement_steps(Motion.of(Body(CUBE), Body(CUBE, (4.0, 0.3, 0.2), displacement=(-4.0, 0, 0)))))
    steps, found = recording.steps, recording.result
    assert len(steps) == 2
    assert (steps[0].distance, steps[0].rate) == pytest.approx((2.0, 4.0))
    assert steps[0].bound is ClosingBound.RATE
    assert steps[0].next_time == pytest.approx(0.5)
    assert found.stop is MotionStop.HIT
    assert found.time == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("offset", "way", "stop"),
    [
        ((1.0, 0.0, 0.0), (9.0, 0.0, 0.0), MotionStop.OVERLAPPING_AT_START),
        ((2.0, 0.0, 0.0), (9.0, 0.0, 0.0), MotionStop.TOUCHING_AT_START),
        ((4.0, 0.0, 0.0), (0.0, 0.0, 0.0), MotionStop.NO_MOTION),
        ((4.0, 0.0, 0.0), (1.0, 0.0, 0.0), MotionStop.MOVING_AWAY),
        ((4.0, 0.0, 0.0), (0.0, 1.0, 0.0), MotionStop.MOVING_AWAY),
        ((4.0, 0.0, 0.0), (-1.0, 0.0, 0.0), MotionStop.OUT_OF_TIME),
        ((4.0, 3.5, 0.0), (-9.0, 0.1, 0.0), MotionStop.PASSES_BY),
        ((2.0 + 1e-9, 0.0, 0.0), (0.0, 1.0, 0.0), MotionStop.MOVING_AWAY),  # resting a hair above, sliding
        ((2.0 + 1e-9, 0.0, 0.0), (1.0, 1.0, 0.0), MotionStop.MOVING_AWAY),
        ((2.0 + 1e-9, 0.0, 0.0), (-1.0, 1.0, 0.0), MotionStop.HIT),
    ],
)
def test_every_way_out(offset: Triple, way: Triple, stop: MotionStop) -> None:
    found = advancement(Motion.of(Body(CUBE), Body(CUBE, offset, displacement=way)))
    assert found.stop is stop
    assert found.free == (1.0 if found.time is None else found.time)


def test_every_step_is_free_and_the_last_is_within_the_tolerance() -> None:
    rng = np.random.default_rng(41)
    for _ in range(30):
        scene = turning(rng, "box", "hull")
        recording = record(advancement_steps(Motion.of(scene.a, scene.b)))
        times = [step.time for step in recording.steps]
        assert times == sorted(times)
        assert all(step.lower > 0.0 or step.stop is not None for step in recording.steps)
        for before, after in pairwise(recording.steps):
            assert after.time == before.next_time
        found = recording.result
        if found.outcome is MotionOutcome.HIT:
            assert found.separation <= 1e-8 * larger(scene)
            assert found.provenance == "certified"


def test_a_rod_swings_into_a_ball_at_the_angle_of_geometry() -> None:
    rod = Body(LONG, angular_displacement=(0.0, 0.0, pi / 2))
    ball = Body(Sphere(0.5), (0.0, 2.0, 0.0))
    found = advancement(Motion.of(rod, ball))
    assert found.outcome is MotionOutcome.HIT
    assert found.time == pytest.approx(acos(0.5) / (pi / 2), abs=1e-7)
    turned = found.time * pi / 2
    # In the rod's frame the ball's centre is at 2 (sin, cos): one unit above the axis, half the face and the radius.
    assert 2.0 * np.cos(turned) == pytest.approx(1.0, abs=1e-7)
    np.testing.assert_allclose(found.normal, (-np.sin(turned), np.cos(turned), 0.0), atol=1e-7)


def test_a_turning_half_space_sweeps_up_a_body_that_stands_still() -> None:
    floor = Body(HalfSpace((0.0, 1.0, 0.0), 0.0), angular_displacement=(0.0, 0.0, pi / 2))
    ball = Body(Sphere(1.0), (4.0, 2.0, 0.0))
    found = advancement(Motion.of(floor, ball))
    # n = (-sin, cos, 0): 2 cos - 4 sin = 1.
    turned = found.time * pi / 2
    assert 2.0 * np.cos(turned) - 4.0 * np.sin(turned) == pytest.approx(1.0, abs=1e-7)
    assert advancement(Motion.of(ball, floor)).time == pytest.approx(found.time, abs=1e-9)
    away = Body(floor.shape, angular_displacement=(0.0, 0.0, -1.0))
    assert advancement(Motion.of(away, ball)).outcome is MotionOutcome.SEPARATED


def test_spheres_do_not_show_their_rotation() -> None:
    rolling = Body(Sphere(1.0), (4.0, 0.0, 0.0), displacement=(-4.0, 0.0, 0.0), angular_displacement=(9.0, 9.0, 9.0))
    motion = Motion.of(Body(Sphere(1.0), angular_displacement=(5.0, 0.0, 0.0)), rolling)
    assert not motion.rotates
    assert advancement(motion).time == pytest.approx(0.5)


def test_a_body_that_only_turns_never_meets_what_is_out_of_its_reach() -> None:
    spinning = Body(LONG, angular_displacement=(3.0, 4.0, 5.0))
    beyond = Body(Sphere(1.0), (0.0, sqrt(9.5) + 1.01, 0.0))
    assert advancement(Motion.of(spinning, beyond)).outcome is MotionOutcome.SEPARATED
    within = Body(Sphere(1.0), (0.0, 2.0, 0.0))
    assert advancement(Motion.of(spinning, within)).outcome is MotionOutcome.HIT


def test_the_limit_is_said_and_what_was_proved_kept() -> None:
    motion = Motion.of(
        Body(LONG, angular_displacement=(0.0, 0.0, 1.5)),
        Body(Ellipsoid((0.5, 1.0, 2.0)), (0.0, 4.0, 0.0), (1.0, 0.0, 0.0, 0.0), (0.0, -3.0, 0.0), (2.0, 1.0, 0.0)),
    )
    found = advancement(motion)
    assert found.outcome is MotionOutcome.HIT
    cut = advancement(motion, AdvancementSettings(iterations=3))
    assert (cut.stop, cut.outcome, cut.time) == (MotionStop.ITERATION_LIMIT, MotionOutcome.ITERATION_LIMIT, None)
    assert 0.0 < cut.free < found.time


def test_the_plain_rate_is_right_too_and_slower() -> None:
    rng = np.random.default_rng(42)
    plain, better = 0, 0
    for _ in range(20):
        scene = turning(rng, "box", "box")
        motion = Motion.of(scene.a, scene.b)
        slow = record(advancement_steps(motion, AdvancementSettings(supports=False, iterations=20_000, tolerance=1e-5)))
        fast = record(advancement_steps(motion, AdvancementSettings(tolerance=1e-5)))
        assert slow.result.outcome is fast.result.outcome
        if slow.result.time is not None:
            for time in (slow.result.time, fast.result.time):
                assert nearness(*motion.at(time)).separation <= 1e-5 * larger(scene) or time == 0.0
        assert all(step.bound is ClosingBound.RATE for step in slow.steps)
        plain, better = plain + len(slow.steps), better + len(fast.steps)
    assert plain > 3 * better


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
@pytest.mark.sampled(3, "random")
def test_while_a_gap_is_said_to_last_the_bodies_are_apart(pair: tuple[str, str]) -> None:
    rng = np.random.default_rng(43)
    for _ in range(5):
        scene = turning(rng, *pair)
        motion = Motion.of(scene.a, scene.b)
        if motion.start.separation <= 0.0:
            continue
        found = closing(motion, motion.start.proximity.normal, motion.start.separation, 0.0)
        assert found.lasting > 0.0
        for time in np.linspace(0.0, min(found.lasting, 1.0), 9):
            assert nearness(*motion.at(float(time))).separation >= -1e-9
        if found.never:
            assert found.lasting == inf


def test_far_motions_are_proved_in_few_looks() -> None:
    rng = np.random.default_rng(44)
    most = 0
    for pair in PAIRS:
        for _ in range(3):
            scene = turning(rng, *pair)
            recording = record(advancement_steps(Motion.of(scene.a, scene.b)))
            most = max(most, len(recording.steps))
    assert most <= 32


def test_grazing_a_capsule_is_decided_by_the_distance_left() -> None:
    scene = general(np.random.default_rng(45), "capsule", "sphere")
    rod, ball = Body(Capsule(0.5, 2.0)), Sphere(0.5)
    for gap in (0.0, 1e-13):
        passing = Body(ball, (1.0 + gap, 0.2, -3.0), displacement=(0.0, 0.0, 6.0))
        found = advancement(Motion.of(rod, passing))
        # Near a graze the distance is below the tolerance over a stretch: the answer is its beginning.
        assert found.outcome is MotionOutcome.HIT
        assert found.separation <= 1e-8 * larger(scene)
        assert found.time == pytest.approx(0.5, abs=1e-4)
    missing = Body(ball, (1.0 + 1e-6, 0.2, -3.0), displacement=(0.0, 0.0, 6.0))
    assert advancement(Motion.of(rod, missing)).outcome is MotionOutcome.SEPARATED
    assert not faults(scene, advancement(Motion.of(scene.a, scene.b)), 1e-6 * larger(scene))
