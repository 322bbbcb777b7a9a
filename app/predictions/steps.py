"""The steps that can be asked about: those of GJK that search, and those of EPA that expand."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from core.algorithms.epa import EpaStep
from core.algorithms.gjk import GjkStep
from core.algorithms.polytope import PolytopeFace
from core.geometry.vector import Array
from core.query import Query

from ..draw_list import Subject
from ..step_words.parts import numbered

TIE = 1e-9
"""Lengths closer than this share of the smaller body's size are equal: the picture is no better than that either."""

STEP_COVERS = frozenset({"steps", "answers", "pairs"})
"""What of the panels tells the answer at a step."""


class Search(Struct, frozen=True, eq=False):
    """A step that looks for a support point along `direction`, unit (3,); `overlay` draws what it found."""

    place: int
    direction: Array
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
