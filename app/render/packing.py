"""From Placed to the rows that the shaders read: plain numpy, filled in place, no GL.

Each `*_ROW` dtype is one vertex or instance as it lies in the buffer; colours are bytes.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from core.geometry.vector import Array

from ..draw.draw_list import Marker, Rgba
from ..draw.placed import PlacedLabel, PlacedLines, PlacedMarks, PlacedTriangles
from ..draw.text import GlyphAtlas, Line, typeset

Rows = NDArray[np.void]
Room = Callable[[int], Rows]
"""Asks a batch for room for so many rows; returns them to be filled."""

SOLID_ROW = np.dtype([("corner", "3f4"), ("normal", "3f4"), ("rgba", "4u1"), ("seams", "3f4")])
LINE_ROW = np.dtype(
    [
        ("start", "2f4"),
        ("end", "2f4"),
        ("start_rgba", "4u1"),
        ("end_rgba", "4u1"),
        ("width", "f4"),
        ("phase", "f4"),
        ("dash", "f4"),
        ("joined", "2f4"),
    ]
)
MARK_ROW = np.dtype(
    [
        ("centre", "2f4"),
        ("radius", "f4"),
        ("angle", "f4"),
        ("shape", "f4"),
        ("stroke_width", "f4"),
        ("fill", "4u1"),
        ("stroke", "4u1"),
    ]
)
GLYPH_ROW = np.dtype([("place", "4f4"), ("source", "4f4"), ("rgba", "4u1"), ("channel", "f4")])

LETTER, HALO = 0.0, 1.0
NO_SEAM = 1e6
"""Points from a corner to a seam that is none."""
JOINT_GRID = 64.0
"""Line ends closer than about this part of a pixel are one point."""


def colour_bytes(rgba: Array | Rgba) -> NDArray[np.uint8]:
    """Components 0..1 as bytes, rounded."""
    scaled: Array = np.clip(np.asarray(rgba, dtype=np.float64), 0.0, 1.0) * 255.0 + 0.5
    return scaled.astype(np.uint8)


class SolidRanges(Struct, frozen=True):
    """How many vertices of a packed batch are back faces, then front faces of solids, then sheets."""

    back: int
    front: int
    sheets: int


def pack_triangles(triangles: PlacedTriangles, room: Room) -> SolidRanges:
    """Three rows a triangle, grouped as the passes need them, each group in the order given."""
    front, sheet = triangles.front.astype(bool), triangles.sheet.astype(bool)
    # The back faces of an opaque convex solid lie behind its own front faces wherever they are.
    back = ~front & ~sheet & ~triangles.opaque.astype(bool)
    groups = [np.flatnonzero(group) for group in (back, front & ~sheet, sheet)]
    order = np.concatenate(groups)
    rows = room(3 * len(order)).reshape(-1, 3)
    rows["corner"] = triangles.corners[order]
    rows["normal"] = triangles.normals[order]
    rows["rgba"] = colour_bytes(triangles.rgba[order])[:, None, :]
    rows["seams"] = NO_SEAM if triangles.seams is None else seam_distances(triangles.seams[order], front[order])
    return SolidRanges(*(3 * len(group) for group in groups))


def seam_distances(heights: Array, front: NDArray[np.bool_]) -> NDArray[np.float32]:
    """(m, 3, 3): of each corner from each side that is a seam; those of back faces are not shown."""
    distances = np.zeros((len(heights), 3, 3), dtype=np.float32)
    shown = np.isfinite(heights) & front[:, None]
    distances[:, (0, 1, 2), (0, 1, 2)] = np.where(shown, heights, 0.0)
    # A side that is no seam is far from all three corners.
    distances += np.where(shown, 0.0, NO_SEAM)[:, None, :]
    return distances


def joined_ends(lines: PlacedLines) -> NDArray[np.bool_]:
    """(n, 2): whether another line of the same width starts or ends where this one starts, ends."""
    count = len(lines.width)
    ends = np.rint(np.concatenate((lines.start, lines.end)) * JOINT_GRID)
    widths = np.rint(np.concatenate((lines.width, lines.width)) * JOINT_GRID)
    # One number a point and width; a collision would only round one more line end.
    keys = (ends[:, 0] * 2097143.0 + ends[:, 1]) * 4093.0 + widths
    _, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
    return (counts[inverse] > 1).reshape(2, count).T


def pack_lines(lines: PlacedLines, first: int, last: int, joined: NDArray[np.bool_], room: Room) -> None:
    """One row a line, for the lines `first` to `last` (exclusive)."""
    rows = room(last - first)
    part = slice(first, last)
    rows["start"] = lines.start[part]
    rows["end"] = lines.end[part]
    rows["start_rgba"] = colour_bytes(lines.start_rgba[part])
    rows["end_rgba"] = colour_bytes(lines.end_rgba[part])
    rows["width"] = lines.width[part]
    rows["phase"] = lines.phase[part]
    rows["dash"] = lines.dash[part]
    rows["joined"] = joined[part]


def pack_marks(marks: PlacedMarks, room: Room) -> None:
    """One row a mark; only triangles, crosses and squares are turned."""
    rows = room(len(marks.radius))
    rows["centre"] = marks.centre
    rows["radius"] = marks.radius
    rows["angle"] = np.where(marks.shape == Marker.DISC, 0.0, marks.angle)
    rows["shape"] = marks.shape
    rows["stroke_width"] = marks.stroke_width
    rows["fill"] = colour_bytes(marks.fill)
    rows["stroke"] = colour_bytes(marks.stroke)


class Typesetter(Struct):
    """Lines of text set in an atlas, remembered between frames."""

    atlas: GlyphAtlas = field(default_factory=GlyphAtlas)
    _lines: dict[tuple[str, float, bool], Line] = field(default_factory=dict)
    _generation: int = 0

    def set_all(self, labels: tuple[PlacedLabel, ...]) -> list[Line]:
        """A set line for each label, all of them in one generation of the atlas where it can hold them."""
        for _ in range(2):
            lines = [self._set(label) for label in labels]
            if self._generation == self.atlas.generation:
                break
            self._lines.clear()
            self._generation = self.atlas.generation
        return lines

    def _set(self, label: PlacedLabel) -> Line:
        key = (label.text, label.size, label.bold)
        line = self._lines.get(key)
        if line is None:
            if len(self._lines) > 4000:
                self._lines.clear()
            line = self._lines[key] = typeset(self.atlas, label.text, label.size, label.bold)
        return line


def pack_labels(labels: tuple[PlacedLabel, ...], halo: Rgba, typesetter: Typesetter, room: Room) -> None:
    """Two rows a glyph: all halos first, then all letters; each label's corner on a whole pixel."""
    lines = typesetter.set_all(labels)
    counts = [line.place.shape[1] for line in lines]
    total = sum(counts)
    rows = room(2 * total)
    if not total:
        return
    halos, letters = rows[:total], rows[total:]
    places = np.concatenate([line.place for line in lines], axis=1)
    sources = np.concatenate([line.source for line in lines], axis=1)
    corners = np.floor(np.array([(label.x, label.y) for label in labels], dtype=np.float32) + 0.5)
    places[:, :, :2] += np.repeat(corners, counts, axis=0)
    alphas = np.array([label.rgba[3] for label in labels])
    halo_rgba = np.tile(np.asarray(halo, dtype=np.float64), (len(labels), 1))
    halo_rgba[:, 3] *= alphas
    letters["place"], halos["place"] = places
    letters["source"], halos["source"] = sources
    letters["rgba"] = np.repeat(colour_bytes(np.array([label.rgba for label in labels])), counts, axis=0)
    letters["channel"] = LETTER
    halos["rgba"] = np.repeat(colour_bytes(halo_rgba), counts, axis=0)
    halos["channel"] = HALO
