"""The signed distance of GJK and EPA: against the explicit difference of two boxes, hulls of vertex differences, the
closed forms of spheres and capsules, reported failures, and each answer's own certificate.
"""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np
import pytest
from scipy.optimize import nnls
from scipy.spatial import ConvexHull

from core.geometry.quaternion import from_axis_angle, multiply, normalized, rotate
from core.geometry.tolerances import CERTIFIED, EXACT, ROUNDING
from core.geometry.vector import Array
from core.gjk.epa import EpaSettings, EpaStep, EpaStop
from core.gjk.gjk import GjkSettings, GjkStep
from core.gjk.gjk_epa import SignedDistance, signed_distance, signed_distance_steps
from core.gjk.simplex import SubDistance
from core.minkowski.difference import difference
from core.minkowski.distance import nearest_boundary_point
from core.pair.pair import PairScale
from core.pair.support import Rounding, support_maps
from core.sat.sat import sat
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Shape, Sphere
from core.trace import record
from core.verdict import Provenance
from tests.core.gjk_samples import FAMILIES, PLAIN, Family, directions, judge, random_hull, reach, turn, way
from tests.selection import some

families = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)


def answer_to(scene: Scene, rounded: Rounding = "core") -> SignedDistance:
    return signed_distance(support_maps(scene.a, scene.b, rounded=rounded))


def exact_separation(scene: Scene) -> float:
    """Of two boxes: SAT's depth when they overlap, the explicit difference's distance when apart."""
    table = sat(scene.a, scene.b)
    if table.separation <= 0.0:
        return table.separation
    return nearest_boundary_point(difference(scene.a, scene.b)).separation


# Boxes.


@families
def test_two_boxes(family: Family) -> None:
    rng = np.random.default_rng(7)
    normals = directions(rng, 200)
    verdicts = []
    for _ in range(some(150)):
        scene = family(rng)
        answer = answer_to(scene)
        scale = PairScale.of(scene.a, scene.b)
        exact = exact_separation(scene)
        judge(scene, answer, normals, 1e-14)
        assert answer.certainty.provenance is Provenance.CERTIFIED
        assert (
            abs(answer.separation - exact) <= 1e-14 * scale.extent + answer.certainty.gap + 4e-12 * scale.largest_radius
        )
        assert answer.lower - 4e-12 * scale.extent <= exact <= answer.upper + 4e-12 * scale.extent
        verdicts.append(answer.separation < 0.0)
    if family.__name__ in ("general", "aligned", "near_aligned", "nearly_touching", "tiny"):
        assert 0.2 <= np.mean(verdicts) <= 0.8  # a sample that says something about both


@families
def test_swapping_the_bodies(family: Family) -> None:
    rng = np.random.default_rng(8)
    for _ in range(40):
        scene = family(rng)
        there, back = answer_to(scene), answer_to(scene.swapped())
        scale = PairScale.of(scene.a, scene.b)
        slack = 1e-14 * scale.extent + there.certainty.gap + back.certainty.gap
        assert abs(there.separation - back.separation) <= slack
        # Normals need not be unique: each is judged by what it proves.
        proved = -float(reach(scene, -back.normal.reshape(1, 3))[0])
        assert proved >= back.lower - 1e-14 * scale.extent


def test_both_sub_distances_give_one_answer() -> None:
    rng = np.random.default_rng(9)
    signed = GjkSettings(sub_distance=SubDistance.SIGNED_VOLUMES)
    for family in FAMILIES:
        for _ in range(25):
            scene = family(rng)
            maps, scale = support_maps(scene.a, scene.b), PairScale.of(scene.a, scene.b)
            one, other = signed_distance(maps), signed_distance(maps, signed)
            slack = 1e-14 * scale.extent + one.certainty.gap + other.certainty.gap
            assert abs(one.separation - other.separation) <= slack


# Hulls.


