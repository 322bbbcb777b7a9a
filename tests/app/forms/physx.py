"""PhysX from its headers: half extents, capsules along x with the radius first, PxQuat xyzw or (angle, axis)."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

import numpy as np

from core.geometry import quaternion
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Shape, Sphere

from .sample import Sample, decimal, listed, turned


def _shape(rng: np.random.Generator) -> tuple[Shape, str]:
    a, b, c = rng.uniform(0.1, 2.0, 3).tolist()
    return (
        (Box((2 * a, 2 * b, 2 * c)), f"PxBoxGeometry({listed([a, b, c])})"),
        (Sphere(a), f"PxSphereGeometry({decimal(a)})"),
        (Capsule(a, 2 * b), f"PxCapsuleGeometry({listed([a, b])})"),
    )[int(rng.integers(3))]


def pair(rng: np.random.Generator) -> tuple[str, Scene]:
    lines, bodies = [], []
    form = int(rng.integers(3))
    for name in "ab":
        (shape, call), place, q = _shape(rng), tuple(rng.uniform(-2.0, 2.0, 3).tolist()), turned(rng)
        own = quaternion.multiply(q, (sqrt(0.5), 0.0, 0.0, -sqrt(0.5))) if isinstance(shape, Capsule) else q
        bodies.append(Body(shape, place, own))
        w, x, y, z = q
        turn = f"PxQuat({listed([x, y, z, w])})"
        if rng.integers(2):
            axis, by = quaternion.to_axis_angle(q)
            turn = f"PxQuat({decimal(by)}, PxVec3({listed(axis)}))"
        where = f"PxTransform(PxVec3({listed(place)}), {turn})"
        if form == 0:
            lines.append(f"PxRigidDynamic* {name} = PxCreateDynamic(*gPhysics, {where}, {call}, *gMaterial, 1.0f);")
        elif form == 1:
            lines.append(f"{call}; {where}")
        else:
            lines.append(call.replace("(", f" shape_{name}(", 1) + ";")
            lines.append(where.replace("(", f" pose_{name}(", 1) + ";")
    return "\n".join(lines), Scene(bodies[0], bodies[1])


def variants(rng: np.random.Generator, text: str) -> Iterator[str]:
    yield f"#include <PxPhysicsAPI.h>\nusing namespace physx;\n{text}"
    yield text.replace("PxBox", "physx::PxBox").replace("PxSphere", "physx::PxSphere")


TWO = "PxBoxGeometry(1, 1, 1);\nPxSphereGeometry(0.5f);"
ACTORS = (
    "PxRigidDynamic* a = physics->createRigidDynamic(PxTransform(PxVec3(0, 0, 0)));\n"
    "PxShape* s = PxRigidActorExt::createExclusiveShape(*a, PxBoxGeometry(1, 1, 1), *m);\n"
)
REFUSED = (
    (f"{TWO}\nPxTransform(PxIdentity);", "there are more shapes than poses"),
    (f"{TWO}\nPxTransform pose_a(PxIdentity); PxTransform pose_b(where);", "a position must be a PxVec3, got where"),
    (f"{TWO}\nactor->setGlobalPose(PxTransform(PxIdentity));", "actor.setGlobalPose(…) is not understood"),
    ("PxBoxGeometry(1, 1, 1);\nPxTriangleMeshGeometry(mesh);", "PxTriangleMeshGeometry(…) is not understood"),
    (
        "PxBoxGeometry a(1, 1, 1);\nPxSphereGeometry b(1); PxTransform tb(PxIdentity); PxTransform ta(PxIdentity);",
        "tb stands",
    ),
    ("PxBoxGeometry(1, 1, 1);\nPxCapsuleGeometry(1);", "PxCapsuleGeometry(…) needs 2 numbers, got 1"),
    (f"{ACTORS}s->setLocalPose(where);", "a local pose must be a PxTransform, got where"),
    (f"{ACTORS}PxRigidActorExt::createExclusiveShape(*a, PxSphereGeometry(1), *m);", "the shape of a is given twice"),
    (f"{ACTORS}PxRigidActorExt::createExclusiveShape(*c, PxSphereGeometry(1), *m);", "c is no actor here"),
    (f"{ACTORS}t->setLocalPose(PxTransform(PxIdentity));", "t.setLocalPose(…) is not understood"),
    (f"{ACTORS}PxRigidStatic* b = physics->createRigidStatic(PxTransform(PxIdentity));", "the shape of B is missing"),
    ("PxBoxGeometry(1, 1, 1);", "Found one body, expected two"),
)
SAMPLE = Sample("code", pair, variants, REFUSED)
