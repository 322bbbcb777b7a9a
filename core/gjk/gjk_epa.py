"""The signed distance of any two support maps: GJK if they are apart, continued by EPA if they overlap.

EPA computes a depth with its bounds, a normal and witness points from any simplex with which GJK ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ..geometry.tolerances import DOUBLE
from ..geometry.vector import Array
from ..pair.support import Difference
from ..trace import Steps, run
from ..verdict import Certainty, certainty_of
from . import epa as epa_
from . import gjk as gjk_
from .epa import EpaResult, EpaSettings, EpaStep, EpaStop, epa_steps
from .gjk import GjkResult, GjkSettings, GjkStep, WarmStart, gjk_steps
from .inner_ellipsoid import InnerEllipsoid, inner_ellipsoid

if TYPE_CHECKING:
    from .plane_epa import EpaPolygonStep


class SignedDistance(Struct, frozen=True, eq=False):
    """The answer of both algorithms about two bodies; `epa` is None if GJK sufficed.

    `separation`: positive apart, negative overlapping; the true separation is within [`lower`, `upper`]. `normal` (3,):
    unit, A to B. `witness_a`, `witness_b` (3,): on the surfaces, relative to A's position. `certainty`: certified with
    its gap, or a bound with its gap if the bounds are too far apart; a fallback if a bound is not finite.
    """

    separation: float
    lower: float
    upper: float
    normal: Array
    witness_a: Array
    witness_b: Array
    certainty: Certainty
    gjk: GjkResult
    epa: EpaResult | None


def signed_distance_steps(
    difference: Difference,
    gjk_settings: GjkSettings = gjk_.DEFAULTS,
    epa_settings: EpaSettings = epa_.DEFAULTS,
    start: WarmStart | None = None,
) -> Steps[GjkStep | EpaStep | EpaPolygonStep, SignedDistance]:
    """GJK's steps, then EPA's unless a lower bound above 0 has proved the cores apart.

    `start`: as in `gjk_steps`. The numbers have the precision of the difference. In double precision, if EPA's depth is
    not certified, an inner ellipsoid may give closer bounds.
    """
    found = yield from gjk_steps(difference, gjk_settings, start)
    if not found.overlapping and found.lower > 0.0:
        return _apart(difference, found, None)
    if difference.dimension == 2:
        # Imported for the first overlap in the plane only, to keep the program's start fast.
        from .plane_epa import epa_polygon_steps

        deep = yield from epa_polygon_steps(difference, found.simplex, epa_settings)
    else:
        deep = yield from epa_steps(difference, found.simplex, epa_settings)
    if deep.stop is EpaStop.ORIGIN_OUTSIDE and not found.overlapping:
        return _apart(difference, found, deep)
    floor = deep.lower + difference.radius
    settled = deep.certified or difference.precision is not DOUBLE
    closer = None if settled else inner_ellipsoid(difference, deep.normal, deep.within, floor)
    if closer is not None and closer.upper - closer.lower < deep.gap:
        return _closer(found, deep, closer)
    return SignedDistance(
        separation=-deep.depth,
        lower=-deep.upper - difference.radius,
        upper=-deep.lower - difference.radius,
        normal=deep.normal,
        witness_a=deep.witness_a,
        witness_b=deep.witness_b,
        certainty=deep.certainty,
        gjk=found,
        epa=deep,
    )


def signed_distance(
    difference: Difference,
    gjk_settings: GjkSettings = gjk_.DEFAULTS,
    epa_settings: EpaSettings = epa_.DEFAULTS,
    start: WarmStart | None = None,
) -> SignedDistance:
    """The result of `signed_distance_steps` alone; the arguments are as in that function."""
    return run(signed_distance_steps(difference, gjk_settings, epa_settings, start))


def _closer(found: GjkResult, deep: EpaResult, inner: InnerEllipsoid) -> SignedDistance:
    """The answer with the depth of the inner ellipsoid, whose bounds are closer than EPA's."""
    return SignedDistance(
        separation=-inner.upper,
        lower=-inner.upper,
        upper=-inner.lower,
        normal=inner.normal,
        witness_a=inner.witness_a,
        witness_b=inner.witness_b,
        certainty=certainty_of(inner.lower, inner.upper, deep.within),
        gjk=found,
        epa=deep,
    )


def _apart(difference: Difference, found: GjkResult, deep: EpaResult | None) -> SignedDistance:
    """The answer for bodies apart: GJK's distance and bounds, each replaced by EPA's if that is closer."""
    assert found.normal is not None
    distance, lower, normal = found.upper, found.lower, found.normal
    witness_a, witness_b = found.witness_a, found.witness_b
    if deep is not None and -deep.upper > lower:
        lower, normal = -deep.upper, deep.normal
    if deep is not None and -deep.lower < distance:
        distance, witness_a, witness_b = -deep.lower, deep.witness_a, deep.witness_b
    return SignedDistance(
        separation=distance - difference.radius,
        lower=lower - difference.radius,
        upper=distance - difference.radius,
        normal=normal,
        witness_a=witness_a,
        witness_b=witness_b,
        certainty=certainty_of(lower, distance, found.within),
        gjk=found,
        epa=deep,
    )
