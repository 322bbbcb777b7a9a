"""The glossary: what each term means, in one sentence, and which lesson shows it."""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from ..storage.files import read_bounded, resource
from ..storage.strict_json import DataError, convert, parse

MOST_TERMS = 500
LONGEST_SENTENCE = 240


class Term(Struct, frozen=True, forbid_unknown_fields=True):
    """A term; `aliases`: other words for it; `lesson`: id of the lesson that shows it, empty for none."""

    term: str
    sentence: str
    aliases: tuple[str, ...] = ()
    lesson: str = ""


@cache
def glossary() -> tuple[Term, ...]:
    """All terms, in the order of assets/glossary.json."""
    return read_glossary(read_bounded(resource("assets", "glossary.json")).decode())


def term_of(word: str) -> Term | None:
    """The term that a word or an alias stands for, whatever its capitals; None for any other word."""
    return _by_word().get(word.casefold())


def read_glossary(text: str) -> tuple[Term, ...]:
    """The terms of a JSON list. Raises DataError with the path of what is wrong."""
    terms = convert(parse(text), tuple[Term, ...])
    if len(terms) > MOST_TERMS:
        raise DataError("", f"must have at most {MOST_TERMS} terms, got {len(terms)}")
    seen: dict[str, int] = {}
    for index, term in enumerate(terms):
        if not 1 <= len(term.sentence) <= LONGEST_SENTENCE:
            size = len(term.sentence)
            raise DataError(f"[{index}].sentence", f"must have 1 to {LONGEST_SENTENCE} characters, got {size}")
        for word in (term.term, *term.aliases):
            if not word or word.casefold() in seen:
                raise DataError(f"[{index}]", f"each word must be there once and not be empty, got {word!r}")
            seen[word.casefold()] = index
    return terms


@cache
def _by_word() -> dict[str, Term]:
    return {word.casefold(): term for term in glossary() for word in (term.term, *term.aliases)}
