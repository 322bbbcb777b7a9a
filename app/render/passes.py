"""One pane on the GPU: the rows that the shaders read, the pane's batches, and the order in which they are drawn.

Plain numpy turns placed panes into rows, in place. Each `*_ROW` dtype is one vertex or one instance as it is in the
buffer. Colours are bytes.
"""

from __future__ import annotations

from collections.abc import Callable

import moderngl
import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from core.geometry.vector import Array

from ..draw.draw_list import Marker, Rgba
from ..draw.placed import (
    HIDDEN_SHARE,
    NOWHERE,
    Box,
    PlacedLabel,
    PlacedLines,
    PlacedMarks,
    PlacedPane,
    PlacedTriangles,
    Rect,
    lines_with_rims,
    rounded_ends,
)
from ..draw.text import GlyphAtlas, GlyphRun, glyph_run
from .context import Batch, BufferRows, load_program

RowRoom = Callable[[int], BufferRows]
"""A function that asks a batch for a number of rows and returns them, to be filled."""


def _row(columns: str) -> np.dtype[np.void]:
    return np.dtype([(name, kind) for name, _, kind in (column.partition(" ") for column in columns.split(", "))])


SOLID_ROW = _row("corner 3f4, normal 3f4, rgba 4u1, seams 3f4")  # `pack_triangles` fills it by these columns
LINE_ROW = _row("start 2f4, end 2f4, start_rgba 4u1, end_rgba 4u1, width f4, phase f4, dash f4, joined 2f4")
MARK_ROW = _row("centre 2f4, radius f4, angle f4, shape f4, stroke_width f4, fill 4u1, stroke 4u1")
GLYPH_ROW = _row("place 4f4, source 4f4, rgba 4u1, channel f4")
LETTER, HALO = 0.0, 1.0
"""The channel of the glyph atlas that a row reads."""
NO_SEAM = 1e6
"""Distance, points, of a corner from a side that is no seam: larger than any real distance."""
MANY_VERTICES = 6_000
"""With more vertices of front faces than this, the whole pane is painted as crowded: sending them again would cost
more."""


def colour_bytes(rgba: Array | Rgba) -> NDArray[np.uint8]:
    """Components 0..1 as bytes, rounded; others are clipped to 0..1."""
    scaled: Array = np.clip(np.asarray(rgba, dtype=np.float64), 0.0, 1.0) * 255.0 + 0.5
    return scaled.astype(np.uint8)


class SolidRanges(Struct, frozen=True):
    """Counts of vertices in a packed batch: of back faces, then front faces of solids, then sheets.

    `crowded`: the count of those vertices, the first of `front`, whose triangles reach into the crowded box.
    """

    back: int
    front: int
    sheets: int
    crowded: int


