"""The axis table against brute force over every edge pair."""

from __future__ import annotations

from collections import Counter
from math import pi, sqrt

import numpy as np
import pytest

from core import Body, Box, Scene, Sphere, Verdict
from core.geometry.quaternion import from_axis_angle, multiply, normalized
from core.sat.sat import AxisKind, AxisStatus, SatTable, sat, sat_steps
from core.sat.table import projections_of
from core.trace import record
from tests.oracles import axes_of, brute_force_sat, corners_of, extent_of, gap_along, hull_of_differences
from tests.selection import some
from tests.strategies import (
    FAMILIES,
    Family,
    box_scene,
    contained,
    cubes,
    cubes_on_a_lattice,
    general,
    near_aligned,
    sample,
    sphere_box,
    sphere_sphere,
)

LABELS = [f"{body}.{k}" for body in "AB" for k in "xyz"] + [f"A.{i}×B.{j}" for i in "xyz" for j in "xyz"]


def table_of(scene: Scene) -> SatTable:
    return sat(scene.a, scene.b)


def labels(table: SatTable, rows: tuple[int, ...] | list[int]) -> list[str]:
    return [table.candidates[k].label for k in rows]


# ---- which axes ----


def test_s3_fifteen_axes_in_order_with_their_features() -> None:
    table = table_of(next(sample(general, 1)))
    assert labels(table, list(range(15))) == LABELS
    kinds = [candidate.kind for candidate in table.candidates]
    assert kinds == [AxisKind.FACE_A] * 3 + [AxisKind.FACE_B] * 3 + [AxisKind.EDGES] * 9
    features = [(candidate.feature_a, candidate.feature_b) for candidate in table.candidates]
    assert features[:6] == [(0, None), (1, None), (2, None), (None, 0), (None, 1), (None, 2)]
    assert features[6:] == [(i, j) for i in range(3) for j in range(3)]


def test_s3_face_normals_are_the_boxes_own_and_products_right_handed() -> None:
    for scene in sample(general, 20):
        table, of_a, of_b = table_of(scene), axes_of(scene.a), axes_of(scene.b)
        assert table.axes[:3] == pytest.approx(of_a.T, abs=1e-15)
        assert table.axes[3:6] == pytest.approx(of_b.T, abs=1e-15)
        products = np.array([np.cross(of_a[:, i], of_b[:, j]) for i in range(3) for j in range(3)])
        sines = np.linalg.norm(products, axis=1)
        assert table.axes[6:] == pytest.approx(products / sines[:, None], abs=1e-13)
        assert [candidate.sine for candidate in table.candidates[6:]] == pytest.approx(sines, abs=1e-14)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_axis_is_a_unit_vector_or_exactly_zero(family: Family) -> None:
    for scene in sample(family, 60, seed=2):
        table = table_of(scene)
        lengths = np.linalg.norm(table.axes, axis=1)
        degenerate = np.array([status is AxisStatus.DEGENERATE for status in table.statuses])
        assert (lengths[degenerate] == 0.0).all()
        assert lengths[~degenerate] == pytest.approx(1.0, abs=1e-15)
        assert np.isnan(table.separations[degenerate]).all()
        assert np.isfinite(table.separations[~degenerate]).all()


@pytest.mark.parametrize("angle", [1e-14, 1e-12, 1e-10, 1e-8, 1e-6, 1e-4])
def test_products_of_nearly_parallel_edges_keep_their_digits(angle: float) -> None:
    # About y, so that A.x×B.x and A.z×B.z are ±y whatever the angle, and A.y×B.y has no direction.
    table = table_of(box_scene((1, 2, 3), (3, 2, 1), (0.1, 0.2, 0.3), turn_b=from_axis_angle((0, 1, 0), angle)))
    for row in (6, 14):
        assert np.abs(table.axes[row]) == pytest.approx([0, 1, 0], abs=1e-16)
        assert table.candidates[row].sine == pytest.approx(angle, rel=1e-2)
        assert table.same_as[row] == 1
        assert table.candidates[row].nearly_parallel
        assert table.candidates[row].covered_by == (1,)
    assert table.statuses[10] is AxisStatus.DEGENERATE


