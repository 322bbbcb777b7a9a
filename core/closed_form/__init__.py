"""Signed distances in closed form, by pair of shapes; each function returns a `Proximity`, from first body to second.

The pairs are a sphere against anything but a hull, capsules against each other, capsules, cylinders and cones with
parallel axes, and any bounded shape against a half-space. A hull of one or two points counts as a point or a segment.

All points and poses of one call are in one frame: the one with its origin at A's position loses the fewest digits.
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
