"""The query's steps and the bodies' motion, and the clocks that play them.

During a drag the answer about the motion is computed in every frame while that is quick; if it is slow, it waits for
the release, and the panels say so.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from msgspec.structs import replace

from core.analysis.algorithm_settings import DEFAULT_SETTINGS
from core.gjk.gjk import WarmStart
from core.query.query import MOTION_PHASES, Moment, Phase, Query, query
from core.toi.motion import moves

from ..stages import parts_of, spec_of
from ..state.playback import (
    DistanceCurve,
    Playback,
    SubStepNames,
    advanced,
    at_place,
    at_start,
    distances_looked_at,
    moment_of,
    part_name,
    place_of,
    shown_time,
    toggled,
    undivided,
    within,
)
from ..state.view import TRANSITION_SECONDS, WHOLE, StepPlace, Transition, View, near
from ..state.work import Work
from .background import AnswerCache, Sweeps
from .preferences import Preferences

if TYPE_CHECKING:
    from core.analysis.motion_answers import SweepAnswer

    from ..stages.stage import SubStep


CURVE_SECONDS = 0.004
"""The most seconds of a frame that are spent on the curve of the distance over time."""
DRAG_SLICE = 0.0007
"""The same during a drag."""
LOOK_AGAIN = 0.03
"""Polling interval for a thread's answer, seconds."""
PLAYING_TIME = 4.0
"""The duration of playing the whole motion, in seconds."""
PACE = 1.0 / 60.0
"""Seconds between two frames of a playing motion."""


