"""Motion in the plane, in the window: the same bar, ghosts, outlines, charts and arrows as in space, without a z."""

from __future__ import annotations

import re
from math import degrees, pi
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from pyglet.window import key

from app.draw.camera import Sight
from app.draw.draw_list import DrawList, Marker, Subject
from app.draw.theme import DARK
from app.input.manipulation import ArrowTool, Assist, arrow_tip
from app.io.presets import load_preset
from app.io.scene_file import load, read, write
from app.overlays.context import Context
from app.overlays.flat_shapes import draw_flat_shell, grown_outline
from app.panels.viewport_bottom import hint_for
from app.render.pictures import DrawLists, build
from app.stages import stage_of, step_text
from app.stages.stage import At
from app.state.playback import DistanceCurve, body_at, scene_at
from app.state.view import View
from app.words.digits import Digits, written_with
from app.words.motion_words import frame_test_words, outcome_words
from core.analysis.analysis import analyse
from core.analysis.motion_answers import SweepAnswer, sweep
from core.query.motion_steps import PHASE_OF, with_motion
from core.query.query import MOTION_PHASES, Phase, Query, query
from core.scene import Body, Scene
from core.shapes import Circle, Polygon
from core.study.articles import motion_articles
from core.toi import MotionMethod
from tests.app.panel_rig import panel_state
from tests.app.window_rig import Driver, driver  # noqa: F401

from .step_word_samples import line_of

MOVING = ("flat-tunnelling", "flat-round-corner", "flat-turning")
SQUARE = Polygon.of([(-1, -1), (1, -1), (1, 1), (-1, 1)])


def flat(name: str) -> Scene:
    scene = load_preset(name).scene
    assert scene.dimension == 2
    return scene


def answer(scene: Scene) -> SweepAnswer:
    found = sweep(scene)
    assert found is not None
    return found


def drawn(scene: Scene, **view: object) -> DrawLists:
    looked = replace(View(), **view).facing(scene)
    return build(Context(scene, analyse(scene), looked, DARK, sweep=answer(scene)))


def texts(draw: DrawList) -> list[str]:
    return [label.text for label in draw.labels]


def test_a_body_of_the_plane_goes_and_turns_digit_for_digit() -> None:
    body = Body.in_plane(SQUARE, (1.0, 2.0), 0.5, (4.0, -2.0), -0.75)
    assert body.angular_displacement == (0.0, 0.0, -0.75)
    half = body_at(body, 0.5)
    assert (half.position, half.angle) == ((3.0, 1.0, 0.0), 0.125)
    assert replace(body, angular_displacement=(1.0, 2.0, 3.0)).angular_displacement == (0.0, 0.0, 3.0)


@written_with(Digits.SIX)
@pytest.mark.parametrize("name", MOVING)
def test_everything_of_the_motion_is_drawn_in_the_plane(name: str) -> None:
    scene = flat(name)
    found = answer(scene)
    pictures = drawn(scene)
    assert f"impact at t = {found.result.time:.6g}" in texts(pictures.world)
    assert any(text.startswith("B moves ") for text in texts(pictures.world))
    assert Subject("motion", 0) in [subject for marks in pictures.world.marks for subject in marks.subjects]
    for draw in (pictures.world, pictures.difference):
        for solid in draw.solids:
            assert not solid.corners[..., 2].any()
        for flat_part in (*draw.sheets, *draw.marks):
            assert not flat_part.points[..., 2].any()


@written_with(Digits.SIX)
def test_the_origin_enters_the_difference_at_the_diamond() -> None:
    scene = flat("flat-round-corner")
    found = answer(scene)
    pictures = drawn(scene)
    assert "enters A − B at t = 0.275" in texts(pictures.difference)
    diamonds = [marks for marks in pictures.difference.marks if marks.shape is Marker.DIAMOND]
    np.testing.assert_allclose(diamonds[0].points[0], 0.275 * found.motion.displacement, atol=1e-12)
    turning = flat("flat-turning")
    time = answer(turning).result.time
    words = texts(drawn(turning).difference)
    assert "A − B at the start" in words
    assert f"A − B at t = {time:.6g}" in words
    outline = draw_flat_shell(Context(turning, analyse(turning), View(), DARK), DrawList(), scene_at(turning, time))
    ends = np.roll(outline, -1, axis=0)
    turns = outline[:, 0] * ends[:, 1] - outline[:, 1] * ends[:, 0]
    assert abs((turns / np.linalg.norm(ends - outline, axis=1)).min()) < 1e-7  # it touches the origin then
    assert "A − B at t =" not in "".join(texts(drawn(turning, time=0.0).difference))


