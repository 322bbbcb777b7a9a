"""Hatches: parallel lines on each face that is turned to the viewer, equally far apart on the screen at any zoom.

They are made as lines in the plane of the face, so that later steps can hide, draw and export them like all lines.
A line p(t) = d n + t u on the screen is clipped to the face's convex loop after Cyrus and Beck (1978), and projected
back on to the face along the lines of sight.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct

from core.geometry.vector import Array, cross_rows

from ..camera import PaneLens
from ..draw_list import Dash, Hatch, Hidden, IntArray, Layer, Rgba, Subject
from ..steady import steady_pixels
from .frame import NO_POINTS, LayoutFrame

SPACING = 7.0
"""Points between two lines."""
LEAST_AREA = 0.5
"""Twice the area, in square pixels, up to which a face counts as seen edge-on and is not hatched."""
MOST_AT_ONCE = 20_000
"""Most corners, with padding, that are hatched in one pass. If there are more, each batch is hatched by itself: this
takes less memory if one face has many corners."""


class MadeLines(Struct, frozen=True, eq=False):
    """Lines `start` to `end` (n, 3), view frame, that depend on the camera: outlines and hatches of one `pane`.

    `look`: a row of the table that `joined_lines._looks` returns, for all of the lines.
    """

    start: Array
    end: Array
    rgba: Rgba
    look: tuple[float, ...]
    subjects: list[Subject]
    pane: int


def hatch_lines(frame: LayoutFrame) -> Iterator[MadeLines]:
    """Yields the lines of each Hatch."""
    hatches = [(number, hatch) for number, pane in enumerate(frame.panes) for hatch in pane.draw.hatches]
    widest = max((len(loop) for _, hatch in hatches for loop in hatch.loops), default=0)
    if widest * sum(len(hatch.loops) for _, hatch in hatches) <= MOST_AT_ONCE:
        yield from _lines_on(hatches, frame)
    else:
        for each in hatches:
            yield from _lines_on([each], frame)


def _lines_on(hatches: Sequence[tuple[int, Hatch]], frame: LayoutFrame) -> Iterator[MadeLines]:
    """Yields the lines of each Hatch; `hatches`: each after the number of its pane."""
    if not hatches:
        return
    faces = _Faces(hatches, frame)
    rows, ends = faces.lines()
    start, end = (faces.in_view(pixels, rows) for pixels in ends)
    first = 0
    for number, (pane, hatch) in enumerate(hatches):
        last = first + int(np.count_nonzero(faces.hatch[rows] == number))
        look = (hatch.width, Dash.SOLID, Hidden.DROP, Layer.BACK, 0.0, 0.0, hatch.solid_number, -1)
        subjects = [hatch.subjects[row] for row in faces.row[rows[first:last]].tolist()]
        yield MadeLines(start[first:last], end[first:last], hatch.rgba, look, subjects, pane)
        first = last


class _Faces:
    """The faces turned to the viewer, once for each angle of the lines on them; f rows, in the order of the hatches.

    `hatch`, `row` (f,): the index of the Hatch and of the face in it; `screen` (f, p, 2): corners in pixels, shorter
    loops padded with their last corner; `sides` (f, p, 2): from each corner to the next; `u`, `n` (f, 2): unit vectors
    along and across the lines; `spacing`, `strip` (f,) pixels; `lens`: of each face's pane; `normal` (f, 3), `offset`
    (f,): the faces' planes, view frame.
    """

    def __init__(self, hatches: Sequence[tuple[int, Hatch]], frame: LayoutFrame) -> None:
        counts = [len(hatch.loops) for _, hatch in hatches]
        of = np.repeat(np.arange(len(hatches)), counts)
        number = np.concatenate([np.arange(count) for count in counts])
        pane = np.array([pane for pane, _ in hatches])[of]
        view = _padded(hatches, pane, frame)
        flat = frame.lens.at(np.repeat(pane, view.shape[1])).screen(view.reshape(-1, 3))
        screen = flat.reshape(view.shape)
        # Counter-clockwise seen from outside is a negative turn, because y points down.
        sides = np.roll(screen[..., :2], -1, axis=1) - screen[..., :2]
        arms = screen[..., :2] - screen[:, :1, :2]
        turn = (arms[..., 0] * sides[..., 1] - arms[..., 1] * sides[..., 0]).sum(axis=1)
        seen = np.nonzero((turn < -LEAST_AREA) & (screen[..., 2] > 0.0).all(axis=1))[0]
        angles = [(hatch, angle) for hatch, (_, each) in enumerate(hatches) for angle in each.angles]
        shown = [seen[of[seen] == hatch] for hatch, _ in angles]
        rows = np.concatenate([np.zeros(0, dtype=np.int64), *shown])
        turned = np.radians(np.repeat([angle for _, angle in angles], [len(each) for each in shown]))
        self.hatch, self.row, pane = of[rows], number[rows], pane[rows]
        self.screen, self.sides = screen[rows, :, :2], sides[rows]
        self.u = np.column_stack((np.cos(turned), -np.sin(turned)))
        self.n = np.column_stack((np.sin(turned), np.cos(turned)))
        self.lens: PaneLens = frame.lens.at(pane)
        self.spacing = SPACING * frame.density[pane]
        self.strip = np.array([hatch.strip for _, hatch in hatches])[self.hatch] * frame.density[pane]
        self.normal, self.offset = _planes(view[rows])

    def lines(self) -> tuple[IntArray, tuple[Array, Array]]:
        """The row of each line's face, (m,), and the two ends of the lines, (m, 2) each, pixels."""
        n = self.n
        heights = self.screen[..., 0] * n[:, :1] + self.screen[..., 1] * n[:, 1:]
        # Lines are counted from the middle of each face: a small face has one, and lines move with their face.
        low, high = heights.min(axis=1), heights.max(axis=1)
        middle = 0.5 * (low + high)
        wide, tall = self.lens.width * n[:, 0], self.lens.height * n[:, 1]
        least, most = (bound(wide, 0.0) + bound(tall, 0.0) for bound in (np.minimum, np.maximum))
        first = np.ceil(steady_pixels((np.maximum(low, least) - middle) / self.spacing)).astype(np.int64)
        last = np.floor(steady_pixels((np.minimum(high, most) - middle) / self.spacing)).astype(np.int64)
        count = np.maximum(last - first + 1, 0)
        rows = np.repeat(np.arange(len(count)), count)
        number = first[rows] + np.arange(len(rows)) - np.repeat(np.cumsum(count) - count, count)
        feet = (middle[rows] + self.spacing[rows] * number)[:, None] * n.take(rows, axis=0)
        low, high = self._within(rows, feet)
        kept = high > low
        rows, feet, low, high = rows[kept], feet[kept], low[kept], high[kept]
        u = self.u.take(rows, axis=0)
        return rows, (feet + low[:, None] * u, feet + high[:, None] * u)

    def _within(self, rows: IntArray, feet: Array) -> tuple[Array, Array]:
        """The range of t, from and to (m,), in which the lines feet + t u lie in the faces `rows` (m,).

        A line of a face with a finite `strip` is kept only within it of side 0, and only where side 0 is nearer than
        the sides beside it, as at the mitred corners of a picture frame. Empty if from >= to.
        """
        sides, arms = self.sides.take(rows, axis=0), feet[:, None] - self.screen.take(rows, axis=0)
        u, strip = self.u.take(rows, axis=0), self.strip[rows]
        across, down = sides[..., 0], sides[..., 1]
        size = np.maximum(np.sqrt(across * across + down * down), 1e-300)
        # Distance beyond each side at t = 0, and its change with t; both 0 for a side without length.
        at = (across * arms[..., 1] - down * arms[..., 0]) / size
        by = (across * u[:, 1:] - down * u[:, :1]) / size
        if np.isfinite(strip).any():
            beside = [np.where(np.isfinite(strip), at[:, k] - at[:, 0], -np.inf) for k in (1, -1)]
            at = np.column_stack((at, -at[:, 0] - strip, *beside))
            by = np.column_stack((by, -by[:, 0], *(by[:, k] - by[:, 0] for k in (1, -1))))
        with np.errstate(divide="ignore", invalid="ignore"):
            met = -at / by
        low = np.where(by < 0.0, met, -np.inf).max(axis=1)
        high = np.where(by > 0.0, met, np.inf).min(axis=1)
        outside = ((by == 0.0) & (at > 0.0)).any(axis=1)
        return low, np.where(outside, -np.inf, high)

    def in_view(self, pixels: Array, rows: IntArray) -> Array:
        """The points (m, 3), view frame, where lines of sight through pixels (m, 2) meet the planes of faces `rows`."""
        lens, (a, b, c), offset = self.lens.at(rows), self.normal.take(rows, axis=0).T, self.offset[rows]
        x = (pixels[:, 0] - 0.5 * lens.width) / lens.focal
        y = (0.5 * lens.height - pixels[:, 1]) / lens.focal
        # Lines of sight start at the eye, or in parallel projection at the plane through the target.
        p = lens.perspective
        start = np.column_stack(((1.0 - p) * x, (1.0 - p) * y, p * np.ones(len(x))))
        sight = np.column_stack((p * x, p * y, -np.ones(len(x))))
        far = (offset - a * start[:, 0] - b * start[:, 1] - c * start[:, 2]) / (a * sight[:, 0] + b * sight[:, 1] - c)
        found: Array = start + far[:, None] * sight
        return found


