"""Decks in the running application: a slide stands by itself, whatever was shown before."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from app.commands.stage_commands import press_on_stage
from app.stages import step_text
from app.state.playback import at_place
from app.state.view import Panes
from tests.snapshot_kit.window import listening

from .deck_samples import SLIDES, deck, slide
from .window_rig import Driver, driver

__all__ = ["driver"]


def drawn_texts(driver: Driver) -> set[str]:
    """What the next frame's windows say."""
    with pytest.MonkeyPatch.context() as patch, listening(patch) as said:
        driver.frame()
    return {text for texts in said.texts.values() for _, _, text in texts}


def test_a_slide_stands_by_itself(driver: Driver, tmp_path: Path) -> None:
    app = driver.app
    app.ask.open(deck(tmp_path / "d.jsonl", *SLIDES, SLIDES[0]))
    driver.frame(2)
    assert app.files.log_position.title == "Three pairs: Apart"
    assert not app.work.playback.open
    assert app.work.scene.notes == "A gap."
    driver.key("PageDown")
    driver.frame(2)
    assert app.quiz.asked is not None
    assert app.quiz.asked.open
    driver.key("PageDown")
    driver.frame(2)
    assert app.quiz.asked is None
    assert app.work.view.panes is Panes.WORLD
    assert (app.work.playback.open, app.steps.place) == (True, 2)
    app.steps.play(at_place(app.work.playback, app.steps.all, 7))
    app.cameras.look(replace(app.work.view, panes=Panes.DIFFERENCE).turned(1.0, 1.0))
    driver.key("PageDown")
    driver.frame(2)
    assert not app.work.playback.open, "a slide without a step shows the answer"
    assert app.work.view.panes is Panes.BOTH
    assert app.work.view.world.yaw != 1.0
    app.ask.show_entry(2)
    driver.frame(2)
    assert (app.work.playback.open, app.steps.place) == (True, 2)


@pytest.mark.nightly("windows")
def test_the_lecture_opens_from_the_menu_help_and_plays_to_its_end(driver: Driver) -> None:
    app = driver.app
    app.invoke("lecture.open")
    shown = []
    for number in range(12):
        driver.frame(2)
        position = app.files.log_position
        assert (position.path, position.index, position.count, position.fault) == (None, number, 12, "")
        shown.append((app.work.playback.open, app.quiz.asked is not None))
        driver.key("PageDown")
    assert app.files.log_position.index == 11
    steps = [number for number, (stepping, _) in enumerate(shown) if stepping]
    assert steps == [3, 6, 7, 8, 9, 10]
    assert [number for number, (_, asked) in enumerate(shown) if asked] == [1]
    assert app.notices.now() == ()
    assert not driver.faults


def test_turning_a_slide_asks_nothing_about_what_was_dragged(driver: Driver, tmp_path: Path) -> None:
    app = driver.app
    app.ask.open(deck(tmp_path / "d.jsonl"))
    driver.frame(2)
    slide = app.work.scene
    app.ask.edit(slide.swapped(), "Swap A and B")
    driver.key("PageDown")
    driver.frame()
    assert app.questions.pending is None
    assert app.work.scene.name == "Which axis?"
    driver.key("PageUp")
    driver.frame()
    assert app.work.scene == slide, "a slide has its own state again"


def test_stage_mode_shows_the_picture_and_the_words_alone(driver: Driver, tmp_path: Path) -> None:
    app = driver.app
    app.ask.open(deck(tmp_path / "d.jsonl"))
    app.invoke("window.panels")
    driver.frame(4)
    scale, area = app.window.extent.scale, app.cameras.area
    driver.key("F5")
    driver.frame(6)
    assert app.window.extent.scale == 1.5 * scale, "larger text at once"
    assert app.cameras.area.height > area.height, "no menu bar"
    assert app.cameras.area.width > area.width, "no panels"
    assert drawn_texts(driver) >= {"A gap."}
    assert not drawn_texts(driver) & {"File", "‹ Previous", "Step through"}
    driver.key("PageDown")
    driver.frame(2)
    assert {"Guess.", "PageDown", "Show the answer"} <= drawn_texts(driver)
    app.invoke("predict.show")
    driver.frame(2)
    assert "Show the answer" not in drawn_texts(driver)
    driver.now += 2.0
    driver.frame(2)
    assert "PageDown" not in drawn_texts(driver), "the key's name goes"
    driver.key("Escape")
    driver.frame(6)
    assert app.stage.shown is None
    assert (app.window.extent.scale, app.cameras.area) == (scale, area), "all is as it was"
    assert {"File", "‹ Previous"} <= drawn_texts(driver)


