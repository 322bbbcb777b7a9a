"""The command palette: every command by a few letters of its name."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from ..state.panel_state import MenuEntry, PanelState
from ..state.requests import Invoke
from .panel import Ask
from .widgets import em, enter_pressed, explain

WIDTH = 34.0
ROWS = 12
"""Rows shown at once; the rest scrolls."""


def fuzzy_score(query: str, text: str) -> float | None:
    """How well `query` matches `text`: larger is better, None when its letters do not all occur in this order.

    Letters at the start of a word and letters in a row count more, and the whole query in a row most; a long text
    counts a little less.
    """
    letters, target = query.lower().replace(" ", ""), text.lower()
    score, position, previous = float(len(letters) if query.lower().strip() in target else 0), 0, -2
    for letter in letters:
        found = _best_place(target, letter, position, previous)
        if found < 0:
            return None
        starts_word = found == 0 or not target[found - 1].isalnum()
        score += 1.0 + (2.0 if starts_word else 0.0) + (1.5 if found == previous + 1 else 0.0)
        previous, position = found, found + 1
    return score - 0.01 * len(target)


def matches(query: str, commands: tuple[MenuEntry, ...]) -> list[MenuEntry]:
    """Commands that can run and match, best first; with no query all of them in the order of the table."""
    enabled = [command for command in commands if command.enabled]
    if not query.strip():
        return enabled
    scored = [(fuzzy_score(query, f"{c.title} {c.group}"), c) for c in enabled]
    return [c for score, c in sorted(((s, c) for s, c in scored if s is not None), key=lambda pair: -pair[0])]


class Palette:
    """A field and a list; arrows choose, Enter runs, Escape closes."""

    def __init__(self) -> None:
        self._query = ""
        self._chosen = 0
        self._open = False

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Shown while `dialogs.palette` is set."""
        appearing = ui.dialogs.palette and not self._open
        self._open = ui.dialogs.palette
        if not self._open:
            return
        if appearing:
            self._query, self._chosen = "", 0
        viewport = imgui.get_main_viewport()
        width = min(WIDTH * em(), 0.94 * viewport.work_size.x)
        top = ImVec2(viewport.work_pos.x + 0.5 * viewport.work_size.x, viewport.work_pos.y + 3.0 * em())
        imgui.set_next_window_pos(top, imgui.Cond_.always, ImVec2(0.5, 0.0))
        imgui.set_next_window_size(ImVec2(width, 0.0), imgui.Cond_.always)
        if appearing:
            imgui.set_next_window_focus()
        flags = imgui.WindowFlags_.no_decoration | imgui.WindowFlags_.no_docking | imgui.WindowFlags_.no_saved_settings
        if imgui.begin("##palette", None, flags | imgui.WindowFlags_.no_nav)[0]:
            self._draw_inside(ui, appearing, ask)
            lost = not appearing and not imgui.is_window_focused(imgui.FocusedFlags_.root_and_child_windows)
            if lost or imgui.is_key_pressed(imgui.Key.escape, False):
                ui.dialogs.palette = False
        imgui.end()

    def _draw_inside(self, ui: PanelState, appearing: bool, ask: Ask) -> None:
        if appearing:
            imgui.set_keyboard_focus_here()
        imgui.set_next_item_width(-1.0)
        changed, self._query = imgui.input_text_with_hint("##query", "What do you want to do?", self._query)
        if changed:
            self._chosen = 0
        found = matches(self._query, ui.commands)
        if not found:
            imgui.text_disabled("No command matches.")
            return
        step = int(imgui.is_key_pressed(imgui.Key.down_arrow)) - int(imgui.is_key_pressed(imgui.Key.up_arrow))
        self._chosen = (self._chosen + step) % len(found)
        row = imgui.get_text_line_height_with_spacing()
        rows = min(ROWS, len(found), int(0.7 * imgui.get_main_viewport().work_size.y // row))
        picked = found[self._chosen] if enter_pressed() and not appearing else None
        if imgui.begin_child("##found", ImVec2(0.0, max(1, rows) * row)):
            for k, command in enumerate(found):
                if _draw_entry(command, k == self._chosen, scroll=bool(step)):
                    picked = command
        imgui.end_child()
        if picked is not None:
            ui.dialogs.palette = False
            ask.append(Invoke(picked.id))


def _draw_entry(command: MenuEntry, chosen: bool, *, scroll: bool) -> bool:
    imgui.push_id(command.id)
    clicked, _ = imgui.selectable(command.title, chosen)
    if chosen and scroll:
        imgui.set_scroll_here_y()
    explain(command.tip)
    side = f"{command.group}   {command.keys[0]}" if command.keys else command.group
    room = imgui.get_content_region_avail().x
    imgui.same_line(max(0.0, room - imgui.calc_text_size(side).x))
    imgui.text_disabled(side)
    imgui.pop_id()
    return clicked


def _best_place(target: str, letter: str, start: int, previous: int) -> int:
    """Where to match `letter`: right after the last one, else at the next start of a word, else at its first place."""
    first = target.find(letter, start)
    if first < 0 or first == previous + 1:
        return first
    place = first
    while place >= 0:
        if place == 0 or not target[place - 1].isalnum():
            return place
        place = target.find(letter, place + 1)
    return first
