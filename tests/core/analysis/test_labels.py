"""What a number's label says is what was proved: `certified`, `exact` and `a bound` follow from two bounds.

The truth is known here by other means: what crosses or lies in one line by its making, and what any direction proves by
the shapes' own definitions (`tests.oracles`).
"""

from __future__ import annotations

import ast
from math import inf, nan
from typing import Any

import numpy as np
import pytest
from msgspec.structs import force_setattr, replace

from core import (
    Analysis,
    Body,
    Box,
    Capsule,
    Cone,
    Cylinder,
    Ellipsoid,
    Hull,
    Provenance,
    Scene,
    Shape,
    Sphere,
    analyse,
)
from core.geometry.quaternion import from_axis_angle, multiply
from core.gjk.gjk_epa import signed_distance
from core.gjk.inner_ellipsoid import inner_ellipsoid
from core.pair.pair import PairScale
from core.pair.support import support_maps
from core.verdict import Certainty, certainty_of, formula
from tests.oracles import extent_of, shadow_distance, support_gap
from tests.selection import some
from tests.shape_truths import truth_of
from tests.strategies import moved, random_rotation, triple
from tests.test_architecture import ROOT, tracked

EXACT, CERTIFIED, BOUND, FALLBACK = Provenance


@pytest.mark.parametrize(
    ("lower", "upper", "provenance", "gap"),
    [
        (1.0, 1.0, EXACT, 0.0),
        (1.0, 1.0 + 1e-13, EXACT, 0.0),
        (1.0, 1.0 + 1e-11, CERTIFIED, 1e-11),
        (1.0, 1.0 - 1e-11, CERTIFIED, 1e-11),  # crossed: no better than so far apart
        (1.0, 1.1, BOUND, 0.1),
        (1.0, inf, FALLBACK, 0.0),
        (nan, 1.0, FALLBACK, 0.0),
        (-inf, -inf, FALLBACK, 0.0),
    ],
)
def test_a_label_follows_from_two_bounds(lower: float, upper: float, provenance: Provenance, gap: float) -> None:
    found = certainty_of(lower, upper, certified=1e-10, exact=1e-12)
    assert found.provenance is provenance
    assert found.gap == pytest.approx(gap, rel=1e-4)


def test_what_was_iterated_is_never_exact() -> None:
    assert certainty_of(1.0, 1.0, certified=1e-10).provenance is CERTIFIED


def test_what_is_not_finite_has_no_label_and_no_answer() -> None:
    assert {formula(number).provenance for number in (nan, inf, -inf)} == {FALLBACK}
    assert Certainty(FALLBACK).at_least(1.0).gap == 0.0
    for place in (nan, inf):
        for shape in (Box((1.0, 1.0, 1.0)), Cylinder(0.5, 1.0)):
            there = Body(shape)
            force_setattr(there, "position", (place, 0.0, 0.0))  # a body refuses it
            with pytest.raises(ValueError, match="too large or too far apart"):
                analyse(Scene(Body(Box((1.0, 1.0, 1.0))), there))


def test_no_algorithm_labels_its_own_number() -> None:
    """Certainties are made in `core/verdict.py` alone."""
    made = set()
    for path in tracked():
        name = path.relative_to(ROOT).as_posix()
        if not (path.suffix == ".py" and name.startswith(("core/", "app/"))):
            continue
        if "Certainty(" in (text := path.read_text("utf-8")):
            calls = (node.func for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call))
            made |= {name for called in calls if isinstance(called, ast.Name) and called.id == "Certainty"}
    assert made == {"core/verdict.py"}


def test_capsules_nearly_in_one_line_are_certified_by_gjk_and_epa_with_the_right_number() -> None:
    # Their segments cross or overlap to 1e-12, so the separation is minus both radii. The normal across them used to
    # lean along by what rounding had left of a short part: EPA said 0.124 less, and called it certified.
    rng = np.random.default_rng(1)
    for _ in range(300):
        first, tilt = random_rotation(rng), 10.0 ** rng.uniform(-17.0, -12.5)
        a = Body(Capsule(0.1, 1.0), rotation=first)
        place = rng.uniform(0.1, 0.9) * a.pose.matrix[:, 1] + tilt * rng.normal(size=3)
        second = multiply(first, from_axis_angle(triple(rng.normal(size=3)), tilt))
        found = signed_distance(support_maps(a, Body(Capsule(0.1, 1.0), triple(place), second)))
        assert found.certainty.provenance is CERTIFIED
        assert found.separation == pytest.approx(-0.2, abs=4e-12)


def _needle(kind: int, thin: float, rng: np.random.Generator) -> Shape:
    x, y, z = rng.permutation((1.0, thin, thin if kind % 2 else 1.0)).tolist()
    shapes = (Box((x, y, z)), Ellipsoid((x, y, z)), Cylinder(thin, 1.0), Cone(1.0, thin), Capsule(thin, 1.0))
    return shapes[kind % 5]


