"""The panels: the only code that draws widgets. Each panel reads a PanelState and calls the methods of an Ask."""

from __future__ import annotations

from collections.abc import Callable

from ..draw.placed import Rect
from ..render.framing import Covered
from ..state.ask import AskList
from ..state.panel_state import PanelState
from .cards import CARDS
from .panel import CARD_WINDOWS, FREE_AXIS_WINDOW, PROBE_WINDOW, STAGE_WINDOW, Panel
from .panel_host import PanelHost, Shield
from .registry import PANELS, build_default_layout
from .style import apply_style, background
from .text import TIPS, em
from .viewport_bottom import HINT_WINDOW, LOG_WINDOW, MOVED_WINDOW, NOTES_WINDOW, QUESTION_WINDOW, beside_log
from .viewport_top import MARGIN_EMS, TITLE_WINDOWS, VERDICT_WINDOW

__all__ = [
    "Panel",
    "Shield",
    "apply_style",
    "background",
    "build_default_layout",
    "covered",
    "draw_all",
    "make_panels",
]


PANE_TITLE_EMS = 1.4
"""Height that the picture leaves to the panes' names under the verdict, ems; the cards below them keep farther off."""


def make_panels() -> tuple[PanelHost, ...]:
    """Returns a new host for each panel of PANELS, in that order."""
    return tuple(PanelHost(spec) for spec in PANELS)


def draw_all(
    ui: PanelState,
    panels: tuple[PanelHost, ...],
    placed: Callable[[PanelState], PanelState],
    ask: AskList,
    shield: Shield | None = None,
) -> None:
    """Draws every panel inside a running imgui frame; what the user asks for goes to `ask`, in order.

    `placed`: called after the bars along the window's edges; returns the state with the remaining viewport and its
    panes. `shield`: catches an exception of a panel and closes the panel; without it the exception is raised.
    """
    TIPS.begin()
    CARDS.begin()
    if shield is not None:
        shield.begin()
    for bars in (True, False):
        for panel in panels:
            if panel.spec.bar is bars:
                if shield is None:
                    panel.draw(ui, ask)
                else:
                    shield.draw(panel, ui, ask)
        ui = placed(ui) if bars else ui


def covered(viewport: Rect) -> Covered:
    """The parts of the viewport that bars and cards cover, as drawn in this frame, in pixels."""
    margin = MARGIN_EMS * em()
    verdict, hint, log = (CARDS.height(window) for window in (VERDICT_WINDOW, HINT_WINDOW, LOG_WINDOW))
    log = log or CARDS.height(STAGE_WINDOW)
    width, height = CARDS.size(QUESTION_WINDOW)
    if not height:
        width, height = CARDS.size(NOTES_WINDOW)
    if log and height and beside_log(viewport):
        height = max(1.0, height - log)
    bar = log + margin if log else 0.0
    axis = CARDS.size(FREE_AXIS_WINDOW)
    return Covered(
        verdict + margin + PANE_TITLE_EMS * em() if verdict else 0.0,
        (hint + margin if hint else 0.0) + bar,
        (width + margin, height + margin) if height else (0.0, 0.0),
        bar,
        CARDS.size(PROBE_WINDOW)[0] + margin if CARDS.height(PROBE_WINDOW) else 0.0,
        cards=tuple(
            (place[0] - viewport.x, place[1] - viewport.y, *CARDS.size(window))
            for window in (*CARD_WINDOWS, *TITLE_WINDOWS, MOVED_WINDOW)
            if (place := CARDS.corner(window)) is not None
        ),
        axis=(axis[0] + margin, axis[1] + margin) if axis[1] else (0.0, 0.0),
    )
