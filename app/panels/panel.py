"""What every panel is: something that draws itself from the state and answers with requests."""

from __future__ import annotations

from typing import Protocol

from ..state.panel_state import PanelState
from ..state.requests import Request

Ask = list[Request]
"""Where a panel puts its requests while it draws."""


class Panel(Protocol):
    """One window or bar. It may keep what is half typed between frames, never anything of the document."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws one frame inside a running imgui frame."""
