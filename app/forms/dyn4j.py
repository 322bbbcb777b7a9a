"""dyn4j's shapes and transforms of the plane, in Java.

Rectangles have full sizes. A capsule has the sizes of its bounding rectangle, with caps at the ends of the longer side.
Triangles by width and height, and shapes `AtOrigin`, have their centre of area at the origin. `translate` and `rotate`
change the pose that a Transform, a Body or a shape has so far, in the order of the text: `rotate(radians)` turns it
about the world's origin, `rotateAboutCenter` about its centre. `detect(shape, transform, shape, transform, …)` gives
each shape its transform; without it the n-th shape has the n-th. Source: dyn4j, Geometry.java at 159a2766,
Capsule.java at 00cf9d9d, Transform.java at 0d3df13d, AbstractShape.java at 0592359e, AbstractCollisionBody.java at
1d41c532, ClippingManifoldSolverTest.java at 5e6fcc88.
"""

from __future__ import annotations

import re
from math import radians
from typing import Any

import numpy as np
from msgspec import Struct, field

from core.geometry.vector import Array, product
from core.shapes import Shape

from ..shapes import polygon_corners
from .bodies import Given, World, pair_of
from .code import Assign, Call, Declare, Items, Name, Statement, Value, number_in, numbers_in, statements, value_name
from .form import Form, NotUnderstoodError, ReadPair
from .plane import area_centre, centred_polygon, plane_rotation, point, polygon, rectangle
from .program import without_imports
from .writer import Writer, WrittenBody, each

SHAPES = re.compile(
    r"(?:(?:org\.dyn4j\.geometry\.)?Geometry\.create(?P<made>\w+)|(?P<new>Rectangle|Circle|Polygon|Triangle|Capsule))"
)
HOLDERS = {"Body", "BodyFixture", "Transform", "CollisionBody", "Fixture"}
PASSED_OVER = {
    *("setMass", "setLinearVelocity", "setAngularVelocity", "setDensity", "setFriction", "setRestitution", "addBody"),
    *("setUserData", "setAngularDamping", "setLinearDamping", "setGravityScale", "setGravity", "setEnabled", "clear"),
    *(
        "Gjk",
        "Sat",
        "Penetration",
        "Separation",
        "Manifold",
        "ClippingManifoldSolver",
        "World",
        "println",
        "getManifold",
    ),
    *("LinkPostProcessor", "DistanceDetector", "setSensor", "setAtRest", "setBullet", "setColor"),
}
"""Calls that neither place nor size a body."""
ASKED = {"detect", "distance"}
EXAMPLES = (
    "Convex c1 = Geometry.createRectangle(1.0, 0.5);\nConvex c2 = Geometry.createSquare(0.5);\n"
    "Transform tx1 = new Transform();\nTransform tx2 = new Transform();\n"
    "tx2.rotate(Math.toRadians(10.0));\ntx2.translate(-0.5, -0.5);",
    "Body a = new Body();\na.addFixture(Geometry.createCircle(0.5));\na.setMass(MassType.NORMAL);\n"
    "Body b = new Body();\nb.addFixture(Geometry.createCapsule(2.0, 0.5));\nb.translate(0.0, 0.7);",
)


class _Thing(Struct, eq=False):
    """A shape, a fixture, a body or a transform. `pose`: its pose, a homogeneous matrix (3, 3) of the plane.

    `local`: the pose of the shape in the body or fixture, such a matrix too; all zeros mark a transform. `taken`: a
    body or fixture has this shape.
    """

    name: str
    line: int
    shape: dict[str, Any] | None = None
    local: Array = field(default_factory=lambda: np.eye(3))
    pose: Array = field(default_factory=lambda: np.eye(3))
    taken: bool = False


def _turn(angle: float, about: list[float]) -> Array:
    """The homogeneous matrix (3, 3) of a rotation by radians about a point (2,)."""
    return product(product(_move(about), plane_rotation(angle)), _move([-about[0], -about[1]]))


def _move(way: list[float]) -> Array:
    found = np.eye(3)
    found[:2, 2] = way
    return found


