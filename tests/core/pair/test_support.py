"""Support maps by what makes one: no other point of theirs lies farther along a direction."""

from __future__ import annotations

import numpy as np
import pytest

from core.pair.support import Points, Shrunk, support_maps
from core.scene import Body
from core.shapes import Box, Ellipsoid
from tests.core.closed_form_samples import directions

WAYS = directions(400)


@pytest.mark.parametrize("radii", [(1.0, 2.0, 3.0), (0.1, 1.0, 1.0), (0.5, 0.6, 5.0), (1.0, 1.0, 1.0)])
def test_an_ellipsoid_less_its_ball_is_convex_and_grown_again_the_ellipsoid(radii: tuple[float, float, float]) -> None:
    shape = Ellipsoid(radii)
    shrunk = Shrunk(shape, radii)
    points = np.array([shrunk.support(way) for way in WAYS])
    heights = WAYS @ points.T
    # Of a ball too large to roll inside, other directions' points lie farther than the support itself.
    assert (heights.max(axis=1) <= np.diag(heights) + 1e-14 * max(radii)).all()
    np.testing.assert_allclose(np.diag(heights) + shrunk.radius, shape.reach(WAYS), rtol=1e-14)
    # No larger ball does: where the curve is sharpest, all of it goes to one point.
    near = np.array((*np.eye(3)[int(np.argmax(radii))],)) + 1e-4 * np.eye(3)[int(np.argmin(radii))]
    tip, beside = shrunk.support(np.eye(3)[int(np.argmax(radii))]), shrunk.support(near)
    assert np.abs(tip - beside).max() <= 1e-6 * max(radii)


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
