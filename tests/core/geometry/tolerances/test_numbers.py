"""Vectors, rotations and planes: the ranges within which plain arithmetic is right, and what counts as a line."""

from __future__ import annotations

from fractions import Fraction
from math import pi

import numpy as np
import pytest

from core.geometry import quaternion, triple
from core.geometry.arguments import rotation, rotation_of_matrix
from core.geometry.plane import plane_through
from core.geometry.tolerances import EPS
from core.geometry.vector import area_vectors, length, vec
from core.shapes import directions


@pytest.mark.parametrize(("bend", "a_plane"), [(0.4e-15, False), (4e-15, True)])
def test_three_points_on_a_line_make_no_plane(bend: float, a_plane: bool) -> None:
    # The two shorter sides enclose twice the bend; eight last places are rounding, eighteen a true sliver.
    points = (vec(0.0, 0.0, 0.0), vec(1.0, bend, 0.0), vec(2.0, 0.0, 0.0))
    if a_plane:
        assert abs(plane_through(*points).normal[2]) == 1.0
    else:
        with pytest.raises(ValueError, match="line"):
            plane_through(*points)


@pytest.mark.parametrize("size", [1e-160, 1e-141, 3e-141, 3e-140, 1.0, 3e139, 3e140, 3e141, 1e160])
def test_a_length_keeps_its_digits_at_every_size(size: float) -> None:
    assert length(size * vec(3.0, 4.0, 12.0)) == pytest.approx(13.0 * size, rel=4 * EPS, abs=0.0)


@pytest.mark.parametrize(("size", "scaled"), [(3e-101, True), (3e-100, False), (3e99, False), (3e100, True)])
def test_directions_are_scaled_only_where_products_may_run_over(size: float, scaled: bool) -> None:
    assert (directions.triple_in_range(vec(size, 0.0, -size)) == (1.0, 0.0, -1.0)) is scaled


@pytest.mark.parametrize(("size", "known"), [(3e-301, False), (3e-300, True)])
def test_what_is_smaller_than_doubles_resolve_has_no_direction(size: float, known: bool) -> None:
    found = triple.unit((size, size, 0.0))
    assert (found is not None) is known


@pytest.mark.parametrize(("off", "kept"), [(EPS, True), (-EPS, True), (12 * EPS, False)])
def test_a_quaternion_within_two_last_places_of_unit_is_kept(off: float, kept: bool) -> None:
    # Files are read and written again and again: what is as near to unit as doubles get must not wander.
    given = (1.0 + off, 0.0, 0.0, 0.0)
    assert (quaternion.normalized(given) == given) is kept


@pytest.mark.parametrize(("short", "locked"), [(0.8e-7, True), (2.5e-7, False)])
def test_gimbal_lock_begins_at_a_ten_millionth(short: float, locked: bool) -> None:
    # There x and z turn about one line, and the sum of them is all that is known.
    x, _, z = quaternion.to_euler_xyz(quaternion.from_euler_xyz(0.3, 0.5 * pi - short, 0.4))
    assert (z == 0.0) is locked
    assert x + z == pytest.approx(0.7, abs=1e-6)


def test_area_vectors_are_as_exact_as_doubles_are() -> None:
    # Products of 53 digits in two halves: a triangle whose area cancels in all but the last of them.
    rng = np.random.default_rng(1)
    for _ in range(50):
        a, b, c = rng.uniform(1.0, 2.0, (3, 3))
        c = a + (b - a) * rng.uniform(0.1, 0.9) + rng.normal(size=3) * 1e-13
        found = area_vectors(*(point.reshape(1, 3) for point in (a, b, c)))[0]
        p, q, r = ([Fraction(x) for x in point.tolist()] for point in (a, b, c))
        u, v = ([y - x for x, y in zip(p, other, strict=True)] for other in (q, r))
        exact = [float(u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]) for k in range(3)]
        assert found == pytest.approx(exact, rel=1e-12, abs=0.0)


def test_a_quaternion_that_is_unit_to_its_last_places_keeps_its_digits_and_no_other_does() -> None:
    for off, kept in ((5e-16, True), (4e-15, False)):
        given = (1.0 + off, 0.0, 0.0, 0.0)
        assert (rotation("it", given) == given) == kept


def test_a_matrix_of_single_precision_is_a_rotation_and_one_that_is_sheared_more_is_none() -> None:
    for off, taken in ((4e-7, True), (4e-6, False)):
        sheared = np.eye(3)
        sheared[0, 1] = off
        if taken:
            assert rotation_of_matrix("it", sheared)[0] == pytest.approx(1.0, abs=1e-12)
        else:
            with pytest.raises(ValueError, match="must be a rotation"):
                rotation_of_matrix("it", sheared)
