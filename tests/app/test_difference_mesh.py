"""The sampled difference: closed, outward, and nowhere off the difference's surface."""

from math import pi

import numpy as np
import pytest

from app.draw.meshes.shape_mesh import support_mesh
from core.geometry.vector import cross_rows
from core.scene import Body
from core.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, Hull, Shape, Sphere

PAIRS = {
    "two spheres": (Body(Sphere(1.0)), Body(Sphere(0.5), (2.0, 0.0, 0.0)), 4 / 3 * pi * 3.375),
    "box and sphere": (Body(Box((1.0, 2.0, 3.0))), Body(Sphere(0.5)), 6 + 11 + 1.5 * pi + pi / 6),
    "two boxes": (Body(Box((1.0, 2.0, 3.0))), Body(Box((1.0, 1.0, 1.0)), (0.3, 0.2, 0.1)), 24.0),
    "cylinders along one axis": (Body(Cylinder(1.0, 2.0)), Body(Cylinder(0.5, 1.0)), pi * 2.25 * 3.0),
    "capsule and ball": (Body(Capsule(0.5, 2.0)), Body(Sphere(0.5)), pi * 2.0 + 4 / 3 * pi),
}


@pytest.mark.parametrize("name", PAIRS)
def test_the_mesh_is_closed_and_has_nearly_the_volume_of_the_sum(name):
    a, b, volume = PAIRS[name]
    first, second, third = np.moveaxis(support_mesh(a, b).corners, 1, 0)
    assert float(np.einsum("ij,ij->", first, cross_rows(second, third)) / 6.0) == pytest.approx(volume, rel=0.03)


def test_no_corner_leaves_the_difference():
    a, b = (
        Body(Cylinder(0.7, 1.5), (0.2, 0.0, 0.0)),
        Body(Ellipsoid((0.5, 1.0, 0.3)), (1.0, 0.4, 0.0), (0.6, 0.8, 0.0, 0.0)),
    )
    corners = support_mesh(a, b).corners.reshape(-1, 3)
    directions = np.random.default_rng(1).normal(size=(200, 3))
    directions /= np.sqrt((directions**2).sum(axis=1))[:, None]
    reach_a = directions @ a.pose.position + a.shape.reach(directions @ a.pose.matrix)
    reach_b = -directions @ b.pose.position + b.shape.reach(-directions @ b.pose.matrix)
    assert np.all((corners @ directions.T).max(axis=0) <= reach_a + reach_b + 1e-12)
    assert np.all((corners @ directions.T).max(axis=0) >= 0.97 * (reach_a + reach_b) - 0.02)


@pytest.mark.parametrize(
    "shape",
    [Cylinder(0.7, 1.5), Cone(0.6, 1.1), Ellipsoid((0.5, 1.0, 0.3)), Capsule(0.4, 1.0), Hull.of(np.eye(4)[:, :3])],
    ids=lambda shape: type(shape).__name__,
)
def test_less_a_grain_the_corners_are_as_far_along_their_directions_as_the_shape_is(shape: Shape):
    body, grain = Body(shape, (0.2, 1.0, 0.0), (0.6, 0.8, 0.0, 0.0)), Body(Sphere(1e-9))
    corners = support_mesh(body, grain).corners.reshape(-1, 3)
    local = body.pose.to_local(corners)
    rng = np.random.default_rng(2)
    directions = rng.normal(size=(100, 3))
    reach = shape.reach(directions)
    assert (local @ directions.T).max(axis=0) == pytest.approx(reach, rel=0.02, abs=1e-8)
    assert ((local @ directions.T).max(axis=0) <= reach + 1e-8).all()


@pytest.mark.parametrize("coarse", [False, True])
@pytest.mark.parametrize("first", [Cylinder(0.7, 1.5), Cone(0.6, 1.1)], ids=lambda shape: type(shape).__name__)
def test_no_triangle_is_folded_over_beside_a_flat_face(first: Shape, coarse: bool):
    rng = np.random.default_rng(3)
    for second in (Capsule(0.4, 1.0), Ellipsoid((0.6, 0.9, 0.5)), Sphere(0.5)):
        turn = rng.normal(size=4)
        turn /= np.sqrt(turn @ turn)
        for rotation in ((1.0, 0.0, 0.0, 0.0), tuple(turn.tolist())):
            corners = support_mesh(Body(first), Body(second, (0.0, 0.0, 0.0), rotation), coarse=coarse).corners
            faces = cross_rows(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
            middle = corners.reshape(-1, 3).mean(axis=0)
            outward = np.einsum("ij,ij->i", faces, corners.mean(axis=1) - middle)
            assert (outward > -1e-9).all(), (second, rotation)
