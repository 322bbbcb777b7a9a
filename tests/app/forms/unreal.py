"""Unreal's components, from its sources: left-handed, z up, centimetres, half sizes with caps, quaternions xyzw."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from core.scene import Body, Scene
from core.shapes import Box, Capsule, Shape, Sphere

from .sample import Sample, decimal, listed, turned


def _shape(rng: np.random.Generator) -> tuple[Shape, str, str]:
    a, b, c = rng.uniform(0.1, 2.0, 3).tolist()
    return (
        # The axes of Unreal are x, z, y of ours.
        (Box((2 * a, 2 * c, 2 * b)), "Box", f"SetBoxExtent(FVector({listed([100 * a, 100 * b, 100 * c])}))"),
        (Sphere(a), "Sphere", f"SetSphereRadius({decimal(100 * a)})"),
        (Capsule(a, 2 * b), "Capsule", f"SetCapsuleSize({listed([100 * a, 100 * (a + b)])})"),
    )[int(rng.integers(3))]


def pair(rng: np.random.Generator) -> tuple[str, Scene]:
    lines, bodies = [], []
    for name in ("floor", "crate_"):
        (shape, kind, size), (x, y, z), (w, qx, qy, qz) = _shape(rng), rng.uniform(-2.0, 2.0, 3).tolist(), turned(rng)
        # Exchanging y and z is a mirror image: the quaternion's vector is exchanged and changes sign.
        place, turn = (x, z, y), (w, -qx, -qz, -qy)
        bodies.append(Body(shape, place, turn))
        lines.append(f"U{kind}Component* {name};\n{name}->{size};")
        lines.append(f"{name}->SetWorldLocation(FVector({listed([100 * x, 100 * y, 100 * z])}));")
        lines.append(f"{name}->SetWorldRotation(FQuat({listed([qx, qy, qz, w])}));")
    return "\n".join(lines), Scene(bodies[0], bodies[1])


def _rotator(w: float, x: float, y: float, z: float) -> list[float]:
    """Pitch, yaw and roll in degrees of a quaternion, as FQuat::Rotator has them away from its poles."""
    pitch = np.degrees(np.arcsin(-2.0 * (z * x - w * y)) * -1.0)
    yaw = np.degrees(np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)))
    roll = np.degrees(np.arctan2(-2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y)))
    return [float(pitch), float(yaw), float(roll)]


def variants(rng: np.random.Generator, text: str) -> Iterator[str]:
    yield text.replace("floor", "ground").replace("crate_", "b2")
    yield text + '\nfloor->SetCollisionProfileName(TEXT("BlockAll"));'
    yield text.replace(";\nfloor", "; floor").replace("FVector(", "FVector( ")
    yield text.replace("SetWorld", "SetRelative")

    def angles(match: re.Match[str]) -> str:
        x, y, z, w = (float(number) for number in match.group(1).split(","))
        return f"FRotator({listed(_rotator(w, x, y, z))})"

    yield re.sub(r"U(\w+)\* (\w+);", r'auto* \2 = CreateDefaultSubobject<U\1>(TEXT("\2"));', text)
    yield re.sub(r"FQuat\((.*?)\)", angles, text)


_B = "USphereComponent* b; b->SetSphereRadius(50);"
REFUSED = (
    (f"UProceduralMeshComponent* a; a->AddCollisionConvexMesh(p);\n{_B}", "a.AddCollisionConvexMesh(…) is not"),
    (f"UBoxComponent* a; a->SetBoxExtent(FVector(w, 1, 1));\n{_B}", "must be a number, got w"),
    (f"UBoxComponent* a; a->SetBoxExtent(FVector(1, 1));\n{_B}", "needs 3 numbers, got 2"),
    (f"UBoxComponent* a; a->AddLocalRotation(FRotator(0, 45, 0));\n{_B}", "a.AddLocalRotation(…) is not understood"),
    (f"UBoxComponent* a;\n{_B}", "the size of a is missing"),
    (f"UCapsuleComponent* a; a->SetCapsuleSize(20, 10);\n{_B}", "includes both caps"),
    (_B, "Found one body, expected two"),
    ("Begin Object Class=/Script/Engine.BoxComponent\n BoxExtent=(X=1,Y=1,Z=1)", "End Object is missing"),
    ("Begin Object Class=/Script/Engine.SkyComponent\nEnd Object", "SkyComponent is not understood"),
    (
        "Begin Object Class=/Script/Engine.BoxComponent\n AttachParent=Root\nEnd Object",
        "AttachParent is not",
    ),
    (_B.replace("50", "r"), "must be a number, got r"),
    ("A BoxExtent: X=1 Y=1 Z=1 turned 0,0,0|0,0,0|1,1,1", "turned"),
)
SAMPLE = Sample("code", pair, variants, REFUSED)
