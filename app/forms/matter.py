"""matter.js' bodies of the plane.

`Bodies.rectangle(x, y, width, height)` has full sizes about its centre; the corners of a polygon, a trapezoid or a list
of vertices are moved so that their centre of area is at x, y. `angle` turns about that point, in radians; y points
down, and a positive angle turns from x to y. matter.js makes a circle a polygon of up to 26 corners; here it is round.
Source: liabru/matter-js, Bodies.js and Body.js at 00251e5b (factories; `setVertices`: "orientated around their centre
of mass"; `setAngle`, `rotate`, `translate`); that y points down is its gravity of (0, 1), towards the canvas' lower
edge.
"""

from __future__ import annotations

import re
from math import pi
from typing import Any

import numpy as np

from core.geometry.elementary import cos, sin
from core.geometry.vector import dots
from core.shapes import Shape

from ..shapes import polygon_corners
from .bodies import Given, World, pair_of
from .code import (
    Call,
    Items,
    Name,
    Number,
    Record,
    Statement,
    StringLiteral,
    Value,
    number_in,
    numbers_in,
    statements,
    value_name,
)
from .form import Form, NotUnderstoodError, ReadPair
from .markup import numbers_of
from .plane import area_centre, centred_polygon, in_space, plane_rotation, point, polygon, rectangle
from .program import Variables, target_and_value, without_imports
from .writer import Writer, WrittenBody, each, numbers_text

WORLD = World("matter.js", flat=True, y_down=True)
FACTORIES = {"rectangle": 4, "circle": 3, "polygon": 4, "trapezoid": 5, "fromVertices": 3}
"""The count of arguments of each factory before its options."""
OPTIONS = {
    *("isStatic", "isSensor", "restitution", "friction", "frictionAir", "frictionStatic", "density", "mass", "label"),
    *("render", "collisionFilter", "slop", "inertia", "inverseInertia", "sleepThreshold", "timeScale", "plugin"),
}
"""Options that neither place nor size a body."""
PASSED_OVER = {
    *("add", "create", "run", "collides", "log", "setVelocity", "setStatic", "setMass", "setDensity", "setInertia"),
    *("setAngularVelocity", "applyForce", "on", "update"),
}
"""Calls that neither place nor size a body."""
_UNPACKED = re.compile(r"(?m)^[ \t]*(?:const|let|var)\s*\{[\w\s,:]*\}\s*=\s*(?:Matter|require\([^)\n]*\))[ \t]*;?")
EXAMPLES = (
    "const a = Bodies.rectangle(0, 0, 80, 80);\nconst b = Bodies.rectangle(88, 0, 80, 80, { angle: Math.PI / 4 });",
    "var a = Matter.Bodies.circle(400, 200, 30, { isStatic: true });\n"
    "var b = Matter.Bodies.fromVertices(450, 200, [{ x: 0, y: 0 }, { x: 60, y: 0 }, { x: 60, y: 60 }]);\n"
    "Matter.Body.setAngle(b, 0.5);",
)


