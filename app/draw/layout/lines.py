"""Places lines, their arrow heads and point markers on the screen.

Lines are clipped to the pane, cut where solids hide them, projected to pixels, and put in drawing order. Hidden marks
are fainter.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.geometry.vector import Array, dots

from ..camera import NEAR_PLANE, PaneLens
from ..draw_list import Dash, Hidden, IntArray, Layer, Marker, Subject
from ..placed import COVERS, PlacedLines, PlacedMarks, joined_rows, rows_by_pane
from .frame import NO_POINTS, LayoutFrame, within_sight
from .joined_lines import JoinedLines
from .solids import BallShadow, BoolArray, Pieces, split

CLIP_MARGIN = 32.0
"""Points beyond the pane's border at which lines are clipped, so that wide ends and dashes continue across it."""
FAINT = 0.25
"""Factor for the alpha of a hidden part."""
FAINT_DASHED = 0.5
"""Factor for the alpha of a hidden part that is drawn dashed."""
HEAD_OVERLAP = 0.8
"""Share of an arrow head's length by which the line ends before the tip, so that it does not show at the tip."""
LAYERS = len(Layer)
HEAD_LIMIT = 0.7
"""Largest share of a line's length on the screen that its arrow heads take together."""


class Heads(Struct, frozen=True, eq=False):
    """Arrow heads: `tip` (k, 3) pixels and depth; `along` (k, 2): unit direction on the screen; `length` (k,) pixels.

    `line` (k,): the row of each head's line in JoinedLines; `at_end` (k,): whether it is at the line's end, not its
    start; `point` (k, 3): the tip in the view frame.
    """

    tip: Array
    along: Array
    length: Array
    line: IntArray
    at_end: BoolArray
    point: Array


class LaidLines(Struct, frozen=True, eq=False):
    """The placed lines of all panes, pane by pane, and the data that the layout of labels and marks needs.

    `pane` (n,): of each line; `layer` (n,): values of Layer; `ground_lines` (p,): as in PlacedLines, of each pane.
    """

    placed: PlacedLines
    heads: Heads
    pane: IntArray
    layer: IntArray
    ground_lines: IntArray

    def of_panes(self) -> list[PlacedLines]:
        """The lines of each pane."""
        cut = rows_by_pane(self.placed, self.pane, len(self.ground_lines))
        return [replace(part, ground_lines=count) for part, count in zip(cut, self.ground_lines.tolist(), strict=True)]


def lay_lines(lines: JoinedLines, frame: LayoutFrame) -> LaidLines:
    """Clips, hides, projects and orders all lines."""
    heads, head0, head1 = _arrow_heads(lines, frame)
    keep0, keep1 = within_sight(lines.start, lines.end, lines.pane, frame, CLIP_MARGIN)
    keep0, keep1 = np.maximum(keep0, head0), np.minimum(keep1, head1)
    rows = np.nonzero(keep1 > keep0)[0]
    start, end = lines.start.take(rows, axis=0), lines.end.take(rows, axis=0)
    way = end - start
    start, end = start + keep0[rows, None] * way, start + keep1[rows, None] * way
    pieces = _cut(lines, rows, start, end, frame)
    # By pane, by layer, hidden parts before free ones, then in the order in which the overlays added them.
    key = 2 * (LAYERS * lines.pane[rows] + lines.layer[rows])[pieces.line] + ~pieces.covered
    pieces = pieces.at(np.lexsort((pieces.t0, pieces.line, key)))
    first, whole, line = start.take(pieces.line, axis=0), (end - start).take(pieces.line, axis=0), rows[pieces.line]
    pane = lines.pane[line]
    lens = frame.lens.at(pane)
    at0 = lens.screen(first + pieces.t0[:, None] * whole)[:, :2]
    at1 = lens.screen(first + pieces.t1[:, None] * whole)[:, :2]
    reach = (keep1 - keep0)[line]
    rgba0 = _blend(lines, line, keep0[line] + pieces.t0 * reach)
    rgba1 = _blend(lines, line, keep0[line] + pieces.t1 * reach)
    dashed = pieces.covered & (lines.hidden[line] == Hidden.DASHED)
    fade = np.where(pieces.covered, np.where(dashed, FAINT_DASHED, FAINT), 1.0)
    rgba0[:, 3] *= fade
    rgba1[:, 3] *= fade
    dash = np.where(dashed & (lines.dash[line] == Dash.SOLID), int(Dash.DASHED), lines.dash[line])
    layer = lines.layer[line]
    phases, subjects = _phases(lines, line, at0, frame), tuple([lines.subjects[i] for i in line.tolist()])
    ground_lines = np.bincount(pane[layer == Layer.GROUND], minlength=len(frame.panes))
    placed = PlacedLines(
        start=at0,
        end=at1,
        width=lines.width[line],
        start_rgba=rgba0,
        end_rgba=rgba1,
        dash=dash,
        phase=phases,
        subjects=subjects,
    )
    return LaidLines(placed, heads, pane, layer, ground_lines)


