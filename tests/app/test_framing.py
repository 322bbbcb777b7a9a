"""Framing shows all of every shape, from every side, with its rails."""

from __future__ import annotations

from math import radians

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.draw_list import DrawList, Subject
from app.draw.layout import layout
from app.draw.placed import Rect
from app.draw.theme import DARK
from app.io.presets import load_preset
from app.overlays.context import Context
from app.render.frame import GLOBE_ABOVE, taken_corner
from app.render.framing import Covered, body_points, brought_back, framed, framed_body
from app.render.pictures import build
from app.stages import parts_of
from app.state.view import DEFAULT_OVERLAYS, Panes, Seen, View, arrange
from core.analysis.algorithm_settings import AlgorithmSettings
from core.analysis.analysis import analyse
from core.analysis.analysis import analyse as analyse_flat
from core.geometry import quaternion
from core.query.query import Phase, query
from core.query.query import query as query_flat
from core.sat.sat import AxisStatus
from core.scene import Body, Scene
from core.shapes import Box, Cylinder
from tests.app.layout_samples import measure
from tests.app.shape_samples import SHAPES

SIZE = (900, 778)
SAMPLES = {**SHAPES, "cylinder": Cylinder(0.4, 1.2)}


def scene_with(name: str) -> Scene:
    turn = quaternion.from_euler_xyz(0.1, 0.0, 0.2)
    return Scene(Body(Box((2.0, 1.0, 1.4))), Body(SAMPLES[name], (0.4, -0.3, 0.1), turn))


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("yaw", [10, 100, 250])
def test_the_pair_and_its_rail_are_in_sight(name: str, yaw: float) -> None:
    scene, start = scene_with(name), View()
    analysis = analyse(scene)
    view = replace(start, world=replace(start.world, yaw=radians(yaw)), panes=Panes.BOTH)
    view = framed(Seen(scene, analysis, view, DARK), SIZE)
    pictures = build(Context(scene, analysis, view, DARK))
    for pane in arrange(view, Rect(0, 0, *SIZE), 0.5):
        draw = pictures.world if pane.kind == "world" else pictures.difference
        solids = [np.zeros((0, 3)), *(solid.corners.reshape(-1, 3) for solid in draw.solids)]
        pair = [body_points(scene, 0), body_points(scene, 1)] if pane.kind == "world" else []
        pixels = pane.projection.project(np.concatenate((*solids, *pair)))[:, :2]
        assert np.all(pixels >= 0.0)
        assert np.all(pixels <= (pane.rect.width, pane.rect.height))


@pytest.mark.parametrize("name", SAMPLES)
def test_the_points_of_a_body_are_as_wide_as_the_body(name: str) -> None:
    scene = scene_with(name)
    points = body_points(scene, 1)
    assert np.isfinite(points).all()
    if name != "halfspace":
        shape, pose = scene.b.shape, scene.b.pose
        local = np.eye(3) @ pose.matrix
        reach = shape.reach(local) + pose.position
        assert points.max(axis=0) == pytest.approx(reach, rel=0.01, abs=0.02)


def test_what_has_become_small_is_framed_anew_and_what_has_moved_a_little_is_not() -> None:
    scene = scene_with("cylinder")
    seen = framed(Seen(scene, analyse(scene), View(), DARK), SIZE)
    far = replace(seen, world=replace(seen.world, distance=8.0 * seen.world.distance))
    assert (
        brought_back(Seen(scene, analyse(scene), far, DARK), SIZE).world
        == framed(Seen(scene, analyse(scene), far, DARK), SIZE).world
    )
    # A little larger is not worth a jump.
    near = replace(seen, world=replace(seen.world, distance=1.3 * seen.world.distance))
    assert brought_back(Seen(scene, analyse(scene), near, DARK), SIZE) == near
    nudged = replace(scene, b=replace(scene.b, position=(0.5, -0.3, 0.1)))
    assert brought_back(Seen(nudged, analyse(nudged), seen, DARK), SIZE) == seen


