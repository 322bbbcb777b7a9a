"""How wrong an answer is, without asking any algorithm of the core.

What is known for certain about two convex bodies: no direction n can make them closer than
`s(n) = min_B n·x - max_A n·x`, and no two points of them are nearer than the bodies are. So an answer about bodies
that are apart is enclosed by its own normal and its own witness points. Radii are taken off spheres and capsules first,
so that what overlaps by its radii alone is enclosed too.

A depth is enclosed from one side only: its own normal shows that it is at least deep enough to be one. That no other
direction is a shorter way out is tried: every face of Qhull's Minkowski difference where there is one, Coal's normal,
the direction the pair was built along, axes and their products, hundreds of others, and a climb from the best of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np
from msgspec.structs import replace
from scipy.optimize import brentq, nnls
from scipy.spatial import ConvexHull, QhullError

from core import (
    Analysis,
    Body,
    Box,
    Capsule,
    Cone,
    Cylinder,
    Ellipsoid,
    HalfSpace,
    Hull,
    Provenance,
    Rounded,
    Scene,
    Shape,
    Sphere,
    Verdict,
    analyse,
)
from tests.library_shapes import axes_there, shape_there
from tests.oracles import axes_of, offset_of, size_of

from .families import Posed

try:
    import coal
except ModuleNotFoundError:  # there is no wheel for Windows: one witness less
    coal = None

EPS = 2.220446049250313e-16
EXACT = 1e-12
"""What closed forms and SAT are to be good to, in units of L + |T|."""
CERTIFIED = 1e-9
"""What else is to be certified to, in units of L."""


@dataclass(frozen=True)
class Judgement:
    """Errors in units of L + |T|, gaps in units of L.

    `separation`: how far off the number is at most. `normal`: by how much the answer's own normal proves less than
    its number. `witness`: how far the witness points are off their bodies, or from being `separation` apart along the
    normal. `faults`: what is plainly wrong, in words.
    """

    provenance: Provenance | None
    gap: float
    separation: float
    normal: float
    witness: float
    deep: bool
    faults: tuple[str, ...]


def reaches(shape: Shape, directions: np.ndarray) -> np.ndarray:
    """How far a bounded shape extends along unit directions (k, 3) of its frame, by its definition."""
    across, up = np.hypot(directions[:, 0], directions[:, 2]), directions[:, 1]
    match shape:
        case Box(size):
            return np.abs(directions) @ np.array(size) / 2
        case Sphere(radius):
            return np.full(len(directions), radius)
        case Capsule(radius, length):
            return radius + np.abs(up) * length / 2
        case Cylinder(radius, height):
            return radius * across + np.abs(up) * height / 2
        case Cone(radius, height):
            return np.maximum(up * height / 2, radius * across - up * height / 2)
        case Ellipsoid(radii):
            return np.linalg.norm(np.array(radii) * directions, axis=1)
        case Hull(points):
            return (directions @ np.array(points).T).max(axis=1)
        case Rounded(sharp, border):
            return reaches(sharp, directions) + border
    raise TypeError(f"reaches is not told what a bounded {type(shape).__name__} is")


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
        case Hull(points):
            at = np.array(points)
            middle, unit = at.mean(axis=0), float(np.ptp(at, axis=0).max())
            planes = ConvexHull((at - middle) / unit).equations
            return max(0.0, float((planes[:, :3] @ ((p - middle) / unit) + planes[:, 3]).max()) * unit)
        case HalfSpace(normal, offset):
            return max(0.0, (float(np.dot(normal, p)) - offset) / float(np.linalg.norm(normal)))
        case Rounded(sharp, border):
            return max(0.0, beyond(sharp, p) - border)
    raise TypeError(f"beyond is not told what a {type(shape).__name__} is")


def _cored(body: Body) -> tuple[np.ndarray | None, float]:
    """Points (k, 3) about the body's position whose hull, grown by the radius, is the body; None if it has none."""
    match body.shape:
        case Sphere(radius):
            return np.zeros((1, 3)), radius
        case Capsule(radius, length):
            half = axes_of(body)[:, 1] * length / 2
            return np.array((-half, half)), radius
        case Box(size):
            signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
            return (signs * np.array(size) / 2) @ axes_of(body).T, 0.0
        case Hull(points):
            return np.array(points) @ axes_of(body).T, 0.0
        case Rounded(sharp, border):
            points, radius = _cored(replace(body, shape=sharp))
            return points, radius + border
    return None, 0.0


def _fibonacci(count: int) -> np.ndarray:
    k = np.arange(count) + 0.5
    y, turn = 1.0 - 2.0 * k / count, np.pi * (1.0 + 5.0**0.5) * k
    across = np.sqrt(1.0 - y * y)
    return np.column_stack((across * np.cos(turn), y, across * np.sin(turn)))


DIRECTIONS = _fibonacci(300)


