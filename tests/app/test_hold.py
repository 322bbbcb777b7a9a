"""The hold: one degree of freedom of a drag, in files, under the pointer, at the gizmo and by keys."""

from __future__ import annotations

from math import hypot, radians

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from app.commands.command_list import command_table
from app.controllers.edits import hold_side
from app.draw.camera import Camera
from app.draw.draw_list import Subject
from app.draw.theme import DARK
from app.input.bindings import Held, MouseButton
from app.input.gizmo import Gizmo, GizmoTool, Handle
from app.io.scene_file import SceneError, read, write
from app.panels.viewport_bottom import hint_for
from app.render.framing import framed
from app.state.hold import Hold, hold_from
from app.state.view import Seen, View
from core.geometry import quaternion
from core.scene import Body, Scene
from core.shapes import Box, Polygon

from .asked import Hand
from .lesson_samples import faults_of, small
from .panel_rig import panel_state
from .test_gestures import AREA, NONE, SCENE, VIEW, situation

Y = Hold(True, (0.0, 1.0, 0.0))
SLANTED = Hold(False, (0.6, 0.0, 0.8))
"""A turn about y, and a move along a slanted axis."""
PARTS = st.floats(-1e6, 1e6)


@given(st.booleans(), st.tuples(PARTS, PARTS, PARTS).filter(lambda axis: hypot(*axis) > 1e-3))
def test_a_hold_is_read_as_it_was_written(turns: bool, axis: tuple[float, float, float]) -> None:
    x, y, z = axis
    read_once = hold_from(f"{'turn' if turns else 'move'} [{x!r}, {y!r}, {z!r}]")
    assert read_once.turns is turns
    assert hypot(*read_once.axis) == pytest.approx(1.0, abs=1e-14)
    assert hold_from(read_once.text) == read_once


@pytest.mark.parametrize("name", "xyz")
def test_an_axis_of_the_world_has_its_name(name: str) -> None:
    assert hold_from(f"turn {name}").text == f"turn {name}"
    assert hold_from(f"turn {name}").axis == tuple(float(name == each) for each in "xyz")


NONSENSE = {
    "roll y": "must be turn or move with an axis",
    "turn": "must be turn or move with an axis",
    "turn w": "must be turn or move with an axis",
    "turn [0, 1]": "must be turn or move with an axis",
    "turn [0, 0, 0]": "the axis must not be",
    "move [0, 1e9, 0]": "the axis must have three numbers",
    "move [0, true, 0]": "the axis must have three numbers",
    "move [0, NaN, 0]": "the axis must have three numbers",
}


@pytest.mark.parametrize("text", NONSENSE)
def test_nonsense_is_refused_with_what_was_expected(text: str) -> None:
    with pytest.raises(ValueError, match="must"):
        hold_from(text)
    (fault,) = faults_of(small(("> verdict: hidden", f"> hold: {text}")))
    assert fault.startswith(f"x:12: hold: {NONSENSE[text]}")
    tree = write(SCENE, replace(VIEW, hold=Y)).replace('"turn y"', f'"{text}"')
    with pytest.raises(SceneError) as error:
        read(tree)
    assert error.value.path == "view.hold"


def test_a_hold_needs_a_body_and_fits_the_plane() -> None:
    (fault,) = faults_of(small(("> verdict: hidden", "> drag: none\n> hold: turn z")))
    assert fault == "x:13: hold: needs a body that can be dragged, and drag says none"
    for text, told in (("turn y", True), ("move [1, 2, 0]", False), ("turn z", False), ("move z", True)):
        faults = faults_of(small(("> verdict: hidden", f"> hold: {text}")))
        assert any("hold must turn about z" in fault for fault in faults) is told


def test_a_scene_keeps_its_hold_and_a_scene_of_the_plane_refuses_another() -> None:
    for hold in (None, Y, SLANTED):
        view = read(write(SCENE, replace(VIEW, hold=hold))).view
        assert view is not None
        assert view.hold == hold
    assert '"hold"' not in write(SCENE, VIEW)
    square = Polygon(((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)))
    flat = Scene(Body.in_plane(square, (0.0, 0.0)), Body.in_plane(square, (3.0, 0.0)))
    with pytest.raises(SceneError, match="turn about z or move along x and y"):
        read(write(flat, replace(View(), hold=Y)))
    assert replace(View(), hold=Y).facing(flat).hold is None


def test_the_hint_says_what_a_drag_does_and_how_that_ends() -> None:
    ui = panel_state(view=replace(VIEW, hold=Y))
    for over in (None, Subject("body", 1)):
        told = hint_for(replace(ui, over=over))
        assert "turns about y only" in told
        assert "Drag freely again" in told
    assert command_table(()).named("tool.free_drag").title == "Drag freely again"


def test_a_drag_has_the_one_degree_of_freedom_and_no_key_gives_another() -> None:
    rng = np.random.default_rng(41)
    for hold in (Y, SLANTED):
        at = situation(view=replace(VIEW, hold=hold))
        axis = np.array(hold.axis)
        for shift in (False, True):
            gestures, held = Hand(), Held(shift=shift)
            pane = at.panes[0]
            x, y, _ = pane.projection.project(np.array([SCENE.b.position]))[0]
            start = np.array((x + pane.rect.x, y + pane.rect.y)) + rng.uniform(-5.0, 5.0, 2)
            gestures.press(MouseButton.LEFT, *start, held, at)
            (shown,) = gestures.move(*(start + rng.uniform(30.0, 60.0, 2)), held, at)
            assert not gestures.holdable
            assert gestures.key(0, False, held, at) == []
            body, before = shown.scene.b, SCENE.b
            assert body != before
            assert shown.scene.a == SCENE.a
            if hold.turns:
                assert body.position == before.position
                turn = quaternion.multiply(body.rotation, quaternion.conjugate(before.rotation))
                assert np.allclose(np.cross(turn[1:], axis), 0.0, atol=1e-15)
            else:
                assert body.rotation == before.rotation
                way = np.subtract(body.position, before.position)
                assert np.allclose(np.cross(way, axis), 0.0, atol=1e-15)


