"""The policy `Jolt` against its rule told anew: two faces seen along the normal, what they share, and both heights."""

from __future__ import annotations

import numpy as np
import pytest

from core import Body, Box, Capsule, Cylinder, HalfSpace, Hull, Scene, Shape
from core.analysis.analysis import LIMITED, analyse
from core.closed_form import Proximity
from core.contact.contact import ClipStep, ContactCase, DepthStep, FeaturesStep, Manifold
from core.contact.policies.jolt import MANIFOLD_TOLERANCE, SPECULATIVE, jolt_steps
from core.geometry.quaternion import from_axis_angle, multiply, normalized
from core.trace import record, run
from tests.core.contact_oracle import across, hull_polygon, intersection, matrix_of
from tests.core.polyhedra_samples import offset, prism, turn

from .test_overlap_region import overlapping

GROUND = HalfSpace((0.6, 0.0, 0.8), 0.3)


def facing(body: Body, way: np.ndarray) -> tuple[np.ndarray, float, np.ndarray | None]:
    """The face most along a way: its normal (3,) and offset in the world, and its corners (k, 3) but of a plane."""
    turned, place, shape = matrix_of(body), np.array(body.position), body.shape
    if isinstance(shape, HalfSpace):
        normal = turned @ np.array(shape.normal)
        return normal, float(shape.offset + normal @ place), None
    assert isinstance(shape, Box | Hull)
    solid = shape.polyhedron
    face = int((solid.normals @ turned.T @ way).argmax())
    normal, corners = turned @ solid.normals[face], solid.vertices[list(solid.faces[face])] @ turned.T + place
    return normal, float(normal @ corners[0]), corners


def expected(a: Body, b: Body, found: Proximity) -> list[tuple[float, ...]]:
    """Each contact's place and depth: corners of what both faces share, seen along the normal."""
    n, sides = found.normal, across(found.normal)
    (one, low, first), (other, high, second) = facing(a, n), facing(b, -n)
    shadows = [hull_polygon(corners @ sides.T) for corners in (first, second) if corners is not None]
    rows = []
    for w in intersection(*shadows) if len(shadows) == 2 else shadows[0]:
        line = w @ sides
        on_a, on_b = (low - one @ line) / (one @ n), (high - other @ line) / (other @ n)
        if on_a - on_b > -(SPECULATIVE + MANIFOLD_TOLERANCE):
            rows.append((*(line + 0.5 * (on_a + on_b) * n).tolist(), on_a - on_b))
    if rows:
        return rows
    middle = 0.5 * (found.witness_a + found.witness_b) + np.array(a.position)
    return [(*middle.tolist(), -found.separation)]


def matched(found: Manifold, rows: list[tuple[float, ...]]) -> bool:
    """Whether each contact is one of the rows, and each row a contact."""
    told = np.array([(*contact.position.tolist(), contact.depth) for contact in found.contacts])
    away = np.abs(told[:, None] - np.array(rows)).max(axis=2)
    return len(told) == len(rows) and bool((away.min(axis=0) < 1e-9).all() and (away.min(axis=1) < 1e-9).all())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Box((1.0, 1.4, 0.8)), Box((0.7, 1.0, 1.2))),
        (Box((1.0, 1.4, 0.8)), prism(5)),
        (GROUND, Box((0.7, 1.0, 1.2))),
        (prism(6), GROUND),
    ],
    ids=["boxes", "hull", "on a plane", "under a plane"],
)
def test_contacts_are_the_corners_that_both_faces_share_midway_between_their_planes(one: Shape, other: Shape) -> None:
    rng, cases = np.random.default_rng(5), set[ContactCase]()
    for _ in range(15):
        bodies = [Body(shape, offset(rng, 1.5), turn(rng)) for shape in (one, other)]
        a, b = bodies[0], overlapping(*bodies, 0.02)
        found = analyse(Scene(a, b), LIMITED).proximity
        made = run(jolt_steps(a, b, found, 0.0))
        cases.add(made.case)
        assert matched(made, expected(a, b, found))
        assert made.normal == pytest.approx(found.normal, abs=0.0)
        assert [contact.gap for contact in made.contacts] == [contact.depth < 0.0 for contact in made.contacts]
        for contact in made.contacts:
            for body, name in ((a, contact.feature_a), (b, contact.feature_b)):
                if name[0] == "v" and name[1:].isdigit() and len(made.contacts) > 1:
                    corner = body.pose.to_world(body.shape.polyhedron.vertices[int(name[1:])])
                    assert np.abs(across(found.normal) @ (corner - contact.position)).max() < 1e-9
    assert cases == {ContactCase.FACE_OF_A}


def test_a_face_turned_a_little_on_a_plane_keeps_the_corners_within_the_distance() -> None:
    """Those of the near side; the far side of a cube tilted by 0.1 is 0.1 above the plane."""
    ground = Body(HalfSpace((0.0, 1.0, 0.0), 0.0), (3.0, 2.0, -1.0))
    cube = Body(Box((1.0, 1.0, 1.0)), (0.0, 2.5, 0.0), normalized((1.0, 0.0, 0.0, 0.05)))
    cube = overlapping(ground, cube, 0.01)
    found = analyse(Scene(ground, cube), LIMITED).proximity
    made = run(jolt_steps(ground, cube, found, 0.0))
    assert [contact.depth for contact in made.contacts] == pytest.approx([0.01, 0.01])
    assert [contact.position[1] for contact in made.contacts] == pytest.approx([1.995, 1.995])
    assert all(contact.feature_a == "plane" for contact in made.contacts)


