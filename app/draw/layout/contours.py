"""Outlines of smooth solids, as seen, and the triangles of balls.

A ball's outline is its tangent circle, exactly; its triangles are laid out for the eye that sees them, in rings about
the line of sight, one of them the outline: a mesh made without a camera leaves slivers between the two. The outline of
any other convex solid is the hull of its corners on the screen, so that fill and outline end at the same corners.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from core.geometry.vector import Array, any_perpendicular, cross, length, length_rows

from ..camera import NEAR, Projection
from ..draw_list import Solid

_TURN = np.arange(160) * (2.0 * np.pi / 160)
_ROUND: Array = np.column_stack((np.cos(_TURN), np.sin(_TURN)))
"""Directions on the screen in which the outline's corners are sought, (160, 2), counter-clockwise: between two of them
a corner is missed by less than 2e-4 of the solid's size."""
_FEW = 10
"""Every so manieth of them is sought first."""


class Contour(Struct, frozen=True, eq=False):
    """A closed outline in the view frame.

    Lines from `start` to `end` (n, 3); `points` of it (k, 3) with the unit `normals` (k, 3) of planes through the
    eye that have the solid behind them.
    """

    start: Array
    end: Array
    points: Array
    normals: Array


_NO_CONTOUR = Contour(*np.zeros((4, 0, 3)))


def contour_of(solid: Solid, corners: Array, projection: Projection) -> Contour | None:
    """The outline of a smooth solid with `corners` (m, 3, 3) in the view frame; None for a flat one.

    It is empty where the eye is inside the solid, or too close to see an outline.
    """
    if not solid.smooth:
        return None
    if solid.ball is not None:
        return _ball_contour(solid.ball, projection)
    return _mesh_contour(corners, projection)


def _ball_contour(ball: tuple[float, float, float, float], projection: Projection) -> Contour:
    centre = projection.to_view(np.array(ball[:3]))
    radius = ball[3] / projection.camera.distance
    eye = np.array((0.0, 0.0, 1.0)) - projection.perspective * centre
    distance = length(eye)
    if projection.perspective and distance <= radius:
        return _NO_CONTOUR
    towards = eye / distance
    sine = radius / distance if projection.perspective else 0.0
    pixels = radius * projection.focal / max(float(1.0 - projection.perspective * centre[2]), 0.1)
    # Enough corners that the polygon stays within a fifth of a pixel of the circle.
    count = 8 * int(min(max(np.sqrt(max(pixels, 1.0)) * 0.65, 3.0), 32.0))
    angles = np.arange(count) * (2.0 * np.pi / count)
    side = any_perpendicular(towards)
    ring = np.cos(angles)[:, None] * side + np.sin(angles)[:, None] * cross(towards, side)
    normals = sine * towards + np.sqrt(1.0 - sine * sine) * ring
    points = centre + radius * normals
    return Contour(points, np.roll(points, -1, axis=0), points, normals)


def _mesh_contour(corners: Array, projection: Projection) -> Contour:
    points = corners.reshape(-1, 3)
    away = 1.0 - projection.perspective * points[:, 2]
    if len(points) == 0 or away.min() < NEAR:
        return _NO_CONTOUR
    screen = points[:, :2] / away[:, None]
    rows = _farthest(screen)
    ends = np.roll(rows, -1)
    # One corner is farthest in many directions, and stands in many triangles.
    kept = np.abs(screen[rows] - screen[ends]).max(axis=1) > 0.0
    start, end = rows[kept], ends[kept]
    way = screen[end] - screen[start]
    normals = np.column_stack((way[:, 1], -way[:, 0], np.zeros(len(way))))
    # The plane through the eye and the line.
    normals[:, 2] = projection.perspective * np.einsum("ij,ij->i", normals[:, :2], screen[start])
    normals /= length_rows(normals)[:, None]
    return Contour(points[start], points[end], points[start], normals)


def _farthest(screen: Array) -> NDArray[np.int64]:
    """Rows of the points (n, 2) that are farthest along each of _ROUND."""
    # What lies within the polygon of a few of them is farthest nowhere: hardly a tenth is left to look through.
    corners = screen[(_ROUND[::_FEW] @ screen.T).argmax(axis=1)]
    way = np.roll(corners, -1, axis=0) - corners
    outward = np.column_stack((way[:, 1], -way[:, 0]))
    reach = np.einsum("ij,ij->i", outward, corners)
    # A row for each direction: along columns the largest is found 20 times slower.
    beyond = (outward @ screen.T - reach[:, None]).max(axis=0)
    left = np.flatnonzero(beyond >= -1e-12 * np.abs(reach).max())
    rows: NDArray[np.int64] = left[(_ROUND @ screen[left].T).argmax(axis=1)]
    return rows


FRONT_RINGS = 5
BACK_RINGS = 3


def ball_triangles(
    ball: tuple[float, float, float, float], contour: Contour, projection: Projection
) -> tuple[Array, Array]:
    """Corners and unit normals (m, 3, 3), view frame, of the ball with the outline `contour` (not empty)."""
    centre = projection.to_view(np.array(ball[:3]))
    radius = ball[3] / projection.camera.distance
    eye = np.array((0.0, 0.0, 1.0)) - projection.perspective * centre
    towards = eye / length(eye)
    sine = radius / length(eye) if projection.perspective else 0.0
    rim_angle = np.arccos(sine)
    ring = (contour.normals - sine * towards) / np.sqrt(1.0 - sine * sine)
    angles = np.concatenate(
        (np.linspace(0.0, rim_angle, FRONT_RINGS + 1), np.linspace(rim_angle, np.pi, BACK_RINGS + 1)[1:])
    )
    normals = np.cos(angles)[:, None, None] * towards + np.sin(angles)[:, None, None] * ring
    near, far = normals[:-1], normals[1:]
    near_next, far_next = np.roll(near, -1, axis=1), np.roll(far, -1, axis=1)
    # Of the quads at the two poles one triangle has no area.
    lower = np.stack((near, far, far_next), axis=2).reshape(-1, 3, 3)[: -contour.normals.shape[0]]
    upper = np.stack((near, far_next, near_next), axis=2).reshape(-1, 3, 3)[contour.normals.shape[0] :]
    normals = np.concatenate((lower, upper))
    return centre + radius * normals, normals
