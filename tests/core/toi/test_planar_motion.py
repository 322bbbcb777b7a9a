"""Motion in the plane: closed forms, brute force over time, and what must not depend on the point of view."""

from __future__ import annotations

import math
from collections import Counter
from itertools import product

import numpy as np
import pytest
from msgspec.structs import replace

from core.analysis.motion_answers import SweepAnswer, sweep
from core.geometry import vec2
from core.geometry.quaternion import from_axis_angle
from core.scene import Body, Scene
from core.shapes import Circle, Hull, Polygon, Sphere
from core.toi import MotionMethod
from core.toi.advancement import advancement
from core.toi.motion import Motion, MotionOutcome, MotionResult, MotionStop
from core.toi.plane import ArcStep, GrownEdgeStep, PlaneMotion, difference_steps
from core.toi.ray import motion_raycast_steps
from core.trace import record, run
from tests.core import planar_motions as motions
from tests.core.planar_motions import FAMILIES, MAKERS, Family, distance, faults, general, larger, relative_way, turning
from tests.core.planar_samples import moved, past_failures, resized, size_of

SQUARE = Polygon.of([(-1, -1), (1, -1), (1, 1), (-1, 1)])
TRIANGLE = Polygon.of([(-1, -1), (1, -1), (0, 1)])
BALL = Circle(0.5)
PAIRS = tuple(product(MAKERS, repeat=2))

by_pair = pytest.mark.parametrize("pair", PAIRS, ids="-".join)


def answered(scene: Scene) -> SweepAnswer:
    found = sweep(scene)
    assert found is not None
    return found


def moving(a: object, b: object, offset: tuple[float, float], way: tuple[float, float]) -> Scene:
    return Scene(Body.in_plane(a), Body.in_plane(b, offset, displacement=way))


def tolerance(scene: Scene, method: MotionMethod) -> float:
    """What may be left at the reported time: 1e-9 (L + |T|), for advancement 1e-6 L."""
    return 1e-6 * larger(scene) if method is MotionMethod.ADVANCEMENT else 1e-9 * size_of(scene)


def judged(scene: Scene, found: SweepAnswer) -> None:
    assert found.disagreements == ()
    for trace in found.traces:
        said = faults(scene, trace.result, tolerance(scene, trace.method))
        assert not said, (trace.method, trace.result.stop, said)
        undecided = trace.result.outcome is MotionOutcome.ITERATION_LIMIT
        assert not undecided or trace.method is MotionMethod.INTERVALS


@pytest.mark.parametrize(
    ("scene", "stop", "time", "axis"),
    [
        (moving(SQUARE, SQUARE, (5, 0.25), (-6, 0)), MotionStop.HIT, 0.5, "A.edge1"),
        (moving(SQUARE, TRIANGLE, (5, 0.25), (-6, 0)), MotionStop.HIT, 0.5, "A.edge1"),
        (moving(TRIANGLE, SQUARE, (0, 5), (0, -6)), MotionStop.HIT, 0.5, "B.edge0"),
        (moving(SQUARE, BALL, (5, 0.25), (-7, 0)), MotionStop.HIT, 0.5, "A.edge1"),
        (moving(SQUARE, BALL, (5, 1.3), (-6, 0)), MotionStop.HIT, 0.6, "A.v2→B"),
        (moving(BALL, SQUARE, (-5, -1.3), (6, 0)), MotionStop.HIT, 0.6, "A→B.v2"),
        (moving(Circle(1.0), BALL, (5, 1.2), (-8.2, 0)), MotionStop.HIT, 4.1 / 8.2, "A→B"),
        (moving(SQUARE, SQUARE, (5, 2.5), (-9, 0)), MotionStop.PASSES_BY, None, None),
        (moving(SQUARE, BALL, (3, 1.4), (-9, 9)), MotionStop.PASSES_BY, None, None),
        (moving(SQUARE, BALL, (3, 3.1), (-2.6, -2.6)), MotionStop.HIT, None, "A.v2→B"),
        (moving(SQUARE, SQUARE, (5, 0), (-2.9, 0)), MotionStop.OUT_OF_TIME, None, "A.edge1"),
        (moving(SQUARE, SQUARE, (5, 0), (1, 0)), MotionStop.MOVING_AWAY, None, "A.edge1"),
        (moving(SQUARE, BALL, (5, 0), (1, 0)), MotionStop.MOVING_AWAY, None, "A.edge1"),
        (moving(SQUARE, SQUARE, (1, 0), (9, 0)), MotionStop.OVERLAPPING_AT_START, 0.0, None),
        (moving(SQUARE, SQUARE, (2, 0.3), (9, 0)), MotionStop.TOUCHING_AT_START, 0.0, None),
        (moving(SQUARE, SQUARE, (5, 2), (-6, 0)), MotionStop.HIT, 0.5, None),  # slides on: l·d = 0, and touching
        (moving(SQUARE, BALL, (5, 1.5), (-8, 0)), MotionStop.HIT, 0.5, None),
        (moving(SQUARE, TRIANGLE, (0.5, 3), (0, -3)), MotionStop.HIT, 1.0 / 3.0, "A.edge2"),
    ],
)  # fmt: skip
def test_every_way_out_by_hand(scene: Scene, stop: MotionStop, time: float | None, axis: str | None) -> None:
    found = answered(scene)
    judged(scene, found)
    result = found.result
    if stop is MotionStop.HIT and result.stop is MotionStop.GRAZING:
        # Sliding on along a side and into a corner is both, and which of them is rounding's choice.
        assert axis is None
    else:
        assert result.stop is stop
    if time is not None:
        assert result.time == pytest.approx(time, abs=1e-13)
    if axis is not None:
        assert result.axis == axis


