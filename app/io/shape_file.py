"""The shape of a body in a scene file: read strictly, written digit for digit. Limits: shape_kinds.py."""

from __future__ import annotations

from typing import Any

import msgspec

from core.scene import Triple
from core.shapes import Hull, Shape, sharp_of, with_border

from ..draw.meshes.shape_kinds import (
    BORDER,
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


ShapeData = BoxData | SphereData | CapsuleData | CylinderData | ConeData | EllipsoidData | HullData | HalfSpaceData

NAMES = tuple(kind.name for kind in SHAPE_KINDS)

FLAT_NAMES = ("polygon", "circle")
"""Those of a scene of the plane (flat_scene_file)."""


def check_type(tree: Any, path: str) -> None:
    """Refuses a `type` that is none of ours, before anything that follows from it. Raises DataError."""
    name = tree.get("type") if isinstance(tree, dict) else None
    if name in FLAT_NAMES:
        raise DataError(f"{path}.type", f'{name} is a shape of the plane, and needs "dimension": 2 in the scene')
    if isinstance(name, str) and name not in NAMES:
        raise DataError(f"{path}.type", f"must be one of {', '.join(NAMES)}; got {shown(name)}")


def shape_of(data: ShapeData, path: str) -> Shape:
    """The shape that the data describe; `path` leads to it. Raises DataError."""
    shape = hull_of(data.points, f"{path}.points") if isinstance(data, HullData) else _plain_shape(data, path)
    key, fault = shape_fault(shape)
    if fault:
        raise DataError(f"{path}.{key}", f"{fault}, got {shown(getattr(data, key))}")
    return bordered(shape, data, path)


def bordered(shape: Shape, data: BorderData, path: str) -> Shape:
    """The shape with the border that the data give it. Raises DataError."""
    if fault := BORDER.fault(data.border_radius):
        raise DataError(f"{path}.{BORDER.key}", f"{fault}, got {shown(data.border_radius)}")
    return with_border(shape, data.border_radius)


def hull_of(points: tuple[Triple, ...], path: str = "points") -> Hull:
    """The hull of points within our limits. Raises DataError where there is none: of no points, or one too thin."""
    for index, point in enumerate(points):
        for axis, value in enumerate(point):
            if not abs(value) <= LARGEST:
                raise DataError(f"{path}[{index}][{axis}]", f"must lie within ±{LARGEST:g}, got {value:g}")
    try:
        return Hull(points)
    except ValueError as error:
        raise DataError(path, f"must make a hull: {error}") from None


def shape_tree(shape: Shape) -> dict[str, Any]:
    """The shape as JSON values in the order in which they are written."""
    kind, (sharp, border) = kind_of(shape), sharp_of(shape)
    points = hull_points(shape) or polygon_points(shape)
    keys = ("points",) if points else tuple(parameter.key for parameter in kind.parameters)
    tree = {"type": kind.name} | {key: getattr(sharp, key) for key in keys}
    return tree | {BORDER.key: border} if border else tree


def _plain_shape(data: Any, path: str) -> Shape:
    kind = kind_named(data.__struct_config__.tag)
    values = {parameter.key: getattr(data, parameter.key) for parameter in kind.parameters}
    for parameter in kind.parameters:
        numbers = values[parameter.key]
        several = isinstance(numbers, tuple)
        for index, number in enumerate(numbers if several else (numbers,)):
            if fault := parameter.fault(number):
                where = f"{path}.{parameter.key}" + (f"[{index}]" if several else "")
                raise DataError(where, f"{fault}, got {shown(number)}")
    shape: Shape = kind.shape(**values)
    return shape
