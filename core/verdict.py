"""What every algorithm's answer is made of: verdict, provenance, and the words for them.

Signs, once for all: `normal` is a unit vector from A towards B; `separation` is positive apart and negative
overlapping; `depth = -separation`; `mtv = depth * normal`, added to B, just removes the overlap.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Verdict(StrEnum):
    """Whether the bodies meet; TOUCHING is a band about zero (tolerances.touching_band), not a sign."""

    SEPARATED = "SEPARATED"
    TOUCHING = "TOUCHING"
    OVERLAPPING = "OVERLAPPING"


class Provenance(StrEnum):
    """How a number is known, strongest first."""

    EXACT = "exact"
    CERTIFIED = "certified"
    BOUND = "bound"
    FALLBACK = "fallback"


class Certainty(Struct, frozen=True):
    """Provenance of a number, with the gap it is known to within (0 when exact to rounding), scene units."""

    provenance: Provenance
    gap: float = 0.0


def iterated(certified: bool, gap: float) -> Certainty:
    """How the number of an algorithm with two bounds is known."""
    return Certainty(Provenance.CERTIFIED if certified else Provenance.BOUND, gap)


def verdict_of(separation: float, band: float) -> Verdict:
    """Verdict for a signed separation and the half width of the touching band."""
    if separation > band:
        return Verdict.SEPARATED
    return Verdict.TOUCHING if separation >= -band else Verdict.OVERLAPPING
