"""The box's vertices in the article's order, and the polyhedra's topology."""

from __future__ import annotations

import numpy as np
import pytest

from core import Box, Sphere
from core.shapes.box import VERTEX_SIGNS
from core.shapes.polyhedron import Polyhedron
from tests.strategies import general, random_box, sample


def test_s2_a_pivot_corner_its_neighbours_the_opposite_corner_and_its_neighbours() -> None:
    pivot, opposite = VERTEX_SIGNS[0], VERTEX_SIGNS[4]
    assert (opposite == -pivot).all()
    for k in range(3):
        assert np.flatnonzero(VERTEX_SIGNS[1 + k] != pivot).tolist() == [k]
        assert np.flatnonzero(VERTEX_SIGNS[5 + k] != opposite).tolist() == [k]


def test_s2_the_vertices_are_turned_about_the_centre() -> None:
    for scene in sample(general, 10):
        body = scene.b
        assert isinstance(body.shape, Box)
        points = body.pose.to_world(body.shape.polyhedron.vertices)
        assert points.mean(axis=0) == pytest.approx(body.position, abs=1e-15)
        assert np.linalg.norm(points - body.position, axis=1) == pytest.approx(body.shape.bounding_radius)
        assert points[1] - points[0] == pytest.approx(body.pose.matrix[:, 0] * body.shape.size[0], abs=1e-15)


def _is_closed_and_convex(solid: Polyhedron) -> None:
    v, e, f = len(solid.vertices), len(solid.edges), len(solid.faces)
    assert v - e + f == 2
    assert (solid.edge_faces[:, 0] != solid.edge_faces[:, 1]).all()
    heights = solid.normals @ solid.vertices.T - solid.offsets[:, None]
    assert heights.max() <= 1e-15 * 8
    for loop, normal in zip(solid.faces, solid.normals, strict=True):
        corners = solid.vertices[list(loop)]
        around = np.cross(corners - corners[0], np.roll(corners, -1, axis=0) - corners[0]).sum(axis=0)
        assert around @ normal > 0.0


def test_a_placed_box_is_a_closed_convex_solid_with_outward_faces() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        body = random_box(rng)
        assert isinstance(body.shape, Box)
        solid = body.shape.polyhedron.placed(body.pose.matrix, rng.normal(size=3))
        assert (len(solid.vertices), len(solid.edges), len(solid.faces)) == (8, 12, 6)
        _is_closed_and_convex(solid)


def test_face_2k_looks_along_plus_axis_k() -> None:
    solid = Box((1.0, 2.0, 3.0)).polyhedron
    for k in range(3):
        assert solid.normals[2 * k] == pytest.approx(np.eye(3)[k])
        assert solid.normals[2 * k + 1] == pytest.approx(-np.eye(3)[k])
        assert solid.offsets[2 * k] == pytest.approx((0.5, 1.0, 1.5)[k])


def test_the_left_face_of_an_edge_runs_along_it() -> None:
    solid = Box((1.0, 1.0, 1.0)).polyhedron
    for (start, end), (left, right) in zip(solid.edges, solid.edge_faces, strict=True):
        loop = solid.faces[left]
        assert loop[(loop.index(start) + 1) % 4] == end
        assert {start, end} <= set(solid.faces[right])


def test_sizes_are_full_and_radii_are_radii() -> None:
    assert Box((2.0, 4.0, 4.0)).half_extents.tolist() == [1.0, 2.0, 2.0]
    assert Box((2.0, 4.0, 4.0)).bounding_radius == pytest.approx(3.0)
    assert Box((2.0, 4.0, 4.0)).largest_half_extent == 2.0
    assert Sphere(3.0).bounding_radius == Sphere(3.0).largest_half_extent == 3.0
