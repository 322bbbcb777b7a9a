"""The desktop's own dialog for a file's name, asked without waiting for it."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from imgui_bundle import portable_file_dialogs as pfd

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
_WITH_THEIR_OWN = frozenset({"win32", "darwin"})
_LINUX_HELPERS = ("zenity", "kdialog", "matedialog", "qarma")


def native_dialogs_exist() -> bool:
    """Whether the desktop has file dialogs. On Linux they are a program; without one the library acts like a cancel."""
    return sys.platform in _WITH_THEIR_OWN or any(shutil.which(helper) for helper in _LINUX_HELPERS)


class NativeDialog:
    """A dialog that is open elsewhere; `poll` each frame."""

    def __init__(self, kept_as: list[str] | None, start: Path) -> None:
        """`kept_as`: the filter of what is saved, None to open."""
        self._dialog: pfd.open_file | pfd.save_file
        if kept_as is not None:
            self._dialog = pfd.save_file("Save", readable(start), kept_as)
        else:
            self._dialog = pfd.open_file("Open scene", readable(start), SCENE_FILTER)

    def poll(self) -> tuple[bool, Path | None]:
        """Whether it was answered, and with what: None for a cancel."""
        if not self._dialog.ready(0):
            return False, None
        try:
            result = self._dialog.result()
        except UnicodeDecodeError as error:
            # A name that is no text: the dialog's answer, as bytes.
            result = os.fsdecode(error.object)
        chosen = result if isinstance(result, str) else (result[0] if result else "")
        return True, Path(chosen) if chosen else None

    def close(self) -> None:
        """Takes the dialog away."""
        self._dialog.kill()
