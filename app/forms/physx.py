"""PhysX' geometries and transforms, in C++.

Boxes have half extents. Capsules lie along x and have a radius, then half the distance between their caps' centres. A
plane's geometry is solid where x <= 0. `PxQuat` is xyzw, or an angle in radians and a unit axis. A `PxTransform` takes
a position, a rotation, both, or three numbers; `PxTransform(PxIdentity)` is the identity. Sources,
read in November 2026: NVIDIA-Omniverse/PhysX, PxCapsuleGeometry.h, PxPlaneGeometry.h and PxTransform.h at 43426eb,
PxBoxGeometry.h at 3b6ac8a, PxRigidActorExt.h (createExclusiveShape: actor, geometry, material), PxShape.h
(setLocalPose: "relative to the actors"), PxQuat.h ("Take note of the order of the elements!": x, y, z, w).
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
    by_unit_axis,
    by_xyzw,
    capsule,
    half_space,
)
from .code import Assign, Call, Items, Name, Number, Value, number_in, numbers_in, value_name
from .form import Form, NotUnderstoodError
from .ordered import Ordered, points_of
from .program import only
from .writer import Writer, WrittenBody, each

WORLD = World("PhysX")
GEOMETRY = re.compile(r"(?:physx\.)?Px(Box|Sphere|Capsule|Plane)Geometry")
PASSED_OVER = {
    "addActor",
    "createMaterial",
    "setLinearVelocity",
    "setAngularVelocity",
    "updateMassAndInertia",
    "release",
}
"""Calls that neither place nor size a body."""
EXAMPLES = (
    "PxBoxGeometry(0.5f, 0.5f, 0.5f); PxTransform(PxIdentity)\n"
    "PxBoxGeometry(0.5f, 0.5f, 0.5f); PxTransform(PxVec3(0.9f, 0, 0))",
    "PxRigidDynamic* a = PxCreateDynamic(*gPhysics, PxTransform(PxVec3(0, 0, 0)), "
    "PxSphereGeometry(0.5f), *gMaterial, 10.0f);\n"
    "PxRigidDynamic* b = PxCreateDynamic(*gPhysics, PxTransform(PxVec3(0, 0.7f, 0), "
    "PxQuat(PxPi / 2, PxVec3(0, 0, 1))), "
    "PxCapsuleGeometry(0.2f, 0.5f), *gMaterial, 10.0f);",
)


class _Reader(Ordered):
    world = WORLD
    passed_over = PASSED_OVER

    def __init__(self) -> None:
        super().__init__()
        self._on: dict[str, Given] = {}
        """The actors by the names of their shapes."""

    def known(self, one: Assign) -> bool:
        target, value = one.target, one.value
        last = value.last if isinstance(value, Call) else ""
        if isinstance(value, Call) and GEOMETRY.fullmatch(value.path):
            self.add_shape(_shape(target, value))
        elif isinstance(value, Call) and last == "PxTransform":
            self.add_pose(target, value.line, *pose(value))
        elif isinstance(value, Call) and last in ("PxCreateDynamic", "PxCreateStatic"):
            self._body(target, value, 5 if last == "PxCreateDynamic" else 4)
        elif isinstance(value, Call) and last in ("createRigidDynamic", "createRigidStatic") and target:
            self._actor(target, value)
        elif isinstance(value, Call) and last == "createExclusiveShape":
            self._exclusive(target, value)
        elif isinstance(value, Call) and last == "setLocalPose" and (on := value.path.rpartition(".")[0]) in self._on:
            where = only(value)
            if not (isinstance(where, Call) and where.last == "PxTransform"):
                raise NotUnderstoodError(f"a local pose must be a PxTransform, got {value_name(where)}", value.line)
            self._on[on].centre, self._on[on].local = pose(where)
        elif isinstance(value, Items) and one.kind == "PxVec3" and points_of(value, Call):
            self.add_points(target, [vector(point, "a point") for point in value.items], one.line)
        elif target and (last in ("PxVec3", "PxQuat") or isinstance(value, Number)):
            self.variables.keep(target, value, one.line)
        else:
            return False
        return True

    def _actor(self, target: str, call: Call) -> None:
        """Adds an actor; a later call gives it its shape.

        Raises NotUnderstoodError if the transform is not understood.
        """
        where = only(call)
        given = Given(call.line, target)
        given.position, given.rotation = self._placed(where, call)
        self.bodies.append(given)

    def _exclusive(self, target: str, call: Call) -> None:
        """Gives an actor its shape. The call has the actor's name, a geometry and a material.

        Raises NotUnderstoodError for other arguments, and if the actor is unknown or has a shape.
        """
        actor, geometry = call.args[:2] if len(call.args) == 3 else (None, None)
        if geometry is None or not isinstance(actor, Name):
            raise NotUnderstoodError("createExclusiveShape(…) needs an actor, a geometry and a material", call.line)
        given = next((one for one in self.bodies if one.name == actor.path), None)
        if given is None:
            raise NotUnderstoodError(f"{actor.path} is no actor here", call.line)
        shape = self._geometry(geometry, call)
        given.give("shape", shape.shape, call.line)
        given.axis = shape.axis
        if target:
            self._on[target] = given

    def _geometry(self, geometry: Value, call: Call) -> Given:
        found = self.taken(geometry)
        if found is None and isinstance(geometry, Call) and GEOMETRY.fullmatch(geometry.path):
            found = _shape("", geometry)
        if found is None:
            raise NotUnderstoodError(f"{value_name(geometry)} is no geometry", call.line)
        return found

    def _placed(self, where: Value, call: Call) -> tuple[Array | None, Array | None]:
        """The position and the turn of a PxTransform, or of the pose that a name stands for.

        The named pose is removed from `poses`. Each is None if the pose lacks it. Raises NotUnderstoodError for a
        transform that is not understood, and unless exactly one pose has the name.
        """
        if isinstance(where, Call) and where.last == "PxTransform":
            return pose(where)
        known = [one for one in self.poses if isinstance(where, Name) and one.name == where.path]
        if len(known) != 1:
            raise NotUnderstoodError(f"{value_name(where)} is no transform here", call.line)
        self.poses.remove(known[0])
        return known[0].position, known[0].rotation

    def _body(self, target: str, call: Call, most: int) -> None:
        if not 3 <= len(call.args) <= most:
            raise NotUnderstoodError(f"{call.last}(…) needs a transform and a geometry", call.line)
        where, geometry = call.args[1:3]
        given, shape = Given(call.line, target), self._geometry(geometry, call)
        given.shape, given.axis = shape.shape, shape.axis
        given.position, given.rotation = self._placed(where, call)
        self.bodies.append(given)


def _shape(name: str, call: Call) -> Given:
    match = GEOMETRY.fullmatch(call.path)
    assert match is not None
    given = Given(call.line, name)
    match match[1]:
        case "Box":
            halves = call.args[0] if len(call.args) == 1 else None
            sizes = (
                numbers_in(call.args, 3, value_name(call), call.line)
                if halves is None
                else vector(halves, "half extents")
            )
            given.shape = box(sizes, half=True)
        case "Sphere":
            given.shape = ball_of(*numbers_in(call.args, 1, value_name(call), call.line))
        case "Capsule":
            radius, half = numbers_in(call.args, 2, value_name(call), call.line)
            given.shape, given.axis = capsule(radius, 2.0 * half), "x"
        case _:
            numbers_in(call.args, 0, value_name(call), call.line)
            given.shape = half_space((1.0, 0.0, 0.0), 0.0)
    return given


def vector(value: Value, what: str) -> list[float]:
    """The three numbers of a PxVec3. `what`: its name in the error. Raises NotUnderstoodError for another value."""
    if not (isinstance(value, Call) and value.last == "PxVec3" and value.of is None and not value.named):
        raise NotUnderstoodError(f"{what} must be a PxVec3, got {value_name(value)}", value.line)
    if len(value.args) == 1:
        one = value.args[0]
        if isinstance(one, Name) and one.path in ("PxZero", "PxZERO"):
            return [0.0, 0.0, 0.0]
        # PxVec3.h: the one value is assigned to all elements.
        return 3 * numbers_in(value.args, 1, what, value.line)
    return numbers_in(value.args, 3, what, value.line)


def rotation_matrix(value: Value) -> Array:
    """The rotation matrix (3, 3) of a PxQuat.

    Raises NotUnderstoodError for another value, and for a quaternion or an axis whose length is not 1.
    """
    if isinstance(value, Call) and value.last == "PxQuat" and value.of is None:
        if len(value.args) == 1 and isinstance(value.args[0], Name) and value.args[0].path in IDENTITY:
            return np.eye(3)
        if len(value.args) == 2:
            axis = vector(value.args[1], "an axis")
            return by_unit_axis(axis, number_in(value.args[0], "an angle"), "PhysX", value.line)
        return by_xyzw(numbers_in(value.args, 4, "a quaternion", value.line), value.line)
    raise NotUnderstoodError(f"a rotation must be a PxQuat, got {value_name(value)}", value.line)


IDENTITY = {"PxIdentity", "PxIDENTITY", "PxIDENTITY.PxIdentity", "physx.PxIdentity"}


def pose(call: Call) -> tuple[Array, Array]:
    """The position (3,) and the turn (3, 3) of a PxTransform. Raises NotUnderstoodError for other arguments."""
    args = call.args
    if len(args) == 1 and isinstance(args[0], Name) and args[0].path in IDENTITY:
        return np.zeros(3), np.eye(3)
    if len(args) == 1 and isinstance(args[0], Call) and args[0].last == "PxQuat":
        return np.zeros(3), rotation_matrix(args[0])
    if len(args) == 1:
        return np.array(vector(args[0], "a position")), np.eye(3)
    if len(args) == 2:
        return np.array(vector(args[0], "a position")), rotation_matrix(args[1])
    return np.array(numbers_in(args, 3, "a position", call.line)), np.eye(3)


def _hull(body: WrittenBody) -> str:
    n = body.letter
    return (
        f"PxVec3 points_{n}[] = {{{body.listed('PxVec3({})')}}};\n"
        f"// PxConvexMeshDesc desc; desc.points.count = {len(body.points)}; desc.points.stride = sizeof(PxVec3);\n"
        f"// desc.points.data = points_{n}; desc.flags = PxConvexFlag::eCOMPUTE_CONVEX; then cook it and make a\n"
        f"// PxConvexMeshGeometry of the PxConvexMesh."
    )


WRITE = Writer(
    WORLD,
    {
        "box": lambda body: f"PxBoxGeometry shape_{body.letter}({body.of('size', 0.5)});",
        "sphere": lambda body: f"PxSphereGeometry shape_{body.letter}({body.of('radius')});",
        "capsule": lambda body: (
            f"PxCapsuleGeometry shape_{body.letter}({body.of('radius')}, {body.of('length', 0.5)});"
        ),
        "hull": _hull,
        "halfspace": lambda body: f"PxPlaneGeometry shape_{body.letter};",
    },
    each(
        lambda body: (
            f"{body.shape}\n"
            f"PxTransform pose_{body.letter}(PxVec3({body.text(body.position)}), PxQuat({body.text(body.xyzw)}));"
        )
    ),
    axis="x",
    plane=(1.0, 0.0, 0.0),
    suffix="f",
    comment="// {}",
    about=(
        "Half extents; capsules lie along x, half heights without the caps; a plane faces x.",
        "PhysX rounds to single precision.",
    ),
)


FORM = Form(
    "physx",
    "PhysX, PxQuat.h",
    re.compile(r"\bPx[A-Z]\w+"),
    _Reader.read,
    EXAMPLES,
    WRITE,
)
