"""Predicates about the learner: the actions since the step began, the free axis, what is shown, the settings.

Each has a function that says whether a goal holds, and one that returns the sentence for an open goal.
"""

from __future__ import annotations

from math import cos, pi, radians, sin

import numpy as np

from core.analysis.algorithm_settings import setting_at
from core.geometry.vector import Array, any_perpendicular, cross, length, unit
from core.sat.sat import AxisKind, AxisStatus
from core.sat.table import projections

from ..probes.free_axis import NEARS, FreeAxis, parts_at
from ..state.lesson import LESSON_PANELS, LOG_SCALE, Goal
from ..state.prediction import QuestionKind
from ..words.axis_words import listed
from ..words.names import axis_name, row_of
from .about_pair import overlap_words, row_separation
from .forms import (
    KINDS,
    Predicate,
    PredicateForm,
    a_name,
    compared,
    one_of,
    setting_arguments,
    setting_from,
    silent,
)
from .numbers import count
from .situation import Situation

STUCK = 3.0
"""Degrees: the largest angle from a stuck axis to the axis that fits, and the angle from that to one that cuts."""


def _focus_holds(goal: Goal, now: Situation) -> bool:
    table, wanted = now.analysis.sat, goal.arguments[0]
    row = row_of(table, now.events.focus) if now.events.focus else None
    if row is None:
        return False
    return table.statuses[row] is AxisStatus.SEPARATING if wanted == "separates" else row == row_of(table, wanted)


def _focus_said(_goal: Goal, now: Situation) -> str:
    label = now.events.focus
    separation = row_separation(now, label) if label else None
    row = row_of(now.analysis.sat, label)
    return (
        ""
        if separation is None or row is None
        else f"{axis_name(now.analysis.sat, row)} shows {overlap_words(separation)}."
    )


def _kinds_visited(now: Situation) -> set[str]:
    table = now.analysis.sat
    rows = (row_of(table, label) for label in now.events.visited)
    return {str(table.candidates[row].kind.value) for row in rows if row is not None}


AXIS_COLOURS = {
    AxisKind.FACE_A.value: "a face of A (blue)",
    AxisKind.FACE_B.value: "a face of B (orange)",
    AxisKind.EDGES.value: "an edge × edge face (green)",
    AxisKind.CENTRES.value: "the axis through the closest points",
}


def _visits(goal: Goal, now: Situation) -> int:
    """The number of visited axes that are of the goal's kinds."""
    table = now.analysis.sat
    rows = {row_of(table, label) for label in now.events.visited}
    return sum(row is not None and str(table.candidates[row].kind.value) in goal.arguments for row in rows)


def _visited_holds(goal: Goal, now: Situation) -> bool:
    if goal.comparison is not None:
        return compared(float(_visits(goal, now)), goal.comparison)
    return set(goal.arguments) <= _kinds_visited(now)


def _visited_said(goal: Goal, now: Situation) -> str:
    if goal.comparison is not None:
        more = round(goal.comparison.value) - _visits(goal, now)
        return f"Point at {count(more, 'more name')}." if more > 0 else f"You pointed at {_visits(goal, now)}."
    visited = _kinds_visited(now)
    missing = [AXIS_COLOURS[kind] for kind in goal.arguments if kind not in visited]
    return f"Not yet: {listed(missing)}." if missing else ""


def _free_separation(now: Situation) -> float | None:
    if now.view.free is None:
        return None
    return FreeAxis.of(now.analysis, now.view.free).separation


def _lit(attempt: FreeAxis) -> tuple[Array, Array]:
    """The corners (k, 3) of the parts of A and B that the picture lights at the wall across this axis."""
    return parts_at(attempt.analysis.scene, attempt.side * attempt.axis, NEARS)


def _rests(attempt: FreeAxis) -> bool:
    """Whether the wall cuts no body, and the lit parts are a face, or an edge of each body that are not parallel."""
    if attempt.separation < -attempt.analysis.band:
        return False
    a, b = _lit(attempt)
    if max(len(a), len(b)) > 2:
        return True
    if min(len(a), len(b)) < 2:
        return False
    along = [unit(edge[1] - edge[0]) for edge in (a, b)]
    return along[0] is not None and along[1] is not None and length(cross(along[0], along[1])) > sin(radians(STUCK))


