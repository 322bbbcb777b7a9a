"""Vertices alone: two lists of points in the world frame, as code, a print of numpy, WKT, or openGJK's file.

Points of three numbers make hulls in space; points of two make polygons of the plane, in the order of the text. Lists
of x and of y (and z) of one body may follow each other. Faces are passed over; their largest index gives the count of
points of a flat list. A ring of WKT may repeat its first point at its end. In the plane y points up unless the text
says "y down". A list named as a rotation, an offset or a size is refused, because the points would not be those of the
world frame. Sources: openGJK 2023 (userP.dat: a count, then a row a point), numpy's printing of arrays, Vertica 9.2's
page on WKT, the code that `code` reads.
"""

from __future__ import annotations

import re
from collections import Counter
from math import isfinite
from typing import Any

import numpy as np
from msgspec import Struct

from .bodies import Given, World, hull, pair_of
from .code import (
    Assign,
    Call,
    Declare,
    Items,
    Name,
    Number,
    Record,
    Statement,
    Value,
    evaluated,
    statements,
    value_name,
)
from .form import MOST_CHARACTERS, Form, NotUnderstoodError, ReadPair
from .program import without_imports
from .writer import Writer, WrittenBody, each

POINT = re.compile(
    r"(?:\w+\.)*(?:Vec(?:tor)?_?[23]?[dfDF]?|Point_?[23]?[DdFf]?|glm\.vec[23]|vec[23]|float[23]|PVector|P|V|sf\.Vector2f"
    r"|Vector[23]f?|Vector[23]d|b2Vec2|cpv|btVector3|Coordinate|point!|vector!|vertex|new|make_float[23])",
    re.IGNORECASE,
)
"""Calls that make a point of their numbers."""
LIST = re.compile(
    r"^(?:\w+\.)*(?:array|asarray|list|List|tuple|Arrays\.asList|asList|vec!|Float32Array|Float64Array|of|tensor|Matrix"
    r"|vector|ArrayList|Polygon|ConvexHull|ConvexPolygon|Shape|MultiPoint|float|double|gkFloat|int)$"
)
"""Calls that make a list of the values inside."""
ADDS = {"add", "append", "push", "push_back", "emplace_back", "Add", "addPoint", "addVertex", "vertex"}
"""Methods that add a point to the list that they are called on."""
POINT_LISTS = {"vertices", "verts", "points", "coords", "positions", "position", "v", "pts", "corners"}
FACES = re.compile(r"(?i)(?:\w+_)?(?:faces?|indices|index|tris|triangles|edges)(?:_?\w)?")
ATTRIBUTES = re.compile(r"(?i)(?:vertex_?|face_?)?normals?|uvs?|tex_?coords?|colou?rs?|tangents?")
"""Names of lists of a mesh's attributes, which have no points."""
PASSED_OVER = {"name", "id", "color", "colour", "type", "count", "n"}
MOVES = re.compile(
    r"(?i)rot|quat|orient|euler|angle|transform|matrix|pose|scale|offset|translat|origin|cent(?:re|er)|normal|extent"
    r"|size|radius|velocit|direction|axis|axes|gravity|^(?:pos|position|loc|location)_?[a-rt-z0-9]?$|^(?:min|max)|^[rq]$"
)
"""Names of lists that move, turn or size a body, or that are not its points."""
IMPORT_WORDS = {"import", "from", "using", "include", "package"}
LETTER = re.compile(r"(?i)(?:^|_|verts?|points?|coords?|pos)([xyz])s?$|^([xyz])(?:s|points?|coords?)?_?(?:\d*|[ab])$")
"""Names of lists with one coordinate of each point: vertsx, xs, x_coords, yPoints1."""
PRINTS = re.compile(r"print|console\.log|System\.out\.println|std\.cout|printf|assert\w*")
MOST_LISTS = 100
"""The most lists of points in code. A pair needs two."""
EXAMPLES = (
    "A = [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]\nB = [[0.2,0.2,0.2],[1.2,0.2,0.2],[0.2,1.2,0.2],[0.2,0.2,1.2]]",
    "poly1 = [(0, 0), (1, 0), (1, 1), (0, 1)]\npoly2 = [(0.9, 0), (1.9, 0), (1.9, 1), (0.9, 1)]",
    "4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n\n4\n0.2 0.2 0.2\n1.2 0.2 0.2\n0.2 1.2 0.2\n0.2 0.2 1.2\n",
    "[[0.  0.  0. ]\n [1.  0.  0. ]\n [0.  1.  0. ]]\n[[0.2 0.2 1. ]]",
)
Points = list[list[float]]


