"""The feature that each shape touches a plane with, by name; and half-spaces, which borrow the other's points."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from core.geometry.quaternion import from_axis_angle
from core.pair.features import contact_vertices, support_feature
from core.scene import Body
from core.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Rounded, Shape, Sphere
from tests.core.shapes_samples import BOUNDED, CUBE_POINTS, ball_points, beyond, directions, name_of

CYLINDER = Cylinder(1.0, 4.0)
CONE = Cone(3.0, 4.0)
CAPSULE = Capsule(1.0, 4.0)
CUBE = Hull(CUBE_POINTS)
NEEDLE = Cylinder(1e-12, 1.0)


@pytest.mark.parametrize(
    ("shape", "direction", "kind", "name", "points"),
    [
        (Sphere(2.0), (0, 0, 1), "surface", "surface", [(0, 0, 2)]),
        (Ellipsoid((1.0, 2.0, 3.0)), (0, 1, 0), "surface", "surface", [(0, 2, 0)]),
        (CAPSULE, (1, 0, 0), "edge", "side", [(1, -2, 0), (1, 2, 0)]),
        (CAPSULE, (0, 1, 0), "surface", "cap +y", [(0, 3, 0)]),
        (CAPSULE, (0.6, -0.8, 0), "surface", "cap -y", [(0.6, -2.8, 0)]),
        (CYLINDER, (1, 0, 0), "edge", "side", [(1, -2, 0), (1, 2, 0)]),
        (CYLINDER, (0, 1, 0), "disc", "cap +y", [(1, 2, 0), (0, 2, -1), (-1, 2, 0), (0, 2, 1)]),
        (CYLINDER, (0, -1, 0), "disc", "cap -y", [(1, -2, 0), (0, -2, 1), (-1, -2, 0), (0, -2, -1)]),
        (CYLINDER, (0.6, 0.8, 0), "rim", "rim +y", [(1, 2, 0)]),
        (CYLINDER, (0, -0.8, -0.6), "rim", "rim -y", [(0, -2, -1)]),
        (CONE, (0, 1, 0), "vertex", "apex", [(0, 2, 0)]),
        (CONE, (0.5, sqrt(0.75), 0), "vertex", "apex", [(0, 2, 0)]),
        (CONE, (0.8, 0.6, 0), "edge", "side", [(3, -2, 0), (0, 2, 0)]),
        (CONE, (1, 0, 0), "rim", "rim -y", [(3, -2, 0)]),
        (CONE, (0, -1, 0), "disc", "base", [(3, -2, 0), (0, -2, 3), (-3, -2, 0), (0, -2, -3)]),
        (CUBE, (1, 0, 0), "face", "", [(1, -1, -1), (1, 1, -1), (1, 1, 1), (1, -1, 1)]),
        (CUBE, (sqrt(0.5), sqrt(0.5), 0), "edge", "", [(1, 1, -1), (1, 1, 1)]),
        (CUBE, (sqrt(1 / 3), -sqrt(1 / 3), sqrt(1 / 3)), "vertex", "v5", [(1, -1, 1)]),
        (NEEDLE, (0, 1, 0), "disc", "cap +y", None),
        (NEEDLE, (1, 0, 0), "edge", "side", None),
        (HalfSpace((0.0, 2.0, 0.0), 6.0), (0, 1, 0), "plane", "plane", [(0, 3, 0)]),
    ],
)
def test_named_features(shape: Shape, direction: tuple, kind: str, name: str, points: list | None) -> None:
    for tilt in (0.0, 1e-13):
        feature = support_feature(Body(shape), np.array(direction, dtype=float) + tilt * np.array((0.3, -0.5, 0.7)))
        assert feature.kind == kind
        assert feature.name == name or not name
        if points is not None:
            found = {tuple(p) for p in np.round(feature.points, 9) + 0.0}
            assert found == {tuple(float(x) for x in p) for p in points}


@pytest.mark.parametrize("shape", BOUNDED, ids=name_of)
def test_features_lie_on_the_surface_and_reach_farthest(shape: Shape) -> None:
    size = shape.bounding_radius
    for direction in directions(60):
        feature = shape.support_feature(direction, 1e-9 * size)
        assert np.abs(beyond(shape, feature.points)).max() <= 1e-14 * size
        assert (feature.points @ direction).min() >= shape.reach(direction) - 2.1e-9 * size
        assert len(feature.points) == {"face": len(feature.points), "disc": 4, "edge": 2}.get(feature.kind, 1)


@pytest.mark.parametrize("sharp", BOUNDED, ids=name_of)
def test_features_of_a_border_are_the_border_away_from_the_sharp_shape_and_reach_farthest(sharp: Shape) -> None:
    border = 0.25 * sharp.bounding_radius
    shape = Rounded(sharp, border)
    size = shape.bounding_radius
    for direction in directions(60):
        feature = shape.support_feature(direction, 1e-9 * size)
        # On the ball about a point of the sharp shape; a side is level with the direction to 1e-9 of the size only.
        assert beyond(sharp, feature.points - border * direction).max() <= 1e-9 * size
        assert (feature.points @ direction).min() >= sharp.reach(direction) + border - 2.1e-9 * size


def test_polyhedra_give_the_numbers_of_their_vertices() -> None:
    for hull in (CUBE, Hull.of(ball_points(50))):
        solid = hull.polyhedron
        for direction in (*solid.normals, *directions(50)):
            feature = hull.support_feature(direction, 1e-9)
            assert (feature.points == solid.vertices[list(feature.indices)]).all()
            if feature.kind == "face":
                assert feature.indices == solid.faces[int(feature.name.removeprefix("face"))]
            if feature.kind == "edge":
                assert feature.indices == tuple(solid.edges[int(feature.name.removeprefix("edge"))])
        named = {hull.support_feature(n, 1e-9).name for n in solid.normals}
        assert named == {f"face{k}" for k in range(len(solid.faces))}


def test_of_a_flat_hull_the_face_counts_that_faces_the_direction() -> None:
    """Both of its faces lie level: the one is gone round counter-clockwise as seen from where the direction leads."""
    flat = Hull.of(np.array(((0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (2.0, 1.0, 0.0), (0.0, 1.0, 0.0))))
    for way in ((0.0, 0.0, 1.0), (0.0, 0.0, -1.0)):
        found = flat.support_feature(np.array(way), 1e-9)
        first, second, third = found.points[:3]
        assert (found.kind, len(found.points)) == ("face", 4)
        assert float(np.cross(second - first, third - first) @ way) > 0.0
        assert float(flat.face_normals[int(found.name.removeprefix("face"))] @ way) == 1.0


def test_a_hull_and_a_box_agree_on_the_kind() -> None:
    box = Box((2.0, 2.0, 2.0))
    for direction in directions(100):
        ours, theirs = box.support_feature(direction, 1e-9), CUBE.support_feature(direction, 1e-9)
        assert ours.kind == theirs.kind
        assert sorted(map(tuple, ours.points)) == sorted(map(tuple, theirs.points))


def test_discs_turn_counter_clockwise_seen_from_outside() -> None:
    for shape, direction in ((CYLINDER, (0.0, 1.0, 0.0)), (CYLINDER, (0.0, -1.0, 0.0)), (CONE, (0.0, -1.0, 0.0))):
        first, second, third, _ = shape.support_feature(np.array(direction), 1e-9).points
        assert np.cross(second - first, third - second) @ np.array(direction) > 0.0


def test_features_are_placed_in_the_world() -> None:
    body = Body(CONE, (10.0, 0.0, 0.0), from_axis_angle((0.0, 0.0, 1.0), -np.pi / 2))
    feature = support_feature(body, np.array((1.0, 0.0, 0.0)))
    assert feature.name == "apex"
    assert feature.points[0] == pytest.approx((12.0, 0.0, 0.0))


@pytest.mark.parametrize("normal", [(0.0, 0.0, 1.0), (0.0, 3.0, 4.0), (1e-3, 0.0, 0.0)])
def test_a_border_moves_the_plane_of_a_half_space_out_by_its_radius_however_long_the_normal_is(normal: tuple) -> None:
    sharp = HalfSpace(normal, 2.0)
    grown = Rounded(sharp, 0.25)
    assert grown.plane is not None
    assert grown.plane.offset == pytest.approx(sharp.plane.offset + 0.25, rel=1e-15)
    assert float(grown.reach(sharp.plane.normal)) == pytest.approx(float(sharp.reach(sharp.plane.normal)) + 0.25)


@pytest.mark.parametrize(
    "points",
    [
        ((0.0, 0.0, 0.0),),
        ((0.3, 0.0, 0.0),),
        ((0.0, -1.0, 0.0), (0.0, 1.0, 0.0)),
        ((0.0, 0.5, 0.0), (0.0, 2.0, 0.0)),
        ((-1.0, 0.0, 0.0), (1.0, 0.0, 0.0)),
        ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)),
        CUBE_POINTS,
    ],
)
def test_a_border_reaches_its_radius_farther_than_the_points_wherever_they_lie(points: tuple) -> None:
    grown, corners, ways = Rounded(Hull(points), 0.25), np.array(points), directions(60)
    wanted = (ways @ corners.T).max(axis=1) + 0.25
    np.testing.assert_allclose(grown.reach(ways), wanted, atol=1e-14)
    np.testing.assert_allclose([way @ grown.support(way) for way in ways], wanted, atol=1e-14)


def test_a_half_space_shows_the_other_bodys_points_on_its_plane() -> None:
    ground = Body(HalfSpace((0.0, 1.0, 0.0), 0.5), (7.0, 1.0, -3.0))
    box = Body(Box((2.0, 2.0, 2.0)), (100.0, 4.0, 0.0))
    for touching in (
        contact_vertices(ground, box, np.array((0.0, 1.0, 0.0))),
        contact_vertices(box, ground, np.array((0.0, -1.0, 0.0))),
    ):
        plane, face = sorted((touching.a, touching.b), key=lambda f: f.kind != "plane")
        assert (plane.kind, plane.name, face.kind) == ("plane", "plane", "face")
        assert plane.points[:, 1] == pytest.approx(1.5)
        assert plane.points[:, ::2] == pytest.approx(face.points[:, ::2])
