"""Sphere against ellipsoid: the point of an ellipsoid nearest to any given point, inside or outside.

Source: Eberly, "Distance from a Point to an Ellipse, an Ellipsoid, or a Hyperellipsoid" (2013). For the point y and the
radii e, the nearest point is `x_i = e_i² y_i / (t + e_i²)` with the largest root t of `Σ (e_i y_i / (t + e_i²))² = 1`;
the left side decreases with t and is convex. Departures: the unknown is `u = t / e_min² + 1 > 0`, which keeps its
digits if the point is inside, near the plane of the two long axes. It is found by bisection of its logarithm, then by
Newton's steps from the left, which cannot overshoot.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from ..geometry.quaternion import Pose
from ..geometry.vector import Array, length
from .proximity import Proximity

_HALVINGS = 16
"""Bisections of the logarithm of u. From the widest interval, 2100 powers of two, they leave a factor of about 1.02."""

_NEWTON_STEPS = 60
"""The most Newton steps; after the bisections about five suffice."""


def distance_sphere_ellipsoid(centre: Array, radius: float, pose: Pose, radii: Array) -> Proximity:
    """The proximity of the sphere about `centre` (3,) to the ellipsoid with `radii` (3,) placed at `pose`.

    Of equally near surface points, the one on the positive side of the axis is taken.
    """
    surface, outward, distance = nearest_on_ellipsoid(pose.to_local(centre), radii)
    normal = -pose.direction_to_world(outward)
    return Proximity(distance - radius, normal, centre + radius * normal, pose.to_world(surface))


def nearest_on_ellipsoid(point: Array, radii: Array) -> tuple[Array, Array, float]:
    """Returns the surface point (3,) nearest `point`, the outward unit normal (3,) there, and the signed distance.

    `point` (3,), and the results, are in the ellipsoid's own frame; `radii` (3,) are along its axes. The distance is
    negative inside.
    """
    smallest = float(radii.min())
    ratios = radii / smallest
    squares = ratios * ratios
    beyond = (ratios - 1.0) * (ratios + 1.0)
    signs = np.where(point < 0.0, -1.0, 1.0)
    y = np.abs(point) / smallest
    u = _root(ratios * y, beyond)
    # `steps` is along the normal: x_i / e_i², scaled. (u - 1) times it leads from the surface to the point.
    steps = y / np.where(u + beyond > 0.0, u + beyond, 1.0)
    if u == 0.0:
        # The point is in the plane of the long axes, so near the centre that its nearest point is not in that plane.
        short = int(np.argmin(radii))
        steps[short] = sqrt(max(0.0, 1.0 - _square_sum(ratios * steps)))
    size = length(steps)
    outward = signs * steps / size
    return signs * squares * steps * smallest, outward, (u - 1.0) * size * smallest


def _square_sum(values: Array) -> float:
    return float(np.sum(values * values))


def _root(weights: Array, beyond: Array) -> float:
    """The u > 0 with `Σ (weights / (u + beyond))² = 1`, or 0 if the sum stays below 1 down to u = 0."""
    low, high = float((weights - beyond).max()), length(weights)
    resting = weights[beyond == 0.0]
    if not resting.any():
        long = beyond > 0.0
        if _square_sum(weights[long] / beyond[long]) <= 1.0:
            return 0.0
    low = max(low, np.finfo(np.float64).tiny)
    high = max(high, low)

    def value(u: float) -> float:
        return _square_sum(weights / (u + beyond)) - 1.0

    for _ in range(_HALVINGS):
        middle = sqrt(low) * sqrt(high)
        low, high = (middle, high) if value(middle) >= 0.0 else (low, middle)
    u = low
    for _ in range(_NEWTON_STEPS):
        shares = weights / (u + beyond)
        slope = -2.0 * float(np.sum(shares * shares / (u + beyond)))
        following = u - (_square_sum(shares) - 1.0) / slope
        if not following > u:
            break
        u = following
    return u
