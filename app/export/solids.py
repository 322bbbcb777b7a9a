"""Makes operations of solids and sheets: the passes of `app/render/passes.py`, with clips instead of a depth buffer.

The passes: back faces; front faces, without parts that front faces drawn before hide; hidden parts, fainter; visible
parts. Solids are convex, and depth is linear across a face's pixels. So the part of a face that another one hides is a
convex polygon: their common part, cut where they meet. A solid is written once; each pass shows a part of it by clips.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from core.geometry.vector import Array, dots

from ..draw.draw_list import IntArray
from ..draw.placed import HIDDEN_SHARE, PlacedPane, PlacedTriangles
from .operations import Loops, Operation, OperationGroup
from .polygons import areas, boxes_meet, cut, edge_lines, level_lines, union_outlines
from .shading import faces_of, painted

DEPTH_BIAS = 8.0 / 2.0**24
"""Depth by which a face must be behind another to be hidden, in addition to its own slope over a pixel."""
HIDDEN_TOLERANCE = 1e-12
LEAST_AREA = 1e-3
"""Least area, square pixels, of a triangle or a hidden piece that is considered."""


class PaintedBody(Struct, frozen=True, eq=False):
    """The front faces of a solid, or a sheet.

    `rows`: of its triangles in PlacedTriangles. Of its m triangles that are not too small: `corners` (m, 3, 2), in the
    order of positive area; `depths` (m, 3): at the corners; `planes` (m, 3): a, b, c of the depth a x + b y + c.
    """

    rows: IntArray
    corners: Array
    depths: Array
    planes: Array
    sheet: bool


class HiddenPart(Struct, frozen=True):
    """The part of a body that another one hides: `first` if coplanar faces hide each other, `seen` if they do not."""

    first: Loops
    seen: Loops


def solid_operations(placed: PlacedPane, density: float) -> tuple[Operation, ...]:
    """The operations of all of a pane's triangles; `density`: pixels to a point."""
    triangles = placed.triangles
    front, sheet = triangles.front > 0, triangles.sheet > 0
    found: list[Operation] = []
    for rows in _by_solid(triangles, np.flatnonzero(~front & ~sheet & (triangles.opaque == 0))):
        # For glass the rows include triangles that face the viewer; they are painted before those that face away.
        turned = areas(triangles.corners[rows, :, :2]) < 0.0
        for side in (rows[~turned], rows[turned]):
            if len(side):
                found += painted(faces_of(triangles, side), 1, density)
    bodies = [_body(triangles, rows, sheet=False) for rows in _by_solid(triangles, np.flatnonzero(front & ~sheet))]
    bodies += [_body(triangles, rows, sheet=True) for rows in _by_solid(triangles, np.flatnonzero(sheet))]
    crowd = _crowd(bodies)
    for number, body in enumerate(bodies):
        if number not in crowd and not body.sheet:
            found += painted(faces_of(triangles, body.rows), 2, density)
    found += _passes(triangles, [bodies[number] for number in crowd], placed, density)
    for number, body in enumerate(bodies):
        if number not in crowd and body.sheet:
            found += painted(faces_of(triangles, body.rows), 1, density)
    return tuple(found)


def _by_solid(triangles: PlacedTriangles, rows: IntArray) -> list[IntArray]:
    """The rows of each solid, in the order in which the solids first appear in `rows` (k,)."""
    numbers = triangles.solid_number[rows]
    return [rows[numbers == number] for number in dict.fromkeys(numbers.tolist())]


def _body(triangles: PlacedTriangles, rows: IntArray, *, sheet: bool) -> PaintedBody:
    corners = triangles.corners[rows]
    corners = corners[np.abs(areas(corners[..., :2])) > LEAST_AREA]
    corners = np.where((areas(corners[..., :2]) < 0.0)[:, None, None], corners[:, ::-1], corners)
    flat, depths = corners[..., :2], corners[..., 2]
    return PaintedBody(rows, flat, depths, level_lines(flat, depths), sheet)


def _crowd(bodies: list[PaintedBody]) -> list[int]:
    """The indices of bodies that may cover another one or be covered; two sheets do not count, as they hide nothing."""
    boxes = [body.corners.reshape(1, -1, 2) for body in bodies]
    found = set()
    for k, body in enumerate(bodies):
        for j in range(k):
            meet = len(boxes[k][0]) and len(boxes[j][0]) and boxes_meet(boxes[k], boxes[j]).any()
            if meet and not (body.sheet and bodies[j].sheet):
                found |= {k, j}
    return sorted(found)


def _passes(
    triangles: PlacedTriangles, bodies: list[PaintedBody], placed: PlacedPane, density: float
) -> list[Operation]:
    """The operations of front faces and sheets of bodies that cover one another."""
    once = [OperationGroup(painted(faces_of(triangles, body.rows), 1, density)) for body in bodies]
    solids = [number for number, body in enumerate(bodies) if not body.sheet]
    hidden = {(k, j): hidden_part(body, bodies[j]) for k, body in enumerate(bodies) for j in solids if j != k}
    frame = _frame(placed)

    def seen(group: OperationGroup, regions: list[Loops]) -> Operation:
        clips = tuple([(frame, *loops) for loops in regions if loops])
        return OperationGroup((group,), clips=clips) if clips else group

    found = [seen(once[k], [hidden[k, j].first for j in solids if j < k]) for k in solids]
    for k, group in enumerate(once):
        covered = tuple([loop for j in solids if j != k for loop in hidden[k, j].seen])
        if covered:
            found.append(OperationGroup((group,), HIDDEN_SHARE, (covered,)))
    return found + [seen(group, [hidden[k, j].seen for j in solids if j != k]) for k, group in enumerate(once)]


def _frame(placed: PlacedPane) -> Array:
    """A loop (4, 2) far round the pane, wound opposite to outlines.

    Together they clip to the outside of the outlines.
    """
    width, height = 8.0 * placed.width, 8.0 * placed.height
    return np.array(((-width, -height), (-width, height), (width, height), (width, -height)))


def hidden_part(body: PaintedBody, other: PaintedBody) -> HiddenPart:
    """The part of `body` that the solid `other` hides."""
    i, j = np.nonzero(boxes_meet(body.corners, other.corners))
    behind = body.depths[i].max(axis=1) >= other.depths[j].min(axis=1)
    i, j = i[behind], j[behind]
    pieces = body.corners[i]
    for side in range(3):
        pieces, rows = cut(pieces, edge_lines(other.corners[j], side))
        i, j = i[rows], j[rows]
    behind_by = body.planes[i] - other.planes[j]
    nearer = DEPTH_BIAS + np.abs(body.planes[i, :2]).max(axis=1, initial=0.0)
    values = dots(pieces, behind_by[:, None, :2]) + behind_by[:, 2:]
    seen = _behind(pieces, behind_by, nearer)
    if (np.abs(values) > nearer[:, None]).any(axis=1).all():
        return HiddenPart(seen, seen)
    return HiddenPart(_behind(pieces, behind_by, np.full(len(i), -HIDDEN_TOLERANCE)), seen)


def _behind(pieces: Array, behind_by: Array, least: Array) -> Loops:
    """The outline of the parts of pieces (n, k, 2) where a x + b y + c >= `least` (n,); `behind_by` (n, 3): a, b, c."""
    lines = behind_by.copy()
    lines[:, 2] -= least
    parts, _ = cut(pieces, lines)
    return union_outlines([parts[np.abs(areas(parts)) > LEAST_AREA]])
