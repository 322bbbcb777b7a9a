"""Shrinking: finds a scene with few digits for which a condition still holds, such as an engine's fault.

The condition is any function of a scene. For an engine's fault it is `SameFault`: the same class, a similar severity
and relative depth, and the same features. With a weaker condition, half of all shrinks ended in a different fault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import pi

from msgspec import Struct
from msgspec.structs import replace

from ...analysis.brief import distance_of
from ...geometry.quaternion import IDENTITY, Quaternion, conjugate, from_axis_angle, multiply, normalized
from ...geometry.triple import Triple, triple
from ...pair.pair import PairScale
from ...scene import Body, Scene
from ...shapes import Shape
from .answers import Engine
from .classes import Judgement, Truth, judge
from .hunt import Ask, features_of, is_concentric
from .numbers import (
    digits_of,
    exponent_of,
    numbers_left,
    resized,
    rounded_rotation,
    scaled,
    size_of,
    sizes,
    without_points,
)

MOST_CALLS = 200
"""The most calls in a shrink: about a second of an engine's time.

A fault that needs more calls depends on many digits.
"""

AS_BAD = 0.4
"""The least severity of a shrunk scene, as a share of the first scene's."""

AS_DEEP = 2.5
"""The largest factor by which the separation in units of L may change."""

AXES: tuple[Triple, ...] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
TURNS = (90, 45, 30, -90, -45, -30)
DECIMALS = (0, 1, 2, 3)
PLAIN = (0.0, 1.0, 2.0, 0.5, -1.0)


class ShrunkScene(Struct, frozen=True):
    """The scene with the fewest digits found, after `calls` calls of `still`. `numbers_left`: see there."""

    scene: Scene
    calls: int
    numbers_left: int


def shrunk(scene: Scene, still: Callable[[Scene], bool], most: int = MOST_CALLS) -> ShrunkScene:
    """The scene with the fewest digits for which `still` holds, as found with at most `most` calls of `still`.

    `still` must hold for `scene`. Each of STEPS proposes simpler scenes. The first with fewer digits for which `still`
    holds replaces the best one. This is repeated until no step finds another.
    """
    calls, best, digits = 0, scene, digits_of(scene)
    refused: set[Scene] = set()
    going = True
    while going:
        going = False
        for step in STEPS:
            for other in step(best):
                if other in refused or digits_of(other) >= digits:
                    continue
                if calls == most:
                    return ShrunkScene(best, calls, numbers_left(best))
                calls += 1
                if still(other):
                    best, digits, going = other, digits_of(other), True
                    break
                refused.add(other)
    return ShrunkScene(best, calls, numbers_left(best))


class SameFault(Struct, frozen=True):
    """The condition that a scene shows the same fault of an engine as a first scene.

    `depth`: the first scene's true separation in units of the pair's size. `features`: its supporting features.
    `concentric`: whether its positions coincide; if not, no scene with coinciding positions shows the same fault.
    """

    engine: Engine
    ask: Ask
    judgement: Judgement
    depth: float
    features: tuple[str, str]
    concentric: bool

    @staticmethod
    def of(engine: Engine, ask: Ask, scene: Scene, truth: Truth, judgement: Judgement) -> SameFault:
        """The condition for the fault found in `scene`."""
        depth = truth.separation / size_of(scene)
        return SameFault(engine, ask, judgement, depth, features_of(scene, truth.normal), is_concentric(scene))

    def __call__(self, scene: Scene) -> bool:
        """Whether the scene shows the fault; asks the engine and the core."""
        if is_concentric(scene) and not self.concentric:
            return False
        truth = Truth.of(distance_of(scene))
        depth = truth.separation / size_of(scene)
        least, most = sorted((abs(depth), abs(self.depth)))
        if depth * self.depth < 0.0 or most > AS_DEEP * max(least, self.engine.tolerance):
            return False
        if features_of(scene, truth.normal) != self.features:
            return False
        found = judge(scene, truth, self.engine, self.ask(scene))
        same = (found.kind, found.failure) == (self.judgement.kind, self.judgement.failure)
        return same and found.severity >= AS_BAD * self.judgement.severity