@pytest.mark.parametrize("scene", past_failures(), ids=lambda scene: scene.name)
def test_past_failures_are_mended(scene: Scene) -> None:
    if any(relative_way(scene)):
        judged(scene, answered(scene))


def test_no_motion_has_no_answer_and_moving_together_is_no_motion() -> None:
    assert sweep(Scene(Body.in_plane(SQUARE), Body.in_plane(BALL, (3, 0)))) is None
    together = Scene(Body.in_plane(SQUARE, displacement=(4, 5)), Body.in_plane(BALL, (3, 0), displacement=(4, 5)))
    assert {trace.result.stop for trace in answered(together).traces} == {MotionStop.NO_MOTION}


def test_the_closed_form_shows_every_line_and_the_arc_that_decides() -> None:
    scene = moving(SQUARE, BALL, (5, 1.3), (-6, 0))
    recording = record(difference_steps(PlaneMotion.of(scene.a, scene.b)))
    *edges, arc = recording.steps
    assert [type(step) for step in edges] == [GrownEdgeStep] * 4
    assert isinstance(arc, ArcStep)
    by_label = {step.label: step for step in edges}
    assert {label: step.time for label, step in by_label.items() if step.time is not None} == pytest.approx(
        {"A.edge1": 3.5 / 6.0, "A.edge3": 6.5 / 6.0}
    )
    across = by_label["A.edge2"]
    assert (across.speed, across.height) == (0.0, pytest.approx(-0.2))
    for step in edges:
        for end in (step.start, step.end):
            assert np.dot(step.normal, end) == pytest.approx(-step.height)
    last = edges[-1]
    assert (last.latest, last.earliest, last.apart) == (pytest.approx(3.5 / 6.0), pytest.approx(6.5 / 6.0), False)
    assert arc.entered == pytest.approx(3.5 / 6.0)
    assert arc.nearest == pytest.approx(0.3)
    assert (arc.time, arc.stop) == (pytest.approx(0.6), MotionStop.HIT)
    assert recording.result.normal == pytest.approx((0.8, 0.6, 0.0))


def test_every_step_but_the_last_goes_on() -> None:
    rng = np.random.default_rng(4)
    for pair in PAIRS:
        scene = general(rng, *(MAKERS[kind] for kind in pair))
        found = answered(scene)
        best = found.traces[0]
        stops = [step.stop for step in best.steps]
        assert stops[:-1] == [None] * (len(stops) - 1)
        assert not stops or stops[-1] is best.result.stop


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
@by_pair
@pytest.mark.sampled(4, "random")
def test_every_method_is_right(family: Family, pair: tuple[str, str]) -> None:
    rng = np.random.default_rng([51, FAMILIES.index(family), PAIRS.index(pair)])
    for _ in range(12):
        scene = family(rng, *(MAKERS[kind] for kind in pair))
        if any(relative_way(scene)) or any(scene.a.displacement):
            judged(scene, answered(scene))


