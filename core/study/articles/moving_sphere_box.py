"""The graphics book's mistakes about a sphere that moves against a box, one in each function.

The question is when they first meet: a time from 0 to 1, 0 if they meet at the start, infinite for never. One variant
returns the outcome instead, the text of a `MotionOutcome`; another the contact point (3,) in the world. A is the box
and B the sphere. A "walk" visits, in the order of time, the regions about the box that the sphere's centre passes
through (`toi.spheres`). In formulas u0 and u1 are positions at the start and at the end. Each function raises TypeError
for other shapes. It raises ValueError if the box turns, or if the bodies are too large or too far apart.
"""

from __future__ import annotations

from math import inf, sqrt

import numpy as np
from msgspec.structs import replace

from ...geometry.triple import Triple, triple
from ...geometry.vector import Array
from ...scene import Body, Scene
from ...shapes import Box, Sphere
from ...toi.motion import Motion, MotionOutcome
from ...toi.spheres import Crossing, GrownPiece, approach, sphere_box_motion, sphere_box_walk
from .comparison import ArticleVariant, half_extents, radius_of
from .moving_rounds import time_or_never


def p5_corner_without_radius(scene: Scene) -> float:
    """The walk whose discriminant for a corner lacks `- r²`, so that a corner is hit only by the centre itself."""
    motion = _sphere_and_box(scene)
    for crossing in sphere_box_walk(motion).crossings:
        radius = 0.0 if crossing.piece is GrownPiece.CORNER else radius_of(scene.b)
        time = approach(*_beyond(motion, crossing), radius).enter
        if time is not None and crossing.enter <= time <= crossing.leave:
            return time
    return inf


def p5_without_initial_overlap(scene: Scene) -> float:
    """The walk without a test for contact at the start; the roots are then negative or are times of exit."""
    motion = _sphere_and_box(scene)
    for crossing in sphere_box_walk(motion).crossings:
        time = _smaller_root(*_beyond(motion, crossing), radius_of(scene.b))
        if crossing.enter <= time <= crossing.leave:
            return time
    return inf


def p5_without_zero_motion(scene: Scene) -> str:
    """The outcome of the walk, with divisions by speeds.

    Without motion in a region's outside coordinates a root is 0/0. NaN is neither before nor after the stretch in the
    region, so it counts as a hit.
    """
    motion = _sphere_and_box(scene)
    found = sphere_box_motion(motion)
    if found.outcome is MotionOutcome.INITIAL_OVERLAP:
        return found.outcome.value
    for crossing in sphere_box_walk(motion).crossings:
        time = _smaller_root(*_beyond(motion, crossing), radius_of(scene.b))
        if not (time < crossing.enter or time > crossing.leave):
            return MotionOutcome.HIT.value
    return MotionOutcome.SEPARATED.value


def p5_backwards(scene: Scene) -> float:
    """The walk with the motion `u1 + (u0 - u1) t`, from its end to its start."""
    _sphere_and_box(scene)
    ends = np.array(scene.b.position) + scene.b.displacement
    back = np.negative(scene.b.displacement)
    return time_or_never(
        sphere_box_motion(Motion.of(scene.a, replace(scene.b, position=triple(ends), displacement=triple(back))))
    )


def p5_transposed_matrix(scene: Scene) -> float:
    """The walk with the transpose of the box's 4x4 matrix as its inverse: the box's position is left out."""
    _sphere_and_box(scene)
    return time_or_never(sphere_box_motion(Motion.of(replace(scene.a, position=(0.0, 0.0, 0.0)), scene.b)))


def p5_contact_not_normalised(scene: Scene) -> tuple[float, ...]:
    """The contact point as the centre plus the radius times the vector from the centre to the box's witness point.

    The mistake: that vector is not normalised. Empty if there is no contact.
    """
    motion = _sphere_and_box(scene)
    found = sphere_box_motion(motion)
    if found.time is None or found.witness_a is None:
        return ()
    centre = np.array(scene.b.position) + found.time * np.array(scene.b.displacement)
    return triple(centre + radius_of(scene.b) * (found.witness_a - centre))


def _sphere_and_box(scene: Scene) -> Motion:
    half_extents(scene.a)
    radius_of(scene.b)
    return Motion.of(scene.a, scene.b)


def _beyond(motion: Motion, crossing: Crossing) -> tuple[Array, Array]:
    """Returns the centre's signed distances (k,) beyond the k faces that bound a region, at time 0, and their rates.

    The faces are those that the region lies outside of; the rates (k,) are per unit of time.
    """
    walk, outside = sphere_box_walk(motion), np.array(crossing.sides) != 0
    signs = np.array(crossing.sides)[outside]
    return signs * walk.centre[outside] - walk.half_extents[outside], signs * walk.velocity[outside]


def _smaller_root(beyond: Array, velocity: Array, radius: float) -> float:
    """The chapter's root for one region: of a linear equation beside a face, else the smaller one of a quadratic.

    Infinite without a real root and inside the box; 0/0 if the speed is 0.
    """
    if len(beyond) == 1:
        with np.errstate(all="ignore"):
            return float(np.float64(radius - beyond[0]) / velocity[0])
    a, b, c = (float(np.add.reduce(p * q)) for p, q in ((velocity, velocity), (beyond, velocity), (beyond, beyond)))
    c -= radius * radius
    if not len(beyond) or b * b - a * c < 0.0:
        return inf
    with np.errstate(all="ignore"):
        return float(np.float64(-b - sqrt(b * b - a * c)) / a)


