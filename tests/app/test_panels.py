from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from imgui_bundle import imgui
from msgspec.structs import replace

from app.bindings import mouse_help
from app.commands.command_list import command_table
from app.draw_list import Subject
from app.files.article_cases import article_cases
from app.files.engine_pair import ROTATIONS, Conventions
from app.files.presets import load_preset, presets, reported_cases
from app.panel_state import Area, Choice, Dialogs, LogPosition, MenuEntry, Notice, Pending, PresetCard
from app.panels import apply_style
from app.panels.axis_rows import Scale, count_words, row_order
from app.panels.axis_table import focus_of
from app.panels.hint_line import PANELS_HINT, hint_for
from app.panels.menu_bar import grouped, shortened
from app.panels.numbers import decimals_for, fitted, short_vector, signed, vector17
from app.panels.palette import fuzzy_score, matches
from app.panels.preset_gallery import Shelf, first_sentence
from app.requests import (
    Answer,
    Configure,
    Copy,
    Dismiss,
    Invoke,
    Load,
    Look,
    Point,
    Request,
    Screenshot,
    Step,
)
from app.settings import Settings
from app.theme import theme_named
from app.view import AxisView, Panes, View
from app.words.axis_words import full
from core.scene import Body, Scene
from core.shapes import Box, HalfSpace, Hull, Sphere
from core.worlds import analyse
from tests.app.panel_rig import COMMANDS, PAIR, Rig, panel_state

APART = Scene(Body(Box((1.0, 1.0, 1.0))), Body(Box((1.0, 1.0, 1.0)), (2.0, 0.0, 0.0)))
SPHERES = Scene(Body(Sphere(1.0)), Body(Sphere(0.5), (1.2, 0.0, 0.0)))


