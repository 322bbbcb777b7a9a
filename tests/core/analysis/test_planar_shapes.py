"""Polygons as given and as refused, the planes test, Minkowski polygons, and contacts of the plane."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from core import Verdict
from core.analysis.analysis import analyse
from core.contact.contact import ClipStep, Contact, ContactCase, DepthStep, FeaturesStep
from core.contact.policies.plane import contact_steps_of, contacts_of
from core.geometry.plane import line_through
from core.geometry.vec2 import orientation
from core.minkowski.plane import (
    MinkowskiPolygon,
    PairPlace,
    minkowski_difference,
    minkowski_sum,
    nearest_point,
    pair_name,
)
from core.pair.cores import PlanePair
from core.sat.separating_planes import planes_test, planes_test_steps
from core.scene import Body, Scene
from core.shapes import Circle, Polygon
from core.shapes.convex_loop import convex_ring
from core.study.articles.plane import WORKED_EXAMPLE
from core.trace import record
from tests.core.planar_samples import (
    FAMILIES,
    brute_force,
    general,
    lattice,
    near_aligned,
    outline,
    polygon,
    scenes,
    size_of,
)
from tests.selection import some

SQUARE = Polygon.of([(-1, -1), (1, -1), (1, 1), (-1, 1)])


def test_either_way_round_is_one_polygon() -> None:
    clockwise = Polygon.of([(-1, -1), (-1, 1), (1, 1), (1, -1)])
    assert SQUARE.ring == (0, 1, 2, 3)
    assert clockwise.ring == (0, 3, 2, 1)
    assert SQUARE.edge_normals == clockwise.edge_normals == ((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0))


def test_doubled_points_and_points_on_a_side_are_no_vertices() -> None:
    given = Polygon.of([(-1, -1), (-1, -1), (0, -1), (1, -1), (1, 0.5), (1, 1), (1, 1), (-1, 1), (-1, -1)])
    assert [given.points[k] for k in given.ring] == list(SQUARE.points)
    assert len(given.points) == 9
    turned = Polygon.of([(math.cos(1) * x - math.sin(1) * y, math.sin(1) * x + math.cos(1) * y) for x, y in
                         [(-1, -1), (-0.3, -1), (1, -1), (1, 1), (0.1, 1), (-1, 1)]])  # fmt: skip
    assert turned.ring == (0, 2, 3, 5)


@pytest.mark.parametrize(
    ("points", "why"),
    [
        ([(0, 0), (2, 0), (1, 0), (3, 0), (3, 3)], "not convex at point 1"),
        ([(0, 0), (2, 0), (2, 2), (1, 0.5)], "not convex at point 3"),
        ([(0, 0), (1, 1), (1, 0), (0, 1)], "not convex"),
        ([(math.cos(2 * k), math.sin(2 * k)) for k in (math.tau / 5 * j for j in range(5))], "more than once"),
        ([(0, 0), (1, 0), (math.nan, 1)], "point 2 is not finite"),
        ([(0, 0), (math.inf, 0), (0, 1)], "point 1 is not finite"),
        ([], "at least one point"),
    ],
)
def test_what_is_no_convex_polygon_is_refused(points: list[tuple[float, float]], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Polygon.of(points)


@pytest.mark.parametrize(
    ("points", "word", "ring"),
    [
        ([(2, 3)], "point", (0,)),
        ([(2, 3), (2, 3)], "point", (0,)),
        ([(0, 0), (1, 0)], "segment", (0, 1)),
        ([(0, 0), (1, 0), (1, 0), (0, 0)], "segment", (0, 1)),
        ([(1, 1), (0, 0), (2, 2)], "segment", (1, 2)),
        ([(0, 0), (2, 0), (1, 0), (3, 0)], "segment", (0, 3)),
        ([(0, 0), (1, 1e-16), (2, 0)], "segment", (0, 2)),
        ([(0, 0), (1, 0), (0, 1)], "polygon", (0, 1, 2)),
        # Two corners in nearly one place, for the size of the whole: one of them stays.
        ([(0, 0), (1e21, 0), (0, 1e12), (0, 1)], "polygon", (1, 2, 3)),
        ([(0, 0), (1e30, 0), (0, 1e30), (0, 1)], "polygon", (1, 2, 3)),
    ],
)
def test_points_on_one_line_are_a_segment_and_in_one_place_a_point(
    points: list[tuple[float, float]], word: str, ring: tuple[int, ...]
) -> None:
    flat = Polygon.of(points)
    assert (flat.word, flat.ring) == (word, ring)
    ends = np.array(flat.points)[list(ring)]
    if word == "segment":
        assert flat.largest_half_extent == pytest.approx(0.5 * float(np.linalg.norm(ends[1] - ends[0])), rel=1e-15)
        assert np.array(flat.edge_normals).sum(axis=0).tolist() == [0.0, 0.0]
        assert np.array(flat.edge_normals) @ (ends[1] - ends[0]) == pytest.approx(0.0, abs=1e-15)
    elif word == "point":
        assert flat.largest_half_extent == 0.0
        assert flat.edge_normals == ()


@pytest.mark.parametrize("radius", [0.0, -1.0, math.nan, math.inf])
def test_a_circle_needs_a_radius(radius: float) -> None:
    with pytest.raises(ValueError, match="the radius of a circle must be"):
        Circle(radius)


@pytest.mark.parametrize("size", [1e-30, 1e-6, 1.0, 1e6, 1e30])
def test_polygons_of_every_size(size: float) -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        one = polygon(rng, size)
        corners = np.array([one.points[k] for k in one.ring]) / size
        assert len(ConvexHull(corners).vertices) == len(one.ring) == len(one.points)
        assert ConvexHull(corners).volume == pytest.approx(_area(corners))


def _area(loop: np.ndarray) -> float:
    after = np.roll(loop, -1, axis=0)
    return 0.5 * float((loop[:, 0] * after[:, 1] - loop[:, 1] * after[:, 0]).sum())


def test_a_fine_polygon_keeps_its_vertices() -> None:
    points = tuple((math.cos(math.tau * k / 20_000), math.sin(math.tau * k / 20_000)) for k in range(20_000))
    assert len(convex_ring(points)) == 20_000


def test_the_turn_of_three_points_is_exact() -> None:
    """Kettner's grid: points a last place apart beside a line, which plain doubles put on either side."""
    one, other = (17.300000000000001, 17.300000000000001), (24.00000000000005, 24.0000000000000517765)
    wrong = 0
    for i, j in product(range(48), repeat=2):
        x, y = 0.50000000000002531 + i * 2.0**-53, 0.5000000000000171 + j * 2.0**-53
        plain = (one[0] - x) * (other[1] - y) - (one[1] - y) * (other[0] - x)
        (px, py), (qx, qy), (rx, ry) = (tuple(map(Fraction, point)) for point in ((x, y), one, other))
        exact = (qx - px) * (ry - py) - (qy - py) * (rx - px)
        right = (exact > 0) - (exact < 0)
        assert orientation((x, y), one, other) == right
        wrong += (plain > 0) - (plain < 0) == -right != 0
    assert wrong > 0


