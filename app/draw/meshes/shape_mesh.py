"""Meshes of the curved shapes, with the creases that are drawn as edges, and of differences that are no polyhedra.

Capsule, cylinder and cone are profiles turned about Y. An ellipsoid is a stretched ball. Any other shape, and a
difference A - B, is sampled: the directions of a fine mesh of the sphere are replaced by their support points. A
difference's are A's less B's in the opposite directions. Meshes are only drawn; no number on the screen is computed
from them.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import atan2, cos, hypot, pi, radians, sin

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.geometry.vector import Array, Indices, cross_rows, dots, length_rows, product
from core.scene import Body
from core.shapes import Capsule, Cone, Cylinder, Ellipsoid, Shape, sharp_of

from .mesh import Mesh, ball_mesh, sphere_triangles

FLAT_COSINE = cos(radians(9.0))
"""Least cosine between a triangle's own normal and its corners' directions for which the corners keep these as normals.

Below it the triangle is part of a flat face or spans an edge, and has its own normal at all corners.
"""
MOST_FOLDED = 24
"""Most triangles that are unfolded, the largest first, because unfolding takes time."""


def support_mesh(a: Body, b: Body, *, coarse: bool = False, less: float = 0.0) -> Mesh:
    """Triangles of A - B, world; corners on curved parts have the surface's normals. `coarse`: a quarter as many.

    `less`: the radius of a ball that is taken off, for the difference of the cores.
    """
    steps = 8 if coarse else 16
    directions, rows = _directions(steps)
    first, second = (
        _farthest(replace(body, position=(0.0, 0.0, 0.0)), steps, sign) for body, sign in ((a, 1.0), (b, -1.0))
    )
    return _spanned(first + a.pose.position - (second + b.pose.position) - less * directions, directions, rows)


def shape_mesh(shape: Shape) -> Mesh:
    """Triangles of a bounded shape in its body's frame; corners on curved parts have the surface's normals."""
    directions, rows = _directions(16)
    return _spanned(_farthest_of(shape, directions), directions, rows)


def _spanned(points: Array, directions: Array, rows: Indices) -> Mesh:
    """The sphere's triangles with each direction replaced by its support point.

    `points`, `directions` (n, 3): support points and their directions; `rows` (m, 3): the triangles' indices of both.
    """
    rows = _unfolded(points, directions, rows)
    corners, normals = points[rows], directions[rows]
    faces = cross_rows(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    sizes = length_rows(faces)
    real = sizes > 1e-12 * sizes.max()
    corners, normals, faces = corners[real], normals[real], faces[real] / sizes[real][:, None]
    bent = dots(normals, faces[:, None]).min(axis=1) < FLAT_COSINE
    normals[bent] = faces[bent][:, None, :]
    return Mesh(corners, normals, np.full(len(corners), -1))


def _unfolded(points: Array, directions: Array, rows: Indices) -> Indices:
    """The triangles' rows (m, 3), with the common side of each folded triangle and its neighbour exchanged.

    Beside a flat face a few thin triangles turn inward, because their longest side lies too deep. The neighbour at
    that side and the triangle form a quadrilateral, which is divided along its other diagonal.
    """
    corners = points[rows]
    faces = cross_rows(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    folded = np.nonzero(dots(faces, directions[rows].sum(axis=1)) < 0.0)[0]
    if not len(folded):
        return rows
    # Between two flat faces there can be hundreds, all small.
    folded = folded[np.argsort(-length_rows(faces[folded]))][:MOST_FOLDED]
    beside, mended = _neighbours(len(rows)), rows.copy()
    done: set[int] = set()
    for triangle in folded.tolist():
        sides = points[np.roll(rows[triangle], -1)] - points[rows[triangle]]
        k = int(np.argmax(length_rows(sides)))
        first, second, third = np.roll(rows[triangle], -k).tolist()
        other = beside[second, first]
        if done & {triangle, other}:
            continue
        done |= {triangle, other}
        (fourth,) = set(rows[other].tolist()) - {first, second}
        mended[triangle], mended[other] = (third, first, fourth), (third, fourth, second)
    return mended


@lru_cache(maxsize=4)
def _farthest(body: Body, steps: int, sign: float) -> Array:
    """The support points (n, 3), world, of a bounded body in the directions of `_directions(steps)` times `sign`.

    Cached: callers pass the body at the origin, so that a move without a turn finds the same key.
    """
    return body.pose.to_world(_farthest_of(body.shape, product(sign * _directions(steps)[0], body.pose.matrix)))


def _farthest_of(shape: Shape, directions: Array) -> Array:
    # The same points as each shape's `support`, for many directions at once.
    core, (shape, border) = shape.core, sharp_of(shape)
    if core is not None:
        found: Array = core.points[product(directions, core.points.T).argmax(axis=1)] + core.radius * directions
        return found
    if border:
        return _farthest_of(shape, directions) + border * directions
    if isinstance(shape, Ellipsoid):
        radii = np.array(shape.radii)
        stretched = directions * radii
        points: Array = radii * stretched / length_rows(stretched)[:, None]
        return points
    if not isinstance(shape, Cylinder | Cone):
        return np.array([shape.support(direction) for direction in directions])
    rim, up = directions * (1.0, 0.0, 1.0), directions[:, 1]
    across = length_rows(rim)
    rim *= (shape.radius / np.where(across > 0.0, across, 1.0))[:, None]
    if isinstance(shape, Cylinder):
        rim[:, 1] = np.copysign(0.5 * shape.height, up)
        return rim
    rim[:, 1] = -0.5 * shape.height
    rim[shape.height * up >= shape.radius * across] = (0.0, 0.5 * shape.height, 0.0)
    return rim


@lru_cache(maxsize=2)
def _neighbours(count: int) -> dict[tuple[int, int], int]:
    """Maps each side, as the indices of its start and end, to its triangle; the sphere's mesh has `count` triangles."""
    rows = next(rows for steps in (8, 16) if len(rows := _directions(steps)[1]) == count)
    return {
        (int(start), int(end)): triangle
        for triangle, row in enumerate(rows)
        for start, end in zip(row, np.roll(row, -1), strict=True)
    }


