"""The shapes that engines with a margin test, against the definition of each by points."""

from __future__ import annotations

import numpy as np
import pytest

from core.shapes import Box, Cylinder, Hull, Rounded, Shape
from core.shapes.margins import seams, with_margin

DIRECTIONS = np.random.default_rng(1).normal(size=(200, 3))
DIRECTIONS /= np.linalg.norm(DIRECTIONS, axis=1)[:, None]
TETRAHEDRON = Hull(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, 0.0)))


def heights(shape: Shape, directions: np.ndarray) -> np.ndarray:
    """How far the shape reaches in each direction."""
    return np.array([float(shape.support(way) @ way) for way in directions])


@pytest.mark.parametrize("shape", [Box((1.0, 2.0, 0.5)), Cylinder(0.5, 2.0), TETRAHEDRON])
def test_a_margin_inside_keeps_the_faces_and_takes_the_corners(shape: Shape) -> None:
    found = with_margin(shape, 0.05, 0.05)
    assert isinstance(found, Rounded)
    less = heights(shape, DIRECTIONS) - heights(found, DIRECTIONS)
    assert less.min() > -1e-12
    assert less.max() > 0.02
    solid = shape.polyhedron
    faces = np.array(((0.0, 1.0, 0.0), (1.0, 0.0, 0.0))) if solid is None else solid.normals
    np.testing.assert_allclose(heights(found, faces), heights(shape, faces), atol=1e-12)
    # Where it becomes round lies on the shape's own surface, a margin from its edges.
    for loop in seams(found):
        inside = np.max(loop @ DIRECTIONS.T - heights(shape, DIRECTIONS)[None, :], axis=1)
        assert inside.max() < 1e-12
        assert np.ptp([surface_distance(shape, point) for point in loop]) < 1e-12


def surface_distance(shape: Shape, point: np.ndarray) -> float:
    """To the nearest face; of a cylinder to its caps and its side."""
    if isinstance(shape, Cylinder):
        return float(min(0.5 * shape.height - abs(point[1]), shape.radius - np.hypot(point[0], point[2])))
    assert shape.polyhedron is not None
    return float(np.min(shape.polyhedron.offsets - shape.polyhedron.normals @ point))


def test_a_margin_round_a_hull_makes_it_larger_by_so_much() -> None:
    found = with_margin(TETRAHEDRON, 0.0, 0.04)
    assert found is not None
    np.testing.assert_allclose(heights(found, DIRECTIONS), heights(TETRAHEDRON, DIRECTIONS) + 0.04, atol=1e-12)


@pytest.mark.parametrize("shape", [Box((1.0, 0.09, 1.0)), Cylinder(0.04, 1.0), TETRAHEDRON])
def test_what_is_thinner_than_the_margin_is_not_known(shape: Shape) -> None:
    assert with_margin(shape, 0.25, 0.25) is None
