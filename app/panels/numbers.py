"""Doubles as text and in fields: short for reading, shortest exact for editing, 17 digits for copying.

Opening a field and leaving it changes nothing; a value that cannot be accepted is refused in words. imgui's own number
fields reformat the value and write it back when left, and most are float32. So the field here is text. While it is
edited, the text has the shortest digits that name the double exactly; otherwise as many of them as fit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import floor, isfinite, log10

from imgui_bundle import ImVec2, imgui

from core.geometry.triple import Triple

from ..draw.theme import Theme
from ..words.digits import MINUS, TABLE, digits_for, full, tabular
from .text import em, explain, say, wants_tip


def vector17(values: Iterable[float]) -> str:
    """A vector for the clipboard: `[x, y, z]` with 17 digits each."""
    return "[" + ", ".join(full(float(v)) for v in values) + "]"


def exact(value: float) -> str:
    """The shortest text that reads back as the same double, for editing."""
    text = repr(float(value) + 0.0)
    return text.removesuffix(".0")


def most_digits(value: float, fits: Callable[[str], bool]) -> str:
    """The text of `value` with the most digits, up to the exact text, for which `fits` is true; at least six digits."""
    text = exact(value)
    if fits(text):
        return text.replace("-", MINUS)
    for digits in range(15, 5, -1):
        text = format(value + 0.0, f".{digits}g")
        if fits(text):
            break
    return text.replace("-", MINUS)


def short(value: float) -> str:
    """A number for reading, as `tabular`; from 1e5 to 1e12 with up to four decimals, which `tabular` would drop."""
    if not 1e5 <= abs(value) < 1e12:
        return tabular(value)
    text = format(value, ".4f").rstrip("0").rstrip(".")
    return text.replace("-", MINUS)


def short_vector(values: Iterable[float]) -> str:
    """A vector for reading; a component other than 0 that is below 1e-15 of the largest is shown as ≈0."""
    numbers = [float(v) for v in values]
    largest = max((abs(v) for v in numbers if isfinite(v)), default=0.0)
    return "(" + ", ".join("≈0" if 0.0 < abs(v) < 1e-15 * largest else short(v) for v in numbers) + ")"


def decimals_for(values: Iterable[float]) -> int:
    """The decimals of a column: as many as the largest of `values` has with a table's digits; 4 if all are 0.

    They are at most four more than a table has digits.
    """
    largest, count = max((abs(v) for v in values if isfinite(v)), default=0.0), digits_for(TABLE)
    if largest == 0.0:
        return 4
    return max(0, min(count + 4, count - 1 - floor(log10(largest))))


def signed(value: float, decimals: int) -> str:
    """`value` with its sign, none for 0, and `decimals` decimals; with an exponent if it would read as zero.

    `–` if not finite.
    """
    if not isfinite(value):
        return "–"
    fixed = format(value, f"+.{decimals}f")
    if value != 0.0 and not any(c in "123456789" for c in fixed):
        mantissa, exponent = format(value, "+.1e").split("e")
        fixed = f"{mantissa}e{int(exponent)}"
    if value == 0.0:
        fixed = format(0.0, f".{decimals}f")
    return fixed.replace("-", MINUS)


def parse(text: str) -> float:
    """The double written in `text`; raises ValueError with a sentence for the user if there is none.

    The minus sign of typeset text is accepted. A comma is refused, since it may separate thousands.
    """
    cleaned = text.strip().replace(MINUS, "-")
    if not cleaned:
        raise ValueError("A number is needed here.")
    if "," in cleaned:
        raise ValueError("Use a point for decimals, not a comma.")
    try:
        value = float(cleaned)
    except ValueError:
        raise ValueError(f"“{text.strip()}” is not a number.") from None
    if not isfinite(value):
        raise ValueError("The number must be finite.")
    return value


Check = Callable[[float], str]
"""Returns a sentence if it refuses a number, otherwise an empty string."""


def refused_unless(fits: Callable[[float], bool], sentence: str) -> Check:
    """A check that refuses, with `sentence`, the numbers for which `fits` is false."""
    return lambda value: "" if fits(value) else sentence


class NumberField:
    """A number field; it keeps, between frames, the unfinished input and why the last entry was refused."""

    def __init__(self) -> None:
        self.refusal = ""
        self._active = False
        self._opened_with = ""
        self._text = ""
        self._refused_at: float | None = None

    def draw(self, label: str, value: float, width: float, check: Check = lambda _: "") -> float | None:
        """Draws the field; returns the new number in the frame in which a different one was accepted, otherwise None.

        `label` is the imgui id, `width` in pixels; `check` may refuse the number.
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
            self._draw_inactive(value, width)
            if wants_tip() and not imgui.get_io().want_text_input:
                # Otherwise the tooltip would cover a field nearby in which the user is typing.
                explain(f"{exact(value)}\n{self.refusal}".strip())
        self._active = imgui.is_item_active()
        if self._active and not before:
            self._opened_with = self._text
        if not (before and imgui.is_item_deactivated()):
            return None
        if self._text == self._opened_with:
            # Left unchanged: the earlier refusal no longer matters.
            self.refuse("", value)
            return None
        try:
            typed = parse(self._text)
            self.refuse(check(typed), value)
        except ValueError as fault:
            self.refuse(str(fault), value)
        return None if self.refusal or typed == value else typed

    def refuse(self, sentence: str, value: float) -> None:
        """Shows `sentence` with the field until its number changes; "" removes the last one."""
        self.refusal = sentence
        self._refused_at = value if sentence else None

    def _draw_inactive(self, value: float, width: float) -> None:
        """Draws as many digits as fit over the invisible exact text, so that no number is cut off."""
        padding = imgui.get_style().frame_padding
        room = width - 2.0 * padding.x
        text = most_digits(value, lambda s: imgui.calc_text_size(s).x <= room)
        low = imgui.get_item_rect_min()
        colour = imgui.get_color_u32(imgui.Col_.text)
        imgui.get_window_draw_list().add_text(ImVec2(low.x + padding.x, low.y + padding.y), colour, text)


