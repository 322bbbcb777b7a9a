"""Box2D, versions 2 and 3, and Planck: polygons, boxes and circles of the plane.

SetAsBox, b2MakeBox and Planck's Box take half sizes, then a centre and an angle in the body's frame. SetTransform takes
the world's position of the body's origin and radians, counter-clockwise; y points up. A pose belongs to the shape
before it or, if the text begins with a pose, to the shape after it. The skin of polygons (b2_polygonRadius) is not part
of the shape. Sources: erincatto/box2d, b2_polygon_shape.h at 343ad82, b2Body.h of 2.x (SetTransform), b2CircleShape.h
of 2.x (m_radius; m_p is zero), collision.h of version 3 at 04b2bb5 (b2MakeSquare of a half width, b2MakeRoundedBox with
a radius that adds), box2d.h of version 3 (b2Body_SetTransform); piqnt/planck.js, BoxShape.ts at 0d2efe6 and
CircleShape.ts at 00c08cf. "Copy as" writes version 3: b2MakePolygon(hull, radius); b2ComputeHull (hull.c: 3 to 8
points, those nearer than four linear slops are joined); b2Rot {c, s} and b2Rot_identity (math_functions.h);
b2Transform::Set(position, angle) of 2.x (b2Math.h, as its ports have it).
"""

from __future__ import annotations

import re

from core.geometry.elementary import atan2, hypot, sin_cos
from core.geometry.vec2 import Vec2
from core.shapes import Polygon, Shape

from ..shapes import polygon_corners
from .bodies import PRINTED_SLACK, Given, World
from .code import Assign, Call, Items, Name, Number, Record, Value, number_in, numbers_in, value_name
from .form import Form, NotUnderstoodError
from .ordered import check_count, points_of
from .plane import in_space, moved, plane_rotation, point, polygon, rectangle
from .program import BodyReader
from .writer import Writer, WrittenBody, each

MOST_CORNERS = 8
"""B2_MAX_POLYGON_VERTICES."""

BOXES = {"SetAsBox", "setAsBox", "b2MakeBox", "b2MakeOffsetBox", "b2MakeSquare", "b2MakeRoundedBox", "Box"}
PASSED_OVER = {
    *("density", "friction", "restitution", "type", "shape", "userData", "isSensor", "fixedRotation", "bullet"),
    *("linearDamping", "angularDamping", "linearVelocity", "angularVelocity", "gravityScale", "CreateBody"),
    *("createBody", "CreateFixture", "createFixture", "b2DefaultBodyDef", "b2DefaultShapeDef", "b2CreateBody"),
    *("b2CreatePolygonShape", "b2CreateCircleShape", "b2DefaultWorldDef", "b2CreateWorld", "b2World"),
    *("b2BodyDef", "b2FixtureDef", "b2PolygonShape", "b2CircleShape"),
}
"""Calls and fields that neither place nor size a body, if their values are only names and numbers."""
EXAMPLES = (
    "shape.SetAsBox(0.5f, 0.5f); body.SetTransform(b2Vec2(0.0f, 0.0f), 0.0f);\n"
    "shape.SetAsBox(0.5f, 0.5f); body.SetTransform(b2Vec2(1.1f, 0.0f), 0.78539816f);",
    "b2Polygon box = b2MakeBox(0.5f, 0.5f);\nb2Transform ta = {{0.0f, 0.0f}, b2MakeRot(0.0f)};\n"
    "b2Circle ball = {{0.0f, 0.0f}, 0.5f};\nb2Transform tb = {{0.9f, 0.0f}, b2MakeRot(0.0f)};",
)


