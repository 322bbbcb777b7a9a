"""Panels at the motion's steps: rows that lead to them, the time bar, the track's words, the card, the verdict."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from msgspec.structs import replace

from app.io.presets import load_preset
from app.panels.bounds_chart import BoundsSeries
from app.panels.motion_bar import BAR_WINDOW, nearest_step, readings
from app.panels.timeline import TrackMarks, step_tooltip
from app.stages import spec_of
from app.state.panel_state import PanelState
from app.state.playback import DistanceCurve, Playback
from app.state.settings import Settings
from app.state.view import View
from app.words.motion_words import HEADS, signed_units, verdict_of_motion
from core.analysis.motion_answers import sweep
from core.query.motion_steps import PHASE_OF, with_motion
from core.query.query import MOTION_PHASES, MotionStep, Phase, query
from core.scene import Body, Scene
from core.shapes import Box, Sphere
from core.toi.intervals import SweptAxisStep
from core.toi.motion import MotionOutcome, MotionStop
from tests.app.panel_rig import Rig, drawn_size, panel_state

from .motion_step_samples import ALL, MORE, asked

CALM = Settings(panels=False)


@pytest.fixture
def rig(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    # High enough for the whole panel: what is scrolled away cannot be clicked.
    made = Rig(monkeypatch, 1280.0, 2400.0)
    made.watch("invisible_button", "text_unformatted", "text_disabled")
    yield made
    made.close()


def at_step(scene: Scene, place: int | None = None, **changes: object) -> PanelState:
    """A state with the timeline open at a step, or closed without one."""
    found = sweep(scene)
    assert found is not None
    curve = DistanceCurve(found.motion)
    while not curve.complete:
        curve.work(0.01)
    state = panel_state(scene, **({"sweep": found, "curve": curve} | changes))
    if place is None:
        return state
    steps = with_motion(query(state.analysis), found)
    moment = steps.moments[place]
    playback = Playback(open=True, phase=moment.phase, index=moment.index)
    return replace(state, query=steps, place=place, playback=playback)


def plays(requests: list[object]) -> list[Playback]:
    return [request.playback for request in requests if request.kind == "play"]


@pytest.mark.parametrize("name", ["tunnelling", "sphere-past-a-box", "tilted-egg-falls", "turning-boxes"])
def test_every_methods_row_leads_to_its_phase(rig: Rig, name: str) -> None:
    state = at_step(load_preset(name).scene)
    assert state.sweep is not None
    rig.settle(state)
    rows = {trace.method.value: PHASE_OF[trace.method] for trace in state.sweep.traces}
    if state.sweep.swept is not None:
        rows["yes or no on 21 axes"] = Phase.SWEPT
    for row, phase in rows.items():
        found = plays(rig.click(state, f"##{row}", at=0.1))
        assert found == [replace(state.playback, open=True, phase=phase, index=0)]


def test_a_method_without_a_step_leads_nowhere(rig: Rig) -> None:
    # Apart by nothing: neither casts nor advances.
    scene = Scene(Body(Box((1.0, 1.0, 1.0))), Body(Sphere(0.5), (0.7, 0.0, 0.0), displacement=(1.0, 0.0, 0.0)))
    state = at_step(scene)
    rig.settle(state)
    assert not plays(rig.click(state, "##GJK ray cast", at=0.1))
    assert plays(rig.click(state, "##sphere against the grown box", at=0.1))


def test_the_bar_follows_the_step_and_leads_to_the_nearest_one(rig: Rig) -> None:
    scene = load_preset("turning-boxes").scene
    start = at_step(scene, 0, settings=CALM).query
    assert start is not None
    begin = next(place for place, moment in enumerate(start.moments) if isinstance(moment.step, MotionStep))
    first = at_step(scene, begin, settings=CALM)
    assert first.query is not None
    for place in (begin, begin + 2, len(start.moments) - 1):
        state = at_step(scene, place, settings=CALM)
        assert isinstance(state.moment.step, MotionStep)  # type: ignore[union-attr]
        assert state.time == state.moment.step.time  # type: ignore[union-attr]
        assert readings(state).startswith(f"t = {state.time:.3g}")
        rig.settle(state)
        assert drawn_size(BAR_WINDOW)[1] > 20.0
        assert "##motion.play" not in rig.rects
    wanted = plays(rig.click(first, "##motion track", at=0.5))
    assert wanted
    assert wanted[-1].phase is Phase.ADVANCEMENT
    times = [moment.step.time for moment in first.query.moments if isinstance(moment.step, MotionStep)]
    chosen = first.query.moments[nearest_step(first.query, Phase.ADVANCEMENT, 0.5) or 0].step
    assert isinstance(chosen, MotionStep)
    assert abs(chosen.time - 0.5) == min(abs(time - 0.5) for time in times)


def test_at_a_step_about_the_start_the_bar_stands_at_the_start() -> None:
    state = at_step(load_preset("tunnelling").scene, 3)
    assert state.time == 0.0
    assert state.query is not None
    # From there a time leads to the last phase.
    place = nearest_step(state.query, Phase.SAT, 0.4)
    assert state.query.moments[place or 0].phase is Phase.ADVANCEMENT
    assert nearest_step(query(state.analysis), Phase.SAT, 0.4) is None


def test_in_a_low_window_the_bar_gives_way_to_the_timeline(monkeypatch: pytest.MonkeyPatch) -> None:
    low = Rig(monkeypatch, 640.0, 480.0)
    try:
        low.settle(at_step(load_preset("tunnelling").scene, 30, settings=CALM))
        assert drawn_size(BAR_WINDOW)[1] == 0.0
    finally:
        low.close()


@pytest.mark.parametrize("name", ALL)
def test_each_phase_has_its_name_and_its_stop(name: str) -> None:
    found = asked(name)
    marks = TrackMarks.of(found)
    for phase, first, count in found.phases:
        last = first + count - 1
        assert last in marks.stops
        if phase not in MOTION_PHASES:
            continue
        lines, name_of = step_tooltip(found, last, marks).split("\n"), spec_of(phase).name
        assert lines[0].startswith(f"{name_of} {count} of {count}: ")
        proved = [line for line in lines if line.startswith("They never touch: a program")]
        assert bool(proved) is (last in marks.flags)
        lines = [line for line in lines if line not in proved]
        assert len(lines) == 3, lines
        assert lines[1] == spec_of(phase).about
        assert ("gave up" in lines[2]) is (last in marks.failures)
        assert lines[2].startswith(f"{name_of} {'gave up' if last in marks.failures else 'stops'} here: ")


@pytest.mark.parametrize("name", ALL)
def test_the_first_proof_of_a_phase_is_where_a_yes_or_no_test_could_end(name: str) -> None:
    found = asked(name)
    proofs = {k: found.moments[k] for k, flag in TrackMarks.of(found).flags.items() if flag.word == "apart"}
    assert len(proofs) == len({moment.phase for moment in proofs.values()})
    assert not proofs or found.sweep.result.time is None, "of bodies that meet nothing proves that they do not"
    for place, moment in proofs.items():
        of, before = moment.step.motion, found.moments[place - 1].step
        assert of.separates if isinstance(of, SweptAxisStep) else of.separated
        if found.moments[place - 1].phase is moment.phase:
            assert not getattr(before.motion, "separated", False)


def test_axes_that_do_not_suffice_are_no_answer() -> None:
    found = asked("sphere-past-a-box")
    place = next(k for k, m in enumerate(found.moments) if m.phase is Phase.INTERVALS and m.last)
    assert "axes do not suffice" in TrackMarks.of(found).failures[place]


@pytest.mark.parametrize("size", [(1280.0, 800.0), (640.0, 480.0)])
@pytest.mark.parametrize("name", ["tunnelling", "sphere-past-a-box", "tilted-egg-falls", "balls-head-on"])
@pytest.mark.sampled(2, "windows")
def test_card_track_and_algorithm_stand_in_any_window(
    monkeypatch: pytest.MonkeyPatch, name: str, size: tuple[float, float]
) -> None:
    scene = load_preset(name).scene
    whole = at_step(scene, 0).query
    assert whole is not None
    rig = Rig(monkeypatch, *size)
    rig.watch("text_unformatted")
    try:
        for phase, first, count in whole.phases:
            if phase in MOTION_PHASES:
                for place in {first, first + count - 1}:
                    state = at_step(scene, place, settings=Settings(panels=True, algorithm=True))
                    asked_for = rig.settle(state)
                    assert not [request for request in asked_for if request.kind != "point"]
    finally:
        rig.close()


# The chart of the bounds.


def test_the_band_of_entry_and_exit_closes_on_the_time_of_impact() -> None:
    found = asked("tunnelling")
    bounds = BoundsSeries.of(found, Phase.INTERVALS)
    assert bounds is not None
    assert found.sweep is not None
    assert found.sweep.axes is not None
    assert np.all(np.diff(bounds.lower) >= 0.0)
    assert np.all(np.diff(bounds.upper) <= 0.0)
    assert bounds.lower[-1] == found.sweep.axes.entries.max()
    assert bounds.upper[-1] == found.sweep.axes.exits.min()
    assert bounds.tooltip(0).startswith("step 1\n0.422 ≤ time when all axes overlap ≤ 0.587")
    passing = BoundsSeries.of(asked("boxes that pass"), Phase.INTERVALS)
    assert passing is not None
    assert passing.lower[-1] > passing.upper[-1]
    assert passing.tooltip(len(passing.places) - 1).endswith(": apart")


@pytest.mark.parametrize("phase", [Phase.RAY, Phase.ADVANCEMENT])
def test_the_distance_that_is_left_comes_down_to_nothing(phase: Phase) -> None:
    found = asked("grazing-spheres")
    bounds = BoundsSeries.of(found, phase)
    assert bounds is not None
    assert len(bounds.places) == sum(moment.phase is phase for moment in found.moments)
    assert np.all(np.diff(bounds.upper) < 0.0)
    assert bounds.upper[-1] < 1e-8
    assert not bounds.lower.any()
    assert BoundsSeries.of(found, Phase.SPHERES) is None
    assert BoundsSeries.of(query(found.analysis), phase) is None


# The verdict.


def test_the_verdict_says_what_the_motion_comes_to(rig: Rig) -> None:
    state = at_step(load_preset("tunnelling").scene)
    rig.settle(state)
    assert "They touch at t = 0.422:" in rig.rects
    assert any(text.endswith("separation +1.78 units at the start") for text in rig.rects)
    assert "Separated at the start:" in rig.rects
    for view in (View(), View(motion=True)):
        rig.settle(panel_state(load_preset("skew-edges").scene, view=view))
    assert not any("They touch" in text or "at the start" in text for text in rig.rects)


def test_while_the_answer_waits_the_verdict_says_so(rig: Rig) -> None:
    rig.settle(replace(at_step(load_preset("tunnelling").scene), sweep=None, curve=None, sweep_waits=True))
    assert any(text.startswith("In motion: the answer is being computed") for text in rig.rects)


@pytest.mark.parametrize("name", ALL)
def test_every_outcome_has_its_words_and_signed_separations(name: str) -> None:
    found = asked(name).sweep
    assert found is not None
    head, rest = verdict_of_motion(found)
    start = found.motion.start.separation
    assert f"separation {signed_units(start)} at the start" in rest
    if found.outcome is MotionOutcome.HIT:
        assert head.startswith("They touch at t = ")
    elif found.outcome is MotionOutcome.SEPARATED:
        assert head == "They never touch"
        assert rest.endswith((" units at the end", " unit at the end"))
    else:
        assert head == HEADS[found.outcome]
    assert "nan" not in head + rest


def test_an_undecided_motion_says_until_when_the_bodies_are_apart() -> None:
    scene = MORE["rocks"]
    found = sweep(scene)
    assert found is not None
    result = replace(found.result, stop=MotionStop.ITERATION_LIMIT, time=None, free=0.25, normal=None, contact=None)
    head, rest = verdict_of_motion(replace(found, result=result))
    assert head == "Not decided"
    assert rest.endswith("proved apart until t = 0.25")


def test_signs_and_units() -> None:
    assert signed_units(1.0) == "+1 unit"
    assert signed_units(-0.25) == "−0.25 units"
    assert signed_units(0.0) == "0 units"
