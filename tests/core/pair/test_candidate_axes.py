"""Axes of two boxes beside products in whole numbers, for edges at every small angle whichever way they run."""

from __future__ import annotations

from fractions import Fraction
from math import pi

import numpy as np
import pytest

from core.geometry.quaternion import from_axis_angle, to_matrix
from core.geometry.vector import Array
from core.pair.candidate_axes import box_axes


def exact_product(p: Array, q: Array) -> Array:
    """The vector product of two rows of doubles, each component rounded once."""
    (ax, ay, az), (bx, by, bz) = (map(Fraction, row.tolist()) for row in (p, q))
    return np.array([float(it) for it in (ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx)])


@pytest.mark.parametrize("turn", [1e-10, 1e-6, 0.5 * pi + 1e-9, pi - 1e-9, pi + 1e-7])
def test_products_of_edges_keep_their_digits_whichever_way_they_run(turn: float) -> None:
    rng = np.random.default_rng(7)
    for _ in range(20):
        a = to_matrix(from_axis_angle(tuple(rng.normal(size=3)), 1.0))
        # About an edge, so that the others come to lie along each other, either way.
        b = to_matrix(from_axis_angle(tuple(a[:, int(rng.integers(3))]), turn)) @ a
        axes, sines = box_axes(a, b)
        for row, (i, j) in enumerate(np.ndindex(3, 3)):
            wanted = exact_product(a[:, i], b[:, j])
            size = float(np.linalg.norm(wanted))
            if size < 1e-15:
                continue  # the edge turned about: what is left is the matrices' own rounding
            assert sines[row] == pytest.approx(size, rel=1e-12)
            np.testing.assert_allclose(axes[6 + row], wanted / size, atol=1e-12)
