"""How the charts look that stand on a panel's own ground."""

from __future__ import annotations

from imgui_bundle import ImVec2, ImVec4, implot

from ..draw.draw_list import Rgba
from ..draw.theme import Theme, faded
from .widgets import em


def line_spec(rgba: Rgba, weight: float, discs: float = 0.0) -> implot.Spec:
    """A line of `weight` pixels, with discs of this radius, pixels, at its points unless it is 0."""
    colour = ImVec4(*rgba)
    if not discs:
        return implot.Spec(line_color=colour, line_weight=weight)
    return implot.Spec(
        line_color=colour,
        line_weight=weight,
        marker=implot.Marker_.circle,
        marker_size=discs,
        marker_fill_color=colour,
        marker_line_color=colour,
    )


def push_plot_style(theme: Theme) -> None:
    """No ground of its own, a thin border, little room round the labels; until `pop_plot_style`."""
    clear = ImVec4(0.0, 0.0, 0.0, 0.0)
    implot.push_style_color(implot.Col_.frame_bg, clear)
    implot.push_style_color(implot.Col_.plot_bg, clear)
    implot.push_style_color(implot.Col_.plot_border, ImVec4(*faded(theme.text, 0.2)))
    implot.push_style_var(implot.StyleVar_.plot_padding, ImVec2(0.3 * em(), 0.3 * em()))
    implot.push_style_var(implot.StyleVar_.label_padding, ImVec2(0.3 * em(), 0.2 * em()))


def pop_plot_style() -> None:
    """The style from before `push_plot_style`."""
    implot.pop_style_var(2)
    implot.pop_style_color(3)
