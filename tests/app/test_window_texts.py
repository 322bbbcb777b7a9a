"""Texts with a pair in the window: opened, dropped and pasted by the same readers, with the same sentences."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.forms.form import MOST_CHARACTERS, Form
from app.forms.registry import BY_NAME, read_text
from app.io.scene_file import load, save
from app.state.view import View
from core.shapes import Box, Sphere

from .panel_rig import panel_named
from .window_rig import Driver, driver

__all__ = ["driver"]

WORDS = "box size 1 2 3 at 0 0 0\nsphere radius {} at 0.9 0 0\n"
NOTE = "A has no rotation in the text and is not turned."
NUMBERS = "1 1 1 0 0 0 1 0 0 0\n2 2 2 1.5 0 0 1 0 0 0\n"


def put(driver: Driver, path: Path, *, dropped: bool) -> None:
    if dropped:
        driver.send("on_file_drop", 10, 10, [str(path)])
    else:
        driver.app.ask.open(path)
    driver.frame(3)


@pytest.mark.parametrize("dropped", [False, True])
def test_a_text_with_a_pair_opens_as_a_scene_that_is_saved_elsewhere(
    driver: Driver, tmp_path: Path, dropped: bool
) -> None:
    app, path = driver.app, tmp_path / "pair.txt"
    path.write_text(WORDS.format(0.5))
    put(driver, path, dropped=dropped)
    assert (app.work.scene.a.shape, app.work.scene.b.shape) == (Box((1.0, 2.0, 3.0)), Sphere(0.5))
    assert [notice.message for notice in app.notices.now()] == [NOTE]
    assert app.work.scene.notes == NOTE
    assert app.work.document.path is None
    assert app.files.recent[0] == path
    assert not app.dialogs.paste


def test_a_scene_in_a_text_file_is_still_that_files_scene(driver: Driver, tmp_path: Path) -> None:
    app, path = driver.app, tmp_path / "scene.txt"
    save(path, app.work.scene, View(motion=True))
    put(driver, path, dropped=False)
    assert app.work.document.path == path
    assert load(path).view == View(motion=True)


@pytest.mark.parametrize("dropped", [False, True])
def test_a_text_that_is_refused_says_the_one_sentence_and_asks_nothing(
    driver: Driver, tmp_path: Path, dropped: bool
) -> None:
    app, path = driver.app, tmp_path / "pair.txt"
    path.write_text(WORDS.format("0.5 tilted"))
    app.ask.edit(app.work.scene.swapped(), "Swap A and B")
    before = app.work.document
    put(driver, path, dropped=dropped)
    (notice,) = app.notices.now()
    assert (notice.error, notice.message) == (True, f"{path}: Line 2: tilted is not understood")
    assert app.work.document == before
    assert app.questions.pending is None


@pytest.mark.parametrize("dropped", [False, True])
def test_numbers_alone_open_the_dialog_before_unsaved_work_is_asked_about(
    driver: Driver, tmp_path: Path, dropped: bool
) -> None:
    app, path = driver.app, tmp_path / "numbers.txt"
    path.write_text(NUMBERS)
    app.ask.edit(app.work.scene.swapped(), "Swap A and B")
    put(driver, path, dropped=dropped)
    assert app.dialogs.paste
    assert app.questions.pending is None
    driver.key("Ctrl+RETURN")
    assert not app.dialogs.paste
    assert app.questions.pending is not None
    app.ask.answer("discard")
    driver.frame(2)
    assert app.work.scene.b.position == (1.5, 0.0, 0.0)


def test_a_text_read_in_two_ways_opens_the_dialog_with_both(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = [read_text(WORDS.format(radius)).pair for radius in (0.5, 0.25)]
    forms = zip(("bullet", "jolt"), pairs, strict=True)
    made = tuple(Form(name, "", re.compile(""), lambda _, pair=pair: pair, ()) for name, pair in forms)
    monkeypatch.setattr("app.forms.registry.FORMS", made)
    app, path, before = driver.app, tmp_path / "either.txt", driver.app.work.document
    path.write_text("either")
    put(driver, path, dropped=True)
    assert app.dialogs.paste
    previews = panel_named(app.panels, "paste_pair")._previews
    assert [(preview.form, preview.pair) for preview in previews] == list(zip(("bullet", "jolt"), pairs, strict=True))
    driver.key("Ctrl+RETURN")
    assert app.dialogs.paste
    assert app.work.document == before


def test_a_pasted_text_goes_to_the_dialog_unless_it_is_too_long(driver: Driver) -> None:
    app = driver.app
    app.window.copy("x" * (MOST_CHARACTERS + 1))
    driver.key("Ctrl+V")
    assert not app.dialogs.paste
    assert app.notices.now()[-1].message == "The clipboard holds 200,001 characters; a pair has at most 200,000."
    app.window.copy(WORDS.format(0.5))
    driver.key("Ctrl+V")
    driver.frame(3)
    assert app.dialogs.paste
    assert [preview.form for preview in panel_named(app.panels, "paste_pair")._previews] == ["words"]


def test_the_dialog_is_worked_by_keys_alone(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two readings the second one is chosen: Tab reaches its button, space presses it."""
    pairs = [read_text(WORDS.format(radius)).pair for radius in (0.5, 0.25)]
    forms = zip(("bullet", "jolt"), pairs, strict=True)
    made = tuple(Form(name, "", re.compile(""), lambda _, pair=pair: pair, ()) for name, pair in forms)
    monkeypatch.setattr("app.forms.registry.FORMS", made)
    app = driver.app
    app.window.copy("either")
    driver.key("Ctrl+V")
    driver.frame(3)
    for _ in range(3):
        driver.key("TAB")
    driver.key("SPACE")
    driver.frame(3)
    assert not app.dialogs.paste
    assert app.work.scene.b.shape == Sphere(0.25)


def test_a_form_and_what_each_number_is_are_chosen_by_keys_alone(driver: Driver) -> None:
    app = driver.app
    app.window.copy(NUMBERS)
    driver.key("Ctrl+V")
    driver.frame(3)
    panel = panel_named(app.panels, "paste_pair")
    driver.key("TAB")
    driver.key("SPACE")
    driver.frame(2)
    driver.key("DOWN")
    driver.key("RETURN")
    driver.frame(2)
    assert panel._form == next(iter(BY_NAME))
    assert not app.preferences.settings.panels
    driver.key("SPACE")
    driver.frame(2)
    driver.key("UP")
    driver.key("RETURN")
    driver.frame(2)
    assert panel._form == ""
    for _ in range(6):
        driver.key("TAB")
    driver.key("SPACE")
    driver.frame(2)
    assert not panel._conventions.w_first
    driver.key("ESCAPE")
    assert not app.dialogs.paste
    driver.frame(2)
    driver.key("TAB")
    assert app.preferences.settings.panels
