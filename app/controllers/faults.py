"""Catches faults of the program in an action, shows a sentence with a report, and restores the work.

An action is an event of the window, a request of a panel, a check of the disk or a part of the frame. When it raises,
the work is restored as before the action. A fault that repeats in every frame is shown once. The other parts of a frame
are still drawn. After a fault the next frame waits, and anything that runs by itself (playing steps, a motion, a
picture in progress, a drag) is stopped.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from core.scene import Scene

from ..io.fault_report import keep_report, report
from ..io.presets import default_scene
from ..render import Context
from ..state.work import Document, Work
from .autosaves import Autosaves
from .background import AnswerCache
from .notices import Notices

if TYPE_CHECKING:
    from ..storage.doctor import Graphics

UNCHANGED_SENTENCE = "The work is as it was before."


class Faults:
    """Shows and records faults of the program."""

    def __init__(self, work: Work, notices: Notices, autosaves: Autosaves, context: Context) -> None:
        self._context = context
        self._work, self._notices, self._autosaves = work, notices, autosaves
        self._told: dict[tuple[str, str], Scene] = {}
        self._under_way: list[Caught] = []

    def caught(
        self,
        doing: str,
        *,
        rest: str = UNCHANGED_SENTENCE,
        steady: bool = False,
        mend: Callable[[], None] | None = None,
    ) -> Caught:
        """A context for an action that shows a fault and restores the work. `doing`: the beginning of the sentence.

        `rest`: the next sentence. `steady`: the action repeats by itself. `mend`: called after a fault. With `steady`,
        one fault is shown once until the document changes.
        """
        return Caught(self, self._under_way, _Part(doing, self._work.saved_state(), steady), rest, mend)

    @contextmanager
    def doing(self, words: str, *, steady: bool = False) -> Iterator[None]:
        """The context of a part of an action: a fault in it is named by `words`, and only the part is undone.

        The context catches nothing; that of the action does. `steady`: as in `caught`. Outside an action the context
        does nothing.
        """
        if not self._under_way:
            yield
            return
        caught = self._under_way[-1]
        before, caught.part = caught.part, _Part(words, self._work.saved_state(), steady)
        yield
        caught.part = before

    def put_back(self, work: Work) -> None:
        """Restores the work, without the preview of a drag, and saves it for recovery."""
        self._work.put_back(work)
        with suppress(Exception):  # saving may be what failed
            self._autosaves.keep()

    def tell(self, doing: str, error: Exception, rest: str = UNCHANGED_SENTENCE, *, steady: bool = False) -> str:
        """Shows a sentence with a report to copy, and writes the report to the file of faults; returns the report.

        `steady`: shows and writes the same fault only once for each committed scene. `doing`: the part that failed,
        which begins the sentence; `rest`: a sentence that follows.
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
        from ..render.context import renderer_words

        with suppress(Exception):  # GL may be what failed
            return {"window": renderer_words(self._context)}
        return {"window": "!GL answers no more"}


class _Part(Struct, frozen=True, eq=False):
    """An attempt: its name as a sentence begins, the work before it, and whether it is tried again by itself."""

    doing: str
    work: Work
    steady: bool


class Caught:
    """The context of one action; `part`: the part of it that is under way; `failed` is set after a fault."""

    __slots__ = ("_faults", "_mend", "_rest", "_under_way", "failed", "part")

    def __init__(
        self, faults: Faults, under_way: list[Caught], part: _Part, rest: str, mend: Callable[[], None] | None
    ) -> None:
        """`under_way`: the actions that have begun and not ended. `rest`, `mend`: as in `Faults.caught`."""
        self._faults, self._under_way, self.part = faults, under_way, part
        self._rest, self._mend = rest, mend
        self.failed = False

    def __enter__(self) -> Caught:
        self._under_way.append(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        self._under_way.pop()
        if not isinstance(error, Exception):
            return False
        self.failed = True
        self._faults.tell(self.part.doing, error, self._rest, steady=self.part.steady)
        self._faults.put_back(self.part.work)
        if self._mend is not None:
            self._mend()
        return True


def _place(error: Exception) -> str:
    """The error's type and place, which are the same for the same fault."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = "" if trace is None else f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
    return f"{type(error).__name__} {where}"


AFTER_FAULT = 1.0
"""Seconds from a frame with a fault until the next, if no event comes before."""
KEPT_SENTENCE = "The work is kept. Undo the last change, or look at something else."
SHUT = "It stays closed until the scene, the step or the view changes."


class SafeFrame:
    """Handles faults in the parts of a frame."""

    def __init__(
        self,
        work: Work,
        faults: Faults,
        answers: AnswerCache,
        look: Callable[[], object],
        rest: Callable[[], None],
        blank: Callable[[], None],
    ) -> None:
        """`look`: computes the answers that the panels and the picture need; it may raise.

        `rest`: stops what runs by itself. `blank`: clears the viewport.
        """
        self._work, self._faults, self._answers = work, faults, answers
        self._look, self._rest, self._blank = look, rest, blank
        self._good = work.saved_state()
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
        """A context for a part of the frame; a fault is shown once, then `mend` is called.

        `doing`: as for `Faults.tell`.
        """

        def rest() -> None:
            self._rest()
            self._work.motion_playing, self._work.playback = False, replace(self._work.playback, playing=False)
            if mend is not None:
                mend()

        self._parts.append(self._faults.caught(doing, rest=KEPT_SENTENCE, steady=True, mend=rest))
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
            self._good = self._work.saved_state()
        return None

    def _back_to_good(self) -> None:
        """Restores the last good frame's work, else a simpler view of it, else the first scene.

        Raises the error of the last of them if all fail.
        """
        first, plain = default_scene().scene, self._good.with_default_view()
        for work in (self._good, plain, replace(plain, document=Document.new(first), opened=first)):
            self._faults.put_back(work)
            with suppress(Exception):  # try the next, simpler work
                self._look()
                return
        self._look()