def test_parallel_edges_are_degenerate_and_name_the_faces_round_them() -> None:
    table = table_of(box_scene((1, 2, 3), (3, 2, 1), (0.1, 0.2, 0.3)))
    assert [row for row in range(15) if table.statuses[row] is AxisStatus.DEGENERATE] == [6, 10, 14]
    assert [labels(table, table.candidates[row].covered_by) for row in (6, 10, 14)] == [
        ["A.y", "A.z"],
        ["A.x", "A.z"],
        ["A.x", "A.y"],
    ]
    # Products of perpendicular edges of aligned boxes are face normals once more.
    assert table.same_as.tolist() == [0, 1, 2, 0, 1, 2, 6, 2, 1, 2, 10, 0, 1, 0, 14]


def test_a_nearly_parallel_pair_names_the_two_faces_its_axis_lies_between() -> None:
    turn = multiply(from_axis_angle((1, 0, 0), 0.5), from_axis_angle((0, 1, 1), 1e-3))
    table = table_of(box_scene((1, 2, 3), (3, 2, 1), (0.1, 0.2, 0.3), turn_b=normalized(turn)))
    row = LABELS.index("A.x×B.x")
    covered = table.candidates[row].covered_by
    assert table.candidates[row].nearly_parallel
    assert len(covered) == 2
    angles = [np.arccos(abs(table.axes[row] @ table.axes[k])) for k in covered]
    between = np.arccos(abs(table.axes[covered[0]] @ table.axes[covered[1]]))
    assert sum(angles) == pytest.approx(between, abs=2e-3)
    assert all(not table.candidates[k].covered_by for k in range(15) if k != row)


# ---- intervals ----


@pytest.mark.parametrize("family", FAMILIES)
def test_s4_intervals_are_the_projections_of_the_vertices(family: Family) -> None:
    for scene in sample(family, 40, seed=3):
        table, size = table_of(scene), extent_of(scene)
        at_a, at_b = corners_of(scene)
        for row, axis in enumerate(table.axes):
            if not axis.any():
                continue
            on_a, on_b = at_a @ axis, at_b @ axis
            assert table.interval_a[row] == pytest.approx((on_a.min(), on_a.max()), abs=4e-15 * size)
            assert table.interval_b[row] == pytest.approx((on_b.min(), on_b.max()), abs=4e-15 * size)
            assert table.offset[row] == pytest.approx(axis @ np.array(scene.a.position))
            assert table.separations[row] == pytest.approx(gap_along(scene, axis), abs=8e-15 * size)


# ---- verdict, depth, normal ----


def test_random_pairs_agree_with_brute_force_and_are_representative() -> None:
    winners: Counter[AxisKind] = Counter()
    overlapping = 0
    scenes = list(sample(general, 300))
    for scene in scenes:
        table = table_of(scene)
        assert table.separation == pytest.approx(brute_force_sat(scene), abs=1e-14 * extent_of(scene))
        winners[table.candidates[table.winner].kind] += 1
        overlapping += table.verdict is Verdict.OVERLAPPING
    assert 0.3 <= overlapping / len(scenes) <= 0.7
    assert min(winners[kind] for kind in (AxisKind.FACE_A, AxisKind.FACE_B, AxisKind.EDGES)) >= some(20)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_agrees_with_brute_force(family: Family) -> None:
    for scene in sample(family, 40, seed=6):
        table, size = table_of(scene), extent_of(scene)
        # Brute force leaves out products below 1e-7, where the plain product is noise: never better, hardly worse.
        assert table.separation >= brute_force_sat(scene) - 1e-14 * size
        if table.separation <= 0.0:
            assert -table.separation == pytest.approx(hull_of_differences(scene).depth, abs=1e-11 * size)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_winner_is_the_lowest_row_of_the_largest_separation(family: Family) -> None:
    for scene in sample(family, 60, seed=8):
        table, size = table_of(scene), extent_of(scene)
        best = np.nanmax(table.separations[[c.sine > 1e-14 for c in table.candidates]])
        assert table.separation == table.separations[table.winner]
        assert table.separation >= best - 4e-15 * size
        assert (table.separations[: table.winner] < best).all() or table.winner == 0
        for row in table.ties:
            assert abs(table.separations[row] - table.separation) <= 1e-12 * size
        apart = [k for k in range(15) if k != table.winner and k not in table.ties]
        assert not (np.abs(table.separations[apart] - table.separation) <= 1e-12 * size).any()
        assert table.normal == pytest.approx(table.sides[table.winner] * table.axes[table.winner])


