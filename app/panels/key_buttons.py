"""Names of keys in a text: they look like keys, and a click runs their command, which a tooltip names.

The buttons are drawn over the text, and do not change its layout. Esc is not in the table of commands: it closes the
topmost thing.
"""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui
from msgspec import Struct

from ..draw.draw_list import Rgba
from ..draw.theme import faded
from ..state.ask import Ask
from ..state.panel_state import MenuEntry, PanelState
from ..words.key_names import as_on_keys, keys_in
from .rows import Size
from .style import accent
from .text import em, explain, hand, inked
from .widgets import u32
from .wrapped import letter_positions, wrapped_lines

ESCAPE = "Escape"
ESCAPES = "Close or end what is open, as the key does"


def draw_key(chord: str, low: tuple[float, float], high: tuple[float, float], ui: PanelState, ask: Ask) -> None:
    """Makes a button over a key's name; `low` and `high`: the name's upper left and lower right corner on the screen.

    The cursor does not move. A chord without a command looks like a key, and does nothing.
    """
    entry, pad = ui.command_on(chord), 0.08 * em()
    draw, corner, end = imgui.get_window_draw_list(), ImVec2(low[0] - pad, low[1]), ImVec2(high[0] + pad, high[1])
    lit, usable = accent(ui.theme), chord == ESCAPE or (entry is not None and entry.enabled)
    draw.add_rect(corner, end, u32(faded(lit if usable else ui.theme.dim_text, 0.55)), 0.25 * em())
    if entry is None and chord != ESCAPE:
        return
    before = imgui.get_cursor_screen_pos()
    imgui.set_cursor_screen_pos(ImVec2(*low))
    imgui.push_id(f"{chord} {round(low[0])} {round(low[1])}")
    pressed = imgui.invisible_button("##key", ImVec2(max(1.0, high[0] - low[0]), max(1.0, high[1] - low[1])))
    imgui.pop_id()
    if imgui.is_item_hovered() and usable:
        hand()
        draw.add_rect_filled(corner, end, u32(faded(lit, 0.45 if imgui.is_item_active() else 0.22)), 0.25 * em())
    explain(ESCAPES if entry is None else _told(entry))
    imgui.set_cursor_screen_pos(before)
    if pressed and usable:
        if entry is None:
            ask.escape()
        else:
            ask.invoke(entry.id)


def _told(entry: MenuEntry) -> str:
    return f"{entry.title}\n{entry.tip}" if entry.tip else entry.title


def draw_keys(lines: str, corner: tuple[float, float], ui: PanelState, ask: Ask) -> None:
    """Makes buttons of the keys that a wrapped text names; `corner`: its upper left corner on the screen."""
    line, uses, after = imgui.get_text_line_height(), keys_in(lines), imgui.get_cursor_pos()
    for use in uses:
        for x, number, width in letter_positions(lines, use.start, use.end, em()):
            top = corner[1] + number * line
            draw_key(use.chord, (corner[0] + x, top), (corner[0] + x + width, top + line), ui, ask)
    if uses:
        imgui.set_cursor_pos(after)
        imgui.dummy(ImVec2(0.0, 0.0))
        imgui.set_cursor_pos(after)


class Keyed(Struct, frozen=True, eq=False):
    """The row of a text in `rgba` whose names of keys are buttons."""

    text: str
    ui: PanelState
    rgba: Rgba | None = None

    def measure(self, room: float) -> Size:
        """The width and height of the row in `room` pixels."""
        size = imgui.calc_text_size(self._lines(room))
        return size.x, size.y

    def draw(self, room: float, ask: Ask) -> None:
        """Draws the row."""
        at, lines = imgui.get_cursor_screen_pos(), self._lines(room)
        with inked(self.rgba):
            imgui.text_unformatted(lines)
        draw_keys(lines, (at.x, at.y), self.ui, ask)

    def _lines(self, room: float) -> str:
        return wrapped_lines(as_on_keys(self.text), max(room, 1.0), em())
