"""Projects solids and sheets to triangles on the screen, in drawing order.

The back faces of all solids come before all front faces, so that solids that overlap or contain one another are blended
correctly. All faces of glass count as back faces. Back faces are ordered by each solid's farthest point, front faces by
its nearest point, the farther first. A sheet comes before the first solid in that order that lies on the viewer's side
of its plane.
"""

from __future__ import annotations

from operator import itemgetter
from weakref import WeakKeyDictionary

import numpy as np
from msgspec import Struct

from core.geometry.vector import Array, cross_rows, dot, dots, length_rows

from ..camera import NEAR_PLANE
from ..draw_list import BoolArray, IntArray, Solid, Subject
from ..placed import NOWHERE, Box, PlacedTriangles, around, box_round, common
from ..steady import steady_shares
from .frame import LayoutFrame, PaneInView, SeenSolid

EDGE_ON_AREA = 1e-6
"""Twice the area, in square pixels, up to which a triangle is seen edge-on and counts as a back face."""
SHEET_BIAS = 1e-5
"""Depth, 0 to 1 on the screen, by which sheets are drawn nearer, so that a sheet in a face's plane is visible."""
LEAST_LEAD = 1e-9
"""View-frame units: a solid counts as before a sheet's plane only if its middle is more than this before it."""


class TriangleRun(Struct, frozen=True, eq=False):
    """A run of triangles with columns of PlacedTriangles; `normals` (m, 1, 3) if each triangle has one normal."""

    corners: Array
    normals: Array
    rgba: Array
    seams: Array | None
    subjects: list[Subject]


class SolidFaces(Struct, frozen=True, eq=False):
    """The back and the front faces of a solid, or a sheet, which has only front faces; `box`: around them, pixels.

    `nearest`, `farthest`: a solid's largest and smallest z, view frame, rounded (app/draw/steady.py).
    """

    back: TriangleRun
    front: TriangleRun
    box: Box
    nearest: float = 0.0
    farthest: float = 0.0


EMPTY_RUN = TriangleRun(np.zeros((0, 3, 3)), np.zeros((0, 1, 3)), np.zeros((0, 4)), None, [])

_kept: WeakKeyDictionary[SeenSolid, SolidFaces] = WeakKeyDictionary()


def lay_triangles(frame: LayoutFrame) -> list[PlacedTriangles]:
    """Projects the triangles of each pane, without those that reach through the near plane."""
    return [_placed(pane) for pane in frame.panes]


def _placed(pane: PaneInView) -> PlacedTriangles:
    draw, facing = pane.draw, _sheet_normals(pane)
    parts = [_part_of(*each, pane) for each in zip(draw.solids, pane.solids, strict=True)]
    backs, fronts = _orders(pane, parts, facing)
    solids, opaque = len(parts), [solid.opaque for solid in draw.solids] + [False] * len(draw.sheets)
    parts += _sheet_parts(pane, facing)
    looks = [(parts[number].back, False, False, opaque[number], number) for number in backs]
    looks += [(parts[number].front, True, number >= solids, opaque[number], number) for number in fronts]
    pieces = [EMPTY_RUN, *(look[0] for look in looks)]
    counts = [len(piece.corners) for piece in pieces]
    flags = np.array([(0, 0, 0, 0), *(look[1:] for look in looks)], dtype=np.int64)
    wide = max(piece.normals.shape[1] for piece in pieces)
    normals = np.concatenate([np.broadcast_to(piece.normals, (len(piece.normals), wide, 3)) for piece in pieces])
    seams = np.full((sum(counts), 3), np.inf) if any(solid.seams is not None for solid in draw.solids) else None
    subjects, first = [], 0
    for piece, count in zip(pieces, counts, strict=True):
        subjects += piece.subjects
        if seams is not None and piece.seams is not None:
            seams[first : first + count] = piece.seams
        first += count
    front, sheet, opaque, number = np.repeat(flags, counts, axis=0).T
    return PlacedTriangles(
        corners=np.concatenate([piece.corners for piece in pieces]),
        normals=np.broadcast_to(normals, (len(normals), 3, 3)),
        rgba=np.concatenate([piece.rgba for piece in pieces]),
        front=front,
        sheet=sheet,
        opaque=opaque,
        solid_number=number,
        subjects=tuple(subjects),
        crowded=_crowded([part.box for part in parts], solids),
        seams=seams,
    )


