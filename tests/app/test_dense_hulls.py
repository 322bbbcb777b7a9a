"""Bodies with very many faces: only outline and creases are drawn, few normals, and one pass where nothing overlaps."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace
from scipy.spatial import ConvexHull

from app.draw.camera import Projection
from app.draw.draw_list import DrawList
from app.draw.layout import layout
from app.draw.meshes.mesh import face_sides, polyhedron_mesh
from app.draw.placed import EVERYWHERE, Rect
from app.draw.theme import theme_named
from app.overlays.context import Context
from app.overlays.solids import draw_polyhedron, main_edges
from app.render import Renderer, make_context
from app.render.frame import INSET_CAMERA, with_inset
from app.render.passes import NO_SEAM, seam_distances
from app.render.pictures import build
from app.state.view import View
from core.analysis.analysis import analyse
from core.scene import Body, Scene
from core.shapes import Box, Hull
from tests.app.layout_samples import BODY, HALO, HEIGHT, ORANGE, WHITE, WIDTH, laid, lines_of, measure, random_camera

CASES = range(8)


def ball_of(points: int, seed: int) -> Hull:
    rows = np.random.default_rng(seed).normal(size=(points, 3))
    return Hull.of(rows / np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None])


def prism(sides: int) -> Hull:
    turn = np.linspace(0.0, 2.0 * np.pi, sides, endpoint=False)
    rim = np.column_stack((np.cos(turn), np.zeros(sides), np.sin(turn)))
    half = np.array((0.0, 0.7, 0.0))
    return Hull.of(np.concatenate((rim - half, rim + half)))


@pytest.mark.parametrize("seed", CASES)
@pytest.mark.parametrize("orthographic", [False, True])
def test_the_outline_is_the_convex_hull_of_the_corners_on_the_screen(seed: int, orthographic: bool) -> None:
    solid = ball_of(400, seed).polyhedron
    creases = main_edges(solid)
    assert creases is not None
    assert not creases.any()
    draw = DrawList()
    draw_polyhedron(draw, solid, ORANGE, WHITE, BODY)
    camera = random_camera(np.random.default_rng(seed), orthographic=orthographic)
    lines = laid(draw, camera).lines
    rows = lines_of(laid(draw, camera), BODY)
    corners = Projection(camera, WIDTH, HEIGHT).project(solid.vertices)[:, :2]
    outline = ConvexHull(corners)
    assert len(rows) == len(outline.vertices)
    length = np.sqrt(((lines.end - lines.start)[rows] ** 2).sum(axis=1)).sum()
    assert length == pytest.approx(outline.area, rel=1e-9)  # of two dimensions: the way round
    for row in rows:
        middle = 0.5 * (lines.start[row] + lines.end[row])
        assert np.abs(outline.equations @ (*middle, 1.0)).min() < 1e-6


@pytest.mark.parametrize("seed", CASES)
def test_creases_are_drawn_wherever_they_are(seed: int) -> None:
    solid = prism(240).polyhedron
    creases = main_edges(solid)
    assert creases is not None
    assert int(creases.sum()) == 480
    draw = DrawList()
    draw_polyhedron(draw, solid, ORANGE, WHITE, BODY)
    placed = laid(draw, random_camera(np.random.default_rng(seed)))
    # Both rims all round, part of them hidden and faint, and the two sides of the outline.
    rows = lines_of(placed, BODY)
    assert 480 <= len(rows) <= 482
    faint = placed.lines.start_rgba[rows, 3] < 0.5
    assert 0 < int(faint.sum()) < 400


def test_few_edges_are_all_drawn() -> None:
    assert main_edges(Box((1.0, 2.0, 3.0)).polyhedron) is None
    assert main_edges(ball_of(100, 1).polyhedron) is None


def test_dense_hulls_show_a_few_normals_spread_over_them() -> None:
    scene = Scene(Body(ball_of(300, 1)), Body(Box((1.0, 1.0, 1.0)), (3.0, 0.0, 0.0)))
    view = replace(View(), shown=frozenset({"normals"}))
    arrows = build(Context(scene, analyse(scene), view, theme_named("dark"))).world.segments
    ways = [batch.end - batch.start for batch in arrows]
    assert [len(way) for way in ways][1] == 6
    assert 40 <= len(ways[0]) <= 60
    units = ways[0] / np.sqrt((ways[0] ** 2).sum(axis=1))[:, None]
    # No direction is farther than 40 degrees from one of them.
    probes = np.random.default_rng(2).normal(size=(500, 3))
    probes /= np.sqrt((probes**2).sum(axis=1))[:, None]
    assert (probes @ units.T).max(axis=1).min() > np.cos(np.radians(40.0))


@pytest.fixture(scope="module")
def renderer():
    context = make_context(standalone=True)
    with context:
        renderer = Renderer(context)
        yield renderer
        renderer.release()
    context.release()


@pytest.mark.parametrize("place", [(0.6, 0.3, 0.2), (1.6, 0.4, -0.9), (4.0, 0.0, 0.0)])
@pytest.mark.parametrize("shown", [("bodies",), ("bodies", "plane"), ("bodies", "labels", "grid", "axes")])
def test_one_pass_paints_what_the_passes_for_crowded_places_paint(renderer, place, shown) -> None:
    scene = Scene(Body(Box((2.0, 1.0, 1.4))), Body(ball_of(60, 3), place))
    view = replace(View(), shown=frozenset(shown))
    draw = build(Context(scene, analyse(scene), view, theme_named("light"))).world
    placed = layout(draw, view.world, 400, 300, 1.0, measure, HALO)
    assert_painted_alike(renderer, placed)


@pytest.mark.parametrize("left", [0, 110, 260])
@pytest.mark.parametrize("gauss", [False, True])
def test_an_inset_is_painted_alike_before_bodies_and_beside_them(renderer, left, gauss) -> None:
    scene = Scene(Body(Box((2.0, 1.0, 1.4))), Body(Box((1.0, 1.2, 0.8)), (0.6, 0.3, 0.2)))
    view = replace(View(), shown=frozenset({"bodies", "gauss" if gauss else "globe"}))
    pictures = build(Context(scene, analyse(scene), view, theme_named("light")))
    placed = layout(pictures.world, view.world, 400, 300, 1.0, measure, HALO)
    inset = layout(pictures.globe, INSET_CAMERA, 140, 140, 1.0, measure, HALO)
    assert len(inset.triangles.rgba)
    both = with_inset(placed, inset, left, 10)
    # The globe's marks and lines are painted over its ball: each rounds once more.
    assert_painted_alike(renderer, both, 3)
    # Nothing is crowded by a globe beside the bodies.
    assert (both.triangles.crowded == placed.triangles.crowded) == (left != 110)


def assert_painted_alike(renderer, placed, within=2) -> None:
    """Whether a picture says itself where faces cover one another, or has it that they may everywhere."""
    background = (theme_named("light").background_top, theme_named("light").background_bottom)
    pictures = []
    for crowded in (placed.triangles.crowded, EVERYWHERE):
        triangles = replace(placed.triangles, crowded=crowded)
        renderer.draw([(Rect(0, 0, 400, 300), replace(placed, triangles=triangles))], background, (400, 300))
        pictures.append(np.frombuffer(renderer.target.framebuffer.read(components=4), np.uint8).astype(int))
    assert placed.triangles.crowded != EVERYWHERE
    # A face painted twice is rounded to bytes twice, and then what is painted over it.
    assert np.abs(pictures[0] - pictures[1]).max() <= within


@pytest.mark.parametrize("solid", [ball_of(300, 2).polyhedron, prism(240).polyhedron, Box((1.0, 2.0, 3.0)).polyhedron])
def test_every_edge_is_a_seam_of_two_triangles_and_no_diagonal_is(solid) -> None:
    sides, mesh = face_sides(solid.faces), polyhedron_mesh(solid)
    assert sides.shape == (len(mesh.corners), 3)
    assert int(sides.sum()) == 2 * len(solid.edges)
    ends = np.stack((mesh.corners, np.roll(mesh.corners, -1, axis=1)), axis=2)[sides]
    middles = np.unique(np.round(ends.mean(axis=1), 9), axis=0)
    expected = np.unique(np.round(solid.vertices[solid.edges].mean(axis=1), 9), axis=0)
    assert np.allclose(middles, expected)


@pytest.mark.parametrize("density", [1.0, 2.5])
def test_layout_says_how_far_corners_are_from_seams(density: float) -> None:
    draw = DrawList()
    draw_polyhedron(draw, ball_of(300, 4).polyhedron, ORANGE, WHITE, BODY)
    triangles = laid(draw, density=density).triangles
    assert triangles.seams is not None
    for row in range(0, len(triangles.seams), 17):
        corners = triangles.corners[row, :, :2]
        for k in range(3):
            start, way = corners[(k + 1) % 3], corners[(k + 2) % 3] - corners[(k + 1) % 3]
            normal = np.array((way[1], -way[0])) / np.hypot(*way)
            # All faces of this hull are triangles, so that every side is an edge.
            assert triangles.seams[row, k] * density == pytest.approx(abs(normal @ (corners[k] - start)), abs=1e-9)


def test_seams_are_packed_as_distances_of_each_corner_from_each_side() -> None:
    heights = np.array(((3.0, 4.0, np.inf), (1.0, 2.0, 5.0)))
    packed = seam_distances(heights, np.array((True, False)))
    assert packed[0, :, :2].tolist() == [[3.0, 0.0], [0.0, 4.0], [0.0, 0.0]]
    assert packed[0, :, 2].tolist() == [NO_SEAM] * 3
    assert (packed[1] == NO_SEAM).all()
