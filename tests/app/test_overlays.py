"""Overlays to draw lists, without a GPU: what is drawn stands for the analysis's own numbers."""

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.draw_list import DrawList, Layer, Subject
from app.draw.theme import DARK, THEMES
from app.io.presets import load_preset, reported_cases
from app.overlays.axes import MOST_RAILS
from app.overlays.context import Context, Extent
from app.overlays.globe import MOST_PINS
from app.overlays.rail import Spans
from app.overlays.registry import OVERLAYS
from app.render.pictures import DrawLists, build
from app.state.view import AxisView, View
from core.analysis.analysis import analyse
from core.geometry import quaternion
from core.sat.sat import AxisStatus
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Sphere
from core.verdict import Verdict
from tests.everything import EVERYTHING

TURNED = quaternion.from_euler_xyz(0.4, 0.7, 0.2)
TETRAHEDRON = np.array(((1.0, 0.0, 0.0), (-1.0, 0.2, 0.0), (0.0, 1.0, 0.3), (0.1, -0.2, 1.0)))
SCENES = {
    "overlapping": Scene(Body(Box((2.0, 1.0, 1.0))), Body(Box((1.0, 1.0, 1.5)), (1.1, 0.5, 0.2), TURNED)),
    "separated": Scene(Body(Box((2.0, 1.0, 1.0))), Body(Box((1.0, 1.0, 1.5)), (2.6, 1.1, 0.2), TURNED)),
    "touching faces": Scene(Body(Box((1.0, 1.0, 1.0))), Body(Box((1.0, 1.0, 1.0)), (1.0, 0.0, 0.0))),
    "contained": Scene(Body(Box((4.0, 4.0, 4.0))), Body(Box((1.0, 1.0, 1.0)), (0.5, 0.25, 0.0), TURNED)),
    "coincident": Scene(Body(Box((1.0, 1.0, 1.0))), Body(Box((1.0, 1.0, 1.0)))),
    "box and sphere": Scene(Body(Box((2.0, 1.0, 1.0))), Body(Sphere(0.5), (1.2, 0.6, 0.0))),
    "sphere and box apart": Scene(Body(Sphere(0.5), (3.0, 2.0, 1.0)), Body(Box((2.0, 1.0, 1.0)))),
    "spheres": Scene(Body(Sphere(1.0)), Body(Sphere(0.5), (1.2, 0.0, 0.0))),
    "coincident spheres": Scene(Body(Sphere(1.0)), Body(Sphere(0.5))),
    "tiny and far": Scene(
        Body(Box((2e-6, 1e-6, 1e-6)), (1e6, 0.0, 0.0)), Body(Box((1e-6, 1e-6, 1e-6)), (1e6, 1e-6, 0.0))
    ),
    "half-space and cylinder": Scene(Body(HalfSpace((0.3, 1.0, 0.0), 0.1)), Body(Cylinder(0.5, 1.0), (0.0, 0.7, 0.0))),
    "half-space and a grain far out": Scene(
        Body(HalfSpace((0.0, 1.0, 0.0), 0.0)), Body(Hull.of(1e-12 * TETRAHEDRON), (1e6, 1e6, 0.0), TURNED)
    ),
    "capsule and hull": Scene(Body(Capsule(0.3, 1.0)), Body(Hull.of(TETRAHEDRON), (0.6, 0.2, 0.1), TURNED)),
    "cone and ellipsoid": Scene(Body(Cone(0.5, 1.0)), Body(Ellipsoid((0.5, 0.3, 0.8)), (0.9, 0.2, 0.1), TURNED)),
}


def context_of(scene: Scene, **view: object) -> Context:
    return Context(scene, analyse(scene), replace(View(shown=EVERYTHING), **view), DARK)


def axis_lines(draw: DrawList, row: int, layer: Layer) -> list[float]:
    return [
        float(np.sqrt(((segments.end - segments.start) ** 2).sum()))
        for segments in draw.segments
        if segments.layer is layer and segments.subjects == [Subject("axis", row)]
    ]


def arrays_of(pictures: DrawLists) -> list[np.ndarray]:
    found = []
    for draw in (pictures.world, pictures.difference, pictures.triad, pictures.globe):
        found += [array for s in draw.segments for array in (s.start, s.end, s.start_rgba, s.end_rgba)]
        found += [array for s in draw.solids for array in (s.corners, s.corner_normals, s.rgba)]
        found += [sheet.points for sheet in draw.sheets] + [marks.points for marks in draw.marks]
        found += [label.point for label in draw.labels]
    return found


