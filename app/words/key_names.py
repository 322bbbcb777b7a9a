"""Names of keys as they are printed on this system's keyboards, and the keys that a text names."""

from __future__ import annotations

import re
import sys
from functools import lru_cache

from msgspec import Struct

_ON_A_MAC = {"Ctrl": "Cmd", "Alt": "Option"}
_NAMED = {"Cmd": "Ctrl", "Option": "Alt", "Esc": "Escape", "→": "Right", "←": "Left"}
"""Words for keys in texts, with the keys' names in chords."""
MODIFIERS = ("Ctrl", "Alt", "Shift")
_MODIFIER = r"(?:Ctrl|Cmd|Alt|Option|Shift)\+"
_PLAIN = r"Left|Right|Up|Down|Home|End|PageUp|PageDown|Enter|Space|Tab|Esc|Escape|F(?:1[0-2]|[1-9])"
_ENDS = r"(?![\w+])"
_CHORD = rf"(?:{_MODIFIER})*(?:{_PLAIN}|[A-Z0-9]|[→←,.?=+\[\]-]){_ENDS}"
_IN_TEXT = (
    rf"(?<![\w+.])(?:(?:{_MODIFIER})+(?:{_PLAIN}|[A-Z0-9]){_ENDS}|(?:Esc|Tab|F(?:1[0-2]|[1-9])){_ENDS}|Space(?= plays))"
    r"|←(?=\s→)|(?<=←\s)→"
)


def as_on_keys(text: str, system: str = sys.platform) -> str:
    """A text in which keys, such as `Ctrl+Alt+S`, have the names that are printed on this system's keyboards."""
    return re.sub(r"\b(Ctrl|Alt)\b", lambda found: _ON_A_MAC[found[1]], text) if system == "darwin" else text


class KeyUse(Struct, frozen=True):
    """A chord that a text names, at its characters from `start` to `end`."""

    start: int
    end: int
    chord: str


def chord_named(text: str) -> str:
    """The chord, as `Ctrl+Shift+Left`, that a text names alone; "" for another text, and for a modifier alone."""
    if re.fullmatch(_CHORD, text) is None:
        return ""
    return re.sub(r"Cmd|Option|\bEsc\b|→|←", lambda found: _NAMED[found[0]], text)


@lru_cache(maxsize=256)
def keys_in(text: str) -> tuple[KeyUse, ...]:
    """The chords that a text names in running words. Letters alone are none, since they are words as well."""
    return tuple(KeyUse(use.start(), use.end(), chord_named(use[0])) for use in re.finditer(_IN_TEXT, text))
