"""The rows of two cores and the names of their features: against the bodies' own axes, faces and edges."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from core import Body, Scene
from core.geometry.quaternion import from_axis_angle
from core.geometry.tolerances import NEARLY_PARALLEL_SIN, SAME_AXIS_SIN
from core.pair.candidate_axes import (
    AxisKind,
    CandidateAxis,
    axes_of_boxes,
    box_axes,
    box_candidates,
    cosines_between,
    same_lines,
)
from core.pair.cores import Core, CoreKind, core_of, cores_of, has_core
from core.pair.features import contact_vertices
from core.pair.gauss_map import pair_axes
from core.shapes import Box, Capsule, Cone, Ellipsoid, HalfSpace, Hull, Rounded, Sphere
from tests.core.polyhedra_samples import POLYHEDRAL, PairFamily, prism, sample, turn
from tests.oracles import axes_of, vertices_of

SQUARE = Hull(((-1.0, 0.0, -1.0), (1.0, 0.0, -1.0), (1.0, 0.0, 1.0), (-1.0, 0.0, 1.0)))
KINDS = {
    CoreKind.POINT: Sphere(1.0),
    CoreKind.SEGMENT: Capsule(0.5, 1.0),
    CoreKind.POLYGON: SQUARE,
    CoreKind.BOX: Rounded(Box((1.0, 2.0, 3.0)), 0.25),
    CoreKind.HULL: prism(5),
}


@pytest.mark.parametrize("name", ["A", "B"])
@pytest.mark.parametrize("kind", KINDS)
def test_each_feature_of_a_core_has_the_name_of_its_kind(kind: CoreKind, name: str) -> None:
    body = Body(KINDS[kind], rotation=turn(np.random.default_rng(2)))
    core = core_of(body, name, np.array((1.0, 2.0, 3.0)))
    assert (core.kind, core.name, core.radius) == (kind, name, body.shape.core.radius)
    assert core.has_volume == (kind in (CoreKind.BOX, CoreKind.HULL))
    assert core.solid.vertices == pytest.approx(body.shape.core.points @ axes_of(body).T + (1.0, 2.0, 3.0), abs=1e-14)
    vertices = [core.vertex_name(k) for k in range(len(core.solid.vertices))]
    if kind is CoreKind.POINT:
        assert vertices == ["centre"]
    elif kind is CoreKind.SEGMENT:
        assert vertices == ["end0", "end1"]
        assert {core.edge_name(k) for k in range(3)} == {"axis"}
        assert core.edge_line_label(0) == f"{name}.axis"
        assert core.feature_name((0, 1)) == "axis"
    else:
        assert vertices == [f"v{k}" for k in range(len(vertices))]
    for k, (p, q) in enumerate(core.solid.edges.tolist()):
        along = core.solid.vertices[q] - core.solid.vertices[p]
        assert core.edge_units[k] == pytest.approx(along / np.linalg.norm(along), abs=1e-14)
        if kind is CoreKind.BOX:
            assert core.edge_name(k) == f"v{min(p, q)}-v{max(p, q)}" == core.feature_name((q, p))
            axis = int(np.abs(axes_of(body).T @ along).argmax())
            assert core.edge_line_label(int(core.edge_lines[k])) == f"{name}.{'xyz'[axis]}"
            assert core.edge_sides[k] == np.sign(axes_of(body).T @ along)[axis]
        elif kind in (CoreKind.HULL, CoreKind.POLYGON):
            number = k if kind is CoreKind.HULL else k % (len(core.solid.edges) // 2)
            assert core.edge_name(k) == f"edge{number}" == core.feature_name((q, p))
            assert core.edge_line_label(number) == f"{name}.edge{number}"
    assert core.area_faces == {CoreKind.POLYGON: 2, CoreKind.BOX: 6, CoreKind.HULL: 7}.get(kind, 0)
    for k in range(core.area_faces):
        loop = core.solid.faces[k]
        line = int(core.face_lines[k])
        normal = core.face_sides[k] * core.line_axes[line]
        heights = core.solid.vertices @ normal
        assert heights[list(loop)] == pytest.approx(heights.max(), abs=1e-13)
        if kind is CoreKind.BOX:
            axis = int(np.abs(axes_of(body).T @ normal).argmax())
            sign = "+" if (axes_of(body).T @ normal)[axis] > 0 else "-"
            assert core.face_name(k) == sign + "xyz"[axis] == core.feature_name(loop)
            assert core.line_label(line) == f"{name}.{'xyz'[axis]}"
        else:
            assert core.face_name(k) == f"face{k}"
            assert core.line_label(line) == f"{name}.face{line}"
    if kind is CoreKind.POLYGON:
        assert [core.line_label(k) for k in (1, 4)] == [f"{name}.edge0×face0", f"{name}.edge3×face0"]
        for k, (p, q) in enumerate(core.solid.edges[:4].tolist()):
            # The edge's normal lies in the plane, across the edge, and outwards.
            assert float(core.line_axes[k + 1] @ (core.solid.vertices[q] - core.solid.vertices[p])) == pytest.approx(0)
            assert float(core.line_axes[k + 1] @ core.line_axes[0]) == pytest.approx(0.0, abs=1e-14)
            heights = core.solid.vertices @ core.line_axes[k + 1]
            assert heights[[p, q]] == pytest.approx(heights.max())
    if kind is CoreKind.BOX:
        opposite = int((core.solid.vertices @ -core.solid.vertices[0]).argmax())
        assert core.feature_name((0, 6 if opposite != 6 else 5, opposite)) == "inside"


def test_what_has_no_core_is_refused_by_name() -> None:
    assert [has_core(Body(one)) for one in (Box((1, 1, 1)), Sphere(1.0), Capsule(1.0, 1.0), SQUARE)] == [True] * 4
    for shape, word in ((Cone(1.0, 1.0), "cone"), (Ellipsoid((1.0, 2.0, 3.0)), "ellipsoid")):
        assert not has_core(Body(shape))
        for pair in ((Body(shape), Body(Sphere(1.0))), (Body(Sphere(1.0)), Body(shape))):
            with pytest.raises(TypeError, match=f"the {word} is no core grown by a radius"):
                cores_of(*pair)


@pytest.mark.parametrize("family", POLYHEDRAL)
def test_each_row_names_the_features_that_its_axis_comes_from(family: PairFamily) -> None:
    """A's faces, B's faces, pairs of edges; axes are across both edges; what shares a line has the lowest row."""
    for scene in sample(family, 6, seed=9):
        found = pair_axes(scene.a, scene.b)
        a, b = found.core_a, found.core_b
        faces_a, faces_b = len(a.line_axes), len(b.line_axes)
        kinds = [row.kind for row in found.candidates]
        assert kinds[: faces_a + faces_b] == [AxisKind.FACE_A] * faces_a + [AxisKind.FACE_B] * faces_b
        assert set(kinds[faces_a + faces_b :]) <= {AxisKind.EDGES}
        labels = [row.label for row in found.candidates]
        assert len(set(labels)) == len(labels) == len(found.axes) == len(found.same_as)
        for number, (row, axis) in enumerate(zip(found.candidates, found.axes, strict=True)):
            _judge_row(number, row, axis, a, b)
        _judge_lines(found.axes, found.same_as)
        for (ea, eb), row, side, turn_, crossing in zip(
            found.overlay.pairs.tolist(),
            found.pair_rows.tolist(),
            found.pair_sides.tolist(),
            found.overlay.turns.tolist(),
            found.overlay.crossing.tolist(),
            strict=True,
        ):
            if row < 0:
                continue
            candidate = found.candidates[row]
            assert (candidate.feature_a, candidate.feature_b) == (a.edge_lines[ea], b.edge_lines[eb])
            outward = side * found.axes[row]
            across = np.cross(a.edge_units[ea], b.edge_units[eb])
            if np.linalg.norm(across) > 1e-6:
                assert turn_ * float(outward @ across) > 0.0
                if crossing:
                    heights = a.solid.vertices @ outward
                    assert heights[a.solid.edges[ea]] == pytest.approx(heights.max(), abs=1e-7 * np.abs(heights).max())


def _judge_row(number: int, row: CandidateAxis, axis: np.ndarray, a: Core, b: Core) -> None:
    faces_a = len(a.line_axes)
    if row.kind is AxisKind.EDGES:
        assert row.feature_a is not None
        assert row.feature_b is not None
        ends = [(core, line) for core, line in ((a, row.feature_a), (b, row.feature_b))]
        assert row.label == "×".join(core.edge_line_label(line) for core, line in ends)
        one, other = (core.edge_units[list(core.edge_lines).index(line)] for core, line in ends)
        sine = float(np.linalg.norm(np.cross(one, other)))
        assert row.sine == pytest.approx(sine, rel=1e-7, abs=1e-15)
        if sine > 1e-9:
            assert [float(axis @ one), float(axis @ other)] == pytest.approx([0.0, 0.0], abs=1e-6)
        assert row.nearly_parallel == (row.sine < NEARLY_PARALLEL_SIN)
        if not row.nearly_parallel:
            assert row.covered_by == ()
    else:
        of_a = row.kind is AxisKind.FACE_A
        core, line = (a, number) if of_a else (b, number - faces_a)
        assert row.label == core.line_label(line)
        own = line if line in core.face_lines else None
        assert (row.feature_a, row.feature_b) == ((own, None) if of_a else (None, own))
        assert (row.sine, row.nearly_parallel, row.covered_by) == (1.0, False, ())
        assert axis.tolist() == core.line_axes[line].tolist()


def _judge_lines(axes: np.ndarray, same_as: np.ndarray) -> None:
    """`same_as` by comparing every pair."""
    for k, axis in enumerate(axes):
        apart = np.minimum(np.linalg.norm(axes - axis, axis=1), np.linalg.norm(axes + axis, axis=1))
        near = np.flatnonzero(apart[:k] < 0.5 * SAME_AXIS_SIN) if axis.any() else np.zeros(0, dtype=int)
        if same_as[k] == k:
            assert not len(near)
        else:
            assert same_as[k] < k
            assert apart[same_as[k]] < SAME_AXIS_SIN
            assert same_as[same_as[k]] == same_as[k]


def test_lines_that_agree_have_the_lowest_row_either_way_and_a_zero_row_its_own() -> None:
    rng = np.random.default_rng(4)
    for _ in range(40):
        lines = rng.normal(size=(6, 3))
        lines /= np.linalg.norm(lines, axis=1)[:, None]
        chosen = rng.integers(0, 7, 20)
        signs = rng.choice((-1.0, 1.0), 20)[:, None]
        axes = signs * np.concatenate((lines, np.zeros((1, 3))))[chosen] + 1e-15 * rng.normal(size=(20, 3))
        axes[chosen == 6] = 0.0
        first = {line: int(np.flatnonzero(chosen == line)[0]) for line in set(chosen.tolist())}
        wanted = [k if line == 6 else first[line] for k, line in enumerate(chosen.tolist())]
        assert same_lines(axes).tolist() == wanted


def test_the_fifteen_rows_of_two_boxes_and_what_stands_in_for_parallel_edges() -> None:
    for angle in (0.0, 1e-13, 1e-4, 0.5):
        for k, way in enumerate(np.eye(3)):
            scene = Scene(Body(Box((1, 2, 3))), Body(Box((3, 1, 2)), (1, 1, 1), from_axis_angle(tuple(way), angle)))
            axes, sines = axes_of_boxes(scene.a, scene.b)
            same_as = same_lines(axes)
            rows = box_candidates(axes, sines, same_as)
            labels = [f"{name}.{axis}" for name in "AB" for axis in "xyz"]
            labels += [f"A.{i}×B.{j}" for i, j in product("xyz", repeat=2)]
            assert [row.label for row in rows] == labels
            assert [row.kind for row in rows] == [AxisKind.FACE_A] * 3 + [AxisKind.FACE_B] * 3 + [AxisKind.EDGES] * 9
            assert axes[:3] == pytest.approx(np.eye(3))
            assert axes[3:6] == pytest.approx(axes_of(scene.b).T)
            assert cosines_between(axes) == pytest.approx((axes[:3] @ axes[3:6].T).ravel())
            again, sines_again = box_axes(scene.a.pose.matrix, scene.b.pose.matrix)
            assert (again.tolist(), sines_again.tolist()) == (axes.tolist(), sines.tolist())
            for row in rows[6:]:
                i, j = row.feature_a, row.feature_b
                wanted = np.linalg.norm(np.cross(axes[i], axes[3 + j]))
                assert row.sine == pytest.approx(wanted, abs=1e-15)
                assert row.nearly_parallel == (row.sine < NEARLY_PARALLEL_SIN)
                around = {int(same_as[m]) for m in range(6) if m not in (i, 3 + j)}
                assert set(row.covered_by) <= around
                assert bool(row.covered_by) == row.nearly_parallel
                if i == j == k:
                    # The edge turned about: an exactly zero product, for which all faces round it stand in.
                    assert set(row.covered_by) == around
            faces = [(row.feature_a, row.feature_b) for row in rows[:6]]
            assert faces == [(0, None), (1, None), (2, None), (None, 0), (None, 1), (None, 2)]


@pytest.mark.parametrize("swap", [False, True])
def test_a_half_spaces_feature_is_the_other_bodys_dropped_into_its_plane(swap: bool) -> None:
    box = Body(Box((2.0, 2.0, 2.0)), (5.0, 3.0, 0.0), from_axis_angle((0, 1, 0), 0.3))
    ground, up = Body(HalfSpace((0.0, 1.0, 0.0), 0.5), (1.0, 1.0, 1.0)), np.array((0.0, 1.0, 0.0))
    found = contact_vertices(box, ground, -up) if swap else contact_vertices(ground, box, up)
    of_box, of_ground = (found.a, found.b) if swap else (found.b, found.a)
    assert (of_box.kind, of_box.name, of_ground.kind) == ("face", "-y", "plane")
    corners = vertices_of(box, np.array(box.position))
    low = corners[corners[:, 1] < 2.5]
    assert sorted(map(tuple, of_box.points.round(9).tolist())) == sorted(map(tuple, low.round(9).tolist()))
    assert of_ground.points == pytest.approx(of_box.points - np.array((0.0, 0.5, 0.0)), abs=1e-14)
