"""Faults of the program itself: caught where an action begins, told in a sentence with a report, and the work is kept.

An action is an event of the window, what a panel asked for, a look at the disk or a part of the frame. When one raises,
everything that it changed of the work is put back. What fails by itself in every frame is told once. What of a frame
can still be drawn is drawn. No part of it is tried again at once after a fault, and what goes on by itself (a run of
steps, a motion, a picture that is being taken, a drag) rests.
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
from .background import Answers
from .keeping import Keeping
from .notices import Notices

if TYPE_CHECKING:
    from ..storage.doctor import Graphics

REST = "The work is as it was before."


class Faults:
    """Where faults of the program end."""

    def __init__(self, work: Work, notices: Notices, keeping: Keeping, context: Context) -> None:
        self._context = context
        self._work, self._notices, self._keeping = work, notices, keeping
        self._told: dict[tuple[str, str], Scene] = {}
        self._under_way: list[Caught] = []

    def caught(
        self, doing: str, *, rest: str = REST, steady: bool = False, mend: Callable[[], None] | None = None
    ) -> Caught:
        """Around an action: a fault in it is told, and the work put back. `doing`: what failed, as a sentence begins.

        `rest`: the sentence after it. `steady`: it is tried again by itself. `mend`: what else to do after a fault.
        """
        return Caught(self, self._under_way, _Part(doing, self._work.kept(), steady), rest, mend)

    @contextmanager
    def doing(self, words: str, *, steady: bool = False) -> Iterator[None]:
        """Around a part of an action with a name of its own: a fault in it is told as this, and undone from here on.

        It catches nothing; what is around the action does.
        """
        if not self._under_way:
            yield
            return
        caught = self._under_way[-1]
        before, caught.part = caught.part, _Part(words, self._work.kept(), steady)
        yield
        caught.part = before

    def put_back(self, work: Work) -> None:
        """Makes that the work again, without the preview of a drag, and keeps it on disk."""
        self._work.put_back(work)
        with suppress(Exception):  # keeping it may be the very thing that fails
            self._keeping.keep()

    def tell(self, doing: str, error: Exception, rest: str = REST, *, steady: bool = False) -> str:
        """One sentence to the user, with a report to copy, which also goes into a file; answers with the report.

        `steady`: only once for each committed scene.
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


class _Part(Struct, frozen=True, eq=False):
    """What is being done, as a sentence begins, the work before it, and whether it is tried again by itself."""

    doing: str
    work: Work
    steady: bool


class Caught:
    """The context of one action. `part`: of it, what is being done; `failed` is set after a fault."""

    __slots__ = ("_faults", "_mend", "_rest", "_under_way", "failed", "part")

    def __init__(
        self, faults: Faults, under_way: list[Caught], part: _Part, rest: str, mend: Callable[[], None] | None
    ) -> None:
        """`under_way`: the actions that have begun and not ended."""
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
    """Where an error was raised: the same for the same fault, whatever its words."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = "" if trace is None else f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
    return f"{type(error).__name__} {where}"


AFTER_FAULT = 1.0
"""Seconds after a frame in which something failed until the next, if nothing happens before."""
KEPT = "The work is kept. Undo the last change, or look at something else."
SHUT = "It stays closed until the scene, the step or the view changes."


class SafeFrame:
    """What becomes of a frame in which something fails."""

    def __init__(
        self,
        work: Work,
        faults: Faults,
        answers: Answers,
        look: Callable[[], object],
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
