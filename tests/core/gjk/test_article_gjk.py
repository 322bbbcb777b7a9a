"""The article's GJK: each test of an edge by its definition, and the answer by the hull of differences."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from core import Body, Polygon, Scene
from core.gjk.article_gjk import LIMIT, ArticleResult, ArticleStep, ArticleStop, Outward, article_gjk, article_gjk_steps
from core.pair.support import support_maps
from core.trace import Recording, record


def pairs(count: int, seed: int) -> list[tuple[Scene, np.ndarray]]:
    """Two turned polygons of three to five corners near each other, and all differences of their corners (n, 2)."""
    rng, made = np.random.default_rng(seed), []
    for _ in range(count):
        bodies = []
        for at in (np.zeros(2), rng.normal(size=2)):
            corners = int(rng.integers(3, 6))
            turns = np.sort(rng.uniform(0.0, 2.0 * np.pi, corners))
            points = np.stack((np.cos(turns), np.sin(turns)), axis=1) * rng.uniform(0.6, 1.0)
            bodies.append(
                Body.in_plane(
                    Polygon.hull_of([tuple(row) for row in points.tolist()]), tuple(at.tolist()), float(rng.normal())
                )
            )
        of_a, of_b = (
            body.pose.to_world(np.pad(np.array(body.shape.points), ((0, 0), (0, 1))))[:, :2] for body in bodies
        )
        made.append((Scene(*bodies), (of_a[:, None] - of_b[None]).reshape(-1, 2)))
    return made


def gap(points: np.ndarray) -> float:
    """How far the origin is outside of the farthest side's line of the hull of points (n, 2), negative inside."""
    return float(ConvexHull(points).equations[:, 2].max())


def run(scene: Scene, first: tuple[float, float], outward: Outward) -> Recording[ArticleStep, ArticleResult]:
    return record(article_gjk_steps(support_maps(scene.a, scene.b, rounded="full"), first, outward))


@pytest.mark.parametrize("outward", list(Outward))
def test_every_step_follows_from_the_one_before_by_the_articles_rules(outward: Outward) -> None:
    rng = np.random.default_rng(6)
    stops, turned, beyond = set(), set(), set()
    for scene, points in pairs(120, 5):
        first = tuple(rng.normal(size=2).tolist())
        found = run(scene, first, outward)
        direction, kept = np.array(first), []
        for number, step in enumerate(found.steps, start=1):
            assert step.number == number
            assert step.direction == pytest.approx(direction)
            corner = np.array(step.support.xy)
            assert (points @ direction).max() == pytest.approx(corner @ direction, abs=1e-12)
            assert step.product == pytest.approx(corner @ direction, abs=1e-12)
            assert [one.xy for one in step.simplex] == [step.support.xy, *(one.xy for one in kept)]
            if step.stop is ArticleStop.NOT_PAST_ORIGIN:
                assert step.product <= 0.0
                assert step.next_direction is None
                break
            if number == 1:
                assert step.next_direction == pytest.approx(-direction)
                kept, direction = list(step.simplex), -direction
                continue
            assert step.product > 0.0
            newest, others = np.array(step.simplex[0].xy), [np.array(one.xy) for one in step.simplex[1:]]
            # Beside a segment the way to the origin is compared, beside a triangle's side the third point.
            for test, end in zip(step.tests, others, strict=False):
                assert (test.start.xy, test.end.xy) == (tuple(newest), tuple(end))
                way, side = np.array(test.direction), end - newest
                assert way @ side == pytest.approx(0.0, abs=1e-12)
                assert np.hypot(*way) == pytest.approx(np.hypot(*side))
                if len(others) == 1:
                    compared, wrong = -newest, -1.0
                else:
                    (third,) = (other for other in others if other is not end)
                    compared, wrong = (third if outward is Outward.THIRD_POINT else third - newest), 1.0
                assert test.compared == pytest.approx(compared)
                assert wrong * float(way @ compared) <= 1e-12
                assert test.turned_round is (float(np.array(test.perpendicular) @ way) < 0.0)
                assert test.product == pytest.approx(way @ -newest)
                turned.add(test.turned_round)
            through = [test.product > 0.0 for test in step.tests]
            if len(others) == 2:
                beyond.add(tuple(through))
                assert through in ([True], [False, True], [False, False])
            if step.stop is ArticleStop.ENCLOSED:
                assert not any(through)
                assert step.next_direction is None
                break
            assert through[-1] or len(others) == 1
            assert step.next_direction == step.tests[-1].direction
            assert [one.xy for one in step.kept] == [tuple(newest), step.tests[-1].end.xy]
            kept, direction = list(step.kept), np.array(step.next_direction)
        last = found.steps[-1]
        stops.add(last.stop)
        assert (found.result.stop, found.result.iterations) == (last.stop, len(found.steps))
        assert found.result.meet is (last.stop is ArticleStop.ENCLOSED)
        if abs(gap(points)) > 1e-9:
            assert found.result.meet is (gap(points) < 0.0)
    assert stops == {ArticleStop.NOT_PAST_ORIGIN, ArticleStop.ENCLOSED}
    assert turned == {False, True}
    assert beyond == {(True,), (False, True), (False, False)}


def test_alone_it_gives_the_last_steps_answer_and_first_looks_up() -> None:
    for scene, _ in pairs(10, 7):
        difference = support_maps(scene.a, scene.b)
        found = article_gjk(difference)
        assert found.meet is run(scene, (0.0, 1.0), Outward.FROM_EDGE).result.meet
        assert found.iterations <= LIMIT
