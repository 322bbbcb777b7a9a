"""Predicates about the timeline's steps and the motion: when they hold, and sentences on measured values."""

from __future__ import annotations

from core.analysis.analysis import separation_of
from core.gjk.epa import EpaStop
from core.gjk.gjk import GjkStop
from core.toi.motion import MotionOutcome

from ..state.lesson import FIRST_GAP, STOP, Goal
from ..state.playback import impact_of, scene_at
from ..state.view import WHOLE
from ..words.axis_words import listed
from ..words.digits import instant, plain
from .forms import (
    OUTCOMES,
    PHASES,
    Predicate,
    PredicateForm,
    no_arguments,
    number_predicate,
    one_of,
    phase_from,
    place_from,
    step_arguments,
)
from .situation import Situation, step_number, sub_step_of

# Steps.


def _step_holds(goal: Goal, now: Situation) -> bool:
    place, moment = place_from(*goal.arguments), now.moment
    if moment is None or moment.phase is not place.phase:
        return False
    wanted = step_number(place, now.query)
    if place.step == FIRST_GAP:
        # A learner who went on from the first gap has seen it; one who jumped beyond it has not.
        return wanted is not None and (moment.index + 1 == wanted or (place.phase, wanted) in now.events.steps)
    name = sub_step_of(place)
    if name and not place.part:
        return now.part == name
    return moment.index + 1 == wanted and (not name or now.part == name)


def _step_said(goal: Goal, now: Situation) -> str:
    place, moment = place_from(*goal.arguments), now.moment
    if moment is None:
        return "The timeline is closed."
    wanted = step_number(place, now.query)
    if wanted is None:
        return f"{goal.arguments[0].upper()} has no such step here."
    here = f"That is step {moment.index + 1} of {moment.count}"
    if name := sub_step_of(place):
        # From a sub-step the arrow key alone goes on by sub-steps.
        key = "Shift+→" if now.part == WHOLE else "→"
        return f"{here}: the sub-step “{name}” comes with {key}."
    aim = {STOP: "the end", FIRST_GAP: "the first gap"}.get(str(place.step), f"step {wanted}")
    if moment.phase is not place.phase:
        return f"{here} of {moment.phase.value}: go on to {aim} of {place.phase.value}."
    return f"{here}: go {'on' if moment.index + 1 < wanted else 'back'} to {aim}."


def _still_to_come(goal: Goal, now: Situation) -> list[int]:
    phase = phase_from(goal.arguments[0])
    length = next((length for known, _, length in now.query.phases if known is phase), 0)
    return [number for number in range(1, length + 1) if (phase, number) not in now.events.steps]


def _visited_phase_holds(goal: Goal, now: Situation) -> bool:
    phase = phase_from(goal.arguments[0])
    # The steps are only counted where the phase was visited.
    return any(known is phase for known, _ in now.events.steps) and not _still_to_come(goal, now)


def _visited_phase_said(goal: Goal, now: Situation) -> str:
    left = _still_to_come(goal, now)
    if not left:
        return ""
    if len(left) > 3:
        return f"{len(left)} steps are still to come."
    if len(left) == 1:
        return f"Step {left[0]} is still to come."
    return f"Steps {listed([str(number) for number in left])} are still to come."


def _gjk_stop(now: Situation) -> str | None:
    found = now.query.distance
    return None if found is None else found.gjk.stop.value


def _epa_stop(now: Situation) -> str | None:
    found = now.query.distance
    return None if found is None or found.epa is None else found.epa.stop.value


_STOPS = {
    "OVERLAP_ENCLOSED": "the origin is enclosed",
    "OVERLAP_TOUCHING": "the origin lies on the simplex",
    "CONVERGED": "the bounds agree",
}


def stop_words(name: str) -> str:
    """Short words for the reason of an algorithm's stop; the reason's `name` if there are none."""
    return _STOPS.get(name, name)


def _stop_said(name: str, stop: str | None) -> str:
    return f"{name} does not run here." if stop is None else f"{name} stops: {stop_words(stop)}."


