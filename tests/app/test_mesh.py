"""Meshes of drawn solids: closed, outward, and of the volume the solid has."""

from math import pi

import numpy as np
import pytest

from app.draw.meshes.mesh import Mesh, ball_mesh, grown_mesh, polyhedron_mesh
from core.geometry.vector import cross_rows
from core.shapes import Box


def volume(mesh: Mesh) -> float:
    """By the divergence theorem, which holds for a closed and consistently oriented surface only."""
    a, b, c = np.moveaxis(mesh.corners, 1, 0)
    return float(np.einsum("ij,ij->", a, cross_rows(b, c)) / 6.0)


def steiner_volume(size: tuple[float, float, float], radius: float) -> float:
    x, y, z = size
    return x * y * z + 2 * (x * y + y * z + z * x) * radius + pi * radius**2 * (x + y + z) + 4 / 3 * pi * radius**3


def assert_outward(mesh: Mesh) -> None:
    a, b, c = np.moveaxis(mesh.corners, 1, 0)
    assert np.all(np.einsum("ij,ij->i", cross_rows(b - a, c - a), mesh.normals.mean(axis=1)) > 0.0)


def test_a_box_has_its_volume():
    mesh = polyhedron_mesh(Box((1.0, 2.0, 3.0)).polyhedron)
    assert volume(mesh) == pytest.approx(6.0, rel=1e-14)
    assert_outward(mesh)
    assert sorted(set(mesh.faces.tolist())) == list(range(6))


def test_a_ball_has_nearly_its_volume_wherever_it_is():
    mesh = ball_mesh(np.array([10.0, -4.0, 3.0]), 2.0)
    assert volume(mesh) == pytest.approx(4 / 3 * pi * 8.0, rel=0.03)
    assert_outward(mesh)


def test_a_grown_box_has_the_volume_of_steiners_formula():
    mesh = grown_mesh(Box((1.0, 2.0, 3.0)).polyhedron, 0.5)
    assert volume(mesh) == pytest.approx(steiner_volume((1.0, 2.0, 3.0), 0.5), rel=0.01)
    assert_outward(mesh)


def test_a_grown_box_keeps_its_distance_from_the_core():
    core = Box((1.0, 2.0, 3.0)).polyhedron
    mesh = grown_mesh(core, 0.25)
    points = mesh.corners.reshape(-1, 3)
    nearest = np.clip(points, core.vertices.min(axis=0), core.vertices.max(axis=0))
    assert np.allclose(np.sqrt(((points - nearest) ** 2).sum(axis=1)), 0.25, atol=1e-12)
