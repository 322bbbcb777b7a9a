"""Loads scenes whose hulls or polygons have more points than the program accepts, with fewer corners."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from msgspec.structs import replace

from core.geometry.triple import Triple
from core.geometry.vec2 import Vec2
from core.shapes.convex_loop import convex_ring
from core.shapes.polygon import MOST_CORNERS
from core.shapes.simplified import simplified_loop

from ..storage.strict_json import DataError, convert
from .mesh_file import READING, SIMPLER, simpler_hull
from .scene_file import Loaded, SceneError, from_tree, tree_of
from .shape_file import MOST_POINTS, check_coordinates


def load_simpler(path: Path | str, most: int, tell: Callable[[str], None]) -> Loaded:
    """The scene in a file, with at most `most` >= 4 corners for each hull or polygon that has too many points.

    The remarks give the number of kept corners, and the largest distance from the true shape. `tell` is called with
    each stage when it begins; an exception from `tell` ends the work. Raises SceneError, with the file's name, for a
    file that `load` refuses for another reason, for points that make no shape, and for too many corners in one plane.
    """
    try:
        tell(READING)
        tree = tree_of(path)
        bodies = tree if isinstance(tree, dict) else {}
        tell(SIMPLER)
        remarks = [_simplify(bodies.get(key), key, most, tell) for key in ("a", "b")]
        loaded = from_tree(tree)
    except DataError as error:
        raise SceneError(error.path, error.message, str(path)) from None
    return replace(loaded, remarks=(*(remark for remark in remarks if remark), *loaded.remarks))


def _simplify(body: Any, key: str, most: int, tell: Callable[[str], None]) -> str:
    """Reduces the points in a body's JSON value if there are too many. Returns a sentence about it, else ""."""
    shape = body.get("shape") if isinstance(body, dict) else None
    if not isinstance(shape, dict) or shape.get("type") not in ("hull", "polygon"):
        return ""
    points, flat = shape.get("points"), shape["type"] == "polygon"
    limit = MOST_CORNERS if flat else MOST_POINTS
    if not isinstance(points, list) or len(points) <= limit:
        return ""
    fewer = _simpler_polygon if flat else _simpler_hull
    kept, corners, off = fewer(points, min(most, limit), f"{key}.shape.points", tell)
    shape["points"] = [list(point) for point in kept]
    remark = f"{key.upper()}'s {shape['type']} has {len(kept):,} corners of {len(points):,} points."
    if not off:
        return remark
    return f"{remark} Simplified from {corners:,}: it lies inside the true one, at most {off:.3g} from it."


_Fewer = tuple[Sequence[tuple[float, ...]], int, float]
"""The kept corners, the number of all corners, and the largest distance from the true shape."""


def _simpler_hull(points: list[Any], most: int, path: str, tell: Callable[[str], None]) -> _Fewer:
    rows = convert(points, tuple[Triple, ...], path)
    check_coordinates(rows, path)
    try:
        found = simpler_hull(rows, most, tell)
    except DataError as error:
        raise DataError(path, error.message) from None
    return found.hull.points, found.corner_count, found.moved_by or 0.0


def _simpler_polygon(points: list[Any], most: int, path: str, _tell: Callable[[str], None]) -> _Fewer:
    rows = convert(points, tuple[Vec2, ...], path)
    check_coordinates(rows, path)
    try:
        corners = [rows[number] for number in convex_ring(rows)]
    except ValueError as error:
        raise DataError(path, f"must go around a convex polygon: {error}") from None
    if len(corners) <= most:
        return corners, len(corners), 0.0
    found = simplified_loop(np.array(corners), most)
    return [corners[row] for row in found.kept.tolist()], len(corners), found.distance