class Pair:
    """Two bounded bodies as what any direction proves about them."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.offset = offset_of(scene)
        self.axes = axes_of(scene.a), axes_of(scene.b)

    def proves(self, normals: np.ndarray) -> np.ndarray:
        """`s(n)` for unit vectors (k, 3)."""
        a, b = self.scene.a.shape, self.scene.b.shape
        return normals @ self.offset - reaches(a, normals @ self.axes[0]) - reaches(b, -normals @ self.axes[1])

    def best(self, known: np.ndarray) -> float:
        """The largest `s(n)` that trying finds: directions (k, 3) that are known to be good, and many others."""
        rows = np.vstack((known, DIRECTIONS, *self._axis_directions(), self._faces(), self._of_coal()))
        sizes = np.linalg.norm(rows, axis=1)
        rows = rows[sizes > 0.0] / sizes[sizes > 0.0, None]
        proven = self.proves(rows)
        order = np.argsort(-proven)[:2]
        return max(float(proven[order[0]]), self._climb(rows[order], proven[order]))

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

    def _faces(self) -> np.ndarray:
        """Outward normals of the Minkowski difference A - B by Qhull, turned to point from A to B."""
        (on_a, _), (on_b, _) = _cored(self.scene.a), _cored(self.scene.b)
        if on_a is None or on_b is None or len(on_a) * len(on_b) < 8:
            return np.zeros((0, 3))
        points = (on_a[:, None] - on_b[None]).reshape(-1, 3)
        try:
            normals: np.ndarray = ConvexHull((points - points.mean(axis=0)) / np.abs(points).max()).equations[:, :3]
        except QhullError:
            return np.zeros((0, 3))
        return normals

    def _of_coal(self) -> np.ndarray:
        """Coal's normal, if it has one, and if there is a Coal."""
        if coal is None or any(isinstance(body.shape, Rounded) for body in (self.scene.a, self.scene.b)):
            return np.zeros((0, 3))
        bodies = self.scene.a, self.scene.b
        shapes = [shape_there(coal, body.shape) for body in bodies]
        places = np.zeros(3), self.offset
        frames = [coal.Transform3s(axes_there(body), at) for body, at in zip(bodies, places, strict=True)]
        result = coal.DistanceResult()
        try:
            coal.distance(shapes[0], frames[0], shapes[1], frames[1], coal.DistanceRequest(), result)
        except Exception:  # whatever a witness says of itself, there is none then
            return np.zeros((0, 3))
        normal = np.array(result.normal).reshape(1, 3)
        return normal if np.isfinite(normal).all() else np.zeros((0, 3))


@dataclass(frozen=True)
class _Truth:
    """The separation is in [lower, upper]; `own`: what the answer's normal proves; `deep`: upper is by trial."""

    lower: float
    upper: float
    own: float
    deep: bool


def _beyond_plane(found: Analysis) -> _Truth:
    """A half-space has one direction, and so one truth."""
    scene = found.scene
    first = isinstance(scene.a.shape, HalfSpace)
    solid, other = (scene.a, scene.b) if first else (scene.b, scene.a)
    assert isinstance(solid.shape, HalfSpace)
    size = float(np.linalg.norm(solid.shape.normal))
    out = axes_of(solid) @ np.array(solid.shape.normal) / size
    away = np.subtract(other.position, solid.position)
    reach = float(reaches(other.shape, (-out @ axes_of(other))[None])[0])
    exact = float(out @ away) - reach - solid.shape.offset / size
    turned = float(np.linalg.norm(found.normal - (out if first else -out)))
    return _Truth(exact, exact, exact - (turned if turned > 8 * EPS else 0.0), deep=False)


def _between(found: Analysis, direction: np.ndarray, place: float) -> _Truth:
    scene = found.scene
    pair = Pair(scene)
    known = np.vstack((found.normal, direction))
    own, built = (float(value) for value in pair.proves(known))
    radii = [_cored(body)[1] for body in (scene.a, scene.b)]
    if found.separation + sum(radii) > 0.0:
        ends = [
            _in_core(found.scene.a, found.witness_a),
            _in_core(found.scene.b, found.witness_b),
        ]
        upper = float(np.linalg.norm(ends[1][0] - ends[0][0])) - sum(radii) + ends[0][1] + ends[1][1]
        return _Truth(max(own, built), max(upper - 4.0 * place, own), own, deep=False)
    best = pair.best(known)
    return _Truth(best, best, own, deep=True)


def _in_core(body: Body, point: np.ndarray) -> tuple[np.ndarray, float]:
    """The core's point (3,) nearest a point of what has a radius, else the point; and how far it lies outside."""
    local = body.pose.to_local(point)
    match body.shape:
        case Sphere():
            return np.array(body.position), 0.0
        case Capsule(_, length):
            return body.pose.to_world(np.array((0.0, np.clip(local[1], -length / 2, length / 2), 0.0))), 0.0
        case Rounded(sharp):
            return body.pose.to_world(_nearest(sharp, local)), 0.0
    return point, beyond(body.shape, local)


