"""Places labels so that none covers another.

In the order of priority, each label takes the cheapest of its free places. The preferred place costs nothing. Others
are rings of eight directions round the anchor; the cost grows with the ring and with the angle to the preferred
direction. A place is free if its box lies in the pane and covers no marker, no panel in front of the picture, and no
label placed before.

If an important label has no free place, the labels of its pane are placed once more: with more rings, and those that
had no place with their brief text. A place over strong lines costs more, but is allowed. The place of the previous
picture costs less, so that labels do not flicker between nearly equal places while the camera moves. While a body is
dragged, a label keeps its place as long as that is free, whatever lines come under it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import inf, sqrt

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.geometry.vector import Array, dots, product

from ..camera import NEAR
from ..draw_list import Dash, IntArray, Label
from ..placed import PlacedLabel, PlacedLines, PlacedMarks
from ..steady import steady_pixels
from .frame import LayoutFrame, lifted
from .ink import Ink
from .lines import LaidLines
from .solids import BoolArray

Measure = Callable[[str, float, bool], tuple[float, float]]
"""A function of a text, its font size in pixels, and whether it is bold; returns its width and height in pixels."""
Taken = tuple[float, float, float, float]
"""A rectangle of the pane in pixels: x, y of its upper left corner, width, height."""
GAPS = (9.0, 22.0, 42.0, 70.0, 104.0, 144.0)
"""Points between anchor and box, for each ring; the last two rings are tried only when labels are placed once more."""
NEAR_RINGS = 4
WANTED = 30
"""Least priority of a label for which, if it has no place, the labels of its pane are placed once more."""
AT_BORDER = 70.0
"""Points by which the anchor of a turned group's label may be outside the pane, because a rail may reach beyond the
border; the anchor is then moved to the border."""
RING_COST = (1.0, 1.8, 3.0, 4.4, 6.4, 8.8)
TURN_COST = 0.6
COVER_COST = 1.8
"""Costs of a place, beside 0 for the preferred one: of each ring; of the direction opposite to the preferred one; of a
line through the box, as much as the second ring."""
BAR_COST = 4.0
"""Cost of a place on the bars, for a label with `clear`; a place in the third ring is cheaper."""
STAY = 1.9
"""Subtracted from the cost of the place that the label had before; it is more than a line through the box costs."""
HOLD = inf
"""Used instead of STAY while a body is dragged: no other place is cheaper."""
CLEAR = 3.0
"""Least points between two labels, and between a label and its anchor."""
LEADER_FROM = 16.0
"""Points from the anchor beyond which a label that is not at its preferred place gets a leader, a thin line to it."""
SHORT = 1e-3
"""Length of the step, view frame, from which the direction of an axis or a side on the screen is computed."""
BAR = 5.0
"""Points between the middle of a rail's outer bar and a text beside it: half the bar's width and a gap."""


class _Band(Struct, frozen=True, eq=False):
    """A rectangle on the screen, pixels: `middle` (2,), unit `axes` (2, 2) along and across, `half` sizes (2,)."""

    middle: Array
    axes: Array
    half: Array

    @staticmethod
    def round(corners: Array, margin: float) -> _Band:
        """The band round four corners (4, 2) with a margin; the first two are the ends of the side near the axis."""
        middle = corners.mean(axis=0)
        along = corners[[1, 3]].mean(axis=0) - middle
        along /= max(sqrt(dots(along, along)), 1e-9)
        axes = np.array((along, (-along[1], along[0])))
        axes[1] *= 1.0 if dots(corners[2:].mean(axis=0) - middle, axes[1]) >= 0.0 else -1.0
        return _Band(middle, axes, np.abs(product(corners - middle, axes.T)).max(axis=0) + margin)

    def _inside(self, middles: Array, half: Array) -> Array:
        # The depths (n, 4) of boxes of a half size (2,) about (n, 2) in the band, along its own axes and the screen's.
        arms = middles - self.middle
        own = self.half + dots(np.abs(self.axes), half) - np.abs(product(arms, self.axes.T))
        screen = half + product(self.half, np.abs(self.axes)) - np.abs(arms)
        return np.concatenate((own, screen), axis=1)

    def depth(self, middles: Array, half: Array) -> Array:
        """The depths (n,) of boxes about `middles` (n, 2) of a half size (2,) in the band; negative if outside."""
        found: Array = self._inside(middles, half).min(axis=1)
        return found

    def way_out(self, middle: Array, half: Array) -> Array:
        """The move (2,) across the band that takes a box out of it, to the side where its middle is; 0 if outside."""
        inside = self._inside(middle[None], half)[0]
        side = 1.0 if dots(middle - self.middle, self.axes[1]) >= 0.0 else -1.0
        return np.zeros(2) if inside.min() <= 0.0 else side * inside[1] * self.axes[1]


class LabelRoom(Struct, frozen=True, eq=False):
    """The previous places of one pane's labels, and the rectangles that are taken.

    `previous`: the labels of the previous picture, or of several, the latest first. A label keeps its place unless that
    is not free or another one is cheaper by more than `stay`. `taken`: rectangles that panels in front of the picture
    cover, pixels.
    """

    previous: Sequence[PlacedLabel] = ()
    taken: Sequence[Taken] = ()
    stay: float = STAY

    @property
    def holds(self) -> bool:
        """Whether labels keep their places as long as these are free."""
        return self.stay == HOLD


class LaidLabels(Struct, frozen=True, eq=False):
    """The labels that have a place, the leaders of those far from their anchors, and the number of dropped labels."""

    placed: tuple[PlacedLabel, ...]
    leaders: PlacedLines
    dropped: int


class _Anchored(Struct, frozen=True, eq=False):
    """The labels with visible anchors, pane by pane, in each pane by falling priority; l rows.

    `numbers`: of each label in its draw list. `whole`: the full text of each; its label may have the brief one instead.
    `pane`, `group` (l,): numbers in the frame, group -1 for none; `anchors` (l, 2) pixels; `offsets` (l, 2): preferred
    displacements, pixels right and down; for labels of turned groups converted from the directions of axis and side.
    """

    labels: list[Label]
    numbers: list[int]
    whole: list[str]
    pane: IntArray
    group: IntArray
    anchors: Array
    offsets: Array

    def rows(self, first: int, last: int) -> _Anchored:
        """The rows from `first` to `last` (exclusive)."""
        rows = slice(first, last)
        return _Anchored(
            self.labels[rows],
            self.numbers[rows],
            self.whole[rows],
            self.pane[rows],
            self.group[rows],
            self.anchors[rows],
            self.offsets[rows],
        )


class _Places(Struct, frozen=True, eq=False):
    """The c places of each of l labels: box middles (l, c, 2) and sizes (l, 2), cost (l, c), blocked (l, c) bool."""

    middles: Array
    sizes: Array
    cost: Array
    blocked: BoolArray


def lay_labels(
    lines: LaidLines, marks: Sequence[PlacedMarks], frame: LayoutFrame, measure: Measure, rooms: Sequence[LabelRoom]
) -> list[LaidLabels]:
    """Places the labels with visible anchors; returns the result of each pane. `marks`, `rooms`: of each pane."""
    seen, bars = _visible(frame), _bars(frame)
    nowhere = np.zeros((0, 2))
    found = [LaidLabels((), _leaders([], nowhere, nowhere, 1.0), 0)] * len(frame.panes)
    if not seen.labels:
        return found
    counts = np.array([not room.holds for room in rooms])
    ink = Ink.of(lines, frame) if counts[seen.pane].any() else None

    def laid(some: _Anchored, rings: int) -> tuple[_Places, IntArray]:
        places = _places(some, frame, measure, rings, bars)
        if ink is not None:
            cover = np.minimum(ink.under(places.middles, places.sizes, some.pane), 2.0)
            places.cost[:] += COVER_COST * cover * counts[some.pane, None]
        _favour_previous(places, some, rooms)
        places.blocked[:] |= _outside(places, some.pane, frame)
        for number, first, last in _runs(some.pane):
            middles, half = places.middles[first:last], 0.5 * places.sizes[first:last, None]
            on_marks = _on_markers(middles, half, marks[number], frame.density[number])
            places.blocked[first:last] |= on_marks | _under(middles, half, rooms[number].taken)
        return places, _choose(places, some.pane, CLEAR * frame.density)

    seen, rings = _as_before(seen, rooms)
    places, chosen = laid(seen, rings)
    for number, first, last in _runs(seen.pane):
        some, picked = seen.rows(first, last), chosen[first:last]
        middles, sizes = places.middles[first:last], places.sizes[first:last]
        if any(
            place < 0 and label.priority >= WANTED for label, place in zip(some.labels, picked.tolist(), strict=True)
        ):
            briefer = [
                replace(label, text=label.brief) if place < 0 and label.brief else label
                for label, place in zip(some.labels, picked.tolist(), strict=True)
            ]
            some = replace(some, labels=briefer)
            again, picked = laid(some, len(GAPS))
            middles, sizes = again.middles, again.sizes
        found[number] = _laid(some, middles, sizes, picked, frame.panes[number].density)
    return found


def _runs(pane: IntArray) -> Iterator[tuple[int, int, int]]:
    """Yields each pane that has rows: its number, its first row, and one past its last; `pane` (n,) ascending."""
    counts = np.bincount(pane).tolist()
    first = 0
    for number, count in enumerate(counts):
        if count:
            yield number, first, first + count
        first += count


def _laid(some: _Anchored, middles: Array, sizes: Array, chosen: IntArray, density: float) -> LaidLabels:
    """The labels of a pane at the places `chosen` (l,) for them, -1 for none."""
    kept = np.nonzero(chosen >= 0)[0]
    shifts = density * np.array([some.labels[row].shift for row in kept.tolist()]).reshape(-1, 2)
    corners = middles[kept, chosen[kept]] + shifts - 0.5 * sizes[kept]
    leans = _leans(some.anchors[kept, 0], corners[:, 0], sizes[kept, 0])
    each = ((some.labels[row], some.whole[row]) for row in kept.tolist())
    labels = [(label, "" if label.text == whole else whole) for label, whole in each]
    numbers = [some.numbers[row] for row in kept.tolist()]
    boxes = zip(corners.tolist(), sizes[kept].tolist(), chosen[kept].tolist(), leans, strict=True)
    placed = tuple(
        PlacedLabel(
            text=label.text,
            x=x,
            y=y,
            width=w,
            height=h,
            size=label.size * density,
            rgba=label.rgba,
            bold=label.bold,
            subject=label.subject,
            place=place,
            whole=whole,
            lean=lean,
            anchored=True,
            number=number,
        )
        for (label, whole), ((x, y), (w, h), place, lean), number in zip(labels, boxes, numbers, strict=True)
    )
    away = (chosen[kept] > 0) | shifts.any(axis=1)
    moved = kept[away]
    middle, half = middles[moved, chosen[moved]] + shifts[away], 0.5 * sizes[moved]
    ends = np.clip(some.anchors[moved], middle - half, middle + half)
    leaders = _leaders([some.labels[row] for row in moved.tolist()], some.anchors[moved], ends, density)
    return LaidLabels(placed, leaders, len(some.labels) - len(kept))


def _leans(anchors: Array, left: Array, width: Array) -> list[float]:
    """The values of `PlacedLabel.lean`; `anchors`, `left`, `width` (l,): x of anchors and boxes, and box widths."""
    return np.where(left >= anchors, 0.0, np.where(left + width <= anchors, 1.0, 0.5)).tolist()  # type: ignore[no-any-return]


def _visible(frame: LayoutFrame) -> _Anchored:
    """The labels with anchors in their panes, or for turned groups up to AT_BORDER outside."""
    numbered = [sorted(enumerate(pane.draw.labels), key=lambda each: -each[1].priority) for pane in frame.panes]
    lists = [[label for _, label in each] for each in numbered]
    labels, numbers = [label for each in lists for label in each], [number for each in numbered for number, _ in each]
    pane: IntArray = np.repeat(np.arange(len(lists)), [len(each) for each in lists])
    if not labels:
        return _Anchored([], [], [], pane, pane, np.zeros((0, 2)), np.zeros((0, 2)))
    points = np.concatenate(
        [
            seen.projection.to_view(np.array([label.point for label in each]).reshape(-1, 3))
            for seen, each in zip(frame.panes, lists, strict=True)
        ]
    )
    group: IntArray = np.array([label.group for label in labels])
    group = np.where(group >= 0, group + frame.first_group[pane], -1)
    if len(frame.sides):
        points = lifted(points, np.array([label.lift for label in labels]), group, frame)
    lens = frame.lens.at(pane)
    at, size = steady_pixels(lens.screen(points)[:, :2]), np.column_stack((lens.width, lens.height))
    inside = np.clip(at, 0.0, size)
    allowed = np.where(group >= 0, AT_BORDER * frame.density[pane], 0.0)
    shown = (np.abs(at - inside).max(axis=1) <= allowed) & (1.0 - lens.perspective * points[:, 2] >= NEAR)
    rows = np.nonzero(shown)[0]
    labels, pane, group = [labels[row] for row in rows.tolist()], pane[rows], group[rows]
    whole, numbers = [label.text for label in labels], [numbers[row] for row in rows.tolist()]
    offsets = _offsets(labels, pane, group, points[rows], frame)
    return _Anchored(labels, numbers, whole, pane, group, inside[rows], offsets)


def _offsets(labels: list[Label], pane: IntArray, group: IntArray, points: Array, frame: LayoutFrame) -> Array:
    """The `offsets` of `_Anchored`; `points` (l, 3): the anchors, view frame."""
    offsets: Array = np.array([label.offset for label in labels]).reshape(-1, 2) * frame.density[pane, None]
    turned = np.nonzero(group >= 0)[0]
    if len(turned):
        at, group, lens = points[turned], group[turned], frame.lens.at(pane[turned])
        here = lens.screen(at)[:, :2]
        ways = []
        for directions in (frame.axes, frame.sides):
            way = lens.screen(at + SHORT * directions[group])[:, :2] - here
            ways.append(way / np.maximum(np.sqrt(dots(way, way)), 1e-9)[:, None])
        offsets[turned] = steady_pixels(offsets[turned, :1] * ways[0] + offsets[turned, 1:] * ways[1])
    return offsets


def _bars(frame: LayoutFrame) -> dict[int, _Band]:
    """For the number of each turned group with bars, the band that the bars cover."""
    found = {}
    groups = [(pane, group) for pane in frame.panes for group in pane.draw.groups]
    for number, (pane, group) in enumerate(groups):
        if group.bars is not None:
            low, high, near, far = group.bars
            along = np.array((low, high, low, high))
            feet = pane.projection.to_view(group.origin + along[:, None] * group.axis)
            corners = lifted(feet, np.array((near, near, far, far)), np.full(4, number), frame)
            found[number] = _Band.round(steady_pixels(pane.projection.screen(corners)[:, :2]), BAR * pane.density)
    return found


_D = sqrt(0.5)
DIRECTIONS: Array = np.array(
    ((1.0, 0.0), (_D, _D), (0.0, 1.0), (-_D, _D), (-1.0, 0.0), (-_D, -_D), (0.0, -1.0), (_D, -_D))
)
"""Directions from the anchor to the eight places of a ring."""


def _places(some: _Anchored, frame: LayoutFrame, measure: Measure, rings: int, bars: dict[int, _Band]) -> _Places:
    labels, anchors, density = some.labels, some.anchors, frame.density[some.pane]
    each = zip(labels, density.tolist(), strict=True)
    sizes = np.array([measure(label.text, label.size * by, label.bold) for label, by in each]).reshape(-1, 2)
    clear = (CLEAR + np.array([label.ring for label in labels])) * density
    offsets = _off_the_anchor(some.offsets, sizes, clear[:, None])
    groups = zip(labels, some.group.tolist(), strict=True)
    beside = [(row, bars[group]) for row, (label, group) in enumerate(groups) if label.clear and group in bars]
    for row, band in beside:
        # The box is first moved into the pane, and from there off the bars.
        pane = frame.panes[some.pane[row]]
        half, edge = 0.5 * sizes[row], np.array((pane.projection.width, pane.projection.height))
        middle = np.clip(anchors[row] + offsets[row], half + 2.0 * pane.density, edge - half - 2.0 * pane.density)
        offsets[row] = middle + band.way_out(middle, half) - anchors[row]
    # In diagonal directions the box's corner is nearest to the anchor, in the others the middle of a side.
    corner = np.clip(DIRECTIONS * 1.5, -1.0, 1.0)
    gaps = np.array(GAPS[:rings]) * density[:, None]
    gaps += np.maximum(clear[:, None] - gaps[:, :1], 0.0)
    around = gaps[:, :, None, None] * DIRECTIONS + 0.5 * sizes[:, None, None, :] * corner
    around = around.reshape(len(labels), -1, 2)
    lengths = np.sqrt(dots(offsets, offsets))
    preferred = np.where(lengths[:, None] > 0.0, offsets / np.maximum(lengths, 1e-9)[:, None], (0.0, -1.0))
    turn = 0.5 * TURN_COST * (1.0 - product(preferred, DIRECTIONS.T))
    cost = (np.array(RING_COST[:rings])[None, :, None] + turn[:, None, :]).reshape(len(labels), -1)
    middles = anchors[:, None, :] + np.concatenate((offsets[:, None, :], around), axis=1)
    # Whole pixels, at which text is drawn: so a label does not move while its anchor moves by parts of a pixel.
    middles = np.round(middles - 0.5 * sizes[:, None, :]) + 0.5 * sizes[:, None, :]
    cost = np.concatenate((np.zeros((len(labels), 1)), cost), axis=1)
    blocked = np.zeros(cost.shape, dtype=bool)
    too_far = np.array(GAPS[:rings]) > np.array([label.reach for label in labels])[:, None]
    blocked[:, 1:] = np.repeat(too_far, len(DIRECTIONS), axis=1)
    for row, band in beside:
        cost[row] += BAR_COST * (band.depth(middles[row], 0.5 * sizes[row]) > 1.0)
    return _Places(middles, sizes, cost, blocked)


def _before(some: _Anchored, rooms: Sequence[LabelRoom]) -> Iterator[tuple[int, PlacedLabel, LabelRoom]]:
    """Yields each row whose label was in the previous picture: the row, the label there, and the pane's room.

    Labels match if they have one subject and the same whole text, or else the same first word; the number after it
    changes while a body is dragged. Of several previous labels that match, the first is used: the labels of insets
    come after a pane's own and may have the same names of axes.
    """
    for number, first, last in _runs(some.pane):
        room = rooms[number]
        named = [(label, label.whole or label.text) for label in reversed(room.previous)]
        by_text = {(label.subject, text): label for label, text in named}
        by_word = {(label.subject, text.partition(" ")[0]): label for label, text in named}
        for row in range(first, last):
            subject, text = some.labels[row].subject, some.whole[row]
            label = by_text.get((subject, text)) or by_word.get((subject, text.partition(" ")[0]))
            if label is not None:
                yield row, label, room


def _as_before(some: _Anchored, rooms: Sequence[LabelRoom]) -> tuple[_Anchored, int]:
    """The labels and the number of rings to try; labels that hold get the brief text if the previous one had it.

    All rings are tried if a label that holds was in an outer ring.
    """
    if not any(room.holds for room in rooms):
        return some, NEAR_RINGS
    held = [(row, label) for row, label, room in _before(some, rooms) if room.holds]
    labels = list(some.labels)
    for row, label in held:
        if label.whole and labels[row].brief:
            labels[row] = replace(labels[row], text=labels[row].brief)
    near = 1 + NEAR_RINGS * len(DIRECTIONS)
    rings = NEAR_RINGS if all(label.place < near for _, label in held) else len(GAPS)
    return replace(some, labels=labels), rings


def _favour_previous(places: _Places, some: _Anchored, rooms: Sequence[LabelRoom]) -> None:
    for row, label, room in _before(some, rooms):
        # A previous place in an outer ring is ignored if the outer rings are not tried.
        if label.place < places.cost.shape[1]:
            places.cost[row, label.place] -= room.stay


def _off_the_anchor(offsets: Array, sizes: Array, clear: Array) -> Array:
    """Offsets (l, 2), lengthened along their larger component until the box is at least `clear` (l, 1) from the anchor.

    Overlays give offsets without knowing the sizes of texts. An offset of exactly zero centres the text on its anchor.
    """
    need = 0.5 * sizes + clear - np.abs(offsets)
    covers = (need > 0.0).all(axis=1) & (offsets != 0.0).any(axis=1)
    main = np.argmax(np.abs(offsets), axis=1)
    rows = np.arange(len(offsets))
    out = offsets.copy()
    out[rows, main] += np.where(covers, need[rows, main] * np.sign(offsets[rows, main]), 0.0)
    return out


def _outside(places: _Places, pane: IntArray, frame: LayoutFrame) -> BoolArray:
    lens, density = frame.lens.at(pane), frame.density[pane]
    half_width, half_height = (0.5 * np.asarray(side)[:, None] for side in (lens.width, lens.height))
    room_x = half_width - 0.5 * places.sizes[:, :1] - density[:, None]
    room_y = half_height - 0.5 * places.sizes[:, 1:] - density[:, None]
    outside: BoolArray = (np.abs(places.middles[..., 0] - half_width) > room_x) | (
        np.abs(places.middles[..., 1] - half_height) > room_y
    )
    return outside


def _under(middles: Array, half: Array, taken: Sequence[Taken]) -> BoolArray:
    """Whether boxes about `middles` (l, c, 2) of half sizes (l, 1, 2) overlap rectangles of `taken`, (l, c) bool."""
    under = np.zeros(middles.shape[:2], dtype=bool)
    for x, y, width, height in taken:
        apart_x = np.abs(middles[..., 0] - (x + 0.5 * width)) - half[..., 0]
        apart_y = np.abs(middles[..., 1] - (y + 0.5 * height)) - half[..., 1]
        under |= (apart_x < 0.5 * width) & (apart_y < 0.5 * height)
    return under


def _on_markers(middles: Array, half: Array, marks: PlacedMarks, density: float) -> BoolArray:
    """Whether boxes about `middles` (l, c, 2) of half sizes (l, 1, 2) overlap a marker, (l, c) bool."""
    # Coordinate by coordinate, because numpy is slow along an axis of length two.
    reach, centre = marks.radius + density, steady_pixels(marks.centre)
    apart_x = np.abs(middles[:, :, None, 0] - centre[:, 0]) - reach < half[..., None, 0]
    apart_y = np.abs(middles[:, :, None, 1] - centre[:, 1]) - reach < half[..., None, 1]
    on: BoolArray = np.any(apart_x & apart_y, axis=2)
    return on


def _choose(places: _Places, pane: IntArray, clear: Array) -> IntArray:
    """The index of each label's place (l,), -1 for none; in each pane, rows are by falling priority.

    `clear` (p,): least pixels between two labels of each pane.
    """
    # Plain floats, because nearly always one of the first places is free and the loops end early. Each label has a list
    # of x and one of y, not a pair for each place: thousands of lists a frame would be slow to collect as garbage.
    costs = np.where(places.blocked, np.inf, places.cost).tolist()
    xs, ys = places.middles[..., 0].tolist(), places.middles[..., 1].tolist()
    halves = (0.5 * places.sizes).tolist()
    chosen = np.full(len(costs), -1)
    for number, first, last in _runs(pane):
        taken: list[tuple[float, float, float, float]] = []
        between = float(clear[number])
        for row in range(first, last):
            (half_x, half_y), cost = halves[row], costs[row]
            reach_x, reach_y = half_x + between, half_y + between
            while (least := min(cost)) < inf:
                place = cost.index(least)
                x, y = xs[row][place], ys[row][place]
                for left, top, right, bottom in taken:
                    if left - reach_x < x < right + reach_x and top - reach_y < y < bottom + reach_y:
                        cost[place] = inf
                        break
                else:
                    chosen[row] = place
                    taken.append((x - half_x, y - half_y, x + half_x, y + half_y))
                    break
    return chosen


def _leaders(labels: list[Label], anchors: Array, ends: Array, density: float) -> PlacedLines:
    way = ends - anchors
    far = np.nonzero(dots(way, way) > (LEADER_FROM * density) ** 2)[0]
    moved = [labels[i] for i in far.tolist()]
    rgba = np.array([label.rgba for label in moved], dtype=np.float64).reshape(-1, 4)
    rgba[:, 3] *= 0.6
    width, dash = np.full(len(far), density), np.full(len(far), int(Dash.SOLID))
    subjects = tuple([label.subject for label in moved])
    return PlacedLines(
        start=anchors[far],
        end=ends[far],
        width=width,
        start_rgba=rgba,
        end_rgba=rgba,
        dash=dash,
        phase=np.zeros(len(far)),
        subjects=subjects,
    )
