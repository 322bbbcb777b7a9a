"""GJK and EPA in single precision beside the same run in double: the first step that differs, and float32's spacing.

The runs are compared step by step, by the algorithms' decisions and not by digits. Two steps are alike if they have the
same points of A - B, the same feature with the nearest point, the same support point, and both go on or stop for the
same reason. Points are the same if their source vertices are. Points of curved surfaces, which have no vertices, all
count as the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

import numpy as np
from msgspec import Struct

from ..analysis.methods import GjkEpaRun
from ..geometry.vector import Array, frozen
from ..gjk.epa import EpaSettings
from ..gjk.gjk import GjkSettings, GjkStep, WarmStart
from ..gjk.plane_epa import PolygonEdge
from ..gjk.polytope import PolytopeFace
from ..pair.support import Difference, DifferencePoint, Rounding
from ..scene import Scene


class Differs(StrEnum):
    """The first respect, in this order, in which two steps differ."""

    POINTS = "points"
    """The points of the simplex or the polytope."""
    NEAREST = "nearest"
    """The points that span the feature nearest the origin."""
    SUPPORT = "support"
    """The support point that was found."""
    STOP = "stop"
    """Only one run stops, or both stop for different reasons."""
    END = "end"
    """All steps of the shorter run are alike, and only the other run goes on, as to EPA."""


class Parting(Struct, frozen=True):
    """The first step at which two runs differ: its `index`, the same in both runs, and the respect `differs`.

    For END the index is that of the shorter run's last step.
    """

    index: int
    differs: Differs


class SingleRun(Struct, frozen=True, eq=False):
    """The run in single precision (`steps`), beside the one in `double` under the same settings.

    `steps` is None if a number of a step or of the result is infinite or NaN, as after an overflow in single precision.
    `maps`: the difference of both bodies' support maps in single precision. `parting`: None if all steps are alike, or
    without `steps`. `position_a` (3,): A's position in the frame of the run's points, zero unless that is the world's
    frame. `farthest`: the largest absolute coordinate of both moved positions; `spacing`: the distance between
    neighbouring float32 there.
    """

    steps: GjkEpaRun | None
    double: GjkEpaRun
    maps: Difference
    parting: Parting | None
    position_a: Array
    farthest: float
    spacing: float


def single_run(
    scene: Scene,
    double: GjkEpaRun,
    *,
    world_space: bool = False,
    away: float = 0.0,
    gjk_settings: GjkSettings,
    epa_settings: EpaSettings,
    rounded: Rounding = "core",
    start: WarmStart | None = None,
) -> SingleRun:
    """The run about a scene without a half-space; settings as in `single_gjk_epa`, `away` as in `away_from_origin`.

    Raises ValueError for a half-space.
    """
    # Imported on first use: single precision takes a third as long to import as the rest of the core, and few programs
    # use it.
    from ..float32.bodies import away_from_origin, farthest_coordinate, spacing_at
    from ..float32.steps import single_difference, single_gjk_epa

    moved = away_from_origin(scene, away)
    run: GjkEpaRun | None = single_gjk_epa(
        moved,
        world_space=world_space,
        gjk_settings=gjk_settings,
        epa_settings=epa_settings,
        rounded=rounded,
        start=start,
    )
    if run is not None and not _is_finite(run):
        run = None
    with np.errstate(all="ignore"):
        maps = single_difference(moved, world_space=world_space, rounded=rounded)
    farthest = farthest_coordinate(scene, away)
    return SingleRun(
        steps=run,
        double=double,
        maps=maps,
        parting=None if run is None else parting(double.steps, run.steps),
        position_a=frozen(np.array(moved.a.position) if world_space else np.zeros(3)),
        farthest=farthest,
        spacing=spacing_at(farthest),
    )


def parting(one: Sequence[Any], other: Sequence[Any]) -> Parting | None:
    """The first step at which two runs differ, with the difference; None if they do not."""
    for index, (step, beside) in enumerate(zip(one, other, strict=False)):
        for differs, mine, its in zip(Differs, _decided(step), _decided(beside), strict=False):
            if mine != its:
                return Parting(index, differs)
    return None if len(one) == len(other) else Parting(min(len(one), len(other)) - 1, Differs.END)


def _decided(step: Any) -> tuple[object, ...]:
    """The parts that steps are compared by, in the order of `Differs` up to STOP."""
    points = step.simplex if isinstance(step, GjkStep) else step.vertices
    support = None if step.support is None else _label(step.support)
    return tuple(map(_label, points)), nearest_corners(step), support, step.stop


def nearest_corners(step: Any) -> tuple[int, ...]:
    """The indices of the points that span the feature nearest the origin; in EPA those of the nearest face or edge.

    Empty for a step of EPA without a nearest face or edge.
    """
    if isinstance(step, GjkStep):
        return step.region
    return () if step.nearest is None else corners_of(step.nearest)


def corners_of(piece: PolytopeFace | PolygonEdge) -> tuple[int, ...]:
    """The indices of the corners of a face of EPA's polytope, or of an edge of its polygon, in rising order."""
    return tuple(sorted(piece.vertices if isinstance(piece, PolytopeFace) else (piece.start, piece.end)))


def _label(point: DifferencePoint) -> tuple[int, int]:
    return point.vertex_a, point.vertex_b


def _is_finite(run: GjkEpaRun) -> bool:
    """Whether the points, headings and bounds of the run's steps and the numbers of its result are finite."""
    numbers = [value for step in run.steps for value in _numbers(step)]
    result = run.result
    numbers += [result.separation, result.lower, result.upper, *result.normal, *result.witness_a, *result.witness_b]
    return bool(np.isfinite(np.array(numbers, dtype=np.float64)).all())


def _numbers(step: Any) -> list[float]:
    points = step.simplex if isinstance(step, GjkStep) else step.vertices
    found = [points, () if step.support is None else (step.support,)]
    numbers = [part for group in found for point in group for part in (*point.xyz, *point.xyz_a, *point.xyz_b)]
    numbers += [part for group in found for point in group for part in point.xyz_direction]
    numbers += [bound for bound in (step.lower, step.upper) if bound is not None]
    return numbers if step.closest is None else [*numbers, *step.closest]