def test_needles_and_discs_to_an_aspect_of_1e24_prove_what_their_labels_say() -> None:
    rng = np.random.default_rng(2)
    for number in range(some(120)):
        shapes = [_needle(int(rng.integers(10)), 10.0 ** -rng.uniform(0.0, 24.0), rng) for _ in range(2)]
        turn = random_rotation(rng)
        place = rng.choice((0.0, 1e-16, 1e-8, 0.1, 0.5)) * rng.normal(size=3)
        b = Body(shapes[1], triple(place), turn if rng.random() < 0.5 else random_rotation(rng))
        scene = Scene(Body(shapes[0], rotation=turn), b)
        found = analyse(scene)
        short = found.separation - support_gap(scene, found.normal)
        assert short <= found.certainty.gap + 2e-12 * extent_of(scene), number
        if found.certainty.provenance is CERTIFIED:
            allowed = max(1e-10 * max(truth_of(shape).size() for shape in shapes), 1e-12 * extent_of(scene))
            assert found.certainty.gap <= allowed


def _slab(across: int, noise: float, rng: np.random.Generator) -> Hull:
    """Two sheets of points, each in one plane but for the noise: a face as many triangles as rounding makes of it."""
    steps = np.linspace(-0.5, 0.5, across)
    points = np.array([(x, y, z) for y in (-0.2, 0.2) for x in steps for z in steps])
    return Hull.of(points + noise * rng.normal(size=points.shape))


def test_the_normal_of_nearly_coplanar_hulls_proves_their_number() -> None:
    # Faces of the difference that lie in one plane with the next merge, and the one that stays may be turned by many
    # times as much against the last: its normal proved up to 5e-11 less than the number that was called exact.
    rng = np.random.default_rng(5)
    for number in range(40):
        a, b = (_slab(4, 10.0 ** rng.uniform(-13.0, -11.5), rng) for _ in range(2))
        turn = random_rotation(rng)
        below, beside = (0.3, 0.5)[number % 2], rng.uniform(-0.6, 0.6, size=2)
        place = Body(a, rotation=turn).pose.matrix @ (beside[0], below, beside[1])
        scene = Scene(Body(a, rotation=turn), Body(b, triple(place), turn))
        found = analyse(scene)
        assert found.certainty.provenance is EXACT
        assert found.separation - support_gap(scene, found.normal) <= 1e-12 * extent_of(scene), number


def test_a_ball_deep_in_a_box_is_exact() -> None:
    assert analyse(Scene(Body(Box((1.0, 1.0, 1.0))), Body(Sphere(0.2), (0.1, 0.2, 0.3)))).certainty.provenance is EXACT


# ---- ellipsoids: their rolling ball, and what fits inside the difference ----


def _turned(shape: Shape, place: Any, rng: np.random.Generator) -> tuple[Body, Body]:
    """An ellipsoid about the origin and another shape at a place of its frame, both turned as one."""
    turn = random_rotation(rng)
    first = Body(Ellipsoid((0.5, 1.0, 0.5)), rotation=turn)
    return first, Body(shape, triple(first.pose.matrix @ np.array(place)), turn)


RINGS = [
    (Ellipsoid((0.3, 2.0, 0.3)), (0.0, 0.0, 0.0), 0.8),
    (Ellipsoid((0.3, 0.3, 0.3)), (0.0, 0.0, 0.0), 0.8),
    (Capsule(0.2, 1.0), (0.0, 0.3, 0.0), 0.7),
    (Box((0.5, 0.5, 0.25)), (-0.25, -0.25, -0.125), 0.5),  # the box's corner in the middle of the ellipsoid
    (Box((0.5, 4.0, 0.5)), (-0.25, 0.0, 0.25), 0.5),  # an edge of the box along the ellipsoid's axis
]
"""What stands on the axis of a spheroid: every way across it is as short, and each is `depth` long."""


@pytest.mark.parametrize(("shape", "place", "depth"), RINGS)
def test_where_the_ways_out_are_a_ring_the_depth_is_certified(shape: Shape, place: Any, depth: float) -> None:
    rng = np.random.default_rng(7)
    for _ in range(4):
        a, b = _turned(shape, place, rng)
        for scene in (Scene(a, b), Scene(replace(b, position=(0.0, 0.0, 0.0)), moved(a, -np.array(b.position)))):
            found = analyse(scene)
            assert found.certainty.provenance is CERTIFIED
            assert found.separation == pytest.approx(-depth, abs=1e-12)
            assert found.separation - support_gap(scene, found.normal) <= found.certainty.gap + 1e-13
            between = found.witness_b - found.witness_a
            assert np.linalg.norm(between - found.separation * found.normal) <= found.certainty.gap + 1e-12
            assert (
                max(truth_of(body.shape).height(body.pose.to_local(point)) for body, point in _witnesses(found))
                <= 1e-12
            )
            assert found.disagreements == ()


