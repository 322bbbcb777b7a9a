"""Words for the answer of a motion: the outcome, the time, the features that meet, and a test of single frames."""

from __future__ import annotations

from functools import lru_cache

from core.analysis.motion_answers import SweepAnswer
from core.shapes.contract import SupportFeature
from core.toi.motion import Motion, MotionOutcome, MotionResult, MotionStop
from core.verdict import Provenance

from .digits import instant, plain, signed, tabular

STOPS = {
    MotionStop.OVERLAPPING_AT_START: "They already overlap at the start",
    MotionStop.TOUCHING_AT_START: "They already touch at the start",
    MotionStop.HIT: "They touch at t = {time}",
    MotionStop.GRAZING: "They graze at t = {time}: within the touching tolerance, no closer",
    MotionStop.NO_MOTION: "They stay apart: neither body moves relative to the other",
    MotionStop.MOVING_AWAY: "They stay apart: they never come nearer than at the start",
    MotionStop.PASSES_BY: "They pass each other",
    MotionStop.OUT_OF_TIME: "They stay apart: the motion ends before they could touch",
    MotionStop.AXES_DO_NOT_SUFFICE: "Not decided: round surfaces have more axes than these",
    MotionStop.NO_PROGRESS: "Not decided: only rounding is left",
    MotionStop.ITERATION_LIMIT: "Not decided within the iteration limit",
}
OUTCOMES = {
    MotionOutcome.HIT: "hit",
    MotionOutcome.INITIAL_OVERLAP: "overlap at the start",
    MotionOutcome.SEPARATED: "apart",
    MotionOutcome.ITERATION_LIMIT: "not decided",
}
PROVENANCE_WORDS = {
    Provenance.EXACT: "exact",
    Provenance.CERTIFIED: "certified",
    Provenance.BOUND: "a bound",
    Provenance.FALLBACK: "not certified",
}


def outcome_words(sweep: SweepAnswer) -> str:
    """The outcome in one sentence, without a full stop."""
    result = sweep.result
    words = STOPS[result.stop].format(time="" if result.time is None else instant(result.time))
    if result.time is None or result.contact is None or result.contact.a.kind == result.contact.b.kind == "surface":
        return words
    return f"{words}, {feature_words('A', result.contact.a)} against {feature_words('B', result.contact.b)}"


HEADS = {
    MotionOutcome.HIT: "They touch at t = {time}",
    MotionOutcome.INITIAL_OVERLAP: "They already touch or overlap at the start",
    MotionOutcome.SEPARATED: "They never touch",
    MotionOutcome.ITERATION_LIMIT: "Not decided",
}
"""The outcome in a few words."""
REASONS = {
    MotionStop.OVERLAPPING_AT_START: "overlapping",
    MotionStop.TOUCHING_AT_START: "touching",
    MotionStop.GRAZING: "within the touching tolerance, no closer",
    MotionStop.NO_MOTION: "neither moves relative to the other",
    MotionStop.MOVING_AWAY: "they never come nearer than at the start",
    MotionStop.PASSES_BY: "they pass each other",
    MotionStop.OUT_OF_TIME: "the motion ends too early",
    MotionStop.AXES_DO_NOT_SUFFICE: "round surfaces have more axes than these",
    MotionStop.NO_PROGRESS: "only rounding is left",
    MotionStop.ITERATION_LIMIT: "the iteration limit came first",
}
"""The reason by stop, as the middle of a sentence. A plain hit has none: the features that meet follow instead."""


def verdict_of_motion(sweep: SweepAnswer) -> tuple[str, str]:
    """The outcome in a few words, and the details.

    The details are the reason, the features that meet in a hit, and the signed separation at the start with its unit.
    The separation at the end follows if the bodies never touch, and the time until which they are apart if that is
    open.
    """
    result, outcome = sweep.result, sweep.outcome
    head = HEADS[outcome].format(time="" if result.time is None else instant(result.time))
    parts = [REASONS[result.stop]] if result.stop in REASONS else []
    if outcome is MotionOutcome.HIT and result.contact is not None:
        a, b = result.contact.a, result.contact.b
        if not a.kind == b.kind == "surface":
            parts.append(f"{feature_words('A', a)} against {feature_words('B', b)}")
    start = f"separation {signed_units(sweep.motion.start.separation)} at the start"
    if outcome is MotionOutcome.SEPARATED:
        start += f", {signed_units(end_separation(sweep.motion))} at the end"
    elif outcome is MotionOutcome.ITERATION_LIMIT:
        start += f", proved apart until t = {plain(result.free)}"
    return head, ", ".join((*parts, start))


def feature_words(body: str, feature: SupportFeature) -> str:
    """The kind of a feature and its body: `an edge of A`, `a face of B`."""
    article = "an" if feature.kind[0] in "aeiou" else "a"
    return f"{article} {feature.kind} of {body}"


def signed_units(value: float) -> str:
    """A signed distance with its unit: `+0.25 units`, `−1 unit`, `0 units`."""
    return f"{signed(value)} {'unit' if plain(abs(value)) == '1' else 'units'}"


def answer_words(result: MotionResult) -> str:
    """The outcome of one method in a few words, with its time."""
    words = OUTCOMES[result.outcome]
    if result.outcome is MotionOutcome.HIT and result.time is not None:
        return f"{'grazes' if result.stop is MotionStop.GRAZING else words} at {tabular(result.time)}"
    if result.outcome is MotionOutcome.ITERATION_LIMIT:
        return f"{words}, free until {tabular(result.free)}"
    return words


@lru_cache(maxsize=2)
def end_separation(motion: Motion) -> float:
    """The signed distance at the end of the motion."""
    return motion.near(1.0).separation


def frame_test_words(sweep: SweepAnswer) -> str:
    """The state in the first and in the last frame, and whether a test of these two frames alone misses the hit."""
    start, end = sweep.motion.start.separation, end_separation(sweep.motion)
    band = sweep.motion.band
    told = f"Frame by frame: {_state(start, band)} at the start, {_state(end, band)} at the end"
    if start > band and end > band and sweep.outcome is MotionOutcome.HIT:
        return f"{told}. A test of these frames alone misses the hit: tunnelling."
    return f"{told}."


def _state(separation: float, band: float) -> str:
    if abs(separation) <= band:
        return "touching"
    return f"{plain(abs(separation))} {'apart' if separation > 0.0 else 'deep'}"
