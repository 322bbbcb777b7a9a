"""Layout: lines, arrows, lifts, marks and triangles on the screen, near the eye and at the border."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.camera import Projection
from app.draw.draw_list import Dash, DrawList, Hidden, Layer, Marker, Subject
from app.draw.layout import lines, solids
from app.draw.meshes.mesh import grown_mesh
from core.shapes import Box
from tests.app.layout_samples import (
    FRONT,
    HEIGHT,
    LINE,
    ORANGE,
    WHITE,
    WIDTH,
    add_ball,
    add_box,
    laid,
    lines_of,
    random_box,
    random_camera,
)


def test_dashes_run_on_along_a_polyline_and_do_not_crawl_at_the_border():
    draw = DrawList()
    points = np.array(((-30.0, 0.0, 0.0), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0)))
    draw.polyline(points, WHITE, dash=Dash.DASHED, subject=LINE)
    placed = laid(draw)
    pixels = Projection(FRONT, WIDTH, HEIGHT).project(points)[:, 0]
    assert placed.lines.start[0, 0] > pixels[0]
    assert np.allclose(placed.lines.phase, placed.lines.start[:, 0] - pixels[0])


def test_colours_run_on_over_cuts():
    draw = DrawList()
    draw.lines(
        np.array((-30.0, 0.0, 0.0)), np.array((30.0, 0.0, 0.0)), (0, 0, 0, 1.0), end_rgba=(1, 1, 1, 1.0), subject=LINE
    )
    placed = laid(draw)
    share = (placed.lines.start[0, 0] - Projection(FRONT, WIDTH, HEIGHT).project(np.array(((-30.0, 0, 0),)))[0, 0]) / (
        60.0 * Projection(FRONT, WIDTH, HEIGHT).pixels_per_unit(np.zeros(3))
    )
    assert placed.lines.start_rgba[0, 0] == pytest.approx(share)


def test_layers_order_lines_and_ground_comes_first():
    draw = DrawList()
    for layer in (Layer.GIZMO, Layer.STRONG, Layer.GROUND, Layer.NORMAL):
        draw.lines(np.zeros(3), np.ones(3), WHITE, layer=layer, subject=Subject(layer.name))
    placed = laid(draw)
    assert [subject.kind for subject in placed.lines.subjects] == ["GROUND", "NORMAL", "STRONG", "GIZMO"]
    assert placed.lines.ground_lines == 1


@pytest.mark.parametrize("orthographic", [False, True])
def test_an_eye_inside_a_solid_sees_without_nan(orthographic):
    rng = np.random.default_rng(18)
    for _ in range(10):
        camera = random_camera(rng, orthographic=orthographic)
        draw = DrawList()
        add_box(draw, random_box(rng, camera.eye()))
        add_ball(draw, tuple(camera.eye() + 0.1), 1.0)
        mesh = grown_mesh(random_box(rng, camera.eye() + 0.2), 0.3)
        draw.solid(mesh.corners, mesh.normals, ORANGE, smooth=True)
        draw.lines(rng.uniform(-20, 20, (50, 3)), rng.uniform(-20, 20, (50, 3)), WHITE, arrow_end=10.0)
        draw.points(rng.uniform(-9, 9, (50, 3)), WHITE)
        draw.points(camera.eye(), WHITE)
        draw.label("eye", camera.eye(), WHITE)
        draw.sheet(camera.eye() + np.array(((-1.0, 0, 0), (1, 0, 0), (1, 1, 0), (-1, 1, 0))), WHITE)
        placed = laid(draw, camera)
        for array in (placed.lines.start, placed.lines.end, placed.lines.phase, placed.marks.centre):
            assert np.isfinite(array).all()
        assert np.isfinite(placed.triangles.corners).all()
        border = 32.0 + 1e-6
        for ends in (placed.lines.start, placed.lines.end):
            assert (ends >= -border).all()
            assert (ends <= np.array((WIDTH, HEIGHT)) + border).all()


def test_degenerate_lines_and_an_empty_list_lay_out():
    draw = DrawList()
    assert laid(draw).lines.ground_lines == 0
    add_ball(draw, (0.0, 0.0, 0.0), 1.0)
    draw.lines(np.ones((3, 3)), np.ones((3, 3)), WHITE, arrow_end=9.0, arrow_start=9.0)
    draw.lines(np.zeros((0, 3)), np.zeros((0, 3)), WHITE)
    draw.points(np.zeros((0, 3)), WHITE)
    assert np.isfinite(laid(draw).lines.start).all()


def test_clipping_a_line_that_passes_the_eye_keeps_what_is_in_front():
    draw = DrawList()
    eye = FRONT.eye()
    draw.lines(eye + np.array((0.0, -1.0, 20.0)), eye + np.array((0.0, -1.0, -20.0)), WHITE, subject=LINE)
    placed = laid(draw)
    (row,) = lines_of(placed)
    assert placed.lines.start[row, 0] == pytest.approx(WIDTH / 2)
    assert placed.lines.start[row, 1] == pytest.approx(HEIGHT + 32.0)
    assert HEIGHT / 2 < placed.lines.end[row, 1] < HEIGHT / 2 + 100.0


@pytest.mark.parametrize("orthographic", [False, True])
def test_lifts_stand_perpendicular_and_downwards_or_to_the_right(orthographic):
    rng = np.random.default_rng(19)
    for _ in range(50):
        camera = replace(random_camera(rng, orthographic=orthographic), distance=12.0)
        axis = rng.normal(size=3)
        axis /= np.sqrt(axis @ axis)
        origin = rng.uniform(-1.0, 1.0, 3)
        foot, tip = lifted_pixels(camera, origin, axis)
        along = Projection(camera, WIDTH, HEIGHT).project(np.array((origin - 1e-4 * axis, origin + 1e-4 * axis)))[:, :2]
        way, side = along[1] - along[0], tip - foot
        assert side @ (np.sin(np.radians(12.0)), np.cos(np.radians(12.0))) > 0.0
        if orthographic:
            assert abs(side @ way) < 1e-6 * np.sqrt((side @ side) * (way @ way))
            assert np.sqrt(side @ side) == pytest.approx(Projection(camera, WIDTH, HEIGHT).pixels_per_unit(origin))


def lifted_pixels(camera, origin, axis, lift=1.0):
    draw = DrawList()
    group = draw.turned(origin, axis)
    draw.lines(origin, origin, WHITE, lift=(0.0, lift), group=group, subject=LINE, hidden=Hidden.SHOW)
    placed = laid(draw, camera, width=WIDTH, height=HEIGHT)
    (row,) = lines_of(placed)
    return placed.lines.start[row], placed.lines.end[row]


def test_lifts_of_upright_and_of_endways_axes():
    foot, tip = lifted_pixels(FRONT, np.zeros(3), np.array((0.0, 1.0, 0.0)))
    assert tip[0] > foot[0] + 10.0
    foot, tip = lifted_pixels(FRONT, np.zeros(3), np.array((0.0, 0.0, 1.0)))
    assert tip[1] > foot[1] + 10.0
    foot, tip = lifted_pixels(FRONT, np.zeros(3), np.array((1.0, 0.0, 0.0)))
    assert tip == pytest.approx((foot[0], tip[1]))


def arrow(length, head=12.0, **options):
    """An arrow of `length` pixels to the right from the pane's middle."""
    draw = DrawList()
    units = length / Projection(FRONT, WIDTH, HEIGHT).pixels_per_unit(np.zeros(3))
    draw.lines(np.zeros(3), np.array((units, 0.0, 0.0)), WHITE, arrow_end=head, subject=LINE, **options)
    return laid(draw)


