"""Face normals of polyhedra and half-spaces, as short arrows from the middle of each face."""

from __future__ import annotations

import numpy as np

from core.geometry.vector import Array
from core.shapes import Box, HalfSpace

from ..draw_list import DrawList
from ..theme import faded
from .context import Context, Overlay
from .extent import patch
from .text_sizes import FINE

BOX_FACES = ("+x", "−x", "+y", "−y", "+z", "−z")
MOST_NAMED = 12
"""Hulls with more faces show arrows without names: a hedgehog of letters helps nobody."""


def _world(context: Context, draw: DrawList) -> None:
    for index, body in enumerate((context.scene.a, context.scene.b)):
        shape, pose = body.shape, body.pose
        if isinstance(shape, HalfSpace):
            middle = patch(body, context.scene.body(1 - index)).mean(axis=0).reshape(1, 3)
            size = context.scene.body(1 - index).shape.bounding_radius
            _draw_normals(context, draw, index, middle, (pose.matrix @ shape.plane.normal).reshape(1, 3), size, ("n",))
        elif shape.polyhedron is not None:
            solid = shape.polyhedron.placed(pose.matrix, pose.position)
            middles = np.array([solid.vertices[list(loop)].mean(axis=0) for loop in solid.faces])
            names = BOX_FACES if isinstance(shape, Box) else tuple(f"face{face}" for face in range(len(middles)))
            _draw_normals(context, draw, index, middles, solid.normals, 0.45 * shape.largest_half_extent, names)


def _draw_normals(
    context: Context, draw: DrawList, index: int, feet: Array, normals: Array, size: float, names: tuple[str, ...]
) -> None:
    tips = feet + normals * size
    rgba = faded(context.theme.edge(index), 0.9)
    draw.lines(feet, tips, rgba, 1.6, arrow_end=9.0)
    if len(names) <= MOST_NAMED:
        for name, tip in zip(names, tips, strict=True):
            draw.label(f"{'AB'[index]}.{name}", tip, rgba, size=FINE, offset=(0.0, -9.0), priority=10)


OVERLAY = Overlay("normals", "Face normals", "N", "Outward unit normal of every flat face", world=_world)
