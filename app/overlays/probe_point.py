"""A point against the planes of both bodies: the planes that see it outside lit, and its distance from the worst.

Of a round body the nearest point of its surface stands for them, with the tangent plane there.
"""

from __future__ import annotations

import numpy as np

from core.geometry.vector import Array

from ..draw.draw_list import Dash, DrawList, Hidden, Layer, Subject
from ..draw.theme import faded
from ..probes import PointProbe
from ..probes.point import Nearest, PlaneSide, PointAgainst, point_against
from ..words.axis_words import signed
from .context import Context
from .extent import square_of
from .text_sizes import PLAIN, STRONG

TANGENT_SHARE, NORMAL_SHARE = 0.55, 0.4
"""Half the side of the tangent plane's square and the length of its normal, in the body's bounding radii."""
MOST_NAMED = 8
"""Lit planes beyond so many are lit without their numbers."""


def draw_point(context: Context, draw: DrawList, probe: PointProbe) -> None:
    """The point with its handle, and what it is to A and to B."""
    at = np.array(probe.at)
    for index, body in enumerate((context.scene.a, context.scene.b)):
        against = point_against(body, probe.at)
        if against.nearest is not None:
            _draw_tangent(context, draw, index, against, against.nearest, at)
        elif against.worst is not None:
            _draw_lit(context, draw, against)
            _draw_distance(context, draw, index, against, against.worst, at)
    draw_handle(context, draw, at, 0, "p")


def draw_handle(context: Context, draw: DrawList, at: Array, number: int, name: str, *, above: bool = True) -> None:
    """A point that can be dragged, with its name."""
    theme, subject = context.theme, Subject("probe", number)
    hot = context.view.hover == subject
    draw.spots(at, theme.hover if hot else theme.text, 7.5 if hot else 6.0, theme.halo, 2.0, subject=subject)
    offset = (13.0, -13.0) if above else (-13.0, 13.0)
    draw.label(name, at, theme.text, size=STRONG, offset=offset, priority=88, subject=subject, bold=True)


def _draw_lit(context: Context, draw: DrawList, against: PointAgainst) -> None:
    """The faces whose planes have the point in front."""
    solid, body, rgba = against.body.shape.polyhedron, against.body, context.theme.winner
    if solid is None:
        return
    faces = solid.with_rim().faces
    for side in against.outside:
        loop = body.pose.to_world(solid.vertices[list(faces[side.face])])
        if len(loop) > 2:
            draw.sheet(loop, faded(rgba, 0.42))
        draw.polyline(loop, rgba, 2.6, closed=True, hidden=Hidden.FAINT, layer=Layer.STRONG)
        if side is not against.worst and len(against.outside) <= MOST_NAMED:
            words = f"{side.name} {signed(side.distance)}"
            draw.label(words, loop.mean(axis=0), context.theme.text, size=PLAIN, offset=(0.0, 0.0), priority=58)


def _draw_distance(
    context: Context, draw: DrawList, index: int, against: PointAgainst, worst: PlaneSide, at: Array
) -> None:
    """From the point to the plane that has it farthest in front, with its sign."""
    theme = context.theme
    rgba = theme.winner if against.on else theme.gap if worst.distance > 0.0 else theme.overlap
    foot = at - worst.distance * worst.normal
    draw.strong(foot, at, rgba, 2.2, dash=Dash.SOLID)
    draw.points(foot, rgba, 3.6, hidden=Hidden.SHOW)
    name = f"{'AB'[index]}.{worst.name}"
    words = f"on {name}" if against.on else f"{name}: {signed(worst.distance)}"
    beside = against.body.shape.plane is not None or not against.on
    offset = (44.0, 0.0) if beside else (0.0, 16.0)
    draw.label(words, 0.5 * (foot + at), rgba, size=STRONG, offset=offset, priority=84, bold=True)


def _draw_tangent(
    context: Context, draw: DrawList, index: int, against: PointAgainst, nearest: Nearest, at: Array
) -> None:
    """The plane at the nearest surface point, lit where it sees the point outside, and the distance with its sign."""
    theme, size = context.theme, context.scene.body(index).shape.bounding_radius
    outside = nearest.distance > against.band
    rgba = theme.winner if against.on else theme.gap if outside else theme.overlap
    square = square_of(nearest.point, nearest.normal, TANGENT_SHARE * size)
    lit = theme.winner if outside else theme.dim_text
    draw.sheet(square, faded(lit, 0.3 if outside else 0.16))
    draw.polyline(square, faded(lit, 0.9), 1.4, closed=True, hidden=Hidden.FAINT)
    tip = nearest.point + NORMAL_SHARE * size * nearest.normal
    draw.lines(nearest.point, tip, theme.edge(index), 1.8, hidden=Hidden.SHOW, arrow_end=9.0)
    draw.strong(nearest.point, at, rgba, 2.2)
    draw.spots(nearest.point, rgba, 4.6, theme.halo, 1.5)
    plane = "plane at the rim or apex" if nearest.sharp else "tangent plane"
    corner = square[int(np.argmax(square[:, 1]))]
    named = lit if outside else theme.text
    draw.label(f"{plane} of {'AB'[index]}", corner, named, size=PLAIN, offset=(0.0, -12.0), priority=56)
    words = f"on {'AB'[index]}" if against.on else f"{'AB'[index]}: {signed(nearest.distance)}"
    draw.label(words, 0.5 * (nearest.point + at), rgba, size=STRONG, offset=(36.0, 0.0), priority=84, bold=True)
