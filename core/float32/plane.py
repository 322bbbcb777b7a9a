"""The plane in single precision: the planar algorithms' own lines, on cores whose numbers are float32.

SAT, the planes test, the explicit difference and EPA take their precision from the numbers they are given; GJK is the
batch's, in the plane z = 0, whose tolerances know the precision. What is not single: which points are a polygon's
corners, and the choice among equals by an angle or a length.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import numpy as np
from msgspec import Struct

from ..batch.answers import Found, Reals, Scale, sphere_sphere
from ..batch.gjk import Rows, gjk
from ..geometry.elementary import sin_cos
from ..geometry.tolerances import EPS, ROUNDING
from ..geometry.triple import Triple
from ..geometry.vec2 import ORIGIN, Vec2, dropped, negated, sub
from ..geometry.vector import dots, frozen
from ..gjk.epa import EpaSettings
from ..gjk.plane_epa import epa_polygon
from ..minkowski.plane import nearest_of_pair
from ..pair.cores import FlatCore, PlaneCore, PlanePair
from ..pair.pair import PairScale
from ..pair.support import Difference, DifferencePoint, Support
from ..sat.plane import sat_of_pair
from ..sat.separating_planes import steps_of_pair
from ..scene import Body, Scene
from ..trace import run
from .bodies import DoubleAnswer, Run, Single, double_closed_form, double_gjk_and_epa, found_one

SPACING = 2.0**-23 / EPS
"""How much coarser float32 is than a double."""


class SingleScale(PairScale, frozen=True, eq=False):
    """The scale of a pair whose tolerances are counted in the spacing of float32; the touching band is `Scale`'s."""

    @property
    def rounding(self) -> float:
        """What one projection may be off by."""
        return ROUNDING * SPACING * self.extent

    @property
    def tie(self) -> float:
        """Closer separations are all rounding."""
        return self.rounding


def plane_runs(scene: Scene, scale: Scale, *, world_space: bool) -> list[Run]:
    """Every method of the plane that applies, the one to quote first."""
    pair = single_pair(scene, float(scale.larger[0]), float(scale.extents[0]), world_space=world_space)
    return list(_runs(pair, scene, scale))


def single_pair(scene: Scene, larger: float, extent: float, *, world_space: bool = False) -> PlanePair:
    """Both cores with every number rounded to float32: relative to A's position, or in the world's frame."""
    at_a, at_b = (_rounded(body.position[:2]) for body in (scene.a, scene.b))
    offset = sub(at_b, at_a)
    places = (at_a, at_b) if world_space else (_rounded(ORIGIN), offset)
    cores = [_core(body, place) for body, place in zip((scene.a, scene.b), places, strict=True)]
    return PlanePair(cores[0], cores[1], offset, SingleScale(frozen(np.array(offset)), larger, 0.0, extent))


def _single(value: float) -> float:
    """The nearest float32; the planar algorithms take it for any other number, and stay with it."""
    rounded: Any = Single(value)
    return cast("float", rounded)


def _rounded(vector: Vec2) -> Vec2:
    return (_single(vector[0]), _single(vector[1]))


def _core(body: Body, place: Vec2) -> PlaneCore:
    """A body's core about `place`, turned in single precision."""
    flat, angle = FlatCore.of(body.shape), _single(body.angle)
    sine, cosine = sin_cos(angle)
    c, s = _single(cosine), _single(sine)

    def turned(vector: Vec2) -> Vec2:
        x, y = _rounded(vector)
        return (c * x - s * y, s * x + c * y)

    ring = tuple((x + place[0], y + place[1]) for x, y in map(turned, flat.corners))
    return PlaneCore.of(ring, flat.numbers, tuple(turned(normal) for normal in flat.normals), _single(flat.radius))


