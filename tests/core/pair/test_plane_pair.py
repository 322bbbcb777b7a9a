"""Cores of the plane as they are placed, and the features that face a line: against the shapes' own corners."""

from __future__ import annotations

import numpy as np
import pytest

from core import Body, Box, Scene
from core.pair.cores import PlanePair, to_local, to_world
from core.pair.features import facing_edge, supporting_features
from core.pair.support import support_maps
from core.shapes import Circle, Polygon
from tests.core.planar_samples import contained, general, lattice, outline, scenes


def test_both_cores_stand_relative_to_a_and_know_their_vertices() -> None:
    seen = set()
    circles = Scene(Body.in_plane(Circle(1.0)), Body.in_plane(Circle(0.5)))
    for scene in (*scenes(60, 61, (general, contained, lattice)), circles):
        pair, offset = PlanePair.of(scene.a, scene.b), np.subtract(scene.b.position, scene.a.position)[:2]
        assert pair.offset == pytest.approx(offset, abs=0.0)
        radii = [body.shape.radius if isinstance(body.shape, Circle) else 0.0 for body in (scene.a, scene.b)]
        assert pair.radius == sum(radii)
        assert pair.edged == (not any(radii))
        seen.add(tuple(radius > 0.0 for radius in radii))
        for body, core, radius in zip((scene.a, scene.b), (pair.a, pair.b), radii, strict=True):
            corners, _ = outline(body, scene.a.position)
            assert core.radius == radius
            assert np.array(core.ring) == pytest.approx(corners, abs=1e-14)
            assert core.points.tolist() == [list(corner) for corner in core.ring]
            assert core.listed_numbers == tuple(range(len(corners)))
            assert core.numbers == (body.shape.ring if isinstance(body.shape, Polygon) else (0,))
            for k, number in enumerate(core.numbers):
                assert core.corner(number) == core.ring[k] == tuple(core.listed[number])
            assert len(core.normals) == (len(corners) if isinstance(body.shape, Polygon) else 0)
            for k, (x, y) in enumerate(core.normals):
                start, end = core.edge(k)
                assert (start, end) == (core.ring[k], core.ring[(k + 1) % len(core.ring)])
                way = np.subtract(end, start) / np.hypot(*np.subtract(end, start))
                assert (x, y) == pytest.approx((way[1], -way[0]), abs=1e-12)
    assert len(seen) == 4


def test_a_point_goes_to_the_world_and_back() -> None:
    body = Body.in_plane(Circle(1.0), (3.0, -2.0), np.pi / 2)
    assert to_world(body, (1.0, 0.5)) == pytest.approx((2.5, -1.0))
    rng = np.random.default_rng(1)
    for _ in range(20):
        body = Body.in_plane(Circle(1.0), tuple(rng.uniform(-3.0, 3.0, 2).tolist()), float(rng.uniform(-4.0, 4.0)))
        x, y = rng.uniform(-3.0, 3.0, 2).tolist()
        assert to_local(body, to_world(body, (x, y))) == pytest.approx((x, y), abs=1e-14)


@pytest.mark.parametrize("body", [Body(Box((1.0, 1.0, 1.0)))])
def test_bodies_of_space_have_no_core_in_the_plane(body: Body) -> None:
    with pytest.raises(TypeError, match="box is not a 2D shape"):
        PlanePair.of(body, body)


def test_a_feature_is_the_edge_that_lies_on_the_line_or_the_farthest_vertex_or_a_point_of_a_circle() -> None:
    """The line is given by either body's edges, turned by nothing, by rounding, or by what is no rounding any more."""
    kinds = set()
    rng = np.random.default_rng(62)
    circle = Scene(Body.in_plane(Circle(0.5), (1.0, 2.0)), Body.in_plane(Polygon(((0.0, 0.0), (1.0, 0.0), (0.0, 1.0)))))
    for scene in (*scenes(24, 62, (general, contained, lattice)), circle):
        pair = PlanePair.of(scene.a, scene.b)
        ways = [(float(np.cos(t)), float(np.sin(t))) for t in rng.uniform(0.0, 7.0, 3)]
        ways += [way for normal in (*pair.a.normals, *pair.b.normals) for way in (normal, (-normal[0], -normal[1]))]
        for turn in (0.0, 1e-13, 1e-3):
            for x, y in ways:
                size = float(np.sqrt(1.0 + turn * turn))
                normal = (x - turn * y) / size, (y + turn * x) / size
                found = supporting_features(scene.a, scene.b, normal)
                for body, core, feature, sign in (
                    (scene.a, pair.a, found.a, 1.0),
                    (scene.b, pair.b, found.b, -1.0),
                ):
                    way = sign * normal[0], sign * normal[1]
                    corners, radius = outline(body, (0.0, 0.0, 0.0))
                    heights = corners @ way
                    points = np.array(feature.points)
                    assert points[:, 2].tolist() == [0.0] * len(points)
                    assert points[:, :2] @ way == pytest.approx(heights.max() + radius, abs=1e-11)
                    level = np.flatnonzero(heights >= heights.max() - 1e-11)
                    numbers = [core.numbers[k] for k in level]
                    if isinstance(body.shape, Circle):
                        wanted = "surface", "surface", ()
                        assert points[0, :2] == pytest.approx(corners[0] + radius * np.array(way), abs=1e-14)
                    elif len(level) == 2:
                        k = next(k for k in level if (k + 1) % len(corners) in level)
                        wanted = "edge", f"edge{k}", (core.numbers[k], core.numbers[(k + 1) % len(corners)])
                        assert facing_edge(core, way) == k
                        assert points[:, :2] == pytest.approx(corners[[k, (k + 1) % len(corners)]], abs=1e-14)
                    else:
                        wanted = "vertex", f"v{min(numbers)}", (min(numbers),)
                        assert points[0, :2] == pytest.approx(corners[level[0]], abs=1e-14)
                    assert (feature.kind, feature.name, tuple(feature.indices)) == wanted
                    kinds.add((sign, feature.kind))
    assert len(kinds) == 6


def test_of_a_polygons_vertices_the_lowest_number_of_equally_far_ones_supports() -> None:
    """Whichever way round it is listed, and wherever the list begins."""
    square = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
    for order in (square, square[::-1]):
        for first in range(4):
            listed = order[first:] + order[:first]
            a, b = Body.in_plane(Polygon.of(listed)), Body.in_plane(Circle(0.25), (3.0, 1.0))
            difference = support_maps(a, b)
            assert (difference.dimension, difference.radius_a, difference.radius_b) == (2, 0.0, 0.25)
            for way in ((1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, -1.0, 0.0)):
                found = difference.support(way)
                far = [k for k, point in enumerate(listed) if np.dot(point, way[:2]) == 1.0]
                assert found.vertex_a == far[0]
                assert found.a.tolist() == [*listed[far[0]], 0.0]
                assert found.b.tolist() == [3.0, 1.0, 0.0]
                assert found.w.tolist() == (found.a - found.b).tolist()
                assert found.xy == tuple(found.w[:2])
                assert found.direction.tolist() == list(way)
