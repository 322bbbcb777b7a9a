"""Labels moved by hand: dragged in the preview of a picture, or chosen by name and moved by typed points."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from ..state.export_options import ExportOptions
from ..state.export_shown import PreviewImage, PreviewLabel
from ..state.option import LARGEST_MOVE
from .text import em, flow
from .widgets import choice

DRAG_THRESHOLD = 2.0
"""Pixels that the pointer must move before a press counts as a drag."""
NO_LABEL = ""
NAME_EMS, NUMBER_EMS = 9.0, 8.0


class LabelMover:
    """Keeps the label that is dragged, and the one chosen by name."""

    def __init__(self) -> None:
        self._held: PreviewLabel | None = None
        self._chosen = NO_LABEL

    def drag(self, options: ExportOptions, preview: PreviewImage, low: ImVec2, high: ImVec2) -> ExportOptions:
        """Moves a label with the mouse; returns the options after this frame.

        The last item shows the preview; `low` and `high` are its corners on the screen, in pixels.
        """
        mouse, size = imgui.get_mouse_pos(), (high.x - low.x, high.y - low.y)
        at = (mouse.x - low.x) / size[0], (mouse.y - low.y) / size[1]
        over = _under(preview, at) if imgui.is_item_hovered() else None
        if imgui.is_item_activated():
            self._held = over
        if self._held is None:
            if over is not None:
                _frame(over, low, size, (0.0, 0.0))
                imgui.set_mouse_cursor(imgui.MouseCursor_.hand)
                imgui.set_tooltip(over.name)
            return options
        way = imgui.get_mouse_drag_delta(imgui.MouseButton_.left, DRAG_THRESHOLD)
        _frame(self._held, low, size, (way.x, way.y))
        if not imgui.is_item_deactivated():
            return options
        name, self._held = self._held.name, None
        if not (way.x or way.y):
            return options
        self._chosen, point = name, preview.points / size[0]
        return _moved(options, name, way.x * point, way.y * point)

    def draw_fields(self, options: ExportOptions, preview: PreviewImage) -> ExportOptions:
        """Draws the choice of a label and its fields for points, for the keyboard."""
        names = sorted({label.name for label in preview.labels} | {name for name, _ in options.move})
        if not names:
            return options
        titles = {NO_LABEL: "Choose one"} | {name: name for name in names}
        self._chosen = choice(
            "Label to move", titles, self._chosen if self._chosen in titles else NO_LABEL, NAME_EMS * em()
        )
        if self._chosen:
            right, down = dict(options.move).get(self._chosen, (0.0, 0.0))
            imgui.set_next_item_width(NUMBER_EMS * em())
            went, right = imgui.input_double("right", right, 1.0, 10.0, "%g")
            flow(NUMBER_EMS * em() + 3.0 * em())
            imgui.set_next_item_width(NUMBER_EMS * em())
            sank, down = imgui.input_double("points down", down, 1.0, 10.0, "%g")
            if went or sank:
                options = _placed(options, self._chosen, right, down)
        if options.move and imgui.button("Labels back to their places"):
            options = options.having(move=())
        return options


def _under(preview: PreviewImage, at: tuple[float, float]) -> PreviewLabel | None:
    """The label at the place `at`, shares of the preview's width and height; of several the one drawn last; or None."""
    x, y = at
    found = [each for each in preview.labels if each.box[0] <= x <= each.box[2] and each.box[1] <= y <= each.box[3]]
    return found[-1] if found else None


def _frame(label: PreviewLabel, low: ImVec2, size: tuple[float, float], by: tuple[float, float]) -> None:
    left, top, right, bottom = label.box
    first = ImVec2(low.x + left * size[0] + by[0], low.y + top * size[1] + by[1])
    last = ImVec2(low.x + right * size[0] + by[0], low.y + bottom * size[1] + by[1])
    imgui.get_window_draw_list().add_rect(first, last, imgui.get_color_u32(imgui.Col_.text), 2.0)


def _moved(options: ExportOptions, name: str, right: float, down: float) -> ExportOptions:
    """The options with a label moved further, by whole points to the right and down."""
    before = dict(options.move).get(name, (0.0, 0.0))
    return _placed(options, name, before[0] + round(right), before[1] + round(down))


def _placed(options: ExportOptions, name: str, right: float, down: float) -> ExportOptions:
    """The options with a label moved by points from its own place, at most LARGEST_MOVE each way.

    (0, 0) removes the move.
    """
    by = min(max(right, -LARGEST_MOVE), LARGEST_MOVE), min(max(down, -LARGEST_MOVE), LARGEST_MOVE)
    others = tuple(each for each in options.move if each[0] != name)
    return options.having(move=(*others, (name, by)) if by != (0.0, 0.0) else others)
