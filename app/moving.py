"""The part of the workbench that shows motion: the swept answer, once for each scene, and the clock that plays it.

While a body or its arrow is dragged the answer is computed anew in every frame only as long as that is quick; where it
is not, it waits for the release, and the panels say so. At rest that of dense hulls comes from a thread.
"""

from __future__ import annotations

from time import thread_time
from typing import TYPE_CHECKING

from msgspec.structs import replace

from core.methods import too_slow
from core.query import Query

from .background import Job
from .document import Document
from .motion_times import DistanceCurve, moves, shown_time
from .predicting import Predicting
from .settings import Settings

if TYPE_CHECKING:
    from core.motion_answers import SweepAnswer
    from core.scene import Scene

QUICK = 0.007
"""Seconds that the answer may take of a frame of a drag: more would miss 30 frames a second."""
SLICE = 0.004
"""Seconds of a frame that go to the curve of the distance over time."""
DRAG_SLICE = 0.0015
"""The same while something is dragged."""
LOOK_AGAIN = 0.03
"""Seconds between two looks at whether the thread has the answer."""
PLAYING_TIME = 4.0
"""Seconds in which the whole motion is played."""
PACE = 1.0 / 60.0
"""Seconds between two frames of a motion that plays."""


class Moving(Predicting):
    """Nothing is computed while no motion is shown."""

    document: Document
    settings: Settings

    def __init__(self) -> None:
        super().__init__()
        self.motion_playing = False
        self._swept: tuple[Scene, SweepAnswer | None] | None = None
        self._sweep_seconds = (0.0, 0.0)
        self._sweep_job: Job[tuple[SweepAnswer | None, float]] | None = None
        self._curve: DistanceCurve | None = None
        self._continued: tuple[Query, SweepAnswer | None, Query] | None = None
        self._motion_clock: float | None = None

    @property
    def motion_shown(self) -> bool:
        """Whether the motion of the scene's bodies is shown."""
        return self.view.shows_motion(self.document.scene)

    @property
    def sweep(self) -> SweepAnswer | None:
        """When the bodies first meet, by every method; None while no motion is shown, there is none, or it waits."""
        scene = self.document.scene
        if not self.motion_shown or not (moves(scene.a) or moves(scene.b)):
            return None
        if self._swept is not None and self._swept[0] is scene:
            return self._swept[1]
        if self.document.preview is not None:
            return None if self._slow else self._keep_sweep(scene, _timed_sweep(scene))
        if not too_slow(scene.a, scene.b):
            return self._keep_sweep(scene, _timed_sweep(scene))
        job = self._sweep_job
        if job is None or (job.scene is not scene and job.done):
            job = self._sweep_job = Job(scene, _timed_sweep)
            # What is quick after all is shown at once.
            job.within(QUICK)
        if job.scene is not scene or not job.done:
            return None
        self._sweep_job = None
        answer, seconds = job.outcome()
        # Of so many vertices once is no chance.
        self._sweep_seconds = (seconds, seconds)
        return self._keep_sweep(scene, (answer, seconds))

    @property
    def whole_sweep(self) -> SweepAnswer | None:
        """The same, waited for."""
        found, scene, job = self.sweep, self.document.scene, self._sweep_job
        if found is not None or not self.sweep_waits:
            return found
        return self._keep_sweep(scene, job.outcome() if job is not None and job.scene is scene else _timed_sweep(scene))

    def continued(self, query: Query, *, whole: bool = False) -> Query:
        """With the steps of every method about the motion, where that is shown; the same one for the same answers."""
        sweep = self.whole_sweep if whole else self.sweep
        known = self._continued
        if sweep is None:
            return query
        if known is None or known[0] is not query or known[1] is not sweep:
            # Imported with the first motion: nothing of it is wanted at the start.
            from core.motion_steps import with_motion

            known = self._continued = query, sweep, with_motion(query, sweep)
        return known[2]

    def _keep_sweep(self, scene: Scene, found: tuple[SweepAnswer | None, float]) -> SweepAnswer | None:
        answer, seconds = found
        self._sweep_seconds = (self._sweep_seconds[1], seconds)
        self._swept = scene, answer
        return answer

    @property
    def _slow(self) -> bool:
        """Whether answers take longer than a frame of a drag may; twice in a row: once may have been a chance."""
        return min(self._sweep_seconds) > QUICK

    @property
    def sweep_waits(self) -> bool:
        """Whether the answer is not there yet: too slow for a drag it waits for its end, and then for a thread."""
        scene = self.document.scene
        if not self.motion_shown or (self._swept is not None and self._swept[0] is scene):
            return False
        if self.document.preview is not None:
            return self._slow
        return self._sweep_job is not None and (moves(scene.a) or moves(scene.b))

    @property
    def curve(self) -> DistanceCurve | None:
        """The distance over time as far as it has been looked at; None without an answer, or unseen."""
        found = self.sweep
        if found is None or not self.settings.panels:
            self._curve = None
        elif self._curve is None or self._curve.motion is not found.motion:
            self._curve = DistanceCurve(found.motion)
        return self._curve

    def toggle_motion(self) -> None:
        """Shows the motion or hides it."""
        self.motion_playing = False
        self.view = replace(self.view, motion=not self.motion_shown)

    def show_time(self, time: float | None) -> None:
        """Shows the bodies at a time, or where they meet (None); ends the playing."""
        self.motion_playing = False
        self.view = replace(self.view, time=time)

    def toggle_motion_playing(self) -> None:
        """Plays the motion or rests; from the end, and from where the bodies meet by default, it begins anew."""
        self.motion_playing = not self.motion_playing
        if self.motion_playing:
            self._motion_clock = None
            begun = self.view.time
            self.view = replace(self.view, time=0.0 if begun is None or begun >= 1.0 else begun)

    def play_on(self, now: float) -> None:
        """Takes what is due of both clocks: the steps' and the motion's; and goes on with the curve."""
        super().play_on(now)
        curve = self.curve
        if curve is not None and not curve.complete:
            curve.work(SLICE if self.document.preview is None else DRAG_SLICE)
        if not self.motion_playing:
            return
        if not self.motion_shown:
            self.motion_playing = False
            return
        passed = 0.0 if self._motion_clock is None else now - self._motion_clock
        self._motion_clock = now
        time = min(shown_time(self.view, self.sweep) + passed / PLAYING_TIME, 1.0)
        self.view = replace(self.view, time=time)
        self.motion_playing = time < 1.0

    def next_step_in(self, now: float) -> float | None:
        """Seconds until the next frame of whatever plays; None while nothing does."""
        waits = [super().next_step_in(now)]
        if self.motion_playing:
            waits.append(PACE)
        if self._curve is not None and not self._curve.complete:
            waits.append(0.0)
        if self.sweep_waits and self.document.preview is None:
            waits.append(LOOK_AGAIN)
        return min((wait for wait in waits if wait is not None), default=None)


def _timed_sweep(scene: Scene) -> tuple[SweepAnswer | None, float]:
    """The answer, and the processor time that it took, seconds: other threads' share is no reason to wait."""
    # Imported with the first motion: nothing of it is wanted at the start.
    from core.motion_answers import sweep

    since = thread_time()
    return sweep(scene), thread_time() - since
