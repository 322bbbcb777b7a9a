"""Copies pictures to the system's clipboard, as pyglet copies only text.

On Linux it calls wl-copy or xclip, on macOS `osascript`, on Windows the system's own functions.
"""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TIMEOUT = 5.0
"""The timeout of a program that copies a picture, in seconds."""
PROGRAMS = (
    ("WAYLAND_DISPLAY", ("wl-copy", "--type", "image/png")),
    ("DISPLAY", ("xclip", "-selection", "clipboard", "-target", "image/png")),
)
"""Programs on Linux: the environment variable that must be set, and the command line. It reads a PNG from stdin."""
OSASCRIPT = (
    "osascript",
    *("-e", "on run argv"),
    *("-e", "set the clipboard to (read (POSIX file (item 1 of argv)) as «class PNGf»)"),
    *("-e", "end run"),
)
"""The command line on macOS; the name of a PNG file is appended."""


class ClipboardError(Exception):
    """A picture could not be copied; the message is the reason, in a few words."""


def why_no_copy(system: str = sys.platform) -> str:
    """A sentence about the program that is missing to copy pictures; "" if none is.

    `system`: a value of `sys.platform`.
    """
    if system == "win32":
        return ""
    if system == "darwin":
        return "" if shutil.which(OSASCRIPT[0]) else "Pictures are copied by osascript, which is not on the PATH"
    return "" if _program() else "Pictures are copied by wl-copy or xclip, and neither is on the PATH"


def copy_png(data: bytes, system: str = sys.platform) -> None:
    """Puts a PNG on the clipboard.

    `system`: as in `why_no_copy`. Raises ClipboardError if a program is missing, or if the clipboard does not answer.
    """
    try:
        if sys.platform == "win32":
            from .windows_clipboard import put

            put({"PNG": data, CF_DIB: dib(data)})
        elif system == "darwin":
            with tempfile.TemporaryDirectory(prefix="separatrix-") as folder:
                file = Path(folder) / "picture.png"
                file.write_bytes(data)
                _run((*OSASCRIPT, str(file)), b"")
        elif (words := _program()) is not None:
            _run(words, data)
        else:
            raise ClipboardError(why_no_copy(system))
    except (OSError, subprocess.SubprocessError):
        raise ClipboardError("the system's clipboard does not answer") from None


def _program() -> tuple[str, ...] | None:
    return next((words for display, words in PROGRAMS if os.environ.get(display) and shutil.which(words[0])), None)


def _run(words: tuple[str, ...], data: bytes) -> None:
    silent = subprocess.DEVNULL
    subprocess.run(words, input=data, check=True, timeout=TIMEOUT, stdout=silent, stderr=silent)


CF_DIB = 8
"""The clipboard format on Windows that every program accepts. Many also accept "PNG", which keeps the scene inside."""


def dib(png: bytes) -> bytes:
    """The picture in the form of CF_DIB; transparent parts become white."""
    # Imported here because the start does not need it.
    from PIL import Image

    with Image.open(io.BytesIO(png)) as picture:
        seen = picture.convert("RGBA")
    flat, out = Image.new("RGB", seen.size, "white"), io.BytesIO()
    flat.paste(seen, mask=seen.getchannel("A"))
    flat.save(out, "DIB")
    return out.getvalue()
