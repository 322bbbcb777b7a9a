"""Stepping through a query in the real application without a display: keys, mouse, files and pictures."""

from __future__ import annotations

from pathlib import Path

import pytest
from imgui_bundle import imgui
from msgspec.structs import replace
from pyglet.window import key

from app.io.scene_file import load, write
from app.panels.timeline import TIMELINE_WINDOW
from app.state.export_options import ExportOptions
from app.state.playback import Playback, at_place
from app.state.view import WHOLE, View
from core.analysis.algorithm_settings import AlgorithmSettings
from core.geometry import quaternion
from core.query.query import Phase
from core.scene import Body, Scene
from core.shapes import Box, Cone

from .window_rig import FRAME, Driver, driver

__all__ = ["driver"]

NEAR = Scene(Body(Box((2.0, 1.0, 1.4))), Body(Box((1.0, 1.6, 1.0)), (0.9, 0.3, 0.2)))
FAR = replace(NEAR, b=replace(NEAR.b, position=(4.0, 0.3, 0.2)))


def track(driver: Driver) -> tuple[float, float, float]:
    """Left and right end of the track, and its height on the screen."""
    window = imgui.internal.find_window_by_name(TIMELINE_WINDOW)
    em = 14.0 * driver.window.extent.scale
    return window.pos.x + 0.8 * em, window.pos.x + window.size.x - 0.8 * em, window.pos.y + 1.6 * em


def last(driver: Driver) -> int:
    return len(driver.app.steps.all.moments) - 1


def test_space_opens_and_plays_and_the_arrows_step(driver: Driver) -> None:
    app, before = driver.app, driver.app.cameras.area
    driver.key("Right")
    assert not app.work.playback.open, "a key that steps opens nothing"
    driver.key("Space")
    assert (app.work.playback.open, app.work.playback.playing, app.steps.place) == (True, True, 0)
    assert app.cameras.area.height < before.height
    driver.key("Right")
    assert (app.work.playback.playing, app.steps.place) == (False, 1)
    driver.key(".")
    assert app.steps.place == 2
    driver.key("Left")
    driver.key(",")
    assert app.steps.place == 0
    driver.key("Left")
    assert app.steps.place == 0
    driver.key("End")
    assert (app.steps.moment.phase, app.steps.moment.last) == (Phase.SAT, True)
    driver.key("Ctrl+Right")
    assert (app.steps.moment.phase, app.steps.moment.index) == (Phase.GJK, 0)
    driver.key("Ctrl+Left")
    assert app.steps.place == 0
    driver.key("Ctrl+End")
    assert app.steps.place == last(driver)
    driver.key("Ctrl+Home")
    assert app.steps.place == 0


@pytest.mark.nightly("windows")
def test_shift_and_the_arrows_go_through_sub_steps_and_so_do_the_arrows_alone_when_slow(driver: Driver) -> None:
    app = driver.app
    app.ask.edit(NEAR, "Nearer")
    driver.key("T")
    while app.steps.moment.phase is not Phase.GJK:
        driver.key("Ctrl+Right")
    assert app.steps.part == WHOLE
    seen = []
    for _ in range(5):
        driver.key("Shift+Right")
        seen.append((app.steps.moment.index, app.steps.part))
    assert seen == [(1, "nearest"), (1, "direction"), (1, "support A"), (1, "support B"), (1, "subtract")]
    driver.key("Shift+Left")
    assert app.steps.part == "support B"
    driver.key("Left")
    assert (app.steps.moment.index, app.steps.part) == (0, WHOLE)
    app.invoke("steps.slow")
    assert app.preferences.settings.slow_steps
    driver.key("Right")
    assert (app.steps.moment.index, app.steps.part) == (1, "nearest")
    driver.key("Ctrl+Right")
    assert (app.steps.moment.phase, app.steps.moment.index, app.steps.part) == (Phase.EPA, 0, "hand-over")
    driver.key("Ctrl+Left")
    assert (app.steps.moment.phase, app.steps.part) == (Phase.GJK, "start")
    app.invoke("steps.slow")
    driver.key("Right")
    assert (app.steps.moment.index, app.steps.part) == (1, WHOLE)


def test_a_key_or_a_click_ends_the_motion_of_a_sub_step_at_once_and_the_window_rests(driver: Driver) -> None:
    app = driver.app
    app.ask.edit(NEAR, "Nearer")
    app.ask.play(replace(app.work.playback, open=True, phase=Phase.GJK, index=1, part="support A"))
    assert app.steps.progress == 0.0
    driver.key("F1")
    assert app.steps.progress == 1.0
    driver.key("Escape")
    for part in ("support B", "support A"):
        app.ask.play(replace(app.work.playback, part=part))
        assert app.steps.progress == 0.0
        driver.press(5.0, 5.0)
        assert app.steps.progress == 1.0
        driver.release(5.0, 5.0)
    assert app.steps.next_in(0.0) is None


