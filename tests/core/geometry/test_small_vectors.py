"""Vectors of three and of two numbers, as arrays and as tuples: against numpy, whole fractions and each other."""

from __future__ import annotations

from fractions import Fraction
from math import atan2, cos, pi, sin

import numpy as np
import pytest

from core.geometry import quaternion, triple, vec2, vector

RNG_SEED = 12


def test_tuples_of_three_calculate_as_arrays_do() -> None:
    rng = np.random.default_rng(RNG_SEED)
    for p, q in rng.normal(size=(20, 2, 3)):
        one, other, k = triple.triple(p), triple.triple(q), float(rng.normal())
        np.testing.assert_allclose(triple.add(one, other), p + q, atol=1e-15)
        np.testing.assert_allclose(triple.sub(one, other), p - q, atol=1e-15)
        np.testing.assert_allclose(triple.scaled(one, k), k * p, atol=1e-15)
        np.testing.assert_allclose(triple.point_along(one, k, other), p + k * q, atol=1e-15)
        np.testing.assert_allclose(triple.cross(one, other), np.cross(p, q), atol=1e-15)
        np.testing.assert_array_equal(triple.negated(one), -p)
        np.testing.assert_array_equal(triple.array_of(one), p)
        assert triple.dot(one, other) == pytest.approx(p @ q, abs=1e-15)
        assert triple.components(p) == one
        assert all(type(x) is np.float32 for x in triple.components(p.astype(np.float32)))


@pytest.mark.parametrize("scale", [1e-320, 1e-200, 1e-141, 1e-139, 1e-20, 1.0, 9e14, 2e15, 1e160, 1e300])
def test_lengths_and_directions_survive_every_size(scale: float) -> None:
    for way in ((3.0, 4.0, 0.0), (0.0, -3.0, 4.0), (-2.0, 3.0, 6.0)):
        p = (way[0] * scale, way[1] * scale, way[2] * scale)
        whole = float(np.sqrt(float(sum(Fraction(x) ** 2 for x in way))))
        # Below 1e-308 the components themselves have few digits.
        near = pytest.approx(whole * scale, rel=1e-3 if scale < 1e-300 else 1e-15, abs=0.0)
        assert triple.length(p) == near
        assert vector.length(np.array(p)) == near
        if scale > 1e-300:
            expected = pytest.approx(np.array(way) / whole, abs=1e-15)
            assert triple.unit(p) == expected
            assert triple.line_direction(p) == expected
            assert vector.unit(np.array(p)) == expected
            if way[2] == 0.0:
                assert vec2.unit((p[0], p[1])) == pytest.approx((0.6, 0.8), abs=1e-15)
        else:
            assert triple.unit(p) is None
            assert vec2.unit((p[1], p[1])) is None


@pytest.mark.parametrize("none", [(0.0, 0.0, 0.0), (np.inf, 0.0, 0.0), (np.nan, 1.0, 0.0)])
def test_a_line_needs_a_direction(none: tuple[float, float, float]) -> None:
    with pytest.raises(ValueError, match="line needs a direction"):
        triple.line_direction(none)


def test_a_perpendicular_is_one_and_level_with_the_axis_that_is_least_aligned() -> None:
    rng = np.random.default_rng(RNG_SEED)
    for p in (*rng.normal(size=(30, 3)), *np.eye(3), *-np.eye(3), np.ones(3)):
        way = p / np.linalg.norm(p)
        least = int(np.argmin(np.abs(way)))
        for side in (np.array(triple.any_perpendicular(triple.triple(p))), vector.any_perpendicular(way)):
            assert side @ way == pytest.approx(0.0, abs=1e-15)
            assert np.linalg.norm(side) == pytest.approx(1.0, abs=1e-15)
            assert side[least] == 0.0
            assert np.cross(way, np.eye(3)[least]) @ side > 0.0


