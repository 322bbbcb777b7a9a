"""Bodies and scenes of the plane: plain floats and tuples, compared by value, as in the scenes of space."""

from __future__ import annotations

from math import cos, sin

from msgspec import Struct

from .shapes import Shape2
from .vec2 import ORIGIN, Vec2, add


class Body2(Struct, frozen=True):
    """A convex shape somewhere in the plane.

    `position`: world position of the shape's centre, scene units. `rotation`: angle in radians, counter-clockwise.
    `displacement`: motion over the unit interval, world. `angular_displacement`: its turn meanwhile, radians,
    counter-clockwise.
    """

    shape: Shape2
    position: Vec2 = ORIGIN
    rotation: float = 0.0
    displacement: Vec2 = ORIGIN
    angular_displacement: float = 0.0

    def turned(self, vector: Vec2) -> Vec2:
        """A vector of the body's frame in the world's directions."""
        if self.rotation == 0.0:
            return vector
        c, s = cos(self.rotation), sin(self.rotation)
        return (c * vector[0] - s * vector[1], s * vector[0] + c * vector[1])

    def to_world(self, point: Vec2) -> Vec2:
        """A point of the body's frame in the world."""
        return add(self.turned(point), self.position)

    def to_local(self, point: Vec2) -> Vec2:
        """A world point in the body's frame."""
        x, y = point[0] - self.position[0], point[1] - self.position[1]
        c, s = cos(self.rotation), sin(self.rotation)
        return (c * x + s * y, c * y - s * x)


class Scene2(Struct, frozen=True):
    """Two bodies of the plane, A first, with a name and notes for the reader."""

    a: Body2
    b: Body2
    name: str = ""
    notes: str = ""

    def body(self, index: int) -> Body2:
        """Body A for 0, body B for 1."""
        return (self.a, self.b)[index]

    def swapped(self) -> Scene2:
        """The same scene with A and B exchanged."""
        return Scene2(self.b, self.a, self.name, self.notes)
