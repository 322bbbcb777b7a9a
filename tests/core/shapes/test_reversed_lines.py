"""A line walked the other way meets the same points with the same normals, at rims, edges, corners and tips as well."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from core.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, Hull, Shape, Sphere
from core.shapes.line_spans import Line

CUBE = Box((2.0, 2.0, 2.0))
SHAPES: dict[str, tuple[Shape, list[tuple[float, float, float]]]] = {
    "box": (CUBE, [(1.0, 1.0, 0.0), (1.0, 1.0, 1.0), (1.0, -1.0, 0.5), (0.25, 1.0, 1.0)]),
    "hull": (Hull.of(CUBE.polyhedron.vertices), [(1.0, 1.0, 0.0), (1.0, 1.0, 1.0), (-1.0, 1.0, 0.5)]),
    "cylinder": (Cylinder(1.0, 2.0), [(1.0, 1.0, 0.0), (-1.0, 1.0, 0.0), (0.0, -1.0, 1.0)]),
    "cone": (Cone(1.0, 2.0), [(0.0, 1.0, 0.0), (1.0, -1.0, 0.0), (0.0, -1.0, -1.0)]),
    "capsule": (Capsule(1.0, 2.0), [(1.0, 1.0, 0.0), (0.0, 2.0, 0.0), (1.0, -1.0, 0.0)]),
    "sphere": (Sphere(1.0), [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0)]),
    "ellipsoid": (Ellipsoid((1.0, 2.0, 0.5)), [(1.0, 0.0, 0.0), (0.0, 2.0, 0.0)]),
}
WAYS = [np.array(way) / np.linalg.norm(way) for way in product((-1.0, 0.0, 1.0), repeat=3) if any(way)]


def line(through: np.ndarray, way: np.ndarray) -> Line:
    """As a ray's is: about its point nearest the shape's position."""
    return Line(through - (through @ way) * way, way, 1e-14)


@pytest.mark.parametrize("name", SHAPES)
def test_a_line_reversed_has_its_ends_exchanged_and_their_normals_with_them(name: str) -> None:
    shape, places = SHAPES[name]
    met = 0
    for place, way in product(places, WAYS):
        there, back = (shape.line_span(line(np.array(place), one), 0.0) for one in (way, -way))
        assert (there is None) == (back is None)
        if there is None or not np.isfinite((there.enter, there.leave)).all():
            continue
        assert (there.enter, there.leave) == pytest.approx((-back.leave, -back.enter), abs=1e-12)
        if there.leave - there.enter < 1e-6:
            continue
        met += 1
        assert there.enter_normal == pytest.approx(back.leave_normal, abs=1e-12)
        assert there.leave_normal == pytest.approx(back.enter_normal, abs=1e-12)
        # It comes in against the surface and goes out with it.
        assert there.enter_normal @ way <= 1e-12
        assert there.leave_normal @ way >= -1e-12
    assert met >= 5


@pytest.mark.parametrize("turn", np.linspace(0.0, 6.0, 7))
def test_at_a_cones_tip_the_normal_faces_the_line_whichever_way_it_runs(turn: float) -> None:
    """Of all normals at the tip, which enclose the half angle's complement with the axis, the nearest to the way."""
    cone = Cone(3.0, 4.0)
    for steep in (0.9, 2.0, 8.0):  # steeper than the side, which rises by 4 on 3
        way = np.array((np.cos(turn), steep * 4.0 / 3.0 + 0.2, np.sin(turn)))
        way /= np.linalg.norm(way)
        tip = np.array((0.0, 2.0, 0.0))
        up, down = cone.line_span(line(tip, way), 0.0), cone.line_span(line(tip, -way), 0.0)
        wanted = np.array((0.8 * np.cos(turn), 0.6, 0.8 * np.sin(turn)))
        assert up.leave_normal == pytest.approx(wanted, abs=1e-7)
        assert down.enter_normal == pytest.approx(wanted, abs=1e-7)
        assert up.enter_normal.tolist() == down.leave_normal.tolist() == [0.0, -1.0, 0.0]
    straight = cone.line_span(line(np.zeros(3), np.array((0.0, 1.0, 0.0))), 0.0)
    assert straight.leave_normal.tolist() == [0.0, 1.0, 0.0]


def test_where_a_line_meets_two_faces_at_once_the_first_of_them_is_told() -> None:
    """Of a box's edges and corners that of the lower axis; of a rim the flat end."""
    for way in WAYS:
        if way.min() < 0.0 < way.max():
            continue
        found = CUBE.line_span(Line(np.zeros(3), way, 1e-14), 0.0)
        first = int(np.flatnonzero(way)[0])
        normal = np.zeros(3)
        normal[first] = np.sign(way[first])
        assert found.leave_normal.tolist() == normal.tolist()
        assert found.enter_normal.tolist() == (-normal + 0.0).tolist()
    for sign in (1.0, -1.0):
        way = np.array((1.0, sign, 0.0)) / np.sqrt(2.0)
        found = Cylinder(1.0, 2.0).line_span(line(np.zeros(3), way), 0.0)
        assert found.leave_normal.tolist() == [0.0, sign, 0.0]
        assert found.enter_normal.tolist() == [0.0, -sign, 0.0]
        # A cone's base: through the rim, from below and from above.
        found = Cone(1.0, 2.0).line_span(Line(np.array((1.0, -1.0, 0.0)), -sign * way, 1e-14), 0.0)
        assert found is not None
        base = found.enter_normal if sign < 0.0 else found.leave_normal
        assert base[1] in (-1.0, pytest.approx(1.0 / np.sqrt(5.0)))
