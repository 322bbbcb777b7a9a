"""Records of an engine's answer about one pair of bodies, in one convention, and of the engine itself.

The convention: `normal` is a unit vector from A towards B; separations are signed, positive apart, negative
overlapping; points and directions are in the world, lengths in scene units. An adapter translates an engine's answer
into it. The fields are the keys of the adapter's line of JSON: `msgspec.convert(json.loads(line), EngineAnswer)` reads
it. Numbers that are not finite are allowed, and are judged too.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from ...geometry.triple import Triple, negated


class EngineContact(Struct, frozen=True):
    """One point of an engine's contact manifold; `separation`: None if the engine gives no depth."""

    point: Triple
    separation: float | None = None


class EngineAnswer(Struct, frozen=True):
    """The answer of an engine.

    `separation`: None if the engine gives no number, such as for bodies apart without contacts. `normal`: as the engine
    gives it, of any length; None without a direction, for instance if it would come from two points closer than the
    engine's accuracy. `on_a`, `on_b`: the nearest or deepest points, one on each surface, or None. `features`: the
    engine's own names of the features. `us`: the duration of the call, microseconds. `simplexes`: of its search for the
    nearest point, if it gives them, as points of A − B, without the bodies' radii if it keeps these apart.
    """

    separation: float | None = None
    normal: Triple | None = None
    on_a: Triple | None = None
    on_b: Triple | None = None
    contacts: tuple[EngineContact, ...] = ()
    features: str | None = None
    us: float = 0.0
    simplexes: tuple[tuple[Triple, ...], ...] = ()

    @property
    def signed(self) -> float | None:
        """The engine's separation, else the least of its contacts; None without a number."""
        if self.separation is not None:
            return self.separation
        return min((one.separation for one in self.contacts if one.separation is not None), default=None)

    @property
    def says_contact(self) -> bool:
        """Whether the engine gives a contact or a number."""
        return bool(self.contacts) or self.separation is not None

    def swapped(self) -> EngineAnswer:
        """The same answer about the pair with A and B exchanged."""
        normal = None if self.normal is None else negated(self.normal)
        simplexes = tuple(tuple(map(negated, simplex)) for simplex in self.simplexes)
        return replace(self, normal=normal, on_a=self.on_b, on_b=self.on_a, simplexes=simplexes)

    @property
    def numbers(self) -> tuple[float, ...]:
        """All numbers of the answer but the duration."""
        rows = [row for row in (self.normal, self.on_a, self.on_b) if row is not None]
        rows += [contact.point for contact in self.contacts]
        rows += [point for simplex in self.simplexes for point in simplex]
        alone = [self.separation, *(contact.separation for contact in self.contacts)]
        return (*(part for row in rows for part in row), *(part for part in alone if part is not None))


class Unsupported(Struct, frozen=True):
    """The engine does not support a shape, or a pair of shapes; `shape` names it."""

    shape: str


class Failed(Struct, frozen=True):
    """The engine was asked and gave no answer; `words` say what happened.

    `kind`: the process ended (crash), did not answer in time (hang), wrote no valid answer (garbage), or refused the
    question with a message (error).
    """

    kind: Literal["crash", "hang", "garbage", "error"]
    words: str


class NotAsked(Struct, frozen=True):
    """The engine was not asked, so its answer is unknown; `words` say why.

    `kind`: the process could not be started (start), or such pairs have ended it too often before (given up).
    """

    kind: Literal["start", "given up"]
    words: str


Answer = EngineAnswer | Unsupported | Failed | NotAsked


class Speaks(StrEnum):
    """The kind of answer that an engine gives."""

    DISTANCE = "distance"
    CONTACTS = "contacts"
    """The engine gives contacts, and usually nothing for bodies apart."""


class Design(StrEnum):
    """The ways in which an engine's answer may differ from the truth by design; `DesignRule` has the bounds."""

    RANGE = "range"
    """The number less the true one is in the sum of the two shapes' `ranges` and `of_size`."""
    SPECULATIVE = "speculative"
    """The engine gives contacts of bodies that are up to `within` apart."""
    MANIFOLD = "manifold"
    """The number of bodies apart is that of a manifold: at least the distance."""
    FACE = "face"
    """A face is preferred to a pair of edges: the number is between the best face's separation and the true one."""
    MOVE = "move"
    """The depth is any whose move along the engine's normal just separates the bodies: after the move they touch."""


class DesignRule(Struct, frozen=True):
    """One rule of an engine, with its name and its bounds in scene units.

    `ranges`: one body's share of the least and the largest difference, by the shape's word; the key `""` is for every
    other shape, without it these have no share. `of_size`: the same in units of that body's bounding radius; both add.
    """

    design: Design
    words: str
    within: float = 0.0
    ranges: dict[str, tuple[float, float]] = {}
    of_size: dict[str, tuple[float, float]] = {}


class Engine(Struct, frozen=True):
    """The properties of an engine by which its answers are judged.

    `tolerance`: the accuracy of its search, as a share of the pair's size (`classes.Allowed`): 1e-6 for doubles, 2e-5
    for single precision. `absolute`: the length in scene units at which its search stops, independent of the sizes; 0
    if there is none. `single`: whether it computes in single precision. `stored_single`: shapes, by their words, whose
    points it stores in single precision although it computes in doubles. `margins`: the largest offset of each shape's
    surface, scene units, by the shape's word; `""` for every other shape. `rounds`: for shapes that it replaces by
    rounded ones, by their words: the distance by which each is shrunk, and the radius of the ball added to it.
    """

    name: str
    version: str = ""
    speaks: Speaks = Speaks.DISTANCE
    tolerance: float = 1e-6
    single: bool = False
    margins: dict[str, float] = {}
    by_design: tuple[DesignRule, ...] = ()
    rounds: dict[str, tuple[float, float]] = {}
    absolute: float = 0.0
    stored_single: tuple[str, ...] = ()
