"""The free axis: what it shows, what is said about it, how it is drawn and how a drag turns it."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.draw_list import DrawList, Layer, Rgba, Subject
from app.draw.placed import Rect
from app.draw.theme import DARK, THEMES, faded
from app.input.bindings import Held, MouseButton
from app.input.gestures import GestureContext, Gestures
from app.input.manipulation import Assist
from app.input.probe_tool import FreeAxisTool, on_sphere
from app.io.presets import default_scene
from app.overlays.axis_sources import light_colour
from app.overlays.context import SPHERE, Context, Extent
from app.overlays.free_axis import DIFFERENCE_HANDLES, NEARED, RAIL, SNAPPED_OUTLINE
from app.overlays.rail import separation_words as told
from app.probes.free_axis import (
    FreeAxis,
    candidate_direction,
    comparison_words,
    free_axis_words,
    nearest_words,
    shows,
    start_of,
    value_words,
    why,
)
from app.render.framing import framed
from app.render.pictures import build
from app.state.settings import Settings
from app.state.view import AxisView, Seen, View, arrange
from app.words.names import axis_name
from core.analysis.analysis import analyse
from core.geometry import quaternion
from core.geometry.triple import triple
from core.sat.sat import AxisStatus
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Sphere

from .asked import Hand, asks

TURNED = quaternion.from_euler_xyz(0.4, 0.7, 0.2)
BOXES = Scene(Body(Box((2.0, 1.0, 1.0))), Body(Box((1.0, 1.0, 1.5)), (1.1, 0.5, 0.2), TURNED))
APART = Scene(Body(Box((2.0, 1.0, 1.0))), Body(Box((1.0, 1.0, 1.5)), (2.6, 1.6, 0.9), TURNED))
SCENES = {
    "overlapping": BOXES,
    "apart": APART,
    "touching": Scene(Body(Box((1.0, 1.0, 1.0))), Body(Box((1.0, 1.0, 1.0)), (1.0, 0.0, 0.0))),
    "coincident spheres": Scene(Body(Sphere(1.0)), Body(Sphere(0.5))),
    "capsule and box": Scene(Body(Capsule(0.3, 1.0)), Body(Box((1.0, 1.0, 1.0)), (0.6, 0.4, 0.1), TURNED)),
    "cone and ellipsoid": Scene(Body(Cone(0.5, 1.0)), Body(Ellipsoid((0.5, 0.3, 0.8)), (0.4, 0.2, 0.1), TURNED)),
    "half-space and cylinder": Scene(Body(HalfSpace((0.3, 1.0, 0.0), 0.1)), Body(Cylinder(0.5, 1.0), (0.0, 0.4, 0.0))),
}
SKEW = (0.48, -0.6, 0.64)
AREA = Rect(0, 20, 1280, 780)
NONE, CTRL = Held(), Held(ctrl=True)


def attempt_at(scene: Scene, free=SKEW) -> FreeAxis:
    return FreeAxis.of(analyse(scene), free)


def context_of(scene: Scene, **view: object) -> Context:
    return Context(scene, analyse(scene), replace(View(free=SKEW), **view), DARK)


# What it shows, and the words.


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
def test_on_a_candidate_it_shows_what_the_table_shows(scene: Scene) -> None:
    analysis = analyse(scene)
    table = analysis.sat
    for row, status in enumerate(table.statuses):
        if status is AxisStatus.DEGENERATE:
            continue
        attempt = FreeAxis.of(analysis, candidate_direction(analysis, row))
        assert attempt.separation == pytest.approx(table.separations[row], abs=1e-14)
        assert attempt.angle == 0.0
        assert table.same_as[attempt.nearest] == table.same_as[row]
        # From A towards B, by the smaller way out.
        assert attempt.side == 1 or abs(table.interval_a[row].sum() - table.interval_b[row].sum()) < 1e-12


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
def test_on_the_winner_it_ties(scene: Scene) -> None:
    analysis = analyse(scene)
    attempt = FreeAxis.of(analysis, candidate_direction(analysis, analysis.sat.winner))
    assert attempt.ties
    assert not attempt.beats
    assert comparison_words(attempt).endswith(": a tie")


def test_it_says_how_it_stands_against_the_winner() -> None:
    attempt = attempt_at(BOXES)
    analysis = attempt.analysis
    label = axis_name(analysis.sat, analysis.sat.winner)
    words = f"your axis shows {shows(attempt.separation)}, {label} {shows(analysis.separation)}: not beaten"
    assert comparison_words(attempt) == words
    assert attempt.separation < 0.0
    assert words.startswith("your axis shows an overlap of ")
    assert free_axis_words(attempt).startswith("overlap 1.69")
    assert "no direction can do better" in why(attempt)


def test_apart_the_table_can_be_beaten_up_to_the_distance_and_no_further() -> None:
    analysis = analyse(APART)
    assert not analysis.sat.exact
    x, y, z = analysis.normal.tolist()
    best = FreeAxis.of(analysis, (x, y, z))
    assert best.beats
    assert best.separation == pytest.approx(analysis.separation, abs=1e-14)
    assert comparison_words(best).endswith(": beaten")
    assert "up to the distance" in why(best)
    assert value_words(analysis.separation).removeprefix("+") in why(best)


def test_a_half_space_has_no_end_along_a_free_axis() -> None:
    attempt = attempt_at(SCENES["half-space and cylinder"])
    assert attempt.separation == -np.inf
    assert free_axis_words(attempt) == "overlap without end"
    assert "half-space A has no end" in why(attempt)
    assert comparison_words(attempt).startswith("your axis shows an overlap without end, ⊥A.plane ")


@pytest.mark.parametrize(("degrees", "words"), [(12.34, "nearest candidate: A.x, 12° away"), (0.0, "on A.x")])
def test_the_nearest_candidate_is_named_with_its_angle(degrees: float, words: str) -> None:
    scene = Scene(Body(Box((2.0, 1.0, 1.0))), Body(Sphere(0.5), (0.3, 0.0, 0.0)))
    angle = np.radians(degrees)
    for sign in (1.0, -1.0):
        free = (sign * float(np.cos(angle)), sign * float(np.sin(angle)), 0.0)
        assert nearest_words(attempt_at(scene, free)) == words


def test_it_starts_along_the_line_of_the_positions() -> None:
    x, y, z = start_of(analyse(BOXES))
    assert np.cross((x, y, z), BOXES.b.position) == pytest.approx(np.zeros(3))
    assert x * x + y * y + z * z == pytest.approx(1.0, abs=1e-15)
    assert start_of(analyse(SCENES["coincident spheres"])) == (1.0, 0.0, 0.0)


# The picture.


def lines_of(draw: DrawList, layer: Layer) -> list[float]:
    return [
        float(np.sqrt(((batch.end - batch.start) ** 2).sum()))
        for batch in draw.segments
        if batch.layer is layer and batch.subjects == [RAIL]
    ]


@pytest.mark.parametrize("name", ["overlapping", "apart", "capsule and box", "cone and ellipsoid"])
def test_the_rail_shows_both_intervals_and_the_way_to_scale(name: str) -> None:
    context, attempt = context_of(SCENES[name]), attempt_at(SCENES[name])
    pictures = build(context)
    bars = lines_of(pictures.world, Layer.STRONG)
    assert np.isclose(np.ptp(attempt.interval_a), bars[0])
    assert np.isclose(np.ptp(attempt.interval_b), bars[1])
    assert np.isclose(abs(attempt.separation), bars[2])
    texts, sat = {label.text for label in pictures.world.labels}, context.analysis.sat
    assert f"your {free_axis_words(attempt)}" in texts
    assert f"{axis_name(sat, sat.winner)} {told(sat.separation, context.analysis.band)}" in texts


@pytest.mark.parametrize("name", ["overlapping", "apart", "capsule and box", "cone and ellipsoid"])
def test_its_planes_touch_the_difference_on_both_sides(name: str) -> None:
    context, axis = context_of(SCENES[name]), np.array(SKEW)
    attempt, draw = attempt_at(SCENES[name]), build(context).difference
    bare = build(replace(context, view=replace(context.view, free=None))).difference
    heights = [sheet.points @ axis for sheet in draw.sheets[len(bare.sheets) :]]
    assert len(heights) == 2
    assert all(np.ptp(height) < 1e-12 for height in heights)
    low, high = sorted(float(height[0]) for height in heights)
    assert low == pytest.approx(attempt.interval_a[0] - attempt.interval_b[1], abs=1e-12)
    assert high == pytest.approx(attempt.interval_a[1] - attempt.interval_b[0], abs=1e-12)
    # The number is the distance from the origin to the nearer plane, positive where the origin lies beyond it.
    assert attempt.separation == pytest.approx(max(low, -high), abs=1e-12)
    (arrow,) = lines_of(draw, Layer.STRONG)
    assert arrow == pytest.approx(abs(attempt.separation))


def handles(draw: DrawList) -> dict[int, np.ndarray]:
    return {
        subject.number: point
        for marks in draw.marks
        for subject, point in zip(marks.subjects, marks.points, strict=True)
        if subject.kind == "free_axis" and subject.number < RAIL.number
    }


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
@pytest.mark.parametrize("axis_view", AxisView)
def test_every_pair_has_handles_and_finite_pictures(scene: Scene, axis_view: AxisView) -> None:
    extent = Extent.of(scene)
    arm = SPHERE * extent.radius * np.array(SKEW)
    for theme in THEMES:
        pictures = build(replace(context_of(scene, axis_view=axis_view), theme=theme))
        for draw, centre, first in ((pictures.world, extent.centre, 0), (pictures.difference, 0.0, DIFFERENCE_HANDLES)):
            found = handles(draw)
            assert set(found) == {first, first + 1}
            assert np.allclose(found[first], centre + arm)
            assert np.allclose(found[first + 1], centre - arm)
            arrays = [a for s in draw.segments for a in (s.start, s.end, s.start_lift, s.end_lift)]
            arrays += [marks.points for marks in draw.marks] + [sheet.points for sheet in draw.sheets]
            assert all(np.isfinite(array).all() for array in arrays)


@pytest.mark.parametrize(
    ("name", "colour"), [("apart", DARK.gap), ("touching", DARK.gap), ("overlapping", DARK.overlap)]
)
def test_its_wall_stands_between_the_shadows_and_its_colour_says_whether_it_fits(name: str, colour: Rgba) -> None:
    context = context_of(SCENES[name])
    context = replace(context, view=replace(context.view, free=triple(context.analysis.normal)))
    axis, (a, b) = context.analysis.normal, (context.scene.a, context.scene.b)
    bare = build(replace(context, view=replace(context.view, free=None))).world
    wall, *_ = build(context).world.sheets[len(bare.sheets) :]
    assert wall.rgba[:3] == colour[:3]
    from_a = a.pose.to_world(a.shape.support(a.pose.direction_to_local(axis))) @ axis
    from_b = b.pose.to_world(b.shape.support(b.pose.direction_to_local(-axis))) @ axis
    assert np.allclose(wall.points @ axis, 0.5 * (from_a + from_b), atol=1e-12)


def test_the_winners_rail_gives_way_until_an_axis_is_asked_for() -> None:
    def rails(**view: object) -> set[int]:
        draw = build(context_of(BOXES, **view)).world
        return {s.number for batch in draw.segments for s in batch.subjects if s.kind == "axis"}

    winner = analyse(BOXES).sat.winner
    assert rails(free=None) == {winner}
    assert rails() == set()
    assert rails(pin=Subject("axis", 3)) == {3}
    assert rails(hover=Subject("axis", winner)) == {winner}


def test_the_rail_asked_for_stands_on_the_other_side() -> None:
    def lifts(subject: Subject) -> set[float]:
        draw = build(context_of(BOXES, pin=Subject("axis", 3))).world
        found = [batch.start_lift for batch in draw.segments if batch.subjects == [subject]]
        return set(np.sign(np.concatenate(found)).tolist())

    assert lifts(RAIL) == {1.0}
    assert lifts(Subject("axis", 3)) == {-1.0}


# Drags.

SCENE = default_scene().scene
ANALYSIS = analyse(SCENE)
FREE = start_of(ANALYSIS)
VIEW = framed(Seen(SCENE, ANALYSIS, View(free=FREE), DARK), (AREA.width, AREA.height))


def situation(subject: Subject | None, view: View = VIEW) -> GestureContext:
    panes = arrange(view, AREA, 0.5)
    return GestureContext(
        SCENE,
        ANALYSIS,
        view,
        DARK,
        panes=panes,
        density=1.0,
        settings=Settings(),
        gizmo=None,
        picked=lambda _pane, _x, _y: subject,
    )


def tip(at: GestureContext, number: int) -> tuple[float, float]:
    in_world = number < DIFFERENCE_HANDLES
    extent = Extent.of(SCENE)
    centre = extent.centre if in_world else np.zeros(3)
    way = (-1.0 if number % 2 else 1.0) * SPHERE * extent.radius * np.array(at.view.free)
    pane = at.panes[0 if in_world else 1]
    x, y, _ = pane.projection.project((centre + way)[None])[0]
    return float(x) + pane.rect.x, float(y) + pane.rect.y


def dragged(number: int, dx: float, dy: float, held: Held = NONE) -> tuple[Gestures, GestureContext, View]:
    at, gestures = situation(Subject("free_axis", number)), Hand()
    x, y = tip(at, number)
    gestures.press(MouseButton.LEFT, x, y, NONE, at)
    (look,) = gestures.move(x + dx, y + dy, held, at)
    assert look.kind == "look"
    return gestures, at, look.view


@pytest.mark.parametrize("number", range(4))
def test_the_end_taken_follows_the_pointer(number: int) -> None:
    _, at, view = dragged(number, 18.0, -11.0)
    assert view.free != FREE
    assert np.linalg.norm(view.free) == pytest.approx(1.0, abs=1e-15)
    start, end = tip(at, number), tip(situation(None, view), number)
    assert np.array(end) - start == pytest.approx((18.0, -11.0), abs=1e-6)


def test_a_drag_that_comes_back_restores_every_digit_and_escape_too() -> None:
    gestures, at, _ = dragged(0, 30.0, 12.0)
    x, y = tip(at, 0)
    (look,) = gestures.move(x, y, NONE, at)
    assert look == asks.look(VIEW)
    gestures.move(x + 40.0, y, NONE, at)
    assert gestures.cancel() == [asks.look(VIEW)]
    assert gestures.release(MouseButton.LEFT, x + 40.0, y, NONE, 0.0, at) == []
    assert not gestures.busy


def test_a_click_on_an_end_changes_nothing() -> None:
    at, gestures = situation(Subject("free_axis", 0)), Hand()
    x, y = tip(at, 0)
    gestures.press(MouseButton.LEFT, x, y, NONE, at)
    assert gestures.release(MouseButton.LEFT, x, y, NONE, 0.0, at) == []


def test_the_rail_is_no_handle() -> None:
    at, gestures = situation(RAIL), Hand()
    gestures.press(MouseButton.LEFT, 30.0, 60.0, NONE, at)
    gestures.move(60.0, 60.0, NONE, at)
    assert not gestures.dragging


@pytest.mark.parametrize("axis", range(3))
def test_the_keys_lay_it_along_the_worlds_axes_and_with_shift_across_them(axis: int) -> None:
    gestures, at, view = dragged(0, 20.0, -30.0)
    assert gestures.holdable
    (look,) = gestures.key(axis, False, NONE, at)
    assert look.kind == "look"
    assert np.abs(look.view.free).tolist() == np.eye(3)[axis].tolist()
    assert np.dot(look.view.free, view.free) >= 0.0
    assert str(gestures.readout).endswith(f"(along {'XYZ'[axis]})")
    (look,) = gestures.key(axis, True, NONE, at)
    assert look.view.free[axis] == 0.0
    assert np.linalg.norm(look.view.free) == pytest.approx(1.0, abs=1e-15)
    (look,) = gestures.key(axis, True, NONE, at)
    assert look.view.free == view.free


def test_the_read_out_is_what_it_shows() -> None:
    gestures, _, view = dragged(0, 20.0, -30.0)
    assert gestures.readout == f"yours {value_words(FreeAxis.of(ANALYSIS, view.free).separation)}"


def test_ctrl_takes_a_candidate_that_is_near_else_whole_steps() -> None:
    step = np.radians(15.0)
    rng = np.random.default_rng(5)
    sight = situation(None).panes[0].sight(300.0, 300.0)
    tool = FreeAxisTool.grab(ANALYSIS, FREE, 0, sight)
    taken = {True: 0, False: 0}
    for _ in range(60):
        vector = rng.normal(size=3)
        start = tuple((vector / np.linalg.norm(vector)).tolist())
        free = replace(tool, start=start).at(sight, Assist(snap_angle=step))
        attempt = FreeAxis.of(ANALYSIS, start)
        on_candidate = attempt.angle <= 7.5
        taken[on_candidate] += 1
        assert tool.readout(free).endswith("snapped to a candidate axis") == on_candidate
        if on_candidate:
            assert np.array_equal(np.abs(free), np.abs(ANALYSIS.sat.axes[attempt.nearest]))
            assert np.dot(free, start) > 0.0
        else:
            x, y, z = free
            whole = np.array((np.arctan2(x, z), np.arcsin(y))) / step
            upright = abs(y) > 1.0 - 1e-12
            assert np.allclose(whole[1:] if upright else whole, np.round(whole[1:] if upright else whole), atol=1e-9)
    assert min(taken.values()) > 5


def test_beside_the_sphere_the_pointer_holds_its_rim() -> None:
    pane = situation(None).panes[0]
    centre, radius = Extent.of(SCENE).centre, SPHERE * Extent.of(SCENE).radius
    for x, y in product((2.0, 620.0), (30.0, 780.0)):
        sight = pane.sight(x, y)
        near, far = (on_sphere(sight, centre, radius, near=near) for near in (True, False))
        assert near == pytest.approx(far)
        assert near @ sight.direction == pytest.approx(0.0, abs=1e-12)


def test_what_the_wall_lies_on_is_lit_on_both_bodies() -> None:
    """Two cubes with a corner in common: on the corners, on two edges, on a face; nothing where the wall cuts."""
    cube = Box((2.0, 2.0, 2.0))
    scene = Scene(Body(cube, (-1.0, -1.0, -1.0)), Body(cube, (1.0, 1.0, 1.0)))

    def lit(*free: float, strength: float = 1.0) -> tuple[int, int, int]:
        """The numbers of vertices, edges and faces that are lit, fully or with a share of the opacity."""
        colours = [faded(light_colour(DARK, index), strength) for index in (0, 1)]
        draw = build(context_of(scene, free=triple(np.array(free) / np.linalg.norm(free)))).world
        lines = sum(np.array_equal(batch.start_rgba[0], rgba) for batch in draw.segments for rgba in colours)
        faces = sum(sheet.rgba in [faded(rgba, 0.4) for rgba in colours] for sheet in draw.sheets)
        return sum(marks.fill in colours for marks in draw.marks), lines - faces, faces

    assert lit(1.0, 1.0, 1.0) == (2, 0, 0)
    assert lit(1.0, 1.0, 0.0) == (0, 2, 0)
    assert lit(1.0, 0.0, 0.0) == (0, 0, 2)
    assert lit(1.0, -0.5, 0.0) == (0, 0, 0), "the wall cuts"
    assert lit(1.0, 1.0, 0.1) == (2, 0, 0)
    assert lit(1.0, 1.0, 0.1, strength=NEARED) == (0, 2, 0), "edges that it nears are lit faintly"
    assert lit(1.0, 0.1, 0.0, strength=NEARED) == (0, 0, 2)
    assert lit(1.0, 1.0, 1.0, strength=NEARED) == (0, 0, 0)


def test_the_rim_of_a_wall_is_thick_across_a_candidate() -> None:
    def widths(free: tuple[float, float, float]) -> set[float]:
        return {batch.width for batch in build(context_of(BOXES, free=free)).world.segments}

    assert SNAPPED_OUTLINE in widths(candidate_direction(analyse(BOXES), 0)) - widths(SKEW)
