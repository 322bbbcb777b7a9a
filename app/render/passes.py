"""What one pane costs: its batches, and the order in which they are drawn."""

from __future__ import annotations

import moderngl
from msgspec import Struct

from ..draw.placed import NOWHERE, Box, Placed, Rect
from . import packing
from .batches import Batch
from .packing import SolidRanges, Typesetter
from .programs import load

HIDDEN_SHARE = 0.45
"""How much of its alpha a face keeps where another solid stands before it."""
NUDGE = (-1.0, -8.0)
"""Polygon offset of faces against the depth they themselves laid down: coplanar faces of two bodies both count as
visible, instead of breaking up into specks."""
Scissor = tuple[int, int, int, int]
"""A rectangle of a framebuffer's pixels: left, bottom, width, height."""
NAMES = ("background", "solids", "lines", "marks", "text")


class Programs:
    """The shader programs, loaded once and shared by all panes."""

    def __init__(self, context: moderngl.Context) -> None:
        self.background, self.solids, self.lines, self.marks, self.text = (load(context, name) for name in NAMES)

    def all(self) -> tuple[moderngl.Program, ...]:
        """Each of them."""
        return self.background, self.solids, self.lines, self.marks, self.text

    def place(self, origin: tuple[float, float], target_size: tuple[int, int]) -> None:
        """Tell all programs where the pane lies in the target."""
        for program in self.all():
            program["origin"] = origin
            program["target_size"] = target_size


class PaneBatches(Struct):
    """The buffers of one pane. Filled by `upload`, drawn by `draw_*` in the order of Renderer.paint."""

    rect: Rect
    crowded: Box
    ground: Batch
    solids: Batch
    lines: Batch
    marks: Batch
    text: Batch
    ranges: SolidRanges

    @classmethod
    def make(cls, context: moderngl.Context, programs: Programs) -> PaneBatches:
        """Empty buffers."""
        return cls(
            Rect(0, 0, 0, 0),
            NOWHERE,
            Batch(context, programs.lines, packing.LINE_ROW, per_instance=True),
            Batch(context, programs.solids, packing.SOLID_ROW, per_instance=False),
            Batch(context, programs.lines, packing.LINE_ROW, per_instance=True),
            Batch(context, programs.marks, packing.MARK_ROW, per_instance=True),
            Batch(context, programs.text, packing.GLYPH_ROW, per_instance=True),
            SolidRanges(0, 0, 0),
        )

    def upload(self, rect: Rect, placed: Placed, typesetter: Typesetter) -> None:
        """Pack one pane and send it."""
        self.rect, self.crowded = rect, placed.triangles.crowded
        lines = placed.lines
        joined = packing.joined_ends(lines)
        self.ranges = packing.pack_triangles(placed.triangles, self.solids.room)
        packing.pack_lines(lines, 0, lines.ground, joined, self.ground.room)
        packing.pack_lines(lines, lines.ground, len(lines.width), joined, self.lines.room)
        packing.pack_marks(placed.marks, self.marks.room)
        packing.pack_labels(placed.labels, placed.halo, typesetter, self.text.room)
        for batch in self._batches():
            batch.upload()

    def draw_solids(
        self,
        context: moderngl.Context,
        program: moderngl.Program,
        framebuffer: moderngl.Framebuffer,
        crowded: Scissor | None,
    ) -> None:
        """Back faces, then front faces and sheets.

        Outside of the rectangle `crowded` no front face stands before another, and a single pass does.
        """
        ranges = self.ranges
        if not self.solids.count:
            return
        program["fade"], program["twice"], program["spared"] = 1.0, 0.0, (0.0,) * 4
        self.solids.draw(0, ranges.back)
        if crowded is not None:
            self._draw_crowded(context, program, framebuffer, crowded)
            left, bottom, width, height = crowded
            program["spared"] = (left, bottom, left + width, bottom + height)
        # Sheets lay down no depth, and count once.
        program["twice"] = 1.0
        self.solids.draw(ranges.back, ranges.front)
        program["twice"] = 0.0
        self.solids.draw(ranges.back + ranges.front, ranges.sheets)

    def _draw_crowded(
        self, context: moderngl.Context, program: moderngl.Program, framebuffer: moderngl.Framebuffer, crowded: Scissor
    ) -> None:
        """Front faces and sheets where they cover one another: what is hidden faintly, what is seen in full.

        Faces are painted a first time while they lay down their depth.
        """
        ranges = self.ranges
        whole, framebuffer.scissor = framebuffer.scissor, crowded
        context.enable_only(moderngl.BLEND | moderngl.DEPTH_TEST)
        context.depth_func = "<"
        self.solids.draw(ranges.back, ranges.front)
        framebuffer.depth_mask = False
        context.polygon_offset = NUDGE
        seen_from = (ranges.back, ranges.front + ranges.sheets)
        program["fade"] = HIDDEN_SHARE
        context.depth_func = ">"
        self.solids.draw(*seen_from)
        program["fade"] = 1.0
        context.depth_func = "<="
        self.solids.draw(*seen_from)
        context.polygon_offset = (0.0, 0.0)
        framebuffer.depth_mask = True
        context.enable_only(moderngl.BLEND)
        framebuffer.scissor = whole

    def release(self) -> None:
        """Free what the GPU holds."""
        for batch in self._batches():
            batch.release()

    def _batches(self) -> tuple[Batch, ...]:
        return self.ground, self.solids, self.lines, self.marks, self.text
