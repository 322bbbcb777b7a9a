"""Shapes with a border in files, words, handles, panels and meshes."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from imgui_bundle import imgui

from app.draw.meshes.mesh import flat_outline
from app.draw.meshes.shape_mesh import curved_look
from app.input.grips import grips
from app.input.manipulation import with_vertex
from app.io.scene_file import SceneError, read, write
from app.panels.body_fields import Reshaping
from app.shapes import BORDER, kind_of, parameters_of, shape_digits, shape_words, size_words
from app.state.panel_state import PanelState
from core.geometry.vector import length_rows
from core.scene import Body, Scene
from core.shapes import Box, Cone, Cylinder, Polygon, Shape, Sphere, sharp_of, with_border

from .asked import Asked, of
from .panel_rig import Rig, panel_state, rig
from .shape_samples import SHAPES

__all__ = ["rig"]

TRIANGLE = Polygon.of([(0, 1), (1, -1), (-1, -1)])
CUBE = Box((1.0, 1.0, 1.0))


def text_of(shape: dict[str, Any], **more: Any) -> str:
    return json.dumps({"separatrix": 1, **more, "a": {"shape": shape, "position": [0, 0, 0]}, "b": CUBE_TREE})


CUBE_TREE = {"shape": {"type": "box", "size": [1, 1, 1]}, "position": [3, 0, 0]}


@pytest.mark.parametrize("shape", [shape for shape in SHAPES.values() if shape.plane is None], ids=lambda s: s.word)
def test_a_file_keeps_the_border_of_every_shape_of_space(shape: Shape) -> None:
    scene = Scene(Body(with_border(shape, 0.1 + 0.2)), Body(CUBE, (3.0, 0.0, 0.0)))
    tree = json.loads(write(scene))
    assert tree["a"]["shape"]["border_radius"] == 0.1 + 0.2
    assert "border_radius" not in tree["b"]["shape"]
    assert read(write(scene)).scene == scene


def test_a_file_keeps_the_borders_of_the_plane() -> None:
    scene = Scene(Body.in_plane(with_border(TRIANGLE, 0.2)), Body.in_plane(with_border(TRIANGLE, 0.1), (3.0, 0.0)))
    assert read(write(scene)).scene == scene


@pytest.mark.parametrize(
    ("border", "said"),
    [
        (-0.1, "a.shape.border_radius: must be 0 or lie between 1e-30 and 1e+30, got -0.1"),
        (1e31, "a.shape.border_radius: must be 0 or lie between 1e-30 and 1e+30, got 1e+31"),
        ("wide", "a.shape.border_radius: must be a number"),
    ],
)
def test_a_border_that_is_none_is_refused_with_its_place(border: object, said: str) -> None:
    with pytest.raises(SceneError) as fault:
        read(text_of({"type": "sphere", "radius": 1, "border_radius": border}))
    assert said in str(fault.value)


def test_a_border_of_zero_is_none() -> None:
    scene = read(text_of({"type": "sphere", "radius": 1, "border_radius": 0})).scene
    assert scene.a.shape == Sphere(1.0)


def test_words_name_the_border() -> None:
    grown = with_border(CUBE, 0.05)
    assert kind_of(grown) is kind_of(CUBE)
    assert shape_words(grown) == "box, size 1 × 1 × 1, border radius 0.05"
    assert size_words(grown).endswith("border radius 0.05")
    assert shape_digits(grown) == '"size": [1, 1, 1], "border_radius": 0.050000000000000003'
    assert BORDER not in parameters_of(CUBE)
    assert shape_words(with_border(TRIANGLE, 0.1)) == "polygon, border radius 0.1"


def test_handles_and_another_shape_keep_the_border() -> None:
    grown = with_border(CUBE, 0.05)
    (grip, *_) = [grip for grip in grips(grown) if grip.axis == 0]
    pulled, border = sharp_of(grip.pulled(0.5, 0.0))
    assert (pulled, border) == (Box((2.0, 1.0, 1.0)), 0.05)
    ball = Reshaping().become(kind_of(Sphere(1.0)), grown, CUBE)
    assert ball == with_border(Sphere(0.5), 0.05)
    moved = with_vertex(Body.in_plane(with_border(TRIANGLE, 0.2)), 0, (0.0, 2.0))
    assert moved.shape == with_border(Polygon.of([(0, 2), (1, -1), (-1, -1)]), 0.2)


@pytest.mark.parametrize("shape", [shape for shape in SHAPES.values() if shape.plane is None], ids=lambda s: s.word)
def test_the_mesh_reaches_as_far_as_the_shape(shape: Shape) -> None:
    grown = with_border(shape, 0.3)
    mesh = curved_look(grown).mesh
    ways = mesh.normals.reshape(-1, 3)
    ways = ways / length_rows(ways)[:, None]
    heights = np.einsum("ij,ij->i", mesh.corners.reshape(-1, 3), ways)
    # A little within, where a triangle has its own normal; nowhere beyond.
    assert (heights <= grown.reach(ways) + 1e-9).all()
    assert np.median(grown.reach(ways) - heights) < 0.005 * grown.bounding_radius
    least, most = mesh.corners.reshape(-1, 3).min(axis=0), mesh.corners.reshape(-1, 3).max(axis=0)
    assert most == pytest.approx(grown.reach(np.eye(3)), rel=0.01)
    assert -least == pytest.approx(grown.reach(-np.eye(3)), rel=0.01)


@pytest.mark.parametrize("shape", [Cylinder(0.5, 1.0), Cone(0.5, 1.0)], ids=lambda s: s.word)
def test_a_rounded_rim_has_no_crease(shape: Shape) -> None:
    assert curved_look(shape).creases
    assert not curved_look(with_border(shape, 0.1)).creases


def test_the_outline_of_a_rounded_polygon_is_as_far_out() -> None:
    grown = with_border(TRIANGLE, 0.25)
    outline = flat_outline(grown)
    assert outline is not None
    assert float(outline[:, 1].min()) == pytest.approx(-1.25, abs=1e-3)
    assert not outline[:, 2].any()


def test_the_panel_gives_a_border_and_takes_it_away(rig: Rig) -> None:
    for scene in (
        Scene(Body(CUBE), Body(CUBE, (3.0, 0.0, 0.0))),
        Scene(Body.in_plane(TRIANGLE), Body.in_plane(TRIANGLE, (3.0, 0.0))),
    ):
        ui = panel_state(scene)
        rig.settle(ui)
        (edit,) = typed(rig, ui, "0.125")
        assert sharp_of(edit.scene.a.shape) == (scene.a.shape, 0.125)
        assert edit.scene.b == scene.b
        ui = panel_state(edit.scene)
        rig.settle(ui)
        assert not typed(rig, ui, "-1")
        rig.press(ui, imgui.Key.escape)
        (edit,) = typed(rig, ui, "0")
        assert edit.scene == scene


def typed(rig: Rig, ui: PanelState, text: str) -> list[Asked]:
    """What typing A's border asks for."""
    rig.click(ui, "##border_radius0")
    rig.type(ui, text)
    return of("edit", rig.press(ui, imgui.Key.enter) + rig.settle(ui))
