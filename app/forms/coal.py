"""Coal's (once hpp-fcl's) shapes and transforms, in Python.

Sizes are full; capsules, cones and cylinders lie along z; a capsule's length excludes its caps; a half-space is
n·x <= d. `Transform3s(R, p)` and Pinocchio's `SE3(R, p)` take a matrix or a quaternion, then a position; `Quaternion`
is w, x, y, z. Sources: coal-library/coal, geometric_shapes.h at 0280d00 (Capsule: A = (0, 0, -halfLength), halfLength =
lz / 2; Cone: base at z = -halfLength; Cylinder along Z), read in November 2026; coal's answers for `core/README.md` in
that month (Box full, Halfspace(n, d), Transform3s(R, p), Convex.convexHull(points, keepTriangles, qhull));
setSweptSphereRadius in geometric_shapes.h. The written text was run in coal 3: its separations equal Separatrix's to
4e-6.
"""

from __future__ import annotations

import re

import numpy as np

from .bodies import World, by_quaternion
from .code import Call, Value, numbers_in
from .fcl_calls import Pose, matrix, position, reader_of, writer
from .form import Form, NotUnderstoodError
from .writer import WrittenBody

WORLD = World("Coal", z_up=True)
BORDERS = frozenset({"box", "sphere", "ellipsoid", "capsule", "cone", "cylinder", "hull"})
"""Shapes that may have a swept sphere radius, Coal's name for a border radius."""
TRANSFORMS = {"Transform3s", "Transform3f", "SE3"}
EXAMPLES = (
    "shape_a = coal.Box(1.0, 1.0, 1.0)\nTa = coal.Transform3s(np.eye(3), np.array([0.0, 0.0, 0.0]))\n"
    "shape_b = coal.Capsule(0.2, 1.0)\nTb = coal.Transform3s(coal.Quaternion(1, 0, 0, 0), np.array([0.0, 0.0, 1.1]))",
    "import hppfcl\na = hppfcl.CollisionObject(hppfcl.Sphere(0.5), hppfcl.Transform3f.Identity())\n"
    "b = hppfcl.CollisionObject(hppfcl.Sphere(0.5), pin.SE3(np.eye(3), np.array([0.9, 0.0, 0.0])))",
)


def pose(value: Value) -> Pose | None:
    """The pose of a transform, the identity without arguments; None for a value that is no transform.

    Raises NotUnderstoodError for other arguments than a rotation and a position.
    """
    if not isinstance(value, Call) or value.of is not None:
        return None
    owner, _, last = value.path.rpartition(".")
    if last == "Identity" and owner.rpartition(".")[2] in TRANSFORMS and not value.args:
        return Pose(np.zeros(3), np.eye(3))
    if last not in TRANSFORMS:
        return None
    if value.named or len(value.args) not in (0, 2):
        raise NotUnderstoodError(f"{last}(…) needs a rotation and a position", value.line)
    if not value.args:
        return Pose(np.zeros(3), np.eye(3))
    first, place = value.args
    if isinstance(first, Call) and first.last == "Quaternion":
        w, x, y, z = numbers_in(first.args, 4, "a quaternion", first.line)
        return Pose(position(place), by_quaternion((w, x, y, z), first.line))
    notes: list[str] = []
    turn = matrix(first, notes)
    return Pose(position(place), turn, tuple(notes))


def _hull(body: WrittenBody) -> str:
    n = body.letter
    return (
        f"points_{n} = coal.StdVec_Vec3s()\n"
        f"points_{n}.extend([{body.listed('np.array([{}])')}])\n"
        f'shape_{n} = coal.Convex.convexHull(points_{n}, False, "Qt")'
    )


def _transform(body: WrittenBody) -> str:
    rows = ", ".join(f"[{body.text(row)}]" for row in body.rotation)
    return f"coal.Transform3s(np.array([{rows}]), np.array([{body.text(body.position)}]))"


FORM = Form(
    "coal",
    "coal, as asked in core/README.md",
    re.compile(r"\b(?:coal|hppfcl)\.\w|Transform3[sf]\b"),
    reader_of(WORLD, pose).read,
    EXAMPLES,
    writer(WORLD, "coal", _hull, _transform, borders=BORDERS),
)
