"""What the window says at the sizes that it is used at: the first screen, steps, a lesson, the gallery.

The texts of each screen lie under tests/snapshots/screens. Whoever means a change runs this file with SCREENS=bless,
reads what differs, and looks at the pictures.
"""

from __future__ import annotations

import difflib
import os
import re

import pytest
from imgui_bundle import ImVec2, imgui
from msgspec.structs import replace

from app.lessons.shelf import shelf
from app.platform.window import ProgramWindow
from app.words.digits import Digits
from core.query.query import Phase
from tests.snapshot_kit.store import STORED, unbinding
from tests.snapshot_kit.window import covered, labels, listening

from .window_rig import Driver, driver

__all__ = ["driver"]

SCREENS = STORED / "screens"
SIZES = {
    "1280x800": (1280, 800, 1.0, 1.0),
    "1024x768-text-150": (1024, 768, 1.5, 1.0),
    "2560x1440-scale-2": (2560, 1440, 1.0, 2.0),
}
"""Pixels of the window, the size of text, and dots of the display to a point's own."""


def first(driver: Driver) -> None:
    """As the program opens for the first time."""


def axes(driver: Driver) -> None:
    driver.app.invoke("window.panels")


def sat(driver: Driver) -> None:
    driver.app.invoke("window.panels")
    steps(driver, Phase.SAT, 7)


def gjk(driver: Driver) -> None:
    driver.app.invoke("window.panels")
    steps(driver, Phase.GJK, 1)


def contacts(driver: Driver) -> None:
    driver.app.invoke("window.panels")
    steps(driver, Phase.CONTACTS, 3)


def lesson(driver: Driver) -> None:
    driver.app.lessons.begin(shelf()[0])


def gallery(driver: Driver) -> None:
    driver.app.invoke("presets.gallery")


STATES = {state.__name__: state for state in (first, axes, sat, gjk, contacts, lesson, gallery)}


def steps(driver: Driver, phase: Phase, index: int) -> None:
    """Opens the timeline at a step of a phase."""
    playback = driver.app.work.playback
    driver.app.ask.play(replace(playback, open=True, phase=phase, index=index))


def screen(driver, monkeypatch, size, state, **settings):
    """What a frame says."""
    width, height, text, dots = SIZES[size]
    monkeypatch.setattr(ProgramWindow, "dpi", property(lambda _: 96.0 * dots))
    for name in ("get_size", "get_framebuffer_size"):
        monkeypatch.setattr(ProgramWindow, name, lambda _: (width, height))
    driver.app.ask.configure(replace(driver.app.preferences.settings, ui_scale=text, **settings))
    driver.frame(2)
    driver.app.host.restore_default_layout()  # as a start with this size of text does
    driver.frame(4)
    STATES[state](driver)
    driver.frame(12)
    with listening(monkeypatch) as said:
        driver.frame()
    return said


@pytest.mark.parametrize("size", ["1280x800", "1024x768-text-150"])
@pytest.mark.parametrize("state", ["first", "axes", "sat", "gjk", "contacts"])
@pytest.mark.sampled(2, "windows")
def test_no_digit_is_cut_off_where_all_are_shown(driver, monkeypatch, size, state):
    said = screen(driver, monkeypatch, size, state, digits=Digits.FULL)
    assert re.search(r"\d\.\d{15}", "".join((*said.lines(), *labels(driver.app))))
    assert not said.cut
    assert not covered(driver.app, said)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("state", STATES)
@pytest.mark.sampled(2, "windows")
def test_the_screen_says_what_it_said_and_cuts_nothing_off(driver, monkeypatch, size, state):
    said = screen(driver, monkeypatch, size, state)
    now = "".join(f"{line}\n" for line in (*said.lines(), *labels(driver.app)))
    stored = SCREENS / f"{state}-{size}.txt"
    if os.environ.get("SCREENS") == "bless":
        SCREENS.mkdir(exist_ok=True)
        stored.write_text(now, "utf-8")
    assert not said.cut
    assert state == "gallery" or not covered(driver.app, said)
    if now != (then := stored.read_text("utf-8")):
        told = "\n".join(difflib.unified_diff(then.splitlines(), now.splitlines(), "stored", "now", "", "", 0, ""))
        if why := unbinding():
            pytest.skip(f"reported only, since {why}: {told}")
        pytest.fail(f"{told}\nIf this is meant, and was looked at: SCREENS=bless pytest {__file__}")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("state", STATES)
@pytest.mark.sampled(3, "windows")
def test_the_picture_keeps_two_thirds_of_the_width(driver, monkeypatch, size, state):
    screen(driver, monkeypatch, size, state)
    assert driver.app.panel_state().viewport.width >= SIZES[size][0] / SIZES[size][3] * 2.0 / 3.0 - 4.0


def test_what_is_not_the_step_itself_folds_in_a_narrow_card(driver, monkeypatch):
    for size, folded in (("1024x768-text-150", True), ("1280x800", False)):
        text = "\n".join(screen(driver, monkeypatch, size, "gjk").lines())
        assert ("The simplex: " not in text) == folded
        assert "GJK 2 of 4" in text


def test_a_text_that_its_window_does_not_show_to_its_end_is_told_as_cut(driver, monkeypatch):
    end = driver.app.host.end

    def written() -> None:
        for name, width in (("wide", 400.0), ("narrow", 60.0)):
            imgui.set_next_window_size(ImVec2(width, 100.0))
            imgui.begin(name)
            imgui.text_unformatted("a text of some length")
            imgui.get_window_draw_list().add_text(imgui.get_cursor_screen_pos(), 0xFFFFFFFF, "another of some length")
            imgui.end()
        end()

    monkeypatch.setattr(driver.app.host, "end", written)
    driver.frame(2)
    with listening(monkeypatch) as said:
        driver.frame()
    assert said.cut == ["narrow: a text of some length", "narrow: another of some length"]