def test_beside_the_difference_of_another_time_that_of_the_start_is_a_named_shell() -> None:
    scene = flat("flat-turning")
    found = analyse(scene)
    assert found.polygon is not None
    first, later = (drawn(scene, time=time).difference for time in (0.0, 0.4))
    pairs = {label.text for label in first.labels if label.kind == "point-names"}
    assert len(pairs) == len(found.polygon.corners)
    assert not pairs & set(texts(later))
    edges = {Subject("axis", edge.row) for edge in found.polygon.edges}
    of_axes = [{subject for each in draw.segments for subject in each.subjects} for draw in (first, later)]
    assert edges <= of_axes[0]
    assert not edges & of_axes[1]
    for draw, points in ((first, found.nearest[None]), (later, grown_outline(found.polygon))):
        (name,) = [label for label in draw.labels if "at the start" in label.text]
        for at in (name.point, *name.other_anchors[:, :3]):
            assert np.abs(points - at).max(axis=1).min() < 1e-12


@written_with(Digits.SIX)
def test_at_another_time_the_distance_is_drawn() -> None:
    scene = flat("flat-tunnelling")
    words = texts(drawn(scene, time=0.25).world)
    near = answer(scene).motion.near(0.25).separation
    assert f"distance {near:.6g} at t = 0.25" in words
    assert any(word.startswith("depth ") for word in texts(drawn(scene, time=0.5).world))


def test_words_say_tunnelling_and_name_the_features() -> None:
    found = answer(flat("flat-tunnelling"))
    assert outcome_words(found).endswith("an edge of A against a vertex of B")
    assert frame_test_words(found).endswith("A test of these frames alone misses the hit: tunnelling.")
    curve = DistanceCurve(found.motion)
    while not curve.complete:
        curve.work(0.05)
    times, distances = curve.points
    assert len(times) == 129
    before = distances[times < found.result.time]
    assert (before > 0.0).all()


def test_the_articles_say_nothing_of_motion_in_the_plane() -> None:
    for name in MOVING:
        assert motion_articles(flat(name), answer(flat(name))) == ()
    circles = Scene(Body.in_plane(Circle(1.0)), Body.in_plane(Circle(1.0), (5.0, 0.0), displacement=(-4.0, 0.0)))
    assert answer(circles).method is MotionMethod.DIFFERENCE
    assert motion_articles(circles, answer(circles)) == ()


def straight_on(x: float, y: float) -> Sight:
    return Sight(np.array((x, y, 50.0)), np.array((0.0, 0.0, -1.0)), np.array((0.0, 0.0, 1.0)))


def test_an_arrow_stays_in_the_plane_and_its_words_have_two_numbers() -> None:
    scene = flat("flat-tunnelling")
    x, y, _ = arrow_tip(scene, 1).tolist()
    tool = ArrowTool.grab(scene, 1, straight_on(x, y))
    assert tool is not None
    change = tool.at(straight_on(x + 0.5, y - 0.25), Assist())
    assert change is not None
    assert change.scene.b.displacement == pytest.approx((4.7, 0.17, 0.0))
    assert change.readout.startswith("B moves +4.7 x, +0.17 y: 4.7 units")
    assert "z" not in change.readout


def test_the_hint_of_a_drag_names_the_axes_of_the_plane() -> None:
    ui = panel_state(flat("flat-tunnelling"), drag_readout="B moves", drag_holdable=True)
    assert "X or Y restricts" in hint_for(ui)
    ui = panel_state(load_preset("tunnelling").scene, drag_readout="B moves", drag_holdable=True)
    assert "X, Y or Z restricts" in hint_for(ui)


def test_a_file_keeps_the_turn_and_the_time() -> None:
    scene = flat("flat-turning")
    loaded = read(write(scene, replace(View(), time=0.375, motion=True)))
    assert loaded.scene == scene
    assert loaded.view is not None
    assert (loaded.view.time, loaded.view.motion) == (0.375, True)


# Step by step.

CIRCLES = Scene(Body.in_plane(Circle(1.0)), Body.in_plane(Circle(0.5), (4.0, 1.2), displacement=(-5.0, 0.0)))
PAST = Scene(Body.in_plane(SQUARE), Body.in_plane(Circle(0.5), (3.0, 3.1), displacement=(-9.0, 1.0)))
MISSED_ARC = Scene(Body.in_plane(SQUARE), Body.in_plane(Circle(1.0), (3.2, 0.5), displacement=(-2.7, 2.7)))
THREE = re.compile(r"\((?:[−\d.e]+, ){2}[−\d.e]+\)")
"""A vector of three numbers."""


