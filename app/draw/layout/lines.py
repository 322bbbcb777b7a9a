"""Lines, their arrow heads and point markers on the screen.

Lines are clipped to the pane, cut where solids hide them, given their pixels, and put in drawing order; hidden marks
are fainter.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from core.geometry.vector import Array

from ..camera import NEAR, Projection
from ..draw_list import Dash, DrawList, Hidden, IntArray, Layer, Marker
from ..placed import PlacedLines, PlacedMarks, joined_rows
from .frame import NO_POINTS, Lines, Pane, frustum, lifted
from .solids import BoolArray, Pieces, inside_planes, split

MARGIN = 32.0
"""Points beyond the pane's border to which lines are kept, so that wide ends and dashes go on across it."""
FAINT = 0.25
"""Alpha of a hidden part, times this."""
FAINT_DASHED = 0.5
"""Alpha of a hidden part that is dashed as well."""
HEAD_OVERLAP = 0.8
"""Share of an arrow head's length by which the line ends before its tip: under the head, but not through it."""
HEAD_LIMIT = 0.7
"""An arrow head takes at most this share of its line on the screen."""


class Heads(Struct, frozen=True, eq=False):
    """Arrow heads: `tip` (k, 3) pixels and depth, `along` (k, 2) unit screen direction, `length` (k,) pixels.

    `line` (k,): the row of the line each belongs to; `at_end` (k,) bool; `point` (k, 3): the tip in the view frame.
    """

    tip: Array
    along: Array
    length: Array
    line: IntArray
    at_end: BoolArray
    point: Array


class LaidLines(Struct, frozen=True, eq=False):
    """The placed lines with what labels ask of them: `strong` (n,) bool, lines that text should not cover."""

    placed: PlacedLines
    heads: Heads
    strong: BoolArray


def lay_lines(lines: Lines, pane: Pane) -> LaidLines:
    """Clips, hides, projects and orders all lines."""
    projection = pane.projection
    heads, head0, head1 = _arrow_heads(lines, projection)
    keep0, keep1 = inside_planes(lines.start, lines.end, frustum(projection, MARGIN * pane.density))
    keep0, keep1 = np.maximum(keep0, head0), np.minimum(keep1, head1)
    rows = np.nonzero(keep1 > keep0)[0]
    way = lines.end[rows] - lines.start[rows]
    start = lines.start[rows] + keep0[rows, None] * way
    end = lines.start[rows] + keep1[rows, None] * way
    pieces = _cut(lines, rows, start, end, pane)
    # By layer, hidden parts under free ones, and else as the overlays said them.
    key = 2 * lines.layer[rows[pieces.line]] + ~pieces.covered
    pieces = pieces.at(np.lexsort((pieces.t0, pieces.line, key)))
    whole = end - start
    at0 = projection.screen(start[pieces.line] + pieces.t0[:, None] * whole[pieces.line])[:, :2]
    at1 = projection.screen(start[pieces.line] + pieces.t1[:, None] * whole[pieces.line])[:, :2]
    line = rows[pieces.line]
    reach = (keep1 - keep0)[line]
    rgba0 = _blend(lines, line, keep0[line] + pieces.t0 * reach)
    rgba1 = _blend(lines, line, keep0[line] + pieces.t1 * reach)
    dashed = pieces.covered & (lines.hidden[line] == Hidden.DASHED)
    fade = np.where(pieces.covered, np.where(dashed, FAINT_DASHED, FAINT), 1.0)
    rgba0[:, 3] *= fade
    rgba1[:, 3] *= fade
    dash = np.where(dashed & (lines.dash[line] == Dash.SOLID), int(Dash.DASHED), lines.dash[line])
    layer = lines.layer[line]
    phases, subjects = _phases(lines, line, at0, projection), tuple([lines.subjects[i] for i in line.tolist()])
    ground = int(np.count_nonzero(layer == Layer.GROUND))
    placed = PlacedLines(at0, at1, lines.width[line], rgba0, rgba1, dash, phases, subjects, ground)
    return LaidLines(placed, heads, (layer >= Layer.EDGES) & (layer <= Layer.STRONG) & ~pieces.covered)


