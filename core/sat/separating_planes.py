"""The separating planes test of an engine's manual, as steps.

Two convex polygons overlap unless all points of one lie in front of the plane through an edge of the other. Departures
from the manual: points on the plane are not in front of it, but touch, which is a verdict of its own (the manual calls
them apart); and the gap is that of the best plane, not of the first that separates.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from ..geometry.plane import Line2D
from ..geometry.vec2 import Vec2, add, dot, negated
from ..geometry.vector import dots
from ..pair.cores import PlaneCore, PlanePair
from ..scene import Body
from ..trace import PlanarStep, Steps, run
from ..verdict import Verdict, verdict_of


class PlanesTestStep(PlanarStep, frozen=True):
    """One edge's plane was tried.

    `label`: `A.edge0`; `body`: 0 if the edge is A's, 1 if B's; `edge`: its number. `start`, `end`: its ends, world; the
    front is on the right from start to end. `plane`: world. `numbers`: the vertex numbers of the other polygon's
    corners; `distances`: of these corners from the plane, signed, positive in front. `gap`: the least distance;
    `nearest`: the number of the vertex with that distance. `verdict`: by this plane alone. `apart`: whether this plane
    or an earlier one separates the polygons, so that a yes-or-no test has ended.
    """

    label: str
    body: int
    edge: int
    start: Vec2
    end: Vec2
    plane: Line2D
    numbers: tuple[int, ...]
    distances: tuple[float, ...]
    nearest: int
    gap: float
    verdict: Verdict
    apart: bool


class PlanesTest(Struct, frozen=True):
    """The result of the planes test.

    `best`: the plane with the widest gap. `gap`: its gap. A positive gap is a lower bound of the distance. A negative
    gap is minus the depth, since the shortest way out of two overlapping convex polygons is perpendicular to an edge.
    `first`: the label of the first plane that separates the polygons, or None.
    """

    verdict: Verdict
    best: PlanesTestStep
    gap: float
    first: str | None

    @property
    def normal(self) -> Vec2:
        """The best plane's unit normal, from A to B."""
        outward = self.best.plane.normal
        return outward if self.best.body == 0 else negated(outward)


def decides(pair: PlanePair) -> bool:
    """Whether the planes test decides about the pair: two polygons, or a polygon and a segment, without a radius."""
    return pair.edged and not pair.two_segments


def planes_test_steps(a: Body, b: Body) -> Steps[PlanesTestStep, PlanesTest]:
    """Yields a step for each edge of A, then of B. The first step raises TypeError unless the test `decides`."""
    return (yield from steps_of_pair(PlanePair.of(a, b), a.position[:2]))


def steps_of_pair(pair: PlanePair, origin: Vec2) -> Steps[PlanesTestStep, PlanesTest]:
    """`planes_test_steps` of a pair, in the precision of its numbers. `origin` is added to points for the world frame.

    Raises TypeError unless the test `decides`.
    """
    if not decides(pair):
        raise TypeError(
            "the planes test is about two polygons: a circle has no edges, a border round corners, and two segments on "
            "one line have no edge between them"
        )
    tried: list[PlanesTestStep] = []
    first: str | None = None
    for body, own, other in ((0, pair.a, pair.b), (1, pair.b, pair.a)):
        for k in range(len(own.normals)):
            step = _tried(pair, body, own, other, k, origin, parted=first is not None)
            if step.apart and first is None:
                first = step.label
            yield step
            tried.append(step)
    best = max(tried, key=lambda step: step.gap)
    return PlanesTest(verdict_of(best.gap, pair.scale.touching_band()), best, best.gap, first)


def planes_test(a: Body, b: Body) -> PlanesTest:
    """The result of `planes_test_steps` alone. Raises TypeError unless the test `decides`."""
    return run(planes_test_steps(a, b))


def _tried(
    pair: PlanePair, body: int, own: PlaneCore, other: PlaneCore, k: int, origin: Vec2, *, parted: bool
) -> PlanesTestStep:
    start, end = own.edge(k)
    normal = own.normals[k]
    # Distances are computed relative to A's position: far from the world's origin the plane's world offset has few
    # correct digits.
    distances = dots(other.points - np.array(start), np.array(normal)).tolist()
    gap = min(distances)
    verdict = verdict_of(gap, pair.scale.touching_band())
    return PlanesTestStep(
        label=f"{'AB'[body]}.edge{k}",
        body=body,
        edge=k,
        start=add(start, origin),
        end=add(end, origin),
        plane=Line2D(normal, dot(normal, add(start, origin))),
        numbers=other.numbers,
        distances=tuple(distances),
        nearest=other.numbers[distances.index(gap)],
        gap=gap,
        verdict=verdict,
        apart=parted or verdict is Verdict.SEPARATED,
    )