def test_s6_the_normal_runs_from_a_to_b() -> None:
    for x in (0.9, 1.1, 1.0, 3.0):
        assert table_of(cubes(0.5, 0.5, (x, 0, 0))).normal.tolist() == [1, 0, 0]
        assert table_of(cubes(0.5, 0.5, (-x, 0, 0))).normal.tolist() == [-1, 0, 0]
    for scene in sample(general, 100):
        table = table_of(scene)
        assert gap_along(scene, table.normal) == pytest.approx(table.separation, abs=1e-14)
        moved_apart = (table.normal @ np.subtract(scene.b.position, scene.a.position)) > 0.0
        assert moved_apart


def test_s6_under_containment_the_depth_is_the_way_out_and_not_the_inner_length() -> None:
    table = table_of(cubes(5.0, 0.5, (1.0, 0.0, 0.0)))
    assert table.separation == pytest.approx(-4.5)
    assert table.normal.tolist() == [1, 0, 0]
    assert table_of(cubes(5.0, 0.5, (-1.0, 0.0, 0.0))).normal.tolist() == [-1, 0, 0]
    for scene in sample(contained, 60):
        found = table_of(scene)
        assert found.verdict is Verdict.OVERLAPPING
        assert -found.separation == pytest.approx(hull_of_differences(scene).depth, abs=1e-12)


def test_s6_depths_beyond_the_articles_start_vector_are_found() -> None:
    assert table_of(cubes(20_000.0, 20_000.0, (100.0, 0, 0))).separation == pytest.approx(-39_900.0)


def test_coincident_centres_take_the_positive_side() -> None:
    table = table_of(cubes(0.5, 0.5, (0, 0, 0)))
    assert table.separation == -1.0
    assert table.winner == 0
    assert len(table.ties) == 11
    assert table.normal.tolist() == [1, 0, 0]
    assert (table.sides == 1).all()


@pytest.mark.parametrize(
    ("at", "gap"),
    [((1.0, 0.3, 0.2), "face"), ((1.0, 1.0, 0.2), "edge"), ((1.0, 1.0, 1.0), "corner")],
)
def test_s5_touching_is_a_verdict_of_its_own(at: tuple[float, float, float], gap: str) -> None:
    table = table_of(cubes(0.5, 0.5, at))
    assert table.verdict is Verdict.TOUCHING, gap
    assert table.separation == 0.0
    assert table.statuses[table.winner] is AxisStatus.TOUCHING
    assert table.winner == 0


def test_s5_statuses_follow_each_axis() -> None:
    table = table_of(cubes(0.5, 0.5, (2.0, 1.0, 0.0)))
    assert [table.statuses[k].value for k in range(3)] == ["SEPARATING", "TOUCHING", "OVERLAPPING"]
    assert table.statuses[6] is AxisStatus.DEGENERATE


def test_exact_touching_on_a_lattice_is_never_a_coin_toss() -> None:
    seen: Counter[Verdict] = Counter()
    for scene in sample(cubes_on_a_lattice, 300):
        largest = float(np.abs(np.subtract(scene.b.position, scene.a.position)).max())
        table = table_of(scene)
        assert table.separation == pytest.approx(largest - 1.0, abs=1e-15)
        assert table.verdict is (Verdict.TOUCHING if largest == 1.0 else Verdict.OVERLAPPING)
        seen[table.verdict] += 1
    assert len(seen) == 2


