"""Arcs of two Gauss maps: the side of each point against exact determinants, and the search against all pairs."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from core import Body, Scene
from core.pair.arcs import ArcSides, PairSigns, both_sides, pairs_that_may_cross
from core.pair.cores import cores_of
from core.pair.gauss_map import ArcReason, gauss_map, reasons_of_arcs
from core.shapes import Capsule
from tests.core.polyhedra_samples import (
    POLYHEDRAL,
    PairFamily,
    ball_hull,
    offset,
    prism,
    sample,
    turn,
)


def _exact(sides: ArcSides, edge: int, face: int) -> int:
    """Sign of det(a, b, p) for the arc's ends a, b and the other map's point p, in whole units of 2^-54."""
    rows = [sides.own.normals[k] for k in sides.own.edge_faces[edge]] + [sides.other.normals[face]]
    (a, b, c), (d, e, f), (g, h, i) = ([round(Fraction(x) * 2**54) for x in row.tolist()] for row in rows)
    det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    return (det > 0) - (det < 0)


@pytest.mark.parametrize("family", POLYHEDRAL)
def test_each_point_is_on_the_side_that_the_exact_determinant_says(family: PairFamily) -> None:
    """Where it is not zero; few arcs or many, asked in a table or one by one; in doubt are the small ones alone."""
    for scene in sample(family, 6, seed=5):
        cores = cores_of(scene.a, scene.b)
        for sides, again in zip(both_sides(*cores, at_once=True), both_sides(*cores, at_once=False), strict=True):
            positive, doubtful = sides.signs
            shape = len(sides.own.edge_faces), len(sides.other.normals)
            assert positive.shape == doubtful.shape == shape
            edges, faces = (grid.ravel() for grid in np.indices(shape))
            for one in (sides, again):
                found, doubts = one.at(edges, faces)
                assert (found == positive.ravel()).all()
                assert (doubts == doubtful.ravel()).all()
            unsettled, _ = again.at(edges, faces, settled=False)
            clear = ~doubtful.ravel()
            assert (unsettled[clear] == positive.ravel()[clear]).all()
            for edge, face in [*np.argwhere(doubtful)[:60].tolist(), *np.argwhere(~doubtful)[:20].tolist()]:
                sign = _exact(sides, edge, face)
                assert sign == 0 or positive[edge, face] == (sign > 0)


def _many(rng: np.random.Generator) -> list[Scene]:
    """Pairs with short arcs, long arcs, both, parallel ones, and half circles."""
    return [
        Scene(Body(ball_hull(rng, 60), (0, 0, 0), turn(rng)), Body(ball_hull(rng, 50), offset(rng), turn(rng))),
        Scene(Body(ball_hull(rng, 80)), Body(prism(3), offset(rng), turn(rng))),
        Scene(Body(prism(40)), Body(ball_hull(rng, 60, (1.0, 0.1, 0.5)), offset(rng), turn(rng))),
        Scene(Body(prism(12)), Body(prism(12), offset(rng))),
        Scene(Body(prism(5)), Body(ball_hull(rng, 30), offset(rng), turn(rng))),
        Scene(Body(Capsule(0.5, 1.0)), Body(ball_hull(rng, 30), offset(rng), turn(rng))),
    ]


def test_a_search_beside_each_other_finds_every_pair_that_all_pairs_have() -> None:
    """All whose arcs cross and, but for arcs of one great circle, all that may; in order, each once."""
    rng = np.random.default_rng(6)
    for scene in _many(rng):
        for a, b in (cores_of(scene.a, scene.b), cores_of(scene.b, scene.a)):
            every = pairs_that_may_cross(*both_sides(a, b, at_once=True))
            on_a, on_b = both_sides(a, b, at_once=False)
            near = pairs_that_may_cross(on_a, on_b)
            keys, near_keys = ((pairs[:, 0] * len(b.solid.edges) + pairs[:, 1]) for pairs in (every, near))
            assert (np.diff(keys) > 0).all()
            assert (np.diff(near_keys) > 0).all()
            assert set(near_keys.tolist()) <= set(keys.tolist())
            left = every[~np.isin(keys, near_keys)]
            signs = PairSigns.of(on_a, on_b, left)
            crossing = (signs.of_b[:, 0] != signs.of_b[:, 1]) & (signs.of_a[:, 0] != signs.of_a[:, 1])
            crossing &= signs.of_b[:, 0] != signs.of_a[:, 0]
            sines = np.linalg.norm(np.cross(a.edge_units[left[:, 0]], b.edge_units[left[:, 1]]), axis=1)
            assert not (crossing & (sines > 1e-7)).any()


def test_of_maps_with_many_arcs_the_pairs_are_those_that_a_plain_test_of_normals_gives() -> None:
    """Above ALL_PAIRS the overlay goes the other way: pairs, normals, and farthest vertices by brute force."""
    rng = np.random.default_rng(8)
    a, b = cores_of(
        Body(ball_hull(rng, 160), (0, 0, 0), turn(rng)), Body(ball_hull(rng, 150, (1.0, 0.5, 0.7)), offset(rng))
    )
    found = gauss_map(a, b)
    na, nb = a.solid.normals[a.solid.edge_faces], -b.solid.normals[b.solid.edge_faces]
    # B reflected: left and right change places.
    plane_a, plane_b = np.cross(na[:, 0], na[:, 1]), np.cross(nb[:, 1], nb[:, 0])
    of_b = np.stack([plane_a @ nb[:, k].T for k in (1, 0)], axis=2) > 0.0
    of_a = np.stack([plane_b @ na[:, k].T for k in (0, 1)], axis=2) > 0.0
    crosses = (of_b[..., 0] != of_b[..., 1]) & (of_a[..., 0] != of_a[..., 1]).T & (of_b[..., 0] != of_a[..., 0].T)
    assert len(a.solid.edges) * len(b.solid.edges) > 2**17
    assert found.pairs[found.crossing].tolist() == np.argwhere(crosses).tolist()
    for supports, core, other in ((found.supports_a, a, b), (found.supports_b, b, a)):
        heights = core.solid.vertices @ -other.solid.normals.T
        assert supports.tolist() == heights.argmax(axis=0).tolist()
    builds = found.reasons == ArcReason.BUILDS_FACE
    assert builds.tolist() == found.crossing.tolist()
    # Each normal is where the pair of edges is farthest apart: nothing of the difference lies beyond.
    for (ea, eb), normal in list(zip(found.pairs[builds].tolist(), found.normals[builds], strict=True))[::40]:
        reach_a, reach_b = a.solid.vertices @ normal, b.solid.vertices @ -normal
        assert reach_a[a.solid.edges[ea]] == pytest.approx(reach_a.max(), abs=1e-13)
        assert reach_b[b.solid.edges[eb]] == pytest.approx(reach_b.max(), abs=1e-13)
    rows, columns = np.array([3, 5, 8]), np.array([7, 2])
    assert reasons_of_arcs(a, b, rows, columns).tolist() == [
        [int(reasons_of_arcs(a, b, np.array([i]), np.array([j]))[0, 0]) for j in columns] for i in rows
    ]
    for i in rows.tolist():
        for j in columns.tolist():
            built = reasons_of_arcs(a, b, np.array([i]), np.array([j]))[0, 0] == ArcReason.BUILDS_FACE
            assert built == crosses[i, j]
