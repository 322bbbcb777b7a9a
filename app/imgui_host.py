"""Dear ImGui inside our own loop: context, fonts, style, input, docking and drawing.

The adapter is thin and our own: it forwards presses and releases with their button, never durations; clears the
keys when the window loses the focus; sends the pointer away when it leaves. Drawing is imgui's C++ OpenGL 3 renderer.

Coordinates are points. A point is `scale` framebuffer pixels, whatever the window system calls its own units, so a
panel that asks for 200 points is as wide on every display, and imgui rasterises its fonts at the framebuffer's density.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import imgui_bundle
from imgui_bundle import imgui

from .draw_list import Rgba
from .panel_state import AreaPoints
from .resources import resource
from .theme import Theme, faded

FONT_SIZE = 15.0
"""Points of the panels' text at UI scale 1."""

LONGEST_FRAME = 0.1
"""Seconds: a window that slept for an hour tells imgui this much has passed, so that nothing times out."""

OUTSIDE = -3.4028234663852886e38
"""imgui's word for a pointer that is nowhere."""

_DOCK_SPACE = "separatrix dock space"
_OWN_WINDOWS = ("WindowOverViewport_", "Debug##Default")


@dataclass(frozen=True, slots=True)
class Docked:
    """Where a panel's window stands in the default layout: side `left`, `right` or `bottom`, in order of the tabs."""

    title: str
    side: str


