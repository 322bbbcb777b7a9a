"""Matrices (3, 3) as plain tuples, for loops that handle one at a time; their singular values and eigenvalues.

The singular values of a matrix M are found by rotations of its columns until these are perpendicular (Hestenes 1958).
With the product V of the rotations, the columns of `M V` are then as long as the singular values. The columns of V,
unit and perpendicular, are the axes along which M stretches. For a symmetric matrix without negative eigenvalues, these
are its eigenvalues and eigenvectors. Each rotation is Jacobi's, by the smaller of its two possible angles (Golub, Van
Loan: *Matrix Computations*, 8.5.2). Small values have as many correct digits as the columns (Demmel, Veselić: *Jacobi's
Method Is More Accurate than QR*, 1992). All digits are the same on every processor; LAPACK's are not.
"""

from __future__ import annotations

from math import sqrt

from .tolerances import EPS
from .triple import Triple, dot

Matrix = tuple[Triple, Triple, Triple]
"""Three rows."""

SWEEPS = 30
"""The most sweeps over all pairs of columns. The error squares with each sweep: more than six are rare."""


def transposed(m: Matrix) -> Matrix:
    """The transposed matrix."""
    (a, b, c), (d, e, f), (g, h, i) = m
    return ((a, d, g), (b, e, h), (c, f, i))


def times(m: Matrix, p: Triple) -> Triple:
    """The product of a matrix and a vector."""
    x, y, z = p
    (a, b, c), (d, e, f), (g, h, i) = m
    return (a * x + b * y + c * z, d * x + e * y + f * z, g * x + h * y + i * z)


def product(m: Matrix, n: Matrix) -> Matrix:
    """The product of two matrices."""
    columns = transposed(n)
    a, b, c = (times(columns, row) for row in m)
    return (a, b, c)


def outer(p: Triple, q: Triple) -> Matrix:
    """The matrix p qᵀ, which maps a vector v to (q·v) p."""
    (x, y, z), (u, v, w) = p, q
    return ((x * u, x * v, x * w), (y * u, y * v, y * w), (z * u, z * v, z * w))


def combined(factor: float, m: Matrix, other: float, n: Matrix) -> Matrix:
    """The matrix `factor` m + `other` n."""
    a, b, c = (
        (factor * x + other * u, factor * y + other * v, factor * z + other * w)
        for (x, y, z), (u, v, w) in zip(m, n, strict=True)
    )
    return (a, b, c)


def largest(m: Matrix) -> float:
    """The largest absolute value of the components."""
    return max(abs(component) for row in m for component in row)


def eigen_of_two(a: float, b: float, c: float) -> tuple[float, float, float, float]:
    """Eigenvalues of the symmetric matrix ((a, b), (b, c)).

    Returns the first eigenvalue, the second, and x and y of the first's unit eigenvector; the second's is (-y, x).
    """
    tangent, cosine, sine = jacobi_rotation(a, b, c)
    return a - tangent * b, c + tangent * b, cosine, -sine


def stretches_of(m: Matrix) -> tuple[Triple, Matrix]:
    """Returns the singular values of a matrix M, and the unit vectors along which M stretches by them, as rows.

    They are not sorted by size, but by the coordinate axes from which the rotations start.
    `|M n|² = Σ (value (row·n))²`.
    """
    columns, axes = list(transposed(m)), [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)]
    for _ in range(SWEEPS):
        still = True
        for p, q in ((0, 1), (0, 2), (1, 2)):
            first, second = columns[p], columns[q]
            a, b, c = dot(first, first), dot(first, second), dot(second, second)
            if abs(b) <= EPS * sqrt(a) * sqrt(c):
                continue
            still = False
            _, cosine, sine = jacobi_rotation(a, b, c)
            columns[p], columns[q] = _turned(first, second, cosine, sine)
            axes[p], axes[q] = _turned(axes[p], axes[q], cosine, sine)
        if still:
            break
    (u, v, w), (p0, p1, p2) = columns, axes
    return (sqrt(dot(u, u)), sqrt(dot(v, v)), sqrt(dot(w, w))), (p0, p1, p2)


def jacobi_rotation(a: float, b: float, c: float) -> tuple[float, float, float]:
    """Returns tangent, cosine and sine of the rotation that makes ((a, b), (b, c)) diagonal.

    The angle is at most an eighth of a turn.
    """
    if b == 0.0:
        return 0.0, 1.0, 0.0
    ratio = (c - a) / (2.0 * b)
    tangent = 1.0 / (abs(ratio) + sqrt(1.0 + ratio * ratio))
    if ratio < 0.0:
        tangent = -tangent
    cosine = 1.0 / sqrt(1.0 + tangent * tangent)
    return tangent, cosine, cosine * tangent


def _turned(p: Triple, q: Triple, cosine: float, sine: float) -> tuple[Triple, Triple]:
    (x, y, z), (u, v, w) = p, q
    return (
        (cosine * x - sine * u, cosine * y - sine * v, cosine * z - sine * w),
        (sine * x + cosine * u, sine * y + cosine * v, sine * z + cosine * w),
    )
