"""The types that every algorithm's answer has: verdict, provenance, certainty, and sentences with numbers.

Signs: `normal` is a unit vector from A towards B; `separation` is positive apart and negative overlapping; `depth =
-separation`; `mtv = depth * normal`, added to B, just removes the overlap.
"""

from __future__ import annotations

from enum import StrEnum
from math import inf, isfinite

from msgspec import Struct
from msgspec.structs import replace


class Verdict(StrEnum):
    """Whether the bodies meet; TOUCHING is a band of separations about zero (tolerances.touching_band), not a sign."""

    SEPARATED = "SEPARATED"
    TOUCHING = "TOUCHING"
    OVERLAPPING = "OVERLAPPING"


class Sentence(Struct, frozen=True):
    """A sentence with its numbers kept apart, so that each place that shows it chooses how many digits to write.

    `text` has one field of `str.format`, such as `{:.6g}`, for each of `numbers`, and the units. `str` fills the
    fields as given.
    """

    text: str
    numbers: tuple[float, ...] = ()

    def __str__(self) -> str:
        return self.text.format(*self.numbers)

    def __add__(self, more: Sentence) -> Sentence:
        return Sentence(self.text + more.text, self.numbers + more.numbers)


class Provenance(StrEnum):
    """The kinds of proof of a number, strongest first."""

    EXACT = "exact"
    CERTIFIED = "certified"
    BOUND = "bound"
    FALLBACK = "fallback"
    """Nothing is proved. A number that is not finite is always a fallback."""


class Certainty(Struct, frozen=True):
    """Provenance of a number, and the `gap` within which it is known, scene units.

    The gap is 0 if the number is exact or without a proof, and for a bound from one side alone, whose gap is unknown.
    Only the functions below create one. No algorithm states the certainty of its own number.
    """

    provenance: Provenance
    gap: float = 0.0

    def at_least(self, gap: float) -> Certainty:
        """The certainty with its gap raised to `gap`, the error of the bounds themselves; a FALLBACK is unchanged."""
        return self if self.provenance is Provenance.FALLBACK else replace(self, gap=max(self.gap, gap))


def certainty_of(lower: float, upper: float, certified: float, exact: float = -inf) -> Certainty:
    """The certainty of a number between two proved bounds.

    The number is certified if the bounds are at most `certified` apart, else a bound. `exact`: the gap up to which a
    number by formula is exact, with only rounding between its bounds; an iterated one is never exact, however closely
    its bounds meet. Bounds that cross by rounding count by their distance; without two finite ones nothing is proved.
    """
    gap = abs(upper - lower)
    if not isfinite(gap):
        return Certainty(Provenance.FALLBACK)
    if gap <= exact:
        return Certainty(Provenance.EXACT)
    return Certainty(Provenance.CERTIFIED if gap <= certified else Provenance.BOUND, gap)


class Bounded:
    """A result of an iteration between `lower` and `upper`, certified if these are at most `within` apart."""

    __slots__ = ()

    lower: float
    upper: float
    within: float

    @property
    def gap(self) -> float:
        """The distance between the bounds."""
        return self.upper - self.lower

    @property
    def certainty(self) -> Certainty:
        """The certainty of the number, from its bounds."""
        return certainty_of(self.lower, self.upper, self.within)

    @property
    def certified(self) -> bool:
        """Whether the bounds are as close as `within` asks for."""
        return self.certainty.provenance is Provenance.CERTIFIED


def formula(separation: float, *, reached: bool = True) -> Certainty:
    """The certainty of a number by formula alone, without a second bound: exact if `reached`.

    Otherwise the number is a bound from one side, like the gap on an axis that does not face the closest points.
    """
    if not isfinite(separation):
        return Certainty(Provenance.FALLBACK)
    return Certainty(Provenance.EXACT if reached else Provenance.BOUND)


def uncertified(gap: float, *, bound: bool) -> Certainty:
    """The certainty of a number whose two bounds, `gap` apart, have an unknown rounding error, as in single precision.

    The number is a BOUND if `bound` (a bound from one side) or if `gap` is positive, else a FALLBACK.
    """
    return Certainty(Provenance.BOUND if bound or gap > 0.0 else Provenance.FALLBACK, gap)


def verdict_of(separation: float, band: float) -> Verdict:
    """The verdict for a signed separation and `band`, the half width of the touching band; OVERLAPPING for NaN."""
    if separation > band:
        return Verdict.SEPARATED
    return Verdict.TOUCHING if separation >= -band else Verdict.OVERLAPPING
