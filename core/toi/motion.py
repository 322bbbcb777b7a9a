"""`Motion`: two bodies in motion over the unit interval, as every method uses it. `MotionResult`: the answer about it.

A's position stays at the origin and B's moves from `offset` along `displacement` d = v_B - v_A. So a large distance
from the world's origin costs no digits, and only one body moves. Each body turns about its own position at a constant
rate: `R(t ω) R(0)`.

A result has an outcome, the reason, and the witness points and features at the time of the contact.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property
from typing import Self

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from ..closed_form import Proximity, closed_form
from ..contact.contact import Contact
from ..contact.manifold import has_manifold, manifold
from ..geometry.tolerances import FRAME_ROUNDING
from ..geometry.triple import ZERO, Triple, triple
from ..geometry.vector import Array, frozen, length
from ..gjk.gjk import WarmStart
from ..gjk.gjk_epa import signed_distance
from ..pair.candidate_axes import CandidateAxis, axes_of_boxes, box_candidates, same_lines
from ..pair.features import ContactVertices, contact_vertices
from ..pair.gauss_map import pair_axes
from ..pair.pair import PairScale, two_boxes
from ..pair.support import support_maps
from ..scene import Body
from ..shapes import ball_radius
from ..verdict import Certainty, Provenance, formula


class Nearness(Struct, frozen=True, eq=False):
    """The signed distance of two bodies at one time. The points are relative to A's position at that time.

    `certainty`: how the distance is known. `warm`: a start for GJK at a time nearby; None if GJK was not used.
    """

    proximity: Proximity
    certainty: Certainty
    warm: WarmStart | None = None

    @property
    def separation(self) -> float:
        """The signed distance, positive apart."""
        return self.proximity.separation


def nearness(a: Body, b: Body, warm: WarmStart | None = None) -> Nearness:
    """The signed distance in closed form if there is one, else by GJK and EPA. `warm`: GJK's start, or None.

    Raises ValueError for two half-spaces.
    """
    found = closed_form(a, b)
    if found is not None:
        return Nearness(found, formula(found.separation))
    near = signed_distance(support_maps(a, b), start=warm)
    proximity = Proximity(near.separation, near.normal, near.witness_a, near.witness_b)
    return Nearness(proximity, near.certainty, near.gjk.warm_start)


class Motion(Struct, frozen=True, eq=False, dict=True):
    """Bodies `a` and `b` in their poses at time 0, with A's position as the origin, and their motion.

    `offset` (3,): B's position at time 0. `displacement` (3,): B's over the unit interval, relative to A. `turn_a`,
    `turn_b`: rotation vectors over the unit interval, radians; zero for balls, whose turn is not visible. `origin`
    (3,), `drift` (3,): A's own position at time 0 and displacement in the world. `scale`: of the pair at time 0.
    """

    a: Body
    b: Body
    offset: Array
    displacement: Array
    turn_a: Triple
    turn_b: Triple
    origin: Array
    drift: Array
    scale: PairScale

    @classmethod
    def of(cls, a: Body, b: Body) -> Self:
        """The motion of two bodies of a scene. Raises ValueError for two half-spaces and for too large bodies."""
        offset = frozen(b.pose.position - a.pose.position)
        drift = frozen(np.array(a.displacement))
        here, there = (
            replace(body, position=place, displacement=ZERO, angular_displacement=ZERO)
            for body, place in ((a, ZERO), (b, triple(offset)))
        )
        displacement, turns = frozen(np.array(b.displacement) - drift), (_visible_turn(a), _visible_turn(b))
        return cls(here, there, offset, displacement, *turns, a.pose.position, drift, PairScale.of_limited(here, there))

    @property
    def rotates(self) -> bool:
        """Whether either body turns visibly."""
        return any(self.turn_a) or any(self.turn_b)

    @cached_property
    def travel(self) -> float:
        """Length of the relative displacement."""
        return length(self.displacement)

    @property
    def still(self) -> float:
        """A speed along a unit vector of at most this counts as 0: it may be only rounding of the product."""
        return FRAME_ROUNDING * self.travel

    @cached_property
    def start(self) -> Nearness:
        """The bodies' signed distance at time 0."""
        return self.near(0.0)

    @cached_property
    def band(self) -> float:
        """Half width of the touching band at time 0."""
        return self.scale.touching_band(self.start.certainty.gap)

    def at(self, time: float) -> tuple[Body, Body]:
        """A and B at `time`, with A's position at the origin."""
        there = replace(_turned(self.b, self.turn_b, time), position=triple(self.offset + time * self.displacement))
        return _turned(self.a, self.turn_a, time), there

    def near(self, time: float, warm: WarmStart | None = None) -> Nearness:
        """The bodies' signed distance at `time`. `warm`: GJK's start, or None."""
        return nearness(*self.at(time), warm)

    def supporting(self, time: float, normal: Array) -> ContactVertices:
        """The supporting features of A and B along the unit `normal` (3,), relative to A's position at `time`."""
        return contact_vertices(*self.at(time), normal)

    def contacts(self, a: Body, b: Body, found: Proximity) -> tuple[Contact, ...]:
        """The contacts of bodies in the poses of `a` and `b`, empty for a pair without a manifold.

        `found`: their signed distance. All points are relative to A's position.
        """
        return manifold(a, b, found).contacts if has_manifold(a, b) else ()

    def candidate_axes(self) -> tuple[tuple[CandidateAxis, ...], Array]:
        """Returns the candidate axes for entry and exit times, and their unit vectors (n, 3).

        The vectors are zero for exactly parallel edges. Raises as `pair_axes`.
        """
        a, b = self.a, self.b
        if two_boxes(a, b) is not None:
            axes, sines = axes_of_boxes(a, b)
            return box_candidates(axes, sines, same_lines(axes)), axes
        pair = pair_axes(a, b)
        return pair.candidates, pair.axes

    def facing(self, candidates: tuple[CandidateAxis, ...], sides: Array) -> NDArray[np.bool_]:  # noqa: ARG002 (used in 2D)
        """For each candidate axis (n,), whether the origin may enter the difference through a face of it.

        `sides` (n,): as in `MovingAxes`. In 3D True for every axis.
        """
        return np.ones(len(candidates), dtype=bool)

    def world(self, points: Array, time: float) -> Array:
        """Transforms points (..., 3), relative to A's position at `time`, to the world."""
        placed: Array = points + (self.origin + time * self.drift)
        return frozen(placed)


