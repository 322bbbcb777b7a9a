"""python-fcl's shapes and transforms.

Sizes are full; capsules, cones and cylinders lie along z; a capsule's length excludes its caps; a half-space is
n·x < d, and FCL divides n and d by the length of n. `Transform` takes a quaternion wxyz or a matrix, then a position; a
missing one is the identity's. Sources, read in November 2026: python-fcl 0.7, src/fcl/fcl.pyx at 43626b72;
flexible-collision-library/fcl, halfspace.h at 2881c1b and halfspace-inl.h at 02a16de, capsule-inl.h at 100781b,
cone-inl.h at 2881c1b, cylinder.h at 3b3a124 (lz: "Length along z axis"). The written text was run: its separations
equal Separatrix's to 4e-7.
"""

from __future__ import annotations

import re

import numpy as np

from .bodies import World, by_quaternion
from .code import Call, Value
from .fcl_calls import ARRAYS, Pose, count_of_numbers, matrix, position, reader_of, writer
from .form import Form, NotUnderstoodError
from .program import vector_in
from .writer import WrittenBody, with_faces

WORLD = World("FCL", z_up=True)
EXAMPLES = (
    "fcl.Box(1, 1, 1)\nfcl.Transform(np.array([1, 0, 0, 0]), np.array([0., 0., 0.]))\n"
    "fcl.Box(1, 1, 1)\nfcl.Transform(np.array([0.9238795, 0, 0, 0.3826834]), np.array([1.1, 0., 0.]))",
    "import fcl\na = fcl.CollisionObject(fcl.Sphere(0.5), fcl.Transform())\n"
    "b = fcl.CollisionObject(fcl.Capsule(0.2, 1.0), fcl.Transform([0.0, 0.0, 1.1]))\nret = fcl.collide(a, b)",
)


def pose(value: Value) -> Pose | None:
    """The pose of a Transform; None for another value.

    Raises NotUnderstoodError for other arguments than a rotation, a position or both.
    """
    if not (isinstance(value, Call) and value.last == "Transform" and value.of is None):
        return None
    if value.named or len(value.args) > 2:
        raise NotUnderstoodError("Transform(…) needs a rotation and a position", value.line)
    place, turn, notes = np.zeros(3), np.eye(3), list[str]()
    args = list(value.args)
    if args and (len(args) == 2 or count_of_numbers(args[0]) != 3):
        first = args.pop(0)
        if count_of_numbers(first) == 4:
            w, x, y, z = vector_in(first, ARRAYS, "a quaternion", 4)
            turn = by_quaternion((w, x, y, z), first.line)
        else:
            turn = matrix(first, notes)
    if args:
        place = position(args[0])
    return Pose(place, turn, tuple(notes))


def _hull(body: WrittenBody) -> str:
    """The words for a hull. Its faces are one flat list: for each its count of corners, then their indices."""
    n, faces = body.letter, ", ".join(str(k) for loop in body.faces for k in (len(loop), *loop))
    return (
        f"points_{n} = np.array([{body.listed(points=body.corners)}])\n"
        f"faces_{n} = np.array([{faces}])\n"
        f"shape_{n} = fcl.Convex(points_{n}, {len(body.faces)}, faces_{n})"
    )


def _transform(body: WrittenBody) -> str:
    return f"fcl.Transform(np.array([{body.text(body.wxyz)}]), np.array([{body.text(body.position)}]))"


FORM = Form(
    "python_fcl",
    "python-fcl 0.7, its fcl.pyx",
    re.compile(r"\bfcl\.(?!\w*::)(?!Transform3)\w"),
    reader_of(WORLD, pose).read,
    EXAMPLES,
    writer(WORLD, "fcl", _hull, _transform, limit=with_faces("FCL")),
)
