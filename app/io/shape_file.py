"""Reads and writes the shape of a body in a scene file, in 3D or 2D: strictly, and with all digits.

Limits: app/shapes.py.
"""

from __future__ import annotations

from types import GenericAlias
from typing import Any, Union

import msgspec

from core.geometry.triple import Triple
from core.geometry.vec2 import Vec2
from core.shapes import Hull, MeshSource, Polygon, Shape, mesh_source, sharp_of, with_border
from core.shapes.polygon import MOST_CORNERS

from ..shapes import (
    BORDER,
    FLAT_KINDS,
    LARGEST_NUMBER,
    SHAPE_KINDS,
    Parameter,
    ShapeKind,
    kind_named,
    kind_of,
    shape_fault,
)
from ..storage.strict_json import DataError, convert, excerpt


class _MeshData(msgspec.Struct, forbid_unknown_fields=True):
    file: str
    parts: int


def _data_of(kind: ShapeKind) -> type[msgspec.Struct]:
    """The type of a shape's record in a file: its parameters by key or its points, and a border's radius."""
    fields: list[Any] = [(one.key, Triple if len(one.names) == 3 else float) for one in kind.parameters]
    if kind.point is not None:
        fields.append(("points", GenericAlias(tuple, (kind.point, ...))))
    if kind.shape is Hull:
        fields.append(("hull_of", _MeshData | msgspec.UnsetType, msgspec.UNSET))
    fields.append((BORDER.key, float, 0.0))
    return msgspec.defstruct(kind.title, fields, tag=kind.name, kw_only=True, forbid_unknown_fields=True)


_DATA: dict[int, Any] = {
    dimension: Union[tuple(map(_data_of, kinds))]  # noqa: UP007 - the members are in a tuple that is made here
    for dimension, kinds in ((3, SHAPE_KINDS), (2, FLAT_KINDS))
}
"""By dimension: the union of the types of the shapes' records, tagged by `type`."""
KIND_NAMES = {3: tuple(kind.name for kind in SHAPE_KINDS), 2: tuple(kind.name for kind in FLAT_KINDS)}
EXPECTED = {
    3: f"must be one of {', '.join(KIND_NAMES[3])}; got",
    2: "must be polygon or circle in a 2D scene, got",
}
"""By dimension: the beginning of the message for an unknown type."""
MOST_IN_FILE = 80
"""The most characters of the name of a mesh's file in a scene."""
MOST_PARTS = 1_000_000
MOST_POINTS = 100_000
"""The most points of a hull; that many take half a minute."""


class TooManyPointsError(DataError):
    """A hull or polygon has more than `most` points; it can be loaded with fewer."""

    def __init__(self, path: str, count: int, most: int) -> None:
        super().__init__(path, f"must have at most {most:,} points, got {count:,}")
        self.most = most


def check_type(tree: Any, path: str, dimension: int) -> None:
    """Raises DataError for a `type` that the dimension does not have, before the shape's fields are read.

    `path`: the shape's place in the file.
    """
    name = tree.get("type") if isinstance(tree, dict) else None
    if not isinstance(name, str) or name in KIND_NAMES[dimension]:
        return
    if name in KIND_NAMES[2]:
        raise DataError(f"{path}.type", f'{name} is a 2D shape and needs "dimension": 2 in the scene')
    raise DataError(f"{path}.type", f"{EXPECTED[dimension]} {excerpt(name)}")


def shape_of(tree: Any, path: str, dimension: int) -> Shape:
    """The shape that a JSON value describes; `path`: the value's place in the file.

    Raises DataError, with the path of the wrong part, for a value that the format or the limits refuse.
    """
    data: Any = convert(tree, _DATA[dimension], path)
    kind = kind_named(data.__struct_config__.tag)
    if kind.point is not None:
        shape = _shape_of_points(kind, data.points, f"{path}.points")
    else:
        shape = kind.shape(**{parameter.key: _checked(parameter, data, path) for parameter in kind.parameters})
    key, fault = shape_fault(shape)
    if fault:
        raise DataError(f"{path}.{key}", f"{fault}, got {excerpt(getattr(data, key))}")
    if isinstance(shape, Hull) and data.hull_of is not msgspec.UNSET:
        shape = shape.standing_for(_mesh_of(data.hull_of, f"{path}.hull_of"))
    border = getattr(data, BORDER.key)
    if fault := BORDER.fault(border):
        raise DataError(f"{path}.{BORDER.key}", f"{fault}, got {excerpt(border)}")
    return with_border(shape, border)


