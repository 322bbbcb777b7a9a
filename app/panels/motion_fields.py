"""The motion of one body in numbers: its displacement, and its angular displacement in degrees."""

from __future__ import annotations

from math import degrees, radians

from msgspec.structs import replace

from core.scene import Body

from ..draw.meshes.shape_kinds import LARGEST
from ..draw.theme import Theme
from ..words.axis_words import full
from .numbers import NumberField, number_row, vector17, with_component
from .panel import Ask
from .widgets import copies_title

NAMES = ("x", "y", "z")


def degrees_of(angle: float) -> float:
    """An angle in degrees, tidy where that is the same angle: 30 for 29.999999999999996."""
    shown = degrees(angle)
    tidy = round(shown, 12) + 0.0
    return tidy if radians(tidy) == angle else shown


def way_fault(value: float) -> str:
    """Refuses what a scene file would not take."""
    return "" if abs(value) <= LARGEST else f"A displacement must lie within ±{LARGEST:g}."


def turn_fault(degrees_: float) -> str:
    """Refuses a turn that a scene file would not take."""
    return "" if abs(radians(degrees_)) <= LARGEST else f"A turn must lie within ±{LARGEST:g} radians."


class MotionFields:
    """What stands in the fields of one body."""

    def __init__(self, index: int) -> None:
        self._letter = "AB"[index]
        self._way = [NumberField() for _ in range(3)]
        self._turn = [NumberField() for _ in range(3)]

    def draw(self, body: Body, theme: Theme, ask: Ask) -> Body | None:
        """Both rows; the body after an edit."""
        note = "Where the body goes during the motion, world, in scene units. Its arrow's tip can be dragged."
        copies_title("Moves by", note, vector17(body.displacement), f"displacement of {self._letter}", ask)
        moved = number_row("displacement", self._way, NAMES, body.displacement, theme, way_fault)
        note = "Rotation vector over the motion, world, in degrees: the axis, as long as the angle."
        shown = tuple(degrees_of(angle) for angle in body.angular_displacement)
        copies_title("Turns by", note, vector17(body.angular_displacement), f"turn of {self._letter}, radians", ask)
        turned = number_row("turn", self._turn, ("x°", "y°", "z°"), shown, theme)
        if moved is not None:
            return replace(body, displacement=with_component(body.displacement, *moved))
        if turned is not None:
            index, value = turned
            return replace(body, angular_displacement=with_component(body.angular_displacement, index, radians(value)))
        return None


class FlatMotionFields:
    """The same of a body of the plane, whose turn is one angle."""

    def __init__(self, index: int) -> None:
        self._letter = "AB"[index]
        self._way = [NumberField() for _ in range(2)]
        self._turn = [NumberField()]

    def draw(self, body: Body, theme: Theme, ask: Ask) -> Body | None:
        """Both rows; the body after an edit."""
        note = "Where the body goes during the motion, in scene units. Its arrow's tip can be dragged."
        copies_title("Moves by", note, vector17(body.displacement[:2]), f"displacement of {self._letter}", ask)
        moved = number_row("displacement", self._way, NAMES[:2], body.displacement[:2], theme, way_fault)
        turn = body.angular_displacement[2]
        note = (
            "Its turn during the motion, counter-clockwise, in degrees; files have it in radians, which a click copies."
        )
        copies_title("Turns by", note, full(turn), f"turn of {self._letter}, radians", ask)
        turned = number_row("turn", self._turn, ("°",), (degrees_of(turn),), theme, turn_fault)
        if moved is not None:
            return replace(body, displacement=with_component(body.displacement, *moved))
        if turned is not None:
            return replace(body, angular_displacement=(0.0, 0.0, radians(turned[1])))
        return None
