"""What is shown step by step: the query about the pair, the place in it, and the clock that plays."""

from __future__ import annotations

from msgspec.structs import replace

from core.analysis.knobs import DEFAULT_KNOBS
from core.gjk.gjk import WarmStart
from core.query.query import MOTION_PHASES, Moment, Query, query

from ..state.playback import Playback, advanced, at_place, at_start, moment_of, place_of, toggled
from ..state.view import View
from ..state.work import Work
from .background import Answers
from .motion import Motion
from .preferences import Preferences

EARLY = 0.004
"""Seconds: a frame that comes this much too soon still takes the step it was drawn for."""


class Steps:
    """The query about the pair, step by step. Nothing is computed while the timeline is closed."""

    def __init__(self, work: Work, preferences: Preferences, answers: Answers, motion: Motion) -> None:
        self._work, self._preferences = work, preferences
        self._answers, self._motion = answers, motion
        self._query: Query | None = None
        self._warm_start: WarmStart | None = None
        self._due: float | None = None
        self._to_come: tuple[int, Playback] | None = None

    @property
    def query(self) -> Query | None:
        """Every step about the scene to show, under the knobs; None while the timeline is closed."""
        return self.all if self._work.playback.open else None

    @property
    def all(self) -> Query:
        """Every step about the scene to show, whether the timeline is open or not; computed once for each scene."""
        return self._motion.continued(self._steps_of_start())

    def _steps_of_start(self) -> Query:
        known, analysis, knobs = self._query, self._answers.analysis, self._work.knobs
        if known is not None and known.analysis is not analysis and known.analysis.same_as(analysis):
            known = self._query = replace(known, analysis=analysis)
        if known is None or known.analysis is not analysis or known.knobs != knobs:
            known = self._query = query(analysis, knobs, self._warm_start)
            self._warm_start = known.warm_start
        return known

    @property
    def place(self) -> int:
        """Number of the moment shown; 0 while the timeline is closed."""
        asked = self.query
        return 0 if asked is None else place_of(self._work.playback, asked)

    @property
    def moment(self) -> Moment | None:
        """The step shown; None while the timeline is closed."""
        asked = self.query
        return None if asked is None else moment_of(self._work.playback, asked)

    def play(self, playback: Playback) -> None:
        """Shows another step, or plays, or rests; how fast and whether over and over is kept.

        A closed timeline does not play on unseen.
        """
        if not playback.open:
            playback = replace(playback, playing=False)
        was, self._work.playback = self._work.playback, playback
        if not playback.playing or not was.playing or was.speed != playback.speed:
            self._due = None
        settings = self._preferences.settings
        if (playback.speed, playback.loop) != (settings.steps_per_second, settings.loop):
            self._preferences.configure(replace(settings, steps_per_second=playback.speed, loop=playback.loop))

    def toggle_playing(self) -> None:
        """Plays or pauses; opens the timeline where it is closed."""
        self.play(toggled(self._work.playback, self.all))

    def toggle_timeline(self) -> None:
        """Opens or closes the timeline; where one was is where one goes on."""
        self.play(replace(self._work.playback, open=not self._work.playback.open))

    def play_on(self, now: float) -> None:
        """Takes the next step of a run if it is due at `now` (seconds), one at most: none is ever passed over.

        Then what is due of the motion; and goes to a step that was waited for, unless somebody has gone elsewhere.
        """
        if self._work.playback.playing:
            interval = 1.0 / self._work.playback.speed
            if self._due is None:
                self._due = now + interval
            elif now >= self._due - EARLY:
                late = now - self._due
                self._due = (now if late > interval else self._due) + interval
                self.play(advanced(self._work.playback, self.all))
        self._motion.play_on(now)
        if self._to_come is not None and not self._motion.sweep_waits:
            (step, left), self._to_come = self._to_come, None
            if self._work.playback == left:
                self.begin(step)

    def next_in(self, now: float) -> float | None:
        """Seconds until the next frame of whatever plays; None while nothing does."""
        waits = (None if self._due is None else max(0.0, self._due - now), self._motion.next_in)
        return min((wait for wait in waits if wait is not None), default=None)

    # What a file keeps.

    @property
    def kept_view(self) -> View:
        """The view with the step shown, for a file. Steps are counted under the default knobs: it keeps no others."""
        view, playback = self._work.view, self._work.playback
        if not playback.open:
            return view
        counted = self._counted(after=playback.phase in MOTION_PHASES)
        return replace(view, step=place_of(playback, counted) + 1)

    def begin(self, step: int) -> None:
        """Another scene has come: at `step` (from 1) with the timeline open, or at the start as it stands (0).

        At a step of the motion, whose answer is not there yet, as soon as that is there.
        """
        self._to_come = None
        if not step:
            self.play(at_start(self._work.playback))
            return
        counted, wanted = self._counted(), step
        if step > len(counted.moments):
            if self._motion.sweep_waits:
                step = len(counted.moments)
            else:
                counted = self._counted(after=True)
        self.play(replace(at_place(self._work.playback, counted, step - 1), open=True, playing=False))
        if step != wanted:
            self._to_come = wanted, self._work.playback

    def _counted(self, *, after: bool = False) -> Query:
        """The query whose steps a file counts; `after`: with those that follow it."""
        whole = self._answers.whole_analysis
        as_shown = self._work.knobs == DEFAULT_KNOBS and whole is self._answers.analysis
        counted = self._steps_of_start() if as_shown else query(whole)
        return self._motion.continued(counted, whole=True) if after else counted
