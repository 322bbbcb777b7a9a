"""Pictures of the steps, without a GPU: what both panes show is the step's own numbers, and gives nothing away."""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations
from math import radians

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.draw_list import DrawList, Marker, Subject
from app.draw.placed import Rect
from app.draw.theme import DARK, THEMES
from app.io.presets import load_preset, presets
from app.overlays.context import Context
from app.overlays.registry import OVERLAYS
from app.render.pictures import DrawLists, build
from app.render.still import fitted_view, prepared
from app.stages import at_its_step, overlay_is_shown
from app.stages.gjk.pictures import region_name
from app.stages.step_drawing import ARROW_LENGTH, PAST_RING, RING_SHARE, SOURCE_HEAD, tip_of_arrow, together
from app.stages.word_parts import numbered
from app.state.sat_progress import ROW_PARTS
from app.state.view import WHOLE, AxisView, Seen, View, arrange
from app.words.digits import signed, told_together
from app.words.names import vertex_name
from core.analysis.algorithm_settings import AlgorithmSettings
from core.analysis.analysis import analyse
from core.contact.contact import ClipStep, ContactCase, DepthStep, EndsStep, FlatStep, WitnessStep
from core.geometry import quaternion
from core.geometry.vector import Array
from core.minkowski.difference import BuildAction
from core.query.query import Phase, Query, query
from core.sat.sat import AxisStatus
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Ellipsoid, Hull, Sphere
from tests.everything import EVERYTHING

from .step_word_samples import IN_PLANE, OF_ENGINES
from .step_word_samples import asked as asked_by

TURNED = quaternion.from_euler_xyz(0.4, 0.7, 0.2)
PRESETS = tuple(preset.id for preset in presets())
ANSWERS = {"mtv", "closest"}
DEGENERATE = {
    "coincident cubes": Scene(Body(Box((1.0, 1.0, 1.0))), Body(Box((1.0, 1.0, 1.0)))),
    "coincident spheres": Scene(Body(Sphere(1.0)), Body(Sphere(0.5))),
    "touching spheres": Scene(Body(Sphere(1.0)), Body(Sphere(0.5), (1.5, 0.0, 0.0))),
    "touching faces": Scene(Body(Box((1.0, 1.0, 1.0))), Body(Box((1.0, 1.0, 1.0)), (1.0, 0.0, 0.0))),
    "crossing capsules": Scene(Body(Capsule(0.2, 2.0)), Body(Capsule(0.2, 2.0), (0.0, 0.0, 0.0), TURNED)),
    "one capsule in another": Scene(Body(Capsule(0.2, 2.0)), Body(Capsule(0.1, 1.0))),
    "sphere in a capsule's end": Scene(Body(Capsule(0.2, 2.0)), Body(Sphere(0.1), (0.0, 1.0, 0.0))),
    "tiny and far": Scene(
        Body(Box((2e-6, 1e-6, 1e-6)), (1e6, 0.0, 0.0)), Body(Box((1e-6, 1e-6, 1e-6)), (1e6, 1e-6, 0.0))
    ),
    "grain in a hall": Scene(Body(Box((1e6, 1e6, 1e6))), Body(Box((1e-6, 1e-6, 1e-6)), (1.0, 2.0, 3.0), TURNED)),
}
ALL = (*PRESETS, *DEGENERATE)
SETTINGS = AlgorithmSettings(build=True, reduce=True)
SEEN_SHARE = 0.1
"""The least share of a simplex' largest face that its picture in a preset's still has, as an area."""


@cache
def asked(name: str, settings: AlgorithmSettings = SETTINGS) -> Query:
    scene = DEGENERATE[name] if name in DEGENERATE else load_preset(name).scene
    return query(analyse(scene), settings)


def is_flat(found: Query) -> bool:
    return found.analysis.polygon is not None


def picture(found: Query, place: int, **view: object) -> DrawLists:
    shown = replace(View(shown=EVERYTHING), **view)
    return build(Context(found.analysis.scene, found.analysis, shown, DARK, found, place))


def places(found: Query, *phases: Phase) -> list[int]:
    return [place for place, moment in enumerate(found.moments) if moment.phase in phases]