def test_overlays_have_ids_and_keys_of_their_own():
    assert len({overlay.id for overlay in OVERLAYS}) == len(OVERLAYS)
    keys = [overlay.key for overlay in OVERLAYS if overlay.key]
    assert len(set(keys)) == len(keys)
    assert {overlay.id for overlay in OVERLAYS if not overlay.key} == {
        "core",
        "gauss_body",
        "gauss_large",
        "hatch",
        "manifold",
        "single",
        "supporting",
    }


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.parametrize("axis_view", AxisView)
@pytest.mark.sampled(3, "scenes")
def test_everything_drawn_is_finite(name, axis_view):
    for theme in THEMES:
        context = replace(context_of(SCENES[name], axis_view=axis_view), theme=theme)
        arrays = arrays_of(build(context))
        assert len(arrays) > 20
        assert all(np.isfinite(array).all() for array in arrays)


def test_nothing_is_drawn_when_everything_is_switched_off():
    assert arrays_of(build(context_of(SCENES["overlapping"], shown=frozenset()))) == []


@pytest.mark.parametrize("name", ["overlapping", "separated", "contained", "box and sphere"])
def test_every_rail_shows_its_intervals_and_its_way_out_to_scale(name):
    scene = SCENES[name]
    table = analyse(scene).sat
    for row in range(len(table.axes)):
        context = context_of(scene, hover=Subject("axis", row))
        draw = build(context).world
        bars = axis_lines(draw, row, Layer.STRONG)
        assert np.isclose(np.ptp(table.interval_a[row]), bars[0])
        assert np.isclose(np.ptp(table.interval_b[row]), bars[1])
        assert np.isclose(abs(table.separations[row]), bars[2])


def test_the_way_out_of_a_contained_interval_is_not_the_inner_length():
    context = context_of(SCENES["contained"])
    spans = Spans.of(context, context.focus)
    inner = spans.b[1] - spans.b[0]
    assert spans.a[0] < spans.b[0] < spans.b[1] < spans.a[1]
    assert abs(spans.between[1] - spans.between[0]) == pytest.approx(-context.analysis.separation)
    assert abs(spans.between[1] - spans.between[0]) > inner


def test_the_focus_is_what_one_points_at_then_the_pin_then_the_winner():
    scene = SCENES["overlapping"]
    winner = analyse(scene).sat.winner
    assert context_of(scene).focus == winner
    assert context_of(scene, pin=Subject("axis", 2)).focus == 2
    assert context_of(scene, pin=Subject("axis", 2), hover=Subject("axis", 5)).focus == 5
    assert context_of(scene, pin=Subject("axis", 99), hover=Subject("body", 1)).focus == winner


def test_the_focused_face_pair_of_the_difference_is_lit():
    context = context_of(SCENES["overlapping"], hover=Subject("axis", 4))
    solid = build(context).difference.solids[0]
    rows = {tuple(subject) for subject, rgba in zip(solid.subjects, solid.rgba, strict=True) if rgba[3] > 0.5}
    assert rows == {("axis", 4)}


def test_the_arrow_to_the_nearest_point_starts_at_the_origin():
    for name in ("overlapping", "separated", "spheres"):
        context = context_of(SCENES[name])
        arrows = [s for s in build(context).difference.segments if s.arrow_end > 0.0 and s.subjects == [Subject("mtv")]]
        assert len(arrows) == 1
        assert np.array_equal(arrows[0].start, np.zeros((1, 3)))
        assert np.allclose(arrows[0].end, -context.analysis.separation * context.analysis.normal)


def test_a_separating_plane_has_the_bodies_on_its_two_sides():
    context = context_of(SCENES["separated"])
    analysis = context.analysis
    sheet = build(replace(context, view=replace(context.view, shown=frozenset({"plane"})))).world.sheets[0]
    offset = float(sheet.points.mean(axis=0) @ analysis.normal)
    for index, sign in ((0, 1.0), (1, -1.0)):
        body = context.scene.body(index)
        corners = body.pose.to_world(body.shape.polyhedron.vertices)
        assert np.all(sign * (offset - corners @ analysis.normal) > 0.0)


def test_there_is_no_separating_plane_and_no_distance_when_they_overlap():
    context = context_of(SCENES["overlapping"], shown=frozenset({"plane", "closest"}))
    assert context.analysis.verdict is Verdict.OVERLAPPING
    assert arrays_of(build(context)) == []


def test_there_is_no_depth_arrow_when_they_are_apart():
    assert arrays_of(build(context_of(SCENES["separated"], shown=frozenset({"mtv", "resolved"})))) == []


def test_the_contacts_are_marked_where_they_are_and_no_other_points():
    for name in ("stacked-cubes", "skew-edges", "flat-inside", "capsule-box-edge"):
        scene = load_preset(name).scene
        analysis = analyse(scene)
        found = analysis.contacts
        assert found is not None
        assert found.contacts
        world = build(Context(scene, analysis, View(shown=frozenset({"manifold"})), DARK)).world
        assert np.array_equal(
            np.concatenate([marks.points for marks in world.marks]), [contact.position for contact in found.contacts]
        )
        names = ["c₁", "c₂", "c₃", "c₄", "c₅", "c₆", "c₇", "c₈"]
        named = [words[0] for label in world.labels if (words := label.text.split())[0] != "depth"]
        assert named == names[: len(found.contacts)]
    apart = load_preset("flat-corner-gap").scene
    assert not build(Context(apart, analyse(apart), View(shown=frozenset({"manifold"})), DARK)).world.marks


