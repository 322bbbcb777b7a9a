"""Closed forms of every pair: proved by their own witnesses and certificates, and against dense sampling."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from core.closed_form import Proximity, closed_form
from core.scene import Body, Scene
from core.shapes import Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Sphere
from tests.core.closed_form_samples import MAKERS, body, directions, rotation, stretched
from tests.selection import some
from tests.shape_truths import truth_of

SPHERE = directions(2000)


def support_gaps(a: Body, b: Body, normals: np.ndarray) -> np.ndarray:
    """`min_B n·x - max_A n·x` for each unit normal (n, 3)."""
    offset = np.subtract(b.position, a.position)
    reach_a = a.shape.reach(normals @ a.pose.matrix)
    reach_b = b.shape.reach(-normals @ b.pose.matrix)
    return normals @ offset - reach_a - reach_b


def prove(a: Body, b: Body, found: Proximity | None, size: float) -> None:
    """The normal's certificate and the witness points are both the separation: apart, that proves the distance."""
    assert found is not None
    scene = Scene(a, b)  # the name a failing test keeps
    tolerance = 4e-15 * (size + np.linalg.norm(np.subtract(b.position, a.position)))
    assert np.linalg.norm(found.normal) == pytest.approx(1.0, abs=1e-15)
    # A half-space reaches nowhere but along its own normal, which a turned normal misses by rounding.
    if not any(isinstance(it.shape, HalfSpace) for it in (a, b)):
        gap = float(support_gaps(scene.a, scene.b, found.normal[None])[0])
        assert gap == pytest.approx(found.separation, abs=tolerance)
    assert found.witness_b - found.witness_a == pytest.approx(found.separation * found.normal, abs=tolerance)
    for it, point in ((a, found.witness_a), (b, found.witness_b)):
        local = (point - np.subtract(it.position, a.position)) @ it.pose.matrix
        assert abs(truth_of(it.shape).height(local)) <= tolerance


def best_direction(a: Body, b: Body) -> float:
    """The largest separation over all directions, by sampling and then by descent: exact when overlapping."""
    gaps = support_gaps(a, b, SPHERE)

    def loss(n: np.ndarray) -> float:
        return -float(support_gaps(a, b, (n / np.linalg.norm(n))[None])[0])

    starts = SPHERE[np.argsort(-gaps)[:3]]
    return max(
        -minimize(loss, n, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-11, "maxiter": 300}).fun
        for n in starts
    )


PAIRS = [
    *(("sphere", other) for other in MAKERS if other != "hull"),
    ("capsule", "capsule"),
]


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_random_pairs_are_proved(first: str, second: str) -> None:
    rng = np.random.default_rng(len(first) * 100 + len(second))
    hits = 0
    for k in range(some(150)):
        a, b = body(rng, MAKERS[first](rng)), body(rng, MAKERS[second](rng))
        if k % 2:
            a, b = b, a
        found = closed_form(a, b)
        prove(a, b, found, max(a.shape.bounding_radius, b.shape.bounding_radius))
        assert found is not None
        hits += found.separation < 0.0
        sampled = float(support_gaps(a, b, SPHERE).max())
        assert sampled <= found.separation + 1e-13
    assert some(30) <= hits <= some(140)


@pytest.mark.parametrize(("first", "second"), PAIRS)
@pytest.mark.sampled(3, "random")
def test_deep_pairs_leave_by_the_shortest_way(first: str, second: str) -> None:
    rng = np.random.default_rng(7)
    for _ in range(6):
        a, b = body(rng, MAKERS[first](rng), 0.2), body(rng, MAKERS[second](rng), 0.2)
        found = closed_form(a, b)
        prove(a, b, found, max(a.shape.bounding_radius, b.shape.bounding_radius))
        assert found is not None
        assert best_direction(a, b) == pytest.approx(found.separation, abs=2e-6)
        assert best_direction(a, b) <= found.separation + 1e-13


