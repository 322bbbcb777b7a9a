"""Text in the panels: coloured, wrapped, explained on hover, copied with a click; and the rows that it stands in.

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
    """Height of the text, in imgui's units."""
    return imgui.get_font_size()


@contextmanager
def coloured(rgba: Rgba) -> Iterator[None]:
    """Text in this colour."""
    imgui.push_style_color(imgui.Col_.text, ImVec4(*rgba))
    try:
        yield
    finally:
        imgui.pop_style_color()


def inked(rgba: Rgba | None) -> AbstractContextManager[None]:
    """Text in this colour, None for the usual one."""
    return nullcontext() if rgba is None else coloured(rgba)


@contextmanager
def sized(size: float) -> Iterator[None]:
    """Text of this size, ems, in whole pixels: one of those in style.py."""
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
    """Text wrapped at this x of the window; 0 for the window's right edge."""
    imgui.push_text_wrap_pos(x)
    try:
        yield
    finally:
        imgui.pop_text_wrap_pos()


def write(text: str, rgba: Rgba) -> None:
    """Text in this colour, on one line unless it is wrapped by what stands round it."""
    with coloured(rgba):
        imgui.text_unformatted(text)


def say(text: str, rgba: Rgba | None = None) -> None:
    """Text wrapped at the window's right edge, in `rgba` or the usual colour."""
    with wrapped_at(), inked(rgba):
        imgui.text_unformatted(unbroken(as_on_keys(text)))


def unbroken(text: str) -> str:
    """The text with differences and equations kept together at a line's end: A − B. Each character keeps its place."""
    return text.replace(f" {MINUS} ", f"\u00a0{MINUS}\u00a0").replace(" = ", "\u00a0=\u00a0")


class Tips:
    """Whether the pointer asks for tooltips: not where a button was just pressed or let go, until it moves on.

    What a click brings under the pointer would else be covered by its own explanation.
    """

    def __init__(self) -> None:
        self._resting: tuple[float, float] | None = None

    def begin(self) -> None:
        """A frame begins."""
        mouse, buttons = imgui.get_mouse_pos(), (imgui.MouseButton_.left, imgui.MouseButton_.right)
        if any(imgui.is_mouse_clicked(button) or imgui.is_mouse_released(button) for button in buttons):
            self._resting = mouse.x, mouse.y
        elif self._resting is not None and hypot(mouse.x - self._resting[0], mouse.y - self._resting[1]) > 0.5 * em():
            self._resting = None

    @property
    def wanted(self) -> bool:
        """Whether tooltips may be drawn in this frame."""
        return self._resting is None


TIPS = Tips()
"""There is one pointer."""


def wants_tip() -> bool:
    """Whether the pointer asks for the last item's tooltip."""
    return TIPS.wanted and imgui.is_item_hovered(imgui.HoveredFlags_.for_tooltip)


def explain(text: str) -> None:
    """A tooltip of wrapped text on the last item."""
    if text and wants_tip():
        tell(as_on_keys(text))


def tell(text: str) -> None:
    """A tooltip of wrapped text, at the pointer unless another place was set."""
    if imgui.begin_tooltip():
        with wrapped_at(TIP_EMS * em()):
            imgui.text_unformatted(text)
        imgui.end_tooltip()


TIP_EMS, LEAST_TIP_EMS = 26.0, 12.0
"""Widest text of a tooltip, and the least room beside a panel in which one is readable, ems."""

BAR_EMS, BAR_SHAPE = 8.0, 4.0
"""A panel at most so high, ems, and at least so many times as wide, is a bar: what stands beside it has buttons too."""


class TipPlace(Struct, frozen=True):
    """Where a tooltip stands: its point `pivot` (0 to 1 each way) at (x, y); its text is at most `width` wide."""

    x: float
    y: float
    pivot: tuple[float, float]
    width: float


def tip_place(
    panel: Rect, row: tuple[float, float], screen: Rect, pointer: tuple[float, float], em: float, ems: float = TIP_EMS
) -> TipPlace:
    """The place for the tooltip of a row from `row[0]` down to `row[1]`, so that the rows about it can be read.

    Beside the panel, where there is more room; if that is too narrow, or the panel is a bar along an edge of the
    window, above or below it; if that is too low, beyond the row's neighbour. It lies within the screen wherever it is
    no larger than the room there.
    """
    gap, pad = 0.5 * em, 1.6 * em
    share = ((pointer[0] - screen.x) / screen.width, (pointer[1] - screen.y) / screen.height)
    left, right = panel.x - screen.x - gap, screen.x + screen.width - panel.x - panel.width - gap
    width = min(ems * em, max(left, right) - pad)
    bar = panel.height <= BAR_EMS * em and panel.width >= BAR_SHAPE * panel.height
    if width >= LEAST_TIP_EMS * em and not bar:
        x = panel.x - gap if left >= right else panel.x + panel.width + gap
        return TipPlace(x, pointer[1], (1.0 if left >= right else 0.0, share[1]), width)
    width, bottom = min(ems * em, screen.width - pad), screen.y + screen.height
    above, below = panel.y - screen.y, bottom - panel.y - panel.height
    if max(above, below) >= 0.5 * LEAST_TIP_EMS * em:
        y, pivot = (panel.y - gap, 1.0) if above >= below else (panel.y + panel.height + gap, 0.0)
    else:
        high = row[1] - row[0]
        y, pivot = (row[1] + high, 0.0) if bottom - row[1] >= row[0] - screen.y else (row[0] - high, 1.0)
    return TipPlace(pointer[0], y, (share[0], pivot), width)


