"""Box: a cuboid centred at the body's position.

Vertices are numbered as in the separating-axis article: a pivot corner, its three neighbours along x, y and z, then the
opposite corner and its three neighbours.
"""

from __future__ import annotations

from functools import cache, cached_property, lru_cache
from itertools import product
from math import sqrt
from typing import ClassVar

import numpy as np
from msgspec import Struct
from msgspec.structs import force_setattr
from numpy.typing import ArrayLike

from ..geometry.arguments import three_numbers
from ..geometry.vector import Array, dots, frozen
from .contract import SupportFeature
from .line_spans import Line, LineSpan, planes_span
from .polyhedron import Polyhedron
from .rounded_core import RoundedCore

VERTEX_SIGNS: Array = frozen(
    np.array(
        (
            (-1.0, -1.0, -1.0),
            (+1.0, -1.0, -1.0),
            (-1.0, +1.0, -1.0),
            (-1.0, -1.0, +1.0),
            (+1.0, +1.0, +1.0),
            (-1.0, +1.0, +1.0),
            (+1.0, -1.0, +1.0),
            (+1.0, +1.0, -1.0),
        )
    )
)
"""Signs of the half extents at vertices v0..v7, shape (8, 3)."""

# Counter-clockwise seen from outside; face 2k is the one with outward normal +axis k, face 2k + 1 has -axis k.
_FACES = ((1, 7, 4, 6), (0, 3, 5, 2), (2, 5, 4, 7), (0, 1, 6, 3), (3, 6, 4, 5), (0, 2, 7, 1))


class Box(Struct, frozen=True, dict=True):
    """Solid box with full edge lengths `size` along the body's axes.

    Raises ValueError unless each is > 0 and finite, TypeError for a size that holds no numbers.
    """

    dimension: ClassVar[int] = 3
    word: ClassVar[str] = "box"
    plane: ClassVar[None] = None
    radii: ClassVar[None] = None
    farthest: ClassVar[None] = None

    size: tuple[float, float, float]

    def __post_init__(self) -> None:
        """Checks the size."""
        force_setattr(self, "size", three_numbers("the size of a box", self.size, positive=True))

    @staticmethod
    def of_half_extents(half_extents: ArrayLike) -> Box:
        """The box with these half edge lengths (3,), which many engines use. Raises as `Box`."""
        x, y, z = three_numbers("the half extents of a box", half_extents, positive=True)
        return Box((2.0 * x, 2.0 * y, 2.0 * z))

    @cached_property
    def half_extents(self) -> Array:
        """Half of `size`, shape (3,)."""
        return _parts(self.size)[0]

    @cached_property
    def bounding_radius(self) -> float:
        """Radius of the smallest ball about the body's position that contains the shape."""
        x, y, z = self.size
        return 0.5 * sqrt(x * x + y * y + z * z)

    @property
    def largest_half_extent(self) -> float:
        """ℓ: the largest half extent along the frame's axes; the touching band is a share of it."""
        return 0.5 * max(self.size)

    @cached_property
    def polyhedron(self) -> Polyhedron:
        """Vertices, edges and faces in the body's frame."""
        return _parts(self.size)[1]

    @property
    def face_normals(self) -> Array:
        """Outward unit normals (6, 3) of the faces."""
        return self.polyhedron.normals

    @cached_property
    def core(self) -> RoundedCore:
        """The vertices, with radius 0."""
        return _parts(self.size)[2]

    def support(self, direction: Array) -> Array:
        """The vertex farthest along `direction` (3,) of any length, body frame."""
        vertex: Array = self.polyhedron.vertices[self.support_vertex(direction)]
        return vertex

    def support_vertex(self, direction: Array) -> int:
        """Index of the vertex farthest along `direction` (3,); the lowest of vertices that tie exactly."""
        x, y, z = direction.tolist()
        return _LOWEST[(x > 0.0) - (x < 0.0), (y > 0.0) - (y < 0.0), (z > 0.0) - (z < 0.0)]

    def support_feature(self, direction: Array, tolerance: float) -> SupportFeature:
        """The vertex, edge or face within `tolerance` of the farthest point along the unit `direction` (3,).

        The feature extends along a box axis if the height changes by at most the tolerance from one end of the box to
        the other. It never extends along the axis nearest to the direction.
        """
        slopes, size = direction.tolist(), self.size
        slants = [abs(slope) for slope in slopes]
        # The steepest axis always has a sign, so that a box smaller than the tolerance has a feature too.
        steepest, signs = slants.index(max(slants)), [0, 0, 0]
        for axis in (0, 1, 2):
            if axis == steepest or slants[axis] * size[axis] > tolerance:
                signs[axis] = 1 if slopes[axis] > 0.0 else -1
        kind, indices, name = box_feature(tuple(signs))
        return SupportFeature(kind, frozen(self.polyhedron.vertices.take(indices, axis=0)), indices, name)

    def line_span(self, line: Line, grow: float) -> LineSpan | None:
        """The stretch of a line inside the box enlarged by `grow` all round; None if it misses.

        By slabs (Kay and Kajiya 1986).
        """
        half = self.half_extents
        return planes_span(line, _SIX_NORMALS, np.concatenate((half, half)), self.bounding_radius, grow)

    def reach(self, directions: Array) -> Array:
        """The largest `n·p` of the shape's points p along each of `directions` (..., 3), shape (...)."""
        if directions.ndim == 1:
            (x, y, z), (a, b, c) = directions.tolist(), self.size
            return np.array(0.5 * (abs(x) * a + abs(y) * b + abs(z) * c))
        return dots(np.abs(directions), self.half_extents)


