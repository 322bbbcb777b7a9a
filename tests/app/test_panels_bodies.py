from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from imgui_bundle import imgui
from msgspec.structs import replace

from app.panels.body_fields import Reshaping, RotationFields, RotationMode
from app.panels.numbers import exact, parse
from app.shapes import SHAPE_KINDS, ShapeKind, kind_of
from app.state.panel_state import PanelState
from app.state.work import Document
from core.geometry import quaternion
from core.scene import Body, Scene
from core.shapes import Box, HalfSpace, Hull, Sphere
from tests.app.panel_rig import PAIR, Rig, panel_state
from tests.app.shape_samples import SHAPES

from .asked import Asked, asks, of

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
        if label.startswith(("##size", "##radius", "##border", "##position", "##rotation"))
        for k in range(len(rects))
    ]


def edits(asked: list[Asked]) -> list[Asked]:
    return of("edit", asked)


@pytest.fixture
def tall(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    made = Rig(monkeypatch, 1280.0, 1600.0)
    yield made
    made.close()


@pytest.mark.nightly("windows")
def test_opening_and_leaving_every_field_changes_nothing(tall: Rig) -> None:
    ui = bodies(tall, AWKWARD)
    for mode in RotationMode:
        show_mode(tall, ui, mode)
        names = fields(tall)
        assert len(names) == 3 + 1 + 2 + 6 + 2 * (3 if mode is RotationMode.EULER else 4)
        for label, number in names:
            asked = tall.click(ui, label, number)
            asked += tall.press(ui, imgui.Key.enter)
            asked += tall.click(ui, label, number)
            asked += tall.press(ui, imgui.Key.tab)
            assert not edits(asked), (mode, label, number)
    tall.press(ui, imgui.Key.escape)


def show_mode(rig: Rig, ui: PanelState, mode: RotationMode) -> None:
    for editor in rig.panels_named("bodies")._editors[3]:
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
    field = tall.panels_named("bodies")._editors[3][0]._sizes["box", "size"][0]
    assert field.refusal.endswith(".")
    changed = replace(PAIR, a=replace(PAIR.a, shape=Box((3.0, 1.0, 1.4))))
    tall.settle(panel_state(changed))
    assert field.refusal == ""


def test_a_refusal_goes_when_the_field_is_left_as_it_was_or_the_document_is_another(tall: Rig) -> None:
    ui = bodies(tall, PAIR)

    def refused() -> str:
        tall.click(ui, "##position1", 0)
        tall.type(ui, "abc")
        tall.press(ui, imgui.Key.enter)
        tall.settle(ui)
        return tall.panels_named("bodies")._editors[3][0]._position[1].refusal

    assert "not a number" in refused()
    tall.click(ui, "##position1", 0)
    tall.press(ui, imgui.Key.escape)
    tall.settle(ui)
    assert tall.panels_named("bodies")._editors[3][0]._position[1].refusal == ""
    assert "not a number" in refused()
    tall.settle(panel_state(replace(PAIR, notes="Another document with the very same bodies.")))
    assert tall.panels_named("bodies")._editors[3][0]._position[1].refusal == ""


def test_a_quaternion_that_is_not_of_length_1_says_what_is_done_to_it() -> None:
    turn = RotationFields()
    turn.mode = RotationMode.QUATERNION
    typed = turn.with_value((1.0, 0.0, 0.0, 0.0), 0, 2.0)
    assert turn.values(typed) == (2.0, 0.0, 0.0, 0.0)
    assert turn.remark(typed) == "Used with length 1."
    assert turn.remark((0.6, 0.8, 0.0, 0.0)) == ""
    turn.mode = RotationMode.EULER
    assert turn.remark(typed) == ""


def test_a_quaternion_of_zeros_is_refused(tall: Rig) -> None:
    turned = replace(PAIR, a=replace(PAIR.a, rotation=(1.0, 0.0, 0.0, 0.0)))
    ui = bodies(tall, turned)
    show_mode(tall, ui, RotationMode.QUATERNION)
    tall.click(ui, "##rotation0", 0)
    tall.type(ui, "0")
    assert not edits(tall.press(ui, imgui.Key.enter))
    assert "no rotation" in tall.panels_named("bodies")._editors[3][0]._turn[0].refusal


def test_swap_reset_and_copy(tall: Rig) -> None:
    ui = replace(bodies(tall, PAIR), document=Document.new(PAIR).edited(PAIR.swapped(), "Swap"))
    tall.settle(ui)
    assert edits(tall.click(ui, "Swap A and B"))[0].scene == PAIR
    assert edits(tall.click(ui, "Reset", 0))[0].scene.a == PAIR.a
    copied = of("copy", tall.click(ui, "Copy pose", 1))
    assert len(copied) == 1
    assert copied[0].text.startswith('"position": [0.10000000000000001, 0.20000000000000001, ')


def test_the_name_of_a_row_copies_its_numbers(tall: Rig) -> None:
    tall.watch("text_disabled")
    ui = bodies(tall, AWKWARD)
    copied = {
        request.what: request.text
        for title in ("Size", "Position", "Rotation")
        for request in tall.click(ui, title, 0)
        if request.kind == "copy"
    }
    assert list(copied) == ["size of A", "position of A", "rotation of A"]
    assert tuple(json.loads(copied["position of A"])) == AWKWARD.a.position
    assert copied["position of A"].startswith("[0.10000000000000001, 1000000.33333333")


def choose(rig: Rig, ui: PanelState, title: str, body: int = 0) -> list[Asked]:
    """Opens the list of shapes of a body and takes one."""
    rig.click(ui, "##shape", body, at=0.9)
    return rig.click(ui, title)


@pytest.mark.parametrize("kind", SHAPE_KINDS, ids=lambda kind: kind.name)
def test_every_shape_is_chosen_from_the_list(tall: Rig, kind: ShapeKind) -> None:
    ui = bodies(tall, PAIR)
    made = edits(choose(tall, ui, kind.title))
    if kind.shape is Box:
        assert made == []
        return
    assert made[0].scene.a == replace(PAIR.a, shape=kind.like(PAIR.a.shape, (2.0, 1.0, 1.4)))
    assert made[0].scene.b == PAIR.b


def test_only_one_half_space_can_be_chosen(tall: Rig) -> None:
    floor = replace(PAIR, b=Body(HalfSpace((0.0, 1.0, 0.0), 0.0)))
    ui = bodies(tall, PAIR)
    assert not edits(choose(tall, with_scene(ui, floor), "Half-space"))


def with_scene(ui: PanelState, scene: Scene) -> PanelState:
    """The state with another scene; the analysis, which the panel of bodies does not read, stays."""
    return replace(ui, document=Document.new(scene))


def sizes(rig: Rig) -> list[tuple[str, int]]:
    keys = {f"##{parameter.key}{k}" for kind in SHAPE_KINDS for parameter in kind.parameters for k in range(3)}
    return [(label, k) for label, rects in rig.rects.items() if label in {*keys, "##scale0"} for k in range(len(rects))]


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.sampled(2, "windows")
def test_the_fields_of_every_shape_hold_their_doubles(tall: Rig, name: str) -> None:
    ui = with_scene(bodies(tall, PAIR), replace(PAIR, a=replace(PAIR.a, shape=SHAPES[name]), b=Body(Sphere(1.0))))
    tall.settle(ui)
    parameters = kind_of(SHAPES[name]).parameters
    names = [entry for entry in sizes(tall) if entry != ("##radius0", len(tall.rects["##radius0"]) - 1)]
    assert len(names) == (sum(len(parameter.names) for parameter in parameters) or 1)
    for label, number in names:
        asked = tall.click(ui, label, number) + tall.press(ui, imgui.Key.enter)
        assert not edits(asked), (label, number)
        tall.click(ui, label, number)
        tall.type(ui, "0.12345678901234568")
        (edit,) = edits(tall.press(ui, imgui.Key.enter) + tall.settle(ui))
        made = edit.scene.a.shape
        if isinstance(made, Hull):
            assert made == kind_of(SHAPES[name]).scaled(SHAPES[name], 0.12345678901234568)
        else:
            key, index = label[2:-1], int(label[-1])
            parameter = next(parameter for parameter in parameters if parameter.key == key)
            assert made == parameter.changed(SHAPES[name], index, 0.12345678901234568)


def test_a_normal_without_direction_is_refused(tall: Rig) -> None:
    floor = replace(PAIR, a=Body(HalfSpace((0.0, 1.0, 0.0), 0.0)))
    ui = with_scene(bodies(tall, PAIR), floor)
    tall.settle(ui)
    tall.click(ui, "##normal1", 0)
    tall.type(ui, "0")
    assert not edits(tall.press(ui, imgui.Key.enter))
    field = tall.panels_named("bodies")._editors[3][0]._sizes["halfspace", "normal"][1]
    assert field.refusal.startswith("Normal must have a direction")


def test_points_are_pasted_and_a_file_is_asked_for(tall: Rig) -> None:
    hull = Hull(((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
    ui = with_scene(bodies(tall, PAIR), replace(PAIR, b=replace(PAIR.b, shape=hull)))
    tall.settle(ui)
    assert asks.invoke("hull.b") in tall.click(ui, "From file …")
    tall.click(ui, "Paste points …")
    tall.type(ui, "0 0 0\n1 0 0\n0 1 0\n1 1")
    assert not edits(tall.click(ui, "Use these points"))
    popup = tall.panels_named("bodies")._editors[3][1]._hull._paste
    assert popup._fault == "Line 4: a row has 2 numbers, and the first has 3"
    tall.click(ui, "##text", at=0.98)
    tall.type(ui, " 0")
    tall.settle(ui)
    assert popup._pasted.word == "polygon"
    tall.type(ui, "\n0 0 2")
    (edit,) = edits(tall.click(ui, "Use these points"))
    assert edit.scene.b.shape.points[-1] == (0.0, 0.0, 2.0)
    assert len(edit.scene.b.shape.points) == 5


def test_points_are_pasted_right_above_the_button_and_inside_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    rig = Rig(monkeypatch)
    try:
        ui = bodies(rig, replace(PAIR, b=replace(PAIR.b, shape=SHAPES["hull"])))
        rig.click(ui, "Paste points …")
        rig.settle(ui, 6)
        left, top, right, bottom = rig.rects["##text"][0]
        assert 0.0 < left < right < rig.size[0]
        assert 0.0 < top < bottom < rig.rects["Use these points"][0][1] < rig.rects["Paste points …"][0][1]
        assert rig.rects["Paste points …"][0][1] - bottom < 120.0
    finally:
        rig.close()


def test_the_way_back_brings_the_old_shape_back() -> None:
    kinds = {kind.name: kind for kind in SHAPE_KINDS}
    box, other = Box((2.0, 1.0, 1.4)), Sphere(3.0)
    reshaping = Reshaping()
    sphere = reshaping.become(kinds["sphere"], box, other)
    cone = reshaping.become(kinds["cone"], sphere, other)
    floor = reshaping.become(kinds["halfspace"], cone, other)
    assert reshaping.become(kinds["box"], floor, other) == box
    assert reshaping.become(kinds["sphere"], box, other) == sphere
    assert reshaping.become(kinds["box"], Sphere(2.0), other) == Box((4.0, 4.0, 4.0)), "an edited one is another"
    assert Reshaping().become(kinds["box"], HalfSpace((0.0, 1.0, 0.0), 0.0), other) == Box((6.0, 6.0, 6.0))


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
