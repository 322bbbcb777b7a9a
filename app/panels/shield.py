"""A fault in one panel shuts that one: the others are drawn, and its window holds a sentence until it is retried."""

from __future__ import annotations

from collections.abc import Callable

from imgui_bundle import imgui
from msgspec import Struct
from msgspec.structs import replace

from ..state.panel_state import PanelState
from ..state.requests import Answer, Copy
from .late_panel import LatePanel
from .panel import Ask
from .recovery import Recovery
from .widgets import say

SENTENCE = "This panel is shut because of a fault in the program. It is tried again with another scene, step or view."

Tell = Callable[[str, Exception], str]
"""Tells of a fault in the panel named; answers with the report."""

_PASSING = ("busy", "waiting", "names", "pasted")
"""Fields of Dialogs that say nothing about which windows are open."""


class _Shut(Struct, frozen=True, eq=False):
    """A panel that raised: what it was to show, its window ("" where it has none with a title), and the report."""

    shown: tuple[object, ...]
    open: tuple[object, ...]
    window: str
    report: str

    def stands(self, ui: PanelState) -> bool:
        """Whether the panel would show the same again, and so raise again."""
        same = all(before is now for before, now in zip(self.shown, _shown(ui), strict=True))
        return same and self.open == _open(ui)


class Shield:
    """Stands between the frame and its panels."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._shut: dict[LatePanel, _Shut] = {}
        self._stacks = Recovery()

    def begin(self) -> None:
        """Before the first panel of a frame: what imgui's stacks come back to after a fault."""
        self._stacks.store()

    def draw(self, panel: LatePanel, ui: PanelState, ask: Ask) -> None:
        """Draws `panel`; what one that raises had asked for is dropped."""
        shut = self._shut.get(panel)
        if shut is not None:
            if shut.stands(ui):
                _draw_in_place(panel, shut, ui, ask)
                return
            del self._shut[panel]
        asked = len(ask)
        try:
            panel.draw(ui, ask)
        except Exception as error:
            del ask[asked:]
            window = _begun_window()
            self._stacks.recover()
            # What it had under way goes on in no frame.
            ui.dialogs.busy = ui.dialogs.waiting = False
            name = panel.entry.name
            title = window.split("##")[0] or name.replace("_", " ")
            self._shut[panel] = _Shut(_shown(ui), _open(ui), window, self._tell(f"The panel {title}", error))
            if name == "question" and ui.pending is not None:
                # Nobody could answer it; the last answer is the one that changes nothing.
                ask.append(Answer(ui.pending.choices[-1].id))


def _shown(ui: PanelState) -> tuple[object, ...]:
    return ui.document.scene, ui.analysis, ui.moment, ui.settings, ui.pending


def _open(ui: PanelState) -> tuple[object, ...]:
    dialogs = ui.dialogs
    windows = (getattr(dialogs, name) for name in dialogs.__struct_fields__ if name not in _PASSING)
    return replace(ui.view, hover=None), *windows


def _begun_window() -> str:
    """Name of the outermost window that is being drawn, if it is one with a title; else ""."""
    stack = imgui.get_current_context().current_window_stack
    # The first is imgui's own.
    if len(stack) < 2:
        return ""
    window = stack[1].window
    untitled = imgui.WindowFlags_.no_title_bar | imgui.WindowFlags_.popup | imgui.WindowFlags_.modal
    return "" if window.flags & untitled else str(window.name)


def _draw_in_place(panel: LatePanel, shut: _Shut, ui: PanelState, ask: Ask) -> None:
    if not shut.window or not panel.wanted(ui):
        return
    if imgui.begin(shut.window)[0]:
        say(SENTENCE, ui.theme.overlap)
        if imgui.button("Copy report"):
            ask.append(Copy(shut.report, "the report"))
    imgui.end()
