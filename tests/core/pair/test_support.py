"""Support maps by what makes one: no other point of theirs lies farther along a direction."""

from __future__ import annotations

from math import ulp

import numpy as np
import pytest

from core.pair.pair import PairScale
from core.pair.support import Points, support_map, support_maps
from core.scene import Body
from core.shapes import Box, Ellipsoid, HalfSpace, Sphere
from tests.core.closed_form_samples import directions
from tests.shape_truths import truth_of

WAYS = directions(400)


@pytest.mark.parametrize("radii", [(1.0, 0.7, 0.4), (0.4, 0.4, 0.4), (1.0, 0.01, 0.3), (0.25, 1.0, 1.0)])
def test_an_ellipsoid_less_its_rolling_ball_is_convex_and_no_smaller(radii: tuple[float, float, float]) -> None:
    """Every point is farthest along its own direction, and grown by the ball it is the ellipsoid's."""
    rng = np.random.default_rng(9)
    body, ways = Body(Ellipsoid(radii)), rng.normal(size=(300, 3))
    ways /= np.linalg.norm(ways, axis=1)[:, None]
    support, ball = support_map(body, np.zeros(3))
    points = np.array([support.support(way).point for way in ways])
    heights = ways @ points.T
    assert (heights.max(axis=1) <= np.diag(heights) + 1e-14).all()
    assert np.diag(heights) + ball == pytest.approx(truth_of(body.shape).reaches(ways), abs=1e-14)
    # A larger ball would not roll about the sharpest end: along the longest axis, across it along the shortest.
    assert ball == pytest.approx(min(radii) ** 2 / max(radii))


def test_a_difference_reaches_as_far_as_both_bodies_do_and_of_equal_vertices_takes_the_first() -> None:
    a, b = Body(Box((1.0, 2.0, 3.0))), Body(Ellipsoid((0.5, 1.0, 2.0)), (3.0, 1.0, 0.0))
    difference = support_maps(a, b)
    for way in WAYS[:60]:
        x, y, z = way.tolist()
        reached = float(np.dot(difference.support((x, y, z)).w, way)) + difference.radius
        wanted = float(a.shape.reach(way) + b.shape.reach(-way)) - float(np.dot(b.pose.position, way))
        assert reached == pytest.approx(wanted, abs=1e-14)
    square = Points(np.array([(1.0, y, z) for y in (-1.0, 1.0) for z in (-1.0, 1.0)]))
    assert square.support(np.array((1.0, 0.0, 0.0))).vertex == 0


@pytest.mark.parametrize(("radius", "apart"), [(1e100, 0.0), (1.0, 1e100), (5e99, 5e99)])
def test_sizes_and_distances_up_to_1e100_together_are_answered_and_twice_as_much_is_not(
    radius: float, apart: float
) -> None:
    a, b = Body(Sphere(1.0)), Body(Sphere(radius), (apart, 0.0, 0.0))
    far = Body(Sphere(2.0 * radius), (2.0 * apart, 0.0, 0.0))
    for pair in ((a, b), (b, a)):
        assert PairScale.of_limited(*pair).extent == 1e100
    for pair in ((a, far), (far, a)):
        with pytest.raises(ValueError, match=r"sizes and distances may be at most 1e\+100$"):
            PairScale.of_limited(*pair)


@pytest.mark.parametrize("offset", [1e-3, 10.0, 1e9])
def test_a_plane_far_from_its_own_position_counts_for_what_rounding_leaves(offset: float) -> None:
    """A ball about the same position lies as deep as the plane is far, and is known to the last place of that."""
    scale = PairScale.of(Body(HalfSpace((0.0, 1.0, 0.0), offset)), Body(Sphere(1.0)))
    assert scale.extent >= 1.0 + offset
    assert scale.rounding >= ulp(1.0 + offset)
    assert (scale.largest_radius, scale.least_half_extent) == (1.0, 1.0)
