"""The error of single precision: its number minus double's, with that sign; and its normal's angle."""

from __future__ import annotations

import numpy as np
import pytest

from core import Body, Scene, Verdict, analyse_single
from core.geometry.vector import Array
from core.shapes import Box, HalfSpace, Sphere

PLACES = [(1.1, 0.3, 0.2), (0.9, 0.1, -0.2), (1.7, 1.3, 0.4), (1000.1, 0.3, 0.2)]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("turn", [0.0, 0.3])
def test_an_error_is_the_single_number_minus_the_double_one(place: tuple[float, float, float], turn: float) -> None:
    a = Body(Box((1.0, 2.0, 0.7)), (0.1 * place[0], 0.0, 0.0))
    found = analyse_single(Scene(a, Body(Box((0.7, 0.3, 1.1)), place, (1.0, turn, 0.2, 0.1))))
    assert found.answers
    signs = set()
    for answer in found.answers:
        assert answer.error == answer.separation - answer.double_separation
        signs.add(np.sign(answer.error))
        one, two = np.array(answer.normal), np.array(answer.double_normal)
        assert answer.turned == pytest.approx(_angle(one, two), abs=1e-6)
    assert signs & {1.0, -1.0}


def _angle(one: Array, two: Array) -> float:
    return float(np.arctan2(np.linalg.norm(np.cross(one, two)), one @ two))


def test_a_pair_that_single_precision_holds_has_no_error() -> None:
    found = analyse_single(Scene(Body(Sphere(0.5)), Body(Sphere(0.25), (2.0, 0.0, 0.0))))
    assert [answer.error for answer in found.answers] == [0.0] * len(found.answers)


FAR = 2.0**20
"""Where float32 are an eighth apart: coordinates between two of them go to the even one."""


@pytest.mark.parametrize(
    ("half", "apart", "single", "double", "words"),
    [
        (1.0 + 2.0**-5, 2.0625, Verdict.OVERLAPPING, Verdict.TOUCHING, "cannot tell TOUCHING from OVERLAPPING in"),
        (1.0 - 2.0**-5, 1.9375, Verdict.SEPARATED, Verdict.TOUCHING, "cannot tell TOUCHING from SEPARATED in"),
        (0.984375, 1.9375, Verdict.SEPARATED, Verdict.OVERLAPPING, "says SEPARATED where double says OVERLAPPING: "),
        (1.015625, 2.0625, Verdict.OVERLAPPING, Verdict.SEPARATED, "says OVERLAPPING where double says SEPARATED: "),
        (1.0, 2.0, Verdict.TOUCHING, Verdict.TOUCHING, "is off by 0, 0 % of the larger body."),
        (0.5, 2.0625, Verdict.SEPARATED, Verdict.SEPARATED, "is off by 0.0"),
    ],
)
def test_another_verdict_is_said_with_singles_and_doubles_and_whether_they_only_touch(
    half: float, apart: float, single: Verdict, double: Verdict, words: str
) -> None:
    """Cubes and balls: in single precision B is an eighth's half nearer or farther than it is."""
    for shape in (Box((2.0 * half,) * 3), Sphere(half)):
        scene = Scene(Body(shape, (FAR, 0.0, 0.0)), Body(shape, (FAR + apart, 0.0, 0.0)))
        found = analyse_single(scene)
        off = np.float32(FAR + apart) - FAR - apart
        assert found.answers
        for answer in found.answers:
            assert (answer.verdict, answer.double_verdict) == (single, double)
            assert answer.error == pytest.approx(float(off), abs=1e-6)
            assert answer.double_separation == apart - 2.0 * half
            assert str(answer.words).startswith(f"{answer.algorithm} {words}")
            assert f"{100.0 * abs(answer.error) / shape.bounding_radius:.2g} % of the larger body" in str(answer.words)


def test_along_a_half_spaces_own_normal_single_precision_proves_what_double_does() -> None:
    """Any other normal proves nothing, as rounded ones are: there double's number stands for it."""
    turn = (0.9, 0.1, 0.3, 0.2)
    for order in (1, -1):
        pair = Body(HalfSpace((0.3, 1.0, 0.2), 0.1), rotation=turn), Body(Box((1.0, 2.0, 0.5)), (0.3, 2.0, 0.1), turn)
        (answer,) = analyse_single(Scene(*pair[::order])).answers
        assert (answer.algorithm, answer.proven) == ("closed form", answer.double_separation)
        assert np.isfinite(answer.proven)
