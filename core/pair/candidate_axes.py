"""The directions that SAT has to test for two boxes (Gottschalk, Lin, Manocha 1996).

The directions are three face normals of each box and nine cross products of the boxes' edges, in the fixed row order
A.x A.y A.z B.x B.y B.z A.x×B.x A.x×B.y ... A.z×B.z. Departures from the articles: every product is formed as
`e1 × (e2 ∓ e1)`, which keeps the digits that the plain product of nearly parallel edges loses. A product is dropped
only if it is exactly zero, because any unit direction is a legitimate test and may be the deciding axis.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from math import sqrt

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ..geometry.tolerances import NEARLY_PARALLEL_SIN, SAME_AXIS_SIN
from ..geometry.triple import Triple, dot
from ..geometry.vec2 import heading
from ..geometry.vector import Array, dots, frozen
from ..scene import Body

AXIS_NAMES = "xyz"
_ASLANT = np.array((0.48, 0.36, 0.8))


class AxisKind(StrEnum):
    """The features that a candidate axis comes from."""

    FACE_A = "face of A"
    FACE_B = "face of B"
    EDGES = "edge × edge"
    CENTRES = "closest points"
    """The axis between two centres or the closest points of two cores, or a normal that another algorithm found."""


class CandidateAxis(Struct, frozen=True, eq=False):
    """One candidate axis, without its intervals.

    `label`: `A.x`, `B.z`, `A.y×B.x`, `A.face3`, `A.edge2×B.edge7`, `A.v3→B` ... `feature_a`, `feature_b`: on each body
    the index of the box axis (0..2), or of the hull's face or edge, or None. `sine`: sine of the angle between the two
    edges (1 for other kinds). `nearly_parallel`: `sine` is below tolerances.NEARLY_PARALLEL_SIN.

    `covered_by`: rows of the faces whose normals cover a product of nearly parallel edges, being nearest to it on
    either side, or a closest-points axis along a face normal; else empty. `vertex`: in 2D, for the axis from a circle's
    centre to a polygon's closest vertex, that vertex's number; else None.
    """

    label: str
    kind: AxisKind
    feature_a: int | None
    feature_b: int | None
    sine: float
    nearly_parallel: bool
    covered_by: tuple[int, ...]
    vertex: int | None = None


def face_candidate(body: str, index: int) -> CandidateAxis:
    """Face normal `index` (0..2) of the box named "A" or "B"."""
    label = f"{body}.{AXIS_NAMES[index]}"
    if body == "A":
        return CandidateAxis(
            label=label,
            kind=AxisKind.FACE_A,
            feature_a=index,
            feature_b=None,
            sine=1.0,
            nearly_parallel=False,
            covered_by=(),
        )
    return CandidateAxis(
        label=label,
        kind=AxisKind.FACE_B,
        feature_a=None,
        feature_b=index,
        sine=1.0,
        nearly_parallel=False,
        covered_by=(),
    )


_FACE_CANDIDATES = tuple(face_candidate(body, k) for body in "AB" for k in range(3))
_EDGE_LABELS = tuple((f"A.{AXIS_NAMES[i]}×B.{AXIS_NAMES[j]}", i, j) for i in range(3) for j in range(3))


@lru_cache(maxsize=4)
def axes_of_boxes(a: Body, b: Body) -> tuple[Array, Array]:
    """`box_axes` of two placed boxes; cached, because the SAT table and the difference both use it."""
    axes, sines = box_axes(a.pose.matrix, b.pose.matrix)
    return frozen(axes), frozen(sines)


def cosines_between(axes: Array) -> list[float]:
    """The nine cosines between A's face axes and B's, row by row, from the fifteen `axes` (15, 3) of two boxes."""
    a, b = axes[:3].tolist(), axes[3:6].tolist()
    return [ax * bx + ay * by + az * bz for ax, ay, az in a for bx, by, bz in b]


def box_axes(rotation_a: Array, rotation_b: Array) -> tuple[Array, Array]:
    """Fifteen unit axes (15, 3) in the world, and the sines (9,) of the edge pairs' angles.

    `rotation_a`, `rotation_b`: (3, 3) with the boxes' axes as columns. A product that is exactly zero gives a zero
    row.
    """
    a, b = rotation_a.T.tolist(), rotation_b.T.tolist()
    products, sines = [], []
    # A loop over plain floats is faster than a dozen numpy calls on so few numbers.
    for ax, ay, az in a:
        for bx, by, bz in b:
            # e1 × e2 = e1 × (e2 - e1) = -e1 × (-e2 - e1).
            # The shorter difference keeps its digits where the edges nearly agree.
            flip = -1.0 if ax * bx + ay * by + az * bz < 0.0 else 1.0
            dx, dy, dz = flip * bx - ax, flip * by - ay, flip * bz - az
            x, y, z = flip * (ay * dz - az * dy), flip * (az * dx - ax * dz), flip * (ax * dy - ay * dx)
            sine = sqrt(x * x + y * y + z * z)
            size = sine or 1.0
            sines.append(sine)
            products.append((x / size, y / size, z / size))
    return np.array((*a, *b, *products)), np.array(sines)


def same_lines(axes: Array) -> NDArray[np.int64]:
    """For each row of `axes` (n, 3), the lowest row on the same line within SAME_AXIS_SIN; for a zero row, itself.

    Equal lines have almost equal absolute dot products with any fixed vector. Sorted by these products, the rows to
    compare are neighbours.
    """
    keys = np.abs(dots(axes, _ASLANT))
    apart = 2.0 * SAME_AXIS_SIN
    if all(high - low > apart for low, high in pairwise(sorted(keys.tolist()))):
        return np.arange(len(axes))
    order = keys.argsort(kind="stable")
    keys = keys.take(order)
    close = keys[1:] - keys[:-1] <= apart
    # The first and the last place of every run of close keys.
    ends = np.flatnonzero(np.diff(close, prepend=False, append=False)).reshape(-1, 2).tolist()
    lowest = np.arange(len(axes))
    for first, last in ends:
        group = sorted(order[first : last + 1].tolist())
        lowest[group] = _lowest_on_each_line(axes[group].tolist(), group)
    return lowest


def _lowest_on_each_line(axes: list[Triple], rows: list[int]) -> list[int]:
    """For each of `axes`, the first of `rows` whose axis is on the same line; for a zero axis, its own row."""
    lines: list[tuple[int, Triple]] = []
    lowest = []
    for row, axis in zip(rows, axes, strict=True):
        same = (known for known, line in lines if _is_one_line(line, axis))
        found = next(same, row)
        lowest.append(found)
        if found == row and any(axis):
            lines.append((row, axis))
    return lowest


def _is_one_line(p: Triple, q: Triple) -> bool:
    """Whether two unit vectors lie on one line within SAME_AXIS_SIN."""
    (px, py, pz), (qx, qy, qz) = p, q
    flip = -1.0 if px * qx + py * qy + pz * qz < 0.0 else 1.0
    x, y, z = px - flip * qx, py - flip * qy, pz - flip * qz
    return x * x + y * y + z * z < SAME_AXIS_SIN * SAME_AXIS_SIN


def box_candidates(axes: Array, sines: Array, same_as: NDArray[np.int64]) -> tuple[CandidateAxis, ...]:
    """The candidates of the fifteen axes of `box_axes`, in row order; `same_as` (15,): from `same_lines`."""
    edges = []
    for row, ((label, i, j), sine) in enumerate(zip(_EDGE_LABELS, sines.tolist(), strict=True), start=6):
        nearly = sine < NEARLY_PARALLEL_SIN
        covered = _covering_faces_of_boxes(axes.tolist(), same_as.tolist(), row, i, j) if nearly else ()
        edges.append(
            CandidateAxis(
                label=label,
                kind=AxisKind.EDGES,
                feature_a=i,
                feature_b=j,
                sine=sine,
                nearly_parallel=nearly,
                covered_by=covered,
            )
        )
    return (*_FACE_CANDIDATES, *edges)


def _covering_faces_of_boxes(axes: list[Triple], same_as: list[int], row: int, i: int, j: int) -> tuple[int, ...]:
    """Rows of the faces that cover the product of the nearly parallel edges A.i and B.j.

    For an exactly zero product, these are all faces round the common edge direction. Otherwise they are the face whose
    normal lies on the axis's line or, if there is none, the two faces whose normals enclose the axis.
    """
    around = sorted({same_as[k] for k in range(6) if k not in (i, 3 + j)})
    if not any(axes[row]):
        return tuple(around)
    if same_as[row] in around:
        return (same_as[row],)
    u, v = axes[(i + 1) % 3], axes[(i + 2) % 3]

    def turn(k: int) -> float:
        """Angle of the line of row k about the common edge: a `heading` modulo a half turn, 1 for a right angle."""
        return heading((dot(u, axes[k]), dot(v, axes[k]))) % 2.0

    ahead = [((turn(k) - turn(row)) % 2.0, k) for k in around]
    return tuple(sorted({min(ahead)[1], max(ahead)[1]}))
