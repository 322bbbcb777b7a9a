"""Labels that do not pile up.

Greedy, by priority: each label takes the cheapest of its places that is free. Places are the preferred one, then eight
directions round the anchor at growing distance, those nearest the preferred direction first. A place is free when its
box lies in the pane, off every marker's centre and off every label placed before. Covering strong lines costs, but
forbids nothing. A place depends on nothing but the picture, so equal pictures have equal labels, and the preferred
place is cheap enough that small camera moves leave labels where they are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.geometry.vector import Array

from ..camera import NEAR
from ..draw_list import Dash, DrawList, IntArray, Label
from ..placed import PlacedLabel, PlacedLines, PlacedMarks
from .frame import Pane, lifted
from .lines import LaidLines
from .spans import BoolArray

Measure = Callable[[str, float, bool], tuple[float, float]]
"""(text, size in pixels, bold) -> width and height of its box in pixels."""

GAPS = (9.0, 22.0, 42.0, 70.0)
"""Points between anchor and box, ring by ring."""

RING_COST = (1.0, 1.8, 3.0, 4.4)
TURN_COST = 0.6
COVER_COST = 1.2
"""Costs against the preferred place's 0: distance, half a turn away from the preferred side, a line through the box."""

CLEAR = 3.0
"""Points kept free between two labels, and between a label and its anchor."""

LEADER_FROM = 16.0
"""A label moved further from its anchor than this, points, gets a thin line to it."""

CELL = 9.0
"""Points across a cell of the grid in which strong lines are counted."""

SAMPLES = 16
"""Points of a strong line that are counted."""


@dataclass(frozen=True, eq=False, slots=True)
class LaidLabels:
    """The labels that found room, the leader lines of those moved away, and how many found none."""

    placed: tuple[PlacedLabel, ...]
    leaders: PlacedLines
    dropped: int


@dataclass(frozen=True, eq=False, slots=True)
class _Places:
    """Candidate boxes of l labels in c places: middles (l, c, 2), sizes (l, 2), cost (l, c), blocked (l, c) bool."""

    middles: Array
    sizes: Array
    cost: Array
    blocked: BoolArray


def lay_labels(draw: DrawList, lines: LaidLines, marks: PlacedMarks, pane: Pane, measure: Measure) -> LaidLabels:
    """Places the labels whose anchors are in the pane."""
    labels, anchors = _visible(draw, pane)
    if not labels:
        return LaidLabels((), _leaders([], np.zeros((0, 2)), np.zeros((0, 2)), pane), 0)
    places = _places(labels, anchors, pane, measure)
    places.cost[:] += COVER_COST * np.minimum(_cover(places, lines, pane), 1.5)
    places.blocked[:] |= _outside(places, pane) | _on_markers(places, marks, pane)
    chosen = _choose(places, CLEAR * pane.density)
    kept = np.nonzero(chosen >= 0)[0]
    middles, sizes = places.middles[kept, chosen[kept]], places.sizes[kept]
    corners = middles - 0.5 * sizes
    placed = tuple(
        PlacedLabel(label.text, x, y, w, h, label.size * pane.density, label.rgba, label.bold, label.subject)
        for label, (x, y), (w, h) in zip(
            [labels[i] for i in kept.tolist()], corners.tolist(), sizes.tolist(), strict=True
        )
    )
    moved = kept[chosen[kept] > 0]
    ends = np.clip(anchors[moved], *_box(places, moved, chosen[moved]))
    leaders = _leaders([labels[i] for i in moved.tolist()], anchors[moved], ends, pane)
    return LaidLabels(placed, leaders, len(labels) - len(kept))


def _visible(draw: DrawList, pane: Pane) -> tuple[list[Label], Array]:
    """Labels with their anchors in the pane, most important first, and the anchors' pixels (l, 2)."""
    labels = sorted(draw.labels, key=lambda label: -label.priority)
    if not labels:
        return [], np.zeros((0, 2))
    projection = pane.projection
    points = projection.to_view(np.array([label.point for label in labels]))
    if len(pane.sides):
        groups = np.array([label.group for label in labels])
        points = points + lifted(np.array([label.lift for label in labels]), groups, pane)
    at = projection.screen(points)[:, :2]
    size = np.array((projection.width, projection.height))
    seen = ((at >= 0.0) & (at <= size)).all(axis=1) & (1.0 - projection.perspective * points[:, 2] >= NEAR)
    return [label for label, shown in zip(labels, seen.tolist(), strict=True) if shown], at[seen]


