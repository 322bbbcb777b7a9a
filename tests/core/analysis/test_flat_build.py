"""The difference of two bodies of the plane built by hand: all differences of vertices, and at the end A - B."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.algorithm_settings import AlgorithmSettings
from core.analysis.analysis import analyse
from core.analysis.in_plane import build_steps
from core.minkowski.difference import MOST_SUBTRACTIONS, BuildAction, BuildStep
from core.minkowski.plane import minkowski_difference
from core.pair.candidate_axes import AxisKind
from core.query.query import Phase, query
from core.scene import Body, Scene
from core.shapes import Circle, Polygon
from tests.core.planar_samples import contained, general, lattice, outline, regular, scenes

SAMPLES = list(scenes(60, 21, (general, lattice, contained)))


def steps_of(scene: Scene) -> tuple[BuildStep, ...]:
    return build_steps(scene.a, scene.b, minkowski_difference(scene.a, scene.b), ())


@pytest.mark.parametrize("scene", SAMPLES)
def test_all_differences_of_vertices_come_and_the_hull_of_them_stays(scene: Scene) -> None:
    (p, _), (q, _) = (outline(one, scene.a.position) for one in (scene.a, scene.b))
    wanted = (p[:, None] - q[None]).reshape(-1, 2)
    *_, last = steps_of(scene)
    assert last.action is BuildAction.DONE
    assert len(last.points) == len(wanted)
    misses = np.abs(last.points[:, None, :2] - wanted[None]).max(axis=2)
    assert max(misses.min(axis=0).max(), misses.min(axis=1).max()) <= 1e-12
    assert not last.points[:, 2].any()
    assert last.on_hull is not None
    # Every point that is no vertex of the hull lies in the hull of those that are, to rounding.
    corners = last.points[last.on_hull][:, :2]
    if len(corners) > 2:
        hull = Polygon.hull_of(map(tuple, corners.tolist()))
        ring = [np.array(hull.points[k]) for k in hull.ring]
        for start, end in zip(ring, [*ring[1:], ring[0]], strict=True):
            way = end - start
            outward = np.array((way[1], -way[0])) / np.hypot(*way)
            assert float(((last.points[:, :2] - start) @ outward).max()) <= 1e-9


@pytest.mark.parametrize("scene", SAMPLES)
def test_each_step_adds_to_the_one_before(scene: Scene) -> None:
    solid = minkowski_difference(scene.a, scene.b)
    steps = steps_of(scene)
    assert [step.number for step in steps] == list(range(1, len(steps) + 1))
    points, faces = 0, 0
    for step in steps:
        if step.action is BuildAction.SUBTRACT:
            assert len(step.points) == points + step.newest
            # One vertex of A, and every one of B.
            assert len(set(step.sources[points:, 0].tolist())) == 1
            assert step.sources[points:, 1].tolist() == list(solid.core_b.listed_numbers)
        if step.action is BuildAction.CLOSE:
            for k in step.faces[faces:]:
                assert (solid.edges[k].edge_a is not None) == (step.family is AxisKind.FACE_A)
        points, faces = len(step.points), len(step.faces)
    assert points == len(solid.core_a.ring) * len(solid.core_b.ring)
    assert sorted(steps[-1].faces) == list(range(len(solid.edges)))
    assert int(steps[-1].on_hull.sum()) == len(solid.corners)  # type: ignore[union-attr]


def test_of_many_vertices_several_are_taken_at_once() -> None:
    steps = steps_of(Scene(Body.in_plane(regular(40)), Body.in_plane(regular(5), (1.0, 0.0))))
    subtracted = [step for step in steps if step.action is BuildAction.SUBTRACT]
    assert len(subtracted) <= MOST_SUBTRACTIONS
    assert sum(step.newest for step in subtracted) == 200


def test_two_circles_have_one_difference_and_no_edge() -> None:
    only, done = steps_of(Scene(Body.in_plane(Circle(1.0)), Body.in_plane(Circle(0.5), (3.0, 4.0))))
    assert only.points.tolist() == [[-3.0, -4.0, 0.0]]
    assert (done.action, done.faces) == (BuildAction.DONE, ())


def test_the_query_begins_with_it_if_asked_to() -> None:
    analysis = analyse(Scene(Body.in_plane(regular(5)), Body.in_plane(regular(4), (1.0, 0.0))))
    plain, built = query(analysis), query(analysis, AlgorithmSettings(build=True))
    assert built.phases[0][0] is Phase.BUILD
    assert [moment.phase for moment in built.moments[built.phases[0][2] :]] == [
        moment.phase for moment in plain.moments
    ]
