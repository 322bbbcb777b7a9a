"""What every method about motion answers with: an outcome, the reason, and what is known at that time."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from ..geometry.vector import Array
from ..pair.features import ContactVertices
from ..verdict import Provenance


class MotionOutcome(StrEnum):
    """Whether the bodies meet during the unit interval."""

    HIT = "HIT"
    INITIAL_OVERLAP = "INITIAL_OVERLAP"
    """They meet at the start already; touching counts."""
    SEPARATED = "SEPARATED"
    ITERATION_LIMIT = "ITERATION_LIMIT"
    """The method cannot tell: what it knows is how long the bodies are free."""


class MotionStop(StrEnum):
    """Why a method ended, more finely than the outcome."""

    OVERLAPPING_AT_START = "OVERLAPPING_AT_START"
    TOUCHING_AT_START = "TOUCHING_AT_START"
    """Within the touching band at time 0."""
    HIT = "HIT"
    GRAZING = "GRAZING"
    """They come as near as the touching band, and no nearer as far as rounding tells."""
    NO_MOTION = "NO_MOTION"
    """Apart, and neither moves relative to the other."""
    MOVING_AWAY = "MOVING_AWAY"
    """Apart along some direction at the start, and from then on no nearer along it."""
    PASSES_BY = "PASSES_BY"
    OUT_OF_TIME = "OUT_OF_TIME"
    """They would meet, or may, after the interval's end."""
    AXES_DO_NOT_SUFFICE = "AXES_DO_NOT_SUFFICE"
    """On every axis the intervals meet, but the bodies do not yet: round surfaces have more axes than were tried."""
    NO_PROGRESS = "NO_PROGRESS"
    """Rounding is all that is left, at a distance that is no contact."""
    ITERATION_LIMIT = "ITERATION_LIMIT"

    @property
    def outcome(self) -> MotionOutcome:
        """The outcome that the reason stands for."""
        return _OUTCOMES[self]


_OUTCOMES = {
    MotionStop.OVERLAPPING_AT_START: MotionOutcome.INITIAL_OVERLAP,
    MotionStop.TOUCHING_AT_START: MotionOutcome.INITIAL_OVERLAP,
    MotionStop.HIT: MotionOutcome.HIT,
    MotionStop.GRAZING: MotionOutcome.HIT,
    MotionStop.NO_MOTION: MotionOutcome.SEPARATED,
    MotionStop.MOVING_AWAY: MotionOutcome.SEPARATED,
    MotionStop.PASSES_BY: MotionOutcome.SEPARATED,
    MotionStop.OUT_OF_TIME: MotionOutcome.SEPARATED,
    MotionStop.AXES_DO_NOT_SUFFICE: MotionOutcome.ITERATION_LIMIT,
    MotionStop.NO_PROGRESS: MotionOutcome.ITERATION_LIMIT,
    MotionStop.ITERATION_LIMIT: MotionOutcome.ITERATION_LIMIT,
}


class MotionResult(Struct, frozen=True, eq=False):
    """The answer of one method about two bodies in motion, world space.

    `time`: fraction 0..1 of the first contact, 0 when they meet at the start, None otherwise. `free`: the bodies are
    proved apart at every time in [0, free), to rounding; 1 for the whole interval. `normal` (3,): unit, from A to B,
    at the contact; of bodies that stay apart the direction that keeps them apart all the time, if the method has one.
    `row`, `axis`: which of the method's axes that is, and its label. `point_a`, `point_b` (3,): on the two surfaces at
    `time`; `separation`: signed distance left there, `gap` how far off that may be; `contact`: the two supporting
    features there. Without a contact these are None. `provenance`: of the time.
    """

    stop: MotionStop
    time: float | None
    free: float
    provenance: Provenance
    normal: Array | None = None
    row: int | None = None
    axis: str | None = None
    point_a: Array | None = None
    point_b: Array | None = None
    separation: float | None = None
    gap: float = 0.0
    contact: ContactVertices | None = None

    @property
    def outcome(self) -> MotionOutcome:
        """Whether the bodies meet."""
        return self.stop.outcome
