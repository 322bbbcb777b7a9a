"""The layout's result: all primitives at their places on the screen, for renderer, picking and vector export.

All positions and sizes are framebuffer pixels, from the pane's top left corner, y down. Colours have straight alpha,
sRGB as displayed.
"""

from __future__ import annotations

from itertools import pairwise
from math import inf, isfinite
from typing import TypeVar

import numpy as np
from msgspec import Struct
from msgspec.structs import asdict, replace

from core.geometry.vector import Array, length_rows

from .draw_list import BoolArray, IntArray, Marker, Rgba, Subject


class Rect(Struct, frozen=True):
    """A rectangle in framebuffer pixels, top left origin."""

    x: int
    y: int
    width: int
    height: int

    def contains(self, x: float, y: float) -> bool:
        """Whether the pixel position lies inside."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


Box = tuple[float, float, float, float]
"""Left, top, right and bottom in pixels; empty if left exceeds right or top exceeds bottom."""
EVERYWHERE: Box = (-inf, -inf, inf, inf)
NOWHERE: Box = (inf, inf, -inf, -inf)
HIDDEN_SHARE = 0.45
"""Factor for the alpha of a face where another solid hides it."""
NEARLY_STRAIGHT = 0.15
"""Two lines go on from each other nearly straight if they turn by less than this, radians."""
LEADER_OPACITY, LEADER_RIM = 0.8, 3.0
"""Factor for the alpha of a label's leader, a thin line; and the width of the rim under it, in widths of the leader.

With the rim a leader has a contrast of 3 at least to what lies beneath it, and to the rim.
"""
JOINT_GRID = 64.0
"""Line ends are compared after rounding to 1 / JOINT_GRID pixel."""


class PlacedTriangles(Struct, frozen=True, eq=False):
    """Triangles of solids and sheets: the back faces of all solids first, and farther solids first.

    `corners` (m, 3, 3): x, y pixels and depth 0 (near) to 1 (far); `normals` (m, 3, 3), view frame; `rgba` (m, 4).
    Flags (m,), 0 or 1: `front`: faces the viewer or is part of a sheet, never of glass; `sheet`: part of a sheet,
    which hides nothing; `opaque`. `solid_number` (m,): number of its solid; sheets are numbered after the solids.
    `crowded`: a box round all pixels in which one front face may cover another. `seams` (m, 3): distance in points of
    each corner from the opposite side if that shows as a seam, else infinity; None if no solid has seams.
    """

    corners: Array
    normals: Array
    rgba: Array
    front: IntArray
    sheet: IntArray
    opaque: IntArray
    solid_number: IntArray
    subjects: tuple[Subject, ...]
    crowded: Box = EVERYWHERE
    seams: Array | None = None


class PlacedLines(Struct, frozen=True, eq=False):
    """Lines in drawing order.

    `start`, `end` (n, 2) pixels; `width` (n,) pixels; colours (n, 4); `dash` (n,): values of Dash; `phase` (n,):
    pixels of the dash pattern before `start`; `ground_lines`: number of leading lines of Layer.GROUND, which are drawn
    before the solids.
    """

    start: Array
    end: Array
    width: Array
    start_rgba: Array
    end_rgba: Array
    dash: IntArray
    phase: Array
    subjects: tuple[Subject, ...]
    ground_lines: int = 0


def joined_ends(lines: PlacedLines) -> BoolArray:
    """Whether each line's start and end is also an end of another line of the same width, (n, 2) bool."""
    count, keys = len(lines.width), _joint_keys(lines)
    order = np.argsort(keys)
    again = np.diff(keys.take(order)) == 0.0
    met = np.zeros(2 * count, dtype=bool)
    met[order[1:]] = again
    met[order[:-1]] |= again
    return met.reshape(2, count).T


def rounded_ends(lines: PlacedLines) -> BoolArray:
    """Whether each line's start and end is drawn round, (n, 2) bool: where another line meets it.

    A translucent line is square where one line goes on from it nearly straight, as in an outline: a round end would
    show as a darker dot there.
    """
    joined, clear = joined_ends(lines), (lines.start_rgba[:, 3] < 1.0) & (lines.end_rgba[:, 3] < 1.0)
    rows = np.flatnonzero(clear & joined.any(axis=1))
    if not len(rows):
        return joined
    way = lines.end[rows] - lines.start[rows]
    way /= np.maximum(length_rows(way), 1e-12)[:, None]
    keys = _joint_keys(lines).reshape(2, -1)[:, rows].ravel()
    _, joint, met = np.unique(keys, return_inverse=True, return_counts=True)
    # Two lines that go on from each other leave their joint in opposite directions.
    sums: Array = np.column_stack([np.bincount(joint, np.concatenate((each, -each))) for each in way.T])
    straight = (met == 2) & (length_rows(sums) < NEARLY_STRAIGHT)
    joined[rows] &= ~straight[joint].reshape(2, -1).T
    return joined


