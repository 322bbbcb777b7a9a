"""Icons of the timeline's buttons, drawn as shapes: sharp at every size, and independent of fonts."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin

from imgui_bundle import ImVec2, imgui

from .text import em

BUTTON_EMS = 2.1
"""Width of a button with an icon, ems."""
Icon = Callable[[imgui.ImDrawList, float, float, float, int], None]
"""A function that draws an icon around (x, y), with half height `r`, in a packed colour; pixels of the screen."""


def icon_button(name: str, icon: Icon, *, usable: bool = True, lit: bool = False, flat: bool = False) -> bool:
    """Draws a button with an icon; returns whether it was pressed.

    `lit`: it is switched on. `flat`: it has the window's background. Unless `usable`, it is pale and cannot be pressed.
    """
    style = imgui.get_style()
    ground = style.color_(imgui.Col_.header_active if lit else imgui.Col_.window_bg if flat else imgui.Col_.button)
    imgui.push_style_color(imgui.Col_.button, ground)
    imgui.begin_disabled(not usable)
    pressed = imgui.button(f"##{name}", ImVec2(BUTTON_EMS * em(), 0.0))
    # Drawn before `end_disabled`, so that the icon of a disabled button is paler.
    low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    colour, radius = imgui.get_color_u32(imgui.Col_.text), round(0.36 * em())
    icon(imgui.get_window_draw_list(), round(0.5 * (low.x + high.x)), round(0.5 * (low.y + high.y)), radius, colour)
    imgui.end_disabled()
    imgui.pop_style_color()
    return pressed


def word_button(word: str, width: float, *, lit: bool) -> bool:
    """Draws a button with a word; returns whether it was pressed. `lit`: it is switched on."""
    ground = imgui.get_style().color_(imgui.Col_.header_active if lit else imgui.Col_.button)
    imgui.push_style_color(imgui.Col_.button, ground)
    pressed = imgui.button(word, ImVec2(width, 0.0))
    imgui.pop_style_color()
    return pressed


def play(draw: imgui.ImDrawList, x: float, y: float, r: float, colour: int) -> None:
    """A triangle to the right."""
    _triangle(draw, x - 0.7 * r, x + 0.95 * r, y, r, colour)


def pause(draw: imgui.ImDrawList, x: float, y: float, r: float, colour: int) -> None:
    """Two bars."""
    _bar(draw, x - 0.5 * r, y, r, colour, 0.2)
    _bar(draw, x + 0.5 * r, y, r, colour, 0.2)


def forth(draw: imgui.ImDrawList, x: float, y: float, r: float, colour: int) -> None:
    """A bar and a triangle to the right: one step on."""
    _bar(draw, x - 0.75 * r, y, r, colour)
    _triangle(draw, x - 0.35 * r, x + 0.95 * r, y, r, colour)


def back(draw: imgui.ImDrawList, x: float, y: float, r: float, colour: int) -> None:
    """A bar and a triangle to the left: one step back."""
    _bar(draw, x + 0.75 * r, y, r, colour)
    _triangle(draw, x + 0.35 * r, x - 0.95 * r, y, r, colour)


def last(draw: imgui.ImDrawList, x: float, y: float, r: float, colour: int) -> None:
    """Two triangles against a bar: to the end."""
    _triangle(draw, x - 1.15 * r, x - 0.15 * r, y, r, colour)
    _triangle(draw, x - 0.15 * r, x + 0.85 * r, y, r, colour)
    _bar(draw, x + 1.05 * r, y, r, colour)


def first(draw: imgui.ImDrawList, x: float, y: float, r: float, colour: int) -> None:
    """Two triangles against a bar: to the beginning."""
    _triangle(draw, x + 1.15 * r, x + 0.15 * r, y, r, colour)
    _triangle(draw, x + 0.15 * r, x - 0.85 * r, y, r, colour)
    _bar(draw, x - 1.05 * r, y, r, colour)


def stop(draw: imgui.ImDrawList, x: float, y: float, r: float, colour: int) -> None:
    """A triangle and the square that marks a stop on the track."""
    _triangle(draw, x - 1.15 * r, x - 0.1 * r, y, r, colour)
    square(draw, x + 0.6 * r, y, 0.5 * r, colour)


def square(draw: imgui.ImDrawList, x: float, y: float, r: float, colour: int) -> None:
    """A square: marks a stop on the track."""
    draw.add_rect_filled(ImVec2(round(x - r), round(y - r)), ImVec2(round(x + r), round(y + r)), colour)


def cross(draw: imgui.ImDrawList, x: float, y: float, r: float, colour: int) -> None:
    """A cross: closes; on the track it marks a failure."""
    for slope in (-1.0, 1.0):
        draw.add_line(ImVec2(x - r, y - slope * r), ImVec2(x + r, y + slope * r), colour, 0.32 * r)


def loop(draw: imgui.ImDrawList, x: float, y: float, r: float, colour: int) -> None:
    """An open circle that ends in an arrow."""
    start, end = -0.15 * pi, 1.5 * pi
    draw.path_clear()
    draw.path_arc_to(ImVec2(x, y), 0.85 * r, start, end, 24)
    draw.path_stroke(colour, 0.26 * r)
    tip = ImVec2(x + 0.85 * r * cos(end), y + 0.85 * r * sin(end))
    head = 0.5 * r
    draw.add_triangle_filled(
        ImVec2(tip.x + 1.3 * head, tip.y), ImVec2(tip.x, tip.y - head), ImVec2(tip.x, tip.y + head), colour
    )


def star(draw: imgui.ImDrawList, x: float, y: float, r: float, colour: int) -> None:
    """A star with five points, one up: marks the best so far."""
    tips, notches = (
        [ImVec2(x + size * sin(0.4 * pi * k + turn), y - size * cos(0.4 * pi * k + turn)) for k in range(5)]
        for size, turn in ((r, 0.0), (0.45 * r, 0.2 * pi))
    )
    for k in range(5):
        draw.add_quad_filled(ImVec2(x, y), notches[k - 1], tips[k], notches[k], colour)


def eye(draw: imgui.ImDrawList, x: float, y: float, r: float, colour: int, *, shut: bool) -> None:
    """An open eye, or one with a stroke through it if `shut`. `r`: half its height, pixels; `colour`: as from u32."""
    turns = [pi * k / 8.0 for k in range(16)]
    rim: list[imgui.ImVec2Like] = [ImVec2(x - 1.25 * r * cos(turn), y + 0.75 * r * sin(turn)) for turn in turns]
    draw.add_polyline(rim, colour, max(1.0, 0.18 * r), imgui.ImDrawFlags_.closed)
    draw.add_circle_filled(ImVec2(x, y), 0.38 * r, colour)
    if shut:
        draw.add_line(ImVec2(x - r, y + r), ImVec2(x + r, y - r), colour, max(1.5, 0.28 * r))


def flag(draw: imgui.ImDrawList, x: float, y: float, r: float, colour: int) -> None:
    """A pole with a flag to its right."""
    width = max(1.0, round(0.22 * r))
    draw.add_rect_filled(ImVec2(round(x), round(y - r)), ImVec2(round(x) + width, round(y + r)), colour)
    draw.add_triangle_filled(
        ImVec2(round(x), round(y - r)), ImVec2(x + 1.2 * r, y - 0.45 * r), ImVec2(round(x), y + 0.1 * r), colour
    )


def _triangle(draw: imgui.ImDrawList, base: float, tip: float, y: float, r: float, colour: int) -> None:
    # Both windings occur, and imgui antialiases the edges of only one.
    high, low = (y - r, y + r) if tip > base else (y + r, y - r)
    draw.add_triangle_filled(ImVec2(base, high), ImVec2(tip, y), ImVec2(base, low), colour)


def _bar(draw: imgui.ImDrawList, x: float, y: float, r: float, colour: int, half: float = 0.13) -> None:
    left = round(x - half * r)
    width = max(1, round(2.0 * half * r))
    draw.add_rect_filled(ImVec2(left, round(y - r)), ImVec2(left + width, round(y + r)), colour)
