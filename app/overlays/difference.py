"""The Minkowski difference round the origin: every face is a candidate axis, the nearest one is the way out.

Faces are coloured by family; the pair of the axis in focus is lit. The overlap on an axis is the distance from the
origin to the nearer plane of its pair (theory.md), drawn as the foot of the perpendicular.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.algorithms.sat import AxisKind
from core.answer import Verdict
from core.geometry.vector import Array
from core.shapes.polyhedron import Polyhedron

from ..axis_words import number, plain
from ..draw_list import Dash, DrawList, Hidden, Layer, Marker, Rgba, Subject
from ..mesh import Mesh, grown_mesh
from ..theme import Theme, faded
from .context import Context, Overlay
from .families import family_style
from .solids import draw_polyhedron
from .text_sizes import PLAIN, STRONG


def _difference(context: Context, draw: DrawList) -> None:
    shape = context.analysis.difference
    focus_row = int(context.analysis.sat.same_as[context.focus])
    colours, subjects = _face_looks(context, focus_row)
    if shape.radius > 0.0:
        _draw_grown(context, draw, colours, subjects)
    else:
        draw_polyhedron(draw, shape.core, colours, faded(context.theme.difference_edge, 0.8), subjects, 1.4)
        _draw_lit_outline(context, draw, shape.core, focus_row)
    _draw_origin(context, draw)


def _face_looks(context: Context, focus_row: int) -> tuple[Array, list[Subject]]:
    theme, sat, shape = context.theme, context.analysis.sat, context.analysis.difference
    colours, subjects = np.zeros((len(shape.face_axes), 4)), []
    for face, row in enumerate(shape.face_axes.tolist()):
        rgba = family_style(sat.candidates[row].kind, theme).rgba
        lit = int(sat.same_as[row]) == focus_row
        colours[face] = _lit(theme) if lit else faded(rgba, 0.24)
        subjects.append(Subject("axis", row))
    return colours, subjects


def _lit(theme: Theme) -> Rgba:
    # On light ground the winner's colour is a dark one: less of it leaves its face a face and no hole.
    return faded(theme.winner, 0.55 if theme.dark_panels else 0.4)


def _draw_lit_outline(context: Context, draw: DrawList, core: Polyhedron, focus_row: int) -> None:
    sat, shape = context.analysis.sat, context.analysis.difference
    for face, row in enumerate(shape.face_axes.tolist()):
        if int(sat.same_as[row]) == focus_row:
            draw.polyline(
                core.vertices[list(core.faces[face])],
                context.theme.winner,
                2.4,
                closed=True,
                hidden=Hidden.FAINT,
                layer=Layer.EDGES,
                subject=Subject("axis", row),
            )


def _draw_grown(context: Context, draw: DrawList, colours: Array, subjects: list[Subject]) -> None:
    shape, theme = context.analysis.difference, context.theme
    mesh = grown_mesh(shape.core, shape.radius)
    rounded = np.array(faded(theme.difference, 0.30))
    rgba = np.vstack((colours, rounded))[mesh.faces]
    rgba[_rounded_in_focus(context, mesh)] = _lit(theme)
    names = [*subjects, Subject("difference")]
    centre = shape.core.vertices[0].tolist()
    draw.solid(
        mesh.corners,
        mesh.normals,
        rgba,
        subject=[names[face] for face in mesh.faces.tolist()],
        ball=None if len(shape.core.faces) else (centre[0], centre[1], centre[2], shape.radius),
        smooth=True,
        outline=theme.difference_edge,
        outline_width=1.6,
    )
    for face, loop in enumerate(shape.core.faces):
        lifted = shape.core.vertices[list(loop)] + shape.radius * shape.core.normals[face]
        draw.polyline(
            lifted,
            faded(theme.difference_edge, 0.55),
            1.0,
            closed=True,
            layer=Layer.EDGES,
            hidden=Hidden.FAINT,
            subject=subjects[face],
        )


def _rounded_in_focus(context: Context, mesh: Mesh) -> NDArray[np.bool_]:
    # The rounded part that the axis to a sphere's centre goes through: that of the box's edge or corner in contact.
    shape, analysis = context.analysis.difference, context.analysis
    if analysis.sat.candidates[context.focus].kind is not AxisKind.CENTRES or len(shape.core.faces) == 0:
        return np.zeros(len(mesh.faces), dtype=np.bool_)
    a, b = analysis.contact_vertices.a.indices, analysis.contact_vertices.b.indices
    ends = [
        v
        for v, pair in enumerate(zip(shape.sources_a.tolist(), shape.sources_b.tolist(), strict=True))
        if pair[0] in a or (not a and pair[1] in b)
    ]
    core = mesh.corners - shape.radius * mesh.normals
    near = np.abs(core[:, :, None, :] - shape.core.vertices[ends]).max(axis=3) < 1e-9 * shape.radius
    part: NDArray[np.bool_] = (mesh.faces < 0) & near.any(axis=2).all(axis=1) & near.any(axis=1).all(axis=1)
    return part


def _draw_origin(context: Context, draw: DrawList) -> None:
    analysis, theme = context.analysis, context.theme
    origin = np.zeros(3)
    inside = analysis.verdict is Verdict.OVERLAPPING
    rgba = theme.overlap if inside else theme.gap
    if analysis.verdict is not Verdict.TOUCHING:
        draw.lines(
            origin,
            analysis.nearest,
            rgba,
            3.0,
            hidden=Hidden.SHOW,
            layer=Layer.STRONG,
            subject=Subject("mtv"),
            arrow_end=12.0,
        )
        draw.label(
            f"{'depth' if inside else 'distance'} {plain(abs(analysis.separation))}",
            0.5 * analysis.nearest,
            rgba,
            size=STRONG,
            offset=(56.0, -14.0),
            priority=80,
            bold=True,
        )
    _draw_focus_foot(context, draw)
    draw.points(origin, theme.origin, 5.5, shape=Marker.RING, stroke=theme.origin, stroke_width=2.0, hidden=Hidden.SHOW)
    draw.label("origin", origin, theme.origin, size=PLAIN, offset=(-32.0, 12.0), priority=85)


def _draw_focus_foot(context: Context, draw: DrawList) -> None:
    # The perpendicular from the origin to the nearer plane of the focused pair; the winner's is the arrow above.
    sat, theme = context.analysis.sat, context.theme
    row = context.focus
    if int(sat.same_as[row]) == int(sat.same_as[sat.winner]) or not np.isfinite(sat.separations[row]):
        return
    foot = -float(sat.separations[row]) * float(sat.sides[row]) * sat.axes[row]
    draw.lines(
        np.zeros(3),
        foot,
        theme.winner,
        1.8,
        dash=Dash.DASHED,
        hidden=Hidden.SHOW,
        layer=Layer.STRONG,
        subject=Subject("axis", row),
    )
    draw.points(foot, theme.winner, 4.0, shape=Marker.SQUARE, hidden=Hidden.SHOW, subject=Subject("axis", row))
    draw.label(
        f"{sat.candidates[row].label} {number(float(sat.separations[row]))}",
        foot,
        theme.winner,
        size=PLAIN,
        offset=(0.0, -14.0),
        priority=60,
    )


OVERLAY = Overlay(
    "difference",
    "Minkowski difference",
    "H",
    "A − B, its faces coloured by axis family, round the origin",
    difference=_difference,
)
