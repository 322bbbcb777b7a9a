"""Single precision of the plane: float32 from end to end, as close to double as floats allow, and shown to break."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.analysis import analyse
from core.float32 import SinglePrecision, analyse_single
from core.float32.plane import single_pair
from core.minkowski.plane import difference_of_pair, nearest_point
from core.sat.plane import sat_of_pair
from core.sat.separating_planes import steps_of_pair
from core.scene import Body, Scene
from core.shapes import Circle, Polygon
from core.trace import record
from tests.core.planar_samples import FAMILIES, Family, brute_force, general, past_failures, scenes

EPS = 2.0**-23
SQUARE = Polygon(((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)))
METHODS = {"closed form", "SAT", "planes test", "GJK and EPA", "explicit hull"}


def asked(scene: Scene, *, world_space: bool = False) -> SinglePrecision:
    return analyse_single(scene, world_space=world_space)


def reach_of(scene: Scene) -> float:
    """What single precision rounds: sizes, and positions in the world."""
    radii = (scene.a.shape.bounding_radius, scene.b.shape.bounding_radius)
    return max(radii) + float(np.abs((scene.a.position, scene.b.position)).max())


@pytest.mark.parametrize("world_space", [False, True])
@pytest.mark.parametrize("family", FAMILIES)
def test_single_is_as_close_to_double_as_floats_allow(family: Family, world_space: bool) -> None:
    for scene in scenes(25, 71, (family,)):
        found = asked(scene, world_space=world_space)
        right = brute_force(scene)
        for answer in found.answers:
            assert answer.algorithm in METHODS
            # Polygons thinner than the spacing of floats lose the order in which their sides turn, and so their way.
            if answer.algorithm == "explicit hull" and family.__name__ == "slivers":
                continue
            # Of rows that rounding cannot tell apart SAT takes the one that faces the other body: 16 last places.
            slack = 24.0 * EPS * reach_of(scene) + answer.gap
            assert abs(answer.error) <= slack, (answer.words, scene)
            if answer.algorithm in ("GJK and EPA", "explicit hull", "closed form"):
                assert abs(answer.separation - right) <= slack
            elif right > 0.0:
                assert answer.separation <= right + slack
            assert float(np.float32(answer.separation)) == answer.separation
            np.testing.assert_array_equal(answer.normal.astype(np.float32), answer.normal)
            assert answer.normal[2] == 0.0


@pytest.mark.parametrize("scene", past_failures(), ids=lambda scene: scene.name)
def test_past_failures_are_mended(scene: Scene) -> None:
    for answer in asked(scene).answers:
        assert abs(answer.error) <= 24.0 * EPS * reach_of(scene) + answer.gap, answer.words


def test_every_number_on_the_way_is_a_float32() -> None:
    for scene in scenes(20, 72, (general,)):
        analysis = analyse(scene)
        for world_space in (False, True):
            pair = single_pair(scene, world_space=world_space)
            table = sat_of_pair(pair, (0.0, 0.0))
            for array in (pair.a.points, pair.b.listed, table.axes, table.interval_a, table.separations):
                assert array.dtype == np.float32
            solid = difference_of_pair(pair)
            numbers = [value for corner in solid.corners for value in corner]
            numbers += [value for edge in solid.edges for value in (*edge.normal, edge.offset)]
            numbers += [nearest_point(solid, pair.offset, pair.scale.rounding).separation]
            assert {type(value) for value in numbers} == {np.float32}
            if analysis.planes is not None:
                for plane in record(steps_of_pair(pair, (0.0, 0.0))).steps:
                    assert all(float(np.float32(height)) == height for height in plane.distances)


def test_each_method_answers_where_it_applies() -> None:
    two_circles = Scene(Body.in_plane(Circle(1.0)), Body.in_plane(Circle(0.5), (1.25, 0.0)))
    assert {answer.algorithm for answer in asked(two_circles).answers} == METHODS - {"planes test"}
    assert {answer.separation for answer in asked(two_circles).answers} == {-0.25}
    squares = Scene(Body.in_plane(SQUARE), Body.in_plane(SQUARE, (2.5, 0.25)))
    assert {answer.algorithm for answer in asked(squares).answers} == METHODS - {"closed form"}
    for answer in asked(squares).answers:
        assert (answer.separation, answer.error, answer.turned) == (0.5, 0.0, 0.0)
        np.testing.assert_array_equal(answer.normal, (1.0, 0.0, 0.0))


def test_swapped_bodies_have_the_opposite_normal() -> None:
    for scene in scenes(40, 73, (general,)):
        there, back = asked(scene), asked(scene.swapped())
        for one, other in zip(there.answers, back.answers, strict=True):
            assert one.algorithm == other.algorithm
            assert abs(one.separation - other.separation) <= 16.0 * EPS * reach_of(scene) + one.gap + other.gap
