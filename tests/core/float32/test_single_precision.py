"""Single precision beside double: close where floats suffice, and shown to break where they do not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement

import numpy as np
import pytest
from msgspec.structs import replace

from core import Body, Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Scene, Shape, Sphere, Verdict
from core.analysis.analysis import analyse
from core.batch import Boxes, Hulls, Spheres, analyse_pairs
from core.float32 import DoubleAnswer, analyse_single
from core.geometry.quaternion import normalized
from core.shapes import Circle, Polygon
from core.study.lab.side_by_side.methods import known_doubles
from tests.core import planar_samples
from tests.core.polyhedra_samples import POLYHEDRAL, PairFamily
from tests.core.polyhedra_samples import sample as polyhedral_sample
from tests.selection import some
from tests.strategies import FAMILIES, SPHERE_FAMILIES, Family, box_scene, cubes, sample

EPS = float(np.finfo(np.float32).eps)
SQUARE = Polygon(((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)))

SHAPES: tuple[Shape, ...] = (
    Box((1.0, 0.7, 0.5)),
    Sphere(0.4),
    Capsule(0.2, 0.6),
    Cylinder(0.3, 0.8),
    Cone(0.4, 0.7),
    Ellipsoid((0.3, 0.5, 0.2)),
    Hull(((1.0, 1.0, 1.0), (1.0, -1.0, -1.0), (-1.0, 1.0, -1.0), (-1.0, -1.0, 1.0))),
    HalfSpace((0.0, 1.0, 0.0), 0.0),
)


def at(scene: Scene, place: tuple[float, float, float]) -> Scene:
    """Both bodies carried away."""
    bodies = (replace(body, position=tuple(np.add(body.position, place).tolist())) for body in (scene.a, scene.b))
    return Scene(*bodies)


def reach_of(scene: Scene) -> float:
    """What single precision rounds: sizes, and positions in the world."""
    radii = [body.shape.bounding_radius for body in (scene.a, scene.b) if not isinstance(body.shape, HalfSpace)]
    return max(radii) + float(np.abs((scene.a.position, scene.b.position)).max())


@pytest.mark.parametrize("world_space", [False, True])
@pytest.mark.parametrize("family", [*FAMILIES, *SPHERE_FAMILIES, *POLYHEDRAL])
@pytest.mark.sampled(4, "random")
def test_single_is_as_close_to_double_as_floats_allow(family: Family | PairFamily, world_space: bool) -> None:
    draw = polyhedral_sample if family in POLYHEDRAL else sample
    far_off = 0
    for scene in draw(family, 25, seed=91):
        found = analyse_single(scene, world_space=world_space)
        for answer in found.answers:
            assert np.isfinite(answer.error)
            # Nearly parallel edges, and thin bodies, cost more: they are counted.
            far_off += abs(answer.error) > 64.0 * EPS * reach_of(scene) + answer.gap
            assert abs(answer.error) <= 0.02 * reach_of(scene), (answer.words, scene)
    assert far_off <= 5


@pytest.mark.parametrize(("first", "second"), list(combinations_with_replacement(SHAPES, 2))[:-1])
def test_every_pair_of_shapes_has_an_answer(first: Shape, second: Shape) -> None:
    turns = normalized((1.0, 0.2, 0.3, 0.4)), normalized((0.4, 0.2, -0.6, 0.1))
    for offset in ((0.3, 0.5, 0.1), (1.5, 1.1, -0.8)):
        scene = Scene(Body(first, (0.0, 0.0, 0.0), turns[0]), Body(second, offset, turns[1]))
        for world_space in (False, True):
            for answer in analyse_single(scene, world_space=world_space).answers:
                assert answer.verdict is answer.double_verdict
                assert abs(answer.error) <= 32.0 * EPS * reach_of(scene)
                assert answer.proven == pytest.approx(answer.double_separation, abs=1e-4)
                # What a normal proves changes with the square of its turn.
                assert answer.turned <= 3e-3
                assert str(answer.words).startswith(answer.algorithm)


@pytest.mark.parametrize(("first", "second"), list(combinations_with_replacement(SHAPES, 2))[:-1])
def test_answers_that_the_analysis_has_need_not_be_found_again(first: Shape, second: Shape) -> None:
    scene = Scene(Body(first), Body(second, (0.3, 0.5, 0.1), normalized((0.4, 0.2, -0.6, 0.1))))
    fresh = analyse_single(scene)
    again = analyse_single(scene, known=known_doubles(analyse(scene)))
    assert [repr(answer) for answer in again.answers] == [repr(answer) for answer in fresh.answers]
    wrong = DoubleAnswer(123.0, np.array((0.0, 1.0, 0.0)))
    told = analyse_single(scene, known={"GJK and EPA": wrong}).answers
    assert [answer.double_separation == 123.0 for answer in told] == [a.algorithm == "GJK and EPA" for a in told]


def test_a_number_is_as_close_to_doubles_as_its_gap_says() -> None:
    """The ways out of two cones on one line are a ring, and EPA's iterations end before its bounds meet."""
    rng = np.random.default_rng(95)
    open_ended = 0
    for _ in range(4):
        outer, inner = Cone(1.0, float(rng.uniform(1.0, 4.0))), Cone(float(rng.uniform(0.4, 1.0)), 2.0)
        scene = Scene(Body(outer), Body(inner, (0.0, float(rng.uniform(-0.3, 0.3)), 0.0)))
        (answer,) = analyse_single(scene).answers
        rounding = 32.0 * EPS * reach_of(scene)
        assert abs(answer.error) <= answer.gap + rounding
        open_ended += answer.gap > rounding
    assert open_ended >= 2