def test_the_stage_has_a_key_table_of_its_own(driver: Driver, tmp_path: Path) -> None:
    app = driver.app
    app.ask.open(deck(tmp_path / "d.jsonl"))
    driver.frame(2)
    driver.key("F5")
    driver.frame(2)
    view, scene = app.work.view, app.work.scene
    for chord in ("G", "V", "Tab", "Ctrl+Z", "1", "F2", "S", "]"):
        driver.key(chord)
        driver.frame()
    assert (app.work.view, app.work.scene) == (view, scene), "no other key does anything"
    assert not app.lessons.open
    for chord in ("B", "."):
        driver.key(chord)
        driver.frame()
        assert app.stage.shown.black
        driver.key("Escape")
        assert not app.stage.shown.black, "Esc takes the black screen away first"
    app.invoke("stage.keys")
    driver.frame(2)
    assert {"black screen", "leaves", "larger text, smaller, as it was"} <= drawn_texts(driver)
    driver.key("Escape")
    scale, setting = app.window.ui_scale, app.preferences.settings.ui_scale
    for chord, larger in (("Ctrl++", True), ("Ctrl+-", False), ("Ctrl+=", True)):
        press_on_stage(app, chord)
        driver.frame(2)
        assert (app.window.ui_scale > scale) == larger
    press_on_stage(app, "Ctrl+0")
    driver.frame(2)
    assert (app.window.ui_scale, app.preferences.settings.ui_scale) == (scale, setting)
    driver.key("Right")
    assert app.files.log_position.index == 1, "without steps it turns a slide"
    driver.key("Space")
    driver.frame()
    assert app.work.playback.open
    driver.key("Escape")
    assert app.stage.shown is None
    driver.key("F5")
    driver.key("F5")
    assert app.stage.shown is None


def test_on_stage_the_words_follow_the_step(driver: Driver, tmp_path: Path) -> None:
    app = driver.app
    own = "The third axis."
    third = slide("Step three", 0.75, view={"yaw": 0.5, "pitch": 0.3, "step": 3}, words=own)
    app.ask.open(deck(tmp_path / "d.jsonl", third))
    driver.frame(2)
    driver.key("F5")
    driver.frame(4)
    assert (own in drawn_texts(driver), app.steps.place) == (True, 2)
    driver.key("Right")
    driver.frame(2)
    text = step_text(app.steps.all, app.steps.moment)
    assert text.title in drawn_texts(driver)
    assert own not in drawn_texts(driver)
    driver.key("Left")
    driver.frame(2)
    assert own in drawn_texts(driver)
    assert text.title not in drawn_texts(driver)


def test_on_stage_a_scene_without_words_has_those_of_its_step(driver: Driver) -> None:
    driver.key("F5")
    driver.frame(4)
    driver.key("Space")
    driver.frame(4)
    driver.key("Space")
    driver.key("Right")
    driver.frame(2)
    assert step_text(driver.app.steps.all, driver.app.steps.moment).title in drawn_texts(driver)


@pytest.mark.painted
def test_on_a_black_screen_nothing_is_seen(driver: Driver) -> None:
    driver.key("F5")
    driver.key("B")
    driver.frame(3)
    assert not any(driver.app.context.screen.read())
    driver.key("B")
    driver.frame(3)
    assert any(driver.app.context.screen.read())
    driver.key("Escape")
