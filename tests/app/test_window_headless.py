"""The application from end to end without a display: mouse and keys in, documents and pictures out."""

from __future__ import annotations

import pytest
from imgui_bundle import imgui
from msgspec.structs import replace
from pyglet.window import key, mouse

from app.controllers.cameras import Cameras
from app.draw.draw_list import Subject
from app.io.presets import DEFAULT, FLAT_DEFAULT, default_scene, presets
from app.render.frame import FrameBuilder
from app.state.panel_state import PanelState, Pending
from app.state.settings import load_settings
from app.state.view import AxisView, Panes, Seen
from core.geometry import quaternion

from .panel_rig import panel_named
from .window_rig import Driver, driver

__all__ = ["driver"]


def shift(before, after) -> list[float]:
    return [b - a for a, b in zip(before, after, strict=True)]


def test_the_first_screen_is_the_first_preset_unchanged(driver: Driver) -> None:
    app = driver.app
    assert app.work.scene == default_scene().scene
    assert app.title == f"{app.work.scene.name} - Separatrix"
    assert [pane.kind for pane in app.builder.panes] == ["world", "difference"]
    assert not app.work.document.unsaved


def test_dragging_b_moves_b_alone_and_undo_gives_back_every_digit(driver: Driver) -> None:
    app, before = driver.app, driver.app.work.scene
    x, y = driver.on_b
    driver.drag((x, y), (x + 60.0, y - 30.0))
    after = app.work.document.committed
    assert app.work.document.preview is None
    assert after.a == before.a
    assert replace(after.b, position=before.b.position) == before.b
    # The grabbed point lies on B's surface, nearer than its middle, so the middle follows a little less.
    assert driver.on_b == pytest.approx((x + 60.0, y - 30.0), abs=6.0)
    assert app.work.document.undo_label == "Move B"
    assert app.title.startswith("*")
    driver.key("Ctrl+Z")
    assert app.work.scene == before
    driver.key("Ctrl+Y")
    assert app.work.scene == after
    driver.key("Ctrl+Z")
    driver.key("Ctrl+Shift+Z")
    assert app.work.scene == after


def test_a_click_selects_and_changes_nothing(driver: Driver) -> None:
    app, before = driver.app, driver.app.work.document
    driver.click(*driver.on_b)
    assert app.work.selection == 1
    assert app.work.document == before
    driver.click(app.builder.panes[0].rect.x + 30.0, app.builder.panes[0].rect.y + 120.0)
    assert app.work.selection is None


def test_escape_during_a_drag_restores_and_leaves_no_entry(driver: Driver) -> None:
    app, before = driver.app, driver.app.work.document
    x, y = driver.on_b
    driver.drag((x, y), (x + 80.0, y), release=False)
    assert app.work.scene != before.scene
    assert app.events.gestures.readout is not None
    driver.key("Escape")
    assert app.work.scene == before.scene
    driver.release(x + 80.0, y)
    driver.frame(2)
    assert app.work.document == before


def test_ctrl_snaps_and_x_keeps_to_the_axis(driver: Driver) -> None:
    app, before = driver.app, driver.app.work.scene
    x, y = driver.on_b
    driver.drag((x, y), (x + 70.0, y - 40.0), modifiers=key.MOD_CTRL, release=False)
    moved = shift(before.b.position, app.work.scene.b.position)
    assert any(moved)
    assert all(abs(d / 0.1 - round(d / 0.1)) < 1e-9 for d in moved)
    driver.send("on_key_press", key.X, key.MOD_CTRL)
    driver.frame()
    moved = shift(before.b.position, app.work.scene.b.position)
    assert moved[0] != 0.0
    assert moved[1:] == [0.0, 0.0]
    assert "X only" in (app.events.gestures.readout or "")
    driver.release(x + 70.0, y - 40.0)


