"""Rounded: any shape grown by a ball, such as by an engine's margin."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from reprlib import repr as shortened

import numpy as np
from msgspec import Struct
from msgspec.structs import force_setattr

from ..geometry.arguments import number
from ..geometry.plane import Plane
from ..geometry.triple import Triple, point_along
from ..geometry.vector import Array, frozen, length, length_rows
from .box import Box
from .capsule import Capsule
from .circle import Circle
from .cone import Cone
from .contract import Farthest, SupportFeature, ball_radius, is_shape
from .cylinder import Cylinder
from .directions import unit_along, unit_triple
from .ellipsoid import Ellipsoid
from .half_space import HalfSpace
from .hull import Hull, MeshSource
from .line_spans import Line, LineSpan
from .polygon import Polygon
from .rounded_core import RoundedCore
from .sphere import Sphere


class Rounded(Struct, frozen=True, dict=True):
    """All points within `border_radius` > 0 of a `sharp` shape: its Minkowski sum with a ball.

    A grown sphere, circle, capsule or half-space is again such a shape, `plain`, and gives the same answers as that,
    digit for digit. A point at the body's position grows to a sphere or circle, and a segment along y about the
    position to a capsule. Of any other shape the members move the sharp shape's points out by the radius. If such a
    shape has a core, algorithms compute with that and subtract the core's radius ρ at the end: `s = s_core - ρ`. Raises
    ValueError for a radius that is not positive and finite, and for a shape that is rounded already; TypeError for a
    radius that is no number, and for a sharp shape that is none.
    """

    sharp: Shape
    border_radius: float

    def __post_init__(self) -> None:
        """Checks the radius and the shape."""
        if not is_shape(self.sharp):
            raise TypeError(f"a border is around one of the core's shapes, got {shortened(self.sharp)}")
        force_setattr(self, "border_radius", number("a border radius", self.border_radius, positive=True))
        if isinstance(self.sharp, Rounded):
            raise ValueError("a shape has one border only")

    def __hash__(self) -> int:
        """The hash of the sharp shape and the border radius."""
        return hash((self.sharp, self.border_radius))

    @cached_property
    def plain(self) -> Shape | None:
        """The sphere, circle, capsule or half-space with the same points; None if there is none."""
        sharp, more = self.sharp, self.border_radius
        match sharp:
            case Circle(radius):
                return Circle(radius + more)
            case Sphere(radius):
                return Sphere(radius + more)
            case Capsule(radius, along):
                return Capsule(radius + more, along)
            case HalfSpace(normal, offset):
                return HalfSpace(normal, offset + more * length(np.array(normal)))
            case Hull():
                return _ball_or_capsule(sharp.polyhedron.vertices, more)
            case Polygon():
                return Circle(more) if ball_radius(sharp) is not None else None
            case _:
                return None

    @property
    def dimension(self) -> int:
        """The dimension of the sharp shape."""
        return self.sharp.dimension

    @property
    def word(self) -> str:
        """The word of the sharp shape."""
        return self.sharp.word

    @property
    def bounding_radius(self) -> float:
        """The sharp shape's bounding radius plus the border radius."""
        return self.sharp.bounding_radius + self.border_radius

    @property
    def largest_half_extent(self) -> float:
        """The sharp shape's largest half extent plus the border radius."""
        return self.sharp.largest_half_extent + self.border_radius

    @property
    def plane(self) -> Plane | None:
        """A half-space's plane, moved out by the border; None for every other shape."""
        return None if self.plain is None else self.plain.plane

    @cached_property
    def core(self) -> RoundedCore | None:
        """The sharp shape's core, with the border added to its radius; None if the sharp shape has no core."""
        if self.plain is not None:
            return self.plain.core
        core = self.sharp.core
        if core is None:
            return None
        return RoundedCore(core.points, core.radius + self.border_radius, core.solid, core.boxed)

    @property
    def polyhedron(self) -> None:
        """None: its edges are round."""
        return None

    @property
    def half_extents(self) -> None:
        """None: a rounded shape is no sharp box."""
        return None

    @property
    def radii(self) -> Triple | None:
        """None: an ellipsoid grown by a ball is no ellipsoid."""
        return None

    @property
    def face_normals(self) -> Array:
        """The face normals of the sharp shape: its flat faces stay flat, moved out by the border."""
        return self.sharp.face_normals

    def support(self, direction: Array) -> Array:
        """The sharp shape's point farthest along `direction` (3,) of any length, moved out by the border."""
        if self.plain is not None:
            return self.plain.support(direction)
        out = unit_triple(direction)
        point: Array = self.sharp.support(direction) + self.border_radius * np.array(out)
        return point

    @property
    def farthest(self) -> Farthest | None:
        """The sharp shape's support map on plain numbers, its point moved out by the border; None if it has none."""
        sharp, radius = self.sharp.farthest, self.border_radius
        return None if sharp is None else lambda x, y, z: point_along(sharp(x, y, z), radius, unit_along(x, y, z))

    def support_vertex(self, direction: Array) -> int:  # noqa: ARG002 (the common contract)
        """Always -1: no vertex is on the surface."""
        return -1

    def support_feature(self, direction: Array, tolerance: float) -> SupportFeature:
        """The sharp shape's feature with its name, moved out along the unit `direction` (3,).

        It has no vertex indices.
        """
        if self.plain is not None:
            return self.plain.support_feature(direction, tolerance)
        found = self.sharp.support_feature(direction, tolerance)
        return SupportFeature(found.kind, frozen(found.points + self.border_radius * direction), (), found.name)

    @property
    def line_span(self) -> Callable[[Line, float], LineSpan | None] | None:
        """The method of `plain`; None without one: rays then use the support map.

        The sharp shape's planes moved out would not do: they meet in sharp corners.
        """
        return None if self.plain is None else self.plain.line_span

    def reach(self, directions: Array) -> Array:
        """The largest `n·p` of the shape's points p along each of `directions` (..., 3), shape (...)."""
        if self.plain is not None:
            return self.plain.reach(directions)
        reach: Array = self.sharp.reach(directions) + self.border_radius * length_rows(directions)
        return reach