class Cloud(Struct):
    """A list of a text. `points`: a body's points, if the list has them.

    `flat`: numbers that are not divided into points yet. `letter`: x, y or z if `flat` is one coordinate of each point.
    `over`: the count of numbers of a list of something else, such as faces, which is passed over; else 0.
    """

    name: str
    line: int
    points: Points
    letter: str = ""
    flat: list[float] = []
    over: int = 0


def read(text: str) -> ReadPair:
    """The pair of two lists of points.

    Raises NotUnderstoodError for a part that is not understood, for a list that may be faces, and for another count of
    lists.
    """
    clouds = [_checked(cloud) for cloud in clouds_of(text) if not cloud.over]
    return _pair(clouds, y_down=bool(Y_DOWN.search(text)))


def refuse_cut(text: str) -> None:
    """Raises NotUnderstoodError for a print that leaves numbers out."""
    if cut := CUT.search(text):
        line = text.count("\n", 0, cut.start(1)) + 1
        raise NotUnderstoodError('the print is cut: "..." stands for numbers that are not in the text', line)


def clouds_of(text: str) -> list[Cloud]:
    """The lists of a text; their points may have any count of numbers.

    Raises NotUnderstoodError for a text that is too long, cut off, or not understood.
    """
    refuse_cut(text)
    if len(text) > MOST_CHARACTERS:
        raise NotUnderstoodError(f"The text has {len(text):,} characters; a pair has at most {MOST_CHARACTERS:,}.")
    plain = Y_DOWN_LINE.sub("", text.replace("\r\n", "\n").replace("\u2212", "-"))
    bare = re.sub(r"(?:#|//)[^\n]*", "", plain)
    if "\n" in bare and ROWS.fullmatch(bare):
        clouds = _rows(bare)
    elif PRINT.fullmatch(bare) and "[" in bare:
        clouds = _printed(bare)
    elif WKT.search(bare):
        clouds = _wkt(bare)
    elif all(LABELLED.fullmatch(row) for row in bare.split("\n") if row.strip()):
        clouds = _labelled(bare)
    else:
        clouds = _code(plain)
    return clouds


CUT = re.compile(r"(?:^|[\[,;\s])(\.{3,}|\u2026|\.\.(?=\s+\.\.))[ \t]*(?:[,;\])\n]|$|[ \t]+[-+\d.(\[{])")
"""The dots of a print that leaves numbers out: numpy's "...", pandas's row of "..", and the character "…"."""
Y_DOWN = re.compile(r"(?i)\by[ -]?(?:axis )?(?:is |points )?down\b")
Y_DOWN_LINE = re.compile(r"(?im)^[ \t]*y[ -]?(?:axis )?(?:is |points )?down\.?[ \t]*$")
ROWS = re.compile(r"[\d\s.eE+\-,;]*+")
"""Numbers alone, in rows."""
PRINT = re.compile(r"[\w\s.+\-\[\]:=]*")
"""Brackets, numbers and names without commas."""
WKT = re.compile(r"(?i)\bPOLYGON\s*(?:Z\s*)?\(\s*\(\s*[-+.\d]+\s+[-+.\d]")
KIND = r"(?:(?:triangle|tetrahedron|polygon|hull|convex|points|vertices|verts|body|shape|mesh|simplex|quad)[ \t]++)*"
BRACKETED = r"[(<\[{][-+\d.][^()\[\]{}<>a-df-z]*[)>\]}]"
LABELLED = re.compile(
    rf"(?i)[ \t]*{KIND}(?P<name>[a-z_]\w*)[ \t]*(?:[:=][ \t]*)?"
    rf"(?P<points>{BRACKETED}(?:[ \t,;]*+{BRACKETED})++)[ \t,;]*+"
)
"""A row with a label and points: `triangle A: (0,0,0) (1,0,0)`."""


def _number(said: str, line: int) -> float:
    """The number of a word. Raises NotUnderstoodError if it is none, or is not finite."""
    try:
        value = float(said)
    except ValueError:
        raise NotUnderstoodError(f"{said[:40]} is no number", line) from None
    if not isfinite(value):
        raise NotUnderstoodError(f"{said[:40]} is too large for double precision", line)
    return value


