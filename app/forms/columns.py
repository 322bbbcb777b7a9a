"""Poses in columns under a header: each row is a pair, or each of two rows is a body. Rows of pairs are a log.

    A: box 1 1 1
    B: sphere 0.5
    time, ax, ay, az, aqx, aqy, aqz, aqw, bx, by, bz
    0.0,  0,  0,  0,  0,   0,   0,   1,   0.9, 0, 0

Commas, semicolons, tabs or spaces separate the columns. The names of columns are: x, y, z, alone or after a word of
POSITION; w, x, y, z after a word of QUATERNION; roll, pitch, yaw, or in the plane angle, each with deg or rad; size x,
half x, radius, height, length, width; shape. A name has the body's letter or number before, after or inside it. Without
letters the columns are listed twice, or each row is a body. Shapes are in columns, or in lines of their own before the
header (`lines`; in the plane `circle r` and `rectangle w h`). Columns of PASSED_OVER are passed over. The axes are the
scene's. The grammar is Separatrix's own.
"""

from __future__ import annotations

import csv
import re
from math import radians
from typing import Any

import numpy as np
from msgspec import Struct, field

from .bodies import Given, World, ball_of, box, by_quaternion, pair_of
from .form import MOST_CHARACTERS, Form, NotUnderstoodError, ReadPair
from .lines import SHAPE, TextLine, shape_in
from .markup import numbers_of
from .plane import plane_rotation, polygon, rectangle
from .robots import by_rpy

POSITION = "p|pos|position|t|trans|translation|c|cen|center|centre|loc|location|poseposition|fieldposeposition"
QUATERNION = "q|quat|quaternion|rot|rotation|orient|orientation|poseorientation|fieldposeorientation|r"
PASSED_OVER = {
    *("time", "t", "timestamp", "stamp", "frame", "step", "id", "index", "i", "n", "row", "seq", "label", "comment"),
    *("name", "case", "sample", "distance", "dist", "depth", "separation", "penetration", "overlap", "colliding"),
    *("collision", "contact", "hit", "expected", "result", "gap", "mass", "pair", "body", "object", "link"),
}
"""Columns that neither place nor size a body."""
UNITS = {"m": "m", "cm": "cm", "mm": "mm", "meter": "m", "meters": "m", "metre": "m", "metres": "m"}
ANGLES = {"deg": "deg", "degree": "deg", "degrees": "deg", "rad": "rad", "radian": "rad", "radians": "rad"}
BODY = "(?:(?:body|object|obj|shape|link|rigidbody)?(?P<{0}>[ab12]))"
COLUMN_PATTERNS = (
    rf"(?:{POSITION})?{{infix}}(?P<position>[xyz])",
    rf"(?:{QUATERNION}){{infix}}(?P<quaternion>[wxyz])",
    r"(?P<rpy>roll|pitch|yaw)",
    r"(?P<angle>angle|theta|phi|heading|rotation|rot|orientation)",
    r"(?:size|sizes|dim|dims|dimension|dimensions|s){infix}(?P<size>[xyz])",
    r"(?:half|halfsize|halfextent|halfextents|h){infix}(?P<half>[xyz])",
    r"(?P<radius>radius|r)",
    r"(?P<height>height)",
    r"(?P<length>length|len)",
    r"(?P<width>width)",
    r"(?P<shape>shape|type|kind|geom|geometry|shapetype)",
)
_FLAT = re.compile(
    r"\s*(?:#\s*)?(?:(?P<name>[A-Za-z_]\w*)\s*[:=]\s*)?(?P<kind>circle|rectangle)\b(?P<rest>[\s\d.,eE+()r=-]*)",
    re.IGNORECASE,
)
_NUMBER = r"[-+]?(?:\d++\.?\d*+|\.\d++)(?:[eE][-+]?\d++)?"
_WORD = r"[\"A-Za-z_][\w .\[\]()/\"-]*+"
EXAMPLES = (
    "A: box 1 1 1\nB: sphere 0.5\nax,ay,az,aqx,aqy,aqz,aqw,bx,by,bz\n0,0,0,0,0,0,1,0.9,0,0\n",
    "shape x y z qw qx qy qz size_x size_y size_z\nbox 0 0 0 1 0 0 0 1 1 1\nbox 0.9 0 0 1 0 0 0 1 1 1\n",
)


