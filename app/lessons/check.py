"""Checks a lesson beyond its file's form: plays every step from its start to its goals."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from core.contact.policies.policy import refusal
from core.scene import Scene

from ..draw.text import lacking
from ..state.lesson import LESSON_PANELS, Goal, Lesson, LessonPlace, LessonStep
from ..words.names import row_of
from .asking import lesson_question
from .faults import LessonFaults
from .goals import holds, said, ticked, unmet
from .lesson_file import LessonReading, reading_of
from .markup import SpanKind, spans, word_count
from .shelf import shipped_files
from .situation import Situation, opening_situation, step_number
from .solution import applied

MOST_WORDS = 40
"""The most words of a step's text, without its options."""
MOST_THEN = 45
"""The most words of a step's part Then, the text shown when its goals are met."""


def check_file(path: Path) -> LessonReading:
    """Reads a lesson file, plays it unless reading refuses it, and collects all faults.

    Too many words are an error in a shipped lesson, in others a warning.
    """
    reading, faults = reading_of(path), LessonFaults()
    faults.found.extend(reading.faults)
    if reading.lesson is None:
        return reading
    for number, line in enumerate(path.read_text("utf-8-sig").split("\n"), 1):
        if missing := lacking(line):
            faults.add(number, f"the program's font has no letter for {', '.join(missing)}", warning=True)
    shipped = path.resolve() in [file.resolve() for file in shipped_files()]
    check_lesson(reading.lesson, faults, shipped=shipped)
    return LessonReading(None if faults.refused else reading.lesson, faults.in_order)


def check_lesson(lesson: Lesson, faults: LessonFaults, *, shipped: bool) -> None:
    """Plays every step and adds its faults.

    `shipped`: too many words are an error, else a warning, and `order` must be given.
    """
    if shipped and lesson.order is None:
        faults.add(1, "a lesson that ships needs the key order, its place on the shelf")
    left: Scene | None = None
    for step in lesson.steps:
        _check_words(step, faults, shipped=shipped)
        _check_choice(step, faults)
        left = _play(lesson, step, left, faults)


def texts_of(step: LessonStep) -> Iterator[str]:
    """Yields every text of a step but the words of its goals."""
    yield step.title
    yield step.text
    for option in step.options:
        yield option.label
        yield option.why
    yield from step.hints
    yield step.almost
    yield step.then


def _check_words(step: LessonStep, faults: LessonFaults, *, shipped: bool) -> None:
    for name, text, most in (("text", step.text, MOST_WORDS), ("Then", step.then, MOST_THEN)):
        count = word_count(text)
        if count > most:
            message = f"the {name} of {step.id} must have at most {most} words, got {count}"
            faults.add(step.line, message, warning=not shipped)


def _check_choice(step: LessonStep, faults: LessonFaults) -> None:
    chosen = [goal for goal in step.goals if goal.name == "chose"]
    for goal in chosen:
        option = step.option(goal.arguments[0])
        if option is None or not option.right:
            right = next((known.id for known in step.options if known.right), "an option marked (x)")
            faults.add(goal.line, f"goal {goal.text}: the right option is {right}")
    if step.options and not chosen:
        faults.add(step.line, f"the options of {step.id} need a goal, as > goal: chose({step.options[0].id})")
    answered = [goal for goal in step.goals if goal.name == "answered"]
    for goal in answered:
        if step.ask is None or step.ask.kind.value != goal.arguments[0]:
            faults.add(goal.line, f"goal {goal.text}: the step must ask it, as > ask: {goal.arguments[0]}")
    if step.ask is not None and not answered:
        faults.add(step.ask.line, f"the question needs a goal, as > goal: answered({step.ask.kind.value})")


