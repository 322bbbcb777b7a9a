"""The desktop's file dialog, polled without blocking."""

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
    "Scenes, logs, texts, pictures, meshes, lessons",
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
"""Filters of the save dialog, by suffix."""
SECONDS_BETWEEN = 0.05
"""Time between polls of a dialog, seconds."""
_WITH_THEIR_OWN = frozenset({"win32", "darwin"})
_LINUX_HELPERS = ("zenity", "kdialog", "matedialog", "qarma")


def native_dialogs_exist() -> bool:
    """Whether the desktop has file dialogs. On Linux a helper program shows them; without one, every dialog cancels."""
    return sys.platform in _WITH_THEIR_OWN or any(shutil.which(helper) for helper in _LINUX_HELPERS)


class NativeDialog:
    """An open dialog of the desktop; `poll` it each frame.

    A separate thread opens it, polls it for the answer and closes it. On Windows the library dispatches the window
    messages of the polling thread (`executor::ready` of portable-file-dialogs): polled inside a frame, it would make
    pyglet start another frame within it. No other thread touches the library's object, which has no lock.
    """

    def __init__(self, kept_as: list[str] | None, start: Path) -> None:
        """Opens the dialog to save, with the filter `kept_as`; if that is None, the dialog to open a file.

        `start`: the folder, with the suggested name to save.
        """
        self._given_up = Event()
        self._job = Job((kept_as, start), self._answer, niceness=0)

    def poll(self) -> tuple[bool, Path | None]:
        """Returns whether the dialog was answered, and the path, None if cancelled. Raises the dialog's error."""
        return (True, self._job.outcome()) if self._job.done else (False, None)

    def close(self) -> None:
        """Tells the thread to close the dialog, without waiting for it."""
        self._given_up.set()

    def _answer(self, asked: tuple[list[str] | None, Path]) -> Path | None:
        kept_as, start = asked
        dialog: pfd.open_file | pfd.save_file
        if kept_as is not None:
            dialog = pfd.save_file("Save", readable(start), kept_as)
        else:
            dialog = pfd.open_file("Open scene", readable(start), SCENE_FILTER)
        # Waits here and not in the library, which would hold the GIL meanwhile and freeze the window.
        while not dialog.ready(0):
            if self._given_up.wait(SECONDS_BETWEEN):
                dialog.kill()
                return None
        try:
            result = dialog.result()
        except UnicodeDecodeError as error:
            # The name is not valid UTF-8: the answer as bytes.
            result = os.fsdecode(error.object)
        chosen = result if isinstance(result, str) else (result[0] if result else "")
        return Path(chosen) if chosen else None
