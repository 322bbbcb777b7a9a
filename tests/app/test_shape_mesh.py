"""Meshes of the curved shapes: closed, outward, of the volume the solid has, and on its surface."""

from math import pi

import numpy as np
import pytest

from app.draw.meshes.shape_mesh import curved_look
from core.geometry.vector import cross_rows, length_rows
from core.shapes import Capsule, Cone, Cylinder, Ellipsoid

SHAPES = [
    (Capsule(0.5, 2.0), pi * 0.25 * 2.0 + 4 / 3 * pi * 0.125),
    (Cylinder(0.7, 1.5), pi * 0.49 * 1.5),
    (Cone(0.8, 1.2), pi * 0.64 * 1.2 / 3),
    (Ellipsoid((0.5, 1.0, 2.0)), 4 / 3 * pi),
]


@pytest.mark.parametrize(("shape", "volume"), SHAPES)
def test_the_mesh_is_closed_and_has_nearly_the_volume(shape, volume):
    mesh = curved_look(shape).mesh
    a, b, c = np.moveaxis(mesh.corners, 1, 0)
    assert float(np.einsum("ij,ij->", a, cross_rows(b, c)) / 6.0) == pytest.approx(volume, rel=0.03)


@pytest.mark.parametrize(("shape", "volume"), SHAPES)
def test_triangles_face_outwards_with_unit_normals(shape, volume):
    mesh = curved_look(shape).mesh
    a, b, c = np.moveaxis(mesh.corners, 1, 0)
    assert np.all(np.einsum("ij,ij->i", cross_rows(b - a, c - a), mesh.normals.mean(axis=1)) > 0.0)
    assert np.allclose(length_rows(mesh.normals), 1.0)


@pytest.mark.parametrize(("shape", "volume"), SHAPES)
def test_corners_lie_on_the_surface(shape, volume):
    mesh = curved_look(shape).mesh
    normals = mesh.normals.reshape(-1, 3)
    heights = np.einsum("ij,ij->i", normals, mesh.corners.reshape(-1, 3))
    assert np.allclose(heights, shape.reach(normals), atol=1e-12)


def test_creases_lie_between_their_two_surfaces():
    for shape in (Cylinder(0.7, 1.5), Cone(0.8, 1.2)):
        for crease in curved_look(shape).creases:
            for side in (0, 1):
                heights = np.einsum("ij,ij->i", crease.normals[:, side], crease.points)
                assert np.allclose(heights, shape.reach(crease.normals[:, side]), atol=0.01)
