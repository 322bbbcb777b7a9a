"""Faces of the difference that are equally near the origin: the preferred one is taken, else the first."""

from __future__ import annotations

from math import cos, sin

import numpy as np
import pytest

from core.geometry.quaternion import from_axis_angle
from core.minkowski.difference import difference
from core.minkowski.distance import nearest_boundary_point
from core.minkowski.plane import nearest_of_pair
from core.pair.cores import PlanePair
from core.scene import Body
from core.shapes import Box, Polygon

TURN = from_axis_angle((0.48, 0.6, 0.64), 0.7)
PAIRS = {
    "cubes about one centre": (Body(Box((1.0, 1.0, 1.0))), Body(Box((1.0, 1.0, 1.0)))),
    "cubes that differ in size": (Body(Box((2.0, 2.0, 2.0))), Body(Box((1.0, 1.0, 1.0)))),
    "turned together": (Body(Box((1.0, 1.0, 1.0)), rotation=TURN), Body(Box((1.0, 1.0, 1.0)), rotation=TURN)),
    "a plate and a cube": (Body(Box((1.0, 3.0, 1.0))), Body(Box((1.0, 1.0, 1.0)))),
}


@pytest.mark.parametrize("name", PAIRS)
def test_each_face_that_ties_is_taken_where_it_is_preferred(name: str) -> None:
    solid = difference(*PAIRS[name])
    depths = np.asarray(solid.core.offsets)
    tied = np.flatnonzero(depths <= depths.min() + 1e-12)
    assert len(tied) >= 4
    for face in tied.tolist():
        found = nearest_boundary_point(solid, face)
        assert found.face == face
        assert found.separation == pytest.approx(-depths.min(), abs=1e-14)
        np.testing.assert_allclose(found.normal, solid.core.normals[face], atol=1e-14)


@pytest.mark.parametrize("name", PAIRS)
def test_a_face_that_is_farther_is_not_taken_though_it_is_preferred(name: str) -> None:
    solid = difference(*PAIRS[name])
    depths = np.asarray(solid.core.offsets)
    for face in range(len(depths)):
        found = nearest_boundary_point(solid, face)
        assert found.face is not None
        assert depths[found.face] == pytest.approx(depths.min(), abs=1e-12)


@pytest.mark.parametrize("turn", [0.0, 0.3, 1.1, 2.0, 4.0])
@pytest.mark.parametrize("points", [((0.0, 0.0),), ((-0.5, 0.0), (0.5, 0.0))], ids=["point", "segment"])
def test_out_of_a_segment_the_way_is_that_of_the_lowest_row(
    points: tuple[tuple[float, float], ...], turn: float
) -> None:
    """Either side is as good: A's first edge has its front to the right of the way along it."""
    a = Body.in_plane(Polygon(((-1.0, 0.0), (1.0, 0.0))), (0.0, 0.0), turn)
    b = Body.in_plane(Polygon(points), (0.2 * cos(turn), 0.2 * sin(turn)), turn)
    found = nearest_of_pair(PlanePair.of(a, b))
    assert found.separation == pytest.approx(0.0, abs=1e-15)
    np.testing.assert_allclose(found.normal, (sin(turn), -cos(turn)), atol=1e-14)
