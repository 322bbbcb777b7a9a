"""The colours of the three themes, in three palettes. The colours of algorithms are in `app/stages`."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from .draw_list import Rgba


def hex_rgba(code: str, alpha: float = 1.0) -> Rgba:
    """Returns the colour of the `code` `#rrggbb` with an alpha; components 0 to 1."""
    value = int(code.removeprefix("#"), 16)
    return ((value >> 16 & 255) / 255.0, (value >> 8 & 255) / 255.0, (value & 255) / 255.0, alpha)


def faded(rgba: Rgba, alpha: float) -> Rgba:
    """The same colour with its alpha multiplied."""
    return (rgba[0], rgba[1], rgba[2], rgba[3] * alpha)


def mixed(first: Rgba, second: Rgba, share: float) -> Rgba:
    """The mixture of two colours, component by component: `first` at share 0, `second` at share 1."""
    r, g, b, a = (x + (y - x) * share for x, y in zip(first, second, strict=True))
    return (r, g, b, a)


def on_ground(ground: Rgba, rgba: Rgba, share: float) -> Rgba:
    """The opaque colour that `rgba` with the opacity `share` has on a `ground`; translucent on a transparent one.

    Lines of several pieces have it: where translucent pieces meet, their colours would add up to dots.
    """
    return (*mixed(ground, rgba, share)[:3], 1.0) if ground[3] else faded(rgba, share)


def _luminance(rgba: Rgba) -> float:
    """Relative luminance as in WCAG 2, 0 to 1."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgba[:3]]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def readable_on(ground: Rgba) -> Rgba:
    """Black or white: the one with the higher contrast to the opaque colour `ground`."""
    return hex_rgba("#000000") if _luminance(ground) > 0.179 else hex_rgba("#ffffff")


class Palette(StrEnum):
    """A set of the colours that carry meaning: the theme's own, or one of two sets for every kind of colour vision."""

    THEME = "theme"
    COLOUR_BLIND = "colour-blind"
    PRINT_SAFE = "print-safe"


class Theme(Struct, frozen=True):
    """The colours of the viewport, and whether the panels are dark.

    `body_*`: fills of the bodies; `edge_*`: their edges, bars and points. `family_*`: candidate axes and faces of the
    difference, by their origin. `winner`: the axis that decides; `gap`, `overlap`: the numbers on it. `face_alpha`:
    opacity of a body's faces. `palette`: the set that the colours with a meaning are from. The colours of algorithms
    are in `app/stages`. A gap proves how far apart the bodies are at least, and an overlap how deep they are at most:
    so `gap` is also the colour of lower bounds, and `overlap` that of upper bounds.
    """

    name: str
    dark_panels: bool
    background_top: Rgba
    background_bottom: Rgba
    text: Rgba
    dim_text: Rgba
    halo: Rgba
    grid: Rgba
    body_a: Rgba
    body_b: Rgba
    edge_a: Rgba
    edge_b: Rgba
    difference: Rgba
    difference_edge: Rgba
    winner: Rgba
    gap: Rgba
    overlap: Rgba
    normal: Rgba
    origin: Rgba
    hover: Rgba
    family_a: Rgba
    family_b: Rgba
    family_edges: Rgba
    family_closest: Rgba
    world_x: Rgba
    world_y: Rgba
    world_z: Rgba
    face_alpha: float
    palette: Palette = Palette.THEME

    @property
    def suits(self) -> str:
        """`dark` or `light`: the background on which the theme's text is legible."""
        return "dark" if self.dark_panels else "light"

    @property
    def plain_ground(self) -> Rgba:
        """The background of films and sheets, whose strips of words would look like bands on each pane's gradient."""
        return self.background_bottom if self.dark_panels else self.background_top

    @property
    def lower(self) -> Rgba:
        """A lower bound ("at least"), and what proves it."""
        return self.gap

    @property
    def upper(self) -> Rgba:
        """An upper bound ("at most"), and what proves it."""
        return self.overlap

    def without_ground(self) -> Theme:
        """The theme with transparent halos and background, for a picture that may be put on any background."""
        grounds = ("halo", "background_top", "background_bottom")
        clear: dict[str, Any] = {name: faded(getattr(self, name), 0.0) for name in grounds}
        return replace(self, **clear)

    def body(self, index: int) -> Rgba:
        """Fill of body A (0) or B (1)."""
        return (self.body_a, self.body_b)[index]

    def edge(self, index: int) -> Rgba:
        """Edges, bars and points of body A (0) or B (1)."""
        return (self.edge_a, self.edge_b)[index]


ENGINE_COLOURS = {"dark": hex_rgba("#ff8ad8"), "light": hex_rgba("#b0107a")}
"""Colours of another engine's answer, by `Theme.suits`."""

SINGLE_COLOURS = {"dark": hex_rgba("#c3f53c"), "light": hex_rgba("#5a6e00")}
"""Colours of single precision's wrong answer, by `Theme.suits`."""

CONTACT_COLOURS = tuple(
    map(hex_rgba, ("#e69f00", "#56b4e9", "#009e73", "#cc79a7", "#d55e00", "#0072b2", "#f0e442", "#999999"))
)
"""Colours of contacts in every theme, in turn by contact id: Okabe and Ito's set (2008), gray in place of black."""


def contact_colour(identity: int) -> Rgba:
    """The colour of the contact with an id; ids count from 1, and colours return after the last one."""
    return CONTACT_COLOURS[(identity - 1) % len(CONTACT_COLOURS)]


