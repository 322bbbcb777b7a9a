"""The names of labels, by which the user renames and moves labels.

A name is the beginning of a label's text, without number and explanation: `depth` of "depth 0.309", `w₀` of
"w₀ = a₄ − b₀". A rename replaces the name wherever it is a whole word of a label: `A.v4` in "c₁  A.v4 | B.+y" too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from unicodedata import lookup

from msgspec.structs import replace

from .draw_list import DrawList, Label
from .text import lacking

Renames = Sequence[tuple[str, str]]
Moves = Sequence[tuple[str, tuple[float, float]]]
SUBSCRIPTS = str.maketrans("0123456789ijknm", "₀₁₂₃₄₅₆₇₈₉ᵢⱼₖₙₘ")
SUPERSCRIPTS = str.maketrans("0123456789+-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")
LETTERS = "alpha beta gamma delta epsilon eta theta lamda mu nu xi pi rho sigma tau phi chi psi omega"
GREEK = {name.replace("lamda", "lambda"): lookup(f"GREEK SMALL LETTER {name}") for name in LETTERS.split()}
COMMANDS = {"times": "×", "cdot": "·", "perp": "⊥", "leq": "≤", "geq": "≥", "approx": "≈", "to": "→", "ell": "ℓ"}
COMMANDS |= {"prime": "′", "circ": "°", "infty": "∞", "pm": "±", "neq": "≠", "ominus": "−"} | GREEK
WORDS = {"min", "max", "inf", "sup", "log"}
"""TeX commands of functions, which are written as their letters."""
FONTS = {"text", "mathrm", "mathbf", "mathit", "mathcal", "vec", "operatorname"}
"""TeX commands that choose a typeface; the program's own text ignores them."""
_INDEX = {"_": re.compile(r"_(?:\{([^{}]*)\}|(.))"), "^": re.compile(r"\^(?:\{([^{}]*)\}|(.))")}
_NAME_ENDS = re.compile(r"\s{2,}|:|,| = | [≤≥≈]| on (?=vertex|edge|face)| [+−-]?[\d.]")
_PARTS = re.compile(r"[^\s,:=|<>]*[A-Za-z][^\s,:=|<>]*")
NEAREST = 3


def typed(name: str) -> str:
    """A typed name in the form that labels have: `w_0` and `w_{12}` with subscript digits, TeX as in `plain`.

    A hyphen becomes a minus sign unless a letter, a digit, `_` or another hyphen is before it.
    """
    name = re.sub(r"_\{?(\d+)\}?", lambda found: found[1].translate(SUBSCRIPTS), name.strip())
    return re.sub(r"(?<![\w-])-|(?<=\.)-", "−", plain(name))


@lru_cache(maxsize=8192)
def name_of(text: str) -> str:
    """The name in a label's text."""
    return _NAME_ENDS.split(text, maxsplit=1)[0].strip() or text


def plain(value: str) -> str:
    """A text whose TeX mathematics, between dollar signs, is replaced by Unicode letters as far as possible."""
    return re.sub(r"\$([^$]*)\$", lambda found: _without_tex(found[1]), value)


def unwritable(value: str) -> str:
    """The first part of a name's TeX that Unicode letters cannot write: a command, or an index or exponent; or ""."""
    for tex in re.findall(r"\$([^$]*)\$", value):
        for command in re.findall(r"\\([A-Za-z]+|.)", tex):
            if command not in COMMANDS and command not in WORDS and command not in FONTS:
                return f"\\{command}"
        for sign, table in (("_", SUBSCRIPTS), ("^", SUPERSCRIPTS)):
            for index in _INDEX[sign].findall(_commands_written(tex)):
                inside = index[0] or index[1]
                known = all(ord(letter) in table for letter in inside.replace(" ", ""))
                if not inside.strip() or not known or lacking(inside.translate(table)):
                    return f"{sign}{{{inside}}}" if len(inside) != 1 else sign + inside
    return ""


def _commands_written(tex: str) -> str:
    return re.sub(r"\\([A-Za-z]+) ?", lambda found: COMMANDS.get(found[1], found[1] if found[1] in WORDS else ""), tex)


def _without_tex(tex: str) -> str:
    text = _commands_written(tex)
    for sign, table in (("_", SUBSCRIPTS), ("^", SUPERSCRIPTS)):
        text = _INDEX[sign].sub(lambda found, table=table: (found[1] or found[2] or "").translate(table), text)  # type: ignore[misc]
    text = re.sub(r"[{}\\]", "", text).replace("-", "−")
    return text if not lacking(text) else re.sub(r"[^\x20-\x7e]", "", tex)


@lru_cache(maxsize=512)
def by_itself(name: str) -> re.Pattern[str]:
    """The pattern that finds a name as a whole word: `A` is not found in `A.v4`, nor `w₁` in `w₁₂`."""
    after = r"(?![\d₀-₉])" if re.search(r"[\d₀-₉]$", name) else r"(?![\w.₀-₉])"
    return re.compile(rf"(?<![A-Za-z.]){re.escape(name)}{after}")


def renamed(text: str, renames: Renames) -> str:
    """The text with each name of `renames` replaced by its new name, as `plain` writes it."""
    for name, value in renames:
        text = by_itself(typed(name)).sub(lambda _, value=value: plain(value), text)  # type: ignore[misc]
    return text


def told_otherwise(draw: DrawList, renames: Renames, moves: Moves) -> None:
    """Renames and moves the labels of a draw list."""
    by_name = {typed(name): by for name, by in moves}
    draw.labels = [_changed(label, renames, by_name) for label in draw.labels]


def _changed(label: Label, renames: Renames, moves: dict[str, tuple[float, float]]) -> Label:
    text, brief = renamed(label.text, renames), renamed(label.brief, renames)
    called = (label.text, name_of(label.text), name_of(text))
    shift = next((moves[name] for name in called if name in moves), (0.0, 0.0))
    return replace(label, text=text, brief=brief, shift=shift)


def nobody_bears(
    names: Iterable[str], lists: Sequence[DrawList], also: Iterable[str] = (), *, whole: bool = False
) -> str:
    """A sentence, without its subject, about the first of `names` that no label has; "" if labels have all of them.

    `also`: texts besides those of the draw lists. `whole`: the name must be a label's whole text or its name, as for a
    move; a word within a label does not count.
    """
    # Imported at the first use.
    from difflib import get_close_matches

    texts = {label.text for draw in lists for label in draw.labels} | {*also}
    calls = {name_of(text) for text in texts}
    for name in names:
        called = typed(name)
        if called in texts | calls or (not whole and any(by_itself(called).search(text) for text in texts)):
            continue
        known = sorted(calls if whole else calls.union(*map(_PARTS.findall, texts)))
        near = get_close_matches(called, known, NEAREST, 0.3) or known[:NEAREST]
        return f"has no label {name!r}" + (f"; the nearest are {', '.join(near)}" if near else "")
    return ""