def _labelled(text: str) -> list[Cloud]:
    """The lists in rows that each have a label.

    Raises NotUnderstoodError for a label that moves the points, and for a word that is no number.
    """
    clouds: list[Cloud] = []
    for line, row in enumerate(text.split("\n"), 1):
        match = LABELLED.fullmatch(row)
        if match is None:
            continue
        _no_move(match["name"], line)
        points = [
            [_number(word, line) for word in re.split(r"[\s,;]+", inside.strip()) if word]
            for inside in re.findall(r"[(<\[{]([^()\[\]{}<>]*)[)>\]}]", match["points"])
        ]
        clouds.append(Cloud(match["name"], line, points))
    return clouds


def _wkt(text: str) -> list[Cloud]:
    """The polygons of WKT. Raises NotUnderstoodError for a second ring, other text, and a word that is no number."""
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
    """Raises NotUnderstoodError if the text between two polygons has more than a name with `:` or `=`, and marks.

    `line`: the line number at the beginning of `between`.
    """
    if not re.fullmatch(r"[\s,;'\"]*+(?:[A-Za-z]\w*+\s*+[:=][\s,;'\"]*+)?", between):
        line += between.count("\n", 0, len(between) - len(between.lstrip()))
        raise NotUnderstoodError(f"{between.split()[0][:40]} is not understood", line)


def _no_move(name: str, line: int) -> None:
    """Raises NotUnderstoodError for a list whose name is in MOVES, such as a rotation."""
    if MOVES.search(name):
        raise NotUnderstoodError(f"{name} is not understood beside lists of points", line)


def _pair(clouds: list[Cloud], *, y_down: bool) -> ReadPair:
    given: list[Given] = []
    sizes = {len(point) for cloud in clouds for point in cloud.points}
    if len(sizes) > 1:
        line = next(cloud.line for cloud in clouds if len(cloud.points[0]) != len(clouds[0].points[0]))
        raise NotUnderstoodError("points of two and of three numbers stand in one pair", line)
    if len(clouds) == 2 and sizes == {3}:
        for cloud, other in (clouds, clouds[::-1]):
            if _closes(cloud.points, len(other.points)):
                raise NotUnderstoodError(
                    "this list may be the faces of the other one, by its indices: name it faces, or leave it out",
                    cloud.line,
                )
    for cloud in clouds:
        body = Given(cloud.line, cloud.name, position=np.zeros(3), rotation=np.eye(3))
        body.shape = {"type": "polygon", "points": cloud.points} if sizes == {2} else hull(cloud.points)
        given.append(body)
    if given:
        given[0].notes.append("The points are taken as those of the world: no position or rotation is in the text.")
    return pair_of(given, World("the text", flat=sizes == {2}, y_down=y_down and sizes == {2}))


def _closes(rows: Points, count: int) -> bool:
    """Whether rows of three numbers are the triangles of a closed surface, by indices of `count` points from 0 or 1."""
    if {min(map(min, rows)), max(map(max, rows)) - count + 1.0} not in ({0.0}, {1.0}):
        return False
    if any(value % 1.0 for row in rows for value in row) or any(len(set(row)) < 3 for row in rows):
        return False
    edges = Counter(frozenset(edge) for a, b, c in rows for edge in ((a, b), (b, c), (c, a)))
    return len({value for row in rows for value in row}) == count and set(edges.values()) == {2}


def _rows(text: str) -> list[Cloud]:
    """The lists of openGJK's file, which has a count before its rows, or of blocks of rows between empty lines.

    Raises NotUnderstoodError for a word that is no number, a point of another width, and a point alone.
    """
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


def _printed(text: str) -> list[Cloud]:
    """The lists in numpy's print: rows in brackets, with spaces between the numbers.

    Raises NotUnderstoodError for other text.
    """
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
            _no_move(said, line)
            name = said
        else:
            value = _number(said, line)
            if depth != 2:
                raise NotUnderstoodError(f"{said[:40]} stands outside of a point", line)
            clouds[-1].points[-1].append(value)
    for cloud in clouds:
        if FACES.fullmatch(cloud.name):
            cloud.over, cloud.points = sum(map(len, cloud.points)), []
    if depth or name:
        raise NotUnderstoodError("a bracket is not closed" if depth else f"{name} is not understood", line)
    return clouds


