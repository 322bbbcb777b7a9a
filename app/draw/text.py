"""Text without a GPU: the two fonts, how much room a line of text takes, and an atlas of rasterised glyphs.

Advances are taken at a large size and scaled, so that measures grow linearly with the size; glyphs are rasterised per
whole pixel size and quarter pixel of horizontal position, the baseline on a whole pixel. No kerning: figures stay in
columns.
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
PHASES = 4
"""Horizontal sub-pixel positions a glyph is rasterised at."""
HALO_SHARE = 0.155
"""Width of the halo round a glyph as a share of the font size."""
SOFTNESS = 0.38
"""Blur of the halo's rim as a share of the halo's width: a glow, where a hard rim looks like a cartoon's outline."""
LARGEST_RASTER = 256
"""Glyphs larger than this many pixels are drawn from this size: the atlas stays small in poster-sized pictures."""
LARGEST_PHASED = 40
"""Largest size, pixels, that is placed at parts of a pixel; for larger glyphs whole pixels are fine enough."""


def font_path(bold: bool = False) -> Path:
    """The TrueType file of the program's font; panels use the same."""
    return resource("assets", "fonts", "SeparatrixSans-SemiBold.ttf" if bold else "SeparatrixSans-Regular.ttf")


@lru_cache(maxsize=64)
def _font(size: int, bold: bool) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(font_path(bold)), size, layout_engine=ImageFont.Layout.BASIC)


@cache
def _advance(character: str, bold: bool) -> float:
    """Advance width of a character as a share of the font size."""
    return _font(REFERENCE_SIZE, bold).getlength(character) / REFERENCE_SIZE


def lacking(text: str) -> str:
    """The characters of a text that the program's font has no letter for, each once, in their order."""
    return "".join(dict.fromkeys(character for character in text if not character.isspace() and not _has(character)))


@lru_cache(maxsize=4096)
def _has(character: str) -> bool:
    return bytes(_font(32, False).getmask(character)) != bytes(_font(32, False).getmask(_NO_LETTER))


def letters_known(font: Path, text: str) -> int:
    """The number of characters of a text that a font file has a letter for."""
    drawn = ImageFont.truetype(str(font), 32, layout_engine=ImageFont.Layout.BASIC).getmask
    return sum(bytes(drawn(character)) != bytes(drawn(_NO_LETTER)) for character in text)


_NO_LETTER = "\U0010fffd"
"""A private-use character, which no font has: it is drawn as every missing letter is."""


@cache
def _vertical(bold: bool) -> tuple[float, float]:
    """Ascent and descent, both positive, as shares of the font size."""
    ascent, descent = _font(REFERENCE_SIZE, bold).getmetrics()
    return ascent / REFERENCE_SIZE, descent / REFERENCE_SIZE


@lru_cache(maxsize=8192)
def measure(text: str, size_px: float, bold: bool = False) -> tuple[float, float]:
    """Width and height in pixels of one line of text at a font size (em) in pixels, rounded as it is drawn.

    The height is that of the line (ascent and descent), whatever the letters.
    """
    size = drawn_size(size_px)
    ascent, descent = _vertical(bold)
    return size * sum(_advance(c, bold) for c in text), ceil(size * ascent) + ceil(size * descent)


def drawn_size(size_px: float) -> int:
    """The whole pixel size a font size is drawn at."""
    return max(1, round(size_px))


def baseline(size_px: float, bold: bool = False) -> int:
    """Distance in whole pixels from the top of a line's box down to its baseline."""
    return ceil(drawn_size(size_px) * _vertical(bold)[0])


def halo_width(size_px: float) -> float:
    """The width in pixels of the halo around the letters."""
    return max(1.25, HALO_SHARE * drawn_size(size_px))


Box = tuple[int, int, int, int]
"""Left, top, width and height in pixels."""


class Glyph(Struct, frozen=True):
    """The place of a rasterised glyph in the atlas, pixels, and relative to its pen position on the baseline.

    The size is that of the halo's ink; `letter` is the part with the letter's ink.
    """

    x: int
    y: int
    width: int
    height: int
    left: int
    top: int
    letter: Box


NO_INK = Glyph(x=0, y=0, width=0, height=0, left=0, top=0, letter=(0, 0, 0, 0))


