"""Names of the points of A − B that GJK and EPA find: w₀, w₁ and so on in the order of their discovery.

A point keeps its name from GJK's first step to EPA's last, in pictures, words and formulas. A corner that is found
again gets its old name. The points of the ray cast along a motion are numbered by themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from core.gjk.epa import EpaStep
from core.gjk.gjk import GjkStep
from core.gjk.plane_epa import EpaPolygonStep
from core.pair.support import DifferencePoint, Support
from core.query.query import GJK_EPA, MotionStep, Phase, Query
from core.rays.raycast import GjkRaycastStep
from core.scene import Scene
from core.toi.ray import DifferenceSupport

from ..words.expression import Symbol
from ..words.names import difference_name, numbered

COUNTED = (GJK_EPA, (Phase.RAY,))
"""Groups of phases whose points are numbered together; the points of other phases have no numbers."""

Point = DifferencePoint | Support


class PointNames(Struct, frozen=True, eq=False):
    """The numbers of the points that some phases find, by the points' keys; a point without a number is called `w`."""

    numbers: Mapping[object, int]

    def number(self, point: Point) -> int | None:
        """The point's number by discovery, from 0; None if these phases did not find it."""
        return self.numbers.get(_key(point))

    def name(self, point: Point) -> str:
        """`w₃`."""
        return numbered("w", self.number(point))

    def symbol(self, point: Point) -> Symbol:
        """The point's name in a formula."""
        number = self.number(point)
        return Symbol("w", "" if number is None else str(number))

    def of(self, points: Iterable[Point]) -> list[str]:
        """The names of several points."""
        return [self.name(point) for point in points]

    def numbered(self, points: Sequence[DifferencePoint]) -> list[tuple[int | None, DifferencePoint]]:
        """The points, each after its number; None for a point that these phases did not find."""
        return [(self.number(point), point) for point in points]

    def words(self, scene: Scene, point: DifferencePoint) -> str:
        """`w₃ = a₁ − b₅`; for a point of two curved surfaces the name alone."""
        if point.vertex_a < 0 and point.vertex_b < 0:
            return self.name(point)
        return f"{self.name(point)} = {difference_name(scene, point, self.number(point))}"


@lru_cache(maxsize=16)
def point_names(query: Query, phase: Phase) -> PointNames:
    """The names that the points of a phase's steps have."""
    numbers: dict[object, int] = {}
    together = next((phases for phases in COUNTED if phase in phases), ())
    for moment in query.moments:
        if moment.phase in together:
            for point in _found_by(moment.step):
                numbers.setdefault(_key(point), len(numbers))
    return PointNames(numbers)


def _found_by(step: object) -> Iterator[Point]:
    """Yields the points that a step begins with, then the support point that it finds; nothing for other algorithms."""
    if isinstance(step, MotionStep):
        step = step.motion
    if isinstance(step, (GjkStep, GjkRaycastStep)):
        yield from step.simplex
    elif isinstance(step, (EpaStep, EpaPolygonStep)):
        yield from step.vertices
    else:
        return
    if step.support is not None:
        yield step.support


def _key(point: Point) -> object:
    """The key of a point: its source vertices, and its coordinates if one of its sources lies on a curved surface."""
    assert isinstance(point, (DifferencePoint, DifferenceSupport))
    curved = point.vertex_a < 0 or point.vertex_b < 0
    return point.vertex_a, point.vertex_b, point.xyz if curved else None
