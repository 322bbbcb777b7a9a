"""Records of arrays: the bodies, the answers, and the scale of each pair, of which its tolerances are shares.

Bodies are given as rows of sizes, positions and rotations. They are checked once, and passed to the kernels in chunks
of columns. Here are also the closed forms of two spheres, and of a sphere and a box, for many pairs (for one pair:
core/closed_form).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from reprlib import repr as shortened
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, DTypeLike, NDArray

from ..geometry.tolerances import EPS, ROUNDING, TOUCHING
from ..geometry.vector import Array
from ..naming import old_name
from ..pair.pair import TooLargeError
from ..verdict import Verdict

Reals = NDArray[Any]
"""An array of floats in single or double precision."""

Codes = NDArray[np.int8]

VERDICTS = tuple(Verdict)
"""Verdicts by their codes: 0 SEPARATED, 1 TOUCHING, 2 OVERLAPPING."""


class Positive(StrEnum):
    """The meaning of a positive separation. A negative one is always minus the depth."""

    BOUND = "bound"
    """The largest gap over SAT's axes, a lower bound of the distance: cheaper, and enough for the verdict."""
    DISTANCE = "distance"


class PairError(RuntimeError):
    """The analysis of one pair failed: by a fault of this library, or because the pair is too large.

    `row`: the pair's row; the cause is the exception.
    """

    def __init__(self, row: int, cause: BaseException | None) -> None:
        fault = f"the analysis failed because of a fault ({type(cause).__name__}: {cause})"
        super().__init__(f"row {row}: {cause if isinstance(cause, TooLargeError) else fault}")
        self.row = row


