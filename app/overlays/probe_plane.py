"""The plane through three points: their triangle, its normal and offset, and how far both bodies are from it."""

from __future__ import annotations

import numpy as np

from core.geometry.plane import Plane
from core.geometry.vector import Array, dot, length, length_rows

from ..draw.draw_list import Dash, DrawList, Hidden, Layer, Marker
from ..draw.theme import faded
from ..probes import PlaneProbe
from ..probes.planes import ThreePoints, through
from ..words.axis_words import signed
from .context import Context
from .extent import square_of
from .probe_point import draw_handle
from .text_sizes import PLAIN, STRONG

FAR = 6.0
"""The world's origin is drawn with its distance while the plane's foot is nearer to the pair than so many radii."""


def draw_plane(context: Context, draw: DrawList, probe: PlaneProbe) -> None:
    """The three points with their handles, and what they span."""
    found = through(context.scene, probe)
    points, theme = found.points, context.theme
    sides = (points[1], points[2])
    for tip, words in zip(sides, ("b − a", "c − a"), strict=True):
        draw.lines(points[0], tip, faded(theme.text, 0.9), 1.6, hidden=Hidden.FAINT, arrow_end=9.0)
        draw.label(words, 0.5 * (points[0] + tip), theme.dim_text, size=PLAIN, offset=(0.0, 13.0), priority=36)
    draw.lines(points[1], points[2], faded(theme.text, 0.45), 1.2, dash=Dash.DASHED, hidden=Hidden.FAINT)
    if found.plane is None:
        middle = points.mean(axis=0)
        draw.label("no plane", middle, theme.overlap, size=STRONG, offset=(0.0, 24.0), priority=84, bold=True)
    else:
        _draw_sheet(context, draw, found, found.plane)
        _draw_offset(context, draw, found.plane)
        _draw_distances(context, draw, found, found.plane)
    for number, (point, name) in enumerate(zip(points, "abc", strict=True)):
        draw_handle(context, draw, point, number, name)


def _draw_sheet(context: Context, draw: DrawList, found: ThreePoints, plane: Plane) -> None:
    theme, points = context.theme, found.points
    middle, size = points.mean(axis=0), context.extent.radius
    corners = square_of(middle, plane.normal, max(0.9 * size, 1.1 * float(length_rows(points - middle).max())))
    draw.sheet(corners, faded(theme.winner, 0.10))
    draw.polyline(corners, faded(theme.winner, 0.6), 1.1, closed=True, hidden=Hidden.FAINT)
    draw.sheet(points, faded(theme.winner, 0.22))
    tip = middle + 0.42 * size * plane.normal
    draw.strong(middle, tip, theme.winner, 2.6, arrow_end=12.0)
    draw.label("n", tip, theme.winner, size=STRONG, offset=(0.0, -13.0), priority=82, bold=True)
    beyond = corners[0]
    words, rgba = ("+ side", "− side"), faded(theme.winner, 0.9)
    for word, sign, offset in zip(words, (1.0, -1.0), (-8.0, 8.0), strict=True):
        place = beyond + sign * 0.07 * size * plane.normal
        draw.label(word, place, rgba, size=PLAIN, offset=(0.0, offset), priority=34)


def _draw_offset(context: Context, draw: DrawList, plane: Plane) -> None:
    """From the world's origin to the plane, with its sign."""
    theme, foot, origin = context.theme, plane.point(), np.zeros(3)
    extent = context.extent
    if max(_distance(foot, extent.centre), _distance(origin, extent.centre)) > FAR * extent.radius:
        return
    draw.lines(origin, foot, theme.dim_text, 1.4, dash=Dash.DASHED, hidden=Hidden.SHOW, arrow_start=6.0, arrow_end=6.0)
    draw.spots(origin, theme.dim_text, 3.6, theme.dim_text, 1.6, shape=Marker.CROSS)
    draw.label("O", origin, theme.dim_text, size=PLAIN, offset=(-10.0, 10.0), priority=30)
    words = f"d = {signed(plane.offset)}"
    draw.label(words, 0.5 * (origin + foot), theme.dim_text, size=PLAIN, offset=(34.0, 0.0), priority=56)


def _draw_distances(context: Context, draw: DrawList, found: ThreePoints, plane: Plane) -> None:
    """Of both bodies' positions, with their feet."""
    for index, side in enumerate(found.sides):
        rgba, centre = context.theme.edge(index), np.array(context.scene.body(index).position)
        foot = centre - dot(plane.normal, centre) * plane.normal + plane.offset * plane.normal
        draw.lines(foot, centre, rgba, 1.8, hidden=Hidden.SHOW, layer=Layer.NORMAL)
        draw.points(np.array((foot, centre)), rgba, 3.4, hidden=Hidden.SHOW)
        words = f"{'AB'[index]}: {signed(side.centre)}"
        draw.label(words, 0.5 * (foot + centre), rgba, size=STRONG, offset=(32.0, 0.0), priority=70, bold=True)


def _distance(a: Array, b: Array) -> float:
    return length(a - b)
