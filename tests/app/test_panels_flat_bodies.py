"""Polygons of the plane edited vertex by vertex in the panel "Bodies"."""

from __future__ import annotations

from typing import Any

from imgui_bundle import imgui

from app.io.presets import load_preset
from app.panels.bodies import UnfinishedPolygon
from app.state.panel_state import PanelState
from core.scene import Body, Scene
from core.shapes import Polygon

from .asked import of
from .panel_rig import Rig, panel_state, rig

__all__ = ["rig"]

TRIANGLE = Polygon.of([(0, 1), (1, -1), (-1, -1)])


def points_of(body: Body) -> tuple[tuple[float, float], ...]:
    assert isinstance(body.shape, Polygon)
    return body.shape.points


def test_any_vertex_is_removed_by_the_button_in_its_row(rig: Rig) -> None:
    scene = load_preset("flat-hexagon-pentagon").scene
    ui = panel_state(scene)
    rig.settle(ui)
    was = points_of(scene.a)
    (edit,) = of("edit", rig.click(ui, "×##2"))
    assert edit.label == "Remove A.v2"
    assert points_of(edit.scene.a) == was[:2] + was[3:]
    assert edit.scene.b == scene.b


def test_a_triangle_becomes_a_segment_and_a_point_and_takes_more(rig: Rig) -> None:
    for corners in (3, 2, 1):
        scene = Scene(Body.in_plane(Polygon(TRIANGLE.points[:corners])), Body.in_plane(TRIANGLE, (1.0, 0.5)))
        ui = panel_state(scene)
        rig.settle(ui)
        fewer = of("edit", rig.click(ui, "×##0"))
        assert [len(points_of(edit.scene.a)) for edit in fewer] == ([corners - 1] if corners > 1 else [])
        (edit,) = of("edit", rig.click(ui, "Add a vertex"))
        assert len(edit.scene.a.shape.ring) == corners + 1


def test_a_vertex_is_added_to_a_triangle(rig: Rig) -> None:
    scene = Scene(Body.in_plane(TRIANGLE), Body.in_plane(TRIANGLE, (1.0, 0.5)))
    ui = panel_state(scene)
    rig.settle(ui)
    (edit,) = of("edit", rig.click(ui, "Add a vertex"))
    assert edit.label == "Add a vertex to A"
    assert len(points_of(edit.scene.a)) == 4


def popup_of(rig: Rig, number: int = 0):
    return rig.panels_named("bodies")._editors[2][number]._paste


def test_points_pasted_in_the_plane_make_a_polygon_in_their_order(rig: Rig) -> None:
    scene = Scene(Body.in_plane(TRIANGLE, (2.0, 1.0)), Body.in_plane(TRIANGLE, (1.0, 0.5)))
    ui = panel_state(scene)
    rig.settle(ui)
    rig.click(ui, "Paste points …")
    rig.type(ui, "0 0\n4 0\n1 1")
    assert popup_of(rig)._pasted.word == "polygon"
    rig.type(ui, "\n0 4")
    # A corner that points inwards is told by its number; the text stays, and the next point mends it.
    assert popup_of(rig)._fault == (
        "The points must go around a convex polygon: the loop is not convex at point 2. Points count from 0."
    )
    assert not of("edit", rig.click(ui, "Use these points"))
    rig.click(ui, "##text", at=0.98)
    rig.type(ui, "0")
    assert "not convex" in popup_of(rig)._fault
    for _ in range(len("1 1\n0 40")):
        rig.press(ui, imgui.Key.backspace)
    rig.type(ui, "3 2\n0 4")
    (edit,) = of("edit", rig.click(ui, "Use these points"))
    assert points_of(edit.scene.a) == ((0.0, 0.0), (4.0, 0.0), (3.0, 2.0), (0.0, 4.0))
    assert edit.scene.a.position == scene.a.position
    assert edit.scene.b == scene.b


def test_points_of_space_are_refused_in_the_plane(rig: Rig) -> None:
    ui = panel_state(Scene(Body.in_plane(TRIANGLE), Body.in_plane(TRIANGLE, (1.0, 0.5))))
    rig.settle(ui)
    rig.click(ui, "Paste points …")
    rig.type(ui, "0 0 0\n4 0 2\n4 3 0")
    assert popup_of(rig)._fault.startswith("Line 1: the points have 3 numbers, and the scene is of the plane")


def typed(rig: Rig, ui: PanelState, label: str, number: str) -> list[Any]:
    rig.click(ui, label)
    rig.type(ui, number)
    return of("edit", rig.press(ui, imgui.Key.enter) + rig.settle(ui))


def test_a_polygon_may_be_concave_while_its_vertices_are_typed(rig: Rig) -> None:
    square = Polygon(((0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)))
    scene = Scene(Body.in_plane(square), Body.in_plane(Polygon.of([(9, 9), (10, 9), (9, 10)])))
    ui = panel_state(scene)
    rig.settle(ui)
    editor = rig.panels_named("bodies")._editors[2][0]
    # A parallelogram that leans to the left: with its first corner alone moved, the square is concave.
    assert not typed(rig, ui, "##point20", "-1")
    assert editor._on_the_way.fault.startswith("Not used yet: the loop is not convex at point")
    assert editor._on_the_way.points(square)[2] == (-1.0, 2.0)
    (edit,) = typed(rig, ui, "##point30", "-3")
    assert editor._on_the_way.fault == ""
    assert points_of(edit.scene.a) == ((0.0, 0.0), (2.0, 0.0), (-1.0, 2.0), (-3.0, 2.0))


def test_typed_points_are_given_up_where_the_shape_is_changed_elsewhere() -> None:
    square = Polygon(((0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)))
    way = UnfinishedPolygon()
    assert way.moved(square, 2, (0.5, 0.5)) is None
    assert way.points(square)[2] == (0.5, 0.5)
    assert way.points(TRIANGLE) == TRIANGLE.points
    assert way.fault == ""
    assert way.moved(square, 2, (3.0, 3.0)).points[2] == (3.0, 3.0)
