"""Tools that drag the free axis by an end, on a sphere or in 2D on a circle, and a probe by one of its handles.

A probe's point is dragged like a body; the pixel of a ray is dragged in the near plane.
"""

from __future__ import annotations

from math import atan2, copysign, cos, hypot, pi, radians, sin, sqrt

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.analysis.analysis import Analysis
from core.geometry.triple import Triple, triple
from core.geometry.vector import Array, cross, dot, dots, length_rows, unit
from core.sat.sat import AxisStatus
from core.scene import Z_AXIS, Scene

from ..draw.camera import Projection, Sight
from ..overlays.context import SPHERE, Extent
from ..overlays.free_axis import DIFFERENCE_HANDLES
from ..probes import PlaneProbe, PointProbe, Probe, RayProbe
from ..probes.free_axis import FreeAxis, readout_words
from ..probes.planes import point_against
from ..state.view import View
from ..words.digits import signed
from .grips import snapped
from .manipulation import Assist

CATCH = 0.04
"""The largest distance between the line of sight and a vertex for snapping to it, as a share of the pair's radius."""


class PointTool(Struct, frozen=True, eq=False):
    """Drags the point `start` of a probe parallel to the screen. `number`: the point's index in the probe.

    `grabbed` (3,): the point at which the line of sight at the press met the plane, parallel to the screen, of `start`.
    """

    scene: Scene
    probe: PointProbe | PlaneProbe
    number: int
    start: Triple
    grabbed: Array

    def held_to(self, axis: int, plane: bool) -> str:
        """The words for a line along the axis, or for the plane across it."""
        return f"plane perpendicular to {'XYZ'[axis]}" if plane else f"{'XYZ'[axis]} only"

    def looked(self, view: View, sight: Sight, assist: Assist) -> tuple[View, str]:
        """The view with the pointer at `sight`, and the probe's read-out."""
        probe = self._with(self.at(sight, assist))
        return replace(view, probe=probe), self._readout(probe)

    def at(self, sight: Sight, assist: Assist) -> Triple:
        """The point with the pointer at `sight`. With snapping it snaps to a vertex near the sight, else to steps."""
        axis = None if assist.axis is None else np.eye(3)[assist.axis]
        if axis is not None and not assist.plane:
            along = sight.distance_along(np.array(self.start), axis)
            before = 0.0 if along is None else self._along_at_press(sight, axis)
            return self._moved((0.0 if along is None else along - before) * axis, assist)
        if assist.snap_length > 0.0 and axis is None and (caught := self._caught(sight)) is not None:
            return caught
        met = sight.on_plane(self.grabbed, sight.towards if axis is None else axis)
        return self.start if met is None else self._moved(met - self.grabbed, assist)

    def _along_at_press(self, sight: Sight, axis: Array) -> float:
        """The pointer's distance along the unit `axis` (3,) from `start` at the press."""
        way = self.grabbed - sight.origin
        pressed = replace(sight, direction=way / np.sqrt(dot(way, way)))
        return pressed.distance_along(np.array(self.start), axis) or 0.0

    def _moved(self, shift: Array, assist: Assist) -> Triple:
        if not shift.any():
            return self.start
        moved = (np.array(self.start) + shift).tolist()
        x, y, z = (snapped(c, assist.snap_length) if d else c for c, d in zip(moved, shift.tolist(), strict=True))
        return x, y, z

    def _caught(self, sight: Sight) -> Triple | None:
        """The vertex nearest to the viewer among those within CATCH of the line of sight; None if there is none."""
        solids = [(body, body.shape.polyhedron) for body in (self.scene.a, self.scene.b)]
        known = [body.pose.to_world(solid.vertices) for body, solid in solids if solid is not None]
        if not known:
            return None
        points = np.concatenate(known)
        away = points - sight.origin
        depths = dots(away, sight.direction)
        beside = length_rows(away - depths[:, None] * sight.direction)
        near = np.flatnonzero(beside <= CATCH * Extent.of(self.scene).radius)
        if not len(near):
            return None
        return triple(points[near[int(np.argmin(depths[near]))]])

    def _with(self, point: Triple) -> Probe:
        if isinstance(self.probe, PointProbe):
            return PointProbe(point)
        a, b, c = (point if k == self.number else known for k, known in enumerate(self.probe.points))
        return replace(self.probe, points=(a, b, c))

    def _readout(self, probe: Probe) -> str:
        if not isinstance(probe, PointProbe):
            return f"{'abc'[self.number]}: plane through three points"
        found = [point_against(body, probe.position) for body in (self.scene.a, self.scene.b)]
        words = []
        for letter, against in zip("AB", found, strict=True):
            # The signed distance of the nearest feature, else of the worst plane.
            if against.nearest is not None:
                words.append(f"{letter} {signed(against.nearest.distance)}")
            elif against.worst is not None:
                words.append(f"{letter} {against.worst.name} {signed(against.worst.distance)}")
        return "   ".join(words) or "point"


