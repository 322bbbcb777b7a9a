"""What lies under the pointer, read from the placed pane: the same arrays that the renderer draws.

Small things come first: markers, then lines, then labels, then faces; a solid's own edges come last, so that a faint
edge from behind never wins over the face in front of it. Primitives without a subject are looked through.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np

from core.geometry.vector import Array

from ..draw.draw_list import IntArray, Subject
from ..draw.placed import Placed, PlacedLabel, PlacedLines, PlacedMarks, PlacedTriangles

LINE_RANKS = {"gizmo": 0, "axis": 1}
"""Lines of these kinds are taken before all others within reach, however near those are."""

EDGE_KINDS = frozenset({"body", "difference"})
"""Lines of these kinds are edges and outlines of solids."""


def pick(
    placed: Placed, x: float, y: float, radius: float = 6.0, kinds: Collection[str] | None = None
) -> Subject | None:
    """The subject at the pixel (x, y) of the pane, if any; `radius`: reach in pixels round markers and lines.

    `kinds` restricts the answer to subjects of these kinds; others are looked through.
    """
    return next(_candidates(placed, x, y, radius, kinds), None)


def pick_all(
    placed: Placed, x: float, y: float, radius: float = 6.0, kinds: Collection[str] | None = None
) -> list[Subject]:
    """Every subject within reach of the pixel (x, y), in the order in which `pick` prefers them, each once."""
    return list(dict.fromkeys(_candidates(placed, x, y, radius, kinds)))


def _candidates(placed: Placed, x: float, y: float, radius: float, kinds: Collection[str] | None) -> Iterator[Subject]:
    pointer = np.array((x, y))
    on_lines = [placed.lines.subjects[row] for row in _lines_at(placed.lines, pointer, radius)]
    for subject in (
        *(placed.marks.subjects[row] for row in _marks_at(placed.marks, pointer, radius)),
        *(subject for subject in on_lines if subject.kind not in EDGE_KINDS),
        *(label.subject for label in placed.labels if _holds(label, x, y)),
        *(placed.triangles.subjects[row] for row in _faces_at(placed.triangles, pointer)),
        *(subject for subject in on_lines if subject.kind in EDGE_KINDS),
    ):
        if subject.kind != "none" and (kinds is None or subject.kind in kinds):
            yield subject


def _marks_at(marks: PlacedMarks, pointer: Array, radius: float) -> list[int]:
    offset = marks.centre - pointer
    distance = np.sqrt(np.einsum("ij,ij->i", offset, offset))
    near = np.nonzero(distance <= np.maximum(marks.radius, radius))[0]
    # Of equals the one drawn last, on top.
    order: list[int] = near[np.lexsort((-near, distance[near]))].tolist()
    return order


def _lines_at(lines: PlacedLines, pointer: Array, radius: float) -> list[int]:
    distance = np.maximum(_line_distances(lines, pointer) - 0.5 * lines.width, 0.0)
    near = np.nonzero(distance <= radius)[0]
    rank = _ranks(lines.subjects, near, LINE_RANKS)
    order: list[int] = near[np.lexsort((-near, distance[near], rank))].tolist()
    return order


def _line_distances(lines: PlacedLines, pointer: Array) -> Array:
    way, offset = lines.end - lines.start, pointer - lines.start
    square = np.einsum("ij,ij->i", way, way)
    along = np.einsum("ij,ij->i", offset, way) / np.maximum(square, 1e-12)
    gap = offset - np.clip(along, 0.0, 1.0)[:, None] * way
    distances: Array = np.sqrt(np.einsum("ij,ij->i", gap, gap))
    return distances


def _holds(label: PlacedLabel, x: float, y: float) -> bool:
    return label.x <= x <= label.x + label.width and label.y <= y <= label.y + label.height


def _faces_at(triangles: PlacedTriangles, pointer: Array) -> list[int]:
    """Front faces under the pointer, nearest first, those of axes before those of bodies, sheets last."""
    rows = np.nonzero(triangles.front)[0]
    corners = triangles.corners[rows]
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    offset = pointer - corners[:, 0, :2]
    area = first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]
    flat = area == 0.0
    area = np.where(flat, 1.0, area)
    u = (offset[:, 0] * second[:, 1] - offset[:, 1] * second[:, 0]) / area
    v = (first[:, 0] * offset[:, 1] - first[:, 1] * offset[:, 0]) / area
    # A hair of tolerance, so that no pointer falls between two triangles of one face.
    inside = (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1.0 + 1e-9) & ~flat
    hit = np.nonzero(inside)[0]
    depth = corners[hit, 0, 2] + u[hit] * first[hit, 2] + v[hit] * second[hit, 2]
    found = rows[hit]
    rank = np.where(triangles.sheet[found] == 1, 2, _ranks(triangles.subjects, found, {"axis": -1}))
    order: list[int] = found[np.lexsort((depth, rank))].tolist()
    return order


def _ranks(subjects: Sequence[Subject], rows: IntArray, ranks: dict[str, int]) -> IntArray:
    """Rank of each row's subject by its kind, the last rank for kinds not named."""
    last = max(ranks.values()) + 1
    return np.array([ranks.get(subjects[row].kind, last) for row in rows.tolist()], dtype=np.int64)
