"""What a step's sentence claims in words, beside its numbers: separates, edge or face, is true of the step."""

from __future__ import annotations

import pytest

from core import Body, Scene, steps
from core.shapes import Box, Circle, Polygon, Sphere

HEX = Polygon(((1.0, 0.0), (0.5, 0.8), (-0.5, 0.8), (-1.0, 0.0), (-0.5, -0.8), (0.5, -0.8)))


@pytest.mark.parametrize("distance", [0.75, 1.0, 1.0 + 2.0**-40, 1.5])
def test_an_axis_separates_where_its_separation_is_above_zero_alone(distance: float) -> None:
    for other in (Box((1.0, 1.0, 1.0)), Sphere(0.5)):
        moments = steps(Box((1.0, 1.0, 1.0)), Body(other, (distance, 0.0, 0.0)), of="sat")
        assert moments
        for moment in moments:
            separation = moment.step.separation
            parts = separation is not None and separation > 0.0
            assert ("It separates the bodies." in moment.sentence) == parts, moment.sentence
            assert ("has no direction" in moment.sentence) == (separation is None)
            assert (", the largest so far" in moment.sentence) == moment.step.improved


def test_epa_speaks_of_edges_in_the_plane_and_of_faces_in_space() -> None:
    plane = steps(Body.in_plane(HEX), Body.in_plane(HEX, (0.7, 0.3), 0.4), of="epa")
    round_one = steps(Body.in_plane(HEX), Body.in_plane(Circle(0.5), (0.7, 0.3)), of="epa")
    space = steps(
        Scene(Body(Box((1.0, 1.0, 1.0))), Body(Box((1.0, 2.0, 1.0)), (0.6, 0.2, 0.1), (0.9, 0.1, 0.3, 0.2))), of="epa"
    )
    told = 0
    for moments, own, other in ((plane, "edge", "face"), (round_one, "edge", "face"), (space, "face", "edge")):
        for moment in moments:
            assert f"nearest {other}" not in moment.sentence
            told += f"The nearest {own} is at" in moment.sentence
    assert told >= 3
