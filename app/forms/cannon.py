"""cannon-es' bodies, in JavaScript.

Boxes have half extents, planes are solid below z = 0. Quaternions are xyzw; Euler angles are radians, intrinsic, in the
order XYZ unless the call gives another. The default pose is at the origin without rotation. Cylinders have their full
height. Their axis is y in cannon-es from 0.10 on, and z in older versions and in cannon.js: a cylinder is refused
unless the text names cannon-es. Sources, read in November 2026: cannon-es, Box.ts at 43685b2, Plane.ts at 3ade5d7,
Cylinder.ts at e1c89c7 (krispya/cannon-es), issue 13 and pull request 30 of pmndrs/cannon-es; schteppe/cannon.js,
Cylinder.js at 40951fd; `setFromEuler` as published bundles of cannon-es have it.
The written text was run in cannon-es 0.20.
"""

from __future__ import annotations

import re

import numpy as np

from core.geometry.vector import Array

from .bodies import (
    Given,
    World,
    ball_of,
    box,
    by_angles,
    by_unit_axis,
    by_xyzw,
    cylinder,
    half_space,
    hull,
    pair_of,
)
from .code import (
    Assign,
    Call,
    Items,
    Number,
    Record,
    StringLiteral,
    Value,
    number_in,
    numbers_in,
    value_name,
)
from .form import Form, NotUnderstoodError, ReadPair
from .program import BodyReader, only, set_coordinate, vector_in
from .writer import Writer, WrittenBody, each, with_faces

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


class _Reader(BodyReader):
    world = WORLD
    real_quotients = True

    def known(self, one: Assign) -> bool:
        target, value = one.target, one.value
        given, key = self.member(target or (value.path if isinstance(value, Call) else ""))
        if isinstance(value, Call) and value.last == "Body" and value.of is None:
            self._body(target, value)
        elif given is not None and not target and isinstance(value, Call):
            self._method(given, key, value)
        elif given is not None and re.fullmatch(r"position\.[xyz]", key):
            set_coordinate(given, key[-1], number_in(value, key))
        elif given is not None and key in PASSED_OVER:
            return True
        elif target and "." not in target and (isinstance(value, Number) or _is_new(value)):
            self.variables.keep(target, value, value.line)
        else:
            return isinstance(value, Call) and value.path in ("world.addBody", "world.add", "CANNON.World")
        return True

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
                given.rotation = _quaternion(value)
            elif key not in PASSED_OVER:
                raise NotUnderstoodError(f"{key} of Body(…) is not understood", value.line)
        self.add(given)

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
                given.rotation = by_xyzw(numbers_in(call.args, 4, "a quaternion", call.line), call.line)
            case "quaternion.copy":
                given.rotation = _quaternion(only(call))
            case "quaternion.setFromAxisAngle" if len(call.args) == 2:
                axis, angle = vector_in(call.args[0], VECTOR, "an axis"), number_in(call.args[1], "an angle")
                given.rotation = by_unit_axis(axis, angle, "cannon-es", call.line)
            case "quaternion.setFromEuler":
                given.rotation = _euler(call)
            case _:
                raise NotUnderstoodError(f"{key}(…) is not understood", call.line)

    def all(self) -> list[Given]:
        """The bodies. Without a position a body is at the origin; without a quaternion it has no rotation.

        Raises NotUnderstoodError for a variable that nothing used.
        """
        for given in super().all():
            given.position = np.zeros(3) if given.position is None else given.position
            given.rotation = np.eye(3) if given.rotation is None else given.rotation
        return self.bodies


def _is_new(value: Value) -> bool:
    """Whether a value is a call that makes a shape, a vector, a quaternion or a material of cannon-es."""
    return isinstance(value, Call) and value.of is None and value.last in {*SHAPES, "Vec3", "Quaternion", "Material"}


