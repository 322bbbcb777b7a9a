"""The Minkowski difference built by hand: all differences of vertices, and the hull that closes round them.

This is how one does it on paper and how no engine does: n times m points, most of which end up inside. The faces are
those of the explicit difference; GJK asks for a handful of these points and never sees the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from enum import StrEnum

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ..geometry.vector import Array, frozen
from ..pair.candidate_axes import AxisKind, CandidateAxis
from ..trace import Steps
from .difference import MinkowskiDifference

MOST_SUBTRACTIONS = 16
"""Of bodies with more vertices several are taken in one step: nobody watches a hundred copies arrive."""


class BuildAction(StrEnum):
    """What a step of the construction did."""

    SUBTRACT = "SUBTRACT"
    """Took every vertex of B from one vertex of A (from several, if A has many): a copy of -B at each."""
    CLOSE = "CLOSE"
    """Put on the faces of one family."""
    DONE = "DONE"
    """The hull is closed: what is on it, what is inside."""


class BuildStep(Struct, frozen=True, eq=False):
    """One step of the construction, relative to A's position; radii are kept apart.

    `points` (k, 3): the differences a - b so far, with `sources` (k, 2), vertex of A and of B; the last `newest` came
    with this step. `family`: of the faces put on with it, else None. `faces`: all faces of the difference on so far; in
    the plane, where points have z = 0, these are its edges.
    `on_hull` (k,): which points are vertices of the hull; None until it is closed.
    """

    number: int
    action: BuildAction
    points: Array
    sources: NDArray[np.int64]
    newest: int
    family: AxisKind | None
    faces: tuple[int, ...]
    on_hull: NDArray[np.bool_] | None


def difference_steps(
    vertices_a: Array, vertices_b: Array, solid: MinkowskiDifference, candidates: tuple[CandidateAxis, ...]
) -> Steps[BuildStep, MinkowskiDifference]:
    """From the cores' vertices (n, 3) and (m, 3) to `solid`, their difference; `candidates`: rows of the SAT table.

    Raises ValueError for a half-space's difference, which has no vertices to build it from.
    """
    if solid.plane is not None:
        raise ValueError("the difference with a half-space is not the hull of points")
    count_a, count_b = len(vertices_a), len(vertices_b)
    points = frozen((vertices_a[:, None] - vertices_b[None]).reshape(-1, 3))
    sources = np.stack(np.divmod(np.arange(count_a * count_b), count_b), axis=1)
    corners = set(zip(solid.sources_a.tolist(), solid.sources_b.tolist(), strict=True))
    kinds = [candidates[row].kind for row in solid.face_axes.tolist()]
    yield from build_steps_of(points, sources, count_b, kinds, corners)
    return solid


def build_steps_of(
    points: Array, sources: NDArray[np.int64], count_b: int, kinds: Sequence[AxisKind], corners: Set[tuple[int, int]]
) -> Iterator[BuildStep]:
    """The steps of a construction whose outcome is known, in space or in the plane.

    `points` (n * m, 3) with their `sources` (n * m, 2), all `count_b` differences of A's first vertex before those of
    its second; `kinds`: the family of each face (in the plane each edge); `corners`: sources of the hull's vertices.
    """
    count_a = len(points) // count_b
    sources.flags.writeable = False
    batch = -(-count_a // MOST_SUBTRACTIONS)
    number = 0
    for first in range(0, count_a, batch):
        number += 1
        upto, newest = min(first + batch, count_a) * count_b, (min(first + batch, count_a) - first) * count_b
        yield BuildStep(number, BuildAction.SUBTRACT, points[:upto], sources[:upto], newest, None, (), None)
    faces: tuple[int, ...] = ()
    for family in AxisKind:
        added = tuple(k for k, kind in enumerate(kinds) if kind is family)
        if added:
            number += 1
            faces = (*faces, *added)
            yield BuildStep(number, BuildAction.CLOSE, points, sources, 0, family, faces, None)
    on_hull = np.array([(a, b) in corners for a, b in sources.tolist()])
    on_hull.flags.writeable = False
    yield BuildStep(number + 1, BuildAction.DONE, points, sources, 0, None, faces, on_hull)
