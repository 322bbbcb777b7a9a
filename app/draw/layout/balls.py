"""A ball's triangles, laid out for the eye that sees them: rings about the line of sight, one of them the outline.

A mesh made without a camera leaves slivers between its flat sides and the outline, the wider the nearer one looks.
Here the outline's own polygon is the rim, so that fill and outline meet exactly at every size.
"""

from __future__ import annotations

import numpy as np

from core.geometry.vector import Array, length

from ..camera import Projection
from .contours import Contour

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
