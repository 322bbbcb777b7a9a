"""Bodies of Planck (JavaScript) and pybox2d (Python): a world creates them with a pose; fixtures are added later.

Boxes have half sizes, then a centre and an angle in the body's frame; a circle has its radius, in Planck after its
centre; polygons have their vertices in the body's frame. A body has a position and an angle, counter-clockwise, in
radians; y points up. Sources: piqnt/planck.js, BoxShape.ts at 0d2efe6, CircleShape.ts at 00c08cf; the manual of
pybox2d 2.1 (github.com/pybox2d/pybox2d/wiki/manual) and its calls in public code (CreateDynamicBody(position, angle),
CreatePolygonFixture(box=(hx, hy))), read in November 2026.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from .bodies import Given, World, pair_of
from .code import Call, Items, Number, Record, Statement, Value, number_in, statements, value_name
from .form import Form, NotUnderstoodError, ReadPair
from .plane import in_space, moved, plane_rotation, point, polygon, rectangle
from .program import Variables, target_and_value, without_imports

MADE = re.compile(r"[cC]reate(?:Dynamic|Static|Kinematic)?Body")
FIXED = {"createFixture", "CreateFixture", "CreatePolygonFixture", "CreateCircleFixture"}
OPTIONS = {
    *("density", "friction", "restitution", "type", "userData", "isSensor", "fixedRotation", "bullet", "linearDamping"),
    *("angularDamping", "linearVelocity", "angularVelocity", "gravityScale", "allowSleep", "awake", "groupIndex"),
    *("filterCategoryBits", "filterMaskBits", "filterGroupIndex", "categoryBits", "maskBits", "active"),
}
"""Fields that neither place nor size a body."""
PASSED_OVER = {"World", "b2World", "step", "Step", "setMassData", "setLinearVelocity", "print", "log", "on"}
EXAMPLES = (
    "const a = world.createBody({ type: 'dynamic', position: planck.Vec2(0, 0) });\n"
    "a.createFixture(planck.Box(0.5, 0.5), 1.0);\nconst b = world.createDynamicBody(planck.Vec2(1.1, 0), 0.785);\n"
    "b.createFixture({ shape: new planck.Circle(0.5), density: 1 });",
    "a = world.CreateStaticBody(position=(0, 0), shapes=b2PolygonShape(box=(0.5, 0.5)))\n"
    "b = world.CreateDynamicBody(position=(0.9, 0), angle=0.1)\nb.CreatePolygonFixture(box=(0.5, 0.5), density=1)",
)


class _Reader:
    def __init__(self) -> None:
        self.variables = Variables()
        self.bodies: dict[str, Given] = {}
        self._count = 0

    def take(self, statement: Statement) -> None:
        """Reads a statement. Raises NotUnderstoodError."""
        target, value = target_and_value(statement)
        value = self.variables.put(value)
        if isinstance(value, Call):
            if MADE.fullmatch(value.last) and value.of is None:
                self._made(target, value)
                return
            if isinstance(value.of, Call) and MADE.fullmatch(value.of.last) and value.last in FIXED:
                self._fixed(self._made(target, value.of), value)
                return
            given = self.bodies.get(value.path.rpartition(".")[0])
            if given is not None and value.of is None and value.last in FIXED:
                self._fixed(given, value)
                return
            if given is not None and value.of is None and self._changed(given, value):
                return
            if value.last in PASSED_OVER:
                return
        head, _, key = target.rpartition(".")
        if head in self.bodies and key in ("position", "angle"):
            _pose(self.bodies[head], key, value)
        elif head in self.bodies and key in OPTIONS:
            return
        elif target and not head and (isinstance(value, Items | Number) or _is_shape(value) or _is_vector(value)):
            self.variables.keep(target, value, statement.line)
        else:
            raise NotUnderstoodError(f"{value_name(statement)} is not understood", statement.line)

    def _made(self, target: str, call: Call) -> Given:
        self._count += 1
        name = target or f"body {self._count}"
        if name in self.bodies:
            raise NotUnderstoodError(f"{name} is given twice", call.line)
        given = Given(call.line, target, position=np.zeros(3), rotation=np.eye(3))
        fields = dict(call.named)
        args = list(call.args)
        if args and isinstance(first := args[0], Record):
            fields |= first.items
            args.pop(0)
        fields |= dict(zip(("position", "angle"), args, strict=False))
        if len(args) > 2:
            raise NotUnderstoodError(f"{value_name(call)} is not understood", call.line)
        for key, value in fields.items():
            if key in ("position", "angle"):
                _pose(given, key, value)
            elif key in ("shapes", "fixtures"):
                self._shaped(given, value)
            elif key not in OPTIONS:
                raise NotUnderstoodError(f"{key} of a body is not understood", value.line)
        self.bodies[name] = given
        return given

    def _fixed(self, given: Given, call: Call) -> None:
        """Reads the call of a fixture, which has a shape, a record, or only sizes, and gives the shape to the body.

        Raises NotUnderstoodError for other arguments, and without a shape.
        """
        named, args = dict(call.named), list(call.args)
        if args and isinstance(first := args[0], Record):
            named |= first.items
            args.pop(0)
        elif args:
            named["shape"] = args.pop(0)
        if args and (len(args) > 1 or not isinstance(args[0], Number | Record)):
            raise NotUnderstoodError(f"{value_name(call)} is not understood", call.line)
        named |= args[0].items if args and isinstance(args[0], Record) else {}
        sizes: dict[str, Value] = {key: named.pop(key) for key in ("box", "vertices", "radius", "pos") if key in named}
        shape = named.pop("shape", None)
        for key, value in named.items():
            if key not in OPTIONS:
                raise NotUnderstoodError(f"{key} of a fixture is not understood", value.line)
        if sizes:
            shape = Call("b2CircleShape" if "radius" in sizes else "b2PolygonShape", (), sizes, call.line)
        if shape is None:
            raise NotUnderstoodError(f"{value_name(call)} needs a shape", call.line)
        self._shaped(given, shape)

    def _shaped(self, given: Given, value: Value) -> None:
        if isinstance(value, Items) and len(value.items) == 1:
            value = value.items[0]
        if isinstance(value, Call) and value.last == "b2FixtureDef" and "shape" in value.named:
            for key, one in value.named.items():
                if key != "shape" and key not in OPTIONS:
                    raise NotUnderstoodError(f"{key} of a fixture is not understood", one.line)
            value = value.named["shape"]
        if not isinstance(value, Call) or not _is_shape(value):
            raise NotUnderstoodError(f"{value_name(value)} is no shape that is understood", value.line)
        shape = _shape(value)
        if "centre" in shape:
            given.centre = in_space(shape.pop("centre"))
        given.give("shape", shape, value.line)

    def _changed(self, given: Given, call: Call) -> bool:
        """Reads `setTransform`, `setPosition` or `setAngle`. Returns False for another call.

        Raises NotUnderstoodError for a value that is not understood.
        """
        last = call.last[:1].lower() + call.last[1:]
        if last == "setTransform" and len(call.args) == 2:
            _pose(given, "position", call.args[0])
            _pose(given, "angle", call.args[1])
        elif last in ("setPosition", "setAngle") and len(call.args) == 1:
            _pose(given, last[3:].lower(), call.args[0])
        else:
            return False
        return True


def _pose(given: Given, key: str, value: Value) -> None:
    if key == "angle":
        given.rotation = plane_rotation(number_in(value, "an angle"))
    else:
        given.position = in_space(point(value, "a position"))


def _is_shape(value: Value) -> bool:
    kinds = {"Box", "Circle", "Polygon", "b2PolygonShape", "b2CircleShape", "polygonShape", "circleShape"}
    return isinstance(value, Call) and value.of is None and value.last in {*kinds, "CircleShape", "PolygonShape"}


def _is_vector(value: Value) -> bool:
    return isinstance(value, Call) and value.of is None and value.last in ("Vec2", "b2Vec2", "vec2")


def _shape(call: Call) -> dict[str, Any]:
    args, named, line = list(call.args), dict(call.named), call.line
    if call.last == "Box" and not named and len(args) in (2, 3, 4):
        half = [number_in(one, "a half size") for one in args[:2]]
        centre = point(args[2], "a centre") if len(args) > 2 else [0.0, 0.0]
        angle = number_in(args[3], "an angle") if len(args) > 3 else 0.0
        return polygon(moved(rectangle(*half), centre, angle), line)
    if call.last.lower().endswith(("circle", "circleshape")) and len(args) <= 2:
        if "radius" in named:
            args = [named.pop("pos"), named.pop("radius")] if "pos" in named else [named.pop("radius")]
        if args and not named:
            centre = point(args[0], "a centre") if len(args) == 2 else [0.0, 0.0]
            return {"type": "circle", "radius": number_in(args[-1], "a radius"), "centre": centre}
    if call.last in ("Polygon", "PolygonShape") and len(args) == 1 and not named:
        named["vertices"] = args.pop()
    points, sizes = named.pop("vertices", None), named.pop("box", None)
    if isinstance(points, Items) and not (args or named or sizes):
        return polygon([point(one, "a vertex") for one in points.items], line)
    if isinstance(sizes, Items) and not (args or named or points) and len(sizes.items) in (2, 4):
        half = [number_in(one, "a half size") for one in sizes.items[:2]]
        if len(sizes.items) == 2:
            return polygon(rectangle(*half), line)
        centre, angle = point(sizes.items[2], "a centre"), number_in(sizes.items[3], "an angle")
        return polygon(moved(rectangle(*half), centre, angle), line)
    raise NotUnderstoodError(f"{value_name(call)} is not understood", line)


def read(text: str) -> ReadPair:
    """The pair of two bodies. Raises NotUnderstoodError."""
    reader = _Reader()
    for statement in statements(without_imports(text)):
        reader.take(statement)
    reader.variables.finish()
    return pair_of(list(reader.bodies.values()), World("Box2D", flat=True))


FORM = Form(
    "box2d_bodies",
    "Planck, pybox2d",
    "piqnt/planck.js 0d2efe6, 00c08cf; pybox2d 2.1's manual",
    re.compile(r"\b[cC]reate(?:Dynamic|Static|Kinematic)?Body\s*\([^&]"),
    read,
    EXAMPLES,
)
