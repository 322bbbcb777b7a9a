"""Verdict, features, axes and contacts of bodies of space: what lies just on either side of each tolerance."""

from __future__ import annotations

from math import cos, sin, sqrt

import numpy as np
import pytest
from msgspec.structs import replace

from core import Body, Box, Capsule, Provenance, Scene, Sphere, Verdict, analyse
from core.analysis import in_space
from core.analysis.methods import disagreements
from core.closed_form import Proximity
from core.contact.contact import ContactCase, EdgesStep
from core.contact.policies.exact import exact_manifold, exact_steps
from core.geometry.quaternion import from_axis_angle
from core.geometry.tolerances import EPS
from core.geometry.vector import vec
from core.pair.features import support_feature
from core.sat.sat import sat
from core.shapes import HalfSpace, Hull
from tests.oracles import extent_of

CUBE = Box((2.0, 2.0, 2.0))
UP = vec(0.0, 1.0, 0.0)
QUARTER = from_axis_angle((1.0, 0.0, 0.0), np.pi / 4)


def turned(shape, axis, angle, position=(0.0, 0.0, 0.0)) -> Body:
    return Body(shape, position, from_axis_angle(axis, angle))


def test_eps_is_the_spacing_of_doubles_at_one() -> None:
    assert np.nextafter(1.0, 2.0) - 1.0 == EPS


@pytest.mark.parametrize(
    ("gap", "verdict"),
    [
        (0.4e-12, Verdict.TOUCHING),  # the last places of somebody's arithmetic
        (-0.4e-12, Verdict.TOUCHING),
        (2.5e-12, Verdict.SEPARATED),  # a real gap, 2.5 picometres of a metre
        (-2.5e-12, Verdict.OVERLAPPING),
    ],
)
def test_touching_is_a_picometre_of_a_metre(gap: float, verdict: Verdict) -> None:
    assert analyse(Scene(Body(CUBE), Body(CUBE, (2.0 + gap, 0.0, 0.0)))).verdict is verdict


@pytest.mark.parametrize(("share", "verdict"), [(0.5, Verdict.TOUCHING), (2.0, Verdict.SEPARATED)])
def test_rounding_widens_the_band_beside_a_large_body(share: float, verdict: Verdict) -> None:
    # L + |T| is 2733: sixteen last places of it are ten times what TOUCHING allows the small cube.
    large = Box((2000.0, 2000.0, 2000.0))
    gap = share * 16 * EPS * (1000.0 * sqrt(3.0) + 1001.0)
    scene = Scene(Body(large), Body(CUBE, (1001.0 + gap, 0.0, 0.0)))
    assert gap > 4e-12
    assert analyse(scene).verdict is verdict


@pytest.mark.parametrize(("angle", "kind"), [(0.4e-9, "face"), (2e-9, "edge")])
def test_a_face_supports_until_it_visibly_tilts(angle: float, kind: str) -> None:
    # The two ends of the lower face are 2 * angle apart in height, and 1.7e-9 is level for a body of this size.
    body = turned(CUBE, (0.0, 0.0, 1.0), angle)
    assert support_feature(body, -UP).kind == kind


@pytest.mark.parametrize(("sine", "case"), [(0.3e-6, ContactCase.FACE_OF_A), (3e-6, ContactCase.POINT)])
def test_a_narrow_level_face_supports_only_if_it_is_square_to_the_normal(sine: float, case: ContactCase) -> None:
    # All vertices of a face 1e-10 wide are level, whichever way it looks.
    normal = vec(0.0, cos(sine), sin(sine))
    plate, ball = Body(Box((1.0, 1.0, 1e-10))), Body(Sphere(0.5), (0.0, 1.0, 0.0))
    assert exact_manifold(plate, ball, normal).case is case


@pytest.mark.parametrize(("angle", "nearly"), [(0.002, True), (0.0125, False)])
def test_edges_a_third_of_a_degree_apart_are_greyed(angle: float, nearly: bool) -> None:
    table = sat(Body(CUBE), turned(CUBE, (0.0, 1.0, 0.0), angle, (3.0, 0.0, 0.0)))
    row = next(candidate for candidate in table.candidates if candidate.label == "A.x×B.x")
    assert row.nearly_parallel is nearly
    assert bool(row.covered_by) is nearly


@pytest.mark.parametrize(("angle", "points"), [(0.002, 2), (0.0125, 1)])
def test_capsules_lie_along_each_other_to_a_third_of_a_degree(angle: float, points: int) -> None:
    # Round sides hide such an angle: the ends in common are as deep as the middle but for the square of it.
    a = turned(Capsule(0.5, 2.0), (0.0, 0.0, 1.0), np.pi / 2)
    b = Body(Capsule(0.5, 2.0), (0.0, 0.99, 0.0), (cos(angle / 2), 0.0, sin(angle / 2), 0.0))
    b = replace(b, rotation=tuple(_product(b.rotation, a.rotation)))
    assert len(exact_manifold(a, b, UP).contacts) == points


def _product(p, q):
    from core.geometry.quaternion import multiply, normalized

    return normalized(multiply(p, q))


@pytest.mark.parametrize(("more", "tie"), [(1e-12, True), (9e-12, False)])
def test_axes_tie_to_the_last_digits(more: float, tie: bool) -> None:
    # L + |T| is 3.2; along x and along y the cubes overlap by 1, but for `more`.
    table = sat(Body(CUBE), Body(CUBE, (1.0 + more, 1.0, 0.25)))
    assert table.candidates[table.winner].label == "A.x"
    assert (1 in table.ties) is tie