def test_a_snapped_move_along_a_slanted_axis_stays_on_the_axis() -> None:
    gestures, held = Hand(), Held(ctrl=True)
    at = situation(view=replace(VIEW, hold=SLANTED))
    pane = at.panes[0]
    x, y, _ = pane.projection.project(np.array([SCENE.b.position]))[0]
    start = x + pane.rect.x, y + pane.rect.y
    gestures.press(MouseButton.LEFT, *start, NONE, at)
    (shown,) = gestures.move(start[0] + 90.0, start[1] + 20.0, held, at)
    way = np.subtract(shown.scene.b.position, SCENE.b.position)
    assert np.allclose(np.cross(way, SLANTED.axis), 0.0, atol=1e-15)
    steps = float(way @ np.array(SLANTED.axis)) / at.settings.snap_length
    assert steps == pytest.approx(round(steps), abs=1e-9)
    assert round(steps) != 0


def test_the_difference_moves_along_the_axis_and_does_not_turn() -> None:
    for hold in (Y, SLANTED):
        at = situation(view=replace(VIEW, hold=hold))
        pane = at.panes[1]
        inside = -np.subtract(SCENE.b.position, SCENE.a.position)
        x, y, _ = pane.projection.project(inside[None])[0]
        start = x + pane.rect.x, y + pane.rect.y
        gestures = Hand()
        gestures.press(MouseButton.LEFT, *start, NONE, at)
        (shown,) = gestures.move(start[0] + 30.0, start[1] + 10.0, NONE, at)
        if hold.turns:
            assert shown.kind == "look", "A − B cannot be turned, so the view turns"
        else:
            way = np.subtract(shown.scene.b.position, SCENE.b.position)
            assert np.allclose(np.cross(way, SLANTED.axis), 0.0, atol=1e-15)


@pytest.mark.parametrize("tool", GizmoTool)
def test_no_body_moves_from_between_the_handles_for_turning(tool: GizmoTool) -> None:
    gizmo = Gizmo(SCENE, 1, tool, False)
    at = situation(Subject("body", 1), gizmo=gizmo)
    pane = at.panes[0]
    x, y, _ = pane.projection.project(np.array([SCENE.b.position]))[0]
    start = x + pane.rect.x, y + pane.rect.y
    gestures = Hand()
    gestures.press(MouseButton.LEFT, *start, NONE, at)
    (shown,) = gestures.move(start[0] + 30.0, start[1], NONE, at)
    assert shown.kind == ("look" if tool is GizmoTool.ROTATE else "preview")
    # With Shift the body turns as it does anywhere.
    gestures, held = Hand(), Held(shift=True)
    gestures.press(MouseButton.LEFT, *start, held, at)
    (shown,) = gestures.move(start[0] + 30.0, start[1], held, at)
    assert shown.scene.b.position == SCENE.b.position


def test_an_arrow_key_sends_the_front_to_its_side() -> None:
    camera = Camera(yaw=0.3, pitch=0.2)
    _, _, towards = camera.basis()
    right, up, _ = camera.basis()
    sides = {"left": -right, "right": right, "up": up, "down": -up}
    for axis in ((0.0, 1.0, 0.0), (1.0, 0.0, 0.0)):
        for key, side in sides.items():
            front = np.cross(axis, towards)
            if abs(front @ side) > 0.1:
                assert hold_side(Hold(True, axis), camera, key) is bool(front @ side > 0.0)
            assert hold_side(Hold(True, axis), camera, "left") is not hold_side(Hold(True, axis), camera, "right")


def test_a_ring_is_grabbed_at_the_point_under_the_pointer_in_front_and_at_the_back() -> None:
    """A drag of the back half turned nothing and moved the body."""
    box = Scene(Body(Box((1.0, 1.0, 1.0)), (0.0, 0.0, 0.0)), Body(Box((1.0, 2.0, 0.5)), (2.0, 0.3, 0.1)))
    for yaw in (0.2, 1.1, 2.9):
        view = framed(
            Seen(box, situation().analysis, View().turned(yaw, radians(25.0)), DARK), (AREA.width, AREA.height)
        )
        sight_of = situation(view=view).panes[0]
        gizmo = Gizmo(box, 1, GizmoTool.MOVE, False, Y)
        for angle in np.linspace(0.0, 2.0 * np.pi, 12, endpoint=False):
            point = np.array(box.b.position) + np.array((np.cos(angle), 0.0, np.sin(angle)))
            x, y, _ = sight_of.projection.project(point[None])[0]
            tool = gizmo.grab(Handle.HELD, sight_of.sight(x + sight_of.rect.x, y + sight_of.rect.y))
            assert tool is not None
            assert np.allclose(tool.grabbed, point, atol=1e-9), "the point of the ring under the pointer, front or back"
