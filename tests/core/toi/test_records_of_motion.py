"""Every field of a motion's result, and of the steps to it: by its definition, for each method, order and stop."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest
from msgspec.structs import replace

from core import (
    Body,
    Box,
    Capsule,
    Circle,
    Cylinder,
    Ellipsoid,
    HalfSpace,
    Hull,
    Polygon,
    Provenance,
    Rounded,
    Scene,
    Shape,
    Sphere,
)
from core.analysis.motion_answers import sweep
from core.geometry.quaternion import from_axis_angle
from core.minkowski.plane import minkowski_difference
from core.toi import MotionMethod
from core.toi.advancement import AdvancementSettings, ClosingBound, advancement, advancement_steps, closing
from core.toi.half_spaces import plane_steps, scaled_plane_steps
from core.toi.intervals import MovingAxes, moving_axes, swept_axes, swept_axis_steps
from core.toi.motion import Motion, MotionOutcome, MotionStop
from core.toi.plane import ArcStep, GrownEdgeStep, PlaneMotion, difference_steps
from core.toi.spheres import sphere_box_steps, spheres_steps
from core.trace import record

CUBE = Box((2.0, 2.0, 2.0))
EXACT = {
    MotionMethod.PLANE,
    MotionMethod.SCALED_PLANE,
    MotionMethod.SPHERES,
    MotionMethod.SPHERE_BOX,
    MotionMethod.INTERVALS,
    MotionMethod.DIFFERENCE,
}
OTHERS: list[tuple[Shape, Shape, float]] = [
    (CUBE, CUBE, 2.0),
    (CUBE, Sphere(0.5), 1.5),
    (Sphere(1.0), Sphere(0.5), 1.5),
    (CUBE, Capsule(0.5, 1.0), 1.5),
    (Ellipsoid((1.0, 2.0, 0.5)), Cylinder(0.5, 1.0), 1.5),
    (HalfSpace((1.0, 0.0, 0.0), 1.0), CUBE, 2.0),
    (HalfSpace((1.0, 0.0, 0.0), 1.0), Ellipsoid((0.5, 1.0, 2.0)), 1.5),
    (Polygon(((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))), Circle(0.5), 1.5),
    (Rounded(Polygon(((-0.5, -1.0), (0.5, -1.0), (0.5, 1.0), (-0.5, 1.0))), 0.5), Circle(0.5), 1.5),
]
"""A about its position, B, and how far apart along x the two touch."""
WAYS = {
    "meets halfway": (4.0, (-4.0, 0.0, 0.0)),
    "comes too late": (4.0, (-1.0, 0.0, 0.0)),
    "goes away": (4.0, (4.0, 0.0, 0.0)),
    "goes by": (8.0, (0.0, 1.0, 0.0)),
    "overlaps": (1.0, (4.0, 0.0, 0.0)),
    "touches": (0.0, (4.0, 0.0, 0.0)),
}
DRIFT = np.array((1.0, 2.0, 0.0))


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("first", "second", "apart"), OTHERS, ids=lambda it: getattr(it, "word", ""))
def test_every_methods_result_is_of_the_motion(
    first: Shape, second: Shape, apart: float, way: str, swapped: bool
) -> None:
    gap, displacement = WAYS[way]
    start = {"overlaps": apart - gap * 0.5, "touches": apart}.get(way, apart + gap * 0.5)
    a = Body(first, (3.0, -2.0, 0.0), displacement=DRIFT)
    b = Body(second, (3.0 + start, -2.0, 0.0), displacement=DRIFT + displacement)
    scene = Scene(b, a) if swapped else Scene(a, b)
    found = sweep(scene)
    assert found is not None
    assert found.disagreements == ()
    assert (found.result, found.method) == (found.traces[0].result, found.traces[0].method)
    out = np.array((-1.0 if swapped else 1.0, 0.0, 0.0))
    speed = -displacement[0]
    time = {"meets halfway": 0.5 * gap / speed if speed else None, "overlaps": 0.0, "touches": 0.0}.get(way)
    for trace in found.traces:
        own = trace.result
        if own.outcome is MotionOutcome.ITERATION_LIMIT:
            # Only a bound: the axes alone do not know what a round body does.
            assert (own.stop, trace.method) == (MotionStop.AXES_DO_NOT_SUFFICE, MotionMethod.INTERVALS)
            assert (own.time, own.provenance) == (None, Provenance.BOUND)
            assert own.free <= (1.0 if time is None else time + 1e-9)
            continue
        assert own.time == (None if time is None else pytest.approx(time, abs=1e-7))
        assert own.free == (1.0 if own.time is None else own.time)
        if way in ("overlaps", "touches"):
            assert own.stop is MotionStop(("OVERLAPPING" if way == "overlaps" else "TOUCHING") + "_AT_START")
        elif own.stop is not MotionStop.NO_MOTION:
            assert own.provenance is (Provenance.EXACT if trace.method in EXACT else Provenance.CERTIFIED)
        if own.time is None:
            assert {own.witness_a is None, own.witness_b is None, own.contact is None, own.separation is None} == {True}
            assert own.gap == 0.0
            assert (
                own.stop
                in {
                    "comes too late": {MotionStop.OUT_OF_TIME},
                    "goes away": {MotionStop.MOVING_AWAY},
                    "goes by": {MotionStop.MOVING_AWAY, MotionStop.PASSES_BY, MotionStop.OUT_OF_TIME},
                }[way]
            )
            if own.normal is not None:
                # It parts the bodies at either end of the motion.
                assert own.normal == pytest.approx(out, abs=1e-9) or way == "goes by"
        else:
            assert own.normal == pytest.approx(out, abs=1e-6)
            left = apart - start if way == "overlaps" else 0.0
            assert own.separation == pytest.approx(-left, abs=1e-6)
            assert own.gap <= 1e-6
            end = a.position[0] + DRIFT[0] * own.time + float(first.reach(np.array((1.0, 0.0, 0.0))))
            on_first, on_second = (own.witness_a, own.witness_b)[:: -1 if swapped else 1]
            assert on_first[0] == pytest.approx(end, abs=1e-6)
            assert on_second[0] == pytest.approx(end - left, abs=1e-6)
            assert own.witness_b - own.witness_a == pytest.approx(own.separation * own.normal, abs=1e-6)
        if own.row is not None:
            assert own.axis is not None
            assert own.normal is not None
            if trace.method is MotionMethod.INTERVALS:
                axes = found.axes
                assert axes is not None
                assert axes.candidates[own.row].label == own.axis
                assert abs(axes.axes[own.row] @ own.normal) == pytest.approx(1.0, abs=1e-12)
            elif trace.method in (MotionMethod.PLANE, MotionMethod.SCALED_PLANE):
                assert (own.row, own.axis) == (0, "B.plane" if swapped else "A.plane")


def test_on_every_axis_the_times_are_those_of_the_ends_that_meet() -> None:
    """By brute force: the intervals at the entry and the exit just meet, before and after they do not."""
    rng = np.random.default_rng(4)
    for _ in range(12):
        turns = [tuple(rng.normal(size=4)) for _ in range(2)]
        a = Body(Box((1.0, 2.0, 1.5)), rng.normal(size=3), turns[0])
        b = Body(Box((2.0, 1.0, 0.5)), rng.normal(size=3) * 3.0, turns[1], rng.normal(size=3) * 4.0)
        motion = Motion.of(a, b)
        table = moving_axes(motion)
        entries, exits = table.entries, table.exits
        for row, axis in enumerate(table.axes):
            assert table.speeds[row] == pytest.approx(axis @ np.array(b.displacement), abs=1e-14)

            def gap(time: float, row: int = row, table: MovingAxes = table) -> float:
                low, high = table.interval_b[row] + time * table.speeds[row]
                return max(low - table.interval_a[row, 1], table.interval_a[row, 0] - high)

            assert gap(entries[row]) == pytest.approx(0.0, abs=1e-9)
            assert gap(exits[row]) == pytest.approx(0.0, abs=1e-9)
            assert gap(0.5 * (entries[row] + exits[row])) < 0.0
            assert min(gap(entries[row] - 0.1), gap(exits[row] + 0.1)) > 0.0
            side = np.sign(
                table.interval_b[row].sum()
                - table.interval_a[row].sum()
                + 2.0 * (entries[row] - 1.0) * table.speeds[row]
            )
            assert table.sides[row] == side
        assert table.latest_entry == int(entries.argmax())
        assert table.earliest_exit == int(exits.argmin())
        for time in (0.0, 0.3, 1.0):
            there = Motion.of(
                replace(a, displacement=(0.0, 0.0, 0.0)),
                replace(b, position=np.add(b.position, time * np.array(b.displacement)), displacement=(0.0, 0.0, 0.0)),
            )
            assert table.separation(time) == pytest.approx(moving_axes(there).separation(0.0), abs=1e-12)
        swept, steps = swept_axes(motion), record(swept_axis_steps(motion)).steps
        parting = [step.row for step in steps if step.separates]
        assert swept.row == (parting[0] if parting else None)
        assert swept.meets is not bool(parting)
        assert swept.labels[15:] == ("d×A.x", "d×A.y", "d×A.z", "d×B.x", "d×B.y", "d×B.z")
        for step in steps:
            ends = step.start_b, step.end_b
            assert step.end_b - step.start_b == pytest.approx(step.axis @ np.array(b.displacement), abs=1e-12)
            low, high = min(end[0] for end in ends), max(end[1] for end in ends)
            assert step.gap == pytest.approx(max(low - step.interval_a[1], step.interval_a[0] - high), abs=1e-12)
            assert step.separates == (step.gap > 1e-11)
            if step.row >= 15:
                edge = (a if step.row < 18 else b).pose.matrix[:, (step.row - 15) % 3]
                assert step.axis @ edge == pytest.approx(0.0, abs=1e-12)
                assert step.axis @ np.array(b.displacement) == pytest.approx(0.0, abs=1e-12)


def test_edges_along_the_motion_and_parallel_ones_have_no_axis_of_the_swept_volume() -> None:
    motion = Motion.of(Body(CUBE), Body(CUBE, (5.0, 0.5, 0.0), displacement=(-1.0, 0.0, 0.0)))
    for step in record(swept_axis_steps(motion)).steps:
        none = step.label in ("A.x×B.x", "A.y×B.y", "A.z×B.z", "d×A.x", "d×B.x")
        assert bool(step.axis.any()) is not none
        assert (step.gap == -inf) is none
        assert not (none and step.separates)
    assert swept_axes(motion).row == 0


PLANAR: list[tuple[Shape, Shape]] = [
    (Polygon(((-1.0, -1.0), (1.0, -1.0), (0.0, 1.0))), Circle(0.5)),
    (
        Rounded(Polygon(((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))), 0.25),
        Polygon(((-1.0, 0.0), (1.0, -1.0), (1.0, 1.0))),
    ),
    (Circle(1.0), Rounded(Polygon(((-1.0, -1.0), (1.0, -1.0), (0.0, 1.0))), 0.25)),
    (Circle(1.0), Circle(0.5)),
]


@pytest.mark.parametrize(("first", "second"), PLANAR)
def test_each_line_and_arc_of_the_difference_is_where_it_says(first: Shape, second: Shape) -> None:
    rng, arcs = np.random.default_rng(8), 0
    for _ in range(20):
        a = Body(first, (2.0, 1.0, 0.0), angle=float(rng.normal()))
        way = rng.normal(size=2)
        at = (3.0, 1.0) - 4.0 * way + rng.normal(size=2)
        b = Body(second, (*at, 0.0), angle=float(rng.normal()), displacement=(*(6.0 * way), 0.0))
        motion = PlaneMotion.of(a, b)
        recording = record(difference_steps(motion))
        polygon, steps = minkowski_difference(motion.a, motion.b), recording.steps
        lines = [step for step in steps if isinstance(step, GrownEdgeStep)]
        latest, earliest, never = (-inf, None), (inf, None), False
        for number, step in enumerate(lines):
            edge = polygon.edges[number]
            corners = polygon.corners[number], polygon.corners[(number + 1) % len(polygon.corners)]
            assert (step.edge, step.row, step.normal, step.radius) == (number, edge.row, edge.normal, polygon.radius)
            out = polygon.radius * np.array(step.normal)
            assert (*step.start, *step.end) == pytest.approx((*(corners[0] + out), *(corners[1] + out)), abs=1e-12)
            assert step.height == pytest.approx(-float(np.dot(step.normal, step.start)), abs=1e-12)
            assert step.speed == pytest.approx(float(np.dot(step.normal, motion.displacement[:2])), abs=1e-12)
            assert step.height + step.time * step.speed == pytest.approx(0.0, abs=1e-12)
            if step.speed < 0.0 and step.time > latest[0]:
                latest = step.time, number
            if step.speed > 0.0 and step.time < earliest[0]:
                earliest = step.time, number
            assert (step.latest, step.latest_edge, step.earliest, step.earliest_edge) == (*latest, *earliest)
            never = latest[0] > min(earliest[0], 1.0) or earliest[0] < 0.0
            assert step.apart == never
        for step in steps:
            if not isinstance(step, ArcStep):
                continue
            arcs += 1
            assert step.centre == polygon.corners[step.corner]
            assert (step.radius, step.entered) == (polygon.radius, latest[0] if lines else None)
            vertices = polygon.sources[step.corner]
            names = [
                body if isinstance(shape, Circle) else f"{body}.v{vertex}"
                for body, shape, vertex in zip("AB", (first, second), vertices, strict=True)
            ]
            assert step.label == "→".join(names)
            d, m = motion.displacement[:2], -np.array(step.centre)
            assert step.nearest_time == pytest.approx(-(m @ d) / (d @ d))
            assert step.nearest == pytest.approx(float(np.linalg.norm(m + step.nearest_time * d)), abs=1e-12)
            quarter = (m @ d) ** 2 - (d @ d) * (m @ m - step.radius**2)
            assert step.discriminant == pytest.approx(quarter, abs=1e-9 * (d @ d) * (1.0 + m @ m))
            assert (step.time is None) == (step.discriminant < 0.0)
            if step.time is not None:
                assert np.linalg.norm(m + step.time * d) == pytest.approx(step.radius, abs=1e-12)
                assert step.time <= step.nearest_time
            assert step.stop is recording.result.stop
            if recording.result.stop is MotionStop.HIT:
                normal = (m + recording.result.time * d) / step.radius
                assert recording.result.normal[:2] == pytest.approx(normal, abs=1e-12)
                assert (recording.result.row, recording.result.axis) == (None, step.label)
    assert arcs


def test_a_gap_closes_by_moving_and_by_turning_no_faster_than_is_said() -> None:
    """`turning`: each body's turn across the normal times its bounding radius; `straight`: the approach along it."""
    rng = np.random.default_rng(9)
    for k in range(12):
        a = Body(Box((1.0, 2.0, 1.5)), angular_displacement=rng.normal(size=3) if k % 3 else (0.0, 0.0, 0.0))
        turn = rng.normal(size=3) if k % 3 != 1 else (0.0, 0.0, 0.0)
        b = Body(Box((2.0, 1.0, 0.5)), (5.0, 1.0, 0.5), displacement=rng.normal(size=3), angular_displacement=turn)
        motion = Motion.of(a, b)
        normal = motion.start.proximity.normal
        found = closing(motion, normal, 1.0, 0.0, supports=False)
        swings = [
            np.linalg.norm(np.cross(body.angular_displacement, normal)) * body.shape.bounding_radius for body in (a, b)
        ]
        assert found.straight == pytest.approx(-normal @ np.array(b.displacement), abs=1e-14)
        assert found.turning == pytest.approx(sum(swings), abs=1e-12)
        assert found.rate == found.straight + found.turning
        assert found.bound is ClosingBound.RATE
        assert found.never == (found.rate <= 0.0)
        assert found.lasting == (pytest.approx(1.0 / found.rate) if found.rate > 0.0 else inf)
        step = record(advancement_steps(motion)).steps[0]
        assert (step.straight, step.turning, step.rate) == (
            found.straight,
            found.turning,
            found.straight + found.turning,
        )
        # What the support maps prove lasts no shorter.
        assert closing(motion, normal, 1.0, 0.0).lasting >= found.lasting


