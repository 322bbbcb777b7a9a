"""One entry for arrays of pairs: `analyse_pairs(a, b)`, row k of `a` against row k of `b`.

Pairs of hulls, of which nothing is known but their points: GJK for the distance, EPA for the depth, in batches.

SAT over all faces and edge pairs would need topologies that Qhull takes longer to find than both algorithms to
answer, and (vertices of A) times (vertices of B) axes. The bounds of GJK and EPA say which answers are certified;
pairs where rounding left a gap, at most some in a thousand in the hard families of the tests, go to the
single algorithms one by one. In single precision the gap stays.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec.structs import replace
from numpy.typing import DTypeLike

from ..geometry.tolerances import CERTIFIED
from ..geometry.vector import Array
from ..gjk.gjk_epa import signed_distance
from ..pair.support import Difference, Points
from .answers import (
    Answers,
    Boxes,
    Found,
    Hulls,
    Positive,
    Reals,
    Scale,
    Spheres,
    axes_of,
    chunks,
    columns,
    dots,
    lengths,
    sphere_box,
    sphere_sphere,
)
from .boxes import BoxPairs, BoxSat, box_distances, box_sat
from .epa import epa
from .gjk import PointClouds, gjk


def hull_pairs(a: Hulls, b: Hulls, part: slice, real: DTypeLike) -> tuple[Found, Scale]:
    """The answers about the pairs of a slice, and their scale, in the precision `real`."""
    offsets = b.positions[part].astype(real) - a.positions[part].astype(real)
    local_a, local_b = (np.ascontiguousarray(hulls.points[part].transpose(2, 0, 1), dtype=real) for hulls in (a, b))
    placed_a, placed_b = _turned(a.rotations[part], local_a), _turned(b.rotations[part], local_b)
    clouds = PointClouds(placed_a, placed_b + offsets.T[:, :, None])
    scale = Scale.of(
        np.ascontiguousarray(offsets.T),
        *(lengths(points).max(axis=1) for points in (local_a, local_b)),
        *(0.5 * (points.max(axis=2) - points.min(axis=2)).max(axis=0) for points in (local_a, local_b)),
    )
    found = gjk_and_epa(clouds, offsets, scale)
    if real is not np.float64:
        return found, scale
    for row in np.flatnonzero(found.gaps > np.maximum(scale.rounding, 0.1 * CERTIFIED * scale.larger)).tolist():
        _settle(clouds, offsets, scale, found, row)
    return found, scale


def gjk_and_epa(clouds: PointClouds, offsets: Reals, scale: Scale) -> Found:
    """GJK for all pairs, EPA for those it does not prove apart; `offsets` (m, 3): B less A."""
    apart = gjk(clouds, offsets, scale)
    separations, normals, gaps = apart.upper.copy(), apart.normals.T.copy(), apart.upper - apart.lower
    meeting = np.flatnonzero(apart.overlapping | (apart.lower <= 0.0))
    if len(meeting):
        # What a polytope needs grows slowly with the bodies' vertices; the room for it is paid for when it is cleared.
        room = 28 + (clouds.points_a.shape[2] + clouds.points_b.shape[2]) // 4
        deep = epa(clouds.take(meeting), apart.simplices[meeting], apart.counts[meeting], scale.take(meeting), room)
        # An upper bound below 0 proves the bodies apart, by the distance GJK knows.
        inside = (deep.upper >= 0.0) | apart.overlapping[meeting]
        rows = meeting[inside]
        separations[rows], normals[:, rows] = -deep.upper[inside], deep.normals[inside].T
        gaps[rows] = (deep.upper - deep.lower)[inside]
        outside = meeting[~inside]
        normals[:, outside] = deep.normals[~inside].T
        gaps[outside] = separations[outside] + deep.upper[~inside]
    return Found(separations, normals, gaps, np.zeros(len(separations), dtype=np.bool_))


def _settle(clouds: PointClouds, offsets: Reals, scale: Scale, found: Found, row: int) -> None:
    """Asks the single algorithms about one pair."""
    a, b = (Points(np.ascontiguousarray(points[:, row].T)) for points in (clouds.points_a, clouds.points_b))
    answer = signed_distance(Difference(a, b, offsets[row], float(scale.larger[row]), float(scale.extents[row])))
    found.separations[row], found.normals[:, row] = answer.separation, answer.normal
    found.gaps[row] = answer.upper - answer.lower


def _turned(rotations: Array, points: Reals) -> Reals:
    """Points (3, m, k) of the bodies' frames, turned into the world's about each body's position."""
    axes = axes_of(rotations, points.dtype)
    return np.stack([dots(axes[:, k, :, None], points) for k in range(3)])


Bodies = Boxes | Spheres | Hulls

CHUNK = 2048
"""Pairs at once: their arrays stay in the processor's caches. Hulls' polytopes need some ten kilobytes each."""

