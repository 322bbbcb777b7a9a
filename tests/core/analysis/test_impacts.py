"""What a motion's answer says of its impact: one middle without a manifold, plain values, a line; and what is None."""

from __future__ import annotations

import json

import numpy as np
import pytest

from core import Body, Box, Cone, HalfSpace, Hull, Scene, Sphere
from core.analysis.analysis import analyse
from core.analysis.brief import collision_of
from core.analysis.motion_answers import SweepAnswer, sweep

POINT = Hull(((0.0, 0.0, 0.0),))
CUBE = Box((2.0, 2.0, 2.0))


def moved(a: Body, b: Body) -> SweepAnswer:
    found = sweep(Scene(a, b))
    assert found is not None
    return found


@pytest.mark.parametrize("shape", [POINT, Sphere(0.5), Cone(0.5, 1.0)])
@pytest.mark.parametrize("deep", [False, True])
def test_a_contact_lies_midway_between_the_nearest_points_in_the_world(shape: object, deep: bool) -> None:
    """Both bodies fly: at the time of impact the contact is where they are then, its depth what is left."""
    start = 1.25 if deep else 5.0
    a = Body(CUBE, (10.0, 3.0, -2.0), displacement=(0.0, 2.0, 0.0))
    b = Body(shape, (10.0 + start, 3.25, -1.75), displacement=(-6.0, 2.0, 0.0))
    found = moved(a, b)
    result = found.result
    assert found.contacts
    near = max(found.contacts, key=lambda contact: contact.depth)
    assert near.depth == pytest.approx(-result.separation if deep else 0.0, abs=1e-9)
    middle = 0.5 * (result.witness_a + result.witness_b)
    if len(found.contacts) == 1:
        assert near.position == pytest.approx(middle, abs=1e-9)
    assert abs(near.position[0] - middle[0]) < 1e-9


@pytest.mark.parametrize("way", [(-5.0, 0.0, 0.0), (5.0, 0.0, 0.0)])
def test_plain_values_and_the_line_are_the_results(way: tuple[float, float, float]) -> None:
    found = moved(Body(CUBE), Body(CUBE, (4.0, 0.25, 0.5), displacement=way))
    told, result = found.to_dict(), found.result
    assert json.loads(json.dumps(told)) == told
    assert told["outcome"] == found.outcome.value
    assert (told["time"], told["axis"], told["free_until"]) == (result.time, result.axis, result.free)
    assert told["normal"] == (None if result.normal is None else result.normal.tolist())
    assert told["separation"] == result.separation
    assert told["method"] == found.method.value
    assert [contact["position"] for contact in told["contacts"]] == [c.position.tolist() for c in found.contacts]
    time = " at 0.4" if way[0] < 0.0 else ""
    assert repr(found) == f"SweepAnswer({found.outcome}{time} ({result.provenance}), by {found.method})"
    assert (result.time is None) is (way[0] > 0.0)


def test_beside_a_half_space_there_is_no_gjk_and_no_epa() -> None:
    known = analyse(Scene(Body(HalfSpace((0.0, 1.0, 0.0), 0.0)), Body(CUBE, (0.0, 0.75, 0.0))))
    assert (known.gjk, known.epa, known.gjk_epa, known.polygon, known.planes) == (None, None, None, None, None)
    apart = analyse(Scene(Body(CUBE), Body(Cone(0.5, 1.0), (4.0, 0.3, 0.2))))
    assert apart.gjk is not None
    assert (apart.epa, apart.difference) == (None, None)


def test_of_every_pair_the_contacts_are_the_manifolds_or_none() -> None:
    for a, b in ((POINT, POINT), (POINT, CUBE), (CUBE, Sphere(0.5)), (Cone(0.5, 1.0), POINT)):
        for place in ((0.0, 0.0, 0.0), (0.5, 0.25, 0.0), (4.0, 0.0, 0.0)):
            scene = Scene(Body(a), Body(b, place))
            met, known = collision_of(scene), analyse(scene)
            assert (met.manifold is None) is (known.contacts is None)
            assert met.contacts == (() if met.manifold is None else met.manifold.contacts)
            assert bool(met) is (met.separation <= known.band)
            if met.contacts:
                assert max(c.depth for c in met.contacts) == pytest.approx(met.depth, abs=1e-6)
            assert np.isfinite(met.witness_a).all()
