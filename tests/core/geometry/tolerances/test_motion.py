"""Motion: when a distance counts as arrived, how long a method goes on, and which normal is said at the impact."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest
from msgspec.structs import replace

from core import Body, Box, Capsule, Ellipsoid, Provenance, Sphere
from core.analysis.motion_answers import disagreements
from core.geometry.quaternion import from_axis_angle, normalized
from core.toi.advancement import AdvancementSettings, ClosingBound, advancement, advancement_steps
from core.toi.motion import Motion, MotionResult, MotionStop, met
from core.trace import record, run

CUBE = Box((2.0, 2.0, 2.0))
QUARTER = from_axis_angle((0.0, 0.0, 1.0), pi / 2)


def test_advancement_arrives_within_a_hundred_millionth_of_the_body() -> None:
    # A round body that turns: each look leaves a share of the gap, and the first below the tolerance ends it.
    egg = Body(Ellipsoid((1.0, 0.5, 0.7)), displacement=(-4.0, 0.0, 0.0), angular_displacement=(1.0, 2.0, 3.0))
    left = []
    for height in np.linspace(0.0, 0.6, 12).tolist():
        moving = Motion.of(Body(CUBE), replace(egg, position=(4.0, height, 0.1)))
        found = advancement(moving, AdvancementSettings(supports=False))
        assert found.stop is MotionStop.HIT
        left.append(found.separation / moving.scale.largest_radius)
    assert max(left) <= 1e-8
    assert max(left) > 1e-9


def test_advancement_gives_up_after_256_looks() -> None:
    # A rod that rolls on the spot, a thousandth above the cube: the plain rate knows only that it turns fast.
    rod = Body(Capsule(0.5, 1.0), (0.0, 1.501, 0.0), QUARTER, angular_displacement=(10.0, 0.0, 0.0))
    found = record(advancement_steps(Motion.of(Body(CUBE), rod), AdvancementSettings(supports=False)))
    assert found.result.stop is MotionStop.ITERATION_LIMIT
    assert len(found.steps) == 256


@pytest.mark.parametrize("way", [(0.5, 0.5, 3.0), (0.5, 1.0, 3.0), (0.5, 2.0, 0.0), (0.5, 3.0, 1.0)])
def test_at_the_impact_the_normal_is_the_one_whose_gap_has_closed(way: tuple[float, float, float]) -> None:
    # Corner on corner, or edge on edge: where they meet, 1e-14 apart, the way between the nearest points is rounding,
    # half a degree off. They were kept apart until now along the way that they came.
    place = tuple(2.0 + part if part else 0.0 for part in way)
    moving = Motion.of(Body(CUBE), Body(CUBE, place, displacement=tuple(-2.0 * part for part in way)))
    found = advancement(moving)
    assert found.stop is MotionStop.HIT
    assert found.normal == pytest.approx(np.array(way) / np.linalg.norm(way), abs=1e-9)


def test_bodies_that_turn_are_followed_by_the_best_of_the_bounds() -> None:
    # Boxes edge to edge, at right angles nearly: planes that turn with an edge of each say most.
    bounds = set()
    for seed in range(6):
        rng = np.random.default_rng(seed)
        turns = [tuple(rng.normal(size=4).tolist()) for _ in range(2)]
        spins = [tuple(rng.normal(size=3).tolist()) for _ in range(2)]
        a = Body(CUBE, rotation=normalized(turns[0]), angular_displacement=spins[0])
        b = Body(CUBE, (4.5, 0.3, 0.2), normalized(turns[1]), (-4.0, 0.0, 0.0), spins[1])
        found = record(advancement_steps(Motion.of(a, b)))
        assert found.result.stop is MotionStop.HIT
        assert len(found.steps) < 20
        bounds |= {step.bound for step in found.steps}
    assert ClosingBound.WITH_EDGES in bounds


def test_a_shallow_dip_between_two_answers_is_found() -> None:
    # Balls that pass 1e-6 deep, for a two thousandth of the time: one who says that they stay apart is wrong.
    ball = Body(Sphere(1.0))
    moving = Motion.of(ball, replace(ball, position=(-4.0, 2.0 - 1e-6, 0.0), displacement=(8.0, 0.0, 0.0)))
    apart = MotionResult(MotionStop.PASSES_BY, None, 1.0, Provenance.EXACT)
    hit = met(moving, MotionStop.HIT, 0.2, Provenance.EXACT)
    said = run(disagreements(moving, ("one", apart), (("another", hit),), None))
    assert len(said) == 1
