"""Where the step card stands in windows of several sizes, and the sizes of its type."""

from __future__ import annotations

import pytest
from imgui_bundle import imgui
from msgspec.structs import replace

from app.stages import step_text
from app.words.axis_words import plain
from core.query.query import Phase

from .panel_rig import Rig
from .test_step_card import at, first_of, is_shown, rig, stepping

__all__ = ["rig"]


def test_in_a_window_with_room_it_stands_below_the_pictures_and_table_and_bodies_stay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rig = Rig(monkeypatch, 1280.0, 800.0)
    try:
        rig.watch("text_disabled", "text_unformatted")
        ui = stepping(panels=True)
        for place in (first_of(ui, Phase.GJK) + 2, first_of(ui, Phase.EPA) + 1):
            rig.settle(at(ui, place))
            assert is_shown("Step")
            assert is_shown("Axes")
            assert is_shown("Bodies")
            step, axes = (imgui.internal.find_window_by_name(title) for title in ("Step", "Axes"))
            assert step.pos.x + step.size.x <= axes.pos.x
            assert axes.size.x <= rig.size[0] / 3.0
            # The chart is whole: nothing of it must be scrolled for.
            chart = next(w for w in imgui.get_current_context().windows if "##chart" in w.name)
            assert chart.was_active
            assert chart.scroll_max.y == 0.0
            assert chart.pos.y + chart.size.y <= rig.size[1]
    finally:
        rig.close()


def test_without_room_it_is_a_tab_beside_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    rig = Rig(monkeypatch, 700.0, 500.0)
    try:
        rig.settle(stepping(panels=True))
        assert is_shown("Step")
        assert not is_shown("Axes")
    finally:
        rig.close()


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
        assert heights["So far"] == heights["This step"] < sentence < heights[text.title] < heights[number]


def test_a_sub_step_does_not_tell_the_bounds_to_come(rig: Rig) -> None:
    rig.watch("text_unformatted")
    ui = stepping()
    shown = replace(at(ui, first_of(ui, Phase.GJK) + 1), part="direction")
    rig.settle(shown, 3)
    assert not any("≤ distance ≤" in said for said in rig.rects)
