"""The bodies' motion without a window: times, words, what is drawn of it, and what the charts show."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.draw_list import DrawList, Subject
from app.draw.theme import DARK
from app.io.presets import load_preset
from app.io.view_file import from_tree, to_tree
from app.overlays.context import Context
from app.overlays.regions import ALL
from app.panels.motion_charts import MOST_ROWS, Lines, advancement_path, rows_in_table, shown_rows, stretch_words
from app.render.pictures import DrawLists, build
from app.state.playback import DistanceCurve, at_impact, body_at, distances_looked_at, scene_at, shown_time
from app.state.view import DEFAULT_OVERLAYS, View
from app.storage.strict_json import DataError
from app.words.digits import Digits, instant, written_with
from app.words.motion_words import answer_words, frame_test_words, outcome_words
from core.analysis.analysis import analyse
from core.analysis.motion_answers import SweepAnswer, sweep
from core.geometry import quaternion
from core.minkowski.difference import difference
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Sphere
from core.toi import MotionMethod
from core.toi.motion import Motion, nearness

PRESETS = (
    "tunnelling",
    "grazing-spheres",
    "sphere-past-a-box",
    "box-lands-on-a-plane",
    "turning-boxes",
    "resting-and-sliding",
)
TURNED = quaternion.from_euler_xyz(0.3, 0.4, 0.5)


def scene_of(name: str) -> Scene:
    return load_preset(name).scene


def answer_of(name: str) -> SweepAnswer:
    found = sweep(scene_of(name))
    assert found is not None
    return found


def drawn(scene: Scene, **view: object) -> DrawLists:
    looked = replace(View(), **view)
    return build(
        Context(scene, analyse(scene), looked, DARK, sweep=sweep(scene) if looked.shows_motion(scene) else None)
    )


def texts(draw: DrawList) -> list[str]:
    return [label.text for label in draw.labels]


def outlines(draw: DrawList, subject: Subject) -> list[np.ndarray]:
    return [solid.corners.reshape(-1, 3) for solid in draw.solids if solid.subjects[0] == subject]


# Times.


def test_the_time_shown_is_the_chosen_one_else_the_impact_else_the_end() -> None:
    hit = answer_of("tunnelling")
    apart = sweep(Scene(Body(Sphere(1.0)), Body(Sphere(1.0), (3.0, 0.0, 0.0), displacement=(1.0, 0.0, 0.0))))
    assert shown_time(View(time=0.25), hit) == 0.25
    assert shown_time(View(), hit) == hit.result.time
    assert shown_time(View(), apart) == shown_time(View(), None) == 1.0
    assert at_impact(View(), hit)
    assert not at_impact(View(time=0.25), hit)
    assert not at_impact(View(), apart)


@pytest.mark.parametrize("time", [0.0, 0.3, 1.0])
def test_a_body_on_its_way_stands_where_the_motion_has_it(time: float) -> None:
    scene = scene_of("turning-boxes")
    motion = Motion.of(scene.a, scene.b)
    for body, relative in zip((scene.a, scene.b), motion.at(time), strict=True):
        there = body_at(body, time)
        assert np.allclose(there.pose.position, motion.world(relative.pose.position, time), atol=1e-15)
        assert np.allclose(there.pose.matrix, relative.pose.matrix, atol=1e-15)


def test_the_curve_is_the_distance_at_every_time_coarse_ones_first() -> None:
    scene = scene_of("turning-boxes")
    curve = DistanceCurve(Motion.of(scene.a, scene.b))
    curve.work(0.0)
    assert curve.points[0].tolist() == [0.0]
    while not curve.complete:
        curve.work(0.01)
    times, values = curve.points
    assert times.tolist() == [k / 128 for k in range(129)]
    for k in (0, 37, 128):
        there = scene.a, scene.b
        a, b = (body_at(body, float(times[k])) for body in there)
        assert values[k] == pytest.approx(analyse(Scene(a, b)).separation, abs=1e-9)


@pytest.mark.parametrize("name", ["turning-boxes", "sphere-past-a-box"])
def test_the_curve_takes_what_advancement_has_looked_at(name: str) -> None:
    found = sweep(scene_of(name))
    known = distances_looked_at(found)
    assert known
    curve, alone = DistanceCurve(found.motion, known), DistanceCurve(found.motion)
    assert curve.points[0].tolist() == sorted(time for time, _ in known)
    curve.work(0.0)
    assert 1.0 in curve.points[0]
    while not (curve.complete and alone.complete):
        curve.work(0.01)
        alone.work(0.01)
    assert set(curve.points[0]) == set(alone.points[0]) | {time for time, _ in known}
    assert np.allclose(np.interp(alone.points[0], *curve.points), alone.points[1], atol=1e-12)
    assert np.all(np.diff(curve.points[0]) > 0.0)


# The view.


def test_motion_is_shown_where_there_is_any_unless_it_was_switched() -> None:
    still, moving = scene_of("skew-edges"), scene_of("tunnelling")
    assert View().shows_motion(moving)
    assert not View().shows_motion(still)
    assert View(motion=True).shows_motion(still)
    assert not View(motion=False).shows_motion(moving)


@pytest.mark.parametrize(("motion", "time"), [(None, None), (True, 0.0), (False, 0.125), (None, 1.0)])
def test_a_file_keeps_the_time_and_the_switch(motion: bool | None, time: float | None) -> None:
    tree = to_tree(View(motion=motion, time=time))
    assert ("motion" in tree, "time" in tree) == (motion is not None, time is not None)
    back = from_tree(tree)
    assert (back.motion, back.time) == (motion, time)


@pytest.mark.parametrize("value", [-0.1, 1.5, "0.5", None, True])
def test_a_time_outside_of_the_motion_is_refused(value: object) -> None:
    with pytest.raises(DataError, match=r"view\.time"):
        from_tree(to_tree(View()) | {"time": value})


# Words.


def test_tunnelling_is_told_where_both_frames_miss_the_hit() -> None:
    words = frame_test_words(answer_of("tunnelling"))
    assert words.endswith("A test of these frames alone misses the hit: tunnelling.")
    assert "tunnelling" not in frame_test_words(answer_of("box-lands-on-a-plane"))
    assert "tunnelling" not in frame_test_words(answer_of("resting-and-sliding"))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("tunnelling", "They touch at t = 0.422, a face of A against a vertex of B"),
        ("grazing-spheres", "They touch at t = 0.6"),
        ("turning-boxes", "an edge of A against an edge of B"),
        ("resting-and-sliding", "They already touch at the start, a face of A against a face of B"),
    ],
)
def test_the_outcome_in_words(name: str, expected: str) -> None:
    assert expected in outcome_words(answer_of(name))


@written_with(Digits.SIX)
def test_every_method_says_something_about_every_preset() -> None:
    said = {answer_words(trace.result) for name in PRESETS for trace in answer_of(name).traces}
    assert "hit at 0.422447" in said
    assert "overlap at the start" in said
    assert all(said)


# Pictures.


@pytest.mark.parametrize("time", [None, 0.0, 0.4, 1.0])
@pytest.mark.parametrize("name", PRESETS)
def test_ghosts_stand_where_the_bodies_are(name: str, time: float | None) -> None:
    scene, found = scene_of(name), answer_of(name)
    pictures = drawn(scene, time=time)
    when = shown_time(View(time=time), found)
    for index in (0, 1):
        body = scene.body(index)
        moving = any(body.displacement) or any(body.angular_displacement)
        ghosts = outlines(pictures.world, Subject("ghost", index))
        assert len(ghosts) == (moving and when > 0.0)
        if ghosts:
            there = body_at(body, when)
            for direction in np.vstack((np.eye(3), -np.eye(3))):
                reach = float(
                    there.pose.position @ direction + there.shape.reach(there.pose.direction_to_local(direction))
                )
                assert float((ghosts[0] @ direction).max()) == pytest.approx(reach, abs=0.01)
        assert len(outlines(pictures.world, Subject("body", index))) == (not isinstance(body.shape, HalfSpace))


@pytest.mark.parametrize("shape", [Capsule(0.3, 0.8), Cylinder(0.4, 1.0), Cone(0.5, 1.0), Ellipsoid((0.3, 0.5, 0.4))])
@pytest.mark.parametrize("turn", [0.0, 1.2])
def test_every_shape_can_be_on_its_way(shape: Capsule | Cylinder | Cone | Ellipsoid, turn: float) -> None:
    moving = Body(shape, (2.0, 0.3, 0.0), TURNED, (-2.0, 0.0, 0.2), (0.0, 0.0, turn))
    for scene in (Scene(Body(Box((1.0, 1.0, 1.0))), moving), Scene(moving, Body(HalfSpace((0.0, 1.0, 0.0), -2.0)))):
        for time in (None, 0.7):
            pictures = drawn(scene, time=time)
            arrays = [
                array for draw in (pictures.world, pictures.difference) for s in draw.solids for array in (s.corners,)
            ]
            assert all(np.isfinite(array).all() for array in arrays)


@written_with(Digits.SIX)
def test_what_is_about_the_start_goes_while_the_bodies_are_on_their_way() -> None:
    scene = scene_of("tunnelling")
    assert any(text.startswith("distance 1.779") for text in texts(drawn(scene, time=0.0).world))
    on_the_way = drawn(scene, time=0.25)
    assert not any(
        text.startswith("distance 1.779") for text in (*texts(on_the_way.world), *texts(on_the_way.difference))
    )
    assert any(text.endswith("at t = 0.25") for text in texts(on_the_way.world))
    assert not any("winner" in text for text in texts(on_the_way.world))
    assert any("A.y" in text for text in texts(drawn(scene, time=0.25, hover=Subject("axis", 1)).world))


@written_with(Digits.SIX)
def test_nothing_of_the_motion_is_drawn_when_it_is_hidden() -> None:
    scene = scene_of("tunnelling")
    hidden = drawn(scene, motion=False)
    still = drawn(replace(scene, b=replace(scene.b, displacement=(0.0, 0.0, 0.0))))
    assert texts(hidden.world) == texts(still.world)
    assert len(hidden.world.marks) == len(still.world.marks)
    assert "impact at t = 0.422447" in texts(drawn(scene).world)


def test_the_origin_goes_through_the_difference_and_enters_it_at_the_impact() -> None:
    scene, found = scene_of("tunnelling"), answer_of("tunnelling")
    way = np.array(scene.b.displacement)
    difference = drawn(scene).difference
    path = [s for s in difference.segments if np.allclose(s.end[-1], way) and not s.start[0].any()]
    assert len(path) == 1
    entry = found.result.time * way
    assert any(np.allclose(marks.points[0], entry) for marks in difference.marks)
    solid = analyse(scene).difference
    assert solid is not None
    heights = solid.core.normals @ entry - solid.core.offsets
    assert float(heights.max()) == pytest.approx(0.0, abs=1e-12)


def test_the_difference_of_turning_bodies_is_drawn_at_the_time_shown_and_touches_the_origin_at_the_impact() -> None:
    scene, time = scene_of("turning-boxes"), answer_of("turning-boxes").result.time
    pictures = drawn(scene)
    assert {"A − B at the start", f"A − B at t = {instant(time)}"} <= set(texts(pictures.difference))
    there = scene_at(scene, time)
    core = difference(there.a, there.b).core
    solid = max(pictures.difference.solids, key=lambda each: float(each.rgba[0, 3]))
    corners = np.unique(solid.corners.reshape(-1, 3).round(9), axis=0)
    np.testing.assert_allclose(corners, np.unique(core.vertices.round(9), axis=0), atol=1e-8)
    assert float((-core.offsets).max()) == pytest.approx(0.0, abs=1e-6)
    assert "A − B at the start: it also turns" in texts(drawn(scene, time=0.0).difference)


@written_with(Digits.SIX)
def test_the_effective_radius_reaches_to_the_nearest_vertex() -> None:
    scene = scene_of("box-lands-on-a-plane")
    polyhedron = scene.b.shape.polyhedron
    assert polyhedron is not None
    lowest = scene.b.pose.to_world(polyhedron.vertices)[:, 1].min()
    words = next(text for text in texts(drawn(scene, time=0.0).world) if text.startswith("effective radius"))
    assert float(words.split()[-1]) == pytest.approx(scene.b.position[1] - lowest, rel=1e-5)


# A sphere and a box.


def distance_to_box(points: np.ndarray, half: np.ndarray) -> np.ndarray:
    outside = np.maximum(np.abs(points) - half, 0.0)
    return np.sqrt((outside**2).sum(axis=1))


@pytest.mark.parametrize("swapped", [False, True])
def test_the_grown_box_is_as_far_from_the_box_as_the_radius(swapped: bool) -> None:
    scene = scene_of("sphere-past-a-box")
    shown = scene.swapped() if swapped else scene
    pictures = drawn(shown)
    grown = [
        points
        for points in (solid.corners.reshape(-1, 3) for solid in pictures.world.solids if solid.glass)
        if len(points) > 1200
        and np.allclose(distance_to_box(scene.a.pose.to_local(points), scene.a.shape.half_extents), 0.4)
    ]
    assert len(grown) == 1


@pytest.mark.parametrize(
    ("time", "lit"), [(0.0, "<−1, +1, 0>"), (0.3, "<0, +1, 0>"), (None, "<0, +1, +1>"), (1.0, "<+1, +1, +1>")]
)
def test_the_region_that_the_centre_is_in_is_lit(time: float | None, lit: str) -> None:
    labels = drawn(scene_of("sphere-past-a-box"), time=time).world.labels
    named = [label for label in labels if label.text.startswith("<")]
    assert sorted(label.text.split("> ")[0].rstrip(">") for label in named) == sorted(
        ["<−1, +1, 0", "<0, +1, 0", "<0, +1, +1", "<+1, +1, +1"]
    )
    assert [label.text.startswith(lit) for label in named if label.bold] == [True]


def test_all_regions_are_named_on_demand_and_each_once() -> None:
    labels = texts(drawn(scene_of("sphere-past-a-box"), shown=DEFAULT_OVERLAYS | {ALL}).world)
    names = [text.split(">")[0] for text in labels if text.startswith("<")]
    assert len(names) == len(set(names)) == 27


def test_crossings_are_marked_where_a_coordinate_reaches_the_box() -> None:
    scene = scene_of("sphere-past-a-box")
    crossings = next(
        marks.points
        for marks in drawn(scene).world.marks
        if len(marks.points) == 3 and marks.subjects[0].kind == "none"
    )
    local = np.abs(scene.a.pose.to_local(crossings)) - scene.a.shape.half_extents
    assert np.abs(local).min(axis=1) == pytest.approx(0.0, abs=1e-12)


# The charts.


def test_rows_of_the_motion_are_rows_of_the_axis_table() -> None:
    for name in ("tunnelling", "resting-and-sliding"):
        found = answer_of(name)
        table = analyse(scene_of(name)).sat
        rows = rows_in_table(found.axes, table)
        assert rows
        for row, other in rows.items():
            assert found.axes.candidates[row].label == table.candidates[other].label


def test_of_many_axes_those_that_decide_are_shown() -> None:
    hulls = load_preset("two-hulls").scene
    scene = replace(hulls, b=replace(hulls.b, position=(4.0, 1.0, 0.3), displacement=(-4.0, -0.2, 0.0)))
    axes = sweep(scene).axes
    rows = shown_rows(axes)
    assert len(axes.candidates) > len(rows) == MOST_ROWS
    assert rows == sorted(set(rows))
    assert {axes.latest_entry, axes.earliest_exit} <= set(rows)


def test_the_time_line_holds_the_interval_and_what_lies_beyond_at_its_ends() -> None:
    lines = Lines.between(10.0, 146.0)
    assert (lines.left, lines.right) == (10.0, 146.0)
    assert lines.x_of(-inf) == lines.x_of(-5.0) == 10.0
    assert lines.x_of(inf) == lines.x_of(9.0) == 146.0
    assert lines.x_of(0.5) == pytest.approx(78.0)
    assert 10.0 < lines.zero < lines.one < 146.0


def test_a_stretch_in_words() -> None:
    assert stretch_words(0.25, 0.75) == "the intervals overlap from t = 0.25 to 0.75"
    assert "always overlap" in stretch_words(-inf, inf)
    assert "never overlap" in stretch_words(inf, -inf)


@pytest.mark.parametrize("name", ["tunnelling", "grazing-spheres", "turning-boxes"])
def test_the_saw_of_advancement_stays_under_the_curve_and_before_the_impact(name: str) -> None:
    found = answer_of(name)
    times, values, looks, seen = advancement_path(found)
    steps = next(trace.steps for trace in found.traces if trace.method is MotionMethod.ADVANCEMENT)
    assert len(looks) == len(steps)
    assert float(times.max()) <= found.result.time + 1e-9
    for time, value in zip(times.tolist(), values.tolist(), strict=True):
        assert value <= nearness(*found.motion.at(time)).separation + 1e-9
    for time, distance in zip(looks.tolist(), seen.tolist(), strict=True):
        assert distance == pytest.approx(nearness(*found.motion.at(time)).separation, abs=1e-12)
