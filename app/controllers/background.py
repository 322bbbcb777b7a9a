"""Computes answers that take longer than a frame: in a thread, or in slices of work in each frame.

The scene and the answers are immutable, so a thread shares only what it is given and returns. numpy releases the
interpreter's lock while it works on large arrays, as the answers about a pair need. The answer about a motion takes a
second for grazing or deep curved bodies, in small parts of Python code that would block the window from a thread too;
so a slice of it is computed in each frame, and given up when another scene comes. Dense hulls have few, long parts:
their motion is computed in a thread.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from math import inf
from threading import Thread
from time import thread_time
from typing import TYPE_CHECKING, Generic, TypeVar

from msgspec.structs import replace

from core.analysis.analysis import LIMITED, Analysis, analyse, too_slow
from core.analysis.methods import NO_LIMITS
from core.scene import Scene
from core.trace import Parts
from core.verdict import Verdict

from ..state.work import Work

if TYPE_CHECKING:
    from core.analysis.motion_answers import SweepAnswer


Q = TypeVar("Q")
T = TypeVar("T")
NICENESS = 5
"""The niceness added to a computing thread, so that the window has priority."""


QUICK = 0.005
"""The most seconds of an answer in a frame of a drag; more would miss 30 frames a second."""
Clock = Callable[[], float]


class AnswerCache:
    """The answers about the scene to show, cached."""

    def __init__(self, work: Work, clock: Clock = thread_time) -> None:
        """`clock`: the processor time of this thread, seconds, so that other threads' work does not count."""
        self._work = work
        self._clock = clock
        self._seconds = (0.0, 0.0)
        self._known: Analysis | None = None
        self._whole: Analysis | None = None
        self._job: Job[Scene, Analysis] | None = None

    @property
    def analysis(self) -> Analysis:
        """The answers about the scene to show; only the fast ones during a drag, and while the others are computed."""
        return self.about(self._work.scene, dragging=self._work.dragged)

    @property
    def whole_analysis(self) -> Analysis:
        """All answers about the scene to show; waits for them."""
        return self.whole(self._work.scene)

    @property
    def computing(self) -> bool:
        """Whether the slow answers are being computed."""
        return bool(self.analysis.beyond_limits) and not self._work.dragged

    def about(self, scene: Scene, *, dragging: bool) -> Analysis:
        """The answers about `scene`, computed once for each: the fast ones at once, the others once they are ready.

        While `dragging` only the fast ones; slow contacts are replaced by the last ones. A change of the bodies' motion
        needs no new answers.
        """
        known = _about(scene, self._known) or _about(scene, self._whole)
        if known is None:
            known = self._analysed(scene, dragging=dragging)
        if known.limits == LIMITED and not dragging:
            whole = self._in_background(scene) if known.beyond_limits else self._analysed(scene, dragging=False)
            known = known if whole is None else whole
        if not dragging:
            # Each new drag measures the times anew.
            self._seconds = (0.0, self._seconds[1])
        return self._keep(known)

    def whole(self, scene: Scene) -> Analysis:
        """All answers about `scene`; waits for them."""
        known, job = _about(scene, self._known), self._job
        if known is None or known.limits == LIMITED:
            same = job is not None and job.asked.stands_as(scene)
            known = job.outcome().about(scene) if job is not None and same else _complete(scene)
        return self._keep(known)

    def _analysed(self, scene: Scene, *, dragging: bool) -> Analysis:
        """Computes all answers now, so that a method that fails does so here and not in a panel."""
        found = analyse(scene, LIMITED if dragging or too_slow(scene) else NO_LIMITS)
        if found.verdict is Verdict.SEPARATED:
            return found.complete()
        last = None if self._known is None else self._known.contacts
        # Slow twice in a row, as with motion: once may be chance.
        if dragging and last is not None and min(self._seconds) > QUICK:
            return replace(found, earlier=last).complete()
        since = self._clock()
        if found.contacts is not None:
            self._seconds = (self._seconds[1], self._clock() - since)
        return found.complete()

    def _keep(self, known: Analysis) -> Analysis:
        self._known = known
        if known.limits == NO_LIMITS:
            self._whole = known
        return known

    def _in_background(self, scene: Scene) -> Analysis | None:
        """All answers about `scene`; None while they are computed.

        One job runs at a time, for the scene asked about last.
        """
        job = self._job
        if job is None or (job.done and not job.asked.stands_as(scene)):
            job = self._job = Job(scene, _complete)
        if not (job.done and job.asked.stands_as(scene)):
            return None
        self._job = None
        return job.outcome().about(scene)


def _about(scene: Scene, known: Analysis | None) -> Analysis | None:
    """The known answers for `scene`; None if there are none or they are about other bodies or poses."""
    if known is None or not known.scene.stands_as(scene):
        return None
    return known if known.scene == scene else known.about(scene)


def _complete(scene: Scene) -> Analysis:
    return analyse(scene).complete()


