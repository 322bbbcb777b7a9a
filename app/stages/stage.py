"""What a stage is: all that the program knows of one algorithm beyond its entry, and what it is given of a step.

A step is here always the algorithm's own, also where the query wraps it because it is about a motion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np
from msgspec import Struct

from core.analysis.analysis import Analysis
from core.geometry.vector import Array
from core.query.query import Moment, MotionStep, Query

from ..draw.draw_list import DrawList, Subject
from ..overlays.context import Context
from ..state.prediction import Asked
from ..state.tried import Tried
from ..state.view import WHOLE
from ..words.digits import plain
from ..words.formula import Formula
from ..words.terms import terms_of
from .word_parts import StepText, Stop, sentences

S = TypeVar("S")

VISIBLE = 0.02
"""Lengths that are to be told apart in the picture differ by this share of the smaller body's size at least."""

TIE = 1e-9
"""Lengths closer than this share of the smaller body's size are equal: the picture is no better than that either."""


def size_of(analysis: Analysis) -> float:
    """Radius of the smaller of the two bodies; of the bounded one beside a half-space, of the other beside a point."""
    radii = (body.shape.bounding_radius for body in (analysis.scene.a, analysis.scene.b))
    return min((radius for radius in radii if radius > 0.0), default=1.0)


def farthest(analysis: Analysis, along: Array) -> list[int]:
    """Places of all points that are farthest, but for rounding; `along` (k,): how far each one is."""
    found: list[int] = np.flatnonzero(along >= along.max() - TIE * size_of(analysis)).tolist()
    return found


class Listing(Struct, frozen=True):
    """An algorithm: its name, and its lines by theirs, in order, indented by four spaces a level.

    A line at which the algorithm stops is called by that stop.
    """

    title: str
    lines: Mapping[str, str]


class At(Struct, Generic[S], frozen=True, eq=False, dict=True):
    """A step of a query, or a part of it, with what its words need."""

    query: Query
    moment: Moment
    part: str = WHOLE

    @property
    def step(self) -> S:
        """The step itself."""
        step: S = _own(self.moment)
        return step

    @cached_property
    def _first_place(self) -> int:
        return next(k for k, other in enumerate(self.query.moments) if other.phase is self.moment.phase)

    @property
    def first(self) -> S:
        """The phase's first step."""
        step: S = _own(self.query.moments[self._first_place])
        return step

    @property
    def before(self) -> S | None:
        """The step before in the same phase, None at its first."""
        index = self.moment.index
        return _own(self.query.moments[self._first_place + index - 1]) if index else None

    @property
    def after(self) -> S | None:
        """The step after in the same phase, None at its last."""
        return None if self.moment.last else _own(self.query.moments[self._first_place + self.moment.index + 1])

    @property
    def tried(self) -> Tried:
        """What is known of the axis table here."""
        place = self._first_place + self.moment.index
        return Tried.of(self.query.analysis.sat, self.query, place, self.part)

    @property
    def of(self) -> str:
        """`3 of 4`: which of its phase's steps it is."""
        return f"{self.moment.index + 1} of {self.moment.count}"

    @property
    def result(self) -> Any:
        """What the run ended with; None where it failed."""
        return self.query.results.get(self.moment.phase)

    @property
    def dimension(self) -> int:
        """Of the scene: 2 or 3."""
        return self.query.analysis.scene.dimension

    @property
    def radius(self) -> float:
        """Of both bodies together; it is kept apart from their cores."""
        maps = self.query.support_maps
        return 0.0 if maps is None else maps.radius

    def said(self, words: str) -> str:
        """Words about the cores in space, as they are said here: of the bodies where they are the cores, in the plane.

        In the plane a line is what a plane is in space, and so on.
        """
        words = terms_of(self.dimension).said(words)
        if self.query.in_double is not None:
            words = words.replace("double precision", "single precision")
        if self.radius:
            return words
        for of_cores, of_bodies in _OF_CORES:
            words = words.replace(of_cores, of_bodies)
        return words

    @property
    def radius_note(self) -> str:
        """That the radii of rounded bodies are kept apart, if there are any."""
        if not self.radius:
            return ""
        return f"The radii, {plain(self.radius)} together, follow at the end."

    def shown(self, vector: Array) -> Array:
        """A vector (3,) as it is shown: in the plane (2,)."""
        return vector[: self.dimension]


_OF_CORES = (
    ("the distance of the cores", "the distance"),
    ("the depth of the cores", "the depth"),
    ("the cores", "the bodies"),
)


def _own(moment: Moment) -> Any:
    return moment.step.motion if isinstance(moment.step, MotionStep) else moment.step


class Heading(StrEnum):
    """Under which heading of its step's text a sub-step's sentence stands.

    NONE: the whole step has neither its sentence nor its formulas, as another's say it as well.
    """

    SO_FAR = "So far"
    THIS_STEP = "This step"
    WHY = "Why"
    RESULT = "Result"
    NONE = ""


class SubStep(Struct, frozen=True, eq=False):
    """A part of a step that is drawn and told by itself. It says nothing that comes after it.

    `name`: one of its phase's (`AlgorithmSpec.parts`). `line`: of the listing that it is about. `world`, `difference`:
    draw it. `moves`: its picture begins with a short motion, by `Context.progress`. `heading`: for `whole_text`.
    """

    name: str
    sentence: str
    line: str
    world: Callable[[Context, DrawList], None]
    difference: Callable[[Context, DrawList], None]
    formulas: tuple[Formula, ...] = ()
    moves: bool = False
    heading: Heading = Heading.THIS_STEP