class PixelTool(Struct, frozen=True, eq=False):
    """Drags a ray's pixel in the near plane, which has the point `near` (3,) and the normal `towards` (3,)."""

    probe: RayProbe
    near: Array
    towards: Array

    def held_to(self, axis: int, plane: bool) -> str:  # noqa: ARG002 - every tool is asked alike
        """The empty text: a pixel stays in its plane."""
        return ""

    def looked(self, view: View, sight: Sight, assist: Assist) -> tuple[View, str]:
        """The view with the pointer at `sight`, and the pixel in words. With snapping it snaps to whole pixels.

        The ray's `step` becomes 0.
        """
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
    """The tool of a drag of a probe's handle `number` that begins at `sight`; None for a probe without handles."""
    if isinstance(probe, RayProbe):
        from ..probes.ray import ray_of

        ray = ray_of(probe)
        return PixelTool(probe, ray.near, probe.camera.basis()[2])
    if isinstance(probe, PointProbe | PlaneProbe):
        start = probe.position if isinstance(probe, PointProbe) else probe.points[number]
        met = sight.on_plane(np.array(start), sight.towards)
        return PointTool(scene, probe, number, start, np.array(start) if met is None else met)
    return None


class FreeAxisTool(Struct, frozen=True, eq=False):
    """Drags the free axis by its `end` (+1 the tip, -1 the other) on the sphere of `radius` about `centre` (3,).

    `start`: the axis at the press; `held`: the unit vector (3,) from the centre to the point under the pointer then.
    `near`: the handle was on the side of the sphere towards the viewer, and the drag stays on that side.
    """

    analysis: Analysis
    start: Triple
    end: int
    centre: Array
    radius: float
    near: bool
    held: Array

    @staticmethod
    def grab(analysis: Analysis, free: Triple, number: int, sight: Sight) -> FreeAxisTool:
        """The tool of a drag of handle `number` (overlays/free_axis.py) that begins at `sight`."""
        extent, round_origin = Extent.of(analysis.scene), number >= DIFFERENCE_HANDLES
        centre, radius = (np.zeros(3) if round_origin else extent.centre), SPHERE * extent.radius
        end = -1 if number % 2 else 1
        near = dot(end * np.array(free), sight.towards) >= 0.0
        held = on_sphere(sight, centre, radius, near=near)
        return FreeAxisTool(analysis=analysis, start=free, end=end, centre=centre, radius=radius, near=near, held=held)

    def held_to(self, axis: int, plane: bool) -> str:
        """The words on the restriction of the free axis by the key of this world axis."""
        return f"across {'XYZ'[axis]}" if plane else f"along {'XYZ'[axis]}"

    def at(self, sight: Sight, assist: Assist) -> Triple:
        """The axis with the pointer at `sight`. A key restricts it to a world axis, or with Shift to the plane across.

        With snapping it snaps to a candidate axis within half a step, else to whole steps of azimuth and height.
        """
        now = on_sphere(sight, self.centre, self.radius, near=self.near)
        if assist.axis is not None and not assist.plane:
            return triple(np.copysign(1.0, self.end * now[assist.axis]) * np.eye(3)[assist.axis] + 0.0)
        start = np.array(self.start)
        axis = start if np.array_equal(now, self.held) else _carried(start, self.held, now)
        if assist.axis is not None:
            across = unit(np.where(np.arange(3) == assist.axis, 0.0, axis))
            if across is None:
                return self.start
            axis = across
        if assist.snap_angle > 0.0:
            return self._snapped(axis, assist.snap_angle)
        return self.start if np.array_equal(axis, start) else triple(axis)

    def looked(self, view: View, sight: Sight, assist: Assist) -> tuple[View, str]:
        """The view with the pointer at `sight`, and the axis' read-out."""
        free = self.at(sight, assist)
        return replace(view, free=free), self.readout(free)

    def readout(self, axis: Triple) -> str:
        """The words on the separation along this axis, and on its snapping."""
        return readout_words(FreeAxis.of(self.analysis, axis))

    def _snapped(self, axis: Array, step: float) -> Triple:
        table = self.analysis.sat
        known = [row for row, status in enumerate(table.statuses) if status is not AxisStatus.DEGENERATE]
        if known:
            cosines = dots(table.axes[known], axis)
            place = int(np.argmax(np.abs(cosines)))
            if abs(float(cosines[place])) >= cos(0.5 * min(step, 0.5 * pi)):
                return triple(np.copysign(1.0, cosines[place]) * table.axes[known[place]])
        x, y, z = axis.tolist()
        azimuth, height = snapped(atan2(x, z), step), snapped(atan2(y, hypot(x, z)), step)
        rounded = np.array((sin(azimuth) * cos(height), sin(height), cos(azimuth) * cos(height)))
        # Removes rounding errors of the sines, so that world axes come out exact.
        rounded[np.abs(rounded) < 1e-15] = 0.0
        turned = unit(rounded)
        return self.start if turned is None else triple(turned)