class ColumnMeaning(Struct, frozen=True):
    """The meaning of a column. `field`: its field, "" for a column that is passed over; `component`: such as x, or "".

    `body`: 0 for A, 1 for B, -1 for the body of the row. `unit`: the unit of its numbers, "" if not named.
    """

    field: str
    component: str = ""
    body: int = -1
    unit: str = ""


class ColumnCells(Struct):
    """The cells of a row. `line`: its line number, from 1."""

    cells: list[str]
    line: int


class Table(Struct):
    """A header's columns, the rows, the shapes before the header, and the names of columns that are passed over."""

    columns: list[ColumnMeaning]
    rows: list[ColumnCells]
    shapes: list[Given] = field(default_factory=list)
    passed: list[str] = field(default_factory=list)

    @property
    def paired(self) -> bool:
        """Whether each row is a pair, else a body."""
        return any(column.body >= 0 for column in self.columns)


def table_of(text: str) -> Table:
    """The table of a text.

    Raises NotUnderstoodError without a header, without rows, and for a line that is not understood.
    """
    table: Table | None = None
    shapes: list[Given] = []
    parting = ""
    for number, said in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        bare = said.strip().lstrip("#%").strip()
        if not bare:
            continue
        if table is None:
            if (given := _shape(said, number)) is not None:
                shapes.append(given)
                continue
            parting = next((mark for mark in "\t;," if mark in bare), " ")
            try:
                table = _header(_cells(bare, parting, number), number)
            except NotUnderstoodError:
                if said.lstrip().startswith("#"):
                    continue
                raise
            table.shapes = shapes
        elif not said.lstrip().startswith("#"):
            cells = _cells(bare, parting, number)
            if len(cells) != len(table.columns):
                told = f"this row has {len(cells)} cells, the header {len(table.columns)}"
                raise NotUnderstoodError(told, number)
            table.rows.append(ColumnCells(cells, number))
    if table is None:
        raise NotUnderstoodError("Found no header of columns.")
    if not table.rows:
        raise NotUnderstoodError("Found no body, expected two: the header has no rows.")
    return table


def _cells(said: str, parting: str, line: int) -> list[str]:
    """The cells of a line without the spaces and quotation marks around them.

    Raises NotUnderstoodError for a row that is no CSV.
    """
    if parting == " ":
        return said.split()
    try:
        (cells,) = csv.reader([said], delimiter=parting, skipinitialspace=True, strict=True)
    except csv.Error as error:
        raise NotUnderstoodError(f"the row is no CSV: {error}", line) from None
    cells = [cell.strip() for cell in cells]
    # A separator after the last cell adds no cell.
    return cells[:-1] if cells and not cells[-1] else cells


def _shape(said: str, line: int) -> Given | None:
    """The body, without a pose, of a line that names a shape; None for another line.

    Raises NotUnderstoodError for wrong sizes.
    """
    flat = _FLAT.fullmatch(said)
    if flat is not None:
        numbers = numbers_of(re.sub(r"[(),=r]", " ", flat["rest"]), flat["kind"].lower(), line)
        given = Given(line, flat["name"] or "")
        if flat["kind"].lower() == "circle" and len(numbers) == 1:
            given.shape = {"type": "circle", "radius": numbers[0]}
        elif flat["kind"].lower() == "rectangle" and len(numbers) == 2:
            given.shape = polygon(rectangle(0.5 * numbers[0], 0.5 * numbers[1]), line)
        else:
            raise NotUnderstoodError("a circle needs its radius, a rectangle its two sizes", line)
        return given
    match = SHAPE.fullmatch(said)
    if match is None or not re.search(r"\d", match["rest"]) or re.match(r"\s*[,;\t]", match["rest"]):
        return None
    return shape_in(TextLine(said.strip(), line))


