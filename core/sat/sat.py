"""Separating axis test (SAT): a table of all candidate axes, and its steps (Gottschalk 1996; Gregorius 2013).

The candidate axes depend on the shapes. Two boxes have fifteen. Two polyhedra have the normals of their faces, and the
cross products of the edge pairs that build a face of the Minkowski difference. A flat polygon adds edge × n, the normal
of each edge within the polygon's plane: these axes separate it from bodies beside it in that plane. A box and a sphere
have the box's three face normals and the axis from the closest feature. Other pairs in which a core has a radius, or is
a point or a segment, add the axis of the cores' closest points. A half-space has its plane's normal. A cylinder, a cone
or an ellipsoid has infinitely many axes, so there is no table.

The steps try one axis after the other and keep the best so far. They are read from the finished table: numpy projects
all axes at once in less time than two axes one by one. The first axis with a gap is marked, because a program that only
asks whether the bodies meet would stop there.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Protocol, TypeVar

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ..closed_form import BoxRegion, box_region
from ..geometry.vector import Array, dots, length
from ..pair.candidate_axes import AxisKind, CandidateAxis, axes_of_boxes, box_candidates, face_candidate, same_lines
from ..pair.cores import CoreKind, has_core
from ..pair.gauss_map import PairAxes, pair_axes
from ..pair.pair import BoxAndBall, PairScale, SpaceAndBody, box_and_ball, half_space_of, two_balls, two_boxes
from ..scene import Body
from ..trace import Steps
from .closest import X_AXIS, ClosestAxis, closest_axis
from .table import (
    AxisStatus,
    Projections,
    SatTable,
    centres_candidate,
    centres_coincide,
    projections_and_offset,
    sat_table,
    table_of,
    towards_b,
)

__all__ = ["AxisKind", "AxisStatus", "CandidateAxis", "SatTable", "final_normal_table", "sat", "sat_applies"]


def sat_applies(a: Body, b: Body) -> bool:
    """Whether the pair has finitely many axes: one body is a half-space, or both bodies have cores."""
    return (has_core(a) and has_core(b)) or half_space_of(a, b) is not None


def sat(a: Body, b: Body) -> SatTable:
    """The axis table of two placed bodies.

    If two polyhedra are apart, `exact` is False: SAT alone does not show whether its separation is the distance. Raises
    ValueError for two half-spaces, TypeError for any other pair for which `sat_applies` is False (use
    `final_normal_table`), and TooLargeError if the table has too many rows.
    """
    scale = PairScale.of(a, b)
    if two_boxes(a, b) is not None:
        return _two_boxes(a, b, scale)
    if (found := half_space_of(a, b)) is not None:
        return _half_space(a, b, scale, found)
    if (mixed := box_and_ball(a, b)) is not None:
        return _box_and_sphere(a, b, scale, mixed)
    if (radius := two_balls(a, b)) is not None:
        return _two_spheres(a, b, scale, radius)
    return _two_cores(a, b, scale)


def final_normal_table(a: Body, b: Body, normal: Array, *, exact: bool = False) -> SatTable:
    """The table of a pair to which SAT does not apply, with one row: the normal that another algorithm found.

    `normal` (3,): unit, from A to B. `exact`: whether the separation along it is known to be the distance.
    """
    candidate = centres_candidate("A→B")
    row = np.zeros(1, dtype=np.int64)
    axes = normal.reshape(1, 3)
    return sat_table(a, b, PairScale.of(a, b), (candidate,), axes, row, exact=exact, applies=False)


def _two_boxes(a: Body, b: Body, scale: PairScale) -> SatTable:
    axes, sines = axes_of_boxes(a, b)
    same_as = same_lines(axes)
    candidates = box_candidates(axes, sines, same_as)
    return sat_table(a, b, scale, candidates, axes, same_as)


def _box_and_sphere(a: Body, b: Body, scale: PairScale, found: BoxAndBall[Body]) -> SatTable:
    own, other = ("A", "B") if found.side > 0.0 else ("B", "A")
    pose = found.box.pose
    region = box_region(replace(pose, position=np.zeros(3)), found.half_extents, found.side * scale.offset)
    candidates = [face_candidate(own, k) for k in range(3)]
    axes = pose.matrix.T
    if region.outside:
        candidates.append(_closest_candidate(own, other, region))
        axes = np.concatenate((axes, region.normal.reshape(1, 3)))
    return sat_table(a, b, scale, tuple(candidates), axes, same_lines(axes), exact=True)


def _closest_candidate(own: str, other: str, region: BoxRegion) -> CandidateAxis:
    """The axis from the closest feature of the box `own`; if that is a face, its row covers the axis."""
    face = region.face
    covered = () if face is None else (face,)
    label = f"{own}.{region.name}→{other}"
    features = (face, None) if own == "A" else (None, face)
    return centres_candidate(label, features=features, covered_by=covered)


def _two_spheres(a: Body, b: Body, scale: PairScale, radius: float) -> SatTable:
    """The table of two spheres; `radius`: the sum of both radii."""
    candidate = centres_candidate("A→B")
    apart = length(scale.offset)
    axes = (scale.offset / apart if apart > 0.0 else np.zeros(3)).reshape(1, 3)
    if apart > 0.0:
        return sat_table(a, b, scale, (candidate,), axes, np.zeros(1, dtype=np.int64), exact=True)
    return centres_coincide(-radius, scale)


def _half_space(a: Body, b: Body, scale: PairScale, found: SpaceAndBody[Body]) -> SatTable:
    """The table with a half-space: its plane's normal alone, as its interval is unbounded on any other axis."""
    name, kind = ("A", AxisKind.FACE_A) if found.side > 0.0 else ("B", AxisKind.FACE_B)
    axis = found.space.pose.direction_to_world(found.plane.normal).reshape(1, 3)
    feature_a, feature_b = (0, None) if found.side > 0.0 else (None, 0)
    candidate = CandidateAxis(
        label=f"{name}.plane",
        kind=kind,
        feature_a=feature_a,
        feature_b=feature_b,
        sine=1.0,
        nearly_parallel=False,
        covered_by=(),
    )
    return sat_table(a, b, scale, (candidate,), axis, np.zeros(1, dtype=np.int64), exact=True)


