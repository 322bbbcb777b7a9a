"""The menu bar, made from the table of commands: every command with a menu, and its key."""

from __future__ import annotations

from collections.abc import Callable

from imgui_bundle import imgui
from msgspec.structs import replace

from ..state.ask import Ask
from ..state.panel_state import MenuEntry, PanelState
from ..state.work import title_of
from ..storage.files import readable
from .text import em, explain

SUBMENUS = {"deck": "Deck", "label": "Labels"}
"""Titles of the submenus of families of commands; in a submenu the commands' titles do not repeat its title."""
MORE = "More"
"""Title of the menu that contains the menus for which the bar has no room."""
WIDEST_TITLE = 26.0
"""Greatest width of the document's name, ems."""
LEAST_LETTERS = 8
"""A name of which fewer letters would be left is not shown."""


def grouped(commands: tuple[MenuEntry, ...]) -> dict[str, list[MenuEntry]]:
    """Commands by group; groups and commands are in the order of the table."""
    groups: dict[str, list[MenuEntry]] = {}
    for command in commands:
        groups.setdefault(command.group, []).append(command)
    return groups


class MenuBar:
    """The menu bar: a menu for each group of commands."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the bar, which is always shown."""
        # The bar paints its own background over the window's.
        imgui.push_style_color(imgui.Col_.window_bg, imgui.ImVec4(0.0, 0.0, 0.0, 0.0))
        shown = imgui.begin_main_menu_bar()
        imgui.pop_style_color()
        if not shown:
            return
        groups = ui.menus
        fitting = how_many([_menu_width(group) for group in groups], imgui.get_content_region_avail().x)
        _draw_menus(ui, groups[:fitting], ask)
        if fitting < len(groups) and imgui.begin_menu(MORE):
            _draw_menus(ui, groups[fitting:], ask)
            imgui.end_menu()
        _draw_title(ui)
        imgui.end_main_menu_bar()


def _menu_width(title: str) -> float:
    return float(imgui.calc_text_size(title).x + 2.0 * imgui.get_style().item_spacing.x)


def how_many(widths: list[float], room: float) -> int:
    """The number of menus that fit in the bar; if not all do, one place is kept for the menu that holds the rest."""
    if sum(widths) <= room:
        return len(widths)
    room -= _menu_width(MORE)
    return next((k for k in range(len(widths), 0, -1) if sum(widths[:k]) <= room), 0)


def _draw_menus(ui: PanelState, groups: tuple[str, ...], ask: Ask) -> None:
    for group in groups:
        if imgui.begin_menu(group):
            _draw_commands(ui, grouped(ui.commands())[group], ask)
            imgui.end_menu()


def _draw_each(commands: list[MenuEntry], ask: Ask) -> None:
    for command in commands:
        draw_command(command, ask)


def _draw_commands(ui: PanelState, commands: list[MenuEntry], ask: Ask) -> None:
    """Draws commands, with a line between families: a family is the id up to its first full stop.

    The menu of recent files is below the command that opens a file. The menu of the texts as which the pair can be
    copied is below Copy.
    """
    family: str | None = None
    forms = [command for command in commands if command.id.startswith("copy_as.")]
    for command in commands:
        if command in forms:
            continue
        if command.id.startswith(("preset.", "nudge.")):
            # Many entries: they are in the gallery or a panel, and in the palette.
            continue
        before, family = family, command.id.partition(".")[0]
        if before not in (None, family):
            imgui.separator()
        if family in SUBMENUS:
            if before != family and imgui.begin_menu(SUBMENUS[family]):
                inside = [other for other in commands if other.id.startswith(f"{family}.")]
                lead = f"{SUBMENUS[family]}: "
                _draw_each([replace(other, title=other.title.removeprefix(lead)) for other in inside], ask)
                imgui.end_menu()
            continue
        draw_command(command, ask)
        if command.id == "edit.copy" and forms and imgui.begin_menu("Copy as"):
            _draw_each([replace(form, title=form.title.partition(": ")[2]) for form in forms], ask)
            imgui.end_menu()
        if command.id == "file.open" and imgui.begin_menu("Open recent", bool(ui.recent)):
            for k, path in enumerate(ui.recent):
                imgui.push_id(k)
                if imgui.menu_item(readable(path.name), readable(path.parent.name), False)[0]:
                    ask.open(path)
                explain(readable(path))
                imgui.pop_id()
            imgui.end_menu()


def draw_command(command: MenuEntry, ask: Ask) -> None:
    """Draws an entry with its first key at the right and its tip as a tooltip."""
    keys = command.keys[0] if command.keys else ""
    if imgui.menu_item(command.title, keys, bool(command.checked), command.enabled)[0]:
        ask.invoke(command.id)
    explain(command.tip)


def _draw_title(ui: PanelState) -> None:
    """Draws the document's name at the right, shortened to fit, with a dot while work is unsaved."""
    path, name = ui.document.path, readable(title_of(ui.document, ui.deck))
    if ui.lesson is not None:
        # A scene's name may give away the answer to the step's question.
        name = ui.lesson.lesson.title
    unsaved = ui.document.unsaved or (ui.deck is not None and ui.deck.unsaved)
    dot, margin = "● " if unsaved else "", 2.0 * imgui.get_style().item_spacing.x
    room = min(imgui.get_content_region_avail().x - margin, WIDEST_TITLE * em())
    shown = shortened(name, lambda text: imgui.calc_text_size(dot + text).x < room)
    if shown:
        imgui.set_cursor_pos_x(imgui.get_window_width() - imgui.calc_text_size(dot + shown).x - margin)
        imgui.text_disabled(dot + shown)
        explain("Not saved yet" if unsaved else readable(path or ""))


def shortened(name: str, fits: Callable[[str], bool]) -> str:
    """The name, or its start and end around an ellipsis so that it fits; "" if too little would be left."""
    if fits(name):
        return name
    fewest, most = LEAST_LETTERS - 1, len(name)
    while most - fewest > 1:
        middle = (fewest + most) // 2
        fewest, most = (middle, most) if fits(_with_ellipsis(name, middle)) else (fewest, middle)
    return _with_ellipsis(name, fewest) if fewest >= LEAST_LETTERS else ""


def _with_ellipsis(name: str, letters: int) -> str:
    """The name with `letters` letters left, half of them from its end, which distinguishes files."""
    end = letters // 2
    return f"{name[: letters - end].rstrip()}…{name[len(name) - end :].lstrip()}"
