"""The autosave: unsaved work kept on disk, so that a killed process loses none."""

from __future__ import annotations

from ..io.session import Autosave, Recovered
from ..state.work import Work
from ..storage.folders import state_folder
from .notices import Notices


class Keeping:
    """Who keeps. `recovered`: what a killed process left behind, which is the document now, until it stands whole."""

    def __init__(self, work: Work, notices: Notices) -> None:
        self._work, self._notices = work, notices
        self._autosave = Autosave(state_folder())
        self._problem: str | None = None
        self.recovered: Recovered | None = None

    def keep(self) -> None:
        """Brings the autosave up to date with the document."""
        document = self._work.document
        if not document.unsaved:
            self._autosave.clear()
            return
        # Without the step: it may have to be waited for, and this is done after every edit.
        recovered = self.recovered is not None
        self._autosave.save(document.committed, self._work.view, document.path, durable=recovered)
        if self._autosave.problem is None:
            self.drop_recovered()
        if self._autosave.problem != self._problem:
            self._problem = self._autosave.problem
            if self._problem is not None:
                self._notices.notify(self._problem, error=True)

    def drop_recovered(self) -> None:
        """The recovered work stands whole in another file: what was found of it may go, and never earlier."""
        if self.recovered is not None:
            self.recovered.discard()
            self.recovered = None

    def let_go(self) -> None:
        """The program ends although nobody could be asked: unsaved work is offered at the next start."""
        self.keep()
        self._autosave.let_go()

    def close(self) -> None:
        """The program ends in order: nothing is left to recover."""
        self._autosave.close()
