"""Coal and FCL as witnesses, with the tolerance each deserves: no library is an oracle by itself.

`coal.distance` is low by up to 1e-10, and stops at 1e-6 between nearly parallel faces. FCL lets a face beat an edge
pair that is up to 5 % better, so its depth is an upper bound.
"""

from __future__ import annotations

import fcl
import numpy as np
import pytest

from core import Body, Scene, Verdict, analyse
from tests.library_shapes import shape_there
from tests.oracles import axes_of, offset_of
from tests.selection import some
from tests.strategies import Family, general, near_aligned, sample, sphere_box, sphere_sphere


def coal_distance(scene: Scene) -> float:
    """Coal's signed distance, with A at the origin. Skips the test where there is no Coal."""
    coal = pytest.importorskip("coal", reason="Coal has no wheel for Windows")
    shapes = [shape_there(coal, body.shape) for body in (scene.a, scene.b)]
    poses = [
        coal.Transform3s(axes_of(scene.a), np.zeros(3)),
        coal.Transform3s(axes_of(scene.b), offset_of(scene)),
    ]
    result = coal.DistanceResult()
    return float(coal.distance(shapes[0], poses[0], shapes[1], poses[1], coal.DistanceRequest(), result))


def _fcl_objects(scene: Scene) -> list[fcl.CollisionObject]:
    def thing(body: Body, at: np.ndarray) -> fcl.CollisionObject:
        return fcl.CollisionObject(shape_there(fcl, body.shape), fcl.Transform(axes_of(body), at))

    return [thing(scene.a, np.zeros(3)), thing(scene.b, offset_of(scene))]


@pytest.mark.parametrize("family", [general, near_aligned, sphere_box, sphere_sphere])
def test_coal_finds_the_same_distance(family: Family) -> None:
    for scene in sample(family, 150, seed=81):
        found = analyse(scene)
        # Coal stops at its own tolerance of 1e-6 on depths, and on distances between nearly parallel faces.
        tolerance = 1e-9 if found.separation > 1e-3 and family is not near_aligned else 3e-6
        assert coal_distance(scene) == pytest.approx(found.separation, abs=tolerance)


@pytest.mark.parametrize("family", [general, near_aligned])
def test_fcl_agrees_on_who_meets_and_is_at_most_a_little_deeper(family: Family) -> None:
    deeper = 0
    meeting = 0
    for scene in sample(family, 200, seed=83):
        found = analyse(scene)
        if abs(found.separation) < 1e-9:
            continue
        result = fcl.CollisionResult()
        count = fcl.collide(*_fcl_objects(scene), fcl.CollisionRequest(enable_contact=True, num_max_contacts=8), result)
        assert bool(count) == (found.verdict is Verdict.OVERLAPPING)
        if count:
            meeting += 1
            depth = max(contact.penetration_depth for contact in result.contacts)
            assert depth >= -found.separation - 1e-9
            assert depth <= -found.separation * 1.06 + 1e-9
            deeper += depth > -found.separation * 1.01 + 1e-9
    assert meeting >= some(40)
    assert deeper <= 0.2 * meeting


def test_fcl_finds_the_same_distance_apart() -> None:
    apart = 0
    for scene in sample(general, 150, seed=85):
        found = analyse(scene)
        if found.verdict is not Verdict.SEPARATED:
            continue
        apart += 1
        theirs = fcl.distance(*_fcl_objects(scene), fcl.DistanceRequest(), fcl.DistanceResult())
        assert theirs == pytest.approx(found.separation, abs=1e-5)
    assert apart >= some(40)