def _code(text: str) -> list[Cloud]:
    clouds: list[Cloud] = []
    # The lengths of arrays (`double[][] a`, `float a[4][3]`, `new Vector2[]`) are removed: the points imply them.
    text = re.sub(r"\bunsigned[ \t]+(?=\w)", "", text)
    plain = re.sub(r"((?<!\w)[A-Za-z_]\w*+|>\w*+)(?:[ \t]*+\[[ \t]*+\w*+[ \t]*+\])++(?=\s*+(?:[={]|\w))", r"\1", text)
    known = lists = 0
    for statement in statements(without_imports(plain)):
        _take(statement, clouds)
        lists += sum(not cloud.over for cloud in clouds[known:])
        known = len(clouds)
        if lists > MOST_LISTS:
            raise NotUnderstoodError(f"more than {MOST_LISTS} lists of points stand in the text", statement.line)
    return _joined(clouds)


def _by_faces(cloud: Cloud, faces: list[int]) -> None:
    """Divides a flat list into points of two or three numbers; the largest index of `faces` gives their count.

    Raises NotUnderstoodError if the count of numbers fits neither.
    """
    count = max(faces) + 1
    if len(cloud.flat) not in (2 * count, 3 * count):
        raise NotUnderstoodError(f"{len(cloud.flat)} numbers are not the {count} points of the faces", cloud.line)
    cloud.points, cloud.flat = np.array(cloud.flat).reshape(count, -1).tolist(), []


def _indices(value: Value) -> list[int]:
    """The whole numbers, 0 or more, in nested lists. Raises NotUnderstoodError for any other item of a list."""
    found: list[int] = []
    for one in value.items if isinstance(value, Items) else value.args if isinstance(value, Call) else ():
        if isinstance(one, Number) and one.value == int(one.value) and one.value >= 0.0:
            found.append(int(one.value))
        elif isinstance(one, Items | Call):
            found += _indices(one)
        else:
            raise NotUnderstoodError(f"{value_name(one)} is no index of a face", one.line)
    return found


def _take(statement: Statement, clouds: list[Cloud]) -> None:
    value: Value | None = statement if not isinstance(statement, Assign | Declare) else statement.value
    name = statement.target if isinstance(statement, Assign | Declare) else ""
    if value is None:
        return
    if isinstance(value, Call) and value.last in ADDS and value.args:
        _add(value, clouds)
        return
    if isinstance(statement, Name) and statement.path.split(".")[0] in IMPORT_WORDS:
        return
    if isinstance(statement, Call) and PRINTS.fullmatch(statement.path):
        return
    if name and isinstance(value, Items) and not value.items:
        # An empty list, to which points are added below.
        return
    if isinstance(value, Record):
        _record(value, name, clouds)
        return
    if isinstance(value, Items) and value.items and all(isinstance(one, Record) for one in value.items):
        records = [one for one in value.items if isinstance(one, Record)]
        if not all(set(one.items) in ({"x", "y"}, {"x", "y", "z"}) for one in records):
            for one in records:
                _record(one, name, clouds)
            return
    if name and FACES.fullmatch(name.rpartition(".")[2]):
        faces = _indices(value)
        if clouds and clouds[-1].flat and not clouds[-1].letter and faces:
            _by_faces(clouds[-1], faces)
        clouds.append(Cloud(name, value.line, [], over=len(faces)))
        return
    if name and (beside := _attribute(name.rpartition(".")[2], value)):
        clouds.append(beside)
        return
    _no_move(name.rpartition(".")[2], statement.line)
    if isinstance(value, Call) and LIST.search(value.path) and not value.args and not value.named:
        return
    found = _values(value)
    if found is None:
        raise NotUnderstoodError(f"{value_name(statement)} is not understood", statement.line)
    # Two lists of points in one bracket are two bodies.
    if found and all(isinstance(one, list) and one and isinstance(one[0], list) for one in found):
        clouds.extend(Cloud(name, statement.line, one) for one in found)
        return
    clouds.append(_by_lines(_cloud(name, statement.line, found), value))


