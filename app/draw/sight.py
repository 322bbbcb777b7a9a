"""The line of sight through the pointer: where it meets a plane, and how far along an axis it is."""

from __future__ import annotations

from msgspec import Struct

from core.geometry.vector import Array, dot, unit

from .camera import Projection

EDGE_ON = 0.05
"""Sine below which a plane is seen too much from its side to drag in: a pixel would be many times its size."""


class Sight(Struct, frozen=True, eq=False):
    """The line of sight through the pointer, world: `origin` (3,), unit `direction` (3,) away from the viewer.

    `towards` (3,): unit normal of the screen, towards the viewer.
    """

    origin: Array
    direction: Array
    towards: Array

    @staticmethod
    def through(projection: Projection, x: float, y: float) -> Sight:
        """Through a pixel of a pane."""
        origin, direction = projection.ray(x, y)
        return Sight(origin, direction, projection.basis[2])

    def on_plane(self, point: Array, normal: Array) -> Array | None:
        """Where the line meets the plane through `point`; None when it runs along it or meets it behind the eye."""
        slope = dot(self.direction, normal)
        if abs(slope) < 1e-9:
            return None
        distance = dot(point - self.origin, normal) / slope
        return self.origin + distance * self.direction if distance > 0.0 else None

    def along(self, point: Array, axis: Array) -> float | None:
        """How far along the unit vector `axis` from `point` the pointer is, by the plane that best shows the axis."""
        facing = unit(self.towards - dot(self.towards, axis) * axis)
        if facing is None or 1.0 - dot(self.towards, axis) ** 2 < EDGE_ON**2:
            return None
        met = self.on_plane(point, facing)
        return None if met is None else dot(met - point, axis)
