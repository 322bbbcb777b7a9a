"""Where the steps of a query stand on the timeline: pure geometry along one line, in imgui's units.

Every phase gets room for its name first; what is left is shared by the roots of the numbers of steps, so that GJK's
three are not lost beside a thousand axes of SAT.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from msgspec import Struct

from core.query.query import Phase

Phases = Sequence[tuple[Phase, int, int]]
"""Each phase with its first place and its number of steps, as `Query.phases` has them."""

NAME_SHARE = 0.72
"""The names take at most this share of the track."""
THINNING = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
"""Every so manieth step gets a tick where one for each would run together."""


class Segment(Struct, frozen=True):
    """A phase on the track: steps `first` to `first + count - 1` between `left` and `right`.

    `inset`: free of steps at both ends. `named`: its name fits.
    """

    phase: Phase
    first: int
    count: int
    left: float
    right: float
    inset: float
    named: bool

    @property
    def room(self) -> float:
        """Width that each step has."""
        return max(self.right - self.left - 2.0 * self.inset, 1e-9) / self.count

    def x_of(self, index: float) -> float:
        """Middle of the room that the phase's step `index` has."""
        return self.left + self.inset + (index + 0.5) * self.room

    def index_at(self, x: float) -> int:
        """The step whose room holds `x`; beyond the ends the first and the last."""
        return min(max(int((x - self.left - self.inset) / self.room), 0), self.count - 1)

    def ticks(self, spacing: float) -> range:
        """Indices of the steps that get a tick when two are to stand at least `spacing` apart."""
        every = next((every for every in THINNING if every * self.room >= spacing), self.count)
        return range(0, self.count, every)


def segments(
    phases: Phases, name_widths: Sequence[float], left: float, right: float, gap: float, inset: float
) -> list[Segment]:
    """The phases side by side from `left` to `right`, `gap` apart, each with room for its name if there is enough."""
    room = max(right - left - gap * (len(phases) - 1), 1.0)
    named = sum(name_widths) <= NAME_SHARE * room
    bases = list(name_widths) if named else [NAME_SHARE * room / len(phases)] * len(phases)
    rest, total = room - sum(bases), sum(sqrt(count) for _, _, count in phases)
    placed, x = [], left
    for (phase, first, count), base, name in zip(phases, bases, name_widths, strict=True):
        width = base + rest * sqrt(count) / total
        placed.append(Segment(phase, first, count, x, x + width, min(inset, 0.2 * width), name <= width))
        x += width + gap
    return placed


def place_at(track: Sequence[Segment], x: float) -> int:
    """The step whose room holds `x`; beyond the ends the first and the last, in a gap the one before it."""
    segment = next((s for s in reversed(track) if s.left <= x), track[0])
    return segment.first + segment.index_at(x)


def x_of(track: Sequence[Segment], place: int) -> float:
    """Where a step stands."""
    segment = next(s for s in reversed(track) if s.first <= place)
    return segment.x_of(place - segment.first)
