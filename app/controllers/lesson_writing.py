"""Writes a lesson from the window: pinned views become the steps of a new file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..storage.files import reason_of, write_atomic
from .files import Files
from .services import Services

if TYPE_CHECKING:
    from ..lessons.skeleton import Pinned

MOST_PINS = 32
"""The most pinned views: a lesson has at most 40 steps and 32 scenes."""


class LessonWriting:
    """Pins views and writes the lesson."""

    def __init__(self, services: Services, files: Files) -> None:
        self._work, self._steps, self._notices, self._files = services.work, services.steps, services.notices, files
        self._pinned: tuple[Pinned, ...] = ()

    @property
    def pinned(self) -> int:
        """The number of pinned views."""
        return len(self._pinned)

    def pin(self) -> None:
        """Pins the shown view, with its step of the timeline, for the next lesson; refuses more than MOST_PINS."""
        if len(self._pinned) == MOST_PINS:
            self._notices.notify(f"{MOST_PINS} views are pinned: a lesson has no room for more.", error=True)
            return
        self._pinned += (self._now(),)
        self._notices.notify(f"View {self.pinned} is pinned. File › New lesson from this scene writes all of them.")

    def _now(self) -> Pinned:
        from ..lessons.skeleton import Pinned

        return Pinned(self._work.document.committed, self._steps.kept_view, self._work.algorithm_settings)

    def write(self, path: Path) -> bool:
        """Writes a lesson of the pinned views, else of the shown one, and opens it; returns False if refused.

        Once it is written, no view is pinned any more. A refusal is shown as a notice.
        """
        from ..lessons.skeleton import skeleton_of

        text = skeleton_of(self._pinned or (self._now(),), path.stem)
        try:
            write_atomic(path, text.encode())
        except OSError as error:
            self._notices.notify(f"{path}: could not be written: {reason_of(error)}", error=True)
            return False
        self._pinned = ()
        self._notices.notify(f"{path.name} is written. Change it in an editor: it is shown anew whenever you save it.")
        return self._files.open_lesson(path)
