"""What an engine said about one pair of bodies, in one convention, and what is known of the engine itself.

The convention: `normal` is a unit vector from A towards B; separations are signed, positive apart, negative
overlapping; points and directions are in the world, lengths in scene units. An adapter translates into it, and the
fields are the keys of its line of JSON, so that `msgspec.convert(json.loads(line), EngineAnswer)` is all that reads
one. A number may be not finite: that is an answer too, and is judged.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from ...geometry.triple import Triple, negated


class EngineContact(Struct, frozen=True):
    """One point of an engine's contact manifold; `separation`: None where it tells no depth."""

    point: Triple
    separation: float | None = None


class EngineAnswer(Struct, frozen=True):
    """What an engine said.

    `separation`: None where it gives no number, as of bodies apart that it tells no contact of. `normal`: as it gives
    it, of any length; None where it tells no direction, as where it would have to be taken from two points closer than
    the engine is good to. `on_a`, `on_b`: its nearest or deepest points, one on each surface, or None. `features`: its
    own names of the features. `us`: the microseconds that its call took. `simplexes`: those of its search for the
    nearest point, if it tells them, as points of A − B, without the bodies' radii where it keeps these apart.
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
        """Its separation, else the least of its contacts; None without a number."""
        if self.separation is not None:
            return self.separation
        return min((one.separation for one in self.contacts if one.separation is not None), default=None)

    @property
    def says_contact(self) -> bool:
        """Whether it names a contact, or a number at all."""
        return bool(self.contacts) or self.separation is not None

    def swapped(self) -> EngineAnswer:
        """The same answer about the pair with A and B exchanged."""
        normal = None if self.normal is None else negated(self.normal)
        simplexes = tuple(tuple(map(negated, simplex)) for simplex in self.simplexes)
        return replace(self, normal=normal, on_a=self.on_b, on_b=self.on_a, simplexes=simplexes)

    @property
    def numbers(self) -> tuple[float, ...]:
        """All numbers that it gave, but the time."""
        rows = [row for row in (self.normal, self.on_a, self.on_b) if row is not None]
        rows += [contact.point for contact in self.contacts]
        rows += [point for simplex in self.simplexes for point in simplex]
        alone = [self.separation, *(contact.separation for contact in self.contacts)]
        return (*(part for row in rows for part in row), *(part for part in alone if part is not None))


class Unsupported(Struct, frozen=True):
    """The engine has no such shape, or no such pair: `shape` names it."""

    shape: str


class Failed(Struct, frozen=True):
    """The engine was asked and gave no answer; `words` say what happened.

    `kind`: the process ended (crash), did not answer in time (hang), wrote what is no answer (garbage), or refused the
    question with a message (error).
    """

    kind: Literal["crash", "hang", "garbage", "error"]
    words: str


class NotAsked(Struct, frozen=True):
    """The question was not put to the engine, so nothing is known of its answer; `words` say why.

    `kind`: the process could not be started (start), or such pairs have ended it too often before (given up).
    """

    kind: Literal["start", "given up"]
    words: str


Answer = EngineAnswer | Unsupported | Failed | NotAsked


class Speaks(StrEnum):
    """What an engine's number means."""

    DISTANCE = "distance"
    CONTACTS = "contacts"
    """It tells contacts, and of bodies apart as a rule nothing."""


class Design(StrEnum):
    """How an engine's answer may differ from the truth by design; `DesignRule` has the bounds."""

    RANGE = "range"
    """The number less the true one lies in the sum of the two shapes' `ranges` and `of_size`."""
    SPECULATIVE = "speculative"
    """Contacts of bodies that are up to `within` apart."""
    MANIFOLD = "manifold"
    """Of bodies apart the number is that of a manifold: no less than the distance."""
    FACE = "face"
    """A face is preferred to a pair of edges: the number lies between what the best face proves and the true one."""
    MOVE = "move"
    """Any depth whose move along the engine's normal just separates the bodies: after it they touch."""


class DesignRule(Struct, frozen=True):
    """One rule of an engine, with its name and its bounds in scene units.

    `ranges`: least and most by the shape's word, one body's share; `""` for every other shape, else none.
    `of_size`: the same in units of that body's bounding radius; both add up.
    """

    design: Design
    words: str
    within: float = 0.0
    ranges: dict[str, tuple[float, float]] = {}
    of_size: dict[str, tuple[float, float]] = {}


class Engine(Struct, frozen=True):
    """What the judge has to know of an engine.

    `tolerance`: what its search is good to, as a share of the pair's size (`classes.Allowed`): 1e-6 for doubles, 2e-5
    for single precision. `absolute`: the length in scene units at which its search stops, whatever the sizes are; 0
    where none is known. `single`: whether it works in single precision. `stored_single`: shapes, by their words, whose
    points it keeps in single precision although it computes in doubles. `margins`: how far each shape's surface may
    stand off, scene units, by the shape's word; `""` for every other shape. `rounds`: what it tests in place of some
    shapes, by their words: how far each is drawn in, and the radius of the ball added to it.
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
