"""Random pairs of bodies in 3D or 2D: any two shapes, randomly rotated, as likely to overlap as not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import pi

import numpy as np
from msgspec.structs import replace

from ...analysis.analysis import separation_of
from ...geometry.elementary import sin_cos
from ...geometry.quaternion import Quaternion, normalized
from ...geometry.triple import Triple, triple
from ...geometry.vector import length
from ...pair.pair import half_space_of
from ...scene import Body, Scene
from ...shapes import Box, Capsule, Circle, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Polygon, Shape, Sphere

HALVINGS = 12
"""The number of bisections for the distance at which the bodies touch; the error is far below NEAR."""

NEAR = 0.35
"""Bodies are placed at 1 - NEAR to 1 + NEAR times the distance at which they touch; they overlap if it is below 1."""


def _reals(rng: np.random.Generator, count: int) -> list[float]:
    """Random sizes from 0.5 to 1.5, rounded to three decimals."""
    return [round(float(value), 3) for value in rng.uniform(0.5, 1.5, count)]


def _box(rng: np.random.Generator) -> Shape:
    x, y, z = _reals(rng, 3)
    return Box((2.0 * x, 2.0 * y, 2.0 * z))


def _ellipsoid(rng: np.random.Generator) -> Shape:
    x, y, z = _reals(rng, 3)
    return Ellipsoid((x, y, z))


def _hull(rng: np.random.Generator) -> Shape:
    """A hull of twelve points near a unit sphere about the position."""
    points = rng.normal(size=(12, 3))
    points *= (rng.uniform(0.7, 1.3, 12) / np.sqrt((points * points).sum(axis=1)))[:, None]
    return Hull.of(np.round(points, 3))


def _polygon(rng: np.random.Generator) -> Shape:
    """The convex polygon of three to eight points near a unit circle about the position."""
    count = int(rng.integers(3, 9))
    angles = 2.0 * pi / count * (np.arange(count) + rng.uniform(-0.2, 0.2, count))
    radii = rng.uniform(0.7, 1.3, count)
    ways = [sin_cos(at) for at in angles.tolist()]
    return Polygon.hull_of([(round(r * c, 3), round(r * s, 3)) for r, (s, c) in zip(radii.tolist(), ways, strict=True)])


MAKERS: dict[str, Callable[[np.random.Generator], Shape]] = {
    "box": _box,
    "sphere": lambda rng: Sphere(*_reals(rng, 1)),
    "capsule": lambda rng: Capsule(0.5 * _reals(rng, 1)[0], 2.0 * _reals(rng, 1)[0]),
    "cylinder": lambda rng: Cylinder(_reals(rng, 1)[0], 2.0 * _reals(rng, 1)[0]),
    "cone": lambda rng: Cone(_reals(rng, 1)[0], 2.0 * _reals(rng, 1)[0]),
    "ellipsoid": _ellipsoid,
    "hull": _hull,
    "halfspace": lambda _: HalfSpace((0.0, 1.0, 0.0), 0.0),
}
"""Makers of random 3D shapes, by the shape's name in files."""

FLAT_MAKERS: dict[str, Callable[[np.random.Generator], Shape]] = {
    "polygon": _polygon,
    "circle": lambda rng: Circle(*_reals(rng, 1)),
}
"""Makers of random 2D shapes, by the shape's name in files."""


def random_pair(rng: np.random.Generator, kinds: Sequence[str] = tuple(MAKERS)) -> Scene:
    """A scene with two bodies, each of any of the `kinds` (names of MAKERS); they overlap with probability 1/2.

    B is placed on a random line through A's position, a little nearer or farther than where the bodies touch. With a
    half-space, the line is along its normal. Raises ValueError if no pair can be made of the kinds.
    """
    bounded = [kind for kind in kinds if kind != "halfspace"]
    _check(kinds, MAKERS, bounded)
    first = kinds[int(rng.integers(len(kinds)))]
    rest = bounded if first == "halfspace" else kinds
    second = rest[int(rng.integers(len(rest)))]
    a = Body(MAKERS[first](rng), rotation=_turn(rng))
    b = Body(MAKERS[second](rng), rotation=_turn(rng))
    return _near_touching(rng, Scene(a, b, "Random pair"), _random_direction(rng, a, b))


