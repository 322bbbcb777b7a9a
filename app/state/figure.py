"""What a figure for a paper or a slide is to be like, in real units, and what it shows of a view."""

from __future__ import annotations

from math import radians

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from ..draw.camera import DISTANCE_LIMITS
from ..draw.theme import THEMES, Palette
from .view import HATCH, Panes, View

GAUSS = "gauss"
GAUSS_LARGE = "gauss_large"
PANES = (*(panes.value for panes in Panes), GAUSS)
"""What may be asked for as panes: those of a view, or the Gauss map alone."""
AUTO = "auto"
OUTLINES = "outlines"
TEXTS = ("font", OUTLINES, "none")
FONT, DPI, MARGIN = 7.0, 300.0, 2.0
LIMITS = {"scale": (1, 4), "width": (10.0, 2000.0), "font": (3.0, 72.0), "dpi": (30.0, 2400.0), "margin": (0.0, 100.0)}
TURNS = {"yaw": (-360.0, 360.0), "pitch": (-90.0, 90.0), "distance": (0.0, DISTANCE_LIMITS[1])}
"""The least and the most of what has a number; angles in degrees, the distance 0 or at least the camera's least."""
DIGITS = (3, 4, 6, 17)
TURNED, FILE = "turned", "file"
CAMERAS = (TURNED, FILE)
"""Where a picture's cameras are from, unless from the window."""
COLUMNS = (1, 2, 3, 4, 5, 6)
"""Of a sheet."""
LARGEST = 16384
"""Longest side of a picture, pixels."""


class Figure(Struct, frozen=True):
    """The options of a figure; without any, a picture as the window shows it.

    `width` and `margin` in millimetres, `font` in points of 1/72 inch: 13 points of the layout are that large; both
    count where there is a width, as does `dpi`, pixels to the inch of a PNG. `digits`: significant ones, one more in
    formulas and where numbers shown together agree. `crop`: to what is drawn, with the margin round it. `text`: "font",
    "outlines" or "none". `camera`: yaw and pitch in degrees, and perhaps the distance in scene units. `view`: another
    view whose cameras, panes and overlays are taken. `show`, `hide`: ids of overlays; `hatch`: also the one of that
    name. `caption`: AUTO for the scene's
    name, verdict and step; `alt`: what a screen reader says, made likewise where it is None. `columns`: of a sheet.
    """

    width: float | None = None
    font: float = FONT
    dpi: float = DPI
    digits: int | None = None
    crop: bool = False
    margin: float = MARGIN
    text: str = "font"
    panes: str | None = None
    camera: tuple[float, ...] | None = None
    view: View | None = None
    show: frozenset[str] = frozenset()
    hide: frozenset[str] = frozenset()
    hatch: bool = False
    legend: bool = False
    caption: str = ""
    alt: str | None = None
    label: str = ""
    columns: int | None = None

    def looked_at(self, view: View) -> View:
        """The view with the figure's cameras, panes and overlays; its step, axis, probe and time stay."""
        if (other := self.view) is not None:
            looks = {name: getattr(other, name) for name in ("world", "difference", "fitted", "axis_view", "family")}
            view = replace(view, **looks, panes=other.panes, shown=other.shown)
        if self.panes == GAUSS:
            view = replace(view, panes=Panes.WORLD, shown=view.shown | {GAUSS_LARGE})
        elif self.panes is not None:
            view = replace(view, panes=Panes(self.panes), shown=view.shown - {GAUSS_LARGE})
        if self.camera is not None:
            view = replace(view.turned(*map(radians, self.camera[:2])), fitted=True)
        hatched = {HATCH} if self.hatch else set[str]()
        return replace(view, shown=(view.shown | self.show | hatched) - self.hide)


class Preview(Struct, frozen=True, eq=False):
    """What a picture would be: its `pixels` (h, w, 4), small, straight alpha; or `fault`, why there can be none.

    `size`: pixels that the picture itself would have.
    """

    size: tuple[int, int]
    pixels: NDArray[np.uint8] | None = None
    fault: str = ""


class PictureChoices(Struct, frozen=True):
    """What was chosen in the screenshot's window, kept between runs.

    `size` in points, (0, 0) for the viewport's, at `scale` pixels to the point; `theme`, `palette`: None as on the
    screen. `on_paper`: `width` in millimetres with letters of `font` points, at `dpi`, count instead of `size`.
    `camera`: one of CAMERAS, None for the window's. TURNED: `yaw` and `pitch` in degrees and the `distance` in scene
    units, 0 for one that has all in sight; FILE: the cameras, panes and overlays of the scene or view in `view_file`.
    `show`, `hide`: ids of overlays, in the place of what the window shows. `steps`: those of a sheet, as `16,18,24`,
    "" for one picture, with `columns` of them side by side. The rest as in Figure.
    """

    size: tuple[int, int] = (0, 0)
    scale: int = 2
    transparent: bool = False
    theme: str | None = None
    palette: Palette | None = None
    on_paper: bool = False
    width: float = 85.0
    font: float = FONT
    dpi: float = DPI
    crop: bool = False
    margin: float = MARGIN
    panes: str | None = None
    text: str = "font"
    digits: int | None = None
    hatch: bool = False
    legend: bool = False
    caption: str = ""
    label: str = ""
    camera: str | None = None
    yaw: float = 0.0
    pitch: float = 0.0
    distance: float = 0.0
    view_file: str = ""
    show: frozenset[str] = frozenset()
    hide: frozenset[str] = frozenset()
    steps: str = ""
    columns: int = 3

    def figure(self, overlays: frozenset[str], *, turns: bool) -> Figure:
        """As a figure of a scene that has these overlays, ids, and whose camera turns or not; the rest is left out."""
        turned = self.camera == TURNED and turns
        sheet, own = bool(self.steps), self.camera != FILE
        return Figure(
            width=self.width if self.on_paper else None,
            font=self.font,
            dpi=self.dpi,
            digits=self.digits,
            crop=self.crop,
            margin=self.margin,
            text=self.text,
            panes=None if self.panes == GAUSS and GAUSS_LARGE not in overlays else self.panes,
            camera=((self.yaw, self.pitch) + ((self.distance,) if self.distance else ())) if turned else None,
            show=self.show & overlays if own else frozenset(),
            hide=self.hide & overlays if own else frozenset(),
            columns=self.columns if sheet else None,
            hatch=self.hatch,
            legend=self.legend and self.text != "none",
            caption=self.caption if self.text != "none" else "",
            label=self.label if self.text != "none" and not sheet else "",
        )

    def fault(self) -> tuple[str, str] | None:
        """The first of its values that cannot be, and why."""
        for name, (low, high) in (LIMITS | TURNS).items():
            if not low <= getattr(self, name) <= high:
                return name, f"must lie between {low:g} and {high:g}, got {getattr(self, name):g}"
        if any(not 0 <= side <= LARGEST for side in self.size):
            return "size", f"must be at most {LARGEST} points each way, got {list(self.size)}"
        if 0.0 < self.distance < DISTANCE_LIMITS[0]:
            return "distance", f"must be 0 or at least {DISTANCE_LIMITS[0]:g}, got {self.distance:g}"
        known = {"panes": PANES, "text": TEXTS, "digits": DIGITS, "theme": tuple(theme.name for theme in THEMES)}
        known |= {"camera": CAMERAS, "columns": COLUMNS}
        for name, values in known.items():
            if (value := getattr(self, name)) not in (*values, None):
                return name, f"must be one of {', '.join(map(str, values))}, got {value}"
        return None
