"""Entry and exit times on SAT's axes, the yes or no on twenty-one, and that both say the same."""

from __future__ import annotations

from fractions import Fraction
from math import inf

import numpy as np
import pytest

from core.geometry.quaternion import from_axis_angle
from core.scene import Body
from core.shapes import Box, Capsule, Cone, Hull, Sphere
from core.toi.intervals import (
    axis_times,
    interval_motion,
    interval_steps,
    intervals_apply,
    swept_axes,
    swept_axis_steps,
    swept_gaps,
)
from core.toi.motion import Motion, MotionOutcome, MotionStop
from core.trace import record
from tests.strategies import Triple, random_rotation, triple

CUBE = Box((2.0, 2.0, 2.0))


def cubes(offset: Triple, way: Triple) -> Motion:
    return Motion.of(Body(CUBE), Body(CUBE, offset, displacement=way))


def test_two_cubes_face_to_face() -> None:
    found = interval_motion(cubes((4.0, 0.5, 0.25), (-4.0, 0.0, 0.0)))
    answer, table = found.answer, found.table
    assert (answer.stop, answer.time, answer.row, answer.axis) == (MotionStop.HIT, 0.5, 0, "A.x")
    np.testing.assert_array_equal(answer.normal, (1.0, 0.0, 0.0))
    assert len(table.entries) == 15
    assert (table.entries[0], table.exits[0]) == (0.5, 1.5)
    # Across the motion the intervals always meet, and parallel edges have no axis: neither can be the latest entry.
    for row in (1, 2, 6):
        assert (table.entries[row], table.exits[row], table.speeds[row]) == (-inf, inf, 0.0)
    assert (answer.contact.a.kind, answer.contact.b.kind) == ("face", "face")


def test_the_normal_follows_the_side_of_approach() -> None:
    for side in (1.0, -1.0):
        answer = interval_motion(cubes((4.0 * side, 0.0, 0.0), (-4.0 * side, 0.0, 0.0))).answer
        np.testing.assert_array_equal(answer.normal, (side, 0.0, 0.0))


@pytest.mark.parametrize("missed", [1e-5, 1e-4])
def test_bodies_that_miss_by_less_than_the_band_graze_where_both_axes_have_one_gap(missed: float) -> None:
    """A way of some 1e-8 takes that band apart: y is left `missed` before x is entered at 0.3."""
    (at_x, at_y), (x, y) = (2.0 + 3e-9, 2.0 - 4e-9 * (0.3 - missed)), (-1e-8, 4e-9)
    answer = interval_motion(cubes((at_x, at_y, 0.0), (x, y, 0.0))).answer
    assert answer.stop is MotionStop.GRAZING
    assert answer.time is not None
    time = Fraction(answer.time)
    gaps = [Fraction(at) + time * Fraction(by) - 2 for at, by in ((at_x, x), (at_y, y))]
    assert min(gaps) > 0
    assert float(gaps[0] - gaps[1]) == pytest.approx(0.0, abs=1e-20)


