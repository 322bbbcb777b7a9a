"""Input state of a body's fields between frames: rotation, motion, the hull's points, previous shapes.

A rotation is typed as a quaternion, as axis and angle, or as Euler angles XYZ. None of the three forms keeps its
digits when it is computed from the stored rotation, and typing one number must not change the others. So the typed
numbers are kept for the rotation that they gave.
"""

from __future__ import annotations

from enum import StrEnum
from math import degrees, hypot, radians

from imgui_bundle import imgui
from msgspec.structs import replace

from core.geometry import quaternion
from core.geometry.quaternion import Quaternion
from core.scene import Body
from core.shapes import Shape, mesh_source, sharp_of, with_border

from ..draw.theme import Theme
from ..shapes import LARGEST_NUMBER, ShapeKind, extents_like, kind_of
from ..state.ask import Ask
from ..words.digits import full
from .numbers import NumberField, number_row, refused_unless, say_refusals, vector17, with_component
from .paste_points import PastePoints, points_words
from .text import copies_title, explain, row_title, say

Values = tuple[float, ...]

UNIT_SLACK = 1e-9
"""A typed quaternion whose length differs from 1 by less than this counts as unit."""
_REMEMBERED = 64


class RotationMode(StrEnum):
    """The form in which the rotation is typed."""

    EULER = "Euler XYZ, degrees"
    AXIS_ANGLE = "Axis and angle"
    QUATERNION = "Quaternion w x y z"


FIELD_NAMES: dict[RotationMode, tuple[str, ...]] = {
    RotationMode.EULER: ("x°", "y°", "z°"),
    RotationMode.AXIS_ANGLE: ("x", "y", "z", "angle°"),
    RotationMode.QUATERNION: ("w", "x", "y", "z"),
}


class RotationFields:
    """The numbers in the rotation's fields of one body."""

    def __init__(self) -> None:
        self.mode = RotationMode.EULER
        self._typed: dict[tuple[RotationMode, Quaternion], Values] = {}

    def values(self, rotation: Quaternion) -> Values:
        """The numbers for the fields: those typed for this rotation, else computed from it."""
        typed = self._typed.get((self.mode, rotation))
        return typed if typed is not None else _values_of(self.mode, rotation)

    def remark(self, rotation: Quaternion) -> str:
        """A sentence on how the typed numbers are changed; "" if they are used unchanged."""
        if self.mode is not RotationMode.QUATERNION or abs(hypot(*self.values(rotation)) - 1.0) < UNIT_SLACK:
            return ""
        return "Used with length 1."

    def with_value(self, rotation: Quaternion, index: int, value: float) -> Quaternion:
        """The rotation after field `index` was set to `value`.

        Raises ValueError, with a sentence for the user, if the numbers are no rotation.
        """
        old = self.values(rotation)
        new = (*old[:index], value, *old[index + 1 :])
        result = _rotation_of(self.mode, new)
        # The old numbers are kept too: undo restores the rotation that they gave.
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
    """The values rounded (30 for 29.999999999999996), if they then give the same rotation."""
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


COORDINATE_NAMES = ("x", "y", "z")


def degrees_of(angle: float) -> float:
    """The angle in degrees, rounded (30 for 29.999999999999996) if that gives the same radians."""
    shown = degrees(angle)
    tidy = round(shown, 12) + 0.0
    return tidy if radians(tidy) == angle else shown


# Refuses values that a scene file would not accept.
way_fault = refused_unless(
    lambda value: abs(value) <= LARGEST_NUMBER, f"A displacement must lie within ±{LARGEST_NUMBER:g}."
)
turn_fault = refused_unless(
    lambda turn: abs(radians(turn)) <= LARGEST_NUMBER, f"A turn must lie within ±{LARGEST_NUMBER:g} radians."
)
scale_fault = refused_unless(lambda value: value > 0.0, "A scale must be > 0.")


