"""A panel that is closed at the start: its module is imported when it first opens."""

from __future__ import annotations

import gc
from collections.abc import Callable
from importlib import import_module

from ..state.panel_state import PanelState
from .panel import Ask, Panel


class LatePanel:
    """Stands for the panel `name` of a module of this package until `wanted` says that it opens."""

    def __init__(self, module: str, name: str, wanted: Callable[[PanelState], bool]) -> None:
        self.name = name
        self._module, self._wanted = module, wanted
        self._panel: Panel | None = None

    @property
    def panel(self) -> Panel:
        """The panel itself, imported and made when it is first asked for."""
        if self._panel is None:
            make: Callable[[], Panel] = getattr(import_module(f".{self._module}", __package__), self.name)
            self._panel = make()
            # What is imported stays: to look for garbage in it, again and again, holds up frames by 10 ms.
            gc.freeze()
        return self._panel

    def wanted(self, ui: PanelState) -> bool:
        """Whether it has something to show."""
        return self._wanted(ui)

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the panel, from its first opening on in every frame: it may have to end what it began."""
        if self._panel is not None or self._wanted(ui):
            self.panel.draw(ui, ask)
