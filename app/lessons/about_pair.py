"""Predicates about the pair, its axes and its bodies' moves: when they hold, and sentences on measured values."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import hypot
from typing import TYPE_CHECKING

from core.analysis.algorithm_settings import SingleSettings
from core.geometry.vector import Array, dot
from core.pair.pair import PairScale
from core.sat.sat import AxisStatus
from core.scene import Body, Scene
from core.verdict import Verdict

from ..state.lesson import Goal
from ..words.digits import in_degrees, plain
from ..words.names import axis_name, row_of
from .forms import (
    CASES,
    COORDINATES,
    METHODS,
    STATUSES,
    VERDICTS,
    FeedbackText,
    Predicate,
    PredicateForm,
    axis_arguments,
    body_arguments,
    compared,
    measured,
    number_predicate,
    off_words,
    one_of,
    shadow_arguments,
    winner_arguments,
)
from .numbers import contact_count, count
from .situation import Situation

if TYPE_CHECKING:
    from core.float32 import SingleAnswer

# The pair.


def _standing(now: Situation) -> str:
    found = now.analysis
    if found.verdict is Verdict.TOUCHING:
        return "The bodies touch"
    return f"{plain(abs(found.separation))} {'apart' if found.separation > 0.0 else 'deep'}"


def _verdict_holds(goal: Goal, now: Situation) -> bool:
    return now.analysis.verdict in [VERDICTS[word] for word in goal.arguments]


def _verdict_said(_goal: Goal, now: Situation) -> str:
    if now.analysis.verdict is Verdict.TOUCHING:
        return "They touch."
    if now.analysis.verdict is Verdict.OVERLAPPING:
        return f"Still {_standing(now)}."
    table = now.analysis.sat
    gap = f": {axis_name(table, table.winner)} shows the gap" if table.applies and table.separation > 0.0 else ""
    return f"Still {_standing(now)}{gap}."


def _separation_said(goal: Goal, now: Situation) -> str:
    return measured(_standing(now), off_words(now.analysis.separation, goal.comparison, "too close", "too far"))


def _depth(now: Situation) -> float | None:
    return None if now.analysis.separation > 0.0 else -now.analysis.separation


def _depth_said(goal: Goal, now: Situation) -> str:
    depth = _depth(now)
    if depth is None:
        return f"{_standing(now)}: they must overlap."
    return measured(_standing(now), off_words(depth, goal.comparison, "too little", "too much"))


def _case_said(_goal: Goal, now: Situation) -> str:
    found = now.analysis.contacts
    if found is None or not found.contacts:
        return "There is no contact."
    return f"The contact is of this kind: {found.case.value}."


def _case_holds(goal: Goal, now: Situation) -> bool:
    found = now.analysis.contacts
    return found is not None and bool(found.contacts) and found.case is CASES[goal.arguments[0]]


@lru_cache(maxsize=1)
def _single_answers(scene: Scene, settings: SingleSettings) -> tuple[SingleAnswer, ...]:
    """Every method's answer in single precision, cached for the last scene and settings."""
    # Imported here because few lessons need it.
    from core.float32 import analyse_single

    return analyse_single(scene, world_space=settings.world, away=settings.away).answers


def _differs(goal: Goal, now: Situation) -> float | None:
    """The error of a method in single precision, as a share of the larger body; None if it gives no answer."""
    name = METHODS[goal.arguments[0]]
    found = next(
        (answer for answer in _single_answers(now.scene, now.algorithm_settings.single) if answer.algorithm == name),
        None,
    )
    return None if found is None else abs(found.error) / PairScale.of(now.scene.a, now.scene.b).largest_radius


def _differs_said(goal: Goal, now: Situation) -> str:
    off = _differs(goal, now)
    if off is None:
        return f"{METHODS[goal.arguments[0]]} says nothing about this pair."
    return f"Single precision is off by {plain(off)} of the larger body."


# Axes.


def overlap_words(separation: float) -> str:
    """The separation in words: `a gap of 0.3`, `an overlap of 2.5`."""
    return f"{'a gap' if separation > 0.0 else 'an overlap'} of {plain(abs(separation))}"


def row_separation(now: Situation, label: str) -> float | None:
    """The signed separation on the axis with this label; None if there is no such axis or it has no direction."""
    row = row_of(now.analysis.sat, label)
    if row is None or now.analysis.sat.statuses[row] is AxisStatus.DEGENERATE:
        return None
    return float(now.analysis.sat.separations[row])


def _winner_holds(goal: Goal, now: Situation) -> bool:
    table, wanted = now.analysis.sat, goal.arguments[0]
    best = {table.winner, *table.ties}
    if wanted.startswith("kind "):
        return any(table.candidates[row].kind.value == wanted.removeprefix("kind ").strip() for row in best)
    return row_of(table, wanted) in best


def _winner_said(goal: Goal, now: Situation) -> str:
    table = now.analysis.sat
    words = f"{axis_name(table, table.winner)} still decides"
    separation = None if goal.arguments[0].startswith("kind ") else row_separation(now, goal.arguments[0])
    return f"{words}." if separation is None else f"{words}, by {plain(table.separation - separation)}."


def _axis_holds(goal: Goal, now: Situation) -> bool:
    table = now.analysis.sat
    row = row_of(table, goal.arguments[0])
    return row is not None and table.statuses[row] is STATUSES[goal.arguments[1]]


def _axis_said(goal: Goal, now: Situation) -> str:
    table, label = now.analysis.sat, goal.arguments[0]
    separation, row = row_separation(now, label), row_of(table, label)
    label = label if row is None else axis_name(table, row)
    return f"{label} has no direction here." if separation is None else f"{label} shows {overlap_words(separation)}."