class _Reader:
    def __init__(self) -> None:
        self.variables = Variables()
        self.bodies: list[Given] = []
        self.angles: dict[int, float] = {}

    def take(self, statement: Statement) -> None:
        """Reads a statement. Raises NotUnderstoodError for one that is not understood."""
        target, value = target_and_value(statement)
        if isinstance(value, Name) and target and value.path.startswith("Matter."):
            return
        value = self.variables.put(value)
        if isinstance(value, Call) and value.of is None:
            owner = value.path.rpartition(".")[0].rpartition(".")[2]
            if owner == "Bodies" and value.last in FACTORIES:
                self._factory(target, value)
                return
            if owner == "Body" and value.last == "create" and self._created(target, value):
                return
            if owner == "Body" and len(value.args) == 2 and self._change(value):
                return
            if value.last in PASSED_OVER and owner != "Bodies":
                self._inside(value)
                return
            if value.path.endswith("Vertices.fromPath"):
                self.variables.keep(target, value, statement.line)
                return
        if target and "." not in target and isinstance(value, Items | Number | Record):
            self.variables.keep(target, value, statement.line)
            return
        raise NotUnderstoodError(f"{value_name(statement)} is not understood", statement.line)

    def _inside(self, value: Call) -> None:
        """Reads the bodies that are made inside a call such as `Composite.add(world, [Bodies.rectangle(…), …])`.

        Raises NotUnderstoodError for a body that is not understood.
        """
        for one in value.args:
            for inner in one.items if isinstance(one, Items) else (one,):
                if isinstance(inner, Call) and ".Bodies." in f".{inner.path}":
                    self.take(inner)

    def _factory(self, target: str, call: Call) -> None:
        count = FACTORIES[call.last]
        if not count <= len(call.args) <= count + 1 or call.named:
            raise NotUnderstoodError(f"{call.last}(…) needs {count} values, got {len(call.args)}", call.line)
        centre = numbers_in(call.args[:2], 2, "a position", call.line)
        given = Given(call.line, target, position=in_space(centre), rotation=np.eye(3))
        if call.last == "fromVertices":
            given.shape = centred_polygon(_vertices(call.args[2]), call.line)
        else:
            sizes = numbers_in(call.args[2:count], count - 2, f"{call.last}(…)", call.line)
            given.shape = _shape(call.last, sizes, call.line, given)
        self._options(given, call.args[count:])
        self.bodies.append(given)

    def _created(self, target: str, call: Call) -> bool:
        """Reads `Body.create({ vertices, position, angle })`. Returns False for a call without vertices.

        Raises NotUnderstoodError for wrong vertices or options.
        """
        record = call.args[0] if len(call.args) == 1 else None
        if not isinstance(record, Record) or "vertices" not in record.items:
            return False
        given = Given(call.line, target, position=np.zeros(3), rotation=np.eye(3))
        given.shape = centred_polygon(_vertices(record.items["vertices"]), call.line)
        self._options(given, (record,), own=True)
        self.bodies.append(given)
        return True

    def _options(self, given: Given, args: tuple[Value, ...], *, own: bool = False) -> None:
        """Reads the options `{ angle, … }`. `own`: the record may also have vertices and position.

        Raises NotUnderstoodError for an option that is not understood.
        """
        for record in args:
            if not isinstance(record, Record):
                if isinstance(record, Items) and not record.items:
                    continue
                raise NotUnderstoodError(f"{value_name(record)} is not understood", record.line)
            for key, value in record.items.items():
                if key == "angle":
                    self._turn(given, number_in(value, "an angle"))
                elif own and key == "position":
                    given.position = in_space(point(value, "a position"))
                elif key not in OPTIONS and not (own and key == "vertices"):
                    raise NotUnderstoodError(f"{key} of a body is not understood", value.line)

    def _turn(self, given: Given, angle: float) -> None:
        self.angles[id(given)] = angle
        given.rotation = plane_rotation(angle)

    def _change(self, call: Call) -> bool:
        """Reads `Body.setPosition(b, …)`, setAngle, rotate and translate. Returns False for another call.

        Raises NotUnderstoodError for an unknown body, and for a value that is not understood.
        """
        owner, value = call.args
        given = next((one for one in self.bodies if isinstance(owner, Name) and one.name == owner.path), None)
        if call.last not in ("setPosition", "setAngle", "rotate", "translate"):
            return False
        if given is None:
            raise NotUnderstoodError(f"{value_name(owner)} is no body here", call.line)
        if call.last in ("setPosition", "translate"):
            way = in_space(point(value, "a position"))
            given.position = way if call.last == "setPosition" or given.position is None else given.position + way
        else:
            before = self.angles.get(id(given), 0.0) if call.last == "rotate" else 0.0
            self._turn(given, before + number_in(value, "an angle"))
        return True


