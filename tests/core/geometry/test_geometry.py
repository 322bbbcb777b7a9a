"""Quaternions, poses and planes."""

from __future__ import annotations

from math import inf, nan, pi

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from core.geometry import quaternion as q
from core.geometry.plane import Plane
from core.geometry.quaternion import Pose
from core.geometry.tolerances import touching_band
from core.geometry.vector import any_perpendicular, cross, cross_rows, dot, length, length_rows, unit, vec
from tests.strategies import random_rotation, triple


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(7)


def test_s1_a_quaternion_turns_as_its_matrix_does(rng: np.random.Generator) -> None:
    for _ in range(50):
        turn, v = random_rotation(rng), triple(rng.normal(size=3))
        expected = Rotation.from_quat(turn, scalar_first=True).apply(v)
        assert q.rotate(turn, v) == pytest.approx(expected, abs=1e-15 * 8)
        assert q.to_matrix(turn) @ v == pytest.approx(expected, abs=1e-15 * 8)


def test_a_quarter_turn_about_z_takes_x_to_y() -> None:
    assert q.rotate(q.from_axis_angle((0, 0, 2), pi / 2), (1, 0, 0)) == pytest.approx((0, 1, 0), abs=1e-15)


def test_the_product_turns_by_its_second_factor_first() -> None:
    about_x, about_z = q.from_axis_angle((1, 0, 0), pi / 2), q.from_axis_angle((0, 0, 1), pi / 2)
    assert q.rotate(q.multiply(about_z, about_x), (0, 1, 0)) == pytest.approx((0, 0, 1), abs=1e-15)
    assert q.rotate(q.multiply(about_x, about_z), (1, 0, 0)) == pytest.approx((0, 0, 1), abs=1e-15)


def test_the_columns_are_orthonormal_for_a_quaternion_that_is_not_quite_unit() -> None:
    m = q.to_matrix((0.5 * 1.1, 0.5 * 1.1, 0.5 * 1.1, 0.5 * 1.1))
    assert m.T @ m == pytest.approx(np.eye(3), abs=1e-15)
    assert np.linalg.det(m) == pytest.approx(1.0)


def test_a_matrix_comes_back_from_its_quaternion(rng: np.random.Generator) -> None:
    for turn in [random_rotation(rng) for _ in range(50)] + [(0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 0.6, 0.8), q.IDENTITY]:
        m = q.to_matrix(turn)
        assert q.to_matrix(q.from_matrix(m)) == pytest.approx(m, abs=1e-15 * 4)


def test_euler_angles_are_intrinsic_xyz(rng: np.random.Generator) -> None:
    for _ in range(50):
        turn = random_rotation(rng)
        angles = q.to_euler_xyz(turn)
        assert q.to_matrix(q.from_euler_xyz(*angles)) == pytest.approx(q.to_matrix(turn), abs=1e-14)
        assert angles == pytest.approx(Rotation.from_quat(turn, scalar_first=True).as_euler("XYZ"), abs=1e-12)


@pytest.mark.parametrize("y", [pi / 2, -pi / 2])
def test_euler_angles_at_gimbal_lock_still_give_the_rotation(y: float) -> None:
    turn = q.from_euler_xyz(0.4, y, 0.3)
    assert q.to_matrix(q.from_euler_xyz(*q.to_euler_xyz(turn))) == pytest.approx(q.to_matrix(turn), abs=1e-7)


def test_axis_and_angle_come_back(rng: np.random.Generator) -> None:
    for _ in range(50):
        turn = random_rotation(rng)
        assert abs(np.dot(q.from_axis_angle(*q.to_axis_angle(turn)), turn)) == pytest.approx(1.0, abs=1e-15)
    assert q.to_axis_angle(q.IDENTITY) == ((1.0, 0.0, 0.0), 0.0)


def test_a_rotation_vector_is_axis_times_angle() -> None:
    assert q.from_rotation_vector((0.0, 0.3, 0.0)) == q.from_axis_angle((0, 1, 0), 0.3)
    assert q.from_rotation_vector((0.0, 0.0, 0.0)) == q.IDENTITY
    for strange in (nan, inf):
        with pytest.raises(ValueError, match="an angle must be finite"):
            q.from_rotation_vector((0.0, strange, 0.0))


