"""Tooltips: of rows within the screen, and never over the rows about their own; none of what was just clicked."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st
from imgui_bundle import imgui

from app.draw.placed import Rect
from app.panels.text import LEAST_TIP_EMS, TIP_EMS, place_inside, tip_place

from .panel_rig import Rig, panel_state, rig

__all__ = ["rig"]

SCREEN = Rect(0, 0, 1280, 800)
EM = 13.0


class Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float


def box(panel: Rect, row: tuple[float, float], pointer: tuple[float, float], size: tuple[float, float]) -> Box:
    place = tip_place(panel, row, SCREEN, pointer, EM)
    left, top = place.x - place.pivot[0] * size[0], place.y - place.pivot[1] * size[1]
    return Box(left, top, left + size[0], top + size[1])


def test_a_panel_at_the_right_has_it_at_its_left_and_the_other_way_round() -> None:
    row, size = (300.0, 320.0), (200.0, 120.0)
    assert box(Rect(900, 20, 380, 500), row, (1000.0, 310.0), size).right <= 900
    assert box(Rect(0, 20, 380, 500), row, (100.0, 310.0), size).left >= 380


def test_the_timeline_has_it_above_and_a_bar_at_the_top_below() -> None:
    size = (200.0, 60.0)
    for x in (1.0, 640.0, 1279.0):
        above = box(Rect(0, 730, 1280, 70), (735.0, 765.0), (x, 750.0), size)
        assert above.bottom <= 730
        assert above.left >= 0
        assert above.right <= 1280
        assert box(Rect(0, 0, 1280, 70), (5.0, 35.0), (x, 20.0), size).top >= 70
    beside_a_card = box(Rect(304, 770, 976, 30), (775.0, 795.0), (320.0, 785.0), size)
    assert beside_a_card.bottom <= 770, "the buttons at the bar's left stay free"


def test_in_a_panel_as_large_as_the_screen_the_row_and_its_neighbour_stay_free() -> None:
    panel, size = Rect(20, 20, 1240, 760), (300.0, 100.0)
    upper = box(panel, (100.0, 120.0), (640.0, 110.0), size)
    assert upper.top >= 140.0
    lower = box(panel, (700.0, 720.0), (640.0, 710.0), size)
    assert lower.bottom <= 680.0


def test_its_text_is_as_narrow_as_the_room_beside_the_panel() -> None:
    wide = tip_place(Rect(900, 20, 380, 500), (300.0, 320.0), SCREEN, (1000.0, 310.0), EM)
    narrow = tip_place(Rect(300, 20, 980, 500), (300.0, 320.0), SCREEN, (1000.0, 310.0), EM)
    assert wide.width == TIP_EMS * EM
    assert LEAST_TIP_EMS * EM <= narrow.width < 300.0


def test_inside_its_panel_it_stands_at_the_farther_end() -> None:
    panel = Rect(900, 100, 300, 500)
    upper, lower = (place_inside(panel, row, EM) for row in ((120.0, 140.0), (560.0, 580.0)))
    assert (upper.x, upper.y, upper.pivot) == (900.0, 600.0, (0.0, 1.0))
    assert (lower.x, lower.y, lower.pivot) == (900.0, 100.0, (0.0, 0.0))
    assert upper.width < panel.width


@given(
    left=st.integers(0, 1200),
    top=st.integers(0, 700),
    wide=st.integers(80, 1280),
    high=st.integers(60, 800),
    at=st.tuples(st.floats(0.0, 1.0), st.floats(0.0, 1.0)),
    tall=st.floats(20.0, 150.0),
)
def test_it_lies_within_the_screen_and_off_its_row(
    left: int, top: int, wide: int, high: int, at: tuple[float, float], tall: float
) -> None:
    panel = Rect(left, top, min(wide, 1280 - left), min(high, 800 - top))
    x, y = panel.x + at[0] * panel.width, panel.y + 10.0 + at[1] * (panel.height - 20.0)
    row = (y - 10.0, y + 10.0)
    place = tip_place(panel, row, SCREEN, (x, y), EM)
    tip = box(panel, row, (x, y), (place.width + EM, tall))
    assert tip.left >= -1e-9
    assert tip.right <= 1280.0 + 1e-9
    beside = tip.right <= panel.x or tip.left >= panel.x + panel.width
    assert beside or tip.bottom <= row[0] + 1e-9 or tip.top >= row[1] - 1e-9
    if beside:
        assert tip.top >= -1e-9
        assert tip.bottom <= 800.0 + 1e-9


def test_a_click_has_no_tooltip_after_it_until_the_pointer_moves_on(rig: Rig) -> None:
    ui = panel_state()
    rig.settle(ui)

    def shown() -> bool:
        rig.settle(ui, 60)
        return any(window.active and "Tooltip" in window.name for window in imgui.get_current_context().windows)

    rig.point_at("##learn")
    assert shown()
    rig.click(ui, "##learn")
    assert not shown()
    rig.point_at("##learn", at=0.51)
    assert not shown()
    rig.point_at("##learn", at=0.8)
    assert shown()
