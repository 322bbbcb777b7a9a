"""What contacts are held against, by other means: polygons clipped side by side, Qhull, and each surface's own formula.

Nothing here uses the core's algorithms: only the numbers of a scene.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial import ConvexHull, QhullError
from scipy.spatial.transform import Rotation

from core.scene import Body
from core.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Rounded, Sphere
from tests.bench.definitions import beyond, nearest, surface_of

CORNERS = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])


def matrix_of(body: Body) -> np.ndarray:
    """The body's axes as columns (3, 3)."""
    return Rotation.from_quat(body.rotation, scalar_first=True).as_matrix()


def vertices_of(body: Body) -> np.ndarray:
    """A box's or hull's vertices (k, 3), world."""
    match body.shape:
        case Box(size):
            local = CORNERS * np.array(size)
        case Hull(points):
            local = np.array(points)
        case _:
            raise TypeError(body.shape)
    return local @ matrix_of(body).T + np.array(body.position)


def off_surface(body: Body, point: np.ndarray) -> float:
    """About how far a world point is from the body's surface; negative inside. 0 on it exactly, else to first order."""
    p = matrix_of(body).T @ (point - np.array(body.position))
    x, y, z = p
    rho = np.hypot(x, z)
    match body.shape:
        case Box(size):
            out = np.abs(p) - np.array(size) / 2
            return float(np.linalg.norm(np.maximum(out, 0.0)) + min(out.max(), 0.0))
        case Sphere(radius):
            return float(np.linalg.norm(p) - radius)
        case Capsule(radius, length):
            return float(np.linalg.norm(p - (0.0, np.clip(y, -length / 2, length / 2), 0.0)) - radius)
        case Cylinder(radius, height):
            out = np.array((rho - radius, abs(y) - height / 2))
            return float(np.linalg.norm(np.maximum(out, 0.0)) + min(out.max(), 0.0))
        case Cone(radius, height):
            slant = np.hypot(radius, height)
            side = (rho * height + (y - height / 2) * radius) / slant
            return float(max(side, -y - height / 2))
        case Ellipsoid(radii):
            r = np.array(radii)
            scaled = p / r
            if not scaled.any():
                return float(-r.min())
            # To first order; but nothing inside is farther from the surface than the smallest radius.
            first = (np.linalg.norm(scaled) - 1.0) / np.linalg.norm(scaled / r) * np.linalg.norm(scaled)
            return float(max(first, -r.min()))
        case HalfSpace(normal, offset):
            n = np.array(normal)
            return float((p @ n - offset) / np.linalg.norm(n))
        case Hull():
            planes = surface_of(body.shape).planes
            if planes is None:
                return float(np.linalg.norm(nearest(body.shape, p) - p))
            return float((planes[:, :3] @ p + planes[:, 3]).max())
        case Rounded(sharp, border):
            if beyond(sharp, p) > 0.0:
                return float(np.linalg.norm(nearest(sharp, p) - p)) - border
            return off_surface(Body(sharp, body.position, body.rotation), point) - border
    raise TypeError(body.shape)


def across(normal: np.ndarray) -> np.ndarray:
    """Two unit directions (2, 3) across a normal."""
    u = np.cross(normal, np.eye(3)[int(np.argmin(np.abs(normal)))])
    u /= np.linalg.norm(u)
    return np.array((u, np.cross(normal, u)))


def hull_polygon(points: np.ndarray) -> np.ndarray:
    """The convex hull (k, 2) of points of the plane, counter-clockwise; none of points on a line."""
    try:
        hull = ConvexHull(points)
    except (QhullError, ValueError):
        return np.zeros((0, 2))
    return points[hull.vertices]


def area(polygon: np.ndarray) -> float:
    """The area of a polygon (k, 2), counter-clockwise."""
    if len(polygon) < 3:
        return 0.0
    x, y = (polygon - polygon[0]).T
    return float(0.5 * (x @ np.roll(y, -1) - y @ np.roll(x, -1)))


def intersection(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """What two convex polygons (k, 2), counter-clockwise, share: the first cut by each side of the second."""
    out = list(first)
    for p, q in zip(second, np.roll(second, -1, axis=0), strict=True):
        way = q - p
        heights = [way[1] * (r - p)[0] - way[0] * (r - p)[1] for r in out]
        kept = []
        for k, (r, height) in enumerate(zip(out, heights, strict=True)):
            after, other = out[(k + 1) % len(out)], heights[(k + 1) % len(out)]
            if height <= 0.0:
                kept.append(r)
            if (height < 0.0 < other) or (other < 0.0 < height):
                kept.append(r + height / (height - other) * (after - r))
        out = kept
    return np.array(out).reshape(-1, 2)


def contact_area(positions: np.ndarray, normal: np.ndarray) -> float:
    """The area of the contacts' hull, seen along the normal."""
    if len(positions) < 3:
        return 0.0
    return area(hull_polygon(positions @ across(normal).T))


def faces_overlap(a: Body, b: Body, normal: np.ndarray, level: float) -> float:
    """The area that the two bodies' outermost layers, `level` thick along the normal, share as seen along it."""
    shadows = []
    for body, way in ((a, normal), (b, -normal)):
        vertices = vertices_of(body)
        heights = vertices @ way
        shadows.append(hull_polygon(vertices[heights >= heights.max() - level] @ across(normal).T))
    return area(intersection(*shadows))
