"""Flat bodies at their limits: thin ones, tiny and huge ones, needles, and planes that are all but parallel."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from core.analysis.analysis import analyse
from core.geometry.vector import Array, unit
from core.pair.pair import certificate
from core.scene import Body, Scene
from core.shapes import Box, Hull, Shape, Sphere
from tests.core.shapes_samples import turn
from tests.selection import some

from .test_flat_bodies import OTHERS


@pytest.mark.parametrize("other", OTHERS, ids=lambda shape: shape.word)
@pytest.mark.sampled(3, "random")
def test_thin_hulls_come_to_the_flat_one(other: Shape) -> None:
    """A plate, a needle and a grain of thickness t are no farther from it than t, down to where rounding begins."""
    triangle = np.array(((-0.8, -0.6, 0.1), (0.9, -0.5, -0.1), (0.1, 0.9, 0.0)))
    normal = np.array((0.0, 0.0, 1.0))
    for points in (triangle, triangle[:2], triangle[:1]):
        for at in ((0.1, 0.2, 0.3), (0.9, 0.8, 0.7)):
            flat = analyse(Scene(Body(Hull.of(points)), Body(other, at)))
            for thin in (1e-3, 1e-6, 1e-9, 1e-12):
                if len(points) == 3:
                    grown = np.concatenate((points - 0.5 * thin * normal, points + 0.5 * thin * normal))
                else:
                    grown = (points[:, None] + 0.5 * thin * np.concatenate((np.eye(3), -np.eye(3)))).reshape(-1, 3)
                found = analyse(Scene(Body(Hull.of(grown)), Body(other, at)))
                slack = thin + 2e-11 + flat.certainty.gap + found.certainty.gap
                assert abs(found.separation - flat.separation) <= slack


def test_extreme_flat_bodies_are_finite() -> None:
    """Tiny, huge, far away, and beside a body a million times as large."""
    triangle = np.array(((-0.8, -0.6, 0.1), (0.9, -0.5, -0.1), (0.1, 0.9, 0.0)))
    for size, other, at in (
        (1e-30, 1e-30, 1e-30),
        (1e30, 1e30, 1e29),
        (1.0, 1e6, 5e5),
        (1e-6, 1.0, 0.5),
        (1.0, 1.0, 1e8),
    ):
        for points in (triangle, triangle[:2], triangle[:1]):
            for shape in (Box((other, other, other)), Hull.of(other * triangle), Sphere(other)):
                found = analyse(Scene(Body(Hull.of(size * points)), Body(shape, (at, 0.3 * at, 0.2 * at))))
                numbers = (found.separation, found.band, *found.normal, *found.witness_a, *found.witness_b)
                assert np.isfinite(numbers).all()
                assert not found.disagreements
                assert found.band < inf


def test_many_corners_of_a_flat_hull() -> None:
    angles = np.arange(200) * (2.0 * np.pi / 200)
    disc: Array = np.stack((np.cos(angles), np.sin(angles), np.zeros(200)), axis=1)
    rng = np.random.default_rng(1)
    frame = turn(rng)
    hull = Hull.of(disc @ frame.T)
    assert len(hull.polyhedron.vertices) == 200
    found = analyse(Scene(Body(hull), Body(Sphere(0.25), tuple((frame @ (0.1, 0.2, 0.0)).tolist()))))
    assert found.separation == pytest.approx(-0.25, abs=1e-12)
    apart = analyse(Scene(Body(hull), Body(hull, tuple((frame @ (2.5, 0.0, 0.0)).tolist()))))
    assert apart.separation == pytest.approx(0.5, abs=1e-12)
    assert not apart.disagreements


LOST_A_CORNER = (
    # A triangle and a quadrilateral whose planes enclose 9e-12, and needles before a triangle and a thin hull: merging
    # faces in the explicit difference cost a corner, and the distance was too large by 5e-3, 7e-9 and 2e-11.
    (
        ((-0.3964202666928414, -0.7820001326422772, 0.0), (-1.0974334996468993, -1.3149965925935838, 0.0),
         (-0.7426414305751686, 0.5971281401575486, 0.0), (0.05810222902621253, 0.03258788001276783, 0.0)),
        ((0.7154274175515857, -1.0740747894447387, 0.0), (0.2292378113597939, -1.2059275478680556, 0.0),
         (-1.4083701180375205, -1.8011277069154592, 0.0)),
        (0.3423589435093767, -0.39357435116010336, 0.0), (1.0, 3.2091680261886733e-12, 2.984857935329802e-12, 0.0),
    ),
    (
        ((-2.7589217100752377, -0.46820372343722005, 0.6744642480903549),
         (1.286113676542718, 0.218260223928192, -0.3144118414128904),
         (-0.7336911339112939, -0.12451126326017822, 0.17936298322796307),
         (0.9056880141336247, 0.1536999653795573, -0.22141046845709234)),
        ((-0.05166509659366176, 0.2762428447610001, -0.01957329107249868),
         (0.06569862626943586, -0.3512779905424557, 0.02488996393671717),
         (-0.06569644286688803, 0.351267085172538, -0.02488922363216347)),
        (0.22353223739587721, -0.392798342565643, -0.005977161763431454), (1.0, 0.0, 0.0, 0.0),
    ),
    (
        ((0.4124571000291177, 0.28915696768976046, -0.5895515032692367),
         (0.17880407774067736, 0.12535229706771228, -0.2555761867486948),
         (-0.19534139060053107, -0.136945937385861, 0.2792140333635195)),
        ((-0.002882103157512034, 0.006182313914471913, 0.0010158828036738112),
         (0.0002560340098759523, -0.000549210947521677, -9.02467889156593e-05),
         (0.00876229383596551, -0.01879573637747629, -0.0030885305604213785),
         (-0.006900511712232072, 0.014802082779599537, 0.002432290160467041)),
        (-0.21423494374019555, 0.8018684026740002, -0.054009271435359704), (1.0, 0.0, 0.0, 0.0),
    ),
)  # fmt: skip


@pytest.mark.parametrize(("first", "second", "at", "rotation"), LOST_A_CORNER)
def test_thin_differences_are_within_gjks_bounds(first, second, at, rotation) -> None:
    bodies = Body(Hull(first)), Body(Hull(second), at, rotation)
    for pair in (bodies, bodies[::-1]):
        found = analyse(Scene(*pair))
        assert not found.disagreements
        assert found.gjk.lower - 1e-12 <= found.separation <= found.gjk.upper + 1e-12
        assert certificate(*pair, found.normal) == pytest.approx(found.separation, abs=1e-11)


def test_planes_that_are_all_but_parallel() -> None:
    """Tilted by 1e-17 to 1e-5 and less than 1e-8 apart: the number is proved, and no method contradicts another."""
    rng = np.random.default_rng(8)
    verdicts = set()
    for _ in range(some(120)):
        points = [np.c_[rng.normal(size=(count, 2)), np.zeros(count)] for count in rng.integers(1, 5, size=2)]
        angle, axis = 10.0 ** rng.uniform(-17, -5), unit(np.append(rng.normal(size=2), 0.0))
        height = float(rng.choice([0.0, 1.0, -1.0]) * 10.0 ** rng.uniform(-17, -8))
        x, y = (0.5 * rng.normal(size=2)).tolist()
        second = Body(Hull.of(points[1]), (x, y, height), (1.0, *(0.5 * angle * axis).tolist()))
        found = analyse(Scene(Body(Hull.of(points[0])), second))
        verdicts.add(found.verdict)
        assert not found.disagreements
        proved = certificate(found.scene.a, found.scene.b, found.normal)
        assert proved == pytest.approx(found.separation, abs=1e-11 + found.certainty.gap)
    assert len(verdicts) >= 2
