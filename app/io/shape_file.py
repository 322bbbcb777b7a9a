"""The shape of a body in a scene file of space or of the plane: read strictly, written digit for digit.

Limits: app/shapes.py.
"""

from __future__ import annotations

from typing import Any

import msgspec

from core.geometry.vec2 import Vec2
from core.scene import Triple
from core.shapes import Hull, Polygon, Shape, sharp_of, with_border
from core.shapes.polygon import MOST_CORNERS

from ..shapes import (
    BORDER,
    FLAT_KINDS,
    LARGEST,
    SHAPE_KINDS,
    hull_points,
    kind_named,
    kind_of,
    polygon_points,
    shape_fault,
)
from ..storage.strict_json import DataError, shown


class BorderData(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What any shape may have beside its own keys: it is grown by a ball of so much."""

    border_radius: float = 0.0


class BoxData(BorderData, tag="box"):
    """Full edge lengths."""

    size: Triple


class SphereData(BorderData, tag="sphere"):
    """A ball."""

    radius: float


class CapsuleData(BorderData, tag="capsule"):
    """The length is that of the segment, along Y."""

    radius: float
    length: float


class CylinderData(BorderData, tag="cylinder"):
    """Along Y, centred."""

    radius: float
    height: float


class ConeData(BorderData, tag="cone"):
    """Along Y, apex up, centred at half height."""

    radius: float
    height: float


class EllipsoidData(BorderData, tag="ellipsoid"):
    """Along the body's axes."""

    radii: Triple


class HullData(BorderData, tag="hull"):
    """Points in the body's frame, in any order."""

    points: tuple[Triple, ...]


class HalfSpaceData(BorderData, tag="halfspace"):
    """Solid where n·p <= offset, in the body's frame."""

    normal: Triple
    offset: float


class PolygonData(BorderData, tag="polygon"):
    """Corners in the body's frame, once round."""

    points: tuple[Vec2, ...]


class CircleData(BorderData, tag="circle"):
    """A disc."""

    radius: float


ShapeData = BoxData | SphereData | CapsuleData | CylinderData | ConeData | EllipsoidData | HullData | HalfSpaceData
FlatShapeData = PolygonData | CircleData
NAMES = {3: tuple(kind.name for kind in SHAPE_KINDS), 2: tuple(kind.name for kind in FLAT_KINDS)}
EXPECTED = {
    3: f"must be one of {', '.join(NAMES[3])}; got",
    2: "must be polygon or circle in a 2D scene, got",
}
"""By dimension, as a refusal begins."""
MOST_POINTS = 100_000
"""Of a hull, which takes half a minute then."""


class TooManyPointsError(DataError):
    """A hull or polygon that may be had with fewer points: with `most`."""

    def __init__(self, path: str, count: int, most: int) -> None:
        super().__init__(path, f"must have at most {most:,} points, got {count:,}")
        self.most = most


def check_type(tree: Any, path: str, dimension: int) -> None:
    """Refuses a `type` that is none of the dimension's, before anything that follows from it. Raises DataError."""
    name = tree.get("type") if isinstance(tree, dict) else None
    if not isinstance(name, str) or name in NAMES[dimension]:
        return
    if name in NAMES[2]:
        raise DataError(f"{path}.type", f'{name} is a 2D shape and needs "dimension": 2 in the scene')
    raise DataError(f"{path}.type", f"{EXPECTED[dimension]} {shown(name)}")


def shape_of(data: ShapeData | FlatShapeData, path: str) -> Shape:
    """The shape that the data describe; `path` leads to it. Raises DataError."""
    shape: Shape
    match data:
        case HullData(points=points):
            check_count(len(points), MOST_POINTS, f"{path}.points")
            shape = hull_of(points, f"{path}.points")
        case PolygonData(points=points):
            check_count(len(points), MOST_CORNERS, f"{path}.points")
            shape = _polygon_of(points, f"{path}.points")
        case _:
            shape = _plain_shape(data, path)
    key, fault = shape_fault(shape)
    if fault:
        raise DataError(f"{path}.{key}", f"{fault}, got {shown(getattr(data, key))}")
    if fault := BORDER.fault(data.border_radius):
        raise DataError(f"{path}.{BORDER.key}", f"{fault}, got {shown(data.border_radius)}")
    return with_border(shape, data.border_radius)


def check_count(count: int, most: int, path: str) -> None:
    """Refuses more points than that, before anything is made of them. Raises TooManyPointsError."""
    if count > most:
        raise TooManyPointsError(path, count, most)


def hull_of(points: tuple[Triple, ...], path: str = "points") -> Hull:
    """The hull of points within our limits. Raises DataError where there is none: of no points, or one too thin."""
    check_coordinates(points, path)
    try:
        return Hull(points)
    except ValueError as error:
        raise DataError(path, f"must make a hull: {error}") from None


def check_coordinates(points: tuple[Triple, ...] | tuple[Vec2, ...], path: str) -> None:
    """Refuses points that lie beyond our limits. Raises DataError."""
    for index, point in enumerate(points):
        for axis, value in enumerate(point):
            if not abs(value) <= LARGEST:
                raise DataError(f"{path}[{index}][{axis}]", f"must lie within ±{LARGEST:g}, got {value:g}")


def _polygon_of(points: tuple[Vec2, ...], path: str) -> Polygon:
    check_coordinates(points, path)
    try:
        return Polygon(points)
    except ValueError as error:
        raise DataError(path, f"must go around a convex polygon: {error}") from None


def shape_tree(shape: Shape) -> dict[str, Any]:
    """The shape as JSON values in the order in which they are written."""
    kind, (sharp, border) = kind_of(shape), sharp_of(shape)
    points = hull_points(shape) or polygon_points(shape)
    keys = ("points",) if points else tuple(parameter.key for parameter in kind.parameters)
    tree = {"type": kind.name} | {key: getattr(sharp, key) for key in keys}
    return tree | {BORDER.key: border} if border else tree


def _plain_shape(data: Any, path: str) -> Shape:
    kind = kind_named(data.__struct_config__.tag)
    values = {}
    for parameter in kind.parameters:
        values[parameter.key] = numbers = getattr(data, parameter.key)
        several = type(numbers) is tuple
        for index, number in enumerate(numbers if several else (numbers,)):
            if fault := parameter.fault(number):
                where = f"{path}.{parameter.key}" + (f"[{index}]" if several else "")
                raise DataError(where, f"{fault}, got {shown(number)}")
    shape: Shape = kind.shape(**values)
    return shape
