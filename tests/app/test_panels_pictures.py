"""The window for screenshots, and how far a large one has come."""

from __future__ import annotations

import pytest

from app.state.panel_state import Dialogs
from app.state.requests import CancelPicture, Screenshot

from .panel_rig import Rig, panel_state, rig

__all__ = ["rig"]


@pytest.mark.parametrize("typed", ["/", "//", ".", "..", "~", "/tmp/"])
def test_a_folder_typed_as_the_name_of_a_picture_is_said_to_be_one(rig: Rig, typed: str) -> None:
    ui = panel_state(dialogs=Dialogs(screenshot=True))
    rig.settle(ui)
    rig.click(ui, "##name")
    rig.type(ui, typed)
    asked = rig.click(ui, "Take picture")
    assert not any(isinstance(request, Screenshot) for request in asked)
    rig.type(ui, "/no-such-folder/picture")


def test_a_large_picture_shows_how_far_it_is_and_a_way_out(rig: Rig) -> None:
    rig.frame(panel_state(picture=0.1))
    assert "Cancel" not in rig.rects
    asked = rig.settle(panel_state(picture=0.4), 40)
    assert "Cancel" in rig.rects
    asked += rig.click(panel_state(picture=0.5), "Cancel")
    assert CancelPicture() in asked
    rig.settle(panel_state(picture=1.0))
    assert "Cancel" not in rig.rects
    rig.settle(panel_state())
