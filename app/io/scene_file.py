"""Scene files (JSON, version 1) in 3D and in 2D (`"dimension": 2`).

Files are read strictly and written with all digits. The format: assets/README.md, "Scene file". In 2D, positions are
`[x, y]`, and a rotation and an angular displacement are angles in radians. An error is one sentence with the path and
the offending value, such as `a.shape.size[1]: must be > 0, got -1`. A rotation of
another length than 1, or a matrix that is nearly a rotation, is corrected, with a sentence in `Loaded.remarks`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec
import numpy as np
from msgspec.structs import replace

from core.geometry import quaternion
from core.geometry.arguments import MATRIX_SLACK, UNIT_SLACK, determinant, nearest_orthogonal, rotation
from core.geometry.triple import ZERO, Triple
from core.geometry.vec2 import Vec2
from core.geometry.vector import Array
from core.scene import Body, Quadruple, Scene

from ..shapes import LARGEST_NUMBER
from ..state.view import WHOLE, Seen, StepPlace, View
from ..storage.carried import carried_scene, is_picture
from ..storage.file_kinds import NOT_READ, kind_words
from ..storage.files import LOST, is_jpeg, read_bounded, write_atomic
from ..storage.strict_json import DataError, convert, excerpt, json_text, parse, require
from . import view_file
from .shape_file import TooManyPointsError, check_type, shape_of, shape_tree

VERSION = 1
MOST_IN_NAME = 10_000
"""The most characters of a scene's name, as its text is laid out in every frame."""
_Row = tuple[float, float, float, float]
_BodyKind = TypeVar("_BodyKind")


class SceneError(DataError):
    """A scene is refused. `str()` is one sentence: file if there is one, path in the scene, message."""

    def __init__(self, path: str, message: str, file: str = "") -> None:
        super().__init__(path, message)
        self.file = file

    def __str__(self) -> str:
        return ": ".join(part for part in (self.file, self.path, self.message) if part)


MESH_SUFFIXES = (".obj", ".stl")
"""File name endings of the meshes that `mesh_file` reads."""


class TooLargeSceneError(SceneError):
    """A scene has a body with too many points; simpler_scene.py can load it with fewer. `most`: the body's limit."""

    def __init__(self, error: TooManyPointsError, file: str) -> None:
        super().__init__(error.path, error.message, file)
        self.most = error.most


class Loaded(msgspec.Struct, frozen=True):
    """A scene that was read, and its view if the file has one.

    `remarks`: a sentence for each value that was corrected or assumed.
    """

    scene: Scene
    view: View | None
    remarks: tuple[str, ...] = ()


class _BodyData(msgspec.Struct, forbid_unknown_fields=True):
    shape: dict[str, Any]
    position: Triple | msgspec.UnsetType = msgspec.UNSET
    rotation: Quadruple | msgspec.UnsetType = msgspec.UNSET
    matrix: tuple[_Row, _Row, _Row, _Row] | msgspec.UnsetType = msgspec.UNSET
    displacement: Triple = ZERO
    angular_displacement: Triple = ZERO


class _FlatBodyData(msgspec.Struct, forbid_unknown_fields=True):
    shape: dict[str, Any]
    position: Vec2
    rotation: float = 0.0
    displacement: Vec2 = (0.0, 0.0)
    angular_displacement: float = 0.0


class _SceneData(msgspec.Struct, Generic[_BodyKind], forbid_unknown_fields=True):
    separatrix: int
    a: _BodyKind
    b: _BodyKind
    dimension: int = 3
    name: str = ""
    notes: str = ""
    view: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET


def claims_to_be_scene(text: str) -> bool:
    """Whether a text is meant as a scene, valid or not: it begins with a brace and contains `"separatrix"`."""
    return text.lstrip("\ufeff \t\r\n").startswith("{") and '"separatrix"' in text


