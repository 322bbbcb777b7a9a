"""Dragging one vertex of a polygon of the plane; the polygon stays convex, or the drag waits."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from core.flat import FlatBody, FlatPolygon
from core.geometry.vector import Array
from core.planar.shapes import Polygon
from core.scene import Scene

from ..words.axis_words import plain
from .grips import snapped
from .manipulation import Assist, Change, Sight, name_of, with_body


def with_vertex(body: FlatBody, number: int, point: tuple[float, float]) -> FlatBody:
    """The body with one point of its polygon, in its own frame, at another place. Raises ValueError if not convex."""
    if not isinstance(body.shape, FlatPolygon):
        raise TypeError("only a polygon has vertices")
    points = body.shape.polygon.points
    changed = Polygon((*points[:number], point, *points[number + 1 :]))
    if len(changed.ring) < len(body.shape.polygon.ring):
        raise ValueError("a vertex would be no corner any more")
    return replace(body, shape=FlatPolygon.of_polygon(changed))


class VertexTool(Struct, frozen=True, eq=False):
    """Moves the vertex `number` of a polygon; `grabbed` (3,), a world point, follows the pointer."""

    start: Scene
    body: int
    number: int
    grabbed: Array

    @property
    def label(self) -> str:
        """Name of the undo entry."""
        return f"Move {name_of(self.body)}.v{self.number}"

    def held_to(self, axis: int, plane: bool) -> str:  # noqa: ARG002 - every tool is asked alike
        """A line along x or y."""
        return f"{'XY'[axis]} only" if axis < 2 else ""

    def at(self, sight: Sight, assist: Assist) -> Change | None:
        """The scene with the pointer there; None where the polygon would not be convex."""
        body = self.start.body(self.body)
        met = sight.on_plane(self.grabbed, sight.towards)
        if met is None or not isinstance(body, FlatBody) or not isinstance(body.shape, FlatPolygon):
            return None
        dx, dy = (snapped(float(way), assist.snap_length) for way in (met - self.grabbed)[:2])
        if assist.axis in (0, 1) and not assist.plane:
            dx, dy = (dx, 0.0) if assist.axis == 0 else (0.0, dy)
        planar, old = body.planar, body.shape.polygon.points[self.number]
        if dx == dy == 0.0:
            return Change(self.start, self._readout(old))
        x, y = planar.to_world(old)
        point = planar.to_local((x + dx, y + dy))
        try:
            changed = with_vertex(body, self.number, point)
        except ValueError:
            return None
        return Change(with_body(self.start, self.body, changed), self._readout(point))

    def _readout(self, point: tuple[float, float]) -> str:
        return f"{name_of(self.body)}.v{self.number}: {plain(point[0])}, {plain(point[1])} in its frame"
