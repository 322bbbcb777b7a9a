"""Bodies of the plane in numbers: position, angle, and a polygon's vertices or a circle's radius, to edit."""

from __future__ import annotations

from math import hypot, radians

from imgui_bundle import ImVec2, imgui
from msgspec.structs import replace

from core.scene import Body
from core.shapes import Polygon, sharp_of, with_border

from ..draw.meshes.shape_kinds import BORDER, FLAT_KINDS, LARGEST, Parameter, extents_like, kind_of, polygon_points
from ..draw.meshes.shape_look import corner_loop
from ..draw.theme import Theme
from ..input.flat_tool import with_vertex
from ..state.panel_state import PanelState
from ..state.requests import Copy, Edit, Notify, Select
from ..words.axis_words import full
from .motion_fields import FlatMotionFields, degrees_of
from .number_field import NumberField
from .number_row import number_row
from .numbers import vector17
from .panel import Ask
from .widgets import body_mark, button_width, copies_title, em, explain, flow, hand

MOST_ROWS = 40
"""Vertices that have fields; a polygon of more is edited in its file."""
REMOVE, FEWEST = "×", 1
"""The button that removes a vertex, and how many vertices must be left."""


def with_another_vertex(polygon: Polygon) -> Polygon:
    """With one vertex more, a little outside the middle of the longest side; of a point one beside it.

    Raises ValueError without room.
    """
    ring, points = polygon.ring, polygon.points
    if len(ring) == 1:
        (x, y), *_ = points
        return Polygon(((x, y), (x + 1.0, y)))
    sides = [(points[number], points[ring[(k + 1) % len(ring)]]) for k, number in enumerate(ring)]
    longest = max(range(len(ring)), key=lambda k: hypot(*(q - p for p, q in zip(*sides[k], strict=True))))
    (ax, ay), (bx, by) = sides[longest]
    nx, ny = polygon.edge_normals[longest]
    out = 0.1 * hypot(bx - ax, by - ay)
    corners = [points[number] for number in ring]
    for _ in range(24):
        fresh = (0.5 * (ax + bx) + out * nx, 0.5 * (ay + by) + out * ny)
        try:
            grown = Polygon((*corners[: longest + 1], fresh, *corners[longest + 1 :]))
        except ValueError:
            out *= 0.5
            continue
        if len(grown.ring) == len(ring) + 1:
            return grown
        out *= 0.5
    raise ValueError("there is no room for another vertex")


