"""Single precision's run of GJK and EPA beside double's: where they part, by labels alone, and how far out."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from core import Body, Box, HalfSpace, Scene, Sphere, analyse
from core.analysis.algorithm_settings import DEFAULT_SETTINGS, AlgorithmSettings, SingleSettings, with_setting
from core.float32 import analyse_single, away_from_origin, farthest_coordinate, single_gjk_epa, spacing_at
from core.geometry.quaternion import normalized
from core.gjk.epa import EpaStep
from core.gjk.gjk import GjkStep, GjkStop
from core.query.beside import Differs, Parting, SingleRun, nearest_corners, parting
from core.query.query import GJK_EPA, Query, query
from tests.core import planar_samples
from tests.core.float32.test_single_steps import SHAPES, TURNS, assert_single, scenes_of

STEPS = with_setting(DEFAULT_SETTINGS, "single.steps", True)
PAIR = Scene(Body(Box((1.0, 0.7, 0.5))), Body(Box((0.6, 0.9, 0.5)), (0.7, 0.5, 0.2), TURNS[1]))


def asked(scene: Scene, **single: Any) -> Query:
    return query(analyse(scene), replace(STEPS, single=SingleSettings(steps=True, **single)))


def run_of(scene: Scene, **single: Any) -> SingleRun:
    run = asked(scene, **single).single
    assert run is not None
    return run


def decided(step: Any) -> tuple[object, ...]:
    """What a run is compared by, told anew: labels of the points, of those that hold the nearest, of the support."""
    labels = [(p.vertex_a, p.vertex_b) for p in (step.simplex if isinstance(step, GjkStep) else step.vertices)]
    if isinstance(step, GjkStep):
        nearest = list(step.region)
    elif step.nearest is None:
        nearest = []
    elif isinstance(step, EpaStep):
        nearest = sorted(step.nearest.vertices)
    else:
        nearest = sorted((step.nearest.start, step.nearest.end))
    assert tuple(nearest) == nearest_corners(step)
    support = None if step.support is None else (step.support.vertex_a, step.support.vertex_b)
    return labels, nearest, support, step.stop


def assert_parted(run: SingleRun) -> None:
    """Alike up to the step where they part, and not alike there; without one alike to the end."""
    assert run.steps is not None
    single, double = run.steps.steps, run.double.steps
    alike = [decided(mine) == decided(its) for mine, its in zip(single, double, strict=False)]
    if run.parting is None:
        assert len(single) == len(double)
        assert all(alike)
        return
    assert all(alike[: run.parting.index])
    assert alike[run.parting.index] is (run.parting.differs is Differs.END)
    if run.parting.differs is Differs.END:
        assert len(single) != len(double)


@pytest.mark.parametrize(("first", "second"), list(combinations_with_replacement(SHAPES, 2)))
@pytest.mark.sampled(4, "random")
def test_runs_are_alike_up_to_where_they_part(first: Any, second: Any) -> None:
    for scene in scenes_of(first, second):
        for single in ({}, {"away": 3e4, "world": True}):
            run = run_of(scene, **single)
            if run.steps is None:
                continue
            assert_parted(run)


def test_in_the_plane_too() -> None:
    for scene in planar_samples.scenes(40, 73):
        assert_parted(run_of(scene, away=1e4))


def test_last_digits_part_no_runs() -> None:
    run = run_of(PAIR)
    assert run.steps is not None
    assert run.parting is None
    assert run.steps.result.separation != run.double.result.separation
    off = run.steps.result.separation - run.double.result.separation
    assert abs(off) < 64.0 * 2.0**-23


def test_parting_says_in_what_the_steps_differ() -> None:
    steps = run_of(PAIR).double.steps
    assert parting(steps, steps) is None
    first = steps[0]
    assert isinstance(first, GjkStep)
    last = next(place for place, step in enumerate(steps) if isinstance(step, GjkStep) and step.stop)
    stopped = (*steps[:last], replace(steps[last], stop=GjkStop.NO_PROGRESS), *steps[last + 1 :])
    assert parting(steps, stopped) == Parting(last, Differs.STOP)
    assert parting(steps, steps[: last + 1]) == Parting(last, Differs.END)
    other = replace(first, support=replace(first.support, vertex_a=99))
    assert parting(steps, (other, *steps[1:])) == Parting(0, Differs.SUPPORT)
    began = replace(first, simplex=(replace(first.simplex[0], vertex_b=99),))
    assert parting((began, *steps[1:]), steps) == Parting(0, Differs.POINTS)
    held = replace(steps[1], nearest=replace(steps[1].nearest, region=(0,)))
    assert parting((first, held, *steps[2:]), steps) == Parting(1, Differs.NEAREST)


@pytest.mark.parametrize("away", [1.0, 1e3, 1e6, 0.1])
def test_away_moves_both_bodies_along_each_axis_and_no_answer_in_double(away: float) -> None:
    moved = away_from_origin(PAIR, away)
    for before, after in ((PAIR.a, moved.a), (PAIR.b, moved.b)):
        np.testing.assert_array_equal(np.array(after.position), np.array(before.position) + away)
        assert replace(after, position=before.position) == before
    assert analyse(moved).separation == pytest.approx(analyse(PAIR).separation, abs=1e-15 * (1.0 + away))
    flat = next(iter(planar_samples.scenes(1, 5)))
    assert away_from_origin(flat, away).b.position[2] == flat.b.position[2]
    assert away_from_origin(PAIR, 0.0) is PAIR


@pytest.mark.parametrize("world", [False, True])
def test_away_is_the_same_as_a_scene_that_is_there(world: bool) -> None:
    """And what is compared with is the pair where it stands: no digit of double's is lost to the distance."""
    moved = away_from_origin(PAIR, 1e5)
    mine, there = (
        {answer.algorithm: answer for answer in analyse_single(scene, world_space=world, away=away).answers}
        for scene, away in ((PAIR, 1e5), (moved, 0.0))
    )
    assert mine.keys() == there.keys()
    known = {answer.algorithm: answer for answer in analyse_single(PAIR).answers}
    for name, answer in mine.items():
        assert answer.separation == there[name].separation
        np.testing.assert_array_equal(answer.normal, there[name].normal)
        assert answer.double_separation == known[name].double_separation
    run = run_of(PAIR, away=1e5, world=world)
    assert run.steps is not None
    assert run.steps.result.separation == single_gjk_epa(moved, world_space=world).result.separation
    assert run.steps.result.separation == pytest.approx(mine["GJK and EPA"].separation, abs=0.0)


