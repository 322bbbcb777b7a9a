"""A draw list brought into one camera's view frame: turned groups swung to face the viewer, batches joined to arrays.

View frame (camera.py): x right, y up, z towards the viewer, units of the target's distance, eye at (0, 0, 1).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, radians, sin
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.geometry.vector import Array, cross, cross_rows, dot, length, length_rows

from ..camera import NEAR, Projection
from ..draw_list import NOTHING, Dash, DrawList, Hidden, IntArray, Layer, Rgba, Segments, Subject, TurnedGroup
from .hatches import hatch_lines
from .solids import (
    Ball,
    BoolArray,
    Contour,
    Shadow,
    ball_triangles,
    contour_of,
    inside_planes,
    seen_ball,
    shadow_of,
)

LEAN = radians(12.0)
"""A group's side points down the screen, leaning to the right by this much: see `sides`."""
NEAREST = 0.35
"""A group that does not fit into the pane comes as near to its line as this share of its lift."""
TIP_ROOM = 5.0
"""Points between the pane's border and what of a turned group is shortened, or drawn nearer, to stay in it."""
NUMBER_ROOM = (105.0, 22.0)
"""And, across and down, beside a group's number: `overlap 0.0745`."""
MOST_ROOM = 0.15
"""Share of the pane's width or height that this is at the most."""
LEAST_KEPT = 0.5
"""Share of such a line that is kept at the least: one that is farther out goes on across the border."""
NO_POINTS: Array = np.zeros((0, 3))
NO_COLOURS: Array = np.zeros((0, 4))


class Pane(Struct, frozen=True, eq=False):
    """The projection with what everything in the pane is seen through: sizes in pixels a point, solids' shadows.

    `axes`, `sides` (g, 3), view frame: of each turned group, the side as long as its lifts are to be multiplied by;
    `balls`: of those that stand for one's outline, by number, its centre and radius in the world.
    `corners`, `normals`: per solid (m, 3, 3), for a ball of one colour not the draw list's triangles but its own;
    `contours`, `shadows`: per solid, or None.
    """

    projection: Projection
    density: float
    axes: Array
    sides: Array
    balls: dict[int, Ball]
    corners: list[Array]
    normals: list[Array]
    contours: list[Contour | None]
    shadows: list[Shadow | None]


class Lines(Struct, frozen=True, eq=False):
    """All lines of the draw list, the outlines of its smooth solids and its hatches; n rows.

    `start`, `end` (n, 3); colours (n, 4); `width`, `head_start`, `head_end` pixels; `dash`, `hidden`, `layer` as in
    draw_list; `spared`: the solid whose shadow does not count for this line, or -1; `own_hidden`: the line is an edge
    of that solid and both its faces turn away.
    """

    start: Array
    end: Array
    start_rgba: Array
    end_rgba: Array
    width: Array
    dash: IntArray
    hidden: IntArray
    layer: IntArray
    head_start: Array
    head_end: Array
    spared: IntArray
    own_hidden: BoolArray
    subjects: list[Subject]


def pane_of(draw: DrawList, projection: Projection, density: float, covered: tuple[float, float] = (0.0, 0.0)) -> Pane:
    """Brings solids and turned groups into the view frame; `covered`: pixels at the pane's top and bottom."""
    corners = [projection.to_view(solid.corners) for solid in draw.solids]
    normals = [projection.turned(solid.corner_normals) for solid in draw.solids]
    contours = [contour_of(*row, projection) for row in zip(draw.solids, corners, strict=True)]
    for number, (solid, contour) in enumerate(zip(draw.solids, contours, strict=True)):
        one_colour = (solid.rgba == solid.rgba[:1]).all()
        if solid.ball is not None and contour is not None and len(contour.start) and one_colour:
            corners[number], normals[number] = ball_triangles(solid.ball, contour, projection)
    shadows = [shadow_of(*row, projection) for row in zip(draw.solids, corners, contours, strict=True)]
    axes = np.array([group.axis for group in draw.groups]).reshape(-1, 3) @ projection.basis.T
    across = kept_inside(draw.groups, sides(draw.groups, projection), projection, density, covered)
    balls = {k: (*group.origin.tolist(), group.ball) for k, group in enumerate(draw.groups) if group.ball}
    return Pane(projection, density, axes, across, balls, corners, normals, contours, shadows)


