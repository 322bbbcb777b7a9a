"""What the methods said about a pair of bodies, and which of them answers.

A closed form where there is one; else SAT with the explicit difference, which decide between them whatever is a core
grown by a radius; else GJK and EPA, whose number comes with the gap of its bounds. The others stay as cross-checks.

Where two methods contradict each other: every number of a pair held against every other that must equal or bound it.

Tolerances follow from what each method certifies: numbers that are exact agree to PairScale.agreement, bounds hold to
as much, and an answer that is known within a gap may be off by that gap besides.
"""

from __future__ import annotations

from enum import StrEnum
from math import inf
from typing import TypeAlias

from msgspec import Struct

from ..closed_form import Proximity
from ..contact.contact import Manifold
from ..contact.manifold import DEFAULTS
from ..geometry.tolerances import EXACT, SUPPORT, certified_within
from ..geometry.vector import length
from ..gjk.article_gjk import ArticleResult, ArticleStep
from ..gjk.epa import EpaStep
from ..gjk.gjk import GjkStep
from ..gjk.gjk_epa import SignedDistance
from ..gjk.plane_epa import EpaPolygonStep
from ..minkowski.plane import MinkowskiPolygon
from ..minkowski.polyhedron_difference import MinkowskiDifference
from ..pair.pair import PairScale, certificate
from ..sat.planes_test import PlaneStep, PlanesTest
from ..sat.sat import SatTable, final_normal_table
from ..scene import Body
from ..shapes import Shape
from ..trace import Recording
from ..verdict import Certainty, Sentence, certainty_of


class Detail(StrEnum):
    """How much to compute."""

    LIVE = "live"
    """While a body is dragged: without what many vertices make slow, and with a bound sooner where EPA does not end."""
    FULL = "full"
    """Everything."""
    ANSWER = "answer"
    """The answer, digit for digit that of FULL: GJK and EPA are asked only where they may decide."""


Closing: TypeAlias = Recording[GjkStep | EpaStep | EpaPolygonStep, SignedDistance]
"""A run of GJK and EPA with all its steps."""


class Methods(Struct, frozen=True, eq=False):
    """One pair's answers by method; what does not apply, or was left out for speed, is None.

    `exact`: the answer in closed form or by SAT and the explicit difference; `proven`: what its normal proves.
    `explicit`: the separation by the explicit difference alone, which is `solid` in space and `polygon` in the plane.
    `planes`: the planes test of two polygons. `closing`: GJK's and EPA's run; None for half-spaces. `radius`: the sum
    of the radii that both keep apart from the cores. `left_out`: one sentence about what Detail.LIVE did not compute,
    `refused`: about what would take too much memory, else empty.
    """

    exact: Proximity | None
    closed: Proximity | None
    table: SatTable | None
    explicit: float | None
    closing: Closing | None
    radius: float
    left_out: str
    refused: str = ""
    solid: MinkowskiDifference | None = None
    polygon: MinkowskiPolygon | None = None
    planes: PlanesTest | None = None
    proven: float | None = None

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
        proven = certificate(a, b, exact.normal) if methods.proven is None else methods.proven
        within = certified_within(scale.larger, scale.extent)
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


def disagreements(
    a: Body, b: Body, scale: PairScale, methods: Methods, table: SatTable, contacts: Manifold | None, answer: Headline
) -> tuple[Sentence, ...]:
    """One sentence, with both numbers, for each contradiction; none if all is well."""
    found = answer.proximity
    # The gap of a formula's number is no excuse: it is what the normal falls short by.
    gap = answer.certainty.gap if methods.exact is None else 0.0
    separation, slack = found.separation, scale.agreement + gap
    said = [
        equal("The answer", separation, "the support along its normal", answer.proven, slack),
        _against_witnesses(found, methods.radius, slack, gap),
    ]
    if methods.explicit is not None:
        said.append(equal("The answer", separation, "the Minkowski difference", methods.explicit, slack))
    if methods.table is not None and (table.exact or separation <= 0.0):
        said.append(equal("The answer", separation, "SAT", table.separation, slack))
    elif methods.table is not None:
        said.append(between("The answer", separation, "SAT", table.separation, inf, slack))
    if methods.planes is not None:
        # Of polygons that meet the widest gap is the answer; of those apart it is a lower bound.
        lower, upper = methods.planes.gap, methods.planes.gap if separation <= 0.0 else inf
        said.append(between("The answer", separation, "the planes test", lower, upper, slack))
    if contacts is not None:
        said.append(_against_manifold(a, b, scale, contacts, separation, slack))
    return tuple(sentence for sentence in (*said, *_against_gjk_and_epa(methods, separation, slack)) if sentence)


