from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from imgui_bundle import imgui

from app.document import Document
from app.panel_state import PanelState
from app.panels.numbers import exact, parse
from app.panels.rotation_fields import RotationFields, RotationMode
from app.requests import Copy, Edit, Request
from core.geometry import quaternion
from core.scene import Body, Scene
from core.shapes import Box, Sphere
from tests.app.panel_rig import PAIR, Rig, panel_state

AWKWARD = Scene(
    Body(
        Box((0.1 + 0.2, 1.0 / 3.0, 1e-6)),
        (0.1, 1e6 + 1.0 / 3.0, -2.0 / 7.0),
        quaternion.normalized((0.3, 0.5, 0.7, 0.2)),
    ),
    Body(Sphere(1.0 / 3.0), (1e-17, 5.0, 2.0), quaternion.from_euler_xyz(0.1, 1.5707963267948966, 0.4)),
)
"""Numbers that no short decimal names, and a gimbal lock."""


def bodies(rig: Rig, scene: Scene) -> PanelState:
    """A state with the panel of the bodies in front and tall enough to show both."""
    ui = panel_state(scene)
    rig.settle(ui)
    imgui.set_window_focus("Bodies")
    rig.settle(ui)
    return ui


def fields(rig: Rig) -> list[tuple[str, int]]:
    return [
        (label, k)
        for label, rects in rig.rects.items()
        if label.startswith(("##size", "##position", "##rotation"))
        for k in range(len(rects))
    ]


def edits(asked: list[Request]) -> list[Edit]:
    return [request for request in asked if isinstance(request, Edit)]