def panes(pictures: DrawLists) -> tuple[DrawList, DrawList]:
    return pictures.world, pictures.difference


def arrays_of(draw: DrawList) -> list[Array]:
    found = [array for s in draw.segments for array in (s.start, s.end, s.start_rgba, s.start_lift, s.end_lift)]
    found += [array for s in draw.solids for array in (s.corners, s.corner_normals, s.rgba)]
    found += [sheet.points for sheet in draw.sheets] + [marks.points for marks in draw.marks]
    return found + [label.point for label in draw.labels]


def subjects_of(draw: DrawList) -> set[Subject]:
    parts = (*draw.segments, *draw.solids, *draw.marks)
    return {subject for part in parts for subject in part.subjects} | {label.subject for label in draw.labels}


def marked(draw: DrawList) -> Array:
    return np.concatenate([np.zeros((0, 3)), *(marks.points for marks in draw.marks)])


def has_row(rows: Array, row: Array) -> bool:
    return bool((rows == row).all(axis=1).any())


def test_the_head_of_an_arrow_towards_the_origin_is_not_under_its_ring() -> None:
    found = asked("skew-edges")
    context = Context(found.analysis.scene, found.analysis, View(), DARK, found, 0)
    usual, way = ARROW_LENGTH * context.extent.radius, np.array((0.48, -0.6, 0.64))
    aside = np.array((0.8, 0.0, -0.6)) * usual
    for share in np.linspace(0.0, 2.0, 41).tolist():
        size = float((tip_of_arrow(context, -share * usual * way, way) + share * usual * way) @ way) / usual
        # The head ends before the ring, or begins beyond it.
        assert size <= share - RING_SHARE + 1e-9 or size >= share + PAST_RING - 1e-9
        assert 0.55 < size < 1.4
        assert np.allclose(tip_of_arrow(context, aside - share * usual * way, way), aside + (1.0 - share) * usual * way)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.sampled(4, "scenes")
def test_every_moment_has_a_picture_of_finite_numbers_and_labels_of_their_own(name):
    found = asked(name)
    for place in range(len(found.moments)):
        drawn = picture(found, place)
        assert [label.text for label in drawn.difference.labels].count("origin") == 1
        for draw in panes(drawn):
            assert all(np.isfinite(array).all() for array in arrays_of(draw))
            texts = [label.text for label in draw.labels]
            assert len(set(texts)) == len(texts), (place, sorted(texts))


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_every_theme_draws_the_same_things(theme):
    found = asked("skew-edges")
    for place in range(len(found.moments)):
        context = Context(found.analysis.scene, found.analysis, View(), theme, found, place)
        drawn, dark = build(context), build(replace(context, theme=DARK))
        for mine, other in zip(panes(drawn), panes(dark), strict=True):
            assert [label.text for label in mine.labels] == [label.text for label in other.labels]
            assert len(mine.segments) == len(other.segments)


def test_steps_have_no_switch_and_no_picture_without_a_query():
    found = asked("skew-edges")
    nothing = View(shown=frozenset())
    assert not any(
        arrays_of(draw) for draw in panes(build(Context(found.analysis.scene, found.analysis, nothing, DARK)))
    )
    assert all(arrays_of(picture(found, place, shown=frozenset()).difference) for place in range(len(found.moments)))


@pytest.mark.parametrize("name", ALL)
@pytest.mark.sampled(4, "scenes")
def test_nothing_of_the_answer_is_drawn_before_it_is_found(name):
    found = asked(name)
    for place in places(found, Phase.BUILD, Phase.SAT, Phase.GJK, Phase.EPA):
        moment = found.moments[place]
        drawn = picture(found, place, axis_view=AxisView.CAGE)
        for draw in panes(drawn):
            subjects = subjects_of(draw)
            # The last step of SAT has the verdict, and its arrow with it.
            if not (moment.last and moment.phase in (Phase.BUILD, Phase.SAT)):
                assert not {subject.kind for subject in subjects} & ANSWERS
            rows = {subject.number for subject in subjects if subject.kind == "axis"}
            if moment.phase is not Phase.SAT:
                assert not rows
            elif draw is drawn.world:
                assert all(row <= moment.step.row for row in rows)


