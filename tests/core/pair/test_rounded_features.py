"""Features of polygons with a border lie on the surface: as far along the direction as the body reaches."""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np
import pytest

from core import Body, analyse
from core.shapes import Circle, Polygon, Rounded

SQUARE = Polygon(((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)))


@pytest.mark.parametrize("border", [0.0, 0.25])
@pytest.mark.parametrize("turn", [0.0, 0.3, pi / 4.0])
def test_contact_vertices_lie_on_the_surface_that_faces_the_other_body(border: float, turn: float) -> None:
    shape = Rounded(SQUARE, border) if border else SQUARE
    for other in (Body.in_plane(shape, (0.25, 2.3), turn), Body.in_plane(Circle(0.5), (0.25, 2.0))):
        a = Body.in_plane(shape)
        found = analyse(a, other)
        normal = np.array(found.normal)
        for body, feature, way in zip(
            (a, other), (found.contact_vertices.a, found.contact_vertices.b), (1.0, -1.0), strict=True
        ):
            along = way * normal
            matrix = body.pose.matrix[:3, :3]
            reach = float((matrix @ body.shape.support(matrix.T @ along) + body.pose.position) @ along)
            for point in np.atleast_2d(np.array(feature.points)):
                assert float(point @ along) == pytest.approx(reach, abs=1e-9), feature.name


def test_an_edge_at_any_angle_is_moved_out_by_the_border() -> None:
    for k in range(8):
        angle = 0.1 + k * pi / 4.0
        a = Body.in_plane(Rounded(SQUARE, 0.25), (0.0, 0.0), angle)
        b = Body.in_plane(SQUARE, (2.75 * cos(angle), 2.75 * sin(angle)), angle)
        found = analyse(a, b)
        edge = np.array(found.contact_vertices.a.points)
        assert found.contact_vertices.a.kind == "edge"
        assert (edge[:, :2] @ (cos(angle), sin(angle))).tolist() == pytest.approx([1.25, 1.25])
