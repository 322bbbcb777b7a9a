"""From a draw list and a camera to pixels: labels apart, lines cut where solids hide them, outlines drawn.

An orbit reruns only this. Read in order: `frame` brings everything before the camera, `solids` says what round solids
look like and what solids hide, `lines` (with the marks), `triangles` and `labels` put it on the screen.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..camera import Camera, Projection
from ..draw_list import DrawList, Rgba
from ..placed import Placed, PlacedLabel, joined_rows
from .frame import lines_of, pane_of
from .labels import STAY, Measure, Taken, lay_labels
from .lines import lay_lines, lay_marks
from .triangles import lay_triangles

__all__ = ["STAY", "Measure", "Taken", "layout"]


def layout(
    draw: DrawList,
    camera: Camera,
    width: int,
    height: int,
    density: float,
    measure: Measure,
    halo: Rgba,
    previous: Sequence[PlacedLabel] = (),
    taken: Sequence[Taken] = (),
    stay: float = STAY,
) -> Placed:
    """One pane of `width` x `height` framebuffer pixels with `density` pixels to a point.

    `measure` gives the box of a text in pixels; `halo`: colour round text, handed through.
    `previous`: the labels shown before in this pane, the last ones first; they stay where they are unless another place
    is better by `stay`. Without them equal inputs give equal pictures. `taken`: rectangles in which no label is to
    stand, nor a rail where they are bars across the whole pane.
    """
    projection = Projection(camera, width, height)
    bars = [(y, tall) for x, y, wide, tall in taken if x <= 0.0 and wide >= width]
    top = max((tall for y, tall in bars if y <= 0.0), default=0.0)
    bottom = max((height - y for y, tall in bars if y > 0.0), default=0.0)
    pane = pane_of(draw, projection, density, (top, bottom))
    lines = lines_of(draw, pane)
    laid = lay_lines(lines, pane)
    marks = lay_marks(draw, lines, laid.heads, pane)
    labels = lay_labels(draw, laid, marks, pane, measure, previous, taken, stay)
    placed = joined_rows(laid.placed, labels.leaders) if labels.leaders.subjects else laid.placed
    return Placed(width, height, lay_triangles(draw, pane), placed, marks, labels.placed, halo, labels.dropped)
