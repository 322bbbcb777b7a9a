"""Matrices of three rows: products, and the axes along which they stretch, held against whole fractions and LAPACK."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest

from core.geometry.arguments import determinant, nearest_orthogonal
from core.geometry.matrix import (
    Matrix,
    combined,
    eigen_of_two,
    largest,
    outer,
    product,
    stretches_of,
    times,
    transposed,
)
from core.geometry.tolerances import EPS


def _matrix(rows: np.ndarray) -> Matrix:
    a, b, c = ((x, y, z) for x, y, z in rows.tolist())
    return (a, b, c)


def _matrices() -> Iterator[Matrix]:
    """Random ones; nearly symmetric, nearly singular and nearly round ones; and what has whole numbers."""
    rng = np.random.default_rng(3)
    for number in range(120):
        rows = rng.normal(size=(3, 3))
        match number % 6:
            case 1:
                rows = np.eye(3) + 10.0 ** rng.uniform(-16.0, -1.0) * rows
            case 2:
                rows = rows @ np.diag(10.0 ** rng.uniform(-12.0, 0.0, 3))
            case 3:
                rows = np.outer(rows[0], rows[1]) + 10.0 ** rng.uniform(-16.0, -4.0) * rows
            case 4:
                rows = rows @ np.diag((1.0, 1.0, 1.0 + 10.0 ** rng.uniform(-16.0, -8.0))) @ rows.T
            case 5:
                rows = 10.0 ** rng.uniform(-60.0, 60.0) * rows
        yield _matrix(rows)
    yield _matrix(np.zeros((3, 3)))
    yield _matrix(np.eye(3))
    yield _matrix(np.ones((3, 3)))
    yield _matrix(np.diag((0.0, 2.0, -1.0)))


def test_products_are_those_of_numpy() -> None:
    rng = np.random.default_rng(4)
    m, n = rng.normal(size=(2, 3, 3))
    p, q = rng.normal(size=(2, 3))
    x, y, z = p.tolist()
    np.testing.assert_allclose(times(_matrix(m), (x, y, z)), m @ p, rtol=1e-15, atol=1e-15)
    np.testing.assert_allclose(product(_matrix(m), _matrix(n)), m @ n, rtol=1e-15, atol=1e-15)
    np.testing.assert_array_equal(transposed(_matrix(m)), m.T)
    np.testing.assert_allclose(combined(2.0, _matrix(m), -0.5, _matrix(n)), 2.0 * m - 0.5 * n, rtol=1e-15, atol=1e-15)
    u, v, w = q.tolist()
    np.testing.assert_array_equal(outer((x, y, z), (u, v, w)), p[:, None] * q)
    assert largest(_matrix(m)) == np.abs(m).max()


def test_the_axes_are_unit_and_perpendicular_and_stretched_so_much_to_perpendicular_ways() -> None:
    for matrix in _matrices():
        sizes, axes = stretches_of(matrix)
        m, v = np.array(matrix), np.array(axes)
        assert np.abs(v @ v.T - np.eye(3)).max() <= 16.0 * EPS
        images = m @ v.T
        scale = float(np.linalg.norm(m))
        np.testing.assert_allclose(np.linalg.norm(images, axis=0), sizes, rtol=0.0, atol=16.0 * EPS * scale)
        across = images.T @ images
        assert np.abs(across - np.diag(np.diag(across))).max() <= 32.0 * EPS * scale * scale
        np.testing.assert_allclose(sorted(sizes)[::-1], np.linalg.svd(m)[1], rtol=0.0, atol=16.0 * EPS * scale)


def test_small_values_have_all_their_digits() -> None:
    """Columns of any lengths: the product of all values is the determinant to its last places, however small one is."""
    rng = np.random.default_rng(5)
    for _ in range(40):
        matrix = _matrix(rng.normal(size=(3, 3)) * 10.0 ** rng.uniform(-12.0, 0.0, 3))
        a, b, c = ([Fraction(x) for x in row] for row in matrix)
        exact = abs(float(_determinant(a, b, c)))
        sizes, _ = stretches_of(matrix)
        condition = float(np.linalg.cond(np.array(matrix) / np.linalg.norm(matrix, axis=0)))
        assert abs(sizes[0] * sizes[1] * sizes[2] - exact) <= 16.0 * EPS * condition * exact


def _determinant(a: list[Fraction], b: list[Fraction], c: list[Fraction]) -> Fraction:
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0])


@pytest.mark.parametrize("spread", [1.0, 1e-3, 1e-8, 1e-15, 0.0])
def test_no_eigenvalue_is_told_too_large_by_more_than_rounding(spread: float) -> None:
    """Whole fractions tell whether a symmetric matrix less a number has none but positive eigenvalues (Sylvester)."""
    rng = np.random.default_rng(6)
    for _ in range(40):
        rows = np.diag(1.0 + spread * rng.normal(size=3)) @ np.linalg.qr(rng.normal(size=(3, 3)))[0]
        form = _matrix(rows.T @ rows)
        symmetric = combined(0.5, form, 0.5, transposed(form))
        least = min(stretches_of(symmetric)[0])
        rounding = 8.0 * EPS * largest(symmetric)
        assert _all_positive(symmetric, least - rounding)
        assert not _all_positive(symmetric, least + rounding)


def _all_positive(m: Matrix, shift: float) -> bool:
    a, b, c = ([Fraction(x) - (Fraction(shift) if i == k else 0) for k, x in enumerate(row)] for i, row in enumerate(m))
    return a[0] > 0 and a[0] * b[1] - a[1] * b[0] > 0 and _determinant(a, b, c) > 0


def test_two_rows_have_two_eigenvalues() -> None:
    rng = np.random.default_rng(7)
    samples = [*rng.normal(size=(40, 3)).tolist(), *(rng.normal(size=(20, 3)) * (1.0, 1e-15, 1.0)).tolist()]
    for a, b, c in (*samples, (2.0, 0.0, 2.0), (0.0, 1.0, 0.0), (1.0, 1.0, 1.0), (0.0, 0.0, 0.0), (1.0, 1e-300, 1.0)):
        first, second, x, y = eigen_of_two(a, b, c)
        scale = max(abs(a), abs(b), abs(c))
        assert abs(x * x + y * y - 1.0) <= 4.0 * EPS
        matrix = np.array(((a, b), (b, c)))
        for value, along in ((first, (x, y)), (second, (-y, x))):
            np.testing.assert_allclose(matrix @ along, value * np.array(along), rtol=0.0, atol=8.0 * EPS * scale)


def test_the_nearest_orthogonal_matrix_is_that_of_the_singular_vectors() -> None:
    rng = np.random.default_rng(9)
    for most in (0.0, 1.0, 2.5):
        for _ in range(60):
            # Singular values over `most` powers of ten; half of the matrices mirror.
            left, right = (np.linalg.qr(rng.normal(size=(3, 3)))[0] for _ in range(2))
            matrix = left * 10.0 ** -rng.uniform(0.0, most, 3) @ right
            nearest = nearest_orthogonal(matrix)
            assert nearest is not None
            u, _, v = np.linalg.svd(matrix)
            assert nearest == pytest.approx(u @ v, abs=1e-14 * 10.0**most)
            assert determinant(nearest) == pytest.approx(determinant(matrix) / abs(determinant(matrix)), abs=1e-14)
            matrix[2] = matrix[0] + matrix[1]
            assert nearest_orthogonal(matrix) is None
