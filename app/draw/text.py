"""Text without a GPU: the regular and the bold font, the size of a line of text, and an atlas of rasterised glyphs.

Advances are measured at a large size and scaled, so that widths grow linearly with the font size. Glyphs are rasterised
for each whole pixel size up to LARGEST_RASTER, small ones for each quarter pixel of horizontal position too. The
baseline is at a whole pixel. There is no kerning, so that digits stay in columns.
"""

from __future__ import annotations

from functools import cache, lru_cache
from math import ceil, floor
from pathlib import Path

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from ..storage.files import resource

REFERENCE_SIZE = 2816
"""The fonts' units per em: at this size advances are whole pixels."""
SUBPIXELS = 4
"""Number of horizontal positions within a pixel that a small glyph is rasterised at."""
HALO_SHARE = 0.155
"""Width of the halo round a glyph as a share of the font size."""
SOFTNESS = 0.38
"""Blur of the halo's rim as a share of the halo's width; a hard rim would look like an outline."""
LARGEST_RASTER = 256
"""Font sizes above this many pixels are rasterised at this size and stretched, so that the atlas stays small."""
LARGEST_SUBPIXEL = 40
"""Largest font size, pixels, whose glyphs are placed at quarters of a pixel; larger ones are at whole pixels."""


def font_path(bold: bool = False) -> Path:
    """The TrueType file of the program's font, for the viewport and the panels."""
    return resource("assets", "fonts", "SeparatrixSans-SemiBold.ttf" if bold else "SeparatrixSans-Regular.ttf")


@lru_cache(maxsize=64)
def _font(size: int, bold: bool) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(font_path(bold)), size, layout_engine=ImageFont.Layout.BASIC)


@cache
def _advance(character: str, bold: bool) -> float:
    """Advance width of a character as a share of the font size."""
    return _font(REFERENCE_SIZE, bold).getlength(character) / REFERENCE_SIZE


def lacking(text: str) -> str:
    """The characters of a text, white space aside, without a glyph in the regular font: each once, in order."""
    return "".join(dict.fromkeys(character for character in text if not character.isspace() and not _has(character)))


@lru_cache(maxsize=4096)
def _has(character: str) -> bool:
    return bytes(_font(32, False).getmask(character)) != bytes(_font(32, False).getmask(_NO_LETTER))


def glyph_count(font: Path, text: str) -> int:
    """The number of characters of a text, repeated ones included, that a font file has a glyph for.

    Raises OSError for a file that is no font.
    """
    drawn = ImageFont.truetype(str(font), 32, layout_engine=ImageFont.Layout.BASIC).getmask
    return sum(bytes(drawn(character)) != bytes(drawn(_NO_LETTER)) for character in text)


_NO_LETTER = "\U0010fffd"
"""A private-use character, which no font has: it is drawn with the glyph of missing characters."""


@cache
def _vertical(bold: bool) -> tuple[float, float]:
    """Ascent and descent, both positive, as shares of the font size."""
    ascent, descent = _font(REFERENCE_SIZE, bold).getmetrics()
    return ascent / REFERENCE_SIZE, descent / REFERENCE_SIZE


@lru_cache(maxsize=8192)
def measure(text: str, size_px: float, bold: bool = False) -> tuple[float, float]:
    """Width and height in pixels of one line of text; `size_px`: the font size (em), rounded to a whole pixel.

    The height is the font's ascent and descent, whatever the letters.
    """
    size = drawn_size(size_px)
    ascent, descent = _vertical(bold)
    return size * sum(_advance(c, bold) for c in text), ceil(size * ascent) + ceil(size * descent)


def drawn_size(size_px: float) -> int:
    """The whole number of pixels that a font size is drawn at, at least 1."""
    return max(1, round(size_px))


def baseline(size_px: float, bold: bool = False) -> int:
    """Distance in whole pixels from the top of a line's box down to its baseline. `size_px`: the font size."""
    return ceil(drawn_size(size_px) * _vertical(bold)[0])


