"""Names of keys: how a chord is written, and what imgui calls a key, by the window library's name for it."""

from __future__ import annotations

_LETTERS = {letter: letter for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
_DIGITS = {f"_{digit}": str(digit) for digit in range(10)}
_PAD_DIGITS = {f"NUM_{digit}": str(digit) for digit in range(10)}
_FUNCTIONS = {f"F{number}": f"F{number}" for number in range(1, 13)}

CHORD_NAMES: dict[str, str] = {
    **_LETTERS,
    **_DIGITS,
    **_PAD_DIGITS,
    **_FUNCTIONS,
    "SPACE": "Space",
    "TAB": "Tab",
    "ESCAPE": "Escape",
    "RETURN": "Enter",
    "NUM_ENTER": "Enter",
    "BACKSPACE": "Backspace",
    "DELETE": "Delete",
    "HOME": "Home",
    "END": "End",
    "PAGEUP": "PageUp",
    "PAGEDOWN": "PageDown",
    "LEFT": "Left",
    "RIGHT": "Right",
    "UP": "Up",
    "DOWN": "Down",
    "BRACKETLEFT": "[",
    "BRACKETRIGHT": "]",
    "COMMA": ",",
    "PERIOD": ".",
    "SLASH": "/",
    "QUESTION": "?",
    "MINUS": "-",
    "NUM_SUBTRACT": "-",
    "PLUS": "+",
    "NUM_ADD": "+",
    "EQUAL": "=",
}
"""Parts of chords such as `Ctrl+Shift+S`; keys that are not here make none."""

IMGUI_NAMES: dict[str, str] = {
    **{symbol: letter.lower() for symbol, letter in _LETTERS.items()},
    **{symbol: f"_{digit}" for symbol, digit in _DIGITS.items()},
    **{symbol: f"keypad{digit}" for symbol, digit in _PAD_DIGITS.items()},
    **{symbol: name.lower() for symbol, name in _FUNCTIONS.items()},
    "SPACE": "space",
    "TAB": "tab",
    "ESCAPE": "escape",
    "RETURN": "enter",
    "NUM_ENTER": "keypad_enter",
    "BACKSPACE": "backspace",
    "DELETE": "delete",
    "INSERT": "insert",
    "HOME": "home",
    "END": "end",
    "PAGEUP": "page_up",
    "PAGEDOWN": "page_down",
    "LEFT": "left_arrow",
    "RIGHT": "right_arrow",
    "UP": "up_arrow",
    "DOWN": "down_arrow",
    "LCTRL": "left_ctrl",
    "RCTRL": "right_ctrl",
    "LSHIFT": "left_shift",
    "RSHIFT": "right_shift",
    "LALT": "left_alt",
    "RALT": "right_alt",
    "MINUS": "minus",
    "EQUAL": "equal",
    "COMMA": "comma",
    "PERIOD": "period",
}
"""Names of imgui's keys, in small letters as its Python binding has them."""
