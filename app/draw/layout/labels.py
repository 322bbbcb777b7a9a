"""Labels that do not pile up.

Greedy, by priority: each label takes the cheapest of its places that is free. Places are the preferred one, then eight
directions round the anchor at growing distance, those nearest the preferred direction first. A place is free when its
box lies in the pane, off every marker, off what stands before the picture, and off every label placed before.
Where some find no place, all are laid once more: those in fewer words, where they have any, and farther off.
Covering strong lines costs, but forbids nothing. The place that a label had in the picture before is cheaper, so that
labels do not flicker between two nearly equal places while the camera moves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.geometry.vector import Array

from ..camera import NEAR
from ..draw_list import Dash, DrawList, IntArray, Label
from ..placed import PlacedLabel, PlacedLines, PlacedMarks
from .frame import Pane, lifted
from .lines import LaidLines
from .solids import BoolArray

Measure = Callable[[str, float, bool], tuple[float, float]]
"""(text, size in pixels, bold) -> width and height of its box in pixels."""
Taken = tuple[float, float, float, float]
"""A rectangle of the pane in pixels: x, y of its upper left corner, width, height."""
GAPS = (9.0, 22.0, 42.0, 70.0, 104.0, 144.0)
"""Points between anchor and box, ring by ring; the last two rings are for labels that find no place nearer."""
NEAR_RINGS = 4
WANTED = 30
"""Priority from which a label without a place has all laid once more."""
AT_BORDER = 70.0
"""A label of a turned group whose anchor is out of the pane by no more than this, points, stands at the border: a rail
may reach a little beyond it."""
RING_COST = (1.0, 1.8, 3.0, 4.4, 6.4, 8.8)
TURN_COST = 0.6
COVER_COST = 1.8
"""Costs against the preferred place's 0: distance, half a turn away from the preferred side, a line through the box:
one at the second ring, off the line, is as good."""
BAR_COST = 4.0
"""And of a place on the bars that a text should be clear of: one at the third ring is as good."""
STAY = 1.9
"""Taken off the cost of the place that the label had before: more than a line that comes under it costs."""
CLEAR = 3.0
"""Points kept free between two labels, and between a label and its anchor."""
LEADER_FROM = 16.0
"""A label moved further from its anchor than this, points, gets a thin line to it."""
SHORT = 1e-3
"""A step in the view frame that shows which way a direction runs on the screen."""
BAR = 5.0
"""Points between the middle of a rail's outer bar and a text beside it: half the bar, and air."""
CELL = 9.0
"""Points across a cell of the grid in which strong lines are counted."""
SAMPLES = 2
"""Bits into which a line is cut per cell it crosses."""


class _Band(Struct, frozen=True, eq=False):
    """A rectangle on the screen, pixels: `middle` (2,), unit `axes` (2, 2), the second across it, `half` sizes (2,)."""

    middle: Array
    axes: Array
    half: Array

    @staticmethod
    def round(corners: Array, margin: float) -> _Band:
        """What holds four corners (4, 2), near side first, with a margin."""
        middle = corners.mean(axis=0)
        along = corners[[1, 3]].mean(axis=0) - middle
        along /= max(float(np.hypot(*along)), 1e-9)
        axes = np.array((along, (-along[1], along[0])))
        axes[1] *= 1.0 if (corners[2:].mean(axis=0) - middle) @ axes[1] >= 0.0 else -1.0
        return _Band(middle, axes, np.abs((corners - middle) @ axes.T).max(axis=0) + margin)

    def _inside(self, middles: Array, half: Array) -> Array:
        # How far boxes (n, 2) of a half size (2,) reach into it across each of its own axes and the screen's, (n, 4).
        arms = middles - self.middle
        own = self.half + np.abs(self.axes) @ half - np.abs(arms @ self.axes.T)
        screen = half + self.half @ np.abs(self.axes) - np.abs(arms)
        return np.concatenate((own, screen), axis=1)

    def depth(self, middles: Array, half: Array) -> Array:
        """How deep boxes about `middles` (n, 2) of a half size (2,) lie in it, (n,); negative where they are clear."""
        found: Array = self._inside(middles, half).min(axis=1)
        return found

    def way_out(self, middle: Array, half: Array) -> Array:
        """The move (2,) of a box across it, to the side on which its middle is, that brings it clear."""
        inside = self._inside(middle[None], half)[0]
        side = 1.0 if (middle - self.middle) @ self.axes[1] >= 0.0 else -1.0
        return np.zeros(2) if inside.min() <= 0.0 else side * inside[1] * self.axes[1]


