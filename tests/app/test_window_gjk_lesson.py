"""Lesson 4 as it is drawn: a point is named where it has been shown, and one answer does not draw the next."""

from __future__ import annotations

import re

from app.lessons.check import texts_of
from app.lessons.markup import shown_text
from app.lessons.shelf import shelf
from app.state.lesson import Lesson

from .window_rig import Driver, driver

__all__ = ["driver"]

POINT = re.compile(r"w[₀-₉]")


def lesson() -> Lesson:
    return next(one for one in shelf() if one.id == "gjk-walks")


def labels(driver: Driver) -> set[str]:
    """The texts in the picture, once the short motion of a sub-step is over."""
    driver.frame(90)
    return {label.text for pane in driver.app.builder.placed for label in pane.labels}


def test_no_point_is_named_that_was_not_shown(driver: Driver) -> None:
    app, known = driver.app, set[str]()
    app.lessons.begin(lesson())
    for step in lesson().steps:
        known |= set(POINT.findall(" ".join(labels(driver))))
        while not app.lessons.met:
            app.lessons.hint()
            app.lessons.end_animation()
            known |= set(POINT.findall(" ".join(labels(driver))))
        named = set(POINT.findall(shown_text(" ".join(texts_of(step)))))
        assert named <= known, step.id
        app.lessons.next()


def test_the_first_answer_does_not_draw_the_second(driver: Driver) -> None:
    app = driver.app
    app.lessons.begin(lesson(), "support-a")
    assert "d" in labels(driver)
    asked = app.quiz.asked
    assert asked is not None
    (right,) = asked.question.right
    app.ask.guess(right)
    told = labels(driver)
    assert app.lessons.met
    assert "A.v0" in told
    assert not told & {"B.v0", "−d"}
    assert set(POINT.findall(" ".join(told))) == {"w₀"}
    app.lessons.next()
    assert "−d" in labels(driver)


def test_the_stop_is_told_in_the_picture(driver: Driver) -> None:
    app = driver.app
    app.lessons.begin(lesson(), "stop")
    assert "line through w₃" in labels(driver)
    app.invoke("steps.next")
    assert "w₃ is no farther along d than v" in labels(driver)


def test_no_number_is_told_before_the_question_that_asks_for_it(driver: Driver) -> None:
    """In "A better line" the bound is printed once the choice is made: not in its options, nor in the picture."""
    app = driver.app
    app.lessons.begin(lesson(), "segment")
    while app.work.playback.part != "lower":
        app.invoke("steps.next")
        driver.frame()
    step = app.lessons.step
    assert step is not None
    assert "w₂ = a₁ − b₀" in labels(driver)
    assert not [text for text in (*labels(driver), *(choice.label for choice in step.options)) if "0.217" in text]
    app.lessons.choose("apart")
    driver.frame(2)
    assert "at least 0.217" in labels(driver)


def test_a_dropped_point_and_the_arc_of_the_bounds_are_named(driver: Driver) -> None:
    """The ghost of the point that the step before dropped keeps its name; both bounds are one arc at the end."""
    app = driver.app
    app.lessons.begin(lesson(), "inside")
    assert {"w₁: dropped", "distance 0.451"} <= labels(driver)
    app.lessons.begin(lesson(), "recap")
    assert "distance 0.451" in labels(driver)