def _places(labels: list[Label], anchors: Array, pane: Pane, measure: Measure) -> _Places:
    density = pane.density
    sizes = np.array([measure(label.text, label.size * density, label.bold) for label in labels])
    offsets = np.array([label.offset for label in labels]) * density
    offsets = _off_the_anchor(offsets, sizes, CLEAR * density)
    angles = np.arange(8) * (0.25 * np.pi)
    directions = np.stack((np.cos(angles), np.sin(angles)), axis=1)
    # At the diagonals the box touches with its corner, at the sides with the middle of an edge.
    corner = np.clip(directions * 1.5, -1.0, 1.0)
    gaps = np.array(GAPS) * density
    around = gaps[None, :, None, None] * directions + 0.5 * sizes[:, None, None, :] * corner
    around = around.reshape(len(labels), -1, 2)
    lengths = np.sqrt(np.einsum("li,li->l", offsets, offsets))
    preferred = np.where(lengths[:, None] > 0.0, offsets / np.maximum(lengths, 1e-9)[:, None], (0.0, -1.0))
    turn = 0.5 * TURN_COST * (1.0 - preferred @ directions.T)
    cost = (np.array(RING_COST)[None, :, None] + turn[:, None, :]).reshape(len(labels), -1)
    middles = anchors[:, None, :] + np.concatenate((offsets[:, None, :], around), axis=1)
    # Whole pixels: text is drawn on them, and a label then stands still while its anchor creeps.
    middles = np.round(middles - 0.5 * sizes[:, None, :]) + 0.5 * sizes[:, None, :]
    cost = np.concatenate((np.zeros((len(labels), 1)), cost), axis=1)
    return _Places(middles, sizes, cost, np.zeros(cost.shape, dtype=bool))


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


def _on_markers(places: _Places, marks: PlacedMarks, pane: Pane) -> BoolArray:
    # Coordinate by coordinate: sums over an axis of two are slow.
    reach = 0.7 * marks.radius + pane.density
    half = 0.5 * places.sizes[:, None, None, :]
    apart_x = np.abs(places.middles[:, :, None, 0] - marks.centre[:, 0]) - reach < half[..., 0]
    apart_y = np.abs(places.middles[:, :, None, 1] - marks.centre[:, 1]) - reach < half[..., 1]
    on: BoolArray = np.any(apart_x & apart_y, axis=2)
    return on


def _cover(places: _Places, lines: LaidLines, pane: Pane) -> Array:
    """Length of strong lines under each box against half its width plus height, (l, c)."""
    cell = CELL * pane.density
    columns = int(pane.projection.width / cell) + 1
    rows = int(pane.projection.height / cell) + 1
    start, end = lines.placed.start[lines.strong], lines.placed.end[lines.strong]
    share = (np.arange(SAMPLES) + 0.5)[:, None, None] / SAMPLES
    way = end - start
    at = np.floor((start + share * way) / cell).astype(np.int64)
    x, y = at[..., 0], at[..., 1]
    inside = (x >= 0) & (x < columns) & (y >= 0) & (y < rows)
    weights = np.broadcast_to(np.sqrt(np.einsum("ij,ij->i", way, way)) / SAMPLES, x.shape)
    grid = np.bincount((y * columns + x)[inside], weights[inside], rows * columns).reshape(rows, columns)
    # Sums over rectangles from sums over all that is above and to the left.
    total = np.zeros((rows + 1, columns + 1))
    total[1:, 1:] = grid.cumsum(axis=0).cumsum(axis=1)
    half = 0.5 * places.sizes[:, None, :]
    limits = np.array((columns, rows))
    low = np.clip(np.round((places.middles - half) / cell).astype(np.int64), 0, limits)
    high = np.clip(np.round((places.middles + half) / cell).astype(np.int64), 0, limits)
    x0, y0, x1, y1 = low[..., 0], low[..., 1], high[..., 0], high[..., 1]
    length = total[y1, x1] - total[y0, x1] - total[y1, x0] + total[y0, x0]
    cover: Array = length / (0.5 * places.sizes.sum(axis=1))[:, None]
    return cover


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


def _box(places: _Places, rows: IntArray, place: IntArray) -> tuple[Array, Array]:
    middles, half = places.middles[rows, place], 0.5 * places.sizes[rows]
    return middles - half, middles + half


def _leaders(labels: list[Label], anchors: Array, ends: Array, pane: Pane) -> PlacedLines:
    way = ends - anchors
    far = np.nonzero(np.einsum("ij,ij->i", way, way) > (LEADER_FROM * pane.density) ** 2)[0]
    rgba = np.array([labels[i].rgba for i in far.tolist()], dtype=np.float64).reshape(-1, 4)
    rgba[:, 3] *= 0.6
    return PlacedLines(
        anchors[far],
        ends[far],
        np.full(len(far), pane.density),
        rgba,
        rgba,
        np.full(len(far), int(Dash.SOLID)),
        np.zeros(len(far)),
        tuple([labels[i].subject for i in far.tolist()]),
    )
