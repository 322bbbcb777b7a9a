"""Scenes of the plane beside those of space: the same numbers, steps, words, pictures, gestures; all have z = 0."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.camera import Sight
from app.draw.draw_list import Subject
from app.draw.placed import Rect
from app.draw.theme import DARK
from app.input.gizmo import Gizmo, GizmoTool, Handle
from app.input.manipulation import Assist, MoveTool, with_vertex
from app.input.picking import hit_body, hit_difference
from app.io.presets import load_preset, presets
from app.io.scene_file import load, read, save, write
from app.overlays.context import Context
from app.overlays.flat_shapes import PAIR_KIND, grown_outline
from app.overlays.style import families_of
from app.panels.answers import slip_words
from app.render.framing import framed
from app.render.pictures import build
from app.stages import step_text
from app.state.view import AxisView, Seen, View, arrange
from core.analysis.algorithm_settings import AlgorithmSettings
from core.analysis.analysis import analyse
from core.gjk.article_gjk import ArticleStep, ArticleStop
from core.gjk.gjk import GjkSettings, GjkStop
from core.minkowski.plane import minkowski_difference
from core.pair.cores import to_world
from core.query.query import Phase, Query, query
from core.scene import Body, Scene
from core.shapes import Circle, Polygon
from core.study.articles.plane import WORKED_EXAMPLE
from core.trace import PlanarStep
from core.verdict import Verdict
from tests.core.planar_samples import FAMILIES, brute_force, outline, scenes, size_of, worked_example

FLAT = tuple(preset.id for preset in presets() if "2D" in preset.tags)
THREE = re.compile(r"\((?:[−\d.e]+, ){2}[−\d.e]+\)")
"""A vector of three numbers."""
SQUARE = Polygon.of([(-1, -1), (1, -1), (1, 1), (-1, 1)])


def flat(name: str) -> Scene:
    scene = load_preset(name).scene
    assert scene.dimension == 2
    return scene


@cache
def asked(name: str) -> Query:
    return query(analyse(flat(name)))


# The same numbers.


def test_a_scene_of_the_plane_lies_in_space_where_its_outlines_are() -> None:
    for scene in scenes(100, 3, FAMILIES):
        assert scene.swapped().swapped() == scene
        assert (scene.swapped().a, scene.swapped().b) == (scene.b, scene.a)
        for body in (scene.a, scene.b):
            points, _ = outline(body, (0.0, 0.0, 0.0))
            circle = isinstance(body.shape, Circle)
            corners = [(0.0, 0.0)] if circle else [body.shape.points[k] for k in body.shape.ring]
            there = np.array([(x, y, 0.0) for x, y in corners]) @ body.pose.matrix.T + body.pose.position
            reach = body.shape.bounding_radius + float(np.abs(body.position).max())
            np.testing.assert_allclose(there[:, :2], points, rtol=0.0, atol=1e-15 * reach)
            assert not there[:, 2].any()


def test_nothing_leaves_the_plane() -> None:
    body = Body.in_plane(SQUARE, (1.0, 2.0), 0.5)
    moved = replace(body, position=(3.0, 4.0, 5.0), rotation=(0.0, 1.0, 0.0, 0.0), angular_displacement=(1.0, 0.0, 0.0))
    assert moved == Body.in_plane(SQUARE, (3.0, 4.0), 0.5)
    assert moved.position[2] == 0.0
    assert moved.rotation == body.rotation
    assert moved.angular_displacement == (0.0, 0.0, 0.0)


def test_the_answers_are_right_and_lie_in_the_plane() -> None:
    for scene in scenes(60, 5, FAMILIES):
        right, near, found = brute_force(scene), 1e-12 * size_of(scene), analyse(scene)
        assert found.polygon is not None
        assert found.separation == pytest.approx(right, abs=near)
        if abs(right) > found.band + near:
            assert found.verdict is (Verdict.SEPARATED if right > 0.0 else Verdict.OVERLAPPING)
        edges = [
            f"{name}.edge{k}"
            for name, body in (("A", scene.a), ("B", scene.b))
            if isinstance(body.shape, Polygon)
            for k in range(len(body.shape.ring))
        ]
        assert [c.label for c in found.sat.candidates if "edge" in c.label] == edges
        assert found.sat.axes.shape == (len(found.sat.candidates), 3)
        assert found.contacts is not None
        flat = [found.normal, found.witness_a, found.witness_b, found.nearest, *found.sat.axes, found.contacts.normal]
        flat += [contact.position for contact in found.contacts.contacts]
        assert [vector.tolist()[2] for vector in flat] == [0.0] * len(flat)
        if found.contacts.contacts:
            deepest = max(contact.depth for contact in found.contacts.contacts)
            assert deepest == pytest.approx(-right, abs=near + found.band)


def test_presets_of_the_plane_agree_with_themselves() -> None:
    assert len(FLAT) >= 6
    for name in FLAT:
        assert analyse(flat(name)).disagreements == ()


# The worked example.


def articles(name: str, settings: AlgorithmSettings | None = None) -> list[ArticleStep]:
    found = asked(name) if settings is None else query(analyse(flat(name)), settings)
    steps = [m.step for m in found.moments if m.phase is Phase.ARTICLE and isinstance(m.step, PlanarStep)]
    return [step for step in steps if isinstance(step, ArticleStep)]


def test_the_preset_gives_the_corrected_trace_of_the_article() -> None:
    steps = articles("flat-worked-example")
    assert [step.support.xy for step in steps] == [(0.0, 2.0), (0.0, -2.0), (-2.0, -2.0)]
    assert [step.direction for step in steps] == [(0.0, 1.0), (0.0, -1.0), (-4.0, 0.0)]
    assert [point.xy for point in steps[2].simplex] == [(-2.0, -2.0), (0.0, -2.0), (0.0, 2.0)]
    assert steps[2].stop is ArticleStop.ENCLOSED
    article, _ = worked_example()
    assert [step.support.xy for step in steps] == [step.support.xy for step in article.steps]


def test_the_table_of_differences_is_the_corrected_one() -> None:
    scene = flat("flat-worked-example")
    table = {pair.name: pair.point for pair in minkowski_difference(scene.a, scene.b).vertex_pairs}
    assert table == {
        "AD": (0.0, 2.0), "AE": (-1.0, 0.0), "AF": (1.0, 0.0),
        "BD": (1.0, 0.0), "BE": (0.0, -2.0), "BF": (2.0, -2.0),
        "CD": (-1.0, 0.0), "CE": (-2.0, -2.0), "CF": (0.0, -2.0),
    }  # fmt: skip


def test_the_slip_is_pointed_out_at_its_step_alone() -> None:
    found = asked("flat-worked-example")
    texts = [step_text(found, m) for m in found.moments if m.phase is Phase.ARTICLE]
    assert [("a slip" in text.why) for text in texts] == [False, True, False]
    assert "(0, −3)" in texts[1].why
    other = asked("flat-hexagon-pentagon")
    assert not any("a slip" in step_text(other, m).why for m in other.moments)


def test_the_table_of_pairs_tells_what_the_article_has_printed() -> None:
    support, sign = slip_words(WORKED_EXAMPLE)
    assert support.startswith("The article prints BE as (0, −3): a slip.")
    assert sign.startswith("The article prints BD as (−1, 0): a slip.")
    assert slip_words(replace(WORKED_EXAMPLE, b=replace(WORKED_EXAMPLE.b, position=(0.5, 0.0, 0.0)))) == ()


def test_the_first_direction_is_the_articles_too_and_a_touch_depends_on_it() -> None:
    analysis = analyse(load_preset("flat-squares-kiss").scene)
    stops = set()
    for way in ((0.0, 1.0, 0.0), (1.0, 0.0, 0.0)):
        asked = query(analysis, AlgorithmSettings(gjk=GjkSettings(first_direction=way)))
        steps = [moment.step for moment in asked.moments if moment.phase is Phase.ARTICLE]
        assert steps[0].direction == way[:2]
        stops.add(steps[-1].stop)
    assert stops == {ArticleStop.ENCLOSED, ArticleStop.NOT_PAST_ORIGIN}


def test_our_gjk_is_done_at_its_second_step() -> None:
    stops = [m.step.stop for m in asked("flat-worked-example").moments if m.phase is Phase.GJK]
    assert stops == [None, GjkStop.OVERLAP_TOUCHING]
    found = asked("flat-worked-example")
    (last,) = (m for m in found.moments if m.phase is Phase.ARTICLE and m.last)
    stop = step_text(found, last).stop
    assert stop is not None
    assert "takes 2 steps" in stop.meaning


def test_the_setting_turns_the_perpendicular_as_printed() -> None:
    right, printed = articles("flat-third-point"), articles("flat-third-point", AlgorithmSettings(third_point=True))
    assert [step.support.xy for step in right] != [step.support.xy for step in printed]
    assert articles("flat-third-point", AlgorithmSettings(article=False)) == []


def test_touching_depends_on_the_way_there() -> None:
    kiss = flat("flat-squares-kiss")
    assert analyse(kiss).verdict is Verdict.TOUCHING
    stops = []
    for scene in (kiss, kiss.swapped()):
        steps = [m.step for m in query(analyse(scene)).moments if isinstance(m.step, PlanarStep)]
        stops.append(next(step.stop for step in steps[::-1] if isinstance(step, ArticleStep)))
    assert stops == [ArticleStop.ENCLOSED, ArticleStop.NOT_PAST_ORIGIN]


# Words and pictures.


@pytest.mark.parametrize("name", FLAT)
@pytest.mark.sampled(3, "scenes")
def test_every_arrow_of_the_steps_ends_in_its_pane(name: str) -> None:
    found = asked(name)
    scene = found.analysis.scene
    view = framed(Seen(scene, found.analysis, View().facing(scene), DARK, found), (900, 600))
    panes = {pane.kind: pane for pane in arrange(view, Rect(0, 0, 900, 600), 0.5)}
    arrows = 0
    for place, moment in enumerate(found.moments):
        if moment.phase in (Phase.ARTICLE, Phase.GJK, Phase.EPA):
            drawn = build(Context(scene, found.analysis, view, DARK, found, place))
            for kind, draw in (("world", drawn.world), ("difference", drawn.difference)):
                for lines in draw.segments:
                    if lines.arrow_end >= 11.0 and lines.group < 0:
                        x, y, _ = panes[kind].projection.project(lines.end).T
                        width, height = panes[kind].rect.width, panes[kind].rect.height
                        assert ((x >= 0.0) & (x <= width) & (y >= 0.0) & (y <= height)).all(), (moment.phase, kind)
                        arrows += 1
    assert arrows


@pytest.mark.parametrize("name", FLAT)
def test_every_step_has_words_about_the_plane(name: str) -> None:
    found = asked(name)
    for moment in found.moments:
        text = step_text(found, moment)
        assert text.title
        assert text.decided
        said = " ".join(
            (text.title, text.known, text.decided, text.why, "" if text.stop is None else text.stop.meaning)
        )
        assert not {"tetrahedron", "face", "polytope"} & set(said.lower().replace(".", "").split())
        assert not any(THREE.search(formula.plain) for formula in text.formulas)
        assert (text.stop is not None) == moment.last


@pytest.mark.parametrize("name", FLAT)
@pytest.mark.sampled(3, "scenes")
def test_every_picture_lies_in_the_plane(name: str) -> None:
    scene, found = flat(name), asked(name)
    view = framed(Seen(scene, found.analysis, View().facing(scene), DARK), (900, 600))
    for place in (None, *range(len(found.moments))):
        context = Context(scene, found.analysis, view, DARK, None if place is None else found, place or 0)
        pictures = build(context)
        assert not pictures.globe.segments
        for draw in (pictures.world, pictures.difference):
            assert draw.labels
            for sheet in draw.sheets:
                if sheet.subject.kind in ("body", "difference"):
                    assert not sheet.points[:, 2].any()
            assert not any(marks.points[:, 2].any() for marks in draw.marks)


def test_with_a_circle_the_outline_is_the_grown_polygon() -> None:
    a, b = Body.in_plane(SQUARE, (0.5, 0.0), 0.3), Body.in_plane(Circle(0.7), (2.0, 1.0))
    polygon = minkowski_difference(a, b)
    outline = grown_outline(polygon)[:, :2]
    normals = np.array([edge.normal for edge in polygon.edges])
    offsets = np.array([edge.offset for edge in polygon.edges])
    beyond = outline @ normals.T - offsets
    assert beyond.max() == pytest.approx(0.7)
    gaps = np.linalg.norm(outline[:, None] - np.array(polygon.corners), axis=2).min(axis=1)
    assert (np.abs(gaps - 0.7) < 1e-12).all()


def test_the_pair_pointed_at_is_shown_in_both_panes() -> None:
    scene, found = flat("flat-worked-example"), asked("flat-worked-example")
    view = replace(View().facing(scene), pin=Subject(PAIR_KIND, 4))
    pictures = build(Context(scene, found.analysis, view, DARK))
    assert any(label.text == "BE = a₁ − b₁" for label in pictures.difference.labels)
    plain = build(Context(scene, found.analysis, replace(view, pin=None), DARK))
    assert len(pictures.world.marks) == len(plain.world.marks) + 2


def test_the_sum_is_the_hull_of_the_sums_and_only_of_the_plane() -> None:
    scene, found = flat("flat-worked-example"), asked("flat-worked-example")
    view = View().facing(scene)
    view = replace(view, shown=view.shown | {"sum"}, pin=Subject(PAIR_KIND, 4))
    draw = build(Context(scene, found.analysis, view, DARK)).world
    (sheet,) = (sheet for sheet in draw.sheets if sheet.subject.kind == "sum")
    a, b = ([to_world(body, point) for point in body.shape.points] for body in (scene.a, scene.b))
    sums = {(p[0] + q[0], p[1] + q[1]) for p in a for q in b}
    assert {(x, y) for x, y, _ in sheet.points.tolist()} <= sums
    assert Polygon.hull_of(sums).bounding_radius == max(np.hypot(x, y) for x, y, _ in sheet.points)
    assert "BE = a₁ + b₁" in [label.text for label in draw.labels]
    space = load_preset("skew-edges").scene
    other = build(Context(space, analyse(space), replace(View(), shown=View().shown | {"sum"}), DARK)).world
    assert "sum" not in [sheet.subject.kind for sheet in other.sheets]


def test_of_thousands_of_pairs_only_the_one_pointed_at_is_marked() -> None:
    turns = np.linspace(0.0, 2.0 * np.pi, 40, endpoint=False)
    a, b = (Polygon.of(np.column_stack((np.cos(turns + t), np.sin(turns + t))).tolist()) for t in (0.0, 0.05))
    scene = Scene(Body.in_plane(a), Body.in_plane(b, (0.5, 0.2)))
    analysis, view = analyse(scene), View().facing(scene)
    assert analysis.polygon is not None
    view = replace(view, shown=view.shown | {"sum"})
    pictures = build(Context(scene, analysis, view, DARK))
    assert all(sum(len(mark.points) for mark in draw.marks) < 10 for draw in (pictures.world, pictures.difference))
    assert "table" not in vars(analysis.polygon), "pairs that are not shown are not computed"
    for lit in (replace(view, hover=Subject(PAIR_KIND, 777)), replace(view, pin=Subject(PAIR_KIND, 777))):
        shown = build(Context(scene, analysis, lit, DARK))
        assert any(label.text == "a₁₉ − b₁₇" for label in shown.difference.labels)
        assert any(label.text == "a₁₉ + b₁₇" for label in shown.world.labels)


def test_fitted_cameras_are_framed_anew_for_the_sum() -> None:
    view = View()
    assert view.with_toggled("sum").framed_by != view.framed_by
    assert view.with_toggled("grid").framed_by == view.framed_by


def test_one_family_of_axes_is_one_that_the_plane_has() -> None:
    scene, found = flat("flat-hexagon-pentagon"), asked("flat-hexagon-pentagon")
    sat = found.analysis.sat

    def rows_of(view: View) -> set[int]:
        draw = build(Context(scene, found.analysis, replace(view, axis_view=AxisView.FAMILY), DARK)).world
        return {subject.number for part in draw.segments for subject in part.subjects if subject.kind == "axis"}

    start = View().facing(scene)
    assert start.family not in families_of(sat)
    assert {sat.candidates[row].kind.value for row in rows_of(start)} == {sat.candidates[sat.winner].kind.value}
    assert len(rows_of(start)) > 1
    of_b = rows_of(replace(start, family="face of B")) - {sat.winner}
    assert {sat.candidates[row].kind.value for row in of_b} == {"face of B"}


# Files.


def test_files_keep_a_pinned_pair_and_every_digit(tmp_path: Path) -> None:
    scene = flat("flat-hexagon-pentagon")
    view = replace(View().facing(scene), pin=Subject(PAIR_KIND, 3))
    save(tmp_path / "flat.json", scene, view)
    loaded = load(tmp_path / "flat.json")
    assert (loaded.scene, loaded.view) == (scene, view)
    assert read(write(scene, ascii_only=True)).scene == scene


# Hitting and dragging.


def sight_at(x: float, y: float) -> Sight:
    return Sight(np.array((x, y, 5.0)), np.array((0.0, 0.0, -1.0)), np.array((0.0, 0.0, 1.0)))


def test_bodies_and_the_difference_are_hit_where_they_are() -> None:
    scene = Scene(Body.in_plane(SQUARE, (1.0, 0.0), 0.5), Body.in_plane(Circle(0.5), (3.0, 0.0)))
    assert hit_body(scene, 0, sight_at(1.9, 0.1)) == pytest.approx(5.0)
    assert hit_body(scene, 0, sight_at(2.5, 0.0)) is None
    assert hit_body(scene, 1, sight_at(3.3, 0.3)) == pytest.approx(5.0)
    assert hit_body(scene, 1, sight_at(3.4, 0.4)) is None
    assert hit_difference(scene, sight_at(-2.0, 0.0), None) == pytest.approx(5.0)
    assert hit_difference(scene, sight_at(0.0, 0.0), None) is None


def vertex_drag(scene: Scene, number: int, to: tuple[float, float], assist: Assist | None = None):
    gizmo = Gizmo(scene, 0, GizmoTool.MOVE, False)
    tool = gizmo.grab(Handle.VERTEX + number, sight_at(0.0, 0.0))
    assert tool is not None
    return tool, tool.at(sight_at(*to), assist or Assist())


def test_a_vertex_follows_the_pointer_in_a_turned_body() -> None:
    body = Body.in_plane(SQUARE, (1.0, 2.0), 0.7)
    scene = Scene(body, Body.in_plane(Circle(1.0), (5.0, 0.0)))
    tool, change = vertex_drag(scene, 2, (0.2, 0.1))
    assert tool.label == "Move A.v2"
    assert change is not None
    assert change.scene.dimension == 2
    moved = change.scene.a
    was, now = to_world(body, (1.0, 1.0)), to_world(moved, moved.shape.points[2])
    assert np.subtract(now, was) == pytest.approx((0.2, 0.1))
    assert moved.shape.points[:2] == SQUARE.points[:2]
    _, snapped = vertex_drag(scene, 2, (0.23, 0.12), Assist(snap_length=0.25))
    assert snapped is not None
    point = snapped.scene.a.shape.points[2]
    assert np.subtract(to_world(body, point), was) == pytest.approx((0.25, 0.0))
    _, still = vertex_drag(scene, 2, (0.0, 0.0))
    assert still is not None
    assert still.scene is scene


@pytest.mark.parametrize(
    ("axis", "plane", "words", "moved"),
    [
        (0, False, "X only", (0.2, 0.0)),
        (1, False, "Y only", (0.0, 0.1)),
        (0, True, "Y only", (0.0, 0.1)),
        (1, True, "X only", (0.2, 0.0)),
    ],
)
def test_a_key_restricts_a_vertex_as_it_restricts_a_body(
    axis: int, plane: bool, words: str, moved: tuple[float, float]
) -> None:
    scene = Scene(Body.in_plane(SQUARE), Body.in_plane(Circle(1.0), (5.0, 0.0)))
    tool, change = vertex_drag(scene, 2, (0.2, 0.1), Assist(axis=axis, plane=plane))
    assert tool.held_to(axis, plane) == MoveTool(scene, 0, np.zeros(3)).held_to(axis, plane) == words
    assert change is not None
    assert np.subtract(change.scene.a.shape.points[2], (1.0, 1.0)) == pytest.approx(moved)


def test_a_vertex_stops_where_the_polygon_would_not_be_convex() -> None:
    scene = Scene(Body.in_plane(SQUARE), Body.in_plane(Circle(1.0), (5.0, 0.0)))
    for way in ((-1.5, -1.5), (-30.0, -30.0)):
        _, change = vertex_drag(scene, 2, way)
        assert change is not None
        # The other three make a triangle, whose long side goes through the middle: almost there, and still a corner.
        assert change.scene.a.shape.points[2] == pytest.approx((0.01, 0.01), abs=1e-5)
        assert change.readout.endswith("the polygon stays convex")
    _, free = vertex_drag(scene, 2, (0.5, 0.0))
    assert free is not None
    assert free.readout.endswith("in its frame")
    with pytest.raises(ValueError, match="corner"):
        with_vertex(scene.a, 2, (0.0, 0.0))
