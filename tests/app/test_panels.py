from __future__ import annotations

from pathlib import Path

import pytest
from imgui_bundle import imgui
from msgspec.structs import replace

from app.commands.command_list import command_table
from app.draw.draw_list import Subject
from app.draw.placed import Rect
from app.draw.theme import theme_named
from app.input.bindings import mouse_help
from app.io.presets import load_preset, presets
from app.panels import apply_style
from app.panels.dialogs import fuzzy_score, matches
from app.panels.menu_bar import grouped, shortened
from app.panels.numbers import decimals_for, most_digits, short_vector, signed, vector17
from app.panels.registry import SIDE_EMS
from app.panels.viewport_bottom import PANELS_HINT, hint_for
from app.state.export_options import ExportOptions
from app.state.panel_state import DialogChoice, Dialogs, LogPosition, MenuEntry, Notice, Pending
from app.state.settings import Settings
from app.state.view import AxisView, Panes, View
from core.analysis.analysis import analyse
from core.scene import Body, Scene
from core.shapes import Box, Sphere
from core.verdict import Sentence

from .asked import asks, of
from .panel_rig import COMMANDS, PAIR, Rig, drawn_place, drawn_size, panel_state, rig

__all__ = ["rig"]

APART = Scene(Body(Box((1.0, 1.0, 1.0))), Body(Box((1.0, 1.0, 1.0)), (2.0, 0.0, 0.0)))
SPHERES = Scene(Body(Sphere(1.0)), Body(Sphere(0.5), (1.2, 0.0, 0.0)))


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
    assert of("invoke", rig.click(ui, "Open…")) == [asks.invoke("file.open")]
    assert list(grouped(COMMANDS)) == ["File", "Edit", "View"]


def test_a_question_answers_to_its_buttons_enter_and_escape(rig: Rig) -> None:
    pending = Pending(
        "Unsaved work",
        "Save it?",
        (DialogChoice("save", "Save"), DialogChoice("discard", "Discard"), DialogChoice("cancel", "Cancel")),
    )
    ui = panel_state(pending=pending)
    rig.settle(ui)
    assert of("answer", rig.press(ui, imgui.Key.enter)) == [asks.answer("save")]
    assert of("answer", rig.press(ui, imgui.Key.escape)) == [asks.answer("cancel")]
    assert of("answer", rig.click(ui, "Discard##discard")) == [asks.answer("discard")]
    calm = panel_state()
    rig.settle(calm)
    assert not imgui.is_popup_open("", imgui.PopupFlags_.any_popup)


def test_the_enter_that_raised_a_question_does_not_answer_it(rig: Rig) -> None:
    rig.settle(panel_state())
    imgui.get_io().add_key_event(imgui.Key.enter, True)
    ui = panel_state(pending=Pending("Q", "Really?", (DialogChoice("yes", "Yes"), DialogChoice("no", "No"))))
    assert not of("answer", rig.settle(ui, 3))


def test_the_palette_finds_runs_and_closes(rig: Rig) -> None:
    ui = panel_state(dialogs=Dialogs(palette=True))
    rig.settle(ui)
    rig.type(ui, "sav")
    assert of("invoke", rig.press(ui, imgui.Key.enter)) == [asks.invoke("file.save")]
    assert not ui.dialogs.palette
    ui.dialogs.palette = True
    rig.settle(ui)
    rig.press(ui, imgui.Key.down_arrow)
    assert of("invoke", rig.press(ui, imgui.Key.enter)) == [asks.invoke("file.save")]
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
    entries = tuple(
        MenuEntry(id=c.id, title=c.title, group=c.group, keys=c.keys, tip=c.tip, enabled=True, checked=None)
        for c in table.commands
    )
    for query, wanted in (
        ("print", "theme.print"),
        ("light", "theme.light"),
        ("grid", "overlay.grid"),
        ("undo", "edit.undo"),
        ("swap", "edit.swap"),
        ("fan", "axes.fan"),
        ("save as", "file.save_as"),
        ("light theme", "theme.light"),
        ("text larger", "scale.largest_radius"),
        ("normal size", "scale.normal"),
        ("full", "window.full_screen"),
    ):
        assert matches(query, entries)[0].id == wanted


def test_notices_go_and_the_log_steps(rig: Rig) -> None:
    ui = panel_state(
        settings=Settings(panels=False),
        notices=(Notice(4, "Saved.", False), Notice(9, "It failed.", True)),
        log=LogPosition("pairs.jsonl: entry", 3, 9),
    )
    rig.settle(ui)
    assert of("dismiss", rig.click(ui, "×##9")) == [asks.dismiss(9)]
    assert of("show_entry", rig.click(ui, "Next ›")) == [asks.show_entry(4)]
    assert of("show_entry", rig.click(ui, "‹ Previous")) == [asks.show_entry(2)]
    at_end = replace(ui, log=LogPosition("end", 8, 9))
    rig.settle(at_end)
    assert not of("show_entry", rig.click(at_end, "Next ›"))


