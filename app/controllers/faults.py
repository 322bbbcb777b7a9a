"""Catches faults of the program in an action, shows a sentence with a report, and restores the work.

An action is a command, a request, an event of the window, a check of the disk or a part of the frame. When it raises,
the work is restored as before the action. A fault that repeats in every frame is shown once. The other parts of a frame
are still drawn. After a fault the next frame waits, and anything that runs by itself (playing steps, a motion, a
picture in progress, a drag) is stopped.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING

from msgspec.structs import replace

from core.scene import Scene

from ..io.fault_report import keep_report, report
from ..io.presets import default_scene
from ..render import Context
from ..state.requests import Answer, Invoke, Load, Open, Request, Save, SaveDeck, Screenshot, Step
from ..state.work import Document, Work
from .background import Answers
from .keeping import Keeping
from .notices import Notices

if TYPE_CHECKING:
    from ..storage.doctor import Graphics

REST = "The work is as it was before."


class Faults:
    """Shows and records faults of the program."""

    def __init__(self, work: Work, notices: Notices, keeping: Keeping, context: Context) -> None:
        self._context = context
        self._work, self._notices, self._keeping = work, notices, keeping
        self._told: dict[tuple[str, str], Scene] = {}

    def caught(
        self, doing: str | Request, *, rest: str = REST, steady: bool = False, mend: Callable[[], None] | None = None
    ) -> Caught:
        """A context for an action that shows a fault and restores the work. `doing`: the beginning of the sentence.

        `rest`: the next sentence. `steady`: the action repeats by itself. `mend`: called after a fault.
        """
        return Caught(self, self._work.kept(), doing, rest, steady, mend)

    def put_back(self, work: Work) -> None:
        """Restores the work, without the preview of a drag, and saves it for recovery."""
        self._work.put_back(work)
        with suppress(Exception):  # saving may be what failed
            self._keeping.keep()

    def tell(self, doing: str, error: Exception, rest: str = REST, *, steady: bool = False) -> str:
        """Shows a sentence with a report to copy, and writes the report to the file of faults; returns the report.

        `steady`: shows it only once for each committed scene.
        """
        text = report(doing, error, self._graphics(), self._work.document.scene, self._work.view)
        key, committed = (doing, _place(error)), self._work.document.committed
        if steady and self._told.get(key) is committed:
            return text
        self._told[key] = committed
        sentence = f"{doing} failed because of a fault in the program ({type(error).__name__})."
        self._notices.notify(f"{sentence} {rest}", error=True, report=text)
        log, written = keep_report(text)
        if sys.stderr is not None:
            details = f"The details are in {log}." if written else f"The details could not be written to {log}."
            sys.stderr.write(f"separatrix: {sentence} {details}\n")
        return text

    def _graphics(self) -> Graphics:
        from ..render.context import described

        with suppress(Exception):  # GL may be what failed
            return {"window": described(self._context)}
        return {"window": "!GL answers no more"}


class Caught:
    """The context of one action; `failed` is set after a fault."""

    __slots__ = ("_doing", "_faults", "_mend", "_rest", "_steady", "_work", "failed")

    def __init__(
        self, faults: Faults, work: Work, doing: str | Request, rest: str, steady: bool, mend: Callable[[], None] | None
    ) -> None:
        """`work`: a copy from before the action."""
        self._faults, self._work = faults, work
        self._doing, self._rest, self._steady, self._mend = doing, rest, steady, mend
        self.failed = False

    def __enter__(self) -> Caught:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if not isinstance(error, Exception):
            return False
        self.failed = True
        doing = self._doing if isinstance(self._doing, str) else in_words(self._doing)
        self._faults.tell(doing, error, self._rest, steady=self._steady)
        self._faults.put_back(self._work)
        if self._mend is not None:
            self._mend()
        return True


def in_words(request: Request) -> str:
    """The request's purpose as the beginning of a sentence."""
    match request:
        case Open(path):
            return f"Opening {path.name}"
        case Save(path) | SaveDeck(path):
            return f"Saving {path.name}"
        case Load(_, _, title):
            return f"Showing {title or 'a scene'}"
        case Step():
            return "Showing another entry of the log"
        case Answer():
            return "Acting on the answer"
        case Screenshot():
            return "Taking the picture"
        case Invoke(name):
            return f"The command {name}"
        case _:
            return f"The request {type(request).__name__}"


def _place(error: Exception) -> str:
    """The error's type and place, which are the same for the same fault."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = "" if trace is None else f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
    return f"{type(error).__name__} {where}"


AFTER_FAULT = 1.0
"""Seconds from a frame with a fault until the next, if no event comes before."""
KEPT = "The work is kept. Undo the last change, or look at something else."
SHUT = "It stays closed until the scene, the step or the view changes."


class SafeFrame:
    """Handles faults in the parts of a frame."""

    def __init__(
        self,
        work: Work,
        faults: Faults,
        answers: Answers,
        look: Callable[[], None],
        rest: Callable[[], None],
        blank: Callable[[], None],
    ) -> None:
        """`look`: computes the answers that the panels and the picture need; it may raise.

        `rest`: stops what runs by itself. `blank`: clears the viewport.
        """
        self._work, self._faults, self._answers = work, faults, answers
        self._look, self._rest, self._blank = look, rest, blank
        self._good = work.kept()
        self._parts: list[Caught] = []
        self._picture: Caught | None = None
        self._panels: Caught | None = None
        self.picture_failed = False
        """Whether drawing the picture failed in the last frame."""

    @property
    def panels_failed(self) -> bool:
        """Whether the panels failed in the last frame, so that no question can be asked."""
        return self._panels is not None and self._panels.failed

    def begin(self) -> None:
        """Begins a frame."""
        self._parts.clear()
        self._picture = None

    def part(self, doing: str, mend: Callable[[], None] | None = None) -> Caught:
        """A context for a part of the frame; a fault is shown once, then `mend` is called."""

        def rest() -> None:
            self._rest()
            self._work.motion_playing, self._work.playback = False, replace(self._work.playback, playing=False)
            if mend is not None:
                mend()

        self._parts.append(self._faults.caught(doing, rest=KEPT, steady=True, mend=rest))
        return self._parts[-1]

    def answers(self) -> Caught:
        """A context for the answers; after a fault the last good frame's work is restored, so that it can be drawn."""
        return self.part("Working out the answers", self._back_to_good)

    def panels(self, mend: Callable[[], None]) -> Caught:
        """A context for all panels; a fault in a single panel closes only that panel."""
        self._panels = self.part("Drawing the panels", mend)
        return self._panels

    def picture(self) -> Caught:
        """A context for the picture in the viewport, which is cleared after a fault."""
        self._picture = self.part("Drawing the picture", self._blank)
        return self._picture

    def end(self) -> float | None:
        """Ends the frame; returns the seconds until the next after a fault, else None."""
        failed = any(part.failed for part in self._parts)
        blank = self._picture is not None and self._picture.failed
        self.picture_failed = blank
        if failed:
            return AFTER_FAULT
        if not self._answers.computing:
            self._good = self._work.kept()
        return None

    def _back_to_good(self) -> None:
        """Restores the last good frame's work, else a simpler view of it, else the first scene. Raises if all fail."""
        first, plain = default_scene().scene, self._good.at_rest()
        for work in (self._good, plain, replace(plain, document=Document.new(first), opened=first)):
            self._faults.put_back(work)
            with suppress(Exception):  # try the next, simpler work
                self._look()
                return
        self._look()
