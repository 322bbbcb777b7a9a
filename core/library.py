"""The questions that a program asks about two bodies, with every argument checked: the core's front door.

Each takes two bodies, or shapes where they stand at the origin, or one scene in place of both. All raise ValueError
with one sentence for what is none, for two half-spaces, and for a shape of the plane beside one of space. Conventions
(units, frames, signs): `core`.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import ArrayLike

from .analysis import analysis, motion_answers
from .analysis.analysis import Analysis
from .analysis.knobs import DEFAULT_KNOBS
from .analysis.methods import Detail
from .analysis.motion_answers import SweepAnswer
from .analysis.picture import in_a_line, picture
from .contact.contact import Contact, Manifold
from .geometry.arguments import triple
from .geometry.vector import Array, frozen
from .query.query import Moment, Phase, query, with_motion
from .rays import raycast as rays
from .scene import Body, Scene
from .shapes import Shape
from .verdict import Certainty, Verdict, verdict_of

Given = Scene | Body | Shape


class Distance(Struct, frozen=True, eq=False):
    """How far two bodies are apart, or how deep they overlap.

    `separation`: signed distance, scene units, positive apart; `certainty`: how it is known, and within what. `normal`
    (3,): unit, world, from A towards B. `point_a`, `point_b` (3,): world, on the two surfaces, `|b - a| = |separation|`
    but for the certainty's gap. `band`: half width of TOUCHING about 0.
    """

    scene: Scene
    verdict: Verdict
    separation: float
    normal: Array
    point_a: Array
    point_b: Array
    certainty: Certainty
    band: float

    @property
    def depth(self) -> float:
        """Minus the separation: positive overlapping."""
        return -self.separation

    def __repr__(self) -> str:
        """One line."""
        return f"Distance({in_a_line(self.verdict, self.separation, self.certainty, self.normal)})"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return picture(self.scene, repr(self), self.normal, self.point_a, self.point_b)


class Collision(Struct, frozen=True, eq=False):
    """Whether two bodies meet: true in a condition where they touch or overlap.

    `depth`: scene units, positive overlapping, of bodies apart minus the distance; `certainty`: how it is known.
    `normal` (3,): unit, world, from A towards B. `mtv` (3,): the least move of B that just removes the overlap, None
    apart. `manifold`: how the contacts were found; None for pairs that have none. `point_a`, `point_b` (3,): world, the
    deepest or nearest points of the two surfaces.
    """

    scene: Scene
    verdict: Verdict
    depth: float
    normal: Array
    mtv: Array | None
    certainty: Certainty
    manifold: Manifold | None
    point_a: Array
    point_b: Array

    def __bool__(self) -> bool:
        """Whether they meet."""
        return self.verdict is not Verdict.SEPARATED

    @property
    def contacts(self) -> tuple[Contact, ...]:
        """Those of the manifold; the deepest has the pair's depth."""
        return () if self.manifold is None else self.manifold.contacts

    def __repr__(self) -> str:
        """One line."""
        return f"Collision({in_a_line(self.verdict, -self.depth, self.certainty, self.normal, self.manifold)})"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return picture(self.scene, repr(self), self.normal, self.point_a, self.point_b, self.contacts)


def distance(a: Given, b: Given | None = None) -> Distance:
    """The signed distance of two bodies as they stand, with the points and the direction that prove it."""
    scene = scene_of(a, b)
    scale, _, answer = analysis.headline_of(scene, Detail.FULL)
    found, origin, band = answer.proximity, scene.a.pose.position, analysis.band_of(scale, answer)
    return Distance(
        scene=scene,
        verdict=verdict_of(found.separation, band),
        separation=found.separation,
        normal=frozen(found.normal + 0.0),
        point_a=frozen(origin + found.point_first),
        point_b=frozen(origin + found.point_second),
        certainty=answer.certainty,
        band=band,
    )


def collide(a: Given, b: Given | None = None) -> Collision:
    """Whether two bodies meet as they stand, how deep, and where they touch."""
    found = analysis.analyse(scene_of(a, b))
    return Collision(
        scene=found.scene,
        verdict=found.verdict,
        depth=-found.separation,
        normal=frozen(found.normal + 0.0),
        mtv=found.mtv,
        certainty=found.certainty,
        manifold=found.contacts,
        point_a=found.witness_a,
        point_b=found.witness_b,
    )


def analyse(a: Given, b: Given | None = None, *, detail: Detail = Detail.FULL) -> Analysis:
    """Every answer of every method about two bodies as they stand, held against each other."""
    return analysis.analyse(scene_of(a, b), detail)


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
