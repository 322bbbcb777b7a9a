"""The state of the open lesson, and the learner's actions detected from frame to frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from core.query.query import Moment
from core.scene import Scene

from ..state.lesson import Lesson, LessonStep
from ..state.playback import Playback
from ..state.prediction import CurrentQuestion, Outcome, QuestionKind
from ..state.reveal import AnswerShown
from ..state.view import View
from ..state.work import Work
from ..words.key_names import chord_named

if TYPE_CHECKING:
    from ..lessons.situation import LearnerActions, Situation
    from .lesson_demonstration import Demonstration


WRONG_ATTEMPTS = 3
"""The number of unsuccessful attempts after which help is offered."""
WITHOUT_ATTEMPT = 30.0
"""Seconds without an attempt after which help is offered."""
LONGEST_REST = 120.0
"""The longest time without action, in seconds, that counts as time spent: the rest is a break."""


class Before(Struct, frozen=True, eq=False):
    """The state before the lesson; `docked`, `log_scale`: as in Dialogs; `cameras`: as from `Cameras.saved_state`."""

    work: Work
    docked: tuple[str, ...]
    log_scale: bool
    cameras: tuple[object, ...]


class UnderWay(Struct):
    """The open lesson and its state.

    `number`: the shown step's, from 0. `starts`: the scenes that steps began with. `wrong_options`: the wrong options
    chosen. `wrong`: the number of unsuccessful attempts; `attempted`: the time of the last attempt. `helped`: "Show me"
    met the goals. `term`: index of the term or key with the keyboard's focus, from 0; `defined`: its definition is
    open. `acted`: the time of the learner's last action; `doing`: the state shown then; `spent`: seconds, without
    breaks. `demonstration`: the end of the solution that is being played, and its move. `came`: the view before the
    step, and whether the scene was the same; None where no step was shown before. `reached`: the largest number of a
    step that was shown; `ticks`: for each goal, whether it is met; `hints`: the number of those shown.
    """

    lesson: Lesson
    before: Before
    acted: float
    doing: tuple[object, ...] = ()
    spent: float = 0.0
    came: tuple[View, bool] | None = None
    number: int = 0
    reached: int = 0
    starts: dict[int, Scene] = {}
    ticks: tuple[bool, ...] = ()
    wrong_options: frozenset[str] = frozenset()
    feedback: str = ""
    hints: int = 0
    wrong: int = 0
    attempted: float = 0.0
    helped: bool = False
    term: int | None = None
    defined: bool = False
    demonstration: tuple[Situation, Demonstration] | None = None

    def spend(self, now: float) -> None:
        """Counts the time since the learner's last action, without a break; `now`: seconds."""
        self.spent += min(now - self.acted, LONGEST_REST)
        self.acted = now

    def wants_help(self, now: float) -> bool:
        """Whether help is offered at `now`, seconds."""
        idle = not all(self.ticks) and now - self.attempted > WITHOUT_ATTEMPT
        return self.wrong >= WRONG_ATTEMPTS or idle

    @property
    def movable(self) -> tuple[int, ...]:
        """The bodies that can be dragged, A (0) and B (1), as the step says.

        None of them while the next goal is a choice or a question.
        """
        step = self.step
        if step is None:
            return (0, 1)
        goal = next((goal for goal, met in zip(step.goals, self.ticks, strict=True) if not met), None)
        if goal is not None and goal.name in ("chose", "answered"):
            return ()
        return step.look.draggable

    @property
    def texts(self) -> tuple[str, ...]:
        """The card's texts that may have terms, from top to bottom; empty at the lesson's end."""
        step = self.step
        if step is None:
            return ()
        return (step.text, *step.hints[: self.hints], *([step.then] if all(self.ticks) else []))

    def key_at_terms(self, chord: str) -> bool:
        """Handles `Tab` (next term or key), `Enter` or `Space` (toggles the definition) and `Escape` (back).

        Returns whether the key was used.
        """
        from ..lessons.markup import stops_in

        if chord in ("Tab", "Shift+Tab"):
            stops = (None, *range(sum(len(stops_in(text)) for text in self.texts)))
            place = stops.index(self.term) if self.term in stops else 0
            self.term, self.defined = stops[(place + (1 if chord == "Tab" else -1)) % len(stops)], False
            return True
        if self.term is None or chord not in ("Enter", "Space", "Escape"):
            return False
        if self.key and chord != "Escape":
            return False
        if chord == "Escape" and not self.defined:
            self.term = None
        self.defined = chord != "Escape" and not self.defined
        return True

    @property
    def key(self) -> str:
        """The chord whose name has the keyboard's focus; "" for none."""
        from ..lessons.markup import SpanKind, stops_in

        stops = [span for text in self.texts for span in stops_in(text)]
        if self.term is None or self.term >= len(stops) or stops[self.term].kind is not SpanKind.CODE:
            return ""
        return chord_named(stops[self.term].text)

    @property
    def step(self) -> LessonStep | None:
        """The step shown; None at the lesson's end."""
        return self.lesson.steps[self.number] if self.number < len(self.lesson.steps) else None


