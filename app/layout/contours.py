"""Outlines of smooth solids: where the surface turns away from the viewer.

A ball's outline is its tangent circle, exactly. A mesh's is where the interpolated normal stands at right angles to
the line of sight, found per triangle; the points are then lifted off the flat triangle onto the curved surface that
its normals describe (Boubekeur and Alexa 2008, "Phong tessellation", with the factor 1/2 that is exact for a circular
arc to fourth order), so that a coarse mesh has a round outline.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.geometry.vector import Array, any_perpendicular, cross, length, length_rows

from ..camera import Projection
from ..draw_list import IntArray, Solid

PIECES = 2
"""Straight pieces that one triangle's part of a mesh outline is drawn with."""


@dataclass(frozen=True, eq=False, slots=True)
class Contour:
    """Short lines from `start` to `end` (n, 3), and points of the outline (k, 3) with unit normals; view frame."""

    start: Array
    end: Array
    points: Array
    normals: Array


def contour_of(solid: Solid, corners: Array, normals: Array, projection: Projection) -> Contour | None:
    """The outline of a smooth solid with `corners` and `normals` (m, 3, 3) in the view frame; None for a flat one."""
    if not solid.smooth:
        return None
    if solid.ball is not None:
        return _ball_contour(solid.ball, projection)
    return _mesh_contour(corners, normals, projection)


def _ball_contour(ball: tuple[float, float, float, float], projection: Projection) -> Contour:
    centre = projection.to_view(np.array(ball[:3]))
    radius = ball[3] / projection.camera.distance
    eye = np.array((0.0, 0.0, 1.0)) - projection.perspective * centre
    distance = length(eye)
    if projection.perspective and distance <= radius:
        nothing = np.zeros((0, 3))
        return Contour(nothing, nothing, nothing, nothing)
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


def _mesh_contour(corners: Array, normals: Array, projection: Projection) -> Contour:
    facing = np.einsum("mij,mij->mi", normals, projection.towards_viewer(corners))
    front = facing >= 0.0
    seen = front.sum(axis=1)
    crossed = np.nonzero((seen == 1) | (seen == 2))[0]
    # The odd corner stands alone on its side; the outline crosses the two sides of the triangle that meet there.
    odd = np.argmax(front[crossed] == (seen[crossed] == 1)[:, None], axis=1)
    first = _crossing(corners, normals, facing, crossed, odd, 1)
    second = _crossing(corners, normals, facing, crossed, odd, 2)
    share = np.linspace(0.0, 1.0, PIECES + 1)[:, None, None]
    points, _ = _bent(*first, *second, share)
    return Contour(points[:-1].reshape(-1, 3), points[1:].reshape(-1, 3), *first)


def _crossing(
    corners: Array, normals: Array, facing: Array, rows: IntArray, odd: IntArray, step: int
) -> tuple[Array, Array]:
    """Point and unit normal (n, 3) of the outline on the side from corner `odd` to the one `step` further."""
    other = (odd + step) % 3
    here, there = facing[rows, odd], facing[rows, other]
    share = (here / (here - there))[:, None]
    return _bent(corners[rows, odd], normals[rows, odd], corners[rows, other], normals[rows, other], share)


def _bent(p: Array, n: Array, q: Array, m: Array, share: Array) -> tuple[Array, Array]:
    """Points and unit normals at `share` along curves from p with normal n to q with normal m."""
    flat = p + share * (q - p)
    lift_p = np.einsum("...i,...i->...", p - flat, np.broadcast_to(n, flat.shape))[..., None] * n
    lift_q = np.einsum("...i,...i->...", q - flat, np.broadcast_to(m, flat.shape))[..., None] * m
    normal = n + share * (m - n)
    lengths = np.maximum(length_rows(normal), 1e-300)[..., None]
    return flat + 0.5 * ((1.0 - share) * lift_p + share * lift_q), normal / lengths
