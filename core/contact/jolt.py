"""The policy `Jolt`: two supporting faces, whatever their angle, the second clipped by the first.

Built from Jolt Physics (jrouwe/JoltPhysics): `ManifoldBetweenTwoFaces` in Jolt/Physics/Collision/
ManifoldBetweenTwoFaces.cpp, `ClipPolyVsPoly` and `ClipPolyVsEdge` in Jolt/Geometry/ClipPoly.h, and `GetSupportingFace`
in Jolt/Physics/Collision/Shape/ of ConvexHullShape.cpp, CylinderShape.cpp and CapsuleShape.cpp. There is no test of an
angle: what lies below the first face's plane, or within SPECULATIVE of it, is a contact; if nothing is, GJK's pair of
points. A cylinder's disc is eight points that turn with the body; its side is taken where o h > r |y| of the direction.
Spheres, cones and ellipsoids have no supporting face here, and half-spaces none of finite size.
"""

from __future__ import annotations

from math import hypot, inf

import numpy as np
from msgspec import Struct

from ..closed_form import Proximity
from ..geometry.vector import Array, any_perpendicular, cross, dot, frozen, length
from ..pair.pair import PairScale
from ..scene import Body
from ..shapes import sharp_of
from ..trace import Steps
from .contact import ClipStep, Contact, ContactCase, DepthStep, FeaturesStep, Manifold, ManifoldStep
from .flat import face_name

SPECULATIVE = 0.02
"""Jolt's speculative contact distance, in metres: points this far above the plane are contacts too."""

CAPSULE_SLOP = 0.02
"""A capsule lies along its axis where both ends reach as far to within this, in metres."""

RIM = 8
"""Points of a cylinder's disc."""


class _Face(Struct, frozen=True, eq=False):
    """A supporting face: `points` (k, 3) in loop order seen from outside, relative to A's position, and names."""

    name: str
    points: Array
    corners: tuple[str, ...]


def jolt_steps(
    a: Body, b: Body, found: Proximity, band: float, distance: float = SPECULATIVE
) -> Steps[ManifoldStep, Manifold]:
    """The contacts along the answer's normal, as steps; none if the bodies are apart by more than their `band`.

    `distance`: what is passed to the manifold, scene units.
    """
    n, origin, scale = found.normal, a.pose.position, PairScale.of(a, b)
    first, second = _supporting(a, np.zeros(3), n), _supporting(b, scale.offset, -n)
    near = frozen((found.point_first + origin).reshape(1, 3)), frozen((found.point_second + origin).reshape(1, 3))
    usable = len(first.points) >= 2 and len(second.points) >= 3
    case = ContactCase.FACE_OF_A if usable else ContactCase.POINT
    yield FeaturesStep(
        case,
        n,
        first.name,
        second.name,
        frozen(first.points + origin) if len(first.points) else near[0],
        frozen(second.points + origin) if len(second.points) else near[1],
    )
    if found.separation > band:
        return Manifold(case, n, ())
    contacts: tuple[Contact, ...] = ()
    if usable:
        contacts = yield from _clipped(first, second, n, origin, distance)
    if not contacts:
        middle = frozen(0.5 * (near[0][0] + near[1][0]))
        contacts = (Contact(middle, -found.separation, first.name, second.name),)
    return Manifold(case, n, contacts)


def _supporting(body: Body, offset: Array, d: Array) -> _Face:
    """The face of a body, at `offset` (3,), that faces most along the unit d (3,); no points without one."""
    shape, core = body.shape, body.shape.core
    local = body.pose.direction_to_local(d)
    points, name = np.zeros((0, 3)), shape.word
    names: tuple[str, ...] = ()
    if core is not None and core.solid is not None:
        face = int(np.argmax(core.solid.normals @ local))
        loop = core.solid.faces[face]
        points = core.solid.vertices[list(loop)] + core.radius * core.solid.normals[face]
        name, names = face_name(face, boxed=core.boxed), tuple(f"v{k}" for k in loop)
    elif core is not None and len(core.points) == 2 and (across := hypot(local[0], local[2])) > 0.0:
        ends = core.points + core.radius / across * local * (1.0, 0.0, 1.0)
        if abs(float((ends[1] - ends[0]) @ local)) < CAPSULE_SLOP:
            points, name, names = ends, "axis", ("end0", "end1")
    elif core is None and shape.plane is None:
        points, name, names = _round(body, local)
    return _Face(name, points @ body.pose.matrix.T + offset, names)