_COLOURS = {
    "background_top": ("#232831", "#fbfcfd", "#ffffff"),
    "background_bottom": ("#15181d", "#e6eaf0", "#ffffff"),
    "text": ("#e8ebf0", "#1c222b", "#000000"),
    "dim_text": ("#949dab", "#5b6674", "#444444"),
    "halo": ("#15181d/0.94", "#f6f8fa/0.95", "#ffffff/0.95"),
    "grid": ("#9fb0c8/0.20", "#4a5a70/0.20", "#000000/0.14"),
    "body_a": ("#3f8fe0", "#4d97e0", "#4d97e0"),
    "body_b": ("#e8913a", "#eb9a45", "#eb9a45"),
    "edge_a": ("#7dbcff", "#155a9c", "#155a9c"),
    "edge_b": ("#ffbf73", "#a1550a", "#a1550a"),
    "difference": ("#8a94a6", "#98a3b3", "#98a3b3"),
    "difference_edge": ("#c3cad6", "#48525f", "#222222"),
    "winner": ("#ffe27a", "#794ecf", "#794ecf"),
    "gap": ("#4fd8c0", "#097668", "#097668"),
    "overlap": ("#ff6b86", "#cb1e48", "#cb1e48"),
    "normal": ("#c9d1de", "#4a5563", "#4a5563"),
    "origin": ("#ffffff", "#10151c", "#000000"),
    "hover": ("#ffffff", "#10151c", "#000000"),
    "family_a": ("#5ea6f2", "#256ab1", "#256ab1"),
    "family_b": ("#f0a04c", "#9c5812", "#9c5812"),
    "family_edges": ("#74c98a", "#287741", "#287741"),
    "family_closest": ("#c793e6", "#9047bd", "#9047bd"),
    "world_x": ("#ff4d8d", "#cf0058", "#cf0058"),
    "world_y": ("#6fbf3f", "#377700", "#377700"),
    "world_z": ("#37a6e6", "#006fa2", "#006fa2"),
}
"""Colours of the dark, the light and the print theme, in this order; an alpha other than 1 follows a slash."""


def _theme(column: int, name: str, dark_panels: bool, face_alpha: float) -> Theme:
    parts = {field: codes[column].partition("/") for field, codes in _COLOURS.items()}
    colours: dict[str, Any] = {field: hex_rgba(code, float(alpha or 1.0)) for field, (code, _, alpha) in parts.items()}
    return Theme(name=name, dark_panels=dark_panels, face_alpha=face_alpha, **colours)


DARK, LIGHT, PRINT = _theme(0, "dark", True, 0.42), _theme(1, "light", False, 0.42), _theme(2, "print", False, 0.30)
THEMES = (DARK, LIGHT, PRINT)


def theme_named(name: str, palette: Palette = Palette.THEME) -> Theme:
    """The theme called `name`, with the palette's colours for all that carry meaning; ValueError if there is none."""
    for theme in THEMES:
        if theme.name == name:
            return _with(theme, palette)
    raise ValueError(f"no theme is called {name!r}; there are {', '.join(t.name for t in THEMES)}")


_PALETTES: dict[Palette, dict[str, tuple[str, str]]] = {
    Palette.COLOUR_BLIND: {
        "body_a": ("#49a9de", "#0072b2"),
        "body_b": ("#f9ad10", "#e69f01"),
        "edge_a": ("#a8ddff", "#0c387e"),
        "edge_b": ("#ebb00b", "#715d45"),
        "winner": ("#fffc01", "#301728"),
        "gap": ("#24c9a0", "#004c40"),
        "overlap": ("#d5772a", "#ab4905"),
        "family_a": ("#4dacff", "#0262dd"),
        "family_b": ("#f6b756", "#634c25"),
        "family_edges": ("#3ca075", "#0a7562"),
        "family_closest": ("#cb79a7", "#935188"),
    },
    Palette.PRINT_SAFE: {
        "body_a": ("#3f8fe0", "#4982a5"),
        "body_b": ("#dbb979", "#d7b77b"),
        "edge_a": ("#7ea6c7", "#053ba4"),
        "edge_b": ("#ffbf73", "#915e0b"),
        "winner": ("#ffffc8", "#241c42"),
        "gap": ("#39e8cd", "#064e39"),
        "overlap": ("#f36480", "#c91959"),
        "family_a": ("#1b93ff", "#044baa"),
        "family_b": ("#f0c06c", "#8f5f00"),
        "family_edges": ("#55c99e", "#0a766a"),
        "family_closest": ("#dfb1fe", "#3b2f1d"),
    },
}
"""Colours for the dark theme, and for the other two. Okabe and Ito's hues (2008), and a set for print whose bodies,
edges and families differ in lightness as well. A search moved each colour no farther than it takes to be legible on
its ground (contrast 4.5) and to differ from the others. For every kind of colour vision the difference CIEDE2000 is at
least 12 between A and B, two families, the deciding axis and each family, gap and overlap, overlap and the bodies. The
difference in L* is at least 10 between A and B, and between the deciding axis and both; in the set for print, and on
light ground in both, it is at least 15 between the edges of A and B, and between the marks of the winner, the gap and
the overlap. A theme's own colours have one lightness, as each is as light as text on its ground may be: they are for
screens and print in colour.
"""


def _with(theme: Theme, palette: Palette) -> Theme:
    colours: dict[str, Any] = {
        field: hex_rgba(dark if theme.dark_panels else light)
        for field, (dark, light) in _PALETTES.get(palette, {}).items()
    }
    return replace(theme, palette=palette, **colours)