def _gap_of_bounds(now: Situation) -> float | None:
    """The upper bound minus the lower at the step shown; None if there is no step or it has no bounds."""
    step = None if now.moment is None else now.moment.step
    lower, upper = getattr(step, "lower", None), getattr(step, "upper", None)
    return None if lower is None or upper is None else float(upper) - float(lower)


def _bounds_said(_goal: Goal, now: Situation) -> str:
    gap = _gap_of_bounds(now)
    return "There are no bounds at this step." if gap is None else f"The bounds are {plain(gap)} apart."


# Motion.


def _motion_words(now: Situation) -> str:
    found = now.sweep
    if found is None:
        return "Nothing moves."
    match found.outcome:
        case MotionOutcome.HIT:
            return f"They first touch at t = {instant(impact_of(found) or 0.0)}."
        case MotionOutcome.INITIAL_OVERLAP:
            return "They touch or overlap from the start."
        case MotionOutcome.SEPARATED:
            return "They never touch."
    return "It is not decided whether they touch."


def _motion_holds(goal: Goal, now: Situation) -> bool:
    outcome = OUTCOMES[goal.arguments[0]]
    return now.sweep.outcome is outcome if now.sweep is not None else outcome is MotionOutcome.SEPARATED


def _time_said(_goal: Goal, now: Situation) -> str:
    apart = separation_of(scene_at(now.scene, now.time))
    return f"At t = {instant(now.time)} the bodies {'are' if apart > 0.0 else 'overlap:'} {plain(abs(apart))} " + (
        "apart." if apart > 0.0 else "deep."
    )


def _ends(now: Situation) -> tuple[float, float]:
    return separation_of(scene_at(now.scene, 0.0)), separation_of(scene_at(now.scene, 1.0))


def _frames_miss(_goal: Goal, now: Situation) -> bool:
    hit = now.sweep is not None and now.sweep.outcome is MotionOutcome.HIT
    return hit and all(apart > now.analysis.band for apart in _ends(now))


def _frames_said(_goal: Goal, now: Situation) -> str:
    first, last = _ends(now)
    for name, apart in (("first", first), ("last", last)):
        if apart <= now.analysis.band:
            return f"The {name} frame overlaps: a frame test would see this one."
    return f"{_motion_words(now)} So a frame test is right."


ABOUT_STEPS: dict[str, Predicate] = {
    "step_at": Predicate(
        PredicateForm(step_arguments, False, "step_at(gjk, stop)"), _step_holds, _step_said, event=True
    ),
    "visited_phase": Predicate(
        PredicateForm(one_of(PHASES), False, "visited_phase(gjk)"),
        _visited_phase_holds,
        _visited_phase_said,
        event=True,
    ),
    "gjk_stop": Predicate(
        PredicateForm(one_of(tuple(stop.value for stop in GjkStop)), False, "gjk_stop(CONVERGED)"),
        lambda goal, now: _gjk_stop(now) == goal.arguments[0],
        lambda _goal, now: _stop_said("GJK", _gjk_stop(now)),
    ),
    "epa_stop": Predicate(
        PredicateForm(one_of(tuple(stop.value for stop in EpaStop)), False, "epa_stop(CONVERGED)"),
        lambda goal, now: _epa_stop(now) == goal.arguments[0],
        lambda _goal, now: _stop_said("EPA", _epa_stop(now)),
    ),
    "bounds": number_predicate(_gap_of_bounds, "bounds <= 0.01", _bounds_said),
    "motion": Predicate(
        PredicateForm(one_of(tuple(OUTCOMES)), False, "motion(hit)"),
        _motion_holds,
        lambda _goal, now: _motion_words(now),
        needs_motion=True,
    ),
    "impact": number_predicate(
        lambda now: impact_of(now.sweep), "impact <= 0.5", lambda _goal, now: _motion_words(now), motion=True
    ),
    "time": number_predicate(lambda now: now.time, "time ~ impact ± 0.01", _time_said, motion=True),
    "frames_miss": Predicate(
        PredicateForm(no_arguments, False, "frames_miss"), _frames_miss, _frames_said, needs_motion=True
    ),
}
"""The predicates by their names in lesson files."""
