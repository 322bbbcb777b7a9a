"""The part of the workbench that shows motion: the swept answer, as soon as it is there, and the clock that plays it.

While a body or its arrow is dragged the answer is computed anew in every frame only as long as that is quick; where it
is not, it waits for the release, and the panels say so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from core.query.query import Query

from ..state.document import Document
from ..state.motion_times import DistanceCurve, distances_looked_at, moves, shown_time
from ..state.playback import Playback
from ..state.settings import Settings
from .predicting import Predicting
from .sweeping import Sweeps

if TYPE_CHECKING:
    from core.analysis.motion_answers import SweepAnswer

SLICE = 0.004
"""Seconds of a frame that go to the curve of the distance over time."""
DRAG_SLICE = 0.0007
"""The same while something is dragged."""
LOOK_AGAIN = 0.03
"""Seconds between two looks at whether a thread has the answer."""
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
        self._sweeps = Sweeps()
        self._curve: DistanceCurve | None = None
        self._continued: tuple[Query, SweepAnswer | None, Query] | None = None
        self._to_come: tuple[int, Playback] | None = None
        self._motion_clock: float | None = None

    @property
    def motion_shown(self) -> bool:
        """Whether the motion of the scene's bodies is shown."""
        return self.view.shows_motion(self.document.scene)

    @property
    def sweep(self) -> SweepAnswer | None:
        """When the bodies first meet, by every method; None while no motion is shown, there is none, or it waits."""
        return self._sweeps.about(self.document.scene, dragging=self._dragged) if self._wanted else None

    @property
    def whole_sweep(self) -> SweepAnswer | None:
        """The same, waited for."""
        return self._sweeps.whole(self.document.scene) if self._wanted else None

    def continued(self, query: Query, *, whole: bool = False) -> Query:
        """With the steps of every method about the motion, where that is shown; the same one for the same answers."""
        sweep = self.whole_sweep if whole else self.sweep
        known = self._continued
        if sweep is None:
            return query
        if known is None or known[0] is not query or known[1] is not sweep:
            # Imported with the first motion: nothing of it is wanted at the start.
            from core.query.motion_steps import with_motion

            known = self._continued = query, sweep, with_motion(query, sweep)
        return known[2]

    def begin(self, step: int) -> None:
        """As ever; at a step of the motion, whose answer is not there yet, as soon as that is there."""
        self._to_come = None
        if self.sweep_waits and step > (known := len(self._counted().moments)):
            super().begin(known)
            self._to_come = step, self.playback
        else:
            super().begin(step)

    def _come(self) -> None:
        """Goes to the step that was waited for, unless somebody has gone elsewhere."""
        if self._to_come is None or self.sweep_waits:
            return
        (step, left), self._to_come = self._to_come, None
        if self.playback == left:
            super().begin(step)

    @property
    def _wanted(self) -> bool:
        scene = self.document.scene
        return self.motion_shown and (moves(scene.a) or moves(scene.b))

    @property
    def _dragged(self) -> bool:
        return self.document.preview is not None

    @property
    def sweep_waits(self) -> bool:
        """Whether the answer is not there yet: too slow for a drag it waits for the release, then for its slices."""
        return self._wanted and self.sweep is None and not self._sweeps.knows(self.document.scene)

    @property
    def curve(self) -> DistanceCurve | None:
        """The distance over time as far as it has been looked at; None without an answer, or unseen."""
        found = self.sweep
        if found is None or not self.settings.panels:
            self._curve = None
        elif self._curve is None or self._curve.motion is not found.motion:
            self._curve = DistanceCurve(found.motion, distances_looked_at(found))
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
        """Takes what is due of both clocks: the steps' and the motion's; and goes on with the answer and the curve."""
        super().play_on(now)
        if self._wanted:
            self._sweeps.go_on(self.document.scene, dragging=self._dragged)
        self._come()
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
        if self.sweep_waits and self._sweeps.in_slices:
            waits.append(0.0)
        elif self.sweep_waits and self._sweeps.in_thread:
            waits.append(LOOK_AGAIN)
        return min((wait for wait in waits if wait is not None), default=None)