def sides(groups: list[TurnedGroup], projection: Projection) -> Array:
    """Side of each turned group, (g, 3) view frame: unit, perpendicular to its axis and to the line of sight.

    Of the two such directions it is the one nearer to "down, leaning right by LEAN": down the screen, and to the right
    for an axis that is upright on the screen. A side has to jump somewhere while an axis turns through half a circle on
    the screen; the lean keeps the jump away from upright axes, which are common. Elsewhere the side is continuous.
    An axis that points at the viewer has the leaning direction itself.
    """
    if not groups:
        return NO_POINTS
    axes = np.array([group.axis for group in groups]) @ projection.basis.T
    origins = projection.to_view(np.array([group.origin for group in groups]))
    sight = projection.towards_viewer(origins)
    sight /= np.maximum(length_rows(sight), 1e-300)[:, None]
    preferred = np.array((sin(LEAN), -cos(LEAN), 0.0))
    across = cross_rows(axes, sight)
    lengths = length_rows(across)
    endways = lengths < 1e-6
    across /= np.where(endways, 1.0, lengths)[:, None]
    across *= np.where(across @ preferred < 0.0, -1.0, 1.0)[:, None]
    return np.where(endways[:, None], preferred, across)


def kept_inside(
    groups: list[TurnedGroup], across: Array, projection: Projection, density: float, covered: tuple[float, float]
) -> Array:
    """The sides (g, 3) of groups that would leave the pane, turned round where that is better, and shortened.

    For a group's number no side is turned, only shortened. `density`: pixels to a point; `covered`: as in pane_of.
    """
    kept, bounds = across.copy(), np.array(((0.0, covered[0]), (projection.width, projection.height - covered[1])))
    for number, group in enumerate(groups):
        if group.outermost:
            places = np.array(group.outermost)
            ways = across[number], -across[number]
            here, there = (_share_inside(group, places, way, projection, bounds, TIP_ROOM * density) for way in ways)
            if here < 1.0 and there > here:
                kept[number] *= -1.0
            share = max(here, there)
            if group.number is not None:
                room, size = np.multiply(density, NUMBER_ROOM), np.array((projection.width, projection.height))
                room, place = np.minimum(room, MOST_ROOM * size), np.array((group.number,))
                share = min(share, _share_inside(group, place, kept[number], projection, bounds, room))
            kept[number] *= min(max(share, NEAREST), 1.0)
    return kept