def test_angle_between_resolves_tiny_and_half_turns() -> None:
    tiny = q.from_axis_angle((1, 2, 3), 1e-9)
    assert q.angle_between(q.IDENTITY, tiny) == pytest.approx(1e-9, rel=1e-6)
    assert q.angle_between(q.IDENTITY, q.from_axis_angle((1, 2, 3), pi)) == pytest.approx(pi)
    assert q.angle_between(tiny, (-tiny[0], -tiny[1], -tiny[2], -tiny[3])) == pytest.approx(0.0, abs=1e-15)


def test_a_unit_quaternion_keeps_its_digits_and_zero_is_refused() -> None:
    given = (0.9865653148707547, -0.08751435666100872, 0.10663655213100272, -0.08751435666100872)
    assert q.normalized(given) == given
    assert q.normalized((2.0, 0.0, 0.0, 0.0)) == q.IDENTITY
    with pytest.raises(ValueError, match="length zero"):
        q.normalized((0.0, 0.0, 0.0, 0.0))
    with pytest.raises(ValueError, match="must not be zero"):
        q.from_axis_angle((0.0, 0.0, 0.0), 1.0)


def test_a_pose_goes_to_the_world_and_back(rng: np.random.Generator) -> None:
    pose = Pose.of(triple(rng.normal(size=3)), random_rotation(rng))
    points = rng.normal(size=(5, 3))
    assert pose.to_local(pose.to_world(points)) == pytest.approx(points, abs=1e-14)
    assert pose.to_world(np.zeros(3)) == pytest.approx(pose.position)
    assert pose.direction_to_local(pose.matrix[:, 1]) == pytest.approx([0, 1, 0], abs=1e-15)
    triangles = rng.normal(size=(5, 3, 3))
    assert pose.to_world(triangles) == pytest.approx(np.array([[pose.to_world(p) for p in row] for row in triangles]))
    assert pose.direction_to_world(triangles) == pytest.approx(pose.to_world(triangles) - pose.position)


def test_v1_v2_a_plane_has_a_positive_side_and_flipping_negates_both_parts() -> None:
    plane = Plane(vec(0.0, 1.0, 0.0), 2.0)
    assert plane.signed_distance(vec(5.0, 3.0, 5.0)) == 1.0
    assert plane.signed_distance(vec(5.0, 0.0, 5.0)) == -2.0
    assert plane.signed_distance(plane.point()) == 0.0
    flipped = plane.flipped()
    assert flipped.signed_distance(vec(5.0, 3.0, 5.0)) == -1.0
    assert flipped.point() == pytest.approx(plane.point())


def test_vector_helpers_agree_with_numpy(rng: np.random.Generator) -> None:
    a, b = rng.normal(size=(2, 20, 3))
    assert cross_rows(a, b) == pytest.approx(np.cross(a, b), abs=1e-15)
    assert cross(a[0], b[0]) == pytest.approx(np.cross(a[0], b[0]), abs=1e-15)
    assert dot(a[0], b[0]) == pytest.approx(a[0] @ b[0])
    assert length_rows(a) == pytest.approx(np.linalg.norm(a, axis=1))
    assert length(a[0]) == pytest.approx(np.linalg.norm(a[0]))


def test_lengths_of_tiny_and_huge_vectors_are_not_lost() -> None:
    assert length(vec(3e-200, 4e-200, 0.0)) == pytest.approx(5e-200)
    assert length(vec(3e200, 4e200, 0.0)) == pytest.approx(5e200)
    assert length(vec(0.0, 0.0, 0.0)) == 0.0


def test_no_direction_is_made_up_for_the_zero_vector(rng: np.random.Generator) -> None:
    assert unit(vec(0.0, 0.0, 0.0)) is None
    direction = unit(rng.normal(size=3))
    assert direction is not None
    side = any_perpendicular(direction)
    assert dot(side, direction) == pytest.approx(0.0, abs=1e-15)
    assert length(side) == pytest.approx(1.0)


def test_the_touching_band_is_the_widest_of_its_three_reasons() -> None:
    assert touching_band(1.0, 1.0, 0.0) == 1e-12
    assert touching_band(1.0, 1.0, 0.0, gap=1e-9) == 1e-9
    assert touching_band(1e-6, 1.0, 1e6) == pytest.approx(16 * 2.220446e-16 * 1e6, rel=1e-5)
