"""EPA alone: the hand-over from every simplex, its steps, its stop reasons."""

from __future__ import annotations

import json
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
from msgspec import structs
from msgspec.structs import replace

from core.geometry.tolerances import EPS
from core.geometry.triple import Triple
from core.geometry.vector import Array
from core.gjk.epa import EpaAction, EpaSettings, EpaStep, EpaStop, epa, epa_steps
from core.gjk.gjk import gjk
from core.gjk.plane_epa import epa_polygon_steps
from core.gjk.polytope import Polytope
from core.pair.support import Difference, DifferencePoint, Rounding, support_maps
from core.scene import Body, Scene
from core.shapes import Box, Cone, Cylinder, Ellipsoid, Shape, Sphere
from core.trace import record
from tests.bench.families import PAIRS, posed
from tests.core.gjk_samples import FAMILIES, PLAIN, deep, directions, turn
from tests.core.planar_samples import brute_force, contained, general, scenes, size_of
from tests.selection import some
from tests.strategies import SCENES, read_scene

CUBES = support_maps(Body(Box((2.0, 2.0, 2.0))), Body(Box((1.0, 1.0, 1.0)), (0.4, 0.0, 0.0)))
"""Their difference is a cube of edge 3 about (-0.4, 0, 0): 1.1 deep along +x."""


def _supports(difference: Difference, ways: Array) -> list[DifferencePoint]:
    found: dict[tuple[float, float, float], DifferencePoint] = {}
    for x, y, z in ways.tolist():
        point = difference.support((x, y, z))
        found.setdefault(point.xyz, point)
    return list(found.values())


def test_the_hand_over_from_every_simplex_of_corners() -> None:
    """One to four corners of a cube, flat or not, with the origin inside, on them or outside: one answer."""
    corners = _supports(CUBES, directions(np.random.default_rng(1), 200))
    assert len(corners) == 8
    for size in (1, 2, 3, 4):
        for simplex in combinations(corners, size):
            result = epa(CUBES, simplex)
            assert result.stop is EpaStop.CONVERGED
            assert abs(result.depth - 1.1) <= 1e-15
            np.testing.assert_array_equal(result.normal, (1.0, 0.0, 0.0))


def test_doubled_points_in_the_simplex_do_no_harm() -> None:
    corner = CUBES.support((1.0, 1.0, 1.0))
    other = CUBES.support((-1.0, 1.0, 1.0))
    for simplex in ((corner, corner), (corner, other, corner), (corner, other, corner, other)):
        assert abs(epa(CUBES, simplex).depth - 1.1) <= 1e-15


TOUCHING = {
    "faces": (1.0, 0.2, 0.1),
    "aligned faces": (1.0, 0.0, 0.0),
    "edges": (1.0, 1.0, 0.3),
    "corners": (1.0, 1.0, 1.0),
}


@pytest.mark.parametrize("name", TOUCHING)
def test_touching_cubes_keep_their_contact(name: str) -> None:
    scene = Scene(Body(Box((1.0, 1.0, 1.0))), Body(Box((1.0, 1.0, 1.0)), TOUCHING[name]))
    difference = support_maps(scene.a, scene.b)
    found = gjk(difference)
    assert found.overlapping
    result = epa(difference, found.simplex)
    assert result.stop is EpaStop.CONVERGED
    assert result.depth == 0.0
    assert result.normal @ scene.b.pose.position > 0.0
    np.testing.assert_allclose(result.witness_a, result.witness_b, atol=1e-15)


def test_a_flat_difference() -> None:
    difference = support_maps(Body(Sphere(1.0)), Body(Sphere(0.5)))
    recording = record(epa_steps(difference, gjk(difference).simplex))
    result = recording.result
    assert result is not None
    assert (result.stop, result.core_depth, result.depth) == (EpaStop.FLAT_POLYTOPE, 0.0, 1.5)
    assert [step.stop for step in recording.steps] == [EpaStop.FLAT_POLYTOPE]


