"""Principal axes by Jacobi's turns, against numpy's singular vectors."""

from __future__ import annotations

import numpy as np
import pytest

from core.geometry.principal_axes import principal_axes


def _rotation(rng: np.random.Generator) -> np.ndarray:
    return np.linalg.qr(rng.normal(size=(3, 3)))[0]


@pytest.mark.parametrize("seed", range(20))
def test_the_axes_are_the_right_singular_vectors_largest_first(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(int(rng.integers(4, 300)), 3)) * 10.0 ** rng.uniform(-3.0, 3.0, 3) @ _rotation(rng)
    axes = principal_axes(points)
    assert np.abs(axes @ axes.T - np.eye(3)).max() < 4e-15
    _, sizes, vectors = np.linalg.svd(points - points.mean(axis=0))
    # Rounding of the coordinates turns an axis by as much over how far its extent is from the others'.
    gaps = (sizes[0] - sizes[1], min(sizes[0] - sizes[1], sizes[1] - sizes[2]), sizes[1] - sizes[2])
    for found, vector, gap in zip(axes, vectors, gaps, strict=True):
        assert min(np.abs(found - vector).max(), np.abs(found + vector).max()) < 1e-14 * (1.0 + sizes[0] / gap)


@pytest.mark.parametrize("narrow", [1.0, 1e-3, 1e-6, 1e-9, 1e-12])
def test_what_is_flat_to_rounding_is_found_flat_however_narrow_it_is(narrow: float) -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        flat = rng.uniform(-1.0, 1.0, size=(40, 3)) * (1.0, narrow, 0.0)
        points = flat @ _rotation(rng).T
        heights = (points - points.mean(axis=0)) @ principal_axes(points)[2]
        assert np.abs(heights).max() < 8e-16


def test_few_points_have_three_directions_as_well() -> None:
    for count in (1, 2, 3):
        points = np.random.default_rng(count).normal(size=(count, 3))
        axes = principal_axes(points)
        assert np.abs(axes @ axes.T - np.eye(3)).max() < 4e-15
        heights = (points - points[0]) @ axes.T
        assert np.abs(heights[:, count - 1 :]).max() < 1e-15


def test_equal_extents_stay_along_the_frame() -> None:
    cube = np.array([(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
    assert np.array_equal(principal_axes(cube), np.eye(3))