@pytest.mark.parametrize(
    ("offset", "way", "stop", "axis"),
    [
        ((1.0, 0.0, 0.0), (9.0, 0.0, 0.0), MotionStop.OVERLAPPING_AT_START, None),
        ((2.0, 0.0, 0.0), (9.0, 0.0, 0.0), MotionStop.TOUCHING_AT_START, None),
        ((4.0, 0.0, 0.0), (0.0, 0.0, 0.0), MotionStop.NO_MOTION, None),
        ((4.0, 0.0, 0.0), (1.0, 0.0, 0.0), MotionStop.MOVING_AWAY, "A.x"),
        ((4.0, 0.0, 0.0), (-1.0, 0.0, 0.0), MotionStop.OUT_OF_TIME, "A.x"),
        ((4.0, 3.0, 0.0), (-9.0, 0.0, 0.0), MotionStop.PASSES_BY, "A.y"),  # l·d = 0, and never
        ((4.0, 4.0, 0.0), (-8.0, -2.2, 0.0), MotionStop.PASSES_BY, None),  # every axis meets, but not together
        ((4.0, 2.0, 0.0), (-8.0, 0.0, 0.0), MotionStop.HIT, "A.x"),  # slides along the face
        ((4.0, 2.0 + 1e-13, 0.0), (-8.0, 0.0, 0.0), MotionStop.HIT, "A.x"),  # within the band
        ((4.0, 3.0, 0.0), (-2.0, -1.0, 0.0), MotionStop.HIT, "A.x"),  # corner to corner, at the very end
        ((3.0, 0.0, 0.0), (-1.0 + 1e-13, 0.0, 0.0), MotionStop.GRAZING, "A.x"),
    ],
)
def test_every_way_out(offset: Triple, way: Triple, stop: MotionStop, axis: str | None) -> None:
    answer = interval_motion(cubes(offset, way)).answer
    assert (answer.stop, answer.axis) == (stop, axis)
    assert answer.free == (1.0 if answer.time is None else answer.time)
    yes = swept_axes(cubes(offset, way)).meets
    assert yes == (answer.outcome is not MotionOutcome.SEPARATED)


@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize("way", [(1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 9.0, 0.0)])
def test_the_normal_of_bodies_that_stay_apart_keeps_them_so_all_the_time(way: Triple, side: float) -> None:
    start = side * np.array((4.0, 0.5, 0.25))
    answer = interval_motion(cubes(triple(start), triple(side * np.array(way)))).answer
    assert answer.outcome is MotionOutcome.SEPARATED
    for offset in (start, start + side * np.array(way)):
        assert offset @ answer.normal - 2.0 >= 1.0


def test_a_body_that_goes_through_is_hit_when_it_comes_not_when_it_leaves() -> None:
    answer = interval_motion(cubes((400.0, 0.3, 0.2), (-800.0, 0.0, 0.0))).answer
    assert answer.time == pytest.approx(398.0 / 800.0)


@pytest.mark.parametrize(
    ("way", "latest", "earliest", "apart_from"),
    [
        ((-8.0, -2.5, 0.0), 1, 0, 1),  # x is left before y is entered
        ((-8.0, -8.0, 0.0), 0, 0, 15),  # they meet
        ((-1.0, -8.0, 0.0), 0, 1, 0),  # x is entered after the end
        ((8.0, -8.0, 0.0), 1, 0, 0),  # x was left before the start
        ((8.0, 8.0, 0.0), 0, 0, 0),  # both were, and together
    ],
)
def test_steps_name_the_latest_entry_and_the_earliest_exit_so_far_and_when_these_prove_the_bodies_apart(
    way: Triple, latest: int, earliest: int, apart_from: int
) -> None:
    recording = record(interval_steps(cubes((4.0, 4.0, 0.5), way)))
    table = recording.result.table
    entries, exits = [], []
    for step in recording.steps:
        entries.append(step.entry)
        exits.append(step.exit)
        assert (step.latest, step.earliest) == (max(entries), min(exits))
        # No time of the motion lies within all the stretches so far.
        assert step.separated == (max(0.0, *entries) > min(1.0, *exits)) == (step.row >= apart_from)
        assert step.table is table
    assert (table.latest_entry, table.earliest_exit) == (latest, earliest)


def test_skew_edges_meet_on_their_product() -> None:
    upright = Body(CUBE, rotation=from_axis_angle((0.0, 1.0, 0.0), np.pi / 4))
    lying = Body(CUBE, (5.0, 0.1, 0.2), from_axis_angle((0.0, 0.0, 1.0), np.pi / 4), (-4.0, 0.0, 0.0))
    answer = interval_motion(Motion.of(upright, lying)).answer
    assert answer.time == pytest.approx((5.0 - 2.0 * np.sqrt(2.0)) / 4.0)
    assert answer.axis == "A.y×B.z"
    assert (answer.contact.a.kind, answer.contact.b.kind) == ("edge", "edge")