def test_v6_crossed_edges_are_apart_only_on_an_edge_axis() -> None:
    # The manual's picture: two bars edge to edge. The faces alone say "overlapping".
    turn_a, turn_b = from_axis_angle((1, 0, 0), pi / 4), from_axis_angle((0, 0, 1), pi / 4)
    scene = box_scene((6, 1, 1), (1, 1, 6), (0, sqrt(2) + 0.01, 0), turn_a, turn_b)
    table = table_of(scene)
    assert table.candidates[table.winner].label == "A.x×B.z"
    assert table.verdict is Verdict.SEPARATED
    assert table.separation == pytest.approx(0.01)
    assert (table.separations[:6] < 0.0).all()


def test_p7_disjoint_exactly_when_the_centres_are_farther_than_the_radii() -> None:
    for scene in sample(general, 100):
        table = table_of(scene)
        halves = [np.array(body.shape.size) / 2 for body in (scene.a, scene.b) if isinstance(body.shape, Box)]
        for row, axis in enumerate(table.axes):
            radii = np.abs(axis @ axes_of(scene.a)) @ halves[0] + np.abs(axis @ axes_of(scene.b)) @ halves[1]
            distance = abs(axis @ np.subtract(scene.b.position, scene.a.position))
            assert (table.statuses[row] is AxisStatus.SEPARATING) == (distance > radii)


def test_a_face_wins_over_edges_that_rounding_cannot_tell_from_it() -> None:
    by_edges = 0
    for scene in sample(near_aligned, 200):
        table = table_of(scene)
        own = table.candidates[table.winner]
        if own.kind is AxisKind.EDGES:
            faces = table.separations[:6].max()
            assert table.separation - faces > 3e-15 * extent_of(scene)
            by_edges += 1
    assert by_edges


def test_edges_parallel_to_rounding_never_win() -> None:
    for scene in sample(near_aligned, 300, seed=9):
        table = table_of(scene)
        assert table.candidates[table.winner].sine > 1e-15


# ---- spheres ----


def test_a_sphere_beside_a_box_adds_one_axis_from_the_closest_feature() -> None:
    box, ball = Body(Box((2, 2, 2))), Sphere(0.5)
    cases = {
        (3.0, 3.0, 3.0): "A.v4→B",
        (3.0, 3.0, 0.0): "A.v4-v7→B",
        (0.2, -3.0, 0.0): "A.-y→B",
    }
    for at, label in cases.items():
        table = sat(box, Body(ball, at))
        assert labels(table, [0, 1, 2, 3]) == ["A.x", "A.y", "A.z", label]
        assert table.candidates[3].kind is AxisKind.CENTRES
        assert table.exact


def test_the_closest_axis_comes_from_the_box_also_when_the_sphere_is_a() -> None:
    table = sat(Body(Sphere(0.5), (3.0, 3.0, 3.0)), Body(Box((2, 2, 2))))
    assert labels(table, [0, 1, 2, 3]) == ["B.x", "B.y", "B.z", "B.v4→A"]
    assert table.winner == 3
    assert table.normal == pytest.approx(-np.ones(3) / sqrt(3))
    assert table.separation == pytest.approx(2 * sqrt(3) - 0.5)


def test_beyond_a_face_the_closest_axis_is_that_faces_normal_once_more() -> None:
    table = sat(Body(Box((2, 2, 2))), Body(Sphere(0.5), (0.2, -3.0, 0.1)))
    assert table.same_as.tolist() == [0, 1, 2, 1]
    assert table.candidates[3].covered_by == (1,)
    assert table.winner == 1
    assert table.ties == (3,)
    assert table.normal.tolist() == [0, -1, 0]


