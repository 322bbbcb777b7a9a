"""Picking: each kind of primitive, who wins over whom, and what is looked through."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.camera import Projection
from app.draw.draw_list import DrawList, Hidden, Subject
from app.input.picking import _candidates, pick
from core.shapes import Box
from tests.app.layout_samples import FRONT, HEIGHT, WHITE, WIDTH, add_ball, add_box, laid, random_box, random_camera

AXIS, GIZMO, VERTEX, OTHER = Subject("axis", 3), Subject("gizmo", 1), Subject("vertex_a", 2), Subject("mtv")
MIDDLE = (WIDTH / 2, HEIGHT / 2)


def pixel_of(point, camera=FRONT):
    x, y, _ = Projection(camera, WIDTH, HEIGHT).project(np.array(point, dtype=np.float64)[None])[0]
    return float(x), float(y)


def across(draw, subject, y=0.0, **options):
    draw.lines(np.array((-2.0, y, 0.0)), np.array((2.0, y, 0.0)), WHITE, subject=subject, hidden=Hidden.SHOW, **options)


def pick_all(placed, x, y, radius):
    """Every subject within reach, in the order in which `pick` prefers them, each once."""
    return list(dict.fromkeys(_candidates(placed, x, y, radius, None)))


def test_nothing_is_picked_from_an_empty_pane():
    assert pick(laid(DrawList()), *MIDDLE, 6.0) is None
    assert pick_all(laid(DrawList()), *MIDDLE, 6.0) == []


def test_a_marker_within_reach_and_the_nearest_of_two():
    draw = DrawList()
    draw.points(np.array(((0.0, 0.0, 0.0), (0.3, 0.0, 0.0))), WHITE, 3.0, subject=[VERTEX, Subject("vertex_a", 5)])
    placed = laid(draw)
    x, y = pixel_of((0.0, 0.0, 0.0))
    assert pick(placed, x + 4.0, y, 6.0) == VERTEX
    assert pick(placed, x + 20.0, y, 30.0) == Subject("vertex_a", 5)
    assert pick(placed, x - 10.0, y, 6.0) is None


def test_a_big_marker_is_hit_anywhere_on_it():
    draw = DrawList()
    draw.points(np.zeros(3), WHITE, 20.0, subject=VERTEX)
    assert pick(laid(draw), MIDDLE[0] + 15.0, MIDDLE[1], 4.0) == VERTEX


def test_a_line_within_reach_of_its_edge_and_not_beyond_its_end():
    draw = DrawList()
    across(draw, OTHER, width=8.0)
    placed = laid(draw)
    assert pick(placed, MIDDLE[0], MIDDLE[1] + 9.0, 6.0) == OTHER
    assert pick(placed, MIDDLE[0], MIDDLE[1] + 11.0, 6.0) is None
    assert pick(placed, pixel_of((2.0, 0.0, 0.0))[0] + 15.0, MIDDLE[1], 6.0) is None


def test_markers_win_over_lines_and_lines_over_labels_and_labels_over_faces():
    draw = DrawList()
    add_box(draw, Box((2.0, 2.0, 2.0)).polyhedron)
    placed = laid(draw)
    assert pick(placed, *MIDDLE, 6.0) == Subject("body", 0)
    draw.label("some text", np.zeros(3), WHITE, offset=(0.0, 0.0), subject=OTHER)
    assert pick(laid(draw), *MIDDLE, 6.0) == OTHER
    across(draw, AXIS)
    assert pick(laid(draw), *MIDDLE, 6.0) == AXIS
    draw.points(np.zeros(3), WHITE, subject=VERTEX, hidden=Hidden.SHOW)
    assert pick(laid(draw), *MIDDLE, 6.0) == VERTEX
    assert pick_all(laid(draw), *MIDDLE, 6.0)[:2] == [VERTEX, AXIS]
    assert pick_all(laid(draw), *MIDDLE, 6.0)[-1] == Subject("body", 0)


def test_gizmo_lines_win_over_axes_and_those_over_nearer_others():
    draw = DrawList()
    across(draw, OTHER)
    across(draw, AXIS, y=0.03)
    assert pick(laid(draw), *MIDDLE, 6.0) == AXIS
    across(draw, GIZMO, y=-0.04)
    placed = laid(draw)
    assert pick(placed, *MIDDLE, 6.0) == GIZMO
    assert pick_all(placed, *MIDDLE, 6.0) == [GIZMO, AXIS, OTHER]


def test_only_the_kinds_asked_for():
    draw = DrawList()
    add_box(draw, Box((2.0, 2.0, 2.0)).polyhedron)
    across(draw, AXIS)
    placed = laid(draw)
    assert pick(placed, *MIDDLE, 6.0, kinds={"gizmo", "body"}) == Subject("body", 0)
    assert pick(placed, *MIDDLE, 6.0, kinds={"gizmo"}) is None


def test_primitives_without_a_subject_are_looked_through():
    draw = DrawList()
    across(draw, Subject("none"))
    assert pick(laid(draw), *MIDDLE, 6.0) is None


def test_the_nearest_face_wins_even_beside_a_hidden_edge_of_the_other_body():
    draw = DrawList()
    front, back = Subject("body", 1), Subject("body", 0)
    add_box(draw, Box((1.0, 1.0, 1.0)).polyhedron.placed(np.eye(3), np.array((0.5, 0.0, -4.0))), back)
    add_box(draw, Box((2.0, 2.0, 2.0)).polyhedron, front)
    placed = laid(draw)
    edge = pixel_of((0.0, 0.0, -3.5))
    assert pick(placed, *edge, 6.0) == front
    assert pick_all(placed, *edge, 6.0) == [front, back]


def test_a_body_is_picked_just_outside_its_outline():
    draw = DrawList()
    add_box(draw, Box((2.0, 2.0, 2.0)).polyhedron)
    x, y = pixel_of((1.0, 0.0, 1.0))
    assert pick(laid(draw), x + 4.0, y, 6.0) == Subject("body", 0)
    assert pick(laid(draw), x + 9.0, y, 6.0) is None


def test_faces_of_axes_win_over_bodies_and_sheets_come_last():
    draw = DrawList()
    add_box(draw, Box((2.0, 2.0, 2.0)).polyhedron)
    add_ball(draw, (0.0, 0.0, -5.0), 1.0, AXIS)
    draw.sheet(np.array(((-1.0, -1, 3), (1, -1, 3), (1, 1, 3), (-1, 1, 3))), WHITE, OTHER)
    assert pick_all(laid(draw), *MIDDLE, 0.0) == [AXIS, Subject("body", 0), OTHER]


@pytest.mark.parametrize("orthographic", [False, True])
def test_faces_agree_with_rays_through_the_pixel(orthographic):
    rng = np.random.default_rng(31)
    hits = 0
    for _ in range(40):
        camera = replace(random_camera(rng, orthographic=orthographic), distance=7.0)
        boxes = [random_box(rng, rng.uniform(-1.0, 1.0, 3)) for _ in range(2)]
        draw = DrawList()
        for index, box in enumerate(boxes):
            add_box(draw, box, Subject("body", index))
        draw.segments.clear()
        placed = laid(draw, camera)
        for x, y in rng.uniform((200.0, 100.0), (600.0, 500.0), (10, 2)):
            origin, direction = Projection(camera, WIDTH, HEIGHT).ray(x, y)
            entries = [entry(box, origin, direction) for box in boxes]
            expected = None if min(entries) == np.inf else Subject("body", int(np.argmin(entries)))
            assert pick(placed, x, y, 0.0) == expected
            hits += expected is not None
    assert 100 < hits < 350


def entry(box, origin, direction):
    """How far along a ray a box is entered; infinite when it is missed."""
    low, high = -np.inf, np.inf
    for normal, offset in zip(box.normals, box.offsets, strict=True):
        height, climb = normal @ origin - offset, normal @ direction
        if climb > 0.0:
            high = min(high, -height / climb)
        else:
            low = max(low, -height / climb)
    return low if low < high else np.inf
