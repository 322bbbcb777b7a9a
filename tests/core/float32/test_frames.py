"""Single precision away from the origin: how far bodies are moved, how far floats are apart there, and the band."""

from __future__ import annotations

import numpy as np
import pytest

from core import Body, Box, Circle, Hull, Polygon, Scene, Sphere, Verdict
from core.float32 import analyse_single, away_from_origin, farthest_coordinate, single_gjk_epa, spacing_at
from core.float32.steps import single_difference
from core.geometry.tolerances import ROUNDING, TOUCHING
from tests.shape_truths import truth_of

EPS = float(np.finfo(np.float32).eps)
SPACE = Scene(Body(Box((1.0, 2.0, 3.0)), (0.5, -7.0, 1.0)), Body(Sphere(0.5), (3.0, 2.0, -4.0)))
PLANE = Scene(Body.in_plane(Circle(0.5), (1.0, -2.0)), Body.in_plane(Polygon.of([(0, 0), (1, 0), (0, 1)]), (3.0, -6.0)))
BOXES = Scene(Body(Box((1.0, 2.0, 3.0)), (0.1, 0.2, 0.3)), Body(Box((1.0, 1.0, 1.0)), (2.3, 0.7, 0.9)))


@pytest.mark.parametrize(("scene", "axes"), [(SPACE, (1.0, 1.0, 1.0)), (PLANE, (1.0, 1.0, 0.0))])
def test_both_bodies_move_alike_along_every_axis_of_their_dimension(scene: Scene, axes: tuple[float, ...]) -> None:
    assert away_from_origin(scene, 0.0) == scene
    for distance in (64.0, -8.0):
        moved = away_from_origin(scene, distance)
        for one, other in ((scene.a, moved.a), (scene.b, moved.b)):
            assert np.subtract(other.position, one.position).tolist() == (distance * np.array(axes)).tolist()
            assert (other.shape, other.rotation) == (one.shape, one.rotation)
        coordinates = [abs(x) for body in (moved.a, moved.b) for x in body.position]
        assert farthest_coordinate(scene, distance) == max(coordinates)
    assert farthest_coordinate(scene) == 7.0 - (scene is PLANE)


@pytest.mark.parametrize("place", [1.0, 1.5, -3.0, 1e6, 16777216.0, 0.75, 1e-30])
def test_the_next_float_is_as_far_as_numpy_says(place: float) -> None:
    above = np.nextafter(np.float32(abs(place)), np.float32(np.inf))
    assert spacing_at(place) == float(above) - float(np.float32(abs(place)))


@pytest.mark.parametrize("scene", [SPACE, PLANE])
def test_what_is_lost_away_from_the_origin_grows_with_the_distance(scene: Scene) -> None:
    near = analyse_single(scene).answers[0]
    for distance in (1e3, 1e6):
        (far, *_), spacing = analyse_single(scene, away=distance).answers, spacing_at(distance)
        assert abs(far.error) <= 4.0 * spacing + 64.0 * EPS * 10.0
        # Positions that floats hold out there too lose nothing, and the answer is the same.
        held = analyse_single(scene, away=2.0**20).answers[0]
        assert held.separation == near.separation
        assert held.double_separation == near.double_separation
    odd = Scene(scene.a, Body(scene.b.shape, (3.1, -5.9, 0.0), angle=scene.b.angle))
    assert abs(analyse_single(odd, away=1e6).answers[0].error) > abs(analyse_single(odd).answers[0].error)
    (known,) = (answer for answer in analyse_single(BOXES, away=1e6).answers if answer.algorithm == "GJK and EPA")
    assert single_gjk_epa(away_from_origin(BOXES, 1e6)).result.separation == known.separation


