"""The flat world's numbers: every algorithm against the others, brute force, the core of space, and exact fractions."""

from __future__ import annotations

import math
from collections import Counter
from itertools import product

import numpy as np
import pytest

from core import Verdict
from core.analysis.analysis import Analysis, analyse
from core.gjk.epa import EpaStop
from core.gjk.gjk import GjkSettings, GjkStop, gjk
from core.gjk.gjk_epa import signed_distance, signed_distance_steps
from core.gjk.plane_epa import epa_polygon_steps
from core.gjk.simplex import SubDistance
from core.minkowski.plane import minkowski_difference
from core.pair.cores import PlanePair
from core.pair.pair import certificate
from core.pair.support import support_maps
from core.sat.plane import plane_sat
from core.scene import Body, Scene
from core.shapes import Circle, Polygon
from core.trace import record
from core.verdict import Provenance
from tests.core.planar_samples import (
    FAMILIES,
    Family,
    box_pair,
    brute_force,
    exact_verdict,
    general,
    lattice,
    moved,
    past_failures,
    prism_separation,
    regular,
    resized,
    scenes,
    size_of,
)
from tests.selection import some

by_family = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)

# As the promise for SAT and closed forms in space: 1e-12 (L + |T|). What is found is at 1e-15.
NEAR = 1e-12


@by_family
def test_all_algorithms_agree_with_brute_force(family: Family) -> None:
    seen: Counter[Verdict] = Counter()
    for scene in scenes(400, 1, (family,)):
        found = analyse(scene)
        near = NEAR * size_of(scene)
        assert not found.disagreements, scene
        assert found.separation == pytest.approx(brute_force(scene), abs=near), scene
        distance = signed_distance(support_maps(scene.a, scene.b))
        assert distance.separation == pytest.approx(found.separation, abs=near), scene
        assert distance.certainty.provenance is Provenance.CERTIFIED
        assert distance.certainty.gap <= 1e-14 * size_of(scene)
        if found.separation < 0.0:
            assert found.sat.separation == pytest.approx(found.separation, abs=near), scene
        if found.epa is not None:
            assert found.sat.separation == pytest.approx(-found.epa.depth, abs=near), scene
        else:
            assert found.separation > -PlanePair.of(scene.a, scene.b).radius - near
        assert found.sat.separation <= found.separation + near
        assert_certified(found, near)
        seen[found.verdict] += 1
    if family is general:
        assert some(120) < seen[Verdict.OVERLAPPING] < some(280)
        assert some(120) < seen[Verdict.SEPARATED] < some(280)


@pytest.mark.parametrize("scene", past_failures(), ids=lambda scene: scene.name)
def test_past_failures_are_mended(scene: Scene) -> None:
    found, near = analyse(scene), NEAR * size_of(scene)
    assert not found.disagreements
    assert found.separation == pytest.approx(brute_force(scene), abs=near)
    assert_certified(found, near)


def assert_certified(found: Analysis, near: float) -> None:
    """The normal proves the number, and the witness points have it between them, on both outlines."""
    scene, normal = found.scene, found.normal
    assert math.hypot(*normal[:2]) == pytest.approx(1.0, abs=1e-14)
    assert normal[2] == 0.0
    assert certificate(scene.a, scene.b, normal) == pytest.approx(found.separation, abs=near), scene
    at = found.witness_b - found.witness_a
    # A position far from the origin is only good to its last place.
    place = near + 4e-16 * max(map(abs, (*found.witness_a, *found.witness_b)))
    assert at == pytest.approx(found.separation * normal, abs=place), scene
    for body, point in ((scene.a, found.witness_a), (scene.b, found.witness_b)):
        spot = Scene(body, Body.in_plane(Circle(1e-30), tuple(point[:2].tolist())))
        outside = brute_force(spot)
        assert outside == pytest.approx(0.0, abs=4.0 * place), scene
    assert found.nearest == pytest.approx(-found.separation * normal)
    assert (found.mtv is None) is (found.verdict is Verdict.SEPARATED)