def decoded(data: bytes) -> str:
    """The text of UTF-8 bytes, with or without a byte order mark. Raises DataError for other bytes."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if is_jpeg(data):
            raise DataError("", f"is a picture without a scene inside: {LOST}") from None
        if words := kind_words(data):
            raise DataError("", f"is {words}, {NOT_READ}") from None
        raise DataError("", f"is not UTF-8 text: byte 0x{data[error.start]:02x} at offset {error.start}") from None


def read(text: str) -> Loaded:
    """The scene in a JSON text. Raises SceneError for a text that is no scene."""
    try:
        return from_tree(parse(text))
    except DataError as error:
        raise SceneError(error.path, error.message) from None


def load(path: Path | str) -> Loaded:
    """The scene in a file: JSON, or a picture, a film or a handout with a scene inside.

    Raises SceneError, with the file's name, for a file that cannot be read or is no scene, and its subclass
    TooLargeSceneError for a shape with too many points.
    """
    try:
        return from_tree(tree_of(path))
    except TooManyPointsError as error:
        raise TooLargeSceneError(error, str(path)) from None
    except DataError as error:
        raise SceneError(error.path, error.message, str(path)) from None


def tree_of(path: Path | str) -> Any:
    """The JSON value in a scene's file, which may be a picture. Whether the value is a scene is not checked.

    Raises DataError for a file that cannot be read, is no JSON, is a mesh or another kind of file that the program
    knows, or is a picture without a scene inside.
    """
    data = read_bounded(path)
    if Path(path).suffix.lower() in MESH_SUFFIXES and not data.lstrip().startswith(b"{"):
        raise DataError("", "is a mesh, not a scene: the window opens it, and saves it in one")
    text = decoded(carried_scene(data) if is_picture(data) else data)
    tree = parse(text)
    if isinstance(tree, dict) and "separatrix" not in tree and (words := kind_words(text.encode())):
        raise DataError("", f"is {words}, {NOT_READ}")
    return tree


def load_view(path: Path | str) -> View:
    """The view in a scene's file, or in a file with only a view.

    Raises SceneError, with the file's name, for a file that cannot be read, and for one whose view is missing or
    refused.
    """
    try:
        data = read_bounded(path)
        tree = None if is_picture(data) else parse(decoded(data))
        if isinstance(tree, dict) and "yaw" in tree:
            return view_file.from_tree(tree)
    except DataError as error:
        raise SceneError(error.path, error.message, str(path)) from None
    view = load(path).view
    if view is None:
        raise SceneError("", "is a scene that was saved without a view", str(path))
    return view


def write(scene: Scene, view: View | None = None, *, ascii_only: bool = False) -> str:
    """The scene as JSON text: keys in a fixed order, doubles with all digits.

    Defaults are left out, but for a rotation in 3D. `view`: None stores none. `ascii_only`: escapes all other
    characters, for clipboards that count characters as bytes.
    """
    return json_text(to_tree(scene, view), ascii_only=ascii_only)


def save(path: Path | str, scene: Scene, view: View | None = None) -> None:
    """Writes the scene to a file, whole or not at all. `view`: None stores none.

    Raises OSError or ValueError as `write_atomic`, for a file that cannot be written.
    """
    write_atomic(Path(path), write(scene, view).encode())


def text_of(seen: Seen) -> str:
    """The scene as JSON text, with the view and the timeline's step that `seen` shows."""
    view, moment = seen.view, seen.moment
    if moment is None:
        return write(seen.scene, replace(view, step=0, at=None))
    at = None if seen.part == WHOLE else StepPlace(moment.phase, moment.index + 1, seen.part)
    return write(seen.scene, replace(view, step=seen.place + 1, at=at))


def from_tree(tree: Any) -> Loaded:
    """The scene in parsed JSON. Raises DataError for a value that the format refuses, with its path."""
    _check_version(tree)
    dimension = tree.get("dimension", 3)
    if not isinstance(dimension, int) or dimension not in (2, 3):
        got = repr(dimension) if isinstance(dimension, float) else excerpt(dimension)
        raise DataError("dimension", f"must be the whole number 2 or 3, got {got}")
    for key in ("a", "b"):
        if isinstance(body := tree.get(key), dict):
            check_type(body.get("shape"), f"{key}.shape", dimension)
    remarks: list[str] = []
    data: _SceneData[Any]
    if dimension == 2:
        data = convert(tree, _SceneData[_FlatBodyData])
        a, b = _flat_body(data.a, "a"), _flat_body(data.b, "b")
    else:
        data = convert(tree, _SceneData[_BodyData])
        a, b = _body(data.a, "a", remarks), _body(data.b, "b", remarks)
    if a.shape.plane is not None and b.shape.plane is not None:
        raise DataError("b.shape.type", "must not be a half-space if the other body is one")
    if (count := len(data.name)) > MOST_IN_NAME:
        raise DataError("name", f"must have at most {MOST_IN_NAME:,} characters, got {count:,}")
    view = None if data.view is msgspec.UNSET else view_file.from_tree(data.view)
    if view is not None:
        _check_view(view, tree["view"], dimension)
    return Loaded(Scene(a, b, data.name, data.notes), view, tuple(remarks))


