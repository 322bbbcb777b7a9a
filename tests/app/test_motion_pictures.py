"""What stands about bodies on their way: the grown box in its pieces, and what the plane of a half-space passes."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.draw_list import DrawList, Solid
from app.draw.theme import DARK, faded
from app.io.presets import load_preset
from app.overlays.context import Context, patch
from app.overlays.motion import EDGE_WIDTH, squares_on_the_way
from app.overlays.regions import BOX_OPACITY, MET_OPACITY
from app.render.pictures import build
from app.state.playback import body_at
from app.state.view import View
from core.analysis.analysis import analyse
from core.analysis.motion_answers import sweep
from core.geometry.vector import cross
from core.scene import Body, Scene
from core.shapes import Box, HalfSpace, Sphere

BOX, RADIUS = Box((1.8, 1.2, 1.4)), 0.4
PIECES = {1: DARK.family_a, 2: DARK.family_edges, 3: DARK.family_closest}
"""Colours of faces, quarter cylinders and octants, by how many coordinates are outside."""


def world(scene: Scene, **view: object) -> DrawList:
    looked = replace(View(), **view)
    return build(Context(scene, analyse(scene), looked, DARK, sweep=sweep(scene))).world


def past_a_box(start: tuple[float, float, float], way: tuple[float, float, float]) -> Scene:
    box = load_preset("sphere-past-a-box").scene.a
    begin, along = box.pose.to_world(np.array(start)), box.pose.matrix @ np.array(way)
    return Scene(box, Body(Sphere(RADIUS), tuple(begin.tolist()), displacement=tuple(along.tolist())))


def grown(draw: DrawList, box: Body) -> tuple[Solid, np.ndarray]:
    """The grown box, and its triangles' middles (m, 3) in the box's frame."""
    solid = next(solid for solid in draw.solids if solid.glass and len(np.unique(solid.rgba, axis=0)) > 1)
    return solid, box.pose.to_local(solid.corners.mean(axis=1))


def outside(points: np.ndarray) -> np.ndarray:
    """Which coordinates (m, 3) of points in the box's frame are outside of it, with their sides."""
    return np.where(np.abs(points) > BOX.half_extents + 1e-9, np.sign(points), 0.0)


def test_the_grown_box_is_glass_of_three_kinds_of_pieces() -> None:
    scene = past_a_box((-3.0, 0.1, 0.2), (6.0, 0.0, 0.0))
    solid, middles = grown(world(scene), scene.a)
    kinds = np.abs(outside(middles)).sum(axis=1).astype(int)
    assert set(kinds.tolist()) == {1, 2, 3}
    for kind, rgba in PIECES.items():
        assert np.allclose(solid.rgba[kinds == kind], faded(rgba, BOX_OPACITY))
    assert all(subject.kind == "none" for subject in solid.subjects), "the bodies inside are still pointed at"


@pytest.mark.parametrize(
    ("start", "way", "met"),
    [
        ((-3.0, 0.1, 0.2), (6.0, 0.0, 0.0), (-1, 0, 0)),
        ((-3.0, 2.7, 0.2), (4.0, -4.0, 0.0), (-1, 1, 0)),
        ((2.9, 2.6, 2.7), (-4.0, -4.0, -4.0), (1, 1, 1)),
    ],
)
def test_the_piece_that_is_met_is_lit_over_the_bodies(start, way, met) -> None:
    scene = past_a_box(start, way)
    impact = sweep(scene).result
    centre = scene.a.pose.to_local(body_at(scene.b, impact.time).pose.position)
    assert tuple(outside(centre[None])[0].astype(int).tolist()) == met, "the case is what it is meant to be"
    lit = [sheet.points for sheet in world(scene).sheets if np.allclose(sheet.rgba, faded(DARK.winner, MET_OPACITY))]
    local = scene.a.pose.to_local(np.concatenate(lit))
    apart = np.maximum(np.abs(local) - BOX.half_extents, 0.0)
    assert np.allclose(np.sqrt((apart**2).sum(axis=1)), RADIUS)
    assert {tuple(row) for row in outside(np.array([scene.a.pose.to_local(p).mean(axis=0) for p in lit]))} == {met}
    area = sum(0.5 * np.linalg.norm(cross(p[1] - p[0], p[2] - p[0])) for p in lit)
    sides = 2.0 * BOX.half_extents
    whole = {1: sides[1] * sides[2], 2: 0.5 * np.pi * RADIUS * sides[2], 3: 0.5 * np.pi * RADIUS**2}
    # Flat triangles inside of an octant miss 3.4 % of it.
    assert area == pytest.approx(whole[sum(map(abs, met))], rel=0.04)


