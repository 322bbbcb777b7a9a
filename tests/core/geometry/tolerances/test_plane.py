"""The tolerances of the plane: those of its own, and those of space where the plane asks by itself."""

from __future__ import annotations

from math import cos, sin, tau

import numpy as np
import pytest

from core.analysis.analysis import analyse
from core.geometry.vec2 import orientation, unit
from core.gjk.article_gjk import article_gjk
from core.gjk.gjk import GjkStop, gjk
from core.minkowski.plane import PairPlace, minkowski_difference
from core.pair.support import support_maps
from core.scene import Body, Scene
from core.shapes import Circle, Polygon
from core.study.lab.edge_cases import edges_parallel, faces_aligned

SQUARE = Polygon(((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)))


def squares(x: float, y: float, angle: float = 0.0) -> Scene:
    return Scene(Body.in_plane(SQUARE), Body.in_plane(SQUARE, (x, y), angle))


@pytest.mark.parametrize(("angle", "parallel"), [(0.4e-15, True), (4e-15, False)])
def test_edges_are_parallel_where_turning_again_gains_nothing(angle: float, parallel: bool) -> None:
    for edit in (edges_parallel, faces_aligned):
        if parallel:
            with pytest.raises(ValueError, match="parallel already"):
                edit(squares(2.5, 0.25, angle))
        else:
            assert abs(edit(squares(2.5, 0.25, angle)).b.angle) < 0.2 * angle


@pytest.mark.parametrize(("angle", "points"), [(0.3e-9, 2), (3e-9, 1)])
def test_an_edge_supports_until_it_visibly_tilts(angle: float, points: int) -> None:
    # The ends of B's lower edge are 2 * angle apart in height; the way out is along A's upper edge, the better one.
    found = analyse(squares(0.25, 1.999, angle))
    assert len(found.contact_vertices.b.points) == points


@pytest.mark.parametrize(("angle", "one"), [(0.4e-12, True), (4e-12, False)])
def test_axes_are_one_line_to_rounding_only(angle: float, one: bool) -> None:
    table = analyse(squares(3.0, 0.5, angle)).sat
    labels = [candidate.label for candidate in table.candidates]
    assert (table.same_as[labels.index("B.edge0")] == labels.index("A.edge0")) is np.bool_(one)


@pytest.mark.parametrize(("bump", "corners"), [(4e-15, 4), (5e-14, 5)])
def test_a_point_on_a_side_to_rounding_is_no_corner(bump: float, corners: int) -> None:
    polygon = Polygon(((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (0.25, 1.0 + bump), (-1.0, 1.0)))
    assert len(polygon.ring) == corners


def test_the_sign_of_a_turn_is_exact_however_small() -> None:
    # Where the two products agree to some last places, whole numbers decide.
    rng = np.random.default_rng(3)
    for _ in range(2000):
        a, way = rng.uniform(0.5, 1.0, (2, 2)).tolist()
        share = float(rng.uniform(0.2, 3.0))
        b = (a[0] + way[0], a[1] + way[1])
        c = (a[0] + share * way[0], a[1] + share * way[1])
        assert orientation(tuple(a), b, c) == _exact(a, b, c)


def _exact(a, b, c) -> int:
    from fractions import Fraction

    (ax, ay), (bx, by), (cx, cy) = ([Fraction(value) for value in point] for point in (a, b, c))
    area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    return (area > 0) - (area < 0)


@pytest.mark.parametrize(("size", "known"), [(3e-301, False), (3e-300, True)])
def test_what_is_smaller_than_doubles_resolve_has_no_direction(size: float, known: bool) -> None:
    assert (unit((size, 0.0)) is not None) is known


@pytest.mark.parametrize(("angle", "inside"), [(3e-15, 4), (5e-14, 8)])
def test_a_pair_lies_on_the_outline_to_rounding(angle: float, inside: int) -> None:
    # Two sides of 2 that nearly agree follow each other on the outline; the other way round they miss it by 2 * angle,
    # of which 1.4e-14 is rounding.
    table = minkowski_difference(Body.in_plane(SQUARE), Body.in_plane(SQUARE, (0.0, 0.0), angle)).vertex_pairs
    assert sum(pair.place is PairPlace.INSIDE for pair in table) == inside


def ring(count: int, width: float, height: float) -> Polygon:
    """A polygon on an ellipse."""
    turns = [tau * k / count for k in range(count)]
    return Polygon(tuple((width * cos(at), height * sin(at)) for at in turns))


def test_gjk_ends_by_itself_even_about_thousands_of_corners() -> None:
    needle, blade = ring(2000, 1.0, 1e-4), ring(2000, 1e-5, 1.0)
    most = 0
    for turn_of_b in (0.3, 1.9, 3.1, 4.7):
        found = gjk(support_maps(Body.in_plane(needle), Body.in_plane(blade, (0.3, 1.4), turn_of_b)))
        assert found.stop is GjkStop.CONVERGED
        most = max(most, found.iterations)
    assert most > 12


def test_the_articles_gjk_ends_about_circles_that_all_but_touch() -> None:
    most = 0
    for place in range(20):
        at = (2.0 * cos(place), 2.0 * sin(place))
        difference = support_maps(Body.in_plane(Circle(1.0)), Body.in_plane(Circle(1.0 - 1e-9), at), rounded="full")
        found = article_gjk(difference, (sin(place), cos(place)))
        assert found.meet is False
        most = max(most, found.iterations)
    assert most > 6