class LastFrame(Struct):
    """The state in the last frame. `since`: the time, in seconds, since which the pointer is on its subject.

    `tried`: the number of answers given to the question; `chosen`: the id of the chosen option.
    """

    scene: Scene
    playback: Playback
    view: View
    tried: int = 0
    chosen: str = ""
    since: float = 0.0


class Facts(Struct, frozen=True, eq=False):
    """The facts of this frame: the scene of the last finished edit, the current question, the shown step.

    `about_axes`: a goal asks to point at axes; otherwise pointing is no attempt.
    """

    committed: Scene
    asked: CurrentQuestion | None
    moment: Moment | None
    about_axes: bool


def leads_up(step: LessonStep, moment: Moment | None) -> bool:
    """Whether a step that shows only the verdict's word is at a `moment` before its phase's last."""
    return step.look.answer is AnswerShown.WORD and moment is not None and not moment.last


def answer_at(step: LessonStep, moment: Moment | None, *, met: bool) -> AnswerShown:
    """The part of the answer that is shown: all of it once the goals are `met`, unless the step never shows it.

    `moment`: the shown step of the timeline, None without one.
    """
    look = step.look.answer
    if look is not AnswerShown.NEVER and step.goals and met and not leads_up(step, moment):
        return AnswerShown.FULL
    return AnswerShown.HIDDEN if step.ask is not None and look is AnswerShown.FULL else look


def noticed(
    last: LastFrame, situation: Situation, facts: Facts, now: float, *, dragging: bool
) -> tuple[LearnerActions, bool]:
    """Adds the learner's actions since the last frame; returns them, and whether one was an attempt; updates `last`.

    `now`: seconds. During a drag only pointing, answers and choices are attempts.
    """
    events, asked = situation.events, facts.asked
    tried = 0 if asked is None else len(asked.prediction.tried)
    attempted = tried != last.tried or events.chosen != last.chosen
    if asked is not None and asked.prediction.outcome is Outcome.RIGHT:
        events = replace(events, answered=events.answered | {QuestionKind(asked.question.kind)})
    if facts.moment is not None:
        events = replace(events, steps=events.steps | {(facts.moment.phase, facts.moment.index + 1)})
    label = _looked_at(last, situation, now)
    if label and (label != events.focus or label not in events.visited):
        events = replace(events, focus=label, visited=events.visited | {label})
        attempted |= facts.about_axes
    last.tried, last.chosen = tried, events.chosen
    free, before = situation.view.free, last.view.free
    if turned := free is not None and before is not None and free != before:
        from ..probes.free_axis import FreeAxis

        # An axis passed during the drag, or its start, counts for the best too, since it was shown.
        known = [FreeAxis.of(situation.analysis, axis).separation for axis in (free, before) if axis is not None]
        events = replace(events, best_try=max(known if events.best_try is None else (*known, events.best_try)))
    if dragging:
        last.view = replace(last.view, hover=situation.view.hover, pin=situation.view.pin)
        return events, attempted
    attempted |= (
        facts.committed != last.scene or situation.playback != last.playback or situation.view.time != last.view.time
    )
    if turned:
        events, attempted = replace(events, tries=events.tries + 1), True
    last.scene, last.playback, last.view = facts.committed, situation.playback, situation.view
    return events, attempted


def _looked_at(last: LastFrame, situation: Situation, now: float) -> str:
    """The label of the axis that was pinned, or pointed at for POINTING seconds; "" for none."""
    from ..lessons.situation import POINTING

    if situation.view.hover != last.view.hover:
        last.since = now
    subject = situation.view.hover if now - last.since >= POINTING else None
    if situation.view.pin != last.view.pin:
        subject = situation.view.pin or subject
    table = situation.analysis.sat
    if subject is None or subject.kind != "axis" or subject.number >= len(table.candidates):
        return ""
    return table.candidates[subject.number].label