class LaidLabels(Struct, frozen=True, eq=False):
    """The labels that found room, the leader lines of those moved away, and how many found none."""

    placed: tuple[PlacedLabel, ...]
    leaders: PlacedLines
    dropped: int


class _Places(Struct, frozen=True, eq=False):
    """Candidate boxes of l labels in c places: middles (l, c, 2), sizes (l, 2), cost (l, c), blocked (l, c) bool."""

    middles: Array
    sizes: Array
    cost: Array
    blocked: BoolArray


def lay_labels(
    draw: DrawList,
    lines: LaidLines,
    marks: PlacedMarks,
    pane: Pane,
    measure: Measure,
    previous: Sequence[PlacedLabel] = (),
    taken: Sequence[Taken] = (),
    stay: float = STAY,
) -> LaidLabels:
    """Places the labels whose anchors are in the pane.

    `previous`: the labels of the picture before, or of several, the later ones first; `stay`: how much cheaper their
    places are. `taken`: what stands before the picture, where a label would not be read.
    """
    labels, points, anchors = _visible(draw, pane)
    if not labels:
        return LaidLabels((), _leaders([], np.zeros((0, 2)), np.zeros((0, 2)), pane), 0)

    bars = _bars(draw, pane)

    def chosen_of(rings: int) -> tuple[_Places, IntArray]:
        offsets = _offsets(labels, points, pane)
        places = _places(labels, anchors, offsets, pane, measure, rings, bars)
        places.cost[:] += COVER_COST * np.minimum(_cover(places, lines, pane), 2.0)
        _favour_previous(places, labels, previous, stay)
        places.blocked[:] |= _outside(places, pane) | _on_markers(places, marks, pane) | _taken(places, taken)
        return places, _choose(places, CLEAR * pane.density)

    places, chosen = chosen_of(NEAR_RINGS)
    if any(place < 0 and label.priority >= WANTED for label, place in zip(labels, chosen.tolist(), strict=True)):
        labels = [
            replace(label, text=label.brief) if place < 0 and label.brief else label
            for label, place in zip(labels, chosen.tolist(), strict=True)
        ]
        places, chosen = chosen_of(len(GAPS))
    kept = np.nonzero(chosen >= 0)[0]
    middles, sizes = places.middles[kept, chosen[kept]], places.sizes[kept]
    corners = middles - 0.5 * sizes
    placed = tuple(
        PlacedLabel(label.text, x, y, w, h, label.size * pane.density, label.rgba, label.bold, label.subject, place)
        for label, (x, y), (w, h), place in zip(
            [labels[i] for i in kept.tolist()], corners.tolist(), sizes.tolist(), chosen[kept].tolist(), strict=True
        )
    )
    moved = kept[chosen[kept] > 0]
    middles, half = places.middles[moved, chosen[moved]], 0.5 * places.sizes[moved]
    ends = np.clip(anchors[moved], middles - half, middles + half)
    leaders = _leaders([labels[i] for i in moved.tolist()], anchors[moved], ends, pane)
    return LaidLabels(placed, leaders, len(labels) - len(kept))


def _visible(draw: DrawList, pane: Pane) -> tuple[list[Label], Array, Array]:
    """Labels with their anchors in the pane, most important first, and the anchors (l, 3), view frame, and (l, 2)."""
    labels = sorted(draw.labels, key=lambda label: -label.priority)
    if not labels:
        return [], np.zeros((0, 3)), np.zeros((0, 2))
    projection = pane.projection
    points = projection.to_view(np.array([label.point for label in labels]))
    groups = np.array([label.group for label in labels])
    if len(pane.sides):
        points = lifted(points, np.array([label.lift for label in labels]), groups, pane)
    at = projection.screen(points)[:, :2]
    size = np.array((projection.width, projection.height))
    inside = np.clip(at, 0.0, size)
    allowed = np.where(groups >= 0, AT_BORDER * pane.density, 0.0)
    seen = (np.abs(at - inside).max(axis=1) <= allowed) & (1.0 - projection.perspective * points[:, 2] >= NEAR)
    return [label for label, shown in zip(labels, seen.tolist(), strict=True) if shown], points[seen], inside[seen]