class OfRow:
    """A context manager for the analysis of one pair: turns an exception into a PairError with the pair's row."""

    __slots__ = ("_row",)

    def __init__(self, row: int) -> None:
        self._row = row

    def __enter__(self) -> None:
        """Does nothing."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Exception):
            raise PairError(self._row, error) from error


class Answers(Struct, frozen=True, eq=False):
    """The answers about n pairs, one row for each, world frame, scene units.

    `verdicts` (n,): codes, see VERDICTS. `separations` (n,): signed. `normals` (n, 3): unit, from A to B, of the
    separations. `bands` (n,): half widths of the touching bands. `gaps` (n,): the largest possible difference of the
    true signed distances from `separations`; 0 if the two bounds met to rounding, and for a lower bound. `lower_bounds`
    (n,): True if the separation is only a lower bound of the distance.

    `witnesses_a`, `witnesses_b` (n, 3): on the surfaces of A and B, `|b - a| = |separation|` except for the gap. They
    are the nearest points of bodies apart, the deepest points of bodies that overlap. If a whole patch of points is
    equally near, they are any pair of it, not its middle. NaN for a lower bound, which has no points. `vectorised`
    (n,): True if a kernel answered many pairs at once, False if the single algorithms answered, as in `core.distance`.
    """

    verdicts: Codes
    separations: Array
    normals: Array
    bands: Array
    gaps: Array
    lower_bounds: NDArray[np.bool_]
    witnesses_a: Array
    witnesses_b: Array
    vectorised: NDArray[np.bool_]

    points_a = old_name("witnesses_a")
    points_b = old_name("witnesses_b")

    def __len__(self) -> int:
        return len(self.separations)

    def verdict(self, pair: int) -> Verdict:
        """The verdict of one pair."""
        return VERDICTS[int(self.verdicts[pair])]

    @staticmethod
    def blank(count: int) -> Answers:
        """Answers with `count` rows to be filled: NaN, 0 or False."""
        return Answers(
            verdicts=np.zeros(count, dtype=np.int8),
            separations=np.full(count, np.nan),
            normals=np.full((count, 3), np.nan),
            bands=np.zeros(count),
            gaps=np.zeros(count),
            lower_bounds=np.zeros(count, dtype=np.bool_),
            witnesses_a=np.full((count, 3), np.nan),
            witnesses_b=np.full((count, 3), np.nan),
            vectorised=np.zeros(count, dtype=np.bool_),
        )

    def place(self, rows: NDArray[np.intp], answers: Answers) -> None:
        """Writes answers about k pairs into the rows `rows` (k,)."""
        for name in self.__struct_fields__:
            getattr(self, name)[rows] = getattr(answers, name)

    def fill(self, rows: slice, found: Found, scale: Scale, origins: Reals) -> None:
        """Writes a chunk's answers into `rows`, with verdicts from the separations. `origins` (3, m): A's positions."""
        separations = found.separations
        self.verdicts[rows] = (separations <= scale.bands).astype(np.int8) + (separations < -scale.bands)
        self.separations[rows] = separations
        self.normals[rows] = found.normals.T
        self.bands[rows] = scale.bands
        self.gaps[rows] = np.where(found.gaps > scale.rounding, found.gaps, 0.0)
        self.lower_bounds[rows] = found.lower_bounds
        self.vectorised[rows] = True
        if found.witnesses_a is not None and found.witnesses_b is not None:
            self.witnesses_a[rows] = (origins + found.witnesses_a).T
            self.witnesses_b[rows] = (origins + found.witnesses_b).T


class Found(Struct, frozen=True, eq=False):
    """A chunk's answers: `separations` (m,), `normals` (3, m), `gaps` (m,), `lower_bounds` (m,), as in Answers.

    `witnesses_a`, `witnesses_b` (3, m): the witness points, relative to A's position, world axes; None if not computed.
    """

    separations: Reals
    normals: Reals
    gaps: Reals
    lower_bounds: NDArray[np.bool_]
    witnesses_a: Reals | None = None
    witnesses_b: Reals | None = None


class Scale(Struct, frozen=True, eq=False):
    """The scale of each pair, all (m,).

    `extents`: L + |T|; `largest_radius`: L; `bands`: half widths of the touching bands; `rounding`: the rounding error
    of a projection. All tolerances are as for one pair (core/pair/pair.py), those of rounding scaled to the precision
    of the arrays.
    """

    extents: Reals
    largest_radius: Reals
    bands: Reals
    rounding: Reals

    @staticmethod
    def of(offsets: Reals, radii_a: Reals, radii_b: Reals, half_a: Reals, half_b: Reals) -> Scale:
        """The scale from `offsets` (3, m), B's position minus A's, bounding radii and largest half extents (m,)."""
        larger = np.maximum(radii_a, radii_b)
        extents = larger + lengths(offsets)
        spacing = float(np.finfo(extents.dtype).eps) / EPS
        rounding = extents * (ROUNDING * spacing)
        # A point has no size: the other body's is used.
        smaller = np.minimum(half_a, half_b)
        smaller = np.where(smaller > 0.0, smaller, np.maximum(half_a, half_b))
        bands = np.maximum(smaller * TOUCHING, rounding)
        return Scale(extents, larger, bands, rounding)

    def take(self, pairs: NDArray[np.intp]) -> Scale:
        """The scale of the pairs with the numbers `pairs` (m,) only."""
        return Scale(self.extents[pairs], self.largest_radius[pairs], self.bands[pairs], self.rounding[pairs])


def lengths(columns: Reals) -> Reals:
    """Lengths (...) of vectors (3, ...)."""
    out: Reals = np.sqrt(dots(columns, columns))
    return out


def dots(p: Reals, q: Reals) -> Reals:
    """Scalar products (...) of vectors (3, ...)."""
    products = p * q
    out: Reals = products[0] + products[1]
    out += products[2]
    return out


_TURNING = np.array((1, 2, 0, 1))


def crosses(p: Reals, q: Reals) -> Reals:
    """Vector products (3, ...) of vectors (3, ...)."""
    # Rows 0 to 2 of the copies are y, z, x, and rows 1 to 3 are z, x, y.
    p, q = p.take(_TURNING, axis=0), q.take(_TURNING, axis=0)
    out: Reals = p[:3] * q[1:]
    out -= p[1:] * q[:3]
    return out


def sphere_sphere(radii_a: Reals, radii_b: Reals, offsets: Reals) -> Found:
    """The answers for spheres against spheres. `radii_a`, `radii_b` (m,). `offsets` (3, m): B's position minus A's.

    If the centres coincide, the normal is +x.
    """
    apart = lengths(offsets)
    known = apart > 0.0
    normals = offsets / np.where(known, apart, 1)
    normals[0] += ~known
    return _exact(apart - radii_a - radii_b, normals)


def sphere_box(radii: Reals, offsets: Reals, half: Reals, axes: Reals) -> Found:
    """The answers for spheres A against boxes B.

    `radii` (m,). `offsets` (3, m): B's position minus A's. `half` (3, m): the boxes' half extents. `axes` (3 axes, 3,
    m): their axes, world. For a centre inside the box, the normal is minus the outward normal of the nearest face. Of
    equally near faces the lowest axis counts, of two opposite faces the positive one.
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
    outward = np.zeros_like(half)
    outward[face, columns] = np.where(local[face, columns] >= 0.0, 1, -1)
    towards = np.where(outside, beyond / np.where(outside, apart, 1), outward)
    distances = np.where(outside, apart, -ways_out[face, columns])
    normals = -dots(axes, towards[:, None])
    return _exact(distances - radii, normals)


