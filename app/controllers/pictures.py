"""Screenshots: the viewport as a picture with the scene inside, at once or in the course of some frames."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ..draw.theme import theme_named
from ..io.scene_file import write
from ..render import Context
from ..render.darkroom import Darkroom, Outcome
from ..render.still import expose_still
from ..state.requests import Screenshot
from ..state.work import Work
from ..storage.atomic import write_atomic, write_numbered
from ..storage.png_scene import png_bytes
from .background import Answers
from .cameras import Cameras
from .motion import Motion
from .notices import Notices
from .preferences import Preferences
from .steps import Steps

if TYPE_CHECKING:
    from PIL import Image

AT_ONCE = 1 << 21
"""Pixels of a screenshot that is taken without a window of its own on the way."""

TILE = 1024
"""Side of a tile of larger ones, in supersampled pixels: a fraction of a second without a graphics card."""

PICTURE_SECONDS = 0.1
"""How long of a frame goes to a picture that is being taken."""


class Pictures:
    """One picture at a time. `drawn`: called after each piece, which was drawn where the window draws."""

    def __init__(
        self,
        context: Context,
        drawn: Callable[[], None],
        work: Work,
        preferences: Preferences,
        notices: Notices,
        answers: Answers,
        motion: Motion,
        steps: Steps,
        cameras: Cameras,
    ) -> None:
        self._context, self._drawn = context, drawn
        self._work, self._preferences, self._notices = work, preferences, notices
        self._answers, self._motion, self._steps, self._cameras = answers, motion, steps, cameras
        self.darkroom = Darkroom()

    @property
    def share(self) -> float | None:
        """How much of the picture is drawn; None while there is none to take."""
        return self.darkroom.share

    def quick(self) -> None:
        """A numbered screenshot of the viewport as it is."""
        (width, height), density = self._cameras.size, self._cameras.density
        self.take(Screenshot(round(width / density), round(height / density), scale=density))

    def take(self, request: Screenshot) -> None:
        """Takes a screenshot with the scene inside: at once, or in the course of some frames where it is large."""
        if self.share is not None:
            self._notices.notify("One picture at a time: another one is being taken.")
            return
        theme = self._preferences.theme
        if request.theme is not None:
            theme = theme_named(request.theme, colour_blind=self._preferences.settings.colour_blind)
        size = (round(request.width * request.scale), round(request.height * request.scale))
        large = size[0] * size[1] > AT_ONCE
        # A picture waits for what the window shows as soon as it is there.
        whole = self._answers.whole_analysis
        seen = replace(self._cameras.seen, analysis=whole, theme=theme, sweep=self._motion.whole_sweep)
        tiles = expose_still(
            seen,
            request.width,
            request.height,
            request.scale,
            request.transparent,
            context=self._context,
            tile=TILE if large else None,
        )
        document = self._work.document
        text = write(seen.scene, replace(self._steps.kept_view, hover=None), ascii_only=True)
        # Started from a menu, the current folder may be one where nothing can be written.
        here = Path.cwd() if os.access(Path.cwd(), os.W_OK) else Path.home()
        folder, name = here, document.scene.name or "separatrix"
        if document.path is not None:
            folder, name = document.path.parent, document.path.stem
        unnamed = folder / ((re.sub(r"[^\w.-]+", "-", name).strip("-.") or "separatrix") + ".png")

        def develop(picture: Image.Image) -> str:
            data = png_bytes(picture, text)
            if request.path is None:
                return f"Screenshot written: {write_numbered(unnamed, data)}"
            write_atomic(request.path, data)
            return f"Screenshot written: {request.path}"

        self.darkroom.begin(tiles, develop)
        if not large:
            self._tell(self.darkroom.finish())

    def work(self) -> None:
        """Goes on with a picture that is being taken, once for each frame."""
        if self.share is not None:
            self._tell(self.darkroom.work(PICTURE_SECONDS))

    def _tell(self, outcome: Outcome | None) -> None:
        self._drawn()
        if outcome is not None:
            self._notices.notify(outcome.message, error=outcome.error)

    def cancel(self) -> None:
        """Gives up the screenshot that is being taken."""
        if self.darkroom.cancel():
            self._tell(Outcome("No screenshot was taken."))
