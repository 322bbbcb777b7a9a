"""The difference built step by step from all pairs of vertices, its surface under swaps, and the slow way's rows."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from core import Body, Scene
from core.geometry.quaternion import from_axis_angle
from core.minkowski.difference import (
    MOST_SUBTRACTIONS,
    BuildAction,
    build_steps_of,
    difference,
    difference_steps,
    has_difference,
)
from core.minkowski.polyhedron_difference import hull_difference, overlay_difference
from core.pair.candidate_axes import AxisKind
from core.pair.gauss_map import pair_axes
from core.sat.sat import sat
from core.shapes import Box, Capsule, Cone, HalfSpace, Hull, Sphere
from core.trace import record
from tests.core.polyhedra_samples import prism, random_hulls, rounded, sample, with_box

SQUARE = Hull(((-1.0, 0.0, -1.0), (1.0, 0.0, -1.0), (1.0, 0.0, 1.0), (-1.0, 0.0, 1.0)))


def _scenes() -> list[Scene]:
    turned = from_axis_angle((1, 2, 3), 0.7)
    bodies = [Box((1, 2, 3)), prism(20), Capsule(0.5, 1.0), Sphere(0.5), SQUARE]
    return [
        Scene(Body(a), Body(b, (0.5, 0.25, 1.0), turned))
        for a, b in product(bodies, repeat=2)
        if not isinstance(b, Sphere) or not isinstance(a, Sphere)
    ]


def test_it_is_built_from_every_pair_of_vertices_and_closed_family_by_family() -> None:
    for scene in _scenes():
        solid = difference(scene.a, scene.b)
        candidates = sat(scene.a, scene.b).candidates
        cores = [body.shape.core.points @ body.pose.matrix.T for body in (scene.a, scene.b)]
        on_a, on_b = cores[0], cores[1] + np.subtract(scene.b.position, scene.a.position)
        recording = record(difference_steps(on_a, on_b, solid, candidates))
        steps, count = recording.steps, len(on_a) * len(on_b)
        assert recording.result is solid
        assert [step.number for step in steps] == list(range(1, len(steps) + 1))
        subtract = [step for step in steps if step.action is BuildAction.SUBTRACT]
        close = [step for step in steps if step.action is BuildAction.CLOSE]
        assert list(steps) == [*subtract, *close, steps[-1]]
        assert len(subtract) <= MOST_SUBTRACTIONS
        at = 0
        batch = -(-len(on_a) // MOST_SUBTRACTIONS) * len(on_b)
        for step in subtract:
            at += step.newest
            assert step.newest == min(batch, count - at + step.newest)
            assert len(step.points) == len(step.sources) == at
            assert (step.family, step.faces, step.on_hull) == (None, (), None)
        assert at == count
        last = steps[-1]
        assert last.action is BuildAction.DONE
        assert last.sources.tolist() == [[i, j] for i in range(len(on_a)) for j in range(len(on_b))]
        assert last.points == pytest.approx((on_a[:, None] - on_b[None]).reshape(-1, 3), abs=1e-15)
        known: tuple[int, ...] = ()
        for step in close:
            added = step.faces[len(known) :]
            assert step.faces[: len(known)] == known
            assert (step.newest, step.on_hull) == (0, None)
            assert added == tuple(
                k for k, row in enumerate(solid.face_axes.tolist()) if candidates[row].kind is step.family
            )
            assert added
            known = step.faces
        assert sorted(known) == list(range(len(solid.core.faces)))
        assert [step.family for step in close] == [kind for kind in AxisKind if kind in {s.family for s in close}]
        assert last.faces == known
        corners = set(zip(solid.sources_a.tolist(), solid.sources_b.tolist(), strict=True))
        assert last.on_hull is not None
        assert last.on_hull.tolist() == [(i, j) in corners for i, j in last.sources.tolist()]


@pytest.mark.parametrize(("count", "batch"), [(1, 1), (16, 1), (17, 2), (32, 2), (33, 3)])
def test_a_body_of_many_vertices_is_subtracted_several_at_a_time(count: int, batch: int) -> None:
    points, sources = np.zeros((2 * count, 3)), np.zeros((2 * count, 2), dtype=np.int64)
    steps = [s for s in build_steps_of(points, sources, 2, (), set()) if s.action is BuildAction.SUBTRACT]
    newest = [step.newest // 2 for step in steps]
    assert newest[:-1] == [batch] * (len(steps) - 1)
    assert sum(newest) == count
    assert 1 <= newest[-1] <= batch


def test_with_a_half_space_there_is_nothing_to_build() -> None:
    ground, ball = Body(HalfSpace((0.0, 1.0, 0.0), 0.0)), Body(Sphere(1.0))
    for pair in ((ground, ball), (ball, ground)):
        assert has_difference(*pair)
        with pytest.raises(ValueError, match="the difference with a half-space is not the hull of points"):
            record(difference_steps(np.zeros((1, 3)), np.zeros((1, 3)), difference(*pair), ()))
    assert has_difference(ground, Body(Cone(1.0, 1.0)))
    assert not has_difference(ball, Body(Cone(1.0, 1.0)))


@pytest.mark.parametrize("slow", [False, True])
def test_rows_and_sources_are_true_whichever_way_it_was_found(slow: bool) -> None:
    """Each normal is its row's axis times its side, each row's faces lie on their sides, each vertex is a - b."""
    for scene in (*sample(random_hulls, 4, seed=31), *sample(with_box, 4, seed=32), *sample(rounded, 4, seed=33)):
        for pair in (scene, scene.swapped()):
            axes = pair_axes(pair.a, pair.b)
            if slow and not (axes.core_a.has_volume or axes.core_b.has_volume):
                continue
            solid = hull_difference(axes) if slow else overlay_difference(axes)
            assert solid is not None
            a, b = axes.core_a.solid.vertices, axes.core_b.solid.vertices
            assert solid.core.vertices == pytest.approx(a[solid.sources_a] - b[solid.sources_b], abs=1e-15)
            size = 1.0 + float(np.abs(solid.core.vertices).max())
            if len(solid.core.faces):
                assert solid.core.normals == pytest.approx(
                    solid.face_sides[:, None] * axes.axes[solid.face_axes], abs=1e-3 if slow else 1e-14
                )
            every = (a[:, None] - b[None]).reshape(-1, 3)
            for face, (normal, offset) in enumerate(zip(solid.core.normals, solid.core.offsets, strict=True)):
                assert float((every @ normal).max()) == pytest.approx(float(offset), abs=1e-12 * size)
                row, column = int(solid.face_axes[face]), 0 if solid.face_sides[face] > 0 else 1
                # The slow way may give one row to two faces that are nearly level.
                assert solid.axis_faces[row, column] == face or slow
            for row, column in product(range(len(axes.axes)), range(2)):
                if (face := int(solid.axis_faces[row, column])) >= 0:
                    way = axes.axes[row] * (1.0 - 2.0 * column)
                    assert float(solid.core.normals[face] @ way) == pytest.approx(1.0, abs=1e-6)


def test_swapped_bodies_have_the_mirrored_difference() -> None:
    for scene in (*_scenes(), *sample(random_hulls, 4, seed=35)):
        there, back = difference(scene.a, scene.b), difference(scene.b, scene.a)
        assert there.radius == back.radius
        for one, other in ((there, back), (back, there)):
            apart = np.abs(one.core.vertices[:, None] + other.core.vertices[None]).max(axis=2).min(axis=1)
            assert apart.max() <= 1e-13
            assert (len(one.core.faces), len(one.core.edges)) == (len(other.core.faces), len(other.core.edges))