def stuck_row(now: Situation) -> int | None:
    """The row of SAT's table on whose axis the free axis is stuck: it shows no overlap, and a turn from it does.

    The free axis is within STUCK of it, or the lit parts are those that hold the wall: no hand can aim better than the
    eye sees. None without a free axis, and if the wall can be turned every way from the nearest axis of the table.
    """
    if now.view.free is None:
        return None
    found = FreeAxis.of(now.analysis, now.view.free)
    if found.nearest is None or (found.angle > STUCK and not _rests(found)):
        return None
    table, near = now.analysis.sat, now.analysis.sat.axes[found.nearest]
    across = any_perpendicular(near)
    turns = np.linspace(0.0, 2.0 * pi, 8, endpoint=False)[:, None]
    tilts = np.cos(turns) * across + np.sin(turns) * cross(near, across)
    separations = projections(
        now.scene.a, now.scene.b, cos(radians(STUCK)) * near + sin(radians(STUCK)) * tilts
    ).separations
    fits = float(table.separations[found.nearest]) >= -now.analysis.band
    return found.nearest if fits and bool(np.any(separations < -now.analysis.band)) else None


def _stuck_said(now: Situation, separation: float) -> str:
    if now.view.free is None:
        return ""
    if separation < -now.analysis.band:
        return f"Your wall cuts into a body: your axis shows {overlap_words(separation)}. Turn it back."
    if separation > now.analysis.band:
        return f"Your axis shows {overlap_words(separation)}: the wall touches nothing."
    if max(len(part) for part in _lit(FreeAxis.of(now.analysis, now.view.free))) < 2:
        return "Your wall touches the corners alone. Turn it until an edge is lit."
    return "Your wall can still turn about the lit edge. Turn it until more is lit."


def _free_holds(goal: Goal, now: Situation) -> bool:
    match goal.arguments[0]:
        case "separates":
            separation = _free_separation(now)
            return separation is not None and separation > now.analysis.band
        case "cuts":
            separation = _free_separation(now)
            return separation is not None and separation < -now.analysis.band
        case "stuck":
            return stuck_row(now) is not None
        case "tries":
            return compared(float(now.events.tries), goal.comparison)
    best = now.events.best_try
    return best is not None and best > now.analysis.sat.separation + now.analysis.band


def _free_said(goal: Goal, now: Situation) -> str:
    best, tries = now.events.best_try, now.events.tries
    tried = "1 try" if tries == 1 else f"{tries} tries"
    if goal.arguments[0] == "tries":
        return f"{tried}."
    if goal.arguments[0] == "beats_winner" and best is not None:
        return f"{tried}, none better than {overlap_words(now.analysis.sat.separation)}."
    separation = _free_separation(now)
    if separation is None:
        return ""
    if goal.arguments[0] == "stuck":
        return _stuck_said(now, separation)
    if abs(separation) <= now.analysis.band:
        return "Your axis shows intervals that touch."
    ending = f"; your best was {overlap_words(best)}" if best is not None and best > separation else ""
    return f"Your axis shows {overlap_words(separation)}{ending}."


ABOUT_LEARNER: dict[str, Predicate] = {
    "focus": Predicate(
        PredicateForm(a_name, False, "focus(A.x) or focus(separates)"), _focus_holds, _focus_said, event=True
    ),
    "visited": Predicate(
        PredicateForm(one_of(KINDS, len(KINDS)), None, "visited(face of A, edge × edge) or visited(face of A) >= 3"),
        _visited_holds,
        _visited_said,
        event=True,
    ),
    "free_axis": Predicate(
        PredicateForm(
            one_of(("separates", "beats_winner", "cuts", "stuck", "tries")),
            None,
            "free_axis(separates) or free_axis(tries) >= 3",
        ),
        _free_holds,
        _free_said,
    ),
    "answered": Predicate(
        PredicateForm(one_of(tuple(kind.value for kind in QuestionKind)), False, "answered(axis)"),
        lambda goal, now: QuestionKind(goal.arguments[0]) in now.events.answered,
        silent,
        event=True,
    ),
    "chose": Predicate(
        PredicateForm(a_name, False, "chose(yes)"),
        lambda goal, now: now.events.chosen == goal.arguments[0],
        silent,
        event=True,
    ),
    "toggled": Predicate(
        PredicateForm(a_name, False, "toggled(gauss)"),
        lambda goal, now: (
            goal.arguments[0] in (now.panels if goal.arguments[0] in (*LESSON_PANELS, LOG_SCALE) else now.view.shown)
        ),
        silent,
        event=True,
    ),
    "setting": Predicate(
        PredicateForm(setting_arguments, False, "setting(reduce, true)"),
        lambda goal, now: setting_at(now.algorithm_settings, goal.arguments[0]) == setting_from(*goal.arguments)[1],
        silent,
        event=True,
    ),
}
"""The predicates by their names in lesson files."""
