"""Pictures laid out in one pass are those laid out one by one."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.camera import Camera
from app.draw.draw_list import DrawList
from app.draw.layout import LabelRoom, Viewport, lay_out
from app.io.presets import load_preset
from app.overlays.context import Context
from app.render.pictures import build
from app.state.view import DEFAULT_OVERLAYS, Seen, View
from core.analysis.analysis import analyse
from tests.everything import EVERYTHING

from .layout_samples import HALO, assert_same, measure
from .test_legend import theme_of_roles


def lists_of(name: str) -> list[DrawList]:
    """The pictures of a preset with every overlay, with few, and none."""
    scene = load_preset(name).scene
    draws = []
    for shown in (EVERYTHING, DEFAULT_OVERLAYS):
        seen = Seen(scene, analyse(scene), View(shown=shown), theme_of_roles())
        pictures = build(Context(**seen.facts))
        draws += [pictures.world, pictures.difference, pictures.globe, pictures.triad]
    return [*draws, DrawList()]


def viewports_of(name: str) -> list[Viewport]:
    rng = np.random.default_rng(sum(map(ord, name)))
    found = []
    for number, draw in enumerate(lists_of(name)):
        yaw, pitch = rng.uniform(-3.0, 3.0), rng.uniform(-1.4, 1.4)
        camera = Camera((0.3, 0.5, 0.1), rng.uniform(3.0, 8.0), yaw, pitch, orthographic=number % 3 == 2)
        width, height = rng.integers(60, 900, 2).tolist()
        taken = ((0.0, 0.0, float(width), 30.0), (20.0, 50.0, 60.0, 40.0)) if number % 2 else ()
        found.append(Viewport(draw, camera, width, height, float(rng.uniform(0.8, 2.5)), LabelRoom((), taken)))
    return found


@pytest.mark.parametrize("name", ["skew-edges", "two-spheres", "capsule-box-edge", "flat-squares-kiss", "two-hulls"])
def test_in_one_pass_as_one_by_one(name: str) -> None:
    viewports = viewports_of(name)
    alone = [lay_out([viewport], measure, HALO)[0] for viewport in viewports]
    for one, other in zip(alone, lay_out(viewports, measure, HALO), strict=True):
        assert_same(one, other)
    # With the labels that stood before, in another order.
    again = [replace(each, room=LabelRoom(placed.labels)) for each, placed in zip(viewports, alone, strict=True)][::-1]
    for each, other in zip(again, lay_out(again, measure, HALO), strict=True):
        assert_same(lay_out([each], measure, HALO)[0], other)
    assert sum(len(placed.labels) for placed in alone) > 10
    assert sum(len(placed.lines.width) for placed in alone) > 100


def test_hatches_in_one_pass_are_those_of_one_batch_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    viewports = viewports_of("two-hulls")
    at_once = lay_out(viewports, measure, HALO)
    monkeypatch.setattr("app.draw.layout.hatches.MOST_AT_ONCE", 0)
    for one, other in zip(at_once, lay_out(viewports, measure, HALO), strict=True):
        assert_same(one, other)


def test_nothing_is_laid_out_of_nothing() -> None:
    assert lay_out([], measure, HALO) == []
