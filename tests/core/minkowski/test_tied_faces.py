"""Faces of the difference that are equally near the origin: the preferred one is taken, else the first."""

from __future__ import annotations

import numpy as np
import pytest

from core.geometry.quaternion import from_axis_angle
from core.minkowski.difference import difference
from core.minkowski.distance import nearest_boundary_point
from core.scene import Body
from core.shapes import Box

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
