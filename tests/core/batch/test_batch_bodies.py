"""A batch's witnesses lie on both surfaces, and bodies of any shapes get the answers of the single calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from msgspec.structs import replace

from core import (
    Body,
    Box,
    Capsule,
    Circle,
    Cone,
    Cylinder,
    Distance,
    Ellipsoid,
    HalfSpace,
    Hull,
    Polygon,
    Rounded,
    Scene,
    Shape,
    Sphere,
    Verdict,
    distance,
)
from core.batch import VERDICTS, Answers, Boxes, Hulls, PairError, Positive, Spheres, analyse_pairs, bodies, pairs
from core.geometry.quaternion import from_axis_angle, multiply, normalized
from core.geometry.tolerances import AGREEMENT
from core.geometry.triple import Triple
from core.pair.pair import PairScale, certificate
from core.shapes import sharp_of
from tests.core import planar_samples
from tests.core.polyhedra_samples import POLYHEDRAL
from tests.core.shapes_samples import beyond
from tests.strategies import FAMILIES, SPHERE_FAMILIES, Family, carried, sample

DIGITS = 1e-13
"""Of L + |T|: what closed forms, boxes and hulls keep. Of a curved body GJK and EPA stay within the gap they tell."""


def answers_of(scenes: Sequence[Scene], positive: Positive = Positive.DISTANCE) -> Answers:
    return analyse_pairs([scene.a for scene in scenes], [scene.b for scene in scenes], positive=positive)


def outside(body: Body, point: np.ndarray) -> float:
    """How far a point of the world is off the body's surface, from the shape's definition."""
    shape, border = sharp_of(body.shape)
    local = (point - np.array(body.position)) @ body.pose.matrix
    match shape:
        case Circle(radius):
            return float(np.linalg.norm(local)) - radius - border
        case Polygon():
            ring = np.array(shape.points)[list(shape.ring)]
            sides = np.roll(ring, -1, axis=0) - ring
            normals = np.stack((sides[:, 1], -sides[:, 0]), axis=1) / np.linalg.norm(sides, axis=1)[:, None]
            return float(np.einsum("ij,ij->i", normals, local[:2] - ring).max()) - border
        case Box(size) if border:
            # About a corner the border is round.
            return float(np.linalg.norm(np.maximum(np.abs(local) - np.array(size) / 2, 0.0))) - border
        case _:
            return float(beyond(shape, local[None])[0]) - border


def scale_of(scene: Scene) -> float:
    return PairScale.of(scene.a, scene.b).extent


def check_witnesses(scenes: Sequence[Scene], found: Answers, digits: float = DIGITS) -> None:
    """Both points on their surfaces, and the separation apart along the normal, but for the gap."""
    assert not found.lower_bounds.any()
    for k, scene in enumerate(scenes):
        # World points are as good as the world's coordinates there.
        world = max(map(abs, (*scene.a.position, *scene.b.position)))
        slack = digits * scale_of(scene) + 4e-16 * world + found.gaps[k]
        a, b, s = found.witnesses_a[k], found.witnesses_b[k], found.separations[k]
        assert outside(scene.a, a) == pytest.approx(0.0, abs=slack), scene
        assert outside(scene.b, b) == pytest.approx(0.0, abs=slack), scene
        assert np.linalg.norm(b - a) == pytest.approx(abs(s), abs=slack), scene
        assert (b - a) @ found.normals[k] == pytest.approx(s, abs=slack), scene


def check_against_distance(scenes: Sequence[Scene], found: Answers) -> list[Distance]:
    alone = list(map(distance, scenes))
    for k, (scene, single) in enumerate(zip(scenes, alone, strict=True)):
        slack = AGREEMENT * scale_of(scene) + found.gaps[k] + single.certainty.gap
        assert found.separations[k] == pytest.approx(single.separation, abs=slack), scene
        if scene.dimension == 3 and scene.a.shape.plane is None is scene.b.shape.plane:
            assert certificate(scene.a, scene.b, found.normals[k]) == pytest.approx(single.separation, abs=slack), scene
        if abs(abs(single.separation) - single.band) > slack:
            assert found.verdict(k) is single.verdict, scene
    return alone


@pytest.mark.parametrize("family", [*FAMILIES, *SPHERE_FAMILIES, *POLYHEDRAL])
@pytest.mark.sampled(3, "random")
def test_witnesses_are_on_both_surfaces_and_the_separation_apart(family: Family) -> None:
    # A kernel takes groups of eight pairs and more.
    scenes = list(sample(family, 160, seed=91))
    found = answers_of(scenes)
    check_witnesses(scenes, found)
    check_against_distance(scenes[:8], found)
    assert found.vectorised.mean() > 0.7


def test_boxes_turned_on_each_other_touch_in_a_point_of_both() -> None:
    # Two faces lie in one plane, and the corner that is farthest along the normal may be outside of the other face.
    rng = np.random.default_rng(92)
    scenes, ups = [], []
    for k in range(200):
        size_a, size_b, (x, y) = rng.uniform(0.3, 1.0, 3), rng.uniform(0.3, 1.0, 3), rng.uniform(-0.1, 0.1, 2)
        frame = normalized(tuple(rng.normal(size=4).tolist()))
        turn = multiply(frame, from_axis_angle((0.0, 0.0, 1.0), rng.uniform(0.0, np.pi)))
        axes = Body(Box(tuple(size_a.tolist())), rotation=frame).pose.matrix
        at = axes @ (x, y, 0.5 * (size_a[2] + size_b[2]) + (-1e-2, -1e-9, 0.0, 1e-9, 1e-2)[k % 5])
        bodies = Box(tuple(size_a.tolist())), Box(tuple(size_b.tolist()))
        scenes.append(Scene(Body(bodies[0], rotation=frame), Body(bodies[1], tuple(at.tolist()), normalized(turn))))
        ups.append(axes[:, 2])
    found = answers_of(scenes)
    check_witnesses(scenes, found)
    check_against_distance(scenes[:20], found)
    np.testing.assert_allclose(found.normals, ups, atol=1e-7)


def cubes(at: tuple[float, float, float], turn: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)) -> Scene:
    return Scene(Body(Box((2.0, 2.0, 2.0))), Body(Box((2.0, 2.0, 2.0)), at, turn))


EIGHTH = from_axis_angle((0.0, 0.0, 1.0), np.pi / 4)
ON_EDGE = from_axis_angle((1.0, 0.0, 0.0), np.pi / 4)
ROOF = 1.0 + 2.0**0.5
DEGENERATE = {
    "face to face": cubes((0.0, 2.5, 0.0)),
    "face in face": cubes((0.25, 1.75, 0.5)),
    "face on face": cubes((0.5, 2.0, 0.25)),
    "face turned on face": cubes((0.0, 0.0, 1.9), EIGHTH),
    "edge to parallel edge": cubes((2.5, 2.5, 0.0)),
    "edges of one line": cubes((2.0, 2.0, 0.0)),
    "corner to corner": cubes((2.5, 3.0, 2.25)),
    "corners at one point": cubes((2.0, 2.0, 2.0)),
    "coincident": cubes((0.0, 0.0, 0.0)),
    "edge on face": cubes((0.0, ROOF, 0.0), ON_EDGE),
    "edge in face": cubes((0.1, ROOF - 0.2, 0.1), ON_EDGE),
    "a bar across a bar": Scene(Body(Box((9.0, 1.0, 1.0))), Body(Box((1.0, 1.0, 9.0)), (0.2, 0.9, 0.1))),
    "a bar over a bar": Scene(Body(Box((9.0, 1.0, 1.0))), Body(Box((1.0, 1.0, 9.0)), (0.2, 1.5, 0.1))),
    "a needle in a plate": Scene(Body(Box((1.0, 1e-6, 1.0))), Body(Box((1e-6, 1.0, 1e-6)), (0.1, 0.2, 0.3))),
    "one inside the other": Scene(Body(Box((9.0, 9.0, 9.0))), Body(Box((1.0, 1.0, 1.0)))),
}
CROSSED = Scene(
    Body(Box((2.0, 2.0, 2.0)), rotation=ON_EDGE),
    Body(Box((2.0, 2.0, 2.0)), (0.0, 2.0 * 2.0**0.5 - 0.1, 0.0), from_axis_angle((0.0, 0.0, 1.0), np.pi / 4)),
)


@pytest.mark.parametrize("name", DEGENERATE)
@pytest.mark.parametrize("as_hulls", [False, True])
def test_degenerate_boxes_have_witnesses(name: str, as_hulls: bool) -> None:
    scene = DEGENERATE[name]
    if as_hulls:
        a, b = (replace(it, shape=Hull.of(it.shape.polyhedron.vertices)) for it in (scene.a, scene.b))
        scene = Scene(a, b)
    # As often as it takes for the kernels, either way round.
    scenes = [scene, scene.swapped()] * 4
    found = answers_of(scenes)
    assert found.vectorised.all()
    check_witnesses(scenes, found)
    check_against_distance(scenes[:2], found)


def test_edge_against_edge_meets_at_the_crossing() -> None:
    found = answers_of([CROSSED] * 8)
    assert found.vectorised.all()
    root = 2.0**0.5
    np.testing.assert_allclose(found.separations, -0.1, atol=1e-14)
    np.testing.assert_allclose(found.normals[0], (0.0, 1.0, 0.0), atol=1e-15)
    np.testing.assert_allclose(found.witnesses_a[0], (0.0, root, 0.0), atol=1e-14)
    np.testing.assert_allclose(found.witnesses_b[0], (0.0, root - 0.1, 0.0), atol=1e-14)


def test_coincident_spheres_leave_along_x() -> None:
    found = answers_of([Scene(Body(Sphere(2.0), (1.0, 2.0, 3.0)), Body(Sphere(0.5), (1.0, 2.0, 3.0)))])
    assert found.separations.tolist() == [-2.5]
    assert found.witnesses_a.tolist() == [[3.0, 2.0, 3.0]]
    assert found.witnesses_b.tolist() == [[0.5, 2.0, 3.0]]


@pytest.mark.parametrize("family", [FAMILIES[0], SPHERE_FAMILIES[0], POLYHEDRAL[0]])
def test_a_rigid_motion_takes_the_answers_along(family: Family) -> None:
    scenes = list(sample(family, 24, seed=92))
    turn, by = normalized((0.3, -0.5, 0.2, 0.8)), np.array((3.0, -2.0, 5.0))
    found, after = answers_of(scenes), answers_of([carried(scene, turn, by) for scene in scenes])
    matrix = Body(Sphere(1.0), rotation=turn).pose.matrix
    for k, scene in enumerate(scenes):
        slack = 1e-10 * scale_of(scene)
        assert after.separations[k] == pytest.approx(found.separations[k], abs=slack)
        # Points in general position are unique; the best directions of bodies apart keep half the digits.
        np.testing.assert_allclose(
            after.witnesses_a[k], matrix @ found.witnesses_a[k] + by, atol=1e-6 * scale_of(scene)
        )
        np.testing.assert_allclose(
            after.witnesses_b[k], matrix @ found.witnesses_b[k] + by, atol=1e-6 * scale_of(scene)
        )


def test_a_bound_has_no_points_and_every_other_number_has() -> None:
    scenes = list(sample(FAMILIES[0], 200, seed=93))
    found = answers_of(scenes, Positive.BOUND)
    assert 20 < found.lower_bounds.sum() < 180
    for points in (found.witnesses_a, found.witnesses_b):
        assert np.isnan(points[found.lower_bounds]).all()
        assert np.isfinite(points[~found.lower_bounds]).all()


def test_single_precision_has_points_to_its_own_digits() -> None:
    rng = np.random.default_rng(94)
    at, turns = 0.6 * rng.normal(size=(2, 200, 3)), rng.normal(size=(2, 200, 4))
    sizes, radii, points = rng.uniform(0.3, 1.0, (200, 3)), rng.uniform(0.3, 1.0, 200), rng.normal(size=(200, 9, 3))
    for a, b in (
        (Boxes(sizes, at[0], turns[0]), Boxes(sizes, at[1], turns[1])),
        (Boxes(sizes, at[0], turns[0]), Spheres(radii, at[1])),
        (Hulls(points, at[0], turns[0]), Hulls(points, 3.0 * at[1], turns[1])),
    ):
        found = analyse_pairs(a, b, single=True)
        np.testing.assert_array_equal(found.witnesses_a.astype(np.float32), found.witnesses_a)
        ways = found.witnesses_b - found.witnesses_a
        assert np.abs((ways * found.normals).sum(axis=1) - found.separations).max() < 2e-5


def test_where_rounding_hides_which_edges_cross_the_deepest_points_are_found_all_the_same() -> None:
    # An edge beside the winning one may be perpendicular to the axis to rounding: then its side is a guess.
    rng = np.random.default_rng(95)
    for _ in range(5):
        at, turns = 0.05 * rng.normal(size=(20_000, 3)), rng.normal(size=(2, 20_000, 4))
        sizes = rng.uniform(0.3, 1.0, (2, 20_000, 3))
        a, b = Boxes(sizes[0], np.zeros_like(at), turns[0]), Boxes(sizes[1], at, turns[1])
        found = analyse_pairs(a, b, single=True)
        ways = found.witnesses_b - found.witnesses_a
        assert np.abs((ways * found.normals).sum(axis=1) - found.separations).max() < 3e-6


QUARTER = from_axis_angle((1.0, 2.0, 3.0), 1.0)
SOLID = Hull.of([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
IN_SPACE: list[Shape] = [
    Box((1.0, 0.5, 0.7)),
    Sphere(0.4),
    Capsule(0.3, 0.8),
    Cylinder(0.4, 0.9),
    Cone(0.5, 0.8),
    Ellipsoid((0.3, 0.5, 0.8)),
    SOLID,
    Rounded(Box((0.5, 0.5, 0.5)), 0.1),
    Rounded(Sphere(0.3), 0.1),
    Rounded(Capsule(0.2, 0.5), 0.05),
]


def every_pair() -> list[Scene]:
    scenes = [
        Scene(Body(first, (0.1, 0.2, -0.1), QUARTER), Body(second, at, QUARTER[::-1]))
        for first in IN_SPACE
        for second in IN_SPACE
        for at in ((0.3, 0.4, 0.2), (1.2, 1.5, -0.9))
    ]
    floor = Body(HalfSpace((0.0, 1.0, 0.0), 0.1))
    scenes += [Scene(floor, Body(shape, (0.0, 0.4, 0.0), QUARTER)) for shape in IN_SPACE]
    return scenes + list(planar_samples.scenes(14, seed=95))


def test_bodies_of_any_shapes_in_any_mixture_are_answered_as_alone() -> None:
    scenes = every_pair()
    order = np.random.default_rng(96).permutation(len(scenes))
    mixed = [scenes[k] for k in order]
    found = answers_of(mixed)
    check_witnesses(mixed, found, 2e-11)
    alone = check_against_distance(mixed, found)
    assert 0 < found.vectorised.sum() < len(mixed)
    for k, single in enumerate(alone):
        if not found.vectorised[k]:
            assert found.separations[k] == single.separation
            assert found.normals[k].tolist() == single.normal.tolist()
            assert found.witnesses_a[k].tolist() == single.witness_a.tolist()
            assert found.witnesses_b[k].tolist() == single.witness_b.tolist()
            assert found.bands[k] == single.band


def test_hulls_of_any_number_of_points_go_through_the_kernel_together() -> None:
    rng = np.random.default_rng(97)
    hulls = [Hull.of(rng.normal(size=(int(n), 3))) for n in rng.integers(5, 17, size=40)]
    scenes = [
        Scene(Body(first), Body(second, tuple((2.0 * rng.normal(size=3)).tolist())))
        for first, second in zip(hulls[:20], [Box((1.0, 2.0, 3.0)), *hulls[21:]], strict=True)
    ]
    found = answers_of(scenes)
    assert found.vectorised.all()
    check_witnesses(scenes, found)
    check_against_distance(scenes, found)


@pytest.mark.parametrize("count", [1, 7, 8])
def test_a_few_boxes_or_hulls_are_asked_about_alone(count: int) -> None:
    found = answers_of([Scene(Body(SOLID), Body(SOLID, (0.5, 0.1, 0.2)))] * count)
    assert found.vectorised.all() == (count >= bodies.FEWEST_PAIRS)
    assert analyse_pairs([Body(Box((1, 1, 1)))] * count, [Body(Box((1, 1, 1)))] * count).vectorised.all() == (count > 7)
    assert answers_of([Scene(Body(Sphere(1)), Body(Box((1, 1, 1))))] * count).vectorised.all()
    assert found.verdicts.tolist() == [VERDICTS.index(Verdict.OVERLAPPING)] * count


@pytest.mark.parametrize("other", [Sphere(0.5), Box((1.0, 1.0, 1.0)), Hull(((0.0, 0.0, 0.0),)), SOLID])
@pytest.mark.parametrize("count", [1, 9])
def test_a_hull_of_one_point_at_its_bodys_origin_is_a_point(other: Shape, count: int) -> None:
    point = Hull(((0.0, 0.0, 0.0),))
    scenes = [Scene(Body(point), Body(other, (0.1 * k, 0.2, 2.0 - k))) for k in range(count)]
    scenes += [scene.swapped() for scene in scenes]
    check_against_distance(scenes, answers_of(scenes))


class _Broken(Ellipsoid, frozen=True):
    """Has a fault where it is asked for a point."""

    def farthest(self, _x: float, _y: float, _z: float) -> Triple:
        raise ZeroDivisionError("on purpose")


def test_a_fault_of_ours_names_the_row() -> None:
    fine = [Scene(Body(SOLID), Body(Sphere(0.2), (k, 0.0, 0.0))) for k in range(3)]
    broken = Scene(Body(_Broken((1.0, 2.0, 3.0))), Body(SOLID, (0.5, 0.0, 0.0)))
    with pytest.raises(
        PairError, match=r"^row 2: the analysis failed because of a fault \(ZeroDivisionError: on"
    ) as told:
        answers_of([*fine[:2], broken, fine[2]])
    assert told.value.row == 2
    assert isinstance(told.value.__cause__, ZeroDivisionError)


def test_a_pair_that_is_too_large_names_the_row_and_is_no_fault() -> None:
    ball, far = Body(Ellipsoid((1.0, 2.0, 3.0))), Body(SOLID, (1e101, 0.0, 0.0))
    with pytest.raises(PairError, match=r"^row 1: the bodies are too large or too far apart: sizes") as told:
        answers_of([Scene(ball, Body(SOLID)), Scene(ball, far)])
    assert told.value.row == 1


@pytest.mark.parametrize(("away", "single", "why"), [(1e101, False, "sizes and"), (1e25, True, "for single precision")])
def test_a_pair_of_arrays_that_is_too_large_names_the_row(away: float, single: bool, why: str) -> None:
    """A larger extent may be infinite, with a touching band that holds every pair."""
    still, cube = np.array([[1.0, 0.0, 0.0, 0.0]] * 3), np.array([list(np.ndindex(2, 2, 2))] * 3, float)
    near, far = np.zeros((3, 3)), np.array(((2.0, 0.0, 0.0), (3.0, 0.0, 0.0), (away, 0.0, 0.0)))
    balls = [Spheres(np.ones(3), at) for at in (near, far)]
    boxes = [Boxes(np.ones((3, 3)), at, still) for at in (near, far)]
    hulls = [Hulls(cube, at, still) for at in (near, far)]
    for a, b in (balls, boxes, hulls, (balls[0], boxes[1]), (boxes[0], balls[1])):
        with (
            np.errstate(over="ignore"),
            pytest.raises(PairError, match=rf"^row 2: the bodies are too large or too far apart:? {why}") as told,
        ):
            analyse_pairs(a, b, single=single)
        assert told.value.row == 2
    if not single:
        with pytest.raises(PairError, match=r"^row 2: the bodies are too large or too far apart: sizes"):
            analyse_pairs([Body(Sphere(1.0))] * 3, [Body(Sphere(1.0), (x, y, z)) for x, y, z in far.tolist()])


def test_a_fault_of_ours_in_what_a_kernel_hands_on_names_the_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two cubes a millionth of a radian askew, whose bounds stay apart in the kernel: they are asked about alone."""
    ends = ((-1, -1, -1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1), (1, 1, 1), (-1, 1, 1), (1, -1, 1), (1, 1, -1))
    cube = Hull(ends)
    askew = Body(
        cube,
        (-0.27600206865931287, 0.22782583785127494, 0.12124520759125343),
        (6.123233995736766e-17, 0.0, 0.9999999999995, 9.999999999995e-07),
    )
    scenes = [Scene(Body(cube), Body(cube, (0.1 * k, 0.3, 0.2), QUARTER)) for k in range(9)]
    scenes.insert(3, Scene(Body(Sphere(1.0)), Body(Sphere(1.0))))
    scenes.insert(5, Scene(Body(cube), askew))

    def fault(*_: object) -> None:
        raise ZeroDivisionError("on purpose")

    monkeypatch.setattr(pairs, "signed_distance", fault)
    with pytest.raises(PairError, match=r"^row 5: ") as told:
        answers_of(scenes)
    assert isinstance(told.value.__cause__, ZeroDivisionError)


