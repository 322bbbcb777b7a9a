"""The motion's methods behind the query's own steps: in one order, last, with the time that each looks at."""

from __future__ import annotations

from math import inf

import pytest
from msgspec.structs import replace

from app.io.presets import load_preset, presets
from core.analysis.analysis import analyse
from core.analysis.motion_answers import SweepAnswer, sweep
from core.geometry.vector import length
from core.query.motion_steps import PHASE_OF, axis_of, with_motion
from core.query.query import MOTION_PHASES, MotionStep, Phase, Query, query
from core.rays.raycast import GjkRaycastStep
from core.scene import Body, Scene
from core.shapes import Box, Shape, Sphere
from core.toi import MotionMethod
from core.toi.advancement import AdvancementStep
from core.toi.intervals import IntervalStep

MOVING = tuple(
    preset.id
    for preset in presets()
    if any(
        any(body.displacement) or any(body.angular_displacement)
        for body in (load_preset(preset.id).scene.a, load_preset(preset.id).scene.b)
    )
)


def asked(name: str) -> tuple[Query, Query, SweepAnswer]:
    """The query about the start, the one with the motion, and the answer about that."""
    scene = load_preset(name).scene
    start, found = query(analyse(scene)), sweep(scene)
    assert found is not None
    return start, with_motion(start, found), found


@pytest.mark.parametrize("name", MOVING)
def test_the_steps_of_every_method_follow_and_no_other_step_gets_another_number(name: str) -> None:
    start, whole, found = asked(name)
    assert whole.moments[: len(start.moments)] == start.moments
    after = [phase for phase, _, _ in whole.phases[len(start.phases) :]]
    assert set(after) <= MOTION_PHASES
    assert after == sorted(after, key=tuple(Phase).index)
    for trace in found.traces:
        phase = PHASE_OF.get(trace.method)
        own = [moment.step.motion for moment in whole.moments if moment.phase is phase]
        assert phase is None or own == list(trace.steps)
        assert phase is None or whole.results[phase] is trace.result
    swept = [moment.step.motion for moment in whole.moments if moment.phase is Phase.SWEPT]
    assert swept == list(found.swept_steps)
    for phase, first, count in whole.phases:
        part = whole.moments[first : first + count]
        assert [(m.phase, m.index, m.count) for m in part] == [(phase, k, count) for k in range(count)]


@pytest.mark.parametrize("name", MOVING)
def test_each_step_looks_at_a_time_of_the_motion(name: str) -> None:
    _, whole, found = asked(name)
    for moment in whole.moments:
        step = moment.step
        if not isinstance(step, MotionStep):
            continue
        assert 0.0 <= step.time <= 1.0
        if isinstance(step.motion, AdvancementStep):
            assert step.time == step.motion.time
        if isinstance(step.motion, GjkRaycastStep):
            assert step.time == min(step.motion.t, 1.0)
            assert length(step.motion.point - step.motion.t * found.motion.displacement) <= 1e-12 * found.motion.travel
        axis = axis_of(step)
        assert axis is None or length(axis) == pytest.approx(1.0)
        if isinstance(step.motion, IntervalStep) and 0.0 <= step.motion.entry <= 1.0:
            assert step.time == step.motion.entry


def test_an_axis_on_which_bodies_never_begin_to_meet_is_looked_at_from_the_start() -> None:
    """Cubes that pass each other: along the axis across their way the gap stays."""
    cube = Box((2.0, 2.0, 2.0))
    scene = Scene(Body(cube), Body(cube, (4.0, 3.0, 0.0), displacement=(-9.0, 0.0, 0.0)))
    steps = [moment.step for moment in with_motion(query(analyse(scene)), sweep(scene)).moments]
    never = [it for it in steps if isinstance(it, MotionStep) and getattr(it.motion, "entry", 0.0) == inf]
    assert never
    assert {step.time for step in never} == {0.0}


@pytest.mark.parametrize(("shape", "phase"), [(Sphere(1.0), Phase.SPHERES), (Box((2.0, 2.0, 2.0)), Phase.REGIONS)])
def test_the_step_that_finds_when_a_ball_meets_looks_at_that_and_the_one_before_where_it_is_nearest(
    shape: Shape, phase: Phase
) -> None:
    """A ball that flies aside of the middle: it meets the other body before it is nearest."""
    ball = Body(Sphere(0.5), (4.0, 0.9, 0.0), displacement=(-5.0, 0.0, 0.0))
    found = sweep(Scene(Body(shape), ball))
    assert found is not None
    whole = with_motion(query(analyse(Scene(Body(shape), ball))), found)
    times = [moment.step.time for moment in whole.moments if moment.phase is phase]
    there = replace(ball, position=(4.0 - 5.0 * times[-1], 0.9, 0.0))
    assert abs(analyse(Scene(Body(shape), there)).separation) <= 1e-12
    # Nothing of it has met anything before: that is the first contact, and not the way out.
    assert times[-1] < 0.8
    if phase is Phase.SPHERES:
        assert times[:-1] == [0.0, pytest.approx(0.8)]


def test_without_a_motion_or_steps_of_one_it_is_the_same_query() -> None:
    start, _, found = asked("tunnelling")
    assert with_motion(start, None) is start
    assert with_motion(start, replace(found, traces=(), swept_steps=())) is start


def test_methods_without_a_step_leave_no_empty_phase() -> None:
    scene = Scene(Body(Box((1.0, 1.0, 1.0))), Body(Sphere(0.5), (0.6, 0.0, 0.0), displacement=(1.0, 0.0, 0.0)))
    found = sweep(scene)
    assert found is not None
    phases = {phase for phase, _, count in with_motion(query(analyse(scene)), found).phases if count}
    assert Phase.REGIONS in phases
    assert not phases & {Phase.RAY, Phase.ADVANCEMENT}


def test_every_method_has_a_phase() -> None:
    assert set(PHASE_OF) == set(MotionMethod)
    assert set(PHASE_OF.values()) | {Phase.SWEPT} == MOTION_PHASES


def test_the_presets_have_steps_of_every_kind() -> None:
    phases = {phase for name in MOVING for phase, _, _ in asked(name)[1].phases}
    assert phases >= MOTION_PHASES
