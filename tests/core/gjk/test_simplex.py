"""Sub-distance both ways, against least squares over every feature of the simplex."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from core.geometry.tolerances import EPS
from core.geometry.vector import Array
from core.gjk.simplex import SubDistance, nearest_on_simplex, triangle_normal
from tests.selection import some

METHODS = tuple(SubDistance)
both = pytest.mark.parametrize("method", METHODS)


def _least(points: Array) -> float:
    """Distance of the simplex from the origin: the least over its features' planes whose foot lies within."""
    best = np.inf
    for size in range(1, len(points) + 1):
        for corners in combinations(points, size):
            base, sides = corners[0], np.array(corners[1:]).reshape(-1, 3) - corners[0]
            share = np.linalg.lstsq(sides.T, -base, rcond=None)[0] if size > 1 else np.zeros(0)
            if (share >= -1e-14).all() and share.sum() <= 1.0 + 1e-14:
                foot = base + share @ sides
                best = min(best, float(np.sqrt(foot @ foot)))
    return best


def _triples(points: Array) -> list[tuple[float, float, float]]:
    return [(x, y, z) for x, y, z in points.tolist()]


@both
@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_the_nearest_point_of_random_simplices(method: SubDistance, size: int) -> None:
    rng = np.random.default_rng(size)
    regions = set()
    for _ in range(some(300)):
        points = rng.normal(size=(size, 3)) + rng.normal(size=3) * rng.choice((0.0, 0.5, 2.0))
        found = nearest_on_simplex(_triples(points), method)
        regions.add(found.region)
        weights = np.array(found.weights)
        assert (weights > 0.0).all()
        assert abs(weights.sum() - 1.0) <= 1e-14
        np.testing.assert_allclose(weights @ points[list(found.region)], found.point, atol=1e-13)
        distance = float(np.sqrt(np.dot(found.point, found.point)))
        assert abs(distance - _least(points)) <= 1e-13
    assert len(regions) == 2**size - 1  # every vertex, edge, face and the inside came up


@pytest.mark.parametrize("size", [2, 3, 4])
def test_both_methods_find_the_same_region(size: int) -> None:
    rng = np.random.default_rng(10 + size)
    for _ in range(300):
        points = _triples(rng.normal(size=(size, 3)) + 0.5 * rng.normal(size=3))
        one, other = (nearest_on_simplex(points, method) for method in METHODS)
        assert one.region == other.region
        np.testing.assert_allclose(one.weights, other.weights, atol=1e-10)


def _foot_shares(points: list[tuple[float, float, float]]) -> list[Fraction]:
    """Exact shares of a triangle's corners in the foot of the origin."""
    p, q, r = ([Fraction(x) for x in point] for point in points)
    u, v = ([b - a for a, b in zip(p, other, strict=True)] for other in (q, r))

    def product(a: list[Fraction], b: list[Fraction]) -> Fraction:
        return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))

    uu, uv, vv, pu, pv = product(u, u), product(u, v), product(v, v), product(p, u), product(p, v)
    whole = uu * vv - uv * uv
    s, t = (pv * uv - pu * vv) / whole, (pu * uv - pv * uu) / whole
    return [1 - s - t, s, t]


def test_a_needles_shares_are_as_good_as_one_rounding_of_its_long_side() -> None:
    """The share of a corner by the short side is uncertain by that rounding in units of the short side."""
    rng = np.random.default_rng(4)
    for _ in range(100):
        short, long = 10.0 ** rng.uniform(-9.0, -5.0), rng.normal(size=3)
        across = rng.normal(size=3)
        across /= np.linalg.norm(across)
        upwards = np.cross(long, across)
        corners = np.array((np.zeros(3), long, short * across))
        above = 0.3 * short * rng.choice((0.0, 1.0, 10.0)) / np.linalg.norm(upwards) * upwards
        points = _triples(rng.permutation(corners - rng.dirichlet((1.0, 1.0, 1.0)) @ corners + above))
        found = nearest_on_simplex(points)
        right = _foot_shares(points)
        assert found.region == (0, 1, 2)
        off = max(abs(float(Fraction(w) - share)) for w, share in zip(found.weights, right, strict=True))
        assert off * short <= 3.0 * EPS * np.linalg.norm(long)


