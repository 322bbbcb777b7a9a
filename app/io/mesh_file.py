"""Convex hulls from mesh files (OBJ, STL), which trimesh reads, and from pasted points.

trimesh is imported when the first file is read: it takes a second. Only the points of a mesh are taken, as they stand
in the file; faces, materials and whatever else it holds say nothing about its hull. What finds numbers in a text is
imported with the first text.
"""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct

from core.geometry.vector import Array
from core.shapes import Hull

from ..storage.files import MEGABYTE, reason_of
from ..storage.strict_json import DataError, shown
from .scene_file import SceneError
from .shape_file import hull_of

SUFFIXES = (".obj", ".stl")
LIMIT = 256 * MEGABYTE


_GAP, _NUMBER = rb"(?:[ \t]|\\\r?\n)+", rb"[-+]?(?:\d|\.\d|nan|inf)[^\s\\]*"
_SHORT_VERTEX = re.compile(
    rb"^[ \t]*v(?=\s|\Z)(?!" + 2 * (_GAP + _NUMBER) + _GAP + _NUMBER + rb"(?:\s|\\|\Z))[^\n]*",
    re.MULTILINE | re.IGNORECASE,
)
"""A vertex of an OBJ file without three numbers; trimesh would take the next line's, or two for a point."""


class MeshHull(Struct, frozen=True):
    """The hull of a mesh, with its corners only, and how many different points the file holds."""

    hull: Hull
    points: int


def is_mesh(path: Path | str) -> bool:
    """Whether the file's name says that it is a mesh."""
    return Path(path).suffix.lower() in SUFFIXES


def load_hull(path: Path | str) -> MeshHull:
    """The convex hull of the points in a file. Raises SceneError with the file's name and one sentence."""
    try:
        points = np.unique(_points(_read(path), Path(path).suffix.lower().removeprefix(".")), axis=0)
        whole = hull_of(tuple((x, y, z) for x, y, z in points.tolist()))
        return MeshHull(Hull.of(whole.polyhedron.vertices), len(points))
    except DataError as error:
        raise SceneError(error.path, error.message, str(path)) from None


def pasted_hull(text: str) -> Hull:
    """The hull of points in any layout of text: three numbers each, in their order. Raises DataError."""
    from .printed_numbers import PairError, extract_numbers

    try:
        numbers = extract_numbers(text)
    except PairError as error:
        raise DataError("", str(error)) from None
    if len(numbers) % 3:
        raise DataError("", f"Found {len(numbers)} numbers, but a point needs three.")
    return hull_of(tuple(zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True)))


def _read(path: Path | str) -> bytes:
    try:
        with Path(path).open("rb") as file:
            data = file.read(LIMIT + 1)
    except (OSError, ValueError) as error:
        raise DataError("", reason_of(error)) from None
    if len(data) > LIMIT:
        raise DataError("", f"is larger than {LIMIT // MEGABYTE} MB")
    return data


def _points(data: bytes, kind: str) -> Array:
    """Every vertex, (n, 3). Raises DataError."""
    import trimesh

    if kind == "obj":
        if short := _SHORT_VERTEX.search(data):
            line = data.count(b"\n", 0, short.start()) + 1
            got = shown(short[0].decode("utf-8", "replace").strip())
            raise DataError(f"line {line}", f"a vertex must have three numbers, got {got}")
        # Names in it may be in any encoding; the numbers are ASCII.
        data = data.decode("ascii", "replace").encode()
    options: dict[str, Any] = {"maintain_order": True, "skip_materials": True} if kind == "obj" else {}
    try:
        # Its parsers raise whatever numpy does, from IndexError to UnicodeDecodeError.
        scene = trimesh.load_scene(io.BytesIO(data), file_type=kind, process=False, **options)
        parts = [np.asarray(part.vertices, dtype=np.float64) for part in scene.geometry.values()]
    except Exception:
        raise DataError("", f"is not an {kind.upper()} mesh that can be read") from None
    if not parts:
        raise DataError("", "holds no points")
    return np.concatenate(parts)