def _home(scene: Scene) -> Iterator[Scene]:
    """Yields the scene in A's frame, the scene with A at the origin, and the scene scaled to a size of 1 to 10."""
    (ax, ay, az), (bx, by, bz) = scene.a.position, scene.b.position
    there = replace(scene, a=_at(scene.a, (0.0, 0.0, 0.0)), b=_at(scene.b, (bx - ax, by - ay, bz - az)))
    back = conjugate(scene.a.rotation)
    b = _at(there.b, triple(scene.a.pose.direction_to_local(there.b.pose.position)))
    b = _turned(b, multiply(back, scene.b.rotation), scene.b.angle - scene.a.angle)
    unturned = replace(there, a=_turned(there.a, IDENTITY, 0.0), b=b)
    yield unturned
    yield there
    if exponent_of(scene):
        yield scaled(scene, float(f"1e{-exponent_of(scene)}"))


def _rotations(scene: Scene) -> Iterator[Scene]:
    """Yields scenes with simpler rotations of B, then of A: none, by a round angle about an axis, with few digits."""
    for index in (1, 0):
        body = scene.body(index)
        yield scene.with_body(index, _turned(body, IDENTITY, 0.0))
        for degrees in TURNS:
            angle = degrees * pi / 180.0
            for axis in AXES:
                yield scene.with_body(index, _turned(body, from_axis_angle(axis, angle), angle))
        for digits in DECIMALS:
            yield scene.with_body(
                index, _turned(body, rounded_rotation(body.rotation, digits), round(body.angle, digits))
            )


def _positions(scene: Scene) -> Iterator[Scene]:
    """Yields scenes with simpler positions of B, then of A.

    First all coordinates are 0 or have few digits, then only one of them.
    """
    for index in (1, 0):
        body = scene.body(index)
        yield scene.with_body(index, _at(body, (0.0, 0.0, 0.0)))
        for digits in DECIMALS:
            x, y, z = (_short(part, digits, scene) for part in body.position)
            yield scene.with_body(index, _at(body, (x, y, z)))
        for axis in range(3):
            for number in (0.0, *(_short(body.position[axis], digits, scene) for digits in DECIMALS)):
                place = list(body.position)
                place[axis] = number
                yield scene.with_body(index, _at(body, (place[0], place[1], place[2])))


def _points(scene: Scene) -> Iterator[Scene]:
    """Yields scenes with a hull or polygon without half of its points, without a quarter, ..., without one; B first."""
    for index in (1, 0):
        body = scene.body(index)
        count = len(getattr(body.shape, "points", ()))
        size = count // 2
        while size:
            for first in range(0, count, size):
                yield from _reshaped(scene, index, partial(without_points, body.shape, first, first + size))
            size //= 2


def _sizes(scene: Scene) -> Iterator[Scene]:
    """Yields scenes with simpler sizes of A, then of B.

    First all numbers of the shape are 1 or have few digits; then only one of them has few digits or is in PLAIN.
    """
    for index in (0, 1):
        shape = scene.body(index).shape
        numbers = sizes(shape)
        alike = [dict.fromkeys(numbers, 1.0)]
        alike += [{path: _short(x, digits, scene) for path, x in numbers.items()} for digits in DECIMALS[:3]]
        alone = [{path: plain} for path in numbers for plain in PLAIN]
        alone += [{path: _short(x, digits, scene)} for path, x in numbers.items() for digits in DECIMALS[:3]]
        for changed in (*alike, *alone):
            yield from _reshaped(scene, index, partial(resized, shape, changed))


STEPS = (_home, _rotations, _positions, _points, _sizes)
"""Makers of simpler scenes, the coarsest first."""


def _reshaped(scene: Scene, index: int, make: Callable[[], Shape | None]) -> Iterator[Scene]:
    try:
        shape = make()
        if shape is not None:
            other = scene.with_body(index, replace(scene.body(index), shape=shape))
            PairScale.of(other.a, other.b)
            yield other
    except ValueError:  # no valid shape: a size of 0, points of no hull, a plane without a direction
        return


def _short(number: float, digits: int, scene: Scene) -> float:
    """The number rounded to `digits` decimals, counted from the first digit of the pair's size."""
    return round(number, digits - exponent_of(scene)) + 0.0


def _at(body: Body, position: Triple) -> Body:
    return replace(body, position=position)


def _turned(body: Body, rotation: Quaternion, angle: float) -> Body:
    """The body with this rotation; for a 2D body only `angle`, radians, matters."""
    return replace(body, rotation=normalized(rotation) if any(rotation) else IDENTITY, angle=angle)
