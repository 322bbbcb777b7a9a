"""Makes one picture of operations from laid-out panes, in the order in which the renderer draws."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..draw.draw_list import Rgba
from ..draw.placed import PlacedPane, Rect, lines_with_rims, moved_pane
from .operations import Ground, Operation, OperationGroup, Picture
from .solids import solid_operations
from .strokes import label_operations, line_operations, mark_operations, outlined


def picture_of(
    panes: Sequence[tuple[Rect, PlacedPane]],
    size: tuple[int, int],
    fineness: int,
    scale: float,
    background: tuple[Rgba, Rgba] | None,
    scene: str,
    title: str = "",
    outlines: bool = False,
) -> Picture:
    """A picture of `size` pixels made of panes that were laid out with `fineness` times as many.

    `scale`: pixels of the picture to a point. `background`: colours at a pane's top and bottom, None for a transparent
    picture. `scene`, `title`: as in Picture. `outlines`: texts become outlines of letters, for programs that support
    neither embedded fonts nor halos.
    """
    density = scale * fineness
    operations = tuple([_pane(rect, placed, density, background, outlines=outlines) for rect, placed in panes])
    return Picture(size[0] * fineness, size[1] * fineness, fineness, operations, scene, title)


def _pane(
    rect: Rect, placed: PlacedPane, density: float, background: tuple[Rgba, Rgba] | None, *, outlines: bool
) -> OperationGroup:
    placed = moved_pane(placed, rect.x, rect.y)
    corners = np.array(((0, 0), (rect.width, 0), (rect.width, rect.height), (0, rect.height)), dtype=np.float64)
    ground: tuple[Operation, ...] = ()
    if background is not None:
        ground = (Ground(rect.x, rect.y, rect.width, rect.height, *background),)
    lines, texts = lines_with_rims(placed), label_operations(placed.labels, placed.halo)
    drawn = (
        *ground,
        *line_operations(lines, 0, lines.ground_lines),
        *solid_operations(placed, density),
        *line_operations(lines, lines.ground_lines, len(lines.width)),
        *mark_operations(placed.marks),
        *(outlined(texts) if outlines else texts),
    )
    return OperationGroup(drawn, clips=((corners + np.array((rect.x, rect.y)),),))
