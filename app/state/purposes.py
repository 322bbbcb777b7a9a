"""The purposes of pictures, films and handouts, `--for` on the command line: the options that each of them sets.

Options that the user gives win over a purpose. Lengths are in millimetres, sizes in points, fonts in points of print.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

LABEL_SIZE, SMALLEST_LABEL_SIZE = 13.0, 11.0
"""Sizes in points of the layout of most labels, which the option `font` scales, and of the smallest labels."""
SHAPE = 0.625
"""Height over width of a picture for which only a width is given."""
PRINT_SCALE = 0.75
"""Points of print (72 to the inch) in a point of the layout (96 to the inch)."""
PANES_BY_ROOM = "auto"
ONE_PANE_WIDTH = 630.0
"""Width in points of the layout below which PANES_BY_ROOM shows one pane: 12 cm with letters of 7 pt."""
STACK = 1.25
"""Height over width of a narrow picture with both panes, one above the other, if the user asks for both."""
NARROW, NARROW_SHAPE = 320.0, 0.9
"""Width in points of the layout below which a picture of a sheet is narrow, and its height over its width.

At SHAPE the bodies would be half as wide as the picture, because the letters are as large as in a wide one."""
LEGIBLE = 0.0285
"""Size of the smallest letters over the height of a slide or of a film's picture."""


class Purpose(Struct, frozen=True):
    """A purpose of pictures, films and handouts.

    `title`: its name in the dialogs. `sets`: the values by the options' names. `letters`: the size of the smallest
    letters as a share of the picture's height; 0 if `sets` gives the font.
    """

    title: str
    sets: Mapping[str, Any]
    letters: float = 0.0


_PAPER: dict[str, Any] = {"theme": "print", "palette": "print-safe", "crop": True, "panes": PANES_BY_ROOM}
_SCREEN: dict[str, Any] = {"panes": PANES_BY_ROOM}

PURPOSES: dict[str, Purpose] = {
    "paper-column": Purpose("A paper's column, 8.5 cm", _PAPER | {"width": 85.0, "font": 7.0}),
    "paper": Purpose("A paper's page, 17 cm", _PAPER | {"width": 170.0, "font": 8.0}),
    "slide": Purpose("Slide", _SCREEN | {"size": (1920, 1080), "aspect": 16 / 9}, LEGIBLE),
    "film": Purpose("Film", _SCREEN | {"size": (1280, 720), "aspect": 16 / 9}, LEGIBLE),
    "poster": Purpose("Poster, 40 cm", _PAPER | {"width": 400.0, "font": 24.0}),
    "web": Purpose("Web page", _SCREEN | {"size": (1600, 1000), "font": 24.0}),
}

GIVES_WAY = {
    "size": ("width", "aspect"),
    "width": ("size",),
    "height": ("crop", "aspect"),
    "aspect": ("crop",),
    "view": ("panes",),
}
"""For each given option: the options that a purpose does not set beside it.

A key of this table conflicts only with given options, not with those that a purpose sets.
"""


def set_for(name: str | None, given: Mapping[str, Any]) -> dict[str, Any]:
    """The values that the purpose called `name` sets beside those given, by option; {} for None and an unknown name."""
    if name is None or name not in PURPOSES:
        return {}
    away = {*given, *(other for option in given for other in GIVES_WAY.get(option, ()))}
    purpose = PURPOSES[name]
    values = {option: value for option, value in purpose.sets.items() if option not in away}
    if purpose.letters and "font" not in given:
        values["font"] = LABEL_SIZE / SMALLEST_LABEL_SIZE * purpose.letters * _height({**values, **given})
    return values


def _height(given: Mapping[str, Any]) -> float:
    """The height of a picture with these options in points of print."""
    shape = 1.0 / given["aspect"] if given.get("aspect") else SHAPE
    if width := given.get("width"):
        return float(given.get("height") or width * shape) / 25.4 * 72.0
    across, down = given["size"]
    return float(PRINT_SCALE * (across * shape if given.get("aspect") else down))
