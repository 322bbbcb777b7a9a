"""An axis that the user turns, compared with SAT's winner: its intervals, its gap or overlap, in numbers and words."""

from __future__ import annotations

from math import asin, degrees, isfinite

import numpy as np
from msgspec import Struct

from core.analysis.analysis import Analysis
from core.geometry.triple import Triple, triple
from core.geometry.vector import Array, dot, length, length_rows
from core.pair.pair import PairScale
from core.sat.sat import AxisStatus, SatTable
from core.sat.table import projections
from core.scene import Scene
from core.verdict import Verdict

from ..words.digits import in_degrees, plain, signed, told_together, tolerance
from ..words.names import axis_name

SNAPPED = 1e-9
"""Degrees: an axis no farther from a candidate's is the candidate's, to rounding."""


NEARS = 0.12
"""A wall nears the vertices that are nearer to it than this share of their body's radius."""


class FreeAxis(Struct, frozen=True, eq=False):
    """A free axis and its projections.

    `axis` (3,): unit, world. `interval_a`, `interval_b` (2,), `separation`, `side`: as in SatTable. `nearest`: the row
    of the candidate axis with the smallest `angle` to it, degrees, as lines; None if no candidate has a direction.
    """

    analysis: Analysis
    axis: Array
    interval_a: Array
    interval_b: Array
    separation: float
    side: int
    nearest: int | None
    angle: float

    @staticmethod
    def of(analysis: Analysis, free: Triple) -> FreeAxis:
        """The free axis `free`, a unit vector in the world, with the projections of both bodies on it."""
        axis = np.array(free)
        found = projections(analysis.scene.a, analysis.scene.b, axis[None])
        shown = found.interval_a[0], found.interval_b[0], float(found.separations[0]), int(found.sides[0])
        return FreeAxis(analysis, axis, *shown, *_nearest(analysis.sat, axis))

    @property
    def is_candidate(self) -> bool:
        """Whether the axis is a candidate's to rounding, as after a drag with snapping."""
        return self.nearest is not None and self.angle <= SNAPPED

    @property
    def ties(self) -> bool:
        """Whether the axis's separation equals that of the table's winner, to rounding."""
        scale = PairScale.of(self.analysis.scene.a, self.analysis.scene.b)
        return abs(self.separation - self.analysis.sat.separation) <= scale.tie

    @property
    def beats(self) -> bool:
        """Whether the axis's separation is larger than that of the table's winner, beyond rounding."""
        return not self.ties and self.separation > self.analysis.sat.separation


def parts_at(scene: Scene, towards_b: Array, share: float) -> tuple[Array, Array]:
    """The vertex, edge or face of A and that of B at the wall across the unit `towards_b` (3,), corners (k, 3), world.

    `share`: the largest distance from the wall to a corner, as a share of the body's radius. A half-space has none.
    """
    a, b = (
        np.zeros((0, 3))
        if body.shape.plane is not None
        else body.pose.to_world(
            body.shape.support_feature(body.pose.direction_to_local(outward), share * body.shape.bounding_radius).points
        )
        for body, outward in ((scene.a, towards_b), (scene.b, -towards_b))
    )
    return a, b


def start_of(analysis: Analysis) -> Triple:
    """The first direction of a free axis: from A's position to B's; +x if they coincide."""
    offset = analysis.scene.b.pose.position - analysis.scene.a.pose.position
    size = length(offset)
    return triple(offset / size) if size > 0.0 else (1.0, 0.0, 0.0)


def candidate_direction(analysis: Analysis, row: int, like: Array | None = None) -> Triple:
    """The axis of a table's row, as a free axis: from A to B or, if given, on the side of `like` (3,).

    For a degenerate row, which has no axis, the analysis's normal.
    """
    table = analysis.sat
    if table.statuses[row] is AxisStatus.DEGENERATE:
        return triple(analysis.normal)
    axis = table.axes[row]
    against = dot(axis, like) < 0.0 if like is not None else table.sides[row] < 0
    return triple(-axis if against else axis)