def _check_view(view: View, tree: dict[str, Any], dimension: int) -> None:
    """Raises DataError for a part of a view that scenes of this dimension cannot have."""
    if dimension == 2 and view.probe is not None:
        raise DataError("view.probe", f"must be left out in a 2D scene, got {excerpt(tree['probe'])}")
    if view.hold is not None and dimension not in view.hold.dimensions:
        raise DataError(
            "view.hold", f"must turn about z or move along x and y in a 2D scene, got {excerpt(tree['hold'])}"
        )
    if view.free is not None and len(tree["free_axis"]) != dimension:
        where = "two numbers in a 2D scene" if dimension == 2 else "three numbers in a 3D scene"
        raise DataError("view.free_axis", f"must have {where}, got {excerpt(tree['free_axis'])}")


def to_tree(scene: Scene, view: View | None = None) -> dict[str, Any]:
    """The scene as JSON values in the order in which they are written. `view`: None stores none."""
    flat = scene.dimension == 2
    tree: dict[str, Any] = {"separatrix": VERSION} | ({"dimension": 2} if flat else {})
    tree |= {key: value for key, value in (("name", scene.name), ("notes", scene.notes)) if value}
    body_tree = _flat_body_tree if flat else _body_tree
    tree |= {"a": body_tree(scene.a), "b": body_tree(scene.b)}
    if view is not None:
        tree["view"] = view_file.to_tree(view)
        if flat and view.free is not None:
            tree["view"]["free_axis"] = view.free[:2]
    return tree


def _check_version(tree: Any) -> None:
    """Raises DataError unless the tree is a scene of this version."""
    if not isinstance(tree, dict):
        raise DataError("", f"must be an object with the key separatrix, got {excerpt(tree)}")
    if "separatrix" not in tree:
        raise DataError("separatrix", f"missing: a scene starts with its format version, {VERSION}")
    version = tree["separatrix"]
    if not isinstance(version, int) or isinstance(version, bool):
        got = repr(version) if isinstance(version, float) else excerpt(version)
        raise DataError("separatrix", f"must be the whole number {VERSION}, got {got}")
    if version > VERSION:
        newer = f"written by a newer version of the program: this one reads {VERSION}, got {version}"
        raise DataError("separatrix", newer)
    if version < VERSION:
        raise DataError("separatrix", f"must be {VERSION}, got {version}")


def _body(data: _BodyData, path: str, remarks: list[str]) -> Body:
    shape = shape_of(data.shape, f"{path}.shape", 3)
    position, rotation = _pose(data, path, remarks)
    _check_coordinates(data.displacement, path, "displacement")
    _check_coordinates(data.angular_displacement, path, "angular_displacement")
    return Body(shape, position, rotation, data.displacement, data.angular_displacement)


def _flat_body(data: _FlatBodyData, path: str) -> Body:
    shape = shape_of(data.shape, f"{path}.shape", 2)
    for key in ("position", "displacement"):
        _check_coordinates(getattr(data, key), path, key)
    for key in ("rotation", "angular_displacement"):
        _check_coordinate(getattr(data, key), f"{path}.{key}")
    return Body.in_plane(shape, data.position, data.rotation, data.displacement, data.angular_displacement)


def _check_coordinates(values: Triple | Vec2, path: str, key: str) -> None:
    if values is not ZERO and max(map(abs, values)) > LARGEST_NUMBER:  # paths are only made for a refusal
        for index, value in enumerate(values):
            _check_coordinate(value, f"{path}.{key}[{index}]")