def test_an_arrow_ends_at_its_tip():
    placed = arrow(100.0)
    assert placed.marks.shape.tolist() == [Marker.TRIANGLE]
    assert placed.marks.angle[0] == pytest.approx(0.0)
    radius = placed.marks.radius[0]
    assert 1.5 * radius == pytest.approx(12.0)
    assert placed.marks.centre[0] + (radius, 0.0) == pytest.approx((WIDTH / 2 + 100.0, HEIGHT / 2))
    # The shaft ends under the head.
    assert WIDTH / 2 + 88.0 < placed.lines.end[0, 0] < WIDTH / 2 + 94.0
    assert placed.marks.subjects == (LINE,)


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_the_line_of_a_rail_ends_in_the_pane_and_other_arrows_do_not(side):
    unit = Projection(FRONT, WIDTH, HEIGHT).pixels_per_unit(np.zeros(3))
    tip = np.array((side * (WIDTH / 2 + 25.0) / unit, 0.0, 0.0))
    for group in (True, False):
        draw = DrawList()
        number = draw.turned(np.zeros(3), np.array((1.0, 0.0, 0.0))) if group else -1
        draw.lines(np.zeros(3), tip, WHITE, arrow_end=10.0, group=number, subject=LINE)
        placed = laid(draw)
        ends = np.concatenate((placed.marks.centre[:, 0], placed.lines.start[:, 0], placed.lines.end[:, 0]))
        inside = bool((ends >= 0.0).all() and (ends <= WIDTH).all())
        assert inside == group