def _arrow_heads(lines: Lines, projection: Projection) -> tuple[Heads, Array, Array]:
    """The heads, and the stretch t0, t1 (n,) of each line that is left for its shaft."""
    shaft0, shaft1 = np.zeros(len(lines.width)), np.ones(len(lines.width))
    rows = np.nonzero((lines.head_start > 0.0) | (lines.head_end > 0.0))[0]
    depth0 = 1.0 - projection.perspective * lines.start[rows, 2]
    depth1 = 1.0 - projection.perspective * lines.end[rows, 2]
    seen = np.minimum(depth0, depth1) >= NEAR
    rows, depth0, depth1 = rows[seen], depth0[seen], depth1[seen]
    at0, at1 = projection.screen(lines.start[rows]), projection.screen(lines.end[rows])
    way = (at1 - at0)[:, :2]
    pixels = np.sqrt(np.einsum("ij,ij->i", way, way))
    along = way / np.maximum(pixels, 1e-12)[:, None]
    both = (lines.head_start[rows] > 0.0) & (lines.head_end[rows] > 0.0)
    longest = pixels * HEAD_LIMIT * np.where(both, 0.5, 1.0)
    length0 = np.minimum(lines.head_start[rows], longest)
    length1 = np.minimum(lines.head_end[rows], longest)
    # Equal steps along the line are not equal steps on the screen: turn the share of pixels into a share of length.
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


def _cut(lines: Lines, rows: IntArray, start: Array, end: Array, pane: Pane) -> Pieces:
    """The parts of the clipped lines start..end (k, 3), hidden and free; dropped parts left out."""
    hidden = lines.hidden[rows]
    shadows = [(number, shadow) for number, shadow in enumerate(pane.shadows) if shadow is not None]
    t0 = np.ones((len(rows), len(shadows) + 1))
    t1 = np.zeros((len(rows), len(shadows) + 1))
    own = lines.own_hidden[rows] & (hidden != Hidden.SHOW)
    t0[own, 0], t1[own, 0] = 0.0, 1.0
    for column, (number, shadow) in enumerate(shadows, start=1):
        asked = np.nonzero((hidden != Hidden.SHOW) & ~own & (lines.spared[rows] != number))[0]
        t0[asked, column], t1[asked, column] = shadow.spans(start[asked], end[asked])
    pieces = split(t0, t1)
    return pieces.at(~(pieces.covered & (hidden[pieces.line] == Hidden.DROP)))


def _blend(lines: Lines, line: IntArray, t: Array) -> Array:
    first = lines.start_rgba[line]
    blended: Array = first + t[:, None] * (lines.end_rgba[line] - first)
    return blended


def _phases(lines: Lines, line: IntArray, at: Array, projection: Projection) -> Array:
    """Pixels of dash pattern spent before the points `at` (m, 2) of the rows `line` (m,).

    Counted from the line's own start, not from where the pane cuts it, so that dashes do not crawl while the view
    moves; and on through chains of lines that begin where the last one ended.
    """
    dashes = (lines.dash != Dash.SOLID) | (lines.hidden == Hidden.DASHED)
    if not dashes.any():
        return np.zeros(len(line))
    at0, at1 = projection.screen(lines.start)[:, :2], projection.screen(lines.end)[:, :2]
    way = at1 - at0
    pixels = np.sqrt(np.einsum("ij,ij->i", way, way))
    spent = np.concatenate(((0.0,), np.cumsum(pixels)[:-1]))
    follows = np.zeros(len(pixels), dtype=bool)
    follows[1:] = (lines.start[1:] == lines.end[:-1]).all(axis=1) & dashes[1:] & dashes[:-1]
    chain = np.maximum.accumulate(np.where(follows, 0, np.arange(len(pixels))))
    before = spent - spent[chain]
    offset = at - at0[line]
    return np.where(dashes[line], before[line] + np.sqrt(np.einsum("ij,ij->i", offset, offset)), 0.0)


FAINT_MARK = 0.4
"""Alpha of a hidden marker, times this; a lone point needs more than a line to be found."""


def lay_marks(draw: DrawList, lines: Lines, heads: Heads, pane: Pane) -> PlacedMarks:
    """Arrow heads, then the markers in the order they were said; those outside the pane are left out."""
    return joined_rows(_heads(lines, heads, pane), _markers(draw, pane))


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
    looks = [
        (b.radius * density, b.shape, b.angle, b.stroke_width * density, b.hidden, b.group, *b.fill, *b.stroke)
        for b in batches
    ]
    table = np.repeat(np.array(looks, dtype=np.float64).reshape(-1, 14), counts, axis=0)
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
    radius, shape, angle, stroke_width = table[rows, :4].T
    colours = table[rows, 6:10], table[rows, 10:14]
    shown = tuple([subjects[i] for i in rows.tolist()])
    return PlacedMarks(screen[rows, :2], radius, shape.astype(np.int64), angle, *colours, stroke_width, shown)


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
    shape, angle = np.full(len(rows), int(Marker.TRIANGLE)), np.arctan2(heads.along[rows, 1], heads.along[rows, 0])
    stroke, stroke_width = np.zeros((len(rows), 4)), np.zeros(len(rows))
    subjects = tuple([lines.subjects[i] for i in line[rows].tolist()])
    return PlacedMarks(centre[rows], radius[rows], shape, angle, rgba[rows], stroke, stroke_width, subjects)