def halo_width(size_px: float) -> float:
    """The width of the halo around letters of the font size `size_px`, both in pixels: at least 1.25."""
    return max(1.25, HALO_SHARE * drawn_size(size_px))


InkBox = tuple[int, int, int, int]
"""Left, top, width and height in pixels."""


class Glyph(Struct, frozen=True):
    """A rasterised glyph with its halo; all numbers are pixels of the atlas, y down.

    `x`, `y`, `width`, `height`: the rectangle in the atlas with all ink, the halo's and the letter's. `left`, `top`:
    its upper left corner, relative to the whole pixel of the pen on the baseline. `letter`: the smallest rectangle with
    the letter's ink, relative to that corner. At LARGEST_RASTER both rectangles have a margin of one empty pixel.
    """

    x: int
    y: int
    width: int
    height: int
    left: int
    top: int
    letter: InkBox


NO_INK = Glyph(x=0, y=0, width=0, height=0, left=0, top=0, letter=(0, 0, 0, 0))


class GlyphAtlas:
    """Glyphs packed on shelves into `pixels` (height, width, 2): channel 0 the letter's coverage, channel 1 its halo's.

    The height doubles when the atlas is full. If it would exceed `limit` rows, the atlas is cleared instead and
    `generation` grows by 1. A glyph is valid only in the generation in which it was returned.
    """

    def __init__(self, width: int = 2048, height: int = 256, limit: int = 8192) -> None:
        self.width, self.height, self.limit = width, height, limit
        self.generation = 0
        self.pixels = np.zeros((height, width, 2), dtype=np.uint8)
        self._glyphs: dict[tuple[str, int, bool, int], Glyph] = {}
        # Left edge of the next glyph, top of its shelf, and the shelf's height so far.
        self._shelf = 0, 0, 0
        self._dirty = (0, 0)

    def glyph(self, character: str, size: int, bold: bool, subpixel: int) -> Glyph:
        """The glyph at a font size in pixels, shifted right by `subpixel / SUBPIXELS` pixels; rasterised at first use.

        `subpixel`: 0 for sizes above LARGEST_SUBPIXEL. A new glyph may clear the atlas: then `generation` grows.
        """
        key = (character, size, bold, subpixel)
        found = self._glyphs.get(key)
        if found is None:
            # A stretched glyph is sampled one pixel beyond its ink, which must be empty.
            found = self._place(*_rasterise(*key), margin=1 if size >= LARGEST_RASTER else 0)
            self._glyphs[key] = found
        return found

    def take_dirty_rows(self) -> tuple[int, int]:
        """The first row changed since the last call, and one past the last such row; equal if nothing changed."""
        rows, self._dirty = self._dirty, (0, 0)
        return rows

    def _place(self, raster: NDArray[np.uint8], left: int, top: int, *, margin: int) -> Glyph:
        if not raster.any():
            return NO_INK
        # Software GL also paints pixels without ink: with the raster's margins a label would take three times as long.
        start, upper, width, height = ink_box(raster.max(axis=2) > 0, margin)
        raster = raster[upper : upper + height, start : start + width]
        x, y = self._room(width + 1, height + 1)
        self.pixels[y : y + height, x : x + width] = raster
        first, last = self._dirty
        self._dirty = (min(first, y) if last else y, max(last, y + height))
        return Glyph(
            x=x,
            y=y,
            width=width,
            height=height,
            left=left + start,
            top=top + upper,
            letter=ink_box(raster[:, :, 0] > 0, margin),
        )

    def _room(self, width: int, height: int) -> tuple[int, int]:
        x, y, tall = self._shelf
        if x + width > self.width:
            x, y, tall = 0, y + tall, 0
        while y + height > self.height:
            if 2 * self.height > self.limit:
                self._start_over()
                x = y = tall = 0
                break
            self.pixels = np.concatenate((self.pixels, np.zeros_like(self.pixels)))
            self.height *= 2
        self._shelf = x + width, y, max(tall, height)
        return x, y

    def _start_over(self) -> None:
        self.generation += 1
        self._glyphs.clear()
        self.pixels[:] = 0
        self._dirty = (0, self.height)


