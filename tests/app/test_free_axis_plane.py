"""The free axis in the plane: one angle, dragged on a circle; its snaps, its two lines, what a scene keeps of it."""

from __future__ import annotations

import json
from math import atan2, cos, degrees, radians, sin

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.draw_list import Subject
from app.draw.placed import Rect
from app.draw.theme import DARK
from app.input.manipulation import Assist
from app.input.probe_tool import FlatAxisTool
from app.io.scene_file import SceneError, read, write
from app.overlays.context import Context, Extent
from app.overlays.free_axis import DIFFERENCE_HANDLES, SPHERE
from app.overlays.rail import separation_words
from app.probes.free_axis import FreeAxis
from app.render.framing import framed
from app.render.pictures import build
from app.state.view import Seen, View, arrange
from app.words.names import axis_name
from core.analysis.analysis import analyse
from core.scene import Body, Scene
from core.shapes import Box, Polygon

from .window_rig import Driver, driver

__all__ = ["driver"]

A_POINTS = [(0.2, 1.0), (-1.2, -0.8), (1.0, -0.8)]
B_POINTS = [(-0.8, -0.5), (0.6, -0.7), (0.9, 0.4), (-0.3, 0.7)]
B_AT = (1.7, 0.8)
PAIR = Scene(Body.in_plane(Polygon.of(A_POINTS)), Body.in_plane(Polygon.of(B_POINTS), B_AT))
ANALYSIS = analyse(PAIR)
AREA = Rect(0, 20, 1280, 780)
FREE = (0.6, 0.8, 0.0)


def at_angle(angle: float) -> tuple[float, float, float]:
    return cos(radians(angle)), sin(radians(angle)), 0.0


def gap_by_hand(angle: float) -> float:
    """The gap of both shadows on a line, of the corners as written above: no code of the core."""
    way = np.array((cos(radians(angle)), sin(radians(angle))))
    a, b = np.array(A_POINTS) @ way, (np.array(B_POINTS) + B_AT) @ way
    return float(max(b.min() - a.max(), a.min() - b.max()))


@pytest.mark.parametrize("angle", [0.0, 5.0, 5.5, 25.0, 44.5, 45.0, 90.0, 205.0])
def test_it_shows_the_gap_of_both_shadows(angle: float) -> None:
    assert FreeAxis.of(ANALYSIS, at_angle(angle)).separation == pytest.approx(gap_by_hand(angle), abs=1e-14)


def test_the_lesson_tells_the_truth_about_how_rare_a_gap_is() -> None:
    """Lesson 1 says that about one direction in five shows the gap: 39.5° of 180°."""
    grid = np.arange(0.0, 180.0, 0.25)
    free = [angle for angle in grid if gap_by_hand(angle) > 0.0]
    assert (min(free), max(free)) == (5.25, 44.75)


def sight_at(angle: float, number: int):
    """The line of sight through a point of the handle's circle, at this angle."""
    seen = Seen(PAIR, ANALYSIS, replace(View().facing(PAIR), free=FREE), DARK)
    view = framed(seen, (AREA.width, AREA.height))
    pane = arrange(view, AREA, 0.5)[0 if number < DIFFERENCE_HANDLES else 1]
    centre = Extent.of(PAIR).centre if number < DIFFERENCE_HANDLES else np.zeros(3)
    point = centre + SPHERE * Extent.of(PAIR).radius * np.array(at_angle(angle))
    x, y, _ = pane.projection.project(point[None])[0]
    return pane.sight(float(x) + pane.rect.x, float(y) + pane.rect.y)


def turned(number: int, start: float, end: float, assist: Assist = Assist()) -> tuple[float, float, float]:  # noqa: B008
    own = start + (180.0 if number % 2 else 0.0)
    tool = FlatAxisTool.grab(ANALYSIS, at_angle(start), number, sight_at(own, number))
    return tool.at(sight_at(own + end - start, number), assist)


@pytest.mark.parametrize("number", range(4))
def test_an_end_follows_the_pointer_round_the_circle(number: int) -> None:
    x, y, z = turned(number, 30.0, 71.0)
    assert degrees(atan2(y, x)) == pytest.approx(71.0, abs=1e-6)
    assert z == 0.0
    assert turned(number, 30.0, 30.0) == at_angle(30.0)


