"""Solids and sheets as triangles on the screen, back faces first, farther solids first.

Back faces of all solids come before all front faces: solids that overlap or hold one another blend right. Glass has
back faces only. Among front faces a solid comes after those that begin farther away; a sheet comes before the solids
on the viewer's side of its plane and after the others.
"""

from __future__ import annotations

from itertools import pairwise
from operator import itemgetter

import numpy as np
from msgspec.structs import replace

from core.geometry.vector import Array, cross_rows, dot, length_rows

from ..camera import NEAR
from ..draw_list import IntArray, Sheet, Solid, Subject
from ..placed import NOWHERE, Box, PlacedTriangles, around, box_round, common, rows_by_pane
from .frame import Frame, Pane

NO_CORNERS = np.zeros((0, 3, 3))
SHEET_BIAS = 1e-5
"""Depth by which sheets are drawn nearer, so that one in a face's plane shows."""


def lay_triangles(frame: Frame) -> list[PlacedTriangles]:
    """Projects every triangle of each pane; those that reach through the near plane are left out."""
    of_panes = [[*pane.corners, *_sheets_in_view(pane)] for pane in frame.panes]
    counts = [len(part) for parts in of_panes for part in parts]
    in_pane = [np.concatenate([NO_CORNERS, *parts]) for parts in of_panes]
    pane = np.repeat(np.arange(len(of_panes)), [len(view) for view in in_pane])
    corners = np.concatenate(in_pane)
    screen = np.concatenate([of.projection.screen(view) for of, view in zip(frame.panes, in_pane, strict=True)])
    x, y, x0, y0 = screen[:, 1:, 0], screen[:, 1:, 1], screen[:, 0, 0], screen[:, 0, 1]
    # Counter-clockwise seen from outside is a negative turn where y points down.
    front = (x[:, 0] - x0) * (y[:, 1] - y0) - (y[:, 0] - y0) * (x[:, 1] - x0) < 0.0
    facing = [_sheet_normals(pane) for pane in frame.panes]
    number, rank_back, rank_front, sheets, opaque, glass = np.repeat(_parts(frame, facing), counts, axis=0).T
    sheet = sheets > 0
    front = (front & (glass == 0)) | sheet
    screen[sheet, :, 2] = np.maximum(screen[sheet, :, 2] - SHEET_BIAS, 0.0)
    # One pane after the other: ranks are less than twice the number of parts. Short numbers are sorted in a tenth.
    ranks = 2 * len(counts) * pane + np.where(front, rank_front, rank_back)
    order = np.argsort(ranks.astype(np.min_scalar_type(int(ranks.max(initial=0)))), kind="stable")
    foremost = np.maximum(np.maximum(corners[:, 0, 2], corners[:, 1, 2]), corners[:, 2, 2])
    before_eye = 1.0 - frame.lens.at(pane).perspective * foremost >= NEAR
    order = order[before_eye[order]]
    normals, rgba, subjects = _looks(frame, of_panes, facing)
    # A third of a loop's time. With one index alone it gives no tuple: the first is asked for twice.
    shown = itemgetter(*order.tolist(), *order[:1].tolist())(subjects)[: len(order)] if len(order) else ()
    seams = _seams(frame, screen, counts)
    placed = PlacedTriangles(
        corners=screen.take(order, axis=0),
        normals=normals.take(order, axis=0),
        rgba=rgba.take(order, axis=0),
        front=front[order].astype(np.int64),
        sheet=sheet[order].astype(np.int64),
        opaque=opaque[order],
        solid=number[order],
        subjects=shown,
        seams=None if seams is None else seams.take(order, axis=0),
    )
    split, boxes = rows_by_pane(placed, pane[order], len(of_panes)), _boxes(screen, counts)
    found, last = [], 0
    for seen, each in zip(frame.panes, split, strict=True):
        first_part, last = last, last + len(seen.draw.solids) + len(seen.draw.sheets)
        crowded = _crowded(boxes[first_part:last], len(seen.draw.solids))
        found.append(replace(each, crowded=crowded, seams=each.seams if _has_seams(seen) else None))
    return found


def _parts(frame: Frame, facing: list[list[Array]]) -> IntArray:
    """Of each pane's solids, then its sheets: number there, ranks of back and front faces, sheet, opaque, glass."""
    rows: list[tuple[int, ...]] = []
    for pane, normals in zip(frame.panes, facing, strict=True):
        flags = [(0, solid.opaque, solid.glass) for solid in pane.draw.solids] + [(1, 0, 0)] * len(pane.draw.sheets)
        rows += [
            (number, *each[:2], *each[2]) for number, each in enumerate(zip(*_ranks(pane, normals), flags, strict=True))
        ]
    return np.array(rows, dtype=np.int64).reshape(-1, 6)


def _has_seams(pane: Pane) -> bool:
    return any(solid.seams is not None for solid in pane.draw.solids)


def _seams(frame: Frame, screen: Array, counts: list[int]) -> Array | None:
    """As PlacedTriangles says, in the order the parts were said; `screen` (m, 3, 3). None where no pane has any."""
    if not any(map(_has_seams, frame.panes)):
        return None
    seams = np.full((len(screen), 3), np.inf)
    densities = np.repeat(frame.density, [len(pane.draw.solids) + len(pane.draw.sheets) for pane in frame.panes])
    parts: list[Solid | Sheet] = []
    for pane in frame.panes:
        parts += [*pane.draw.solids, *pane.draw.sheets]
    first = 0
    for part, count, density in zip(parts, counts, densities.tolist(), strict=True):
        if isinstance(part, Solid) and part.seams is not None:
            # By columns: of thousands of triangles, rows of three take numpy three times as long.
            x, y = np.ascontiguousarray(screen[first : first + count, :, :2].transpose(2, 1, 0))
            # Opposite to corner k is the side from corner k + 1 to k + 2.
            across, down = x[[2, 0, 1]] - x[[1, 2, 0]], y[[2, 0, 1]] - y[[1, 2, 0]]
            area = np.abs(across[0] * down[1] - across[1] * down[0])
            heights = area / np.maximum(np.sqrt(across * across + down * down) * density, 1e-12)
            seams[first : first + count] = np.where(part.seams.T[[1, 2, 0]], heights, np.inf).T
        first += count
    return seams