@pytest.mark.parametrize("scale", [1e-6, 1e6])
@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_tiny_and_huge_pairs(first: str, second: str, scale: float) -> None:
    rng = np.random.default_rng(9)
    for _ in range(20):
        a, b = body(rng, MAKERS[first](rng)), body(rng, MAKERS[second](rng))
        there = tuple((np.array(a.position) + scale * np.subtract(b.position, a.position)).tolist())
        a, b = (
            Body(truth_of(a.shape).scaled(scale), a.position, a.rotation),
            Body(truth_of(b.shape).scaled(scale), there, b.rotation),
        )
        prove(a, b, closed_form(a, b), max(a.shape.bounding_radius, b.shape.bounding_radius))


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_needles_and_plates_apart_crossing_and_touching(first: str, second: str) -> None:
    rng = np.random.default_rng(13)
    for k in range(120):
        a, b = (body(rng, stretched(rng, MAKERS[name](rng)), (0.9, 0.05)[k % 2]) for name in (first, second))
        if k % 3 == 0:
            found = closed_form(a, b)
            assert found is not None
            kissing = np.subtract(b.position, found.separation * found.normal)
            b = Body(b.shape, tuple(kissing.tolist()), b.rotation)
        prove(a, b, closed_form(a, b), max(a.shape.bounding_radius, b.shape.bounding_radius))


@pytest.mark.parametrize("name", MAKERS)
def test_every_shape_against_a_half_space(name: str) -> None:
    rng = np.random.default_rng(3)
    for k in range(some(100)):
        a = body(rng, MAKERS[name](rng))
        normal = tuple(rng.normal(size=3).tolist())
        b = Body(HalfSpace(normal, float(rng.normal())), tuple(rng.normal(size=3).tolist()), rotation(rng))
        found = closed_form(b, a) if k % 2 else closed_form(a, b)
        prove(*((b, a) if k % 2 else (a, b)), found, a.shape.bounding_radius + 5.0)
        assert found is not None
        plane = b.shape.plane.placed(b.pose.matrix, b.pose.position)
        lowest = plane.signed_distance(a.pose.position) - a.shape.reach(-(plane.normal @ a.pose.matrix)[None])[0]
        assert found.separation == pytest.approx(lowest, abs=1e-14)
        assert found.normal == pytest.approx(plane.normal if k % 2 else -plane.normal, abs=1e-15)


def test_two_half_spaces_are_refused() -> None:
    with pytest.raises(ValueError, match="two half-spaces"):
        closed_form(Body(HalfSpace((0.0, 1.0, 0.0), 0.0)), Body(HalfSpace((0.0, 1.0, 0.0), 0.0)))


def test_pairs_without_a_closed_form_answer_none() -> None:
    rng = np.random.default_rng(0)
    cylinder, cone = (body(rng, MAKERS[name](rng)) for name in ("cylinder", "cone"))
    assert closed_form(cylinder, cone) is None
    assert closed_form(Body(Sphere(1.0)), Body(MAKERS["hull"](rng))) is None


CAPSULE = Capsule(0.25, 2.0)
QUARTER = (0.5**0.5, 0.0, 0.0, 0.5**0.5)
ON_END = (0.0, 1.0, 0.0)


@pytest.mark.parametrize(
    ("position", "turn", "separation"),
    [
        ((2.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), 1.5),  # parallel, side by side
        ((2.0, 0.5, 0.0), (1.0, 0.0, 0.0, 0.0), 1.5),  # parallel, shifted
        ((0.0, 3.0, 0.0), (1.0, 0.0, 0.0, 0.0), 0.5),  # in line
        ((0.0, 1.0, 0.0), (1.0, 0.0, 0.0, 0.0), -0.5),  # in line, one in the other
        ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), -0.5),  # the same
        ((0.0, 2.0, 0.0), (1.0, 0.0, 0.0, 0.0), -0.5),  # end on end
        ((0.0, 0.0, 0.0), QUARTER, -0.5),  # crossing
        ((0.0, 0.0, 1e-17), QUARTER, -0.5),  # crossing but for rounding
        ((0.0, 0.0, 1.0), QUARTER, 0.5),  # skew
        ((1.0, 1.0, 0.0), QUARTER, -0.5),  # two ends meet at a right angle
        ((1e-17, 0.3, 0.0), (1.0, 0.0, 0.0, 1e-9), -0.5),  # crossing at a hair's angle
        ((0.0, 0.3, 1e-12), (1.0, 0.0, 0.0, 1e-9), -0.5 + 1e-12),
        ((1e-12, 0.3, 0.0), (1.0, 0.0, 0.0, 0.0), -0.5 + 1e-12),
    ],
)
def test_capsules_in_every_degenerate_place(
    position: tuple[float, float, float], turn: tuple[float, float, float, float], separation: float
) -> None:
    a, b = Body(CAPSULE), Body(CAPSULE, position, turn)
    for pair in ((a, b), (b, a)):
        found = closed_form(*pair)
        prove(*pair, found, 1.25)
        assert found is not None
        assert found.separation == pytest.approx(separation, abs=1e-15)