class MotionControl:
    """The bodies' motion. Nothing is computed while it is not shown."""

    def __init__(self, work: Work, preferences: Preferences) -> None:
        self._work, self._preferences = work, preferences
        self._sweeps = Sweeps()
        self._curve: DistanceCurve | None = None
        self.panel_taught = False
        """Whether a step of a lesson shows the panel Motion, whatever the settings."""
        self._continued: tuple[Query, SweepAnswer | None, Query] | None = None
        self._clock: float | None = None

    @property
    def shown(self) -> bool:
        """Whether the motion of the scene's bodies is shown."""
        return self._work.view.shows_motion(self._work.scene)

    @property
    def moving_shown(self) -> bool:
        """Whether the motion is shown and a body moves."""
        scene = self._work.scene
        return self.shown and (moves(scene.a) or moves(scene.b))

    @property
    def sweep(self) -> SweepAnswer | None:
        """Every method's answer about the motion; None unless it is `moving_shown`, and while the answer is not ready.

        Reading it begins the computation, but during a drag only that of a quick answer.
        """
        return self._sweeps.about(self._work.scene, dragging=self._work.dragged) if self.moving_shown else None

    @property
    def whole_sweep(self) -> SweepAnswer | None:
        """Every method's answer about the motion; waits for it. None unless the motion is `moving_shown`."""
        return self._sweeps.whole(self._work.scene) if self.moving_shown else None

    @property
    def sweep_waits(self) -> bool:
        """Whether the answer is wanted and not ready.

        A slow one waits for a drag's release, then for its slices or its thread.
        """
        return self.moving_shown and self.sweep is None and not self._sweeps.knows(self._work.scene)

    def continued(self, query: Query, *, whole: bool = False) -> Query:
        """The query with the steps about the motion added, if its answer is ready and it is shown.

        Returns the same object for the same answers; `whole`: waits for the answer.
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
        """The distance over time as far as it is sampled; None without an answer, and while no panel shows it."""
        found = self.sweep
        if found is None or not (self._preferences.settings.panels or self.panel_taught):
            self._curve = None
        elif self._curve is None or self._curve.motion is not found.motion:
            self._curve = DistanceCurve(found.motion, distances_looked_at(found))
        return self._curve

    def toggle(self) -> None:
        """Toggles whether the motion is shown; stops playing."""
        self._work.motion_playing = False
        self._work.view = replace(self._work.view, motion=not self.shown)

    def show_time(self, time: float | None) -> None:
        """Shows the bodies at a time, 0 to 1, or for None at the impact, else at the end; stops playing."""
        self._work.motion_playing = False
        self._work.view = replace(self._work.view, time=time)

    def toggle_playing(self) -> None:
        """Plays or pauses the motion. From the end, and while no time is chosen, it begins at t = 0."""
        self._work.motion_playing = not self._work.motion_playing
        if self._work.motion_playing:
            self._clock = None
            begun = self._work.view.time
            self._work.view = replace(self._work.view, time=0.0 if begun is None or begun >= 1.0 else begun)

    def play_on(self, now: float) -> None:
        """Advances the motion, if it plays, to `now` (seconds), and continues the answer and the curve.

        Playing stops at the end of the motion, and if the motion is no longer shown.
        """
        work = self._work
        if self.moving_shown:
            self._sweeps.go_on(work.scene, dragging=work.dragged)
        curve = self.curve
        if curve is not None and not curve.complete:
            curve.work(DRAG_SLICE if work.dragged else CURVE_SECONDS)
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
        """Seconds until the next frame is due; None while nothing plays or is computed."""
        if (self._curve is not None and not self._curve.complete) or (self.sweep_waits and self._sweeps.in_slices):
            return 0.0
        if self._work.motion_playing:
            return PACE
        return LOOK_AGAIN if self.sweep_waits and self._sweeps.in_thread else None


ANIMATION = 0.25
"""The duration, in seconds, of the animation of a sub-step, or of a step of SAT."""
EARLY = 0.004
"""The most seconds by which a frame may come too early and still take its step."""


class Steps:
    """The steps of the query. With a closed timeline nothing is computed until `all` is read."""

    def __init__(self, work: Work, preferences: Preferences, answers: AnswerCache, motion: MotionControl) -> None:
        self._work, self._preferences = work, preferences
        self._answers, self._motion = answers, motion
        self._query: Query | None = None
        self._warm_start: WarmStart | None = None
        self._due: float | None = None
        self._to_come: tuple[int, Playback] | None = None
        self._begun: tuple[object, ...] = ()
        self._parts: tuple[Query, int, tuple[SubStep, ...]] | None = None
        self._moved_since: float | None = None
        self.progress = 1.0
        self._shown: tuple[Query, int, str] | None = None
        self._transition: Transition | None = None
        self._left_since: float | None = None
        self._now = self._stepped = -inf
        self.only: Phase | None = None
        """The only phase that can be stepped through, in a lesson."""
        self.until: Playback | None = None
        """The last place of that phase that can be shown; None for the phase's end."""

    @property
    def query(self) -> Query | None:
        """The query about the scene under the settings; None while the timeline is closed."""
        return self.all if self._work.playback.open else None

    @property
    def all(self) -> Query:
        """The query about the scene, even with a closed timeline; computed once for each scene and its settings.

        It has the motion's steps once their answer is ready.
        """
        return self._motion.continued(self._steps_of_start())

    @property
    def phases(self) -> tuple[Phase, ...]:
        """The phases that have steps, even with a closed timeline."""
        return tuple(phase for phase, _, _ in self.all.phases)

    def _steps_of_start(self) -> Query:
        known, analysis, settings = self._query, self._answers.analysis, self._work.algorithm_settings
        if known is not None and known.analysis is not analysis and known.analysis.same_as(analysis):
            known = self._query = replace(known, analysis=analysis)
        if known is None or known.analysis is not analysis or known.settings != settings:
            before = known if known is not None and known.settings == settings else None
            known = self._query = query(analysis, settings, self._warm_start, before)
            self._warm_start = known.warm_start
        return known

    @property
    def place(self) -> int:
        """The index of the shown moment; 0 while the timeline is closed."""
        asked = self.query
        return 0 if asked is None else place_of(self._work.playback, asked)

    @property
    def moment(self) -> Moment | None:
        """The step shown; None while the timeline is closed."""
        asked = self.query
        return None if asked is None else moment_of(self._work.playback, asked)

    @property
    def part(self) -> str:
        """The shown part of the step; WHOLE while the timeline is closed."""
        asked = self.query
        part = WHOLE if asked is None else part_name(self._work.playback, asked)
        return part if part == WHOLE or part in self.parts_at(self.place) else WHOLE

    def parts_at(self, place: int) -> tuple[str, ...]:
        """The names of the parts of the moment at a place, WHOLE last."""
        return (*(part.name for part in self._divided(place)), WHOLE)

    def _divided(self, place: int) -> tuple[SubStep, ...]:
        asked, known = self.all, self._parts
        if known is None or known[0] is not asked or known[1] != place:
            known = self._parts = asked, place, parts_of(asked, asked.moments[place])
        return known[2]

    @property
    def _animates(self) -> bool:
        """Whether the shown step or part begins with an animation."""
        moment, playback = self.moment, self._work.playback
        # There is no animation that would take more than half of a step's time.
        hurries = playback.playing and playback.speed > 0.5 / ANIMATION
        if moment is None or hurries or not self._preferences.settings.animations:
            return False
        if self.part == WHOLE:
            # After its sub-steps a step has no animation.
            return spec_of(moment.phase).moves and not playback.slow
        return any(part.moves for part in self._divided(self.place) if part.name == self.part)

    @property
    def step_parts(self) -> SubStepNames:
        """The parts by which one step on or back goes: sub-steps if slow, else whole steps."""
        return self.parts_at if self._work.playback.slow else undivided

    def play(self, playback: Playback) -> None:
        """Sets the playback, and stores its speed, loop and slow in the settings.

        A closed timeline stops playing; an open one stays within the phase `only`, and goes no farther than
        `until`, if those are set.
        """
        if not playback.open:
            playback = replace(playback, playing=False)
        elif self.only is not None:
            playback = within(playback, self.only)
            if self.until is not None and self._order(playback) > self._order(self.until):
                playback = replace(playback, index=self.until.index, part=self.until.part, playing=False)
        was, self._work.playback = self._work.playback, playback
        if (was.phase, was.index, was.part) != (playback.phase, playback.index, playback.part):
            self.progress, self._moved_since = 0.0 if self._animates else 1.0, None
            self._leave()
        if not playback.playing or not was.playing or was.speed != playback.speed:
            self._due = None
        settings = self._preferences.settings
        kept = replace(settings, steps_per_second=playback.speed, loop=playback.loop, slow_steps=playback.slow)
        if kept != settings:
            self._preferences.configure(kept)

    def _order(self, playback: Playback) -> tuple[int, int]:
        """A playback's place, and the place of its part in the step: both grow as the timeline goes on."""
        place, part = place_of(playback, self.all), part_name(playback, self.all)
        names = self.parts_at(place)
        return place, names.index(part if part in names else WHOLE)

    def _leave(self) -> None:
        """Ends the transition; begins one from the step or part that was shown, if that is here or next to here.

        A step soon after another one, as while the timeline is scrubbed, is there at once: the picture never lags.
        """
        left, soon = self._shown, self._now - self._stepped < TRANSITION_SECONDS
        self._transition, self._left_since, self._stepped = None, None, self._now
        asked, playback = self.query, self._work.playback
        hurries = playback.playing and playback.speed > 1.0 / TRANSITION_SECONDS
        if asked is None or left is None or left[0] is not asked or soon or hurries:
            return
        _, place, part = left
        alone = self.part != WHOLE and self._animates  # the sub-step has its own animation
        if self._preferences.settings.animations and not alone and near(self.place, place):
            self._transition = Transition(place, part)

    @property
    def transition(self) -> Transition | None:
        """The transition from the step before, while it runs; else None."""
        return self._transition

    def end_transition(self) -> None:
        """Ends the transition from the step before at its end."""
        self._transition = None

    def begin_step(self) -> None:
        """Goes to the first part of the shown step, if steps go by parts."""
        self.play(replace(self._work.playback, part=self.step_parts(place_of(self._work.playback, self.all))[0]))

    def end_animation(self) -> None:
        """Ends the animation and the transition at their ends; the next step may move again."""
        self.progress = 1.0
        self.end_transition()
        self._stepped = -inf

    def toggle_playing(self) -> None:
        """Plays or pauses. Playing opens a closed timeline, and begins anew from the end."""
        self.play(toggled(self._work.playback, self.all, self.step_parts))

    def toggle_timeline(self) -> None:
        """Opens or closes the timeline; the place stays."""
        self.play(replace(self._work.playback, open=not self._work.playback.open))

    def play_on(self, now: float) -> None:
        """Takes the next step of playing if it is due at `now` (seconds), at most one, so that none is skipped.

        Also advances the animation, the transition and the bodies' motion, and goes to a step that was waited
        for, unless the user has moved on.
        """
        self._now = now
        if self._work.playback.playing:
            interval = 1.0 / self._work.playback.speed
            if self._due is None:
                self._due = now + interval
            elif now >= self._due - EARLY:
                late = now - self._due
                self._due = (now if late > interval else self._due) + interval
                self.play(advanced(self._work.playback, self.all, self.step_parts))
        if self.progress < 1.0:
            self._moved_since = now if self._moved_since is None else self._moved_since
            self.progress = min((now - self._moved_since) / ANIMATION, 1.0)
        self._move_on(now)
        self._motion.play_on(now)
        if self._to_come is not None and not self._motion.sweep_waits:
            (step, left), self._to_come = self._to_come, None
            if self._work.playback == left:
                self.begin(step)

    def _move_on(self, now: float) -> None:
        """Advances the transition from the step before, and stores the shown step, from which the next one begins."""
        asked, transition = self.query, self._transition
        if transition is not None and (self._shown is None or self._shown[0] is not asked):
            transition = None
        if transition is not None:
            self._left_since = now if self._left_since is None else self._left_since
            share = (now - self._left_since) / TRANSITION_SECONDS
            transition = replace(transition, share=share) if share < 1.0 else None
        self._transition = transition
        self._shown = None if asked is None else (asked, self.place, self.part)

    def next_in(self, now: float) -> float | None:
        """Seconds until the next frame is due after `now` (seconds); None if none is due.

        None is due while nothing plays or moves and no answer is waited for.
        """
        due = None if self._due is None else max(0.0, self._due - now)
        moves = self.progress < 1.0 or self._transition is not None
        waits = due, self._motion.next_in, PACE if moves else None
        return min((wait for wait in waits if wait is not None), default=None)

    # The view as a file keeps it.

    @property
    def kept_view(self) -> View:
        """The view with the shown step, for a file; with an open timeline waits for all answers.

        Steps are counted under default settings: files store no others.
        """
        view, playback = self._work.view, self._work.playback
        if not playback.open:
            return view
        counted, shown = self._counted(after=playback.phase in MOTION_PHASES), moment_of(playback, self.all)
        at = StepPlace(shown.phase, shown.index + 1, self.part)
        return replace(view, step=place_of(playback, counted) + 1, at=at)

    def begin(self, step: int, at: StepPlace | None = None, about: Phase | None = None) -> None:
        """Sets the playback for a new scene: at a step with the timeline open, or at the start.

        `step`: the step's number, from 1, or 0 for the start; `at`: its place by phase, which outranks the number. A
        step of the motion is shown once its answer is ready. `about`, for the start only: the phase at whose first step
        it is.
        """
        self._begin(step, at, about)
        self._begun = _place(self._work.playback)

    @property
    def stepped(self) -> bool:
        """Whether the timeline is open at another step or part than at the scene's opening, or was closed then."""
        return self._work.playback.open and _place(self._work.playback) != self._begun

    def _begin(self, step: int, at: StepPlace | None, about: Phase | None) -> None:
        self._to_come = None
        if at is not None:
            there = replace(self._work.playback, phase=at.phase, index=at.index - 1, part=at.part)
            self.play(replace(there, open=True, playing=False))
            return
        if not step:
            self.play(at_start(self._work.playback, about))
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
        """The query whose steps files count; `after`: with the motion's steps."""
        whole = self._answers.whole_analysis
        as_shown = self._work.algorithm_settings == DEFAULT_SETTINGS and whole is self._answers.analysis
        counted = self._steps_of_start() if as_shown else query(whole)
        return self._motion.continued(counted, whole=True) if after else counted


def _place(playback: Playback) -> tuple[object, ...]:
    return playback.open, playback.phase, playback.index, playback.part