def test_numbers_are_single_numbers() -> None:
    for scene in sample(FAMILIES[0], 20, seed=92):
        for answer in analyse_single(scene).answers:
            assert float(np.float32(answer.separation)) == answer.separation
            np.testing.assert_array_equal(answer.normal.astype(np.float32), answer.normal)


def test_numbers_that_floats_hold_come_out_exact() -> None:
    for separation in (0.5, -0.25):
        for answer in analyse_single(cubes(1.0, 0.5, (1.5 + separation, 0.0, 0.25))).answers:
            # GJK's point on a triangle has quotients for weights, which floats round.
            rounding = EPS if answer.algorithm == "GJK and EPA" else 0.0
            assert abs(answer.separation - separation) <= rounding
            assert abs(answer.error) <= rounding


@pytest.mark.parametrize(
    "near",
    [
        box_scene((1.0, 1.0, 1.0), (1.0, 1.0, 1.0), (1.01, 0.0, 0.0)),
        Scene(Body.in_plane(SQUARE), Body.in_plane(SQUARE, (2.01, 0.0))),
    ],
    ids=["space", "plane"],
)
def test_far_from_the_origin_floats_lose_the_gap(near: Scene) -> None:
    lost = analyse_single(at(near, (1e6, 0.0, 0.0)))
    assert {answer.verdict for answer in analyse_single(near).answers} == {Verdict.SEPARATED}
    for answer in lost.answers:
        assert answer.double_verdict is Verdict.SEPARATED
        assert abs(answer.error) > 0.005


@pytest.mark.parametrize(
    ("draw", "place", "most"),
    [
        (lambda: sample(FAMILIES[0], 30, seed=93), (65536.0, 32768.0, -65536.0), 1e-5),
        (lambda: planar_samples.scenes(30, 74, (planar_samples.general,)), (65536.0, -32768.0, 0.0), 2e-6),
    ],
    ids=["space", "plane"],
)
def test_the_world_frame_breaks_where_the_relative_one_holds(
    draw: Callable[[], Iterator[Scene]], place: tuple[float, float, float], most: float
) -> None:
    """Both positions are floats, so that only what is computed in the world's frame loses digits."""
    worse = 0
    for scene in draw():
        x, y, z = (round(c * 64.0) / 64.0 for c in scene.b.position)
        coarse = replace(scene, a=replace(scene.a, position=(0.0, 0.0, 0.0)), b=replace(scene.b, position=(x, y, z)))
        relative, world = (analyse_single(at(coarse, place), world_space=flag).answers[-1] for flag in (False, True))
        assert abs(relative.error) < most
        worse += abs(world.error) > 100.0 * abs(relative.error)
    assert worse >= some(20)


