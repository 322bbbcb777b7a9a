"""Vertices alone: two lists of points of the world, as code of any language, a print of numpy, or openGJK's file.

Points of three numbers make hulls in space, points of two make polygons of the plane, in the order of the text. Lists
of x and of y (and z) of one body may stand one after the other. Faces, where a record has them, are passed over. In the
plane y points up unless the text says "y down". Sources: openGJK 2023 (userP.dat: a count, then a row a point), numpy's
printing of arrays, the code that `code` reads. No form says where a body stands: its points are where they are.
"""

from __future__ import annotations

import re

import numpy as np
from msgspec import Struct

from .bodies import Given, World, hull, pair_of
from .code import Assign, Call, Declare, Items, Name, Number, Record, Statement, Value, evaluated, statements, words
from .form import Form, NotUnderstoodError, ReadPair

POINT = re.compile(
    r"(?:\w+\.)*(?:Vec(?:tor)?_?[23]?[dfDF]?|Point_?[23]?[DdFf]?|glm\.vec[23]|vec[23]|float[23]|PVector|P|V|sf\.Vector2f"
    r"|Vector[23]f?|Vector[23]d|b2Vec2|cpv|btVector3|Coordinate|point!|vector!|vertex|new|make_float[23])",
    re.IGNORECASE,
)
"""Calls that make a point of their numbers."""
LIST = re.compile(
    r"(?:\w+\.)*(?:array|asarray|list|List|tuple|Arrays\.asList|asList|vec!|Float32Array|Float64Array|of|tensor|Matrix"
    r"|vector|ArrayList|Polygon|ConvexHull|ConvexPolygon|Shape|MultiPoint|Point3D\[\]|float\[\]|double\[\])$"
)
"""Calls that make a list of the values inside."""
ADDS = {"add", "append", "push", "push_back", "emplace_back", "Add", "addPoint", "addVertex", "vertex"}
"""Methods that add a point to the list that they are called on."""
POINTS = {"vertices", "verts", "points", "coords", "positions", "position", "v", "pts", "corners"}
PASSED_OVER = {"faces", "indices", "tris", "triangles", "face", "name", "id", "color", "dtype", "index", "edges"}
NAMES = {"import", "from", "using", "include", "package"}
EXAMPLES = (
    "A = [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]\nB = [[0.2,0.2,0.2],[1.2,0.2,0.2],[0.2,1.2,0.2],[0.2,0.2,1.2]]",
    "poly1 = [(0, 0), (1, 0), (1, 1), (0, 1)]\npoly2 = [(0.9, 0), (1.9, 0), (1.9, 1), (0.9, 1)]",
    "4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n\n4\n0.2 0.2 0.2\n1.2 0.2 0.2\n0.2 1.2 0.2\n0.2 0.2 1.2\n",
    "[[0.  0.  0. ]\n [1.  0.  0. ]\n [0.  1.  0. ]]\n[[0.2 0.2 1. ]]",
)
Points = list[list[float]]


class _Cloud(Struct):
    """A body's points, or the one coordinate of each."""

    name: str
    line: int
    points: Points
    letter: str = ""
    flat: list[float] = []


def read(text: str) -> ReadPair:
    """The pair of two lists of points. Raises NotUnderstoodError."""
    if "..." in text and re.search(r"\.\.\.\s*[,\]\n]|\[\s*\.\.\.", text):
        line = text[: text.index("...")].count("\n") + 1
        raise NotUnderstoodError('the print is cut: "..." stands for numbers that are not in the text', line)
    clouds = _rows(text) if ROWS.fullmatch(text) else _printed(text) if PRINT.fullmatch(text) else _code(text)
    return _pair(clouds, y_down=bool(re.search(r"(?i)\by[ -]?(?:axis )?(?:is )?down\b", text)))


ROWS = re.compile(r"\s*\d+[ \t]*\n(?:[ \t]*(?:[-+]?[\d.]+(?:[eE][-+]?\d+)?[ \t,;]*)+\n?|\s*\n)+\s*")
"""A count, then rows of numbers."""
PRINT = re.compile(r"[\s\d.eE+\-\[\]]*\[[\s\d.eE+\-\[\]]*")
"""Brackets and numbers with nothing else between them."""


def _pair(clouds: list[_Cloud], *, y_down: bool) -> ReadPair:
    given: list[Given] = []
    sizes = {len(point) for cloud in clouds for point in cloud.points}
    if len(sizes) > 1:
        line = next(cloud.line for cloud in clouds if len(cloud.points[0]) != len(clouds[0].points[0]))
        raise NotUnderstoodError("points of two and of three numbers stand in one pair", line)
    for cloud in clouds:
        body = Given(cloud.line, cloud.name, position=np.zeros(3), turn=np.eye(3))
        body.shape = {"type": "polygon", "points": cloud.points} if sizes == {2} else hull(cloud.points)
        given.append(body)
    if given:
        given[0].notes.append("The points are taken as those of the world: no position or rotation is in the text.")
    return pair_of(given, World("the text", flat=sizes == {2}, y_down=y_down and sizes == {2}))


