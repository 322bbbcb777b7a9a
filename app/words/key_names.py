"""Keys as the keyboard at hand has them written on it."""

from __future__ import annotations

import re
import sys

_ON_A_MAC = {"Ctrl": "Cmd", "Alt": "Option"}


def as_on_keys(text: str, system: str = sys.platform) -> str:
    """A text with the keys in it, as `Ctrl+Alt+S`, by the names that they have on this system's keyboards."""
    return re.sub(r"\b(Ctrl|Alt)\b", lambda found: _ON_A_MAC[found[1]], text) if system == "darwin" else text
