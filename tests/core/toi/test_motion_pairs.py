"""Every pair of shapes in motion: judged without the algorithms, and by what must not depend on the point of view."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from msgspec.structs import replace

from core.analysis.motion_answers import SweepAnswer, sweep
from core.geometry.quaternion import from_axis_angle, normalized
from core.scene import Body, Scene
from core.shapes import Box, Cone, Cylinder, Sphere
from core.toi import MotionMethod
from core.toi.motion import Motion, MotionOutcome, MotionResult, nearness
from tests.motion_judge import FAMILIES, PAIRS, Family, extent, faults, general, larger, turning
from tests.oracles import axes_of
from tests.strategies import carried, random_rotation, scaled, triple

by_pair = pytest.mark.parametrize("pair", PAIRS, ids="-".join)

EXACT_PAIRS = [pair for pair in PAIRS if {*pair} <= {"box", "hull", "halfspace"} or "sphere" in pair]


def answered(scene: Scene) -> SweepAnswer:
    found = sweep(scene)
    assert found is not None
    return found


def tolerance(scene: Scene, method: MotionMethod) -> float:
    """What may be left at the reported time: 1e-9 (L + |T|), for advancement 1e-6 L."""
    return 1e-6 * larger(scene) if method is MotionMethod.ADVANCEMENT else 1e-9 * extent(scene)


def judged(scene: Scene, found: SweepAnswer) -> None:
    assert found.disagreements == ()
    for trace in found.traces:
        said = faults(scene, trace.result, tolerance(scene, trace.method))
        assert not said, (trace.method, trace.result.stop, said)


@by_pair
@pytest.mark.sampled(3, "random")
def test_every_method_is_right_about_general_motions(pair: tuple[str, str]) -> None:
    rng = np.random.default_rng(31)
    outcomes: Counter[MotionOutcome] = Counter()
    for _ in range(20):
        scene = general(rng, *pair)
        found = answered(scene)
        judged(scene, found)
        outcomes[found.outcome] += 1
    assert outcomes[MotionOutcome.ITERATION_LIMIT] == 0
    assert outcomes[MotionOutcome.HIT] >= 5


@pytest.mark.parametrize("family", FAMILIES[1:], ids=lambda family: family.__name__)
@pytest.mark.parametrize("pair", EXACT_PAIRS, ids="-".join)
@pytest.mark.sampled(4, "random")
def test_every_method_is_right_about_hard_motions(family: Family, pair: tuple[str, str]) -> None:
    rng = np.random.default_rng(32)
    for _ in range(6):
        scene = family(rng, *pair)
        if (found := sweep(scene)) is not None:
            judged(scene, found)


@by_pair
@pytest.mark.sampled(4, "random")
def test_advancement_is_right_about_bodies_that_turn(pair: tuple[str, str]) -> None:
    rng = np.random.default_rng(33)
    for _ in range(4):
        scene = turning(rng, *pair)
        found = answered(scene)
        assert found.outcome is not MotionOutcome.ITERATION_LIMIT
        judged(scene, found)


def same(one: MotionResult, other: MotionResult, scene: Scene, scale: float = 1.0) -> None:
    """The same outcome at the same time: as far as the distance it makes tells."""
    if MotionOutcome.ITERATION_LIMIT in (one.outcome, other.outcome):
        return
    assert one.outcome is other.outcome
    if one.time is None or other.time is None:
        return
    way = np.subtract(scene.b.displacement, scene.a.displacement)
    closing = abs(float(way @ one.normal)) + 1e-12
    assert abs(one.time - other.time) * closing <= 1e-9 * extent(scene) * scale


def swapped_back(result: MotionResult) -> MotionResult:
    normal = None if result.normal is None else -result.normal
    return replace(result, normal=normal, witness_a=result.witness_b, witness_b=result.witness_a)


@pytest.mark.parametrize("pair", EXACT_PAIRS, ids="-".join)
@pytest.mark.sampled(3, "random")
def test_nothing_depends_on_the_point_of_view(pair: tuple[str, str]) -> None:
    rng = np.random.default_rng(34)
    for _ in range(6):
        scene = general(rng, *pair)
        found = answered(scene).result
        swapped = swapped_back(answered(scene.swapped()).result)
        same(found, swapped, scene)
        if found.outcome is MotionOutcome.HIT:
            np.testing.assert_allclose(swapped.normal, found.normal, atol=1e-6)
        # The whole turned and moved, at another size, and both carried along by a third motion.
        turn, by = random_rotation(rng), rng.normal(size=3)
        turned = carried(scene, turn, by)
        matrix = axes_of(Body(scene.a.shape, rotation=normalized(turn)))
        turned = with_ways(turned, *(triple(matrix @ body.displacement) for body in (scene.a, scene.b)))
        same(found, answered(turned).result, scene)
        for factor in (1e-6, 1e6):
            ways = (triple(factor * np.array(body.displacement)) for body in (scene.a, scene.b))
            same(found, answered(with_ways(scaled(scene, factor), *ways)).result, scene)
        drift = rng.normal(size=3)
        ways = (triple(drift + body.displacement) for body in (scene.a, scene.b))
        same(found, answered(with_ways(scene, *ways)).result, scene)


def with_ways(scene: Scene, way_a: tuple[float, float, float], way_b: tuple[float, float, float]) -> Scene:
    return replace(scene, a=replace(scene.a, displacement=way_a), b=replace(scene.b, displacement=way_b))


@pytest.mark.parametrize("pair", EXACT_PAIRS, ids="-".join)
def test_a_motion_reversed_ends_where_it_was_left(pair: tuple[str, str]) -> None:
    """Played backwards from the contact the bodies part at once; and from the far end the exit is a hit."""
    rng = np.random.default_rng(35)
    for _ in range(6):
        scene = general(rng, *pair)
        found = answered(scene).result
        if found.outcome is not MotionOutcome.HIT or found.time is None or found.time == 0.0:
            continue
        motion = Motion.of(scene.a, scene.b)
        a, b = motion.at(0.5 * found.time)
        back = replace(b, displacement=triple(-motion.displacement))
        assert answered(Scene(a, back)).outcome is MotionOutcome.SEPARATED
        # And once more from half way: the contact comes after the other half.
        again = answered(Scene(a, replace(b, displacement=triple(motion.displacement)))).result
        same(replace(again, time=again.time + 0.5 * found.time), found, scene)


@pytest.mark.parametrize("pair", [("box", "box"), ("sphere", "box"), ("hull", "capsule"), ("cone", "cylinder")])
@pytest.mark.parametrize("family", [general, turning])
@pytest.mark.sampled(3, "random")
def test_dense_samples_in_time_agree(family: Family, pair: tuple[str, str]) -> None:
    rng = np.random.default_rng(36)
    hits = 0
    for _ in range(12):
        scene = family(rng, *pair)
        found = answered(scene).result
        motion = Motion.of(scene.a, scene.b)
        times = np.linspace(0.0, 1.0, 65)
        distances = np.array([nearness(*motion.at(float(time))).separation for time in times])
        if found.outcome is MotionOutcome.SEPARATED:
            assert distances.min() > 0.0
        elif found.outcome is MotionOutcome.HIT and found.time is not None:
            hits += 1
            assert (distances[times < found.time] > 0.0).all()
            # Just after it they overlap, unless they only graze.
            after = nearness(*motion.at(min(found.time + 1e-3, 1.0))).separation
            assert after < 1e-3 * motion.travel
    assert hits >= 4


def test_what_is_left_at_the_start_is_as_close_to_the_true_distance_as_its_gap_says() -> None:
    """A cone that leaves a tall cylinder through its side: level ways alone count, so the depth is one over angles."""
    tilt, rim = 0.01, 0.7
    cone = Body(Cone(rim, 2.0), (0.02, 0.2, 0.01), from_axis_angle((1.0, 0.0, 0.0), tilt), displacement=(1.0, 0.0, 0.0))
    # The base's rim reaches the farthest back; seen from above an ellipse about the base's middle.
    turns = np.linspace(-1e-4, 1e-4, 20001)
    middle = 0.02 * np.cos(turns) + (0.01 - np.sin(tilt)) * np.sin(turns)
    depth = (1.0 + rim * np.hypot(np.cos(turns), np.cos(tilt) * np.sin(turns)) - middle).min()
    heights = np.linspace(3.0, 7.0, 9).tolist()
    results = [answered(Scene(Body(Cylinder(1.0, height)), cone)).result for height in heights]
    assert {result.outcome for result in results} == {MotionOutcome.INITIAL_OVERLAP}
    off = [abs(result.separation + depth) for result in results]
    assert all(miss <= result.gap + 1e-14 for miss, result in zip(off, results, strict=True))
    # Without the gap some of them would be false.
    assert max(off) > 1e-12


def test_tunnelling_is_seen_by_the_sweep_alone() -> None:
    wall = Body(Box((0.01, 4.0, 4.0)))
    bullet = Body(Sphere(0.05), (-500.0, 0.1, 0.2), displacement=(1000.0, 0.0, 0.0))
    scene = Scene(wall, bullet)
    motion = Motion.of(wall, bullet)
    for frame in (0.0, 0.25, 0.75, 1.0):
        assert nearness(*motion.at(frame)).separation > 100.0
    found = answered(scene)
    assert found.result.time == pytest.approx((500.0 - 0.055) / 1000.0, abs=1e-15)
    judged(scene, found)


@pytest.mark.parametrize("pair", [("box", "box"), ("hull", "hull"), ("sphere", "box"), ("sphere", "sphere")])
def test_speed_does_not_tunnel(pair: tuple[str, str]) -> None:
    """Aimed at a point of A: whatever the speed, it is hit."""
    rng = np.random.default_rng(37)
    for speed in (1.0, 1e3, 1e6):
        for _ in range(5):
            scene = general(rng, *pair)
            start = 5.0 * larger(scene) * np.array(random_rotation(rng)[1:]) + 4.0 * larger(scene)
            b = replace(
                scene.b,
                position=triple(np.array(scene.a.position) + start),
                displacement=triple(-2.0 * speed * start + scene.a.displacement),
            )
            scene = replace(scene, b=b)
            found = answered(scene)
            assert found.outcome is MotionOutcome.HIT
            judged(scene, found)