class _Reader(BodyReader):
    world = World("Box2D", flat=True)

    def __init__(self) -> None:
        super().__init__()
        self.points: dict[str, list[Vec2]] = {}
        self.waiting: Given | None = None
        self._pose_first = False

    def shape(self, given: Given) -> None:
        """Adds a body. In a text that begins with a pose, the body gets the pose before it.

        Raises NotUnderstoodError if no pose stands before the body then.
        """
        if self._pose_first:
            if self.waiting is None:
                raise NotUnderstoodError("which body the pose belongs to is not clear", given.line)
            given.position, given.rotation, self.waiting = self.waiting.position, self.waiting.rotation, None
        self.bodies.append(given)

    def pose(self, key: str, value: object, line: int) -> None:
        """Sets the position or turn of the body before; in a text that begins with a pose, of the body after.

        Raises NotUnderstoodError if the body is not clear, or has a pose already.
        """
        if not self.bodies:
            self._pose_first = True
        if self._pose_first:
            self.waiting = self.waiting or Given(line)
            self.waiting.give(key, value, line)
            return
        if len(self.bodies) == 2 and self.bodies[0].position is None:
            raise NotUnderstoodError("which body the pose belongs to is not clear", line)
        self.bodies[-1].give(key, value, line)

    def known(self, one: Assign) -> bool:
        target, value, line = one.target, one.value, one.value.line
        field = target.rpartition(".")[2]
        call = value.last if isinstance(value, Call) else ""
        if isinstance(value, Call) and value.of is None and call in BOXES:
            self.shape(_box(value, target))
        elif one.kind == "b2Vec2" and isinstance(value, Items) and points_of(value, Items):
            self.points[target] = [_pair(each_point) for each_point in value.items]
        elif isinstance(value, Call) and call == "b2ComputeHull" and len(value.args) == 2:
            points = self._named(value)
            check_count(value.args[1], len(points))
            self.points[target] = list(Polygon.hull_of(points).points)
        elif isinstance(value, Call) and call == "b2MakePolygon" and len(value.args) == 2:
            corners = polygon([list(corner) for corner in self._named(value)], line)
            border = number_in(value.args[1], "a radius")
            self.shape(Given(line, target, corners | ({"border_radius": border} if border else {})))
        elif one.kind == "b2Circle" and isinstance(value, Items) and len(value.items) == 2:
            self.shape(_circle(value.items, line, target))
        elif field == "m_radius" and target != field:
            # b2CircleShape's constructor sets its centre m_p to zero.
            self.shape(_circle((value,), line, target.removesuffix(".m_radius")))
        elif isinstance(value, Call) and call == "Circle" and len(value.args) in (1, 2):
            self.shape(_circle(value.args, line, target))
        elif one.kind == "b2Transform" and isinstance(value, Items) and len(value.items) == 2:
            self._transform(value.items, line)
        elif one.kind == "b2Transform" and isinstance(value, Record) and set(value.items) == {"p", "q"}:
            self._transform((value.items["p"], value.items["q"]), line)
        elif isinstance(value, Call) and call in ("SetTransform", "setTransform") and len(value.args) == 2:
            self._transform(value.args, line)
        elif isinstance(value, Call) and call == "Set" and len(value.args) == 2 and isinstance(value.args[0], Call):
            # b2Transform::Set takes a position and an angle.
            self._transform(value.args, line)
        elif isinstance(value, Call) and call == "b2Body_SetTransform" and len(value.args) == 3:
            self._transform(value.args[1:], line)
        elif isinstance(value, Call) and value.path.endswith("position.Set"):
            self.pose("position", in_space(numbers_in(value.args, 2, "a position", line)), line)
        elif field == "position" and isinstance(value, Items | Call):
            self.pose("position", in_space(point(value, "a position")), line)
        elif field in ("angle", "rotation"):
            self.pose("rotation", plane_rotation(_angle(value)), line)
        else:
            return _passed_over(one, field)
        return True

    def all(self) -> list[Given]:
        """The bodies. Raises NotUnderstoodError if a pose, points or a variable is not used."""
        if self.points:
            raise NotUnderstoodError(f"{next(iter(self.points))} is given and nothing uses it")
        if self.waiting is not None:
            raise NotUnderstoodError(
                "a pose stands after the last shape of a text that begins with one", self.waiting.line
            )
        return super().all()

    def _named(self, call: Call) -> list[Vec2]:
        """The points that the first argument of a call names. They count as used.

        Raises NotUnderstoodError if no list has this name.
        """
        first = call.args[0]
        if not isinstance(first, Name) or first.path not in self.points:
            raise NotUnderstoodError(f"{value_name(first)} of {call.last}(…) is no list of points here", call.line)
        return self.points.pop(first.path)

    def _transform(self, values: tuple[Value, ...], line: int) -> None:
        self.pose("position", in_space(point(values[0], "a position")), line)
        self.pose("rotation", plane_rotation(_angle(values[1])), line)


def _passed_over(one: Assign, field: str) -> bool:
    """Whether a declaration, a field or a call neither places nor sizes a body."""
    value = one.value
    if isinstance(value, Call):
        if value.path == one.kind and one.kind.startswith("b2") and not value.args and not value.named:
            return True
        plain = not value.named and all(isinstance(one, Name | Number) for one in value.args)
        return value.of is None and value.last in PASSED_OVER and plain
    return field in PASSED_OVER and isinstance(value, Name | Number)


def _pair(value: Value) -> Vec2:
    x, y = point(value, "a point")
    return x, y


