"""Which solid the line of sight meets: exact, on the scene's own float64 numbers, without anything drawn."""

from __future__ import annotations

from math import sqrt

import numpy as np

from core.geometry.vector import Array, dot
from core.scene import Body
from core.shapes import Box

from .manipulation import Sight


def hit_body(body: Body, sight: Sight) -> float | None:
    """Distance along the line of sight at which it enters the body; None when it passes by."""
    if isinstance(body.shape, Box):
        solid = body.shape.polyhedron
        local = Sight(
            body.pose.to_local(sight.origin),
            body.pose.direction_to_local(sight.direction),
            body.pose.direction_to_local(sight.towards),
        )
        return hit_planes(local, solid.normals, solid.offsets)
    return hit_ball(sight, body.pose.position, body.shape.radius)


def hit_planes(sight: Sight, normals: Array, offsets: Array) -> float | None:
    """Distance to the convex solid n·p <= offset with `normals` (f, 3) and `offsets` (f,); None when missed.

    An eye inside the solid sees its far side, so the distance is where the line leaves it.
    """
    slopes = normals @ sight.direction
    heights = offsets - normals @ sight.origin
    if bool(((np.abs(slopes) < 1e-15) & (heights < 0.0)).any()):
        return None
    with np.errstate(divide="ignore", invalid="ignore"):
        crossings = heights / slopes
    enter = float(crossings[slopes < -1e-15].max(initial=-np.inf))
    leave = float(crossings[slopes > 1e-15].min(initial=np.inf))
    if enter > leave or leave <= 0.0:
        return None
    return enter if enter > 0.0 else leave


def hit_ball(sight: Sight, centre: Array, radius: float) -> float | None:
    """Distance to the ball; None when missed. From inside, where the line leaves it."""
    to_centre = centre - sight.origin
    nearest = dot(to_centre, sight.direction)
    gap = to_centre - nearest * sight.direction
    square = radius * radius - dot(gap, gap)
    if square < 0.0:
        return None
    half = sqrt(square)
    if nearest + half <= 0.0:
        return None
    return nearest - half if nearest > half else nearest + half
