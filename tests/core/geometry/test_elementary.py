"""Elementary functions by written-out arithmetic, against series of whole numbers with 300 binary digits or more."""

from __future__ import annotations

import math
from fractions import Fraction
from math import copysign, inf, isnan, nan, ulp
from math import pi as double_pi

import numpy as np
import pytest

from core.geometry.elementary import acos, asin, atan2, cos, hypot, sin, sin_cos, sin_cos_rows

DIGITS = 300
LARGE = 1500


def _pi(digits: int) -> int:
    """pi in units of 2^-digits, by Euler's `pi/4 = 5 arctan(1/7) + 2 arctan(3/79)`."""
    one, total = 1 << (digits + 32), 0
    for factor, x in ((20, Fraction(1, 7)), (8, Fraction(3, 79))):
        power, odd = one * x.numerator // x.denominator, 1
        while power:
            total += factor * power // odd if odd % 4 == 1 else -(factor * power // odd)
            power, odd = power * x.numerator**2 // x.denominator**2, odd + 2
    return total >> 32


def _sine_and_cosine(angle: float) -> tuple[Fraction, Fraction]:
    """To some 290 binary digits after the point."""
    left = Fraction(angle) % Fraction(2 * _pi(LARGE), 1 << LARGE)
    x = (left.numerator << DIGITS) // left.denominator
    sums, term, n = [0, 0], 1 << DIGITS, 0
    while term:
        sums[n % 2] += term if n % 4 < 2 else -term
        n += 1
        term = term * x // n >> DIGITS
    return Fraction(sums[1], 1 << DIGITS), Fraction(sums[0], 1 << DIGITS)


def _off(found: float, exact: Fraction) -> float:
    """In units of the last place of `exact`."""
    return float(abs(Fraction(found) - exact) / Fraction(ulp(float(exact))))


def _angles(count: int) -> list[float]:
    """Of every size, next to multiples of pi/4, and the double that lies nearest to a multiple of pi/2."""
    rng = np.random.default_rng(38)
    sizes = 10.0 ** rng.uniform(-12.0, 22.0, count) * rng.choice((-1.0, 1.0), count)
    ordinary = rng.uniform(-7.0, 7.0, count)
    near = np.array([np.nextafter(k * 0.25 * double_pi, way) for k in range(1, 41) for way in (-9e9, 9e9)])
    special = [0.0, double_pi, 1e6, np.nextafter(1e6, 2e6), 2.0**64, 1e300, 1.7976931348623157e308]
    return [*sizes.tolist(), *ordinary.tolist(), *near.tolist(), *special, 6381956970095103 * 2.0**797]


def test_sine_and_cosine_are_good_to_one_unit_of_the_last_place() -> None:
    for angle in _angles(600):
        exact = _sine_and_cosine(angle)
        for found, true in zip(sin_cos(angle), exact, strict=True):
            assert _off(found, true) < 1.0, angle
        assert (sin(angle), cos(angle)) == sin_cos(angle)


def test_sine_and_cosine_have_their_symmetries_to_the_last_digit() -> None:
    for angle in _angles(50):
        s, c = sin_cos(angle)
        assert sin_cos(-angle) == (-s, c)
    assert sin_cos(0.0) == (0.0, 1.0)
    assert copysign(1.0, sin(-0.0)) == -1.0


def test_rows_have_the_digits_of_single_angles() -> None:
    angles = np.array([angle for angle in _angles(400) if abs(angle) <= 1e6][:696]).reshape(2, -1)
    sines, cosines = sin_cos_rows(angles)
    single = np.array([sin_cos(angle) for angle in angles.ravel().tolist()])
    assert np.array_equal(sines.ravel(), single[:, 0])
    assert np.array_equal(cosines.ravel(), single[:, 1])


@pytest.mark.parametrize("angle", [inf, -inf, nan])
def test_what_is_no_angle_is_refused(angle: float) -> None:
    with pytest.raises(ValueError, match="must be finite"):
        sin_cos(angle)


