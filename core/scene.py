"""Bodies and scenes: what the user edits, immutable and compared by value.

Everything here is plain floats and tuples, so that a scene can be hashed, compared, undone and written to a file
without losing a bit. The arrays an algorithm needs come from `Body.pose` and from the shape.
"""

from __future__ import annotations

from functools import cached_property
from reprlib import repr as shortened
from typing import TypeVar
from warnings import warn

import numpy as np
from msgspec import Struct
from msgspec.structs import force_setattr, replace
from numpy.typing import ArrayLike

from .geometry.arguments import floats, number, numbers, rotation, rotation_of_matrix, three_numbers
from .geometry.elementary import atan2, sin_cos
from .geometry.quaternion import IDENTITY, Pose, from_axis_angle, from_rotation_vector, multiply, normalized
from .geometry.triple import ZERO, Triple
from .geometry.vec2 import ORIGIN, Vec2
from .geometry.vector import Array, frozen
from .shapes import Shape, is_shape, mesh_source

Quadruple = tuple[float, float, float, float]
Value = TypeVar("Value")

Z_AXIS: Triple = (0.0, 0.0, 1.0)
"""Unit normal of the plane. Seen from its tip, x runs to the right and y up."""
MOST_RADIANS = 1e6
"""`Body.turned` adds a turn to a `Body.angle` smaller than this; the sum is good to 1e-10. A larger angle is first
reduced to -π to π, because doubles near 2^53 are whole numbers."""


class Body(Struct, frozen=True, dict=True, cache_hash=True):
    """A convex shape somewhere in the world.

    `position`: world position of the origin of the shape's frame, scene units. `rotation`: quaternion (w, x, y, z) or a
    matrix (3, 3) whose columns are the body's axes in the world; stored as a unit quaternion. `displacement`: the
    translation from time 0 to 1, world, scene units. `angular_displacement`: the rotation vector from time 0 to 1,
    world, radians. Each of these may be any sequence or array of numbers, and is stored as a tuple. `Body.placed` takes
    other forms of a pose.

    A shape of the plane stays in it, z = 0. `angle` is its rotation, counter-clockwise, radians. `rotation` is computed
    from `angle`, since a quaternion cannot tell 400° from 40°. For shapes of space `angle` has no effect.

    Raises with one sentence: TypeError for a value that is no shape or no number, ValueError for a number that is not
    finite, for the zero quaternion, and for a matrix that is no rotation.
    """

    shape: Shape
    position: Triple = (0.0, 0.0, 0.0)
    rotation: Quadruple = (1.0, 0.0, 0.0, 0.0)
    displacement: Triple = ZERO
    angular_displacement: Triple = ZERO
    angle: float = 0.0

    def __post_init__(self) -> None:
        """Checks every field. For a shape of the plane, drops z of positions and rotations out of the plane."""
        if not is_shape(self.shape):
            raise TypeError(f"a body needs one of the core's shapes, got {shortened(self.shape)}")
        force_setattr(self, "position", three_numbers("the position of a body", self.position))
        force_setattr(self, "rotation", rotation("the rotation of a body", self.rotation))
        if self.displacement is not ZERO:
            force_setattr(self, "displacement", three_numbers("the displacement of a body", self.displacement))
        if self.angular_displacement is not ZERO:
            force_setattr(
                self,
                "angular_displacement",
                three_numbers("the angular displacement of a body", self.angular_displacement),
            )
        force_setattr(self, "angle", number("the angle of a body", self.angle))
        if self.shape.dimension == 2:
            (x, y, _), (dx, dy, _), (_, _, turn) = self.position, self.displacement, self.angular_displacement
            force_setattr(self, "position", (x, y, 0.0))
            force_setattr(self, "displacement", (dx, dy, 0.0))
            force_setattr(self, "rotation", from_axis_angle(Z_AXIS, self.angle))
            force_setattr(self, "angular_displacement", (0.0, 0.0, turn))

    @staticmethod
    def placed(
        shape: Shape,
        position: ArrayLike = (0.0, 0.0, 0.0),
        *,
        wxyz: ArrayLike | None = None,
        xyzw: ArrayLike | None = None,
        matrix: ArrayLike | None = None,
        displacement: ArrayLike = (0.0, 0.0, 0.0),
        angular_displacement: ArrayLike = ZERO,
        turn: ArrayLike | None = None,
    ) -> Body:
        """Returns a body of space whose rotation is given in at most one of three forms.

        `wxyz` or `xyzw`: a quaternion (4,) of any length but zero, the real part first or last. `matrix`: a rotation
        (3, 3) whose columns are the body's axes in the world, or a transform (4, 4) or (3, 4) whose last column is
        the position. `angular_displacement`: the rotation vector from time 0 to 1, world, radians. `turn` is the old
        name of `angular_displacement`, and warns.

        Raises ValueError for two rotations or positions, for a matrix that stretches, shears or mirrors, and else as
        `Body`.
        """
        if sum(form is not None for form in (wxyz, xyzw, matrix)) > 1:
            raise ValueError("a body needs one rotation: wxyz, xyzw or matrix")
        turned: ArrayLike = IDENTITY if wxyz is None else wxyz
        if xyzw is not None:
            x, y, z, w = numbers("xyzw", xyzw, 4)
            turned = (w, x, y, z)
        if matrix is not None:
            rows = floats("the matrix of a body", matrix, "3 × 3, 3 × 4 or 4 × 4 numbers", (3, 3), (3, 4), (4, 4))
            if rows.shape[1] == 4:
                if rows[3:].tolist() not in ([], [[0.0, 0.0, 0.0, 1.0]]):
                    raise ValueError("the last row of a body's matrix must be (0, 0, 0, 1)")
                if np.any(position):
                    raise ValueError("a body needs one position: that of its matrix or the other")
                position = rows[:3, 3]
            turned = rotation_of_matrix("the matrix of a body", rows[:3, :3])
        return Body(
            shape,
            three_numbers("the position of a body", position),
            rotation("the rotation of a body", turned),
            three_numbers("the displacement of a body", displacement),
            three_numbers("the angular displacement of a body", _renamed(turn, angular_displacement)),
        )

    @staticmethod
    def in_plane(
        shape: Shape,
        position: Vec2 = ORIGIN,
        angle: float = 0.0,
        displacement: Vec2 = ORIGIN,
        angular_displacement: float = 0.0,
        turn: float | None = None,
    ) -> Body:
        """Returns a body of the plane.

        `angle`, and `angular_displacement` from time 0 to 1: counter-clockwise, radians. `turn` is the old name of
        `angular_displacement`, and warns. Raises as `Body`.
        """
        x, y = numbers("the position of a body of the plane", position, 2)
        dx, dy = numbers("the displacement of a body of the plane", displacement, 2)
        return Body(
            shape,
            (x, y, 0.0),
            displacement=(dx, dy, 0.0),
            angular_displacement=(0.0, 0.0, _renamed(turn, angular_displacement)),
            angle=angle,
        )

    @cached_property
    def pose(self) -> Pose:
        """Position and rotation as arrays."""
        return Pose.of(self.position, self.rotation)

    @cached_property
    def turned_core(self) -> Array | None:
        """The points (n, 3) of the shape's core, relative to the body's position, world axes; None without a core."""
        core = self.shape.core
        return None if core is None else frozen(self.pose.direction_to_world(core.points))

    def turned(self, by: Triple) -> Body:
        """The body turned about its position by a rotation vector, world, radians; in the plane by its z only.

        Raises ValueError for a vector that is not finite.
        """
        if self.shape.dimension == 2:
            before = self.angle if abs(self.angle) < MOST_RADIANS else atan2(*sin_cos(self.angle))
            return replace(self, angle=before + by[2])
        return replace(self, rotation=normalized(multiply(from_rotation_vector(by), self.rotation)))


