"""Pasting a pair as text: the form that it has, and a preview of what it means.

All forms that claim a text are asked. Where two read different pairs both are shown, and one is chosen. A text that no
form claims is read as numbers by conventions that the user chooses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from imgui_bundle import ImVec2, imgui
from msgspec.structs import replace

from core.analysis.analysis import Analysis, analyse
from core.geometry.vector import Array, product
from core.scene import Body, Scene

from ..draw.camera import Camera, Projection
from ..draw.draw_list import Rgba
from ..draw.theme import Theme, faded
from ..forms.files import pair_in
from ..forms.form import NotUnderstoodError
from ..forms.registry import FORMS, read_text
from ..io.engine_body import UPRIGHT
from ..io.engine_pair import NOT_USED, read_pair
from ..io.engines import ENGINES, EULER_ORDERS, ORDERS, OTHER, SHAPES, Conventions, engine_of
from ..io.pair_fields import ROTATIONS, expected, with_article
from ..io.printed_numbers import PastedPairError, extract_numbers
from ..io.scene_file import Loaded
from ..render.framing import body_points
from ..shapes import kind_of, shape_words
from ..state.ask import Ask
from ..state.panel_state import PanelState
from ..words.axis_words import verdict_line
from ..words.digits import tabular
from .numbers import short_vector
from .text import em, explain, flow, say
from .widgets import HEAD_GAP, body_mark, button_width, choice, dialog, enter_pressed, u32, usable_button, verdict_mark

SPOT = 2.0
"""Radius of the dot that draws a point, pixels."""
FILL, HIDDEN = 0.45, 0.35
"""Opacity of a face, and of an edge behind the body."""


def draw_pair(scene: Scene, theme: Theme, width: float, height: float, *, z_up: bool) -> None:
    """Draws an item of this size, in imgui's units, that shows both bodies from the camera of a new view."""
    at = imgui.get_cursor_screen_pos()
    imgui.dummy(ImVec2(width, height))
    points = np.concatenate([body_points(scene, index) for index in (0, 1)])
    projection = Projection(Camera(z_up=z_up).framed(points, width / height, 1.25), width, height)
    far_first = sorted((0, 1), key=lambda k: -projection.project(scene.body(k).pose.position[None])[0, 2])
    draw = imgui.get_window_draw_list()
    draw.push_clip_rect(at, ImVec2(at.x + width, at.y + height), True)
    for index in far_first:
        _draw_body(scene, index, theme.body(index), at, projection)
    draw.pop_clip_rect()


def _draw_body(scene: Scene, index: int, rgba: Rgba, at: ImVec2, projection: Projection) -> None:
    draw, body = imgui.get_window_draw_list(), scene.body(index)
    line, fill, hidden = u32(rgba), u32(faded(rgba, FILL)), u32(faded(rgba, HIDDEN))
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
    """Points (n, 3) on a curved body that include its outline: the farthest ones in directions across the view."""
    body = scene.body(index)
    if body.shape.plane is not None:
        return body_points(scene, index)
    right, up, _ = camera.basis()
    turn = np.linspace(0.0, 2.0 * np.pi, 96, endpoint=False)
    ways = np.outer(np.cos(turn), right) + np.outer(np.sin(turn), up)
    own = np.array([body.shape.support(way) for way in product(ways, body.pose.matrix[:3, :3])])
    return body.pose.to_world(own)


def _outline(points: Array) -> Array:
    """Corners (k, 2) of the points' convex hull, clockwise on the screen, as the farthest points in all directions."""
    turn = np.linspace(0.0, 2.0 * np.pi, 96, endpoint=False)
    rows = product(points, np.stack((np.cos(turn), np.sin(turn)))).argmax(axis=0)
    corners: Array = points[rows[rows != np.roll(rows, 1)]]
    return corners


def _faces_viewer(loop: Array) -> bool:
    """Whether a face, (n, 2) in pixels, is seen from outside: with y down it then runs clockwise in numbers."""
    x, y = loop.T
    return float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum()) < 0.0


