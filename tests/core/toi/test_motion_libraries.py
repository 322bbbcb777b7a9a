"""FCL's continuous collision and Coal's distance as witnesses, with the tolerance each deserves.

FCL's conservative advancement knows boxes and spheres. It stops early by what its own distance, good to 1e-6, lets it,
the more the flatter the approach, and misses a few contacts altogether (4 % between boxes). Its naive solver looks at
the bodies at even steps of time, whatever their shapes: it sees a contact at the first step after it, if it sees it at
all. Coal has no continuous collision any more; its distance at the reported time has to be zero.
"""

from __future__ import annotations

from math import pi

import fcl
import numpy as np
import pytest

from core.analysis.motion_answers import sweep
from core.scene import Body, Scene
from core.shapes import Box, Cone
from core.toi.motion import MotionOutcome
from tests.library_shapes import ALONG_Y, axes_there, shape_there
from tests.motion_judge import extent, general, standing, turning
from tests.selection import some

STEPS = 100


def fcl_times(scene: Scene, motion: int, solver: int) -> tuple[bool, float]:
    """Whether FCL sees a contact, and when."""

    def placed(body: Body) -> fcl.Transform:
        return fcl.Transform(axes_there(body), np.array(body.position))

    start, end = standing(scene, 0.0), standing(scene, 1.0)
    first, second = (fcl.CollisionObject(shape_there(fcl, body.shape), placed(body)) for body in (start.a, start.b))
    request = fcl.ContinuousCollisionRequest(
        num_max_iterations=STEPS if solver == fcl.CCDSolverType.CCDC_NAIVE else 400,
        toc_err=1e-7,
        ccd_motion_type=motion,
        gjk_solver_type=0,
        ccd_solver_type=solver,
    )
    result = fcl.ContinuousCollisionResult()
    fcl.continuousCollide(first, placed(end.a), second, placed(end.b), request, result)
    return bool(result.is_collide), float(result.time_of_contact)


@pytest.mark.parametrize("pair", [("box", "box"), ("box", "sphere"), ("sphere", "sphere")])
def test_fcl_advances_to_the_same_time_where_it_arrives(pair: tuple[str, str]) -> None:
    rng = np.random.default_rng(51)
    errors, missed = [], 0
    for _ in range(some(120)):
        scene = general(rng, *pair)
        found = sweep(scene)
        assert found is not None
        hit, time = fcl_times(scene, fcl.CCDMotionType.CCDM_TRANS, fcl.CCDSolverType.CCDC_CONSERVATIVE_ADVANCEMENT)
        if found.outcome is MotionOutcome.SEPARATED:
            assert not hit
        elif hit:
            assert found.result.time is not None
            # It stops at its own tolerance, never late.
            assert -2e-4 <= time - found.result.time <= 1e-13
            errors.append(found.result.time - time)
        else:
            # It gives up on a few: there Coal bears witness.
            assert found.result.time is not None
            assert abs(coal_distance(standing(scene, found.result.time))) <= 3e-6 * extent(scene)
            missed += 1
    assert len(errors) >= some(50)
    assert np.median(errors) <= 1e-5
    assert missed <= 0.06 * len(errors)


@pytest.mark.parametrize(
    "pair",
    [("box", "cylinder"), ("capsule", "box"), ("cone", "sphere"), ("cylinder", "cylinder"), ("ellipsoid", "box")],
)
def test_fcl_sees_the_contact_at_its_next_step(pair: tuple[str, str]) -> None:
    rng = np.random.default_rng(52)
    hits = 0
    for _ in range(some(30)):
        scene = general(rng, *pair)
        found = sweep(scene)
        assert found is not None
        hit, time = fcl_times(scene, fcl.CCDMotionType.CCDM_TRANS, fcl.CCDSolverType.CCDC_NAIVE)
        if found.outcome is MotionOutcome.SEPARATED:
            assert not hit
        elif hit and found.result.time is not None:
            hits += 1
            # It may pass over a contact that is shorter than a step, or so shallow that it does not see it.
            assert time >= found.result.time - 1e-6
            assert time <= found.result.time + 3.0 / STEPS
    assert hits >= some(12)


def coal_distance(scene: Scene) -> float:
    coal = pytest.importorskip("coal", reason="Coal has no wheel for Windows")
    poses = [coal.Transform3s(axes_there(body), np.array(body.position)) for body in (scene.a, scene.b)]
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    shapes = [shape_there(coal, body.shape) for body in (scene.a, scene.b)]
    return float(coal.distance(shapes[0], poses[0], shapes[1], poses[1], request, result))


@pytest.mark.parametrize("family", [general, turning])
@pytest.mark.parametrize(
    "pair",
    [
        ("box", "box"),
        ("box", "sphere"),
        ("capsule", "capsule"),
        ("box", "capsule"),
        ("sphere", "cylinder"),
        ("box", "cone"),
        ("capsule", "ellipsoid"),
    ],
)
@pytest.mark.sampled(3, "random")
def test_coal_finds_no_distance_at_the_reported_time_and_some_before(pair: tuple[str, str], family: object) -> None:
    rng = np.random.default_rng(53)
    hits = 0
    for _ in range(15):
        scene = family(rng, *pair)
        found = sweep(scene)
        assert found is not None
        if found.outcome is not MotionOutcome.HIT or found.result.time is None:
            continue
        hits += 1
        # Coal's own tolerance is 1e-6.
        assert abs(coal_distance(standing(scene, found.result.time))) <= 3e-6 * extent(scene)
        for share in (0.3, 0.7, 0.95):
            assert coal_distance(standing(scene, share * found.result.time)) > 0.0
    assert hits >= 5


def test_our_cylinders_stand_along_y() -> None:
    np.testing.assert_array_equal(ALONG_Y @ (0.0, 0.0, 1.0), (0.0, 1.0, 0.0))
    assert np.linalg.det(ALONG_Y) == pytest.approx(1.0)
    floor = Scene(Body(Box((9.0, 1.0, 9.0))), Body(Cone(1.0, 2.0), (0.0, 1.5 + pi, 0.0)))
    assert coal_distance(floor) == pytest.approx(pi, abs=1e-9)