def _part_of(solid: Solid, seen: SeenSolid, pane: PaneInView) -> SolidFaces:
    """A solid's faces, cached with `seen`."""
    if seen in _kept:
        return _kept[seen]
    count, z = len(seen.corners), seen.corners[:, :, 2]
    screen = pane.projection.screen(seen.corners)
    # Each coordinate of each corner is one row: arrays with a last axis of three take numpy three times as long.
    x, y = np.ascontiguousarray(screen[:, :, :2].transpose(2, 1, 0))
    # Counter-clockwise seen from outside is a negative turn, because y points down.
    front = (x[1] - x[0]) * (y[2] - y[0]) - (y[1] - y[0]) * (x[2] - x[0]) < -EDGE_ON_AREA
    if solid.glass:
        front[:] = False
    seams = None if solid.seams is None else _seams(x, y, solid.seams, pane.density)
    own = count == len(solid.rgba)  # else a ball of one colour, with triangles made for this view
    rgba, subjects = (solid.rgba, solid.subjects) if own else (np.tile(solid.rgba[0], (count, 1)), solid.subjects[:1])
    before_eye = _before_eye(seen.corners, pane)
    normals = seen.normals if seen.normals.strides[1] else seen.normals[:, :1]
    back, ahead = (
        _piece(np.flatnonzero(rows), screen, normals, rgba, seams, subjects)
        for rows in (before_eye & ~front, before_eye & front)
    )
    reach = steady_shares(np.array((z.max(initial=-np.inf), z.min(initial=np.inf)))).tolist()
    return _kept.setdefault(seen, SolidFaces(back, ahead, box_round(screen), *reach))


def _piece(
    rows: IntArray, screen: Array, normals: Array, rgba: Array, seams: Array | None, subjects: list[Subject]
) -> TriangleRun:
    if len(rows) == 0:
        return EMPTY_RUN
    if subjects.count(subjects[0]) == len(subjects):
        subjects = subjects[:1] * len(rows)
    else:
        # itemgetter is three times as fast as a loop. For one index it returns no tuple, so the first row is repeated.
        subjects = list(itemgetter(*rows.tolist(), rows[0])(subjects)[: len(rows)])
    screen, normals, rgba = (each.take(rows, axis=0) for each in (screen, normals, rgba))
    return TriangleRun(screen, normals, rgba, None if seams is None else seams.take(rows, axis=0), subjects)


def _before_eye(view: Array, pane: PaneInView) -> BoolArray:
    """Whether triangles (m, 3, 3), view frame, lie wholly on the far side of the near plane, (m,) bool."""
    foremost = np.maximum(np.maximum(view[:, 0, 2], view[:, 1, 2]), view[:, 2, 2])
    found: BoolArray = 1.0 - pane.projection.perspective * foremost >= NEAR_PLANE
    return found


def _seams(x: Array, y: Array, sides: BoolArray, density: float) -> Array:
    """The `seams` of PlacedTriangles.

    `x`, `y` (3, m): corners in pixels; `sides` (m, 3): the sides, from corner k to the next, that are seams.
    `density`: pixels to a point.
    """
    # The side from corner k + 1 to k + 2 is opposite to corner k.
    across, down = x[[2, 0, 1]] - x[[1, 2, 0]], y[[2, 0, 1]] - y[[1, 2, 0]]
    area = np.abs(across[0] * down[1] - across[1] * down[0])
    heights = area / np.maximum(np.sqrt(across * across + down * down) * density, 1e-12)
    return np.where(sides.T[[1, 2, 0]], heights, np.inf).T


def _crowded(boxes: list[Box], solids: int) -> Box:
    """The box in which front faces may cover one another; `boxes`: of the `solids` solids, then of the sheets.

    Two sheets do not count: a sheet hides nothing.
    """
    crowded = NOWHERE
    for number in range(solids):
        # Solids are convex: no front face covers another one of its solid.
        for other in boxes[number + 1 :]:
            crowded = around(crowded, common(boxes[number], other))
    return crowded


