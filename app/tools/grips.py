"""Grips: where a shape can be pulled to resize it, and what a pull makes of it. In the body's frame."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec import Struct

from core.geometry.vector import Array
from core.scene import Triple
from core.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Polygon, Shape, Sphere

from ..meshes.shape_kinds import LARGEST, SMALLEST

SMALLEST_SHARE = 0.01
"""A pull stops at this fraction of the size it began with."""

NEAR_SHARE = 0.05
"""A hull has no grip where its surface is nearer to the frame's origin than this share of its size: a pull would
throw it about."""


class Grip(Struct, frozen=True, eq=False):
    """A grip on the + (`minus` 0) or - (1) side of `axis`, on the surface at `anchor` (3,).

    `pulled(by, step)`: the shape after a pull outwards by this length, its size snapped to multiples of `step`, if > 0.
    """

    axis: int
    minus: int
    anchor: Array
    pulled: Callable[[float, float], Shape]

    @property
    def number(self) -> int:
        """0 to 5: both sides of x, then of y, then of z."""
        return 2 * self.axis + self.minus

    @property
    def outward(self) -> Array:
        """Unit vector (3,) of a pull that enlarges."""
        outward = np.zeros(3)
        outward[self.axis] = -1.0 if self.minus else 1.0
        return outward


def grips(shape: Shape) -> tuple[Grip, ...]:
    """The grips of a shape, in the order of their numbers; a half-space has none, a polygon its vertices instead."""
    if isinstance(shape, HalfSpace | Polygon):
        return ()
    found = (_grip(shape, axis, minus) for axis in range(3) for minus in (0, 1))
    return tuple(grip for grip in found if grip is not None)


def _grip(shape: Shape, axis: int, minus: int) -> Grip | None:
    direction = np.zeros(3)
    direction[axis] = -1.0 if minus else 1.0
    reach = float(shape.reach(direction))
    if isinstance(shape, Hull) and reach < NEAR_SHARE * shape.bounding_radius:
        return None
    anchor = reach * direction
    if isinstance(shape, Cone) and axis != 1:
        # The radius is that of the base.
        anchor[1] = -0.5 * shape.height
    return Grip(axis, minus, anchor, lambda by, step: _pulled(shape, axis, reach, by, step))


def _pulled(shape: Shape, axis: int, reach: float, by: float, step: float) -> Shape:
    """The centre stays where it is, so a pulled face takes the opposite one with it."""
    match shape:
        case Box(size):
            return Box(_with(size, axis, resized(size[axis], 2.0 * by, step)))
        case Ellipsoid(radii):
            return Ellipsoid(_with(radii, axis, resized(radii[axis], by, step)))
        case Sphere(radius):
            # A circle of the plane is one, and stays one.
            return type(shape)(resized(radius, by, step))
        case Capsule(radius, length):
            return (
                Capsule(radius, resized(length, 2.0 * by, step))
                if axis == 1
                else Capsule(resized(radius, by, step), length)
            )
        case Cylinder(radius, height) | Cone(radius, height):
            kind = type(shape)
            return (
                kind(radius, resized(height, 2.0 * by, step)) if axis == 1 else kind(resized(radius, by, step), height)
            )
        case Hull():
            return scaled(shape, resized(reach, by, step) / reach)
        case HalfSpace() | Polygon():
            return shape


def scaled(hull: Hull, factor: float) -> Hull:
    """The hull with every point multiplied by `factor` > 0. Raises ValueError where that leaves the range of sizes."""
    if factor == 1.0:
        return hull
    if not (factor * np.abs(np.array(hull.points)).max() <= LARGEST and factor * hull.largest_half_extent >= SMALLEST):
        raise ValueError(f"Its size must lie between {SMALLEST:g} and {LARGEST:g}.")
    return hull.scaled(factor)


def resized(size: float, growth: float, step: float) -> float:
    """`size` after it has grown, never below SMALLEST_SHARE of itself, in whole steps if there are any."""
    if growth == 0.0:
        return size
    grown = max(size + growth, SMALLEST_SHARE * size)
    return max(snapped(grown, step), step) if step > 0.0 else grown


def snapped(value: float, step: float) -> float:
    """The nearest multiple of `step`, or the value itself for a step of 0."""
    if step <= 0.0:
        return value
    # Twelve digits take away the 4e-17 that a multiple of a decimal step carries.
    return round(round(value / step) * step, 12)


def _with(triple: Triple, index: int, value: float) -> Triple:
    x, y, z = (value if k == index else old for k, old in enumerate(triple))
    return (x, y, z)