def random_flat_pair(rng: np.random.Generator, kinds: Sequence[str] = tuple(FLAT_MAKERS)) -> Scene:
    """As `random_pair`, with two 2D bodies. `kinds`: names of FLAT_MAKERS.

    Raises ValueError for no kinds and for unknown ones.
    """
    _check(kinds, FLAT_MAKERS, kinds)
    a, b = (
        Body(FLAT_MAKERS[kinds[int(rng.integers(len(kinds)))]](rng), angle=float(rng.uniform(-pi, pi)))
        for _ in range(2)
    )
    return _near_touching(rng, Scene(a, b, "Random pair"), _random_flat_direction(rng))


def pair_at(rng: np.random.Generator, kinds: tuple[str, str], factor: float) -> Scene:
    """A pair of two kinds, both names of MAKERS or both of FLAT_MAKERS, at `factor` times the distance of touching.

    A is at the origin and B on a random line through it. Below `factor` 1 the bodies overlap, above it they are apart;
    at 1 they touch, to about a ten-thousandth of the distance. Raises KeyError for other names, ValueError for two
    half-spaces.
    """
    if kinds[0] in FLAT_MAKERS:
        a, b = (Body(FLAT_MAKERS[kind](rng), angle=float(rng.uniform(-pi, pi))) for kind in kinds)
        line = _random_flat_direction(rng)
    else:
        a, b = (Body(MAKERS[kind](rng), rotation=_turn(rng)) for kind in kinds)
        line = _random_direction(rng, a, b)
    scene = Scene(a, b, "Random pair")
    return _at(scene, line, factor * _touching_distance(scene, line))


def _check(kinds: Sequence[str], makers: Mapping[str, object], bounded: Sequence[str]) -> None:
    unknown = [kind for kind in kinds if kind not in makers]
    if unknown or not bounded:
        raise ValueError(f"There is no random pair of {' and '.join(unknown or kinds) or 'nothing'}.")


def _turn(rng: np.random.Generator) -> Quaternion:
    w, x, y, z = (float(value) for value in rng.normal(size=4))
    return normalized((w, x, y, z))


def _random_direction(rng: np.random.Generator, a: Body, b: Body) -> Triple:
    """A random unit direction from A to B; for a pair with a half-space, along its normal."""
    found = half_space_of(a, b)
    if found is not None:
        return triple(found.side * found.space.pose.direction_to_world(found.plane.normal))
    way = rng.normal(size=3)
    return triple(way / length(way))


def _random_flat_direction(rng: np.random.Generator) -> Triple:
    """A random unit direction (x, y, 0)."""
    sine, cosine = sin_cos(float(rng.uniform(-pi, pi)))
    return cosine, sine, 0.0


def _near_touching(rng: np.random.Generator, scene: Scene, direction: Triple) -> Scene:
    """The scene with B a little nearer or farther along the direction than where the bodies touch."""
    touch = _touching_distance(scene, direction)
    factor = 1.0 + NEAR * float(rng.uniform(0.05, 1.0)) * (1.0 if rng.random() < 0.5 else -1.0)
    return _at(scene, direction, factor * touch)


def _at(scene: Scene, direction: Triple, distance: float) -> Scene:
    x, y, z = (round(distance * part, 4) for part in direction)
    return replace(scene, b=replace(scene.b, position=(x, y, z)))


def _touching_distance(scene: Scene, direction: Triple) -> float:
    """The distance of B from A along the direction at which the bodies touch; they overlap at distance 0."""
    inside, outside = 0.0, 1.0
    while separation_of(_at(scene, direction, outside)) <= 0.0:
        inside, outside = outside, 2.0 * outside
    for _ in range(HALVINGS):
        middle = 0.5 * (inside + outside)
        if separation_of(_at(scene, direction, middle)) <= 0.0:
            inside = middle
        else:
            outside = middle
    return outside
