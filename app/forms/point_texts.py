"""Points in texts that are no code: rows of numbers, numpy's print, WKT, and rows with a label and points."""

from __future__ import annotations

import re
from math import isfinite

from msgspec import Struct

from .form import NotUnderstoodError

Points = list[list[float]]
MOVES = re.compile(
    r"(?i)rot|quat|orient|euler|angle|transform|matrix|pose|scale|offset|translat|origin|cent(?:re|er)|normal|extent"
    r"|size|radius|velocit|direction|axis|axes|gravity|^(?:pos|position|loc|location)_?[a-rt-z0-9]?$|^(?:min|max)|^[rq]$"
)
"""Names of lists that move, turn or size a body, or are no points of it."""


class Cloud(Struct):
    """A body's points, or the one coordinate of each."""

    name: str
    line: int
    points: Points
    letter: str = ""
    flat: list[float] = []


ROWS = re.compile(r"[\d\s.eE+\-,;]*+")
"""Numbers alone, in rows."""
PRINT = re.compile(r"[\w\s.+\-\[\]:=]*")
"""Brackets, numbers and names, with no commas between them."""
WKT = re.compile(r"(?i)\bPOLYGON\s*(?:Z\s*)?\(\s*\(\s*[-+.\d]+\s+[-+.\d]")
KIND = r"(?:(?:triangle|tetrahedron|polygon|hull|convex|points|vertices|verts|body|shape|mesh|simplex|quad)[ \t]++)*"
ROUND = r"[(<\[{][-+\d.][^()\[\]{}<>a-df-z]*[)>\]}]"
LABELLED = re.compile(
    rf"(?i)[ \t]*+{KIND}(?P<name>[a-z_]\w*+)[ \t]*+(?:[:=][ \t]*+)?"
    rf"(?P<points>{ROUND}(?:[ \t,;]*+{ROUND})++)[ \t,;]*+"
)
"""A row with a label and points: `triangle A: (0,0,0) (1,0,0)`."""


def _number(said: str, line: int) -> float:
    """A finite number. Raises NotUnderstoodError."""
    try:
        value = float(said)
    except ValueError:
        raise NotUnderstoodError(f"{said[:40]} is no number", line) from None
    if not isfinite(value):
        raise NotUnderstoodError(f"{said[:40]} is too large for double precision", line)
    return value


def in_labels(text: str) -> list[Cloud]:
    """Rows with a label each."""
    clouds: list[Cloud] = []
    for line, row in enumerate(text.split("\n"), 1):
        match = LABELLED.fullmatch(row)
        if match is None:
            continue
        no_move(match["name"], line)
        points = [
            [_number(word, line) for word in re.split(r"[\s,;]+", inside.strip()) if word]
            for inside in re.findall(r"[(<\[{]([^()\[\]{}<>]*)[)>\]}]", match["points"])
        ]
        clouds.append(Cloud(match["name"], line, points))
    return clouds


def in_wkt(text: str) -> list[Cloud]:
    """Polygons of WKT with one ring each."""
    clouds: list[Cloud] = []
    place = 0
    for match in re.finditer(r"(?i)POLYGON\s*(?:Z\s*)?\(\s*\(([^()]*)\)\s*(\)|,)", text):
        line = text.count("\n", 0, match.start()) + 1
        _nothing(text[place : match.start()], text.count("\n", 0, place) + 1)
        place = match.end()
        if match[2] == ",":
            raise NotUnderstoodError("a polygon has more than one ring: a hole is not convex", line)
        points = [[_number(word, line) for word in point.split()] for point in match[1].split(",")]
        if len(points) > 1 and points[0] == points[-1]:
            points.pop()
        clouds.append(Cloud("", line, points))
    _nothing(text[place:], text.count("\n", 0, place) + 1)
    return clouds


