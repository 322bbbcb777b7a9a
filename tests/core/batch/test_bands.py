"""Touching bands of a batch of hulls are those of single pairs, however few points; and what arrays may hold."""

from __future__ import annotations

import numpy as np
import pytest

from core import Body, Cylinder, Ellipsoid, Hull, Scene, analyse
from core.batch import Hulls, Spheres, analyse_pairs
from core.pair.pair import PairScale


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


def test_a_gap_within_rounding_is_told_as_none() -> None:
    """Pairs that are answered alone say so as the kernels do: 0 where both bounds met to rounding."""
    rng = np.random.default_rng(86)
    a = [Body(Ellipsoid((0.5, 1.0, 0.7)), rotation=tuple(rng.normal(size=4).tolist())) for _ in range(20)]
    b = [Body(Cylinder(0.5, 1.0), tuple((2.0 * rng.normal(size=3)).tolist())) for _ in range(20)]
    found = analyse_pairs(a, b)
    scales = [PairScale.of(*pair).rounding for pair in zip(a, b, strict=True)]
    alone = [analyse(Scene(*pair)).certainty.gap for pair in zip(a, b, strict=True)]
    assert not found.vectorised.any()
    assert found.gaps.tolist() == [gap if gap > scale else 0.0 for gap, scale in zip(alone, scales, strict=True)]
    assert any(0.0 < gap <= scale for gap, scale in zip(alone, scales, strict=True))