def _offsets(labels: list[Label], points: Array, pane: Pane) -> Array:
    """Preferred displacements (l, 2), pixels right and down; those of turned groups run along axis and side."""
    offsets = np.array([label.offset for label in labels]) * pane.density
    groups: IntArray = np.array([label.group for label in labels])
    turned = groups >= 0
    if turned.any():
        at, group = points[turned], groups[turned]
        here = pane.projection.screen(at)[:, :2]
        ways = []
        for frame in (pane.axes, pane.sides):
            way = pane.projection.screen(at + SHORT * frame[group])[:, :2] - here
            ways.append(way / np.maximum(np.hypot(way[:, 0], way[:, 1]), 1e-9)[:, None])
        offsets[turned] = offsets[turned, :1] * ways[0] + offsets[turned, 1:] * ways[1]
    return offsets


def _bars(draw: DrawList, pane: Pane) -> dict[int, _Band]:
    """By turned group what its bars cover."""
    found = {}
    for number, group in enumerate(draw.groups):
        if group.bars is not None:
            low, high, near, far = group.bars
            along = np.array((low, high, low, high))
            feet = pane.projection.to_view(group.origin + along[:, None] * group.axis)
            corners = lifted(feet, np.array((near, near, far, far)), np.full(4, number), pane)
            found[number] = _Band.round(pane.projection.screen(corners)[:, :2], BAR * pane.density)
    return found


def _places(
    labels: list[Label],
    anchors: Array,
    offsets: Array,
    pane: Pane,
    measure: Measure,
    rings: int,
    bars: dict[int, _Band],
) -> _Places:
    density = pane.density
    sizes = np.array([measure(label.text, label.size * density, label.bold) for label in labels])
    offsets = _off_the_anchor(offsets, sizes, CLEAR * density)
    beside = [(row, bars[label.group]) for row, label in enumerate(labels) if label.clear and label.group in bars]
    for row, band in beside:
        # Into the pane first, and from there off the bars.
        half, edge = 0.5 * sizes[row], np.array((pane.projection.width, pane.projection.height))
        middle = np.clip(anchors[row] + offsets[row], half + 2.0 * density, edge - half - 2.0 * density)
        offsets[row] = middle + band.way_out(middle, half) - anchors[row]
    angles = np.arange(8) * (0.25 * np.pi)
    directions = np.stack((np.cos(angles), np.sin(angles)), axis=1)
    # At the diagonals the box touches with its corner, at the sides with the middle of an edge.
    corner = np.clip(directions * 1.5, -1.0, 1.0)
    gaps = np.array(GAPS[:rings]) * density
    around = gaps[None, :, None, None] * directions + 0.5 * sizes[:, None, None, :] * corner
    around = around.reshape(len(labels), -1, 2)
    lengths = np.sqrt(np.einsum("li,li->l", offsets, offsets))
    preferred = np.where(lengths[:, None] > 0.0, offsets / np.maximum(lengths, 1e-9)[:, None], (0.0, -1.0))
    turn = 0.5 * TURN_COST * (1.0 - preferred @ directions.T)
    cost = (np.array(RING_COST[:rings])[None, :, None] + turn[:, None, :]).reshape(len(labels), -1)
    middles = anchors[:, None, :] + np.concatenate((offsets[:, None, :], around), axis=1)
    # Whole pixels: text is drawn on them, and a label then stands still while its anchor creeps.
    middles = np.round(middles - 0.5 * sizes[:, None, :]) + 0.5 * sizes[:, None, :]
    cost = np.concatenate((np.zeros((len(labels), 1)), cost), axis=1)
    blocked = np.zeros(cost.shape, dtype=bool)
    too_far = np.array(GAPS[:rings]) > np.array([label.reach for label in labels])[:, None]
    blocked[:, 1:] = np.repeat(too_far, len(directions), axis=1)
    for row, band in beside:
        cost[row] += BAR_COST * (band.depth(middles[row], 0.5 * sizes[row]) > 1.0)
    return _Places(middles, sizes, cost, blocked)