Kernel = Callable[[slice], tuple[Found, Scale]]


def analyse_pairs(a: Bodies, b: Bodies, *, positive: Positive = Positive.DISTANCE, single: bool = False) -> Answers:
    """Verdict, separation and normal of each pair of rows: boxes, spheres, a sphere and a box, or hulls.

    The answers are those of `analyse(scene)` pair by pair, to tolerances.AGREEMENT (L + |T|); of normals that tie,
    either may come. `positive`: what the number of boxes apart means, see there. Spheres always give the distance,
    hulls too. `single`: everything in single precision, from the rounded sizes, positions and rotations on; the
    answers are float32 numbers in float64 arrays, and the bands are those of single precision. Time grows with the
    number of pairs, memory beyond the answers not at all.

    Raises TypeError for other combinations, ValueError for two arrays of different length.
    """
    if len(a) != len(b):
        raise ValueError(f"expected as many bodies B as A, got {len(b)} and {len(a)}")
    real = np.float32 if single else np.float64
    if isinstance(a, Boxes) and isinstance(b, Boxes):
        return _in_chunks(len(a), lambda part: _boxes(a, b, part, positive, real))
    if isinstance(a, Spheres) and isinstance(b, Spheres):
        return _in_chunks(len(a), lambda part: _spheres(a, b, part, real))
    if isinstance(a, Spheres) and isinstance(b, Boxes):
        return _in_chunks(len(a), lambda part: _sphere_and_box(a, b, part, real))
    if isinstance(a, Boxes) and isinstance(b, Spheres):
        return _in_chunks(len(a), lambda part: _swapped(_sphere_and_box(b, a, part, real)))
    if isinstance(a, Hulls) and isinstance(b, Hulls):
        return _in_chunks(len(a), lambda part: hull_pairs(a, b, part, real))
    raise TypeError(f"no batch for {type(a).__name__} against {type(b).__name__}")


def _in_chunks(count: int, kernel: Kernel) -> Answers:
    answers = Answers.blank(count)
    for part in chunks(count, CHUNK):
        answers.fill(part, *kernel(part))
    return answers


def _swapped(answer: tuple[Found, Scale]) -> tuple[Found, Scale]:
    found, scale = answer
    return replace(found, normals=-found.normals), scale


def _offsets(a: Bodies, b: Bodies, part: slice, real: DTypeLike) -> Reals:
    offsets: Reals = columns(b.positions[part], real) - columns(a.positions[part], real)
    return offsets


def _spheres(a: Spheres, b: Spheres, part: slice, real: DTypeLike) -> tuple[Found, Scale]:
    offsets, radii_a, radii_b = _offsets(a, b, part, real), a.radii[part].astype(real), b.radii[part].astype(real)
    return sphere_sphere(radii_a, radii_b, offsets), Scale.of(offsets, radii_a, radii_b, radii_a, radii_b)


def _sphere_and_box(a: Spheres, b: Boxes, part: slice, real: DTypeLike) -> tuple[Found, Scale]:
    offsets, radii = _offsets(a, b, part, real), a.radii[part].astype(real)
    half = 0.5 * columns(b.sizes[part], real)
    found = sphere_box(radii, offsets, half, axes_of(b.rotations[part], real))
    return found, Scale.of(offsets, radii, lengths(half), radii, half.max(axis=0))


def _boxes(a: Boxes, b: Boxes, part: slice, positive: Positive, real: DTypeLike) -> tuple[Found, Scale]:
    half_a, half_b = (0.5 * columns(boxes.sizes[part], real) for boxes in (a, b))
    axes_a, axes_b = (axes_of(boxes.rotations[part], real) for boxes in (a, b))
    pairs = BoxPairs.of(half_a, half_b, axes_a, axes_b, _offsets(a, b, part, real))
    scale = pairs.scale()
    return box_answers(pairs, scale, positive), scale


def box_answers(pairs: BoxPairs, scale: Scale, positive: Positive) -> Found:
    """SAT for all pairs, and the distance for those apart.

    For a bound only where a gap within the touching band leaves the verdict open.
    """
    sat = box_sat(pairs, scale)
    apart = sat.separations > 0.0
    found = Found(sat.separations, sat.normals, np.zeros_like(sat.separations), apart & (positive is Positive.BOUND))
    asked = np.flatnonzero(apart if positive is Positive.DISTANCE else apart & (sat.separations <= scale.bands))
    if len(asked):
        some = BoxSat(sat.separations[asked], sat.normals[:, asked], sat.winners[asked])
        distances = box_distances(pairs.take(asked), some, scale.take(asked))
        found.separations[asked], found.normals[:, asked] = distances.separations, distances.normals
        found.gaps[asked], found.lower_bounds[asked] = distances.gaps, False
    return found