def test_all_outcomes_come_about() -> None:
    stops: Counter[MotionStop] = Counter()
    rng = np.random.default_rng(52)
    for _ in range(40):
        for family in FAMILIES:
            kinds = [MAKERS[str(kind)] for kind in rng.choice(list(MAKERS), 2)]
            found = sweep(family(rng, *kinds))
            if found is not None:
                stops[found.result.stop] += 1
    wanted = set(MotionStop) - {
        MotionStop.AXES_DO_NOT_SUFFICE,
        MotionStop.NO_PROGRESS,
        MotionStop.ITERATION_LIMIT,
    }
    assert set(stops) == wanted


@by_pair
def test_bodies_that_turn(pair: tuple[str, str]) -> None:
    rng = np.random.default_rng([53, PAIRS.index(pair)])
    for _ in range(4):
        scene = turning(rng, *(MAKERS[kind] for kind in pair))
        judged(scene, answered(scene))


@pytest.mark.parametrize("angle", [0.0, 400.0, 2.0**53, -1e300])
def test_a_bar_swings_into_a_ball_at_the_angle_of_geometry(angle: float) -> None:
    bar = Polygon.of([(-3, -0.5), (3, -0.5), (3, 0.5), (-3, 0.5)])
    # The whole scene is turned by `angle`, of which sine and cosine are exact however large it is.
    scene = Scene(
        Body.in_plane(bar, angle=angle, angular_displacement=math.pi / 2),
        Body.in_plane(BALL, vec2.rotated((0.0, 2.0), angle)),
    )
    found = answered(scene)
    assert [trace.method for trace in found.traces] == [MotionMethod.ADVANCEMENT]
    # In the bar's frame the centre is at 2 (sin, cos): the half width and the radius above the middle.
    turned = found.result.time * math.pi / 2
    assert 2.0 * math.cos(turned) == pytest.approx(1.0, abs=1e-7)
    normal = vec2.rotated((-math.sin(turned), math.cos(turned)), angle)
    np.testing.assert_allclose(found.result.normal, (*normal, 0.0), atol=1e-7)
    (contact,) = found.contacts
    assert (contact.feature_a, contact.feature_b) == ("edge2", "centre")


def test_circles_do_not_show_their_turn() -> None:
    scene = moving(Circle(1.0), BALL, (5, 0), (-7, 0))
    scene = replace(scene, b=replace(scene.b, angular_displacement=(0.0, 0.0, 9.0)))
    found = answered(scene)
    assert found.method is MotionMethod.DIFFERENCE
    (step,) = found.traces[0].steps
    assert (step.label, step.entered, step.radius) == ("A→B", None, 1.5)
    assert found.result.time == pytest.approx(0.5)


def test_an_edge_that_meets_an_edge_has_two_contacts_and_a_corner_one() -> None:
    found = answered(moving(SQUARE, SQUARE, (5, 0.5), (-6, 0)))
    assert sorted((tuple(c.position.tolist()), c.feature_a, c.feature_b) for c in found.contacts) == [
        ((1.0, -0.5, 0.0), "edge1", "v0"),
        ((1.0, 1.0, 0.0), "v2", "edge3"),
    ]
    assert (found.result.contact.a.name, found.result.contact.b.name) == ("edge1", "edge3")
    found = answered(moving(SQUARE, TRIANGLE, (0.25, 3), (0, -4)))
    assert sorted((c.feature_a, c.feature_b) for c in found.contacts) == [("edge2", "v0"), ("v2", "edge0")]
    found = answered(moving(TRIANGLE, SQUARE, (0.25, 3), (0, -4)))
    assert [(c.feature_a, c.feature_b) for c in found.contacts] == [("v2", "edge0")]
    assert found.contacts[0].position == pytest.approx((0.0, 1.0, 0.0))