def _joint_keys(lines: PlacedLines) -> Array:
    """One number (2n,) for the place and width of each line's start, then of each line's end.

    Equal numbers by chance would only round one more line end.
    """
    ends = np.rint(np.concatenate((lines.start, lines.end)) * JOINT_GRID)
    widths = np.rint(np.concatenate((lines.width, lines.width)) * JOINT_GRID)
    keys: Array = (ends[:, 0] * 2097143.0 + ends[:, 1]) * 4093.0 + widths
    return keys


HALF_SQUARE = 0.88
"""Half of the side of a SQUARE, as a share of its mark's radius; as in `shaders/marks/marks.frag`."""
COVERS = {Marker.DISC: 1.0, Marker.SQUARE: HALF_SQUARE, Marker.DIAMOND: 0.8}
"""For each shape of a filled mark the radius of a disc that it covers, as a share of the mark's own."""


class PlacedMarks(Struct, frozen=True, eq=False):
    """Point markers and arrow heads.

    `centre` (n, 2), `radius` (n,), `shape` (n,): values of Marker; `angle` (n,) radians: at 0 a TRIANGLE points right,
    positive angles turn it clockwise on the screen; `fill`, `stroke` (n, 4); `stroke_width` (n,).
    """

    centre: Array
    radius: Array
    shape: IntArray
    angle: Array
    fill: Array
    stroke: Array
    stroke_width: Array
    subjects: tuple[Subject, ...]


PlacedRows = TypeVar("PlacedRows", PlacedTriangles, PlacedLines, PlacedMarks)


def joined_rows(first: PlacedRows, second: PlacedRows) -> PlacedRows:
    """The rows of `first`, then those of `second`; fields without rows are those of `first`."""
    rows = {
        name: np.concatenate((values, getattr(second, name)))
        for name, values in asdict(first).items()
        if isinstance(values, np.ndarray)
    }
    return replace(first, subjects=first.subjects + second.subjects, **rows)


def some_rows(rows: PlacedRows, first: int, last: int) -> PlacedRows:
    """The rows from `first` to `last`, exclusive."""
    columns = {
        name: values for name, values in asdict(rows).items() if name == "subjects" or isinstance(values, np.ndarray)
    }
    return replace(rows, **{name: values[first:last] for name, values in columns.items()})


def rows_by_pane(rows: PlacedRows, pane: IntArray, count: int) -> list[PlacedRows]:
    """Splits rows by pane: one result for each of `count` panes; `pane` (n,), ascending: the pane of each row."""
    if count == 1:
        return [rows]
    ends = pairwise([0, *np.searchsorted(pane, np.arange(count), side="right").tolist()])
    return [some_rows(rows, first, last) for first, last in ends]


class PlacedLabel(Struct, frozen=True):
    """A line of text: top left corner of its box and box size in pixels, font size in pixels.

    `place`: index of its place round the anchor, so that it can keep it in the next picture. `whole`: the full text if
    `text` is the brief one, else "". `lean`: the point of the text's width that stays if another font changes that
    width: 0 is its left end, 1 its right end. `tex`: its text for LaTeX, "" if that is derived from `text`.
    `anchored`: the layout placed it beside an anchor point. `number`: of the label in its draw list, -1 for none.
    `anchor`: number of the anchor that it has, of those its label may have. `lead`: pixels from there beyond which it
    has a leader; inf at its preferred place.
    """

    text: str
    x: float
    y: float
    width: float
    height: float
    size: float
    rgba: Rgba
    bold: bool
    subject: Subject
    place: int = 0
    whole: str = ""
    lean: float = 0.5
    tex: str = ""
    anchored: bool = False
    number: int = -1
    anchor: int = 0
    lead: float = inf


def middle_of(label: PlacedLabel) -> Array:
    """The middle (2,) of the label's box, pixels."""
    return np.array((label.x + 0.5 * label.width, label.y + 0.5 * label.height))


def placed_about(label: PlacedLabel, middle: Array) -> PlacedLabel:
    """The label about another middle (2,)."""
    x, y = middle.tolist()
    return replace(label, x=x - 0.5 * label.width, y=y - 0.5 * label.height)


