"""Shapes with a border: their Minkowski sum with a ball, by every method, in space and in the plane."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from msgspec.structs import replace

from core.analysis.analysis import Analysis, analyse
from core.analysis.motion_answers import sweep
from core.float32.answers import analyse_single
from core.geometry.vector import Array, dot, length, length_rows
from core.pair.support import support_maps
from core.query.query import query
from core.rays.raycast import raycast
from core.scene import Body, Scene
from core.shapes import (
    Box,
    Capsule,
    Circle,
    Cone,
    Cylinder,
    Ellipsoid,
    HalfSpace,
    Hull,
    Polygon,
    Rounded,
    Shape,
    Sphere,
    sharp_of,
    with_border,
)
from core.study.lab.side_by_side import side_by_side
from core.study.lab.side_by_side.row import Reason
from core.toi.motion import Motion

HULL = Hull.of(((1.0, -0.2, 0.0), (-1.0, 0.2, 0.0), (0.0, 1.0, 0.3), (0.1, -0.2, 1.0), (0.0, -0.6, -0.7)))
SPACE: tuple[Shape, ...] = (
    Box((1.0, 0.6, 1.4)),
    Sphere(0.5),
    Capsule(0.3, 1.0),
    Cylinder(0.5, 0.8),
    Cone(0.6, 1.1),
    Ellipsoid((0.4, 0.7, 0.5)),
    HULL,
    HalfSpace((0.0, 2.0, 0.0), 0.3),
)
PLANE: tuple[Shape, ...] = (Polygon(((0.0, 0.0), (1.0, 0.0), (1.2, 0.7), (0.3, 1.0))), Circle(0.4))
PAIRS = [(a, b) for shapes in (SPACE, PLANE) for a in shapes for b in shapes if a.plane is None or b.plane is None]
OWN_KIND: dict[Shape, Shape] = {
    Sphere(0.5): Sphere(0.5 + 0.07),
    Circle(0.4): Circle(0.4 + 0.07),
    Capsule(0.3, 1.0): Capsule(0.3 + 0.07, 1.0),
    HalfSpace((0.0, 2.0, 0.0), 0.3): HalfSpace((0.0, 2.0, 0.0), 0.3 + 0.07 * 2.0),
}


def named(shape: Shape) -> str:
    return shape.word


def _turn(rng: np.random.Generator, dimension: int) -> tuple[float, float, float, float]:
    if dimension == 2:
        angle = float(rng.uniform(0.0, 3.0))
        return (float(np.cos(angle)), 0.0, 0.0, float(np.sin(angle)))
    w, x, y, z = rng.normal(size=4).tolist()
    return (w, x, y, z)


def placed(a: Shape, b: Shape, seed: int) -> Scene:
    """The pair somewhere: far apart, near or overlapping."""
    rng = np.random.default_rng(seed)
    x, y, z = (rng.normal(size=3) * (0.3, 1.0, 2.5)[seed % 3]).tolist()
    flat = a.dimension == 2
    first = Body(a, rotation=_turn(rng, a.dimension))
    return Scene(first, Body(b, (x, y, 0.0 if flat else z), _turn(rng, a.dimension)))


def with_borders(scene: Scene, borders: Sequence[float]) -> Scene:
    a, b = (replace(body, shape=with_border(body.shape, more)) for body, more in zip((scene.a, scene.b), borders))  # noqa: B905
    return replace(scene, a=a, b=b)


def slack_of(*answers: Analysis) -> float:
    return 1e-12 + sum(answer.certainty.gap for answer in answers)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("a", "b"), PAIRS, ids=lambda shape: shape.word)
@pytest.mark.sampled(3, "random")
def test_the_separation_is_the_cores_less_both_borders(a: Shape, b: Shape, seed: int) -> None:
    sharp = placed(a, b, 7 * seed + seed)
    borders = ((0.05, 0.4), (0.0, 0.1), (0.3, 0.0))[seed]
    grown = with_borders(sharp, borders)
    before, after = analyse(sharp), analyse(grown)
    assert after.separation == pytest.approx(before.separation - sum(borders), abs=slack_of(before, after))
    assert not after.disagreements
    way = after.witness_b - after.witness_a
    assert way == pytest.approx(after.separation * after.normal, abs=1e-7)
    for row in side_by_side(query(after)):
        assert row.reason is not Reason.UNEXPLAINED, f"{row.method}: {row.words}"


@pytest.mark.parametrize(("a", "b"), PAIRS, ids=lambda shape: shape.word)
def test_each_witness_is_on_the_surface_and_contacts_are_as_deep(a: Shape, b: Shape) -> None:
    found = analyse(with_borders(placed(a, b, 3), (0.1, 0.2)))
    for body, point, way in ((found.scene.a, found.witness_a, 1.0), (found.scene.b, found.witness_b, -1.0)):
        local = body.pose.direction_to_local(way * found.normal)
        if body.shape.plane is None:
            reach = float(body.shape.reach(local)) + way * dot(found.normal, body.pose.position)
            assert way * dot(found.normal, point) == pytest.approx(reach, abs=1e-7)
    told = () if found.contacts is None else found.contacts.contacts
    assert max((contact.depth for contact in told), default=-found.separation) == pytest.approx(
        -found.separation, abs=1e-6
    )


@pytest.mark.parametrize("other", [*SPACE, *PLANE], ids=named)
@pytest.mark.parametrize("sharp", OWN_KIND, ids=named)
def test_what_is_one_of_its_own_kind_answers_as_that_digit_for_digit(sharp: Shape, other: Shape) -> None:
    if sharp.dimension != other.dimension or not (sharp.plane is None or other.plane is None):
        return
    scene = placed(sharp, other, 5)
    grown, plain = (replace(scene, a=replace(scene.a, shape=a)) for a in (Rounded(sharp, 0.07), OWN_KIND[sharp]))
    found, wanted = analyse(grown), analyse(plain)
    assert found.separation == wanted.separation
    for one, right in ((found.normal, wanted.normal), (found.witness_a, wanted.witness_a)):
        assert one.tolist() == right.tolist()
    assert found.witness_b.tolist() == wanted.witness_b.tolist()
    assert found.sat.separation == wanted.sat.separation
    assert [row.label for row in found.sat.candidates] == [row.label for row in wanted.sat.candidates]


@pytest.mark.parametrize("sharp", [*SPACE, *PLANE], ids=named)
def test_sizes_count_the_border(sharp: Shape) -> None:
    grown = Rounded(sharp, 0.25)
    assert grown.bounding_radius == pytest.approx(sharp.bounding_radius + 0.25)
    assert grown.largest_half_extent == pytest.approx(sharp.largest_half_extent + 0.25)
    assert (grown.polyhedron, grown.half_extents, grown.radii) == (None, None, None)
    assert sharp_of(grown) == (sharp, 0.25)
    if sharp.plane is None:
        ways = directions(sharp.dimension)
        assert grown.reach(ways) == pytest.approx(sharp.reach(ways) + 0.25 * length_rows(ways))
        points = np.array([grown.support(way) for way in ways])
        assert np.einsum("ij,ij->i", points, ways) == pytest.approx(grown.reach(ways))
        name = sharp.support_feature(ways[0], 0.0).name
        assert grown.support_feature(ways[0], 0.0).name == name


def directions(dimension: int) -> Array:
    found = np.random.default_rng(2).normal(size=(40, 3))
    found[:, dimension:] = 0.0
    ways: Array = found / length_rows(found)[:, None]
    return ways


def test_a_border_is_positive_finite_and_alone() -> None:
    for radius in (-0.1, float("inf"), float("nan")):
        with pytest.raises(ValueError, match="a border radius must be"):
            Rounded(Box((1.0, 1.0, 1.0)), radius)
    with pytest.raises(ValueError, match="one border"):
        Rounded(Rounded(Sphere(1.0), 0.1), 0.1)
    assert with_border(with_border(Sphere(1.0), 0.1), 0.0) == Sphere(1.0)
    assert with_border(with_border(Sphere(1.0), 0.1), 0.2) == Rounded(Sphere(1.0), 0.2)


def test_borders_on_cylinders_are_kept_apart_from_their_support_maps() -> None:
    maps = support_maps(Body(Rounded(Cylinder(0.5, 1.0), 0.2)), Body(Rounded(HULL, 0.1), (3.0, 0.0, 0.0)))
    assert (maps.radius_a, maps.radius_b) == (0.2, 0.1)
    assert maps.a.support(np.array((1.0, 0.0, 0.0))).point[0] == 0.5


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("a", "b"), PAIRS, ids=lambda shape: shape.word)
@pytest.mark.sampled(3, "random")
def test_moving_bodies_arrive_when_their_borders_touch(a: Shape, b: Shape, seed: int) -> None:
    scene = with_borders(placed(a, b, 5 + 3 * seed), (0.1, 0.05))
    x, y, z = scene.b.position
    turn = (0.0, 0.0, 0.6 * seed)
    scene = replace(scene, b=replace(scene.b, displacement=(-1.5 * x, -1.5 * y, -1.5 * z), angular_displacement=turn))
    found = sweep(scene)
    assert found is not None
    assert not found.disagreements
    if found.result.time and analyse(scene).separation > 0.0:
        then = Motion.of(scene.a, scene.b).near(found.result.time)
        assert then.separation == pytest.approx(0.0, abs=1e-6 * (1.0 + length(np.array(scene.b.position))))


@pytest.mark.parametrize(("a", "b"), PAIRS, ids=lambda shape: shape.word)
def test_single_precision_counts_borders(a: Shape, b: Shape) -> None:
    scene = with_borders(placed(a, b, 4), (0.1, 0.2))
    wanted = analyse(scene)
    bound = {"SAT", "planes test"}  # of bodies apart a lower bound, also in double precision
    answers = [answer for answer in analyse_single(scene).answers if answer.algorithm not in bound]
    assert answers
    for answer in answers:
        assert float(answer.separation) == pytest.approx(wanted.separation, abs=2e-5), answer.algorithm


def test_sat_finds_the_axis_from_corner_to_corner() -> None:
    square = Polygon(((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)))
    apart = Scene(Body.in_plane(square), Body.in_plane(square, (2.3, 2.4)))
    found = analyse(with_borders(apart, (0.1, 0.2)))
    assert found.sat.candidates[found.sat.winner].label == "A.v2→B.v0"
    assert found.sat.separation == pytest.approx(0.5 - 0.3)
    cubes = Scene(Body(Box((2.0, 2.0, 2.0))), Body(Box((2.0, 2.0, 2.0)), (2.3, 2.4, 0.0)))
    found = analyse(with_borders(cubes, (0.1, 0.2)))
    assert found.sat.separation == pytest.approx(0.5 - 0.3)


@pytest.mark.parametrize("sharp", SPACE, ids=named)
def test_rays_meet_the_border_and_not_the_corner(sharp: Shape) -> None:
    body, ball = Body(Rounded(sharp, 0.2), (0.3, -0.2, 0.1)), Sphere(0.01)
    rng = np.random.default_rng(8)
    hits = 0
    for _ in range(12):
        start = rng.normal(size=3)
        start = body.pose.position + (4.0 / length(start)) * start
        found = raycast(body, start, body.pose.position + 0.6 * rng.normal(size=3) - start)
        if found is None or found.inside or found.entry is None:
            continue
        hits += 1
        x, y, z = found.entry.point.tolist()
        at = analyse(Scene(body, Body(ball, (x, y, z))))
        assert at.separation == pytest.approx(-0.01, abs=1e-6)
        assert dot(at.normal, found.entry.normal) == pytest.approx(1.0, abs=1e-3)
    assert hits >= 2
