"""Lessons in the real application: what a step shows and hides, what is noticed, and that nothing of it leaks."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from app.draw.draw_list import Subject
from app.lessons.lesson_file import read_lesson
from app.lessons.progress import load_progress
from app.lessons.shelf import shelf
from app.render.framing import all_in_sight
from app.state.lesson import Lesson
from app.state.reveal import AnswerShown, Reveal
from app.state.view import Panes, View
from core.query.query import Phase
from core.scene import Scene
from tests.snapshot_kit.window import listening

from .small_lesson import SMALL
from .window_rig import Driver, driver

__all__ = ["driver"]


def small() -> Lesson:
    return read_lesson(SMALL, "small.md")


def begin(driver: Driver, step: str = "") -> None:
    driver.app.lessons.begin(small(), step)
    driver.frame(3)


def state(driver: Driver) -> tuple[object, ...]:
    """Everything that a lesson must give back."""
    app = driver.app
    work, settings = app.work, app.preferences.settings
    document = work.document
    kept = document.entries, document.position, document.saved, document.path
    view = replace(work.view, hover=None)
    playback = work.playback
    return (*kept, view, playback, work.algorithm_settings, work.selection, work.preset, settings, app.dialogs.docked)


def moved(scene: Scene, x: float) -> Scene:
    return scene.with_body(1, replace(scene.b, position=(x, *scene.b.position[1:])))


def test_a_step_shows_what_it_asks_for_and_hides_the_answer(driver: Driver) -> None:
    app = driver.app
    begin(driver)
    shown = app.lessons.shown
    assert shown is not None
    assert shown.step is not None
    assert (shown.number, shown.ticks, app.work.view.panes) == (0, (False,), Panes.WORLD)
    assert app.cameras.area.x > 0, "the card stands at the left"
    assert app.cameras.seen.reveal.veiled, "the answer is hidden"
    assert "verdict" in app.cameras.seen.reveal.panels
    assert not {"mtv", "closest", "contacts"} & app.work.view.shown
    assert app.work.document.undo_label is None


def test_a_drag_that_reaches_the_goal_ticks_it_and_shows_the_answer(driver: Driver) -> None:
    app = driver.app
    begin(driver)
    app.ask.edit(moved(app.work.scene, 1.4), "Move B")
    driver.frame(2)
    shown = app.lessons.shown
    assert shown is not None
    assert (shown.met, shown.feedback != "") == (False, True), "what is missing is measured"
    app.ask.edit(moved(app.work.scene, 4.0), "Move B")
    driver.frame(2)
    shown = app.lessons.shown
    assert shown is not None
    assert (shown.met, shown.feedback) == (True, "")
    assert app.cameras.seen.reveal == Reveal(at_end=app.cameras.seen.reveal.at_end), "the answer is shown now"
    assert "closest" in app.work.view.shown
    assert shown.number_of("distance")[0] != "–"
    driver.key("Enter")
    assert app.lessons.shown is not None
    assert app.lessons.shown.number == 1
    assert app.work.scene.b.position[0] == 4.0, "the next step keeps what was left"


def test_pointing_at_a_body_is_no_attempt_at_a_drag(driver: Driver) -> None:
    app, now = driver.app, [0.0]
    app.lessons._clock = lambda: now[0]
    begin(driver)
    for row in (0, 1):
        app.ask.look(replace(app.work.view, pin=Subject("axis", row)))
        now[0] += 2.0
        driver.frame(2)
    shown = app.lessons.shown
    assert shown is not None
    assert (shown.feedback, shown.offers_hint) == ("", False)


def test_a_step_with_the_cameras_of_the_one_before_keeps_the_selection_too(driver: Driver) -> None:
    app = driver.app
    lesson = next(lesson for lesson in shelf() if lesson.id == "faces-to-points")
    app.lessons.begin(lesson, "edge")
    driver.frame(3)
    app.work.selection = 1
    camera = app.work.view.world
    app.lessons.next()
    driver.frame(3)
    assert app.lessons.step is not None
    assert (app.lessons.step.id, app.work.selection, app.work.view.world) == ("flat", 1, camera)
    app.lessons.next()
    assert app.work.selection is None, "nothing to drag there"


def test_a_lessons_panel_of_the_motion_has_its_curve_and_does_not_tell_which_end_decides(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = driver.app
    lesson = next(lesson for lesson in shelf() if lesson.id == "between-two-frames")
    app.lessons.begin(lesson, "enter")
    driver.frame(2)
    with listening(monkeypatch) as said:
        driver.frame()
    words = "\n".join(said.lines())
    assert "⊥A.e3" in words
    assert "latest entry 0.388" not in words
    assert "earliest exit 0.607" not in words
    assert not app.preferences.settings.panels
    assert app.panel_state().curve is not None
    app.lessons.leave()
    driver.frame(2)
    assert not app.motion.panel_taught


def test_a_step_may_show_the_cards_words_without_its_numbers(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    driver.app.lessons.begin(next(one for one in shelf() if one.id == "when-floats-fail"), "part")
    driver.frame(6)
    with listening(monkeypatch) as said:
        driver.frame()
    card = [text for _, _, text in said.texts["Step"]]
    assert {"Double", "So far", "This step", "Why"} <= set(card)
    assert "uncertainty, log scale" not in card


def test_a_goal_about_the_motion_is_judged_once_a_hidden_motion_is_shown_again(driver: Driver) -> None:
    app = driver.app
    app.lessons.begin(next(lesson for lesson in shelf() if lesson.id == "between-two-frames"), "miss")
    driver.frame(3)
    driver.key("Shift+M")
    b = app.work.scene.b
    app.ask.edit(app.work.scene.with_body(1, replace(b, displacement=(3.6, 2.6, 0.0))), "Change the motion")
    driver.frame(3)
    shown = app.lessons.shown
    assert shown is not None
    assert (shown.met, "`Shift+M`" in shown.feedback) == (False, True)
    driver.key("Shift+M")
    assert app.lessons.met


def test_goals_come_in_order_and_a_choice_goes_before_the_drag(driver: Driver) -> None:
    app = driver.app
    begin(driver, "choose")
    shown = app.lessons.shown
    assert shown is not None
    assert shown.number == 1
    assert app.work.scene.b.position == (4.0, 0.0, 0.0), "led to by the solution of the step before"
    assert app.lessons.movable == ()
    before = app.work.scene
    driver.key("Alt+Right")
    assert app.work.scene == before, "nothing moves while the choice is open"
    app.ask.choose("no")
    driver.frame(2)
    shown = app.lessons.shown
    assert shown is not None
    assert (shown.feedback, shown.wrong_options) == ("Look again.", frozenset({"no"}))
    app.ask.choose("yes")
    driver.frame(2)
    assert app.lessons.shown is not None
    assert (app.lessons.shown.ticks, app.lessons.movable) == ((True, False), (0, 1))


def test_only_the_phase_of_the_step_can_be_stepped_through(driver: Driver) -> None:
    app = driver.app
    begin(driver, "step")
    for chord in ("Left", "Ctrl+Home", "Ctrl+Left"):
        driver.key(chord)
        assert app.steps.moment is not None
        assert (app.steps.moment.phase, app.steps.moment.index) == (Phase.GJK, 0), chord
    driver.key("Ctrl+End")
    driver.frame(2)
    assert app.steps.moment is not None
    assert (app.steps.moment.phase, app.steps.moment.last) == (Phase.GJK, True)
    assert app.lessons.shown is not None
    assert app.lessons.shown.met


def test_a_question_is_answered_in_the_lesson(driver: Driver) -> None:
    app = driver.app
    begin(driver, "ask")
    asked = app.cameras.seen.asked
    assert asked is not None
    wrong = next(subject for subject in asked.question.buttons if subject not in asked.question.right)
    app.ask.guess(wrong)
    driver.frame(2)
    assert app.lessons.shown is not None
    assert not app.lessons.shown.met
    app.ask.guess(min(asked.question.right))
    driver.frame(2)
    assert app.lessons.shown.met


@pytest.mark.parametrize("lesson", shelf(), ids=lambda lesson: lesson.id)
@pytest.mark.sampled(4, "windows")
def test_the_verdicts_bar_says_no_more_than_a_step_lets_it(
    driver: Driver, lesson: Lesson, monkeypatch: pytest.MonkeyPatch
) -> None:
    for step in lesson.steps:
        if step.look.answer is AnswerShown.FULL:
            continue
        driver.app.lessons.begin(lesson, step.id)
        driver.frame(4)
        with listening(monkeypatch) as said:
            driver.frame()
        lines = list(said.lines())
        start = next((at for at, line in enumerate(lines) if line.startswith("verdict ")), len(lines))
        bar = " ".join(line.strip().partition(" ")[2] for line in lines[start + 1 : start + 3] if line.startswith(" "))
        assert not re.search(r"\d|along", bar), (step.id, bar)


def test_the_cameras_move_only_where_a_step_does_not_fit(driver: Driver) -> None:
    lessons, cameras, lesson = driver.app.lessons, {}, shelf()[0]
    lessons.begin(lesson)
    for number, step in enumerate(lesson.steps[:5]):
        driver.frame(6)
        cameras[step.id] = driver.app.work.view.world
        assert all_in_sight(driver.app.cameras.seen, driver.app.cameras.size)
        if number == 0:
            # B is dragged; the next step begins where this one began.
            driver.app.ask.edit(moved(driver.app.work.scene, 2.2), "Move B")
            driver.frame(3)
        lessons.next()
    assert cameras["shadows"] == cameras["unknown"]
    assert cameras["find"] == cameras["which"]


def test_show_me_reaches_every_goal_and_is_told_apart(driver: Driver) -> None:
    app = driver.app
    begin(driver)
    app.invoke("lessons.hint")
    app.invoke("lessons.hint")
    app.lessons.end_animation()
    driver.frame(2)
    shown = app.lessons.shown
    assert shown is not None
    assert (shown.hints, shown.met, shown.helped) == (1, True, True)
    kept = load_progress()[0].of("small")
    assert (kept.done, kept.shown) == ((), ("push",))


def test_show_me_drags_before_the_learners_eyes_and_any_key_ends_it(driver: Driver) -> None:
    app = driver.app
    begin(driver)
    before = app.work.scene
    app.invoke("lessons.hint")
    app.invoke("lessons.hint")
    app.lessons.play_on(10.0)
    assert app.work.dragged, "on its way, and no edit yet"
    app.lessons.play_on(10.35)
    half = app.work.scene
    assert before.b.position[0] < half.b.position[0] < 4.0
    assert app.lessons.next_in is not None, "the next frame follows"
    assert not app.lessons.met
    driver.key("F1")
    assert app.lessons.met
    assert (app.work.scene.b.position, app.work.dragged) == ((4.0, 0.0, 0.0), False)


def test_show_me_is_there_at_once_without_animations(driver: Driver) -> None:
    app = driver.app
    app.ask.configure(replace(app.preferences.settings, animations=False))
    begin(driver)
    app.invoke("lessons.hint")
    app.invoke("lessons.hint")
    assert app.work.scene.b.position == (4.0, 0.0, 0.0)
    assert app.lessons.met


def test_what_a_step_reveals_is_in_sight(driver: Driver) -> None:
    app = driver.app
    app.lessons.begin(read_lesson(SMALL.replace("> panes: world\n> verdict: hidden", "> verdict: hidden"), "small.md"))
    driver.frame(4)
    app.ask.edit(moved(app.work.scene, 6.0), "Move B")
    driver.frame(4)
    assert app.lessons.met
    assert all_in_sight(app.cameras.seen, app.cameras.size, app.cameras.divider)


def test_the_panes_stand_in_the_order_written(driver: Driver) -> None:
    app = driver.app
    app.lessons.begin(read_lesson(SMALL.replace("> panes: world", "> panes: difference, world"), "small.md"))
    driver.frame(4)
    (first, second), area = app.builder.panes, app.cameras.area
    assert (first.kind, second.kind, first.rect.x) == ("difference", "world", area.x)
    assert second.rect.x > first.rect.x
    app.cameras.show_panes(Panes.BOTH)
    driver.frame()
    assert [pane.kind for pane in app.builder.panes] == ["world", "difference"]


def test_no_other_question_is_asked_in_a_lesson(driver: Driver) -> None:
    app = driver.app
    begin(driver)
    driver.key("S")
    assert app.quiz.asked is None
    begin(driver, "ask")
    asked = app.quiz.asked
    driver.key("S")
    app.invoke("predict.show")
    assert asked is not None
    assert app.quiz.asked is not None
    assert (app.quiz.asked.question.kind, app.quiz.asked.open) == (asked.question.kind, True)


def test_goals_that_must_hold_together_say_what_a_drag_has_missed(driver: Driver) -> None:
    app = driver.app
    app.lessons.begin(next(lesson for lesson in shelf() if lesson.id == "one-gap-is-proof"), "push")
    driver.frame(3)
    x, y = driver.at(app.work.scene.b.position)
    driver.drag((x, y), (x + 8.0, y))
    driver.frame(2)
    shown = app.lessons.shown
    assert shown is not None
    assert (shown.ticks, shown.met) == ((False, True), False)
    assert "deep" in shown.feedback


def test_nothing_of_a_lesson_stays_behind(driver: Driver) -> None:
    app = driver.app
    # The card of the notes is lower without the offer of a first lesson.
    app.lessons.keeper.decline()
    app.ask.edit(moved(app.work.scene, 1.2), "Move B")
    app.ask.look(replace(app.work.view, panes=Panes.DIFFERENCE))
    app.invoke("panel.knobs")
    driver.key("T")
    driver.frame(3)
    before = state(driver)
    begin(driver)
    assert not app.work.document.unsaved
    app.ask.edit(moved(app.work.scene, 4.0), "Move B")
    driver.frame(2)
    for step in range(1, 4):
        app.invoke("lessons.skip")
        driver.frame(2)
        assert app.lessons.shown is not None
        assert app.lessons.shown.number == step
    assert not app.work.document.unsaved
    for _ in range(4):
        if app.lessons.open:
            driver.key("Escape")
    driver.frame(2)
    driver.frame(6)
    assert state(driver) == before
    assert app.work.document.unsaved, "as it was"


def test_cameras_are_framed_after_a_lesson_as_before_it(driver: Driver) -> None:
    """The globe takes a corner of the first pane: the fitted picture moves out of it."""
    app = driver.app
    # The card of the notes is lower without the offer of a first lesson.
    app.lessons.keeper.decline()
    app.files.load_preset("box-on-plate")
    driver.frame(3)

    def framed_with_globe() -> View:
        app.ask.look(app.work.view.with_toggled("globe"))
        driver.frame(3)
        view = app.work.view
        app.ask.look(view.with_toggled("globe"))
        driver.frame(3)
        return replace(view, hover=None)

    without = app.work.view
    before = framed_with_globe()
    assert before.world != without.world
    assert app.work.view.world == without.world
    lesson = shelf()[0]
    app.lessons.begin(lesson)
    for _ in lesson.steps[:4]:
        driver.frame(3)
        app.lessons.end_animation()
        app.invoke("lessons.skip")
    driver.frame(3)
    app.lessons.leave()
    driver.frame(3)
    assert framed_with_globe() == before


def test_opening_something_else_leaves_the_lesson_and_asks_about_the_users_own_work(driver: Driver) -> None:
    app = driver.app
    app.ask.edit(replace(app.work.scene, name="Mine"), "Rename")
    mine = app.work.document
    begin(driver)
    app.files.load_preset("two-spheres")
    driver.frame(2)
    assert not app.lessons.open
    assert app.questions.pending is not None
    assert app.work.document.entries == mine.entries


def test_progress_is_kept_by_the_ids_of_steps_and_goes_on_there(driver: Driver) -> None:
    app = driver.app
    begin(driver)
    app.ask.edit(moved(app.work.scene, 4.0), "Move B")
    driver.frame(2)
    app.invoke("lessons.next")
    driver.frame()
    kept = load_progress()[0]
    assert (kept.last, kept.of("small").step, kept.of("small").done) == ("small", "choose", ("push",))
    app.ask.go_to_step(0)
    driver.frame()
    assert app.lessons.shown is not None
    assert (app.lessons.shown.number, app.lessons.shown.reached) == (0, 1)


def test_the_end_says_how_much_was_done_alone(driver: Driver) -> None:
    app = driver.app
    begin(driver, "ask")
    app.invoke("lessons.skip")
    driver.frame(2)
    shown = app.lessons.shown
    assert shown is not None
    assert (shown.step, shown.goals, shown.alone_in) == (None, 4, frozenset())
    scene = app.work.scene
    app.invoke("lessons.explore")
    driver.frame(2)
    assert not app.lessons.open
    assert app.work.scene == scene


@pytest.mark.parametrize("lesson", shelf(), ids=lambda lesson: lesson.id)
@pytest.mark.sampled(4, "windows")
def test_every_shipped_lesson_plays_to_its_end_in_the_window(driver: Driver, lesson: Lesson) -> None:
    app = driver.app
    app.lessons.begin(lesson)
    for number, step in enumerate(lesson.steps):
        driver.frame(2)
        shown = app.lessons.shown
        assert shown is not None
        assert (shown.number, shown.step) == (number, step)
        if step.goals:
            assert step.together or not any(shown.ticks), f"{step.id} begins with a goal met"
            for _ in range(len(step.hints) + 1):
                app.invoke("lessons.hint")
                driver.frame()
            app.lessons.end_animation()
            assert app.lessons.shown.met, step.id
            assert bool(app.cameras.veil) is (step.look.answer is AnswerShown.NEVER)
        app.invoke("lessons.skip")
    driver.frame(2)
    assert app.lessons.shown is not None
    assert app.lessons.shown.step is None
    assert load_progress()[0].of(lesson.id).finished


def test_the_card_asks_for_nothing_before_a_lesson(driver: Driver) -> None:
    app = driver.app
    assert (app.lessons.shown, app.lessons.movable, app.lessons.next_in) == (None, (0, 1), None)
    assert not app.lessons.leave()
