"""The rows of a convex hull in the panel of bodies: its points, where others come from, and its scale."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui
from msgspec.structs import replace

from core.scene import Body
from core.shapes import Hull, Shape, sharp_of, with_border

from ..draw.meshes.shape_kinds import hull_points, kind_of
from ..draw.theme import Theme
from ..io.mesh_file import pasted_hull
from ..state.requests import Invoke
from ..storage.strict_json import DataError
from .number_field import NumberField, say_refusals
from .panel import Ask
from .widgets import button_width, em, explain, flow, row_title, say

POPUP = "##points"


class HullFields:
    """What is half typed about the hull of body `index`."""

    def __init__(self, index: int) -> None:
        self._index = index
        self._scale = NumberField()
        self._text = ""
        self._read = ""
        self._pasted: Hull | None = None
        self._fault = ""

    def draw(self, body: Body, theme: Theme, ask: Ask) -> Body | None:
        """The rows; the body after an edit."""
        row_title("Points", "Given in the body's frame; those inside the hull or on its faces are no corners.")
        imgui.align_text_to_frame_padding()
        imgui.text_unformatted(hull_words(body.shape))
        if imgui.button("From file …"):
            ask.append(Invoke(f"hull.{'ab'[self._index]}"))
        explain("An OBJ or STL mesh: the hull of its points")
        flow(button_width("Paste points …"))
        if imgui.button("Paste points …"):
            imgui.open_popup(POPUP)
        _stand_above_last_item()
        pasted = self._draw_popup(theme)
        resized = self._draw_scale(body.shape, theme)
        shape = resized if pasted is None else with_border(pasted, sharp_of(body.shape)[1])
        return None if shape is None else replace(body, shape=shape)

    def _draw_scale(self, shape: Shape, theme: Theme) -> Shape | None:
        row_title("Scale", "Multiplies every point by the number typed, about the body's position.")
        scaled = kind_of(shape).scaled
        factor = self._scale.draw("##scale0", 1.0, imgui.get_content_region_avail().x, _scale_fault)
        found = None
        if factor is not None and scaled is not None:
            try:
                found = scaled(shape, factor)
            except ValueError as fault:
                self._scale.refuse(str(fault), 1.0)
        say_refusals([self._scale], theme)
        return found

    def _draw_popup(self, theme: Theme) -> Hull | None:
        """The hull that is taken over, in the frame in which it is."""
        if not imgui.begin_popup(POPUP):
            return None
        if imgui.is_window_appearing():
            imgui.set_keyboard_focus_here()
        _, self._text = imgui.input_text_multiline("##text", self._text, ImVec2(24.0 * em(), 9.0 * em()))
        self._read_again()
        if self._pasted is not None:
            say(hull_words(self._pasted))
        else:
            say(self._fault or "Three numbers a point, in any layout of text.", theme.overlap if self._fault else None)
        taken = None
        imgui.begin_disabled(self._pasted is None)
        if imgui.button("Use these points"):
            taken = self._pasted
            imgui.close_current_popup()
        imgui.end_disabled()
        imgui.end_popup()
        return taken

    def _read_again(self) -> None:
        """Reads the text when it changed."""
        if self._text == self._read:
            return
        self._read, self._pasted, self._fault = self._text, None, ""
        if not self._text.strip():
            return
        try:
            self._pasted = pasted_hull(self._text)
        except DataError as fault:
            self._fault = str(fault)


def _stand_above_last_item() -> None:
    """The next window opens over the button that called it, flush with the panel's right edge: below is no room."""
    right = imgui.get_window_pos().x + imgui.get_window_width() - imgui.get_style().window_padding.x
    top = imgui.get_item_rect_min().y - imgui.get_style().item_spacing.y
    imgui.set_next_window_pos(ImVec2(right, top), imgui.Cond_.always, ImVec2(1.0, 1.0))


def hull_words(hull: Shape) -> str:
    """How many points, corners and faces; of a flat one what it is."""
    solid = sharp_of(hull)[0].polyhedron
    assert solid is not None
    if len(solid.faces) <= 2:
        return f"{len(hull_points(hull))} points, flat: a {hull.word}, {len(solid.vertices)} corners"
    return f"{len(hull_points(hull))} points, {len(solid.vertices)} corners, {len(solid.faces)} faces"


def _scale_fault(value: float) -> str:
    return "" if value > 0.0 else "A scale must be > 0."
