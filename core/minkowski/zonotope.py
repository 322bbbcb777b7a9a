"""The topology of the difference of two boxes, from nine signs (Gregorius 2013: the Gauss map; Ziegler 1995, ch. 7).

The difference of two boxes is a zonotope: the sum of six segments ±g, the half-extent vectors of A (0..2) and of B
(3..5). Its vertices, edges and faces follow from the signs of det(g_i, g_j, g_k) alone, and because both frames are
orthonormal, each such determinant is one of the nine cosines a_i·b_j, but for its sign. So coplanar faces merge by
counting and not by comparing numbers, every face has its SAT row, and the topology is the same object for all poses
with the same signs.

Cosines that cannot be told from zero become zero, which merges faces. The nine signs may then fit no solid. In that
case as few of the doubtful cosines as possible keep a sign, so that every cosine can equal its own cofactor, as in a
rotation matrix. Either sign of a doubtful cosine gives the same solid to 1e-12.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cmp_to_key, lru_cache
from itertools import chain, pairwise, product

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ..geometry.tolerances import FRAME_ROUNDING, SAME_AXIS_SIN
from ..geometry.vector import Array, dots
from ..shapes.box import VERTEX_SIGNS
from ..shapes.polyhedron import edges_of

Signs = tuple[int, ...]
"""Signs (-1, 0, +1) of the nine cosines a_i·b_j, row by row."""


class ZonotopeTopology(Struct, frozen=True, eq=False):
    """The topology of the difference of two boxes.

    `faces`, `edges`, `edge_faces`: as in Polyhedron.
    `face_axes` (f,), `face_sides` (f,): SAT row and side of each face, the lowest row of those that share it.
    `axis_faces` (15, 2): the faces on the + and - side of each SAT row, -1 where its edges are parallel.
    `sources_a`, `sources_b` (v,): the vertex of each box that makes the vertex of the difference. `first_corners` (f,):
    a vertex of each face. `generic`: whether every face is a parallelogram of two edges, and none is merged.
    """

    faces: tuple[tuple[int, ...], ...]
    edges: NDArray[np.int64]
    edge_faces: NDArray[np.int64]
    face_axes: NDArray[np.int64]
    face_sides: NDArray[np.int64]
    axis_faces: NDArray[np.int64]
    sources_a: NDArray[np.int64]
    sources_b: NDArray[np.int64]
    first_corners: NDArray[np.int64]
    generic: bool


# The two generators that span the face pair of each SAT row, so that det(p, q, g) has the sign of axis·g.
_ROW_SPANS = (
    *(((k + 1) % 3, (k + 2) % 3) for k in range(3)),
    *((3 + (k + 1) % 3, 3 + (k + 2) % 3) for k in range(3)),
    *((i, 3 + j) for i in range(3) for j in range(3)),
)
# The corners of each row's parallelogram in loop order: bits of the generators that are +1 there.
_ROW_RIMS = [(p, p + q, q, 0) if p < q else (p + q, q, 0, p) for p, q in ((1 << i, 1 << j) for i, j in _ROW_SPANS)]
# For cosine (i, j): the four edge pairs whose product is another name of A.i or B.j if the cosine is zero.
_RELATED = np.array(
    [
        [3 * k + j for k in range(3) if k != i] + [3 * i + k for k in range(3) if k != j]
        for i in range(3)
        for j in range(3)
    ]
)
_ENTRIES = tuple(product(range(3), repeat=2))
_BITS = 1 << np.arange(6)
# A vertex is six bits, bit g set for +1 of generator g. For all 64: the signs, and its source vertices of A and of B.
_VERTEX_SIGNS = np.array([[1.0 if corner >> g & 1 else -1.0 for g in range(6)] for corner in range(64)])
_SOURCES = np.array([[dots(VERTEX_SIGNS, part).argmax() for part in (row[:3], -row[3:])] for row in _VERTEX_SIGNS]).T


def frame_signs(cosines: list[float], sines: Array) -> Signs:
    """The signs of the nine cosines between two boxes' axes; zero if doubles cannot tell the angle from a right angle.

    `sines` (9,): of the angles between the edges. A cosine counts as zero only if the axes that would merge agree
    within SAME_AXIS_SIN. Thin faces between edges that differ by 1e-6 are real, and are kept.
    """
    signs = tuple([(cosine > 0.0) - (cosine < 0.0) for cosine in cosines])
    if min(map(abs, cosines)) > SAME_AXIS_SIN + FRAME_ROUNDING:
        return signs
    told_apart = np.where(sines > SAME_AXIS_SIN, sines, 1.0)
    doubtful = np.abs(cosines) < SAME_AXIS_SIN * told_apart[_RELATED].min(axis=1) + FRAME_ROUNDING
    order = sorted(doubtful.nonzero()[0].tolist(), key=lambda k: -abs(cosines[k]))
    return _settled(signs, tuple(order)) if order else signs


@lru_cache(maxsize=4096)
def _settled(signs: Signs, doubtful: tuple[int, ...]) -> Signs:
    """The signs with the `doubtful` ones set to zero; if these fit no solid, with the least change that fits.

    `doubtful`: indices, those of the largest cosines first.
    """

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


def _determinants(signs: Sequence[int]) -> list[list[list[int]]]:
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


# Each determinant as the index of its sign in (0, 1, the nine signs, the negated signs in reverse order, -1).
_PLACES = _determinants(range(2, 11))
_ROW_PLACES = np.array([_PLACES[p][q] for p, q in _ROW_SPANS])


def _fits_a_solid(signs: Signs) -> bool:
    """Whether a rotation matrix can have these signs; 336 patterns can, and each gives a closed solid.

    In a rotation matrix no row or column is zero, any two rows or two columns are perpendicular, and each entry equals
    its own cofactor.
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
    values = (0, 1, *signs, *[-sign for sign in reversed(signs)], -1)
    patterns = np.array(values).take(_ROW_PLACES)
    above, below = ((_BITS * (side * patterns > 0)).sum(axis=1).tolist() for side in (1, -1))
    known = {(0, 0): -1}
    loops: list[list[int]] = []
    owners: list[tuple[int, int]] = []
    axis_faces = []
    for row, (rim, plus, minus) in enumerate(zip(_ROW_RIMS, above, below, strict=True)):
        if (plus, minus) not in known:
            known[plus, minus], known[minus, plus] = len(loops), len(loops) + 1
            alone = plus + minus + max(rim) == 63  # the face has only two generators, as nearly all faces
            loop = [plus + corner for corner in rim] if alone else _merged_loop(patterns[row].tolist(), values)
            # The face on the other side has the opposite vertices, and is seen from the other side.
            loops += loop, [63 - vertex for vertex in reversed(loop)]
            owners += (row, 1), (row, -1)
        axis_faces.append((known[plus, minus], known[minus, plus]))
    found = dict.fromkeys(chain.from_iterable(loops))
    numbers, vertices = dict(zip(found, range(len(found)), strict=True)), np.array([*found])
    faces = tuple([tuple([numbers[vertex] for vertex in loop]) for loop in loops])
    (edges, beside), (face_axes, face_sides) = edges_of(faces), np.array(owners).T
    firsts, sources = np.array([loop[0] for loop in faces]), _SOURCES.take(vertices, axis=1)
    generic = len(faces) == 2 * len(_ROW_SPANS)
    return ZonotopeTopology(
        faces=faces,
        edges=edges,
        edge_faces=beside,
        face_axes=face_axes,
        face_sides=face_sides,
        axis_faces=np.array(axis_faces),
        sources_a=sources[0],
        sources_b=sources[1],
        first_corners=firsts,
        generic=generic,
    )