def test_view_options_configure_and_look(rig: Rig) -> None:
    ui = panel_state(dialogs=Dialogs(settings=True))
    rig.settle(ui)
    assert [c.settings.theme for c in of("configure", rig.click(ui, "Light"))] == ["light"]
    assert [c.settings.z_up for c in of("configure", rig.click(ui, "Z points up", at=0.05))] == [True]
    assert [look.view.panes for look in of("look", rig.click(ui, "World"))] == [Panes.WORLD]
    assert [look.view.axis_view for look in of("look", rig.click(ui, "Fan"))] == [AxisView.FAN]
    looks = of("look", rig.click(ui, "Ground grid", at=0.05))
    assert looks[0].view.shown == View().shown ^ {"grid"}


def test_a_screenshot_is_asked_for_with_its_size(rig: Rig) -> None:
    ui = panel_state(dialogs=Dialogs(screenshot=True))
    rig.settle(ui)
    rig.click(ui, "Slide 16:9")
    rig.click(ui, "3×")
    rig.click(ui, "Transparent background", at=0.05)
    assert of("take_picture", rig.click(ui, "Take picture")) == [
        asks.take_picture(ExportOptions(size=(1280, 720), scale=3.0, transparent=True))
    ]
    assert not ui.dialogs.screenshot


def test_the_hint_says_what_can_be_done() -> None:
    ui = panel_state()
    assert hint_for(ui) == PANELS_HINT
    assert "Ctrl snaps" in hint_for(replace(ui, drag_readout="moved 1"))
    assert "B.x" in hint_for(replace(ui, view=View(hover=Subject("axis", 3))))
    assert "to turn it" in hint_for(replace(ui, over=Subject("body", 1), view=View(hover=Subject("axis", 3))))


def test_numbers_for_reading() -> None:
    assert signed(-0.5, 4) == "−0.5000"
    assert signed(0.25, 2) == "+0.25"
    assert signed(0.0, 2) == "0.00"
    assert signed(1.4655e-3, 2) == "+1.5e−3"
    assert signed(float("nan"), 3) == "–"
    assert decimals_for([0.5, -123.0]) == 3
    assert decimals_for([float("nan")]) == 4
    assert short_vector([1.0, 1e-17, -0.5]) == "(1, ≈0, −0.5)"
    assert short_vector([1000001.25, 0.0, 0.0]) == "(1000001.25, 0, 0)"
    assert vector17([0.1, -1.0]) == "[0.10000000000000001, -1]"
    assert most_digits(-1.0 / 3.0, lambda s: len(s) <= 9) == "−0.333333"


def test_help_names_every_key_and_the_mouse(rig: Rig) -> None:
    rig.watch("text_wrapped")
    ui = panel_state(dialogs=Dialogs(help=True))
    assert not rig.settle(ui)
    assert ui.dialogs.help
    assert {words for row in mouse_help() for words in row} <= rig.rects.keys()
    assert {command.title for command in COMMANDS if command.keys} <= rig.rects.keys()


ALL_OPEN = ("help", "palette", "open", "paste", "presets", "screenshot", "film", "settings", "about")


@pytest.mark.parametrize("size", [(1280.0, 800.0), (900.0, 600.0), (200.0, 120.0), (40.0, 30.0)])
@pytest.mark.parametrize("theme", ["dark", "print"])
@pytest.mark.sampled(3, "windows")
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
            viewport=Rect(0, 0, 1, 1),
            pending=Pending("Q", "Question?", (DialogChoice("a", "A"),)),
        )
        assert not [request for request in rig.settle(everything) if request.kind != "preview_picture"]
    finally:
        rig.close()


def test_disagreements_are_said_and_do_not_break_the_bar(rig: Rig) -> None:
    said = Sentence("SAT says {:.17g}, the difference says {:.17g}.", (1.0, 2.0))
    found = analyse(PAIR)
    vars(found)["disagreements"] = (said,)
    ui = panel_state(analysis=found)
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


def test_frame_times_are_shown_on_request(rig: Rig) -> None:
    ui = panel_state(settings=Settings(show_frame_times=True), frame_times={"analysis": 1.0}, labels_dropped=2)
    assert not rig.settle(ui)


def test_frame_times_stand_below_the_card_of_the_free_axis(rig: Rig) -> None:
    ui = panel_state(settings=Settings(show_frame_times=True), frame_times={"analysis": 1.0})
    rig.settle(replace(ui, view=replace(ui.view, free=(0.0, 1.0, 0.0)), panes=(("difference", Rect(0, 0, 300, 300)),)))
    times, card = drawn_place("##frame times"), drawn_place("##free axis")
    assert times is not None
    assert card is not None
    assert times[1] >= card[1] + drawn_size("##free axis")[1]


def test_every_tab_of_the_side_is_in_sight(rig: Rig) -> None:
    """With six panels beside one another the one in front stood behind the arrows of the tab bar, without its name."""
    rig.settle(panel_state())
    style = imgui.get_style()
    above = ("Side by side", "Through zero", "Motion", "Pairs", "Axes", "Step")
    least = len(above) * (style.tab_min_width_shrink + style.item_inner_spacing.x)
    close_button = imgui.get_font_size() + 2.0 * style.frame_padding.x
    assert least + close_button + 2.0 * style.window_padding.x <= SIDE_EMS * imgui.get_font_size()
