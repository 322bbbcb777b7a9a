"""How deep two bodies overlap, without the core: the best of all directions, and a proof that none is better.

With C = A - B about the origin, no direction n shows less depth than the true one: h(n) = max_C n·x is the depth by n.
Bodies whose cores have corners have a finite family of which one is best: the normals of both, and all products of
their edges. Of round ones the best is found by trial, and enclosed from inside: points of C span a polytope whose
nearest face is no deeper than C is; where it has a face nearer than the best direction, C's farthest point along that
face's normal makes it larger, until the two meet. Qhull builds it.
"""

from __future__ import annotations

from math import inf

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from core import Body, Hull, Rounded, Scene, Shape
from tests.library_shapes import axes_there, shape_there
from tests.oracles import axes_of, offset_of
from tests.shape_truths import LONG, surface_of, truth_of

try:
    import coal
except ModuleNotFoundError:  # there is no wheel for Windows: one witness less
    coal = None

EPS = 2.220446049250313e-16
ROUNDS, MOST_POINTS, AT_ONCE = 30, 1500, 100
"""Of the polytope that grows: how often, to how many points, and how many at once."""
NEARLY_PARALLEL = 1e-2
"""The sine below which a product of two edges is taken in long doubles: a double's has lost two digits there."""


def _fibonacci(count: int) -> np.ndarray:
    k = np.arange(count) + 0.5
    y, turn = 1.0 - 2.0 * k / count, np.pi * (1.0 + 5.0**0.5) * k
    across = np.sqrt(1.0 - y * y)
    return np.column_stack((across * np.cos(turn), y, across * np.sin(turn)))


DIRECTIONS = _fibonacci(300)


