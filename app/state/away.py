"""The distances from the origin at which single precision can be tried: the slider's values, and powers of ten."""

from __future__ import annotations

from core.pair.pair import PairScale
from core.scene import Scene

DECADES = 8
"""The count of powers of ten from the bodies' size to the farthest distance, where single precision has no digits."""


def slider_distances(scene: Scene) -> tuple[float, ...]:
    """The slider's distances in scene units, rising: 0, then 1, 2 and 5 times powers of ten of the bodies' size."""
    # The numbers are parsed from text, so that each is the double nearest to its decimal name.
    first = _first(scene)
    found = [float(f"{digit}e{first + power}") for power in range(DECADES) for digit in (1, 2, 5)]
    return (0.0, *found, float(f"1e{first + DECADES}"))


def farther(scene: Scene, away: float) -> float:
    """The next power of ten above the distance `away`; `away` itself at the farthest distance."""
    return next((power for power in _powers(scene) if power > away), away)


def nearer(scene: Scene, away: float) -> float:
    """The next power of ten below the distance `away`; 0 if there is none."""
    return next((power for power in reversed(_powers(scene)) if power < away), 0.0)


def _powers(scene: Scene) -> tuple[float, ...]:
    first = _first(scene)
    return tuple(float(f"1e{first + power}") for power in range(DECADES + 1))


def _first(scene: Scene) -> int:
    """The exponent of the largest power of ten that is not above the larger body's size."""
    return power_below(PairScale.of(scene.a, scene.b).largest_radius or 1.0)


def power_below(value: float) -> int:
    """The exponent of the largest power of ten that is not above a positive value."""
    # The exponent is read from the digits: near 1000 the rounding of a logarithm would decide.
    return int(f"{value:.17e}".partition("e")[2])