def _witnesses(found: Analysis) -> list[tuple[Body, np.ndarray]]:
    return [(found.scene.a, found.witness_a), (found.scene.b, found.witness_b)]


def test_an_ellipsoid_inside_proves_no_more_than_is_true() -> None:
    """Whatever direction it is laid by, good or bad: no direction that an oracle tries parts the bodies sooner."""
    rng = np.random.default_rng(8)
    laid = 0
    for number in range(24):
        shapes: list[Shape] = [Ellipsoid(triple(rng.uniform(0.2, 1.0, size=3))) for _ in range(2)]
        if number % 3:
            shapes[1] = (Box(triple(rng.uniform(0.1, 1.0, size=3))), Capsule(0.2, 0.8))[number % 2]
        bodies = [Body(shape, rotation=random_rotation(rng)) for shape in shapes]
        scene = Scene(bodies[0], moved(bodies[1], rng.uniform(-0.3, 0.3, size=3)))
        start = rng.normal(size=3)
        found = inner_ellipsoid(support_maps(scene.a, scene.b), start / np.linalg.norm(start), 0.0, -inf)
        if found is not None:
            least = -shadow_distance(scene, starts=4)
            assert found.lower <= least + 1e-12
            assert found.upper == pytest.approx(-support_gap(scene, found.normal), abs=1e-14)
            laid += 1
    assert laid >= 12


def _thin(rng: np.random.Generator) -> Any:
    """Radii of which two or none are nearly equal, and one may be next to nothing."""
    radii = rng.uniform(0.2, 1.0, size=3) * 10.0 ** rng.choice((0.0, 0.0, -2.0), size=3)
    if rng.random() < 0.5:
        radii[1] = radii[0] * (1.0 + float(rng.choice((0.0, 1e-9, 1e-4, 1e-2))))
    return rng.permutation(radii)


def test_two_ellipsoids_about_one_centre_are_certified() -> None:
    """Nearly round ones have nearly a ring of ways out, which no polytope closes in on; the oracle knows the reach."""
    rng = np.random.default_rng(10)
    for number in range(some(60)):
        shapes = [Ellipsoid(triple(_thin(rng))) for _ in range(2)]
        scene = Scene(*(Body(shape, rotation=random_rotation(rng)) for shape in shapes))
        found = analyse(scene)
        assert found.certainty.provenance is CERTIFIED, number
        least = -shadow_distance(scene, starts=6)
        assert least + found.certainty.gap + 1e-9 * max(*shapes[0].radii, *shapes[1].radii) >= -found.separation
        assert -found.separation - found.certainty.gap <= least + 1e-13


def test_a_lower_bound_of_epas_and_an_upper_one_of_newtons_are_one_answer() -> None:
    # EPA's bounds were 1.02e-10 apart, and Newton's method is sure of the upper one.
    first = (-0.04826144899057517, -0.7865272341820555, 0.3251547720457865, -0.5228002645820952)
    second = (-0.3251547719860036, 0.5228002645784269, -0.04826144903031254, -0.7865272342067701)
    a = Body(Ellipsoid((0.125, 0.25, 0.25)), rotation=first)
    place = (-0.7910084113725447, 0.41589988969568703, 0.4487014317884428)
    b = Body(Ellipsoid((0.5, 0.125, 1.0)), place, second)
    found = analyse(Scene(a, b))
    assert found.certainty.provenance is CERTIFIED
    assert found.separation == pytest.approx(-0.25, abs=1e-9)


@pytest.mark.parametrize("lift", [0.5, 1.5, 3.0, 4.0, 7.5])
def test_no_number_of_an_iteration_is_known_closer_than_a_projection_is_rounded(lift: float) -> None:
    """The bounds of GJK and EPA may meet in one float; their arithmetic is rounded all the same."""
    turn = (0.9, 0.1, 0.3, 0.2)
    pairs = (
        Scene(Body(Ellipsoid((1.0, 2.0, 0.5))), Body(Ellipsoid((0.5, 1.0, 0.7)), (1.0, lift, 0.3))),
        Scene(Body(Cylinder(1.0, 2.0)), Body(Box((1.0, 1.0, 1.0)), (0.2, lift, 0.1), turn)),
    )
    for scene in pairs:
        found = analyse(scene)
        assert found.certainty.provenance is Provenance.CERTIFIED
        assert found.certainty.gap >= PairScale.of(scene.a, scene.b).rounding