def _nearest(shape: Shape, p: np.ndarray) -> np.ndarray:
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
            flat = _nearest_of_sides(corners, np.array((across, p[1])))
            return flat[0] * out + (0.0, flat[1], 0.0)
        case Ellipsoid(radii):
            squares = np.square(radii)
            reach = float(np.linalg.norm(np.array(radii) * p))
            t = brentq(lambda t: float(np.sum(squares * np.square(p / (t + squares)))) - 1.0, 0.0, reach, xtol=1e-300)
            return squares * p / (t + squares)
        case Hull(points):
            rows = np.array(points) - p
            size = float(np.abs(rows).max())
            # Of the sums of weights and of points the former counts a thousand times, and is made whole after.
            weights, _ = nnls(np.vstack((rows.T / size, np.full(len(rows), 1e3))), np.array((0.0, 0.0, 0.0, 1e3)))
            return p + weights @ rows / weights.sum()
    raise TypeError("what has a radius of its own has no border here")


def _nearest_of_sides(corners: np.ndarray, p: np.ndarray) -> np.ndarray:
    """The point of a triangle's sides (3, 2) nearest a point (2,) that is not inside."""
    sides = np.roll(corners, -1, axis=0) - corners
    along = np.clip(np.einsum("ij,ij->i", p - corners, sides) / np.einsum("ij,ij->i", sides, sides), 0.0, 1.0)
    places = corners + along[:, None] * sides
    nearest: np.ndarray = places[np.linalg.norm(places - p, axis=1).argmin()]
    return nearest


def _verdict_fault(found: Analysis, truth: _Truth, slack: float) -> str:
    band = max(found.band, found.certainty.gap)
    right = {
        Verdict.SEPARATED: truth.upper > -slack,
        Verdict.TOUCHING: truth.lower <= band + slack and truth.upper >= -band - slack,
        Verdict.OVERLAPPING: truth.lower < slack,
    }[found.verdict]
    return "" if right else f"{found.verdict} at a separation within [{truth.lower:.17g}, {truth.upper:.17g}]"


def _finite(found: Analysis) -> bool:
    numbers = [np.array((found.separation, found.certainty.gap, found.band)), found.normal, found.nearest]
    numbers += [found.witness_a, found.witness_b]
    numbers += [] if found.mtv is None else [found.mtv]
    if found.contacts is not None:
        numbers += [np.append(contact.position, contact.depth) for contact in found.contacts.contacts]
    return all(bool(np.isfinite(row).all()) for row in numbers)


def _witness_error(found: Analysis, place: float) -> float:
    between = found.witness_b - found.witness_a
    off = [
        beyond(body.shape, body.pose.to_local(point))
        for body, point in ((found.scene.a, found.witness_a), (found.scene.b, found.witness_b))
    ]
    apart = abs(float(np.linalg.norm(between)) - abs(found.separation))
    return max(0.0, max(*off, apart, abs(float(between @ found.normal) - found.separation)) - 4.0 * place)


def judge(posed: Posed) -> Judgement:
    """Analyses the scene and judges the answer."""
    scene = posed.scene
    try:
        found = analyse(scene)
    except Exception as error:
        return Judgement(None, 0.0, inf, inf, inf, False, (f"raised {type(error).__name__}: {error}",))
    larger = max(size_of(scene.a.shape), size_of(scene.b.shape))
    extent = larger + float(np.linalg.norm(offset_of(scene)))
    certainty = found.certainty
    if not _finite(found):
        return Judgement(certainty.provenance, inf, inf, inf, inf, False, ("not finite",))
    # A position is only good to its last place, and so are witness points that far out.
    place = 2.0 * EPS * float(np.abs((scene.a.position, scene.b.position)).max())
    flat = isinstance(scene.a.shape, HalfSpace) or isinstance(scene.b.shape, HalfSpace)
    truth = _beyond_plane(found) if flat else _between(found, posed.direction, place)
    separation = max(found.separation - truth.lower, truth.upper - found.separation)
    normal = max(0.0, found.separation - truth.own)
    witness = _witness_error(found, place)
    allowed = EXACT * extent + certainty.gap
    faults = [_verdict_fault(found, truth, EXACT * extent), *(f"disagreement: {it}" for it in found.disagreements)]
    for name, error in (("separation", separation), ("normal", normal), ("witness", witness)):
        if error > allowed:
            faults.append(f"{name} off by {error / extent:.3g} (L + |T|), gap {certainty.gap / extent:.3g}")
    if certainty.provenance is Provenance.CERTIFIED and certainty.gap > CERTIFIED * larger + EXACT * extent:
        faults.append(f"certified to {certainty.gap / larger:.3g} L only")
    return Judgement(
        certainty.provenance,
        certainty.gap / larger,
        max(0.0, separation) / extent,
        normal / extent,
        witness / extent,
        truth.deep,
        tuple(fault for fault in faults if fault),
    )
