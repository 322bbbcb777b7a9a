"""How the probes are drawn, and how a drag or a click moves them."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.draw_list import Dash, DrawList
from app.draw.placed import Rect
from app.draw.theme import DARK, THEMES
from app.input.bindings import Held
from app.io.presets import load_preset
from app.overlays.context import Context
from app.overlays.probe import OF_THE_ANSWER
from app.probes import Aim, Lens, PlaneProbe, PointProbe, RayLook, RayProbe, ScaleProbe
from app.probes.planes import Scaling, point_against, through
from app.probes.ray import crossing, gjk_cast, one_axis, picked_words, ray_of, with_lens
from app.render.pictures import build
from app.state.view import View
from app.words.digits import signed
from core.analysis.analysis import analyse
from core.geometry import quaternion
from core.query.query import query
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Cone, Ellipsoid, HalfSpace, Sphere

TURNED = quaternion.from_euler_xyz(0.4, 0.7, 0.2)
BOXES = Scene(Body(Box((2.0, 1.0, 1.0))), Body(Box((1.0, 1.0, 1.5)), (1.6, 0.9, 0.2), TURNED))
GROUND = Body(HalfSpace((0.3, 1.0, 0.0), 0.4), (0.1, -0.9, 0.2), TURNED)
SCENES = {
    "boxes": BOXES,
    "box on ground": Scene(Body(Box((2.0, 1.0, 1.0)), (0.0, 0.6, 0.0), TURNED), GROUND),
    "ground and ellipsoid": Scene(GROUND, Body(Ellipsoid((1.2, 0.4, 0.7)), (0.0, 0.4, 0.0), TURNED)),
    "capsule and ball": Scene(Body(Capsule(0.3, 1.0)), Body(Sphere(0.5), (0.9, 0.4, 0.1))),
    "cone and box": Scene(Body(Cone(0.5, 1.0)), Body(Box((1.0, 1.0, 1.0)), (0.6, 0.4, 0.1), TURNED)),
}
POINT = PointProbe((1.3, 1.1, 0.9))
PLANE = PlaneProbe(((-0.1, -0.3, 1.2), (0.3, -0.2, -1.3), (0.1, 1.8, 0.3)))
SHOT = RayProbe(View().world, (420.0, 330.0), (800.0, 640.0))
PROBES = {
    "point": POINT,
    "plane": PLANE,
    "no plane": PlaneProbe(((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (2.0, 0.0, 0.0))),
    **{f"ray, {look}, {'AB'[k]}": replace(SHOT, look=look, body=k) for look in RayLook for k in (0, 1)},
    "scaled": ScaleProbe(0.7),
    "aim": Aim(),
}
AREA = Rect(0, 20, 1280, 780)
NONE, CTRL = Held(), Held(ctrl=True)


def context_of(scene: Scene, probe, **view: object) -> Context:
    return Context(scene, analyse(scene), replace(View(probe=probe), **view), DARK)


def texts(draw: DrawList) -> set[str]:
    return {label.text for label in draw.labels}


def handles(draw: DrawList) -> dict[int, np.ndarray]:
    return {
        subject.number: point
        for marks in draw.marks
        for subject, point in zip(marks.subjects, marks.points, strict=True)
        if subject.kind == "probe"
    }


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
@pytest.mark.parametrize("probe", PROBES.values(), ids=PROBES)
def test_every_probe_has_a_finite_picture_of_every_pair(scene: Scene, probe) -> None:
    for theme in THEMES:
        pictures = build(replace(context_of(scene, probe), theme=theme))
        for draw in (pictures.world, pictures.difference):
            arrays = [a for s in draw.segments for a in (s.start, s.end, s.start_lift, s.end_lift)]
            arrays += [marks.points for marks in draw.marks] + [sheet.points for sheet in draw.sheets]
            arrays += [solid.corners for solid in draw.solids] + [label.point for label in draw.labels]
            assert all(np.isfinite(array).all() for array in arrays)


def test_a_probe_is_drawn_in_the_world_and_puts_the_answer_away() -> None:
    for probe in (POINT, PLANE, SHOT):
        probed, bare = build(context_of(BOXES, probe)), build(context_of(BOXES, None))
        without = View().shown - OF_THE_ANSWER
        calm = build(context_of(BOXES, None, shown=without))
        assert len(probed.difference.segments) == len(calm.difference.segments)
        assert len(probed.world.segments) > len(calm.world.segments)
        axes = {s.kind for batch in probed.world.segments for s in batch.subjects}
        assert "axis" not in axes
        assert "axis" in {s.kind for batch in bare.world.segments for s in batch.subjects}


def test_while_a_query_is_stepped_through_no_probe_is_drawn() -> None:
    context = context_of(BOXES, POINT)
    stepped = replace(context, query=query(context.analysis), place=3)
    assert handles(build(context).world)
    assert not handles(build(stepped).world)
    assert len(build(stepped).world.segments) == len(build(replace(stepped, view=View())).world.segments)


# The point.


def test_the_planes_that_see_the_point_are_lit_and_told() -> None:
    context = context_of(BOXES, POINT)
    draw, bare = build(context).world, build(context_of(BOXES, None, shown=View().shown - OF_THE_ANSWER)).world
    found = [point_against(body, POINT.position) for body in (BOXES.a, BOXES.b)]
    lit = draw.sheets[len(bare.sheets) :]
    assert len(lit) == sum(len(against.outside) for against in found) > 1
    for against in found:
        solid = against.body.shape.polyhedron.placed(against.body.pose.matrix, against.body.pose.position)
        for side in against.outside:
            loop = solid.vertices[list(solid.faces[side.face])]
            assert any(np.allclose(sheet.points, loop) for sheet in lit)
    for letter, against in zip("AB", found, strict=True):
        assert f"{letter}.{against.worst.name}: {signed(against.worst.distance)}" in texts(draw)
    assert np.array_equal(handles(draw)[0], POINT.position)


def test_inside_nothing_is_lit_and_the_distance_is_negative() -> None:
    draw = build(context_of(BOXES, PointProbe((-0.5, 0.2, 0.0)))).world
    assert "A.+y: −0.3" in texts(draw)
    assert len(draw.sheets) == len(build(context_of(BOXES, PointProbe((-0.5, 0.3, 0.0)))).world.sheets)


def test_the_line_to_the_plane_is_as_long_as_the_distance() -> None:
    scene = SCENES["box on ground"]
    for height in (1.25, -0.75):
        normal = GROUND.pose.matrix @ GROUND.shape.plane.normal
        on_plane = GROUND.pose.position + GROUND.shape.plane.offset * normal
        x, y, z = (on_plane + height * normal).tolist()
        draw = build(context_of(scene, PointProbe((x, y, z)))).world
        lengths = [
            float(np.linalg.norm(s.end[0] - s.start[0])) for s in draw.segments if np.allclose(s.end[0], (x, y, z))
        ]
        assert any(np.isclose(length, abs(height)) for length in lengths)
        assert f"B.plane: {signed(round(height, 12))}" in texts(draw)


# Three points.


def test_the_plane_is_drawn_with_its_normal_offset_and_distances() -> None:
    draw, found = build(context_of(BOXES, PLANE)).world, through(BOXES, PLANE)
    assert set(handles(draw)) == {0, 1, 2}
    told = texts(draw)
    assert {"a", "b", "c", "n", "b − a", "c − a", "+ side", "− side"} <= told
    assert f"d = {signed(found.plane.offset)}" in told
    assert {f"{letter}: {signed(side.centre)}" for letter, side in zip("AB", found.sides, strict=True)} <= told
    heights = [sheet.points @ found.plane.normal - found.plane.offset for sheet in draw.sheets]
    assert sum(np.abs(height).max() < 1e-12 for height in heights) == 2


def test_points_on_a_line_have_no_plane() -> None:
    draw = build(context_of(BOXES, PROBES["no plane"])).world
    assert "no plane" in texts(draw)
    assert "n" not in texts(draw)
    assert set(handles(draw)) == {0, 1, 2}


def test_a_plane_far_from_the_origin_has_no_line_to_it() -> None:
    far = tuple(tuple((np.array(point) + 500.0).tolist()) for point in PLANE.points)
    scene = replace(
        BOXES, a=replace(BOXES.a, position=(500.0, 500.0, 500.0)), b=replace(BOXES.b, position=(501.6, 500.9, 500.2))
    )
    assert not any(text.startswith("d = ") for text in texts(build(context_of(scene, PlaneProbe(far))).world))


def test_a_round_body_shows_the_tangent_plane_at_its_nearest_point() -> None:
    for at in ((1.0, 0.8, 0.4), (0.1, 0.1, 0.0)):
        scene = replace(BOXES, a=Body(Ellipsoid((0.6, 0.4, 0.9))))
        draw = build(context_of(scene, PointProbe(at))).world
        against = point_against(scene.a, at)
        nearest = against.nearest
        (square,) = (sheet for sheet in draw.sheets if np.allclose(sheet.points.mean(axis=0), nearest.point))
        assert (square.points - nearest.point) @ nearest.normal == pytest.approx(0.0, abs=1e-14)
        lit = tuple(square.rgba[:3]) == DARK.winner[:3]
        assert lit == (nearest.distance > 0.0)
        assert any(
            np.allclose(batch.start[0], nearest.point) and np.allclose(batch.end[0], at) for batch in draw.segments
        )
        assert {f"A: {signed(nearest.distance)}", "tangent plane of A"} <= texts(draw)


# The ray.


def test_entry_and_exit_are_marked_with_their_t() -> None:
    ray = ray_of(SHOT)
    draw, told = build(context_of(BOXES, SHOT)).world, texts(build(context_of(BOXES, SHOT)).world)
    points = np.concatenate([marks.points for marks in draw.marks])
    met = 0
    for letter, body in zip("AB", (BOXES.a, BOXES.b), strict=True):
        cast = crossing(body, ray)
        if cast is None:
            assert any(text.startswith("misses") and letter in text for text in told)
            continue
        met += 1
        for hit, word in ((cast.entry, "enters"), (cast.exit, "leaves")):
            assert np.abs(points - hit.point).max(axis=1).min() < 1e-12
            assert any(text.startswith(f"{word} {letter}, t = ") for text in told)
    assert met
    assert {"eye", "pixel", "near plane"} <= told
    assert np.array_equal(handles(draw)[0], ray.near)


def test_a_window_off_centre_has_the_shortcut_and_its_window_beside_it() -> None:
    aside = with_lens(SHOT, Lens.OFF_CENTRE)
    ray = ray_of(aside)
    draw = build(context_of(BOXES, aside)).world
    loops = [batch for batch in draw.segments if len(batch.start) == 4]
    windows = [next(batch for batch in loops if np.array_equal(batch.start, at)) for at in (ray.corners, ray.supposed)]
    assert [batch.dash for batch in windows] == [Dash.SOLID, Dash.DASHED]
    points = np.concatenate([marks.points for marks in draw.marks])
    # The one pixel in both windows: each ray passes through its own.
    for start, way in ((ray.near, ray.direction), (ray.near + ray.supposed[0] - ray.corners[0], ray.shortcut)):
        assert np.abs(points - start).max(axis=1).min() < 1e-12
        assert np.linalg.norm(np.cross(start - ray.eye, way)) < 1e-9
    said = f"the article's shortcut picks {picked_words(BOXES, ray.eye, ray.shortcut)}"
    assert {said, "near plane, off centre"} <= texts(draw)
    centred = texts(build(context_of(BOXES, with_lens(aside, Lens.PERSPECTIVE))).world)
    assert not [text for text in centred if text.startswith("the article")]


def test_only_the_rays_of_a_perspective_leave_the_eye() -> None:
    straight = replace(SHOT, pixel=(400.0, 320.0))
    for lens, count in ((Lens.PERSPECTIVE, 4), (Lens.OFF_CENTRE, 4), (Lens.ORTHOGRAPHIC, 0)):
        probe = with_lens(straight, lens)
        draw, eye = build(context_of(BOXES, probe)).world, ray_of(probe).eye
        spread = [batch for batch in draw.segments if len(batch.start) == 4 and (batch.start == eye).all()]
        assert sum(len(batch.start) for batch in spread) == count


def test_the_one_axis_and_the_slabs_stand_beside_each_other() -> None:
    loaded = load_preset("ray-past-a-cube")
    probe = loaded.view.probe
    test = one_axis(loaded.scene.a, ray_of(probe))
    assert test.distance <= test.radius
    assert test.enters > test.leaves
    told = texts(build(context_of(loaded.scene, probe)).world)
    assert {"x", "y", "z", "latest entry after earliest exit: a miss"} <= told
    assert any(text.startswith("re = ") and text.endswith("not missed on this axis") for text in told)
    aside = texts(build(context_of(loaded.scene, replace(probe, body=1))).world)
    assert not any(text.startswith("re = ") for text in aside)


@pytest.mark.parametrize("place", [0, 1, 99])
def test_a_step_of_the_cast_shows_how_far_the_ray_is_free(place: int) -> None:
    probe = replace(SHOT, look=RayLook.CAST, step=place)
    steps = gjk_cast(BOXES.a, ray_of(SHOT)).steps
    step = steps[min(place, len(steps) - 1)]
    draw = build(context_of(BOXES, probe)).world
    assert any(text.startswith("free up to t = ") for text in texts(draw))
    ray = ray_of(SHOT)
    at = ray.origin + step.t * ray.direction
    points = np.concatenate([marks.points for marks in draw.marks])
    assert np.abs(points - at).max(axis=1).min() < 1e-12
    for support in step.simplex:
        assert np.abs(points - support.point - BOXES.a.position).max(axis=1).min() < 1e-12


# Space scaled.


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_the_picture_itself_is_scaled(share: float) -> None:
    scene = SCENES["ground and ellipsoid"]
    scaling = Scaling.of(scene)
    space = scaling.at(share)
    draw = build(context_of(scene, ScaleProbe(share))).world
    (solid,) = draw.solids
    arms = (solid.corners.reshape(-1, 3) - scaling.centre) / space.magnified
    radii = scaling.radii ** (1.0 - share)
    assert np.sqrt(((arms @ scaling.axes / radii) ** 2).sum(axis=1)).max() == pytest.approx(1.0, abs=1e-9)
    # Its normals stand on it still: along the gradient of the scaled ellipsoid.
    gradients = (arms @ scaling.axes / radii**2) @ scaling.axes.T
    gradients /= np.linalg.norm(gradients, axis=1)[:, None]
    assert np.einsum("ij,ij->i", gradients, solid.corner_normals.reshape(-1, 3)) == pytest.approx(1.0, abs=1e-9)
    (sheet,) = draw.sheets
    heights = (sheet.points - scaling.centre) @ space.normal / space.magnified
    assert heights == pytest.approx(np.full(4, -space.distance), abs=1e-12)
    told = texts(draw)
    prime = "′" if share else ""
    assert f"s0{prime} = {signed(space.distance)}" in told
    assert ("n scaled like a point" in told) == (share > 0.0)


def test_another_pair_has_nothing_to_scale() -> None:
    assert Scaling.of(BOXES) is None
    drawn, bare = (build(context_of(BOXES, probe)).world for probe in (ScaleProbe(0.5), None))
    assert (len(drawn.solids), len(drawn.segments)) == (len(bare.solids), len(bare.segments))


# The half-space's own picture.


@pytest.mark.parametrize(
    ("name", "words"),
    [("vertex", "1 contact vertex"), ("edge", "2 contact vertices: an edge"), ("face", "4 contact vertices: a face")],
)
def test_the_contact_vertices_of_a_box_on_a_plane_are_counted(name: str, words: str) -> None:
    loaded = load_preset(f"box-on-plane-{name}")
    told = texts(build(Context(loaded.scene, analyse(loaded.scene), loaded.view, DARK)).world)
    assert {words, "n", "d = +0.5", "positive side: n·p > d", "negative side: solid", "position of A"} <= told


def test_the_offset_is_drawn_from_the_position_to_the_plane() -> None:
    scene = SCENES["box on ground"]
    shown = frozenset({"half_space"})
    draw = build(context_of(scene, None, shown=shown)).world
    plane = GROUND.shape.plane
    foot = GROUND.pose.to_world(plane.point())
    assert any(np.allclose(s.start[0], GROUND.position) and np.allclose(s.end[0], foot) for s in draw.segments)
    assert f"d = {signed(plane.offset)}" in texts(draw)
    assert build(context_of(BOXES, None, shown=shown)).world.segments == []
