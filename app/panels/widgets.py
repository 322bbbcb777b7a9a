"""Windows, widgets and marks shared by several panels. Constants are in ems (text.py), other lengths in pixels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

from imgui_bundle import ImVec2, ImVec4, imgui

from core.sat.sat import AxisKind
from core.verdict import Verdict

from ..draw.draw_list import Marker, Rgba
from ..draw.theme import Theme, faded, readable_on
from ..overlays.style import family_style
from ..state.panel_state import PanelState
from .rows import Own
from .style import accent
from .text import em, explain, flow, inked, wrapped_at

T = TypeVar("T")

FLOATING = imgui.WindowFlags_.no_collapse | imgui.WindowFlags_.no_docking
"""Flags of a window that opens over the viewport."""

SIDE_BAR = (
    imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_scrollbar
    | imgui.WindowFlags_.no_scroll_with_mouse
    | imgui.WindowFlags_.no_focus_on_appearing
    | imgui.WindowFlags_.no_nav
    # The window is cleared to the background colour already.
    | imgui.WindowFlags_.no_background
)
"""Flags of a bar along a side of the main window."""

HEAD_GAP = 0.35
"""Space between a verdict's icon and its word, ems."""


def dockable_flags(title: str) -> int:
    """Flags of a window that may be docked: in the dock space it paints no background; elsewhere 0.

    The main window is cleared to that background already, and filling it again takes software GL 7 ms.
    """
    window = imgui.internal.find_window_by_name(title)
    node = None if window is None else imgui.internal.dock_builder_get_node(window.dock_id)
    if node is None or not imgui.internal.dock_node_get_root_node(node).is_dock_space():
        return 0
    return imgui.WindowFlags_.no_background.value


def u32(rgba: Rgba) -> int:
    """A theme's colour for a draw list."""
    return imgui.color_convert_float4_to_u32(ImVec4(*rgba))


def button_width(label: str) -> float:
    """Width of a button with this label."""
    return imgui.calc_text_size(label, True).x + 2.0 * imgui.get_style().frame_padding.x


def usable_button(label: str, usable: bool) -> bool:
    """Draws a button, disabled unless `usable`; returns whether it was pressed."""
    imgui.begin_disabled(not usable)
    pressed = imgui.button(label)
    imgui.end_disabled()
    return pressed


def draw_progress(share: float, words: str, theme: Theme) -> bool:
    """Draws a progress bar at `share`, 0 to 1, over the free width, with "Cancel" beside it.

    `words`: on the bar. Returns whether "Cancel" was pressed.
    """
    width = imgui.get_content_region_avail().x - button_width("Cancel") - imgui.get_style().item_spacing.x
    imgui.push_style_color(imgui.Col_.plot_histogram, ImVec4(*faded(accent(theme), 0.6)))
    imgui.progress_bar(share, ImVec2(width, 0.0), words)
    imgui.pop_style_color()
    imgui.same_line()
    return imgui.button("Cancel")


def choice(label: str, options: Mapping[T, str], current: T, width: float, shown: str = "") -> T:
    """Draws a combo of values by title, `width` pixels wide; returns the value after this frame.

    `shown` replaces the title of the current value; without it `current` must be one of the values.
    """
    imgui.set_next_item_width(width)
    before = current
    if imgui.begin_combo(label, shown or options[current]):
        for option, title in options.items():
            if imgui.selectable(title, option == current)[0]:
                current = option
            if option == before:
                imgui.set_item_default_focus()  # the arrow keys begin there
        imgui.end_combo()
    return current


def wrapped_selectable(words: str, key: str, chosen: bool = False, *, rgba: Rgba | None = None, tip: str = "") -> bool:
    """Draws wrapped, selectable text as one item with the tooltip `tip`; returns whether it was clicked.

    `key`: its id, unique in the window. `chosen`: highlighted. `rgba`: None for the text's colour.
    """
    corner, room = imgui.get_cursor_pos(), imgui.get_content_region_avail().x
    height = imgui.calc_text_size(words, False, max(room, 1.0)).y
    clicked = bool(imgui.selectable(f"##{key}", chosen, 0, ImVec2(0.0, height))[0])
    explain(tip)
    imgui.set_cursor_pos(corner)
    with wrapped_at(), inked(rgba):
        imgui.text_unformatted(words)
    return clicked


def radio_row(options: Iterable[tuple[T, str, str]], current: T) -> T:
    """Draws radio buttons that wrap, with title and tooltip each; returns the option chosen after this frame."""
    for k, (option, title, note) in enumerate(options):
        if k:
            flow(imgui.calc_text_size(title).x + 2.0 * em())
        if imgui.radio_button(title, option == current):
            current = option
        explain(note)
    return current


def body_mark(index: int, theme: Theme, height: float = 0.0) -> None:
    """Draws the letter of A (0) or B (1) on a square of its colour, as an item on the line.

    `height`: in which it is centred, pixels.
    """
    size = 1.25 * em()
    corner = imgui.get_cursor_screen_pos()
    imgui.dummy(ImVec2(size, max(size, height)))
    at = ImVec2(corner.x, corner.y + 0.5 * max(0.0, height - size))
    draw = imgui.get_window_draw_list()
    draw.add_rect_filled(at, ImVec2(at.x + size, at.y + size), u32(theme.body(index)), 0.25 * em())
    letter = "AB"[index]
    width = imgui.calc_text_size(letter).x
    ink = readable_on(theme.body(index))
    draw.add_text(ImVec2(at.x + 0.5 * (size - width), at.y + 0.125 * em()), u32(ink), letter)


