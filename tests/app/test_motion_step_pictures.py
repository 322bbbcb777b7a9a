"""Pictures of the motion's steps, without a GPU: what both panes show is the step's own, at the step's time."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.draw_list import DrawList, Marker, Subject
from app.draw.theme import DARK, THEMES
from app.io.presets import load_preset
from app.overlays.context import Context
from app.render.pictures import DrawLists, build
from app.stages import at_its_step
from app.state.playback import body_at, scene_at
from app.state.view import View
from app.words.digits import signed
from app.words.names import named_axis
from core.analysis.analysis import analyse
from core.analysis.motion_answers import sweep
from core.geometry.vector import Array
from core.pair.support import support_maps
from core.query.motion_steps import axis_of, with_motion
from core.query.query import MotionStep, Phase, Query, query
from core.rays.raycast import GjkRaycastStep
from core.scene import Body, Scene
from core.shapes import Cone, HalfSpace, Sphere
from core.toi.advancement import AdvancementStep
from core.toi.intervals import IntervalStep, SweptAxisStep
from core.toi.motion import MotionStop
from core.toi.spheres import SphereBoxStep, SpheresStep

from .motion_step_samples import ALL, MORE, asked
from .test_step_pictures import sources_of

OF_SPACE = tuple(name for name in ALL if name in MORE or load_preset(name).scene.dimension == 3)


def context_of(found: Query, place: int, **view: object) -> Context:
    return Context(found.analysis.scene, found.analysis, replace(View(), **view), DARK, found, place, sweep=found.sweep)


def picture(found: Query, place: int, **view: object) -> DrawLists:
    return build(context_of(found, place, **view))


def steps(found: Query, *kinds: type) -> list[tuple[int, MotionStep]]:
    return [
        (place, moment.step)
        for place, moment in enumerate(found.moments)
        if isinstance(moment.step, MotionStep) and (not kinds or isinstance(moment.step.motion, kinds))
    ]


def arrays_of(draw: DrawList) -> list[Array]:
    found = [array for s in draw.segments for array in (s.start, s.end, s.start_rgba, s.start_lift, s.end_lift)]
    found += [array for s in draw.solids for array in (s.corners, s.corner_normals, s.rgba)]
    found += [sheet.points for sheet in draw.sheets] + [marks.points for marks in draw.marks]
    return found + [label.point for label in draw.labels]


def marked(draw: DrawList, shape: Marker) -> Array:
    return np.concatenate([np.zeros((0, 3)), *(marks.points for marks in draw.marks if marks.shape is shape)])


def has_row(rows: Array, row: Array, tolerance: float = 0.0) -> bool:
    return bool((np.abs(rows - row) <= tolerance).all(axis=1).any())


def has_line(draw: DrawList, start: Array, end: Array, tolerance: float = 1e-12) -> bool:
    return any(
        has_row(np.hstack((s.start, s.end)), np.concatenate((start, end)), tolerance)
        for s in draw.segments
        if s.group < 0
    )


@pytest.mark.parametrize("name", ALL)
@pytest.mark.sampled(3, "scenes")
def test_every_step_has_a_picture_of_finite_numbers_and_labels_of_their_own(name: str) -> None:
    found = asked(name)
    for place, _ in steps(found):
        drawn = picture(found, place)
        assert [label.text for label in drawn.difference.labels].count("origin") == 1
        for draw in (drawn.world, drawn.difference):
            assert arrays_of(draw)
            assert all(np.isfinite(array).all() for array in arrays_of(draw))
            texts = [label.text for label in draw.labels]
            assert len(set(texts)) == len(texts), (place, sorted(texts))
            assert not any("nan" in text or "None" in text for text in texts)


@pytest.mark.parametrize("name", ["tunnelling", "sphere-past-a-box", "tilted-egg-falls", "grazing-spheres"])
def test_every_theme_draws_the_same_things(name: str) -> None:
    found = asked(name)
    for place, _ in steps(found):
        context = context_of(found, place)
        dark = build(context)
        for theme in THEMES:
            drawn = build(replace(context, theme=theme))
            for mine, other in ((drawn.world, dark.world), (drawn.difference, dark.difference)):
                assert [label.text for label in mine.labels] == [label.text for label in other.labels]
                assert len(mine.segments) == len(other.segments)


@pytest.mark.parametrize("name", OF_SPACE)
@pytest.mark.sampled(3, "scenes")
def test_ghosts_stand_where_the_bodies_are_at_the_steps_time(name: str) -> None:
    found = asked(name)
    scene = found.analysis.scene
    for place, step in steps(found):
        ghosts = [s for s in picture(found, place).world.solids if s.subjects[0].kind == "ghost"]
        if step.time == 0.0:
            assert not ghosts
        for ghost in ghosts:
            body = body_at(scene.body(ghost.subjects[0].number), step.time)
            corners = ghost.corners.reshape(-1, 3)
            middle = 0.5 * (corners.min(axis=0) + corners.max(axis=0))
            reach = [float(body.shape.reach(body.pose.direction_to_local(axis))) for axis in np.eye(3)]
            back = [float(body.shape.reach(body.pose.direction_to_local(-axis))) for axis in np.eye(3)]
            wanted = np.array(body.position) + 0.5 * (np.array(reach) - np.array(back))
            assert np.allclose(middle, wanted, atol=0.02 * body.shape.bounding_radius)


# The ray cast.


@pytest.mark.parametrize("name", OF_SPACE)
def test_the_ray_casts_points_are_the_steps_and_its_free_way_is_marked(name: str) -> None:
    found = asked(name)
    assert found.sweep is not None
    way = found.sweep.motion.displacement
    for place, step in steps(found, GjkRaycastStep):
        of = step.motion
        assert isinstance(of, GjkRaycastStep)
        draw = picture(found, place, shown=frozenset()).difference
        everything = np.concatenate([marks.points for marks in draw.marks])
        for support in of.simplex:
            assert has_row(everything, support.point)
        assert of.t == 0.0 or has_line(draw, np.zeros(3), min(of.t, 1.0) * way)
        diamonds = marked(draw, Marker.DIAMOND)
        assert not of.clipped or has_row(diamonds, of.next_t * way)
        told = [label.text for label in draw.labels if label.text.startswith("free until")]
        assert len(told) == int(of.clipped)


@pytest.mark.parametrize("name", OF_SPACE)
def test_the_mark_of_v_hides_none_in_its_place_and_nothing_hides_it(name: str) -> None:
    found = asked(name)
    for place, _ in steps(found, GjkRaycastStep):
        marks = picture(found, place, shown=frozenset()).difference.marks
        for number, v in enumerate(marks):
            if v.shape is Marker.DIAMOND and v.fill == DARK.upper:
                below, above = (
                    [each for each in others if has_row(each.points, v.points[0], 1e-9)]
                    for others in (marks[:number], marks[number + 1 :])
                )
                assert all(each.radius > v.radius + 1.0 for each in below)
                assert not any(each.fill[3] for each in above), "but for rings"


@pytest.mark.parametrize("name", OF_SPACE)
def test_what_made_a_point_stands_on_the_bodies_at_the_steps_time(name: str) -> None:
    found = asked(name)
    assert found.sweep is not None
    motion = found.sweep.motion
    for place, step in steps(found, GjkRaycastStep):
        of = step.motion
        assert isinstance(of, GjkRaycastStep)
        to_middle, from_middle = sources_of(picture(found, place, shown=frozenset()).world)
        # From b to a then is the point of the difference seen from where the origin has come to.
        drawn = from_middle.end - to_middle.start
        scale = 1e-12 * (1.0 + np.abs(motion.origin).max() + motion.travel)
        for support in of.simplex:
            assert has_row(drawn, support.point - step.time * motion.displacement, scale)


@pytest.mark.parametrize("name", OF_SPACE)
def test_nothing_of_the_difference_lies_beyond_the_plane_that_cuts_the_path(name: str) -> None:
    found = asked(name)
    if not steps(found, GjkRaycastStep):
        return
    scene = found.analysis.scene
    maps = support_maps(scene.a, scene.b, rounded="full")
    rng = np.random.default_rng(3)
    points = np.array([maps.support(tuple(d)).w for d in rng.normal(size=(60, 3)).tolist()])
    size = float(np.abs(points).max())
    for place, step in steps(found, GjkRaycastStep):
        of = step.motion
        assert isinstance(of, GjkRaycastStep)
        if of.normal is None:
            continue
        sheets = [s.points for s in picture(found, place, shown=frozenset()).difference.sheets if len(s.points) == 4]
        heights = [sheet @ of.normal for sheet in sheets]
        planes = [float(height[0]) for height in heights if np.ptp(height) <= 1e-9 * size]
        assert any((points @ of.normal).max() <= level + 1e-9 * size for level in planes)


# Advancement.


@pytest.mark.parametrize("name", OF_SPACE)
def test_advancement_shows_the_closest_points_and_the_distance_in_both_spaces(name: str) -> None:
    found = asked(name)
    assert found.sweep is not None
    motion = found.sweep.motion
    for place, step in steps(found, AdvancementStep):
        of = step.motion
        assert isinstance(of, AdvancementStep)
        drawn = picture(found, place, shown=frozenset())
        assert has_line(drawn.world, of.witness_a, of.witness_b)
        start = np.zeros(3) if motion.rotates else of.time * motion.displacement
        apart = of.witness_a - of.witness_b
        if abs(of.distance) > 1e-6:
            assert has_line(drawn.difference, start, start + apart)
            assert np.linalg.norm(apart) == pytest.approx(abs(of.distance), rel=1e-6, abs=1e-9)
        told = [label.text for label in drawn.world.labels if label.text.startswith("free until")]
        assert len(told) == int(of.stop is None)


def test_of_bodies_that_turn_the_difference_is_drawn_as_it_is_then() -> None:
    found = asked("turning-boxes")
    for place, step in steps(found, AdvancementStep):
        draw = picture(found, place).difference
        assert len(draw.solids) == 1
        scene = scene_at(found.analysis.scene, step.time)
        maps = support_maps(scene.a, scene.b)
        corners = draw.solids[0].corners.reshape(-1, 3)
        for axis in np.concatenate((np.eye(3), -np.eye(3))):
            assert (corners @ axis).max() == pytest.approx(float(maps.support(tuple(axis.tolist())).w @ axis), rel=0.05)


def test_a_ball_that_turns_leaves_the_difference_in_sight() -> None:
    """Its turn is not visible: the step draws no A - B, and hid the one that stands."""
    ball = Body(Sphere(0.4), (3.0, 0.6, 0.1), displacement=(-3.0, -0.4, 0.1), angular_displacement=(0.0, 2.0, 0.0))
    scene = Scene(Body(Cone(0.5, 1.0)), ball)
    found = with_motion(query(analyse(scene)), sweep(scene))
    places = [place for place, _ in steps(found, AdvancementStep)]
    assert places
    for place in places:
        assert len(picture(found, place).difference.solids) == 1


# Axes.


@pytest.mark.parametrize("name", OF_SPACE)
def test_an_axis_is_a_slab_that_the_path_enters_and_leaves(name: str) -> None:
    found = asked(name)
    assert found.sweep is not None
    motion = found.sweep.motion
    for place, step in steps(found, IntervalStep):
        of, axis = step.motion, axis_of(step)
        assert isinstance(of, IntervalStep)
        draw = picture(found, place, shown=frozenset()).difference
        if axis is None:
            assert not draw.sheets
            continue
        a, b = of.table.interval_a[of.row], of.table.interval_b[of.row]
        levels = sorted(float((sheet.points @ axis).mean()) for sheet in draw.sheets)
        assert levels == pytest.approx([a[0] - b[1], a[1] - b[0]], abs=1e-9)
        diamonds = marked(draw, Marker.DIAMOND)
        for time in (of.entry, of.exit):
            if 0.0 <= time <= 1.0:
                point = time * motion.displacement
                assert has_row(diamonds, point)
                # There the path goes through one of both faces.
                assert min(abs(float(point @ axis) - level) for level in levels) <= 1e-9 * motion.scale.extent


def test_the_axis_of_a_step_is_the_one_that_is_lit() -> None:
    found = asked("tunnelling")
    table = found.analysis.sat
    along = [(place, axis_of(step)) for place, step in steps(found, IntervalStep) if axis_of(step) is not None]
    assert len(along) >= 3
    for place, axis in along:
        context = at_its_step(context_of(found, place))
        assert abs(float(table.axes[context.resting_focus] @ axis)) == pytest.approx(1.0)


def test_a_swept_axis_shows_the_gap_between_the_whole_path_and_the_difference() -> None:
    seen = 0
    for name in ("boxes that pass", "no-absolute-value", "boxes that part", "boxes too slow"):
        found = asked(name)
        for place, step in steps(found, SweptAxisStep):
            of = step.motion
            assert isinstance(of, SweptAxisStep)
            if not of.separates:
                continue
            seen += 1
            words = [
                label
                for label in picture(found, place).difference.labels
                if label.text.startswith(named_axis(of.label))
            ]
            assert len(words) == 1
            lines = [s for s in picture(found, place, shown=frozenset()).difference.segments if s.width == 2.6]
            assert np.linalg.norm(lines[0].end[0] - lines[0].start[0]) == pytest.approx(of.gap, rel=1e-9)
    assert seen


# Closed forms.


def test_two_spheres_are_nearest_where_the_way_to_the_middle_stands_on_the_path() -> None:
    found = asked("balls-head-on")
    for place, step in steps(found, SpheresStep):
        of = step.motion
        assert isinstance(of, SpheresStep)
        draw = picture(found, place, shown=frozenset()).difference
        if of.time is not None:
            entered = of.time * of.velocity
            assert has_row(marked(draw, Marker.DIAMOND), entered)
            assert np.linalg.norm(entered + of.offset) == pytest.approx(of.reach, abs=1e-9)
        elif of.closest_time is not None:
            nearest = of.closest_time * of.velocity
            assert has_line(draw, nearest, -of.offset)
            assert abs(float((nearest + of.offset) @ of.velocity)) <= 1e-9


@pytest.mark.parametrize("name", ["sphere-past-a-box", "ball-to-a-corner", "sphere past a corner"])
def test_the_region_of_a_step_is_lit_and_the_stretch_in_it_strong(name: str) -> None:
    found = asked(name)
    assert found.sweep is not None
    way = found.sweep.motion.displacement
    for place, step in steps(found, SphereBoxStep):
        of = step.motion
        assert isinstance(of, SphereBoxStep)
        drawn = picture(found, place)
        bold = [label.text for label in drawn.world.labels if label.bold and label.text.startswith("<")]
        if of.crossing is None:
            assert not bold
            continue
        assert bold == [f"{of.crossing.name.replace('-', '−')} {of.crossing.piece.value}"]
        strong = [s for s in drawn.difference.segments if s.width == 5.0]
        assert len(strong) == 1
        assert np.allclose(strong[0].start[0], of.crossing.enter * way)
        assert np.allclose(strong[0].end[0], of.crossing.leave * way)
        hit = of.stop in (MotionStop.HIT, MotionStop.GRAZING)
        assert any(label.text.startswith("enters at") for label in drawn.difference.labels) is hit


def test_of_a_sphere_in_the_box_from_the_start_no_bounding_ball_is_told() -> None:
    found = asked("ball-from-inside")
    place, step = steps(found, SphereBoxStep)[0]
    assert isinstance(step.motion, SphereBoxStep)
    words = [label.text for label in picture(found, place).world.labels if label.bold and len(label.text) > 1]
    assert words == [f"separation {signed(found.analysis.separation)} at the start"]


@pytest.mark.parametrize("name", ["box-lands-on-a-plane", "rock on a plane", "egg before a plane", "tilted-egg-falls"])
def test_against_a_plane_the_gap_is_the_same_in_both_spaces(name: str) -> None:
    found = asked(name)
    scene = found.analysis.scene
    index = 1 if isinstance(scene.a.shape, HalfSpace) else 0
    for place, moment in enumerate(found.moments):
        if moment.phase is not Phase.PLANE or moment.index != 1:
            continue
        drawn = picture(found, place)
        assert any(label.text.startswith("s₀ − r") for label in drawn.world.labels)
        lines = [s for s in drawn.difference.segments if s.width == 2.6]
        assert np.linalg.norm(lines[0].end[0] - lines[0].start[0]) == pytest.approx(found.analysis.separation)
        assert not isinstance(scene.body(index).shape, HalfSpace)


def test_scaled_space_stands_in_the_worlds_place_at_its_step_only() -> None:
    found = asked("tilted-egg-falls")
    bodies = {Subject("body", 0), Subject("body", 1)}
    for place, moment in enumerate(found.moments):
        if moment.phase is not Phase.SCALED:
            continue
        solids = [s for s in picture(found, place).world.solids if set(s.subjects) & bodies]
        assert len(solids) == 1
        corners = solids[0].corners.reshape(-1, 3)
        sides = corners.max(axis=0) - corners.min(axis=0)
        # Scaled, the ellipsoid is a ball.
        assert bool(np.ptp(sides) <= 0.02 * sides.max()) is (moment.index == 1)


def test_the_point_of_contact_lies_on_the_plane_and_on_the_ellipsoid() -> None:
    found = asked("tilted-egg-falls")
    assert found.sweep is not None
    place = next(k for k, m in enumerate(found.moments) if m.phase is Phase.SCALED and m.last)
    label = next(label for label in picture(found, place).world.labels if label.text.startswith("q, "))
    assert np.allclose(label.point, found.sweep.result.witness_a, atol=1e-9)


def test_the_arrows_stay_to_be_dragged_at_every_step() -> None:
    found = asked("balls-head-on")
    for place, step in steps(found):
        drawn = picture(found, place).world
        kinds = {subject for marks in drawn.marks for subject in marks.subjects if subject.kind == "motion"}
        assert len(kinds) == 2, step
    assert isinstance(found.analysis.scene.a.shape, Sphere)
