"""Jolt's shapes, positions and rotations, in C++.

Boxes have half extents. Capsules and cylinders lie along y; their half height comes before the radius, and a capsule's
excludes its caps. A convex radius is inside the shape. `Quat` is xyzw, `Quat::sEulerAngles` turns about the fixed x,
then y, then z. A plane is n·x + c = 0, solid on its negative side. Sources, read in November 2026: jrouwe/JoltPhysics,
BoxShape.h at 06e9d17, CapsuleShape.h at 03033a0, CylinderShape.h at 01a3f45, PlaneShape.h at 12171c2, Plane.h at
03033a0, Quat.h (sEulerAngles: "RotZ * RotY * RotX"); the order of Quat's four numbers from the table of
`core/README.md`. Hulls: ConvexHullShape.h (an Array of points or a pointer and its count, then the convex radius).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

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
    capsule,
    cylinder,
    half_space,
    hull,
)
from .code import Assign, Call, Items, Name, Number, Value, number_in, numbers_in, value_name
from .form import Form, NotUnderstoodError
from .ordered import Ordered, check_count, points_of
from .writer import Writer, WrittenBody, each, numbers_text

WORLD = World("Jolt")
SHAPE = re.compile(r"(?:JPH\.)?(Box|Sphere|Capsule|Cylinder|Plane|ConvexHull)Shape(?:Settings)?")
VECTORS = {"Vec3", "RVec3", "Float3", "DVec3"}
AXES = {"sAxisX": (1.0, 0.0, 0.0), "sAxisY": (0.0, 1.0, 0.0), "sAxisZ": (0.0, 0.0, 1.0), "sZero": (0.0, 0.0, 0.0)}
PASSED_OVER = {"SetEmbedded", "CreateBody", "CreateAndAddBody", "AddBody", "SetLinearVelocity", "SetAngularVelocity"}
"""Calls that neither place nor size a body."""
EXAMPLES = (
    "Ref<Shape> shape_a = new BoxShape(Vec3(0.5f, 0.5f, 0.5f));\nRVec3 position_a(0, 0, 0); "
    "Quat rotation_a(0, 0, 0, 1);\n"
    "Ref<Shape> shape_b = new SphereShape(0.5f);\nRVec3 position_b(0.9_r, 0, 0); Quat rotation_b = Quat::sIdentity();",
    "BodyCreationSettings a(new BoxShape(Vec3(100.0f, 1.0f, 100.0f)), RVec3(0, -1, 0), Quat::sIdentity(), "
    "EMotionType::Static, Layers::NON_MOVING);\n"
    "BodyCreationSettings b(new SphereShape(0.5f), RVec3(0, 0.4, 0), Quat::sRotation(Vec3::sAxisZ(), 0.25f * JPH_PI), "
    "EMotionType::Dynamic, Layers::MOVING);",
)


class _Reader(Ordered):
    world = WORLD
    passed_over = PASSED_OVER

    def __init__(self) -> None:
        super().__init__()
        self.positions: list[Given] = []
        self.turns: list[Given] = []

    def known(self, one: Assign) -> bool:
        target, value = one.target, _settings(one.value)
        if isinstance(value, Call) and SHAPE.fullmatch(value.path):
            self.add_shape(self._shape(target, value))
        elif isinstance(value, Call) and value.last == "BodyCreationSettings":
            self._body(target, value)
        elif isinstance(value, Call | Name) and target and value.path.split(".")[0] in self.named:
            # A shape that settings make, or a second name of a shape.
            if value.path.partition(".")[2] not in ("", "Create", "Create.Get", "Get") or (
                isinstance(value, Call) and value.args
            ):
                raise NotUnderstoodError(f"{value_name(value)} is not understood", one.line)
            self.named[target] = self.named[value.path.split(".")[0]]
        elif isinstance(value, Items) and points_of(value, Call):
            self.add_points(target, [vector(point, "a point") for point in value.items], one.line)
        elif isinstance(value, Number) and target:
            self.variables.keep(target, value, one.line)
        elif isinstance(value, Call) and value.path.removeprefix("JPH.").split(".")[0] == "Quat":
            self._loose(self.turns, target, value, rotation_matrix(value))
        elif isinstance(value, Call) and value.path.removeprefix("JPH.").split(".")[0] in VECTORS:
            self._loose(self.positions, target, value, np.array(vector(value, "a position")))
        else:
            return False
        return True

    def _loose(self, into: list[Given], target: str, value: Value, found: Array) -> None:
        given = Given(value.line, target)
        given.give("rotation" if into is self.turns else "position", found, value.line)
        into.append(given)

    def _taken_value(self, value: Value, into: list[Given]) -> Array | None:
        """The position or turn that a value names, which is removed from `into`; None if it names none."""
        for given in into:
            if isinstance(value, Name) and value.path == given.name:
                into.remove(given)
                return given.rotation if into is self.turns else given.position
        return None

    def _shape(self, target: str, call: Call) -> Given:
        match = SHAPE.fullmatch(call.path)
        assert match is not None
        given = Given(call.line, target)
        given.shape = self._sized(match[1], call)
        return given

    def _sized(self, kind: str, call: Call) -> dict[str, Any]:
        def sizes(count: int) -> list[float]:
            """The `count` numbers of the call. A cylinder may have one more, its convex radius, which is inside it.

            Raises NotUnderstoodError for other arguments.
            """
            extra = call.args[count:]
            if len(extra) == 1 and kind == "Cylinder":
                _check_convex_radius(extra[0], call)
                extra = ()
            return numbers_in((*call.args[:count], *extra), count, value_name(call), call.line)

        match kind:
            case "Box":
                if not 1 <= len(call.args) <= 2:
                    raise NotUnderstoodError("BoxShape(…) needs its half extents as a Vec3", call.line)
                for convex_radius in call.args[1:]:
                    _check_convex_radius(convex_radius, call)
                return box(vector(call.args[0], "half extents"), half=True)
            case "Sphere":
                return ball_of(*sizes(1))
            case "Capsule":
                half, radius = sizes(2)
                return capsule(radius, 2.0 * half)
            case "Cylinder":
                half, radius = sizes(2)
                return cylinder(radius, 2.0 * half)
            case "Plane":
                plane = call.args[0] if len(call.args) == 1 else None
                if not (isinstance(plane, Call) and plane.last == "Plane" and len(plane.args) == 2):
                    raise NotUnderstoodError("PlaneShape(…) needs a Plane(normal, constant)", call.line)
                return half_space(vector(plane.args[0], "a normal"), -number_in(plane.args[1], "a constant"))
            case _:
                return self._hull(call)

    def _hull(self, call: Call) -> dict[str, Any]:
        """The hull of a call: its points, their count if they are a pointer, and perhaps a convex radius.

        Raises NotUnderstoodError for other arguments.
        """
        if not 1 <= len(call.args) <= 3 or call.named:
            raise NotUnderstoodError("a hull needs its points, and at most a convex radius", call.line)
        first, *more = call.args
        if more:
            _check_convex_radius(more[-1], call)
        if isinstance(first, Items):
            shape = hull([vector(one, "a point") for one in first.items])
        else:
            points = self.taken(first)
            if points is None or points.shape is None or points.shape["type"] != "hull":
                raise NotUnderstoodError("a hull needs its points before it, as Array<Vec3> points = {…}", call.line)
            shape = points.shape
        # One more number of 1 or more is read as the count of points: Jolt's default convex radius is 0.05.
        if len(more) == 2 or (more and isinstance(more[0], Number) and more[0].value >= 1.0):
            check_count(more[0], len(shape["points"]))
        return shape

    def _body(self, target: str, call: Call) -> None:
        if not 3 <= len(call.args) <= 5:
            raise NotUnderstoodError("BodyCreationSettings(…) needs a shape, a position and a rotation", call.line)
        first, place, rotation = call.args[:3]
        if isinstance(first, Call) and SHAPE.fullmatch(first.path):
            shape = self._shape("", first)
        elif (found := self.taken(first)) is not None:
            shape = found
        else:
            raise NotUnderstoodError(f"{value_name(first)} is no shape here", call.line)
        given = Given(call.line, target, shape.shape)
        position = self._taken_value(place, self.positions)
        given.position = np.array(vector(place, "a position")) if position is None else position
        turned = self._taken_value(rotation, self.turns)
        given.rotation = rotation_matrix(rotation) if turned is None else turned
        for extra in call.args[3:]:
            if not isinstance(extra, Name):
                raise NotUnderstoodError(f"{value_name(extra)} of BodyCreationSettings(…) is not understood", call.line)
        self.bodies.append(given)

    def all(self) -> list[Given]:
        """The bodies; if there are none, the shapes with their positions and turns.

        Raises NotUnderstoodError if a part is left or a variable is unused.
        """
        if self.bodies and (left := (*self.positions, *self.turns)):
            raise NotUnderstoodError(f"{left[0].name or 'this'} belongs to no body", left[0].line)
        return self._with(self._with(super().all(), self.positions), self.turns)

    def _with(self, bodies: list[Given], poses: list[Given]) -> list[Given]:
        self.shapes, self.poses = bodies, poses
        return bodies if self.bodies else super().all()


def _check_convex_radius(value: Value, call: Call) -> None:
    """Raises NotUnderstoodError for a convex radius of `call` that is no number, or negative."""
    if number_in(value, "a convex radius") < 0.0:
        raise NotUnderstoodError("a convex radius must not be negative", call.line)


def _settings(value: Value) -> Value:
    """The settings in `Settings(…).Create().Get()`; another value unchanged."""
    if isinstance(value, Call) and value.path == "Get" and not value.args and isinstance(value.of, Call):
        made = value.of
        if made.path == "Create" and not made.args and isinstance(made.of, Call) and SHAPE.fullmatch(made.of.path):
            return made.of
    return value


def vector(value: Value, what: str) -> list[float]:
    """The three numbers of a Vec3, RVec3 and the like. `what`: its name in the error.

    Raises NotUnderstoodError for another value.
    """
    if isinstance(value, Call) and value.of is None and not value.named:
        if value.last in AXES and not value.args:
            return list(AXES[value.last])
        if value.last == "sReplicate":
            return 3 * numbers_in(value.args, 1, what, value.line)
        if value.last in VECTORS:
            return numbers_in(value.args, 3, what, value.line)
    raise NotUnderstoodError(f"{what} must be a Vec3, got {value_name(value)}", value.line)


def rotation_matrix(value: Value) -> Array:
    """The rotation matrix (3, 3) of a Quat.

    Raises NotUnderstoodError for another value, and for a quaternion or an axis whose length is not 1.
    """
    if isinstance(value, Call) and value.of is None and not value.named:
        if value.last == "Quat":
            return by_xyzw(numbers_in(value.args, 4, "a quaternion", value.line), value.line)
        if value.path.endswith("Quat.sIdentity") and not value.args:
            return np.eye(3)
        if value.path.endswith("Quat.sRotation") and len(value.args) == 2:
            axis = vector(value.args[0], "an axis")
            return by_unit_axis(axis, number_in(value.args[1], "an angle"), "Jolt", value.line)
        if value.path.endswith("Quat.sEulerAngles") and len(value.args) == 1:
            return by_angles(vector(value.args[0], "Euler angles"), "ZYX")
    raise NotUnderstoodError(f"{value_name(value)} is no rotation that is understood", value.line)


def _hull(body: WrittenBody) -> str:
    n = body.letter
    return (
        f"Array<Vec3> points_{n} = {{{body.listed('Vec3({})')}}};\n"
        f"Ref<Shape> shape_{n} = ConvexHullShapeSettings(points_{n}, 0.0f).Create().Get();"
    )


def _upright(kind: str, length: str, more: str = "") -> Callable[[WrittenBody], str]:
    return lambda body: (
        f"Ref<Shape> shape_{body.letter} = new {kind}Shape({body.of(length, 0.5)}, {body.of('radius')}{more});"
    )


WRITE = Writer(
    WORLD,
    {
        "box": lambda body: f"Ref<Shape> shape_{body.letter} = new BoxShape(Vec3({body.of('size', 0.5)}), 0.0f);",
        "sphere": lambda body: f"Ref<Shape> shape_{body.letter} = new SphereShape({body.of('radius')});",
        "capsule": _upright("Capsule", "length"),
        "cylinder": _upright("Cylinder", "height", ", 0.0f"),
        "hull": _hull,
        "halfspace": lambda body: (
            f"Ref<Shape> shape_{body.letter} = "
            f"new PlaneShape(Plane(Vec3({body.text(body.normal)}), {body.text([-body.offset])}));"
        ),
    },
    each(
        lambda body: (
            f"{body.shape}\n"
            f"RVec3 position_{body.letter}({numbers_text(body.position)}); "
            f"Quat rotation_{body.letter}({body.text(body.xyzw)});"
        )
    ),
    suffix="f",
    comment="// {}",
    about=(
        "Half extents, half heights without the caps, sharp edges (convex radius 0).",
        "Jolt rounds to single precision, but for positions in its double precision builds.",
    ),
)


FORM = Form(
    "jolt",
    "Jolt Physics, its headers",
    re.compile(
        r"\bRVec3\b|\bJPH\b|\bBodyCreationSettings\b|Quat::s[A-Z]"
        r"|\b(?:Box|Sphere|Capsule|Cylinder|Plane|ConvexHull)Shape(?:Settings)?(?:\s+\w+)?\s*\("
    ),
    _Reader.read,
    EXAMPLES,
    WRITE,
)
