"""What each shape is by its definition alone, one record each: extent, surface, corners, examples.

Nothing here uses the core's algorithms: points and numbers of a shape's frame go in, and Qhull says which points are
corners. Whatever judges an answer asks `truth_of`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from typing import Any, Generic, TypeVar

import numpy as np
from scipy.optimize import brentq
from scipy.spatial import ConvexHull, QhullError

from core.shapes import (
    Box,
    Capsule,
    Circle,
    Cone,
    Cylinder,
    Ellipsoid,
    HalfSpace,
    Hull,
    Polygon,
    Rounded,
    Shape,
    Sphere,
)

CORNERS = np.array(list(product((-1.0, 1.0), repeat=3)))
"""The corners (8, 3) of the box of half sizes 1."""
LONG = np.longdouble
WORLD_AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))

Draw = Callable[[], float]
"""Draws one random size."""
S = TypeVar("S", bound=Shape)


THIRD = 1.0 / 3.0
NONE = np.zeros((0, 3), LONG)
"""No directions."""


def triple(values: Any) -> tuple[float, float, float]:
    """Three numbers as a tuple of floats."""
    x, y, z = (float(v) for v in values)
    return x, y, z


@dataclass(frozen=True)
class Solid:
    """A core with corners, in its frame, in long doubles: corners (k, 3), directions across faces and along edges."""

    points: np.ndarray
    normals: np.ndarray
    edges: np.ndarray


def _along(axis: int, factor: float) -> np.ndarray:
    """Factors (3,) of the lengths along x, y and z: `factor` along one axis, 1 along the others."""
    return np.where(np.arange(3) == axis, factor, 1.0)


def _from_slabs(out: np.ndarray) -> float:
    """Signed distance from a box or cylinder, by how far a point is outside each of its slabs."""
    return float(np.linalg.norm(np.maximum(out, 0.0)) + min(out.max(), 0.0))


def _about(directions: np.ndarray) -> np.ndarray:
    """Unit directions (k, 3) at right angles to y, nearest those given; zero for a direction along y."""
    across = np.hypot(directions[:, 0], directions[:, 2])
    return directions * (1.0, 0.0, 1.0) / np.where(across > 0.0, across, 1.0)[:, None]


def _end(directions: np.ndarray) -> np.ndarray:
    """The end (k, 3) of the segment of length 1 along y that is farthest along each direction."""
    return np.where(directions[:, 1:2] >= 0.0, (0.0, 0.5, 0.0), (0.0, -0.5, 0.0))


def _across(point: np.ndarray) -> tuple[float, np.ndarray]:
    """A point's distance from the y axis, and the unit direction (3,) away from it."""
    across = float(np.hypot(point[0], point[2]))
    return across, np.array((point[0], 0.0, point[2])) / across if across > 0.0 else np.array((1.0, 0.0, 0.0))


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


@lru_cache(maxsize=64)
def _solid_hull(hull: Hull) -> Solid:
    """The corners, face normals and edges of a hull."""
    surface = surface_of(hull)
    threes = surface.triangles.astype(LONG)
    normals = np.cross(threes[:, 1] - threes[:, 0], threes[:, 2] - threes[:, 0])
    if surface.planes is not None:
        # Where noise has made slivers, the plane of their neighbours stands for them.
        normals = np.vstack((normals, surface.planes[:, :3]))
    sides = {tuple(sorted(map(tuple, side))) for three in threes for side in (three[:2], three[1:], three[::2])}
    edges = np.array([np.subtract(end, start) for start, end in sides])
    return Solid(np.array(hull.points, LONG), normals, edges.reshape(-1, 3))


