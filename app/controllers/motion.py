"""How the motion is shown: the swept answer, as soon as it is there, and the clock that plays it.

While a body or its arrow is dragged the answer is computed anew in every frame only as long as that is quick; where it
is not, it waits for the release, and the panels say so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from core.query.query import Query

from ..state.motion_times import DistanceCurve, distances_looked_at, moves, shown_time
from ..state.work import Work
from .preferences import Preferences
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


class Motion:
    """The bodies' motion. Nothing is computed while none is shown."""

    def __init__(self, work: Work, preferences: Preferences) -> None:
        self._work, self._preferences = work, preferences
        self._sweeps = Sweeps()
        self._curve: DistanceCurve | None = None
        self._continued: tuple[Query, SweepAnswer | None, Query] | None = None
        self._clock: float | None = None

    @property
    def shown(self) -> bool:
        """Whether the motion of the scene's bodies is shown."""
        return self._work.view.shows_motion(self._work.scene)

    @property
    def seen(self) -> bool:
        """Whether it is shown, and there is any."""
        scene = self._work.scene
        return self.shown and (moves(scene.a) or moves(scene.b))

    @property
    def sweep(self) -> SweepAnswer | None:
        """When the bodies first meet, by every method; None while no motion is shown, there is none, or it waits."""
        return self._sweeps.about(self._work.scene, dragging=self._work.dragged) if self.seen else None

    @property
    def whole_sweep(self) -> SweepAnswer | None:
        """The same, waited for."""
        return self._sweeps.whole(self._work.scene) if self.seen else None

    @property
    def sweep_waits(self) -> bool:
        """Whether the answer is not there yet: too slow for a drag it waits for the release, then for its slices."""
        return self.seen and self.sweep is None and not self._sweeps.knows(self._work.scene)

    def continued(self, query: Query, *, whole: bool = False) -> Query:
        """The query with the steps of every method about the motion after it, where that is shown.

        The same one for the same answers; `whole`: these are waited for.
        """
        sweep = self.whole_sweep if whole else self.sweep
        known = self._continued
        if sweep is None:
            return query
        if known is None or known[0] is not query or known[1] is not sweep:
            from core.query.query import with_motion

            known = self._continued = query, sweep, with_motion(query, sweep)
        return known[2]

    @property
    def curve(self) -> DistanceCurve | None:
        """The distance over time as far as it has been looked at; None without an answer, or unseen."""
        found = self.sweep
        if found is None or not self._preferences.settings.panels:
            self._curve = None
        elif self._curve is None or self._curve.motion is not found.motion:
            self._curve = DistanceCurve(found.motion, distances_looked_at(found))
        return self._curve

    def toggle(self) -> None:
        """Shows the motion or hides it."""
        self._work.motion_playing = False
        self._work.view = replace(self._work.view, motion=not self.shown)

    def show_time(self, time: float | None) -> None:
        """Shows the bodies at a time, or where they meet (None); ends the playing."""
        self._work.motion_playing = False
        self._work.view = replace(self._work.view, time=time)

    def toggle_playing(self) -> None:
        """Plays the motion or rests; from the end, and from where the bodies meet by default, it begins anew."""
        self._work.motion_playing = not self._work.motion_playing
        if self._work.motion_playing:
            self._clock = None
            begun = self._work.view.time
            self._work.view = replace(self._work.view, time=0.0 if begun is None or begun >= 1.0 else begun)

    def play_on(self, now: float) -> None:
        """Takes what is due at `now` (seconds) of the motion that plays; goes on with the answer and the curve."""
        work = self._work
        if self.seen:
            self._sweeps.go_on(work.scene, dragging=work.dragged)
        curve = self.curve
        if curve is not None and not curve.complete:
            curve.work(DRAG_SLICE if work.dragged else SLICE)
        if not work.motion_playing:
            return
        if not self.shown:
            work.motion_playing = False
            return
        passed = 0.0 if self._clock is None else now - self._clock
        self._clock = now
        time = min(shown_time(work.view, self.sweep) + passed / PLAYING_TIME, 1.0)
        work.view = replace(work.view, time=time)
        work.motion_playing = time < 1.0

    @property
    def next_in(self) -> float | None:
        """Seconds until the next frame of it; None while nothing plays, and nothing is being computed."""
        if (self._curve is not None and not self._curve.complete) or (self.sweep_waits and self._sweeps.in_slices):
            return 0.0
        if self._work.motion_playing:
            return PACE
        return LOOK_AGAIN if self.sweep_waits and self._sweeps.in_thread else None
