"""The GJK ray cast for two bounded bodies that move without turning (van den Bergen 2004).

B moves along d relative to A. Equivalently, the difference A - B stays as it is at time 0, and the origin moves through
it along `t d`. So the first contact is where that ray enters the difference. At every step, the cast proves a lower
bound of the time of contact.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from ..closed_form import Proximity
from ..geometry.tolerances import certified_within
from ..geometry.triple import Triple, array_of
from ..geometry.vector import dot, frozen, length
from ..pair.pair import certificate, half_space_of
from ..pair.support import Difference, Support, support_maps
from ..rays.raycast import GjkRaycastResult, GjkRaycastStep, GjkRaycastStop, support_raycast_steps
from ..trace import Steps
from ..verdict import Provenance, certainty_of
from .motion import Motion, MotionResult, MotionStop, Nearness, apart, at_start, met, undecided

_VERTICES = 1 << 31
"""More than the vertices of any body; a factor that combines the vertex indices of A and B into one number."""


class DifferenceSupport(Support, frozen=True, eq=False):
    """A support point of the difference, with its points of A and B at time 0, and their vertex indices.

    The points are relative to A's position; an index is -1 on a curved surface.
    """

    xyz_a: Triple
    xyz_b: Triple
    vertex_a: int
    vertex_b: int


class DifferenceMap(Struct, frozen=True, eq=False):
    """A Minkowski difference as a support map."""

    difference: Difference

    def support(self, direction: Triple) -> DifferenceSupport:
        """The point of the difference farthest along `direction`."""
        found = self.difference.support(direction)
        known = found.vertex_a >= 0 and found.vertex_b >= 0
        vertex = found.vertex_a * _VERTICES + found.vertex_b if known else -1
        return DifferenceSupport(found.xyz, vertex, found.xyz_a, found.xyz_b, found.vertex_a, found.vertex_b)


def raycast_applies(motion: Motion) -> bool:
    """Whether both bodies are bounded and neither visibly turns."""
    return not motion.rotates and half_space_of(motion.a, motion.b) is None


def motion_raycast_steps(motion: Motion) -> Steps[GjkRaycastStep, MotionResult]:
    """The steps of the ray cast of the origin's path against the difference.

    Yields no steps if the bodies meet at the start, or if B does not move relative to A. The steps' points are points
    of the difference; their supports are `DifferenceSupport`. Raises ValueError for a half-space and for bodies that
    visibly turn.
    """
    if not raycast_applies(motion):
        raise ValueError("the ray cast is for two bounded bodies that do not turn")
    start = at_start(motion)
    if start is not None:
        return start
    if motion.travel == 0.0:
        return apart(MotionStop.NO_MOTION)
    difference = support_maps(motion.a, motion.b)
    target, way = DifferenceMap(difference), motion.displacement
    size = motion.scale.extent
    found = yield from support_raycast_steps(target, difference.radius, size, np.zeros(3), way, 1.0)
    return _result(motion, difference, found)


def _result(motion: Motion, difference: Difference, found: GjkRaycastResult) -> MotionResult:
    match found.stop:
        case GjkRaycastStop.HIT | GjkRaycastStop.GRAZING:
            assert found.hit is not None
            stop = MotionStop.HIT if found.stop is GjkRaycastStop.HIT else MotionStop.GRAZING
            near = _at_hit(motion, difference, found, found.hit.t)
            return met(motion, stop, found.hit.t, Provenance.CERTIFIED, near=near)
        case GjkRaycastStop.INSIDE:
            # The bodies are apart by slightly more than the touching band, which the cast cannot resolve.
            return met(motion, MotionStop.TOUCHING_AT_START, 0.0, Provenance.CERTIFIED, near=motion.start)
        case GjkRaycastStop.MISS:
            stop = MotionStop.MOVING_AWAY if found.iterations == 1 else MotionStop.PASSES_BY
            return apart(stop, Provenance.CERTIFIED)
        case GjkRaycastStop.BEYOND_REACH:
            return apart(MotionStop.OUT_OF_TIME, Provenance.CERTIFIED)
        case GjkRaycastStop.NO_PROGRESS:
            return undecided(MotionStop.NO_PROGRESS, found.free, Provenance.CERTIFIED)
        case GjkRaycastStop.ITERATION_LIMIT:
            return undecided(MotionStop.ITERATION_LIMIT, found.free, Provenance.CERTIFIED)


def _at_hit(motion: Motion, difference: Difference, found: GjkRaycastResult, time: float) -> Nearness:
    """The signed distance at the hit, from the feature of the difference at which the cast arrived."""
    assert found.hit is not None
    a, b = motion.at(time)
    # On the side from which the origin comes, the difference's outward normal points from A to B.
    normal = between = found.hit.normal
    on_a, on_b = np.zeros(3), time * motion.displacement
    for support, weight in zip(found.feature, found.weights.tolist(), strict=True):
        assert isinstance(support, DifferenceSupport)
        on_a, on_b = on_a + weight * array_of(support.xyz_a), on_b + weight * array_of(support.xyz_b)
    if difference.radius > 0.0 and dot(on_b - on_a, normal) > 0.0:
        # The normal that proves most is taken: of the signed distance, between the cores' points, or of the cast's last
        # plane. The witness points lie along the line between the cores' points.
        between = frozen((on_b - on_a) / length(on_b - on_a))
        there = motion.near(time)
        ways = (there.proximity.normal, between, normal)
        normal = max(ways, key=lambda facing: certificate(a, b, facing))
        if normal is ways[0]:
            # After a long path, rounding turns the cast's own normal away from that of the face or edge of contact.
            return there
    witness_a, witness_b = on_a + difference.radius_a * between, on_b - difference.radius_b * between
    within = certified_within(difference.largest_radius, difference.extent)
    known = certainty_of(certificate(a, b, normal), found.distance, within)
    return Nearness(Proximity(found.distance, normal, witness_a, witness_b), known)