class ShapeTruth(Generic[S]):
    """What a shape is. Points and directions are of its frame; each subclass is the record of one kind of shape."""

    kind: str
    """The shape's name in files."""
    example: Shape
    """One of the kind, with numbers that no few digits tell."""

    def __init__(self, shape: S) -> None:
        self.shape = shape

    def size(self) -> float:
        """Radius of the smallest ball about the body's position that holds the shape; 0 for a half-space."""
        raise NotImplementedError

    def reaches(self, directions: np.ndarray) -> np.ndarray:
        """How far the shape extends along unit directions (n, 3): (n,)."""
        raise NotImplementedError

    def reach(self, direction: np.ndarray) -> float:
        """How far the shape extends along one unit direction (3,)."""
        return float(self.reaches(direction[None])[0])

    def height(self, point: np.ndarray) -> float:
        """Signed distance of a point (3,) from the surface, negative inside.

        Exact on the surface and to first order elsewhere; outside at most the distance.
        """
        raise NotImplementedError

    def beyond(self, point: np.ndarray) -> float:
        """At least how far a point (3,) lies outside; 0 inside."""
        return max(0.0, self.height(point))

    def radius(self) -> float:
        """The radius that the shape keeps apart from its core: all of a sphere, a capsule's, a border's; else 0."""
        return 0.0

    def farthest(self, directions: np.ndarray) -> np.ndarray:
        """The points (k, 3) of the shape less its radius that are farthest along unit directions (k, 3)."""
        raise NotImplementedError

    def nearest(self, point: np.ndarray) -> np.ndarray:
        """The point (3,) of a shape without a radius that is nearest a point (3,) outside of it."""
        raise NotImplementedError

    def solid(self) -> Solid | None:
        """The shape less its radius, where that has corners."""
        return None

    def scaled(self, factor: float) -> Shape:
        """The shape with every length multiplied."""
        raise NotImplementedError

    def stretched(self, axis: int, factor: float) -> Shape:
        """The shape with its length along one axis multiplied, or the one length that its kind can stretch."""
        return self.scaled(factor)

    @classmethod
    def random(cls, rng: np.random.Generator) -> Shape:
        """One of the kind, about 0.1 to 3 in size."""
        raise NotImplementedError

    @classmethod
    def drawn(cls, rng: np.random.Generator, draw: Draw) -> Shape:
        """One of the kind with each size from `draw`. Raises ValueError if a hull's points happen to be flat."""
        raise NotImplementedError


class BoxTruth(ShapeTruth[Box]):
    kind = "box"
    example = Box((0.1, 0.2, THIRD))

    def size(self) -> float:
        return float(np.linalg.norm(self.shape.size)) / 2

    def reaches(self, directions: np.ndarray) -> np.ndarray:
        return np.abs(directions) @ np.array(self.shape.size) / 2

    def height(self, point: np.ndarray) -> float:
        return _from_slabs(np.abs(point) - np.array(self.shape.size) / 2)

    def farthest(self, directions: np.ndarray) -> np.ndarray:
        return np.where(directions >= 0.0, 0.5, -0.5) * self.shape.size

    def nearest(self, point: np.ndarray) -> np.ndarray:
        half = np.array(self.shape.size) / 2
        return np.clip(point, -half, half)

    def solid(self) -> Solid:
        return Solid(CORNERS * (np.array(self.shape.size, LONG) / 2), np.eye(3, dtype=LONG), np.eye(3, dtype=LONG))

    def scaled(self, factor: float) -> Box:
        return Box(triple(np.multiply(self.shape.size, factor)))

    def stretched(self, axis: int, factor: float) -> Box:
        return Box(triple(self.shape.size * _along(axis, factor)))

    @classmethod
    def random(cls, rng: np.random.Generator) -> Box:
        return Box(triple(rng.uniform(0.2, 3.0, 3)))

    @classmethod
    def drawn(cls, rng: np.random.Generator, draw: Draw) -> Box:
        return Box((draw(), draw(), draw()))


class SphereTruth(ShapeTruth[Sphere]):
    kind = "sphere"
    example = Sphere(0.1)

    def size(self) -> float:
        return self.shape.radius

    def reaches(self, directions: np.ndarray) -> np.ndarray:
        return np.full(len(directions), self.shape.radius)

    def height(self, point: np.ndarray) -> float:
        return float(np.linalg.norm(point)) - self.shape.radius

    def radius(self) -> float:
        return self.shape.radius

    def farthest(self, directions: np.ndarray) -> np.ndarray:
        return np.zeros_like(directions)

    def solid(self) -> Solid:
        return Solid(np.zeros((1, 3), LONG), NONE, NONE)

    def scaled(self, factor: float) -> Sphere:
        return Sphere(self.shape.radius * factor)

    @classmethod
    def random(cls, rng: np.random.Generator) -> Sphere:
        return Sphere(float(rng.uniform(0.2, 1.5)))

    @classmethod
    def drawn(cls, rng: np.random.Generator, draw: Draw) -> Sphere:
        return Sphere(0.5 * draw())


class CircleTruth(SphereTruth):
    """A circle of the plane, by the sphere with its radius."""

    kind = "circle"

    def scaled(self, factor: float) -> Circle:
        return Circle(self.shape.radius * factor)


