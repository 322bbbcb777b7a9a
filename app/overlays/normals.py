"""Face normals of polyhedra and half-spaces, as short arrows from the middle of each face; in 2D of the edges."""

from __future__ import annotations

from functools import lru_cache
from math import pi, sqrt

import numpy as np

from core.geometry.vector import Array, dots, product
from core.scene import Body
from core.shapes.polyhedron import Polyhedron

from ..draw.draw_list import DrawList
from ..draw.theme import faded
from ..shapes import face_name
from ..words.names import named_axis
from .context import Context, Overlay, patch
from .style import FINE

MOST_DRAWN = 60
"""A hull with more faces has at most this many arrows, spread over it; more would hide everything else."""
GOLDEN_ANGLE = pi * (3.0 - sqrt(5.0))
MOST_NAMED = 12
"""Bodies with more arrows have no names at them, which would overlap."""


def _world(context: Context, draw: DrawList) -> None:
    for index, body in enumerate((context.scene.a, context.scene.b)):
        if context.analysis.polygon is None:
            _of_body(context, draw, index, body)
        else:
            from .flat_shapes import draw_edge_normals

            draw_edge_normals(context, draw, index, body)


def _of_body(context: Context, draw: DrawList, index: int, body: Body) -> None:
    shape, pose, plane = body.shape, body.pose, body.shape.plane
    if plane is not None:
        other = context.scene.body(1 - index)
        middle, size = patch(body, other).mean(axis=0).reshape(1, 3), other.shape.bounding_radius
        _draw_normals(context, draw, index, middle, dots(pose.matrix, plane.normal).reshape(1, 3), size, ("n",))
    elif shape.core is not None and shape.core.solid is not None:
        faces, middles = _chosen(shape.core.solid)
        normals = product(shape.core.solid.normals[faces], pose.matrix.T)
        names = tuple(face_name(shape, face) for face in faces)
        size = 0.45 * shape.largest_half_extent
        _draw_normals(context, draw, index, pose.to_world(middles) + shape.core.radius * normals, normals, size, names)


@lru_cache(maxsize=4)
def _chosen(solid: Polyhedron) -> tuple[list[int], Array]:
    """The indices of the faces whose normals are shown, spread evenly if there are many, and the middles (n, 3)."""
    faces = list(range(len(solid.faces)))
    if len(faces) > MOST_DRAWN:
        turn, height = np.arange(MOST_DRAWN) * GOLDEN_ANGLE, (np.arange(MOST_DRAWN) + 0.5) * (2.0 / MOST_DRAWN) - 1.0
        across = np.sqrt(1.0 - height * height)
        evenly = np.column_stack((across * np.cos(turn), height, across * np.sin(turn)))
        faces = sorted(set(product(evenly, solid.normals.T).argmax(axis=1).tolist()))
    return faces, np.array([solid.vertices[list(solid.faces[face])].mean(axis=0) for face in faces])


def _draw_normals(
    context: Context, draw: DrawList, index: int, feet: Array, normals: Array, size: float, names: tuple[str, ...]
) -> None:
    tips = feet + normals * size
    rgba = faded(context.theme.edge(index), 0.9)
    draw.lines(feet, tips, rgba, 1.6, arrow_end=9.0)
    if len(names) <= MOST_NAMED:
        for name, tip in zip(names, tips, strict=True):
            shown, ink = named_axis(f"{'AB'[index]}.{name}"), context.theme.edge(index)
            draw.label(shown, tip, ink, size=FINE, offset=(0.0, -9.0), priority=10, kind="face-names")


OVERLAY = Overlay(
    "normals", "Face normals", "N", "Outward unit normals of flat faces; of very many, a few dozen", world=_world
)
