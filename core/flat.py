"""Scenes of the plane as scenes of space: the plane is z = 0, and nothing in it leaves it.

A `FlatScene` is a `Scene`, so whatever shows, moves, undoes or keeps scenes has one kind of scene to deal with. It is
no second copy of the numbers: shape, position and angle are those of the plane, digit for digit, and `planar` gives
them back. What is asked of such a body beyond the plane (a height, another turn than about z) is left undone.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import force_setattr, replace

from .algorithms.gjk import GjkStep
from .analysis import Analysis
from .geometry import quaternion
from .scene import Body, Scene, Triple
from .shapes import Hull, Sphere
from .shapes.polyhedron import Polyhedron

if TYPE_CHECKING:
    from .planar.analysis import Analysis2
    from .planar.gjk import GjkStep2
    from .planar.scene import Body2, Scene2
    from .planar.shapes import Polygon

UP = (0.0, 0.0, 1.0)
"""Unit normal of the plane, towards whoever looks at it with x to the right and y up."""


class FlatPolygon(Hull):
    """A polygon in the plane z = 0: a hull without thickness, whose two faces are its two sides.

    Its vertices keep the numbers of the polygon's points; edge k is the polygon's edge k.
    """

    __slots__ = ("polygon",)

    polygon: Polygon

    @staticmethod
    @lru_cache(maxsize=64)
    def of_polygon(polygon: Polygon) -> FlatPolygon:
        """The polygon laid into space; remembered, as a body that is dragged keeps its shape."""
        flat = object.__new__(FlatPolygon)
        points = tuple((x, y, 0.0) for x, y in polygon.points)
        object.__setattr__(flat, "points", points)
        object.__setattr__(flat, "polygon", polygon)
        loops = (polygon.ring, polygon.ring[::-1])
        flat._keep(Polyhedron.from_faces(np.array(points), loops, np.array((UP, (0.0, 0.0, -1.0)))))
        return flat


class FlatCircle(Sphere, frozen=True):
    """A circle in the plane z = 0: what a sphere about its centre is there."""


class FlatBody(Body, frozen=True):
    """A body of the plane. `angle`: its turn counter-clockwise, radians, of which `rotation` is made."""

    angle: float = 0.0

    def __post_init__(self) -> None:
        """Keeps it in the plane."""
        (x, y, _), (dx, dy, _), (_, _, turn) = self.position, self.displacement, self.angular_displacement
        force_setattr(self, "position", (x, y, 0.0))
        force_setattr(self, "displacement", (dx, dy, 0.0))
        force_setattr(self, "rotation", quaternion.from_axis_angle(UP, self.angle))
        force_setattr(self, "angular_displacement", (0.0, 0.0, turn))

    @staticmethod
    def of(body: Body2) -> FlatBody:
        """A body of the plane laid into space."""
        from .planar.shapes import Circle

        shape = body.shape
        laid = FlatCircle(shape.radius) if isinstance(shape, Circle) else FlatPolygon.of_polygon(shape)
        return FlatBody(
            laid,
            (*body.position, 0.0),
            displacement=(*body.displacement, 0.0),
            angular_displacement=(0.0, 0.0, body.angular_displacement),
            angle=body.rotation,
        )

    def turned(self, by: Triple) -> FlatBody:
        """Turned by the part of a rotation vector that is about z."""
        return replace(self, angle=self.angle + by[2])

    @property
    def planar(self) -> Body2:
        """The body of the plane, digit for digit."""
        from .planar.scene import Body2
        from .planar.shapes import Circle

        shape = self.shape
        if not isinstance(shape, FlatPolygon | FlatCircle):
            raise TypeError(f"{type(shape).__name__} is no shape of the plane")
        flat = shape.polygon if isinstance(shape, FlatPolygon) else Circle(shape.radius)
        return Body2(flat, self.position[:2], self.angle, self.displacement[:2], self.angular_displacement[2])


class FlatScene(Scene, frozen=True):
    """Two bodies of the plane, laid into space."""

    @staticmethod
    def of(scene: Scene2) -> FlatScene:
        """A scene of the plane laid into space."""
        return FlatScene(FlatBody.of(scene.a), FlatBody.of(scene.b), scene.name, scene.notes)

    @property
    def planar(self) -> Scene2:
        """The scene of the plane, digit for digit."""
        from .planar.scene import Scene2

        a, b = self.a, self.b
        if not (isinstance(a, FlatBody) and isinstance(b, FlatBody)):
            raise TypeError("a scene of the plane has bodies of the plane")
        return Scene2(a.planar, b.planar, self.name, self.notes)

    def swapped(self) -> FlatScene:
        """The same scene with A and B exchanged."""
        return FlatScene(self.b, self.a, self.name, self.notes)


class FlatAnalysis(Analysis, frozen=True, eq=False):
    """The answers about a scene of the plane as those of space, all with z = 0; `planar`: as they were found.

    The axes of its table are the edges' normals (as families the faces of A and of B). `difference` and `closing` are
    None: the polygon and the run of GJK and EPA are `planar`'s.
    """

    planar: Analysis2


class FlatGjkStep(GjkStep, frozen=True, eq=False):
    """An iteration in the plane, where three points enclose the origin; `planar`: as it is there."""

    planar: GjkStep2

    @property
    def encloses(self) -> bool:
        """Whether the origin is strictly inside the simplex."""
        return len(self.region) == 3
