"""The rail beside the bodies: it lies on none of them, and keeps its side from axis to axis while it has room there."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.camera import Camera, Projection
from app.draw.draw_list import DrawList, Subject
from app.draw.layout import in_view as pane_in_view
from app.draw.layout.frame import LayoutFrame, PaneInView, lifted, pane_of, sides
from app.draw.theme import DARK
from app.io.presets import load_preset, presets
from app.overlays.context import Context
from app.render.frame import FrameBuilder
from app.render.pictures import build
from app.render.still import fitted_view, planned
from app.state.view import Panes, Seen, View
from core.analysis.analysis import Analysis, analyse
from core.geometry.vector import Array
from core.sat.sat import AxisStatus
from core.scene import Scene

SIZES = ((820, 700), (440, 700), (560, 620))
"""Panes in pixels, as the world has them at 1280x800, at 1024x768, and beside the difference."""
MOST = 15
SHARES = np.linspace(0.0, 1.0, 60)


def axes_of(analysis: Analysis) -> list[int]:
    known = [row for row, status in enumerate(analysis.sat.statuses) if status is not AxisStatus.DEGENERATE]
    return known[:MOST]


def rails(name: str, size: tuple[int, int]) -> Iterator[tuple[str, DrawList, PaneInView, Camera]]:
    """The picture of every axis of a preset through the camera that frames the pair once."""
    scene, analysis = load_preset(name).scene, analyse(load_preset(name).scene)
    camera = fitted_view(Seen(scene, analysis, View(panes=Panes.WORLD), DARK), size, 1.0).world
    for row in axes_of(analysis):
        draw = build(Context(scene, analysis, View(hover=Subject("axis", row)), DARK)).world
        yield f"{name} {row}", draw, pane_of(draw, Projection(camera, *size), 1.0), camera


def on_screen(pane: PaneInView, group: int, along: float, lift: float) -> Array:
    found: Array = pane.projection.screen(in_view(pane, group, along, lift)[None])[0, :2]
    return found


def in_view(pane: PaneInView, group: int, along: float, lift: float) -> Array:
    rail = pane.draw.groups[group]
    foot, one = pane.projection.to_view((rail.origin + along * rail.axis)[None]), np.full(1, group)
    found: Array = lifted(foot, np.full(1, lift), one, LayoutFrame.of([pane]))[0]
    return found


def surfaces(scene: Scene) -> list[Array]:
    """Points (n, 3) of each body, those farthest in a few hundred directions."""
    rng = np.random.default_rng(7)
    ways = rng.normal(size=(300, 3)) * ((1.0, 1.0, 0.0) if scene.dimension == 2 else (1.0, 1.0, 1.0))
    return [
        np.array([b.pose.to_world(b.shape.support(b.pose.direction_to_local(way))) for way in ways])
        for b in (scene.a, scene.b)
    ]


def pixels(pane: PaneInView, points: Array) -> Array:
    return pane.projection.project(points)[:, :2]


ROUND = np.array([(np.cos(turn), np.sin(turn)) for turn in np.linspace(0.0, 2.0 * np.pi, 180, endpoint=False)])


def overlaps(pane: PaneInView, group: int, bodies: list[Array]) -> bool:
    """Whether the rail's inner bar, a segment, and the outline of a body, a convex polygon, share a pixel."""
    bars = pane.draw.groups[group].bars
    assert bars is not None
    low, high, inner = *bars[:2], min(bars[2:], key=abs)
    ends = np.array([on_screen(pane, group, along, inner) for along in (low, high)])
    # Two convex sets are apart where a line lies between them.
    return any(bool(((ends @ ROUND.T).min(axis=0) - (body @ ROUND.T).max(axis=0)).max() < 0.0) for body in bodies)


