"""The motion's steps at the controllers: behind the others while the motion is shown, kept in files, at their place."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from app.cli.picture import _moment
from app.controllers.quiz import Quiz
from app.io.presets import load_preset
from app.quiz import questions
from app.stages.placed_steps import NoSuchStepError
from app.state.playback import STOP, at_place, place_of
from app.state.view import View
from core.analysis.algorithm_settings import AlgorithmSettings
from core.analysis.analysis import analyse
from core.analysis.motion_answers import sweep
from core.query.motion_steps import with_motion
from core.query.query import MOTION_PHASES, Phase, query

from .steps_rig import Desk


def desk_of(name: str) -> Desk:
    desk = Desk(load_preset(name).scene)
    assert desk.motion.whole_sweep is not None
    return desk


def test_the_motions_phases_come_with_it_and_go_with_it() -> None:
    desk = desk_of("tunnelling")
    start = query(desk.answers.analysis)
    before = [(moment.phase, moment.index, moment.count) for moment in desk.steps.all.moments[: len(start.moments)]]
    assert before == [(moment.phase, moment.index, moment.count) for moment in start.moments]
    assert desk.phases[-4:] == [Phase.INTERVALS, Phase.SWEPT, Phase.RAY, Phase.ADVANCEMENT]
    assert desk.steps.all is desk.steps.all
    desk.work.view = replace(desk.work.view, motion=False)
    assert not set(desk.phases) & MOTION_PHASES
    assert len(desk.steps.all.moments) == len(start.moments)


def test_a_body_at_rest_has_no_phase_of_a_motion() -> None:
    desk = Desk(load_preset("skew-edges").scene)
    desk.work.view = View(motion=True)
    assert not set(desk.phases) & MOTION_PHASES


@pytest.mark.parametrize("place", [0, 17, 20, 21, 35, 36, 58, 64])
def test_a_file_keeps_the_step_and_opens_at_it(place: int) -> None:
    desk = desk_of("tunnelling")
    desk.steps.play(replace(at_place(desk.work.playback, desk.steps.all, place), open=True))
    assert desk.steps.kept_view.step == place + 1
    again = Desk(desk.work.document.scene)
    again.motion._sweeps.whole(again.work.scene)  # on a busy machine the answer would come later, and the place with it
    again.steps.begin(desk.steps.kept_view.step)
    assert again.steps.place == place
    assert again.steps.moment is not None
    assert (again.steps.moment.phase, again.steps.moment.index) == (desk.steps.moment.phase, desk.steps.moment.index)  # type: ignore[union-attr]


def test_the_steps_of_the_start_have_the_numbers_they_have_without_a_motion() -> None:
    desk, still = desk_of("tunnelling"), desk_of("tunnelling")
    still.work.view = View(motion=False)
    for step in range(1, len(still.steps.all.moments) + 1):
        desk.steps.begin(step)
        still.steps.begin(step)
        assert (desk.steps.place, desk.steps.moment.phase) == (still.steps.place, still.steps.moment.phase)  # type: ignore[union-attr]
        assert desk.steps.kept_view.step == still.steps.kept_view.step == step


def test_settings_change_the_number_of_a_motions_step_but_not_what_a_file_keeps() -> None:
    desk = desk_of("tunnelling")
    place = next(k for k, moment in enumerate(desk.steps.all.moments) if moment.phase is Phase.RAY)
    desk.steps.play(replace(at_place(desk.work.playback, desk.steps.all, place + 2), open=True))
    desk.work.algorithm_settings = AlgorithmSettings(build=True)
    assert desk.steps.place > place + 2
    assert desk.steps.kept_view.step == place + 3


def test_the_place_stays_while_a_body_and_an_arrow_are_dragged() -> None:
    desk = desk_of("tunnelling")
    desk.steps.play(replace(desk.work.playback, open=True, phase=Phase.RAY, index=STOP))
    for shift in (0.1, 0.2, 0.3):
        x, y, z = desk.work.document.committed.b.position
        desk.drag(position=(x, y + shift, z))
        assert desk.steps.moment is not None
        assert desk.steps.moment.phase is Phase.RAY
        assert desk.steps.moment.last
        desk.drag(displacement=(4.0, shift, 0.2))
        assert desk.steps.moment.phase is Phase.RAY
        assert desk.steps.moment.last


def test_a_phase_that_goes_takes_one_to_the_step_before_and_back() -> None:
    desk = desk_of("tunnelling")
    desk.steps.play(replace(desk.work.playback, open=True, phase=Phase.ADVANCEMENT, index=1))
    met = desk.work.document.committed.a.position
    desk.drag(position=met)
    assert desk.steps.moment is not None
    assert desk.steps.moment.phase is Phase.SWEPT
    assert desk.steps.moment.last
    desk.work.document = desk.work.document.previewed(None)
    assert desk.steps.moment is not None
    assert (desk.steps.moment.phase, desk.steps.moment.index) == (Phase.ADVANCEMENT, 1)


def test_hiding_the_motion_leaves_one_at_the_last_step_of_the_start() -> None:
    desk = desk_of("sphere-past-a-box")
    desk.steps.play(replace(desk.work.playback, open=True, phase=Phase.REGIONS, index=2))
    desk.work.view = replace(desk.work.view, motion=False)
    assert desk.steps.place == len(desk.steps.all.moments) - 1
    desk.work.view = replace(desk.work.view, motion=None)
    assert desk.steps.place == place_of(desk.work.playback, desk.steps.all)
    assert desk.steps.moment is not None
    assert (desk.steps.moment.phase, desk.steps.moment.index) == (Phase.REGIONS, 2)


@pytest.mark.parametrize("name", ["tunnelling", "sphere-past-a-box", "turning-boxes", "balls-head-on"])
def test_questions_are_about_the_start_alone(name: str) -> None:
    desk = desk_of(name)
    still = query(desk.answers.analysis)
    asked, plain = questions(desk.steps.all), questions(still)
    assert [question.kind for question in asked] == [question.kind for question in plain]
    assert [question.place for question in asked] == [question.place for question in plain]
    quiz = Quiz(desk.work, desk.answers, desk.steps)
    assert quiz.begin()
    assert quiz.asked is not None


def test_render_counts_the_motions_steps_behind_the_others_and_refuses_one_beyond() -> None:
    loaded = load_preset("balls-head-on")
    assert loaded.view is None or not loaded.view.step
    start = query(analyse(loaded.scene))
    whole = with_motion(start, sweep(loaded.scene))
    last = len(whole.moments)
    assert last > len(start.moments)
    view = View(step=last)
    asked, place, _ = _moment(start.analysis, view, strictly=True)
    assert [moment.phase for moment in asked.moments] == [moment.phase for moment in whole.moments]
    assert place == last - 1
    # A step about the start does not wait for the motion.
    assert _moment(start.analysis, View(step=1), strictly=True)[0].sweep is None
    with pytest.raises(NoSuchStepError, match=f"has no step {last + 1}: its query has {last}"):
        _moment(start.analysis, View(step=last + 1), strictly=True)
    with pytest.raises(NoSuchStepError, match=f"its query has {len(start.moments)}"):
        _moment(start.analysis, View(step=last, motion=False), strictly=True)
