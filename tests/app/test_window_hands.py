"""Hands on the bodies in the real window: rings, holds, and names of keys that are buttons."""

from __future__ import annotations

import numpy as np
import pytest
from imgui_bundle import imgui
from msgspec.structs import replace
from pyglet.window import key

from app.draw.draw_list import Subject
from app.input.gizmo import GRAB_DISTANCE, GizmoTool, Handle
from app.lessons.shelf import shelf
from app.panels import key_buttons
from app.state.hold import Hold
from core.geometry import quaternion

from .window_rig import Driver, driver, place_of

__all__ = ["driver"]


def halves(driver: Driver, handle: int) -> dict[bool, list[tuple[np.ndarray, np.ndarray]]]:
    """Pixels of a ring with the outward unit vector (2,) from its middle, by whether they are behind the centre.

    The piece's end that is nearer to the viewer than the gizmo's centre is in front.
    """
    pane = driver.pane()
    placed = driver.app.builder.placed[driver.app.builder.panes.index(pane)]
    gizmo = driver.app.edits.gizmo
    assert gizmo is not None
    centre = pane.projection.project(gizmo.centre[None])[0]
    found: dict[bool, list[tuple[np.ndarray, np.ndarray]]] = {True: [], False: []}
    for row, subject in enumerate(placed.lines.subjects):
        if subject == Subject("gizmo", handle):
            middle = 0.5 * (placed.lines.start[row] + placed.lines.end[row])
            way = middle[:2] - centre[:2]
            sight = pane.sight(middle[0] + pane.rect.x, middle[1] + pane.rect.y)
            axis = np.array(gizmo.hold.axis) if gizmo.hold is not None else gizmo.axes[handle - Handle.RING]
            met = sight.on_plane(gizmo.centre, axis)
            assert met is not None
            behind = bool((met - gizmo.centre) @ sight.towards < 0.0)
            found[behind].append((np.add(middle[:2], (pane.rect.x, pane.rect.y)), way / np.linalg.norm(way)))
    return found


def turn_between(before, after) -> np.ndarray:
    """The vector part (3,) of the turn from one body to another."""
    return np.array(quaternion.multiply(after.rotation, quaternion.conjugate(before.rotation))[1:])


@pytest.mark.parametrize("missed", [0.0, 0.9 * GRAB_DISTANCE])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_the_back_half_of_a_ring_turns_about_its_axis_and_changes_nothing_else(
    driver: Driver, axis: int, missed: float
) -> None:
    app = driver.app
    app.work.selection, app.edits.tool = 1, GizmoTool.ROTATE
    driver.frame(3)
    handle = Handle.RING + axis
    before, view, tried = app.work.scene, app.work.view, 0
    for start, outward in halves(driver, handle)[True][2:-2:3]:
        start = start - missed * outward
        driver.move(*start)
        driver.frame(2)
        if app.events.hot != Subject("gizmo", handle):
            continue  # another ring is as near there
        tried += 1
        along = np.array((-outward[1], outward[0]))
        driver.drag(start, start + 40.0 * along)
        after = app.work.scene
        assert after.a == before.a
        assert replace(after.b, rotation=before.b.rotation) == before.b
        turn = turn_between(before.b, after.b)
        assert abs(turn[axis]) > 0.05
        assert np.allclose(np.delete(turn, axis), 0.0, atol=1e-15)
        assert app.work.view.world == view.world
        app.invoke("edit.undo")
        driver.frame(2)
    assert tried >= 1


def test_between_the_rings_the_view_turns_and_a_click_selects(driver: Driver) -> None:
    app = driver.app
    app.invoke("tool.rotate")
    driver.frame(3)
    before, camera = app.work.scene, app.work.view.world
    pane = driver.pane()
    x, y = driver.on_b
    free = next(
        (x + dx, y + dy)
        for dx in range(-40, 41, 4)
        for dy in range(-40, 41, 4)
        if app.events._picked(pane, x + dx, y + dy) == Subject("body", 1)
    )
    driver.drag(free, (free[0] + 50.0, free[1] + 10.0))
    assert app.work.scene == before
    assert app.work.view.world.yaw != camera.yaw
    app.work.selection = 0
    driver.frame(2)
    driver.click(*driver.on_b)
    assert app.work.selection == 1


STEPS = (
    ("faces-become-points", "collapse", (0.0, 1.0, 0.0)),
    ("one-point-tells-all", "turn", (0.0, 0.0, 1.0)),
    ("faces-to-points", "edge", (1.0, 0.0, 0.0)),
    ("faces-to-points", "flat", (0.0, 0.0, 1.0)),
)