def test_what_belongs_to_the_answer_goes_while_stepping():
    at = {o.id: [phase for phase in Phase if overlay_is_shown(o, phase)] for o in OVERLAYS}
    gone = {name for name, phases in at.items() if not phases}
    assert gone == {"mtv", "closest", "contacts", "manifold", "plane", "resolved", "half_space", "in_view", "single"}
    assert {name for name, phases in at.items() if phases == [Phase.SAT]} == {
        *("axes", "globe", "gauss", "gauss_large", "gauss_body")
    }
    assert at["difference"] == list(Phase)[1:]


def test_an_axis_under_the_pointer_is_not_lit_while_gjk_and_epa_run():
    found = asked("skew-edges")
    for place in places(found, Phase.GJK, Phase.EPA):
        plain, pointed = picture(found, place), picture(found, place, hover=Subject("axis", 3), pin=Subject("axis", 1))
        assert len(plain.difference.segments) == len(pointed.difference.segments)
        assert np.array_equal(plain.difference.solids[0].rgba, pointed.difference.solids[0].rgba)


# SAT


@pytest.mark.parametrize("name", ["skew-edges", "crossed-edges", "stacked-cubes", "capsule-box-edge"])
def test_the_axis_tried_and_the_best_so_far_have_their_separations_as_feet(name):
    found, table = asked(name), asked(name).analysis.sat
    feet = 0
    for place in places(found, Phase.SAT):
        step = found.moments[place].step
        squares = [m.points[0] for m in picture(found, place).difference.marks if m.shape is Marker.SQUARE]
        for row in {step.row, step.best} - {None}:
            if table.statuses[row] is not AxisStatus.DEGENERATE:
                foot = -table.separations[row] * table.sides[row] * table.axes[row]
                assert any(np.array_equal(square, foot) for square in squares)
                feet += 1
    assert feet >= len(places(found, Phase.SAT))


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.sampled(16, "scenes")
def test_an_axis_decides_when_all_are_tried_and_is_the_best_so_far_before(name):
    found = asked(name)
    for place in places(found, Phase.SAT):
        for part in (WHOLE, *ROW_PARTS):
            shown = View(shown=EVERYTHING)
            context = Context(found.analysis.scene, found.analysis, shown, DARK, found, place, part=part)
            words = [label.text for draw in panes(build(context)) for label in draw.labels]
            last = found.moments[place].last and part in (WHOLE, ROW_PARTS[-1])
            said = {word for word in ("best so far", "decides") if any(word in text for text in words)}
            assert said <= {"decides" if last else "best so far"}


def test_a_pinned_axis_does_not_keep_the_picture_from_the_axis_tried():
    found = asked("skew-edges")
    place = places(found, Phase.SAT)[4]
    context = at_its_step(
        Context(found.analysis.scene, found.analysis, View(pin=Subject("axis", 1)), DARK, found, place)
    )
    assert context.resting_focus == found.moments[place].step.row == 4


def test_an_axis_without_direction_leaves_the_best_so_far_in_focus():
    found = asked("stacked-cubes")
    table = found.analysis.sat
    place = next(
        k for k in places(found, Phase.SAT) if table.statuses[found.moments[k].step.row] is AxisStatus.DEGENERATE
    )
    step = found.moments[place].step
    context = at_its_step(Context(found.analysis.scene, found.analysis, View(), DARK, found, place))
    assert context.resting_focus == context.leader == step.best
    assert context.sat_progress.rows.tolist() == [row <= step.row for row in range(len(table.candidates))]


def test_only_the_first_gap_says_that_a_yes_or_no_test_ends_there():
    found = asked("crossed-edges")
    said = [
        place
        for place in places(found, Phase.SAT)
        if any(label.text.startswith("first gap") for label in picture(found, place).world.labels)
    ]
    assert said == [place for place in places(found, Phase.SAT) if found.moments[place].step.first_gap]
    assert len(said) == 1