class CapsuleTruth(ShapeTruth[Capsule]):
    kind = "capsule"
    example = Capsule(0.1, THIRD)

    def size(self) -> float:
        return self.shape.radius + self.shape.length / 2

    def reaches(self, directions: np.ndarray) -> np.ndarray:
        return self.shape.radius + np.abs(directions[:, 1]) * self.shape.length / 2

    def height(self, point: np.ndarray) -> float:
        past = max(abs(point[1]) - self.shape.length / 2, 0.0)
        return float(np.hypot(np.hypot(point[0], point[2]), past)) - self.shape.radius

    def radius(self) -> float:
        return self.shape.radius

    def farthest(self, directions: np.ndarray) -> np.ndarray:
        return self.shape.length * _end(directions)

    def solid(self) -> Solid:
        half = np.array((0.0, self.shape.length, 0.0), LONG) / 2
        return Solid(np.array((-half, half)), NONE, half[None])

    def scaled(self, factor: float) -> Capsule:
        return Capsule(self.shape.radius * factor, self.shape.length * factor)

    def stretched(self, axis: int, factor: float) -> Capsule:
        return Capsule(self.shape.radius, self.shape.length * factor)

    @classmethod
    def random(cls, rng: np.random.Generator) -> Capsule:
        return Capsule(float(rng.uniform(0.1, 1.0)), float(rng.uniform(0.1, 3.0)))

    @classmethod
    def drawn(cls, rng: np.random.Generator, draw: Draw) -> Capsule:
        return Capsule(0.3 * draw(), draw())


class CylinderTruth(ShapeTruth[Cylinder]):
    kind = "cylinder"
    example = Cylinder(0.1, 1e3)

    def size(self) -> float:
        return float(np.hypot(self.shape.radius, self.shape.height / 2))

    def reaches(self, directions: np.ndarray) -> np.ndarray:
        across = np.hypot(directions[:, 0], directions[:, 2])
        return self.shape.radius * across + np.abs(directions[:, 1]) * self.shape.height / 2

    def height(self, point: np.ndarray) -> float:
        across = np.hypot(point[0], point[2])
        return _from_slabs(np.array((across - self.shape.radius, abs(point[1]) - self.shape.height / 2)))

    def farthest(self, directions: np.ndarray) -> np.ndarray:
        return self.shape.radius * _about(directions) + self.shape.height * _end(directions)

    def nearest(self, point: np.ndarray) -> np.ndarray:
        across, out = _across(point)
        half = self.shape.height / 2
        return min(across, self.shape.radius) * out + (0.0, np.clip(point[1], -half, half), 0.0)

    def scaled(self, factor: float) -> Cylinder:
        return Cylinder(self.shape.radius * factor, self.shape.height * factor)

    def stretched(self, axis: int, factor: float) -> Cylinder:
        return Cylinder(self.shape.radius, self.shape.height * factor)

    @classmethod
    def random(cls, rng: np.random.Generator) -> Cylinder:
        return Cylinder(float(rng.uniform(0.1, 1.5)), float(rng.uniform(0.1, 3.0)))

    @classmethod
    def drawn(cls, rng: np.random.Generator, draw: Draw) -> Cylinder:
        return Cylinder(0.5 * draw(), draw())


class ConeTruth(ShapeTruth[Cone]):
    kind = "cone"
    example = Cone(0.1, 0.2)

    def size(self) -> float:
        return float(np.hypot(self.shape.radius, self.shape.height / 2))

    def reaches(self, directions: np.ndarray) -> np.ndarray:
        across, up = np.hypot(directions[:, 0], directions[:, 2]), directions[:, 1]
        return np.maximum(up * self.shape.height / 2, self.shape.radius * across - up * self.shape.height / 2)

    def height(self, point: np.ndarray) -> float:
        radius, height = self.shape.radius, self.shape.height
        across = float(np.hypot(point[0], point[2]))
        side = (across * height - radius * (height / 2 - point[1])) / float(np.hypot(radius, height))
        return max(float(side), float(-height / 2 - point[1]))

    def farthest(self, directions: np.ndarray) -> np.ndarray:
        radius, height = self.shape.radius, self.shape.height
        apex = directions[:, 1] * height > radius * np.hypot(directions[:, 0], directions[:, 2])
        rim = radius * _about(directions) - (0.0, height / 2, 0.0)
        return np.where(apex[:, None], (0.0, height / 2, 0.0), rim)

    def nearest(self, point: np.ndarray) -> np.ndarray:
        radius, half = self.shape.radius, self.shape.height / 2
        across, out = _across(point)
        corners = np.array(((0.0, half), (radius, -half), (0.0, -half)))
        flat = _of_segments(corners, np.roll(corners, -1, axis=0), np.array((across, point[1])))
        return flat[0] * out + (0.0, flat[1], 0.0)

    def scaled(self, factor: float) -> Cone:
        return Cone(self.shape.radius * factor, self.shape.height * factor)

    def stretched(self, axis: int, factor: float) -> Cone:
        return Cone(self.shape.radius, self.shape.height * factor)

    @classmethod
    def random(cls, rng: np.random.Generator) -> Cone:
        return Cone(float(rng.uniform(0.1, 1.5)), float(rng.uniform(0.1, 3.0)))

    @classmethod
    def drawn(cls, rng: np.random.Generator, draw: Draw) -> Cone:
        return Cone(0.5 * draw(), draw())


