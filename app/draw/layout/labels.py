"""Places labels so that none covers another.

Greedy, by priority: each label takes the cheapest of its places that is free, at any of its anchors. Places are the
preferred one, then twelve directions round the anchor at growing distance, those nearest the preferred direction first.
A place is free when its box lies in the pane, off every marker, off panels before the picture, and off every label
placed earlier.
Where an important label finds no place, all are laid once more with farther places, those without one in fewer words.
A picture laid out thoroughly is tried with fewer words for labels that would stand on lines or far away, too.
A picture laid out thoroughly then has its labels moved, one by one or two together, as long as all get cheaper.
Covering lines or bodies costs, and a leader through a label, a marker or another leader or along a line, but forbids
nothing. So does a label so close to another one on its line that both read as one. A place beside the bodies with a
leader is cheaper than one across their edges. Any place near by is cheaper than one on a line of the step. The number
of a rail may stand beyond the rail's ends, without a leader. The place that a label had in the picture before is
cheaper, so that labels do not flicker between two nearly equal places while the camera moves, and it keeps its anchor.
While a body is dragged it keeps its place too as long as that is free, whatever lines come under it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from math import cos, inf, pi, sin, sqrt

import numpy as np
from msgspec import Struct
from msgspec.structs import astuple, replace

from core.geometry.vector import Array, dots, product

from ..camera import NEAR_PLANE
from ..draw_list import NO_OTHER_ANCHORS, Dash, Hidden, IntArray, Label, Marker, Subject
from ..placed import LEADER_OPACITY, PlacedLabel, PlacedLines, PlacedMarks
from ..steady import steady_pixels, steady_shares
from ..theme import faded
from .frame import TIP_ROOM, LayoutFrame, PaneInView, Taken, lifted
from .ink import CELL, Ink
from .lines import LaidLines, hidden_points
from .solids import BoolArray

Measure = Callable[[str, float, bool], tuple[float, float]]
"""(text, size in pixels, bold) -> width and height of its box in pixels."""
GAPS = (9.0, 15.0, 23.0, 34.0, 42.0, 50.0, 60.0, 70.0, 86.0, 104.0, 124.0, 144.0)
"""Points between anchor and box, ring by ring; the last rings are for labels that find no place nearer."""
NEAR_RINGS = 10
"""Rings that are tried at first; a second layout tries all."""
WANTED, NEAR = 30, 70.0
"""Priority from which a label without a place causes a second layout. Labels below it are at most NEAR points away."""
AT_BORDER = 70.0
"""The largest distance, points, of an anchor outside the pane at which a turned group's label is still drawn, at the
border: a rail may reach a little beyond it."""
RING_COST = (1.0, 1.35, 2.2, 3.0, 3.6, 4.2, 5.0, 5.9, 7.3, 9.0, 11.0, 13.0)
TURN_COST = 0.6
AREA_COST, BOTH_COST, ALONE_COST = 1.8, 3.6, 12.0
END_COST = 1.2
OTHER_COST = 0.6
"""Costs, 0 for the preferred place: by ring, and for half a turn away from the preferred side.

AREA_COST is for a box that lies on bodies; a label that stands on its point has none at its preferred place. Such a
label, the name of a body, has BOTH_COST at each place that lies on two bodies, whose names it could both be. A label
that is `alone` has ALONE_COST for a box on bodies, and for an anchor on two. END_COST is for a place at the end of a
rail, OTHER_COST for a place at another anchor than the first; lines through the box have the prices in `ink`.
"""
ROWS_AT_ONCE = 8
"""Rows whose leaders are priced at once. The samples of more would need memory from the system at each step."""
DEAR, BRIEF_COST, DROP_COST = 5.0, 5.0, 20.0
"""The cost of a place from which fewer words are tried, what these cost, and what a dropped label costs."""
MOST_BRIEF = 3
"""The number of labels of a pane, the dearest first, for which fewer words are tried: each chooses all places anew."""
EDGE, EDGE_COST = 10.0, 3.0
"""A box nearer than EDGE points to the pane's border has a cost, up to EDGE_COST at the border itself."""
CROSS_COST, THROUGH_TEXT, BESIDE = 11.0, 1.5, 2.0
"""Cost of a leader through a marker that is not at its anchor, or a leader; and THROUGH_TEXT times that of one through
a label, and of a label on a leader: words struck through are worse than a line that goes on beyond a dot.

A leader that passes a label or a marker within BESIDE points runs through it: the rim or the halo is there. BESIDE is
less than CLEAR, so that the leaders of two labels that stand side by side do not.
"""
OPPOSITE, SAME_ANCHOR = cos(pi / 9.0), 0.02
"""Two leaders read as one line, which costs CROSS_COST, if their directions are opposite but for 20°, and their anchors
are so near that the square of the distance is less than this share of the product of their lengths."""
WORD_GAP, ONE_LINE_COST = 1.0, 1.2
"""The gap, in heights of the text, below which two labels on one line read as one; and its cost."""
ROUNDS, LEAST_GAIN = 8, 0.01
"""The largest number of rounds in which all labels of a pane move to cheaper places; the least gain of a move."""
TRIED = 24
"""The number of places that a label tries to get from another one; without a bound a crowd would take minutes."""
END_PLACES, END_REACH = 2, 24.0
"""Places at the ends of a rail, after the preferred place; labels that are not `clear` have none there. END_REACH: the
points between such a place and the rail's end from which there is none."""
BAR_COST = 4.0
"""Cost of a place on the bars that a text should be clear of: a place at the fifth ring is cheaper."""
STAY = 6.4
"""Subtracted from the cost of the place that the label had before: more than a body's edge through the box costs."""
HOLD = inf
"""Used instead of STAY while a body is dragged: no other place is cheaper."""
LEAST_FIRM = 0.6
"""Opacity from which a marker keeps texts off; small dots inside A − B have less."""
CLEAR = 3.0
"""Least points between two labels, and between a label and its anchor."""
LEADER_FROM, LEADER_FROM_OFF_BARS = 16.0, 42.0
"""Points from the anchor beyond which a label that is not at its preferred place gets a leader, a thin line to it, and
beyond which one that the bars of its rail push there does. A wide text goes far from a steep rail."""
CLOSE, LEADER_FROM_CLOSE = 7.0, 6.0
"""Points between the anchors of two labels of one kind that are so close that the first has a leader nearly always, and
the points beyond which it has."""
NAMES_OF_POINTS = frozenset({"point-names", "vertex-names", "origin-name", "contact-names", "direction-names"})
"""The kinds of labels that would name another point if they stood nearer to its dot than to their own."""
OWN_DOT = 1.0
"""The largest distance, points, of a point's dot from the anchor of its name."""
LETTERS = 0.5
"""Height of the letters, in heights of their box."""
OTHER_DOT_COST, AS_NEAR = 2.0, 1.5
"""Cost of a place that is nearer to another point's dot, or not AS_NEAR times as far from it as from its own."""
LEADER_SHARE, LEADER_FROM_SHARED = 0.375, 10.0
"""A point's name has a leader where it is farther from its dot than this share of its distance from another dot.

From LEADER_FROM_SHARED points, beyond the first ring; a place that has OTHER_DOT_COST, from LEADER_FROM_CLOSE.
"""
SMALL = 11.0
"""Font size, points, below which a label's places are nearer to its anchor, and its leader shorter, as it is smaller.
The words of a large map are small, because the map is enlarged."""
FAINT_TEXT = 0.6
"""Factor for the alpha of a text whose anchor is hidden; larger than that of a marker, because it is read."""
SHORT = 1e-3
"""Length of the step, view frame, from which the direction of an axis or a side on the screen is computed."""
BAR = 5.0
"""Points between the middle of a rail's outer bar and a text beside it: half the bar's width and a gap."""


