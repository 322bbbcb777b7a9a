"""The rows of panels and cards: words, values that can be copied, buttons, and rows side by side.

A row's size is known before it is drawn, from the size of its text, so a card has the right size in its first frame.
In a docked panel, rows are drawn one after the other, and other imgui items may be between them. Measures are in
imgui's units, font sizes and columns in ems (text.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from functools import lru_cache
from typing import Protocol

from imgui_bundle import ImVec2, ImVec4, imgui
from msgspec import Struct
from msgspec.structs import replace

from ..draw.draw_list import Rgba, Subject
from ..state.ask import Ask, Press
from ..words import digits
from ..words.digits import full
from .numbers import short_vector, vector17
from .text import copies_on_click, em, explain, flow, folded, hand, inked, sized, wrapped_at

Size = tuple[float, float]
NAME_EMS = 5.0
"""Width of a column of names, ems."""


class Row(Protocol):
    """The interface of rows."""

    def measure(self, room: float) -> Size:
        """Width and height of the row if it may be `room` wide; called inside a frame."""

    def draw(self, room: float, ask: Ask) -> None:
        """Draws the row at the cursor, with the size that `measure` returns for this `room`."""


def draw_rows(rows: Iterable[Row], ask: Ask) -> None:
    """Draws rows one below the other, as wide as the panel."""
    for row in rows:
        row.draw(imgui.get_content_region_avail().x, ask)


def stacked_size(rows: Sequence[Row], room: float) -> Size:
    """Width and height of rows one below the other, at most `room` wide."""
    widest, high, spacing = 0.0, 0.0, imgui.get_style().item_spacing.y
    for row in rows:
        width, height = row.measure(room)
        widest, high = max(widest, width), high + height + spacing
    return widest, max(0.0, high - spacing)


class Words(Struct, frozen=True):
    """Text, wrapped if it is wider than the room. `size` is its font size in ems, from style.py; `tip` its tooltip.

    `copied` and `what` are the text that a click copies, and its name; `press` is another request of a click.
    """

    text: str
    rgba: Rgba | None = None
    tip: str = ""
    size: float = 1.0
    copied: str = ""
    what: str = ""
    press: Press | None = None

    def measure(self, room: float) -> Size:
        """See `Row.measure`."""
        return _measured(self.text, max(room, 1.0), self.size, em())

    def draw(self, room: float, ask: Ask) -> None:
        """See `Row.draw`."""
        with sized(self.size) if self.size != 1.0 else nullcontext():
            _write(self.text, self.rgba, imgui.get_cursor_pos_x() + max(room, 1.0))
        if self.copied:
            copies_on_click(self.copied, self.what, ask, self.tip)
        elif self.tip:
            explain(self.tip)
        if self.press is not None:
            hand()
            if imgui.is_item_clicked():
                self.press(ask)


@lru_cache(maxsize=512)
def _measured(text: str, room: float, size: float, _em: float) -> Size:
    """Size of a text in a room at a font size; cached, as most texts were in the previous frame too."""
    with sized(size):
        taken = imgui.calc_text_size(text, False, room)
        return taken.x, taken.y


def _write(text: str, rgba: Rgba | None, right: float) -> None:
    """Draws text wrapped at x `right` of the window. `rgba`: its colour, None for the text's."""
    imgui.push_text_wrap_pos(right)
    if rgba is None:
        imgui.text_unformatted(text)
    else:
        imgui.push_style_color(imgui.Col_.text, ImVec4(*rgba))
        imgui.text_unformatted(text)
        imgui.pop_style_color()
    imgui.pop_text_wrap_pos()


