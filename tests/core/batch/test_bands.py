"""Touching bands of a batch of hulls are those of single pairs, however few points; and what arrays may hold."""

from __future__ import annotations

import numpy as np
import pytest

from core import Body, Hull, Scene, analyse
from core.batch import Hulls, Spheres, analyse_pairs


@pytest.mark.parametrize("counts", [(1, 1), (1, 2), (2, 2), (2, 5), (3, 1), (6, 4), (12, 8)])
def test_bands_of_hulls_are_those_of_single_pairs(counts: tuple[int, int]) -> None:
    """Points lie far from the body's position too: an extent is a difference, and no distance from it."""
    rng = np.random.default_rng(85)
    still = np.tile((1.0, 0.0, 0.0, 0.0), (12, 1))
    for shift, scale in ((0.0, 1.0), (5.0, 0.3), (-5.0, 0.3)):
        points = [scale * rng.normal(size=(12, count, 3)) + shift for count in counts]
        places = rng.normal(size=(12, 3))
        found = analyse_pairs(Hulls(points[0], np.zeros((12, 3)), still), Hulls(points[1], places, still))
        for k in range(4):
            a, b = (Hull.of(some[k]) for some in points)
            single = analyse(Scene(Body(a), Body(b, tuple(places[k].tolist()))))
            assert found.bands[k] == pytest.approx(single.band, rel=1e-6)
            assert found.separations[k] == pytest.approx(single.separation, abs=1e-9)


def test_numbers_whose_sum_is_too_large_are_taken() -> None:
    large = np.full((3, 3), 1.7e308)
    assert len(Spheres(np.ones(3), large)) == 3
    with pytest.raises(ValueError, match="positions: expected finite"):
        Spheres(np.ones(3), np.where(np.eye(3, dtype=bool), np.inf, large))
