"""A panel as the window draws it: imported when it first opens, in its docked window if it has one, or covered."""

from __future__ import annotations

import gc

from imgui_bundle import imgui

from ..state.panel_state import PanelState
from .panel import Ask, Docked, Entry, Panel
from .registry import DOCKED
from .widgets import on_ground, say

HELD_BACK = "Held back until the question is answered."

FRAMES_IN_FRONT = 2
"""How long a panel asks for the front. Panels that come with it in one frame have the focus after it: when another
window closes, one of them would get it back, and its tab the front."""

SETTLING = 2
"""Frames in which a new tab comes to the front by itself; what was there stays."""

FIRST = {entry.dock: entry.title for entry in DOCKED if entry.tab == 0}
"""By dock the window whose tabs the others join where nobody has moved them."""


class LatePanel:
    """The panel of an entry."""

    def __init__(self, entry: Entry) -> None:
        self.entry = entry
        self._panel: Panel | None = None
        self._cover: Panel | None = None
        self._frames = 0
        self._in_front = ""

    @property
    def panel(self) -> Panel:
        """The panel itself, imported and made when it is first asked for."""
        if self._panel is None:
            self._panel = self.entry.load()
            # What is imported stays: to look for garbage in it, again and again, holds up frames by 10 ms.
            gc.freeze()
        return self._panel

    def wanted(self, ui: PanelState) -> bool:
        """Whether it has something to show."""
        return self.entry.wanted(ui)

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the panel, from its first opening on in every frame: it may have to end what it began."""
        entry, wanted = self.entry, self.wanted(ui)
        if entry.dimension not in (None, ui.document.scene.dimension):
            return
        covered = wanted and ui.asked is not None and entry.covers in ui.asked.covers
        if wanted and ui.asked is not None and entry.away is not None and entry.away(ui):
            return
        if not wanted and self._panel is None:
            self._frames = 0
        elif entry.title:
            self._draw_docked(ui, ask, wanted=wanted, covered=covered)
        elif covered:
            self._covering().draw(ui, ask)
        else:
            self.panel.draw(ui, ask)

    def _covering(self) -> Panel:
        if self._cover is None:
            assert self.entry.cover is not None
            self._cover = self.entry.cover()
        return self._cover

    def _draw_docked(self, ui: PanelState, ask: Ask, *, wanted: bool, covered: bool) -> None:
        entry, panel = self.entry, self.panel
        assert isinstance(panel, Docked)
        if not wanted:
            self._frames = 0
            panel.unseen(ui, ask, wanted=False)
            return
        if entry.behind and not self._frames:
            self._in_front = _tab_in_front(entry, ui)
        if entry.tab:
            _dock_beside(FIRST[entry.dock])
        if entry.front and self._frames < FRAMES_IN_FRONT:
            imgui.set_next_window_focus()
        flags = on_ground(entry.title)
        if not entry.closable:
            flags |= imgui.WindowFlags_.no_focus_on_appearing
        visible, stays = imgui.begin(entry.title, True if entry.closable else None, flags)
        if not visible:
            panel.unseen(ui, ask, wanted=True)
        elif not covered:
            panel.draw(ui, ask)
        elif entry.cover is not None:
            self._covering().draw(ui, ask)
        else:
            say(HELD_BACK, ui.theme.dim_text)
        imgui.end()
        self._frames += 1
        if entry.behind and self._frames <= SETTLING:
            imgui.set_window_focus(self._in_front)
        if entry.closable and not stays:
            if entry.close is not None:
                entry.close(ui, ask)
            elif entry.opens is not None:
                ui.dialogs.dock(entry.opens.id, shown=False)


def _tab_in_front(entry: Entry, ui: PanelState) -> str:
    """Title of the panel that stands in front among the tabs of an entry's dock, or comes there as it opens."""
    titles = [other.title for other in DOCKED if other.dock == entry.dock and other.closable and other.wanted(ui)]
    for title in titles:
        window = imgui.internal.find_window_by_name(title)
        if window is not None and window.active and not window.hidden:
            return title
    first = imgui.internal.find_window_by_name(FIRST[entry.dock])
    known = first is not None and not first.hidden
    return FIRST[entry.dock] if known or not titles else titles[0]


def _dock_beside(neighbour: str) -> None:
    """The next window joins the tabs of `neighbour`, unless it has a place already: for layouts kept before it was."""
    known = imgui.internal.find_window_settings_by_id(imgui.internal.im_hash_str(neighbour))
    if known is not None and known.dock_id:
        imgui.set_next_window_dock_id(known.dock_id, imgui.Cond_.first_use_ever)
