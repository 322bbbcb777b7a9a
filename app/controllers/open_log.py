"""The open log and the current entry."""

from __future__ import annotations

from pathlib import Path

from ..io.scene_file import Loaded, SceneError
from ..io.scene_log import SceneLog, is_log
from ..state.panel_state import LogPosition
from ..storage.files import readable


def opens_as_log(path: Path) -> bool:
    """Whether a file is a log by its name, or a text with many pairs."""
    from ..forms.text_log import text_log

    return is_log(path) or text_log(path) is not None


class OpenLog:
    """An open log; a refused entry has a sentence instead of a scene."""

    def __init__(self, path: Path) -> None:
        """Opens the log. Raises SceneError if the file cannot be read or has no entry."""
        from ..forms.text_log import text_log

        self._log = text_log(path) or SceneLog(path)
        self._index, self._title, self._fault = -1, "", ""
        if not len(self._log):
            self.close()
            raise SceneError("", "holds no scene", str(path))

    @property
    def position(self) -> LogPosition:
        """The current position in the log."""
        return LogPosition(self._title, self._index, len(self._log), self._fault, self._log.path)

    def turned_to(self, index: int) -> Loaded | None:
        """Goes to entry `index` and returns its scene; None if it is refused, for which `position` has the reason.

        `index`: from 0, below the log's length.
        """
        self._index, self._fault = index, ""
        self._title = readable(f"{self._log.path.name}: {self._log.title(index)}")
        try:
            return self._log.scene(index)
        except SceneError as error:
            self._fault = f"{readable(str(error))}. The previous scene is still shown."
            return None

    def close(self) -> None:
        """Closes the file."""
        self._log.close()
