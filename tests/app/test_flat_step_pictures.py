"""Pictures of steps of the plane: lines of the planes test, EPA's polygon, and edges while SAT tries them."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from app.draw.draw_list import Dash, Layer
from app.draw.theme import DARK, faded
from app.io.presets import load_preset, presets
from app.overlays.context import Context
from app.overlays.registry import OVERLAYS
from app.overlays.style import family_style
from app.render.pictures import DrawLists, build
from app.state.view import View
from app.words.digits import signed
from core.analysis.analysis import analyse
from core.query.query import Phase, Query, query

FLAT = tuple(preset.id for preset in presets() if "2D" in preset.tags)
EVERYTHING = frozenset(overlay.id for overlay in OVERLAYS)


@cache
def asked(name: str) -> Query:
    return query(analyse(load_preset(name).scene))


def picture(found: Query, place: int, shown: frozenset[str] = EVERYTHING) -> DrawLists:
    return build(Context(found.analysis.scene, found.analysis, View(shown=shown), DARK, found, place))


def places(found: Query, phase: Phase) -> list[int]:
    return [place for place, moment in enumerate(found.moments) if moment.phase is phase]


def step_at(found, place):
    return found.moments[place].step


@pytest.mark.parametrize("name", [name for name in FLAT if name != "flat-two-circles"])
@pytest.mark.sampled(3, "scenes")
def test_edges_of_the_plane_are_strong_if_tried_now_coloured_if_known_and_dim_before(name):
    found, table = asked(name), asked(name).analysis.sat
    for place in places(found, Phase.SAT):
        step = found.moments[place].step
        edges = [
            (lines.width, tuple(rgba), subject.number)
            for lines in picture(found, place).difference.segments
            if lines.layer is Layer.NORMAL and lines.group < 0 and not lines.arrow_end
            for rgba, subject in zip(lines.start_rgba, lines.subjects, strict=True)
            if subject.kind == "axis"
        ]
        assert edges
        for width, rgba, row in edges:
            now = table.same_as[row] == table.same_as[step.row]
            family = family_style(table.candidates[row].kind, DARK).rgba
            dim = faded(DARK.difference_edge, 0.5)
            assert width == (5.5 if now else 2.4)
            assert rgba == (family if now else dim if row > step.row else faded(family, 0.7))


@pytest.mark.parametrize("name", FLAT)
def test_a_step_of_the_planes_test_draws_its_edge_once(name):
    found = asked(name)
    for place in places(found, Phase.PLANES):
        step, drawn = step_at(found, place), 0
        edge = {tuple(step.start), tuple(step.end)}
        for lines in picture(found, place).world.segments:
            if lines.width == 4.0:
                ends = zip(lines.start[:, :2].tolist(), lines.end[:, :2].tolist(), strict=True)
                drawn += sum({tuple(start), tuple(end)} == edge for start, end in ends)
        assert drawn == 1


@pytest.mark.parametrize("name", FLAT)
def test_the_polygon_has_the_steps_edges_its_nearest_and_the_two_that_come(name):
    found = asked(name)
    for place in places(found, Phase.EPA):
        step = step_at(found, place)
        draw = picture(found, place, shown=frozenset()).difference
        corners = [step.vertices[edge.start].w.tolist() for edge in step.edges]
        assert [sheet.points.tolist() for sheet in draw.sheets][:1] == [corners]
        thick = [segments for segments in draw.segments if segments.width == 4.0]
        assert len(thick) == (step.nearest is not None)
        if step.nearest is None:
            continue
        ends = [step.vertices[k].xyz for k in (step.nearest.start, step.nearest.end)]
        assert [tuple(point) for point in (thick[0].start[0], thick[0].end[0])] == ends
        coming = [segments for segments in draw.segments if segments.dash is Dash.DASHED and segments.width == 1.6]
        assert [len(segments.start) for segments in coming if segments.group < 0] == ([2] if step.added else [])


@pytest.mark.parametrize("name", FLAT)
def test_the_lines_of_the_planes_test_lie_along_their_edges_and_have_every_corners_distance(name):
    found = asked(name)
    for place in places(found, Phase.PLANES):
        step = step_at(found, place)
        draw = picture(found, place, shown=frozenset()).world
        ends = np.array(((*step.start, 0.0), (*step.end, 0.0)))
        edges = [np.concatenate((drawn.start, drawn.end)) for drawn in draw.segments if drawn.width == 4.0]
        assert any(np.array_equal(edge, ends) for edge in edges)
        # It may be lit as well, as that which the axis comes from: from whichever end.
        assert all(min(np.abs(edge - way).max() for way in (ends, ends[::-1])) <= 1e-15 for edge in edges)
        normal = np.array((*step.plane.normal, 0.0))
        texts = {label.text for label in draw.labels}
        for index in (0, 1):
            body = found.analysis.scene.body(index)
            if index != step.body:
                corners = body.pose.to_world(body.shape.core.points)[list(step.numbers)]
                distances = (corners - ends[0]) @ normal
                assert distances == pytest.approx(np.array(step.distances), abs=1e-12)
                names = zip(step.numbers, step.distances, strict=True)
                assert {f"{'AB'[index]}.v{number} {signed(distance)}" for number, distance in names} <= texts


@pytest.mark.parametrize("name", FLAT)
@pytest.mark.parametrize("phase", [Phase.ARTICLE, Phase.GJK])
def test_the_names_of_a_simplex_stand_away_from_its_edges(name, phase):
    found = asked(name)
    named = 0
    for place in places(found, phase):
        simplex = step_at(found, place).simplex
        corners = np.array([point.w for point in simplex])[:, :2]
        middle = corners.mean(axis=0)
        names = [label for label in picture(found, place).difference.labels if label.rgba == DARK.winner]
        for label in names:
            way = np.asarray(label.point)[:2] - middle
            if len(corners) > 1 and any((label.point[:2] == corner).all() for corner in corners) and way.any():
                # Points down on the screen are negative in the plane.
                assert label.offset[0] * way[0] - label.offset[1] * way[1] > 0.0, (label.text, place)
                named += 1
    assert named or all(len(step_at(found, place).simplex) == 1 for place in places(found, phase))


@pytest.mark.parametrize("name", ["flat-squares-kiss", "flat-hexagon-pentagon"])
@pytest.mark.parametrize("phase", [Phase.PLANES, Phase.ARTICLE, Phase.GJK])
def test_the_names_of_a_bodys_points_stand_outside_of_it(name, phase):
    found, seen = asked(name), 0
    scene = found.analysis.scene
    for place in places(found, phase):
        for label in picture(found, place).world.labels:
            letter = "A" if "A.v" in label.text else "B"
            body = scene.body("AB".index(letter))
            corners = body.pose.to_world(body.shape.core.points)
            if f"{letter}.v" in label.text and any((label.point == corner).all() for corner in corners):
                way = label.point - corners.mean(axis=0)
                assert label.offset[0] * way[0] - label.offset[1] * way[1] > 0.0, (label.text, place)
                seen += 1
    assert seen