def test_prisms_of_space_say_the_same() -> None:
    rng = np.random.default_rng(5)
    polygons = 0
    for scene in scenes(150, 2, FAMILIES[:1] + FAMILIES[2:3] + FAMILIES[4:5]):
        if isinstance(scene.a.shape, Polygon) and isinstance(scene.b.shape, Polygon):
            polygons += 1
            assert analyse(scene).separation == pytest.approx(prism_separation(scene), abs=NEAR * 10 * size_of(scene))
    assert polygons > some(60)
    for _ in range(some(150)):
        flat, solid = box_pair(rng)
        found, there = analyse(flat), analyse(solid)
        assert found.separation == pytest.approx(there.separation, abs=1e-12)
        assert found.verdict is there.verdict
        if len(found.sat.ties) == 1:  # but for the opposite sides of one box
            assert found.normal == pytest.approx(there.normal, abs=1e-9)


@pytest.mark.slow
def test_verdicts_of_whole_numbers_are_exact() -> None:
    seen: Counter[str] = Counter()
    for scene in scenes(1500, 3, (lattice,)):
        right = exact_verdict(scene)
        found = analyse(scene)
        assert found.verdict.value == right, scene
        assert found.planes is not None
        assert found.planes.verdict.value == right
        assert found.sat.verdict.value == right
        if right == "TOUCHING":
            assert abs(found.separation) <= 1e-15 * size_of(scene)
        seen[right] += 1
    assert min(seen.values()) > some(50)


@by_family
def test_swapping_turns_the_signs_round(family: Family) -> None:
    for scene in scenes(100, 4, (family,)):
        found, other = analyse(scene), analyse(scene.swapped())
        near = NEAR * size_of(scene)
        assert other.separation == pytest.approx(found.separation, abs=near)
        if abs(abs(found.separation) - found.band) > 1e-14 * size_of(scene):  # not just where the band ends
            assert other.verdict is found.verdict
        # Where the way out is not unique either normal has to prove the number in the other's place.
        back = -other.normal
        assert certificate(scene.a, scene.b, back) == pytest.approx(found.separation, abs=near)


@pytest.mark.parametrize(("by", "angle"), [((3.0, -2.0), 0.7), ((0.0, 0.0), math.pi / 2), ((1e3, 1e3), -2.0)])
def test_rigid_motions_change_nothing(by: tuple[float, float], angle: float) -> None:
    for scene in scenes(180, 6, FAMILIES[:6]):
        there = moved(scene, by, angle)
        found, other = analyse(scene), analyse(there)
        # The moved positions are rounded to their own last place.
        near = NEAR * size_of(scene) + 1e-15 * math.hypot(*by)
        assert other.separation == pytest.approx(found.separation, abs=near)


@pytest.mark.parametrize("factor", [2.0**-20, 2.0**20, 1e-6, 1e6])
def test_scale_scales(factor: float) -> None:
    for scene in scenes(120, 7, FAMILIES[:5]):
        found, other = analyse(scene), analyse(resized(scene, factor))
        assert other.separation == pytest.approx(factor * found.separation, abs=factor * NEAR * size_of(scene))


@by_family
def test_gjk_and_epa_have_witness_points_too(family: Family) -> None:
    for scene in scenes(150, 15, (family,)):
        found = signed_distance(support_maps(scene.a, scene.b))
        between = found.witness_b - found.witness_a
        near = NEAR * size_of(scene)
        assert between == pytest.approx(found.separation * found.normal, abs=near), scene
        proven = certificate(scene.a, scene.b, found.normal)
        assert proven == pytest.approx(found.separation, abs=near), scene


def test_a_side_in_pieces_keeps_its_foot() -> None:
    """GJK of squares finds points in the middle of the difference's sides, and EPA's nearest edge may be a piece."""
    square = Polygon.of([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    for x, y in product(np.arange(-1.5, 1.75, 0.25).tolist(), repeat=2):
        difference = support_maps(Body.in_plane(square), Body.in_plane(square, (x, y)))
        for way in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0), (0.0, -1.0, 0.0)):
            found = signed_distance(difference, GjkSettings(first_direction=way))
            assert found.separation == max(abs(x), abs(y)) - 2.0
            between = found.witness_b - found.witness_a
            assert between == pytest.approx(found.separation * found.normal, abs=1e-14)


