"""What every algorithm's answer is made of: verdict, provenance, and the words for them.

Signs, once for all: `normal` is a unit vector from A towards B; `separation` is positive apart and negative
overlapping; `depth = -separation`; `mtv = depth * normal`, added to B, just removes the overlap.
"""

from __future__ import annotations

from enum import StrEnum
from math import inf, isfinite

from msgspec import Struct
from msgspec.structs import replace


class Verdict(StrEnum):
    """Whether the bodies meet; TOUCHING is a band about zero (tolerances.touching_band), not a sign."""

    SEPARATED = "SEPARATED"
    TOUCHING = "TOUCHING"
    OVERLAPPING = "OVERLAPPING"


class Sentence(Struct, frozen=True):
    """A sentence and its numbers apart, so that whoever shows it writes them with as many digits as it shows.

    `text` has a field of `str.format` for each of `numbers`, as `{:.6g}`: how the sentence itself, `str`, writes them.
    Units and signs are the text's.
    """

    text: str
    numbers: tuple[float, ...] = ()

    def __str__(self) -> str:
        return self.text.format(*self.numbers)

    def __add__(self, more: Sentence) -> Sentence:
        return Sentence(self.text + more.text, self.numbers + more.numbers)


class Provenance(StrEnum):
    """How a number is known, strongest first."""

    EXACT = "exact"
    CERTIFIED = "certified"
    BOUND = "bound"
    FALLBACK = "fallback"
    """Nothing is proved; of a number that is not finite nothing can be."""


class Certainty(Struct, frozen=True):
    """Provenance of a number, with the gap it is known to within (0 when exact to rounding), scene units.

    Made by the functions below alone, out of bounds: no algorithm says of itself how good its number is.
    """

    provenance: Provenance
    gap: float = 0.0

    def at_least(self, gap: float) -> Certainty:
        """The same of bounds that are good to `gap` themselves, however closely they meet."""
        return self if self.provenance is Provenance.FALLBACK else replace(self, gap=max(self.gap, gap))


def certainty_of(lower: float, upper: float, certified: float, exact: float = -inf) -> Certainty:
    """How a number is known that two proved bounds enclose.

    Certified, if they are no more than `certified` apart, else a bound. `exact`: the same for a number by formula,
    with nothing but rounding between the two; an iterated one is never exact, however closely its bounds meet. Bounds
    that cross by rounding count by how far they are apart; without two finite ones nothing is proved.
    """
    gap = abs(upper - lower)
    if not isfinite(gap):
        return Certainty(Provenance.FALLBACK)
    if gap <= exact:
        return Certainty(Provenance.EXACT)
    return Certainty(Provenance.CERTIFIED if gap <= certified else Provenance.BOUND, gap)


class Bounded:
    """A number of an algorithm's own between `lower` and `upper`, certified where these are `within` each other."""

    __slots__ = ()

    lower: float
    upper: float
    within: float

    @property
    def gap(self) -> float:
        """How far the bounds are apart."""
        return self.upper - self.lower

    @property
    def certainty(self) -> Certainty:
        """How the number is known, by its bounds."""
        return certainty_of(self.lower, self.upper, self.within)

    @property
    def certified(self) -> bool:
        """Whether the bounds are as close as the settings ask for."""
        return self.certainty.provenance is Provenance.CERTIFIED


def formula(separation: float, *, reached: bool = True) -> Certainty:
    """How a number by formula alone is known, with no second bound at hand: exact where it is `reached`.

    Else it is a bound from one side, like the gap on an axis that does not face the closest points.
    """
    if not isfinite(separation):
        return Certainty(Provenance.FALLBACK)
    return Certainty(Provenance.EXACT if reached else Provenance.BOUND)


def uncertified(gap: float, *, bound: bool) -> Certainty:
    """How a number is known whose own bounds, `gap` apart, are good to no known rounding, as in single precision.

    `bound`: it is one from one side, however good.
    """
    return Certainty(Provenance.BOUND if bound or gap > 0.0 else Provenance.FALLBACK, gap)


def verdict_of(separation: float, band: float) -> Verdict:
    """Verdict for a signed separation and the half width of the touching band."""
    if separation > band:
        return Verdict.SEPARATED
    return Verdict.TOUCHING if separation >= -band else Verdict.OVERLAPPING
