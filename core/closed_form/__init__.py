"""Signed distances in closed form, by pair of shapes; each function returns a `Proximity`, from first body to second.

The pairs are: a sphere and any shape but a hull or polygon; two capsules; any two of capsules, cylinders and cones with
parallel axes; any bounded shape and a half-space. A hull of one or two points is like a sphere or capsule of radius 0.

All points and poses of one call are in one frame. A frame with its origin at A's position loses the fewest digits.
"""

from __future__ import annotations

from .boxes import BoxRegion, box_region, distance_sphere_box
from .half_spaces import box_plane_contact, distance_box_half_space, effective_radius
from .pairs import closed_form
from .proximity import X_AXIS, Proximity
from .segments import Segment, closest_points, distance_sphere_sphere

__all__ = [
    "X_AXIS",
    "BoxRegion",
    "Proximity",
    "Segment",
    "box_plane_contact",
    "box_region",
    "closed_form",
    "closest_points",
    "distance_box_half_space",
    "distance_sphere_box",
    "distance_sphere_sphere",
    "effective_radius",
]
