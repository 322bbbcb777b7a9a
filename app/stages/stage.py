"""The record of a stage (an algorithm's words, pictures, listing and questions), and the step that it gets.

A step here is always the algorithm's own, even if the query wraps it in a step of a motion.
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
from ..state.prediction import CurrentQuestion
from ..state.sat_progress import SatProgress
from ..state.view import WHOLE
from ..words.formula import Formula
from ..words.terms import terms_of
from .point_names import PointNames, point_names
from .word_parts import StepText, Stop, sentences

S = TypeVar("S")

VISIBLE_WEIGHT = 0.02
"""A corner with a smaller weight in the nearest point v cannot be told from one without weight in the picture."""

EQUAL_LENGTH = 1e-9
"""Share of the smaller body's size within which lengths count as equal."""


def size_of(analysis: Analysis) -> float:
    """Radius of the smaller body; beside a half-space or a point, the radius of the other; 1 if neither has one."""
    radii = (body.shape.bounding_radius for body in (analysis.scene.a, analysis.scene.b))
    return min((radius for radius in radii if radius > 0.0), default=1.0)


def farthest(analysis: Analysis, along: Array) -> list[int]:
    """Indices of all points that are farthest, within rounding; `along` (k,): how far each one is."""
    found: list[int] = np.flatnonzero(along >= along.max() - EQUAL_LENGTH * size_of(analysis)).tolist()
    return found


class AlgorithmListing(Struct, frozen=True):
    """An algorithm as pseudocode: its title, and its lines by their names, in order, indented by four spaces a level.

    A line at which the algorithm stops is named by that stop.
    """

    title: str
    lines: Mapping[str, str]


class At(Struct, Generic[S], frozen=True, eq=False, dict=True):
    """A step of a query, or a sub-step of it (`part`), with the values that its words and pictures need."""

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
    def sat_progress(self) -> SatProgress:
        """The rows of the axis table that are known at this step."""
        place = self._first_place + self.moment.index
        return SatProgress.of(self.query.analysis.sat, self.query, place, self.part)

    @property
    def names(self) -> PointNames:
        """The names of the points that the phase's steps find."""
        return point_names(self.query, self.moment.phase)

    @property
    def of(self) -> str:
        """`3 of 4`: the number of the step in its phase."""
        return f"{self.moment.index + 1} of {self.moment.count}"

    @property
    def result(self) -> Any:
        """The result of the phase's run; None if the query has none."""
        return self.query.results.get(self.moment.phase)

    @property
    def dimension(self) -> int:
        """Dimension of the scene: 2 or 3."""
        return self.query.analysis.scene.dimension

    @property
    def radius(self) -> float:
        """Sum of the radii, scene units, that the support points of A − B leave out; 0 with a half-space."""
        maps = self.query.support_maps
        return 0.0 if maps is None else maps.radius

    def worded(self, words: str) -> str:
        """Words about cores in space and double precision, changed to fit this scene.

        If no radii are left out, "the cores" become "the bodies". In a 2D scene planes become lines, and so on. If the
        steps are in single precision, so are the words.
        """
        words = terms_of(self.dimension).worded(words)
        if self.query.in_double is not None:
            words = words.replace("double precision", "single precision")
        if self.radius:
            return words
        for of_cores, of_bodies in _OF_CORES:
            words = words.replace(of_cores, of_bodies)
        return words

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
    """The heading in the whole step's text under which a sub-step's sentence is placed.

    NONE: the whole step's text omits the sentence and the formulas, because another sub-step says the same.
    """

    SO_FAR = "So far"
    THIS_STEP = "This step"
    WHY = "Why"
    RESULT = "Result"
    NONE = ""


class SubStep(Struct, frozen=True, eq=False):
    """A part of a step that is drawn and explained by itself, and gives away nothing that comes after it.

    `name`: one of `AlgorithmSpec.parts` of its phase. `sentence`: its text. `line`: the name of its line in the
    listing. `world`, `difference`: draw it in the two panes. `moves`: its picture begins with a short animation, driven
    by `Context.progress`. `heading`: used by `whole_text`. `formulas`: those of the step card.
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
    """The text of a whole step: the sentences of its sub-steps by their headings, and their formulas, each once.

    `known`, `decided`: the text under "So far" and "This step" if no sub-step has that heading. `why`: follows the
    sentences under "Why". The sentence of a sub-step under "Result" is not used: `stop` begins with it.
    """

    def under(heading: Heading) -> str:
        return sentences(*(part.sentence for part in sub_steps if part.heading is heading))

    return StepText(
        title=title,
        known=under(Heading.SO_FAR) or known,
        decided=under(Heading.THIS_STEP) or decided,
        why=sentences(under(Heading.WHY), why),
        formulas=tuple(dict.fromkeys(formula for part in sub_steps if part.heading for formula in part.formulas)),
        stop=stop,
        number=number,
    )


class TimelineFlag(Struct, frozen=True):
    """A mark on the timeline: its `word` and a sentence about it. `ahead`: shown before its step is reached."""

    word: str
    tip: str
    ahead: bool = False


class StepBounds(Struct, frozen=True):
    """The bounds that the steps narrow. `of`: a step's lower and upper bound, each None if the step has none yet.

    `what`: the quantity bounded, in `unit`. `sides`: names of the two bounds.
    """

    what: str
    of: Callable[[Any], tuple[float | None, float | None]]
    unit: str = "scene units"
    sides: tuple[str, str] = ("lower bound", "upper bound")


class SupportSearch(Struct, frozen=True, eq=False):
    """A step that searches for a support point along `direction`, unit (3,).

    `place`: of the step in the query. `overlay`: id of the overlay that draws the point found.
    """

    place: int
    direction: Array
    overlay: str


class Leaving(Struct, frozen=True, eq=False):
    """A step, at `place` in the query, that drops points from the simplex; `overlay`: id of the overlay that draws it.

    `names`, `points` (k, 3): of the simplex. `stays`: why a point stays, by the point's index; the others leave.
    `hint`: the rule by which points leave; `explanation`: how the rule applies at this step. `text`: the question.
    """

    place: int
    names: tuple[str, ...]
    points: Array
    stays: Mapping[int, str]
    hint: str
    explanation: str
    overlay: str
    text: str = "Which point leaves the simplex?"


class Facet(Struct, frozen=True):
    """A face of EPA's polytope, or an edge of its polygon; `offset`: distance of its plane or line from the origin."""

    subject: Subject
    name: str
    offset: float


