"""The panels: the only place that draws widgets, one file each. They read a PanelState and answer with requests."""

from __future__ import annotations

from functools import partial

from core.analysis.knobs import DEFAULT_KNOBS

from ..platform import imgui_alone  # noqa: F401 - before the panels, which import imgui_bundle
from ..render.framing import Covered
from ..state.panel_state import Area, PanelState
from ..state.requests import Request
from .hint_line import (
    HINT_WINDOW,
    LOG_WINDOW,
    MARGIN,
    NOTES_WINDOW,
    QUESTION_WINDOW,
    HintLine,
    Notes,
    Notices,
    beside_log,
)
from .late_panel import LatePanel
from .layout import CARD_WINDOWS, PROBE_WINDOW, build_default_layout
from .menu_bar import MenuBar
from .pane_titles import PaneTitles
from .panel import Panel
from .shield import Shield
from .style import apply_style, ground
from .verdict_bar import VERDICT_WINDOW, VerdictBar
from .widgets import drawn_height, drawn_place, drawn_size, em

__all__ = [
    "PANELS",
    "Panel",
    "Shield",
    "apply_style",
    "build_default_layout",
    "covered",
    "draw_all",
    "ground",
    "make_panels",
]


STRANGE = {2: frozenset({"ProbeCard", "FreeAxisCard"}), 3: frozenset({"VertexPairs"})}
"""By dimension the panels that have nothing to say about its scenes; they come back with others."""

PANE_TITLE_EMS = 1.4
"""Height of the panes' names under the verdict."""


def motion_stands(ui: PanelState) -> bool:
    """Whether the bodies' motion is shown at all."""
    return ui.view.shows_motion(ui.document.scene)


def make_panels() -> tuple[Panel, ...]:
    """A fresh set of panels in the order in which they are drawn, with nothing half typed."""
    return (
        MenuBar(),
        LatePanel("timeline", "Timeline", lambda ui: ui.query is not None),
        LatePanel("motion_bar", "MotionBar", motion_stands),
        PaneTitles(),
        VerdictBar(),
        LatePanel("waiting_note", "WaitingNote", lambda ui: bool(ui.analysis.left_out)),
        HintLine(),
        LatePanel("picture_fault", "PictureFault", lambda ui: ui.picture_fault),
        Notes(),
        LatePanel("question_card", "QuestionCard", lambda ui: ui.asked is not None),
        LatePanel("log_stepper", "LogStepper", lambda ui: ui.log is not None),
        Notices(),
        LatePanel("frame_times", "FrameTimes", lambda ui: ui.settings.show_frame_times),
        LatePanel("knob_chip", "KnobChip", lambda ui: ui.knobs != DEFAULT_KNOBS),
        LatePanel("free_axis", "FreeAxisCard", lambda ui: ui.view.free is not None),
        LatePanel("probe", "ProbeCard", lambda ui: ui.view.probe is not None),
        LatePanel("side_by_side", "SideBySide", lambda ui: ui.settings.panels and ui.dialogs.compare),
        LatePanel("through_zero", "ThroughZero", lambda ui: ui.settings.panels and ui.dialogs.through_zero),
        LatePanel("knobs", "KnobPanel", lambda ui: ui.settings.panels and ui.dialogs.knobs),
        LatePanel("edge_tools", "EdgeTools", lambda ui: ui.settings.panels and ui.dialogs.edge_tools),
        LatePanel("motion", "MotionPanel", lambda ui: ui.settings.panels and motion_stands(ui)),
        LatePanel("bodies", "Bodies", lambda ui: ui.settings.panels),
        LatePanel("answers", "Answers", lambda ui: ui.settings.panels),
        LatePanel("vertex_pairs", "VertexPairs", lambda ui: ui.settings.panels),
        LatePanel("algorithm", "Algorithm", lambda ui: ui.query is not None and ui.settings.algorithm),
        LatePanel("step_card", "StepCard", lambda ui: ui.query is not None),
        # Last of the docked: where imgui sends the focus when a window closes, which brings a tab to the front.
        LatePanel("axis_table", "AxisTable", lambda ui: ui.settings.panels),
        LatePanel("preset_gallery", "PresetGallery", lambda ui: ui.dialogs.presets),
        LatePanel("help", "Help", lambda ui: ui.dialogs.help),
        LatePanel("view_options", "ViewOptions", lambda ui: ui.dialogs.settings),
        LatePanel("screenshot", "ScreenshotPanel", lambda ui: ui.dialogs.screenshot),
        LatePanel("paste_pair", "PastePair", lambda ui: ui.dialogs.paste),
        LatePanel("file_browser", "FileBrowser", lambda ui: ui.dialogs.open or ui.dialogs.save),
        LatePanel("dialogs", "About", lambda ui: ui.dialogs.about),
        LatePanel("palette", "Palette", lambda ui: ui.dialogs.palette),
        LatePanel("picture_progress", "PictureProgress", lambda ui: ui.picture is not None),
        LatePanel("dialogs", "Question", lambda ui: ui.pending is not None),
    )


PANELS = make_panels()
"""The set that the window draws."""


def draw_all(ui: PanelState, panels: tuple[Panel, ...] = PANELS, shield: Shield | None = None) -> list[Request]:
    """Draws every panel inside a running imgui frame; what the user asked for, in order.

    `shield`: shuts a panel that raises; without one the fault goes on.
    """
    ask: list[Request] = []
    strange = STRANGE[ui.document.scene.dimension]
    if shield is not None:
        shield.begin()
    for panel in panels:
        if isinstance(panel, LatePanel) and panel.name in strange:
            continue
        draw = partial(_draw, panel, ui, ask)
        if shield is None:
            draw()
        else:
            shield.draw(panel, draw, ui, ask)
    return ask


def _draw(panel: Panel, ui: PanelState, ask: list[Request]) -> None:
    (_cover(ui, panel) or panel).draw(ui, ask)


def _cover(ui: PanelState, panel: Panel) -> Panel | None:
    """What stands in a panel's place while a question is asked that it would answer."""
    if ui.asked is None:
        return None
    from .question_covers import cover_of

    if isinstance(panel, LatePanel):
        return cover_of(panel.name, ui.asked) if panel.wanted(ui) else None
    return cover_of(type(panel).__name__, ui.asked)


def covered(viewport: Area) -> Covered:
    """What the bars and cards over the viewport hide of it, as last drawn; inside a frame."""
    margin = MARGIN * em()
    verdict, hint, log = (drawn_height(window) for window in (VERDICT_WINDOW, HINT_WINDOW, LOG_WINDOW))
    width, height = drawn_size(QUESTION_WINDOW)
    if not height:
        width, height = drawn_size(NOTES_WINDOW)
    if log and height and beside_log(viewport):
        height = max(1.0, height - log)
    bar = log + margin if log else 0.0
    return Covered(
        verdict + margin + PANE_TITLE_EMS * em() if verdict else 0.0,
        (hint + margin if hint else 0.0) + bar,
        (width + margin, height + margin) if height else (0.0, 0.0),
        bar,
        drawn_size(PROBE_WINDOW)[0] + margin if drawn_height(PROBE_WINDOW) else 0.0,
        cards=tuple(
            (place[0] - viewport.x, place[1] - viewport.y, *drawn_size(window))
            for window in CARD_WINDOWS
            if (place := drawn_place(window)) is not None
        ),
    )
