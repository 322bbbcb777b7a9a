"""The engines' sizes and poses: their axes, units and conventions, and their own text of each shape.

A template says which numbers stand in the engine's call, in which order. The names in braces are those of `engine_body`
(`half_size`: half extents; `segment`: a capsule's length between the centres of its caps; `total`: its length with the
caps; `long`: the height of a cylinder or cone).

Sources, read in November 2026: btCapsuleShape.h, CapsuleShape.h (Jolt), three.js' CapsuleGeometry, Unity's manual
(Capsule Collider), UCapsuleComponent, Epic's TRotator, Godot's CapsuleShape3D, b3Capsule; for the axes of Unity and
Unreal, published importers.
"""

from __future__ import annotations

import re
from string import Formatter
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.geometry.vector import Array, product

ORDERS = (
    ("size", "position", "rotation"),
    ("size", "rotation", "position"),
    ("position", "rotation", "size"),
    ("position", "size", "rotation"),
    ("rotation", "position", "size"),
    ("rotation", "size", "position"),
)
"""Orders of a body's fields. A matrix of 3x4 or 4x4 includes the position; `position` then takes no numbers."""
EULER_ORDERS = ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")
"""Intrinsic orders: in XYZ the body turns about x, then about its turned y, then about its turned z."""
SHAPES = ("box", "sphere", "capsule", "cylinder", "cone", "ellipsoid", "hull", "halfspace")
OTHER = "other"
"""The engine's name in conventions that the user chooses one by one."""


class Conventions(Struct, frozen=True):
    """The meaning of numbers where no label says it.

    `shape_a`, `shape_b`: of SHAPES. `order`: of ORDERS, the same for both bodies. `rotation`: of ROTATIONS
    (pair_fields). `w_first`: quaternions are wxyz, else xyzw. `euler`: of EULER_ORDERS; the angles are listed about x,
    y and z, in `degrees` or else radians. `by_rows`: a matrix is listed row by row, else column by column.
    `half_sizes`: sizes of boxes and lengths are halves; radii are not. `caps`: a capsule's length includes its caps.
    `axis`: the axis of capsules, cylinders and cones. `z_up`: the world's up is Z. `left_handed`: the world's axes are.
    `unit`: one length unit of the text, in scene units. `engine`: a key of ENGINES, or OTHER.
    """

    shape_a: str = "box"
    shape_b: str = "box"
    order: tuple[str, ...] = ORDERS[0]
    rotation: str = "quaternion"
    w_first: bool = True
    euler: str = EULER_ORDERS[0]
    degrees: bool = True
    by_rows: bool = True
    half_sizes: bool = False
    caps: bool = False
    axis: str = "Y"
    z_up: bool = False
    left_handed: bool = False
    unit: float = 1.0
    engine: str = OTHER


class EngineFormat(Struct, frozen=True):
    """An engine's `conventions`, and the templates of its shapes, in which {n} is the body's letter.

    `sign`: a pattern that recognises its texts. `plane`: the normal of a half-space that is given by its pose alone.
    `about`: a sentence for the user.
    """

    conventions: Conventions
    forms: dict[str, str]
    sign: str
    plane: tuple[float, float, float] = (0.0, 1.0, 0.0)
    about: str = ""


_XYZW = Conventions(w_first=False, by_rows=False)
_HALVES = Conventions(w_first=False, by_rows=False, half_sizes=True)


def _as(name: str, base: Conventions, **changes: Any) -> Conventions:
    return replace(base, engine=name, **changes)


