"""Signed distance and witness points read off the explicit difference: the oracle of GJK, EPA and the closed forms.

Exact to rounding for any two cores grown by radii and for any shape against a half-space; merged faces of the
difference are flat to SAME_AXIS_SIN only.
"""

from __future__ import annotations

import numpy as np

from core.closed_form import Proximity
from core.geometry.vector import Array
from core.minkowski.difference import difference
from core.minkowski.distance import nearest_boundary_point, witness_points
from core.pair.cores import cores_of
from core.pair.pair import PairScale
from core.scene import Body


def explicit_distance(a: Body, b: Body) -> Proximity:
    """From A to B, points relative to A's position. Raises TypeError where there is no explicit difference."""
    solid = difference(a, b)
    point = nearest_boundary_point(solid)
    if solid.plane is not None:
        return _to_a_plane(a, b, point.separation, point.normal)
    core_a, core_b = cores_of(a, b)
    on_a, on_b = witness_points(solid, point, core_a.solid.vertices, core_b.solid.vertices)
    return Proximity(
        point.separation, point.normal, on_a + core_a.radius * point.normal, on_b - core_b.radius * point.normal
    )


def _to_a_plane(a: Body, b: Body, separation: float, normal: Array) -> Proximity:
    """The bounded body's farthest point, and its foot on the plane."""
    if a.shape.plane is not None:
        on_b = PairScale.of(a, b).offset + b.pose.matrix @ b.shape.support(b.pose.direction_to_local(-normal))
        return Proximity(separation, normal, on_b - separation * normal, on_b)
    on_a = np.asarray(a.pose.matrix @ a.shape.support(a.pose.direction_to_local(normal)))
    return Proximity(separation, normal, on_a, on_a + separation * normal)
