"""The signed distance of two shapes of the plane: GJK while they are apart, continued by EPA where they overlap."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ..algorithms import epa as epa_settings_
from ..algorithms.epa import EpaSettings, EpaStop
from ..answer import Certainty, iterated
from ..geometry.tolerances import CERTIFIED
from ..trace import Steps, run
from . import gjk as gjk_
from .epa import EpaResult2, EpaStep2, epa_steps2
from .gjk import GjkResult2, GjkSettings2, GjkStep2, gjk_steps2
from .support import Difference2
from .vec2 import Vec2


class SignedDistance2(Struct, frozen=True):
    """The answer of both algorithms about two bodies; `epa` is None where GJK sufficed.

    `separation`: positive apart, negative overlapping; the true one lies within [`lower`, `upper`]. `normal`: unit, A
    to B. `witness_a`, `witness_b`: on the surfaces, relative to A's position. `certainty`: certified with its gap, or a
    bound with its gap where the iteration limit came first.
    """

    separation: float
    lower: float
    upper: float
    normal: Vec2
    witness_a: Vec2
    witness_b: Vec2
    certainty: Certainty
    gjk: GjkResult2
    epa: EpaResult2 | None


def signed_distance_steps2(
    difference: Difference2,
    gjk_settings: GjkSettings2 = gjk_.DEFAULTS,
    epa_settings: EpaSettings = epa_settings_.DEFAULTS,
    start: Sequence[Vec2] = (),
) -> Steps[GjkStep2 | EpaStep2, SignedDistance2]:
    """GJK's steps from a warm `start`, then EPA's unless a lower bound above 0 has proved the cores apart."""
    found = yield from gjk_steps2(difference, gjk_settings, start)
    if not found.overlapping and found.lower > 0.0:
        return _apart(difference, found, None)
    deep = yield from epa_steps2(difference, found.simplex, epa_settings)
    if deep.stop is EpaStop.ORIGIN_OUTSIDE and not found.overlapping:
        return _apart(difference, found, deep)
    return SignedDistance2(
        separation=-deep.depth,
        lower=-deep.upper - difference.radius,
        upper=-deep.lower - difference.radius,
        normal=deep.normal,
        witness_a=deep.witness_a,
        witness_b=deep.witness_b,
        certainty=iterated(deep.certified, deep.gap),
        gjk=found,
        epa=deep,
    )


def signed_distance2(
    difference: Difference2,
    gjk_settings: GjkSettings2 = gjk_.DEFAULTS,
    epa_settings: EpaSettings = epa_settings_.DEFAULTS,
) -> SignedDistance2:
    """The result of `signed_distance_steps2` alone."""
    return run(signed_distance_steps2(difference, gjk_settings, epa_settings))


def _apart(difference: Difference2, found: GjkResult2, deep: EpaResult2 | None) -> SignedDistance2:
    """GJK's distance, its lower bound raised by EPA's proof if there is one."""
    lower, normal = found.lower, found.normal
    if normal is None or (deep is not None and -deep.upper > lower):
        assert deep is not None
        lower, normal = -deep.upper, deep.normal
    gap = max(0.0, found.upper - lower)
    return SignedDistance2(
        separation=found.upper - difference.radius,
        lower=lower - difference.radius,
        upper=found.upper - difference.radius,
        normal=normal,
        witness_a=found.witness_a,
        witness_b=found.witness_b,
        certainty=iterated(gap <= CERTIFIED * difference.extent, gap),
        gjk=found,
        epa=deep,
    )