def test_a_plane_between_the_bodies_has_them_on_its_two_sides():
    found = asked("crossed-edges")
    scene, table = found.analysis.scene, found.analysis.sat
    for place in places(found, Phase.SAT):
        step = found.moments[place].step
        # Those that are no lit faces of the bodies.
        sheets = [s for s in picture(found, place, shown=frozenset()).world.sheets if s.subject.kind != "body"]
        assert bool(sheets) == (step.separation is not None and step.separation > found.analysis.band)
        for sheet in sheets:
            normal = float(table.sides[step.row]) * table.axes[step.row]
            offset = float(sheet.points.mean(axis=0) @ normal)
            for index, sign in ((0, 1.0), (1, -1.0)):
                corners = scene.body(index).pose.to_world(scene.body(index).shape.polyhedron.vertices)
                assert np.all(sign * (offset - corners @ normal) > 0.0)


# GJK and EPA


@pytest.mark.parametrize("name", ALL)
def test_the_points_on_the_bodies_differ_by_the_points_of_the_simplex(name):
    found = asked(name)
    origin = np.array(found.analysis.scene.a.position)
    for place in places(found, Phase.GJK):
        step = found.moments[place].step
        drawn = picture(found, place, shown=frozenset())
        points = [*step.simplex, *([step.support] if step.support is not None else [])]
        for point in points:
            assert np.array_equal(point.a - point.b, point.w)
            assert has_row(marked(drawn.difference), point.w)
        # A line from b to a has its head in the middle, where the second half begins.
        to_middle, from_middle = sources_of(drawn.world)
        assert np.array_equal(to_middle.end, from_middle.start)
        for start, middle, end in zip(to_middle.start, to_middle.end, from_middle.end, strict=True):
            assert any(np.array_equal(start, origin + p.b) and np.array_equal(end, origin + p.a) for p in points)
            assert np.array_equal(middle, 0.5 * (start + end))
        # Where the new point is v itself, v's own line is there.
        near = 0.04 * found.support_maps.extent
        again = step.support is not None and np.abs(step.support.w - step.closest).max() <= near
        assert again or len(to_middle.start) >= len(step.simplex)


def sources_of(world):
    """The lines from b to a, in two halves: up to the arrow head and after it."""
    (row,) = (row for row, lines in enumerate(world.segments) if lines.arrow_end == SOURCE_HEAD)
    return world.segments[row : row + 2]


def step_at(found, place):
    """The step at a place."""
    return found.moments[place].step


@pytest.mark.parametrize("name", PRESETS)
def test_the_witness_points_differ_by_the_closest_point(name):
    found = asked(name)
    for place in places(found, Phase.GJK, Phase.EPA):
        step = step_at(found, place)
        diamonds = [
            marks.points[0] - np.array(found.analysis.scene.a.position)
            for marks in picture(found, place, shown=frozenset()).world.marks
            if marks.shape is Marker.DIAMOND
        ]
        wanted = step.closest is not None and (found.moments[place].phase is Phase.EPA or not step.encloses)
        assert len(diamonds) == (2 if wanted else 0)
        if wanted:
            size = max(1.0, float(np.abs(found.analysis.scene.a.position).max()))
            assert np.allclose(diamonds[0] - diamonds[1], step.closest, rtol=0.0, atol=1e-12 * size)


def _arcs(draw: DrawList) -> list[float]:
    groups = [s for s in draw.segments if s.group >= 0]
    radii = []
    for segments in groups:
        sizes = np.sqrt((segments.start**2).sum(axis=1) + segments.start_lift**2)
        assert np.ptp(sizes) < 1e-9 * sizes.max()
        radii.append(float(sizes.mean()))
    return sorted(radii)


@pytest.mark.parametrize("name", PRESETS)
def test_the_shell_lies_where_the_bounds_do(name):
    found = asked(name)
    for place in places(found, Phase.GJK, Phase.EPA):
        step = step_at(found, place)
        bounds = [] if step.support is None else sorted(b for b in (step.lower, step.upper) if b > 0.0)
        if len(set(told_together(*bounds))) < len(bounds):
            bounds = bounds[:1]  # Bounds that read alike in four digits are one arc.
        assert _arcs(picture(found, place, shown=frozenset()).difference) == pytest.approx(bounds, rel=1e-9)


