"""What an axis comes from, on the bodies: held against the axis by corners alone, without what the drawing asks."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from app.draw.draw_list import DrawList, Subject
from app.draw.theme import DARK
from app.io.presets import load_preset, presets
from app.overlays.axis_sources import COUNTING_WIDTH, draw_sources
from app.overlays.context import Context
from app.render.pictures import build
from app.state.view import View
from core.analysis.analysis import Analysis, analyse
from core.pair.candidate_axes import AxisKind
from core.query.query import Phase, query
from core.sat.table import AxisStatus
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Rounded, Sphere
from tests.oracles import axes_of
from tests.shape_truths import truth_of

NAMES = [preset.id for preset in presets()]
Points = NDArray[np.float64]


@cache
def analysed(name: str) -> Analysis:
    return analyse(load_preset(name).scene)


def drawn(found: Analysis, row: int) -> DrawList:
    draw = DrawList()
    draw_sources(Context(found.scene, found, View(hover=Subject("axis", row), motion=False), DARK), draw)
    return draw


def strong_lines(draw: DrawList) -> Points:
    """Both ends (k, 2, 3) of the wide lines."""
    wide = [np.stack((lines.start, lines.end), axis=1) for lines in draw.segments if lines.width == COUNTING_WIDTH]
    return np.concatenate(wide) if wide else np.zeros((0, 2, 3))


def directions(lines: Points) -> Points:
    along = lines[:, 1] - lines[:, 0]
    return along / np.linalg.norm(along, axis=1)[:, None]


def ends_of(draw: DrawList, index: int) -> Points:
    """The dots where a body's interval ends."""
    dots = [marks.points for marks in draw.marks if marks.radius == 4.2 and marks.subjects[0].number == index]
    return np.concatenate(dots) if dots else np.zeros((0, 3))


@pytest.mark.parametrize("name", NAMES)
def test_the_dots_lie_where_the_intervals_end_that_decide(name: str) -> None:
    found = analysed(name)
    if found.beyond_limits:
        return
    for row, status in enumerate(found.sat.statuses):
        if status is AxisStatus.DEGENERATE:
            continue
        draw, axis = drawn(found, row), found.sat.sides[row] * found.sat.axes[row]
        size = 1.0 + max(float(np.abs(body.position).max()) for body in (found.scene.a, found.scene.b))
        for index, outward in enumerate((axis, -axis)):
            body, ends = found.scene.body(index), ends_of(draw, index)
            if body.shape.plane is not None:
                assert not len(ends)
                continue
            reach = float(truth_of(body.shape).reaches((outward @ axes_of(body))[None])[0])
            heights = (ends - np.array(body.position)) @ outward
            assert len(ends) >= 1
            assert heights == pytest.approx(np.full(len(ends), reach), abs=1e-8 * (reach + size))


@pytest.mark.parametrize("name", NAMES)
def test_lit_edges_and_faces_give_the_axis(name: str) -> None:
    found = analysed(name)
    if found.beyond_limits:
        return
    for row, candidate in enumerate(found.sat.candidates):
        lines, axis = strong_lines(drawn(found, row)), found.sat.axes[row]
        if candidate.kind is AxisKind.CENTRES:
            assert not len(lines)
        elif candidate.kind is AxisKind.EDGES:
            assert len(lines) == 2
            along = directions(lines)
            assert along @ axis == pytest.approx([0.0, 0.0], abs=1e-6)
            if found.sat.statuses[row] is AxisStatus.DEGENERATE:
                assert abs(along[0] @ along[1]) == pytest.approx(1.0, abs=1e-12)
        elif found.scene.dimension == 2:
            assert len(lines) == 1
            assert directions(lines) @ axis == pytest.approx([0.0], abs=1e-12)
        else:
            # A face: its rim lies in one plane across the axis.
            assert len(lines) >= 3 or "×" in candidate.label
            heights = (lines - lines[0, 0]) @ axis
            assert np.abs(heights).max() <= 1e-9 * (1.0 + np.abs(lines).max())


def test_of_a_boxs_parallel_edges_those_count_that_face_the_other_body() -> None:
    found = analysed("skew-edges")
    for row in range(6, 15):
        axis = found.sat.sides[row] * found.sat.axes[row]
        (on_a, on_b) = (line.mean(axis=0) @ axis for line in strong_lines(drawn(found, row)))
        assert on_b - on_a == pytest.approx(found.sat.separations[row], abs=1e-12)


def test_the_closest_points_are_those_of_the_cores() -> None:
    apart = Scene(Body(Capsule(0.25, 2.0)), Body(Sphere(0.5), (3.0, 0.5, 0.0)))
    found = analyse(apart)
    row = next(k for k, candidate in enumerate(found.sat.candidates) if candidate.kind is AxisKind.CENTRES)
    large = [marks.points[0].tolist() for marks in drawn(found, row).marks if marks.radius == 5.5]
    assert large == [pytest.approx([0.0, 0.5, 0.0]), pytest.approx([3.0, 0.5, 0.0])]
    bordered = analyse(Scene(Body(Rounded(Box((2.0, 2.0, 2.0)), 0.1)), Body(Box((2.0, 2.0, 2.0)), (3.0, 3.0, 3.0))))
    row = len(bordered.sat.candidates) - 1
    large = [marks.points[0].tolist() for marks in drawn(bordered, row).marks if marks.radius == 5.5]
    assert large == [pytest.approx([1.0, 1.0, 1.0]), pytest.approx([2.0, 2.0, 2.0])]


def test_without_an_axis_pointed_at_nothing_is_lit() -> None:
    found, draw = analysed("skew-edges"), DrawList()
    draw_sources(Context(found.scene, found, View(), DARK), draw)
    assert not draw.segments
    assert not draw.marks


@pytest.mark.parametrize("place", [-1, 20])
def test_the_source_of_the_axis_pointed_at_is_lit_at_steps_of_other_algorithms_too(place: int) -> None:
    found = query(analysed("skew-edges"))
    view = View(hover=Subject("axis", 8), shown=frozenset())
    world = build(Context(found.analysis.scene, found.analysis, view, DARK, found, place % len(found.moments))).world
    assert found.moments[place].phase is not Phase.SAT
    alone = drawn(found.analysis, 8)
    edges = strong_lines(alone)
    assert len(edges) == 2
    both = strong_lines(world)
    assert all(np.any(np.all(both == edge, axis=(1, 2))) for edge in edges)