def same(one: MotionResult, other: MotionResult, scene: Scene) -> None:
    """The same outcome at the same time: as far as the distance it makes tells."""
    assert one.outcome is other.outcome
    if one.time is None or other.time is None:
        return
    closing = abs(float(relative_way(scene) @ one.normal[:2])) + 1e-12
    assert abs(one.time - other.time) * closing <= 1e-9 * size_of(scene)


@by_pair
@pytest.mark.sampled(4, "random")
def test_nothing_depends_on_the_point_of_view(pair: tuple[str, str]) -> None:
    rng = np.random.default_rng([54, PAIRS.index(pair)])
    for _ in range(8):
        scene = general(rng, *(MAKERS[kind] for kind in pair))
        found = answered(scene).result
        swapped = answered(scene.swapped()).result
        same(found, swapped, scene)
        if found.outcome is MotionOutcome.HIT:
            np.testing.assert_allclose(-swapped.normal, found.normal, atol=1e-6)
            np.testing.assert_allclose(swapped.witness_b, found.witness_a, atol=1e-7 * size_of(scene))
        # The whole turned and moved, at another size, and both carried along by a third motion.
        angle, by = float(rng.uniform(-3, 3)), motions.pair(rng.normal(size=2))
        turned = moved(scene, by, angle)
        same(found, answered(replace(turned, a=_spun(turned.a, angle), b=_spun(turned.b, angle))).result, scene)
        for factor in (1e-6, 1e6):
            larger_one = resized(scene, factor)
            a, b = (
                replace(body, displacement=tuple((factor * np.array(body.displacement)).tolist()))
                for body in (larger_one.a, larger_one.b)
            )
            same(found, answered(replace(larger_one, a=a, b=b)).result, scene)
        drift = np.append(rng.normal(size=2), 0.0)
        a, b = (
            replace(body, displacement=tuple((drift + np.array(body.displacement)).tolist()))
            for body in (scene.a, scene.b)
        )
        same(found, answered(Scene(a, b)).result, scene)


def _spun(body: Body, angle: float) -> Body:
    """With its way turned as the whole was."""
    (x, y, _), c, s = body.displacement, math.cos(angle), math.sin(angle)
    return replace(body, displacement=(c * x - s * y, s * x + c * y, 0.0))


@by_pair
def test_a_motion_reversed_ends_where_it_was_left(pair: tuple[str, str]) -> None:
    """From half way to the contact the bodies part on the way back, and meet after the other half on the way on."""
    rng = np.random.default_rng([55, PAIRS.index(pair)])
    for _ in range(6):
        scene = general(rng, *(MAKERS[kind] for kind in pair))
        found = answered(scene).result
        if found.outcome is not MotionOutcome.HIT or found.time is None:
            continue
        way = relative_way(scene)
        half = motions.standing(scene, 0.5 * found.time)
        assert answered(motions.with_way(half, -way)).outcome is MotionOutcome.SEPARATED
        again = answered(motions.with_way(half, way)).result
        same(replace(again, time=again.time + 0.5 * found.time), found, scene)


def solid(scene: Scene) -> Scene:
    """Circles as spheres, and polygons as prisms so tall that their lids have no say."""
    bodies = []
    for body in (scene.a, scene.b):
        if isinstance(body.shape, Circle):
            shape: Hull | Sphere = Sphere(body.shape.radius)
        else:
            points = [body.shape.points[k] for k in body.shape.ring]
            shape = Hull.of([(x, y, z) for x, y in points for z in (-20.0, 20.0)])
        rotation = from_axis_angle((0.0, 0.0, 1.0), body.angle)
        bodies.append(Body(shape, body.position, rotation, body.displacement, body.angular_displacement))
    return Scene(*bodies)


@pytest.mark.parametrize("pair", list(product(("polygon", "circle", "regular"), repeat=2)), ids="-".join)
def test_prisms_and_spheres_in_space_meet_when_polygons_and_circles_do(pair: tuple[str, str]) -> None:
    rng = np.random.default_rng(56)
    for _ in range(8):
        scene = general(rng, *(MAKERS[kind] for kind in pair))
        found, there = answered(scene).result, sweep(solid(scene))
        assert there is not None
        same(found, there.result, scene)
        if found.outcome is MotionOutcome.HIT:
            np.testing.assert_allclose(there.result.normal, found.normal, atol=1e-6)