TITLE = "Pasted pair"
BY_ITSELF, NUMBERS = "", "numbers"
FORM_TITLES: dict[str, str] = {BY_ITSELF: "found by itself"} | {form.name: form.title for form in FORMS}
FORM_TITLES |= {"scene": "a scene", NUMBERS: "numbers, in an order of your own"}
"""The choices of a form."""
MOST_SHOWN = 60
EMPTY = "Paste two bodies above: sizes, positions and rotations as printed by any engine, names and brackets included."
SHAPE_TITLES = {shape: with_article(shape).partition(" ")[2] for shape in SHAPES}
UNITS = {"scene units": 1.0, "centimetres": 0.01, "millimetres": 0.001}
"""Lengths of a text's unit in units of the scene, which are metres unless the text is in scene units."""
SMALL, LARGE = (4.0, 6.5), (8.0, 10.0)
"""Heights of the text and of the picture, ems: in a low window, and otherwise."""
LOW = 40.0


class PastePair:
    """The window in which a pair is pasted; shows at once what the text means under the chosen conventions."""

    def __init__(self) -> None:
        self._text = ""
        self._form = BY_ITSELF
        self._conventions = Conventions()
        self._read: tuple[str, Conventions, str] | None = None
        self._pairs: dict[str, Loaded] = {}
        self._pair: Loaded | None = None
        self._analysis: Analysis | None = None
        self._fault = ""
        self._found = ""
        self._open = False

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the window while `dialogs.paste` is set."""
        appearing = ui.dialogs.paste and not self._open
        self._open = ui.dialogs.paste
        with dialog(ui, "paste", "Paste a pair from an engine", (40.0, 45.0)) as shown:
            if shown:
                self._draw_inside(ui, appearing, ask)

    def _draw_inside(self, ui: PanelState, appearing: bool, ask: Ask) -> None:
        if ui.dialogs.pasted is not None:
            self._text, ui.dialogs.pasted = ui.dialogs.pasted, None
        if appearing:
            imgui.set_keyboard_focus_here()
        written, drawn = SMALL if imgui.get_window_height() < LOW * em() else LARGE
        _, self._text = imgui.input_text_multiline("##text", self._text, ImVec2(-1.0, written * em()))
        self._form = _titled("Form", FORM_TITLES, self._form, 14.0)
        if self._by_numbers:
            self._recognise()
            self._conventions = _draw_conventions(self._conventions, self._pair)
        self._read_again()
        found = next((name for name, pair in self._pairs.items() if pair is self._pair), "")
        imgui.separator_text(f"Read as {FORM_TITLES[found]}" if found else "Read as")
        if len(self._pairs) > 1:
            say("The text can be read in more than one way: choose the one that is meant.", ui.theme.winner)
            for name, pair in self._pairs.items():
                if imgui.radio_button(f"{FORM_TITLES[name]}##reading", self._pair is pair):
                    self._pair, self._analysis = pair, analyse(pair.scene)
        if not self._text.strip():
            say(EMPTY, ui.theme.dim_text)
            if self._by_numbers:
                say(f"Expected without labels, in this order: {expected(self._conventions)}.", ui.theme.dim_text)
        elif self._fault:
            say(self._fault, ui.theme.overlap)
            say(self._found, ui.theme.dim_text)
        self._draw_preview(ui, drawn * em())
        used = usable_button("Use this pair", self._pair is not None)
        explain("Ctrl+Enter")
        if (used or (imgui.get_io().key_ctrl and enter_pressed())) and self._pair is not None:
            ask.load(self._pair.scene, None, TITLE)
            ui.dialogs.paste = False
        flow(button_width("Cancel"))
        if imgui.button("Cancel"):
            ui.dialogs.paste = False

    @property
    def _by_numbers(self) -> bool:
        """Whether the text is read by conventions: they are chosen, or no form claims the text."""
        claimed = any(form.mark.search(self._text) for form in FORMS)
        return self._form == NUMBERS or (self._form == BY_ITSELF and bool(self._text.strip()) and not claimed)

    def _recognise(self) -> None:
        """Selects the engine whose names occur in a new text."""
        if self._read is not None and self._read[0] == self._text:
            return
        old, found = self._conventions, engine_of(self._text)
        if found not in (OTHER, old.engine):
            self._conventions = replace(ENGINES[found].conventions, shape_a=old.shape_a, shape_b=old.shape_b)

    def _read_again(self) -> None:
        if self._read == (self._text, self._conventions, self._form):
            return
        self._read = (self._text, self._conventions, self._form)
        self._pairs, self._pair, self._analysis, self._fault, self._found = {}, None, None, "", ""
        if not self._text.strip():
            return
        if not self._by_numbers:
            self._read_by_forms()
            return
        try:
            self._pair = read_pair(self._text, self._conventions)
            self._analysis = analyse(self._pair.scene)
            a, b = (kind_of(body.shape).name for body in _bodies(self._pair))
            if a in SHAPES and b in SHAPES:
                # The text may have selected others.
                self._conventions = replace(self._conventions, shape_a=a, shape_b=b)
                self._read = (self._text, self._conventions, self._form)
        except PastedPairError as fault:
            self._fault, self._found = str(fault), found_words(self._text)

    def _read_by_forms(self) -> None:
        """Reads the text by all forms that claim it, or by the one that is chosen."""
        reading = read_text(self._text, "" if self._form == BY_ITSELF else self._form)
        for name in reading.different:
            pair = reading.pairs[name]
            self._pairs[name] = Loaded(replace(pair.scene, name=TITLE), None, pair.notes)
        if self._pairs:
            self._pair = next(iter(self._pairs.values()))
            self._analysis = analyse(self._pair.scene)
            return
        try:
            pair_in(self._text, "" if self._form == BY_ITSELF else self._form)
        except NotUnderstoodError as refusal:
            self._fault = str(refusal)

    def _draw_preview(self, ui: PanelState, height: float) -> None:
        if self._pair is None or self._analysis is None:
            return
        theme, room = ui.theme, imgui.get_content_region_avail().x
        for remark in self._pair.remarks:
            if remark.startswith(NOT_USED):
                say(remark)
        draw_pair(self._pair.scene, theme, room, height, z_up=ui.settings.z_up)
        for index in (0, 1):
            body_mark(index, theme)
            imgui.same_line()
            say(body_words(self._pair.scene.body(index)))
        verdict_mark(self._analysis.verdict, theme)
        imgui.same_line(0.0, HEAD_GAP * em())
        say(verdict_line(self._analysis))
        for remark in self._pair.remarks:
            if not remark.startswith(NOT_USED):
                say(remark, theme.dim_text)


def found_words(text: str) -> str:
    """The numbers in a text, which show whether there are too many; "" if there are none."""
    try:
        numbers = extract_numbers(text)
    except PastedPairError:
        return ""
    words = ", ".join(tabular(number) for number in numbers[:MOST_SHOWN])
    return f"Found: {words}{', …' if len(numbers) > MOST_SHOWN else ''}" if numbers else ""


def body_words(body: Body) -> str:
    """A body's numbers on one line, as the scene will contain them; sizes are full sizes."""
    where = f"at {short_vector(body.position)}, rotation wxyz {short_vector(body.rotation)}"
    return f"{shape_words(body.shape)}, {where}"