class _Reader:
    def __init__(self) -> None:
        self.things: list[_Thing] = []
        self.pairs: list[tuple[_Thing, _Thing]] = []

    def named(self, path: str) -> _Thing | None:
        """The thing with a name; None if there is none, and for an empty name."""
        return next((one for one in self.things if one.name == path and path), None)

    def take(self, statement: Statement) -> None:
        """Reads a statement. Raises NotUnderstoodError for one that is not understood."""
        target, value = "", statement if not isinstance(statement, Assign | Declare) else statement.value
        if isinstance(statement, Assign | Declare):
            target = statement.target
        if isinstance(value, Call):
            match = SHAPES.fullmatch(value.path)
            if match is not None and value.of is None:
                self._keep(_shape(target, match["made"] or match["new"], value))
                return
            if value.last in HOLDERS and value.of is None and not value.named:
                self._holder(target, value)
                return
            if value.last in ASKED and value.of is None:
                self._asked(value)
                return
            if value.last in PASSED_OVER or value.path.startswith("TestCase."):
                return
            owner = value.path.rpartition(".")[0]
            if isinstance(value.of, Call) and value.of.last == "getTransform" and not value.of.args:
                owner = value.of.path.rpartition(".")[0]
            thing = self.named(owner)
            if thing is not None and not target:
                self._change(thing, value)
                return
        raise NotUnderstoodError(f"{value_name(statement)} is not understood", statement.line)

    def _keep(self, thing: _Thing) -> _Thing:
        if self.named(thing.name) is not None:
            raise NotUnderstoodError(f"{thing.name} is given twice", thing.line)
        self.things.append(thing)
        return thing

    def _holder(self, target: str, call: Call) -> None:
        thing = self._keep(_Thing(target, call.line))
        if call.last == "Transform":
            thing.local = np.zeros((3, 3))
        if call.args:
            self._add(thing, call)

    def _add(self, thing: _Thing, call: Call) -> None:
        """Gives a body or a fixture the shape of the call's first argument, a name or a call.

        Raises NotUnderstoodError for another argument, and for a second shape.
        """
        value = call.args[0]
        known = self.named(value.path) if isinstance(value, Name) else None
        if isinstance(value, Call):
            match = SHAPES.fullmatch(value.path)
            if match is not None:
                known = _shape("", match["made"] or match["new"], value)
            elif value.last == "BodyFixture" and len(value.args) == 1:
                self._add(thing, value)
                return
        # The other arguments are the fixture's density, friction and restitution, which are passed over.
        if known is None or known.shape is None or thing.shape is not None or call.named:
            raise NotUnderstoodError(f"{value_name(call)} is not understood", call.line)
        known.taken = True
        thing.shape, thing.local = known.shape, product(known.pose, known.local)

    def _asked(self, call: Call) -> None:
        """Reads `detect` or `distance`.

        The first call with four known names pairs shapes with transforms; others are ignored.
        """
        found = [self.named(one.path) if isinstance(one, Name) else None for one in call.args[:4]]
        if len(found) == 4 and not any(one is None for one in found):
            first, one, second, other = (thing for thing in found if thing is not None)
            if not self.pairs:
                self.pairs = [(first, one), (second, other)]

    def _change(self, thing: _Thing, call: Call) -> None:
        moved = thing.pose
        if thing.taken:
            raise NotUnderstoodError(f"{thing.name} changes after a body took it", call.line)
        match call.last:
            case "addFixture" if call.args:
                self._add(thing, call)
                return
            case "translate" | "setTranslation" if len(call.args) in (1, 2):
                way = numbers_in(call.args, 2, "a translation", call.line) if len(call.args) == 2 else None
                way = point(call.args[0], "a translation") if way is None else way
                if call.last == "translate":
                    thing.pose = product(_move(way), moved)
                else:
                    thing.pose = moved.copy()
                    thing.pose[:2, 2] = way
            case "rotate" if len(call.args) in (1, 2, 3):
                about = [0.0, 0.0]
                if len(call.args) == 2:
                    about = point(call.args[1], "a point")
                elif len(call.args) == 3:
                    about = numbers_in(call.args[1:], 2, "a point", call.line)
                thing.pose = product(_turn(_angle(call.args[0]), about), moved)
            case "setRotation" if len(call.args) == 1:
                thing.pose = plane_rotation(_angle(call.args[0]))
                thing.pose[:2, 2] = moved[:2, 2]
            case "rotateAboutCenter" if len(call.args) == 1 and thing.shape is not None:
                centre = product(thing.pose, thing.local)[:2, 2]
                if "points" in thing.shape:
                    inner = _move(area_centre(thing.shape["points"], call.line))
                    centre = product(product(thing.pose, thing.local), inner)[:2, 2]
                thing.pose = product(_turn(_angle(call.args[0]), centre.tolist()), moved)
            case "identity" if not call.args:
                thing.pose = np.eye(3)
            case _:
                raise NotUnderstoodError(f"{call.last}(…) is not understood", call.line)

    def all(self) -> list[Given]:
        """The bodies, or the shapes with their transforms.

        Raises NotUnderstoodError for a missing shape or an unequal count of transforms.
        """
        transforms = [one for one in self.things if not one.local.any()]
        shapes = [one for one in self.things if one.shape is not None and not one.taken]
        if left := [one for one in self.things if one.shape is None and one not in transforms]:
            raise NotUnderstoodError(f"the shape of {left[0].name} is missing", left[0].line)
        pairs = self.pairs or list(zip(shapes, transforms, strict=False))
        if len(transforms) > len(pairs) or (transforms and len(shapes) > len(pairs)):
            raise NotUnderstoodError("there are not as many transforms as shapes", transforms[-1].line)
        if any(one.shape is None or other.local.any() for one, other in pairs):
            raise NotUnderstoodError("a shape and its transform are expected", pairs[0][0].line)
        placed = [(one, other.pose) for one, other in pairs] or [(one, np.eye(3)) for one in shapes]
        return [_given(one, pose) for one, pose in placed]


