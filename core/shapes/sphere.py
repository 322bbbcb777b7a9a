"""Sphere: a point with a radius."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sphere:
    """Solid sphere of `radius` > 0 about the body's position."""

    radius: float

    @property
    def bounding_radius(self) -> float:
        """Radius of the smallest ball about the body's position that holds the shape."""
        return self.radius

    @property
    def largest_half_extent(self) -> float:
        """Largest half extent or radius: the size that the touching band is measured by (theory.md, ℓ)."""
        return self.radius
