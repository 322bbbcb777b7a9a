"""The distances from the origin at which single precision may be tried: a slider's, and the next power of ten."""

from __future__ import annotations

from core.pair.pair import PairScale
from core.scene import Scene

DECADES = 8
"""The farthest distance is so many powers of ten times the size of the bodies: their digits are gone by then."""


def distances(scene: Scene) -> tuple[float, ...]:
    """The slider's distances in scene units, rising: 0, then 1, 2 and 5 times powers of ten of the bodies' size."""
    # Read as they are written, so that each is the double nearest to its name.
    first = _first(scene)
    found = [float(f"{digit}e{first + power}") for power in range(DECADES) for digit in (1, 2, 5)]
    return (0.0, *found, float(f"1e{first + DECADES}"))


def farther(scene: Scene, away: float) -> float:
    """The next power of ten above a distance, the farthest at most."""
    return next((power for power in _powers(scene) if power > away), away)


def nearer(scene: Scene, away: float) -> float:
    """The next power of ten below a distance, 0 at least."""
    return next((power for power in reversed(_powers(scene)) if power < away), 0.0)


def _powers(scene: Scene) -> tuple[float, ...]:
    first = _first(scene)
    return tuple(float(f"1e{first + power}") for power in range(DECADES + 1))


def _first(scene: Scene) -> int:
    """The power of ten below the larger body's size."""
    return power_below(PairScale.of(scene.a, scene.b).larger or 1.0)


def power_below(value: float) -> int:
    """The exponent of the largest power of ten that is not above a positive value."""
    # The exponent is read from the digits: a logarithm's last digit would decide at 1000.
    return int(f"{value:.17e}".partition("e")[2])