def _given(thing: _Thing, pose: Array) -> Given:
    given = Given(thing.line, thing.name, thing.shape)
    whole = product(pose, product(thing.pose, thing.local))
    turn = np.eye(3)
    turn[:2, :2] = whole[:2, :2]
    given.position, given.rotation = np.array([*whole[:2, 2].tolist(), 0.0]), turn
    return given


def _angle(value: Value) -> float:
    """The radians of a number or a Rotation, also one in degrees. Raises NotUnderstoodError for another value."""
    if isinstance(value, Call) and value.last in ("Rotation", "of") and len(value.args) == 1:
        return number_in(value.args[0], "an angle")
    if isinstance(value, Call) and value.last == "ofDegrees" and len(value.args) == 1:
        return radians(number_in(value.args[0], "an angle"))
    return number_in(value, "an angle")


def _shape(name: str, kind: str, call: Call) -> _Thing:
    thing = _Thing(name, call.line)
    line = call.line

    def sizes(count: int) -> list[float]:
        return numbers_in(call.args, count, f"{kind}(…)", line)

    if call.named:
        raise NotUnderstoodError(f"{value_name(call)} is not understood", line)
    match kind:
        case "Circle":
            thing.shape = {"type": "circle", "radius": sizes(1)[0]}
        case "Square":
            (size,) = sizes(1)
            thing.shape = polygon(rectangle(0.5 * size, 0.5 * size), line)
        case "Rectangle":
            width, height = sizes(2)
            thing.shape = polygon(rectangle(0.5 * width, 0.5 * height), line)
        case "Capsule":
            width, height = sizes(2)
            if width == height:
                raise NotUnderstoodError("a capsule's width and height must differ in dyn4j", line)
            half = 0.5 * abs(width - height)
            ends = [[-half, 0.0], [half, 0.0]] if width > height else [[0.0, -half], [0.0, half]]
            thing.shape = {"type": "polygon", "points": ends, "border_radius": 0.5 * min(width, height)}
        case "IsoscelesTriangle":
            width, height = sizes(2)
            thing.shape = centred_polygon([[0.0, height], [-0.5 * width, 0.0], [0.5 * width, 0.0]], line)
        case "RightTriangle":
            width, height = sizes(2)
            thing.shape = centred_polygon([[0.0, height], [0.0, 0.0], [width, 0.0]], line)
        case "Polygon" | "Triangle":
            thing.shape = polygon(_points(call), line)
        case "PolygonAtOrigin" | "TriangleAtOrigin":
            thing.shape = centred_polygon(_points(call), line)
        case _:
            raise NotUnderstoodError(f"{value_name(call)} is not understood", line)
    return thing


def _points(call: Call) -> list[list[float]]:
    """The points of a call's arguments, or of its one argument, a list or a call.

    Raises NotUnderstoodError for an argument that is no point.
    """
    args = call.args
    if len(args) == 1 and isinstance(args[0], Items | Call):
        args = args[0].items if isinstance(args[0], Items) else args[0].args
    return [point(one, "a vertex") for one in args]


def read(text: str) -> ReadPair:
    """The pair of two bodies, or of two shapes and their transforms.

    Raises NotUnderstoodError for a statement that is not understood, and for a shape or a transform that is missing.
    """
    reader = _Reader()
    for statement in statements(re.sub(r"(Vector2)\s*\[\s*\](?=\s*\{)", r"\1", without_imports(text))):
        reader.take(statement)
    return pair_of(reader.all(), World("dyn4j", flat=True))


def _polygon_words(body: WrittenBody) -> str:
    return f"Convex shape_{body.letter} = Geometry.createPolygon({body.listed('new Vector2({})')});"


def _placed(body: WrittenBody) -> str:
    pose = f"pose_{body.letter}"
    return (
        f"{body.shape}\nTransform {pose} = new Transform();\n"
        f"{pose}.rotate({body.text([body.angle])});\n{pose}.translate({body.text(body.position[:2])});"
    )


def _limit(shape: Shape) -> str:
    corners = polygon_corners(shape)
    return f"has {len(corners)} corners; a polygon of dyn4j has at least three." if 0 < len(corners) < 3 else ""


WRITE = Writer(
    World("dyn4j", flat=True),
    {
        "polygon": _polygon_words,
        "circle": lambda body: f"Convex shape_{body.letter} = Geometry.createCircle({body.of('radius')});",
    },
    each(_placed),
    limit=_limit,
    dimensions=(2,),
    comment="// {}",
)


FORM = Form(
    "dyn4j",
    "dyn4j: Geometry.java 159a2766, Capsule.java 00cf9d9d, Transform.java 0d3df13d",
    re.compile(
        r"\bGeometry\.create[A-Z]|\borg\.dyn4j\b"
        r"|\b(?:Rectangle|Circle|Capsule|Triangle|Convex)\s+\w+\s*=\s*new\s+(?:Rectangle|Circle|Capsule|Triangle)\b"
    ),
    read,
    EXAMPLES,
    WRITE,
)