def test_the_error_grows_with_the_spacing_of_the_positions() -> None:
    errors = []
    for away in (0.0, 1e2, 1e4, 1e6):
        run = run_of(PAIR, away=away, world=True)
        assert run.steps is not None
        assert run.farthest == farthest_coordinate(PAIR, away) == away + 0.7
        assert run.spacing == spacing_at(run.farthest) == float(np.spacing(np.float32(run.farthest)))
        errors.append(abs(run.steps.result.separation - run.double.result.separation))
        assert errors[-1] <= 16.0 * run.spacing
    assert errors == sorted(errors)


@pytest.mark.parametrize("world", [False, True])
@pytest.mark.parametrize("away", [0.0, 1e4])
def test_points_less_the_origin_lie_at_the_bodies(away: float, world: bool) -> None:
    """So they can be drawn on the bodies where these stand, off by the rounding of their positions at most."""
    at = asked(PAIR, away=away, world=world)
    assert at.single is not None
    for moment in at.moments:
        if moment.phase not in GJK_EPA:
            np.testing.assert_array_equal(at.origin_of(moment.phase), np.zeros(3))
            continue
        points = moment.step.simplex if isinstance(moment.step, GjkStep) else moment.step.vertices
        for point in points:
            for body, on, vertex in ((PAIR.a, point.a, point.vertex_a), (PAIR.b, point.b, point.vertex_b)):
                there = on - at.origin_of(moment.phase) + np.array(PAIR.a.position)
                corner = body.pose.to_world(body.shape.core.points[vertex])
                np.testing.assert_allclose(there, corner, atol=4.0 * at.single.spacing, rtol=0.0)


def test_the_query_has_the_steps_in_single_precision_and_doubles_beside_them() -> None:
    plain = query(analyse(PAIR))
    found = asked(PAIR, away=1e6)
    assert plain.single is None
    assert plain.in_double is None
    assert found.single is not None
    assert found.single.steps is not None
    steps = [moment.step for moment in found.moments if moment.phase in GJK_EPA]
    assert steps == list(found.single.steps.steps)
    assert found.in_double is found.single.double is found.analysis.gjk_epa
    assert found.distance is found.single.steps.result
    others = [[m.phase for m in one.moments if m.phase not in GJK_EPA] for one in (plain, found)]
    assert others[0] == others[1]
    if found.single.parting is not None:
        assert found.parted is not None
        assert found.parted.step is found.single.steps.steps[found.single.parting.index]
    assert plain.parted is None


def test_what_overflows_leaves_doubles_steps() -> None:
    huge = Scene(Body(Sphere(1e25)), Body(Box((1e25, 2e25, 1e25)), (1.2e25, 3e24, 2e24), TURNS[1]))
    found = asked(huge)
    assert found.single is not None
    assert found.single.steps is None
    assert found.single.parting is None
    assert found.parted is None
    assert found.in_double is None
    assert found.distance is found.single.double.result


def test_a_half_space_has_no_run() -> None:
    scene = Scene(Body(Sphere(1.0), (0.0, 2.0, 0.0)), Body(HalfSpace((0.0, 1.0, 0.0), 0.0)))
    found = asked(scene)
    assert found.single is None
    assert not [moment for moment in found.moments if moment.phase in GJK_EPA]


@pytest.mark.parametrize("changes", [("rounded", "full"), ("gjk.iterations", 3), ("warm_start", True)])
def test_both_runs_are_under_the_same_settings(changes: tuple[str, object]) -> None:
    scene = Scene(Body(Sphere(0.5)), Body(Box((1.0, 0.7, 0.5)), (0.9, 0.5, 0.2), normalized((1.0, 0.2, 0.1, 0.0))))
    settings: AlgorithmSettings = with_setting(STEPS, *changes)
    start = query(analyse(PAIR)).warm_start
    found = query(analyse(scene), settings, start)
    assert found.single is not None
    assert found.single.steps is not None
    off = query(analyse(scene), with_setting(settings, "single.steps", False), start)
    steps = [moment.step for moment in off.moments if moment.phase in GJK_EPA]
    assert [decided(step) for step in steps] == [decided(step) for step in found.single.double.steps]
    assert_parted(found.single)
    assert abs(found.single.steps.result.separation - found.single.double.result.separation) < 1e-4
    assert_single(scene, world_space=False, rounded=settings.rounded)