@pytest.mark.parametrize("pair", [("regular", "regular"), ("regular", "circle")], ids="-".join)
def test_prisms_that_turn_meet_when_polygons_do(pair: tuple[str, str]) -> None:
    rng = np.random.default_rng(57)
    for _ in range(5):
        scene = turning(rng, *(MAKERS[kind] for kind in pair))
        found, there = answered(scene).result, sweep(solid(scene))
        assert there is not None
        assert there.outcome is found.outcome
        if found.time is not None:
            # Either arrives at a distance of its own below the tolerance.
            assert abs(distance(scene, there.result.time) - distance(scene, found.time)) <= 1e-6 * larger(scene)


def test_a_bullet_does_not_tunnel_whatever_its_speed() -> None:
    wall = Body.in_plane(Polygon.of([(-0.005, -2), (0.005, -2), (0.005, 2), (-0.005, 2)]))
    for speed in (1e1, 1e3, 1e6):
        for shape in (Circle(0.05), TRIANGLE):
            bullet = Body.in_plane(shape, (-0.5 * speed, 0.1), displacement=(speed, 0.0))
            scene = Scene(wall, bullet)
            assert distance(scene, 0.0) > 1.0
            assert distance(scene, 1.0) > 1.0
            found = answered(scene)
            assert found.outcome is MotionOutcome.HIT
            judged(scene, found)


def test_methods_by_themselves_refuse_what_turns() -> None:
    spun = Scene(Body.in_plane(SQUARE, angular_displacement=1.0), Body.in_plane(TRIANGLE, (3, 0)))
    motion = PlaneMotion.of(spun.a, spun.b)
    with pytest.raises(ValueError, match="turn"):
        run(difference_steps(motion))
    with pytest.raises(ValueError, match="turn"):
        run(motion_raycast_steps(motion))
    assert advancement(motion).outcome is not MotionOutcome.ITERATION_LIMIT


def test_the_plane_asks_for_its_own_distances() -> None:
    """The hull of a flat polygon has no volume: space's own distance of it is not what counts."""
    scene = moving(SQUARE, TRIANGLE, (1.5, 0.2), (3, 0))
    motion = PlaneMotion.of(scene.a, scene.b)
    assert isinstance(motion, Motion)
    assert motion.start.separation == pytest.approx(distance(scene, 0.0))
    a, b = motion.at(0.25)
    assert a == replace(scene.a, displacement=(0.0, 0.0, 0.0))
    assert b.position == (1.5 + 0.75, 0.2, 0.0)


def test_the_latest_entry_is_named_after_the_edge_that_is_met_and_the_earliest_exit_after_the_one_left() -> None:
    for scene, entered, left in (
        (moving(SQUARE, TRIANGLE, (5, 0.25), (-8, 0)), "A.edge1", "A.edge3"),
        (moving(SQUARE, TRIANGLE, (-5, 0.25), (8, 0)), "A.edge3", "A.edge1"),
        (moving(TRIANGLE, SQUARE, (5, -0.25), (-8, 0)), "B.edge3", "B.edge1"),
    ):
        axes = answered(scene).axes
        assert axes.latest_entry is not None
        assert axes.earliest_exit is not None
        assert axes.candidates[axes.latest_entry].label == entered
        assert axes.candidates[axes.earliest_exit].label == left
        assert axes.entries[axes.latest_entry] == axes.entries.max()
        assert axes.exits[axes.earliest_exit] == axes.exits.min()


@pytest.mark.parametrize("way", [(-1e-200, 0.0), (-1e-300, 0.0), (-1e-308, 1e-308), (-1e30, 0.0)])
@pytest.mark.parametrize("shape", [SQUARE, BALL])
def test_ways_as_tiny_and_as_huge_as_numbers_go(shape: Polygon | Circle, way: tuple[float, float]) -> None:
    for other in (SQUARE, Circle(1.0)):
        found = answered(moving(other, shape, (5.0, 0.25), way))
        assert found.disagreements == ()
        assert found.outcome is (MotionOutcome.HIT if way[0] == -1e30 else MotionOutcome.SEPARATED)
