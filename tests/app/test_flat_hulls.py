"""Triangles, segments and points in the window: drawn and picked from every side, named, reshaped and framed."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from app.__main__ import main
from app.draw.camera import Projection
from app.draw.draw_list import DrawList, Subject
from app.input.gizmo import Gizmo, GizmoTool
from app.input.grips import grips
from app.input.picking import pick
from app.overlays.bodies import draw_body
from app.overlays.context import Extent
from app.panels.body_fields import Reshaping
from app.panels.paste_points import points_words
from app.probes.planes import point_against, verdict_words
from app.shapes import FLAT_KINDS, SHAPE_KINDS, extents_like, hull_points, shape_fault, shape_words
from core.scene import Body, Scene
from core.shapes import Box, HalfSpace, Hull, Polygon, Shape
from tests.app.layout_samples import FRONT, HEIGHT, WHITE, WIDTH, laid

TRIANGLE = Hull(((-1.0, -0.6, 0.0), (1.0, -0.6, 0.1), (0.0, 1.0, 0.0)))
SEGMENT = Hull(((-1.0, 0.2, 0.0), (0.5, 0.4, 0.3), (1.25, 0.5, 0.45)))
POINT = Hull(((0.3, -0.2, 0.1),))
FLAT = (TRIANGLE, SEGMENT, POINT)
SUBJECT = Subject("body", 0)


@pytest.mark.parametrize("shape", FLAT, ids=lambda shape: shape.word)
@pytest.mark.parametrize("yaw", [0.2, 3.3])
def test_a_flat_body_is_drawn_and_picked_from_either_side(shape: Shape, yaw: float) -> None:
    draw, body = DrawList(), Body(shape)
    draw_body(draw, body, WHITE, WHITE, SUBJECT)
    camera = replace(FRONT, yaw=yaw)
    assert shape.core is not None
    middle = shape.core.points.mean(axis=0)
    x, y, _ = Projection(camera, WIDTH, HEIGHT).project(middle[None])[0]
    placed = laid(draw, camera)
    assert pick(placed, float(x), float(y), 4.0) == SUBJECT
    assert pick(placed, 2.0, 2.0, 4.0) is None


def test_the_words_of_flat_hulls() -> None:
    assert [shape_words(shape) for shape in FLAT] == ["triangle", "segment of 3 points", "point"]
    assert points_words(SEGMENT) == "3 points, flat: a segment, 2 corners"
    assert points_words(Hull.of(Box((1.0, 1.0, 1.0)).polyhedron.vertices)) == "8 points, 8 corners, 6 faces"
    for shape in FLAT:
        assert shape_fault(shape) == ("", "")


@pytest.mark.parametrize("shape", FLAT, ids=lambda shape: shape.word)
def test_a_flat_hull_becomes_every_shape_and_comes_back(shape: Hull) -> None:
    for kind in SHAPE_KINDS:
        reshaping = Reshaping()
        made = reshaping.become(kind, shape, Box((2.0, 1.0, 3.0)))
        assert shape_fault(made) == ("", "")
        assert made.plane is not None or made.largest_half_extent > 0.0 or hull_points(made)
        back = next(kind for kind in SHAPE_KINDS if kind.name == "hull")
        assert reshaping.become(back, made, Box((2.0, 1.0, 3.0))) == shape
    for kind in FLAT_KINDS:
        for flat in (Polygon(((0.0, 0.0),)), Polygon(((0.0, 0.0), (2.0, 0.0)))):
            assert kind.like(flat, extents_like(flat) or (1.0, 1.0, 1.0)).largest_half_extent > 0.0


def test_a_point_has_a_size_for_handles_and_pictures() -> None:
    nothing = Hull(((0.0, 0.0, 0.0),))
    assert Gizmo(Scene(Body(nothing), Body(Box((2.0, 2.0, 2.0)))), 0, GizmoTool.ROTATE, False).ball_radius == 3.0**0.5
    pair = Scene(Body(nothing), Body(nothing))
    assert Gizmo(pair, 0, GizmoTool.ROTATE, False).ball_radius == 1.0
    assert (
        Gizmo(Scene(Body(nothing), Body(HalfSpace((0.0, 1.0, 0.0), 0.0))), 1, GizmoTool.MOVE, False).ball_radius == 1.0
    )
    assert Extent.of(pair).radius == 1.0
    assert grips(nothing) == ()
    assert len(grips(TRIANGLE)) >= 4


def test_a_point_held_against_a_triangle_knows_its_edges() -> None:
    body = Body(Hull(((0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (0.0, 2.0, 0.0))))
    beside, above, on = (point_against(body, at) for at in ((3.0, 0.5, 0.0), (0.5, 0.5, 0.25), (0.5, 0.5, 0.0)))
    assert beside.worst is not None
    assert beside.worst.name == "edge1"
    assert beside.worst.distance == pytest.approx(1.5 / 2.0**0.5)
    assert above.worst is not None
    assert (above.worst.name, above.worst.distance) == ("face0", 0.25)
    assert on.on
    segment = point_against(Body(SEGMENT), (0.0, 3.0, 0.0))
    assert segment.nearest is not None
    assert verdict_words(0, segment).startswith("Outside A, a segment:")


@pytest.mark.parametrize("name", ["triangles-in-one-plane", "planar/point-on-segment"])
def test_check_tells_of_flat_bodies(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = Path(__file__).parents[1] / "scenes" / f"{name}.json"
    assert main(["check", "--json", "--single", "--articles", str(path)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["verdict"] == "TOUCHING"
    assert found["separation"] == 0.0
    assert found["disagreements"] == []
    assert np.isfinite(found["normal"]).all()
    assert found["contacts"]