def test_moving_b_by_the_mtv_leaves_a_touch() -> None:
    left = 0
    for scene in scenes(300, 8, FAMILIES[:5]):
        found = analyse(scene)
        if found.mtv is None:
            continue
        x, y, _ = scene.b.position
        there = Scene(scene.a, Body.in_plane(scene.b.shape, (x + found.mtv[0], y + found.mtv[1]), scene.b.angle))
        assert abs(analyse(there).separation) <= NEAR * size_of(scene)
        left += 1
    assert left > some(100)


def test_both_sub_distances_give_one_answer() -> None:
    for scene in scenes(200, 9):
        difference = support_maps(scene.a, scene.b)
        one, other = (
            signed_distance(difference, GjkSettings(sub_distance=method))
            for method in (SubDistance.VORONOI, SubDistance.SIGNED_VOLUMES)
        )
        assert one.separation == pytest.approx(other.separation, abs=NEAR * size_of(scene))


def test_any_first_direction_gives_the_same_distance() -> None:
    rng = np.random.default_rng(10)
    for scene in scenes(200, 10):
        difference = support_maps(scene.a, scene.b)
        angle = float(rng.uniform(0.0, math.tau))
        there = GjkSettings(first_direction=(math.cos(angle), math.sin(angle), 0.0))
        found = signed_distance(difference, there)
        assert found.separation == pytest.approx(brute_force(scene), abs=NEAR * size_of(scene))


def test_epas_bounds_hold_with_the_origin_outside() -> None:
    steps = 0
    for scene in scenes(150, 21):
        truth = brute_force(scene) + PlanePair.of(scene.a, scene.b).radius
        difference = support_maps(scene.a, scene.b)
        if truth > NEAR * size_of(scene):
            for step in record(epa_polygon_steps(difference, (difference.support((0.3, -1.0, 0.0)),))).steps[1:]:
                steps += 1
                # The line of the nearest edge alone proves less: the way to the polygon may end beside its foot.
                assert step.lower <= -truth + NEAR * size_of(scene)
                assert step.upper >= -truth - NEAR * size_of(scene)
    assert steps > some(20)


@by_family
def test_the_bounds_hold_at_every_step(family: Family) -> None:
    for scene in scenes(100, 11, (family,)):
        pair = PlanePair.of(scene.a, scene.b)
        truth = brute_force(scene) + pair.radius
        near = 1e-14 * size_of(scene)
        recording = record(signed_distance_steps(support_maps(scene.a, scene.b)))
        assert recording.result is not None
        gjk = [step for step in recording.steps if hasattr(step, "simplex")]
        epa = [step for step in recording.steps if not hasattr(step, "simplex")]
        for step in gjk:
            assert max(truth, 0.0) <= step.upper + near
            assert step.lower <= max(truth, 0.0) + near
            assert 1 <= len(step.simplex) <= 3
            assert sum(step.weights) == pytest.approx(1.0)
        assert [step.stop is None for step in gjk] == [True] * (len(gjk) - 1) + [False]
        for step in epa[1:]:
            assert step.lower <= -truth + near
            assert step.upper >= -truth - near
            assert_polygon(step)
        assert len(gjk) <= 43


def assert_polygon(step: object) -> None:
    """EPA's edges are one loop."""
    edges = step.edges
    assert all(edges[k].start == edges[k - 1].end for k in range(len(edges)))


def test_representative_stops() -> None:
    stops: Counter[str] = Counter()
    for scene in scenes(900, 12):
        found = analyse(scene)
        stops[found.gjk.stop] += 1
        if found.epa is not None:
            stops[f"EPA {found.epa.stop}"] += 1
    assert {GjkStop.OVERLAP_ENCLOSED, GjkStop.OVERLAP_TOUCHING, GjkStop.CONVERGED} <= set(stops)
    assert stops[f"EPA {EpaStop.FLAT_POLYTOPE}"] > 0  # circles with one centre
    assert not {GjkStop.ITERATION_LIMIT, GjkStop.DEGENERATE_SIMPLEX, GjkStop.NO_PROGRESS} & set(stops)
    assert f"EPA {EpaStop.ITERATION_LIMIT}" not in stops