@pytest.mark.parametrize(("angle", "one"), [(0.4e-12, True), (4e-12, False)])
def test_axes_are_one_line_to_rounding_only(angle: float, one: bool) -> None:
    # A real angle, however small, keeps its own face of the difference.
    table = sat(Body(CUBE), turned(CUBE, (0.0, 0.0, 1.0), angle, (3.0, 0.5, 0.25)))
    labels = [candidate.label for candidate in table.candidates]
    assert (table.same_as[labels.index("B.x")] == labels.index("A.x")) is np.bool_(one)


@pytest.mark.parametrize(("angle", "faces"), [(0.4e-12, 6), (4e-12, 10)])
def test_faces_of_the_difference_merge_to_rounding_only(angle: float, faces: int) -> None:
    analysis = analyse(Scene(Body(CUBE), turned(CUBE, (0.0, 0.0, 1.0), angle, (3.0, 0.5, 0.25))))
    assert len(analysis.difference.core.faces) == faces


@pytest.mark.parametrize(("share", "sentences"), [(0.4, 0), (4.0, 1)])
def test_two_methods_disagree_beyond_what_each_is_good_to(share: float, sentences: int) -> None:
    a, b = Body(CUBE), Body(CUBE, (1.5, 0.25, 0.125), QUARTER)
    found = analyse(Scene(a, b))
    answer = found.answer
    off = share * 1e-11 * found.methods.scale.extent
    wrong = replace(answer, proximity=replace(answer.proximity, separation=answer.proximity.separation + off))
    said = disagreements(found.methods, None, wrong)
    assert bool(said) is bool(sentences)


@pytest.mark.parametrize(("drop", "tried"), [(0.3e-6, 4), (3e-6, 1)])
def test_edges_that_are_level_but_for_noise_are_all_tried(drop: float, tried: int) -> None:
    # A's upper face leans so that its far edge lies lower by `drop`: along y its near edge alone supports.
    a = turned(CUBE, (0.0, 0.0, 1.0), drop / 2.0)
    b = turned(CUBE, (1.0, 0.0, 0.0), np.pi / 4, (0.0, 1.0 + sqrt(2.0), 0.0))
    steps = [step for step in _steps(a, b) if isinstance(step, EdgesStep)]
    assert len(steps) == 1
    assert len(steps[0].names) == tried


def _steps(a: Body, b: Body):
    out = []
    steps = exact_steps(a, b, UP)
    while True:
        try:
            out.append(next(steps))
        except StopIteration:
            return out


@pytest.mark.parametrize(("angle", "points"), [(0.3e-6, 2), (3e-6, 1)])
def test_parallel_edges_meet_along_a_stretch(angle: float, points: int) -> None:
    # Two ridges along x, one above the other: beyond a millionth the ends would lie beside an edge.
    ridge = Body(CUBE, rotation=QUARTER)
    above = Body(CUBE, (0.0, 2.0 * sqrt(2.0) - 1e-13, 0.0), _product(from_axis_angle((0.0, 1.0, 0.0), angle), QUARTER))
    found = exact_manifold(ridge, above, UP)
    assert found.case is ContactCase.EDGES
    assert len(found.contacts) == points


@pytest.mark.parametrize(("off", "ends"), [(1e-15, True), (6e-15, False)])
def test_a_half_space_ends_along_its_normal_to_a_frames_rounding(off: float, ends: bool) -> None:
    space = HalfSpace((0.0, 1.0, 0.0), 0.5)
    assert np.isfinite(space.reach(vec(off, 1.0, 0.0))) == ends


@pytest.mark.parametrize(("bump", "vertices"), [(4e-15, 8), (5e-14, 9)])
def test_a_point_on_a_face_to_rounding_is_no_vertex(bump: float, vertices: int) -> None:
    # What turning a mesh leaves of a flat face, and an angle that somebody made.
    corners = [(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)]
    assert len(Hull.of([*corners, (0.1, 1.0 + bump, 0.2)]).polyhedron.vertices) == vertices


@pytest.mark.parametrize(
    ("off", "provenance"), [(0.5e-12, Provenance.EXACT), (4e-12, Provenance.CERTIFIED), (1e-9, Provenance.BOUND)]
)
def test_a_formula_is_exact_only_as_far_as_its_normal_proves_it(
    monkeypatch: pytest.MonkeyPatch, off: float, provenance: Provenance
) -> None:
    scene, honest = Scene(Body(CUBE), Body(CUBE, (1.8, 0.1, 0.1))), in_space._explicit

    def wrong(*arguments) -> Proximity:
        right = honest(*arguments)
        there = right.separation + off * extent_of(scene)
        return Proximity(there, right.normal, right.witness_a, right.witness_b)

    monkeypatch.setattr(in_space, "_explicit", wrong)
    found = analyse(scene)
    own = next(found.methods.answers())
    assert (own.certainty.provenance, own.iterated) == (provenance, False)
    # What is not proved to rounding is outdone by the next method that is.
    assert found.answer.iterated is (provenance is not Provenance.EXACT)
    assert found.certainty.gap <= own.certainty.gap
    assert found.separation == pytest.approx(-0.2, abs=1e-12 * extent_of(scene))
