"""Scene files of the plane (`"dimension": 2`): as strict as those of space, and written digit for digit.

The same JSON, with positions `[x, y]`, angles in radians for a rotation and an angular displacement, and the shapes
polygon {points} and circle {radius}, each with a border as in space. scene_file reads and writes files of either
dimension; here is what differs in the plane.
"""

from __future__ import annotations

from typing import Any

import msgspec

from core.geometry.vec2 import Vec2
from core.scene import Body, Scene
from core.shapes import Circle, Polygon

from ..draw.meshes.shape_kinds import LARGEST, SMALLEST
from ..state.view import View
from ..storage.strict_json import DataError, convert, shown
from . import view_file
from .scene_basis import VERSION, Loaded, check_version
from .shape_file import FLAT_NAMES, BorderData, bordered, shape_tree


class _PolygonData(BorderData, tag="polygon"):
    points: tuple[Vec2, ...]


class _CircleData(BorderData, tag="circle"):
    radius: float


class _BodyData(msgspec.Struct, forbid_unknown_fields=True):
    shape: _PolygonData | _CircleData
    position: Vec2
    rotation: float = 0.0
    displacement: Vec2 = (0.0, 0.0)
    angular_displacement: float = 0.0


class _SceneData(msgspec.Struct, forbid_unknown_fields=True):
    separatrix: int
    dimension: int
    a: _BodyData
    b: _BodyData
    name: str = ""
    notes: str = ""
    view: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET


def flat_from_tree(tree: Any) -> Loaded:
    """The scene of the plane in parsed JSON. Raises DataError."""
    check_version(tree)
    for key in ("a", "b"):
        body = tree.get(key)
        shape = body.get("shape") if isinstance(body, dict) else None
        kind = shape.get("type") if isinstance(shape, dict) else None
        if isinstance(kind, str) and kind not in FLAT_NAMES:
            raise DataError(
                f"{key}.shape.type", f"must be polygon or circle in a scene of the plane, got {shown(kind)}"
            )
    data = convert(tree, _SceneData)
    scene = Scene(_body(data.a, "a"), _body(data.b, "b"), data.name, data.notes)
    view = None if isinstance(data.view, msgspec.UnsetType) else _view(data.view)
    return Loaded(scene, view)


def _view(tree: dict[str, Any]) -> View:
    view = view_file.from_tree(tree)
    for key, held in (("free_axis", view.free), ("probe", view.probe)):
        if held is not None:
            raise DataError(f"view.{key}", f"must be left out in a scene of the plane, got {shown(tree[key])}")
    return view


def flat_to_tree(scene: Scene, view: View | None = None) -> dict[str, Any]:
    """The scene as JSON values in the order in which they are written."""
    tree: dict[str, Any] = {"separatrix": VERSION, "dimension": 2}
    tree |= {key: value for key, value in (("name", scene.name), ("notes", scene.notes)) if value}
    tree |= {"a": _body_tree(scene.a), "b": _body_tree(scene.b)}
    if view is not None:
        tree["view"] = view_file.to_tree(view)
    return tree


def _body(data: _BodyData, path: str) -> Body:
    shape = bordered(_shape(data.shape, f"{path}.shape"), data.shape, f"{path}.shape")
    for key in ("position", "displacement"):
        _check_coordinates(getattr(data, key), f"{path}.{key}")
    for key in ("rotation", "angular_displacement"):
        _check_coordinate(getattr(data, key), f"{path}.{key}")
    return Body.in_plane(shape, data.position, data.rotation, data.displacement, data.angular_displacement)


def _shape(data: _PolygonData | _CircleData, path: str) -> Polygon | Circle:
    if isinstance(data, _CircleData):
        _check_size(data.radius, f"{path}.radius")
        return Circle(data.radius)
    for index, point in enumerate(data.points):
        _check_coordinates(point, f"{path}.points[{index}]")
    try:
        polygon = Polygon(data.points)
    except ValueError as error:
        raise DataError(f"{path}.points", f"must run round a convex polygon: {error}") from None
    if 0.0 < polygon.largest_half_extent < SMALLEST:
        raise DataError(f"{path}.points", f"must span more than {SMALLEST:g}, got {shown(data.points)}")
    return polygon


def _check_size(value: float, path: str) -> None:
    if value <= 0.0:
        raise DataError(path, f"must be > 0, got {shown(value)}")
    if not SMALLEST <= value <= LARGEST:
        raise DataError(path, f"must lie between {SMALLEST:g} and {LARGEST:g}, got {shown(value)}")


def _check_coordinates(values: Vec2, path: str) -> None:
    for index, value in enumerate(values):
        _check_coordinate(value, f"{path}[{index}]")


def _check_coordinate(value: float, path: str) -> None:
    if abs(value) > LARGEST:
        raise DataError(path, f"must lie within ±{LARGEST:g}, got {shown(value)}")


def _body_tree(body: Body) -> dict[str, Any]:
    turn = body.angular_displacement[2]
    tree: dict[str, Any] = {"shape": shape_tree(body.shape), "position": body.position[:2]}
    if body.angle:
        tree["rotation"] = body.angle
    if any(body.displacement):
        tree["displacement"] = body.displacement[:2]
    if turn:
        tree["angular_displacement"] = turn
    return tree