def _favour_previous(places: _Places, labels: list[Label], previous: Sequence[PlacedLabel], stay: float) -> None:
    # By the whole text, else by its first word: the number after it changes while a body is dragged. Of equal names
    # the first counts: insets, which are joined to a picture later, may repeat the names of its axes.
    by_text = {(label.subject, label.text): label.place for label in reversed(previous)}
    by_word = {(label.subject, label.text.partition(" ")[0]): label.place for label in reversed(previous)}
    for row, label in enumerate(labels):
        word = (label.subject, label.text.partition(" ")[0])
        place = by_text.get((label.subject, label.text), by_word.get(word))
        # A place in the outer rings counts only while those are tried.
        if place is not None and place < places.cost.shape[1]:
            places.cost[row, place] -= stay


def _off_the_anchor(offsets: Array, sizes: Array, clear: float) -> Array:
    """Offsets (l, 2) pushed outward along their larger component until the box is off its anchor.

    An overlay does not know how long its text comes out. An offset of exactly zero centres the text on its anchor.
    """
    need = 0.5 * sizes + clear - np.abs(offsets)
    covers = (need > 0.0).all(axis=1) & (offsets != 0.0).any(axis=1)
    main = np.argmax(np.abs(offsets), axis=1)
    rows = np.arange(len(offsets))
    out = offsets.copy()
    out[rows, main] += np.where(covers, need[rows, main] * np.sign(offsets[rows, main]), 0.0)
    return out


def _outside(places: _Places, pane: Pane) -> BoolArray:
    width, height = pane.projection.width, pane.projection.height
    room = 0.5 * (np.array((width, height)) - places.sizes) - pane.density
    outside: BoolArray = (np.abs(places.middles[..., 0] - 0.5 * width) > room[:, :1]) | (
        np.abs(places.middles[..., 1] - 0.5 * height) > room[:, 1:]
    )
    return outside


def _taken(places: _Places, taken: Sequence[Taken]) -> BoolArray:
    under = np.zeros(places.blocked.shape, dtype=bool)
    half = 0.5 * places.sizes[:, None, :]
    for x, y, width, height in taken:
        middle, reach = (x + 0.5 * width, y + 0.5 * height), (0.5 * width, 0.5 * height)
        apart_x = np.abs(places.middles[..., 0] - middle[0]) - half[..., 0]
        apart_y = np.abs(places.middles[..., 1] - middle[1]) - half[..., 1]
        under |= (apart_x < reach[0]) & (apart_y < reach[1])
    return under


def _on_markers(places: _Places, marks: PlacedMarks, pane: Pane) -> BoolArray:
    # Coordinate by coordinate: sums over an axis of two are slow.
    reach = marks.radius + pane.density
    half = 0.5 * places.sizes[:, None, None, :]
    apart_x = np.abs(places.middles[:, :, None, 0] - marks.centre[:, 0]) - reach < half[..., 0]
    apart_y = np.abs(places.middles[:, :, None, 1] - marks.centre[:, 1]) - reach < half[..., 1]
    on: BoolArray = np.any(apart_x & apart_y, axis=2)
    return on


def _cover(places: _Places, lines: LaidLines, pane: Pane) -> Array:
    """Length of strong lines under each box against half its width plus height, (l, c).

    Everything is interpolated between grid points, so that the cover changes smoothly while the camera moves: a count
    by whole cells makes labels flicker between two places of nearly equal cost.
    """
    cell = CELL * pane.density
    shape = (int(pane.projection.height / cell) + 2, int(pane.projection.width / cell) + 2)
    total = _ink(lines.placed.start[lines.strong], lines.placed.end[lines.strong], cell, shape).cumsum(0).cumsum(1)
    half = 0.5 * places.sizes[:, None, :]
    # The sum up to a grid point takes in half the cell beyond it.
    low, high = ((places.middles + side * half) / cell - 0.5 for side in (-1.0, 1.0))
    length = (
        _between(total, high[..., 0], high[..., 1])
        - _between(total, low[..., 0], high[..., 1])
        - _between(total, high[..., 0], low[..., 1])
        + _between(total, low[..., 0], low[..., 1])
    )
    cover: Array = length / (0.5 * places.sizes.sum(axis=1))[:, None]
    return cover


