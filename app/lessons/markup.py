"""Parses the markup in a lesson's texts: terms of the glossary, pointers into the picture, live numbers, emphasis."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from enum import StrEnum

from msgspec import Struct

from ..words.glossary import glossary, term_of
from ..words.key_names import chord_named


class SpanKind(StrEnum):
    """The kind of a stretch of text."""

    PLAIN = "plain"
    STRONG = "strong"
    EMPHASIS = "emphasis"
    CODE = "code"
    FORMULA = "formula"
    TERM = "term"
    POINTER = "pointer"
    NUMBER = "number"


class Span(Struct, frozen=True):
    """A stretch of text of one kind.

    `text`: the shown text. `target`: a TERM's word in the glossary, a POINTER's item to highlight, as `axis:A.edge1`, a
    NUMBER's name in LIVE_NUMBERS; else empty.
    """

    kind: SpanKind
    text: str
    target: str = ""


LIVE_NUMBERS = {
    "depth": "how deep the bodies overlap",
    "distance": "how far apart they are",
    "gap": "the gap of the axis that decides",
    "contacts": "how many contacts there are",
    "moved_a": "how far A was moved since the step began",
    "moved_b": "how far B was moved since the step began",
    "winner": "the name of the axis that decides",
    "gjk_steps": "steps of GJK",
    "epa_steps": "steps of EPA",
    "impact": "the time of impact",
    "time": "the time shown",
}
"""Names of the live numbers that a text can show in braces, with their meaning."""

POINTERS = ("axis", "vertex", "face", "body", "panel")
"""Kinds of items that a pointer can name."""

_MARKUP = re.compile(
    r"\[\[(?P<term>[^\[\]|]+)(?:\|(?P<shown>[^\[\]]+))?\]\]"
    r"|\[(?P<words>[^\[\]]+)\]\((?P<target>[^()\s]+)\)"
    r"|\*\*(?P<strong>[^*]+)\*\*|\*(?P<emphasis>[^*]+)\*|`(?P<code>[^`]+)`|\$(?P<formula>[^$]+)\$"
    r"|\{(?P<number>\w+)\}"
)


def spans(text: str) -> tuple[Span, ...]:
    """The stretches of a text, in order."""
    return tuple(_spans(text))


def _spans(text: str) -> Iterator[Span]:
    place = 0
    for found in _MARKUP.finditer(text):
        if found.start() > place:
            yield Span(SpanKind.PLAIN, text[place : found.start()])
        place = found.end()
        if found["term"]:
            yield Span(SpanKind.TERM, found["shown"] or found["term"], found["term"].strip())
        elif found["words"]:
            yield Span(SpanKind.POINTER, found["words"], found["target"])
        elif found["number"]:
            yield Span(SpanKind.NUMBER, found[0], found["number"])
        else:
            kind = next(kind for kind in ("strong", "emphasis", "code", "formula") if found[kind])
            yield Span(SpanKind(kind), found[kind])
    if place < len(text):
        yield Span(SpanKind.PLAIN, text[place:])


def stops_in(text: str) -> tuple[Span, ...]:
    """The stretches of the text at which the keyboard stops: terms of the glossary and names of keys."""
    return tuple(span for span in spans(text) if is_stop(span))


def is_stop(span: Span) -> bool:
    """Whether the keyboard stops at a stretch of text: a term, or code that names a key."""
    return span.kind is SpanKind.TERM or (span.kind is SpanKind.CODE and chord_named(span.text) != "")


def shown_text(text: str) -> str:
    """The text without its markup."""
    return "".join(span.text for span in spans(text))


def word_count(text: str) -> int:
    """The number of words without markup."""
    return len(shown_text(text).split())


def markup_faults(text: str) -> list[str]:
    """The faults of the markup, a sentence each."""
    faults = []
    for span in spans(text):
        if span.kind is SpanKind.TERM and (fault := term_fault(span.target)):
            faults.append(fault)
        if span.kind is SpanKind.PLAIN and ("[[" in span.text or "]]" in span.text):
            faults.append("[[ and ]] must enclose a term of the glossary, as [[gap]] or [[gap|the gap]]")
        if span.kind is SpanKind.POINTER and span.target.partition(":")[0] not in POINTERS:
            faults.append(f"[words]({span.target}) must point at one of {', '.join(f'{k}:…' for k in POINTERS)}")
        if span.kind is SpanKind.NUMBER and span.target not in LIVE_NUMBERS:
            faults.append(f"{{{span.target}}} must be one of {', '.join(LIVE_NUMBERS)}")
    return faults


def term_fault(word: str) -> str:
    """Why a word is not a term, with similar terms, as the end of a sentence; empty for a term of the glossary."""
    if term_of(word) is not None:
        return ""
    known = [name for term in glossary() for name in (term.term, *term.aliases)]
    close = difflib.get_close_matches(word, known, 3)
    meant = f"; near to it are {', '.join(close)}" if close else "; assets/glossary.json has them all"
    return f"must be a term of the glossary, got {word!r}{meant}"