def test_the_difference_with_a_half_space_comes_into_sight_when_a_body_becomes_one() -> None:
    scene, other = scene_with("cylinder"), scene_with("halfspace")
    before = framed(Seen(scene, analyse(scene), View(), DARK), SIZE)
    after = brought_back(Seen(other, analyse(other), before, DARK), SIZE)
    assert after.difference == framed(Seen(other, analyse(other), before, DARK), SIZE).difference
    assert after.difference != before.difference
    # And back again.
    assert brought_back(Seen(scene, analyse(scene), after, DARK), SIZE) == before


@pytest.mark.parametrize("name", SAMPLES)
def test_a_body_fills_the_pane_and_what_was_carried_off_is_brought_back(name: str) -> None:
    scene = scene_with(name)
    view = framed_body(scene, View(), 1, 1.0)
    assert 0.1 < view.world.distance < 60.0
    analysis = analyse(scene)
    kept = framed(Seen(scene, analysis, View(), DARK), SIZE)
    assert brought_back(Seen(scene, analysis, kept, DARK), SIZE) == kept
    far = replace(scene, b=replace(scene.b, position=(0.4, 40.0, 0.1)), a=replace(scene.a, position=(30.0, 40.0, 0.1)))
    moved = brought_back(Seen(far, analyse(far), kept, DARK), SIZE)
    assert moved.world != kept.world


def test_what_covers_a_pane_is_told_in_its_own_pixels():
    covered = Covered(top=40.0, bottom=30.0, card=(350.0, 100.0))
    area = Rect(10, 20, 800, 600)
    left, right = Rect(10, 20, 300, 600), Rect(310, 20, 500, 600)
    assert covered.over(left, area) == ((0, 0, 300, 40), (0, 570, 300, 30), (0, 470, 350, 100))
    # The card reaches 50 pixels into the pane beside its own.
    assert covered.over(right, area) == ((0, 0, 500, 40), (0, 570, 500, 30), (-300, 470, 350, 100))
    upper, lower = Rect(10, 20, 800, 300), Rect(10, 320, 800, 300)
    assert covered.over(upper, area) == ((0, 0, 800, 40),)
    assert covered.over(lower, area) == ((0, 270, 800, 30), (0, 170, 350, 100))
    assert Covered().over(left, area) == ()
    card = Covered(cards=((320.0, 50.0, 200.0, 80.0),))
    assert card.over(left, area) == ((320.0, 50.0, 200.0, 80.0),)
    assert card.over(right, area) == ((20.0, 50.0, 200.0, 80.0),)
    assert card.over(lower, area) == ((320.0, -250.0, 200.0, 80.0),)


@pytest.mark.parametrize("name", ["skew-edges", "containment", "crossed-edges", "mujoco-thin-grazing", "two-hulls"])
@pytest.mark.parametrize("size", [(900, 700), (1280, 700)])
@pytest.mark.sampled(3, "scenes")
def test_what_the_steps_show_beside_the_bodies_is_in_sight_from_the_first_to_the_last(name, size):
    scene = load_preset(name).scene
    found = query(analyse(scene))
    view = framed(Seen(scene, found.analysis, View(), DARK, found), size)
    (pane, *_) = arrange(view, Rect(0, 0, *size), 0.5)
    for place, moment in enumerate(found.moments):
        draw = build(Context(scene, found.analysis, view, DARK, found, place)).world
        placed = layout(draw, pane.camera, pane.rect.width, pane.rect.height, 1.0, measure, (0.0, 0.0, 0.0, 1.0))
        lines = placed.lines
        beside = slice(lines.ground, None) if moment.phase is not Phase.CONTACTS else slice(0, 0)
        ends = np.concatenate((lines.start[beside], lines.end[beside]))[:, :2]
        beyond = np.maximum(-ends, ends - (pane.rect.width, pane.rect.height)).max(initial=0.0)
        assert beyond <= 0.0, (place, moment.phase)


