"""cannon-es' bodies, in JavaScript.

Boxes have half extents. Cylinders lie along y with their full height, planes face z. Quaternions are xyzw; Euler
angles are radians, intrinsic, in the order XYZ unless told. A body without a position stands at the origin, not turned.
Sources, November 2026: the class comments of cannon-es (Cylinder) and `setFromEuler` as its port
cannon_physics has them on pub.dev; half extents as in issue 40's texts. What is written was run
in cannon-es 0.20.
"""

from __future__ import annotations

import re
from typing import cast

import numpy as np

from core.geometry.vector import Array

from .bodies import (
    Given,
    World,
    ball_of,
    box,
    by_angles,
    by_axis,
    by_quaternion,
    cylinder,
    half_space,
    hull,
    pair_of,
)
from .code import (
    Assign,
    Call,
    Items,
    Name,
    Number,
    Record,
    Statement,
    Text,
    Value,
    number_in,
    numbers_in,
    statements,
    words,
)
from .form import Form, NotUnderstoodError, ReadPair
from .program import Variables, only, vector_in, without_imports
from .writer import Told, Writer, each, with_faces

WORLD = World("cannon-es")
VECTOR = {"Vec3"}
SHAPES = {"Box", "Sphere", "Cylinder", "Plane", "ConvexPolyhedron"}
PASSED_OVER = {
    *("mass", "material", "type", "velocity", "angularVelocity", "linearDamping", "angularDamping", "allowSleep"),
    *("collisionFilterGroup", "collisionFilterMask", "collisionResponse", "fixedRotation", "isTrigger"),
}
"""Options of a body that neither place nor size it."""
EXAMPLES = (
    "new CANNON.Body({ mass: 1, shape: new CANNON.Box(new CANNON.Vec3(0.5, 0.5, 0.5)) })\n"
    "new CANNON.Body({ mass: 1, shape: new CANNON.Sphere(0.5), position: new CANNON.Vec3(0.9, 0, 0) })",
    "const shape = new CANNON.Sphere(0.5);\nconst a = new CANNON.Body({ mass: 5, shape: shape });\n"
    "a.position.set(0, 0.4, 0);\nconst b = new CANNON.Body({ mass: 0 });\nb.addShape(new CANNON.Plane());\n"
    "b.quaternion.setFromEuler(-Math.PI / 2, 0, 0);",
)


class _Reader:
    def __init__(self) -> None:
        self.variables = Variables()
        self.bodies: list[Given] = []
        self._named: dict[str, Given] = {}

    def take(self, statement: Statement) -> None:
        target = statement.target if isinstance(statement, Assign) else ""
        # A declaration is no value: nothing below takes it, and it is refused.
        value = self.variables.put(cast("Value", statement.value if isinstance(statement, Assign) else statement))
        head, _, rest = (target or (value.path if isinstance(value, Call) else "")).partition(".")
        if isinstance(value, Call) and value.last == "Body" and value.of is None:
            self._body(target, value)
        elif head in self._named and rest and not target and isinstance(value, Call):
            self._method(self._named[head], rest, value)
        elif head in self._named and re.fullmatch(r"position\.[xyz]", rest):
            given = self._named[head]
            given.position = np.zeros(3) if given.position is None else given.position
            given.position["xyz".index(rest[-1])] = number_in(value, rest)
        elif head in self._named and rest in PASSED_OVER:
            return
        elif target and "." not in target and (isinstance(value, Number) or _is_new(value)):
            self.variables.keep(target, value, statement.line)
        elif isinstance(value, Call) and value.path in ("world.addBody", "world.add", "CANNON.World"):
            return
        else:
            raise NotUnderstoodError(f"{words(value)} is not understood", statement.line)

    def _body(self, target: str, call: Call) -> None:
        given = Given(line=call.line, name=target)
        options = call.named
        if len(call.args) == 1 and isinstance(call.args[0], Record):
            options = call.args[0].items
        elif call.args:
            raise NotUnderstoodError("Body(…) needs its options in {…}", call.line)
        for key, value in options.items():
            if key == "shape":
                _shape(given, value)
            elif key == "position":
                given.position = np.array(vector_in(value, VECTOR, "a position"))
            elif key == "quaternion":
                given.turn = _quaternion(value)
            elif key not in PASSED_OVER:
                raise NotUnderstoodError(f"{key} of Body(…) is not understood", value.line)
        self.bodies.append(given)
        if target:
            if target in self._named:
                raise NotUnderstoodError(f"{target} is given twice", call.line)
            self._named[target] = given

    def _method(self, given: Given, key: str, call: Call) -> None:
        match key:
            case "addShape" if 1 <= len(call.args) <= 3:
                _shape(given, call.args[0])
                if len(call.args) > 1:
                    given.centre = np.array(vector_in(call.args[1], VECTOR, "an offset"))
                if len(call.args) > 2:
                    given.local = _quaternion(call.args[2])
            case "position.set":
                given.position = np.array(numbers_in(call.args, 3, "a position", call.line))
            case "position.copy":
                given.position = np.array(vector_in(only(call), VECTOR, "a position"))
            case "quaternion.set":
                given.turn = _xyzw(numbers_in(call.args, 4, "a quaternion", call.line), call.line)
            case "quaternion.copy":
                given.turn = _quaternion(only(call))
            case "quaternion.setFromAxisAngle" if len(call.args) == 2:
                axis = vector_in(call.args[0], VECTOR, "an axis")
                if abs(sum(one * one for one in axis) - 1.0) > 1e-2:
                    raise NotUnderstoodError("an axis must have length 1 in cannon-es", call.line)
                given.turn = by_axis(axis, number_in(call.args[1], "an angle"), call.line)
            case "quaternion.setFromEuler":
                given.turn = _euler(call)
            case _:
                raise NotUnderstoodError(f"{key}(…) is not understood", call.line)

    def all(self) -> list[Given]:
        """The bodies."""
        self.variables.finish()
        for given in self.bodies:
            given.position = np.zeros(3) if given.position is None else given.position
            given.turn = np.eye(3) if given.turn is None else given.turn
        return self.bodies