def test_angles_between_unit_vectors_from_none_to_half_a_turn() -> None:
    for turn in (0.0, 1e-9, 1e-3, 0.5, 0.5 * pi, 2.0, 3.0, pi):
        p, q = np.array((1.0, 0.0, 0.0)), np.array((cos(turn), 0.0, sin(turn)))
        assert vector.angle(p, q) == pytest.approx(turn, rel=1e-7, abs=1e-15)
        half = quaternion.from_axis_angle((0.0, 1.0, 0.0), turn)
        assert quaternion.angle_between(quaternion.IDENTITY, half) == pytest.approx(turn, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("shape", [(3,), (7, 3), (300, 3), (3000, 3), (5, 40, 3)])
@pytest.mark.parametrize("columns", [1, 3, 50])
def test_products_of_matrices_of_every_size_are_those_of_whole_numbers(shape: tuple[int, ...], columns: int) -> None:
    rng = np.random.default_rng(RNG_SEED)
    a, b = rng.integers(-9, 10, size=shape).astype(float), rng.integers(-9, 10, size=(3, columns)).astype(float)
    np.testing.assert_array_equal(vector.product(a, b), np.tensordot(a, b, axes=1))
    np.testing.assert_array_equal(vector.dots(a, b[:, 0]), np.tensordot(a, b[:, 0], axes=1))


def test_rows_that_follow_each_other_round_a_loop() -> None:
    rows = np.arange(12.0).reshape(4, 3)
    np.testing.assert_array_equal(vector.following(rows), rows[[1, 2, 3, 0]])


def test_vectors_of_the_plane_turn_as_complex_numbers_do() -> None:
    rng = np.random.default_rng(RNG_SEED)
    for x, y, u, v, k in rng.normal(size=(20, 5)).tolist():
        p, q = (x, y), (u, v)
        a, b = complex(*p), complex(*q)
        for found, expected in (
            (vec2.add(p, q), a + b),
            (vec2.sub(p, q), a - b),
            (vec2.scaled(p, k), k * a),
            (vec2.point_along(p, k, q), a + k * b),
            (vec2.lerp(p, q, abs(k) % 1.0), a + abs(k) % 1.0 * (b - a)),
            (vec2.negated(p), -a),
            (vec2.left_of(p), 1j * a),
            (vec2.right_of(p), -1j * a),
            (vec2.rotated(p, k), complex(cos(k), sin(k)) * a),
        ):
            assert complex(*found) == pytest.approx(expected, abs=4e-15)
        product = a.conjugate() * b
        assert (vec2.dot(p, q), vec2.cross(p, q)) == pytest.approx((product.real, product.imag), abs=1e-15)
        # Each end is met to its last digit, and so are raised and dropped vectors.
        assert (vec2.lerp(p, q, 0.0), vec2.lerp(p, q, 1.0)) == (p, q)
        assert vec2.without_z(vec2.raised(p)) == p
        assert vec2.rotated(p, 0.0) == p
    assert vec2.raised_rows([(1.0, 2.0), (3.0, 4.0)]).tolist() == [[1.0, 2.0, 0.0], [3.0, 4.0, 0.0]]
    assert vec2.raised_rows([]).shape == (0, 3)


def test_headings_grow_as_angles_do_and_opposite_ones_are_two_apart() -> None:
    ways = [(cos(t), sin(t)) for t in np.linspace(-pi, pi, 65)[1:].tolist()]
    headings = [vec2.heading(way) for way in ways]
    assert headings == sorted(headings, key=float)
    assert sorted(ways, key=vec2.heading) == sorted(ways, key=lambda way: atan2(way[1], way[0]))
    for way, heading in zip(ways, headings, strict=True):
        assert abs(heading - vec2.heading(vec2.negated(way))) == pytest.approx(2.0, abs=1e-15)
    named = ((1.0, 0.0), 0.0), ((0.0, 5.0), 1.0), ((-2.0, 0.0), 2.0), ((0.0, -3.0), -1.0), ((0.0, 0.0), 0.0)
    assert [vec2.heading(way) for way, _ in named] == [heading for _, heading in named]


def test_turns_have_the_sign_of_whole_fractions() -> None:
    rng = np.random.default_rng(RNG_SEED)
    for k in range(200):
        a, b = ((x, y) for x, y in rng.normal(size=(2, 2)).tolist())
        share = float(rng.uniform(-1.0, 2.0))
        # On the line of both to rounding, or anywhere.
        c = vec2.point_along(a, share, vec2.sub(b, a)) if k % 2 else (float(rng.normal()), float(rng.normal()))
        (ax, ay), (bx, by), (cx, cy) = ((Fraction(x), Fraction(y)) for x, y in (a, b, c))
        exact = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        sign = (exact > 0) - (exact < 0)
        assert vec2.orientation(a, b, c) == sign == -vec2.orientation(b, a, c) == vec2.orientation(b, c, a)
    assert vec2.orientation((0.0, 0.0), (0.1, 0.1), (0.3, 0.3)) == 0