def test_shift_and_drag_turns_a_body_in_place(driver: Driver) -> None:
    app, before = driver.app, driver.app.work.scene
    x, y = driver.on_b
    driver.drag((x, y), (x + 40.0, y + 10.0), modifiers=key.MOD_SHIFT)
    after = app.work.scene
    assert replace(after.b, rotation=before.b.rotation) == before.b
    assert quaternion.angle_between(before.b.rotation, after.b.rotation) > 0.05
    assert quaternion.norm(after.b.rotation) == pytest.approx(1.0, abs=1e-15)
    assert app.work.document.undo_label == "Turn B"


def test_the_gizmo_moves_along_one_axis(driver: Driver) -> None:
    app, before = driver.app, driver.app.work.scene
    driver.click(*driver.on_b)
    driver.key("W")
    x, y = driver.on_subject(Subject("gizmo", 1))
    driver.move(x, y)
    driver.frame()
    driver.drag((x, y), (x + 3.0, y - 50.0))
    moved = shift(before.b.position, app.work.scene.b.position)
    assert moved[0] == moved[2] == 0.0
    assert moved[1] > 0.1


def test_the_size_handles_resize_about_the_centre(driver: Driver) -> None:
    app, before = driver.app, driver.app.work.scene
    driver.click(*driver.on_b)
    driver.key("R")
    x, y = driver.on_subject(Subject("gizmo", 12))
    cx, cy = driver.on_b
    driver.drag((x, y), (x + 0.4 * (x - cx), y + 0.4 * (y - cy)))
    assert app.work.scene.b.position == before.b.position
    assert app.work.scene.b.shape.size[0] > before.b.shape.size[0]
    assert app.work.scene.b.shape.size[1:] == before.b.shape.size[1:]


def test_dragging_the_difference_moves_b_the_other_way(driver: Driver) -> None:
    app, before = driver.app, driver.app.work.scene
    core = app.answers.analysis.difference.core.vertices.mean(axis=0)
    x, y = driver.at(core, "difference")
    driver.drag((x, y), (x + 50.0, y))
    moved = shift(before.b.position, app.work.scene.b.position)
    right = driver.pane("difference").projection.basis[0]
    assert sum(m * r for m, r in zip(moved, right, strict=True)) < -0.1


def test_empty_space_turns_both_cameras_and_pan_and_zoom_one(driver: Driver) -> None:
    app = driver.app
    rect = driver.pane().rect
    empty = (rect.x + 40.0, rect.y + 110.0)
    before, scene = app.work.view, app.work.scene
    driver.drag(empty, (empty[0] + 100.0, empty[1] + 30.0))
    assert app.work.view.world.yaw == app.work.view.difference.yaw != before.world.yaw
    assert app.work.view.world.pitch > before.world.pitch
    turned = app.work.view
    driver.drag(driver.on_b, (300.0, 300.0), button=mouse.MIDDLE)
    assert app.work.view.world.yaw != turned.world.yaw
    before = app.work.view
    driver.drag(empty, (empty[0] + 60.0, empty[1]), button=mouse.RIGHT)
    assert app.work.view.world.target != before.world.target
    assert app.work.view.difference == before.difference
    x, y = driver.on_b
    driver.send("on_mouse_scroll", x, driver.upwards(y), 0, 3)
    driver.frame(2)
    assert app.work.view.world.distance < before.world.distance
    assert driver.on_b == pytest.approx((x, y), abs=8.0)
    assert app.work.scene == scene


def test_bodies_come_first_and_the_tab_chosen_stays_in_front(driver: Driver) -> None:
    def in_front() -> list[str]:
        driver.frame(3)
        names = ("Answers", "Bodies")
        return [name for name in names if not imgui.internal.find_window_by_name(name).hidden]

    driver.app.host.restore_default_layout()
    driver.key("Tab")
    assert in_front() == ["Bodies"]
    driver.key("F1")
    driver.key("F1")
    assert in_front() == ["Bodies"]
    imgui.set_window_focus("Answers")
    assert in_front() == ["Answers"]
    driver.key("Tab")
    driver.key("Tab")
    assert in_front() == ["Answers"]
    driver.key("Tab")


