"""The panel with the bodies' numbers: shape, position, rotation and size, each editable in full double precision.

2D bodies have an angle, and a polygon has fields for its vertices.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from math import hypot, radians

from imgui_bundle import ImVec2, imgui
from msgspec.structs import replace

from core.geometry.vec2 import Vec2
from core.scene import Body, Scene
from core.shapes import Polygon, Shape, sharp_of, with_border
from core.shapes.polygon import MOST_CORNERS

from ..draw.meshes.mesh import corner_loop
from ..draw.theme import Theme
from ..shapes import (
    BORDER,
    FLAT_KINDS,
    LARGEST_NUMBER,
    SHAPE_KINDS,
    Parameter,
    ShapeKind,
    hull_points,
    kind_of,
    polygon_points,
    shape_digits,
    shape_fault,
)
from ..state.ask import Ask
from ..state.panel_state import PanelState
from ..words.digits import full
from .body_fields import (
    COORDINATE_NAMES,
    FIELD_NAMES,
    HullFields,
    MotionFields,
    Reshaping,
    RotationFields,
    RotationMode,
    degrees_of,
)
from .numbers import NumberField, number_row, refused_unless, vector17, with_component
from .panel import Docked
from .paste_points import PastePoints
from .text import TITLE_EMS, copies_title, em, explain, flow, hand, say
from .widgets import body_mark, button_width, choice, usable_button

MOST_ROWS = 40
"""The most vertices with fields; further vertices are edited in the file."""
REMOVE_LABEL, FEWEST_VERTICES = "×", 1
"""The label of the button that removes a vertex, and the number of vertices that must be left."""


class BodyEditor:
    """The fields of one body (0 for A, 1 for B).

    `kinds`: the offered shapes; `handles`, `place`, `pose_note`: words for 3D bodies.
    """

    kinds: tuple[ShapeKind, ...] = SHAPE_KINDS
    handles = "the handles"
    place = "position"
    pose_note = "Position and quaternion (w, x, y, z) with 17 digits, as in a scene file"

    def __init__(self, index: int, *, flat: bool = False) -> None:
        self._index = index
        self._letter = "AB"[index]
        self._position = [NumberField() for _ in range(2 if flat else 3)]
        self._turn = [NumberField() for _ in range(4)]
        self._rotation = RotationFields()
        self._sizes: dict[tuple[str, str], list[NumberField]] = {}
        self._hull = HullFields(index)
        self._motion = MotionFields(index, flat=flat)
        self._reshaping = Reshaping()
        self._document: Scene | None = None
        # Refuses values that a scene file would not accept.
        self._place_fault = refused_unless(
            lambda value: abs(value) <= LARGEST_NUMBER, f"A {self.place} must lie within ±{LARGEST_NUMBER:g}."
        )

    def draw(self, ui: PanelState, body: Body, ask: Ask) -> None:
        """Draws all rows of the body."""
        if ui.document.saved is not self._document:
            # Another document clears the refusals.
            self._document = ui.document.saved
            for field in (*self._position, *self._turn, *(field for row in self._sizes.values() for field in row)):
                field.refuse("", 0.0)
        imgui.push_id(self._letter)
        self._draw_head(ui, body, ask)
        for changed, label in self._rows(ui, body, ask):
            if changed is not None:
                self._ask_for(ui, changed, f"Type {label} of {self._letter}", ask)
        self._draw_buttons(ui, body, ask)
        imgui.pop_id()

    def _ask_for(self, ui: PanelState, changed: Body, label: str, ask: Ask) -> None:
        ask.edit(ui.document.scene.with_body(self._index, changed), label)

    def _rows(self, ui: PanelState, body: Body, ask: Ask) -> Iterator[tuple[Body | None, str]]:
        """Draws row after row; yields the body after an edit, else None, and the name of what was edited."""
        if hull_points(body.shape):
            yield self._hull.draw(body, ui.theme, ask), "shape"
        yield from self._draw_parameters(body, ui.theme, ask)
        yield self._draw_position(body, ui.theme, ask), "position"
        yield self._draw_rotation(body, ui.theme, ask), "rotation"
        yield from self._draw_motion(ui, body, ask)

    def _draw_head(self, ui: PanelState, body: Body, ask: Ask) -> None:
        body_mark(self._index, ui.theme, imgui.get_frame_height())
        hand()
        if imgui.is_item_clicked():
            ask.select(self._index)
        explain(f"Click to give body {self._letter} {self.handles}")
        imgui.same_line()
        self._draw_choice(ui, body, ask)

    def _draw_choice(self, ui: PanelState, body: Body, ask: Ask) -> None:
        """Draws the combo box of shapes, high enough for all; a shape of another kind gets similar extents."""
        current, other = kind_of(body.shape), ui.document.scene.body(1 - self._index).shape
        imgui.set_next_item_width(imgui.get_content_region_avail().x)
        if not imgui.begin_combo("##shape", current.title, imgui.ComboFlags_.height_large):
            return
        for kind in self.kinds:
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
            ask.notify(f"{self._letter} cannot become a {kind.title.lower()}: {fault}.", error=True)
            return
        self._ask_for(ui, changed, f"Make {self._letter} a {kind.title.lower()}", ask)

    def _draw_parameters(self, body: Body, theme: Theme, ask: Ask) -> Iterator[tuple[Body | None, str]]:
        for parameter in (*kind_of(body.shape).parameters, BORDER):
            yield self._draw_parameter(body, parameter, theme, ask), "shape"

    def _draw_parameter(self, body: Body, parameter: Parameter, theme: Theme, ask: Ask) -> Body | None:
        shape = body.shape
        fields = self._sizes.setdefault((kind_of(shape).name, parameter.key), [NumberField() for _ in parameter.names])
        values = parameter.values(shape)

        def refusal(value: float) -> str:
            fault = parameter.fault(value)
            return f"{parameter.title} {fault}." if fault else ""

        copied = vector17(values) if len(values) > 1 else full(values[0])
        copies_title(parameter.row_title, parameter.note, copied, f"{parameter.title.lower()} of {self._letter}", ask)
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
        values = body.position[: len(self._position)]
        note = "World position of the shape's centre, in scene units."
        copies_title("Position", note, vector17(values), f"position of {self._letter}", ask)
        edited = number_row(
            "position", self._position, COORDINATE_NAMES[: len(values)], values, theme, self._place_fault
        )
        return None if edited is None else replace(body, position=with_component(body.position, *edited))

    def _draw_rotation(self, body: Body, theme: Theme, ask: Ask) -> Body | None:
        values = self._rotation.values(body.rotation)
        note = "Euler angles are intrinsic: about x, then about the turned y, then about the turned z."
        copies_title("Rotation", note, vector17(values), f"rotation of {self._letter}", ask)
        modes = {mode: str(mode) for mode in RotationMode}
        self._rotation.mode = choice("##mode", modes, self._rotation.mode, imgui.get_content_region_avail().x)
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

    def _draw_motion(self, ui: PanelState, body: Body, ask: Ask) -> Iterator[tuple[Body | None, str]]:
        if ui.view.shows_motion(ui.document.scene):
            yield self._motion.draw(body, ui.theme, ask), "motion"

    def _draw_buttons(self, ui: PanelState, body: Body, ask: Ask) -> None:
        self._draw_copy_pose(f'"position": {vector17(body.position)}, "rotation": {vector17(body.rotation)}', ask)
        flow(button_width("Copy size"))
        if imgui.button("Copy size"):
            ask.copy(shape_digits(body.shape), f"size of {self._letter}")
        self._draw_reset(ui, body, ask)

    def _draw_copy_pose(self, pose: str, ask: Ask) -> None:
        if imgui.button("Copy pose"):
            ask.copy(pose, f"pose of {self._letter}")
        explain(self.pose_note)

    def _draw_reset(self, ui: PanelState, body: Body, ask: Ask) -> None:
        flow(button_width("Reset"))
        original = ui.document.saved.body(self._index)
        if usable_button("Reset", body != original):
            self._ask_for(ui, original, f"Reset {self._letter}", ask)
        explain("Back to how it was opened or last saved")


class FlatBodyEditor(BodyEditor):
    """The fields of a 2D body: one angle, and a polygon's vertices."""

    kinds = FLAT_KINDS
    handles = "the handles, a polygon's vertices among them"
    place = "coordinate"
    pose_note = "Position and angle with 17 digits, as in a scene file"

    def __init__(self, index: int) -> None:
        super().__init__(index, flat=True)
        self._points: list[list[NumberField]] = []
        self._on_the_way = UnfinishedPolygon()
        self._paste = PastePoints(2)

    def _rows(self, ui: PanelState, body: Body, ask: Ask) -> Iterator[tuple[Body | None, str]]:
        yield self._draw_position(body, ui.theme, ask), "position"
        yield self._draw_angle(body, ui.theme, ask), "angle"
        yield from self._draw_motion(ui, body, ask)
        yield from self._draw_parameters(body, ui.theme, ask)
        points = self._on_the_way.points(body.shape)
        while len(self._points) < min(len(points), MOST_ROWS):
            self._points.append([NumberField(), NumberField()])
        for number, (point, fields) in enumerate(zip(points, self._points, strict=False)):
            yield self._draw_point(ui, body, number, point, fields, ask), "shape"
        if self._on_the_way.fault:
            say(self._on_the_way.fault, ui.theme.overlap)

    def _draw_angle(self, body: Body, theme: Theme, ask: Ask) -> Body | None:
        note = "Counter-clockwise, in degrees; files have it in radians, which a click copies."
        copies_title("Angle", note, full(body.angle), f"angle of {self._letter} in radians", ask)
        edited = number_row("angle", self._turn[:1], ("°",), (degrees_of(body.angle),), theme, self._place_fault)
        return None if edited is None else replace(body, angle=radians(edited[1]))

    def _draw_point(
        self, ui: PanelState, body: Body, number: int, point: tuple[float, float], fields: list[NumberField], ask: Ask
    ) -> Body | None:
        name = f"{self._letter}.v{number}"
        copies_title(name, "In the body's frame; the polygon must be convex.", vector17(point), name, ask)
        fewer, taken = _draw_removal(body, number, name)
        edited = number_row(f"point{number}", fields, ("x", "y"), point, ui.theme, self._place_fault, taken)
        if fewer is not None:
            self._ask_for(ui, fewer, f"Remove {name}", ask)
        if edited is None:
            return None
        x, y = (edited[1] if k == edited[0] else value for k, value in enumerate(point))
        polygon = self._on_the_way.moved(body.shape, number, (x, y))
        return None if polygon is None else replace(body, shape=with_border(polygon, sharp_of(body.shape)[1]))

    def _draw_buttons(self, ui: PanelState, body: Body, ask: Ask) -> None:
        if points := polygon_points(body.shape):
            if imgui.button("Add a vertex"):
                self._add_vertex(ui, body, Polygon(points), ask)
            explain("Added on the longest side, a little outside")
            pasted = self._paste.draw(ui.theme)
            if pasted is not None:
                changed = replace(body, shape=with_border(pasted, sharp_of(body.shape)[1]))
                self._ask_for(ui, changed, f"Type shape of {self._letter}", ask)
            flow(button_width("Copy pose"))
        self._draw_copy_pose(f'"position": {vector17(body.position[:2])}, "rotation": {full(body.angle)}', ask)
        self._draw_reset(ui, body, ask)
        imgui.dummy(ImVec2(0.0, 0.1 * em()))

    def _add_vertex(self, ui: PanelState, body: Body, shape: Polygon, ask: Ask) -> None:
        try:
            grown = with_another_vertex(shape)
        except ValueError as fault:
            ask.notify(f"{self._letter} keeps its vertices: {fault}.", error=True)
            return
        changed = replace(body, shape=with_border(grown, sharp_of(body.shape)[1]))
        self._ask_for(ui, changed, f"Add a vertex to {self._letter}", ask)