def value_words(separation: float) -> str:
    """A separation in digits, such as `−0.412`, `+0.3` or `−∞`."""
    return signed(separation)


def readout_words(attempt: FreeAxis) -> str:
    """The read-out of a drag: `yours −0.412`, and whether the axis has snapped to a candidate."""
    return f"yours {value_words(attempt.separation)}{', snapped to a candidate axis' if attempt.is_candidate else ''}"


def free_axis_words(attempt: FreeAxis) -> str:
    """The axis's gap or overlap in words, such as `overlap 0.412`, `gap 0.3` or `overlap without end`.

    Within the touching band `axis: touching`.
    """
    if not isfinite(attempt.separation):
        return "overlap without end"
    if abs(attempt.separation) <= attempt.analysis.band:
        return "axis: touching"
    return f"{'overlap' if attempt.separation < 0.0 else 'gap'} {plain(abs(attempt.separation))}"


def shows(separation: float, size: str = "") -> str:
    """A separation in words, such as `a gap of 0.3`, `an overlap of 0.412` or `an overlap without end`.

    For exactly 0 `intervals that touch`. `size`: the digits of the number, if they must match another number's.
    """
    if separation == 0.0:
        return "intervals that touch"
    size = f"of {size or plain(abs(separation))}" if isfinite(separation) else "without end"
    return f"{'an overlap' if separation < 0.0 else 'a gap'} {size}"


def comparison_words(attempt: FreeAxis) -> str:
    """The comparison with the winner: `your axis shows a gap of 0.3, A.y × B.x a gap of 0.4: not beaten`."""
    table = attempt.analysis.sat
    own, best = told_together(abs(attempt.separation), abs(table.separation))
    winner = f"{axis_name(table, table.winner)} {shows(table.separation, best)}"
    word = "a tie" if attempt.ties else "beaten" if attempt.beats else "not beaten"
    return f"your axis shows {shows(attempt.separation, own)}, {winner}: {word}"


def why(attempt: FreeAxis) -> str:
    """A sentence about whether another direction can have a larger separation."""
    analysis, table = attempt.analysis, attempt.analysis.sat
    if not isfinite(attempt.separation):
        body = "B" if analysis.scene.a.shape.plane is None else "A"
        return f"The half-space {body} has no end along this axis: a gap is possible only along its normal."
    best = axis_name(table, table.winner)
    within = f" by more than {tolerance(analysis.certainty.gap)}" if analysis.certainty.gap > 0.0 else ""
    if analysis.verdict is not Verdict.SEPARATED:
        return f"While the bodies overlap, no direction can do better{within}: {best} already shows the depth."
    if table.exact or attempt.analysis.separation - table.separation <= analysis.certainty.gap:
        return f"No direction can do better{within}: {best} already shows the distance."
    most = plain(analysis.separation)
    return (
        f"While the bodies are apart, an axis can show a gap up to the distance, {most}; SAT's own axes may stay "
        "below it."
    )


def nearest_words(attempt: FreeAxis) -> str:
    """The nearest candidate axis in words, such as `nearest candidate: B.z, 12.3° away`; "" if there is none."""
    if attempt.nearest is None:
        return ""
    label = axis_name(attempt.analysis.sat, attempt.nearest)
    return f"on {label}" if attempt.angle < 1e-9 else f"nearest candidate: {label}, {in_degrees(attempt.angle)} away"


def _nearest(table: SatTable, axis: Array) -> tuple[int | None, float]:
    known = [row for row, status in enumerate(table.statuses) if status is not AxisStatus.DEGENERATE]
    if not known:
        return None, 0.0
    # The angle is computed from the shorter of both chords, as the cosine would lose the digits of small angles.
    axes = table.axes[known]
    apart = np.minimum(length_rows(axes - axis), length_rows(axes + axis))
    place = int(np.argmin(apart))
    return known[place], degrees(2.0 * asin(min(1.0, 0.5 * float(apart[place]))))