@pytest.mark.parametrize("order", [1, -1])
def test_the_planes_turn_with_a_half_space_that_turns(order: int) -> None:
    floor = Body(HalfSpace((0.0, 1.0, 0.0), 0.0), angular_displacement=(0.0, 0.0, 0.5))
    motion = Motion.of(*(floor, Body(Sphere(0.5), (2.0, 3.0, 0.0)))[::order])
    found = closing(motion, np.array((0.0, float(order), 0.0)), 2.5, 0.0)
    assert found.bound is (ClosingBound.WITH_A if order == 1 else ClosingBound.WITH_B)
    assert not found.never


def test_advancement_takes_as_many_steps_as_it_may_and_arrives_within_its_tolerance() -> None:
    motion = Motion.of(
        Body(Box((0.2, 4.0, 0.2)), angular_displacement=(0.0, 0.0, 1.5)), Body(Sphere(0.5), (-1.5, 1.0, 0.0))
    )
    whole = record(advancement_steps(motion))
    count = len(whole.steps)
    assert whole.result.stop is MotionStop.HIT
    assert count > 3
    for most in (1, 2, count - 1):
        cut = record(advancement_steps(motion, AdvancementSettings(iterations=most)))
        assert (len(cut.steps), cut.result.stop) == (most, MotionStop.ITERATION_LIMIT)
        assert (cut.result.free, cut.result.provenance) == (whole.steps[most - 1].time, Provenance.CERTIFIED)
    assert advancement(motion, AdvancementSettings(iterations=count)).stop is MotionStop.HIT
    for tolerance in (1e-2, 1e-4):
        found = record(advancement_steps(motion, AdvancementSettings(tolerance=tolerance)))
        larger = 2.0 * (1.0 + 0.05**2 * 2.0) ** 0.5
        assert found.steps[-1].distance <= tolerance * larger
        assert all(step.distance > tolerance * larger for step in found.steps[:-1])