@pytest.mark.parametrize("name", ["skew-edges", "two-hulls", "capsule-box-edge", "ellipsoids", "stacked-cubes"])
def test_nothing_of_the_cores_difference_lies_beyond_the_support_plane(name):
    found = asked(name)
    rng = np.random.default_rng(4)
    points = np.array([found.support_maps.support(tuple(d)).w for d in rng.normal(size=(200, 3)).tolist()])
    for place in places(found, Phase.GJK, Phase.EPA):
        step = found.moments[place].step
        if step.support is None:
            continue
        direction, level = step.support.direction, float(step.support.w @ step.support.direction)
        heights = [sheet.points @ direction for sheet in picture(found, place, shown=frozenset()).difference.sheets]
        planes = [height for height in heights if len(height) == 4 and np.ptp(height) < 1e-9]
        assert any(np.allclose(height, level, rtol=0.0, atol=1e-9) for height in planes)
        assert (points @ direction).max() <= level + 1e-9


@pytest.mark.parametrize("name", [name for name in PRESETS if is_flat(asked(name))])
def test_a_support_line_has_a_band_on_the_side_where_nothing_of_the_difference_lies(name):
    """So it is seen beside an edge that lies on it. In GJK's pictures the thin line is seen on such an edge too."""
    found = asked(name)
    for place in places(found, Phase.GJK, Phase.EPA):
        support = found.moments[place].step.support
        if support is None:
            continue
        drawn = picture(found, place, shown=frozenset()).difference
        lines = sorted(drawn.segments, key=lambda each: each.layer)
        sides = [number for number, each in enumerate(lines) if each.start_rgba[0].tolist() == list(DARK.winner)]
        ((number, line),) = ((number, each) for number, each in enumerate(lines) if each.sweep is not None)
        assert found.moments[place].phase is Phase.EPA or number > max(sides, default=-1)
        (band,) = (sheet.points for sheet in drawn.sheets if sheet.sweep is not None)
        assert (band[:2] == np.vstack((line.start, line.end))).all()
        heights = (band - support.w) @ support.direction
        assert heights[:2] == pytest.approx(0.0, abs=1e-9)
        assert (heights[2:] > 0.01 * np.ptp(band, axis=0).max()).all()


def test_what_leaves_the_simplex_is_seen_once_more_as_a_ghost():
    found = asked("capsule-box-edge")
    before, after = places(found, Phase.GJK)[2:4]
    gone = {p.xyz for p in found.moments[before].step.simplex} - {p.xyz for p in found.moments[after].step.simplex}
    assert gone
    drawn = marked(picture(found, after, shown=frozenset()).difference)
    assert all(has_row(drawn, np.array(xyz)) for xyz in gone)


@pytest.mark.parametrize("name", [name for name in PRESETS if not is_flat(asked(name))])
def test_the_polytope_has_the_steps_faces_its_horizon_and_its_nearest_face(name):
    found = asked(name)
    for place in places(found, Phase.EPA):
        step = found.moments[place].step
        draw = picture(found, place, shown=frozenset()).difference
        assert [len(solid.corners) for solid in draw.solids] == ([len(step.faces)] if step.faces else [])
        if step.nearest is None:
            continue
        strongest = int(draw.solids[0].rgba[:, 3].argmax())
        assert step.faces[strongest].number == step.nearest.number
        edges = [s for s in draw.segments if s.solid_number == 0]
        assert len(edges) == 1
        assert 2 * len(edges[0].start) == 3 * len(step.faces)
        thick = [s for s in draw.segments if s.width == 4.0]
        assert [len(s.start) for s in thick] == ([len(step.horizon)] if step.horizon else [])


def test_many_faces_are_drawn_without_the_edges_behind_and_names_only_at_the_nearest():
    scene = Scene(Body(Ellipsoid((1.0, 0.6, 0.4))), Body(Ellipsoid((0.5, 0.7, 0.4)), (0.8, 0.3, 0.1), TURNED))
    found = query(analyse(scene))
    place = max(places(found, Phase.EPA), key=lambda k: len(found.moments[k].step.faces))
    assert len(found.moments[place].step.faces) > 60
    assert len(picture(found, place).difference.labels) < 16


