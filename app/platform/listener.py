"""What a window tells the program: its events, its size, and its keys, by the window library's names for them."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from ..input.bindings import Button, Held


class Listener(Protocol):
    """Who hears of the window's events. Positions in framebuffer pixels from the top left corner."""

    def hearing(self, event: str) -> AbstractContextManager[object, bool]:
        """Around an event of the window: a fault in it ends here."""

    def pointer_moved(self, x: float, y: float, held: Held) -> None:
        """The pointer moved, with or without a button held."""

    def pointer_left(self) -> None:
        """The pointer left the window."""

    def pressed(self, button: Button, x: float, y: float, held: Held) -> None:
        """A button of the mouse went down."""

    def released(self, button: Button, x: float, y: float, held: Held) -> None:
        """A button of the mouse came up."""

    def scrolled(self, x: float, y: float, across: float, up: float, held: Held) -> None:
        """The wheel turned."""

    def key_changed(self, chord: str, name: str, down: bool, held: Held) -> None:
        """A key went down or up: its chord (`Ctrl+Shift+S`) and imgui's name for the key (`s`)."""

    def key_repeated(self, name: str) -> None:
        """A held editing key repeats."""

    def typed(self, text: str) -> None:
        """Text was typed."""

    def focused(self, focused: bool) -> None:
        """The window gained or lost the keyboard."""

    def dropped(self, paths: tuple[Path, ...]) -> None:
        """Files were dropped on the window."""

    def close_asked(self) -> None:
        """The user wants to close the window."""

    def draw_frame(self) -> float | None:
        """Draw; answers with the seconds until the next frame is wanted anyway, or None."""


class Extent(Struct, frozen=True):
    """Size of the window in framebuffer pixels, and pixels to the point (1/96 inch times the UI scale)."""

    pixels: tuple[int, int]
    scale: float


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
"""Parts of chords such as `Ctrl+Shift+S`; keys that are not here make none."""
IMGUI_NAMES: dict[str, str] = {sign: name for sign, (_, name) in _NAMES.items() if name}
"""Names of imgui's keys, in small letters as its Python binding has them."""