def _exact(separations: Reals, normals: Reals) -> Found:
    return Found(separations, normals, np.zeros_like(separations), np.zeros(len(separations), dtype=np.bool_))


STRETCH = 1e-6
"""A rotation matrix is refused if a scalar product of its columns differs by more than this from 1 or 0."""


def _rows(name: str, values: ArrayLike, shape: tuple[int | None, ...]) -> Array:
    """The values as a float64 array. Raises ValueError unless all are finite and it has this shape (None: any size)."""
    wanted = ", ".join("n" if size is None else str(size) for size in shape)
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name}: expected numbers of shape ({wanted}), got {shortened(values)}") from None
    if array.ndim != len(shape) or any(w is not None and w != s for w, s in zip(shape, array.shape, strict=True)):
        raise ValueError(f"{name}: expected shape ({wanted}), got {array.shape}")
    # A finite sum proves that all terms are finite; if it overflows, every term is tested.
    with np.errstate(over="ignore", invalid="ignore"):
        finite = bool(np.isfinite(array.sum()))
    if not finite and not np.isfinite(array).all():
        raise ValueError(f"{name}: expected finite numbers")
    return array


def _rotations(name: str, values: ArrayLike, count: int) -> Array:
    """Returns quaternions (n, 4) or matrices (n, 3, 3) as an array. Raises ValueError if one is no rotation.

    A quaternion is scaled by a power of two, which changes no digit of the rotation: then no square of a component
    overflows, and not all of them vanish, also in single precision. A mirrored, skewed or scaled matrix is no rotation.
    """
    if np.ndim(values) == 2:
        quaternions = _rows(name, values, (count, 4))
        largest = np.abs(quaternions).max(axis=1, initial=0.0)
        if not largest.all():
            raise ValueError(f"{name}: a quaternion of length zero is no rotation")
        scaled: Array = np.ldexp(quaternions, -np.frexp(largest)[1][:, None])
        return scaled
    matrices = _rows(name, values, (count, 3, 3))
    for part in chunks(count, 65536):
        x, y, z = columns(matrices[part], np.float64).swapaxes(0, 1)
        lengths_off = max(float(np.abs(dots(axis, axis) - 1.0).max(initial=0.0)) for axis in (x, y, z))
        skew = max(float(np.abs(dots(p, q)).max(initial=0.0)) for p, q in ((x, y), (y, z), (z, x)))
        if max(lengths_off, skew) > STRETCH or (dots(crosses(x, y), z) < 0.0).any():
            raise ValueError(f"{name}: a matrix is no rotation")
    return matrices


