"""Hulls of points: topology, true faces, hard point sets, flat ones, and refusals in one sentence."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from math import inf, nan

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from core import collide, distance
from core.analysis.analysis import analyse
from core.geometry.tolerances import HULL_FLATNESS
from core.geometry.vector import Array, cross_rows
from core.scene import Body, Scene
from core.shapes import Hull, MeshSource, Sphere, hull_faces, hull_topology, mesh_source, with_border
from core.shapes.hull_faces import HullFaces
from tests.core.shapes_samples import CUBE_POINTS, ball_points, turn
from tests.selection import some

CUBE = np.array(CUBE_POINTS)


def _grid(steps: int) -> Array:
    line = np.linspace(-1.0, 1.0, steps)
    return np.stack(np.meshgrid(line, line, line), axis=-1).reshape(-1, 3)


def _prism(corners: int) -> Array:
    angles = np.arange(corners) * (2.0 * np.pi / corners)
    return np.array([(np.cos(t), y, np.sin(t)) for t in angles for y in (-1.0, 1.0)])


def _globe(rings: int, spokes: int) -> Array:
    return np.array(
        [
            (np.sin(a) * np.cos(b), np.cos(a), np.sin(a) * np.sin(b))
            for a in np.linspace(0.0, np.pi, rings)
            for b in np.linspace(0.0, 2.0 * np.pi, spokes)
        ]
    )


def _dodecahedron() -> Array:
    golden = (1.0 + np.sqrt(5.0)) / 2.0
    pairs = [(y / golden, z * golden) for y in (-1.0, 1.0) for z in (-1.0, 1.0)]
    return np.concatenate((CUBE, [np.roll((0.0, y, z), k) for y, z in pairs for k in range(3)]))


FAMILIES: dict[str, Callable[[np.random.Generator], Array]] = {
    "general": lambda g: g.normal(size=(40, 3)),
    "turned grid": lambda g: _grid(int(g.integers(2, 6))) @ turn(g).T,
    "turned slab": lambda g: (_grid(4) * 10.0 ** g.uniform(-6, 6, 3)) @ turn(g).T,
    "needle": lambda g: (g.normal(size=(30, 3)) * 10.0 ** g.uniform(-5, 5, 3)) @ turn(g).T,
    "far from its origin": lambda g: _grid(3) @ turn(g).T + g.normal(size=3) * 10.0 ** g.uniform(0, 8),
    "prism": lambda g: _prism(int(g.integers(3, 60))) @ turn(g).T,
    "clusters": lambda g: np.concatenate(
        [c + g.normal(size=(10, 3)) * 10.0 ** g.uniform(-16, -3) for c in g.normal(size=(8, 3))]
    ),
    "nearly flat top": lambda g: (
        np.concatenate((np.c_[g.uniform(-1, 1, (40, 2)), g.normal(size=40) * 10.0 ** g.uniform(-17, -9)], -CUBE))
        @ turn(g).T
    ),
    "lattice": lambda g: g.integers(-3, 4, size=(60, 3)).astype(float),
    "turned lattice": lambda g: g.integers(-3, 4, size=(60, 3)).astype(float) @ turn(g).T,
    "single precision": lambda g: (_grid(3) @ turn(g).T).astype(np.float32).astype(np.float64),
    "points on faces and edges": lambda g: np.concatenate((t := g.normal(size=(6, 3)), g.dirichlet([0.1] * 6, 60) @ t)),
    "noise where flat begins": lambda g: _grid(3) @ turn(g).T + g.normal(size=(27, 3)) * 10.0 ** g.uniform(-16, -12),
    "thin needle": lambda g: (g.normal(size=(30, 3)) * (1.0, *(10.0 ** g.uniform(-12, -9, 2)))) @ turn(g).T,
    "two noisy sheets": lambda g: (
        np.c_[
            g.uniform(-1, 1, (60, 2)), np.repeat((0.0, 10.0 ** g.uniform(-6, 0)), 30) + 10.0 ** g.uniform(-15, -11, 60)
        ]
        @ turn(g).T
    ),
    "difference of cubes": lambda g: (
        (CUBE @ turn(g).T)[:, None] - (CUBE * 10.0 ** g.uniform(-6, 6)) @ turn(g).T
    ).reshape(-1, 3),
    "tiny": lambda g: g.normal(size=(30, 3)) * 1e-150,
    "huge": lambda g: g.normal(size=(30, 3)) * 1e150,
    "wedge": lambda g: (
        np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0.3, 0.3, 10 ** g.uniform(-12, -1)), (0.5, 0.5, -0.1)]) @ turn(g).T
    ),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_every_hull_is_a_closed_convex_polyhedron(family: str) -> None:
    generator = np.random.default_rng(len(family))
    for _ in range(some(25)):
        points = FAMILIES[family](generator)
        hull = Hull.of(points)
        solid = hull.polyhedron
        size = float(np.abs(points).max())
        flat = 4 * HULL_FLATNESS * size

        assert len(solid.vertices) - len(solid.edges) + len(solid.faces) == 2
        assert (solid.edge_faces[:, 0] != solid.edge_faces[:, 1]).all()
        assert Counter(i for loop in solid.faces for i in loop).keys() == set(range(len(solid.vertices)))
        assert min(Counter(i for loop in solid.faces for i in loop).values()) >= 3

        assert np.abs((solid.normals**2).sum(axis=1) - 1.0).max() <= 1e-15
        assert (points @ solid.normals.T - solid.offsets).max() <= flat
        for loop, normal, offset in zip(solid.faces, solid.normals, solid.offsets, strict=True):
            assert np.abs(solid.vertices[list(loop)] @ normal - offset).max() <= flat

        along = ball_points(60, 1)
        assert np.abs((points @ along.T).max(axis=0) - hull.reach(along)).max() <= flat


@pytest.mark.parametrize("family", FAMILIES)
def test_vertices_are_given_points_in_their_order(family: str) -> None:
    points = FAMILIES[family](np.random.default_rng(3))
    places = [int(np.flatnonzero((points == vertex).all(axis=1))[0]) for vertex in Hull.of(points).polyhedron.vertices]
    assert places == sorted(set(places))


@pytest.mark.parametrize(
    ("points", "faces"),
    [
        (CUBE, {4: 6}),
        (_grid(3), {4: 6}),
        (_dodecahedron(), {5: 12}),
        (_prism(7), {4: 7, 7: 2}),
        (_prism(100), {4: 100, 100: 2}),
        (np.concatenate((np.eye(3), -np.eye(3))), {3: 8}),
        (np.concatenate((CUBE[CUBE[:, 1] < 0.0], [(0.0, 1.0, 0.0)])), {4: 1, 3: 4}),
    ],
    ids=["cube", "grid", "dodecahedron", "heptagonal prism", "hundred sides", "octahedron", "pyramid"],
)
def test_flat_faces_are_whole_however_the_solid_is_turned(points: Array, faces: dict[int, int]) -> None:
    generator = np.random.default_rng(4)
    for _ in range(20):
        moved = (points * 10.0 ** generator.uniform(-6, 6)) @ turn(generator).T
        moved = moved + generator.normal(size=3) * np.abs(moved).max()
        solid = Hull.of(moved[generator.permutation(len(moved))]).polyhedron
        assert Counter(map(len, solid.faces)) == faces


def test_real_angles_stay_however_small_beyond_rounding() -> None:
    """A roof of slope 1e-12 on a cube is a roof, one of 1e-16 is a flat top."""
    for rise, faces in ((1e-12, 9), (1e-16, 6)):
        assert len(Hull.of(np.concatenate((CUBE, [(0.0, 1.0 + rise, 0.0)]))).polyhedron.faces) == faces


@pytest.mark.slow
@pytest.mark.nightly("random")
def test_a_fine_mesh_is_not_bent_into_one_face() -> None:
    """Neighbours that are all but coplanar: a chain of them goes round half a turn."""
    solid = Hull.of(_prism(3000)).polyhedron
    assert len(solid.faces) == 3002


def test_volume_and_area_agree_with_qhull() -> None:
    for seed in range(10):
        points = np.random.default_rng(seed).normal(size=(200, 3))
        solid = Hull.of(points).polyhedron
        theirs = ConvexHull(points)
        area = volume = 0.0
        for loop, normal, offset in zip(solid.faces, solid.normals, solid.offsets, strict=True):
            corners = solid.vertices[list(loop)]
            face = 0.5 * float(cross_rows(corners, np.roll(corners, -1, axis=0)).sum(axis=0) @ normal)
            area += face
            volume += face * offset / 3.0
        assert area == pytest.approx(theirs.area, rel=1e-12)
        assert volume == pytest.approx(theirs.volume, rel=1e-12)
        assert len(solid.vertices) == len(theirs.vertices)


def test_qhull_is_asked_again_with_the_points_turned_when_its_answer_does_not_hold(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    def third_time(points: Array, flat: float, options: str) -> HullFaces | None:
        asked.append(options)
        return hull_faces.hull_faces(points, flat, options) if len(asked) == 3 else None

    monkeypatch.setattr(hull_topology, "hull_faces", third_time)
    assert Counter(map(len, hull_topology.convex_hull(CUBE).faces)) == {4: 6}
    assert asked == ["Qt", "Qt QR1", "Qt QR2"]


def test_a_hull_that_qhull_cannot_make_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hull_topology, "hull_faces", lambda *_: None)
    with pytest.raises(ValueError, match=r"^the hull is so thin that rounding hides its faces$"):
        Hull.of(CUBE)


def test_what_qhull_refuses_is_no_answer() -> None:
    assert hull_faces.hull_faces(CUBE * (1.0, 1.0, 0.0), 1e-14, "Qt") is None


@pytest.mark.parametrize(
    "fault",
    [
        lambda t, n, f: (t, n, np.where(f == 0, 1, f)),
        lambda t, n, f: (t, np.roll(n, 1, axis=1), f),
        lambda t, n, f: (np.where(t == 0, 8, t), n, f),
        lambda t, n, f: (np.where(t == 0, 1, t), n, f),
    ],
    ids=["bent face", "wrong neighbours", "a corner inside", "a corner lost"],
)
def test_what_is_no_closed_convex_surface_is_no_answer(
    monkeypatch: pytest.MonkeyPatch, fault: Callable[..., tuple[Array, ...]]
) -> None:
    points = np.concatenate((CUBE, [(0.0, 0.1, 0.2)]))
    facets = hull_faces._facets(points, "Qt")
    assert facets is not None
    wrong = hull_faces._Facets(*fault(facets.triangles, facets.neighbours, facets.facet_of))
    monkeypatch.setattr(hull_faces, "_facets", lambda *_: wrong)
    assert hull_faces.hull_faces(points, 1e-14, "Qt") is None


def test_a_face_that_would_have_a_hole_stays_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    octahedron = np.concatenate((np.eye(3), -np.eye(3)))

    def belt(points: Array, facets: hull_faces._Facets, flat: float) -> np.ndarray:
        """Two opposite triangles alone, and all between them as one face: a ring."""
        sides = points[facets.triangles].sum(axis=(1, 2))
        return np.where(sides == 3.0, 0, np.where(sides == -3.0, 1, 2))

    monkeypatch.setattr(hull_faces, "_merged", belt)
    solid = hull_topology.convex_hull(octahedron)
    assert [len(loop) for loop in solid.faces] == [3] * 8


def test_a_plate_of_hardly_any_thickness_keeps_its_corners_or_is_refused() -> None:
    """Its edges are so sharp that a corner far outside lies within rounding of both sides: Qhull leaves some out."""
    generator = np.random.default_rng(9)
    along = ball_points(60, 1)
    kept = 0
    for _ in range(200):
        points = generator.normal(size=(30, 3)) * (1.0, 1.0, 10.0 ** generator.uniform(-13.4, -12.4))
        points = points @ turn(generator).T
        try:
            hull = Hull.of(points)
        except ValueError:
            continue
        kept += 1
        lost = (points @ along.T).max(axis=0) - hull.reach(along)
        assert np.abs(lost).max() <= 4 * HULL_FLATNESS * np.abs(points).max()
    assert kept > 180


def test_the_hull_is_the_same_on_every_run_and_the_points_stay_as_given() -> None:
    points = ball_points(300)
    first, second = Hull.of(points), Hull.of(points)
    assert first == second
    assert first.polyhedron.faces == second.polyhedron.faces
    assert first.points == tuple(map(tuple, points.tolist()))


def test_doubled_and_inner_points_are_fine() -> None:
    points = np.concatenate((CUBE, CUBE[::-1], 0.9 * ball_points(50), CUBE * (1.0, 0.0, 0.0)))
    solid = Hull.of(points).polyhedron
    assert (solid.vertices == CUBE).all()


LINE = np.outer(np.arange(6.0), (0.1, 0.2, 0.3))
PLANE = np.array([(x, y, 0.3 * x - 0.7 * y + 2.0) for x in np.linspace(0, 1, 5) for y in np.linspace(0, 1, 5)])


@pytest.mark.parametrize(
    ("points", "reason"),
    [
        ([], "a hull needs at least one point"),
        (np.insert(CUBE, 4, (0.0, nan, 1.0), axis=0), "points[4] of the hull is not finite"),
        (np.concatenate((CUBE, [(0.0, inf, 0.0)])), "points[8] of the hull is not finite"),
        (np.array([(nan, 0.0, 0.0)]), "points[0] of the hull is not finite"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_points_that_are_none_are_refused_with_the_reason(points: Array, reason: str) -> None:
    with pytest.raises(ValueError) as refusal:  # noqa: PT011 (the message is compared below, without escapes)
        Hull.of(points)
    message = str(refusal.value)
    assert reason in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("points", "word", "corners"),
    [
        (np.tile((1.0, 2.0, 3.0), (9, 1)), "point", [0]),
        (1.0 + 3e-16 * CUBE, "point", [0]),
        (np.zeros((1, 3)), "point", [0]),
        (CUBE[:2], "segment", [0, 1]),
        (LINE, "segment", [0, 5]),
        (LINE[[2, 5, 1, 0, 3]], "segment", [1, 3]),
        (LINE @ turn(np.random.default_rng(1)).T * 1e6, "segment", [0, 5]),
        (CUBE[:3], "triangle", [0, 1, 2]),
        (CUBE[[0, 1, 2, 2, 1, 0]], "triangle", [0, 1, 2]),
        (PLANE, "polygon", [0, 4, 20, 24]),
        (PLANE @ turn(np.random.default_rng(2)).T * 1e-6, "polygon", [0, 4, 20, 24]),
        (np.concatenate((PLANE, PLANE)), "polygon", [0, 4, 20, 24]),
        (CUBE * (1.0, 1.0, 1e-16), "polygon", None),
        (CUBE * (1.0, 1e-16, 1e-16), "segment", None),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_points_of_fewer_dimensions_make_flat_hulls(points: Array, word: str, corners: list[int] | None) -> None:
    """The corners are the points as they stand, in their order, and all points lie within the hull."""
    hull = Hull.of(points)
    solid, flat = hull.polyhedron, 4 * HULL_FLATNESS * float(np.abs(points).max())
    assert hull.word == word
    if corners is not None:
        np.testing.assert_array_equal(solid.vertices, points[corners])
    along = ball_points(60, 1)
    assert np.abs((points @ along.T).max(axis=0) - hull.reach(along)).max() <= flat
    if word in ("point", "segment"):
        assert solid.faces == ()
        assert solid.edges.tolist() == ([] if word == "point" else [[0, 1]])
        return
    count = len(solid.vertices)
    assert len(solid.faces) == 2
    assert len(solid.edges) == count
    np.testing.assert_array_equal(solid.normals[0], -solid.normals[1])
    assert solid.offsets[0] == -solid.offsets[1]
    assert np.abs(points @ solid.normals.T - solid.offsets).max() <= flat
    for loop, normal in zip(solid.faces, solid.normals, strict=True):
        sides = np.roll(solid.vertices[list(loop)], -1, axis=0) - solid.vertices[list(loop)]
        turns = cross_rows(sides, np.roll(sides, -1, axis=0)) @ normal
        assert (turns > 0.0).all()


def test_the_first_face_of_a_triangle_has_its_points_in_their_order() -> None:
    for order in ((0, 1, 2), (1, 0, 2), (2, 0, 1)):
        points = CUBE[list(order)]
        solid = Hull.of(points).polyhedron
        assert solid.faces[0] == (0, 1, 2)
        assert solid.normals[0] @ np.cross(points[1] - points[0], points[2] - points[0]) > 0.0


@pytest.mark.parametrize("exponent", [-150, -6, 0, 6, 140])
def test_flat_hulls_of_every_size_and_place(exponent: int) -> None:
    generator = np.random.default_rng(6)
    for _ in range(20):
        flat = np.c_[generator.normal(size=(30, 2)), np.zeros(30)]
        points = (flat @ turn(generator).T + generator.normal(size=3)) * 10.0**exponent
        solid = Hull.of(points).polyhedron
        assert len(solid.faces) == 2
        assert len(solid.vertices) == len(ConvexHull(flat[:, :2]).vertices)


def test_where_flat_begins() -> None:
    """A plate thinner than rounding of its coordinates is a polygon, one ten times as thick a solid."""
    generator = np.random.default_rng(9)
    for rise, faces in ((0.5 * HULL_FLATNESS, 2), (20.0 * HULL_FLATNESS, 4)):
        tetrahedron = np.array([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.3, 0.3, rise)])
        assert len(Hull.of(tetrahedron[generator.permutation(4)]).polyhedron.faces) == faces


def test_thin_but_real_solids_are_not_refused() -> None:
    for thin in (1e-3, 1e-6, 1e-9, 1e-12):
        for shape in (CUBE * (1.0, 1.0, thin), CUBE * (1.0, thin, thin), CUBE @ turn(np.random.default_rng(7)) * thin):
            assert Counter(map(len, Hull.of(shape).polyhedron.faces)) == {4: 6}


def test_a_globe_with_doubled_poles_has_one_vertex_at_each() -> None:
    solid = Hull.of(_globe(20, 31) @ turn(np.random.default_rng(8)).T).polyhedron
    assert len(solid.vertices) == 18 * 30 + 2
    assert Counter(map(len, solid.faces)) == {4: 17 * 30, 3: 60}


@pytest.mark.parametrize("factor", [1e-6, 0.3, 1.0, 7.1, 1e6])
def test_a_scaled_hull_is_the_hull_of_the_scaled_points(factor):
    rng = np.random.default_rng(11)
    points = np.concatenate((rng.normal(size=(60, 3)), CUBE * 1.5))
    hull, anew = Hull.of(points).scaled(factor), Hull.of(points * factor)
    assert hull == anew
    assert hull.polyhedron.faces == anew.polyhedron.faces
    assert (hull.polyhedron.edge_faces == anew.polyhedron.edge_faces).all()
    assert (hull.polyhedron.vertices == anew.polyhedron.vertices).all()
    assert hull.polyhedron.normals == pytest.approx(anew.polyhedron.normals, abs=1e-13)
    assert hull.polyhedron.offsets == pytest.approx(anew.polyhedron.offsets, abs=1e-13 * factor)
    assert hull.bounding_radius == anew.bounding_radius


@pytest.mark.parametrize("factor", [0.0, -1.0, 1e-300, 1e308, float("nan")])
def test_a_hull_is_not_scaled_out_of_the_range_of_doubles(factor):
    with pytest.raises(ValueError, match="range of doubles"):
        Hull.of(CUBE).scaled(factor)


def test_equal_hulls_hash_alike() -> None:
    points = np.random.default_rng(4).normal(size=(12, 3))
    first, second = Hull.of(points), Hull.of(points)
    assert first == second
    assert hash(first) == hash(second)
    assert hash(first.scaled(2.0)) == hash(Hull.of(points * 2.0))


@pytest.mark.parametrize("thin", [1.0, 1e-3, 1e-9])
def test_tetrahedra_are_those_of_qhull_which_is_not_asked(thin: float, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(11)
    for _ in range(50):
        points = rng.normal(size=(4, 3)) * (1.0, 1.0, thin) @ np.linalg.qr(rng.normal(size=(3, 3)))[0]
        solid = Hull.of(points).polyhedron
        qhull = ConvexHull(points)
        assert {frozenset(loop) for loop in solid.faces} == {frozenset(rows) for rows in qhull.simplices.tolist()}
        for loop, normal, offset in zip(solid.faces, solid.normals, solid.offsets, strict=True):
            a, b, c = solid.vertices[list(loop)]
            assert np.cross(b - a, c - a) @ normal > 0.0
            heights = solid.vertices @ normal - offset
            assert np.sort(heights)[0] < 0.0
            assert np.abs(np.sort(heights)[1:]).max() <= 1e-12
    monkeypatch.setitem(sys.modules, "scipy.spatial", None)
    assert len(Hull.of(rng.normal(size=(4, 3))).polyhedron.faces) == 4


def test_a_hull_that_stands_for_a_mesh_keeps_that_as_it_is_scaled_and_not_as_its_points_are_changed() -> None:
    mesh = MeshSource("two_cubes.obj", 2)
    plain = Hull.of(CUBE)
    hull = plain.standing_for(mesh)
    assert hull != plain
    assert hull.standing_for(None) == plain
    assert hull.polyhedron is plain.polyhedron
    assert hull.scaled(2.0).hull_of == hull.of_corners().hull_of == mesh_source(with_border(hull, 0.1)) == mesh
    assert Hull(hull.points).hull_of is mesh_source(with_border(plain, 0.1)) is mesh_source(Sphere(1.0)) is None
    scene = Scene(Body(hull), Body(Sphere(1.0)))
    assert scene.of_hulls == "of the hull of two_cubes.obj"
    assert scene.with_body(1, Body(hull)).of_hulls == "of the hulls of two_cubes.obj"
    other = plain.standing_for(MeshSource("u.obj", 1))
    assert scene.with_body(1, Body(other)).of_hulls == "of the hulls of two_cubes.obj and u.obj"
    assert Scene(Body(plain), Body(Sphere(1.0))).of_hulls == ""
    for told in (analyse(scene), distance(scene.a, scene.b), collide(scene.a, scene.b)):
        assert repr(told).endswith("of the hull of two_cubes.obj)")
