"""Pairs of hulls, of which nothing is known but their points: GJK for the distance, EPA for the depth, in batches.

SAT over all faces and edge pairs would need topologies that Qhull takes longer to find than both algorithms to
answer, and (vertices of A) times (vertices of B) axes. The bounds of GJK and EPA say which answers are certified;
pairs where rounding left a gap, at most some in a thousand in the hard families of the tests, go to the
single algorithms one by one. In single precision the gap stays.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import DTypeLike

from ..geometry.tolerances import CERTIFIED
from ..geometry.vector import Array
from ..gjk.gjk_epa import signed_distance
from ..pair.support import Difference, Points
from .answers import Found, Reals, Scale, dots, lengths
from .bodies import Hulls, axes_of
from .epa import epa
from .gjk import gjk
from .nearest import PointClouds


def hull_pairs(a: Hulls, b: Hulls, part: slice, real: DTypeLike) -> tuple[Found, Scale]:
    """The answers about the pairs of a slice, and their scale, in the precision `real`."""
    offsets = b.positions[part].astype(real) - a.positions[part].astype(real)
    local_a, local_b = (np.ascontiguousarray(hulls.points[part].transpose(2, 0, 1), dtype=real) for hulls in (a, b))
    placed_a, placed_b = _turned(a.rotations[part], local_a), _turned(b.rotations[part], local_b)
    clouds = PointClouds(placed_a, placed_b + offsets.T[:, :, None])
    scale = Scale.of(
        np.ascontiguousarray(offsets.T),
        *(lengths(points).max(axis=1) for points in (local_a, local_b)),
        *(_half_extents(points) for points in (local_a, local_b)),
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
    answer = signed_distance(
        Difference(
            Points(np.ascontiguousarray(clouds.points_a[:, row].T)),
            Points(np.ascontiguousarray(clouds.points_b[:, row].T)),
            offsets[row],
            float(scale.larger[row]),
            float(scale.extents[row]),
        )
    )
    found.separations[row], found.normals[:, row] = answer.separation, answer.normal
    found.gaps[row] = answer.upper - answer.lower


def _half_extents(points: Reals) -> Reals:
    """Half of the largest extent (m,) of points (3, m, k) along the frame's axes; of two points half their distance."""
    if points.shape[2] == 2:
        return 0.5 * lengths(points[:, :, 1] - points[:, :, 0])
    halves: Reals = 0.5 * (points.max(axis=2) - points.min(axis=2)).max(axis=0)
    return halves


def _turned(rotations: Array, points: Reals) -> Reals:
    """Points (3, m, k) of the bodies' frames, turned into the world's about each body's position."""
    axes = axes_of(rotations, points.dtype)
    return np.stack([dots(axes[:, k, :, None], points) for k in range(3)])
