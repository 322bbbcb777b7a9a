"""Edits of scenes, sweeps through zero, batches and the rows side by side."""

from __future__ import annotations

from math import radians

import numpy as np
import pytest
from msgspec.structs import replace

from core import Body, Box, Hull, Scene, Sphere
from core.batch import Boxes
from core.geometry.quaternion import from_axis_angle, multiply, normalized
from core.geometry.tolerances import EPS
from core.study.articles.comparison import Comparison
from core.study.lab.edge_cases import edges_parallel, faces_aligned, touching
from core.study.lab.random_pair import random_pair
from core.study.lab.through_zero import MarkKind, sliding, sweep, turning
from core.trace import run

CUBE = Box((2.0, 2.0, 2.0))
TURNED = Body(CUBE, (2.7, 0.4, 0.3), from_axis_angle((0.3, 0.5, 0.7), 0.6))
SCENE = Scene(Body(CUBE), TURNED)


def tilted(angle: float) -> Scene:
    return Scene(Body(CUBE), Body(CUBE, (2.5, 0.25, 0.125), from_axis_angle((0.0, 0.0, 1.0), angle)))


@pytest.mark.parametrize(("angle", "parallel"), [(0.4e-15, True), (4e-15, False)])
def test_edges_and_faces_are_parallel_where_turning_again_gains_nothing(angle: float, parallel: bool) -> None:
    # Four last places are what a quaternion of doubles can do; a hundred are an angle that can be taken out.
    for edit in (lambda scene: edges_parallel(scene, (0, 0)), faces_aligned):
        if parallel:
            with pytest.raises(ValueError, match="parallel already"):
                edit(tilted(angle))
        else:
            assert abs(edit(tilted(angle)).b.rotation[3]) < 0.2 * angle


def test_touching_goes_down_to_the_last_place() -> None:
    overlapping = Scene(Body(CUBE), replace(TURNED, position=(1.1, 0.4, 0.3)))
    for scene in (SCENE, overlapping):
        assert abs(touching(scene).separation) < 8 * EPS


@pytest.mark.parametrize(("aside", "meets"), [(-1e-13, True), (4e-12, True), (4e-11, False)])
def test_b_that_passes_a_by_rounding_still_touches(aside: float, meets: bool) -> None:
    # A sphere flown past another one: the search ends at the nearest place, and the last digits of a way of twelve
    # are no miss.
    scene = Scene(Body(Sphere(1.0)), Body(Sphere(1.0), (-3.0, 2.0 + aside, 0.0)))
    if meets:
        assert abs(touching(scene, (1.0, 0.0, 0.0)).separation) < 5e-12
    else:
        with pytest.raises(ValueError, match="passes A"):
            touching(scene, (1.0, 0.0, 0.0))


@pytest.mark.parametrize(("aside", "on_it"), [(1e-9, True), (2e-8, False)])
def test_a_scene_lies_on_the_way_to_a_thousand_millionth(aside: float, on_it: bool) -> None:
    path = sliding(SCENE, (1.0, 0.0, 0.0))
    x, y, z = SCENE.b.position
    beside = replace(SCENE, b=replace(SCENE.b, position=(x + 0.5, y + aside, z)))
    assert (path.value_of(beside) is not None) is on_it


@pytest.mark.parametrize(("aside", "on_it"), [(0.3e-9, True), (3e-9, False)])
def test_and_so_it_does_in_radians(aside: float, on_it: bool) -> None:
    path = turning(SCENE, (0.0, 1.0, 0.0))
    by = multiply(from_axis_angle((0.0, 1.0, 0.0), 0.5), SCENE.b.rotation)
    beside = replace(
        SCENE, b=replace(SCENE.b, rotation=normalized(multiply(from_axis_angle((1.0, 0.0, 0.0), aside), by)))
    )
    assert (path.value_of(beside) is not None) is on_it


