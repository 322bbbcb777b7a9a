"""What two ellipses share, against polynomials' roots and against polygons of many sides."""

from __future__ import annotations

from math import cos, hypot, pi, sin, tau

import numpy as np
import pytest

from core.contact.region import Ellipse, Loop, common_disc, full_circle, middle_of, points_along
from core.contact.region import _crossings as crossings
from tests.core.contact_oracle import area, intersection


def some_ellipse(rng: np.random.Generator) -> Ellipse:
    """About a place near the origin, at times a circle, at times a hundred times as long as wide."""
    turn, long = rng.uniform(0.0, tau), float(rng.uniform(0.3, 1.0))
    wide = long * float(rng.choice((1.0, rng.uniform(0.3, 1.0), 0.01)))
    u, v = rng.uniform(-0.8, 0.8, 2).tolist()
    return Ellipse((u, v), (long * cos(turn), long * sin(turn)), (-wide * sin(turn), wide * cos(turn)))


def by_roots(first: Ellipse, second: Ellipse) -> list[float]:
    """The angles on the first at which it crosses the second: the roots on the unit circle of z = e^(it)."""
    matrix = np.linalg.inv(np.array((second.p, second.q)).T)
    c, p, q = (matrix @ it for it in (np.subtract(first.centre, second.centre), np.array(first.p), np.array(first.q)))
    # c + p cos t + q sin t = c + f z + g / z, whose square less 1 is a polynomial of degree four by z².
    f, g = 0.5 * (p - 1j * q), 0.5 * (p + 1j * q)
    roots = np.roots([f @ f, 2.0 * c @ f, c @ c + 2.0 * f @ g - 1.0, 2.0 * c @ g, g @ g])
    return sorted(float(np.angle(root)) % tau for root in roots if abs(abs(root) - 1.0) < 1e-7)


def test_two_ellipses_cross_where_their_polynomial_vanishes() -> None:
    rng, counts = np.random.default_rng(71), set()
    for _ in range(400):
        first, second = some_ellipse(rng), some_ellipse(rng)
        found = crossings(first, second)
        counts.add(len(found))
        assert found == pytest.approx(by_roots(first, second), abs=1e-7)
        assert all(hypot(*second.within(first.at(t))) == pytest.approx(1.0, abs=1e-10) for t in found)
    assert counts == {0, 2, 4}


@pytest.mark.parametrize("over", [-1e-3, -1e-9, 0.0, 1e-12, 1e-9, 1e-4, 1e-3])
def test_two_circles_that_all_but_touch_cross_twice_or_not_at_all(over: float) -> None:
    """Between two of the places that are looked at, where both lie outside."""
    for angle in np.linspace(0.0, tau, 50).tolist():
        apart = 1.5 - over
        first = Ellipse((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))
        second = Ellipse((apart * cos(angle), apart * sin(angle)), (0.5, 0.0), (0.0, 0.5))
        found = crossings(first, second)
        assert len(found) == 2 if over >= 1e-9 else len(found) in (0, 2)
        # Off the way to the other centre by the angle that the chord has.
        half = np.arccos(np.clip((1.0 + apart**2 - 0.25) / (2.0 * apart), -1.0, 1.0))
        for t in found:
            assert abs(abs((t - angle + pi) % tau - pi) - half) <= 1e-6


def densely(loop: Loop) -> np.ndarray:
    arcs = [piece.arc for piece in loop if piece.arc]
    return np.array([arc.ellipse.at(t) for arc in arcs for t in np.linspace(arc.low, arc.high, 500)])


def test_what_two_ellipses_share_has_the_area_of_what_polygons_do() -> None:
    rng = np.random.default_rng(72)
    for _ in range(8):
        first, second = some_ellipse(rng), some_ellipse(rng)
        turns = np.linspace(0.0, tau, 400, endpoint=False).tolist()
        outlines = [np.array([it.at(t) for t in turns]) for it in (first, second)]
        loop = common_disc(first, second, 0.3, 1e-9)
        shared = area(densely(loop)) if loop else 0.0
        # A side of the polygons lies at most 1 - cos(pi / 400) = 3e-5 inside of the curve.
        assert shared == pytest.approx(area(intersection(*outlines)), rel=2e-4, abs=4e-5)


def test_the_middle_of_an_outline_is_the_same_however_many_corners_it_is_given_by() -> None:
    """The corners alone, doubled, doubled but for rounding, and with more of them along one side."""
    rng = np.random.default_rng(74)
    for _ in range(20):
        angles = np.sort(rng.uniform(0.0, tau, 5))
        corners = [(2.0 * cos(t), sin(t)) for t in angles.tolist()]
        (pu, pv), (qu, qv) = corners[:2]
        along = [(pu + t * (qu - pu), pv + t * (qv - pv)) for t in (0.1, 0.2, 0.7)]
        middle = middle_of(corners)
        assert middle_of([corners[0], *corners]) == pytest.approx(middle, abs=1e-14)
        assert middle_of([(pu + 1e-16, pv), *corners]) == pytest.approx(middle, abs=1e-14)
        assert middle_of([corners[0], *along, *corners[1:]]) == pytest.approx(middle, abs=1e-14)
    assert middle_of([(0.0, 0.0), (3.0, 0.0), (3.0, 1.0), (0.0, 1.0)]) == pytest.approx((1.5, 0.5))
    assert middle_of([(0.0, 0.0), (3.0, 1.0)]) == pytest.approx((1.5, 0.5))
    assert middle_of([(3.0, 1.0)]) == (3.0, 1.0)


def test_points_along_a_circle_lie_on_it_as_evenly_as_by_their_angles() -> None:
    ellipse = Ellipse((0.3, -0.2), (2.0, 0.0), (0.0, 0.5))
    found = points_along(full_circle(0, ellipse, 0.7))
    angles = 0.7 + tau * np.arange(len(found)) / len(found)
    assert found == pytest.approx(np.array([ellipse.at(t) for t in angles.tolist()]), abs=1e-14)
