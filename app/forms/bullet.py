"""Bullet's shapes and transforms, in C++.

Boxes have half extents. A capsule's height is the distance between its caps' centres, a cone's is the full height. The
axis of a shape is y, or x or z if the shape's name ends in that letter. A cylinder's half extents are those of its
bounding box. Quaternions are xyzw, a matrix is by rows. A plane is n·x = constant, with n the normalised normal.
Sources, read in November 2026: Bullet 3.25 (btBoxShape.h, btCapsuleShape.h, btCylinderShape.h, btConeShape.h,
btStaticPlaneShape.h, btTransform.h, btQuaternion.h), btStaticPlaneShape.cpp at 0bdd9ac (`planeNormal.normalized()`, the
constant as it is).
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from core.geometry.vector import Array, length

from .bodies import (
    Given,
    World,
    ball_of,
    box,
    by_axis,
    by_matrix,
    by_xyzw,
    capsule,
    cone,
    cylinder,
    half_space,
    hull,
)
from .code import Assign, Call, Items, Name, Value, number_in, numbers_in, value_name
from .form import Form, NotUnderstoodError
from .ordered import Ordered, check_count
from .program import only
from .writer import Writer, WrittenBody, each

WORLD = World("Bullet")
SHAPE = re.compile(r"bt(Box|Sphere|Capsule|Cylinder|Cone|StaticPlane|ConvexHull)Shape([XZ]?)")
PASSED_OVER = {"setMargin", "setFriction", "setRestitution", "setUserIndex", "setUserPointer", "setMassProps"}
"""Calls that neither place nor size a body. A box's margin is inside; a hull's is ignored, with a note."""
IDENTITIES = ("btQuaternion.getIdentity", "btMatrix3x3.getIdentity")
EXAMPLES = (
    "btBoxShape shape_a(btVector3(1.0, 0.5, 0.5));\nbtTransform pose_a(btQuaternion(0, 0, 0, 1), btVector3(0, 0, 0));\n"
    "btSphereShape shape_b(0.5);\nbtTransform pose_b(btQuaternion(0, 0, 0, 1), btVector3(1.4, 0, 0));",
    "btCollisionShape* a = new btCapsuleShapeZ(0.1, 2.0);\nbtTransform ta;\nta.setIdentity();\n"
    "ta.setOrigin(btVector3(0, 0, 0.5));\nbtCollisionShape* b = new btSphereShape(0.1);\nbtTransform tb;\n"
    "tb.setIdentity();\ntb.setOrigin(btVector3(0, 0, 1.65));",
)


class _Reader(Ordered):
    """The shapes and transforms of a text. `points`: arrays of points by name; `added`: those of hulls by addPoint.

    `placed`: the transforms by name.
    """

    world = WORLD
    passed_over = PASSED_OVER

    def __init__(self) -> None:
        super().__init__()
        self.points: dict[str, list[list[float]]] = {}
        self.added: dict[str, list[list[float]]] = {}
        self.placed: dict[str, Given] = {}

    def known(self, one: Assign) -> bool:
        target, value = one.target, one.value
        if isinstance(value, Items) and one.kind == "btVector3":
            # An array of points is a hull of its own, until a hull's call takes the points.
            self.points[target] = [vector(point, "a point") for point in value.items]
            self.shapes.append(Given(one.line, target, hull(self.points[target])))
            return True
        if not isinstance(value, Call):
            return False
        pose = self.placed.get(value.path.rpartition(".")[0])
        if match := SHAPE.fullmatch(value.path):
            given = Given(line=value.line, name=target)
            given.axis = (match[2] or "y").lower()
            given.shape = self._shape(match[1], given.axis, value)
            if match[1] == "StaticPlane":
                given.axis = "y"
            if match[1] == "ConvexHull":
                given.notes.append("Bullet grows a hull by its margin, 0.04 unless set; here it has none.")
                if given.shape is None:
                    self.added[target] = []
            self.shapes.append(given)
        elif value.path == "btTransform" and value.of is None:
            self._pose(target, value)
        elif pose is not None and value.last not in PASSED_OVER:
            _method(pose, value)
        elif self._point(value):
            pass
        else:
            return False
        return True

    def _shape(self, kind: str, axis: str, call: Call) -> dict[str, Any] | None:
        match kind:
            case "Box":
                return box(vector(only(call), "half extents"), half=True)
            case "Sphere":
                return ball_of(number_in(only(call), "a radius"))
            case "Capsule":
                return capsule(*numbers_in(call.args, 2, "a capsule", call.line))
            case "Cone":
                return cone(*numbers_in(call.args, 2, "a cone", call.line))
            case "Cylinder":
                return _cylinder(vector(only(call), "half extents"), axis, call.line)
            case "StaticPlane":
                if len(call.args) != 2:
                    raise NotUnderstoodError("a plane needs its normal and its constant", call.line)
                normal, constant = np.array(vector(call.args[0], "a normal")), number_in(call.args[1], "a constant")
                size = float(length(normal))
                # The constant belongs to the normal of length 1.
                return half_space((normal / size if size > 0.0 else normal).tolist(), constant)
            case _:
                return self._hull(call)

    def _hull(self, call: Call) -> dict[str, Any] | None:
        """The hull of a named array of points; None for a hull without arguments, whose points addPoint adds.

        Raises NotUnderstoodError for an unknown array, and unless the call takes all its points.
        """
        if not call.args:
            return None
        first, *more = call.args
        name = first.path.split(".")[0] if isinstance(first, Name | Call) else ""
        if name not in self.points:
            raise NotUnderstoodError("a hull needs its points before it, as btVector3 points[] = {…}", call.line)
        points = hull(self.points[name])
        for value in more:
            # `&points[0].x()` is an index and its member after the name.
            index = value.of if isinstance(value, Call) and value.path in ("x", "m_floats", "getX") else value
            if isinstance(index, Items) and [number_in(one, "an index") for one in index.items] == [0.0]:
                continue
            if isinstance(value, Call) and value.path == "sizeof" and value_name(only(value)) == "btVector3":
                continue
            check_count(value, len(self.points[name]))
        self.shapes = [one for one in self.shapes if one.name != name or one.shape != points]
        return points

    def _point(self, call: Call) -> bool:
        """Reads addPoint, which adds a point to a hull that was made without points. Returns False for another call.

        Raises NotUnderstoodError for other arguments.
        """
        name = call.path.rpartition(".")[0]
        given = next((one for one in self.shapes if name and one.name == name), None)
        if call.last != "addPoint" or given is None or name not in self.added:
            return False
        if len(call.args) == 2 and value_name(call.args[1]) not in ("true", "false"):
            raise NotUnderstoodError(f"{value_name(call)} with 2 values is not understood", call.line)
        self.added[name].append(vector(call.args[0] if len(call.args) == 2 else only(call), "a point"))
        given.shape = hull(self.added[name])
        return True

    def _pose(self, name: str, call: Call) -> None:
        pose = Given(line=call.line, name=name)
        for value in call.args:
            if isinstance(value, Call) and value.path in ("btQuaternion", "btMatrix3x3"):
                pose.give("rotation", _turn(value, pose.notes), value.line)
            elif isinstance(value, Call) and value.path in IDENTITIES and not value.args:
                pose.give("rotation", np.eye(3), value.line)
            else:
                pose.give("position", np.array(vector(value, "a position")), value.line)
        self.poses.append(pose)
        if name:
            self.placed[name] = pose


def _method(pose: Given, call: Call) -> None:
    if call.last != "setOrigin":
        # A transform's notes tell of its rotation, which is replaced.
        pose.notes.clear()
    match call.last:
        case "setIdentity" if not call.args:
            pose.rotation, pose.position = np.eye(3), np.zeros(3)
        case "setOrigin":
            pose.position = np.array(vector(only(call), "a position"))
        case "setRotation" | "setBasis":
            value = only(call)
            if not isinstance(value, Call):
                raise NotUnderstoodError(f"{value_name(value)} is not understood", call.line)
            pose.rotation = _turn(value, pose.notes)
        case _:
            raise NotUnderstoodError(f"{value_name(call)} is not understood", call.line)


def vector(value: Value, what: str) -> list[float]:
    """The three numbers of a btVector3. `what`: its name in the error. Raises NotUnderstoodError for another value."""
    if not (isinstance(value, Call) and value.path == "btVector3" and not value.named):
        raise NotUnderstoodError(f"{what} must be a btVector3, got {value_name(value)}", value.line)
    return numbers_in(value.args, 3, what, value.line)


def _turn(call: Call, notes: list[str]) -> Array:
    if call.path == "btMatrix3x3":
        return by_matrix(np.array(numbers_in(call.args, 9, "a matrix", call.line)).reshape(3, 3), call.line, notes)
    if call.path == "btQuaternion" and len(call.args) == 2:
        return by_axis(vector(call.args[0], "an axis"), number_in(call.args[1], "an angle"), call.line)
    if call.path == "btQuaternion" and len(call.args) == 4:
        return by_xyzw(numbers_in(call.args, 4, "a quaternion", call.line), call.line)
    if call.path in IDENTITIES and not call.args:
        return np.eye(3)
    raise NotUnderstoodError(f"{value_name(call)} with {len(call.args)} values is not understood", call.line)


def _cylinder(half: list[float], axis: str, line: int) -> dict[str, Any]:
    along = "xyz".index(axis)
    radii = [size for k, size in enumerate(half) if k != along]
    if radii[0] != radii[1]:
        raise NotUnderstoodError(f"a cylinder must be round, got half extents {radii[0]:g} and {radii[1]:g}", line)
    return cylinder(radii[0], 2.0 * half[along])


def _hull(body: WrittenBody) -> str:
    n = body.letter
    return (
        f"btVector3 points_{n}[] = {{{body.listed('btVector3({})')}}};\n"
        f"btConvexHullShape shape_{n}(&points_{n}->x(), {len(body.points)}, sizeof(btVector3));\n"
        f"shape_{n}.setMargin(0.0);"
    )


def _cylinder_words(body: WrittenBody) -> str:
    half = body.text((body.number("radius"), 0.5 * body.number("height"), body.number("radius")))
    return f"btCylinderShape shape_{body.letter}(btVector3({half}));"


WRITE = Writer(
    WORLD,
    {
        "box": lambda body: f"btBoxShape shape_{body.letter}(btVector3({body.of('size', 0.5)}));",
        "sphere": lambda body: f"btSphereShape shape_{body.letter}({body.of('radius')});",
        "capsule": lambda body: f"btCapsuleShape shape_{body.letter}({body.of('radius')}, {body.of('length')});",
        "cylinder": _cylinder_words,
        "cone": lambda body: f"btConeShape shape_{body.letter}({body.of('radius')}, {body.of('height')});",
        "hull": _hull,
        "halfspace": lambda body: (
            f"btStaticPlaneShape shape_{body.letter}(btVector3({body.text(body.normal)}), {body.text([body.offset])});"
        ),
    },
    each(
        lambda body: (
            f"{body.shape}\n"
            f"btTransform pose_{body.letter}(btQuaternion({body.text(body.xyzw)}), "
            f"btVector3({body.text(body.position)}));"
        )
    ),
    comment="// {}",
    about=("Half extents; a capsule's height is the distance of its caps' centres; quaternions are x, y, z, w.",),
)


FORM = Form(
    "bullet",
    "Bullet 3.25, its headers",
    re.compile(r"\bbt[A-Z]\w+"),
    _Reader.read,
    EXAMPLES,
    WRITE,
)
