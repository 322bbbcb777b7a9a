"""The menu bar, read from the table of commands: whatever is listed there stands here, with its key."""

from __future__ import annotations

from imgui_bundle import imgui

from ..file_names import readable
from ..panel_state import MenuEntry, PanelState
from ..requests import Invoke, Open
from .panel import Ask
from .widgets import explain

RECENT_LIMIT = 12


def grouped(commands: tuple[MenuEntry, ...]) -> dict[str, list[MenuEntry]]:
    """Commands by group, both in the order of the table."""
    groups: dict[str, list[MenuEntry]] = {}
    for command in commands:
        groups.setdefault(command.group, []).append(command)
    return groups


class MenuBar:
    """One menu for each group of commands."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Always shown."""
        if not imgui.begin_main_menu_bar():
            return
        for group, commands in grouped(ui.commands).items():
            if imgui.begin_menu(group):
                _draw_commands(ui, commands, ask)
                imgui.end_menu()
        _draw_title(ui)
        imgui.end_main_menu_bar()


def _draw_commands(ui: PanelState, commands: list[MenuEntry], ask: Ask) -> None:
    """A line between families of commands: what their ids start with. Recent files stand under opening."""
    family = None
    for command in commands:
        if family is not None and command.id.partition(".")[0] != family:
            imgui.separator()
        family = command.id.partition(".")[0]
        draw_command(command, ask)
        if command.id == "file.open":
            _draw_recent(ui, ask)


def draw_command(command: MenuEntry, ask: Ask) -> None:
    """One entry with its first key on the right and its tip on hover."""
    keys = command.keys[0] if command.keys else ""
    if imgui.menu_item(command.title, keys, bool(command.checked), command.enabled)[0]:
        ask.append(Invoke(command.id))
    explain(command.tip)


def _draw_recent(ui: PanelState, ask: Ask) -> None:
    if imgui.begin_menu("Open recent", bool(ui.recent)):
        for k, path in enumerate(ui.recent[:RECENT_LIMIT]):
            imgui.push_id(k)
            if imgui.menu_item(readable(path.name), readable(path.parent.name), False)[0]:
                ask.append(Open(path))
            explain(readable(path))
            imgui.pop_id()
        imgui.end_menu()


def _draw_title(ui: PanelState) -> None:
    """The document's name at the right, with a dot while work is unsaved, where there is room for it."""
    path = ui.document.path
    name = readable(path.name) if path is not None else ui.document.scene.name or "Untitled"
    title = f"● {name}" if ui.document.unsaved else name
    width = imgui.calc_text_size(title).x + 2.0 * imgui.get_style().item_spacing.x
    if imgui.get_content_region_avail().x > width:
        imgui.set_cursor_pos_x(imgui.get_window_width() - width)
        imgui.text_disabled(title)
        explain("Not saved yet" if ui.document.unsaved else readable(path or ""))
