"""The layout's result: everything that is drawn, in its place on the screen, for renderer, picking and vector figure.

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

from core.geometry.vector import Array

from .draw_list import BoolArray, IntArray, Rgba, Subject


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
"""Left, top, right and bottom in pixels; empty where left exceeds right."""
EVERYWHERE: Box = (-inf, -inf, inf, inf)
NOWHERE: Box = (inf, inf, -inf, -inf)
HIDDEN_SHARE = 0.45
"""The share of its alpha that a face keeps behind another solid."""
JOINT_GRID = 64.0
"""Line ends closer than about this part of a pixel are one point."""


class PlacedTriangles(Struct, frozen=True, eq=False):
    """Solids and sheets, back faces first, farther solids first.

    `corners` (m, 3, 3) as x, y pixels and depth 0 (near) to 1 (far); `normals` (m, 3, 3) in
    camera space (x right, y up, z towards the viewer); `rgba` (m, 4); `front` (m,): faces the viewer, glass never;
    `sheet` (m,): part of a sheet (no depth of its own); `opaque` (m,); `solid` (m,): which solid or sheet it is of, by
    a number. `crowded`: holds every pixel in which one front face may stand before another. `seams` (m, 3): how many
    points a corner is away from the opposite side where that shows as a seam, else infinity; None where no side does.
    """

    corners: Array
    normals: Array
    rgba: Array
    front: IntArray
    sheet: IntArray
    opaque: IntArray
    solid: IntArray
    subjects: tuple[Subject, ...]
    crowded: Box = EVERYWHERE
    seams: Array | None = None


class PlacedLines(Struct, frozen=True, eq=False):
    """Lines in drawing order.

    `start`, `end` (n, 2) pixels; `width` (n,) pixels; colours (n, 4); `dash` (n,) of
    draw_list.Dash; `phase` (n,): pixels of the pattern already spent at `start`; `ground`: how many leading lines
    belong to Layer.GROUND and are therefore drawn before the solids.
    """

    start: Array
    end: Array
    width: Array
    start_rgba: Array
    end_rgba: Array
    dash: IntArray
    phase: Array
    subjects: tuple[Subject, ...]
    ground: int = 0


def joined_ends(lines: PlacedLines) -> BoolArray:
    """(n, 2): whether another line of the same width starts or ends where this one starts, ends."""
    count = len(lines.width)
    ends = np.rint(np.concatenate((lines.start, lines.end)) * JOINT_GRID)
    widths = np.rint(np.concatenate((lines.width, lines.width)) * JOINT_GRID)
    # One number a point and width; a collision would only round one more line end.
    keys = (ends[:, 0] * 2097143.0 + ends[:, 1]) * 4093.0 + widths
    order = np.argsort(keys)
    again = np.diff(keys.take(order)) == 0.0
    met = np.zeros(2 * count, dtype=bool)
    met[order[1:]] = again
    met[order[:-1]] |= again
    return met.reshape(2, count).T


class PlacedMarks(Struct, frozen=True, eq=False):
    """Point markers.

    `centre` (n, 2), `radius` (n,), `shape` (n,) of draw_list.Marker, `angle` (n,) radians (a TRIANGLE
    at 0 points right, angles turn it clockwise on the screen), `fill`, `stroke` (n, 4), `stroke_width` (n,).
    """

    centre: Array
    radius: Array
    shape: IntArray
    angle: Array
    fill: Array
    stroke: Array
    stroke_width: Array
    subjects: tuple[Subject, ...]


Rows = TypeVar("Rows", PlacedTriangles, PlacedLines, PlacedMarks)


def joined_rows(first: Rows, second: Rows) -> Rows:
    """The rows of both; fields that have no rows are the first one's."""
    rows = {
        name: np.concatenate((values, getattr(second, name)))
        for name, values in asdict(first).items()
        if isinstance(values, np.ndarray)
    }
    return replace(first, subjects=first.subjects + second.subjects, **rows)


def rows_by_pane(rows: Rows, pane: IntArray, count: int) -> list[Rows]:
    """The rows of each of `count` panes by themselves; `pane` (n,): of each row, ascending."""
    if count == 1:
        return [rows]
    ends = pairwise([0, *np.searchsorted(pane, np.arange(count), side="right").tolist()])
    columns = {
        name: values for name, values in asdict(rows).items() if name == "subjects" or isinstance(values, np.ndarray)
    }
    return [replace(rows, **{name: values[first:last] for name, values in columns.items()}) for first, last in ends]


class PlacedLabel(Struct, frozen=True):
    """A line of text: top left corner of its box and box size in pixels, font size in pixels.

    `place`: index of the place round the anchor that it took, so that the next picture can leave it there. `whole`: the
    full text where `text` is the brief one, else "". `lean`: the point of the text's width that stays where it is in
    another font, 0 its left end, 1 its right end. `tex`: its text for LaTeX, "" where that follows from the text.
    `anchored`: it belongs to a point of the picture, beside which layout found its place. `number`: of the label in its
    draw list, -1 for none.
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


def common(a: Box, b: Box) -> Box:
    """The box of the pixels in both."""
    return max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])


def around(a: Box, b: Box) -> Box:
    """The smallest box round both, of which either may be empty."""
    if a[0] > a[2] or a[1] > a[3]:
        return b
    if b[0] > b[2] or b[1] > b[3]:
        return a
    return min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])


def box_round(corners: Array) -> Box:
    """The smallest box round pixels (..., 2 or more), or everywhere where some are not finite."""
    if len(corners) == 0:
        return NOWHERE
    # Column by column: the smallest along an axis of two is slow to find.
    x, y = corners[..., 0], corners[..., 1]
    box = float(x.min()), float(y.min()), float(x.max()), float(y.max())
    return box if isfinite(sum(box)) else EVERYWHERE


class PlacedPane(Struct, frozen=True, eq=False):
    """One pane, ready to be drawn, picked or written as vectors.

    `halo`: colour round text; `labels_dropped`: how many labels found no room; `leaders`: how many of the last lines
    lead from an anchor to its label.
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


def moved(placed: PlacedPane, x: float, y: float) -> PlacedPane:
    """The pane with everything in it shifted by `x` pixels to the right and `y` down."""
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
