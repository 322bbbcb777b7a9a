"""Reads the points of one body for "Paste points": from the text of a mesh's file, rows, code, JSON and prints.

Faces, indices and normals are passed over. The whole text is read, or it is refused with a sentence on a part that is
not understood. Sources: those of `point_files`, `point_rows` and `vertices`.
"""

from __future__ import annotations

from collections import Counter

from core.shapes import Hull, Polygon

from ..io.shape_file import MOST_POINTS, check_count, hull_of, polygon_of
from ..storage.strict_json import DataError
from .form import MOST_CHARACTERS, NotUnderstoodError
from .point_files import read_file
from .point_rows import PointList, by_width, read_rows, wrong_dimension
from .vertices import clouds_of, refuse_cut


def read_points(text: str, needed: int) -> PointList:
    """The points in a text. `needed`: the count of numbers of a point, 3 in space, 2 in the plane.

    Raises NotUnderstoodError for text that is too long, cut off, or not made of points of that count.
    """
    if len(text) > MOST_CHARACTERS:
        raise NotUnderstoodError(f"The text has {len(text):,} characters; points have at most {MOST_CHARACTERS:,}.")
    refuse_cut(text)
    plain = text.replace("\r\n", "\n").replace("\u2212", "-")
    rows = [(k, row.strip()) for k, row in enumerate(plain.split("\n"), 1)]
    rows = [(k, row) for k, row in rows if not row.startswith(("#", "//"))]
    full = [(k, row) for k, row in rows if row]
    if not full:
        raise NotUnderstoodError("The text has no points.")
    found = read_file(full)
    if found is not None:
        if needed != 3:
            raise wrong_dimension(3, needed, full[0][0])
        return found
    return read_rows(rows, needed) or _of_lists(plain, needed)


def _of_lists(text: str, needed: int) -> PointList:
    """The one list of points in code, JSON or a print; lists of indices or normals are passed over.

    Raises NotUnderstoodError unless there is exactly one list of points, each a list of numbers.
    """
    clouds = clouds_of(text)
    over = Counter[str]()
    for cloud in clouds:
        over[cloud.name] += cloud.over
    told = ", ".join(f"{name} ({count:,} number{'s' * (count != 1)})" for name, count in over.items() if count)
    clouds = [cloud for cloud in clouds if not cloud.over]
    if len(clouds) != 1:
        line = clouds[1].line if len(clouds) > 1 else 0
        raise NotUnderstoodError(
            f"found {len(clouds) or 'no'} list{'s' * (len(clouds) > 1)} of points, expected one", line
        )
    (cloud,) = clouds
    if any(not isinstance(point, list) or any(isinstance(one, list) for one in point) for point in cloud.points):
        raise NotUnderstoodError("lists of different depth stand in one list of points", cloud.line)
    found = by_width([(cloud.line, [f"{value:.17g}" for value in point]) for point in cloud.points], needed)
    return PointList(found.points, ((f"Passed over: {told}.",) if told else ()) + found.notes)


def shape_of_points(points: list[list[float]]) -> Hull | Polygon:
    """The hull of points of three numbers, or the polygon of points of two, in order.

    Raises NotUnderstoodError for points that make no shape, such as a polygon that is not convex, and for too many.
    """
    try:
        if len(points[0]) == 2:
            return polygon_of(tuple((x, y) for x, y in points))
        check_count(len(points), MOST_POINTS, "points")
        return hull_of(tuple((x, y, z) for x, y, z in points))
    except DataError as fault:
        counted = " Points count from 0." if " at point " in fault.message else ""
        raise NotUnderstoodError(f"The {fault.path} {fault.message}.{counted}") from None
