"""How a motion is looked at: its arrow, its framing, the axis in focus and the rail at a time."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.camera import Sight
from app.draw.draw_list import Subject
from app.draw.placed import Rect
from app.draw.theme import DARK
from app.input.manipulation import ArrowTool, Assist, arrow_tip
from app.io.presets import load_preset
from app.overlays.context import Context
from app.render.framing import framed
from app.render.pictures import build
from app.state.playback import body_at
from app.state.view import Seen, View, arrange
from app.words.digits import Digits, written_with
from app.words.names import axis_name
from core.analysis.analysis import analyse
from core.analysis.motion_answers import sweep
from core.scene import Body, Scene
from core.shapes import Box, HalfSpace

from .test_motion import PRESETS, answer_of, drawn, outlines, scene_of, texts


def test_the_tip_follows_the_pointer_and_the_body_stays() -> None:
    scene = scene_of("tunnelling")
    down = Sight(np.array((2.0, 1.3, 10.0)), np.array((0.0, 0.0, -1.0)), np.array((0.0, 0.0, 1.0)))
    tool = ArrowTool.grab(scene, 1, down)
    assert tool is not None
    right = replace(down, origin=np.array((2.5, 1.2, 10.0)))
    change = tool.at(right, Assist())
    assert change is not None
    assert np.allclose(np.array(change.scene.b.displacement) - np.array(scene.b.displacement), (0.5, -0.1, 0.0))
    assert change.scene.b.position == scene.b.position
    assert np.allclose(arrow_tip(change.scene, 1) - arrow_tip(scene, 1), (0.5, -0.1, 0.0))
    assert change.readout.startswith("B moves +4.7")
    assert tool.label == "Displace B"
    held = tool.at(right, Assist(axis=1))
    assert held is not None
    assert np.allclose(np.array(held.scene.b.displacement) - np.array(scene.b.displacement), (0.0, -0.1, 0.0))
    back = tool.at(down, Assist())
    assert back is not None
    assert back.scene is scene


@pytest.mark.parametrize("name", PRESETS)
def test_the_whole_motion_is_in_sight_at_first(name: str) -> None:
    scene, found = scene_of(name), answer_of(name)
    size = (1200, 700)
    view = framed(Seen(scene, analyse(scene), load_preset(name).view, DARK, sweep=found), size)
    world, difference = arrange(view, Rect(0, 0, *size), 0.5)
    ends = [body_at(body, 1.0) for body in (scene.a, scene.b) if not isinstance(body.shape, HalfSpace)]
    points = [(world, body.pose.position) for body in ends]
    points.append((difference, np.array(scene.b.displacement) - np.array(scene.a.displacement)))
    for pane, point in points:
        x, y, _ = pane.projection.project(point[None])[0]
        assert 0.0 <= x <= pane.rect.width
        assert 0.0 <= y <= pane.rect.height


def test_on_the_way_the_axis_of_the_impact_is_in_focus() -> None:
    scene = replace(
        scene_of("tunnelling"),
        a=Body(Box((1.0, 3.0, 1.0))),
        b=Body(Box((1.0, 1.0, 1.0)), (1.2, 5.0, 0.0), displacement=(-0.25, -6.0, 0.0)),
    )
    found = sweep(scene)
    assert found is not None
    assert found.result.axis == "A.x"
    analysis = analyse(scene)
    context = Context(scene, analysis, View(), DARK, sweep=found)
    assert analysis.sat.candidates[analysis.sat.winner].label == "A.y"
    assert analysis.sat.candidates[context.focus].label == "A.x"
    assert analysis.sat.candidates[replace(context, view=View(time=0.0)).focus].label == "A.y"
    assert replace(context, view=View(pin=Subject("axis", 2))).focus == 2


@written_with(Digits.SIX)
@pytest.mark.parametrize("time", [0.2, 0.5, 0.9])
@pytest.mark.parametrize("row", [0, 3, 7])
def test_the_rail_of_an_axis_shows_the_intervals_of_that_time(row: int, time: float) -> None:
    scene = scene_of("tunnelling")
    there = analyse(Scene(body_at(scene.a, time), body_at(scene.b, time))).sat
    assert there.candidates[row].label == analyse(scene).sat.candidates[row].label
    words = [text for text in texts(drawn(scene, time=time, pin=Subject("axis", row)).world) if " at t = " in text]
    told = next(text for text in words if text.startswith(axis_name(there, row)))
    separation = float(there.separations[row])
    kind, value = told.removeprefix(axis_name(there, row)).split()[:2]
    assert kind == ("gap" if separation > 0.0 else "overlap")
    assert float(value) == pytest.approx(abs(separation), rel=1e-5)
    others = [text for text in texts(drawn(scene, time=time).world) if text.startswith(("A.", "B."))]
    assert not [text for text in others if "gap" in text or "overlap" in text]


def test_the_rail_of_the_axis_that_meets_last_says_touching_at_the_impact() -> None:
    scene = scene_of("tunnelling")
    found = answer_of("tunnelling")
    assert found.result.axis is not None
    labels = [candidate.label for candidate in analyse(scene).sat.candidates]
    pin = Subject("axis", labels.index(found.result.axis))
    said = texts(drawn(scene, time=found.result.time, pin=pin).world)
    assert any(text.startswith(f"{found.result.axis} touching at t = ") for text in said)


def test_while_the_answer_waits_nothing_of_the_start_comes_back() -> None:
    scene = scene_of("tunnelling")
    for time, ghosts in ((None, 0), (0.3, 1)):
        view = View(time=time)
        world = build(Context(scene, analyse(scene), view, DARK)).world
        assert not any("distance" in text or "winner" in text for text in texts(world))
        assert len(outlines(world, Subject("ghost", 1))) == ghosts
        assert any(text.startswith("B moves") for text in texts(world))