class _Band(Struct, frozen=True, eq=False):
    """A rectangle on the screen, pixels: `middle` (2,), unit `axes` (2, 2), the second across it, `half` sizes (2,).

    `ends` (e, 2): of the line along it, which reaches beyond it.
    """

    middle: Array
    axes: Array
    half: Array
    ends: Array

    @staticmethod
    def round(corners: Array, margin: float, ends: Array) -> _Band:
        """The band round four corners (4, 2), near side first, with a margin; `ends`: as in _Band."""
        middle = corners.mean(axis=0)
        along = corners[[1, 3]].mean(axis=0) - middle
        along /= max(sqrt(dots(along, along)), 1e-9)
        axes = np.array((along, (-along[1], along[0])))
        axes[1] *= 1.0 if dots(corners[2:].mean(axis=0) - middle, axes[1]) >= 0.0 else -1.0
        return _Band(middle, axes, np.abs(product(corners - middle, axes.T)).max(axis=0) + margin, ends)

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
    cover, pixels. `thorough`: leaders keep off lines too, and labels that have places are moved to cheaper ones; that
    takes several times as long.
    """

    previous: Sequence[PlacedLabel] = ()
    taken: Sequence[Taken] = ()
    stay: float = STAY
    thorough: bool = False

    @property
    def holds(self) -> bool:
        """Whether labels keep their places as long as these are free."""
        return self.stay == HOLD


class LaidLabels(Struct, frozen=True, eq=False):
    """The labels that have a place, the leaders of those far from their anchors, and the number of dropped labels.

    Leaders start at the anchors and end at the labels' boxes.
    """

    placed: tuple[PlacedLabel, ...]
    leaders: PlacedLines
    dropped: int


class _Anchored(Struct, frozen=True, eq=False):
    """The labels with visible anchors, pane by pane, in each pane by falling priority; l rows.

    A label with several anchors has a row for each, one after the other; at most one of them gets a place.
    `numbers`: of each label in its draw list; `which`: number of the anchor among the label's. `whole`: the full text
    of each; its label may have the brief one instead. `pane`, `group` (l,): numbers in the frame, group -1 for none;
    `anchors` (l, 2) pixels; `offsets` (l, 2): preferred displacements, pixels right and down; for labels of turned
    groups converted from the directions of axis and side. `lead` (l,): pixels from the anchor beyond which there is a
    leader.
    """

    labels: list[Label]
    numbers: list[int]
    which: list[int]
    whole: list[str]
    pane: IntArray
    group: IntArray
    anchors: Array
    offsets: Array
    lead: Array

    def rows(self, rows: IntArray) -> _Anchored:
        """The rows of these numbers, ascending."""
        each = rows.tolist()
        labels, numbers = [self.labels[row] for row in each], [self.numbers[row] for row in each]
        which, whole = [self.which[row] for row in each], [self.whole[row] for row in each]
        pane, group = self.pane[rows], self.group[rows]
        anchors, offsets, lead = self.anchors[rows], self.offsets[rows], self.lead[rows]
        return _Anchored(labels, numbers, which, whole, pane, group, anchors, offsets, lead)

    def runs(self, first: int, last: int) -> list[tuple[int, int]]:
        """The rows of each label among those of one pane, from `first` to `last`: its first, and one past its last."""
        starts = [row for row in range(first, last) if row == first or self.numbers[row] != self.numbers[row - 1]]
        return list(pairwise([*starts, last]))


class _Places(Struct, frozen=True, eq=False):
    """Candidate boxes of l labels in c places: middles (l, c, 2), sizes (l, 2), cost (l, c), blocked (l, c) bool.

    `own` (l, c): the cost without what is subtracted where the label was before. `lead` (l, c): pixels from the anchor
    beyond which there is a leader.
    """

    middles: Array
    sizes: Array
    cost: Array
    own: Array
    lead: Array
    blocked: BoolArray

    def rows(self, rows: IntArray) -> _Places:
        """The rows of these numbers."""
        return _Places(*(column[rows] for column in astuple(self)))

    def with_rows(self, rows: IntArray, others: _Places) -> _Places:
        """The places, with those of other labels in the rows of these numbers."""
        columns = [column.copy() for column in astuple(self)]
        for column, values in zip(columns, astuple(others), strict=True):
            column[rows] = values
        return _Places(*columns)


_NONE: Array = np.zeros((0, 0))
_NO_PLACES = _Places(np.zeros((0, 0, 2)), np.zeros((0, 2)), _NONE, _NONE, _NONE, np.zeros((0, 0), dtype=bool))


class _Chosen(Struct, frozen=True, eq=False):
    """The places that l labels got: `place` (l,), its number or -1 for none; and what holds at it.

    `middles` (l, 2), `sizes` (l, 2); `cost` (l,): the place's own; `lead` (l,): as in _Places; `crossings` (l,): what
    its crossings cost besides, with markers and with the labels before it.
    """

    place: IntArray
    middles: Array
    sizes: Array
    cost: Array
    lead: Array
    crossings: Array

    @staticmethod
    def none(count: int) -> _Chosen:
        """`count` labels without a place."""
        return _Chosen(np.full(count, -1), *np.zeros((2, count, 2)), *np.zeros((3, count)))

    @staticmethod
    def among(places: _Places, numbers: IntArray, columns: IntArray, crossings: Array) -> _Chosen:
        """The places of these numbers (l,), -1 for none, which stand in these columns (l,) of `places`."""
        row = np.arange(len(numbers))
        middles, cost, lead = (values[row, columns] for values in (places.middles, places.own, places.lead))
        return _Chosen(numbers, middles, places.sizes, cost, lead, crossings)

    def put(self, rows: IntArray, others: _Chosen) -> None:
        """Gives these rows the places of others."""
        for column, values in zip(astuple(self), astuple(others), strict=True):
            column[rows] = values

    def rows(self, rows: IntArray) -> _Chosen:
        """The rows of these numbers."""
        return _Chosen(*(column[rows] for column in astuple(self)))

    @property
    def placed(self) -> list[int]:
        """The rows of the labels that have a place."""
        return np.nonzero(self.place >= 0)[0].tolist()

    @property
    def price(self) -> float:
        """The price of all places with their crossings; a label with a place saves DROP_COST."""
        return float((self.cost + self.crossings)[self.placed].sum()) - DROP_COST * len(self.placed)


def lay_labels(
    lines: LaidLines, marks: Sequence[PlacedMarks], frame: LayoutFrame, measure: Measure, rooms: Sequence[LabelRoom]
) -> list[LaidLabels]:
    """Places the labels with visible anchors; returns the result of each pane. `marks`, `rooms`: of each pane."""
    known = [_Previous.of(room) for room in rooms]
    seen = _visible(frame, known)
    nowhere = np.zeros((0, 2))
    found = [LaidLabels((), leaders_of([], nowhere, nowhere, 1.0), 0)] * len(frame.panes)
    if not seen.labels:
        return found
    search = _Search(lines, marks, frame, measure, rooms, seen)
    before = list(_before(seen, known))
    seen = _as_before(seen, before)
    chosen, searched, places = search.laid(seen, NEAR_RINGS, before)
    for number, first, last in _runs(seen.pane):
        rows, rings = np.arange(first, last), NEAR_RINGS
        some, picked = seen.rows(rows), chosen.rows(rows)
        here = places.rows(np.searchsorted(searched, rows)) if rooms[number].thorough else places
        lacking = set(some.numbers).difference(some.numbers[row] for row in picked.placed)
        if any(some.labels[row].priority >= WANTED for row, each in enumerate(some.numbers) if each in lacking):
            some, rings = _in_brief(some, lacking), len(GAPS)
            picked, _, here = search.laid(some, rings, list(_before(some, known)))
        for dear in _dear(some, picked)[:MOST_BRIEF] if rooms[number].thorough else ():
            briefer, changed = _in_brief(some, (dear,)), np.nonzero(np.equal(some.numbers, dear))[0]
            these = briefer.rows(changed)
            there = here.with_rows(changed, search.places(these, rings, list(_before(these, known))))
            others = search.chosen(there, briefer)
            if others.price + BRIEF_COST < picked.price:
                some, picked, here = briefer, others, there
        found[number] = _laid(some, picked, frame.panes[number].density)
    return found


class _Search:
    """The search for the places of labels in all panes; `seen`: the labels with visible anchors."""

    def __init__(
        self,
        lines: LaidLines,
        marks: Sequence[PlacedMarks],
        frame: LayoutFrame,
        measure: Measure,
        rooms: Sequence[LabelRoom],
        seen: _Anchored,
    ) -> None:
        self._frame, self._measure, self._rooms, self._bars = frame, measure, rooms, _bars(frame)
        self._markers, self._dots = [marker_boxes(each) for each in marks], _dots(marks)
        self._moves = np.array([not room.holds for room in rooms])
        self._ink = Ink.of(lines, frame) if self._moves[seen.pane].any() else None

    def laid(self, some: _Anchored, rings: int, before: Sequence[_Earlier]) -> tuple[_Chosen, IntArray, _Places]:
        """The places that labels get: those that they hold, then the cheapest ones of the other labels.

        Also returns the rows of the others, and their places. `rings`: the number that is tried; `before`: where the
        labels were.
        """
        chosen, boxes = self._held(some, before)
        rows = np.nonzero(chosen.place < 0)[0]
        if not len(rows):
            return chosen, rows, _NO_PLACES
        these, index = some.rows(rows), {row: each for each, row in enumerate(rows.tolist())}
        places = self.places(these, rings, [(index[row], label, room) for row, label, room in before if row in index])
        chosen.put(rows, self.chosen(places, these, boxes))
        return chosen, rows, places

    def places(self, some: _Anchored, rings: int, before: Sequence[_Earlier]) -> _Places:
        """All places of labels up to a ring, with their costs; `before`: where the labels were."""
        places = self._at(some, np.arange(1 + END_PLACES + rings * len(DIRECTIONS))[None])
        if self._ink is not None:
            lines, area, both = self._ink.under(places.middles, places.sizes, some.pane)
            on_it = np.nonzero(~_stand_beside(some.labels))[0]
            bodies = AREA_COST * area
            bodies[on_it, 0] = 0.0
            bodies[on_it] += BOTH_COST * both[on_it]
            alone = np.nonzero([label.alone for label in some.labels])[0]
            about = np.full((len(alone), 2), CELL) * self._frame.density[some.pane[alone], None]
            shared = self._ink.under(some.anchors[alone, None], about, some.pane[alone])[2]
            bodies[alone] = ALONE_COST * (area[alone] + shared)
            cover = lines + bodies
            cover += _edge_cost(places, some.pane, self._frame)
            cover += _leader_cost(places, some, self._ink, np.array([room.thorough for room in self._rooms]))
            places.own[:] += steady_shares(cover) * self._moves[some.pane, None]
        places.cost[:] = places.own
        _favour_previous(places, before)
        return places

    def chosen(self, places: _Places, some: _Anchored, boxes: Sequence[list[_Box]] = ()) -> _Chosen:
        """The places chosen among these; of a label's anchors at most one has a place.

        `boxes`: of the labels that hold their places, in each pane; not used in panes where none holds.
        """
        chosen, crossings = np.full(len(some.labels), -1), np.zeros(len(some.labels))
        for number, first, last in _runs(some.pane):
            rows = np.arange(first, last)
            if self._rooms[number].holds:
                chosen[rows] = self._between(places, rows, number, boxes[number])
            else:
                runs = some.runs(first, last)
                candidates = list(self._candidates(places, rows, number))
                markers, density = self._markers[number].tolist(), float(self._frame.density[number])
                board = _Board(candidates, places, runs, density, some, markers)
                moves = ROUNDS if self._rooms[number].thorough else 0
                for (start, _), place, crossing in zip(runs, board.filled(moves), board.crossings(), strict=True):
                    if place >= 0:
                        row, chosen_place = divmod(place, board.count)
                        chosen[start + row], crossings[start + row] = chosen_place, crossing
        return _Chosen.among(places, chosen, chosen, crossings)

    def _at(self, some: _Anchored, numbers: IntArray) -> _Places:
        """The places of these numbers, (l, c) or (1, c), with the costs that other dots make."""
        places = _places(some, self._frame, self._measure, numbers, self._bars)
        _part_from_other_dots(places, some, self._frame.density, self._dots)
        return places

    def _held(self, some: _Anchored, before: Sequence[_Earlier]) -> tuple[_Chosen, list[list[_Box]]]:
        """The labels that hold their places, and the boxes of these labels in each pane."""
        chosen, boxes = _Chosen.none(len(some.labels)), [list[_Box]() for _ in self._rooms]
        held = [(row, label.place) for row, label, room in before if room.holds]
        if held:
            rows, numbers = np.array(held).T
            these = some.rows(rows)
            places = self._at(these, numbers[:, None])
            for number, first, last in _runs(these.pane):
                each = list(self._candidates(places, np.arange(first, last), number))
                halves, density = (0.5 * places.sizes[first:last]).tolist(), float(self._frame.density[number])
                for row, ((cost,), (x,), (y,)), half in zip(range(first, last), each, halves, strict=True):
                    if cost == inf or not _put(boxes[number], x, y, half, density):
                        numbers[row] = -1
            chosen.put(rows, _Chosen.among(places, numbers, np.zeros_like(rows), np.zeros(len(rows))))
        return chosen, boxes

    def _between(self, places: _Places, rows: IntArray, number: int, taken: list[_Box]) -> list[int]:
        """The cheapest free place of each of a pane's labels that could not hold theirs, or -1.

        They come last, so that none takes the place of a label that holds it. `number`: the pane's; `taken`: the boxes
        of the labels that hold their places, to which those of the others are added.
        """
        chosen, density = [], float(self._frame.density[number])
        halves = (0.5 * places.sizes[rows]).tolist()
        for (cost, xs, ys), half in zip(self._candidates(places, rows, number), halves, strict=True):
            place = -1
            while place < 0 and (least := min(cost)) < inf:
                cheapest = cost.index(least)
                if _put(taken, xs[cheapest], ys[cheapest], half, density):
                    place = cheapest
                cost[cheapest] = inf
            chosen.append(place)
        return chosen

    def _candidates(self, places: _Places, rows: IntArray, number: int) -> Iterator[_Candidates]:
        """The costs of each row's places, infinite for those that are not free, and their middles' x and y.

        A place is free if its box lies in the pane, off panels and markers, whatever labels are there. `number`: the
        pane's.
        """
        # In plain floats: nearly always one of the first places is free, and the loops end early. Each label has a
        # list of x and one of y, not a pair for each place: thousands of lists would keep the garbage collector busy.
        middles, half = places.middles.take(rows, axis=0), 0.5 * places.sizes.take(rows, axis=0)[:, None]
        density = float(self._frame.density[number])
        off = places.blocked.take(rows, axis=0) | _outside(middles, half, self._frame.panes[number], density)
        off |= _under(middles, half, self._rooms[number].taken)
        off |= _on_markers(middles, half, self._markers[number], density)
        costs = np.where(off, inf, places.cost.take(rows, axis=0)).tolist()
        return zip(costs, middles[..., 0].tolist(), middles[..., 1].tolist(), strict=True)


def _in_brief(some: _Anchored, numbers: Collection[int]) -> _Anchored:
    """The labels, those of these numbers in fewer words if they have them."""
    each = zip(some.labels, some.numbers, strict=True)
    labels = [
        replace(label, text=label.brief) if number in numbers and label.brief else label for label, number in each
    ]
    return replace(some, labels=labels)


def _dear(some: _Anchored, chosen: _Chosen) -> list[int]:
    """The numbers of the labels in places that cost DEAR or more which have fewer words, the dearest first."""
    rows = [row for row in chosen.placed if some.labels[row].brief not in ("", some.labels[row].text)]
    return [some.numbers[row] for row in sorted(rows, key=lambda row: -chosen.cost[row]) if chosen.cost[row] >= DEAR]


def _runs(pane: IntArray) -> Iterator[tuple[int, int, int]]:
    """Yields each pane that has rows: its number, its first row, and one past its last; `pane` (n,) ascending."""
    counts = np.bincount(pane).tolist()
    first = 0
    for number, count in enumerate(counts):
        if count:
            yield number, first, first + count
        first += count


def _laid(some: _Anchored, chosen: _Chosen, density: float) -> LaidLabels:
    """The labels of a pane at the places chosen for them."""
    kept, sizes = chosen.placed, chosen.sizes[chosen.placed]
    shifts = density * np.array([some.labels[row].shift for row in kept]).reshape(-1, 2)
    corners = chosen.middles[kept] + shifts - 0.5 * sizes
    leans = _leans(some.anchors[kept, 0], corners[:, 0], sizes[:, 0])
    lead = np.where(shifts.any(axis=1), some.lead[kept], chosen.lead[kept])
    each = ((some.labels[row], some.whole[row]) for row in kept)
    labels = [(label, "" if label.text == whole else whole) for label, whole in each]
    numbers = [(some.numbers[row], some.which[row]) for row in kept]
    boxes = zip(corners.tolist(), sizes.tolist(), chosen.place[kept].tolist(), leans, lead.tolist(), strict=True)
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
            anchor=which,
            lead=least,
        )
        for (label, whole), ((x, y), (w, h), place, lean, least), (number, which) in zip(
            labels, boxes, numbers, strict=True
        )
    )
    middle, half = corners + 0.5 * sizes, 0.5 * sizes
    ends = np.clip(some.anchors[kept], middle - half, middle + half)
    leaders = leaders_of(placed, some.anchors[kept], ends, density)
    return LaidLabels(placed, leaders, len(set(some.numbers)) - len(kept))


def _leans(anchors: Array, left: Array, width: Array) -> list[float]:
    """`PlacedLabel.lean` of labels, the share of their width that is nearest to their anchors; all (l,) along x."""
    shares: Array = np.clip((anchors - left) / np.maximum(width, 1.0), 0.0, 1.0)
    return shares.tolist()  # type: ignore[no-any-return]  # numpy's stubs know no list of floats


def _visible(frame: LayoutFrame, known: Sequence[_Previous]) -> _Anchored:
    """The labels with anchors in their panes, or for turned groups up to AT_BORDER outside."""
    lists = [
        [
            (label, number, which)
            for number, label in sorted(enumerate(pane.draw.labels), key=lambda each: -each[1].priority)
            for which in ((0,) if label.other_anchors is NO_OTHER_ANCHORS else previous.tried(label))
        ]
        for pane, previous in zip(frame.panes, known, strict=True)
    ]
    each = [row for rows in lists for row in rows]
    labels, numbers, which = [label for label, _, _ in each], [row[1] for row in each], [row[2] for row in each]
    pane: IntArray = np.repeat(np.arange(len(lists)), [len(rows) for rows in lists])
    if not labels:
        return _Anchored([], [], [], [], pane, pane, np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(0))
    points = np.concatenate(
        [
            seen.projection.to_view(
                np.array([label.other_anchors[k - 1, :3] if k else label.point for label, _, k in rows]).reshape(-1, 3)
            )
            for seen, rows in zip(frame.panes, lists, strict=True)
        ]
    )
    group: IntArray = np.array([label.group for label in labels])
    group = np.where(group >= 0, group + frame.first_group[pane], -1)
    if len(frame.sides):
        lifts = np.array([label.other_anchors[k - 1, 3] if k else label.lift for label, _, k in each])
        points = lifted(points, lifts, group, frame)
    lens = frame.lens.at(pane)
    at, size = steady_pixels(lens.screen(points)[:, :2]), np.column_stack((lens.width, lens.height))
    inside = np.clip(at, 0.0, size)
    allowed = np.where(group >= 0, AT_BORDER * frame.density[pane], 0.0)
    shown = (np.abs(at - inside).max(axis=1) <= allowed) & (1.0 - lens.perspective * points[:, 2] >= NEAR_PLANE)
    faint = np.array([label.hidden == Hidden.FAINT for label in labels])
    if faint.any():
        behind = faint & hidden_points(points, -1, pane, frame)
        each_label = np.array((pane, numbers)).T
        before = {tuple(label) for label in each_label[faint & ~behind & shown].tolist()}
        shown &= ~behind | [tuple(label) not in before for label in each_label.tolist()]
        labels = [
            replace(label, rgba=faded(label.rgba, FAINT_TEXT)) if pale else label
            for label, pale in zip(labels, behind.tolist(), strict=True)
        ]
    # The arrow of a rail ends this far inside the pane (`join_lines`), and so does the leader of its name.
    margin = np.array([TIP_ROOM * (label.kind == "axis-names" and label.group >= 0) for label in labels])
    margin = (margin * frame.density[pane])[:, None]
    inside = np.clip(at, margin, size - margin)
    rows = np.nonzero(shown)[0]
    labels, pane, group = [labels[row] for row in rows.tolist()], pane[rows], group[rows]
    whole, (numbers, which) = (
        [label.text for label in labels],
        ([of[row] for row in rows.tolist()] for of in (numbers, which)),
    )
    offsets = _offsets(labels, pane, group, points[rows], frame)
    lead = _lead_from(labels, numbers, pane, inside[rows], frame.density[pane])
    return _Anchored(labels, numbers, which, whole, pane, group, inside[rows], offsets, lead)


def _lead_from(labels: list[Label], numbers: list[int], pane: IntArray, anchors: Array, density: Array) -> Array:
    """The `lead` of `_Anchored`; `density` (l,): pixels to a point."""
    # The mark of the label that was drawn first lies under the other's: its leader alone tells where it is.
    kinds = np.array([label.kind for label in labels])
    apart = np.abs(anchors[:, None] - anchors).max(axis=2) > CLOSE * density
    other = np.less.outer(numbers, numbers) & (kinds[:, None] == kinds) & (pane[:, None] == pane)
    close = (other & ~apart).any(axis=1)
    return np.where(close, LEADER_FROM_CLOSE, LEADER_FROM) * _shrunk(labels) * density


def _shrunk(labels: list[Label]) -> Array:
    """The factor (l,) for the distances of labels from their anchors, 1 unless their letters are small."""
    return np.minimum(np.array([label.size for label in labels]) / SMALL, 1.0)


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
            along, lifts = np.array((low, high, low, high)), np.array((near, near, far, far))
            if group.ends is not None:
                along, lifts = np.append(along, group.ends), np.append(lifts, [0.5 * (near + far)] * END_PLACES)
            feet = pane.projection.to_view(group.origin + along[:, None] * group.axis)
            points = lifted(feet, lifts, np.full(len(lifts), number), frame)
            seen = steady_pixels(pane.projection.screen(points)[:, :2])
            found[number] = _Band.round(seen[:4], BAR * pane.density, seen[4:])
    return found


_D = sqrt(0.5)
_S, _C = sin(0.125 * pi), cos(0.125 * pi)
DIRECTIONS: Array = np.array(
    [
        *((1.0, 0.0), (_D, _D), (_S, _C), (0.0, 1.0), (-_S, _C), (-_D, _D)),
        *((-1.0, 0.0), (-_D, -_D), (-_S, -_C), (0.0, -1.0), (_S, -_C), (_D, -_D)),
    ]
)
"""Directions from the anchor to the twelve places of a ring; because texts are wide, there are more above and below."""


def _places(
    some: _Anchored, frame: LayoutFrame, measure: Measure, numbers: IntArray, bars: dict[int, _Band]
) -> _Places:
    """The places of these numbers, (l, c), or (1, c) of all labels."""
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
        middle = np.clip(anchors[row] + offsets[row], half + EDGE * pane.density, edge - half - EDGE * pane.density)
        offsets[row] = middle + band.way_out(middle, half) - anchors[row]
    # The places before the rings: the preferred one, then those at the ends of a rail.
    each_row, at, ringed = np.arange(len(labels))[:, None], np.minimum(numbers, END_PLACES), numbers > END_PLACES
    ends, no_end = _at_ends(beside, some, sizes, frame)
    first = np.concatenate((offsets[:, None, :], ends), axis=1)[each_row, at]
    first_cost = np.array((0.0, *[END_COST] * END_PLACES))[at]
    none = np.concatenate((np.zeros((len(labels), 1), dtype=bool), no_end), axis=1)[each_row, at]
    ring, direction = np.divmod(np.maximum(numbers - 1 - END_PLACES, 0), len(DIRECTIONS))
    # In diagonal directions the box's corner is nearest to the anchor, along an axis the middle of a side.
    corner = np.clip(DIRECTIONS * 1.5, -1.0, 1.0)[direction]
    gaps = np.array(GAPS) * (_shrunk(labels) * density)[:, None]
    gaps += np.maximum(clear[:, None] - gaps[:, :1], 0.0)
    around = gaps[each_row, ring][..., None] * DIRECTIONS[direction] + 0.5 * sizes[:, None, :] * corner
    lengths = np.sqrt(dots(offsets, offsets))
    preferred = np.where(lengths[:, None] > 0.0, offsets / np.maximum(lengths, 1e-9)[:, None], (0.0, -1.0))
    turn = 0.5 * TURN_COST * (1.0 - product(preferred, DIRECTIONS.T))
    middles = anchors[:, None, :] + np.where(ringed[..., None], around, first)
    # Whole pixels: text is drawn on them, and a label then stands still while its anchor creeps.
    middles = np.round(middles - 0.5 * sizes[:, None, :]) + 0.5 * sizes[:, None, :]
    cost = np.where(ringed, np.array(RING_COST)[ring] + turn[each_row, direction], first_cost)
    cost += OTHER_COST * np.minimum(some.which, 1)[:, None]
    allowed = [label.max_distance if label.priority >= WANTED else min(label.max_distance, NEAR) for label in labels]
    blocked = np.where(ringed, np.array(GAPS)[ring] > np.array(allowed)[:, None], none)
    for number, band in beside:
        cost[number] += BAR_COST * (band.depth(middles[number], 0.5 * sizes[number]) > 1.0)
    # A label needs no line to its anchor where it is wanted, or at the end of its rail.
    lead = np.where(ringed, some.lead[:, None], inf)
    pushed = [row for row, _ in beside]
    lead[pushed] = np.where(at == 0, LEADER_FROM_OFF_BARS * density[:, None], lead)[pushed]
    return _Places(middles, sizes, cost.copy(), cost, lead, blocked)


def _at_ends(
    beside: list[tuple[int, _Band]], some: _Anchored, sizes: Array, frame: LayoutFrame
) -> tuple[Array, BoolArray]:
    """From each anchor to its places (l, END_PLACES, 2) beyond its rail's ends, within the pane; and which are none."""
    arms, none = np.zeros((len(sizes), END_PLACES, 2)), np.ones((len(sizes), END_PLACES), dtype=bool)
    for row, band in beside:
        if len(band.ends) == 0:
            continue
        pane, half = frame.panes[some.pane[row]], 0.5 * sizes[row]
        out = np.where(dots(band.ends - band.middle, band.axes[0]) >= 0.0, 1.0, -1.0)[:, None] * band.axes[0]
        reach = dots(np.abs(band.axes[0]), half) + 2.0 * CLEAR * pane.density
        edge = np.array((pane.projection.width, pane.projection.height))
        room = half + EDGE * pane.density
        arms[row] = np.clip(band.ends + reach * out, room, np.maximum(edge - room, room)) - some.anchors[row]
        # Pushed into the pane it must not lie on the rail again, nor so far from its end that it seems to name another.
        beyond = np.abs(some.anchors[row] + arms[row] - band.ends) - half
        none[row] = (beyond < 0.0).all(axis=1)
        beyond = np.maximum(beyond, 0.0)
        none[row] |= dots(beyond, beyond) > (END_REACH * pane.density) ** 2
        way = np.maximum(np.abs(arms[row]) - half, 0.0)
        none[row] |= dots(way, way) > (some.labels[row].max_distance * pane.density) ** 2
    return arms, none


