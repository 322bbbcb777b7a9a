"""Where B would stand after the minimum translation: a dashed ghost that just touches A."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.answer import Verdict
from core.geometry.vector import Array
from core.shapes import Box

from ..draw_list import Dash, DrawList, Hidden
from ..theme import faded
from .context import Context, Overlay


def _world(context: Context, draw: DrawList) -> None:
    analysis = context.analysis
    if analysis.verdict is not Verdict.OVERLAPPING or analysis.mtv is None:
        return
    x, y, z = (p + m for p, m in zip(context.scene.b.position, analysis.mtv.tolist(), strict=True))
    moved = replace(context.scene.b, position=(x, y, z))
    rgba = faded(context.theme.edge_b, 0.75)
    if isinstance(moved.shape, Box):
        pose = moved.pose
        ghost = moved.shape.polyhedron.placed(pose.matrix, pose.position)
        draw.lines(
            ghost.vertices[ghost.edges[:, 0]],
            ghost.vertices[ghost.edges[:, 1]],
            rgba,
            1.2,
            dash=Dash.DASHED,
            hidden=Hidden.FAINT,
        )
    else:
        for circle in great_circles(np.array(moved.position), moved.shape.radius):
            draw.polyline(circle, rgba, 1.2, closed=True, dash=Dash.DASHED)


def great_circles(centre: Array, radius: float) -> tuple[Array, Array, Array]:
    """Three circles (48, 3) of the sphere, perpendicular to the world's axes."""
    turn = np.linspace(0.0, 2.0 * np.pi, 48, endpoint=False)
    flat = radius * np.column_stack((np.cos(turn), np.sin(turn), np.zeros_like(turn)))
    return centre + flat, centre + np.roll(flat, 1, axis=1), centre + np.roll(flat, 2, axis=1)


OVERLAY = Overlay(
    "resolved", "B after the way out", "U", "B moved by the minimum translation: it just touches A", world=_world
)
