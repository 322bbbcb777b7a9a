"""Rays against every shape in closed form (article P, systems P11 and P12).

A ray is a half line: hits have t >= 0, where the article tests endless lines. A body is closed, so a ray that grazes
it hits it, and so does one that misses by no more than rounding explains: then the body is tried once more,
larger by that much, and entry and exit meet within what is found.

The functions named after a shape work in its own frame; `raycast` in the world.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite

import numpy as np
from msgspec import Struct

from ..geometry.plane import Plane
from ..geometry.tolerances import ROUNDING
from ..geometry.transform import Pose
from ..geometry.vector import Array, dot, frozen, length
from ..scene import Body
from ..shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Polyhedron, Sphere
from .line_spans import (
    Line,
    LineSpan,
    capsule_span,
    cone_span,
    cylinder_span,
    ellipsoid_span,
    half_space_span,
    planes_span,
    sphere_span,
)


class RayHit(Struct, frozen=True, eq=False):
    """Where a ray passes a surface: `t` in units of the ray's direction, `point` (3,), outward unit `normal` (3,)."""

    t: float
    point: Array
    normal: Array


class RayCast(Struct, frozen=True, eq=False):
    """A ray that hits: `entry` is None for one that starts `inside`, `exit` None for one that never leaves.

    A start where the ray crosses the surface, to rounding, is not inside: the entry is at t = 0, or the exit is.
    """

    entry: RayHit | None
    exit: RayHit | None
    inside: bool

    @property
    def t(self) -> float:
        """When the ray first is in the body: 0 from inside."""
        return 0.0 if self.entry is None else self.entry.t


Span = Callable[[Line, float], LineSpan | None]


def raycast(body: Body, origin: Array, direction: Array) -> RayCast | None:
    """The ray `origin + t direction`, t >= 0, both (3,) and in the world, against the body; None if it misses.

    ValueError for a direction without a length.
    """
    pose = body.pose
    _speed(direction)  # refused before its infinities reach a product
    start, along = pose.to_local(origin), pose.direction_to_local(direction)
    match body.shape:
        case Sphere(radius):
            found = ray_sphere(start, along, radius)
        case Box():
            found = ray_box(start, along, body.shape.half_extents)
        case Capsule(radius, segment_length):
            found = ray_capsule(start, along, radius, segment_length)
        case Cylinder(radius, height):
            found = ray_cylinder(start, along, radius, height)
        case Cone(radius, height):
            found = ray_cone(start, along, radius, height)
        case Ellipsoid(radii):
            found = ray_ellipsoid(start, along, np.array(radii))
        case Hull():
            found = ray_hull(start, along, body.shape.polyhedron)
        case HalfSpace():
            found = ray_half_space(start, along, body.shape.plane)
    return None if found is None else _in_world(found, pose)


def ray_sphere(origin: Array, direction: Array, radius: float) -> RayCast | None:
    """Against the sphere about the frame's origin."""
    return _cast(origin, direction, radius, lambda line, grow: sphere_span(line, radius, grow))


def ray_box(origin: Array, direction: Array, half_extents: Array) -> RayCast | None:
    """Against the box about the frame's origin, through its three slabs (Kay and Kajiya 1986)."""
    normals = np.concatenate((np.eye(3), -np.eye(3)))
    offsets = np.concatenate((half_extents, half_extents))
    reach = length(half_extents)
    return _cast(origin, direction, reach, lambda line, grow: planes_span(line, normals, offsets, reach, grow))


def ray_capsule(origin: Array, direction: Array, radius: float, segment_length: float) -> RayCast | None:
    """Against the capsule about a segment of `segment_length` along y."""
    reach = radius + 0.5 * segment_length
    return _cast(origin, direction, reach, lambda line, grow: capsule_span(line, radius, segment_length, grow))


def ray_cylinder(origin: Array, direction: Array, radius: float, height: float) -> RayCast | None:
    """Against the cylinder of `height` along y."""
    reach = Cylinder(radius, height).bounding_radius
    return _cast(origin, direction, reach, lambda line, grow: cylinder_span(line, radius, height, grow))