def say_refusals(fields: list[NumberField], theme: Theme) -> None:
    """Draws the reasons why entries of `fields` were refused."""
    for field in fields:
        if field.refusal:
            say(field.refusal, theme.overlap)


FIELD_EMS = 5.4
"""Least width of a field with its name, ems: six digits and a sign."""
NAME_GAP = 0.25
"""Space between a field's name and the field, ems."""


def with_component(triple: Triple, index: int, value: float) -> Triple:
    """`triple` with one component replaced."""
    x, y, z = (value if k == index else old for k, old in enumerate(triple))
    return (x, y, z)


def number_row(
    row: str,
    fields: list[NumberField],
    names: tuple[str, ...],
    values: tuple[float, ...],
    theme: Theme,
    check: Check = lambda _: "",
    left_free: float = 0.0,
) -> tuple[int, float] | None:
    """Draws fields on one line, or on several if it is too short; returns index and number of an accepted edit.

    None without an accepted edit. Below the fields it draws why entries were refused. `left_free`: space kept free at
    the right, pixels.
    """
    spacing = imgui.get_style().item_inner_spacing.x
    width = imgui.get_content_region_avail().x - left_free
    start = imgui.get_cursor_pos_x()
    room = int((width + spacing) // (FIELD_EMS * em() + spacing))
    # Each line has equally many fields, as many as stay readable.
    per_line = next((n for n in (4, 3, 2, 1) if n <= room and len(fields) % n == 0), 1)
    each = (width - spacing * (per_line - 1)) / per_line
    edited = None
    for k, (field, name, value) in enumerate(zip(fields, names, values, strict=True)):
        if k % per_line:
            imgui.same_line(0.0, spacing)
        elif k:
            imgui.set_cursor_pos_x(start)
        imgui.align_text_to_frame_padding()
        imgui.text_disabled(name)
        imgui.same_line(0.0, NAME_GAP * em())
        number = field.draw(f"##{row}{k}", value, each - imgui.calc_text_size(name).x - NAME_GAP * em(), check)
        if number is not None:
            edited = (k, number)
    say_refusals(fields, theme)
    return edited
