"""What any direction proves about a pair: `s(n) = min_B n·x - max_A n·x`.

Apart, the distance is at least `s(n)` for every unit vector n, and equals it for the right one. Overlapping, the
depth is at most `|s(n)|`. Any answer of any algorithm can be held against it. (A half-space proves something along its
own normal only: elsewhere `s` is minus infinity.)
"""

from __future__ import annotations

from ..geometry.vector import Array, dot
from ..scene import Body


def certificate(a: Body, b: Body, normal: Array) -> float:
    """Signed separation of the bodies along the unit vector `normal` (3,), from A towards B."""
    return dot(normal, b.pose.position - a.pose.position) - _reach(a, normal) - _reach(b, -normal)


def _reach(body: Body, direction: Array) -> float:
    """How far the body extends from its position along a unit direction (3,)."""
    return float(body.shape.reach(body.pose.direction_to_local(direction)))
