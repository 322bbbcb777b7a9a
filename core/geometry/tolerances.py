"""Every tolerance of the core: what it guards, and what breaks when it changes.

Lengths scale with the scene: L is the larger bounding radius of the two bodies, T the offset between their
positions, l the largest half extent or radius of the smaller body. See core/README.md, "Tolerances".
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

EPS = 2.220446049250313e-16
"""Spacing of doubles above 1."""

TOUCHING = 1e-12
"""Half width of the TOUCHING band in units of l. Zero would make the verdict of kissing bodies a coin toss of
rounding (fcl-493); a wide band would hide real gaps of micrometre parts."""

ROUNDING = 16.0 * EPS
"""Half width of the TOUCHING band in units of L + |T|: the rounding error of the projections themselves."""

SUPPORT = 1e-9
"""Vertices within this fraction of L of the extreme one share the supporting feature. Smaller, and a face resting
after a 90 degree turn (error 2e-16) shows as a vertex; larger, and a visibly tilted face shows as resting."""

LEVEL_SIN = 1e-6
"""A face whose normal encloses a larger sine with the direction is no supporting feature, even if its vertices are
level: the vertices of a face narrower than SUPPORT always are. Smaller, and plates lose true faces; larger, and the
contacts of needles are measured along another normal than the answer's."""

NEARLY_PARALLEL_SIN = 0.005
"""Edge pairs whose directions enclose a smaller sine are greyed in the axis table (never dropped)."""

TIE = 1e-12
"""An axis ties with the deciding one when their separations differ by at most this fraction of L + |T|."""

SAME_AXIS_SIN = 1e-12
"""Two axes that enclose a smaller sine are the same face pair of the difference. Larger, and thin but real faces
of nearly aligned boxes are merged and the difference loses digits; smaller, and rounding splits one face in two."""

COPLANAR = 4.0 * SAME_AXIS_SIN
"""Faces of the difference whose planes are this close to equally far, in units of its size, are searched together
for the nearest point: merged faces are flat to SAME_AXIS_SIN only. Zero would miss the face that holds the point."""

AGREEMENT = 1e-11
"""Answers of two algorithms for one number differ by more than this fraction of L + |T| only if one is wrong. Ten
times what each is good to: smaller, and rounding raises false alarms; larger, and a real fault stays unseen."""

HULL_FLATNESS = 64.0 * EPS
"""Points of a hull this close to a plane lie in it, in units of the largest coordinate: rounding moves the corners of a
turned mesh off its flat faces by as much. Smaller, and the faces of a turned cube fall apart into triangles with a
false edge between; larger, and real angles of a fine mesh are flattened, which would cost more digits than SAT
promises. A hull with all points this close to one plane, line or point is flat."""

FRAME_ROUNDING = 8.0 * EPS
"""Rounding error of a product of two bodies' unit axes: below it, a right angle cannot be told from a near one."""

FLAT_SIN = 8.0 * EPS
"""Three points whose two shorter sides enclose a smaller sine lie on one line. Zero would let rounding choose a plane;
larger, and true slivers far from the origin are refused."""

FLAT = 4.0 * EPS
"""A simplex whose height is this small a fraction of its sides is flat as far as doubles can tell. Larger, and GJK
loses true corners of needles; zero, and the sign of a rounding error decides whether the origin is inside."""

CERTIFIED = 1e-10
"""A number is called certified when its two bounds lie within this fraction of L. Larger, and the label says little;
smaller, and round bodies, whose bounds close in by 1e-10 L, end as bounds."""

EXACT = 1e-12
"""A number by formula is called exact when its normal proves it to this fraction of L + |T|: the accuracy of SAT and of
closed forms. Bodies far apart are certified to the same, as their bounds cannot be closer. Smaller, and the rounding of
hulls of many vertices is reported as a gap; larger, and a wrong digit would be called exact."""


GAUSS_SIGN = 16.0 * EPS
"""The sign of a determinant of three unit normals this small cannot be told in doubles; exact integers decide it.
Smaller, and the overlay of two Gauss maps may contradict itself; larger costs time only."""

COVERED_SIN = 1e-13
"""An edge pair whose arcs touch to rounding is covered by a face whose normal encloses a smaller sine with its axis.
Larger costs SAT digits (the axis is not tested); smaller lists axes that equal the face's but for rounding."""

AMBIGUOUS_EDGE = 1e-6
"""Edges of a body that are level with the supporting edge to this, in units of the body's size, are tried beside it.

The deciding edge axis may be perpendicular to another edge up to rounding. Then the sign that chooses between the two
edges is noise.
"""

PARALLEL_EDGES_SIN = 1e-6
"""Edges that enclose a smaller sine meet along a stretch, with a contact at either end. Larger, and the ends lie
visibly beside an edge; zero, and parallel edges touch in one point that jumps."""


class Precision(Struct, frozen=True):
    """The tolerances that guard against rounding, for numbers of one precision.

    The rounding of a sum or a product grows in proportion to the spacing of the numbers, and so do these tolerances.
    All others are about shapes, or are a promise (CERTIFIED), and are the same in any precision. `coarser`: the spacing
    over that of doubles; `spacing`: above 1; `rounding`, `flat`, `exact`: used in place of ROUNDING, FLAT and EXACT.
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
"""2^29 times as coarse: 2^-23 instead of 2^-52 at 1."""


def certified_within(larger: float, extent: float, share: float = CERTIFIED, exact: float = EXACT) -> float:
    """The widest gap of certified bounds: `larger` is L, `extent` L + |T|; `share`, `exact`: the two tolerances."""
    return max(share * larger, exact * extent)


def touching_band(smaller: float, larger: float, offset: float, gap: float = 0.0) -> float:
    """Half width of the TOUCHING band: `smaller` is l, `larger` L, `offset` |T|, `gap` the answer's certified gap."""
    return max(TOUCHING * smaller, gap, ROUNDING * (larger + offset))
