"""The card's height by the letters' widths, against the real card of every step that ships."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from app.lessons.card_height import ROOM, card_height
from app.lessons.check import check_file
from app.lessons.shelf import shelf
from app.panels.lesson_card import LessonCard
from app.panels.panel import Ask
from app.state.lesson import Lesson
from app.state.panel_state import PanelState

from .lesson_samples import small
from .window_rig import Driver, driver

__all__ = ["driver"]


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
def test_no_shipped_card_is_higher_than_was_computed_nor_than_the_window(
    driver: Driver, heights: list[float], lesson: Lesson
) -> None:
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
        computed = card_height(step)
        highest = max(heights)
        assert highest <= computed <= ROOM, step.id
        assert computed <= 1.35 * highest + 60.0, step.id
        app.invoke("lessons.skip")


def test_a_step_that_is_too_high_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "long.md"
    hints = "\n".join(f"### Hint\n{'many more words ' * 12}" for _ in range(8))
    path.write_text(small(("### Hint\nTo the left.", hints)), encoding="utf-8")
    told = [fault.told("x") for fault in check_file(path).faults]
    assert len(told) == 1
    assert told[0].startswith("x:26: warning: the card of second must be at most 778 points high with all its hints")


def test_each_part_adds_to_the_height() -> None:
    step = next(step for step in shelf()[0].steps if step.hints and len(step.then) > 80)
    whole = card_height(step)
    assert card_height(replace(step, hints=())) < whole
    assert card_height(replace(step, text="Short.")) < whole
    assert card_height(replace(step, then="")) < whole
