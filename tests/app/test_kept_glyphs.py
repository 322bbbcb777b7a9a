"""Glyphs kept from run to run: the same pixels as rasterised anew, and a file that fits or counts as absent."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import numpy as np
import pytest

from app.draw import kept_glyphs, text
from app.draw.kept_glyphs import FILE, keep_glyphs, take_glyphs
from app.draw.text import GlyphAtlas, Line, measure, typeset

WORDS = "Difference A − B: 0.313 é"


def set_in(atlas: GlyphAtlas) -> Line:
    return typeset(atlas, WORDS, 13.0, True)


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    atlas = GlyphAtlas()
    set_in(atlas)
    keep_glyphs(atlas, tmp_path)
    return tmp_path


def test_what_is_kept_is_what_would_be_rasterised(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    anew, again = GlyphAtlas(), GlyphAtlas()
    line = set_in(anew)
    take_glyphs(again, kept)
    assert again.take_dirty_rows() == (0, anew.shelf[1] + anew.shelf[2])
    monkeypatch.setattr(text, "_rasterise", lambda *_: pytest.fail("rasterised"))
    found = set_in(again)
    assert np.array_equal(found.place, line.place)
    assert np.array_equal(found.source, line.source)
    assert np.array_equal(again.pixels, anew.pixels)


def test_the_next_glyph_goes_beside_those_taken(kept: Path) -> None:
    one, other = GlyphAtlas(), GlyphAtlas()
    set_in(one)
    take_glyphs(other, kept)
    assert one.glyph("Q", 13, False, 0) == other.glyph("Q", 13, False, 0)
    assert np.array_equal(one.pixels, other.pixels)


def test_it_is_written_when_there_is_more_to_keep_and_no_sooner(kept: Path) -> None:
    file, atlas = kept / FILE, GlyphAtlas()
    before = file.read_bytes()
    file.write_bytes(before)
    take_glyphs(atlas, kept)
    os.utime(file, ns=(0, 0))
    set_in(atlas)
    keep_glyphs(atlas, kept)
    assert file.stat().st_mtime_ns == 0
    atlas.glyph("Q", 13, False, 0)
    keep_glyphs(atlas, kept)
    assert file.read_bytes() != before


def test_one_that_is_very_large_is_not_written(kept: Path) -> None:
    before, atlas = (kept / FILE).read_bytes(), GlyphAtlas()
    for character in WORDS:
        atlas.glyph(character, 200, False, 0)
    keep_glyphs(atlas, kept)
    assert (kept / FILE).read_bytes() == before


@pytest.mark.parametrize("changed", ["fonts", "cut", "random", "empty", "shelf", "pixels", "folder", "huge"])
def test_what_does_not_fit_counts_as_absent(kept: Path, changed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    file = kept / FILE
    data = file.read_bytes()
    known = msgspec.msgpack.decode(data, type=kept_glyphs.KeptGlyphs)
    if changed == "fonts":
        monkeypatch.setattr(kept_glyphs, "_made_of", lambda: [(1, 2)])
    elif changed == "cut":
        file.write_bytes(data[:-7])
    elif changed == "random":
        file.write_bytes(np.random.default_rng(1).bytes(5000))
    elif changed == "empty":
        file.write_bytes(b"")
    elif changed == "shelf":
        file.write_bytes(msgspec.msgpack.encode(msgspec.structs.replace(known, shelf=(0, -1, 5))))
    elif changed == "pixels":
        file.write_bytes(msgspec.msgpack.encode(msgspec.structs.replace(known, pixels=known.pixels[:-1])))
    elif changed == "folder":
        file.unlink()
        file.mkdir()
    else:
        file.write_bytes(data + bytes(kept_glyphs.LARGEST))
    atlas = GlyphAtlas()
    take_glyphs(atlas, kept)
    assert not atlas.glyphs
    assert not atlas.pixels.any()
    assert len(set_in(atlas).place[0]) == sum(not letter.isspace() for letter in WORDS)


PROGRAM = """
import sys
from pathlib import Path
from app.draw.kept_glyphs import keep_glyphs, take_glyphs
from app.draw.text import GlyphAtlas, measure, typeset
atlas = GlyphAtlas()
take_glyphs(atlas, Path(sys.argv[1]))
typeset(atlas, "Two boxes", 12.0, False), measure("Two boxes", 12.0)
print(int("PIL" in sys.modules), measure("Two boxes", 12.0))
keep_glyphs(atlas, Path(sys.argv[1]))
"""


def test_a_second_run_imports_no_pillow(tmp_path: Path) -> None:
    told = [
        subprocess.run([sys.executable, "-c", PROGRAM, tmp_path], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    assert [line[0] for line in told] == ["1", "0"]
    assert told[0][1:] == told[1][1:]
    assert str(measure("Two boxes", 12.0)) in told[1]