def test_steps_against_a_plane_show_the_shares_of_each_half_extent_and_the_scaled_space() -> None:
    turn = from_axis_angle((1.0, 2.0, 3.0), 0.7)
    floor = Body(HalfSpace((0.0, 2.0, 0.0), 1.0), (0.0, -0.5, 0.0))
    for shape, radii in ((Box((1.0, 2.0, 3.0)), (0.5, 1.0, 1.5)), (Ellipsoid((0.5, 1.0, 1.5)), (0.5, 1.0, 1.5))):
        body = Body(shape, (1.0, 5.0, 2.0), turn, (0.5, -8.0, 0.25))
        for motion in (Motion.of(floor, body), Motion.of(body, floor)):
            local = np.array(radii) * (body.pose.matrix.T @ (0.0, 1.0, 0.0))
            last = record(plane_steps(motion)).steps[-1]
            size = float(np.abs(local).sum() if isinstance(shape, Box) else np.linalg.norm(local))
            assert (last.distance, last.radius, last.speed) == (5.0, pytest.approx(size), pytest.approx(-8.0))
            assert last.time == pytest.approx((5.0 - size) / 8.0)
            assert last.arms is None or last.arms == pytest.approx(np.abs(local))
            assert (last.arms is None) is isinstance(shape, Ellipsoid)
            if isinstance(shape, Box):
                continue
            steps = record(scaled_plane_steps(motion)).steps
            end = steps[-1]
            assert end.radii.tolist() == list(radii)
            assert end.stretch == pytest.approx(size)
            assert end.scaled_normal == pytest.approx(local / size)
            assert (end.offset, end.scaled_offset) == (-5.0, pytest.approx(-5.0 / size))
            assert end.scaled_velocity == pytest.approx((body.pose.matrix.T @ body.displacement) / radii)
            assert end.speed == pytest.approx(-8.0 / size)
            assert end.time == pytest.approx((5.0 - size) / 8.0)
            # The touching point lies on the unit sphere's way, and on the plane.
            centre = end.time * end.scaled_velocity
            assert np.linalg.norm(end.scaled_contact - centre) == pytest.approx(1.0)
            assert end.scaled_contact @ end.scaled_normal == pytest.approx(end.scaled_offset)
            assert end.contact == pytest.approx(np.array(radii) * end.scaled_contact)