def asked(scene: Scene) -> Query:
    return with_motion(query(analyse(scene)), answer(scene))


@pytest.mark.parametrize("scene", [*map(flat, MOVING), CIRCLES, PAST, MISSED_ARC])
def test_every_step_is_said_with_pairs_and_drawn_in_the_plane(scene: Scene) -> None:
    found = asked(scene)
    moving = [place for place, moment in enumerate(found.moments) if moment.phase in MOTION_PHASES]
    assert {found.moments[place].phase for place in moving} == {
        PHASE_OF[trace.method] for trace in answer(scene).traces if trace.steps
    }
    for place in moving:
        moment = found.moments[place]
        text = step_text(found, moment)
        said = [text.known, text.decided, text.why, *(formula.plain for formula in text.formulas)]
        assert not [words for words in said if THREE.search(words)]
        assert not [formula.tex for formula in text.formulas if formula.tex.count(r"\\\\") > 4]
        assert not [words for words in (*said, text.stop.meaning if text.stop else "") if "plane" in words]
        assert line_of(found, moment)
        assert (text.stop is None) == (not moment.last)
        context = Context(scene, found.analysis, View().facing(scene), DARK, query=found, place=place)
        pictures = build(context)
        for draw in (pictures.world, pictures.difference):
            for solid in draw.solids:
                assert not solid.corners[..., 2].any()
            for marks in draw.marks:
                assert not marks.points[..., 2].any()


def test_the_closed_form_is_said_line_by_line_and_by_its_arc() -> None:
    found = asked(flat("flat-round-corner"))
    texts_of = [step_text(found, moment) for moment in found.moments if moment.phase is Phase.ROUNDED]
    assert [text.title.partition(": ")[2] for text in texts_of] == [
        *(f"A.e{k}" for k in range(4)),
        "the arc about A.v3 → B",
    ]
    assert "runs along the line, 2.8 inside: it sets no limit" in texts_of[0].decided
    assert "leaves across this line at t = 1. It is the earliest exit so far." in texts_of[1].decided
    assert "enters across this line at t = 0.25. It is the latest entry so far." in texts_of[3].decided
    assert "r for the first time at t = 0.275: the bodies touch" in texts_of[4].decided
    assert texts_of[4].stop is not None
    assert texts_of[4].stop.name == "HIT"
    moments = [moment for moment in found.moments if moment.phase is Phase.ROUNDED]
    lines = [stage_of(Phase.ROUNDED).line(At(found, moment).step) for moment in moments]
    assert lines == ["along", "exit", "along", "entry", "arc hit"]
    tunnel = asked(flat("flat-tunnelling"))
    last = [step_text(tunnel, moment) for moment in tunnel.moments if moment.phase is Phase.ROUNDED][-1]
    assert last.decided.endswith("the origin is on the edge itself: the bodies touch.")
    missed = asked(MISSED_ARC)
    arc = [step_text(missed, moment) for moment in missed.moments if moment.phase is Phase.ROUNDED][-1]
    assert "and misses the arc by" in arc.decided
    two = [step_text(asked(CIRCLES), m) for m in asked(CIRCLES).moments]
    (only,) = [text for text in two if text.title.startswith("Grown A − B")]
    assert only.known.startswith("A − B of two circles is a circle")


# In the window.


def show(driver: Driver, name: str) -> None:  # noqa: F811
    driver.app.files.load_preset(name)
    driver.frame(3)


def tip(driver: Driver, index: int) -> tuple[float, float]:  # noqa: F811
    pane = driver.pane()
    marks = driver.app.builder.placed[driver.app.builder.panes.index(pane)].marks
    x, y = marks.centre[marks.subjects.index(Subject("motion", index))]
    return float(x) + pane.rect.x, float(y) + pane.rect.y


