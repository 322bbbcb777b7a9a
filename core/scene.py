"""Bodies and scenes: what the user edits, immutable and compared by value.

Everything here is plain floats and tuples, so that a scene can be hashed, compared, undone and written to a file
without losing a bit. The arrays an algorithm needs come from `Body.pose` and from the shape.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import force_setattr, replace

from .geometry.quaternion import Pose, from_axis_angle, from_rotation_vector, multiply, normalized
from .geometry.vec2 import ORIGIN, Vec2
from .shapes import Shape

Triple = tuple[float, float, float]
Quadruple = tuple[float, float, float, float]

Z_AXIS: Triple = (0.0, 0.0, 1.0)
"""Unit normal of the plane, towards whoever looks at it with x to the right and y up."""


class Body(Struct, frozen=True):
    """A convex shape somewhere in the world.

    `position`: world position of the shape's centre, scene units. `rotation`: unit quaternion (w, x, y, z).
    `displacement`: motion over the unit interval, world. `angular_displacement`: world rotation vector, radians.

    A shape of the plane stays in it, z = 0. Its turn is `angle`, counter-clockwise, radians, of which `rotation` is
    made: of 400° the quaternion would keep 40. Of shapes of space `angle` says nothing.
    """

    shape: Shape
    position: Triple = (0.0, 0.0, 0.0)
    rotation: Quadruple = (1.0, 0.0, 0.0, 0.0)
    displacement: Triple = (0.0, 0.0, 0.0)
    angular_displacement: Triple = (0.0, 0.0, 0.0)
    angle: float = 0.0

    def __post_init__(self) -> None:
        """Keeps a shape of the plane there: a height, or a turn about another axis than z, is left undone."""
        if self.shape.dimension == 2:
            (x, y, _), (dx, dy, _), (_, _, turn) = self.position, self.displacement, self.angular_displacement
            force_setattr(self, "position", (x, y, 0.0))
            force_setattr(self, "displacement", (dx, dy, 0.0))
            force_setattr(self, "rotation", from_axis_angle(Z_AXIS, self.angle))
            force_setattr(self, "angular_displacement", (0.0, 0.0, turn))

    @staticmethod
    def in_plane(
        shape: Shape,
        position: Vec2 = ORIGIN,
        angle: float = 0.0,
        displacement: Vec2 = ORIGIN,
        turn: float = 0.0,
    ) -> Body:
        """A body of the plane; `angle` and the `turn` over the unit interval counter-clockwise, radians."""
        return Body(
            shape,
            (*position, 0.0),
            displacement=(*displacement, 0.0),
            angular_displacement=(0.0, 0.0, turn),
            angle=angle,
        )

    @property
    def pose(self) -> Pose:
        """Position and rotation as arrays."""
        return Pose.of(self.position, self.rotation)

    def turned(self, by: Triple) -> Body:
        """The body turned about its position by a rotation vector: world, radians; in the plane by its part about z."""
        if self.shape.dimension == 2:
            return replace(self, angle=self.angle + by[2])
        return replace(self, rotation=normalized(multiply(from_rotation_vector(by), self.rotation)))


class Scene(Struct, frozen=True):
    """Two bodies, A first, with a name and notes for the reader.

    Raises ValueError for a shape of the plane beside one of space.
    """

    a: Body
    b: Body
    name: str = ""
    notes: str = ""

    def __post_init__(self) -> None:
        """Refuses a pair of two dimensions."""
        if self.a.shape.dimension != self.b.shape.dimension:
            raise ValueError("a shape of the plane and one of space have no scene in common")

    @property
    def dimension(self) -> int:
        """3, or 2 for a scene of the plane, whose bodies lie in z = 0."""
        return self.a.shape.dimension

    def body(self, index: int) -> Body:
        """Body A for 0, body B for 1."""
        return (self.a, self.b)[index]

    def with_body(self, index: int, body: Body) -> Scene:
        """The scene with `body` as its body A for 0, B for 1. Raises ValueError as a new scene does."""
        return replace(self, a=body) if index == 0 else replace(self, b=body)

    def stands_as(self, other: Scene) -> bool:
        """Whether both bodies are those of `other` and stand as they do there, however they move."""
        return all(
            (one.shape, one.position, one.rotation) == (its.shape, its.position, its.rotation)
            for one, its in ((self.a, other.a), (self.b, other.b))
        )

    def swapped(self) -> Scene:
        """The same scene with A and B exchanged."""
        return Scene(self.b, self.a, self.name, self.notes)
