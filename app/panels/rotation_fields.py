"""A rotation as the user types it: quaternion, axis and angle, or Euler angles XYZ.

None of the three survives a round trip digit for digit, and typing one number must not disturb the others. So what
was typed is kept for as long as the body's rotation is the one it produced.
"""

from __future__ import annotations

from enum import StrEnum
from math import degrees, hypot, radians

from core.geometry import quaternion
from core.geometry.quaternion import Quaternion

Values = tuple[float, ...]

UNIT_SLACK = 1e-9
"""A quaternion typed with ten digits or more counts as one of length 1."""

_REMEMBERED = 64


class RotationMode(StrEnum):
    """How the rotation is written."""

    EULER = "Euler XYZ, degrees"
    AXIS_ANGLE = "Axis and angle"
    QUATERNION = "Quaternion w x y z"


FIELD_NAMES: dict[RotationMode, tuple[str, ...]] = {
    RotationMode.EULER: ("x°", "y°", "z°"),
    RotationMode.AXIS_ANGLE: ("x", "y", "z", "angle°"),
    RotationMode.QUATERNION: ("w", "x", "y", "z"),
}


class RotationFields:
    """What stands in the fields of one body."""

    def __init__(self) -> None:
        self.mode = RotationMode.EULER
        self._typed: dict[tuple[RotationMode, Quaternion], Values] = {}

    def values(self, rotation: Quaternion) -> Values:
        """The numbers for the fields: those typed for this very rotation, else worked out from it."""
        typed = self._typed.get((self.mode, rotation))
        return typed if typed is not None else _values_of(self.mode, rotation)

    def remark(self, rotation: Quaternion) -> str:
        """What is done to the numbers typed, in one sentence; "" where they are taken as they are."""
        if self.mode is not RotationMode.QUATERNION or abs(hypot(*self.values(rotation)) - 1.0) < UNIT_SLACK:
            return ""
        return "Taken with length 1."

    def with_value(self, rotation: Quaternion, index: int, value: float) -> Quaternion:
        """The rotation after field `index` was set to `value`; ValueError in words when that is no rotation."""
        old = self.values(rotation)
        new = (*old[:index], value, *old[index + 1 :])
        result = _rotation_of(self.mode, new)
        # Undo and redo come back to a rotation that was typed; keep its numbers too.
        self._typed.setdefault((self.mode, rotation), old)
        self._typed[self.mode, result] = new
        while len(self._typed) > _REMEMBERED:
            del self._typed[next(iter(self._typed))]
        return result


def _values_of(mode: RotationMode, rotation: Quaternion) -> Values:
    if mode is RotationMode.QUATERNION:
        return rotation
    if mode is RotationMode.AXIS_ANGLE:
        axis, angle = quaternion.to_axis_angle(rotation)
        return _tidy(mode, (*axis, degrees(angle)), rotation)
    return _tidy(mode, tuple(degrees(angle) + 0.0 for angle in quaternion.to_euler_xyz(rotation)), rotation)


def _tidy(mode: RotationMode, values: Values, rotation: Quaternion) -> Values:
    """30 for 29.999999999999996, where both give the same double."""
    rounded = tuple(round(v, 12) + 0.0 for v in values)
    return rounded if any(rounded) and _rotation_of(mode, rounded) == rotation else values


def _rotation_of(mode: RotationMode, values: Values) -> Quaternion:
    if mode is RotationMode.EULER:
        x, y, z = (radians(v) for v in values)
        return quaternion.from_euler_xyz(x, y, z)
    if mode is RotationMode.AXIS_ANGLE:
        x, y, z, angle = values
        if (x, y, z) == (0.0, 0.0, 0.0):
            raise ValueError("The axis must not be zero: it has no direction.")
        return quaternion.from_axis_angle((x, y, z), radians(angle))
    w, x, y, z = values
    if (w, x, y, z) == (0.0, 0.0, 0.0, 0.0):
        raise ValueError("A quaternion of zeros is no rotation.")
    return quaternion.normalized((w, x, y, z))