def _hull_oracle(scene: Scene) -> float:
    """Depth from Qhull's planes of all vertex differences; apart, minus the largest offset: a lower bound."""
    corners = []
    for body in (scene.a, scene.b):
        assert isinstance(body.shape, Hull | Box)
        corners.append(body.pose.to_world(body.shape.polyhedron.vertices) - scene.a.pose.position)
    every = (corners[0][:, None, :] - corners[1][None, :, :]).reshape(-1, 3)
    return -float(-ConvexHull(every).equations[:, 3].max())


def test_two_hulls_against_the_hull_of_all_differences() -> None:
    rng = np.random.default_rng(11)
    normals = directions(rng, 200)
    overlapping = 0
    for _ in range(80):
        a, b = random_hull(rng, int(rng.integers(4, 40))), random_hull(rng, int(rng.integers(4, 40)))
        x, y, z = (way(rng) * rng.uniform(0.0, 0.9) * (a.bounding_radius + b.bounding_radius)).tolist()
        scene = Scene(Body(a, rotation=turn(rng)), Body(b, (x, y, z), turn(rng)))
        answer = answer_to(scene)
        judge(scene, answer, normals, 1e-14)
        assert answer.certainty.provenance is Provenance.CERTIFIED
        oracle = _hull_oracle(scene)
        if answer.separation < 0.0:
            overlapping += 1
            assert abs(answer.separation - oracle) <= 1e-13
        else:
            assert oracle <= answer.separation + 1e-13
    assert 20 <= overlapping <= 60


def test_distance_of_two_hulls_against_least_squares() -> None:
    rng = np.random.default_rng(12)
    for _ in range(25):
        a, b = random_hull(rng, 15), random_hull(rng, 15)
        x, y, z = (way(rng) * 1.3 * (a.bounding_radius + b.bounding_radius)).tolist()
        scene = Scene(Body(a, rotation=turn(rng)), Body(b, (x, y, z), turn(rng)))
        answer = answer_to(scene)
        points_a = scene.a.pose.to_world(a.polyhedron.vertices)
        points_b = scene.b.pose.to_world(b.polyhedron.vertices)
        # Non-negative weights of both, each with sum 1 (enforced by weight), and the least difference.
        heavy = 1e5
        top = np.concatenate((points_a.T, -points_b.T), axis=1)
        ones_a = heavy * np.concatenate((np.ones(len(points_a)), np.zeros(len(points_b))))
        ones_b = heavy * np.concatenate((np.zeros(len(points_a)), np.ones(len(points_b))))
        left = nnls(np.vstack((top, ones_a, ones_b)), np.array((0.0, 0.0, 0.0, heavy, heavy)), maxiter=10_000)[1]
        assert abs(answer.separation - left) <= 1e-8 * answer.separation


def test_a_thousand_points_are_fast_enough_to_drag() -> None:
    rng = np.random.default_rng(13)
    a, b = Hull.of(directions(rng, 1000)), Hull.of(directions(rng, 1000))
    scene = Scene(Body(a), Body(b, (0.3, 0.2, 0.1), turn(rng)))
    recording = record(signed_distance_steps(support_maps(scene.a, scene.b)))
    assert recording.result is not None
    assert recording.result.certainty.provenance is Provenance.CERTIFIED
    assert len(recording.steps) <= 60


# Round shapes.


def _shape(kind: str, rng: np.random.Generator) -> Shape:
    p, q, r = (10.0 ** rng.uniform(-0.5, 0.5, 3)).tolist()
    match kind:
        case "sphere":
            return Sphere(p)
        case "capsule":
            return Capsule(p, q)
        case "cylinder":
            return Cylinder(p, q)
        case "cone":
            return Cone(p, q)
        case "ellipsoid":
            return Ellipsoid((p, q, r))
        case "box":
            return Box((p, q, r))
    return random_hull(rng, 12)


KINDS = ("sphere", "capsule", "cylinder", "cone", "ellipsoid", "box", "hull")


