"""Where the step card stands in windows of several sizes, and the sizes of its type."""

from __future__ import annotations

from imgui_bundle import imgui
from msgspec.structs import replace

from app.stages import step_text
from app.words.digits import plain
from core.query.query import Phase

from .panel_rig import Rig
from .test_step_card import at, first_of, rig, stepping

__all__ = ["rig"]


def test_title_number_sentence_and_aside_differ_in_size(rig: Rig) -> None:
    rig.watch("text_unformatted", "text_disabled")
    ui = stepping()
    for phase, number in ((Phase.SAT, f"overlap {plain(0.687157)}"), (Phase.GJK, "≤ distance ≤")):
        shown = at(ui, first_of(ui, phase))
        rig.settle(shown, 3)
        text = step_text(ui.query, shown.moment)
        heights = {
            name: next(rects[0][3] - rects[0][1] for said, rects in rig.rects.items() if name in said)
            for name in (text.title, number, "This step", "So far")
        }
        sentence = imgui.get_style().font_size_base
        assert heights["So far"] == heights["This step"] < sentence < heights[number] < heights[text.title]


def test_a_sub_step_does_not_tell_the_bounds_to_come(rig: Rig) -> None:
    rig.watch("text_unformatted")
    ui = stepping()
    shown = replace(at(ui, first_of(ui, Phase.GJK) + 1), part="direction")
    rig.settle(shown, 3)
    assert not any("≤ distance ≤" in said for said in rig.rects)
