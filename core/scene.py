"""Bodies and scenes: what the user edits, immutable and compared by value.

Everything here is plain floats and tuples, so that a scene can be hashed, compared, undone and written to a file
without losing a bit. The arrays an algorithm needs come from `Body.pose` and from the shape.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from .geometry.quaternion import from_rotation_vector, multiply, normalized
from .geometry.transform import Pose
from .shapes import Shape

Triple = tuple[float, float, float]
Quadruple = tuple[float, float, float, float]


class Body(Struct, frozen=True):
    """A convex shape somewhere in the world.

    `position`: world position of the shape's centre, scene units. `rotation`: unit quaternion (w, x, y, z).
    `displacement`: motion over the unit interval, world. `angular_displacement`: world rotation vector, radians.
    """

    shape: Shape
    position: Triple = (0.0, 0.0, 0.0)
    rotation: Quadruple = (1.0, 0.0, 0.0, 0.0)
    displacement: Triple = (0.0, 0.0, 0.0)
    angular_displacement: Triple = (0.0, 0.0, 0.0)

    @property
    def pose(self) -> Pose:
        """Position and rotation as arrays."""
        return Pose.of(self.position, self.rotation)

    def turned(self, by: Triple) -> Body:
        """The body turned about its position by a rotation vector: world, radians."""
        return replace(self, rotation=normalized(multiply(from_rotation_vector(by), self.rotation)))


class Scene(Struct, frozen=True):
    """Two bodies, A first, with a name and notes for the reader."""

    a: Body
    b: Body
    name: str = ""
    notes: str = ""

    def body(self, index: int) -> Body:
        """Body A for 0, body B for 1."""
        return (self.a, self.b)[index]

    def stands_as(self, other: Scene) -> bool:
        """Whether both bodies are those of `other` and stand as they do there, however they move."""
        return type(self) is type(other) and all(
            (one.shape, one.position, one.rotation) == (its.shape, its.position, its.rotation)
            for one, its in ((self.a, other.a), (self.b, other.b))
        )

    def swapped(self) -> Scene:
        """The same scene with A and B exchanged."""
        return Scene(self.b, self.a, self.name, self.notes)
