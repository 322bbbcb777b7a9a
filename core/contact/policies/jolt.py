"""The policy `Jolt`: two supporting faces at any angle, one clipped by the other.

Built from Jolt Physics (jrouwe/JoltPhysics) 5.5.0, tag v5.5.0, all below Jolt/: `ManifoldBetweenTwoFaces` in
Physics/Collision/ManifoldBetweenTwoFaces.cpp; `ClipPolyVsPoly`, `ClipPolyVsEdge` in Geometry/ClipPoly.h; and
`GetSupportingFace` of BoxShape.cpp, ConvexHullShape.cpp, CylinderShape.cpp, CapsuleShape.cpp and, for planes,
`sGetSupportingFace` of PlaneShape.cpp in Physics/Collision/Shape/. Up to 5.3.0 a face was not clipped by a line, and a
cylinder's side was taken where o h > r |y|.

The angle between the faces is not tested. Corners of the clipped face are contacts if they are below the first face's
plane, or above it by less than a distance along the normal. If there are none, GJK's pair of points is the contact.
Spheres, cones and ellipsoids have no supporting face here. Jolt works in single precision, and finds its normal by GJK
and EPA with a convex radius; here normal and points are the answer's.
"""

from __future__ import annotations

from math import inf, tau

import numpy as np
from msgspec import Struct

from ...closed_form import Proximity
from ...geometry.elementary import atan2, hypot, sin_cos
from ...geometry.tolerances import FRAME_ROUNDING
from ...geometry.vector import Array, any_perpendicular, cross, dot, dots, frozen, length
from ...pair.pair import PairScale
from ...scene import Body
from ...shapes import sharp_of
from ...trace import Steps
from ..contact import ClipStep, Contact, ContactCase, DepthStep, FeaturesStep, Manifold, ManifoldStep
from ..flat import face_name

SPECULATIVE = 0.02
"""Bodies up to this far apart, in metres, have contacts: `PhysicsSettings::mSpeculativeContactDistance`, passed on by
`PhysicsSystem::ProcessBodyPair` (Jolt/Physics/PhysicsSettings.h, PhysicsSystem.cpp)."""

MANIFOLD_TOLERANCE = 1e-3
"""The distance in metres that is added to SPECULATIVE for points: `PhysicsSettings::mManifoldTolerance`."""

CAPSULE_SLOP = 0.02
"""A capsule has a supporting line if both ends reach equally far to within this, in metres: `cCapsuleProjectionSlop`
in Jolt/Physics/PhysicsSettings.h."""

RIM = 8
"""The number of points of a cylinder's disc: `cCylinderTopFace` in CylinderShape.cpp."""

ALIGNED = 0.00765427
"""The squared tangent of 5°, as in CylinderShape.cpp: at a larger tilt one of a disc's points is the farthest."""

MOST_POINTS = 16
"""Half the capacity of Jolt's `Shape::SupportingFace`: a hull's face with as many vertices or more is thinned."""


class _Face(Struct, frozen=True, eq=False):
    """A supporting face: `points` (k, 3) in loop order seen from outside, relative to A's position, and their names."""

    name: str
    points: Array
    corners: tuple[str, ...]


def jolt_steps(
    a: Body, b: Body, found: Proximity, margin: float, distance: float = SPECULATIVE
) -> Steps[ManifoldStep, Manifold]:
    """The contacts along the answer's normal, as steps; none if the bodies are apart by more than `margin`.

    `distance`: Jolt's speculative contact distance. `margin` and `distance` are in scene units. Raises ValueError for
    two half-spaces.
    """
    n, origin, scale = found.normal, a.pose.position, PairScale.of(a, b)
    first = _supporting(a, np.zeros(3), n, b, scale.offset)
    second = _supporting(b, scale.offset, -n, a, np.zeros(3))
    near = frozen((found.witness_a + origin).reshape(1, 3)), frozen((found.witness_b + origin).reshape(1, 3))
    counts = len(first.points), len(second.points)
    usable = min(counts) >= 2 and max(counts) >= 3
    swapped = usable and counts[1] < 3
    case = ContactCase.POINT if not usable else ContactCase.FACE_OF_B if swapped else ContactCase.FACE_OF_A
    yield FeaturesStep(
        case,
        n,
        first.name,
        second.name,
        frozen(first.points + origin) if counts[0] else near[0],
        frozen(second.points + origin) if counts[1] else near[1],
    )
    if found.separation > margin:
        return Manifold(case, n, ())
    contacts: tuple[Contact, ...] = ()
    if usable:
        faces, axis = ((second, first), -n) if swapped else ((first, second), n)
        contacts = yield from _clipped(*faces, axis, origin, distance + MANIFOLD_TOLERANCE, scale.rounding, swapped)
    if not contacts:
        middle = frozen(0.5 * (near[0][0] + near[1][0]))
        contacts = (Contact(middle, -found.separation, first.name, second.name, found.separation > scale.rounding),)
    return Manifold(case, n, contacts)


