"""Dragging a probe by one of its handles: a point as the free axis' ends are, the pixel of a ray in its near plane."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.geometry.vector import Array, dot, length_rows
from core.scene import Scene, Triple

from ..draw.camera import Projection
from ..draw.sight import Sight
from ..overlays.context import Extent
from ..probes import PlaneProbe, PointProbe, Probe, RayProbe
from ..probes.planes import PointAgainst, point_against
from ..state.view import View
from ..words.axis_words import signed
from .grips import snapped
from .manipulation import Assist

CATCH = 0.04
"""How near to a body's vertex the line of sight must pass to snap to it, in radii of the pair."""


class PointTool(Struct, frozen=True, eq=False):
    """A drag of the point `start` parallel to the screen; `number`: which of a probe's points it is.

    `grabbed` (3,): where the line of sight at the press met the plane through the point.
    """

    scene: Scene
    probe: PointProbe | PlaneProbe
    number: int
    start: Triple
    grabbed: Array

    def held_to(self, axis: int, plane: bool) -> str:
        """A line along the axis, or the plane across it."""
        return f"plane across {'XYZ'[axis]}" if plane else f"{'XYZ'[axis]} only"

    def looked(self, view: View, sight: Sight, assist: Assist) -> tuple[View, str]:
        """The view with the pointer there, and what the probe shows then."""
        probe = self._with(self.at(sight, assist))
        return replace(view, probe=probe), self._readout(probe)

    def at(self, sight: Sight, assist: Assist) -> Triple:
        """The point with the pointer there. Snapping takes a vertex that is pointed at, else whole steps."""
        axis = None if assist.axis is None else np.eye(3)[assist.axis]
        if axis is not None and not assist.plane:
            along = sight.along(np.array(self.start), axis)
            before = 0.0 if along is None else self._along_at_press(sight, axis)
            return self._moved((0.0 if along is None else along - before) * axis, assist)
        if assist.snap_length > 0.0 and axis is None and (caught := self._caught(sight)) is not None:
            return caught
        met = sight.on_plane(self.grabbed, sight.towards if axis is None else axis)
        return self.start if met is None else self._moved(met - self.grabbed, assist)

    def _along_at_press(self, sight: Sight, axis: Array) -> float:
        """How far along the axis the pointer was at the press, by the same plane."""
        way = self.grabbed - sight.origin
        pressed = replace(sight, direction=way / np.sqrt(dot(way, way)))
        return pressed.along(np.array(self.start), axis) or 0.0

    def _moved(self, shift: Array, assist: Assist) -> Triple:
        if not shift.any():
            return self.start
        moved = (np.array(self.start) + shift).tolist()
        x, y, z = (snapped(c, assist.snap_length) if d else c for c, d in zip(moved, shift.tolist(), strict=True))
        return x, y, z

    def _caught(self, sight: Sight) -> Triple | None:
        """The vertex of a body that the line of sight all but meets, of several the nearest to the viewer."""
        solids = [(body, body.shape.polyhedron) for body in (self.scene.a, self.scene.b)]
        known = [body.pose.to_world(solid.vertices) for body, solid in solids if solid is not None]
        if not known:
            return None
        points = np.concatenate(known)
        away = points - sight.origin
        depths = away @ sight.direction
        beside = length_rows(away - depths[:, None] * sight.direction)
        near = np.flatnonzero(beside <= CATCH * Extent.of(self.scene).radius)
        if not len(near):
            return None
        x, y, z = points[near[int(np.argmin(depths[near]))]].tolist()
        return x, y, z

    def _with(self, point: Triple) -> Probe:
        if isinstance(self.probe, PointProbe):
            return PointProbe(point)
        a, b, c = (point if k == self.number else known for k, known in enumerate(self.probe.points))
        return replace(self.probe, points=(a, b, c))

    def _readout(self, probe: Probe) -> str:
        if not isinstance(probe, PointProbe):
            return f"{'abc'[self.number]}: plane through three points"
        found = [point_against(body, probe.at) for body in (self.scene.a, self.scene.b)]
        words = [told for k, against in enumerate(found) if (told := _told("AB"[k], against))]
        return "   ".join(words) or "point"


def _told(letter: str, against: PointAgainst) -> str:
    """What decides about a point and a body, with its signed distance."""
    if against.nearest is not None:
        return f"{letter} {signed(against.nearest.distance)}"
    return "" if against.worst is None else f"{letter} {against.worst.name} {signed(against.worst.distance)}"


class PixelTool(Struct, frozen=True, eq=False):
    """A drag of a ray's pixel over the window of its near plane; `near` (3,): the point grabbed, `towards` (3,)."""

    probe: RayProbe
    near: Array
    towards: Array

    def held_to(self, axis: int, plane: bool) -> str:  # noqa: ARG002 - every tool is asked alike
        """Nothing: a pixel stays in its plane."""
        return ""

    def looked(self, view: View, sight: Sight, assist: Assist) -> tuple[View, str]:
        """The view with the pointer there, and the pixel in words. Snapping takes whole pixels."""
        met = sight.on_plane(self.near, self.towards)
        probe = self.probe if met is None else replace(self.probe, pixel=self._pixel(met, assist), step=0)
        x, y = probe.pixel
        return replace(view, probe=probe), f"pixel {x:.1f}, {y:.1f}"

    def _pixel(self, met: Array, assist: Assist) -> tuple[float, float]:
        width, height = self.probe.size
        x, y, _ = Projection(self.probe.camera, width, height).project(met[None])[0].tolist()
        x -= 0.5 * self.probe.shift * width
        if assist.snap_length > 0.0:
            x, y = float(round(x)), float(round(y))
        return min(max(x, 0.0), width), min(max(y, 0.0), height)


def grabbed(scene: Scene, probe: Probe | None, number: int, sight: Sight) -> PointTool | PixelTool | None:
    """The drag that handle `number` of a probe begins with the pointer at `sight`; None for one without handles."""
    if isinstance(probe, RayProbe):
        from ..probes.ray import ray_of

        ray = ray_of(probe)
        return PixelTool(probe, ray.near, probe.camera.basis()[2])
    if isinstance(probe, PointProbe | PlaneProbe):
        start = probe.at if isinstance(probe, PointProbe) else probe.points[number]
        met = sight.on_plane(np.array(start), sight.towards)
        return PointTool(scene, probe, number, start, np.array(start) if met is None else met)
    return None
