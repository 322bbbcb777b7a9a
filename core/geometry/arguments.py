"""Checks of the numbers that a caller gives, in any kind of row: they become floats, or raise with one sentence.

Every public function and record of the core checks its arguments here: a size below zero or a coordinate that is no
number would otherwise give an answer that looks like a good one.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from reprlib import repr as shortened
from typing import Any, cast

import numpy as np

from .quaternion import Quaternion, from_matrix, norm, normalized
from .tolerances import EPS
from .vector import Array, cross, cross_rows, dot

Triple = tuple[float, float, float]

_PLAIN = {float}
UNIT_SLACK = 1e-15
"""A quaternion whose length is within this of 1 is unit to its last places and taken as it stands."""

NEWTON_STEPS = 60
"""The most steps; a matrix with a determinant above FLATTENING takes some 40."""
FLATTENING = 1e-9
"""A matrix of entries about 1 with no larger determinant is refused as a rotation."""
MATRIX_SLACK = 1e-6
"""A matrix farther than this (largest entry) from the nearest rotation is refused; float32 data is at 1e-7."""


def number(what: str, value: Any, *, positive: bool = False) -> float:
    """The value as a finite float, above 0 if `positive`. Raises ValueError that names the value by `what`."""
    if type(value) is not float:
        value = floats(what, value, "a finite number", ()).item()
    if not isfinite(value) or (positive and value <= 0.0):
        raise ValueError(f"{what} must be a finite number{' above 0' if positive else ''}, got {value:g}")
    return cast("float", value)


def numbers(what: str, value: Any, count: int, *, positive: bool = False) -> tuple[float, ...]:
    """A row of `count` finite floats, each above 0 if `positive`. Raises ValueError that names the row by `what`."""
    found: tuple[float, ...] = value
    if type(value) is not tuple or len(value) != count or {*map(type, value)} != _PLAIN:
        found = tuple(floats(what, value, f"{count} finite numbers", (count,)).tolist())
    # A sum is finite only if all terms are.
    if (not isfinite(sum(found)) and not all(map(isfinite, found))) or (positive and min(found) <= 0.0):
        shown = ", ".join(f"{item:g}" for item in found)
        raise ValueError(f"{what} must be {count} finite numbers{' above 0' if positive else ''}, got ({shown})")
    return found


def triple(what: str, value: Any, *, positive: bool = False) -> Triple:
    """Three finite floats, each above 0 if `positive`. Raises ValueError that names them by `what`."""
    return cast("Triple", numbers(what, value, 3, positive=positive))


def point_rows(what: str, value: Any, width: int) -> tuple[tuple[float, ...], ...]:
    """Points of `width` floats each, finite or not: rows, an array (n, width), or a mesh with `vertices` as trimesh's.

    Both errors name the points by `what`: TypeError if they hold no numbers, ValueError for another width.
    """
    if type(value) is tuple and value and set(map(type, value)) == {tuple} and set(map(len, value)) == {width}:
        return value
    rows = getattr(value, "vertices", value)
    refusal = f"{what} must be rows of {width} numbers, got {shortened(value)}"
    found = _array(rows if isinstance(rows, np.ndarray) or not isinstance(rows, Iterable) else list(rows), refusal)
    if found.size and found.shape[1:] != (width,):
        raise ValueError(refusal)
    return tuple(map(tuple, found.tolist()))


def rotation(what: str, value: Any) -> Quaternion:
    """The unit quaternion of a rotation: four numbers (w, x, y, z) of any length but zero, or a matrix (3, 3).

    A unit quaternion keeps its digits. Raises ValueError and TypeError that name the rotation by `what`.
    """
    if type(value) is not tuple and np.shape(value) == (3, 3):
        return rotation_of_matrix(what, value)
    w, x, y, z = found = cast("Quaternion", numbers(what, value, 4))
    if abs(norm(found) - 1.0) <= UNIT_SLACK:
        return found
    # Scaled by the largest component first, so that neither tiny nor huge ones leave the range of doubles.
    largest = max(map(abs, found))
    if largest == 0.0:
        raise ValueError(f"{what} must not be the zero quaternion")
    return normalized((w / largest, x / largest, y / largest, z / largest))


def rotation_of_matrix(what: str, value: Any) -> Quaternion:
    """The unit quaternion of a rotation matrix (3, 3), whose columns are the body's axes in the world.

    Raises ValueError for a matrix that stretches, shears or mirrors.
    """
    matrix: Array = floats(what, value, "3 × 3 finite numbers", (3, 3))
    if np.abs(matrix).max() <= 2.0:  # also False for what is not finite
        nearest = nearest_orthogonal(matrix)
        if nearest is not None and determinant(nearest) > 0.0 and np.abs(matrix - nearest).max() <= MATRIX_SLACK:
            return from_matrix(nearest)
    raise ValueError(f"{what} must be a rotation: columns of unit length at right angles, right-handed")


def determinant(matrix: Array) -> float:
    """The determinant of a matrix (3, 3), by its cofactors."""
    return dot(matrix[0], cross(matrix[1], matrix[2]))


def nearest_orthogonal(matrix: Array) -> Array | None:
    """The orthogonal matrix (a rotation or its mirror image) nearest to a matrix (3, 3), to the last places.

    None for a determinant of at most FLATTENING. Newton's iteration for the orthogonal factor, `(M + M⁻ᵀ) / 2` (Higham
    1986): a step halves a singular value that is large, and squares the distance from 1 of one that is near 1. The
    inverse's transpose is the cofactors over the determinant.
    """
    for _ in range(NEWTON_STEPS):
        of_all = determinant(matrix)
        if not abs(of_all) > FLATTENING:
            return None
        inverse = cross_rows(matrix[[1, 2, 0]], matrix[[2, 0, 1]]) / of_all
        matrix, before = 0.5 * (matrix + inverse), matrix
        if np.abs(matrix - before).max() <= EPS:
            break
    return matrix


def floats(what: str, value: Any, expected: str, *shapes: tuple[int, ...]) -> Array:
    """The value as an array of one of the shapes, finite or not.

    Both errors name the value by `what`: TypeError if it holds no numbers, like a text, ValueError for another shape.
    """
    found = _array(value, f"{what} must be {expected}, got {shortened(value)}")
    if found.shape not in shapes:
        got = f"an array of shape {found.shape}" if found.shape else shortened(value)
        raise ValueError(f"{what} must be {expected}, got {got}")
    return found


def _array(value: Any, refusal: str) -> Array:
    """The value as an array; `refusal` is the text of both errors.

    Raises ValueError for rows of different lengths and for whole numbers beyond doubles, TypeError for a value that
    holds no numbers.
    """
    try:
        given = np.asarray(value)
    except ValueError:
        raise ValueError(refusal) from None
    if given.dtype.kind not in "biufO" or (given.dtype.kind == "O" and None in given.ravel().tolist()):
        raise TypeError(refusal)
    try:
        return given.astype(np.float64)
    except OverflowError:
        raise ValueError(refusal) from None
    except (TypeError, ValueError):
        raise TypeError(refusal) from None
