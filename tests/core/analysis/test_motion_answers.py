"""`sweep(scene)`: who answers, what comes with it, and that contradictions are said."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from core.analysis.motion_answers import SweepAnswer, answered, disagreements, sweep, sweep_in_parts
from core.geometry.tolerances import EPS
from core.gjk.gjk import WarmStart
from core.gjk.gjk_epa import SignedDistance, signed_distance
from core.pair.support import Difference
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Cone, Ellipsoid, HalfSpace, Hull, Shape, Sphere
from core.toi import MotionMethod
from core.toi import motion as motion_module
from core.toi.advancement import AdvancementSettings, advancement_steps
from core.toi.intervals import interval_motion, interval_steps
from core.toi.motion import Motion, MotionOutcome, MotionStop
from core.trace import run
from tests.motion_judge import Family, faults, grazing, larger, standing, turning
from tests.oracles import axes_of
from tests.shape_truths import truth_of
from tests.strategies import Triple, past_motions

CUBE = Box((2.0, 2.0, 2.0))
TETRAHEDRON = Hull(((1.0, 1.0, 1.0), (1.0, -1.0, -1.0), (-1.0, 1.0, -1.0), (-1.0, -1.0, 1.0)))


def moved(a: Shape, b: Shape, offset: Triple, way: Triple, turn: Triple = (0.0, 0.0, 0.0)) -> SweepAnswer:
    found = sweep(Scene(Body(a), Body(b, offset, displacement=way, angular_displacement=turn)))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("a", "b", "methods"),
    [
        (CUBE, CUBE, ["INTERVALS", "RAY", "ADVANCEMENT"]),
        (CUBE, TETRAHEDRON, ["INTERVALS", "RAY", "ADVANCEMENT"]),
        (CUBE, Sphere(1.0), ["SPHERE_BOX", "INTERVALS", "RAY", "ADVANCEMENT"]),
        (Sphere(1.0), Sphere(1.0), ["SPHERES", "INTERVALS", "RAY", "ADVANCEMENT"]),
        (Cone(1.0, 2.0), Sphere(1.0), ["RAY", "ADVANCEMENT"]),
        (HalfSpace((-1.0, 0.0, 0.0), 5.0), Cone(1.0, 2.0), ["ADVANCEMENT"]),
    ],
)
def test_the_strongest_method_answers_and_the_others_are_kept(a: Shape, b: Shape, methods: list[str]) -> None:
    found = moved(a, b, (5.0, 0.3, 0.2), (-5.0, 0.0, 0.0))
    if isinstance(a, HalfSpace):
        methods = ["PLANE", *methods]
    assert [trace.method.name for trace in found.traces] == methods
    assert found.method is found.traces[0].method
    assert found.result is found.traces[0].result
    assert found.disagreements == ()
    assert (found.swept is not None) == (a is b is CUBE)
    assert len(found.swept_steps) == (21 if found.swept else 0)
    assert (found.axes is not None) == ("INTERVALS" in methods)


@pytest.mark.parametrize("scene", past_motions(), ids=lambda scene: scene.name)
def test_past_failures_are_mended(scene: Scene) -> None:
    found = sweep(scene)
    assert found is not None
    assert not found.disagreements
    time = found.result.time
    assert (time is not None) is bool(found.contacts)
    if time is None:
        # What stays apart on a way so long is too much for the judge, who looks at every stretch of it.
        return
    near = 1e-6 * larger(scene)
    for trace in found.traces:
        assert not faults(scene, trace.result, near)
    there, about = standing(scene, time), np.array(scene.a.position) + time * np.array(scene.a.displacement)
    for contact in found.contacts:
        for body in (there.a, there.b):
            beyond = truth_of(body.shape).height((contact.position - about - np.array(body.position)) @ axes_of(body))
            assert beyond < near, (contact.name, body)


def test_an_ellipsoid_and_a_plane_are_scaled() -> None:
    floor = Body(HalfSpace((0.0, 1.0, 0.0), 0.0))
    found = sweep(Scene(Body(Ellipsoid((1.0, 2.0, 0.5)), (0.0, 4.0, 0.0), displacement=(0.0, -4.0, 0.0)), floor))
    assert found is not None
    assert [trace.method.name for trace in found.traces] == ["SCALED_PLANE", "PLANE", "ADVANCEMENT"]
    assert found.result.time == 0.5


def test_bodies_that_turn_are_advanced() -> None:
    found = moved(CUBE, CUBE, (5.0, 0.0, 0.0), (-4.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    assert found.method is MotionMethod.ADVANCEMENT
    assert (found.axes, found.swept) == (None, None)
    assert found.outcome is MotionOutcome.HIT


def test_where_the_axes_do_not_suffice_the_ray_cast_answers() -> None:
    on_its_end = moved(CUBE, Capsule(0.5, 2.0), (4.0, 2.2, 0.0), (-8.0, 0.0, 0.0))
    assert on_its_end.method in (MotionMethod.INTERVALS, MotionMethod.RAY)
    corner = moved(CUBE, Capsule(0.5, 1.0), (4.0, 1.7, 1.2), (-8.0, 0.0, 0.0))
    assert corner.method is MotionMethod.RAY
    assert corner.result.provenance == "certified"
    assert corner.traces[1].result.stop is MotionStop.AXES_DO_NOT_SUFFICE


def test_a_scene_without_motion_has_no_answer() -> None:
    assert sweep(Scene(Body(CUBE), Body(CUBE, (5.0, 0.0, 0.0)))) is None
    # Both moving alike is a motion, without a relative one.
    way = (1.0, 2.0, 3.0)
    both = sweep(Scene(Body(CUBE, displacement=way), Body(CUBE, (5.0, 0.0, 0.0), displacement=way)))
    assert both is not None
    assert (both.result.stop, both.outcome) == (MotionStop.NO_MOTION, MotionOutcome.SEPARATED)
    assert both.contacts == ()


def test_touching_at_the_start_is_an_initial_overlap_wherever_the_bodies_go() -> None:
    for way in ((1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0)):
        found = moved(CUBE, CUBE, (2.0, 0.0, 0.0), way)
        assert (found.outcome, found.result.time) == (MotionOutcome.INITIAL_OVERLAP, 0.0)
        assert {trace.result.outcome for trace in found.traces} == {MotionOutcome.INITIAL_OVERLAP}
        assert len(found.contacts) == 4
        assert found.disagreements == ()


@pytest.mark.parametrize("turn", [(0.0, 0.0, 1.0), (0.3, 0.0, 0.0), (0.0, 0.4, 0.2)])
def test_the_deepest_contact_of_an_impact_touches_whatever_distance_is_left(turn: Triple) -> None:
    """Advancement stops within the touching band, and B is moved by what is left."""
    found = moved(CUBE, CUBE, (4.0, 0.3, 0.2), (-4.0, 0.0, 0.0), turn)
    left, rounding = found.result.separation, 16.0 * EPS
    assert found.result.stop is MotionStop.HIT
    assert left > 2.0 * rounding
    assert abs(max(contact.depth for contact in found.contacts)) <= rounding


def test_contacts_stand_where_both_bodies_are_at_that_time() -> None:
    a = Body(CUBE, (10.0, 0.0, 0.0), displacement=(0.0, 4.0, 0.0))
    b = Body(CUBE, (14.0, 0.5, 0.0), displacement=(-4.0, 4.0, 0.0))
    found = sweep(Scene(a, b))
    assert found is not None
    assert found.result.time == pytest.approx(0.5)
    places = np.array([contact.position for contact in found.contacts])
    np.testing.assert_allclose(places[:, 0], 11.0, atol=1e-14)
    np.testing.assert_allclose(sorted(set(np.round(places[:, 1], 9))), [1.5, 3.0])
    assert all(abs(contact.depth) <= 1e-12 for contact in found.contacts)
    np.testing.assert_allclose(found.result.contact.a.points[:, 0], 11.0, atol=1e-14)
    # One contact where the bodies meet with a point, between the nearest points: a rim and the edge that it meets.
    single = moved(CUBE, Cone(1.0, 2.0), (5.0, 0.0, 0.0), (-5.0, 0.0, 0.0))
    assert len(single.contacts) == 1
    assert (single.contacts[0].feature_a, single.contacts[0].feature_b) == ("v1-v6", "rim -y")


def test_contradictions_are_said_in_words() -> None:
    motion = Motion.of(Body(CUBE), Body(CUBE, (4.0, 0.3, 0.2), displacement=(-4.0, 0.0, 0.0)))
    right = interval_motion(motion).answer
    late = replace(right, time=0.6)
    assert run(disagreements(motion, ("one", right), [("two", right)], None)) == ()
    (said,) = map(str, run(disagreements(motion, ("one", right), [("two", late)], None)))
    assert said.startswith("one says the bodies touch at 0.5, two says at 0.59999")
    (said, _) = map(str, run(disagreements(motion, ("one", late), [("two", right)], None)))
    assert "where their separation is -0.39999" in said
    none = replace(right, stop=MotionStop.PASSES_BY, time=None, free=1.0)
    (said,) = map(str, run(disagreements(motion, ("one", right), [("two", none)], None)))
    assert said == "one says HIT, two says SEPARATED."
    (first, second) = map(str, run(disagreements(motion, ("one", none), [("two", right)], None)))
    assert "at the end their separation is" in first
    assert second == "one says SEPARATED, two says HIT."
    free = replace(right, stop=MotionStop.ITERATION_LIMIT, time=None, free=0.7)
    (said,) = map(str, run(disagreements(motion, ("one", right), [("two", free)], None)))
    assert "two has them free until 0.69999" in said
    swept = sweep(Scene(motion.a, replace(motion.b, displacement=(0.0, 1.0, 0.0)))).swept
    (said,) = map(str, run(disagreements(motion, ("one", right), [], swept)))
    assert said == "one says HIT, the twenty-one axes say that the bodies do not touch."


@pytest.mark.parametrize("family", [grazing, turning])
@pytest.mark.parametrize("pair", [("ellipsoid", "ellipsoid"), ("cylinder", "cone"), ("box", "box")])
@pytest.mark.sampled(2, "random")
def test_no_part_looks_at_the_distance_more_than_twice(
    family: Family, pair: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = [0]

    def counted(maps: Difference, start: WarmStart | None = None) -> SignedDistance:
        looks[0] += 1
        return signed_distance(maps, start=start)

    monkeypatch.setattr(motion_module, "signed_distance", counted)
    for seed in range(4):
        scene = family(np.random.default_rng(seed), *pair)
        looks[0], before, most, parts = 0, 0, 0, sweep_in_parts(scene)
        while True:
            try:
                next(parts)
            except StopIteration as end:
                found = end.value
                break
            most, before = max(most, looks[0] - before), looks[0]
        assert most <= 2
        whole = sweep(scene)
        assert (found is None) is (whole is None)
        if whole is not None:
            assert found.result.time == whole.result.time
            assert found.disagreements == whole.disagreements
            assert [len(trace.steps) for trace in found.traces] == [len(trace.steps) for trace in whole.traces]


def test_of_methods_that_cannot_decide_the_one_that_proves_the_bodies_free_longest_answers() -> None:
    """Two balls: their axes prove nothing, two steps of advancement a part of the way."""
    motion = Motion.of(Body(Sphere(1.0)), Body(Sphere(0.5), (4.0, 1.0, 0.0), displacement=(-4.0, 0.0, 0.0)))
    settings = AdvancementSettings(iterations=2)
    methods = [
        (MotionMethod.INTERVALS, interval_steps),
        (MotionMethod.ADVANCEMENT, lambda it: advancement_steps(it, settings)),
    ]
    for listed in (methods, methods[::-1]):
        found = run(answered(motion, listed))
        assert (found.method, found.outcome) == (MotionMethod.ADVANCEMENT, MotionOutcome.ITERATION_LIMIT)
        assert [trace.method for trace in found.traces] == [MotionMethod.ADVANCEMENT, MotionMethod.INTERVALS]
        assert 0.0 < found.result.free < 1.0
        assert found.traces[1].result.free == 0.0
        assert (found.contacts, found.disagreements) == ((), ())


def test_axes_say_how_near_polyhedra_come_and_not_how_near_rounded_bodies_do() -> None:
    """A ball passes a cube's corner: on every axis they meet, and one method's miss contradicts no other's hit."""
    a = Body(CUBE)
    b = Body(Sphere(0.5), (4.0, 1.4, 1.4), displacement=(-8.0, 0.0, 0.0))
    motion = Motion.of(a, b)
    table = interval_motion(motion).table
    assert table.separation(0.5) < -0.05
    assert motion.near(0.5).separation > 0.05
    miss = sweep(Scene(a, b)).result
    assert miss.stop is MotionStop.PASSES_BY
    hit = replace(miss, stop=MotionStop.HIT, time=0.4)
    said = [str(one) for one in run(disagreements(motion, ("one", miss), [("two", hit)], None, table))]
    assert said == []
    # Of polyhedra the axes are the distance.
    c = Body(Box((1.0, 1.0, 1.0)), b.position, displacement=b.displacement)
    motion = Motion.of(a, c)
    table = interval_motion(motion).table
    said = [str(one) for one in run(disagreements(motion, ("one", miss), [("two", hit)], None, table))]
    assert said[-1] == "one says SEPARATED, two says HIT."