class MotionFields:
    """The fields of a body's displacement, and of its angular displacement in degrees.

    In 2D (`flat`) the displacement has two components, and the turn is one angle.
    """

    def __init__(self, index: int, *, flat: bool = False) -> None:
        self._letter, self._flat = "AB"[index], flat
        self._way = [NumberField() for _ in range(2 if flat else 3)]
        self._turn = [NumberField() for _ in range(1 if flat else 3)]

    def draw(self, body: Body, theme: Theme, ask: Ask) -> Body | None:
        """Draws both rows; returns the body after an edit, else None."""
        way, turn = body.displacement[: len(self._way)], body.angular_displacement[-len(self._turn) :]
        frame = "" if self._flat else "world, "
        note = (
            f"How far and in which direction the body moves from t = 0 to t = 1, {frame}in scene units. You can "
            "drag the tip of its arrow."
        )
        copies_title("Moves by", note, vector17(way), f"displacement of {self._letter}", ask)
        moved = number_row("displacement", self._way, COORDINATE_NAMES[: len(way)], way, theme, way_fault)
        note = "Rotation during the motion, in world axes and degrees: a vector along the axis, as long as the angle."
        if self._flat:
            what = "Rotation during the motion, counter-clockwise, in degrees"
            note = f"{what}; files have it in radians, which a click copies."
        copied = full(turn[0]) if self._flat else vector17(turn)
        copies_title("Turns by", note, copied, f"turn of {self._letter}, radians", ask)
        shown = tuple(degrees_of(angle) for angle in turn)
        turned = number_row("turn", self._turn, ("°",) if self._flat else ("x°", "y°", "z°"), shown, theme, turn_fault)
        if moved is not None:
            return replace(body, displacement=with_component(body.displacement, *moved))
        if turned is not None:
            part = 3 - len(turn) + turned[0]
            return replace(
                body, angular_displacement=with_component(body.angular_displacement, part, radians(turned[1]))
            )
        return None


class HullFields:
    """The fields of the hull of body `index`: its points and its scale."""

    def __init__(self, index: int) -> None:
        self._index = index
        self._scale = NumberField()
        self._paste = PastePoints(3)

    def draw(self, body: Body, theme: Theme, ask: Ask) -> Body | None:
        """Draws the rows; returns the body after an edit, else None."""
        row_title("Points", "In the body's frame. Points inside the hull or on its faces are not corners.")
        imgui.align_text_to_frame_padding()
        say(points_words(body.shape))
        if mesh := mesh_source(body.shape):
            parts = f"a mesh of {mesh.parts:,} parts" if mesh.parts > 1 else "a mesh that is not convex"
            say(f"The hull of {mesh.file}, {parts}.")
        if imgui.button("From file …"):
            ask.invoke(f"hull.{'ab'[self._index]}")
        explain("An OBJ or STL mesh: the hull of its points")
        pasted = self._paste.draw(theme)
        resized = self._draw_scale(body.shape, theme)
        shape = resized if pasted is None else with_border(pasted, sharp_of(body.shape)[1])
        return None if shape is None else replace(body, shape=shape)

    def _draw_scale(self, shape: Shape, theme: Theme) -> Shape | None:
        row_title("Scale", "Multiplies every point by the number typed, about the body's position.")
        scaled = kind_of(shape).scaled
        factor = self._scale.draw("##scale0", 1.0, imgui.get_content_region_avail().x, scale_fault)
        found = None
        if factor is not None and scaled is not None:
            try:
                found = scaled(shape, factor)
            except ValueError as fault:
                self._scale.refuse(str(fault), 1.0)
        say_refusals([self._scale], theme)
        return found


class Reshaping:
    """Remembers a body's previous shapes by kind, until a shape is edited."""

    def __init__(self) -> None:
        self._made: Shape | None = None
        self._past: dict[str, Shape] = {}

    def become(self, kind: ShapeKind, shape: Shape, other: Shape) -> Shape:
        """`shape` as another kind; `other`: the other body's shape, whose extents are used if `shape` has none.

        A kind that the body had before gets its previous shape. Raises ValueError if `shape` cannot become this kind.
        """
        if shape != self._made:
            self._past = {}
        known = self._past.get(kind.name)
        sharp, border = sharp_of(shape)
        extents = extents_like(sharp) or extents_like(other) or (1.0, 1.0, 1.0)
        made = with_border(kind.like(sharp, extents), border) if known is None else known
        self._past[kind_of(shape).name] = shape
        self._made = made
        return made
