"""Ends of what the lab does: a half-space's nudge, edges that are not there, limits, labels in single."""

from __future__ import annotations

from math import ulp

import pytest

from core import Body, Box, Cylinder, Ellipsoid, HalfSpace, Hull, Provenance, Scene
from core.analysis.analysis import LIMITED, analyse
from core.query.query import query
from core.study.lab import through_zero
from core.study.lab.edge_cases import edges_parallel, nudged
from core.study.lab.side_by_side import FLOAT32, methods_of
from tests.strategies import cubes


def test_a_half_space_at_zero_is_nudged_by_the_other_bodys_last_place() -> None:
    ball, ground = Body(Box((0.01, 0.02, 0.04))), Body(HalfSpace((0.0, 1.0, 0.0), 0.0))
    large = Body(Box((64.0, 64.0, 64.0)))
    for a, b, size in ((ball, ground, 0.02), (large, ball, 0.02), (ball, large, 32.0)):
        for steps in (1, -3):
            assert nudged(Scene(a, b), 1, steps).b.position == (0.0, steps * ulp(size), 0.0)


def test_there_is_no_edge_of_another_number() -> None:
    with pytest.raises(ValueError, match=r"^B has no edge 99\.$"):
        edges_parallel(cubes(1.0, 1.0, (1.5, 0.2, 0.1)), (0, 99))


def test_of_aligned_boxes_no_two_edges_are_left() -> None:
    needle = Body(Hull(((0.0, -1.0, 0.0), (0.0, 1.0, 0.0))))
    for other in (needle, Body(needle.shape, (0.5, 0.0, 0.0))):
        with pytest.raises(ValueError, match=r"^(No two edges are left to make parallel|A has no edges)\.$"):
            edges_parallel(Scene(needle, other))


def test_samples_stay_within_the_limits_of_a_drag() -> None:
    scene = Scene(Body(Ellipsoid((0.5, 3.0, 0.5))), Body(Cylinder(0.2, 2.0)))
    live = analyse(scene, LIMITED)
    found = through_zero.sample(scene)
    assert found.epa == live.epa.iterations
    assert found.separation == live.separation


def test_in_single_precision_a_number_is_a_bound_only_where_it_is_one() -> None:
    def row_of(scene: Scene):
        rows = methods_of(query(analyse(scene)))
        return next(row for row in rows if (row.method, row.precision) == ("SAT", FLOAT32))

    assert row_of(cubes(1.0, 1.0, (1.5, 0.2, 0.1))).certainty.provenance is Provenance.FALLBACK
    assert row_of(cubes(1.0, 1.0, (2.3, 2.3, 2.3))).certainty.provenance is Provenance.BOUND
