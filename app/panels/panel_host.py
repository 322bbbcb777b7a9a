"""Draws a panel, in its docked window if it has one, or its replacement; imports it when it first opens.

A fault closes only the panel that raised it. The others are drawn, and the closed panel's window shows a sentence until
the panel is tried again. Windows, tables and groups that it had begun are ended, and its styles and ids are popped.
"""

from __future__ import annotations

from collections.abc import Callable
from pkgutil import resolve_name

from imgui_bundle import imgui
from msgspec import Struct
from msgspec.structs import replace

from ..state.ask import Ask, AskList
from ..state.panel_state import PanelState
from .panel import Docked, Panel, PanelSpec
from .registry import DOCKED
from .text import say
from .widgets import dockable_flags


class StackState:
    """A saved state of imgui's stacks."""

    def __init__(self) -> None:
        self._base = imgui.internal.ErrorRecoveryState()

    def store(self) -> None:
        """Saves the state of the stacks; called inside a frame."""
        imgui.internal.error_recovery_store_state(self._base)

    def recover(self) -> None:
        """Restores the saved state."""
        io = imgui.get_io()
        # Missing `end` calls are expected here; imgui would raise an error for them.
        io.config_error_recovery_enable_assert = io.config_error_recovery_enable_debug_log = False
        io.config_error_recovery_enable_tooltip = False
        try:
            imgui.internal.error_recovery_try_to_recover_state(self._base)
        finally:
            io.config_error_recovery_enable_assert = io.config_error_recovery_enable_debug_log = True
            io.config_error_recovery_enable_tooltip = True


HIDDEN_SENTENCE = "Hidden until you answer."

FRAMES_IN_FRONT = 2
"""The number of frames in which a newly opened panel asks for the focus.

Panels that open in the same frame get the focus after it. When another window closes, imgui would give the focus back
to one of them and bring its tab to the front.
"""
FIRST_TITLES = {spec.dock: spec.title for spec in DOCKED if spec.tab == 0}
"""For each dock, the title of its first window, whose tabs the other panels join unless the user moved them."""
FIRST_TITLES |= {"step": FIRST_TITLES["above"]}


class PanelHost:
    """Imports, holds and draws the panel of one row of PANELS."""

    def __init__(self, spec: PanelSpec) -> None:
        self.spec = spec
        self._panel: Panel | None = None
        self._other: Panel | None = None
        self._frames = 0
        self._in_front = ""

    @property
    def panel(self) -> Panel:
        """The panel, imported and made at the first access."""
        if self._panel is None:
            self._panel = resolve_name(self.spec.panel)()
        return self._panel

    def wanted(self, ui: PanelState) -> bool:
        """Whether the panel has something to show, and lesson and stage mode allow it."""
        return self.spec.wanted(ui) and self.spec.in_lesson(ui) and (ui.stage is None or self.spec.on_stage)

    @property
    def was_open(self) -> bool:
        """Whether its docked window was open in the last frame."""
        return self._frames > 0

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the panel; once it has opened, in every frame, since it may have to end something that it began.

        A panel for scenes of another dimension, or that a lesson, a question or the stage leaves out, is not drawn.
        """
        spec, wanted = self.spec, self.wanted(ui)
        if spec.dimension not in (None, ui.document.scene.dimension):
            self._frames = 0
            return
        if not spec.title and not (spec.in_lesson(ui) and (ui.stage is None or spec.on_stage)):
            return
        hidden = wanted and spec.tells in ui.reveal.panels
        if wanted and spec.yields is not None and (ui.asked is not None or ui.reveal.veiled) and spec.yields(ui):
            return
        if not wanted and self._panel is None:
            self._frames = 0
        elif spec.title:
            self._draw_docked(ui, ask, wanted=wanted, hidden=hidden)
        elif hidden:
            self._instead().draw(ui, ask)
        else:
            self.panel.draw(ui, ask)

    def _instead(self) -> Panel:
        if self._other is None:
            self._other = resolve_name(self.spec.instead)()
        return self._other

    def _draw_docked(self, ui: PanelState, ask: Ask, *, wanted: bool, hidden: bool) -> None:
        spec, panel = self.spec, self.panel
        assert isinstance(panel, Docked)
        if not wanted:
            self._frames = 0
            panel.unseen(ui, ask, wanted=False)
            return
        if spec.behind and not self._frames:
            self._in_front = _tab_in_front(spec, ui)
        if spec.tab:
            # The panel joins the dock's tabs unless it has a place already: for layouts saved before it existed.
            known = imgui.internal.find_window_settings_by_id(imgui.internal.im_hash_str(FIRST_TITLES[spec.dock]))
            if known is not None and known.dock_id:
                imgui.set_next_window_dock_id(known.dock_id, imgui.Cond_.first_use_ever)
        if spec.front and self._frames < FRAMES_IN_FRONT:
            imgui.set_next_window_focus()
        flags = dockable_flags(spec.title)
        if not spec.closable:
            flags |= imgui.WindowFlags_.no_focus_on_appearing
        visible, stays = imgui.begin(spec.title, True if spec.closable else None, flags)
        if not visible:
            panel.unseen(ui, ask, wanted=True)
        elif not hidden:
            if spec.tells and ui.scene.of_hulls:
                say(f"Numbers {ui.scene.of_hulls}", ui.theme.dim_text)
            panel.draw(ui, ask)
        elif spec.instead:
            self._instead().draw(ui, ask)
        else:
            say(HIDDEN_SENTENCE, ui.theme.dim_text)
        imgui.end()
        self._frames += 1
        if self._in_front:
            self._stay_behind(visible=bool(visible))
        if spec.closable and not stays:
            if spec.close is not None:
                spec.close(ui, ask)
            elif spec.opens is not None:
                ui.dialogs.dock(spec.opens.id, shown=False)

    def _stay_behind(self, *, visible: bool) -> None:
        """Brings back the tab that was in front: imgui brings a new tab to the front in its second frame.

        `visible`: the panel is the tab in front.
        """
        own, front = (imgui.internal.find_window_by_name(name) for name in (self.spec.title, self._in_front))
        together = front is not None and own.dock_id == front.dock_id
        if self._frames == 1 or (visible and together):
            imgui.set_window_focus(self._in_front)
        else:
            self._in_front = ""


def _tab_in_front(spec: PanelSpec, ui: PanelState) -> str:
    """Title of the panel in front among the tabs of a panel's dock; if none is drawn yet, of the one expected there."""
    titles = [other.title for other in DOCKED if other.dock == spec.dock and other.closable and other.wanted(ui)]
    for title in titles:
        window = imgui.internal.find_window_by_name(title)
        if window is not None and window.active and not window.hidden:
            return title
    first = imgui.internal.find_window_by_name(FIRST_TITLES[spec.dock])
    known = first is not None and not first.hidden
    return FIRST_TITLES[spec.dock] if known or not titles else titles[0]