def _runs(pair: PlanePair, scene: Scene, scale: Scale) -> Iterator[Run]:
    doubles = PlanePair.of(scene.a, scene.b)
    if not (pair.a.normals or pair.b.normals):
        radius_a, radius_b = (np.array([core.radius]) for core in (pair.a, pair.b))
        yield Run("closed form", sphere_sphere(radius_a, radius_b, _raised(pair.offset)[:, None]), double_closed_form)
    table, wanted = sat_of_pair(pair, ORIGIN), sat_of_pair(doubles, ORIGIN)
    yield _run("SAT", table.separation, dropped(table.normal), wanted.separation, dropped(wanted.normal))
    if pair.sharp:
        found, right = (run(steps_of_pair(one, ORIGIN)) for one in (pair, doubles))
        yield _run("planes test", found.gap, found.normal, right.gap, right.normal)
    yield Run("GJK and EPA", _gjk_and_epa(pair, scale), double_gjk_and_epa)
    nearest, exact = (nearest_of_pair(one) for one in (pair, doubles))
    yield _run("explicit hull", nearest.separation, nearest.normal, exact.separation, exact.normal)


def _run(name: str, separation: float, normal: Vec2, wanted: float, way: Vec2) -> Run:
    double = DoubleAnswer(wanted, frozen(np.array((*way, 0.0))))
    return Run(name, found_one(Single(separation), _raised(normal)), lambda *_: double)


def _raised(vector: Vec2) -> Reals:
    out: Reals = np.array((*vector, 0.0), dtype=Single)
    return out


class _SingleDifference(Difference, frozen=True, eq=False):
    """The difference of two cores whose numbers are float32; circles are centres, their radii kept apart."""

    def support(self, direction: Triple) -> DifferencePoint:
        """The farthest point; its `xyz` are float32."""
        way = direction[:2]
        a, b = self.a.support(direction), self.b.support((*negated(way), 0.0))
        x, y = sub(a.xyz[:2], b.xyz[:2])
        return DifferencePoint(a.xyz, b.xyz, a.vertex, b.vertex, (*way, 0.0), (x + 0.0, y + 0.0, 0.0))


class _SingleCorners(Struct, frozen=True, eq=False):
    """A core's corners; of equally far ones the first listed."""

    core: PlaneCore

    def support(self, direction: Triple) -> Support:
        """See SupportMap."""
        number = self.core.listed_numbers[int(dots(self.core.listed, np.array(direction[:2])).argmax())]
        return Support((*self.core.corner(number), 0.0), number)


class _Supports(Struct, frozen=True, eq=False):
    """The difference of two cores as the batch asks for it: one row, in the plane z = 0."""

    difference: Difference

    def __call__(self, directions: Reals, rows: Rows) -> tuple[Reals, Rows]:
        """See core.batch.gjk.Supports; nobody asks for the cores' points."""
        points = [self.difference.support((x, y, 0.0)).xyz for x, y, _ in directions.T]
        return np.array(points, dtype=Single).reshape(-1, 3).T, np.zeros_like(rows)


def _gjk_and_epa(pair: PlanePair, scale: Scale) -> Found:
    """GJK, continued by EPA where it does not prove the cores apart."""
    a, b, scales = _SingleCorners(pair.a), _SingleCorners(pair.b), (pair.scale.larger, pair.scale.extent)
    difference = _SingleDifference(a, b, (*pair.offset, 0.0), *scales, pair.a.radius, pair.b.radius, dimension=2)
    apart = gjk(_Supports(difference), _raised(pair.offset)[:, None], scale)
    radius = Single(difference.radius)
    found = found_one(apart.upper[0] - radius, apart.normals[:, 0], float(apart.upper[0] - apart.lower[0]))
    if not apart.overlapping[0] and apart.lower[0] > 0.0:
        return found
    first = difference.support((*(pair.offset if any(pair.offset) else _rounded((1.0, 0.0))), 0.0))
    deep = epa_polygon(difference, (first,), EpaSettings(gap=ROUNDING * SPACING))
    if deep.upper < 0.0 and not apart.overlapping[0]:
        return found
    return found_one(Single(-deep.upper) - radius, deep.normal.astype(Single), float(deep.gap))