class UnfinishedPolygon:
    """The points of a polygon while they are typed number by number; between two numbers they may be concave.

    `fault`: the reason why the typed points make no polygon, else "".
    """

    def __init__(self) -> None:
        self.fault = ""
        self._of: Shape | None = None
        self._points: tuple[Vec2, ...] = ()

    def points(self, shape: Shape) -> tuple[Vec2, ...]:
        """The typed points while they make no polygon, else those of `shape`; a new `shape` discards the typed ones."""
        if self._of is not None and shape != self._of:
            self._of, self.fault = None, ""
        return polygon_points(shape) if self._of is None else self._points

    def moved(self, shape: Shape, number: int, point: Vec2) -> Polygon | None:
        """The polygon with point `number` replaced.

        None, with the reason in `fault`, if a vertex would not be a corner of it.
        """
        points = self.points(shape)
        points = (*points[:number], point, *points[number + 1 :])
        try:
            polygon = Polygon(points)
            if len(polygon.ring) < len(corner_loop(shape)):
                raise ValueError("a vertex would no longer be a corner")
        except ValueError as fault:
            self._of, self._points = shape, points
            self.fault = f"Not used yet: {fault}. Points count from 0."
            return None
        self._of, self.fault = None, ""
        return polygon


def with_another_vertex(polygon: Polygon) -> Polygon:
    """The polygon with a new vertex a little outside the middle of its longest side.

    Points that are no corners are left out. A polygon of one vertex gets a second one, at distance 1 along x. Raises
    ValueError if there is no room, or with MOST_CORNERS corners.
    """
    ring, points = polygon.ring, polygon.points
    if len(ring) >= MOST_CORNERS:
        raise ValueError(f"a polygon has at most {MOST_CORNERS:,} of them")
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
        with suppress(ValueError):
            grown = Polygon((*corners[: longest + 1], fresh, *corners[longest + 1 :]))
            if len(grown.ring) == len(ring) + 1:
                return grown
        out *= 0.5
    raise ValueError("there is no room for another vertex")


