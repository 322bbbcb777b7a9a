"""The common members of curved shapes and half-spaces, which have no topology, and those of the cylinder and cone."""

from __future__ import annotations

from typing import ClassVar, Protocol

import numpy as np
from msgspec import Struct
from msgspec.structs import force_setattr

from ..geometry.arguments import number
from ..geometry.elementary import hypot
from ..geometry.triple import Triple
from ..geometry.vector import Array


class _Curved(Protocol):
    def farthest(self, x: float, y: float, z: float) -> Triple:
        """See core.shapes.contract."""


class Curved:
    """A shape without numbered vertices, edges and faces."""

    __slots__ = ()

    dimension: ClassVar[int] = 3
    half_extents: ClassVar[None] = None

    def support(self: _Curved, direction: Array) -> Array:
        """The point farthest along `direction` (3,) of any length, body frame."""
        return np.array(self.farthest(*direction.tolist()))

    @property
    def face_normals(self) -> Array:
        """(0, 3): no flat faces."""
        return np.zeros((0, 3))

    @property
    def polyhedron(self) -> None:
        """None: there are no vertices, edges and faces."""
        return None

    def support_vertex(self, direction: Array) -> int:  # noqa: ARG002 (a polyhedron's needs it)
        """Always -1: there are no numbered vertices."""
        return -1


class SolidOfRevolution(Curved, Struct, frozen=True):
    """A solid of revolution with a sharp rim: of `radius` about the body's Y and `height` along it; both > 0.

    Raises ValueError for other sizes, TypeError for one that is no number.
    """

    word: ClassVar[str]
    plane: ClassVar[None] = None
    radii: ClassVar[None] = None

    radius: float
    height: float

    def __post_init__(self) -> None:
        """Checks the sizes."""
        force_setattr(self, "radius", number(f"the radius of a {self.word}", self.radius, positive=True))
        force_setattr(self, "height", number(f"the height of a {self.word}", self.height, positive=True))

    @property
    def bounding_radius(self) -> float:
        """Radius of the smallest ball about the body's position that contains the shape."""
        return hypot(self.radius, 0.5 * self.height)

    @property
    def largest_half_extent(self) -> float:
        """ℓ: the largest half extent along the frame's axes; the touching band is a share of it."""
        return max(self.radius, 0.5 * self.height)

    @property
    def core(self) -> None:
        """None: the solid is not the hull of finitely many points, grown by a radius."""
        return None