class EllipsoidTruth(ShapeTruth[Ellipsoid]):
    kind = "ellipsoid"
    example = Ellipsoid((0.1, THIRD, 7.0))

    def size(self) -> float:
        return max(self.shape.radii)

    def reaches(self, directions: np.ndarray) -> np.ndarray:
        return np.linalg.norm(np.array(self.shape.radii) * directions, axis=1)

    def height(self, point: np.ndarray) -> float:
        """To first order; no point inside is farther from the surface than the smallest radius."""
        radii = np.array(self.shape.radii)
        level, slope = float(np.linalg.norm(point / radii)), float(np.linalg.norm(point / np.square(radii)))
        return max((level - 1.0) * level / slope, -min(self.shape.radii)) if level > 0.0 else -min(self.shape.radii)

    def farthest(self, directions: np.ndarray) -> np.ndarray:
        rows = directions * self.shape.radii
        return rows * self.shape.radii / np.linalg.norm(rows, axis=1)[:, None]

    def nearest(self, point: np.ndarray) -> np.ndarray:
        squares = np.square(self.shape.radii)
        reach = float(np.linalg.norm(np.array(self.shape.radii) * point))
        t = brentq(lambda t: float(np.sum(squares * np.square(point / (t + squares)))) - 1.0, 0.0, reach, xtol=1e-300)
        return squares * point / (t + squares)

    def scaled(self, factor: float) -> Ellipsoid:
        return Ellipsoid(triple(np.multiply(self.shape.radii, factor)))

    def stretched(self, axis: int, factor: float) -> Ellipsoid:
        return Ellipsoid(triple(self.shape.radii * _along(axis, factor)))

    @classmethod
    def random(cls, rng: np.random.Generator) -> Ellipsoid:
        return Ellipsoid(triple(rng.uniform(0.1, 2.0, 3)))

    @classmethod
    def drawn(cls, rng: np.random.Generator, draw: Draw) -> Ellipsoid:
        return Ellipsoid((0.5 * draw(), 0.5 * draw(), 0.5 * draw()))


class HullTruth(ShapeTruth[Hull]):
    kind = "hull"
    example = Hull(((0.1, 0.0, 0.0), (THIRD, 0.0, 1.0), (0.0, 0.7, 0.0), (0.0, 0.0, -0.0), (0.1, 0.0, 0.0)))

    def size(self) -> float:
        return float(np.linalg.norm(self.shape.points, axis=1).max())

    def reaches(self, directions: np.ndarray) -> np.ndarray:
        return (directions @ np.array(self.shape.points).T).max(axis=1)

    def height(self, point: np.ndarray) -> float:
        """The largest signed distance from a plane of a face; the distance from a flat hull."""
        planes = surface_of(self.shape).planes
        if planes is None:
            return float(np.linalg.norm(self.nearest(point) - point))
        return float((planes[:, :3] @ point + planes[:, 3]).max())

    def farthest(self, directions: np.ndarray) -> np.ndarray:
        at = np.array(self.shape.points)
        return at[(directions @ at.T).argmax(axis=1)]

    def nearest(self, point: np.ndarray) -> np.ndarray:
        return _of_triangles(surface_of(self.shape).triangles, point)

    def solid(self) -> Solid:
        return _solid_hull(self.shape)

    def scaled(self, factor: float) -> Hull:
        return Hull.of(np.multiply(self.shape.points, factor))

    @classmethod
    def random(cls, rng: np.random.Generator) -> Hull:
        return Hull.of(rng.normal(size=(int(rng.integers(4, 40)), 3)) * rng.uniform(0.3, 1.2, 3))

    @classmethod
    def drawn(cls, rng: np.random.Generator, draw: Draw) -> Hull:
        """A few random points, points on an ellipsoid, or a solid with many symmetries."""
        sizes = 0.5 * np.array((draw(), draw(), draw()))
        style = rng.integers(4)
        if style == 0:
            points = rng.uniform(-1.0, 1.0, size=(int(rng.integers(4, 9)), 3))
        elif style == 1:
            points = rng.normal(size=(int(rng.integers(6, 13)), 3))
            points /= np.linalg.norm(points, axis=1)[:, None]
        elif style == 2:
            points = CORNERS
        else:
            points = np.vstack((np.eye(3), -np.eye(3)))
        return Hull.of(points * sizes)