def _matrix(body: Body) -> np.ndarray:
    """The body's axes as columns (3, 3), in long doubles."""
    w, x, y, z = np.array(body.rotation, LONG) / np.sqrt(np.sum(np.array(body.rotation, LONG) ** 2))
    return np.array(
        (
            (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
        )
    )


class Pair:
    """Two bounded bodies as what any direction proves about them."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.offset = offset_of(scene)
        self.axes = axes_of(scene.a), axes_of(scene.b)
        self.radius = truth_of(scene.a.shape).radius() + truth_of(scene.b.shape).radius()

    def proves(self, normals: np.ndarray) -> np.ndarray:
        """`s(n)` for unit vectors (k, 3)."""
        a, b = self.scene.a.shape, self.scene.b.shape
        on_a, on_b = truth_of(a).reaches(normals @ self.axes[0]), truth_of(b).reaches(-normals @ self.axes[1])
        return normals @ self.offset - on_a - on_b

    def best(self, known: np.ndarray) -> tuple[float, bool]:
        """The largest `s(n)`, known directions (k, 3) included; whether no other direction could be better."""
        start = float(self.proves(known).max())
        corners = self._of_corners()
        if corners is not None:
            return max(start, corners), True
        rows = np.vstack((known, DIRECTIONS, *self._axis_directions(), self._of_coal()))
        sizes = np.linalg.norm(rows, axis=1)
        rows = rows[sizes > 0.0] / sizes[sizes > 0.0, None]
        proven = self.proves(rows)
        order = np.argsort(-proven)[:2]
        return max(float(proven[order[0]]), self._climb(rows[order], proven[order])), False

    def enclosed(self, best: float, known: np.ndarray, within: float) -> tuple[float, float]:
        """Where the separation surely lies, given one that a direction proves: [lower, upper], `within` if it can.

        The radii are left out of the polytope and put on again: of cores that overlap by themselves only.
        """
        rows = np.vstack((known, DIRECTIONS[::6], *self._axis_directions()))
        rows = rows[(sizes := np.linalg.norm(rows, axis=1)) > 0.0] / sizes[sizes > 0.0, None]
        points, upper = self._difference(rows), inf
        for _ in range(ROUNDS):
            faces = _faces(points)
            if faces is None or len(points) > MOST_POINTS:
                break
            normals, offsets = faces
            upper = min(upper, -float(offsets.min()) - self.radius)
            nearer = np.argsort(offsets)[:AT_ONCE]
            nearer = nearer[offsets[nearer] + self.radius < -best - 0.1 * within]
            if upper - best <= within or not len(nearer):
                break
            best = max(best, float(self.proves(normals[nearer]).max()))
            points = np.vstack((points, self._difference(normals[nearer])))
        return best, upper

    def _difference(self, normals: np.ndarray) -> np.ndarray:
        """The points of the cores' A - B that are farthest along unit normals (k, 3)."""
        on_a = truth_of(self.scene.a.shape).farthest(normals @ self.axes[0]) @ self.axes[0].T
        on_b = truth_of(self.scene.b.shape).farthest(-normals @ self.axes[1]) @ self.axes[1].T
        return on_a - on_b - self.offset

    def _of_corners(self) -> float | None:
        """The largest `s(n)` of two bodies whose cores have corners; None of others."""
        solids = [truth_of(body.shape).solid() for body in (self.scene.a, self.scene.b)]
        if solids[0] is None or solids[1] is None:
            return None
        turns = [_matrix(body) for body in (self.scene.a, self.scene.b)]
        edges = [_unit(it.edges @ turn.T) for it, turn in zip(solids, turns, strict=True) if it is not None]
        faces = [_unit(it.normals @ turn.T) for it, turn in zip(solids, turns, strict=True) if it is not None]
        # What has no faces has every direction across its edges; a point beside a segment, too.
        across = [np.cross(edges[k][:, None], np.eye(3)).reshape(-1, 3) for k in (0, 1)]
        rows = np.vstack((*faces, _products(*edges), *across, np.cross(np.vstack(edges), self.offset)))
        normals = _unit(rows).astype(float)
        on_a, on_b = ((it.points @ turn.T).astype(float) for it, turn in zip(solids, turns, strict=True))
        along_a, along_b, apart = normals @ on_a.T, normals @ on_b.T, normals @ self.offset
        one_way = apart - along_a.max(axis=1) + along_b.min(axis=1)
        other_way = -apart + along_a.min(axis=1) - along_b.max(axis=1)
        return max(float(one_way.max(initial=-inf)), float(other_way.max(initial=-inf))) - self.radius

    def _climb(self, rows: np.ndarray, proven: np.ndarray) -> float:
        """From each of rows (k, 3) uphill, with steps that shrink to rounding."""
        step, least = 0.1, EPS * float(np.abs(proven).max())
        turns = 2.0 * np.pi * np.arange(6) / 6
        helper = np.where(np.abs(rows[:, :1]) < 0.6, (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
        for _ in range(60):
            u = np.cross(rows, helper)
            u /= np.linalg.norm(u, axis=1)[:, None]
            v = np.cross(rows, u)
            around = np.cos(turns)[None, :, None] * u[:, None] + np.sin(turns)[None, :, None] * v[:, None]
            tried = rows[:, None] + step * around
            tried /= np.linalg.norm(tried, axis=2)[:, :, None]
            values = self.proves(tried.reshape(-1, 3)).reshape(tried.shape[:2])
            best = values.argmax(axis=1)
            found = values[np.arange(len(rows)), best]
            better = found > proven + least
            rows = np.where(better[:, None], tried[np.arange(len(rows)), best], rows)
            proven = np.where(better, found, proven)
            if not better.any():
                step *= 0.25
                if step < 1e-9:
                    break
        return float(proven.max())

    def _axis_directions(self) -> tuple[np.ndarray, ...]:
        a, b = self.axes[0].T, self.axes[1].T
        products = np.cross(a[:, None], b[None]).reshape(-1, 3)
        across = np.cross(np.vstack((a, b)), self.offset)
        rows = np.vstack((a, b, products, across, self.offset[None]))
        return rows, -rows

    def _of_coal(self) -> np.ndarray:
        """Coal's normal, if it has one, and if there is a Coal."""
        bodies = self.scene.a, self.scene.b
        if coal is None or not all(_known_to_coal(body.shape) for body in bodies):
            return np.zeros((0, 3))
        places = np.zeros(3), self.offset
        frames = [coal.Transform3s(axes_there(body), at) for body, at in zip(bodies, places, strict=True)]
        result = coal.DistanceResult()
        try:
            shapes = [shape_there(coal, body.shape) for body in bodies]
            coal.distance(shapes[0], frames[0], shapes[1], frames[1], coal.DistanceRequest(), result)
        except Exception:  # whatever a witness says of itself, there is none then
            return np.zeros((0, 3))
        normal = np.array(result.normal).reshape(1, 3)
        return normal if np.isfinite(normal).all() else np.zeros((0, 3))


def _known_to_coal(shape: Shape) -> bool:
    """It has no borders, and is ended by flat hulls, the whole process with it."""
    return not isinstance(shape, Rounded) and (not isinstance(shape, Hull) or surface_of(shape).planes is not None)


def _unit(rows: np.ndarray) -> np.ndarray:
    """The rows (k, 3) that are not 0, with length 1."""
    largest = np.abs(rows).max(axis=1, initial=0.0)
    rows = rows[largest > 0.0] / largest[largest > 0.0, None]
    return rows / np.sqrt((rows * rows).sum(axis=1))[:, None]


def _products(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """The products (k, 3) of all pairs of unit rows."""
    rows = np.cross(first[:, None].astype(float), second[None].astype(float)).reshape(-1, 3)
    near = np.flatnonzero((rows * rows).sum(axis=1) < NEARLY_PARALLEL**2)
    rows[near] = _unit_or_none(np.cross(first[near // len(second)], second[near % len(second)]))
    return rows


def _unit_or_none(rows: np.ndarray) -> np.ndarray:
    """The rows (k, 3) with length 1; those of 0 stay."""
    sizes = np.sqrt((rows * rows).sum(axis=1))
    return rows / np.where(sizes > 0.0, sizes, 1.0)[:, None]


def _faces(points: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Unit normals (f, 3) and offsets (f,) of the hull of points, by Qhull; None of what it takes for flat.

    It is built of points that are as long as wide as high, since Qhull's tolerance is the same in all directions.
    """
    middle = points.mean(axis=0)
    _, sizes, frame = np.linalg.svd(points - middle, full_matrices=False)
    if sizes[-1] <= 4.0 * EPS * sizes[0]:
        return None
    try:
        equations = ConvexHull((points - middle) @ frame.T / sizes).equations
    except QhullError:
        return None
    normals = (equations[:, :3] / sizes) @ frame
    lengths = np.linalg.norm(normals, axis=1)
    return normals / lengths[:, None], normals @ middle / lengths - equations[:, 3] / lengths