def test_the_cage_of_a_family_shows_that_family_only():
    context = context_of(
        SCENES["overlapping"], axis_view=AxisView.FAMILY, family="face of A", shown=frozenset({"axes"})
    )
    rows = {subject.number for s in build(context).world.segments for subject in s.subjects if subject.kind == "axis"}
    assert rows == {0, 1, 2, context.focus}


@pytest.mark.parametrize("axis_view", [AxisView.CAGE, AxisView.FAN])
def test_of_hundreds_of_axes_the_nearest_are_drawn_and_the_others_counted(axis_view):
    rng = np.random.default_rng(3)
    hulls = [Hull.of(np.array([p / np.sqrt(p @ p) for p in rng.normal(size=(40, 3))])) for _ in range(2)]
    context = context_of(
        Scene(Body(hulls[0]), Body(hulls[1], (1.0, 0.5, 0.2))), axis_view=axis_view, shown=frozenset({"axes", "globe"})
    )
    sat = context.analysis.sat
    assert len(sat.candidates) > 100

    def shown(context: Context, part: str = "world") -> set[int]:
        draw = getattr(build(context), part)
        return {s.number for batch in (*draw.segments, *draw.marks) for s in batch.subjects if s.kind == "axis"}

    rows = shown(context)
    assert len(rows) == MOST_RAILS + 1
    left = [k for k in range(len(sat.candidates)) if k not in rows and sat.statuses[k] is not AxisStatus.DEGENERATE]
    assert sat.separations[left].max() <= sat.separations[list(rows)].min()
    assert [label.text for label in build(context).world.labels if label.text.startswith(f"{len(left)} more")]
    last = min(left, key=lambda row: sat.separations[row])
    pointed = replace(context, view=replace(context.view, hover=Subject("axis", last)))
    assert shown(pointed) >= rows - {context.resting_focus} | {last}
    assert len(shown(context, "globe")) == MOST_PINS
    assert last in shown(pointed, "globe")


@pytest.mark.parametrize("axis_view", [AxisView.CAGE, AxisView.FAMILY, AxisView.FAN])
def test_pointing_at_a_rail_moves_no_other_and_lights_it(axis_view):
    def rails(**view: object) -> dict[int, list[tuple[list[float], float]]]:
        found: dict[int, list[tuple[list[float], float]]] = {}
        for s in build(context_of(SCENES["overlapping"], axis_view=axis_view, **view)).world.segments:
            if s.layer is Layer.BACK and s.subjects[0].kind == "axis":
                widths = np.broadcast_to(s.width, len(s.subjects)).tolist()
                lines = np.column_stack((s.start, s.end, s.start_lift, s.end_lift)).tolist()
                for subject, place, width in zip(s.subjects, lines, widths, strict=True):
                    found.setdefault(subject.number, []).append((place, width))
        return found

    calm = rails()
    assert calm
    for row in calm:
        lit = rails(hover=Subject("axis", row))
        assert lit.keys() == calm.keys()
        for other in calm:
            assert [place for place, _ in lit[other]] == [place for place, _ in calm[other]]
        assert sum(width for _, width in lit[row]) > sum(width for _, width in calm[row])


def test_the_radius_about_a_line_holds_every_corner():
    scene = SCENES["separated"]
    extent = Extent.of(scene)
    arms = (
        np.vstack([body.pose.to_world(body.shape.polyhedron.vertices) for body in (scene.a, scene.b)]) - extent.centre
    )
    assert extent.radius == pytest.approx(np.sqrt((arms**2).sum(axis=1)).max())
    assert extent.radius_about(np.array([1.0, 0.0, 0.0])) == pytest.approx(
        np.sqrt((arms[:, 1:] ** 2).sum(axis=1)).max()
    )


@pytest.mark.parametrize("case", reported_cases(), ids=lambda case: case.id)
@pytest.mark.sampled(3, "scenes")
def test_every_reported_pair_can_be_drawn(case):
    arrays = arrays_of(build(context_of(case.scene, axis_view=AxisView.CAGE)))
    assert len(arrays) > 20
    assert all(np.isfinite(array).all() for array in arrays)


def test_a_huge_body_is_named_where_the_small_one_is():
    scene = load_preset("tiny-beside-huge").scene
    small = scene.b.shape.bounding_radius
    assert scene.a.shape.bounding_radius > 100.0 * small
    names = {label.text: label.point for label in build(context_of(scene)).world.labels if label.text in ("A", "B")}
    for point in names.values():
        assert np.linalg.norm(point - scene.b.position) < 2.0 * small
    # Towards its own body.
    away = np.array(scene.a.position) - np.array(scene.b.position)
    assert (names["A"] - scene.b.position) @ away > 0.0
