"""Planes `n·p = offset` with a unit normal (article V, systems V1 and V2)."""

from __future__ import annotations

from dataclasses import dataclass

from .vector import Array, dot


@dataclass(frozen=True, eq=False, slots=True)
class Plane:
    """All points p with `normal·p = offset`; `normal` is a unit vector, shape (3,)."""

    normal: Array
    offset: float

    def signed_distance(self, point: Array) -> float:
        """Positive in front (on the side the normal points to), negative behind."""
        return dot(self.normal, point) - self.offset

    def point(self) -> Array:
        """The point of the plane nearest the frame's origin, `n d`."""
        return self.normal * self.offset

    def flipped(self) -> Plane:
        """The same plane seen from the other side: both normal and offset change sign."""
        return Plane(-self.normal, -self.offset)
