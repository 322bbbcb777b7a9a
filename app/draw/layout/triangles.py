"""Solids and sheets as triangles on the screen, back faces first, farther solids first.

Back faces of all solids come before all front faces: solids that overlap or hold one another blend right. Glass has
back faces only. Among front faces a solid comes after those that begin farther away; a sheet comes before the solids
on the viewer's side of its plane and after the others.
"""

from __future__ import annotations

from math import isfinite

import numpy as np

from core.geometry.vector import Array, cross, dot

from ..camera import NEAR, Projection
from ..draw_list import DrawList, IntArray, Sheet, Subject
from ..placed import EVERYWHERE, NOWHERE, Box, PlacedTriangles, around, common
from .frame import Pane

SHEET_BIAS = 1e-5
"""Depth by which sheets are drawn nearer, so that one in a face's plane shows."""


def lay_triangles(draw: DrawList, pane: Pane) -> PlacedTriangles:
    """Projects every triangle; those that reach through the near plane are left out."""
    projection = pane.projection
    parts = [*pane.corners, *(projection.to_view(_fan(sheet)) for sheet in draw.sheets)]
    corners, counts = np.concatenate([np.zeros((0, 3, 3)), *parts]), [len(part) for part in parts]
    if len(corners) == 0:
        none, flag = np.zeros((0, 3, 3)), np.zeros(0, dtype=np.int64)
        return PlacedTriangles(none, none, np.zeros((0, 4)), flag, flag, flag, flag, ())
    screen = projection.screen(corners)
    first, second = screen[:, 1, :2] - screen[:, 0, :2], screen[:, 2, :2] - screen[:, 0, :2]
    # Counter-clockwise seen from outside is a negative turn where y points down.
    front = first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0] < 0.0
    sheet_from = sum(counts[: len(draw.solids)])
    screen[sheet_from:, :, 2] = np.maximum(screen[sheet_from:, :, 2] - SHEET_BIAS, 0.0)
    front[sheet_from:] = True
    rank_back, rank_front = _ranks(draw, pane)
    owner = np.repeat(np.arange(len(counts)), counts)
    front &= ~np.array([*(solid.glass for solid in draw.solids), *(False for _ in draw.sheets)])[owner]
    key = np.where(front, rank_front[owner], rank_back[owner])
    order = np.argsort(key, kind="stable")
    foremost = np.maximum(np.maximum(corners[:, 0, 2], corners[:, 1, 2]), corners[:, 2, 2])
    before_eye = 1.0 - projection.perspective * foremost >= NEAR
    order = order[before_eye[order]]
    normals, rgba, opaque, subjects = _looks(draw, pane, counts)
    seams = _seams(draw, screen, counts, pane.density)
    crowded = _crowded(draw, [part[..., :2].reshape(-1, 2) for part in np.split(screen, np.cumsum(counts)[:-1])])
    owner = owner[order]
    flags = front[order].astype(np.int64), (order >= sheet_from).astype(np.int64), opaque[owner], owner
    shown, seams = tuple([subjects[i] for i in order.tolist()]), None if seams is None else seams[order]
    return PlacedTriangles(screen[order], normals[order], rgba[order], *flags, shown, crowded, seams)


def _seams(draw: DrawList, screen: Array, counts: list[int], density: float) -> Array | None:
    """As PlacedTriangles says, in the order the parts were said; `screen` (m, 3, 3)."""
    if all(solid.seams is None for solid in draw.solids):
        return None
    seams = np.full((len(screen), 3), np.inf)
    first = 0
    for solid, count in zip(draw.solids, counts, strict=False):
        if solid.seams is not None:
            x, y = screen[first : first + count, :, 0], screen[first : first + count, :, 1]
            # Opposite to corner k is the side from corner k + 1 to k + 2.
            across, down = x[:, (2, 0, 1)] - x[:, (1, 2, 0)], y[:, (2, 0, 1)] - y[:, (1, 2, 0)]
            area = np.abs(across[:, :1] * down[:, 1:2] - across[:, 1:2] * down[:, :1])
            heights = area / np.maximum(np.hypot(across, down) * density, 1e-12)
            seams[first : first + count] = np.where(solid.seams[:, (1, 2, 0)], heights, np.inf)
        first += count
    return seams


