"""The steps that can be asked about: those of GJK that search or let a point go, and those of EPA that expand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from msgspec import Struct

from core.geometry.vector import Array
from core.gjk.epa import EpaStep
from core.gjk.gjk import GjkStep
from core.gjk.polytope import PolytopeFace
from core.query.query import Query

from ..draw.draw_list import Subject
from ..stages.word_parts import numbered
from ..words.axis_words import plain
from .wording import wording_of

VISIBLE = 0.02
"""Lengths that are to be told apart in the picture differ by this share of the smaller body's size at least."""

TIE = 1e-9
"""Lengths closer than this share of the smaller body's size are equal: the picture is no better than that either."""

STEP_COVERS = frozenset({"steps", "answers", "pairs"})
"""What of the panels tells the answer at a step."""


class Search(Struct, frozen=True, eq=False):
    """A step that looks for a support point along `direction`, unit (3,); `overlay` draws what it found."""

    place: int
    direction: Array
    overlay: str


class Leaving(Struct, frozen=True, eq=False):
    """A step after which points are gone from the simplex; `overlay` draws it.

    `names` and `points` (k, 3) of the simplex; `gone`: the numbers of those that leave; `stays`: for each of the others
    why it does not. `hint`: by what rule, `explanation`: how that was here.
    """

    place: int
    names: tuple[str, ...]
    points: Array
    gone: tuple[int, ...]
    stays: Mapping[int, str]
    hint: str
    explanation: str
    overlay: str


class Piece(Struct, frozen=True):
    """A face of EPA's polytope, or an edge of its polygon; `offset`: how far its plane or line is from the origin."""

    subject: Subject
    name: str
    offset: float


class Growth(Struct, frozen=True):
    """A step at which EPA expands the piece `nearest` of all `pieces`; `overlay` draws it."""

    place: int
    pieces: tuple[Piece, ...]
    nearest: Piece
    overlay: str


def gjk_steps(query: Query) -> Iterator[tuple[int, GjkStep]]:
    """GJK's steps with their places."""
    return ((place, moment.step) for place, moment in enumerate(query.moments) if isinstance(moment.step, GjkStep))


def searches(query: Query) -> tuple[Search, ...]:
    """GJK's steps with a direction."""
    return tuple(
        Search(place, step.direction, "step_gjk") for place, step in gjk_steps(query) if step.direction is not None
    )


def leavings(query: Query) -> tuple[Leaving, ...]:
    """GJK's steps whose nearest spot does not need every point of the simplex, and needs the others plainly."""
    feature = wording_of(query.analysis).feature
    return tuple(
        _leaving(place, step, feature)
        for place, step in gjk_steps(query)
        if 0 < len(step.region) < len(step.simplex) and step.weights.min() >= VISIBLE
    )


def _leaving(place: int, step: GjkStep, feature: str) -> Leaving:
    names = tuple(numbered("w", k) for k in range(len(step.simplex)))
    weights = dict(zip(step.region, step.weights.tolist(), strict=True))
    gone = tuple(k for k in range(len(names)) if k not in weights)
    told = " and ".join(names[k] for k in gone)
    shares = ", ".join(f"{names[k]} {plain(weight)}" for k, weight in weights.items())
    made = (
        f"the nearest spot v is made of {shares} (weights that add up to 1), without {told}"
        if len(weights) > 1
        else f"the nearest spot v is {names[step.region[0]]} itself, which needs no other"
    )
    return Leaving(
        place=place,
        names=names,
        points=np.array([point.w for point in step.simplex]),
        gone=gone,
        stays={
            k: f"{names[k]} stays: in v, the simplex's point nearest the origin, its weight is {plain(weight)}. "
            "Another point has none."
            for k, weight in weights.items()
        },
        hint=f"{len(names)} points make the simplex. Find the spot on it nearest the origin: a point that the "
        f"{feature} with that spot does not need is let go.",
        explanation=f"{told} {'leaves' if len(gone) == 1 else 'leave'}: {made}.",
        overlay="step_gjk",
    )


def growths(query: Query) -> Iterator[Growth]:
    """EPA's steps that expand a face, in space."""
    for place, moment in enumerate(query.moments):
        step = moment.step
        if isinstance(step, EpaStep) and step.nearest is not None and step.stop is None:
            pieces = {
                face.number: Piece(Subject("face", face.number), face_name(face), face.offset) for face in step.faces
            }
            yield Growth(place, tuple(pieces.values()), pieces[step.nearest.number], "step_epa")


def face_name(face: PolytopeFace) -> str:
    """`face p₀p₁p₃`, by its points as the picture names them."""
    return f"face {''.join(numbered('p', number) for number in sorted(face.vertices))}"