def _arrow_heads(lines: JoinedLines, frame: LayoutFrame) -> tuple[Heads, Array, Array]:
    """The heads, and the stretch t0, t1 (n,) of each line that its shaft is drawn along."""
    shaft0, shaft1 = np.zeros(len(lines.width)), np.ones(len(lines.width))
    rows = np.nonzero((lines.head_start > 0.0) | (lines.head_end > 0.0))[0]
    lens = frame.lens.at(lines.pane[rows])
    depth0 = 1.0 - lens.perspective * lines.start[rows, 2]
    depth1 = 1.0 - lens.perspective * lines.end[rows, 2]
    at0, at1 = lens.screen(lines.start[rows]), lens.screen(lines.end[rows])
    seen = np.minimum(depth0, depth1) >= NEAR_PLANE
    rows, depth0, depth1, at0, at1 = (each[seen] for each in (rows, depth0, depth1, at0, at1))
    way = (at1 - at0)[:, :2]
    pixels = np.sqrt(dots(way, way))
    along = way / np.maximum(pixels, 1e-12)[:, None]
    both = (lines.head_start[rows] > 0.0) & (lines.head_end[rows] > 0.0)
    longest = pixels * HEAD_LIMIT * np.where(both, 0.5, 1.0)
    length0 = np.minimum(lines.head_start[rows], longest)
    length1 = np.minimum(lines.head_end[rows], longest)
    # In perspective equal steps along a line are unequal on the screen: converts shares of pixels to shares of length.
    share0 = HEAD_OVERLAP * length0 / np.maximum(pixels, 1e-12)
    share1 = HEAD_OVERLAP * length1 / np.maximum(pixels, 1e-12)
    shaft0[rows] = share0 * depth0 / (depth1 + share0 * (depth0 - depth1))
    shaft1[rows] = 1.0 - share1 * depth1 / (depth0 + share1 * (depth1 - depth0))
    has0, has1 = np.nonzero(length0 > 0.0)[0], np.nonzero(length1 > 0.0)[0]
    heads = Heads(
        np.concatenate((at0[has0], at1[has1])),
        np.concatenate((-along[has0], along[has1])),
        np.concatenate((length0[has0], length1[has1])),
        np.concatenate((rows[has0], rows[has1])),
        np.arange(len(has0) + len(has1)) >= len(has0),
        np.concatenate((lines.start[rows[has0]], lines.end[rows[has1]])),
    )
    return heads, shaft0, shaft1


def _cut(lines: JoinedLines, rows: IntArray, start: Array, end: Array, frame: LayoutFrame) -> Pieces:
    """The hidden and the free parts of the clipped lines start..end (k, 3), without hidden parts that are dropped.

    `rows` (k,): the lines' rows in `lines`.
    """
    hidden, spared, pane = lines.hidden[rows], lines.spared[rows], lines.pane[rows]
    shadows = list(frame.shadows())
    columns = 2 + max((place for _, place, _, _ in shadows), default=-1)
    t0, t1 = np.ones((len(rows), columns)), np.zeros((len(rows), columns))
    own = lines.own_hidden[rows] & (hidden != Hidden.SHOW)
    t0[own, 0], t1[own, 0] = 0.0, 1.0
    asking = np.where((hidden != Hidden.SHOW) & ~own, pane, -1)
    for number, place, solid, shadow in shadows:
        asked = np.nonzero((asking == number) & (spared != solid))[0]
        t0[asked, place + 1], t1[asked, place + 1] = shadow.spans(start[asked], end[asked])
        if isinstance(shadow, BallShadow):
            on_it = np.nonzero((asking == number) & (spared == solid))[0]
            t0[on_it, place + 1], t1[on_it, place + 1] = shadow.turned_away(start[on_it], end[on_it])
    pieces = split(t0, t1)
    return pieces.at(~(pieces.covered & (hidden[pieces.line] == Hidden.DROP)))


def _blend(lines: JoinedLines, line: IntArray, t: Array) -> Array:
    first = lines.start_rgba.take(line, axis=0)
    return first + t[:, None] * (lines.end_rgba.take(line, axis=0) - first)


