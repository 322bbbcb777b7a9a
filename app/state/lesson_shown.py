"""The state of the open lesson in one frame, for the panels."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from .lesson import Lesson, LessonStep
from .reveal import AnswerShown


class LessonShown(Struct, frozen=True, eq=False):
    """A lesson and the learner's position in it.

    `number`: the shown step's number, from 0; the number after the last step's is the lesson's end. `reached`: the
    farthest step that was shown. `ticks`: for each goal of the step whether it is met; `helped`: "Show me" met them.
    `chosen`: id of the option chosen last, `wrong_options`: ids of the wrong options chosen. `feedback`: the sentence
    after the last attempt. `hints`: the count of shown hints. `offers_hint`: a hint is offered. `answer`: the shown
    part of the answer. `number_of`: returns a live number of the text as shown and in full. `minutes`: time spent,
    without breaks. `alone_in`, `shown_in`: ids of the steps whose goals were met without help, and by "Show me".
    `following`: title of the next lesson on the shelf, "" after the last. `term`: index of the term or key with the
    keyboard's focus, from 0 in the order of the texts, None for no term; `defined`: its definition is open.
    """

    lesson: Lesson
    number: int
    reached: int
    ticks: tuple[bool, ...]
    helped: bool
    chosen: str
    wrong_options: frozenset[str]
    feedback: str
    hints: int
    offers_hint: bool
    answer: AnswerShown
    number_of: Callable[[str], tuple[str, str]]
    minutes: int = 0
    alone_in: frozenset[str] = frozenset()
    shown_in: frozenset[str] = frozenset()
    following: str = ""
    term: int | None = None
    defined: bool = False

    @property
    def step(self) -> LessonStep | None:
        """The step shown; None at the lesson's end."""
        return self.lesson.steps[self.number] if self.number < len(self.lesson.steps) else None

    @property
    def met(self) -> bool:
        """Whether all goals of the step are met; true for a step without goals and at the end."""
        return all(self.ticks)

    @property
    def goals(self) -> int:
        """The number of the lesson's steps that have goals."""
        return sum(bool(step.goals) for step in self.lesson.steps)
