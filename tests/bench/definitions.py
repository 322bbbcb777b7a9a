"""What each shape is, by its definition alone: where its points lie, its faces and edges.

How far it reaches is told in tests/oracles.py. Nothing here asks the core: points and numbers of a shape's frame go
in, and Qhull says which points are corners.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np
from scipy.optimize import brentq
from scipy.spatial import ConvexHull, QhullError

from core import Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Rounded, Shape, Sphere
from tests.oracles import CORNERS

LONG = np.longdouble


def farthest(shape: Shape, directions: np.ndarray) -> np.ndarray:
    """The points (k, 3) of a shape less its radius that are farthest along unit directions (k, 3) of its frame."""
    across = np.hypot(directions[:, 0], directions[:, 2])
    round_about = directions * (1.0, 0.0, 1.0) / np.where(across > 0.0, across, 1.0)[:, None]
    up = np.where(directions[:, 1:2] >= 0.0, (0.0, 0.5, 0.0), (0.0, -0.5, 0.0))
    match shape:
        case Box(size):
            return np.where(directions >= 0.0, 0.5, -0.5) * size
        case Sphere():
            return np.zeros_like(directions)
        case Capsule(_, length):
            return length * up
        case Cylinder(radius, height):
            return radius * round_about + height * up
        case Cone(radius, height):
            apex = directions[:, 1] * height > radius * across
            return np.where(apex[:, None], (0.0, height / 2, 0.0), radius * round_about - (0.0, height / 2, 0.0))
        case Ellipsoid(radii):
            rows = directions * radii
            return rows * radii / np.linalg.norm(rows, axis=1)[:, None]
        case Hull(points):
            at = np.array(points)
            return at[(directions @ at.T).argmax(axis=1)]
        case Rounded(sharp):
            return farthest(sharp, directions)
    raise TypeError(f"farthest is not told what a bounded {type(shape).__name__} is")


def radius_of(shape: Shape) -> float:
    """The radius that a shape keeps apart from its core: all of a sphere, a capsule's, a border's; else 0."""
    match shape:
        case Sphere(radius) | Capsule(radius):
            return radius
        case Rounded(sharp, border):
            return radius_of(sharp) + border
    return 0.0


def beyond(shape: Shape, p: np.ndarray) -> float:
    """At least how far a point (3,) of the shape's frame lies outside it; 0 inside."""
    across = float(np.hypot(p[0], p[2]))
    match shape:
        case Box(size):
            return float(np.linalg.norm(np.maximum(np.abs(p) - np.array(size) / 2, 0.0)))
        case Sphere(radius):
            return max(0.0, float(np.linalg.norm(p)) - radius)
        case Capsule(radius, length):
            return max(0.0, float(np.hypot(across, max(0.0, abs(p[1]) - length / 2))) - radius)
        case Cylinder(radius, height):
            return float(np.hypot(max(0.0, across - radius), max(0.0, abs(p[1]) - height / 2)))
        case Cone(radius, height):
            side = ((across - radius / 2) * height + p[1] * radius) / float(np.hypot(radius, height))
            return max(0.0, side, -height / 2 - p[1])
        case Ellipsoid(radii):
            size, slope = float(np.linalg.norm(p / radii)), float(np.linalg.norm(p / np.square(radii)))
            return (size - 1.0) * size / slope if size > 1.0 else 0.0
        case Hull():
            planes = surface_of(shape).planes
            if planes is None:
                return float(np.linalg.norm(nearest(shape, p) - p))
            return max(0.0, float((planes[:, :3] @ p + planes[:, 3]).max()))
        case HalfSpace(normal, offset):
            return max(0.0, (float(np.dot(normal, p)) - offset) / float(np.linalg.norm(normal)))
        case Rounded(sharp, border):
            return max(0.0, beyond(sharp, p) - border)
    raise TypeError(f"beyond is not told what a {type(shape).__name__} is")


def nearest(shape: Shape, p: np.ndarray) -> np.ndarray:
    """The point of a sharp shape nearest a point (3,) outside of it."""
    across = float(np.hypot(p[0], p[2]))
    out = np.array((p[0], 0.0, p[2])) / across if across > 0.0 else np.array((1.0, 0.0, 0.0))
    match shape:
        case Box(size):
            return np.clip(p, -np.array(size) / 2, np.array(size) / 2)
        case Cylinder(radius, height):
            return min(across, radius) * out + (0.0, np.clip(p[1], -height / 2, height / 2), 0.0)
        case Cone(radius, height):
            corners = np.array(((0.0, height / 2), (radius, -height / 2), (0.0, -height / 2)))
            sides = np.stack((corners, np.roll(corners, -1, axis=0)))
            flat = _of_segments(*sides, np.array((across, p[1])))
            return flat[0] * out + (0.0, flat[1], 0.0)
        case Ellipsoid(radii):
            squares = np.square(radii)
            reach = float(np.linalg.norm(np.array(radii) * p))
            t = brentq(lambda t: float(np.sum(squares * np.square(p / (t + squares)))) - 1.0, 0.0, reach, xtol=1e-300)
            return squares * p / (t + squares)
        case Hull():
            return _of_triangles(surface_of(shape).triangles, p)
    raise TypeError("what has a radius of its own has no border here")


