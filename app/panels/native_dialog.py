"""The desktop's own file dialog, where there is one; asked for without waiting for it."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from imgui_bundle import portable_file_dialogs as pfd

from ..storage.files import readable
from .folder_listing import SUFFIXES

SCENE_FILTER = ["Scenes, logs, pictures, meshes", " ".join(f"*{suffix}" for suffix in SUFFIXES), "All files", "*"]
SAVE_FILTER = ["Scene (.json)", "*.json"]
_WITH_THEIR_OWN = frozenset({"win32", "darwin"})
_LINUX_HELPERS = ("zenity", "kdialog", "matedialog", "qarma")


def native_dialogs_exist() -> bool:
    """Whether the desktop has file dialogs. On Linux they are a program; without one the library acts like a cancel."""
    return sys.platform in _WITH_THEIR_OWN or any(shutil.which(helper) for helper in _LINUX_HELPERS)


class NativeDialog:
    """A dialog that is open elsewhere; `poll` each frame."""

    def __init__(self, *, saving: bool, start: Path) -> None:
        self._saving = saving
        self._dialog: pfd.open_file | pfd.save_file
        if saving:
            self._dialog = pfd.save_file("Save scene", readable(start), SAVE_FILTER)
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
