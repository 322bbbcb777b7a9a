"""The members that every shape must have. A shape that lacks one fails at import and in the type checker.

Algorithms read these members and do not test a shape's class; only some closed forms do, and the margins of engines. So
every method whose members a new shape has works with that shape, as do drawing, rays and motion.

`SupportFeature` is the part of a shape that touches a supporting plane: a vertex, an edge, a face, or its counterpart
on a round shape.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np
from msgspec import Struct

from ..geometry.plane import Plane
from ..geometry.quaternion import Pose
from ..geometry.triple import Triple
from ..geometry.vector import Array, frozen
from .line_spans import Line, LineSpan
from .polyhedron import Polyhedron
from .rounded_core import RoundedCore


class SupportFeature(Struct, frozen=True, eq=False):
    """The part of a shape that is farthest along a direction, within a tolerance.

    `kind`: "vertex" (also a cone's apex), "edge" (also a line along the side of a round shape), "face" or "plane" (a
    half-space); of a round shape "disc" (the flat end of a cylinder or cone), "rim" (one point of such an end's edge)
    or "surface" (one point of a curved surface). `points` (k, 3): in loop order for a face and a disc; a disc has four
    points of its rim. `indices`: the points' vertex numbers, empty for round shapes. `name`: such as `v3`, `v1-v4`,
    `+x`, `edge7`, `face2`, `apex`, `side`, `rim +y`, `cap -y`, `base`, `surface`, `plane`.
    """

    kind: str
    points: Array
    indices: tuple[int, ...]
    name: str

    def placed(self, pose: Pose) -> SupportFeature:
        """The feature with its points transformed from the body's frame to the world."""
        return SupportFeature(self.kind, frozen(pose.to_world(self.points)), self.indices, self.name)


def round_feature(kind: str, name: str, *points: tuple[float, float, float]) -> SupportFeature:
    """A feature of a round shape, which has no numbered vertices."""
    return SupportFeature(kind, frozen(np.array(points, dtype=np.float64)), (), name)


Farthest = Callable[[float, float, float], Triple]
"""A support map on plain numbers: takes the components of a direction, returns those of the farthest point."""


class Contract(Protocol):
    """A convex shape in its body's frame, about the body's position; lengths in scene units."""

    @property
    def dimension(self) -> int:
        """3, or 2 for a shape in the plane z = 0."""

    @property
    def word(self) -> str:
        """The shape's name in a sentence, such as `box` or `half-space`."""

    @property
    def bounding_radius(self) -> float:
        """Radius of the smallest ball about the body's position that contains the shape; infinite for a half-space."""

    @property
    def largest_half_extent(self) -> float:
        """ℓ: half of the largest extent along the frame's axes; for a segment half its length.

        Infinite for a half-space. The touching band is a share of the smaller ℓ of two bodies.
        """

    @property
    def plane(self) -> Plane | None:
        """The boundary plane of a half-space; None for a bounded shape."""

    @property
    def core(self) -> RoundedCore | None:
        """The shape as the hull of finitely many points, grown by a radius; None if it has no such form."""

    @property
    def polyhedron(self) -> Polyhedron | None:
        """Vertices, edges and faces of a polyhedron or polygon; None for a shape with any curved part."""

    @property
    def half_extents(self) -> Array | None:
        """Half extents (3,) of a sharp box about the position; None for every other shape."""

    @property
    def radii(self) -> Triple | None:
        """Radii of an ellipsoid along its axes; None for every other shape, also a sphere."""

    @property
    def face_normals(self) -> Array:
        """Outward unit normals (f, 3) of the flat faces, of a 2D shape's edges; (0, 3) for a round shape."""

    def support(self, direction: Array) -> Array:
        """The point (3,) farthest along `direction` (3,) of any length but zero.

        Raises ValueError where a half-space is unbounded.
        """

    @property
    def farthest(self) -> Farthest | None:
        """A method that returns the point farthest along (x, y, z), in the precision of these numbers.

        None if `core` has the same point, and for a half-space.
        """

    def support_vertex(self, direction: Array) -> int:
        """Index of the vertex farthest along `direction` (3,), the lowest if several tie; -1 without vertices."""

    def support_feature(self, direction: Array, tolerance: float) -> SupportFeature:
        """The feature within `tolerance` of the farthest point along the unit `direction` (3,)."""

    @property
    def line_span(self) -> Callable[[Line, float], LineSpan | None] | None:
        """A method that returns the stretch of a line, body frame, inside the shape enlarged by a length.

        Faces are moved out and radii enlarged by it; edges stay sharp. The method returns None if the line misses. The
        member is None for a shape without a formula: rays against it use its support map.
        """

    def reach(self, directions: Array) -> Array:
        """The largest `n·p` of the shape's points p along each n of `directions` (..., 3), of any length, shape (...).

        Infinite where a half-space is unbounded.
        """


def is_shape(value: object) -> bool:
    """Whether a value is a shape: whether it has a support map, and is no class."""
    return hasattr(value, "support") and not isinstance(value, type)


def ball_radius(shape: Contract) -> float | None:
    """The radius of a ball about its body's position, 0 for a point there; None for every other shape."""
    core = shape.core
    return core.radius if core is not None and len(core.points) == 1 and not core.points.any() else None


def corners_of(shape: Contract) -> tuple[int, ...]:
    """Indices, rising, of the corners among the points of the shape's core; empty for a shape without a core.

    Repeated points of a polygon, and points on its sides, are not corners.
    """
    core = shape.core
    if core is None:
        return ()
    return tuple(range(len(core.points)) if core.solid is None else np.unique(core.solid.edges).tolist())


PARTS = tuple(name for name in vars(Contract) if not name.startswith("_"))
"""The names of the members that a shape must have."""


def offered(*shapes: type[Contract]) -> tuple[type[Contract], ...]:
    """Returns the classes unchanged. Raises TypeError, with the names of missing members, if a class lacks any."""
    for shape in shapes:
        missing = [part for part in PARTS if not hasattr(shape, part)]
        if missing:
            raise TypeError(f"the shape {shape.__name__} does not offer {', '.join(missing)}")
    return shapes