def _positive(name: str, values: Array) -> Array:
    if len(values) and not values.min() > 0.0:
        raise ValueError(f"{name}: expected numbers above 0")
    return values


def chunks(count: int, size: int) -> Iterator[slice]:
    """Consecutive slices of at most `size` rows."""
    return (slice(start, min(start + size, count)) for start in range(0, count, size))


def columns(rows: Reals, dtype: DTypeLike) -> Reals:
    """The rows (m, ...) as columns (..., m): the last axis is the pair, and each coordinate is contiguous."""
    return np.ascontiguousarray(np.moveaxis(rows, 0, -1), dtype=dtype)


def axes_of(rotations: Reals, dtype: DTypeLike) -> Reals:
    """Body axes (3 axes, 3 components, m) in the world, of quaternions (m, 4) or of matrices (m, 3, 3).

    A matrix has the axes as its columns.
    """
    if rotations.ndim == 3:
        return np.ascontiguousarray(rotations.transpose(2, 1, 0), dtype=dtype)
    w, x, y, z = columns(rotations, dtype)
    s = 2.0 / (w * w + x * x + y * y + z * z)
    xx, yy, zz = s * x * x, s * y * y, s * z * z
    xy, xz, yz = s * x * y, s * x * z, s * y * z
    wx, wy, wz = s * w * x, s * w * y, s * w * z
    return np.stack(
        (
            np.stack((1.0 - (yy + zz), xy + wz, xz - wy)),
            np.stack((xy - wz, 1.0 - (xx + zz), yz + wx)),
            np.stack((xz + wy, yz - wx, 1.0 - (xx + yy))),
        )
    )


@dataclass(frozen=True, eq=False, slots=True)
class Spheres:
    """Spheres: `radii` (n,), each > 0, and `positions` (n, 3), world.

    Raises ValueError for other values or arrays of other shapes.
    """

    radii: Array
    positions: Array

    def __post_init__(self) -> None:
        object.__setattr__(self, "radii", _positive("radii", _rows("radii", self.radii, (None,))))
        object.__setattr__(self, "positions", _rows("positions", self.positions, (len(self.radii), 3)))

    def __len__(self) -> int:
        return len(self.radii)


@dataclass(frozen=True, eq=False, slots=True)
class Boxes:
    """Boxes: `sizes` (n, 3) full edge lengths, each > 0, `positions` (n, 3), world, and `rotations`.

    `rotations`: quaternions (n, 4) as (w, x, y, z), of any length but zero, or matrices (n, 3, 3) whose columns are
    the boxes' axes. Raises ValueError for other values or arrays of other shapes.
    """

    sizes: Array
    positions: Array
    rotations: Array

    def __post_init__(self) -> None:
        object.__setattr__(self, "sizes", _positive("sizes", _rows("sizes", self.sizes, (None, 3))))
        object.__setattr__(self, "positions", _rows("positions", self.positions, (len(self.sizes), 3)))
        object.__setattr__(self, "rotations", _rotations("rotations", self.rotations, len(self.sizes)))

    def __len__(self) -> int:
        return len(self.sizes)


@dataclass(frozen=True, eq=False, slots=True)
class Hulls:
    """Convex hulls: `points` (n, k, 3), each body's frame, the same k >= 1 for all.

    `positions` (n, 3) and `rotations` as in `Boxes`. No topology is needed or built. Points inside the hull and
    repeated points are allowed. Points in one plane, line or place make bodies without volume. Raises ValueError for
    other values or arrays of other shapes.
    """

    points: Array
    positions: Array
    rotations: Array

    def __post_init__(self) -> None:
        points = _rows("points", self.points, (None, None, 3))
        if points.shape[1] < 1:
            raise ValueError("points: expected at least 1 a hull, got 0")
        object.__setattr__(self, "points", points)
        object.__setattr__(self, "positions", _rows("positions", self.positions, (len(points), 3)))
        object.__setattr__(self, "rotations", _rotations("rotations", self.rotations, len(points)))

    def __len__(self) -> int:
        return len(self.points)
