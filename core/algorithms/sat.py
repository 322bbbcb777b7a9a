"""Separating axis test as one table over all candidate axes (article S, S3; Gottschalk 1996; Gregorius 2013).

Which axes those are depends on the shapes. Two boxes: fifteen. Any two polyhedra: their faces, and the edge pairs that
build a face of the difference. A sphere against a box is not one of fifteen axes: three face normals and the axis
from the closest feature; likewise whatever is a core grown by a radius adds the axis of the cores' closest points. A
half-space: its plane's normal. Cylinder, cone and ellipsoid have infinitely many axes, and no table of them.
"""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from ..geometry.vector import Array, length
from ..scene import Body
from ..shapes import Box, HalfSpace, Sphere
from .candidate_axes import (
    AxisKind,
    CandidateAxis,
    axes_of_boxes,
    box_candidates,
    face_candidate,
    same_lines,
)
from .closed_form import BoxRegion, box_region
from .cores import CoreKind, has_core
from .distance import nearest_boundary_point
from .minkowski import difference
from .pair import PairScale
from .polyhedron_axes import pair_axes
from .sat_table import AxisStatus, SatTable, centres_coincide, sat_table

__all__ = ["AxisKind", "AxisStatus", "CandidateAxis", "SatTable", "final_normal_table", "sat", "sat_applies"]


def sat_applies(a: Body, b: Body) -> bool:
    """Whether finitely many axes decide: for all but cylinder, cone and ellipsoid, which only a half-space suits."""
    spaces = sum(isinstance(body.shape, HalfSpace) for body in (a, b))
    return spaces == 1 or (has_core(a) and has_core(b))


def sat(a: Body, b: Body) -> SatTable:
    """The axis table of two placed bodies. Two separated polyhedra leave `exact` False: SAT alone cannot know.

    Raises TypeError where `sat_applies` says no; `final_normal_table` is for those.
    """
    scale = PairScale.of(a, b)
    shape_a, shape_b = a.shape, b.shape
    if isinstance(shape_a, HalfSpace) or isinstance(shape_b, HalfSpace):
        return _half_space(a, b, scale)
    if isinstance(shape_a, Box) and isinstance(shape_b, Box):
        return _two_boxes(a, b, scale)
    if isinstance(shape_a, Box) and isinstance(shape_b, Sphere):
        return _box_and_sphere(a, b, scale, a, shape_a, scale.offset)
    if isinstance(shape_a, Sphere) and isinstance(shape_b, Box):
        return _box_and_sphere(a, b, scale, b, shape_b, -scale.offset)
    if isinstance(shape_a, Sphere) and isinstance(shape_b, Sphere):
        return _two_spheres(a, shape_a, b, shape_b, scale)
    return _two_cores(a, b, scale)


def final_normal_table(a: Body, b: Body, normal: Array, *, exact: bool = False) -> SatTable:
    """The table where SAT does not apply: one row, the unit `normal` (3,) from A to B that another algorithm found.

    `exact`: whether the separation along it is known to be the distance.
    """
    candidate = CandidateAxis("A→B", AxisKind.CENTRES, None, None, 1.0, False, ())
    row = np.zeros(1, dtype=np.int64)
    axes = normal.reshape(1, 3)
    return sat_table(a, b, PairScale.of(a, b), (candidate,), axes, row, exact=exact, applies=False)


def _two_boxes(a: Body, b: Body, scale: PairScale) -> SatTable:
    axes, sines = axes_of_boxes(a, b)
    same_as = same_lines(axes)
    candidates = box_candidates(axes, sines, same_as)
    return sat_table(a, b, scale, candidates, axes, same_as)


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
    return sat_table(a, b, scale, tuple(candidates), axes, same_lines(axes), exact=True)


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
        return sat_table(a, b, scale, (candidate,), axes, np.zeros(1, dtype=np.int64), exact=True)
    return centres_coincide(-(sphere_a.radius + sphere_b.radius), scale)


def _half_space(a: Body, b: Body, scale: PairScale) -> SatTable:
    """One axis, the plane's: along every other the half-space has no end."""
    space, name, kind = (a, "A", AxisKind.FACE_A) if isinstance(a.shape, HalfSpace) else (b, "B", AxisKind.FACE_B)
    other = b if space is a else a
    if not isinstance(space.shape, HalfSpace) or isinstance(other.shape, HalfSpace):
        raise TypeError("two half-spaces always meet")
    axis = (space.pose.matrix @ space.shape.plane.normal).reshape(1, 3)
    feature_a, feature_b = (0, None) if space is a else (None, 0)
    candidate = CandidateAxis(f"{name}.plane", kind, feature_a, feature_b, 1.0, False, ())
    return sat_table(a, b, scale, (candidate,), axis, np.zeros(1, dtype=np.int64), exact=True)


def _two_cores(a: Body, b: Body, scale: PairScale) -> SatTable:
    """Faces and the edge pairs that build a face; grown by a radius, also the axis of the cores' closest points."""
    pair = pair_axes(a, b)
    rounded = pair.core_a.radius > 0.0 or pair.core_b.radius > 0.0
    if not rounded:
        return sat_table(a, b, scale, pair.candidates, pair.axes, pair.same_as)
    solid = difference(a, b)
    point = nearest_boundary_point(solid)
    if len(pair.axes) and point.separation + solid.radius <= 0.0:
        return sat_table(a, b, scale, pair.candidates, pair.axes, pair.same_as, exact=True)
    axes = np.concatenate((pair.axes, point.normal.reshape(1, 3)))
    same_as = same_lines(axes)
    row = int(same_as[-1])
    covered = (row,) if row + 1 < len(axes) else ()
    features = [
        core.feature_name(tuple(sorted(set(sources[point.vertices[point.weights > 0.0]].tolist()))))
        for core, sources in ((pair.core_a, solid.sources_a), (pair.core_b, solid.sources_b))
    ]
    names = [
        core.name if core.kind is CoreKind.POINT else f"{core.name}.{feature}"
        for core, feature in zip((pair.core_a, pair.core_b), features, strict=True)
    ]
    closest = CandidateAxis("→".join(names), AxisKind.CENTRES, None, None, 1.0, False, covered)
    return sat_table(a, b, scale, (*pair.candidates, closest), axes, same_as, exact=True)