@pytest.mark.parametrize("covered", [False, True])
def test_a_rail_does_not_turn_to_where_a_bar_covers_the_pane(covered):
    pixels = Projection(FRONT, WIDTH, HEIGHT).pixels_per_unit(np.zeros(3))
    # Below the axis there is a little less room than it asks for, above it only what a bar takes.
    down, lift = -10.0 / pixels, (0.5 * HEIGHT - 8.0) / pixels
    draw = DrawList()
    outermost = ((0.0, lift),)
    number = draw.turned(np.array((0.0, down, 0.0)), np.array((1.0, 0.0, 0.0)), outermost=outermost)
    draw.lines(np.zeros(3), np.array((0.3, 0.0, 0.0)), WHITE, group=number, lift=lift, subject=LINE)
    bars = [(0.0, 0.0, float(WIDTH), 60.0)] if covered else []
    above = bool((laid(draw, taken=bars).lines.end[:, 1] < HEIGHT / 2).all())
    assert above is not covered


def test_a_rail_that_lies_far_out_is_not_crumpled():
    unit = Projection(FRONT, WIDTH, HEIGHT).pixels_per_unit(np.zeros(3))
    draw = DrawList()
    number = draw.turned(np.zeros(3), np.array((1.0, 0.0, 0.0)))
    start = np.array(((WIDTH / 2 - 20.0) / unit, 0.0, 0.0))
    draw.lines(start, start + 2.0, WHITE, arrow_end=10.0, group=number, subject=LINE)
    lines = laid(draw).lines
    assert max(lines.end[:, 0].max(), lines.start[:, 0].max()) > WIDTH


def test_a_short_arrow_has_a_smaller_head():
    placed = arrow(6.0)
    assert 0.0 < 1.5 * placed.marks.radius[0] < 6.0
    assert placed.lines.end[0, 0] > placed.lines.start[0, 0]
    double = arrow(6.0, arrow_start=12.0)
    assert 1.5 * double.marks.radius.sum() < 6.0


def test_an_arrow_in_perspective_is_shortened_in_pixels():
    draw = DrawList()
    start, end = np.array((-1.0, 0.0, 4.0)), np.array((2.0, 0.0, -8.0))
    draw.lines(start, end, WHITE, arrow_start=10.0, arrow_end=20.0, subject=LINE)
    placed = laid(draw, density=2.0)
    pixels = Projection(FRONT, WIDTH, HEIGHT).project(np.array((start, end)))[:, 0]
    assert placed.lines.start[0, 0] - pixels[0] == pytest.approx(0.8 * 20.0)
    assert pixels[1] - placed.lines.end[0, 0] == pytest.approx(0.8 * 40.0)


def test_solids_come_back_faces_first_and_farther_first():
    draw = DrawList()
    for index, z in enumerate((2.0, -2.0)):
        add_box(
            draw, Box((1.0, 1.0, 1.0)).polyhedron.placed(np.eye(3), np.array((0.0, 0.0, z))), Subject("body", index)
        )
    draw.sheet(np.array(((-1.0, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0))), WHITE, Subject("sheet"))
    triangles = laid(draw).triangles
    front = [subject for subject, seen in zip(triangles.subjects, triangles.front, strict=True) if seen]
    assert list(dict.fromkeys(front)) == [Subject("body", 1), Subject("sheet"), Subject("body", 0)]
    assert (np.diff(triangles.front) >= 0).all()
    assert triangles.sheet.sum() == 2
    # Whatever is marked as front looks at the viewer.
    solid_front = (triangles.front == 1) & (triangles.sheet == 0)
    assert (triangles.normals[solid_front, 0, 2] > 0.0).all()
    assert len(triangles.rgba) == 2 * 12 + 2


