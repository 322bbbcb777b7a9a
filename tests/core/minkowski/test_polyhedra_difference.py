"""The difference of any two cores: Qhull as the oracle of its shape, axes and sources by definition."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from core import Body, Box, Capsule, Cylinder, HalfSpace, Scene, Sphere
from core.geometry.quaternion import from_axis_angle
from core.geometry.vector import cross_rows, length_rows
from core.minkowski.difference import difference, has_difference
from core.minkowski.polyhedron_difference import MinkowskiDifference, hull_difference, overlay_difference
from core.pair.gauss_map import pair_axes
from core.sat.sat import sat
from core.shapes import Polyhedron
from tests.core.polyhedra_samples import (
    POLYHEDRAL,
    PairFamily,
    aligned,
    ball_hull,
    extent,
    offset,
    prism,
    random_hulls,
    regular,
    rounded,
    same_twice,
    sample,
    turn,
    vertices_of,
    with_box,
)


def volume(solid: Polyhedron) -> float:
    middle, total = solid.vertices.mean(axis=0), 0.0
    for loop, normal, height in zip(solid.faces, solid.normals, solid.offsets, strict=True):
        rim = solid.vertices[list(loop)] - solid.vertices[loop[0]]
        area = 0.5 * float(length_rows(cross_rows(rim, np.roll(rim, -1, axis=0)).sum(axis=0)[None])[0])
        total += area * (height - normal @ middle) / 3.0
    return total


def is_sound(scene: Scene, solid: MinkowskiDifference) -> None:
    """Closed, convex, flat, turned outwards, around all differences of vertices, and made of the sources it names."""
    core, size = solid.core, extent(scene)
    assert len(core.vertices) - len(core.edges) + len(core.faces) == 2
    assert (core.edge_faces[:, 0] != core.edge_faces[:, 1]).all()
    assert all(len(set(loop)) == len(loop) >= 3 for loop in core.faces)
    at_a, at_b = vertices_of(scene)
    assert np.abs(at_a[solid.sources_a] - at_b[solid.sources_b] - core.vertices).max() <= 1e-15 * size
    heights = core.normals @ (at_a[:, None] - at_b[None, :]).reshape(-1, 3).T
    assert (heights.max(axis=1) - core.offsets).max() <= 4e-12 * size
    for loop, normal, height in zip(core.faces, core.normals, core.offsets, strict=True):
        corners = core.vertices[list(loop)]
        assert np.abs(corners @ normal - height).max() <= 4e-12 * size
        rim = corners - corners[0]
        assert cross_rows(rim, np.roll(rim, -1, axis=0)).sum(axis=0) @ normal >= -1e-14 * size * size


def knows_its_axes(scene: Scene, solid: MinkowskiDifference) -> None:
    axes = sat(scene.a, scene.b).axes
    outward = axes[solid.face_axes] * solid.face_sides[:, None]
    assert outward == pytest.approx(solid.core.normals, abs=1e-15)
    for face, (row, side) in enumerate(zip(solid.face_axes, solid.face_sides, strict=True)):
        assert solid.axis_faces[row, 0 if side > 0 else 1] == face
    for row, column in np.argwhere(solid.axis_faces >= 0):
        normal = solid.core.normals[solid.axis_faces[row, column]]
        assert normal == pytest.approx(axes[row] * (1 if column == 0 else -1), abs=5e-12)


@pytest.mark.parametrize("family", POLYHEDRAL)
def test_every_family_gives_sound_solids_that_know_their_axes(family: PairFamily) -> None:
    for scene in sample(family, 100, seed=11):
        if isinstance(scene.a.shape, Box) and isinstance(scene.b.shape, Box):
            continue
        solid = difference(scene.a, scene.b)
        is_sound(scene, solid)
        knows_its_axes(scene, solid)


@pytest.mark.parametrize("family", POLYHEDRAL)
def test_qhull_finds_the_same_volume(family: PairFamily) -> None:
    for scene in sample(family, 60, seed=12):
        at_a, at_b = vertices_of(scene)
        points = (at_a[:, None] - at_b[None, :]).reshape(-1, 3)
        scale = float(np.abs(points - points.mean(axis=0)).max())
        hull = ConvexHull((points - points.mean(axis=0)) / scale)
        assert volume(difference(scene.a, scene.b).core) / scale**3 == pytest.approx(hull.volume, rel=1e-11)


@pytest.mark.parametrize("family", [random_hulls, regular, same_twice])
def test_qhull_finds_the_same_vertices_and_faces(family: PairFamily) -> None:
    """Where nothing is parallel to rounding but not exactly, which Qhull's merging would blur."""
    for scene in sample(family, 80, seed=13):
        at_a, at_b = vertices_of(scene)
        hull = ConvexHull((at_a[:, None] - at_b[None, :]).reshape(-1, 3))
        core = difference(scene.a, scene.b).core
        assert len(core.vertices) == len(hull.vertices)
        away = length_rows(hull.points[hull.vertices][:, None] - core.vertices[None, :])
        assert away.min(axis=1).max() <= 1e-14 * extent(scene)
        apart = length_rows(hull.equations[:, None, :3] - core.normals[None, :])
        nearest = apart.argmin(axis=1)
        assert apart.min(axis=1).max() < 1e-7
        assert len(np.unique(nearest)) == len(core.faces)


