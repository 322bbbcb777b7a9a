"""Every name and number in the words of a lesson's step stands in that step's picture, or in a panel beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest
from msgspec.structs import replace

from app.lessons.lesson_file import read_lesson
from app.lessons.markup import SpanKind, spans
from app.lessons.shelf import shelf
from app.state.lesson import Lesson, LessonStep
from tests.snapshot_kit.window import labels, listening

from .window_rig import Driver, driver

__all__ = ["driver"]

NAME = re.compile(
    r"⊥?[AB]\.[vef]\d+(?:v\d+)?(?: → [AB])?"  # vertices, edges, faces and their axes
    r"|[AB]\.[+−]?[xyz](?: × [AB]\.[xyz])?"  # of boxes
    r"|\b[abcw][₀-₉]+"
    r"|(?<![\w’'])[vdn](?![\w’'])"
    r"|\borigin\b"
)
NUMBER = re.compile(r"(?<![\w.])\d+\.\d{2,}")
ANSWERED_OUTSIDE = ("spot", "diagonal")
"""Steps about the number that another library answered, and how it came to be; the picture has the right one."""
MOST_STEPS = 16
"""The most steps of a timeline that are gone through, one after another."""


def found_in(texts: Iterable[str], pattern: re.Pattern[str]) -> set[str]:
    """What the texts of a lesson name; a name that lights what it means when it is pointed at needs no label."""
    shown = (SpanKind.POINTER, SpanKind.CODE)
    plain = (span.text for text in texts for span in spans(text) if span.kind not in shown)
    return {found for text in plain for found in pattern.findall(text)}


def names_told(step: LessonStep, *, difference: bool) -> set[str]:
    """The names in the words of a step. Without `difference` the origin is that of the world, which has no name."""
    options = (text for option in step.options for text in (option.label, option.why))
    told = found_in((step.title, step.text, *step.hints, *options, step.then, step.almost), NAME)
    return told if difference else told - {"origin"}


def numbers_told(step: LessonStep) -> set[str]:
    """The numbers in the words of a step, without those of its goals. Why an option is wrong may be computed there."""
    told = found_in((step.title, step.text, *step.hints, step.then, step.almost), NUMBER)
    return set() if step.id in ANSWERED_OUTSIDE else told - {goal.text.split()[-1] for goal in step.goals}


def drawn(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> str:
    """All that the pictures say, and every window but the card."""
    with listening(monkeypatch) as said:
        driver.frame()
    beside = (words for window, texts in said.texts.items() if not window.startswith("lesson") for _, _, words in texts)
    return "\n".join((*labels(driver.app), *beside))


def rounds_to(number: str, told: str) -> bool:
    """Whether a number that is drawn is the one told, which may have fewer digits."""
    return f"{float(number):.{len(told.partition('.')[2])}f}" == told


def lacking(driver: Driver, monkeypatch: pytest.MonkeyPatch, lesson: Lesson) -> list[tuple[str, set[str]]]:
    """The steps that tell what is drawn neither at their start, nor on the way to their goals, nor at the end."""
    app, found = driver.app, []
    app.ask.configure(replace(app.preferences.settings, animations=False))
    app.lessons.begin(lesson)
    for step in lesson.steps:
        driver.frame(4)
        assert app.lessons.step is step
        seen = drawn(driver, monkeypatch)
        if any(goal.name in ("step_at", "visited_phase") for goal in step.goals) and "`End`" not in step.text:
            for _ in range(MOST_STEPS):
                driver.key("Right")
                seen += drawn(driver, monkeypatch)
        for _ in range(len(step.hints) + 1):
            if not app.lessons.met:
                app.invoke("lessons.hint")
                driver.frame(4)
        assert app.lessons.met, step.id
        seen += drawn(driver, monkeypatch)
        names, numbers = set(NAME.findall(seen)), set(re.findall(r"\d+\.?\d*", seen))
        told = names_told(step, difference=any(pane.kind == "difference" for pane in app.builder.panes))
        # The axis of an edge is named after it, and lies at a right angle to the one that is lit.
        left = {name for name in told if name not in names and f"⊥{name}" not in names}
        left |= {told for told in numbers_told(step) if not any(rounds_to(number, told) for number in numbers)}
        found += [(step.id, left)] if left else []
        app.invoke("lessons.next")
    return found


@pytest.mark.parametrize("lesson", shelf(), ids=lambda lesson: lesson.id)
@pytest.mark.sampled(4, "windows")
def test_every_name_and_number_in_the_words_of_a_step_is_drawn(
    driver: Driver, monkeypatch: pytest.MonkeyPatch, lesson: Lesson
) -> None:
    assert lacking(driver, monkeypatch, lesson) == []


def test_what_the_picture_lacks_is_found(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        "---\nid: small\ntitle: Small\nworld: plane\nminutes: 1\n---\n\n## One\n> id: one\n"
        "> scene: preset:flat-one-gap\n> panes: both\n> timeline: gjk 1\n> labels: -direction-names\n\n"
        "w₀ and d, 0.123 from the origin.\n"
    )
    assert lacking(driver, monkeypatch, read_lesson(text, "small.md")) == [("one", {"d", "0.123"})]
