"""Runs Dear ImGui inside our own loop: context, fonts, style, input, docking and drawing.

Presses and releases are passed on with their button, never with a duration. The keys are released when the window
loses the focus, and the pointer is moved outside when it leaves the window. imgui's C++ OpenGL 3 renderer draws.

Coordinates are framebuffer pixels, so that text lies on whole pixels and is sharp on every display. Sizes are
proportional to the pixels per point: the style is scaled, panels measure in ems, and the stored layout is in points.

Glyphs that the program's own font lacks are taken from a system font, as names and notes may be in any script.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from imgui_bundle import imgui
from msgspec import Struct

from ..draw.placed import Rect
from ..draw.text import font_path
from ..draw.theme import Theme
from ..panels.panel_host import StackState

SUFFIXES = (".ttf", ".ttc", ".otf")
"""File name endings of fonts that imgui can read."""
MOST_ASKED = 32
"""The most characters in a query for a font."""
FONT_SECONDS = 3.0
_WINDOWS = Path(os.environ.get("WINDIR", "C:/Windows")) / "Fonts"
FONTS = {
    "win32": tuple(_WINDOWS / f for f in ("segoeui.ttf", "msyh.ttc", "msgothic.ttc", "malgun.ttf", "seguisym.ttf")),
    "darwin": (Path("/System/Library/Fonts/Supplemental/Arial Unicode.ttf"), Path("/Library/Fonts/Arial Unicode.ttf")),
}
"""By system: fonts that ship with it and have the letters of many scripts."""


class SystemFont(Struct, frozen=True):
    """A font file, and the index of a font in it."""

    path: Path
    number: int = 0


def system_font(characters: str, system: str = sys.platform) -> SystemFont | None:
    """The best font for these characters, which may lack some or all of them; None without a font.

    On Windows and macOS it is the font in FONTS with the most of the characters. On other systems it is fontconfig's
    choice, which always names a font; None without fontconfig.
    """
    if system in FONTS:
        return _font_with_most(characters, [path for path in FONTS[system] if path.is_file()])
    # Imported here because it is rarely needed.
    import subprocess

    charset = " ".join(f"{ord(character):x}" for character in characters[:MOST_ASKED])
    command = ["fc-match", "-f", "%{file}\n%{index}", f"sans-serif:charset={charset}"]
    try:
        done = subprocess.run(command, capture_output=True, timeout=FONT_SECONDS, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    file, _, number = done.stdout.decode("utf-8", "surrogateescape").partition("\n")
    path = Path(file)
    if path.suffix.lower() not in SUFFIXES or not path.is_file():
        return None
    # The upper 16 bits of the number are the instance of a variable font.
    return SystemFont(path, int(number) & 0xFFFF if number.isdigit() else 0)


def _font_with_most(characters: str, paths: Sequence[Path]) -> SystemFont | None:
    from ..draw.text import glyph_count

    best = max(paths, key=lambda path: glyph_count(path, characters), default=None)
    return None if best is None else SystemFont(best)


LEAST_FREE, LEAST_AFTER_ZOOM, LEAST_WITH_PANEL = 0.35, 0.6, 0.2
"""The default layout is restored if the panels leave a smaller share of the window's width free: the first after the
window is resized, the second after the size of the text changes, the third when a panel comes."""
LONGEST_FRAME = 0.1
"""The longest time step that imgui gets, seconds, so that nothing times out after the window was idle."""
TOOLTIP_SECONDS = 0.5
"""Seconds after the pointer's last move, or a key's press, within which a tooltip may appear."""
OUTSIDE = -3.4028234663852886e38
"""The coordinate that imgui uses for a pointer outside of the window."""
_PLACES = re.compile(r"\b((?:Pos|Size|SizeRef)=)(-?\d{1,9}),(-?\d{1,9})\b")
_DOCK_SPACE = "separatrix dock space"
_OWN_WINDOWS = ("WindowOverViewport_", "Debug##Default")


class ImguiHost:
    """The one imgui context of the program; needs a current GL context."""

    def __init__(
        self,
        layout: str,
        get_clipboard: Callable[[], str],
        set_clipboard: Callable[[str], None],
        apply_style: Callable[[Theme], None],
        build_layout: Callable[[int, tuple[float, float]], None],
    ) -> None:
        """Creates the context. `layout`: the panels' layout from the last run, "" for the default.

        `apply_style`: sets imgui's colours and sizes for a theme. `build_layout`: makes the default layout in the dock
        space with this id and size, pixels.
        """
        self._apply_style = apply_style
        self._build_layout = build_layout
        self._context: Any = imgui.create_context()
        io = imgui.get_io()
        io.set_ini_filename(None)
        io.config_flags |= imgui.ConfigFlags_.docking_enable
        io.config_input_text_cursor_blink = False
        # The window system repeats held keys; imgui's own repeat would need frames while the window is idle.
        io.key_repeat_delay = 1e9
        io.config_windows_move_from_title_bar_only = True
        platform = imgui.get_platform_io()
        platform.platform_get_clipboard_text_fn = lambda _context: self._entered(get_clipboard())
        platform.platform_set_clipboard_text_fn = lambda _context, text: set_clipboard(text)
        # The style sets the font's size; glyphs are rasterised when they are first drawn.
        self._font = io.fonts.add_font_from_file_ttf(str(font_path()), 0.0)
        self._known_letters: set[str] = set()
        self._typed = ""
        self._merged: set[SystemFont] = set()
        imgui.backends.opengl3_init("#version 330")
        self._kept_layout, self._settled = layout, ""
        self._stacks = StackState()
        self._rebuild_layout = False
        self._resized = self._zoomed = False
        self._size = (0, 0)
        self._last_frame = perf_counter()
        self._touched = 0.0
        self._dock_id = 0
        self._theme: Theme | None = None
        self._scale = 0.0

    def close(self) -> None:
        """Destroys the context and its GL objects."""
        imgui.backends.opengl3_shutdown()
        imgui.destroy_context(self._context)

    # Input, in pixels from the top left corner.

    def pointer(self, x: float, y: float) -> None:
        """Passes on the pointer's position."""
        imgui.get_io().add_mouse_pos_event(x, y)
        self._touched = perf_counter()

    def pointer_left(self) -> None:
        """Moves imgui's pointer outside of the window."""
        imgui.get_io().add_mouse_pos_event(OUTSIDE, OUTSIDE)

    def button(self, number: int, down: bool) -> None:
        """Passes on a press (`down`) or release of a mouse button: 0 left, 1 right, 2 middle, 3 and 4 at the side."""
        imgui.get_io().add_mouse_button_event(number, down)

    def wheel(self, x: float, y: float) -> None:
        """Passes on the wheel's turn, in notches."""
        imgui.get_io().add_mouse_wheel_event(x, y)

    def key(self, name: str, down: bool) -> None:
        """Passes on the press (`down`) or release of a key by imgui's name (`left_arrow`, `a`, `_1`).

        Unknown names are ignored.
        """
        key = getattr(imgui.Key, name, None)
        if key is not None:
            imgui.get_io().add_key_event(key, down)
            self._touched = perf_counter()

    def modifiers(self, ctrl: bool, shift: bool, alt: bool, meta: bool) -> None:
        """Passes on the modifier keys that are held; `meta` is Command, or the Windows key."""
        if imgui.get_io().config_mac_osx_behaviors:  # on macOS imgui swaps Command and Ctrl by itself
            ctrl, meta = meta, ctrl
        for name, down in {"ctrl": ctrl, "shift": shift, "alt": alt, "super": meta}.items():
            imgui.get_io().add_key_event(getattr(imgui.Key, f"mod_{name}"), down)

    def text(self, text: str) -> None:
        """Passes on typed characters."""
        imgui.get_io().add_input_characters_utf8(self._entered(text))

    def _entered(self, text: str) -> str:
        """Records text that enters a field, so that `cover` loads its glyphs before the next frame; returns it."""
        self._typed += text
        return text

    def focus(self, focused: bool) -> None:
        """Passes on the gain or loss of the keyboard focus; a loss releases all keys."""
        imgui.get_io().add_focus_event(focused)

    @property
    def typing(self) -> bool:
        """Whether a text field has the focus and takes the keys."""
        return bool(imgui.get_io().want_text_input)

    @property
    def walked(self) -> bool:
        """Whether keys move between the widgets of a dialog (`widgets.walk_by_keys`)."""
        return bool(imgui.get_io().nav_visible)

    @property
    def held(self) -> bool:
        """Whether a widget is held with the mouse. Then frames must go on, as stepping buttons repeat."""
        return bool(imgui.is_any_item_active() and imgui.is_any_mouse_down())

    @property
    def tip_in(self) -> float | None:
        """Seconds until a frame in which a tooltip may appear; None if none is expected."""
        io = imgui.get_io()
        on_panel = io.want_capture_mouse or io.nav_visible
        return LONGEST_FRAME if on_panel and perf_counter() - self._touched < TOOLTIP_SECONDS else None

    @property
    def digesting(self) -> bool:
        """Whether events still wait: imgui handles one change of a key or button in each frame."""
        return bool(len(self._context.input_events_queue))

    @property
    def cursor(self) -> str:
        """The name of the mouse cursor that imgui wants (`arrow`, `text_input`, `resize_ew`, ...)."""
        return str(imgui.MouseCursor_(imgui.get_mouse_cursor()).name)

    @property
    def popup_open(self) -> bool:
        """Whether a menu, a combo box, another popup or a modal is open."""
        return bool(imgui.is_popup_open("", imgui.PopupFlags_.any_popup))

    def close_popups(self) -> None:
        """Closes menus, combo boxes and other popups, but no modals.

        imgui itself closes them on Escape only in keyboard navigation.
        """
        imgui.internal.close_popups_except_modals()

    def covers(self, x: float, y: float) -> bool:
        """Whether a floating window covers this point of the viewport, as last drawn.

        True anywhere while a popup or a modal is open.
        """
        if self.popup_open:
            return True
        deaf = imgui.WindowFlags_.no_mouse_inputs.value
        return any(
            window.was_active
            and not window.hidden
            and not window.flags & (deaf | imgui.WindowFlags_.child_window.value)
            and not window.name.startswith(_OWN_WINDOWS)
            and window.pos.x <= x < window.pos.x + window.size.x
            and window.pos.y <= y < window.pos.y + window.size.y
            for window in self._context.windows
        )

    # A frame.

    def cover(self, text: str) -> None:
        """Adds system fonts for letters of `text`, and of typed text, that the program's own font lacks.

        Called between frames.
        """
        text, self._typed = text + self._typed, ""
        if text.isascii():
            return
        new = set(text) - self._known_letters
        self._known_letters |= new
        # The best font may lack some of the letters; the loop searches a font for these again.
        while missing := sorted(letter for letter in new if not self._font.is_glyph_in_font(ord(letter))):
            found = system_font("".join(missing))
            if found is None or found in self._merged:
                return
            self._merged.add(found)
            config = imgui.ImFontConfig()
            config.merge_mode = True
            config.font_no = found.number
            imgui.get_io().fonts.add_font_from_file_ttf(str(found.path), 0.0, config)

    def begin(self, width: int, height: int, scale: float, theme: Theme) -> None:
        """Starts a frame on a framebuffer of `width` by `height` pixels, with `scale` pixels per point."""
        io = imgui.get_io()
        now = perf_counter()
        io.delta_time = min(max(now - self._last_frame, 1e-4), LONGEST_FRAME)
        self._last_frame = now
        io.display_size = imgui.ImVec2(width, height)
        if self._zoomed and not self._resized and not self._rebuild_layout:
            self._settled, self._zoomed = self.layout(), False
        resized, zoomed = (width, height) != self._size or self._scale != scale, self._scale not in (0.0, scale)
        if self._scale != scale:
            self._rescale(scale)
        if resized:
            self._zoomed |= zoomed
            self._size, self._resized = (width, height), True
        if self._theme != theme:
            self._theme = theme
            self._apply_style(theme)
            imgui.get_style().scale_all_sizes(scale)
            imgui.get_style().font_scale_main = scale
        imgui.backends.opengl3_new_frame()
        imgui.new_frame()
        self._stacks.store()

    def _rescale(self, scale: float) -> None:
        # After a zoom, windows have the same positions and sizes in points. Large text may force another layout. After
        # the next zoom the earlier layout is restored, unless the user has moved panels since.
        if self._scale and not self._zoomed and (layout := self.layout()) != self._settled:
            self._kept_layout = layout
        if self._kept_layout:
            imgui.load_ini_settings_from_memory(scaled_layout(self._kept_layout, scale))
        self._scale = scale
        self._theme = None

    def dock_space(self) -> Rect:
        """Makes the dock space in the area that this frame's bars leave; returns the area that docked panels leave."""
        main, left = imgui.get_main_viewport(), self._context.viewports[0].get_build_work_rect()
        # imgui itself would subtract a bar's area one frame later.
        main.work_pos, main.work_size = left.min, left.get_size()
        self._dock_id = imgui.get_id(_DOCK_SPACE)
        if self._rebuild_layout or imgui.internal.dock_builder_get_node(self._dock_id) is None:
            self._rebuild_layout = False
            size = imgui.get_main_viewport().work_size
            self._build_layout(self._dock_id, (size.x, size.y))
        flags = imgui.DockNodeFlags_.passthru_central_node | imgui.DockNodeFlags_.no_docking_over_central_node
        # The window is already cleared to the panels' background; filling all but the centre again would take 3 ms.
        imgui.push_style_color(imgui.Col_.window_bg, imgui.ImVec4(0.0, 0.0, 0.0, 0.0))
        imgui.dock_space_over_viewport(self._dock_id, flags=flags)
        imgui.pop_style_color()
        return self.free_area()

    def makes_room(self, *, changed: bool) -> bool:
        """Whether the panels must run again in the default layout.

        They must if they leave too little width after a resize, or when a panel came or went (`changed`), as after the
        text grew while they were hidden; also if `restore_default_layout` was called in this frame.

        Called after all panels of the frame.
        """
        resized, self._resized = self._resized, False
        least = LEAST_WITH_PANEL if changed else 0.0
        if resized:
            least = LEAST_AFTER_ZOOM if self._zoomed else LEAST_FREE
        self._rebuild_layout |= self.free_area().width < least * self._size[0]
        return self._rebuild_layout

    def free_area(self) -> Rect:
        """The area of the dock space's central node, pixels: the viewport's area."""
        node = imgui.internal.dock_builder_get_central_node(self._dock_id)
        # At least one pixel each, even in a window without room.
        width, height = max(1, round(node.size.x)), max(1, round(node.size.y))
        return Rect(round(node.pos.x), round(node.pos.y), width, height)

    def end(self) -> None:
        """Ends the frame; `draw` draws it into the framebuffer."""
        imgui.render()

    def recover(self) -> None:
        """Ends the frame after a fault between `begin` and `end`, and closes the windows and groups left open."""
        if self._context.within_frame_scope:
            self._stacks.recover()
            imgui.render()

    def draw(self) -> None:
        """Draws the finished frame into the framebuffer that is bound."""
        imgui.backends.opengl3_render_draw_data(imgui.get_draw_data())

    # Layout of the panels.

    def restore_default_layout(self) -> None:
        """Restores the default layout in the next frame."""
        self._rebuild_layout = True

    def layout(self) -> str:
        """The panels' layout as text to store between runs, in points.

        Called after the first `begin`, which sets the scale.
        """
        return scaled_layout(str(imgui.save_ini_settings_to_memory()), 1.0 / self._scale)


def scaled_layout(text: str, factor: float) -> str:
    """The text of imgui's settings with every position and size multiplied by `factor`."""

    def scaled(found: re.Match[str]) -> str:
        x, y = (round(int(number) * factor) for number in found.group(2, 3))
        return f"{found[1]}{x},{y}"

    return _PLACES.sub(scaled, text)