def test_bodies_that_are_apart_are_proved_so() -> None:
    difference = support_maps(Body(Box((1.0, 1.0, 1.0))), Body(Box((1.0, 1.0, 1.0)), (1.5, 0.3, 0.2)))
    result = epa(difference, (difference.support((0.0, 1.0, 0.0)),))
    assert result.stop is EpaStop.ORIGIN_OUTSIDE
    assert result.upper < 0.0
    assert result.lower <= -0.5 <= result.upper + 1e-15


def test_the_iteration_limit_keeps_the_bounds() -> None:
    difference = support_maps(Body(Cylinder(1.0, 4.0)), Body(Cylinder(1.0, 4.0), (0.1, 0.0, 0.0)))
    exact = epa(difference, gjk(difference).simplex)
    short = epa(difference, gjk(difference).simplex, EpaSettings(iterations=10))
    assert short.stop is EpaStop.ITERATION_LIMIT
    assert not short.certified
    assert short.lower <= exact.upper
    assert exact.lower <= short.upper


def _check_surface(step: EpaStep, slack: float = 1e-13) -> None:
    """Every edge once in each direction, and every vertex behind every face but for `slack`: closed and convex."""
    edges = [(f.vertices[k], f.vertices[(k + 1) % 3]) for f in step.faces for k in range(3)]
    assert len(set(edges)) == len(edges)
    assert {(v, u) for u, v in edges} == set(edges)
    points = np.array([point.w for point in step.vertices])
    size = float(np.abs(points).max())
    for face in step.faces:
        assert (points @ np.array(face.normal) <= face.offset + slack * size).all()


def test_steps_show_the_whole_polytope_and_replay_to_the_next() -> None:
    rng = np.random.default_rng(2)
    for family in FAMILIES:
        scene = family(rng)
        difference = support_maps(scene.a, scene.b)
        found = gjk(difference)
        if not found.overlapping:
            continue
        steps = record(epa_steps(difference, found.simplex)).steps
        assert steps[0].action is EpaAction.HAND_OVER
        assert len(steps[0].faces) == 4
        assert steps[-1].action is EpaAction.STOP
        for step, following in pairwise(steps):
            _check_surface(step)
            if step.action is not EpaAction.EXPAND:
                continue
            assert step.support is not None
            assert following.vertices == (*step.vertices, step.support)
            removed = {face.number for face in step.removed}
            kept = [face for face in step.faces if face.number not in removed]
            assert list(following.faces) == [*kept, *step.added]
            new = len(step.vertices)
            assert {face.vertices for face in step.added} == {(u, v, new) for u, v in step.horizon}
            starts, ends = zip(*step.horizon, strict=True)
            assert sorted(starts) == sorted(ends)


def test_the_bounds_close_in() -> None:
    rng = np.random.default_rng(3)
    for _ in range(30):
        scene = deep(rng)
        difference = support_maps(scene.a, scene.b)
        recording = record(epa_steps(difference, gjk(difference).simplex))
        result = recording.result
        assert result is not None
        uppers = [step.upper for step in recording.steps if step.upper is not None]
        assert uppers == sorted(uppers, reverse=True)
        for step in recording.steps[1:]:
            assert step.lower is not None
            assert step.lower <= result.upper + 1e-14
        assert result.iterations <= 28


def test_in_the_plane_the_bounds_hold_and_the_upper_one_never_rises() -> None:
    tried = 0
    for scene in scenes(80, 12, (general, contained)):
        difference = support_maps(scene.a, scene.b)
        depth, near = -brute_force(scene) - difference.radius, 1e-14 * size_of(scene)
        found = gjk(difference)
        steps = record(epa_polygon_steps(difference, found.simplex)).steps[1:] if found.overlapping else ()
        uppers = [step.upper for step in steps if step.upper is not None]
        assert uppers == sorted(uppers, reverse=True)
        for step in steps:
            assert step.lower is not None
            assert step.lower - near <= depth <= uppers[-1] + near
        tried += len(steps) > 1
    assert tried >= some(30)