def test_front_faces_agree_with_the_planes():
    rng = np.random.default_rng(20)
    for _ in range(10):
        box, camera = random_box(rng, rng.uniform(-1, 1, 3)), random_camera(rng)
        draw = DrawList()
        add_box(draw, box)
        triangles = laid(draw, camera).triangles
        seen = (box.normals @ camera.eye() - box.offsets > 0.0).sum()
        assert triangles.front.sum() == 2 * seen


def test_sizes_follow_the_pixel_density():
    rng = np.random.default_rng(24)
    draw = DrawList()
    draw.lines(np.zeros(3), np.ones(3), WHITE, 1.5, arrow_end=8.0)
    draw.points(rng.uniform(-1, 1, (3, 3)), WHITE, 3.0, stroke_width=1.0)
    one, two = laid(draw), laid(draw, density=2.0)
    assert (two.lines.width == 2.0 * one.lines.width).all()
    assert (two.marks.radius == 2.0 * one.marks.radius).all()
    assert (two.marks.stroke_width == 2.0 * one.marks.stroke_width).all()


@pytest.mark.parametrize("orthographic", [False, True])
def test_a_balls_triangles_end_at_its_outline_and_close_round_it(orthographic):
    rng = np.random.default_rng(25)
    for _ in range(5):
        camera = random_camera(rng, orthographic=orthographic)
        draw = DrawList()
        add_ball(draw, (0.2, -0.1, 0.3), 0.9)
        placed = laid(draw, camera, width=4000, height=3000)
        outline, triangles = placed.lines.start, placed.triangles
        for angle in np.linspace(0.0, 2.0 * np.pi, 30):
            direction = np.array((np.cos(angle), np.sin(angle)))
            filled = (triangles.corners[..., :2] @ direction).max()
            assert filled == pytest.approx((outline @ direction).max(), abs=1e-6)
        first, second = (triangles.corners[:, k, :2] - triangles.corners[:, 0, :2] for k in (1, 2))
        area = 0.5 * (first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0])
        # The front covers the outline's area once, and so does the back, turned round.
        assert area[triangles.front == 1].sum() == pytest.approx(-area[triangles.front == 0].sum())
        assert (triangles.normals[triangles.front == 1].mean(axis=1)[:, 2] > -0.4).all()


def test_a_ball_of_several_colours_keeps_its_own_triangles():
    draw = DrawList()
    add_ball(draw, (0.0, 0.0, 0.0), 1.0)
    solid = draw.solids[0]
    solid.rgba = np.random.default_rng(26).uniform(size=(len(solid.corners), 4))
    assert len(laid(draw).triangles.rgba) == len(solid.corners)


@pytest.mark.parametrize("kind", ["scattered", "round", "far away", "tiny", "one point", "on a line", "triangle"])
def test_the_corners_of_an_outline_are_the_farthest_points(kind: str) -> None:
    rng = np.random.default_rng(7)
    points = {
        "scattered": rng.normal(size=(500, 2)),
        "round": np.column_stack((np.cos(np.arange(400.0)), 0.3 * np.sin(np.arange(400.0)))),
        "far away": 1e6 + rng.normal(size=(300, 2)),
        "tiny": 1e-9 * rng.normal(size=(300, 2)) + 0.3,
        "one point": np.full((20, 2), 0.7),
        "on a line": np.linspace(0.0, 1.0, 50)[:, None] * (0.6, -0.8),
        "triangle": np.array(((0.0, 0.0), (1.0, 0.1), (0.2, 0.9))),
    }[kind]
    found = np.einsum("ij,ij->i", points[solids._farthest(points)], solids._ROUND)
    heights = points @ solids._ROUND.T
    assert np.abs(found - heights.max(axis=0)).max() <= 4e-16 * np.abs(points).max()