def test_balls_that_go_by_each_other_or_a_box_tell_their_nearest_within_the_motion() -> None:
    for x, displacement, stop in (
        (3.0, -1.0, MotionStop.OUT_OF_TIME),
        (3.0, 1.0, MotionStop.MOVING_AWAY),
        (3.0, -6.0, MotionStop.PASSES_BY),
    ):
        way = (displacement, 0.0, 0.0)
        high = 3.0 if stop is MotionStop.PASSES_BY else 0.5
        time = {MotionStop.OUT_OF_TIME: 1.0, MotionStop.MOVING_AWAY: 0.0, MotionStop.PASSES_BY: 0.5}[stop]
        closest = np.hypot(x + time * displacement, high)
        recording = record(
            spheres_steps(Motion.of(Body(Sphere(1.0)), Body(Sphere(0.25), (x, high, 0.0), displacement=way)))
        )
        last = recording.steps[-1]
        assert (last.stop, recording.result.stop, last.reach) == (stop, stop, 1.25)
        assert (last.closest_time, last.closest) == (pytest.approx(time), pytest.approx(closest))
        assert (last.time, recording.result.free) == (None, 1.0)
        recording = record(
            sphere_box_steps(Motion.of(Body(CUBE), Body(Sphere(0.25), (x, high, 0.0), displacement=way)))
        )
        assert recording.result.stop is stop
    hull = Hull.of([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)])
    both = sweep(Scene(Body(hull), Body(hull, (5.0, 0.0, 0.0), displacement=(-8.0, 0.0, 0.0))))
    assert [trace.method for trace in both.traces] == [
        MotionMethod.INTERVALS,
        MotionMethod.RAY,
        MotionMethod.ADVANCEMENT,
    ]
