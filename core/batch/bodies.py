"""Arrays of bodies: sizes, positions and rotations in rows, checked once, handed out in chunks of columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from ..geometry.vector import Array
from .answers import Reals

STRETCH = 1e-6
"""A matrix whose columns are off unit length and right angles by more than this is refused, as in a scene file."""


def _rows(name: str, values: ArrayLike, shape: tuple[int | None, ...]) -> Array:
    """A float64 array of that shape (None: any), all finite; ValueError names what is wrong."""
    array = np.asarray(values, dtype=np.float64)
    wanted = ", ".join("n" if size is None else str(size) for size in shape)
    if array.ndim != len(shape) or any(w is not None and w != s for w, s in zip(shape, array.shape, strict=True)):
        raise ValueError(f"{name}: expected shape ({wanted}), got {array.shape}")
    # A sum is finite only if all terms are; overflowing sums are looked at once more, term by term.
    with np.errstate(over="ignore", invalid="ignore"):
        finite = bool(np.isfinite(array.sum()))
    if not finite and not np.isfinite(array).all():
        raise ValueError(f"{name}: expected finite numbers")
    return array


def _rotations(name: str, values: ArrayLike, count: int) -> Array:
    """Quaternions (n, 4) or matrices (n, 3, 3)."""
    if np.ndim(values) == 2:
        quaternions = _rows(name, values, (count, 4))
        if not np.einsum("ij,ij->i", quaternions, quaternions).all():
            raise ValueError(f"{name}: a quaternion of length zero is no rotation")
        return quaternions
    matrices = _rows(name, values, (count, 3, 3))
    for part in chunks(count, 65536):
        block = matrices[part]
        products = np.einsum("nki,nkj->nij", block, block)
        if (np.abs(products - np.eye(3)) > STRETCH).any() or (np.linalg.det(block) < 0.0).any():
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
    """Rows (m, ...) with the pairs last, (..., m), each coordinate contiguous."""
    return np.ascontiguousarray(np.moveaxis(rows, 0, -1), dtype=dtype)


def axes_of(rotations: Reals, dtype: DTypeLike) -> Reals:
    """Body axes (3 axes, 3 components, m) of quaternions (m, 4) or matrices (m, 3, 3) with the axes as columns."""
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
    """Spheres: `radii` (n,), each > 0, and `positions` (n, 3), world. Raises ValueError for anything else."""

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
    the boxes' axes. Raises ValueError for anything else.
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
    """Convex hulls: `points` (n, k, 3) in each body's frame, k >= 1 for all, `positions` and `rotations` as for Boxes.

    No topology is asked for or built: points inside the hull and doubled ones do no harm, and points that lie in one
    plane, line or place are bodies without volume. Raises ValueError for anything else.
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
