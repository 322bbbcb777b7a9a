"""Ways into a lesson and out of it: files, the offer, keys, panels and settings."""

from __future__ import annotations

from pathlib import Path

import pytest
from imgui_bundle import imgui
from msgspec.structs import replace

from app.io.lesson_index import lesson_titles
from app.lessons.progress import load_progress
from app.lessons.shelf import shelf
from app.panels import lesson_text
from app.panels.defined_text import definition
from app.render.framing import all_in_sight
from app.state.lesson import Lesson
from app.words.glossary import term_of
from tests.snapshot_kit.window import listening

from .window_rig import Driver, driver, place_of

__all__ = ["driver"]

from .test_window_lessons import SMALL, begin, moved


def test_a_lesson_file_opens_and_is_read_again_when_it_is_saved(driver: Driver, tmp_path: Path) -> None:
    app = driver.app
    path = tmp_path / "small.md"
    path.write_text(SMALL, encoding="utf-8")
    app.files.open(path)
    driver.frame(2)
    app.invoke("lessons.skip")
    driver.frame(2)
    path.write_text(SMALL.replace("Is it far?", "Is it far away from A?"), encoding="utf-8")
    app.look_at_disk()
    driver.frame(2)
    shown = app.lessons.shown
    assert shown is not None
    assert shown.step is not None
    assert (shown.number, shown.step.text) == (1, "Is it far away from A?")
    # Another lesson than the file's stays when the file is saved.
    other = shelf()[0]
    app.lessons.begin(other)
    path.write_text(SMALL, encoding="utf-8")
    app.look_at_disk()
    driver.frame(2)
    assert app.lessons.shown is not None
    assert app.lessons.shown.lesson is other


def test_a_wrong_lesson_file_is_refused_with_its_line(driver: Driver, tmp_path: Path) -> None:
    app = driver.app
    before = app.work.document
    path = tmp_path / "wrong.md"
    path.write_text(SMALL.replace("goal: answered(contacts)", "goal: answred(contacts)"), encoding="utf-8")
    app.files.open(path)
    driver.frame(2)
    told = [notice.message for notice in app.notices.now()]
    assert len(told) == 1
    assert told[0].startswith(f"{path}:")
    assert "answred" in told[0]
    assert not app.lessons.open
    assert app.work.document is before


def test_the_first_lesson_is_offered_once(driver: Driver) -> None:
    app = driver.app
    driver.frame(2)
    assert app.lessons.keeper.offer == "One gap is proof, 7 minutes"
    app.ask.decline_lesson()
    assert app.lessons.keeper.offer == ""
    assert load_progress()[0].offered


def test_every_shipped_lesson_has_a_command_and_a_title_that_is_its_own(driver: Driver) -> None:
    for lesson, title in zip(shelf(), lesson_titles(), strict=True):
        assert (lesson.id, lesson.title, lesson.world, lesson.minutes) == (
            title.id,
            title.title,
            title.world,
            title.minutes,
        )
        driver.app.invoke(f"lesson.{lesson.id}")
        driver.frame(2)
        shown = driver.app.lessons.shown
        assert shown is not None
        assert shown.lesson.id == lesson.id


def test_the_panels_of_a_step_are_there_and_no_others(driver: Driver) -> None:
    app = driver.app
    app.ask.configure(replace(app.preferences.settings, panels=True))
    driver.frame(3)
    begin(driver, "choose")
    driver.frame(3)
    visible = {name for name in ("Axes", "Bodies", "Answers", "Step") if _is_seen(name)}
    assert visible == {"Axes"}
    driver.key("Tab")
    assert app.preferences.settings.panels, "a lesson has panels of its own"


def _is_seen(name: str) -> bool:
    window = imgui.internal.find_window_by_name(name)
    return window is not None and window.active


