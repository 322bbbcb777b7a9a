"""Polygons of the plane edited vertex by vertex in the panel "Bodies"."""

from __future__ import annotations

from app.io.presets import load_preset
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
