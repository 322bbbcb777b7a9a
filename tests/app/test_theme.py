"""Colours: what is written can be read, and A and B are told apart without hue."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

from app.draw.draw_list import Rgba
from app.draw.theme import THEMES, Palette, Theme, mixed, readable_on, theme_named
from app.panels.style import background as panel_ground
from app.panels.timeline import PHASE_TINTS
from app.stages import ALGORITHMS

ALL = [theme_named(theme.name, palette) for theme in THEMES for palette in Palette]
NAMES = [f"{theme.name}, {palette}" for theme in THEMES for palette in Palette]
SAFE = [
    pytest.param(theme, id=name) for theme, name in zip(ALL, NAMES, strict=True) if theme.palette is not Palette.THEME
]
"""Those that every kind of colour vision tells apart."""


def luminance(rgba: Rgba) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgba[:3]]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: Rgba, other: Rgba) -> float:
    """Contrast ratio of WCAG 2, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


TEXTS = (
    *("text", "dim_text", "edge_a", "edge_b", "winner", "gap", "overlap", "normal", "origin", "hover"),
    *("family_a", "family_b", "family_edges", "family_closest", "world_x", "world_y", "world_z"),
)
"""Every colour in which something is written: labels, numbers, verdicts, axes, letters."""


@pytest.mark.parametrize("theme", ALL, ids=NAMES)
def test_what_is_written_can_be_read(theme: Theme) -> None:
    colours = {name: getattr(theme, name) for name in TEXTS} | {entry.name: entry.colour(theme) for entry in ALGORITHMS}
    for ground in (theme.background_top, theme.background_bottom, panel_ground(theme)):
        assert contrast(theme.text, ground) > 7.0
        assert {name: contrast(rgba, ground) for name, rgba in colours.items() if contrast(rgba, ground) < 4.5} == {}
    for body in (theme.body_a, theme.body_b):
        assert contrast(readable_on(body), body) > 4.5


@pytest.mark.parametrize("theme", ALL, ids=NAMES)
def test_families_and_the_winner_differ(theme: Theme) -> None:
    names = ("family_a", "family_b", "family_edges", "family_closest", "winner")
    for one, other in combinations((getattr(theme, name) for name in names), 2):
        assert sum(abs(a - b) for a, b in zip(one[:3], other[:3], strict=True)) > 0.15


def seen_without_red_or_green(rgba: Rgba) -> tuple[float, float]:
    """Roughly what the two commonest kinds of colour blindness leave: yellow against blue, and lightness."""
    return 0.5 * (rgba[0] + rgba[1]) - rgba[2], luminance(rgba)


@pytest.mark.parametrize("theme", SAFE)
def test_a_and_b_differ_without_red_and_green(theme: Theme) -> None:
    a, b = seen_without_red_or_green(theme.body_a), seen_without_red_or_green(theme.body_b)
    assert abs(a[0] - b[0]) + abs(a[1] - b[1]) > 0.5


DEFICIENCIES = {
    "none": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""On linear RGB: whole deficiencies of Machado, Oliveira and Fernandes (2009)."""
MEANINGS = ("edge_a", "edge_b", "winner", "gap", "overlap", "family_a", "family_b", "family_edges", "family_closest")
ONE = ({"edge_a", "family_a"}, {"edge_b", "family_b"})
"""A body's edges, and the axes of its faces: they mean the same body."""
TOGETHER = [pair for pair in combinations(MEANINGS, 2) if set(pair) not in ONE]
"""Colours that stand beside each other in one picture or table and mean different things."""


def in_lab(rgba: Rgba, deficiency: str) -> np.ndarray:
    """CIE L*a*b* (D65) of a colour as an eye with the deficiency sees it."""
    linear = np.array([c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgba[:3]])
    seen = np.clip(np.array(DEFICIENCIES[deficiency]) @ linear, 0.0, 1.0)
    to_xyz = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
    share = np.array(to_xyz) @ seen / (0.95047, 1.0, 1.08883)
    root = np.where(share > (6 / 29) ** 3, np.cbrt(share), share / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * root[1] - 16, 500 * (root[0] - root[1]), 200 * (root[1] - root[2])])


