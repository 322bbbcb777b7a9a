"""Two bodies of the plane in motion, laid into space: what is asked of a motion is answered by the plane's own methods.

Distances, features, contacts and axes come from `core.planar`; the methods that only need those, or support maps, are
those of space as they are, with z = 0 all the way: entry and exit times, the ray cast, advancement. What the plane has
for itself is the closed form against the rounded difference (`core.planar.motion`).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from .algorithms.candidate_axes import AxisKind, CandidateAxis
from .algorithms.closed_form import Proximity
from .algorithms.contact import Contact
from .algorithms.features import ContactVertices
from .algorithms.gjk import WarmStart
from .algorithms.motion.advancement import advancement_steps
from .algorithms.motion.intervals import interval_steps
from .algorithms.motion.outcome import MotionResult
from .algorithms.motion.ray import motion_raycast_steps
from .algorithms.motion.relative import Motion, Nearness, moves
from .answer import Certainty, Provenance
from .flat import FlatBody, FlatScene
from .geometry.vector import Array
from .in_space import raised, raised_candidate, raised_contact, raised_feature
from .motion_answers import Method, MotionMethod, SweepAnswer, answered
from .planar.contact import contacts2
from .planar.features import contact_vertices2
from .planar.minkowski import MinkowskiPolygon, NearestPoint2, minkowski_difference, nearest_point
from .planar.motion import DifferenceStep2, difference_motion_steps2
from .planar.pair import Pair2
from .planar.sat import AxisKind2, sat2
from .planar.scene import Body2
from .planar.vec2 import Vec2
from .scene import Body
from .trace import Parts, Steps


class FlatMotion(Motion, frozen=True, eq=False, dict=True):
    """The motion of two bodies of the plane; every vector has z = 0."""

    def near(self, time: float, warm: WarmStart | None = None) -> Nearness:  # noqa: ARG002 - exact without a start
        """The bodies' signed distance at that time, exact."""
        found = _nearest(*_planar(*self.at(time)))
        points = raised(found.witness_a), raised(found.witness_b)
        return Nearness(Proximity(found.separation, raised(found.normal), *points), Certainty(Provenance.EXACT))

    def supporting(self, time: float, normal: Array) -> ContactVertices:
        """The two features that meet along the unit `normal` (3,), relative to A's position at that time."""
        found = contact_vertices2(*_planar(*self.at(time)), _flat(normal))
        return ContactVertices(raised_feature(found.a), raised_feature(found.b))

    def contacts(self, a: Body, b: Body, normal: Array) -> tuple[Contact, ...]:
        """The contact points of both bodies as they then stand, relative to A's position."""
        one, other = _planar(a, b)
        nearest = _nearest(one, other)
        if nearest.edge is None:
            # At a corner of the difference rounding turns the way between two points that all but meet.
            nearest = replace(nearest, normal=_flat(normal))
        found = contacts2(one, other, _difference(one, other), nearest)
        return tuple(raised_contact(contact) for contact in found.contacts)

    def candidate_axes(self) -> tuple[tuple[CandidateAxis, ...], Array]:
        """The normals (n, 3) of the edges of both bodies."""
        table = sat2(*_planar(self.a, self.b))
        # The axis through a circle's centre turns as the bodies move.
        rows = [row for row, it in enumerate(table.candidates) if it.kind is not AxisKind2.CENTRES]
        axes = np.column_stack((table.axes[rows], np.zeros(len(rows))))
        return tuple(raised_candidate(table.candidates[row]) for row in rows), axes

    def facing(self, candidates: tuple[CandidateAxis, ...], sides: Array) -> NDArray[np.bool_]:
        """Those edges of either body whose front is where the other one comes from."""
        fronts = np.array([1.0 if candidate.kind is AxisKind.FACE_A else -1.0 for candidate in candidates])
        facing: NDArray[np.bool_] = fronts * sides > 0.0
        return facing


def flat_sweep_in_parts(scene: FlatScene) -> Parts[SweepAnswer | None]:
    """When two bodies of the plane first meet on their way, by every method; None where neither moves or turns."""
    if not moves(scene.a, scene.b):
        return None
    motion = FlatMotion.of(scene.a, scene.b)
    return (yield from answered(motion, _methods(motion)))


def difference_steps(motion: Motion) -> Steps[DifferenceStep2, MotionResult]:
    """The closed form of two bodies that do not turn."""
    if motion.rotates:
        raise ValueError("the closed forms are for bodies that do not turn")
    a, b = _planar(motion.a, motion.b)
    labels = tuple(candidate.label for candidate in sat2(a, b).candidates)
    return (yield from difference_motion_steps2(_difference(a, b), labels, motion))


def _methods(motion: FlatMotion) -> list[Method]:
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


def _planar(a: Body, b: Body) -> tuple[Body2, Body2]:
    assert isinstance(a, FlatBody)
    assert isinstance(b, FlatBody)
    return a.planar, b.planar


@lru_cache(maxsize=4)
def _difference(a: Body2, b: Body2) -> MinkowskiPolygon:
    """Kept: several methods look at the bodies at the start, and at the time at which they meet."""
    return minkowski_difference(a, b)


def _nearest(a: Body2, b: Body2) -> NearestPoint2:
    pair = Pair2.of(a, b)
    return nearest_point(_difference(a, b), pair.offset, pair.scale.rounding)


def _flat(vector: Array) -> Vec2:
    x, y, _ = vector.tolist()
    return (x, y)