def _angle_of(y: Fraction, x: Fraction, near: float) -> Fraction:
    """The angle of (x, y), which is `near` some double, by a step of Newton's: the sine of what is left."""
    s, c = _sine_and_cosine(near)
    scale = max(abs(x), abs(y))
    x, y = x / scale, y / scale
    squared = x * x + y * y
    # The square root of the length, by whole numbers.
    scaled = (squared.numerator << 2 * DIGITS) // squared.denominator
    left = (y * c - x * s) * (1 << DIGITS) / math.isqrt(scaled)
    return Fraction(near) + left + left**3 / 6


def test_angles_of_points_are_good_to_two_units_of_the_last_place() -> None:
    rng = np.random.default_rng(39)
    points = rng.normal(size=(600, 2)) * 10.0 ** rng.uniform(-9.0, 9.0, (600, 2))
    edges = [(x, y) for x in (-2.0, -1e-30, 1.0, 1e200) for y in (-1.0, 1e-30, 0.4375, 0.6875, 2.0, 1e200)]
    edges = [(x, y) for x, y in edges if abs(x) < 1e100 or abs(y) > 1e100]
    for x, y in [*points.tolist(), *edges]:
        exact = _angle_of(Fraction(y), Fraction(x), math.atan2(y, x))
        assert _off(atan2(y, x), exact) < 2.0, (x, y)
        assert atan2(-y, x) == -atan2(y, x)


def test_the_axes_and_the_signs_of_zero_give_the_angles_of_the_library() -> None:
    for y in (0.0, -0.0, 1.0, -1.0):
        for x in (0.0, -0.0, 1.0, -1.0):
            found, expected = atan2(y, x), math.atan2(y, x)
            assert (found, copysign(1.0, found)) == (expected, copysign(1.0, expected)), (y, x)


def test_arcsine_and_arccosine_are_good_to_three_units_of_the_last_place() -> None:
    rng = np.random.default_rng(40)
    near_one = 1.0 - 10.0 ** rng.uniform(-16.0, -1.0, 100)
    values = [*rng.uniform(-1.0, 1.0, 300).tolist(), *(10.0 ** rng.uniform(-12.0, 0.0, 100)).tolist()]
    for x in [*values, *near_one.tolist(), *(-near_one).tolist(), 1.0, -1.0, 0.5]:
        across = Fraction(math.isqrt(int((1 - Fraction(x) ** 2) * (1 << 2 * DIGITS))), 1 << DIGITS)
        assert _off(asin(x), _angle_of(Fraction(x), across, math.asin(x))) < 3.0, x
        if x < 1.0:
            assert _off(acos(x), _angle_of(across, Fraction(x), math.acos(x))) < 3.0, x
    assert acos(1.0) == 0.0
    for beyond in (1.1, -1.1):
        with pytest.raises(ValueError, match=r"domain|negative"):
            asin(beyond)
        with pytest.raises(ValueError, match=r"domain|negative"):
            acos(beyond)


def test_lengths_are_good_to_the_last_places_at_every_size() -> None:
    rng = np.random.default_rng(41)
    for exponent in (-320, -305, -160, -140, -100, 0, 100, 140, 154, 300):
        for row in (rng.normal(size=(40, 4)) * 10.0 ** (rng.uniform(-3.0, 0.0, (40, 4)) + exponent)).tolist():
            for count in (2, 3, 4):
                squared = sum((Fraction(x) ** 2 for x in row[:count]), Fraction(0))
                shift = 1200 + DIGITS
                exact = Fraction(math.isqrt(int(squared * (1 << 2 * shift))), 1 << shift)
                assert _off(hypot(*row[:count]), exact) < 2.0, row
    assert hypot(0.0, 0.0) == 0.0
    assert hypot(-inf, 1.0) == inf
    assert isnan(hypot(nan, 0.0))
    assert isnan(hypot(0.0, nan, 0.0))
    assert hypot(1.7e308, 1.7e308, 1.7e308) == inf
    assert hypot(3.0 * 2.0**600, 4.0 * 2.0**600) == 5.0 * 2.0**600
    assert [hypot(x, 0.0) for x in (0.1, -0.7, 5e-324, 1e308)] == [0.1, 0.7, 5e-324, 1e308]
