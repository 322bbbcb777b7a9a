"""The parts of a frame, each with its own end for faults: what can still be drawn is drawn, and the work is kept.

No part is tried again at once after a fault, and what goes on by itself (a run of steps, a motion, a picture that is
being taken, a drag) rests.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from msgspec.structs import replace

from ..io.presets import default_scene
from ..state.document import Document
from ..state.work import Work
from .background import Answers
from .faults import Caught, Faults

AFTER_FAULT = 1.0
"""Seconds after a frame in which something failed until the next, if nothing happens before."""

KEPT = "The work is kept. Undo the last change, or look at something else."
SHUT = "It is shut until the scene, the step or the view changes."


class SafeFrame:
    """What becomes of a frame in which something fails."""

    def __init__(
        self,
        work: Work,
        faults: Faults,
        answers: Answers,
        look: Callable[[], None],
        rest: Callable[[], None],
        blank: Callable[[], None],
    ) -> None:
        """`look`: looks at all that the panels and the picture ask about the scene; it may raise.

        `rest`: ends what goes on by itself. `blank`: empties the viewport.
        """
        self._work, self._faults, self._answers = work, faults, answers
        self._look, self._rest, self._blank = look, rest, blank
        self._good = work.kept()
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
            self._rest()
            self._work.motion_playing, self._work.playback = False, replace(self._work.playback, playing=False)
            if mend is not None:
                mend()

        self._parts.append(self._faults.caught(doing, rest=KEPT, steady=True, mend=rest))
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
        self.picture_failed = blank
        if failed:
            return AFTER_FAULT
        if not self._answers.computing:
            self._good = self._work.kept()
        return None

    def _back_to_good(self) -> None:
        """Back to the work of the last good frame, then to simpler ways to look at it. Raises if all of them fail."""
        first, plain = default_scene().scene, self._good.at_rest()
        for work in (self._good, plain, replace(plain, document=Document.new(first), opened=first)):
            self._faults.put_back(work)
            with suppress(Exception):  # the next one is simpler
                self._look()
                return
        self._look()