def pack_triangles(triangles: PlacedTriangles, room: RowRoom) -> SolidRanges:
    """Fills three rows for each triangle, but none for the back faces of opaque solids.

    The rows are in the groups that the passes need, each group in the given order, crowded front faces first.
    """
    front, sheet = triangles.front.astype(bool), triangles.sheet.astype(bool)
    # The back faces of an opaque convex solid are behind its own front faces everywhere, so that they are left out.
    back = ~front & ~sheet & ~triangles.opaque.astype(bool)
    backs, fronts, sheets = (np.flatnonzero(group) for group in (back, front & ~sheet, sheet))
    near = _reaching(triangles.corners.take(fronts, axis=0), triangles.crowded)
    order = np.concatenate((backs, fronts[near], fronts[~near], sheets))
    rows = room(3 * len(order)).view(np.float32).reshape(-1, 3, SOLID_ROW.itemsize // 4)
    normals = triangles.normals if triangles.normals.strides[1] else triangles.normals[:, :1]
    corners, normals = triangles.corners.take(order, axis=0), normals.take(order, axis=0)
    seams = None if triangles.seams is None else seam_distances(triangles.seams.take(order, axis=0), front[order])
    # Column by column: for thousands of triangles numpy takes three times as long by rows of three.
    for k in range(3):
        rows[..., k], rows[..., 3 + k] = corners[..., k], normals[..., k]
        rows[..., 7 + k] = NO_SEAM if seams is None else seams[..., k]
    rows.view(np.uint32)[..., 6] = colour_bytes(triangles.rgba).view(np.uint32).take(order, axis=0)
    return SolidRanges(3 * len(backs), 3 * len(fronts), 3 * len(sheets), 3 * int(np.count_nonzero(near)))


def _reaching(corners: Array, box: Box) -> NDArray[np.bool_]:
    """Whether each of the triangles (m, 3, 3) may cover a pixel that the box touches, as a mask (m,)."""
    places = np.ascontiguousarray(corners[..., :2].transpose(2, 1, 0))
    low, high = places.min(axis=1) - 1.0, places.max(axis=1) + 1.0
    reaching: NDArray[np.bool_] = (high[0] >= box[0]) & (high[1] >= box[1]) & (low[0] <= box[2]) & (low[1] <= box[3])
    return reaching


def seam_distances(heights: Array, front: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Distances (m, 3, 3) of each corner from each side that is a seam; front faces alone have seams.

    `heights` (m, 3): of each corner over the opposite side, infinite where that is no seam.
    """
    shown = np.isfinite(heights.T) & front
    distances = np.zeros((3, 3, len(heights)), dtype=np.float32)
    # A side that is no seam is far from all three corners.
    distances[:] = np.where(shown, np.float32(0.0), np.float32(NO_SEAM))[:, None]
    for side in range(3):
        distances[side, side] = np.where(shown[side], heights[:, side], NO_SEAM)
    return distances.transpose(2, 1, 0)


def pack_lines(lines: PlacedLines, first: int, last: int, joined: NDArray[np.bool_], room: RowRoom) -> None:
    """Fills one row for each line from number `first` to before `last`.

    `joined` (n, 2): whether another line goes on from the start and from the end of each of all lines.
    """
    rows = room(last - first)
    part = slice(first, last)
    for name in ("start", "end", "width", "phase", "dash"):
        rows[name] = getattr(lines, name)[part]
    rows["start_rgba"] = colour_bytes(lines.start_rgba[part])
    rows["end_rgba"] = colour_bytes(lines.end_rgba[part])
    rows["joined"] = joined[part]


def pack_marks(marks: PlacedMarks, room: RowRoom) -> None:
    """Fills one row for each mark; discs are not turned."""
    rows = room(len(marks.radius))
    for name in ("centre", "radius", "shape", "stroke_width"):
        rows[name] = getattr(marks, name)
    rows["angle"] = np.where(marks.shape == Marker.DISC, 0.0, marks.angle)
    rows["fill"] = colour_bytes(marks.fill)
    rows["stroke"] = colour_bytes(marks.stroke)


class GlyphRunCache(Struct):
    """Sets lines of text in a glyph atlas and keeps them between frames."""

    atlas: GlyphAtlas = field(default_factory=GlyphAtlas)
    _lines: dict[tuple[str, float, bool], GlyphRun] = field(default_factory=dict)
    _generation: int = 0

    def glyph_runs(self, labels: tuple[PlacedLabel, ...]) -> list[GlyphRun]:
        """A set line for each label; all are of one generation of the atlas, if it can hold them."""
        for _ in range(2):
            lines = [self._set(label) for label in labels]
            if self._generation == self.atlas.generation:
                break
            self._lines.clear()
            self._generation = self.atlas.generation
        return lines

    def _set(self, label: PlacedLabel) -> GlyphRun:
        key = (label.text, label.size, label.bold)
        line = self._lines.get(key)
        if line is None:
            if len(self._lines) > 4000:
                self._lines.clear()
            line = self._lines[key] = glyph_run(self.atlas, label.text, label.size, label.bold)
        return line


def pack_labels(labels: tuple[PlacedLabel, ...], halo: Rgba, typesetter: GlyphRunCache, room: RowRoom) -> None:
    """Fills two rows for each glyph: all halos first, then all letters; each label's corner is on a whole pixel."""
    lines = typesetter.glyph_runs(labels)
    counts = [line.boxes.shape[1] for line in lines]
    total = sum(counts)
    rows = room(2 * total)
    if not total:
        return
    halos, letters = rows[:total], rows[total:]
    places = np.concatenate([line.boxes for line in lines], axis=1)
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


POLYGON_OFFSET = (-1.0, -8.0)
"""Polygon offset of faces against the depth that they wrote themselves. With it coplanar faces of two bodies both count
as visible, and do not break up into specks."""
Scissor = tuple[int, int, int, int]
"""A rectangle of a framebuffer's pixels: left, bottom, width, height, from the lower left corner."""


def round_about(hole: Scissor, whole: Scissor) -> list[Scissor]:
    """The parts of `whole` outside of `hole`, which lies in it: strips below, above, left and right of the hole."""
    (x, y, width, height), (left, bottom, wide, high) = whole, hole
    right, top = left + wide, bottom + high
    strips = (
        (x, y, width, bottom - y),
        (x, top, width, y + height - top),
        (x, bottom, left - x, high),
        (right, bottom, x + width - right, high),
    )
    return [strip for strip in strips if min(strip[2:]) > 0]


PROGRAM_NAMES = ("background", "solids", "lines", "marks", "text")


class Programs:
    """The shader programs, loaded once and shared by all panes."""

    def __init__(self, context: moderngl.Context) -> None:
        self.background, self.solids, self.lines, self.marks, self.text = (
            load_program(context, name) for name in PROGRAM_NAMES
        )

    def all(self) -> tuple[moderngl.Program, ...]:
        """All programs."""
        return self.background, self.solids, self.lines, self.marks, self.text

    def set_origin(self, origin: tuple[float, float], target_size: tuple[int, int]) -> None:
        """Sets the pane's place in the target in all programs.

        `origin`: the pane's top left corner in the target; both in pixels.
        """
        for program in self.all():
            program["origin"] = origin
            program["target_size"] = target_size


class PaneBatches(Struct):
    """The buffers of one pane: `upload` fills them, and `Renderer.paint` draws them."""

    rect: Rect
    crowded: Box
    ground_lines: Batch
    solids: Batch
    lines: Batch
    marks: Batch
    text: Batch
    ranges: SolidRanges

    @classmethod
    def make(cls, context: moderngl.Context, programs: Programs) -> PaneBatches:
        """Empty buffers."""
        ground_lines, lines = (Batch(context, programs.lines, LINE_ROW, per_instance=True) for _ in range(2))
        solids = Batch(context, programs.solids, SOLID_ROW, per_instance=False)
        marks = Batch(context, programs.marks, MARK_ROW, per_instance=True)
        text = Batch(context, programs.text, GLYPH_ROW, per_instance=True)
        return cls(Rect(0, 0, 0, 0), NOWHERE, ground_lines, solids, lines, marks, text, SolidRanges(0, 0, 0, 0))

    def upload(self, rect: Rect, placed: PlacedPane, typesetter: GlyphRunCache) -> None:
        """Packs one pane and sends it to the GPU."""
        self.rect, self.crowded = rect, placed.triangles.crowded
        lines = lines_with_rims(placed)
        joined = rounded_ends(lines)
        self.ranges = pack_triangles(placed.triangles, self.solids.room)
        pack_lines(lines, 0, lines.ground_lines, joined, self.ground_lines.room)
        pack_lines(lines, lines.ground_lines, len(lines.width), joined, self.lines.room)
        pack_marks(placed.marks, self.marks.room)
        pack_labels(placed.labels, placed.halo, typesetter, self.text.room)
        for batch in self._batches():
            batch.upload()

    def draw_solids(
        self,
        context: moderngl.Context,
        program: moderngl.Program,
        framebuffer: moderngl.Framebuffer,
        crowded: Scissor | None,
    ) -> None:
        """Draws back faces, then front faces and sheets.

        Outside of the rectangle `crowded` no front face is before another, so that a single pass is enough there.
        """
        ranges = self.ranges
        if not self.solids.count:
            return
        program["fade"], program["twice"] = 1.0, 0.0
        self.solids.draw(0, ranges.back)
        whole = framebuffer.scissor
        parts = [whole] if crowded is None else round_about(crowded, whole)
        if crowded is not None and ranges.front > MANY_VERTICES:
            crowded, parts = whole, []
        if crowded is not None:
            self._draw_crowded(context, program, framebuffer, crowded)
        for part in parts:
            framebuffer.scissor = part
            # Sheets write no depth and are painted once.
            program["twice"] = 1.0
            self.solids.draw(ranges.back, ranges.front)
            program["twice"] = 0.0
            self.solids.draw(ranges.back + ranges.front, ranges.sheets)
        framebuffer.scissor = whole

    def _draw_crowded(
        self, context: moderngl.Context, program: moderngl.Program, framebuffer: moderngl.Framebuffer, crowded: Scissor
    ) -> None:
        """Draws front faces and sheets in the rectangle `crowded`, where they may cover one another.

        Front faces are painted once while they write their depth. Then hidden parts are painted faintly and visible
        parts in full.
        """
        ranges = self.ranges
        whole, framebuffer.scissor = framebuffer.scissor, crowded
        context.enable_only(moderngl.BLEND | moderngl.DEPTH_TEST)
        context.depth_func = "<"
        self.solids.draw(ranges.back, ranges.front)
        framebuffer.depth_mask = False
        context.polygon_offset = POLYGON_OFFSET
        seen_from = (ranges.back, ranges.front + ranges.sheets)
        program["fade"] = HIDDEN_SHARE
        context.depth_func = ">"
        self.solids.draw(ranges.back, ranges.crowded)
        self.solids.draw(ranges.back + ranges.front, ranges.sheets)
        program["fade"] = 1.0
        context.depth_func = "<="
        self.solids.draw(*seen_from)
        context.polygon_offset = (0.0, 0.0)
        framebuffer.depth_mask = True
        context.enable_only(moderngl.BLEND)
        framebuffer.scissor = whole

    def release(self) -> None:
        """Frees the GPU's objects."""
        for batch in self._batches():
            batch.release()

    def _batches(self) -> tuple[Batch, ...]:
        return self.ground_lines, self.solids, self.lines, self.marks, self.text
