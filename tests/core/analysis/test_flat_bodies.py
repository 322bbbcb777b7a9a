"""Triangles, segments and points: distances in exact fractions, depths by Qhull's hull of all differences, limits."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import sqrt

import numpy as np
import pytest
from msgspec.structs import replace
from scipy.spatial import ConvexHull

from core.analysis.analysis import Analysis, analyse
from core.analysis.motion_answers import sweep
from core.batch import Hulls, analyse_pairs
from core.float32 import analyse_single
from core.geometry.vector import unit
from core.gjk.gjk_epa import signed_distance
from core.minkowski.difference import difference
from core.mpr import MprStop, mpr
from core.pair.pair import PairScale, certificate
from core.pair.support import support_maps
from core.rays.raycast import raycast
from core.sat.sat import sat
from core.scene import Body, Scene
from core.shapes import (
    Box,
    Capsule,
    Circle,
    Cone,
    Cylinder,
    Ellipsoid,
    HalfSpace,
    Hull,
    Polygon,
    Shape,
    Sphere,
    with_border,
)
from core.toi.motion import MotionOutcome
from core.verdict import Provenance, Verdict
from tests.core.shapes_samples import turn
from tests.selection import some

Points = list[tuple[int, ...]]
COUNTS = [(1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3), (3, 4)]


def squared_distance(first: Points, second: Points) -> Fraction:
    """Of two hulls of points, exact: the least over all simplices of differences that hold the origin's foot."""
    differences = sorted({tuple(Fraction(p - q) for p, q in zip(a, b, strict=True)) for a in first for b in second})
    least = min(_dot(w, w) for w in differences)
    dimension = len(differences[0])
    for size in range(2, dimension + 2):
        for simplex in combinations(differences, size):
            foot = _foot(simplex)
            if foot is not None:
                least = min(least, _dot(foot, foot))
    return least


def _dot(p: tuple[Fraction, ...], q: tuple[Fraction, ...]) -> Fraction:
    return sum((x * y for x, y in zip(p, q, strict=True)), Fraction(0))


def _foot(simplex: tuple[tuple[Fraction, ...], ...]) -> tuple[Fraction, ...] | None:
    """The origin's foot on the simplex' plane if it lies in the simplex: by Gauss' elimination of the Gram matrix."""
    base, sides = simplex[0], [tuple(x - y for x, y in zip(p, simplex[0], strict=True)) for p in simplex[1:]]
    rows = [[*(_dot(u, v) for v in sides), -_dot(u, base)] for u in sides]
    for k in range(len(rows)):
        pivot = next((row for row in rows[k:] if row[k] != 0), None)
        if pivot is None:
            return None
        rows.remove(pivot)
        rows.insert(k, [value / pivot[k] for value in pivot])
        for other in range(len(rows)):
            if other != k:
                factor = rows[other][k]
                rows[other] = [x - factor * y for x, y in zip(rows[other], rows[k], strict=True)]
    shares = [row[-1] for row in rows]
    if min(shares) < 0 or sum(shares) > 1:
        return None
    foot = base
    for share, side in zip(shares, sides, strict=True):
        foot = tuple(x + share * y for x, y in zip(foot, side, strict=True))
    return foot


def lattice(rng: np.random.Generator, count: int, dimension: int = 3) -> Points:
    points: Points = []
    while len(points) < count:
        point = tuple(rng.integers(-4, 5, size=dimension).tolist())
        if point not in points:
            points.append(point)
    return points


def depth(first: Points, second: Points) -> float | None:
    """Of the origin in the hull of all differences, by Qhull; None if it is not inside, or the hull is flat."""
    differences = (np.array(first)[:, None] - np.array(second)[None]).reshape(-1, len(first[0])).astype(float)
    if np.linalg.matrix_rank(differences - differences[0]) < len(first[0]):
        return None
    least = float(-ConvexHull(differences).equations[:, -1].max())
    return least if least > 1e-9 else None