class Value(Struct, frozen=True):
    """A value after a dim name, in a column `names` ems from the left; a click copies it with all digits.

    `note` is the name's tooltip. `copied` is the text to copy, "" for none; `what` names it, by default `name`.
    `fold`: a value that does not fit on its line is broken after each occurrence of this text; "" to wrap it.
    """

    name: str
    note: str
    shown: str
    copied: str = ""
    what: str = ""
    rgba: Rgba | None = None
    fold: str = ","
    names: float = NAME_EMS

    @staticmethod
    def number(name: str, note: str, value: float, what: str = "", rgba: Rgba | None = None) -> Value:
        """A row with a number, with as many digits as answers have. The arguments are as in Value."""
        return Value(name, note, digits.column_number(value), full(value), what, rgba)

    @staticmethod
    def vector(name: str, note: str, values: Iterable[float], what: str = "", rgba: Rgba | None = None) -> Value:
        """A row with a vector of any dimension. The arguments are as in Value."""
        known = [float(value) for value in values]
        return Value(name, note, short_vector(known), vector17(known), what, rgba)

    def _laid(self, room: float) -> tuple[str, Size]:
        """The value's text, with line breaks so that it fits after its name, and its size."""
        left = max(room - self.names * em(), 1.0)
        text = folded(self.shown, self.fold, left) if self.fold else self.shown
        size = imgui.calc_text_size(text, False, -1.0 if self.fold else left)
        return text, (size.x, size.y)

    def measure(self, room: float) -> Size:
        """See `Row.measure`."""
        width, height = self._laid(room)[1]
        return self.names * em() + width, height

    def draw(self, room: float, ask: Ask) -> None:
        """See `Row.draw`."""
        left, (text, _) = imgui.get_cursor_pos_x(), self._laid(room)
        imgui.text_disabled(self.name)
        explain(self.note)
        imgui.same_line()
        imgui.set_cursor_pos_x(left + self.names * em())
        with inked(self.rgba), wrapped_at(-1.0 if self.fold else left + room):
            imgui.text_unformatted(text)
        if self.copied:
            copies_on_click(self.copied, self.what or self.name, ask)


def draw_values(values: Iterable[Value], ask: Ask) -> None:
    """Draws values one below the other, in a column after the longest name, with some space below."""
    known = list(values)
    widest = max((imgui.calc_text_size(value.name).x for value in known), default=0.0)
    names = (widest + 2.0 * imgui.get_style().cell_padding.x) / em()
    draw_rows([*(replace(value, names=names) for value in known), Space()], ask)


def draw_more(rows: Iterable[Row], ask: Ask) -> None:
    """Draws rows after the last item, each on the same line if it fits."""
    for row in rows:
        flow(row.measure(1e6)[0])
        row.draw(imgui.get_content_region_avail().x, ask)


class Button(Struct, frozen=True):
    """A button; `press` is the action of a click. A `small` one is as high as a line; `key` makes its id unique.

    `lights`: what is highlighted in the picture while the pointer is on the button. `width`: of a button that is not
    small, 0 for its label's.
    """

    label: str
    press: Press
    tip: str = ""
    usable: bool = True
    small: bool = True
    width: float = 0.0
    key: str = ""
    lights: Subject | None = None

    def measure(self, room: float) -> Size:  # noqa: ARG002 - as all rows
        """See `Row.measure`."""
        pad, size = imgui.get_style().frame_padding, imgui.calc_text_size(self.label)
        return max(self.width, size.x + 2.0 * pad.x), size.y + (0.0 if self.small else 2.0 * pad.y)

    def draw(self, room: float, ask: Ask) -> None:  # noqa: ARG002 - as all rows
        """See `Row.draw`."""
        label = f"{self.label}##{self.key}" if self.key else self.label
        imgui.begin_disabled(not self.usable)
        pressed = imgui.small_button(label) if self.small else imgui.button(label, ImVec2(self.width, 0.0))
        imgui.end_disabled()
        if pressed:
            self.press(ask)
        if self.lights is not None and imgui.is_item_hovered():
            ask.point(self.lights)
        explain(self.tip)


def command(name: str) -> Press:
    """The request of a click that runs a command."""
    return lambda ask: ask.invoke(name)


class Radio(Struct, frozen=True):
    """A radio button."""

    label: str
    chosen: bool
    press: Press
    tip: str = ""

    def measure(self, room: float) -> Size:  # noqa: ARG002 - as all rows
        """See `Row.measure`."""
        size, box = imgui.calc_text_size(self.label), imgui.get_frame_height()
        return box + imgui.get_style().item_inner_spacing.x + size.x, box

    def draw(self, room: float, ask: Ask) -> None:  # noqa: ARG002 - as all rows
        """See `Row.draw`."""
        if imgui.radio_button(self.label, self.chosen) and not self.chosen:
            self.press(ask)
        explain(self.tip)


class Own(Struct, frozen=True):
    """A custom row: its size, and a function that draws it at the cursor."""

    size: Size
    paint: Callable[[Ask], None]

    def measure(self, room: float) -> Size:  # noqa: ARG002 - as all rows
        """See `Row.measure`."""
        return self.size

    def draw(self, room: float, ask: Ask) -> None:  # noqa: ARG002 - as all rows
        """See `Row.draw`."""
        self.paint(ask)


