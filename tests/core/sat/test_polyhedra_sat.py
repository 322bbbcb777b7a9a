"""The axis table of any two polyhedra, capsules and spheres, and of half-spaces, against brute force."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from msgspec.structs import replace

from core import Body, Box, Capsule, Cone, Cylinder, HalfSpace, Hull, Scene, Shape, Sphere
from core.geometry.quaternion import IDENTITY, from_axis_angle
from core.geometry.vector import length_rows
from core.sat.sat import AxisKind, AxisStatus, SatTable, final_normal_table, sat, sat_applies
from tests.core.explicit import explicit_distance
from tests.core.polyhedra_samples import (
    POLYHEDRAL,
    PairFamily,
    all_axes,
    boxed,
    extent,
    gaps,
    offset,
    prism,
    random_hulls,
    rounded,
    sample,
    turn,
)
from tests.selection import some


def table_of(scene: Scene) -> SatTable:
    return sat(scene.a, scene.b)


@pytest.mark.parametrize("family", POLYHEDRAL)
def test_the_pruned_table_says_what_all_axes_say(family: PairFamily) -> None:
    """Overlapping, the same depth. Apart, the same verdict: both gaps are lower bounds of the one distance.

    An axis that builds no face can show a larger gap, where a vertex or the end of an edge is nearest.
    """
    hits = 0
    for scene in sample(family, 150, seed=4):
        table, size = table_of(scene), extent(scene)
        brute = float(gaps(scene, all_axes(scene)).max())
        if max(brute, table.separation) <= 1e-12 * size:
            hits += 1
            assert table.separation == pytest.approx(brute, abs=1e-12 * size)
        else:
            distance = explicit_distance(scene.a, scene.b).separation
            assert 0.0 < table.separation <= brute + 1e-12 * size
            assert brute <= distance + 1e-12 * size
            if table.separation == pytest.approx(distance, abs=1e-12 * size):
                assert brute == pytest.approx(table.separation, abs=1e-12 * size)
    assert some(30) <= hits <= some(130)


def test_the_rows_are_the_faces_of_the_difference_and_no_more() -> None:
    for scene in sample(random_hulls, 40, seed=5):
        table = table_of(scene)
        a, b = scene.a.shape, scene.b.shape
        assert isinstance(a, Hull)
        assert isinstance(b, Hull)
        kinds = Counter(candidate.kind for candidate in table.candidates)
        assert kinds[AxisKind.FACE_A] == len(a.polyhedron.faces)
        assert kinds[AxisKind.FACE_B] == len(b.polyhedron.faces)
        assert kinds[AxisKind.EDGES] < len(a.polyhedron.edges) * len(b.polyhedron.edges) / 2
        assert table.same_as.tolist() == list(range(len(table.axes)))


def test_labels_name_faces_and_edges() -> None:
    scene = Scene(Body(prism(5), (0, 0, 0), turn(np.random.default_rng(1))), Body(Box((1, 1, 1)), (0.3, 0.2, 0.1)))
    table = table_of(scene)
    labels = [candidate.label for candidate in table.candidates]
    assert labels[:10] == [f"A.face{k}" for k in range(7)] + ["B.x", "B.y", "B.z"]
    for candidate in table.candidates[10:]:
        assert candidate.label == f"A.edge{candidate.feature_a}×B.{'xyz'[candidate.feature_b or 0]}"
    assert len(set(labels)) == len(labels)


@pytest.mark.parametrize("family", POLYHEDRAL)
def test_every_row_is_a_unit_axis_with_the_bodies_intervals(family: PairFamily) -> None:
    for scene in sample(family, 40, seed=6):
        table, size = table_of(scene), extent(scene)
        known = np.array([status is not AxisStatus.DEGENERATE for status in table.statuses])
        assert length_rows(table.axes)[known] == pytest.approx(1.0, abs=1e-14)
        assert table.separations[known] == pytest.approx(gaps(scene, table.axes[known]), abs=2e-15 * size)
        assert table.sides[table.winner] * table.axes[table.winner] == pytest.approx(table.normal, abs=0.0)


@pytest.mark.parametrize("angle", [1e-14, 1e-12, 1e-10, 1e-8, 1e-6, 1e-4])
def test_boxes_given_as_hulls_say_what_boxes_say(angle: float) -> None:
    rng = np.random.default_rng(7)
    for _ in range(some(20)):
        sizes = [tuple(rng.uniform(0.3, 2.0, size=3)) for _ in range(2)]
        place = (0.0, 0.5 * (sizes[0][1] + sizes[1][1]) - 0.05, 0.0) if rng.random() < 0.5 else offset(rng, 0.7)
        poses = [((0.0, 0.0, 0.0), IDENTITY), (place, from_axis_angle((1, 2, 3), angle))]
        boxes, hulls = (
            Scene(*(Body(make(size), *pose) for size, pose in zip(sizes, poses, strict=True))) for make in (Box, boxed)
        )
        exact, found = table_of(boxes), table_of(hulls)
        if exact.separation <= 0.0:
            assert found.separation == pytest.approx(exact.separation, abs=1e-12 * extent(boxes))
        assert found.verdict is exact.verdict


def test_nearly_parallel_edges_are_greyed_and_name_the_faces_beside_them() -> None:
    scene = Scene(Body(boxed((1, 2, 3))), Body(boxed((2, 1, 1)), (0.5, 1.0, 0.2), from_axis_angle((1, 2, 3), 1e-3)))
    table = table_of(scene)
    nearly = [candidate for candidate in table.candidates if candidate.nearly_parallel]
    assert nearly
    for candidate in nearly:
        assert candidate.sine < 0.005
        assert 1 <= len(candidate.covered_by) <= 2
        assert all(table.candidates[k].kind is not AxisKind.EDGES for k in candidate.covered_by)


def test_rounded_shapes_have_their_true_distance_in_the_table() -> None:
    hits = 0
    for scene in sample(rounded, 200, seed=8):
        table, size = table_of(scene), extent(scene)
        distance = explicit_distance(scene.a, scene.b).separation
        assert table.exact
        assert table.applies
        assert table.separation == pytest.approx(distance, abs=1e-12 * size)
        hits += distance <= 0.0
    assert some(50) <= hits <= some(150)


def test_the_axis_of_the_closest_points_names_them() -> None:
    upright, lying = Capsule(0.2, 1.0), from_axis_angle((0, 0, 1), np.pi / 2)
    labels = {
        sat(Body(upright), Body(upright, (1.0, 0.2, 0.0))).candidates[-1].label,
        sat(Body(upright), Body(Sphere(0.1), (0.0, 2.0, 0.0))).candidates[-1].label,
        sat(Body(prism(6)), Body(Sphere(0.1), (0.0, 2.0, 0.0))).candidates[-1].label,
        sat(Body(upright), Body(upright, (0.0, 2.0, 0.0), lying)).candidates[-1].label,
    }
    assert "A.end1→B" in labels
    assert "A.end1→B.axis" in labels
    assert any(label.startswith("A.face") and label.endswith("→B") for label in labels)


def test_capsules_whose_segments_lie_on_one_line_still_have_an_axis() -> None:
    capsule = Capsule(0.3, 1.0)
    for other in (capsule, Sphere(0.5)):
        table = sat(Body(capsule), Body(other, (0.0, 0.4, 0.0)))
        assert table.separation == pytest.approx(-0.3 - other.radius, abs=1e-15)
        assert table.normal[1] == pytest.approx(0.0, abs=1e-15)


@pytest.mark.parametrize(
    "shape", [Box((1, 1, 1)), prism(6), Sphere(0.5), Capsule(0.2, 1), Cylinder(0.5, 1), Cone(1, 2)]
)
@pytest.mark.parametrize("space_first", [True, False])
def test_a_half_space_has_its_one_axis(shape: Shape, space_first: bool) -> None:
    rng = np.random.default_rng(9)
    for _ in range(20):
        body = Body(shape, offset(rng), turn(rng))
        space = Body(HalfSpace((0.0, 2.0, 1.0), 0.3), offset(rng), turn(rng))
        pair = (space, body) if space_first else (body, space)
        table = sat(*pair)
        found = explicit_distance(*pair)
        assert len(table.candidates) == 1
        assert table.candidates[0].label == ("A.plane" if space_first else "B.plane")
        assert table.exact
        assert table.separation == pytest.approx(found.separation, abs=1e-14)
        assert table.normal == pytest.approx(found.normal, abs=1e-15)
        assert np.isinf(table.interval_a if space_first else table.interval_b).sum() == 1


def test_where_sat_does_not_apply_the_table_shows_the_final_normal_only() -> None:
    a, b = Body(Cylinder(0.5, 1.0)), Body(Box((1, 1, 1)), (1.2, 0.0, 0.0))
    assert not sat_applies(a, b)
    with pytest.raises(TypeError):
        sat(a, b)
    table = final_normal_table(a, b, np.array((1.0, 0.0, 0.0)), exact=True)
    assert not table.applies
    assert len(table.candidates) == 1
    assert table.separation == pytest.approx(0.2)
    assert sat(Body(Box((1, 1, 1))), Body(Box((1, 1, 1)))).applies


def test_two_half_spaces_are_refused() -> None:
    space = Body(HalfSpace((0, 1, 0), 0.0))
    assert not sat_applies(space, space)
    with pytest.raises(ValueError, match="half-space"):
        sat(space, replace(space, position=(0.0, 1.0, 0.0)))