def _ink(start: Array, end: Array, cell: float, shape: tuple[int, int]) -> Array:
    """Length of the lines start..end (n, 2) pixels, shared out to the grid points (rows, columns) round each bit."""
    way = end - start
    pixels = np.sqrt(np.einsum("ij,ij->i", way, way))
    counts = np.ceil(pixels * (SAMPLES / cell)).astype(np.int64)
    line = np.repeat(np.arange(len(counts)), counts)
    nth = np.arange(len(line)) - (np.cumsum(counts) - counts)[line]
    at = (start[line] + ((nth + 0.5) / counts[line])[:, None] * way[line]) / cell
    rows, columns = shape
    inside = (at[:, 0] >= 0.0) & (at[:, 1] >= 0.0) & (at[:, 0] < columns - 1) & (at[:, 1] < rows - 1)
    at, bit = at[inside], (pixels / np.maximum(counts, 1))[line[inside]]
    whole: IntArray = at.astype(np.int64)
    fx, fy = at[:, 0] - whole[:, 0], at[:, 1] - whole[:, 1]
    above, below = bit * (1.0 - fy), bit * fy
    corner = whole[:, 1] * columns + whole[:, 0]
    places = np.concatenate((corner, corner + 1, corner + columns, corner + columns + 1))
    shares = np.concatenate(((1.0 - fx) * above, fx * above, (1.0 - fx) * below, fx * below))
    return np.asarray(np.bincount(places, shares, rows * columns), dtype=np.float64).reshape(shape)


def _between(grid: Array, x: Array, y: Array) -> Array:
    """The grid's value at positions between its points, held at the border."""
    rows, columns = grid.shape
    x, y = np.clip(x, 0.0, columns - 1.001), np.clip(y, 0.0, rows - 1.001)
    column: IntArray = x.astype(np.int64)
    row: IntArray = y.astype(np.int64)
    share_x, share_y = x - column, y - row
    flat: Array = grid.ravel()
    corner = row * columns + column
    upper: Array = flat[corner] + share_x * (flat[corner + 1] - flat[corner])
    lower: Array = flat[corner + columns] + share_x * (flat[corner + columns + 1] - flat[corner + columns])
    return upper + share_y * (lower - upper)


def _choose(places: _Places, clear: float) -> IntArray:
    """Place number of each label (l,), -1 for those without room; rows are in order of importance."""
    # In plain floats: nearly always one of the first places is free, and the loops end early.
    cost = np.where(places.blocked, np.inf, places.cost)
    order = np.argsort(cost, axis=1, kind="stable").tolist()
    open_places = np.count_nonzero(~places.blocked, axis=1).tolist()
    middles, halves = places.middles.tolist(), (0.5 * places.sizes).tolist()
    taken: list[tuple[float, float, float, float]] = []
    chosen = np.full(len(cost), -1)
    for row, (half_x, half_y) in enumerate(halves):
        reach_x, reach_y = half_x + clear, half_y + clear
        for place in order[row][: open_places[row]]:
            x, y = middles[row][place]
            for left, top, right, bottom in taken:
                if left - reach_x < x < right + reach_x and top - reach_y < y < bottom + reach_y:
                    break
            else:
                chosen[row] = place
                taken.append((x - half_x, y - half_y, x + half_x, y + half_y))
                break
    return chosen


def _leaders(labels: list[Label], anchors: Array, ends: Array, pane: Pane) -> PlacedLines:
    way = ends - anchors
    far = np.nonzero(np.einsum("ij,ij->i", way, way) > (LEADER_FROM * pane.density) ** 2)[0]
    moved = [labels[i] for i in far.tolist()]
    rgba = np.array([label.rgba for label in moved], dtype=np.float64).reshape(-1, 4)
    rgba[:, 3] *= 0.6
    width, dash = np.full(len(far), pane.density), np.full(len(far), int(Dash.SOLID))
    subjects = tuple([label.subject for label in moved])
    return PlacedLines(anchors[far], ends[far], width, rgba, rgba, dash, np.zeros(len(far)), subjects)