def _ball_or_capsule(vertices: Array, radius: float) -> Sphere | Capsule | None:
    """The sphere or capsule equal to a hull of `vertices` (n, 3) grown by a ball of `radius`; None for other hulls.

    A sphere for one vertex at the position, a capsule for two along y with the position in the middle.
    """
    if len(vertices) == 1 and not vertices.any():
        return Sphere(radius)
    if len(vertices) == 2 and not vertices[:, ::2].any() and not vertices.sum(axis=0).any():
        return Capsule(radius, 2.0 * float(np.abs(vertices[0, 1])))
    return None


Shape = Box | Sphere | Capsule | Cylinder | Cone | Ellipsoid | Hull | HalfSpace | Polygon | Circle | Rounded


def mesh_source(shape: Shape) -> MeshSource | None:
    """The mesh whose hull the shape is, with or without a border; None for a hull of points and for any other shape."""
    sharp, _ = sharp_of(shape)
    return sharp.hull_of if isinstance(sharp, Hull) else None


def sharp_of(shape: Shape) -> tuple[Shape, float]:
    """Returns the shape without its border, and the border's radius, 0 without one."""
    return (shape.sharp, shape.border_radius) if type(shape) is Rounded else (shape, 0.0)


def with_border(shape: Shape, border_radius: float) -> Shape:
    """The shape with a border of this radius instead of its own; without a border for 0.

    Raises ValueError for a radius that is negative or not finite, TypeError for one that is no number.
    """
    sharp, _ = sharp_of(shape)
    return sharp if number("a border radius", border_radius) == 0.0 else Rounded(sharp, border_radius)
