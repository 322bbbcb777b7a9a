"""Pairs of any two shapes to judge answers by: eight families, from any pose to touching, tiny, huge and far ones.

Each scene comes with a direction, so that its truth can be known without any algorithm: along it, B's farthest point
was laid on A's, a known gap beyond. Whoever judges projects both bodies on it; nothing else here is relied upon.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core import Body, Box, HalfSpace, Scene
from core.geometry.quaternion import IDENTITY, Quaternion, from_axis_angle, multiply, normalized
from tests.oracles import axes_of
from tests.shape_truths import TRUTHS, truth_of
from tests.strategies import ANGLES, CUBE_TURNS, GAPS, WORLD_AXES, moved, random_rotation, scaled, triple

Kind = str
"""A shape's name in files."""

MADE = {truth.kind: truth for truth in TRUTHS.values() if "drawn" in vars(truth)}
KINDS: tuple[Kind, ...] = tuple(MADE)

NICE = (0.25, 0.5, 1.0, 2.0)
"""Sizes that let faces, edges and corners meet exactly."""


class Posed(Struct, frozen=True):
    """A scene, and the unit direction (3,) along which it was put together, from A towards B."""

    scene: Scene
    direction: np.ndarray


Family = Callable[[Kind, Kind, np.random.Generator], Posed]


def some_body(kind: Kind, rng: np.random.Generator, turn: Quaternion, *, nice: bool) -> Body:
    """A body of size about 1 at the origin; one in eight is up to 1 to 100 in its sizes."""
    spread = 3.0 if rng.random() < 0.875 else 100.0

    def draw() -> float:
        return float(rng.choice(NICE)) if nice else float(spread ** -rng.random())

    while True:
        try:
            return Body(MADE[kind].drawn(rng, draw), (0.0, 0.0, 0.0), turn)
        except ValueError:  # the hull's points happen to be flat
            continue


def _direction(a: Body, b: Body, wanted: Any) -> np.ndarray:
    """`wanted` (3,) as a unit vector, or the only direction in which a half-space ends."""
    for body, sign in ((a, 1.0), (b, -1.0)):
        if isinstance(body.shape, HalfSpace):
            wanted = sign * axes_of(body) @ np.array(body.shape.normal)
    return np.asarray(wanted) / np.linalg.norm(wanted)


def _farthest(body: Body, direction: np.ndarray) -> np.ndarray:
    """The body's farthest point (3,) along a direction, about its position."""
    if isinstance(body.shape, HalfSpace):
        return direction * body.shape.offset / float(np.linalg.norm(body.shape.normal))
    return body.pose.matrix @ body.shape.support(body.pose.matrix.T @ direction)


def placed(a: Body, b: Body, direction: np.ndarray, gap: float) -> Posed:
    """B with its farthest point against `direction` on A's farthest along it, `gap` beyond."""
    offset = _farthest(a, direction) - _farthest(b, -direction) + gap * direction
    return Posed(Scene(a, moved(b, offset)), direction)


def size_of_pair(a: Body, b: Body) -> float:
    return max(truth_of(a.shape).size(), truth_of(b.shape).size())


def general(first: Kind, second: Kind, rng: np.random.Generator) -> Posed:
    """Any sizes, turns and offset, about half of them overlapping."""
    a, b = (some_body(kind, rng, random_rotation(rng), nice=False) for kind in (first, second))
    direction = _direction(a, b, rng.normal(size=3))
    return placed(a, b, direction, float(rng.uniform(-1.0, 0.6)) * size_of_pair(a, b))


def _lattice(a: Body, b: Body, rng: np.random.Generator, start: Quaternion) -> Posed:
    """B at a point of a lattice in the common frame, or laid against A along one of its axes."""
    frame = Body(Box((1.0, 1.0, 1.0)), rotation=start).pose.matrix
    direction = _direction(a, b, frame @ np.array(WORLD_AXES[rng.integers(3)]) * rng.choice((-1.0, 1.0)))
    if rng.random() < 0.3:
        return placed(a, b, direction, float(rng.choice((0.0, -0.25, 0.25))))
    return Posed(Scene(a, moved(b, frame @ rng.choice((-1.0, -0.5, -0.25, 0.0, 0.25, 0.5, 1.0), size=3))), direction)


def aligned(first: Kind, second: Kind, rng: np.random.Generator) -> Posed:
    """Sizes, turns and offsets that make features parallel and coincident; one in three turned as one."""
    start = random_rotation(rng) if rng.random() < 1 / 3 else IDENTITY
    turns = [normalized(multiply(start, CUBE_TURNS[rng.integers(24)])) for _ in range(2)]
    a, b = (some_body(kind, rng, turn, nice=True) for kind, turn in zip((first, second), turns, strict=True))
    return _lattice(a, b, rng, start)