def test_presets_step_and_ask_about_unsaved_work(driver: Driver) -> None:
    app = driver.app
    first = app.work.preset
    assert first == DEFAULT
    driver.key("]")
    assert app.work.preset not in (None, first)
    driver.key("[")
    assert app.work.preset == first
    before = app.work.scene
    app.ask.edit(before.swapped(), "Swap A and B")
    driver.key("]")
    assert isinstance(app.questions.pending, Pending)
    assert app.work.scene == before.swapped()
    app.ask.answer("cancel")
    assert (app.questions.pending, app.work.scene) == (None, before.swapped())
    driver.key("]")
    app.ask.answer("discard")
    driver.frame()
    assert app.work.preset != first
    assert not app.work.document.unsaved


def test_presets_follow_the_course_and_are_ticked_when_opened(driver: Driver) -> None:
    files, ids = driver.app.files, [preset.id for preset in presets()]
    driver.key("]")
    assert driver.app.work.preset == ids[(ids.index(DEFAULT) + 1) % len(ids)]
    files.new(flat=True)
    assert driver.app.work.preset == FLAT_DEFAULT == ids[0]
    driver.frame()
    driver.key("[")
    assert driver.app.work.preset == ids[-1]
    assert {FLAT_DEFAULT, ids[-1]} <= driver.app.panel_state().opened_presets


def test_the_gallery_opens_with_its_pictures_and_a_search_is_typed_at_once(driver: Driver) -> None:
    driver.key("Ctrl+G")
    driver.frame(3)
    pictures = panel_named(driver.app.panels, "preset_gallery")._pictures._textures
    assert pictures
    assert {texture.status for texture in pictures.values()} == {imgui.ImTextureStatus.ok}
    driver.key("Escape")
    driver.frame(3)
    assert not driver.app.dialogs.presets
    assert not pictures


def test_a_search_replaces_the_one_before_and_keeps_the_keyboard_without_a_hit(driver: Driver) -> None:
    gallery = panel_named(driver.app.panels, "preset_gallery")
    for words in ("epa", "nothing like it"):
        driver.app.invoke("presets.gallery")
        driver.frame(3)
        driver.type(words)
        driver.frame(2)
        assert gallery._filter == words
        driver.key("Escape")
        driver.frame(3)
    driver.app.invoke("presets.gallery")
    driver.frame(3)
    driver.type("nothing like it")
    driver.frame(2)
    driver.key("Enter")
    driver.frame(3)
    view, playback = driver.app.work.view, driver.app.work.playback
    driver.key("V")
    driver.type("edge")
    driver.frame(2)
    assert gallery._filter == "edge"
    assert (driver.app.work.view, driver.app.work.playback) == (view, playback)


@pytest.mark.parametrize("preset", [preset.id for preset in presets()])
@pytest.mark.sampled(5, "scenes")
def test_every_preset_draws(driver: Driver, preset: str) -> None:
    driver.app.files.load_preset(preset)
    for axis_view in AxisView:
        driver.app.cameras.look(replace(driver.app.work.view, axis_view=axis_view))
        driver.frame()
    assert driver.app.builder.placed[0].lines.start.size


def test_escape_never_quits(driver: Driver) -> None:
    for _ in range(5):
        driver.key("Escape")
    assert driver.window.context is not None


def test_the_divider_is_dragged(driver: Driver) -> None:
    app = driver.app
    border = driver.pane("difference").rect.x
    y = driver.pane().rect.y + 300.0
    driver.drag((float(border), y), (border - 200.0, y))
    assert driver.pane("difference").rect.x == pytest.approx(border - 200.0, abs=2.0)
    assert app.work.scene == default_scene().scene


def test_panes_and_looks_by_key(driver: Driver) -> None:
    app = driver.app
    driver.key("1")
    assert (app.work.view.world.yaw, app.work.view.world.pitch) == (0.0, 0.0)
    driver.key("5")
    assert app.work.view.world.orthographic
    assert app.work.view.difference.orthographic
    driver.key("M")
    assert app.work.view.panes is Panes.WORLD
    assert [pane.kind for pane in app.builder.panes] == ["world"]
    app.invoke("panes.overlaid")
    driver.frame()
    assert {"body", "axis"} <= {subject.kind for subject in app.builder.placed[0].triangles.subjects}
    driver.key("Home")
    assert app.work.view.fitted


