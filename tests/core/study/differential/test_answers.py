"""What an engine answered, read by its definition: all its numbers, and the same pair with A and B exchanged."""

from __future__ import annotations

import pytest

from core import Body, Hull, Scene
from core.study.differential.answers import EngineAnswer
from core.study.differential.numbers import size_of

FULL = EngineAnswer(
    separation=1.0,
    normal=(2.0, 3.0, 4.0),
    on_a=(5.0, 6.0, 7.0),
    on_b=(8.0, 9.0, 10.0),
    simplexes=(((11.0, 12.0, 13.0),),),
)


def test_all_numbers_are_told() -> None:
    """Each part holds numbers of its own."""
    assert sorted(FULL.numbers) == [float(k) for k in range(1, 14)]


def test_exchanging_a_and_b_turns_directions_and_exchanges_points() -> None:
    """A − B turns into B − A; what was not told is not told."""
    swapped = FULL.swapped()
    assert (swapped.on_a, swapped.on_b) == (FULL.on_b, FULL.on_a)
    assert swapped.normal == (-2.0, -3.0, -4.0)
    assert swapped.simplexes == (((-11.0, -12.0, -13.0),),)
    assert swapped.swapped() == FULL
    assert EngineAnswer().swapped() == EngineAnswer()


def test_the_size_of_two_points_is_their_distance() -> None:
    """They have no size of their own, and a power of ten is asked of it."""
    point = Hull(((0.0, 0.0, 0.0),))
    assert size_of(Scene(Body(point), Body(point, (3.0, 0.0, 4.0)))) == pytest.approx(5.0)
