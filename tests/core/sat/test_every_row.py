"""Every field of every row of the axis table, of every kind of pair: by its definition, and with A and B swapped."""

from __future__ import annotations

import re
from itertools import product

import numpy as np
import pytest
from msgspec.structs import replace

from core import Body, Box, Capsule, Circle, Cylinder, HalfSpace, Hull, Polygon, Rounded, Scene, Sphere, Verdict
from core.geometry.tolerances import NEARLY_PARALLEL_SIN
from core.pair.pair import PairScale
from core.sat.plane import plane_sat
from core.sat.sat import AxisKind, AxisStatus, CandidateAxis, SatTable, final_normal_table, sat
from core.shapes import Shape
from tests.core.explicit import explicit_distance
from tests.core.planar_samples import brute_force, regular
from tests.core.polyhedra_samples import ball_hull, prism, turn

FLAT = Hull.of([(-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (0.0, 1.0, 0.0)])
ROD = Hull.of([(0.0, -1.0, 0.0), (0.0, 1.0, 0.0)])
SPACE: dict[str, Shape] = {
    "box": Box((1.0, 2.0, 1.5)),
    "sphere": Sphere(0.75),
    "capsule": Capsule(0.25, 1.5),
    "prism": prism(5),
    "hull": ball_hull(np.random.default_rng(3), 12),
    "round box": Rounded(Box((1.0, 1.0, 2.0)), 0.125),
    "flat": FLAT,
    "rod": ROD,
    "half-space": HalfSpace((0.0, 3.0, 4.0), 0.5),
}
PLANE: dict[str, Shape] = {
    "square": regular(4),
    "triangle": Polygon.of([(2.0, 0.0), (-1.0, 1.0), (-1.0, -1.0)]),
    "circle": Circle(0.75),
    "round": Rounded(regular(5), 0.25),
    "segment": Polygon.of([(-1.0, 0.5), (1.0, 0.5)]),
}
PAIRS = [
    (f"{first}, {second}", shapes[first], shapes[second])
    for shapes in (SPACE, PLANE)
    for first, second in product(shapes, shapes)
    if first <= second and (first, second) != ("half-space", "half-space")
]


def table_of(scene: Scene) -> SatTable:
    return sat(scene.a, scene.b) if scene.dimension == 3 else plane_sat(scene.a, scene.b)


def placed(first: Shape, second: Shape, count: int) -> list[Scene]:
    """Far apart, near and deep, turned anyhow."""
    rng = np.random.default_rng(7)
    scenes = []
    for k in range(count):
        spread = (4.0, 1.5, 0.5)[k % 3]
        bodies = [
            Body(shape, rng.normal(size=3) * spread / 2.0, turn(rng), angle=float(rng.normal()))
            for shape in (first, second)
        ]
        scenes.append(Scene(*bodies))
    return scenes


def reach(body: Body, axis: np.ndarray) -> float:
    """The body's end along a unit axis, from its own points where it has a core, in the world."""
    core = body.shape.core
    if core is not None:
        return float((body.pose.to_world(core.points) @ axis).max() + core.radius)
    return float(body.pose.position @ axis + body.shape.reach(body.pose.direction_to_local(axis)))


@pytest.mark.parametrize(("first", "second"), [pair[1:] for pair in PAIRS], ids=[pair[0] for pair in PAIRS])
def test_every_row_is_what_its_fields_define(first: Shape, second: Shape) -> None:
    for scene in placed(first, second, 3):
        table, scale = table_of(scene), PairScale.of(scene.a, scene.b)
        near = 1e-13 * scale.extent
        known = [row for row, status in enumerate(table.statuses) if status is not AxisStatus.DEGENERATE]
        assert known
        for row in known:
            axis, (low_a, high_a), (low_b, high_b) = table.axes[row], table.interval_a[row], table.interval_b[row]
            wanted = -reach(scene.a, -axis), reach(scene.a, axis), -reach(scene.b, -axis), reach(scene.b, axis)
            assert np.array((low_a, high_a, low_b, high_b)) + table.offset[row] == pytest.approx(wanted, abs=near)
            assert table.offset[row] == pytest.approx(scene.a.pose.position @ axis, abs=near)
            assert table.separations[row] == max(low_b - high_a, low_a - high_b)
            assert table.sides[row] == (1 if low_b - high_a >= low_a - high_b else -1)
            lines = np.linalg.norm(np.cross(table.axes[: row + 1], axis), axis=1) < 1e-11
            lines &= table.axes[: row + 1].any(axis=1)
            assert table.same_as[row] == int(lines.argmax())
            own = table.separations[row]
            assert table.statuses[row].value == (
                "SEPARATING"
                if own > scale.touching_band()
                else "TOUCHING"
                if own >= -scale.touching_band()
                else "OVERLAPPING"
            )
        best = float(table.separations[known].max())
        assert best - scale.rounding <= table.separation <= best
        assert table.separation == table.separations[table.winner]
        assert table.ties == tuple(
            row for row in known if row != table.winner and abs(table.separations[row] - table.separation) <= scale.tie
        )
        assert table.normal.tolist() == (table.sides[table.winner] * table.axes[table.winner] + 0.0).tolist()
        assert table.verdict is (Verdict.SEPARATED if best > scale.touching_band() else Verdict.OVERLAPPING)
        assert table.applies
        _candidates(table)
        _exactness(scene, table, near)


def _candidates(table: SatTable) -> None:
    for row, own in enumerate(table.candidates):
        assert own.nearly_parallel == (own.sine < NEARLY_PARALLEL_SIN)
        assert own.covered_by == tuple(sorted({*own.covered_by}))
        assert row not in own.covered_by
        if own.kind is AxisKind.EDGES:
            assert own.label.count("×") == 1
            assert own.vertex is None
            assert None not in (own.feature_a, own.feature_b)
            assert bool(own.covered_by) == own.nearly_parallel
        elif own.kind is AxisKind.CENTRES:
            assert "→" in own.label
            assert own.sine == 1.0
            assert own.covered_by in ((), (table.same_as[row],))
        else:
            of_a = own.kind is AxisKind.FACE_A
            assert own.label.startswith("A." if of_a else "B.")
            # The normals of a flat polygon's edges within its plane are no feature's.
            beside = "×face" in own.label
            assert (own.feature_a is None, own.feature_b is None) == (not of_a or beside, of_a or beside)
            assert (own.sine, own.covered_by, own.vertex) == (1.0, (), None)


def _exactness(scene: Scene, table: SatTable, near: float) -> None:
    """Apart, a table of sharp polyhedra is a bound that calls itself one; all others have the distance."""
    shapes = (scene.a.shape, scene.b.shape)
    if scene.dimension == 2:
        true, cores = brute_force(scene) if not _is_grown(shapes) else None, [shape.core for shape in shapes]
    else:
        true, cores = explicit_distance(scene.a, scene.b).separation, [shape.core for shape in shapes]
    faceless = [core is not None and len(core.points) <= 2 for core in cores]
    more = _is_grown(shapes) or any(shape.plane is not None for shape in shapes)
    more |= all(faceless) if scene.dimension == 2 else any(faceless)
    assert table.exact == (more or table.separation <= 0.0)
    if true is not None and (table.exact and (scene.dimension == 3 or table.separation > 0.0)):
        assert table.separation == pytest.approx(true, abs=10.0 * near)
    judged = table.against(table.separation + 1e-3, 1e-2)
    assert (judged.exact, table.against(table.separation + 1e-3, 1e-4).exact) == (True, False)
    assert not table.against(table.separation - 1e-3, 1e-4).exact


def _is_grown(shapes: tuple[Shape, ...]) -> bool:
    return any(shape.core is not None and shape.core.radius > 0.0 for shape in shapes)


def swapped(own: CandidateAxis) -> tuple[object, ...]:
    """What a candidate says, with the bodies' names exchanged; of a pair of names in any order."""
    names = {"A": "B", "B": "A"}
    parts = frozenset(re.sub(r"\b[AB]\b", lambda it: names[it[0]], part) for part in re.split("[×→]", own.label))
    kinds = {AxisKind.FACE_A: AxisKind.FACE_B, AxisKind.FACE_B: AxisKind.FACE_A}
    return parts, kinds.get(own.kind, own.kind), own.feature_b, own.feature_a, own.nearly_parallel, own.vertex


def told(own: CandidateAxis) -> tuple[object, ...]:
    parts = frozenset(re.split("[×→]", own.label))
    return parts, own.kind, own.feature_a, own.feature_b, own.nearly_parallel, own.vertex


@pytest.mark.parametrize(("first", "second"), [pair[1:] for pair in PAIRS], ids=[pair[0] for pair in PAIRS])
def test_bodies_swapped_have_the_same_rows_about_each_other(first: Shape, second: Shape) -> None:
    for scene in placed(first, second, 3):
        one, other = table_of(scene), table_of(scene.swapped())
        near = 1e-12 * PairScale.of(scene.a, scene.b).extent
        rows = {told(own): row for row, own in enumerate(other.candidates)}
        assert {swapped(own) for own in one.candidates} == {*rows}
        for row, own in enumerate(one.candidates):
            there = rows[swapped(own)]
            turned = np.sign(one.axes[row] @ other.axes[there])
            assert one.axes[row] == pytest.approx(turned * other.axes[there], abs=1e-9)
            assert own.sine == pytest.approx(other.candidates[there].sine, abs=1e-12)
            assert one.separations[row] == pytest.approx(other.separations[there], abs=near)
            assert one.statuses[row] is other.statuses[there]
            ends = sorted(turned * (other.interval_b[there] + other.offset[there]))
            assert one.interval_a[row] + one.offset[row] == pytest.approx(ends, abs=near)
        assert (one.verdict, one.exact, one.applies) == (other.verdict, other.exact, other.applies)
        assert one.separation == pytest.approx(other.separation, abs=near)
        if not one.ties:
            assert one.normal == pytest.approx(-other.normal, abs=1e-9)


def same_words(one: SatTable, other: SatTable) -> None:
    for name in ("statuses", "winner", "ties", "verdict", "exact", "applies"):
        assert getattr(one, name) == getattr(other, name), name
    assert [told(own) for own in one.candidates] == [told(own) for own in other.candidates]
    assert [own.covered_by for own in one.candidates] == [own.covered_by for own in other.candidates]
    for name in ("axes", "sides", "same_as", "normal"):
        assert (getattr(one, name) == getattr(other, name)).all(), name


def larger(shape: Shape, by: float) -> Shape:
    match shape:
        case Box(size):
            return Box(tuple(by * x for x in size))
        case Sphere(radius) | Circle(radius):
            return replace(shape, radius=by * radius)
        case Capsule(radius, length):
            return Capsule(by * radius, by * length)
        case HalfSpace(normal, offset):
            return HalfSpace(normal, by * offset)
        case Rounded(sharp, border):
            return Rounded(larger(sharp, by), by * border)
        case Hull(points):
            return Hull.of(by * np.array(points))
        case Polygon(points):
            return Polygon.of(by * np.array(points))
    raise AssertionError(shape)


@pytest.mark.parametrize(("first", "second"), [pair[1:] for pair in PAIRS], ids=[pair[0] for pair in PAIRS])
def test_a_scene_of_another_unit_has_the_same_rows_and_lengths_in_that_unit(first: Shape, second: Shape) -> None:
    for k, scene in enumerate(placed(first, second, 2)):
        by = (2.0**-20, 2.0**20)[k]
        bodies = [
            replace(body, shape=larger(body.shape, by), position=by * np.array(body.position))
            for body in (scene.a, scene.b)
        ]
        one, other = table_of(scene), table_of(Scene(*bodies))
        same_words(one, other)
        for name in ("interval_a", "interval_b", "separations", "offset"):
            np.testing.assert_array_equal(by * getattr(one, name), getattr(other, name), name)


@pytest.mark.parametrize("off", [-2.0, -0.5, 0.0, 0.5, 2.0])
def test_a_row_touches_within_the_band_on_either_side_of_zero(off: float) -> None:
    """The winner's row along x, and a row that does not win, along y; a box, a ball, and squares of the plane."""
    cube, square = Box((2.0, 2.0, 2.0)), Polygon.of([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
    for shape, other, distance in ((cube, cube, 2.0), (cube, Sphere(1.0), 2.0), (square, square, 2.0)):
        band = PairScale.of(Body(shape), Body(other, (distance, 0.0, 0.0))).touching_band()
        assert band > 1e-13
        table = table_of(Scene(Body(shape), Body(other, (distance + off * band, 0.0, 0.0))))
        wanted = {-2.0: "OVERLAPPING", 2.0: "SEPARATING"}.get(off, "TOUCHING")
        assert table.statuses[table.winner].value == wanted
        assert table.verdict.value == wanted.replace("SEPARATING", "SEPARATED")
        table = table_of(Scene(Body(shape), Body(other, (distance + 1.0, distance + off * band, 0.0))))
        row = next(k for k, axis in enumerate(table.axes) if abs(axis[1]) == 1.0)
        assert table.statuses[row].value == wanted
        assert table.verdict is Verdict.SEPARATED
        # Apart only within the band, a bound stays a bound.
        assert not sat(Body(cube), Body(cube, (2.0 + 0.5 * band, 0.0, 0.0))).exact


def test_a_balls_row_names_the_boxs_feature_under_it_and_of_a_face_its_axis() -> None:
    """By the corners that are nearest: one, the two of an edge, the four of a face."""
    box, half = Box((2.0, 4.0, 6.0)), np.array((1.0, 2.0, 3.0))
    corners = box.polyhedron.vertices
    for sides in product((-1, 0, 1), repeat=3):
        if not any(sides):
            continue
        at = tuple(2.0 * np.array(sides) * half + 0.25 * (np.array(sides) == 0))
        nearest = [
            k
            for k, corner in enumerate(corners)
            if all(s in (0, np.sign(c)) for s, c in zip(sides, corner, strict=True))
        ]
        outer = [k for k in range(3) if sides[k]]
        face = outer[0] if len(outer) == 1 else None
        name = "-".join(f"v{k}" for k in nearest) if face is None else "-0+"[sides[face] + 1] + "xyz"[face]
        for own, scene in (
            ("A", Scene(Body(box), Body(Sphere(0.5), at))),
            ("B", Scene(Body(Sphere(0.5), at), Body(box))),
        ):
            table = table_of(scene)
            last = table.candidates[-1]
            assert last.label == f"{own}.{name}→{'AB'.replace(own, '')}"
            assert (last.feature_a, last.feature_b) == ((face, None) if own == "A" else (None, face))
            assert last.covered_by == (() if face is None else (face,))
            assert last.kind is AxisKind.CENTRES
            assert [it.label for it in table.candidates[:3]] == [f"{own}.{axis}" for axis in "xyz"]
            assert {it.kind for it in table.candidates[:3]} == {AxisKind.FACE_A if own == "A" else AxisKind.FACE_B}
            way = np.subtract(at, np.clip(at, -half, half))
            expected = (1.0 if own == "A" else -1.0) * way / np.linalg.norm(way)
            assert table.normal == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("space_first", [True, False])
def test_a_half_spaces_row_is_its_own_face(space_first: bool) -> None:
    pair = Body(HalfSpace((0.0, 1.0, 0.0), 0.0)), Body(Box((1.0, 1.0, 1.0)), (0.0, 2.0, 0.0))
    table = sat(*pair) if space_first else sat(*pair[::-1])
    (own,) = table.candidates
    assert (own.label, own.kind) == (("A.plane", AxisKind.FACE_A) if space_first else ("B.plane", AxisKind.FACE_B))
    assert (own.feature_a, own.feature_b) == ((0, None) if space_first else (None, 0))
    assert (own.sine, own.nearly_parallel, own.covered_by) == (1.0, False, ())


def test_the_final_normals_row_says_that_it_is_no_table() -> None:
    a, b = Body(Cylinder(0.5, 1.0), (1.0, 2.0, 3.0)), Body(Sphere(0.5), (1.0, 5.0, 3.0))
    for exact in (False, True):
        table = final_normal_table(a, b, np.array((0.0, 1.0, 0.0)), exact=exact)
        (own,) = table.candidates
        assert (own.label, own.kind, own.sine, own.nearly_parallel) == ("A→B", AxisKind.CENTRES, 1.0, False)
        assert (table.exact, table.applies, table.separation, table.winner, table.ties) == (exact, False, 2.0, 0, ())
        assert (table.interval_a.tolist(), table.interval_b.tolist()) == ([[-0.5, 0.5]], [[2.5, 3.5]])
        assert table.offset.tolist() == [2.0]


@pytest.mark.parametrize("shape", [Sphere, Circle])
def test_two_balls_about_one_centre_have_a_row_without_a_direction(shape: type[Sphere | Circle]) -> None:
    at = (5.0, 4.0, 0.0)
    table = table_of(Scene(Body(shape(1.0), at), Body(shape(0.5), at)))
    (own,) = table.candidates
    assert (own.label, own.kind, own.nearly_parallel, own.covered_by) == ("A→B", AxisKind.CENTRES, False, ())
    assert (table.separation, table.exact, table.applies) == (-1.5, True, True)
    assert table.verdict is Verdict.OVERLAPPING
    assert table.statuses == (AxisStatus.DEGENERATE,)
    assert table.normal.tolist() == [1.0, 0.0, 0.0]
    for numbers in (table.interval_a, table.interval_b, table.separations):
        assert np.isnan(numbers).all()
    assert (table.sides.tolist(), table.same_as.tolist(), table.winner, table.ties) == ([1], [0], 0, ())


def test_closest_corners_are_named_by_their_numbers() -> None:
    """Of rounded hulls, and of rounded polygons; the closest points are the corners only where no edge is closer."""
    rng, named = np.random.default_rng(5), {2: 0, 3: 0}
    for k in range(36):
        sharp = [ball_hull(rng, 8) if k % 2 else regular(int(rng.integers(3, 6))) for _ in range(2)]
        places = ((0.0, 0.0, 0.0), rng.normal(size=3) * 2.5)
        a, b = (
            Body(Rounded(shape, 0.125), at, turn(rng), angle=float(rng.normal()))
            for shape, at in zip(sharp, places, strict=True)
        )
        table = table_of(Scene(a, b))
        own = table.candidates[table.winner]
        found = re.fullmatch(r"A\.v(\d+)→B\.v(\d+)", own.label)
        if own.kind is not AxisKind.CENTRES or found is None:
            continue
        points = [
            body.pose.to_world(np.pad(np.array(one.points), ((0, 0), (0, 3 - len(one.points[0])))))
            for body, one in zip((a, b), sharp, strict=True)
        ]
        away = np.linalg.norm(points[0][:, None] - points[1], axis=2)
        nearest = np.unravel_index(int(away.argmin()), away.shape)
        assert tuple(map(int, found.groups())) == nearest
        assert table.separation == pytest.approx(away.min() - 0.25, abs=1e-12)
        way = points[1][nearest[1]] - points[0][nearest[0]]
        assert table.normal == pytest.approx(way / np.linalg.norm(way), abs=1e-12)
        named[a.shape.dimension] += 1
    assert min(named.values()) >= 3


@pytest.mark.parametrize("at", [(3.0, 0.0, 0.0), (3.0, 0.5, 0.0), (0.0, -3.0, 0.0)])
def test_corners_that_part_no_more_than_a_side_add_no_row(at: tuple[float, float, float]) -> None:
    square = Rounded(Polygon.of([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]), 0.25)
    table = plane_sat(Body(square), Body(square, at))
    assert [it.label for it in table.candidates] == [f"{body}.edge{k}" for body in "AB" for k in range(4)]
    assert (table.separation, table.exact) == (0.5, True)


def test_flat_cores_that_touch_have_no_row_of_closest_points() -> None:
    for at in ((2.0, 0.0, 0.0), (0.0, -2.0, 0.0)):
        table = sat(Body(Rounded(FLAT, 0.25)), Body(Rounded(FLAT, 0.25), at))
        assert AxisKind.CENTRES not in {it.kind for it in table.candidates}
        assert table.separation == -0.5


@pytest.mark.parametrize("way", [1.0, -1.0])
def test_grown_cores_that_touch_and_span_a_volume_part_the_way_they_lie(way: float) -> None:
    """A rod stands on a triangle, its body's position on the other side of it."""
    rod = Hull.of([(0.0, 0.0, 5.0 * way), (0.0, 0.0, 7.0 * way)])
    table = sat(Body(Rounded(FLAT, 0.5)), Body(Rounded(rod, 0.5), (0.0, 0.0, -5.0 * way)))
    assert table.separation == -1.0
    assert table.normal.tolist() == [0.0, 0.0, way]