class ImguiHost:
    """The one imgui context of the program; needs a current GL context."""

    def __init__(self, layout: str, get_clipboard: Callable[[], str], set_clipboard: Callable[[str], None]) -> None:
        self._context: Any = imgui.create_context()
        io = imgui.get_io()
        io.set_ini_filename(None)
        io.config_flags |= imgui.ConfigFlags_.docking_enable
        io.config_input_text_cursor_blink = False
        # The window system repeats held keys; imgui's own repeat would need frames while nothing happens.
        io.key_repeat_delay = 1e9
        io.config_windows_move_from_title_bar_only = True
        platform = imgui.get_platform_io()
        platform.platform_get_clipboard_text_fn = lambda _context: get_clipboard()
        platform.platform_set_clipboard_text_fn = lambda _context, text: set_clipboard(text)
        _load_fonts()
        imgui.backends.opengl3_init("#version 330")
        if layout:
            imgui.load_ini_settings_from_memory(layout)
        self._rebuild_layout = False
        self._last_frame = perf_counter()
        self._dock_id = 0
        self._style: tuple[Theme, float] | None = None

    def close(self) -> None:
        """Frees what imgui holds in GL."""
        imgui.backends.opengl3_shutdown()
        imgui.destroy_context(self._context)

    # Input, in points from the window's top left corner.

    def pointer(self, x: float, y: float) -> None:
        """The pointer moved."""
        imgui.get_io().add_mouse_pos_event(x, y)

    def pointer_left(self) -> None:
        """The pointer left the window."""
        imgui.get_io().add_mouse_pos_event(OUTSIDE, OUTSIDE)

    def button(self, number: int, down: bool) -> None:
        """A button of the mouse: 0 left, 1 right, 2 middle, 3 and 4 at the side."""
        imgui.get_io().add_mouse_button_event(number, down)

    def wheel(self, x: float, y: float) -> None:
        """The wheel turned, in notches."""
        imgui.get_io().add_mouse_wheel_event(x, y)

    def key(self, name: str, down: bool) -> None:
        """A key by imgui's own name (`left_arrow`, `a`, `_1`); names that imgui does not know are ignored."""
        key = getattr(imgui.Key, name, None)
        if key is not None:
            imgui.get_io().add_key_event(key, down)

    def modifiers(self, ctrl: bool, shift: bool, alt: bool, meta: bool) -> None:
        """The modifier keys as they are held now."""
        io = imgui.get_io()
        for key, down in (
            (imgui.Key.mod_ctrl, ctrl),
            (imgui.Key.mod_shift, shift),
            (imgui.Key.mod_alt, alt),
            (imgui.Key.mod_super, meta),
        ):
            io.add_key_event(key, down)

    def text(self, text: str) -> None:
        """Characters typed."""
        imgui.get_io().add_input_characters_utf8(text)

    def focus(self, focused: bool) -> None:
        """The window gained or lost the keyboard; losing it lets go of every key."""
        imgui.get_io().add_focus_event(focused)

    @property
    def typing(self) -> bool:
        """Whether a text field has the focus, so that no key may act elsewhere."""
        return bool(imgui.get_io().want_text_input)

    @property
    def held(self) -> bool:
        """Whether a widget is held with the mouse: stepping buttons repeat, so frames must go on."""
        return bool(imgui.is_any_item_active() and imgui.is_any_mouse_down())

    @property
    def cursor(self) -> str:
        """Name of the mouse cursor that imgui asks for (`arrow`, `text_input`, `resize_ew`, ...)."""
        return str(imgui.MouseCursor_(imgui.get_mouse_cursor()).name)

    def covers(self, x: float, y: float) -> bool:
        """Whether a floating window, a popup or a modal stands at this point of the viewport, as last drawn."""
        if imgui.is_popup_open("", imgui.PopupFlags_.any_popup):
            return True
        deaf = imgui.WindowFlags_.no_mouse_inputs.value
        return any(
            window.was_active
            and not window.hidden
            and not window.flags & (deaf | imgui.WindowFlags_.child_window.value)
            and not window.dock_is_active
            and not window.name.startswith(_OWN_WINDOWS)
            and window.pos.x <= x < window.pos.x + window.size.x
            and window.pos.y <= y < window.pos.y + window.size.y
            for window in self._context.windows
        )

    # A frame.

    def begin(self, width: float, height: float, scale: float, theme: Theme) -> None:
        """Starts a frame of `width` by `height` points on a framebuffer with `scale` pixels to the point."""
        io = imgui.get_io()
        now = perf_counter()
        io.delta_time = min(max(now - self._last_frame, 1e-4), LONGEST_FRAME)
        self._last_frame = now
        io.display_size = imgui.ImVec2(width, height)
        io.display_framebuffer_scale = imgui.ImVec2(scale, scale)
        if self._style != (theme, scale):
            self._style = (theme, scale)
            apply_style(theme)
        imgui.backends.opengl3_new_frame()
        imgui.new_frame()

    def dock_space(self, panels: Sequence[Docked]) -> AreaPoints:
        """The dock space over the window's work area; answers with what the docked panels leave free."""
        self._dock_id = imgui.get_id(_DOCK_SPACE)
        if self._rebuild_layout or imgui.internal.dock_builder_get_node(self._dock_id) is None:
            self._rebuild_layout = False
            _build_layout(self._dock_id, panels)
        flags = imgui.DockNodeFlags_.passthru_central_node | imgui.DockNodeFlags_.no_docking_over_central_node
        imgui.dock_space_over_viewport(self._dock_id, flags=flags)
        return self.free_area()

    def free_area(self) -> AreaPoints:
        """The central node of the dock space: where the viewport lies."""
        node = imgui.internal.dock_builder_get_central_node(self._dock_id)
        return AreaPoints(node.pos.x, node.pos.y, node.size.x, node.size.y)

    def end(self) -> None:
        """Ends the frame's input; `draw` puts it on the framebuffer."""
        imgui.render()

    def draw(self) -> None:
        """Draws the finished frame into the framebuffer that is bound."""
        imgui.backends.opengl3_render_draw_data(imgui.get_draw_data())

    # Layout of the panels.

    def restore_default_layout(self) -> None:
        """The panels stand where they stood at first, from the next frame on."""
        self._rebuild_layout = True

    def layout(self) -> str:
        """Where the panels stand, as text to keep between runs."""
        return str(imgui.save_ini_settings_to_memory())


def _load_fonts() -> None:
    # The panels' first font is the regular one, the second the bold one; both carry the icons.
    fonts = imgui.get_io().fonts
    icons = Path(imgui_bundle.__file__).parent / "assets" / "fonts" / "Font_Awesome_6_Free-Solid-900.otf"
    for name in ("Regular", "Bold"):
        path = resource("assets", "fonts", f"SeparatrixSans-{name}.ttf")
        fonts.add_font_from_file_ttf(str(path), FONT_SIZE)
        if icons.exists():
            merged = imgui.ImFontConfig()
            merged.merge_mode = True
            merged.glyph_min_advance_x = FONT_SIZE
            fonts.add_font_from_file_ttf(str(icons), FONT_SIZE - 2.0, merged)


