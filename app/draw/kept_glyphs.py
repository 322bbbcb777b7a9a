"""What the last run rasterised and measured of the fonts, kept so that a start needs neither them nor Pillow.

A copy of what can be made again: whatever is wrong with the file, it counts as absent.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import msgspec

from ..storage.files import open_file, write_atomic
from ..storage.strict_json import DataError
from .text import ADVANCES, VERTICALS, Glyph, GlyphAtlas, font_path

FILE = "glyphs.bin"
LARGEST = 2 << 20
"""Bytes; an atlas that takes more is not kept: the one of a run before stays."""

Key = tuple[str, int, bool, int]


class KeptGlyphs(msgspec.Struct, frozen=True):
    """`made_of`: the files that decide it; `shelf`: as GlyphAtlas.shelf; `pixels`: the rows from the atlas's top on."""

    made_of: list[tuple[int, int]]
    shelf: tuple[int, int, int]
    pixels: bytes
    glyphs: list[tuple[Key, Glyph]]
    advances: list[tuple[tuple[str, bool], float]]
    verticals: list[tuple[bool, tuple[float, float]]]


def take_glyphs(atlas: GlyphAtlas, folder: Path) -> None:
    """Fills an empty atlas, and the measures, with those kept in a folder; nothing where there are none that fit."""
    try:
        with open_file(folder / FILE) as file:
            kept = msgspec.msgpack.decode(file.read(LARGEST + 1), type=KeptGlyphs)
    except (OSError, DataError, ValueError, RecursionError):
        return
    if kept.made_of == _made_of() and atlas.fill(kept.pixels, kept.shelf, dict(kept.glyphs)):
        ADVANCES.update(kept.advances)
        VERTICALS.update(kept.verticals)


def keep_glyphs(atlas: GlyphAtlas, folder: Path) -> None:
    """Writes what is to be kept, if there is more of it than was taken. Raises OSError."""
    pixels = atlas.filled
    if atlas.generation or not atlas.has_grown or len(pixels) > LARGEST // 2:
        return
    glyphs, advances = list(atlas.glyphs.items()), list(ADVANCES.items())
    kept = KeptGlyphs(_made_of(), atlas.shelf, pixels, glyphs, advances, list(VERTICALS.items()))
    write_atomic(folder / FILE, msgspec.msgpack.encode(kept), durable=False)


def _made_of() -> list[tuple[int, int]]:
    """Size and time of the fonts, of Pillow and of the file that rasterises."""
    pillow = find_spec("PIL")
    files = [font_path(), font_path(bold=True), Path(__file__).with_name("text.py")]
    files += [Path(pillow.origin)] if pillow is not None and pillow.origin else []
    return [(stat.st_size, stat.st_mtime_ns) for stat in (file.stat() for file in files)]
