"""Makes operations of lines, marks and labels, with the shapes that the shaders draw."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, floor, pi, sin, sqrt

import numpy as np

from core.geometry.vector import Array, dots, product

from ..draw.draw_list import BoolArray, Dash, IntArray, Marker, Rgba
from ..draw.placed import HALF_SQUARE, JOINT_GRID, PlacedLabel, PlacedLines, PlacedMarks, joined_ends
from ..draw.text import baseline, drawn_size, halo_width, measure
from .fonts import flattened, font, outline
from .operations import Disc, Fill, Operation, Ramp, Stroke, TextRun

STRAIGHT = 1e-4
"""Sine of the angle up to which two pieces of a line with changing colour count as one straight line."""
VISIBLE_DIFFERENCE = 0.5 / 255.0
"""Least difference of a colour's component, or of opacity, that is visible."""
PATTERNS = {
    Dash.SOLID: ((), 0.0),
    Dash.DASHED: ((4.0, 3.0), 0.0),
    Dash.DOTTED: ((0.01, 2.99), -0.495),
    Dash.DASH_DOT: ((6.0, 2.5, 1.0, 2.5), 0.0),
}
"""For each Dash: lengths on and off, and the pattern's phase at a line's start, all in line widths; as in lines.vert.
A dot is a very short dash with round ends, because some readers omit a dash of length 0."""

HALO_WIDTH, HALO_ALPHA = 1.1, 0.85
"""Factors for a halo's width and opacity. The raster's halo fades out; a vector halo has a hard rim, and looks most
alike if it is a little wider and fainter."""


def line_operations(lines: PlacedLines, first: int, last: int) -> tuple[Operation, ...]:
    """The rows from `first` to `last` (exclusive) in their order; consecutive lines of the same look are chained."""
    if first == last:
        return ()
    joined = joined_ends(lines)
    running = np.asarray((np.abs(lines.start_rgba - lines.end_rgba) > VISIBLE_DIFFERENCE).any(axis=1))
    look = np.column_stack((lines.start_rgba, lines.width, lines.dash, running))
    change = (np.abs(np.diff(look[first:last], axis=0)) > 1e-9).any(axis=1)
    change &= ~(running[first : last - 1] & running[first + 1 : last])
    found: list[Operation] = []
    for rows in np.split(np.arange(first, last), 1 + np.flatnonzero(change)):
        if running[rows[0]]:
            found += _ramps(lines, rows)
        elif lines.dash[rows[0]] != Dash.SOLID:
            found += _dashed(lines, rows)
        elif lines.start_rgba[rows[0], 3] > VISIBLE_DIFFERENCE:
            found += _solid(lines, rows, joined)
    return tuple(found)


def _rgba(values: Array) -> Rgba:
    r, g, b, a = (float(v) for v in np.clip(values, 0.0, 1.0))
    return r, g, b, a


def _solid(lines: PlacedLines, rows: IntArray, joined: BoolArray) -> list[Operation]:
    """A stroke of chains with square ends, and one, with round ends, of chains that other lines meet at both ends.

    `rows` (k,): lines of one look.
    """
    width, rgba = float(lines.width[rows[0]]), _rgba(lines.start_rgba[rows[0]])
    chains: dict[bool, list[Array]] = {False: [], True: []}
    for chain, (from_other, to_other) in _chains(lines, rows, joined):
        chains[from_other and to_other].append(chain)
    return [Stroke(tuple(found), width, rgba, round_ends) for round_ends, found in chains.items() if found]


def _chains(lines: PlacedLines, rows: IntArray, joined: BoolArray) -> list[tuple[Array, tuple[bool, bool]]]:
    """Chains (k, 2) of lines joined end to end, and whether other lines meet each chain's start and its end."""
    found = []
    for run in _runs(lines, rows, lambda *_: True):
        points = np.concatenate((lines.start[run[:1]], lines.end[run]))
        found.append((points, (bool(joined[run[0], 0]), bool(joined[run[-1], 1]))))
    return found


def _runs(lines: PlacedLines, rows: IntArray, goes_on: Callable[[int, int], bool]) -> list[list[int]]:
    """Divides the rows into runs. In a run each line starts where the line before ends, and `goes_on` accepts the two.

    The lines of a run need not be consecutive rows.
    """
    starts = [(x, y) for x, y in np.rint(lines.start[rows] * JOINT_GRID).tolist()]
    ends = [(x, y) for x, y in np.rint(lines.end[rows] * JOINT_GRID).tolist()]
    waiting: dict[tuple[float, float], list[int]] = {}
    for k, place in enumerate(starts):
        waiting.setdefault(place, []).append(k)
    reached = set(ends)
    first = [k for k, place in enumerate(starts) if place not in reached]
    used: set[int] = set()
    found = []
    for begin in (*first, *range(len(starts))):
        here: int | None = None if begin in used else begin
        run: list[int] = []
        while here is not None:
            used.add(here)
            run.append(int(rows[here]))
            others = [k for k in waiting.get(ends[here], ()) if k not in used]
            here = next((k for k in others if goes_on(run[-1], int(rows[k]))), None)
        if run:
            found.append(run)
    return found


