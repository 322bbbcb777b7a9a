"""In the plane: GJK and EPA against every feature, each step's record, and the article's own GJK by its own rules."""

from __future__ import annotations

import numpy as np
import pytest

from core import Body
from core.geometry.vec2 import Vec2
from core.gjk.article_gjk import (
    FIRST_DIRECTION,
    ArticleStop,
    EdgeTest,
    Outward,
    article_gjk_steps,
)
from core.gjk.epa import EpaAction, EpaSettings, EpaStop
from core.gjk.gjk_epa import SignedDistance, signed_distance, signed_distance_steps
from core.gjk.plane_epa import EpaPolygonStep, epa_polygon
from core.pair.pair import PairScale
from core.pair.support import Difference, DifferencePoint, Points, Rounding, support_maps
from core.shapes import Circle, Polygon
from core.trace import record
from tests.core.planar_samples import (
    brute_force,
    centred,
    contained,
    general,
    lattice,
    near_aligned,
    outline,
    scenes,
    worked_example,
)

FLAT = general, contained, centred, lattice, near_aligned


@pytest.mark.parametrize("rounded", ["core", "full"])
def test_the_answer_is_as_far_as_all_features_say_and_its_points_are_on_the_outlines(rounded: Rounding) -> None:
    ways, circles = set(), 0
    for scene in scenes(150, 71, FLAT):
        circles += any(isinstance(body.shape, Circle) for body in (scene.a, scene.b))
        scale = PairScale.of(scene.a, scene.b)
        found, exact = signed_distance(support_maps(scene.a, scene.b, rounded=rounded)), brute_force(scene)
        noise = 4e-12 * scale.extent + found.certainty.gap
        assert found.separation == pytest.approx(exact, abs=noise)
        assert found.lower - noise <= exact <= found.upper + noise
        assert found.normal[2] == 0.0
        assert np.linalg.norm(found.normal) == pytest.approx(1.0, abs=1e-15)
        assert found.witness_b - found.witness_a == pytest.approx(found.separation * found.normal, abs=noise)
        ends = []
        for body, sign, witness in ((scene.a, 1.0, found.witness_a), (scene.b, -1.0, found.witness_b)):
            corners, radius = outline(body, scene.a.position)
            heights = sign * (corners @ found.normal[:2])
            ends.append(heights.max() + radius)
            assert sign * float(witness @ found.normal) == pytest.approx(ends[-1], abs=noise)
        # Along the normal nothing is nearer: it proves the answer.
        assert -sum(ends) == pytest.approx(exact, abs=noise)
        ways.add(found.epa is None)
    assert len(ways) == 2
    assert circles > 10


def test_each_step_of_the_polygon_replays_and_its_bounds_hold() -> None:
    expanded = 0
    for scene in scenes(120, 72, FLAT):
        difference = support_maps(scene.a, scene.b)
        recording = record(signed_distance_steps(difference))
        steps = [step for step in recording.steps if isinstance(step, EpaPolygonStep)]
        answer = recording.result
        assert isinstance(answer, SignedDistance)
        if not steps or answer.epa is None:
            continue
        depth = -brute_force(scene) - difference.radius
        noise = 4e-12 * difference.extent
        assert [step.number for step in steps] == list(range(len(steps)))
        if answer.epa.stop is EpaStop.FLAT_POLYTOPE:
            assert (len(steps), steps[0].action, steps[0].lower, steps[0].upper) == (1, EpaAction.STOP, 0.0, 0.0)
            assert steps[0].stop is EpaStop.FLAT_POLYTOPE
            continue
        first = steps[0]
        assert (first.action, first.added, first.nearest) == (EpaAction.HAND_OVER, first.edges, None)
        assert 1 <= first.given <= 3 == len(first.vertices)
        assert {p.xyz for p in first.vertices[: first.given]} <= {p.xyz for p in answer.gjk.simplex} | {
            p.xyz for p in first.vertices
        }
        edges, vertices = list(first.edges), list(first.vertices)
        upper = np.inf
        for step in steps[1:]:
            assert list(step.edges) == edges
            assert list(step.vertices) == vertices
            _judge_polygon(step)
            assert step.nearest is not None
            assert step.support is not None
            assert step.closest is not None
            assert step.nearest.offset == min(edge.offset for edge in edges)
            assert step.support.xyz_direction == (*step.nearest.normal, 0.0)
            value = float(np.dot(step.support.xy, step.nearest.normal))
            upper = min(upper, value)
            assert step.upper == pytest.approx(upper, abs=1e-15 * difference.extent)
            assert step.lower is not None
            assert step.lower - noise <= depth <= upper + noise
            ends = np.array([vertices[k].xy for k in (step.nearest.start, step.nearest.end)])
            foot = _nearest_on(ends)
            assert step.closest == pytest.approx((*foot, 0.0), abs=1e-13 * difference.extent)
            wanted = step.nearest.offset if step.nearest.offset >= 0.0 else -np.hypot(*foot)
            assert step.lower == pytest.approx(wanted, abs=1e-13 * difference.extent)
            assert (step.action is EpaAction.EXPAND) == (step.stop is None) == bool(step.added) == bool(step.removed)
            if step.stop is None:
                expanded += 1
                assert step.removed == (step.nearest,)
                one, other = step.added
                new = len(vertices)
                assert (one.start, one.end, other.start, other.end) == (step.nearest.start, new, new, step.nearest.end)
                vertices.append(step.support)
                place = edges.index(step.nearest)
                edges[place : place + 1] = step.added
        assert steps[-1].stop is answer.epa.stop
        assert answer.epa.iterations == steps[-1].number
    assert expanded > 30


