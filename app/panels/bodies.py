"""Bodies A and B in numbers: shape, position, rotation and size, each editable in full double precision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from imgui_bundle import imgui
from msgspec.structs import replace

from core.scene import Body, Scene

from ..draw.meshes.shape_kinds import (
    BORDER,
    LARGEST,
    SHAPE_KINDS,
    Parameter,
    ShapeKind,
    hull_points,
    kind_of,
    shape_digits,
    shape_fault,
)
from ..draw.theme import Theme
from ..state.panel_state import PanelState
from ..state.requests import Copy, Edit, Notify, Select
from ..words.axis_words import full
from .hull_fields import HullFields
from .motion_fields import MotionFields
from .numbers import NumberField, number_row, vector17, with_component
from .panel import Ask, Docked
from .reshaping import Reshaping
from .rotation_fields import FIELD_NAMES, RotationFields, RotationMode
from .widgets import TITLE_EMS, body_mark, button_width, copies_title, em, explain, flow, say

if TYPE_CHECKING:
    from .flat_bodies import FlatBodyEditor


def place_fault(value: float) -> str:
    """Refuses places that a scene file would not take."""
    return "" if abs(value) <= LARGEST else f"A position must lie within ±{LARGEST:g}."


class BodyEditor:
    """The fields of one body (0 for A, 1 for B)."""

    def __init__(self, index: int) -> None:
        self._index = index
        self._letter = "AB"[index]
        self._position = [NumberField() for _ in range(3)]
        self._turn = [NumberField() for _ in range(4)]
        self._rotation = RotationFields()
        self._sizes: dict[tuple[str, str], list[NumberField]] = {}
        self._hull = HullFields(index)
        self._motion = MotionFields(index)
        self._reshaping = Reshaping()
        self._document: Scene | None = None

    def draw(self, ui: PanelState, body: Body, ask: Ask) -> None:
        """All rows of the body."""
        self._forget_refusals(ui.document.saved)
        imgui.push_id(self._letter)
        self._draw_head(ui, body, ask)
        for changed, label in (
            (self._draw_shape(body, ui.theme, ask), "shape"),
            (self._draw_position(body, ui.theme, ask), "position"),
            (self._draw_rotation(body, ui.theme, ask), "rotation"),
            (self._draw_motion(ui, body, ask), "motion"),
        ):
            if changed is not None:
                ask.append(Edit(ui.document.scene.with_body(self._index, changed), f"Type {label} of {self._letter}"))
        self._draw_buttons(ui, body, ask)
        imgui.pop_id()

    def _forget_refusals(self, document: Scene) -> None:
        """With another document, what was wrong in the last one is of no interest."""
        if document is self._document:
            return
        self._document = document
        for field in (*self._position, *self._turn, *(field for row in self._sizes.values() for field in row)):
            field.refuse("", 0.0)

    def _draw_head(self, ui: PanelState, body: Body, ask: Ask) -> None:
        body_mark(self._index, ui.theme, imgui.get_frame_height())
        if imgui.is_item_hovered():
            imgui.set_mouse_cursor(imgui.MouseCursor_.hand)
            if imgui.is_mouse_clicked(imgui.MouseButton_.left):
                ask.append(Select(self._index))
        explain(f"Click to give body {self._letter} the handles")
        imgui.same_line()
        self._draw_choice(ui, body, ask)

    def _draw_choice(self, ui: PanelState, body: Body, ask: Ask) -> None:
        """Which shape the body is; another takes its place with like extents."""
        current, other = kind_of(body.shape), ui.document.scene.body(1 - self._index).shape
        imgui.set_next_item_width(imgui.get_content_region_avail().x)
        if not imgui.begin_combo("##shape", current.title):
            return
        for kind in SHAPE_KINDS:
            second = other.plane is not None and kind is kind_of(other)
            imgui.begin_disabled(second)
            if imgui.selectable(kind.title, kind is current)[0] and kind is not current:
                self._reshape(ui, body, kind, ask)
            imgui.end_disabled()
            if second:
                explain("Only one of the two can be a half-space")
        imgui.end_combo()

    def _reshape(self, ui: PanelState, body: Body, kind: ShapeKind, ask: Ask) -> None:
        other = ui.document.scene.body(1 - self._index).shape
        try:
            changed = replace(body, shape=self._reshaping.become(kind, body.shape, other))
        except ValueError as fault:
            ask.append(Notify(f"{self._letter} cannot become a {kind.title.lower()}: {fault}.", error=True))
            return
        ask.append(
            Edit(ui.document.scene.with_body(self._index, changed), f"Make {self._letter} a {kind.title.lower()}")
        )

    def _draw_shape(self, body: Body, theme: Theme, ask: Ask) -> Body | None:
        drawn = [self._hull.draw(body, theme, ask)] if hull_points(body.shape) else []
        parameters = (*kind_of(body.shape).parameters, BORDER)
        drawn += [self._draw_parameter(body, parameter, theme, ask) for parameter in parameters]
        return next((changed for changed in drawn if changed is not None), None)

    def _draw_parameter(self, body: Body, parameter: Parameter, theme: Theme, ask: Ask) -> Body | None:
        shape = body.shape
        fields = self._sizes.setdefault((kind_of(shape).name, parameter.key), [NumberField() for _ in parameter.names])
        values = parameter.values(shape)

        def refusal(value: float) -> str:
            fault = parameter.fault(value)
            return f"{parameter.title} {fault}." if fault else ""

        copied = vector17(values) if len(values) > 1 else full(values[0])
        copies_title(parameter.row, parameter.note, copied, f"{parameter.title.lower()} of {self._letter}", ask)
        edited = number_row(parameter.key, fields, parameter.names, values, theme, refusal)
        if edited is None:
            return None
        index, value = edited
        changed = parameter.changed(shape, index, value)
        _, fault = shape_fault(changed)
        if fault:
            fields[index].refuse(f"{parameter.title} {fault}.", values[index])
            return None
        return replace(body, shape=changed)

    def _draw_position(self, body: Body, theme: Theme, ask: Ask) -> Body | None:
        note = "World position of the shape's centre, in scene units."
        copies_title("Position", note, vector17(body.position), f"position of {self._letter}", ask)
        edited = number_row("position", self._position, ("x", "y", "z"), body.position, theme, place_fault)
        if edited is None:
            return None
        index, value = edited
        return replace(body, position=with_component(body.position, index, value))

    def _draw_rotation(self, body: Body, theme: Theme, ask: Ask) -> Body | None:
        values = self._rotation.values(body.rotation)
        note = "Euler angles are intrinsic: about x, then the turned y, then the turned z."
        copies_title("Rotation", note, vector17(values), f"rotation of {self._letter}", ask)
        imgui.set_next_item_width(imgui.get_content_region_avail().x)
        if imgui.begin_combo("##mode", self._rotation.mode):
            for mode in RotationMode:
                if imgui.selectable(mode, mode is self._rotation.mode)[0]:
                    self._rotation.mode = mode
            imgui.end_combo()
            values = self._rotation.values(body.rotation)
        fields = self._turn[: len(values)]
        imgui.set_cursor_pos_x(imgui.get_style().window_padding.x + TITLE_EMS * em())
        edited = number_row("rotation", fields, FIELD_NAMES[self._rotation.mode], values, theme)
        if remark := self._rotation.remark(body.rotation):
            say(remark, theme.dim_text)
        if edited is None:
            return None
        index, value = edited
        try:
            return replace(body, rotation=self._rotation.with_value(body.rotation, index, value))
        except ValueError as fault:
            fields[index].refuse(str(fault), values[index])
            return None

    def _draw_motion(self, ui: PanelState, body: Body, ask: Ask) -> Body | None:
        shown = ui.view.shows_motion(ui.document.scene)
        return self._motion.draw(body, ui.theme, ask) if shown else None

    def _draw_buttons(self, ui: PanelState, body: Body, ask: Ask) -> None:
        if imgui.button("Copy pose"):
            text = f'"position": {vector17(body.position)}, "rotation": {vector17(body.rotation)}'
            ask.append(Copy(text, f"pose of {self._letter}"))
        explain("Position and quaternion (w, x, y, z) with 17 digits, as in a scene file")
        flow(button_width("Copy size"))
        if imgui.button("Copy size"):
            ask.append(Copy(shape_digits(body.shape), f"size of {self._letter}"))
        flow(button_width("Reset"))
        original = ui.document.saved.body(self._index)
        imgui.begin_disabled(body == original)
        if imgui.button("Reset"):
            ask.append(Edit(ui.document.scene.with_body(self._index, original), f"Reset {self._letter}"))
        imgui.end_disabled()
        explain("Back to how it was opened or last saved")


class Bodies(Docked):
    """The docked panel with both bodies."""

    def __init__(self) -> None:
        self._editors: dict[int, Sequence[BodyEditor | FlatBodyEditor]] = {3: (BodyEditor(0), BodyEditor(1))}

    def _of(self, dimension: int) -> Sequence[BodyEditor | FlatBodyEditor]:
        if dimension not in self._editors:
            from .flat_bodies import FlatBodyEditor

            self._editors[dimension] = FlatBodyEditor(0), FlatBodyEditor(1)
        return self._editors[dimension]

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """The fields of A, then those of B."""
        scene = ui.document.scene
        for editor, body in zip(self._of(scene.dimension), (scene.a, scene.b), strict=True):
            editor.draw(ui, body, ask)
            imgui.separator()
        if imgui.button("Swap A and B"):
            ask.append(Edit(ui.document.scene.swapped(), "Swap A and B"))
