"""The window in which a pair is pasted as text, with the text's form and a preview of the pair.

All forms that claim a text read it. If they read different pairs, each pair is shown with a button. A text of numbers
alone, which no form reads, is read in an order that the user chooses.
"""

from __future__ import annotations

from math import degrees

import numpy as np
from imgui_bundle import ImVec2, imgui
from msgspec import Struct

from core.analysis.analysis import Analysis, analyse
from core.geometry.vector import Array, product
from core.scene import Body, Scene

from ..draw.camera import Camera, Projection
from ..draw.draw_list import Rgba
from ..draw.theme import Theme, faded
from ..forms.form import NotUnderstoodError, ReadPair
from ..forms.numbers import Conventions, expected, numbers_in, read_numbers
from ..forms.registry import BY_NAME, NUMBERS, read_text
from ..render.framing import body_points
from ..shapes import polygon_points, shape_words
from ..state.ask import Ask
from ..state.panel_state import PanelState
from ..state.view import View
from ..words.axis_words import verdict_line
from ..words.digits import tabular
from .number_conventions import draw_conventions, titled
from .numbers import short, short_vector
from .text import em, explain, flow, say
from .widgets import (
    HEAD_GAP,
    body_mark,
    button_width,
    dialog,
    enter_pressed,
    u32,
    usable_button,
    verdict_mark,
    walk_by_keys,
)

SPOT = 2.0
"""Radius of the dot that draws a point, pixels."""
FACE_OPACITY, HIDDEN_OPACITY = 0.45, 0.35
"""Opacity of a face, and of an edge behind the body."""


def draw_pair(scene: Scene, theme: Theme, width: float, height: float, *, z_up: bool) -> None:
    """Draws an item of this size, in imgui's units, that shows both bodies from the camera of a new view.

    `z_up`: the world's vertical axis is z, not y.
    """
    at = imgui.get_cursor_screen_pos()
    imgui.dummy(ImVec2(width, height))
    points = np.concatenate([body_points(scene, index) for index in (0, 1)])
    camera = View(world=Camera(z_up=z_up)).facing(scene).world
    projection = Projection(camera.framed(points, width / height, 1.25), width, height)
    far_first = sorted((0, 1), key=lambda k: -projection.project(scene.body(k).pose.position[None])[0, 2])
    draw = imgui.get_window_draw_list()
    draw.push_clip_rect(at, ImVec2(at.x + width, at.y + height), True)
    for index in far_first:
        _draw_body(scene, index, theme.body(index), at, projection)
    draw.pop_clip_rect()


def _draw_body(scene: Scene, index: int, rgba: Rgba, at: ImVec2, projection: Projection) -> None:
    draw, body = imgui.get_window_draw_list(), scene.body(index)
    line, fill, hidden = u32(rgba), u32(faded(rgba, FACE_OPACITY)), u32(faded(rgba, HIDDEN_OPACITY))
    solid = body.shape.polyhedron
    if solid is None:
        outline = _placed(_outline(projection.project(_rim(scene, index, projection.camera))[:, :2]), at)
        draw.add_convex_poly_filled(outline, fill)
        draw.add_polyline(outline, line, 1.0, imgui.ImDrawFlags_.closed)
        return
    corners = projection.project(body.pose.to_world(solid.vertices))[:, :2]
    if not solid.faces:
        ends = _placed(corners, at)
        draw.add_line(ends[0], ends[-1], line, 1.5)
        draw.add_circle_filled(ends[0], SPOT, line)
    loops = [corners[list(loop)] for loop in solid.faces]
    for loop in sorted(loops, key=_faces_viewer):
        if _faces_viewer(loop):
            draw.add_convex_poly_filled(_placed(loop, at), fill)
        draw.add_polyline(_placed(loop, at), line if _faces_viewer(loop) else hidden, 1.0, imgui.ImDrawFlags_.closed)


def _placed(loop: Array, at: ImVec2) -> list[imgui.ImVec2Like]:
    return [ImVec2(at.x + x, at.y + y) for x, y in loop.tolist()]


def _rim(scene: Scene, index: int, camera: Camera) -> Array:
    """World points (n, 3) on a curved body that include its outline: support points in directions across the view."""
    body = scene.body(index)
    if body.shape.plane is not None:
        return body_points(scene, index)
    right, up, _ = camera.basis()
    turn = np.linspace(0.0, 2.0 * np.pi, 96, endpoint=False)
    ways = np.outer(np.cos(turn), right) + np.outer(np.sin(turn), up)
    own = np.array([body.shape.support(way) for way in product(ways, body.pose.matrix[:3, :3])])
    return body.pose.to_world(own)