def _build_layout(dock_id: int, panels: Sequence[Docked]) -> None:
    builder = imgui.internal
    builder.dock_builder_remove_node(dock_id)
    builder.dock_builder_add_node(dock_id, imgui.internal.DockNodeFlagsPrivate_.dock_space.value)
    viewport = imgui.get_main_viewport()
    builder.dock_builder_set_node_pos(dock_id, viewport.work_pos)
    builder.dock_builder_set_node_size(dock_id, viewport.work_size)
    sides = (("right", imgui.Dir.right, 0.27), ("left", imgui.Dir.left, 0.28), ("bottom", imgui.Dir.down, 0.32))
    remaining = dock_id
    for side, direction, share in sides:
        here = [panel for panel in panels if panel.side == side]
        if not here:
            continue
        _, node, remaining = builder.dock_builder_split_node_py(remaining, direction, share)
        for panel in here:
            builder.dock_builder_dock_window(panel.title, node)
    builder.dock_builder_finish(dock_id)


def _mixed(a: Rgba, b: Rgba, share: float) -> tuple[float, float, float, float]:
    mixed = [x + (y - x) * share for x, y in zip(a[:3], b[:3], strict=True)]
    return (mixed[0], mixed[1], mixed[2], 1.0)


def apply_style(theme: Theme) -> None:
    """Dresses imgui in the theme's colours: surfaces between background and text, accents from the winner."""
    style = imgui.get_style()
    if theme.dark_panels:
        imgui.style_colors_dark()
    else:
        imgui.style_colors_light()
    ground, ink, accent = theme.background_top, theme.text, theme.winner
    panel = _mixed(ground, ink, 0.05)
    raised = _mixed(ground, ink, 0.12)
    strong = _mixed(ground, ink, 0.22)
    quiet_accent = _mixed(panel, accent, 0.32)
    line = _mixed(ground, ink, 0.18)
    colours = imgui.Col_
    for which, rgba in (
        (colours.text, ink),
        (colours.text_disabled, theme.dim_text),
        (colours.window_bg, panel),
        (colours.child_bg, (0.0, 0.0, 0.0, 0.0)),
        (colours.popup_bg, _mixed(ground, ink, 0.08)),
        (colours.border, line),
        (colours.frame_bg, raised),
        (colours.frame_bg_hovered, strong),
        (colours.frame_bg_active, strong),
        (colours.title_bg, _mixed(ground, ink, 0.02)),
        (colours.title_bg_active, _mixed(ground, ink, 0.02)),
        (colours.title_bg_collapsed, panel),
        (colours.menu_bar_bg, panel),
        (colours.scrollbar_bg, (0.0, 0.0, 0.0, 0.0)),
        (colours.scrollbar_grab, strong),
        (colours.check_mark, accent),
        (colours.slider_grab, accent),
        (colours.slider_grab_active, accent),
        (colours.button, raised),
        (colours.button_hovered, strong),
        (colours.button_active, quiet_accent),
        (colours.header, quiet_accent),
        (colours.header_hovered, strong),
        (colours.header_active, quiet_accent),
        (colours.separator, line),
        (colours.separator_hovered, accent),
        (colours.separator_active, accent),
        (colours.tab, panel),
        (colours.tab_hovered, strong),
        (colours.tab_selected, raised),
        (colours.tab_selected_overline, accent),
        (colours.tab_dimmed, panel),
        (colours.tab_dimmed_selected, raised),
        (colours.tab_dimmed_selected_overline, line),
        (colours.docking_preview, faded(accent, 0.5)),
        (colours.docking_empty_bg, ground),
        (colours.table_header_bg, raised),
        (colours.table_border_strong, line),
        (colours.table_border_light, line),
        (colours.table_row_bg, (0.0, 0.0, 0.0, 0.0)),
        (colours.table_row_bg_alt, faded(ink, 0.03)),
        (colours.text_selected_bg, faded(accent, 0.35)),
        (colours.nav_cursor, accent),
        (colours.modal_window_dim_bg, (0.0, 0.0, 0.0, 0.35)),
    ):
        style.set_color_(which.value, imgui.ImVec4(*rgba))
    style.window_rounding = 6.0
    style.popup_rounding = 6.0
    style.frame_rounding = 4.0
    style.tab_rounding = 4.0
    style.grab_rounding = 4.0
    style.scrollbar_size = 12.0
    style.window_padding = imgui.ImVec2(10.0, 8.0)
    style.frame_padding = imgui.ImVec2(8.0, 4.0)
    style.item_spacing = imgui.ImVec2(8.0, 5.0)
    style.window_border_size = 1.0
    style.frame_border_size = 0.0
    style.tab_bar_overline_size = 2.0
    style.window_menu_button_position = imgui.Dir.none
