"""Common parts of the words about a motion's steps: formulas, points of the difference, and meanings of stops."""

from __future__ import annotations

from typing import Any

from core.analysis.motion_answers import SweepAnswer
from core.geometry.triple import ZERO, triple
from core.geometry.vector import Array, dot
from core.pair.support import DifferencePoint, Support
from core.query.query import Query
from core.rays.raycast import GjkRaycastStop
from core.toi.motion import MotionOutcome, MotionResult, MotionStop
from core.toi.ray import DifferenceSupport

from ...words.digits import instant, only_rounding, plain
from ...words.expression import Norm, Power, Quotient, Root, Symbol, equation, symbols
from ...words.formula import Formula
from ...words.motion_words import signed_units
from ..stage import At
from ..word_parts import StepText, Stop

MEANINGS = {
    MotionStop.OVERLAPPING_AT_START: "The bodies overlap at the start: there is no first contact to look for.",
    MotionStop.TOUCHING_AT_START: "The bodies touch at the start, within rounding: that counts as a contact.",
    MotionStop.HIT: "This is the first contact: until then the bodies are apart.",
    MotionStop.GRAZING: "They come within the touching tolerance, no closer: that counts as a contact.",
    MotionStop.NO_MOTION: "The bodies are apart, and neither moves relative to the other.",
    MotionStop.MOVING_AWAY: "The bodies move apart or keep their distance, so they never touch.",
    MotionStop.PASSES_BY: "The bodies pass each other and never touch.",
    MotionStop.OUT_OF_TIME: "The motion ends before the bodies could touch.",
    MotionStop.AXES_DO_NOT_SUFFICE: "The intervals overlap on all these axes, but the bodies do not touch yet: "
    "round surfaces have more axes than these.",
    MotionStop.NO_PROGRESS: "Only rounding is left, at a distance that is not a contact.",
    MotionStop.ITERATION_LIMIT: "Stopped at the iteration limit.",
}
"""The meaning of each stop of a method."""
RAY_MEANINGS = {
    GjkRaycastStop.HIT: "The origin has reached A − B, within rounding: the bodies touch.",
    GjkRaycastStop.INSIDE: "The origin starts inside A − B.",
    GjkRaycastStop.GRAZING: "Only rounding is left, and the remaining distance is small enough to count as touching.",
    GjkRaycastStop.MISS: "The origin is in front of this plane and never crosses it: the bodies never touch.",
    GjkRaycastStop.BEYOND_REACH: "The path is proved free beyond its end, t = 1: the bodies do not touch in time.",
    GjkRaycastStop.NO_PROGRESS: "Only rounding is left, at a distance that is not a contact: a near miss.",
    GjkRaycastStop.ITERATION_LIMIT: "Stopped at the iteration limit.",
}
"""The meaning of each stop of the ray cast."""


def answer_of(query: Query) -> SweepAnswer:
    """The answer about the motion that the query's steps belong to."""
    assert query.sweep is not None
    return query.sweep


def stop_of(at: At[Any], name: str = "", meaning: str = "") -> Stop | None:
    """The method's stop at its last step, else None; `name`, `meaning`: replace the result's if given."""
    if not at.moment.last:
        return None
    result: MotionResult = at.result
    words = meaning or MEANINGS[result.stop]
    if result.outcome is MotionOutcome.HIT and result.time is not None:
        left = result.separation or 0.0
        # The digits of rounding say nothing about the bodies.
        rest = "≈ 0 units" if left and only_rounding(left) else signed_units(left)
        words += f" They touch at t = {instant(result.time)}, with a separation of {rest} left."
    elif result.outcome is MotionOutcome.INITIAL_OVERLAP:
        words += f" The separation there is {signed_units(result.separation or 0.0)}."
    elif result.outcome is MotionOutcome.ITERATION_LIMIT:
        words += f" They are proved apart until t = {plain(result.free)}."
    return Stop(name or result.stop.value, words, result.outcome is not MotionOutcome.ITERATION_LIMIT)


def time_text(time: float) -> str:
    """`t = 0.25`, with a note if the time is outside the motion."""
    if time > 1.0:
        return f"t = {instant(time)}, after the motion's end"
    return f"t = {instant(time)}" if time >= 0.0 else f"t = {instant(time)}, before the motion's start"


def point_of(support: Support, direction: Array | None = None) -> DifferencePoint:
    """A support point of the ray cast as a point of the difference; `direction` (3,): of its search, if known."""
    assert isinstance(support, DifferenceSupport)
    return DifferencePoint(
        xyz_a=support.xyz_a,
        xyz_b=support.xyz_b,
        vertex_a=support.vertex_a,
        vertex_b=support.vertex_b,
        xyz_direction=ZERO if direction is None else triple(direction),
        xyz=support.xyz,
    )


StepWords = tuple[str, str, str, tuple[Formula, ...]]
"""The words of a step: known before it, decided by it, the reason why, formulas."""


def motion_text(at: At[Any], method: str, stage: str, said: StepWords, stop: Stop | None = None) -> StepText:
    """The whole text of a step from its parts; the title is `method`, the step's number, and `stage`.

    `stop`: the step's own, in place of the method's.
    """
    known, decided, why, formulas = said
    return StepText(
        title=f"{method} {at.of}: {stage}",
        known=known,
        decided=decided,
        why=why,
        formulas=formulas,
        stop=stop or stop_of(at),
    )


def nearest_time(offset: Array, velocity: Array) -> float:
    """The time at which a point at `offset` (3,) with `velocity` (3,), not zero, is nearest to the origin."""
    return -dot(offset, velocity) / dot(velocity, velocity)


def root_formula(way: Symbol, middle: float, lengths: tuple[float, float], speed: float, result: float) -> Formula:
    """The formula of the time when a moving point comes within a given distance of the origin.

    `lengths`: that distance, and the point's least distance, which it has at the time `middle`. `way`: symbol of the
    point's velocity; `speed`: the velocity's size.
    """
    t, nearest_time, radius, nearest = symbols("t t_m r m")
    inner = Power(radius, 2) - Power(nearest, 2)
    when_there = equation(t, nearest_time - Quotient(Root(inner), Norm(way)))
    values = {nearest_time: middle, radius: lengths[0], nearest: lengths[1], Norm(way): speed}
    return Formula.of(when_there, result, values)