def test_nothing_is_drawn_anew_while_nothing_changes(driver: Driver) -> None:
    driver.frame(3)
    placed = driver.app.builder.placed
    driver.frame(3)
    assert driver.app.builder.placed is placed
    assert "upload" not in driver.app.times.parts


@pytest.mark.parametrize("timeline", [False, True], ids=["answer", "steps"])
def test_what_is_seen_is_gathered_once_for_a_frame(
    driver: Driver, monkeypatch: pytest.MonkeyPatch, timeline: bool
) -> None:
    app = driver.app
    app.ask.play(replace(app.work.playback, open=timeline))
    driver.frame(4)
    gathered, drawn = [], []
    seen, build = Cameras.seen.fget, FrameBuilder.build
    monkeypatch.setattr(Cameras, "seen", property(lambda self: gathered.append(seen(self)) or gathered[-1]))
    monkeypatch.setattr(
        FrameBuilder, "build", lambda self, shown, times: drawn.append(shown) or build(self, shown, times)
    )
    for _ in range(3):
        app.draw_frame()
    assert len(gathered) == 3
    assert [shown.facts for shown in drawn] == [one.facts for one in gathered]
    # What a panel asks for is drawn in the same frame.
    with monkeypatch.context() as patch:
        patch.setattr(app.panels[0], "draw", lambda _ui, ask: ask.edit(app.work.scene.swapped(), "Swap"))
        app.draw_frame()
    assert drawn[-1].scene == app.work.scene
    assert drawn[-1].scene != drawn[-2].scene


def test_answers_that_come_while_a_frame_is_drawn_are_drawn_at_once(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thread may end at any time; nobody asks for them once nothing is computed any more."""
    app = driver.app
    driver.frame(4)
    assert app.draw_frame() != 0.0
    present = app.renderer.present

    def comes(*arguments: object) -> None:
        present(*arguments)
        app.answers._known = replace(app.answers._known)

    with monkeypatch.context() as patch:
        patch.setattr(app.renderer, "present", comes)
        assert app.draw_frame() == 0.0
    assert app.draw_frame() != 0.0


def test_the_panels_are_told_the_times_of_a_whole_frame(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    app, told = driver.app, []

    def watched(seen: Seen) -> PanelState:
        told.append(set(type(app).panel_state(app).frame_times))
        return type(app).panel_state(app, seen)

    monkeypatch.setattr(app, "panel_state", watched)
    driver.frame(2)
    assert {"analysis", "overlays", "layout", "draw", "imgui"} <= told[-1]


def test_settings_change_at_once_and_are_kept(driver: Driver) -> None:
    app = driver.app
    app.invoke("theme.light")
    app.invoke("view.z_up")
    app.invoke("scale.largest_radius")
    driver.frame(2)
    assert app.preferences.theme.name == "light"
    assert app.work.view.world.z_up
    assert app.window.extent.scale == pytest.approx(1.1)
    assert load_settings() == (app.preferences.settings, None)


def test_fitted_cameras_follow_what_an_edit_carries_out_of_the_picture(driver: Driver) -> None:
    app, view = driver.app, driver.app.work.view
    near = replace(app.work.scene, b=replace(app.work.scene.b, position=(1.0, 0.9, 0.2)))
    app.ask.edit(near, "Move B")
    driver.frame()
    # The difference follows as soon as its pane cuts it, the bodies when much of them is lost.
    assert app.work.view.world == view.world
    far = replace(app.work.scene, b=replace(app.work.scene.b, position=(50.0, 0.0, 0.0)))
    app.ask.edit(far, "Move B")
    driver.frame()
    assert app.work.view.world.distance > 2.0 * view.world.distance
    app.cameras.look(replace(app.work.view, fitted=False))
    mine = app.work.view
    app.ask.edit(replace(far, b=replace(far.b, position=(500.0, 0.0, 0.0))), "Move B")
    driver.frame()
    assert app.work.view == mine
