"""The situation in a lesson's step: the record on which goals are judged, with the learner's actions in it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from math import degrees, hypot

from msgspec import Struct
from msgspec.structs import replace

from core.analysis.algorithm_settings import DEFAULT_SETTINGS, AlgorithmSettings, with_setting
from core.analysis.analysis import Analysis, analyse
from core.analysis.motion_answers import SweepAnswer, sweep
from core.geometry.quaternion import angle_between
from core.geometry.triple import Triple
from core.query.motion_steps import with_motion
from core.query.query import Moment, Phase, Query, query, settings_for
from core.scene import Scene

from ..draw.draw_list import Subject
from ..stages import parts_of
from ..state.lesson import FIRST_GAP, STOP, CameraRule, Lesson, LessonPlace, LessonStep, StepLook
from ..state.playback import STOP as LAST
from ..state.playback import Playback, moment_of, part_name, shown_time
from ..state.prediction import QuestionKind
from ..state.view import WHOLE, View
from ..words.names import row_of


class LearnerActions(Struct, frozen=True):
    """The learner's actions since the step began.

    `chosen`: id of the last option chosen. `answered`: kinds of questions answered rightly. `focus`: label of the axis
    last pinned, or pointed at for POINTING seconds; `visited`: the labels of all such axes. `tries`: finished drags of
    the free axis; `best_try`: the largest separation it has shown. `steps`: the timeline's steps that were shown, by
    phase and number from 1.
    """

    chosen: str = ""
    answered: frozenset[QuestionKind] = frozenset()
    focus: str = ""
    visited: frozenset[str] = frozenset()
    tries: int = 0
    best_try: float | None = None
    steps: frozenset[tuple[Phase, int]] = frozenset()


POINTING = 0.4
"""Seconds of pointing after which an axis counts as looked at."""


class Situation(Struct, frozen=True, eq=False, dict=True):
    """The situation on which goals are judged. `start`: the scene as the step began. `panels`: open panels, by name.

    LOG_SCALE is among the panels while the chart of the bounds has that scale. `find_query` and `find_sweep` return the
    answers about `analysis`' scene under `algorithm_settings`. The window passes functions with cached answers, which
    are called only if a goal needs them; by default they are computed here.
    """

    analysis: Analysis
    start: Scene
    view: View = View()
    playback: Playback = Playback()
    algorithm_settings: AlgorithmSettings = DEFAULT_SETTINGS
    panels: frozenset[str] = frozenset()
    events: LearnerActions = LearnerActions()
    find_query: Callable[[], Query] | None = None
    find_sweep: Callable[[], SweepAnswer | None] | None = None

    @property
    def scene(self) -> Scene:
        """The scene shown."""
        return self.analysis.scene

    @cached_property
    def sweep(self) -> SweepAnswer | None:
        """The answer about the motion; None where neither body moves.

        In the window also None while it is being computed, and while the motion is not shown.
        """
        return sweep(self.scene) if self.find_sweep is None else self.find_sweep()

    @cached_property
    def query(self) -> Query:
        """All steps about the pair under the settings, with those of its motion where the view shows it."""
        if self.find_query is not None:
            return self.find_query()
        found = query(self.analysis, self.algorithm_settings)
        return with_motion(found, self.sweep) if self.view.shows_motion(self.scene) else found

    @property
    def moment(self) -> Moment | None:
        """The step shown; None while the timeline is closed."""
        return moment_of(self.playback, self.query) if self.playback.open else None

    @property
    def part(self) -> str:
        """The sub-step shown; WHOLE at a whole step, and while the timeline is closed."""
        return part_name(self.playback, self.query) if self.playback.open else WHOLE

    @property
    def time(self) -> float:
        """The shown time of the motion, 0 to 1."""
        return shown_time(self.view, self.sweep)

    def moved(self, body: int) -> float:
        """The distance by which A (0) or B (1) was moved since the step began, scene units."""
        return hypot(*self.shift(body))

    def shift(self, body: int) -> Triple:
        """The way by which A (0) or B (1) was moved since the step began, scene units."""
        before, now = self.start.body(body).position, self.scene.body(body).position
        x, y, z = (new - old for old, new in zip(before, now, strict=True))
        return x, y, z

    def turned(self, body: int) -> float:
        """The angle by which A (0) or B (1) was turned since the step began, degrees, 0 to 180."""
        return degrees(angle_between(self.start.body(body).rotation, self.scene.body(body).rotation))


def first_gap(found: Query) -> int | None:
    """The number, from 1, of SAT's first step with a gap; None if no step has one."""
    for moment in found.moments:
        if moment.phase is Phase.SAT and getattr(moment.step, "first_gap", False):
            return moment.index + 1
    return None


