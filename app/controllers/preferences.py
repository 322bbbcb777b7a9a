"""The settings of the program: changes and saves them."""

from __future__ import annotations

from msgspec.structs import replace

from ..draw.theme import Theme, theme_named
from ..state.settings import Settings, save_settings
from ..state.work import Work
from .notices import Notices

UI_SCALES = (0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0)
"""The sizes of text and panels through which the keys go, as factors."""


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
        """Changes and saves the settings, and sets the cameras' upright axis; shows a notice if saving fails."""
        self.settings = settings
        self._work.view = self._work.view.with_cameras(z_up=settings.z_up)
        problem = save_settings(settings)
        if problem is not None:
            self._notices.notify(problem, error=True)

    def scale_ui(self, steps: int) -> None:
        """Makes text and panels larger by `steps` of UI_SCALES, smaller if negative, within its ends."""
        nearest = min(range(len(UI_SCALES)), key=lambda k: abs(UI_SCALES[k] - self.settings.ui_scale))
        chosen = UI_SCALES[min(max(nearest + steps, 0), len(UI_SCALES) - 1)]
        self.configure(replace(self.settings, ui_scale=chosen))
