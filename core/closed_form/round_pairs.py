"""Spheres and capsules against each other in closed form: points and segments grown by a radius.

The core of such a pair has no volume, so the separation is the distance of the cores less both radii, however deep.
"""

from __future__ import annotations

from ..geometry.transform import Pose
from ..geometry.vector import Array, length
from .proximity import X_AXIS, Proximity
from .segments import Segment, distance_segment_segment


def distance_sphere_sphere(centre_a: Array, radius_a: float, centre_b: Array, radius_b: float) -> Proximity:
    """From sphere A to sphere B.

    With coincident centres every direction is as good as any other; +x is taken.
    """
    between = centre_b - centre_a
    apart = length(between)
    normal = between / apart if apart > 0.0 else X_AXIS
    return Proximity(apart - radius_a - radius_b, normal, centre_a + radius_a * normal, centre_b - radius_b * normal)


def distance_sphere_capsule(
    centre: Array, radius: float, pose: Pose, capsule_radius: float, segment_length: float
) -> Proximity:
    """From the sphere to the capsule placed at `pose`, its segment along the body's y."""
    point = Segment(centre, X_AXIS, 0.0)
    return _grown(point, radius, capsule_segment(pose, segment_length), capsule_radius)


def distance_capsule_capsule(
    pose_a: Pose, radius_a: float, length_a: float, pose_b: Pose, radius_b: float, length_b: float
) -> Proximity:
    """From capsule A to capsule B, whose segments of `length_a` and `length_b` run along their bodies' y.

    Where the segments cross, the way out is across both of them.
    """
    return _grown(capsule_segment(pose_a, length_a), radius_a, capsule_segment(pose_b, length_b), radius_b)


def capsule_segment(pose: Pose, segment_length: float) -> Segment:
    """The core of a capsule placed at `pose`."""
    return Segment(pose.position, pose.matrix[:, 1], 0.5 * segment_length)


def _grown(a: Segment, radius_a: float, b: Segment, radius_b: float) -> Proximity:
    cores = distance_segment_segment(a, b)
    normal = cores.normal
    return Proximity(
        cores.separation - radius_a - radius_b,
        normal,
        cores.point_first + radius_a * normal,
        cores.point_second - radius_b * normal,
    )
