"""How far the true distance may be from a batch's number: `Answers.gaps`, beside the answers of better arithmetic."""

from __future__ import annotations

import numpy as np

from core.analysis.analysis import analyse
from core.batch.answers import Hulls
from core.batch.bodies import analyse_pairs
from core.geometry.quaternion import from_axis_angle
from core.scene import Body, Scene
from core.shapes import Cone, Cylinder

SIDES = 64


def cones(radii: np.ndarray, heights: np.ndarray, places: np.ndarray) -> Hulls:
    """Pyramids with many sides about the y axis: the ways out of two of them are a ring, and EPA needs many steps."""
    turn = 2.0 * np.pi * np.arange(SIDES) / SIDES
    ring = np.stack((np.cos(turn), np.full(SIDES, -0.5), np.sin(turn)), axis=1)
    points = np.concatenate((ring, [[0.0, 0.5, 0.0]])) * np.stack((radii, heights, radii), axis=1)[:, None]
    return Hulls(points, places, np.tile((1.0, 0.0, 0.0, 0.0), (len(radii), 1)))


def test_a_number_in_single_precision_is_as_close_to_the_true_one_as_its_gap_says() -> None:
    """In single precision nobody is asked again: what the steps leave open stays a gap, thousandths of the size."""
    rng = np.random.default_rng(2)
    count = 24
    places = np.zeros((count, 3))
    a = cones(np.ones(count), rng.uniform(0.5, 4.0, count), places.copy())
    places[:, 1] = rng.uniform(-0.3, 0.3, count)
    b = cones(rng.uniform(0.3, 1.0, count), np.full(count, 2.0), places)
    exact, found = analyse_pairs(a, b), analyse_pairs(a, b, single=True)
    assert not exact.gaps.any()
    off = np.abs(found.separations - exact.separations)
    assert (off <= found.gaps + 4e-6).all()
    # Without the gap some thirds of them would be false.
    assert (off > 1e-4).sum() >= 12


def test_of_a_pair_that_is_asked_about_alone_the_gap_is_that_of_the_single_answer() -> None:
    """Of cylinders that are nearly coaxial and overlap EPA's bounds end some 1e-11 apart."""
    heights = np.linspace(0.5, 3.0, 12).tolist()
    first = [Body(Cylinder(1.0, height)) for height in heights]
    second = [
        Body(shape, (0.02, 0.1 * height, 0.01), from_axis_angle((1.0, 0.0, 0.0), 0.01))
        for shape, height in zip([Cone(0.7, 2.0), Cylinder(0.7, 2.0)] * 6, heights, strict=True)
    ]
    found = analyse_pairs(first, second)
    assert not found.vectorised.any()
    for a, b, gap, separation in zip(first, second, found.gaps, found.separations, strict=True):
        alone = analyse(Scene(a, b))
        # Up to rounding a gap counts as none.
        assert abs(gap - alone.certainty.gap) <= 1e-12
        assert abs(separation - alone.separation) <= gap + alone.certainty.gap + 1e-12
    assert (found.gaps > 2e-12).any()