def _stand_beside(labels: list[Label]) -> BoolArray:
    """Whether labels (l,) stand beside their point, not on it."""
    return np.array([label.clear or label.offset != (0.0, 0.0) for label in labels])


class _Previous(Struct, frozen=True, eq=False):
    """The previous picture's labels of a pane, by subject and whole text, and by subject and first word.

    Of several of a name the first is used: the labels of insets come after a pane's own and may have the same names of
    axes.
    """

    room: LabelRoom
    by_text: dict[tuple[Subject, str], PlacedLabel]
    by_word: dict[tuple[Subject, str], PlacedLabel]

    @staticmethod
    def of(room: LabelRoom) -> _Previous:
        """The previous labels of a pane with this room."""
        named = [(label, label.whole or label.text) for label in reversed(room.previous)]
        by_word = {(label.subject, text.partition(" ")[0]): label for label, text in named}
        return _Previous(room, {(label.subject, text): label for label, text in named}, by_word)

    def label(self, subject: Subject, text: str) -> PlacedLabel | None:
        """The label with the same subject and whole text, or else first word; None if there was none.

        The number after the first word changes in a drag.
        """
        return self.by_text.get((subject, text)) or self.by_word.get((subject, text.partition(" ")[0]))

    def tried(self, label: Label) -> Sequence[int]:
        """The numbers of the anchors to try: all, or in a moving picture the one that it had.

        A label that is `alone` tries all there too, because the bodies go over each other.
        """
        before = None if self.room.thorough else self.label(label.subject, label.text)
        if before is not None and not (label.alone and not self.room.holds):
            return (min(before.anchor, len(label.other_anchors)),)
        return (0,) if self.room.holds else range(1 + len(label.other_anchors))


