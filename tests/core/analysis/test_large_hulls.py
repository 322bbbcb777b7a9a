"""Hulls of many vertices: searches find what looking at everything finds, in little memory and up to a limit."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from app.words.axis_words import sat_words
from core import Body, Hull, Scene, analyse
from core.analysis.in_space import build_steps
from core.analysis.motion_answers import sweep
from core.geometry.hierarchy import AT_ONCE, farthest, overlapping, reach
from core.geometry.vector import Array, cross_rows, length_rows
from core.minkowski.difference import difference
from core.minkowski.polyhedron_difference import hull_difference
from core.pair import arcs
from core.pair.arcs import MOST_PAIRS
from core.pair.cores import cores_of
from core.pair.gauss_map import MOST_CROSSINGS, ArcReason, GaussMap, gauss_map, pair_axes
from core.pair.pair import TooLargeError
from core.sat.sat import sat
from core.toi import MotionMethod
from tests.core.polyhedra_samples import (
    POLYHEDRAL,
    PairFamily,
    ball_hull,
    ball_points,
    offset,
    prism,
    random_hulls,
    rounded,
    same_twice,
    sample,
    turn,
    vertices_of,
    with_box,
)


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """However few edge pairs there are, they are searched for."""
    monkeypatch.setattr(arcs, "ALL_PAIRS", 0)


def points_of(kind: str, rng: np.random.Generator, count: int) -> Array:
    points: Array = rng.normal(size=(count, 3))
    if kind == "ball":
        return points / length_rows(points)[:, None]
    if kind == "cluster":
        return np.array((3.0, -2.0, 1.0)) + 1e-7 * points
    if kind == "flat":
        return points * (1.0, 1.0, 0.0)
    if kind == "grid":
        return np.round(points)
    return points


KINDS = ("ball", "cluster", "flat", "grid", "normal")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("ways", KINDS)
@pytest.mark.parametrize("counts", [(1, 1), (1, 700), (900, 1), (700, 1100)])
def test_the_farthest_points_are_those_of_all_products(kind: str, ways: str, counts: tuple[int, int]) -> None:
    rng = np.random.default_rng(len(kind) + 7 * len(ways) + counts[0])
    points, directions = points_of(kind, rng, counts[0]), points_of(ways, rng, counts[1])
    products = directions @ points.T
    found, heights = farthest(points, directions)
    noise = 8e-16 * length_rows(points).max() * length_rows(directions).max()
    assert np.abs(heights - products.max(axis=1)).max() <= noise
    assert np.abs(products[np.arange(len(found)), found] - heights).max() <= noise


def test_how_far_many_points_reach_keeps_the_shape_of_the_directions() -> None:
    rng = np.random.default_rng(3)
    points, directions = rng.normal(size=(3000, 3)), rng.normal(size=(20, 30, 3))
    expected = (directions @ points.T).max(axis=2)
    assert reach(points.T, directions) == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("counts", [(1, 1), (1, 90), (257, 64), (300, 5)])
@pytest.mark.parametrize("size", [0.0, 0.05, 3.0])
def test_the_boxes_that_overlap_are_those_of_all_pairs_each_once(counts: tuple[int, int], size: float) -> None:
    rng = np.random.default_rng(counts[0])
    (low_a, high_a), (low_b, high_b) = (
        (at - sizes, at + sizes)
        for at, sizes in ((np.round(rng.normal(size=(n, 3)), 1), size * rng.random((n, 3))) for n in counts)
    )
    found = [pair for i, j in overlapping(low_a, high_a, low_b, high_b) for pair in zip(i, j, strict=True)]
    meet = (low_a[:, None] <= high_b) & (low_b <= high_a[:, None])
    assert sorted(found) == [tuple(pair) for pair in np.argwhere(meet.all(axis=2))]


def test_a_search_with_many_answers_comes_in_parts() -> None:
    low = np.zeros((700, 3))
    parts = [len(i) for i, _ in overlapping(low, low, low, low)]
    assert sum(parts) == 700 * 700
    assert max(parts) <= AT_ONCE


def of_rows(found: GaussMap) -> tuple[Array, ...]:
    """What becomes rows and faces."""
    kept = np.isin(found.reasons, (ArcReason.BUILDS_FACE, ArcReason.BORDERLINE)) | found.crossing
    return (
        *(part[kept] for part in (found.pairs, found.normals, found.reasons, found.crossing, found.turns)),
        found.supports_a,
        found.supports_b,
    )


@pytest.mark.parametrize("family", [*POLYHEDRAL, rounded])
def test_searched_arcs_make_the_same_map_as_all(family: PairFamily, monkeypatch: pytest.MonkeyPatch) -> None:
    for scene in sample(family, 50, seed=21):
        cores = cores_of(scene.a, scene.b)
        monkeypatch.setattr(arcs, "ALL_PAIRS", 2**17)
        every = of_rows(gauss_map(*cores))
        monkeypatch.setattr(arcs, "ALL_PAIRS", 0)
        assert all(np.array_equal(*both) for both in zip(every, of_rows(gauss_map(*cores)), strict=True))


def balls(count: int, apart: float = 1.6, seed: int = 5) -> Scene:
    rng = np.random.default_rng(seed)
    a, b = (ball_hull(rng, count) for _ in "ab")
    return Scene(Body(a, (0.0, 0.0, 0.0), turn(rng)), Body(b, (apart, 0.3, -0.1), turn(rng)))


def lens(count: int) -> Hull:
    """A plate whose normals are nearly all one of two."""
    return Hull.of(ball_points(np.random.default_rng(8), count) * (1.0, 1.0, 1e-3))


@pytest.mark.parametrize(
    "scene",
    [
        balls(180),
        Scene(Body(lens(180)), Body(lens(160), (0.3, 0.2, 0.0), (0.8, 0.36, 0.48, 0.0))),
        Scene(Body(prism(130)), Body(lens(150), (0.3, 0.2, 0.0), (0.8, 0.36, 0.48, 0.0))),
    ],
)
def test_arcs_found_among_many_are_those_that_cross_by_definition(scene: Scene) -> None:
    a, b = cores_of(scene.a, scene.b)
    na, nb = a.solid.normals[a.solid.edge_faces], -b.solid.normals[b.solid.edge_faces]
    assert len(na) * len(nb) > arcs.ALL_PAIRS
    of_b = np.einsum("ei,fki->efk", cross_rows(na[:, 0], na[:, 1]), nb)
    of_a = np.einsum("fi,eki->efk", cross_rows(nb[:, 0], nb[:, 1]), na)
    crosses = (of_a.prod(axis=2) < 0.0) & (of_b.prod(axis=2) < 0.0) & (of_b[:, :, 0] * of_a[:, :, 0] < 0.0)
    found = gauss_map(a, b)
    assert found.pairs[found.crossing].tolist() == np.argwhere(crosses).tolist()
    for of_faces, other, supports in ((a, b, found.supports_b), (b, a, found.supports_a)):
        heights = -of_faces.solid.normals @ other.solid.vertices.T
        assert (heights[np.arange(len(heights)), supports] >= heights.max(axis=1) - 1e-14).all()


@pytest.mark.usefixtures("searched")
@pytest.mark.parametrize("family", [random_hulls, same_twice, with_box])
def test_the_difference_is_the_hull_of_all_differences(family: PairFamily) -> None:
    for scene in sample(family, 25, seed=4):
        at_a, at_b = vertices_of(scene)
        expected = ConvexHull((at_a[:, None] - at_b[None, :]).reshape(-1, 3))
        solid = difference(scene.a, scene.b).core
        assert ConvexHull(solid.vertices).volume == pytest.approx(expected.volume, rel=1e-10)
        assert (expected.equations[:, :3] @ solid.vertices.T).max(axis=1) == pytest.approx(
            -expected.equations[:, 3], abs=1e-12 * np.abs(at_a).max() + 1e-12 * np.abs(at_b).max()
        )


@pytest.mark.parametrize("apart", [0.4, 1.6, 2.6])
def test_balls_of_many_vertices_are_as_far_apart_as_qhull_says(apart: float) -> None:
    scene = balls(60, apart)
    at_a, at_b = vertices_of(scene)
    planes = ConvexHull((at_a[:, None] - at_b[None, :]).reshape(-1, 3)).equations
    table = sat(scene.a, scene.b)
    assert table.separation == pytest.approx(planes[:, 3].max(), abs=1e-13)


def test_an_answer_about_a_thousand_vertices_each_takes_little_memory() -> None:
    # 235 MB by matrices of all edges and faces.
    scene = balls(1000)
    tracemalloc.start()
    try:
        found = analyse(scene)
        used = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found.disagreements == ()
    assert found.difference is not None
    assert used < 60e6


TILTED = (0.8, 0.36, 0.48, 0.0)


def prisms(sides: int, tilt: tuple[float, float, float, float] = TILTED) -> Scene:
    """Every arc from a pole to the equator crosses many of the other's; without a tilt all meet at the poles."""
    return Scene(Body(prism(sides)), Body(prism(sides), (0.5, 0.3, 0.2), tilt))