def _check_coordinate(value: float, path: str) -> None:
    require(abs(value) <= LARGEST_NUMBER, path, f"must lie within ±{LARGEST_NUMBER:g}", value)


def _pose(data: _BodyData, path: str, remarks: list[str]) -> tuple[Triple, Quadruple]:
    position, rotation, matrix = data.position, data.rotation, data.matrix
    if matrix is not msgspec.UNSET:
        for key, value in (("position", position), ("rotation", rotation)):
            if value is not msgspec.UNSET:
                raise DataError(f"{path}.{key}", f"must not be given together with matrix, got {excerpt(value)}")
        return _pose_of_matrix(matrix, f"{path}.matrix", remarks)
    if position is msgspec.UNSET:
        raise DataError(f"{path}.position", "missing (or a matrix in its place)")
    turned = quaternion.IDENTITY if rotation is msgspec.UNSET else rotation
    _check_coordinates(position, path, "position")
    return position, unit_rotation(turned, f"{path}.rotation", remarks)


def unit_rotation(q: Quadruple, path: str, remarks: list[str]) -> Quadruple:
    """`q` as a unit quaternion; adds a remark to `remarks` if it was not one. Raises DataError for the zero quaternion.

    `path`: the quaternion's place in the file.
    """
    if not any(q):
        raise DataError(path, f"must not be the zero quaternion, got {excerpt(list(q))}")
    off = abs(quaternion.norm(q) - 1.0)
    if off <= UNIT_SLACK:
        return q
    had = f"had length {quaternion.norm(q):.6g} instead of" if off > 1e-5 else f"was {off:.2g} off length"
    remarks.append(f"{path}: {had} 1 and was normalised")
    return rotation(path, q)


def nearest_rotation(matrix: Array, path: str, remarks: list[str], slack: float = MATRIX_SLACK) -> Quadruple:
    """The quaternion of the rotation nearest to `matrix` (3, 3); adds a remark if an entry changed visibly.

    `path`: the matrix's place in the file. Raises DataError if an entry would change by more than `slack`, or if the
    matrix mirrors or flattens.
    """
    if float(np.abs(matrix).max()) > 2.0:
        raise DataError(path, f"must be a rotation, got an entry of {float(np.abs(matrix).max()):.6g}")
    nearest = nearest_orthogonal(matrix)
    if nearest is None:
        raise DataError(path, "must be a rotation, got a matrix that flattens (determinant 0)")
    off = float(np.abs(matrix - nearest).max())
    if off > slack:
        raise DataError(path, f"must be a rotation, got a matrix that is off by {off:.3g} (at most {slack:g})")
    if determinant(nearest) < 0.0:
        raise DataError(path, "must be a rotation, got a mirror image (determinant -1)")
    if off > 4.0 * UNIT_SLACK:
        remarks.append(f"{path}: was {off:.3g} off a rotation and was replaced by the nearest one")
    return quaternion.from_matrix(nearest)


def _pose_of_matrix(rows: tuple[_Row, ...], path: str, remarks: list[str]) -> tuple[Triple, Quadruple]:
    if rows[3] != (0.0, 0.0, 0.0, 1.0):
        raise DataError(f"{path}[3]", f"must be [0, 0, 0, 1], got {excerpt(list(rows[3]))}")
    x, y, z = (row[3] for row in rows[:3])
    for index, value in enumerate((x, y, z)):
        _check_coordinate(value, f"{path}[{index}][3]")
    return (x, y, z), nearest_rotation(np.array([row[:3] for row in rows[:3]]), path, remarks)


def _body_tree(body: Body) -> dict[str, Any]:
    tree: dict[str, Any] = {"shape": shape_tree(body.shape), "position": body.position, "rotation": body.rotation}
    ways = {"displacement": body.displacement, "angular_displacement": body.angular_displacement}
    return tree | {key: way for key, way in ways.items() if any(way)}


def _flat_body_tree(body: Body) -> dict[str, Any]:
    tree: dict[str, Any] = {"shape": shape_tree(body.shape), "position": body.position[:2]}
    if body.angle:
        tree["rotation"] = body.angle
    if any(body.displacement):
        tree["displacement"] = body.displacement[:2]
    if turn := body.angular_displacement[2]:
        tree["angular_displacement"] = turn
    return tree