def _judge_polygon(step: EpaPolygonStep) -> None:
    """Counter-clockwise from edge to edge; each normal turned out; the offset is that of both ends but for rounding."""
    for edge, following in zip(step.edges, (*step.edges[1:], step.edges[0]), strict=True):
        assert edge.end == following.start
        start, end = (np.array(step.vertices[k].xy) for k in (edge.start, edge.end))
        way = end - start
        assert np.array(edge.normal) * np.hypot(*way) == pytest.approx((way[1], -way[0]), abs=1e-14)
        for place in (start, end):
            assert edge.offset == pytest.approx(float(place @ edge.normal), abs=1e-12)


def _nearest_on(ends: np.ndarray) -> np.ndarray:
    way = ends[1] - ends[0]
    square = float(way @ way)
    share = min(max(-float(ends[0] @ way) / square, 0.0), 1.0) if square else 0.0
    nearest: np.ndarray = ends[0] + share * way
    return nearest


def _of(points: list[Vec2], offset: Vec2 = (0.0, 0.0)) -> Difference:
    """The difference of a polygon's corners and a point at the origin, as if B's position were `offset`."""
    body = Points(np.array([(*point, 0.0) for point in points]))
    reach = max(float(np.hypot(*point)) for point in points) or 1.0
    return Difference(body, Points(np.zeros((1, 3))), (*offset, 0.0), reach, reach + np.hypot(*offset), dimension=2)


def _point(difference: Difference, way: Vec2) -> DifferencePoint:
    return difference.support((*way, 0.0))


@pytest.mark.parametrize("towards", [(0.5, 3.0), (-0.5, 3.0), (2.0, -1.0), (-2.0, -1.0), (0.0, 0.0)])
def test_out_of_a_flat_difference_the_way_is_across_it_on_the_side_of_b(towards: Vec2) -> None:
    for ends in ([(-1.0, -1.0), (1.0, 1.0)], [(1.0, 1.0), (-1.0, -1.0)], [(0.0, -2.0), (0.0, 1.0)]):
        flat = _of(ends, towards)
        along = np.subtract(*ends) / np.hypot(*np.subtract(*ends))
        for simplex in ([_point(flat, ends[0])], [_point(flat, ends[0]), _point(flat, ends[1])]):
            found = epa_polygon(flat, simplex)
            assert (found.stop, found.depth, found.iterations) == (EpaStop.FLAT_POLYTOPE, 0.0, 0)
            assert np.linalg.norm(found.normal) == pytest.approx(1.0)
            assert float(found.normal[:2] @ along) == pytest.approx(0.0, abs=1e-15)
            assert float(found.normal[:2] @ towards) >= 0.0
    alone = _of([(0.0, 0.0)], towards)
    found = epa_polygon(alone, [_point(alone, (1.0, 0.0))])
    wanted = np.array(towards) / np.hypot(*towards) if any(towards) else (1.0, 0.0)
    assert found.normal[:2] == pytest.approx(wanted)


def test_a_limit_of_one_expansion_leaves_bounds_that_hold_and_says_so() -> None:
    limited = 0
    for scene in scenes(80, 73, (contained, general)):
        difference, exact = support_maps(scene.a, scene.b), brute_force(scene)
        found = signed_distance(difference, epa_settings=EpaSettings(iterations=1))
        noise = 4e-12 * difference.extent
        assert found.lower - noise <= exact <= found.upper + noise
        if found.epa is not None and found.epa.stop is EpaStop.ITERATION_LIMIT:
            limited += 1
            assert found.epa.iterations == 1
            assert -float(difference.support(tuple(found.normal)).w @ found.normal) - difference.radius == (
                pytest.approx(found.separation, abs=noise)
            )
    assert limited > 5


# The article's own GJK.


