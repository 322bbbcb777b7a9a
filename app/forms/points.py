"""Points of one body, as "Paste points" takes them: OBJ, PLY and STL in letters, JSON, code, prints and rows.

Faces, indices and normals are no points. A fourth number is a homogeneous 1 at the end, or the row's number at its
beginning; six numbers are a point and its unit normal. Whatever is neither is refused.

Sources, read in November 2026: 3D Systems' ASCII STL (rpdrc.ic.polyu.edu.hk, stl_ascii_format), Wavefront OBJ
(liquisearch.com, wavefront_obj_file), PLY by its published files (people.sc.fsu.edu, data/ply), and those of
`vertices`.
"""

from __future__ import annotations

import re
from math import isfinite

from msgspec import Struct

from .form import LONGEST, NotUnderstoodError
from .vertices import ROWS, clouds_of

OBJ_WORDS = {"vn", "vt", "vp", "f", "l", "p", "o", "g", "s", "usemtl", "mtllib"}
"""Words of OBJ whose lines hold no points."""
STL_WORDS = re.compile(r"(?i)solid\b.*|endsolid\b.*|facet\s+normal(?:\s+\S+){3}|outer\s+loop|endloop|endfacet")
NORMAL_SLACK = 1e-2
"""How far a printed normal may be from unit length."""


class PointList(Struct, frozen=True):
    """Points of two or three numbers in the order of the text; `notes`: what was passed over."""

    points: list[list[float]]
    notes: tuple[str, ...] = ()


def read_points(text: str, dimension: int) -> PointList:
    """The points in a text for a body of space (3) or of the plane (2). Raises NotUnderstoodError."""
    if len(text) > LONGEST:
        raise NotUnderstoodError(f"The text has {len(text):,} characters; points have at most {LONGEST:,}.")
    plain = text.replace("\r\n", "\n").replace("\u2212", "-")
    rows = [(k, row.strip()) for k, row in enumerate(plain.split("\n"), 1)]
    full = [(k, row) for k, row in rows if row and not row.startswith("#")]
    if not full:
        raise NotUnderstoodError("The text has no points.")
    first = full[0][1].split()
    if first == ["ply"]:
        found = _ply(full)
    elif first[0].lower() in ("solid", "facet"):
        found = _stl(full)
    elif any(re.match(r"v\s", row) for _, row in full):
        found = _obj(full)
    elif ROWS.fullmatch(f"{plain}\n"):
        found = _rows([(k, re.split(r"[\s,;]+", row.strip(" \t,;"))) for k, row in full])
    else:
        clouds = clouds_of(plain)
        if len(clouds) != 1:
            line = clouds[1].line if len(clouds) > 1 else 0
            raise NotUnderstoodError(f"found {len(clouds)} lists of points, expected one", line)
        found = _of_width([(clouds[0].line, point) for point in clouds[0].points])
    width = len(found.points[0])
    if width != dimension:
        where = "space, where points have three numbers" if dimension == 3 else "the plane, where points have two"
        raise NotUnderstoodError(f"the points have {width} numbers, and the scene is of {where}", full[0][0])
    return found


def _numbers(words: list[str], line: int) -> list[float]:
    found: list[float] = []
    for word in words:
        try:
            value = float(word)
        except ValueError:
            raise NotUnderstoodError(f"{word[:40]} is no number", line) from None
        if not isfinite(value):
            raise NotUnderstoodError(f"{word[:40]} is not a finite number", line)
        found.append(value)
    return found


def _rows(rows: list[tuple[int, list[str]]]) -> PointList:
    """Rows of numbers, with a count before them or none."""
    numbers = [(line, _numbers(words, line)) for line, words in rows]
    if len(rows[0][1]) == 1:
        count, numbers, rows = numbers[0][1][0], numbers[1:], rows[1:]
        if count != len(numbers) or not numbers:
            raise NotUnderstoodError(f"{count:g} points are expected by the count, got {len(numbers)}", 1)
    widths = {len(values) for _, values in numbers}
    whole = all(re.fullmatch(r"\d+", words[0]) for _, words in rows)
    broken = any("." in word for _, words in rows for word in words[1:])
    if widths == {3} and whole and broken and len(rows) > 1 and _counts(numbers):
        return PointList([values[1:] for _, values in numbers], ("The first number of each row is its number.",))
    return _of_width(numbers)


def _counts(rows: list[tuple[int, list[float]]]) -> bool:
    """Whether the first numbers count from 0 or 1."""
    first = [values[0] for _, values in rows]
    return first[0] in (0.0, 1.0) and all(value == first[0] + k for k, value in enumerate(first))


