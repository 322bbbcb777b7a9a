"""Hidden lines: what is hidden is hidden exactly, against a ray from every point to the viewer."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.camera import Projection
from app.draw.draw_list import Dash, DrawList, Hidden
from app.draw.layout.solids import inside_planes
from app.draw.meshes.mesh import grown_mesh
from app.overlays.solids import draw_polyhedron
from core.shapes import Box
from tests.app.layout_samples import (
    BODY,
    FRONT,
    HEIGHT,
    LINE,
    ORANGE,
    WHITE,
    WIDTH,
    add_ball,
    add_box,
    hidden_by_ball,
    hidden_by_planes,
    laid,
    lines_of,
    random_box,
    random_camera,
)


def on_a_line(placed, pixel, subject=LINE):
    """Whether a pixel position lies on a visible piece, by distance."""
    for row in lines_of(placed, subject):
        start, way = placed.lines.start[row], placed.lines.end[row] - placed.lines.start[row]
        along = np.clip((pixel - start) @ way / max(way @ way, 1e-300), 0.0, 1.0)
        gap = pixel - start - along * way
        if gap @ gap < 1e-6:
            return True
    return False


def assert_hidden_as(oracle, draw, camera, start, end):
    """The visible pieces of a line against the oracle at points along it, but for those next to a change."""
    placed = laid(draw, camera)
    shares = np.linspace(0.0, 1.0, 81)
    points = start + shares[:, None] * (end - start)
    pixels = Projection(camera, WIDTH, HEIGHT).project(points)[:, :2]
    hidden = [oracle(point) for point in points]
    checked = 0
    for row in range(1, len(shares) - 1):
        if hidden[row - 1] == hidden[row] == hidden[row + 1] and inside_pane(pixels[row]):
            assert on_a_line(placed, pixels[row]) != hidden[row]
            checked += 1
    return sum(hidden) / len(hidden) if checked else None


def inside_pane(pixel):
    return 0.0 < pixel[0] < WIDTH and 0.0 < pixel[1] < HEIGHT


SETTINGS = [
    pytest.param(0.0, 1.0, False, id="perspective"),
    pytest.param(0.0, 1.0, True, id="orthographic"),
    pytest.param(1e6, 1.0, False, id="far from the origin"),
    pytest.param(0.0, 1e-6, False, id="tiny"),
    pytest.param(0.0, 1e6, True, id="huge"),
]


@pytest.mark.parametrize(("away", "scale", "orthographic"), SETTINGS)
@pytest.mark.parametrize("topology", [True, False])
@pytest.mark.sampled(3, "scenes")
def test_a_box_hides_exactly_what_lies_behind_it(away, scale, orthographic, topology):
    rng = np.random.default_rng(11)
    shares = []
    for _ in range(25):
        middle = away + scale * rng.uniform(-0.3, 0.3, 3)
        box = random_box(rng, middle, scale)
        camera = random_camera(rng, middle, scale, orthographic)
        draw = DrawList()
        draw.solids = drawn_box(box, topology)
        start, end = middle + scale * rng.uniform(-2.0, 2.0, (2, 3))
        draw.lines(start, end, WHITE, hidden=Hidden.DROP, subject=LINE)
        shares.append(
            assert_hidden_as(partial(hidden_by_planes, camera, box.normals, box.offsets), draw, camera, start, end)
        )
    assert_representative(shares)


def drawn_box(box, topology):
    draw = DrawList()
    add_box(draw, box)
    draw.solids[0].plane_pairs = box.edge_faces if topology else None
    return draw.solids


def assert_representative(shares):
    seen = [share for share in shares if share is not None]
    assert sum(0.05 < share < 0.95 for share in seen) >= 0.4 * len(shares)
    assert any(share == 0.0 for share in seen)


@pytest.mark.parametrize(("away", "scale", "orthographic"), SETTINGS)
def test_a_ball_hides_exactly_what_lies_behind_it(away, scale, orthographic):
    rng = np.random.default_rng(12)
    shares = []
    for _ in range(40):
        centre, radius = away + scale * rng.uniform(-0.3, 0.3, 3), scale * rng.uniform(0.4, 1.2)
        camera = random_camera(rng, centre, scale, orthographic)
        draw = DrawList()
        add_ball(draw, centre, radius)
        start, end = centre + scale * rng.uniform(-2.0, 2.0, (2, 3))
        draw.lines(start, end, WHITE, hidden=Hidden.DROP, subject=LINE)
        shares.append(assert_hidden_as(partial(hidden_by_ball, camera, centre, radius), draw, camera, start, end))
    assert_representative(shares)


@pytest.mark.parametrize(("away", "scale", "orthographic"), SETTINGS)
def test_a_line_on_a_ball_is_hidden_where_the_ball_turns_away(away, scale, orthographic):
    rng = np.random.default_rng(14)
    shares = []
    for _ in range(40):
        centre, radius = away + scale * rng.uniform(-0.3, 0.3, 3), scale * rng.uniform(0.4, 1.2)
        camera = random_camera(rng, centre, scale, orthographic)
        draw = DrawList()
        ball = add_ball(draw, centre, radius)
        # A piece of an arc near the outline, often across it, a little inside the ball.
        towards = camera.basis()[2]
        side = np.cross(towards, rng.normal(size=3))
        side /= np.sqrt(side @ side)
        along = np.cross(towards, side)
        ends = (side + rng.uniform(-0.6, 0.6) * towards + 0.2 * sign * along for sign in (1.0, -1.0))
        start, end = (centre + 0.99 * radius * way / np.sqrt(way @ way) for way in ends)
        draw.lines(start, end, WHITE, hidden=Hidden.DROP, subject=LINE, solid_number=ball)

        def turned_away(p, camera=camera, centre=centre, radius=radius):
            if camera.orthographic:
                return (p - centre) @ camera.basis()[2] < 0.0
            return (p - centre) @ (camera.eye() - centre) < radius**2

        shares.append(assert_hidden_as(turned_away, draw, camera, start, end))
    assert_representative(shares)


def test_several_solids_hide_the_union_of_what_each_hides():
    rng = np.random.default_rng(13)
    shares = []
    for _ in range(30):
        camera = random_camera(rng)
        boxes = [random_box(rng, rng.uniform(-1.0, 1.0, 3), 0.6) for _ in range(3)]
        centre, radius = rng.uniform(-1.0, 1.0, 3), 0.5
        draw = DrawList()
        for box in boxes:
            add_box(draw, box)
        add_ball(draw, centre, radius)
        start, end = rng.uniform(-2.0, 2.0, (2, 3))
        draw.lines(start, end, WHITE, hidden=Hidden.DROP, subject=LINE)

        def oracle(p, camera=camera, boxes=boxes, centre=centre, radius=radius):
            by_box = any(hidden_by_planes(camera, box.normals, box.offsets, p) for box in boxes)
            return by_box or hidden_by_ball(camera, centre, radius, p)

        shares.append(assert_hidden_as(oracle, draw, camera, start, end))
    assert_representative(shares)


@pytest.mark.parametrize("orthographic", [False, True])
def test_a_line_towards_the_viewer_through_a_ball(orthographic):
    # Straight down the tangent cone's axis: the quadric opens the other way there.
    camera = replace(FRONT, orthographic=orthographic)
    draw = DrawList()
    add_ball(draw, (0.0, 0.0, 0.0), 1.0)
    start, end = np.array((0.05, 0.02, -6.0)), np.array((0.5, 0.3, 6.0))
    draw.lines(start, end, WHITE, hidden=Hidden.DROP, subject=LINE)
    share = assert_hidden_as(partial(hidden_by_ball, camera, np.zeros(3), 1.0), draw, camera, start, end)
    assert 0.3 < share < 0.7


def test_a_grown_solid_hides_and_outlines_like_its_ball_of_support():
    # The difference of a box and a sphere; its mesh stands in for the exact surface.
    rng = np.random.default_rng(14)
    for _ in range(6):
        core = random_box(rng, rng.uniform(-0.3, 0.3, 3))
        mesh = grown_mesh(core, 0.4)
        camera = replace(random_camera(rng), distance=12.0)
        draw = DrawList()
        draw.solid(mesh.corners, mesh.normals, ORANGE, subject=BODY, smooth=True, outline=WHITE)
        placed = laid(draw, camera)
        rows = lines_of(placed, BODY)
        assert len(rows) > 20
        # Outline points on the screen are the extreme points of the projected surface: support in each direction.
        dense = Projection(camera, WIDTH, HEIGHT).project(mesh.corners.reshape(-1, 3))[:, :2]
        outline = np.concatenate((placed.lines.start[rows], placed.lines.end[rows]))
        for angle in np.linspace(0.0, 2.0 * np.pi, 40):
            direction = np.array((np.cos(angle), np.sin(angle)))
            assert (outline @ direction).max() == pytest.approx((dense @ direction).max(), abs=1.0)


def test_a_balls_outline_is_its_tangent_circle():
    rng = np.random.default_rng(15)
    for orthographic in (False, True):
        camera = random_camera(rng, orthographic=orthographic)
        centre, radius = np.array((0.3, -0.2, 0.5)), 0.9
        draw = DrawList()
        add_ball(draw, centre, radius)
        placed = laid(draw, camera)
        projection = Projection(camera, WIDTH, HEIGHT)
        for pixel in placed.lines.start[lines_of(placed, BODY)]:
            origin, direction = projection.ray(*pixel)
            offset = centre - origin
            across = offset - (offset @ direction) * direction
            assert np.sqrt(across @ across) == pytest.approx(radius, rel=1e-9)


@pytest.mark.parametrize("orthographic", [False, True])
def test_own_edges_are_hidden_when_both_faces_turn_away(orthographic):
    rng = np.random.default_rng(16)
    for _ in range(20):
        box, camera = random_box(rng, np.zeros(3)), random_camera(rng, orthographic=orthographic)
        draw = DrawList()
        add_box(draw, box)
        placed = laid(draw, camera)
        # Seen from a general direction a box shows nine of its twelve edges; from near by, or face on, fewer.
        middles = box.vertices[box.edges].mean(axis=1)
        facing = np.array(
            [
                [box.normals[f] @ (camera.basis()[2] if orthographic else camera.eye() - m) > 0.0 for f in faces]
                for m, faces in zip(middles, box.edge_faces, strict=True)
            ]
        )
        assert len(placed.lines.width) == 12
        assert (placed.lines.start_rgba[:, 3] == 1.0).sum() == facing.any(axis=1).sum()


def test_lines_on_the_surface_are_whole():
    rng = np.random.default_rng(17)
    for away in (0.0, 1e6):
        box = random_box(rng, away + np.zeros(3))
        camera = random_camera(rng, away + np.zeros(3))
        seen = 0
        for face, loop in enumerate(box.faces):
            draw = DrawList()
            add_box(draw, box)
            draw.polyline(box.vertices[list(loop)], WHITE, closed=True, hidden=Hidden.DROP, subject=LINE)
            middle = box.vertices[list(loop)].mean(axis=0)
            faces_viewer = box.normals[face] @ (camera.eye() - middle) > 0.0
            if faces_viewer:
                assert len(lines_of(laid(draw, camera))) == 4
                seen += 1
        assert 1 <= seen <= 3


def covered_line(hidden, **options):
    """A line behind a unit box, seen from the front; its middle third or so is hidden."""
    draw = DrawList()
    add_box(draw, Box((2.0, 2.0, 2.0)).polyhedron)
    draw.lines(
        np.array((-3.0, 0.0, -4.0)), np.array((3.0, 0.0, -4.0)), WHITE, 2.0, hidden=hidden, subject=LINE, **options
    )
    return laid(draw)


def test_hidden_parts_are_treated_as_asked():
    assert len(lines_of(covered_line(Hidden.SHOW))) == 1
    assert len(lines_of(covered_line(Hidden.DROP))) == 2
    faint = covered_line(Hidden.FAINT)
    rows = lines_of(faint)
    assert len(rows) == 3
    assert faint.lines.start_rgba[rows[0], 3] < 0.5  # hidden part first, under the others
    assert (faint.lines.start_rgba[rows[1:], 3] == 1.0).all()
    assert (faint.lines.dash[rows] == Dash.SOLID).all()
    dashed = covered_line(Hidden.DASHED)
    rows = lines_of(dashed)
    assert dashed.lines.dash[rows].tolist() == [Dash.DASHED, Dash.SOLID, Dash.SOLID]


def test_glass_hides_nothing_but_its_own_edges_and_lies_behind_other_faces():
    glass, body = DrawList(), DrawList()
    for draw, is_glass in ((glass, True), (body, False)):
        draw_polyhedron(draw, Box((2.0, 2.0, 2.0)).polyhedron, ORANGE, WHITE, BODY, glass=is_glass)
        draw.lines(np.array((-3.0, 0.0, -2.0)), np.array((3.0, 0.0, -2.0)), WHITE, hidden=Hidden.DROP, subject=LINE)
    assert len(lines_of(laid(glass))) == 1
    assert len(lines_of(laid(body))) == 2
    assert laid(glass).triangles.front.sum() == 0 < laid(body).triangles.front.sum()
    assert np.array_equal(laid(glass).lines.start_rgba[:-1], laid(body).lines.start_rgba[:-2])


def test_dashes_run_on_over_cuts():
    placed = covered_line(Hidden.FAINT, dash=Dash.DOTTED)
    rows = lines_of(placed)
    start = placed.lines.start[rows]
    assert np.allclose(placed.lines.phase[rows], start[:, 0] - start[:, 0].min())


def test_hidden_marks_are_fainter_or_dropped():
    points = np.array(((0.0, 0.0, -2.0), (0.0, 0.0, 2.0)))
    for hidden, alphas in ((Hidden.SHOW, [1.0, 1.0]), (Hidden.FAINT, [0.4, 1.0]), (Hidden.DROP, [1.0])):
        draw = DrawList()
        add_box(draw, Box((2.0, 2.0, 2.0)).polyhedron)
        draw.points(points, WHITE, hidden=hidden)
        assert laid(draw).marks.fill[:, 3].tolist() == pytest.approx(alphas)


@pytest.mark.parametrize("count", [50, 300])
def test_of_many_planes_a_few_sort_out_most_lines_and_change_nothing(count):
    rng = np.random.default_rng(count)
    normals = rng.normal(size=(count, 3))
    planes = np.column_stack((normals / np.linalg.norm(normals, axis=1)[:, None], -rng.uniform(0.9, 1.1, count)))
    a, b = rng.uniform(-3.0, 3.0, (2, 500, 3))
    b[::3] = a[::3] + 0.05 * b[::3]
    t0, t1 = inside_planes(a, b, planes)
    at_a, at_b = (points @ planes[:, :3].T + planes[:, 3] for points in (a, b))
    t = at_a / (at_a - at_b)
    expected0 = np.where(at_a > at_b, t, 0.0).max(axis=1, initial=0.0)
    expected1 = np.where(at_a < at_b, t, 1.0).min(axis=1, initial=1.0)
    inside = expected0 < expected1
    assert 0.05 < inside.mean() < 0.95
    assert ((t0 < t1) == inside).all()
    assert t0[inside] == pytest.approx(expected0[inside])
    assert t1[inside] == pytest.approx(expected1[inside])