def near_aligned(first: Kind, second: Kind, rng: np.random.Generator) -> Posed:
    """As `aligned`, with B turned by one to three of ANGLES besides."""
    start = random_rotation(rng) if rng.random() < 0.5 else IDENTITY
    turn = multiply(start, CUBE_TURNS[rng.integers(24)])
    for _ in range(rng.integers(1, 4)):
        axis = triple(rng.normal(size=3)) if rng.random() < 0.3 else WORLD_AXES[rng.integers(3)]
        turn = multiply(turn, from_axis_angle(axis, float(rng.choice(ANGLES) * rng.uniform(0.5, 2.0))))
    nice = bool(rng.random() < 0.5)
    a, b = some_body(first, rng, start, nice=nice), some_body(second, rng, normalized(turn), nice=nice)
    return _lattice(a, b, rng, start)


def deep(first: Kind, second: Kind, rng: np.random.Generator) -> Posed:
    """One centre in or near the other, sizes equal or up to 1 to 100; aligned, or turned anyhow."""
    turned = bool(rng.random() < 0.7)
    turns = [random_rotation(rng) if turned else CUBE_TURNS[rng.integers(24)] for _ in range(2)]
    a, b = (some_body(kind, rng, turn, nice=not turned) for kind, turn in zip((first, second), turns, strict=True))
    factor = float(rng.choice((1.0, 1.0, 0.1, 0.01)))
    b = scaled(Scene(a, b), factor).b
    direction = _direction(a, b, rng.normal(size=3))
    if {first, second} & {"halfspace"}:
        return placed(a, b, direction, -float(rng.uniform(0.5, 10.0)))
    away = rng.normal(size=3) * float(rng.choice((0.0, 1e-15, 1e-9, 1e-3, 0.1)))
    return Posed(Scene(a, moved(b, away)), direction)


def touching(first: Kind, second: Kind, rng: np.random.Generator) -> Posed:
    """A pair of another family with its farthest points along a direction, or along an axis of either, at a gap."""
    scene = (general, aligned, near_aligned)[rng.integers(3)](first, second, rng).scene
    a, b = scene.a, replace(scene.b, position=(0.0, 0.0, 0.0))
    axes = np.hstack((axes_of(a), axes_of(b), rng.normal(size=(3, 6))))
    direction = _direction(a, b, axes[:, rng.integers(12)] * rng.choice((-1.0, 1.0)))
    return placed(a, b, direction, float(rng.choice(GAPS)) * size_of_pair(a, b))


def _any(first: Kind, second: Kind, rng: np.random.Generator) -> Posed:
    return (general, aligned, near_aligned, deep, touching)[rng.integers(5)](first, second, rng)


def tiny(first: Kind, second: Kind, rng: np.random.Generator) -> Posed:
    """A pair of another family, a million times smaller."""
    posed = _any(first, second, rng)
    return replace(posed, scene=scaled(posed.scene, 1e-6))


def huge(first: Kind, second: Kind, rng: np.random.Generator) -> Posed:
    """A pair of another family, a million times larger."""
    posed = _any(first, second, rng)
    return replace(posed, scene=scaled(posed.scene, 1e6))


def far(first: Kind, second: Kind, rng: np.random.Generator) -> Posed:
    """A pair of another family a million from the world's origin, or the two bodies up to a million apart."""
    posed = _any(first, second, rng)
    scene = posed.scene
    if rng.random() < 0.5:
        by = 1e6 * rng.normal(size=3)
        return replace(posed, scene=replace(scene, a=moved(scene.a, by), b=moved(scene.b, by)))
    return replace(posed, scene=replace(scene, b=moved(scene.b, 10.0 ** rng.uniform(1, 6) * posed.direction)))


FAMILIES: tuple[Family, ...] = (general, aligned, near_aligned, deep, touching, tiny, huge, far)

PAIRS: tuple[tuple[Kind, Kind], ...] = tuple(
    pair
    for pair in sorted(combinations_with_replacement(KINDS, 2), key=lambda pair: max(7, KINDS.index(pair[1])))
    if pair != ("halfspace", "halfspace")
)
"""Every two shapes but two half-spaces. A pair's place is its seed: a kind that is put last in KINDS changes none."""


def posed(pair: int, family: int, number: int) -> Posed:
    """The pair of bodies with that number, the same one every time; every other one with A and B exchanged."""
    rng = np.random.default_rng((pair, family, number))
    first, second = PAIRS[pair] if number % 2 else PAIRS[pair][::-1]
    return FAMILIES[family](first, second, rng)
