"""What contacts are held against, by other means: polygons clipped side by side, Qhull, and each surface's own formula.

Nothing here uses the core's algorithms: only the numbers of a scene.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial import ConvexHull, QhullError
from scipy.spatial.transform import Rotation

from core.scene import Body
from core.shapes import Box, Hull
from tests.shape_truths import CORNERS, truth_of


def matrix_of(body: Body) -> np.ndarray:
    """The body's axes as columns (3, 3)."""
    return Rotation.from_quat(body.rotation, scalar_first=True).as_matrix()


def vertices_of(body: Body) -> np.ndarray:
    """A box's or hull's vertices (k, 3), world."""
    match body.shape:
        case Box(size):
            local = CORNERS * (np.array(size) / 2)
        case Hull(points):
            local = np.array(points)
        case _:
            raise TypeError(body.shape)
    return local @ matrix_of(body).T + np.array(body.position)


def off_surface(body: Body, point: np.ndarray) -> float:
    """About how far a world point is from the body's surface; negative inside. 0 on it exactly, else to first order."""
    p = matrix_of(body).T @ (point - np.array(body.position))
    return truth_of(body.shape).height(p)


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
