"""Chipmunk's bodies and shapes of the plane, in C, and pymunk's, in Python.

A box has its full width and height about the body's origin. A polygon is the hull of its vertices in the body's frame,
moved by its transform if it has one. The radius of a segment, polygon or box is a border round it. A body has a
position and an angle, counter-clockwise, in radians; y points up unless the text says "y down".
Sources, read in November 2026: viblo/pymunk, shapes.py at 0cc639d6 (Poly, create_box, Segment, Circle: "Extends the
poly in all directions with the given radius") and body.py at 0c317ed4 (position, angle: "Rotation of the body in
radians"); Chipmunk 7's prototypes as chipmunkcore's reference has them (cpPolyShapeNew: body, count, verts, transform,
radius); slembcke/Chipmunk2D, cpShape.h at 04b23b85 (cpCircleShapeNew, cpSegmentShapeNew).
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from msgspec import Struct

from core.shapes import Shape
from core.shapes.convex_loop import hull_loop

from ..shapes import polygon_corners
from .bodies import Given, World, pair_of
from .code import Call, Items, Name, Number, Statement, Value, number_in, numbers_in, statements, value_name
from .form import Form, NotUnderstoodError, ReadPair
from .plane import area_centre, in_space, moved, plane_rotation, point, polygon, rectangle
from .program import Variables, target_and_value, without_imports
from .vertices import Y_DOWN, Y_DOWN_LINE
from .writer import Writer, WrittenBody, each

BODIES = {"Body", "cpBodyNew", "cpBodyNewStatic", "cpBodyNewKinematic"}
SHAPES = {
    "Poly": ("body", "vertices", "transform", "radius"),
    "create_box": ("body", "size", "radius"),
    "Circle": ("body", "radius", "offset"),
    "Segment": ("body", "a", "b", "radius"),
    "cpBoxShapeNew": ("body", "width", "height", "radius"),
    "cpCircleShapeNew": ("body", "radius", "offset"),
    "cpSegmentShapeNew": ("body", "a", "b", "radius"),
    "cpPolyShapeNew": ("body", "count", "vertices", "transform", "radius"),
    "cpPolyShapeNewRaw": ("body", "count", "vertices", "radius"),
}
"""The names of the arguments of each call, in order."""
WRAPPED = {"cpSpaceAddBody", "cpSpaceAddShape"}
PASSED_OVER = {
    *("add", "cpShapeSetFriction", "cpShapeSetElasticity", "cpBodySetVelocity", "cpShapeSetCollisionType", "Space"),
    *("cpSpaceNew", "cpShapesCollide", "shapes_collide", "step", "cache_bb", "print", "printf", "cpSpaceStep"),
    *("cpBodySetAngularVelocity", "reindex_shapes_for_body", "cpSpaceSetGravity", "cpShapeSetFilter"),
}
"""Calls that neither place nor size a body."""
WEIGHTS = {"mass", "density", "moment", "cpShapeSetMass", "cpShapeSetDensity"}
PASSED_OVER_FIELDS = {
    "friction",
    "elasticity",
    "velocity",
    "angular_velocity",
    "body_type",
    "color",
    "collision_type",
    "sensor",
}
PASSED_OVER_FIELDS |= {"filter", "gravity", "iterations", "damping"}
VECTORS = {"cpv", "Vec2d", "cpVect"}
EXAMPLES = (
    "a = pymunk.Body(1, 1)\na.position = 0, 0\npoly_a = pymunk.Poly.create_box(a, size=(1, 1))\n"
    "b = pymunk.Body(1, 1)\nb.position = (1.1, 0)\nb.angle = 0.785398\n"
    "poly_b = pymunk.Poly(b, [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])",
    "cpBody *a = cpBodyNew(1.0f, 1.0f);\ncpBodySetPosition(a, cpv(0, 0));\n"
    "cpShape *sa = cpCircleShapeNew(a, 0.5, cpvzero);\ncpBody *b = cpBodyNew(1.0f, 1.0f);\n"
    "cpBodySetPosition(b, cpv(0.9, 0));\ncpShape *sb = cpBoxShapeNew(b, 1.0, 1.0, 0.0);",
)


class _Body(Struct):
    """A body. `off_centre`: its shape's centre of mass is not its origin; `weighed`: its shape has a mass of its own.

    With both, the centre of gravity, about which the body turns, may not be its origin: such a body is refused.
    """

    given: Given
    off_centre: bool = False
    weighed: bool = False


class _Reader:
    def __init__(self) -> None:
        self.variables = Variables()
        self.bodies: dict[str, _Body] = {}
        self.shapes: dict[str, _Body] = {}
        self.loose: list[_Body] = []

    def take(self, statement: Statement) -> None:
        """Reads a statement. Raises NotUnderstoodError for one that is not understood."""
        target, value = target_and_value(statement)
        value = self.variables.put(value)
        if isinstance(value, Call) and value.last in WRAPPED and len(value.args) == 2:
            value = value.args[1]
        head, _, key = target.rpartition(".")
        owner = head.removesuffix(".body")
        if isinstance(value, Call) and value.last in BODIES:
            self._body(target, value)
        elif isinstance(value, Call) and value.last in SHAPES:
            self._shape(target, value)
        elif isinstance(value, Call) and value.path in ("cpBodySetPosition", "cpBodySetPos") and len(value.args) == 2:
            self._pose(value.args[0], "position", value.args[1])
        elif isinstance(value, Call) and value.path == "cpBodySetAngle" and len(value.args) == 2:
            self._pose(value.args[0], "angle", value.args[1])
        elif isinstance(value, Call) and value.last in WEIGHTS and value.args and isinstance(value.args[0], Name):
            self._weigh(value.args[0].path)
        elif head and key in ("position", "angle"):
            self._pose(Name(owner, statement.line), key, value)
        elif head and key in WEIGHTS and isinstance(value, Number):
            self._weigh(owner)
        elif head and key in PASSED_OVER_FIELDS:
            return
        elif target and not head and isinstance(value, Items | Number):
            self.variables.keep(target, value, statement.line)
        elif target and not head and isinstance(value, Call) and value.last.startswith(("moment_for", "cpMomentFor")):
            return
        elif not (isinstance(value, Call) and value.last in PASSED_OVER):
            raise NotUnderstoodError(f"{value_name(statement)} is not understood", statement.line)

    def _body(self, target: str, call: Call) -> None:
        if target in self.bodies or not target:
            raise NotUnderstoodError(f"{target or 'a body without a name'} is not understood here", call.line)
        if set(call.named) - {"mass", "moment", "body_type"} or (call.last == "cpBodyNew" and len(call.args) != 2):
            raise NotUnderstoodError(f"{value_name(call)} is not understood", call.line)
        self.bodies[target] = _Body(Given(call.line, target, position=np.zeros(3), rotation=np.eye(3)))

    def _pose(self, owner: Value, key: str, value: Value) -> None:
        path = owner.path if isinstance(owner, Name) else ""
        body = self.bodies.get(path) or self.shapes.get(path)
        if body is None:
            raise NotUnderstoodError(f"{value_name(owner)} is no body here", value.line)
        if key == "angle":
            body.given.rotation = plane_rotation(number_in(value, "an angle"))
        else:
            body.given.position = in_space(_point(value, "a position"))

    def _weigh(self, owner: str) -> None:
        if (body := self.shapes.get(owner)) is not None:
            body.weighed = True

    def _shape(self, target: str, call: Call) -> None:
        order = SHAPES[call.last]
        named = dict(zip(order, call.args, strict=False))
        if len(call.args) > len(order) or set(named) & set(call.named) or set(call.named) - set(order):
            raise NotUnderstoodError(f"{value_name(call)} is not understood", call.line)
        if call.last.startswith("cp") and len(call.args) != len(order):
            told = f"{call.last}(…) needs {', '.join(order)}, got {len(call.args)} values"
            raise NotUnderstoodError(told, call.line)
        named |= call.named
        owner = named.pop("body", None)
        body = self.bodies.get(owner.path) if isinstance(owner, Name) else None
        if body is None and isinstance(owner, Name) and owner.path in ("None", "NULL"):
            body = _Body(Given(call.line, target))
            self.loose.append(body)
        if body is None:
            raise NotUnderstoodError(f"{'nothing' if owner is None else value_name(owner)} is no body here", call.line)
        shape = _shaped(call, named)
        body.off_centre = "points" in shape and not _is_centred(shape["points"], call.line)
        if "centre" in shape:
            body.given.centre = np.array([*shape.pop("centre"), 0.0])
            body.off_centre = bool(body.given.centre.any())
        body.given.give("shape", shape, call.line)
        if target:
            self.shapes[target] = body

    def all(self) -> list[Given]:
        """The bodies. Raises NotUnderstoodError for an unused variable, and for a body weighed and off its centre."""
        self.variables.finish()
        found = [*self.bodies.values(), *self.loose]
        for body in found:
            if body.weighed and body.off_centre:
                told = "a shape off its body's centre has a mass, about which the body turns"
                raise NotUnderstoodError(told, body.given.line)
        return [body.given for body in found]


def _is_centred(points: list[list[float]], line: int) -> bool:
    """Whether the centre of mass of a polygon, or of a segment by its two ends, is the origin but for rounding."""
    x, y = np.mean(points, axis=0) if len(points) == 2 else area_centre(points, line)
    return bool(abs(x) + abs(y) <= 1e-12 * np.abs(points).max())


def _point(value: Value, what: str) -> list[float]:
    if isinstance(value, Name) and value.path == "cpvzero":
        return [0.0, 0.0]
    if isinstance(value, Call) and value.last in VECTORS and value.of is None and not value.named:
        return numbers_in(value.args, 2, what, value.line)
    return point(value, what)


def _shaped(call: Call, named: dict[str, Value]) -> dict[str, Any]:
    """The shape of a call's named arguments; a circle also has its `centre` (2,).

    Raises NotUnderstoodError for a missing or wrong argument.
    """

    def number(key: str) -> float:
        if key not in named:
            raise NotUnderstoodError(f"{call.last}(…) needs {key}", call.line)
        return number_in(named[key], f"{key} of {call.last}(…)")

    border = number("radius") if "radius" in named else 0.0
    match call.last:
        case "Circle" | "cpCircleShapeNew":
            centre = _point(named["offset"], "an offset") if "offset" in named else [0.0, 0.0]
            return {"type": "circle", "radius": number("radius"), "centre": centre}
        case "Segment" | "cpSegmentShapeNew":
            if not {"a", "b", "radius"} <= set(named):
                raise NotUnderstoodError(f"{call.last}(…) needs a, b and radius", call.line)
            shape = {"type": "polygon", "points": [_point(named[key], "an end") for key in "ab"]}
        case "create_box":
            width, height = _point(named["size"], "a size") if "size" in named else (10.0, 10.0)
            shape = polygon(rectangle(0.5 * width, 0.5 * height), call.line)
        case "cpBoxShapeNew":
            shape = polygon(rectangle(0.5 * number("width"), 0.5 * number("height")), call.line)
        case _:
            shape = polygon([list(one) for one in hull_loop((x, y) for x, y in _vertices(call, named))], call.line)
    return shape | ({"border_radius": border} if border else {})


def _vertices(call: Call, named: dict[str, Value]) -> list[list[float]]:
    value = named.get("vertices")
    if not isinstance(value, Items):
        raise NotUnderstoodError(f"{call.last}(…) needs its vertices", call.line)
    points = [_point(one, "a vertex") for one in value.items]
    if "count" in named and (found := number_in(named["count"], "a count")) != len(points):
        raise NotUnderstoodError(f"{call.last}(…) counts {found:g} vertices, got {len(points)}", call.line)
    transform = named.get("transform")
    if transform is None or (isinstance(transform, Name) and transform.path in ("None", "cpTransformIdentity")):
        return points
    if not isinstance(transform, Call):
        raise NotUnderstoodError(f"{value_name(transform)} is not understood", transform.line)
    if transform.last == "Transform" and set(transform.named) <= {"tx", "ty"} and not transform.args:
        x, y = (number_in(transform.named[key], key) if key in transform.named else 0.0 for key in ("tx", "ty"))
        return moved(points, [x, y])
    if transform.last in ("identity", "translation", "cpTransformTranslate"):
        if transform.last == "identity" and not transform.args:
            return points
        way = transform.args if len(transform.args) == 2 else ()
        if way:
            return moved(points, numbers_in(way, 2, "a translation", transform.line))
        return moved(points, _point(transform.args[0], "a translation")) if transform.args else points
    raise NotUnderstoodError(f"{value_name(transform)} is not understood", transform.line)


def read(text: str) -> ReadPair:
    """The pair of two bodies with a shape each.

    Raises NotUnderstoodError for a statement that is not understood, an unused variable, a body that may turn about
    another point than its origin, and bodies that are no pair.
    """
    plain = re.sub(r"(cpVect\s+\w+)\s*\[\w*\]", r"\1", without_imports(Y_DOWN_LINE.sub("", text)))
    # Python allows a position without brackets, `body.position = 1, 2`: brackets are added.
    plain = re.sub(r"(?m)^([ \t]*[\w.]+\.position\s*=\s*)([^\n(\[,;]+,[^\n,;()]+?)\s*$", r"\1(\2)", plain)
    reader = _Reader()
    for statement in statements(plain):
        reader.take(statement)
    return pair_of(reader.all(), World("Chipmunk", flat=True, y_down=bool(Y_DOWN.search(text))))


def _polygon_words(body: WrittenBody) -> str:
    border = f", radius={body.text([body.border])}" if body.border else ""
    if len(body.points) == 2:
        return f"pymunk.Segment({body.letter}, {body.listed('({})')}, {body.text([body.border])})"
    return f"pymunk.Poly({body.letter}, [{body.listed('({})')}]{border})"


def _placed(body: WrittenBody) -> str:
    name = body.letter
    return (
        f"{name} = pymunk.Body()\n{name}.position = ({body.text(body.position[:2])})\n"
        f"{name}.angle = {body.text([body.angle])}\nshape_{name} = {body.shape}"
    )


def _limit(shape: Shape) -> str:
    return "is a single point, which Chipmunk has not." if len(polygon_corners(shape)) == 1 else ""


WRITE = Writer(
    World("Chipmunk", flat=True),
    {
        "polygon": _polygon_words,
        "circle": lambda body: f"pymunk.Circle({body.letter}, {body.of('radius')})",
    },
    each(_placed, "import pymunk\n"),
    borders=frozenset({"polygon"}),
    limit=_limit,
    dimensions=(2,),
    comment="# {}",
    about=("pymunk.",),
)


FORM = Form(
    "chipmunk",
    "viblo/pymunk: shapes.py 0cc639d6, body.py 0c317ed4; Chipmunk 7's prototypes",
    re.compile(r"\bpymunk\b|\bcp(?:Body|Space|Poly|Box|Circle|Segment)\w*\b|\bPoly\.create_box\b"),
    read,
    EXAMPLES,
    WRITE,
)
