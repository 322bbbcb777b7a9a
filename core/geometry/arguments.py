"""Checks the numbers that a caller passes, in any kind of row: returns floats, or raises an error with one sentence.

The public functions and records of the core check their arguments here, but for arrays of pairs (core.batch). Without
that, a size below zero or a coordinate that is no number would give a wrong answer without an error.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from math import isfinite
from reprlib import repr as shortened
from typing import Any, cast

import numpy as np

from .quaternion import Quaternion, from_matrix, norm, normalized
from .tolerances import EPS
from .triple import Triple
from .vector import Array, cross, cross_rows, dot

_PLAIN = {float}
UNIT_SLACK = 1e-15
"""A quaternion whose length differs from 1 by at most this is unit to its last places and kept unchanged."""

NEWTON_STEPS = 60
"""The most steps of Newton's iteration; a matrix with a determinant above FLATTENING takes at most about 40."""
FLATTENING = 1e-9
"""A matrix with entries about 1 is refused as a rotation if the size of its determinant is at most this."""
MATRIX_SLACK = 1e-6
"""A matrix is refused if an entry differs by more than this from the nearest rotation; float32 errors are 1e-7."""


def number(what: str, value: Any, *, positive: bool = False) -> float:
    """The value as a finite float, above 0 if `positive`. `what`: the value's name in errors.

    Raises ValueError for another number, TypeError for a value that is no number.
    """
    if type(value) is not float:
        value = floats(what, value, "a finite number", ()).item()
    if not isfinite(value) or (positive and value <= 0.0):
        raise ValueError(f"{what} must be a finite number{' above 0' if positive else ''}, got {value:g}")
    return cast("float", value)


def numbers(what: str, value: Any, count: int, *, positive: bool = False) -> tuple[float, ...]:
    """A row of `count` finite floats, each above 0 if `positive`. `what`: the row's name in errors.

    Raises ValueError for other numbers, TypeError for a value that holds no numbers.
    """
    found: tuple[float, ...] = value
    if type(value) is not tuple or len(value) != count or {*map(type, value)} != _PLAIN:
        found = tuple(floats(what, value, f"{count} finite numbers", (count,)).tolist())
    # A finite sum proves that all terms are finite.
    if (not isfinite(sum(found)) and not all(map(isfinite, found))) or (positive and min(found) <= 0.0):
        shown = ", ".join(f"{item:g}" for item in found)
        raise ValueError(f"{what} must be {count} finite numbers{' above 0' if positive else ''}, got ({shown})")
    return found


def three_numbers(what: str, value: Any, *, positive: bool = False) -> Triple:
    """Three finite floats, each above 0 if `positive`. Raises as `numbers`."""
    return cast("Triple", numbers(what, value, 3, positive=positive))


def point_rows(what: str, value: Any, width: int) -> tuple[tuple[float, ...], ...]:
    """Points of `width` floats each, finite or not, as tuples.

    `value`: rows, an array (n, width), or a mesh with `vertices`, such as trimesh's. `what`: the points' name in
    errors. Raises TypeError if they hold no numbers, ValueError for another width.
    """
    if type(value) is tuple and value and set(map(type, value)) == {tuple} and set(map(len, value)) == {width}:
        plain: tuple[tuple[float, ...], ...] = value
        if {*map(type, chain.from_iterable(plain))} == _PLAIN:
            return plain
    rows = getattr(value, "vertices", value)
    refusal = f"{what} must be rows of {width} numbers, got {shortened(value)}"
    found = _array(rows if isinstance(rows, np.ndarray) or not isinstance(rows, Iterable) else list(rows), refusal)
    if found.size and found.shape[1:] != (width,):
        raise ValueError(refusal)
    return tuple(map(tuple, found.tolist()))


def rotation(what: str, value: Any) -> Quaternion:
    """The unit quaternion of a rotation: four numbers (w, x, y, z) of any length but zero, or a matrix (3, 3).

    A unit quaternion keeps its digits. `what`: the rotation's name in errors. Raises ValueError for other numbers,
    TypeError for a value that holds no numbers.
    """
    if type(value) is not tuple and np.shape(value) == (3, 3):
        return rotation_of_matrix(what, value)
    w, x, y, z = found = cast("Quaternion", numbers(what, value, 4))
    if abs(norm(found) - 1.0) <= UNIT_SLACK:
        return found
    # Divided by the largest component first, so that tiny or huge ones do not leave the range of doubles.
    largest = max(map(abs, found))
    if largest == 0.0:
        raise ValueError(f"{what} must not be the zero quaternion")
    return normalized((w / largest, x / largest, y / largest, z / largest))


def rotation_of_matrix(what: str, value: Any) -> Quaternion:
    """The unit quaternion of a rotation matrix (3, 3), whose columns are the body's axes in the world.

    Raises ValueError for a matrix that stretches, shears or mirrors, TypeError for a value that holds no numbers.
    """
    matrix: Array = floats(what, value, "3 × 3 finite numbers", (3, 3))
    if np.abs(matrix).max() <= 2.0:  # also False if an entry is not finite
        nearest = nearest_orthogonal(matrix)
        if nearest is not None and determinant(nearest) > 0.0 and np.abs(matrix - nearest).max() <= MATRIX_SLACK:
            return from_matrix(nearest)
    raise ValueError(f"{what} must be a rotation: columns of unit length at right angles, right-handed")


def determinant(matrix: Array) -> float:
    """The determinant of a matrix (3, 3), by its cofactors."""
    return dot(matrix[0], cross(matrix[1], matrix[2]))


def nearest_orthogonal(matrix: Array) -> Array | None:
    """The orthogonal matrix (a rotation or its mirror image) nearest to a matrix (3, 3), to the last places.

    None if the size of the determinant is at most FLATTENING. Uses Newton's iteration for the orthogonal factor,
    `(M + M⁻ᵀ) / 2` (Higham 1986). A step halves a large singular value, and squares the distance from 1 of one near 1.
    The inverse's transpose is the matrix of cofactors divided by the determinant.
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
    """The value as a float64 array of one of `shapes`, finite or not. `what`: the value's name in errors.

    `expected`: the text of the errors about the right form. Raises TypeError if the value holds no numbers, such as a
    string, ValueError for another shape.
    """
    found = _array(value, f"{what} must be {expected}, got {shortened(value)}")
    if found.shape not in shapes:
        got = f"an array of shape {found.shape}" if found.shape else shortened(value)
        raise ValueError(f"{what} must be {expected}, got {got}")
    return found


def _array(value: Any, refusal: str) -> Array:
    """The value as an array; `refusal` is the text of both errors.

    Raises ValueError for rows of different lengths and for integers beyond doubles, TypeError for a value that holds no
    numbers.
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
