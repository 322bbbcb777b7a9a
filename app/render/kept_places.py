"""The place of a film's distance in all pictures together: it changes its side as seldom as it can.

The layout chooses places picture by picture. When bodies meet, it moves their distance with each line that comes under
it, which nobody can read. All pictures are known before the first is drawn, so that here the places are chosen anew
among those that the layout found: the cheapest sequence, with a price for each change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.geometry.vector import Array

from ..draw.draw_list import IntArray
from ..draw.layout.frame import Chains
from ..draw.layout.labels import DIRECTIONS, LEADER_FROM
from ..draw.placed import PlacedLines, box_about, middle_of, placed_about
from ..draw.steady import steady_pixels
from .moving_labels import ShownLabel

CHANGE = 40.0
"""The price of a change: that of a line a point wide under the whole text in so many pictures."""
BLOCKED = 1000.0
"""The price of a place that is not free, in one picture."""
MOST_INK, AWAY, ON_BODIES = 3.0, 0.01, 1.0
"""The largest price of the lines under a text in one picture, the price of a point between it and its anchor, and that
of a text that lies on bodies altogether."""
ROWS = 5
"""The number of rows of a text's box in which is measured how much of it lies on bodies."""
GAPS_TRIED = (15.0, 34.0)
"""Points between the anchor and the places round it that are tried besides those that the layout found."""
ALIKE = 4.0
"""Points by which two places differ that count as one."""


class Surroundings(Struct, frozen=True, eq=False):
    """The surroundings of a label in one picture: the view's `size` (2,), lines, and `boxes` (n, 4) not to cover.

    All in pixels; a line's weight (n,) is its width in points times its opacity. `bodies`: their outlines.
    """

    size: Array
    start: Array
    end: Array
    weight: Array
    boxes: Array
    bodies: tuple[Chains, ...] = ()

    @staticmethod
    def of(
        lines: PlacedLines, leaders: int, size: Array, boxes: Array, density: float, bodies: Iterable[Chains]
    ) -> Surroundings:
        """The surroundings with these lines, without the last `leaders` of them; `density`: pixels to the point."""
        count = len(lines.subjects) - leaders
        weight = lines.width / density * np.maximum(lines.start_rgba[:, 3], lines.end_rgba[:, 3])
        return Surroundings(size, lines.start[:count], lines.end[:count], weight[:count], boxes, tuple(bodies))

    def prices(self, boxes: Array, others: Array) -> Array:
        """The prices (c,) of places with these boxes (c, 4).

        `others` (k, 4): the boxes of other labels, nan for none.
        """
        around = np.concatenate((self.boxes, others))
        meet = (boxes[:, None, :2] < around[:, 2:]) & (around[:, :2] < boxes[:, None, 2:])
        out = (boxes[:, :2] < 0.0) | (boxes[:, 2:] > self.size)
        blocked = np.logical_or.reduce(meet.all(axis=2), axis=1) | np.logical_or.reduce(out, axis=1)
        way = self.end - self.start
        # Along a side of a box 0 / 0 is no limit.
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            sides = (boxes.reshape(-1, 1, 2, 2) - self.start[:, None]) / way[:, None]
        first = np.nan_to_num(np.fmin(sides[:, :, 0], sides[:, :, 1]), nan=-np.inf).max(axis=2)
        last = np.nan_to_num(np.fmax(sides[:, :, 0], sides[:, :, 1]), nan=np.inf).min(axis=2)
        inside = np.clip(np.minimum(last, 1.0) - np.maximum(first, 0.0), 0.0, 1.0) * np.hypot(*way.T)
        ink = (inside * self.weight).sum(axis=1) / (boxes[:, 2] - boxes[:, 0])
        prices: Array = np.minimum(ink, MOST_INK) + BLOCKED * blocked + ON_BODIES * self._on_bodies(boxes)
        return prices

    def _on_bodies(self, boxes: Array) -> Array:
        """The shares (c,) of boxes (c, 4) that lie on bodies."""
        left, top, right, bottom = boxes.T[..., None]
        rows = top + (np.arange(ROWS) + 0.5) / ROWS * (bottom - top)
        on = np.zeros(rows.shape)
        for chains in self.bodies:
            from_x, to_x = (np.interp(rows, chain[:, 1], chain[:, 0]) for chain in chains)
            within = (rows >= chains[0][0, 1]) & (rows <= chains[0][-1, 1])
            on += within * np.maximum(np.minimum(to_x, right) - np.maximum(from_x, left), 0.0)
        shares: Array = np.minimum(on / (right - left), 1.0).mean(axis=1)
        return shares