def ray_cone(origin: Array, direction: Array, radius: float, height: float) -> RayCast | None:
    """Against the cone of `height` along y, apex up, centred at half height."""
    cone = Cone(radius, height)
    return _cast(origin, direction, cone.bounding_radius, lambda line, grow: cone_span(line, cone, grow))


def ray_ellipsoid(origin: Array, direction: Array, radii: Array) -> RayCast | None:
    """Against the ellipsoid with `radii` (3,) along the frame's axes."""
    x, y, z = radii.tolist()
    ellipsoid = Ellipsoid((x, y, z))
    return _cast(origin, direction, max(x, y, z), lambda line, grow: ellipsoid_span(line, ellipsoid, grow))


def ray_hull(origin: Array, direction: Array, polyhedron: Polyhedron) -> RayCast | None:
    """Against a convex polyhedron, through the planes of its faces (V4)."""
    normals, offsets = polyhedron.normals, polyhedron.offsets
    reach = float(np.sqrt(np.einsum("vi,vi->v", polyhedron.vertices, polyhedron.vertices).max()))
    return _cast(origin, direction, reach, lambda line, grow: planes_span(line, normals, offsets, reach, grow))


def ray_half_space(origin: Array, direction: Array, plane: Plane) -> RayCast | None:
    """Against everything behind `plane`. A ray that runs into it never leaves, and one out of it never entered."""
    speed = _speed(direction)
    along = direction / speed
    line = Line(origin, along, ROUNDING * (abs(plane.offset) + length(origin)))
    return _ahead(line, 0.0, speed, half_space_span(line, plane))


def _cast(origin: Array, direction: Array, size: float, span: Span) -> RayCast | None:
    """Against a bounded shape about the frame's origin with the bounding radius `size`."""
    speed = _speed(direction)
    along = direction / speed
    nearest = -dot(origin, along)
    # Capped, so that a body so far away that its size drowns in rounding does not swallow every ray.
    noise = min(ROUNDING * (size + length(origin)), 1e-3 * size)
    line = Line(origin + nearest * along, along, noise)
    return _ahead(line, nearest, speed, span(line, 0.0) or _grazed(line, span(line, noise)))


def _speed(direction: Array) -> float:
    speed = length(direction)
    if not (speed > 0.0 and isfinite(speed)):
        raise ValueError("a ray needs a direction with a length")
    return speed


def _ahead(line: Line, nearest: float, speed: float, found: LineSpan | None) -> RayCast | None:
    """The half line's part of a span; `nearest`: how far ahead of the ray's start the line's origin lies."""
    if found is None or nearest + found.leave < -line.noise:
        return None
    inside = nearest + found.enter < -line.noise

    def hit(t: float, normal: Array) -> RayHit | None:
        if not isfinite(t):
            return None
        return RayHit(max(nearest + t, 0.0) / speed, frozen(line.at(t)), frozen(np.array(normal)))

    entry = None if inside else hit(found.enter, found.enter_normal)
    return RayCast(entry, hit(found.leave, found.leave_normal), inside)


def _grazed(line: Line, found: LineSpan | None) -> LineSpan | None:
    """The one point at which a line grazes, from its span in the slightly larger shape.

    There it is equally far outside both surfaces: nearer to the end that it meets more steeply.
    """
    if found is None:
        return None
    steep = abs(dot(line.direction, found.enter_normal))
    share = abs(dot(line.direction, found.leave_normal))
    share = share / (steep + share) if steep + share > 0.0 else 0.5
    touch = found.enter + share * (found.leave - found.enter)
    return LineSpan(touch, touch, found.enter_normal, found.leave_normal)


def _in_world(found: RayCast, pose: Pose) -> RayCast:
    def turned(hit: RayHit | None) -> RayHit | None:
        if hit is None:
            return None
        return RayHit(hit.t, frozen(pose.to_world(hit.point)), frozen(pose.matrix @ hit.normal))

    return RayCast(turned(found.entry), turned(found.exit), found.inside)
