"""Pointing at a face of a body points at its axis: held against normals and lines of sight by hand."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.camera import Sight
from app.draw.draw_list import Subject
from app.draw.theme import DARK
from app.input.picking import axis_under, face_pointed_at
from app.io.presets import load_preset
from app.state.view import Seen, View
from core.analysis.analysis import Analysis, analyse
from core.pair.candidate_axes import AxisKind
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Cylinder, HalfSpace, Rounded
from core.shapes.polygon import Polygon

HALF = (1.0, 0.6, 0.8)
BOX = Box((2.0, 1.2, 1.6))
TURNED = (0.9053174098820688, -0.1100334560435672, 0.30894959935305055, 0.2698947405473481)


def sight(origin: np.ndarray, to: np.ndarray) -> Sight:
    way = to - origin
    straight = way / np.sqrt(way @ way)
    return Sight(origin, straight, -straight)


def under(found: Analysis, index: int, to: np.ndarray, origin: np.ndarray) -> int | None:
    straight = sight(origin, to)
    return axis_under(found.scene, found.sat, index, straight, sight(origin, to + np.array((0.05, 0.0, 0.0))))


def label(found: Analysis, row: int | None) -> str | None:
    return None if row is None else found.sat.candidates[row].label


@pytest.mark.parametrize("border", [0.0, 0.2])
@pytest.mark.parametrize("index", [0, 1])
@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_every_face_of_a_box_gives_its_axis_with_a_border_too(
    border: float, index: int, axis: int, side: float
) -> None:
    shape = Rounded(BOX, border) if border else BOX
    own, other = Body(shape, (0.3, 0.1, -0.2), TURNED), Body(Box((0.5, 0.5, 0.5)), (9.0, 0.0, 0.0))
    found = analyse(Scene(own, other) if index == 0 else Scene(other, own))
    outward = side * own.pose.matrix[:, axis]
    across = own.pose.matrix[:, (axis + 1) % 3]
    spot = own.pose.position + (HALF[axis] + border) * outward + 0.5 * HALF[(axis + 1) % 3] * across
    assert (
        label(found, under(found, index, spot, spot + 3.0 * outward + 0.4 * across)) == f"{'AB'[index]}.{'xyz'[axis]}"
    )


def test_a_round_border_has_no_face_and_no_axis() -> None:
    own = Body(Rounded(BOX, 0.2))
    found = analyse(Scene(own, Body(BOX, (9.0, 0.0, 0.0))))
    edge = np.array((HALF[0], HALF[1], 0.0))
    corner = np.sqrt(0.5) * np.array((1.0, 1.0, 0.0))
    assert under(found, 0, edge + 0.2 * corner, edge + 2.0 * corner) is None


@pytest.mark.parametrize("shape", [Capsule(0.4, 1.0), Cylinder(0.4, 1.0)])
def test_a_body_without_faces_and_one_outside_of_sats_table_have_none(shape: Capsule | Cylinder) -> None:
    found = analyse(Scene(Body(shape), Body(BOX, (3.0, 0.0, 0.0))))
    assert under(found, 0, np.zeros(3), np.array((0.0, 0.0, 5.0))) is None
    met = under(found, 1, np.array((3.0, 0.0, 0.8)), np.array((3.0, 0.0, 5.0)))
    assert label(found, met) == ("B.z" if found.sat.applies else None)


def test_a_half_space_gives_its_plane() -> None:
    ground = Body(HalfSpace((0.0, 1.0, 0.0), 0.0))
    found = analyse(Scene(ground, Body(BOX, (0.0, 0.5, 0.0))))
    row = under(found, 0, np.array((2.5, 0.0, 0.0)), np.array((2.5, 3.0, 1.0)))
    assert row is not None
    assert found.sat.candidates[row].kind is AxisKind.FACE_A


@pytest.mark.parametrize("border", [0.0, 0.15])
@pytest.mark.parametrize("edge", [0, 1, 2, 3])
def test_in_the_plane_it_is_the_edge_within_reach(border: float, edge: int) -> None:
    corners = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))
    square = Polygon(corners)
    own = Body(Rounded(square, border) if border else square, (0.4, 0.0, 0.0))
    found = analyse(Scene(own, Body(square, (5.0, 0.0, 0.0))))
    outward = np.array(((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0))[edge])
    surface = np.array((0.4, 0.0, 0.0)) + (1.0 + border) * outward
    up = np.array((0.0, 0.0, 10.0))
    assert label(found, under(found, 0, surface - 0.04 * outward, surface - 0.04 * outward + up)) == f"A.edge{edge}"
    assert under(found, 0, surface - 0.07 * outward, surface - 0.07 * outward + up) is None


def test_a_probe_a_free_axis_and_the_other_pane_leave_the_body_a_body() -> None:
    found = analyse(load_preset("skew-edges").scene)
    seen = Seen(found.scene, found, View(), DARK)
    body, straight = Subject("body", 0), sight(np.array((0.0, 5.0, 0.0)), np.array((0.0, 0.6, 0.0)))
    assert face_pointed_at(body, "world", straight, straight, seen) == Subject("axis", 1)
    assert face_pointed_at(body, "difference", straight, straight, seen) == body
    free = replace(seen, view=View(free=(1.0, 0.0, 0.0)))
    assert face_pointed_at(body, "world", straight, straight, free) == body
