"""The plane in single precision: the code of the planar algorithms, on cores whose numbers are float32.

SAT, the planes test and the explicit difference take their precision from their input, as GJK and EPA do (`steps`).
Only the choice of a polygon's corners, and the choice among equals by an angle, are in double.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..batch.answers import Reals, sphere_sphere
from ..geometry.elementary import sin_cos
from ..geometry.tolerances import SINGLE
from ..geometry.vec2 import ORIGIN, Vec2, sub, without_z
from ..geometry.vector import frozen
from ..minkowski.plane import nearest_of_pair
from ..pair.cores import FlatCore, PlaneCore, PlanePair
from ..pair.pair import PairScale
from ..sat.plane import sat_of_pair
from ..sat.separating_planes import decides, steps_of_pair
from ..scene import Body, Scene
from ..trace import run
from .bodies import DoubleAnswer, Single, SingleMethod, double_closed_form, found_one, single


class SingleScale(PairScale, frozen=True, eq=False):
    """The scale of a pair with the tolerances of float32; `answers` computes the touching band."""

    @property
    def rounding(self) -> float:
        """The rounding error of one projection."""
        return SINGLE.rounding * self.extent

    @property
    def tie(self) -> float:
        """Separations closer than this tie: the same as `rounding`."""
        return self.rounding


def single_pair(scene: Scene, *, world_space: bool = False) -> PlanePair:
    """Both cores with every number rounded to float32, relative to A's position or in the world's frame.

    Raises TypeError for shapes of space.
    """
    scale = PairScale.of(scene.a, scene.b)
    larger, extent = single(scale.largest_radius), single(scale.extent)
    at_a, at_b = (_rounded(body.position[:2]) for body in (scene.a, scene.b))
    offset = sub(at_b, at_a)
    places = (at_a, at_b) if world_space else (_rounded(ORIGIN), offset)
    cores = [_core(body, place) for body, place in zip((scene.a, scene.b), places, strict=True)]
    return PlanePair(cores[0], cores[1], offset, SingleScale(frozen(np.array(offset)), larger, 0.0, extent))


def _rounded(vector: Vec2) -> Vec2:
    return (single(vector[0]), single(vector[1]))


def _core(body: Body, place: Vec2) -> PlaneCore:
    """A body's core about `place`, turned in single precision. Raises TypeError for a shape of space."""
    flat, angle = FlatCore.of(body.shape), single(body.angle)
    sine, cosine = sin_cos(angle)
    c, s = single(cosine), single(sine)

    def turned(vector: Vec2) -> Vec2:
        x, y = _rounded(vector)
        return (c * x - s * y, s * x + c * y)

    ring = tuple((x + place[0], y + place[1]) for x, y in map(turned, flat.corners))
    return PlaneCore.of(ring, flat.numbers, tuple(turned(normal) for normal in flat.normals), single(flat.radius))


def plane_runs(scene: Scene, gjk_epa: SingleMethod, *, world_space: bool) -> Iterator[SingleMethod]:
    """Yields the answer of each method of the plane that applies, the one to report first.

    `gjk_epa`: the answer of GJK and EPA. Raises TypeError for shapes of space.
    """
    pair = single_pair(scene, world_space=world_space)
    doubles = PlanePair.of(scene.a, scene.b)
    if not (pair.a.normals or pair.b.normals):
        radius_a, radius_b = (np.array([core.radius]) for core in (pair.a, pair.b))
        yield SingleMethod(
            "closed form", sphere_sphere(radius_a, radius_b, _raised(pair.offset)[:, None]), double_closed_form
        )
    table, wanted = sat_of_pair(pair, ORIGIN), sat_of_pair(doubles, ORIGIN)
    yield _run("SAT", table.separation, without_z(table.normal), wanted.separation, without_z(wanted.normal))
    if decides(pair):
        found, right = (run(steps_of_pair(one, ORIGIN)) for one in (pair, doubles))
        yield _run("planes test", found.gap, found.normal, right.gap, right.normal)
    yield gjk_epa
    nearest, exact = (nearest_of_pair(one) for one in (pair, doubles))
    yield _run("explicit hull", nearest.separation, nearest.normal, exact.separation, exact.normal)


def _run(name: str, separation: float, normal: Vec2, wanted: float, way: Vec2) -> SingleMethod:
    double = DoubleAnswer(wanted, frozen(np.array((*way, 0.0))))
    return SingleMethod(name, found_one(Single(separation), _raised(normal)), lambda *_: double)


def _raised(vector: Vec2) -> Reals:
    out: Reals = np.array((*vector, 0.0), dtype=Single)
    return out