def _attribute(name: str, value: Value) -> Cloud | None:
    """The list of a mesh's normals, colours or texture coordinates, which is passed over; None for another list.

    A list of one normal or colour gives None too: it may belong to a plane or a body.
    """
    found = _values(value) if ATTRIBUTES.fullmatch(name) else None
    if not found:
        return None
    lists = [one for one in found if isinstance(one, list)]
    if any(isinstance(part, list) for one in lists for part in one) or 0 < len(lists) < len(found):
        return None
    if len(lists) < 2 and len(found) < 6:
        return None
    return Cloud(name, value.line, [], over=sum(map(len, lists)) or len(found))


def _by_lines(cloud: Cloud, value: Value) -> Cloud:
    """The cloud with its flat numbers divided into points by lines, if each line has two numbers, or each has three."""
    counts: dict[int, int] = {}
    while isinstance(value, Call) and value.args:
        value = Items(value.args, value.line) if len(value.args) > 1 else value.args[0]
    for one in value.items if cloud.flat and not cloud.letter and isinstance(value, Items) else ():
        counts[one.line] = counts.get(one.line, 0) + 1
    width = next(iter(counts.values()), 0)
    if len(counts) > 1 and width in (2, 3) and set(counts.values()) == {width}:
        cloud.points, cloud.flat = np.array(cloud.flat).reshape(-1, width).tolist(), []
    return cloud


def _cloud(name: str, line: int, found: list[Any]) -> Cloud:
    if not found:
        raise NotUnderstoodError("a list of points is empty", line)
    if all(isinstance(one, float) for one in found):
        letter = LETTER.search(name)
        return Cloud(name, line, [], next((one for one in letter.groups() if one), "").lower() if letter else "", found)
    if not all(isinstance(one, list) for one in found):
        raise NotUnderstoodError("points and numbers stand in one list", line)
    return Cloud(name, line, found)


def _add(call: Call, clouds: list[Cloud]) -> None:
    """Reads `list.add(point)`: adds the point to the list of this name, which is made if it does not exist.

    If the list's name is one of face indices, they are noted, but are no points. Raises NotUnderstoodError for another
    argument.
    """
    owner = call.path.rpartition(".")[0]
    if FACES.fullmatch(owner.rpartition(".")[2]):
        clouds.append(Cloud(owner, call.line, [], over=len(_indices(Items(call.args, call.line)))))
        return
    point = _values(Items(call.args, call.line)) if len(call.args) != 1 else _values(call.args[0])
    if point is None or not all(isinstance(one, float) for one in point):
        raise NotUnderstoodError(f"{value_name(call)} is not understood", call.line)
    cloud = next((cloud for cloud in clouds if cloud.name == owner), None)
    if cloud is None:
        cloud = Cloud(owner, call.line, [])
        clouds.append(cloud)
    cloud.points.append(point)


def _record(record: Record, name: str, clouds: list[Cloud]) -> None:
    """Reads a record, as of JSON: points by a name of POINT_LISTS, or a list or record for each body.

    Raises NotUnderstoodError for a key that is not understood, and for two lists of points.
    """
    given = {key.lower(): value for key, value in record.items.items()}
    named = [key for key in given if key in POINT_LISTS]
    faces: list[int] = []
    for key, value in given.items():
        if key in POINT_LISTS or key in PASSED_OVER:
            continue
        if FACES.fullmatch(key):
            indices = _indices(value)
            clouds.append(Cloud(key, value.line, [], over=len(indices)))
            faces += indices
            continue
        if named and (beside := _attribute(key, value)):
            clouds.append(beside)
            continue
        if isinstance(value, Record) and not named:
            _record(value, key, clouds)
        elif not named and not MOVES.search(key) and (found := _values(value)) is not None:
            if found and all(isinstance(one, list) and one and isinstance(one[0], list) for one in found):
                clouds.extend(Cloud(key, value.line, one) for one in found)
            else:
                clouds.append(_cloud(key, value.line, found))
        elif not named and isinstance(value, Items) and all(isinstance(one, Record) for one in value.items):
            for one in value.items:
                if isinstance(one, Record):
                    _record(one, key, clouds)
        elif not _is_zero(value):
            raise NotUnderstoodError(f"{key} is not understood", value.line)
    if len(named) > 1:
        raise NotUnderstoodError(f"{' and '.join(named)} both have points", record.line)
    for key in named:
        found = _values(given[key])
        if found is None:
            raise NotUnderstoodError(f"{key} is not understood", given[key].line)
        cloud = _cloud(name or key, given[key].line, found)
        if cloud.flat and faces:
            _by_faces(cloud, faces)
        cloud = _by_lines(cloud, given[key])
        clouds.append(_in_threes(cloud) if cloud.flat else cloud)