class PolygonTruth(ShapeTruth[Polygon]):
    kind = "polygon"

    def size(self) -> float:
        return float(np.linalg.norm(self.shape.points, axis=1).max())

    def reaches(self, directions: np.ndarray) -> np.ndarray:
        return (directions[:, :2] @ np.array(self.shape.points).T).max(axis=1)


class HalfSpaceTruth(ShapeTruth[HalfSpace]):
    kind = "halfspace"
    example = HalfSpace((0.3, -0.0, THIRD), -0.1)

    def size(self) -> float:
        return 0.0

    def reaches(self, directions: np.ndarray) -> np.ndarray:
        size = float(np.linalg.norm(self.shape.normal))
        off = np.linalg.norm(directions - np.array(self.shape.normal) / size, axis=1)
        return np.where(off <= 1e-14, self.shape.offset / size, np.inf)

    def height(self, point: np.ndarray) -> float:
        return (float(np.dot(self.shape.normal, point)) - self.shape.offset) / float(np.linalg.norm(self.shape.normal))

    def scaled(self, factor: float) -> HalfSpace:
        return HalfSpace(self.shape.normal, self.shape.offset * factor)

    @classmethod
    def drawn(cls, rng: np.random.Generator, draw: Draw) -> HalfSpace:
        normal = rng.normal(size=3) if rng.random() < 0.5 else WORLD_AXES[rng.integers(3)]
        return HalfSpace(triple(normal), float(rng.choice((0.0, 0.5, rng.normal()))))


class RoundedTruth(ShapeTruth[Rounded]):
    """A shape within a border, which reaches that far beyond the shape inside it."""

    kind = ""

    def __init__(self, shape: Rounded) -> None:
        super().__init__(shape)
        self.sharp = truth_of(shape.sharp)

    def size(self) -> float:
        return self.sharp.size() + self.shape.border_radius

    def reaches(self, directions: np.ndarray) -> np.ndarray:
        return self.sharp.reaches(directions) + self.shape.border_radius

    def height(self, point: np.ndarray) -> float:
        if self.sharp.beyond(point) > 0.0:
            return float(np.linalg.norm(self.sharp.nearest(point) - point)) - self.shape.border_radius
        return self.sharp.height(point) - self.shape.border_radius

    def beyond(self, point: np.ndarray) -> float:
        return max(0.0, self.sharp.beyond(point) - self.shape.border_radius)

    def radius(self) -> float:
        return self.sharp.radius() + self.shape.border_radius

    def farthest(self, directions: np.ndarray) -> np.ndarray:
        return self.sharp.farthest(directions)

    def solid(self) -> Solid | None:
        return self.sharp.solid()


TRUTHS: dict[type, type[ShapeTruth[Any]]] = {
    Box: BoxTruth,
    Sphere: SphereTruth,
    Capsule: CapsuleTruth,
    Cylinder: CylinderTruth,
    Cone: ConeTruth,
    Ellipsoid: EllipsoidTruth,
    Hull: HullTruth,
    HalfSpace: HalfSpaceTruth,
    Polygon: PolygonTruth,
    Circle: CircleTruth,
    Rounded: RoundedTruth,
}
"""The record of each class of shapes; a kind that is put last changes no scene of `tests/bench/families.py`."""


def truth_of(shape: Shape) -> ShapeTruth[Any]:
    """The shape's record. Raises TypeError for a shape that has none."""
    if type(shape) not in TRUTHS:
        raise TypeError(f"tests/shape_truths.py has no record of a {type(shape).__name__}")
    return TRUTHS[type(shape)](shape)
