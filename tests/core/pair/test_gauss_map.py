"""Arcs that cross on the Gauss map: which edge pairs build a face of the difference, and why the others do not."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from core import Body, Box, Capsule, Scene, Sphere
from core.geometry.quaternion import from_axis_angle
from core.geometry.vector import cross_rows, length_rows
from core.pair.cores import cores_of
from core.pair.gauss_map import ArcReason, GaussMap, gauss_map, reasons_of_arcs
from tests.core.polyhedra_samples import (
    POLYHEDRAL,
    PairFamily,
    ball_hull,
    boxed,
    offset,
    prism,
    random_hulls,
    sample,
    turn,
)
from tests.selection import some


def map_of(scene: Scene) -> GaussMap:
    return gauss_map(*cores_of(scene.a, scene.b))


def reasons_of(scene: Scene) -> NDArray[np.int8]:
    return reasons_of_arcs(*cores_of(scene.a, scene.b))


def counted(scene: Scene) -> dict[ArcReason, int]:
    codes, counts = np.unique(reasons_of(scene), return_counts=True)
    return {ArcReason(int(code)): int(count) for code, count in zip(codes, counts, strict=True)}


@pytest.mark.parametrize("hulls", [(False, False), (True, False), (True, True)])
def test_eighteen_of_the_144_edge_pairs_of_two_boxes_build_a_face(hulls: tuple[bool, bool]) -> None:
    rng = np.random.default_rng(1)
    for _ in range(some(200)):
        sizes = [tuple(rng.uniform(0.2, 2.0, size=3)) for _ in range(2)]
        a, b = (boxed(size) if as_hull else Box(size) for size, as_hull in zip(sizes, hulls, strict=True))
        scene = Scene(Body(a, (0, 0, 0), turn(rng)), Body(b, offset(rng), turn(rng)))
        found, reasons = map_of(scene), reasons_of(scene)
        assert reasons.shape == (12, 12)
        assert (reasons == ArcReason.BUILDS_FACE).sum() == 18
        assert found.crossing.sum() == 18
        assert set(np.unique(reasons)) <= {0, 1, 2, 3}


def test_every_reason_is_given_where_it_holds() -> None:
    """Against the definitions, from normals alone, for arcs in general position."""
    for scene in sample(random_hulls, 20):
        a, b = cores_of(scene.a, scene.b)
        reasons = reasons_of(scene)
        na, nb = a.solid.normals[a.solid.edge_faces], -b.solid.normals[b.solid.edge_faces]
        plane_a, plane_b = cross_rows(na[:, 0], na[:, 1]), cross_rows(nb[:, 0], nb[:, 1])
        of_b = np.einsum("ei,fki->efk", plane_a, nb)
        of_a = np.einsum("fi,eki->efk", plane_b, na)
        one_a, one_b = of_a.prod(axis=2) > 0.0, of_b.prod(axis=2) > 0.0
        near = of_b[:, :, 0] * of_a[:, :, 0] < 0.0
        assert ((reasons == ArcReason.A_ON_ONE_SIDE) == one_a).all()
        assert ((reasons == ArcReason.B_ON_ONE_SIDE) == (one_b & ~one_a)).all()
        assert ((reasons == ArcReason.FAR_SIDE) == (~one_a & ~one_b & ~near)).all()
        assert ((reasons == ArcReason.BUILDS_FACE) == (~one_a & ~one_b & near)).all()


@pytest.mark.parametrize("family", POLYHEDRAL)
def test_a_crossing_lies_on_both_arcs_and_is_perpendicular_to_both_edges(family: PairFamily) -> None:
    for scene in sample(family, 60, seed=2):
        a, b = cores_of(scene.a, scene.b)
        found = gauss_map(a, b)
        builds = found.reasons == ArcReason.BUILDS_FACE
        (ea, eb), normals = found.pairs[builds].T, found.normals[builds]
        assert length_rows(normals) == pytest.approx(1.0, abs=1e-14)
        for units, edges in ((a.edge_units, ea), (b.edge_units, eb)):
            assert np.abs(np.einsum("ki,ki->k", normals, units[edges])).max(initial=0.0) < 1e-14
        for ends in (a.solid.normals[a.solid.edge_faces[ea]], -b.solid.normals[b.solid.edge_faces[eb]]):
            middle = ends.sum(axis=1)
            reach = np.einsum("ki,ki->k", ends[:, 0], middle)
            assert (np.einsum("ki,ki->k", normals, middle) >= reach - 1e-7).all()


@pytest.mark.parametrize("family", POLYHEDRAL)
def test_supports_are_the_farthest_vertices(family: PairFamily) -> None:
    for scene in sample(family, 60, seed=3):
        a, b = cores_of(scene.a, scene.b)
        found = gauss_map(a, b)
        for of_faces, other, supports in ((a, b, found.supports_b), (b, a, found.supports_a)):
            heights = -of_faces.solid.normals @ other.solid.vertices.T
            best = heights[np.arange(len(heights)), supports]
            assert (best >= heights.max(axis=1) - 1e-14 * np.abs(heights).max()).all()


def test_aligned_boxes_build_no_face_from_edges_and_say_why() -> None:
    found = counted(Scene(Body(boxed((1, 2, 3))), Body(boxed((3, 1, 2)), (0.2, 0.1, 0.4))))
    assert ArcReason.BUILDS_FACE not in found
    assert found[ArcReason.PARALLEL] > 0
    assert found[ArcReason.COVERED] > 0


def test_parallel_prisms_say_parallel_for_their_upright_edges() -> None:
    scene = Scene(Body(prism(5)), Body(prism(5), (0.1, 0.2, 0.3), from_axis_angle((0, 1, 0), 0.3)))
    a, b = cores_of(scene.a, scene.b)
    reasons = reasons_of_arcs(a, b)
    upright_a, upright_b = (np.abs(core.edge_units[:, 1]) > 0.5 for core in (a, b))
    assert not (reasons[np.ix_(upright_a, upright_b)] == ArcReason.BUILDS_FACE).any()
    assert (reasons == ArcReason.BUILDS_FACE).sum() == 0
    assert (reasons[np.ix_(upright_a, upright_b)] == ArcReason.PARALLEL).sum() > 0


def test_a_segments_map_is_one_great_circle() -> None:
    rng = np.random.default_rng(4)
    for _ in range(50):
        scene = Scene(Body(ball_hull(rng, 20)), Body(Capsule(0.1, 1.0), offset(rng), turn(rng)))
        a, b = cores_of(scene.a, scene.b)
        found = gauss_map(a, b)
        climbs = a.solid.normals[a.solid.edge_faces] @ b.edge_units[0]
        silhouette = np.flatnonzero(climbs.prod(axis=1) < 0.0)
        assert sorted(found.pairs[found.crossing, 0].tolist()) == silhouette.tolist()


def test_a_points_map_is_empty() -> None:
    scene = Scene(Body(Box((1, 1, 1))), Body(Sphere(1.0)))
    assert reasons_of(scene).shape == (12, 0)
    assert len(map_of(scene).pairs) == 0


def test_a_segment_along_a_box_has_one_end_against_every_face() -> None:
    # A great circle's three rounded points are a triangle, and a face's normal may lie within rounding of it.
    for rotation in (
        (1.0, 8.67547113271809e-09, 1.3824698722613703e-09, -5.7050642149506405e-31),
        (-8.267054314166373e-30, -6.77612261310663e-31, 0.9999999999999992, -3.655229400504051e-08),
    ):
        scene = Scene(Body(Box((3.0, 2.0, 1.0))), Body(Capsule(1.0, 1.0), (0.0, 0.0, 0.0), rotation))
        assert (map_of(scene).supports_b >= 0).all()
        assert (map_of(Scene(scene.b, scene.a)).supports_a >= 0).all()
