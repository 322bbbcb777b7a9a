"""Putting laid-out pictures together: insets into a pane's corner, titles and dividing lines over it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from core.geometry.vector import Array

from .draw_list import NOTHING, Rgba
from .placed import Box, Placed, PlacedLabel, PlacedLines, PlacedMarks, PlacedTriangles, around
from .text import measure

TITLE_SIZE = 12.5
"""Of a pane's name, points."""
INSET_DEPTH = 1e-3
"""Insets take this nearest share of the depths, so that they stand before everything in the pane."""


def with_inset(pane: Placed, inset: Placed, x: float, y: float) -> Placed:
    """The pane with `inset` drawn over it, its top left corner at the pixel (x, y)."""
    shift = np.array((x, y))
    return replace(
        pane,
        triangles=_joined_triangles(pane.triangles, inset.triangles, shift),
        lines=_joined_lines(pane.lines, inset.lines, shift),
        marks=_joined_marks(pane.marks, inset.marks, shift),
        labels=(*pane.labels, *(replace(label, x=label.x + x, y=label.y + y) for label in inset.labels)),
    )


def title_place(title: str, across: float, high: float, density: float) -> tuple[float, float, float, float]:
    """Where the name of a pane `across` by `high` pixels stands: x, y, width and height, at its lower edge."""
    width, height = measure(title, TITLE_SIZE * density)
    return 0.5 * (across - width), high - height - 10.0 * density, width, height


def with_title(pane: Placed, title: str, rgba: Rgba, density: float) -> Placed:
    """The pane with its name at the middle of its lower edge."""
    place = title_place(title, pane.width, pane.height, density)
    label = PlacedLabel(title, *place, TITLE_SIZE * density, rgba, False, NOTHING)
    return replace(pane, labels=(*pane.labels, label))


def with_border(pane: Placed, rgba: Rgba, density: float, *, above: bool) -> Placed:
    """The pane with a line along its left edge, or its upper one: what divides it from its neighbour."""
    width = max(1.0, round(density))
    middle = 0.5 * width
    line = PlacedLines(
        start=np.array(((0.0, middle) if above else (middle, 0.0),)),
        end=np.array(((float(pane.width), middle) if above else (middle, float(pane.height)),)),
        width=np.array((width,)),
        start_rgba=np.array((rgba,)),
        end_rgba=np.array((rgba,)),
        dash=np.zeros(1, dtype=np.int64),
        phase=np.zeros(1),
        subjects=(NOTHING,),
    )
    return replace(pane, lines=_joined_lines(pane.lines, line, np.zeros(2)))


def _rows(first: Sequence[Array], second: Sequence[Array]) -> list[Array]:
    return [np.concatenate(pair) for pair in zip(first, second, strict=True)]


def _joined_triangles(a: PlacedTriangles, b: PlacedTriangles, shift: Array) -> PlacedTriangles:
    if not len(b.corners):
        return a
    corners = b.corners.copy()
    corners[..., :2] += shift
    corners[..., 2] *= INSET_DEPTH
    return PlacedTriangles(
        np.concatenate((a.corners, corners)),
        np.concatenate((a.normals, b.normals)),
        np.concatenate((a.rgba, b.rgba)),
        np.concatenate((a.front, b.front)),
        np.concatenate((a.sheet, b.sheet)),
        np.concatenate((a.opaque, b.opaque)),
        a.subjects + b.subjects,
        around(a.crowded, _box(corners)),
        _joined_seams(a, b),
    )


def _joined_seams(a: PlacedTriangles, b: PlacedTriangles) -> Array | None:
    if a.seams is None and b.seams is None:
        return None
    parts = [np.full((len(t.rgba), 3), np.inf) if t.seams is None else t.seams for t in (a, b)]
    return np.concatenate(parts)


def _box(corners: Array) -> Box:
    """Round triangles (m, 3, 3) on the screen, at least one."""
    (left, top), (right, bottom) = corners[..., :2].min(axis=(0, 1)), corners[..., :2].max(axis=(0, 1))
    return float(left), float(top), float(right), float(bottom)


def _joined_lines(a: PlacedLines, b: PlacedLines, shift: Array) -> PlacedLines:
    start, end, width, start_rgba, end_rgba, phase = _rows(
        (a.start, a.end, a.width, a.start_rgba, a.end_rgba, a.phase),
        (b.start + shift, b.end + shift, b.width, b.start_rgba, b.end_rgba, b.phase),
    )
    dash = np.concatenate((a.dash, b.dash))
    return PlacedLines(start, end, width, start_rgba, end_rgba, dash, phase, a.subjects + b.subjects, a.ground)


def _joined_marks(a: PlacedMarks, b: PlacedMarks, shift: Array) -> PlacedMarks:
    centre, radius, angle, fill, stroke, stroke_width = _rows(
        (a.centre, a.radius, a.angle, a.fill, a.stroke, a.stroke_width),
        (b.centre + shift, b.radius, b.angle, b.fill, b.stroke, b.stroke_width),
    )
    shape = np.concatenate((a.shape, b.shape))
    return PlacedMarks(centre, radius, shape, angle, fill, stroke, stroke_width, a.subjects + b.subjects)