def test_slow_stands_beside_the_speed_and_a_click_turns_it_on(driver: Driver) -> None:
    app = driver.app
    driver.key("T")
    driver.frame(2)
    window, scale = imgui.internal.find_window_by_name(TIMELINE_WINDOW), driver.window.extent.scale
    driver.click(window.pos.x + window.size.x - 201.0 * scale, window.pos.y + window.size.y - 18.0 * scale)
    driver.frame(2)
    assert app.work.playback.slow


def test_a_held_arrow_goes_on(driver: Driver) -> None:
    driver.key("T")
    driver.send("on_key_press", key.RIGHT, 0)
    for _ in range(6):
        driver.send("on_text_motion", key.MOTION_RIGHT)
    driver.send("on_key_release", key.RIGHT, 0)
    driver.frame()
    # The press steps, its own motion event does not, and each repeat after it does.
    assert driver.app.steps.place == 6


@pytest.mark.nightly("windows")
def test_playing_draws_a_frame_for_a_step_and_ends_at_rest(driver: Driver) -> None:
    app = driver.app
    app.ask.play(Playback(open=True, playing=True, speed=8.0))
    since, frames, seen = driver.now, 0, [0]
    while app.work.playback.playing:
        driver.now += app.draw_frame() or FRAME
        frames += 1
        assert frames <= 2 * last(driver) + 10
        seen.append(app.steps.place)
    assert sorted(set(seen)) == list(range(last(driver) + 1))
    assert driver.now - since == pytest.approx((last(driver) + 1) / 8.0, abs=0.05)
    driver.frame(3)
    assert app.draw_frame() is None, "at rest no further frame is asked for"


def test_a_click_on_the_track_goes_there_and_a_drag_scrubs(driver: Driver) -> None:
    app = driver.app
    driver.key("T")
    driver.frame(3)
    left, right, y = track(driver)
    scene, view = app.work.document, app.work.view
    driver.click(right - 4.0, y)
    assert app.steps.place == last(driver)
    driver.press(left + 2.0, y)
    driver.frame(2)
    seen = [app.steps.place]
    for share in (0.2, 0.4, 0.6, 0.8, 1.0):
        driver.move(left + share * (right - left), y - 200.0 * share, buttons=1)
        driver.frame(2)
        seen.append(app.steps.place)
    driver.release(right, y - 200.0)
    driver.frame(2)
    assert seen == sorted(seen)
    assert (seen[0], seen[-1]) == (0, last(driver))
    assert len(set(seen)) == 6
    assert (app.work.document, app.work.view) == (scene, view), "the pictures behind are not touched"
    driver.send("on_mouse_scroll", right - 4.0, driver.upwards(y), 0, 2)
    driver.frame(3)
    assert app.steps.place == last(driver) - 2
    assert app.work.view == view


def test_escape_closes_the_timeline_last(driver: Driver) -> None:
    app = driver.app
    driver.key("T")
    app.work.selection = 1
    driver.key("Escape")
    assert (app.work.selection, app.work.playback.open) == (None, True)
    driver.key("Escape")
    assert not app.work.playback.open
    assert app.steps.query is None


def test_the_place_is_kept_while_epa_comes_and_goes_and_over_undo(driver: Driver) -> None:
    app = driver.app
    app.ask.edit(NEAR, "Nearer")
    inside = next(place for place, m in enumerate(app.steps.all.moments) if m.phase is Phase.EPA)
    app.ask.play(at_place(Playback(open=True), app.steps.all, inside))
    driver.frame()
    app.ask.edit(FAR, "Farther")
    driver.frame()
    assert (app.steps.moment.phase, app.steps.moment.last) == (Phase.GJK, True)
    app.edits.undo()
    driver.frame()
    assert app.steps.moment.phase is Phase.EPA


def test_a_body_is_dragged_while_it_plays(driver: Driver) -> None:
    app = driver.app
    app.ask.play(Playback(open=True, playing=True, speed=8.0))
    driver.frame(4)
    before = app.work.scene
    x, y = driver.on_b
    driver.drag((x, y), (x + 60.0, y - 30.0))
    assert app.work.scene != before
    assert app.work.playback.playing
    assert app.steps.query.analysis is app.answers.analysis


@pytest.mark.nightly("windows")
def test_another_scene_goes_to_the_start_and_a_log_keeps_the_place(driver: Driver, tmp_path: Path) -> None:
    app, path = driver.app, tmp_path / "pairs.jsonl"
    app.ask.play(at_place(Playback(open=True, playing=True), app.steps.all, 9))
    driver.key("]")
    assert (app.work.playback.open, app.work.playback.playing, app.steps.place) == (True, False, 0)
    body = '{"shape": {"type": "box", "size": [1, 1, 1]}, "position": [%g, 0, 0]}'
    lines = (f'{{"separatrix": 1, "a": {body % 0}, "b": {body % x}}}\n' for x in (0.5, 0.6, 0.7))
    path.write_text("".join(lines))
    app.ask.open(path)
    driver.frame(3)
    driver.key("Right")
    assert (app.steps.place, app.files.log_position.index) == (1, 0), "the timeline is above the log"
    driver.key("PageDown")
    assert (app.steps.place, app.files.log_position.index) == (1, 1)
    driver.key("Escape")
    driver.key("Right")
    assert app.files.log_position.index == 2


