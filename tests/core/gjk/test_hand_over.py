"""Flat differences in space, and simplices of any kind handed over: the way out is across, on B's side."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from core import Body, Scene, analyse
from core.closed_form.ellipsoids import nearest_on_ellipsoid
from core.geometry.quaternion import from_axis_angle
from core.geometry.triple import Triple, triple
from core.gjk.epa import EpaStop, epa
from core.gjk.gjk import feature_direction
from core.gjk.gjk_epa import signed_distance
from core.gjk.hand_over import flat_normal, spanning_points
from core.pair.support import support_maps
from core.shapes import Box, Capsule, Ellipsoid, Hull, Rounded, Shape, Sphere
from tests.oracles import offset_of, support_gaps

SQUARE = Hull(((-1.0, 0.0, -1.0), (1.0, 0.0, -1.0), (1.0, 0.0, 1.0), (-1.0, 0.0, 1.0)))
SPANS: dict[str, tuple[Triple, ...]] = {
    "point": ((0.1, 0.2, 0.3),),
    "segment": ((-1.0, -2.0, 0.5), (1.0, 2.0, -0.5)),
    "segment along z": ((0.0, 0.0, -1.0), (0.0, 0.0, 1.0)),
    "triangle": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "needle": ((0.0, 0.0, 0.0), (1.0, 1e-7, 0.0), (1.0, 0.0, 1e-7)),
}
TOWARDS = [*product((-1.0, 0.0, 2.0), repeat=3)]


@pytest.mark.parametrize("name", SPANS)
def test_a_normal_of_a_flat_span_is_across_it_on_the_side_of_b(name: str) -> None:
    span = SPANS[name]
    for corners in (span, span[::-1]):
        for towards in TOWARDS:
            normal = np.array(flat_normal(corners, towards))
            assert np.linalg.norm(normal) == pytest.approx(1.0, abs=1e-15)
            for corner in corners[1:]:
                side = np.subtract(corner, corners[0])
                assert float(normal @ side) / np.linalg.norm(side) == pytest.approx(0.0, abs=1e-14)
            assert float(normal @ towards) >= -1e-15
            if len(span) == 2 and (across := np.cross(np.subtract(*span), towards)).any():
                # In the plane of the segment and the way to B.
                assert float(normal @ across) == pytest.approx(0.0, abs=1e-13)
            if len(span) == 1:
                wanted = towards / np.linalg.norm(towards) if any(towards) else (1.0, 0.0, 0.0)
                assert normal == pytest.approx(wanted)


FLAT: dict[str, tuple[Shape, Shape, Triple]] = {
    "segment in a point": (Capsule(0.25, 2.0), Sphere(0.5), (0.0, 0.25, 0.0)),
    "segments crossed": (Capsule(0.25, 2.0), Capsule(0.5, 2.0), (0.0, 0.0, 0.0)),
    "squares": (SQUARE, SQUARE, (0.5, 0.0, 0.25)),
    "points": (Sphere(1.0), Sphere(0.5), (0.0, 0.0, 0.0)),
}


@pytest.mark.parametrize("name", FLAT)
def test_cores_without_volume_that_meet_overlap_by_their_radii(name: str) -> None:
    """Either way round: the depth is that of the radii, across, and the points lie it apart on the surfaces."""
    a, b, at = FLAT[name]
    turned = from_axis_angle((0, 0, 1), np.pi / 2) if name == "segments crossed" else (1.0, 0.0, 0.0, 0.0)
    scene = Scene(Body(a), Body(b, at, turned))
    for pair in (scene, scene.swapped()):
        maps = support_maps(pair.a, pair.b)
        found = signed_distance(maps)
        assert found.epa is not None
        assert (found.epa.stop, found.epa.iterations) == (EpaStop.FLAT_POLYTOPE, 0)
        assert found.separation == pytest.approx(-maps.radius, abs=1e-15)
        assert found.witness_b - found.witness_a == pytest.approx(-maps.radius * found.normal, abs=1e-15)
        assert float(support_gaps(pair, found.normal[None])[0]) == pytest.approx(found.separation, abs=1e-14)
        assert float(found.normal @ offset_of(pair)) >= -1e-15


def test_points_that_span_are_of_the_simplex_first_and_as_far_off_as_can_be() -> None:
    difference = support_maps(Body(Box((2.0, 4.0, 6.0))), Body(Sphere(0.5)))
    ways = [*product((-1.0, 1.0), repeat=3)]
    rng = np.random.default_rng(2)
    for _ in range(60):
        simplex = [difference.support(ways[k]) for k in rng.integers(0, 8, int(rng.integers(1, 5)))]
        found, given = spanning_points(difference, simplex, 1e-12)
        rank = np.linalg.matrix_rank(np.array([point.w - simplex[0].w for point in simplex]))
        assert given == rank + 1
        assert all(any(point is own for own in simplex) for point in found[:given])
        assert len(found) == 4
        assert found[0] is simplex[0]
        apart = [np.linalg.norm(point.w - simplex[0].w) for point in simplex]
        if max(apart):
            assert np.linalg.norm(found[1].w - found[0].w) == max(apart)
        if given < 4:
            # None of all corners of the difference is farther from the plane of the first three.
            normal = np.cross(found[1].w - found[0].w, found[2].w - found[0].w)
            heights = [abs(float(normal @ (difference.support(way).w - found[0].w))) for way in ways]
            assert abs(float(normal @ (found[3].w - found[0].w))) == pytest.approx(max(heights))
        volume = np.linalg.det([point.w - found[0].w for point in found[1:]])
        assert abs(volume) > 1.0
        answer = epa(difference, simplex)
        assert (answer.depth, abs(float(answer.normal[0]))) == (pytest.approx(1.5), pytest.approx(1.0))


def test_the_way_to_the_origin_is_the_perpendicular_of_what_is_nearest_on_the_origins_side() -> None:
    rng = np.random.default_rng(3)
    for count in (1, 2, 3):
        for _ in range(20):
            corners = rng.normal(size=(count, 3)) + 3.0 * rng.choice((-1.0, 1.0))
            basis = (corners[1:] - corners[0]).T
            share = np.linalg.lstsq(basis, -corners[0], rcond=None)[0] if count > 1 else np.zeros(0)
            foot = corners[0] + basis @ share
            found = np.array(feature_direction([triple(corner) for corner in corners], triple(foot)))
            assert found == pytest.approx(-foot / np.linalg.norm(foot), abs=1e-9)
            assert basis.T @ found == pytest.approx(np.zeros(count - 1), abs=1e-13)
    # Without a perpendicular, as of an edge that points at the origin, or of no length, it is the vector itself.
    assert feature_direction([(1.0, 0.0, 0.0), (2.0, 0.0, 0.0)], (1.0, 0.0, 0.0)) == (-1.0, 0.0, 0.0)
    assert feature_direction([(0.0, 2.0, 0.0)] * 2, (0.0, 2.0, 0.0)) == (0.0, -1.0, 0.0)
    assert feature_direction([(0.0, 2.0, 0.0)] * 3, (0.0, 2.0, 0.0)) == (0.0, -1.0, 0.0)


@pytest.mark.parametrize("border", [0.0, 0.25])
@pytest.mark.parametrize("other", [Sphere(0.5), Capsule(0.25, 1.0), Box((0.2, 0.4, 0.6)), Ellipsoid((0.3, 0.2, 0.4))])
def test_deep_in_an_ellipsoid_the_bounds_hold_with_radii_of_any_kind(border: float, other: Shape) -> None:
    """Rounded, not rounded, A or B: no direction proves less than the lower bound, and all proofs meet the upper."""
    rng = np.random.default_rng(7)
    axes = rng.normal(size=(4000, 3))
    axes /= np.linalg.norm(axes, axis=1)[:, None]
    for radii in ((1.0, 1.0, 2.0), (1.0, 1.5, 2.0), (0.8, 2.0, 2.0)):
        for at in ((0.0, 0.0, 0.0), (0.0, 0.0, 0.1), (0.02, 0.05, -0.1)):
            shape = Ellipsoid(radii)
            scene = Scene(Body(Rounded(shape, border) if border else shape), Body(other, at))
            for pair in (scene, scene.swapped()):
                found = signed_distance(support_maps(pair.a, pair.b))
                least = -float(support_gaps(pair, axes).max())
                depth = -found.separation
                assert -found.upper <= least + 1e-12
                assert -found.upper <= depth + 1e-15 <= -found.lower + 2e-15
                proved = -float(support_gaps(pair, found.normal[None])[0])
                assert proved == pytest.approx(depth, abs=1e-12)
                assert depth <= least + 1e-12
                assert found.witness_b - found.witness_a == pytest.approx(
                    -depth * found.normal, abs=2e-7 + 2.0 * found.certainty.gap
                )
                if isinstance(other, Sphere):
                    inner = float(nearest_on_ellipsoid(np.array(at), np.array(radii))[2])
                    assert depth == pytest.approx(-inner + border + 0.5, abs=1e-12 + found.certainty.gap)


@pytest.mark.parametrize("shift", [(0.25, 0.25, 0.0), (0.0, 0.0, 0.0), (0.4, 0.1, 0.0)])
def test_flat_bodies_in_one_plane_are_separated_along_the_normal_that_the_answer_has(shift: Triple) -> None:
    """B is on neither side: EPA's normal, the answer's and the first body's winding agree."""
    triangle = Hull(((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)))
    found = analyse(Scene(Body(triangle), Body(triangle, shift)))
    assert found.epa is not None
    assert found.epa.normal.tolist() == found.normal.tolist() == [0.0, 0.0, 1.0]
