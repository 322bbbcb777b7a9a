"""Contact vertices: which feature of each body is nearest the separating plane."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

from core import Body, Box, Capsule, Sphere, analyse
from core.geometry.quaternion import from_axis_angle
from core.pair.cores import cores_of
from core.pair.features import support_feature
from tests.oracles import extent_of, vertices_of
from tests.strategies import cubes, general, near_aligned, sample


@pytest.mark.parametrize(
    ("direction", "kind", "name"),
    [
        ((1, 1, 1), "vertex", "v4"),
        ((-1, -1, -1), "vertex", "v0"),
        ((1, 1, 0), "edge", "v4-v7"),
        ((0, -1, -1), "edge", "v0-v1"),
        ((0, 0, 1), "face", "+z"),
        ((-1, 0, 0), "face", "-x"),
    ],
)
def test_vertex_edge_or_face(direction: tuple[float, float, float], kind: str, name: str) -> None:
    unit = np.array(direction) / np.linalg.norm(direction)
    feature = support_feature(Body(Box((2.0, 4.0, 6.0)), (1.0, 1.0, 1.0)), unit)
    assert (feature.kind, feature.name) == (kind, name)
    assert len(feature.points) == len(feature.indices) == {"vertex": 1, "edge": 2, "face": 4}[kind]


def test_a_face_is_in_loop_order_seen_from_outside() -> None:
    for axis in range(3):
        for side in (1.0, -1.0):
            direction = side * np.eye(3)[axis]
            corners = support_feature(Body(Box((2.0, 4.0, 6.0))), direction).points
            around = np.cross(corners[1] - corners[0], corners[2] - corners[1])
            assert around / np.linalg.norm(around) == pytest.approx(direction)


def test_a_quarter_turn_leaves_a_face_a_face() -> None:
    body = Body(Box((1.0, 1.0, 1.0)), (0.0, 0.0, 0.0), from_axis_angle((1, 0, 0), pi / 2))
    assert support_feature(body, np.array((0.0, 1.0, 0.0))).kind == "face"


def test_a_visible_tilt_is_an_edge_and_a_tilt_of_rounding_is_not() -> None:
    up = np.array((0.0, 1.0, 0.0))
    for angle, kind in ((1e-3, "edge"), (1e-7, "edge"), (1e-11, "face")):
        body = Body(Box((1.0, 1.0, 1.0)), (0.0, 0.0, 0.0), from_axis_angle((1, 0, 0), angle))
        assert support_feature(body, up).kind == kind


def test_the_tolerance_is_measured_by_the_body_itself_and_not_by_the_floor_under_it() -> None:
    tiny = Body(Box((1e-6, 1e-6, 1e-6)), (0.0, 0.0, 0.0), from_axis_angle((1, 2, 3), 0.5))
    assert support_feature(tiny, np.array((0.0, 1.0, 0.0))).kind == "vertex"


def test_a_needle_seen_from_its_end_still_has_a_feature() -> None:
    needle = Body(Box((1e-9, 1.0, 1e-9)))
    assert support_feature(needle, np.array((1.0, 0.0, 0.0))).name == "+x"
    assert support_feature(needle, np.array((0.8, 0.0, 0.6))).kind in {"edge", "face"}


def test_a_sphere_offers_one_point_of_its_surface() -> None:
    feature = support_feature(Body(Sphere(2.0), (1.0, 0.0, 0.0)), np.array((0.0, 0.0, -1.0)))
    assert feature.kind == feature.name == "surface"
    assert feature.points.tolist() == [[1.0, 0.0, -2.0]]
    assert feature.indices == ()


def test_stacked_cubes_rest_face_on_face() -> None:
    found = analyse(cubes(0.5, 0.5, (0.2, 0.9, 0.1))).contact_vertices
    assert (found.a.name, found.b.name) == ("+y", "-y")
    assert found.a.points[:, 1].tolist() == [0.5] * 4
    assert found.b.points[:, 1] == pytest.approx([0.4] * 4)


def test_p10_contact_vertices_are_the_supporting_ones_of_both_bodies() -> None:
    for scene in [*sample(general, 60), *sample(near_aligned, 60)]:
        found = analyse(scene)
        for body, feature, direction in (
            (scene.a, found.contact_vertices.a, found.normal),
            (scene.b, found.contact_vertices.b, -found.normal),
        ):
            heights = vertices_of(body, np.array(body.position)) @ direction
            assert feature.points @ direction == pytest.approx(heights.max(), abs=3e-9 * extent_of(scene))
            assert isinstance(body.shape, Box)
            world = body.pose.to_world(body.shape.polyhedron.vertices)
            assert feature.points == pytest.approx(world[list(feature.indices)])


def test_a_vertex_is_named_by_what_it_is_a_vertex_of() -> None:
    """A segment's are ends, a solid's are numbered, a point is the centre."""
    segment, solid = cores_of(Body(Capsule(0.5, 2.0)), Body(Box((1.0, 1.0, 1.0)), (3.0, 0.0, 0.0)))
    assert [segment.vertex_name(k) for k in (0, 1)] == ["end0", "end1"]
    assert [solid.vertex_name(k) for k in (0, 7)] == ["v0", "v7"]
    assert cores_of(Body(Sphere(1.0)), Body(Sphere(1.0), (3.0, 0.0, 0.0)))[0].vertex_name(0) == "centre"
