"""Whatever a scene file may hold is answered and drawn: no size and no distance leaves the range of doubles."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import product
from math import isfinite
from typing import Any

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

from app.cli.answer_keys import SceneAnswers, answer_record
from app.cli.report import to_text
from app.draw.camera import DISTANCE_LIMITS
from app.draw.placed import Rect
from app.draw.theme import DARK
from app.input.gizmo import Gizmo, GizmoTool
from app.io.scene_file import Loaded, read, write
from app.render.frame import FrameBuilder, FrameTimings, PictureInput
from app.render.framing import framed
from app.shapes import LARGEST_NUMBER, SMALLEST_NUMBER, shape_fault
from app.state.view import AxisView, Panes, Seen, View
from core.analysis.analysis import analyse
from core.geometry import quaternion
from core.geometry.triple import Triple
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Shape, Sphere
from tests.everything import EVERYTHING

AREA = Rect(0, 0, 640, 400)
EXTENTS = (SMALLEST_NUMBER, 1e-12, 1e-6, 1.0, 1e6, 1e12, LARGEST_NUMBER)


Extent = Callable[[], float]


def some_hull(rng: random.Random, extent: Extent) -> Shape:
    """Points in a cuboid of any proportions; a box's corners where they span no solid that a file may hold."""
    sizes = [extent() for _ in range(3)]
    points = [tuple(rng.uniform(-size, size) for size in sizes) for _ in range(rng.choice((4, 6, 8, 20)))]
    try:
        hull = Hull.of(points)
    except ValueError:
        hull = Hull.of(Box((sizes[0], sizes[0], sizes[0])).polyhedron.vertices)
    return Box((sizes[0], sizes[1], sizes[2])) if any(shape_fault(hull)) else hull


def some_half_space(rng: random.Random, extent: Extent) -> Shape:
    x, y, z = (rng.gauss(0.0, 1.0) * rng.choice((1.0, 1.0, 1e-8, 1e8)) for _ in range(3))
    space = HalfSpace((x, y, z), rng.choice((-1.0, 0.0, 1.0)) * extent())
    return HalfSpace((0.0, 1.0, 0.0), extent()) if any(shape_fault(space)) else space


SHAPES: dict[type, Callable[[random.Random, Extent], Shape]] = {
    Box: lambda _, extent: Box((extent(), extent(), extent())),
    Sphere: lambda _, extent: Sphere(extent()),
    Capsule: lambda _, extent: Capsule(extent(), extent()),
    Cylinder: lambda _, extent: Cylinder(extent(), extent()),
    Cone: lambda _, extent: Cone(extent(), extent()),
    Ellipsoid: lambda _, extent: Ellipsoid((extent(), extent(), extent())),
    Hull: some_hull,
    HalfSpace: some_half_space,
}
PAIRS = tuple(pair for pair in product(SHAPES, repeat=2) if pair != (HalfSpace, HalfSpace))


def some_scene(rng: random.Random, pair: tuple[type, type]) -> Scene:
    """Sizes, positions and turns drawn from the ends of what is accepted, often equal or in one place."""
    usual = rng.choice(EXTENTS)
    positions = (0.0, *EXTENTS, usual, usual)

    def extent() -> float:
        return rng.choice((usual, rng.choice(EXTENTS)))

    def place() -> Triple:
        x, y, z = (rng.choice((-1.0, 1.0)) * rng.choice(positions) for _ in range(3))
        return (x, y, z)

    def body(kind: type, position: Triple) -> Body:
        w, x, y, z = (rng.gauss(0.0, 1.0) * rng.choice((1.0, 1.0, 1e-8, 1e-30)) for _ in range(4))
        turned = quaternion.IDENTITY if rng.random() < 0.3 else quaternion.normalized((w, x, y, z))
        return Body(SHAPES[kind](rng, extent), position, turned)

    first = place()
    return Scene(body(pair[0], first), body(pair[1], first if rng.random() < 0.4 else place()))


def numbers(value: Any) -> Iterator[float]:
    """Every number of a JSON value."""
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from numbers(part)
    elif isinstance(value, float):
        yield value


def draw(scene: Scene, view: View, tool: GizmoTool) -> None:
    """Everything between the scene and the graphics card, with all that can be shown."""
    with np.errstate(divide="raise", over="raise", invalid="raise"):
        analysis = analyse(scene)
        seen = framed(Seen(scene, analysis, view, DARK), (AREA.width, AREA.height)) if view.fitted else view
        builder = FrameBuilder()
        gizmo = Gizmo(scene, 1, tool, False)
        builder.build(PictureInput(scene, analysis, seen, DARK, area=AREA, density=1.0, gizmo=gizmo), FrameTimings())


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: "-".join(kind.__name__ for kind in pair))
@pytest.mark.sampled(3, "random")
def test_every_accepted_scene_is_answered(pair: tuple[type, type]) -> None:
    rng = random.Random(7)
    for _ in range(15):
        scene = some_scene(rng, pair)
        assert read(write(scene)).scene == scene
        with np.errstate(divide="raise", over="raise", invalid="raise"):
            analysis = analyse(scene)
            answers = msgspec.to_builtins(answer_record({}, SceneAnswers(Loaded(scene, None), analysis)))
            to_text(analysis, None, "")
        assert all(isfinite(number) for number in numbers(answers))
        assert answers["disagreements"] == []


@pytest.mark.slow
@pytest.mark.nightly("scenes")
def test_every_accepted_scene_is_drawn() -> None:
    rng = random.Random(8)
    for pair in PAIRS:
        view = View(shown=EVERYTHING, panes=rng.choice(list(Panes)), axis_view=rng.choice(list(AxisView)))
        draw(some_scene(rng, pair), view, rng.choice(list(GizmoTool)))


@pytest.mark.parametrize("size", [2.0 * SMALLEST_NUMBER, 1e-15, 1e15, 0.5 * LARGEST_NUMBER])
def test_a_scene_of_any_size_fills_the_picture(size: float) -> None:
    scene = Scene(Body(Box((size, size, size)), (0.0, 0.0, 0.0)), Body(Sphere(0.5 * size), (1.2 * size, 0.0, 0.0)))
    view = framed(Seen(scene, analyse(scene), View(), DARK), (AREA.width, AREA.height))
    assert 1.0 < view.world.distance / size < 20.0
    assert 1.0 < view.difference.distance / size < 20.0
    # A view that one has moved oneself is saved, and read again.
    moved = replace(view, fitted=False)
    assert read(write(scene, moved)).view == moved


@pytest.mark.parametrize("distance", [*DISTANCE_LIMITS, 1e-15, 1e15])
def test_no_camera_is_too_near_or_too_far(distance: float) -> None:
    huge = Body(Sphere(LARGEST_NUMBER), (LARGEST_NUMBER, 0.0, LARGEST_NUMBER))
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
