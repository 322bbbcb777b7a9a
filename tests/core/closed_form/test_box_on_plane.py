"""Boxes against planes: the vertices that they rest on, and how far they reach."""

from __future__ import annotations

import numpy as np
import pytest

from core.closed_form import box_plane_contact, distance_box_half_space, effective_radius
from core.geometry.plane import Plane
from core.geometry.quaternion import from_axis_angle
from core.geometry.vector import vec
from core.scene import Body
from core.shapes import Box
from tests.core.closed_form_samples import MAKERS, body

GROUND = Plane(vec(0.0, 1.0, 0.0), 0.0)


@pytest.mark.parametrize(
    ("axis", "angle", "kind"),
    [
        ((0.0, 0.0, 1.0), 0.0, "face"),
        ((0.0, 0.0, 1.0), np.pi / 2, "face"),  # the dot products are 2e-16
        ((1.0, 0.0, 0.0), np.pi, "face"),
        ((0.0, 0.0, 1.0), 1e-12, "face"),
        ((0.0, 0.0, 1.0), 1e-6, "edge"),
        ((0.0, 0.0, 1.0), 0.5, "edge"),
        ((0.6, 0.0, 0.8), 0.5, "vertex"),
    ],
)
def test_p3_a_box_rests_on_a_vertex_an_edge_or_a_face(
    axis: tuple[float, float, float], angle: float, kind: str
) -> None:
    box = Body(Box((2.0, 4.0, 6.0)), (1.0, 5.0, 2.0), from_axis_angle(axis, angle))
    assert isinstance(box.shape, Box)
    contact = box_plane_contact(box.pose, box.shape.half_extents, GROUND)
    assert contact.kind == kind
    assert len(contact.points) == {"vertex": 1, "edge": 2, "face": 4}[kind] == 2 ** contact.signs.count(0)
    corners = box.pose.to_world(box.shape.polyhedron.vertices)
    assert contact.separation == pytest.approx(corners[:, 1].min(), abs=1e-15)
    assert contact.points == pytest.approx(corners[list(contact.indices)], abs=1e-15)
    assert contact.points[:, 1] == pytest.approx([contact.separation] * len(contact.points), abs=1e-8)


def test_p2_the_effective_radius_is_how_far_the_vertices_reach() -> None:
    rng = np.random.default_rng(3)
    for _ in range(100):
        it = body(rng, MAKERS["box"](rng))
        assert isinstance(it.shape, Box)
        normal = rng.normal(size=3)
        normal /= np.linalg.norm(normal)
        corners = it.shape.polyhedron.vertices @ it.pose.matrix.T
        assert effective_radius(it.pose, it.shape.half_extents, normal) == pytest.approx(
            float((corners @ normal).max())
        )


def test_a_box_that_lies_flat_is_met_in_the_middle_of_its_face() -> None:
    box = Body(Box((2.0, 2.0, 2.0)), (3.0, 0.5, 0.0))
    found = distance_box_half_space(box.pose, np.ones(3), GROUND)
    assert found.separation == -0.5
    assert found.normal.tolist() == [0.0, -1.0, 0.0]
    assert found.witness_a.tolist() == [3.0, -0.5, 0.0]
    assert found.witness_b.tolist() == [3.0, 0.0, 0.0]
