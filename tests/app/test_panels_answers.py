"""The panel of answers: the contacts with their features, each number copied with a click."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from imgui_bundle import imgui
from msgspec.structs import replace

from app.io.presets import load_preset
from app.panels.numbers import short_vector, vector17
from app.state.work import Document
from app.words.digits import column_number, full
from app.words.names import contact_features
from app.words.quantities import QUANTITIES
from core.analysis.analysis import analyse

from .asked import asks, of
from .panel_rig import Rig, panel_state


@pytest.fixture
def rig(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    made = Rig(monkeypatch, 1280.0, 2400.0)
    made.watch("text_unformatted")
    yield made
    made.close()


def shown(rig: Rig, preset: str):
    scene = load_preset(preset).scene
    ui = replace(panel_state(), document=Document.new(scene), analysis=analyse(scene))
    rig.settle(ui)
    imgui.set_window_focus("Answers")
    rig.settle(ui)
    return ui


def test_each_contact_has_its_features_its_depth_and_its_position(rig: Rig) -> None:
    ui = shown(rig, "stacked-cubes")
    found = ui.analysis.contacts.contacts
    assert len(found) == 4
    for k, contact in enumerate(found):
        name = contact_features(ui.analysis.scene, contact)
        (label,) = [text for text in rig.rects if f"  {name}  depth" in text]
        assert label.startswith(f"c{'₁₂₃₄'[k]}  ")
        (copied,) = of("copy", rig.click(ui, label, at=0.2))
        assert copied == asks.copy(full(contact.depth), f"depth of {name}")


def test_each_number_of_the_answer_has_its_row_and_is_copied_in_full(rig: Rig) -> None:
    ui = panel_state()
    rig.watch("text_disabled")
    rig.settle(ui)
    imgui.set_window_focus("Answers")
    rig.settle(ui)
    for quantity in QUANTITIES:
        name, value = quantity.label or quantity.title, quantity.value(ui.analysis)
        assert name in rig.rects
        shown, copied = (
            (column_number(value), full(value)) if isinstance(value, float) else (short_vector(value), vector17(value))
        )
        (label,) = {text for text in rig.rects if " ".join(text.split()) == shown}
        assert asks.copy(copied, name) in rig.click(ui, label, at=0.2)


@pytest.mark.parametrize(
    ("preset", "says_so"),
    [("box-on-plane-face", True), ("two-spheres", False)],
)
def test_what_counted_as_flat_is_told(rig: Rig, preset: str, says_so: bool) -> None:
    shown(rig, preset)
    assert any("at most 5° off counts as flat" in " ".join(text.split()) for text in rig.rects) is says_so


def test_contacts_of_an_earlier_moment_are_told_as_such(rig: Rig) -> None:
    scene = load_preset("stacked-cubes").scene
    earlier = replace(analyse(scene), earlier=analyse(scene).contacts)
    rig.settle(replace(panel_state(), document=Document.new(scene), analysis=earlier))
    told = [text for text in rig.rects if text.startswith("Contacts of an earlier moment")]
    assert told == ["Contacts of an earlier moment: they follow when you let go."]
