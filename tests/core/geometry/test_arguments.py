"""What a caller may give as numbers, rows, points and rotations: taken as it stands, or refused in one sentence."""

from __future__ import annotations

from math import inf, nan, sqrt
from types import SimpleNamespace

import numpy as np
import pytest

from core.geometry.arguments import number, numbers, point_rows, rotation, rotation_of_matrix, three_numbers
from core.geometry.quaternion import from_axis_angle, from_matrix, norm, to_matrix
from tests.strategies import random_rotation


@pytest.mark.parametrize("value", [2, 2.0, np.float32(2.0), np.array(2.0), True + 1])
def test_a_number_of_any_kind_becomes_a_float(value: object) -> None:
    found = number("it", value, positive=True)
    assert (found, type(found)) == (2.0, float)


@pytest.mark.parametrize("value", [nan, inf, -inf, np.float64(nan), 10**400], ids=lambda value: f"{value!r:.9}")
def test_a_number_that_is_not_finite_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match=r"^it must be a finite number"):
        number("it", value)
    with pytest.raises(ValueError, match=r"^it must be 2 finite numbers"):
        numbers("it", (1.0, value), 2)


def test_zero_and_less_are_refused_where_a_number_must_be_above_and_taken_elsewhere() -> None:
    for value in (0.0, -0.0, -1.0, -5e-324, np.float32(-1.0)):
        assert number("it", value) == value
        assert numbers("it", (1.0, value), 2) == (1.0, value)
        for ask in (lambda v: number("it", v, positive=True), lambda v: numbers("it", (1.0, v), 2, positive=True)):
            with pytest.raises(ValueError, match=r"^it must be .*finite numbers? above 0, got"):
                ask(value)
    assert number("it", 5e-324, positive=True) == 5e-324
    # A sum may overflow where no number does.
    assert numbers("it", (1e308, 1e308, 1e308), 3, positive=True) == (1e308, 1e308, 1e308)


@pytest.mark.parametrize("value", ["2", None, "abc", [1.0, None, 2.0], {}, [[1.0], [1.0, 2.0]]])
def test_what_holds_no_numbers_is_refused_by_name(value: object) -> None:
    for ask in (
        lambda: number("it", value),
        lambda: three_numbers("it", value),
        lambda: point_rows("it", [value, value], 3),
        lambda: point_rows("it", ((value, value, value),), 3),
    ):
        with pytest.raises((TypeError, ValueError), match=r"^it must be") as refusal:
            ask()
        assert "\n" not in str(refusal.value)


def test_rows_of_any_kind_are_taken_and_others_told_what_was_expected() -> None:
    for row in ((1, 2, 3), [1.0, 2.0, 3.0], np.array((1, 2, 3)), np.array((1, 2, 3), dtype=object), (1.0, 2, True + 2)):
        found = three_numbers("it", row)
        assert found == (1.0, 2.0, 3.0)
        assert {*map(type, found)} == {float}
    for row in ((1.0, 2.0), (1.0, 2.0, 3.0, 4.0), [[1.0, 2.0, 3.0]], 7.0):
        with pytest.raises(ValueError, match=r"^it must be 3 finite numbers, got"):
            three_numbers("it", row)


@pytest.mark.parametrize("width", [2, 3])
def test_points_come_as_rows_arrays_and_meshes(width: int) -> None:
    rows = np.arange(4.0 * width).reshape(4, width)
    wanted = tuple(map(tuple, rows.tolist()))
    for given in (wanted, rows.tolist(), rows, iter(rows), SimpleNamespace(vertices=rows), rows.astype(int)):
        assert point_rows("they", given, width) == wanted
    assert point_rows("they", [], width) == ()
    assert point_rows("they", [(nan,) * width], width)[0][0] is not None
    for given in (rows[:, :-1], rows[0], [rows.tolist()], 3.0, [(1.0,) * (width + 1)], ((1.0,) * (width + 1),)):
        with pytest.raises((TypeError, ValueError), match=f"^they must be rows of {width} numbers"):
            point_rows("they", given, width)


def test_rotations_come_as_quaternions_of_any_length_and_as_matrices() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        unit = random_rotation(rng)
        for size in (1e-300, 1e-3, 1.0 + 3e-15, 2.0, 1e300):
            found = rotation("it", tuple(size * x for x in unit))
            assert norm(found) == pytest.approx(1.0, abs=5e-16)
            assert found == pytest.approx(unit, abs=1e-15)
        # What is unit to its last places keeps them.
        assert rotation("it", unit) == unit
        for matrix in (to_matrix(unit), to_matrix(unit).tolist(), to_matrix(unit).astype(np.float32)):
            found = rotation("it", matrix)
            assert abs(np.dot(found, unit)) == pytest.approx(1.0, abs=1e-12)
            assert found[0] >= 0.0
            assert from_matrix(to_matrix(unit))[0] >= 0.0


@pytest.mark.parametrize("length", [1.0 + 2e-15, 1.0 - 2e-15])
def test_a_quaternion_that_is_off_by_more_than_its_last_places_is_made_unit(length: float) -> None:
    given = (length * 0.5, length * 0.5, length * 0.5, length * 0.5)
    found = rotation("it", given)
    assert found != given
    assert found == pytest.approx((0.5, 0.5, 0.5, 0.5), abs=1e-16)


@pytest.mark.parametrize("off", [5e-7, 2e-6])
def test_a_matrix_may_be_as_far_from_a_rotation_as_single_precision(off: float) -> None:
    matrix = to_matrix(from_axis_angle((1.0, 2.0, 3.0), 0.7))
    bent = matrix + off * np.array(((1.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, -0.7)))
    if off < 1e-6:
        np.testing.assert_allclose(to_matrix(rotation_of_matrix("it", bent)), matrix, atol=1e-6)
    else:
        with pytest.raises(ValueError, match=r"^it must be a rotation: columns of unit length"):
            rotation_of_matrix("it", 4.0 * bent - 3.0 * matrix)


@pytest.mark.parametrize(
    "matrix",
    [
        -np.eye(3),
        np.diag((1.0, 1.0, -1.0)),
        2.0 * np.eye(3),
        np.diag((1.0, 1.0, 3.0)),
        np.zeros((3, 3)),
        np.ones((3, 3)),
        np.eye(3) + np.eye(3, k=1),
        np.full((3, 3), nan),
        np.diag((1.0, 1.0, inf)),
    ],
)
def test_what_mirrors_stretches_or_shears_is_no_rotation(matrix: np.ndarray) -> None:
    with pytest.raises(ValueError, match=r"^it must be a rotation"):
        rotation("it", matrix)


def test_the_zero_quaternion_is_none() -> None:
    with pytest.raises(ValueError, match=r"^it must not be the zero quaternion$"):
        rotation("it", (0.0, 0.0, 0.0, 0.0))
    assert rotation("it", (0.0, 0.0, 0.0, -2.0)) == (0.0, 0.0, 0.0, -1.0)
    assert rotation("it", (1.0, 1.0, 0.0, 0.0)) == pytest.approx((sqrt(0.5), sqrt(0.5), 0.0, 0.0), abs=2e-16)
