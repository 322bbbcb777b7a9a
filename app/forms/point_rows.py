"""Reads points in rows: numbers alone, CSV, and prints with a label or an index before each point.

A row is a point, or points in brackets. The numbers may have names: in a header of columns, or before each number.
Without names a row is one of: the numbers of a point; these and a homogeneous 1; the row's number and these; or in
space a point and its unit normal. A row that may be two of these is refused. Conventions and sources are those of
`vertices`.
"""

from __future__ import annotations

import re
from math import isfinite

from msgspec import Struct

from .form import NotUnderstoodError
from .vertices import POINT

NUMBER = r"[-+]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?[fFdD]?|nan|inf(?:inity)?)(?![\w.])"
GAP = r"(?:[ \t]*[,;|][ \t]*|[ \t]+)"
BARE = re.compile(rf"(?i)(?:{NUMBER}{GAP})*{NUMBER}")
GROUP = re.compile(rf"(?i)((?<![\w.:])[A-Za-z][\w.:]*!?)?[(\[{{<]\s*((?:{NUMBER}{GAP})*{NUMBER})\s*[)\]}}>]")
NAMED = re.compile(rf"(?i)(?:\"?([a-z]\w*)\"?\s*[:=]\s*({NUMBER}){GAP}?)+")
ONE_NAMED = re.compile(rf"(?i)\"?([a-z]\w*)\"?\s*[:=]\s*({NUMBER})")
LABEL = re.compile(
    r"(?i)(?:(?P<word>[a-z][a-z_]*?)[ _]?)?(?P<number>\[(?P<a>\d+)\]|\((?P<b>\d+)\)|\#?\d+)?"
    r"(?P<end>\s*[:=]\s*|[.)]\s+|\s+|(?=[(\[{<]))"
)
LABELS = re.compile(r"(?i:(?:v|p|pt|point|vert|vertex|corner|node|vtx)s?|vertices)|[A-EG-M]")
"""Labels that may precede a point: the words of `Vertex 3:` and `p3 =`, or one letter such as `A`."""
COLUMN = r"[\"']?[#A-Za-z_][\w#]*[\"']?"
COLUMNS = re.compile(rf"{COLUMN}(?:{GAP}{COLUMN})+")
NUMBERS, NORMALS = {"#", "id", "index", "idx", "i", "no", "n", "number", "vertex", "point"}, ("nx", "ny", "nz")
PASSED_OVER = {"r", "g", "b", "a", "red", "green", "blue", "alpha", "u", "v", "s", "t", "intensity"}
COUNT = re.compile(r"(?i)(?:(?:num(?:ber of )?_?)?(?:points|vertices|n)\s*(?:[:=]\s*)?)?(\d{1,9})")
NORMAL_SLACK = 1e-2
"""The largest difference of a printed normal's squared length from 1."""


class PointList(Struct, frozen=True):
    """Points of two or three numbers in the order of the text. `notes`: sentences on what was passed over."""

    points: list[list[float]]
    notes: tuple[str, ...] = ()


class PointRow(Struct, frozen=True):
    """A point's numbers as written, and their names if the row has them.

    `bare`: the row has no brackets and no label, so that its first number may be the row's number.
    """

    line: int
    words: list[str]
    bare: bool = False
    names: tuple[str, ...] = ()


def finite_number(word: str, line: int) -> float:
    """The number of a word. Raises NotUnderstoodError if it is none, or is not finite."""
    try:
        value = float(word.rstrip("fFdD") if word[-1:] in "fFdD" and not re.search(r"(?i)inf$", word) else word)
    except ValueError:
        raise NotUnderstoodError(f"{word[:40]} is no number", line) from None
    if not isfinite(value):
        raise NotUnderstoodError(f"{word[:40]} is not a finite number", line)
    return value


def numbers(words: list[str], line: int) -> list[float]:
    """The numbers of words. Raises NotUnderstoodError for a word that is not a finite number."""
    return [finite_number(word, line) for word in words]