def _renamed(turn: Value | None, angular_displacement: Value) -> Value:
    if turn is None:
        return angular_displacement
    warn("the name is angular_displacement now, turn goes with the next release", DeprecationWarning, stacklevel=3)
    return turn


class Scene(Struct, frozen=True):
    """Two bodies, A first, with a name and notes for the reader.

    Raises ValueError for a shape of the plane beside one of space, TypeError for what is no body, such as a shape.
    """

    a: Body
    b: Body
    name: str = ""
    notes: str = ""

    def __post_init__(self) -> None:
        """Refuses what is no body, and a pair of different dimensions."""
        for body in (self.a, self.b):
            if not isinstance(body, Body):
                raise TypeError(f"a scene needs two bodies, got {shortened(body)}")
        if self.a.shape.dimension != self.b.shape.dimension:
            raise ValueError("a 2D shape and a 3D shape cannot be in one scene")

    @property
    def dimension(self) -> int:
        """3, or 2 for a scene of the plane, whose bodies lie in z = 0."""
        return self.a.shape.dimension

    @property
    def of_hulls(self) -> str:
        """`of the hull of two_cubes.obj` if a body is the hull of a mesh file, else empty; it follows a number."""
        meshes = [mesh_source(body.shape) for body in (self.a, self.b)]
        files = list(dict.fromkeys(mesh.file for mesh in meshes if mesh is not None))
        if not files:
            return ""
        return f"of the hull{'s' * (meshes.count(None) == 0)} of {' and '.join(files)}"

    def body(self, index: int) -> Body:
        """Body A for 0, body B for 1."""
        return (self.a, self.b)[index]

    def with_body(self, index: int, body: Body) -> Scene:
        """The scene with `body` as its body A for 0, B for 1. Raises ValueError as a new scene does."""
        return replace(self, a=body) if index == 0 else replace(self, b=body)

    def stands_as(self, other: Scene) -> bool:
        """Whether both bodies have the shapes and poses of those of `other`; motion does not count."""
        return all(
            (one.shape, one.position, one.rotation) == (its.shape, its.position, its.rotation)
            for one, its in ((self.a, other.a), (self.b, other.b))
        )

    def swapped(self) -> Scene:
        """The same scene with A and B exchanged."""
        return Scene(self.b, self.a, self.name, self.notes)