def judge(found: Analysis, exact: Fraction, deep: float | None) -> None:
    """The number, the verdict, and what the normal and the witness points prove."""
    scene, extent = found.scene, PairScale.of(found.scene.a, found.scene.b).extent
    small = 1e-12 * extent
    right = sqrt(exact) if exact else -(deep or 0.0)
    assert found.separation == pytest.approx(right, abs=small)
    wanted = Verdict.SEPARATED if exact else Verdict.OVERLAPPING if deep else Verdict.TOUCHING
    assert found.verdict is wanted
    assert found.certainty.provenance is Provenance.EXACT
    assert found.disagreements == ()
    assert certificate(scene.a, scene.b, found.normal) == pytest.approx(right, abs=small)
    assert np.abs(found.witness_b - found.witness_a - right * found.normal).max() <= 1e3 * small


@pytest.mark.parametrize("counts", COUNTS, ids=str)
@pytest.mark.sampled(3, "random")
def test_distances_and_depths_of_flat_bodies_are_exact(counts: tuple[int, int]) -> None:
    rng = np.random.default_rng(sum(counts))
    met = 0
    for _ in range({6: 12, 7: 5}.get(sum(counts), 14)):
        first, second = lattice(rng, counts[0]), lattice(rng, counts[1])
        exact = squared_distance(first, second)
        deep = None if exact else depth(first, second)
        met += not exact
        for one, other in ((first, second), (second, first)):
            judge(analyse(Scene(Body(Hull.of(one)), Body(Hull.of(other)))), exact, deep)
    assert met or sum(counts) < 5


def test_a_triangle_and_a_box() -> None:
    """Its two faces, edge × edge, and the box's faces: whichever is the least way out, on either side."""
    rng = np.random.default_rng(5)
    box: Points = [(x, y, z) for x in (-2, 2) for y in (-3, 3) for z in (-2, 2)]
    winners = set()
    for _ in range(60):
        triangle = lattice(rng, 3)
        deep = depth(triangle, box)
        if deep is None:
            continue
        found = analyse(Scene(Body(Hull.of(triangle)), Body(Box((4.0, 6.0, 4.0)))))
        judge(found, Fraction(0), deep)
        winners.add(found.sat.candidates[found.sat.winner].label[:3])
    assert {"A.f", "A.e", "B.z"} <= winners | {"B.x"}