@pytest.mark.parametrize(
    ("scene", "single", "words"),
    [
        (cubes(1.0, 1.0, (2.0 + 1e-7, 0.0, 0.0)), Verdict.TOUCHING, "cannot tell SEPARATED from TOUCHING"),
        # So far out floats are 1/16 apart.
        (
            at(cubes(1.01, 1.01, (2.03, 0.0, 0.0)), (1e6, 0.0, 0.0)),
            Verdict.OVERLAPPING,
            "says OVERLAPPING where double",
        ),
    ],
    ids=["touching", "overlapping"],
)
def test_another_verdict_is_said_in_words(scene: Scene, single: Verdict, words: str) -> None:
    for answer in analyse_single(scene).answers:
        assert (answer.verdict, answer.double_verdict) == (single, Verdict.SEPARATED)
        assert str(answer.words).startswith(f"{answer.algorithm} {words}")


def test_of_two_ways_out_as_short_sat_takes_the_one_that_double_takes() -> None:
    for other in (0.5, 1.0, 2.0):
        answer = analyse_single(cubes(1.0, other, (0.0, 0.0, 0.0))).answers[0]
        assert (answer.algorithm, answer.error, answer.turned) == ("SAT", 0.0, 0.0)


@pytest.mark.parametrize("ball", [Body(Sphere(1.0)), Body.in_plane(Circle(1.0))], ids=["space", "plane"])
def test_what_floats_cannot_hold_is_said(ball: Body) -> None:
    answers = analyse_single(Scene(ball, replace(ball, position=(1e30, 0.0, 0.0)))).answers
    none = [answer for answer in answers if answer.verdict is None]
    assert none[0] is answers[0]
    for answer in none:
        assert str(answer.words).endswith("finds no number in single precision.")


def test_two_half_spaces_are_refused() -> None:
    space = Body(HalfSpace((0.0, 1.0, 0.0), 0.0))
    with pytest.raises(ValueError, match="only one of the two"):
        analyse_single(Scene(space, space))


@pytest.mark.parametrize("other", [Hull(((0.0, 0.0, 0.0),)), HalfSpace((0.0, 1.0, 0.0), 0.0), Sphere(1.0)])
@pytest.mark.parametrize("at", [(0.0, 0.0, 0.0), (0.1, 0.2, 0.3)])
def test_bodies_of_one_point_are_answered(other: Shape, at: tuple[float, float, float]) -> None:
    """What two points are off by has no larger body to be a share of."""
    for answer in analyse_single(Scene(Body(Hull(((0.1, 0.2, 0.3),)), at), Body(other))).answers:
        assert str(answer.words).startswith(answer.algorithm)


def _random(kind: type, rng: np.random.Generator, count: int, spread: float) -> Boxes | Spheres | Hulls:
    at, turned = spread * rng.normal(size=(count, 3)), rng.normal(size=(count, 4))
    if kind is Spheres:
        return Spheres(rng.uniform(0.3, 1.0, count), at)
    if kind is Boxes:
        return Boxes(rng.uniform(0.3, 1.0, (count, 3)), at, turned)
    return Hulls(0.5 * rng.normal(size=(count, 8, 3)), at, turned)


@pytest.mark.parametrize(
    ("first", "second"), [(Boxes, Boxes), (Spheres, Boxes), (Boxes, Spheres), (Spheres, Spheres), (Hulls, Hulls)]
)
def test_a_batch_in_single_precision_stays_single(first: type, second: type) -> None:
    rng = np.random.default_rng(94)
    a, b = _random(first, rng, 500, 0.0), _random(second, rng, 500, 0.7)
    single, double = analyse_pairs(a, b, single=True), analyse_pairs(a, b)
    for array in (single.separations, single.normals, single.bands, single.gaps):
        np.testing.assert_array_equal(array.astype(np.float32), array)
    off = np.abs(single.separations - double.separations)
    assert np.median(off) < 4.0 * EPS
    assert off.max() < 1e-3
    assert off.max() > 0.1 * EPS
    assert (single.verdicts != double.verdicts).mean() < 0.01