def _directions(now: Situation) -> int:
    table = now.analysis.sat
    known = [row for row, status in enumerate(table.statuses) if status is not AxisStatus.DEGENERATE]
    return len({int(table.same_as[row]) for row in known})


# The bodies that were moved.


def _body(goal: Goal) -> int:
    return "ab".index(goal.arguments[0])


def _moved_said(goal: Goal, now: Situation) -> str:
    body = _body(goal)
    moved = now.moved(body)
    if not moved and now.moved(1 - body):
        return f"You moved {'BA'[body]}. Move {'AB'[body]} instead."
    off = off_words(_moved(goal, now), goal.comparison, "less than asked", "more than allowed")
    along = f", {plain(_moved(goal, now))} of it along {goal.arguments[1]}" if goal.arguments[1:] else ""
    return measured(f"You moved {'AB'[_body(goal)]} by {plain(moved)}{along}", off)


def _moved(goal: Goal, now: Situation) -> float:
    """The distance by which the body was moved, or its signed move along the goal's coordinate; scene units."""
    if len(goal.arguments) == 1:
        return now.moved(_body(goal))
    return now.shift(_body(goal))[COORDINATES.index(goal.arguments[1])]


def _middle(body: Body, axis: Array) -> float:
    """The middle of the body's interval on a unit axis (3,)."""
    pose, shape = body.pose, body.shape
    ends = [pose.to_world(shape.support(pose.direction_to_local(sign * axis))) for sign in (1.0, -1.0)]
    return 0.5 * dot(ends[0] + ends[1], axis)


def _shadow(goal: Goal, now: Situation) -> float | None:
    """The distance by which the body's interval moved on the axis; None without such an axis or its direction."""
    row = row_of(now.analysis.sat, goal.arguments[1])
    if row is None or now.analysis.sat.statuses[row] is AxisStatus.DEGENERATE:
        return None
    axis, index = now.analysis.sat.axes[row], _body(goal)
    return abs(_middle(now.scene.body(index), axis) - _middle(now.start.body(index), axis))


def _shadow_said(goal: Goal, now: Situation) -> str:
    moved, body = _shadow(goal, now), "AB"[_body(goal)]
    if moved is None:
        return ""
    return f"{body} moved by {plain(now.moved(_body(goal)))}, its shadow by {plain(moved)}."


def _displacement(goal: Goal, now: Situation) -> float:
    way = now.scene.body(_body(goal)).displacement
    return hypot(*way) if len(goal.arguments) == 1 else way[COORDINATES.index(goal.arguments[1])]


def _displacement_said(goal: Goal, now: Situation) -> str:
    off = off_words(_displacement(goal, now), goal.comparison, "too short", "too long")
    return measured(f"{'AB'[_body(goal)]}'s path is {plain(_displacement(goal, now))} along it", off)


def _turned_said(goal: Goal, now: Situation) -> str:
    return f"{'AB'[_body(goal)]} is turned by {in_degrees(now.turned(_body(goal)))}."


def _by_body(of: Callable[[Situation, int], float], usage: str, said: FeedbackText) -> Predicate:
    form = PredicateForm(one_of(("a", "b")), True, usage)
    return Predicate(form, lambda goal, now: compared(of(now, _body(goal)), goal.comparison), said)


ABOUT_PAIR: dict[str, Predicate] = {
    "verdict": Predicate(
        PredicateForm(one_of(tuple(VERDICTS), 3), False, "verdict(separated, touching)"), _verdict_holds, _verdict_said
    ),
    "separation": number_predicate(lambda now: now.analysis.separation, "separation ~ 0.5 ± 0.03", _separation_said),
    "depth": number_predicate(_depth, "depth >= 0.1", _depth_said),
    "contacts": number_predicate(
        contact_count, "contacts == 4", lambda _goal, now: f"{count(contact_count(now), 'contact').capitalize()}."
    ),
    "contact_case": Predicate(
        PredicateForm(one_of(tuple(CASES)), False, "contact_case(face_a)"), _case_holds, _case_said
    ),
    "winner": Predicate(
        PredicateForm(winner_arguments, False, "winner(A.x) or winner(kind edge × edge)"), _winner_holds, _winner_said
    ),
    "axis": Predicate(PredicateForm(axis_arguments, False, "axis(A.x, separates)"), _axis_holds, _axis_said),
    "distinct_axes": number_predicate(
        _directions, "distinct_axes == 3", lambda _goal, now: f"Still {_directions(now)} different directions."
    ),
    "moved": Predicate(
        PredicateForm(body_arguments, True, "moved(b) <= 0.24 or moved(b, x) >= 0.5"),
        lambda goal, now: compared(_moved(goal, now), goal.comparison),
        _moved_said,
    ),
    "shadow_moved": Predicate(
        PredicateForm(shadow_arguments, True, "shadow_moved(b, A.e0) >= 0.5"),
        lambda goal, now: compared(_shadow(goal, now), goal.comparison),
        _shadow_said,
    ),
    "displacement": Predicate(
        PredicateForm(body_arguments, True, "displacement(b, x) >= 3"),
        lambda goal, now: compared(_displacement(goal, now), goal.comparison),
        _displacement_said,
    ),
    "turned": _by_body(lambda now, body: now.turned(body), "turned(b) >= 30", _turned_said),
    "differs": Predicate(
        PredicateForm(one_of(tuple(METHODS)), True, "differs(sat) >= 0.01"),
        lambda goal, now: compared(_differs(goal, now), goal.comparison),
        _differs_said,
    ),
}
"""The predicates by their names in lesson files."""
