"""When two bodies first meet on their way: the answer about the scene to show, in slices of a frame.

Most answers are there at once. Grazing or deep curved bodies need a second, which would hold up the window; Python's
threads would hold it up as well, for only one of them runs at a time. So the work is done a slice in each frame, and
given up when another scene comes. Dense hulls have few parts, and long ones, in which numpy lets other threads run:
they have a thread.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from time import thread_time
from typing import TYPE_CHECKING

from core.analysis.analysis import too_slow
from core.analysis.motion_answers import sweep, sweep_in_parts
from core.scene import Scene
from core.trace import Parts

from .background import Job

if TYPE_CHECKING:
    from core.analysis.motion_answers import SweepAnswer

QUICK = 0.005
"""Seconds that an answer may take of a frame of a drag: more would miss 30 frames a second."""
SLICE = 0.02
"""Seconds of a frame that go to an answer at most. In a drag, too: what comes and goes from frame to frame would
flicker, so one that is late is still shown; but not two in a row, and after one that is not there no other is begun."""

Clock = Callable[[], float]


class Sweeps:
    """The answers, one scene after another."""

    def __init__(self, clock: Clock = thread_time) -> None:
        """`clock`: processor time of this thread, seconds; other threads' share is no reason to wait."""
        self._clock = clock
        self._known: tuple[Scene, SweepAnswer | None] | None = None
        self._work: _Work | None = None
        self._job: Job[SweepAnswer | None] | None = None
        self._seconds = (0.0, 0.0)

    def about(self, scene: Scene, *, dragging: bool) -> SweepAnswer | None:
        """The answer about `scene` (the same object counts as the same scene), or None while it is not there.

        A new scene has a slice at once; `go_on` has the others. While `dragging` nothing is begun that takes long.
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
        """Whether the answer about `scene` is there."""
        return self._known is not None and self._known[0] is scene

    @property
    def slow(self) -> bool:
        """Whether answers take longer than a frame of a drag may; twice in a row: once may have been a chance."""
        return min(self._seconds) > QUICK

    @property
    def in_slices(self) -> bool:
        """Whether an answer has been begun that the next frames go on with."""
        return self._work is not None

    @property
    def in_thread(self) -> bool:
        """Whether a thread computes one."""
        return self._job is not None

    def go_on(self, scene: Scene, *, dragging: bool) -> None:
        """The next slice of the answer about `scene`, if that has been begun; once for each frame."""
        work = self._work
        if work is None or work.scene is not scene:
            return
        first = work.seconds == 0.0
        done = work.go_on(self._clock, SLICE)
        if done:
            self._work, self._known = None, (work.scene, work.answer)
            # Every drag has a chance of its own.
            self._seconds = (self._seconds[1] if dragging else 0.0, work.seconds)
        elif dragging and first:
            self._seconds = (inf, inf)

    def whole(self, scene: Scene) -> SweepAnswer | None:
        """The answer about `scene`, waited for."""
        if not self.knows(scene):
            job = self._job
            answer = job.outcome() if job is not None and job.scene is scene else sweep(scene)
            self._work, self._known = None, (scene, answer)
        return self._answer

    @property
    def _answer(self) -> SweepAnswer | None:
        return None if self._known is None else self._known[1]

    def _from_thread(self, scene: Scene) -> SweepAnswer | None:
        """One job runs at a time: for the scene that is asked last."""
        self._work = None
        job = self._job
        if job is None or (job.scene is not scene and job.done):
            job = self._job = Job(scene, sweep)
            # What is quick after all is shown at once.
            job.within(QUICK)
        if job.scene is not scene or not job.done:
            return None
        self._job, self._known = None, (scene, job.outcome())
        return self._answer


class _Work:
    """An answer on the way. `seconds`: spent on it so far."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.seconds = 0.0
        self.answer: SweepAnswer | None = None
        self._parts: Parts[SweepAnswer | None] = sweep_in_parts(scene)

    def go_on(self, clock: Clock, seconds: float) -> bool:
        """Works for so long, one part at least; whether the answer is there."""
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
