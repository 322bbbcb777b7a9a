"""Sine, cosine, arctangent and lengths by written-out arithmetic: the same digits on every processor.

The last digits of functions of `math` and numpy depend on the system and the processor. This file uses only sums,
products, quotients and square roots, one by one in a fixed order, each rounded as IEEE 754 requires. The polynomials
are fdlibm's (Sun Microsystems 1993: k_sin.c, k_cos.c, s_atan.c). Angles are reduced as by Cody and Waite 1980, very
large ones by integer arithmetic. The errors given below are tested against 300 binary digits.
"""

from __future__ import annotations

from functools import cache
from math import copysign, frexp, inf, isfinite, isnan, ldexp, pi, sqrt
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Numbers = TypeVar("Numbers", float, Array)
"""A float, or an array of any shape."""

_PI_REST = 1.2246467991473532e-16
"""pi minus the double nearest to it."""
_EIGHTH = 0.25 * pi
_QUARTERS = 2.0 / pi
_MOST = 1e6
"""The largest angle, radians, that is reduced with the four parts of pi/2; larger ones are reduced by integers."""
_PARTS = (1.5707963267341256, 6.077100506303966e-11, 2.0222662487111665e-21, 8.4784276603689e-32)
"""pi/2 as a sum. The first three parts have 33 binary digits, so their products with integers below 2^20 are exact."""

_SINE = (
    -1.66666666666666324348e-01,
    8.33333333332248946124e-03,
    -1.98412698298579493134e-04,
    2.75573137070700676789e-06,
    -2.50507602534068634195e-08,
    1.58969099521155010221e-10,
)
_COSINE = (
    4.16666666666666019037e-02,
    -1.38888888888741095749e-03,
    2.48015872894767294178e-05,
    -2.75573143513906633035e-07,
    2.08757232129817482790e-09,
    -1.13596475577881948265e-11,
)
_TANGENT = (
    3.33333333333329318027e-01,
    -1.99999999998764832476e-01,
    1.42857142725034663711e-01,
    -1.11111104054623557880e-01,
    9.09088713343650656196e-02,
    -7.69187620504482999495e-02,
    6.66107313738753120669e-02,
    -5.83357013379057348645e-02,
    4.97687799461593236017e-02,
    -3.65315727442169155270e-02,
    1.62858201153657823623e-02,
)
_HALF_ARC = (4.63647609000806093515e-01, 2.26987774529616870924e-17)
"""The arctangent of 0.5, as its nearest double and the rest."""

SINGLE_TYPE: Any = np.float32
"""The type of a number in single precision. `hypot` here and the functions of `triple` also accept and return it."""

SMALLEST_SQUARE, LARGEST_SQUARE = 1e-280, 1e30
"""The limits between which a sum of squares neither loses digits nor overflows; the upper also for single precision."""


def hypot(x: float, y: float, z: float = 0.0, w: float = 0.0) -> float:
    """The length of (x, y, z, w), to 2 ulp, also for tiny and huge components.

    Infinite beyond the range of doubles; NaN if a component is. For float32 numbers the length is a float32: the root
    in double precision, rounded. This equals the correctly rounded float32 root, as float32 has less than half of the
    digits.
    """
    square = x * x + y * y + z * z + w * w
    if SMALLEST_SQUARE < square < LARGEST_SQUARE:
        return sqrt(square) if type(square) is not SINGLE_TYPE else SINGLE_TYPE(sqrt(square))
    if type(square) is SINGLE_TYPE:
        return SINGLE_TYPE(hypot(float(x), float(y), float(z), float(w)))
    if isnan(square):
        return square
    largest = max(abs(x), abs(y), abs(z), abs(w))
    if largest == 0.0 or largest == inf:
        return largest
    exponent = frexp(largest)[1]
    x, y, z, w = ldexp(x, -exponent), ldexp(y, -exponent), ldexp(z, -exponent), ldexp(w, -exponent)
    try:
        return ldexp(sqrt(x * x + y * y + z * z + w * w), exponent)
    except OverflowError:
        return inf


def sin_cos(angle: float) -> tuple[float, float]:
    """Returns sine and cosine of `angle`, radians, each to 1 ulp. Raises ValueError if the angle is not finite."""
    if -_EIGHTH <= angle <= _EIGHTH:
        return _sine(angle, 0.0), _cosine(angle, 0.0)
    if not isfinite(angle):
        raise ValueError(f"an angle must be finite, got {angle}")
    if abs(angle) <= _MOST:
        quarters = round(angle * _QUARTERS)
        whole, rest = _reduced(angle, float(quarters))
    else:
        quarters, whole, rest = _reduced_by_integers(angle)
    s, c = _sine(whole, rest), _cosine(whole, rest)
    return ((s, c), (c, -s), (-s, -c), (-c, s))[quarters % 4]


def sin(angle: float) -> float:
    """Sine of `angle`, radians, to 1 ulp. Raises ValueError if it is not finite."""
    return sin_cos(angle)[0]


def cos(angle: float) -> float:
    """Cosine of `angle`, radians, to 1 ulp. Raises ValueError if it is not finite."""
    return sin_cos(angle)[1]