def _round(body: Body, local: Array) -> tuple[Array, str, tuple[str, ...]]:
    """A cylinder's disc or side along a direction of its frame; nothing of other round shapes."""
    sharp, border = sharp_of(body.shape)
    up = 1.0 if local[1] >= 0.0 else -1.0
    disc = sharp.support_feature(np.array((0.0, up, 0.0)), inf)
    other = sharp.support_feature(np.array((0.0, -up, 0.0)), inf)
    if disc.kind != "disc" or other.kind != "disc":
        return np.zeros((0, 3)), body.shape.word, ()
    r, h = float(disc.points[0][0]) + border, abs(float(disc.points[0][1])) + border
    o = hypot(local[0], local[2])
    if o * h > r * abs(local[1]):
        x, z = r * local[0] / o, r * local[2] / o
        return np.array(((x, -h, z), (x, h, z))), "side", ("rim -y", "rim +y")
    turns = up * 2.0 * np.pi * np.arange(RIM) / RIM
    rim = np.stack((r * np.sin(turns), np.full(RIM, up * h), r * np.cos(turns)), axis=1)
    return rim, disc.name, tuple(f"{disc.name.replace('cap', 'rim')}.{k}" for k in range(RIM))


def _clipped(
    first: _Face, second: _Face, n: Array, origin: Array, distance: float
) -> Steps[ManifoldStep, tuple[Contact, ...]]:
    """The second face clipped by the first, and what of it lies below the first's plane or within the distance."""
    points = [(point, (first.name, name)) for point, name in zip(second.points, second.corners, strict=True)]
    count, fresh = len(first.points), 0
    for k in range(count if count > 2 else 1):
        start, end = first.points[k], first.points[(k + 1) % count]
        inwards = cross(n, end - start)
        size = length(inwards)
        if size == 0.0:
            continue
        inwards = inwards / size
        before, side = points, f"{first.corners[k]}-{first.corners[(k + 1) % count]}"
        heights = [dot(inwards, point - start) for point, _ in points]
        points = []
        for j, (point, names) in enumerate(before):
            after, other = before[(j + 1) % len(before)][0], heights[(j + 1) % len(before)]
            if count > 2 and heights[j] >= 0.0:
                points.append((point, names))
            if (heights[j] >= 0.0) is not (other >= 0.0):
                crossing = point + heights[j] / (heights[j] - other) * (after - point)
                if count == 2:
                    way = end - start
                    share = min(max(dot(crossing - start, way) / dot(way, way), 0.0), 1.0)
                    crossing = crossing + (share - dot(crossing - start, way) / dot(way, way)) * way
                points.append((crossing, (side, f"{second.name}.{fresh}")))
                fresh += 1
        old = {id(point) for point, _ in before}
        yield ClipStep(
            side,
            -inwards,
            -dot(inwards, start + origin),
            _rows(before, origin),
            _rows(points, origin),
            tuple(names for _, names in points),
            tuple(id(point) not in old for point, _ in points),
        )
    if not points:
        return ()
    edge = first.points[1] - first.points[0]
    across = cross(edge, first.points[2] - first.points[0]) if count > 2 else cross(cross(edge, n), edge)
    up = across / length(across) if length(across) > 0.0 else any_perpendicular(n)
    rows = _rows(points, origin)
    depths = -(rows - (first.points[0] + origin)) @ up
    kept = tuple((depths > -distance).tolist())
    pairs = tuple(pair for _, pair in points)
    yield DepthStep(up, dot(up, first.points[0] + origin), rows, frozen(depths), pairs, kept)
    return tuple(
        Contact(frozen(row + 0.5 * depth * up), float(depth), *name)
        for row, depth, name, keep in zip(rows, depths, pairs, kept, strict=True)
        if keep
    )


def _rows(points: list[tuple[Array, tuple[str, str]]], origin: Array) -> Array:
    """The points (k, 3), world."""
    return frozen(np.array([point for point, _ in points]).reshape(-1, 3) + origin)
