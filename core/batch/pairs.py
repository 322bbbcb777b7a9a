"""Passes arrays of pairs to their kernels, in chunks: boxes, spheres, a sphere and a box, hulls.

For pairs of hulls only the points are known. GJK computes the distance and EPA the depth, for many pairs at once. SAT
would need the topologies, which Qhull takes longer to find than both algorithms take to answer, and far more axes.

The bounds of GJK and EPA certify most answers. Pairs with a gap left by rounding are answered again by the single
algorithms, one by one; these are at most a few in a thousand in the hard families of the tests. In single precision the
gap remains.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import isfinite

import numpy as np
from msgspec.structs import replace
from numpy.typing import DTypeLike

from ..geometry.tolerances import CERTIFIED
from ..geometry.triple import triple
from ..geometry.vector import frozen
from ..gjk.gjk_epa import signed_distance
from ..pair.pair import LARGEST_EXTENT, TOO_LARGE, TooLargeError
from ..pair.support import Difference, Points
from .answers import (
    Answers,
    Boxes,
    Found,
    Hulls,
    OfRow,
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
from .boxes import BoxPairs, Frames, box_answers
from .epa import epa
from .gjk import PointClouds, gjk, heights

Bodies = Boxes | Spheres | Hulls

CHUNK = 8192
"""The pairs in a chunk. More would not save time for each pair, and hulls' polytopes need some kilobytes each."""

SMALL_HULLS = 32
"""The largest number of points of both hulls of a pair together for which a chunk has CHUNK pairs.

With more points a chunk has fewer pairs.
"""

KEPT = 1 << 24
"""The size of an array, bytes, after whose release glibc keeps up to twice as much memory for later arrays.

Otherwise each chunk's arrays return to the system and are fetched again page by page: boxes then take 50 % longer.
"""

Kernel = Callable[[slice], tuple[Found, Scale]]