def _is_zero(value: Value) -> bool:
    found = _values(value)
    return found is not None and bool(found) and all(isinstance(one, float) and one == 0.0 for one in found)


def _values(value: Value) -> list[Any] | None:
    """The numbers and lists of a value, nested as in the value; None if a part of it is neither."""
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
    found: list[Any] = []
    for one in value.items:
        number = evaluated(one)
        inner = number if number is not None else _values(one)
        if inner is None:
            return None
        found.append(inner)
    return found


def _joined(clouds: list[Cloud]) -> list[Cloud]:
    """The lists with points made of the lists of x, y and z of a body, and of flat lists in threes.

    Raises NotUnderstoodError for lists that do not fit together.
    """
    found: list[Cloud] = []
    waiting: list[Cloud] = []
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


def _columns(lists: list[Cloud]) -> Cloud:
    letters = "".join(cloud.letter for cloud in lists)
    if letters not in ("xy", "xyz") or len({len(cloud.flat) for cloud in lists}) > 1:
        raise NotUnderstoodError("lists of x and y (and z), equally long, are expected", lists[0].line)
    points = [list(point) for point in zip(*(cloud.flat for cloud in lists), strict=True)]
    return Cloud(lists[0].name, lists[0].line, points)


def _in_threes(cloud: Cloud) -> Cloud:
    count = len(cloud.flat)
    if count == 3:
        raise NotUnderstoodError(
            f"{cloud.name or 'the list'} has three numbers, which are no list of points", cloud.line
        )
    if count == 0 or count % 3:
        raise NotUnderstoodError(f"a flat list has three numbers a point, got {count}", cloud.line)
    if count % 2 == 0:
        either = "which may be points of two or of three: write a bracket round each point"
        raise NotUnderstoodError(f"{cloud.name or 'the list'} has {count} numbers, {either}", cloud.line)
    return Cloud(cloud.name, cloud.line, np.array(cloud.flat).reshape(-1, 3).tolist())


def _checked(cloud: Cloud) -> Cloud:
    """Returns the cloud. Raises NotUnderstoodError unless all its points have two numbers, or all have three."""
    counts = {len(point) if isinstance(point, list) else 0 for point in cloud.points}
    if not cloud.points:
        raise NotUnderstoodError("a list of points is empty", cloud.line)
    if counts - {2, 3} or len(counts) > 1 or any(isinstance(one, list) for point in cloud.points for one in point):
        told = f"{len(cloud.points[0])} numbers" if len(counts) == 1 and counts != {0} else "points of different length"
        raise NotUnderstoodError(f"a point has two or three numbers, got {told}", cloud.line)
    return cloud


def _rows_of(body: WrittenBody) -> str:
    points = body.points if len(body.points) else body.corners
    return f"{body.letter} = np.array([{body.listed(points=body.in_world(points))}])"


WRITE = Writer(
    World("the text"),
    {"box": _rows_of, "hull": _rows_of, "polygon": _rows_of},
    each(lambda body: body.shape, "import numpy as np\n"),
    dimensions=(2, 3),
    comment="# {}",
    about=("Points of the world.",),
    name="a list of vertices",
)


FORM = Form(
    "vertices",
    "openGJK 2023, numpy's printing, code as app/forms/code.py reads it",
    re.compile(
        r"(?i)polygon\s*+(?:z\s*+)?\(\s*+\("
        r"|^\s*[-+]?[\d.]+[ \t,]+[-+]?[\d.]+(?:[ \t,]+[-+]?[\d.]+)?[ \t]*\n"
        r"|[\[({]\s*(?:new\s+)?(?:[\w.:]+\s*)?[\[({]\s*[-+]?[\d.]"
        r"|[)\]]\s*,?\s*[(\[]\s*[-+.\d]"
        r"|\{\s*[\"']?x[\"']?\s*:\s*[-+.\d]"
        r"|\.(?:add|append|push|push_back|emplace_back)\s*\("
        r"|^\s*+\d++[ \t\r]*+\n\s*+[-+.\d]"
        r"|(?<!\w)\w++[\"']?\s*+(?:\[\w*+\]\s*+)*+[:=]\s*+[\[{]\s*+[-+]?[\d.]++\s*+,"
    ),
    read,
    EXAMPLES,
    WRITE,
)