def test_the_planes_front_is_on_the_right() -> None:
    for scene in scenes(40, 1, (lattice,)):
        for step in record(planes_test_steps(scene.a, scene.b)).steps:
            line = line_through(step.start, step.end)
            assert line.normal == pytest.approx(step.plane.normal)
            assert line.offset == pytest.approx(step.plane.offset)
            other = (scene.b, scene.a)[step.body]
            points, _ = outline(other, (0.0, 0.0, 0.0))
            assert step.distances == pytest.approx([line.signed_distance(tuple(point)) for point in points.tolist()])
            assert step.gap == min(step.distances)
            assert step.numbers[step.distances.index(step.gap)] == step.nearest
            assert line.flipped().signed_distance(step.start) == pytest.approx(0.0, abs=1e-12)


def test_the_planes_test_has_a_verdict_for_touching_and_says_where_a_program_stops() -> None:
    kiss = planes_test(Body.in_plane(SQUARE), Body.in_plane(SQUARE, (2.0, 0.5)))
    assert kiss.verdict is Verdict.TOUCHING
    assert kiss.gap == 0.0
    assert kiss.first is None
    apart = record(planes_test_steps(Body.in_plane(SQUARE), Body.in_plane(SQUARE, (3.0, 4.0))))
    assert apart.result is not None
    assert apart.result.first == "A.edge1"
    assert apart.result.best.label == "A.edge2"
    assert apart.result.gap == 2.0
    assert [step.apart for step in apart.steps] == [False] + [True] * 7
    with pytest.raises(TypeError, match="circle"):
        planes_test(Body.in_plane(SQUARE), Body.in_plane(Circle(1.0)))


