"""What MPR says: its settings, every step as a record, the ways it ends, and its answer with what is proved of it."""

from __future__ import annotations

from enum import StrEnum
from math import inf

from msgspec import Struct

from ..geometry.tolerances import EPS, ROUNDING
from ..geometry.triple import length
from ..geometry.vector import Array
from ..gjk.simplex import nearest_on_simplex
from ..pair.support import DifferencePoint
from ..verdict import Certainty, certainty_of


class MprStop(StrEnum):
    """Why MPR ended. The first three say that the bodies overlap, the next three that they are apart."""

    SURFACE = "SURFACE"
    """Nothing of the difference is farther along the portal's normal, to the tolerance: the portal lies on its
    surface, and its point nearest the origin is the answer."""
    ON_RAY = "ON_RAY"
    """The origin lies on the line from the interior point to the first support point, to `on_ray`: the latter is the
    answer (libccd's findPenetrSegment). So coarse is that test that a gap of 1e-9 may pass for an overlap."""
    TOUCHING = "TOUCHING"
    """The first support point is the origin, to rounding: the bodies touch (libccd's findPenetrTouch)."""
    EXCLUDED = "EXCLUDED"
    """The origin lies beyond a support plane: that proves the bodies apart."""
    PLANE_AT_ORIGIN = "PLANE_AT_ORIGIN"
    """A support plane passes through the origin, to rounding: MPR says apart, and the bodies touch at most."""
    WITHIN_TOLERANCE = "WITHIN_TOLERANCE"
    """The origin lies beyond the portal, and the difference reaches no farther than the tolerance: MPR says apart, and
    nothing proves it. An overlap of up to `upper` is missed."""
    FLAT_DIFFERENCE = "FLAT_DIFFERENCE"
    """The difference has no volume: there is no inside for the ray to start from. No verdict."""
    DEGENERATE_PORTAL = "DEGENERATE_PORTAL"
    """The portal is as good as a line, or its plane holds the interior point: its normal is noise."""
    ITERATION_LIMIT = "ITERATION_LIMIT"
    """Too many iterations. There is a verdict only if the portal has passed the origin."""
    HALF_SPACE = "HALF_SPACE"
    """A half-space has no centre and no farthest point. No verdict."""
    SPACE_ONLY = "SPACE_ONLY"
    """Polygons and circles have no portals: a portal is a triangle of space. No verdict."""


class MprAction(StrEnum):
    """What a step did."""

    CENTRE = "CENTRE"
    """Took the interior point v0, where the ray to the origin starts."""
    FIRST = "FIRST"
    """Sought v1 along the ray."""
    SECOND = "SECOND"
    """Sought v2 square to the plane of the ray and v1."""
    SWAP = "SWAP"
    """Exchanged v1 and v2, so that the plane of v0, v1, v2 has the origin in front."""
    THIRD = "THIRD"
    """Sought v3 in front of that plane, and asked whether the ray passes between v1, v2 and v3."""
    REFINE = "REFINE"
    """Looked beyond a portal that has not passed the origin yet."""
    DEEPEN = "DEEPEN"
    """Looked beyond a portal that has passed the origin, to get to the surface."""
    STOP = "STOP"
    """Said that the pair is none for MPR."""


class MprSettings(Struct, frozen=True):
    """The settings, which stand for libccd's `mpr_tolerance` 1e-4, CCD_EPS and `max_iterations`.

    `tolerance`: what the difference may reach beyond a portal that counts as its surface, a fraction of L. `gap`: what
    counts as 0 along a unit direction, a fraction of L + |T|. `on_ray`: the origin is on the ray from v0 if |v0 × v1|
    is no larger, a fraction of L²: for bodies of size 1 that is libccd's `|v0 × v1|² < CCD_EPS`. `nudge`: how far v0 is
    moved along x if it is the origin, a fraction of L. `iterations`: of discovery, and of refinement.
    """

    tolerance: float = 1e-4
    gap: float = ROUNDING
    on_ray: float = EPS**0.5
    nudge: float = 10.0 * EPS
    iterations: int = 128


DEFAULTS = MprSettings()


class MprTest(Struct, frozen=True):
    """A number that decided something: `name` is its formula in v0 to v3, w, d; `holds`: whether what it asks is so."""

    name: str
    value: float
    holds: bool


class MprStep(Struct, frozen=True, eq=False):
    """One step: the points before it, what was asked and found, and what became of the points.

    `points`: v0, v1, v2, v3 as far as there are any; v0 is the centre of A minus that of B, and a `nudge` (3,) along x
    where both coincide (else None). `direction` (3,): unit, along which `support` was found; both None where nothing
    was sought. `tests`: in the order in which they were made. `placed`: which point of `after`, the points as they are
    then, the support became; None if it was not kept. `inside`: the origin is known to be in A - B. `value`:
    direction·support. `upper`: the least of these so far, an upper bound of the depth, negative where it proves a
    distance; None before the first.
    """

    number: int
    action: MprAction
    points: tuple[DifferencePoint, ...]
    after: tuple[DifferencePoint, ...]
    direction: Array | None = None
    support: DifferencePoint | None = None
    tests: tuple[MprTest, ...] = ()
    placed: int | None = None
    nudge: Array | None = None
    inside: bool = False
    value: float | None = None
    upper: float | None = None
    stop: MprStop | None = None

    @property
    def distance(self) -> float | None:
        """Of the portal before the step from the origin; None before there is one."""
        portal = [point.xyz for point in self.points[1:]]
        return length(nearest_on_simplex(portal).point) if len(portal) == 3 else None


class MprResult(Struct, frozen=True, eq=False):
    """MPR's yes or no, and how far it says that B must move.

    `overlapping`: None without a verdict. `depth`, `normal` (3,), A to B: the length and direction from the origin to
    the nearest point of the last portal, the triangle v1 v2 v3 (in ON_RAY the point v1), as in libccd's
    ccdMPRPenetration. That point is within the tolerance of the surface of A - B, so moving B there ends the overlap,
    to the tolerance: it is where the ray happens to leave A - B, not where its surface is nearest. Where MPR gave up
    with the origin inside, both are `upper` and its normal. None unless overlapping.
    `upper`, `upper_normal` (3,): the least reach of A - B along any direction asked: the least depth is proved to be no
    more; negative, it proves the bodies apart by as much. None if nothing was asked.
    `portal`: the last of v1 to v3. `weights`, `witness_a`, `witness_b` (3,): what makes its nearest point, where that
    is the answer; `a - b = depth normal`, on the surfaces, to the tolerance, relative to A's position.
    """

    stop: MprStop
    overlapping: bool | None
    depth: float | None
    normal: Array | None
    upper: float | None
    upper_normal: Array | None
    witness_a: Array | None
    witness_b: Array | None
    portal: tuple[DifferencePoint, ...]
    weights: Array | None
    iterations: int

    @property
    def certainty(self) -> Certainty | None:
        """How `depth` is known: as a bound. The least depth may be anything from 0 to it. None without a depth."""
        return None if self.depth is None else certainty_of(0.0, self.depth, -inf)

    @property
    def proved(self) -> bool:
        """Whether the verdict holds to rounding, and not only to a tolerance."""
        inside = bool(self.overlapping) and self.stop is not MprStop.ON_RAY
        return inside or self.stop in (MprStop.EXCLUDED, MprStop.PLANE_AT_ORIGIN)
