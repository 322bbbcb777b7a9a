"""Puts goals into words, as the lesson's card lists them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..stages import spec_of
from ..state.lesson import FIRST_GAP, LOG_SCALE, STOP, Goal, GoalComparison
from ..words.axis_words import listed
from ..words.digits import plain
from ..words.names import named_axis
from .about_learner import AXIS_COLOURS
from .about_steps import stop_words
from .forms import phase_from
from .numbers import count

_BOUNDS = {"==": "", "<=": "at most ", ">=": "at least ", "<": "less than ", ">": "more than ", "~": "about "}
IN_PLACE = 0.001
"""The largest bound on a body's move, scene units, that is worded as staying in its place; it allows for rounding."""
_VERDICTS = {"separated": "apart", "touching": "touching", "overlapping": "overlapping"}
_CASES = {"face_a": "A face of A decides", "face_b": "A face of B decides", "edges": "Two edges decide"}
_STATUSES = {
    "separates": "A gap on",
    "touches": "The intervals touch on",
    "overlaps": "An overlap on",
    "no_direction": "No direction for",
}
_OUTCOMES = {
    "hit": "They touch on their way",
    "initial_overlap": "They overlap at the start",
    "separated": "They never touch",
    "undecided": "Whether they touch stays open",
}


def in_words(goal: Goal) -> str:
    """The goal in a few words: the lesson file's own, else such as `2 contacts`, `B moved by at most 0.24`."""
    if goal.words:
        return goal.words
    words = _WORDS[goal.name](goal)
    return f"Not: {words[0].lower()}{words[1:]}" if goal.negated else words


def _size(comparison: GoalComparison | None, unit: str = "") -> str:
    if comparison is None:
        return ""
    within = f" (± {plain(comparison.tolerance)}{unit})" if comparison.operator == "~" else ""
    return f"{_BOUNDS[comparison.operator]}{plain(comparison.value)}{unit}{within}"


def _counted(comparison: GoalComparison | None, noun: str) -> str:
    if comparison is None:
        return noun
    number = round(comparison.value)
    words = f"{_BOUNDS[comparison.operator]}{count(number, noun)}"
    return words[0].upper() + words[1:]


def _first(words: str) -> str:
    return words[0].upper() + words[1:]


def _focus(goal: Goal) -> str:
    wanted = goal.arguments[0]
    return "Point at an axis with a gap" if wanted == "separates" else f"Point at {named_axis(wanted)}"


def _free(goal: Goal) -> str:
    match goal.arguments[0]:
        case "separates":
            return "A gap on your axis"
        case "cuts":
            return "Your wall cuts into a body"
        case "stuck":
            return "Your wall is stuck, and cuts into no body"
        case "tries":
            return _counted(goal.comparison, "try").replace("trys", "tries")
    return "Your axis beats the one that decides"


def _visited(goal: Goal) -> str:
    if goal.comparison is not None:
        bound = "" if goal.comparison.operator == ">=" else _BOUNDS[goal.comparison.operator]
        return f"Point at {bound}{count(round(goal.comparison.value), 'name')}"
    return f"Point at {listed([AXIS_COLOURS.get(kind, kind) for kind in goal.arguments])}"


def _separation(goal: Goal) -> str:
    # "Distance" where only separated bodies can reach the goal.
    apart = goal.comparison is not None and goal.comparison.value > goal.comparison.tolerance
    return f"{'Distance' if apart and not goal.negated else 'Separation'} {_size(goal.comparison)}"


def _winner(goal: Goal) -> str:
    wanted = goal.arguments[0]
    return (
        f"The axis that decides is of the kind {wanted.removeprefix('kind ').strip()}"
        if " " in wanted
        else f"{named_axis(wanted)} decides"
    )


def _at(goal: Goal) -> str:
    phase, where = goal.arguments
    number, _, part = where.partition(" ")
    if where == FIRST_GAP:
        return f"Step to the first gap of {_phase(phase)}"
    if where == STOP:
        return f"Step to the end of {_phase(phase)}"
    if where.isdigit():
        return f"Step to {_phase(phase)} {where}"
    if part and number.isdigit():
        return f"Step to “{part}” in {_phase(phase)} {number}"
    return f"Step to “{where}” of {_phase(phase)}"


def _phase(name: str) -> str:
    """The phase's name in the timeline."""
    return spec_of(phase_from(name)).name


def _moved(goal: Goal) -> str:
    body, comparison = goal.arguments[0].upper(), goal.comparison
    if comparison is not None and comparison.operator == "<=" and comparison.value <= IN_PLACE:
        return f"{body} stays in its place"
    return f"{body} moved by {_size(comparison)}{_along(goal)}"


def _along(goal: Goal) -> str:
    return f" along {goal.arguments[1]}" if goal.arguments[1:] else ""


def _time(goal: Goal) -> str:
    comparison = goal.comparison
    if comparison is not None and comparison.impact:
        return f"The moment of touch, within {plain(comparison.tolerance)}"
    return f"Time {_size(comparison)}"


_SHOWN = {
    "side_by_side": "Answers side by side",
    "through_zero": "Through-zero plot",
    LOG_SCALE: "Uncertainty, log scale",
}
"""Titles of panels, and of the chart's switch, whose names in lesson files differ."""
_WORDS: Mapping[str, Callable[[Goal], str]] = {
    "verdict": lambda goal: _first(" or ".join(_VERDICTS.get(word, word) for word in goal.arguments)),
    "separation": _separation,
    "depth": lambda goal: f"Depth {_size(goal.comparison)}",
    "contacts": lambda goal: _counted(goal.comparison, "contact"),
    "contact_case": lambda goal: _CASES.get(goal.arguments[0], "One point decides"),
    "focus": _focus,
    "visited": _visited,
    "free_axis": _free,
    "winner": _winner,
    "axis": lambda goal: f"{_STATUSES[goal.arguments[1]]} {named_axis(goal.arguments[0])}",
    "distinct_axes": lambda goal: f"Axes in {_counted(goal.comparison, 'different direction')}",
    "moved": _moved,
    "shadow_moved": lambda goal: (
        f"{goal.arguments[0].upper()}'s shadow on {named_axis(goal.arguments[1])} moved by {_size(goal.comparison)}"
    ),
    "displacement": lambda goal: f"{goal.arguments[0].upper()}'s path is {_size(goal.comparison)} long{_along(goal)}",
    "turned": lambda goal: f"{goal.arguments[0].upper()} turned by {_size(goal.comparison, '°')}",
    "answered": lambda _goal: "The question answered",
    "chose": lambda _goal: "The right choice",
    "step_at": _at,
    "visited_phase": lambda goal: f"Every step of {_phase(goal.arguments[0])} seen",
    "gjk_stop": lambda goal: f"GJK stops: {stop_words(goal.arguments[0])}",
    "epa_stop": lambda goal: f"EPA stops: {stop_words(goal.arguments[0])}",
    "bounds": lambda goal: f"Bounds {_size(goal.comparison)} apart",
    "motion": lambda goal: _OUTCOMES.get(goal.arguments[0], goal.arguments[0]),
    "impact": lambda goal: f"Time of impact {_size(goal.comparison)}",
    "time": _time,
    "frames_miss": lambda _goal: "Apart in the first and last frame, and a hit between them",
    "toggled": lambda goal: f"{_SHOWN.get(goal.arguments[0], _first(goal.arguments[0].replace('_', ' ')))} shown",
    "setting": lambda goal: f"{goal.arguments[0]} is {goal.arguments[1]}",
    "differs": lambda goal: f"Single precision off by {_size(goal.comparison)} of the larger body",
}
"""The words by predicate."""