def analyse_arrays(a: Bodies, b: Bodies, positive: Positive, real: DTypeLike) -> Answers:
    """The answers for arrays of equal length, in the precision `real`.

    Raises TypeError for a combination of arrays without a kernel, and PairError as `hull_pairs`.
    """
    match a, b:
        case Boxes(), Boxes():
            return _in_chunks(a, real, CHUNK, lambda part: _boxes(a, b, part, positive, real))
        case Spheres(), Spheres():
            return _in_chunks(a, real, CHUNK, lambda part: _spheres(a, b, part, real))
        case Spheres(), Boxes():
            return _in_chunks(a, real, CHUNK, lambda part: _sphere_and_box(a, b, part, real))
        case Boxes(), Spheres():
            return _in_chunks(a, real, CHUNK, lambda part: _box_and_sphere(a, b, part, real))
        case Hulls(), Hulls():
            points = max(SMALL_HULLS, a.points.shape[1] + b.points.shape[1])
            return _in_chunks(a, real, max(CHUNK * SMALL_HULLS // points, 1), lambda part: hull_pairs(a, b, part, real))
        case _:
            raise TypeError(f"no batch for {type(a).__name__} against {type(b).__name__}")


@cache
def _keep_memory() -> None:
    """Allocates and frees an array of KEPT bytes, once in a process. It is never written, so it uses no memory."""
    np.zeros(KEPT, dtype=np.int8)


def _in_chunks(a: Bodies, real: DTypeLike, size: int, kernel: Kernel) -> Answers:
    _keep_memory()
    answers = Answers.blank(len(a))
    for part in chunks(len(a), size):
        answers.fill(part, *kernel(part), columns(a.positions[part], real))
    return answers


def _answerable(scale: Scale, part: slice) -> Scale:
    """The scale of the pairs in the slice `part`.

    If a pair is too large, raises PairError with its row, caused by a TooLargeError. In single precision that is a pair
    whose extent is infinite.
    """
    extents = scale.extents.astype(np.float64)
    for row in np.flatnonzero(~(extents <= LARGEST_EXTENT)).tolist():
        in_single = "the bodies are too large or too far apart for single precision"
        with OfRow(part.start + row):
            raise TooLargeError(TOO_LARGE if scale.extents.dtype == np.float64 else in_single)
    return scale


def _offsets(a: Bodies, b: Bodies, part: slice, real: DTypeLike) -> Reals:
    offsets: Reals = columns(b.positions[part], real) - columns(a.positions[part], real)
    return offsets


def _spheres(a: Spheres, b: Spheres, part: slice, real: DTypeLike) -> tuple[Found, Scale]:
    offsets, radii_a, radii_b = _offsets(a, b, part, real), a.radii[part].astype(real), b.radii[part].astype(real)
    scale = _answerable(Scale.of(offsets, radii_a, radii_b, radii_a, radii_b), part)
    found = sphere_sphere(radii_a, radii_b, offsets)
    on_a, on_b = radii_a * found.normals, offsets - radii_b * found.normals
    return replace(found, witnesses_a=on_a, witnesses_b=on_b), scale


def _sphere_and_box(a: Spheres, b: Boxes, part: slice, real: DTypeLike) -> tuple[Found, Scale]:
    offsets, radii = _offsets(a, b, part, real), a.radii[part].astype(real)
    half = 0.5 * columns(b.sizes[part], real)
    scale = _answerable(Scale.of(offsets, radii, lengths(half), radii, half.max(axis=0)), part)
    found = sphere_box(radii, offsets, half, axes_of(b.rotations[part], real))
    # The sphere's centre and both witness points are on one line along the normal.
    on_a, on_b = radii * found.normals, (radii + found.separations) * found.normals
    return replace(found, witnesses_a=on_a, witnesses_b=on_b), scale


def _box_and_sphere(a: Boxes, b: Spheres, part: slice, real: DTypeLike) -> tuple[Found, Scale]:
    found, scale = _sphere_and_box(b, a, part, real)
    assert found.witnesses_a is not None
    assert found.witnesses_b is not None
    offsets = _offsets(a, b, part, real)
    on_a, on_b = offsets + found.witnesses_b, offsets + found.witnesses_a
    return replace(found, normals=-found.normals, witnesses_a=on_a, witnesses_b=on_b), scale


def _boxes(a: Boxes, b: Boxes, part: slice, positive: Positive, real: DTypeLike) -> tuple[Found, Scale]:
    half_a, half_b = (0.5 * columns(boxes.sizes[part], real) for boxes in (a, b))
    axes_a, axes_b = (axes_of(boxes.rotations[part], real) for boxes in (a, b))
    frames = Frames(axes_a, axes_b, _offsets(a, b, part, real))
    pairs = BoxPairs.of(half_a, half_b, frames)
    scale = _answerable(pairs.scale(), part)
    return box_answers(pairs, frames, scale, positive), scale


def hull_pairs(a: Hulls, b: Hulls, part: slice, real: DTypeLike) -> tuple[Found, Scale]:
    """Returns the answers about the pairs in the slice `part`, and their scale, in the precision `real`.

    In double precision, a pair whose gap is large is settled by the single algorithms. Raises PairError with the row
    of a pair for which they fail, or that is too large.
    """
    offsets = _offsets(a, b, part, real)
    local_a, local_b = (np.ascontiguousarray(hulls.points[part].transpose(2, 1, 0), dtype=real) for hulls in (a, b))
    axes_a, axes_b = axes_of(a.rotations[part], real), axes_of(b.rotations[part], real)
    count = local_a.shape[1]
    points = np.zeros((3, count + local_b.shape[1], len(offsets[0])), dtype=real)
    for k in range(3):
        points[k, :count] = heights(local_a, axes_a[:, k])
        np.negative(heights(local_b, axes_b[:, k]) + offsets[k], out=points[k, count:])
    clouds = PointClouds(points, count)
    scale = Scale.of(
        offsets,
        *(np.sqrt(dots(points, points).max(axis=0)) for points in (local_a, local_b)),
        *(_half_extents(points) for points in (local_a, local_b)),
    )
    scale = _answerable(scale, part)
    found = gjk_and_epa(clouds, offsets, scale)
    if real is not np.float64:
        return found, scale
    off = np.maximum(found.gaps, _misplaced(found))
    # NaN is not close, so such a pair is settled too.
    close = off <= np.maximum(scale.rounding, 0.1 * CERTIFIED * scale.largest_radius)
    for row in np.flatnonzero(~close).tolist():
        with OfRow(part.start + row):
            _settle(clouds, offsets[:, row], scale, found, row)
    return found, scale


def gjk_and_epa(clouds: PointClouds, offsets: Reals, scale: Scale) -> Found:
    """GJK for all pairs, EPA for those that GJK does not prove apart. `offsets` (3, m): B's position minus A's."""
    apart = gjk(clouds, offsets, scale)
    separations, normals, gaps = apart.upper.copy(), apart.normals.copy(), apart.upper - apart.lower
    numbers, weights = apart.numbers[:3].copy(), np.full_like(normals, np.nan)
    meeting = np.flatnonzero((apart.overlapping > 0) | (apart.lower <= 0.0))
    if len(meeting):
        # A polytope's number of vertices grows slowly with the bodies' numbers of points.
        room = 28 + clouds.points.shape[1] // 4
        start = (apart.simplices.take(meeting, axis=2), apart.counts[meeting])
        deep = epa(clouds.take(meeting), *start, scale.take(meeting), room, apart.numbers.take(meeting, axis=1))
        # An upper bound of the depth below 0 proves the bodies apart: GJK's distance stays the answer.
        inside = (deep.upper >= 0.0) | (apart.overlapping[meeting] > 0)
        rows = meeting[inside]
        separations[rows], normals[:, rows] = -deep.upper[inside], deep.normals[:, inside]
        gaps[rows] = (deep.upper - deep.lower)[inside]
        outside = meeting[~inside]
        normals[:, outside] = deep.normals[:, ~inside]
        gaps[outside] = separations[outside] + deep.upper[~inside]
        numbers[:, rows], weights[:, rows] = deep.numbers[:, inside], deep.weights[:, inside]
    # The other witness points come from GJK's simplex: also for a difference without volume, which EPA leaves as NaN.
    rest = np.flatnonzero(np.isnan(weights[0]))
    numbers[:, rest], weights[:, rest] = apart.features(rest)
    lower_bounds = np.zeros(len(separations), dtype=np.bool_)
    return Found(separations, normals, gaps, lower_bounds, *clouds.sources(numbers, weights))


def _misplaced(found: Found) -> Reals:
    """The larger error (m,) of the witness points: of their distance, and of their distance along the normal.

    Both are compared with the separation.
    """
    assert found.witnesses_a is not None
    assert found.witnesses_b is not None
    ways = found.witnesses_b - found.witnesses_a
    too_far = np.abs(lengths(ways) - np.abs(found.separations))
    return np.asarray(np.maximum(too_far, np.abs(dots(ways, found.normals) - found.separations)))


def _settle(clouds: PointClouds, offset: Reals, scale: Scale, found: Found, row: int) -> None:
    """Replaces one pair's answer in `found` by that of the single algorithms. `offset` (3,): B's position minus A's.

    Raises OverflowError if the separation is not finite.
    """
    assert found.witnesses_a is not None
    assert found.witnesses_b is not None
    points = np.array(clouds.points[:, :, row].T, dtype=np.float64, order="C")
    a, b = Points(frozen(points[: clouds.count_a])), Points(frozen(-points[clouds.count_a :]))
    answer = signed_distance(
        Difference(a, b, triple(offset), float(scale.largest_radius[row]), float(scale.extents[row]))
    )
    if not isfinite(answer.separation):
        raise OverflowError("double precision has no such numbers")
    found.separations[row], found.normals[:, row] = answer.separation, answer.normal
    found.gaps[row] = answer.upper - answer.lower
    found.witnesses_a[:, row], found.witnesses_b[:, row] = answer.witness_a, answer.witness_b


def _half_extents(points: Reals) -> Reals:
    """Half of the largest extent (m,) of points (3, k, m) along the frame's axes; of two points half their distance."""
    if points.shape[1] == 2:
        return 0.5 * lengths(points[:, 1] - points[:, 0])
    halves: Reals = 0.5 * (points.max(axis=1) - points.min(axis=1)).max(axis=0)
    return halves
