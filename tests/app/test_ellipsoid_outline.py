"""The outlines and triangles of sums of ellipsoids: on the surface, where sight grazes it, fine enough to print."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

from app.draw.camera import Camera, Projection
from app.draw.draw_list import NO_SUBJECT, DrawList, Subject
from app.draw.ellipsoid_sum import difference_sum, sum_of
from app.draw.layout.frame import seen
from app.draw.placed import PlacedLines, rounded_ends
from app.overlays.bodies import draw_body
from core.geometry.vector import Array, dots, length_rows
from core.scene import Body
from core.shapes import Box, Ellipsoid, Rounded, Sphere

A = Body(Ellipsoid((1.2, 0.6, 0.8)), (0.1, 0.8, 0.0), (0.9612, 0.1263, 0.1261, 0.21))
B = Body(Ellipsoid((0.5, 1.0, 0.7)), (1.75, 1.25, 0.3), (0.9509, -0.1801, 0.0966, 0.2325))


def solid_of(body: Body):
    draw = DrawList()
    draw_body(draw, body, (0.5, 0.5, 0.5, 0.5), (0.0, 0.0, 0.0, 1.0), Subject("body", 0))
    return draw.solids[0]


def projections() -> list[Projection]:
    views = [(0.5, 0.3), (-1.2, 1.0), (2.8, -0.6)]
    return [
        Projection(Camera((0.9, 1.0, 0.1), distance, yaw, pitch, orthographic=flat), 1000, 1000)
        for yaw, pitch in views
        for distance, flat in ((6.0, False), (3.0, False), (6.0, True))
    ]


@pytest.mark.parametrize("projection", projections())
@pytest.mark.parametrize("body", [A, B, Body(Rounded(Ellipsoid((0.9, 0.2, 0.3)), 0.1), (1.0, 1.0, 0.0))])
def test_an_ellipsoids_outline_is_where_the_line_of_sight_grazes_it(body: Body, projection: Projection) -> None:
    found, shape = seen(solid_of(body), projection, 1.0).contour, sum_of(body)
    assert found is not None
    assert shape is not None
    assert not found.of_mesh
    view = shape.seen(projection)
    reach, _ = view.reached(found.normals)
    assert np.abs(dots(found.points - view.centre, found.normals) - reach).max() < 1e-12
    sight = projection.towards_viewer(found.points)
    assert np.abs(dots(sight, found.normals)).max() < 1e-8
    assert farthest_inside(found.points, projection) < 0.25


def farthest_inside(points: Array, projection: Projection) -> float:
    """The largest distance of an outline's sides from the true outline, pixels."""
    screen = projection.screen(points)[:, :2]
    way = np.roll(screen, -1, axis=0) - screen
    turned = np.arctan2(way[:, 1], way[:, 0])
    turns = np.abs((np.diff(turned, append=turned[:1]) + pi) % (2.0 * pi) - pi)
    # A side of length c between two turns of at most t is off its arc by about c t / 8.
    return float((length_rows(way) * np.maximum(turns, np.roll(turns, 1)) / 8.0).max())


def test_the_difference_is_the_sum_of_both() -> None:
    found, ball = difference_sum(A, B), difference_sum(Body(Sphere(0.4)), B)
    assert found is not None
    assert ball is not None
    directions = np.array([(0.6, 0.0, 0.8), (-1.0, 0.0, 0.0), (0.0, -0.28, 0.96)])
    for direction in directions:
        reach, point = found.reached(direction)
        a, b = (
            body.pose.to_world(body.shape.support(body.pose.direction_to_local(sign * direction)))
            for body, sign in ((A, 1.0), (B, -1.0))
        )
        assert found.centre + point == pytest.approx(a - b, abs=1e-12)
        assert reach == pytest.approx(dots(point, direction), abs=1e-12)
        assert ball.centre + ball.reached(direction)[1] == pytest.approx(0.4 * direction - b, abs=1e-12)
    assert difference_sum(Body(Box((1.0, 1.0, 1.0))), B) is None
    assert difference_sum(Body(Sphere(0.4)), Body(Sphere(0.3))) is None


def test_a_body_about_the_eye_has_no_outline() -> None:
    projection = Projection(Camera((0.1, 0.8, 0.0), 0.5, 0.0, 0.0), 800, 600)
    found = seen(solid_of(A), projection, 1.0).contour
    assert found is not None
    assert len(found.start) == 0


def test_its_triangles_end_at_the_outline() -> None:
    projection = projections()[0]
    found = seen(solid_of(A), projection, 1.0)
    assert found.contour is not None
    corners = {tuple(point) for point in found.corners.reshape(-1, 3).tolist()}
    near = [min(np.abs(np.array(point) - each).max() for each in corners) for point in found.contour.points[::16]]
    assert max(near) < 1e-12


def test_a_translucent_outline_has_no_round_joints_but_where_it_turns() -> None:
    turns = np.array((0.0, 0.05, 0.1, 1.2))
    way = np.cumsum(50.0 * np.column_stack((np.cos(turns), np.sin(turns))), axis=0)
    start, end = np.concatenate((np.zeros((1, 2)), way[:-1])), way
    for alpha, rounded in ((0.4, [(0, 0), (0, 0), (0, 1), (1, 0)]), (1.0, [(0, 1), (1, 1), (1, 1), (1, 0)])):
        rgba = np.tile((0.0, 0.0, 0.0, alpha), (4, 1))
        none = np.zeros(4, dtype=np.int64)
        lines = PlacedLines(start, end, np.full(4, 5.0), rgba, rgba, none, np.zeros(4), (NO_SUBJECT,) * 4)
        assert rounded_ends(lines).astype(int).tolist() == [list(row) for row in rounded]
