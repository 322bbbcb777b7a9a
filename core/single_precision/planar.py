"""The plane in single precision: the planar algorithms' own lines, on cores whose numbers are float32.

SAT, the planes test, the explicit difference and EPA take their precision from the numbers they are given; GJK is the
batch's, in the plane z = 0, whose tolerances know the precision. What is not single: which points are a polygon's
corners, and the choice among equals by an angle or a length.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, sin
from typing import Any, cast

import numpy as np
from msgspec import Struct

from ..algorithms.closed_form import closed_form
from ..algorithms.epa import EpaSettings
from ..algorithms.pair import PairScale
from ..batch.answers import Found, Reals, Scale
from ..batch.gjk import gjk
from ..batch.rounds import sphere_sphere
from ..batch.supports import Rows
from ..flat import FlatScene
from ..geometry.tolerances import EPS, ROUNDING
from ..geometry.vector import frozen
from ..planar.epa import epa2
from ..planar.gjk_epa import signed_distance2
from ..planar.minkowski import nearest_of_pair
from ..planar.pair import Core2, Pair2
from ..planar.planes_test import steps_of_pair
from ..planar.sat import sat_of_pair
from ..planar.scene import Body2, Scene2
from ..planar.shapes import Circle
from ..planar.support import Difference2
from ..planar.vec2 import ORIGIN, Vec2, sub
from ..scene import Body
from ..trace import run
from .bodies import Single
from .found import DoubleAnswer, Run, found_one

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


def flat_runs(scene: FlatScene, scale: Scale, *, world_space: bool) -> list[Run]:
    """Every method of the plane that applies, the one to quote first."""
    planar = scene.planar
    pair = single_pair(planar, float(scale.larger[0]), float(scale.extents[0]), world_space=world_space)
    return list(_runs(pair, Pair2.of(planar.a, planar.b), scale))


def single_pair(scene: Scene2, larger: float, extent: float, *, world_space: bool = False) -> Pair2:
    """Both cores with every number rounded to float32: relative to A's position, or in the world's frame."""
    at_a, at_b = (_rounded(body.position) for body in (scene.a, scene.b))
    offset = sub(at_b, at_a)
    places = (at_a, at_b) if world_space else (_rounded(ORIGIN), offset)
    cores = [_core(body, place) for body, place in zip((scene.a, scene.b), places, strict=True)]
    return Pair2(cores[0], cores[1], offset, SingleScale(frozen(np.array(offset)), larger, 0.0, extent))


def _single(value: float) -> float:
    """The nearest float32; the planar algorithms take it for any other number, and stay with it."""
    rounded: Any = Single(value)
    return cast("float", rounded)


def _rounded(vector: Vec2) -> Vec2:
    return (_single(vector[0]), _single(vector[1]))


def _core(body: Body2, place: Vec2) -> Core2:
    """A body's core about `place`, turned in single precision."""
    if isinstance(body.shape, Circle):
        return Core2.of((place,), (0,), (), _single(body.shape.radius))
    angle = _single(body.rotation)
    c, s = _single(cos(angle)), _single(sin(angle))

    def turned(vector: Vec2) -> Vec2:
        x, y = _rounded(vector)
        return (c * x - s * y, s * x + c * y)

    numbers = body.shape.ring
    corners = [turned(body.shape.points[number]) for number in numbers]
    ring = tuple((x + place[0], y + place[1]) for x, y in corners)
    return Core2.of(ring, numbers, tuple(turned(normal) for normal in body.shape.normals), _single(0.0))


def _runs(pair: Pair2, doubles: Pair2, scale: Scale) -> Iterator[Run]:
    if not (pair.a.normals or pair.b.normals):
        radius_a, radius_b = (np.array([core.radius]) for core in (pair.a, pair.b))
        yield Run("closed form", sphere_sphere(radius_a, radius_b, _raised(pair.offset)[:, None]), _closed_form)
    table, wanted = sat_of_pair(pair, ORIGIN), sat_of_pair(doubles, ORIGIN)
    yield _run("SAT", table.separation, table.normal, wanted.separation, wanted.normal)
    if pair.a.normals and pair.b.normals:
        found, right = (run(steps_of_pair(one, ORIGIN)) for one in (pair, doubles))
        yield _run("planes test", found.gap, found.normal, right.gap, right.normal)
    yield Run("GJK and EPA", _gjk_and_epa(pair, scale), lambda *_: _closing(doubles))
    nearest, exact = (nearest_of_pair(one) for one in (pair, doubles))
    yield _run("explicit hull", nearest.separation, nearest.normal, exact.separation, exact.normal)


def _run(name: str, separation: float, normal: Vec2, wanted: float, way: Vec2) -> Run:
    double = DoubleAnswer(wanted, frozen(np.array((*way, 0.0))))
    return Run(name, found_one(Single(separation), _raised(normal)), lambda *_: double)


def _raised(vector: Vec2) -> Reals:
    out: Reals = np.array((*vector, 0.0), dtype=Single)
    return out


class _Supports(Struct, frozen=True, eq=False):
    """The difference of two cores as the batch asks for it: one row, in the plane z = 0."""

    difference: Difference2

    def __call__(self, directions: Reals, rows: Rows) -> Reals:
        """See core.batch.supports.Supports."""
        points = [(*self.difference.support((x, y)).w, 0.0) for x, y, _ in directions[: len(rows)]]
        return np.array(points, dtype=Single).reshape(-1, 3)


def _gjk_and_epa(pair: Pair2, scale: Scale) -> Found:
    """GJK, continued by EPA where it does not prove the cores apart."""
    difference = difference_of(pair)
    apart = gjk(_Supports(difference), _raised(pair.offset)[None], scale)
    radius = Single(difference.radius)
    found = found_one(apart.upper[0] - radius, apart.normals[0], float(apart.upper[0] - apart.lower[0]))
    if not apart.overlapping[0] and apart.lower[0] > 0.0:
        return found
    first = difference.support(pair.offset if any(pair.offset) else _rounded((1.0, 0.0)))
    deep = epa2(difference, (first,), EpaSettings(gap=ROUNDING * SPACING))
    if deep.upper < 0.0 and not apart.overlapping[0]:
        return found
    return found_one(Single(-deep.upper) - radius, _raised(deep.normal), float(deep.gap))


def difference_of(pair: Pair2) -> Difference2:
    """What GJK and EPA ask about two cores."""
    return Difference2(pair.a, pair.b, pair.offset, pair.scale.larger, pair.scale.extent)


def _closing(pair: Pair2) -> DoubleAnswer:
    found = signed_distance2(difference_of(pair))
    return DoubleAnswer(found.separation, frozen(np.array((*found.normal, 0.0))))


def _closed_form(a: Body, b: Body) -> DoubleAnswer:
    found = closed_form(a, b)
    assert found is not None
    return DoubleAnswer(found.separation, found.normal)