@lru_cache(maxsize=2)
def _directions(steps: int) -> tuple[Array, Indices]:
    # Every direction once, and the sphere's triangles as rows of three indices.
    triangles = sphere_triangles(steps)
    unique, rows = np.unique(np.round(triangles.reshape(-1, 3), 12), axis=0, return_inverse=True)
    return unique, rows.reshape(-1, 3)


TURN_SEGMENTS = 48
"""Number of segments of a full turn about Y."""
CAP_STEPS = 10
"""Number of segments of each quarter turn on a capsule's caps, and of each arc of a rounded profile."""


class Crease(Struct, frozen=True, eq=False):
    """A closed sharp edge: `points` (k, 3); `normals` (k, 2, 3): of both surfaces at each segment to the next point."""

    points: Array
    normals: Array


class CurvedLook(Struct, frozen=True, eq=False):
    """The mesh and the creases of a curved shape, body frame; `points` (n, 3): the mesh's corners, each once."""

    mesh: Mesh
    creases: tuple[Crease, ...]
    points: Array


Profile = list[tuple[float, float, float, float]]
"""Points of a profile: distance from the Y axis, height, and the outward normal's parts across and along the axis."""


@lru_cache(maxsize=32)
def curved_look(shape: Shape) -> CurvedLook:
    """Mesh and creases of a bounded shape of space: from its profile, from a ball, or else from its support points.

    The result is cached and must not be changed.
    """
    sharp, border = sharp_of(shape)
    if border:
        return _rounded_look(shape, sharp, border)
    match shape:
        case Capsule(radius, length):
            return _look(_turned([_capsule_profile(radius, 0.5 * length)]))
        case Cylinder(radius, height):
            half = 0.5 * height
            side = [(radius, -half, 1.0, 0.0), (radius, half, 1.0, 0.0)]
            caps = [_cap(radius, -half, -1.0), _cap(radius, half, 1.0)]
            rims = (_rim(radius, -half, (1.0, 0.0), -1.0), _rim(radius, half, (1.0, 0.0), 1.0))
            return _look(_turned([caps[0], side, caps[1]]), *rims)
        case Cone(radius, height):
            slant = hypot(radius, height)
            across, along = height / slant, radius / slant
            side = [(radius, -0.5 * height, across, along), (0.0, 0.5 * height, across, along)]
            rim = _rim(radius, -0.5 * height, (across, along), -1.0)
            return _look(_turned([_cap(radius, -0.5 * height, -1.0), side]), rim)
        case Ellipsoid(radii):
            return _look(_stretched(np.array(radii)))
        case _:
            return _look(shape_mesh(shape))