def _nothing(between: str, line: int) -> None:
    """Raises NotUnderstoodError unless only a name with its sign, and marks, stand between two polygons."""
    if not re.fullmatch(r"[\s,;'\"]*+(?:[A-Za-z]\w*+\s*+[:=][\s,;'\"]*+)?", between):
        line += between.count("\n", 0, len(between) - len(between.lstrip()))
        raise NotUnderstoodError(f"{between.split()[0][:40]} is not understood", line)


def no_move(name: str, line: int) -> None:
    """Raises NotUnderstoodError for a list whose name says that it is no list of points of the world."""
    if MOVES.search(name):
        raise NotUnderstoodError(f"{name} is not understood beside lists of points", line)


def in_rows(text: str) -> list[Cloud]:
    """OpenGJK's file, which has a count before its rows; or two blocks of rows with an empty line between them."""
    rows = [
        (line, [_number(word, line) for word in re.split(r"[\s,;]+", row.strip(" \t,;\r")) if word])
        for line, row in enumerate(text.split("\n"), 1)
    ]
    first = next((values for _, values in rows if values), [])
    clouds: list[Cloud] = []
    if len(first) == 1:
        return _counted(rows)
    fresh = True
    for line, values in rows:
        if not values:
            fresh = True
            continue
        if fresh:
            clouds.append(Cloud("", line, []))
            fresh = False
        if len(values) not in (2, 3):
            raise NotUnderstoodError(f"a point has two or three numbers, got {len(values)}", line)
        clouds[-1].points.append(values)
    if lone := next((cloud for cloud in clouds if len(cloud.points) == 1), None):
        raise NotUnderstoodError("one row alone is no list of points", lone.line)
    return clouds


def _counted(rows: list[tuple[int, list[float]]]) -> list[Cloud]:
    clouds: list[Cloud] = []
    left = 0
    for line, values in rows:
        if not values:
            continue
        if left == 0:
            if len(values) != 1 or values[0] != int(values[0]) or values[0] < 1.0:
                raise NotUnderstoodError("a count of points is expected", line)
            left = int(values[0])
            clouds.append(Cloud("", line, []))
            continue
        if len(values) not in (2, 3):
            raise NotUnderstoodError(f"a point has two or three numbers, got {len(values)}", line)
        clouds[-1].points.append(values)
        left -= 1
    if left:
        raise NotUnderstoodError(f"{left} more point{'s' * (left != 1)} expected by the count", rows[-1][0])
    return clouds


def in_print(text: str) -> list[Cloud]:
    """Numpy's print: rows in brackets, with spaces between the numbers."""
    clouds: list[Cloud] = []
    depth, line, name = 0, 1, ""
    for token in re.finditer(r"\[|\]|\n|[:=]|[^\s\[\]:=]+", text):
        said = token.group()
        if said == "\n":
            line += 1
        elif said == "[":
            depth += 1
            if depth == 1:
                clouds.append(Cloud(name, line, []))
                name = ""
            elif depth == 2:
                clouds[-1].points.append([])
            else:
                raise NotUnderstoodError("a list of points has two brackets, not three", line)
        elif said == "]":
            depth -= 1
            if depth < 0:
                raise NotUnderstoodError("] closes no bracket", line)
        elif depth == 0 and said in ":=":
            if not name:
                raise NotUnderstoodError(f"{said} is not understood here", line)
        elif depth == 0 and re.fullmatch(r"[A-Za-z_]\w*", said):
            if name and not re.fullmatch(KIND, f"{name} ", re.IGNORECASE):
                raise NotUnderstoodError(f"{said} is not understood", line)
            no_move(said, line)
            name = said
        else:
            value = _number(said, line)
            if depth != 2:
                raise NotUnderstoodError(f"{said[:40]} stands outside of a point", line)
            clouds[-1].points[-1].append(value)
    if depth or name:
        raise NotUnderstoodError("a bracket is not closed" if depth else f"{name} is not understood", line)
    return clouds
