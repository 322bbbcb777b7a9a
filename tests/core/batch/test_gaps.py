"""How far the true distance may be from a batch's number: `Answers.gaps`, beside the answers of better arithmetic."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

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


def test_in_single_precision_the_normal_of_slivers_that_are_apart_proves_the_number_but_for_the_gap() -> None:
    """Judged in doubles by all of their corners. Between slivers a step may prove less than one before it."""
    rng = np.random.default_rng(7)
    count, corners = 2000, 12

    def slivers(places: np.ndarray) -> Hulls:
        points = rng.normal(size=(count, corners, 3))
        points /= np.linalg.norm(points, axis=2, keepdims=True)
        points *= np.exp(rng.uniform(np.log(1e-5), 0.0, (count, 1, 3)))
        return Hulls(points, places, rng.normal(size=(count, 4)))

    def along(hulls: Hulls, ways: np.ndarray) -> np.ndarray:
        local = Rotation.from_quat(hulls.rotations[:, [1, 2, 3, 0]]).inv().apply(ways)
        return (hulls.points * local[:, None]).sum(axis=2) + (hulls.positions * ways).sum(axis=1, keepdims=True)

    a = slivers(np.zeros((count, 3)))
    ways = rng.normal(size=(count, 3))
    b = slivers(ways / np.linalg.norm(ways, axis=1, keepdims=True) * rng.uniform(0.0, 0.1, (count, 1)))
    found = analyse_pairs(a, b, single=True)
    normals = found.normals.astype(np.float64)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    proven = along(b, normals).min(axis=1) - along(a, normals).max(axis=1)
    apart = found.separations > 0.0
    assert apart.sum() > 1000
    # Coordinates are about 1, and each of a support's products and sums is rounded.
    rounding = 32.0 * float(np.finfo(np.float32).eps)
    assert (found.separations - found.gaps - proven)[apart].max() <= rounding


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
