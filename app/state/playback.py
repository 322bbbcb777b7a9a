"""The shown step of the query, and the shown time of the bodies' motion, as pure functions.

A playback stores its step as phase and index, which are resolved again for each query: while a body is dragged, a phase
may grow, shrink, vanish or return. A playback at a phase's stop stays at the stop for any length of the phase. A step
may have parts, its sub-steps; the last part is the whole step. Times of the motion are in the unit interval.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.geometry.vector import Array
from core.query.query import Moment, Phase, Query
from core.scene import Body, Scene

from .view import WHOLE, View

if TYPE_CHECKING:
    from core.analysis.motion_answers import SweepAnswer
    from core.toi.advancement import AdvancementStep
    from core.toi.motion import Motion


SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0)
"""The speeds that the control offers, in steps a second."""
STOP = -1
"""The index that means a phase's last step."""


class Playback(Struct, frozen=True):
    """The timeline's state. `open`: the timeline is shown. `phase`, `index`: the wanted step; `STOP` is the last.

    `part`: the wanted part of that step. `speed`: steps a second. `loop`: after the last step playing goes on at the
    first. `slow`: a step forward or back is one part.
    """

    open: bool = False
    phase: Phase = Phase.SAT
    index: int = 0
    part: str = WHOLE
    playing: bool = False
    speed: float = 2.0
    loop: bool = False
    slow: bool = False


SubStepNames = Callable[[int], tuple[str, ...]]
"""Returns the names of the sub-steps of the moment at a place, in order; WHOLE is the last."""


def undivided(_place: int) -> tuple[str, ...]:
    """The parts of a moment without sub-steps."""
    return (WHOLE,)


def place_of(playback: Playback, query: Query) -> int:
    """The place to show, an index of the query's moments: the wanted step, or the nearest before it in this query.

    0 if the query has none before it.
    """
    order = tuple(Phase)
    place = 0
    for phase, first, count in query.phases:
        if phase is playback.phase:
            return first + (count - 1 if playback.index == STOP else min(playback.index, count - 1))
        if order.index(phase) < order.index(playback.phase):
            place = first + count - 1
    return place


def moment_of(playback: Playback, query: Query) -> Moment:
    """The moment to show."""
    return query.moments[place_of(playback, query)]


def part_name(playback: Playback, query: Query) -> str:
    """The wanted part; WHOLE if the shown step is not the wanted one."""
    moment = moment_of(playback, query)
    as_wished = moment.phase is playback.phase and playback.index in (STOP, moment.index)
    return playback.part if as_wished else WHOLE


def at_place(playback: Playback, query: Query, place: int, part: str = WHOLE) -> Playback:
    """The playback at the moment with the index `place`; an index past either end means that end.

    `part`: the wanted part there.
    """
    moment = query.moments[min(max(place, 0), len(query.moments) - 1)]
    index = STOP if moment.last and moment.index else moment.index
    return replace(playback, phase=moment.phase, index=index, part=part)


def at_parting(playback: Playback, query: Query) -> Playback:
    """The open playback at the step where the run in single precision parts from that in double precision.

    If the runs do not part, it is at GJK's first step.
    """
    phase, index = (Phase.GJK, 0) if query.parted is None else (query.parted.phase, query.parted.index)
    return replace(playback, open=True, phase=phase, index=index, part=WHOLE, playing=False)


def within(playback: Playback, phase: Phase) -> Playback:
    """The playback restricted to a phase: unchanged in that phase, else at the phase's nearest end."""
    if playback.phase is phase:
        return playback
    order = tuple(Phase)
    later = order.index(playback.phase) > order.index(phase)
    return replace(playback, phase=phase, index=STOP if later else 0, part=WHOLE, playing=False)


def at_start(playback: Playback, phase: Phase | None = None) -> Playback:
    """The playback for another scene: at the first step of `phase`, or of the query for None; not playing."""
    # In a query without the phase this place resolves to the nearest step before, or to the query's first step.
    return replace(playback, phase=phase or next(iter(Phase)), index=0, part=WHOLE, playing=False)


def scrubbed(playback: Playback, query: Query, place: int) -> Playback:
    """The playback moved by the user to the moment at `place`, which stops playing."""
    return replace(at_place(playback, query, place), playing=False)


def stepped(playback: Playback, query: Query, count: int, parts: SubStepNames = undivided) -> Playback:
    """The playback moved by the user `count` parts forward (back if negative), which stops playing.

    It stays within the query's first and last part.
    """
    place, part = place_of(playback, query), part_name(playback, query)
    names = parts(place)
    number = count + (names.index(part) if part in names else len(names) - 1)
    while number >= len(names) and place + 1 < len(query.moments):
        number, place = number - len(names), place + 1
        names = parts(place)
    while number < 0 and place > 0:
        place -= 1
        names = parts(place)
        number += len(names)
    part = names[min(max(number, 0), len(names) - 1)]
    return replace(at_place(playback, query, place, part), playing=False)


def to_stop(playback: Playback, query: Query) -> Playback:
    """The playback at the next stop of a phase after the shown step, else at the last; stops playing."""
    place = place_of(playback, query)
    stops = [first + count - 1 for _, first, count in query.phases]
    return scrubbed(playback, query, next((stop for stop in stops if stop > place), stops[-1]))