@pytest.fixture
def rig(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    monkeypatch.setattr("app.panels.file_browser.native_dialogs_exist", lambda: False)
    made = Rig(monkeypatch)
    yield made
    made.close()


def of(kind: type, asked: list[Request]) -> list:
    return [request for request in asked if isinstance(request, kind)]


def test_pointing_at_a_row_points_at_its_axis_and_a_click_pins_it(rig: Rig) -> None:
    ui = panel_state()
    rig.settle(ui)
    asked = rig.click(ui, "##row", 7, at=0.1)
    assert set(of(Point, asked)) == {Point(Subject("axis", 7))}
    assert [look.view.pin for look in of(Look, asked)] == [Subject("axis", 7)]
    pinned = replace(ui, view=View(pin=Subject("axis", 7)))
    assert [look.view.pin for look in of(Look, rig.click(pinned, "##row", 7, at=0.1))] == [None]
    rig.point_away()
    rig.settle(ui)
    assert not of(Point, rig.frame(ui))


def test_a_click_on_the_number_copies_it_and_pins_nothing(rig: Rig) -> None:
    ui = panel_state()
    rig.settle(ui)
    asked = rig.click(ui, "##row", 4, at=0.8)
    assert of(Copy, asked) == [Copy(full(float(ui.analysis.sat.separations[4])), "separation on B.y")]
    assert not of(Look, asked)


def test_the_axis_in_focus_copies_its_direction_and_its_intervals(rig: Rig) -> None:
    rig.watch("text_unformatted")
    ui = panel_state(view=View(pin=Subject("axis", 4)))
    rig.settle(ui)
    table = ui.analysis.sat
    copied = {}
    for label in [text for text in rig.rects if text.startswith(("A −", "B −", "axis ("))]:
        (copy,) = of(Copy, rig.click(ui, label, at=0.1))
        copied[copy.what] = copy.text
    assert copied == {
        "A of B.y": vector17(table.interval_a[4] + table.offset[4]),
        "B of B.y": vector17(table.interval_b[4] + table.offset[4]),
        "axis of B.y": vector17(table.axes[4]),
    }


def test_pointing_at_a_number_still_points_at_its_row(rig: Rig) -> None:
    ui = panel_state()
    rig.settle(ui)
    rig.point_at("##row", 4, at=0.8)
    assert Point(Subject("axis", 4)) in rig.settle(ui)


def test_the_focus_is_hover_then_pin_then_winner() -> None:
    ui = panel_state()
    assert focus_of(ui) == ui.analysis.sat.winner
    assert focus_of(replace(ui, view=View(pin=Subject("axis", 2)))) == 2
    assert focus_of(replace(ui, view=View(pin=Subject("axis", 2), hover=Subject("axis", 5)))) == 5
    assert focus_of(replace(ui, view=View(pin=Subject("axis", 99)))) == ui.analysis.sat.winner


def test_rows_sort_by_separation_with_the_directionless_last() -> None:
    table = analyse(load_preset("stacked-cubes").scene).sat
    order = row_order(table, by_separation=True, descending=True)
    values = [float(table.separations[k]) for k in order]
    known = [v for v in values if not np.isnan(v)]
    assert known == sorted(known, reverse=True)
    assert all(np.isnan(v) for v in values[len(known) :])
    assert sorted(order) == list(range(len(values)))
    assert row_order(table, by_separation=False, descending=False) == list(range(len(values)))


def many_axes() -> Scene:
    """Two hulls with some hundreds of axes, the winner far down in the order of the families."""
    rng = np.random.default_rng(7)
    hulls = [Hull.of(row / np.sqrt((row * row).sum(axis=1))[:, None]) for row in rng.normal(size=(2, 40, 3))]
    return Scene(Body(hulls[0]), Body(hulls[1], (1.0, 0.5, 0.2)))


def test_a_long_table_opens_at_the_winner(rig: Rig) -> None:
    ui = panel_state(many_axes())
    winner = ui.analysis.sat.winner
    assert winner > 30
    rig.watch("selectable")
    rig.settle(ui)
    rig.point_at("##row", 0)
    assert Point(Subject("axis", winner)) in rig.settle(ui)
    assert len(rig.rects["##row"]) < 40 < len(ui.analysis.sat.candidates)


def test_a_short_table_keeps_the_order_of_the_families_and_shows_the_winner(rig: Rig) -> None:
    ui = panel_state()
    rig.settle(ui)
    rig.point_at("##row", 0)
    assert Point(Subject("axis", 0)) in rig.settle(ui)


def test_the_heading_says_how_many_axes_there_are() -> None:
    table = analyse(many_axes()).sat
    assert count_words(panel_state().analysis.sat) == "15 axes"
    assert count_words(table) == f"{len(table.candidates):,} axes"
    assert count_words(replace(table, candidates=table.candidates * 9)) == f"{9 * len(table.candidates):,} axes"
    assert count_words(replace(table, candidates=table.candidates[:1])) == "axis"


def test_of_equal_separations_the_winner_comes_first() -> None:
    table = analyse(load_preset("stacked-cubes").scene).sat
    equal = replace(table, separations=np.where(np.isnan(table.separations), np.nan, -1.0), winner=3)
    assert row_order(equal, by_separation=True, descending=True)[0] == 3


def test_every_interval_fits_the_common_scale() -> None:
    table = analyse(load_preset("stacked-cubes").scene).sat
    scale = Scale.of(table)
    ends = [scale.at(float(v), 100.0, 50.0) for v in np.concatenate([table.interval_a, table.interval_b]).ravel()]
    finite = [x for x in ends if not np.isnan(x)]
    assert min(finite) == pytest.approx(100.0)
    assert max(finite) == pytest.approx(150.0)


def test_an_interval_without_end_goes_to_the_columns_edge() -> None:
    scene = replace(PAIR, b=Body(HalfSpace((0.0, 1.0, 0.0), 0.0)))
    table = analyse(scene).sat
    scale = Scale.of(table)
    ends = [scale.at(float(v), 100.0, 50.0) for v in np.concatenate([table.interval_a, table.interval_b])[:, 0]]
    assert 100.0 in ends
    assert sum(x > 105.0 for x in [scale.at(float(v), 100.0, 50.0) for v in table.interval_a[0]]) == 2


def test_only_the_bars_show_while_the_panels_are_hidden(rig: Rig) -> None:
    rig.settle(panel_state(settings=Settings(panels=False)))
    assert "##row" not in rig.rects
    assert "##position0" not in rig.rects


def test_the_menu_invokes_and_greys_out(rig: Rig) -> None:
    ui = panel_state(recent=(Path("one.json"), Path("two.json")))
    rig.settle(ui)
    imgui.get_io().add_mouse_pos_event(20.0, 8.0)
    rig.settle(ui, 2)
    imgui.get_io().add_mouse_button_event(0, True)
    rig.frame(ui)
    imgui.get_io().add_mouse_button_event(0, False)
    rig.settle(ui, 2)
    assert of(Invoke, rig.click(ui, "Open…")) == [Invoke("file.open")]
    assert list(grouped(COMMANDS)) == ["File", "Edit", "View"]


def test_a_question_answers_to_its_buttons_enter_and_escape(rig: Rig) -> None:
    pending = Pending(
        "Unsaved work",
        "Save it?",
        (Choice("save", "Save"), Choice("discard", "Discard"), Choice("cancel", "Cancel")),
    )
    ui = panel_state(pending=pending)
    rig.settle(ui)
    assert of(Answer, rig.press(ui, imgui.Key.enter)) == [Answer("save")]
    assert of(Answer, rig.press(ui, imgui.Key.escape)) == [Answer("cancel")]
    assert of(Answer, rig.click(ui, "Discard##discard")) == [Answer("discard")]
    calm = panel_state()
    rig.settle(calm)
    assert not imgui.is_popup_open("", imgui.PopupFlags_.any_popup)


def test_the_enter_that_raised_a_question_does_not_answer_it(rig: Rig) -> None:
    rig.settle(panel_state())
    imgui.get_io().add_key_event(imgui.Key.enter, True)
    ui = panel_state(pending=Pending("Q", "Really?", (Choice("yes", "Yes"), Choice("no", "No"))))
    assert not of(Answer, rig.settle(ui, 3))


def test_the_palette_finds_runs_and_closes(rig: Rig) -> None:
    ui = panel_state(dialogs=Dialogs(palette=True))
    rig.settle(ui)
    rig.type(ui, "sav")
    assert of(Invoke, rig.press(ui, imgui.Key.enter)) == [Invoke("file.save")]
    assert not ui.dialogs.palette
    ui.dialogs.palette = True
    rig.settle(ui)
    rig.press(ui, imgui.Key.down_arrow)
    assert of(Invoke, rig.press(ui, imgui.Key.enter)) == [Invoke("file.save")]
    ui.dialogs.palette = True
    rig.settle(ui)
    rig.press(ui, imgui.Key.escape)
    assert not ui.dialogs.palette


def test_the_palette_matches_in_order_and_prefers_starts_of_words() -> None:
    assert fuzzy_score("xyz", "Save") is None
    assert fuzzy_score("sa", "Save as") is not None
    better, worse = fuzzy_score("sa", "Save as"), fuzzy_score("sa", "Reset camera")
    assert better is not None
    assert worse is not None
    assert better > worse
    assert [c.id for c in matches("", COMMANDS)] == ["file.open", "file.save", "view.panels"]


def test_the_palette_prefers_the_word_typed_to_letters_scattered_over_many() -> None:
    table = command_table((preset.id, preset.title) for preset in presets())
    entries = tuple(MenuEntry(c.id, c.title, c.group, c.keys, c.tip, True, None) for c in table.commands)
    for query, wanted in (
        ("print", "theme.print"),
        ("light", "theme.light"),
        ("grid", "overlay.grid"),
        ("undo", "edit.undo"),
        ("swap", "edit.swap"),
        ("fan", "axes.fan"),
        ("save as", "file.save_as"),
        ("full", "window.full_screen"),
    ):
        assert matches(query, entries)[0].id == wanted


def test_a_row_pointed_at_in_the_viewport_comes_into_sight(monkeypatch: pytest.MonkeyPatch) -> None:
    low = Rig(monkeypatch, 900.0, 400.0)
    try:
        ui = panel_state()
        low.settle(ui)
        assert len(low.rects["##row"]) < 15, "rows out of sight are not drawn"
        low.settle(replace(ui, view=View(hover=Subject("axis", 14))))
        low.settle(ui)
        (pinned,) = of(Look, low.click(ui, "##row", len(low.rects["##row"]) - 1, at=0.1))
        assert pinned.view.pin == Subject("axis", 14)
    finally:
        low.close()


def test_the_gallery_invokes_presets_and_loads_reported_cases(rig: Rig) -> None:
    cards = tuple(PresetCard(p.id, p.title, p.group, p.text) for p in presets())
    ui = panel_state(presets=cards, dialogs=Dialogs(presets=True))
    rig.settle(ui)
    assert of(Invoke, rig.click(ui, "##card", 1)) == [Invoke(f"preset.{cards[1].id}")]
    gallery = rig.panels_named("PresetGallery")
    gallery.shelf = Shelf.REPORTED
    rig.settle(ui)
    case = reported_cases()[0]
    assert of(Load, rig.click(ui, "##card", 0)) == [Load(case.scene, None, case.title)]
    rig.settle(panel_state(case.scene, presets=cards, dialogs=ui.dialogs))


def test_the_gallery_shows_every_mistake_beside_what_is_right(rig: Rig) -> None:
    rig.watch("text_unformatted")
    ui = panel_state(dialogs=Dialogs(presets=True))
    rig.settle(ui)
    gallery = rig.panels_named("PresetGallery")
    gallery.shelf = Shelf.ARTICLES
    rig.settle(ui)
    cases = article_cases()
    first = cases[0]
    assert of(Load, rig.click(ui, "##card", 0)) == [Load(first.scene, first.view, first.heading)]
    rig.settle(panel_state(first.scene, dialogs=ui.dialogs))
    assert {f"article  {first.article}", f"right  {first.right}", first.why} <= set(rig.rects)


def test_notices_go_and_the_log_steps(rig: Rig) -> None:
    ui = panel_state(
        settings=Settings(panels=False),
        notices=(Notice(4, "Saved.", False), Notice(9, "It failed.", True)),
        log=LogPosition("pairs.jsonl: entry", 3, 9),
    )
    rig.settle(ui)
    assert of(Dismiss, rig.click(ui, "×", len(rig.rects["×"]) - 1)) == [Dismiss(9)]
    assert of(Step, rig.click(ui, "Next ›")) == [Step(4)]
    assert of(Step, rig.click(ui, "‹ Previous")) == [Step(2)]
    at_end = replace(ui, log=LogPosition("end", 8, 9))
    rig.settle(at_end)
    assert not of(Step, rig.click(at_end, "Next ›"))


def test_view_options_configure_and_look(rig: Rig) -> None:
    ui = panel_state(dialogs=Dialogs(settings=True))
    rig.settle(ui)
    assert [c.settings.theme for c in of(Configure, rig.click(ui, "Light"))] == ["light"]
    assert [c.settings.z_up for c in of(Configure, rig.click(ui, "Z points up", at=0.05))] == [True]
    assert [look.view.panes for look in of(Look, rig.click(ui, "World"))] == [Panes.WORLD]
    assert [look.view.axis_view for look in of(Look, rig.click(ui, "Fan"))] == [AxisView.FAN]
    looks = of(Look, rig.click(ui, "Ground grid", at=0.05))
    assert looks[0].view.shown == View().shown ^ {"grid"}


def test_a_screenshot_is_asked_for_with_its_size(rig: Rig) -> None:
    ui = panel_state(dialogs=Dialogs(screenshot=True))
    rig.settle(ui)
    rig.click(ui, "Slide 16:9")
    rig.click(ui, "3×")
    rig.click(ui, "Transparent background", at=0.05)
    assert of(Screenshot, rig.click(ui, "Take picture")) == [Screenshot(1280, 720, True, None, 3.0, None)]
    assert not ui.dialogs.screenshot


def test_the_hint_says_what_can_be_done() -> None:
    ui = panel_state()
    assert hint_for(ui) == PANELS_HINT
    assert "Ctrl snaps" in hint_for(replace(ui, drag_readout="moved 1"))
    assert "B.x" in hint_for(replace(ui, view=View(hover=Subject("axis", 3))))
    assert "turns it" in hint_for(replace(ui, view=View(hover=Subject("body", 1))))


def test_numbers_for_reading() -> None:
    assert signed(-0.5, 4) == "−0.5000"
    assert signed(0.25, 2) == "+0.25"
    assert signed(0.0, 2) == "0.00"
    assert signed(1.4655e-3, 2) == "+1.5e−3"
    assert signed(float("nan"), 3) == "–"
    assert decimals_for([0.5, -123.0]) == 2
    assert decimals_for([float("nan")]) == 4
    assert short_vector([1.0, 1e-17, -0.5]) == "(1, 0, −0.5)"
    assert short_vector([1000001.25, 0.0, 0.0]) == "(1000001.25, 0, 0)"
    assert vector17([0.1, -1.0]) == "[0.10000000000000001, -1]"
    assert fitted(-1.0 / 3.0, lambda s: len(s) <= 9) == "−0.333333"
    assert first_sentence("One two. Three.") == "One two."


def test_help_names_every_key_and_the_mouse(rig: Rig) -> None:
    rig.watch("text_wrapped")
    ui = panel_state(dialogs=Dialogs(help=True))
    assert not rig.settle(ui)
    assert ui.dialogs.help
    assert {words for row in mouse_help() for words in row} <= rig.rects.keys()
    assert {command.title for command in COMMANDS if command.keys} <= rig.rects.keys()


ALL_OPEN = ("help", "palette", "open", "paste", "presets", "screenshot", "settings", "about")


@pytest.mark.parametrize("size", [(1280.0, 800.0), (900.0, 600.0), (200.0, 120.0), (40.0, 30.0)])
@pytest.mark.parametrize("theme", ["dark", "print"])
def test_no_panel_raises_in_any_window(monkeypatch: pytest.MonkeyPatch, size: tuple[float, float], theme: str) -> None:
    monkeypatch.setattr("app.panels.file_browser.native_dialogs_exist", lambda: False)
    rig = Rig(monkeypatch, *size)
    try:
        for scene in (PAIR, APART, SPHERES, *(load_preset(p.id).scene for p in presets())):
            ui = panel_state(scene, settings=Settings(panels=True, theme=theme))
            assert not rig.settle(ui, 1)
        everything = panel_state(
            settings=Settings(panels=True, theme=theme),
            dialogs=Dialogs(**dict.fromkeys(ALL_OPEN, True)),
            notices=(Notice(1, "A long sentence that has to wrap somewhere. " * 5, True),),
            log=LogPosition("log", 0, 1),
            drag_readout="moved 0.5 along x",
            pointer=(1e4, 1e4),
            viewport=Area(0.0, 0.0, 1.0, 1.0),
            pending=Pending("Q", "Question?", (Choice("a", "A"),)),
        )
        assert not rig.settle(everything)
    finally:
        rig.close()


def test_disagreements_are_said_and_do_not_break_the_bar(rig: Rig) -> None:
    analysis = analyse(PAIR)
    ui = panel_state(analysis=replace(analysis, disagreements=("SAT says 1, the difference says 2.",)))
    assert not rig.settle(ui)


@pytest.mark.parametrize(("room", "shown"), [(40, "pairs-of-the-night-17.json"), (16, "pairs-of…17.json"), (6, "")])
def test_a_long_name_keeps_its_start_and_its_end(room: int, shown: str) -> None:
    assert shortened("pairs-of-the-night-17.json", lambda text: len(text) <= room) == shown


def test_a_style_that_was_scaled_starts_from_the_same_sizes_again(rig: Rig) -> None:
    def sizes() -> dict[str, object]:
        style = imgui.get_style()
        found = {name: getattr(style, name) for name in dir(style)}
        pairs = {name: (value.x, value.y) for name, value in found.items() if isinstance(value, imgui.ImVec2)}
        return pairs | {name: value for name, value in found.items() if isinstance(value, float)}

    apply_style(theme_named("dark"))
    before = sizes()
    assert "window_min_size" in before
    imgui.get_style().scale_all_sizes(2.0)
    assert sizes() != before
    apply_style(theme_named("light"))
    assert sizes() == before


def test_a_pasted_pair_is_shown_before_it_is_taken(rig: Rig) -> None:
    ui = panel_state(dialogs=Dialogs(paste=True))
    rig.settle(ui)
    rig.type(ui, "A (1 1 1) (0 0 0) (1 0 0 0)\nB (2 2 2) (1.25 0 0) (1 0 0 0)")
    rig.settle(ui)
    rig.click(ui, "half##Box sizes")
    asked = rig.click(ui, "Use this pair")
    assert len(of(Load, asked)) == 1
    scene = of(Load, asked)[0].scene
    assert scene.a == Body(Box((2.0, 2.0, 2.0)))
    assert scene.b == Body(Box((4.0, 4.0, 4.0)), (1.25, 0.0, 0.0))
    assert not ui.dialogs.paste


@pytest.mark.parametrize(
    "text",
    [
        "1 1 1 0 0 0 1 0 0 0   1 1 1 0 0 0 1 0 0 0",
        "1e30 1e-30 1 0 0 0 1 0 0 0   1e-30 1e-30 1e-30 1e30 -1e30 0 0.6 0.8 0 0",
    ],
)
@pytest.mark.parametrize("shape", ["box", "sphere"])
def test_a_pair_that_is_looked_at_before_it_is_taken_may_be_of_any_size(rig: Rig, text: str, shape: str) -> None:
    if shape == "sphere":
        text = text.replace("1 1 1", "1").replace("1e30 1e-30 1 ", "1e30 ").replace("1e-30 1e-30 1e-30", "1e-30")
    rig.panels_named("PastePair")._conventions = Conventions(shape_a=shape, shape_b=shape)
    ui = panel_state(dialogs=Dialogs(paste=True, pasted=text))
    assert not rig.settle(ui)
    assert rig.panels_named("PastePair")._pair is not None
    corners = [vertex.pos for part in imgui.get_draw_data().cmd_lists for vertex in part.vtx_buffer]
    assert np.isfinite([(corner.x, corner.y) for corner in corners]).all()


@pytest.mark.parametrize("rotation", ROTATIONS)
def test_only_the_conventions_that_apply_are_asked_for(rig: Rig, rotation: str) -> None:
    ui = panel_state(dialogs=Dialogs(paste=True))
    rig.settle(ui)
    panel = rig.panels_named("PastePair")
    panel._conventions = Conventions(rotation=rotation)
    rig.settle(ui)
    asked = {
        "w x y z##Quaternion": rotation == "quaternion",
        "columns##Matrix by": rotation.startswith("matrix"),
        "radians##Angles in": rotation == "Euler angles",
        "##about x, y, z in the order": rotation == "Euler angles",
        "half##Box sizes": True,
    }
    assert {label: label in rig.rects for label in asked} == asked
    if rotation == "Euler angles":
        rig.click(ui, "radians##Angles in")
        assert not panel._conventions.degrees


def test_a_pasted_text_that_is_no_pair_cannot_be_taken(rig: Rig) -> None:
    ui = panel_state(dialogs=Dialogs(paste=True))
    rig.settle(ui)
    rig.type(ui, "1 2 3")
    rig.settle(ui)
    assert not of(Load, rig.click(ui, "Use this pair"))
    assert "Found 3 numbers" in rig.panels_named("PastePair")._fault
    assert ui.dialogs.paste


def test_frame_times_are_shown_on_request(rig: Rig) -> None:
    ui = panel_state(settings=Settings(show_frame_times=True), frame_times={"analysis": 1.0}, labels_dropped=2)
    assert not rig.settle(ui)