def difference(one: np.ndarray, other: np.ndarray) -> float:
    """CIEDE2000 of two colours in L*a*b* (Sharma, Wu and Dalal 2005)."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * np.sqrt(mean**7 / (mean**7 + 25**7))
    (c1, c2), (h1, h2) = (
        np.hypot((a1 * stretch, a2 * stretch), (b1, b2)),
        np.degrees(np.arctan2((b1, b2), (a1 * stretch, a2 * stretch))) % 360,
    )
    turn = 0.0 if c1 * c2 == 0.0 else (h2 - h1 + 180) % 360 - 180
    middle = h1 + h2 if c1 * c2 == 0.0 else (h1 + turn / 2) % 360
    lightness, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    waves = ((1, -30, -0.17), (2, 0, 0.24), (3, 6, 0.32), (4, -63, -0.2))
    hue = 1 + sum(weight * np.cos(np.radians(count * middle + shift)) for count, shift, weight in waves)
    by_l = (l2 - l1) / (1 + 0.015 * (lightness - 50) ** 2 / np.sqrt(20 + (lightness - 50) ** 2))
    by_c = (c2 - c1) / (1 + 0.045 * chroma)
    by_h = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2)) / (1 + 0.015 * chroma * hue)
    twist = 60 * np.exp(-(((middle - 275) / 25) ** 2))
    mixed_term = -np.sin(np.radians(twist)) * 2 * np.sqrt(chroma**7 / (chroma**7 + 25**7))
    return float(np.sqrt(by_l**2 + by_c**2 + by_h**2 + mixed_term * by_c * by_h))


@pytest.mark.parametrize(
    ("one", "other", "published"),
    [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((50.0, 2.49, -0.001), (50.0, -2.49, 0.0011), 7.2195),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_the_difference_of_colours_is_the_published_one(one, other, published):
    assert difference(np.array(one), np.array(other)) == pytest.approx(published, abs=1e-4)


@pytest.mark.parametrize("deficiency", DEFICIENCIES)
@pytest.mark.parametrize("theme", SAFE)
def test_the_colour_blind_tell_apart_what_stands_together(theme: Theme, deficiency: str) -> None:
    seen = {name: in_lab(getattr(theme, name), deficiency) for name in MEANINGS}
    alike = {pair: difference(seen[pair[0]], seen[pair[1]]) for pair in TOGETHER}
    assert {pair: apart for pair, apart in alike.items() if apart < 8.0} == {}


FAMILIES = ("family_a", "family_b", "family_edges", "family_closest")
MUST_DIFFER = [
    *(("body_a", "body_b"), ("edge_a", "edge_b"), ("gap", "overlap"), *combinations(FAMILIES, 2)),
    *(("winner", family) for family in FAMILIES),
    *(("overlap", body) for body in ("body_a", "body_b", "edge_a", "edge_b")),
]
"""Pairs that would be read as one another if they looked alike: figures say nothing else about them."""
IN_GRAY = [
    *(("body_a", "body_b"), ("edge_a", "edge_b"), ("family_a", "family_b")),
    *(("winner", other) for other in ("body_a", "body_b", "edge_a", "edge_b", "family_a", "family_b")),
]
"""Pairs that a print without colours still tells apart."""


@pytest.mark.parametrize("deficiency", DEFICIENCIES)
@pytest.mark.parametrize("theme", SAFE)
def test_what_must_never_be_confused_differs_by_twelve(theme: Theme, deficiency: str) -> None:
    assert len(MUST_DIFFER) == 17
    apart = {pair: difference(*(in_lab(getattr(theme, name), deficiency) for name in pair)) for pair in MUST_DIFFER}
    assert {pair: value for pair, value in apart.items() if value < 12.0} == {}


@pytest.mark.parametrize("theme", SAFE)
def test_a_and_b_and_the_deciding_axis_differ_in_gray(theme: Theme) -> None:
    apart = {pair: abs(np.subtract(*(in_lab(getattr(theme, name), "none")[0] for name in pair))) for pair in IN_GRAY}
    assert {pair: value for pair, value in apart.items() if value < 10.0} == {}


IN_PRINT = [
    theme
    for theme in ALL
    if theme.palette is Palette.PRINT_SAFE or (theme.palette is Palette.COLOUR_BLIND and not theme.dark_panels)
]


@pytest.mark.parametrize("theme", IN_PRINT, ids=[f"{theme.name}, {theme.palette}" for theme in IN_PRINT])
def test_marks_of_one_legend_differ_in_gray_by_fifteen(theme: Theme) -> None:
    pairs = [("edge_a", "edge_b"), *combinations(("winner", "gap", "overlap"), 2)]
    apart = {pair: abs(np.subtract(*(in_lab(getattr(theme, name), "none")[0] for name in pair))) for pair in pairs}
    assert {pair: value for pair, value in apart.items() if value < 15.0} == {}


@pytest.mark.parametrize("theme", ALL, ids=NAMES)
def test_every_phase_has_a_colour_of_its_own(theme: Theme) -> None:
    colours = [entry.colour(theme) for entry in ALGORITHMS]
    for one, other in combinations(colours, 2):
        assert sum(abs(a - b) for a, b in zip(one[:3], other[:3], strict=True)) > 0.25


@pytest.mark.parametrize("theme", ALL, ids=NAMES)
def test_names_on_the_timeline_can_be_read(theme: Theme) -> None:
    for entry, share in product(ALGORITHMS, PHASE_TINTS):
        assert contrast(theme.text, mixed(panel_ground(theme), entry.colour(theme), share)) > 4.5


def test_unknown_themes_are_refused() -> None:
    with pytest.raises(ValueError, match="no theme is called"):
        theme_named("sepia")
