"""No text names a chord or a drag that a common system takes, and each key that a lesson names is a command's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.commands.command_list import command_table
from app.input.bindings import mouse_help
from app.lessons.markup import SpanKind, spans
from app.lessons.shelf import shelf
from app.panels.viewport_bottom import CALM_HINTS
from app.words.key_names import MODIFIERS, chord_named, keys_in

from .taken_chords import ARROWS, taken_in

ROOT = Path(__file__).parents[2]
TEXTS = [ROOT / "README.md", *sorted((ROOT / "assets" / "lessons").glob("*.md"))]
TEXTS += sorted((ROOT / "assets" / "guide").glob("*.md"))
COMMANDS = command_table(())


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_no_page_or_lesson_names_a_chord_that_is_taken(path: Path) -> None:
    assert taken_in(path.read_text(encoding="utf-8")) == []


def test_neither_does_the_help_nor_a_note_nor_a_term() -> None:
    told = [words for row in mouse_help() for words in row] + list(CALM_HINTS.values())
    told += [text for command in COMMANDS.commands for text in (*command.keys, command.title, command.tip)]
    told += [json.loads(path.read_text()).get("notes", "") for path in (ROOT / "assets" / "scenes").glob("*-*.json")]
    told.append((ROOT / "assets" / "glossary.json").read_text(encoding="utf-8"))
    assert [taken for text in told for taken in taken_in(text)] == []


@pytest.mark.parametrize("text", ["`Alt+Shift+arrows`", "Alt + left drag", "Alt-drag", "`Ctrl+Alt+Left`", "Ctrl+F5"])
def test_the_table_knows_what_is_taken(text: str) -> None:
    assert taken_in(text)
    assert not taken_in("`Ctrl+Shift+arrows`, `Alt+arrows`, `Alt` while you drag, `Ctrl+K`")


def test_old_keys_for_turning_still_work_and_new_ones_are_named() -> None:
    for side in ARROWS:
        turn = COMMANDS.named(f"turn.{side.lower()}")
        assert turn.keys == (f"Ctrl+Shift+{side}",)
        assert COMMANDS.on_key(f"Ctrl+Shift+{side}") is COMMANDS.on_key(f"Alt+Shift+{side}") is turn


def test_every_key_that_a_lesson_names_is_a_command_or_a_modifier() -> None:
    for lesson in shelf():
        texts = [text for step in lesson.steps for text in (step.text, *step.hints, step.almost, step.then)]
        for span in (span for text in texts for span in spans(text) if span.kind is SpanKind.CODE):
            chord = chord_named(span.text)
            arrows = span.text.endswith("+arrows")
            assert arrows or span.text in MODIFIERS or COMMANDS.on_key(chord) is not None, (lesson.id, span.text)


def test_keys_are_found_in_running_words() -> None:
    text = "← → step, Space plays. Shift+V shows A.v3 and F1: help; Esc cancels. A tab, a space, Shift-drag, X or Y."
    assert [use.chord for use in keys_in(text)] == ["Left", "Right", "Space", "Shift+V", "F1", "Escape"]
    assert [text[use.start : use.end] for use in keys_in(text)][:3] == ["←", "→", "Space"]
