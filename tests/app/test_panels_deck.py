"""The panel of the deck: its list, its buttons and its fields, by mouse and keyboard."""

from __future__ import annotations

from pathlib import Path

from imgui_bundle import imgui
from msgspec.structs import replace

from app.io.deck_file import NEW_DECK, Slide, slide_line_of
from app.panels.deck import BUTTONS
from app.state.deck import Deck, OpenDeck
from app.state.panel_state import Dialogs, MenuEntry

from .asked import asks, of
from .deck_samples import deck
from .panel_rig import COMMANDS, PAIR, Rig, panel_state
from .test_deck_making import opened
from .test_panels import rig
from .test_window_deck import drawn_texts
from .window_rig import Driver, driver

__all__ = ["driver", "rig"]


def test_the_panel_turns_writes_and_comes_by_keyboard(driver: Driver, tmp_path: Path) -> None:
    app = driver.app
    app.ask.open(deck(tmp_path / "d.jsonl"))
    app.invoke("panel.deck")
    driver.frame(6)
    assert {"Words to show", "Notes to print", "Add this view", "1  Apart"} <= drawn_texts(driver)
    app.ask.invoke("deck.write")
    driver.frame(4)
    assert app.host.typing, "the field of the words has the focus"
    driver.key("End")
    driver.type(" Wide.")
    assert "Wide." in opened(driver).line.words
    driver.key("Escape")
    assert not app.host.typing
    assert "Wide." in opened(driver).line.words, "Escape leaves the field and takes nothing back"
    driver.key("PageDown")
    assert opened(driver).index == 1
    app.invoke("deck.close")
    app.ask.answer("discard")
    driver.frame(2)
    assert "No deck is open. Add this view begins one." in drawn_texts(driver)


def test_the_list_marks_the_present_slide_and_a_click_turns(rig: Rig) -> None:
    lines = tuple(
        slide_line_of(Slide(replace(PAIR, name=name), None)) for name in ("One", "", "A name that wraps " * 9)
    )
    shown = OpenDeck.of(Deck(NEW_DECK.head, "Mine", slides=lines))
    commands = tuple(
        MenuEntry(id=command, title=command, group="File", keys=(), tip="", enabled=True, checked=None)
        for row in BUTTONS
        for command in row
    )
    ui = panel_state(deck=shown, dialogs=Dialogs(docked=("deck",)), commands=lambda: (*COMMANDS, *commands))
    rig.settle(ui, 4)
    assert of("show_entry", rig.click(ui, "##slide1")) == [asks.show_entry(1)]
    assert of("invoke", rig.click(ui, "Remove##deck.remove")) == [asks.invoke("deck.remove")]
    rig.click(ui, "##words0")
    assert of("write_slide", rig.type(ui, "Hi"))[-1] == asks.write_slide("One", "First. Second.Hi", "")
    rig.press(ui, imgui.Key.escape)
