"""The window for a pair pasted from an engine: shown before it is taken, with the conventions that apply."""

from __future__ import annotations

import numpy as np
import pytest
from imgui_bundle import imgui

from app.io.engine_pair import read_pair
from app.io.engines import Conventions
from app.io.pair_fields import ROTATIONS
from app.panels.paste_pair import NUMBERS, body_words
from app.state.panel_state import Dialogs
from core.scene import Body
from core.shapes import Box, Capsule

from .asked import of
from .panel_rig import Rig, panel_state, rig

__all__ = ["rig"]


def test_a_pasted_pair_is_shown_before_it_is_taken(rig: Rig) -> None:
    ui = panel_state(dialogs=Dialogs(paste=True))
    rig.settle(ui)
    rig.type(ui, "A (1 1 1) (0 0 0) (1 0 0 0)\nB (2 2 2) (1.25 0 0) (1 0 0 0)")
    rig.settle(ui)
    rig.click(ui, "half##Box sizes")
    asked = rig.click(ui, "Use this pair")
    assert len(of("load", asked)) == 1
    scene = of("load", asked)[0].scene
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
    assert rig.panels_named("paste_pair")._pair is not None
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
    assert not of("load", rig.click(ui, "Use this pair"))
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
    scene = of("load", rig.click(ui, "Use this pair"))[0].scene
    assert scene.b.shape == Box((1.0, 1.0, 1.0))
    assert scene.b.position == (1.1, 0.0, 0.0)


def test_a_text_that_a_form_claims_and_does_not_understand_is_refused_with_its_line(rig: Rig) -> None:
    ui = panel_state(dialogs=Dialogs(paste=True, pasted=GEOMS.replace("axisangle", "tilt")))
    rig.settle(ui)
    panel = rig.panels_named("paste_pair")
    assert panel._fault == "Line 2: tilt of <geom> is not understood"
    assert not of("load", rig.click(ui, "Use this pair"))


JOLT = """Ref<Shape> shape_a = new BoxShape(Vec3(1.0, 0.5, 0.25), 0.05);
RVec3 position_a(0, 1, 0); Quat rotation_a(0, 0, 0, 1); friction = 0.4;
Ref<Shape> shape_b = new CapsuleShape(0.6, 0.3);
RVec3 position_b(0, 3, 0); Quat rotation_b(0, 0, 0, 1);"""


def test_an_engine_is_known_by_its_text_and_what_is_left_out_is_said_before_it_is_taken(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr("app.panels.paste_pair.say", lambda text, *_: said.append(text))
    ui = panel_state(dialogs=Dialogs(paste=True, pasted=JOLT))
    rig.settle(ui)
    panel = rig.panels_named("paste_pair")
    assert (panel._conventions.engine, panel._conventions.shape_b) == ("Jolt", "capsule")
    assert "Not used: friction 0.4, the rest of BoxShape 0.05." in said
    imgui.get_io().add_key_event(imgui.Key.mod_ctrl, True)
    asked = rig.press(ui, imgui.Key.enter)
    imgui.get_io().add_key_event(imgui.Key.mod_ctrl, False)
    scene = of("load", asked)[0].scene
    assert scene.a == Body(Box((2.0, 1.0, 0.5)), (0.0, 1.0, 0.0))
    assert scene.b == Body(Capsule(0.3, 1.2), (0.0, 3.0, 0.0))
    assert not ui.dialogs.paste


def test_a_convention_of_ones_own_is_kept_while_the_text_stays(rig: Rig) -> None:
    ui = panel_state(dialogs=Dialogs(paste=True, pasted=JOLT))
    rig.settle(ui)
    rig.click(ui, "Z##Up is")
    conventions = rig.panels_named("paste_pair")._conventions
    assert (conventions.engine, conventions.z_up) == ("Jolt", True)
    assert of("load", rig.click(ui, "Use this pair"))[0].scene.b.position == (0.0, 0.0, -3.0)


def test_what_the_dialog_says_of_a_pair_can_be_pasted() -> None:
    a, b = Body(Box((2.0, 1.0, 0.5)), (0.0, -1.0, 0.5)), Body(Capsule(0.5, 2.0), (3.0, 0.0, 0.0), (0.6, 0.8, 0.0, 0.0))
    back = read_pair(f"A {body_words(a)}\nB {body_words(b)}", Conventions())
    assert (back.scene.a, back.scene.b, back.remarks) == (a, b, ())
