"""The panels: the only place that draws widgets, one file each. They read a PanelState and answer with requests."""

from __future__ import annotations

from ..panel_state import PanelState
from ..requests import Request
from .answers import Answers
from .axis_table import AxisTable
from .bodies import Bodies
from .layout import build_default_layout
from .menu_bar import MenuBar
from .panel import Panel
from .style import apply_style
from .verdict_bar import VerdictBar

__all__ = ["PANELS", "Panel", "apply_style", "build_default_layout", "draw_all", "make_panels"]


def make_panels() -> tuple[Panel, ...]:
    """A fresh set of panels in the order in which they are drawn, with nothing half typed."""
    return (
        MenuBar(),
        VerdictBar(),
        AxisTable(),
        Bodies(),
        Answers(),
    )


PANELS = make_panels()
"""The set that the window draws."""


def draw_all(ui: PanelState, panels: tuple[Panel, ...] = PANELS) -> list[Request]:
    """Draws every panel inside a running imgui frame; what the user asked for, in order."""
    ask: list[Request] = []
    for panel in panels:
        panel.draw(ui, ask)
    return ask