def test_with_the_centre_inside_there_is_no_closest_feature() -> None:
    table = sat(Body(Box((2, 2, 2))), Body(Sphere(0.5), (0.2, -0.3, 0.1)))
    assert labels(table, [0, 1, 2]) == ["A.x", "A.y", "A.z"]
    assert len(table.candidates) == 3
    assert table.separation == pytest.approx(-1.2)
    assert table.normal.tolist() == [0, -1, 0]


def test_two_spheres_have_the_axis_between_their_centres() -> None:
    table = sat(Body(Sphere(1.0)), Body(Sphere(0.5), (0.0, 3.0, 0.0)))
    assert labels(table, [0]) == ["A→B"]
    assert table.axes.tolist() == [[0, 1, 0]]
    assert table.interval_a.tolist() == [[-1, 1]]
    assert table.interval_b.tolist() == [[2.5, 3.5]]
    assert table.separation == 1.5


def test_coincident_spheres_have_no_axis_and_still_an_answer() -> None:
    table = sat(Body(Sphere(1.0), (5, 5, 5)), Body(Sphere(0.5), (5, 5, 5)))
    assert table.statuses == (AxisStatus.DEGENERATE,)
    assert not table.axes.any()
    assert table.separation == -1.5
    assert table.normal.tolist() == [1, 0, 0]
    assert table.exact


@pytest.mark.parametrize("family", [sphere_box, sphere_sphere])
def test_sphere_tables_are_exact(family: Family) -> None:
    kinds: Counter[AxisKind] = Counter()
    for scene in sample(family, 200):
        table = table_of(scene)
        assert table.exact
        kinds[table.candidates[table.winner].kind] += 1
    if family is sphere_box:
        assert min(kinds[kind] for kind in (AxisKind.FACE_A, AxisKind.FACE_B, AxisKind.CENTRES)) >= some(20)


def test_rows_that_agree_share_one_line() -> None:
    for scene in sample(near_aligned, 100, seed=12):
        table = table_of(scene)
        for row, lowest in enumerate(table.same_as):
            assert lowest <= row
            assert table.same_as[lowest] == lowest
            if lowest != row:
                lines = table.axes[row], table.axes[lowest]
                assert min(np.abs(lines[0] - lines[1]).max(), np.abs(lines[0] + lines[1]).max()) <= 2e-12


def test_identity_is_no_special_case_of_a_turned_world() -> None:
    turn = from_axis_angle((1, 2, 3), 1.1)
    plain = table_of(cubes(0.5, 0.5, (0.8, 0.3, 0.2)))
    pose = Body(Box((1, 1, 1)), (0, 0, 0), turn).pose
    at = pose.to_world(np.array((0.8, 0.3, 0.2)))
    turned = table_of(cubes(0.5, 0.5, at, turn, turn))
    assert plain.winner == turned.winner == 0
    assert plain.ties == turned.ties
    assert turned.separation == pytest.approx(plain.separation)


@pytest.mark.parametrize("family", [general, cubes_on_a_lattice])
def test_steps_lead_with_the_largest_separation_so_far_and_of_equal_ones_with_the_lowest_row(family: Family) -> None:
    for scene in sample(family, 30, seed=14):
        table = table_of(scene)
        apart = [row for row, status in enumerate(table.statuses) if status is AxisStatus.SEPARATING]
        known = {row: own for row, own in enumerate(table.separations.tolist()) if not np.isnan(own)}
        for row, step in enumerate(record(sat_steps(table)).steps):
            best = min((-own, k) for k, own in known.items() if k <= row)[1]
            assert (step.row, step.separation, step.best) == (row, known.get(row), best)
            assert step.improved == (best == row)
            assert (step.first_gap, step.ruled_out) == (apart[:1] == [row], bool(apart) and apart[0] < row)


def test_no_end_of_an_interval_is_a_negative_zero() -> None:
    """Which zero is the least of a positive and a negative one goes by the processor, and both are printed."""
    zeros = np.array([[-0.0, 0.0], [0.0, -0.0], [-0.0, -0.0]])
    found = projections_of(zeros, zeros)
    for numbers in (found.interval_a, found.interval_b, found.separations):
        assert not np.signbit(numbers).any()
