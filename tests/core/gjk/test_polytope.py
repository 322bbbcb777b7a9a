"""EPA's polytope alone: whatever points it is given, it stays a closed surface with faces to go on from."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from core.geometry.triple import Triple, dot
from core.gjk.polytope import Polytope

RECORDED = json.loads(Path(__file__).with_name("recorded_points.json").read_text("utf-8"))
"""Points that EPA came upon, and its rounding: after the last the faces it saw had no clean rim, by rounding alone.

A flat hull against an ellipsoid as thin as a needle (shared scene crash-needle-haswell), as OpenBLAS's kernel for
Haswell has the points; and a cone in a cylinder (crash-cone-cylinder-skylakex), each coordinate moved by a last digit.
"""

SPREAD = (0.0, 1e-16, 1e-15, 1e-14)
"""By how much, relative, the points are moved about."""


def _check_sphere(polytope: Polytope) -> None:
    """Each edge has one face on either side, all faces hang together, and corners - edges + faces = 2."""
    edges = Counter((face.vertices[k - 1], face.vertices[k]) for face in polytope.faces.values() for k in range(3))
    assert set(edges.values()) == {1}
    assert {(v, u) for u, v in edges} == set(edges)
    corners = {corner for edge in edges for corner in edge}
    assert len(corners) - len(edges) // 2 + len(polytope.faces) == 2
    owner = {(face.vertices[k - 1], face.vertices[k]): face for face in polytope.faces.values() for k in range(3)}
    reached = [next(iter(polytope.faces.values()))]
    for face in reached:
        i, j, k = face.vertices
        reached += [owner[edge] for edge in ((j, i), (k, j), (i, k)) if owner[edge] not in reached]
    assert len({face.number for face in reached}) == len(polytope.faces)


def _grown(points: Sequence[Triple], noise: float) -> Iterator[Polytope]:
    """The polytope after each point, as EPA adds them: beyond the nearest face, or beyond whichever it is farthest."""
    polytope = Polytope(points[:4], noise)
    yield polytope
    for point in points[4:]:
        face = polytope.nearest()
        if dot(face.normal, point) <= face.offset:
            face = max(polytope.faces.values(), key=lambda one: dot(one.normal, point) - one.offset)
        before = set(polytope.faces)
        growth = polytope.grow(point, face)
        assert face in growth.removed
        assert set(polytope.faces) == before - {one.number for one in growth.removed} | {
            one.number for one in growth.added
        }
        nearest = polytope.nearest()
        assert nearest.offset == min(one.offset for one in polytope.faces.values())
        yield polytope


@pytest.mark.parametrize("name", RECORDED)
@pytest.mark.parametrize("spread", SPREAD)
def test_recorded_points_leave_a_closed_surface(name: str, spread: float) -> None:
    points, noise = np.array(RECORDED[name]["points"]), RECORDED[name]["noise"]
    rng = np.random.default_rng(38)
    for _ in range(1 if spread == 0.0 else 4):
        moved = [(x, y, z) for x, y, z in (points * (1.0 + spread * rng.normal(size=points.shape))).tolist()]
        *_, last = _grown(moved, noise)
        _check_sphere(last)


@pytest.mark.parametrize("flatness", [1.0, 1e-6, 1e-12, 0.0])
@pytest.mark.parametrize("noise", [1e-15, 1e-12, 1e-6])
def test_any_points_leave_a_closed_surface(flatness: float, noise: float) -> None:
    """Points on a lattice, as flat as can be: most lie in planes and lines of others, or on others."""
    rng = np.random.default_rng(7)
    for _ in range(6):
        first = [(0.0, 0.0, 0.0), (3.0, 0.0, 0.0), (0.0, 3.0, 0.0), (0.0, 0.0, flatness or 1e-9)]
        lattice = rng.integers(-3, 4, (40, 3)) * (1.0, 1.0, flatness) + 1e-16 * rng.normal(size=(40, 3))
        for polytope in _grown(first + [(x, y, z) for x, y, z in lattice.tolist()], noise):
            _check_sphere(polytope)
