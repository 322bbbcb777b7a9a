"""Texts for the user keep to plain English: no banned word, British spelling, and a word for each key."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from app.cli.streams import ERRORS

from .sources import ROOT, files, syntax, texts

BANNED = re.compile(
    r"\b(knobs?|held back|parted|parts? them|flat world|what of|sought|to rounding|band of rounding|touching band"
    r"|winner|winning|wins|precisely where|put away|neither gap nor)\b(?!\()|[a-z]!(?= |$)",
    re.IGNORECASE,
)
"""Words of ours that no reader knows, and what to write: setting, hidden until you answer, separated, separates them,
in the plane or 2D, the part of, looks for, within rounding, touching tolerance, the axis that decides, exactly when,
hide, no gap. No exclamation mark either. `winner(...)` is a goal of the lesson format."""
INVERTED = re.compile(
    r"^(Known|Shown|Drawn|Kept|Told|Asked|Lit|Farthest|Nearest|Of (?:bodies|two|shapes)) (?:\w+ )*(?:are|is|lies?)\b"
)
"""A sentence that begins with what it ends on: the subject comes first."""
AMERICAN = re.compile(r"\b(colors?|colored|centers?|centered|gray|neighbors?|behaviors?|labeled)\b", re.IGNORECASE)
CODE_LIKE = re.compile(r"[<>|]|^##|^[\w. -]+=|\b(fill|stop-color)=|\{[a-z-]+:")
"""Markup and patterns: what is drawn or parsed, not read."""


def texts_of(tree: ast.Module) -> Iterator[str]:
    """Every literal of more than one word, those inside f-strings too; docstrings left out."""
    for text in map(str.strip, texts(tree)):
        if " " in text and not CODE_LIKE.search(text):
            yield text


def strings_of(value: Any) -> Iterator[str]:
    """Every string of a JSON tree but its keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings_of(inner)


def said(top: str) -> Iterator[tuple[str, str]]:
    """Each file below `top` with each of its texts."""
    for path in files(top):
        yield from ((str(path.relative_to(ROOT)), text) for text in texts_of(syntax(path)))
    for path in sorted((ROOT / top).rglob("*.json")):
        yield from ((str(path.relative_to(ROOT)), text) for text in strings_of(json.loads(path.read_text("utf-8"))))


def test_the_patterns_find_what_they_are_for() -> None:
    tree = ast.parse(
        '"""A knob."""\nx = f"It was {held} back, a gray knob"\ny = "held.back"\nz = "held back until then"'
    )
    assert [text for text in texts_of(tree) if BANNED.search(text)] == ["held back until then", "back, a gray knob"]
    assert [bool(BANNED.search(text)) for text in ("A.x wins.", "It decides!", "winner(A.x) or more", "a != b")] == [
        *(True, True, False, False),
    ]
    assert INVERTED.search("Farthest along d lies w")
    assert INVERTED.search("Of bodies that move their path is shown")
    assert not INVERTED.search("The farthest point along d is w")
    assert AMERICAN.search("the Centers")
    assert not AMERICAN.search("centred at the centre, coloured")


@pytest.mark.parametrize("top", ["app", "core", "assets"])
def test_no_text_has_a_banned_word_or_american_spelling(top: str) -> None:
    found = list(said(top))
    assert len(found) > 100
    assert [(place, text) for place, text in found if BANNED.search(text)] == []
    assert [(place, text) for place, text in found if INVERTED.search(text)] == []
    # What others' programs write is spelled as they spell it.
    ours = [(place, text) for place, text in found if not place.startswith("app/forms/")]
    assert [(place, text) for place, text in ours if AMERICAN.search(text)] == []


def test_every_sign_of_the_programs_texts_has_a_stand_in() -> None:
    """A terminal of ASCII shows it."""
    found = {sign for top in ("app", "core") for path in files(top) for text in texts(syntax(path)) for sign in text}
    signs = {sign for sign in found if sign.isprintable() and not sign.isascii()}
    assert {"−", "×", "·"} < signs
    lacking = {sign for sign in signs if "\\" in sign.encode("ascii", ERRORS).decode("ascii")}
    assert lacking == {"\ufffd"}, "the sign of a character that cannot be shown"