@pytest.mark.parametrize("orthographic", [False, True])
def test_a_balls_ring_is_its_outline_as_it_is_seen(orthographic):
    rng, looked_at = np.random.default_rng(5), 0
    for _ in range(20):
        camera, centre = random_camera(rng, orthographic=orthographic), 0.5 * rng.normal(size=3)
        radius, axis = rng.uniform(0.2, 1.5), unit_rows(rng.normal(size=3))
        draw = DrawList()
        group, angles = draw.turned(centre, axis, ball=radius), np.linspace(-np.pi, np.pi, 721)
        along, lifts = centre + radius * np.cos(angles)[:, None] * axis, radius * np.sin(angles)
        ends = (lifts[:-1], lifts[1:])
        draw.lines(along[:-1], along[1:], WHITE, lift=ends, group=group, subject=LINE, hidden=Hidden.SHOW)
        placed = laid(draw, camera, width=WIDTH, height=HEIGHT)
        ring = placed.lines.start[lines_of(placed)]
        # Of very many points of the ball the farthest in each direction on the screen is the ring's farthest.
        ball = centre + radius * unit_rows(rng.normal(size=(200_000, 3)))
        seen = Projection(camera, WIDTH, HEIGHT).project(ball)[:, :2]
        inside = np.abs(ring - (WIDTH / 2, HEIGHT / 2)).max() < HEIGHT / 2
        looked_at += inside
        for turn in np.linspace(0.0, 2.0 * np.pi, 12) if inside else ():
            way = np.array((np.cos(turn), np.sin(turn)))
            assert (ring @ way).max() == pytest.approx((seen @ way).max(), abs=0.3)
            assert (ring @ way).max() >= (seen @ way).max() - 0.01
    assert looked_at >= 10


def unit_rows(rows):
    return rows / np.sqrt((rows * rows).sum(axis=-1, keepdims=True))


@pytest.mark.parametrize(("apart", "number"), [(0.0, 3), (2.0, 3), (40.0, 3), (0.0, 7)])
def test_the_mark_of_a_vertex_shows_under_that_of_another_one(apart, number):
    draw, unit = DrawList(), Projection(FRONT, WIDTH, HEIGHT).pixels_per_unit(np.zeros(3))
    lower, upper = Subject("vertex_a", 7), Subject("vertex_a" if number == 7 else "vertex_b", number)
    for x, subject in ((0.0, lower), (apart / unit, upper)):
        draw.points(np.array((x, 0.0, 0.0)), WHITE, 5.0, stroke=ORANGE, stroke_width=2.0, subject=subject)
    marks = laid(draw).marks
    assert marks.subjects == (lower, upper)
    assert marks.radius[1] == 5.0
    # With its stroke the upper one covers 6 points; a mark drawn again for the same vertex does not count as another.
    shows = marks.radius[0] + apart - 6.0
    assert shows == pytest.approx(lines.PEEP) if number == 3 and apart < lines.PEEP else marks.radius[0] == 5.0


@pytest.mark.parametrize(("lower", "share"), [(Marker.DISC, 1.0), (Marker.DIAMOND, 0.8)])
def test_a_mark_shows_beside_the_sides_of_a_diamond_above_it(lower, share):
    draw = DrawList()
    for shape, rgba in ((lower, WHITE), (Marker.DIAMOND, ORANGE)):
        draw.spots(np.zeros(3), rgba, 5.0, ORANGE, 2.0, shape=shape)
    radii = laid(draw).marks.radius
    # The sides of a diamond of radius r are 0.8 r from its middle, and half of the stroke lies outside.
    assert share * radii[0] - (0.8 * 5.0 + 1.0) == pytest.approx(lines.PEEP)
    assert radii[1] == 5.0


@pytest.mark.parametrize("what", ["a tick without a rim", "under a hollow diamond", "above it", "far away"])
def test_other_marks_keep_their_size_at_a_diamond(what):
    draw, unit = DrawList(), Projection(FRONT, WIDTH, HEIGHT).pixels_per_unit(np.zeros(3))
    at = np.array((20.0 / unit if what == "far away" else 0.0, 0.0, 0.0))
    marks = [
        lambda: draw.points(at, WHITE, 2.0, stroke=ORANGE, stroke_width=0.0 if "tick" in what else 1.5),
        lambda: draw.spots(
            np.zeros(3), (*WHITE[:3], 0.0 if "hollow" in what else 1.0), 5.0, ORANGE, 2.0, shape=Marker.DIAMOND
        ),
    ]
    for mark in reversed(marks) if what == "above it" else marks:
        mark()
    assert sorted(laid(draw).marks.radius) == [2.0, 5.0]