def _dashed(lines: PlacedLines, rows: IntArray) -> list[Operation]:
    """Strokes of dashed lines; a line is joined to the line before if it starts there and the pattern continues.

    `rows` (k,): the lines, in their order.
    """
    found: list[Stroke] = []
    for row in rows.tolist():
        start, end, width = lines.start[row], lines.end[row], float(lines.width[row])
        lengths, begins = PATTERNS[Dash(int(lines.dash[row]))]
        unit = max(width, 1.0)
        period, spent = sum(lengths) * unit, float(lines.phase[row]) + begins * unit
        last = found[-1] if found else None
        if last is not None and np.abs(last.chains[0][-1] - start).max() * JOINT_GRID < 0.5:
            so_far = np.sqrt((np.diff(last.chains[0], axis=0) ** 2).sum(axis=1)).sum()
            off = (last.spent + so_far - spent) % period
            if min(off, period - off) < 0.1:
                found[-1] = _dashes((*last.chains[0], end), last.width, last.rgba, last.dashes, last.spent)
                continue
        dashes = tuple([length * unit for length in lengths])
        found.append(_dashes((start, end), width, _rgba(lines.start_rgba[row]), dashes, spent % period))
    return list(found)


def _dashes(points: tuple[Array, ...], width: float, rgba: Rgba, dashes: tuple[float, ...], spent: float) -> Stroke:
    return Stroke((np.array(points),), width, rgba, dashes[0] < 0.1 * max(width, 1.0), dashes, spent)


def _ramps(lines: PlacedLines, rows: IntArray) -> list[Operation]:
    """Ramps for lines of changing colour; lines are joined if both direction and colour continue."""
    runs = _runs(lines, rows, lambda last, row: _goes_on(lines, last, row))
    return [ramp for run in runs if (ramp := _ramp(lines, run)) is not None]


def _goes_on(lines: PlacedLines, last: int, row: int) -> bool:
    other = lines.width[last] != lines.width[row]
    if other or np.abs(lines.end_rgba[last] - lines.start_rgba[row]).max() > VISIBLE_DIFFERENCE:
        return False
    before, after = lines.end[last] - lines.start[last], lines.end[row] - lines.start[row]
    size = sqrt(float(dots(before, before) * dots(after, after)))
    return bool(dots(before, after) > 0.0 and abs(before[0] * after[1] - before[1] * after[0]) <= STRAIGHT * size)


def _ramp(lines: PlacedLines, run: list[int]) -> Ramp | None:
    start, end = lines.start[run[0]], lines.end[run[-1]]
    way = end - start
    size = float(dots(way, way))
    colours = np.concatenate((lines.start_rgba[run[:1]], lines.end_rgba[run]))
    if size == 0.0 or colours[:, 3].max() <= VISIBLE_DIFFERENCE:
        return None
    shares = np.concatenate(((0.0,), dots(lines.end[run] - start, way) / size))
    kept = _needed(shares, colours)
    stops = tuple([(float(shares[k]), _rgba(colours[k])) for k in kept])
    return Ramp(start, end, float(lines.width[run[0]]), stops)


def _needed(shares: Array, colours: Array) -> list[int]:
    """The indices of the stops that are needed for interpolated colours within VISIBLE_DIFFERENCE of the given ones.

    `shares` (n,): the stops' places, ascending; `colours` (n, 4). The first and the last are always needed.
    """
    spans, kept = [(0, len(shares) - 1)], {0, len(shares) - 1}
    while spans:
        first, last = spans.pop()
        if last - first < 2:
            continue
        t = (shares[first + 1 : last] - shares[first]) / max(shares[last] - shares[first], 1e-12)
        straight = colours[first] + t[:, None] * (colours[last] - colours[first])
        off = np.abs(colours[first + 1 : last] - straight).max(axis=1)
        middle = first + 1 + int(np.argmax(off))
        if off[middle - first - 1] > VISIBLE_DIFFERENCE:
            kept.add(middle)
            spans += [(first, middle), (middle, last)]
    return sorted(kept)


def mark_operations(marks: PlacedMarks) -> tuple[Operation, ...]:
    """Operations of markers; a rim is outside a filled marker, and on the outline of an empty one, as in marks.frag."""
    found: list[Operation] = []
    for k in range(len(marks.radius)):
        radius, shape, width = float(marks.radius[k]), Marker(int(marks.shape[k])), float(marks.stroke_width[k])
        fill, stroke = _rgba(marks.fill[k]), _rgba(marks.stroke[k])
        if shape is Marker.RING and width <= 0.0:
            found.append(Disc(marks.centre[k], 0.875 * radius, fill, 0.25 * radius))
            continue
        empty = fill[3] <= 0.0 or shape is Marker.RING
        outline = _Outline(marks.centre[k], radius, shape, float(marks.angle[k]))
        rimmed = width > 0.0 and stroke[3] > 0.0
        if not empty:
            # The fill extends under an opaque rim, so that there is no gap between them.
            found.append(outline.filled(fill, 0.5 * width if rimmed and stroke[3] >= 1.0 else 0.0))
        if rimmed:
            found.append(outline.stroked(stroke, width, 0.0 if empty else 0.5 * width))
    return tuple(found)


