"""What ten engines print of a box, a capsule or a cylinder, written by hand from their sources and documentation."""

from __future__ import annotations

import numpy as np

SAME = np.eye(3)
Z_UP = np.array(((1, 0, 0), (0, 0, 1), (0, -1, 0)))
MIRRORED_Z = np.diag((1, 1, -1))
SWAPPED = np.array(((1, 0, 0), (0, 0, 1), (0, 1, 0)))


def vector(values, mark=", "):
    return mark.join(repr(float(value)) for value in values)


def wxyz(turn):
    return np.roll(turn.as_quat(), 1)


def bullet(kind, size, at, turn):
    x, y, _ = size
    shape = {
        "box": f"btBoxShape(btVector3({vector(size)}))",
        "capsule": f"btCapsuleShape({x}, {2 * y})",
        "cylinder": f"btCylinderShape(btVector3({x}, {y}, {x}))",
    }[kind]
    return f"{shape} btTransform(btQuaternion({vector(turn.as_quat())}), btVector3({vector(at)}))"


def jolt(kind, size, at, turn):
    x, y, _ = size
    shape = {
        "box": f"BoxShape mHalfExtent = ({vector(size)}), mConvexRadius = 0.05",
        "capsule": f"CapsuleShape mRadius = {x}, mHalfHeightOfCylinder = {y}",
        "cylinder": f"CylinderShape mHalfHeight = {y}, mRadius = {x}, mConvexRadius = 0.05",
    }[kind]
    return f"{shape}; GetPosition() = ({vector(at)}), GetRotation() = ({vector(turn.as_quat())})"


def physx(kind, size, at, turn):
    x, y, _ = size
    shape = {
        "box": f"PxBoxGeometry halfExtents {vector(size, ' ')}",
        "capsule": f"PxCapsuleGeometry radius {x} halfHeight {y}",
    }[kind]
    return f"{shape}\nPxTransform p: [{vector(at)}] q: [{vector(turn.as_quat())}]"


def mujoco(kind, size, at, turn):
    x, y, _ = size
    numbers = vector(size, " ") if kind == "box" else f"{x} {y}"
    pose = f'pos="{vector(at, " ")}" quat="{vector(wxyz(turn), " ")}"'
    return f'<geom type="{kind}" size="{numbers}" {pose} rgba="1 0 0 1" mass="3"/>'


def unity(kind, size, at, turn):
    x, y, _ = size
    shape = {
        "box": f"BoxCollider size: ({vector(2 * size)})",
        "capsule": f"CapsuleCollider radius: {x} height: {2 * y + 2 * x}",
    }[kind]
    return f"[12:34:56] {shape} position: ({vector(at)}) rotation: ({vector(turn.as_quat())})"


def unreal(kind, size, at, turn):
    x, y, _ = 100 * size
    (px, py, pz), (i, j, k, w) = 100 * at, turn.as_quat()
    shape = {
        "box": f"BoxExtent X={x} Y={y} Z={100 * size[2]}",
        "capsule": f"CapsuleRadius: {x} CapsuleHalfHeight: {y + x}",
    }[kind]
    return f"{shape}\nLocation: X={px} Y={py} Z={pz}\nRotation: X={i} Y={j} Z={k} W={w}"


def rapier(kind, size, at, turn):
    x, y, _ = size
    shape = {
        "box": f"Cuboid {{ half_extents: [[{vector(size)}]] }}",
        "capsule": f"Capsule {{ segment: Segment {{ a: [0.0, {-y}, 0.0], b: [0.0, {y}, 0.0] }}, radius: {x} }}",
        "cylinder": f"Cylinder {{ half_height: {y}, radius: {x} }}",
    }[kind]
    return f"{shape} Isometry {{ rotation: [{vector(turn.as_quat())}], translation: [{vector(at)}] }}"


SIDES = ("width", "height", "depth")


def three(kind, size, at, turn):
    x, y, _ = size
    shape = {
        "box": '{"type": "BoxGeometry", '
        + ", ".join(f'"{k}": {v}' for k, v in zip(SIDES, 2 * size, strict=True))
        + "}",
        "capsule": f'{{"type": "CapsuleGeometry", "radius": {x}, "length": {2 * y}}}',
        "cylinder": f"new THREE.CylinderGeometry({x}, {x}, {2 * y}, 32)",
    }[kind]
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = turn.as_matrix(), at
    return f'{shape}, "matrix": [{vector(matrix.T.ravel())}]'


def godot(kind, size, at, turn):
    x, y, _ = size
    shape = {
        "box": f"BoxShape3D size = Vector3({vector(2 * size)})",
        "capsule": f"CapsuleShape3D radius = {x} height = {2 * y + 2 * x}",
        "cylinder": f"CylinderShape3D radius = {x} height = {2 * y}",
    }[kind]
    one, two, three = turn.as_matrix().T
    return f"{shape}\n[X: ({vector(one)}), Y: ({vector(two)}), Z: ({vector(three)}), O: ({vector(at)})]"


def box3d(kind, size, at, turn):
    x, y, _ = size
    shape = {
        "box": f"b3MakeBoxHull({vector(size)})",
        "capsule": f"b3Capsule{{.center1 = {{0.0f, {-y}f, 0.0f}}, .center2 = {{0.0f, {y}f, 0.0f}}, .radius = {x}f}}",
    }[kind]
    i, j, k, w = turn.as_quat()
    return f"{shape}; b3Transform{{.p = {{{vector(at)}}}, .q = {{.v = {{{i}, {j}, {k}}}, .s = {w}}}}}"


PRINTS = {
    "Bullet": (bullet, SAME, 1),
    "Jolt": (jolt, SAME, 1),
    "PhysX": (physx, SAME, 0),
    "MuJoCo": (mujoco, Z_UP, 2),
    "Unity": (unity, MIRRORED_Z, 1),
    "Unreal": (unreal, SWAPPED, 2),
    "Rapier": (rapier, SAME, 1),
    "three.js": (three, SAME, 1),
    "Godot": (godot, SAME, 1),
    "Box3D": (box3d, SAME, 1),
}
"""How it prints, its world's axes as rows of ours, and the axis along which its capsules and cylinders lie."""
WITHOUT_CYLINDER = ("PhysX", "Unity", "Unreal", "Box3D")
