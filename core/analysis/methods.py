"""Each method's answer about a pair of bodies, computed when it is read, and which of them is the pair's: the headline.

A closed form, where there is one; SAT with the explicit difference, for whatever is a core grown by a radius; GJK and
EPA, whose number comes with the gap of its bounds. In this order the first whose own normal proves its number is the
headline, and the others are cross-checks; where none proves it to rounding, the one that is proved best.

Where two methods contradict each other: every number of a pair held against every other that must equal or bound it.

Tolerances follow from what each method certifies: numbers that are exact agree to PairScale.agreement, bounds hold to
as much, and an answer that is known within a gap may be off by that gap besides.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from math import inf
from typing import TypeAlias

from msgspec import Struct

from ..closed_form import Proximity, closed_form
from ..contact.contact import Manifold
from ..contact.manifold import DEFAULTS
from ..geometry.tolerances import EXACT, SUPPORT, certified_within
from ..geometry.vector import length
from ..gjk import epa
from ..gjk.article_gjk import ArticleResult, ArticleStep
from ..gjk.epa import EpaSettings, EpaStep
from ..gjk.gjk import GjkStep
from ..gjk.gjk_epa import SignedDistance, signed_distance_steps
from ..gjk.plane_epa import EpaPolygonStep
from ..minkowski.plane import MinkowskiPolygon
from ..minkowski.polyhedron_difference import MinkowskiDifference
from ..pair.pair import PairScale, certificate, half_space_of
from ..pair.support import Difference, support_maps
from ..sat.sat import SatTable, final_normal_table
from ..sat.separating_planes import PlaneStep, PlanesTest
from ..scene import Body
from ..shapes import Shape
from ..trace import Recording, record
from ..verdict import Certainty, Sentence, certainty_of

Closing: TypeAlias = Recording[GjkStep | EpaStep | EpaPolygonStep, SignedDistance]
"""A run of GJK and EPA with all its steps."""


class Limits(Struct, frozen=True):
    """How far the slow methods go in space.

    `vertices`: two bodies with more of them together have no SAT table and no difference. `epa`: EPA's settings.
    """

    vertices: float = inf
    epa: EpaSettings = epa.DEFAULTS


NO_LIMITS = Limits()


class Headline(Struct, frozen=True, eq=False):
    """A method's answer: points relative to A's position, and how well the separation is known.

    `proven`: what the answer's normal alone proves of the separation. `off`: how far the number is from what is proved,
    or its points from being that far apart along the normal. `iterated`: GJK's and EPA's number, and no formula's.
    """

    proximity: Proximity
    certainty: Certainty
    proven: float
    off: float
    iterated: bool


class Methods(Struct, frozen=True, eq=False, dict=True):
    """One pair's answers by method, each computed when it is first read; what does not apply is None.

    Space and the plane have their own, which replace what is None here. `limits`: what is left out for speed, one
    sentence about which is `beyond_limits`; `refused`: one about what would take too much memory; else empty.
    """

    a: Body
    b: Body
    scale: PairScale
    limits: Limits = NO_LIMITS

    @cached_property
    def closed(self) -> Proximity | None:
        """The answer in closed form."""
        return closed_form(self.a, self.b)

    @property
    def table(self) -> SatTable | None:
        """SAT's table."""
        return None

    @property
    def solid(self) -> MinkowskiDifference | None:
        """The explicit difference in space."""
        return None

    @property
    def polygon(self) -> MinkowskiPolygon | None:
        """The explicit difference in the plane."""
        return None

    @property
    def planes(self) -> PlanesTest | None:
        """The planes test of two polygons."""
        return None

    @property
    def explicit(self) -> float | None:
        """The separation by the explicit difference alone."""
        return None

    @property
    def boundary(self) -> Proximity | None:
        """The answer by SAT and the explicit difference."""
        return None

    @property
    def beyond_limits(self) -> str:
        """What the limits leave out."""
        return ""

    @property
    def refused(self) -> str:
        """What would take too much memory."""
        return ""

    @cached_property
    def maps(self) -> Difference | None:
        """What GJK and EPA are asked about; None with a half-space."""
        return None if half_space_of(self.a, self.b) is not None else support_maps(self.a, self.b)

    @cached_property
    def closing(self) -> Closing | None:
        """GJK's and EPA's run; None with a half-space. Raises what they raise."""
        return None if self.maps is None else record(signed_distance_steps(self.maps, epa_settings=self.limits.epa))

    @property
    def distance(self) -> SignedDistance | None:
        """GJK's and EPA's answer, with both their results."""
        return None if self.closing is None else self.closing.result

    @property
    def radius(self) -> float:
        """The sum of the radii that GJK and EPA keep apart from the cores."""
        return 0.0 if self.maps is None else self.maps.radius

    def answers(self) -> Iterator[Headline]:
        """What each method answers that applies, in their order."""
        if self.closed is not None:
            yield self._by_formula(self.closed)
        if self.boundary is not None:
            yield self._by_formula(self.boundary)
        if self.distance is not None:
            yield self._by_bounds(self.distance)

    def _by_formula(self, found: Proximity) -> Headline:
        """A formula's number, which bounds the separation from above, and the bound from below that its normal proves.

        Apart its two points are no farther from each other, and overlapping no other direction is better.
        """
        scale = self.scale
        proven, within = certificate(self.a, self.b, found.normal), certified_within(scale.larger, scale.extent)
        known = certainty_of(proven, found.separation, within, EXACT * scale.extent)
        return Headline(found, known, proven, _off(found, proven), iterated=False)

    def _by_bounds(self, found: SignedDistance) -> Headline:
        proximity = Proximity(found.separation, found.normal, found.witness_a, found.witness_b)
        proven, known = certificate(self.a, self.b, found.normal), found.certainty.at_least(self.scale.rounding)
        return Headline(
            proximity, known, proven, max(_off(proximity, proven), found.upper - found.lower), iterated=True
        )