def _checked(parameter: Parameter, data: Any, path: str) -> float | Triple:
    numbers: float | Triple = getattr(data, parameter.key)
    several = isinstance(numbers, tuple)
    for index, number in enumerate(numbers if isinstance(numbers, tuple) else (numbers,)):
        if fault := parameter.fault(number):
            where = f"{path}.{parameter.key}" + (f"[{index}]" if several else "")
            raise DataError(where, f"{fault}, got {excerpt(number)}")
    return numbers


def _shape_of_points(kind: ShapeKind, points: tuple[Any, ...], path: str) -> Shape:
    if kind.shape is Hull:
        check_count(len(points), MOST_POINTS, path)
        return hull_of(points, path)
    return polygon_of(points, path)


def _mesh_of(data: _MeshData, path: str) -> MeshSource:
    if not data.file.isprintable() or not 1 <= len(data.file) <= MOST_IN_FILE:
        expected = f"must be a file's name of 1 to {MOST_IN_FILE} characters, without control characters"
        raise DataError(f"{path}.file", f"{expected}, got {excerpt(data.file)}")
    if not 1 <= data.parts <= MOST_PARTS:
        raise DataError(f"{path}.parts", f"must be a whole number from 1 to {MOST_PARTS:,}, got {excerpt(data.parts)}")
    return MeshSource(data.file, data.parts)


def mesh_named(name: str, parts: int) -> MeshSource:
    """The record of a mesh in a file of this name, which is shortened in the middle to MOST_IN_FILE characters.

    Control characters become `?`, and `parts` is at most MOST_PARTS.
    """
    shortened = "".join(one if one.isprintable() else "?" for one in name) or "?"
    if len(shortened) > MOST_IN_FILE:
        shortened = f"{shortened[: MOST_IN_FILE - 20]}…{shortened[-19:]}"
    return MeshSource(shortened, min(parts, MOST_PARTS))


def check_count(count: int, most: int, path: str) -> None:
    """Raises TooManyPointsError, with the points' `path`, for a `count` above `most`, before the shape is made."""
    if count > most:
        raise TooManyPointsError(path, count, most)


def hull_of(points: tuple[Triple, ...], path: str = "points") -> Hull:
    """The hull of points.

    `path`: the points' place in the file. Raises DataError for coordinates beyond LARGEST_NUMBER, for no points, and
    for a solid too thin. The number of points is not limited here: see `check_count`.
    """
    check_coordinates(points, path)
    try:
        return Hull(points)
    except ValueError as error:
        raise DataError(path, f"must make a hull: {error}") from None


def check_coordinates(points: tuple[Triple, ...] | tuple[Vec2, ...], path: str) -> None:
    """Raises DataError, with the place below `path`, for points with a coordinate that exceeds ±LARGEST_NUMBER."""
    for index, point in enumerate(points):
        for axis, value in enumerate(point):
            if not abs(value) <= LARGEST_NUMBER:
                raise DataError(f"{path}[{index}][{axis}]", f"must lie within ±{LARGEST_NUMBER:g}, got {value:g}")


def polygon_of(points: tuple[Vec2, ...], path: str = "points") -> Polygon:
    """The polygon of points in loop order.

    `path`: the points' place in the file. Raises TooManyPointsError for more than MOST_CORNERS points. Raises DataError
    for coordinates beyond LARGEST_NUMBER, for no points, and for a loop that is not convex.
    """
    check_count(len(points), MOST_CORNERS, path)
    check_coordinates(points, path)
    try:
        return Polygon(points)
    except ValueError as error:
        raise DataError(path, f"must go around a convex polygon: {error}") from None


def shape_tree(shape: Shape) -> dict[str, Any]:
    """The shape as JSON values, in the order in which they are written."""
    kind, (sharp, border) = kind_of(shape), sharp_of(shape)
    keys = ("points",) if kind.point is not None else tuple(parameter.key for parameter in kind.parameters)
    tree = {"type": kind.name} | {key: getattr(sharp, key) for key in keys}
    if mesh := mesh_source(shape):
        tree["hull_of"] = {"file": mesh.file, "parts": mesh.parts}
    return tree | {BORDER.key: border} if border else tree