ENGINES: dict[str, EngineFormat] = {
    "Bullet": EngineFormat(
        _as("Bullet", _HALVES, by_rows=True, order=ORDERS[1]),
        {
            "box": "btBoxShape shape_{n}(btVector3({half_size}));",
            "sphere": "btSphereShape shape_{n}({radius});",
            "capsule": "btCapsuleShape shape_{n}({radius}, {segment});",
            "cylinder": "btCylinderShape shape_{n}(btVector3({radius}, {half_long}, {radius}));",
            "cone": "btConeShape shape_{n}({radius}, {long});",
            "hull": "btVector3 points_{n}[] = {{{points}}}; // for a btConvexHullShape",
            "halfspace": "btStaticPlaneShape shape_{n}(btVector3({normal}), {offset});",
        },
        r"\bbt[A-Z]",
        about="Half sizes; a capsule's height is the length between the centres of its caps.",
    ),
    "Jolt": EngineFormat(
        _as("Jolt", _HALVES),
        {
            "box": "Ref<Shape> shape_{n} = new BoxShape(Vec3({half_size}));",
            "sphere": "Ref<Shape> shape_{n} = new SphereShape({radius});",
            "capsule": "Ref<Shape> shape_{n} = new CapsuleShape({half_segment}, {radius});",
            "cylinder": "Ref<Shape> shape_{n} = new CylinderShape({half_long}, {radius});",
            "hull": "Array<Vec3> points_{n} = {{{points}}}; // for ConvexHullShapeSettings",
            "halfspace": "Ref<Shape> shape_{n} = new PlaneShape(Plane(Vec3({normal}), {minus_offset}));",
        },
        r"\bRVec3\b|\bJPH\b|new \w+Shape\(|mHalf",
        about="Half sizes; a capsule's half height is that of its cylinder, without the caps.",
    ),
    "PhysX": EngineFormat(
        _as("PhysX", _HALVES, axis="X"),
        {
            "box": "PxBoxGeometry shape_{n}({half_size});",
            "sphere": "PxSphereGeometry shape_{n}({radius});",
            "capsule": "PxCapsuleGeometry shape_{n}({radius}, {half_segment});",
            "hull": "PxVec3 points_{n}[] = {{{points}}}; // for a PxConvexMeshDesc",
            "halfspace": "PxPlaneGeometry shape_{n};",
        },
        r"\bPx[A-Z]",
        (1.0, 0.0, 0.0),
        about="Half sizes; capsules lie along X, half heights without the caps.",
    ),
    "MuJoCo": EngineFormat(
        _as("MuJoCo", Conventions(), half_sizes=True, axis="Z", z_up=True),
        {
            "box": '<geom name="{n}" type="box" size="{half_size}"',
            "sphere": '<geom name="{n}" type="sphere" size="{radius}"',
            "capsule": '<geom name="{n}" type="capsule" size="{radius} {half_segment}"',
            "cylinder": '<geom name="{n}" type="cylinder" size="{radius} {half_long}"',
            "ellipsoid": '<geom name="{n}" type="ellipsoid" size="{radii}"',
            "hull": '<mesh name="mesh_{n}" vertex="{points}"/>\n<geom name="{n}" type="mesh" mesh="mesh_{n}"',
            "halfspace": '<geom name="{n}" type="plane" size="0 0 1"',
        },
        r"<(?:geom|body|mujoco)\b",
        (0.0, 0.0, 1.0),
        about="Half sizes; capsules and cylinders lie along Z, half lengths without the caps.",
    ),
    "Unity": EngineFormat(
        _as("Unity", _XYZW, caps=True, left_handed=True),
        {
            "box": "BoxCollider {n}; {n}.size = new Vector3({size});",
            "sphere": "SphereCollider {n}; {n}.radius = {radius};",
            "capsule": "CapsuleCollider {n}; {n}.radius = {radius}; {n}.height = {total};",
            "hull": "Vector3[] points_{n} = {{{points}}}; // for a convex MeshCollider",
        },
        r"\b(?:Box|Sphere|Capsule)Collider\b|UnityEngine",
        about="Full sizes; a capsule's height includes its caps.",
    ),
    "Unreal": EngineFormat(
        _as(
            "Unreal", _HALVES, order=ORDERS[1], caps=True, axis="Z", z_up=True, left_handed=True, unit=0.01, euler="ZYX"
        ),
        {
            "box": "UBoxComponent* {n}; {n}->SetBoxExtent(FVector({half_size}));",
            "sphere": "USphereComponent* {n}; {n}->SetSphereRadius({radius});",
            "capsule": "UCapsuleComponent* {n}; {n}->SetCapsuleSize({radius}, {half_total});",
            "hull": "TArray<FVector> points_{n} = {{{points}}}; // for an FKConvexElem",
        },
        r"\bF(?:Vector|Quat|Rotator|Transform)\b|\bU(?:Box|Sphere|Capsule)Component\b",
        about="Half sizes, in centimetres; a capsule's half height includes its cap. Angles are those of an FRotator.",
    ),
    "Rapier": EngineFormat(
        _as("Rapier", _HALVES, order=ORDERS[1]),
        {
            "box": "let shape_{n} = SharedShape::cuboid({half_size});",
            "sphere": "let shape_{n} = SharedShape::ball({radius});",
            "capsule": "let shape_{n} = SharedShape::capsule_y({half_segment}, {radius});",
            "cylinder": "let shape_{n} = SharedShape::cylinder({half_long}, {radius});",
            "cone": "let shape_{n} = SharedShape::cone({half_long}, {radius});",
            "hull": "let points_{n} = [{points}]; // for SharedShape::convex_hull",
            "halfspace": "let shape_{n} = SharedShape::halfspace(Vector::y_axis());",
        },
        r"SharedShape|Isometry|half_extents|\bCuboid\b",
        about="Half sizes; a capsule's half height is without the caps.",
    ),
    "three.js": EngineFormat(
        _as("three.js", _XYZW),
        {
            "box": "const {n} = new THREE.Mesh(new THREE.BoxGeometry({size}));",
            "sphere": "const {n} = new THREE.Mesh(new THREE.SphereGeometry({radius}));",
            "capsule": "const {n} = new THREE.Mesh(new THREE.CapsuleGeometry({radius}, {segment}));",
            "cylinder": "const {n} = new THREE.Mesh(new THREE.CylinderGeometry({radius}, {radius}, {long}));",
            "cone": "const {n} = new THREE.Mesh(new THREE.ConeGeometry({radius}, {long}));",
            "hull": "const {n} = new THREE.Mesh(new ConvexGeometry([{points}]));",
        },
        r"\bTHREE\b|(?:Box|Sphere|Capsule|Cylinder|Cone)Geometry\b",
        about="Full sizes; a capsule's length is without the caps.",
    ),
    "Godot": EngineFormat(
        _as("Godot", Conventions(), w_first=False, caps=True, rotation="matrix 3x4"),
        {
            "box": '[sub_resource type="BoxShape3D" id="{n}"]\nsize = Vector3({size})',
            "sphere": '[sub_resource type="SphereShape3D" id="{n}"]\nradius = {radius}',
            "capsule": '[sub_resource type="CapsuleShape3D" id="{n}"]\nradius = {radius}\nheight = {total}',
            "cylinder": '[sub_resource type="CylinderShape3D" id="{n}"]\nradius = {radius}\nheight = {long}',
            "hull": '[sub_resource type="ConvexPolygonShape3D" id="{n}"]\npoints = PackedVector3Array({points})',
            "halfspace": '[sub_resource type="WorldBoundaryShape3D" id="{n}"]\nplane = Plane({normal}, {offset})',
        },
        r"Shape3D|Transform3D|\[X: \(",
        about="Full sizes; a capsule's height includes its caps.",
    ),
    "Box3D": EngineFormat(
        _as("Box3D", _HALVES),
        {
            "box": "b3BoxHull shape_{n} = b3MakeBoxHull({half_size});",
            "sphere": "b3Sphere shape_{n} = {{{{{centre}}}, {radius}}};",
            "capsule": "b3Capsule shape_{n} = {{{{{centre1}}}, {{{centre2}}}, {radius}}};",
            "hull": "b3Vec3 points_{n}[] = {{{points}}}; // for b3CreateHull",
        },
        r"\bb3[A-Z]",
        about="Half sizes; a capsule is given by the two centres of its caps.",
    ),
}
"""The engines by name. A call's numbers are read in the order of the template's names, so each must be a number of
the engine's call."""