class Rule(Struct, frozen=True):
    """A separator line."""

    def measure(self, room: float) -> Size:  # noqa: ARG002 - as all rows
        """See `Row.measure`."""
        return 0.0, 1.0

    def draw(self, room: float, ask: Ask) -> None:  # noqa: ARG002 - as all rows
        """See `Row.draw`."""
        imgui.separator()


class Space(Struct, frozen=True):
    """Empty space, `high` ems."""

    high: float = 0.0

    def measure(self, room: float) -> Size:  # noqa: ARG002 - as all rows
        """See `Row.measure`."""
        return 0.0, self.high * em()

    def draw(self, room: float, ask: Ask) -> None:  # noqa: ARG002 - as all rows
        """See `Row.draw`."""
        imgui.dummy(ImVec2(0.0, self.high * em()))


class Least(Struct, frozen=True):
    """Rows one below the other, together at least `high` (imgui's units), so that items below do not move."""

    rows: tuple[Row, ...]
    high: float

    def measure(self, room: float) -> Size:
        """See `Row.measure`."""
        width, height = stacked_size(self.rows, room)
        return width, max(height, self.high)

    def draw(self, room: float, ask: Ask) -> None:
        """See `Row.draw`."""
        at = imgui.get_cursor_pos()
        for row in self.rows:
            row.draw(room, ask)
        imgui.set_cursor_pos(at)
        imgui.dummy(ImVec2(1.0, self.measure(room)[1]))


class Flow(Struct, frozen=True):
    """Rows side by side, wrapped onto new lines. `gaps`: the first gaps between them, ems, if not the default."""

    rows: tuple[Row, ...]
    gaps: tuple[float, ...] = ()

    def _places(self, room: float) -> tuple[list[tuple[float, float]], Size]:
        """Position of each row from the upper left corner, and the size of all together."""
        spacing = imgui.get_style().item_spacing
        usual, em_ = spacing.x, em()
        x = top = high = widest = 0.0
        line: list[tuple[float, float]] = []
        places: list[tuple[float, float]] = []
        for number, row in enumerate(self.rows):
            width, height = row.measure(room)
            gap = self.gaps[number - 1] * em_ if 0 < number <= len(self.gaps) else usual
            if line and x + gap + width > room:
                places += _middled(line, top, high)
                line, x, top, high = [], 0.0, top + high + spacing.y, 0.0
            left = x + gap if line else 0.0
            line.append((left, height))
            x, high = left + width, max(high, height)
            widest = max(widest, x)
        return places + _middled(line, top, high), (widest, top + high)

    def measure(self, room: float) -> Size:
        """See `Row.measure`."""
        return self._places(room)[1]

    def draw(self, room: float, ask: Ask) -> None:
        """See `Row.draw`."""
        at, (places, _) = imgui.get_cursor_pos(), self._places(room)
        imgui.begin_group()
        for row, (x, y) in zip(self.rows, places, strict=True):
            imgui.set_cursor_pos(ImVec2(at.x + x, at.y + y))
            row.draw(room, ask)
        imgui.end_group()


def _middled(line: list[tuple[float, float]], top: float, high: float) -> list[tuple[float, float]]:
    """Positions of a line's items, given as (left, height); lower items are centred, such as words beside a button."""
    return [(left, top if height == high else top + round(0.5 * (high - height))) for left, height in line]


class Ends(Struct, frozen=True):
    """One row at the left, and others, at least one, at the right end of the room."""

    left: Row
    right: tuple[Row, ...]

    def _free(self, room: float) -> tuple[float, float]:
        """Width available to the left row, and the height of the others."""
        sizes = [row.measure(room) for row in self.right]
        taken = sum(width for width, _ in sizes) + len(sizes) * imgui.get_style().item_spacing.x
        return max(room - taken, 1.0), max(height for _, height in sizes)

    def measure(self, room: float) -> Size:
        """See `Row.measure`."""
        free, high = self._free(room)
        return room, max(self.left.measure(free)[1], high)

    def draw(self, room: float, ask: Ask) -> None:
        """See `Row.draw`."""
        at, x = imgui.get_cursor_pos(), self._free(room)[0]
        imgui.begin_group()
        self.left.draw(x, ask)
        for row in self.right:
            x += imgui.get_style().item_spacing.x
            imgui.set_cursor_pos(ImVec2(at.x + x, at.y))
            row.draw(room, ask)
            x += row.measure(room)[0]
        imgui.end_group()