def _draw_removal(body: Body, number: int, name: str) -> tuple[Body | None, float]:
    """Draws a button that removes a vertex; returns the body without it, None until pressed, and the button's width."""
    width = button_width(REMOVE_LABEL)
    taken = width + imgui.get_style().item_inner_spacing.x
    start = imgui.get_cursor_pos()
    imgui.set_cursor_pos_x(start.x + imgui.get_content_region_avail().x - width)
    others = set(corner_loop(body.shape)) - {number}
    pressed = usable_button(f"{REMOVE_LABEL}##{number}", len(others) >= FEWEST_VERTICES)
    explain(f"Remove {name}" if len(others) >= FEWEST_VERTICES else "A polygon needs a vertex")
    imgui.set_cursor_pos(start)
    if not pressed:
        return None, taken
    points = polygon_points(body.shape)
    fewer = Polygon(points[:number] + points[number + 1 :])
    return replace(body, shape=with_border(fewer, sharp_of(body.shape)[1])), taken


class Bodies(Docked):
    """The docked panel with both bodies."""

    def __init__(self) -> None:
        self._editors = {2: (FlatBodyEditor(0), FlatBodyEditor(1)), 3: (BodyEditor(0), BodyEditor(1))}

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the fields of A, those of B, and the button that swaps both."""
        scene = ui.document.scene
        for editor, body in zip(self._editors[scene.dimension], (scene.a, scene.b), strict=True):
            editor.draw(ui, body, ask)
            imgui.separator()
        if imgui.button("Swap A and B"):
            ask.edit(ui.document.scene.swapped(), "Swap A and B")
