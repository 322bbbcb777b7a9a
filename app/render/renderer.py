"""Draws placed panes into framebuffers. It depends on GL and pixels only, not on scenes, cameras or themes.

For a frame `upload` packs the panes into buffers, and `present` brings them into the window. A frame in which only
panels change needs `present` alone. `paint` draws the panes into any framebuffer, `draw` into the renderer's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import ceil, floor

import moderngl

from ..draw.draw_list import Rgba
from ..draw.placed import Box, PlacedPane, Rect, common
from ..draw.text import GlyphAtlas
from .context import RenderTarget, WindowTarget, load_program
from .passes import GlyphRunCache, PaneBatches, Programs, Scissor

PositionedPane = tuple[Rect, PlacedPane]
Background = tuple[Rgba, Rgba]
"""Colours at a pane's top and bottom."""
DEPTH_BITS = 24
"""Least depth bits of a framebuffer that panes are painted into."""


class Renderer:
    """Draws panes in one context, which must be current when the renderer is made."""

    def __init__(self, context: moderngl.Context) -> None:
        self.context = context
        self._programs = Programs(context)
        self._copy = load_program(context, "copy")
        self._empty_array = context.vertex_array(self._programs.background, [])
        self._copy_array = context.vertex_array(self._copy, [])
        self._typesetter = GlyphRunCache()
        self._atlas: moderngl.Texture | None = None
        self._panes: list[PaneBatches] = []
        self._shown = 0
        self._target: RenderTarget | None = None
        self._unseen = False
        self._kept = False

    @property
    def atlas(self) -> GlyphAtlas:
        """The atlas with the glyphs of all labels since it was last emptied."""
        return self._typesetter.atlas

    @property
    def target(self) -> RenderTarget:
        """The renderer's own target, with the picture of the last `draw`, or of a `present` that used it.

        Raises RuntimeError before the first of them.
        """
        if self._target is None:
            raise RuntimeError("nothing has been drawn yet")
        return self._target

    def draw(self, panes: Sequence[PositionedPane], background: Background | None, size: tuple[int, int]) -> None:
        """Draws the panes into the renderer's own target of `size` pixels.

        Pixels outside the panes are transparent black; with `background` None so are those that no pane paints.
        """
        self.upload(panes)
        self.resize(size)
        self.paint(background, self.target)

    def resize(self, size: tuple[int, int]) -> None:
        """Gives the own target this size, at least 1 × 1 pixels. Another size discards the picture."""
        size = (max(1, size[0]), max(1, size[1]))
        if self._target is None or self._target.size != size:
            if self._target is not None:
                self._target.release()
            self._target = RenderTarget(self.context, size)

    def upload(self, panes: Sequence[PositionedPane]) -> None:
        """Packs the panes and sends them to the GPU; they replace those of the last upload."""
        self._unseen, self._kept = True, False
        while len(self._panes) < len(panes):
            self._panes.append(PaneBatches.make(self.context, self._programs))
        self._shown = len(panes)
        generation = self.atlas.generation
        for batches, (rect, placed) in zip(self._panes, panes, strict=False):
            batches.upload(rect, placed, self._typesetter)
        if self.atlas.generation != generation:
            # The atlas was emptied while a later pane was set: the glyphs of earlier panes are gone.
            for batches, (rect, placed) in zip(self._panes, panes, strict=False):
                batches.upload(rect, placed, self._typesetter)
        self._upload_atlas()

    def paint(
        self,
        background: Background | None,
        target: RenderTarget | WindowTarget,
        offset: tuple[int, int] = (0, 0),
        clear_colour: Rgba = (0.0, 0.0, 0.0, 0.0),
    ) -> None:
        """Draws the uploaded panes into a target, whose top left pixel is the picture's pixel `offset`.

        `clear_colour`: colour of the pixels outside the panes, and of those that no pane paints.
        """
        framebuffer, context = target.framebuffer, self.context
        framebuffer.use()
        framebuffer.viewport = (0, 0, *target.size)
        framebuffer.scissor = (0, 0, *target.size)
        framebuffer.color_mask = (True,) * 4
        framebuffer.depth_mask = True
        framebuffer.clear(*clear_colour, depth=1.0)
        context.enable_only(moderngl.BLEND)
        context.blend_equation = moderngl.FUNC_ADD  # type: ignore[assignment]  # the stubs want a pair
        context.blend_func = moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA
        if self._atlas is not None:
            self._atlas.use(0)
        for batches in self._panes[: self._shown]:
            rect = batches.rect
            clip = _clipped(rect, offset, target.size)
            if clip is None:
                continue
            framebuffer.scissor = clip
            self._programs.set_origin((rect.x - offset[0], rect.y - offset[1]), target.size)
            crowded = _clipped(_pixels(batches.crowded, rect), offset, target.size)
            self._paint_pane(batches, background, framebuffer, crowded)

    def present(self, background: Background, size: tuple[int, int], area: Rect, clear_colour: Rgba) -> None:
        """Brings the panes, which lie in `area`, into the window of `size` pixels; the rest is cleared, opaque.

        Panes that were just uploaded are painted straight into the window: with software GL, painting into the
        renderer's own target and copying takes 2 ms longer. Panes that are shown again are painted into the own target
        once, and copied from then on.
        """
        if self._unseen and self._window_has_depth:
            self.paint(background, WindowTarget(self.context.screen, size), clear_colour=clear_colour)
            self.context.screen.scissor = (0, 0, *size)
        else:
            if not self._kept:
                self.resize(size)
                self.paint(background, self.target)
                self._kept = True
            self._copy_into_window(size, area, clear_colour)
        self._unseen = False

    @cached_property
    def _window_has_depth(self) -> bool:
        return int(self.context.screen.bits["depth"]) >= DEPTH_BITS

    def _copy_into_window(self, size: tuple[int, int], area: Rect, clear_colour: Rgba) -> None:
        # Clearing takes far less time than drawing.
        screen = self.context.screen
        screen.use()
        screen.viewport = screen.scissor = (0, 0, *size)
        screen.color_mask = (True,) * 4
        screen.clear(*clear_colour)
        clip = _clipped(area, (0, 0), size)
        if clip is None:
            return
        screen.scissor = clip
        self.context.enable_only(moderngl.NOTHING)
        self.target.colour.use(0)
        self._copy_array.render(moderngl.TRIANGLES, vertices=3)
        screen.scissor = (0, 0, *size)

    def release(self) -> None:
        """Frees all the GPU's objects of this renderer."""
        for batches in self._panes:
            batches.release()
        self._panes.clear()
        self._shown = 0
        for part in (self._empty_array, self._copy_array, self._atlas, self._target, self._copy, *self._programs.all()):
            if part is not None:
                part.release()
        self._atlas = self._target = None

    def _paint_pane(
        self,
        batches: PaneBatches,
        background: Background | None,
        framebuffer: moderngl.Framebuffer,
        crowded: Scissor | None,
    ) -> None:
        if background is not None:
            self._paint_background(batches.rect, background)
        batches.ground_lines.draw()
        batches.draw_solids(self.context, self._programs.solids, framebuffer, crowded)
        batches.lines.draw()
        batches.marks.draw()
        batches.text.draw()

    def _paint_background(self, rect: Rect, background: Background) -> None:
        program = self._programs.background
        program["pane_size"] = (rect.width, rect.height)
        program["top"], program["bottom"] = background
        self.context.enable_only(moderngl.NOTHING)
        self._empty_array.render(moderngl.TRIANGLE_STRIP, vertices=4)
        self.context.enable_only(moderngl.BLEND)

    def _upload_atlas(self) -> None:
        atlas = self.atlas
        first, last = atlas.take_dirty_rows()
        if self._atlas is None or self._atlas.size != (atlas.width, atlas.height):
            if self._atlas is not None:
                self._atlas.release()
            self._atlas = self.context.texture((atlas.width, atlas.height), 2, atlas.pixels, alignment=1)
        elif first < last:
            rows = atlas.pixels[first:last]
            self._atlas.write(rows, viewport=(0, first, atlas.width, last - first), alignment=1)


def _pixels(box: Box, rect: Rect) -> Rect:
    """The pixels of the picture that a box of the pane at `rect` touches; a rectangle of no size for an empty box.

    `box` is in pixels from the pane's top left corner; it is clipped to the pane.
    """
    left, top, right, bottom = common(box, (0.0, 0.0, float(rect.width), float(rect.height)))
    if left > right or top > bottom:
        return Rect(rect.x, rect.y, 0, 0)
    x, y = floor(left), floor(top)
    return Rect(rect.x + x, rect.y + y, ceil(right) - x, ceil(bottom) - y)


def _clipped(rect: Rect, offset: tuple[int, int], size: tuple[int, int]) -> Scissor | None:
    """The part of a pane that is in a target, from the target's bottom left corner; None if no part is."""
    left, top = max(rect.x - offset[0], 0), max(rect.y - offset[1], 0)
    right = min(rect.x + rect.width - offset[0], size[0])
    bottom = min(rect.y + rect.height - offset[1], size[1])
    if left >= right or top >= bottom:
        return None
    return left, size[1] - bottom, right - left, bottom - top
