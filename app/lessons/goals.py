"""Goals: the table of all predicates, how a goal is read, when it is ticked, and the feedback while it is open.

State predicates judge the shown situation, events the learner's doings since the step began. All are pure, and are
judged after the analysis of the shown scene, at most once a frame.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from core.toi.motion import moves

from ..state.lesson import Goal, GoalComparison, LessonStep
from .about_learner import ABOUT_LEARNER, stuck_row
from .about_pair import ABOUT_PAIR
from .about_steps import ABOUT_STEPS
from .forms import Predicate
from .situation import Situation

PREDICATES: Mapping[str, Predicate] = {**ABOUT_PAIR, **ABOUT_STEPS, **ABOUT_LEARNER}
"""Every predicate by its name in lesson files."""

COMPUTING = "The answer is being computed."

_GOAL = re.compile(
    r"(?P<not>not\s+)?(?P<name>\w+)\s*(?:\((?P<arguments>[^()]*)\))?"
    r"(?:\s*(?P<operator>==|<=|>=|<|>|~)\s*(?P<number>[-−+.\w]+)(?:\s*(?:±|\+-)\s*(?P<tolerance>[.\w+-]+))?)?"
)


def parse_goal(text: str, line: int) -> Goal:
    """Parses a goal, with the words for the card behind `::` if given. Raises ValueError for any other text."""
    text, marked, words = (part.strip() for part in text.partition("::"))
    if marked and not words:
        raise ValueError("the words of a goal must stand behind ::, as step_at(gjk, stop) :: Step to the end")
    found = _GOAL.fullmatch(text)
    if found is None:
        raise ValueError(f"must be [not] NAME(ARGUMENTS) [OPERATOR NUMBER], as contacts == 2; got {text!r}")
    name = found["name"]
    if name not in PREDICATES:
        raise ValueError(f"the predicate must be one of {', '.join(PREDICATES)}; got {name!r}")
    form = PREDICATES[name].form
    arguments = tuple(part.strip() for part in (found["arguments"] or "").split(",") if part.strip())
    try:
        form.arguments(arguments)
    except ValueError as error:
        raise ValueError(f"{name}: {error}; it is written as {form.usage}") from None
    if form.compares is not None and form.compares != bool(found["operator"]):
        wanted = "needs a comparison with a number" if form.compares else "is compared with no number"
        raise ValueError(f"{name} {wanted}; it is written as {form.usage}")
    comparison = (
        None if not found["operator"] else _comparison(name, found["operator"], found["number"], found["tolerance"])
    )
    return Goal(name, arguments, comparison, bool(found["not"]), text, line, words)


def _comparison(name: str, operator: str, number: str, tolerance: str | None) -> GoalComparison:
    if (tolerance is not None) != (operator == "~"):
        raise ValueError("a tolerance belongs to ~ and to no other operator, as in separation ~ 0.5 ± 0.03")
    within = 0.0 if tolerance is None else _real(tolerance)
    if within < 0.0:
        raise ValueError(f"the tolerance must not be negative; got {tolerance}")
    if number == "impact" and name == "time":
        return GoalComparison(operator, 0.0, within, impact=True)
    return GoalComparison(operator, _real(number), within)


def _real(text: str) -> float:
    try:
        value = float(text.replace("−", "-"))
    except ValueError:
        value = float("nan")
    if not abs(value) < float("inf"):
        raise ValueError(f"must be a finite number; got {text!r}")
    return value


def holds(goal: Goal, now: Situation) -> bool:
    """Whether a goal holds in the situation."""
    return PREDICATES[goal.name].holds(goal, now) is not goal.negated


def said(goal: Goal, now: Situation) -> str:
    """A sentence with the value measured for an open goal after an attempt; may be empty."""
    return PREDICATES[goal.name].said(goal, now)


def waits_for(goal: Goal, now: Situation) -> str:
    """A sentence on the answer that a goal waits for, and on what the learner can do for it; "" if it does not wait."""
    if PREDICATES[goal.name].needs_motion:
        if now.sweep is not None or not (moves(now.scene.a) or moves(now.scene.b)):
            return ""
        # While the motion is hidden nothing about it is computed.
        shown = now.view.shows_motion(now.scene)
        return COMPUTING if shown else "The motion is hidden, so it is not judged. Press `Shift+M` to show it."
    return COMPUTING if now.analysis.beyond_limits and not PREDICATES[goal.name].event else ""


def ticked(step: LessonStep, before: tuple[bool, ...], now: Situation, *, dragging: bool = False) -> tuple[bool, ...]:
    """The flags of met goals, one for each goal of the step, from the flags `before`.

    Goals are met in order, and a met goal stays met. With `together` all are judged anew until all hold at once; before
    the scene is changed either all are ticked or none. While a mouse button is down (`dragging`) only events are
    ticked; other goals are judged after the release.
    """

    def met(goal: Goal) -> bool:
        predicate = PREDICATES[goal.name]
        return (predicate.event or not dragging) and not waits_for(goal, now) and holds(goal, now)

    if step.together:
        held = before if all(before) else tuple(met(goal) for goal in step.goals)
        return held if all(held) or now.scene != now.start else unmet(step)
    ticks: list[bool] = []
    for goal, done in zip(step.goals, before, strict=True):
        ticks.append(done or (all(ticks) and met(goal)))
    return tuple(ticks)


def newly_stuck(step: LessonStep, before: tuple[bool, ...], ticks: tuple[bool, ...], now: Situation) -> int | None:
    """The row of SAT's table on whose axis the wall is stuck, if a goal that asks for it was just ticked; else None."""
    asked = any(
        goal.name == "free_axis" and "stuck" in goal.arguments and done and not was
        for goal, was, done in zip(step.goals, before, ticks, strict=True)
    )
    return stuck_row(now) if asked else None


def unmet(step: LessonStep) -> tuple[bool, ...]:
    """The flags of a step that has just begun."""
    return (False,) * len(step.goals)


def feedback(step: LessonStep, ticks: tuple[bool, ...], now: Situation, *, chosen: bool = False) -> str:
    """The feedback under the goals after an attempt: on the first open goal, then the step's own advice.

    `chosen`: the attempt is the choice of an option; the feedback on a wrong option is why it is wrong, whichever goal
    is open. May be empty; empty if all goals are met. A question has its own feedback.
    """
    goal = next((goal for goal, done in zip(step.goals, ticks, strict=True) if not done), None)
    if goal is None:
        return ""
    option = step.option(now.events.chosen) if chosen else None
    if option is not None and option.why:
        return option.why
    if waiting := waits_for(goal, now):
        return waiting
    return " ".join(part for part in (said(goal, now), step.almost) if part)