def whole_text(
    sub_steps: Sequence[SubStep],
    *,
    title: str,
    known: str = "",
    decided: str = "",
    why: str = "",
    stop: Stop | None = None,
    number: str = "",
) -> StepText:
    """The text of a whole step: the sentences of its sub-steps by their headings, and all of their formulas.

    `known`, `decided`: what stands under "So far" and "This step" where no sub-step says it. `stop` begins with the
    sentence of the last one.
    """

    def under(heading: Heading) -> str:
        return sentences(*(part.sentence for part in sub_steps if part.heading is heading))

    return StepText(
        title=title,
        known=under(Heading.SO_FAR) or known,
        decided=under(Heading.THIS_STEP) or decided,
        why=sentences(under(Heading.WHY), why),
        formulas=tuple(formula for part in sub_steps if part.heading for formula in part.formulas),
        stop=stop,
        number=number,
    )


class Flag(Struct, frozen=True):
    """A mark on the timeline: its `word` there, and a sentence about it; `ahead`: also before its step is reached."""

    word: str
    tip: str
    ahead: bool = False


class Bounds(Struct, frozen=True):
    """What the steps bound: the lower and the upper bound by a step, None where it has none yet.

    `what` is bounded, in which `unit`; `counted`: what an iteration is called; `sides`: what the two are called.
    """

    what: str
    of: Callable[[Any], tuple[float | None, float | None]]
    unit: str = "scene units"
    counted: str = "iteration"
    sides: tuple[str, str] = ("lower bound", "upper bound")


class Search(Struct, frozen=True, eq=False):
    """A step that looks for a support point along `direction`, unit (3,); `overlay` draws what it found."""

    place: int
    direction: Array
    overlay: str


class Leaving(Struct, frozen=True, eq=False):
    """A step after which points are gone from the simplex; `overlay` draws it.

    `names` and `points` (k, 3) of the simplex; `stays`: by number why a point stays, the others leave. `hint`: by what
    rule, `explanation`: how that was here. `text`: the question.
    """

    place: int
    names: tuple[str, ...]
    points: Array
    stays: Mapping[int, str]
    hint: str
    explanation: str
    overlay: str
    text: str = "Which point leaves the simplex?"


class Piece(Struct, frozen=True):
    """A face of EPA's polytope, or an edge of its polygon; `offset`: how far its plane or line is from the origin."""

    subject: Subject
    name: str
    offset: float


class Growth(Struct, frozen=True):
    """A step at which the piece `nearest` of all `pieces` is expanded; `overlay` draws it."""

    place: int
    pieces: tuple[Piece, ...]
    nearest: Piece
    overlay: str


class Questions(Struct, frozen=True):
    """The steps that can be asked about, and `draw`: in the difference what a step knew before the answer.

    `rank`: of several stages that can be asked the same, the one with the lowest is.
    """

    draw: Callable[[Context, DrawList, Asked, Any], None]
    searches: Callable[[Query], tuple[Search, ...]] = lambda _query: ()
    leavings: Callable[[Query], Iterable[Leaving]] = lambda _query: ()
    growths: Callable[[Query], tuple[Growth, ...]] = lambda _query: ()
    rank: int = 0


class Stage(Struct, frozen=True):
    """An algorithm, step by step.

    `listing`: by the scene's dimension; `listing_at`: by the step, of an algorithm with several; `line`: the name of
    the line that a step ended on. `words`: all that is said about a step. `world`, `difference`: draw a step. `stop`:
    how the run ended that a step is the last of, else ""; `gave_up`: whether it ended so without an answer. `label`:
    what a step is about, in a word or two. `flag`: a mark on the timeline. `focus`: row of the axis table that the step
    shown is about, None where it is about none. `bounds`: for the chart. `reach`: how far the pictures of all steps go
    beyond what is always drawn, points (n, 3) in the world and in the difference. `hides`: overlays that do not go with
    the step shown. `questions`: what can be asked about the steps. `verdict_so_far`: head and rest of what stands in
    the verdict's place at a step that does not know it yet. `best`: which of its phase's steps found the best so far.
    `colours`: what the theme's colours stand for in its pictures, by their names, where it is not as in the answer.
    """

    listing: Callable[[int], Listing]
    line: Callable[[Any], str]
    words: Callable[[At[Any]], StepText]
    world: Callable[[Context, DrawList, Any], None]
    difference: Callable[[Context, DrawList, Any], None]
    stop: Callable[[At[Any]], str] = lambda _at: ""
    gave_up: Callable[[At[Any]], bool] = lambda _at: False
    label: Callable[[At[Any]], str] = lambda _at: ""
    flag: Callable[[At[Any]], Flag | None] | None = None
    focus: Callable[[Context], int | None] = lambda _context: None
    bounds: Bounds | None = None
    reach: Callable[[Context, Query], tuple[Array, Array]] | None = None
    hides: Callable[[Context], frozenset[str]] = lambda _context: frozenset()
    questions: Questions | None = None
    verdict_so_far: Callable[[At[Any]], tuple[str, str] | None] = lambda _at: None
    best: Callable[[At[Any]], int | None] = lambda _at: None
    listing_at: Callable[[At[Any]], Listing] | None = None
    colours: Mapping[str, str] = {}

    def listing_of(self, at: At[Any]) -> Listing:
        """The listing that goes with a step."""
        return self.listing(at.dimension) if self.listing_at is None else self.listing_at(at)


def given(value: S | None) -> S:
    """What a step of this kind has at this stage."""
    assert value is not None
    return value


def steps_of(query: Query, kind: type[S]) -> list[tuple[int, S]]:
    """All steps of that kind with their places."""
    return [(k, step) for k, moment in enumerate(query.moments) if isinstance(step := _own(moment), kind)]