def test_radii_are_drawn_where_the_cores_are_kept_apart_from_them_and_only_there():
    for settings, drawn in ((SETTINGS, True), (replace(SETTINGS, rounded="full"), False)):
        found = asked("capsule-box-edge", settings)
        place = places(found, Phase.GJK)[0]
        labels = [label.text for label in picture(found, place).difference.labels]
        assert any(text.startswith("+ radius 0.25") for text in labels) is drawn


# Contacts


@pytest.mark.parametrize("name", PRESETS)
def test_every_cut_corner_is_marked_and_named_by_its_features(name):
    found = asked(name)
    for place in places(found, Phase.CONTACTS):
        step = found.moments[place].step
        draw = picture(found, place, shown=frozenset()).world
        texts = [label.text for label in draw.labels]
        if isinstance(step, ClipStep):
            for point, cut, (on_a, on_b) in zip(step.after, step.cut, step.names, strict=True):
                assert has_row(marked(draw), point)
                assert (f"A.{on_a} | B.{on_b}" in texts) or not cut
            sheet = next(
                sheet.points for sheet in draw.sheets if len(sheet.points) == 4 and _lies_in(sheet.points, step)
            )
            assert np.all(step.after @ step.normal <= step.offset + 1e-9 * (1.0 + abs(step.offset)))
            assert len(sheet) == 4
        elif isinstance(step, DepthStep):
            kept = [text for text in texts if "depth" in text and "dropped" not in text]
            assert len(kept) == sum(step.kept)


@pytest.mark.parametrize(("name", "engine"), [(name, engine) for name in IN_PLANE for engine in OF_ENGINES])
def test_engines_of_the_plane_have_a_picture_of_each_step_with_every_contact_named(name, engine):
    found = asked_by(name, engine)
    for place in places(found, Phase.CONTACTS):
        step, drawn = found.moments[place].step, picture(found, place, shown=frozenset())
        for draw in panes(drawn):
            assert all(np.isfinite(array).all() for array in arrays_of(draw))
        draw = drawn.world
        texts = [label.text for label in draw.labels]
        if isinstance(step, DepthStep | EndsStep):
            told = [label for label in draw.labels if label.subject.kind == "contact"]
            assert len(told) == sum(step.kept)
            assert {label.subject for label in told} == {Subject("contact", k) for k in range(sum(step.kept))}
        if isinstance(step, ClipStep):
            assert f"cut at {'AB'[found.manifold.case is ContactCase.FACE_OF_B]}.{step.side}" in texts
        if isinstance(step, EndsStep):
            assert all(has_row(marked(draw), point) for point in (*step.points_a, *step.points_b))


def _lies_in(points: Array, step: ClipStep) -> bool:
    return bool(np.allclose(points @ step.normal, step.offset, rtol=1e-9, atol=1e-9))


def test_the_manifolds_normal_is_lit_in_the_difference_even_where_another_axis_wins():
    found = asked("skew-edges")
    place = places(found, Phase.CONTACTS)[0]
    context = at_its_step(Context(found.analysis.scene, found.analysis, View(), DARK, found, place))
    assert context.resting_focus == found.analysis.sat.winner
    away = replace(found.moments[place].step, normal=found.analysis.sat.axes[2])
    moments = (*found.moments[:place], replace(found.moments[place], step=away), *found.moments[place + 1 :])
    moved = replace(found, moments=moments)
    other = at_its_step(Context(found.analysis.scene, found.analysis, View(), DARK, moved, place))
    assert other.resting_focus == 2


