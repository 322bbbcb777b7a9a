"""Text in the panels: coloured, wrapped, with tooltips, copied by a click; and labelled rows.

Measures are in ems, so that everything scales with the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from math import hypot

from imgui_bundle import ImVec2, ImVec4, imgui
from msgspec import Struct

from ..draw.draw_list import Rgba
from ..draw.placed import Rect
from ..draw.theme import Theme
from ..state.ask import Ask
from ..words.digits import MINUS
from ..words.key_names import as_on_keys


def em() -> float:
    """The font size, in imgui's units."""
    return imgui.get_font_size()


@contextmanager
def coloured(rgba: Rgba) -> Iterator[None]:
    """Draws the text inside it in this colour."""
    imgui.push_style_color(imgui.Col_.text, ImVec4(*rgba))
    try:
        yield
    finally:
        imgui.pop_style_color()


def inked(rgba: Rgba | None) -> AbstractContextManager[None]:
    """Draws the text inside it in this colour; None for the default."""
    return nullcontext() if rgba is None else coloured(rgba)


@contextmanager
def sized(size: float) -> Iterator[None]:
    """Draws the text inside it at this size, ems, in whole pixels; sizes are in style.py."""
    if size == 1.0:
        yield
        return
    base = imgui.get_style().font_size_base
    imgui.push_font(None, round(size * em()) * base / em())
    try:
        yield
    finally:
        imgui.pop_font()


@contextmanager
def wrapped_at(x: float = 0.0) -> Iterator[None]:
    """Wraps the text inside it at this x of the window; 0 for the window's right edge, a negative x for no wrapping."""
    imgui.push_text_wrap_pos(x)
    try:
        yield
    finally:
        imgui.pop_text_wrap_pos()


def write(text: str, rgba: Rgba) -> None:
    """Draws text in this colour, on one line unless inside `wrapped_at`."""
    imgui.push_style_color(imgui.Col_.text, ImVec4(*rgba))
    imgui.text_unformatted(text)
    imgui.pop_style_color()


def say(text: str, rgba: Rgba | None = None) -> None:
    """Draws text wrapped at the window's right edge, in `rgba` or the default colour.

    Keys get their names on this system's keyboard, and `unbroken` keeps differences and equations on one line.
    """
    with wrapped_at(), inked(rgba):
        imgui.text_unformatted(unbroken(as_on_keys(text)))


def unbroken(text: str) -> str:
    """The text with no line breaks in differences and equations, such as A − B. Its length does not change."""
    return text.replace(f" {MINUS} ", f"\u00a0{MINUS}\u00a0").replace(" = ", "\u00a0=\u00a0")


class Tips:
    """Whether tooltips are shown: not after a mouse button was pressed or released, until the pointer moves on.

    Otherwise a tooltip would cover what a click has just brought under the pointer.
    """

    def __init__(self) -> None:
        self._resting: tuple[float, float] | None = None
        self._held_at: tuple[float, float] | None = None

    def begin(self) -> None:
        """Starts a frame."""
        mouse, buttons = imgui.get_mouse_pos(), (imgui.MouseButton_.left, imgui.MouseButton_.right)
        if any(imgui.is_mouse_clicked(button) or imgui.is_mouse_released(button) for button in buttons):
            self._resting = mouse.x, mouse.y
        elif self._resting is not None and hypot(mouse.x - self._resting[0], mouse.y - self._resting[1]) > 0.5 * em():
            self._resting = None
        if self._held_at is not None and self._held_at != (mouse.x, mouse.y):
            self._held_at = None

    def hold(self) -> None:
        """Shows no definition of a term until the pointer moves: other words have come to lie under it."""
        mouse = imgui.get_mouse_pos()
        self._held_at = mouse.x, mouse.y

    @property
    def held(self) -> bool:
        """Whether the pointer has not moved since the words under it were exchanged."""
        return self._held_at is not None

    @property
    def wanted(self) -> bool:
        """Whether tooltips may be drawn in this frame."""
        return self._resting is None


TIPS = Tips()
"""A single instance, as there is one pointer."""


def wants_tip() -> bool:
    """Whether the last item's tooltip is to be shown."""
    return TIPS.wanted and imgui.is_item_hovered(imgui.HoveredFlags_.for_tooltip)


def explain(text: str) -> None:
    """Adds a tooltip of wrapped text, none for "", to the last item; keys get this system's names."""
    if text and wants_tip():
        tell(as_on_keys(text))


