"""Bars and cards over the viewport, whose size is measured from their rows before they are drawn.

`CARDS` has the places of this frame's cards, for other cards and for framing the cameras. A card that makes room for
another is drawn after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from imgui_bundle import ImVec2, ImVec4, imgui

from ..draw.draw_list import Rgba
from ..draw.placed import Rect
from ..state.ask import Ask
from .rows import Row, Size, stacked_size
from .text import em

OVERLAY = (
    imgui.WindowFlags_.no_decoration
    | imgui.WindowFlags_.no_docking
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_focus_on_appearing
    | imgui.WindowFlags_.no_nav
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.always_auto_resize
)
"""Flags of a bar or card that belongs to the viewport."""
QUIET = OVERLAY | imgui.WindowFlags_.no_inputs
"""Flags of a card that ignores the pointer."""
ROOM_EMS = 16.0
"""A viewport narrower or lower than this, in ems, has room only for the verdict's number."""


def cramped(area: Rect) -> bool:
    """Whether an area is narrower or lower than ROOM_EMS, so that bars and cards would cover most of it."""
    return min(area.width, area.height) < ROOM_EMS * em()


class Cards:
    """The places of this frame's cards by `window`, their name: corner and size in pixels; iterates over the names."""

    def __init__(self) -> None:
        self._places: dict[str, tuple[float, float, float, float]] = {}

    def begin(self) -> None:
        """Clears the places at the beginning of a frame."""
        self._places.clear()

    def note(self, window: str, at: ImVec2, size: Size) -> None:
        """Stores the place of a card: `at` is its upper left corner."""
        self._places[window] = (at.x, at.y, *size)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def corner(self, window: str) -> tuple[float, float] | None:
        """The upper left corner of a card; None if it is not shown."""
        found = self._places.get(window)
        return None if found is None else found[:2]

    def size(self, window: str) -> Size:
        """The width and height of a card; 0 if it is not shown."""
        return self._places.get(window, (0.0, 0.0, 0.0, 0.0))[2:]

    def height(self, window: str) -> float:
        """The height of a card; 0 if it is not shown."""
        return self.size(window)[1]


CARDS = Cards()
"""The places of the cards over the viewport, of which the program has one."""


class Card:
    """A card: a window with rows, measured before it is drawn.

    `widest`: the largest width with padding, pixels; `highest`: the height beyond which it scrolls. `padding`: between
    edge and rows, ems, None for the style's; `ground`: the background's colour, None for that of windows; `alpha`: the
    background's opacity.
    """

    def __init__(
        self,
        window: str,
        rows: Sequence[Row],
        widest: float,
        *,
        highest: float = 1e6,
        padding: tuple[float, float] | None = None,
        ground: Rgba | None = None,
        alpha: float = 0.86,
        flags: int = OVERLAY,
    ) -> None:
        self._window, self._rows, self._flags = window, rows, flags
        usual = imgui.get_style().window_padding
        self._padding = usual if padding is None else ImVec2(*(round(air * em()) for air in padding))
        self._ground, self._alpha = ground, alpha
        self._room = max(1.0, widest - 2.0 * self._padding.x)
        width, height = stacked_size(rows, self._room)
        self.size = float(round(width + 2.0 * self._padding.x)), float(round(height + 2.0 * self._padding.y))
        if self.size[1] > highest:
            self.size = self.size[0], float(round(highest))

    def draw(self, at: ImVec2, ask: Ask, pivot: tuple[float, float] = (0.0, 0.0)) -> None:
        """Draws the card so that its point `pivot` (0 to 1 along width and height) is at `at`; adds it to CARDS."""
        corner = ImVec2(round(at.x - pivot[0] * self.size[0]), round(at.y - pivot[1] * self.size[1]))
        CARDS.note(self._window, corner, self.size)
        imgui.set_next_window_pos(corner, imgui.Cond_.always)
        imgui.set_next_window_size(ImVec2(*self.size), imgui.Cond_.always)
        colour = imgui.get_style().color_(imgui.Col_.window_bg)
        ground = (colour.x, colour.y, colour.z) if self._ground is None else self._ground[:3]
        imgui.push_style_color(imgui.Col_.window_bg, ImVec4(*ground, self._alpha))
        imgui.push_style_var(imgui.StyleVar_.window_padding, self._padding)
        imgui.begin(self._window, None, self._flags)
        imgui.pop_style_var()
        imgui.pop_style_color()
        for row in self._rows:
            row.draw(self._room, ask)
        imgui.end()
