"""The keys' names: by pyglet's name, each key's name in a chord and in Dear ImGui."""

from __future__ import annotations

_LETTERS = {letter: (letter, letter.lower()) for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
_DIGITS = {f"_{digit}": (f"{digit}", f"_{digit}") for digit in range(10)}
_PAD_DIGITS = {f"NUM_{digit}": (f"{digit}", f"keypad{digit}") for digit in range(10)}
_FUNCTIONS = {f"F{number}": (f"F{number}", f"f{number}") for number in range(1, 13)}
_NAMES = _LETTERS | _DIGITS | _PAD_DIGITS | _FUNCTIONS
_NAMES |= {
    "SPACE": ("Space", "space"),
    "TAB": ("Tab", "tab"),
    "ESCAPE": ("Escape", "escape"),
    "RETURN": ("Enter", "enter"),
    "NUM_ENTER": ("Enter", "keypad_enter"),
    "BACKSPACE": ("Backspace", "backspace"),
    "DELETE": ("Delete", "delete"),
    "INSERT": ("", "insert"),
    "HOME": ("Home", "home"),
    "END": ("End", "end"),
    "PAGEUP": ("PageUp", "page_up"),
    "PAGEDOWN": ("PageDown", "page_down"),
    "LEFT": ("Left", "left_arrow"),
    "RIGHT": ("Right", "right_arrow"),
    "UP": ("Up", "up_arrow"),
    "DOWN": ("Down", "down_arrow"),
    "BRACKETLEFT": ("[", ""),
    "BRACKETRIGHT": ("]", ""),
    "COMMA": (",", "comma"),
    "PERIOD": (".", "period"),
    "SLASH": ("/", ""),
    "QUESTION": ("?", ""),
    "MINUS": ("-", "minus"),
    "NUM_SUBTRACT": ("-", ""),
    "PLUS": ("+", ""),
    "NUM_ADD": ("+", ""),
    "EQUAL": ("=", "equal"),
    "LCTRL": ("", "left_ctrl"),
    "RCTRL": ("", "right_ctrl"),
    "LSHIFT": ("", "left_shift"),
    "RSHIFT": ("", "right_shift"),
    "LALT": ("", "left_alt"),
    "RALT": ("", "right_alt"),
}

CHORD_NAMES: dict[str, str] = {sign: chord for sign, (chord, _) in _NAMES.items() if chord}
"""By pyglet's name: a key's name in chords such as `Ctrl+Shift+S`. Other keys make no chord."""
IMGUI_NAMES: dict[str, str] = {sign: name for sign, (_, name) in _NAMES.items() if name}
"""By pyglet's name: a key's name in imgui, in lower case as in its Python binding."""