@pytest.mark.parametrize(("name", "seen"), [("tetrahedra-cross", True), ("capsule-box-edge", False)])
def test_a_contact_between_two_edges_has_both_edges_and_the_nearest_points_unless_it_hides_them(name, seen):
    found = asked(name)
    place = places(found, Phase.CONTACTS)[-1]
    step, drawn = found.moments[place].step, picture(found, place, shown=frozenset()).world
    assert isinstance(step, WitnessStep)
    ends = {(*low, *high) for each in drawn.segments for low, high in zip(each.start, each.end, strict=True)}
    flats = [moment.step for moment in found.moments if isinstance(moment.step, FlatStep)]
    assert {(*flat.outline.points[0], *flat.outline.points[1]) for flat in flats} <= ends
    half = 0.5 * step.contact.depth * found.manifold.normal
    for point in (step.contact.position + half, step.contact.position - half):
        assert has_row(marked(drawn), point) is seen


# The difference built by hand


@pytest.mark.parametrize("name", ["skew-edges", "two-hulls", "capsule-box-edge", "two-spheres", "sphere-centre-inside"])
def test_all_points_so_far_are_there_and_only_the_faces_put_on(name):
    found = asked(name)
    for place in places(found, Phase.BUILD):
        step = found.moments[place].step
        draw = picture(found, place, shown=frozenset()).difference
        points = np.concatenate([marks.points for marks in draw.marks if marks.shape is Marker.DISC])
        assert sorted(map(tuple, points.tolist())) == sorted(map(tuple, step.points.tolist()))
        solid = found.analysis.difference.core
        triangles = sum(len(solid.faces[face]) - 2 for face in step.faces)
        # About the hull stands the surface of rounded bodies, once it is closed.
        put_on = [s for s in draw.solids if not s.smooth]
        assert sum(int((s.rgba[:, 3] > 0.0).sum()) for s in put_on) == triangles


def test_a_copy_of_minus_b_stands_at_the_newest_vertex_of_a():
    found = asked("skew-edges")
    scene = found.analysis.scene
    for place in places(found, Phase.BUILD):
        step = found.moments[place].step
        if step.action is not BuildAction.SUBTRACT:
            continue
        draw = picture(found, place, shown=frozenset()).difference
        copies = [s for s in draw.segments if s.width == 2.2]
        assert [len(s.start) for s in copies] == [len(scene.b.shape.polyhedron.edges)]
        newest = step.points[-step.newest :]
        assert all(has_row(newest, point) for point in np.concatenate((copies[0].start, copies[0].end)))


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.sampled(4, "scenes")
def test_no_amount_has_two_signs_in_one_picture(name):
    found = asked(name)
    # Signs say on which side of a line a vertex is.
    for place in sorted({*range(len(found.moments))} - {*places(found, Phase.PLANES)}):
        words = "  ".join(label.text for draw in panes(picture(found, place)) for label in draw.labels)
        numbers = re.findall(r"(?<![\w.])([+−]?)(\d*\.\d+)", re.sub(r"\(.*?\)", "", words))
        signs = {size: {sign for sign, other in numbers if other == size} for _, size in numbers}
        assert not {size: both for size, both in signs.items() if len(both) > 1}
        assert found.moments[place].phase is not Phase.SAT or not any(sign for sign, _ in numbers)


@pytest.mark.parametrize("name", ["skew-edges", "capsule-box-edge"])
def test_a_face_that_is_not_yet_tried_is_fainter_and_no_hole(name):
    found = asked(name)
    table, difference = found.analysis.sat, found.analysis.difference
    first = places(found, Phase.SAT)[0]
    tried = table.same_as[difference.face_axes] == table.same_as[found.moments[first].step.row]
    fill = picture(found, first).difference.solids[0]
    opacity = dict(zip(fill.subjects, fill.rgba[:, 3].tolist(), strict=True))
    own = {Subject("axis", row) for row in difference.face_axes[tried].tolist()}
    others = [alpha for subject, alpha in opacity.items() if subject.kind == "axis" and subject not in own]
    assert 0.1 < min(others) == max(others) < 0.3 < min(opacity[subject] for subject in own)


# Names


