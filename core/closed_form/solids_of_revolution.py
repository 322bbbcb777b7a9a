"""Sphere against cylinder and cone in closed form: a point against a 2D figure that is rotated about the y axis.

In the solid's frame the sphere's centre is the point (ρ, y) of the half plane through it and the axis. The nearest
surface point lies in that half plane too. There the cylinder is a rectangle and the cone a triangle, and the answer is
the nearest of their sides and corners, for a centre inside or outside.
"""

from __future__ import annotations

from math import copysign

from msgspec import Struct

from ..geometry.elementary import hypot
from ..geometry.quaternion import Pose
from ..geometry.vector import Array, vec
from .proximity import Proximity


class _FlatPoint(Struct, frozen=True):
    """The boundary point (`rho`, `y`) of a 2D figure nearest a point.

    (`out_rho`, `out_y`): the outward unit normal there. `distance`: the point's signed distance, negative inside.
    """

    rho: float
    y: float
    out_rho: float
    out_y: float
    distance: float


def distance_sphere_cylinder(
    centre: Array, radius: float, pose: Pose, cylinder_radius: float, height: float
) -> Proximity:
    """The proximity of a sphere about `centre` (3,) to a cylinder of `height` along the body's y, placed at `pose`.

    For a centre inside, of equally near surfaces a cap is taken, of both caps the upper one.
    """
    local = pose.to_local(centre)
    rho, y = hypot(float(local[0]), float(local[2])), float(local[1])
    return _turned(centre, radius, pose, local, rho, _rectangle(rho, y, cylinder_radius, 0.5 * height))


def distance_sphere_cone(centre: Array, radius: float, pose: Pose, cone_radius: float, height: float) -> Proximity:
    """The proximity of the sphere about `centre` (3,) to a cone of `height` along the body's y, placed at `pose`.

    The apex is up. The pose's position is at half the height. For a centre inside, of equally near surfaces the base is
    taken.
    """
    local = pose.to_local(centre)
    rho, y = hypot(float(local[0]), float(local[2])), float(local[1])
    return _turned(centre, radius, pose, local, rho, _triangle(rho, y, cone_radius, 0.5 * height))


def _rectangle(rho: float, y: float, radius: float, half_height: float) -> _FlatPoint:
    """The boundary point of the rectangle |ρ| <= radius, |y| <= half_height nearest to (ρ, y), with ρ >= 0."""
    beyond_side, beyond_cap = rho - radius, abs(y) - half_height
    up = copysign(1.0, y)
    if beyond_side > 0.0 and beyond_cap > 0.0:
        apart = hypot(beyond_side, beyond_cap)
        return _FlatPoint(radius, up * half_height, beyond_side / apart, up * beyond_cap / apart, apart)
    if beyond_cap >= beyond_side:
        return _FlatPoint(rho, up * half_height, 0.0, up, beyond_cap)
    return _FlatPoint(radius, y, 1.0, 0.0, beyond_side)


def _triangle(rho: float, y: float, radius: float, half_height: float) -> _FlatPoint:
    """The boundary point of a cone's section nearest to (ρ, y), with ρ >= 0.

    The section has the rim (radius, -half_height) and the apex (0, half_height).
    """
    slant = hypot(radius, 2.0 * half_height)
    out_rho, out_y = 2.0 * half_height / slant, radius / slant
    from_rim_rho, from_rim_y = rho - radius, y + half_height
    below = -from_rim_y
    beyond_slant = out_rho * from_rim_rho + out_y * from_rim_y
    # Heights along the slanted side, above the rim and above the apex. Each is computed from its end, for a right sign.
    along = out_rho * from_rim_y - out_y * from_rim_rho
    past_apex = out_rho * (y - half_height) - out_y * rho
    base = _FlatPoint(rho, -half_height, 0.0, -1.0, below)
    side = _FlatPoint(radius - out_y * along, -half_height + out_rho * along, out_rho, out_y, beyond_slant)
    if below <= 0.0 and beyond_slant <= 0.0:
        return base if below >= beyond_slant else side
    if below > 0.0 and rho <= radius:
        return base
    if past_apex > 0.0:
        return _corner(rho, y, 0.0, half_height)
    return side if along > 0.0 else _corner(rho, y, radius, -half_height)


def _corner(rho: float, y: float, at_rho: float, at_y: float) -> _FlatPoint:
    apart = hypot(rho - at_rho, y - at_y)
    return _FlatPoint(at_rho, at_y, (rho - at_rho) / apart, (y - at_y) / apart, apart)


def _turned(centre: Array, radius: float, pose: Pose, local: Array, rho: float, flat: _FlatPoint) -> Proximity:
    """The 3D answer from the 2D one, in the half plane of the sphere's centre; for a centre on the axis, of +x."""
    x, z = (float(local[0]) / rho, float(local[2]) / rho) if rho > 0.0 else (1.0, 0.0)
    normal = -pose.direction_to_world(vec(x * flat.out_rho, flat.out_y, z * flat.out_rho))
    surface = pose.to_world(vec(x * flat.rho, flat.y, z * flat.rho))
    return Proximity(flat.distance - radius, normal, centre + radius * normal, surface)
