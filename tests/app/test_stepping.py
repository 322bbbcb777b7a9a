"""The clock that plays, and the step that a file keeps."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from msgspec.structs import replace

from app.controllers.background import AnswerCache
from app.io.view_file import from_tree, to_tree
from app.state.playback import SPEEDS, Playback, stepped
from app.state.view import WHOLE, StepPlace, View
from core.analysis.algorithm_settings import AlgorithmSettings
from core.analysis.analysis import LIMITED, Analysis, analyse
from core.geometry import quaternion
from core.query.query import Phase, query
from core.scene import Body, Scene
from core.shapes import Box, Hull

from .steps_rig import Desk

PAIR = Scene(
    Body(Box((2.0, 1.0, 1.4))), Body(Box((1.0, 1.6, 1.0)), (0.9, 0.3, 0.2), quaternion.from_euler_xyz(0.3, 0.4, 0.5))
)


def test_nothing_is_computed_while_the_timeline_is_closed() -> None:
    desk = Desk(PAIR)
    assert (desk.steps.query, desk.steps.place, desk.steps.moment) == (None, 0, None)
    assert desk.steps._query is None
    assert desk.steps.kept_view == desk.work.view
    desk.steps.play_on(5.0)
    assert desk.steps.next_in(5.0) is None


@pytest.mark.parametrize("speed", SPEEDS)
@pytest.mark.parametrize("frame", [0.004, 0.0167, 0.09])
def test_one_step_an_interval_whatever_the_frame_rate(speed: float, frame: float) -> None:
    desk = Desk(PAIR)
    desk.steps.play(Playback(open=True, playing=True, speed=speed))
    start, seen = 100.0, []
    for k in range(int(6.0 / speed / frame) + 1):
        desk.steps.play_on(start + k * frame)
        seen.append(desk.steps.place)
    # Frames are late by up to one of them, and the lateness does not add up.
    assert seen[-1] in (5, 6)
    assert all(after - before in (0, 1) for before, after in pairwise(seen))


def test_frames_are_asked_for_at_the_steps_and_not_between() -> None:
    desk = Desk(PAIR)
    desk.steps.play(Playback(open=True, playing=True, speed=4.0))
    now, frames = 10.0, 0
    while desk.work.playback.playing and frames < 1000:
        desk.steps.play_on(now)
        wait = desk.steps.next_in(now)
        frames += 1
        now += 0.01 if wait is None else wait
    assert desk.steps.place == len(desk.steps.all.moments) - 1
    # One frame for each step, one to begin, and one at the end of the last step's time.
    assert frames == len(desk.steps.all.moments) + 1
    assert desk.steps.next_in(now) is None


def test_a_slow_machine_passes_no_step_over() -> None:
    desk = Desk(PAIR)
    desk.steps.play(Playback(open=True, playing=True, speed=8.0))
    desk.steps.play_on(0.0)
    desk.steps.play_on(3.0)
    assert desk.steps.place == 1
    assert desk.steps.next_in(3.0) == pytest.approx(0.125)


def test_a_pause_forgets_the_time_and_another_speed_begins_its_own_interval() -> None:
    desk = Desk(PAIR)
    desk.steps.toggle_playing()
    desk.steps.play_on(0.0)
    desk.steps.toggle_playing()
    assert desk.steps.next_in(0.1) is None
    desk.steps.toggle_playing()
    desk.steps.play_on(50.0)
    assert desk.steps.place == 0
    desk.steps.play(replace(desk.work.playback, speed=4.0))
    desk.steps.play_on(50.4)
    assert desk.steps.next_in(50.4) == pytest.approx(0.25)


def test_a_closed_timeline_does_not_play_on() -> None:
    desk = Desk(PAIR)
    desk.steps.toggle_playing()
    desk.steps.toggle_timeline()
    assert desk.work.playback == Playback()
    desk.steps.toggle_timeline()
    assert (desk.steps.query is not None, desk.work.playback.playing) == (True, False)


def test_a_file_keeps_the_step_and_opens_at_it() -> None:
    desk = Desk(PAIR)
    desk.steps.begin(9)
    assert (desk.work.playback.open, desk.steps.place) == (True, 8)
    kept = desk.steps.kept_view
    assert kept == View(step=9, at=StepPlace(Phase.SAT, 9))
    desk.steps.begin(0)
    assert (desk.work.playback.open, desk.steps.place) == (True, 0)
    desk.steps.begin(10**6)
    assert desk.steps.place == len(desk.steps.all.moments) - 1


def test_steps_in_files_are_counted_under_the_default_settings() -> None:
    plain, built = Desk(PAIR), Desk(PAIR)
    built.work.algorithm_settings = AlgorithmSettings(build=True)
    for desk in (plain, built):
        desk.steps.begin(17)
    assert built.steps.place > plain.steps.place
    assert (built.steps.moment.phase, built.steps.moment.index) == (plain.steps.moment.phase, plain.steps.moment.index)
    assert built.steps.kept_view == plain.steps.kept_view == View(step=17, at=StepPlace(Phase.GJK, 2))
    built.steps.play(replace(built.work.playback, phase=Phase.BUILD, index=0))
    assert built.steps.kept_view == View(step=1, at=StepPlace(Phase.BUILD, 1))


def test_sub_steps_are_gone_through_and_back_and_one_step_is_as_before_unless_slow() -> None:
    desk = Desk(PAIR)
    desk.steps.begin(16)
    steps, seen = desk.steps, []
    while steps.moment.phase is Phase.GJK:
        seen.append((steps.moment.index, steps.part))
        steps.play(stepped(desk.work.playback, steps.all, 1, steps.parts_at))
    whole = [index for index, part in seen if part == WHOLE]
    assert whole == list(range(len(whole)))
    assert len(seen) > 5 * len(whole)
    assert seen[1:4] == [(1, "nearest"), (1, "direction"), (1, "support A")]
    for place in reversed(seen):
        steps.play(stepped(desk.work.playback, steps.all, -1, steps.parts_at))
        # Back from the next phase: its own sub-steps first.
        while steps.moment.phase is not Phase.GJK:
            steps.play(stepped(desk.work.playback, steps.all, -1, steps.parts_at))
        assert (steps.moment.index, steps.part) == place
    assert steps.step_parts(15) == (WHOLE,)
    steps.play(stepped(desk.work.playback, steps.all, 3, steps.parts_at))
    assert (steps.place, steps.part) == (16, "support A")
    steps.play(stepped(desk.work.playback, steps.all, 1, steps.step_parts))
    assert (steps.place, steps.part) == (17, WHOLE)
    steps.play(replace(desk.work.playback, slow=True))
    steps.play(stepped(desk.work.playback, steps.all, -1, steps.step_parts))
    assert (steps.place, steps.part) == (17, "drop")


def test_a_slow_run_shows_every_sub_step_and_ends_with_the_last_step_whole() -> None:
    desk = Desk(PAIR)
    desk.steps.begin(0, StepPlace(Phase.SAT, 15, "axis"))
    desk.steps.play(replace(desk.work.playback, slow=True, playing=True))
    desk.steps.play_on(0.0)
    seen = set()
    for tick in range(1, 400):
        seen.add((desk.steps.place, desk.steps.part))
        desk.steps.play_on(float(tick))
    assert not desk.work.playback.playing
    assert (desk.steps.place, desk.steps.part) == (len(desk.steps.all.moments) - 1, WHOLE)
    wanted = {(place, part) for place in range(14, len(desk.steps.all.moments)) for part in desk.steps.parts_at(place)}
    assert seen == wanted


def test_a_sub_step_comes_in_a_quarter_of_a_second_and_then_rests() -> None:
    desk = Desk(PAIR)
    steps = desk.steps
    steps.begin(0, StepPlace(Phase.GJK, 2, "support A"))
    assert steps.progress == 0.0
    steps.play_on(10.0)
    assert (steps.progress, steps.next_in(10.0)) == (0.0, pytest.approx(1 / 60))
    steps.play_on(10.1)
    assert steps.progress == pytest.approx(0.4)
    steps.play_on(10.26)
    assert (steps.progress, steps.next_in(10.26)) == (1.0, None)
    steps.begin(0, StepPlace(Phase.GJK, 2, "support B"))
    steps.end_animation()
    assert (steps.progress, steps.next_in(11.0)) == (1.0, None)
    # What stands still, and the whole step, have no animation of their own, only the transition from the step before.
    for part in ("nearest", WHOLE):
        steps.begin(0, StepPlace(Phase.GJK, 2, part))
        assert steps.progress == 1.0
        steps.end_transition()
        assert steps.next_in(12.0) is None


def test_the_row_of_a_step_of_sat_comes_in_a_short_motion_unless_the_run_hurries() -> None:
    desk = Desk(PAIR)
    steps = desk.steps
    steps.begin(3)
    assert (steps.moment.phase, steps.part, steps.progress) == (Phase.SAT, WHOLE, 0.0)
    steps.play_on(10.0)
    steps.play_on(10.1)
    assert (steps.progress, steps.next_in(10.1)) == (pytest.approx(0.4), pytest.approx(1 / 60))
    steps.play_on(10.25)
    assert (steps.progress, steps.next_in(10.25)) == (1.0, None)
    for speed, progress in ((2.0, 0.0), (4.0, 1.0)):
        desk.steps.play(Playback(open=True, playing=True, speed=speed, phase=Phase.SAT, index=5))
        desk.steps.play(replace(desk.work.playback, index=6))
        assert desk.steps.progress == progress


def test_no_sub_step_moves_with_animations_off() -> None:
    desk = Desk(PAIR)
    preferences = desk.steps._preferences
    preferences.settings = replace(preferences.settings, animations=False)
    for part in ("support A", WHOLE):
        desk.steps.begin(0, StepPlace(Phase.GJK, 2, part))
        assert (desk.steps.progress, desk.steps.next_in(0.0)) == (1.0, None)
    desk.steps.begin(3)
    assert (desk.steps.progress, desk.steps.next_in(0.0)) == (1.0, None)


@pytest.mark.parametrize("part", ["nearest", "support A", "bounds", WHOLE])
def test_a_file_keeps_the_part_and_opens_at_it(part: str) -> None:
    desk, again = Desk(PAIR), Desk(PAIR)
    desk.steps.begin(0, StepPlace(Phase.GJK, 2, part))
    assert (desk.steps.place, desk.steps.part) == (16, part)
    kept = desk.steps.kept_view
    assert (kept.step, kept.at) == (17, StepPlace(Phase.GJK, 2, part))
    again.steps.begin(kept.step, kept.at)
    assert (again.work.playback.open, again.steps.place, again.steps.part) == (True, 16, part)
    # By the number alone, as files before it.
    again.steps.begin(kept.step)
    assert (again.steps.place, again.steps.part) == (16, WHOLE)


def test_beyond_a_phases_end_its_stop_is_shown_whole_and_a_phase_that_is_not_there_the_one_before() -> None:
    desk = Desk(PAIR)
    desk.steps.begin(3, StepPlace(Phase.GJK, 1000, "nearest"))
    assert (desk.steps.moment.phase, desk.steps.moment.last, desk.steps.part) == (Phase.GJK, True, WHOLE)
    desk.steps.begin(3, StepPlace(Phase.MPR, 2, "portal"))
    assert (desk.steps.moment.phase, desk.steps.moment.last, desk.steps.part) == (Phase.EPA, True, WHOLE)
    # A part that this step has not.
    desk.steps.begin(3, StepPlace(Phase.GJK, 2, "start"))
    assert (desk.steps.moment.index, desk.steps.part) == (1, WHOLE)


@pytest.mark.parametrize("phase", list(Phase))
def test_each_phase_is_kept_by_its_name(phase: Phase) -> None:
    view = View(step=1, at=StepPlace(phase, 1))
    assert from_tree(to_tree(view)) == view


def test_a_drag_keeps_the_part_and_shows_the_step_whole_where_it_is_gone() -> None:
    desk = Desk(PAIR)
    desk.steps.begin(0, StepPlace(Phase.EPA, 2, "lower"))
    assert desk.steps.part == "lower"
    desk.drag(position=(9.0, 0.0, 0.0))
    assert (desk.steps.moment.phase, desk.steps.part) == (Phase.GJK, WHOLE)
    desk.drag(position=PAIR.b.position)
    assert (desk.steps.moment.phase, desk.steps.moment.index, desk.steps.part) == (Phase.EPA, 1, "lower")


def test_another_scene_goes_to_the_start_and_rests() -> None:
    desk = Desk(PAIR)
    desk.steps.toggle_playing()
    desk.steps.play_on(0.0)
    desk.steps.play_on(1.0)
    assert desk.steps.place == 1
    desk.steps.begin(0)
    assert (desk.steps.place, desk.work.playback.open, desk.work.playback.playing) == (0, True, False)


def test_a_file_counts_the_steps_of_the_whole_answer_even_before_it_is_there() -> None:
    corners = np.random.default_rng(5).normal(size=(120, 3))
    corners /= np.linalg.norm(corners, axis=1)[:, None]
    hull = Hull(tuple((x, y, z) for x, y, z in corners.tolist()))
    pair = Scene(Body(hull), Body(hull, (1.2, 0.2, 0.9)))

    class Waiting(AnswerCache):
        known = analyse(pair, LIMITED)

        @property
        def analysis(self) -> Analysis:
            return self.known

        @property
        def whole_analysis(self) -> Analysis:
            return analyse(pair)

    desk = Desk(pair, Waiting)
    whole = query(analyse(pair))
    assert Waiting.known.beyond_limits
    assert len(query(Waiting.known).moments) < len(whole.moments)
    gjk = next(first for phase, first, _ in whole.phases if phase is Phase.GJK)
    desk.steps.begin(gjk + 1)
    assert (desk.steps.moment.phase, desk.steps.moment.index) == (Phase.GJK, 0)
    assert desk.steps.place < gjk
    assert desk.steps.kept_view.step == gjk + 1
    Waiting.known = analyse(pair)
    assert desk.steps.place == gjk
