"""Records of an engine's answer about one pair of bodies, in one convention for all engines, and of the engine itself.

The convention: `normal` points from A towards B; separations are signed, positive apart, negative overlapping; points
and directions are in the world frame, lengths in scene units. An adapter translates an engine's answer into this
convention. The fields are the keys of the adapter's line of JSON: `msgspec.convert(json.loads(line), EngineAnswer)`
reads it. Numbers that are not finite are allowed; they are judged as a failure.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from ...geometry.triple import Triple, negated


class EngineContact(Struct, frozen=True):
    """One point of an engine's contact manifold. `separation`: signed there, None if the engine gives no depth."""

    point: Triple
    separation: float | None = None


class EngineAnswer(Struct, frozen=True):
    """The answer of an engine.

    `separation`: signed; None if the engine gives no number, such as for bodies apart without contacts. `normal`: as
    the engine gives it, of any length; None without a direction, for instance if it would come from two points closer
    than the engine's accuracy. `on_a`, `on_b`: the nearest or deepest points, one on each surface, or None.

    `features`: the engine's own names of the features, or None. `us`: the duration of the call, microseconds.
    `simplexes`: the successive simplexes of the engine's search for the nearest point, each as points of A − B; empty
    if the engine does not give them. Radii that the engine adds after its search are not in these points.
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
        """The answer's separation, else the least separation of its contacts; None without either."""
        if self.separation is not None:
            return self.separation
        return min((one.separation for one in self.contacts if one.separation is not None), default=None)

    def swapped(self) -> EngineAnswer:
        """The same answer about the pair with A and B exchanged."""
        normal = None if self.normal is None else negated(self.normal)
        simplexes = tuple(tuple(map(negated, simplex)) for simplex in self.simplexes)
        return replace(self, normal=normal, on_a=self.on_b, on_b=self.on_a, simplexes=simplexes)

    @property
    def numbers(self) -> tuple[float, ...]:
        """All numbers of the answer except the duration."""
        rows = [row for row in (self.normal, self.on_a, self.on_b) if row is not None]
        rows += [contact.point for contact in self.contacts]
        rows += [point for simplex in self.simplexes for point in simplex]
        alone = [self.separation, *(contact.separation for contact in self.contacts)]
        return (*(part for row in rows for part in row), *(part for part in alone if part is not None))


class Unsupported(Struct, frozen=True):
    """The engine does not support a shape, or a pair of shapes. `shape`: its name, in words."""

    shape: str


class Failed(Struct, frozen=True):
    """The engine was asked and gave no answer. `words`: a description of the failure.

    `kind`: "crash" if the process ended, "hang" if it did not answer in time, "garbage" if it wrote no valid answer,
    "error" if it refused the question with a message.
    """

    kind: Literal["crash", "hang", "garbage", "error"]
    words: str


class NotAsked(Struct, frozen=True):
    """The engine was not asked, so its answer is unknown. `words`: the reason.

    `kind`: "start" if the process could not be started, "given up" if such pairs have ended it too often before.
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
    """The number minus the true one is in a range: the sum of both shapes' `ranges` and `of_size`."""
    SPECULATIVE = "speculative"
    """The engine gives contacts for bodies that are up to `within` apart."""
    MANIFOLD = "manifold"
    """For bodies apart, the number is that of a contact manifold: at least the true distance."""
    FACE = "face"
    """The engine prefers faces to pairs of edges: the number is between the best face's separation and the true one."""
    MOVE = "move"
    """The depth is not the least one: the bodies touch after a move of this length along the engine's normal."""


class DesignRule(Struct, frozen=True):
    """One rule by which an engine's answer may differ from the truth.

    `words`: the rule in words. `within`: see `Design.SPECULATIVE`, scene units. `ranges`: for `Design.RANGE`, each
    body's part of the least and the largest difference, scene units, by the shape's word. The key `""` is for every
    other shape; without this key, another shape adds nothing. `of_size`: the same in units of the body's bounding
    radius. Both are added.
    """

    design: Design
    words: str
    within: float = 0.0
    ranges: dict[str, tuple[float, float]] = {}
    of_size: dict[str, tuple[float, float]] = {}


class Engine(Struct, frozen=True):
    """The properties of an engine by which its answers are judged.

    `tolerance`: the accuracy of its search, as a share of the pair's size (`classes.Allowed`): 1e-6 for doubles, 2e-5
    for single precision. `single`: whether it computes in single precision. `margins`: the largest offset of each
    shape's surface, scene units, by the shape's word; `""` for every other shape. `by_design`: its rules for answers
    that differ from the truth. `rounds`: the shapes that it replaces by rounded ones, by their words: the distance by
    which each is shrunk, and the radius of the ball added to it, scene units.

    `absolute`: the length, scene units, at which its search stops, independent of the sizes; 0 if there is none.
    `stored_single`: the words of shapes whose points it stores in single precision although it computes in doubles.
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