def _supporting(body: Body, offset: Array, d: Array, other: Body, at: Array) -> _Face:
    """The face that faces most along the unit `d` (3,), of a body at `offset` (3,); without points if it has none.

    A half-space's face is a square of its plane below the `other` body, whose position is `at` (3,). The square is
    twice as wide as that body's bounding sphere.
    """
    shape, core = body.shape, body.shape.core
    local = body.pose.direction_to_local(d)
    points, name = np.zeros((0, 3)), shape.word
    names: tuple[str, ...] = ()
    if shape.plane is not None:
        up = body.pose.direction_to_world(shape.plane.normal)
        foot = at - (dot(up, at - offset) - shape.plane.offset) * up
        sides = (first := any_perpendicular(up), cross(up, first))
        size = 2.0 * other.shape.bounding_radius
        square = [foot + size * (s * sides[0] + t * sides[1]) for s, t in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
        return _Face("plane", np.array(square), tuple(f"plane.{k}" for k in range(4)))
    if core is not None and core.solid is not None:
        facing = dots(core.solid.normals, local)
        face = int((facing >= facing.max() - FRAME_ROUNDING).argmax())
        loop = core.solid.faces[face]
        loop = loop[:: (len(loop) + MOST_POINTS) // MOST_POINTS]
        points = core.solid.vertices[list(loop)] + core.radius * core.solid.normals[face]
        name, names = face_name(face, boxed=core.boxed), tuple(f"v{k}" for k in loop)
    elif core is not None and len(core.points) == 2 and (across := hypot(local[0], local[2])) > 0.0:
        ends = core.points + core.radius / across * local * (1.0, 0.0, 1.0)
        if abs(dot(ends[1] - ends[0], local)) < CAPSULE_SLOP:
            points, name, names = ends, "axis", ("end0", "end1")
    elif core is None:
        points, name, names = _round(body, local)
    return _Face(name, body.pose.direction_to_world(points) + offset, names)


def _round(body: Body, local: Array) -> tuple[Array, str, tuple[str, ...]]:
    """A cylinder's disc or side line that faces along `local` (3,), body frame: points (k, 3), name, names of points.

    Without points for other shapes.
    """
    sharp, border = sharp_of(body.shape)
    up = 1.0 if local[1] >= 0.0 else -1.0
    disc = sharp.support_feature(np.array((0.0, up, 0.0)), inf)
    other = sharp.support_feature(np.array((0.0, -up, 0.0)), inf)
    if disc.kind != "disc" or other.kind != "disc":
        return np.zeros((0, 3)), body.shape.word, ()
    r, h = float(disc.points[0][0]) + border, abs(float(disc.points[0][1])) + border
    o, y = hypot(local[0], local[2]), float(local[1])
    if o > abs(y):
        x, z = r * local[0] / o, r * local[2] / o
        return np.array(((x, -h, z), (x, h, z))), "side", ("rim -y", "rim +y")
    first = atan2(float(local[0]), float(local[2])) if o * o > ALIGNED * y * y else 0.0
    turns = [sin_cos(first + up * tau * k / RIM) for k in range(RIM)]
    rim = np.array([(r * s, up * h, r * c) for s, c in turns])
    return rim, disc.name, tuple(f"{disc.name.replace('cap', 'rim')}.{k}" for k in range(RIM))


def _clipped(
    first: _Face, second: _Face, axis: Array, origin: Array, distance: float, noise: float, swapped: bool
) -> Steps[ManifoldStep, tuple[Contact, ...]]:
    """Clips the second face by the first, and makes contacts of its corners below the first's plane.

    Corners above the plane by less than `distance` along `axis` are contacts too. `axis` (3,): unit, from the first to
    the second. `noise`: contacts farther apart are gaps. `swapped`: whether the first is B's.
    """
    points: _Named = [(point, (first.name, name)) for point, name in zip(second.points, second.corners, strict=True)]
    count = len(first.points)
    for k in range(count if count > 2 else 1):
        start, end = first.points[k], first.points[(k + 1) % count]
        inwards = cross(axis, end - start)
        size = length(inwards)
        if size == 0.0:
            continue
        inwards = inwards / size
        before, side = points, f"{first.corners[k]}-{first.corners[(k + 1) % count]}"
        points = (_cut if count > 2 else _on_edge)(before, (start, end), inwards, side, second)
        if count > 2 and len(points) < 3:
            points = []
        old = {id(point) for point, _ in before}
        yield ClipStep(
            side=side,
            normal=-inwards,
            offset=-dot(inwards, start + origin),
            before=_rows(before, origin),
            after=_rows(points, origin),
            names=tuple(_ordered(names, swapped) for _, names in points),
            cut=tuple(id(point) not in old for point, _ in points),
        )
    edge = first.points[1] - first.points[0]
    up = cross(edge, first.points[2] - first.points[0]) if count > 2 else cross(cross(edge, axis), edge)
    along = dot(axis, up)
    if not points or along == 0.0:
        return ()
    rows = _rows(points, origin)
    # Depths are along the axis, not perpendicular to the plane: the line along it meets the plane at the first body.
    depths = -dots(rows - (first.points[0] + origin), up) / along
    kept = tuple((depths > -distance).tolist())
    pairs = tuple(_ordered(pair, swapped) for _, pair in points)
    up = up / length(up)
    yield DepthStep(
        normal=up,
        offset=dot(up, first.points[0] + origin),
        points=rows,
        depths=frozen(depths),
        names=pairs,
        kept=kept,
        axis=axis,
    )
    return tuple(
        Contact(frozen(row + 0.5 * depth * axis), float(depth), *name, bool(depth < -noise))
        for row, depth, name, keep in zip(rows, depths, pairs, kept, strict=True)
        if keep
    )


_Named = list[tuple[Array, tuple[str, str]]]
"""Points (3,), each with the names of the first face's feature and of the second's."""


def _cut(before: _Named, ends: tuple[Array, Array], inwards: Array, side: str, second: _Face) -> _Named:
    """`ClipPolyVsPlane`: the corners inside, and the points where the polygon crosses the plane."""
    points: _Named = []
    for k, (point, names) in enumerate(before):
        after = before[(k + 1) % len(before)][0]
        height, other = dot(inwards, point - ends[0]), dot(inwards, after - ends[0])
        if height > 0.0:
            points.append((point, names))
        if (height > 0.0) is not (other > 0.0):
            crossing = point + height / (height - other) * (after - point)
            points.append((crossing, (side, f"{second.name}{'-' if height > 0.0 else '+'}")))
    return points


def _on_edge(before: _Named, ends: tuple[Array, Array], inwards: Array, side: str, second: _Face) -> _Named:
    """`ClipPolyVsEdge`: the points where the polygon crosses the plane, clamped to the edge.

    The edge is projected onto the polygon's plane first.
    """
    corner = before[0][0]
    up = cross(before[2][0] - corner, before[1][0] - corner)
    low, high = (end + dot(up, corner - end) / dot(up, up) * up for end in ends)
    way = high - low
    points: _Named = []
    for crossing, names in _cut(before, ends, inwards, side, second):
        if names[0] == side:
            place = dot(crossing - low, way)
            points.append((low if place < 0.0 else high if place > dot(way, way) else crossing, names))
    return points


def _ordered(names: tuple[str, str], swapped: bool) -> tuple[str, str]:
    """The names, A's first."""
    return names[::-1] if swapped else names


def _rows(points: _Named, origin: Array) -> Array:
    """The points (k, 3), world."""
    return frozen(np.array([point for point, _ in points]).reshape(-1, 3) + origin)
