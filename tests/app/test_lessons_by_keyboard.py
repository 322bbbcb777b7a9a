"""Every lesson that ships, by the keyboard alone: no step is skipped or shown, and none takes more than twenty keys."""

from __future__ import annotations

import pytest

from app.lessons.shelf import shelf
from app.state.lesson import Lesson

from .test_window_keyboard import type_at_once
from .window_rig import Driver, driver

__all__ = ["driver"]

MOST_KEYS = 20
TURN_LEFT, TURN_RIGHT, TURN_UP, TURN_DOWN = (f"Ctrl+Shift+{side}" for side in ("Left", "Right", "Up", "Down"))
KEYS: dict[tuple[str, str], tuple[str, ...]] = {
    ("one-gap-is-proof", "shadows"): ("Alt+Right",) * 10,
    ("one-gap-is-proof", "still"): (*("Alt+Right",) * 6, *("Alt+Up",) * 8),
    ("one-gap-is-proof", "find"): (TURN_RIGHT,) * 12,
    ("one-gap-is-proof", "meet"): ("Alt+Left",) * 12,
    ("one-gap-is-proof", "push"): (*("Alt+Up",) * 2, "Alt+Right"),
    ("fifteen-axes", "hunt"): (*(TURN_RIGHT,) * 10, *(TURN_DOWN,) * 6),
    ("fifteen-axes", "six"): ("Shift+Down",) * 15,
    ("fifteen-axes", "stuck"): (TURN_DOWN,) * 2,
    ("fifteen-axes", "loose"): (TURN_RIGHT,) * 7,
    ("fifteen-axes", "cross"): ("Shift+Down",) * 12,
    ("faces-become-points", "thirty"): ("Shift+Down", *("Shift+Down",) * 8),
    ("faces-become-points", "collapse"): (TURN_LEFT,) * 2,
    ("one-point-tells-all", "shift"): ("Alt+Right",) * 10,
    ("one-point-tells-all", "distance"): ("Alt+Left",) * 12,
    ("one-point-tells-all", "turn"): (TURN_LEFT,) * 8,
    ("gjk-walks", "inside"): (*("Alt+Left",) * 7, *("Alt+Down",) * 7),
    ("epa-grows", "round"): ("Ctrl+K", *"uncertainty", "Enter"),
    ("faces-to-points", "edge"): (TURN_UP, TURN_UP),
    ("faces-to-points", "flat"): ("3", TURN_RIGHT, TURN_RIGHT),
    ("between-two-frames", "time"): ("Shift+End",),
    ("between-two-frames", "ray"): ("Shift+End",),
    ("between-two-frames", "miss"): ("Alt+Up",) * 14,
    ("between-two-frames", "lie"): ("Alt+Right",) * 5,
    ("when-floats-fail", "band"): ("Ctrl+K", *"1e-12", "Enter"),
    ("when-floats-fail", "far"): ("Ctrl+K", *"answers", "Enter"),
    ("when-floats-fail", "digits"): (*("Ctrl+K", *"farther", "Enter") * 2,),
    ("when-floats-fail", "own"): ("Ctrl+K", *"through", "Enter", "Ctrl+K", *"bring", "Enter"),
}
"""What a learner does with the bodies and axes; choices, questions and steps are answered by the rule."""


def rule(driver: Driver) -> str:
    """The key for the next choice, question or step of the timeline; "" where the step asks for something else."""
    lessons, asked = driver.app.lessons, driver.app.quiz.asked
    shown = lessons.shown
    assert shown is not None
    assert shown.step is not None
    goal = next(goal for goal, met in zip(shown.step.goals, shown.ticks, strict=True) if not met)
    if goal.name == "chose":
        return str(1 + [choice.right for choice in shown.step.options].index(True))
    if goal.name == "answered":
        assert asked is not None
        return next(digit for digit in "0123456789" if asked.question.at_key(digit) in asked.question.right)
    if goal.name in ("step_at", "visited_phase"):
        return "End" if "`End`" in shown.step.text else "Right"
    return ""


@pytest.mark.parametrize("lesson", shelf(), ids=lambda lesson: lesson.id)
@pytest.mark.sampled(4, "windows")
def test_a_lesson_by_the_keyboard_alone(driver: Driver, lesson: Lesson) -> None:
    app = driver.app
    app.lessons.resume(lesson.id)
    driver.frame(3)
    for step in lesson.steps:
        shown = app.lessons.shown
        assert shown is not None
        assert shown.step is step
        keys = iter(KEYS.get((lesson.id, step.id), ()))
        for _ in range(MOST_KEYS):
            if app.lessons.met:
                break
            key = rule(driver) or next(keys, "")
            assert key, f"{step.id}: the keys do not reach {app.lessons.shown.feedback}"
            if len(key) == 1 and app.dialogs.palette:
                type_at_once(driver, key)
            else:
                driver.key(key)
            driver.frame(2)
        assert app.lessons.met, step.id
        driver.key("Enter")
        driver.frame(2)
    assert app.lessons.keeper.progress.of(lesson.id).finished
    assert not app.lessons.keeper.progress.of(lesson.id).shown
