"""The desktop's own dialog for a file's name, asked without waiting for it."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from threading import Event

from imgui_bundle import portable_file_dialogs as pfd

from ..controllers.background import Job
from ..controllers.files import OPENABLE
from ..storage.files import readable

SCENE_FILTER = [
    "Scenes, logs, pictures, meshes, lessons",
    " ".join(f"*{suffix}" for suffix in OPENABLE),
    "All files",
    "*",
]
SAVE_FILTER = ["Scene (.json)", "*.json"]
FILTERS = {
    ".json": SAVE_FILTER,
    ".md": ["Lesson (.md)", "*.md"],
    ".jsonl": ["Deck (.jsonl)", "*.jsonl"],
    ".zip": ["Bundle (.zip)", "*.zip"],
}
"""Of what is saved, by its ending."""
SECONDS_BETWEEN = 0.05
"""How long a dialog is left alone before it is asked again."""
_WITH_THEIR_OWN = frozenset({"win32", "darwin"})
_LINUX_HELPERS = ("zenity", "kdialog", "matedialog", "qarma")


def native_dialogs_exist() -> bool:
    """Whether the desktop has file dialogs. On Linux they are a program; without one the library acts like a cancel."""
    return sys.platform in _WITH_THEIR_OWN or any(shutil.which(helper) for helper in _LINUX_HELPERS)


class NativeDialog:
    """A dialog that is open elsewhere; `poll` it each frame.

    A thread of its own opens it, asks it for the answer and takes it away. On Windows the library hands out the window
    messages of the thread that asks (`executor::ready` of portable-file-dialogs): asked by a frame, it would have
    pyglet begin another one inside it. No other thread touches the library's object, which has no lock.
    """

    def __init__(self, kept_as: list[str] | None, start: Path) -> None:
        """`kept_as`: the filter of what is saved, None to open."""
        self._given_up = Event()
        self._job = Job((kept_as, start), self._answer, niceness=0)

    def poll(self) -> tuple[bool, Path | None]:
        """Whether it was answered, and with what: None for a cancel. Raises what opening it raised."""
        return (True, self._job.outcome()) if self._job.done else (False, None)

    def close(self) -> None:
        """Has the dialog taken away; does not wait for it."""
        self._given_up.set()

    def _answer(self, asked: tuple[list[str] | None, Path]) -> Path | None:
        kept_as, start = asked
        dialog: pfd.open_file | pfd.save_file
        if kept_as is not None:
            dialog = pfd.save_file("Save", readable(start), kept_as)
        else:
            dialog = pfd.open_file("Open scene", readable(start), SCENE_FILTER)
        # It is not the library that waits: it would keep Python's lock meanwhile, and the window would stand still.
        while not dialog.ready(0):
            if self._given_up.wait(SECONDS_BETWEEN):
                dialog.kill()
                return None
        try:
            result = dialog.result()
        except UnicodeDecodeError as error:
            # A name that is no text: the dialog's answer, as bytes.
            result = os.fsdecode(error.object)
        chosen = result if isinstance(result, str) else (result[0] if result else "")
        return Path(chosen) if chosen else None