def tooltip_beside(draw: Callable[[], None], ems: float = TIP_EMS) -> None:
    """A tooltip of what `draw` draws about the last item, a row of the current window; see `tip_place`."""
    if not TIPS.wanted:
        return
    at, size, low, high = (
        imgui.get_window_pos(),
        imgui.get_window_size(),
        imgui.get_item_rect_min(),
        imgui.get_item_rect_max(),
    )
    main, mouse = imgui.get_main_viewport(), imgui.get_mouse_pos()
    panel = Rect(round(at.x), round(at.y), round(size.x), round(size.y))
    screen = Rect(round(main.pos.x), round(main.pos.y), round(main.size.x), round(main.size.y))
    place = tip_place(panel, (low.y, high.y), screen, (mouse.x, mouse.y), em(), ems)
    imgui.set_next_window_pos(ImVec2(place.x, place.y), imgui.Cond_.always, ImVec2(*place.pivot))
    if imgui.begin_tooltip():
        with wrapped_at(place.width):
            draw()
        imgui.end_tooltip()


def tell_beside(text: str) -> None:
    """A tooltip of text about what is under the pointer in the current window, which it leaves free."""
    tooltip_beside(lambda: imgui.text_unformatted(text))


def explain_row(text: str) -> None:
    """A tooltip on the last item, a row among others, which it leaves free."""
    if text and wants_tip():
        tell_beside(text)


def hand() -> None:
    """The pointer of something that can be clicked, while it is on the last item."""
    if imgui.is_item_hovered():
        imgui.set_mouse_cursor(imgui.MouseCursor_.hand)


def on_item() -> bool:
    """Whether the pointer is on the last item, even while the row under it is held down."""
    return bool(imgui.is_item_hovered(imgui.HoveredFlags_.allow_when_blocked_by_active_item))


def folded(shown: str, at: str = ",", room: float | None = None) -> str:
    """`shown` as it is where the `room`, else what is left of the line, is enough; else a new line after every `at`."""
    fits = imgui.calc_text_size(shown).x <= (imgui.get_content_region_avail().x if room is None else room)
    return shown if fits else shown.replace(f"{at} ", f"{at}\n ")


def copyable(shown: str, copied: str, what: str, ask: Ask, *, rgba: Rgba | None = None, note: str = "") -> None:
    """Text that a click puts on the clipboard as `copied`; `note` joins the tooltip."""
    with inked(rgba):
        imgui.text_unformatted(shown)
    copies_on_click(copied, what, ask, note)


def copies_on_click(copied: str, what: str, ask: Ask, note: str = "", *, quiet: bool = False) -> None:
    """Makes the last item copy `copied` when clicked, and says so in its tooltip.

    `quiet`: it has no tooltip now, which would cover what it lights.
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
"""Width of a column of row names."""


def row_title(title: str, note: str) -> None:
    """A row's name with its explanation on hover; the fields follow on the same line, all rows in one column."""
    imgui.align_text_to_frame_padding()
    imgui.text_disabled(title)
    explain(note)
    _next_column()


def copies_title(title: str, note: str, copied: str, what: str, ask: Ask) -> None:
    """A row's name as `row_title`, which copies the row's numbers when clicked."""
    imgui.align_text_to_frame_padding()
    imgui.text_disabled(title)
    copies_on_click(copied, what, ask, note)
    _next_column()


def _next_column() -> None:
    imgui.same_line(imgui.get_style().window_padding.x + TITLE_EMS * em())


def flow(width: float) -> None:
    """Puts the next item, `width` wide, on the same line if there is room."""
    right = imgui.get_window_pos().x + imgui.get_window_width() - imgui.get_style().window_padding.x
    if imgui.get_item_rect_max().x + imgui.get_style().item_spacing.x + width <= right:
        imgui.same_line()


ARTICLES_TITLE = "Published mistakes"


def draw_sentence(heading: str, words: str, rgba: Rgba) -> None:
    """A heading and what is to say about it, as one item."""
    imgui.begin_group()
    say(heading, rgba)
    say(words)
    imgui.end_group()


def right_words(right: int, wrong: int, what: str) -> str:
    """`9 more are right about this pair`, as a sentence."""
    if not wrong:
        return f"All {right} are correct for {what}." if right > 1 else f"The only one is correct for {what}."
    return f"{f'{right} more are' if right > 1 else 'One more is'} correct for {what}."


def draw_right(headings: list[str], wrong: int, what: str, theme: Theme) -> None:
    """How many are right, each by name on hover; `wrong`: how many are not, `what`: about what."""
    if headings:
        say(right_words(len(headings), wrong, what), theme.dim_text)
        explain("\n".join(headings))
