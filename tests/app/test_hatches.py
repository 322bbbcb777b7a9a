"""Hatches on the faces of the difference: their angles, how far apart they are, and on which faces they lie."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from app.draw.camera import NAMED_VIEWS, Camera, Projection
from app.draw.draw_list import DrawList, Hatch, Subject
from app.draw.layout import layout
from app.draw.theme import LIGHT
from app.io.presets import load_preset
from app.overlays.context import Context
from app.overlays.style import family_style
from app.render.pictures import build
from app.state.view import DEFAULT_OVERLAYS, HATCH, View
from core.analysis.analysis import analyse
from core.query.query import Phase, query
from core.sat.sat import AxisKind

from .layout_samples import measure

WIDTH, HEIGHT, DENSITY = 900, 700, 1.5
FACE = np.array(((0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (2.0, 1.0, 0.0), (0.0, 1.0, 0.0)))
ALONG = {AxisKind.FACE_A: {45.0}, AxisKind.FACE_B: {135.0}, AxisKind.EDGES: {45.0, 135.0}}


def difference_of(name: str, *, hatched: bool = True, step: int | None = None) -> tuple[Context, DrawList]:
    analysis = analyse(load_preset(name).scene)
    shown = DEFAULT_OVERLAYS | ({HATCH} if hatched else set())
    asked = None if step is None else query(analysis)
    context = Context(analysis.scene, analysis, View(shown=shown), LIGHT, asked, step or 0)
    return context, build(context).difference


def lines_of(draw: DrawList, camera: Camera, density: float = DENSITY) -> dict[tuple[Subject, float], list[np.ndarray]]:
    """The lines (2, 2) of the draw list's hatches by subject and angle in degrees, upwards."""
    placed = layout(DrawList(hatches=draw.hatches), camera, WIDTH, HEIGHT, density, measure, LIGHT.halo)
    found: dict[tuple[Subject, float], list[np.ndarray]] = {}
    for start, end, subject in zip(placed.lines.start, placed.lines.end, placed.lines.subjects, strict=True):
        x, y = end - start
        found.setdefault((subject, round(float(np.degrees(np.arctan2(-y, x))) % 180.0, 3)), []).append(
            np.array((start, end))
        )
    return found


def inside(points: np.ndarray, loop: np.ndarray) -> np.ndarray:
    """How far inside of a convex loop on the screen, clockwise there, points (n, 2) lie; negative outside."""
    sides = np.roll(loop, -1, axis=0) - loop
    arms = points[:, None] - loop
    return ((arms[..., 0] * sides[:, 1] - arms[..., 1] * sides[:, 0]) / np.hypot(*sides.T)).min(axis=1)


@pytest.mark.parametrize("orthographic", [False, True])
@pytest.mark.parametrize("distance", [4.0, 6.0, 40.0])
@pytest.mark.parametrize("density", [1.0, 2.0])
def test_lines_are_as_far_apart_at_every_zoom_and_end_at_the_faces_border(
    distance: float, density: float, *, orthographic: bool
) -> None:
    camera = Camera((1.0, 0.5, 0.0), distance, 0.4, 0.3, orthographic=orthographic)
    loop = Projection(camera, WIDTH, HEIGHT).project(FACE)[:, :2]
    hatch = Hatch([FACE], (45.0, 135.0), LIGHT.family_a, 1.0, [Subject("axis", 3)])
    found = lines_of(DrawList(hatches=[hatch]), camera, density)
    assert {angle for _, angle in found} == {45.0, 135.0}
    for (_, angle), lines in found.items():
        ends = np.concatenate(lines)
        assert np.abs(inside(ends, loop)).max() < 1e-6 * WIDTH
        across = np.array((np.sin(np.radians(angle)), np.cos(np.radians(angle))))
        heights = sorted(float(line[0] @ across) for line in lines)
        assert all(later - sooner == pytest.approx(7.0 * density, abs=1e-6) for sooner, later in pairwise(heights))
        # No line is missing at either end of the face.
        assert (loop @ across).max() - heights[-1] < 7.0 * density
        assert heights[0] - (loop @ across).min() < 7.0 * density