def _two_cores(a: Body, b: Body, scale: PairScale) -> SatTable:
    """The table of two cores; the axis of the closest points is added if a core has a radius or no faces.

    Raises as `pair_axes`.
    """
    pair = pair_axes(a, b)
    cores, radii = (pair.core_a, pair.core_b), (pair.core_a.radius, pair.core_b.radius)
    grown, faceless = any(radii), [core.kind in _FACELESS for core in cores]
    candidates, axes, same_as = pair.candidates, pair.axes, pair.same_as
    projected, offset = projections_and_offset(a, b, axes)
    if grown or any(faceless):
        closest = _closest(pair, projected, scale.rounding)
        if closest is not None:
            axes = np.concatenate((axes, closest.axis.reshape(1, 3)))
            same_as = same_lines(axes)
            covered = tuple(row for row in same_as[-1:].tolist() if row < len(candidates))
            candidates = (*candidates, centres_candidate(closest.label, covered_by=covered))
            more, one = projections_and_offset(a, b, axes[-1:])
            projected, offset = projected.and_of(more), np.concatenate((offset, one))
    table = table_of(projected, scale, candidates, axes, same_as, offset, exact=grown or any(faceless))
    # The ways out of two cores in one plane are equal on both sides of the plane: towards_b chooses the side. Pairs of
    # capsules and spheres keep the side of their table.
    if any(core.has_volume for core in cores) or (grown and all(faceless)):
        return table
    return towards_b(table, radii, scale, len(pair.axes))


_FACELESS = (CoreKind.POINT, CoreKind.SEGMENT)


def _closest(pair: PairAxes, projected: Projections, noise: float) -> ClosestAxis | None:
    """The axis from A to B through the cores' closest points; None if the cores meet.

    If a closest point lies within a face, or both within edges, the axis is that of the best row.
    """
    cores = (pair.core_a, pair.core_b)
    if not len(pair.axes):
        return closest_axis(*cores, noise, X_AXIS, -inf)
    best = int((projected.separations >= projected.separations.max() - noise).argmax())
    axis = projected.sides[best] * pair.axes[best] + 0.0
    ends = [dots(core.solid.vertices, axis) for core in cores]
    parted = float(ends[1].min() - ends[0].max())
    # If a core has a volume, the axes separate every pair that is apart. For flat cores in one plane they may not.
    if parted <= 0.0 and any(core.has_volume for core in cores):
        return None
    closest = closest_axis(*cores, noise, axis, parted)
    return closest if max(parted, closest.separation) > 0.0 else None


class AxisRows(Protocol):
    """The columns of an axis table, in space or in the plane, that `sat_steps` reads."""

    @property
    def statuses(self) -> tuple[AxisStatus, ...]:
        """The status of each row."""

    @property
    def separations(self) -> Array:
        """The signed separation of each row, (n,); NaN on degenerate rows."""


Table = TypeVar("Table", bound=AxisRows)


class SatStep(Struct, frozen=True):
    """One row of the table was tried.

    `row`: the row's index; `separation`: on its axis, None if degenerate. `best`: the index of the row with the largest
    separation so far, None while all were degenerate. `improved`: whether this row became the best. `first_gap`:
    whether this row is the first that separates the bodies; a yes-or-no test ends here. `ruled_out`: whether an earlier
    row separates them.
    """

    row: int
    separation: float | None
    best: int | None
    improved: bool
    first_gap: bool
    ruled_out: bool


def sat_steps(table: Table, rows: Sequence[int] | None = None) -> Steps[SatStep, Table]:
    """Yields a step for each row in the table's order, or only for `rows` in the given order; returns the table.

    After all rows `best` is the table's winner, except for rows equal up to rounding and edges parallel up to rounding.
    """
    best: int | None = None
    gap_seen = False
    for row in range(len(table.statuses)) if rows is None else rows:
        status = table.statuses[row]
        known = status is not AxisStatus.DEGENERATE
        separation = float(table.separations[row]) if known else None
        improved = separation is not None and (best is None or separation > float(table.separations[best]))
        if improved:
            best = row
        first_gap = status is AxisStatus.SEPARATING and not gap_seen
        yield SatStep(row, separation, best, improved, first_gap, gap_seen)
        gap_seen = gap_seen or first_gap
    return table