@pytest.mark.nightly("random")
def test_pairs_with_too_many_crossings_are_refused() -> None:
    few, many = prisms(300), prisms(800)
    crossings = (pair_axes(few.a, few.b).overlay.reasons == ArcReason.BUILDS_FACE).sum()
    assert 2 * MOST_CROSSINGS // 10 < crossings < MOST_CROSSINGS
    with pytest.raises(TooLargeError, match=r"[\d,]+ pairs of edges build a face of A − B, more than 200,000."):
        pair_axes(many.a, many.b)


@pytest.mark.nightly("random")
def test_pairs_with_too_many_arcs_that_touch_are_refused() -> None:
    upright = (1.0, 0.0, 0.0, 0.0)
    few, many = prisms(250, upright), prisms(1500, upright)
    assert MOST_PAIRS // 10 < len(pair_axes(few.a, few.b).overlay.pairs) < MOST_PAIRS
    with pytest.raises(TooLargeError, match=r"More than 1,000,000 pairs of edges may build a face of A − B."):
        pair_axes(many.a, many.b)


@pytest.mark.usefixtures("searched")
def test_what_takes_too_much_memory_is_refused_in_a_sentence_and_gjk_and_epa_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scene = balls(40, 1.7, seed=6)
    scene = Scene(scene.a, Body(scene.b.shape, scene.b.position, scene.b.rotation, displacement=(-0.5, 0.0, 0.0)))
    whole = analyse(scene)
    monkeypatch.setattr(arcs, "MOST_PAIRS", 10)
    pair_axes.cache_clear()
    found = analyse(scene)
    assert whole.refused == ""
    assert "too much memory. More than 10 pairs of edges may" in found.refused
    assert (found.sat.applies, found.difference, found.beyond_limits) == (False, None, "")
    assert sat_words(found) == found.refused
    assert found.verdict is whole.verdict
    assert found.separation == pytest.approx(whole.separation, abs=1e-9)
    methods = {trace.method for trace in sweep(scene).traces}
    assert MotionMethod.INTERVALS not in methods
    assert MotionMethod.RAY in methods