def test_steps_cannot_be_changed() -> None:
    difference = support_maps(PLAIN.a, PLAIN.b)
    step = record(epa_steps(difference, gjk(difference).simplex)).steps[1]
    assert step.closest is not None
    with pytest.raises(ValueError, match="read-only"):
        step.closest[0] = 1.0


def test_the_polytope_takes_points_in_line_and_in_plane() -> None:
    """A grid on a cube's faces and edges: every new point lies in the plane of faces or in line with edges."""
    polytope = Polytope(((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)), 1e-14)
    grid = [(x / 2, y / 2, z / 2) for x in range(4) for y in range(4) for z in range(4)]
    for point in grid:
        heights = [(np.dot(face.normal, point) - face.offset, face) for face in polytope.faces.values()]
        height, face = max(heights, key=lambda pair: pair[0])
        if height > 1e-12:
            polytope.grow(point, face)
    normals = {tuple(np.round(face.normal, 9) + 0.0) for face in polytope.faces.values()}
    assert normals == {tuple(row) for row in np.concatenate((np.eye(3), -np.eye(3) + 0.0)) + 0.0}
    area = sum(
        0.5 * np.sqrt((np.cross(p[1] - p[0], p[2] - p[0]) ** 2).sum())
        for p in (np.array([polytope.points[k] for k in face.vertices]) for face in polytope.faces.values())
    )
    assert abs(area - 6 * 1.5**2) <= 1e-12


def test_a_round_cap_grows_by_ears_at_its_rim() -> None:
    """Coaxial cylinders have a ring of ways out: every step adds a point to the rim of a cap with hundreds of faces."""
    turned = turn(np.random.default_rng(5))
    difference = support_maps(Body(Cylinder(1.0, 4.0), rotation=turned), Body(Cylinder(0.7, 3.0), rotation=turned))
    steps = record(epa_steps(difference, gjk(difference).simplex)).steps
    assert len(steps) > 200
    for step in steps[1::20]:
        # Two neighbours on the rim and a third make a triangle 1e-4 high, whose plane rounding tilts by 1e-11.
        _check_surface(step, slack=1e-11)
    # A triangulation's vertices have six faces in the mean; the fans of both caps alone would have 128 a step.
    assert sum(len(step.added) for step in steps) <= 8 * len(steps)


def test_turned_cylinders_overlap_by_the_depth_of_their_planes() -> None:
    rng = np.random.default_rng(4)
    for _ in range(20):
        scene = Scene(
            Body(Cylinder(0.5, 1.0), rotation=turn(rng)), Body(Cylinder(1.0, 0.2), (0.1, 0.2, 0.1), turn(rng))
        )
        difference = support_maps(scene.a, scene.b)
        found = gjk(difference)
        assert found.overlapping
        result = epa(difference, found.simplex)
        assert result.certified
        for direction in directions(rng, 300):
            x, y, z = direction.tolist()
            assert difference.support((x, y, z)).w @ direction >= result.lower - 1e-14


def _check_feet(scene: Scene, rounded: Rounding = "core") -> list[EpaStep]:
    """Witness points lie the depth apart along the normal, and every step's closest point is the foot on its plane."""
    difference = support_maps(scene.a, scene.b, rounded=rounded)
    run = record(epa_steps(difference, gjk(difference).simplex))
    result = run.result
    assert result is not None
    way = result.witness_b - result.witness_a
    assert np.linalg.norm(way + result.depth * result.normal) <= result.gap + 1e-14 * difference.extent
    for step in run.steps:
        if step.nearest is not None and step.nearest.offset > 0.0:
            assert step.closest is not None
            foot = np.array(step.nearest.normal) * step.nearest.offset
            assert np.linalg.norm(step.closest - foot) <= 1e-13 * difference.extent
    return [step for step in run.steps if isinstance(step, EpaStep)]


