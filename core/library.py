"""The library's public functions about two bodies; they check every argument.

Each function but `raycast` takes two bodies or one scene. A shape given as a body is at the origin. Errors have one
sentence: TypeError if an argument is not a body, ValueError for two half-spaces, for a shape of the plane beside one
of space, and for bodies larger or farther apart than 1e100. The docstring of `core` has the conventions: units, frames,
signs.
"""

from __future__ import annotations

from enum import StrEnum
from warnings import warn

import numpy as np
from numpy.typing import ArrayLike

from .analysis import analysis, motion_answers
from .analysis.analysis import Analysis
from .analysis.brief import Collision, Distance, collision_of, distance_of
from .analysis.motion_answers import SweepAnswer
from .geometry.arguments import three_numbers
from .query.motion_steps import with_motion
from .query.query import Moment, Phase, phase_named, query, settings_for
from .rays import raycast as rays
from .scene import Body, Scene
from .shapes import Shape

Given = Scene | Body | Shape


def distance(a: Given, b: Given | None = None) -> Distance:
    """Returns the signed distance of two bodies at their positions, with the points and the direction that prove it.

    `a`, `b`: bodies, or shapes, which are at the origin; or one scene as `a`.

    Returns the separation (scene units, positive apart, negative overlapping), the unit normal (3,) from A towards B
    and the witness points (3,), world, and how the number is known. Raises ValueError for two half-spaces, for a shape
    of the plane beside one of space, for bodies larger or farther apart than 1e100, for a missing `b`, and for a scene
    beside a `b`; TypeError if an argument is not a body.

    >>> from separatrix.core import Body, Box, Sphere, distance
    >>> found = distance(Box((2, 1, 1)), Body(Sphere(0.5), position=(0, 2, 0)))
    >>> found.separation, found.normal.tolist(), found.certainty.provenance.value
    (1.0, [0.0, 1.0, 0.0], 'exact')
    """
    return distance_of(scene_of(a, b))


def collide(a: Given, b: Given | None = None) -> Collision:
    """Returns whether two bodies meet at their positions, how deep, and where they touch.

    `a`, `b` and errors: as for `distance`. The result is true if the bodies touch or overlap. It has the depth (scene
    units, positive overlapping), the least move `mtv` (3,) of B that removes the overlap, and the contacts.

    >>> from separatrix.core import Body, Box, collide
    >>> found = collide(Box((1, 1, 1)), Body(Box((1, 1, 1)), position=(0.75, 0, 0)))
    >>> bool(found), found.depth, found.mtv.tolist(), len(found.contacts)
    (True, 0.25, [0.25, 0.0, 0.0], 4)
    """
    return collision_of(scene_of(a, b))


class Detail(StrEnum):
    """Old setting of `analyse`, without effect: each answer is computed when it is read."""

    LIVE = "live"
    FULL = "full"
    ANSWER = "answer"


def analyse(a: Given, b: Given | None = None, *, detail: Detail | None = None) -> Analysis:
    """Returns every answer of every method about two bodies at their positions, and compares the answers.

    `a`, `b` and errors: as for `distance`. Each answer is computed when it is first read. `detail` has no effect; if
    given, it warns.

    >>> from separatrix.core import Body, Box, analyse
    >>> found = analyse(Box((1, 1, 1)), Body(Box((1, 1, 1)), position=(3, 0, 0)))
    >>> found.separation, found.gjk.iterations, found.disagreements
    (2.0, 1, ())
    """
    if detail is not None:
        warn("detail changes nothing: each answer is computed when it is read", DeprecationWarning, stacklevel=2)
    return analysis.analyse(scene_of(a, b))


def sweep(a: Given, b: Given | None = None) -> SweepAnswer | None:
    """Returns when two bodies first meet as they move from time 0 to 1; None if neither moves or turns.

    `a`, `b` and errors: as for `distance`, but for bodies at rest: two half-spaces and a pair that is too large give
    None too. The bodies' `displacement` and `angular_displacement` say how they move. The result has the outcome, the
    time of the first contact and the contacts then.

    >>> from separatrix.core import Body, Box, Sphere, sweep
    >>> found = sweep(Box((1, 1, 1)), Body(Sphere(0.5), position=(5, 0, 0), displacement=(-8, 0, 0)))
    >>> found.outcome.value, found.result.time
    ('HIT', 0.5)
    """
    return motion_answers.sweep(scene_of(a, b))


def raycast(body: Body | Shape, origin: ArrayLike, direction: ArrayLike) -> rays.RayCast | None:
    """Returns where the ray `origin + t direction`, t >= 0, world, enters and leaves the body; None if it misses.

    `origin`, `direction`: (3,), world; the times t are in lengths of the direction. Raises ValueError for a
    direction of length 0, for numbers that are not finite and for a scene; TypeError for what is no body, and for what
    holds no numbers.

    >>> from separatrix.core import Box, raycast
    >>> found = raycast(Box((2, 1, 1)), origin=(-5, 0, 0), direction=(2, 0, 0))
    >>> found.entry.t, found.exit.t
    (2.0, 3.0)
    """
    start, way = three_numbers("the origin of a ray", origin), three_numbers("the direction of a ray", direction)
    return rays.raycast(_placed(body), np.array(start), np.array(way))


def steps(a: Given, b: Given | None = None, *, of: str = "") -> tuple[Moment, ...]:
    """Returns the steps of all algorithms in the order of `Phase`, those about the bodies' motion last.

    `a`, `b` and errors: as for `distance`. `of`: the one algorithm whose steps are returned: `sat`, `gjk`, `epa`,
    `contacts`, or another member's name of `Phase` in small letters. `build` and `mpr` run only if named. An algorithm
    that does not apply to the pair has no steps. Each step is a record of its numbers, with a `sentence`. Raises
    ValueError for an unknown `of`.

    >>> from separatrix.core import Body, Box, Sphere, steps
    >>> for moment in steps(Box((1, 1, 1)), Body(Sphere(1), position=(0.75, 0, 0)), of="sat"):
    ...     print(moment.sentence)
    SAT, 1 of 4: On axis 1 the separation is -0.75, the largest so far.
    SAT, 2 of 4: On axis 2 the separation is -1.5, not above the largest so far.
    SAT, 3 of 4: On axis 3 the separation is -1.5, not above the largest so far.
    SAT, 4 of 4: On axis 4 the separation is -0.75, not above the largest so far.
    """
    scene = scene_of(a, b)
    wanted = phase_named(of)
    if of and wanted is None:
        raise ValueError(f"there are no steps of {of!r}, but of {', '.join(phase.name.lower() for phase in Phase)}")
    found = with_motion(query(analysis.analyse(scene), settings_for(wanted)), motion_answers.sweep(scene))
    return tuple(moment for moment in found.moments if wanted in (None, moment.phase))


def scene_of(a: Given, b: Given | None = None) -> Scene:
    """Returns the scene of two bodies, or the scene given in place of both.

    Raises ValueError for a missing `b`, for a scene beside a `b`, and for two dimensions; TypeError for no body.
    """
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
