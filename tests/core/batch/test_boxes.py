"""The batch's axis table of boxes: which row wins where rounding cannot tell the rows apart."""

from __future__ import annotations

import numpy as np

from core.batch.answers import axes_of
from core.batch.boxes import BoxPairs, Frames, box_sat
from core.sat.sat import sat
from core.scene import Body
from core.shapes import Box
from tests.strategies import random_rotation


def test_of_rows_that_rounding_cannot_tell_apart_the_lowest_wins_as_in_the_table_of_one_pair() -> None:
    """Cubes turned alike, B along A's diagonal: A.x, A.y, B.x and B.y have one gap but for the last digits."""
    rng = np.random.default_rng(5)
    count, half = 200, np.full((3, 200), 1.0)
    turns = [random_rotation(rng) for _ in range(count)]
    axes = axes_of(np.array(turns), np.float64)
    gaps = rng.uniform(-0.5, 1.0, size=count)
    sides = rng.choice((-1.0, 1.0), size=(2, count))
    offsets = (2.0 + gaps) * (sides[0] * axes[0] + sides[1] * axes[1])
    frames = Frames(axes, axes.copy(), offsets)
    pairs = BoxPairs.of(half, half, frames)
    found = box_sat(pairs, frames, pairs.scale())
    assert set(found.winners.tolist()) == {0}
    np.testing.assert_allclose(found.separations, gaps, atol=1e-14)
    cube = Box((2.0, 2.0, 2.0))
    for row in range(0, count, 20):
        alone = sat(Body(cube, rotation=turns[row]), Body(cube, tuple(offsets[:, row].tolist()), turns[row]))
        assert alone.winner == found.winners[row]
