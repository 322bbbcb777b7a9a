"""The tolerances of the core: the purpose of each, and the effect of a smaller or a larger value.

Lengths scale with the pair: L is the larger bounding radius of the two bodies, T the offset between their positions, l
the largest half extent or radius of the smaller body. See core/README.md, "Tolerances".
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

EPS = 2.220446049250313e-16
"""Spacing of doubles above 1."""

TOUCHING = 1e-12
"""Half width of the TOUCHING band in units of l. With zero, rounding would decide the verdict of touching bodies
(fcl-493); a wide band would hide real gaps of micrometre parts."""

ROUNDING = 16.0 * EPS
"""The least half width of the TOUCHING band in units of L + |T|: the rounding error of the projections."""

SUPPORT = 1e-9
"""Vertices at most this far below the farthest one, in units of L, belong to the supporting feature. If smaller, a face
that rests after a 90 degree turn (error 2e-16) counts as a vertex; if larger, a visibly tilted face counts as resting.
"""

LEVEL_SIN = 1e-6
"""A face is not a supporting feature if the sine of its normal's angle to the direction is above this, even if its
vertices are level within SUPPORT, as those of a narrower face always are. If smaller, plates lose true faces; if
larger, the contacts of needles are measured along another normal than the answer's."""

NEARLY_PARALLEL_SIN = 0.005
"""Edge pairs are greyed in the axis table, but never dropped, if the sine of their angle is below this."""

TIE = 1e-12
"""An axis ties with the deciding one if their separations differ by at most this fraction of L + |T|."""

SAME_AXIS_SIN = 1e-12
"""Two axes are the same face pair of the difference if the sine of their angle is below this. If larger, thin but real
faces of nearly aligned boxes are merged and the difference loses digits; if smaller, rounding splits a face in two."""

COPLANAR = 4.0 * SAME_AXIS_SIN
"""Faces of the difference whose planes' distances differ by at most this, in units of its size, are searched together
for the nearest point, as merged faces are flat to SAME_AXIS_SIN only. Zero would miss the face that contains the point.
"""

AGREEMENT = 1e-11
"""If the numbers of two algorithms differ by more than this fraction of L + |T|, one is wrong. It is ten times the
error of each. If smaller, rounding raises false alarms; if larger, a real fault is not found."""

HULL_FLATNESS = 64.0 * EPS
"""Points of a hull at most this far from a plane lie in it, in units of the largest coordinate: rounding moves the
corners of a turned mesh off its flat faces by as much. If smaller, the faces of a turned cube become triangles with a
false edge between them. If larger, real angles of a fine mesh are flattened, with a larger error than SAT's. A hull
with all points at most this far from one plane, line or point is flat."""

FRAME_ROUNDING = 8.0 * EPS
"""Rounding error of a product of two bodies' unit axes: a product below this may belong to a right angle."""

FLAT_SIN = 8.0 * EPS
"""Three points lie on one line if the sine between the two shorter sides is at most this. With zero, rounding would
choose a plane; if larger, true slivers far from the origin are refused."""

FLAT = 4.0 * EPS
"""A simplex is flat, to rounding, if its height is at most this fraction of its sides. If larger, GJK loses true
corners of needles; with zero, the sign of a rounding error decides whether the origin is inside."""

CERTIFIED = 1e-10
"""A number is certified if its two bounds differ by at most this fraction of L. If larger, the label means little; if
smaller, the numbers of round bodies, whose bounds come within 1e-10 L, end as bounds."""

EXACT = 1e-12
"""A number by formula is exact if its normal proves it to this fraction of L + |T|: the accuracy of SAT and of closed
forms. Bodies far apart are certified to the same fraction, as their bounds cannot be closer. If smaller, the rounding
of hulls of many vertices is reported as a gap; if larger, a wrong digit would be called exact."""


GAUSS_SIGN = 16.0 * EPS
"""If a determinant of three unit normals is at most this, exact integers decide its sign, which doubles may get wrong.
If smaller, the overlay of two Gauss maps may contradict itself; if larger, it only takes more time."""

COVERED_SIN = 1e-13
"""An edge pair whose arcs touch to rounding is covered by a face, and its axis not tested, if the sine between the axis
and the face's normal is below this. If larger, SAT loses digits; if smaller, axes equal to a face's are listed too."""

AMBIGUOUS_EDGE = 1e-6
"""Edges of a body are tried besides the supporting edge if they are at most this lower, in units of the body's size.

The deciding edge axis may be perpendicular to another edge, to rounding. Then the sign that chooses between the two
edges is noise.
"""

PARALLEL_EDGES_SIN = 1e-6
"""Edges meet along a segment, with a contact at either end, if the sine of their angle is below this. If larger, the
ends lie visibly beside an edge; with zero, parallel edges touch in one point that jumps."""


class Precision(Struct, frozen=True):
    """The tolerances of rounding, for numbers of one precision.

    They are proportional to the spacing of the numbers, as rounding errors are. All other tolerances are about shapes,
    or are a promise (CERTIFIED), and are the same in any precision. `spacing`: of the numbers above 1. `coarser`: the
    spacing divided by that of doubles. `rounding`, `flat`, `exact`: used instead of ROUNDING, FLAT and EXACT.
    """

    coarser: float
    spacing: float
    rounding: float
    flat: float
    exact: float

    @staticmethod
    def of(spacing: float) -> Precision:
        """The tolerances for numbers with this spacing above 1."""
        coarser = spacing / EPS
        return Precision(coarser, spacing, ROUNDING * coarser, FLAT * coarser, EXACT * coarser)


DOUBLE = Precision.of(EPS)
SINGLE = Precision.of(float(np.finfo(np.float32).eps))
"""The tolerances of single precision: 2^29 times those of double precision."""


def certified_within(larger: float, extent: float, share: float = CERTIFIED, exact: float = EXACT) -> float:
    """The widest gap of certified bounds, scene units. `larger`: L; `extent`: L + |T|.

    `share`: of L; `exact`: of `extent`, for its rounding.
    """
    return max(share * larger, exact * extent)


def touching_band(smaller: float, larger: float, offset: float, gap: float = 0.0) -> float:
    """Half width of the TOUCHING band, scene units.

    `smaller`: l; `larger`: L; `offset`: |T|; `gap`: the gap of the answer's bounds.
    """
    return max(TOUCHING * smaller, gap, ROUNDING * (larger + offset))