def test_ctrl_takes_an_edge_normal_within_four_degrees_else_whole_fives() -> None:
    ctrl = Assist(snap_angle=radians(15.0))
    normal = ANALYSIS.sat.axes[2]
    at = degrees(atan2(normal[1], normal[0]))
    for off in (-3.9, 0.5, 3.9):
        assert turned(0, 0.0, at + off, ctrl) == tuple(normal.tolist())
    x, y, _ = turned(0, 0.0, at + 4.1, ctrl)
    assert degrees(atan2(y, x)) == pytest.approx(5.0 * round((at + 4.1) / 5.0), abs=1e-9)
    assert turned(0, 0.0, 2.0, ctrl) == (1.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("axis", "plane", "is_x"), [(0, False, True), (1, False, False), (0, True, False), (1, True, True)]
)
def test_the_keys_lay_it_along_the_worlds_axes(axis: int, plane: bool, is_x: bool) -> None:
    held = turned(0, 20.0, 50.0, Assist(axis=axis, plane=plane))
    assert held == ((1.0, 0.0, 0.0) if is_x else (0.0, 1.0, 0.0))


def test_its_two_lines_touch_the_difference() -> None:
    attempt = FreeAxis.of(ANALYSIS, FREE)
    view = replace(View().facing(PAIR), free=FREE)
    bare = build(Context(PAIR, ANALYSIS, replace(view, free=None), DARK)).difference
    draw = build(Context(PAIR, ANALYSIS, view, DARK)).difference
    assert len(draw.sheets) == len(bare.sheets)
    before = {tuple(row) for batch in bare.segments for row in np.hstack((batch.start, batch.end)).tolist()}
    added = [row for batch in draw.segments for row in np.hstack((batch.start, batch.end)).tolist()]
    heights = [
        {round(float(np.dot(row[k : k + 3], FREE)), 9) for k in (0, 3)} for row in added if tuple(row) not in before
    ]
    lines = sorted(height.pop() for height in heights if len(height) == 1)
    corners = np.array([np.subtract(a, np.add(b, B_AT)) for a in A_POINTS for b in B_POINTS]) @ FREE[:2]
    assert lines == pytest.approx([corners.min(), corners.max()], abs=1e-9)
    assert attempt.separation == pytest.approx(max(corners.min(), -corners.max()))


def test_where_the_candidates_are_hidden_the_winner_is_not_named() -> None:
    view = replace(View().facing(PAIR), free=FREE)
    for shown, named in ((view.shown, True), (view.shown - {"axes"}, False)):
        labels = build(Context(PAIR, ANALYSIS, replace(view, shown=shown), DARK)).world.labels
        assert any(label.text.startswith("your ") for label in labels)
        best = axis_name(ANALYSIS.sat, ANALYSIS.sat.winner)
        words = f"{best} {separation_words(ANALYSIS.sat.separation, ANALYSIS.band)}"
        assert (words in [label.text for label in labels]) is named


def test_a_scene_keeps_it_as_two_numbers() -> None:
    view = replace(View().facing(PAIR), free=at_angle(33.0))
    text = write(PAIR, view)
    assert len(json.loads(text)["view"]["free_axis"]) == 2
    kept = read(text).view
    assert kept is not None
    assert kept.free == view.free


def test_in_space_it_has_three() -> None:
    tree = json.loads(write(Scene(Body(Box((1, 1, 1))), Body(Box((1, 1, 1)), (3, 0, 0))), View(free=(0.0, 1.0, 0.0))))
    tree["view"]["free_axis"] = [0, 1]
    with pytest.raises(SceneError, match=r"view.free_axis: must have three numbers in a 3D scene, got \[0, 1\]"):
        read(json.dumps(tree))


def test_another_scenes_axis_is_laid_into_the_plane() -> None:
    assert View(free=(0.48, 0.64, 0.6)).facing(PAIR).free == pytest.approx((0.6, 0.8, 0.0), abs=1e-15)
    assert View(free=(0.0, 0.0, 1.0)).facing(PAIR).free is None


def test_it_is_turned_in_the_window(driver: Driver) -> None:
    app = driver.app
    app.files.load_preset("flat-corner-gap")
    driver.frame(2)
    driver.key("O")
    driver.frame(2)
    marks = app.builder.placed[0].marks
    x, y = marks.centre[marks.subjects.index(Subject("free_axis", 0))]
    before = app.work.view.free
    rect = app.builder.panes[0].rect
    driver.drag((float(x) + rect.x, float(y) + rect.y), (float(x) + rect.x - 30.0, float(y) + rect.y - 40.0))
    after = app.work.view.free
    assert before is not None
    assert after is not None
    assert after != before
    assert np.hypot(after[0], after[1]) == pytest.approx(1.0, abs=1e-15)
    driver.key("O")
    assert app.work.view.free is None
