"""What the methods said about a pair of bodies, and which of them answers.

A closed form where there is one; else SAT with the explicit difference, which decide between them whatever is a core
grown by a radius; else GJK and EPA, whose number comes with the gap of its bounds. The others stay as cross-checks.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from ..closed_form import Proximity
from ..geometry.tolerances import EXACT, certified_within
from ..gjk.epa import EpaStep
from ..gjk.gjk import GjkStep
from ..gjk.gjk_epa import SignedDistance
from ..minkowski.difference import MinkowskiDifference
from ..pair.certificate import certificate
from ..pair.pair import PairScale
from ..sat.sat import SatTable, final_normal_table
from ..scene import Body
from ..trace import Recording
from ..verdict import Certainty, certainty_of

if TYPE_CHECKING:
    from ..gjk.article_gjk import ArticleResult, ArticleStep
    from ..gjk.plane_epa import EpaPolygonStep
    from ..minkowski.plane import MinkowskiPolygon
    from ..sat.planes_test import PlaneStep, PlanesTest


class Detail(StrEnum):
    """How much to compute."""

    LIVE = "live"
    """While a body is dragged: without what many vertices make slow, and with a bound sooner where EPA does not end."""
    FULL = "full"
    """Everything."""


Closing: TypeAlias = "Recording[GjkStep | EpaStep | EpaPolygonStep, SignedDistance]"
"""A run of GJK and EPA with all its steps."""


class Methods(Struct, frozen=True, eq=False):
    """One pair's answers by method; what does not apply, or was left out for speed, is None.

    `exact`: the answer in closed form or by SAT and the explicit difference. `explicit`: the separation by the explicit
    difference alone, which is `solid` in space and `polygon` in the plane. `planes`: the planes test of two polygons.
    `closing`: GJK's and EPA's run; None for half-spaces. `radius`: the sum of the radii that both keep apart from the
    cores. `left_out`: one sentence about what Detail.LIVE did not compute, else empty.
    """

    exact: Proximity | None
    closed: Proximity | None
    table: SatTable | None
    explicit: float | None
    closing: Closing | None
    radius: float
    left_out: str
    solid: MinkowskiDifference | None = None
    polygon: MinkowskiPolygon | None = None
    planes: PlanesTest | None = None

    @property
    def distance(self) -> SignedDistance | None:
        """GJK's and EPA's answer, with both their results."""
        return None if self.closing is None else self.closing.result


class OwnRuns(Struct, frozen=True, eq=False):
    """The runs that only the plane has: the planes test, and the article's GJK if it is asked for."""

    planes: Recording[PlaneStep, PlanesTest] | None = None
    article: Recording[ArticleStep, ArticleResult] | None = None


class Headline(Struct, frozen=True, eq=False):
    """The answer: points relative to A's position, and how well the separation is known.

    `proven`: what the answer's normal alone proves of the separation.
    """

    proximity: Proximity
    certainty: Certainty
    proven: float


def headline(a: Body, b: Body, scale: PairScale, methods: Methods) -> Headline:
    """The strongest of the methods' answers.

    A formula's number bounds the separation from above: apart its two points are no farther from each other, and
    overlapping no other direction is better. What its normal proves is the bound from below.
    """
    if (exact := methods.exact) is not None:
        proven, within = certificate(a, b, exact.normal), certified_within(scale.larger, scale.extent)
        return Headline(exact, certainty_of(proven, exact.separation, within, EXACT * scale.extent), proven)
    found = methods.distance
    if found is None:
        raise ValueError("no method applies to these two bodies")
    proximity = Proximity(found.separation, found.normal, found.witness_a, found.witness_b)
    return Headline(proximity, found.certainty.at_least(scale.rounding), certificate(a, b, found.normal))


def axis_table(a: Body, b: Body, scale: PairScale, methods: Methods, answer: Headline) -> SatTable:
    """SAT's table, or the row of the answer's normal where there is none; `exact` judged by the answer."""
    found = answer.proximity
    table = methods.table or final_normal_table(a, b, found.normal)
    return table.against(found.separation, scale.agreement + answer.certainty.gap)