def _draw_conventions(old: Conventions, pair: Loaded | None) -> Conventions:
    """Draws the choice of conventions; returns those chosen after this frame. An engine's preset sets all."""
    chosen = _combo("Engine", (OTHER, *ENGINES), old.engine, 7.0)
    new = old
    if chosen != old.engine:
        base = ENGINES[chosen].conventions if chosen in ENGINES else replace(old, engine=OTHER)
        new = replace(base, shape_a=old.shape_a, shape_b=old.shape_b)
    flow(12.0 * em())
    new = replace(new, shape_a=_titled("A is a", SHAPE_TITLES, new.shape_a, 7.0))
    flow(12.0 * em())
    new = replace(new, shape_b=_titled("B is a", SHAPE_TITLES, new.shape_b, 7.0))
    if new.engine != OTHER:
        say(engine_words(new))
    else:
        new = _draw_own(new, pair)
    return replace(new, z_up=not _either("Up is", ("Y", "Z"), not new.z_up))


def _draw_own(new: Conventions, pair: Loaded | None) -> Conventions:
    """Draws the conventions one by one, where no engine's preset sets them."""
    new = replace(new, rotation=_combo("rotation as", ROTATIONS, new.rotation, 9.0))
    flow(18.0 * em())
    words = [", ".join(order) for order in ORDERS]
    chosen = _combo("in this order", words, ", ".join(new.order), 13.0)
    new = replace(new, order=ORDERS[words.index(chosen)])
    new = _draw_rotation(new)
    new = replace(new, half_sizes=not _either("Box sizes", ("full", "half"), not new.half_sizes))
    explain("Full: FCL, Coal, Drake, ODE, DART, trimesh. Half: Bullet, PhysX, Jolt, Parry, MuJoCo, Box3D.")
    kinds = {new.shape_a, new.shape_b} | ({kind_of(body.shape).name for body in _bodies(pair)})
    if not kinds.isdisjoint(UPRIGHT):
        new = replace(new, axis=_choose("Long axis", ("X", "Y", "Z"), new.axis))
    if "capsule" in kinds:
        new = replace(new, caps=not _either("Heights are", ("without caps", "with both caps"), not new.caps))
    new = replace(new, left_handed=not _either("Axes are", ("right-handed", "left-handed"), not new.left_handed))
    flow(16.0 * em())
    names = {unit: name for name, unit in UNITS.items()}
    return replace(new, unit=UNITS[_combo("Lengths in", tuple(UNITS), names[new.unit], 8.0)])