@pytest.mark.parametrize("kind_b", KINDS)
@pytest.mark.parametrize("kind_a", KINDS)
def test_every_pair_of_shapes_is_certified(kind_a: str, kind_b: str) -> None:
    rng = np.random.default_rng(KINDS.index(kind_a) * 10 + KINDS.index(kind_b))
    normals = directions(rng, 400)
    for _ in range(6):
        a, b = _shape(kind_a, rng), _shape(kind_b, rng)
        x, y, z = (way(rng) * rng.uniform(0.1, 1.1) * (a.bounding_radius + b.bounding_radius)).tolist()
        scene = Scene(Body(a, rotation=turn(rng)), Body(b, (x, y, z), turn(rng)))
        answer = answer_to(scene)
        judge(scene, answer, normals, 1e-14)
        assert answer.certainty.provenance is Provenance.CERTIFIED
        assert answer.certainty.gap <= 1e-12 * PairScale.of(scene.a, scene.b).extent


@pytest.mark.parametrize("far", [4.0, 0.5], ids=["apart", "overlapping"])
def test_the_label_and_the_stop_say_how_far_the_bounds_are_apart(far: float) -> None:
    """Cut short at several lengths, so that bounds lie just above and just below what counts as certified."""
    rng = np.random.default_rng(18)
    above = below = converged = 0
    for _ in range(8):
        at = tuple((far * way(rng)).tolist())
        scene = Scene(Body(Ellipsoid((1.0, 0.3, 2.0)), rotation=turn(rng)), Body(Cylinder(0.5, 1.0), at, turn(rng)))
        scale = PairScale.of(scene.a, scene.b)
        within = max(CERTIFIED * scale.largest_radius, EXACT * scale.extent)
        for limit in (8, 12, 16, 24, 64):
            maps = support_maps(scene.a, scene.b, rounded="full")
            answer = signed_distance(maps, GjkSettings(iterations=limit), EpaSettings(iterations=2 * limit))
            found = answer.gjk if answer.epa is None else answer.epa
            assert found.certified == (found.gap <= within)
            assert found.gap <= ROUNDING * scale.extent or found.stop != "CONVERGED"
            above += within < found.gap < 1e4 * within
            below += 1e-3 * within < found.gap <= within
            converged += found.stop == "CONVERGED"
    assert min(above, below, converged) >= 3


ROUNDED = ("sphere", "capsule")


@pytest.mark.parametrize("kind_b", [*ROUNDED, "box", "hull"])
@pytest.mark.parametrize("kind_a", ROUNDED)
def test_core_and_radius_agrees_with_the_full_shape(kind_a: str, kind_b: str) -> None:
    rng = np.random.default_rng(21)
    for _ in range(8):
        a, b = _shape(kind_a, rng), _shape(kind_b, rng)
        x, y, z = (way(rng) * rng.uniform(0.4, 1.1) * (a.bounding_radius + b.bounding_radius)).tolist()
        scene = Scene(Body(a, rotation=turn(rng)), Body(b, (x, y, z), turn(rng)))
        core, full = answer_to(scene), answer_to(scene, "full")
        slack = 1e-14 * PairScale.of(scene.a, scene.b).extent
        assert full.lower - slack <= core.upper
        assert core.lower <= full.upper + slack
        assert abs(core.separation - full.separation) <= core.certainty.gap + full.certainty.gap + slack


def test_spheres_in_closed_form() -> None:
    rng = np.random.default_rng(22)
    for _ in range(100):
        r, s = rng.uniform(0.1, 2.0, 2).tolist()
        x, y, z = (rng.normal(size=3) * 2.0).tolist()
        answer = answer_to(Scene(Body(Sphere(r)), Body(Sphere(s), (x, y, z))))
        assert abs(answer.separation - (np.hypot(np.hypot(x, y), z) - r - s)) <= 1e-15 * (r + s + 10.0)


def test_coincident_spheres_overlap_by_both_radii() -> None:
    answer = answer_to(Scene(Body(Sphere(1.0)), Body(Sphere(3.0))))
    assert answer.separation == -4.0
    assert answer.epa is not None
    assert answer.epa.stop is EpaStop.FLAT_POLYTOPE
    np.testing.assert_array_equal(answer.witness_b - answer.witness_a, -4.0 * answer.normal)