_Earlier = tuple[int, PlacedLabel, LabelRoom]
"""A row, its label in the previous picture, and the pane's room."""


def _before(some: _Anchored, known: Sequence[_Previous]) -> Iterator[_Earlier]:
    """Yields each row whose label the previous picture had at its anchor: the row, the label there, the pane's room."""
    for number, first, last in _runs(some.pane):
        for row in range(first, last):
            label = known[number].label(some.labels[row].subject, some.whole[row])
            if label is not None and label.anchor == some.which[row]:
                yield row, label, known[number].room


def _as_before(some: _Anchored, before: Sequence[_Earlier]) -> _Anchored:
    """The labels to lay: where labels hold their places, with the texts of the previous picture."""
    labels = list(some.labels)
    for row, label, room in before:
        if room.holds and label.whole and labels[row].brief:
            labels[row] = replace(labels[row], text=labels[row].brief)
    return replace(some, labels=labels)


def _favour_previous(places: _Places, before: Iterable[_Earlier]) -> None:
    for row, label, room in before:
        # A place in the outer rings counts only while those are tried. A held place is not free.
        if label.place < places.cost.shape[1] and not room.holds:
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


def _part_from_other_dots(places: _Places, some: _Anchored, density: Array, points: Sequence[_Dots]) -> None:
    """Gives the names of points leaders in the places that are nearer to another point's dot, and a cost for these.

    `density` (p,): pixels to a point of each pane; `points`: the dots of each pane.
    """
    named = np.array([label.kind in NAMES_OF_POINTS for label in some.labels])
    point = (_shrunk(some.labels) * density[some.pane])[:, None]
    for number, first, last in _runs(some.pane):
        rows = first + named[first:last].nonzero()[0]
        at, reach = points[number]
        middles, anchors, half = places.middles[rows, :, None], some.anchors[rows, None], 0.5 * places.sizes[rows]
        half_x, half_y = half[:, :1], LETTERS * half[:, 1:]
        own, apart = (
            steady_pixels(
                np.hypot(
                    np.maximum(np.abs(x - middles[..., 0]) - half_x[..., None], 0.0),
                    np.maximum(np.abs(y - middles[..., 1]) - half_y[..., None], 0.0),
                )
            )
            for x, y in ((anchors[..., :1], anchors[..., 1:]), (at[:, 0], at[:, 1]))
        )
        # A dot on the anchor is its own. One that overlaps that is as near on every side but its own.
        away = steady_pixels(np.hypot(at[:, 0] - anchors[..., 0], at[:, 1] - anchors[..., 1]))[:, None]
        apart = np.where(away > OWN_DOT * density[number], apart, inf)
        nearest = apart.min(axis=2, initial=inf)
        nearer = np.logical_or.reduce(apart < np.where(away > reach, AS_NEAR, 1.0) * own, axis=2)
        shared = np.maximum(LEADER_SHARE * nearest, LEADER_FROM_SHARED * point[rows])
        shared[places.lead[rows] == inf] = inf
        places.lead[rows] = np.minimum(places.lead[rows], np.where(nearer, LEADER_FROM_CLOSE * point[rows], shared))
        places.own[rows] += OTHER_DOT_COST * nearer


