"""Sum and difference of two shapes of the plane: against all sums of two corners, and the origin's nearest point."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from core import Body, Scene
from core.minkowski.plane import (
    MinkowskiPolygon,
    PairPlace,
    minkowski_difference,
    minkowski_sum,
    nearest_of_pair,
    pair_name,
)
from core.pair.cores import PlanePair
from core.pair.pair import PairScale
from core.shapes import Circle, Polygon
from tests.core.planar_samples import brute_force, centred, contained, general, lattice, near_aligned, outline, scenes

FLAT = general, contained, centred, lattice, near_aligned


def _corners(body: Body, about: tuple[float, float, float]) -> np.ndarray:
    """A polygon's corners (k, 2) by vertex number, or a circle's centre."""
    points, _ = outline(body, about)
    if isinstance(body.shape, Circle):
        return points
    placed = np.empty_like(points)
    placed[list(body.shape.ring)] = points
    return placed


def _cross(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    return p[..., 0] * q[..., 1] - p[..., 1] * q[..., 0]


@pytest.mark.parametrize("kind", ["sum", "difference"])
def test_it_is_the_hull_of_all_pairs_and_knows_what_made_each_corner_and_edge(kind: str) -> None:
    places = set()
    for scene in scenes(60, 51, FLAT):
        a, b = scene.a, scene.b
        found = minkowski_sum(a, b) if kind == "sum" else minkowski_difference(a, b)
        about, sign = ((0.0, 0.0, 0.0), 1.0) if kind == "sum" else (a.position, -1.0)
        on_a, on_b = _corners(a, about), _corners(b, about)
        every = on_a[:, None] + sign * on_b[None]
        size = 1.0 + float(np.abs(every).max())
        corners = np.array(found.corners)
        assert found.kind == kind
        assert found.radius == sum(one.shape.radius for one in (a, b) if isinstance(one.shape, Circle))
        assert np.abs(corners - [every[pair] for pair in found.sources]).max() <= 1e-14 * size
        _judge_edges(found, every.reshape(-1, 2), 1e-14 * size)
        assert len(found.vertex_pairs) == every.shape[0] * every.shape[1]
        for number, pair in enumerate(found.vertex_pairs):
            assert (pair.vertex_a, pair.vertex_b) == divmod(number, len(on_b))
            assert pair.name == pair_name(pair.vertex_a, pair.vertex_b, len(on_a), len(on_b))
            assert pair.point == pytest.approx(every[pair.vertex_a, pair.vertex_b], abs=1e-14 * size)
            inside = min((edge.offset - float(np.dot(edge.normal, pair.point)) for edge in found.edges), default=0.0)
            at = np.abs(corners - pair.point).max(axis=1)
            wanted = PairPlace.CORNER if at.min() <= 1e-14 * size else PairPlace.EDGE
            # Bodies turned by 1e-13 have pairs that lie 2e-13 inside, which is no rounding.
            assert pair.place is (wanted if inside <= 1e-14 * size else PairPlace.INSIDE)
            assert pair.corner == (int(at.argmin()) if pair.place is PairPlace.CORNER else None)
            places.add(pair.place)
    assert places == set(PairPlace)


def _judge_edges(found: MinkowskiPolygon, every: np.ndarray, noise: float) -> None:
    """Counter-clockwise, convex, as large as the hull of all pairs; each edge along that of A or B which it names."""
    corners = np.array(found.corners)
    if not found.edges:
        assert len(every) == len(corners) == 1
        return
    ways = np.roll(corners, -1, axis=0) - corners
    normals, lengths = np.array([edge.normal for edge in found.edges]), np.hypot(*ways.T)
    assert len(found.edges) == len(corners)
    assert np.abs(np.hypot(*normals.T) - 1.0).max() <= 1e-15
    assert np.abs(normals * lengths[:, None] - np.stack((ways[:, 1], -ways[:, 0]), axis=1)).max() <= 8.0 * noise
    heights = every @ normals.T
    assert np.abs(heights.max(axis=0) - [edge.offset for edge in found.edges]).max() <= noise
    area = 0.5 * float(_cross(corners, np.roll(corners, -1, axis=0)).sum())
    if len(corners) > 2:
        assert area == pytest.approx(ConvexHull(every).volume, abs=20.0 * noise)
    rows_a = len(found.core_a.normals)
    for edge, length in zip(found.edges, lengths, strict=True):
        own = [
            (core, k, sign)
            for core, k, sign in (
                (found.core_a, edge.edge_a, 1.0),
                (found.core_b, edge.edge_b, 1.0 if found.kind == "sum" else -1.0),
            )
            if k is not None
        ]
        assert edge.row == (edge.edge_a if edge.edge_a is not None else rows_a + edge.edge_b)
        sizes = [float(np.hypot(*np.subtract(*core.edge(k)))) for core, k, _ in own]
        assert sum(sizes) == pytest.approx(length, abs=8.0 * noise)
        for core, k, sign in own:
            assert sign * np.array(core.normals[k]) == pytest.approx(edge.normal, abs=1e-11)
    # Every edge of either body is an edge of the polygon, once.
    for core, named in (
        (found.core_a, [edge.edge_a for edge in found.edges]),
        (found.core_b, [edge.edge_b for edge in found.edges]),
    ):
        assert sorted(k for k in named if k is not None) == list(range(len(core.normals)))


def test_the_nearest_point_is_as_far_as_all_features_say_and_names_what_it_lies_on() -> None:
    held = set()
    for scene in scenes(150, 52, (*FLAT, _about_a_corner)):
        pair, scale = PlanePair.of(scene.a, scene.b), PairScale.of(scene.a, scene.b)
        solid, found = minkowski_difference(scene.a, scene.b), nearest_of_pair(pair)
        noise = 1e-14 * scale.extent
        assert found.separation == pytest.approx(brute_force(scene), abs=4e-12 * scale.extent)
        assert np.hypot(*found.normal) == pytest.approx(1.0, abs=1e-15)
        assert found.point == pytest.approx([-found.separation * x for x in found.normal], abs=noise)
        assert np.subtract(found.witness_b, found.witness_a) == pytest.approx(
            [found.separation * x for x in found.normal], abs=4.0 * noise + 1e-11 * abs(found.separation)
        )
        for body, witness in ((scene.a, found.witness_a), (scene.b, found.witness_b)):
            corners, radius = outline(body, scene.a.position)
            assert abs(_outside(corners, np.array(witness)) - radius) <= 8.0 * noise
        corner = np.array(solid.corners[found.corner])
        core = -(found.separation + solid.radius) * np.array(found.normal)
        held.add((found.edge is None, found.separation + solid.radius > 0.0))
        if found.edge is None:
            assert core == pytest.approx(corner, abs=4.0 * noise)
        else:
            assert found.corner == found.edge
            assert found.normal == solid.edges[found.edge].normal
            end = np.array(solid.corners[(found.edge + 1) % len(solid.corners)])
            way = end - corner
            assert -noise <= float((core - corner) @ way) / float(np.hypot(*way)) <= float(np.hypot(*way)) + noise
    # Deep inside it is never a corner; outside it is either.
    assert held >= {(False, False), (False, True), (True, True)}


def _about_a_corner(rng: np.random.Generator) -> Scene:
    """A circle or a square whose corner is nearest, beside a square turned anyhow."""
    square = Polygon(((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)))
    b = square if rng.random() < 0.5 else Circle(0.5)
    x, y = (rng.uniform(3.0, 5.0, 2) * rng.choice((-1.0, 1.0), 2)).tolist()
    return Scene(Body.in_plane(square), Body.in_plane(b, (x, y), float(rng.uniform(-3.0, 3.0))))


def _outside(corners: np.ndarray, point: np.ndarray) -> float:
    """Distance of a point from the outline of a polygon, or from the one point."""
    ways = np.roll(corners, -1, axis=0) - corners
    shares = (((point - corners) * ways).sum(axis=1) / np.maximum((ways**2).sum(axis=1), 1e-300)).clip(0.0, 1.0)
    return float(np.hypot(*(corners + shares[:, None] * ways - point).T).min())


def test_of_equally_near_edges_the_lowest_row_is_taken_and_b_apart_lies_on_the_normals_side() -> None:
    square = Polygon(((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)))
    for turn in (0.0, 0.3, 1.0):
        a = Body.in_plane(square, angle=turn)
        found = nearest_of_pair(PlanePair.of(a, Body.in_plane(square, angle=turn)))
        solid = minkowski_difference(a, Body.in_plane(square, angle=turn))
        assert found.separation == pytest.approx(-2.0)
        assert found.edge is not None
        assert solid.edges[found.edge].row == 0
    same = nearest_of_pair(PlanePair.of(Body.in_plane(Circle(1.0)), Body.in_plane(Circle(0.5))))
    assert (same.separation, same.normal, same.edge, same.corner) == (-1.5, (1.0, 0.0), None, 0)
    assert (same.witness_a, same.witness_b) == ((1.0, 0.0), (-0.5, 0.0))


def test_letters_of_pairs_follow_on_as_long_as_the_alphabet_lasts() -> None:
    assert pair_name(0, 0, 3, 3) == "AD"
    assert pair_name(2, 1, 3, 3) == "CE"
    assert pair_name(12, 12, 13, 13) == "MZ"
    assert pair_name(12, 13, 13, 14) == "v12|v13"