def _outline(points: Array) -> Array:
    """Corners (k, 2) of the points' convex hull, clockwise on the screen: the farthest points in 96 directions."""
    turn = np.linspace(0.0, 2.0 * np.pi, 96, endpoint=False)
    rows = product(points, np.stack((np.cos(turn), np.sin(turn)))).argmax(axis=0)
    corners: Array = points[rows[rows != np.roll(rows, 1)]]
    return corners


def _faces_viewer(loop: Array) -> bool:
    """Whether a face, (n, 2) in pixels, y down, is seen from outside: it is then counter-clockwise on the screen."""
    x, y = loop.T
    return float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum()) < 0.0


WINDOW_TITLE = "Pasted pair"
BY_ITSELF = ""
CHOICES = {BY_ITSELF: "found by itself"} | {name: form.title for name, form in BY_NAME.items()}
CHOICES |= {NUMBERS: "numbers, in an order of your own"}
"""The titles of the forms that can be chosen; the first lets all forms read the text."""
READER_TITLES = CHOICES | {"scene": "a scene"}
MOST_SHOWN = 60
"""The most numbers found that are listed."""
EMPTY = "Paste two bodies above, as an engine, a robot's file or a tutorial has them, or their numbers alone."
SEVERAL = "The text can be read in more than one way. Choose the one that is meant:"
LOW_HEIGHTS, FULL_HEIGHTS = (4.0, 6.5), (8.0, 10.0)
"""Heights of the text and of a picture, ems: in a low window, and otherwise."""
LOW_WINDOW_EMS = 40.0
NARROWEST = 17.0
"""The least width of a preview beside another one, ems."""


class _Preview(Struct, frozen=True):
    """A pair as one form reads it."""

    form: str
    pair: ReadPair
    analysis: Analysis


