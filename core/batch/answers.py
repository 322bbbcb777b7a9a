"""What a batch answers, and the scale that each pair's tolerances are measured by.

Spheres against boxes and each other in closed form, for many pairs (the single ones: algorithms/closed_form).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ..geometry.tolerances import EPS, ROUNDING, TOUCHING
from ..geometry.vector import Array
from ..verdict import Verdict

Reals = NDArray[Any]
"""An array of floats whose precision the caller chose."""

Codes = NDArray[np.int8]

VERDICTS = tuple(Verdict)
"""Verdicts by their codes: 0 SEPARATED, 1 TOUCHING, 2 OVERLAPPING."""


class Positive(StrEnum):
    """What the number of two bodies that are apart means; of bodies that overlap it is minus the depth, always."""

    BOUND = "bound"
    """The largest gap over SAT's axes: the distance is at least that. Cheaper, and enough to know who meets."""
    DISTANCE = "distance"


class Answers(Struct, frozen=True, eq=False):
    """One row per pair, world space.

    `verdicts` (n,): codes, see VERDICTS. `separations` (n,): signed. `normals` (n, 3): unit, from A to B, along which
    the separation was found. `bands` (n,): half widths of the touching bands. `gaps` (n,): the true signed distance
    is no farther from `separation` than this; 0 where the two bounds met to rounding. `lower_bounds` (n,): True where
    the number is no distance but a lower bound of it.
    """

    verdicts: Codes
    separations: Array
    normals: Array
    bands: Array
    gaps: Array
    lower_bounds: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.separations)

    def verdict(self, pair: int) -> Verdict:
        """The verdict of one pair."""
        return VERDICTS[int(self.verdicts[pair])]

    @staticmethod
    def blank(count: int) -> Answers:
        """Rows to be filled, chunk by chunk."""
        return Answers(
            np.zeros(count, dtype=np.int8),
            np.full(count, np.nan),
            np.full((count, 3), np.nan),
            np.zeros(count),
            np.zeros(count),
            np.zeros(count, dtype=np.bool_),
        )

    def fill(self, rows: slice, found: Found, scale: Scale) -> None:
        """Writes a chunk's answers; the verdicts follow from the separations."""
        separations = found.separations
        self.verdicts[rows] = (separations <= scale.bands).astype(np.int8) + (separations < -scale.bands)
        self.separations[rows] = separations
        self.normals[rows] = found.normals.T
        self.bands[rows] = scale.bands
        self.gaps[rows] = np.where(found.gaps > scale.rounding, found.gaps, 0.0)
        self.lower_bounds[rows] = found.lower_bounds


class Found(Struct, frozen=True, eq=False):
    """A chunk's answers: `separations` (m,), `normals` (3, m), `gaps` (m,), `lower_bounds` (m,), as in Answers."""

    separations: Reals
    normals: Reals
    gaps: Reals
    lower_bounds: NDArray[np.bool_]


class Scale(Struct, frozen=True, eq=False):
    """Per pair: `extents` L + |T|, `larger` L, `bands`: half widths of the touching bands, all (m,).

    `rounding` (m,): what a projection may be off by. The same fractions as for one pair (core/pair/pair.py),
    counted in the spacing of the arrays' own precision.
    """

    extents: Reals
    larger: Reals
    bands: Reals
    rounding: Reals

    @staticmethod
    def of(offsets: Reals, radii_a: Reals, radii_b: Reals, half_a: Reals, half_b: Reals) -> Scale:
        """`offsets` (3, m): B less A; bounding radii and largest half extents of the bodies (m,)."""
        larger = np.maximum(radii_a, radii_b)
        extents = larger + lengths(offsets)
        spacing = float(np.finfo(extents.dtype).eps) / EPS
        rounding = extents * (ROUNDING * spacing)
        # A point has no size: the other body's counts.
        smaller = np.where((half_a > 0.0) & (half_b > 0.0), np.minimum(half_a, half_b), np.maximum(half_a, half_b))
        bands = np.maximum(smaller * TOUCHING, rounding)
        return Scale(extents, larger, bands, rounding)

    def take(self, pairs: NDArray[np.intp]) -> Scale:
        """Some of the pairs."""
        return Scale(self.extents[pairs], self.larger[pairs], self.bands[pairs], self.rounding[pairs])


def lengths(columns: Reals) -> Reals:
    """Lengths (...) of vectors (3, ...)."""
    x, y, z = columns
    out: Reals = np.sqrt(x * x + y * y + z * z)
    return out


def dots(p: Reals, q: Reals) -> Reals:
    """Scalar products (...) of vectors (3, ...)."""
    out: Reals = p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
    return out


def crosses(p: Reals, q: Reals) -> Reals:
    """Vector products (3, ...) of vectors (3, ...)."""
    return np.stack((p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]))


def sphere_sphere(radii_a: Reals, radii_b: Reals, offsets: Reals) -> Found:
    """`offsets` (3, m): B less A. With coincident centres every direction is as good as any other; +x is taken."""
    apart = lengths(offsets)
    known = apart > 0.0
    normals = offsets / np.where(known, apart, 1)
    normals[0] += ~known
    return _exact(apart - radii_a - radii_b, normals)


def sphere_box(radii: Reals, offsets: Reals, half: Reals, axes: Reals) -> Found:
    """From spheres to boxes with half extents (3, m) and axes (3 axes, 3, m); `offsets` (3, m): box less sphere.

    A centre inside the box leaves through the nearest face; of equally near ones through that of the lowest axis, and
    of two opposite ones through the positive one.
    """
    local = -dots(axes.swapaxes(0, 1), offsets[:, None])
    beyond = local - np.clip(local, -half, half)
    apart = lengths(beyond)
    outside = apart > 0.0
    ways_out = half - np.abs(local)
    spacing = float(np.finfo(half.dtype).eps) / EPS
    nearest = ways_out <= ways_out.min(axis=0) + (ROUNDING * spacing) * half.max(axis=0)
    face = np.argmax(nearest, axis=0)
    columns = np.arange(len(radii))
    inward = np.zeros_like(half)
    inward[face, columns] = np.where(local[face, columns] >= 0.0, 1, -1)
    towards = np.where(outside, beyond / np.where(outside, apart, 1), inward)
    distances = np.where(outside, apart, -ways_out[face, columns])
    normals = -dots(axes, towards[:, None])
    return _exact(distances - radii, normals)


def _exact(separations: Reals, normals: Reals) -> Found:
    return Found(separations, normals, np.zeros_like(separations), np.zeros(len(separations), dtype=np.bool_))
