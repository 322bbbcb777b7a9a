# /// script
# requires-python = ">=3.11"
# dependencies = ["fonttools>=4.50"]
# ///
"""Makes the two fonts of this folder from Inter's variable font: `uv run make_fonts.py Inter-roman.var.ttf`.

What changes: one weight each (400 and 600), only the signs the program shows, digits and + − all of one width without
any font feature (imgui and Pillow's simple layout apply none), larger indices and exponents, and three signs that Inter
lacks: ∥ ⟂ ⊥. The result keeps Inter's licence (OFL 1.1, beside this file) and goes by a name of its own.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

FAMILY = "Separatrix Sans"
WEIGHTS = (("Regular", 400), ("SemiBold", 600))
RANGES = (
    (0x20, 0x7E),  # Basic Latin
    (0xA0, 0x17F),  # Latin-1 and Extended-A: names in scene files
    (0x370, 0x3FF),  # Greek
    (0x2010, 0x2044),  # dashes, quotes, ellipsis, primes
    (0x2070, 0x209C),  # superior and inferior figures
    (0x2190, 0x21FF),  # arrows
    (0x2200, 0x22FF),  # mathematical operators
    (0x25A0, 0x25FF),  # geometric shapes
    (0x2713, 0x2717),  # tick and cross
    (0x26A0, 0x26A0),  # warning
)
OF_ONE_WIDTH = "0123456789+−"
INFERIORS, SUPERIORS = range(0x2080, 0x209D), (0xB2, 0xB3, 0xB9, *range(0x2070, 0x2080))
INDEX = 0.75
"""Height of inferior and superior figures over that of figures; Inter's are 0.6, too small from the last row."""


def tabular_twins(font: TTFont) -> dict[str, str]:
    """Glyph name to the name of its tabular twin, from the font's own `tnum` feature."""
    gsub = font["GSUB"].table
    numbers = {i for r in gsub.FeatureList.FeatureRecord if r.FeatureTag == "tnum" for i in r.Feature.LookupListIndex}
    twins: dict[str, str] = {}
    for number in sorted(numbers):
        for table in gsub.LookupList.Lookup[number].SubTable:
            twins.update(getattr(table, "ExtSubTable", table).mapping)
    return twins


def share_one_width(font: TTFont) -> None:
    """Interpolated weights leave the twins a few units apart: give all of them the zero's width."""
    cmap, metrics = font.getBestCmap(), font["hmtx"]
    width = metrics[cmap[ord("0")]][0]
    for sign in OF_ONE_WIDTH:
        metrics[cmap[ord(sign)]] = (width, metrics[cmap[ord(sign)]][1])


def add_strokes(font: TTFont, code: int, boxes: list[tuple[float, float, float, float]], width: float) -> None:
    """Give the font a glyph made of upright rectangles (left, bottom, right, top), in font units."""
    pen = TTGlyphPen(None)
    for left, bottom, right, top in boxes:
        pen.moveTo((round(left), round(bottom)))
        pen.lineTo((round(left), round(top)))
        pen.lineTo((round(right), round(top)))
        pen.lineTo((round(right), round(bottom)))
        pen.closePath()
    name = font.getBestCmap().get(code, f"uni{code:04X}")
    if name not in font.getGlyphOrder():
        font.setGlyphOrder([*font.getGlyphOrder(), name])
    font["glyf"][name] = pen.glyph()
    font["hmtx"][name] = (round(width), round(min(box[0] for box in boxes)))
    for table in font["cmap"].tables:
        if table.isUnicode():
            table.cmap[code] = name