def test_names_of_points_and_regions():
    assert numbered("w", 12) == "w₁₂"
    assert numbered("w", None) == "w"
    assert [signed(value) for value in (0.25, -1.0, 0.0)] == ["+0.25", "−1", "0"]
    corners = ("w₀", "w₁", "w₂", "w₃")
    assert [region_name(corners[:count]) for count in (1, 2, 3, 4)] == [
        "vertex w₀",
        "edge w₀w₁",
        "face w₀w₁w₂",
        "inside",
    ]
    hull = Hull.of(np.array(((1.0, 0.0, 0.0), (-1.0, 0.2, 0.0), (0.0, 1.0, 0.3), (0.1, -0.2, 1.0))))
    shapes = (Box((1.0, 1.0, 1.0)), hull, Capsule(0.1, 1.0), Sphere(1.0))
    assert [vertex_name(Body(shape), "A", 1) for shape in shapes] == ["A.v1", "A.v1", "A.end1", "A.centre"]
    assert vertex_name(Body(Ellipsoid((1.0, 1.0, 2.0))), "B", -1, 2) == "b₂"


def test_points_close_together_have_one_name_unless_they_are_two_vertices():
    rows = np.array(((0.0, 0.0, 0.0), (0.001, 0.0, 0.0), (1.0, 0.0, 0.0)))
    assert together(rows, [-1, -1, -1], 0.01) == {0: [0, 1], 2: [2]}
    assert together(rows, [3, 4, 3], 0.01) == {0: [0], 1: [1], 2: [2]}


@pytest.mark.parametrize(("name", "step"), [("skew-edges", 2), ("skew-edges", 3), ("two-hulls", 4)])
def test_the_lower_bound_is_named_at_the_mark_of_the_nearest_face(name: str, step: int) -> None:
    found = asked(name)
    _, draw = panes(picture(found, places(found, Phase.EPA)[step]))
    (bound,) = [label for label in draw.labels if label.text.startswith("depth ≥")]
    (diamond,) = [marks.points[0] for marks in draw.marks if marks.shape is Marker.DIAMOND]
    assert bound.point == pytest.approx(diamond, abs=1e-9)
    assert bound.lift == pytest.approx(0.0, abs=1e-12)
    # Other ends of its broken arc might lie in a gap.
    assert len(bound.other_anchors) == 0


def least_share(view: View, asked: Query) -> float:
    """Of GJK's triangles and tetrahedra in its stills, the least share of their largest face that is seen; else 1."""
    places = [place for place, each in enumerate(asked.moments) if each.phase is Phase.GJK]
    if not places:
        return 1.0
    seen, size = prepared(Seen(asked.analysis.scene, asked.analysis, view, DARK, asked, places[0])), (1280, 800)
    panes = arrange(fitted_view(seen, size, 1.0) if view.fitted else view, Rect(0, 0, *size), 0.5)
    projection, shares = panes[-1].projection, [1.0]
    for corners in (np.array([point.w for point in asked.moments[place].step.simplex]) for place in places):
        scale = projection.pixels_per_unit(corners.mean(axis=0)) ** 2
        faces = [list(face) for face in combinations(range(len(corners)), 3)]
        pixels = projection.project(corners) * (1.0, 1.0, 0.0)
        drawn, whole = (
            [float(np.linalg.norm(np.cross(at[face][1] - at[face][0], at[face][2] - at[face][0]))) for face in faces]
            for at in (pixels, corners)
        )
        shares += [max(drawn) / (scale * max(whole))] if faces and max(whole) > 0.0 else []
    return min(shares)


@pytest.mark.sampled(8, "pictures")
@pytest.mark.parametrize("name", PRESETS)
def test_no_simplex_of_a_preset_is_seen_from_its_edge(name: str) -> None:
    """The stills, films and the window have one direction, the preset's."""
    loaded = load_preset(name)
    if loaded.scene.dimension == 3:
        assert least_share(loaded.view or View(), query(analyse(loaded.scene))) >= SEEN_SHARE


def test_a_simplex_seen_from_its_edge_is_found() -> None:
    """The direction that the preset once had: the triangle of step 3 was a line."""
    loaded = load_preset("cube-on-corner")
    assert loaded.view is not None
    turned = loaded.view.turned(radians(30.0), radians(18.0))
    assert least_share(turned, query(analyse(loaded.scene))) < 0.5 * SEEN_SHARE
