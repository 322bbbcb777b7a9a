"""The names of labels, by which the user renames and moves labels.

A name is the beginning of a label's text, without its number and explanation: `depth` of "depth 0.309", `w₀` of
"w₀ = a₄ − b₀". Renaming replaces the name wherever it stands as a whole in a label: `A.v4` in "c₁  A.v4 | B.+y" too.
Where several labels have a name, `difference:w_1` is that of one picture and `w_1#2` the second one in each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple
from unicodedata import lookup

from msgspec.structs import replace

from .draw_list import DrawList, Label
from .text import lacking

Renames = Sequence[tuple[str, str]]
Moves = Sequence[tuple[str, tuple[float, float]]]
SUBSCRIPTS = str.maketrans("0123456789ijknm", "₀₁₂₃₄₅₆₇₈₉ᵢⱼₖₙₘ")
SUPERSCRIPTS = str.maketrans("0123456789+-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")
GREEK_LETTERS = "alpha beta gamma delta epsilon eta theta lamda mu nu xi pi rho sigma tau phi chi psi omega"
GREEK = {name.replace("lamda", "lambda"): lookup(f"GREEK SMALL LETTER {name}") for name in GREEK_LETTERS.split()}
SIGN_COMMANDS = {"times": "×", "cdot": "·", "perp": "⊥", "leq": "≤", "geq": "≥", "approx": "≈", "to": "→", "ell": "ℓ"}
SIGN_COMMANDS |= {"prime": "′", "circ": "°", "infty": "∞", "pm": "±", "neq": "≠", "ominus": "−"} | GREEK
FUNCTION_COMMANDS = {"min", "max", "inf", "sup", "log"}
"""TeX commands of functions, which are written as their letters."""
FONT_COMMANDS = {"text", "mathrm", "mathbf", "mathit", "mathcal", "vec", "operatorname"}
"""TeX commands that choose a typeface; the program's own text ignores them."""
_INDEX = {"_": r"_(?:\{([^{}]*)\}|(.))", "^": r"\^(?:\{([^{}]*)\}|(.))"}
_NAME_ENDS = r"\s{2,}|:|,| = | [≤≥≈]| on (?=vertex|edge|face)| [+−-]?[\d.]"
_PARTS = r"[^\s,:=|<>]*[A-Za-z][^\s,:=|<>]*"
"""Patterns, compiled at the first use: the start renames no labels."""
SUGGESTIONS = 3
"""The most names that a refusal suggests."""


def typed(name: str) -> str:
    """A typed name in the form that labels have: `w_0` and `w_{12}` with subscript digits, TeX as in `unicode_text`.

    A hyphen becomes a minus sign unless a letter, a digit, `_` or another hyphen is before it.
    """
    name = re.sub(r"_\{?(\d+)\}?", lambda found: found[1].translate(SUBSCRIPTS), name.strip())
    return re.sub(r"(?<![\w-])-|(?<=\.)-", "−", unicode_text(name))


@lru_cache(maxsize=8192)
def name_of(text: str) -> str:
    """The name in a label's text."""
    return re.split(_NAME_ENDS, text, maxsplit=1)[0].strip() or text


def unicode_text(value: str) -> str:
    """A text whose TeX mathematics, between dollar signs, is replaced by Unicode letters as far as possible."""
    return re.sub(r"\$([^$]*)\$", lambda found: _without_tex(found[1]), value)


def tex_fault(value: str) -> str:
    """The words on a new name that no LaTeX document could set; "" for one that it could."""
    if value.count("$") % 2:
        return "a $ alone, where TeX stands between two; a shell keeps them in single quotes"
    for tex in re.findall(r"\$([^$]*)\$", value):
        bare = re.sub(r"\\.", "", tex)
        if sign := re.search(r"[%#&]", bare):
            return f"{sign[0]} without a backslash"
        if "\\" in bare:
            return "a backslash alone"
        braces = re.sub(r"[^{}]", "", bare)
        while "{}" in braces:
            braces = braces.replace("{}", "")
        if braces:
            return "braces that do not pair"
    return "" if unicode_text(value).strip() else "nothing to write"


def unwritable(value: str) -> str:
    """The first part of a name that the program's letters cannot write: of its TeX a command, or an index or exponent.

    Else the letters that the font lacks; "" for a name that they can write.
    """
    for tex in re.findall(r"\$([^$]*)\$", value):
        for command in re.findall(r"\\([A-Za-z]+|.)", tex):
            if command not in SIGN_COMMANDS and command not in FUNCTION_COMMANDS and command not in FONT_COMMANDS:
                return f"\\{command}"
        for sign, table in (("_", SUBSCRIPTS), ("^", SUPERSCRIPTS)):
            for index in re.findall(_INDEX[sign], _commands_written(tex)):
                inside = index[0] or index[1]
                known = all(ord(letter) in table for letter in inside.replace(" ", ""))
                if not inside.strip() or not known or lacking(inside.translate(table)):
                    return f"{sign}{{{inside}}}" if len(inside) != 1 else sign + inside
    return lacking(unicode_text(value))


def _commands_written(tex: str) -> str:
    return re.sub(
        r"\\([A-Za-z]+) ?",
        lambda found: SIGN_COMMANDS.get(found[1], found[1] if found[1] in FUNCTION_COMMANDS else ""),
        tex,
    )


