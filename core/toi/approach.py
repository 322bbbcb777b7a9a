"""A moving point and a ball about the origin: the quadratic of two spheres, in one, two or three dimensions.

A slab is a ball in one dimension and a cylinder one in two, so faces, edges and corners of a grown box share it.
Departures from the article: the discriminant is formed from the closest approach, `a (r - m) (r + m)`, where
`b² - a c` would lose the digits of a near miss; the smaller root is `c / (sqrt(disc) - b)`, which cancels nothing.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from msgspec import Struct

from ..geometry.vector import Array


class Approach(Struct, frozen=True):
    """How near the point comes to the origin on its endless line, and when it first reaches the radius.

    `nearest`: distance at the closest approach, at time `when` (0 if the point does not move). `enter`: the time at
    which the distance is the radius for the first time, None if it never is. `discriminant`: of the quadratic in t,
    reduced: not negative where there is a root.
    """

    nearest: float
    when: float
    enter: float | None
    discriminant: float


def approach(offset: Array, velocity: Array, radius: float) -> Approach:
    """The point `offset + t velocity`, both (k,), and the ball of `radius`."""
    a, b = float(velocity @ velocity), float(offset @ velocity)
    distance = sqrt(float(offset @ offset))
    if a == 0.0:
        return Approach(distance, 0.0, None, 0.0)
    when = -b / a
    # In one dimension every line goes through the origin; its rounding would be all that is left.
    aside = offset + when * velocity if len(offset) > 1 else np.zeros(1)
    nearest = sqrt(float(aside @ aside))
    discriminant = a * (radius - nearest) * (radius + nearest)
    if discriminant < 0.0:
        return Approach(nearest, when, None, discriminant)
    beyond, root = (distance - radius) * (distance + radius), sqrt(discriminant)
    enter = beyond / (root - b) if b < 0.0 else (-b - root) / a
    return Approach(nearest, when, enter, discriminant)