CATCH_NORMAL = radians(4.0)
"""The largest angle, radians, between a 2D free axis and a candidate axis for snapping to it."""
FLAT_STEP = radians(5.0)
"""The step of a 2D free axis' angle from the x axis, radians, for snapping if no candidate axis is near."""


class FlatAxisTool(Struct, frozen=True, eq=False):
    """Drags the free axis of a 2D scene by its `end` (+1 the tip, -1 the other) on the circle about `centre` (3,).

    `start`: the axis at the press; `held`: the pointer's angle about the centre then, radians; None at the centre.
    """

    analysis: Analysis
    start: Triple
    end: int
    centre: Array
    held: float | None

    @staticmethod
    def grab(analysis: Analysis, free: Triple, number: int, sight: Sight) -> FlatAxisTool:
        """The tool of a drag of handle `number` (overlays/free_axis.py) that begins at `sight`."""
        centre = np.zeros(3) if number >= DIFFERENCE_HANDLES else Extent.of(analysis.scene).centre
        return FlatAxisTool(analysis, free, -1 if number % 2 else 1, centre, _angle_about(centre, sight))

    def held_to(self, axis: int, plane: bool) -> str:
        """The words on the restriction of the free axis by the key of this world axis; "" for z."""
        kept = 1 - axis if plane else axis
        return "" if axis > 1 else f"along {'XY'[kept]}"

    def at(self, sight: Sight, assist: Assist) -> Triple:
        """The axis with the pointer at `sight`. The keys X and Y set it along their axis, with Shift across it.

        With snapping it snaps to a candidate axis within CATCH_NORMAL, else to the nearest multiple of FLAT_STEP.
        """
        now = _angle_about(self.centre, sight)
        if now is None or self.held is None:
            return self.start
        angle = atan2(self.start[1], self.start[0]) + (now - self.held)
        if assist.axis is not None and assist.axis < 2:
            kept = 1 - assist.axis if assist.plane else assist.axis
            towards = (cos(angle), sin(angle))[kept]
            return (copysign(1.0, towards), 0.0, 0.0) if kept == 0 else (0.0, copysign(1.0, towards), 0.0)
        if assist.snap_angle > 0.0:
            return self._snapped(angle)
        return self.start if now == self.held else (cos(angle), sin(angle), 0.0)

    def looked(self, view: View, sight: Sight, assist: Assist) -> tuple[View, str]:
        """The view with the pointer at `sight`, and the axis' read-out."""
        free = self.at(sight, assist)
        return replace(view, free=free), readout_words(FreeAxis.of(self.analysis, free))

    def _snapped(self, angle: float) -> Triple:
        axis, table = np.array((cos(angle), sin(angle), 0.0)), self.analysis.sat
        nearest = FreeAxis.of(self.analysis, triple(axis)).nearest
        if nearest is not None:
            cosine = dot(table.axes[nearest], axis)
            if abs(cosine) >= cos(CATCH_NORMAL):
                return triple(copysign(1.0, cosine) * table.axes[nearest])
        turned = snapped(angle, FLAT_STEP)
        # Removes rounding errors of the sines, so that world axes come out exact.
        x, y = (0.0 if abs(part) < 1e-12 else part for part in (cos(turned), sin(turned)))
        size = hypot(x, y)
        return x / size, y / size, 0.0


def _angle_about(centre: Array, sight: Sight) -> float | None:
    """The angle, radians, counter-clockwise from +x, about the centre of the point where the sight meets the plane.

    The plane is parallel to z = 0 and contains the centre. None if the sight misses it or meets it at the centre.
    """
    met = sight.on_plane(centre, np.array(Z_AXIS))
    way = None if met is None else met - centre
    return None if way is None or not np.any(way[:2]) else atan2(float(way[1]), float(way[0]))


def on_sphere(sight: Sight, centre: Array, radius: float, *, near: bool) -> Array:
    """The unit vector (3,) from the centre to the point where the line of sight meets the sphere.

    If it misses the sphere, to the line's nearest point. `near`: the first of two points is meant, else the second.
    """
    to_eye = sight.origin - centre
    along = dot(to_eye, sight.direction)
    closest = to_eye - along * sight.direction
    square = radius * radius - dot(closest, closest)
    reach = sqrt(square) if square > 0.0 else 0.0
    point = closest - (reach if near else -reach) * sight.direction
    direction = unit(point)
    return sight.towards if direction is None else direction


def _carried(axis: Array, start: Array, end: Array) -> Array:
    """The unit `axis` (3,) after the least rotation that takes the unit vector `start` to `end` (Rodrigues)."""
    across, cosine = cross(start, end), dot(start, end)
    if cosine <= -1.0 + 1e-9:
        return -axis
    turned: Array = cosine * axis + cross(across, axis) + across * (dot(across, axis) / (1.0 + cosine))
    again = unit(turned)
    return axis if again is None else again