def to_phase(playback: Playback, query: Query, count: int) -> Playback:
    """The playback at the next (`count` 1) or the last previous (-1) first step of a phase; stops playing.

    In the last phase, forward goes to the last step.
    """
    place = place_of(playback, query)
    firsts = [first for _, first, _ in query.phases]
    if count > 0:
        return scrubbed(playback, query, next((first for first in firsts if first > place), len(query.moments) - 1))
    return scrubbed(playback, query, max((first for first in firsts if first < place), default=0))


def with_speed(playback: Playback, count: int) -> Playback:
    """The playback with the speed that is `count` places further in SPEEDS, at most at its ends."""
    nearest = min(range(len(SPEEDS)), key=lambda k: abs(SPEEDS[k] - playback.speed))
    return replace(playback, speed=SPEEDS[min(max(nearest + count, 0), len(SPEEDS) - 1)])


def advanced(playback: Playback, query: Query, parts: SubStepNames = undivided) -> Playback:
    """The playback at the next part while playing. After the last it goes to the first with `loop`, else it stops."""
    if not _ended(playback, query):
        return replace(stepped(playback, query, 1, parts), playing=playback.playing)
    return at_place(playback, query, 0, parts(0)[0]) if playback.loop else replace(playback, playing=False)


def toggled(playback: Playback, query: Query, parts: SubStepNames = undivided) -> Playback:
    """The playback after play or pause. Play opens the timeline, and at the end begins at the first part."""
    if playback.playing:
        return replace(playback, playing=False)
    begun = at_place(playback, query, 0, parts(0)[0]) if _ended(playback, query) else playback
    return replace(begun, open=True, playing=True)


def _ended(playback: Playback, query: Query) -> bool:
    """Whether the last part of the last step is shown."""
    return place_of(playback, query) == len(query.moments) - 1 and part_name(playback, query) == WHOLE


DIVISIONS = 7
"""The distance is sampled at the ends of 2 ** DIVISIONS equal parts of the interval."""


def impact_of(sweep: SweepAnswer | None) -> float | None:
    """The time at which the bodies first meet; None if they do not, or if it is not known."""
    return None if sweep is None else sweep.result.time


def shown_time(view: View, sweep: SweepAnswer | None) -> float:
    """The time to show, 0 to 1: the chosen time, else the impact's, else the end.

    `sweep`: None if no impact is known.
    """
    if view.time is not None:
        return view.time
    impact = impact_of(sweep)
    return 1.0 if impact is None else impact


def at_impact(view: View, sweep: SweepAnswer | None) -> bool:
    """Whether the shown time is exactly the time of impact. False without an impact."""
    return impact_of(sweep) is not None and shown_time(view, sweep) == impact_of(sweep)


def body_at(body: Body, time: float) -> Body:
    """The body at a time of its motion, 0 to 1, in the world."""
    if time == 0.0:
        return body
    x, y, z = (start + time * way for start, way in zip(body.position, body.displacement, strict=True))
    moved = replace(body, position=(x, y, z))
    if not any(body.angular_displacement):
        return moved
    turn_x, turn_y, turn_z = (time * part for part in body.angular_displacement)
    return moved.turned((turn_x, turn_y, turn_z))


def distances_looked_at(sweep: SweepAnswer) -> list[tuple[float, float]]:
    """The times of the steps of conservative advancement, each with the signed distance there."""
    return [(step.time, step.distance) for step in advancement_looks(sweep)]


def advancement_looks(sweep: SweepAnswer) -> tuple[AdvancementStep, ...]:
    """The steps of conservative advancement; none if it was not run."""
    from core.toi import MotionMethod

    return next((trace.steps for trace in sweep.traces if trace.method is MotionMethod.ADVANCEMENT), ())


def scene_at(scene: Scene, time: float) -> Scene:
    """The scene with both bodies at a time of their motion, 0 to 1."""
    return replace(scene, a=body_at(scene.a, time), b=body_at(scene.b, time))


class DistanceCurve:
    """The bodies' signed distance over the unit interval, sampled in slices of work, coarse times first.

    `complete`: all times are sampled.
    """

    def __init__(self, motion: Motion, known: Iterable[tuple[float, float]] = ()) -> None:
        """`known`: times that are already sampled, each with the signed distance there."""
        self.motion = motion
        looks = dict(known)
        self._times: list[float] = sorted(looks)
        self._values: list[float] = [looks[time] for time in self._times]
        self._coming = (time for time in _halvings(DIVISIONS) if time not in looks)
        self.complete = False

    @property
    def points(self) -> tuple[Array, Array]:
        """The times and signed distances so far, (n,) each, in the order of time."""
        return np.array(self._times), np.array(self._values)

    def work(self, seconds: float) -> None:
        """Samples until `seconds` have passed, at least at one time."""
        ends = perf_counter() + seconds
        while not self.complete:
            time = next(self._coming, None)
            if time is None:
                self.complete = True
                return
            place = bisect_left(self._times, time)
            self._times.insert(place, time)
            self._values.insert(place, self.motion.near(time).separation)
            if perf_counter() >= ends:
                return


def _halvings(count: int) -> Iterator[float]:
    """Yields 0, 1, 1/2, 1/4, 3/4 and so on: every multiple of 1 / 2^count in the interval, coarse ones first."""
    yield 0.0
    yield 1.0
    for level in range(1, count + 1):
        for odd in range(1, 1 << level, 2):
            yield odd / (1 << level)
