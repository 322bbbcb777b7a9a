"""The bodies' motion as it is looked at: which time is shown, the bodies there, and their distance over time.

Times are fractions of the unit interval. Pure; drawn by overlays/motion.py and the panels of the motion.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from core.geometry.vector import Array
from core.scene import Body, Scene

from .view import View

if TYPE_CHECKING:
    from core.analysis.motion_answers import SweepAnswer
    from core.toi import AdvancementStep, Motion

DIVISIONS = 7
"""The distance is looked at in 2 to this many equal parts of the interval."""


def impact_of(sweep: SweepAnswer | None) -> float | None:
    """When the bodies first meet; None where they do not, or it is not known."""
    return None if sweep is None else sweep.result.time


def shown_time(view: View, sweep: SweepAnswer | None) -> float:
    """The time to show: the chosen one, else that of the impact, else the end."""
    if view.time is not None:
        return view.time
    impact = impact_of(sweep)
    return 1.0 if impact is None else impact


def at_impact(view: View, sweep: SweepAnswer | None) -> bool:
    """Whether the time shown is that of the impact."""
    return impact_of(sweep) is not None and shown_time(view, sweep) == impact_of(sweep)


def moves(body: Body) -> bool:
    """Whether a body is displaced or turned."""
    return any(body.displacement) or any(body.angular_displacement)


def body_at(body: Body, time: float) -> Body:
    """A body of the scene at a time of its motion, in the world."""
    if time == 0.0:
        return body
    x, y, z = (start + time * way for start, way in zip(body.position, body.displacement, strict=True))
    moved = replace(body, position=(x, y, z))
    if not any(body.angular_displacement):
        return moved
    turn_x, turn_y, turn_z = (time * part for part in body.angular_displacement)
    return moved.turned((turn_x, turn_y, turn_z))


def distances_looked_at(sweep: SweepAnswer) -> list[tuple[float, float]]:
    """The times, with the signed distance there, at which conservative advancement has looked at the bodies."""
    return [(step.time, step.distance) for step in advancement_looks(sweep)]


def advancement_looks(sweep: SweepAnswer) -> tuple[AdvancementStep, ...]:
    """The steps of conservative advancement."""
    from core.toi import MotionMethod

    return next((trace.steps for trace in sweep.traces if trace.method is MotionMethod.ADVANCEMENT), ())


def scene_at(scene: Scene, time: float) -> Scene:
    """Both bodies at a time of their motion."""
    return replace(scene, a=body_at(scene.a, time), b=body_at(scene.b, time))


class DistanceCurve:
    """The bodies' signed distance over the unit interval, looked at in slices, coarsely first."""

    def __init__(self, motion: Motion, known: Iterable[tuple[float, float]] = ()) -> None:
        """`known`: times with the distances there, as far as somebody has looked at them before."""
        self.motion = motion
        looks = dict(known)
        self._times: list[float] = sorted(looks)
        self._values: list[float] = [looks[time] for time in self._times]
        self._coming = (time for time in _halvings(DIVISIONS) if time not in looks)
        self.complete = False

    @property
    def points(self) -> tuple[Array, Array]:
        """Times and signed distances so far, in the order of time."""
        return np.array(self._times), np.array(self._values)

    def work(self, seconds: float) -> None:
        """Looks at the bodies at as many more times as fit in, one at least."""
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
    """0, 1, 1/2, 1/4, 3/4 and so on: every multiple of 1 / 2^count in the interval, coarse ones first."""
    yield 0.0
    yield 1.0
    for level in range(1, count + 1):
        for odd in range(1, 1 << level, 2):
            yield odd / (1 << level)