def _play(lesson: Lesson, step: LessonStep, previous: Scene | None, faults: LessonFaults) -> Scene | None:
    """Plays a step's solution from its start and adds its faults; returns the scene after the last action played.

    An action that fails ends the play. `previous`: the scene after the previous step, None before the first; returned
    if the step cannot be opened.
    """
    try:
        now = opening_situation(lesson, step, previous)
    except ValueError as error:
        faults.add(step.line, str(error))
        return previous
    _check_look(step, now, faults)
    _check_pointers(step, now, faults)
    _check_start(step, now, faults)
    ticks = unmet(step)
    for action in step.solution:
        try:
            now = applied(now, action)
        except ValueError as error:
            faults.add(action.line, f"solution: {error}")
            return now.scene
        ticks = ticked(step, ticks, now)
    for goal, done in zip(step.goals, ticks, strict=True):
        if not done:
            faults.add(goal.line, " ".join(_not_reached(step, goal, now)))
    return now.scene


def _not_reached(step: LessonStep, goal: Goal, now: Situation) -> Iterator[str]:
    yield f"goal {goal.text} is not reached by the solution:"
    if holds(goal, now):
        yield "it holds in the end, but a goal before it does not."
    else:
        yield said(goal, now) or "nothing in it does this."
        yield step.almost


def _check_start(step: LessonStep, now: Situation, faults: LessonFaults) -> None:
    held = [goal for goal in step.goals if holds(goal, now)]
    if step.together and len(held) == len(step.goals) > 0:
        faults.add(step.goals[0].line, f"all goals of {step.id} hold already when the step opens")
    if not step.together:
        for goal in held:
            faults.add(goal.line, f"goal {goal.text} holds already when the step opens")


def _check_look(step: LessonStep, now: Situation, faults: LessonFaults) -> None:
    look, dimension = step.look, now.scene.dimension
    labels = ", ".join(candidate.label for candidate in now.analysis.sat.candidates)
    named = [] if look.focus is None else [(look.focus, step.line)]
    named += [
        (goal.arguments[0], goal.line)
        for goal in step.goals
        if goal.name in ("focus", "winner", "axis") and not goal.arguments[0].startswith(("kind ", "separates"))
    ]
    named += [(goal.arguments[1], goal.line) for goal in step.goals if goal.name == "shadow_moved"]
    for label, line in named:
        if row_of(now.analysis.sat, label) is None:
            faults.add(line, f"no axis is called {label!r} here: there are {labels}")
    if look.free is not None and any(look.free[dimension:]):
        faults.add(step.line, "free must be [x, y] in a 2D scene")
    if look.hold is not None and dimension not in look.hold.dimensions:
        faults.add(step.line, f"hold must turn about z or move along x and y in a 2D scene, got {look.hold.text!r}")
    if why := refusal(now.algorithm_settings.preference, now.scene.a, now.scene.b):
        faults.add(step.line, f"setting preference: {why}", warning=True)
    for key, place in (("timeline", look.timeline), ("until", look.until)):
        _check_place(step, key, place, now, faults)
    if step.ask is not None:
        try:
            lesson_question(step.ask, now.query)
        except ValueError as error:
            faults.add(step.ask.line, f"ask: {error}")


def _check_place(step: LessonStep, key: str, place: LessonPlace | None, now: Situation, faults: LessonFaults) -> None:
    if place is None or step_number(place, now.query) is not None:
        return
    there = ", ".join(f"{phase.name.lower()} 1 to {count}" for phase, _, count in now.query.phases)
    faults.add(step.line, f"{key}: there is no step {place.phase.name.lower()} {place.step} here: there are {there}")


def _check_pointers(step: LessonStep, now: Situation, faults: LessonFaults) -> None:
    for text in texts_of(step):
        for span in spans(text):
            if span.kind is SpanKind.POINTER and not points_at(span.target, now):
                faults.add(step.line, f"[{span.text}]({span.target}) points at nothing in this step's scene")


def points_at(target: str, now: Situation) -> bool:
    """Whether a pointer's target exists: `axis:A.e1`, `body:b`, `panel:axes`.

    Of `vertex:A.v2` and `face:A.+y` only the form is checked.
    """
    kind, _, name = target.partition(":")
    match kind:
        case "axis":
            return row_of(now.analysis.sat, name) is not None
        case "body":
            return name in ("a", "b")
        case "panel":
            return name in LESSON_PANELS
    return name[:2] in ("A.", "B.") and len(name) > 2
