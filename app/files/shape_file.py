"""The shape of a body in a scene file: read strictly, written digit for digit. Limits: shape_kinds.py."""

from __future__ import annotations

from typing import Any

import msgspec

from core.scene import Triple
from core.shapes import Hull, Shape

from ..meshes.shape_kinds import LARGEST, SHAPE_KINDS, kind_named, kind_of, shape_fault
from ..storage.strict_json import DataError, shown


class BoxData(msgspec.Struct, tag="box", forbid_unknown_fields=True):
    """Full edge lengths."""

    size: Triple


class SphereData(msgspec.Struct, tag="sphere", forbid_unknown_fields=True):
    """A ball."""

    radius: float


class CapsuleData(msgspec.Struct, tag="capsule", forbid_unknown_fields=True):
    """The length is that of the segment, along Y."""

    radius: float
    length: float


class CylinderData(msgspec.Struct, tag="cylinder", forbid_unknown_fields=True):
    """Along Y, centred."""

    radius: float
    height: float


class ConeData(msgspec.Struct, tag="cone", forbid_unknown_fields=True):
    """Along Y, apex up, centred at half height."""

    radius: float
    height: float


class EllipsoidData(msgspec.Struct, tag="ellipsoid", forbid_unknown_fields=True):
    """Along the body's axes."""

    radii: Triple


class HullData(msgspec.Struct, tag="hull", forbid_unknown_fields=True):
    """Points in the body's frame, in any order."""

    points: tuple[Triple, ...]


class HalfSpaceData(msgspec.Struct, tag="halfspace", forbid_unknown_fields=True):
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
    return shape


def hull_of(points: tuple[Triple, ...], path: str = "points") -> Hull:
    """The hull of points within our limits. Raises DataError when they span no solid."""
    for index, point in enumerate(points):
        for axis, value in enumerate(point):
            if not abs(value) <= LARGEST:
                raise DataError(f"{path}[{index}][{axis}]", f"must lie within ±{LARGEST:g}, got {value:g}")
    try:
        return Hull(points)
    except ValueError as error:
        raise DataError(path, f"must span a solid: {error}") from None


def shape_tree(shape: Shape) -> dict[str, Any]:
    """The shape as JSON values in the order in which they are written."""
    kind = kind_of(shape)
    keys = ("points",) if isinstance(shape, Hull) else tuple(parameter.key for parameter in kind.parameters)
    return {"type": kind.name} | {key: getattr(shape, key) for key in keys}


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
