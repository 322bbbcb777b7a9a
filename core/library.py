"""The questions that a program asks about two bodies, with every argument checked: the core's front door.

Each takes two bodies, or shapes where they stand at the origin, or one scene in place of both. All raise with one
sentence: TypeError for what is no body, ValueError for two half-spaces, for a shape of the plane beside one of space,
and for bodies larger or farther apart than 1e100. Conventions (units, frames, signs): `core`.
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
    """The signed distance of two bodies as they stand, with the points and the direction that prove it.

    `a`, `b`: bodies, or shapes, which stand at the origin; or one scene as `a`.

    Returns the separation (scene units, positive apart, negative overlapping), the unit normal (3,) from A towards B
    and the witness points (3,), world, and how the number is known. Raises ValueError for two half-spaces, for a shape
    of the plane beside one of space, and for bodies larger or farther apart than 1e100; TypeError for what is no body.

    >>> from separatrix.core import Body, Box, Sphere, distance
    >>> found = distance(Box((2, 1, 1)), Body(Sphere(0.5), position=(0, 2, 0)))
    >>> found.separation, found.normal.tolist(), found.certainty.provenance.value
    (1.0, [0.0, 1.0, 0.0], 'exact')
    """
    return distance_of(scene_of(a, b))


def collide(a: Given, b: Given | None = None) -> Collision:
    """Whether two bodies meet as they stand, how deep, and where they touch.

    `a`, `b`, and what is raised: as for `distance`. Returns what is true where they touch or overlap: the depth (scene
    units, positive overlapping), `mtv`, the least move (3,) of B that removes the overlap, and the contacts.

    >>> from separatrix.core import Body, Box, collide
    >>> found = collide(Box((1, 1, 1)), Body(Box((1, 1, 1)), position=(0.75, 0, 0)))
    >>> bool(found), found.depth, found.mtv.tolist(), len(found.contacts)
    (True, 0.25, [0.25, 0.0, 0.0], 4)
    """
    return collision_of(scene_of(a, b))


class Detail(StrEnum):
    """How much `analyse` computed at once, once. Changes nothing any more: what is not read is not computed."""

    LIVE = "live"
    FULL = "full"
    ANSWER = "answer"


def analyse(a: Given, b: Given | None = None, *, detail: Detail | None = None) -> Analysis:
    """Every answer of every method about two bodies as they stand, held against each other.

    `a`, `b`, and what is raised: as for `distance`. Each answer is computed when it is first read. `detail` changes
    nothing, and warns.

    >>> from separatrix.core import Body, Box, analyse
    >>> found = analyse(Box((1, 1, 1)), Body(Box((1, 1, 1)), position=(3, 0, 0)))
    >>> found.separation, found.gjk.iterations, found.disagreements
    (2.0, 1, ())
    """
    if detail is not None:
        warn("detail changes nothing: each answer is computed when it is read", DeprecationWarning, stacklevel=2)
    return analysis.analyse(scene_of(a, b))


def sweep(a: Given, b: Given | None = None) -> SweepAnswer | None:
    """When two bodies first meet as they move from time 0 to 1; None where neither moves or turns.

    `a`, `b`, and what is raised: as for `distance`; how they move is the bodies' own (`displacement`,
    `angular_displacement`). Returns the outcome, the time of the first contact and the contacts then.

    >>> from separatrix.core import Body, Box, Sphere, sweep
    >>> found = sweep(Box((1, 1, 1)), Body(Sphere(0.5), position=(5, 0, 0), displacement=(-8, 0, 0)))
    >>> found.outcome.value, found.result.time
    ('HIT', 0.5)
    """
    return motion_answers.sweep(scene_of(a, b))


def raycast(body: Body | Shape, origin: ArrayLike, direction: ArrayLike) -> rays.RayCast | None:
    """Where the ray `origin + t direction`, t >= 0, world, enters and leaves the body; None if it misses.

    `origin`, `direction`: (3,), world; the direction of any length but 0, else ValueError. Times are in its lengths.

    >>> from separatrix.core import Box, raycast
    >>> found = raycast(Box((2, 1, 1)), origin=(-5, 0, 0), direction=(2, 0, 0))
    >>> found.entry.t, found.exit.t
    (2.0, 3.0)
    """
    start, way = triple("the origin of a ray", origin), triple("the direction of a ray", direction)
    return rays.raycast(_placed(body), np.array(start), np.array(way))


def steps(a: Given, b: Given | None = None, *, of: str = "") -> tuple[Moment, ...]:
    """What each algorithm does, step by step, in the order of a query, the methods about a motion last.

    `a`, `b`, and what is raised: as for `distance`. `of`: one algorithm's steps alone: `sat`, `gjk`, `epa`, `contacts`,
    or another of `Phase`, in small letters; `build` and `mpr` are run only if asked for so. Those of one that does not
    apply to the pair are none. Each is a record with what the algorithm knew, and its `sentence`.

    >>> from separatrix.core import Body, Box, Sphere, steps
    >>> for moment in steps(Box((1, 1, 1)), Body(Sphere(1), position=(0.75, 0, 0)), of="sat"):
    ...     print(moment.sentence)
    SAT, 1 of 4: On axis 1 the separation is -0.75, the largest so far.
    SAT, 2 of 4: On axis 2 the separation is -1.5, not above the largest so far.
    SAT, 3 of 4: On axis 3 the separation is -1.5, not above the largest so far.
    SAT, 4 of 4: On axis 4 the separation is -0.75, not above the largest so far.
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