@pytest.fixture
def tall(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    made = Rig(monkeypatch, 1280.0, 1600.0)
    yield made
    made.close()


def test_opening_and_leaving_every_field_changes_nothing(tall: Rig) -> None:
    ui = bodies(tall, AWKWARD)
    for mode in RotationMode:
        show_mode(tall, ui, mode)
        names = fields(tall)
        assert len(names) == 3 + 1 + 6 + 2 * (3 if mode is RotationMode.EULER else 4)
        for label, number in names:
            asked = tall.click(ui, label, number)
            asked += tall.press(ui, imgui.Key.enter)
            asked += tall.click(ui, label, number)
            asked += tall.press(ui, imgui.Key.tab)
            assert not edits(asked), (mode, label, number)
    tall.press(ui, imgui.Key.escape)


def show_mode(rig: Rig, ui: PanelState, mode: RotationMode) -> None:
    for panel in rig.panels:
        for editor in getattr(panel, "_editors", ()):
            editor._rotation.mode = mode
    rig.settle(ui, 2)


def test_typing_a_number_makes_one_edit_with_that_very_double(tall: Rig) -> None:
    ui = bodies(tall, PAIR)
    tall.click(ui, "##position1", 1)
    asked = tall.type(ui, "0.12345678901234568")
    assert not edits(asked)
    asked = tall.press(ui, imgui.Key.enter) + tall.settle(ui)
    assert len(edits(asked)) == 1
    scene = edits(asked)[0].scene
    assert scene.b.position == (0.9, 0.12345678901234568, 0.6)
    assert scene.a == PAIR.a
    assert scene.b.rotation == PAIR.b.rotation


def test_retyping_the_same_double_in_other_digits_is_no_edit(tall: Rig) -> None:
    ui = bodies(tall, PAIR)
    tall.click(ui, "##position0", 0)
    tall.type(ui, "0.10000000000000001")
    assert not edits(tall.press(ui, imgui.Key.enter))


def test_escape_while_typing_keeps_the_number(tall: Rig) -> None:
    ui = bodies(tall, PAIR)
    tall.click(ui, "##position0", 0)
    tall.type(ui, "7")
    assert not edits(tall.press(ui, imgui.Key.escape) + tall.settle(ui))


@pytest.mark.parametrize("typed", ["0", "-1", "nan", "inf", "1e999", "two", "1,5", ""])
def test_a_size_that_is_none_is_refused(tall: Rig, typed: str) -> None:
    ui = bodies(tall, PAIR)
    tall.click(ui, "##size0", 0)
    if typed:
        tall.type(ui, typed)
    else:
        tall.press(ui, imgui.Key.delete)
    assert not edits(tall.press(ui, imgui.Key.enter) + tall.settle(ui))
    field = tall.panels_named("Bodies")._editors[0]._size[0]
    assert field.refusal.endswith(".")
    changed = replace(PAIR, a=replace(PAIR.a, shape=Box((3.0, 1.0, 1.4))))
    tall.settle(panel_state(changed))
    assert field.refusal == ""


def test_a_quaternion_of_zeros_is_refused(tall: Rig) -> None:
    turned = replace(PAIR, a=replace(PAIR.a, rotation=(1.0, 0.0, 0.0, 0.0)))
    ui = bodies(tall, turned)
    show_mode(tall, ui, RotationMode.QUATERNION)
    tall.click(ui, "##rotation0", 0)
    tall.type(ui, "0")
    assert not edits(tall.press(ui, imgui.Key.enter))
    assert "no rotation" in tall.panels_named("Bodies")._editors[0]._turn[0].refusal


def test_shape_swap_reset_and_copy(tall: Rig) -> None:
    ui = replace(bodies(tall, PAIR), document=Document.new(PAIR).edited(PAIR.swapped(), "Swap"))
    tall.settle(ui)
    made = edits(tall.click(ui, "Sphere", 0))
    assert made[0].scene.a == replace(PAIR.b, shape=Sphere(0.5))
    assert edits(tall.click(ui, "Swap A and B"))[0].scene == PAIR
    assert edits(tall.click(ui, "Reset", 0))[0].scene.a == PAIR.a
    copied = [request for request in tall.click(ui, "Copy pose", 1) if isinstance(request, Copy)]
    assert len(copied) == 1
    assert copied[0].text.startswith('"position": [0.10000000000000001, 0.20000000000000001, ')


def test_the_name_of_a_row_copies_its_numbers(tall: Rig) -> None:
    tall.watch("text_disabled")
    ui = bodies(tall, AWKWARD)
    copied = {
        request.what: request.text
        for title in ("Size", "Position", "Rotation")
        for request in tall.click(ui, title, 0)
        if isinstance(request, Copy)
    }
    assert list(copied) == ["size of A", "position of A", "rotation of A"]
    assert tuple(json.loads(copied["position of A"])) == AWKWARD.a.position
    assert copied["position of A"].startswith("[0.10000000000000001, 1000000.33333333")


def test_a_sphere_turns_back_into_the_box_it_was() -> None:
    from app.panels.bodies import BodyEditor

    editor = BodyEditor(0)
    sphere = editor._reshaped(PAIR.a)
    assert sphere.shape == Sphere(0.5)
    assert editor._reshaped(sphere) == PAIR.a
    assert editor._reshaped(replace(sphere, shape=Sphere(2.0))).shape == Box((4.0, 4.0, 4.0))


def test_euler_angles_stay_put_while_one_is_typed() -> None:
    fields = RotationFields()
    rotation = fields.with_value(quaternion.IDENTITY, 0, 33.3)
    rotation = fields.with_value(rotation, 1, 90.0)
    rotation = fields.with_value(rotation, 2, 400.0)
    assert fields.values(rotation) == (33.3, 90.0, 400.0)
    first = rotation
    second = fields.with_value(first, 0, -10.0)
    assert fields.values(second) == (-10.0, 90.0, 400.0)
    assert fields.values(first) == (33.3, 90.0, 400.0), "undo brings the typed numbers back"


def test_a_rotation_from_elsewhere_is_worked_out_anew() -> None:
    fields = RotationFields()
    fields.with_value(quaternion.IDENTITY, 0, 400.0)
    other = quaternion.from_euler_xyz(0.1, 0.2, 0.3)
    assert fields.values(other) == pytest.approx((5.729577951308232, 11.459155902616464, 17.188733853924695))


def test_a_quaternion_can_be_typed_one_number_at_a_time() -> None:
    fields = RotationFields()
    fields.mode = RotationMode.QUATERNION
    rotation = fields.with_value(quaternion.IDENTITY, 0, 0.5)
    assert rotation == quaternion.IDENTITY
    rotation = fields.with_value(rotation, 1, 0.5)
    assert fields.values(rotation) == (0.5, 0.5, 0.0, 0.0)
    assert rotation == pytest.approx((0.5**0.5, 0.5**0.5, 0.0, 0.0))


def test_an_axis_keeps_its_typed_length() -> None:
    fields = RotationFields()
    fields.mode = RotationMode.AXIS_ANGLE
    rotation = fields.with_value(quaternion.from_axis_angle((1.0, 0.0, 0.0), 0.5), 1, 3.0)
    assert fields.values(rotation)[:3] == (1.0, 3.0, 0.0)
    zero = RotationFields()
    zero.mode = RotationMode.AXIS_ANGLE
    with pytest.raises(ValueError, match="axis"):
        zero.with_value(quaternion.IDENTITY, 0, 0.0)


@pytest.mark.parametrize("value", [0.1, 1.0 / 3.0, 1e-300, -1e300, 5e-324, 123456789.123456789, 0.0, -0.0, 1e22])
def test_exact_text_reads_back_as_the_same_double(value: float) -> None:
    assert parse(exact(value)) == value