def _padded(hatches: Sequence[tuple[int, Hatch]], pane: IntArray, frame: LayoutFrame) -> Array:
    """The loops in the view frame, (f, p, 3), shorter ones padded with their last corner; `pane` (f,): of each loop.

    `hatches`: each after the number of its pane.
    """
    loops = [loop for _, hatch in hatches for loop in hatch.loops]
    counts = np.array([len(loop) for loop in loops], dtype=np.int64)
    first = np.cumsum(counts) - counts
    columns = np.minimum(np.arange(counts.max(initial=1)), counts[:, None] - 1)
    padded: Array = np.concatenate([NO_POINTS, *loops])[first[:, None] + columns]
    for number, each in enumerate(frame.panes):
        rows = pane == number
        padded[rows] = each.projection.to_view(padded[rows])
    return padded


def _planes(loops: Array) -> tuple[Array, Array]:
    """Normals (f, 3), of any length, and offsets (f,) of the planes of loops (f, p, 3)."""
    arms, following = loops - loops[:, :1], np.roll(loops, -1, axis=1) - loops[:, :1]
    normals = cross_rows(arms.reshape(-1, 3), following.reshape(-1, 3)).reshape(loops.shape).sum(axis=1)
    return normals, (normals * loops[:, 0]).sum(axis=1)
