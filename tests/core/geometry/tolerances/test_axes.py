"""Which axes are tried, merged, covered or preferred."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import cos, radians, sin

import numpy as np
import pytest
from msgspec.structs import replace

from core import Body, Box, Hull
from core.contact.policies.exact import exact_manifold
from core.contact.policies.policy import ContactPolicy, axis_normal, preferred_row
from core.geometry.quaternion import from_axis_angle, multiply, normalized
from core.geometry.vector import vec
from core.pair.arcs import both_sides
from core.pair.candidate_axes import same_lines
from core.pair.cores import cores_of
from core.pair.gauss_map import ArcReason, gauss_map
from core.sat.sat import sat

CUBE = Box((2.0, 2.0, 2.0))


def test_lines_within_a_million_millionth_are_found_however_they_differ() -> None:
    # The keys that lines are sorted by differ by as much as the lines do, at the most.
    rng = np.random.default_rng(7)
    for way in (vec(0.48, 0.36, 0.8), *rng.normal(size=(20, 3))):
        line = np.cross(way, rng.normal(size=3))
        line /= np.linalg.norm(line)
        axes = np.array((line, line + 0.9e-12 * way / np.linalg.norm(way), -line))
        assert same_lines(axes).tolist() == [0, 0, 0]


@pytest.mark.parametrize(("angle", "doubtful"), [(2e-15, True), (2e-14, False)])
def test_signs_of_the_gauss_map_are_settled_where_doubles_cannot_tell(angle: float, doubtful: bool) -> None:
    # A determinant is the sine of the tilt; products of turned normals leave some last places of noise.
    apart = Body(CUBE, (3.0, 0.0, 0.0))
    tilted = replace(apart, rotation=from_axis_angle((0.0, 1.0, 0.0), angle))
    counts = [int(both_sides(*cores_of(Body(CUBE), b))[0].signs[1].sum()) for b in (apart, tilted)]
    assert (counts[0] == counts[1]) is doubtful


@pytest.mark.parametrize(("away", "tried"), [(3e-14, 0), (4e-13, 8)])
def test_an_edge_axis_is_covered_by_a_face_that_it_is_but_for_rounding(away: float, tried: int) -> None:
    # B is turned by 0.004 about the upper face's normal; then edges nearly along x span an axis `away` from it for a
    # tilt of 0.004 times that. An axis that is not tried costs SAT as many digits, so real angles are kept.
    turn, tilt = from_axis_angle((0.0, 1.0, 0.0), 0.004), from_axis_angle((0.0, 0.0, 1.0), 0.004 * away)
    b = Body(CUBE, (0.5, 2.1, 0.25), normalized(multiply(tilt, turn)))
    reasons = gauss_map(*cores_of(Body(CUBE), b)).reasons
    assert int(np.isin(reasons, (ArcReason.BUILDS_FACE, ArcReason.BORDERLINE)).sum()) == tried


def edges_win():
    """Boxes that cross edge over edge, B's lower edge sunk 0.1 into A's upper one."""
    a = Body(CUBE, rotation=from_axis_angle((1.0, 0.0, 0.0), radians(30.0)))
    reach = cos(radians(30.0)) + sin(radians(30.0))
    b = Body(CUBE, (0.0, 2.0 * reach - 0.1, 0.0), from_axis_angle((0.0, 0.0, 1.0), radians(30.0)))
    table = sat(a, b)
    row = next(k for k, candidate in enumerate(table.candidates) if candidate.label == "A.x×B.z")
    return a, b, replace(table, winner=row, separation=float(table.separations[row]))


@pytest.mark.parametrize(("share", "preferred"), [(1.02, True), (1.1, False)])
def test_ode_prefers_a_face_that_is_up_to_five_percent_deeper(share: float, preferred: bool) -> None:
    a, b, table = edges_win()
    separations = table.separations.copy()
    separations[:6] = share * table.separation
    table = replace(table, separations=separations)
    assert (preferred_row(a, b, table, ContactPolicy.ODE) < 6) is preferred


@pytest.mark.parametrize(("degrees", "preferred"), [(4.0, True), (15.0, False)])
def test_mujoco_prefers_a_face_within_eight_degrees(degrees: float, preferred: bool) -> None:
    a, b, table = edges_win()
    winner, axes = table.axes[table.winner], table.axes.copy()
    side = np.cross(winner, axes[0])
    side /= np.linalg.norm(side)
    axes[:6] = side
    axes[2] = cos(radians(degrees)) * winner + sin(radians(degrees)) * side
    assert (preferred_row(a, b, replace(table, axes=axes), ContactPolicy.MUJOCO) < 6) is preferred


@pytest.mark.parametrize(("better", "preferred"), [(0.002, True), (0.02, False)])
def test_box3d_prefers_a_face_unless_edges_are_its_slop_better(better: float, preferred: bool) -> None:
    # Half a centimetre: what bodies at rest may sink into each other anyhow.
    a, b, table = edges_win()
    face = int(np.argmax(table.separations[:6]))
    deepest = max(contact.depth for contact in exact_manifold(a, b, axis_normal(table, face)).contacts)
    table = replace(table, separation=better - deepest)
    assert (preferred_row(a, b, table, ContactPolicy.BOX3D) < 6) is preferred


def test_an_edges_noise_bounds_what_rounding_turns_it_by() -> None:
    # A cube turned as another program would write it: its corners are off by their last places.
    cube = np.array(list(product((-1.0, 1.0), repeat=3)))
    rng = np.random.default_rng(6)
    turned_by, noise = [], []
    for _ in range(60):
        matrix = Body(CUBE, rotation=normalized(tuple(rng.normal(size=4).tolist()))).pose.matrix
        core, true = (cores_of(Body(Hull.of(points)), Body(CUBE))[0] for points in (cube @ matrix.T, cube))
        for edge, unit, most in zip(core.solid.edges.tolist(), core.edge_units, core.edge_noise.tolist(), strict=True):
            other = next(k for k, it in enumerate(true.solid.edges.tolist()) if sorted(it) == sorted(edge))
            turned_by.append(np.linalg.norm(np.cross(unit, matrix @ true.edge_units[other])))
            noise.append(most)
    shares = np.array(turned_by) / np.array(noise)
    print(shares.max())
    assert shares.max() < 1.0
    assert shares.max() > 0.1  # and no looser than it need be: edges that are not parallel are told apart


def _tiny_faced(kind: int, rng: np.random.Generator) -> np.ndarray:
    """Points of a cube with a corner cut off, a prism with a chamfer, or a ball with two of them beside two others."""
    size = 10.0 ** rng.uniform(-7.0, -1.0)
    if kind == 0:
        cuts = 1.0 - size * rng.uniform(0.3, 1.0, size=3)
        corners = [corner for corner in product((-1.0, 1.0), repeat=3) if corner != (1.0, 1.0, 1.0)]
        return np.array((*corners, (cuts[0], 1.0, 1.0), (1.0, cuts[1], 1.0), (1.0, 1.0, cuts[2])))
    if kind == 1:
        outline = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0 - size), (1.0 - size, 1.0), (-1.0, 1.0))
        return np.array([(x, y, z) for x, y in outline for z in (-1.0, 1.0)])
    points = rng.normal(size=(12, 3))
    points /= np.linalg.norm(points, axis=1)[:, None]
    return np.vstack((points, points[:2] + size * rng.normal(size=(2, 3))))


def test_the_noise_of_edges_of_tiny_faces_is_no_smaller_than_what_rounding_turns_them_by() -> None:
    # The normal of a tiny face turns by rounding over its size, and an edge that is taken from it turns along.
    rng, worst = np.random.default_rng(7), 0.0
    for number in range(90):
        points = _tiny_faced(number % 3, rng)
        matrix = Body(CUBE, rotation=normalized(tuple(rng.normal(size=4).tolist()))).pose.matrix
        rounded, exact = points @ matrix.T, points.astype(object).dot(np.vectorize(Fraction)(matrix).T)
        core = cores_of(Body(Hull.of(rounded)), Body(CUBE))[0]
        place = {tuple(row): k for k, row in enumerate(rounded.tolist())}
        true = exact[[place[tuple(row)] for row in core.solid.vertices.tolist()]]
        for (start, end), unit, most in zip(core.solid.edges.tolist(), core.edge_units, core.edge_noise, strict=True):
            along = true[end] - true[start]
            aside = np.cross(along, np.vectorize(Fraction)(unit)).astype(float)
            worst = max(worst, np.linalg.norm(aside) / np.linalg.norm(along.astype(float)) / most)
    assert 0.1 < worst < 1.0
