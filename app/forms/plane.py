"""The part that the forms of 2D engines share: rotations by an angle, points, rectangles and polygons."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from core.geometry.vector import Array

from .bodies import by_axis
from .code import Call, Items, Record, Value, number_in, numbers_in, value_name
from .form import NotUnderstoodError

VECTOR_CALLS = {"b2Vec2", "Vec2", "Vector", "V", "Vector2", "vec2"}


def plane_rotation(angle: float) -> Array:
    """The matrix (3, 3) of a counter-clockwise rotation by radians. Raises NotUnderstoodError for an infinite angle."""
    return by_axis((0.0, 0.0, 1.0), angle, 0)


def point(value: Value, what: str) -> list[float]:
    """The two numbers of a list, a vector's call or a record of x and y; (0, 0) for a call without arguments.

    `what`: the name of the point in the error. Raises NotUnderstoodError for another value.
    """
    if isinstance(value, Record) and set(value.items) == {"x", "y"}:
        return [number_in(value.items[key], what) for key in "xy"]
    if isinstance(value, Items):
        return numbers_in(value.items, 2, what, value.line)
    if isinstance(value, Call) and value.of is None and value.last in VECTOR_CALLS and not value.named:
        return numbers_in(value.args, 2, what, value.line) if value.args else [0.0, 0.0]
    raise NotUnderstoodError(f"{what} must be a point, got {value_name(value)}", value.line)


def polygon(points: list[list[float]], line: int) -> dict[str, Any]:
    """A polygon by its points in order. Raises NotUnderstoodError for fewer than three."""
    if len(points) < 3:
        raise NotUnderstoodError(f"a polygon needs three points, got {len(points)}", line)
    return {"type": "polygon", "points": points}


def rectangle(x: float, y: float) -> list[list[float]]:
    """The corners, counter-clockwise, of a rectangle about the origin by its half sizes."""
    return [[-x, -y], [x, -y], [x, y], [-x, y]]


def moved(points: list[list[float]], centre: list[float], angle: float = 0.0) -> list[list[float]]:
    """Points turned about the origin by `angle` radians, then moved by `centre`."""
    matrix = plane_rotation(angle)[:2, :2]
    place = np.array(centre)
    return [[float(value) for value in matrix[:, 0] * x + matrix[:, 1] * y + place] for x, y in points]


def in_space(xy: list[float]) -> Array:
    """A position (2,) of the plane as a position (3,) with z = 0."""
    return np.array([*xy, 0.0])


def area_centre(points: list[list[float]], line: int) -> list[float]:
    """The centre of a polygon's area. Raises NotUnderstoodError if the area is 0 or there are fewer than 3 points."""
    polygon(points, line)
    x0, y0 = points[0]
    area = x = y = 0.0
    for (x1, y1), (x2, y2) in pairwise(points[1:]):
        twice = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
        area += twice
        x += twice * (x1 + x2 - 2.0 * x0)
        y += twice * (y1 + y2 - 2.0 * y0)
    if area == 0.0:
        raise NotUnderstoodError("a polygon without area is not understood", line)
    return [x0 + x / (3.0 * area), y0 + y / (3.0 * area)]


def centred_polygon(points: list[list[float]], line: int) -> dict[str, Any]:
    """The polygon, moved so that its centre of area is at the origin.

    Raises NotUnderstoodError for a polygon without an area.
    """
    x, y = area_centre(points, line)
    return polygon([[one[0] - x, one[1] - y] for one in points], line)
