"""What each method says about a pair of bodies, and which of them answers.

A closed form where there is one; else SAT with the explicit difference, which decide between them whatever is a core
grown by a radius; else GJK and EPA, whose number comes with the gap of its bounds. The others stay as cross-checks.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from .algorithms.closed_form import Proximity, closed_form
from .algorithms.distance import BoundaryPoint, nearest_boundary_point, witness_points
from .algorithms.epa import EpaSettings, EpaStep
from .algorithms.gjk import GjkStep
from .algorithms.gjk_epa import SignedDistance, signed_distance_steps
from .algorithms.minkowski import MinkowskiDifference, difference, has_difference
from .algorithms.pair import PairScale
from .algorithms.sat import SatTable, final_normal_table, sat, sat_applies
from .algorithms.support import support_maps
from .answer import Certainty, Provenance
from .geometry.vector import Array
from .scene import Body
from .shapes import HalfSpace
from .trace import Recording, record

LIVE_VERTICES = 128
"""Detail.LIVE leaves out SAT's table and the difference of two bodies with more vertices than this together: beyond,
both take longer than a frame may, while GJK and EPA take 2 ms at 1,000 vertices each."""


LIVE_EXPANSIONS = 96
"""EPA's limit while live: the 256 of Detail.FULL take 100 ms on coaxial cones, whose number is a bound even so."""


class Detail(StrEnum):
    """How much to compute."""

    LIVE = "live"
    """While a body is dragged: without what many vertices make slow, and with a bound sooner where EPA does not end."""
    FULL = "full"
    """Everything."""


Closing = Recording[GjkStep | EpaStep, SignedDistance]
"""A run of GJK and EPA with all its steps."""


class Methods(Struct, frozen=True, eq=False):
    """One pair's answers by method; what does not apply, or was left out for speed, is None.

    `point`: of `solid`, its boundary point nearest the origin. `closing`: GJK's and EPA's run; None for half-spaces.
    `radius`: the sum of the radii that both keep apart from the cores. `left_out`: one sentence
    about what Detail.LIVE did not compute, else empty.
    """

    closed: Proximity | None
    table: SatTable | None
    solid: MinkowskiDifference | None
    point: BoundaryPoint | None
    closing: Closing | None
    radius: float
    left_out: str

    @property
    def distance(self) -> SignedDistance | None:
        """GJK's and EPA's answer, with both their results."""
        return None if self.closing is None else self.closing.result


class Headline(Struct, frozen=True, eq=False):
    """The answer: points relative to A's position, and how well the separation is known."""

    proximity: Proximity
    certainty: Certainty


def methods_of(a: Body, b: Body, detail: Detail) -> Methods:
    """Asks every method that applies. Raises ValueError for two half-spaces, and what GJK or EPA raises."""
    bounded = not (isinstance(a.shape, HalfSpace) or isinstance(b.shape, HalfSpace))
    maps = support_maps(a, b) if bounded else None
    limit = EpaSettings(iterations=LIVE_EXPANSIONS) if detail is Detail.LIVE else EpaSettings()
    closing = None if maps is None else record(signed_distance_steps(maps, epa_settings=limit))
    if closing is not None and closing.error is not None:
        raise closing.error
    left_out = too_slow(a, b) if detail is Detail.LIVE else ""
    table = sat(a, b) if sat_applies(a, b) and not left_out else None
    solid = difference(a, b) if has_difference(a, b) and not left_out else None
    point = None if solid is None else nearest_boundary_point(solid, _winning_face(solid, table))
    radius = 0.0 if maps is None else maps.radius
    return Methods(closed_form(a, b), table, solid, point, closing, radius, left_out)


def headline(a: Body, b: Body, scale: PairScale, methods: Methods) -> Headline:
    """The strongest of the methods' answers."""
    if methods.closed is not None:
        return Headline(methods.closed, Certainty(Provenance.EXACT))
    if methods.table is not None and methods.solid is not None and methods.point is not None:
        explicit = _explicit(a, b, scale, methods.table, methods.solid, methods.point)
        return Headline(explicit, Certainty(Provenance.EXACT))
    found = methods.distance
    if found is None:
        raise ValueError("no method applies to these two bodies")
    # The bounds themselves are good to rounding, however closely they meet.
    certainty = replace(found.certainty, gap=max(found.certainty.gap, scale.rounding))
    return Headline(Proximity(found.separation, found.normal, found.witness_a, found.witness_b), certainty)


def axis_table(a: Body, b: Body, scale: PairScale, methods: Methods, answer: Headline) -> SatTable:
    """SAT's table, or the row of the answer's normal where there is none; `exact` judged by the answer."""
    found = answer.proximity
    table = methods.table or final_normal_table(a, b, found.normal)
    return table.against(found.separation, scale.agreement + answer.certainty.gap)


def too_slow(a: Body, b: Body) -> str:
    """One sentence about what Detail.LIVE leaves out of the answers about two bodies; empty if nothing."""
    counts = [0 if body.shape.polyhedron is None else len(body.shape.polyhedron.vertices) for body in (a, b)]
    if not has_difference(a, b) or sum(counts) <= LIVE_VERTICES:
        return ""
    return f"SAT's table and the Minkowski difference of {sum(counts):,} vertices follow when the drag rests."


def _winning_face(solid: MinkowskiDifference, table: SatTable | None) -> int | None:
    """The difference's face that stands on the winning axis on B's side, if it has one."""
    if table is None or table.winner >= len(solid.axis_faces):
        return None
    face = int(solid.axis_faces[table.winner, 0 if table.sides[table.winner] > 0 else 1])
    return face if face >= 0 else None


def _explicit(
    a: Body, b: Body, scale: PairScale, table: SatTable, solid: MinkowskiDifference, point: BoundaryPoint
) -> Proximity:
    """SAT's depth when overlapping, the difference's distance when apart; points relative to A's position.

    The normal is the face's that holds the nearest point: of axes that rounding cannot tell apart, the one whose
    direction the witness points have.
    """
    core_a, core_b = a.shape.core, b.shape.core
    if core_a is None or core_b is None:
        raise TypeError("only cores grown by a radius have an explicit difference with witnesses")
    at_a, at_b = _placed(core_a.points, a), _placed(core_b.points, b) + scale.offset
    on_a, on_b = witness_points(solid, point, at_a, at_b)
    # SAT's gap is proven, and merged faces of the difference are flat to 1e-12 only.
    meeting = table.separation + solid.radius <= 0.0
    separation = table.separation if meeting else max(table.separation, point.separation)
    normal = point.normal
    return Proximity(separation, normal, on_a + core_a.radius * normal, on_b - core_b.radius * normal)


def _placed(points: Array, body: Body) -> Array:
    """Points (k, 3) of the body's frame, turned into the world's directions about its position."""
    placed: Array = points @ body.pose.matrix.T
    return placed
