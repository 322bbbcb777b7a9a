"""Point markers and arrow heads on the screen; hidden ones fainter."""

from __future__ import annotations

import numpy as np

from core.geometry.vector import Array

from ..camera import NEAR
from ..draw_list import DrawList, Hidden, IntArray, Marker
from ..placed import PlacedMarks
from .frame import NO_POINTS, Lines, Pane, lifted
from .lines import FAINT, Heads, joined
from .spans import BoolArray

FAINT_MARK = 0.4
"""Alpha of a hidden marker, times this; a lone point needs more than a line to be found."""


def lay_marks(draw: DrawList, lines: Lines, heads: Heads, pane: Pane) -> PlacedMarks:
    """Arrow heads, then the markers in the order they were said; those outside the pane are left out."""
    return joined(_heads(lines, heads, pane), _markers(draw, pane))


def hidden_points(points: Array, spared: IntArray, pane: Pane) -> BoolArray:
    """Whether view-frame points (n, 3) are hidden by any solid but the one `spared` (n,), (n,) bool."""
    covered = np.zeros(len(points), dtype=bool)
    for number, shadow in enumerate(pane.shadows):
        if shadow is not None:
            covered |= shadow.covers(points) & (spared != number)
    return covered


def _markers(draw: DrawList, pane: Pane) -> PlacedMarks:
    batches, projection, density = draw.marks, pane.projection, pane.density
    counts = [len(batch.subjects) for batch in batches]
    table = np.array(
        [
            (
                batch.radius * density,
                batch.shape,
                batch.angle,
                batch.stroke_width * density,
                batch.hidden,
                batch.group,
                *batch.fill,
                *batch.stroke,
            )
            for batch in batches
        ],
        dtype=np.float64,
    ).reshape(-1, 14)
    table = np.repeat(table, counts, axis=0)
    points = projection.to_view(np.concatenate([NO_POINTS, *(batch.points for batch in batches)]))
    hidden = table[:, 4].astype(np.int64)
    if len(pane.sides) and len(batches):
        lifts = np.concatenate([batch.lifts for batch in batches])
        points = points + lifted(lifts, table[:, 5].astype(np.int64), pane)
    covered = hidden_points(points, np.full(len(points), -1), pane) & (hidden != Hidden.SHOW)
    screen = projection.screen(points)
    reach = table[:, 0] + table[:, 3]
    seen = (
        (np.abs(screen[:, 0] - 0.5 * projection.width) <= 0.5 * projection.width + reach)
        & (np.abs(screen[:, 1] - 0.5 * projection.height) <= 0.5 * projection.height + reach)
        & (1.0 - projection.perspective * points[:, 2] >= NEAR)
        & ~(covered & (hidden == Hidden.DROP))
    )
    fade = np.where(covered, FAINT_MARK, 1.0)
    table[:, 9] *= fade
    table[:, 13] *= fade
    rows = np.nonzero(seen)[0]
    subjects = [subject for batch in batches for subject in batch.subjects]
    return PlacedMarks(
        screen[rows, :2],
        table[rows, 0],
        table[rows, 1].astype(np.int64),
        table[rows, 2],
        table[rows, 6:10],
        table[rows, 10:14],
        table[rows, 3],
        tuple([subjects[i] for i in rows.tolist()]),
    )


def _heads(lines: Lines, heads: Heads, pane: Pane) -> PlacedMarks:
    """Heads as triangles. A TRIANGLE of radius r reaches r forward and r/2 back: one of length h has r = 2h/3."""
    line = heads.line
    hidden = lines.hidden[line]
    covered = hidden_points(heads.point, lines.spared[line], pane) | lines.own_hidden[line]
    covered &= hidden != Hidden.SHOW
    radius = heads.length * (2.0 / 3.0)
    centre = heads.tip[:, :2] - radius[:, None] * heads.along
    rgba = np.where(heads.at_end[:, None], lines.end_rgba[line], lines.start_rgba[line])
    rgba[:, 3] *= np.where(covered, FAINT, 1.0)
    width, height = pane.projection.width, pane.projection.height
    inside = (np.abs(centre[:, 0] - 0.5 * width) <= 0.5 * width + radius) & (
        np.abs(centre[:, 1] - 0.5 * height) <= 0.5 * height + radius
    )
    rows = np.nonzero(inside & ~(covered & (hidden == Hidden.DROP)))[0]
    return PlacedMarks(
        centre[rows],
        radius[rows],
        np.full(len(rows), int(Marker.TRIANGLE)),
        np.arctan2(heads.along[rows, 1], heads.along[rows, 0]),
        rgba[rows],
        np.zeros((len(rows), 4)),
        np.zeros(len(rows)),
        tuple([lines.subjects[i] for i in line[rows].tolist()]),
    )
