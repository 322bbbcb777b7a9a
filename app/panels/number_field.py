"""One editable double. Opening and leaving it changes nothing; what cannot be accepted is refused in words.

imgui's own number fields reformat what they show and write it back when left (and most are float32), so the field is
text: the shortest digits that name the double exactly while it is edited, as many of them as fit while it is not.
"""

from __future__ import annotations

from collections.abc import Callable

from imgui_bundle import ImVec2, imgui

from ..draw.theme import Theme
from .numbers import exact, fitted, parse
from .widgets import explain, say


class NumberField:
    """Remembers, between frames, what is being typed and why the last entry was refused."""

    def __init__(self) -> None:
        self.refusal = ""
        self._active = False
        self._opened_with = ""
        self._text = ""
        self._refused_at: float | None = None

    def draw(
        self, label: str, value: float, width: float, check: Callable[[float], str] = lambda _: ""
    ) -> float | None:
        """Draws the field; the new number in the one frame in which a different one was accepted, else None.

        `label`: imgui id. `check` answers with a sentence when it refuses a number, else with nothing.
        """
        if self._refused_at is not None and self._refused_at != value:
            self.refuse("", value)
        before = self._active
        if not before:
            self._text = exact(value)
            imgui.push_style_color(imgui.Col_.text, imgui.get_color_u32(imgui.Col_.text) & 0x00FFFFFF)
        imgui.set_next_item_width(width)
        _, self._text = imgui.input_text(label, self._text, imgui.InputTextFlags_.auto_select_all)
        if not before:
            imgui.pop_style_color()
            self._draw_at_rest(value, width)
            if not imgui.get_io().want_text_input:
                # Else it would cover the field beside or below in which a number is being typed.
                explain(f"{exact(value)}\n{self.refusal}".strip())
        self._active = imgui.is_item_active()
        if self._active and not before:
            self._opened_with = self._text
        if not (before and imgui.is_item_deactivated()):
            return None
        if self._text == self._opened_with:
            # Looked at again and left as it was: what was wrong before is of no interest any more.
            self.refuse("", value)
            return None
        return self._accepted(value, check)

    def refuse(self, sentence: str, value: float) -> None:
        """Shows `sentence` with the field until another number stands in it; empty to forget the last one."""
        self.refusal = sentence
        self._refused_at = value if sentence else None

    def _accepted(self, value: float, check: Callable[[float], str]) -> float | None:
        try:
            typed = parse(self._text)
            self.refuse(check(typed), value)
        except ValueError as fault:
            self.refuse(str(fault), value)
        return None if self.refusal or typed == value else typed

    def _draw_at_rest(self, value: float, width: float) -> None:
        """As many digits as fit, over the (invisible) exact text: nothing is cut off in the middle."""
        padding = imgui.get_style().frame_padding
        room = width - 2.0 * padding.x
        text = fitted(value, lambda s: imgui.calc_text_size(s).x <= room)
        low = imgui.get_item_rect_min()
        colour = imgui.get_color_u32(imgui.Col_.text)
        imgui.get_window_draw_list().add_text(ImVec2(low.x + padding.x, low.y + padding.y), colour, text)


def say_refusals(fields: list[NumberField], theme: Theme) -> None:
    """The sentences of the fields just drawn, under them."""
    for field in fields:
        if field.refusal:
            say(field.refusal, theme.overlap)
