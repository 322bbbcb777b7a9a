"""Decks: logs (.jsonl) whose first line is `{"separatrix_deck": 1}`, with a slide a line after it.

The first line may name the deck's `title` and `author`. A slide is a scene with its view; `words` is what stands on it
(in place of a scene's notes, which is what it is in the window), `notes` what the lecturer says, to be printed, and
`question` the kind of question that is asked there (state/prediction.py). Read strictly, as scenes are.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ..state.prediction import Kind
from ..storage.strict_json import DataError, convert, parse, require, shown
from .scene_file import Loaded, decoded, from_tree, to_tree

VERSION = 1
KEY = "separatrix_deck"
MOST_SLIDES = 500
LONGEST = {"title": 200, "author": 200, "words": 600, "notes": 6000}
"""Characters of each text."""


class DeckHead(Struct, frozen=True):
    """What a deck's first line says of it."""

    title: str = ""
    author: str = ""


class Slide(Loaded, frozen=True, kw_only=True):
    """A scene of a deck, whose notes are the words on the slide; `printed`: what the lecturer says.

    `question`: the kind that is asked; None: the slide shows its step, or the answer.
    """

    printed: str = ""
    question: Kind | None = None


class _HeadData(Struct, forbid_unknown_fields=True):
    separatrix_deck: int
    title: str = ""
    author: str = ""


class _SlideData(Struct):
    words: str = ""
    notes: str = ""
    question: str | None = None


def head_of(data: bytes) -> DeckHead | None:
    """What a log's first line says of the deck that it begins; None where it is a scene. Raises DataError."""
    if f'"{KEY}"'.encode() not in data:
        return None
    tree = parse(decoded(data))
    if not isinstance(tree, dict) or KEY not in tree:
        return None
    version = tree[KEY]
    if not isinstance(version, int) or isinstance(version, bool) or version != VERSION:
        raise DataError(KEY, f"must be the whole number {VERSION}, got {shown(version)}")
    read = convert(tree, _HeadData)
    _check_lengths(tree)
    return DeckHead(read.title, read.author)


def read_slide(text: str) -> Slide:
    """The slide in a line's JSON text. Raises DataError."""
    tree = parse(text)
    if not isinstance(tree, dict):
        raise DataError("", f"must be an object with the key separatrix, got {shown(tree)}")
    own = {key: tree.pop(key) for key in _SlideData.__struct_fields__ if key in tree}
    read = convert(own, _SlideData)
    _check_lengths(own)
    if read.question is not None:
        require(read.question in tuple(Kind), "question", f"must be one of {', '.join(Kind)}", read.question)
    loaded = from_tree(tree)
    asked = None if read.question is None else Kind(read.question)
    scene = replace(loaded.scene, notes=read.words)
    return Slide(scene, loaded.view, loaded.remarks, printed=read.notes, question=asked)


def slide_tree(slide: Slide) -> dict[str, Any]:
    """The slide as JSON values, of which `strict_json.json_line` makes its line."""
    tree = to_tree(replace(slide.scene, notes=""), slide.view)
    own = {"words": slide.scene.notes, "notes": slide.printed, "question": slide.question}
    return tree | {key: value for key, value in own.items() if value}


def head_tree(head: DeckHead) -> dict[str, Any]:
    """A deck's first line as JSON values."""
    own = {"title": head.title, "author": head.author}
    return {KEY: VERSION} | {key: value for key, value in own.items() if value}


def _check_lengths(texts: dict[str, Any]) -> None:
    for key, most in LONGEST.items():
        length = len(texts.get(key) or "")
        require(length <= most, key, f"must have at most {most} characters", length)
