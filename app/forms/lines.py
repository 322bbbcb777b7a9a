"""Reads texts line by line, such as logs, and the line that names a body's shape in a text that has only poses.

    shape = [name (: | =)] (box [size] x y z | sphere [radius] r | ellipsoid [radii] a b c
             | (cylinder | capsule | cone) radius r (length | height) l [along (x | y | z)])

Sizes are full; a capsule's `length` excludes its caps, its `height` includes them. The grammar is Separatrix's own.
"""

from __future__ import annotations

import re

from msgspec import Struct

from .bodies import Given, ball_of, box, capsule, capsule_in_all, cone, cylinder, ellipsoid
from .form import NotUnderstoodError, checked_length
from .markup import numbers_of

SHAPE = re.compile(
    r"[ \t]*(?:[#>*-][ \t]*)?(?:(?P<name>[A-Za-z_]\w*)[ \t]*[:=][ \t]*)?"
    r"(?P<kind>box|sphere|ellipsoid|cylinder|capsule|cone)\b(?P<rest>.*)",
    re.IGNORECASE,
)
_NUMBER = r"[-+]?(?:\d++(?:\.\d*+)?+|\.\d++)(?:[eE][-+]?\d++)?+"
_PART = re.compile(
    rf"(?P<word>[A-Za-z]+)|(?P<number>{_NUMBER})(?![\w.])|(?P<gap>[\s,;:=()\[\]]+)|(?P<other>.)", re.DOTALL
)


class TextLine(Struct, frozen=True):
    """A line that is not empty, without the spaces around it. `number`: counted from 1."""

    text: str
    number: int


def lines_of(text: str) -> list[TextLine]:
    """The lines of a text that are not empty. Raises NotUnderstoodError for a text longer than MOST_CHARACTERS."""
    found = enumerate(checked_length(text).replace("\r\n", "\n").split("\n"), 1)
    return [TextLine(line.strip(), number) for number, line in found if line.strip()]


def not_understood(line: TextLine) -> NotUnderstoodError:
    """The error for a line that is not understood."""
    said = line.text if len(line.text) <= 40 else line.text[:40] + "…"
    return NotUnderstoodError(f"{said} is not understood", line.number)


def numbers_in_line(text: str, what: str, line: int, count: int | None = None) -> list[float]:
    """The numbers of a line, separated by spaces, commas, semicolons or brackets.

    `what`: the name of the numbers in the error. `count`: the required count, None for any. Raises NotUnderstoodError
    for another count, and for a word that is not a finite number.
    """
    return numbers_of(re.sub(r"[\[\](),;]", " ", text), what, line, count)


def shape_in(line: TextLine, axis: str = "") -> Given | None:
    """The body with the shape that a line names; None if the line names none.

    `axis`: the axis of a capsule, cylinder or cone whose line does not name it; "" if the line must name it. Raises
    NotUnderstoodError for a line that names a kind of shape and then breaks the grammar.
    """
    match = SHAPE.fullmatch(line.text)
    if match is None:
        return None
    kind, given = match["kind"].lower(), Given(line.number, match["name"] or "")
    parts, along = _parts(match["rest"], kind, line)
    given.axis = "y"
    if kind in ("cylinder", "capsule", "cone"):
        if not (along or axis):
            raise NotUnderstoodError(f"the axis of a {kind} is not said: write along x, y or z", line.number)
        given.axis = along or axis
    elif along:
        raise NotUnderstoodError(f"a {kind} has no axis", line.number)
    given.give("shape", _sized(kind, parts, line), line.number)
    return given


def _parts(rest: str, kind: str, line: TextLine) -> tuple[dict[str, list[float]], str]:
    """The numbers by the word before them ("" if none), and the axis after `along` ("" if none).

    Raises NotUnderstoodError for another word, and for `along` without an axis.
    """
    words = {"box": ("size",), "sphere": ("radius",), "ellipsoid": ("radii",)}.get(kind, ("radius", "length", "height"))
    found: dict[str, list[float]] = {}
    now, along = "", ""
    for part in _PART.finditer(rest):
        word, said = (part["word"] or "").lower(), part.group()
        if now == "along" and word in ("x", "y", "z") and not along:
            along, now = word, ""
        elif word in (*words, "along") and word not in found:
            now = word
            found |= {} if word == "along" else {word: []}
        elif part["number"] is not None and now != "along":
            found.setdefault(now, []).extend(numbers_of(said, kind, line.number))
        elif not part["gap"]:
            raise NotUnderstoodError(f"{said} after {kind} is not understood", line.number)
    if now == "along":
        raise NotUnderstoodError("along needs x, y or z", line.number)
    return found, along


def _sized(kind: str, parts: dict[str, list[float]], line: TextLine) -> dict[str, object]:
    counts = {"box": ("size", 3), "sphere": ("radius", 1), "ellipsoid": ("radii", 3)}
    if kind in counts:
        name, count = counts[kind]
        values = [value for one in parts.values() for value in one]
        if len(values) != count or len(parts) != 1:
            raise NotUnderstoodError(f"a {kind} needs its {name}, {count} number{'s' * (count > 1)}", line.number)
        if count == 1:
            return ball_of(values[0])
        return box(values) if kind == "box" else ellipsoid(values)
    longs = [name for name in ("length", "height") if name in parts]
    if set(parts) != {"radius", *longs} or len(longs) != 1 or any(len(values) != 1 for values in parts.values()):
        raise NotUnderstoodError(f"a {kind} needs radius and length, each with its word", line.number)
    radius, long = parts["radius"][0], parts[longs[0]][0]
    if kind == "capsule":
        return capsule(radius, long) if longs == ["length"] else capsule_in_all(radius, long, line.number)
    return (cylinder if kind == "cylinder" else cone)(radius, long)
