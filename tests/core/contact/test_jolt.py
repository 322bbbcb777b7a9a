"""The policy `Jolt` against its rule told anew: two faces seen along the normal, what they share, and both heights."""

from __future__ import annotations

import numpy as np
import pytest

from core import Body, Box, HalfSpace, Hull, Scene, Shape
from core.analysis.analysis import LIMITED, analyse
from core.closed_form import Proximity
from core.contact.contact import ContactCase, Manifold
from core.contact.policies.jolt import MANIFOLD_TOLERANCE, SPECULATIVE, jolt_steps
from core.geometry.quaternion import normalized
from core.trace import run
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
