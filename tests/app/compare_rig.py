"""The panels that compare, opened and driven without a window."""

from __future__ import annotations

import pytest
from imgui_bundle import imgui

from app.state.panel_state import Dialogs, PanelState
from core.scene import Scene

from .panel_rig import PAIR, Rig, panel_state
from .patience import wait_for


def opened(name: str, scene: Scene = PAIR, **changes: object) -> PanelState:
    """What the panels read, with the panel of this name open."""
    return panel_state(scene, dialogs=Dialogs(docked=(name,)), **changes)


def drawn_texts(rig: Rig, ui: PanelState, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Everything written in one settled frame."""
    rig.settle(ui)
    texts: list[str] = []
    original = imgui.text_unformatted
    with monkeypatch.context() as patch:
        patch.setattr(imgui, "text_unformatted", lambda text, *rest: (texts.append(text), original(text, *rest)))
        rig.frame(ui)
    return texts


def plotted(rig: Rig, ui: PanelState) -> int:
    """Has the open through-zero plot taken; in how many frames."""
    rig.settle(ui)
    rig.click(ui, "Plot")
    frames = 0

    def frame() -> None:
        nonlocal frames
        rig.frame(ui)
        frames += 1

    wait_for(lambda: not ui.dialogs.busy, "the plot", meanwhile=frame)
    rig.settle(ui)
    return frames