class GlyphAtlas:
    """Glyphs packed on shelves into `pixels` (height, width, 2): channel 0 the letter's coverage, channel 1 its halo's.

    Grows downwards, and starts over when it has reached `limit` rows: `generation` counts that, and glyphs handed out
    are valid for one generation only.
    """

    def __init__(self, width: int = 2048, height: int = 256, limit: int = 8192) -> None:
        self.width, self.height, self.limit = width, height, limit
        self.generation = 0
        self.pixels = np.zeros((height, width, 2), dtype=np.uint8)
        self._glyphs: dict[tuple[str, int, bool, int], Glyph] = {}
        # Left edge of the next glyph, top of its shelf, and the shelf's height so far.
        self._shelf = 0, 0, 0
        self._dirty = (0, 0)

    def glyph(self, character: str, size: int, bold: bool, phase: int) -> Glyph:
        """The glyph at a whole pixel size, shifted right by `phase / PHASES` pixels; rasterised at first use."""
        key = (character, size, bold, phase)
        found = self._glyphs.get(key)
        if found is None:
            # A stretched glyph is sampled beyond its ink too, where it needs empty pixels.
            found = self._place(*_rasterise(*key), margin=1 if size >= LARGEST_RASTER else 0)
            self._glyphs[key] = found
        return found

    def take_dirty_rows(self) -> tuple[int, int]:
        """First and one past the last row changed since the last call; equal when nothing changed."""
        rows, self._dirty = self._dirty, (0, 0)
        return rows

    def _place(self, raster: NDArray[np.uint8], left: int, top: int, *, margin: int) -> Glyph:
        if not raster.any():
            return NO_INK
        # Software GL paints pixels without ink too: with the raster's margins a label would cost three times as much.
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


def ink_box(ink: NDArray[np.bool_], margin: int) -> Box:
    """The smallest box round the ink of an image (height, width), and a margin as far as the image reaches."""
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if not len(rows):
        return 0, 0, 0, 0
    left, top = max(int(columns[0]) - margin, 0), max(int(rows[0]) - margin, 0)
    right, bottom = min(int(columns[-1]) + 1 + margin, ink.shape[1]), min(int(rows[-1]) + 1 + margin, ink.shape[0])
    return left, top, right - left, bottom - top


def _rasterise(character: str, size: int, bold: bool, phase: int) -> tuple[NDArray[np.uint8], int, int]:
    """Coverage and halo (height, width, 2) of one glyph, and its top left corner relative to the pen."""
    # Pillow sets glyphs on whole pixels only: drawn PHASES times as large and averaged, they move by parts of one.
    finer = PHASES if size <= LARGEST_PHASED else 1
    font, halo = _font(size * finer, bold), round(halo_width(size) * finer)
    left, top, right, bottom = font.getbbox(character, anchor="ls", stroke_width=halo)
    glow = SOFTNESS * halo
    margin = 1 + ceil(2.0 * glow / finer)
    x, y = margin - floor(left / finer), margin - floor(top / finer)
    extent = ((ceil(right / finer) + x + margin + 1) * finer, (ceil(bottom / finer) + y + margin) * finer)
    channels = []
    for stroke in (0, halo):
        image = Image.new("L", extent)
        pen = (x * finer + phase, y * finer)
        ImageDraw.Draw(image).text(pen, character, fill=255, font=font, anchor="ls", stroke_width=stroke)
        image = image.filter(ImageFilter.GaussianBlur(glow)) if stroke else image
        channels.append(np.asarray(image.reduce(finer)))
    return np.stack(channels, axis=2), -x, -y


class GlyphRun(Struct, frozen=True, eq=False):
    """The glyphs of one line of text, ready to be moved to its place: integer pixels.

    `place` (2, n, 4): left, top, width, height from the top left corner of the line's box, of the letters and of their
    halos; `source` (2, n, 4): the same rectangles in the atlas.
    """

    place: NDArray[np.float32]
    source: NDArray[np.float32]


def typeset(atlas: GlyphAtlas, text: str, size_px: float, bold: bool) -> GlyphRun:
    """The glyphs of a line of text at a font size in pixels; sizes beyond LARGEST_RASTER are stretched from it."""
    size = drawn_size(size_px)
    raster = min(size, LARGEST_RASTER)
    stretch, phases = size / raster, PHASES if size <= LARGEST_PHASED else 1
    places: list[int] = []
    sources: list[int] = []
    pen, base = 0.0, baseline(size_px, bold)
    for character in text:
        steps = floor(pen / stretch * phases + 0.5)
        whole, phase = divmod(steps, phases)
        glyph = atlas.glyph(character, raster, bold, phase)
        if glyph.width:
            x, y, (left, top, width, height) = whole + glyph.left, glyph.top, glyph.letter
            places += (x + left, y + top, width, height, x, y, glyph.width, glyph.height)
            x, y = glyph.x, glyph.y
            sources += (x + left, y + top, width, height, x, y, glyph.width, glyph.height)
        pen += size * _advance(character, bold)
    place, source = (np.array(row, dtype=np.float32).reshape(-1, 2, 4).swapaxes(0, 1) for row in (places, sources))
    place *= np.float32(stretch)
    place[:, :, 1] += base
    return GlyphRun(place, source)
