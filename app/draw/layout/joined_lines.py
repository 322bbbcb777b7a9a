"""Joins all lines of the draw lists to one table: adds outlines and hatches, lifts the lines of turned groups."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.geometry.vector import Array, dots

from ..camera import Camera, Projection
from ..draw_list import NO_SUBJECT, BoolArray, Dash, Hidden, IntArray, Layer, Segments, Subject
from .frame import NO_POINTS, TIP_ROOM, LayoutFrame, lifted, within_sight
from .hatches import MadeLines, hatch_lines

FRONT_HEIGHT = 1e-9
"""A face is turned to the viewer if the eye is higher than this over its plane, view-frame units.

With 0, rounding would decide for faces that are seen edge-on.
"""
LEAST_KEPT = 0.5
"""Least share of a rail's arrow that shortening keeps; an arrow with less inside the pane is not shortened."""


class JoinedLines(Struct, frozen=True, eq=False):
    """All lines of the draw lists, the outlines of their smooth solids, and their hatches; n rows.

    `start`, `end` (n, 3), view frame; colours (n, 4); `width`, `head_start`, `head_end` (n,) pixels; `dash`, `hidden`,
    `layer` (n,): values of Dash, Hidden, Layer; `spared` (n,): number of the solid on which the line lies, -1 for none;
    the shadow of this solid does not hide the line, but a ball hides what of it is turned away; `own_hidden` (n,): the
    line is an edge whose faces both turn away from the viewer; `pane` (n,).
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
    pane: IntArray
    subjects: list[Subject]


def join_lines(frame: LayoutFrame) -> JoinedLines:
    """Joins the batches of lines, the outlines of smooth solids, and the hatches, in this order."""
    batches = [[_outlined(batch, pane.projection) for batch in pane.draw.segments] for pane in frame.panes]
    every = [batch for of_pane in batches for batch in of_pane]
    counts = [sum(len(batch.subjects) for batch in of_pane) for of_pane in batches]
    pane: IntArray = np.repeat(np.arange(len(counts)), counts)
    looks = _looks(every, sum(counts))
    start, end = (_in_view(frame, batches, name) for name in ("start", "end"))
    own_hidden = _turned_away(frame, batches, start)
    if len(frame.sides) and every:
        groups = looks[:, 7].astype(np.int64)
        groups = np.where(groups >= 0, groups + frame.first_group[pane], -1)
        start = lifted(start, np.concatenate([batch.start_lift for batch in every]), groups, frame)
        end = lifted(end, np.concatenate([batch.end_lift for batch in every]), groups, frame)
        start, end = _tips_inside(start, end, np.nonzero((groups >= 0) & (looks[:, 5] > 0.0))[0], pane, frame)
    more = [*_outlines(frame), *hatch_lines(frame)]
    more_counts = [len(each.start) for each in more]
    start = np.concatenate((start, *(each.start for each in more)))
    end = np.concatenate((end, *(each.end for each in more)))
    rgba = np.repeat(np.array([each.rgba for each in more]).reshape(-1, 4), more_counts, axis=0)
    start_rgba = np.concatenate((*(batch.start_rgba for batch in every), rgba))
    end_rgba = np.concatenate((*(batch.end_rgba for batch in every), rgba))
    looks = np.concatenate(
        (looks, np.repeat(np.array([each.look for each in more]).reshape(-1, 8), more_counts, axis=0))
    )
    pane = np.concatenate((pane, np.repeat(np.array([each.pane for each in more], dtype=np.int64), more_counts)))
    own_hidden = np.concatenate((own_hidden, np.zeros(sum(more_counts), dtype=bool)))
    subjects = [subject for batch in every for subject in batch.subjects]
    subjects += [subject for each in more for subject in each.subjects]
    width, head0, head1 = looks[:, (0, 4, 5)].T * frame.density[pane]
    dash, hidden, layer, spared = looks[:, (1, 2, 3, 6)].astype(np.int64).T
    spared = np.where(spared >= 0, spared + frame.first_solid[pane], -1)
    return JoinedLines(
        start=start,
        end=end,
        start_rgba=start_rgba,
        end_rgba=end_rgba,
        width=width,
        dash=dash,
        hidden=hidden,
        layer=layer,
        head_start=head0,
        head_end=head1,
        spared=spared,
        own_hidden=own_hidden,
        pane=pane,
        subjects=subjects,
    )


def _in_view(frame: LayoutFrame, batches: list[list[Segments]], name: str) -> Array:
    """The lines' starts or ends (n, 3), view frame; `name`: "start" or "end"."""
    parts = [NO_POINTS]
    for pane, of_pane in zip(frame.panes, batches, strict=True):
        if of_pane:
            parts.append(pane.projection.to_view(np.concatenate([getattr(batch, name) for batch in of_pane])))
    return np.concatenate(parts)