def _phases(lines: JoinedLines, line: IntArray, at: Array, frame: LayoutFrame) -> Array:
    """The pixels (m,) of dash pattern before the points `at` (m, 2) on the rows `line` (m,).

    They count from the line's own start, not from the point where it is clipped, so that dashes do not crawl while the
    view moves. In a chain, where each line starts at the end of the row before, they count from the first line's start.
    """
    dashed = np.nonzero((lines.dash != Dash.SOLID) | (lines.hidden == Hidden.DASHED))[0]
    pieces = np.nonzero(np.isin(line, dashed))[0]
    phases = np.zeros(len(line))
    if not len(pieces):
        return phases
    start, end = lines.start.take(dashed, axis=0), lines.end.take(dashed, axis=0)
    lens = frame.lens.at(lines.pane[dashed])
    at0, at1 = lens.screen(start)[:, :2], lens.screen(end)[:, :2]
    way = at1 - at0
    pixels = np.sqrt(dots(way, way))
    spent = np.concatenate(((0.0,), np.cumsum(pixels)[:-1]))
    follows = np.zeros(len(pixels), dtype=bool)
    follows[1:] = (start[1:] == end[:-1]).all(axis=1) & (dashed[1:] == dashed[:-1] + 1)
    follows[1:] &= lines.pane[dashed[1:]] == lines.pane[dashed[:-1]]
    chain = np.maximum.accumulate(np.where(follows, 0, np.arange(len(pixels))))
    before = spent - spent[chain]
    row = np.searchsorted(dashed, line[pieces])
    offset = at.take(pieces, axis=0) - at0.take(row, axis=0)
    phases[pieces] = before[row] + np.sqrt(dots(offset, offset))
    return phases


VERTICES = ("vertex_a", "vertex_b")
"""The kinds of subject of markers that tell vertices of the bodies."""
PEEP = 3.0
"""Least points of a marker that are seen beside a later one which lies at nearly the same pixel."""
FAINT_MARK = 0.4
"""Factor for the alpha of a hidden marker; larger than FAINT, because a single point is harder to see than a line."""


def lay_marks(lines: JoinedLines, heads: Heads, frame: LayoutFrame) -> list[PlacedMarks]:
    """For each pane the visible arrow heads, then the visible markers in the order in which they were added."""
    count = len(frame.panes)
    both = rows_by_pane(*_heads(lines, heads, frame), count), rows_by_pane(*_markers(frame), count)
    return [joined_rows(arrows, markers) for arrows, markers in zip(*both, strict=True)]


def hidden_points(points: Array, spared: IntArray | int, pane: IntArray, frame: LayoutFrame) -> BoolArray:
    """Whether a solid of its pane, other than `spared` (n,), hides each point (n, 3), view frame; (n,) bool."""
    covered = np.zeros(len(points), dtype=bool)
    for number, _, solid, shadow in frame.shadows():
        rows = np.nonzero((pane == number) & (spared != solid))[0]
        if len(rows):
            covered[rows] |= shadow.covers(points[rows])
    return covered


def _markers(frame: LayoutFrame) -> tuple[PlacedMarks, IntArray]:
    """The visible markers, by ascending pane, and the pane of each, (m,)."""
    batches = [batch for pane in frame.panes for batch in pane.draw.marks]
    counts = [len(batch.subjects) for batch in batches]
    of_panes = [len(pane.draw.marks) for pane in frame.panes]
    pane = np.repeat(np.repeat(np.arange(len(of_panes)), of_panes), counts)
    looks = [(b.radius, b.shape, b.stroke_width, b.hidden, *b.fill, *b.stroke) for b in batches]
    table = np.repeat(np.array(looks, dtype=np.float64).reshape(-1, 12), counts, axis=0)
    table[:, (0, 2)] *= frame.density[pane, None]
    points = np.concatenate(
        [p.projection.to_view(np.concatenate([NO_POINTS, *(b.points for b in p.draw.marks)])) for p in frame.panes]
    )
    hidden = table[:, 3].astype(np.int64)
    covered = hidden_points(points, -1, pane, frame) & (hidden != Hidden.SHOW)
    lens = frame.lens.at(pane)
    screen = lens.screen(points)
    seen = (
        _in_pane(screen, table[:, 0] + table[:, 2], lens)
        & (1.0 - lens.perspective * points[:, 2] >= NEAR_PLANE)
        & ~(covered & (hidden == Hidden.DROP))
    )
    fade = np.where(covered, FAINT_MARK, 1.0)
    table[:, (7, 11)] *= fade[:, None]
    rows = np.nonzero(seen)[0]
    subjects = [subject for batch in batches for subject in batch.subjects]
    radius, shape, stroke_width = table[rows, :3].T
    shown = tuple([subjects[i] for i in rows.tolist()])
    marks = PlacedMarks(
        centre=screen[rows, :2],
        radius=radius + _peeps(screen[rows, :2], table[rows], pane[rows], shown, frame.density),
        shape=shape.astype(np.int64),
        angle=np.zeros(len(rows)),
        fill=table[rows, 4:8],
        stroke=table[rows, 8:12],
        stroke_width=stroke_width,
        subjects=shown,
    )
    return marks, pane[rows]


