"""What stands over the viewport: the verdict, the hint, the notes."""

from __future__ import annotations

import pytest
from imgui_bundle import imgui
from msgspec.structs import replace

from app.io.presets import load_preset
from app.panels.viewport_bottom import CALM_HINTS, LOG_WINDOW, NOTES_WINDOW, PANELS_HINT, hint_for
from app.panels.viewport_top import verdict_in_short, verdict_notes
from app.state.panel_state import LogPosition, MenuEntry
from app.state.settings import Settings
from app.words.axis_words import verdict_line
from core.analysis.analysis import analyse
from core.scene import Body, Scene
from core.shapes import Sphere

from .asked import asks
from .panel_rig import PAIR, Rig, panel_state, rig

__all__ = ["rig"]

CALM = Settings(panels=False)


def test_notes_stay_away_once_dismissed_until_others_come(rig: Rig) -> None:
    ui = panel_state(settings=CALM)
    rig.settle(ui)
    assert "×" in rig.rects
    rig.click(ui, "×")
    rig.settle(ui)
    assert "×" not in rig.rects
    rig.settle(panel_state(replace(PAIR, notes="Others."), settings=CALM))
    assert "×" in rig.rects


def test_notes_that_would_cover_much_of_the_picture_come_folded(rig: Rig) -> None:
    ui = panel_state(replace(PAIR, notes="Look here. " * 190), settings=CALM)
    rig.settle(ui)
    folded = rig.covered.card[1]
    rig.click(ui, "…")
    rig.settle(ui)
    assert rig.covered.card[1] > 3.0 * folded
    assert "…" not in rig.rects
    rig.settle(panel_state(settings=CALM))
    assert "…" not in rig.rects


def test_what_the_bars_cover_is_known_and_ends_with_them(rig: Rig) -> None:
    rig.settle(panel_state(replace(PAIR, notes=""), settings=replace(CALM, hint=False)))
    assert rig.covered.top > 0.0
    assert (rig.covered.bottom, rig.covered.card) == (0.0, (0.0, 0.0))
    rig.settle(panel_state(settings=CALM))
    assert rig.covered.bottom > 0.0
    assert min(rig.covered.card) > 0.0


def test_a_cramped_viewport_keeps_the_verdict_in_short_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    for size in ((640.0, 210.0), (200.0, 600.0)):
        made = Rig(monkeypatch, *size)
        try:
            made.settle(panel_state(settings=CALM))
            assert 0.0 < made.covered.top < 90.0
            assert (made.covered.bottom, made.covered.card) == (0.0, (0.0, 0.0))
        finally:
            made.close()
    ui = panel_state()
    short = verdict_in_short(ui.analysis)
    assert short.startswith(verdict_line(ui.analysis).partition(":")[0])
    assert len(short) < 24
    touching = analyse(Scene(Body(Sphere(1.0)), Body(Sphere(1.0), (2.0, 0.0, 0.0))))
    assert verdict_in_short(touching) == "Touching"


def test_a_verdict_of_three_lines_is_told_in_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Large text in a window that is narrow, but not cramped: three lines would cover the bodies."""
    made = Rig(monkeypatch, 320.0, 600.0)
    try:
        ui = panel_state(load_preset("flat-corner-gap").scene, settings=CALM)
        made.settle(ui)
        assert made.covered.bottom > 0.0, "not cramped"
        assert 0.0 < made.covered.top < 75.0, "a line, and the name of the pane"
    finally:
        made.close()


def test_the_verdicts_tooltip_says_what_exact_means_and_names_what_is_tied() -> None:
    notes = "\n".join(verdict_notes(analyse(load_preset("coincident-centres").scene)))
    assert "Exact: From a closed formula" in notes
    assert "Tied: A.y" in notes
    assert notes.count("A.x × B.") == 2


def test_the_bar_of_a_log_covers_the_bottom_and_neither_notes_nor_bar_hide_each_other(rig: Rig) -> None:
    rig.settle(panel_state(settings=CALM))
    before = rig.covered
    for settings in (CALM, Settings(panels=True)):
        rig.settle(panel_state(settings=settings, log=LogPosition("pairs.jsonl: Pair", 0, 5)), 6)
        assert rig.covered.bar > 20.0
        assert rig.covered.bottom == pytest.approx(before.bottom + rig.covered.bar)
        notes, bar = (imgui.internal.find_window_by_name(name) for name in (NOTES_WINDOW, LOG_WINDOW))
        beside = notes.pos.x + notes.size.x <= bar.pos.x
        assert beside or notes.pos.y + notes.size.y <= bar.pos.y


def test_menus_that_have_no_room_stand_in_one_more(monkeypatch: pytest.MonkeyPatch) -> None:
    titles = ["File", "Edit", "Tools", "View", "Overlays", "Presets", "Window", "Help"]
    entries = tuple(
        MenuEntry(id=f"{t}.one", title=f"{t} entry", group=t, keys=(), tip="", enabled=True, checked=None)
        for t in titles
    )
    for width, folded in ((1280.0, False), (200.0, True)):
        made = Rig(monkeypatch, width, 400.0)
        made.watch("begin_menu")
        try:
            ui = panel_state(settings=CALM, commands=lambda: entries, menus=tuple(titles))
            made.settle(ui)
            shown = [title for title in titles if title in made.rects]
            assert ("More" in made.rects) == folded
            assert (shown == titles) == (not folded)
            right = max(made.rects[title][0][2] for title in [*shown, *(["More"] if folded else [])])
            assert right <= width
            if folded:
                assert shown == titles[: len(shown)]
                made.click(ui, "More")
                made.settle(ui)
                assert "Help" in made.rects
                made.point_at("Help")
                made.settle(ui, 60)
                assert asks.invoke("Help.one") in made.click(ui, "Help entry")
        finally:
            made.close()


def test_the_hint_speaks_of_the_panels_that_are_there() -> None:
    assert hint_for(panel_state(settings=CALM)) == CALM_HINTS[3]
    assert hint_for(panel_state()) == PANELS_HINT