def _rows(text: str) -> list[_Cloud]:
    """OpenGJK's file: a count, then as many rows."""
    clouds: list[_Cloud] = []
    left = 0
    for line, row in enumerate(text.split("\n"), 1):
        values = [float(word) for word in re.split(r"[\s,;]+", row.strip(" \t,;\r")) if word]
        if not values:
            continue
        if left == 0:
            if len(values) != 1 or values[0] != int(values[0]) or values[0] < 1.0:
                raise NotUnderstoodError("a count of points is expected", line)
            left = int(values[0])
            clouds.append(_Cloud("", line, []))
            continue
        if len(values) not in (2, 3):
            raise NotUnderstoodError(f"a point has two or three numbers, got {len(values)}", line)
        clouds[-1].points.append(values)
        left -= 1
    if left:
        raise NotUnderstoodError(f"{left} more points are expected by the count", text.count("\n") + 1)
    return clouds


def _printed(text: str) -> list[_Cloud]:
    """Numpy's print: rows in brackets, with spaces between the numbers."""
    clouds: list[_Cloud] = []
    depth, line = 0, 1
    for token in re.finditer(r"\[|\]|\n|[^\s\[\]]+", text):
        said = token.group()
        if said == "\n":
            line += 1
        elif said == "[":
            depth += 1
            if depth == 1:
                clouds.append(_Cloud("", line, []))
            elif depth == 2:
                clouds[-1].points.append([])
            else:
                raise NotUnderstoodError("a list of points has two brackets, not three", line)
        elif said == "]":
            depth -= 1
            if depth < 0:
                raise NotUnderstoodError("] closes no bracket", line)
        else:
            try:
                value = float(said)
            except ValueError:
                raise NotUnderstoodError(f"{said[:40]} is no number", line) from None
            if depth != 2:
                raise NotUnderstoodError(f"{said[:40]} stands outside of a point", line)
            clouds[-1].points[-1].append(value)
    if depth:
        raise NotUnderstoodError("a bracket is not closed", line)
    return [_checked(cloud) for cloud in clouds]


def _code(text: str) -> list[_Cloud]:
    clouds: list[_Cloud] = []
    for statement in statements(re.sub(r"(?im)^\s*(?:#|//)?\s*y[ -]?(?:axis )?(?:is )?down\s*$", "", text)):
        _take(statement, clouds)
    return [_checked(cloud) for cloud in _joined(clouds)]


def _take(statement: Statement, clouds: list[_Cloud]) -> None:
    value: Value | None = statement if not isinstance(statement, Assign | Declare) else statement.value
    name = statement.target if isinstance(statement, Assign | Declare) else ""
    if value is None:
        return
    if isinstance(value, Call) and value.last in ADDS and value.args:
        _add(value, clouds)
        return
    if isinstance(statement, Name) and statement.path.split(".")[0] in NAMES:
        return
    if isinstance(value, Record):
        _record(value, name, clouds)
        return
    if isinstance(value, Call) and LIST.search(value.path) and not value.args and not value.named:
        return
    found = _values(value)
    if found is None:
        raise NotUnderstoodError(f"{words(statement)} is not understood", statement.line)
    # Two lists of points in one bracket are two bodies.
    if found and all(isinstance(one, list) and one and isinstance(one[0], list) for one in found):
        clouds.extend(_Cloud(name, statement.line, one) for one in found)
        return
    clouds.append(_cloud(name, statement.line, found))


def _cloud(name: str, line: int, found: list) -> _Cloud:  # type: ignore[type-arg]
    if not found:
        raise NotUnderstoodError("a list of points is empty", line)
    if all(isinstance(one, float) for one in found):
        letter = re.search(r"(?i)(?:^|_|verts?|points?|coords?|pos)([xyz])s?$|^([xyz])s?\d*$", name)
        return _Cloud(
            name, line, [], next((one for one in letter.groups() if one), "").lower() if letter else "", found
        )
    if not all(isinstance(one, list) for one in found):
        raise NotUnderstoodError("points and numbers stand in one list", line)
    return _Cloud(name, line, found)


def _add(call: Call, clouds: list[_Cloud]) -> None:
    """`list.add(point)`: a point of the body whose list has this name."""
    owner = call.path.rpartition(".")[0]
    point = _values(Items(call.args, call.line)) if len(call.args) != 1 else _values(call.args[0])
    if point is None or not all(isinstance(one, float) for one in point):
        raise NotUnderstoodError(f"{words(call)} is not understood", call.line)
    cloud = next((cloud for cloud in clouds if cloud.name == owner), None)
    if cloud is None:
        cloud = _Cloud(owner, call.line, [])
        clouds.append(cloud)
    cloud.points.append(point)