def moves(body: Body) -> bool:
    """Whether a body has a motion: a displacement or an angular displacement."""
    return any(body.displacement) or any(body.angular_displacement)


def _visible_turn(body: Body) -> Triple:
    return (0.0, 0.0, 0.0) if ball_radius(body.shape) is not None else body.angular_displacement


def _turned(body: Body, turn: Triple, time: float) -> Body:
    if not any(turn) or time == 0.0:
        return body
    x, y, z = turn
    return body.turned((time * x, time * y, time * z))


class MotionOutcome(StrEnum):
    """Whether the bodies meet during the unit interval."""

    HIT = "HIT"
    INITIAL_OVERLAP = "INITIAL_OVERLAP"
    """The bodies meet already at the start; touching counts."""
    SEPARATED = "SEPARATED"
    ITERATION_LIMIT = "ITERATION_LIMIT"
    """The method has no answer; it only proves the bodies apart until some time."""


class MotionStop(StrEnum):
    """The reason why a method ended."""

    OVERLAPPING_AT_START = "OVERLAPPING_AT_START"
    TOUCHING_AT_START = "TOUCHING_AT_START"
    """Within the touching band at time 0."""
    HIT = "HIT"
    GRAZING = "GRAZING"
    """The bodies come within the touching band, but do not overlap by more than rounding."""
    NO_MOTION = "NO_MOTION"
    """Apart, and nothing moves."""
    MOVING_AWAY = "MOVING_AWAY"
    """Apart at the start along some direction, and never nearer along it later."""
    PASSES_BY = "PASSES_BY"
    OUT_OF_TIME = "OUT_OF_TIME"
    """The bodies would meet, or may, after the interval's end."""
    AXES_DO_NOT_SUFFICE = "AXES_DO_NOT_SUFFICE"
    """The intervals meet on every axis of the table, but the bodies do not: round surfaces have more axes."""
    NO_PROGRESS = "NO_PROGRESS"
    """The next step would make no progress, and the distance left is too large for a contact."""
    ITERATION_LIMIT = "ITERATION_LIMIT"

    @property
    def outcome(self) -> MotionOutcome:
        """The outcome that belongs to the reason."""
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
    """The answer of one method about two bodies in motion, world frame.

    `time`: of the first contact, 0 to 1, 0 if the bodies meet at the start, None without a contact. `free`: the bodies
    are proved apart at every time in [0, free), to rounding; 1 for the whole interval. `provenance`: of the time.
    `normal` (3,): unit, from A to B, at the contact. If the bodies stay apart, a direction that separates them during
    the whole interval, or None if the method has none. `row`, `axis`: index and label of the method's axis along the
    normal, or None.

    Of the contact, at `time`: `witness_a`, `witness_b` (3,), on the surfaces; `separation`, the signed distance;
    `contact`, the supporting features. These are None without a contact. `gap`: the possible error of `separation`.
    """

    stop: MotionStop
    time: float | None
    free: float
    provenance: Provenance
    normal: Array | None = None
    row: int | None = None
    axis: str | None = None
    witness_a: Array | None = None
    witness_b: Array | None = None
    separation: float | None = None
    gap: float = 0.0
    contact: ContactVertices | None = None

    @property
    def outcome(self) -> MotionOutcome:
        """Whether the bodies meet."""
        return self.stop.outcome


def at_start(motion: Motion) -> MotionResult | None:
    """The result for bodies that meet at time 0, touching included; None if they are apart then."""
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

    `normal` (3,): unit, from A to B; None for the normal of `near`. `near`: the signed distance at `time`; None to
    compute it. `row`, `axis`: index and label of the method's axis, or None.
    """
    near = near or motion.near(time)
    found: Proximity = near.proximity
    facing = found.normal if normal is None else normal
    contact = motion.supporting(time, facing)
    return MotionResult(
        stop=stop,
        time=time,
        free=time,
        provenance=provenance,
        normal=frozen(facing.copy()),
        row=row,
        axis=axis,
        witness_a=motion.world(found.witness_a, time),
        witness_b=motion.world(found.witness_b, time),
        separation=found.separation,
        gap=near.certainty.gap,
        contact=ContactVertices(
            *(replace(feature, points=motion.world(feature.points, time)) for feature in (contact.a, contact.b))
        ),
    )


def apart(
    stop: MotionStop,
    provenance: Provenance = Provenance.EXACT,
    *,
    normal: Array | None = None,
    row: int | None = None,
    axis: str | None = None,
) -> MotionResult:
    """The result for bodies that stay apart during the whole interval; arguments, also None, as in `MotionResult`."""
    return MotionResult(
        stop=stop,
        time=None,
        free=1.0,
        provenance=provenance,
        normal=None if normal is None else frozen(normal.copy()),
        row=row,
        axis=axis,
    )


def undecided(stop: MotionStop, free: float, provenance: Provenance) -> MotionResult:
    """The result of a method that only proves the bodies apart until the time `free`."""
    return MotionResult(stop, None, free, provenance)