def _edge_cost(places: _Places, pane: IntArray, frame: LayoutFrame) -> Array:
    """The costs (l, c) of boxes for being near the border of their pane."""
    whole = np.array([(view.projection.width, view.projection.height) for view in frame.panes])[pane, None]
    free = 0.5 * whole - 0.5 * places.sizes[:, None] - np.abs(places.middles - 0.5 * whole)
    near = np.minimum(free[..., 0], free[..., 1]) / (EDGE * frame.density[pane, None])
    cost: Array = EDGE_COST * np.clip(1.0 - near, 0.0, 1.0)
    return cost


def _leader_cost(places: _Places, some: _Anchored, ink: Ink, thorough: BoolArray) -> Array:
    """The costs (l, c) of the lines that leaders cross; 0 in panes (p,) that are not laid out thoroughly."""
    cost = np.zeros(places.cost.shape)
    thoroughly = np.nonzero(thorough[some.pane])[0]
    for first in range(0, len(thoroughly), ROWS_AT_ONCE):
        rows = thoroughly[first : first + ROWS_AT_ONCE]
        start, half = some.anchors[rows, None], 0.5 * places.sizes[rows, None]
        way = np.clip(start, places.middles[rows] - half, places.middles[rows] + half) - start
        number, place = np.nonzero(dots(way, way) > places.lead[rows] ** 2)
        row = rows[number]
        cost[row, place] = ink.across(some.anchors[row], way[number, place], some.pane[row])
    return cost