def tell(text: str) -> None:
    """Draws a tooltip of wrapped text, at the pointer unless another place was set."""
    if imgui.begin_tooltip():
        with wrapped_at(TIP_EMS * em()):
            imgui.text_unformatted(text)
        imgui.end_tooltip()


TIP_EMS, LEAST_TIP_EMS = 26.0, 12.0
"""Widest text of a tooltip, and the narrowest space beside a panel in which one is readable, ems."""

BAR_EMS, BAR_SHAPE = 8.0, 4.0
"""A panel at most this high, ems, and at least this many times as wide as high is a bar: its items are in a row."""


class TipPlace(Struct, frozen=True):
    """Position of a tooltip: its point `pivot` (0 to 1 in x and y) is at (x, y); its text is at most `width` wide."""

    x: float
    y: float
    pivot: tuple[float, float]
    width: float


def tip_place(panel: Rect, row: tuple[float, float], screen: Rect, pointer: tuple[float, float], em: float) -> TipPlace:
    """The place for the tooltip of a row from `row[0]` down to `row[1]` that leaves the rows around it readable.

    The tooltip is beside the panel, on the side with more space. If that is too narrow, or the panel is a bar, it is
    above or below the panel; if that is too low, beyond the row's neighbour. All in pixels of the screen.
    """
    gap, pad = 0.5 * em, 1.6 * em
    share = ((pointer[0] - screen.x) / screen.width, (pointer[1] - screen.y) / screen.height)
    left, right = panel.x - screen.x - gap, screen.x + screen.width - panel.x - panel.width - gap
    width = min(TIP_EMS * em, max(left, right) - pad)
    bar = panel.height <= BAR_EMS * em and panel.width >= BAR_SHAPE * panel.height
    if width >= LEAST_TIP_EMS * em and not bar:
        x = panel.x - gap if left >= right else panel.x + panel.width + gap
        return TipPlace(x, pointer[1], (1.0 if left >= right else 0.0, share[1]), width)
    width, bottom = min(TIP_EMS * em, screen.width - pad), screen.y + screen.height
    above, below = panel.y - screen.y, bottom - panel.y - panel.height
    if max(above, below) >= 0.5 * LEAST_TIP_EMS * em:
        y, pivot = (panel.y - gap, 1.0) if above >= below else (panel.y + panel.height + gap, 0.0)
    else:
        high = row[1] - row[0]
        y, pivot = (row[1] + high, 0.0) if bottom - row[1] >= row[0] - screen.y else (row[0] - high, 1.0)
    return TipPlace(pointer[0], y, (share[0], pivot), width)


def place_inside(panel: Rect, row: tuple[float, float], em: float) -> TipPlace:
    """The place for the tooltip of a row from `row[0]` down to `row[1]`: at the farther end of its panel.

    `em`: pixels.
    """
    below = panel.y + panel.height - row[1] >= row[0] - panel.y
    y, pivot = (panel.y + panel.height, 1.0) if below else (float(panel.y), 0.0)
    return TipPlace(float(panel.x), y, (0.0, pivot), panel.width - 1.6 * em)


def _window() -> Rect:
    at, size = imgui.get_window_pos(), imgui.get_window_size()
    return Rect(round(at.x), round(at.y), round(size.x), round(size.y))


def tooltip_inside(draw: Callable[[], None]) -> None:
    """Draws a tooltip of the last item, a row of the current window, inside that window; `draw` draws its content.

    Draws nothing while `TIPS` wants none. The caller tests whether the pointer is on the item.
    """
    low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    _draw_tooltip(draw, place_inside(_window(), (low.y, high.y), em()))


def tooltip_beside(draw: Callable[[], None]) -> None:
    """Draws a tooltip of the last item, a row of the current window, placed by `tip_place`; `draw` draws its text.

    Draws nothing while `TIPS` wants none. The caller tests whether the pointer is on the item.
    """
    low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    main, mouse = imgui.get_main_viewport(), imgui.get_mouse_pos()
    screen = Rect(round(main.pos.x), round(main.pos.y), round(main.size.x), round(main.size.y))
    _draw_tooltip(draw, tip_place(_window(), (low.y, high.y), screen, (mouse.x, mouse.y), em()))


def _draw_tooltip(draw: Callable[[], None], place: TipPlace) -> None:
    if not TIPS.wanted:
        return
    imgui.set_next_window_pos(ImVec2(place.x, place.y), imgui.Cond_.always, ImVec2(*place.pivot))
    if imgui.begin_tooltip():
        with wrapped_at(place.width):
            draw()
        imgui.end_tooltip()


