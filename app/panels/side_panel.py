"""A docked panel that is opened by a command: a tab beside another one, in front when it opens, with a close button."""

from __future__ import annotations

from imgui_bundle import imgui

from .layout import dock_beside
from .widgets import on_ground

FRAMES_IN_FRONT = 2
"""How long a panel asks for the front. Panels that come with it in one frame have the focus after it: when another
window closes, one of them would get it back, and its tab the front."""


class SidePanel:
    """The window's beginning; `beside` names the docked window whose tabs it joins where nobody has moved it."""

    def __init__(self, title: str, beside: str) -> None:
        self.title, self._beside = title, beside
        self._frames = 0

    def begin(self, *, wanted: bool) -> tuple[bool, bool]:
        """Whether to draw inside, and whether it stays open. Begins a window, to be ended, only if `wanted`."""
        if not wanted:
            self._frames = 0
            return False, False
        dock_beside(self._beside)
        if self._frames < FRAMES_IN_FRONT:
            imgui.set_next_window_focus()
            self._frames += 1
        visible, still_open = imgui.begin(self.title, True, on_ground(self.title))
        return bool(visible), bool(still_open)
