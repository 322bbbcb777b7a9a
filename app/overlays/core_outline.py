"""The cores of rounded bodies: the point, segment, polygon or polyhedron that a radius was added to.

GJK, EPA and SAT see these alone and take the radii off at the end; a sharp body is its own core and shows none.
"""

from __future__ import annotations

from ..draw.draw_list import Dash, DrawList, Hidden, Subject
from ..draw.theme import faded
from .context import Context, Overlay

WIDTH = 1.2


def _world(context: Context, draw: DrawList) -> None:
    for index, body in enumerate((context.scene.a, context.scene.b)):
        core, subject = body.shape.core, Subject("body", index)
        if core is None or core.radius == 0.0:
            continue
        rgba, points = faded(context.theme.edge(index), 0.9), body.pose.to_world(core.points)
        if len(points) == 1:
            draw.spots(points, rgba, 3.0, rgba, 0.0, subject=subject)
            continue
        starts, ends = (points[:1], points[1:]) if core.solid is None else points[core.solid.edges.T]
        draw.lines(starts, ends, rgba, WIDTH, dash=Dash.DASHED, hidden=Hidden.SHOW, subject=subject)


OVERLAY = Overlay(
    "core",
    "Cores of rounded bodies",
    "",
    "What a radius was added to: a point, a segment, a polygon or a polyhedron",
    world=_world,
)