def test_a_number_on_the_keyboard_chooses(driver: Driver) -> None:
    app = driver.app
    begin(driver, "choose")
    yaw = app.work.view.world.yaw
    driver.key("2")
    shown = app.lessons.shown
    assert shown is not None
    assert (shown.wrong_options, shown.ticks) == (frozenset({"no"}), (False, False))
    driver.key("3")
    assert app.work.view.world.yaw == yaw, "no camera while there is something to choose"
    driver.key("1")
    assert app.lessons.shown is not None
    assert app.lessons.shown.ticks == (True, False)
    begin(driver, "ask")
    asked = app.cameras.seen.asked
    assert asked is not None
    (right,) = asked.question.right
    driver.key(asked.question.candidates[right])
    driver.frame(2)
    assert app.lessons.shown.met


def test_another_preset_is_no_slip_of_a_key_away(driver: Driver) -> None:
    app = driver.app
    begin(driver)
    driver.key("]")
    assert app.lessons.open


def test_what_is_configured_in_a_lesson_keeps_the_users_own_panels(driver: Driver) -> None:
    """A panel sends back the settings that it sees, and a lesson shows others: its panels were kept as the user's."""
    app = driver.app
    app.ask.configure(replace(app.preferences.settings, panels=True, hint=True, algorithm=True))
    begin(driver)
    seen = app.panel_state().settings
    assert (seen.panels, seen.hint, seen.algorithm) == (False, False, False)
    app.ask.configure(replace(seen, verdict_told=True))
    kept = app.preferences.settings
    assert (kept.panels, kept.hint, kept.algorithm, kept.verdict_told) == (True, True, True, True)
    app.lessons.leave()
    app.ask.configure(replace(app.panel_state().settings, panels=False))
    assert not app.preferences.settings.panels


def test_a_lesson_gives_the_bounds_scale_back(driver: Driver) -> None:
    """A lesson's step sets the scale that it needs; the user's was lost."""
    driver.app.dialogs.log_scale = True
    begin(driver)
    assert not driver.app.dialogs.log_scale
    driver.app.lessons.leave()
    assert driver.app.dialogs.log_scale


@pytest.mark.parametrize("step", ["push", "step", "ask"])
def test_escape_leaves_the_lesson_and_takes_nothing_of_its_step_away(driver: Driver, step: str) -> None:
    """It closed the step's timeline, or stopped its question, which was never asked again."""
    app = driver.app
    begin(driver, step)
    app.work.selection = 1
    driver.key("Escape")
    assert not app.lessons.open
    driver.key("F2")
    assert app.lessons.open


def test_a_lesson_begun_anew_forgets_what_was_done(driver: Driver) -> None:
    app = driver.app
    begin(driver)
    app.ask.edit(moved(app.work.scene, 4.0), "Move B")
    driver.frame(2)
    assert load_progress()[0].of("small").done == ("push",)
    app.invoke("lessons.next")
    app.invoke("lessons.anew")
    driver.frame(2)
    shown = app.lessons.shown
    assert shown is not None
    assert (shown.number, shown.reached, shown.alone_in) == (0, 0, frozenset())
    assert load_progress()[0].of("small").done == ()


def test_enter_at_a_lessons_end_opens_the_next_one_and_after_the_last_the_gallery(driver: Driver) -> None:
    app = driver.app
    for lesson, following in zip(shelf(), (*shelf()[1:], None), strict=True):
        app.lessons.begin(lesson, lesson.steps[-1].id)
        driver.frame(2)
        driver.key("Enter")
        assert (app.lessons.open, app.lessons.step) == (True, None), "the end"
        driver.key("Enter")
        if following is not None:
            assert app.lessons.step is following.steps[0]
        assert app.dialogs.presets == (following is None)
    for opened in (True, False):
        driver.key("Escape")
        assert (app.dialogs.presets, app.lessons.open) == (False, opened)


def test_a_term_says_what_it_means_and_where_it_is_shown() -> None:
    assert definition(term_of("gap")).startswith("gap: ")
    assert "Lesson 1 shows this." in definition(term_of("gap"))
    assert "Lesson" not in definition(term_of("gap"), here="one-gap-is-proof")
    assert term_of("no such word") is None


