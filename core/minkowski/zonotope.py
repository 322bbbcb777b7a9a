"""The topology of the difference of two boxes, from nine signs (Gregorius 2013: the Gauss map; Ziegler 1995, ch. 7).

The difference of two boxes is a zonotope: the sum of six segments ±g, the half-extent vectors of A (0..2) and of B
(3..5). Which vertices, edges and faces it has follows from the signs of det(g_i, g_j, g_k) alone, and because both
frames are orthonormal, each such determinant is one of the nine cosines a_i·b_j. So coplanar faces merge by
counting and not by comparing numbers, every face knows its SAT row, and the topology is the same object for all
poses with the same signs.

Cosines that cannot be told from zero become zero, which makes faces merge. Nine rounded signs need not fit any
solid; then the fewest of the doubtful ones are given a sign, until every cosine has the sign of its own cofactor, as in
a rotation matrix. Wherever a sign was in doubt, the solid is the same to 1e-12.
"""

from __future__ import annotations

from functools import cmp_to_key, lru_cache
from itertools import product

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ..geometry.tolerances import FRAME_ROUNDING, SAME_AXIS_SIN
from ..geometry.vector import Array, frozen
from ..shapes.box import VERTEX_SIGNS
from ..shapes.polyhedron import edges_of

Determinants = list[list[list[int]]]
Signs = tuple[int, ...]
"""Signs (-1, 0, +1) of the nine cosines a_i·b_j, row by row."""


class ZonotopeTopology(Struct, frozen=True, eq=False):
    """Vertices as signs of the six generators, and the faces between them.

    `vertex_signs` (v, 6): vertex = sum of sign * generator. `faces`, `edges`, `edge_faces`: as in Polyhedron.
    `face_axes` (f,), `face_sides` (f,): SAT row and side of each face, the lowest row of those that share it.
    `axis_faces` (15, 2): the faces on the + and - side of each SAT row, -1 where its edges are parallel.
    `sources_a`, `sources_b` (v,): the vertex of each box that makes the vertex of the difference.
    """

    vertex_signs: Array
    faces: tuple[tuple[int, ...], ...]
    edges: NDArray[np.int64]
    edge_faces: NDArray[np.int64]
    face_axes: NDArray[np.int64]
    face_sides: NDArray[np.int64]
    axis_faces: NDArray[np.int64]
    sources_a: NDArray[np.int64]
    sources_b: NDArray[np.int64]


# The two generators that span the face pair of each SAT row, so that det(p, q, g) has the sign of axis·g.
_ROW_SPANS = (
    *(((k + 1) % 3, (k + 2) % 3) for k in range(3)),
    *((3 + (k + 1) % 3, 3 + (k + 2) % 3) for k in range(3)),
    *((i, 3 + j) for i in range(3) for j in range(3)),
)
# For cosine (i, j): the four edge pairs whose product is another name of A.i or B.j if the cosine is zero.
_RELATED = np.array(
    [
        [3 * k + j for k in range(3) if k != i] + [3 * i + k for k in range(3) if k != j]
        for i in range(3)
        for j in range(3)
    ]
)
_ENTRIES = tuple(product(range(3), repeat=2))
_VERTEX_NUMBER = {tuple(int(s) for s in signs): number for number, signs in enumerate(VERTEX_SIGNS)}


def frame_signs(cosines: Array, sines: Array) -> Signs:
    """The signs of the cosines (3, 3) between two boxes' axes, zero where no angle can be told from a right one.

    `sines` (9,): of the angles between the edges. A cosine counts as zero when the axes that would merge agree
    within SAME_AXIS_SIN: thin faces between edges that differ by 1e-6 are real, and stay.
    """
    values = cosines.ravel().tolist()
    signs = tuple([(cosine > 0.0) - (cosine < 0.0) for cosine in values])
    if min(map(abs, values)) > SAME_AXIS_SIN + FRAME_ROUNDING:
        return signs
    told_apart = np.where(sines > SAME_AXIS_SIN, sines, 1.0)
    doubtful = np.abs(values) < SAME_AXIS_SIN * told_apart[_RELATED].min(axis=1) + FRAME_ROUNDING
    order = sorted(doubtful.nonzero()[0].tolist(), key=lambda k: -abs(values[k]))
    return _settled(signs, tuple(order)) if order else signs


@lru_cache(maxsize=4096)
def _settled(signs: Signs, doubtful: tuple[int, ...]) -> Signs:
    """The signs with the doubtful ones (largest first) zero, or the least change from that which fits a solid."""

    def cost(choice: Signs) -> tuple[int, int, list[int]]:
        against = sum(1 for k, s in zip(doubtful, choice, strict=True) if s * signs[k] < 0)
        given = [rank for rank, s in enumerate(choice) if s]
        return against, len(given), given

    for choice in sorted(product((0, 1, -1), repeat=len(doubtful)), key=cost):
        settled = list(signs)
        for k, s in zip(doubtful, choice, strict=True):
            settled[k] = s
        if _fits_a_solid(tuple(settled)):
            return tuple(settled)
    raise AssertionError(f"no solid has the signs {signs}")


