"""The pages of a lesson's handout: each step as it opens, with its goals; hints and closing words are folded."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from ..draw.theme import Theme
from ..export.handout import Page
from ..io.scene_file import SceneError
from ..lessons.asking import asked_at, veil_at
from ..lessons.faults import LessonError
from ..lessons.goal_words import in_words
from ..lessons.lesson_file import load_lesson
from ..lessons.markup import SpanKind, spans
from ..lessons.numbers import live_number
from ..lessons.situation import Situation, opening_situation
from ..lessons.solution import applied
from ..render.legend import panes_of
from ..state.lesson import CameraRule, LessonStep
from ..state.playback import part_name, place_of
from ..state.view import Seen

CHOSEN = frozenset({"chose", "answered"})
"""Goals that are not printed: the page already has the options or the question."""


def of_lesson(file: str, theme: Theme) -> tuple[str, list[Seen], list[Page]]:
    """The lesson's title, the state each step shows as it opens, and the pages.

    Raises SceneError, with the fault, for a bad lesson and for a solution that does not work. A step with `scene: keep`
    opens on the scene that the previous step's solution leaves.
    """
    shown: list[Seen] = []
    pages: list[Page] = []
    left = None
    try:
        lesson = load_lesson(file)
    except LessonError as error:
        raise SceneError("", str(error)) from None
    for number, step in enumerate(lesson.steps, start=1):
        try:
            start = now = opening_situation(lesson, step, left)
            shown.append(_seen(step, start, shown[-1] if shown else None, theme))
            for action in step.solution:
                now = applied(now, action)
        except ValueError as error:
            raise SceneError("", f"{step.id}: {error}", f"{file}:{step.line}") from None
        pages.append(_page(number, step, shown[-1], start, now))
        left = now.scene
    return lesson.title, shown, pages


def _seen(step: LessonStep, now: Situation, before: Seen | None, theme: Theme) -> Seen:
    """The state that a step shows as it opens, framed anew.

    The step's rule gives the camera's direction; with CameraRule.KEEP it is the previous step's.
    """
    view, rule = replace(now.view, fitted=True), step.look.camera
    if isinstance(rule, tuple):
        view = view.turned(*rule)
    elif rule is CameraRule.KEEP and before is not None:
        view = replace(view, close=before.view.close)
        view = view.turned(before.view.world.yaw, before.view.world.pitch)
    seen = Seen(now.scene, now.analysis, view, theme, asked=asked_at(step, lambda: now.query), veil=veil_at(step))
    if not now.playback.open:
        return seen
    place, part = place_of(now.playback, now.query), part_name(now.playback, now.query)
    return replace(seen, query=now.query, place=place, part=part)


def _page(number: int, step: LessonStep, seen: Seen, start: Situation, end: Situation) -> Page:
    """A step's page: text and hints with the numbers of `start`, the closing words with those of `end`."""
    goals = [in_words(goal) for goal in step.goals if goal.name not in CHOSEN]
    options = [f"☐ {_plain(option.label, start)}" for option in step.options]
    question = "" if seen.asked is None else seen.asked.question.text
    hints = [("Hint", _plain(hint, start)) for hint in step.hints]
    then = [("Then", _plain(step.then, end))] if step.then else []
    return Page(
        f"{number}",
        step.title,
        f"{step.title}. {panes_of(seen)}",
        (("", _plain(step.text, start)), ("Question", question), ("Choose", _lines(options)), ("Goals", _lines(goals))),
        folded=(*hints, *then),
    )


def _lines(texts: Iterable[str]) -> str:
    return "\n".join(texts)


def _plain(text: str, now: Situation) -> str:
    """A text without its markup, with its live numbers taken from `now`."""
    return "".join(
        [live_number(span.target, now)[0] if span.kind is SpanKind.NUMBER else span.text for span in spans(text)]
    )