class _Place(Struct, frozen=True, eq=False):
    """A place beside an anchor, for texts of any width: the way (2,) to the text's point that is nearest the anchor.

    `lean`: where this point is along the text, from -1 to 1. `shown`: a label that stood there.
    """

    way: Array
    lean: float
    shown: ShownLabel

    @staticmethod
    def of(shown: ShownLabel) -> _Place:
        across, down = middle_of(shown.label) - shown.anchor
        lean = float(np.clip(2.0 * across / shown.label.width, -1.0, 1.0))
        return _Place(np.array((across - 0.5 * lean * shown.label.width, down)), lean, shown)

    def middle(self, shown: ShownLabel) -> Array:
        """The middle (2,) of a label's box in this place."""
        found: Array = shown.anchor + self.way + np.array((0.5 * self.lean * shown.label.width, 0.0))
        return found

    def like(self, other: _Place, density: float) -> bool:
        """Whether both places count as one."""
        apart = np.abs(self.way - other.way).max() + abs(self.lean - other.lean) * self.shown.label.width
        return bool(apart < ALIKE * density)


def _places_round(shown: ShownLabel, density: float) -> Iterator[_Place]:
    """Yields places round a label's anchor, on whatever lies there."""
    label = replace(shown.label, lead=LEADER_FROM * density)
    for gap in GAPS_TRIED:
        for way in DIRECTIONS:
            lean, drop = np.clip(1.5 * way, -1.0, 1.0)
            at = gap * density * way + (0.0, 0.5 * drop * label.height)
            yield _Place(at, float(lean), ShownLabel(label, shown.anchor, 1.0))


def kept_places(
    pictures: Sequence[ShownLabel | None], around: Sequence[Surroundings], others: Array, density: float
) -> list[ShownLabel | None]:
    """The label in all pictures of a film, None where it is missing, with places that change as seldom as they can.

    `others` (k, n, 4): the boxes of the other labels in the n pictures, nan for none. `density`: pixels to the point.
    """
    shown = [(number, label) for number, label in enumerate(pictures) if label is not None]
    places = list[_Place]()
    for place in [*(_Place.of(label) for _, label in shown), *_places_round(shown[0][1], density)]:
        if not any(place.like(known, density) for known in places):
            places.append(place)
    away = AWAY / density * np.array([float(np.hypot(*place.way)) for place in places])
    prices = []
    for number, label in shown:
        boxes = np.array([box_about(place.middle(label), label.label) for place in places])
        prices.append(away + around[number].prices(boxes, others[:, number]))
    found = list(pictures)
    for (number, label), place, price in zip(shown, cheapest_sequence(np.array(prices)), prices, strict=True):
        if price[place] < BLOCKED:
            chosen = places[place]
            moved = placed_about(label.label, steady_pixels(chosen.middle(label)))
            like = chosen.shown.label
            moved = replace(moved, place=like.place, lead=like.lead)
            found[number] = ShownLabel(moved, label.anchor, chosen.shown.lead)
    return found


def cheapest_sequence(prices: Array) -> IntArray:
    """The columns (n,) of `prices` (n, c) whose prices and changes, CHANGE each, are cheapest together."""
    count = len(prices)
    before = np.zeros(prices.shape, dtype=np.int64)
    total = prices[0]
    for row in range(1, count):
        best = int(total.argmin())
        change = total[best] + CHANGE < total
        before[row] = np.where(change, best, np.arange(prices.shape[1]))
        total = np.where(change, total[best] + CHANGE, total) + prices[row]
    found = np.zeros(count, dtype=np.int64)
    found[-1] = total.argmin()
    for row in range(count - 1, 0, -1):
        found[row - 1] = before[row, found[row]]
    return found