def tell_beside(text: str) -> None:
    """Draws text as a tooltip of the item under the pointer in the current window, without covering the item."""
    tooltip_beside(lambda: imgui.text_unformatted(text))


def explain_row(text: str) -> None:
    """Adds a tooltip to the last item, a row among others, without covering them."""
    if text and wants_tip():
        tell_beside(text)


def hand() -> None:
    """Shows the hand pointer while it is on the last item."""
    if imgui.is_item_hovered():
        imgui.set_mouse_cursor(imgui.MouseCursor_.hand)


def on_item() -> bool:
    """Whether the pointer is on the last item, even while the row under it is pressed."""
    return bool(imgui.is_item_hovered(imgui.HoveredFlags_.allow_when_blocked_by_active_item))


def folded(shown: str, at: str = ",", room: float | None = None) -> str:
    """`shown`; if it is wider than `room`, by default the rest of the line, with line breaks after `at` and a space."""
    fits = imgui.calc_text_size(shown).x <= (imgui.get_content_region_avail().x if room is None else room)
    return shown if fits else shown.replace(f"{at} ", f"{at}\n ")


def copyable(shown: str, copied: str, what: str, ask: Ask, *, rgba: Rgba | None = None, note: str = "") -> None:
    """Draws text that copies `copied` when clicked; `note` is added to the tooltip.

    `what`: the word for it in the notice. `rgba`: its colour, None for the text's.
    """
    with inked(rgba):
        imgui.text_unformatted(shown)
    copies_on_click(copied, what, ask, note)


def copies_on_click(copied: str, what: str, ask: Ask, note: str = "", *, quiet: bool = False) -> None:
    """Makes the last item copy `copied` when clicked, and says so in its tooltip.

    `quiet`: no tooltip now, as it would cover what the item highlights. `what`: the word for it in the notice; `note`:
    the tooltip's first lines.
    """
    if on_item():
        imgui.set_mouse_cursor(imgui.MouseCursor_.hand)
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        imgui.get_window_draw_list().add_line(
            ImVec2(low.x, high.y), ImVec2(high.x, high.y), imgui.get_color_u32(imgui.Col_.text_disabled)
        )
        if imgui.is_mouse_clicked(imgui.MouseButton_.left):
            ask.copy(copied, what)
    if quiet:
        return
    text = "\n".join(part for part in (note, f"{copied}\nClick to copy") if part)
    explain_row(text)


TITLE_EMS = 4.6
"""Width of a column of row names, ems."""


def row_title(title: str, note: str) -> None:
    """Draws a row's name with the tooltip `note`; the fields follow on the same line, in one column for all rows."""
    imgui.align_text_to_frame_padding()
    imgui.text_disabled(title)
    explain(note)
    _next_column()


def copies_title(title: str, note: str, copied: str, what: str, ask: Ask) -> None:
    """Like `row_title`, but a click on the name copies `copied`, the row's numbers.

    `what`: the word for them in the notice.
    """
    imgui.align_text_to_frame_padding()
    imgui.text_disabled(title)
    copies_on_click(copied, what, ask, note)
    _next_column()


def _next_column() -> None:
    imgui.same_line(imgui.get_style().window_padding.x + TITLE_EMS * em())


def flow(width: float) -> None:
    """Puts the next item, `width` wide, on the same line if it fits."""
    right = imgui.get_window_pos().x + imgui.get_window_width() - imgui.get_style().window_padding.x
    if imgui.get_item_rect_max().x + imgui.get_style().item_spacing.x + width <= right:
        imgui.same_line()


ARTICLES_TITLE = "Published mistakes"


def draw_sentence(heading: str, words: str, rgba: Rgba) -> None:
    """Draws a heading and the words about it as one item."""
    imgui.begin_group()
    say(heading, rgba)
    say(words)
    imgui.end_group()


def right_words(right: int, wrong: int, what: str) -> str:
    """A sentence on the number of right answers, at least 1, beside `wrong` wrong ones.

    An example: `9 more are correct for this pair.`.
    """
    if not wrong:
        return f"All {right} are correct for {what}." if right > 1 else f"The only one is correct for {what}."
    return f"{f'{right} more are' if right > 1 else 'One more is'} correct for {what}."


def draw_right(headings: list[str], wrong: int, what: str, theme: Theme) -> None:
    """Draws the number of answers that are right about `what`, beside `wrong` wrong ones; their names are a tooltip.

    Draws nothing if none is right.
    """
    if headings:
        say(right_words(len(headings), wrong, what), theme.dim_text)
        explain("\n".join(headings))
