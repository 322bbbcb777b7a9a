"""The candidate axes of two cores: faces, and the edge pairs that build a face of the difference (Gregorius 2013).

The other edge pairs cannot win: their axis is the normal of no face of the difference, so another one is better. What
the pruned rows say is what all of them would say.
"""

from __future__ import annotations

from functools import lru_cache
from math import atan2, pi

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ..geometry.tolerances import NEARLY_PARALLEL_SIN
from ..geometry.vector import Array, cross, dot
from ..scene import Body
from .candidate_axes import AxisKind, CandidateAxis, same_lines
from .cores import Core, cores_of
from .gauss_map import ArcReason, GaussMap, gauss_map

Indices = NDArray[np.int64]


class PairAxes(Struct, frozen=True, eq=False):
    """Two placed cores, their overlaid Gauss maps and the SAT rows that follow.

    `candidates`, `axes` (n, 3), `same_as` (n,): as in SatTable; A's face lines first, then B's, then edge pairs.
    `pair_rows` (k,): the row of each of the Gauss map's pairs, -1 for those without one (parallel or covered);
    `pair_sides` (k,): +1 where the outward normal of the difference is along that row's axis, else -1.
    """

    core_a: Core
    core_b: Core
    overlay: GaussMap
    candidates: tuple[CandidateAxis, ...]
    axes: Array
    same_as: Indices
    pair_rows: Indices
    pair_sides: Indices


@lru_cache(maxsize=4)
def pair_axes(a: Body, b: Body) -> PairAxes:
    """The rows for two bodies that have cores; remembered, because the table and the difference both ask.

    Raises TypeError for other shapes.
    """
    return axes_of_cores(*cores_of(a, b))


def axes_of_cores(a: Core, b: Core) -> PairAxes:
    """The rows for two placed cores."""
    overlay = gauss_map(a, b)
    kept = np.isin(overlay.reasons, (ArcReason.BUILDS_FACE, ArcReason.BORDERLINE))
    lines_a, lines_b = a.edge_lines[overlay.pairs[:, 0]], b.edge_lines[overlay.pairs[:, 1]]
    sides = a.edge_sides[overlay.pairs[:, 0]] * b.edge_sides[overlay.pairs[:, 1]]
    # A box's parallel edges are one row.
    width = int(lines_b.max()) + 1 if len(lines_b) else 1
    _, first, rows = np.unique((lines_a * width + lines_b)[kept], return_index=True, return_inverse=True)
    first = np.flatnonzero(kept)[first]
    faces = len(a.line_axes) + len(b.line_axes)
    axes = np.concatenate((a.line_axes, b.line_axes, overlay.axes[first] * sides[first, None]))
    pair_rows = np.full(len(kept), -1, dtype=np.int64)
    pair_rows[kept] = faces + rows
    same_as = same_lines(axes)
    candidates = (
        *_face_candidates(a, AxisKind.FACE_A),
        *_face_candidates(b, AxisKind.FACE_B),
        *_edge_candidates(a, b, overlay, first, same_as),
    )
    return PairAxes(a, b, overlay, candidates, axes, same_as, pair_rows, overlay.turns * sides)


def _face_candidates(core: Core, kind: AxisKind) -> list[CandidateAxis]:
    of_a, with_area = kind is AxisKind.FACE_A, set(core.face_lines.tolist())
    faces = [(core.line_label(k), k if k in with_area else None) for k in range(len(core.line_axes))]
    return [
        CandidateAxis(label, kind, face if of_a else None, None if of_a else face, 1.0, False, ())
        for label, face in faces
    ]


def _edge_candidates(a: Core, b: Core, overlay: GaussMap, pairs: Indices, same_as: Indices) -> list[CandidateAxis]:
    names_a = [a.edge_line_label(k) for k in range(int(a.edge_lines.max(initial=-1)) + 1)]
    names_b = [b.edge_line_label(k) for k in range(int(b.edge_lines.max(initial=-1)) + 1)]
    edges_a, edges_b = overlay.pairs[pairs].T
    lines = zip(
        pairs.tolist(),
        a.edge_lines[edges_a].tolist(),
        b.edge_lines[edges_b].tolist(),
        overlay.sines[pairs].tolist(),
        strict=True,
    )
    out = []
    for pair, i, j, sine in lines:
        nearly = sine < NEARLY_PARALLEL_SIN
        covered = _covering_faces(a, b, overlay, pair, same_as) if nearly else ()
        out.append(CandidateAxis(f"{names_a[i]}×{names_b[j]}", AxisKind.EDGES, i, j, sine, nearly, covered))
    return out


def _covering_faces(a: Core, b: Core, overlay: GaussMap, pair: int, same_as: Indices) -> tuple[int, ...]:
    """Rows of the faces on either side of the axis of nearly parallel edges, of the four that meet there.

    What has no area is none.
    """
    edge_a, edge_b = overlay.pairs[pair].tolist()
    axis, along = overlay.axes[pair], a.edge_units[edge_a]
    outward = overlay.turns[pair] * axis
    ahead = cross(along, outward)
    turns = []
    for core, edge, first, sign in ((a, edge_a, 0, 1.0), (b, edge_b, len(a.line_axes), -1.0)):
        for face in core.solid.edge_faces[edge].tolist():
            if face >= core.area_faces:
                continue
            normal = sign * core.solid.normals[face]
            row = int(same_as[first + core.face_lines[face]])
            turns.append((atan2(dot(ahead, normal), dot(outward, normal)) % (2.0 * pi), row))
    return tuple(sorted({min(turns)[1], max(turns)[1]})) if turns else ()
