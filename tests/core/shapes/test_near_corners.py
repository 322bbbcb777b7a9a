"""Corners within rounding of each other or of a side: the first stays, others go, and the hull is the same."""

from __future__ import annotations

import numpy as np
import pytest

from core.geometry.tolerances import HULL_FLATNESS
from core.shapes import Hull
from core.shapes.hull_topology import flat_hull
from tests.core.shapes_samples import CUBE_POINTS, ball_points, turn

CUBE = np.array(CUBE_POINTS)


@pytest.mark.parametrize("share", [0.01, 0.1, 0.4])
def test_of_corners_in_one_place_to_rounding_one_stays(share: float) -> None:
    rng = np.random.default_rng(41)
    for _ in range(12):
        size = 10.0 ** float(rng.uniform(-3, 3))
        twins = CUBE + share * HULL_FLATNESS * rng.normal(size=CUBE.shape) / 3.0
        points = size * (np.concatenate((CUBE, twins)) @ turn(rng).T)
        solid = Hull.of(points).polyhedron
        assert len(solid.vertices) == 8
        near = np.linalg.norm(solid.vertices[:, None] - points[:8], axis=2)
        assert near.min(axis=1).max() <= 4.0 * HULL_FLATNESS * size
        assert sorted(near.argmin(axis=1).tolist()) == list(range(8))
        assert sorted(map(len, solid.faces)) == [4] * 6


def square(half: float = 1.0) -> np.ndarray:
    return half * np.array(((-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (1.0, 1.0, 0.0), (-1.0, 1.0, 0.0)))


@pytest.mark.parametrize("normal", [(0.0, 0.0, 1.0), (0.0, 0.0, -1.0)])
def test_points_seen_along_a_normal_make_a_polygon_whatever_their_heights(normal: tuple) -> None:
    rng = np.random.default_rng(42)
    for shift in (0.0, 1e-3):
        points = np.concatenate((square(), rng.uniform(-0.9, 0.9, (6, 3))))
        points[:, 2] = shift * rng.normal(size=10)
        solid = flat_hull(points, np.array(normal))
        assert [tuple(p) for p in solid.vertices.tolist()] == [tuple(p) for p in points[:4].tolist()]
        assert len(solid.faces) == 2
        np.testing.assert_array_equal(solid.normals[0], normal)
        corners = solid.vertices[list(solid.faces[0])]
        assert (
            np.cross(np.roll(corners, -1, axis=0) - corners, np.roll(corners, -2, axis=0) - corners) @ normal > 0
        ).all()


@pytest.mark.parametrize(("wide", "corners", "edges"), [(1e-16, 2, 1), (1e-12, 4, 4)])
def test_what_is_no_wider_than_rounding_seen_along_a_normal_is_a_segment(wide: float, corners: int, edges: int) -> None:
    points = square() * (1.0, wide, 1.0)
    solid = flat_hull(points, np.array((0.0, 0.0, 1.0)))
    assert (len(solid.vertices), len(solid.edges)) == (corners, edges)
    assert len(solid.faces) == (0 if corners == 2 else 2)
    assert np.ptp(solid.vertices[:, 0]) == 2.0
    one = flat_hull(np.array(((1.0, 1.0, 0.0), (1.0, 1.0 + 1e-16, 1.0))), np.array((0.0, 0.0, 1.0)))
    assert len(one.faces) == 0


@pytest.mark.parametrize("rings", [6, 12, 40])
def test_facets_join_where_they_are_level_and_only_there(rings: int) -> None:
    """A many-sided prism whose sides are cut into thin strips: each side is one face, however many strips it has."""
    rng = np.random.default_rng(43)
    angles = np.arange(rings) * (2.0 * np.pi / rings)
    heights = np.linspace(-1.0, 1.0, 5)
    points = np.array([(np.cos(t), h, np.sin(t)) for t in angles for h in heights])
    for _ in range(4):
        turned = points @ turn(rng).T
        solid = Hull.of(turned[rng.permutation(len(turned))]).polyhedron
        assert sorted(map(len, solid.faces)) == [4] * rings + [rings] * 2
        np.testing.assert_allclose(np.linalg.norm(solid.normals, axis=1), 1.0, atol=1e-15)
        for loop, normal in zip(solid.faces, solid.normals, strict=True):
            around = np.cross(solid.vertices[list(loop)], np.roll(solid.vertices[list(loop)], -1, axis=0)).sum(axis=0)
            assert around @ normal > 0.0


def test_a_smooth_ball_keeps_all_its_triangles() -> None:
    solid = Hull.of(ball_points(400)).polyhedron
    assert len(solid.vertices) == 400
    assert len(solid.faces) == 2 * 400 - 4
    assert len(solid.edges) == 3 * 400 - 6
    # Every edge has the two faces that its ends share.
    for (start, end), (left, right) in zip(solid.edges.tolist(), solid.edge_faces.tolist(), strict=True):
        assert {start, end} <= set(solid.faces[left]) & set(solid.faces[right])
        loop = solid.faces[left]
        assert loop[(loop.index(start) + 1) % len(loop)] == end
