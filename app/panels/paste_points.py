"""The popup in which the points of a hull or of a polygon are pasted, with a note on how the text is read."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from core.shapes import Hull, Polygon, Shape, sharp_of

from ..draw.theme import Theme
from ..forms.form import NotUnderstoodError
from ..forms.points import read_points, shape_of_points
from ..shapes import hull_points, polygon_corners, polygon_points
from .text import em, flow, say
from .widgets import button_width, usable_button

POPUP, BUTTON = "##points", "Paste points …"
EXPECTED = {
    3: "Points of three numbers, each in a line or in brackets; or the text of a mesh's file, JSON, code or a print.",
    2: "Points of two numbers in the order round the polygon, each in a line or in brackets; or JSON, code or a print.",
}


class PastePoints:
    """The button "Paste points …" and its popup, for a hull (`dimension` 3) or a polygon (2)."""

    def __init__(self, dimension: int) -> None:
        self._dimension = dimension
        self._height = 0.0
        self._text = ""
        self._read = ""
        self._pasted: Hull | Polygon | None = None
        self._notes: tuple[str, ...] = ()
        self._fault = ""

    def draw(self, theme: Theme) -> Hull | Polygon | None:
        """Draws the button and its popup; returns the shape in the frame in which it is accepted, else None."""
        flow(button_width(BUTTON))
        if imgui.button(BUTTON):
            imgui.open_popup(POPUP)
        # The popup opens over the button, at the panel's right edge, since there is no room below.
        right = imgui.get_window_pos().x + imgui.get_window_width() - imgui.get_style().window_padding.x
        bottom = max(imgui.get_item_rect_min().y - imgui.get_style().item_spacing.y, self._height)
        imgui.set_next_window_pos(ImVec2(right, bottom), imgui.Cond_.always, ImVec2(1.0, 1.0))
        return self._draw_popup(theme)

    def _draw_popup(self, theme: Theme) -> Hull | Polygon | None:
        if not imgui.begin_popup(POPUP):
            return None
        self._height = imgui.get_window_height()
        if imgui.is_window_appearing():
            imgui.set_keyboard_focus_here()
        _, self._text = imgui.input_text_multiline("##text", self._text, ImVec2(24.0 * em(), 9.0 * em()))
        self._read_again()
        if self._pasted is not None:
            say(f"{points_words(self._pasted)}.")
            for note in self._notes:
                say(note, theme.dim_text)
        else:
            say(self._fault or EXPECTED[self._dimension], theme.overlap if self._fault else None)
        taken = None
        if usable_button("Use these points", self._pasted is not None):
            taken = self._pasted
            imgui.close_current_popup()
        imgui.end_popup()
        return taken

    def _read_again(self) -> None:
        if self._text == self._read:
            return
        self._read, self._pasted, self._notes, self._fault = self._text, None, (), ""
        if not self._text.strip():
            return
        try:
            found = read_points(self._text, self._dimension)
            self._pasted, self._notes = shape_of_points(found.points), found.notes
        except NotUnderstoodError as fault:
            self._fault = str(fault)


def points_words(shape: Shape) -> str:
    """The numbers of a hull's or polygon's points, corners and faces in words; of a flat hull also the form."""
    sharp = sharp_of(shape)[0]
    if corners := polygon_corners(sharp):
        form = "" if sharp.word == "polygon" else f": a {sharp.word}"
        return f"{len(polygon_points(sharp))} points, {len(corners)} corners{form}"
    solid = sharp.polyhedron
    assert solid is not None
    if len(solid.faces) <= 2:
        return f"{len(hull_points(sharp))} points, flat: a {sharp.word}, {len(solid.vertices)} corners"
    return f"{len(hull_points(sharp))} points, {len(solid.vertices)} corners, {len(solid.faces)} faces"