def step_number(place: LessonPlace, found: Query) -> int | None:
    """The number, from 1 within its phase, of the step that a place names; None if the query has no such step."""
    count = next((count for phase, _, count in found.phases if phase is place.phase), 0)
    if place.step == STOP:
        return count or None
    if isinstance(place.step, int):
        return place.step if place.step <= count and (not place.part or _has(found, place)) else None
    return first_gap(found) if place.step == FIRST_GAP else first_with(place, found)


def _has(found: Query, place: LessonPlace) -> bool:
    """Whether the step of a numbered place has the sub-step that the place names."""
    moments = (one for one in found.moments if one.phase is place.phase and one.index + 1 == place.step)
    return any(part.name == place.part for moment in moments for part in parts_of(found, moment))


def first_with(place: LessonPlace, found: Query) -> int | None:
    """The number, from 1 within its phase, of the first step with the place's sub-step; None if no step has it."""
    for moment in found.moments:
        if moment.phase is place.phase and any(part.name == place.step for part in parts_of(found, moment)):
            return moment.index + 1
    return None


def playback_at(place: LessonPlace | None, found: Callable[[], Query]) -> Playback:
    """The playback at a place: closed for None, at the phase's first step for a named place that does not exist.

    `found`: computes the query; called only for a place named by another word than STOP.
    """
    if place is None:
        return Playback()
    if place.step == STOP:
        return Playback(open=True, phase=place.phase, index=LAST)
    number = place.step if isinstance(place.step, int) else step_number(place, found())
    part = sub_step_of(place)
    # From a sub-step the arrow keys go on to the next sub-step.
    return Playback(open=True, phase=place.phase, index=(number or 1) - 1, part=part or WHOLE, slow=bool(part))


def sub_step_of(place: LessonPlace) -> str:
    """The sub-step that a place names; "" for a whole step."""
    if place.part:
        return place.part
    return place.step if isinstance(place.step, str) and place.step not in (STOP, FIRST_GAP) else ""


def settings_of(look: StepLook) -> AlgorithmSettings:
    """The algorithms' settings in a step: defaults, the step's settings, and the phase that its timeline shows."""
    settings = DEFAULT_SETTINGS
    for path, value in look.settings:
        settings = with_setting(settings, path, value)
    return settings_for(None if look.timeline is None else look.timeline.phase, settings)


def opening_situation(lesson: Lesson, step: LessonStep, previous: Scene | None) -> Situation:
    """The situation as a step opens; `previous`: the scene that the learner left, for a step that keeps it.

    Raises ValueError if the step keeps a scene and `previous` is None.
    """
    found = None if step.scene is None else lesson.scenes[step.scene]
    scene = previous if found is None else found.scene
    if scene is None:
        raise ValueError(f"the first step, {step.id}, keeps a scene, and there is none before it")
    analysis, settings = analyse(scene), settings_of(step.look)
    base = View() if found is None or found.view is None else found.view
    return Situation(
        analysis=analysis,
        start=scene,
        view=view_of(step.look, base, analysis),
        playback=playback_at(place_of_step(step), lambda: query(analysis, settings)),
        algorithm_settings=settings,
        panels=frozenset(step.look.panels),
    )


def place_of_step(step: LessonStep) -> LessonPlace | None:
    """The place in the timeline at which a step opens: its question's, else its own; None for a closed timeline."""
    return step.ask.place if step.ask is not None and step.ask.place is not None else step.look.timeline


def view_of(look: StepLook, base: View, analysis: Analysis) -> View:
    """The view of a step; `base`: the view of its scene's file, or the previous view. The camera is set elsewhere.

    A focus on an axis that the pair does not have is left out.
    """
    row = None if look.focus is None else row_of(analysis.sat, look.focus)
    return replace(
        base,
        panes=look.panes,
        swapped=look.swapped,
        axis_view=look.axes,
        family=look.family or base.family,
        shown=look.overlays,
        hidden=base.hidden | look.hidden,
        hover=None,
        pin=None if row is None else Subject("axis", row),
        step=0,
        close=look.camera is CameraRule.ORIGIN,
        free=look.free,
        hold=look.hold,
        probe=None,
        motion=base.motion if look.motion is None else look.motion,
        time=base.time if look.time is None else look.time,
    )