def _peeps(centre: Array, looks: Array, pane: IntArray, subjects: Sequence[Subject], density: Array) -> Array:
    """The pixels (n,) by which markers are enlarged, so that each shows under later ones.

    Markers of vertices show under those of other vertices, dots and diamonds under diamonds. `centre` (n, 2), `looks`
    (n, 12), `pane` (n,): of the markers, as in `_markers`; `density` (p,): pixels to a point.
    """
    radius, shape, stroke_width, filled = looks[:, 0], looks[:, 1], looks[:, 2], looks[:, 7] > FAINT_MARK
    vertex = np.array([VERTICES.index(kind) + 2 * number if kind in VERTICES else -1 for kind, number in subjects])
    diamond = filled & (shape == Marker.DIAMOND)
    under = np.nonzero((vertex >= 0) | diamond | (filled & (shape == Marker.DISC) & (stroke_width > 0.0)))[0]
    above = np.nonzero((vertex >= 0) | diamond)[0]
    more = np.zeros(len(radius))
    if len(under) == 0 or len(above) == 0:
        return more
    hides = (pane[under, None] == pane[above]) & (under[:, None] < above)
    hides &= diamond[above] | ((vertex[under, None] >= 0) & (vertex[under, None] != vertex[above]))
    share = np.where(shape == Marker.DIAMOND, COVERS[Marker.DIAMOND], 1.0)
    way = centre[under, None] - centre[above]
    shown = (share * radius)[under, None] + np.sqrt(dots(way, way))
    lacking = np.where(hides, (share * radius + 0.5 * stroke_width + PEEP * density[pane])[above] - shown, 0.0)
    more[under] = np.maximum(lacking.max(axis=1), 0.0) / share[under]
    return more


def _heads(lines: JoinedLines, heads: Heads, frame: LayoutFrame) -> tuple[PlacedMarks, IntArray]:
    """The visible heads as triangles, by ascending pane, and the pane of each.

    A TRIANGLE of radius r reaches r forward and r/2 back from its centre, so one of length h has r = 2h/3.
    """
    line = heads.line
    hidden, pane = lines.hidden[line], lines.pane[line]
    covered = hidden_points(heads.point, lines.spared[line], pane, frame) | lines.own_hidden[line]
    covered &= hidden != Hidden.SHOW
    radius = heads.length * (2.0 / 3.0)
    centre = heads.tip[:, :2] - radius[:, None] * heads.along
    rgba = np.where(heads.at_end[:, None], lines.end_rgba[line], lines.start_rgba[line])
    rgba[:, 3] *= np.where(covered, FAINT, 1.0)
    inside = _in_pane(centre, radius, frame.lens.at(pane))
    rows = np.nonzero(inside & ~(covered & (hidden == Hidden.DROP)))[0]
    rows = rows[np.argsort(pane[rows], kind="stable")]
    shape, angle = np.full(len(rows), int(Marker.TRIANGLE)), np.arctan2(heads.along[rows, 1], heads.along[rows, 0])
    stroke, stroke_width = np.zeros((len(rows), 4)), np.zeros(len(rows))
    subjects = tuple([lines.subjects[i] for i in line[rows].tolist()])
    placed = PlacedMarks(
        centre=centre[rows],
        radius=radius[rows],
        shape=shape,
        angle=angle,
        fill=rgba[rows],
        stroke=stroke,
        stroke_width=stroke_width,
        subjects=subjects,
    )
    return placed, pane[rows]


def _in_pane(at: Array, reach: Array, lens: PaneLens) -> BoolArray:
    """Whether marks about pixels `at` (n, 2) with radii `reach` (n,) lie at least partly in their panes, (n,) bool."""
    half_width, half_height = 0.5 * lens.width, 0.5 * lens.height
    inside: BoolArray = (np.abs(at[:, 0] - half_width) <= half_width + reach) & (
        np.abs(at[:, 1] - half_height) <= half_height + reach
    )
    return inside
