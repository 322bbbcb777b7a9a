"""The explicit difference: its topology, its faces' axes, its sources; Qhull as the oracle."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from core import Body, Box, Scene, Sphere, analyse
from core.geometry.quaternion import IDENTITY, from_axis_angle, multiply, normalized
from core.minkowski.difference import difference
from core.minkowski.polyhedron_difference import MinkowskiDifference
from core.minkowski.zonotope import _fits_a_solid, topology
from core.sat.sat import sat
from tests.oracles import corners_of, extent_of, hull_of_differences, offset_of
from tests.strategies import (
    ANGLES,
    CUBE_TURNS,
    FAMILIES,
    Family,
    box_scene,
    cubes,
    far_or_scaled,
    general,
    near_aligned,
    past_failures,
    sample,
    sphere_box,
)

COUNTS = {(32, 60, 30), (28, 48, 22), (16, 24, 10), (8, 12, 6)}
"""General position; one pair of perpendicular axes; a shared axis; aligned."""


def counts(solid: MinkowskiDifference) -> tuple[int, int, int]:
    return len(solid.core.vertices), len(solid.core.edges), len(solid.core.faces)


def is_sound(scene: Scene, solid: MinkowskiDifference) -> None:
    """Closed, convex, turned outwards, flat, and made of the sources it names."""
    core, size = solid.core, extent_of(scene)
    v, e, f = counts(solid)
    assert v - e + f == 2
    assert (core.edge_faces[:, 0] != core.edge_faces[:, 1]).all()
    assert all(len(set(loop)) == len(loop) >= 3 for loop in core.faces)
    assert (core.normals @ core.vertices.T - core.offsets[:, None]).max() <= 1e-15 * size
    for loop, normal, offset in zip(core.faces, core.normals, core.offsets, strict=True):
        corners = core.vertices[list(loop)]
        assert np.abs(corners @ normal - offset).max() <= 4e-12 * size
        rim = corners - corners[0]
        assert np.cross(rim, np.roll(rim, -1, axis=0)).sum(axis=0) @ normal >= -1e-15 * size * size
    pose_a, pose_b = scene.a.pose, scene.b.pose
    assert isinstance(scene.a.shape, Box)
    assert isinstance(scene.b.shape, Box)
    from_a = scene.a.shape.polyhedron.vertices[solid.sources_a] @ pose_a.matrix.T
    from_b = scene.b.shape.polyhedron.vertices[solid.sources_b] @ pose_b.matrix.T + offset_of(scene)
    assert np.abs(from_a - from_b - core.vertices).max() <= 4e-15 * size


def test_two_boxes_in_general_position_have_32_vertices_60_edges_and_30_faces() -> None:
    for scene in sample(general, 200):
        solid = difference(scene.a, scene.b)
        assert counts(solid) == (32, 60, 30)
        assert sorted(solid.axis_faces.ravel().tolist()) == list(range(30))
        is_sound(scene, solid)
        sides = [len(loop) for loop in solid.core.faces]
        assert sides == [4] * 30


def test_twelve_faces_come_from_box_faces_and_eighteen_from_edge_pairs() -> None:
    for scene in sample(general, 20):
        solid = difference(scene.a, scene.b)
        assert (solid.face_axes < 6).sum() == 12
        assert (solid.face_axes >= 6).sum() == 18


@pytest.mark.parametrize("turn", CUBE_TURNS)
def test_aligned_boxes_have_six_faces_whatever_way_they_are_turned(turn: tuple[float, float, float, float]) -> None:
    tilt = from_axis_angle((1.0, 2.0, 3.0), 0.7)
    scene = box_scene((1, 2, 3), (3, 1, 2), (0.3, 0.2, 0.1), tilt, normalized(multiply(tilt, turn)))
    solid = difference(scene.a, scene.b)
    assert counts(solid) == (8, 12, 6)
    assert solid.face_axes.tolist() == [0, 0, 1, 1, 2, 2]
    is_sound(scene, solid)


def test_boxes_that_share_one_axis_have_ten_faces() -> None:
    scene = box_scene((1, 2, 3), (3, 1, 2), (0.3, 0.2, 0.1), IDENTITY, from_axis_angle((0, 0, 1), 0.4))
    solid = difference(scene.a, scene.b)
    assert counts(solid) == (16, 24, 10)
    assert sorted(len(loop) for loop in solid.core.faces) == [4] * 8 + [8] * 2
    is_sound(scene, solid)


def test_one_pair_of_perpendicular_axes_merges_eight_faces() -> None:
    turn_a, turn_b = from_axis_angle((0, 1, 0), 0.6), from_axis_angle((0, 0, 1), 0.8)
    scene = box_scene((1, 2, 3), (3, 1, 2), (0.3, 0.2, 0.1), turn_a, turn_b)
    solid = difference(scene.a, scene.b)
    assert counts(solid) == (28, 48, 22)
    assert sorted(len(loop) for loop in solid.core.faces) == [4] * 18 + [6] * 4
    is_sound(scene, solid)


@pytest.mark.parametrize("angle", ANGLES)
def test_every_near_alignment_gives_a_sound_solid(angle: float) -> None:
    axes = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (1, 2, 3), (1e-6, 1, 0), (-1, 1e-3, 1)]
    for axis, turn in product(axes, CUBE_TURNS[::3]):
        turned = normalized(multiply(turn, from_axis_angle(axis, angle)))
        scene = box_scene((1, 2, 3), (3, 0.1, 2), (0.3, 0.2, 0.1), turn_b=turned)
        solid = difference(scene.a, scene.b)
        assert counts(solid) in COUNTS
        is_sound(scene, solid)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_gives_sound_solids(family: Family) -> None:
    for scene in sample(family, 100, seed=11):
        solid = difference(scene.a, scene.b)
        assert counts(solid) in COUNTS
        is_sound(scene, solid)


def test_thin_faces_stay_where_edges_differ_by_a_millionth() -> None:
    scene = box_scene((1, 1, 1), (1, 1, 1), (0, 0, 1), turn_b=from_axis_angle((1, 2, 3), 1e-6))
    assert counts(difference(scene.a, scene.b)) == (32, 60, 30)


def test_rounded_signs_that_fit_no_solid_are_settled() -> None:
    # Turns about x and y by 3e-8 turn by 4.5e-16 about z: that cosine reads as zero, the others do not.
    turn = multiply(from_axis_angle((1, 0, 0), 3e-8), from_axis_angle((0, 1, 0), 3e-8))
    scene = box_scene((1, 2, 3), (2, 3, 1), (0.1, 0.2, 0.3), turn_b=normalized(turn))
    solid = difference(scene.a, scene.b)
    assert counts(solid) in COUNTS
    is_sound(scene, solid)


def test_all_336_sign_patterns_give_closed_solids() -> None:
    fitting = [signs for signs in product((-1, 0, 1), repeat=9) if _fits_a_solid(signs)]
    assert len(fitting) == 336
    for signs in fitting:
        found = topology(signs)
        v, e, f = len(found.sources_a), len(found.edges), len(found.faces)
        assert (v, e, f) in COUNTS
        assert (found.edge_faces[:, 0] != found.edge_faces[:, 1]).all()


@pytest.mark.parametrize("family", [general, near_aligned, far_or_scaled])
def test_qhull_finds_the_same_solid(family: Family) -> None:
    for scene in sample(family, 60, seed=4):
        solid, hull, size = difference(scene.a, scene.b), hull_of_differences(scene), extent_of(scene)
        own = solid.core
        # Same support in Qhull's directions and in ours, and the same volume: the same convex body.
        ours = (hull.planes[:, :3] @ own.vertices.T).max(axis=1)
        assert np.abs(ours + hull.planes[:, 3]).max() <= 1e-11 * size
        at_a, at_b = corners_of(scene)
        all_pairs = (at_a[:, None] - at_b[None]).reshape(-1, 3)
        assert np.abs((own.normals @ all_pairs.T).max(axis=1) - own.offsets).max() <= 4e-12 * size
        volume = sum(
            own.offsets[k] * _area(own.vertices[list(loop)], own.normals[k]) / 3 for k, loop in enumerate(own.faces)
        )
        assert volume == pytest.approx(hull.volume, abs=1e-10 * size**3)


def _area(corners: np.ndarray, normal: np.ndarray) -> float:
    rim = corners - corners[0]
    return float(np.cross(rim, np.roll(rim, -1, axis=0)).sum(axis=0) @ normal / 2)


def test_faces_are_born_knowing_their_axis_and_side() -> None:
    for scene in [*sample(general, 30), *sample(near_aligned, 100)]:
        table, solid = sat(scene.a, scene.b), difference(scene.a, scene.b)
        size = extent_of(scene)
        for k, (row, side) in enumerate(zip(solid.face_axes, solid.face_sides, strict=True)):
            assert solid.core.normals[k] == pytest.approx(side * table.axes[row])
            # The face pair's planes are the two ways out along the axis.
            ahead, behind = table.interval_a[row] - table.interval_b[row][::-1]
            way_out = behind if side > 0 else -ahead
            assert solid.core.offsets[k] == pytest.approx(way_out, abs=1e-14 * size)
        for row, faces in enumerate(solid.axis_faces):
            assert (faces < 0).all() or (faces >= 0).all()
            if faces[0] >= 0:
                assert solid.face_axes[faces[0]] == solid.face_axes[faces[1]] <= row


def test_the_origin_is_inside_exactly_when_the_bodies_overlap() -> None:
    for scene in sample(general, 200):
        inside = bool((difference(scene.a, scene.b).core.offsets > 0.0).all())
        assert inside == (analyse(scene).separation < 0.0)


def test_a_minkowski_point_is_a_minus_b() -> None:
    scene = cubes(0.5, 0.5, (3.0, 0.0, 0.0))
    core = difference(scene.a, scene.b).core
    assert core.vertices[:, 0].max() == pytest.approx(-2.0)
    assert core.vertices[:, 0].min() == pytest.approx(-4.0)


def test_with_a_sphere_the_difference_is_the_box_grown_by_the_radius() -> None:
    for scene in sample(sphere_box, 60):
        solid = difference(scene.a, scene.b)
        ball = scene.a if isinstance(scene.a.shape, Sphere) else scene.b
        boxed = scene.b if ball is scene.a else scene.a
        assert isinstance(ball.shape, Sphere)
        assert isinstance(boxed.shape, Box)
        assert solid.radius == ball.shape.radius
        assert counts(solid) == (8, 12, 6)
        corners = boxed.pose.to_world(boxed.shape.polyhedron.vertices)
        sources = solid.sources_a if boxed is scene.a else solid.sources_b
        expected = corners[sources] - ball.position
        assert solid.core.vertices == pytest.approx(expected if boxed is scene.a else -expected, abs=1e-14)
        table = sat(scene.a, scene.b)
        for normal, row, side in zip(solid.core.normals, solid.face_axes, solid.face_sides, strict=True):
            assert normal == pytest.approx(side * table.axes[row])


def test_two_spheres_differ_by_a_ball_about_one_vertex() -> None:
    solid = difference(Body(Sphere(1.0)), Body(Sphere(0.5), (3.0, 0.0, 0.0)))
    assert solid.radius == 1.5
    assert solid.core.vertices.tolist() == [[-3.0, 0.0, 0.0]]
    assert solid.core.faces == ()


def test_the_scenes_that_went_wrong_once_are_sound() -> None:
    for scene in past_failures():
        if isinstance(scene.a.shape, Box) and isinstance(scene.b.shape, Box):
            is_sound(scene, difference(scene.a, scene.b))