def test_no_bodies_at_all() -> None:
    found = analyse_pairs([], ())
    assert len(found) == 0
    assert found.witnesses_a.shape == found.normals.shape == (0, 3)


ONE, DISC, FLOOR = Body(Sphere(1.0)), Body(Circle(1.0)), Body(HalfSpace((0.0, 1.0, 0.0), 0.0))
ARRAY = Spheres(np.ones(1), np.ones((1, 3)))
REFUSED: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: analyse_pairs(ONE, [ONE]), TypeError, "a: expected Boxes, Spheres, Hulls or a sequence of bodies, got Bo"),
    (lambda: analyse_pairs([ONE], None), TypeError, "b: expected Boxes, .* got None"),
    (
        lambda: analyse_pairs([ONE, Sphere(1)], [ONE, ONE]),
        TypeError,
        "a: expected a body in every row, got .* row 1",
    ),
    (lambda: analyse_pairs([ONE], np.ones((1, 3))), TypeError, "b: expected a body in every row, got array.* in row 0"),
    (lambda: analyse_pairs([ONE], ARRAY), TypeError, "no batch for list against Spheres: both must be arrays, or neit"),
    (lambda: analyse_pairs([ONE], [ONE], single=True), TypeError, "single precision is for arrays"),
    (lambda: analyse_pairs([ONE], [ONE], positive="gap"), ValueError, "positive must be Positive.BOUND or"),
    (lambda: analyse_pairs([ONE], [ONE, ONE]), ValueError, "expected as many bodies B as A, got 2 and 1"),
    (lambda: analyse_pairs([ONE, ONE], [ONE, DISC]), ValueError, "row 1: a 2D shape and a 3D shape"),
    (lambda: analyse_pairs([FLOOR], [FLOOR]), ValueError, "row 0: only one of the two bodies may be a half-space"),
    (lambda: Spheres(["wide"], np.ones((1, 3))), ValueError, r"radii: expected numbers of shape \(n\), got \['wide'\]"),
    (lambda: Boxes([(1, 1), (1,)], [], []), ValueError, r"sizes: expected numbers of shape \(n, 3\)"),
]


@pytest.mark.parametrize(("ask", "kind", "sentence"), REFUSED)
def test_what_is_none_is_refused_in_one_sentence(
    ask: Callable[[], object], kind: type[Exception], sentence: str
) -> None:
    with pytest.raises(kind, match=sentence) as told:
        ask()
    assert "\n" not in str(told.value)