def _box_time(scene: Scene) -> float:
    return time_or_never(sphere_box_motion(_sphere_and_box(scene)))


def _box_contact(scene: Scene) -> tuple[float, ...]:
    found = sphere_box_motion(_sphere_and_box(scene))
    return () if found.witness_b is None else triple(found.witness_b)


def _rolled(name: str, start: Triple, way: Triple, radius: float = 0.5, at: Triple = (0.0, 0.0, 0.0)) -> Scene:
    return Scene(Body(Box((2.0, 2.0, 2.0)), at), Body(Sphere(radius), start, displacement=way), name)


_TO_A_FACE = _rolled("A ball flies against a face", (4.0, 0.3, 0.2), (-4.0, 0.0, 0.0))
_TO_A_CORNER = _rolled("A ball flies against a corner", (4.0, 1.2, 1.2), (-3.5, 0.0, 0.0))
_TO_AN_EDGE = _rolled("A ball flies against an edge", (4.0, 1.2, 0.2), (-3.5, 0.0, 0.0))
_BESIDE_AN_EDGE = _rolled("A ball that rests beside an edge", (2.0, 2.0, 0.2), (0.0, 0.0, 0.0))
_ALONG_AN_EDGE = _rolled("A ball that flies along an edge", (2.0, 2.0, 0.5), (0.0, 0.0, -1.0))
_ALONG_A_FACE = _rolled("A ball that flies along a face", (3.0, 0.3, 0.2), (0.0, 0.5, 0.0))
_SINKING = _rolled("A ball half in a face goes deeper", (1.25, 0.3, 0.2), (-0.5, 0.0, 0.0))
_RISING = _rolled("A ball from inside the box comes out", (0.5, 0.3, 0.2), (3.0, 0.0, 0.0))
_ASIDE = _rolled("A ball flies past", (4.0, 4.0, 0.0), (-8.0, 0.0, 0.0))

MOVING_SPHERE_BOX = (
    ArticleVariant(
        id="P5-corner-radius",
        title="The corner's discriminant without the radius",
        article=p5_corner_without_radius,
        right=_box_time,
        why="Without - r² the discriminant is positive only on lines through the corner itself.",
        breaks=(_TO_A_CORNER,),
        agrees=(_TO_A_FACE, _TO_AN_EDGE, _ASIDE),
    ),
    ArticleVariant(
        id="P5-backwards",
        title="Sphere and box: motion run backwards",
        article=p5_backwards,
        right=_box_time,
        why="Run backwards, the sphere starts at its end: it is in the box at once or touches the far side.",
        breaks=(_TO_A_FACE,),
        agrees=(_ASIDE, _rolled("A ball passes through to as far behind", (4.0, 0.3, 0.2), (-8.0, 0.0, 0.0))),
    ),
    ArticleVariant(
        id="P5-initial-overlap",
        title="No test for a sphere that starts in the box",
        article=p5_without_initial_overlap,
        right=_box_time,
        why="If the sphere starts in the box, the regions give the time when it leaves, or one before the start.",
        breaks=(_SINKING, _RISING),
        agrees=(_TO_A_FACE, _TO_AN_EDGE, _TO_A_CORNER, _ASIDE),
    ),
    ArticleVariant(
        id="P5-zero-motion",
        title="No test for a sphere that moves along the edge",
        article=p5_without_zero_motion,
        right=lambda scene: sphere_box_motion(_sphere_and_box(scene)).outcome.value,
        why="Without motion perpendicular to the edge the root is 0/0, and the range test lets the NaN through.",
        breaks=(_BESIDE_AN_EDGE, _ALONG_AN_EDGE),
        agrees=(_TO_A_FACE, _TO_A_CORNER, _ALONG_A_FACE, _ASIDE, _SINKING),
    ),
    ArticleVariant(
        id="P5-transpose",
        title="The 4x4 matrix's transpose, taken for its inverse",
        article=p5_transposed_matrix,
        right=_box_time,
        why="The transpose inverts only the rotation, so the box is tested at the world's origin.",
        breaks=(_rolled("A box away from the origin", (4.0, 0.3, 0.2), (-4.0, 0.0, 0.0), at=(0.5, 0.0, 0.0)),),
        agrees=(_TO_A_FACE, _TO_A_CORNER),
    ),
    ArticleVariant(
        id="P5-contact-length",
        title="Contact point from a vector without unit length",
        article=p5_contact_not_normalised,
        right=_box_contact,
        why="The vector from the centre to the box is already as long as the radius, and is multiplied by the radius "
        "again.",
        breaks=(_TO_A_FACE, _TO_AN_EDGE, _TO_A_CORNER),
        agrees=(_rolled("A ball of radius 1", (4.0, 0.3, 0.2), (-4.0, 0.0, 0.0), radius=1.0),),
    ),
)
