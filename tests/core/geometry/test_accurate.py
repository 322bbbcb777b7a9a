"""Area vectors of slivers, against exact fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from core.geometry.vector import area_vectors


def _exact(a: list[float], b: list[float], c: list[float]) -> list[float]:
    u = [Fraction(q) - Fraction(p) for p, q in zip(a, b, strict=True)]
    v = [Fraction(q) - Fraction(p) for p, q in zip(a, c, strict=True)]
    return [float(u[k - 2] * v[k - 1] - u[k - 1] * v[k - 2]) for k in range(3)]


def test_slivers_keep_their_normal_to_the_last_places() -> None:
    generator = np.random.default_rng(0)
    a = generator.normal(size=(500, 3))
    b = a + generator.normal(size=(500, 3))
    thin = 10.0 ** generator.uniform(-14.0, 0.0, size=(500, 1))
    c = a + generator.uniform(0.2, 0.8, size=(500, 1)) * (b - a) + thin * generator.normal(size=(500, 3))
    found = area_vectors(a, b, c)
    exact = np.array([_exact(*rows) for rows in zip(a.tolist(), b.tolist(), c.tolist(), strict=True)])
    sizes = np.sqrt((exact * exact).sum(axis=1))
    assert sizes.min() < 1e-12
    assert (np.abs(found - exact).max(axis=1) / sizes).max() < 1e-15


def test_an_exact_line_has_no_area() -> None:
    a, b = np.array([[1.0, 2.0, 3.0]]), np.array([[4.0, 6.0, 8.0]])
    assert (area_vectors(a, b, a + 3.0 * (b - a)) == 0.0).all()