def test_f2_opens_the_lesson_after_a_finished_one_and_else_the_step_that_was_left(driver: Driver) -> None:
    app = driver.app
    first, second = shelf()[:2]
    app.lessons.begin(first)
    while app.lessons.step is not None:
        app.invoke("lessons.skip")
        driver.frame()
    driver.key("Escape")
    driver.key("F2")
    assert app.lessons.shown is not None
    assert app.lessons.shown.lesson.id == second.id
    app.invoke("lessons.skip")
    driver.frame(2)
    left = app.lessons.step
    driver.key("Escape")
    assert not app.lessons.open
    driver.key("F2")
    assert app.lessons.step == left == second.steps[1]
    # A finished lesson that was opened again is left and taken up like any other.
    driver.key("Escape")
    app.lessons.resume(first.id)
    app.invoke("lessons.skip")
    driver.key("Escape")
    driver.key("F2")
    assert app.lessons.step == first.steps[1]


def test_a_drag_in_a_lesson_leaves_the_cameras_where_they_are(driver: Driver) -> None:
    """The picture moved when the goal was met, while the learner looked."""
    app, lesson = driver.app, shelf()[0]
    for across, up in ((100.0, 30.0), (-90.0, -60.0), (40.0, 110.0)):
        app.lessons.begin(lesson, "shadows")
        driver.frame(4)
        before = app.work.view.world
        x, y = driver.at(app.work.scene.b.position)
        driver.drag((x, y), (x + across, y + up))
        driver.frame(4)
        assert app.lessons.met
        assert app.work.view.world == before
    app.lessons.begin(lesson, "find")
    driver.frame(4)
    before = app.work.view.world
    app.ask.look(replace(app.work.view, free=(0.906, 0.423, 0.0)))
    driver.frame(4)
    assert app.lessons.met
    assert app.work.view.world == before


def test_two_photographs_are_taken_with_one_camera(driver: Driver) -> None:
    app = driver.app
    app.lessons.begin(next(lesson for lesson in shelf() if lesson.id == "between-two-frames"))
    driver.frame(4)
    first = app.work.view.world
    app.invoke("lessons.next")
    driver.frame(4)
    assert app.work.view.world == first
    assert all_in_sight(app.cameras.seen, app.cameras.size, app.cameras.divider)
    app.ask.choose("unknown")
    driver.frame(4)
    assert app.work.view.world == first