@lru_cache(maxsize=4096)
def _determinants(signs: Signs) -> Determinants:
    """Signs of det(g_i, g_j, g_k) for all triples of generators."""
    known = {(0, 1, 2): 1, (3, 4, 5): 1}
    for first, second, third, turn in ((0, 1, 2, 1), (1, 2, 0, 1), (0, 2, 1, -1)):
        for k in range(3):
            known[first, second, 3 + k] = turn * signs[3 * third + k]
            known[k, 3 + first, 3 + second] = turn * signs[3 * k + third]
    table = [[[0] * 6 for _ in range(6)] for _ in range(6)]
    for (i, j, k), value in known.items():
        table[i][j][k] = table[j][k][i] = table[k][i][j] = value
        table[j][i][k] = table[i][k][j] = table[k][j][i] = -value
    return table


def _fits_a_solid(signs: Signs) -> bool:
    """Whether a rotation matrix can have these signs; 336 patterns are left, and each gives a closed solid.

    No row or column is zero, two rows or two columns are perpendicular, and each entry is its own cofactor.
    """
    rows = [signs[3 * k : 3 * k + 3] for k in range(3)]
    columns = [signs[k::3] for k in range(3)]
    if not all(any(line) for line in rows + columns):
        return False
    for i, j in _ENTRIES:
        k, m = (j + 1) % 3, (j + 2) % 3
        this, upper, lower = rows[i], rows[(i + 1) % 3], rows[(i + 2) % 3]
        if not _can_cancel(upper[k] * lower[m], -upper[m] * lower[k], -this[j]):
            return False
    pairs = [(lines[k], lines[(k + 1) % 3]) for lines in (rows, columns) for k in range(3)]
    return all(_can_cancel(*(x * y for x, y in zip(*pair, strict=True))) for pair in pairs)


def _can_cancel(*terms: int) -> bool:
    """Whether numbers of these signs can add up to zero."""
    return len(set(terms) - {0}) != 1


@lru_cache(maxsize=4096)
def topology(signs: Signs) -> ZonotopeTopology:
    """The zonotope of two boxes whose axes' cosines have the given signs (from `frame_signs`)."""
    det = _determinants(signs)
    numbers: dict[Signs, int] = {}
    patterns: dict[Signs, int] = {}
    faces: list[tuple[int, ...]] = []
    owners: list[tuple[int, int]] = []
    axis_faces = np.full((15, 2), -1, dtype=np.int64)
    for row, (p, q) in enumerate(_ROW_SPANS):
        if not any(det[p][q]):
            continue
        for column, side in enumerate((1, -1)):
            pattern = tuple([side * sign for sign in det[p][q]])
            if pattern not in patterns:
                patterns[pattern] = len(faces)
                faces.append(_face_loop(pattern, det, signs, numbers))
                owners.append((row, side))
            axis_faces[row, column] = patterns[pattern]
    loops = tuple(faces)
    edges, edge_faces = edges_of(loops)
    sources_a = np.array([_VERTEX_NUMBER[key[:3]] for key in numbers], dtype=np.int64)
    sources_b = np.array([_VERTEX_NUMBER[(-key[3], -key[4], -key[5])] for key in numbers], dtype=np.int64)
    face_axes, face_sides = np.array(owners, dtype=np.int64).T
    vertices = frozen(np.array(list(numbers), dtype=np.float64))
    return ZonotopeTopology(vertices, loops, edges, edge_faces, face_axes, face_sides, axis_faces, sources_a, sources_b)


def _face_loop(pattern: Signs, det: Determinants, signs: Signs, numbers: dict[Signs, int]) -> tuple[int, ...]:
    """Vertex numbers round the face whose outward normal has the signs `pattern` with the generators.

    The generators in the face, turned into one half plane and sorted by angle, are its sides, there and back.
    New vertices are numbered in `numbers`.
    """
    inside = [g for g in range(6) if pattern[g] == 0]
    witness = next(g for g in range(6) if pattern[g] != 0)

    def turn(p: int, q: int) -> int:
        """+1 if q lies counter-clockwise of p seen from outside, 0 if parallel."""
        return det[p][q][witness] * pattern[witness]

    first, vertex, loop = inside[0], list(pattern), []
    if len(inside) == 2:
        # A parallelogram, as nearly all are.
        second = inside[1]
        way = turn(first, second)
        for vertex[first], vertex[second] in ((1, -way), (1, way), (-1, way), (-1, -way)):
            loop.append(numbers.setdefault(tuple(vertex), len(numbers)))
        return tuple(loop)
    # Parallel generators in a face are one of A's and one of B's; their cosine says which way they run.
    heading = {g: turn(first, g) or (1 if g == first else signs[3 * first + g - 3]) for g in inside}

    def order(p: int, q: int) -> int:
        return -heading[p] * heading[q] * turn(p, q)

    ordered = sorted(inside, key=cmp_to_key(order))
    for g in inside:
        vertex[g] = -heading[g]
    for sense in (1, -1):
        for position, g in enumerate(ordered):
            vertex[g] = sense * heading[g]
            if position + 1 == len(ordered) or turn(g, ordered[position + 1]) != 0:
                loop.append(numbers.setdefault(tuple(vertex), len(numbers)))
    return tuple(loop)