_SIX_NORMALS = frozen(np.concatenate((np.eye(3), -np.eye(3))))

_LOWEST = {
    (x, y, z): next(k for k, v in enumerate(VERTEX_SIGNS.tolist()) if v[0] * x >= 0 and v[1] * y >= 0 and v[2] * z >= 0)
    for x, y, z in product((-1, 0, 1), repeat=3)
}
"""By the signs of a direction's components: the lowest index of a farthest vertex. A sign of 0 allows both sides."""


@cache
def box_feature(signs: tuple[int, ...]) -> tuple[str, tuple[int, ...], str]:
    """Returns kind, vertex indices and name of the feature on the side `signs`; a face's indices are in loop order.

    `signs`: for each axis the side, -1 or +1, or 0 if the feature extends along the axis. One at least is not 0.
    """
    given = [axis for axis in range(3) if signs[axis]]
    found = tuple(
        k for k, vertex in enumerate(VERTEX_SIGNS.tolist()) if all(vertex[axis] == signs[axis] for axis in given)
    )
    if len(given) == 1:
        axis = given[0]
        loop = next(face for face in _FACES if set(face) == set(found))
        return "face", loop, ("+" if signs[axis] > 0 else "-") + "xyz"[axis]
    return ("edge" if len(given) == 2 else "vertex"), found, "-".join(f"v{k}" for k in found)


@cache
def _unit_topology() -> Polyhedron:
    return Polyhedron.from_faces(VERTEX_SIGNS, _FACES)


@lru_cache(maxsize=64)
def _parts(size: tuple[float, float, float]) -> tuple[Array, Polyhedron, RoundedCore]:
    """Returns half extents, polyhedron and core; cached, as every algorithm reads them again."""
    half, unit = frozen(np.array(size, dtype=np.float64) * 0.5), _unit_topology()
    # A plane n·p = 1 becomes (n/h)·p = 1; scaled back to a unit normal, its offset is 1 / (1/h).
    offsets = frozen(unit.offsets / (1.0 / half).repeat(2))
    vertices = frozen(unit.vertices * half)
    solid = Polyhedron(vertices, unit.faces, unit.normals, offsets, unit.edges, unit.edge_faces)
    return half, solid, RoundedCore(solid.vertices, 0.0, solid, boxed=True)
