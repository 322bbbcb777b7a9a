"""Dragging one vertex of a polygon of the plane; it stops where the polygon would not be convex any more."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from core.geometry.vector import Array
from core.pair.cores import to_local, to_world
from core.scene import Body, Scene
from core.shapes import Polygon, sharp_of, with_border

from ..draw.meshes.shape_kinds import polygon_points
from ..draw.meshes.shape_look import corner_loop
from ..draw.sight import Sight
from ..words.axis_words import plain
from .grips import snapped
from .manipulation import Assist, Change, name_of

HALVINGS, BACK = 24, 0.99
"""How finely the end of the way is sought on which a polygon stays convex, and the share of it that is gone: at its
very end three vertices would lie on one line."""


def with_vertex(body: Body, number: int, point: tuple[float, float]) -> Body:
    """The body with one point of its polygon, in its own frame, at another place. Raises ValueError if not convex."""
    points = polygon_points(body.shape)
    if not points:
        raise TypeError("only a polygon has vertices")
    changed = Polygon((*points[:number], point, *points[number + 1 :]))
    if len(changed.ring) < len(corner_loop(body.shape)):
        raise ValueError("a vertex would be no corner any more")
    return replace(body, shape=with_border(changed, sharp_of(body.shape)[1]))


def _as_far_as_convex(
    body: Body, number: int, old: tuple[float, float], point: tuple[float, float]
) -> tuple[Body, tuple[float, float]]:
    """The body with its vertex moved from `old` towards `point` while it stays convex, and the vertex' place."""

    def moved(share: float) -> tuple[Body, tuple[float, float]]:
        place = old[0] + share * (point[0] - old[0]), old[1] + share * (point[1] - old[1])
        return with_vertex(body, number, place), place

    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        try:
            moved(middle)
        except ValueError:
            high = middle
        else:
            low = middle
    return moved(BACK * low)


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
        """The scene with the pointer there, or with the vertex where the polygon is still convex on the way there."""
        body = self.start.body(self.body)
        met = sight.on_plane(self.grabbed, sight.towards)
        if met is None:
            return None
        dx, dy = (snapped(float(way), assist.snap_length) for way in (met - self.grabbed)[:2])
        if assist.axis in (0, 1) and not assist.plane:
            dx, dy = (dx, 0.0) if assist.axis == 0 else (0.0, dy)
        old = polygon_points(body.shape)[self.number]
        if dx == dy == 0.0:
            return Change(self.start, self._readout(old))
        x, y = to_world(body, old)
        point = to_local(body, (x + dx, y + dy))
        try:
            changed, words = with_vertex(body, self.number, point), self._readout(point)
        except ValueError:
            changed, point = _as_far_as_convex(body, self.number, old, point)
            words = f"{self._readout(point)}: the polygon stays convex"
        return Change(self.start.with_body(self.body, changed), words)

    def _readout(self, point: tuple[float, float]) -> str:
        return f"{name_of(self.body)}.v{self.number}: {plain(point[0])}, {plain(point[1])} in its frame"
