"""The table of commands: complete, without doubles, and written as the keyboard reads it."""

from __future__ import annotations

import re

import pytest
from pyglet.window import key

from app.commands.command_list import command_table
from app.commands.table import Command, CommandTable, Menu
from app.input.bindings import Held
from app.io.presets import presets
from app.overlays.registry import OVERLAYS
from app.platform.window import chord_of

TABLE = command_table((preset.id, preset.title) for preset in presets())
SIGNS = {
    "[": key.BRACKETLEFT,
    "]": key.BRACKETRIGHT,
    ",": key.COMMA,
    ".": key.PERIOD,
    "?": key.QUESTION,
    "+": key.PLUS,
    "-": key.MINUS,
    "=": key.EQUAL,
}


def symbol_of(name: str) -> int:
    if name in SIGNS:
        return SIGNS[name]
    return int(getattr(key, f"_{name}" if name.isdigit() else name.upper()))


@pytest.mark.parametrize("chord", [chord for command in TABLE.commands for chord in command.keys])
def test_every_chord_listed_can_be_typed(chord: str) -> None:
    *held, name = re.findall(r"Ctrl(?=\+)|Alt(?=\+)|Shift(?=\+)|[^+]+$|\+$", chord)
    modifiers = Held(ctrl="Ctrl" in held, shift="Shift" in held, alt="Alt" in held)
    assert chord_of(symbol_of(name), modifiers) == chord


def test_every_overlay_and_every_preset_has_its_command() -> None:
    names = {command.id for command in TABLE.commands}
    assert {f"overlay.{overlay.id}" for overlay in OVERLAYS} <= names
    assert {f"preset.{preset.id}" for preset in presets()} <= names
    for overlay in OVERLAYS:
        assert TABLE.named(f"overlay.{overlay.id}").keys == tuple(overlay.key.split())


def test_groups_stand_together() -> None:
    groups = [command.group for command in TABLE.commands]
    assert len(set(groups)) == sum(a != b for a, b in zip(["", *groups], groups, strict=False))


def test_doubles_are_refused() -> None:
    first = Command("a", "A", "Menu", ("Ctrl+A",), lambda _: None)
    with pytest.raises(ValueError, match="two commands are called a"):
        CommandTable((first, Command("a", "B", "Menu", (), lambda _: None)))
    with pytest.raises(ValueError, match=r"Ctrl\+A belongs to a and to b"):
        CommandTable((first, Command("b", "B", "Menu", ("Ctrl+A",), lambda _: None)))


def test_keys_that_every_camp_expects() -> None:
    expected = {
        "W": "tool.move",
        "E": "tool.rotate",
        "R": "tool.size",
        "Q": "tool.local",
        "F": "view.frame",
        "Home": "view.home",
        "1": "view.front",
        "Ctrl+1": "view.back",
        "3": "view.right",
        "7": "view.top",
        "5": "view.orthographic",
        "[": "presets.previous",
        "]": "presets.next",
        "Tab": "window.panels",
        "Ctrl+Q": "file.quit",
        "?": "help.keys",
        "F1": "help.keys",
        "Ctrl+Z": "edit.undo",
        "Ctrl+Shift+Z": "edit.redo",
        "Ctrl+Y": "edit.redo",
        "Ctrl+C": "edit.copy",
        "Ctrl+V": "edit.paste",
        "Ctrl+S": "file.save",
        "Ctrl+O": "file.open",
        "Ctrl+P": "file.screenshot",
        "Ctrl+K": "help.palette",
        "F11": "window.full_screen",
    }
    found = {chord: command.id for chord in expected if (command := TABLE.on_key(chord)) is not None}
    assert found == expected


def test_panels_get_the_same_entries_until_one_of_them_changes() -> None:
    class Bench:
        able, on = True, False

    app = Bench()
    table = CommandTable(
        (
            Command("one", "One", "Group", (), lambda _: None, enabled=lambda app: app.able),
            Command("two", "Two", "Group", ("T",), lambda _: None, "Tip", checked=lambda app: app.on),
        )
    )
    menu = Menu(table)
    first = menu.entries(app)
    assert [(entry.id, entry.keys, entry.tip, entry.enabled, entry.checked) for entry in first] == [
        ("one", (), "", True, None),
        ("two", ("T",), "Tip", True, False),
    ]
    assert menu.entries(app) is first
    app.on = True
    second = menu.entries(app)
    assert [entry.checked for entry in second] == [None, True]
    app.able = False
    assert [entry.enabled for entry in menu.entries(app)] == [False, True]
    assert [entry.enabled for entry in second] == [True, True]