def _without_tex(tex: str) -> str:
    text = _commands_written(tex)
    for sign, table in (("_", SUBSCRIPTS), ("^", SUPERSCRIPTS)):
        text = re.sub(_INDEX[sign], lambda found, table=table: (found[1] or found[2] or "").translate(table), text)  # type: ignore[misc]
    text = re.sub(r"[{}\\]", "", text).replace("-", "−")
    return text if text.strip() and not lacking(text) else re.sub(r"[^\x20-\x7e]", "", tex)


@lru_cache(maxsize=512)
def by_itself(name: str) -> re.Pattern[str]:
    """The pattern that finds a name as a whole word: `A` is not found in `A.v4`, nor `w₁` in `w₁₂`."""
    after = r"(?![\d₀-₉])" if re.search(r"[\d₀-₉]$", name) else r"(?![\w.₀-₉])"
    return re.compile(rf"(?<![A-Za-z.]){re.escape(name)}{after}")


def renamed(text: str, renames: Renames) -> str:
    """The text with each name of `renames` replaced by its new name, as `unicode_text` writes it."""
    for name, value in renames:
        text = by_itself(typed(name)).sub(lambda _, value=value: unicode_text(value), text)  # type: ignore[misc]
    return text


PLACES = ("world", "difference", "triad", "globe")
"""The pictures that a name may be said to be in, as in `difference:w_1`."""
_CALLED = rf"(?:({'|'.join(PLACES)}):)?(.*?)(?:#([1-9]\d?))?"


class Called(NamedTuple):
    """A label as it is called: the picture it is in ("" for any), its name, and its number there (0 for every one)."""

    picture: str
    name: str
    nth: int

    @staticmethod
    def of(said: str) -> Called:
        """Reads `w_1`, `difference:w_1`, `w_1#2` or both."""
        place, name, nth = re.fullmatch(_CALLED, said.strip(), re.DOTALL).groups()  # type: ignore[union-attr]  # it matches any text
        return Called(place or "", typed(name), int(nth or 0))

    def means(self, place: str, name: str, nth: int) -> bool:
        """Whether the name may be found in the `nth` label of a name in the picture `place`."""
        return self.picture in ("", place) and (not self.nth or (self.nth == nth and self.name == name))


def told_otherwise(draw: DrawList, place: str, renames: Renames, moves: Moves) -> None:
    """Renames and moves the labels of the draw list of the picture `place`."""
    others = [(Called.of(name), value) for name, value in renames]
    shifts = [(Called.of(name), by) for name, by in moves]
    draw.labels = [
        _changed(label, place, nth, others, shifts)
        for label, nth in zip(draw.labels, _numbers(draw.labels), strict=True)
    ]


def _numbers(labels: Iterable[Label]) -> Iterator[int]:
    """Yields for each label how many of its name there are up to it."""
    counts: dict[str, int] = {}
    for label in labels:
        name = name_of(label.text)
        counts[name] = counts.get(name, 0) + 1
        yield counts[name]


def _changed(
    label: Label,
    place: str,
    nth: int,
    renames: Sequence[tuple[Called, str]],
    moves: Sequence[tuple[Called, tuple[float, float]]],
) -> Label:
    name = name_of(label.text)
    own = [(called.name, value) for called, value in renames if called.means(place, name, nth)]
    text, brief = renamed(label.text, own), renamed(label.brief, own)
    names = (label.text, name, name_of(text))
    meant = [(called, by) for called, by in moves if called.name in names and called.means(place, called.name, nth)]
    # Whoever says which label it is wins over who says the name alone.
    _, shift = max(meant, key=lambda move: (bool(move[0].picture), move[0].nth), default=(None, (0.0, 0.0)))
    return replace(label, text=text, brief=brief, shift=shift)


def nobody_bears(
    names: Iterable[str], lists: Sequence[tuple[str, DrawList]], also: Iterable[str] = (), *, whole: bool = False
) -> str:
    """A sentence, without its subject, about the first of `names` that no label has; "" if labels have all of them.

    `lists`: of pictures, each with the word of PLACES for it. `also`: texts beside theirs. `whole`: only names of
    whole labels count, as for a move.
    """
    # Imported at the first use.
    from difflib import get_close_matches

    for said in names:
        called = Called.of(said)
        numbered = [
            (label.text, nth)
            for place, draw in lists
            if called.picture in ("", place)
            for label, nth in zip(draw.labels, _numbers(draw.labels), strict=True)
        ]
        texts = {text for text, _ in numbered} | ({*also} if not called.picture else set())
        calls = {name_of(text) for text in texts}
        if (
            called.nth
            and called.name in calls
            and not any(nth == called.nth and name_of(text) == called.name for text, nth in numbered)
        ):
            most = max(nth for text, nth in numbered if name_of(text) == called.name)
            return f"has no label {said!r}; it has {most} of that name"
        found = called.name in texts | calls
        if found or (not whole and any(by_itself(called.name).search(text) for text in texts)):
            continue
        known = sorted(calls if whole else calls.union(*(re.findall(_PARTS, text) for text in texts)))
        near = get_close_matches(called.name, known, SUGGESTIONS, 0.3) or known[:SUGGESTIONS]
        return f"has no label {said!r}" + (f"; the nearest are {', '.join(near)}" if near else "")
    return ""
