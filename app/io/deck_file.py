"""Decks: logs (.jsonl) whose first line is `{"separatrix_deck": 1}`, with one slide on each line after it.

The first line may have the deck's `title` and `author`. A slide is a scene with its view. Its key `words` is the text
on the slide, which the program stores as the scene's notes. `notes` is the lecturer's text, which is printed.
`question` is the kind of question that the slide asks (state/prediction.py). Files are read as strictly as scenes.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ..state.deck import Deck, SlideLine
from ..state.prediction import QuestionKind
from ..storage.files import MEGABYTE, SCENE_LIMIT, open_file, reason_of
from ..storage.strict_json import DataError, convert, excerpt, json_line, parse, require
from .scene_file import Loaded, SceneError, decoded, from_tree, to_tree

VERSION = 1
DECK_KEY = "separatrix_deck"
MOST_SLIDES = 500
DECK_LIMIT = 1024 * MEGABYTE
LONGEST_TEXTS = {"title": 200, "author": 200, "words": 600, "notes": 6000}
"""The most characters of each text."""


class DeckHead(Struct, frozen=True):
    """The title and author in a deck's first line."""

    title: str = ""
    author: str = ""


class Slide(Loaded, frozen=True, kw_only=True):
    """A scene of a deck. The scene's notes are the text on the slide. `printed`: the lecturer's text.

    `question`: the kind of question that the slide asks; None for a slide that shows its step, or the answer.
    """

    printed: str = ""
    question: QuestionKind | None = None


class _HeadData(Struct, forbid_unknown_fields=True):
    separatrix_deck: int
    title: str = ""
    author: str = ""


class _SlideData(Struct):
    words: str = ""
    notes: str = ""
    question: str | None = None


def head_of(data: bytes) -> DeckHead | None:
    """The head in a deck's first line; None for a line without the key `separatrix_deck`, such as a scene.

    Raises DataError for a line with the key that is not JSON, and for another version, another key, and a text that is
    too long.
    """
    if f'"{DECK_KEY}"'.encode() not in data:
        return None
    tree = parse(decoded(data))
    if not isinstance(tree, dict) or DECK_KEY not in tree:
        return None
    version = tree[DECK_KEY]
    if not isinstance(version, int) or isinstance(version, bool) or version != VERSION:
        raise DataError(DECK_KEY, f"must be the whole number {VERSION}, got {excerpt(version)}")
    read = convert(tree, _HeadData)
    _check_lengths(tree)
    return DeckHead(read.title, read.author)


def read_slide(text: str) -> Slide:
    """The slide in a line's JSON text.

    Raises DataError for a value that a scene or a slide cannot have, with its path.
    """
    tree = parse(text)
    if not isinstance(tree, dict):
        raise DataError("", f"must be an object with the key separatrix, got {excerpt(tree)}")
    own = {key: tree.pop(key) for key in _SlideData.__struct_fields__ if key in tree}
    read = convert(own, _SlideData)
    _check_lengths(own)
    if read.question is not None:
        require(
            read.question in tuple(QuestionKind), "question", f"must be one of {', '.join(QuestionKind)}", read.question
        )
    loaded = from_tree(tree)
    asked = None if read.question is None else QuestionKind(read.question)
    scene = replace(loaded.scene, notes=read.words)
    return Slide(scene, loaded.view, loaded.remarks, printed=read.notes, question=asked)


def slide_tree(slide: Slide) -> dict[str, Any]:
    """The slide as JSON values, for `strict_json.json_line`."""
    tree = to_tree(replace(slide.scene, notes=""), slide.view)
    own = {"words": slide.scene.notes, "notes": slide.printed, "question": slide.question}
    return tree | {key: value for key, value in own.items() if value}


def head_tree(head: DeckHead) -> dict[str, Any]:
    """A deck's first line as JSON values."""
    own = {"title": head.title, "author": head.author}
    return {DECK_KEY: VERSION} | {key: value for key, value in own.items() if value}