def _of_segments(starts: np.ndarray, ends: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Of all segments from `starts` (k, d) to `ends` the point (d,) nearest p."""
    sides = ends - starts
    squares = np.einsum("ij,ij->i", sides, sides)
    along = np.einsum("ij,ij->i", p - starts, sides) / np.where(squares > 0.0, squares, 1.0)
    places = starts + np.clip(along, 0.0, 1.0)[:, None] * sides
    found: np.ndarray = places[np.linalg.norm(places - p, axis=1).argmin()]
    return found


def _of_triangles(triangles: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Of all triangles (k, 3, 3) the point nearest p."""
    ends = np.roll(triangles, -1, axis=1)
    best = _of_segments(triangles.reshape(-1, 3), ends.reshape(-1, 3), p)
    up = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    squares = np.einsum("ij,ij->i", up, up)
    inward = np.einsum("ijk,ijk->ij", np.cross(up[:, None], ends - triangles), p - triangles)
    over = (inward >= 0.0).all(axis=1) & (squares > 0.0)
    if over.any():
        heights = np.einsum("ij,ij->i", p - triangles[over, 0], up[over]) / squares[over]
        places = p - heights[:, None] * up[over]
        place = places[np.linalg.norm(places - p, axis=1).argmin()]
        best = min(best, place, key=lambda it: float(np.linalg.norm(it - p)))
    return best


@dataclass(frozen=True)
class Surface:
    """A hull's triangles (t, 3, 3); its planes (f, 4), outwards and with minus the offset, None of a flat hull."""

    triangles: np.ndarray
    planes: np.ndarray | None


@lru_cache(maxsize=64)
def surface_of(hull: Hull) -> Surface:
    """By Qhull; every three points of a flat one."""
    at = np.array(hull.points)
    unit = float(np.ptp(at, axis=0).max(initial=0.0)) or 1.0
    middle = at.mean(axis=0)
    try:
        found = ConvexHull((at - middle) / unit)
    except (QhullError, ValueError):
        threes = list(combinations(range(len(at)), 3)) or [(0, len(at) - 1, len(at) - 1)]
        return Surface(at[np.array(threes)], None)
    normals = found.equations[:, :3]
    offsets = found.equations[:, 3:] * unit - normals @ middle[:, None]
    return Surface(at[found.simplices], np.hstack((normals, offsets)))


@dataclass(frozen=True)
class Solid:
    """A core with corners, in its frame, in long doubles: corners (k, 3), directions across faces and along edges."""

    points: np.ndarray
    normals: np.ndarray
    edges: np.ndarray


@lru_cache(maxsize=64)
def solid_of(shape: Shape) -> Solid | None:
    """The core of a sphere, a capsule, a box or a hull, with or without a border; None of what has no corners."""
    none = np.zeros((0, 3), LONG)
    match shape:
        case Sphere():
            return Solid(np.zeros((1, 3), LONG), none, none)
        case Capsule(_, length):
            half = np.array((0.0, length, 0.0), LONG) / 2
            return Solid(np.array((-half, half)), none, half[None])
        case Box(size):
            return Solid(CORNERS * (np.array(size, LONG) / 2), np.eye(3, dtype=LONG), np.eye(3, dtype=LONG))
        case Hull(points):
            return _solid_hull(shape, np.array(points, LONG))
        case Rounded(sharp):
            return solid_of(sharp)
    return None


def _solid_hull(hull: Hull, at: np.ndarray) -> Solid:
    surface = surface_of(hull)
    threes = surface.triangles.astype(LONG)
    normals = np.cross(threes[:, 1] - threes[:, 0], threes[:, 2] - threes[:, 0])
    if surface.planes is not None:
        # Where noise has made slivers, the plane of their neighbours stands for them.
        normals = np.vstack((normals, surface.planes[:, :3]))
    sides = {tuple(sorted(map(tuple, side))) for three in threes for side in (three[:2], three[1:], three[::2])}
    edges = np.array([np.subtract(end, start) for start, end in sides])
    return Solid(at, normals, edges.reshape(-1, 3))