def has_room(pane: PaneInView, group: int, bodies: list[Array], side: Array) -> bool:
    """Whether on a `side` (3,), view frame, both bars fit into the pane beside the bodies, with air."""
    rail, projection = pane.draw.groups[group], pane.projection
    assert rail.bars is not None
    low, high, inner, outer = rail.bars
    ends = rail.origin + np.array((low, high))[:, None] * rail.axis
    (start, end), near = pixels(pane, ends), projection.to_view(ends) + 0.1 * np.sign(inner) * side
    way, towards = end - start, projection.screen(near)[0, :2] - start
    if np.hypot(*way) < 60.0:
        return False
    normal = np.array((-way[1], way[0])) / np.hypot(*way)
    normal *= np.sign(normal @ towards)
    wide = projection.pixels_per_unit(rail.origin) * abs(outer - inner) * 1.25
    size = np.array((projection.width, projection.height))
    beyond = max(float(((body - start) @ normal).max()) for body in bodies) + 25.0 + wide
    places = np.array((start, end)) + beyond * normal
    return bool(((places > 40.0) & (places < size - 40.0)).all())


BOUNDED = [
    preset.id for preset in presets() if all(load_preset(preset.id).scene.body(k).shape.plane is None for k in (0, 1))
]


@pytest.mark.parametrize("size", SIZES)
def test_the_rail_lies_on_no_body_and_keeps_its_side(size: tuple[int, int]) -> None:
    met, out, changed, count = [], [], [], 0
    border = np.array(size)
    for name in BOUNDED:
        points = surfaces(load_preset(name).scene)
        for title, _, pane, _ in rails(name, size):
            bodies = [pixels(pane, each) for each in points]
            preferred = sides(pane.draw.groups, pane.projection)
            for group, each in enumerate(pane.draw.groups):
                if each.bars is None:
                    continue
                count += 1
                low, high, *lifts = each.bars
                ends = np.array([on_screen(pane, group, along, lift) for along in (low, high) for lift in lifts])
                met += [title] if overlaps(pane, group, bodies) else []
                out += [title] if ((ends < 0.0) | (ends > border)).any() else []
                turned = float(pane.sides[group] @ preferred[group]) < 0.0
                changed += [title] if turned and has_room(pane, group, bodies, preferred[group]) else []
    assert (met, out, changed) == ([], [], [])
    assert count > 500


def test_a_rail_that_slides_keeps_its_direction_and_its_shares() -> None:
    moved = 0
    for name in BOUNDED:
        for title, _, pane, _ in rails(name, SIZES[-1]):
            for group, each in enumerate(pane.draw.groups):
                if each.bars is None or not pane.fits[group].shift.any():
                    continue
                moved += 1
                low, high, *lifts = each.bars
                inner = min(lifts, key=abs)
                view = [in_view(pane, group, along, inner) for along in (low, 0.5 * (low + high), high)]
                way, axis = view[2] - view[0], pane.projection.basis @ each.axis
                assert np.cross(way, axis) == pytest.approx(0.0, abs=1e-9), title
                assert way @ axis > 0.0, title
                assert view[1] == pytest.approx(0.5 * (view[0] + view[2])), title
    assert moved > 50


@pytest.mark.parametrize(
    ("panes", "size"), [(Panes.WORLD, (960, 640)), (Panes.WORLD, (1280, 560)), (Panes.BOTH, (960, 640))]
)
def test_the_rail_does_not_meet_the_axes_in_the_corner(panes: Panes, size: tuple[int, int]) -> None:
    met, count = [], 0
    for name in BOUNDED[::3]:
        loaded = load_preset(name)
        if loaded.scene.dimension == 2:
            continue
        view = replace(loaded.view or View(), panes=panes)
        builder = FrameBuilder()
        planned(Seen(loaded.scene, analyse(loaded.scene), view, DARK), *size, 1.0, builder=builder).lay_out(1)
        (_, _, world), *insets = builder.turnable()[0].inside
        for yaw in (0.0, 0.7, 1.7, 3.3):
            pane = pane_in_view(replace(world, camera=world.camera.orbited(yaw, 0.0)))
            for group, each in enumerate(pane.draw.groups):
                if each.bars is None:
                    continue
                low, high, *lifts = each.bars
                ends = [np.array([on_screen(pane, group, along, lift) for along in (low, high)]) for lift in lifts]
                bars = np.concatenate([bar[0] + SHARES[:, None] * (bar[1] - bar[0]) for bar in ends])
                count += len(insets)
                for x, y, inset in insets:
                    inside = ((bars > (x, y)) & (bars < (x + inset.width, y + inset.height))).all(axis=1)
                    met += [f"{name} {yaw}"] if inside.any() else []
    assert met == []
    assert count > 40
