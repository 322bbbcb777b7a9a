"""The axis of the closest points, found without the difference: against every vertex with every edge, and in parts."""

from __future__ import annotations

import re

import numpy as np
import pytest
from msgspec.structs import replace

from core import Body, Box, Capsule, Hull, Polygon, Scene, Shape, Verdict
from core.geometry.triple import Triple
from core.sat import closest
from core.sat.plane import plane_sat
from core.sat.sat import AxisKind, sat
from core.shapes import Rounded
from tests.core import planar_samples
from tests.core.explicit import explicit_distance
from tests.core.polyhedra_samples import ball_hull, extent, offset, turn
from tests.selection import some

BORDER = 0.05


def of_space(shape: Shape) -> Hull:
    assert isinstance(shape, Polygon)
    return Hull.of([(x, y, 0.0) for x, y in shape.points])


@pytest.mark.parametrize("space", [False, True])
def test_polygons_in_one_plane_are_as_far_apart_as_their_vertices_and_edges(space: bool) -> None:
    """In space the way out of what overlaps leads across the plane."""
    rng, joined = np.random.default_rng(12), 0
    for _ in range(some(200)):
        sharp = [planar_samples.body(rng, planar_samples.polygon(rng), 2.0) for _ in range(2)]
        if space:
            a, b = (Body(Rounded(of_space(own.shape), BORDER), own.position, own.rotation) for own in sharp)
        else:
            a, b = (replace(own, shape=Rounded(own.shape, BORDER)) for own in sharp)
        table, wanted = (sat if space else plane_sat)(a, b), planar_samples.brute_force(Scene(*sharp))
        expected = (max(wanted, 0.0) if space else wanted) - 2.0 * BORDER
        assert table.separation == pytest.approx(expected, abs=1e-12)
        assert table.exact
        joined += table.candidates[table.winner].kind is AxisKind.CENTRES
    assert joined >= some(20)


@pytest.mark.parametrize("few", [0, 2**40])
@pytest.mark.parametrize("at_once", [1, 2**18])
def test_what_is_left_out_is_farther(few: int, at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether all pairs are looked at or those near the gap alone, at once or a vertex at a time."""
    rng, names = np.random.default_rng(6), set[str]()
    monkeypatch.setattr(closest, "FEW_VERTEX_PAIRS", few)
    monkeypatch.setattr(closest, "AT_ONCE", at_once)
    for number in range(some(60)):
        shapes = ball_hull(rng, 12, (1.0, 0.6, 0.3)), ball_hull(rng, 40) if number % 3 else Capsule(0.1, 1.0)
        a, b = (Body(Rounded(shape, 0.1), offset(rng, 3.0), turn(rng)) for shape in shapes)
        table, wanted = sat(a, b), explicit_distance(a, b).separation
        assert table.separation == pytest.approx(wanted, abs=1e-12 * extent(Scene(a, b)))
        if table.candidates[table.winner].kind is AxisKind.CENTRES:
            names.add("".join(letter for letter in table.candidates[-1].label if not letter.isdigit()))
    assert {"A.v→B.v", "A.edge→B.v", "A.v→B.edge"} <= names


@pytest.mark.parametrize("way", [1.0, -1.0])
def test_bodies_in_one_plane_that_touch_part_towards_b(way: float) -> None:
    """Neither way across the plane, or the line of two segments, is shorter: the one towards B's position is told."""
    triangle = [(-1.0, -1.0), (1.0, -1.0), (0.0, 1.0)]
    in_plane = Hull.of([(x, y, 0.0) for x, y in triangle])
    aside = Hull.of([(x, y, -way) for x, y in triangle])
    table = sat(Body(in_plane), Body(aside, (0.1, 0.0, way)))
    assert table.verdict is Verdict.TOUCHING
    assert table.normal.tolist() == [0.0, 0.0, way]
    segment, beside = Polygon.of([(-1.0, 0.0), (1.0, 0.0)]), Polygon.of([(-1.0, -way), (1.0, -way)])
    table = plane_sat(Body(segment), Body(beside, (0.5, way, 0.0)))
    assert table.verdict is Verdict.TOUCHING
    assert table.normal.tolist() == [0.0, way, 0.0]


@pytest.mark.parametrize(
    ("at", "label"),
    [
        ((1.5, 0.3, 0.0), "A.axis→B.axis"),
        ((1.5, 2.0, 0.0), "A.end1→B.end0"),
        ((1.5, 2.7, 0.4), "A.end1→B.end0"),
        ((0.0, 3.0, 0.0), "A.end1→B.end0"),
    ],
)
def test_the_row_names_the_two_points_that_are_closest_or_what_faces_along_it(at: Triple, label: str) -> None:
    """Upright segments of length 2: side by side along a stretch, past each other, one above the other."""
    rod = Capsule(0.1, 2.0)
    assert sat(Body(rod), Body(rod, at)).candidates[-1].label == label


def test_a_short_segment_beside_a_long_one_is_named_whole() -> None:
    table = sat(Body(Capsule(0.1, 1.0)), Body(Capsule(0.1, 3.0), (1.0, 0.2, 0.0)))
    assert table.candidates[-1].label == "A.axis→B.axis"


def test_rounded_boxes_name_the_faces_edges_or_corners_that_are_closest() -> None:
    cube = Rounded(Box((1.0, 1.0, 1.0)), 0.1)
    places = ((2.0, 0.3, 0.3), (2.0, 2.0, 0.3), (2.0, 2.0, 2.0))
    labels = [sat(Body(cube), Body(cube, at)).candidates[-1].label for at in places]
    kinds = [re.sub(r"\d", "", label) for label in labels]
    assert labels[0] == "A.+x→B.-x"
    assert kinds[1:] == ["A.v-v→B.v-v", "A.v→B.v"]


def test_cores_that_touch_have_no_row_of_closest_points() -> None:
    cube = Rounded(Box((1.0, 1.0, 1.0)), 0.1)
    table = sat(Body(cube), Body(cube, (1.0, 0.25, 0.25)))
    assert table.separation == pytest.approx(-0.2)
    assert AxisKind.CENTRES not in {candidate.kind for candidate in table.candidates}


def test_the_direction_of_a_segment_shorter_than_rounding_decides_nothing() -> None:
    # Along y, 1e-6 long, where numbers are 1e14 apart: all that is left of it lies along z, across the way to it.
    short, long = Hull.of([(0.0, 0.0, -1e-30), (0.0, 1e-6, 1e-30)]), Hull.of([(0.0, -1e12, 0.0), (0.0, 1e12, 0.0)])
    table = sat(Body(long, (1e30, -1e30, 0.0)), Body(short))
    assert table.separation == pytest.approx(2.0**0.5 * 1e30, rel=1e-12)