def test_a_face_that_looks_away_or_reaches_behind_the_eye_has_none() -> None:
    hatch = Hatch(
        [FACE[::-1], FACE + np.array((0.0, 0.0, 50.0))], (45.0,), LIGHT.family_a, 1.0, [Subject("axis", 3)] * 2
    )
    assert not lines_of(DrawList(hatches=[hatch]), Camera((1.0, 0.5, 0.0), 6.0, 0.0, 0.0))


def test_a_face_far_larger_than_the_pane_has_lines_in_the_pane_alone() -> None:
    hatch = Hatch([1e4 * (FACE - (1.0, 0.5, 0.0))], (45.0,), LIGHT.family_a, 1.0, [Subject("axis", 3)])
    (lines,) = lines_of(DrawList(hatches=[hatch]), Camera((0.0, 0.0, 0.0), 6.0, 0.0, 0.0, orthographic=True)).values()
    assert len(lines) == pytest.approx((WIDTH + HEIGHT) * np.sqrt(0.5) / (7.0 * DENSITY), abs=1.0)


@pytest.mark.parametrize("name", ["skew-edges", "capsule-box-edge", "tetrahedra-cross"])
def test_every_face_has_its_familys_lines_and_the_one_that_decides_none(name: str) -> None:
    context, draw = difference_of(name)
    sat, solid = context.analysis.sat, context.analysis.difference
    assert solid is not None
    winner = int(sat.same_as[sat.winner])
    seen = {subject.number: set[float]() for hatch in draw.hatches for subject in hatch.subjects}
    assert set(seen) == {row for row in solid.face_axes.tolist() if int(sat.same_as[row]) != winner}
    for look in (context.view.difference.looking(side) for side in NAMED_VIEWS):
        for subject, angle in lines_of(draw, look):
            seen[subject.number].add(angle)
    for row, angles in seen.items():
        assert angles <= ALONG[sat.candidates[row].kind]
        assert angles
    for hatch in draw.hatches:
        for subject in hatch.subjects:
            style = family_style(sat.candidates[subject.number].kind, LIGHT)
            assert hatch.rgba[:3] == style.rgba[:3]


def test_at_a_step_of_sat_only_what_was_tried_is_hatched() -> None:
    for step in (0, 4, 9):
        context, draw = difference_of("skew-edges", step=step)
        assert context.moment is not None
        assert context.moment.phase is Phase.SAT
        rows = {subject.number for hatch in draw.hatches for subject in hatch.subjects}
        assert rows <= {int(row) for row in range(step + 1)}
        assert step not in rows


@pytest.mark.parametrize("name", ["skew-edges", "flat-inside"])
def test_nothing_is_hatched_where_it_is_switched_off(name: str) -> None:
    _, draw = difference_of(name, hatched=False)
    assert not draw.hatches


@pytest.mark.parametrize("name", ["flat-inside", "flat-round-corner", "flat-worked-example"])
def test_in_the_plane_a_strip_along_each_edge_has_its_familys_lines(name: str) -> None:
    context, draw = difference_of(name)
    polygon, sat = context.analysis.polygon, context.analysis.sat
    assert polygon is not None
    camera = context.view.facing(context.scene).difference
    projection = Projection(camera, WIDTH, HEIGHT)
    found = lines_of(draw, camera)
    assert found
    for (subject, angle), lines in found.items():
        kind = sat.candidates[subject.number].kind
        assert angle in ALONG[kind]
        assert int(sat.same_as[subject.number]) != int(sat.same_as[sat.winner])
        edges = [k for k, edge in enumerate(polygon.edges) if edge.row == subject.number]
        depths = []
        for edge in edges:
            (x, y), start = polygon.edges[edge].normal, polygon.corners[edge]
            on = np.array((start[0] + polygon.radius * x, start[1] + polygon.radius * y, 0.0))
            pixel = projection.project(np.array((on, on - (x, y, 0.0))))[:, :2]
            inwards = (pixel[1] - pixel[0]) / np.hypot(*(pixel[1] - pixel[0]))
            depths.append((np.concatenate(lines) - pixel[0]) @ inwards)
        # An axis may have two edges, one on either side.
        depth = np.min([np.abs(row - 6.0 * DENSITY) for row in depths], axis=0)
        assert depth.max() <= 6.0 * DENSITY + 1e-6