def test_circles_as_curves_agree_and_say_how_well() -> None:
    """Asked as curves, a circle's answers come with a gap that holds the truth."""
    tight = 0
    for scene in scenes(120, 13, (general,)):
        found = signed_distance(support_maps(scene.a, scene.b, rounded="full"))
        truth = brute_force(scene)
        slack = 1e-13 * size_of(scene)
        assert found.lower - slack <= truth <= found.upper + slack
        tight += found.upper - found.lower <= 1e-9
    assert tight > some(90)


def test_circles_with_one_centre() -> None:
    found = analyse(Scene(Body.in_plane(Circle(2.0), (5.0, 5.0)), Body.in_plane(Circle(0.5), (5.0, 5.0))))
    assert found.separation == -2.5
    assert found.normal.tolist() == [1.0, 0.0, 0.0]
    assert found.mtv.tolist() == [2.5, 0.0, 0.0]
    assert found.sat.statuses[0].value == "DEGENERATE"
    assert found.sat.winner == 0
    assert found.epa is not None
    assert found.epa.stop is EpaStop.FLAT_POLYTOPE
    assert not found.disagreements


def test_a_centre_on_a_vertex_and_on_an_edge() -> None:
    square = Body.in_plane(Polygon.of([(-1, -1), (1, -1), (1, 1), (-1, 1)]))
    for at in ((1.0, 1.0), (1.0, 0.25)):
        found = analyse(Scene(square, Body.in_plane(Circle(0.5), at)))
        assert found.separation == -0.5
        assert not found.disagreements
    assert analyse(Scene(square, Body.in_plane(Circle(0.5), (1.3, 1.4)))).verdict is Verdict.TOUCHING
    beyond = analyse(Scene(square, Body.in_plane(Circle(0.25), (1.3, 1.4))))
    assert beyond.separation == pytest.approx(0.25, abs=1e-15)
    assert beyond.sat.candidates[beyond.sat.winner].label == "A.v2→B"
    assert beyond.sat.exact


def test_ties_and_parallel_rows_are_said() -> None:
    square = Polygon.of([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    found = plane_sat(Body.in_plane(square), Body.in_plane(square))
    assert found.winner == 0
    assert len(found.ties) == 7
    assert found.same_as.tolist() == [0, 1, 0, 1, 0, 1, 0, 1]
    assert found.separation == -2.0


def test_the_largest_gap_is_a_bound_and_says_so() -> None:
    square = Polygon.of([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    found = analyse(Scene(Body.in_plane(square), Body.in_plane(square, (5.0, 6.0))))
    assert found.separation == 5.0
    assert found.sat.separation == 4.0
    # Of two opposite sides on one line, the one that faces the other body.
    assert found.sat.candidates[found.sat.winner].label == "A.edge2"
    assert not found.sat.exact
    assert found.normal == pytest.approx((0.6, 0.8, 0.0))


def test_edges_of_the_difference_know_their_rows() -> None:
    for scene in scenes(200, 14, (general, lattice)):
        difference, table = minkowski_difference(scene.a, scene.b), plane_sat(scene.a, scene.b)
        for edge in difference.edges:
            axis, side = table.axes[edge.row], -1.0 if edge.edge_a is None else 1.0
            assert side * axis == pytest.approx((*edge.normal, 0.0), abs=1e-12)
            # The way out on that axis is the shorter of two: at most that across this edge.
            assert table.separations[edge.row] >= -edge.offset - difference.radius - 1e-12 * size_of(scene)


def test_a_gjk_result_alone() -> None:
    pair = support_maps(Body.in_plane(regular(5)), Body.in_plane(regular(3), (4.0, 0.5)))
    found = gjk(pair)
    assert found.certified
    assert found.separation == pytest.approx(
        brute_force(Scene(Body.in_plane(regular(5)), Body.in_plane(regular(3), (4.0, 0.5))))
    )
