"""A call to an engine in a bug report's script: Python text with the scene's numbers, and helpers to write it.

Each call sets `d`, `normal`, `on_a` and `on_b`, each None if unknown: the separation, negative for overlap; the normal
from A to B; the witness points. It reads `place_a` and `place_b`: a body's axes, as columns, and its position, both in
the engine's conventions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct

from core.geometry.quaternion import Quaternion
from core.geometry.vector import Array, cross, dot, dots, unit
from core.scene import Body

UPRIGHT = ("capsule", "cylinder", "cone")
Z_TO_Y: Quaternion = (0.5**0.5, -(0.5**0.5), 0.0, 0.0)
SILENT = "d, normal, on_a, on_b = None, None, None, None"

Shape = dict[str, Any]


class EngineCall(Struct, frozen=True):
    """The text of a call.

    `imports`: import lines besides numpy; `lines`: the call; `upright`: the engine's shapes of revolution have the axis
    z, not y; `touches`: the call also sets a variable `touches`, whether the engine reports contact, because its
    contacts have no depth.
    """

    imports: str
    lines: str
    upright: bool = True
    touches: bool = False


class NoScriptError(ValueError):
    """There is no script for the engine or the shape. The message is a sentence about it."""


def half_space_places(*bodies: Body, axis: int = 2) -> str:
    """Lines that set the places of half-spaces, for engines whose plane is normal to `axis` through the origin.

    `axis`: 0, 1 or 2. Returns "" if neither body is a half-space.
    """
    lines = []
    for name, body in zip("ab", bodies, strict=True):
        plane = body.shape.plane
        if plane is not None:
            normal = dots(body.pose.matrix, plane.normal)
            at = (dot(normal, body.pose.position) + plane.offset) * normal
            rows = np.roll(_beside(normal), axis - 2, axis=1).tolist()
            lines.append(f"place_{name} = np.array({rows!r}), np.array({at.tolist()!r})\n")
    return "".join(lines)


def _beside(normal: Array) -> Array:
    """A rotation matrix (3, 3) whose last column is the unit normal."""
    least = np.eye(3)[int(np.argmin(np.abs(normal)))]
    side = unit(cross(least, normal))
    assert side is not None
    return np.column_stack((side, cross(normal, side), normal))


def exact_arguments(numbers: Any) -> str:
    """The numbers as arguments of a call, exact."""
    return ", ".join(repr(float(x)) for x in numbers)
