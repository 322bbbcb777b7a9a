"""The difference with a half-space: a half-space again, reached by the one vertex of the other body that is nearest."""

from __future__ import annotations

import numpy as np
import pytest

from core import Body, analyse
from core.shapes import Box, HalfSpace, Hull, Sphere

LOW = Hull(((0.0, -1.0, 0.0), (1.0, 1.0, 0.0), (-1.0, 1.0, 0.5), (0.0, 1.0, -1.0)))


@pytest.mark.parametrize("space_first", [True, False])
@pytest.mark.parametrize("height", [-0.5, 1.0, 3.0])
def test_its_vertex_is_that_of_the_other_body_and_its_plane_the_separation(space_first: bool, height: float) -> None:
    ground, other = Body(HalfSpace((0.0, 1.0, 0.0), 0.25)), Body(LOW, (0.5, height, 0.0))
    found = analyse(*((ground, other) if space_first else (other, ground)))
    difference, plane = found.difference, found.difference.plane
    assert plane is not None
    sources = difference.sources_a.tolist(), difference.sources_b.tolist()
    assert sources == (([-1], [0]) if space_first else ([0], [-1]))
    # w = a - b: the ground's points lie below, so with A the ground the difference lies below its plane.
    assert plane.normal.tolist() == [0.0, 1.0 if space_first else -1.0, 0.0]
    assert plane.offset == pytest.approx(-found.separation)
    assert found.separation == pytest.approx(height - 1.0 - 0.25)


@pytest.mark.parametrize("shape", [Box((1.0, 2.0, 3.0)), Sphere(0.5)])
def test_a_body_without_corners_has_none_there_and_a_box_its_lowest(shape: Box | Sphere) -> None:
    ground, other = Body(HalfSpace((0.0, 1.0, 0.0), 0.0)), Body(shape, (0.0, 4.0, 0.0), (0.9, 0.3, 0.1, -0.2))
    (vertex,) = analyse(ground, other).difference.sources_b.tolist()
    if isinstance(shape, Sphere):
        assert vertex == -1
    else:
        assert shape.core is not None
        heights = other.pose.to_world(shape.core.points)[:, 1]
        assert vertex == int(np.argmin(heights))
