"""The article's own GJK: its worked example digit for digit, its slips, its flaws, and ours beside it."""

from __future__ import annotations

import numpy as np

from core import Verdict
from core.analysis.analysis import analyse
from core.gjk.article_gjk import ArticleStop, Outward, article_gjk, article_gjk_steps
from core.gjk.gjk import GjkStop
from core.minkowski.plane import minkowski_difference, pair_name
from core.pair.support import support_maps
from core.scene import Body, Scene
from core.shapes import Polygon
from core.study.articles.plane import SLIPS, WORKED_EXAMPLE
from core.trace import record
from tests.core.planar_samples import general, lattice, scenes, worked_example
from tests.selection import some


def test_the_worked_example_digit_for_digit() -> None:
    found, _ = worked_example()
    first, second, third = found.steps
    assert (first.direction, first.support.xy, first.next_direction) == ((0, 1), (0, 2), (0, -1))
    assert (second.direction, second.support.xy, second.next_direction) == ((0, -1), (0, -2), (-4, 0))
    assert (third.direction, third.support.xy, third.next_direction) == ((-4, 0), (-2, -2), None)
    assert [point.xy for point in third.simplex] == [(-2, -2), (0, -2), (0, 2)]
    assert third.stop is ArticleStop.ENCLOSED
    assert found.result is not None
    assert found.result.meet is True
    names = [pair_name(step.support.vertex_a, step.support.vertex_b, 3, 3) for step in found.steps]
    assert names == ["AD", "BE", "CE"]
    (turned,) = second.tests
    assert (turned.perpendicular, turned.compared, turned.turned_round, turned.direction) == (
        (4, 0),
        (0, 2),
        True,
        (-4, 0),
    )
    assert [test.product for test in third.tests] == [-4, -4]


def test_ours_is_done_at_its_second_step() -> None:
    _, found = worked_example()
    assert [step.support and step.support.xy for step in found.steps] == [(0, -2), None]
    assert found.steps[-1].stop is GjkStop.OVERLAP_TOUCHING
    assert [point.xy for point in found.steps[-1].simplex] == [(0, 2), (0, -2)]
    assert analyse(WORKED_EXAMPLE).verdict is Verdict.OVERLAPPING


def test_the_slips_are_slips() -> None:
    table = {pair.name: pair.point for pair in minkowski_difference(WORKED_EXAMPLE.a, WORKED_EXAMPLE.b).vertex_pairs}
    steps = worked_example()[0].steps
    for slip in SLIPS:
        assert table[slip.pair] == slip.right != slip.printed
        assert slip.why.endswith(".")
        if slip.step is not None:
            assert steps[slip.step - 1].support.xy == slip.right
    assert SLIPS[0].printed not in table.values()


def test_the_articles_gjk_is_right_but_for_touching() -> None:
    """The flaw in the perpendicular changes paths and was never seen to change a verdict."""
    rng = np.random.default_rng(3)
    paths = steps = told = 0
    for scene in scenes(1500, 5, (general,)):
        found = analyse(scene)
        if found.verdict is Verdict.TOUCHING:
            continue
        difference = support_maps(scene.a, scene.b, rounded="full")
        first = tuple(rng.normal(size=2).tolist())
        ways = [record(article_gjk_steps(difference, first, outward)) for outward in Outward]
        for way in ways:
            assert way.result is not None
            assert way.result.meet is (found.verdict is Verdict.OVERLAPPING), scene
        told += 1
        paths += [step.support.xy for step in ways[0].steps] != [step.support.xy for step in ways[1].steps]
        steps += sum(len(step.simplex) == 3 for step in ways[0].steps)
    assert told > some(1400)
    assert 0 < paths < 0.1 * steps


def test_touching_is_a_matter_of_luck() -> None:
    answers = set()
    for scene in scenes(300, 6, (lattice,)):
        if analyse(scene).verdict is Verdict.TOUCHING:
            difference = support_maps(scene.a, scene.b)
            answers |= {article_gjk(difference, way).meet for way in ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0))}
    assert answers == {True, False}


def test_of_equal_vertices_the_first_listed_wins() -> None:
    triangle = WORKED_EXAMPLE.a.shape
    assert isinstance(triangle, Polygon)
    listed_otherwise = Polygon((triangle.points[0], triangle.points[2], triangle.points[1]))
    for shape, vertex in ((triangle, (1.0, -1.0)), (listed_otherwise, (-1.0, -1.0))):
        scene = Scene(Body.in_plane(shape), WORKED_EXAMPLE.b)
        assert support_maps(scene.a, scene.b).support((0.0, -1.0, 0.0)).a.tolist() == [*vertex, 0.0]
