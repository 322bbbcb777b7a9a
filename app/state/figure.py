"""What a figure for a paper or a slide is to be like, in real units, and what it shows of a view."""

from __future__ import annotations

from math import radians

from msgspec import Struct
from msgspec.structs import replace

from .view import Panes, View

GAUSS = "gauss"
GAUSS_LARGE = "gauss_large"
PANES = (*(panes.value for panes in Panes), GAUSS)
"""What may be asked for as panes: those of a view, or the Gauss map alone."""
AUTO = "auto"
OUTLINES = "outlines"
TEXTS = ("font", OUTLINES, "none")
FONT, DPI, MARGIN = 7.0, 300.0, 2.0


class Figure(Struct, frozen=True):
    """The options of a figure; without any, a picture as the window shows it.

    `width` and `margin` in millimetres, `font` in points of 1/72 inch: 13 points of the layout are that large; both
    count where there is a width, as does `dpi`, pixels to the inch of a PNG. `digits`: significant ones, one more in
    formulas and where numbers shown together agree. `crop`: to what is drawn, with the margin round it. `text`: "font",
    "outlines" or "none". `camera`: yaw and pitch in degrees, and perhaps the distance in scene units. `view`: another
    view whose cameras, panes and overlays are taken. `show`, `hide`: ids of overlays. `caption`: AUTO for the scene's
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
        return replace(view, shown=(view.shown | self.show) - self.hide)
