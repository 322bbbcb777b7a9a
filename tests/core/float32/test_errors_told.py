"""The error of single precision: its number minus double's, with that sign; and its normal's angle."""

from __future__ import annotations

import numpy as np
import pytest

from core import Body, Scene, analyse_single
from core.geometry.vector import Array
from core.shapes import Box, Sphere

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