def _off(answer: Proximity, proven: float) -> float:
    """How far an answer's number is from what its normal has `proven`, or its points from being that far apart."""
    aside = length(answer.witness_b - answer.witness_a - answer.separation * answer.normal)
    return max(answer.separation - proven, aside)


class OwnRuns(Struct, frozen=True, eq=False):
    """The runs that only the plane has: the planes test, and the article's GJK if it is asked for."""

    planes: Recording[PlaneStep, PlanesTest] | None = None
    article: Recording[ArticleStep, ArticleResult] | None = None


def headline(methods: Methods) -> Headline:
    """The answer of the first method whose own normal proves it to rounding, else the best proved; asks no further.

    Raises ValueError where no method applies.
    """
    best: Headline | None = None
    for found in methods.answers():
        if found.off <= EXACT * methods.scale.extent:
            return found
        if best is None or found.off < best.off:
            best = found
    if best is None:
        raise ValueError("no method applies to these two bodies")
    return best


def axis_table(methods: Methods, answer: Headline) -> SatTable:
    """SAT's table, or the row of the answer's normal where there is none; `exact` judged by the answer."""
    found = answer.proximity
    table = methods.table or final_normal_table(methods.a, methods.b, found.normal)
    return table.against(found.separation, methods.scale.agreement + answer.certainty.gap)


def disagreements(methods: Methods, contacts: Manifold | None, answer: Headline) -> tuple[Sentence, ...]:
    """One sentence, with both numbers, for each contradiction; none if all is well."""
    found = answer.proximity
    # The gap of a formula's number is no excuse: it is what the normal falls short by.
    gap = answer.certainty.gap if answer.iterated else 0.0
    separation, slack = found.separation, methods.scale.agreement + gap
    said = [
        equal("The answer", separation, "the support along its normal", answer.proven, slack),
        _against_witnesses(found, methods.radius, slack, gap),
    ]
    if answer.iterated and methods.boundary is not None:
        # A difference that has lost a corner is outdone: it is too small, and its number too large.
        least = methods.boundary.separation
        said.append(between("The answer", separation, "the Minkowski difference", -inf, least, slack))
    elif methods.explicit is not None:
        said.append(equal("The answer", separation, "the Minkowski difference", methods.explicit, slack))
    # Apart it is a lower bound, unless SAT itself says that one of its axes joins the closest points.
    if methods.table is not None and (methods.table.exact or separation <= 0.0):
        said.append(equal("The answer", separation, "SAT", methods.table.separation, slack))
    elif methods.table is not None:
        said.append(between("The answer", separation, "SAT", methods.table.separation, inf, slack))
    if methods.planes is not None:
        # Of polygons that meet the widest gap is the answer; of those apart it is a lower bound.
        lower, upper = methods.planes.gap, methods.planes.gap if separation <= 0.0 else inf
        said.append(between("The answer", separation, "the planes test", lower, upper, slack))
    if contacts is not None:
        said.append(_against_manifold(methods, contacts, separation, slack))
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
    way = found.witness_b - found.witness_a
    separation, cores = found.separation, found.separation + radius
    if cores <= 0.0:
        aside = length(way - separation * found.normal)
        words = "The witness points are {:.17g} off the separation along the normal."
        return None if aside <= slack else Sentence(words, (aside,))
    if cores <= -separation:
        return equal("The answer", separation, "the distance of the witness points", -length(way), slack + gap)
    apart = length(way + radius * found.normal)
    return equal("The cores' distance", cores, "the distance of the witness points in them", apart, slack + gap)


def _against_manifold(methods: Methods, contacts: Manifold, separation: float, slack: float) -> Sentence | None:
    """The depth of the deepest contact; that of a body so thin that all its features are one says nothing."""
    a, b, scale = methods.a, methods.b, methods.scale
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
