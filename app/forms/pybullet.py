"""PyBullet's calls, in Python, and lines of their arguments by name.

Boxes have half extents. Capsules and cylinders lie along z; a capsule's height is the distance between its caps'
centres, a cylinder's is full. createMultiBody takes mass, collision shape, visual shape, position and orientation in
this order. Quaternions are xyzw; Euler angles are roll, pitch and yaw about the fixed axes x, y and z, in radians. A
mesh given by vertices is read as its hull. Sources: pybullet 3.2.7's answers for `core/README.md`, November 2026 (sizes
and axes); bulletphysics/bullet3, pybullet.c (getQuaternionFromEuler: "Convert Euler [roll, pitch, yaw] as in URDF/SDF
convention, to quaternion [x,y,z,w]"; the order of createMultiBody from a published wrapper of its arguments). The
written text was run: its separations equal Separatrix's to 1e-4, the precision of its hulls.
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
    by_axis,
    by_xyzw,
    capsule,
    cylinder,
    half_space,
    hull,
)
from .code import Assign, Call, Items, Name, Number, Value, number_in, value_name
from .form import Form, NotUnderstoodError
from .program import BodyReader, vector_in
from .writer import Writer, WrittenBody, each

WORLD = World("PyBullet", z_up=True)
LISTS = {"array", "asarray", "list", "tuple"}
SIZES = {
    "GEOM_BOX": {"halfExtents"},
    "GEOM_SPHERE": {"radius"},
    "GEOM_CAPSULE": {"radius", "height"},
    "GEOM_CYLINDER": {"radius", "height"},
    "GEOM_PLANE": {"planeNormal"},
    "GEOM_MESH": {"vertices"},
}
"""The arguments that size a shape. Each must be in the text, although PyBullet has defaults."""
POSES = {"basePosition", "baseOrientation", "collisionFramePosition", "collisionFrameOrientation"}
PASSED_OVER = {"baseMass", "physicsClientId", "baseVisualShapeIndex", "rgbaColor", "specularColor", "flags"}
"""Arguments that neither place nor size a body; `flags` not for a mesh."""
CALLS_PASSED_OVER = {
    *("connect", "disconnect", "setGravity", "changeDynamics", "changeVisualShape", "createVisualShape", "print"),
    *("getClosestPoints", "getContactPoints", "performCollisionDetection", "resetSimulation", "setTimeStep"),
    *("setAdditionalSearchPath", "configureDebugVisualizer", "resetDebugVisualizerCamera"),
}
EXAMPLES = (
    "import pybullet as p\np.connect(p.DIRECT)\n"
    "box = p.createCollisionShape(p.GEOM_BOX, halfExtents=[0.5, 0.5, 0.5])\n"
    "a = p.createMultiBody(baseMass=0, baseCollisionShapeIndex=box, basePosition=[0, 0, 0])\n"
    "b = p.createMultiBody(1, box, -1, [1.1, 0, 0], p.getQuaternionFromEuler([0, 0, 0.785]))",
    "p.GEOM_SPHERE radius=0.5 basePosition=[0, 0, 0]\np.GEOM_CAPSULE radius=0.2 height=1.0 basePosition=[0, 0, 1.1]",
)


class _Reader(BodyReader):
    """The bodies of a text. `shapes`: shapes by name; `loose`: shapes without a createMultiBody.

    If a text has no createMultiBody, its loose shapes are the bodies.
    """

    world = WORLD
    real_quotients = True
    passed_over = CALLS_PASSED_OVER

    def __init__(self) -> None:
        super().__init__()
        self.shapes: dict[str, Given] = {}
        self.loose: list[Given] = []

    def known(self, one: Assign) -> bool:
        target, value = one.target, one.value
        if one.kind or (isinstance(value, Name) and not target):
            self._loose_shape(one.kind or value_name(value), one.line)
        last = value.last if isinstance(value, Call) else ""
        if target in POSES or target in {"halfExtents", "radius", "height", "planeNormal", "vertices"}:
            if not self.loose:
                raise NotUnderstoodError(f"{target} stands before any shape", one.line)
            self._argument(self.loose[-1], target, value)
        elif isinstance(value, Call) and last == "createCollisionShape":
            self._shape(target, value)
        elif isinstance(value, Call) and last == "createMultiBody":
            self._body(target, value)
        elif isinstance(value, Call) and last == "resetBasePositionAndOrientation":
            self._reset(value)
        elif target not in PASSED_OVER and target and (isinstance(value, Items | Number) or last in {*LISTS, *TURNS}):
            self.variables.keep(target, value, one.line)
        else:
            return target in PASSED_OVER or (isinstance(value, Name) and not target)
        return True

    def _loose_shape(self, path: str, line: int) -> None:
        """Adds a shape, such as GEOM_BOX, whose arguments follow by name outside a call.

        Raises NotUnderstoodError for an unknown one.
        """
        kind = path.rpartition(".")[2]
        if kind not in SIZES:
            raise NotUnderstoodError(f"{path} is not understood", line)
        given = Given(line=line)
        given.shape = {"type": kind}
        self.loose.append(given)

    def _shape(self, target: str, call: Call) -> None:
        named = dict(call.named)
        args = list(call.args)
        kind = args.pop(0) if args else named.pop("shapeType", None)
        if not isinstance(kind, Name) or kind.path.rpartition(".")[2] not in SIZES:
            raise NotUnderstoodError(
                f"the shape {value_name(kind) if kind else 'without a type'} is not understood", call.line
            )
        if args:
            raise NotUnderstoodError("sizes of a shape must be given by name, as radius=0.5", call.line)
        given = Given(line=call.line, name=target)
        given.shape = {"type": kind.path.rpartition(".")[2]}
        for key, value in named.items():
            self._argument(given, key, value)
        if target:
            if target in self.shapes:
                raise NotUnderstoodError(f"{target} is given twice", call.line)
            self.shapes[target] = given
        self.loose.append(given)

    def _argument(self, given: Given, key: str, value: Value) -> None:
        assert given.shape is not None
        if key in POSES:
            turns = key.endswith("Orientation")
            found = rotation_matrix(value) if turns else np.array(vector_in(value, LISTS, "a position"))
            if key.startswith("base"):
                given.give("rotation" if turns else "position", found, value.line)
            elif turns:
                given.local = found
            else:
                given.centre = found
        elif key in SIZES[given.shape["type"]]:
            if key in given.shape:
                raise NotUnderstoodError(f"{key} is given twice", value.line)
            given.shape[key] = _size(key, value)
        elif key not in PASSED_OVER or (key == "flags" and given.shape["type"] == "GEOM_MESH"):
            raise NotUnderstoodError(f"{key} of {given.shape['type']} is not understood", value.line)

    def _body(self, target: str, call: Call) -> None:
        order = ("baseMass", "baseCollisionShapeIndex", "baseVisualShapeIndex", "basePosition", "baseOrientation")
        if len(call.args) > len(order):
            raise NotUnderstoodError(f"createMultiBody(…) has {len(call.args)} values without names", call.line)
        named = dict(zip(order, call.args, strict=False))
        if twice := sorted(set(named) & set(call.named)):
            raise NotUnderstoodError(f"{twice[0]} is given twice", call.line)
        named |= call.named
        index = named.pop("baseCollisionShapeIndex", None)
        if isinstance(index, Call) and index.last == "createCollisionShape":
            self._shape("", index)
            shape = self.loose[-1]
        elif isinstance(index, Name) and index.path in self.shapes:
            shape = self.shapes[index.path]
        else:
            raise NotUnderstoodError(
                f"{value_name(index) if index else 'a body without shape'} is no shape here", call.line
            )
        given = Given(call.line, target, dict(shape.shape or {}), local=shape.local, centre=shape.centre)
        self.loose = [one for one in self.loose if one is not shape]
        for key, value in named.items():
            if key not in ("basePosition", "baseOrientation") and key not in PASSED_OVER:
                raise NotUnderstoodError(f"{key} of createMultiBody(…) is not understood", value.line)
            if key.startswith(("basePosition", "baseOrientation")):
                self._argument(given, key, value)
        # The defaults of createMultiBody.
        given.position = np.zeros(3) if given.position is None else given.position
        given.rotation = np.eye(3) if given.rotation is None else given.rotation
        self.bodies.append(given)
        if target:
            self.named[target] = given

    def _reset(self, call: Call) -> None:
        named = dict(zip(("bodyUniqueId", "posObj", "ornObj"), call.args, strict=False)) | call.named
        named.pop("physicsClientId", None)
        body = named.get("bodyUniqueId")
        if set(named) != {"bodyUniqueId", "posObj", "ornObj"} or not (
            isinstance(body, Name) and body.path in self.named
        ):
            raise NotUnderstoodError("resetBasePositionAndOrientation(…) needs a body, a position, a turn", call.line)
        given = self.named[body.path]
        given.position = np.array(vector_in(named["posObj"], LISTS, "a position"))
        given.rotation = rotation_matrix(named["ornObj"])

    def all(self) -> list[Given]:
        """The bodies.

        Raises NotUnderstoodError for an unused variable, for a shape that lacks a size, and for one without a body
        beside bodies.
        """
        found = super().all() or self.loose
        if self.bodies and self.loose:
            raise NotUnderstoodError("this shape belongs to no body", self.loose[0].line)
        for given in found:
            _finish(given)
        return found


def _size(key: str, value: Value) -> Any:
    if key in ("radius", "height"):
        return number_in(value, key)
    if key == "vertices":
        if not isinstance(value, Items):
            raise NotUnderstoodError(f"vertices must be a list, got {value_name(value)}", value.line)
        return [vector_in(one, LISTS, "a vertex") for one in value.items]
    return vector_in(value, LISTS, key)


def _finish(given: Given) -> None:
    """Replaces the arguments in the body's `shape` by the shape that they make.

    Raises NotUnderstoodError if one is missing.
    """
    args = given.shape or {}
    kind = args["type"]
    if missing := sorted(SIZES[kind] - set(args)):
        raise NotUnderstoodError(f"{missing[0]} of {kind} is missing", given.line)
    match kind:
        case "GEOM_BOX":
            given.shape = box(args["halfExtents"], half=True)
        case "GEOM_SPHERE":
            given.shape = ball_of(args["radius"])
        case "GEOM_PLANE":
            given.shape = half_space(args["planeNormal"], 0.0)
        case "GEOM_MESH":
            given.shape = hull(args["vertices"])
            given.notes.append("PyBullet grows a hull by its margin, 0.001 unless set; here it has none.")
        case _:
            given.shape = (capsule if kind == "GEOM_CAPSULE" else cylinder)(args["radius"], args["height"])
            given.axis = "z"


TURNS = {"getQuaternionFromEuler", "getQuaternionFromAxisAngle"}


def rotation_matrix(value: Value) -> Array:
    """The rotation matrix (3, 3) of an orientation: four numbers xyzw, or a call that makes them.

    Raises NotUnderstoodError for another value, and for a quaternion whose length is not 1 ± PRINTED_SLACK.
    """
    if isinstance(value, Call) and value.last == "getQuaternionFromEuler" and len(value.args) == 1 and not value.named:
        return by_angles(vector_in(value.args[0], LISTS, "Euler angles"), "ZYX")
    if isinstance(value, Call) and value.last == "getQuaternionFromAxisAngle" and len(value.args) == 2:
        return by_axis(vector_in(value.args[0], LISTS, "an axis"), number_in(value.args[1], "an angle"), value.line)
    return by_xyzw(vector_in(value, LISTS, "a quaternion", 4), value.line)


def _round(kind: str, length: str) -> Callable[[WrittenBody], str]:
    return lambda body: f"p.GEOM_{kind}, radius={body.of('radius')}, height={body.of(length)}"


def _body(body: WrittenBody) -> str:
    n, mass = body.letter, 0 if body.kind == "halfspace" else 1
    pose = f"basePosition=[{body.text(body.position)}], baseOrientation=[{body.text(body.xyzw)}]"
    return (
        f"shape_{n} = p.createCollisionShape({body.shape})\n"
        f"{n} = p.createMultiBody(baseMass={mass}, baseCollisionShapeIndex=shape_{n}, {pose})"
    )


WRITE = Writer(
    WORLD,
    {
        "box": lambda body: f"p.GEOM_BOX, halfExtents=[{body.of('size', 0.5)}]",
        "sphere": lambda body: f"p.GEOM_SPHERE, radius={body.of('radius')}",
        "capsule": _round("CAPSULE", "length"),
        "cylinder": _round("CYLINDER", "height"),
        "hull": lambda body: f"p.GEOM_MESH, vertices=[{body.listed()}]",
        "halfspace": lambda _: "p.GEOM_PLANE, planeNormal=[0.0, 0.0, 1.0]",
    },
    each(_body, "import pybullet as p\np.connect(p.DIRECT)\n"),
    axis="z",
    plane=(0.0, 0.0, 1.0),
    comment="# {}",
    about=("Half extents; capsules and cylinders lie along z, a capsule's height is without its caps; x, y, z, w.",),
)


FORM = Form(
    "pybullet",
    "pybullet 3.2.7, as asked for the engines beside the truth",
    re.compile(r"createCollisionShape|createMultiBody|\bGEOM_[A-Z]+|baseOrientation"),
    _Reader.read,
    EXAMPLES,
    WRITE,
)
