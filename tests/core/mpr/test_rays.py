"""MPR about known rays: balls, boxes with one way out, what A and B are, and the scale of every setting."""

from __future__ import annotations

import numpy as np
import pytest

from core import Body
from core.mpr import MprAction, MprSettings, MprStop, interior_point, mpr, mpr_steps
from core.shapes import Box, Capsule, Ellipsoid, Hull, Sphere
from core.trace import record
from tests.core.gjk_samples import random_hull, turn


def test_two_balls_answer_along_the_line_of_their_centres_as_they_are_far_apart() -> None:
    rng = np.random.default_rng(1)
    for gap in (-0.9, -0.5, -1e-3, 1e-3, 0.5, 3.0):
        for _ in range(6):
            way = rng.normal(size=3)
            way /= np.linalg.norm(way)
            at = tuple((way * (1.5 + gap) + (1.0, 2.0, 3.0)).tolist())
            a, b = Body(Sphere(1.0), (1.0, 2.0, 3.0)), Body(Sphere(0.5), at)
            for first, second, sign in ((a, b, 1.0), (b, a, -1.0)):
                found = mpr(first, second)
                assert found.overlapping is (gap < 0.0)
                assert found.upper == pytest.approx(-gap, abs=1e-14)
                assert found.upper_normal == pytest.approx(sign * way, abs=1e-12)
                if gap > 0.0:
                    assert found.stop is MprStop.EXCLUDED
                    assert found.proved
                    assert (found.depth, found.normal, found.witness_a, found.certainty) == (None, None, None, None)
                    continue
                assert found.depth == pytest.approx(-gap, abs=1e-12)
                assert found.normal == pytest.approx(sign * way, abs=1e-12)
                assert found.witness_a is not None
                assert found.witness_b is not None
                assert found.witness_a - found.witness_b == pytest.approx(found.depth * found.normal, abs=1e-12)
                assert np.linalg.norm(found.witness_a) == pytest.approx(first.shape.radius, abs=1e-12)
                assert found.certainty is not None
                assert found.certainty.gap == pytest.approx(-gap, abs=1e-12)


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_beside_a_box_the_ray_leaves_by_the_face_that_it_meets(axis: int, side: float) -> None:
    """The ray from the middle of A - B through the origin meets the face along the largest share of the half widths."""
    at = 0.1 * np.array((0.3, -0.7, 0.5))
    at[axis] = 1.6 * side
    a, b = Body(Box((2.0, 2.0, 2.0))), Body(Box((2.0, 2.0, 2.0)), tuple(at.tolist()))
    found = mpr(a, b)
    assert found.stop is MprStop.SURFACE
    assert found.depth == pytest.approx(0.4, abs=1e-12)
    assert found.normal == pytest.approx(side * np.eye(3)[axis], abs=1e-12)
    assert found.proved
    apart = mpr(a, Body(Box((2.0, 2.0, 2.0)), tuple((1.5 * at).tolist())))
    assert (apart.stop, apart.overlapping, apart.proved) == (MprStop.EXCLUDED, False, True)
    assert apart.upper is not None
    assert -0.4 - 1e-12 <= apart.upper < 0.0


def test_powers_of_two_scale_the_depth_and_leave_the_steps() -> None:
    rng = np.random.default_rng(2)
    for _ in range(6):
        a, b = random_hull(rng, 20), random_hull(rng, 15)
        at = rng.uniform(-0.5, 0.5, 3)
        found = mpr(Body(a), Body(b, tuple(at.tolist())))
        if found.depth is None:
            continue
        for size in (2.0**-40, 2.0**40):
            one, other = (Hull(tuple(tuple(size * x for x in p) for p in shape.points)) for shape in (a, b))
            scaled = mpr(Body(one), Body(other, tuple((size * at).tolist())))
            assert scaled.stop is found.stop
            assert scaled.depth == pytest.approx(size * found.depth, rel=1e-12)
            assert scaled.normal == pytest.approx(found.normal, abs=1e-12)
            assert scaled.iterations == found.iterations


@pytest.mark.parametrize("shape", [Sphere(1.0), Capsule(0.5, 1.0), Ellipsoid((1.0, 2.0, 3.0)), Box((1.0, 2.0, 3.0))])
def test_a_body_about_its_position_has_it_as_its_interior_point(shape: Sphere) -> None:
    assert interior_point(Body(shape, (1.0, 2.0, 3.0), turn(np.random.default_rng(3)))).tolist() == [0.0, 0.0, 0.0]


def test_v0_is_the_middle_of_a_less_that_of_b_and_a_nudge_is_along_x_by_its_share_of_the_larger() -> None:
    off = Hull(((5.0, 0.0, 0.0), (7.0, 0.0, 0.0), (5.0, 2.0, 0.0), (5.0, 0.0, 4.0)))
    a, b = Body(off, (1.0, 1.0, 1.0)), Body(Sphere(1.0), (2.0, -1.0, 4.0))
    for first, second, sign in ((a, b, 1.0), (b, a, -1.0)):
        step = record(mpr_steps(first, second)).steps[0]
        (centre,) = step.after
        assert (step.action, step.placed, step.nudge, step.upper) == (MprAction.CENTRE, 0, None, None)
        assert centre.w == pytest.approx(sign * (np.array((5.5, 0.5, 1.0)) - (1.0, -2.0, 3.0)), abs=1e-14)
        assert centre.w == pytest.approx(centre.a - centre.b, abs=0.0)
    for size in (1.0, 8.0):
        nudged = record(mpr_steps(Body(Sphere(size)), Body(Box((1.0, 1.0, 1.0))), MprSettings(nudge=1e-6))).steps[0]
        assert nudged.nudge is not None
        assert nudged.nudge.tolist() == [1e-6 * size, 0.0, 0.0]
        assert nudged.after[0].w.tolist() == [1e-6 * size, 0.0, 0.0]


def test_a_search_past_the_origin_says_deepen_and_one_before_it_refine_whatever_ends_it() -> None:
    actions = set()
    rng = np.random.default_rng(4)
    for limit in (0, 1, 2, 128):
        for _ in range(12):
            a, b = Ellipsoid(tuple(rng.uniform(0.3, 1.0, 3).tolist())), random_hull(rng, 12)
            pair = Body(a, rotation=turn(rng)), Body(b, tuple(rng.uniform(-0.8, 0.8, 3).tolist()), turn(rng))
            recording = record(mpr_steps(*pair, MprSettings(iterations=limit)))
            assert recording.result is not None
            assert recording.result.iterations == len(recording.steps)
            upper = np.inf
            for number, step in enumerate(recording.steps):
                assert step.number == number
                if step.action in (MprAction.DEEPEN, MprAction.REFINE):
                    assert (step.action is MprAction.DEEPEN) == step.inside
                    actions.add((step.action, step.stop))
                if step.value is not None:
                    assert step.direction is not None
                    assert step.support is not None
                    assert step.value == pytest.approx(float(step.direction @ step.support.w), abs=1e-15)
                    upper = min(upper, step.value)
                    assert step.upper == upper
            assert recording.result.upper == upper
            if recording.result.stop is MprStop.ITERATION_LIMIT:
                inside = recording.steps[-1].inside
                assert recording.result.overlapping is (True if inside else None)
                assert recording.result.depth == (upper if inside else None)
                assert recording.result.witness_a is None
    assert {(MprAction.DEEPEN, MprStop.SURFACE), (MprAction.DEEPEN, MprStop.ITERATION_LIMIT)} <= actions
    assert {(MprAction.REFINE, MprStop.EXCLUDED), (MprAction.REFINE, None)} <= actions
