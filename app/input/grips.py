"""Grips: the points at which a shape can be pulled to resize it, in the body's frame, and the pulled shape."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec import Struct

from core.geometry.vector import Array
from core.shapes import Shape

from ..shapes import ShapeKind, kind_of

SMALLEST_SHARE = 0.01
"""The smallest size after a pull, as a fraction of the size before."""
NEAR_SHARE = 0.05
"""A hull has no grip on a side that reaches less than this share of its bounding radius from the frame's origin.

A small pull would change the hull too much there.
"""


class Grip(Struct, frozen=True, eq=False):
    """A grip on the + (`minus` 0) or - (`minus` 1) side of `axis`. `anchor` (3,): its point.

    `outward` (3,): the unit direction of a pull that enlarges. `pulled(by, step)`: the shape after such a pull by the
    length `by`; its size snaps to multiples of `step` if that is > 0. It raises ValueError for a size that the shape
    cannot have.
    """

    axis: int
    minus: int
    anchor: Array
    outward: Array
    pulled: Callable[[float, float], Shape]

    @property
    def number(self) -> int:
        """The grip's number, 0 to 5: both sides of x, then of y, then of z."""
        return 2 * self.axis + self.minus


def grips(shape: Shape) -> tuple[Grip, ...]:
    """The grips of a shape, in the order of their numbers; a half-space and a polygon have none."""
    kind = kind_of(shape)
    if not kind.pulls and kind.scaled is None:
        return ()
    found = (_grip(shape, kind, axis, minus) for axis in range(3) for minus in (0, 1))
    return tuple(grip for grip in found if grip is not None)


def _grip(shape: Shape, kind: ShapeKind, axis: int, minus: int) -> Grip | None:
    direction = np.zeros(3)
    direction[axis] = -1.0 if minus else 1.0
    reach = float(shape.reach(direction))
    if kind.scaled is None:
        # The middle of the support feature; a cone's grips on x and z are at its base, where its radius is.
        foot = shape.support_feature(direction, 0.0).points.mean(axis=0)
    elif reach <= NEAR_SHARE * shape.bounding_radius:
        return None
    else:
        foot = reach * direction
    return Grip(axis, minus, foot, direction, lambda by, step: _pulled(shape, kind, axis, reach, by, step))


def _pulled(shape: Shape, kind: ShapeKind, axis: int, reach: float, by: float, step: float) -> Shape:
    """The shape after a pull. The centre stays, so the opposite side moves too."""
    if kind.scaled is not None:
        return kind.scaled(shape, resized(reach, by, step) / reach)
    pull = kind.pulls[axis]
    parameter = kind.parameters[pull.parameter]
    size = parameter.values(shape)[pull.index]
    return parameter.changed(shape, pull.index, resized(size, pull.share * by, step))


def resized(size: float, growth: float, step: float) -> float:
    """`size` plus `growth`, at least SMALLEST_SHARE of `size`; a multiple of `step` if that is > 0.

    Without growth it is `size` itself, also between two multiples.
    """
    if growth == 0.0:
        return size
    grown = max(size + growth, SMALLEST_SHARE * size)
    return max(snapped(grown, step), step) if step > 0.0 else grown


def snapped(value: float, step: float) -> float:
    """The nearest multiple of `step`, or the value itself for a step of 0."""
    if step <= 0.0:
        return value
    # Rounding to twelve digits removes the 4e-17 of a multiple of a decimal step.
    return round(round(value / step) * step, 12)