def engine_words(conventions: Conventions) -> str:
    """An engine's conventions in words, for the user to check."""
    engine = ENGINES[conventions.engine]
    hand = "left-handed" if conventions.left_handed else "right-handed"
    order = "w x y z" if conventions.w_first else "x y z w"
    return f"{hand.capitalize()}; quaternions {order}. {engine.about}"


def _bodies(pair: Loaded | None) -> tuple[Body, ...]:
    return () if pair is None else (pair.scene.a, pair.scene.b)


def _draw_rotation(new: Conventions) -> Conventions:
    if new.rotation == "quaternion":
        new = replace(new, w_first=_either("Quaternion", ("w x y z", "x y z w"), new.w_first))
        explain("wxyz: MuJoCo, ODE, python-fcl, Eigen. xyzw: Bullet, PhysX, Jolt, glTF, ROS, Unity, Godot.")
    elif new.rotation.startswith("matrix"):
        new = replace(new, by_rows=_either("Matrix by", ("rows", "columns"), new.by_rows))
    elif new.rotation == "Euler angles":
        new = replace(new, degrees=_either("Angles in", ("degrees", "radians"), new.degrees))
        flow(18.0 * em())
        new = replace(new, euler=_combo("about x, y, z in the order", EULER_ORDERS, new.euler, 4.5))
        explain(
            "Intrinsic: XYZ turns about x, then about the turned y, then about the turned z.\n"
            "XYZ: three.js, MuJoCo. YXZ: Unity, Godot. ZYX: ROS and URDF (roll, pitch, yaw), Blender's XYZ."
        )
    return new


def _combo(label: str, options: Sequence[str], current: str, width: float) -> str:
    return _titled(label, {option: option for option in options}, current, width)


def _titled(label: str, options: Mapping[str, str], current: str, width: float) -> str:
    imgui.align_text_to_frame_padding()
    imgui.text_disabled(label)
    imgui.same_line()
    return choice(f"##{label}", options, current, width * em())


def _either(label: str, options: tuple[str, str], first: bool) -> bool:
    return _choose(label, options, options[not first]) == options[0]


def _choose(label: str, options: Sequence[str], current: str) -> str:
    imgui.align_text_to_frame_padding()
    imgui.text_disabled(label)
    for number, option in enumerate(options):
        imgui.same_line(7.0 * em() if number == 0 else 0.0)
        if imgui.radio_button(f"{option}##{label}", option == current):
            current = option
    return current
