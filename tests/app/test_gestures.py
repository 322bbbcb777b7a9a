"""The mouse in the viewport as a state machine: no window, no GL; what is asked for comes out."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.camera import Camera
from app.draw.draw_list import Subject
from app.draw.placed import Rect
from app.draw.theme import DARK
from app.input.bindings import Button, Held
from app.input.gestures import Situation, zoomed
from app.input.gizmo import Gizmo, GizmoTool, Handle
from app.io.presets import default_scene, load_preset
from app.render.framing import framed
from app.state.settings import Settings
from app.state.view import Pane, Panes, Seen, View, arrange
from core.analysis.analysis import analyse

from .asked import Asked, Hand, asks

SCENE = default_scene().scene
ANALYSIS = analyse(SCENE)
AREA = Rect(0, 20, 1280, 780)
VIEW = framed(Seen(SCENE, ANALYSIS, View(), DARK), (AREA.width, AREA.height))
NONE = Held()
EMPTY = (30.0, 60.0)


def situation(subject: Subject | None = None, view: View = VIEW, gizmo: Gizmo | None = None) -> Situation:
    panes = arrange(view, AREA, 0.5)
    return Situation(
        SCENE,
        ANALYSIS,
        view,
        DARK,
        panes=panes,
        density=1.0,
        settings=Settings(),
        gizmo=gizmo,
        picked=lambda _pane, _x, _y: subject,
    )


def pixel(point, at: Situation, kind: str = "world") -> tuple[float, float]:
    pane: Pane = next(pane for pane in at.panes if pane.kind == kind)
    x, y, _ = pane.projection.project(ANALYSIS.witness_a[None] * 0.0 + point)[0]
    return float(x) + pane.rect.x, float(y) + pane.rect.y


AT = situation()
ON_A = pixel(SCENE.a.position, AT)
ON_B = pixel(SCENE.b.position, AT)


def click(gestures: Hand, where: tuple[float, float], at: Situation, now: float = 0.0) -> list[Asked]:
    gestures.press(Button.LEFT, *where, NONE, at)
    return gestures.release(Button.LEFT, *where, NONE, now, at)


def test_a_small_slip_is_still_a_click() -> None:
    gestures = Hand()
    gestures.press(Button.LEFT, *ON_B, NONE, AT)
    assert gestures.move(ON_B[0] + 2.0, ON_B[1] + 1.0, NONE, AT) == []
    assert gestures.release(Button.LEFT, ON_B[0] + 2.0, ON_B[1] + 1.0, NONE, 0.0, AT) == [asks.select(1)]


def test_the_second_click_frames_the_body_even_on_a_handle() -> None:
    gestures = Hand()
    assert click(gestures, ON_B, AT, 1.0) == [asks.select(1)]
    held = situation(Subject("gizmo", Handle.PLANE), gizmo=Gizmo(SCENE, 1, GizmoTool.MOVE, False))
    (look,) = click(gestures, ON_B, held, 1.2)
    assert look.kind == "look"
    assert look.view.world.target == pytest.approx(SCENE.b.position)
    assert not look.view.fitted


def test_two_slow_clicks_are_two_clicks() -> None:
    gestures = Hand()
    assert click(gestures, ON_B, AT, 1.0) == [asks.select(1)]
    assert click(gestures, ON_B, AT, 2.0) == [asks.select(1)]
    assert click(gestures, ON_A, AT, 2.1) == [asks.select(0)]


def test_a_click_on_nothing_lets_go() -> None:
    assert click(Hand(), EMPTY, AT) == [asks.select(None)]


def test_a_click_on_an_axis_pins_it_and_the_next_unpins_it() -> None:
    axis = Subject("axis", 3)
    (look,) = click(Hand(), EMPTY, situation(axis))
    assert look == asks.look(replace(VIEW, pin=axis))
    (look,) = click(Hand(), EMPTY, situation(axis, replace(VIEW, pin=axis)))
    assert look == asks.look(VIEW)


def test_the_button_that_began_a_gesture_ends_it() -> None:
    gestures = Hand()
    gestures.press(Button.LEFT, *ON_B, NONE, AT)
    gestures.move(ON_B[0] + 30.0, ON_B[1], NONE, AT)
    assert gestures.press(Button.RIGHT, *ON_B, NONE, AT) == []
    assert gestures.release(Button.RIGHT, *ON_B, NONE, 0.0, AT) == []
    assert gestures.dragging
    (edit,) = gestures.release(Button.LEFT, ON_B[0] + 30.0, ON_B[1], NONE, 0.0, AT)
    assert edit.kind == "edit"
    assert edit.label == "Move B"
    assert not gestures.busy


def test_a_drag_that_comes_back_leaves_no_entry() -> None:
    gestures = Hand()
    gestures.press(Button.LEFT, *ON_B, NONE, AT)
    (preview,) = gestures.move(ON_B[0] + 30.0, ON_B[1], NONE, AT)
    assert preview.kind == "preview"
    assert preview.scene != SCENE
    held = Held(ctrl=True)
    gestures.move(ON_B[0], ON_B[1], held, AT)
    assert gestures.release(Button.LEFT, *ON_B, held, 0.0, AT) == [asks.preview(None)]


@pytest.mark.parametrize("handle", [Handle.RING, Handle.OUTER_RING, Handle.SIZE])
def test_a_handle_that_has_its_own_axis_is_held_to_no_other_and_says_none(handle: Handle) -> None:
    tool = GizmoTool.SIZE if handle is Handle.SIZE else GizmoTool.ROTATE
    gizmo = Gizmo(SCENE, 1, tool, False)
    at = situation(Subject("gizmo", handle), gizmo=gizmo)
    gestures = Hand()
    where = (ON_B[0] + 40.0, ON_B[1])
    gestures.press(Button.LEFT, *where, NONE, at)
    (before,) = gestures.move(where[0] + 10.0, where[1] - 30.0, NONE, at)
    readout = gestures.readout
    assert before.scene != SCENE
    assert not gestures.holdable
    assert gestures.key(0, False, NONE, at) == []
    assert gestures.readout == readout
    assert "X" not in str(readout)


def test_a_body_rolled_like_a_ball_says_about_which_axis_it_is_held() -> None:
    gestures, held = Hand(), Held(shift=True)
    gestures.press(Button.LEFT, *ON_B, held, AT)
    gestures.move(ON_B[0] + 30.0, ON_B[1] - 20.0, held, AT)
    assert gestures.holdable
    for plane in (False, True):
        gestures.key(1, plane, held, AT)
        assert str(gestures.readout).endswith("(about Y)")


def test_escape_restores_and_the_release_does_nothing() -> None:
    gestures = Hand()
    gestures.press(Button.LEFT, *ON_B, NONE, AT)
    gestures.move(ON_B[0] + 30.0, ON_B[1], NONE, AT)
    assert gestures.cancel() == [asks.preview(None)]
    assert gestures.move(ON_B[0] + 60.0, ON_B[1], NONE, AT) == []
    assert gestures.release(Button.LEFT, ON_B[0] + 60.0, ON_B[1], NONE, 0.0, AT) == []
    assert gestures.cancel() == []


def test_escape_takes_back_a_turn_of_the_view() -> None:
    gestures = Hand()
    gestures.press(Button.LEFT, *EMPTY, NONE, AT)
    (look,) = gestures.move(EMPTY[0] + 60.0, EMPTY[1], NONE, AT)
    assert look.kind == "look"
    assert look.view.world.yaw != VIEW.world.yaw
    assert gestures.cancel() == [asks.look(VIEW)]


@pytest.mark.parametrize(
    ("button", "held", "turns"),
    [
        (Button.MIDDLE, NONE, True),
        (Button.LEFT, Held(alt=True), True),
        (Button.RIGHT, NONE, False),
        (Button.MIDDLE, Held(shift=True), False),
    ],
)
def test_other_buttons_move_the_camera_whatever_is_under_them(button: Button, held: Held, turns: bool) -> None:
    gestures = Hand()
    gestures.press(button, *ON_B, held, AT)
    (look,) = gestures.move(ON_B[0] + 50.0, ON_B[1] + 10.0, held, AT)
    assert look.kind == "look"
    assert (look.view.world.yaw != VIEW.world.yaw) is turns
    assert (look.view.world.target != VIEW.world.target) is not turns
    assert look.view.difference.target == VIEW.difference.target
    assert look.view.fitted is turns


def test_panning_carries_what_is_under_the_pointer() -> None:
    gestures = Hand()
    gestures.press(Button.RIGHT, *EMPTY, NONE, AT)
    (look,) = gestures.move(EMPTY[0] + 50.0, EMPTY[1] + 20.0, NONE, AT)
    assert look.kind == "look"
    target = VIEW.world.target
    x, y = pixel(target, situation(view=look.view))
    assert (x, y) == pytest.approx((pixel(target, AT)[0] + 50.0, pixel(target, AT)[1] + 20.0))


def test_the_wheel_keeps_what_is_under_the_pointer() -> None:
    view = zoomed(*ON_B, 2.0, AT)
    assert view.world.distance < VIEW.world.distance
    assert view.difference == VIEW.difference
    assert pixel(SCENE.b.position, situation(view=view)) == pytest.approx(ON_B, abs=8.0)
    assert zoomed(-5.0, -5.0, 1.0, AT) is None


def test_a_body_that_is_not_shown_cannot_be_dragged() -> None:
    hidden = situation(view=VIEW.with_toggled("bodies"))
    gestures = Hand()
    gestures.press(Button.LEFT, *ON_B, NONE, hidden)
    (look,) = gestures.move(ON_B[0] + 40.0, ON_B[1], NONE, hidden)
    assert look.kind == "look"


def test_the_difference_with_a_half_space_is_dragged_along_its_normal() -> None:
    scene = load_preset("cylinder-on-ground").scene
    analysis = analyse(scene)
    view = framed(Seen(scene, analysis, View(), DARK), (AREA.width, AREA.height))
    panes = arrange(view, AREA, 0.5)
    at = Situation(
        scene,
        analysis,
        view,
        DARK,
        panes=panes,
        density=1.0,
        settings=Settings(),
        gizmo=None,
        picked=lambda _pane, _x, _y: None,
    )
    gestures, pane = Hand(), panes[1]
    x, y, _ = pane.projection.project(np.array([[0.1, 0.0, 0.2]]))[0]
    x, y = float(x) + pane.rect.x, float(y) + pane.rect.y
    gestures.press(Button.LEFT, x, y, NONE, at)
    gestures.move(x + 30.0, y - 60.0, NONE, at)
    (edit,) = gestures.release(Button.LEFT, x + 30.0, y - 60.0, NONE, 0.0, at)
    assert edit.kind == "edit"
    # A's plane is the ground: the difference went up, so B went down, and neither sideways.
    moved = np.array(edit.scene.b.position) - scene.b.position
    assert moved[1] < -0.1
    assert moved[[0, 2]] == pytest.approx([0.0, 0.0], abs=1e-12)
    assert analyse(edit.scene).separation == pytest.approx(analysis.separation + moved[1], abs=1e-12)


def test_the_nearer_of_two_bodies_is_taken() -> None:
    view = replace(VIEW, panes=Panes.WORLD, world=Camera(target=SCENE.a.position, distance=12.0))
    at = situation(view=view)
    middle = pixel(view.world.eye() * 0.0 + SCENE.a.position, at)
    assert click(Hand(), middle, at) in ([asks.select(0)], [asks.select(1)])
    towards = at.panes[0].projection.basis[2]
    x, y, z = (SCENE.a.position[k] + 3.0 * float(towards[k]) for k in range(3))
    before = replace(SCENE, b=replace(SCENE.b, position=(x, y, z)))
    assert click(Hand(), middle, replace(at, scene=before)) == [asks.select(1)]