def _of_width(rows: list[tuple[int, list[float]]]) -> PointList:
    """Points of rows of two, three, four or six numbers."""
    if not rows:
        raise NotUnderstoodError("The text has no points.")
    width = len(rows[0][1])
    for line, values in rows:
        if len(values) != width:
            raise NotUnderstoodError(f"a row has {len(values)} numbers, and the first has {width}", line)
    points = [values for _, values in rows]
    if width in (2, 3):
        return PointList(points)
    if width == 4:
        ones, counts = all(values[3] == 1.0 for values in points), _counts(rows)
        if ones and counts:
            raise NotUnderstoodError("a row may be x y z 1, or its number and x y z", rows[0][0])
        if ones:
            return PointList([values[:3] for values in points], ("The fourth number 1 is homogeneous.",))
        if counts:
            return PointList([values[1:] for values in points], ("The first number of each row is its number.",))
    if width == 6 and all(abs(sum(one * one for one in values[3:]) - 1.0) <= NORMAL_SLACK for values in points):
        return PointList([values[:3] for values in points], ("The last three numbers of each row are its normal.",))
    raise NotUnderstoodError(f"a point has two or three numbers, got {width}", rows[0][0])


def _obj(rows: list[tuple[int, str]]) -> PointList:
    points: list[list[float]] = []
    for line, row in rows:
        word, *rest = row.partition("#")[0].split()
        if word != "v":
            if word not in OBJ_WORDS:
                raise NotUnderstoodError(f"{word[:40]} is not understood in an OBJ", line)
            continue
        values = _numbers(rest, line)
        if len(values) not in (3, 4, 6) or (len(values) == 4 and values[3] != 1.0):
            raise NotUnderstoodError(f"v needs 3 numbers, got {len(values)}", line)
        points.append(values[:3])
    return PointList(points, ("Faces and normals of the OBJ are passed over.",))


def _stl(rows: list[tuple[int, str]]) -> PointList:
    points: dict[tuple[float, ...], None] = {}
    for line, row in rows:
        word, *rest = row.split()
        if word.lower() == "vertex":
            values = _numbers(rest, line)
            if len(values) != 3:
                raise NotUnderstoodError(f"vertex needs 3 numbers, got {len(values)}", line)
            points[tuple(values)] = None
        elif not STL_WORDS.fullmatch(row):
            raise NotUnderstoodError(f"{row[:40]} is not understood in an STL", line)
    if not points or not rows[-1][1].lower().startswith("endsolid"):
        raise NotUnderstoodError("the STL has no endsolid", rows[-1][0])
    return PointList([list(point) for point in points], ("Normals of the STL are passed over.",))


def _ply(rows: list[tuple[int, str]]) -> PointList:
    count, names, element, start = -1, list[str](), "", 0
    for k, (line, row) in enumerate(rows):
        said = row.split()
        if said[0] == "format" and said[1:2] != ["ascii"]:
            raise NotUnderstoodError("a PLY in letters (ascii) is expected", line)
        if said[0] == "element" and len(said) == 3 and said[2].isdigit():
            if said[1] == "vertex" and element:
                raise NotUnderstoodError("vertices must be the first element of a PLY", line)
            element = said[1]
            count = int(said[2]) if element == "vertex" else count
        elif said[0] == "property" and element == "vertex":
            names.append(said[-1])
        elif said[0] == "end_header":
            start = k + 1
            break
        elif said[0] not in ("ply", "format", "comment", "obj_info", "property"):
            raise NotUnderstoodError(f"{said[0][:40]} is not understood in a PLY's header", line)
    if not start or count < 1 or not {"x", "y", "z"} <= set(names):
        raise NotUnderstoodError("a PLY's header needs its vertices with x, y and z, and end_header", rows[-1][0])
    lines = rows[start : start + count]
    if len(lines) < count:
        raise NotUnderstoodError(f"the header tells of {count} vertices, got {len(lines)}", rows[-1][0])
    points: list[list[float]] = []
    for line, row in lines:
        values = _numbers(row.split(), line)
        if len(values) != len(names):
            raise NotUnderstoodError(f"a vertex needs {len(names)} numbers, got {len(values)}", line)
        points.append([values[names.index(letter)] for letter in "xyz"])
    for line, row in rows[start + count :]:
        _numbers(row.split(), line)
    return PointList(points, ("Faces of the PLY are passed over.",))