class Expansion(Struct, frozen=True):
    """A step, at `place` in the query, that expands the `nearest` of `pieces`; `overlay`: id of its overlay."""

    place: int
    pieces: tuple[Facet, ...]
    nearest: Facet
    overlay: str


class StepQuestions(Struct, frozen=True):
    """The steps that questions may ask about; `draw` draws the known state in the difference for an open question.

    `searches`: for questions about support points; `leavings`: about points that leave; `growths`: about the face or
    edge to expand. `rank`: if several stages offer the same kind of question, the one with the lowest rank is asked.
    """

    draw: Callable[[Context, DrawList, CurrentQuestion, Any], None]
    searches: Callable[[Query], tuple[SupportSearch, ...]] = lambda _query: ()
    leavings: Callable[[Query], Iterable[Leaving]] = lambda _query: ()
    growths: Callable[[Query], tuple[Expansion, ...]] = lambda _query: ()
    rank: int = 0


class Stage(Struct, frozen=True):
    """An algorithm, step by step.

    `listing`: by the scene's dimension; `listing_at`: by the step, for an algorithm with several listings; `line`: the
    name of the line that a step ended on. `words`: the text of a step. `world`, `difference`: draw a step. `stop`: the
    reason why the run ended, at its last step, else ""; `gave_up`: whether the run ended at this step without an
    answer. `label`: a short name of a step. `flag`: a mark on the timeline at a step, if any. `focus`: row of the axis
    table that the step shown is about, if any. `bounds`: for the chart.

    `fit_points`: points (n, 3), in the world and in the difference, that fitted cameras keep in view at all steps;
    points that are always drawn need not be among them. `hides`: ids of overlays that are hidden at the step shown.
    `questions`: about the steps. `verdict_so_far`: head and rest of the verdict line at a step before the verdict is
    known, else None. `best`: index, within the phase, of the step that found the best so far, if any. `colours`: by a
    colour's name in the theme, its meaning in the stage's pictures, if that differs from its meaning in the answer's. A
    name may be that of one look of a colour, as "world:winner.dotted" (`app/render/looks.py`), and "plane:" before it
    limits it to 2D scenes. `colours_at`: more meanings, which only the pictures of this step have.
    """

    listing: Callable[[int], AlgorithmListing]
    line: Callable[[Any], str]
    words: Callable[[At[Any]], StepText]
    world: Callable[[Context, DrawList, Any], None]
    difference: Callable[[Context, DrawList, Any], None]
    stop: Callable[[At[Any]], str] = lambda _at: ""
    gave_up: Callable[[At[Any]], bool] = lambda _at: False
    label: Callable[[At[Any]], str] = lambda _at: ""
    flag: Callable[[At[Any]], TimelineFlag | None] | None = None
    focus: Callable[[Context], int | None] = lambda _context: None
    bounds: StepBounds | None = None
    fit_points: Callable[[Context, Query], tuple[Array, Array]] | None = None
    hides: Callable[[Context], frozenset[str]] = lambda _context: frozenset()
    questions: StepQuestions | None = None
    verdict_so_far: Callable[[At[Any]], tuple[str, str] | None] = lambda _at: None
    best: Callable[[At[Any]], int | None] = lambda _at: None
    listing_at: Callable[[At[Any]], AlgorithmListing] | None = None
    colours: Mapping[str, str] = {}
    colours_at: Callable[[Any], Mapping[str, str]] = lambda _step: {}

    def listing_of(self, at: At[Any]) -> AlgorithmListing:
        """The listing for a step."""
        return self.listing(at.dimension) if self.listing_at is None else self.listing_at(at)


def given(value: S | None) -> S:
    """Returns the value, which is never None at a step of this kind. Raises AssertionError if it is."""
    assert value is not None
    return value


def steps_of(query: Query, kind: type[S]) -> list[tuple[int, S]]:
    """All steps of that kind with their places in the query."""
    return [(k, step) for k, moment in enumerate(query.moments) if isinstance(step := _own(moment), kind)]
