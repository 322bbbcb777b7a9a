"""Separating axis test as one table over all candidate axes (article S, systems S3 to S6; Gottschalk 1996).

The result is its own trace: every axis with both intervals, whatever the verdict.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from ..answer import Verdict
from ..geometry.vector import Array


class AxisKind(StrEnum):
    """Where a candidate axis comes from."""

    FACE_A = "face of A"
    FACE_B = "face of B"
    EDGES = "edge × edge"
    CENTRES = "closest points"
    """From the closest feature to a sphere's centre, or between two centres."""


class AxisStatus(StrEnum):
    """What one axis says."""

    SEPARATING = "SEPARATING"
    TOUCHING = "TOUCHING"
    OVERLAPPING = "OVERLAPPING"
    DEGENERATE = "DEGENERATE"
    """No direction at all: parallel edges have an exactly zero cross product."""


@dataclass(frozen=True, eq=False, slots=True)
class CandidateAxis:
    """One candidate, without numbers that depend on the scene's intervals.

    `label`: `A.x`, `B.z`, `A.y×B.x`, `A.v3→B` ... `feature_a`, `feature_b`: index of the box axis (0..2) on each
    body, or None. `sine`: of the angle between the two edges (1 for other kinds). `nearly_parallel`: sine below
    tolerances.NEARLY_PARALLEL_SIN. `covered_by`: indices of the axes whose faces stand in for this one when the
    edges are parallel or nearly so (empty otherwise).
    """

    label: str
    kind: AxisKind
    feature_a: int | None
    feature_b: int | None
    sine: float
    nearly_parallel: bool
    covered_by: tuple[int, ...]


@dataclass(frozen=True, eq=False, slots=True)
class SatTable:
    """All candidate axes of a pair, one row each.

    `axes` (n, 3): unit vectors in the world; a DEGENERATE row is zero. `interval_a`, `interval_b` (n, 2): projections
    `[min, max]` relative to A's position (`offset` (n,) added gives world values). `separations` (n,): signed,
    `max(minB - maxA, minA - maxB)`; NaN on degenerate rows. `sides` (n,): +1 where B lies towards +axis by the
    smaller way out, else -1, so `sides[k] * axes[k]` runs from A to B. `same_as` : per row the lowest row index with
    the same line (itself if none). `ties`: rows (winner excluded) whose separation equals the winner's within
    tolerances.TIE. `winner`: row of the largest separation. `exact`: whether `separation` is the true signed
    distance (always when overlapping; when apart only if the winner's face holds the closest point), else a lower
    bound of the distance.
    """

    candidates: tuple[CandidateAxis, ...]
    axes: Array
    interval_a: Array
    interval_b: Array
    offset: Array
    separations: Array
    sides: NDArray[np.int64]
    statuses: tuple[AxisStatus, ...]
    same_as: NDArray[np.int64]
    winner: int
    ties: tuple[int, ...]
    separation: float
    normal: Array
    verdict: Verdict
    exact: bool
