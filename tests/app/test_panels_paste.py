"""The window for a pasted pair: read by the forms, or as numbers in an order of one's own; shown before it is taken."""

from __future__ import annotations

import re

import numpy as np
import pytest
from imgui_bundle import imgui

from app.forms.form import Form
from app.forms.numbers import ROTATIONS, Conventions
from app.forms.registry import BY_NAME, NUMBERS, read_text
from app.panels.paste_pair import body_words
from app.state.panel_state import Dialogs
from core.scene import Body
from core.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, Sphere

from .asked import of
from .panel_rig import Rig, panel_state, rig

__all__ = ["rig"]


def test_a_pasted_pair_is_shown_before_it_is_taken(rig: Rig) -> None:
    ui = panel_state(dialogs=Dialogs(paste=True))
    rig.settle(ui)
    rig.type(ui, "(1 1 1) (0 0 0) (1 0 0 0)\n(2 2 2) (1.25 0 0) (1 0 0 0)")
    rig.settle(ui)
    rig.click(ui, "half##Box sizes")
    asked = rig.click(ui, "Use this pair")
    assert len(of("open_scene", asked)) == 1
    scene = of("open_scene", asked)[0].scene
    assert scene.a == Body(Box((2.0, 2.0, 2.0)))
    assert scene.b == Body(Box((4.0, 4.0, 4.0)), (1.25, 0.0, 0.0))
    assert not ui.dialogs.paste


@pytest.mark.parametrize(
    "text",
    [
        "1 1 1 0 0 0 1 0 0 0   1 1 1 0 0 0 1 0 0 0",
        "1e30 1e-30 1 0 0 0 1 0 0 0   1e-30 1e-30 1e-30 1e30 -1e30 0 0.6 0.8 0 0",
    ],
)
@pytest.mark.parametrize("shape", ["box", "sphere"])
def test_a_pair_that_is_looked_at_before_it_is_taken_may_be_of_any_size(rig: Rig, text: str, shape: str) -> None:
    if shape == "sphere":
        text = text.replace("1 1 1", "1").replace("1e30 1e-30 1 ", "1e30 ").replace("1e-30 1e-30 1e-30", "1e-30")
    rig.panels_named("paste_pair")._conventions = Conventions(shape_a=shape, shape_b=shape)
    ui = panel_state(dialogs=Dialogs(paste=True, pasted=text))
    assert not rig.settle(ui)
    assert len(rig.panels_named("paste_pair")._previews) == 1
    corners = [vertex.pos for part in imgui.get_draw_data().cmd_lists for vertex in part.vtx_buffer]
    assert np.isfinite([(corner.x, corner.y) for corner in corners]).all()


@pytest.mark.parametrize("rotation", ROTATIONS)
def test_only_the_conventions_that_apply_are_asked_for(rig: Rig, rotation: str) -> None:
    ui = panel_state(dialogs=Dialogs(paste=True))
    rig.settle(ui)
    panel = rig.panels_named("paste_pair")
    panel._form, panel._conventions = NUMBERS, Conventions(rotation=rotation)
    rig.settle(ui)
    asked = {
        "w x y z##Quaternion": rotation == "quaternion",
        "columns##Matrix by": rotation.startswith("matrix"),
        "radians##Angles in": rotation == "Euler angles",
        "##about x, y, z in the order": rotation == "Euler angles",
        "half##Box sizes": True,
    }
    assert {label: label in rig.rects for label in asked} == asked
    if rotation == "Euler angles":
        rig.click(ui, "radians##Angles in")
        assert not panel._conventions.degrees


def test_a_pasted_text_that_is_no_pair_cannot_be_taken(rig: Rig) -> None:
    ui = panel_state(dialogs=Dialogs(paste=True))
    rig.settle(ui)
    rig.type(ui, "1 2 3")
    rig.settle(ui)
    assert not of("open_scene", rig.click(ui, "Use this pair"))
    assert "Found 3 numbers" in rig.panels_named("paste_pair")._fault
    assert ui.dialogs.paste


