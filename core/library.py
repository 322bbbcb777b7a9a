"""The questions that a program asks about two bodies, with every argument checked: the core's front door.

Each takes two bodies, or shapes where they stand at the origin, or one scene in place of both. All raise ValueError
with one sentence for what is none, for two half-spaces, and for a shape of the plane beside one of space. Conventions
(units, frames, signs): `core`.
"""

from __future__ import annotations

from enum import StrEnum
from warnings import warn

import numpy as np
from msgspec.structs import replace
from numpy.typing import ArrayLike

from .analysis import analysis, motion_answers
from .analysis.analysis import Analysis
from .analysis.brief import Collision, Distance, collision_of, distance_of
from .analysis.knobs import DEFAULT_KNOBS
from .analysis.motion_answers import SweepAnswer
from .geometry.arguments import triple
from .query.motion_steps import with_motion
from .query.query import Moment, Phase, query
from .rays import raycast as rays
from .scene import Body, Scene
from .shapes import Shape

Given = Scene | Body | Shape


def distance(a: Given, b: Given | None = None) -> Distance:
    """The signed distance of two bodies as they stand, with the points and the direction that prove it."""
    return distance_of(scene_of(a, b))


def collide(a: Given, b: Given | None = None) -> Collision:
    """Whether two bodies meet as they stand, how deep, and where they touch."""
    return collision_of(scene_of(a, b))


class Detail(StrEnum):
    """How much `analyse` computed at once, once. Changes nothing any more: what is not read is not computed."""

    LIVE = "live"
    FULL = "full"
    ANSWER = "answer"


def analyse(a: Given, b: Given | None = None, *, detail: Detail | None = None) -> Analysis:
    """Every answer of every method about two bodies as they stand, held against each other.

    Each is computed when it is first read. `detail` changes nothing, and warns.
    """
    if detail is not None:
        warn("detail changes nothing: each answer is computed when it is read", DeprecationWarning, stacklevel=2)
    return analysis.analyse(scene_of(a, b))


def sweep(a: Given, b: Given | None = None) -> SweepAnswer | None:
    """When two bodies first meet as they move; None where neither moves or turns."""
    return motion_answers.sweep(scene_of(a, b))


def raycast(body: Body | Shape, origin: ArrayLike, direction: ArrayLike) -> rays.RayCast | None:
    """Where the ray `origin + t direction`, t >= 0, world, enters and leaves the body; None if it misses.

    ValueError for a direction of length 0.
    """
    start, way = triple("the origin of a ray", origin), triple("the direction of a ray", direction)
    return rays.raycast(_placed(body), np.array(start), np.array(way))


def steps(a: Given, b: Given | None = None, *, of: str = "") -> tuple[Moment, ...]:
    """What each algorithm does, step by step, in the order of a query, the methods about a motion last.

    `of`: one algorithm's steps alone: `sat`, `gjk`, `epa`, `contacts`, or another of `Phase`, in small letters; `build`
    and `mpr` are run only if asked for so. Those of one that does not apply to the pair are none.
    """
    scene = scene_of(a, b)
    names = [phase.name.lower() for phase in Phase]
    if of and of not in names:
        raise ValueError(f"there are no steps of {of!r}, but of {', '.join(names)}")
    knobs = replace(DEFAULT_KNOBS, build=of == "build", mpr=of == "mpr")
    found = with_motion(query(analysis.analyse(scene), knobs), motion_answers.sweep(scene))
    return tuple(moment for moment in found.moments if of in ("", moment.phase.name.lower()))


def scene_of(a: Given, b: Given | None = None) -> Scene:
    """The scene of two bodies, or the one that is given in place of both."""
    if isinstance(a, Scene):
        if b is not None:
            raise ValueError("a scene has both bodies: it must stand alone")
        return a
    if b is None:
        raise ValueError("a question needs two bodies, or one scene")
    return Scene(_placed(a), _placed(b))


def _placed(given: Given) -> Body:
    if isinstance(given, Scene):
        raise ValueError("a scene has both bodies: it must stand alone")
    return given if isinstance(given, Body) else Body(given)
