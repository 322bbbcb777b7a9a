"""The Gauss map's inset: points, arcs and crossings are those of the core's map, and what is missing is said."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.draw_list import DrawList, Layer, Marker, Subject
from app.draw.layout import layout
from app.draw.layout.labels import FAINT_TEXT
from app.draw.placed import PlacedPane, Rect
from app.draw.text import measure
from app.draw.theme import DARK, THEMES
from app.io.presets import load_preset
from app.overlays.context import Context
from app.overlays.gauss_drawing import (
    ARC_STEP,
    LEGEND,
    LIT,
    LIT_ARCS,
    MANY_ARCS,
    MARK,
    MOST_CROSSINGS,
    RADIUS,
    SMALL_STAR,
    STAR,
    arcs,
    crossings_of,
    map_notes,
)
from app.render.frame import GAUSS_MAP, GLOBE, INSET_CAMERA, FrameBuilder, FrameTimings, PictureInput, taken_corner
from app.render.framing import Covered, framed
from app.render.pictures import build
from app.state.view import DEFAULT_OVERLAYS, Seen, View
from app.words.axis_words import arc_reasons, arc_sentence, arcs_in_short
from app.words.names import axis_name, named_axis
from core.analysis.analysis import analyse
from core.geometry import quaternion
from core.pair.cores import core_of, cores_of
from core.query.query import Phase, query
from core.sat.sat import AxisKind, AxisStatus
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Shape, Sphere

TURNED = quaternion.from_euler_xyz(0.4, 0.7, 0.2)
CORNERS = np.array(((1.0, 0.0, 0.0), (-1.0, 0.2, 0.0), (0.0, 1.0, 0.3), (0.1, -0.2, 1.0), (0.6, 0.5, 0.9)))
BOXES = Scene(Body(Box((2.0, 1.0, 1.0))), Body(Box((1.0, 1.0, 1.5)), (1.1, 0.5, 0.2), TURNED))
ALIGNED = Scene(Body(Box((1.0, 1.0, 1.0))), Body(Box((1.0, 1.0, 1.0)), (0.8, 0.3, 0.2)))
HULLS = Scene(Body(Hull.of(CORNERS)), Body(Hull.of(-0.8 * CORNERS), (0.5, 0.4, 0.1), TURNED))
WITH_CAPSULE = Scene(Body(Capsule(0.3, 1.0)), Body(Box((1.0, 1.0, 1.0)), (0.9, 0.4, 0.1), TURNED))
SHOWN = frozenset({"gauss"})


def ball(count: int, seed: int) -> Hull:
    points = np.random.default_rng(seed).normal(size=(count, 3))
    return Hull.of(points / np.sqrt((points**2).sum(axis=1))[:, None])


BIG = Scene(Body(ball(60, 1)), Body(ball(50, 2), (1.1, 0.5, 0.2), TURNED))


def context_of(scene: Scene, **view: object) -> Context:
    return Context(scene, analyse(scene), replace(View(shown=SHOWN), **view), DARK)


def marks_of(draw: DrawList) -> dict[int, np.ndarray]:
    """Points by row of the axis table."""
    found: dict[int, list[np.ndarray]] = {}
    for marks in draw.marks:
        for subject, point in zip(marks.subjects, marks.points, strict=True):
            if subject.kind == "axis":
                found.setdefault(subject.number, []).append(point / RADIUS)
    return {row: np.array(points) for row, points in found.items()}


def test_two_boxes_show_every_axis_at_both_of_its_ends() -> None:
    context = context_of(BOXES)
    found, table = marks_of(build(context).globe), context.analysis.sat
    assert set(found) == set(range(15))
    for row, points in found.items():
        assert points.shape == (2, 3)
        assert np.allclose(points[0], -points[1], atol=1e-12)
        assert abs(points[0] @ table.axes[row]) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("scene", [BOXES, HULLS, WITH_CAPSULE], ids=["boxes", "hulls", "capsule"])
def test_a_crossing_lies_on_both_its_arcs_and_on_its_axis(scene: Scene) -> None:
    context = context_of(scene)
    found, cores, table = crossings_of(context), cores_of(scene.a, scene.b), context.analysis.sat
    assert found is not None
    assert len(found.rows) > 3
    for point, row, edges in zip(found.points, found.rows.tolist(), found.edges.tolist(), strict=True):
        assert table.candidates[row].kind is AxisKind.EDGES
        assert abs(point @ table.axes[row]) == pytest.approx(1.0, abs=1e-12)
        for core, sign, edge in zip(cores, (1.0, -1.0), edges, strict=True):
            pieces, owners = arcs(core, sign)
            # Between two of the arc's points, so no farther from the nearest than one of its steps.
            cosines = pieces[owners == edge].reshape(-1, 3) @ point
            assert np.arccos(min(cosines.max(), 1.0)) <= ARC_STEP + 1e-9
            assert point @ core.edge_units[edge] == pytest.approx(0.0, abs=1e-12)


def test_every_edge_row_of_the_table_has_its_crossing() -> None:
    for scene in (BOXES, HULLS, WITH_CAPSULE):
        context = context_of(scene)
        found, table = crossings_of(context), context.analysis.sat
        rows = {k for k, candidate in enumerate(table.candidates) if candidate.kind is AxisKind.EDGES}
        assert found is not None
        assert set(found.rows.tolist()) == rows


def test_an_arc_joins_the_normals_of_its_two_faces_by_the_short_way() -> None:
    for scene, sign in ((BOXES, 1.0), (HULLS, -1.0)):
        core = core_of(scene.b, "B", np.zeros(3))
        pieces, owners = arcs(core, sign)
        assert np.allclose((pieces**2).sum(axis=2), 1.0)
        for edge, (left, right) in enumerate(core.solid.edge_faces.tolist()):
            mine = pieces[owners == edge]
            assert np.allclose(mine[0, 0], sign * core.solid.normals[left])
            assert np.allclose(mine[-1, 1], sign * core.solid.normals[right], atol=1e-9)
            assert np.allclose(mine[1:, 0], mine[:-1, 1])
            angle = np.arccos(np.clip(core.solid.normals[left] @ core.solid.normals[right], -1.0, 1.0))
            assert np.arccos(np.clip((mine[:, 0] * mine[:, 1]).sum(axis=1), -1.0, 1.0)).sum() == pytest.approx(
                angle, abs=1e-6
            )


def test_a_capsule_is_one_great_circle_without_faces() -> None:
    context = context_of(WITH_CAPSULE)
    core = core_of(WITH_CAPSULE.a, "A", np.zeros(3))
    pieces, _ = arcs(core, 1.0)
    assert np.allclose(pieces @ core.edge_units[0], 0.0, atol=1e-12)
    turns = np.arccos(np.clip((pieces[:, 0] * pieces[:, 1]).sum(axis=1), -1.0, 1.0))
    assert turns.sum() == pytest.approx(2.0 * np.pi, abs=1e-6)
    assert "A: a segment, one circle" in {label.text for label in build(context).globe.labels}


@pytest.mark.parametrize("scene", [BOXES, HULLS, WITH_CAPSULE], ids=["boxes", "hulls", "capsule"])
def test_the_axis_in_focus_is_marked_at_both_ends_the_large_mark_and_the_name_from_a_towards_b(scene: Scene) -> None:
    table = analyse(scene).sat
    for row, candidate in enumerate(table.candidates):
        draw = build(context_of(scene, hover=Subject("axis", row))).globe
        (label,) = [label for label in draw.labels if label.bold and label.text == named_axis(candidate.label)]
        outward = table.sides[row] * table.axes[row]
        assert np.allclose(label.point, RADIUS * outward)
        radii: dict[bool, set[float]] = {True: set(), False: set()}
        for marks in draw.marks:
            for point in marks.points[[table.same_as[each.number] == table.same_as[row] for each in marks.subjects]]:
                assert abs(point @ outward) == pytest.approx(RADIUS)
                radii[bool(point @ outward > 0.0)].add(marks.radius)
        assert radii == {True: {LIT}, False: {MARK}}


def test_of_opposite_faces_of_a_hull_that_along_the_answer_has_the_large_mark() -> None:
    scene = load_preset("two-hulls").scene
    context = context_of(scene)
    table = context.analysis.sat
    assert table.sides[table.winner] == -1.0
    large = [marks for marks in build(context).globe.marks if marks.radius == LIT]
    (face,) = [each.number for marks in large for each in marks.subjects]
    assert face != table.winner
    assert table.same_as[face] == table.winner
    assert np.allclose(table.axes[face], -table.axes[table.winner])
    assert all(marks.fill[3] == 1.0 for marks in large)


def test_the_axis_in_focus_lights_both_its_arcs() -> None:
    context = context_of(BOXES, hover=Subject("axis", 10))
    found = crossings_of(context)
    assert found is not None
    strong = [batch for batch in build(context).globe.segments if batch.layer is Layer.NORMAL]
    assert len(strong) == 2
    for index, batch in enumerate(strong):
        core = core_of(BOXES.body(index), "AB"[index], np.zeros(3))
        pieces, owners = arcs(core, -1.0 if index else 1.0)
        lit = pieces[np.isin(owners, found.edges[found.rows == 10, index])]
        assert np.allclose(batch.start, LIT_ARCS * lit[:, 0])


@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        (Sphere(1.0), Sphere(0.5), ["A: a point, B: a point, no arcs"]),
        (Cone(0.5, 1.0), Ellipsoid((0.5, 0.3, 0.8)), ["A: cone, B: ellipsoid, no arcs"]),
        (Box((1.0, 1.0, 1.0)), Cylinder(0.5, 1.0), ["B: cylinder, no arcs"]),
        (HalfSpace((0.0, 1.0, 0.0), 0.1), Box((1.0, 1.0, 1.0)), ["A: half-space, no arcs"]),
        (Box((1.0, 1.0, 1.0)), Box((1.0, 1.0, 1.0)), ["no arcs cross: face normals cover these axes"]),
    ],
)
def test_what_the_map_cannot_show_is_said(a: Shape, b: Shape, words: list[str]) -> None:
    context = context_of(Scene(Body(a), Body(b, (0.4, 0.7, 0.2))))
    texts = [label.text for label in build(context).globe.labels]
    assert set(words) <= set(texts)


def test_it_counts_the_pairs_that_cross() -> None:
    texts = {label.text for label in build(context_of(BOXES)).globe.labels}
    assert "○ 18 of 144 pairs of arcs cross" in texts
    context = context_of(HULLS)
    found = crossings_of(context)
    cores = cores_of(HULLS.a, HULLS.b)
    assert found is not None
    tried = len(cores[0].solid.edges) * len(cores[1].solid.edges)
    assert map_notes(context, cores, found) == [f"○ {len(found.rows)} of {tried} pairs of arcs cross"]


def test_the_best_axis_so_far_is_a_star_at_both_ends_the_larger_one_from_a_towards_b() -> None:
    scene = load_preset("two-hulls").scene
    analysis = analyse(scene)
    asked = query(analysis)
    place = 1 + next(place for place, moment in enumerate(asked.moments) if moment.phase is Phase.SAT)
    step = asked.moments[place].step
    assert step.best != step.row
    draw = build(Context(scene, analysis, View(shown=SHOWN), DARK, asked, place)).globe
    outward = analysis.sat.sides[step.best] * analysis.sat.axes[step.best]
    stars = {marks.radius: marks.points @ outward for marks in draw.marks if marks.shape is Marker.STAR}
    assert stars.keys() == {STAR, SMALL_STAR}
    assert np.allclose(stars[STAR], RADIUS)
    assert np.allclose(stars[SMALL_STAR], -RADIUS)


def test_covered_edges_that_are_pointed_at_light_the_faces_that_have_their_direction() -> None:
    table = analyse(ALIGNED).sat
    row = next(k for k in range(6, 15) if table.statuses[k] is not AxisStatus.DEGENERATE)
    draw = build(context_of(ALIGNED, hover=Subject("axis", row))).globe
    lit = {each.number for marks in draw.marks for each in marks.subjects if marks.radius == LIT}
    assert lit == {each for each in range(6) if table.same_as[each] == table.same_as[row]} != set()
    assert axis_name(table, row) in {label.text for label in draw.labels}
    assert f"{axis_name(table, row)}: {arcs_in_short(analyse(ALIGNED), row)}" in {label.text for label in draw.labels}
    nothing = next(k for k in range(6, 15) if table.statuses[k] is AxisStatus.DEGENERATE)
    assert nothing not in marks_of(build(context_of(ALIGNED, hover=Subject("axis", nothing))).globe)


@pytest.mark.parametrize("scene", [BOXES, ALIGNED, HULLS, WITH_CAPSULE], ids=["boxes", "aligned", "hulls", "capsule"])
def test_every_edge_row_says_what_its_arcs_do(scene: Scene) -> None:
    context = context_of(scene)
    found, analysis = crossings_of(context), context.analysis
    assert found is not None
    for row, candidate in enumerate(analysis.sat.candidates):
        sentence, short = arc_sentence(analysis, row), arcs_in_short(analysis, row)
        if candidate.kind is not AxisKind.EDGES:
            assert (sentence, short, arc_reasons(analysis, row)) == ("", "", None)
        elif (found.rows == row).any():
            assert "cross" in sentence
            assert "build" in sentence
            assert short == ""
        else:
            assert "build" not in sentence
            assert short


def test_edges_of_aligned_boxes_are_parallel_or_covered_by_a_face() -> None:
    analysis = analyse(ALIGNED)
    for row in range(6, 15):
        parallel = analysis.sat.statuses[row] is AxisStatus.DEGENERATE
        assert ("parallel" in arc_sentence(analysis, row)) == parallel
        assert ("normal of that face" in arc_sentence(analysis, row)) == (not parallel)


def test_large_hulls_are_thinned_out() -> None:
    context = context_of(BIG)
    found = crossings_of(context)
    assert found is not None
    assert sum(len(core.solid.edges) for core in cores_of(BIG.a, BIG.b)) > MANY_ARCS
    assert len(found.rows) > MOST_CROSSINGS
    draw = build(context).globe
    shown = marks_of(draw)
    assert len(shown) <= MOST_CROSSINGS + 1
    worst = min(shown, key=lambda row: context.analysis.sat.separations[row])
    left = set(found.rows.tolist()) - set(shown)
    assert max(context.analysis.sat.separations[list(left)]) <= context.analysis.sat.separations[worst]
    assert len(draw.labels) <= 2 + len(LEGEND)
    last = min(left)
    assert last in marks_of(build(context_of(BIG, hover=Subject("axis", last))).globe)


def test_at_a_step_of_sat_the_axis_tried_is_in_focus() -> None:
    analysis = analyse(BOXES)
    asked = query(analysis)
    steps = [place for place, moment in enumerate(asked.moments) if moment.phase is Phase.SAT]
    for place in steps[:-1]:
        step = asked.moments[place].step
        context = Context(BOXES, analysis, View(shown=SHOWN), DARK, asked, place)
        draw = build(context).globe
        axes = [(s.number, marks) for marks in draw.marks for s in marks.subjects if s.kind == "axis"]
        assert {row for row, marks in axes if marks.radius > MARK} == {step.row, step.best}
        assert {row for row, marks in axes if marks.shape is Marker.STAR} == {step.best}
        assert max(row for row, _ in axes) <= step.row
    beyond = Context(BOXES, analysis, View(shown=SHOWN), DARK, asked, len(asked.moments) - 1)
    assert beyond.moment is not None
    assert beyond.moment.phase is not Phase.SAT
    assert not build(beyond).globe.marks


def test_the_free_axis_is_on_the_map() -> None:
    free = (0.48, -0.6, 0.64)
    draw = build(context_of(BOXES, free=free)).globe
    (marks,) = [marks for marks in draw.marks if marks.subjects[0].kind == "free_axis"]
    assert np.allclose(marks.points / RADIUS, (free, np.negative(free)))


def test_it_stands_in_the_globes_place_and_in_every_theme() -> None:
    for theme in THEMES:
        both = replace(context_of(BOXES, shown=SHOWN | {"globe"}), theme=theme)
        alone = replace(context_of(BOXES), theme=theme)
        assert len(build(both).globe.marks) == len(build(alone).globe.marks) > 0


@pytest.mark.parametrize(("width", "height"), [(1280, 780), (900, 780), (900, 560), (700, 420), (420, 900), (330, 330)])
def test_the_insets_cover_neither_each_other_nor_the_edges(width: int, height: int) -> None:
    analysis = analyse(BOXES)
    view = framed(Seen(BOXES, analysis, View(shown=DEFAULT_OVERLAYS | SHOWN), DARK), (width, height))
    builder = FrameBuilder()

    def lines(shown: frozenset[str]) -> list[np.ndarray]:
        looked = replace(view, shown=shown)
        builder.build(
            PictureInput(BOXES, analysis, looked, DARK, area=Rect(0, 0, width, height), density=1.0), FrameTimings()
        )
        placed = builder.placed[0].lines
        return [np.array((placed.start, placed.end))]

    def extent(inset: str) -> tuple[np.ndarray, np.ndarray] | None:
        (drawn,) = lines(frozenset({inset}))
        points = drawn.reshape(-1, 2)
        return (points.min(axis=0), points.max(axis=0)) if len(points) else None

    gauss, triad = extent("gauss"), extent("triad")
    pane = builder.panes[0].rect
    for found in (gauss, triad):
        if found is not None:
            assert (found[0] >= 0.0).all()
            assert (found[1] <= (pane.width, pane.height)).all()
    if gauss is not None and triad is not None:
        assert gauss[1][1] < triad[0][1]
    side = 0.0 if gauss is None else float((gauss[1] - gauss[0]).max())
    assert side <= GAUSS_MAP
    if min(pane.width, pane.height) >= 2 * GLOBE:
        assert side > 0.7 * GLOBE


@pytest.mark.parametrize("side", [176, 200, 220, 256, 300, 330])
def test_the_legend_stands_in_the_corner_at_every_size(side: int) -> None:
    globe = build(Context(BOXES, analyse(BOXES), View(shown=DEFAULT_OVERLAYS | {"gauss"}), DARK)).globe
    density = side / GAUSS_MAP
    placed = layout(globe, INSET_CAMERA, side, side, density, measure, DARK.halo)
    told = [words for words, _, _ in LEGEND]
    legend = [label for label in placed.labels if label.text in told]
    assert [label.text for label in sorted(legend, key=lambda label: label.x)] == told
    for label, (near, far) in zip(sorted(legend, key=lambda label: label.x), ((0.0, 0.3), (0.7, 1.0)), strict=True):
        assert label.y + label.height < 0.15 * side
        assert label.x >= near * side
        assert label.x + label.width <= far * side


def test_the_mark_in_focus_is_over_all_others() -> None:
    for row in (0, 3, 8):
        batches = [batch.subjects for batch in build(context_of(BOXES, hover=Subject("axis", row))).globe.marks]
        lit = [place for place, subjects in enumerate(batches) if Subject("axis", row) in subjects]
        assert not lit or lit[-1] == len(batches) - 1


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_the_rim_and_the_arcs_are_opaque_on_a_ground_and_have_its_colour_on_no_other(theme) -> None:
    # Their pieces overlap where they meet: translucent ones would add up to dots there.
    draw = build(replace(context_of(BOXES), theme=theme)).globe
    assert [solid.outline[3] for solid in draw.solids] == [1.0]
    assert {float(alpha) for batch in draw.segments for alpha in batch.start_rgba[:, 3]} == {1.0}
    placed = layout(draw, INSET_CAMERA, 220, 220, 1.0, measure, theme.halo)
    lines = placed.lines.start_rgba[: len(placed.lines.dash) - placed.leaders]
    assert set(lines[:, 3].tolist()) == {1.0}, "arcs behind the sphere too"
    clear = build(replace(context_of(BOXES), theme=theme.without_ground())).globe
    assert [solid.outline[:3] for solid in clear.solids] == [theme.difference_edge[:3]]
    colours = {tuple(rgba[:3]) for batch in clear.segments for rgba in batch.start_rgba.tolist()}
    assert colours <= {tuple(theme.edge(index)[:3]) for index in (0, 1)}


def test_marks_are_no_higher_than_the_letters_beside_them() -> None:
    for row in range(15):
        draw = build(context_of(BOXES, hover=Subject("axis", row))).globe
        letters = min(label.size for label in draw.labels)
        assert max(marks.radius for marks in draw.marks) <= 0.5 * letters


@pytest.mark.parametrize("size", [(1280, 538), (1024, 746), (1280, 778)])
def test_beside_the_map_the_pair_stays_large(size: tuple[int, int]) -> None:
    covered = Covered(62.0, 30.0, (344.0, 140.0))
    shares = []
    for name in ("crossed-edges", "face-touch", "balls-head-on", "ball-from-inside", "quarter-turns"):
        scene = load_preset(name).scene
        view = View(shown=DEFAULT_OVERLAYS | {"gauss"})
        corner = taken_corner(scene, view, Rect(0, 0, *size), 1.0, 0.5, covered)
        seen = Seen(scene, analyse(scene), view, DARK)
        alone, beside = (framed(seen, size, covered=replace(covered, corner=each)) for each in ((0.0, 0.0), corner))
        shares.append(alone.world.distance / beside.world.distance)
    assert min(shares) > 0.7
    assert sum(shares) > 0.82 * len(shares)


def laid_map(scene: Scene, **view: object) -> tuple[DrawList, PlacedPane]:
    draw = build(context_of(scene, **view)).globe
    return draw, layout(draw, INSET_CAMERA, 400, 400, 1.0, measure, DARK.halo)


@pytest.mark.parametrize("name", ["crossed-edges", "skew-edges", "two-hulls"])
def test_no_arc_reaches_beyond_the_spheres_outline(name: str) -> None:
    draw, placed = laid_map(load_preset(name).scene)
    lines, (sphere,) = placed.lines, draw.solids
    rim = np.isclose(lines.start_rgba, sphere.outline).all(axis=1)
    arcs_drawn = ~rim & (np.arange(len(rim)) < len(rim) - placed.leaders)
    outer = np.hypot(*(lines.start[rim] - 200.0).T).max() + 0.5 * sphere.outline_width
    for ends in (lines.start, lines.end):
        reach = np.hypot(*(ends[arcs_drawn] - 200.0).T) + 0.5 * lines.width[arcs_drawn]
        assert reach.max() <= outer


def test_a_box_s_face_is_named_at_its_end_before_the_sphere_and_another_behind_it_is_pale() -> None:
    for scene, both_ends in ((load_preset("skew-edges").scene, True), (HULLS, False)):
        draw, placed = laid_map(scene)
        found = [label for label in placed.labels if draw.labels[label.number].kind == "axis-names" and not label.bold]
        assert found
        pale = 0
        for label in found:
            own = draw.labels[label.number].at(label.anchor)
            # INSET_CAMERA sees the sphere from far away, so that what faces it is before the sphere's middle.
            before = INSET_CAMERA.basis()[2] @ own.point >= 0.0
            assert label.rgba[3] == pytest.approx(1.0 if before else FAINT_TEXT)
            pale += not before
        assert (pale == 0) == both_ends