GEOMS = """<geom type="box" size=".5 .5 .5"/>
<geom type="box" size=".5 .5 .5" pos="1.1 0 0" axisangle="0 0 1 45"/>"""


def test_a_text_of_a_form_is_read_whole_and_says_what_it_assumed(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr("app.panels.paste_pair.say", lambda text, *_: said.append(text))
    ui = panel_state(dialogs=Dialogs(paste=True, pasted=GEOMS))
    rig.settle(ui)
    assert "half##Box sizes" not in rig.rects
    assert "x, y, z here are X, Z, −Y of MuJoCo." in said
    assert "A geom without pos stands at its body's origin (box)." in said
    scene = of("open_scene", rig.click(ui, "Use this pair"))[0].scene
    assert scene.b.shape == Box((1.0, 1.0, 1.0))
    assert scene.b.position == (1.1, 0.0, 0.0)


def test_a_text_that_a_form_claims_and_does_not_understand_is_refused_with_its_line(rig: Rig) -> None:
    ui = panel_state(dialogs=Dialogs(paste=True, pasted=GEOMS.replace("axisangle", "tilt")))
    rig.settle(ui)
    panel = rig.panels_named("paste_pair")
    assert panel._fault == "Line 2: tilt of <geom> is not understood"
    assert not of("open_scene", rig.click(ui, "Use this pair"))


def test_a_form_can_always_be_chosen_by_hand(rig: Rig) -> None:
    ui = panel_state(dialogs=Dialogs(paste=True, pasted=GEOMS))
    rig.settle(ui)
    panel = rig.panels_named("paste_pair")
    for form, fault in (("urdf", "Line 1: <geom> is not understood"), (NUMBERS, "Line 1: geom is no number"), ("", "")):
        panel._form = form
        rig.settle(ui)
        assert panel._fault == fault
        assert len(panel._previews) == (fault == "")
    rig.click(ui, "##Form")
    for title in ("found by itself", BY_NAME["bullet"].title, "numbers, in an order of your own"):
        assert title in rig.rects


def test_a_new_text_is_looked_at_by_all_forms_again(rig: Rig) -> None:
    ui = panel_state(dialogs=Dialogs(paste=True))
    rig.panels_named("paste_pair")._form = "urdf"
    rig.settle(ui)
    ui.dialogs.pasted = GEOMS
    rig.settle(ui)
    assert of("open_scene", rig.click(ui, "Use this pair"))


@pytest.fixture
def two_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two forms that claim every text and read different pairs."""
    pairs = [read_text(f"box size 1 1 1 at 0 0 0; sphere radius {radius} at 0.9 0 0").pair for radius in (0.5, 0.25)]
    monkeypatch.setattr(
        "app.forms.registry.FORMS",
        tuple(
            Form(name, "", re.compile(""), lambda _, pair=pair: pair, ())
            for name, pair in zip(("bullet", "jolt"), pairs, strict=True)
        ),
    )


@pytest.mark.usefixtures("two_forms")
@pytest.mark.parametrize(("name", "radius"), [("bullet", 0.5), ("jolt", 0.25)])
def test_of_two_readings_both_are_shown_and_none_is_chosen(rig: Rig, name: str, radius: float) -> None:
    ui = panel_state(dialogs=Dialogs(paste=True, pasted="either"))
    rig.settle(ui)
    assert "Use this pair" not in rig.rects
    assert {f"Use as {BY_NAME[each].title}" for each in ("bullet", "jolt")} <= set(rig.rects)
    imgui.get_io().add_key_event(imgui.Key.mod_ctrl, True)
    asked = rig.press(ui, imgui.Key.enter)
    imgui.get_io().add_key_event(imgui.Key.mod_ctrl, False)
    assert not of("open_scene", asked)
    asked = rig.click(ui, f"Use as {BY_NAME[name].title}")
    assert of("open_scene", asked)[0].scene.b.shape == Sphere(radius)
    assert not ui.dialogs.paste


@pytest.mark.usefixtures("two_forms")
@pytest.mark.parametrize(("width", "beside"), [(1280.0, True), (420.0, False)])
def test_two_readings_stand_side_by_side_where_there_is_room(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, width: float, beside: bool
) -> None:
    rig = Rig(monkeypatch, width=width)
    request.addfinalizer(rig.close)
    ui = panel_state(dialogs=Dialogs(paste=True, pasted="either"))
    rig.settle(ui)
    (one,), (two,) = (rig.rects[f"Use as {BY_NAME[each].title}"] for each in ("bullet", "jolt"))
    assert (abs(one[1] - two[1]) < 2.0, one[0] < two[0]) == (beside, beside)


def test_numbers_alone_are_told_what_is_expected(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr("app.panels.paste_pair.say", lambda text, *_: said.append(text))
    ui = panel_state(dialogs=Dialogs(paste=True, pasted="1 2 3 4"))
    rig.settle(ui)
    assert any(words.startswith("Found 4 numbers, expected 20 (A: size 3, position 3") for words in said)
    assert "Found: 1, 2, 3, 4" in said


def test_a_text_of_no_form_is_refused_by_its_first_line_or_by_what_it_is(rig: Rig) -> None:
    panel = rig.panels_named("paste_pair")
    for text, why in (
        ("\nhello there\n1 2 3", "Line 2: hello there is of no form that can be read"),
        ("import os\nprint(1)", "The text is a Python file, and no form of a pair was recognised in it."),
    ):
        ui = panel_state(dialogs=Dialogs(paste=True, pasted=text))
        rig.settle(ui)
        assert panel._fault == why


def test_the_pair_is_taken_by_ctrl_enter(rig: Rig) -> None:
    ui = panel_state(dialogs=Dialogs(paste=True, pasted=GEOMS))
    rig.settle(ui)
    imgui.get_io().add_key_event(imgui.Key.mod_ctrl, True)
    asked = rig.press(ui, imgui.Key.enter)
    imgui.get_io().add_key_event(imgui.Key.mod_ctrl, False)
    assert of("open_scene", asked)[0].scene.notes.startswith("A geom without pos stands")
    assert not ui.dialogs.paste


def test_a_convention_of_ones_own_is_kept_for_the_next_text(rig: Rig) -> None:
    ui = panel_state(dialogs=Dialogs(paste=True, pasted="1 1 1 0 0 0 1 0 0 0  2 2 2 1 0 3 1 0 0 0"))
    rig.settle(ui)
    rig.click(ui, "Z##Up is")
    ui.dialogs.pasted = "1 1 1 0 0 0 1 0 0 0  2 2 2 4 0 3 1 0 0 0"
    rig.settle(ui)
    assert of("open_scene", rig.click(ui, "Use this pair"))[0].scene.b.position == (4.0, 3.0, 0.0)


@pytest.mark.parametrize(
    "b",
    [
        Body(Capsule(0.5, 2.0), (3.0, 0.0, 0.0), (0.6, 0.8, 0.0, 0.0)),
        Body(Sphere(0.5), (3.0, 0.0, 0.0)),
        Body(Cylinder(0.5, 2.0), (3.0, 0.0, 0.0)),
        Body(Cone(0.5, 2.0), (3.0, 0.0, 0.0)),
        Body(Ellipsoid((0.5, 2.0, 1.0)), (3.0, 0.0, 0.0)),
    ],
    ids=lambda body: body.shape.word,
)
def test_what_the_dialog_says_of_a_pair_can_be_pasted(b: Body) -> None:
    a = Body(Box((2.0, 1.0, 0.5)), (0.0, -1.0, 0.5))
    back = read_text(f"A {body_words(a)}\nB {body_words(b)}").pair
    assert (back.scene.a, back.scene.b) == (a, b)