def _share_inside(
    group: TurnedGroup, places: Array, side: Array, projection: Projection, bounds: Array, room: Array | float
) -> float:
    """Share of the lifts by which `places` (n, 2) of the group stay within `bounds` on the `side` (3,), view frame.

    Above 1 for more. `bounds` (2, 2), pixels: the upper left and lower right corner; `room`: pixels kept to the border
    that they go towards, across and down.
    """
    along, lifts = places.T
    feet = projection.to_view(group.origin + along[:, None] * group.axis)
    start = projection.screen(feet)[:, :2]
    way = projection.screen(feet + lifts[:, None] * side / projection.camera.distance)[:, :2] - start
    low, high = bounds
    seen = ((start > low) & (start < high)).all(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = np.maximum(np.where(way > 0.0, high - start, start - low) - room, 0.0) / np.abs(way)
    return float(shares[seen].min(initial=np.inf))


def lines_of(draw: DrawList, pane: Pane) -> Lines:
    """Joins the batches of lines, the outlines of smooth solids, and the hatches."""
    projection = pane.projection
    batches = [_outlined(batch, projection) for batch in draw.segments]
    counts = [len(batch.subjects) for batch in batches]
    looks = _looks(batches, counts, pane.density)
    start = projection.to_view(np.concatenate([NO_POINTS, *(batch.start for batch in batches)]))
    end = projection.to_view(np.concatenate([NO_POINTS, *(batch.end for batch in batches)]))
    own_hidden = _turned_away(batches, counts, start, projection)
    if len(pane.sides) and len(batches):
        lift_start = np.concatenate([batch.start_lift for batch in batches])
        lift_end = np.concatenate([batch.end_lift for batch in batches])
        start = lifted(start, lift_start, looks[:, 7].astype(np.int64), pane)
        end = lifted(end, lift_end, looks[:, 7].astype(np.int64), pane)
        start, end = _tips_inside(start, end, (looks[:, 7] >= 0) & (looks[:, 5] > 0.0), pane)
    start_rgba = np.concatenate([NO_COLOURS, *(batch.start_rgba for batch in batches)])
    end_rgba = np.concatenate([NO_COLOURS, *(batch.end_rgba for batch in batches)])
    subjects = [subject for batch in batches for subject in batch.subjects]
    for more in (*_outlines(draw, pane), *_hatches(draw, pane)):
        count = len(more.start)
        start, end = np.concatenate((start, more.start)), np.concatenate((end, more.end))
        rgba = np.broadcast_to(np.array(more.rgba), (count, 4))
        start_rgba, end_rgba = np.concatenate((start_rgba, rgba)), np.concatenate((end_rgba, rgba))
        looks = np.concatenate((looks, np.broadcast_to(np.array(more.look), (count, 8))))
        own_hidden = np.concatenate((own_hidden, np.zeros(count, dtype=bool)))
        subjects += more.subjects
    widths, *_, head0, head1, _, _ = looks.T
    dash, hidden, layer, spared = looks[:, [1, 2, 3, 6]].astype(np.int64).T
    ends = start, end, start_rgba, end_rgba
    return Lines(*ends, widths, dash, hidden, layer, head0, head1, spared, own_hidden, subjects)


class _More(Struct, frozen=True, eq=False):
    """Lines `start` to `end` (n, 3), view frame, that only the camera makes; `look`: a row of `_looks`."""

    start: Array
    end: Array
    rgba: Rgba
    look: tuple[float, ...]
    subjects: list[Subject]


def _outlines(draw: DrawList, pane: Pane) -> Iterator[_More]:
    """Of the smooth solids."""
    for number, (solid, contour) in enumerate(zip(draw.solids, pane.contours, strict=True)):
        if contour is not None:
            look = (solid.outline_width * pane.density, Dash.SOLID, Hidden.FAINT, Layer.EDGES, 0.0, 0.0, number, -1)
            subjects = [solid.subjects[0] if solid.subjects else NOTHING] * len(contour.start)
            yield _More(contour.start, contour.end, solid.outline, look, subjects)


def _hatches(draw: DrawList, pane: Pane) -> Iterator[_More]:
    for hatch in draw.hatches:
        found = hatch_lines(hatch, pane.projection, pane.density)
        look = (hatch.width * pane.density, Dash.SOLID, Hidden.DROP, Layer.BACK, 0.0, 0.0, hatch.solid, -1)
        yield _More(found.start, found.end, hatch.rgba, look, found.subjects)


def _tips_inside(start: Array, end: Array, chosen: BoolArray, pane: Pane) -> tuple[Array, Array]:
    """The lines (n, 3) with the `chosen` ones shortened to what lies in the pane.

    A rail's arrow only says which way its axis runs: it may be as short as its bars.
    """
    rows = np.nonzero(chosen)[0]
    keep0, keep1 = inside_planes(start[rows], end[rows], frustum(pane.projection, -TIP_ROOM * pane.density))
    kept = keep1 - keep0 >= LEAST_KEPT
    rows, keep0, keep1 = rows[kept], keep0[kept, None], keep1[kept, None]
    way = end[rows] - start[rows]
    short_start, short_end = start.copy(), end.copy()
    short_end[rows] = start[rows] + keep1 * way
    short_start[rows] = start[rows] + keep0 * way
    return short_start, short_end


def frustum(projection: Projection, margin: float) -> Array:
    """Half-spaces (5, 4) of the view frame that hold what the pane shows and `margin` pixels round it."""
    x = (0.5 * projection.width + margin) / projection.focal
    y = (0.5 * projection.height + margin) / projection.focal
    p = projection.perspective
    return np.array(
        (
            (1.0, 0.0, p * x, -x),
            (-1.0, 0.0, p * x, -x),
            (0.0, 1.0, p * y, -y),
            (0.0, -1.0, p * y, -y),
            (0.0, 0.0, p, NEAR - 1.0),
        )
    )


def lifted(points: Array, lifts: Array, groups: IntArray, pane: Pane) -> Array:
    """Points (n, 3), view frame, with `lifts` (n,) scene units in `groups` (n,), -1 for none, where they are drawn."""
    reach = np.where(groups >= 0, lifts, 0.0) / pane.projection.camera.distance
    found = points + reach[:, None] * pane.sides[groups]
    for number, ball in pane.balls.items():
        rows = groups == number
        found[rows] = _on_outline(found[rows], ball, pane.axes[number], pane.sides[number], pane.projection)
    return found


def _on_outline(points: Array, ball: Ball, axis: Array, side: Array, projection: Projection) -> Array:
    """Points (n, 3), view frame, of a ball's circle through `axis` and `side`, moved on to the outline that is seen.

    From the eye at the distance D the ball's outline is the circle in which the tangent cone touches it: of radius
    r √(1 − r²/D²), across the line of sight, r²/D nearer to the eye than the centre. In parallel projection D is
    infinite. An eye inside the ball sees none.
    """
    centre, radius, eye = seen_ball(ball, projection)
    distance = length(eye)
    sine = projection.perspective * radius / distance
    if sine >= 1.0:
        return points
    towards, arms = eye / distance, points - centre
    upright = cross(side, towards)
    upright *= 1.0 if dot(upright, axis) >= 0.0 else -1.0
    flat = (arms @ axis)[:, None] * upright + (arms @ side)[:, None] * side
    found: Array = centre + sine * radius * towards + np.sqrt(1.0 - sine * sine) * flat
    return found


def _looks(batches: list[Segments], counts: list[int], density: float) -> Array:
    """Of each line (n, 8): width in pixels, dash, hidden, layer, heads in pixels, `spared`, group."""
    looks = np.zeros((sum(counts), 8))
    first = 0
    for batch, count in zip(batches, counts, strict=True):
        rows = looks[first : first + count]
        # The faces' own normals stand for the shadow of their solid.
        spared = batch.solid if batch.normals is not None else -1
        heads = batch.arrow_start * density, batch.arrow_end * density
        rows[:, 2:7] = batch.hidden, batch.layer, *heads, spared
        rows[:, 0], rows[:, 1], rows[:, 7] = batch.width, batch.dash, batch.group
        first += count
    looks[:, 0] *= density
    return looks


def _outlined(batch: Segments, projection: Projection) -> Segments:
    """The batch without the edges that are neither creases nor part of the outline."""
    if batch.creases is None or batch.normals is None:
        return batch
    facing = _facing(batch.normals, projection.to_view(batch.start), projection) > 0.0
    rows = np.nonzero(batch.creases | (facing[:, 0] != facing[:, 1]))[0]
    by_row = ("start", "end", "start_rgba", "end_rgba", "start_lift", "end_lift", "normals")
    kept: dict[str, Any] = {name: getattr(batch, name)[rows] for name in by_row}
    return replace(batch, subjects=[batch.subjects[row] for row in rows.tolist()], creases=None, **kept)


def _facing(normals: Array, start: Array, projection: Projection) -> Array:
    """How far the faces with `normals` (n, 2, 3) beside edges from `start` (n, 3), view frame, look at the viewer."""
    # A point of an edge lies in both faces, so the sign of n·(eye - point) says exactly which way they look.
    sight = projection.towards_viewer(start)
    facing: Array = np.einsum("nfi,ni->nf", projection.turned(normals), sight)
    return facing


def _turned_away(batches: list[Segments], counts: list[int], start: Array, projection: Projection) -> BoolArray:
    """Which lines are edges whose faces both turn away from the viewer, (n,) bool; `start` (n, 3) view frame."""
    away = np.zeros(len(start), dtype=bool)
    first = 0
    for batch, count in zip(batches, counts, strict=True):
        if batch.normals is not None:
            facing = _facing(batch.normals, start[first : first + count], projection)
            away[first : first + count] = (facing <= 1e-9).all(axis=1)
        first += count
    return away
