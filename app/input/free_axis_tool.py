"""Turning the free axis by one of its handles, as a point on a sphere: what the pointer's line of sight makes of it."""

from __future__ import annotations

from math import atan2, cos, hypot, pi, sin, sqrt

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.analysis.analysis import Analysis
from core.geometry.vector import Array, cross, dot, unit
from core.sat.sat import AxisStatus
from core.scene import Triple

from ..draw.sight import Sight
from ..overlays.context import Extent
from ..overlays.free_axis import DIFFERENCE_HANDLES, SPHERE
from ..probes.free_axis import Attempt, value_words
from ..state.view import View
from .grips import snapped
from .manipulation import Assist


class FreeAxisTool(Struct, frozen=True, eq=False):
    """A drag of the handle at `end` (+1 the tip, -1 the other) on the sphere of `radius` about `centre` (3,).

    `start`: the axis at the press; `held`: the unit vector (3,) from the centre to the point then under the pointer.
    The side of the sphere on which the handle was taken is kept, towards the viewer or away.
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
        """The drag that handle `number` (overlays/free_axis.py) begins with the pointer at `sight`."""
        extent, round_origin = Extent.of(analysis.scene), number >= DIFFERENCE_HANDLES
        centre, radius = (np.zeros(3) if round_origin else extent.centre), SPHERE * extent.radius
        end = -1 if number % 2 else 1
        near = dot(end * np.array(free), sight.towards) >= 0.0
        held = on_sphere(sight, centre, radius, near=near)
        return FreeAxisTool(analysis, free, end, centre, radius, near, held)

    def held_to(self, axis: int, plane: bool) -> str:
        """What the key of this world axis does, in words."""
        return f"across {'XYZ'[axis]}" if plane else f"along {'XYZ'[axis]}"

    def at(self, sight: Sight, assist: Assist) -> Triple:
        """The axis with the pointer there; with the key of a world axis along it, or with Shift in the plane across it.

        Snapping takes a candidate within half a step, else the nearest whole steps of azimuth and height.
        """
        now = on_sphere(sight, self.centre, self.radius, near=self.near)
        if assist.axis is not None and not assist.plane:
            return _along_world(assist.axis, float(self.end * now[assist.axis]))
        if np.array_equal(now, self.held):
            axis = np.array(self.start)
        else:
            axis = _carried(np.array(self.start), self.held, now)
        if assist.axis is not None:
            across = unit(np.where(np.arange(3) == assist.axis, 0.0, axis))
            if across is None:
                return self.start
            axis = across
        if assist.snap_angle > 0.0:
            return self._snapped(axis, assist.snap_angle)
        return self.start if np.array_equal(axis, np.array(self.start)) else _triple(axis)

    def looked(self, view: View, sight: Sight, assist: Assist) -> tuple[View, str]:
        """The view with the pointer there, and what the axis shows then."""
        free = self.at(sight, assist)
        return replace(view, free=free), self.readout(free)

    def readout(self, axis: Triple) -> str:
        """What this axis shows."""
        return f"yours {value_words(Attempt.of(self.analysis, axis).separation)}"

    def _snapped(self, axis: Array, step: float) -> Triple:
        table = self.analysis.sat
        known = [row for row, status in enumerate(table.statuses) if status is not AxisStatus.DEGENERATE]
        if known:
            cosines = table.axes[known] @ axis
            place = int(np.argmax(np.abs(cosines)))
            if abs(float(cosines[place])) >= cos(0.5 * min(step, 0.5 * pi)):
                return _triple(np.copysign(1.0, cosines[place]) * table.axes[known[place]])
        x, y, z = axis.tolist()
        azimuth, height = snapped(atan2(x, z), step), snapped(atan2(y, hypot(x, z)), step)
        rounded = np.array((sin(azimuth) * cos(height), sin(height), cos(azimuth) * cos(height)))
        # Whole numbers where the sines are whole but for rounding: the world's axes are those, not nearly.
        rounded[np.abs(rounded) < 1e-15] = 0.0
        turned = unit(rounded)
        return self.start if turned is None else _triple(turned)


def on_sphere(sight: Sight, centre: Array, radius: float, *, near: bool) -> Array:
    """Unit vector (3,) from the centre to where the line of sight meets the sphere, or to its rim beside it.

    `near`: to the point towards the viewer, else to the one behind.
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
    """`axis` turned by the shortest turn that takes the unit vector `start` to `end` (Rodrigues)."""
    across, cosine = cross(start, end), dot(start, end)
    if cosine <= -1.0 + 1e-9:
        return -axis
    turned: Array = cosine * axis + cross(across, axis) + across * (dot(across, axis) / (1.0 + cosine))
    again = unit(turned)
    return axis if again is None else again


def _along_world(axis: int, towards: float) -> Triple:
    x, y, z = (np.copysign(1.0, towards) * np.eye(3)[axis] + 0.0).tolist()
    return x, y, z


def _triple(axis: Array) -> Triple:
    x, y, z = axis.tolist()
    return x, y, z