def test_hulls_have_their_own_faces_and_edges() -> None:
    rng = np.random.default_rng(3)
    points = [Hull.of(rng.normal(size=(12, 3))) for _ in range(2)]
    motion = Motion.of(Body(points[0]), Body(points[1], (9.0, 0.3, 0.2), displacement=(-12.0, 0.0, 0.0)))
    answer = interval_motion(motion).answer
    assert answer.outcome is MotionOutcome.HIT
    assert answer.axis.startswith(("A.face", "B.face", "A.edge"))
    assert abs(answer.separation) <= 1e-13


def test_rounded_bodies_are_answered_where_the_axes_suffice_and_not_elsewhere() -> None:
    box = Body(CUBE)
    on_a_face = Motion.of(box, Body(Sphere(0.5), (4.0, 0.3, 0.2), displacement=(-5.0, 0.0, 0.0)))
    answer = interval_motion(on_a_face).answer
    assert (answer.stop, answer.axis) == (MotionStop.HIT, "A.x")
    assert answer.time == pytest.approx(0.5)
    on_a_corner = Motion.of(box, Body(Sphere(0.5), (4.0, 1.3, 1.3), displacement=(-5.0, 0.0, 0.0)))
    answer = interval_motion(on_a_corner).answer
    assert (answer.stop, answer.outcome) == (MotionStop.AXES_DO_NOT_SUFFICE, MotionOutcome.ITERATION_LIMIT)
    assert answer.time is None
    assert answer.free == pytest.approx(0.5)  # a lower bound: the true one is where the corner is reached
    spheres = Motion.of(Body(Sphere(1.0)), Body(Sphere(1.0), (4.0, 0.0, 0.0), displacement=(-4.0, 0.0, 0.0)))
    assert interval_motion(spheres).answer.stop is MotionStop.AXES_DO_NOT_SUFFICE
    rods = Motion.of(
        Body(Capsule(0.5, 2.0)),
        Body(Capsule(0.5, 2.0), (3.0, 0.2, 0.0), from_axis_angle((1.0, 0.0, 0.0), 1.0), (-4.0, 0.0, 0.0)),
    )
    answer = interval_motion(rods).answer
    assert (answer.stop, answer.axis) == (MotionStop.HIT, "A.axis×B.axis")
    assert answer.time == pytest.approx(0.5)


def test_shapes_without_axes_and_bodies_that_turn_are_refused() -> None:
    assert not intervals_apply(Motion.of(Body(CUBE), Body(Cone(1.0, 1.0), (3.0, 0.0, 0.0))))
    turning = Motion.of(Body(CUBE), Body(CUBE, (3.0, 0.0, 0.0), angular_displacement=(1.0, 0.0, 0.0)))
    assert not intervals_apply(turning)
    with pytest.raises(ValueError, match="turn"):
        interval_motion(turning)
    with pytest.raises(ValueError, match="turn"):
        swept_axes(turning)
    with pytest.raises(TypeError):
        swept_axes(Motion.of(Body(CUBE), Body(Sphere(1.0), (3.0, 0.0, 0.0))))


def test_twenty_one_axes_have_their_names_and_their_gaps() -> None:
    # Every face and edge product meets the swept volume; only the motion's own axis tells.
    motion = cubes((4.0, 4.0, 0.5), (-8.0, -2.2, 0.0))
    recording = record(swept_axis_steps(motion))
    found = recording.result
    assert found.labels[15:] == ("d×A.x", "d×A.y", "d×A.z", "d×B.x", "d×B.y", "d×B.z")
    assert (found.meets, found.labels[found.row]) == (False, "d×A.z")
    assert [step.gap for step in recording.steps] == found.gaps.tolist()
    assert not any(step.separates for step in recording.steps[:15])
    for step in recording.steps:
        np.testing.assert_allclose(step.end_b, step.start_b + step.axis @ motion.displacement, atol=1e-14)
    # An edge along the motion gives no axis.
    along = swept_axes(cubes((4.0, 0.0, 0.0), (-8.0, 0.0, 0.0)))
    assert not along.axes[15].any()
    assert along.gaps[15] == -inf