def family_mark(centre: ImVec2, radius: float, kind: AxisKind, theme: Theme, strength: float = 1.0) -> None:
    """Draws the marker of a family of axes in its colour, like the ends of its rails in the viewport.

    `radius`: pixels; `strength`: opacity, 0 to 1.
    """
    style = family_style(kind, theme)
    draw, colour = imgui.get_window_draw_list(), u32(faded(style.rgba, strength))
    x, y = centre.x, centre.y
    if style.marker is Marker.SQUARE:
        r = 0.85 * radius
        draw.add_rect_filled(ImVec2(x - r, y - r), ImVec2(x + r, y + r), colour, 0.2 * r)
    elif style.marker is Marker.DIAMOND:
        r = 1.15 * radius
        draw.add_quad_filled(ImVec2(x, y - r), ImVec2(x + r, y), ImVec2(x, y + r), ImVec2(x - r, y), colour)
    elif style.marker is Marker.TRIANGLE:
        r = 1.1 * radius
        draw.add_triangle_filled(ImVec2(x, y - r), ImVec2(x + r, y + 0.8 * r), ImVec2(x - r, y + 0.8 * r), colour)
    else:
        draw.add_circle_filled(centre, radius, colour)


def verdict_colour(verdict: Verdict, theme: Theme) -> Rgba:
    """The verdict's colour, always used beside a word or a shape."""
    return {Verdict.SEPARATED: theme.gap, Verdict.TOUCHING: theme.winner, Verdict.OVERLAPPING: theme.overlap}[verdict]


def verdict_mark(verdict: Verdict, theme: Theme) -> None:
    """Draws the verdict's shape as an item: a tick for apart, a disc for touching, a triangle for overlapping."""
    size = em()
    at = imgui.get_cursor_screen_pos()
    imgui.dummy(ImVec2(size, size))
    draw, colour = imgui.get_window_draw_list(), u32(verdict_colour(verdict, theme))
    x, y = at.x, at.y + 0.06 * size
    if verdict is Verdict.SEPARATED:
        knee = ImVec2(x + 0.40 * size, y + 0.76 * size)
        draw.add_line(ImVec2(x + 0.12 * size, y + 0.48 * size), knee, colour, 0.15 * size)
        draw.add_line(knee, ImVec2(x + 0.90 * size, y + 0.18 * size), colour, 0.15 * size)
    elif verdict is Verdict.TOUCHING:
        draw.add_circle_filled(ImVec2(x + 0.5 * size, y + 0.48 * size), 0.34 * size, colour)
    else:
        top, foot = ImVec2(x + 0.5 * size, y + 0.08 * size), y + 0.86 * size
        draw.add_triangle_filled(top, ImVec2(x + 0.95 * size, foot), ImVec2(x + 0.05 * size, foot), colour)


def mark(verdict: Verdict, theme: Theme) -> Own:
    """The verdict's shape as a row."""
    return Own((em(), em()), lambda _ask: verdict_mark(verdict, theme))


def centred(width: float, height: float, cond: int = imgui.Cond_.appearing) -> None:
    """Centres the next window in the main window, `width` × `height` ems (0 for as much as it needs).

    It is never larger than most of the main window.
    `cond`: imgui's condition, by default when the window appears.
    """
    viewport = imgui.get_main_viewport()
    size = viewport.work_size
    middle = ImVec2(viewport.work_pos.x + 0.5 * size.x, viewport.work_pos.y + 0.5 * size.y)
    imgui.set_next_window_pos(middle, cond, ImVec2(0.5, 0.5))
    imgui.set_next_window_size(ImVec2(min(width * em(), 0.96 * size.x), min(height * em(), 0.94 * size.y)), cond)


@contextmanager
def dialog(ui: PanelState, name: str, title: str, size: tuple[float, float], flags: int = 0) -> Iterator[bool]:
    """Opens a window over the viewport while field `name` of `ui.dialogs` is true; yields whether to draw its content.

    `size`: width and height, as for `centred`. When the window is closed, the field becomes false.
    """
    if not getattr(ui.dialogs, name):
        yield False
        return
    centred(*size)
    shown, still_open = imgui.begin(f"{title}###{name}", True, FLOATING | flags)
    yield bool(shown)
    imgui.end()
    if not still_open:
        setattr(ui.dialogs, name, False)


def walk_by_keys(*, on: bool) -> None:
    """Switches whether Tab, the arrows, Space and Enter reach and press the items of the window with the focus."""
    io, walked = imgui.get_io(), imgui.ConfigFlags_.nav_enable_keyboard.value
    io.config_flags = io.config_flags | walked if on else io.config_flags & ~walked


def enter_pressed() -> bool:
    """Whether Enter was pressed in this frame, on either side of the keyboard."""
    return imgui.is_key_pressed(imgui.Key.enter, False) or imgui.is_key_pressed(imgui.Key.keypad_enter, False)