LYING = from_axis_angle((0.0, 0.0, 1.0), -np.pi / 2.0)
"""Turns y to x."""


@pytest.mark.parametrize(("shape", "names"), [
    (Capsule(0.25, 1.5), ("axis", "end0-end1")), (Cylinder(0.25, 1.5), ("side", "rim -y-rim +y")),
])  # fmt: skip
@pytest.mark.parametrize("swapped", [False, True])
def test_a_round_body_that_lies_on_a_face_meets_with_the_two_ends_of_its_line_over_it(
    shape: Shape, names: tuple[str, str], swapped: bool
) -> None:
    rng, cut = np.random.default_rng(9), 0
    floor = Body(Box((2.0, 1.0, 2.0)), (1.0, 2.0, -1.0))
    for _ in range(8):
        angle, aside = float(rng.uniform(0.0, 6.0)), rng.uniform(-0.8, 0.8, 2)
        place = (1.0 + float(aside[0]), 2.74, -1.0 + float(aside[1]))
        rod = Body(shape, place, multiply(from_axis_angle((0.0, 1.0, 0.0), angle), LYING))
        a, b = (rod, floor) if swapped else (floor, rod)
        found = analyse(Scene(a, b), LIMITED).proximity
        recording = record(jolt_steps(a, b, found, 0.0))
        made = recording.result
        assert made is not None
        assert made.case is (ContactCase.FACE_OF_A if swapped else ContactCase.FACE_OF_B)
        # The part of the line that lies over the floor.
        way = 0.75 * np.array((np.cos(angle), -np.sin(angle)))
        low, high = (-1.0 - aside) / way, (1.0 - aside) / way
        start, end = max(np.minimum(low, high).max(), -1.0), min(np.maximum(low, high).min(), 1.0)
        cut += (start > -1.0) + (end < 1.0)
        ends = sorted((place[0] + s * way[0], 2.495, place[2] + s * way[1]) for s in (start, end))
        told = sorted(tuple(contact.position.tolist()) for contact in made.contacts)
        assert np.array(told) == pytest.approx(np.array(ends), abs=1e-9)
        assert [contact.depth for contact in made.contacts] == pytest.approx([0.01, 0.01], abs=1e-9)
        pairs = {(contact.feature_a, contact.feature_b) for contact in made.contacts}
        assert pairs == {(names[1], f"+y{m}") if swapped else (f"+y{m}", names[1]) for m in "-+"}
        first, clip, last = recording.steps
        assert isinstance(first, FeaturesStep)
        assert isinstance(clip, ClipStep)
        assert isinstance(last, DepthStep)
        assert (first.feature_a, first.feature_b) == ((names[0], "+y") if swapped else ("+y", names[0]))
        line = first.points_a if swapped else first.points_b
        assert np.array(sorted(line.tolist())) == pytest.approx(
            np.array(sorted((place[0] + s * way[0], 2.49, place[2] + s * way[1]) for s in (-1.0, 1.0))), abs=1e-9
        )
        assert clip.side == names[1]
        assert line @ clip.normal == pytest.approx([clip.offset] * 2, abs=1e-9)
        assert len(clip.before) == 4
        assert clip.after == pytest.approx(last.points, abs=0.0)
        assert clip.cut == (True, True)
        # Round the face counter-clockwise, seen from outside, its outline leaves at the minus and comes in at the plus.
        minus, plus = (
            next(contact.position for contact in made.contacts if mark in contact.name.replace("rim -y-rim +y", ""))
            for mark in ("+y-", "+y+")
        )
        assert (minus - plus) @ np.cross((0.0, 1.0, 0.0), -clip.normal) > 0.0
        assert last.depths == pytest.approx([contact.depth for contact in made.contacts], abs=0.0)
        assert line @ last.normal == pytest.approx([last.offset] * 2, abs=1e-9)
        assert last.axis is not None
        for at, contact in zip(last.points, made.contacts, strict=True):
            assert contact.position == pytest.approx(at + 0.5 * contact.depth * last.axis, abs=1e-12)
    assert cut >= 4


@pytest.mark.parametrize("swapped", [False, True])
def test_a_disc_stands_with_eight_points_of_its_rim(swapped: bool) -> None:
    floor, turned = Body(Box((4.0, 1.0, 4.0)), (1.0, 2.0, -1.0)), from_axis_angle((0.0, 1.0, 0.0), 0.3)
    touching = [floor, Body(Cylinder(0.5, 1.0), (1.2, 3.0, -0.7), turned)]
    a, b = touching[::-1] if swapped else touching
    just = run(jolt_steps(a, b, analyse(Scene(a, b), LIMITED).proximity, 0.0)).contacts
    assert [(contact.depth, contact.gap) for contact in just] == [(0.0, False)] * 8
    a, b = Body(Cylinder(0.5, 1.0), (1.2, 2.99, -0.7), turned), floor
    a, b = (a, b) if swapped else (b, a)
    made = run(jolt_steps(a, b, analyse(Scene(a, b), LIMITED).proximity, 0.0))
    around = [0.3 + k * np.pi / 4.0 for k in range(8)]
    wanted = sorted((1.2 + 0.5 * np.sin(t), 2.495, -0.7 + 0.5 * np.cos(t)) for t in around)
    assert np.array(sorted(contact.position.tolist() for contact in made.contacts)) == pytest.approx(
        np.array(wanted), abs=1e-9
    )
    assert [contact.depth for contact in made.contacts] == pytest.approx([0.01] * 8, abs=1e-9)
    assert not any(contact.gap for contact in made.contacts)