def test_the_table_of_the_worked_example() -> None:
    a, b = WORKED_EXAMPLE.a, WORKED_EXAMPLE.b
    table = {pair.name: pair.point for pair in minkowski_difference(a, b).vertex_pairs}
    assert table == {
        "AD": (0, 2), "AE": (-1, 0), "AF": (1, 0),
        "BD": (1, 0), "BE": (0, -2), "BF": (2, -2),
        "CD": (-1, 0), "CE": (-2, -2), "CF": (0, -2),
    }  # fmt: skip
    corners = {pair.name for pair in minkowski_difference(a, b).vertex_pairs if pair.place is PairPlace.CORNER}
    assert corners == {"AD", "BF", "CE"}
    assert all(pair.place is not PairPlace.INSIDE for pair in minkowski_difference(a, b).vertex_pairs)
    sums = {pair.name: pair.point for pair in minkowski_sum(a, b).vertex_pairs}
    assert sums["AD"] == (0, 0)
    assert sums["BF"] == (0, 0)
    assert sums["CE"] == (0, 0)
    assert sums["AE"] == (1, 2)
    assert len(minkowski_sum(a, b).corners) == 6


def test_minkowski_polygons_are_the_hulls_of_their_tables() -> None:
    corners = 0
    for scene in scenes(240, 2, (*FAMILIES[:3], *FAMILIES[4:6])):
        for found in (minkowski_difference(scene.a, scene.b), minkowski_sum(scene.a, scene.b)):
            if not found.edges:
                continue
            corners += len(found.corners)
            assert_hull(found, size_of(scene))
    assert corners > some(1000)


def assert_hull(found: MinkowskiPolygon, size: float) -> None:
    points = np.array([pair.point for pair in found.vertex_pairs])
    normals = np.array([edge.normal for edge in found.edges])
    offsets = np.array([edge.offset for edge in found.edges])
    assert (points @ normals.T <= offsets + 1e-14 * size).all()
    loop = np.array(found.corners)
    assert len(loop) == len(found.edges) == len(found.sources)
    middle = points.mean(axis=0)
    hull = ConvexHull(points - middle, qhull_options="QJ")
    assert _area(loop - middle) == pytest.approx(hull.volume, abs=1e-8 * size * size)
    for k, corner in enumerate(found.corners):
        pairs = [pair for pair in found.vertex_pairs if pair.corner == k]
        assert found.sources[k] in [(pair.vertex_a, pair.vertex_b) for pair in pairs]
        assert all(math.dist(pair.point, corner) <= 1e-13 * size for pair in pairs)
    for pair in found.vertex_pairs:
        height = float((normals @ np.array(pair.point) - offsets).max())
        assert (height < -1e-13 * size) <= (pair.place is PairPlace.INSIDE)


def test_coincident_differences_are_all_named() -> None:
    found = minkowski_difference(Body.in_plane(SQUARE), Body.in_plane(SQUARE))
    assert found.corners == ((-2.0, -2.0), (2.0, -2.0), (2.0, 2.0), (-2.0, 2.0))
    assert sorted(pair.corner for pair in found.vertex_pairs if pair.corner is not None) == [0, 1, 2, 3]
    assert sum(pair.point == (0.0, 0.0) for pair in found.vertex_pairs) == 4
    assert all(edge.edge_a is not None and edge.edge_b is not None for edge in found.edges)
    assert [edge.row for edge in found.edges] == [0, 1, 2, 3]