def _many(count: int) -> tuple[np.ndarray, ...]:
    """Intervals of random boxes on their 21 axes: of A and of B (n, 21, 2), speeds (n, 21), by other code."""
    rng = np.random.default_rng(8)
    quaternions = rng.normal(size=(2, count, 4))
    w, x, y, z = np.moveaxis(quaternions / np.linalg.norm(quaternions, axis=-1, keepdims=True), -1, 0)
    turns = np.stack(
        (
            np.stack((1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)), -1),
            np.stack((2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)), -1),
            np.stack((2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)), -1),
        ),
        -2,
    )
    axes_a, axes_b = np.swapaxes(turns, -1, -2)
    half = rng.uniform(0.2, 1.0, (2, count, 1, 3))
    offset = rng.normal(size=(count, 3)) * 1.6
    way = rng.normal(size=(count, 3)) * 2.0
    edges = np.cross(axes_a[:, :, None], axes_b[:, None, :]).reshape(count, 9, 3)
    across = np.cross(way[:, None], np.concatenate((axes_a, axes_b), axis=1))
    axes = np.concatenate((axes_a, axes_b, edges, across), axis=1)
    axes /= np.linalg.norm(axes, axis=-1, keepdims=True)
    reach = [
        np.sum(np.abs(axes @ np.swapaxes(own, -1, -2)) * size, axis=-1)
        for own, size in zip((axes_a, axes_b), half, strict=True)
    ]
    middle = np.einsum("nki,ni->nk", axes, offset)
    interval_a = np.stack((-reach[0], reach[0]), -1)
    interval_b = np.stack((middle - reach[1], middle + reach[1]), -1)
    return interval_a, interval_b, np.einsum("nki,ni->nk", axes, way)


def test_fifteen_axes_with_times_equal_twenty_one_with_yes_or_no_over_20000_pairs() -> None:
    interval_a, interval_b, speeds = _many(20_000)
    fifteen = (interval_a[:, :15], interval_b[:, :15], speeds[:, :15])
    entries, exits = axis_times(*fifteen, 0.0, 0.0, 0.0)
    latest, earliest = entries.max(axis=1), exits.min(axis=1)
    meets = (latest <= earliest) & (latest <= 1.0) & (earliest >= 0.0)
    yes = ~(swept_gaps(interval_a, interval_b, speeds) > 0.0).any(axis=1)
    assert 0.3 <= meets.mean() <= 0.7
    assert int((meets != yes).sum()) == 0
    # The last six say whether: without them there are hits that are none, about 487 in 20,000.
    without = ~(swept_gaps(*fifteen) > 0.0).any(axis=1)
    assert not (meets & ~without).any()
    assert 0.01 <= (without & ~meets).mean() <= 0.05


def test_both_forms_of_the_core_agree_on_boxes_one_by_one() -> None:
    rng = np.random.default_rng(9)
    hits = 0
    for _ in range(400):
        a, b = (Body(Box(triple(rng.uniform(0.4, 2.0, 3))), rotation=random_rotation(rng)) for _ in range(2))
        moved = Body(b.shape, triple(1.3 * rng.normal(size=3)), b.rotation, triple(2.0 * rng.normal(size=3)))
        motion = Motion.of(a, moved)
        found = interval_motion(motion).answer
        meets = found.outcome is not MotionOutcome.SEPARATED
        assert swept_axes(motion).meets == meets
        hits += meets
    assert 0.3 <= hits / 400 <= 0.7