def _record(record: Record, name: str, clouds: list[_Cloud]) -> None:
    """JSON: points under a name, or a record for each body."""
    given = {key.lower(): value for key, value in record.items.items()}
    named = [key for key in given if key in POINTS]
    for key, value in given.items():
        if key in POINTS or key in PASSED_OVER:
            continue
        if isinstance(value, Record) and not named:
            _record(value, key, clouds)
        elif not named and (found := _values(value)) is not None:
            clouds.append(_cloud(key, value.line, found))
        elif not _is_zero(value):
            raise NotUnderstoodError(f"{key} is not understood", value.line)
    if len(named) > 1:
        raise NotUnderstoodError(f"{' and '.join(named)} both have points", record.line)
    for key in named:
        found = _values(given[key])
        if found is None:
            raise NotUnderstoodError(f"{key} is not understood", given[key].line)
        cloud = _cloud(name or key, given[key].line, found)
        clouds.append(_in_threes(cloud) if cloud.flat else cloud)


def _is_zero(value: Value) -> bool:
    found = _values(value)
    return found is not None and bool(found) and all(isinstance(one, float) and one == 0.0 for one in found)


def _values(value: Value) -> list | None:  # type: ignore[type-arg]
    """Numbers and lists of a value, nested as they are; None where a part of it is neither."""
    if isinstance(value, Call):
        if value.of is not None or not (POINT.fullmatch(value.path) or LIST.search(value.path)):
            return None
        if set(value.named) - {"dtype", "order", "requires_grad"}:
            return None
        if LIST.search(value.path) and len(value.args) == 1 and isinstance(value.args[0], Items):
            return _values(value.args[0])
        return _values(Items(value.args, value.line))
    if isinstance(value, Record) and set(value.items) in ({"x", "y"}, {"x", "y", "z"}):
        return _values(Items(tuple(value.items[key] for key in "xyz" if key in value.items), value.line))
    if not isinstance(value, Items):
        return None
    found: list = []  # type: ignore[type-arg]
    for one in value.items:
        number = evaluated(one)
        inner = number if number is not None else _values(one)
        if inner is None:
            return None
        found.append(inner)
    return found


def _joined(clouds: list[_Cloud]) -> list[_Cloud]:
    """Lists of x, y and z of one body made into points; flat lists of numbers cut in threes."""
    found: list[_Cloud] = []
    waiting: list[_Cloud] = []
    for cloud in clouds:
        if not cloud.flat:
            found.append(cloud)
            continue
        if not cloud.letter:
            found.append(_in_threes(cloud))
            continue
        if waiting and cloud.letter == "x":
            found.append(_columns(waiting))
            waiting = []
        waiting.append(cloud)
    if waiting:
        found.append(_columns(waiting))
    return found


def _columns(lists: list[_Cloud]) -> _Cloud:
    letters = "".join(cloud.letter for cloud in lists)
    if letters not in ("xy", "xyz") or len({len(cloud.flat) for cloud in lists}) > 1:
        raise NotUnderstoodError("lists of x and y (and z), equally long, are expected", lists[0].line)
    points = [list(point) for point in zip(*(cloud.flat for cloud in lists), strict=True)]
    return _Cloud(lists[0].name, lists[0].line, points)


def _in_threes(cloud: _Cloud) -> _Cloud:
    count = len(cloud.flat)
    if count == 0 or count % 3:
        raise NotUnderstoodError(f"a flat list has three numbers a point, got {count}", cloud.line)
    if count % 2 == 0:
        either = "which may be points of two or of three: write a bracket round each point"
        raise NotUnderstoodError(f"{cloud.name or 'the list'} has {count} numbers, {either}", cloud.line)
    return _Cloud(cloud.name, cloud.line, np.array(cloud.flat).reshape(-1, 3).tolist())


def _checked(cloud: _Cloud) -> _Cloud:
    """The points with two or three numbers each. Raises NotUnderstoodError for rows with a number before them, too."""
    counts = {len(point) if isinstance(point, list) else 0 for point in cloud.points}
    if not cloud.points:
        raise NotUnderstoodError("a list of points is empty", cloud.line)
    if counts - {2, 3} or len(counts) > 1 or any(isinstance(one, list) for point in cloud.points for one in point):
        told = f"{len(cloud.points[0])} numbers" if len(counts) == 1 and counts != {0} else "points of different length"
        raise NotUnderstoodError(f"a point has two or three numbers, got {told}", cloud.line)
    return cloud


_ = Number
FORM = Form(
    "vertices",
    "Vertices alone",
    "openGJK 2023, numpy's printing, code as app/forms/code.py reads it",
    re.compile(
        r"[\[({]\s*(?:new\s+)?(?:\w+\s*)?[\[({]\s*[-+]?[\d.]|\.(?:add|append|push|push_back|Add)\s*\(|^\s*\d+\s*\n(?:\s*[-+.\d])|\w+\s*=\s*\[\s*[-+]?[\d.]+\s*,"
    ),
    read,
    EXAMPLES,
)