def _header(cells: list[str], line: int) -> Table:
    if all(re.fullmatch(_NUMBER, cell) for cell in cells):
        told = "the columns need a header, such as ax, ay, az, aqx, aqy, aqz, aqw, bx, by, bz, bqx, bqy, bqz, bqw"
        raise NotUnderstoodError(told, line)
    columns = [column_of(cell, line) for cell in cells]
    keys = [(column.field, column.component, column.body) for column in columns if column.field]
    count = len(keys)
    if not any(one.body >= 0 for one in columns) and count % 2 == 0 and keys[: count // 2] == keys[count // 2 :]:
        columns = _twice(columns, count)
    seen: set[tuple[str, str, int]] = set()
    for column, cell in zip(columns, cells, strict=True):
        key = (column.field, column.component, column.body)
        if column.field and key in seen:
            raise NotUnderstoodError(f"the column {cell} stands twice", line)
        seen.add(key)
    named = {column.body for column in columns if column.field}
    if -1 in named and len(named) > 1:
        lone = next(cell for column, cell in zip(columns, cells, strict=True) if column.field and column.body < 0)
        raise NotUnderstoodError(f"of which body the column {lone} is, is not said", line)
    units = {column.unit for column in columns if column.unit and column.field in ("position", *_LENGTHS)}
    if len(units) > 1:
        raise NotUnderstoodError(f"lengths are in {' and in '.join(sorted(units))}: one unit is expected", line)
    lengths = [column for column in columns if column.field in ("position", *_LENGTHS)]
    if units and (bare := next((column for column in lengths if not column.unit), None)) is not None:
        cell = cells[columns.index(bare)]
        raise NotUnderstoodError(f"the column {cell} has no unit, and other lengths have one", line)
    passed = [cell for column, cell in zip(columns, cells, strict=True) if not column.field]
    return Table(columns, [], passed=passed)


_LENGTHS = ("size", "half", "radius", "height", "length", "width")


def _twice(columns: list[ColumnMeaning], count: int) -> list[ColumnMeaning]:
    """The columns with their bodies: the first half is A's, the second B's. `count`: the columns not passed over."""
    found, met = [], 0
    for column in columns:
        if not column.field:
            found.append(column)
            continue
        found.append(ColumnMeaning(column.field, column.component, int(met >= count // 2), column.unit))
        met += 1
    return found


def column_of(said: str, line: int) -> ColumnMeaning:
    """The meaning of a column's name.

    Raises NotUnderstoodError for a name that is not in the grammar, an angle without a unit, and a unit that does not
    fit.
    """
    words = [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d", said)]
    unit = ""
    if len(words) > 1 and words[-1] in (UNITS | ANGLES):
        unit = (UNITS | ANGLES)[words.pop()]
    name = "".join(words)
    for pattern in COLUMN_PATTERNS:
        for before, inside, behind in ((1, 0, 0), (0, 0, 1), (0, 1, 0), (0, 0, 0)):
            if inside and "{infix}" not in pattern:
                continue
            full = BODY.format("body") * before + pattern.replace("{infix}", BODY.format("body") * inside)
            match = re.fullmatch(full + BODY.format("body") * behind, name)
            if match is None:
                continue
            (kind,) = (key for key, value in match.groupdict().items() if key != "body" and value)
            letter = match.groupdict().get("body")
            body = -1 if letter is None else "a1".find(letter) < 0
            angle = kind in ("rpy", "angle")
            if angle and unit not in ("deg", "rad"):
                raise NotUnderstoodError(f"the column {said} needs deg or rad in its name", line)
            if unit and (angle != (unit in ("deg", "rad")) or kind in ("quaternion", "shape")):
                raise NotUnderstoodError(f"the unit of the column {said} is not understood", line)
            return ColumnMeaning(kind, match[kind] if kind in _PARTED else "", int(body), unit)
    if name in PASSED_OVER or re.fullmatch(f"(?:{'|'.join(PASSED_OVER)})[ab12]?", name):
        return ColumnMeaning("")
    raise NotUnderstoodError(f"the column {said[:40]} is not understood", line)


_PARTED = ("position", "quaternion", "rpy", "size", "half")


class _Body:
    """The cells of one body in a row. `cells`: the cell and its unit, by field and component."""

    def __init__(self, table: Table, row: ColumnCells, body: int) -> None:
        self._line = row.line
        self.cells: dict[str, dict[str, tuple[str, str]]] = {}
        for column, cell in zip(table.columns, row.cells, strict=True):
            if column.field and column.body == body:
                self.cells.setdefault(column.field, {})[column.component] = (cell, column.unit)

    def numbers(self, name: str, parts: str = "") -> list[float]:
        """The numbers of a field, one for each letter of `parts`, or one number if that is "".

        Raises NotUnderstoodError if a component is missing or is no number.
        """
        given = self.cells[name]
        found = []
        for component in parts or ("",):
            if component not in given:
                raise NotUnderstoodError(f"the column of {name} {component} is missing", self._line)
            found += numbers_of(given[component][0], f"{name} {component}".strip(), self._line, 1)
        return found

    def given(self, named: Given | None, *, flat: bool) -> Given:
        """The body. `named`: its shape if a line before the header gives it. `flat`: the text is of the plane.

        Raises NotUnderstoodError for a shape or a position that is missing, a part that is given twice or does not fit
        the dimension, and a cell that is no number.
        """
        body = Given(self._line, "" if named is None else named.name)
        sizes = set(self.cells) & {"shape", *_LENGTHS}
        if named is not None:
            if sizes:
                raise NotUnderstoodError("the shape is given twice: in its line and in columns", self._line)
            body.shape, body.axis = named.shape, named.axis
        else:
            self._shaped(body, flat=flat)
        if "position" not in self.cells:
            raise NotUnderstoodError("the columns of a position are missing", self._line)
        place = self.numbers("position", "xy" if flat else "xyz")
        body.position = np.array([*place, 0.0] if flat else place)
        turns = [name for name in ("quaternion", "rpy", "angle") if name in self.cells]
        if len(turns) > 1:
            raise NotUnderstoodError("the rotation is given twice", self._line)
        if flat and turns not in ([], ["angle"]) and not (turns == ["rpy"] and set(self.cells["rpy"]) == {"yaw"}):
            raise NotUnderstoodError("a rotation in the plane is one angle", self._line)
        if turns == ["quaternion"]:
            body.rotation = by_quaternion(self.numbers("quaternion", "wxyz"), self._line)
        elif flat and turns:
            body.rotation = plane_rotation(self._angle(turns[0], "yaw" if turns == ["rpy"] else ""))
        elif turns == ["rpy"]:
            body.rotation = by_rpy([self._angle("rpy", component) for component in ("roll", "pitch", "yaw")])
            body.notes.append("Roll, pitch and yaw are turns about the fixed axes x, y and z, in this order.")
        elif turns:
            raise NotUnderstoodError("one angle in space needs its axis", self._line)
        return body

    def _angle(self, name: str, component: str) -> float:
        given = self.cells[name].get(component)
        if given is None:
            raise NotUnderstoodError(f"the column {component} is missing", self._line)
        (value,) = numbers_of(given[0], component or name, self._line, 1)
        return radians(value) if given[1] == "deg" else value

    def _shaped(self, body: Given, *, flat: bool) -> None:
        if "shape" not in self.cells:
            raise NotUnderstoodError(
                "the shapes are missing: write a line such as A: box 1 1 1 for each before the header", self._line
            )
        kind = self.cells["shape"][""][0].lower()
        wanted: dict[str, tuple[str, ...]] = {
            "box": ("half",) if "half" in self.cells else ("size",),
            "sphere": ("radius",),
            "circle": ("radius",),
            "rectangle": ("width", "height"),
        }
        filled = {name for name in _LENGTHS if any(cell for cell, _ in self.cells.get(name, {}).values())}
        if kind not in wanted or filled - set(wanted[kind]):
            which = sorted(filled - set(wanted.get(kind, ())))
            told = f"{which[0]} of a {kind} is not understood" if kind in wanted else f"the shape {kind} needs its line"
            raise NotUnderstoodError(told, self._line)
        for name in wanted[kind]:
            if name not in self.cells:
                raise NotUnderstoodError(f"the column of {name} is missing", self._line)
        shape: dict[str, Any]
        if kind == "box":
            shape = box(self.numbers(wanted[kind][0], "xyz"), half="half" in self.cells)
        elif kind == "rectangle":
            (width,), (height,) = self.numbers("width"), self.numbers("height")
            shape = polygon(rectangle(0.5 * width, 0.5 * height), self._line)
        else:
            shape = ball_of(*self.numbers("radius")) if kind == "sphere" else {}
            shape = shape or {"type": "circle", "radius": self.numbers("radius")[0]}
        if (kind in ("circle", "rectangle")) != flat:
            raise NotUnderstoodError(f"a {kind} has no z" if not flat else f"a {kind} needs z", self._line)
        body.shape = shape


def pair_of_rows(table: Table, first: ColumnCells, second: ColumnCells | None = None) -> ReadPair:
    """The pair of the row `first`, or of two rows with a body each.

    `second`: the row of B; None if `first` has both bodies. Raises NotUnderstoodError for a row that lacks a part of a
    body, and unless both shapes or none stand before the header.
    """
    flat = not any(column.field == "position" and column.component == "z" for column in table.columns)
    shapes: list[Given | None] = list(table.shapes)
    if len(shapes) not in (0, 2):
        raise NotUnderstoodError(f"two shapes are expected before the header, got {len(shapes)}", first.line)
    if not shapes:
        shapes = [None, None]
    for shape in shapes:
        if shape is not None and shape.shape is not None and (shape.shape["type"] in ("circle", "polygon")) != flat:
            raise NotUnderstoodError("a shape of the plane has x and y, one of space z too", shape.line)
    if second is None:
        bodies = [_Body(table, first, k).given(shapes[k], flat=flat) for k in (0, 1)]
    else:
        bodies = [_Body(table, row, -1).given(shapes[k], flat=flat) for k, row in enumerate((first, second))]
    units = {column.unit for column in table.columns if column.unit in UNITS.values()}
    if units - {"m"} and any(shapes):
        raise NotUnderstoodError(
            f"the columns are in {next(iter(units))}, the shapes' lines without a unit", first.line
        )
    if units:
        bodies[0].notes.append(f"Lengths are in {next(iter(units))}, as in the text.")
    if table.passed:
        bodies[0].notes.append(f"Columns that were passed over: {', '.join(table.passed)}.")
    return pair_of(bodies, World("the text", flat=flat))


def read(text: str) -> ReadPair:
    """The pair of one row, or of two rows with a body each.

    Raises NotUnderstoodError for several pairs, for a text that is too long, and as `table_of` and `pair_of_rows`.
    """
    if len(text) > MOST_CHARACTERS:
        raise NotUnderstoodError(f"The text has {len(text):,} characters; a pair has at most {MOST_CHARACTERS:,}.")
    table = table_of(text)
    if table.paired and len(table.rows) > 1:
        told = f"{len(table.rows)} rows are as many pairs: open them as a file, where they are a log"
        raise NotUnderstoodError(told, table.rows[1].line)
    if table.paired:
        return pair_of_rows(table, table.rows[0])
    if len(table.rows) != 2:
        found = "one body" if len(table.rows) == 1 else f"{len(table.rows)} bodies"
        raise NotUnderstoodError(f"Found {found}, expected two.")
    return pair_of_rows(table, *table.rows)


FORM = Form(
    "columns",
    "the grammar in app/forms/columns.py",
    re.compile(
        rf"(?m)^[ \t#%]*+(?=[^\n]*[xX])(?:{_WORD}[,;\t][ \t]*+){{2,}}{_WORD}[,;\t]?[ \t\r]*+\n[^\n]*\d[ \t\"]*+[,;\t]"
        r"|^[ \t#%]*+(?=[^\n]*[xX])(?:[A-Za-z_][\w.]*+[ \t]++){3,}[A-Za-z_][\w.]*+[ \t\r]*+\n"
        r"[ \t]*+(?:\w++[ \t]++)?[-+.\d]"
        rf"|\A\s*+(?:{_NUMBER}(?:[ \t]*+[,;][ \t]*+|[ \t]++)){{5,}}{_NUMBER}[ \t\r]*+(?:\n[\s\d.,;eE+-]*+)?\Z"
    ),
    read,
    EXAMPLES,
)