def test_the_articles_steps_follow_its_rules() -> None:
    """From four first directions: each support is the farthest, each test's product that of its record, kept what is
    beyond, and its yes agrees with every feature wherever the bodies do not just touch."""
    stops = set()
    for scene in scenes(80, 74, (general, contained, lattice)):
        difference = support_maps(scene.a, scene.b, rounded="full")
        exact = brute_force(scene)
        for way in (FIRST_DIRECTION, (1.0, 0.0), (0.0, -1.0), (-0.6, 0.8)):
            recording = record(article_gjk_steps(difference, way))
            result = recording.result
            assert result is not None
            if abs(exact) > 1e-6:
                assert result.meet is (exact < 0.0)
            simplex, direction = (), way
            for number, step in enumerate(recording.steps, 1):
                assert (step.number, step.direction) == (number, direction)
                assert step.support.w.tolist() == difference.support((*direction, 0.0)).w.tolist()
                assert step.product == pytest.approx(float(np.dot(step.support.xy, direction)), abs=1e-12)
                assert [p.xyz for p in step.simplex] == [step.support.xyz, *(p.xyz for p in simplex)]
                beyond = [test for test in step.tests if test.product > 0.0]
                for test in step.tests:
                    _judge_test(test, len(step.simplex), [p.xy for p in step.simplex])
                if number == 1:
                    assert (step.tests, step.stop) == ((), None)
                    assert step.next_direction == (-way[0], -way[1])
                    assert step.kept == step.simplex
                elif step.product <= 0.0:
                    assert (step.stop, step.tests, step.next_direction) == (ArticleStop.NOT_PAST_ORIGIN, (), None)
                elif len(step.simplex) == 2:
                    assert step.next_direction == step.tests[0].direction
                    assert (step.stop, step.kept) == (None, step.simplex)
                elif beyond:
                    assert step.tests[-1] is beyond[0]
                    assert step.next_direction == beyond[0].direction
                    assert step.kept == (step.simplex[0], beyond[0].end)
                else:
                    assert (step.stop, step.next_direction, len(step.tests)) == (ArticleStop.ENCLOSED, None, 2)
                simplex, direction = step.kept, step.next_direction
            last = recording.steps[-1]
            assert (result.stop, result.iterations, result.simplex) == (last.stop, last.number, last.simplex)
            assert result.meet is (result.stop is ArticleStop.ENCLOSED)
            stops.add(result.stop)
    assert stops == {ArticleStop.ENCLOSED, ArticleStop.NOT_PAST_ORIGIN}


def _judge_test(test: EdgeTest, count: int, simplex: list[Vec2]) -> None:
    start, end = np.array(test.start.xy), np.array(test.end.xy)
    way = end - start
    assert tuple(start) == simplex[0]
    assert test.perpendicular == (way[1], -way[0])
    sign = -1.0 if test.turned_round else 1.0
    assert test.direction == (sign * way[1], -sign * way[0])
    assert test.product == pytest.approx(-float(np.dot(test.direction, start)), abs=1e-12)
    if count == 2:
        assert test.compared == tuple(-start)
        assert test.product >= 0.0
    else:
        (third,) = [np.array(p) for p in simplex[1:] if tuple(p) != tuple(end)] or [end]
        assert test.compared == tuple(third - start)
        # Away from the third point.
        assert float(np.dot(test.direction, third - start)) <= 0.0


def test_the_third_point_itself_is_compared_where_that_is_asked_for() -> None:
    """Then some edges are turned towards the third point: the flaw that the article has."""
    turned_otherwise = 0
    rng = np.random.default_rng(75)
    for _ in range(400):
        points = rng.uniform(-3.0, 3.0, (9, 2)).tolist()
        a, b = (Polygon.hull_of([tuple(p) for p in some]) for some in (points[:4], points[4:8]))
        difference = support_maps(Body.in_plane(a), Body.in_plane(b, tuple(points[8])))
        for step in record(article_gjk_steps(difference, outward=Outward.THIRD_POINT)).steps:
            for test in step.tests if len(step.simplex) == 3 else ():
                third = next(p for p in step.simplex[1:] if p is not test.end)
                assert test.compared == third.xy
                assert test.turned_round is (float(np.dot(test.perpendicular, third.xy)) > 0.0)
                turned_otherwise += float(np.dot(test.direction, np.subtract(third.xy, test.start.xy))) > 0.0
    assert turned_otherwise > 0


def test_the_worked_example_starts_upwards_and_ends_at_its_third_step() -> None:
    assert FIRST_DIRECTION == (0.0, 1.0)
    found, _ = worked_example()
    assert found.steps[0].direction == FIRST_DIRECTION
    assert found.result is not None
    assert (found.result.meet, found.result.iterations) == (True, 3)
