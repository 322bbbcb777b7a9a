"""Scene files (JSON, version 1): read strictly, written digit for digit.

Of the plane (`"dimension": 2`) as of space. The format: assets/README.md, "Scene file". Whatever is wrong is one
sentence with the path and the offending value, as in `a.shape.size[1]: must be > 0, got -1`; what is a hair off is
mended and said so in `Loaded.remarks`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from core.geometry import quaternion
from core.geometry.vector import Array
from core.scene import Body, Quadruple, Scene, Triple
from core.shapes import HalfSpace

from ..draw.meshes.shape_kinds import LARGEST
from ..state.view import View
from ..storage.atomic import write_atomic
from ..storage.bounded_read import read_bounded
from ..storage.json_text import json_text
from ..storage.png_scene import is_png, scene_text
from ..storage.strict_json import DataError, convert, parse, shown
from . import view_file
from .scene_basis import VERSION, Loaded, SceneError, check_version, decoded, is_flat
from .shape_file import ShapeData, check_type, shape_of, shape_tree

__all__ = [
    "Loaded",
    "SceneError",
    "claims_to_be_scene",
    "decoded",
    "from_tree",
    "load",
    "nearest_rotation",
    "read",
    "save",
    "to_tree",
    "unit_rotation",
    "write",
]

UNIT_SLACK = 1e-15
"""A quaternion whose length is within this of 1 is unit to its last places and taken as it stands."""

MATRIX_SLACK = 1e-6
"""A matrix farther than this (largest entry) from the nearest rotation is refused; float32 data is at 1e-7."""

_Row = tuple[float, float, float, float]


class _BodyData(msgspec.Struct, forbid_unknown_fields=True):
    shape: ShapeData
    position: Triple | msgspec.UnsetType = msgspec.UNSET
    rotation: Quadruple | msgspec.UnsetType = msgspec.UNSET
    matrix: tuple[_Row, _Row, _Row, _Row] | msgspec.UnsetType = msgspec.UNSET
    displacement: Triple = (0.0, 0.0, 0.0)
    angular_displacement: Triple = (0.0, 0.0, 0.0)


class _SceneData(msgspec.Struct, forbid_unknown_fields=True):
    separatrix: int
    a: _BodyData
    b: _BodyData
    dimension: int = 3
    name: str = ""
    notes: str = ""
    view: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET


def claims_to_be_scene(text: str) -> bool:
    """Whether a text is meant as a scene, right or wrong: other programs print braces too."""
    return text.lstrip("\ufeff \t\r\n").startswith("{") and '"separatrix"' in text


def read(text: str) -> Loaded:
    """The scene in a JSON text. Raises SceneError."""
    try:
        return from_tree(parse(text))
    except DataError as error:
        raise SceneError(error.path, error.message) from None


def load(path: Path | str) -> Loaded:
    """The scene in a file: JSON, or a PNG that carries one. Raises SceneError with the file's name."""
    try:
        data = read_bounded(path)
        return read(scene_text(data) if is_png(data) else decoded(data))
    except DataError as error:
        raise SceneError(error.path, error.message, str(path)) from None


def write(scene: Scene, view: View | None = None, *, ascii_only: bool = False) -> str:
    """The scene as JSON text: stable order of keys, every double digit for digit, defaults left out.

    `ascii_only` escapes the rest, for clipboards that count characters as bytes.
    """
    return json_text(to_tree(scene, view), ascii_only=ascii_only)


def save(path: Path | str, scene: Scene, view: View | None = None) -> None:
    """Writes the scene to a file, whole or not at all. Raises OSError."""
    write_atomic(Path(path), write(scene, view).encode())


def from_tree(tree: Any) -> Loaded:
    """The scene in parsed JSON. Raises DataError."""
    check_version(tree)
    _check_dimension(tree.get("dimension", 3))
    if is_flat(tree):
        from .flat_scene_file import flat_from_tree

        return flat_from_tree(tree)
    _check_kinds(tree)
    data = convert(tree, _SceneData)
    remarks: list[str] = []
    scene = Scene(
        _body(data.a, "a", remarks),
        _body(data.b, "b", remarks),
        data.name,
        data.notes,
    )
    if isinstance(scene.a.shape, HalfSpace) and isinstance(scene.b.shape, HalfSpace):
        raise DataError("b.shape.type", "must not be a half-space beside another: only one of the two can be")
    view = None if isinstance(data.view, msgspec.UnsetType) else view_file.from_tree(data.view)
    return Loaded(scene, view, tuple(remarks))


def to_tree(scene: Scene, view: View | None = None) -> dict[str, Any]:
    """The scene as JSON values in the order in which they are written."""
    if scene.dimension == 2:
        from .flat_scene_file import flat_to_tree

        return flat_to_tree(scene, view)
    tree: dict[str, Any] = {"separatrix": VERSION}
    tree |= {key: value for key, value in (("name", scene.name), ("notes", scene.notes)) if value}
    tree |= {"a": _body_tree(scene.a), "b": _body_tree(scene.b)}
    if view is not None:
        tree["view"] = view_file.to_tree(view)
    return tree


