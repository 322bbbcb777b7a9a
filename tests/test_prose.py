"""Docstrings and comments of `app` and `core` are plain: they name their subject, and their sentences are short.

The rest of house style, such as one meaning for each name, needs a reader.
"""

from __future__ import annotations

import ast
import inspect
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = sorted(path for top in ("app", "core") for path in (ROOT / top).rglob("*.py"))

RIDDLE = re.compile(
    r"(?:It|Its|They|Their|Them|This|That|These|Those|What|Who|Where|How|Whether (?:it|they|there|that))\b"
)
"""An opening that does not name its subject. `Whether this is ...` may stand in a property, about `self`."""

MOST_WORDS = 40
"""The largest number of words of a sentence, or of its part between semicolons."""


def docstrings(source: str) -> Iterator[tuple[int, str]]:
    """Yields the line and text of each string that stands alone: docstrings, and those below constants and fields."""
    for node in ast.walk(ast.parse(source)):
        body = getattr(node, "body", None)
        for line in body if isinstance(body, list) else ():
            match line:
                case ast.Expr(value=ast.Constant(value=str(text))):
                    yield line.lineno, inspect.cleandoc(text)


def comments(source: str) -> Iterator[tuple[int, str]]:
    """Yields the line and text of each comment; comments on adjacent lines of their own are one."""
    previous = None
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            line, alone = token.start[0], token.line.lstrip().startswith("#")
            if not (alone and previous == line - 1):
                yield line, token.string.lstrip("#:! ")
            previous = line if alone else None


def riddles(source: str) -> list[tuple[int, str]]:
    """The docstrings and comments that open without naming their subject."""
    return [(line, text) for line, text in (*docstrings(source), *comments(source)) if RIDDLE.match(text)]


def long_sentences(source: str) -> list[tuple[int, str]]:
    """The sentences of docstrings with more than MOST_WORDS words, without indented paragraphs, such as a grammar's."""
    return [
        (line, sentence)
        for line, text in docstrings(source)
        for paragraph in text.split("\n\n")
        if not paragraph.startswith(" ")
        for sentence in re.split(r"(?<=[.!?;])\s", paragraph)
        if len(sentence.split()) > MOST_WORDS
    ]


@pytest.mark.parametrize("find", [riddles, long_sentences])
def test_prose_is_plain(find) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {' '.join(text.split())}"
        for path in FILES
        for line, text in find(path.read_text(encoding="utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize(
    "source",
    [
        '"""How often is looked for changes."""',
        'def done():\n    """Whether it is there after at most so long."""',
        'LIMIT = 3\n"""Where it ends."""',
        "# It is imported later.\nx = 1",
        "x = 1  # That is enough.",
    ],
)
def test_riddles_are_found(source) -> None:
    assert len(riddles(source)) == 1


def test_a_comment_over_several_lines_has_one_opening() -> None:
    assert riddles("# The rail is left out.\n# It would hide the bodies.\nx = 1") == []


def test_long_sentences_are_found_but_not_in_indented_paragraphs() -> None:
    words = " ".join(["word"] * MOST_WORDS)
    assert long_sentences(f'"""{words} more."""') == [(1, f"{words} more.")]
    assert long_sentences(f'"""{words}; {words}."""') == []
    assert long_sentences(f'"""A grammar.\n\n    {words} more\n\nThe end."""') == []
