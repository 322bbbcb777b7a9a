"""From a draw list and a camera to pixels: labels apart, lines cut where solids hide them, outlines drawn.

An orbit reruns only this. Read in order: `frame` brings everything before the camera, `contours`, `balls` and `shadows`
say what round solids look like and what solids hide (`spans` cuts lines), `lines`, `triangles`, `marks` and `labels`
put it on the screen.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..camera import Camera, Projection
from ..draw_list import DrawList, Rgba
from ..placed import Placed, PlacedLines
from .frame import lines_of, pane_of
from .labels import Measure, Taken, lay_labels
from .lines import lay_lines
from .marks import lay_marks
from .triangles import lay_triangles

__all__ = ["Measure", "Taken", "layout"]


def layout(
    draw: DrawList,
    camera: Camera,
    width: int,
    height: int,
    density: float,
    measure: Measure,
    halo: Rgba,
    previous: Placed | None = None,
    taken: Sequence[Taken] = (),
) -> Placed:
    """One pane of `width` x `height` framebuffer pixels with `density` pixels to a point.

    `measure` gives the box of a text in pixels; `halo`: colour round text, handed through.
    `previous`: the picture shown before in this pane, whose labels stay where they are unless another place is clearly
    better; without it equal inputs give equal pictures. `taken`: rectangles in which no label is to stand.
    """
    projection = Projection(camera, width, height)
    pane = pane_of(draw, projection, density)
    lines = lines_of(draw, pane)
    laid = lay_lines(lines, pane)
    marks = lay_marks(draw, lines, laid.heads, pane)
    labels = lay_labels(draw, laid, marks, pane, measure, () if previous is None else previous.labels, taken)
    return Placed(
        width,
        height,
        lay_triangles(draw, pane),
        _with_leaders(laid.placed, labels.leaders),
        marks,
        labels.placed,
        halo,
        labels.dropped,
    )


def _with_leaders(lines: PlacedLines, leaders: PlacedLines) -> PlacedLines:
    if not leaders.subjects:
        return lines
    return PlacedLines(
        np.concatenate((lines.start, leaders.start)),
        np.concatenate((lines.end, leaders.end)),
        np.concatenate((lines.width, leaders.width)),
        np.concatenate((lines.start_rgba, leaders.start_rgba)),
        np.concatenate((lines.end_rgba, leaders.end_rgba)),
        np.concatenate((lines.dash, leaders.dash)),
        np.concatenate((lines.phase, leaders.phase)),
        lines.subjects + leaders.subjects,
        lines.ground,
    )