NEW_DECK = Deck(json_line(head_tree(DeckHead())).encode())


def read_deck(path: Path) -> Deck | None:
    """Reads a whole deck into memory, so that its file may be overwritten. Returns None for a plain log.

    Raises SceneError for a file that cannot be read or is too large, for a bad first line, and for too many slides.
    """
    try:
        with open_file(path) as file:
            first = next((line for line in iter(lambda: file.readline(SCENE_LIMIT), b"") if line.strip()), b"")
            deck = head_of(first)
            if deck is None:
                return None
            data = first + file.read(DECK_LIMIT)
            if file.read(1):
                raise SceneError("", f"is larger than {DECK_LIMIT // MEGABYTE} MB, no deck is", str(path))
        return deck_of(data, str(path))
    except SceneError:
        raise
    except DataError as error:
        raise SceneError(error.path, error.message, f"{path}:1") from None
    except (OSError, ValueError) as error:
        raise SceneError("", reason_of(error), str(path)) from None


def deck_of(data: bytes, file: str) -> Deck:
    """The deck in a file's bytes; `file`: the file's name for errors.

    Raises SceneError for too many slides, DataError for a bad head or none.
    """
    head, *lines = [line for line in map(bytes.strip, data.split(b"\n")) if line] or [b""]
    if len(lines) > MOST_SLIDES:
        raise SceneError("", f"must have at most {MOST_SLIDES} slides, got {len(lines)}", file)
    fields = head_of(head)
    require(fields is not None, DECK_KEY, f"must be the whole number {VERSION}", None)
    fields = fields or DeckHead()
    return Deck(head, fields.title, fields.author, tuple(map(_line, lines)))


class _Texts(Struct):
    name: str = ""
    words: str = ""
    notes: str = ""


def _line(data: bytes) -> SlideLine:
    """The line with its name and texts, which are quick to decode; each is "" if the line cannot be decoded.

    `slide_of` reads it strictly.
    """
    try:
        texts = msgspec.json.decode(data, type=_Texts)
    except (msgspec.DecodeError, UnicodeDecodeError):
        texts = _Texts()
    return SlideLine(data, texts.name, texts.words, texts.notes)


def slide_of(line: SlideLine) -> Slide:
    """The slide in a deck's line. Raises DataError for a line that is too long or no slide."""
    if len(line.data) > SCENE_LIMIT:
        raise DataError("", f"is longer than {SCENE_LIMIT // MEGABYTE} MB, no scene is")
    return read_slide(decoded(line.data))


def slide_line_of(slide: Slide) -> SlideLine:
    """The slide as a deck's line. Raises DataError for a slide that could not be read back."""
    line = _line(json_line(slide_tree(slide)).encode())
    slide_of(line)
    return line


def with_texts(line: SlideLine, texts: Mapping[str, str]) -> SlideLine:
    """The line with the texts of these keys replaced, or removed if empty; all else is unchanged.

    Raises DataError for a line that is no JSON object.
    """
    tree = parse(decoded(line.data))
    require(isinstance(tree, dict), "", "must be an object", tree)
    tree |= texts
    return _line(json_line({key: value for key, value in tree.items() if value or key not in texts}).encode())


def with_head(deck: Deck, texts: Mapping[str, str]) -> Deck:
    """The deck with `title` or `author` replaced. The lengths of the texts are not checked.

    Raises DataError for a bad first line.
    """
    fields = head_of(deck.head) or DeckHead()
    fields = replace(fields, **texts)
    return replace(deck, head=json_line(head_tree(fields)).encode(), title=fields.title, author=fields.author)


def _check_lengths(texts: dict[str, Any]) -> None:
    for key, most in LONGEST_TEXTS.items():
        length = len(texts.get(key) or "")
        require(length <= most, key, f"must have at most {most} characters", length)
