"""The parts of a frame, each with its own end for faults: what can still be drawn is drawn, and the work is kept.

No part is tried again at once after a fault, and what goes on by itself (a run of steps, a motion, a picture that is
being taken, a drag) rests.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ..io.presets import default_scene
from ..render.frame import FrameBuilder
from ..state.document import Document
from ..state.playback import Playback
from ..state.view import View
from .faults import Caught, Work

if TYPE_CHECKING:
    from ..application import Application

AFTER_FAULT = 1.0
"""Seconds after a frame in which something failed until the next, if nothing happens before."""

KEPT = "The work is kept. Undo the last change, or look at something else."
SHUT = "It is shut until the scene, the step or the view changes."


class SafeFrame:
    """What becomes of a frame in which something fails."""

    def __init__(self, app: Application) -> None:
        self._app = app
        self._good = app.faults.work()
        self._parts: list[Caught] = []
        self._picture: Caught | None = None
        self._panels: Caught | None = None
        self.picture_failed = False
        """Whether the picture could not be drawn the last time."""

    @property
    def panels_failed(self) -> bool:
        """Whether the last frame had no panels, so that nothing can be asked."""
        return self._panels is not None and self._panels.failed

    def begin(self) -> None:
        """A new frame."""
        self._parts.clear()
        self._picture = None

    def part(self, doing: str, mend: Callable[[], None] | None = None) -> Caught:
        """Around a part of the frame: a fault in it is told once, then `mend` does what else is to be done."""

        def rest() -> None:
            app = self._app
            app.darkroom.cancel()
            app.hand.let_go()
            app.motion_playing, app.playback = False, replace(app.playback, playing=False)
            if mend is not None:
                mend()

        self._parts.append(self._app.faults.caught(doing, rest=KEPT, steady=True, mend=rest))
        return self._parts[-1]

    def answers(self) -> Caught:
        """Around the answers: without them nothing can be drawn, so the frame goes back to what could be drawn last."""
        return self.part("Working out the answers", self._back_to_good)

    def panels(self, mend: Callable[[], None]) -> Caught:
        """Around the panels as a whole; a fault in a single one shuts that one."""
        self._panels = self.part("Drawing the panels", mend)
        return self._panels

    def picture(self) -> Caught:
        """Around the picture in the viewport, which stays empty after a fault."""
        self._picture = self.part("Drawing the picture", self._blank)
        return self._picture

    def end(self) -> float | None:
        """Seconds until the next frame after a fault in this one; None after none."""
        failed = any(part.failed for part in self._parts)
        blank = self._picture is not None and self._picture.failed
        if blank is not self.picture_failed:
            self.picture_failed = blank
            self._app.window.mark_dirty()
        if failed:
            return AFTER_FAULT
        if not self._app.computing:
            self._good = self._app.faults.work()
        return None

    def look_at_answers(self) -> None:
        """All that the panels and the picture ask about the scene."""
        app = self._app
        _ = app.analysis, app.sweep, app.moment, app.curve, app.asked

    def _back_to_good(self) -> None:
        """Back to the work of the last good frame, then to simpler ways to look at it. Raises if all of them fail."""
        first = default_scene().scene
        plain: Work = {"_view": View(), "playback": Playback(), "motion_playing": False}
        for work in (self._good, self._good | plain, plain | {"document": Document.new(first), "_opened": first}):
            self._app.faults.put_back(work)
            with suppress(Exception):  # the next one is simpler
                self.look_at_answers()
                return
        self.look_at_answers()

    def _blank(self) -> None:
        """An empty viewport: an older picture would show other numbers than the panels."""
        app = self._app
        app.builder = FrameBuilder()
        app.paint_anew()
        with suppress(Exception):  # the graphics may be what failed
            screen = app.context.screen
            screen.use()
            screen.viewport = screen.scissor = (0, 0, *app.window.extent.pixels)
            screen.clear(*app.theme.background_top)
