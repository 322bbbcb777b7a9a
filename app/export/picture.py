"""From laid-out panes to one picture of operations, pane by pane in the order in which the renderer paints."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from ..draw.draw_list import Rgba
from ..draw.placed import Placed, Rect
from .operations import Ground, Group, Operation, Picture
from .solids import solid_operations
from .strokes import label_operations, line_operations, mark_operations


def picture_of(
    panes: Sequence[tuple[Rect, Placed]],
    size: tuple[int, int],
    fineness: int,
    scale: float,
    background: tuple[Rgba, Rgba] | None,
    scene: str,
    title: str = "",
) -> Picture:
    """The panes of a picture of `size` pixels, laid out `fineness` times finer, `scale` pixels to the point.

    `background`: colours at a pane's top and bottom, None for a transparent picture.
    """
    point = scale * fineness
    operations = tuple([_pane(rect, placed, point, background) for rect, placed in panes])
    return Picture(size[0] * fineness, size[1] * fineness, fineness, operations, scene, title)


def _pane(rect: Rect, placed: Placed, point: float, background: tuple[Rgba, Rgba] | None) -> Group:
    placed = _moved(placed, rect)
    corners = np.array(((0, 0), (rect.width, 0), (rect.width, rect.height), (0, rect.height)), dtype=np.float64)
    ground: tuple[Operation, ...] = ()
    if background is not None:
        ground = (Ground(rect.x, rect.y, rect.width, rect.height, *background),)
    lines = placed.lines
    drawn = (
        *ground,
        *line_operations(lines, 0, lines.ground),
        *solid_operations(placed, point),
        *line_operations(lines, lines.ground, len(lines.width)),
        *mark_operations(placed.marks),
        *label_operations(placed.labels, placed.halo),
    )
    return Group(drawn, clips=((corners + np.array((rect.x, rect.y)),),))


def _moved(placed: Placed, rect: Rect) -> Placed:
    """The pane with its positions from the picture's corner."""
    shift = np.array((rect.x, rect.y), dtype=np.float64)
    corners = placed.triangles.corners.copy()
    corners[..., :2] += shift
    lines, marks = placed.lines, placed.marks
    return replace(
        placed,
        triangles=replace(placed.triangles, corners=corners),
        lines=replace(lines, start=lines.start + shift, end=lines.end + shift),
        marks=replace(marks, centre=marks.centre + shift),
        labels=tuple([replace(label, x=label.x + rect.x, y=label.y + rect.y) for label in placed.labels]),
    )
