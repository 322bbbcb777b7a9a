"""Writes reports on faults of the program, for the developers, into the file that an error message names."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path
from time import strftime
from typing import TYPE_CHECKING

from msgspec.structs import replace

from core.scene import Scene

from ..state.view import View
from ..storage.files import MEGABYTE, state_folder
from .scene_file import write

if TYPE_CHECKING:
    from ..storage.doctor import Graphics

LARGEST_LOG = MEGABYTE
"""The size, bytes, above which the next report overwrites the file."""


def fault_log() -> Path:
    """The path of the file with all reports, the newest last."""
    return state_folder() / "fault.txt"


def report(
    doing: str, error: Exception, graphics: Graphics, scene: Scene | None = None, view: View | None = None
) -> str:
    """The text of a report: the traceback, the output of `doctor`, and as JSON the scene, with its `view`, if given.

    `doing`: a name of the work that failed.
    """
    import traceback

    from ..storage.doctor import examined, text_of

    parts = [
        f"{doing} failed.\n{strftime('%Y-%m-%d %H:%M:%S')}",
        "".join(traceback.format_exception(error)).rstrip(),
        text_of(examined(graphics)).rstrip(),
    ]
    if scene is not None:
        parts.append(f"Scene:\n{_scene_text(scene, view)}")
    return "\n\n".join(parts) + "\n"


def keep_report(text: str) -> tuple[Path, bool]:
    """Appends a report to the file of faults, whole or not at all. Returns the path, and whether it was written."""
    log = fault_log()
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        _append(log, text.encode("utf-8", "backslashreplace"))
    except OSError:
        return log, False
    return log, True


def keep_in_short(doing: str, error: Exception, scene: Scene | None = None) -> tuple[Path, bool]:
    """Appends a report on a fault of a command; returns as `keep_report`.

    `doing`, `scene`: as in `report`.

    The report is one line if the file has the same traceback already: a command may meet a fault in many lines of a
    log. Graphics are not examined: that takes seconds, and few commands use them.
    """
    if _has_traceback(error):
        return keep_report(f"{doing} failed with a traceback that stands above.\n")
    return keep_report(report(doing, error, {"window": "not asked"}, scene))


def _has_traceback(error: Exception) -> bool:
    import traceback

    lines = "".join(traceback.format_tb(error.__traceback__))
    try:
        return lines in fault_log().read_text("utf-8")
    except (OSError, ValueError):
        return False


def _append(log: Path, data: bytes) -> None:
    """Appends the data, also while other processes append.

    Raises OSError if the file cannot be written; then nothing was appended.
    """
    handle = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
    with os.fdopen(handle, "ab", buffering=0) as out:
        before = out.tell()
        if before > LARGEST_LOG:
            before = 0
            out.truncate(0)
        try:
            added = b"\n" + data if before else data
            if out.write(added) < len(added):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError:
            out.truncate(before)
            raise


def _scene_text(scene: Scene, view: View | None) -> str:
    for looked in (None if view is None else replace(view, hover=None), None):
        with suppress(Exception):  # the view or the scene may be the cause of the fault
            return write(scene, looked, ascii_only=True).rstrip()
    return repr(scene)
