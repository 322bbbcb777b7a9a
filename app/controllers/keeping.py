"""What is kept on disk at once: unsaved work, so that a killed process loses none, and the settings."""

from __future__ import annotations

from msgspec.structs import replace

from ..draw.theme import Theme, theme_named
from ..io.session import Autosave, Recovered
from ..state.settings import Settings, save_settings
from ..state.work import Work
from ..storage.files import state_folder
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
        if document.scratch:
            # What stands on disk is of the document before.
            return
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


UI_SCALES = (0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0)


class Preferences:
    """The settings of the program."""

    def __init__(self, settings: Settings, work: Work, notices: Notices) -> None:
        self.settings = settings
        self._work, self._notices = work, notices

    @property
    def theme(self) -> Theme:
        """The theme of the settings."""
        return theme_named(self.settings.theme, self.settings.palette)

    def configure(self, settings: Settings) -> None:
        """Changes and keeps the settings."""
        self.settings = settings
        self._work.view = self._work.view.with_cameras(z_up=settings.z_up)
        problem = save_settings(settings)
        if problem is not None:
            self._notices.notify(problem, error=True)

    def scale_ui(self, steps: int) -> None:
        """The next larger or smaller size of text and panels."""
        nearest = min(range(len(UI_SCALES)), key=lambda k: abs(UI_SCALES[k] - self.settings.ui_scale))
        chosen = UI_SCALES[min(max(nearest + steps, 0), len(UI_SCALES) - 1)]
        self.configure(replace(self.settings, ui_scale=chosen))