@pytest.mark.parametrize(("name", "step", "axis"), STEPS, ids=[step for _, step, _ in STEPS])
def test_in_a_step_about_one_axis_no_drag_changes_anything_else(
    driver: Driver, name: str, step: str, axis: tuple[float, float, float]
) -> None:
    app = driver.app
    app.lessons.begin(next(lesson for lesson in shelf() if lesson.id == name), step)
    driver.frame(5)
    assert app.work.view.hold == Hold(True, axis)
    start = app.work.scene
    sides = halves(driver, Handle.HELD)
    places = [np.array(driver.on_b), *(side[len(side) // 2][0] for side in sides.values() if side)]
    assert len(places) >= 2
    for modifiers in (0, key.MOD_SHIFT, key.MOD_CTRL, key.MOD_CTRL | key.MOD_SHIFT):
        for place in places:
            before, view = app.work.scene, app.work.view.world
            driver.drag(place, np.add(place, (37.0, 41.0)), modifiers=modifiers)
            after = app.work.scene
            assert after.a == start.a
            assert replace(after.b, rotation=start.b.rotation, angle=start.b.angle) == start.b, "to the last digit"
            turn = turn_between(before.b, after.b)
            assert np.allclose(turn - (turn @ axis) * np.array(axis), 0.0, atol=1e-15)
            assert app.work.view.world == view
    assert app.work.scene != start
    app.invoke("move.left")
    driver.frame(2)
    assert app.work.scene.b.position == start.b.position
    assert any(notice.message.startswith("Here B turns about") for notice in app.notices.now())


def test_a_held_turn_with_ctrl_reaches_the_goal(driver: Driver) -> None:
    """Three drags with Ctrl and Shift never snapped where this was asked for."""
    app = driver.app
    app.lessons.begin(shelf()[5], "edge")
    driver.frame(5)
    x, y = driver.on_b
    driver.drag((x, y), (x + 8.0, y - 90.0), modifiers=key.MOD_CTRL)
    assert app.lessons.met
    assert len(app.answers.analysis.contacts.contacts) == 2


def test_a_scene_is_let_go_of_by_its_command(driver: Driver) -> None:
    app = driver.app
    app.ask.look(replace(app.work.view, hold=Hold(False, (0.0, 1.0, 0.0))))
    driver.frame(3)
    before = app.work.scene.b
    driver.drag(driver.on_b, np.add(driver.on_b, (30.0, -20.0)))
    moved = np.subtract(app.work.scene.b.position, before.position)
    assert moved[1] > 0.0
    assert (moved[0], moved[2]) == (0.0, 0.0)
    arrow = driver.on_subject(Subject("gizmo", Handle.HELD))
    driver.drag(arrow, np.add(arrow, (10.0, 25.0)))
    assert app.work.scene.b.position[::2] == before.position[::2]
    app.work.selection = 1
    driver.frame(2)
    app.invoke("tool.free_drag")
    driver.frame(3)
    drawn = {
        subject.number for placed in app.builder.placed for subject in placed.lines.subjects if subject.kind == "gizmo"
    }
    assert drawn >= {Handle.ARROW, Handle.ARROW + 1}
    assert Handle.HELD not in drawn
    driver.drag(driver.on_b, np.add(driver.on_b, (30.0, -20.0)))
    assert app.work.scene.b.position[::2] != before.position[::2]
    app.invoke("preset.two-spheres")
    driver.frame(2)
    assert app.work.view.hold is None


def test_after_a_drag_the_rail_stays_with_the_verdict_until_the_pointer_moves_on(driver: Driver) -> None:
    app = driver.app
    x, y = driver.on_b
    driver.move(x, y)
    driver.frame(2)
    pointed = app.work.view.hover
    assert pointed is not None
    assert pointed.kind == "axis", "at rest a face lights its axis"
    driver.drag((x, y), (x + 12.0, y + 6.0))
    driver.frame(4)
    assert app.work.view.hover in (None, Subject("body", 1))
    driver.move(x + 14.0, y + 6.0)
    driver.frame(2)
    assert app.work.view.hover in (None, Subject("body", 1))
    # Off the depth's arrow and its number, which are drawn over the face.
    driver.move(x + 20.0, y + 34.0)
    driver.frame(2)
    assert app.work.view.hover is not None
    assert app.work.view.hover.kind == "axis"


def test_the_name_of_a_key_presses_it(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    app = driver.app
    told: list[str] = []
    monkeypatch.setattr(key_buttons, "explain", told.append)
    app.lessons.begin(shelf()[-1], "collapse")
    driver.frame(4)
    assert "Turn the body left\nThe selected body, else B, by one step of snapping" in told
    before = app.work.scene.b
    driver.click(*place_of(driver, "Ctrl+Shift+Left", monkeypatch))
    angle = quaternion.angle_between(before.rotation, app.work.scene.b.rotation)
    assert np.degrees(angle) == pytest.approx(app.preferences.settings.snap_angle_degrees)
    driver.key("Tab")
    driver.key("Enter")
    assert app.lessons.met, "twice 15 degrees, the second by the keyboard's focus"
    assert app.lessons.step is not None
    assert app.lessons.step.id == "collapse"
    driver.key("Tab")
    driver.key("Enter")
    assert app.lessons.step.id != "collapse", "without the focus Enter goes on"


def test_escape_in_the_card_leaves_and_a_key_in_the_help_runs(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    app = driver.app
    app.lessons.begin(shelf()[-1], "collapse")
    driver.frame(4)
    x, y = place_of(driver, "F2: all lessons. Esc leaves, and F2 comes back.", monkeypatch)
    driver.click(x + imgui.calc_text_size("F2: all lessons. ").x, y)
    assert not app.lessons.open
    app.invoke("help.keys")
    driver.frame(4)
    assert app.edits.tool is GizmoTool.MOVE
    driver.click(*_button(driver, "E##tool.rotate", monkeypatch))
    assert app.edits.tool is GizmoTool.ROTATE


def _button(driver: Driver, label: str, monkeypatch: pytest.MonkeyPatch) -> tuple[float, float]:
    """A pixel of a small button with this label, in a window that is scrolled until the button is in sight."""
    found: list[tuple[float, float]] = []
    small = imgui.small_button

    def watched(name: str) -> bool:
        pressed = small(name)
        if name == label:
            if not found:
                imgui.set_scroll_here_y()
            low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
            found.append((0.5 * (low.x + high.x), 0.5 * (low.y + high.y)))
        return pressed

    monkeypatch.setattr(imgui, "small_button", watched)
    driver.frame(4)
    monkeypatch.setattr(imgui, "small_button", small)
    return found[-1]