_PLAIN = {
    "box": "{size}",
    "sphere": "{radius}",
    "capsule": "{radius} {long}",
    "cylinder": "{radius} {long}",
    "cone": "{radius} {long}",
    "ellipsoid": "{radii}",
    "halfspace": "{normal} {offset}",
}
COUNTS = dict.fromkeys(("size", "half_size", "radii", "normal", "centre", "centre1", "centre2"), 3)
"""How many numbers a name has; names that are not here have one."""


def size_names(shape: str, conventions: Conventions) -> tuple[str, ...]:
    """The names of the numbers of a shape's size, in order; empty for a hull."""
    engine = ENGINES.get(conventions.engine)
    form = (engine.forms if engine else {}).get(shape) or _PLAIN.get(shape, "")
    names = tuple(name for _, name, _, _ in Formatter().parse(form) if name and name not in ("n", "points"))
    if engine is None and conventions.half_sizes:
        halved = {"size": "half_size", "long": "half_long"}
        return tuple(halved.get(name, name) for name in names)
    return names


_TO_Y = {
    "X": ((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
    "Y": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "Z": ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0)),
}
"""Rotation matrices that take an axis to Y."""


def world_axes(conventions: Conventions) -> Array:
    """The matrix (3, 3) from the engine's world to ours (right-handed, Y up); it mirrors a left-handed world."""
    return product(np.array(_TO_Y["Z" if conventions.z_up else "Y"]), _mirror(conventions, ""))


def body_axes(conventions: Conventions, *, upright: bool) -> Array:
    """The matrix (3, 3) from a body's axes in the engine to ours; an `upright` shape's axis becomes Y.

    Boxes keep their axes: the engine's x stays x. The determinant is -1 where that of `world_axes` is, so that a
    rotation between the two stays a rotation.
    """
    axis = conventions.axis if upright else "Y"
    return product(np.array(_TO_Y[axis]), _mirror(conventions, axis if upright else ""))


def _mirror(conventions: Conventions, kept: str) -> Array:
    """A mirror matrix for a left-handed world: flips the horizontal axis that is not x, or x where that is `kept`."""
    signs = np.ones(3)
    if conventions.left_handed:
        axis = 1 if conventions.z_up else 2
        signs[0 if "XYZ"[axis] == kept else axis] = -1.0
    return np.diag(signs)


def axes_words(conventions: Conventions) -> str:
    """The engine's axes that our x, y and z are, as in `X, Z, −Y`; "" where they are the same."""
    axes = world_axes(conventions)
    if np.array_equal(axes, np.eye(3)):
        return ""
    return ", ".join(f"{'−' if row.sum() < 0.0 else ''}{'XYZ'[int(np.abs(row).argmax())]}" for row in axes)


def engine_of(text: str) -> str:
    """The engine recognised in a text by its names; OTHER where there is none."""
    return next((name for name, engine in ENGINES.items() if re.search(engine.sign, text)), OTHER)
