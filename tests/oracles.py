"""Answers to the core's questions by other means, as slow and as plain as they come.

Nothing here uses the core's algorithms: only the numbers of a scene. Rotations come from scipy, vertices from eight
sums, distances from least squares or from every pair of features, the difference from Qhull.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
from scipy.optimize import lsq_linear
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

from core.scene import Body, Scene
from core.shapes import Box, HalfSpace, Sphere
from tests.shape_truths import CORNERS, truth_of


def axes_of(body: Body) -> np.ndarray:
    """The body's axes as columns (3, 3)."""
    return _turned(body.rotation)


@lru_cache(maxsize=256)
def _turned(rotation: tuple[float, float, float, float]) -> np.ndarray:
    """Kept, as scipy takes a tenth of a millisecond and the same bodies are asked about again and again."""
    matrix = Rotation.from_quat(rotation, scalar_first=True).as_matrix()
    matrix.flags.writeable = False
    return matrix


def offset_of(scene: Scene) -> np.ndarray:
    """B's position relative to A's, (3,)."""
    return np.subtract(scene.b.position, scene.a.position)


def farthest(scene: Scene) -> float:
    """The largest coordinate that places a body, or how far the plane of a half-space is from its body's position."""
    planes = (body.shape for body in (scene.a, scene.b) if isinstance(body.shape, HalfSpace))
    offsets = [abs(plane.offset) / float(np.linalg.norm(plane.normal)) for plane in planes]
    return max(float(np.abs((scene.a.position, scene.b.position)).max()), *offsets, 0.0)


def vertices_of(body: Body, about: np.ndarray) -> np.ndarray:
    """The box's corners (8, 3) about a centre."""
    assert isinstance(body.shape, Box)
    return about + (CORNERS * (np.array(body.shape.size) / 2)) @ axes_of(body).T


def corners_of(scene: Scene) -> tuple[np.ndarray, np.ndarray]:
    """Both boxes' corners relative to A's position."""
    return vertices_of(scene.a, np.zeros(3)), vertices_of(scene.b, offset_of(scene))


def extent_of(scene: Scene) -> float:
    """L + |T|: what tolerances are measured by."""
    return max(truth_of(scene.a.shape).size(), truth_of(scene.b.shape).size()) + float(np.linalg.norm(offset_of(scene)))


def shadow_distance(scene: Scene, starts: int = 8, rounds: int = 11) -> float:
    """Largest signed separation over directions: an even spread, then ever closer about each of the best ones.

    A lower bound of the distance and of minus the depth; both are maxima over all directions.
    """
    k = np.arange(500) + 0.5
    height, turn = 1.0 - k / 250.0, np.pi * (1.0 + 5.0**0.5) * k
    ring = np.sqrt(1.0 - height * height)
    spread = np.concatenate(
        (np.stack((ring * np.cos(turn), height, ring * np.sin(turn)), axis=1), np.eye(3), -np.eye(3))
    )
    ranked = spread[np.argsort(-support_gaps(scene, spread))]
    rng, chosen = np.random.default_rng(5), ranked[:1]
    for direction in ranked[1:]:
        if len(chosen) < starts and (chosen @ direction).max() < 0.97:
            chosen = np.vstack((chosen, direction))
    return max(_climbed(scene, direction, rng, rounds) for direction in chosen)


def _climbed(scene: Scene, start: np.ndarray, rng: np.random.Generator, rounds: int) -> float:
    """The best separation found near a direction."""
    best, found = start, support_gap(scene, start)
    for step in 0.2 * 0.5 ** np.arange(rounds):
        around = best + step * rng.normal(size=(24, 3))
        around /= np.linalg.norm(around, axis=1)[:, None]
        gaps = support_gaps(scene, around)
        if gaps.max() > found:
            found, best = float(gaps.max()), around[int(gaps.argmax())]
    return found


def gap_along(scene: Scene, axis: np.ndarray) -> float:
    """Signed separation of two boxes on a unit axis, by projecting all sixteen corners."""
    on_a, on_b = (corners @ axis for corners in corners_of(scene))
    return float(max(on_b.min() - on_a.max(), on_a.min() - on_b.max()))


def support_gap(scene: Scene, normal: np.ndarray) -> float:
    """`min_B n·x - max_A n·x`: what the direction proves about the pair."""
    return float(support_gaps(scene, np.asarray(normal)[None])[0])


def support_gaps(scene: Scene, normals: np.ndarray) -> np.ndarray:
    """The same for many directions, (n, 3)."""
    on_a = truth_of(scene.a.shape).reaches(normals @ axes_of(scene.a))
    on_b = truth_of(scene.b.shape).reaches(-normals @ axes_of(scene.b))
    return normals @ offset_of(scene) - (on_a + on_b)