def _merged_loop(pattern: list[int], values: Signs) -> list[int]:
    """Vertices in loop order of a face of more than two generators.

    `pattern`: the signs of its normal's dot products with all six generators. `values`: as in `topology`.

    The sides of the face are its generators, turned into one half plane and sorted by angle, forwards and then back.
    """
    inside = [g for g in range(6) if pattern[g] == 0]
    witness = next(g for g in range(6) if pattern[g] != 0)

    def turn(p: int, q: int) -> int:
        """+1 if q lies counter-clockwise of p seen from outside, 0 if parallel."""
        return values[_PLACES[p][q][witness]] * pattern[witness]

    first = inside[0]
    # Parallel generators in a face are one of A's and one of B's; the sign of their cosine gives their directions.
    heading = {g: turn(first, g) or (1 if g == first else values[3 * first + g - 1]) for g in inside}

    def order(p: int, q: int) -> int:
        return -heading[p] * heading[q] * turn(p, q)

    ordered = sorted(inside, key=cmp_to_key(order))
    vertex = sum([1 << g for g in range(6) if pattern[g] > 0 or heading.get(g, 0) < 0])
    loop = []
    for g, following in (*pairwise(ordered), (ordered[-1], None)) * 2:
        vertex ^= 1 << g
        if following is None or turn(g, following) != 0:
            loop.append(vertex)
    return loop