def test_where_nothing_is_met_no_piece_is_lit() -> None:
    scene = past_a_box((-3.0, 2.4, 0.2), (6.0, 0.0, 0.0))
    assert not [sheet for sheet in world(scene).sheets if np.allclose(sheet.rgba, faded(DARK.winner, MET_OPACITY))]


# The plane of a half-space.


def floor(displacement: tuple[float, float, float], turn: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Scene:
    plane = HalfSpace((0.0, 1.0, 0.0), 0.25)
    box = Body(Box((1.0, 0.8, 0.6)), (0.2, 2.0, 0.0), displacement=(0.6, -0.3, 0.0))
    return Scene(Body(plane, (0.0, 0.1, 0.0), displacement=displacement, angular_displacement=turn), box)


def swept_lines(draw: DrawList) -> list:
    return [batch for batch in draw.segments if batch.width == EDGE_WIDTH and batch.group < 0]


@pytest.mark.parametrize("turn", [(0.0, 0.0, 0.0), (0.0, 0.0, 0.5)])
def test_the_squares_begin_at_the_body_and_end_where_its_ghost_does(turn) -> None:
    scene = floor((0.1, 0.9, 0.0), turn)
    squares = squares_on_the_way(scene, 0)
    assert np.array_equal(squares[0], patch(scene.a, scene.b))
    assert np.array_equal(squares[-1], patch(body_at(scene.a, 1.0), body_at(scene.b, 1.0)))
    assert len(squares) == (2 if not any(turn) else 7)


@pytest.mark.parametrize("time", [0.2, 0.5, 0.8])
def test_ghosts_of_the_plane_stand_in_the_band(time: float) -> None:
    scene = floor((0.1, 0.9, 0.0))
    first, last = squares_on_the_way(scene, 0)
    ghost = patch(body_at(scene.a, time), body_at(scene.b, time))
    assert np.allclose(ghost, first + time * (last - first), atol=1e-12)


def test_the_band_has_four_sides_the_end_and_four_edges() -> None:
    scene = floor((0.0, 0.9, 0.0))
    draw = world(scene, time=0.0)
    band = [sheet for sheet in draw.sheets if sheet.rgba[3] < 0.1]
    assert len(band) == 4
    first, last = squares_on_the_way(scene, 0)
    corners = np.concatenate((first, last))
    for sheet in band:
        assert all(np.abs(corners - point).max(axis=1).min() < 1e-12 for point in sheet.points)
    closed, *edges = swept_lines(draw)
    assert np.allclose(closed.start, last)
    assert len(edges) == 4
    assert np.allclose([edge.end[0] - edge.start[0] for edge in edges], last - first)
    assert "its plane at t = 1" in [label.text for label in draw.labels]


def test_a_plane_that_moves_along_itself_passes_nothing_and_says_so() -> None:
    draw = world(floor((1.0, 0.0, 0.3)))
    assert not swept_lines(draw)
    assert "along its own plane: it sweeps nothing" in [label.text for label in draw.labels]
    # Turning, it passes something all the same.
    assert swept_lines(world(floor((1.0, 0.0, 0.3), (0.0, 0.0, 0.4))))


def test_a_plane_at_rest_has_no_band() -> None:
    assert not swept_lines(world(floor((0.0, 0.0, 0.0))))


# Words.


@pytest.mark.parametrize("time", [0.35, 1.0])
def test_what_slides_along_touches_and_is_not_a_rounding_apart(time: float) -> None:
    said = [label.text for label in world(load_preset("resting-and-sliding").scene, time=time).labels]
    assert f"touching at t = {time:g}" in said
    assert not [text for text in said if text.startswith(("distance", "depth"))]