def _sheet_parts(pane: PaneInView, facing: list[Array]) -> list[SolidFaces]:
    """The sheets as fans of triangles about their first points; `facing`: their normals (3,), view frame."""
    sheets = pane.draw.sheets
    if not sheets:
        return []
    points = pane.projection.to_view(np.concatenate([sheet.points for sheet in sheets]))
    ends = np.cumsum([len(sheet.points) for sheet in sheets]).tolist()
    starts = [0, *ends[:-1]]
    fans = [np.arange(first, last - 2)[:, None] + (0, 1, 2) for first, last in zip(starts, ends, strict=True)]
    for fan, first in zip(fans, starts, strict=True):
        fan[:, 0] = first
    view = points[np.concatenate(fans)]
    screen, before_eye, found, first = pane.projection.screen(view), _before_eye(view, pane), [], 0
    screen[:, :, 2] = np.maximum(screen[:, :, 2] - SHEET_BIAS, 0.0)
    for sheet, normal, fan in zip(sheets, facing, fans, strict=True):
        last = first + len(fan)
        each = screen[first:last]
        shown = each[before_eye[first:last]]
        normals, rgba = (np.tile(row, (len(shown), *ones)) for row, ones in ((normal, (1, 1)), (sheet.rgba, (1,))))
        found.append(
            SolidFaces(
                EMPTY_RUN, TriangleRun(shown, normals, rgba, None, [sheet.subject] * len(shown)), box_round(each)
            )
        )
        first = last
    return found


def _sheet_normals(pane: PaneInView) -> list[Array]:
    """Unit normals (3,) of the pane's sheets, view frame, on the viewer's side."""
    if not pane.draw.sheets:
        return []
    corners = np.array([sheet.points[:3] for sheet in pane.draw.sheets])
    first = pane.projection.to_view(corners[:, 0])
    ways = pane.projection.turned(corners[:, 1:] - corners[:, :1])
    normals = cross_rows(ways[:, 0], ways[:, 1])
    lengths = length_rows(normals)
    signs = np.where(dots(normals, pane.projection.towards_viewer(first)) < 0.0, -1.0, 1.0)
    flat = lengths == 0.0
    normals *= (signs / np.where(flat, 1.0, lengths))[:, None]
    normals[flat] = (0.0, 0.0, 1.0)
    return list(normals)


def _orders(pane: PaneInView, solids: list[SolidFaces], facing: list[Array]) -> tuple[list[int], list[int]]:
    """Two orders of drawing: of the solids' back faces, and of front faces and sheets; both from back to front.

    Sheets are numbered after the solids; `facing`: their unit normals (3,), view frame.
    """
    sheets, rows = pane.draw.sheets, range(len(solids))
    fronts = sorted(rows, key=lambda number: solids[number].nearest)
    middles = [_middle(seen.corners) if sheets and len(seen.corners) else None for seen in pane.solids]
    for number, (sheet, normal) in enumerate(zip(sheets, facing, strict=True), start=len(solids)):
        anchor = pane.projection.to_view(sheet.points[0])
        fronts.insert(_place_of_sheet(anchor, normal, fronts, middles), number)
    return sorted(rows, key=lambda number: solids[number].farthest), fronts


def _middle(corners: Array) -> Array:
    points = corners.reshape(-1, 3)
    # One coordinate after the other: a sum of many rows along axis 0 is 15 times slower.
    return np.array([points[:, k].sum() for k in range(3)]) / len(points)


def _place_of_sheet(anchor: Array, normal: Array, fronts: list[int], middles: list[Array | None]) -> int:
    """The index in `fronts` at which a sheet is inserted: before the first solid on the viewer's side of its plane.

    View frame: `anchor` (3,): a point of the sheet; `normal` (3,): towards the viewer; `middles` (3,) of the solids,
    None for a solid without corners.
    """
    for place, number in enumerate(fronts):
        middle = middles[number] if number < len(middles) else None
        if middle is not None and dot(normal, middle - anchor) > LEAST_LEAD:
            return place
    return len(fronts)
