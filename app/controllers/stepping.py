"""What is shown step by step: the query about the pair, the place in it, and the clock that plays."""

from __future__ import annotations

from abc import ABC, abstractmethod

from msgspec.structs import replace

from core.analysis.analysis import Analysis
from core.analysis.knobs import DEFAULT_KNOBS, Knobs
from core.gjk.gjk import WarmStart
from core.query.query import MOTION_PHASES, Moment, Query, query

from ..state.playback import Playback, advanced, at_place, at_start, moment_of, place_of, toggled
from ..state.view import View

EARLY = 0.004
"""Seconds: a frame that comes this much too soon still takes the step it was drawn for."""


class Stepping(ABC):
    """The half of the workbench that steps. Nothing is computed while the timeline is closed."""

    view: View

    def __init__(self) -> None:
        self.playback = Playback()
        self.knobs: Knobs = DEFAULT_KNOBS
        self._query: Query | None = None
        self._warm_start: WarmStart | None = None
        self._due: float | None = None

    @property
    @abstractmethod
    def analysis(self) -> Analysis:
        """The answers about the scene to show."""

    @property
    def whole_analysis(self) -> Analysis:
        """The same with all that takes long, waited for: steps in a file are counted in these."""
        return self.analysis

    @property
    def query(self) -> Query | None:
        """Every step about the scene to show, under the knobs; None while the timeline is closed."""
        return self.steps if self.playback.open else None

    @property
    def steps(self) -> Query:
        """Every step about the scene to show, whether the timeline is open or not; computed once for each scene."""
        return self.continued(self._steps_of_start())

    def _steps_of_start(self) -> Query:
        known, analysis = self._query, self.analysis
        if known is not None and known.analysis is not analysis and known.analysis.same_as(analysis):
            known = self._query = replace(known, analysis=analysis)
        if known is None or known.analysis is not analysis or known.knobs != self.knobs:
            known = self._query = query(analysis, self.knobs, self._warm_start)
            self._warm_start = known.warm_start
        return known

    def continued(self, query: Query, *, whole: bool = False) -> Query:  # noqa: ARG002 - for Moving
        """The query with what else is stepped through after it; `whole`: with what takes long as well, waited for."""
        return query

    @property
    def place(self) -> int:
        """Number of the moment shown; 0 while the timeline is closed."""
        asked = self.query
        return 0 if asked is None else place_of(self.playback, asked)

    @property
    def moment(self) -> Moment | None:
        """The step shown; None while the timeline is closed."""
        asked = self.query
        return None if asked is None else moment_of(self.playback, asked)

    def play(self, playback: Playback) -> None:
        """Shows another step, or plays, or rests; a closed timeline does not play on unseen."""
        if not playback.open:
            playback = replace(playback, playing=False)
        was, self.playback = self.playback, playback
        if not playback.playing or not was.playing or was.speed != playback.speed:
            self._due = None

    def toggle_playing(self) -> None:
        """Plays or pauses; opens the timeline where it is closed."""
        self.play(toggled(self.playback, self.steps))

    def toggle_timeline(self) -> None:
        """Opens or closes the timeline; where one was is where one goes on."""
        self.play(replace(self.playback, open=not self.playback.open))

    def play_on(self, now: float) -> None:
        """Takes the next step of a run if it is due at `now` (seconds), one at most: none is ever passed over."""
        if not self.playback.playing:
            return
        interval = 1.0 / self.playback.speed
        if self._due is None:
            self._due = now + interval
        elif now >= self._due - EARLY:
            late = now - self._due
            self._due = (now if late > interval else self._due) + interval
            self.play(advanced(self.playback, self.steps))

    def next_step_in(self, now: float) -> float | None:
        """Seconds until the next step of a run; None while nothing plays."""
        return None if self._due is None else max(0.0, self._due - now)

    # What a file keeps.

    @property
    def kept_view(self) -> View:
        """The view with the step shown, for a file. Steps are counted under the default knobs: it keeps no others."""
        if not self.playback.open:
            return self.view
        counted = self._counted(after=self.playback.phase in MOTION_PHASES)
        return replace(self.view, step=place_of(self.playback, counted) + 1)

    def begin(self, step: int) -> None:
        """Another scene has come: at `step` (from 1) with the timeline open, or at the start as it stands (0)."""
        if not step:
            self.play(at_start(self.playback))
            return
        counted = self._counted()
        if step > len(counted.moments):
            counted = self._counted(after=True)
        self.play(replace(at_place(self.playback, counted, step - 1), open=True, playing=False))

    def _counted(self, *, after: bool = False) -> Query:
        """The query whose steps a file counts; `after`: with those that follow it."""
        whole = self.whole_analysis
        counted = self._steps_of_start() if self.knobs == DEFAULT_KNOBS and whole is self.analysis else query(whole)
        return self.continued(counted, whole=True) if after else counted
