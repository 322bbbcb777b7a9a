"""Chords and drags that GNOME, KDE, Xfce and Windows take for themselves with their defaults.

Read in gsettings-desktop-schemas (org.gnome.desktop.wm.keybindings), kwin (kwinbindings.cpp), libxfce4ui
(xfce4-keyboard-shortcuts.xml), and Microsoft's page "Keyboard shortcuts in Windows". Alt+Shift switches the layout of
the keyboard on Windows, and under X11 a shifted Alt is Meta, so no chord with both can be relied on.
"""

from __future__ import annotations

import re
from itertools import product

ARROWS = ("Left", "Right", "Up", "Down")
_GNOME = {
    *(f"{held}+{arrow}" for held, arrow in product(("Ctrl+Alt", "Ctrl+Alt+Shift"), ARROWS)),
    *(f"Alt+F{number}" for number in (1, 2, 4, 5, 6, 7, 8, 10)),
    *(f"{held}+{name}" for held, name in product(("Ctrl+Alt", "Ctrl+Alt+Shift", "Alt"), ("Tab", "Escape"))),
    "Alt+Space",
}
_KDE = {"Alt+F3", "Alt+F4", "Ctrl+Alt+A", "Ctrl+Alt+Escape"}
_XFCE = {
    *(f"Ctrl+F{number}" for number in range(1, 13)),
    *(f"Alt+F{number}" for number in (1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12)),
    *(f"Ctrl+Alt+{name}" for name in (*ARROWS, "Delete", "End", "Home", "Escape", "L", "T", "F", "D")),
    *("Alt+Insert", "Alt+Delete", "Alt+Tab", "Alt+Space", "Ctrl+Escape", "Ctrl+Shift+Escape"),
}
_WINDOWS = {"Alt+Tab", "Alt+F4", "Alt+Escape", "Alt+Space", "Ctrl+Escape", "Ctrl+Shift+Escape", "Ctrl+Alt+Delete"}
TAKEN = frozenset(_GNOME | _KDE | _XFCE | _WINDOWS)

_CHORD = re.compile(r"(?<![\w+])((?:(?:Ctrl|Alt|Shift)\+)+)(\w+)")
_DRAG = re.compile(r"\bAlt\b`?(?: ?[-+] ?| and )(?:an? )?(?:left )?drag", re.IGNORECASE)


def taken_in(text: str) -> list[str]:
    """The chords and drags of a text that one of the systems takes."""
    found = [use[0] for use in _DRAG.finditer(text)]
    for modifiers, name in _CHORD.findall(text):
        held = sorted(modifiers.rstrip("+").split("+"), key=("Ctrl", "Alt", "Shift").index)
        name = {"Esc": "Escape"}.get(name, name)
        chords = {"+".join((*held, each)) for each in (ARROWS if name == "arrows" else (name,))}
        if chords & TAKEN or {"Alt", "Shift"} <= set(held):
            found.append(f"{modifiers}{name}")
    return found