def test_parallel_edges_are_one_however_they_are_turned() -> None:
    for one, other in product(range(-4, 5), repeat=2):
        a, b = (Body.in_plane(SQUARE, (0.1, 0.2), turns * math.pi / 2) for turns in (one, other))
        for found in (minkowski_difference(a, b), minkowski_sum(a, b)):
            assert len(found.corners) == 4
            assert {(edge.edge_a is None, edge.edge_b is None) for edge in found.edges} == {(False, False)}
            assert _area(np.array(found.corners)) == pytest.approx(16.0)


def test_many_vertices_go_by_number() -> None:
    assert pair_name(2, 3, 10, 10) == "CN"
    assert pair_name(2, 3, 20, 10) == "v2|v3"


def test_the_difference_with_a_circle_is_the_polygon_grown() -> None:
    found = minkowski_difference(Body.in_plane(SQUARE), Body.in_plane(Circle(0.5), (3.0, 0.0)))
    assert found.radius == 0.5
    assert found.corners == ((-4.0, -1.0), (-2.0, -1.0), (-2.0, 1.0), (-4.0, 1.0))
    nearest = nearest_point(found, (3.0, 0.0), 1e-15)
    assert nearest.separation == 1.5
    assert nearest.normal == (1.0, 0.0)
    assert nearest.witness_a == (1.0, 0.0)
    assert nearest.witness_b == (2.5, 0.0)


def test_a_box_on_a_box_touches_at_two_points() -> None:
    top = Body.in_plane(Polygon.of([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]), (0.75, 1.25))
    scene = Scene(Body.in_plane(SQUARE), top)
    found = analyse(scene).contacts
    assert found.case is ContactCase.FACE_OF_A
    assert found.normal.tolist() == [0.0, 1.0, 0.0]
    assert {(contact.name, tuple(contact.position.tolist()), contact.depth) for contact in found.contacts} == {
        ("edge2|v0", (0.25, 0.875, 0.0), 0.25),
        ("v2|edge0", (1.0, 0.875, 0.0), 0.25),
    }
    other = analyse(scene.swapped()).contacts
    places = [{tuple(contact.position.tolist()) for contact in both.contacts} for both in (found, other)]
    assert places[0] == places[1]
    assert {contact.name for contact in other.contacts} == {"v0|edge2", "edge0|v2"}


def test_corners_over_corners_are_not_cut_by_rounding() -> None:
    for k in range(60):
        angle = 0.1 * k
        up = (-1.9 * math.sin(angle), 1.9 * math.cos(angle))
        found = analyse(Scene(Body.in_plane(SQUARE, angle=angle), Body.in_plane(SQUARE, up, angle))).contacts
        assert {contact.name for contact in found.contacts} == {"v3|v0", "v2|v1"}


def test_a_tip_in_a_side_and_tip_on_tip() -> None:
    tip = Polygon.of([(0, 0), (1, 2), (-1, 2)])
    deep = analyse(Scene(Body.in_plane(SQUARE), Body.in_plane(tip, (0.25, 0.9)))).contacts
    assert [(contact.name, contact.depth) for contact in deep.contacts] == [("edge2|v0", pytest.approx(0.1))]
    assert deep.contacts[0].position == pytest.approx((0.25, 0.95, 0.0))
    kiss = analyse(Scene(Body.in_plane(SQUARE), Body.in_plane(SQUARE, (2.0, 2.0))))
    assert kiss.verdict is Verdict.TOUCHING
    assert len(kiss.contacts.contacts) == 1
    assert kiss.contacts.contacts[0].position.tolist() == [1.0, 1.0, 0.0]
    apart = analyse(Scene(Body.in_plane(SQUARE), Body.in_plane(SQUARE, (2.5, 2.0))))
    assert apart.contacts.contacts == ()