SENTENCE = "This panel is closed because of a fault in the program. It opens again with another scene, step or view."

Tell = Callable[[str, Exception], str]
"""Reports a fault in the named panel; returns the report."""
_PASSING = ("busy", "waiting", "names", "pasted", "deck_texts")
"""Fields of `Dialogs` that are not about open windows."""


class _Shut(Struct, frozen=True, eq=False):
    """A panel that raised an error: the state that it was to show, the view and open windows, its window, the report.

    `window` is "" if the panel's window has no title.
    """

    shown: tuple[object, ...]
    open: tuple[object, ...]
    window: str
    report: str

    def still_holds(self, ui: PanelState) -> bool:
        """Whether state, view and open windows are the same, so that the panel would raise the error again."""
        same = all(before is now for before, now in zip(self.shown, _shown(ui), strict=True))
        return same and self.open == _open(ui)

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the panel's window with a sentence and a button that copies the report."""
        if imgui.begin(self.window)[0]:
            say(SENTENCE, ui.theme.overlap)
            if imgui.button("Copy report"):
                ask.copy(self.report, "the report")
        imgui.end()


class Shield:
    """Draws panels for the frame and catches their faults."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._shut: dict[PanelHost, _Shut] = {}
        self._stacks = StackState()

    def begin(self) -> None:
        """Called before the first panel of a frame: saves the state that imgui's stacks return to after a fault."""
        self._stacks.store()

    def draw(self, panel: PanelHost, ui: PanelState, ask: AskList) -> None:
        """Draws `panel`; if it raises an error, tells it, drops the panel's requests of this frame and closes it.

        A closed panel is tried again once the state shown, the view or the open windows change. `busy` and `waiting` of
        the dialogs become false. If it was to show a pending question, the question gets its last answer.
        """
        shut = self._shut.get(panel)
        if shut is not None:
            if shut.still_holds(ui):
                if shut.window and panel.wanted(ui):
                    shut.draw(ui, ask)
                return
            del self._shut[panel]
        asked = len(ask.calls)
        try:
            panel.draw(ui, ask)
        except Exception as error:
            del ask.calls[asked:]
            window = _begun_window()
            self._stacks.recover()
            # No later frame ends what the panel had begun.
            ui.dialogs.busy = ui.dialogs.waiting = False
            name = panel.spec.name
            title = window.split("##")[0] or name.replace("_", " ")
            self._shut[panel] = _Shut(_shown(ui), _open(ui), window, self._tell(f"The panel {title}", error))
            if name == "question" and ui.pending is not None:
                # Nobody could answer its question; the last answer changes nothing.
                ask.answer(ui.pending.choices[-1].id)


def _shown(ui: PanelState) -> tuple[object, ...]:
    return ui.document.scene, ui.analysis, ui.moment, ui.settings, ui.pending


def _open(ui: PanelState) -> tuple[object, ...]:
    dialogs = ui.dialogs
    windows = (getattr(dialogs, name) for name in dialogs.__struct_fields__ if name not in _PASSING)
    return replace(ui.view, hover=None), *windows


def _begun_window() -> str:
    """Name of the outermost window being drawn if it has a title, otherwise ""."""
    stack = imgui.get_current_context().current_window_stack
    # The first is imgui's default window.
    if len(stack) < 2:
        return ""
    window = stack[1].window
    untitled = imgui.WindowFlags_.no_title_bar | imgui.WindowFlags_.popup | imgui.WindowFlags_.modal
    return "" if window.flags & untitled else str(window.name)
