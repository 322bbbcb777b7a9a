"""What is kept about a fault of the program for whoever mends it: a report, in a file that the sentence names."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from core.scene import Scene

from ..state.view import View
from ..storage.files import state_folder, write_atomic

if TYPE_CHECKING:
    from ..storage.doctor import Graphics


def report(
    doing: str, error: Exception, graphics: Graphics, scene: Scene | None = None, view: View | None = None
) -> str:
    """What somebody who mends the program has to know: traceback, what `doctor` says, and the scene as JSON."""
    import traceback

    from ..storage.doctor import examined, text_of

    parts = [
        f"{doing} failed.",
        "".join(traceback.format_exception(error)).rstrip(),
        text_of(examined(graphics)).rstrip(),
    ]
    if scene is not None:
        parts.append(f"Scene:\n{_scene_text(scene, view)}")
    return "\n\n".join(parts) + "\n"


def keep_report(text: str) -> tuple[Path, bool]:
    """Writes a report where the last one stands; the file, and whether it could be written."""
    log = state_folder() / "fault.txt"
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(log, text.encode("utf-8", "backslashreplace"), durable=False)
    except OSError:
        return log, False
    return log, True


def _scene_text(scene: Scene, view: View | None) -> str:
    from ..io.scene_file import write

    for looked in (None if view is None else replace(view, hover=None), None):
        with suppress(Exception):  # the view, or the scene, may be what is wrong
            return write(scene, looked, ascii_only=True).rstrip()
    return repr(scene)