def _check_dimension(dimension: object) -> None:
    """Refuses what is neither the plane nor space, before anything that follows from it."""
    if not isinstance(dimension, int) or dimension not in (2, 3):
        got = repr(dimension) if isinstance(dimension, float) else shown(dimension)
        raise DataError("dimension", f"must be the whole number 2 or 3, got {got}")


def _check_kinds(tree: dict[str, Any]) -> None:
    """Refuses a shape that is not of space, before anything that follows from it."""
    for key in ("a", "b"):
        body = tree.get(key)
        if isinstance(body, dict):
            check_type(body.get("shape"), f"{key}.shape")


def _body(data: _BodyData, path: str, remarks: list[str]) -> Body:
    shape = shape_of(data.shape, f"{path}.shape")
    position, rotation = _pose(data, path, remarks)
    displacement = _coordinates(data.displacement, f"{path}.displacement")
    return Body(
        shape,
        position,
        rotation,
        displacement,
        _coordinates(data.angular_displacement, f"{path}.angular_displacement"),
    )


def _coordinates(values: Triple, path: str) -> Triple:
    for index, value in enumerate(values):
        if abs(value) > LARGEST:
            raise DataError(f"{path}[{index}]", f"must lie within ±{LARGEST:g}, got {shown(value)}")
    return values


def _pose(data: _BodyData, path: str, remarks: list[str]) -> tuple[Triple, Quadruple]:
    position, rotation, matrix = data.position, data.rotation, data.matrix
    if not isinstance(matrix, msgspec.UnsetType):
        for key, value in (("position", position), ("rotation", rotation)):
            if not isinstance(value, msgspec.UnsetType):
                raise DataError(f"{path}.{key}", f"must not stand beside matrix, got {shown(value)}")
        return _pose_of_matrix(matrix, f"{path}.matrix", remarks)
    if isinstance(position, msgspec.UnsetType):
        raise DataError(f"{path}.position", "missing (or a matrix in its place)")
    turned = quaternion.IDENTITY if isinstance(rotation, msgspec.UnsetType) else rotation
    return _coordinates(position, f"{path}.position"), unit_rotation(turned, f"{path}.rotation", remarks)


def unit_rotation(q: Quadruple, path: str, remarks: list[str]) -> Quadruple:
    """`q` made a unit quaternion, with a remark when it was not. Raises DataError for the zero quaternion."""
    # Scaled by the largest component first, so that neither tiny nor huge ones leave the range of doubles.
    largest = max(abs(component) for component in q)
    if largest == 0.0:
        raise DataError(path, f"must not be the zero quaternion, got {shown(list(q))}")
    off = abs(quaternion.norm(q) - 1.0)
    if off <= UNIT_SLACK:
        return q
    w, x, y, z = q
    had = f"had length {quaternion.norm(q):.6g} instead of" if off > 1e-5 else f"was {off:.2g} off length"
    remarks.append(f"{path}: {had} 1 and was normalised")
    return quaternion.normalized((w / largest, x / largest, y / largest, z / largest))


def nearest_rotation(matrix: Array, path: str, remarks: list[str], slack: float = MATRIX_SLACK) -> Quadruple:
    """Quaternion of the rotation nearest to `matrix` (3, 3), with a remark when that moved anything.

    Raises DataError when an entry would have to move by more than `slack`, or when the matrix mirrors.
    """
    if float(np.abs(matrix).max()) > 2.0:
        raise DataError(path, f"must be a rotation, got an entry of {float(np.abs(matrix).max()):.6g}")
    left, _, right = np.linalg.svd(matrix)
    nearest = left @ right
    off = float(np.abs(matrix - nearest).max())
    if off > slack:
        raise DataError(path, f"must be a rotation, got a matrix that is off by {off:.3g} (at most {slack:g})")
    if float(np.linalg.det(nearest)) < 0.0:
        raise DataError(path, "must be a rotation, got a mirror image (determinant -1)")
    if off > 4.0 * UNIT_SLACK:
        remarks.append(f"{path}: was {off:.3g} off a rotation and was replaced by the nearest one")
    return quaternion.from_matrix(nearest)


def _pose_of_matrix(rows: tuple[_Row, ...], path: str, remarks: list[str]) -> tuple[Triple, Quadruple]:
    if rows[3] != (0.0, 0.0, 0.0, 1.0):
        raise DataError(f"{path}[3]", f"must be [0, 0, 0, 1], got {shown(list(rows[3]))}")
    x, y, z = (row[3] for row in rows[:3])
    for index, value in enumerate((x, y, z)):
        if abs(value) > LARGEST:
            raise DataError(f"{path}[{index}][3]", f"must lie within ±{LARGEST:g}, got {shown(value)}")
    return (x, y, z), nearest_rotation(np.array([row[:3] for row in rows[:3]]), path, remarks)


def _body_tree(body: Body) -> dict[str, Any]:
    tree: dict[str, Any] = {"shape": shape_tree(body.shape), "position": body.position, "rotation": body.rotation}
    for key in ("displacement", "angular_displacement"):
        if any(getattr(body, key)):
            tree[key] = getattr(body, key)
    return tree
