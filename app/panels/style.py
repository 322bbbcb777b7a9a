"""The look of the widgets in each theme: calm, roomy, rounded. Measures are points; the host scales the whole.

Colours are mixed from the theme's background, text and colour of A, so that a new theme needs no colours here.
"""

from __future__ import annotations

from imgui_bundle import ImVec2, ImVec4, imgui

from ..draw.draw_list import Rgba
from ..draw.theme import Theme, faded, mixed

FONT_POINTS = 14.0
"""Height of the text, points."""
TITLE, LARGE, ASIDE = 1.3, 1.15, 0.86
"""Sizes of type, ems: of a step's title, of its number and a lesson's title, of asides; sentences have 1."""


def accent(theme: Theme) -> Rgba:
    """The colour of widgets that are chosen, checked or pressed."""
    return theme.body_a


def tinted(theme: Theme, share: float) -> Rgba:
    """The docked panels' background mixed with a share of the text's colour: for fields, buttons, hovered rows."""
    return mixed(background(theme), (*theme.text[:3], 1.0), share)


def apply_style(theme: Theme) -> None:
    """Sets imgui's style for `theme`."""
    style = imgui.get_style()
    # Every size back to imgui's default: the host scales the style after each change; sizes not reset would grow.
    fresh = imgui.Style()
    for name in dir(fresh):
        if isinstance(value := getattr(fresh, name), (float, ImVec2)):
            setattr(style, name, value)
    _set_sizes(style)
    for index, rgba in _colours(theme).items():
        style.set_color_(index, ImVec4(*rgba))


def _set_sizes(style: imgui.Style) -> None:
    style.font_size_base = FONT_POINTS
    style.window_padding = ImVec2(12, 10)
    style.frame_padding = ImVec2(8, 4)
    style.item_spacing = ImVec2(8, 6)
    style.item_inner_spacing = ImVec2(6, 4)
    style.cell_padding = ImVec2(5, 3)
    style.separator_text_padding = ImVec2(0, 3)
    style.indent_spacing = 14.0
    style.scrollbar_size = 11.0
    style.grab_min_size = 10.0
    style.window_rounding = 8.0
    style.popup_rounding = 7.0
    style.child_rounding = 6.0
    style.frame_rounding = 5.0
    style.grab_rounding = 5.0
    style.scrollbar_rounding = 6.0
    style.tab_rounding = 5.0
    # Six tabs fit side by side in the side panel; if they were wider, the last would be hidden behind arrows.
    style.tab_min_width_shrink = 44.0
    style.tab_bar_overline_size = 2.0
    style.window_border_size = 1.0
    style.popup_border_size = 1.0
    style.frame_border_size = 1.0
    style.tab_border_size = 0.0
    style.separator_text_border_size = 1.0
    style.docking_separator_size = 3.0
    style.window_title_align = ImVec2(0.0, 0.5)
    style.window_menu_button_position = imgui.Dir.none
    style.input_text_cursor_size = 1.0


def background(theme: Theme) -> Rgba:
    """The background colour of the docked panels, opaque."""
    if theme.dark_panels:
        return mixed(theme.background_top, theme.background_bottom, 0.35)
    return mixed(theme.background_top, (1.0, 1.0, 1.0, 1.0), 0.5)


def _colours(theme: Theme) -> dict[int, Rgba]:
    below, lit = background(theme), accent(theme)
    field, button = tinted(theme, 0.07), tinted(theme, 0.11)
    line = faded((*theme.text[:3], 1.0), 0.14)
    popup = tinted(theme, 0.03) if theme.dark_panels else below
    col = imgui.Col_
    return {
        col.text: theme.text,
        col.text_disabled: theme.dim_text,
        col.window_bg: below,
        col.child_bg: (0.0, 0.0, 0.0, 0.0),
        col.plot_histogram: lit,
        col.popup_bg: (*popup[:3], 0.98),
        col.border: line,
        col.border_shadow: (0.0, 0.0, 0.0, 0.0),
        col.frame_bg: field,
        col.frame_bg_hovered: tinted(theme, 0.12),
        col.frame_bg_active: tinted(theme, 0.16),
        col.title_bg: tinted(theme, 0.02),
        col.title_bg_active: tinted(theme, 0.05),
        col.title_bg_collapsed: tinted(theme, 0.02),
        col.menu_bar_bg: tinted(theme, 0.03),
        col.scrollbar_bg: (0.0, 0.0, 0.0, 0.0),
        col.scrollbar_grab: tinted(theme, 0.18),
        col.scrollbar_grab_hovered: tinted(theme, 0.28),
        col.scrollbar_grab_active: tinted(theme, 0.38),
        col.check_mark: lit,
        col.checkbox_selected_bg: tinted(theme, 0.12),
        col.input_text_cursor: theme.text,
        col.slider_grab: faded(lit, 0.85),
        col.slider_grab_active: lit,
        col.button: button,
        col.button_hovered: mixed(button, lit, 0.30),
        col.button_active: mixed(button, lit, 0.50),
        col.header: mixed(below, lit, 0.22),
        col.header_hovered: mixed(below, lit, 0.16),
        col.header_active: mixed(below, lit, 0.30),
        col.separator: line,
        col.separator_hovered: faded(lit, 0.7),
        col.separator_active: lit,
        col.resize_grip: faded(lit, 0.15),
        col.resize_grip_hovered: faded(lit, 0.6),
        col.resize_grip_active: lit,
        col.tab: tinted(theme, 0.03),
        col.tab_hovered: mixed(below, lit, 0.25),
        col.tab_selected: tinted(theme, 0.09),
        col.tab_selected_overline: lit,
        col.tab_dimmed: tinted(theme, 0.02),
        col.tab_dimmed_selected: tinted(theme, 0.09),
        col.tab_dimmed_selected_overline: faded(lit, 0.6),
        col.docking_preview: faded(lit, 0.5),
        col.docking_empty_bg: (0.0, 0.0, 0.0, 0.0),
        col.table_header_bg: tinted(theme, 0.04),
        col.table_border_strong: line,
        col.table_border_light: faded(line, 0.6),
        col.table_row_bg: (0.0, 0.0, 0.0, 0.0),
        col.table_row_bg_alt: faded((*theme.text[:3], 1.0), 0.025),
        col.text_link: mixed(lit, theme.text, 0.25),
        col.text_selected_bg: faded(lit, 0.35),
        col.tree_lines: line,
        col.drag_drop_target: lit,
        col.nav_cursor: lit,
        col.modal_window_dim_bg: (0.0, 0.0, 0.0, 0.40),
    }