class Job(Generic[Q, T]):
    """A thread that computes `work(asked)`."""

    def __init__(self, asked: Q, work: Callable[[Q], T], niceness: int = NICENESS, *, daemon: bool = True) -> None:
        """`niceness`: the niceness added to the thread, on Linux.

        `daemon`: the program may end while it runs; else it waits.
        """
        self.asked = asked
        self._niceness = niceness
        self._work = work
        self._answers: list[T] = []
        self._error: BaseException | None = None
        self._thread = Thread(target=self._run, name=getattr(work, "__name__", "answer"), daemon=daemon)
        self._thread.start()

    @property
    def done(self) -> bool:
        """Whether the thread has ended, with an answer or an error."""
        return not self._thread.is_alive()

    def within(self, seconds: float) -> bool:
        """Waits up to `seconds`; returns whether the job is done."""
        self._thread.join(seconds)
        return self.done

    def outcome(self) -> T:
        """The answer; waits for it. Raises the exception of the computation, or RuntimeError if there is neither."""
        self._thread.join()
        if not self._answers:
            raise self._error or RuntimeError("the computation ended without an answer")
        return self._answers[0]

    def _run(self) -> None:
        if sys.platform == "linux":  # elsewhere a thread has no niceness of its own
            os.nice(self._niceness)
        try:
            self._answers.append(self._work(self.asked))
        except BaseException as error:  # raised again by `outcome`
            self._error = error


ANSWER_SECONDS = 0.02
"""The most seconds of a frame for an answer. A drag has them too, since an answer that comes and goes from frame to
frame would flicker; but after two slow answers in a row, or one that is not finished, the drag begins no other."""


class Sweeps:
    """The answers about motions, one scene after another."""

    def __init__(self, clock: Clock = thread_time) -> None:
        """`clock`: the processor time of this thread, seconds, so that other threads' work does not count."""
        self._clock = clock
        self._known: tuple[Scene, SweepAnswer | None] | None = None
        self._work: _Work | None = None
        self._job: Job[Scene, SweepAnswer | None] | None = None
        self._seconds = (0.0, 0.0)

    def about(self, scene: Scene, *, dragging: bool) -> SweepAnswer | None:
        """The answer about `scene` (compared by identity); None while it is not ready, and if neither body moves.

        A new scene gets its first slice at once; `go_on` computes the others. While `dragging` no slow answer is begun.
        """
        if self.knows(scene):
            return self._answer
        if too_slow(scene):
            return None if dragging else self._from_thread(scene)
        if self._work is None or self._work.scene is not scene:
            self._work = None
            if not (dragging and self.slow):
                self._work = _Work(scene)
                self.go_on(scene, dragging=dragging)
        return self._answer if self.knows(scene) else None

    def knows(self, scene: Scene) -> bool:
        """Whether the answer about `scene` is ready."""
        return self._known is not None and self._known[0] is scene

    @property
    def slow(self) -> bool:
        """Whether the last two answers took longer than QUICK; one alone may be chance."""
        return min(self._seconds) > QUICK

    @property
    def in_slices(self) -> bool:
        """Whether an answer is being computed in slices."""
        return self._work is not None

    @property
    def in_thread(self) -> bool:
        """Whether a thread computes an answer."""
        return self._job is not None

    def go_on(self, scene: Scene, *, dragging: bool) -> None:
        """Computes the next slice of the answer about `scene`, if it was begun; called once a frame."""
        work = self._work
        if work is None or work.scene is not scene:
            return
        first = work.seconds == 0.0
        done = work.go_on(self._clock, ANSWER_SECONDS)
        if done:
            self._work, self._known = None, (work.scene, work.answer)
            # Each new drag measures the times anew.
            self._seconds = (self._seconds[1] if dragging else 0.0, work.seconds)
        elif dragging and first:
            self._seconds = (inf, inf)

    def whole(self, scene: Scene) -> SweepAnswer | None:
        """The answer about `scene`; waits for it. None if neither body moves."""
        if not self.knows(scene):
            from core.analysis.motion_answers import sweep

            job = self._job
            answer = job.outcome() if job is not None and job.asked is scene else sweep(scene)
            self._work, self._known = None, (scene, answer)
        return self._answer

    @property
    def _answer(self) -> SweepAnswer | None:
        return None if self._known is None else self._known[1]

    def _from_thread(self, scene: Scene) -> SweepAnswer | None:
        """The answer of a thread; None while it is not ready, and if neither body moves.

        One job runs at a time, for the scene asked about last.
        """
        self._work = None
        job = self._job
        if job is None or (job.asked is not scene and job.done):
            from core.analysis.motion_answers import sweep

            job = self._job = Job(scene, sweep)
            # An answer that is quick after all is shown at once.
            job.within(QUICK)
        if job.asked is not scene or not job.done:
            return None
        self._job, self._known = None, (scene, job.outcome())
        return self._answer


class _Work:
    """An answer that is being computed in parts. `seconds`: the time spent on it so far."""

    def __init__(self, scene: Scene) -> None:
        from core.analysis.motion_answers import sweep_in_parts

        self.scene = scene
        self.seconds = 0.0
        self.answer: SweepAnswer | None = None
        self._parts: Parts[SweepAnswer | None] = sweep_in_parts(scene)

    def go_on(self, clock: Clock, seconds: float) -> bool:
        """Works for up to `seconds`, at least on one part; returns whether the answer is ready."""
        since = clock()
        while True:
            try:
                next(self._parts)
            except StopIteration as end:
                self.answer = end.value
                self.seconds += clock() - since
                return True
            if (spent := clock() - since) >= seconds:
                self.seconds += spent
                return False
