"""Face normals of the boxes, as short arrows from the middle of each face."""

from __future__ import annotations

import numpy as np

from core.shapes import Box

from ..draw_list import DrawList
from ..theme import faded
from .context import Context, Overlay
from .text_sizes import FINE

NAMES = ("+x", "−x", "+y", "−y", "+z", "−z")


def _world(context: Context, draw: DrawList) -> None:
    for index, body in enumerate((context.scene.a, context.scene.b)):
        if not isinstance(body.shape, Box):
            continue
        pose = body.pose
        solid = body.shape.polyhedron.placed(pose.matrix, pose.position)
        middles = np.array([solid.vertices[list(loop)].mean(axis=0) for loop in solid.faces])
        tips = middles + solid.normals * (0.45 * body.shape.largest_half_extent)
        rgba = faded(context.theme.edge(index), 0.9)
        draw.lines(middles, tips, rgba, 1.6, arrow_end=9.0)
        for name, tip in zip(NAMES, tips, strict=True):
            draw.label(f"{'AB'[index]}.{name}", tip, rgba, size=FINE, offset=(0.0, -9.0), priority=10)


OVERLAY = Overlay("normals", "Face normals", "N", "Outward unit normal of every face of the boxes", world=_world)
