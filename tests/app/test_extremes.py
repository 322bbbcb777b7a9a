"""Whatever a scene file may hold is answered and drawn: no size and no distance leaves the range of doubles."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from app.camera import DISTANCE_LIMITS
from app.frame import FrameBuilder, FrameTimes, Shown
from app.framing import framed
from app.gizmo import Gizmo, GizmoTool
from app.overlays import OVERLAYS
from app.placed import Rect
from app.report import to_object
from app.scene_file import read, write
from app.shape_kinds import LARGEST, SMALLEST
from app.theme import DARK
from app.view import AxisView, Panes, View
from core.analysis import analyse
from core.geometry import quaternion
from core.scene import Body, Scene, Triple
from core.shapes import Box, Sphere

AREA = Rect(0, 0, 640, 400)
EXTENTS = (SMALLEST, 1e-12, 1e-6, 1.0, 1e6, 1e12, LARGEST)
EVERYTHING = frozenset(overlay.id for overlay in OVERLAYS)


def some_scene(rng: random.Random) -> Scene:
    """Sizes, positions and turns drawn from the ends of what is accepted, often equal or in one place."""
    usual = rng.choice(EXTENTS)
    positions = (0.0, *EXTENTS)

    def extent() -> float:
        return rng.choice((usual, rng.choice(EXTENTS)))

    def place() -> Triple:
        x, y, z = (rng.choice((-1.0, 1.0)) * rng.choice(positions) for _ in range(3))
        return (x, y, z)

    def body(position: Triple) -> Body:
        shape = Sphere(extent()) if rng.random() < 0.2 else Box((extent(), extent(), extent()))
        w, x, y, z = (rng.gauss(0.0, 1.0) * rng.choice((1.0, 1.0, 1e-8, 1e-30)) for _ in range(4))
        turned = quaternion.IDENTITY if rng.random() < 0.3 else quaternion.normalized((w, x, y, z))
        return Body(shape, position, turned)

    first = place()
    return Scene(body(first), body(first if rng.random() < 0.3 else place()))


def draw(scene: Scene, view: View, tool: GizmoTool) -> None:
    """Everything between the scene and the graphics card, with all that can be shown."""
    with np.errstate(divide="raise", over="raise", invalid="raise"):
        analysis = analyse(scene)
        seen = framed(scene, analysis, view, (AREA.width, AREA.height)) if view.fitted else view
        builder = FrameBuilder()
        gizmo = Gizmo(scene, 1, tool, False)
        builder.build(Shown(scene, analysis, seen, DARK, AREA, 1.0, gizmo=gizmo), FrameTimes())


def test_every_accepted_scene_is_answered() -> None:
    rng = random.Random(7)
    for _ in range(300):
        scene = some_scene(rng)
        assert read(write(scene)).scene == scene
        with np.errstate(divide="raise", over="raise", invalid="raise"):
            answers = to_object(analyse(scene), "")
        assert answers["disagreements"] == []


def test_every_accepted_scene_is_drawn() -> None:
    rng = random.Random(8)
    for _ in range(30):
        view = View(shown=EVERYTHING, panes=rng.choice(list(Panes)), axis_view=rng.choice(list(AxisView)))
        draw(some_scene(rng), view, rng.choice(list(GizmoTool)))


@pytest.mark.parametrize("size", [2.0 * SMALLEST, 1e-15, 1e15, 0.5 * LARGEST])
def test_a_scene_of_any_size_fills_the_picture(size: float) -> None:
    scene = Scene(Body(Box((size, size, size)), (0.0, 0.0, 0.0)), Body(Sphere(0.5 * size), (1.2 * size, 0.0, 0.0)))
    view = framed(scene, analyse(scene), View(), (AREA.width, AREA.height))
    assert 1.0 < view.world.distance / size < 20.0
    assert 1.0 < view.difference.distance / size < 20.0
    # A view that one has moved oneself is saved, and read again.
    moved = replace(view, fitted=False)
    assert read(write(scene, moved)).view == moved


@pytest.mark.parametrize("distance", [*DISTANCE_LIMITS, 1e-15, 1e15])
def test_no_camera_is_too_near_or_too_far(distance: float) -> None:
    huge = Body(Sphere(LARGEST), (LARGEST, 0.0, LARGEST))
    scene = Scene(Body(Box((1.0, 1.0, 1.0)), (0.0, 0.0, 0.0)), huge)
    start = View(shown=EVERYTHING, panes=Panes.OVERLAID)
    near = replace(
        start,
        world=replace(start.world, distance=distance),
        difference=replace(start.difference, distance=distance),
        fitted=False,
    )
    for tool in GizmoTool:
        draw(scene, near, tool)