def _quaternion(value: Value) -> Array:
    if isinstance(value, Call) and value.last == "Quaternion" and not value.args and not value.named:
        return np.eye(3)
    return by_xyzw(vector_in(value, {"Quaternion"}, "a quaternion", 4), value.line)


def _euler(call: Call) -> Array:
    args, order = call.args, "XYZ"
    if len(args) == 4 and isinstance(args[3], StringLiteral):
        order, args = args[3].value, args[:3]
        if order not in ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"):
            raise NotUnderstoodError(f'the order "{order}" is not understood', call.line)
    return by_angles(numbers_in(args, 3, "Euler angles", call.line), order)


def _shape(given: Given, value: Value) -> None:
    if not isinstance(value, Call) or value.of is not None or value.last not in SHAPES:
        raise NotUnderstoodError(f"{value_name(value)} is no shape that is understood", value.line)
    match value.last:
        case "Box":
            shape = box(vector_in(only(value), VECTOR, "half extents"), half=True)
        case "Sphere":
            shape = ball_of(*numbers_in(value.args, 1, value_name(value), value.line))
        case "Plane":
            numbers_in(value.args, 0, value_name(value), value.line)
            shape = half_space((0.0, 0.0, 1.0), 0.0)
        case "ConvexPolyhedron":
            record = value.args[0] if len(value.args) == 1 else None
            options = record.items if isinstance(record, Record) else {}
            for key, one in options.items():
                if key not in ("vertices", "faces"):
                    raise NotUnderstoodError(f"{key} of {value_name(value)} is not understood", one.line)
            points = options.get("vertices")
            if not isinstance(points, Items):
                raise NotUnderstoodError("ConvexPolyhedron(…) needs { vertices, faces }", value.line)
            shape = hull([vector_in(point, VECTOR, "a vertex") for point in points.items])
        case _:
            top, bottom, height, count = numbers_in(value.args, 4, value_name(value), value.line)
            if top == 0.0 or bottom == 0.0 or top != bottom:
                raise NotUnderstoodError(f"a cylinder must have one radius, got {top:g} and {bottom:g}", value.line)
            shape = cylinder(top, height)
            given.notes.append(f"cannon-es makes a cylinder a prism of {count:g} sides; here it is round.")
    given.give("shape", shape, value.line)


def read(text: str) -> ReadPair:
    """The pair of two bodies.

    Raises NotUnderstoodError as `BodyReader.read`, and for a cylinder unless the text names cannon-es.
    """
    bodies = _Reader.of(text).all()
    for given in bodies:
        if (given.shape or {}).get("type") == "cylinder" and "cannon-es" not in text:
            raise NotUnderstoodError(
                "a cylinder lies along y in cannon-es and along z in cannon.js: an import from 'cannon-es' says which",
                given.line,
            )
    return pair_of(bodies, WORLD)


def _polyhedron(body: WrittenBody) -> str:
    points = body.listed("new CANNON.Vec3({})", body.corners)
    return f"ConvexPolyhedron({{ vertices: [{points}], faces: {body.faces} }})"


def _round(body: WrittenBody) -> str:
    return f"Cylinder({body.of('radius')}, {body.of('radius')}, {body.of('height')}, 32)"


def _body(body: WrittenBody) -> str:
    mass = 0 if body.kind == "halfspace" else 1
    place, turn = body.text(body.position), body.text(body.xyzw)
    return (
        f"const {body.letter} = new CANNON.Body({{ mass: {mass}, shape: new CANNON.{body.shape}, "
        f"position: new CANNON.Vec3({place}), quaternion: new CANNON.Quaternion({turn}) }});"
    )


WRITE = Writer(
    WORLD,
    {
        "box": lambda body: f"Box(new CANNON.Vec3({body.of('size', 0.5)}))",
        "sphere": lambda body: f"Sphere({body.of('radius')})",
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


FORM = Form("cannon", "cannon-es, its class comments", re.compile(r"\bCANNON\b"), read, EXAMPLES, WRITE)
