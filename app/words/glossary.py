"""The glossary: each term's meaning in one sentence, the lesson that shows it, and the places where texts use it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache, lru_cache

from msgspec import Struct

from ..storage.files import read_bounded, resource
from ..storage.strict_json import DataError, convert, parse

MOST_TERMS = 500
LONGEST_SENTENCE = 240
LETTERS_OF_TERM = 3
"""Least number of letters from which a term is completed."""
MOST_MARKED = 4
"""The largest number of terms that are marked on one card."""


class Term(Struct, frozen=True, forbid_unknown_fields=True):
    """A term; `aliases`: other words for it; `lesson`: id of the lesson that shows it, empty for none.

    `everyday`: its words that have other meanings too, and are therefore not marked in texts.
    """

    term: str
    sentence: str
    aliases: tuple[str, ...] = ()
    lesson: str = ""
    everyday: tuple[str, ...] = ()


class Use(Struct, frozen=True):
    """A use of a term in a text: its characters from `start` up to `end`, without that one."""

    start: int
    end: int
    term: Term


@cache
def glossary() -> tuple[Term, ...]:
    """All terms, in the order of assets/glossary.json. Raises DataError for a bad file, which the tests rule out."""
    return read_glossary(read_bounded(resource("assets", "glossary.json")).decode())


def term_of(word: str) -> Term | None:
    """The term that a word or an alias stands for, whatever its capitals; None for any other word, such as a plural."""
    return _by_word().get(word.casefold())


def term_begun(letters: str) -> Term | None:
    """The term of the typed letters: the one with this word, or from three letters on the first that begins with it.

    None if there is no such term.
    """
    begun = letters.strip().casefold()
    if len(begun) < LETTERS_OF_TERM:
        return term_of(begun)
    return term_of(begun) or next((term for word, term in _by_word().items() if word.startswith(begun)), None)


@lru_cache(maxsize=256)
def first_uses(texts: tuple[str, ...]) -> tuple[tuple[Use, ...], ...]:
    """The first uses of terms in the texts of one card, text by text; at most MOST_MARKED terms, each once on the card.

    Plurals are found too; `everyday` words are not.
    """
    seen: set[str] = set()
    found: list[tuple[Use, ...]] = []
    for text in texts:
        uses = []
        for use in _uses(text):
            if use.term.term not in seen and len(seen) < MOST_MARKED:
                seen.add(use.term.term)
                uses.append(use)
        found.append(tuple(uses))
    return tuple(found)


def read_glossary(text: str) -> tuple[Term, ...]:
    """The terms of a JSON list.

    Raises DataError, with the path, for any other value, for more than MOST_TERMS terms, for a word that is empty or
    stands twice, and for a sentence that is empty or longer than LONGEST_SENTENCE.
    """
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


@cache
def _by_shape() -> dict[str, Term]:
    """The terms by the words that are marked in a text, singular and plural, spelt as in the middle of a sentence."""
    found: dict[str, Term] = {}
    for term in glossary():
        for word in (term.term, *term.aliases):
            if word not in term.everyday:
                found |= dict.fromkeys((word, _plural(word)), term)
    return found


def _plural(word: str) -> str:
    for ending, plural in (("axis", "axes"), ("simplex", "simplices"), ("s", "s"), ("ing", "ing"), ("− B", "− B")):
        if word.endswith(ending):
            return word.removesuffix(ending) + plural
    return f"{word}s"


_BEGIN = re.compile(r"(?<![\w.−·×])(?<!− )\w")
_END = re.compile(r"(?![\w×·]| [−×·=])")
"""The places in a text where a term can begin and end: none within a name or a formula such as `A.axis`."""


@cache
def _by_letter() -> dict[str, list[str]]:
    """The words of `_by_shape` by the letters that they can begin with in a text, the longest first."""
    found = defaultdict[str, list[str]](list)
    for word in sorted(_by_shape(), key=len, reverse=True):
        for letter in {word[0], word[0].upper()}:
            found[letter].append(word)
    return found


def _uses(text: str) -> Iterator[Use]:
    """The words of `_by_shape` in a text, also with a capital at the start."""
    last = 0
    for begin in _BEGIN.finditer(text):
        start = begin.start()
        for word in _by_letter().get(begin[0], ()) if start >= last else ():
            end = start + len(word)
            if text.startswith(word[1:], start + 1) and _END.match(text, end):
                yield Use(start, end, _by_shape()[word])
                last = end
                break
