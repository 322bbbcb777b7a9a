"""What a script's call to an engine is made of, whichever engine it is: text of Python with the scene's numbers in it.

Each call leaves `d`, the separation or None, and `normal`, `on_a`, `on_b` or None: A to B, negative where they overlap.
`place_a`, `place_b` are the axes as columns and the position as the engine has them.
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


class Call(Struct, frozen=True):
    """`imports`: what the script imports besides numpy; `lines`: of the call; `upright`: the axis is z, not y.

    `touches`: the call leaves that too: whether a contact is told, which here has no depth.
    """

    imports: str
    lines: str
    upright: bool = True
    touches: bool = False


class NoScriptError(ValueError):
    """There is no script for that engine or shape; in a sentence."""


def half_space_places(*bodies: Body, axis: int = 2) -> str:
    """Lines that place half-spaces where the plane stands square to that axis of the engine's own, through its origin.

    "" where neither body is one.
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
    """A rotation (3, 3) whose last column is the unit normal."""
    least = np.eye(3)[int(np.argmin(np.abs(normal)))]
    side = unit(cross(least, normal))
    assert side is not None
    return np.column_stack((side, cross(normal, side), normal))


def listed(numbers: Any) -> str:
    """Numbers as arguments, to the last digit."""
    return ", ".join(repr(float(x)) for x in numbers)