class PastePair:
    """The window in which a pair is pasted; a preview shows at once how the text is read."""

    def __init__(self) -> None:
        self._text = ""
        self._form = BY_ITSELF
        self._conventions = Conventions()
        self._read: tuple[str, Conventions, str] | None = None
        self._by_numbers = False
        self._previews: tuple[_Preview, ...] = ()
        self._fault = ""
        self._open, self._fields = False, 0

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the window while `dialogs.paste` is true; as long as it is, Tab and the arrows reach its items."""
        appearing = ui.dialogs.paste and not self._open
        self._open = ui.dialogs.paste
        walk_by_keys(on=self._open)
        with dialog(ui, "paste", "Paste a pair", (40.0, 45.0)) as shown:
            if shown:
                self._draw_inside(ui, appearing, ask)

    def _draw_inside(self, ui: PanelState, appearing: bool, ask: Ask) -> None:
        if ui.dialogs.pasted is not None:
            self._text, ui.dialogs.pasted, self._form = ui.dialogs.pasted, None, BY_ITSELF
            # A field that is being typed in keeps its own text: the new text gets a field of its own.
            self._fields, appearing = self._fields + 1, True
        written, drawn = LOW_HEIGHTS if imgui.get_window_height() < LOW_WINDOW_EMS * em() else FULL_HEIGHTS
        # The buttons stay visible below the content, which may be longer than the window.
        below = imgui.get_frame_height_with_spacing()
        if imgui.begin_child("##inside", ImVec2(0.0, -below), imgui.ChildFlags_.nav_flattened):
            if appearing:
                imgui.set_keyboard_focus_here()
            label, size = f"##text {self._fields}", ImVec2(-1.0, written * em())
            self._text = imgui.input_text_multiline(label, self._text, size)[1]
            self._form = titled("Form", CHOICES, self._form, 16.0)
            self._read_again()
            if self._by_numbers:
                self._conventions = draw_conventions(self._conventions)
                self._read_again()
            self._draw_read(ui, drawn * em(), ask)
        imgui.end_child()
        if len(self._previews) < 2:
            self._draw_use(ui, ask)
        if imgui.button("Cancel"):
            ui.dialogs.paste = False

    def _draw_use(self, ui: PanelState, ask: Ask) -> None:
        """Draws the button that uses the only pair, disabled if there is none."""
        used = usable_button("Use this pair", bool(self._previews))
        explain("Ctrl+Enter")
        if self._previews and (used or (imgui.get_io().key_ctrl and enter_pressed())):
            _take(self._previews[0], ui, ask)
        flow(button_width("Cancel"))

    def _draw_read(self, ui: PanelState, height: float, ask: Ask) -> None:
        """Draws the pair or pairs that were read, or the reason why the text could not be read."""
        if not self._text.strip():
            say(EMPTY, ui.theme.dim_text)
            if self._by_numbers:
                say(f"Expected in this order: {expected(self._conventions)}.", ui.theme.dim_text)
        elif self._fault:
            imgui.separator_text("Not read")
            say(self._fault, ui.theme.overlap)
            if self._by_numbers:
                say(found_words(self._text), ui.theme.dim_text)
        elif len(self._previews) == 1:
            imgui.separator_text(f"Read as {READER_TITLES[self._previews[0].form]}")
            _draw_preview(self._previews[0], ui, height)
        else:
            self._draw_several(ui, height, ask)

    def _read_again(self) -> None:
        if self._read == (self._text, self._conventions, self._form):
            return
        self._read = (self._text, self._conventions, self._form)
        self._previews, self._fault, self._by_numbers = (), "", self._form == NUMBERS
        if not self._text.strip():
            return
        try:
            pairs = {NUMBERS: read_numbers(self._text, self._conventions)} if self._by_numbers else self._by_forms()
        except NotUnderstoodError as refusal:
            self._fault = str(refusal)
            return
        self._previews = tuple(_Preview(form, pair, analyse(pair.scene)) for form, pair in pairs.items())

    def _by_forms(self) -> dict[str, ReadPair]:
        """The different pairs by form, read by the chosen form or by all forms that claim the text.

        A text of numbers alone sets `_by_numbers`. Raises NotUnderstoodError if no form reads the text.
        """
        reading = read_text(self._text, self._form)
        if reading.numbers_alone:
            self._by_numbers = True
            return {NUMBERS: read_numbers(self._text, self._conventions)}
        return {name: reading.pairs[name] for name in reading.different} or {"": reading.pair}

    def _draw_several(self, ui: PanelState, height: float, ask: Ask) -> None:
        """Draws the previews side by side, or below each other if there is no room, each with a button to use it."""
        say(SEVERAL, ui.theme.winner)
        room, count = imgui.get_content_region_avail().x, len(self._previews)
        if not imgui.begin_table("##readings", count if room >= count * NARROWEST * em() else 1):
            return
        for preview in self._previews:
            imgui.table_next_column()
            if imgui.button(f"Use as {READER_TITLES[preview.form]}"):
                _take(preview, ui, ask)
            _draw_preview(preview, ui, height)
        imgui.end_table()


def _take(preview: _Preview, ui: PanelState, ask: Ask) -> None:
    ask.open_scene(preview.pair.scene, None, WINDOW_TITLE)
    ui.dialogs.paste = False


def _draw_preview(preview: _Preview, ui: PanelState, height: float) -> None:
    scene, theme = preview.pair.scene, ui.theme
    draw_pair(scene, theme, imgui.get_content_region_avail().x, height, z_up=ui.settings.z_up)
    for index in (0, 1):
        body_mark(index, theme)
        imgui.same_line()
        say(body_words(scene.body(index), flat=preview.analysis.polygon is not None))
    verdict_mark(preview.analysis.verdict, theme)
    imgui.same_line(0.0, HEAD_GAP * em())
    say(verdict_line(preview.analysis))
    for note in preview.pair.notes:
        say(note, theme.dim_text)


def found_words(text: str) -> str:
    """The numbers in a text, which show whether there are too many; "" if there are none or they cannot be read."""
    try:
        numbers = numbers_in(text)
    except NotUnderstoodError:
        return ""
    words = ", ".join(tabular(number) for number, _ in numbers[:MOST_SHOWN])
    return f"Found: {words}{', …' if len(numbers) > MOST_SHOWN else ''}" if numbers else ""


def body_words(body: Body, *, flat: bool = False) -> str:
    """A body on one line, as the scene will have it; sizes are full sizes. `flat`: it is of a 2D scene."""
    shape = shape_words(body.shape)
    if flat:
        corners = f" of {count} corners" if (count := len(polygon_points(body.shape))) else ""
        return f"{shape}{corners}, at {short_vector(body.position[:2])}, turned by {short(degrees(body.angle))}°"
    turned = "" if body.shape.word == "sphere" else f", quaternion wxyz {short_vector(body.rotation)}"
    return f"{shape}, at {short_vector(body.position)}{turned}"