CROSSED = {
    "crossing": ((0.0, 0.3, -0.2), (1.0, 0.0, 0.0), 90.0, -0.5),
    "parallel, one in the other": ((0.0, 0.5, 0.0), (0.0, 0.0, 1.0), 0.0, -0.5),
    "end in the middle": ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0), 90.0, -0.5),
    "end to end": ((0.0, 2.0, 0.0), (0.0, 0.0, 1.0), 0.0, -0.5),
    "a tenth apart": ((0.1, 0.0, 0.0), (1.0, 0.0, 0.0), 90.0, -0.4),
}


@pytest.mark.parametrize("name", CROSSED)
def test_capsules_whose_segments_meet(name: str) -> None:
    """The difference of the segments is flat: no tetrahedron, and no contact may be lost for want of one."""
    offset, axis, angle, separation = CROSSED[name]
    scene = Scene(Body(Capsule(0.25, 2.0)), Body(Capsule(0.25, 2.0), offset, from_axis_angle(axis, np.deg2rad(angle))))
    answer = answer_to(scene)
    assert abs(answer.separation - separation) <= 1e-15
    judge(scene, answer, directions(np.random.default_rng(1), 500), 1e-15)


def test_a_curved_pair_with_a_whole_sphere_of_ways_out_is_labelled_a_bound() -> None:
    answer = answer_to(Scene(Body(Sphere(1.0)), Body(Sphere(3.0))), "full")
    assert answer.certainty.provenance is Provenance.BOUND
    assert answer.epa is not None
    assert answer.epa.stop is EpaStop.ITERATION_LIMIT
    assert answer.lower - 1e-14 <= -4.0 <= answer.upper
    assert answer.certainty.gap == answer.upper - answer.lower > 0.0


COAXIAL = (
    (Cylinder(1.0, 2.0), Cylinder(0.5, 4.0), -1.5),
    (Cylinder(1.0, 20.0), Cylinder(0.5, 40.0), -1.5),
    (Cone(1.0, 9.0), Cylinder(0.5, 20.0), None),
    (Ellipsoid((1.0, 4.0, 1.0)), Ellipsoid((1.0, 3.0, 1.0)), -2.0),
)


@pytest.mark.parametrize(("a", "b", "separation"), COAXIAL)
def test_coaxial_round_shapes_have_a_ring_of_ways_out(a: Shape, b: Shape, separation: float | None) -> None:
    scene = Scene(Body(a), Body(b))
    answer = answer_to(scene)
    judge(scene, answer, directions(np.random.default_rng(2), 2000), 1e-14)
    assert answer.certainty.gap <= 1e-3 * a.bounding_radius
    if separation is not None:
        assert answer.lower - 1e-15 <= separation <= answer.upper + 1e-15


# Invariants.


def test_turning_and_moving_everything_changes_nothing() -> None:
    rng = np.random.default_rng(31)
    for family in FAMILIES:
        for _ in range(10):
            scene = family(rng)
            rotation = turn(rng)
            shift = rng.normal(size=3)

            def moved(body: Body, rotation: Any = rotation, shift: Array = shift) -> Body:
                x, y, z = (np.array(rotate(rotation, body.position)) + shift).tolist()
                return Body(body.shape, (x, y, z), normalized(multiply(rotation, body.rotation)))

            other = Scene(moved(scene.a), moved(scene.b))
            here, there = answer_to(scene), answer_to(other)
            size = PairScale.of(scene.a, scene.b).extent + float(np.abs(scene.b.pose.position).max()) + 10.0
            slack = 1e-14 * size + here.certainty.gap + there.certainty.gap
            assert abs(here.separation - there.separation) <= slack