def _crowded(boxes: list[Box], solids: int) -> Box:
    """Where front faces may cover one another; `boxes`: each solid's and then each sheet's."""
    crowded = NOWHERE
    for number in range(solids):
        # Solids are convex: none covers itself.
        for other in boxes[number + 1 :]:
            crowded = around(crowded, common(boxes[number], other))
    return crowded


def _boxes(screen: Array, counts: list[int]) -> list[Box]:
    """Round each part, pixels; `screen` (m, 3, 3): their triangles, one part's after the other's."""
    ends = pairwise([0, *np.cumsum(counts, dtype=np.int64).tolist()])
    return [box_round(screen[first:last]) for first, last in ends]


def _sheets_in_view(pane: Pane) -> list[Array]:
    """Triangles (m, 3, 3) of each sheet, view frame: fans about the first of its points."""
    sheets = pane.draw.sheets
    if not sheets:
        return []
    view = pane.projection.to_view(np.concatenate([sheet.points for sheet in sheets]))
    found, first = [], 0
    for sheet in sheets:
        last = first + len(sheet.points)
        fan = np.arange(first, last - 2)[:, None] + (0, 1, 2)
        fan[:, 0] = first
        found.append(view[fan])
        first = last
    return found


def _looks(frame: Frame, of_panes: list[list[Array]], facing: list[list[Array]]) -> tuple[Array, Array, list[Subject]]:
    """Normals (m, 3, 3), colours (m, 4) and subjects (m), in the order the parts were said."""
    normals, colours, subjects = [np.zeros((0, 3, 3))], [np.zeros((0, 4))], []
    for pane, parts, towards in zip(frame.panes, of_panes, facing, strict=True):
        draw, counts = pane.draw, [len(part) for part in parts]
        normals += pane.normals
        for solid, count in zip(draw.solids, counts[: len(draw.solids)], strict=True):
            own = count == len(solid.rgba)  # else a ball of one colour, with triangles made for this view
            colours.append(solid.rgba if own else np.broadcast_to(solid.rgba[0], (count, 4)))
            subjects += solid.subjects if own else [solid.subjects[0]] * count
        for sheet, normal, count in zip(draw.sheets, towards, counts[len(draw.solids) :], strict=True):
            normals.append(np.broadcast_to(normal, (count, 3, 3)))
            colours.append(np.broadcast_to(np.array(sheet.rgba), (count, 4)))
            subjects += [sheet.subject] * count
    return np.concatenate(normals), np.concatenate(colours), subjects


def _sheet_normals(pane: Pane) -> list[Array]:
    """Unit normals (3,) of the pane's sheets, view frame, on the viewer's side."""
    if not pane.draw.sheets:
        return []
    corners = np.array([sheet.points[:3] for sheet in pane.draw.sheets])
    first = pane.projection.to_view(corners[:, 0])
    ways = pane.projection.turned(corners[:, 1:] - corners[:, :1])
    normals = cross_rows(ways[:, 0], ways[:, 1])
    lengths = length_rows(normals)
    signs = np.where(np.einsum("ij,ij->i", normals, pane.projection.towards_viewer(first)) < 0.0, -1.0, 1.0)
    flat = lengths == 0.0
    normals *= (signs / np.where(flat, 1.0, lengths))[:, None]
    normals[flat] = (0.0, 0.0, 1.0)
    return list(normals)


def _ranks(pane: Pane, facing: list[Array]) -> tuple[list[int], list[int]]:
    """Place in the drawing order of the back and of the front faces of every solid, then of every sheet."""
    draw = pane.draw
    solids, count = len(draw.solids), len(draw.solids) + len(draw.sheets)
    nearest = [float(corners[:, :, 2].max(initial=-np.inf)) for corners in pane.corners]
    farthest = [float(corners[:, :, 2].min(initial=np.inf)) for corners in pane.corners]
    fronts = sorted(range(solids), key=lambda solid: nearest[solid])
    middles = [_middle(corners) if draw.sheets and len(corners) else None for corners in pane.corners]
    for number, (sheet, normal) in enumerate(zip(draw.sheets, facing, strict=True), start=solids):
        anchor = pane.projection.to_view(sheet.points[0])
        fronts.insert(_place_of_sheet(anchor, normal, fronts, middles), number)
    back, front = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    back[sorted(range(solids), key=lambda solid: farthest[solid])] = np.arange(solids)
    front[fronts] = count + np.arange(count)
    return back.tolist(), front.tolist()


def _middle(corners: Array) -> Array:
    points = corners.reshape(-1, 3)
    # Their mean, as a product: down columns numpy adds 15 times slower.
    return np.ones(len(points)) @ points / len(points)


def _place_of_sheet(anchor: Array, normal: Array, fronts: list[int], middles: list[Array | None]) -> int:
    """A point of the sheet and its normal, and `middles` of each solid: (3,) view frame; None without corners."""
    for place, number in enumerate(fronts):
        middle = middles[number] if number < len(middles) else None
        if middle is not None and dot(normal, middle - anchor) > 0.0:
            return place
    return len(fronts)