def read_rows(rows: list[tuple[int, str]], needed: int) -> PointList | None:
    """The points in rows, each row after its line number; None if the text seems to be code or a print instead.

    `rows`: at least one is not empty. `needed`: the count of numbers of a point, 2 or 3. Raises NotUnderstoodError for
    another row than a point after a header of names or after a row without brackets, `=` and `:`. Raises it for no
    points too, for rows that are not alike, for points in several blocks, and as `by_width`.
    """
    full = [(line, row) for line, row in rows if row]
    names = _names(full[0][1])
    full = full[bool(names) :]
    if len(full) > 1 and (count := COUNT.fullmatch(full[0][1])):
        if int(count[1]) != len(full) - 1:
            raise NotUnderstoodError(f"{count[1]} points are expected by the count, got {len(full) - 1}", full[0][0])
        full = full[1:]
    found: list[PointRow] = []
    certain = bool(names)
    for line, row in full:
        points = _points(line, row)
        if points is None:
            if certain:
                raise NotUnderstoodError(f"{row[:40]} is not understood as a point", line)
            return None
        certain = certain or not re.search(r"[(\[{<=:]", row)
        found += points
    if not found:
        raise NotUnderstoodError("The text has no points.")
    _one_block(rows, {row.line for row in found})
    if other := next((row for row in found if (row.bare, row.names) != (found[0].bare, found[0].names)), None):
        raise NotUnderstoodError("this row is not written as the first one", other.line)
    if names or found[0].names:
        return _by_names(found, names or found[0].names, needed)
    return by_width([(row.line, row.words) for row in found], needed, bare=found[0].bare)


def _names(row: str) -> tuple[str, ...]:
    """The names of columns in a row, in lower case; none unless x and y are among them."""
    said = tuple(re.split(r"[\s,;|]+", re.sub(r"[\"']", "", row).lower())) if COLUMNS.fullmatch(row) else ()
    return said if {"x", "y"} <= set(said) else ()


def _one_block(rows: list[tuple[int, str]], of_points: set[int]) -> None:
    """Raises NotUnderstoodError if empty lines divide the points into blocks, of which one may be faces.

    An empty line after each point is allowed. `of_points`: the line numbers of points.
    """
    starts, ended, blocks = list[int](), True, 0
    for line, row in rows:
        if line in of_points and ended:
            starts.append(line)
        ended = not row or (ended and line not in of_points)
        blocks += line in of_points
    if 1 < len(starts) < blocks:
        raise NotUnderstoodError(f"empty lines divide the rows into {len(starts)} lists, expected one", starts[1])


def _points(line: int, row: str) -> list[PointRow] | None:
    """The points of a row: one, or several in brackets; None if the row has anything else.

    Raises NotUnderstoodError for a number that is not understood.
    """
    row = re.split("#|//", row, maxsplit=1)[0].strip(" \t,;")
    if BARE.fullmatch(row):
        return [PointRow(line, _divided(row, line), bare=True)]
    rest = _unlabelled(row, line)
    if BARE.fullmatch(rest):
        return [PointRow(line, _divided(rest, line))]
    if groups := _groups(rest):
        return [PointRow(line, _divided(part, line)) for one in groups for part in _matrix_rows(one[2])]
    inside = rest.strip("()[]{}<>")
    if NAMED.fullmatch(inside):
        pairs = ONE_NAMED.findall(inside)
        return [PointRow(line, [value for _, value in pairs], names=tuple(name.lower() for name, _ in pairs))]
    return None


def _groups(row: str) -> list[re.Match[str]]:
    """The brackets with points, which may be a call's such as `Vec3(...)`; none if the row has anything else."""
    groups = list(GROUP.finditer(row))
    points = all(one[1] is None or POINT.fullmatch(one[1]) for one in groups)
    return groups if points and not re.sub(r"[\s,;]+", "", GROUP.sub("", row)) else []


def _unlabelled(row: str, line: int) -> str:
    """The row without the label before its point. Raises NotUnderstoodError for a label that is not in LABELS."""
    label = LABEL.match(row)
    if label is None or label.end() == len(row):
        return row
    word, after = label["word"] or "", row[label.end() :].strip()
    apart = bool(label["end"].strip()) or (not word and (label["a"] or label["b"]))
    if not (BARE.fullmatch(after) and apart) and not _groups(after):
        return row
    if not word and label["end"].strip() == "" and not apart:
        return row
    if POINT.fullmatch(row[: label.end()].strip()):
        return row
    if word and not LABELS.fullmatch(word):
        raise NotUnderstoodError(f"{word[:40]} is not understood before a point", line)
    return after


def _matrix_rows(inside: str) -> list[str]:
    """The rows of a matrix as MATLAB writes it, `0 0 0; 1 0 0`; one row for any other list."""
    parts = inside.split(";")
    return parts if all(re.search(r"\S[\s,]+\S", part.strip()) for part in parts) else [inside]