def regular_polygon(corners: int) -> Hull:
    turns = 2.0 * np.pi * np.arange(corners) / corners
    return Hull.of(np.stack((np.cos(turns), np.sin(turns), np.zeros(corners)), axis=1))


def test_flat_hulls_of_too_many_corners_in_one_plane_are_answered_by_gjk() -> None:
    a, b = Body(regular_polygon(1010)), Body(regular_polygon(1000), (2.5, 0.0, 0.0))
    found = analyse(Scene(a, b))
    assert "too much memory" in found.refused
    assert found.separation == pytest.approx(0.5, abs=1e-4)


def test_hulls_of_too_many_differences_are_refused_before_they_are_made() -> None:
    large = balls(1001)
    with pytest.raises(TooLargeError, match="1,002,001 differences"):
        hull_difference(pair_axes(large.a, large.b))
    solid = difference(large.a, large.b)
    assert build_steps(large.a, large.b, solid, sat(large.a, large.b).candidates) == ()
    fewer = balls(330)
    assert build_steps(fewer.a, fewer.b, difference(fewer.a, fewer.b), sat(fewer.a, fewer.b).candidates)


def test_offsets_of_large_hulls_are_told_by_their_planes() -> None:
    rng = np.random.default_rng(2)
    hull = ball_hull(rng, 1200)
    solid, place = hull.polyhedron, offset(rng)
    assert hull.reach(solid.normals) == pytest.approx(solid.offsets, abs=1e-14)
    apart = sat(Body(hull), Body(hull, place))
    at_a = solid.vertices @ apart.normal
    assert apart.separation == pytest.approx((at_a + np.array(place) @ apart.normal).min() - at_a.max(), abs=1e-14)
