"""The card of every step that ships fits into the smallest usual window with all its hints."""

from __future__ import annotations

import pytest

from app.lessons.shelf import shelf
from app.panels.lesson_card import LessonCard
from app.panels.panel import Ask
from app.state.lesson import Lesson
from app.state.panel_state import PanelState

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