def sin_cos_rows(angles: Array) -> tuple[Array, Array]:
    """Returns sines and cosines of `angles` (...), radians, at most a million, with the same digits as `sin_cos`."""
    small = np.abs(angles) <= _EIGHTH
    quarters = np.where(small, 0.0, np.rint(angles * _QUARTERS))
    whole, rest = _reduced(angles, quarters)
    s, c = _sine(whole, rest), _cosine(whole, rest)
    turned, back = quarters % 2.0 == 1.0, quarters % 4.0 >= 2.0
    sines, cosines = np.where(turned, c, s), np.where(turned, -s, c)
    return np.where(back, -sines, sines), np.where(back, -cosines, cosines)


def atan2(y: float, x: float) -> float:
    """The angle of (x, y) from +x, radians in [-pi, pi], to 2 ulp; the signs of zeros matter, as in `math.atan2`.

    Both must be finite.
    """
    across, along, ahead = abs(y), abs(x), copysign(1.0, x) > 0.0
    if across > along:
        angle = _arctangent(along / across)
        angle = 0.5 * pi - (angle - 0.5 * _PI_REST) if ahead else 0.5 * pi + (angle + 0.5 * _PI_REST)
    else:
        angle = _arctangent(across / along) if across > 0.0 else 0.0
        angle = angle if ahead else pi - (angle - _PI_REST)
    return copysign(angle, y)


def asin(x: float) -> float:
    """The angle in [-pi/2, pi/2], radians, whose sine is `x`, to 3 ulp. Raises ValueError if |x| is above 1."""
    return atan2(x, sqrt((1.0 - x) * (1.0 + x)))


def acos(x: float) -> float:
    """The angle in [0, pi], radians, whose cosine is `x`, to 3 ulp. Raises ValueError if |x| is above 1."""
    return atan2(sqrt((1.0 - x) * (1.0 + x)), x)


def _sine(x: Numbers, rest: Numbers) -> Numbers:
    """The sine of the angle `x + rest`, at most pi/4; `x` is the double nearest to the angle."""
    s1, s2, s3, s4, s5, s6 = _SINE
    square = x * x
    cube = square * x
    further = s2 + square * (s3 + square * s4) + square * (square * square) * (s5 + square * s6)
    return x - ((square * (0.5 * rest - cube * further) - rest) - cube * s1)


def _cosine(x: Numbers, rest: Numbers) -> Numbers:
    """The cosine of the angle `x + rest`, at most pi/4; `x` is the double nearest to the angle."""
    c1, c2, c3, c4, c5, c6 = _COSINE
    square = x * x
    fourth = square * square
    further = square * (c1 + square * (c2 + square * c3)) + fourth * fourth * (c4 + square * (c5 + square * c6))
    half = 0.5 * square
    whole = 1.0 - half
    return whole + (((1.0 - whole) - half) + (square * further - x * rest))


def _arctangent(x: float) -> float:
    """The arctangent of `x` in [0, 1]."""
    arc, arc_rest = 0.0, 0.0
    if x >= 0.6875:
        x, arc, arc_rest = (x - 1.0) / (x + 1.0), 0.25 * pi, 0.25 * _PI_REST
    elif x >= 0.4375:
        x, (arc, arc_rest) = (2.0 * x - 1.0) / (2.0 + x), _HALF_ARC
    t = _TANGENT
    square = x * x
    fourth = square * square
    odd = square * (t[0] + fourth * (t[2] + fourth * (t[4] + fourth * (t[6] + fourth * (t[8] + fourth * t[10])))))
    even = fourth * (t[1] + fourth * (t[3] + fourth * (t[5] + fourth * (t[7] + fourth * t[9]))))
    return arc - ((x * (odd + even) - arc_rest) - x)


def _reduced(angle: Numbers, quarters: Numbers) -> tuple[Numbers, Numbers]:
    """Returns `angle - quarters pi/2` as its nearest double and the rest. `quarters`: an integer below 2^20."""
    first, second, third, fourth = _PARTS
    # The first subtraction is exact: both terms are multiples of one power of two, and nearly equal.
    x, lost = _difference(angle - quarters * first, quarters * second)
    x, more = _difference(x, quarters * third)
    rest = (lost + more) - quarters * fourth
    total = x + rest
    return total, (x - total) + rest


def _difference(x: Numbers, y: Numbers) -> tuple[Numbers, Numbers]:
    """Returns `x - y` rounded, and its rounding error (Knuth 1969)."""
    total = x - y
    back = x - total
    return total, (x - (total + back)) + (back - y)


def _reduced_by_integers(angle: float) -> tuple[int, float, float]:
    """Reduces a large angle. Returns the nearest number of quarter turns, and the remainder as a double and the rest.

    No double is nearer to a multiple of pi/2 than 2^-62 (Ng 1992), so 192 binary digits of the remainder suffice.
    """
    whole, unit = angle.as_integer_ratio()
    bits = 256 if abs(angle) < 2.0**64 else 192 + 1024
    quarter = _quarter_turn(bits)
    quarters, left = divmod((whole << bits) // unit + (quarter >> 1), quarter)
    left = (left - (quarter >> 1)) >> bits - 192
    near = float(left)
    return quarters, ldexp(near, -192), ldexp(float(left - int(near)), -192)


@cache
def _quarter_turn(bits: int) -> int:
    """pi/2 in units of `2^-bits`, by Machin's `pi/4 = 4 arctan(1/5) - arctan(1/239)`."""
    one, sums = 1 << (bits + 16), [0, 0]
    for place, n in enumerate((5, 239)):
        power, odd = one // n, 1
        while power:
            sums[place] += power // odd if odd % 4 == 1 else -(power // odd)
            power, odd = power // (n * n), odd + 2
    return 2 * (4 * sums[0] - sums[1]) >> 16
