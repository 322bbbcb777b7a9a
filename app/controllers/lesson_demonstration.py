"""The animation of "Show me": an eased move from the learner's state to the state that reaches the goals."""

from __future__ import annotations

from math import acos, hypot, pi, sin
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from core.geometry.quaternion import Quaternion
from core.geometry.triple import Triple
from core.scene import Body, Scene

from ..draw.between import eased
from ..state.lesson import Lesson, LessonStep

if TYPE_CHECKING:
    from ..lessons.situation import Situation

MOVE_SECONDS = 0.7
"""The duration of the move, in seconds."""
NEARLY_ONE = 1.0 - 1e-9
"""Two unit vectors with a larger cosine count as one direction, without an arc between them."""


class DemonstrationPose(Struct, frozen=True):
    """The moving state: the scene, the free axis if there is one, and the time of the motion if it changes."""

    scene: Scene
    free: Triple | None = None
    time: float | None = None


class Demonstration(Struct):
    """A move from `start` to `end`. `since`: the time of its first frame, seconds; None before it."""

    start: DemonstrationPose
    end: DemonstrationPose
    since: float | None = None

    def at(self, now: float) -> DemonstrationPose | None:
        """The state at `now`, seconds; None from the move's end on. The first call starts the move."""
        self.since = now if self.since is None else self.since
        share = (now - self.since) / MOVE_SECONDS
        return None if share >= 1.0 else pose_between(self.start, self.end, eased(share))


def demonstrated(situation: Situation, step: LessonStep) -> tuple[Situation, Demonstration]:
    """The situation after a step's solution, and the move to it. Raises ValueError as `applied` does."""
    from ..lessons.solution import applied

    end = situation
    for action in step.solution:
        end = applied(end, action)
    timed = end.view.time != situation.view.time
    start, stop = (
        DemonstrationPose(each.scene, each.view.free, each.time if timed else None) for each in (situation, end)
    )
    return end, Demonstration(start, stop)


def shown_later(lesson: Lesson, number: int, situation: Situation) -> list[Situation]:
    """The scenes a step's cameras must show besides `situation`: its solution's end, a next step with the same cameras.

    Raises ValueError as `applied` and `opening_situation` do.
    """
    from ..lessons.situation import opening_situation

    end = demonstrated(situation, lesson.steps[number])[0]
    found = [end] if (end.scene, end.view.free) != (situation.scene, situation.view.free) else []
    following = lesson.steps[number + 1 : number + 2]
    return found + [opening_situation(lesson, step, situation.scene) for step in following if step.keeps_camera]


def pose_between(start: DemonstrationPose, end: DemonstrationPose, share: float) -> DemonstrationPose:
    """The state at a share of the way, 0 to 1: bodies move straight and turn the shorter way, axes on a great circle.

    A free axis or a time that `start` or `end` lacks is the end's.
    """
    scene = replace(
        end.scene,
        a=_body_between(start.scene.a, end.scene.a, share),
        b=_body_between(start.scene.b, end.scene.b, share),
    )
    free, time = end.free, end.time
    if start.free is not None and end.free is not None:
        x, y, z = arc(start.free, end.free, share)
        free = x, y, z
    if start.time is not None and end.time is not None:
        time = start.time + share * (end.time - start.time)
    return DemonstrationPose(scene, free, time)


def _body_between(start: Body, end: Body, share: float) -> Body:
    turn = (end.angle - start.angle + pi) % (2.0 * pi) - pi
    return replace(
        end,
        position=_line(start.position, end.position, share),
        rotation=_turned(start.rotation, end.rotation, share),
        angle=start.angle + share * turn,
        displacement=_line(start.displacement, end.displacement, share),
        angular_displacement=_line(start.angular_displacement, end.angular_displacement, share),
    )


def _line(start: Triple, end: Triple, share: float) -> Triple:
    x, y, z = (p + share * (q - p) for p, q in zip(start, end, strict=True))
    return x, y, z


def _turned(start: Quaternion, end: Quaternion, share: float) -> Quaternion:
    # A quaternion and its negative are one rotation: the nearer of the two is the shorter way.
    sign = 1.0 if sum(p * q for p, q in zip(start, end, strict=True)) >= 0.0 else -1.0
    w, x, y, z = arc(start, tuple(sign * q for q in end), share)
    return w, x, y, z


def arc(start: tuple[float, ...], end: tuple[float, ...], share: float) -> tuple[float, ...]:
    """The unit vector at a share of the great circle's arc between the unit vectors `start` and `end`.

    Between opposite vectors the arc goes through a vector at right angles to both.
    """
    cosine = sum(p * q for p, q in zip(start, end, strict=True))
    if cosine > NEARLY_ONE:
        return end
    if cosine < -NEARLY_ONE:
        middle = _across(start)
        return arc(start, middle, 2.0 * share) if share < 0.5 else arc(middle, end, 2.0 * share - 1.0)
    angle = acos(cosine)
    near, far = sin((1.0 - share) * angle) / sin(angle), sin(share * angle) / sin(angle)
    return tuple(near * p + far * q for p, q in zip(start, end, strict=True))


def _across(unit: tuple[float, ...]) -> tuple[float, ...]:
    """A unit vector at right angles to `unit`, in the plane of its first two parts unless these are zero."""
    x, y, *rest = unit
    size = hypot(x, y)
    return (-y / size, x / size, *(0.0 for _ in rest)) if size > 0.0 else (1.0, 0.0, *(0.0 for _ in rest))