def _rounded_look(shape: Shape, sharp: Shape, border: float) -> CurvedLook:
    """The look of the shape `sharp` grown by `border`; it has no creases, because its edges are rounded."""
    match sharp:
        case Capsule(radius, length):
            return _look(_turned([_capsule_profile(radius + border, 0.5 * length)]))
        case Cylinder(radius, height):
            return _look(_turned([_rounded_profile([(radius, -0.5 * height), (radius, 0.5 * height)], border)]))
        case Cone(radius, height):
            return _look(_turned([_rounded_profile([(radius, -0.5 * height), (0.0, 0.5 * height)], border)]))
        case Ellipsoid(radii):
            mesh = _stretched(np.array(radii))
            return _look(Mesh(mesh.corners + border * mesh.normals, mesh.normals, mesh.faces))
        case _:
            return _look(shape_mesh(shape))


def _rounded_profile(ends: list[tuple[float, float]], border: float) -> Profile:
    """A profile with arcs of the radius `border` about its two corners; `ends`: (across, height), the lower first."""
    (low, below), (high, above) = ends
    side = atan2(low - high, above - below)
    profile: Profile = [(0.0, below - border, 0.0, -1.0)]
    for (across, height), start, end in (((low, below), -0.5 * pi, side), ((high, above), side, 0.5 * pi)):
        for angle in np.linspace(start, end, CAP_STEPS + 1).tolist():
            out, up = cos(angle), sin(angle)
            profile.append((across + border * out, height + border * up, out, up))
    return [*profile, (0.0, above + border, 0.0, 1.0)]


def _look(mesh: Mesh, *creases: Crease) -> CurvedLook:
    return CurvedLook(mesh, creases, np.unique(mesh.corners.reshape(-1, 3), axis=0))


def _capsule_profile(radius: float, half: float) -> Profile:
    angles = np.linspace(-0.5 * pi, 0.5 * pi, 2 * CAP_STEPS + 1).tolist()
    lower, upper = angles[: CAP_STEPS + 1], angles[CAP_STEPS:]
    ends = [(angle, -half) for angle in lower] + [(angle, half) for angle in upper]
    return [(radius * np.cos(a), end + radius * np.sin(a), float(np.cos(a)), float(np.sin(a))) for a, end in ends]


def _cap(radius: float, height: float, sign: float) -> Profile:
    return [(0.0, height, 0.0, sign), (radius, height, 0.0, sign)]


def _rim(radius: float, height: float, side: tuple[float, float], sign: float) -> Crease:
    around, middles = _circle(0.0), _circle(0.5)
    points = radius * around + np.array((0.0, height, 0.0))
    sides = side[0] * middles + np.array((0.0, side[1], 0.0))
    caps = np.broadcast_to(np.array((0.0, sign, 0.0)), sides.shape)
    return Crease(points, np.stack((caps, sides), axis=1))


def _circle(shift: float) -> Array:
    turn = (np.arange(TURN_SEGMENTS) + shift) * (2.0 * pi / TURN_SEGMENTS)
    return np.column_stack((np.cos(turn), np.zeros(TURN_SEGMENTS), np.sin(turn)))


def _turned(profiles: list[Profile]) -> Mesh:
    # Each profile is a smooth band; where two meet, the surface has a crease.
    around = _circle(0.0)
    following = np.roll(around, -1, axis=0)
    corners, normals = [], []
    for profile in profiles:
        for first, second in pairwise(profile):
            quad = [_ring(first, around), _ring(second, around), _ring(second, following), _ring(first, following)]
            for a, b, c in ((0, 1, 2), (0, 2, 3)):
                corners.append(np.stack((quad[a][0], quad[b][0], quad[c][0]), axis=1))
                normals.append(np.stack((quad[a][1], quad[b][1], quad[c][1]), axis=1))
    return _outward(np.concatenate(corners), np.concatenate(normals))


def _ring(point: tuple[float, float, float, float], around: Array) -> tuple[Array, Array]:
    across, height, normal_across, normal_along = point
    up = np.array((0.0, 1.0, 0.0))
    return across * around + height * up, normal_across * around + normal_along * up


def _outward(corners: Array, normals: Array) -> Mesh:
    # Drops triangles without area, which occur on the axis, and turns the others to face outwards.
    faces = cross_rows(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    areas = length_rows(faces)
    kept = areas > 1e-9 * areas.max()
    corners, normals, faces = corners[kept], normals[kept], faces[kept]
    inward = dots(faces, normals.mean(axis=1)) < 0.0
    corners[inward], normals[inward] = corners[inward, ::-1], normals[inward, ::-1]
    return Mesh(corners, normals, np.full(len(corners), -1))


def _stretched(radii: Array) -> Mesh:
    ball = ball_mesh(np.zeros(3), 1.0)
    # Normals are transformed by the inverse transpose.
    normals = ball.normals / radii
    return Mesh(ball.corners * radii, normals / length_rows(normals)[..., None], ball.faces)