def _is_new(value: Value) -> bool:
    """Whether a value is of cannon's classes."""
    return isinstance(value, Call) and value.of is None and value.last in {*SHAPES, "Vec3", "Quaternion", "Material"}


def _xyzw(numbers: list[float], line: int) -> Array:
    x, y, z, w = numbers
    return by_quaternion((w, x, y, z), line)


def _quaternion(value: Value) -> Array:
    if isinstance(value, Call) and value.last == "Quaternion" and not value.args and not value.named:
        return np.eye(3)
    return _xyzw(vector_in(value, {"Quaternion"}, "a quaternion", 4), value.line)


def _euler(call: Call) -> Array:
    args, order = call.args, "XYZ"
    if len(args) == 4 and isinstance(args[3], Text):
        order, args = args[3].value, args[:3]
        if order not in ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"):
            raise NotUnderstoodError(f'the order "{order}" is not understood', call.line)
    return by_angles(numbers_in(args, 3, "Euler angles", call.line), order)


def _shape(given: Given, value: Value) -> None:
    if not isinstance(value, Call) or value.of is not None or value.last not in SHAPES:
        raise NotUnderstoodError(f"{words(value)} is no shape that is understood", value.line)
    match value.last:
        case "Box":
            shape = box(vector_in(only(value), VECTOR, "half extents"), half=True)
        case "Sphere":
            shape = ball_of(*numbers_in(value.args, 1, words(value), value.line))
        case "Plane":
            numbers_in(value.args, 0, words(value), value.line)
            shape = half_space((0.0, 0.0, 1.0), 0.0)
        case "ConvexPolyhedron":
            record = value.args[0] if len(value.args) == 1 else None
            points = record.items.get("vertices") if isinstance(record, Record) else None
            if (
                not isinstance(points, Items)
                or not isinstance(record, Record)
                or set(record.items) > {"vertices", "faces"}
            ):
                raise NotUnderstoodError("ConvexPolyhedron(…) needs { vertices, faces }", value.line)
            shape = hull([vector_in(point, VECTOR, "a vertex") for point in points.items])
        case _:
            top, bottom, height, count = numbers_in(value.args, 4, words(value), value.line)
            if top == 0.0 or bottom == 0.0 or top != bottom:
                raise NotUnderstoodError(f"a cylinder must have one radius, got {top:g} and {bottom:g}", value.line)
            shape = cylinder(top, height)
            given.notes.append(f"cannon-es makes a cylinder a prism of {count:g} sides; here it is round.")
    given.give("shape", shape, value.line)


def read(text: str) -> ReadPair:
    """The pair of two bodies. Raises NotUnderstoodError."""
    reader = _Reader()
    for statement in statements(without_imports(text)):
        if isinstance(statement, Name):
            raise NotUnderstoodError(f"{statement.path} is not understood", statement.line)
        reader.take(statement)
    return pair_of(reader.all(), WORLD)


def _polyhedron(told: Told) -> str:
    points = told.listed("new CANNON.Vec3({})", told.corners)
    return f"ConvexPolyhedron({{ vertices: [{points}], faces: {told.faces} }})"


def _round(told: Told) -> str:
    return f"Cylinder({told.of('radius')}, {told.of('radius')}, {told.of('height')}, 32)"


def _body(told: Told) -> str:
    mass = 0 if told.kind == "halfspace" else 1
    place, turn = told.row(told.place), told.row(told.xyzw)
    return (
        f"const {told.letter} = new CANNON.Body({{ mass: {mass}, shape: new CANNON.{told.said}, "
        f"position: new CANNON.Vec3({place}), quaternion: new CANNON.Quaternion({turn}) }});"
    )


WRITE = Writer(
    WORLD,
    {
        "box": lambda told: f"Box(new CANNON.Vec3({told.of('size', 0.5)}))",
        "sphere": lambda told: f"Sphere({told.of('radius')})",
        "cylinder": _round,
        "hull": _polyhedron,
        "halfspace": lambda _: "Plane()",
    },
    each(_body),
    limit=with_faces("cannon-es"),
    plane=(0.0, 0.0, 1.0),
    comment="// {}",
    about=("Half extents; cylinders lie along y and are prisms of 32 sides in cannon-es; a plane faces z.",),
)


FORM = Form("cannon", "cannon-es", "cannon-es, its class comments", re.compile(r"\bCANNON\b"), read, EXAMPLES, WRITE)