def _flat_sides() -> list[Scene]:
    paths = sorted((SCENES / "pairs").glob("*-foot-in-*.json"))
    assert len(paths) >= 4
    return [read_scene(json.loads(path.read_text(encoding="utf-8"))) for path in paths]


def test_the_foot_on_a_flat_side_is_found_in_any_of_its_triangles() -> None:
    for scene in _flat_sides():
        _check_feet(scene)


def test_the_foot_past_an_edge_of_a_round_side_is_found_on_the_next_face() -> None:
    # At the limit a face wins whose foot lies 5e-8 beyond its edge. The next face is as near there, though its point
    # nearest the origin lies elsewhere.
    scene = posed(PAIRS.index(("cone", "ellipsoid")), 0, 200_000).scene
    assert _check_feet(scene, "full")[-1].stop is EpaStop.ITERATION_LIMIT


COAXIAL: tuple[tuple[Shape, Shape], ...] = (
    (Cylinder(1.0, 2.0), Cylinder(0.5, 4.0)),
    (Cone(1.0, 9.0), Cylinder(0.5, 20.0)),
    (Cone(1.0, 3.0), Cone(0.7, 4.0)),
    (Ellipsoid((1.0, 4.0, 1.0)), Ellipsoid((1.0, 3.0, 1.0))),
)


@pytest.mark.parametrize(("a", "b"), COAXIAL)
def test_the_foot_is_found_on_a_ring_of_ways_out(a: Shape, b: Shape) -> None:
    turned = turn(np.random.default_rng(6))
    for rotation in ((1.0, 0.0, 0.0, 0.0), turned):
        _check_feet(Scene(Body(a, rotation=rotation), Body(b, rotation=rotation)))


FOLDED = ((3, 917), (5, 535), (6, 1240), (7, 665))
"""Families and numbers of boxes and cylinders where a face that stayed in a new point's plane lay on its wrong side."""


@pytest.mark.parametrize(("family", "number"), FOLDED)
def test_the_polytope_stays_convex_when_a_flat_side_grows(family: int, number: int) -> None:
    scene = posed(PAIRS.index(("box", "cylinder")), family, number).scene
    difference = support_maps(scene.a, scene.b)
    run = record(epa_steps(difference, gjk(difference).simplex))
    assert run.result is not None
    assert run.result.certified
    for step in run.steps:
        points = np.array([point.w for point in step.vertices])
        for face in step.faces:
            assert float((points @ np.array(face.normal)).max()) <= face.offset + 1e-13 * difference.extent


class _Unsteady(Difference, frozen=True, eq=False, kw_only=True):
    """A difference whose supports are off by a last digit now and then, as other arithmetic would have them."""

    rng: np.random.Generator

    def support(self, direction: Triple) -> DifferencePoint:
        point = super().support(direction)
        x, y, z = (np.array(point.xyz) * (1.0 + EPS * self.rng.integers(-1, 2, 3))).tolist()
        return replace(point, xyz=(x, y, z))


@pytest.mark.parametrize("name", ["cone-in-cylinder", "needle-on-hull"])
def test_a_last_digit_of_the_supports_changes_a_last_digit_of_the_depth(name: str) -> None:
    """By one such digit the faces that a point saw had no clean rim here, and nothing was left of the polytope."""
    scene = read_scene(json.loads((Path(__file__).parent / f"{name}.json").read_text("utf-8")))
    difference = support_maps(scene.a, scene.b)
    depths = []
    for seed in range(12):
        unsteady = _Unsteady(**structs.asdict(difference), rng=np.random.default_rng(seed))
        result = epa(unsteady, gjk(unsteady).simplex)
        assert result.certified
        depths.append(result.depth)
    assert max(depths) - min(depths) <= 64.0 * EPS * difference.extent