def _outlines(frame: LayoutFrame) -> Iterator[MadeLines]:
    """Yields the outlines of the smooth solids."""
    for number, pane in enumerate(frame.panes):
        for place, (solid, seen) in enumerate(zip(pane.draw.solids, pane.solids, strict=True)):
            contour = seen.contour
            if contour is not None:
                look = (solid.outline_width, Dash.SOLID, Hidden.FAINT, Layer.EDGES, 0.0, 0.0, place, -1)
                subjects = [solid.subjects[0] if solid.subjects else NO_SUBJECT] * len(contour.start)
                yield MadeLines(contour.start, contour.end, solid.outline, look, subjects, number)


def _tips_inside(start: Array, end: Array, chosen: IntArray, pane: IntArray, frame: LayoutFrame) -> tuple[Array, Array]:
    """The lines' starts and ends (n, 3), the rows `chosen` shortened to the part inside their panes.

    `chosen`: arrows of rails. An arrow only shows the direction of its axis, so it may be shortened.
    """
    panes = pane[chosen]
    keep0, keep1 = within_sight(start[chosen], end[chosen], panes, frame, -TIP_ROOM)
    kept = keep1 - keep0 >= LEAST_KEPT
    rows, keep0, keep1 = chosen[kept], keep0[kept, None], keep1[kept, None]
    way = end[rows] - start[rows]
    short_start, short_end = start.copy(), end.copy()
    short_end[rows] = start[rows] + keep1 * way
    short_start[rows] = start[rows] + keep0 * way
    return short_start, short_end


def _looks(batches: list[Segments], total: int) -> Array:
    """A table (n, 8) of width in points, dash, hidden, layer, head at start and at end in points, solid spared, group.

    Solids and groups have their numbers in the pane.
    """
    looks = np.zeros((total, 8))
    first = 0
    for batch in batches:
        rows = looks[first : first + len(batch.subjects)]
        rows[:, 2:7] = batch.hidden, batch.layer, batch.arrow_start, batch.arrow_end, batch.solid_number
        rows[:, 0], rows[:, 1], rows[:, 7] = batch.width, batch.dash, batch.group
        first += len(rows)
    return looks


_kept: WeakKeyDictionary[Segments, tuple[Camera, Segments]] = WeakKeyDictionary()


def _outlined(batch: Segments, projection: Projection) -> Segments:
    """The batch without the edges that are neither creases nor part of the outline; cached for one camera."""
    if batch.creases is None or batch.normals is None:
        return batch
    kept = _kept.get(batch)
    if kept is not None and kept[0] == projection.camera:
        return kept[1]
    facing = _facing(batch.normals, projection.to_view(batch.start), projection) > FRONT_HEIGHT
    rows = np.nonzero(batch.creases | (facing[:, 0] != facing[:, 1]))[0]
    by_row = ("start", "end", "start_rgba", "end_rgba", "start_lift", "end_lift", "normals")
    columns: dict[str, Any] = {name: getattr(batch, name)[rows] for name in by_row}
    found = replace(batch, subjects=[batch.subjects[row] for row in rows.tolist()], creases=None, **columns)
    _kept[batch] = projection.camera, found
    return found


def _facing(normals: Array, start: Array, projection: Projection) -> Array:
    """n·(eye - point) (n, 2) of the two faces at each edge; > 0 if a face is turned to the viewer.

    `normals` (n, 2, 3), world, of the faces; `start` (n, 3), view frame: a point of each edge. In parallel projection
    the direction to the viewer takes the place of eye - point.
    """
    # A point of an edge lies in both faces, so the sign is exact.
    sight = projection.towards_viewer(start)
    facing: Array = dots(projection.turned(normals), sight[:, None])
    return facing


def _turned_away(frame: LayoutFrame, batches: list[list[Segments]], start: Array) -> BoolArray:
    """Which lines are edges with both faces turned away from the viewer, (n,) bool; `start` (n, 3), view frame."""
    away = np.zeros(len(start), dtype=bool)
    first = 0
    for pane, of_pane in zip(frame.panes, batches, strict=True):
        for batch in of_pane:
            last = first + len(batch.subjects)
            if batch.normals is not None:
                facing = _facing(batch.normals, start[first:last], pane.projection)
                away[first:last] = (facing <= FRONT_HEIGHT).all(axis=1)
            first = last
    return away