def test_dragging_the_arrow_follows_the_impact_and_is_undone(driver: Driver) -> None:  # noqa: F811
    app = driver.app
    show(driver, "flat-tunnelling")
    scene, first = app.work.scene, app.motion.sweep
    assert first is not None
    x, y = tip(driver, 1)
    driver.drag((x, y), (x - 50.0, y + 12.0))
    assert app.work.scene.dimension == 2
    assert app.work.scene.b.displacement[2] == 0.0
    assert app.work.scene.b.displacement != scene.b.displacement
    assert app.work.scene.b.position == scene.b.position
    assert app.work.document.undo_label == "Displace B"
    assert app.motion.sweep is not None
    assert app.motion.sweep.result.time == answer(app.work.scene).result.time
    assert app.motion.sweep.result.time != first.result.time
    assert tip(driver, 1) == pytest.approx(driver.at(arrow_tip(app.work.scene, 1)), abs=0.05)
    driver.key("Ctrl+Z")
    assert app.work.scene == scene
    driver.key("Ctrl+Y")
    assert app.work.scene != scene


def test_a_body_at_rest_is_sent_off_by_its_ring(driver: Driver) -> None:  # noqa: F811
    app = driver.app
    show(driver, "flat-circle-corner")
    assert not app.motion.shown
    driver.key("Shift+M")
    driver.frame(2)
    assert app.motion.shown
    assert app.motion.sweep is None
    x, y = tip(driver, 0)
    driver.drag((x, y), driver.at((1.2, 1.2, 0.0)))
    assert any(app.work.scene.a.displacement)
    assert app.motion.sweep is not None
    assert app.motion.sweep.outcome == "HIT"
    driver.key("Shift+M")
    assert not app.motion.shown


def test_the_keys_hold_an_arrow_to_x_and_y_alone(driver: Driver) -> None:  # noqa: F811
    app = driver.app
    show(driver, "flat-tunnelling")
    before = np.array(app.work.scene.b.displacement)
    x, y = tip(driver, 1)
    driver.drag((x, y), (x - 30.0, y + 25.0), release=False)
    driver.send("on_key_press", key.Y, 0)
    driver.frame()
    change = np.array(app.work.scene.b.displacement) - before
    assert change[0] == change[2] == 0.0
    assert change[1] != 0.0
    driver.send("on_key_release", key.Y, 0)
    driver.send("on_key_press", key.ESCAPE, 0)
    driver.send("on_key_release", key.ESCAPE, 0)
    driver.frame()
    assert app.work.scene.b.displacement == tuple(before.tolist())
    driver.release(x - 30.0, y + 25.0)


def test_it_is_scrubbed_played_saved_and_opened_again(driver: Driver, tmp_path: Path) -> None:  # noqa: F811
    app = driver.app
    show(driver, "flat-turning")
    app.motion.show_time(0.375)
    driver.frame(2)
    scene, path = app.work.scene, tmp_path / "turning.json"
    app.files.save_to(path)
    assert load(path).scene == scene
    app.invoke("motion.play")
    assert app.work.motion_playing
    app.steps.play_on(100.0)
    app.steps.play_on(101.0)
    assert app.work.view.time is not None
    assert app.work.view.time > 0.375
    app.invoke("motion.stop")
    assert not any((*app.work.scene.a.angular_displacement, *app.work.scene.b.displacement))
    show(driver, "flat-inside")
    assert not app.motion.shown
    app.files.open_now(path)
    driver.frame(2)
    assert app.work.scene == scene
    assert app.work.view.time == 0.375
    assert app.motion.shown


@pytest.mark.parametrize("name", MOVING)
@pytest.mark.slow
@pytest.mark.sampled(3, "windows")
def test_every_panel_draws_the_motion_of_the_plane(driver: Driver, name: str) -> None:  # noqa: F811
    app = driver.app
    if not app.preferences.settings.panels:
        driver.key("Tab")
    show(driver, name)
    assert app.motion.sweep is not None
    driver.key("T")
    for _ in range(40):
        driver.key("Right")
    driver.key("T")
    driver.key("Tab")


def test_space_and_the_plane_do_not_mix(driver: Driver) -> None:  # noqa: F811
    app = driver.app
    show(driver, "tunnelling")
    app.motion.show_time(0.25)
    show(driver, "flat-tunnelling")
    assert (app.work.view.motion, app.work.view.time) == (None, None)
    show(driver, "skew-edges")
    assert not app.motion.shown


def test_a_turn_is_typed_in_degrees(driver: Driver) -> None:  # noqa: F811
    app = driver.app
    show(driver, "flat-turning")
    body = app.work.scene.a
    turned = replace(body, angular_displacement=(0.0, 0.0, pi / 4))
    app.ask.edit(replace(app.work.scene, a=turned), "Type motion of A")
    driver.frame(2)
    assert degrees(app.work.scene.a.angular_displacement[2]) == 45.0
    assert app.motion.sweep is not None
    assert app.motion.sweep.motion.turn_a == (0.0, 0.0, pi / 4)