def box_about(middle: Array, label: PlacedLabel) -> Array:
    """The label's box about another middle (..., 2): left, top, right and bottom (..., 4), pixels."""
    half = 0.5 * np.array((label.width, label.height))
    return np.concatenate((middle - half, middle + half), axis=-1)


def boxes_overlap(boxes: Array, others: Array) -> bool:
    """Whether boxes (m, 4) of one label overlap boxes (k, m, 4) of others at the same of m moments; nan for none."""
    across = (boxes[:, :2] < others[..., 2:]) & (others[..., :2] < boxes[:, 2:])
    return bool(across.all(axis=-1).any())


def common(a: Box, b: Box) -> Box:
    """The box of the pixels that are in both boxes; it may be empty."""
    return max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])


def around(a: Box, b: Box) -> Box:
    """The smallest box round both boxes; an empty one is ignored."""
    if a[0] > a[2] or a[1] > a[3]:
        return b
    if b[0] > b[2] or b[1] > b[3]:
        return a
    return min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])


def box_round(corners: Array) -> Box:
    """The smallest box round points (..., 2 or more), x and y first.

    NOWHERE without points; EVERYWHERE if a coordinate is not finite.
    """
    if len(corners) == 0:
        return NOWHERE
    # Column by column, because numpy's minimum over an axis of length two is slow.
    x, y = corners[..., 0], corners[..., 1]
    box = float(x.min()), float(y.min()), float(x.max()), float(y.max())
    return box if isfinite(sum(box)) else EVERYWHERE


class PlacedPane(Struct, frozen=True, eq=False):
    """One pane, ready to be rendered, picked in, or exported as vectors.

    `halo`: colour round text; `labels_dropped`: number of labels without room; `leaders`: number of lines, the last
    ones, that lead from an anchor to its label. `width`, `height`: pixels.
    """

    width: int
    height: int
    triangles: PlacedTriangles
    lines: PlacedLines
    marks: PlacedMarks
    labels: tuple[PlacedLabel, ...]
    halo: Rgba
    labels_dropped: int
    leaders: int = 0


def with_lines(placed: PlacedPane, more: PlacedLines, leaders: int = 0) -> PlacedPane:
    """The pane with more lines, of which the last `leaders` are leaders; all leaders are the pane's last lines."""
    (own, last), (others, others_last) = (
        rows_by_pane(lines, (np.arange(len(lines.dash)) >= len(lines.dash) - count).astype(np.int64), 2)
        for lines, count in ((placed.lines, placed.leaders), (more, leaders))
    )
    lines = joined_rows(joined_rows(own, others), joined_rows(last, others_last))
    return replace(placed, lines=lines, leaders=placed.leaders + leaders)


def lines_with_rims(placed: PlacedPane) -> PlacedLines:
    """The pane's lines as they are drawn: each leader over a rim in the halo's colour, all rims before all leaders.

    A rim is as opaque as the halo of the leader's label.
    """
    first, last = len(placed.lines.dash) - placed.leaders, len(placed.lines.dash)
    if not placed.leaders or not placed.halo[3]:
        return placed.lines
    own = placed.lines
    rows = np.concatenate((np.arange(last), np.arange(first, last)))
    columns = {name: each.take(rows, axis=0) for name, each in asdict(own).items() if isinstance(each, np.ndarray)}
    rgba = np.tile(np.array(placed.halo), (placed.leaders, 1))
    rgba[:, 3] *= own.start_rgba[first:, 3] / LEADER_OPACITY
    columns["width"][first:last] *= LEADER_RIM
    columns["start_rgba"][first:last] = columns["end_rgba"][first:last] = rgba
    return replace(own, subjects=own.subjects + own.subjects[first:], **columns)


def moved_pane(placed: PlacedPane, x: float, y: float) -> PlacedPane:
    """The pane with its triangles, lines, marks and labels moved `x` pixels right and `y` down; `crowded` stays."""
    shift = np.array((x, y), dtype=np.float64)
    corners = placed.triangles.corners.copy()
    corners[..., :2] += shift
    lines, marks = placed.lines, placed.marks
    return replace(
        placed,
        triangles=replace(placed.triangles, corners=corners),
        lines=replace(lines, start=lines.start + shift, end=lines.end + shift),
        marks=replace(marks, centre=marks.centre + shift),
        labels=tuple([replace(label, x=label.x + x, y=label.y + y) for label in placed.labels]),
    )