def add_missing_signs(font: TTFont) -> None:
    """∥ in the stroke of the minus sign and the height of the figures; ⟂ and ⊥ wider and lower: they precede a name."""
    cmap = font.getBestCmap()
    minus, figure = font["glyf"][cmap[ord("−")]], font["glyf"][cmap[ord("1")]]
    stroke, top, width = minus.yMax - minus.yMin, figure.yMax, font["hmtx"][cmap[ord("−")]][0]
    middle, low = width / 2, 0.0
    add_strokes(
        font,
        ord("∥"),
        [(middle + s * 1.6 * stroke - stroke / 2, low, middle + s * 1.6 * stroke + stroke / 2, top) for s in (-1, 1)],
        width,
    )
    half, air = 0.62 * (minus.xMax - minus.xMin), 0.1 * font["head"].unitsPerEm
    upright = (half + air - stroke / 2, low + stroke, half + air + stroke / 2, 0.86 * top)
    foot = (air, low, air + 2.0 * half, low + stroke)
    for code in (ord("⟂"), ord("⊥")):
        add_strokes(font, code, [upright, foot], 2.0 * (half + air))


def enlarge_indices(font: TTFont) -> None:
    """Inferiors grow up from their foot, superiors about their middle; the space at their sides stays."""
    cmap, glyphs, metrics = font.getBestCmap(), font.getGlyphSet(), font["hmtx"]
    small, figure = font["glyf"][cmap[ord("₁")]], font["glyf"][cmap[ord("1")]]
    scale = INDEX * (figure.yMax - figure.yMin) / (small.yMax - small.yMin)
    raised = font["glyf"][cmap[ord("¹")]]
    grown = {}
    for codes, still in ((INFERIORS, small.yMin), (SUPERIORS, (raised.yMin + raised.yMax) / 2)):
        for sign in {cmap[code] for code in codes if code in cmap}:
            pen, drawn = TTGlyphPen(None), DecomposingRecordingPen(glyphs)
            glyphs[sign].draw(drawn)
            bearing = metrics[sign][1]
            drawn.replay(TransformPen(pen, (scale, 0, 0, scale, (1 - scale) * bearing, (1 - scale) * still)))
            grown[sign] = pen.glyph()
    for sign, glyph in grown.items():
        glyph.recalcBounds(font["glyf"])
        before, (width, _) = font["glyf"][sign], metrics[sign]
        wider = (glyph.xMax - glyph.xMin) - (before.xMax - before.xMin)
        font["glyf"][sign], metrics[sign] = glyph, (width + wider, glyph.xMin)


def name(font: TTFont, style: str) -> None:
    """One family of two weights; where families have four styles only, the other weight is a family of its own."""
    plain = style == "Regular"
    names = {1: FAMILY if plain else f"{FAMILY} {style}", 2: "Regular", 3: f"{FAMILY} {style}; from Inter"}
    names |= {4: f"{FAMILY} {style}", 6: f"{FAMILY}-{style}".replace(" ", "")}
    if not plain:
        names |= {16: FAMILY, 17: style}
    for number, text in names.items():
        font["name"].setName(text, number, 3, 1, 0x409)


def make(source: Path, style: str, weight: int, target: Path) -> None:
    """Write one weight."""
    font = instantiateVariableFont(TTFont(source), {"wght": weight})
    twins = tabular_twins(font)
    for table in font["cmap"].tables:
        for sign in OF_ONE_WIDTH:
            if table.isUnicode() and ord(sign) in table.cmap:
                table.cmap[ord(sign)] = twins.get(table.cmap[ord(sign)], table.cmap[ord(sign)])
    share_one_width(font)
    options = Options()
    options.layout_features = []
    options.drop_tables += ["GSUB", "GPOS", "GDEF", "STAT", "DSIG", "MVAR"]
    options.name_IDs = [0, 5, 13, 14]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=[code for first, last in RANGES for code in range(first, last + 1)])
    subsetter.subset(font)
    enlarge_indices(font)
    add_missing_signs(font)
    name(font, style)
    font["OS/2"].usWeightClass = weight
    font["post"].formatType = 3.0
    font.save(target)


if __name__ == "__main__":
    for style, weight in WEIGHTS:
        make(Path(sys.argv[1]), style, weight, Path(__file__).parent / f"SeparatrixSans-{style}.ttf")