class _Outline:
    """A marker's outline."""

    def __init__(self, centre: Array, radius: float, shape: Marker, angle: float) -> None:
        self._centre, self._radius, self._shape = centre, radius, shape
        c, s = cos(angle), sin(angle)
        self._turn = np.array(((c, s), (-s, c)))

    def filled(self, rgba: Rgba, out: float) -> Operation:
        """The marker's inside, grown by `out` pixels."""
        if self._shape is Marker.DISC:
            return Disc(self._centre, self._radius + out, rgba)
        return Fill((self._loop(out),), rgba)

    def stroked(self, rgba: Rgba, width: float, out: float) -> Operation:
        """A line of `width` along the marker's outline grown by `out` pixels."""
        if self._shape in (Marker.DISC, Marker.RING):
            return Disc(self._centre, self._radius + out, rgba, width)
        # A fill between two outlines, so that the corners are as sharp as the shader's.
        return Fill((self._loop(out + 0.5 * width), self._loop(out - 0.5 * width)[::-1]), rgba)

    def _loop(self, out: float) -> Array:
        corners: Array = self._centre + product(_corners(self._shape, self._radius, out), self._turn)
        return corners


def _corners(shape: Marker, radius: float, out: float) -> Array:
    """The corners (k, 2) of a marker grown by `out` on all sides, relative to its centre."""
    match shape:
        case Marker.SQUARE:
            half = HALF_SQUARE * radius + out
            return half * np.array(((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)))
        case Marker.DIAMOND:
            half = (0.8 * radius + out) * sqrt(2.0)
            return half * np.array(((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)))
        case Marker.TRIANGLE:
            back = -0.5 * radius - out
            high = (out - 0.423 * (back - radius)) / 0.906
            return np.array(((radius + out / 0.423, 0.0), (back, high), (back, -high)))
        case Marker.CROSS:
            far, near = radius + out, max(0.2 * radius, 0.7) + out
            arm = np.array(((far, near), (near, near), (near, far)))
            turns = [np.array(((cos(q), sin(q)), (-sin(q), cos(q)))) for q in (0.0, 0.5 * pi, pi, 1.5 * pi)]
            plus = np.concatenate([product(arm, turn) for turn in turns])
            diagonal = sqrt(0.5) * np.array(((1.0, 1.0), (-1.0, 1.0)))
            return product(plus, diagonal)
        case _:
            return _star(radius, out)


def _star(radius: float, out: float) -> Array:
    notch = 0.45 * radius * np.array((cos(pi / 5.0), sin(pi / 5.0)))
    edge = (notch - np.array((radius, 0.0))) / sqrt(float(((notch - np.array((radius, 0.0))) ** 2).sum()))
    across = np.array((edge[1], -edge[0]))
    offset = float(dots(across, np.array((radius, 0.0)))) + out
    # Distances from the centre of the tips and of the notches of the grown star.
    tip = offset / across[0]
    low = offset / float(dots(across, np.array((cos(pi / 5.0), sin(pi / 5.0)))))
    angles = [k * pi / 5.0 for k in range(10)]
    return np.array([(reach * sin(a), -reach * cos(a)) for a, reach in zip(angles, (tip, low) * 5, strict=True)])


def label_operations(labels: tuple[PlacedLabel, ...], halo: Rgba) -> tuple[TextRun, ...]:
    """The text operation of each label, on the same baseline as in the raster picture."""
    found = []
    for label in labels:
        x, y = floor(label.x + 0.5), floor(label.y + 0.5) + baseline(label.size, label.bold)
        length = label.width if label.tex else measure(label.text, label.size, label.bold)[0]
        ring = (*halo[:3], HALO_ALPHA * halo[3] * label.rgba[3])
        size, width = drawn_size(label.size), HALO_WIDTH * halo_width(label.size)
        found.append(
            TextRun(
                text=label.text,
                x=x,
                y=y,
                length=length,
                size=size,
                bold=label.bold,
                rgba=label.rgba,
                halo=ring,
                halo_width=width,
                lean=label.lean,
                tex=label.tex,
            )
        )
    return tuple(found)


def outlined(texts: tuple[TextRun, ...]) -> tuple[Operation, ...]:
    """The texts as outlines of their letters, each after its halo."""
    found: list[Operation] = []
    for text in texts:
        source, x, loops = font(text.bold), text.x, []
        scale = text.size / source.units
        for character in text.text:
            glyph = source.glyphs.get(character, 0)
            loops += [np.array((x, text.y)) + scale * loop * (1.0, -1.0) for loop in flattened(outline(source, glyph))]
            x += scale * source.metrics(glyph)[0]
        if loops:
            rims = tuple([np.concatenate((loop, loop[:1])) for loop in loops])
            found += [Stroke(rims, 2.0 * text.halo_width, text.halo, round_ends=True), Fill(tuple(loops), text.rgba)]
    return tuple(found)