@pytest.mark.parametrize("counts", [(1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (2, 4), (3, 3), (3, 4)], ids=str)
@pytest.mark.sampled(2, "random")
def test_flat_bodies_of_the_plane_are_exact(counts: tuple[int, int]) -> None:
    rng = np.random.default_rng(sum(counts))
    for _ in range(30 if sum(counts) < 6 else 8):
        first, second = lattice(rng, counts[0], 2), lattice(rng, counts[1], 2)
        exact = squared_distance(first, second)
        deep = None if exact else depth(first, second)
        for one, other in ((first, second), (second, first)):
            hulls = [Polygon.hull_of([(float(x), float(y)) for x, y in points]) for points in (one, other)]
            judge(analyse(Scene(*map(Body.in_plane, hulls))), exact, deep)


@pytest.mark.parametrize("counts", [(1, 3), (2, 3), (3, 3), (2, 2), (3, 5)], ids=str)
def test_bodies_in_one_plane_touch_and_their_normal_is_across_it(counts: tuple[int, int]) -> None:
    """Turned and moved, the depth stays 0; the side is that of B's position, else the first face's."""
    rng = np.random.default_rng(11)
    seen = 0
    while seen < 5:
        first, second = (lattice(rng, count, 2) for count in counts)
        if any(np.linalg.matrix_rank(np.array(p)[1:] - p[0]) < min(len(p) - 1, 2) for p in (first, second)):
            continue
        sides = [np.array(p)[1] - p[0] for p in (first, second) if len(p) == 2]
        if len(sides) == 2 and np.linalg.matrix_rank(sides) < 2:
            continue
        exact = squared_distance(first, second)
        frame = turn(rng)
        flat = [Hull.of(np.array([(*p, 0) for p in points]) @ frame.T) for points in (first, second)]
        found = analyse(Scene(*map(Body, flat)))
        across = frame[:, 2]
        assert not found.disagreements
        if exact:
            assert found.separation == pytest.approx(sqrt(exact), abs=1e-12 * 20)
            continue
        seen += 1
        assert found.verdict is Verdict.TOUCHING
        assert found.certainty.provenance is Provenance.EXACT
        assert abs(found.separation) <= found.band
        assert abs(found.normal @ across) == pytest.approx(1.0, abs=1e-12)
        assert difference(found.scene.a, found.scene.b).core.faces == () or len(found.difference.core.faces) == 2
        assert found.contacts is None or len(found.contacts.contacts) >= 1
        for side in (1.0, -1.0):
            # The same points about a position on one side of the plane.
            beside = Hull.of(np.array([(*p, 0) for p in second]) @ frame.T - side * across)
            x, y, z = (side * across).tolist()
            told = analyse(Scene(Body(flat[0]), Body(beside, (x, y, z))))
            assert told.verdict is Verdict.TOUCHING
            assert told.normal @ across == pytest.approx(side, abs=1e-12)
            assert told.sat.normal @ across == pytest.approx(side, abs=1e-9)


def test_in_one_plane_the_first_face_decides_where_no_side_is_nearer() -> None:
    lying = Hull(((-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (0.0, 1.0, 0.0)))
    turned = Hull(((-1.0, -1.0, 0.0), (0.0, 1.0, 0.0), (1.0, -1.0, 0.0)))
    for first, normal in ((lying, 1.0), (turned, -1.0)):
        for second in (lying, turned, Hull(((0.0, 0.0, 0.0),)), Hull(((-3.0, 0.0, 0.0), (3.0, 0.1, 0.0)))):
            assert analyse(Scene(Body(first), Body(second))).normal.tolist() == [0.0, 0.0, normal]


OTHERS: tuple[Shape, ...] = (
    Box((1.0, 2.0, 1.5)),
    Sphere(0.75),
    Capsule(0.5, 1.0),
    Cylinder(0.5, 1.25),
    Cone(0.75, 1.0),
    Ellipsoid((0.5, 1.0, 0.75)),
    Hull(((0.0, 0.0, 0.0), (1.0, 0.25, 0.0), (0.0, 1.0, 0.5))),
    Hull(((0.0, 0.5, 0.0), (1.0, 0.25, 0.0))),
    HalfSpace((0.25, 1.0, 0.5), 0.5),
)


@pytest.mark.parametrize("other", OTHERS, ids=lambda shape: shape.word)
@pytest.mark.parametrize(
    ("flat", "round_one"),
    [
        (Hull(((0.0, -0.7, 0.0), (0.0, 0.7, 0.0))), Capsule(0.3, 1.4)),
        (Hull(((0.0, 0.7, 0.0), (0.0, 0.1, 0.0), (0.0, -0.7, 0.0))), Capsule(0.3, 1.4)),
        (Hull(((0.0, 0.0, 0.0),)), Sphere(0.3)),
    ],
    ids=["segment", "segment upside down", "point"],
)
def test_with_a_border_a_segment_is_a_capsule_and_a_point_a_sphere(flat: Hull, round_one: Shape, other: Shape) -> None:
    """Digit for digit, by every method."""
    rng = np.random.default_rng(3)
    for scale in (0.3, 2.0):
        x, y, z = (scale * rng.normal(size=3)).tolist()
        q = unit(rng.normal(size=3)) * 0.6
        pose = ((x, y, z), (0.8, *q.tolist()))
        bodies = [Body(shape, *pose, displacement=(-x, -y, -z)) for shape in (with_border(flat, 0.3), round_one)]
        answers = [analyse(Scene(body, Body(other))) for body in bodies]
        for name in ("verdict", "separation", "certainty", "band"):
            assert getattr(answers[0], name) == getattr(answers[1], name)
        for name in ("normal", "witness_a", "witness_b", "nearest"):
            np.testing.assert_array_equal(getattr(answers[0], name), getattr(answers[1], name))
        assert answers[0].sat.separation == answers[1].sat.separation
        if answers[0].gjk is not None:
            assert answers[0].gjk.iterations == answers[1].gjk.iterations
        motions = [sweep(Scene(body, Body(other))) for body in bodies]
        assert motions[0].result.time == motions[1].result.time
        singles = [analyse_single(Scene(body, Body(other))) for body in bodies]
        assert [it.separation for it in singles[0].answers] == [it.separation for it in singles[1].answers]


def test_beside_its_position_a_grown_segment_is_a_capsule_there() -> None:
    ends = np.array(((0.3, -0.2, 0.5), (0.3, 1.2, 0.5)))
    for other in OTHERS:
        beside = analyse(Scene(Body(with_border(Hull.of(ends), 0.3)), Body(other, (0.4, 0.3, -0.9))))
        there = analyse(Scene(Body(Capsule(0.3, 1.4), (0.3, 0.5, 0.5)), Body(other, (0.4, 0.3, -0.9))))
        assert beside.separation == pytest.approx(there.separation, abs=1e-9)
        assert beside.verdict is there.verdict


def test_in_the_plane_a_grown_point_is_a_circle() -> None:
    square = Polygon(((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)))
    for at in ((0.3, 0.4), (2.0, 0.1), (1.5, 1.75)):
        answers = [
            analyse(Scene(Body.in_plane(square, at, 0.3), Body.in_plane(shape)))
            for shape in (with_border(Polygon(((0.0, 0.0),)), 0.5), Circle(0.5))
        ]
        assert answers[0].separation == answers[1].separation
        np.testing.assert_array_equal(answers[0].normal, answers[1].normal)


def test_sizes() -> None:
    """Half the length of a segment, of a point the other body's, of two points none: and nothing divides by it."""
    segment, point, box = Hull(((1.0, 2.0, 3.0), (4.0, 6.0, 3.0))), Hull(((0.5, 0.0, 0.0),)), Box((2.0, 4.0, 6.0))
    assert segment.largest_half_extent == 2.5
    assert PairScale.of(Body(segment), Body(box)).least_half_extent == 2.5
    assert PairScale.of(Body(point), Body(box)).least_half_extent == 3.0
    assert PairScale.of(Body(point), Body(HalfSpace((0.0, 1.0, 0.0), 0.0))).least_half_extent == 0.0
    nothing = Hull(((0.0, 0.0, 0.0),))
    for at in (0.0, 5e-324, 1e-300, 1e-250, 2.0):
        found = analyse(Scene(Body(nothing), Body(nothing, (at, 0.0, 0.0))))
        assert found.separation == at
        assert found.normal.tolist() == [1.0, 0.0, 0.0]
        assert found.verdict is (Verdict.SEPARATED if at > 1e-290 else Verdict.TOUCHING)
        assert not found.disagreements


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_scale_and_rigid_motions_change_nothing(scale: float) -> None:
    rng = np.random.default_rng(9)
    for counts in COUNTS:
        first, second = (rng.normal(size=(count, 3)) for count in counts)
        here = analyse(Scene(Body(Hull.of(first)), Body(Hull.of(second))))
        frame, shift = turn(rng), tuple((100.0 * scale * rng.normal(size=3)).tolist())
        there = analyse(Scene(*(Body(Hull.of(scale * points @ frame.T), shift) for points in (first, second))))
        assert there.verdict is here.verdict
        assert there.separation == pytest.approx(scale * here.separation, abs=1e-12 * scale)


def test_gjk_epa_sat_and_mpr_agree_on_flat_bodies() -> None:
    rng = np.random.default_rng(21)
    stops = set()
    for _ in range(60):
        sizes = rng.integers(1, 5, size=2).tolist()
        a, b = (Body(Hull.of(rng.normal(size=(count, 3)))) for count in sizes)
        found = analyse(Scene(a, b))
        closing = signed_distance(support_maps(a, b))
        assert closing.separation == pytest.approx(found.separation, abs=1e-9)
        assert sat(a, b).separation <= found.separation + 1e-12
        portal = mpr(a, b)
        stops.add(portal.stop)
        if portal.overlapping is not None and portal.proved:
            assert portal.overlapping is (found.separation <= found.band)
    triangle = Body(Hull(((-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (0.0, 1.0, 0.0))))
    assert mpr(triangle, replace(triangle, position=(0.25, 0.125, 0.0))).stop is MprStop.FLAT_DIFFERENCE
    assert MprStop.EXCLUDED in stops


def test_batches_and_single_precision_take_flat_bodies() -> None:
    rng = np.random.default_rng(13)
    still = np.tile((1.0, 0.0, 0.0, 0.0), (6, 1))
    for first, second in COUNTS:
        points = [rng.integers(-4, 5, size=(6, count, 3)).astype(float) for count in (first, second)]
        place = np.zeros((6, 3))
        many = analyse_pairs(*(Hulls(rows, place, still) for rows in points))
        for row in range(6):
            scene = Scene(*(Body(Hull.of(rows[row])) for rows in points))
            found = analyse(scene)
            assert many.separations[row] == pytest.approx(found.separation, abs=1e-9)
            assert many.bands[row] == pytest.approx(found.band, rel=2.0, abs=1e-300)
            single = analyse_single(scene).answers[0]
            assert single.separation == pytest.approx(single.separation, abs=1e-4)
            assert single.separation <= found.separation + 1e-4


def test_rays_meet_a_triangle_from_either_side() -> None:
    rng = np.random.default_rng(2)
    for _ in range(40):
        corners = rng.normal(size=(3, 3))
        body = Body(Hull.of(corners))
        shares = rng.dirichlet((1.0, 1.0, 1.0))
        shares = shares if rng.random() < 0.5 else np.array((-0.2, 0.5, 0.7))[rng.permutation(3)]
        origin, target = 3.0 * rng.normal(size=3), shares @ corners
        hit = raycast(body, origin, target - origin)
        assert (hit is not None) is bool(shares.min() > 0.0)
        if hit is not None:
            assert hit.entry.t == pytest.approx(1.0, abs=1e-9)
            assert hit.exit.t == pytest.approx(hit.entry.t, abs=1e-12)
            assert hit.entry.normal @ (target - origin) < 0.0
    segment = Body(Hull(((0.0, -1.0, 0.0), (0.0, 1.0, 0.0))))
    assert raycast(segment, np.array((-2.0, 0.5, 0.0)), np.array((1.0, 0.0, 0.0))).entry.t == pytest.approx(2.0)
    assert raycast(segment, np.array((-2.0, 1.5, 0.0)), np.array((1.0, 0.0, 0.0))) is None
    point = Body(Hull(((0.0, 1.0, 0.0),)))
    assert raycast(point, np.array((-2.0, 1.0, 0.0)), np.array((1.0, 0.0, 0.0))).entry.t == pytest.approx(2.0)
    assert raycast(point, np.array((-2.0, 1.1, 0.0)), np.array((1.0, 0.0, 0.0))) is None


@pytest.mark.parametrize("dimension", [2, 3])
def test_flat_bodies_in_motion_meet_where_their_distance_is_gone(dimension: int) -> None:
    """Never before, by distances at a hundred times; and where no method says they meet, they do not."""
    rng = np.random.default_rng(17)
    hits = 0
    for case in range(some(40)):
        counts = rng.integers(1, 4, size=2).tolist()
        points = [rng.normal(size=(count, dimension)) for count in counts]
        start = 3.0 * unit(np.append(rng.normal(size=dimension), np.zeros(3 - dimension)))
        aim = np.append(points[0].mean(axis=0) - points[1].mean(axis=0), np.zeros(3 - dimension))
        way = 1.5 * (aim - start) if case % 2 else -2.0 * start
        if dimension == 3:
            a, b = (Body(Hull.of(rows)) for rows in points)
        else:
            a, b = (Body.in_plane(Polygon.hull_of([(x, y) for x, y in rows.tolist()])) for rows in points)
        scene = Scene(a, replace(b, position=tuple(start.tolist()), displacement=tuple(way.tolist())))
        found = sweep(scene)
        assert found is not None
        assert found.disagreements == ()
        assert found.outcome is not MotionOutcome.ITERATION_LIMIT
        time = found.result.time
        for share in np.linspace(0.0, 1.0, 25):
            at = share * (1.0 if time is None else time - 1e-6)
            assert found.motion.near(float(at)).separation > 0.0
        if time is not None:
            hits += 1
            assert found.motion.near(time).separation == pytest.approx(0.0, abs=1e-7)
            assert found.contacts
    assert hits >= some(10)