def test_a_circle_touches_at_one_point() -> None:
    found = analyse(Scene(Body.in_plane(Circle(1.0)), Body.in_plane(SQUARE, (1.75, 0.5)))).contacts
    assert found.case is ContactCase.POINT
    assert [(contact.name, contact.position.tolist(), contact.depth) for contact in found.contacts] == [
        ("centre|edge3", [0.875, 0.0, 0.0], 0.25)
    ]


def test_contacts_are_on_both_outlines_and_the_deepest_has_the_depth() -> None:
    counts: Counter[int] = Counter()
    for scene in scenes(400, 3, (general, lattice, near_aligned)):
        found = analyse(scene)
        contacts = found.contacts.contacts
        counts[len(contacts)] += 1
        if found.verdict is Verdict.SEPARATED:
            assert not contacts
            continue
        near = 1e-12 * size_of(scene) + found.band
        assert 1 <= len(contacts) <= 2
        deepest = max(contact.depth for contact in contacts)
        assert deepest == pytest.approx(-found.separation, abs=near + 1e-6 * size_of(scene))
        assert len({contact.name for contact in contacts}) == len(contacts)
        for contact in contacts:
            assert contact.depth >= -found.contacts.flatness.delta - near
            # Midway between a point of A's outline and one of B's, along the normal.
            for body, side in ((scene.a, 0.5), (scene.b, -0.5)):
                at = contact.position + side * contact.depth * found.contacts.normal
                assert at[2] == 0.0
                assert abs(brute_force(Scene(body, Body.in_plane(Circle(1e-30), tuple(at[:2].tolist()))))) <= near
    assert min(counts[1], counts[2]) > some(60)


def test_contact_steps_tell_the_whole_way() -> None:
    a, b = Body.in_plane(SQUARE), Body.in_plane(SQUARE, (0.75, 1.75), 0.1)
    difference = minkowski_difference(a, b)
    nearest = nearest_point(difference, PlanePair.of(a, b).offset, 1e-15)
    recording = record(contact_steps_of(a, b, difference, nearest))
    assert [type(step) for step in recording.steps] == [FeaturesStep, ClipStep, ClipStep, DepthStep]
    assert recording.result is not None
    once_more = contacts_of(a, b, difference, nearest)
    assert recording.result.case is once_more.case
    assert recording.result.normal.tolist() == once_more.normal.tolist()
    assert [_told(contact) for contact in recording.result.contacts] == [_told(one) for one in once_more.contacts]
    first, one, two, last = recording.steps
    assert isinstance(first, FeaturesStep)
    assert isinstance(one, ClipStep)
    assert isinstance(two, ClipStep)
    assert isinstance(last, DepthStep)
    assert np.array_equal(one.after, two.before)
    assert np.array_equal(two.after, last.points)
    for step in (one, two):
        assert all(np.dot(step.normal, point) <= step.offset + 1e-12 for point in step.after)


def _told(contact: Contact) -> tuple[str, list[float], float]:
    return contact.name, contact.position.tolist(), contact.depth


def test_supporting_features() -> None:
    found = analyse(Scene(Body.in_plane(SQUARE), Body.in_plane(SQUARE, (0.5, 3.0), math.pi / 2))).contact_vertices
    assert (found.a.kind, found.a.name, found.a.indices) == ("edge", "edge2", (2, 3))
    assert found.b.kind == "edge"
    # A side so short that both its ends are level, but not along the direction: the lower number stands for it.
    blunt = Polygon.of([(-1, -1), (1, -1), (1, 1 - 1e-10), (1 - 1e-10, 1), (-1, 1)])
    steep = analyse(Scene(Body.in_plane(blunt), Body.in_plane(Circle(1.0), (3.0, 4.0)))).contact_vertices
    assert steep.a.kind == "vertex"
    level = analyse(Scene(Body.in_plane(blunt), Body.in_plane(Circle(1.0), (4.0, 4.0)))).contact_vertices
    assert (level.a.kind, level.a.name) == ("edge", "edge2")
    corner = analyse(Scene(Body.in_plane(SQUARE), Body.in_plane(Circle(1.0), (3.0, 4.0)))).contact_vertices
    assert (corner.a.kind, corner.a.name) == ("vertex", "v2")
    assert corner.b.kind == "surface"
