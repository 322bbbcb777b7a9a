"""A reference edge and an incident edge of two polygons: their clipping in the plane, and its steps.

Each policy chooses the two edges by its own rule (`plane`, `box2d`, `dyn4j`). The rest is the same: the lines across
both ends of the reference edge cut the incident edge (Sutherland, Hodgman 1974), at any angle between the two. The
depths of the remaining ends are measured from the reference line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from msgspec import Struct

from ...geometry.tolerances import FRAME_ROUNDING
from ...geometry.vec2 import Vec2, add, dot, left_of, lerp, negated, point_along, raised, raised_rows, sub
from ...geometry.vector import Array
from ...pair.cores import PlaneCore, PlanePair
from ...trace import Steps
from ..contact import ClipStep, Contact, ContactCase, DepthStep, FeaturesStep, ManifoldStep


class End(Struct, frozen=True):
    """An end of the incident edge, or the point at which the edge was cut.

    `point`: relative to A's position. `number`: the vertex number of the end, or of the end that was cut off. `side`:
    the number of the reference edge's vertex at which it was cut; None for an end that was not cut off.
    """

    point: Vec2
    number: int
    side: int | None = None


Namer = Callable[[End], tuple[str, str]]
"""A function that names a contact as an engine does: the reference body's feature, then the incident one's."""


class EdgePair(Struct, frozen=True, eq=False):
    """The reference edge and the incident edge of two polygons.

    `origin`: A's position, world. `of_a`: whether the reference edge is A's. `edge`: the number of the reference edge
    on its body; `other`: that of the incident edge on the other body.
    """

    pair: PlanePair
    origin: Vec2
    of_a: bool
    edge: int
    other: int

    @property
    def reference(self) -> PlaneCore:
        """The reference edge's body."""
        return self.pair.a if self.of_a else self.pair.b

    @property
    def incident(self) -> PlaneCore:
        """The incident edge's body."""
        return self.pair.b if self.of_a else self.pair.a

    @property
    def outward(self) -> Vec2:
        """The reference edge's outward normal."""
        return self.reference.normals[self.edge]

    @property
    def normal(self) -> Array:
        """The reference edge's normal (3,), negated if B's, so that it runs from A to B."""
        return raised(self.outward if self.of_a else negated(self.outward))

    @property
    def case(self) -> ContactCase:
        """FACE_OF_A or FACE_OF_B, by the body of the reference edge."""
        return ContactCase.FACE_OF_A if self.of_a else ContactCase.FACE_OF_B

    @property
    def ends(self) -> list[End]:
        """Both ends of the incident edge, counter-clockwise."""
        numbers = vertex_numbers(self.incident, self.other)
        return [End(point, number) for point, number in zip(self.incident.edge(self.other), numbers, strict=True)]

    @property
    def sides(self) -> tuple[tuple[Vec2, int, Vec2], ...]:
        """Both ends of the reference edge: the point, the vertex number, and the direction out of the edge."""
        (start, end), (first, last) = self.reference.edge(self.edge), vertex_numbers(self.reference, self.edge)
        forwards = left_of(self.outward)
        return (start, first, negated(forwards)), (end, last, forwards)

    def by_features(self, end: End) -> tuple[str, str]:
        """The names of the features at an end, the reference body's first: a vertex and the other body's edge."""
        if end.side is None:
            return f"edge{self.edge}", f"v{end.number}"
        return f"v{end.side}", f"edge{self.other}"

    def features(self) -> FeaturesStep:
        """The step that shows both edges."""
        names = (f"edge{self.edge}", f"edge{self.other}")
        points = (self.world(self.reference.edge(self.edge)), self.world(self.incident.edge(self.other)))
        a, b = (0, 1) if self.of_a else (1, 0)
        return FeaturesStep(self.case, self.normal, names[a], names[b], points[a], points[b])

    def clipped(self, beyond: float, named: Namer) -> Steps[ManifoldStep, list[End]]:
        """The ends of the incident edge after it is cut by a line at each end of the reference edge, `beyond` outside.

        Empty if fewer than two ends are left, as when one end is on a line and the other outside: engines need two.
        """
        ends = self.ends
        for corner, number, way in self.sides:
            before, heights = ends, [dot(way, sub(end.point, corner)) - beyond for end in ends]
            ends = [end for end, height in zip(before, heights, strict=True) if height <= 0.0]
            if min(heights) < 0.0 < max(heights):
                gone = before[0] if heights[0] > 0.0 else before[1]
                share = heights[0] / (heights[0] - heights[1])
                ends.append(End(lerp(before[0].point, before[1].point, share), gone.number, number))
            yield self.cut(number, way, corner, before, ends, named, beyond)
            if len(ends) < 2:
                return []
        return ends

    def cut(
        self,
        side: int,
        way: Vec2,
        corner: Vec2,
        before: Sequence[End],
        after: Sequence[End],
        named: Namer,
        beyond: float = 0.0,
    ) -> ClipStep:
        """The step of one cut by the line `beyond` outside of the reference edge's `corner`, its vertex `side`.

        `way`: the direction out of the edge there.
        """
        return ClipStep(
            side=f"v{side}",
            normal=raised(way),
            offset=dot(way, add(corner, self.origin)) + beyond,
            before=self.world(end.point for end in before),
            after=self.world(end.point for end in after),
            names=self.ordered(after, named),
            cut=tuple(end not in before for end in after),
        )

    def below(self, ends: Sequence[End], margin: float, named: Namer) -> Steps[ManifoldStep, tuple[Contact, ...]]:
        """The contacts: ends at most `margin` above the reference surface, each contact midway between both surfaces.

        The surfaces are the edges moved out by the border radii along the reference edge's normal.
        """
        outward, band = self.outward, self.pair.scale.touching_band()
        start = point_along(self.reference.ring[self.edge], self.reference.radius, outward)
        points = [point_along(end.point, -self.incident.radius, outward) for end in ends]
        depths = [0.0 - dot(outward, sub(point, start)) for point in points]
        kept, names = tuple(depth >= -margin for depth in depths), self.ordered(ends, named)
        offset = dot(outward, add(start, self.origin))
        yield DepthStep(raised(outward), offset, self.world(points), np.array(depths), names, kept)
        return tuple(
            Contact(raised(add(point_along(point, 0.5 * depth, outward), self.origin)), depth, *pair, gap=depth < -band)
            for point, depth, pair, keep in zip(points, depths, names, kept, strict=True)
            if keep
        )

    def ordered(self, ends: Sequence[End], named: Namer) -> tuple[tuple[str, str], ...]:
        """The ends' names, A's feature first."""
        pairs = [named(end) for end in ends]
        return tuple(pair if self.of_a else (pair[1], pair[0]) for pair in pairs)

    def world(self, points: Iterable[Vec2]) -> Array:
        """Transforms points relative to A's position to the world; (k, 3), z = 0."""
        return raised_rows(add(point, self.origin) for point in points)


def vertex_numbers(core: PlaneCore, edge: int) -> tuple[int, int]:
    """The vertex numbers of both ends of an edge, counter-clockwise."""
    return core.numbers[edge], core.numbers[(edge + 1) % len(core.ring)]


def supporting_edges(core: PlaneCore, direction: Vec2, rounding: float) -> tuple[int, int]:
    """The edges before and after the corner that is farthest along `direction`; of equally far corners the first."""
    heights = [dot(point, direction) for point in core.ring]
    highest = max(heights)
    corner = next(k for k, height in enumerate(heights) if height >= highest - rounding)
    return (corner - 1) % len(core.ring), corner


def more_along(core: PlaneCore, edge: int, other: int, direction: Vec2) -> bool:
    """Whether the normal of an edge is more along `direction` than another's, by more than rounding."""
    return dot(core.normals[edge], direction) > dot(core.normals[other], direction) + FRAME_ROUNDING