@pytest.mark.parametrize("overlay", ["globe", "gauss"])
@pytest.mark.parametrize("size", [(1280, 800), (640, 480), (700, 1000)])
@pytest.mark.parametrize("name", ["skew-edges", "stacked-cubes", "containment", "tunnelling", "capsule-box-edge"])
@pytest.mark.sampled(3, "scenes")
def test_nothing_stands_under_the_globe_in_the_corner(name, size, overlay):
    scene, view = load_preset(name).scene, View(shown=DEFAULT_OVERLAYS | {overlay}, motion=False)
    analysis, area = analyse(scene), Rect(0, 0, *size)
    bars = Covered(top=52.0, bottom=34.0)
    covered = replace(bars, corner=taken_corner(scene, view, area, 1.0, 0.5, bars))
    width, height = covered.corner
    assert width > 0.0
    seen = framed(Seen(scene, analysis, view, DARK), size, covered=covered)
    pane = arrange(seen, area, 0.5)[0]
    draw = build(Context(scene, analysis, seen, DARK)).world
    placed = layout(draw, pane.camera, pane.rect.width, pane.rect.height, 1.0, measure, (0.0, 0.0, 0.0, 1.0))
    lines = slice(placed.lines.ground, None)
    for share in np.linspace(0.0, 1.0, 9):
        x, y = (placed.lines.start[lines] + share * (placed.lines.end[lines] - placed.lines.start[lines])).T
        assert not ((x > pane.rect.width - width) & (y < height)).any()
    x, y = placed.triangles.corners[..., 0], placed.triangles.corners[..., 1]
    assert not ((x > pane.rect.width - width) & (y < height)).any()


def test_the_corner_moves_nothing_that_is_clear_of_it():
    scene = load_preset("skew-edges").scene
    analysis, size = analyse(scene), (1900, 1000)
    view, area = View(shown=DEFAULT_OVERLAYS | {"globe"}), Rect(0, 0, 1900, 1000)
    corner = taken_corner(scene, view, area, 1.0, 0.5, Covered())
    assert corner > (0.0, 0.0)
    clear = framed(Seen(scene, analysis, view, DARK), size, covered=Covered(corner=corner))
    assert clear == framed(Seen(scene, analysis, view, DARK), size)
    assert taken_corner(scene, View(), area, 1.0, 0.5, Covered()) == (0.0, 0.0)
    assert taken_corner(scene, view, Rect(0, 0, 200, 150), 1.0, 0.5, Covered()) == (0.0, 0.0)
    # The globe stands below a verdict of two lines.
    tall = taken_corner(scene, view, area, 1.0, 0.5, Covered(top=90.0))
    assert tall == (corner[0], corner[1] + 90.0 - GLOBE_ABOVE)
    low = Rect(0, 0, 640, 300)
    assert taken_corner(scene, view, low, 1.0, 0.5, Covered()) > (0.0, 0.0)
    assert taken_corner(scene, view, low, 1.0, 0.5, Covered(top=60.0, bottom=60.0)) == (0.0, 0.0)
    # The card of the notes is in another corner.
    assert taken_corner(scene, view, low, 1.0, 0.5, Covered(card=(300.0, 150.0))) > (0.0, 0.0)


@pytest.mark.parametrize("name", ["crossed-edges", "containment", "quarter-turns", "two-hulls"])
@pytest.mark.parametrize(("size", "density"), [((1280, 800), 1.0), ((640, 480), 1.0), ((1280, 800), 1.5)])
@pytest.mark.sampled(3, "scenes")
def test_whatever_axis_is_pointed_at_its_rail_is_in_the_pane(name, size, density):
    scene = load_preset(name).scene
    analysis, area = analyse(scene), Rect(0, 0, *size)
    view = framed(Seen(scene, analysis, View(), DARK), size, covered=Covered(top=52.0 * density, bottom=34.0 * density))
    pane = arrange(view, area, 0.5)[0]
    bounds = np.array((pane.rect.width, pane.rect.height))
    for row in range(min(len(analysis.sat.axes), 15)):
        pointed = replace(view, hover=Subject("axis", row))
        draw = build(Context(scene, analysis, pointed, DARK)).world
        placed = layout(draw, pane.camera, *bounds.tolist(), density, measure, (0.0, 0.0, 0.0, 1.0))
        rail = [k for k, subject in enumerate(placed.lines.subjects) if subject.kind == "axis"]
        ends = np.concatenate((placed.lines.start[rail], placed.lines.end[rail]))
        assert (ends >= -0.5).all()
        assert (ends <= bounds + 0.5).all()
        said = [label.text for label in placed.labels if label.subject == Subject("axis", row)]
        degenerate = analysis.sat.statuses[row] is AxisStatus.DEGENERATE
        assert degenerate or any(text.startswith(("gap", "overlap", "touching")) for text in said)


