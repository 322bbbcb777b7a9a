"""What every method about motion answers with: an outcome, the reason, and what is known at that time.

From a stop and a time to the result: what is known about the bodies where they meet.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from ..closed_form import Proximity
from ..geometry.vector import Array, frozen
from ..pair.support import ContactVertices, SupportFeature
from ..verdict import Provenance
from .relative import Motion, Nearness


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


def at_start(motion: Motion) -> MotionResult | None:
    """The result for bodies that meet at time 0, touching included; None where they are apart."""
    start, band = motion.start, motion.band
    if start.separation > band:
        return None
    stop = MotionStop.TOUCHING_AT_START if start.separation >= -band else MotionStop.OVERLAPPING_AT_START
    return met(motion, stop, 0.0, start.certainty.provenance, near=start)


def met(
    motion: Motion,
    stop: MotionStop,
    time: float,
    provenance: Provenance,
    *,
    normal: Array | None = None,
    row: int | None = None,
    axis: str | None = None,
    near: Nearness | None = None,
) -> MotionResult:
    """The result for bodies that meet at `time`.

    `normal` (3,): unit, A to B, where the method knows it; else that of `near`, the signed distance there, which is
    computed if it is not given.
    """
    near = near or motion.near(time)
    found: Proximity = near.proximity
    facing = found.normal if normal is None else normal
    return MotionResult(
        stop=stop,
        time=time,
        free=time,
        provenance=provenance,
        normal=frozen(facing.copy()),
        row=row,
        axis=axis,
        point_a=motion.world(found.point_first, time),
        point_b=motion.world(found.point_second, time),
        separation=found.separation,
        gap=near.certainty.gap,
        contact=_placed(motion, motion.supporting(time, facing), time),
    )


def apart(
    stop: MotionStop,
    provenance: Provenance = Provenance.EXACT,
    *,
    normal: Array | None = None,
    row: int | None = None,
    axis: str | None = None,
) -> MotionResult:
    """The result for bodies that stay apart all the time."""
    return MotionResult(stop, None, 1.0, provenance, None if normal is None else frozen(normal.copy()), row, axis)


def undecided(stop: MotionStop, free: float, provenance: Provenance) -> MotionResult:
    """The result of a method that knows no more than how long the bodies are free."""
    return MotionResult(stop, None, free, provenance)


def _placed(motion: Motion, contact: ContactVertices, time: float) -> ContactVertices:
    def in_world(feature: SupportFeature) -> SupportFeature:
        return replace(feature, points=motion.world(feature.points, time))

    return ContactVertices(in_world(contact.a), in_world(contact.b))