def _outside(middles: Array, half: Array, pane: PaneInView, density: float) -> BoolArray:
    """Whether boxes (l, c, 2) of half sizes (l, 1, 2) reach out of the pane."""
    half_width, half_height = 0.5 * pane.projection.width, 0.5 * pane.projection.height
    room_x, room_y = half_width - half[..., 0] - density, half_height - half[..., 1] - density
    outside: BoolArray = (np.abs(middles[..., 0] - half_width) > room_x) | (
        np.abs(middles[..., 1] - half_height) > room_y
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


def marker_boxes(marks: PlacedMarks) -> Array:
    """The boxes round a pane's opaque markers, (n, 4): left, top, right, bottom."""
    firm = np.maximum(marks.fill[:, 3], marks.stroke[:, 3]) >= LEAST_FIRM
    centre, radius = steady_pixels(marks.centre[firm]), marks.radius[firm, None]
    return np.hstack((centre - radius, centre + radius))


_Dots = tuple[Array, Array]
"""The places (n, 2) and radii (n,) of a pane's visible markers of points, pixels."""


def _dots(marks: Sequence[PlacedMarks]) -> list[_Dots]:
    """The markers of each pane that are no arrow heads."""
    seen = [(each.shape != Marker.TRIANGLE) & (np.maximum(each.fill[:, 3], each.stroke[:, 3]) > 0.0) for each in marks]
    return [(steady_pixels(each.centre[rows]), each.radius[rows]) for each, rows in zip(marks, seen, strict=True)]


def _on_markers(middles: Array, half: Array, markers: Array, density: float) -> BoolArray:
    """Whether boxes about `middles` (l, c, 2) of half sizes (l, 1, 2) overlap a marker's box, (l, c) bool."""
    # Coordinate by coordinate, because numpy is slow along an axis of length two.
    (x, y), (wide, high) = np.moveaxis(middles, -1, 0)[..., None], np.moveaxis(half, -1, 0)[..., None] + density
    left, top, right, bottom = markers.T
    on: BoolArray = np.any((left < x + wide) & (x - wide < right) & (top < y + high) & (y - high < bottom), axis=2)
    return on


class _Board:
    """The places of one pane's labels while they are chosen: for each its box and its leader, None for none.

    The places of a label are those at its first anchor, `count` of them, then those at its next one.
    The price of a place is its own cost and that of its crossings. Each crossing of its leader with a marker or another
    leader costs CROSS_COST. One with a label, by its leader or by the other's, costs THROUGH_TEXT times as much.
    """

    def __init__(
        self,
        candidates: Sequence[_Candidates],
        places: _Places,
        runs: list[tuple[int, int]],
        density: float,
        some: _Anchored,
        markers: list[_Box],
    ) -> None:
        self.density, self.count = density, places.cost.shape[1]
        first = runs[0][0]
        self.candidates = [_joined(candidates[start - first : end - first]) for start, end in runs]
        self.orders = [sorted(range(len(cost)), key=cost.__getitem__) for cost, _, _ in self.candidates]
        self.halves: list[list[float]] = (0.5 * places.sizes[[start for start, _ in runs]]).tolist()
        self.anchors: list[list[list[float]]] = [some.anchors[start:end].tolist() for start, end in runs]
        self.leads: list[list[float]] = [places.lead[start:end].ravel().tolist() for start, end in runs]
        self.beside = BESIDE * density
        grown = [_grown(box, self.beside) for box in markers]
        self.markers = [[_others(markers, grown, anchor) for anchor in own] for own in self.anchors]
        self.chosen = [-1] * len(runs)
        self.boxes: list[_Box | None] = [None] * len(runs)
        self.grown: list[_Box | None] = [None] * len(runs)
        self.lines: list[_Leader | None] = [None] * len(runs)

    def filled(self, rounds: int) -> list[int]:
        """The places after the labels are put one by one, and then moved as long as all together get cheaper."""
        rows = range(len(self.chosen))
        for row in rows:
            self._put(row, self._best(row)[0])
        placed = [row for row in rows if self.chosen[row] >= 0]
        for _ in range(rounds):
            if sum(self._improved(row) for row in placed) == 0:
                break
        for row in rows:
            if self.chosen[row] < 0:
                self._put(row, self._best(row)[0])
        return self.chosen

    def crossings(self) -> list[float]:
        """The price of each label's crossings with markers and with the labels before it; 0 without a place."""
        held, found = list(enumerate(self.chosen)), []
        for row, _ in held:
            self._put(row, -1)
        for row, place in held:
            found.append(0.0 if place < 0 else self._price(row, place) - self.candidates[row][0][place])
            self._put(row, place)
        return found

    def _improved(self, row: int) -> bool:
        """Whether a label found a cheaper place, free or that of another label which moves away."""
        held, price = self._lifted(row)
        place, _ = self._best(row, price - LEAST_GAIN)
        if place >= 0:
            self._put(row, place)
            return True
        costs = self.candidates[row][0]
        for place in self.orders[row][:TRIED]:
            if costs[place] >= price - LEAST_GAIN:
                break
            in_the_way = self._in_the_way(row, place) or self._crossed(row, place)
            if len(in_the_way) == 1:
                other = in_the_way[0]
                its, whole = self._lifted(other)
                whole += price - self._price(row, place) - LEAST_GAIN
                self._put(row, place)
                there, _ = self._best(other, whole)
                if there >= 0:
                    self._put(other, there)
                    return True
                self._put(row, -1)
                self._put(other, its)
        self._put(row, held)
        return False

    def _lifted(self, row: int) -> tuple[int, float]:
        """Takes a label off; returns its place and what that cost."""
        held = self.chosen[row]
        self._put(row, -1)
        return held, self._price(row, held)

    def _best(self, row: int, limit: float = inf) -> tuple[int, float]:
        """The cheapest free place of a label that is not placed, and its price; -1 if all cost `limit` or more."""
        found, costs = -1, self.candidates[row][0]
        for place in self.orders[row]:
            if costs[place] >= limit:
                break
            if not self._in_the_way(row, place) and (price := self._price(row, place)) < limit:
                found, limit = place, price
        return found, limit

    def _put(self, row: int, place: int) -> None:
        self.chosen[row] = place
        self.boxes[row], self.lines[row] = (None, None) if place < 0 else self._taken(row, place)
        box = self.boxes[row]
        self.grown[row] = box and _grown(box, self.beside)

    def _taken(self, row: int, place: int) -> tuple[_Box, _Leader | None]:
        """The box of a label in a place, and its leader, None for none."""
        _, xs, ys = self.candidates[row]
        (half_x, half_y), x, y = self.halves[row], xs[place], ys[place]
        least, anchor = self.leads[row][place], self.anchors[row][place // self.count]
        line = _leader(anchor, x, y, half_x, half_y, least) if least < inf else None
        return (x - half_x, y - half_y, x + half_x, y + half_y), line

    def _in_the_way(self, row: int, place: int) -> list[int]:
        """The other labels that a label in a place would cover."""
        _, xs, ys = self.candidates[row]
        x, y, clear = xs[place], ys[place], CLEAR * self.density
        half_x, half_y = self.halves[row]
        reach_x, reach_y = half_x + clear, half_y + clear
        return [
            number
            for number, box in enumerate(self.boxes)
            if box and box[0] - reach_x < x < box[2] + reach_x and box[1] - reach_y < y < box[3] + reach_y
        ]

    def _crossed(self, row: int, place: int) -> list[int]:
        """The other labels with which a label in a place would have a crossing, by its leader or by theirs."""
        box, line = self._taken(row, place)
        grown = _grown(box, self.beside)
        each = enumerate(zip(self.lines, self.grown, strict=True))
        return [
            number
            for number, (other, theirs) in each
            if (other and (_passes(other, grown) or (line and _cross(line, other))))
            or (line and theirs and _passes(line, theirs))
        ]

    def _price(self, row: int, place: int) -> float:
        """The price of a place of a label that is not placed, beside the labels that are."""
        box, line = self._taken(row, place)
        grown = _grown(box, self.beside)
        # Lists, because a generator would be called again for each of its values.
        crossings = THROUGH_TEXT * sum([_passes(other, grown) for other in self.lines if other])
        if line:
            crossings += sum([_passes(line, marker) for marker in self.markers[row][place // self.count]])
            crossings += THROUGH_TEXT * sum([_passes(line, other) for other in self.grown if other])
            crossings += sum([_cross(line, other) or _one_line(line, other) for other in self.lines if other])
        (left, top, right, bottom), one_line = box, 0
        high, apart = bottom - top, WORD_GAP * (bottom - top)
        for other in self.boxes:
            # In plain comparisons: this runs for each pair of labels, and a call would take longer than they do.
            if (
                other
                and -high < other[1] + other[3] - top - bottom < high
                and other[0] < right + apart
                and left < other[2] + apart
            ):
                one_line += 1
        return self.candidates[row][0][place] + CROSS_COST * crossings + ONE_LINE_COST * one_line


def _put(taken: list[_Box], x: float, y: float, half: list[float], density: float) -> bool:
    """Whether a box about (x, y) with half sides `half` is clear of the taken ones; adds it to them if so."""
    half_x, half_y = half
    clear = CLEAR * density
    free = not _meets(taken, x, y, half_x + clear, half_y + clear)
    if free:
        taken.append((x - half_x, y - half_y, x + half_x, y + half_y))
    return free


_Candidates = tuple[list[float], list[float], list[float]]
"""The costs of places, infinite for those that are not free, and the x and y of their middles."""


def _joined(each: Sequence[_Candidates]) -> _Candidates:
    """The candidates of all anchors of a label; of one anchor the same lists."""
    if len(each) == 1:
        return each[0]
    costs, xs, ys = ([value for values in lists for value in values] for lists in zip(*each, strict=True))
    return costs, xs, ys


def _meets(taken: list[_Box], x: float, y: float, reach_x: float, reach_y: float) -> bool:
    """Whether a box about (x, y) with half sides `reach_x` and `reach_y` overlaps a taken box."""
    for left, top, right, bottom in taken:
        if left - reach_x < x < right + reach_x and top - reach_y < y < bottom + reach_y:
            return True
    return False


_Box = tuple[float, float, float, float]
"""A label's box in pixels: left, top, right, bottom."""
_Leader = tuple[float, float, float, float]
"""A leader in pixels: x, y of its anchor, and its way to the label."""


def _leader(anchor: list[float], x: float, y: float, half_x: float, half_y: float, least: float) -> _Leader | None:
    """The leader to a box about x, y with half sides `half_x`, `half_y`; None where it is too short to be drawn.

    `anchor`: x, y; `least`: the longest that is not drawn, pixels.
    """
    from_x, from_y = anchor
    way_x = min(max(from_x, x - half_x), x + half_x) - from_x
    way_y = min(max(from_y, y - half_y), y + half_y) - from_y
    drawn = way_x * way_x + way_y * way_y > least * least
    return (from_x, from_y, way_x, way_y) if drawn else None


def _grown(box: _Box, by: float) -> _Box:
    """A box with a margin, pixels."""
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def _others(boxes: list[_Box], grown: list[_Box], point: list[float]) -> list[_Box]:
    """The `grown` ones of the boxes that do not hold a point (x, y); the box itself where only the grown one does."""
    x, y = point
    return [
        box if wide[0] <= x <= wide[2] and wide[1] <= y <= wide[3] else wide
        for box, wide in zip(boxes, grown, strict=True)
        if not (box[0] <= x <= box[2] and box[1] <= y <= box[3])
    ]


def _passes(line: _Leader, box: _Box) -> bool:
    """Whether a leader passes through a box."""
    (x, y, way_x, way_y), (left, top, right, bottom) = line, box
    if (x < left and x + way_x < left) or (x > right and x + way_x > right):
        return False
    if (y < top and y + way_y < top) or (y > bottom and y + way_y > bottom):
        return False
    # The corners lie on both sides of the line.
    upper, lower = (top - y) * way_x, (bottom - y) * way_x
    near, far = (left - x) * way_y, (right - x) * way_y
    return min(near, far) < max(upper, lower) and max(near, far) > min(upper, lower)


def _cross(line: _Leader, other: _Leader) -> bool:
    """Whether each of two leaders has its ends on both sides of the other."""
    (x, y, way_x, way_y), (from_x, from_y, along_x, along_y) = line, other
    apart_x, apart_y = from_x - x, from_y - y
    start, turn = way_x * apart_y - way_y * apart_x, way_x * along_y - way_y * along_x
    own = along_x * apart_y - along_y * apart_x
    return start * (start + turn) < 0.0 and own * (own + turn) < 0.0


def _one_line(line: _Leader, other: _Leader) -> bool:
    """Whether two leaders from nearly one anchor go opposite ways: they would read as one line through it."""
    (x, y, way_x, way_y), (from_x, from_y, along_x, along_y) = line, other
    size = sqrt((way_x * way_x + way_y * way_y) * (along_x * along_x + along_y * along_y))
    if way_x * along_x + way_y * along_y > -OPPOSITE * size:
        return False
    apart = abs(from_x - x) + abs(from_y - y)
    return apart * apart < SAME_ANCHOR * size


def leaders_of(labels: Sequence[PlacedLabel], anchors: Array, ends: Array, density: float) -> PlacedLines:
    """The lines from anchors (n, 2) to the labels' `ends` (n, 2), where these are far; `density`: pixels to a point."""
    way = ends - anchors
    far = np.nonzero(dots(way, way) > np.array([label.lead for label in labels]) ** 2)[0]
    moved = [labels[i] for i in far.tolist()]
    rgba = np.array([label.rgba for label in moved], dtype=np.float64).reshape(-1, 4)
    rgba[:, 3] *= LEADER_OPACITY
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
