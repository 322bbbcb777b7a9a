"""What a lesson holds back until it is found, and when its goals are met."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from imgui_bundle import implot
from msgspec.structs import replace

from app.draw.draw_list import Subject
from app.draw.theme import Theme
from app.lessons.about_learner import STUCK
from app.lessons.lesson_file import read_lesson
from app.lessons.shelf import shelf
from app.panels import through_zero_chart
from app.panels.chart import Upright
from app.panels.motion_bar import mark_words, readings
from app.panels.through_zero_chart import Event
from app.probes.free_axis import FreeAxis
from app.words.digits import plain
from core.geometry.triple import triple
from core.geometry.vector import length
from tests.snapshot_kit.window import listening

from .small_lesson import SMALL
from .window_rig import Driver, driver, place_of

__all__ = ["driver"]


def test_a_table_does_not_tell_which_axis_a_lesson_asks_for(driver: Driver) -> None:
    app, lesson = driver.app, shelf()[1]
    app.lessons.begin(lesson, "cross")
    driver.frame(3)
    ui = app.panel_state()
    winner = ui.analysis.sat.winner
    assert ui.sat_progress.best is None
    assert ui.sat_progress.reason(ui.analysis, winner) == "a gap of 0.2"
    assert ui.sat_progress.reason(ui.analysis, 0) == "an overlap of 2.54"
    app.ask.look(replace(app.work.view, pin=Subject("axis", winner)))
    driver.frame(3)
    app.lessons.choose("edges")
    driver.frame(3)
    assert app.panel_state().sat_progress.best == winner, "the goals are met"


def test_nothing_tells_the_time_of_impact_while_it_is_asked(driver: Driver) -> None:
    app = driver.app
    lesson = next(lesson for lesson in shelf() if lesson.id == "between-two-frames")
    app.lessons.begin(lesson, "time")
    driver.frame(3)
    ui = app.panel_state()
    assert not ui.reveal.numbers
    assert "impact" not in readings(ui)
    assert mark_words(ui) == []
    for _ in range(4):
        app.invoke("lessons.hint")
        app.lessons.end_animation()
        driver.frame(2)
    ui = app.panel_state()
    assert ui.reveal.numbers
    assert "impact" in readings(ui)


def test_a_step_that_never_shows_the_answer_hides_it_after_its_question_too(driver: Driver) -> None:
    app = driver.app
    never = SMALL.replace("> id: ask\n", "> id: ask\n> verdict: never\n")
    assert never != SMALL
    app.lessons.begin(read_lesson(never, "small.md"), "ask")
    driver.frame(3)
    asked = app.cameras.seen.asked
    assert asked is not None
    app.ask.guess(min(asked.question.right))
    driver.frame(3)
    assert app.lessons.shown is not None
    assert app.lessons.shown.met
    seen = app.cameras.seen
    assert seen.reveal.veiled
    assert {"mtv", "closest", "contacts"} <= seen.reveal.overlays
    assert {"verdict", "answers"} <= seen.reveal.panels


def test_a_goal_that_holds_from_the_start_is_not_ticked_before_anything_was_done(driver: Driver) -> None:
    app = driver.app
    for name, step in (("one-gap-is-proof", "push"), ("one-point-tells-all", "turn")):
        app.lessons.begin(next(lesson for lesson in shelf() if lesson.id == name), step)
        driver.frame(4)
        assert app.lessons.shown is not None
        assert not any(app.lessons.shown.ticks), step


@pytest.mark.parametrize(("step", "told"), [("nearest", False), ("lower", False), ("upper", False), ("grow", True)])
def test_the_depth_that_epa_walks_to_is_told_at_its_stop_alone(
    driver: Driver, monkeypatch: pytest.MonkeyPatch, step: str, told: bool
) -> None:
    """A right answer on the way showed it above the picture, before the lesson asked what the bounds prove."""
    app, lesson = driver.app, next(lesson for lesson in shelf() if lesson.id == "epa-grows")
    app.lessons.begin(lesson, step)
    driver.frame(3)
    while app.lessons.shown is not None and not app.lessons.shown.met:
        app.invoke("lessons.hint")
        driver.frame(2)
        app.lessons.end_animation()
    driver.frame(3)
    with listening(monkeypatch) as said:
        driver.frame()
    assert any("1.13 units" in line for line in said.lines()) is told


def test_a_slider_dragged_past_the_moment_of_touch_has_not_found_it(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, lesson = driver.app, next(lesson for lesson in shelf() if lesson.id == "between-two-frames")
    app.lessons.begin(lesson, "time")
    driver.frame(3)
    for held, time, met in ((True, 0.388, False), (True, 0.6, False), (False, 0.6, False), (False, 0.388, True)):
        monkeypatch.setattr(type(app.host), "held", held)
        app.ask.look(replace(app.work.view, time=time))
        driver.frame(2)
        assert app.lessons.shown is not None
        assert app.lessons.shown.met is met, (held, time)


def test_the_last_goal_of_the_lessons_is_met_by_the_click_that_its_text_names(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, marks = driver.app, {}
    app.lessons.begin(next(lesson for lesson in shelf() if lesson.id == "when-floats-fail"), "own")
    app.invoke("panel.through_zero")
    driver.frame(6)

    events: list[Event] = []

    def noted(theme: Theme, found: Sequence[Event], here: float | None, scale: float) -> list[Upright]:
        events[:] = found
        return marked(theme, found, here, scale)

    def over(theme: Theme, runs: Sequence[tuple[float, float, str]], scale: float) -> None:
        limits = implot.get_plot_limits().y
        for event in events:
            pixel = implot.plot_to_pixels(event.place * scale, 0.5 * (limits.min + limits.max))
            marks.setdefault(event.words, (pixel.x, pixel.y))
        strip(theme, runs, scale)

    marked, strip = through_zero_chart._marks, through_zero_chart._draw_winners
    monkeypatch.setattr(through_zero_chart, "_marks", noted)
    monkeypatch.setattr(through_zero_chart, "_draw_winners", over)
    driver.click(*place_of(driver, "Plot", monkeypatch))
    while not marks:
        driver.frame()
    driver.frame(3)
    assert app.lessons.shown is not None
    assert app.lessons.shown.ticks == (True, False)
    (line,) = [
        place for words, place in marks.items() if words.startswith("verdict OVERLAPPING → TOUCHING → SEPARATED")
    ]
    driver.click(*line)
    driver.frame(3)
    assert app.lessons.shown.met
    assert abs(app.cameras.seen.analysis.separation) <= 1e-9


@pytest.mark.parametrize("passed", [(0.2, 0.98, 0.0), (1.0, 0.0, 0.0)])
def test_the_best_of_an_axis_turned_is_the_best_that_was_on_the_screen(
    driver: Driver, monkeypatch: pytest.MonkeyPatch, passed: tuple[float, float, float]
) -> None:
    """Under way, or at the start; a drag is one try all the same."""
    app = driver.app
    app.lessons.begin(shelf()[1], "hunt")
    driver.frame(3)
    left = (0.0, 0.0, 1.0)
    shown = [app.work.view.free, passed, left]
    for held, free in ((True, passed), (True, left), (False, left)):
        monkeypatch.setattr(type(app.host), "held", held)
        app.ask.look(replace(app.work.view, free=free))
        driver.frame(2)
    best = max(FreeAxis.of(app.cameras.seen.analysis, axis).separation for axis in shown if axis is not None)
    assert app.lessons.shown is not None
    assert app.lessons.shown.feedback.endswith(f"your best was an overlap of {plain(-best)}.")


def test_a_wall_whose_lit_parts_hold_it_is_stuck_and_snaps_there(driver: Driver) -> None:
    """As by hand: between 3 and 14 degrees off the cross product of two edges, both of which the picture lights."""
    app = driver.app
    app.lessons.begin(shelf()[1], "loose")
    driver.frame(3)
    analysis = app.cameras.seen.analysis
    row = next(k for k, one in enumerate(analysis.sat.candidates) if one.label == "A.z×B.z")
    towards = analysis.sat.axes[row] * analysis.sat.sides[row]
    # Turned about A's edge towards the loose wall at the start, which cuts no body either.
    assert app.work.view.free is not None
    mixed = 0.88 * towards + 0.12 * np.array(app.work.view.free)
    off = FreeAxis.of(analysis, triple(mixed / length(mixed)))
    assert off.separation >= -analysis.band
    assert off.angle > STUCK
    app.ask.look(replace(app.work.view, free=triple(off.axis)))
    driver.frame(3)
    assert app.lessons.shown is not None
    assert app.lessons.shown.ticks[0]
    assert FreeAxis.of(analysis, app.work.view.free).is_candidate
    assert app.lessons.shown.feedback == ""
