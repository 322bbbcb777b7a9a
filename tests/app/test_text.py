"""Text without a GPU."""

import numpy as np
import pytest
from PIL import ImageFont

from app.draw.text import SUBPIXELS, GlyphAtlas, _rasterise, baseline, font_path, glyph_run, ink_box, measure

SIGNS = "×→−°∥⟂⊥·≤≥±µμεΔ✓✗▲…′αβγδθλπσφωΣΩ√²≈≠∞←↑↓½ø"


@pytest.mark.parametrize("bold", [False, True])
def test_the_font_has_every_sign_the_program_shows(bold):
    font = ImageFont.truetype(str(font_path(bold)), 64)
    missing = bytes(font.getmask("\U0010fffd"))
    # The mark for a missing glyph is blank or a box: every sign has ink of its own.
    for sign in SIGNS:
        ink = font.getmask(sign)
        assert ink.getbbox() is not None, sign
        assert bytes(ink) != missing, sign


@pytest.mark.parametrize("bold", [False, True])
def test_digits_and_signs_stand_in_columns(bold):
    assert len({measure(digit, 100, bold)[0] for digit in "0123456789+−"}) == 1


@pytest.mark.parametrize("bold", [False, True])
def test_indices_are_three_quarters_as_high_as_the_figures(bold):
    font = ImageFont.truetype(str(font_path(bold)), 400)

    def high(sign):
        _, top, _, bottom = font.getmask(sign).getbbox()
        return bottom - top

    for figure, low, raised in zip("0123456789", "₀₁₂₃₄₅₆₇₈₉", "⁰¹²³⁴⁵⁶⁷⁸⁹", strict=True):
        assert 0.74 <= high(low) / high(figure) <= 0.8
        assert 0.74 <= high(raised) / high(figure) <= 0.8


def test_the_fonts_licence_lies_beside_it():
    assert "SIL OPEN FONT LICENSE" in (font_path().parent / "OFL.txt").read_text()


def test_measures_grow_with_the_size_and_add_up():
    small, large = measure("A.y×B.z", 10), measure("A.y×B.z", 40)
    assert large[0] == pytest.approx(4 * small[0])
    assert large[1] == pytest.approx(4 * small[1], abs=4)
    assert measure("AB", 20)[0] == pytest.approx(measure("A", 20)[0] + measure("B", 20)[0])
    assert measure("", 20)[0] == 0
    assert measure("ab", 13, True)[0] > measure("ab", 13, False)[0]


@pytest.mark.parametrize("size", [9, 13, 22, 61])
def test_ink_reaches_as_far_as_the_measure_says(size):
    text = "H0.2347×NH"
    atlas = GlyphAtlas()
    ink = painted(atlas, text, size)
    width, height = measure(text, size)
    rows, columns = np.nonzero(ink > 64)
    bearing = 0.12 * size
    assert columns.min() == pytest.approx(0, abs=bearing)
    assert columns.max() + 1 == pytest.approx(width, abs=bearing)
    assert rows.min() >= 0
    assert rows.max() < height
    assert rows.max() + 1 == pytest.approx(baseline(size), abs=1.5)


def painted(atlas, text, size):
    """The letters put together from the atlas by hand."""
    line = glyph_run(atlas, text, size, False)
    width, height = measure(text, size)
    picture = np.zeros((int(height) + 8, int(width) + 8), dtype=np.uint8)
    places, sources = line.boxes[0].astype(int), line.source[0].astype(int)
    margin = int(-min(places[:, 0].min(), places[:, 1].min(), 0)) + 2
    picture = np.zeros((int(height) + 4 * margin + size, int(width) + 4 * margin + size), dtype=np.uint8)
    for place, source in zip(places, sources, strict=True):
        x, y = place[0] + margin, place[1] + margin
        part = atlas.pixels[source[1] : source[1] + source[3], source[0] : source[0] + source[2], 0]
        np.maximum(picture[y : y + place[3], x : x + place[2]], part, out=picture[y : y + place[3], x : x + place[2]])
    return picture[margin:, margin:]


