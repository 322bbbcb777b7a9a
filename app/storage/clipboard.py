"""The program that hands a picture to the system's clipboard, which the toolkit does for text alone."""

from __future__ import annotations

import os
import shutil

PROGRAMS = (
    ("WAYLAND_DISPLAY", ("wl-copy", "--type", "image/png")),
    ("DISPLAY", ("xclip", "-selection", "clipboard", "-target", "image/png")),
)


def clipboard_program() -> tuple[str, ...] | None:
    """Its name and arguments; it reads a PNG from its standard input. None where there is no such program."""
    for display, words in PROGRAMS:
        if os.environ.get(display) and shutil.which(words[0]):
            return words
    return None
