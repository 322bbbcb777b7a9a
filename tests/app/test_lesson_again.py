"""A lesson taken up again: its dots, its time, steps that have moved to another lesson, and a step begun again."""

from __future__ import annotations

from pathlib import Path

import pytest
from imgui_bundle import imgui
from msgspec.structs import replace

from app.lessons.lesson_file import read_lesson
from app.lessons.progress import LessonProgress
from app.lessons.shelf import shelf
from app.panels.lesson_card import MENU_COMMANDS
from app.state.lesson import Lesson
from tests.snapshot_kit.window import listening

from .small_lesson import SMALL
from .test_window_lessons import begin, moved
from .window_rig import Driver, driver

__all__ = ["driver"]


def lesson(name: str) -> Lesson:
    return next(one for one in shelf() if one.id == name)


def test_every_step_of_a_finished_lesson_is_seen_and_its_dot_goes_there(driver: Driver) -> None:
    app, epa = driver.app, lesson("epa-grows")
    app.lessons.begin(epa)
    while app.lessons.step is not None:
        app.lessons.next()
    app.lessons.leave()
    app.lessons.resume(epa.id)
    driver.frame(2)
    assert app.lessons.shown is not None
    assert app.lessons.shown.number == 0
    assert app.lessons.shown.reached == len(epa.steps) - 1
    # The last step keeps the scene that the one before it leaves, which was not shown this time.
    app.lessons.go(len(epa.steps) - 1)
    driver.frame(2)
    assert app.lessons.step is epa.steps[-1]
    assert app.work.scene == epa.scenes["ellipsoids"].scene


def test_steps_that_moved_to_another_lesson_keep_their_progress(driver: Driver) -> None:
    app, further = driver.app, lesson("faces-become-points")
    old = LessonProgress(step="collapse", done=("six", "thirty"), shown=("gauss",))
    app.lessons.keeper.change("fifteen-axes", lambda _: old)
    app.lessons.resume()
    driver.frame(2)
    shown = app.lessons.shown
    assert shown is not None
    assert (shown.lesson, shown.step) == (further, further.step("collapse"))
    assert (shown.alone_in, shown.shown_in) == ({"thirty"}, {"gauss"})
    assert shown.reached == [step.id for step in further.steps].index("gauss")
    # What moved away counts no more where it was: "6 of 5 steps".
    app.lessons.resume("fifteen-axes")
    assert app.lessons.shown is not None
    assert (app.lessons.shown.lesson.id, app.lessons.shown.number) == ("fifteen-axes", 0)
    assert (app.lessons.shown.alone_in, app.lessons.shown.shown_in) == ({"six"}, set())


def test_the_time_goes_on_where_the_lesson_was_left(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    app, clock = driver.app, [1000.0]
    monkeypatch.setattr(app.lessons, "_clock", lambda: clock[0])
    for _ in range(5):
        app.lessons.resume("gjk-walks")
        driver.frame(2)
        clock[0] += 60.0
        app.lessons.leave()
        clock[0] += 5000.0
    app.lessons.resume("gjk-walks")
    assert app.lessons.shown is not None
    assert app.lessons.shown.minutes == 5


def test_a_step_begun_again_has_its_first_scene_and_view(driver: Driver) -> None:
    app, two = driver.app, lesson("faces-to-points")
    app.lessons.begin(two)
    for name in ("edge", "flat", "recap"):
        app.lessons.go(0)
        while app.lessons.step is None or app.lessons.step.id != name:
            app.lessons.next()
            driver.frame(4)
        first = app.work.document.committed, app.work.view.world
        app.ask.edit(moved(app.work.scene, 2.2), "Move B")
        app.ask.look(replace(app.work.view.turned(1.0, 0.2), fitted=False))
        driver.frame(3)
        assert (app.work.document.committed, app.work.view.world) != first
        app.invoke("lessons.restart")
        driver.frame(4)
        assert (app.work.document.committed, app.work.view.world) == first, name


def test_the_card_has_a_menu_of_commands(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    app = driver.app
    known = {command.id: command.title for command in app.commands.commands}
    assert {name for name, _ in MENU_COMMANDS} <= set(known)
    assert known["lessons.restart"] == "Start this step again"
    begin(driver)
    app.ask.edit(moved(app.work.scene, 1.7), "Move B")
    driver.frame(2)
    told: list[str] = []
    item = imgui.menu_item
    monkeypatch.setattr(imgui, "menu_item", lambda words, *rest: (told.append(words), item(words, *rest))[1])
    with listening(monkeypatch) as said:
        driver.frame()
    ((y, x),) = [(y, x) for texts in said.texts.values() for y, x, text in texts if text == "…"]
    driver.click(x + 2.0, y + 4.0)
    assert [words for _, words in MENU_COMMANDS] == [words for words in told if words in dict(MENU_COMMANDS).values()][
        :5
    ]


def test_an_unchecked_lesson_says_why_it_cannot_go_on(driver: Driver, tmp_path: Path) -> None:
    app, file = driver.app, tmp_path / "own.md"
    wrong = SMALL.replace("> solution: b.position = [4, 0, 0]", "> solution: visit Z")
    file.write_text(wrong, "utf-8")
    app.ask.open(file)
    driver.frame(2)
    assert app.lessons.step is not None
    for _ in range(len(app.lessons.step.hints) + 1):
        app.lessons.hint()
    assert app.notices.now()[-1].message.startswith("This step's solution cannot be played: no axis is called 'Z'")
    # The second step keeps the scene that the first one's solution leaves; the first stays open.
    lesson = read_lesson(wrong, "own.md")
    assert not app.lessons.begin(lesson, "choose")
    assert app.notices.now()[-1].message.startswith("The step Choose cannot be opened: no axis is called 'Z'")
    assert app.lessons.step.id == "push"
