"""Rows of edges say how square they are: the sine, and below 0.005 that they are nearly parallel."""

from __future__ import annotations

from math import cos, sin, sqrt

import numpy as np
import pytest

from core import Body, analyse
from core.sat.sat import AxisKind
from core.shapes import Box, Cylinder, Hull, Shape

LIMIT = 0.005
"""As core/README.md and the axis table have it."""
PRISM = Hull(tuple((x, y, z) for x, z in ((1.0, 0.0), (-0.5, 0.8), (-0.5, -0.9)) for y in (-1.0, 1.5)))


@pytest.mark.parametrize("turn", [0.0, 1e-9, 1e-4, 0.004, 0.0049, 0.0051, 0.02, 0.2, 0.4, 0.7])
@pytest.mark.parametrize("other", [Box((1.0, 1.5, 0.7)), PRISM], ids=["box", "prism"])
def test_two_edges_are_nearly_parallel_below_the_limit_alone(turn: float, other: Shape) -> None:
    a = Body(Box((1.0, 2.0, 1.0)))
    # Of a prism only edges that build a face have rows: none about y, where its long ones stay parallel to A's.
    axis = (0.0, 1.0, 0.0) if isinstance(other, Box) else (0.8, 0.0, 0.6)
    b = Body(other, (2.5, 0.3, 0.1), (cos(0.5 * turn), *(sin(0.5 * turn) * part for part in axis)))
    rows = [row for row in analyse(a, b).sat.candidates if row.kind is AxisKind.EDGES]
    assert rows or turn == 0.0
    near = 0
    for row in rows:
        assert row.sine is not None
        assert row.nearly_parallel == (row.sine < LIMIT), row.label
        near += row.nearly_parallel
        if isinstance(other, Box):
            lines = a.pose.matrix[:3, row.feature_a], b.pose.matrix[:3, row.feature_b]
            across = np.cross(*lines)
            assert row.sine == pytest.approx(sqrt(float(across @ across)), abs=1e-12)
    if isinstance(other, Box):
        # About y the two y axes stay parallel; the two others part with the turn.
        assert near == (3 if sin(turn) < LIMIT else 1)


def test_rows_of_faces_and_of_closest_points_never_are() -> None:
    for shape in (Box((1.0, 1.0, 1.0)), Cylinder(0.5, 1.0)):
        found = analyse(Body(Box((1.0, 1.0, 1.0))), Body(shape, (2.0, 0.1, 0.0)))
        assert not any(row.nearly_parallel for row in found.sat.candidates if row.kind is not AxisKind.EDGES)