def test_time_counts_while_the_learner_does_something(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    app, clock = driver.app, [1000.0]
    monkeypatch.setattr(app.lessons, "_clock", lambda: clock[0])
    begin(driver)

    def wait_and_move(seconds: float, x: float) -> int:
        clock[0] += seconds
        driver.frame()
        app.ask.edit(moved(app.work.scene, x), "Move B")
        driver.frame(2)
        assert app.lessons.shown is not None
        return app.lessons.shown.minutes

    assert wait_and_move(119.0, 1.1) == 2
    assert wait_and_move(3600.0, 1.2) == 4, "an hour away counts as two minutes"
    assert wait_and_move(65.0, 1.4) == 5
    app.lessons.go(0)
    app.invoke("lessons.next")
    clock[0] += 7200.0
    driver.frame(2)
    assert app.lessons.shown is not None
    assert app.lessons.shown.minutes == 7


def test_the_keyboard_comes_to_every_term_and_opens_its_definition(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = driver.app
    told: list[str] = []
    monkeypatch.setattr(lesson_text, "tell", told.append)
    app.lessons.begin(shelf()[1], "six")
    driver.frame(3)
    driver.key("Tab")
    assert app.lessons.shown is not None
    assert (app.lessons.shown.term, app.lessons.shown.defined) == (0, False)
    assert not told
    for key in ("Enter", "Space"):
        told.clear()
        driver.key(key)
        driver.frame()
        assert told[-1].startswith("face normal: "), key
        driver.key("Escape")
        assert app.lessons.open
        assert not app.lessons.shown.defined
    for term in (1, 2):
        driver.key("Tab")
        assert app.lessons.shown.term == term
    driver.key("Tab")
    assert app.lessons.shown.term is None, "behind the last term the card has no focus"
    driver.key("Escape")
    assert not app.lessons.open


def test_with_a_term_in_focus_enter_does_not_go_on(driver: Driver) -> None:
    app = driver.app
    app.lessons.begin(shelf()[0], "find")
    app.invoke("lessons.hint")
    app.invoke("lessons.hint")
    app.lessons.end_animation()
    driver.frame(2)
    assert app.lessons.met
    driver.key("Shift+Tab")
    driver.key("Enter")
    assert app.lessons.step is not None
    assert (app.lessons.step.id, app.lessons.shown and app.lessons.shown.defined) == ("find", True)
    driver.key("Tab")
    driver.key("Enter")
    assert app.lessons.step.id == "which"


def test_f2_in_a_lesson_opens_the_list_of_all(driver: Driver) -> None:
    app = driver.app
    begin(driver, "step")
    driver.key("F2")
    assert app.dialogs.presets
    assert app.lessons.step is not None
    assert app.lessons.step.id == "step", "the lesson stays until another is chosen"


def test_all_opens_at_the_lesson_under_way_even_if_every_lesson_is_done(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = driver.app
    monkeypatch.setattr(type(app.lessons.keeper), "learnt", {lesson.id: 1.0 for lesson in shelf()})
    app.lessons.begin(shelf()[2], "origin")
    app.invoke("presets.gallery")
    driver.frame(4)
    with listening(monkeypatch) as said:
        driver.frame()
    told = [text for texts in said.texts.values() for _, _, text in texts]
    assert "Lessons" in told
    assert any("One point tells all" in text for text in told)


@pytest.mark.parametrize("text", ["convex", "Learn"])
def test_a_tooltip_comes_up_where_the_pointer_rests(driver: Driver, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    if text == "convex":
        driver.app.lessons.begin(shelf()[0], "which")
    driver.frame(4)
    x, y = place_of(driver, text, monkeypatch)
    driver.move(x, y)
    wanted, frames = driver.app.draw_frame(), 1
    # In a lesson the next frame is in minutes, when a hint is offered.
    while wanted is not None and wanted < 1.0:
        driver.now += wanted
        wanted, frames = driver.app.draw_frame(), frames + 1
        assert frames < 20, "a window at rest draws nothing"
    assert _is_seen("##Tooltip_00")


def test_a_step_that_begins_under_the_pointer_tells_no_term_until_it_moves(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, told = driver.app, []
    app.lessons.begin(shelf()[0], "which")
    driver.frame(4)
    x, y = place_of(driver, "convex", monkeypatch)
    app.lessons.begin(shelf()[0], "first-gap")
    driver.move(x, y)
    driver.frame(4)
    monkeypatch.setattr(lesson_text, "tell", told.append)
    app.lessons.begin(shelf()[0], "which")
    driver.frame(4)
    assert told == []
    driver.move(x + 2, y)
    driver.frame(2)
    assert told[-1].startswith("convex: ")


@pytest.mark.parametrize("lesson", shelf(), ids=lambda lesson: lesson.id)
def test_no_goal_is_met_as_a_step_opens_nor_by_a_jump_to_an_end_of_its_timeline(driver: Driver, lesson: Lesson) -> None:
    """Where a text asks for `End`, or the next step is the last that is shown, the jump is what is asked for."""
    app = driver.app

    def ticks() -> tuple[bool, ...]:
        driver.frame(2)
        shown = app.lessons.shown
        assert shown is not None
        return shown.ticks

    for step in lesson.steps:
        app.lessons.begin(lesson, step.id)
        assert not any(ticks()), step.id
        moment = app.cameras.seen.moment
        if moment is None or moment.index + 2 >= moment.count or "`End`" in step.text or step.look.until is not None:
            continue
        if step.goals[0].name == "chose":
            app.lessons.choose(step.goals[0].arguments[0])
        before = ticks()
        for chord in ("End", "Home", "End"):
            driver.key(chord)
            assert ticks() == before, step.id


def test_a_timeline_ends_where_the_step_says_and_goes_on_in_the_next_step(driver: Driver) -> None:
    """One `→` too many took away the line of which the closing words speak."""
    app = driver.app
    app.lessons.begin(lesson_named("gjk-walks"), "segment")
    driver.frame(4)
    for chord in (*["Right"] * 9, "End", "Shift+Right"):
        driver.key(chord)
        moment = app.steps.moment
        assert moment is not None
        assert moment.index == 1
        assert app.steps.part in ("direction", "support A", "support B", "subtract", "lower")
    assert (app.steps.part, app.work.playback.playing) == ("lower", False)
    app.lessons.choose("apart")
    assert "line through w₂" in labels(driver)
    driver.key("Home")
    driver.key("Space")
    driver.frame(600)
    assert (app.steps.part, app.work.playback.playing) == ("lower", False), "playing stops there too"
    app.lessons.begin(lesson_named("gjk-walks"), "stop")
    driver.frame(4)
    driver.key("End")
    moment = app.steps.moment
    assert moment is not None
    assert moment.last


def labels(driver: Driver) -> set[str]:
    """The texts in the picture, after the transition between two steps."""
    driver.frame(90)
    return {label.text for pane in driver.app.builder.placed for label in pane.labels}


def lesson_named(name: str) -> Lesson:
    return next(lesson for lesson in shelf() if lesson.id == name)


def test_the_number_of_arcs_that_cross_is_told_once_the_question_about_it_is_answered(driver: Driver) -> None:
    app, lesson, count = driver.app, lesson_named("faces-become-points"), "○ 18 of 144 pairs of arcs cross"
    app.lessons.begin(lesson, "crossing")
    assert count not in labels(driver)
    app.lessons.choose("parallelogram")
    assert count not in labels(driver), "the next step asks for it"
    app.lessons.begin(lesson, "gauss")
    assert count not in labels(driver)
    app.lessons.choose("2")
    assert count in labels(driver)


def test_the_origins_path_waits_for_the_answer_and_no_arrow_has_a_handle_that_cannot_be_dragged(driver: Driver) -> None:
    app, lesson = driver.app, lesson_named("between-two-frames")
    app.lessons.begin(lesson, "hold")
    assert "the origin's path" not in labels(driver)
    assert app.cameras.seen.handles == ()
    app.lessons.choose("right")
    assert "the origin's path" in labels(driver)
    app.lessons.begin(lesson, "miss")
    assert app.cameras.seen.handles == (1,)
    app.lessons.leave()
    assert app.cameras.seen.handles == (0, 1)


def test_the_log_scale_is_a_goal_which_its_command_meets(driver: Driver) -> None:
    app = driver.app
    app.lessons.begin(lesson_named("epa-grows"), "round")
    driver.frame(2)
    driver.key("End")
    app.lessons.choose("early")
    driver.frame(2)
    assert not app.lessons.met
    app.invoke("steps.log_scale")
    driver.frame(2)
    app.lessons.choose("early")
    driver.frame(2)
    assert app.lessons.met
    app.lessons.next()
    assert not app.dialogs.log_scale


def test_what_a_step_names_has_its_name_in_the_picture(driver: Driver) -> None:
    app = driver.app
    app.lessons.begin(lesson_named("one-point-tells-all"), "round")
    app.lessons.choose("rounded")
    assert "A.v1 → B" in labels(driver)
    app.lessons.begin(lesson_named("epa-grows"), "face")
    driver.frame(2)
    asked = app.quiz.asked
    assert asked is not None
    app.ask.guess(next(iter(asked.question.right)))
    assert {"w₀", "w₁", "w₂", "w₃"} <= labels(driver)
