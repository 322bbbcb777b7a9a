"""Lists and counts the numbers that describe a scene, and makes scenes with changed numbers, for any shapes."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, cast

from msgspec.structs import replace

from ...geometry.quaternion import Quaternion, normalized
from ...geometry.triple import Triple
from ...pair.pair import PairScale
from ...scene import Body, Scene
from ...shapes import Shape, is_shape

NumberPath = tuple[str | int, ...]
"""The place of a number in a shape: the field's name, then the indices in nested tuples.

For a number of the shape inside a rounded shape, the first entry is `sharp`.
"""

SAME_TURN = 1e-15
"""Two unit quaternions that differ by at most this in each component count as the same rotation."""

SHORT = (0, 1, 2, 3)
"""The numbers of decimals that `short_rotation` tries."""


def sizes(shape: Shape) -> dict[NumberPath, float]:
    """Every number of a shape by its path: sizes, points, a half-space's normal."""
    return {(name, *path): number for name in _fields(shape) for path, number in _numbers(getattr(shape, name)).items()}


def resized(shape: Shape, changed: Mapping[NumberPath, float]) -> Shape:
    """The shape with the numbers at the given paths replaced. Raises ValueError if the result is no valid shape."""
    fields = {name for name, *_ in changed}
    made = {
        str(name): _with(getattr(shape, str(name)), {path[1:]: x for path, x in changed.items() if path[0] == name})
        for name in fields
    }
    return _remade(shape, made)


def without_points(shape: Shape, first: int, last: int) -> Shape | None:
    """A hull or a polygon without its points `first` to `last` - 1.

    None for other shapes, if no point is left, and if none is removed. Raises ValueError if the points left make no
    hull or polygon.
    """
    points = getattr(shape, "points", ())
    left = points[:first] + points[last:]
    return _remade(shape, {"points": left}) if left and len(left) < len(points) else None


def scaled(scene: Scene, factor: float) -> Scene:
    """The scene with shapes and positions scaled by a factor; motions stay as they are.

    Raises ValueError if a shape scaled so is not valid.
    """
    return replace(scene, a=_scaled(scene.a, factor), b=_scaled(scene.b, factor))


def numbers_left(scene: Scene) -> int:
    """The count of numbers of shapes, positions and rotations that are not 0, 1 or -1."""
    return sum(abs(number) not in (0.0, 1.0) for number in _all_numbers(scene))


def digits_of(scene: Scene) -> int:
    """A measure of how long a scene is to read: the sum of a cost for each number.

    0 costs 0, ±1 costs 1, any other number costs 1 plus its count of significant digits.
    """
    return sum(_cost(number) for number in _all_numbers(scene))


def short_rotation(q: Quaternion) -> Quaternion:
    """A quaternion of the same rotation with at most three decimals, of any length, such as (1, 0.5, 0, 0).

    `q` itself if there is none.
    """
    for digits in SHORT:
        short = rounded_rotation(q, digits)
        w, x, y, z = normalized(short)
        if min(_apart((w, x, y, z), q), _apart((-w, -x, -y, -z), q)) <= SAME_TURN:
            return short
    return q


def rounded_rotation(q: Quaternion, digits: int) -> Quaternion:
    """The components divided by the one of largest magnitude, then rounded to `digits` decimals."""
    largest = max(q, key=abs)
    w, x, y, z = (round(part / largest, digits) + 0.0 for part in q)
    return (w, x, y, z)


def _apart(p: Quaternion, q: Quaternion) -> float:
    return max(abs(x - y) for x, y in zip(p, q, strict=True))


def exponent_of(scene: Scene) -> int:
    """The power of ten of the first digit of the pair's size."""
    return power_of_ten(size_of(scene))


def size_of(scene: Scene) -> float:
    """The pair's size: L, the larger bounding radius; for two points their distance."""
    scale = PairScale.of(scene.a, scene.b)
    return scale.largest_radius or scale.extent


def power_of_ten(size: float) -> int:
    """The power of ten of a positive number's first digit: 0 for a number from 1 to below 10."""
    return Decimal(size).adjusted()


def _all_numbers(scene: Scene) -> list[float]:
    found: list[float] = []
    for body in (scene.a, scene.b):
        turn = (body.angle,) if body.angle else short_rotation(body.rotation)
        found += [*sizes(body.shape).values(), *body.position, *turn]
    return found


def _cost(number: float) -> int:
    if abs(number) in (0.0, 1.0):
        return int(abs(number))
    mantissa = repr(abs(number)).partition("e")[0].replace(".", "").strip("0")
    return 1 + len(mantissa)


def _fields(shape: Shape) -> tuple[str, ...]:
    return getattr(shape, "__struct_fields__", ("points",))


def _numbers(value: Any) -> dict[NumberPath, float]:
    if is_shape(value):
        return sizes(value)
    if isinstance(value, tuple):
        return {(k, *path): number for k, part in enumerate(value) for path, number in _numbers(part).items()}
    return {(): value}


def _with(value: Any, changed: Mapping[NumberPath, float]) -> Any:
    if () in changed:
        return changed[()]
    if is_shape(value):
        return resized(value, changed)
    parts = list(value)
    for place in {int(path[0]) for path in changed}:
        parts[place] = _with(parts[place], {path[1:]: x for path, x in changed.items() if path[0] == place})
    return tuple(parts)


def _remade(shape: Shape, fields: dict[str, Any]) -> Shape:
    make: Any = replace if hasattr(shape, "__struct_fields__") else dataclasses.replace
    return cast("Shape", make(shape, **fields))


def _scaled(body: Body, factor: float) -> Body:
    normal = () if body.shape.plane is None else ("normal",)
    larger = {path: factor * number for path, number in sizes(body.shape).items() if path[0] not in normal}
    x, y, z = body.position
    position: Triple = (factor * x, factor * y, factor * z)
    return replace(body, shape=resized(body.shape, larger), position=position)