def brute_force_sat(scene: Scene) -> float:
    """Largest signed separation of two boxes over every face normal and every one of the 144 edge pairs."""
    lines = [(corner, corner ^ bit) for corner in range(8) for bit in (1, 2, 4) if not corner & bit]
    axes = [*axes_of(scene.a).T, *axes_of(scene.b).T]
    at_a, at_b = corners_of(scene)
    for (a0, a1), (b0, b1) in product(lines, lines):
        along_a, along_b = at_a[a1] - at_a[a0], at_b[b1] - at_b[b0]
        axis = np.cross(along_a, along_b)
        size = np.linalg.norm(axis)
        # The plain product has lost its digits below this; the faces that stand in are tried as well.
        if size > 1e-7 * np.linalg.norm(along_a) * np.linalg.norm(along_b):
            axes.append(axis / size)
    rows = np.array(axes)
    on_a, on_b = rows @ at_a.T, rows @ at_b.T
    return float(np.maximum(on_b.min(1) - on_a.max(1), on_a.min(1) - on_b.max(1)).max())


def least_squares_distance(scene: Scene) -> float:
    """Distance of two boxes by bounded least squares over a point of each; 0 when they meet."""
    half_a, half_b = (np.array(body.shape.size) / 2 for body in (scene.a, scene.b) if isinstance(body.shape, Box))
    spans = np.hstack((-axes_of(scene.a) * half_a, axes_of(scene.b) * half_b))
    solution = lsq_linear(spans, -offset_of(scene), bounds=(-1.0, 1.0), method="bvls", tol=1e-15)
    return float(np.linalg.norm(spans @ solution.x + offset_of(scene)))


def feature_distance(scene: Scene) -> float:
    """Distance of two separated boxes from every vertex against the other box and every pair of edges."""
    at_a, at_b = corners_of(scene)
    best = min(
        _points_to_box(at_b, scene.a, np.zeros(3)),
        _points_to_box(at_a, scene.b, offset_of(scene)),
    )
    lines = [(corner, corner ^ bit) for corner in range(8) for bit in (1, 2, 4) if not corner & bit]
    start_a, end_a = at_a[[i for i, _ in lines]], at_a[[j for _, j in lines]]
    start_b, end_b = at_b[[i for i, _ in lines]], at_b[[j for _, j in lines]]
    pairs = list(product(range(12), range(12)))
    rows_a, rows_b = [i for i, _ in pairs], [j for _, j in pairs]
    return min(best, _segments(start_a[rows_a], end_a[rows_a], start_b[rows_b], end_b[rows_b]))


def _points_to_box(points: np.ndarray, body: Body, centre: np.ndarray) -> float:
    assert isinstance(body.shape, Box)
    local = (points - centre) @ axes_of(body)
    beyond = np.abs(local) - np.array(body.shape.size) / 2
    return float(np.linalg.norm(np.maximum(beyond, 0.0), axis=1).min())


def _segments(p0: np.ndarray, p1: np.ndarray, q0: np.ndarray, q1: np.ndarray) -> float:
    """Least distance over pairs of segments: inner minimum of the two lines, clamped alternately to a fixed point."""
    d, e, r = p1 - p0, q1 - q0, p0 - q0
    dd, ee, de = (d * d).sum(1), (e * e).sum(1), (d * e).sum(1)
    dr, er = (d * r).sum(1), (e * r).sum(1)
    determinant = dd * ee - de * de
    parallel = determinant <= 1e-14 * dd * ee
    s = np.where(parallel, 0.5, (de * er - ee * dr) / np.where(parallel, 1.0, determinant)).clip(0.0, 1.0)
    for _ in range(60):
        t = ((de * s + er) / ee).clip(0.0, 1.0)
        s = ((de * t - dr) / dd).clip(0.0, 1.0)
    return float(np.linalg.norm(r + s[:, None] * d - t[:, None] * e, axis=1).min())


@dataclass(frozen=True)
class Hull:
    """Convex hull of the 64 differences of two boxes' corners, by Qhull with coplanar facets left apart.

    `planes` (f, 4): outward unit normals and offsets with `n·p + d <= 0` inside. `corners` (v, 3).
    """

    planes: np.ndarray
    corners: np.ndarray
    volume: float

    @property
    def depth(self) -> float:
        """Distance of the origin from the nearest plane, from inside; negative outside."""
        return float((-self.planes[:, 3]).min())


def hull_of_differences(scene: Scene) -> Hull:
    """Qhull's answer, computed about the difference's own centre and at unit size for its tolerances' sake."""
    at_a, at_b = corners_of(scene)
    points = (at_a[:, None, :] - at_b[None, :, :]).reshape(-1, 3)
    middle, size = points.mean(axis=0), np.abs(points - points.mean(axis=0)).max()
    hull = ConvexHull((points - middle) / size)
    planes = hull.equations.copy()
    planes[:, 3] = planes[:, 3] * size - planes[:, :3] @ middle
    return Hull(planes, points[hull.vertices], float(hull.volume * size**3))


def sphere_box_distance(scene: Scene) -> float:
    """Signed distance of a sphere (either body) and a box, from six slabs."""
    boxed, ball = (scene.a, scene.b) if isinstance(scene.a.shape, Box) else (scene.b, scene.a)
    assert isinstance(boxed.shape, Box)
    assert isinstance(ball.shape, Sphere)
    local = np.subtract(ball.position, boxed.position) @ axes_of(boxed)
    beyond = np.abs(local) - np.array(boxed.shape.size) / 2
    outside = float(np.linalg.norm(np.maximum(beyond, 0.0)))
    return (outside if (beyond > 0.0).any() else float(beyond.max())) - ball.shape.radius