@pytest.mark.parametrize(("angle", "jumps"), [(2.0, False), (15.0, True)])
def test_a_normal_jumps_by_more_than_five_degrees(angle: float, jumps: bool) -> None:
    # A small ball slides across the ridge of a roof whose sides enclose `angle`.
    drop = np.tan(radians(angle / 2.0))
    roof = Hull.of([(x, y, z) for x, y in ((-1, -1), (1, -1), (1, -drop), (0, 0), (-1, -drop)) for z in (-1, 1)])
    path = sliding(Scene(Body(roof), Body(Sphere(0.01), (-0.2, -0.1, 0.0))), (1.0, 0.0, 0.0))
    found = run(sweep(path, (0.0, 0.15, 0.25, 0.4)))
    assert any(mark.kind is MarkKind.NORMAL for mark in found.marks) is jumps


def test_events_are_bisected_to_a_million_millionth_of_the_way() -> None:
    found = run(sweep(sliding(SCENE, (1.0, 0.0, 0.0)), (-1.0, 1.0)))
    widths = [mark.after - mark.before for mark in found.marks if mark.kind is MarkKind.VERDICT]
    assert len(widths) == 2
    # Halved from a way of two, or from what is left of it.
    assert all(0.4e-12 <= width <= 2e-12 for width in widths)


@pytest.mark.slow
def test_four_events_of_a_kind_are_looked_for_in_a_gap() -> None:
    axis = tuple(np.random.default_rng(1).normal(size=3))
    path = turning(Scene(Body(CUBE), Body(Box((1.0, 2.0, 3.0)), (1.2, 0.4, 0.3))), axis)
    counts = [
        sum(mark.kind is MarkKind.WINNER for mark in run(sweep(path, tuple(places))).marks)
        for places in ((0.0, 2.5), np.linspace(0.0, 2.5, 6).tolist())
    ]
    assert counts[0] == 4
    assert counts[1] > 4


@pytest.mark.parametrize(("shear", "rotation"), [(0.3e-6, True), (3e-6, False)])
def test_a_batch_refuses_matrices_that_are_no_rotations(shear: float, rotation: bool) -> None:
    matrix = np.eye(3)
    matrix[0, 1] = shear
    if rotation:
        assert len(Boxes([(2.0, 2.0, 2.0)], [(0.0, 0.0, 0.0)], [matrix])) == 1
    else:
        with pytest.raises(ValueError, match="no rotation"):
            Boxes([(2.0, 2.0, 2.0)], [(0.0, 0.0, 0.0)], [matrix])


@pytest.mark.parametrize(("off", "agree"), [(0.4e-9, True), (4e-9, False)])
def test_lengths_and_vectors_of_an_article_agree_to_nine_digits(off: float, agree: bool) -> None:
    assert Comparison(1.0 + off, 1.0, "").agree is agree
    assert Comparison((1.0 + off, 0.0), (1.0, 0.0), "").agree is agree
    assert Comparison((1.0, off), (1.0, 0.0), "").agree is agree


@pytest.mark.parametrize(("left", "agree"), [(0.4e-12, True), (4e-12, False)])
def test_an_articles_depth_of_zero_is_zero_to_rounding(left: float, agree: bool) -> None:
    assert Comparison(left, 0.0, "").agree is agree


def test_random_pairs_stand_a_third_of_the_way_from_touching_at_the_most() -> None:
    rng = np.random.default_rng(4)
    shares = []
    for _ in range(60):
        scene = random_pair(rng, ("sphere",))
        apart = float(np.linalg.norm(scene.b.position))
        shares.append(apart / (scene.a.shape.radius + scene.b.shape.radius) - 1.0)
    nearest, farthest = min(map(abs, shares)), max(map(abs, shares))
    # Found to 1/4096 of a doubled way, and never as near as a coin toss.
    assert 0.3 < farthest < 0.351
    assert 0.0175 - 2e-3 < nearest < 0.05
    assert 0.3 < sum(share < 0.0 for share in shares) / len(shares) < 0.7
