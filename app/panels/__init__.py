"""The panels: the only place that draws widgets, one file each. They read a PanelState and answer with requests."""

from __future__ import annotations

from ..panel_state import PanelState
from ..requests import Request
from .answers import Answers
from .axis_table import AxisTable
from .bodies import Bodies
from .dialogs import About, Question
from .file_browser import FileBrowser
from .frame_times import FrameTimes
from .help import Help
from .hint_line import HintLine, Notes, Notices
from .layout import build_default_layout
from .log_stepper import LogStepper
from .menu_bar import MenuBar
from .palette import Palette
from .pane_titles import PaneTitles
from .panel import Panel
from .paste_pair import PastePair
from .preset_gallery import PresetGallery
from .screenshot import ScreenshotPanel
from .style import apply_style
from .verdict_bar import VerdictBar
from .view_options import ViewOptions

__all__ = ["PANELS", "Panel", "apply_style", "build_default_layout", "draw_all", "make_panels"]


def make_panels() -> tuple[Panel, ...]:
    """A fresh set of panels in the order in which they are drawn, with nothing half typed."""
    return (
        MenuBar(),
        PaneTitles(),
        VerdictBar(),
        HintLine(),
        Notes(),
        LogStepper(),
        Notices(),
        FrameTimes(),
        Bodies(),
        Answers(),
        # Last of the docked: where imgui sends the focus when a window closes, which brings a tab to the front.
        AxisTable(),
        PresetGallery(),
        Help(),
        ViewOptions(),
        ScreenshotPanel(),
        PastePair(),
        FileBrowser(),
        About(),
        Palette(),
        Question(),
    )


PANELS = make_panels()
"""The set that the window draws."""


def draw_all(ui: PanelState, panels: tuple[Panel, ...] = PANELS) -> list[Request]:
    """Draws every panel inside a running imgui frame; what the user asked for, in order."""
    ask: list[Request] = []
    for panel in panels:
        panel.draw(ui, ask)
    return ask