def _shape(kind: str, sizes: list[float], line: int, given: Given) -> dict[str, Any]:
    if kind == "circle":
        given.notes.append("matter.js makes a circle a polygon; here it is round.")
        return {"type": "circle", "radius": sizes[0]}
    if kind == "rectangle":
        return polygon(rectangle(0.5 * sizes[0], 0.5 * sizes[1]), line)
    if kind == "polygon":
        count, radius = sizes
        if count != int(count) or not 3.0 <= count <= 100.0:
            raise NotUnderstoodError(f"a polygon needs 3 to 100 sides, got {count:g}", line)
        step = 2.0 * pi / count
        angles = [0.5 * step + k * step for k in range(int(count))]
        # matter.js rounds the corners to three digits too.
        corners = [[float(f"{turn(one) * radius:.3f}") for turn in (cos, sin)] for one in angles]
        return centred_polygon(corners, line)
    width, height, slope = sizes
    first = width * 0.5 * slope
    second = first + (1.0 - slope) * width
    return centred_polygon([[0.0, 0.0], [first, -height], [second, -height], [second + first, 0.0]], line)


def _vertices(value: Value) -> list[list[float]]:
    """The points of a list, or of a path such as "0 0 60 0 60 60" or "L 0 0 L 60 0".

    Raises NotUnderstoodError for another value.
    """
    if isinstance(value, Call) and value.path.endswith("Vertices.fromPath") and len(value.args) == 1:
        value = value.args[0]
    if isinstance(value, StringLiteral):
        numbers = numbers_of(re.sub(r"[LMlm]", " ", value.value), "a path", value.line)
        if len(numbers) % 2 or re.search(r"[lm]", value.value):
            raise NotUnderstoodError("a path has two numbers a point", value.line)
        return [[x, y] for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
    if isinstance(value, Items) and len(value.items) == 1 and isinstance(value.items[0], Items):
        value = value.items[0]
    if not isinstance(value, Items):
        raise NotUnderstoodError(f"vertices must be points, got {value_name(value)}", value.line)
    return [point(one, "a vertex") for one in value.items]


def read(text: str) -> ReadPair:
    """The pair of two bodies.

    Raises NotUnderstoodError for a statement that is not understood, an unused variable, and bodies that are no pair.
    """
    plain = _UNPACKED.sub(lambda found: "\n" * found.group().count("\n"), without_imports(text))
    reader = _Reader()
    for statement in statements(plain, real_quotients=True):
        reader.take(statement)
    reader.variables.finish()
    return pair_of(reader.bodies, WORLD)


def _made(body: WrittenBody) -> str:
    options = f"{{ angle: {numbers_text([-body.angle])} }}"
    if body.kind == "circle":
        return (
            f"const {body.letter} = Bodies.circle({numbers_text(body.position[:2])}, {body.of('radius')}, {options});"
        )
    # With y down the order of the corners is reversed. The position is that of the polygon's centre of area.
    corners = body.points[::-1] * (1.0, -1.0)
    centre = dots(plane_rotation(-body.angle)[:2, :2], np.array(area_centre(corners.tolist(), 0))) + body.position[:2]
    listed = ", ".join(f"{{ x: {numbers_text(point[:1])}, y: {numbers_text(point[1:])} }}" for point in corners)
    return f"const {body.letter} = Bodies.fromVertices({numbers_text(centre)}, [{listed}], {options});"


def _limit(shape: Shape) -> str:
    corners = polygon_corners(shape)
    return f"has {len(corners)} corners; a polygon of matter.js has at least three." if 0 < len(corners) < 3 else ""


WRITE = Writer(
    WORLD,
    # The words for a shape include the body's pose.
    dict.fromkeys(("polygon", "circle"), _made),
    each(lambda body: body.shape),
    limit=_limit,
    dimensions=(2,),
    comment="// {}",
    about=("y points down. matter.js makes a circle a polygon.",),
)


FORM = Form(
    "matter",
    "liabru/matter-js: Bodies.js and Body.js at 00251e5b",
    re.compile(r"\bBodies\.(?:rectangle|circle|polygon|trapezoid|fromVertices)\b|\bMatter\."),
    read,
    EXAMPLES,
    WRITE,
)