@pytest.mark.parametrize("count", [8, 30, 100, 200])
def test_bodies_of_many_vertices(count: int) -> None:
    rng = np.random.default_rng(count)
    for _ in range(3):
        scene = Scene(
            Body(ball_hull(rng, count), (0, 0, 0), turn(rng)), Body(ball_hull(rng, count), offset(rng), turn(rng))
        )
        solid = difference(scene.a, scene.b)
        is_sound(scene, solid)
        assert len(solid.core.faces) == len(sat(scene.a, scene.b).axes)


@pytest.mark.parametrize("sides", [5, 24, 50])
def test_aligned_prisms_merge_to_prisms(sides: int) -> None:
    for angle, faces in ((0.0, sides + 2), (0.01, 2 * sides + 2)):
        scene = Scene(Body(prism(sides)), Body(prism(sides), (0.4, 0.3, 0.2), from_axis_angle((0, 1, 0), angle)))
        solid = difference(scene.a, scene.b)
        if sides % 2:
            # A reflected odd polygon is turned by half a side.
            faces = 2 * sides + 2
        assert len(solid.core.faces) == faces
        assert len(solid.core.vertices) == 2 * (faces - 2)
        is_sound(scene, solid)


def test_the_slow_way_finds_the_same_solid() -> None:
    for scene in (*sample(random_hulls, 10, seed=14), *sample(with_box, 10, seed=15)):
        pair = pair_axes(scene.a, scene.b)
        quick, slow = overlay_difference(pair), hull_difference(pair)
        assert quick is not None
        assert volume(slow.core) == pytest.approx(volume(quick.core), rel=1e-10)
        at_a, at_b = vertices_of(scene)
        assert at_a[slow.sources_a] - at_b[slow.sources_b] == pytest.approx(slow.core.vertices, abs=0.0)


def test_the_pieces_always_close_so_that_the_slow_way_is_never_taken() -> None:
    for family in (aligned, with_box, same_twice):
        for scene in sample(family, 150, seed=16):
            assert overlay_difference(pair_axes(scene.a, scene.b)) is not None


def test_rounded_bodies_have_their_cores_difference_grown_by_both_radii() -> None:
    for scene in sample(rounded, 100, seed=17):
        solid = difference(scene.a, scene.b)
        assert solid.radius == pytest.approx(sum(getattr(body.shape, "radius", 0.0) for body in (scene.a, scene.b)))
        at_a, at_b = vertices_of(scene)
        assert at_a[solid.sources_a] - at_b[solid.sources_b] == pytest.approx(solid.core.vertices, abs=1e-15)
        if len(solid.core.faces) > 2:
            is_sound(scene, solid)


def test_two_segments_make_a_parallelogram_or_a_segment() -> None:
    capsule = Capsule(0.1, 1.0)
    crossed = difference(Body(capsule), Body(capsule, (0.1, 0.2, 0.3), from_axis_angle((1, 0, 0), 0.7)))
    assert (len(crossed.core.vertices), len(crossed.core.edges), len(crossed.core.faces)) == (4, 4, 2)
    assert crossed.core.normals[0] == pytest.approx(-crossed.core.normals[1])
    assert sorted(crossed.axis_faces[0].tolist()) == [0, 1]
    parallel = difference(Body(capsule), Body(capsule, (0.1, 0.2, 0.3)))
    assert (len(parallel.core.vertices), len(parallel.core.edges), len(parallel.core.faces)) == (2, 1, 0)
    assert length_rows(parallel.core.edge_directions()) == pytest.approx(2.0)
    point = difference(Body(capsule), Body(Sphere(0.3), (1.0, 0.0, 0.0)))
    assert (len(point.core.vertices), len(point.core.edges), len(point.core.faces)) == (2, 1, 0)


def test_with_a_half_space_the_difference_lies_behind_one_plane() -> None:
    rng = np.random.default_rng(18)
    for shape in (Box((1, 2, 3)), prism(6), Capsule(0.2, 1.0), Cylinder(0.5, 1.0)):
        body, space = Body(shape, offset(rng), turn(rng)), Body(HalfSpace((1, 2, 3), 0.4), offset(rng), turn(rng))
        for a, b in ((body, space), (space, body)):
            solid = difference(a, b)
            assert solid.plane is not None
            outward = solid.plane.normal
            points = np.array([body.pose.to_world(shape.support(d)) for d in rng.normal(size=(200, 3))])
            inner = HalfSpace((1, 2, 3), 0.4).plane
            for depth in (0.0, 1.0, 5.0):
                inside = space.pose.to_world(inner.normal * (inner.offset - depth))
                w = points - inside if a is body else inside - points
                assert (w @ outward - solid.plane.offset).max() <= 1e-14
            assert solid.core.vertices[0] == pytest.approx(solid.plane.point())


def test_curved_shapes_have_no_such_solid() -> None:
    a, b = Body(Cylinder(0.5, 1.0)), Body(Box((1, 1, 1)))
    assert not has_difference(a, b)
    assert has_difference(Body(Capsule(1, 1)), b)
    with pytest.raises(TypeError):
        difference(a, b)