@both
def test_the_order_of_the_points_does_not_matter(method: SubDistance) -> None:
    rng = np.random.default_rng(3)
    for _ in range(100):
        points = rng.normal(size=(4, 3)) + 0.4 * rng.normal(size=3)
        order = rng.permutation(4)
        straight = nearest_on_simplex(_triples(points), method)
        mixed = nearest_on_simplex(_triples(points[order]), method)
        assert {int(order[k]) for k in mixed.region} == set(straight.region)


FLAT = {
    "one point twice": ((1.0, 2.0, 3.0),) * 2,
    "one point three times": ((1.0, 2.0, 3.0),) * 3,
    "one point four times": ((1.0, 2.0, 3.0),) * 4,
    "a triangle that is a line": ((1.0, -1.0, 0.0), (1.0, 3.0, 0.0), (1.0, 1.0, 0.0)),
    "a triangle with two equal corners": ((1.0, -1.0, 0.0), (1.0, 3.0, 0.0), (1.0, 3.0, 0.0)),
    "four points in a line": ((1.0, -2.0, 0.0), (1.0, -1.0, 0.0), (1.0, 1.0, 0.0), (1.0, 2.0, 0.0)),
    "four points in a plane": ((1.0, -1.0, -1.0), (1.0, 2.0, -1.0), (1.0, 2.0, 2.0), (1.0, -1.0, 2.0)),
    "the origin in the plane of four points": ((-1.0, -1.0, 0.0), (2.0, -1.0, 0.0), (2.0, 2.0, 0.0), (-1.0, 2.0, 0.0)),
    "the origin on a corner": ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "the origin on a side": ((-1.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "the origin on a face": ((-1.0, -1.0, 0.0), (2.0, -1.0, 0.0), (-1.0, 2.0, 0.0), (0.0, 0.0, 1.0)),
}


@both
@pytest.mark.parametrize("name", FLAT)
def test_flat_simplices_have_a_nearest_point_too(method: SubDistance, name: str) -> None:
    points = np.array(FLAT[name])
    found = nearest_on_simplex(_triples(points), method)
    assert len(found.region) < 4
    assert abs(float(np.sqrt(np.dot(found.point, found.point))) - _least(points)) <= 1e-15
    np.testing.assert_allclose(np.array(found.weights) @ points[list(found.region)], found.point, atol=1e-15)


def test_an_origin_that_rounding_has_put_beside_a_face_lies_on_it() -> None:
    """To either side of its plane by a last digit: inside the tetrahedron it would count as enclosed."""
    rng = np.random.default_rng(7)
    for _ in range(100):
        corners = rng.normal(size=(4, 3))
        points = corners - rng.dirichlet((5.0, 5.0, 5.0)) @ corners[:3]
        found = nearest_on_simplex(_triples(points))
        assert found.region == (0, 1, 2)


def test_a_needle_keeps_its_digits() -> None:
    """Two corners 4e-6 apart on a triangle 1e6 long; areas about the origin would lose the short side altogether."""
    rng = np.random.default_rng(5)
    for _ in range(200):
        far, near = 1e6 * rng.normal(size=3), 1e6 * rng.normal(size=3)
        near = -far * rng.uniform(0.5, 2.0) + 1e-6 * rng.normal(size=3)
        points = np.array((far, near, near + 4e-6 * rng.normal(size=3)))
        found = nearest_on_simplex(_triples(points))
        exact = _least(points)
        distance = float(np.sqrt(np.dot(found.point, found.point)))
        assert distance <= exact + 1e-9


def test_the_normal_of_a_sliver_is_square_to_its_sides() -> None:
    a, b, c = (0.0, 0.0, 0.0), (1.0, 1e-9, 0.3), (1.0, 0.0, 0.3)
    normal = np.array(triangle_normal(a, b, c))
    normal /= np.sqrt(normal @ normal)
    assert abs(normal @ np.array(b)) <= 1e-15
    assert abs(normal @ np.array(c)) <= 1e-15
