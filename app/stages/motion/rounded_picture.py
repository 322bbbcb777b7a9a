"""The steps of the plane's closed form: the origin's path, each edge's line moved out by the radii, and the arc."""

from __future__ import annotations

import numpy as np

from core.geometry.vec2 import raised, raised_rows
from core.geometry.vector import Array
from core.pair.candidate_axes import AxisKind
from core.pair.plane_cores import to_world
from core.toi import Motion
from core.toi.plane import ArcStep, GrownEdgeStep

from ...draw.draw_list import Dash, DrawList, Hidden
from ...draw.meshes.mesh import corner_loop, ring
from ...draw.theme import faded
from ...overlays.axis_families import family_style
from ...overlays.context import Context
from ...overlays.text_sizes import PLAIN, STRONG
from ...state.playback import body_at
from ...words.axis_words import plain
from .picture_parts import (
    BEYOND,
    LINE,
    dotted,
    draw_bodies_on_their_way,
    draw_path,
    draw_way_marks,
    measured,
    time_words,
)

REACH = 1.5
"""A line is drawn this many radii of the pair beyond its edge on either side."""


def draw_rounded_world(context: Context, draw: DrawList, step: GrownEdgeStep | ArcStep, _: Motion, time: float) -> None:
    """The bodies when the origin crosses the line, with the edge that the line comes from."""
    draw_bodies_on_their_way(context, draw, time)
    if isinstance(step, GrownEdgeStep):
        _draw_own_edge(context, draw, step, time)


def _draw_own_edge(context: Context, draw: DrawList, step: GrownEdgeStep, time: float) -> None:
    candidate = context.analysis.sat.candidates[step.row]
    index = 0 if candidate.kind is AxisKind.FACE_A else 1
    body, edge = body_at(context.scene.body(index), time), candidate.feature_b if index else candidate.feature_a
    core, loop = body.shape.core, corner_loop(body.shape)
    assert core is not None
    assert edge is not None
    points = (core.points[loop[k % len(loop)], :2].tolist() for k in (edge, edge + 1))
    start, end = raised_rows(to_world(body, (x, y)) for x, y in points)
    rgba = family_style(candidate.kind, context.theme).rgba
    draw.strong(start, end, rgba, 4.0)
    draw.label(step.label, 0.5 * (start + end), rgba, size=STRONG, offset=(34.0, -12.0), priority=80, bold=True)


def draw_rounded_difference(
    context: Context, draw: DrawList, step: GrownEdgeStep | ArcStep, motion: Motion, time: float
) -> None:
    """The path with where it crosses the line, or with the circle that the arc is of."""
    draw_path(context, draw, motion, time)
    if isinstance(step, GrownEdgeStep):
        _draw_line(context, draw, step, motion.displacement)
    else:
        _draw_arc(context, draw, step, motion.displacement)


def _draw_line(context: Context, draw: DrawList, step: GrownEdgeStep, way: Array) -> None:
    theme, size = context.theme, context.extent.radius
    rgba = family_style(context.analysis.sat.candidates[step.row].kind, theme).rgba
    start, end, normal = raised(step.start), raised(step.end), raised(step.normal)
    along = np.array((-normal[1], normal[0], 0.0))
    beyond = REACH * size * along
    draw.lines(start - beyond, end + beyond, faded(rgba, 0.7), 1.3, dash=Dash.DASHED, hidden=Hidden.SHOW)
    draw.strong(start, end, rgba, 4.0)
    middle = 0.5 * (start + end)
    tip = middle + 0.14 * size * normal
    draw.strong(middle, tip, rgba, LINE, arrow_end=10.0)
    draw.label(f"n of {step.label}", tip, rgba, size=PLAIN, offset=(0.0, -12.0), priority=70)
    if step.time is None:
        foot = -step.height * normal
        words = f"{'outside' if step.height > 0.0 else 'inside'} by {plain(abs(step.height))}, all the way"
        measured(draw, context, np.zeros(3), foot, theme.gap if step.height > 0.0 else theme.overlap, words)
    elif -BEYOND <= step.time <= 1.0 + BEYOND:
        word = f"{'in' if step.speed < 0.0 else 'out'} at {time_words(step.time)}"
        draw_way_marks(draw, context, (step.time * way)[None], [word], theme.winner)


def _draw_arc(context: Context, draw: DrawList, step: ArcStep, way: Array) -> None:
    theme, centre = context.theme, raised(step.centre)
    rgba = theme.family_closest
    draw.polyline(
        centre + step.radius * ring(), faded(rgba, 0.9), 1.6, closed=True, dash=Dash.DASHED, hidden=Hidden.SHOW
    )
    draw.spots(centre, rgba, 4.4, theme.halo, 1.5)
    draw.label("c", centre, rgba, size=PLAIN, offset=(12.0, 12.0), priority=76, bold=True)
    nearest = step.nearest_time * way
    dotted(draw, centre, nearest, theme.text)
    draw.label(f"m {plain(step.nearest)}", nearest, theme.text, size=PLAIN, offset=(26.0, 12.0), priority=74)
    draw.spots(nearest, theme.text, 3.4, theme.halo, 1.4)
    if step.time is not None:
        measured(draw, context, centre, step.time * way, rgba, f"r {plain(step.radius)}", side=-1.0)
        if -BEYOND <= step.time <= 1.0 + BEYOND:
            words = f"on the circle at {time_words(step.time)}"
            draw_way_marks(draw, context, (step.time * way)[None], [words], theme.winner)