@pytest.mark.parametrize("factor", [2.0**-20, 2.0**20, 1e-6, 1e6, 1e-90, 1e80, 1e95])
def test_scaling_everything_scales_the_answer(factor: float) -> None:
    rng = np.random.default_rng(32)
    for kind in KINDS:
        shapes = [_shape(kind, rng), Cone(0.7, 1.1)]
        x, y, z = (way(rng) * rng.uniform(0.2, 2.0)).tolist()
        rotation = turn(rng)

        def sized(shape: Shape, k: float = factor) -> Shape:
            match shape:
                case Sphere(radius):
                    return Sphere(radius * k)
                case Box((p, q, r)):
                    return Box((p * k, q * k, r * k))
                case Capsule(p, q):
                    return Capsule(p * k, q * k)
                case Cylinder(p, q):
                    return Cylinder(p * k, q * k)
                case Cone(p, q):
                    return Cone(p * k, q * k)
                case Ellipsoid((p, q, r)):
                    return Ellipsoid((p * k, q * k, r * k))
                case Hull(points):
                    return Hull.of(np.array(points) * k)
            raise TypeError(shape)

        small = answer_to(Scene(Body(shapes[0], rotation=rotation), Body(shapes[1], (x, y, z))))
        at = (x * factor, y * factor, z * factor)
        large = answer_to(Scene(Body(sized(shapes[0]), rotation=rotation), Body(sized(shapes[1]), at)))
        slack = small.certainty.gap + large.certainty.gap / factor + 1e-13
        assert abs(small.separation - large.separation / factor) <= slack


def test_moving_one_body_changes_the_answer_by_no_more_than_the_way() -> None:
    rng = np.random.default_rng(33)
    for kind_a, kind_b in (("box", "box"), ("hull", "cone"), ("cylinder", "cylinder"), ("capsule", "box")):
        a, b = _shape(kind_a, rng), _shape(kind_b, rng)
        rotation, heading = turn(rng), way(rng)
        ends = -1.5 * (a.bounding_radius + b.bounding_radius), 1.5 * (a.bounding_radius + b.bounding_radius)
        before = None
        step = (ends[1] - ends[0]) / 60
        signs = set()
        for k in range(61):
            x, y, z = ((ends[0] + k * step) * heading).tolist()
            answer = answer_to(Scene(Body(a, rotation=rotation), Body(b, (x, y, z))))
            signs.add(answer.separation > 0.0)
            if before is not None:
                assert abs(answer.separation - before) <= step + 1e-12
            before = answer.separation
        assert signs == {True, False}


# AlgorithmSettings and steps.


def test_the_trace_is_complete() -> None:
    """The last steps hold the answer: nothing is known to the result that the steps do not show."""
    rng = np.random.default_rng(41)
    for family in FAMILIES:
        scene = family(rng)
        recording = record(signed_distance_steps(support_maps(scene.a, scene.b)))
        answer = recording.result
        assert answer is not None
        gjk_steps = [step for step in recording.steps if isinstance(step, GjkStep)]
        epa_steps = [step for step in recording.steps if isinstance(step, EpaStep)]
        assert [*gjk_steps, *epa_steps] == list(recording.steps)
        assert [step.number for step in gjk_steps] == list(range(1, answer.gjk.iterations + 1))
        assert gjk_steps[-1].stop is answer.gjk.stop
        assert all(step.stop is None for step in gjk_steps[:-1])
        assert (answer.epa is not None) == bool(epa_steps)
        if answer.epa is not None:
            assert epa_steps[-1].stop is answer.epa.stop
            assert all(step.stop is None for step in epa_steps[:-1])
            assert epa_steps[-1].number == answer.epa.iterations


def test_one_iteration_each_gives_bounds_all_the_same() -> None:
    rng = np.random.default_rng(42)
    for family in FAMILIES:
        scene = family(rng)
        scale = PairScale.of(scene.a, scene.b)
        exact = answer_to(scene)
        for count in (1, 2, 3):
            maps = support_maps(scene.a, scene.b)
            answer = signed_distance(maps, GjkSettings(iterations=count), EpaSettings(iterations=count))
            slack = 1e-14 * scale.extent
            assert answer.lower - slack <= exact.upper
            assert exact.lower <= answer.upper + slack


def test_a_half_space_is_refused() -> None:
    with pytest.raises(ValueError, match="half-space"):
        support_maps(PLAIN.a, Body(HalfSpace((0.0, 1.0, 0.0), 0.0)))
    assert HalfSpace((0.0, 1.0, 0.0), 0.0).bounding_radius == inf
