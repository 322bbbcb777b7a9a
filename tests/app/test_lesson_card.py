"""The card of every step fits into the smallest usual window with its hints, and leaves the picture room in any."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from app.lessons.shelf import shelf
from app.panels.cards import CARDS
from app.panels.lesson_card import LessonCard
from app.panels.panel import Ask
from app.panels.viewport_top import VERDICT_WINDOW
from app.platform.window import ProgramWindow
from app.state.lesson import Lesson
from app.state.panel_state import PanelState
from tests.snapshot_kit.window import listening

from .window_rig import Driver, driver

__all__ = ["driver"]

ROOM = 778.0
"""Points: the card's in a window 800 high, below the menu."""


@pytest.fixture
def heights(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Of the card, frame by frame."""
    seen: list[float] = []
    draw = LessonCard.draw

    def drawn(self: LessonCard, ui: PanelState, ask: Ask) -> None:
        draw(self, ui, ask)
        seen.append(self.needed)

    monkeypatch.setattr(LessonCard, "draw", drawn)
    return seen


@pytest.mark.parametrize("lesson", shelf(), ids=lambda lesson: lesson.id)
@pytest.mark.sampled(4, "windows")
def test_no_shipped_card_is_higher_than_the_window(driver: Driver, heights: list[float], lesson: Lesson) -> None:
    app = driver.app
    app.lessons.begin(lesson)
    for step in lesson.steps:
        driver.frame(2)
        heights.clear()
        driver.frame(2)
        for _ in range(len(step.hints) + bool(step.goals)):
            app.invoke("lessons.hint")
            app.lessons.end_animation()
            driver.frame(2)
        assert 0.0 < max(heights) <= ROOM, step.id
        app.invoke("lessons.skip")


def small_window(driver: Driver, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]) -> None:
    """Gives the window a size, and text twice as large."""
    for name in ("get_size", "get_framebuffer_size"):
        monkeypatch.setattr(ProgramWindow, name, lambda _: size)
    driver.app.ask.configure(replace(driver.app.preferences.settings, ui_scale=2.0))
    driver.frame(2)
    driver.app.host.restore_default_layout()


@pytest.mark.parametrize("size", [(1280, 800), (1024, 768), (800, 600)], ids=str)
def test_with_large_text_the_picture_keeps_half_of_the_window_and_every_button_stands_free(
    driver: Driver, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    app = driver.app
    small_window(driver, monkeypatch, size)
    for lesson, step in (
        (shelf()[3], "first"),
        (shelf()[4], "nearest"),
        (shelf()[0], "first-gap"),
        (shelf()[6], "lie"),
    ):
        app.lessons.begin(lesson, step)
        driver.frame(6)
        picture = app.panel_state().viewport
        assert picture.height >= 0.5 * size[1]
        # A docked panel takes its width from the picture.
        assert picture.width >= 0.5 * size[0] or step in ("first-gap", "lie")
        assert CARDS.size(VERDICT_WINDOW)[0] <= picture.width
        for _ in range(2):  # with Hint, then with Show me
            with listening(monkeypatch) as said:
                driver.frame()
            assert not [text for text in said.cut if text.startswith("lesson:")]  # beside the words, which scroll
            app.invoke("lessons.hint")
            driver.frame(2)


def test_the_words_scroll_by_keys(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    small_window(driver, monkeypatch, (1024, 768))
    driver.app.lessons.begin(shelf()[4])
    driver.frame(6)

    def shows(words: str) -> bool:
        with listening(monkeypatch) as said:
            driver.frame()
        return words in "\n".join(said.lines())

    assert (shows("From where GJK left off"), shows("edge w₂w₀")) == (True, False)
    driver.key("PageDown")
    assert (shows("From where GJK left off"), shows("edge w₂w₀")) == (False, True)
    driver.key("PageUp")
    assert shows("From where GJK left off")
