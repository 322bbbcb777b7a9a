"""Separating axis test as one table over all candidate axes (article S, systems S3 to S6; Gottschalk 1996).

The result is its own trace: every axis with both intervals, whatever the verdict. Departures from the article: the
way out of one interval from another is `min(maxA - minB, maxB - minA)`, which stays right under containment; the
normal is turned by the smaller way out and not by who owns the lowest end; touching is a verdict of its own. A
sphere against a box is not one of fifteen axes: three face normals and the axis from the closest feature.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from math import isnan

import numpy as np
from numpy.typing import NDArray

from ..answer import Verdict, verdict_of
from ..geometry.tolerances import FRAME_ROUNDING
from ..geometry.vector import Array, frozen, length, length_rows
from ..scene import Body
from ..shapes import Box, Sphere
from .candidate_axes import (
    AxisKind,
    CandidateAxis,
    box_axes,
    box_candidates,
    face_candidate,
    same_lines,
)
from .closed_form import X_AXIS, BoxRegion, box_region
from .pair import PairScale

__all__ = ["AxisKind", "AxisStatus", "CandidateAxis", "SatTable", "sat"]


class AxisStatus(StrEnum):
    """What one axis says."""

    SEPARATING = "SEPARATING"
    TOUCHING = "TOUCHING"
    OVERLAPPING = "OVERLAPPING"
    DEGENERATE = "DEGENERATE"
    """No direction at all: parallel edges have an exactly zero cross product."""


@dataclass(frozen=True, eq=False, slots=True)
class SatTable:
    """All candidate axes of a pair, one row each.

    `axes` (n, 3): unit vectors in the world; a DEGENERATE row is zero. `interval_a`, `interval_b` (n, 2): projections
    `[min, max]` relative to A's position (`offset` (n,) added gives world values). `separations` (n,): signed,
    `max(minB - maxA, minA - maxB)`; NaN on degenerate rows. `sides` (n,): +1 where B lies towards +axis by the
    smaller way out (also when both ways are equal), else -1, so `sides[k] * axes[k]` runs from A to B. `same_as` :
    per row the lowest row index with the same line (itself if none). `ties`: rows (winner excluded) whose separation
    equals the winner's within tolerances.TIE. `winner`: row of the largest separation; of rows that rounding cannot
    tell apart the lowest, and never edges that are parallel to rounding. `exact`: whether `separation` is the true
    signed distance (always when overlapping; when apart only if the winner's face holds the closest point), else a
    lower bound of the distance. Two spheres with one centre have a single DEGENERATE row, and every direction is a
    way out: `normal` is +x.
    """

    candidates: tuple[CandidateAxis, ...]
    axes: Array
    interval_a: Array
    interval_b: Array
    offset: Array
    separations: Array
    sides: NDArray[np.int64]
    statuses: tuple[AxisStatus, ...]
    same_as: NDArray[np.int64]
    winner: int
    ties: tuple[int, ...]
    separation: float
    normal: Array
    verdict: Verdict
    exact: bool

    def against(self, distance: float, tolerance: float) -> SatTable:
        """The table with `exact` judged by the true signed distance of the bodies."""
        return replace(self, exact=abs(distance - self.separation) <= tolerance)


def sat(a: Body, b: Body) -> SatTable:
    """The axis table of two placed bodies. Two separated boxes leave `exact` False: SAT alone cannot know."""
    scale = PairScale.of(a, b)
    if isinstance(a.shape, Box):
        if isinstance(b.shape, Box):
            return _two_boxes(a, b, scale)
        return _box_and_sphere(a, b, scale, a, a.shape, scale.offset)
    if isinstance(b.shape, Box):
        return _box_and_sphere(a, b, scale, b, b.shape, -scale.offset)
    return _two_spheres(a, a.shape, b, b.shape, scale)


def _two_boxes(a: Body, b: Body, scale: PairScale) -> SatTable:
    axes, sines = box_axes(a.pose.matrix, b.pose.matrix)
    same_as = same_lines(axes)
    candidates = box_candidates(axes, sines, same_as)
    return _table(a, b, scale, candidates, axes, same_as)


def _box_and_sphere(a: Body, b: Body, scale: PairScale, boxed: Body, box: Box, centre: Array) -> SatTable:
    """`boxed` is A or B, and `centre` (3,) the sphere's centre relative to its position."""
    own, other = ("A", "B") if boxed is a else ("B", "A")
    pose = boxed.pose
    region = box_region(replace(pose, position=np.zeros(3)), box.half_extents, centre)
    candidates = [face_candidate(own, k) for k in range(3)]
    axes = pose.matrix.T
    if region.outside:
        candidates.append(_closest_candidate(own, other, region))
        axes = np.concatenate((axes, region.normal.reshape(1, 3)))
    return _table(a, b, scale, tuple(candidates), axes, same_lines(axes), exact=True)


def _closest_candidate(own: str, other: str, region: BoxRegion) -> CandidateAxis:
    """The axis from the closest feature of the box `own`; beyond a face it is that face's normal once more."""
    face = region.face
    covered = () if face is None else (face,)
    label = f"{own}.{region.name}→{other}"
    feature_a, feature_b = (face, None) if own == "A" else (None, face)
    return CandidateAxis(label, AxisKind.CENTRES, feature_a, feature_b, 1.0, False, covered)


def _two_spheres(a: Body, sphere_a: Sphere, b: Body, sphere_b: Sphere, scale: PairScale) -> SatTable:
    candidate = CandidateAxis("A→B", AxisKind.CENTRES, None, None, 1.0, False, ())
    apart = length(scale.offset)
    axes = (scale.offset / apart if apart > 0.0 else np.zeros(3)).reshape(1, 3)
    if apart > 0.0:
        return _table(a, b, scale, (candidate,), axes, np.zeros(1, dtype=np.int64), exact=True)
    unknown = np.full((1, 2), np.nan)
    separation = -(sphere_a.radius + sphere_b.radius)
    return SatTable(
        candidates=(candidate,),
        axes=frozen(axes),
        interval_a=frozen(unknown),
        interval_b=frozen(unknown),
        offset=frozen(np.zeros(1)),
        separations=frozen(np.full(1, np.nan)),
        sides=np.ones(1, dtype=np.int64),
        statuses=(AxisStatus.DEGENERATE,),
        same_as=np.zeros(1, dtype=np.int64),
        winner=0,
        ties=(),
        separation=separation,
        normal=X_AXIS,
        verdict=verdict_of(separation, scale.band),
        exact=True,
    )


def _table(
    a: Body,
    b: Body,
    scale: PairScale,
    candidates: tuple[CandidateAxis, ...],
    axes: Array,
    same_as: NDArray[np.int64],
    *,
    exact: bool = False,
) -> SatTable:
    """Projects both bodies on every axis and picks the winner."""
    known = length_rows(axes) > 0.0
    interval_a = np.where(known[:, None], _projections(a, axes), np.nan)
    interval_b = np.where(known[:, None], _projections(b, axes) + (axes @ scale.offset)[:, None], np.nan)
    beyond = interval_b[:, 0] - interval_a[:, 1]
    before = interval_a[:, 0] - interval_b[:, 1]
    separations = np.maximum(beyond, before)
    # Edges that are parallel as far as doubles can tell span a direction that is noise: it is tested and shown, but
    # among boxes that are apart, where many a direction separates, it would be a strange one to name as the winner.
    sensible = np.array([candidate.sine > FRAME_ROUNDING for candidate in candidates])
    ranked = np.where(known & sensible, separations, -np.inf)
    winner = int(np.argmax(ranked >= ranked.max() - scale.rounding))
    sides = np.where(before > beyond, -1, 1)
    separation = float(separations[winner])
    verdict = verdict_of(separation, scale.band)
    ties = np.flatnonzero(np.abs(np.where(known, separations, -np.inf) - separation) <= scale.tie)
    return SatTable(
        candidates=candidates,
        axes=frozen(axes),
        interval_a=frozen(interval_a),
        interval_b=frozen(interval_b),
        offset=frozen(axes @ a.pose.position),
        separations=frozen(separations),
        sides=sides,
        statuses=tuple(_status(s, scale.band) for s in separations.tolist()),
        same_as=same_as,
        winner=winner,
        ties=tuple(k for k in ties.tolist() if k != winner),
        separation=separation,
        normal=frozen(sides[winner] * axes[winner]),
        verdict=verdict,
        exact=exact or separation <= 0.0,
    )


def _projections(body: Body, axes: Array) -> Array:
    """Intervals `[min, max]` (n, 2) of the body about its own position.

    Boxes and spheres reach as far one way as the other. The axes are unit vectors: the false separations that this
    radius form is known for come from axes that are not.
    """
    shape = body.shape
    if isinstance(shape, Sphere):
        reach = np.full(len(axes), shape.radius)
    else:
        reach = np.abs(axes @ body.pose.matrix) @ shape.half_extents
    return np.stack((-reach, reach), axis=1)


_STATUS = {
    Verdict.SEPARATED: AxisStatus.SEPARATING,
    Verdict.TOUCHING: AxisStatus.TOUCHING,
    Verdict.OVERLAPPING: AxisStatus.OVERLAPPING,
}


def _status(separation: float, band: float) -> AxisStatus:
    """What an axis with this separation says; NaN is an axis without a direction."""
    return AxisStatus.DEGENERATE if isnan(separation) else _STATUS[verdict_of(separation, band)]
