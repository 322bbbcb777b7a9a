"""The overlay of a graphics book's test of two boxes: vertices of each box against the visible faces of the other.

A face is visible if it looks towards the other box. The test compares the other box's vertices nearest to the face with
the face's plane and bounds. A vertex behind the face and within its bounds is a hit, drawn filled; other vertices are
rings. A label names the faces of a box that are hit. Without a hit, labels name the faces with a vertex behind them but
out of bounds: the test cannot see an edge that passes through such a face.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from core.geometry.vector import Array
from core.scene import Body

from ..draw.draw_list import Dash, DrawList, Hidden, Layer
from ..draw.theme import faded
from ..shapes import BOX_FACES
from .context import Context, Overlay
from .solids import draw_sheet
from .style import PLAIN

if TYPE_CHECKING:
    from core.study.articles.separating_axes import FaceInView


def face_name(face: FaceInView) -> str:
    """The name of the face: `A.+x` is the face of A on its +x side."""
    return f"{'AB'[face.body]}.{BOX_FACES[2 * face.axis + int(face.side < 0.0)]}"


def findings(faces: Sequence[FaceInView]) -> Iterator[tuple[str, Array, FaceInView]]:
    """Yields the label of the test's result for one body's faces: text, position (3,) in the world, and a face.

    One label names all faces that are hit. Without a hit, each face with vertices behind it has a label.
    """
    hits = [face for face in faces if face.meets]
    if hits:
        names = ", ".join(face_name(face) for face in hits)
        yield f"behind {names} within bounds: a hit", hits[0].points[hits[0].within][0], hits[0]
        return
    for face in faces:
        if face.distance <= 0.0:
            yield f"behind {face_name(face)}, out of bounds", face.points.mean(axis=0), face


def _world(context: Context, draw: DrawList) -> None:
    if any(context.scene.body(index).shape.half_extents is None for index in (0, 1)):
        return
    from core.study.articles.separating_axes import faces_in_view

    faces = faces_in_view(context.scene)
    for face in faces:
        _draw_face(context, draw, face)
    for index in (0, 1):
        for words, point, face in findings([face for face in faces if face.body == index]):
            rgba = context.theme.overlap if face.meets else context.theme.edge(1 - index)
            draw.label(words, point, rgba, size=PLAIN, offset=(0.0, 20.0), priority=64, bold=True)


def _draw_face(context: Context, draw: DrawList, face: FaceInView) -> None:
    theme, behind = context.theme, face.distance <= 0.0
    loop = face_corners(context.scene.body(face.body), face)
    rgba, (fill, width) = theme.edge(face.body), (0.28, 2.2) if behind else (0.14, 1.4)
    draw_sheet(draw, loop, rgba, fill, 1.0, width, hidden=Hidden.SHOW, layer=Layer.STRONG)
    normal, other = face.side * context.scene.body(face.body).pose.matrix[:, face.axis], theme.edge(1 - face.body)
    feet = face.points - face.distance * normal
    draw.lines(face.points, feet, faded(other, 0.85), 1.3, dash=Dash.DOTTED, hidden=Hidden.SHOW)
    for point, inside in zip(face.points, face.within.tolist(), strict=True):
        rim = theme.overlap if behind and inside else other
        draw.spots(point, rim if behind and inside else (0.0, 0.0, 0.0, 0.0), 5.5, rim, 2.0)


def face_corners(body: Body, face: FaceInView) -> Array:
    """The corners (4, 3) of the face in loop order, world."""
    half = body.shape.half_extents
    assert half is not None
    first, second = (k for k in range(3) if k != face.axis)
    local = np.zeros((4, 3))
    local[:, face.axis] = face.side * half[face.axis]
    local[:, first] = half[first] * np.array((-1.0, 1.0, 1.0, -1.0))
    local[:, second] = half[second] * np.array((-1.0, -1.0, 1.0, 1.0))
    return body.pose.to_world(local)


OVERLAY = Overlay(
    "in_view",
    "Visible faces and the vertices behind them",
    "Shift+V",
    "Each box's faces towards the other box, and the other box's nearest vertices tested against them; edges are "
    "not tested",
    world=_world,
    of_answer=True,
    unavailable_in={2: "There are no boxes in 2D."},
)