def _against_witnesses(found: Proximity, radius: float, slack: float, gap: float) -> Sentence | None:
    """The way between the witness points: on the surfaces or in the cores, wherever the answer's gap blurs it less.

    Where the cores meet it is the separation along the normal. Cores that are u apart leave s = u - R, with R the sum
    of the radii. GJK moves the cores' points out along the way d from one to the other, or along the normal n if u is
    next to nothing; d may not be n, but u - u d·n <= gap, as the lower bound is no more than u d·n. Points moved out
    along d are |s| apart, and once they are moved back along n, sqrt(u^2 + 2 |s| R (1 - d·n)) <= u + gap |s| R / u^2.
    Points moved out along n are u apart once moved back, and before, sqrt(s^2 + 2 u R (1 - d·n)) <= |s| + gap R / |s|.
    So the longer of u and |s| is measured, and is off by two gaps at most, at u = |s| = R/2.
    """
    way = found.point_second - found.point_first
    separation, cores = found.separation, found.separation + radius
    if cores <= 0.0:
        aside = length(way - separation * found.normal)
        words = "The witness points are {:.17g} off the separation along the normal."
        return None if aside <= slack else Sentence(words, (aside,))
    if cores <= -separation:
        return equal("The answer", separation, "the distance of the witness points", -length(way), slack + gap)
    apart = length(way + radius * found.normal)
    return equal("The cores' distance", cores, "the distance of the witness points in them", apart, slack + gap)


def _against_manifold(
    a: Body, b: Body, scale: PairScale, contacts: Manifold, separation: float, slack: float
) -> Sentence | None:
    """The depth of the deepest contact; that of a body so thin that all its features are one says nothing."""
    # A contact has the depth if it is as near it as the contacts' own tolerance, and the normal's clipping to SUPPORT.
    smaller = min(body.shape.bounding_radius for body in (a, b))
    rough = slack + max(DEFAULTS.witness * smaller, SUPPORT * scale.larger)
    said = None
    if contacts.contacts:
        deepest = max(contact.depth for contact in contacts.contacts)
        said = equal("The answer", separation, "the manifold's deepest contact", -deepest, rough)
    elif separation < -rough - scale.band:
        said = Sentence("The answer says {:.17g}, but the manifold has no contact.", (separation,))
    return said if said and min(_thickness(a.shape), _thickness(b.shape)) > SUPPORT * scale.extent else None


def _thickness(shape: Shape) -> float:
    """The least extent between a polyhedron's face and what lies opposite; the radius of a rounded shape."""
    normals = shape.face_normals
    if not len(normals):
        return inf if shape.core is None else shape.core.radius
    return float((shape.reach(normals) + shape.reach(-normals)).min())


def _against_gjk_and_epa(methods: Methods, separation: float, slack: float) -> list[Sentence | None]:
    """The answer within the bounds of either algorithm, with the radii that they keep apart taken off."""
    if methods.distance is None:
        return []
    gjk, epa = methods.distance.gjk, methods.distance.epa
    radius = methods.radius
    # Only a positive lower bound proves anything: without one, GJK has found no more than how near the bodies are.
    lower = gjk.lower - radius if not gjk.overlapping and gjk.lower > 0.0 else -inf
    upper = -radius if gjk.overlapping else gjk.upper - radius
    said = [between("The answer", separation, "GJK", lower, upper, slack)]
    if epa is not None:
        said.append(between("The answer", separation, "EPA", -epa.upper - radius, -epa.lower - radius, slack))
    return said


def equal(name: str, value: float, other: str, against: float, slack: float) -> Sentence | None:
    """The sentence that two numbers for one thing differ; None if they do not."""
    # Written so that a NaN on either side is a disagreement too.
    words = f"{name} says {{:.17g}}, {other} says {{:.17g}}."
    return None if abs(value - against) <= slack else Sentence(words, (value, against))


def between(name: str, value: float, other: str, lower: float, upper: float, slack: float) -> Sentence | None:
    """The sentence that a number lies outside of another algorithm's bounds; None if it does not."""
    if lower - slack <= value <= upper + slack:
        return None
    word, bound = ("at most", upper) if value > upper else ("at least", lower)
    return Sentence(f"{name} says {{:.17g}}, {other} says {word} {{:.17g}}.", (value, bound))