def ink_box(ink: NDArray[np.bool_], margin: int) -> InkBox:
    """The smallest box round the ink of an image (height, width), plus a margin that ends at the image's border.

    All 0 without ink.
    """
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if not len(rows):
        return 0, 0, 0, 0
    left, top = max(int(columns[0]) - margin, 0), max(int(rows[0]) - margin, 0)
    right, bottom = min(int(columns[-1]) + 1 + margin, ink.shape[1]), min(int(rows[-1]) + 1 + margin, ink.shape[0])
    return left, top, right - left, bottom - top


def _rasterise(character: str, size: int, bold: bool, subpixel: int) -> tuple[NDArray[np.uint8], int, int]:
    """Coverage of one glyph and its halo (height, width, 2), and their left and top edge relative to the pen."""
    # Pillow draws at whole pixels only: a glyph drawn SUBPIXELS times as large and averaged moves by parts of a pixel.
    finer = SUBPIXELS if size <= LARGEST_SUBPIXEL else 1
    font, halo = _font(size * finer, bold), round(halo_width(size) * finer)
    left, top, right, bottom = font.getbbox(character, anchor="ls", stroke_width=halo)
    glow = SOFTNESS * halo
    margin = 1 + ceil(2.0 * glow / finer)
    x, y = margin - floor(left / finer), margin - floor(top / finer)
    extent = ((ceil(right / finer) + x + margin + 1) * finer, (ceil(bottom / finer) + y + margin) * finer)
    channels = []
    for stroke in (0, halo):
        image = Image.new("L", extent)
        pen = (x * finer + subpixel, y * finer)
        ImageDraw.Draw(image).text(pen, character, fill=255, font=font, anchor="ls", stroke_width=stroke)
        image = image.filter(ImageFilter.GaussianBlur(glow)) if stroke else image
        channels.append(np.asarray(image.reduce(finer)))
    return np.stack(channels, axis=2), -x, -y


class GlyphRun(Struct, frozen=True, eq=False):
    """The n glyphs with ink of one line of text.

    `boxes` (2, n, 4), pixels: left, top, width, height from the top left corner of the line's box, of the letters and
    of their halos. `source` (2, n, 4): the same rectangles in the atlas, in its pixels.
    """

    boxes: NDArray[np.float32]
    source: NDArray[np.float32]


def glyph_run(atlas: GlyphAtlas, text: str, size_px: float, bold: bool) -> GlyphRun:
    """The glyphs of a line of text at a font size in pixels; sizes above LARGEST_RASTER are stretched from it.

    If the atlas's `generation` grew meanwhile, the run must be made again.
    """
    size = drawn_size(size_px)
    raster = min(size, LARGEST_RASTER)
    stretch, subpixels = size / raster, SUBPIXELS if size <= LARGEST_SUBPIXEL else 1
    places: list[int] = []
    sources: list[int] = []
    pen, base = 0.0, baseline(size_px, bold)
    for character in text:
        steps = floor(pen / stretch * subpixels + 0.5)
        whole, subpixel = divmod(steps, subpixels)
        glyph = atlas.glyph(character, raster, bold, subpixel)
        if glyph.width:
            x, y, (left, top, width, height) = whole + glyph.left, glyph.top, glyph.letter
            places += (x + left, y + top, width, height, x, y, glyph.width, glyph.height)
            x, y = glyph.x, glyph.y
            sources += (x + left, y + top, width, height, x, y, glyph.width, glyph.height)
        pen += size * _advance(character, bold)
    boxes, source = (np.array(row, dtype=np.float32).reshape(-1, 2, 4).swapaxes(0, 1) for row in (places, sources))
    boxes *= np.float32(stretch)
    boxes[:, :, 1] += base
    return GlyphRun(boxes, source)
