"""Probes dragged, clicked and held, and how the picture is framed beside their card."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.camera import Projection
from app.draw.draw_list import Subject
from app.draw.theme import DARK
from app.input.bindings import Held, MouseButton
from app.input.gestures import GestureContext, Gestures
from app.io.presets import load_preset
from app.overlays.context import Extent
from app.probes import Aim, Lens, RayProbe
from app.probes.planes import point_against
from app.probes.ray import ray_of, with_lens
from app.render.framing import Covered, framed
from app.render.pictures import build
from app.state.settings import Settings
from app.state.view import Seen, View, arrange
from app.words.digits import signed
from core.analysis.analysis import analyse

from .asked import Hand, asks
from .test_probe_pictures import AREA, BOXES, CTRL, NONE, PLANE, POINT, context_of

VIEW = framed(Seen(BOXES, analyse(BOXES), View(probe=POINT), DARK), (AREA.width, AREA.height))


def situation(subject: Subject | None, view: View) -> GestureContext:
    panes = arrange(view, AREA, 0.5)
    return GestureContext(
        BOXES,
        analyse(BOXES),
        view,
        DARK,
        panes=panes,
        density=1.0,
        settings=Settings(),
        gizmo=None,
        picked=lambda _pane, _x, _y: subject,
    )


def place_of(at: GestureContext, point) -> tuple[float, float]:
    pane = at.panes[0]
    x, y, _ = pane.projection.project(np.array([point], dtype=float))[0]
    return float(x) + pane.rect.x, float(y) + pane.rect.y


def dragged(
    probe, number: int, start, dx: float, dy: float, held: Held = NONE
) -> tuple[Gestures, GestureContext, View]:
    at, gestures = situation(Subject("probe", number), replace(VIEW, probe=probe)), Hand()
    x, y = place_of(at, start)
    gestures.press(MouseButton.LEFT, x, y, NONE, at)
    (look,) = gestures.move(x + dx, y + dy, held, at)
    assert look.kind == "look"
    return gestures, at, look.view


@pytest.mark.parametrize("number", range(3))
def test_a_point_follows_the_pointer_and_the_others_stay(number: int) -> None:
    _, at, view = dragged(PLANE, number, PLANE.points[number], 23.0, -17.0)
    start, end = place_of(at, PLANE.points[number]), place_of(at, view.probe.points[number])
    assert np.subtract(end, start) == pytest.approx((23.0, -17.0), abs=1e-6)
    others = [k for k in range(3) if k != number]
    assert [view.probe.points[k] for k in others] == [PLANE.points[k] for k in others]
    towards = at.panes[0].projection.basis[2]
    assert np.subtract(view.probe.points[number], PLANE.points[number]) @ towards == pytest.approx(0.0, abs=1e-12)


def test_a_drag_that_comes_back_restores_every_digit_and_escape_too() -> None:
    gestures, at, _ = dragged(POINT, 0, POINT.position, 30.0, 12.0)
    x, y = place_of(at, POINT.position)
    (look,) = gestures.move(x, y, NONE, at)
    assert look.view.probe == POINT
    gestures.move(x + 40.0, y, NONE, at)
    assert gestures.cancel() == [asks.look(replace(VIEW, probe=POINT))]


@pytest.mark.parametrize("axis", range(3))
def test_the_keys_hold_a_point_to_an_axis_or_a_plane(axis: int) -> None:
    gestures, _, view = dragged(POINT, 0, POINT.position, 40.0, -30.0)
    (look,) = gestures.key(axis, False, NONE, situation(None, view))
    moved = np.subtract(look.view.probe.position, POINT.position)
    assert np.flatnonzero(moved).tolist() == [axis]
    (look,) = gestures.key(axis, True, NONE, situation(None, view))
    assert look.view.probe.position[axis] == pytest.approx(POINT.position[axis], abs=1e-12)


def test_ctrl_takes_whole_steps_or_the_vertex_that_is_pointed_at() -> None:
    _, at, view = dragged(POINT, 0, POINT.position, 60.0, -60.0, CTRL)
    step = Settings().snap_length
    assert np.array(view.probe.position) / step == pytest.approx(
        np.round(np.array(view.probe.position) / step), abs=1e-9
    )
    vertices = BOXES.b.pose.to_world(BOXES.b.shape.polyhedron.vertices)
    towards = at.panes[0].projection.basis[2]
    vertex = vertices[int(np.argmax(vertices @ towards))]
    dx, dy = np.subtract(place_of(at, vertex), place_of(at, POINT.position))
    _, _, view = dragged(POINT, 0, POINT.position, float(dx) + 1.0, float(dy) - 1.0, CTRL)
    assert view.probe.position == tuple(vertex.tolist())


def test_the_read_out_of_a_point_is_its_distances() -> None:
    gestures, _, view = dragged(POINT, 0, POINT.position, 40.0, -30.0)
    worst = [point_against(body, view.probe.position).worst for body in (BOXES.a, BOXES.b)]
    words = [f"{letter} {side.name} {signed(side.distance)}" for letter, side in zip("AB", worst, strict=True)]
    assert gestures.readout == "   ".join(words)


def test_the_pixel_of_a_ray_is_dragged_in_its_near_plane() -> None:
    turned = VIEW.turned(VIEW.world.yaw + 1.0, 0.2)
    turned = replace(turned, world=replace(turned.world, distance=4.0 * turned.world.distance))
    centred = RayProbe(VIEW.world, (420.0, 330.0), (640.0, 780.0))
    for view, shot in ((VIEW, centred), (turned, centred), (turned, with_lens(centred, Lens.OFF_CENTRE))):
        at, gestures = situation(Subject("probe", 0), replace(view, probe=shot)), Hand()
        x, y = place_of(at, ray_of(shot).near)
        gestures.press(MouseButton.LEFT, x, y, NONE, at)
        # Far enough for a drag first, then so near that the pixel stays in its pane.
        gestures.move(x + 9.0, y, NONE, at)
        (look,) = gestures.move(x + 2.0, y + 1.5, NONE, at)
        moved = look.view.probe
        assert place_of(at, ray_of(moved).near) == pytest.approx((x + 2.0, y + 1.5), abs=1e-6)
        assert not gestures.holdable
        (look,) = gestures.move(x + 12.0, y, CTRL, at)
        assert all(c == round(c) for c in look.view.probe.pixel)
        (look,) = gestures.move(x + 9000.0, y, NONE, at)
        assert all(0.0 <= c <= side for c, side in zip(look.view.probe.pixel, shot.size, strict=True))


def test_while_aiming_a_click_shoots_through_its_pixel() -> None:
    aiming = replace(VIEW, probe=Aim())
    body = BOXES.b.position
    at, gestures = situation(None, aiming), Hand()
    x, y = place_of(at, body)
    gestures.press(MouseButton.LEFT, x, y, NONE, at)
    (look,) = gestures.release(MouseButton.LEFT, x, y, NONE, 0.0, at)
    probe, pane = look.view.probe, at.panes[0]
    assert probe == RayProbe(pane.camera, (x - pane.rect.x, y - pane.rect.y), (640.0, 780.0), body=1)
    assert not look.view.fitted
    ray = ray_of(probe)
    assert np.linalg.norm(np.cross(np.subtract(body, ray.origin), ray.direction)) < 1e-9
    assert Projection(probe.camera, 640.0, 780.0).project(ray.near[None])[0, :2] == pytest.approx(probe.pixel)


def test_a_click_in_the_difference_shoots_nothing() -> None:
    at, gestures = situation(None, replace(VIEW, probe=Aim())), Hand()
    gestures.press(MouseButton.LEFT, 1000.0, 400.0, NONE, at)
    assert gestures.release(MouseButton.LEFT, 1000.0, 400.0, NONE, 0.0, at) == []


def test_the_picture_is_framed_clear_of_the_card() -> None:
    loaded = load_preset("point-in-convex")
    analysis, size = analyse(loaded.scene), (AREA.width, AREA.height)
    seen = framed(Seen(loaded.scene, analysis, loaded.view, DARK), size, 0.5, Covered(left=400.0))
    points, _ = Extent.of(loaded.scene).parts[0]
    x = Projection(seen.world, *size).project(points)[:, 0]
    bare = Projection(framed(Seen(loaded.scene, analysis, loaded.view, DARK), size).world, *size).project(points)[:, 0]
    assert bare.min() < 400.0 <= x.min()
    assert x.max() < AREA.width


def test_an_axis_that_is_pointed_at_is_shown_beside_a_probe() -> None:
    for view in ({"hover": Subject("axis", 2)}, {"pin": Subject("axis", 2)}):
        draw = build(context_of(BOXES, POINT, **view)).world
        assert {s.number for batch in draw.segments for s in batch.subjects if s.kind == "axis"} == {2}