def _divided(row: str, line: int) -> list[str]:
    """The words of a row's numbers. Raises NotUnderstoodError for `0,5 1,5`: the comma may be a decimal point."""
    if re.search(r"\d,\d", row) and re.search(r"\d\s+[-+.\d]|;", row):
        raise NotUnderstoodError("a comma between digits may be a decimal point: write points", line)
    return re.split(GAP, row.strip())


def _by_names(rows: list[PointRow], names: tuple[str, ...], needed: int) -> PointList:
    axes, line = "xyz"[:needed], rows[0].line
    for name in names:
        if name not in {"x", "y", "z", "w", *NUMBERS, *NORMALS, *PASSED_OVER} or names.count(name) > 1:
            raise NotUnderstoodError(f"the column {name[:40]} is not understood", line)
    if ("z" in names) != (needed == 3):
        raise wrong_dimension(3 if "z" in names else 2, needed, line)
    points: list[list[float]] = []
    for place, row in enumerate(rows):
        values = numbers(row.words, row.line)
        if len(values) == len(names) + 1 and values[0] == place:
            values = values[1:]
        if len(values) != len(names):
            raise NotUnderstoodError(f"a row has {len(values)} numbers, and {len(names)} columns have names", row.line)
        said = dict(zip(names, values, strict=True))
        if said.get("w", 1.0) != 1.0:
            raise NotUnderstoodError(f"w must be 1, got {said['w']:g}", row.line)
        points.append([said[axis] for axis in axes])
    over = [name for name in names if name not in axes]
    return PointList(points, (f"Passed over: {', '.join(over)}.",) if over else ())


def wrong_dimension(width: int, needed: int, line: int) -> NotUnderstoodError:
    """The refusal of points of `width` numbers in a scene whose points need `needed`."""
    where = "space, where points have three numbers" if needed == 3 else "the plane, where points have two"
    return NotUnderstoodError(f"the points have {width} numbers, and the scene is of {where}", line)


HOMOGENEOUS = "The last number of each row is a homogeneous 1."
NUMBERED = "The first number of each row is the row's number."


def by_width(rows: list[tuple[int, list[str]]], needed: int, *, bare: bool = False) -> PointList:
    """The points of rows without names, each row after its line number. `bare`: the rows have no brackets or labels.

    `needed`: the count of numbers of a point. Raises NotUnderstoodError if rows differ in their count of numbers, or if
    the count can mean two things or nothing.
    """
    values = [numbers(words, line) for line, words in rows]
    width, first = len(values[0]), rows[0][0]
    for (line, _), row in zip(rows, values, strict=True):
        if len(row) != width:
            raise NotUnderstoodError(f"a row has {len(row)} numbers, and the first has {width}", line)
    # One row alone shows no pattern: six numbers may be three points of the plane as well.
    several = len(values) > 1
    ones = several and all(row[-1] == 1.0 for row in values)
    counts = _counts([words[0] for _, words in rows])
    if width == needed:
        if bare and counts and needed == 3:
            raise NotUnderstoodError("a row may be x y z, or its number and x y", first)
        return PointList(values)
    if width == needed + 1 and ones and counts:
        either = f"{' '.join('xyz'[:needed])} 1, or its number and {' '.join('xyz'[:needed])}"
        raise NotUnderstoodError(f"a row may be {either}", first)
    if width == needed + 1 and counts:
        return PointList([row[1:] for row in values], (NUMBERED,))
    if width == needed + 1 and ones:
        return PointList([row[:-1] for row in values], (HOMOGENEOUS,))
    if width in (2, 3):
        raise wrong_dimension(width, needed, first)
    if width == 6 and needed == 3 and several and all(_unit(row[3:]) for row in values):
        if all(_unit(row[:3]) for row in values) and any(row[:3] != row[3:] for row in values):
            raise NotUnderstoodError("a row may be a point and its normal, or two points", first)
        return PointList([row[:3] for row in values], ("The last three numbers of each row are its normal.",))
    told = "three" if needed == 3 else "two"
    raise NotUnderstoodError(f"a point has {told} numbers, got {width}: write each point in a line of its own", first)


def _unit(row: list[float]) -> bool:
    return abs(sum(one * one for one in row) - 1.0) <= NORMAL_SLACK


def _counts(words: list[str]) -> bool:
    """Whether the first numbers of three rows or more are whole and count from 0 or 1."""
    if len(words) < 3 or not all(re.fullmatch(r"\d{1,9}\.?", word) for word in words):
        return False
    first = int(words[0].rstrip("."))
    return first in (0, 1) and all(int(word.rstrip(".")) == first + k for k, word in enumerate(words))
