"""Where B would stand after the minimum translation: a dashed ghost that just touches A."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from core.geometry.vector import Array
from core.verdict import Verdict

from ..draw.draw_list import Dash, DrawList
from ..draw.theme import faded
from .context import Context, Overlay
from .extent import patch
from .solids import main_edges


def _world(context: Context, draw: DrawList) -> None:
    analysis = context.analysis
    if analysis.verdict is not Verdict.OVERLAPPING or analysis.mtv is None:
        return
    shape, pose = context.scene.b.shape, context.scene.b.pose
    rgba = faded(context.theme.edge_b, 0.75)
    if shape.plane is not None:
        square = patch(context.scene.b, context.scene.a) + analysis.mtv
        draw.polyline(square, rgba, 1.2, closed=True, dash=Dash.DASHED)
    elif shape.polyhedron is not None:
        ghost = shape.polyhedron.placed(pose.matrix, pose.position + analysis.mtv)
        start, end = ghost.vertices[ghost.edges[:, 0]], ghost.vertices[ghost.edges[:, 1]]
        creases = main_edges(ghost)
        # Where only the outline is drawn, layout finds it by the faces' normals.
        normals = None if creases is None else ghost.normals[ghost.edge_faces]
        draw.lines(start, end, rgba, 1.2, dash=Dash.DASHED, normals=normals, creases=creases)
    else:
        for loop in outlines(shape.support):
            draw.polyline(pose.to_world(loop) + analysis.mtv, rgba, 1.2, closed=True, dash=Dash.DASHED)


def outlines(support: Callable[[Array], Array]) -> list[Array]:
    """Three loops (48, 3) on a round shape: its farthest points along the directions of each coordinate plane."""
    turn = np.linspace(0.0, 2.0 * np.pi, 48, endpoint=False)
    flat = np.column_stack((np.cos(turn), np.sin(turn), np.zeros_like(turn)))
    return [np.array([support(direction) for direction in np.roll(flat, axis, axis=1)]) for axis in range(3)]


OVERLAY = Overlay(
    "resolved",
    "B after the way out",
    "U",
    "B moved by the minimum translation: it just touches A",
    world=_world,
    of_answer=True,
)
