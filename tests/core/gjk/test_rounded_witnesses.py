"""Where GJK puts the witness points of bodies with a border: out from the cores' points, by what its bounds prove."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from core.geometry.quaternion import normalized
from core.geometry.tolerances import EPS
from core.gjk.gjk import GjkResult, gjk
from core.pair.support import support_maps
from core.scene import Body
from core.shapes import Cone, Cylinder, Ellipsoid, Rounded

MAKERS = (
    lambda rng: Cylinder(float(rng.uniform(0.2, 1.0)), float(rng.uniform(0.2, 2.0))),
    lambda rng: Cone(float(rng.uniform(0.2, 1.0)), float(rng.uniform(0.2, 2.0))),
    lambda rng: Ellipsoid(tuple(rng.uniform(0.2, 1.0, 3).tolist())),
)
"""Their sides are curved, so that GJK's nearest points are a hair beside the true ones."""


def placed(rng: np.random.Generator, share: float) -> tuple[GjkResult, float]:
    """What GJK says of two bodies whose cores are `share` of their radii apart, and both radii together."""
    borders = rng.uniform(0.3, 2.0, 2)
    shapes = [Rounded(MAKERS[rng.integers(len(MAKERS))](rng), float(border)) for border in borders]
    a, b = (Body(shape, rotation=normalized(tuple(rng.normal(size=4).tolist()))) for shape in shapes)
    away = rng.normal(size=3)
    away *= 8.0 / np.linalg.norm(away)

    def ask() -> GjkResult:
        return gjk(support_maps(a, Body(b.shape, tuple(away.tolist()), b.rotation)))

    found = ask()
    assert found.normal is not None
    assert found.separation is not None
    radius = found.distance - found.separation
    away -= (found.distance - share * radius) * found.normal
    return ask(), radius


@pytest.mark.parametrize("share", [0.02, 0.05, 0.2, 0.4, 0.6, 0.95])
def test_they_lie_the_separation_apart_along_the_normal_as_closely_as_the_bounds_say(share: float) -> None:
    """The cores' points are u apart along d, and no point of the difference is nearer along the normal n than `lower`.

    So u d and u n are at most sqrt(2 u (u - lower)) apart. Out from the cores' points along n the witnesses miss the
    separation along n by this; along d they miss it by |u - r| / u of it, which is more where the cores are near.
    """
    rng = np.random.default_rng(38)
    for _ in range(40):
        found, radius = placed(rng, share)
        assert found.separation is not None
        assert found.separation == pytest.approx((share - 1.0) * radius, abs=1e-9)
        rounding = 16.0 * EPS * (abs(found.separation) + found.distance + 4.0)
        missed = found.witness_b - found.witness_a - found.separation * found.normal
        proved = found.upper - found.lower + rounding
        assert float(np.linalg.norm(missed)) <= sqrt(2.0 * found.upper * proved)
