"""A picture of the viewport: panes, what is rebuilt when, the overlaid difference, insets, and stills."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.draw_list import DrawList, Subject
from app.draw.placed import Rect
from app.draw.theme import DARK, THEMES, theme_named
from app.input.gizmo import Gizmo, GizmoTool
from app.io.presets import default_scene, load_preset
from app.render.frame import FrameBuilder, FrameTimings, PictureInput, joined_lists
from app.render.framing import Covered, all_in_sight, brought_back, framed
from app.render.still import expose_still, planned
from app.state.view import Pane, Panes, Seen, View, arrange
from core.analysis.analysis import analyse
from core.trace import run

SCENE = default_scene().scene
ANALYSIS = analyse(SCENE)
AREA = Rect(0, 20, 1280, 780)
VIEW = framed(Seen(SCENE, ANALYSIS, View(), DARK), (AREA.width, AREA.height))
SHOWN = PictureInput(SCENE, ANALYSIS, VIEW, theme_named("dark"), area=AREA, density=1.0)


def built(*states: PictureInput) -> tuple[FrameBuilder, list[bool]]:
    builder = FrameBuilder()
    return builder, [builder.build(shown, FrameTimings()) for shown in states]


def subjects(builder: FrameBuilder, pane: int = 0) -> set[str]:
    placed = builder.placed[pane]
    parts = (*placed.lines.subjects, *placed.triangles.subjects, *placed.marks.subjects)
    return {subject.kind for subject in parts}


def test_nothing_changed_nothing_is_done() -> None:
    _, changed = built(SHOWN, SHOWN, replace(SHOWN))
    assert changed == [True, False, False]


def test_only_the_pane_whose_camera_moved_is_laid_out_again() -> None:
    builder, _ = built(SHOWN)
    first = builder.placed
    moved = replace(VIEW, world=replace(VIEW.world, distance=VIEW.world.distance * 1.1))
    assert builder.build(replace(SHOWN, view=moved), FrameTimings())
    assert builder.placed[0] is not first[0]
    assert builder.placed[1] is first[1]


def test_pointing_at_an_axis_changes_both_panes() -> None:
    hovered = replace(VIEW, hover=Subject("axis", 2))
    builder, _ = built(SHOWN)
    first = builder.placed
    assert builder.build(replace(SHOWN, view=hovered), FrameTimings())
    assert builder.placed[0] is not first[0]
    assert builder.placed[1] is not first[1]


def test_the_triad_that_is_kept_is_the_one_that_belongs_there() -> None:
    # Few labels: where one stood before it may stay with a line to its point, elsewhere than in a first frame.
    view = replace(VIEW, shown=frozenset({"triad", "bodies", "grid"}))
    start = replace(SHOWN, view=view)
    hovered = replace(start, view=replace(view, hover=Subject("axis", 2)))
    turned = replace(hovered, view=hovered.view.turned(0.3, 0.2))
    light = replace(turned, theme=theme_named("light"))
    dense = replace(light, density=2.0)
    builder, _ = built(start)
    for shown in (
        hovered,
        turned,
        light,
        dense,
        replace(dense, view=replace(dense.view, shown=view.shown - {"triad"})),
    ):
        builder.build(shown, FrameTimings())
        fresh, _ = built(shown)
        for kept, new in zip(builder.placed, fresh.placed, strict=True):
            assert np.array_equal(kept.lines.start, new.lines.start)
            assert np.array_equal(kept.lines.start_rgba, new.lines.start_rgba)
            assert [label.text for label in kept.labels] == [label.text for label in new.labels]


def test_the_gizmo_is_in_the_world_alone() -> None:
    builder, _ = built(replace(SHOWN, gizmo=Gizmo(SCENE, 1, GizmoTool.ROTATE, False)))
    assert "gizmo" in subjects(builder, 0)
    assert "gizmo" not in subjects(builder, 1)


def test_panes_fill_the_area_without_a_gap() -> None:
    for divider in (0.0, 0.3, 0.5, 0.97):
        world, difference = arrange(VIEW, AREA, divider)
        assert world.rect.x == AREA.x
        assert world.rect.x + world.rect.width == difference.rect.x
        assert difference.rect.x + difference.rect.width == AREA.x + AREA.width
        assert min(world.rect.width, difference.rect.width) > 0.1 * AREA.width


def test_in_a_tall_area_the_panes_stand_one_above_the_other_and_each_shows_its_picture() -> None:
    area = Rect(10, 20, 400, 780)
    for divider in (0.0, 0.3, 0.5, 0.97):
        world, difference = arrange(VIEW, area, divider)
        assert (world.rect.x, world.rect.y, world.rect.width) == (10, 20, 400)
        assert (difference.rect.x, difference.rect.width) == (10, 400)
        assert world.rect.y + world.rect.height == difference.rect.y
        assert difference.rect.y + difference.rect.height == 800
        assert min(world.rect.height, difference.rect.height) > 0.1 * area.height
    covered = Covered(70.0, 40.0, (0.9 * area.width, 90.0))
    view = framed(Seen(SCENE, ANALYSIS, View(), DARK), (area.width, area.height), covered=covered)
    builder, _ = built(replace(SHOWN, view=view, area=area))
    for pane, above, below in zip(arrange(view, area, 0.5), (70.0, 0.0), (0.0, 130.0), strict=True):
        y = pane.projection.project(points_of(pane))[:, 1]
        assert above < y.min() < y.max() < pane.rect.height - below
    # The line between them runs along the upper edge of the lower one.
    line, last = builder.placed[1].lines, -1 - builder.placed[1].leaders
    assert (line.start[last, 1], line.end[last, 1]) == (0.5, 0.5)
    assert line.end[last, 0] - line.start[last, 0] == area.width


@pytest.mark.parametrize("panes", list(Panes))
def test_every_arrangement_shows_what_it_says(panes: Panes) -> None:
    view = framed(Seen(SCENE, ANALYSIS, replace(VIEW, panes=panes), DARK), (AREA.width, AREA.height))
    builder, _ = built(replace(SHOWN, view=view))
    kinds = {
        Panes.BOTH: ["world", "difference"],
        Panes.WORLD: ["world"],
        Panes.DIFFERENCE: ["difference"],
        Panes.OVERLAID: ["world"],
    }[panes]
    assert [pane.kind for pane in builder.panes] == kinds
    if panes is Panes.OVERLAID:
        alone, _ = built(replace(SHOWN, view=replace(view, panes=Panes.WORLD)))
        assert len(builder.placed[0].triangles.corners) > len(alone.placed[0].triangles.corners)


def test_an_overlaid_difference_must_be_in_sight_too() -> None:
    far = replace(
        SCENE, **{key: replace(getattr(SCENE, key), position=(40.0 + k, 0.0, 0.0)) for k, key in enumerate("ab")}
    )
    size, seen = (AREA.width, AREA.height), Seen(far, analyse(far), View(panes=Panes.WORLD), DARK)
    bodies = framed(seen, size)
    assert all_in_sight(replace(seen, view=bodies), size)
    assert not all_in_sight(replace(seen, view=replace(bodies, panes=Panes.OVERLAID)), size)
    both = replace(seen, view=framed(replace(seen, view=View(panes=Panes.OVERLAID)), size))
    assert all_in_sight(both, size)


def points_of(pane: Pane) -> np.ndarray:
    if pane.kind == "difference":
        return np.asarray(ANALYSIS.difference.core.vertices)
    return np.concatenate([body.pose.to_world(body.shape.polyhedron.vertices) for body in (SCENE.a, SCENE.b)])


def test_everything_fitted_is_in_sight() -> None:
    for pane in arrange(VIEW, AREA, 0.5):
        x, y, _ = pane.projection.project(points_of(pane)).T
        assert 0.0 < x.min() < x.max() < pane.rect.width
        assert 0.0 < y.min() < y.max() < pane.rect.height


def test_bars_and_cards_cover_nothing_of_what_is_fitted() -> None:
    size, covered = (AREA.width, AREA.height), Covered(70.0, 40.0, (0.3 * AREA.width, 90.0))
    view = framed(Seen(SCENE, ANALYSIS, View(), DARK), size, covered=covered)
    for pane, below in zip(arrange(view, AREA, 0.5), (130.0, 40.0), strict=True):
        y = pane.projection.project(points_of(pane))[:, 1]
        assert 70.0 < y.min() < y.max() < pane.rect.height - below
    # A narrow card stands beside what is fitted, and one that covers everything is not made way for.
    narrow = framed(Seen(SCENE, ANALYSIS, View(), DARK), size, covered=replace(covered, card=(50.0, 90.0)))
    assert narrow.world == framed(Seen(SCENE, ANALYSIS, View(), DARK), size, covered=Covered(70.0, 40.0)).world
    whole = framed(Seen(SCENE, ANALYSIS, View(), DARK), size, covered=Covered(3000.0, 3000.0))
    assert 0.0 < whole.world.distance < 4.0 * VIEW.world.distance


def test_the_triad_stands_above_the_bar_of_a_log_and_a_card_that_would_hide_it() -> None:
    def lowest(covered: Covered) -> float:
        builder, _ = built(replace(SHOWN, covered=covered))
        return max(label.y + label.height for label in builder.placed[0].labels if label.text in ("X", "Y", "Z"))

    free = lowest(Covered(70.0, 40.0, (100.0, 90.0)))
    assert lowest(Covered(70.0, 100.0, (100.0, 90.0), 60.0)) == pytest.approx(free - 60.0)
    wide = (0.49 * AREA.width, 90.0)
    assert lowest(Covered(70.0, 40.0, wide)) == pytest.approx(free - 90.0)
    # In a tall area nothing stands before the upper pane's lower edge.
    area = Rect(0, 0, 500, 900)
    view = framed(Seen(SCENE, ANALYSIS, View(), DARK), (area.width, area.height))
    tall, _ = built(replace(SHOWN, view=view, area=area, covered=Covered(70.0)))
    same, _ = built(replace(SHOWN, view=view, area=area, covered=Covered(70.0, 100.0, (490.0, 90.0), 60.0)))
    assert [label.y for label in same.placed[0].labels] == [label.y for label in tall.placed[0].labels]


def test_a_swap_that_carries_the_difference_under_the_bars_is_framed_anew() -> None:
    size, covered, swapped = (AREA.width, AREA.height), Covered(70.0, 40.0, (0.3 * AREA.width, 90.0)), SCENE.swapped()
    front = replace(View(), world=View().world.looking("right"), difference=View().difference.looking("right"))
    before = framed(Seen(SCENE, ANALYSIS, front, DARK), size, covered=covered)
    after = brought_back(Seen(swapped, analyse(swapped), before, DARK), size, covered=covered)
    assert after.world == before.world
    assert after.difference != before.difference


def test_a_difference_that_its_pane_cuts_is_framed_anew_and_a_world_that_is_cut_as_little_stays() -> None:
    size = AREA.width, AREA.height

    def beside(kind: str) -> View:
        camera = getattr(VIEW, kind)
        return replace(VIEW, **{kind: camera.panned(0.2 * size[0], 0.0, size[1])})

    def after(view: View) -> View:
        return brought_back(Seen(SCENE, ANALYSIS, view, DARK), size, closely=True)

    assert after(VIEW) == VIEW
    assert after(beside("difference")).difference == VIEW.difference
    near = replace(VIEW, world=VIEW.world.panned(0.05 * size[0], 0.0, size[1]))
    assert after(near) == near


def test_joining_renumbers_solids_and_groups() -> None:
    first, second = DrawList(), DrawList()
    triangle = np.array([[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
    for draw in (first, second):
        group = draw.turned(np.zeros(3), np.array((0.0, 1.0, 0.0)))
        solid = draw.solid(triangle, np.zeros((1, 3, 3)), (1.0, 1.0, 1.0, 1.0))
        draw.lines(np.zeros(3), np.ones(3), (1.0, 1.0, 1.0, 1.0), group=group, solid_number=solid)
    both = joined_lists(first, second)
    assert [(s.solid_number, s.group) for s in both.segments] == [(0, 0), (1, 1)]
    assert [(s.solid_number, s.group) for s in second.segments] == [(0, 0)]


@pytest.mark.parametrize("theme", [theme.name for theme in THEMES])
@pytest.mark.sampled(3, "scenes")
def test_a_still_needs_no_window(theme: str) -> None:
    picture = run(expose_still(planned(Seen(SCENE, analyse(SCENE), View(), theme_named(theme)), 320, 200, 2.0)))
    assert picture.size == (640, 400)
    pixels = np.asarray(picture)
    assert (pixels[..., 3] == 255).all()
    assert len(np.unique(pixels.reshape(-1, 4), axis=0)) > 200


def test_a_transparent_still_has_no_background() -> None:
    pixels = np.asarray(
        run(
            expose_still(
                planned(Seen(SCENE, analyse(SCENE), VIEW, theme_named("print")), 320, 200, 1.0, transparent=True)
            )
        )
    )
    assert pixels[2, 2, 3] == 0
    assert (pixels[..., 3] > 0).mean() > 0.1


def test_no_label_stands_on_the_name_of_its_pane() -> None:
    loaded = load_preset("fcl-508")
    analysis, area = analyse(loaded.scene), Rect(0, 0, 640, 480)
    view = framed(Seen(loaded.scene, analysis, loaded.view or View(), DARK), (640, 480))
    builder = FrameBuilder()
    builder.build(PictureInput(loaded.scene, analysis, view, DARK, area=area, density=1.0, titled=True), FrameTimings())
    for pane, placed in zip(builder.panes, builder.placed, strict=True):
        (name,) = (label for label in placed.labels if label.text == pane.title)
        others = [label for label in placed.labels if label is not name]
        assert others
        for label in others:
            beside = label.x >= name.x + name.width or label.x + label.width <= name.x
            assert beside or label.y >= name.y + name.height or label.y + label.height <= name.y, label.text


@pytest.mark.parametrize("size", [(960, 600), (640, 440)])
@pytest.mark.parametrize(
    "name",
    ["box-on-plane-vertex", "box-on-plane-face", "tilted-egg-falls", "cylinder-on-ground", "box-slides-on-a-plane"],
)
def test_the_positive_side_of_a_half_space_stands_above_its_negative_side(name: str, size: tuple[int, int]) -> None:
    loaded = load_preset(name)
    analysis, area = analyse(loaded.scene), Rect(0, 0, *size)
    view = framed(Seen(loaded.scene, analysis, loaded.view or View(), DARK), size)
    builder = FrameBuilder()
    builder.build(PictureInput(loaded.scene, analysis, view, DARK, area=area, density=1.0), FrameTimings())
    heights = {label.text: label.y for label in builder.placed[0].labels}
    positive = [heights[words] for words in ("positive side: n·p > d", "n·p > d") if words in heights]
    negative = [heights[words] for words in ("negative side: solid", "solid") if words in heights]
    # The outward normal points up in all of these, and the words stand where it says, or, in want of room, not at all.
    assert max(positive, default=0.0) + 20.0 < min(negative, default=size[1])
    assert (positive and negative) or size[0] < 960
