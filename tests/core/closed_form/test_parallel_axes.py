"""The closed form of solids of revolution with parallel axes: proved by itself, against sampling, GJK and EPA."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.analysis import analyse
from core.closed_form import closed_form
from core.geometry.quaternion import from_axis_angle, multiply, normalized
from core.gjk.gjk_epa import signed_distance
from core.pair.support import support_maps
from core.scene import Body, Scene
from core.shapes import Capsule, Cone, Cylinder, Ellipsoid, Shape
from core.verdict import Provenance
from tests.core.closed_form.test_closed_form_pairs import prove, support_gaps
from tests.core.closed_form_samples import MAKERS, directions, rotation
from tests.selection import some
from tests.shape_truths import truth_of

PAIRS = [("cylinder", "cylinder"), ("cylinder", "cone"), ("cone", "cone"), ("capsule", "cylinder"), ("capsule", "cone")]

MANY = directions(20_000)
UPSIDE_DOWN = from_axis_angle((1.0, 0.0, 0.0), np.pi)


def parallel(
    rng: np.random.Generator, first: Shape, second: Shape, spread: float, *, aside: float = 0.0
) -> tuple[Body, Body]:
    """B moved along A's turned axis and `aside`, turned about it by an angle of its own, perhaps upside down."""
    turn = rotation(rng)
    at = rng.normal(size=3)
    a = Body(first, tuple(at.tolist()), turn)
    spin = from_axis_angle((0.0, 1.0, 0.0), float(rng.uniform(0.0, 6.0)))
    upright = multiply(spin, UPSIDE_DOWN) if rng.random() < 0.5 else spin
    there = at + a.pose.matrix @ (rng.normal(size=3) * (aside, spread, aside))
    return a, Body(second, tuple(there.tolist()), normalized(multiply(turn, upright)))


ASIDE = (0.0, 1e-12, 1e-9, 1e-3, 0.5, 1.5)


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_parallel_pairs_are_proved_and_lie_within_the_bounds(first: str, second: str) -> None:
    rng = np.random.default_rng(len(first) * 10 + len(second))
    slanted = hits = 0
    for k in range(some(90)):
        a, b = parallel(rng, MAKERS[first](rng), MAKERS[second](rng), 1.2, aside=ASIDE[k % len(ASIDE)])
        if k % 4 > 1:
            a, b = b, a
        found = closed_form(a, b)
        size = max(a.shape.bounding_radius, b.shape.bounding_radius) + float(np.linalg.norm(a.position))
        prove(a, b, found, size)
        assert found is not None
        bounds = signed_distance(support_maps(a, b))
        slack = 1e-14 * (size + abs(found.separation))
        assert bounds.lower - slack <= found.separation <= bounds.upper + slack
        hits += found.separation < 0.0
        slanted += abs(found.normal @ a.pose.matrix[:, 1]) < 0.999
    assert some(20) <= hits <= some(80)
    assert slanted >= some(20)


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_no_other_direction_is_a_shorter_way_out(first: str, second: str) -> None:
    rng = np.random.default_rng(3)
    for k in range(6):
        a, b = parallel(rng, MAKERS[first](rng), MAKERS[second](rng), 0.2, aside=(0.0, 0.2)[k % 2])
        found = closed_form(a, b)
        assert found is not None
        assert float(support_gaps(a, b, MANY).max()) <= found.separation + 1e-14


def test_known_depths() -> None:
    for first, second, height, separation in (
        (Cylinder(1.0, 20.0), Cylinder(0.5, 40.0), 0.0, -1.5),
        (Cylinder(1.0, 2.0), Cylinder(1.0, 2.0), 1.5, -0.5),
        (Cone(1.0, 2.0), Cone(1.0, 2.0), 0.0, -4.0 / np.sqrt(5.0)),
        (Cone(1.0, 2.0), Cylinder(3.0, 1.0), 2.0, 0.5),
        (Capsule(1.0, 20.0), Cylinder(0.5, 40.0), 1.0, -1.5),
    ):
        found = closed_form(Body(first), Body(second, (0.0, height, 0.0)))
        assert found is not None
        assert found.separation == pytest.approx(separation, abs=4e-15)


def test_rims_apart_are_as_far_as_their_corners() -> None:
    """Two upright cylinders, one beside and above the other: the way leads from rim to rim."""
    found = closed_form(Body(Cylinder(1.0, 2.0)), Body(Cylinder(0.5, 1.0), (2.7, 2.1, 3.6)))
    assert found is not None
    # 4.5 between the axes, less both radii; 2.1 between the middles, less both halves of the heights.
    assert found.separation == pytest.approx(np.hypot(3.0, 0.6), abs=4e-15)
    assert found.witness_a == pytest.approx((0.6, 1.0, 0.8), abs=4e-15)


@pytest.mark.parametrize("apart", [0.5, -0.2])
def test_sides_along_each_other_meet_in_the_middle_of_the_stretch_that_they_share(apart: float) -> None:
    for first, second, height, middle in (
        (Cylinder(1.0, 2.0), Cylinder(0.5, 1.0), 0.25, 0.25),
        (Cylinder(1.0, 2.0), Cylinder(0.5, 2.0), 1.5, 0.75),
        (Capsule(1.0, 2.0), Cylinder(0.5, 3.0), 1.5, 0.5),
        (Cylinder(1.0, 1.0), Capsule(0.5, 4.0), -1.75, -0.125),
    ):
        b = Body(second, (1.5 + apart, height, 0.0))
        found = closed_form(Body(first), b)
        assert found is not None
        assert found.separation == pytest.approx(apart, abs=1e-15)
        assert found.normal == pytest.approx((1.0, 0.0, 0.0), abs=1e-15)
        assert found.witness_a == pytest.approx((1.0, middle, 0.0), abs=1e-15)
        assert found.witness_b == pytest.approx((1.0 + apart, middle, 0.0), abs=1e-15)


def test_size_does_not_matter() -> None:
    rng = np.random.default_rng(9)
    for first, second in PAIRS:
        a, b = parallel(rng, MAKERS[first](rng), MAKERS[second](rng), 0.5, aside=0.5)
        here = closed_form(a, b)
        for k in (1e-6, 1e6):
            large = (
                Body(truth_of(a.shape).scaled(k), tuple((np.array(a.position) * k).tolist()), a.rotation),
                Body(truth_of(b.shape).scaled(k), tuple((np.array(b.position) * k).tolist()), b.rotation),
            )
            there = closed_form(*large)
            assert here is not None
            assert there is not None
            assert there.separation == pytest.approx(k * here.separation, abs=1e-14 * k)


def test_axes_that_are_not_parallel_are_left_to_the_others() -> None:
    cylinder = Cylinder(1.0, 4.0)
    for b in (
        Body(cylinder, (0.0, 0.3, 0.0), from_axis_angle((1.0, 0.0, 0.0), 1e-9)),
        Body(Ellipsoid((1.0, 2.0, 1.0))),
    ):
        assert closed_form(Body(cylinder), b) is None


def test_the_analysis_answers_exactly_and_agrees_with_the_bounds() -> None:
    for shape in (Cylinder(1.0, 4.0), Cone(1.0, 9.0)):
        found = analyse(Scene(Body(shape), Body(Cylinder(0.5, 20.0), (0.0, 0.25, 0.0))))
        assert found.certainty.provenance is Provenance.EXACT
        assert not found.disagreements
        assert found.epa is not None
        assert found.epa.lower <= -found.separation <= found.epa.upper + 1e-14