def _crowded(draw: DrawList, parts: list[Array]) -> Box:
    """Where front faces may cover one another; `parts`: each solid's and then each sheet's corners (k, 2) in pixels."""
    boxes = [_box(part) for part in parts]
    crowded = NOWHERE
    for number in range(len(draw.solids)):
        # Solids are convex: none covers itself.
        for other in boxes[number + 1 :]:
            crowded = around(crowded, common(boxes[number], other))
    return crowded


def _box(points: Array) -> Box:
    if len(points) == 0:
        return NOWHERE
    # Column by column: the smallest along an axis of two is slow to find.
    x, y = points[:, 0], points[:, 1]
    box = float(x.min()), float(y.min()), float(x.max()), float(y.max())
    return box if isfinite(sum(box)) else EVERYWHERE


def _fan(sheet: Sheet) -> Array:
    points = sheet.points
    inner = np.arange(1, len(points) - 1)
    return np.stack((np.broadcast_to(points[0], (len(inner), 3)), points[inner], points[inner + 1]), axis=1)


def _looks(draw: DrawList, pane: Pane, counts: list[int]) -> tuple[Array, Array, IntArray, list[Subject]]:
    """Normals (m, 3, 3), colours (m, 4), opaque per part, subjects (m), in the order the parts were said."""
    normals = list(pane.normals)
    colours, subjects = [], []
    for solid, count in zip(draw.solids, counts[: len(draw.solids)], strict=True):
        own = count == len(solid.rgba)  # else a ball of one colour, with triangles made for this view
        colours.append(solid.rgba if own else np.broadcast_to(solid.rgba[0], (count, 4)))
        subjects += solid.subjects if own else [solid.subjects[0]] * count
    for sheet, count in zip(draw.sheets, counts[len(draw.solids) :], strict=True):
        normal = pane.projection.basis @ _sheet_normal(sheet, pane.projection)
        normals.append(np.broadcast_to(normal, (count, 3, 3)))
        colours.append(np.broadcast_to(np.array(sheet.rgba), (count, 4)))
        subjects += [sheet.subject] * count
    opaque = np.array([*(solid.opaque for solid in draw.solids), *(False for _ in draw.sheets)], dtype=np.int64)
    return np.concatenate(normals), np.concatenate(colours), opaque, subjects


def _sheet_normal(sheet: Sheet, projection: Projection) -> Array:
    """Unit normal (3,) of a sheet, world, on the viewer's side."""
    normal: Array = cross(sheet.points[1] - sheet.points[0], sheet.points[2] - sheet.points[0])
    size = dot(normal, normal) ** 0.5
    sight = projection.towards_viewer(projection.to_view(sheet.points[0])) @ projection.basis
    sign = -1.0 if dot(normal, sight) < 0.0 else 1.0
    facing: Array = normal * (sign / size) if size > 0.0 else projection.basis[2]
    return facing


def _ranks(draw: DrawList, pane: Pane) -> tuple[IntArray, IntArray]:
    """Place in the drawing order of the back and of the front faces of every solid, then of every sheet."""
    solids, count = len(draw.solids), len(draw.solids) + len(draw.sheets)
    nearest = [float(corners[:, :, 2].max(initial=-np.inf)) for corners in pane.corners]
    farthest = [float(corners[:, :, 2].min(initial=np.inf)) for corners in pane.corners]
    fronts = sorted(range(solids), key=lambda solid: nearest[solid])
    middles = [_middle(corners) if draw.sheets and len(corners) else None for corners in pane.corners]
    for number, sheet in enumerate(draw.sheets, start=solids):
        fronts.insert(_place_of_sheet(sheet, fronts, middles, pane), number)
    back, front = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    back[sorted(range(solids), key=lambda solid: farthest[solid])] = np.arange(solids)
    front[fronts] = count + np.arange(count)
    return back, front


def _middle(corners: Array) -> Array:
    points = corners.reshape(-1, 3)
    # Their mean, as a product: down columns numpy adds 15 times slower.
    return np.ones(len(points)) @ points / len(points)


def _place_of_sheet(sheet: Sheet, fronts: list[int], middles: list[Array | None], pane: Pane) -> int:
    """`middles`: (3,) view frame, of each solid; None for one without corners."""
    normal = pane.projection.basis @ _sheet_normal(sheet, pane.projection)
    anchor = pane.projection.to_view(sheet.points[0])
    for place, number in enumerate(fronts):
        middle = middles[number] if number < len(middles) else None
        if middle is not None and dot(normal, middle - anchor) > 0.0:
            return place
    return len(fronts)