def test_a_halo_covers_its_letter_and_reaches_beyond():
    atlas = GlyphAtlas()
    glyph = atlas.glyph("B", 20, True, 0)
    letter, halo = np.moveaxis(
        atlas.pixels[glyph.y : glyph.y + glyph.height, glyph.x : glyph.x + glyph.width].astype(int), 2, 0
    )
    assert (halo >= letter - 1).all()
    assert (halo > 128).sum() > 1.5 * (letter > 128).sum()


def test_a_phase_moves_the_glyph_by_a_part_of_a_pixel():
    atlas = GlyphAtlas()

    def middle(subpixel):
        glyph = atlas.glyph("l", 16, False, subpixel)
        ink = atlas.pixels[glyph.y : glyph.y + glyph.height, glyph.x : glyph.x + glyph.width, 0].astype(float)
        return (ink.sum(axis=0) @ np.arange(glyph.width)) / ink.sum() + glyph.left

    middles = [middle(subpixel) for subpixel in range(SUBPIXELS)]
    assert np.diff(middles) == pytest.approx(1 / SUBPIXELS, abs=0.15)


def test_a_glyph_is_rasterised_once_and_space_has_no_ink():
    atlas = GlyphAtlas()
    first = atlas.glyph("A", 13, False, 0)
    assert atlas.take_dirty_rows() == (first.y, first.y + first.height)
    assert atlas.glyph("A", 13, False, 0) is first
    assert atlas.glyph(" ", 13, False, 0).width == 0
    assert atlas.take_dirty_rows() == (0, 0)


def test_glyphs_never_overlap_and_the_atlas_grows_downwards():
    atlas = GlyphAtlas(width=256, height=32)
    glyphs = [atlas.glyph(chr(code), 24, False, 0) for code in range(ord("A"), ord("z"))]
    taken = np.zeros((atlas.height, atlas.width), dtype=int)
    for glyph in glyphs:
        taken[glyph.y : glyph.y + glyph.height, glyph.x : glyph.x + glyph.width] += 1
    assert taken.max() == 1
    assert atlas.height > 32
    assert atlas.generation == 0


def test_a_full_atlas_starts_over():
    atlas = GlyphAtlas(width=128, height=32, limit=64)
    first = atlas.glyph("A", 24, False, 0)
    for code in range(ord("B"), ord("Z")):
        atlas.glyph(chr(code), 24, False, 0)
    assert atlas.generation > 0
    assert atlas.height == 64
    again = atlas.glyph("A", 24, False, 0)
    assert (again.width, again.height) == (first.width, first.height)


def test_poster_sizes_are_stretched_from_a_smaller_raster():
    atlas = GlyphAtlas()
    line = glyph_run(atlas, "A", 900, False)
    assert line.source[1, 0, 3] < 400
    assert line.boxes[1, 0, 3] == pytest.approx(line.source[1, 0, 3] * 900 / 256, rel=0.01)


@pytest.mark.parametrize(("character", "size", "margin"), [("A", 13, 0), ("−", 15, 0), ("g", 256, 1)])
def test_a_glyph_is_as_large_as_its_ink_where_nothing_stretches_it(character, size, margin):
    atlas = GlyphAtlas()
    glyph = atlas.glyph(character, size, False, 0)
    pixels = atlas.pixels[glyph.y : glyph.y + glyph.height, glyph.x : glyph.x + glyph.width]
    assert ink_box(pixels[:, :, 1] > 0, margin) == (0, 0, glyph.width, glyph.height)
    left, top, width, height = glyph.letter
    rows, columns = np.nonzero(pixels[:, :, 0])
    assert (left, top) == (columns.min() - margin, rows.min() - margin)
    assert (left + width, top + height) == (columns.max() + 1 + margin, rows.max() + 1 + margin)
    # Nothing of either is lost: no ink lies outside of what the raster's margins held.
    raster, start, upper = _rasterise(character, size, False, 0)
    assert raster.astype(int).sum() == atlas.pixels.astype(int).sum()
    assert (glyph.left, glyph.top) >= (start, upper)