def test_a_file_opens_at_the_step_it_was_saved_at(driver: Driver, tmp_path: Path) -> None:
    app, path = driver.app, tmp_path / "lesson.json"
    app.ask.edit(NEAR, "Nearer")
    driver.key("T")
    for _ in range(16):
        driver.key("Right")
    there = (app.steps.place, app.steps.moment.phase, app.steps.moment.index)
    app.ask.save(path)
    driver.key("Escape")
    app.ask.open(path)
    driver.frame(2)
    assert (app.work.playback.open, app.steps.place, app.steps.moment.phase, app.steps.moment.index) == (True, *there)
    assert load(path).view.step == 17
    driver.key("Escape")
    app.ask.save(path)
    assert load(path).view.step == 0
    assert '"step"' not in path.read_text()


@pytest.mark.painted
def test_a_screenshot_shows_the_step_and_carries_it(driver: Driver, tmp_path: Path) -> None:
    app = driver.app
    driver.key("T")
    pictures = []
    for name in ("first", "second"):
        app.ask.take_picture(ExportOptions(size=(240, 160)), path=tmp_path / f"{name}.png")
        driver.key("Right")
        pictures.append((tmp_path / f"{name}.png").read_bytes())
    assert pictures[0] != pictures[1]
    assert [load(tmp_path / f"{name}.png").view.step for name in ("first", "second")] == [1, 2]
    app.ask.open(tmp_path / "second.png")
    driver.frame(2)
    assert (app.work.playback.open, app.steps.place) == (True, 1)


def test_the_step_travels_over_the_clipboard_under_other_settings_too(driver: Driver) -> None:
    app = driver.app
    app.ask.tune(AlgorithmSettings(build=True))
    driver.key("T")
    assert (app.steps.moment.phase, app.steps.place) == (Phase.BUILD, 0)
    driver.key("Ctrl+Right")
    assert (app.steps.moment.phase, app.steps.moment.index) == (Phase.SAT, 0)
    assert app.steps.place > 0
    driver.key("Right")
    driver.key("Ctrl+C")
    assert '"step": 2' in app.window.paste()
    driver.key("Escape")
    driver.key("Ctrl+V")
    assert (app.steps.moment.phase, app.steps.moment.index) == (Phase.SAT, 1)


@pytest.mark.nightly("windows")
def test_stepping_through_every_phase_draws(driver: Driver) -> None:
    app = driver.app
    turned = replace(NEAR, b=replace(NEAR.b, rotation=quaternion.from_euler_xyz(0.3, 0.4, 0.5)))
    app.ask.edit(turned, "Turn B")
    driver.key("T")
    driver.frame(2)
    for place in range(last(driver) + 1):
        app.ask.play(at_place(app.work.playback, app.steps.all, place))
        driver.frame()
        assert app.steps.place == place
        assert app.builder.placed[0].lines.start.size


def test_build_by_hand_begins_with_the_first_difference_and_can_be_left_out_again(driver: Driver) -> None:
    app = driver.app
    app.invoke("steps.build")
    assert (app.work.playback.open, app.steps.place, app.steps.moment.phase) == (True, 0, Phase.BUILD)
    assert app.commands.named("steps.build").checked(app)
    app.invoke("steps.build")
    assert Phase.BUILD not in {moment.phase for moment in app.steps.all.moments}
    app.ask.edit(Scene(Body(Box((1.0, 1.0, 1.0))), Body(Cone(1.0, 1.0), (1.2, 0.0, 0.0))), "Cone")
    app.invoke("steps.build")
    assert any("cannot be built by hand" in notice.message for notice in app.notices.now())


def test_stepping_a_log_keeps_the_place_in_the_steps(driver: Driver, tmp_path: Path) -> None:
    app = driver.app
    log = tmp_path / "frames.jsonl"
    # As the program writes scenes: each with the view that it was looked at with.
    lines = (write(replace(NEAR, name=name), View()).replace("\n", " ") for name in ("first", "second"))
    log.write_text("\n".join(lines) + "\n")
    app.ask.open(log)
    driver.key("T")
    app.steps.play(replace(app.work.playback, phase=Phase.GJK, index=1))
    driver.key("PageDown")
    assert app.work.scene.name == "second"
    assert (app.work.playback.open, app.steps.moment.phase, app.steps.moment.index) == (True, Phase.GJK, 1)