def _angle(value: Value) -> float:
    """The radians of a number, of `b2MakeRot(radians)`, or of a rotation {cosine, sine}.

    Raises NotUnderstoodError for another value, and for a rotation whose length is not 1 ± PRINTED_SLACK.
    """
    parts: tuple[Value, ...] = ()
    if isinstance(value, Items):
        parts = value.items
    elif isinstance(value, Record) and set(value.items) == {"c", "s"}:
        parts = value.items["c"], value.items["s"]
    if parts:
        cosine, sine = numbers_in(parts, 2, "a rotation", value.line)
        if abs(hypot(cosine, sine) - 1.0) > PRINTED_SLACK:
            raise NotUnderstoodError("a rotation's c and s must have length 1", value.line)
        return atan2(sine, cosine)
    if isinstance(value, Name) and value.path == "b2Rot_identity":
        return 0.0
    if isinstance(value, Call) and value.last in ("b2MakeRot", "b2Rot") and len(value.args) == 1:
        return number_in(value.args[0], "an angle")
    return number_in(value, "an angle")


def _box(call: Call, name: str) -> Given:
    given = Given(call.line, name)
    if call.last == "b2MakeSquare":
        (half,) = numbers_in(call.args, 1, "b2MakeSquare(…)", call.line)
        given.shape = polygon(rectangle(half, half), call.line)
        return given
    if call.last == "b2MakeRoundedBox":
        *_, border = numbers_in(call.args, 3, "b2MakeRoundedBox(…)", call.line)
        given.shape = polygon(rectangle(*numbers_in(call.args[:2], 2, "half sizes", call.line)), call.line)
        given.shape |= {"border_radius": border} if border else {}
        return given
    if len(call.args) not in (2, 4) or call.named:
        raise NotUnderstoodError(f"{call.last}(…) needs 2 or 4 values, got {len(call.args)}", call.line)
    corners = rectangle(*numbers_in(call.args[:2], 2, f"{call.last}(…)", call.line))
    if len(call.args) == 4:
        corners = moved(corners, point(call.args[2], "a centre"), _angle(call.args[3]))
    given.shape = polygon(corners, call.line)
    return given


def _circle(values: tuple[Value, ...], line: int, name: str) -> Given:
    if len(values) == 2 and any(point(values[0], "a centre")):
        raise NotUnderstoodError("a circle's centre in its body must be 0, 0", line)
    return Given(line, name, {"type": "circle", "radius": number_in(values[-1], "a radius")})


def _polygon_words(body: WrittenBody) -> str:
    n = body.letter
    return (
        f"b2Vec2 points_{n}[] = {{{body.listed('{{{}}}')}}};\n"
        f"b2Hull hull_{n} = b2ComputeHull(points_{n}, {len(body.points)});\n"
        f"b2Polygon shape_{n} = b2MakePolygon(&hull_{n}, {body.text([body.border])});"
    )


def _body(body: WrittenBody) -> str:
    sine, cosine = sin_cos(body.angle)
    turn = f"{{.c = {body.text([cosine])}, .s = {body.text([sine])}}}"
    return f"{body.shape}\nb2Transform pose_{body.letter} = {{.p = {{{body.text(body.position[:2])}}}, .q = {turn}}};"


def _limit(shape: Shape) -> str:
    corners = polygon_corners(shape)
    if corners and not 3 <= len(corners) <= MOST_CORNERS:
        return f"has {len(corners)} corners; a polygon of Box2D has 3 to {MOST_CORNERS}."
    return ""


WRITE = Writer(
    World("Box2D", flat=True),
    {
        "polygon": _polygon_words,
        "circle": lambda body: f"b2Circle shape_{body.letter} = {{{{{body.text((0.0, 0.0))}}}, {body.of('radius')}}};",
    },
    each(_body),
    borders=frozenset({"polygon"}),
    limit=_limit,
    dimensions=(2,),
    suffix="f",
    comment="// {}",
    about=("Box2D 3. It rounds to single precision, and joins points of a polygon that are nearer than 0.02.",),
)


FORM = Form(
    "box2d",
    "erincatto/box2d: b2_polygon_shape.h 343ad82, b2Body.h 2.x, collision.h 04b2bb5; planck.js 0d2efe6",
    re.compile(r"SetAsBox|setAsBox|b2Make\w{0,20}Box|b2Circle\b|b2Transform\b|\bplanck\.|\bpl\.(?:Box|Circle)"),
    _Reader.read,
    EXAMPLES,
    WRITE,
)
