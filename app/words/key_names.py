"""Names of keys as they are printed on this system's keyboards."""

from __future__ import annotations

import re
import sys

_ON_A_MAC = {"Ctrl": "Cmd", "Alt": "Option"}


def as_on_keys(text: str, system: str = sys.platform) -> str:
    """A text in which keys, such as `Ctrl+Alt+S`, have the names that are printed on this system's keyboards."""
    return re.sub(r"\b(Ctrl|Alt)\b", lambda found: _ON_A_MAC[found[1]], text) if system == "darwin" else text
