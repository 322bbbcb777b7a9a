"""Hatches: on each face that is turned to the viewer parallel lines, as far apart on the screen whatever the zoom.

They are lines in the plane of the face, so that all that follows treats them like others: hidden, drawn by the GPU and
written as vectors. A line p(t) = d n + t u on the screen is clipped to the face's convex loop after Cyrus and Beck
(1978), and taken back to the face along the lines of sight.
"""

from __future__ import annotations

from math import cos, radians, sin

import numpy as np
from msgspec import Struct

from core.geometry.vector import Array, cross_rows

from ..camera import Projection
from ..draw_list import Hatch, IntArray, Subject

SPACING = 7.0
"""From line to line, points."""
LEAST_AREA = 0.5
"""Square pixels, twice: a face that covers less is seen edge-on."""


class HatchLines(Struct, frozen=True, eq=False):
    """`start`, `end` (n, 3), view frame, of the lines on a batch of faces, and whose each is."""

    start: Array
    end: Array
    subjects: list[Subject]


def hatch_lines(hatch: Hatch, projection: Projection, density: float) -> HatchLines:
    """The lines that show of a batch of faces."""
    view = _padded(hatch.loops, projection)
    screen = projection.screen(view)
    # Counter-clockwise seen from outside is a negative turn where y points down.
    sides = np.roll(screen[..., :2], -1, axis=1) - screen[..., :2]
    arms = screen[..., :2] - screen[:, :1, :2]
    turn = (arms[..., 0] * sides[..., 1] - arms[..., 1] * sides[..., 0]).sum(axis=1)
    faces = np.nonzero((turn < -LEAST_AREA) & (screen[..., 2] > 0.0).all(axis=1))[0]
    found = [_Faces(screen[faces, :, :2], projection, density).lines(hatch, turned) for turned in hatch.angles]
    rows = faces[np.concatenate([np.zeros(0, dtype=np.int64), *(rows for rows, _ in found)])]
    ends = np.concatenate([np.zeros((0, 2, 2)), *(ends for _, ends in found)])
    start, end = (_on_faces(ends[:, k], view[rows], projection) for k in (0, 1))
    return HatchLines(start, end, [hatch.subjects[row] for row in rows.tolist()])


def _padded(loops: list[Array], projection: Projection) -> Array:
    """The loops in the view frame, (f, p, 3), shorter ones with their last corner again and again."""
    counts = np.array([len(loop) for loop in loops], dtype=np.int64)
    first = np.cumsum(counts) - counts
    columns = np.minimum(np.arange(counts.max(initial=1)), counts[:, None] - 1)
    padded: Array = np.concatenate([np.zeros((0, 3)), *loops])[first[:, None] + columns]
    return projection.to_view(padded)


class _Faces:
    """Faces on the screen: `corners` (f, p, 2) pixels."""

    def __init__(self, corners: Array, projection: Projection, density: float) -> None:
        self.corners, self.density = corners, density
        self.sides = np.roll(corners, -1, axis=1) - corners
        self.pane = np.array([(x, y) for x in (0.0, projection.width) for y in (0.0, projection.height)])

    def lines(self, hatch: Hatch, degrees: float) -> tuple[IntArray, Array]:
        """The faces that lines at this angle are on, (n,), and the lines' ends (n, 2, 2), pixels."""
        u = np.array((cos(radians(degrees)), -sin(radians(degrees))))
        n = np.array((-u[1], u[0]))
        heights, spacing = self.corners @ n, SPACING * self.density
        # From the middle of each face on: a small one has a line, and lines stay with what moves.
        low, high = heights.min(axis=1), heights.max(axis=1)
        middle, across = 0.5 * (low + high), self.pane @ n
        first = np.ceil((np.maximum(low, across.min()) - middle) / spacing).astype(np.int64)
        count = np.maximum(
            np.floor((np.minimum(high, across.max()) - middle) / spacing).astype(np.int64) - first + 1, 0
        )
        rows = np.repeat(np.arange(len(count)), count)
        number = first[rows] + np.arange(len(rows)) - np.repeat(np.cumsum(count) - count, count)
        feet = (middle[rows] + spacing * number)[:, None] * n
        low, high = self._within(rows, feet, u, hatch.rim * self.density)
        kept = high > low
        rows, feet, low, high = rows[kept], feet[kept], low[kept], high[kept]
        return rows, feet[:, None] + np.stack((low, high), axis=1)[..., None] * u

    def _within(self, rows: IntArray, feet: Array, u: Array, rim: float) -> tuple[Array, Array]:
        """From which t to which the lines feet + t u lie in the faces `rows`, and at most `rim` from their first side.

        With a rim no farther from the first side than from those beside it, as the corners of a frame are cut.
        """
        sides, arms = self.sides[rows], feet[:, None] - self.corners[rows]
        size = np.maximum(np.sqrt((sides * sides).sum(axis=2)), 1e-300)
        # How far outside of each side, at t = 0 and for each t; 0 for a side without length.
        at = (sides[..., 0] * arms[..., 1] - sides[..., 1] * arms[..., 0]) / size
        by = (sides[..., 0] * u[1] - sides[..., 1] * u[0]) / size
        if np.isfinite(rim):
            beside = (1, -1)
            at = np.column_stack((at, -at[:, 0] - rim, *(at[:, k] - at[:, 0] for k in beside)))
            by = np.column_stack((by, -by[:, 0], *(by[:, k] - by[:, 0] for k in beside)))
        with np.errstate(divide="ignore", invalid="ignore"):
            met = -at / by
        low = np.where(by < 0.0, met, -np.inf).max(axis=1)
        high = np.where(by > 0.0, met, np.inf).min(axis=1)
        outside = ((by == 0.0) & (at > 0.0)).any(axis=1)
        return low, np.where(outside, -np.inf, high)


def _on_faces(pixels: Array, loops: Array, projection: Projection) -> Array:
    """Where the lines of sight through pixels (n, 2) meet the planes of loops (n, p, 3), view frame."""
    following = np.roll(loops, -1, axis=1) - loops[:, :1]
    normals = (
        cross_rows((loops - loops[:, :1]).reshape(-1, 3), following.reshape(-1, 3)).reshape(loops.shape).sum(axis=1)
    )
    offsets = (normals * loops[:, 0]).sum(axis=1)
    x = (pixels[:, 0] - 0.5 * projection.width) / projection.focal
    y = (0.5 * projection.height - pixels[:, 1]) / projection.focal
    if not projection.perspective:
        return np.column_stack((x, y, (offsets - normals[:, 0] * x - normals[:, 1] * y) / normals[:, 2]))
    sight = np.column_stack((x, y, -np.ones(len(x))))
    found: Array = (0.0, 0.0, 1.0) + ((offsets - normals[:, 2]) / (normals * sight).sum(axis=1))[:, None] * sight
    return found
