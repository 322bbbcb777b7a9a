"""Rays against every shape: in closed form, or by its support map.

A ray is a half line: hits have t >= 0, where the article tests endless lines. A body is closed, so a ray that grazes
it hits it, and so does one that misses by no more than rounding explains: then the body is tried once more,
larger by that much, and entry and exit meet within what is found.

A shape knows in its own frame where lines run inside it (core/shapes/line_spans.py). A ray that runs into a half-space
never leaves it, and one out of it never entered.
"""

from __future__ import annotations

from math import isfinite

import numpy as np
from msgspec import Struct

from ..geometry.tolerances import ROUNDING
from ..geometry.transform import Pose
from ..geometry.vector import Array, dot, frozen, length
from ..scene import Body
from ..shapes import Contract
from ..shapes.line_spans import Line, LineSpan, RayHit
from .gjk_raycast import support_span

__all__ = ["RayCast", "RayHit", "raycast"]


class RayCast(Struct, frozen=True, eq=False):
    """A ray that hits: `entry` is None for one that starts `inside`, `exit` None for one that never leaves.

    A start where the ray crosses the surface, to rounding, is not inside: the entry is at t = 0, or the exit is.
    """

    entry: RayHit | None
    exit: RayHit | None
    inside: bool

    def __repr__(self) -> str:
        """One line: where along the ray it runs inside."""
        start = "inside" if self.entry is None else f"t = {self.entry.t:.6g}"
        return f"RayCast(from {start} to {'the end' if self.exit is None else f't = {self.exit.t:.6g}'})"

    @property
    def t(self) -> float:
        """When the ray first is in the body: 0 from inside."""
        return 0.0 if self.entry is None else self.entry.t


def raycast(body: Body, origin: Array, direction: Array) -> RayCast | None:
    """The ray `origin + t direction`, t >= 0, both (3,) and in the world, against the body; None if it misses.

    ValueError for a direction without a length.
    """
    pose, plane = body.pose, body.shape.plane
    _speed(direction)  # refused before its infinities reach a product
    start, way = pose.to_local(origin), pose.direction_to_local(direction)
    speed = _speed(way)
    way = way / speed
    if plane is not None:
        line = Line(start, way, ROUNDING * (abs(plane.offset) + length(start)))
        found = _ahead(line, 0.0, speed, _span(body.shape, line, 0.0))
    else:
        nearest, size = -dot(start, way), body.shape.bounding_radius
        # Capped, so that a body so far away that its size drowns in rounding does not swallow every ray.
        noise = min(ROUNDING * (size + length(start)), 1e-3 * size)
        line = Line(start + nearest * way, way, noise)
        inside = _span(body.shape, line, 0.0) or _grazed(line, _span(body.shape, line, noise))
        found = _ahead(line, nearest, speed, inside)
    return None if found is None else _in_world(found, pose)


def _span(shape: Contract, line: Line, grow: float) -> LineSpan | None:
    """Where the line runs inside the shape, enlarged by `grow`."""
    return support_span(shape, line, grow) if shape.line_span is None else shape.line_span(line, grow)


def _speed(direction: Array) -> float:
    speed = length(direction)
    if not (speed > 0.0 and isfinite(speed)):
        raise ValueError("a ray needs a direction with a length")
    return speed


def _ahead(line: Line, nearest: float, speed: float, found: LineSpan | None) -> RayCast | None:
    """The half line's part of a span; `nearest`: how far ahead of the ray's start the line's origin lies."""
    if found is None or nearest + found.leave < -line.noise:
        return None
    inside = nearest + found.enter < -line.noise

    def hit(t: float, normal: Array) -> RayHit | None:
        if not isfinite(t):
            return None
        return RayHit(max(nearest + t, 0.0) / speed, frozen(line.at(t)), frozen(np.array(normal)))

    entry = None if inside else hit(found.enter, found.enter_normal)
    return RayCast(entry, hit(found.leave, found.leave_normal), inside)


def _grazed(line: Line, found: LineSpan | None) -> LineSpan | None:
    """The one point at which a line grazes, from its span in the slightly larger shape.

    There it is equally far outside both surfaces: nearer to the end that it meets more steeply.
    """
    if found is None:
        return None
    steep = abs(dot(line.direction, found.enter_normal))
    share = abs(dot(line.direction, found.leave_normal))
    share = share / (steep + share) if steep + share > 0.0 else 0.5
    touch = found.enter + share * (found.leave - found.enter)
    return LineSpan(touch, touch, found.enter_normal, found.leave_normal)


def _in_world(found: RayCast, pose: Pose) -> RayCast:
    def turned(hit: RayHit | None) -> RayHit | None:
        if hit is None:
            return None
        return RayHit(hit.t, frozen(pose.to_world(hit.point)), frozen(pose.matrix @ hit.normal))

    return RayCast(turned(found.entry), turned(found.exit), found.inside)
