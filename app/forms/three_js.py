"""three.js' meshes, in JavaScript.

Sizes are full; a capsule's length excludes its caps; the axis of shapes is y. Euler angles are radians, intrinsic, in
the order XYZ unless the call gives another. `rotateX` and the like turn about the body's own axes, `translateX` and the
like move along them. Quaternions are xyzw. A scale stretches the shape along its own axes. Sources, read in November
2026: threejs.org/docs/pages/Euler.html (radians, intrinsic, default XYZ); mrdoob/three.js, CapsuleGeometry.js at
0ba9820, CylinderGeometry.js at 08434bf, Object3D.js (rotateOnAxis, rotateOnWorldAxis, translateOnAxis; updateMatrix
composes position, quaternion and scale); for the order of a quaternion the table of `core/README.md`. The written text
was run in three 0.187.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from core.geometry.vector import Array, dots, product

from .bodies import (
    Given,
    World,
    ball_of,
    box,
    by_angles,
    by_axis,
    by_unit_axis,
    by_xyzw,
    capsule,
    cone,
    cylinder,
    ellipsoid,
    hull,
)
from .code import (
    Assign,
    Call,
    Items,
    Number,
    StringLiteral,
    Value,
    number_in,
    numbers_in,
    value_name,
)
from .form import Form, NotUnderstoodError
from .program import BodyReader, only, set_coordinate, vector_in
from .writer import Writer, WrittenBody, each

WORLD = World("three.js")
VECTOR = {"Vector3"}
PASSED_OVER = re.compile(
    r"(?:\w+\.)?(?:Scene|PerspectiveCamera|WebGLRenderer|\w*Light)|scene\.add|console\.log|document\.body\.appendChild|renderer\.(?:setSize|render)"
)
"""Calls that neither place nor size a body."""
METHODS_PASSED_OVER = {"updateMatrix", "updateMatrixWorld", "updateWorldMatrix"}
KEPT = re.compile(r"(?:\w+\.)?(?:\w+Geometry|\w+Material|Vector3|Quaternion|Euler)")
EXAMPLES = (
    "const a = new THREE.Mesh(new THREE.BoxGeometry(1, 1, 1));\na.position.set(0, 0, 0);\n"
    "const b = new THREE.Mesh(new THREE.BoxGeometry(1, 1, 1));\nb.position.set(1.1, 0, 0);\n"
    "b.rotation.set(0, 0, Math.PI / 4);",
    "const geometry = new THREE.SphereGeometry(0.5, 32, 16);\n"
    "const material = new THREE.MeshBasicMaterial({color: 0xff0000});\n"
    "const a = new THREE.Mesh(geometry, material);\nscene.add(a);\n"
    "const b = new THREE.Mesh(new THREE.CapsuleGeometry(0.2, 1), material);\nb.position.x = 0.6;\n"
    "b.rotateX(Math.PI / 2);",
)


class _Reader(BodyReader):
    world = WORLD
    real_quotients = True

    def __init__(self) -> None:
        super().__init__()
        self._angles: dict[int, list[float]] = {}
        self._scaled: set[int] = set()

    def known(self, one: Assign) -> bool:
        target, value = one.target, one.value
        given, key = self.member(target or (value.path if isinstance(value, Call) else ""))
        if isinstance(value, Call) and value.last == "Mesh" and value.of is None:
            self._mesh(target, value)
        elif (
            target
            and (isinstance(value, Number) or (isinstance(value, Call) and KEPT.fullmatch(value.path)))
            and given is None
        ):
            self.variables.keep(target, value, value.line)
        elif given is not None and target:
            self._set(given, key, value)
        elif given is not None and isinstance(value, Call):
            self._method(given, key, value)
        else:
            return isinstance(value, Call) and PASSED_OVER.fullmatch(value.path) is not None
        return True

    def _mesh(self, target: str, call: Call) -> None:
        if not 1 <= len(call.args) <= 2 or call.named:
            raise NotUnderstoodError("Mesh(…) needs a geometry", call.line)
        given = Given(line=call.line, name=target)
        given.give("shape", _geometry(call.args[0]), call.line)
        self.add(given)

    def _set(self, given: Given, key: str, value: Value) -> None:
        """Reads an assignment to the property `key` of a mesh.

        Raises NotUnderstoodError for another property, and for an angle after another rotation.
        """
        if key in ("position.x", "position.y", "position.z"):
            set_coordinate(given, key[-1], number_in(value, key))
        elif key in ("rotation.x", "rotation.y", "rotation.z"):
            if given.rotation is not None:
                raise NotUnderstoodError(
                    f"{key} after another rotation is not understood; use rotation.set(…)", value.line
                )
            angles = self._angles.setdefault(id(given), [0.0, 0.0, 0.0])
            angles["xyz".index(key[-1])] = number_in(value, key)
        elif key not in ("name", "castShadow", "receiveShadow", "visible", "userData"):
            raise NotUnderstoodError(f"{key} is not understood", value.line)

    def _method(self, given: Given, key: str, call: Call) -> None:
        self._settle(given)
        before = np.eye(3) if given.rotation is None else given.rotation
        match key:
            case "position.set":
                given.position = np.array(numbers_in(call.args, 3, "a position", call.line))
            case "position.copy":
                given.position = np.array(vector_in(only(call), VECTOR, "a position"))
            case "rotation.set":
                given.rotation = _angles(call)
            case "quaternion.set":
                given.rotation = by_xyzw(numbers_in(call.args, 4, "a quaternion", call.line), call.line)
            case "quaternion.setFromAxisAngle" | "setRotationFromAxisAngle":
                given.rotation = _axis_angle(call)
            case "quaternion.setFromEuler" | "setRotationFromEuler" | "rotation.copy":
                value = only(call)
                if not isinstance(value, Call) or value.last != "Euler":
                    raise NotUnderstoodError(f"{value_name(value)} is no Euler(…)", call.line)
                given.rotation = _angles(value)
            case "quaternion.copy" | "setRotationFromQuaternion":
                given.rotation = by_xyzw(vector_in(only(call), {"Quaternion"}, "a quaternion", 4), call.line)
            case "rotateX" | "rotateY" | "rotateZ":
                axis = np.eye(3)["XYZ".index(key[-1])].tolist()
                (angle,) = numbers_in(call.args, 1, f"{key}(…)", call.line)
                given.rotation = product(before, by_axis(axis, angle, call.line))
            case "rotateOnAxis":
                given.rotation = product(before, _axis_angle(call))
            case "rotateOnWorldAxis":
                given.rotation = product(_axis_angle(call), before)
            case "translateX" | "translateY" | "translateZ":
                (far,) = numbers_in(call.args, 1, f"{key}(…)", call.line)
                place = np.zeros(3) if given.position is None else given.position
                given.position = place + dots(before, np.eye(3)["XYZ".index(key[-1])]) * far
            case "scale.set":
                self._scale(given, numbers_in(call.args, 3, "a scale", call.line), call.line)
            case "scale.setScalar":
                self._scale(given, 3 * numbers_in(call.args, 1, "a scale", call.line), call.line)
            case name if name not in METHODS_PASSED_OVER:
                raise NotUnderstoodError(f"{key}(…) is not understood", call.line)

    def _scale(self, given: Given, scale: list[float], line: int) -> None:
        """Scales the shape along the body's own axes.

        Raises NotUnderstoodError for a second scale, for one that is not positive, and if a scene has no such shape.
        """
        if id(given) in self._scaled:
            raise NotUnderstoodError(f"the scale of {given.name} is given twice", line)
        self._scaled.add(id(given))
        if min(scale) <= 0.0:
            raise NotUnderstoodError("a scale must be above 0", line)
        given.shape = _scaled_shape(given.shape or {}, np.array(scale), line)

    def _settle(self, given: Given) -> None:
        """Sets the turn from Euler angles that were set one by one, if there are any."""
        angles = self._angles.pop(id(given), None)
        if angles is not None:
            given.rotation = by_angles(angles, "XYZ")

    def all(self) -> list[Given]:
        """The bodies. Raises NotUnderstoodError for a variable that nothing used."""
        for given in super().all():
            self._settle(given)
            # The default pose of an Object3D is the identity.
            given.position = np.zeros(3) if given.position is None else given.position
            given.rotation = np.eye(3) if given.rotation is None else given.rotation
        return self.bodies


def _scaled_shape(shape: dict[str, Any], scale: Array, line: int) -> dict[str, Any]:
    x, y, z = scale.tolist()
    match shape["type"]:
        case "box":
            return box((np.array(shape["size"]) * scale).tolist())
        case "sphere" if not x == y == z:
            return ellipsoid((shape["radius"] * scale).tolist())
        case "sphere":
            return ball_of(shape["radius"] * x)
        case "hull":
            return hull((np.array(shape["points"]).reshape(-1, 3) * scale).tolist())
    if x != z or (shape["type"] == "capsule" and x != y):
        raise NotUnderstoodError(f"a {shape['type']} with an uneven scale is not understood", line)
    heights = {"height", "length"} & set(shape)
    return {**shape, "radius": shape["radius"] * x, **{key: shape[key] * y for key in heights}}


def _angles(call: Call) -> Array:
    """The rotation matrix (3, 3) of a call's three Euler angles and their order, XYZ by default.

    Raises NotUnderstoodError for another order, and for other arguments.
    """
    args, order = call.args, "XYZ"
    if len(args) == 4 and isinstance(args[3], StringLiteral):
        order, args = args[3].value, args[:3]
        if sorted(order) != list("XYZ"):
            raise NotUnderstoodError(f'the order "{order}" is not understood', call.line)
    return by_angles(numbers_in(args, 3, "a rotation", call.line), order)


def _axis_angle(call: Call) -> Array:
    if len(call.args) != 2:
        raise NotUnderstoodError(f"{call.last}(…) needs an axis and an angle", call.line)
    axis = vector_in(call.args[0], VECTOR, "an axis")
    return by_unit_axis(axis, number_in(call.args[1], "an angle"), "three.js", call.line)


def _geometry(value: Value) -> dict[str, Any]:
    if not isinstance(value, Call) or value.of is not None:
        raise NotUnderstoodError(f"{value_name(value)} is no geometry", value.line)

    def sizes(count: int, segments: int) -> list[float]:
        """The `count` sizes. At most `segments` counts of facets may follow, which are passed over.

        Raises NotUnderstoodError for other values.
        """
        for extra in value.args[count:]:
            if len(value.args) > count + segments or number_in(extra, "a count") < 1.0 or number_in(extra, "") % 1.0:
                raise NotUnderstoodError(
                    f"{value_name(value)} with {len(value.args)} values is not understood", value.line
                )
        return numbers_in(value.args[:count], count, f"{value_name(value)}", value.line)

    match value.last:
        case "BoxGeometry" | "BoxBufferGeometry":
            return box(sizes(3, 3) if value.args else [1.0, 1.0, 1.0])
        case "SphereGeometry" | "SphereBufferGeometry":
            return ball_of(*sizes(1, 2))
        case "CapsuleGeometry":
            return capsule(*sizes(2, 3))
        case "ConeGeometry":
            return cone(*sizes(2, 2))
        case "CylinderGeometry" | "CylinderBufferGeometry":
            top, bottom, height = sizes(3, 2)
            if top == 0.0 and bottom != 0.0:
                return cone(bottom, height)
            if top != bottom:
                raise NotUnderstoodError(f"a cylinder must have one radius, got {top:g} and {bottom:g}", value.line)
            return cylinder(top, height)
        case "ConvexGeometry" if len(value.args) == 1 and isinstance(points := value.args[0], Items):
            return hull([vector_in(point, VECTOR, "a point") for point in points.items])
    raise NotUnderstoodError(f"{value_name(value)} is not understood", value.line)


def _geometry_of(kind: str, *sizes: str) -> Callable[[WrittenBody], str]:
    return lambda body: f"THREE.{kind}Geometry({', '.join(body.of(size) for size in sizes)})"


def _addon(body: WrittenBody) -> str:
    return " // of three/addons/geometries/ConvexGeometry.js" if body.kind == "hull" else ""


WRITE = Writer(
    WORLD,
    {
        "box": _geometry_of("Box", "size"),
        "sphere": _geometry_of("Sphere", "radius"),
        "capsule": _geometry_of("Capsule", "radius", "length"),
        "cylinder": _geometry_of("Cylinder", "radius", "radius", "height"),
        "cone": _geometry_of("Cone", "radius", "height"),
        "hull": lambda body: f"ConvexGeometry([{body.listed('new THREE.Vector3({})')}])",
    },
    each(
        lambda body: (
            f"const {body.letter} = new THREE.Mesh(new {body.shape});{_addon(body)}\n"
            f"{body.letter}.position.set({body.text(body.position)});\n"
            f"{body.letter}.quaternion.set({body.text(body.xyzw)});"
        )
    ),
    comment="// {}",
    about=("Full sizes; a capsule's length is without its caps.",),
)


FORM = Form(
    "three_js",
    "threejs.org/docs, November 2026",
    re.compile(r"\bTHREE\b|\b(?:Box|Sphere|Capsule|Cylinder|Cone|Convex)(?:Buffer)?Geometry\("),
    _Reader.read,
    EXAMPLES,
    WRITE,
)