@pytest.mark.parametrize("apart", [0.0, 3.0, 1e4])
def test_the_band_is_a_share_of_the_smaller_body_or_the_rounding_of_the_pair(apart: float) -> None:
    """By hand: the rounding of doubles times the ratio of both precisions' spacings, of L plus the distance."""
    small, large = Sphere(0.001), Box((2.0, 2.0, 2.0))
    spacing = EPS / float(np.finfo(np.float64).eps)
    for a, b in ((small, large), (large, small)):
        scene = Scene(Body(a, (1.0, 0.0, 0.0)), Body(b, (1.0, apart, 0.0)))
        band = analyse_single(scene).band
        assert band == pytest.approx(
            max(TOUCHING * 0.001, ROUNDING * spacing * (truth_of(large).size() + apart)), rel=1e-6
        )


def test_a_pair_within_the_band_touches_and_one_beyond_does_not() -> None:
    for apart in (0.0, 100.0):
        a, b = Body(Sphere(1.0 + apart)), Sphere(1.0)
        band = analyse_single(Scene(a, Body(b, (2.0 + apart, 0.0, 0.0)))).band
        for off, verdict in (
            (0.0, Verdict.TOUCHING),
            (3.0, Verdict.SEPARATED),
            (-3.0, Verdict.OVERLAPPING),
        ):
            found = analyse_single(Scene(a, Body(b, (2.0 + apart + off * band, 0.0, 0.0)))).answers[0]
            assert found.verdict is verdict


def test_flat_and_thin_hulls_have_sats_answer() -> None:
    """A sheet's rim counts as a face without area at each edge: beside a box it parts them through its edge."""
    sheet = Hull(((-1.0, 0.0, -1.0), (1.0, 0.0, -1.0), (1.0, 0.0, 1.0), (-1.0, 0.0, 1.0)))
    for place, wanted in (((2.0, 0.0, 0.0), 0.5), ((0.0, 0.75, 0.0), 0.25), ((1.25, 0.25, 0.0), -0.25)):
        scene = Scene(Body(sheet), Body(Box((1.0, 1.0, 1.0)), place))
        for one in (scene, scene.swapped()):
            answer = analyse_single(one).answers[0]
            assert answer.algorithm == "SAT"
            assert answer.separation == pytest.approx(wanted, abs=1e-6)
            assert answer.proven == pytest.approx(wanted, abs=1e-6)


@pytest.mark.parametrize("scene", [SPACE, PLANE, BOXES])
@pytest.mark.parametrize("world", [False, True])
def test_the_difference_knows_where_b_is_from_a_in_either_frame(scene: Scene, world: bool) -> None:
    found = single_difference(scene, world_space=world)
    wanted = np.subtract(scene.b.position, scene.a.position)
    assert found.offset == pytest.approx(tuple(wanted.tolist()), abs=1e-5)
    # Along any direction the support point is a point of A less one of B, in both frames.
    for way in ((1.0, 0.0, 0.0), (-0.6, 0.8, 0.0), (0.0, -1.0, 0.0)):
        reach = scene.a.shape.reach(scene.a.pose.direction_to_local(np.array(way))) + scene.b.shape.reach(
            scene.b.pose.direction_to_local(-np.array(way))
        )
        height = np.dot(way, found.support(way).xyz) + found.radius
        assert height == pytest.approx(float(reach) - float(wanted @ way), abs=1e-5)


@pytest.mark.parametrize("scene", [SPACE, PLANE, BOXES])
def test_a_sentence_has_the_error_and_its_share_of_the_larger_body(scene: Scene) -> None:
    larger = 0.0 if scene is PLANE else max(truth_of(body.shape).size() for body in (scene.a, scene.b))
    for away in (0.0, 1e6):
        for answer in analyse_single(scene, away=away).answers:
            off, share, *more = answer.words.numbers
            assert off == abs(answer.error) == abs(answer.separation - answer.double_separation)
            if scene is not PLANE:
                assert share == pytest.approx(100.0 * off / larger)
            if more:
                assert more == pytest.approx([np.degrees(answer.turned), answer.proven, answer.double_separation])
            assert str(answer.words).startswith(answer.algorithm)
