"""What is shown step by step and in time: the query about the pair, the bodies' motion, and the clocks that play them.

While a body or its arrow is dragged the answer about the motion is computed anew in every frame only as long as that is
quick; where it is not, it waits for the release, and the panels say so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from core.analysis.knobs import DEFAULT_KNOBS
from core.gjk.gjk import WarmStart
from core.query.query import MOTION_PHASES, Moment, Phase, Query, query

from ..stages import parts_of, spec_of
from ..state.playback import (
    DistanceCurve,
    Parts,
    Playback,
    advanced,
    at_place,
    at_start,
    distances_looked_at,
    moment_of,
    moves,
    part_of,
    place_of,
    shown_time,
    toggled,
    undivided,
    within,
)
from ..state.view import WHOLE, StepPlace, View
from ..state.work import Work
from .background import Answers, Sweeps
from .keeping import Preferences

if TYPE_CHECKING:
    from core.analysis.motion_answers import SweepAnswer

    from ..stages.stage import SubStep


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
        self.panel_taught = False
        """A step of a lesson shows the panel, whatever the settings say."""
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
            from core.query.motion_steps import with_motion

            known = self._continued = query, sweep, with_motion(query, sweep)
        return known[2]

    @property
    def curve(self) -> DistanceCurve | None:
        """The distance over time as far as it has been looked at; None without an answer, or unseen."""
        found = self.sweep
        if found is None or not (self._preferences.settings.panels or self.panel_taught):
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


ANIMATION = 0.25
"""Seconds that the picture of a sub-step takes to come, or the row of a step of SAT."""
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
        self._parts: tuple[Query, int, tuple[SubStep, ...]] | None = None
        self._moved_since: float | None = None
        self.progress = 1.0
        self.only: Phase | None = None
        """The one phase that can be stepped through, in a lesson."""

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
            before = known if known is not None and known.knobs == knobs else None
            known = self._query = query(analysis, knobs, self._warm_start, before)
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

    @property
    def part(self) -> str:
        """The part shown of the step; WHOLE while the timeline is closed."""
        asked = self.query
        part = WHOLE if asked is None else part_of(self._work.playback, asked)
        return part if part == WHOLE or part in self.parts_at(self.place) else WHOLE

    def parts_at(self, place: int) -> tuple[str, ...]:
        """The parts of the moment at a place, WHOLE the last."""
        return (*(part.name for part in self._divided(place)), WHOLE)

    def _divided(self, place: int) -> tuple[SubStep, ...]:
        asked, known = self.all, self._parts
        if known is None or known[0] is not asked or known[1] != place:
            known = self._parts = asked, place, parts_of(asked, asked.moments[place])
        return known[2]

    @property
    def _moves(self) -> bool:
        """Whether the step or the part shown begins with a motion."""
        moment, playback = self.moment, self._work.playback
        # A run that goes on before the motion has been looked at has none.
        hurries = playback.playing and playback.speed > 0.5 / ANIMATION
        if moment is None or hurries or not self._preferences.settings.animations:
            return False
        if self.part == WHOLE:
            # After its sub-steps everything is in its place.
            return spec_of(moment.phase).moves and not playback.slow
        return any(part.moves for part in self._divided(self.place) if part.name == self.part)

    @property
    def unit(self) -> Parts:
        """What one step on or back goes by: parts if slow, else whole steps."""
        return self.parts_at if self._work.playback.slow else undivided

    def play(self, playback: Playback) -> None:
        """Shows another step, or plays, or rests; how fast and whether over and over is kept.

        A closed timeline does not play on unseen.
        """
        if not playback.open:
            playback = replace(playback, playing=False)
        elif self.only is not None:
            playback = within(playback, self.only)
        was, self._work.playback = self._work.playback, playback
        if (was.phase, was.index, was.part) != (playback.phase, playback.index, playback.part):
            self.progress, self._moved_since = 0.0 if self._moves else 1.0, None
        if not playback.playing or not was.playing or was.speed != playback.speed:
            self._due = None
        settings = self._preferences.settings
        kept = replace(settings, steps_per_second=playback.speed, loop=playback.loop, slow_steps=playback.slow)
        if kept != settings:
            self._preferences.configure(kept)

    def begin_step(self) -> None:
        """To the first part of the step shown, if parts are what one goes by."""
        self.play(replace(self._work.playback, part=self.unit(place_of(self._work.playback, self.all))[0]))

    def end_animation(self) -> None:
        """What moves is at once what it comes to."""
        self.progress = 1.0

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
                self.play(advanced(self._work.playback, self.all, self.unit))
        if self.progress < 1.0:
            self._moved_since = now if self._moved_since is None else self._moved_since
            self.progress = min((now - self._moved_since) / ANIMATION, 1.0)
        self._motion.play_on(now)
        if self._to_come is not None and not self._motion.sweep_waits:
            (step, left), self._to_come = self._to_come, None
            if self._work.playback == left:
                self.begin(step)

    def next_in(self, now: float) -> float | None:
        """Seconds until the next frame of whatever plays; None while nothing does."""
        due = None if self._due is None else max(0.0, self._due - now)
        waits = due, self._motion.next_in, PACE if self.progress < 1.0 else None
        return min((wait for wait in waits if wait is not None), default=None)

    # What a file keeps.

    @property
    def kept_view(self) -> View:
        """The view with the step shown, for a file. Steps are counted under the default knobs: it keeps no others."""
        view, playback = self._work.view, self._work.playback
        if not playback.open:
            return view
        counted, shown = self._counted(after=playback.phase in MOTION_PHASES), moment_of(playback, self.all)
        at = StepPlace(shown.phase, shown.index + 1, self.part)
        return replace(view, step=place_of(playback, counted) + 1, at=at)

    def begin(self, step: int, at: StepPlace | None = None) -> None:
        """Another scene has come: at a step with the timeline open, or at the start as it stands.

        `step`: its number, from 1, or 0 for the start; `at`: the same by its phase, which outranks the number. At a
        step of the motion, whose answer is not there yet, as soon as that is there.
        """
        self._to_come = None
        if at is not None:
            there = replace(self._work.playback, phase=at.phase, index=at.index - 1, part=at.part)
            self.play(replace(there, open=True, playing=False))
            return
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
