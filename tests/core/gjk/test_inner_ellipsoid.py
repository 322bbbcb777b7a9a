"""What an ellipsoid inside a difference proves, where ways out compete that are as good to many digits."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from core.geometry.tolerances import CERTIFIED, EPS
from core.geometry.triple import triple
from core.gjk.gjk_epa import signed_distance
from core.gjk.inner_ellipsoid import InnerEllipsoid, inner_ellipsoid
from core.pair.support import support_maps
from core.scene import Body, Scene
from core.shapes import Ellipsoid
from tests.core.gjk_samples import turn, way
from tests.oracles import support_gaps

OFFSETS = (0.0, 1e-16, 1e-14, 1e-13, 1e-12, 1e-11, 1e-9, 1e-6)


def _nearly_concentric(offset: float, rng: np.random.Generator) -> Scene:
    """Two ellipsoids, some as large as one another, some round about an axis, some spheres but for a few digits."""
    first, second = 10.0 ** rng.uniform(-0.5, 0.5, (2, 3))
    match int(rng.integers(5)):
        case 0:
            second = first
        case 1:
            second = rng.permutation(first)
        case 2:
            first[1], second[2] = first[0], second[1]
        case 3:
            second = first.min() * (1.0 + 10.0 ** rng.uniform(-15.0, -3.0, 3))
    a = Body(Ellipsoid(triple(first)), rotation=turn(rng))
    return Scene(a, Body(Ellipsoid(triple(second)), triple(offset * way(rng)), turn(rng)))


def _found(scene: Scene, rng: np.random.Generator) -> list[InnerEllipsoid]:
    """From four directions, the bounds to close within what is certified; all of which are to hold."""
    difference = support_maps(scene.a, scene.b)
    within = CERTIFIED * difference.largest_radius
    found = [inner_ellipsoid(difference, way(rng), within, -inf) for _ in range(4)]
    return [one for one in found if one is not None]


@pytest.mark.parametrize("offset", OFFSETS)
def test_bounds_of_nearly_concentric_ellipsoids_hold(offset: float) -> None:
    """Either way along a normal is as good but for the offset: no lower bound may stand on the longer one."""
    rng = np.random.default_rng(38)
    for _ in range(6):
        scene = _nearly_concentric(offset, rng)
        found = _found(scene, rng)
        normals = np.array([sign * one.normal for one in found for sign in (1.0, -1.0)])
        # Along each of these as much parts the bodies: the least depth is no more.
        least = float((-support_gaps(scene, normals)).min())
        rounding = 8.0 * EPS * support_maps(scene.a, scene.b).extent
        for one in found:
            assert one.lower <= least + rounding
            assert least <= one.upper + rounding


def test_the_reported_pair_is_certified_by_no_less_than_it_is_off() -> None:
    """The depth along the other way is 7.9e-13 less; the gap was 2.2e-16."""
    radii = (0.35469356628589277, 0.4815433172343695, 0.4576215472193865)
    a = Body(
        Ellipsoid(radii), rotation=(0.6882635062757206, 0.6721618711904125, 0.003360879831053133, 0.27291110152138454)
    )
    b = Body(
        Ellipsoid(radii),
        (5.793677271774842e-13, -3.2186279562968424e-13, 1.1848751685902777e-12),
        (-0.3273194178930791, 0.5749614474973509, -0.23582839285489168, 0.7118049604248102),
    )
    found = signed_distance(support_maps(a, b))
    # Newton's method in 50 digits.
    least = 0.80893991978194816877695
    assert abs(-found.separation - least) <= found.certainty.gap + 4.0 * EPS
    assert -found.upper <= least + 4.0 * EPS
    assert least <= -found.lower + 4.0 * EPS