@pytest.mark.parametrize("name", ["tunnelling", "skew-edges", "gap-between-corners"])
def test_the_foot_of_every_axis_is_in_the_difference_pane_while_stepping(name):
    found, size = query(analyse(load_preset(name).scene)), (1280, 700)
    view = framed(Seen(found.analysis.scene, found.analysis, View(motion=False), DARK, found), size)
    pane = arrange(view, Rect(0, 0, *size), 0.5)[1]
    rows = [place for place, moment in enumerate(found.moments) if moment.phase is Phase.SAT]
    assert len(rows) == 15
    for place in rows:
        draw = build(Context(found.analysis.scene, found.analysis, view, DARK, found, place)).difference
        placed = layout(draw, pane.camera, pane.rect.width, pane.rect.height, 1.0, measure, (0.0, 0.0, 0.0, 1.0))
        ends = np.concatenate((placed.lines.start, placed.lines.end))
        assert (ends >= 0.0).all()
        assert (ends <= (pane.rect.width, pane.rect.height)).all()


@pytest.mark.parametrize("name", ["flat-tunnelling", "flat-turning", "flat-hexagon-pentagon"])
@pytest.mark.parametrize("size", [(640, 400), (1280, 700)])
def test_the_normals_of_the_planes_test_are_named_in_the_pane(name, size):
    loaded = load_preset(name)
    analysis = analyse_flat(loaded.scene)
    found = query_flat(analysis)
    view = framed(Seen(loaded.scene, analysis, View(motion=False).facing(loaded.scene), DARK, found), size)
    pane = arrange(view, Rect(0, 0, *size), 0.5)[0]
    edges = [place for place, moment in enumerate(found.moments) if moment.phase is Phase.PLANES]
    assert len(edges) >= 4
    for place in edges:
        draw = build(Context(loaded.scene, analysis, view, DARK, found, place)).world
        placed = layout(draw, pane.camera, pane.rect.width, pane.rect.height, 1.0, measure, (0.0, 0.0, 0.0, 1.0))
        named = [label.text for label in placed.labels if label.text.endswith(": in front")]
        assert len(named) == 1, place


@pytest.mark.parametrize(
    "name",
    [
        *("skew-edges", "two-spheres", "capsule-box-edge", "tetrahedra-kiss", "containment", "two-hulls", "ellipsoids"),
        *("corner-touch", "edge-touch", "quarter-turns", "flat-third-point", "flat-inside", "flat-squares-kiss"),
    ],
)
@pytest.mark.parametrize(("size", "density"), [((880, 640), 1.0), ((700, 470), 1.5)])
@pytest.mark.sampled(5, "scenes")
def test_every_sub_step_is_named_in_the_pane_and_its_bounds_have_their_numbers_there(name, size, density):
    analysis = analyse(load_preset(name).scene)
    asked = query(analysis, AlgorithmSettings(mpr=True))
    view = framed(Seen(analysis.scene, analysis, View(), DARK, asked, 0), size)
    panes = arrange(view, Rect(0, 0, *size), 0.5)
    numbers = 0
    for place, moment in enumerate(asked.moments):
        for part in parts_of(asked, moment):
            # From whichever step one looks, everything is framed alike: the camera stands still.
            context = Context(analysis.scene, analysis, view, DARK, asked, place, part=part.name)
            for pane, build_part in zip(panes, (part.world, part.difference), strict=True):
                draw = DrawList()
                build_part(context, draw)
                placed = layout(draw, pane.camera, pane.rect.width, pane.rect.height, density, measure, DARK.halo)
                shown = {label.text for label in placed.labels}
                for label in draw.labels:
                    # Where it is tight a label may go without its name, or behind one that matters more.
                    assert label.priority < 62 or {label.text, label.brief} & shown or density > 1.0, part.name
                    if "≤" in label.text or "≥" in label.text:
                        numbers += 1
                        assert {label.text, label.brief} & shown, (part.name, label.text)
    assert numbers
    first, last = (
        framed(Seen(analysis.scene, analysis, view, DARK, asked, place), size) for place in (0, len(asked.moments) - 1)
    )
    assert (first.world, first.difference) == (last.world, last.difference)
