"""Colours: what is written can be read, and A and B are told apart without hue."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from app.draw.draw_list import Rgba
from app.draw.theme import THEMES, Theme, mixed, readable_on, theme_named
from app.panels.style import ground as panel_ground
from app.panels.timeline import SHARES
from app.stages import ENTRIES

ALL = [theme_named(theme.name, colour_blind=switch) for theme in THEMES for switch in (False, True)]
NAMES = [f"{theme.name}, {kind}" for theme in THEMES for kind in ("usual", "colour-blind")]


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
    colours = {name: getattr(theme, name) for name in TEXTS} | {entry.name: entry.colour(theme) for entry in ENTRIES}
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


@pytest.mark.parametrize("theme", [t for t, name in zip(ALL, NAMES, strict=True) if "blind" in name])
def test_a_and_b_differ_without_red_and_green(theme: Theme) -> None:
    a, b = seen_without_red_or_green(theme.body_a), seen_without_red_or_green(theme.body_b)
    assert abs(a[0] - b[0]) + abs(a[1] - b[1]) > 0.5


@pytest.mark.parametrize("theme", ALL, ids=NAMES)
def test_every_phase_has_a_colour_of_its_own(theme: Theme) -> None:
    colours = [entry.colour(theme) for entry in ENTRIES]
    for one, other in combinations(colours, 2):
        assert sum(abs(a - b) for a, b in zip(one[:3], other[:3], strict=True)) > 0.25


@pytest.mark.parametrize("theme", ALL, ids=NAMES)
def test_names_on_the_timeline_can_be_read(theme: Theme) -> None:
    for entry, share in product(ENTRIES, SHARES):
        assert contrast(theme.text, mixed(panel_ground(theme), entry.colour(theme), share)) > 4.5


def test_unknown_themes_are_refused() -> None:
    with pytest.raises(ValueError, match="no theme is called"):
        theme_named("sepia")
