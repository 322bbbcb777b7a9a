"""A drag, frame by frame: labels keep their places meanwhile, and after it the picture is as if there had been none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.layout import Viewport, lay_out
from app.draw.placed import PlacedLabel, PlacedPane, Rect
from app.draw.theme import DARK
from app.io.presets import default_scene, load_preset, presets
from app.overlays.globe import LARGE
from app.overlays.registry import OVERLAYS
from app.render.frame import FrameBuilder, FrameTimings, PictureInput
from app.render.framing import framed
from app.state.view import AxisView, Seen, View
from core.analysis.analysis import analyse
from core.scene import Scene

from ..counting import calls
from .layout_samples import assert_same

AREA = Rect(0, 0, 1280, 780)
SHARE = 0.05
"""Of a step of the drag in the smaller body's size: about as far as a hand moves it from frame to frame."""
MOST_CALLS = 13_800
"""Of functions a frame of the first scene with everything on: 13,000 with numpy 2.4."""


def everything(scene: Scene) -> PictureInput:
    """The scene with every overlay on and all axes shown; not the large Gauss map, which hides the bodies."""
    shown = frozenset(overlay.id for overlay in OVERLAYS) - {LARGE.id}
    analysis = analyse(scene)
    view = replace(View(), shown=shown, axis_view=AxisView.CAGE).facing(scene)
    view = framed(Seen(scene, analysis, view, DARK), (AREA.width, AREA.height))
    return PictureInput(scene, analysis, view, DARK, area=AREA, density=1.0)


def dragged(shown: PictureInput, step: int) -> PictureInput:
    """The same after so many steps of a drag of B, while it lasts."""
    b = shown.scene.b
    size = min(each.shape.bounding_radius for each in (shown.scene.a, b) if each.shape.plane is None) or 1.0
    x, y, z = b.position
    angle, far = 0.4 * step, SHARE * size
    moved = replace(b, position=(x + far * float(np.sin(angle)), y + far * float(1.0 - np.cos(angle)), z))
    scene = replace(shown.scene, b=moved)
    return replace(shown, scene=scene, analysis=analyse(scene).complete(), dragged=True)


def labels(builder: FrameBuilder) -> dict[tuple[str, object, str], PlacedLabel]:
    """By the pane, the subject and the first word: the number after it changes."""
    found: dict[tuple[str, object, str], PlacedLabel] = {}
    for pane, placed in zip(builder.panes, builder.placed, strict=True):
        for label in placed.labels:
            word = (label.whole or label.text).partition(" ")[0]
            found.setdefault((pane.kind, label.subject, word), label)
    return found


@pytest.mark.sampled(4, "scenes")
@pytest.mark.parametrize("name", [preset.id for preset in presets()])
def test_after_a_drag_the_picture_is_as_if_there_had_been_none(name: str) -> None:
    shown = everything(load_preset(name).scene)
    builder, fresh = FrameBuilder(), FrameBuilder()
    builder.build(shown, FrameTimings())
    for step in (1, 2, 3):
        builder.build(last := dragged(shown, step), FrameTimings())
    released = replace(last, dragged=False)
    assert builder.build(released, FrameTimings())
    fresh.build(released, FrameTimings())
    for one, other in zip(builder.placed, fresh.placed, strict=True):
        assert_same(one, other)
        assert one.labels == other.labels


def test_labels_do_not_jump_while_a_body_is_dragged() -> None:
    shown = everything(default_scene().scene)
    builder = FrameBuilder()
    jumps = stayed = 0
    before: dict[tuple[str, object, str], PlacedLabel] = {}
    for step in range(1, 40):
        builder.build(dragged(shown, step), FrameTimings())
        now = labels(builder)
        both = ((key, now[key], before[key]) for key in now.keys() & before.keys())
        moved = [key for key, one, other in both if (one.anchor, one.place) != (other.anchor, other.place)]
        jumps, stayed, before = jumps + len(moved), stayed + len(now) - len(moved), now
    assert stayed > 1000
    assert jumps < 0.03 * stayed


def test_what_a_move_leaves_as_it_is_is_not_laid_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    shown, counts = everything(default_scene().scene), []

    def counted(viewports: Sequence[Viewport], *arguments: Any) -> list[PlacedPane]:
        counts.append(len(viewports))
        return lay_out(viewports, *arguments)

    monkeypatch.setattr("app.render.frame.lay_out", counted)
    builder = FrameBuilder()
    builder.build(shown, FrameTimings())
    builder.build(moved := dragged(shown, 1), FrameTimings())
    b = replace(moved.scene.b, rotation=moved.scene.a.rotation)
    scene = replace(moved.scene, b=b)
    builder.build(replace(moved, scene=scene, analysis=analyse(scene)), FrameTimings())
    assert counts == [4, 2, 3], "both panes with triad and map; the panes; the panes and the map of a turned body"


def test_a_frame_of_a_drag_calls_no_more_than_it_did() -> None:
    """Times stand in tests/bench; what is laid out again although nothing of it has changed shows here."""
    shown = everything(default_scene().scene)
    builder = FrameBuilder()
    states = [dragged(shown, step) for step in range(1, 4)]
    for state in states[:2]:
        builder.build(state, FrameTimings())
    assert calls(lambda: builder.build(states[2], FrameTimings())) < MOST_CALLS
