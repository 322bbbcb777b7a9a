"""From a stop and a time to the result: what is known about the bodies where they meet."""

from __future__ import annotations

from msgspec.structs import replace

from ..closed_form import Proximity
from ..geometry.vector import Array, frozen
from ..pair.features import ContactVertices, SupportFeature
from ..verdict import Provenance
from .outcome import MotionResult, MotionStop
from .relative import Motion, Nearness


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
