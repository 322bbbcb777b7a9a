"""Two bodies of the plane in motion: what is asked of a motion is answered by the plane's own methods.

The methods that only need distances, features, contacts and axes, or support maps, are those of space as they are, with
z = 0 all the way: entry and exit times, the ray cast, advancement. What the plane has for itself is the closed form
against the rounded difference (`motion`).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from ..closed_form import Proximity
from ..contact.contact import Contact
from ..contact.plane import contacts_of
from ..geometry.vec2 import dropped, raised
from ..geometry.vector import Array
from ..gjk.gjk import WarmStart
from ..minkowski.plane import MinkowskiPolygon, NearestPoint, minkowski_difference, nearest_point
from ..pair.candidate_axes import AxisKind, CandidateAxis
from ..pair.features import ContactVertices
from ..pair.plane_cores import PlanePair
from ..pair.plane_features import supporting_features
from ..sat.plane import plane_sat
from ..scene import Body
from ..trace import Steps
from ..verdict import Certainty, Provenance
from .advancement import advancement_steps
from .intervals import interval_steps
from .methods import Method, MotionMethod
from .outcome import MotionResult
from .plane import DifferenceStep, difference_motion_steps
from .ray import motion_raycast_steps
from .relative import Motion, Nearness


class PlaneMotion(Motion, frozen=True, eq=False, dict=True):
    """The motion of two bodies of the plane; every vector has z = 0."""

    def near(self, time: float, warm: WarmStart | None = None) -> Nearness:  # noqa: ARG002 - exact without a start
        """The bodies' signed distance at that time, exact."""
        found = _nearest(*self.at(time))
        points = raised(found.witness_a), raised(found.witness_b)
        return Nearness(Proximity(found.separation, raised(found.normal), *points), Certainty(Provenance.EXACT))

    def supporting(self, time: float, normal: Array) -> ContactVertices:
        """The two features that meet along the unit `normal` (3,), relative to A's position at that time."""
        return supporting_features(*self.at(time), dropped(normal))

    def contacts(self, a: Body, b: Body, normal: Array) -> tuple[Contact, ...]:
        """The contact points of both bodies as they then stand, relative to A's position."""
        nearest = _nearest(a, b)
        if nearest.edge is None:
            # At a corner of the difference rounding turns the way between two points that all but meet.
            nearest = replace(nearest, normal=dropped(normal))
        return contacts_of(a, b, _difference(a, b), nearest).contacts

    def candidate_axes(self) -> tuple[tuple[CandidateAxis, ...], Array]:
        """The normals (n, 3) of the edges of both bodies."""
        table = plane_sat(self.a, self.b)
        # The axis through a circle's centre turns as the bodies move.
        rows = [row for row, it in enumerate(table.candidates) if it.kind is not AxisKind.CENTRES]
        return tuple(table.candidates[row] for row in rows), table.axes[rows]

    def facing(self, candidates: tuple[CandidateAxis, ...], sides: Array) -> NDArray[np.bool_]:
        """Those edges of either body whose front is where the other one comes from."""
        fronts = np.array([1.0 if candidate.kind is AxisKind.FACE_A else -1.0 for candidate in candidates])
        facing: NDArray[np.bool_] = fronts * sides > 0.0
        return facing


def difference_steps(motion: Motion) -> Steps[DifferenceStep, MotionResult]:
    """The closed form of two bodies that do not turn."""
    if motion.rotates:
        raise ValueError("the closed forms are for bodies that do not turn")
    a, b = motion.a, motion.b
    labels = tuple(candidate.label for candidate in plane_sat(a, b).candidates)
    return (yield from difference_motion_steps(_difference(a, b), labels, motion))


def plane_methods(motion: Motion) -> list[Method]:
    """The methods that apply, the strongest first."""
    advancement: Method = (MotionMethod.ADVANCEMENT, advancement_steps)
    if motion.rotates:
        return [advancement]
    return [
        (MotionMethod.DIFFERENCE, difference_steps),
        (MotionMethod.INTERVALS, interval_steps),
        (MotionMethod.RAY, motion_raycast_steps),
        advancement,
    ]


@lru_cache(maxsize=4)
def _difference(a: Body, b: Body) -> MinkowskiPolygon:
    """Kept: several methods look at the bodies at the start, and at the time at which they meet."""
    return minkowski_difference(a, b)


def _nearest(a: Body, b: Body) -> NearestPoint:
    pair = PlanePair.of(a, b)
    return nearest_point(_difference(a, b), pair.offset, pair.scale.rounding)
