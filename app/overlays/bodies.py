"""The two bodies, shaded and translucent, with crisp edges; and their names."""

from __future__ import annotations

import numpy as np

from core.geometry.vector import Array
from core.scene import Body
from core.shapes import Box

from ..draw_list import DrawList, Rgba, Subject
from ..mesh import ball_mesh
from ..theme import faded
from .context import Context, Overlay
from .solids import draw_polyhedron
from .text_sizes import NAME


def _world(context: Context, draw: DrawList) -> None:
    theme = context.theme
    for index, body in enumerate((context.scene.a, context.scene.b)):
        draw_body(draw, body, faded(theme.body(index), theme.face_alpha), theme.edge(index), Subject("body", index))


def draw_body(draw: DrawList, body: Body, fill: Rgba, edge: Rgba, subject: Subject) -> None:
    """One body as a solid with its edges, or with its outline when it is round."""
    if isinstance(body.shape, Box):
        pose = body.pose
        draw_polyhedron(draw, body.shape.polyhedron.placed(pose.matrix, pose.position), fill, edge, subject)
        return
    centre = np.array(body.position)
    mesh = ball_mesh(centre, body.shape.radius)
    draw.solid(
        mesh.corners,
        mesh.normals,
        fill,
        subject=subject,
        ball=(*body.position, body.shape.radius),
        smooth=True,
        outline=edge,
        outline_width=1.8,
    )


def _names(context: Context, draw: DrawList) -> None:
    for index, body in enumerate((context.scene.a, context.scene.b)):
        draw.label(
            "AB"[index],
            _name_point(body, context.scene.body(1 - index)),
            context.theme.edge(index),
            size=NAME,
            offset=(0.0, 0.0),
            priority=90,
            subject=Subject("body", index),
            bold=True,
        )


def _name_point(body: Body, other: Body) -> Array:
    # On the side away from the other body, so that the name does not land in the overlap.
    position, away = np.array(body.position), np.array(body.position) - np.array(other.position)
    size = float(np.sqrt(away @ away))
    return position + away * (0.35 * body.shape.bounding_radius / size) if size > 0.0 else position


OVERLAY = Overlay("bodies", "Bodies", "B", "Both bodies with crisp edges; hidden edges are faint", world=_world)
NAMES = Overlay("labels", "Names of the bodies", "L", "The letters A and B on the bodies", world=_names)
