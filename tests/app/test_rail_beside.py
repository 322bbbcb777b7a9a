"""The rail beside the bodies: it lies on none of them, and keeps its side from axis to axis while it has room there."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from app.draw.camera import Camera, Projection
from app.draw.draw_list import DrawList, Subject
from app.draw.layout.frame import PaneInView, pane_of, sides
from app.draw.theme import DARK
from app.io.presets import load_preset, presets
from app.overlays.context import Context
from app.render.pictures import build
from app.render.still import fitted
from app.state.view import Panes, Seen, View
from core.analysis.analysis import Analysis, analyse
from core.geometry.vector import Array
from core.sat.sat import AxisStatus
from core.scene import Scene

SIZES = ((820, 700), (440, 700))
"""Panes in pixels, as the world has them at 1280x800 and at 1024x768."""
MOST = 15


def axes_of(analysis: Analysis) -> list[int]:
    known = [row for row, status in enumerate(analysis.sat.statuses) if status is not AxisStatus.DEGENERATE]
    return known[:MOST]


def rails(name: str, size: tuple[int, int]) -> Iterator[tuple[str, DrawList, PaneInView, Camera]]:
    """The picture of every axis of a preset through the camera that frames the pair once."""
    scene, analysis = load_preset(name).scene, analyse(load_preset(name).scene)
    camera = fitted(Seen(scene, analysis, View(panes=Panes.WORLD), DARK), size, 1.0).world
    for row in axes_of(analysis):
        draw = build(Context(scene, analysis, View(hover=Subject("axis", row)), DARK)).world
        yield f"{name} {row}", draw, pane_of(draw, Projection(camera, *size), 1.0), camera


def on_screen(pane: PaneInView, group: int, along: float, lift: float) -> Array:
    rail, projection = pane.draw.groups[group], pane.projection
    foot = projection.to_view((rail.origin + along * rail.axis)[None])
    found: Array = projection.screen(foot + lift * pane.sides[group] / projection.camera.distance)[0, :2]
    return found


def surface(scene: Scene) -> Array:
    """Points (n, 3) of both bodies, those farthest in a few hundred directions."""
    rng = np.random.default_rng(7)
    ways = rng.normal(size=(300, 3)) * ((1.0, 1.0, 0.0) if scene.dimension == 2 else (1.0, 1.0, 1.0))
    bodies = (scene.a, scene.b)
    found = [b.pose.to_world(b.shape.support(b.pose.direction_to_local(way))) for b in bodies for way in ways]
    return np.array(found)


def overlap(pane: PaneInView, group: int, points: Array) -> float:
    """How far, in pixels, a body reaches beyond the rail's inner bar; negative where there is air."""
    bars = pane.draw.groups[group].bars
    assert bars is not None
    low, high, inner, outer = bars
    inner, outer = sorted((inner, outer), key=abs)
    start, end = (on_screen(pane, group, along, inner) for along in (low, high))
    away = on_screen(pane, group, low, outer) - start
    normal = np.array((-(end - start)[1], (end - start)[0]))
    if np.linalg.norm(normal) < 8.0:
        return -np.inf  # The axis points at the viewer.
    normal *= np.sign(normal @ away) / np.linalg.norm(normal)
    seen = pane.projection.screen(pane.projection.to_view(points))[:, :2]
    return float((seen @ normal).max() - start @ normal)


BOUNDED = [
    preset.id for preset in presets() if all(load_preset(preset.id).scene.body(k).shape.plane is None for k in (0, 1))
]


@pytest.mark.parametrize("size", SIZES)
def test_the_rail_lies_on_no_body(size: tuple[int, int]) -> None:
    met = {}
    for name in BOUNDED:
        points = surface(load_preset(name).scene)
        for title, _, pane, _ in rails(name, size):
            for group, each in enumerate(pane.draw.groups):
                if each.bars is not None and (deep := overlap(pane, group, points)) > 0.0:
                    met[title] = round(deep, 1)
    assert met == {}


@pytest.mark.parametrize("size", SIZES)
def test_the_rail_keeps_its_side_from_axis_to_axis(size: tuple[int, int]) -> None:
    turned = {}
    for name in BOUNDED:
        for title, draw, pane, _ in rails(name, size):
            preferred = sides(draw.groups, pane.projection)
            if any(each.bars is not None and pane.sides[k] @ preferred[k] < 0.0 for k, each in enumerate(draw.groups)):
                turned[title] = True
    assert len(turned) <= 0.02 * len(BOUNDED) * MOST, turned