class FlatBodyEditor:
    """The fields of one body (0 for A, 1 for B)."""

    def __init__(self, index: int) -> None:
        self._index = index
        self._letter = "AB"[index]
        self._position = [NumberField() for _ in range(2)]
        self._angle = [NumberField()]
        self._sizes: dict[str, list[NumberField]] = {}
        self._motion = FlatMotionFields(index)
        self._points: list[list[NumberField]] = []

    def draw(self, ui: PanelState, body: Body, ask: Ask) -> None:
        """All rows of the body."""
        imgui.push_id(f"flat{self._letter}")
        self._draw_head(ui, body, ask)
        for changed, label in (
            (self._draw_position(body, ui.theme, ask), "position"),
            (self._draw_angle(body, ui.theme, ask), "angle"),
            (self._motion.draw(body, ui.theme, ask) if ui.view.shows_motion(ui.document.scene) else None, "motion"),
            (self._draw_shape(ui, body, ask), "shape"),
        ):
            if changed is not None:
                ask.append(Edit(ui.document.scene.with_body(self._index, changed), f"Type {label} of {self._letter}"))
        self._draw_buttons(ui, body, ask)
        imgui.pop_id()

    def _draw_head(self, ui: PanelState, body: Body, ask: Ask) -> None:
        body_mark(self._index, ui.theme, imgui.get_frame_height())
        hand()
        if imgui.is_item_clicked():
            ask.append(Select(self._index))
        explain(f"Click to give body {self._letter} the handles, a polygon's vertices among them")
        imgui.same_line()
        imgui.set_next_item_width(imgui.get_content_region_avail().x)
        current = kind_of(body.shape)
        if not imgui.begin_combo("##shape", current.title):
            return
        for kind in FLAT_KINDS:
            if imgui.selectable(kind.title, kind is current)[0] and kind is not current:
                sharp, border = sharp_of(body.shape)
                shape = with_border(kind.like(sharp, extents_like(sharp) or (1.0, 1.0, 1.0)), border)
                changed = ui.document.scene.with_body(self._index, replace(body, shape=shape))
                ask.append(Edit(changed, f"Make {self._letter} a {kind.title.lower()}"))
        imgui.end_combo()

    def _draw_position(self, body: Body, theme: Theme, ask: Ask) -> Body | None:
        values = body.position[:2]
        note = "World position of the shape's centre, in scene units."
        copies_title("Position", note, vector17(values), f"position of {self._letter}", ask)
        edited = number_row("position", self._position, ("x", "y"), values, theme, _place_fault)
        if edited is None:
            return None
        x, y = (edited[1] if k == edited[0] else value for k, value in enumerate(values))
        return replace(body, position=(x, y, 0.0))

    def _draw_angle(self, body: Body, theme: Theme, ask: Ask) -> Body | None:
        note = "Counter-clockwise, in degrees; files have it in radians, which a click copies."
        copies_title("Angle", note, full(body.angle), f"angle of {self._letter} in radians", ask)
        edited = number_row("angle", self._angle, ("°",), (degrees_of(body.angle),), theme, _place_fault)
        return None if edited is None else replace(body, angle=radians(edited[1]))

    def _draw_shape(self, ui: PanelState, body: Body, ask: Ask) -> Body | None:
        found = None
        for parameter in (*kind_of(body.shape).parameters, BORDER):
            found = self._draw_parameter(body, parameter, ui.theme, ask) or found
        points = polygon_points(body.shape)
        while len(self._points) < min(len(points), MOST_ROWS):
            self._points.append([NumberField(), NumberField()])
        for number, (point, fields) in enumerate(zip(points, self._points, strict=False)):
            found = self._draw_point(ui, body, number, point, fields, ask) or found
        return found

    def _draw_parameter(self, body: Body, parameter: Parameter, theme: Theme, ask: Ask) -> Body | None:
        (value,) = parameter.values(body.shape)
        copies_title(parameter.row, parameter.note, full(value), f"{parameter.title.lower()} of {self._letter}", ask)
        fields = self._sizes.setdefault(parameter.key, [NumberField()])

        def refusal(value: float) -> str:
            fault = parameter.fault(value)
            return f"{parameter.title} {fault}." if fault else ""

        edited = number_row(parameter.key, fields, parameter.names, (value,), theme, refusal)
        return None if edited is None else replace(body, shape=parameter.changed(body.shape, 0, edited[1]))

    def _draw_point(
        self,
        ui: PanelState,
        body: Body,
        number: int,
        point: tuple[float, float],
        fields: list[NumberField],
        ask: Ask,
    ) -> Body | None:
        name = f"{self._letter}.v{number}"
        copies_title(name, "In the body's frame; the polygon stays convex.", vector17(point), name, ask)
        fewer, taken = _draw_removal(body, number, name)
        edited = number_row(f"point{number}", fields, ("x", "y"), point, ui.theme, _place_fault, taken)
        if fewer is not None:
            ask.append(Edit(ui.document.scene.with_body(self._index, fewer), f"Remove {name}"))
        if edited is None:
            return None
        x, y = (edited[1] if k == edited[0] else value for k, value in enumerate(point))
        try:
            return with_vertex(body, number, (x, y))
        except ValueError as fault:
            fields[edited[0]].refuse(f"{name} cannot be there: {fault}.", point[edited[0]])
            return None

    def _draw_buttons(self, ui: PanelState, body: Body, ask: Ask) -> None:
        if points := polygon_points(body.shape):
            if imgui.button("Add a vertex"):
                self._add_vertex(ui, body, Polygon(points), ask)
            explain("On the longest side, a little outside")
            flow(button_width("Copy pose"))
        if imgui.button("Copy pose"):
            text = f'"position": {vector17(body.position[:2])}, "rotation": {full(body.angle)}'
            ask.append(Copy(text, f"pose of {self._letter}"))
        explain("Position and angle with 17 digits, as in a scene file")
        flow(button_width("Reset"))
        original = ui.document.saved.body(self._index)
        imgui.begin_disabled(body == original)
        if imgui.button("Reset"):
            ask.append(Edit(ui.document.scene.with_body(self._index, original), f"Reset {self._letter}"))
        imgui.end_disabled()
        explain("Back to how it was opened or last saved")
        imgui.dummy(ImVec2(0.0, 0.1 * em()))

    def _add_vertex(self, ui: PanelState, body: Body, shape: Polygon, ask: Ask) -> None:
        try:
            grown = with_another_vertex(shape)
        except ValueError as fault:
            ask.append(Notify(f"{self._letter} keeps its vertices: {fault}.", error=True))
            return
        changed = replace(body, shape=with_border(grown, sharp_of(body.shape)[1]))
        ask.append(Edit(ui.document.scene.with_body(self._index, changed), f"Add a vertex to {self._letter}"))


def _draw_removal(body: Body, number: int, name: str) -> tuple[Body | None, float]:
    """A button at the line's end that removes a vertex: the body without it once pressed, and the button's room."""
    width = button_width(REMOVE)
    taken = width + imgui.get_style().item_inner_spacing.x
    start = imgui.get_cursor_pos()
    imgui.set_cursor_pos_x(start.x + imgui.get_content_region_avail().x - width)
    others = set(corner_loop(body.shape)) - {number}
    imgui.begin_disabled(len(others) < FEWEST)
    pressed = imgui.button(f"{REMOVE}##{number}")
    imgui.end_disabled()
    explain(f"Remove {name}" if len(others) >= FEWEST else "A polygon needs a vertex")
    imgui.set_cursor_pos(start)
    if not pressed:
        return None, taken
    points = polygon_points(body.shape)
    return replace(
        body, shape=with_border(Polygon(points[:number] + points[number + 1 :]), sharp_of(body.shape)[1])
    ), taken


def _place_fault(value: float) -> str:
    return "" if abs(value) <= LARGEST else f"A coordinate must lie within ±{LARGEST:g}."