def test_parallel_capsules_meet_in_the_middle_of_what_they_share() -> None:
    found = closed_form(Body(CAPSULE), Body(CAPSULE, (2.0, 0.5, 0.0)))
    assert found is not None
    assert found.witness_a == pytest.approx([0.25, 0.25, 0.0])
    assert found.witness_b == pytest.approx([1.75, 0.25, 0.0])


@pytest.mark.parametrize("angle", [1e-16, 1e-12, 1e-9, 1e-8, 1e-6, 1e-3])
def test_nearly_parallel_capsules(angle: float) -> None:
    rng = np.random.default_rng(5)
    for _ in range(50):
        a = Body(CAPSULE, rotation=rotation(rng))
        turned = np.array(a.rotation) + angle * rng.normal(size=4)
        b = Body(CAPSULE, tuple((rng.normal(size=3) * 0.5).tolist()), tuple((turned / np.linalg.norm(turned)).tolist()))
        prove(a, b, closed_form(a, b), 1.25)


@pytest.mark.parametrize("shape", [Cylinder(1.0, 2.0), Cone(1.0, 2.0), Ellipsoid((1.0, 2.0, 3.0)), CAPSULE])
def test_spheres_at_the_places_where_directions_are_lost(shape: Cylinder | Cone | Ellipsoid | Capsule) -> None:
    special = (0.0, 1e-300, 1e-17, 1e-9, 0.25, 1.0, 1.0 + 2e-16, 1.0 - 1e-16, 2.0, 3.0)
    for x in special:
        for y in (*special, *(-value for value in special)):
            for z in (0.0, 1e-17, 0.5):
                a, b = Body(Sphere(0.5), (x, y, z)), Body(shape)
                prove(a, b, closed_form(a, b), 3.0)


@pytest.mark.parametrize(
    ("place", "out"),
    [
        ((0.0, 0.0, 0.0), (0.0, 1.0, 0.0)),  # as far from both caps as from the side
        ((0.25, 0.25, 0.0), (0.0, 1.0, 0.0)),
        ((0.0, -0.25, 0.25), (0.0, -1.0, 0.0)),
    ],
)
def test_a_ball_leaves_a_cylinder_through_a_cap_where_the_side_is_as_near(
    place: tuple[float, float, float], out: tuple[float, float, float]
) -> None:
    inside = 0.5 - max(map(abs, place))
    ball, cylinder = Body(Sphere(0.2), place), Body(Cylinder(0.5, 1.0))
    for pair, side in (((cylinder, ball), 1.0), ((ball, cylinder), -1.0)):
        found = closed_form(*pair)
        assert found is not None
        assert found.separation == pytest.approx(-inside - 0.2, abs=1e-15)
        assert found.normal == pytest.approx(side * np.array(out), abs=1e-15)


@pytest.mark.parametrize(
    "radii", [(1.0, 1.0, 1.0), (1.0, 1.0, 2.0), (2.0, 1.0, 2.0), (1e-6, 1.0, 1.0), (1.0, 1e-3, 1e6)]
)
def test_spheres_about_flat_round_and_long_ellipsoids(radii: tuple[float, float, float]) -> None:
    rng = np.random.default_rng(4)
    shape = Ellipsoid(radii)
    for k in range(some(120)):
        point = rng.normal(size=3) * radii * rng.choice((0.01, 0.3, 1.0, 3.0))
        if k % 3 == 0:
            point[rng.integers(3)] = 0.0
        a, b = Body(Sphere(0.5), tuple(point.tolist())), Body(shape)
        found = closed_form(a, b)
        prove(a, b, found, max(radii))
        assert found is not None
        assert float(support_gaps(a, b, SPHERE).max()) <= found.separation + 1e-14 * max(radii)


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_sharp_segments_that_cross_are_parted_towards_the_position_of_b(side: float) -> None:
    """Either way across both is as short; B's position lies beside its segment, on the side that is given."""
    rng = np.random.default_rng(17)
    for _ in range(10):
        turn = rotation(rng)
        a = Body(Hull(((0.0, -1.0, 0.0), (0.0, 1.0, 0.0))), tuple(rng.normal(size=3)), turn)
        b = Body(Hull(((-1.0, 0.3, -0.4 * side), (2.0, 0.3, -0.4 * side))), rotation=turn)
        place = a.pose.to_world(np.array((0.2, -0.1, 0.4 * side)))
        found = closed_form(a, Body(b.shape, tuple(place.tolist()), turn))
        assert found is not None
        assert found.separation == pytest.approx(0.0, abs=1e-15)
        np.testing.assert_allclose(found.normal, side * a.pose.matrix[:, 2], atol=1e-14)
