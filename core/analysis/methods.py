"""Each method's answer about a pair of bodies, computed when it is read; the headline; and their disagreements.

The methods are, in order: a closed form, if there is one; SAT with the explicit difference, for cores grown by a
radius; GJK and EPA, whose number comes with the gap of its bounds. The headline is the first answer whose own normal
proves its number to rounding or, if there is none, the answer that is proved best. The others are cross-checks.

For the disagreements every number of a pair is compared with every other that must equal or bound it. The tolerances
follow from what each method certifies: exact numbers agree to PairScale.agreement, bounds hold to as much, and an
answer that is known within a gap may be off by that gap in addition.
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
from ..sat.separating_planes import PlanesTest, PlanesTestStep
from ..scene import Body
from ..shapes import Shape
from ..trace import Recording, record
from ..verdict import Certainty, Sentence, certainty_of

GjkEpaRun: TypeAlias = Recording[GjkStep | EpaStep | EpaPolygonStep, SignedDistance]
"""A run of GJK and EPA with all its steps."""


class Limits(Struct, frozen=True):
    """The limits of the slow methods in space.

    `vertices`: two bodies whose polyhedra have more than this together get no SAT table and no difference. `epa`: EPA's
    settings.
    """

    vertices: float = inf
    epa: EpaSettings = epa.DEFAULTS


NO_LIMITS = Limits()


class Headline(Struct, frozen=True, eq=False):
    """A method's answer, with points relative to A's position, and how well the separation is known.

    `proven`: the separation that the answer's normal alone proves. `off`: how much the number exceeds `proven`, or how
    far its points are off the separation along the normal, whichever is larger; for GJK and EPA at least the gap of
    their bounds. `iterated`: whether the number is from GJK and EPA, and not from a formula.
    """

    proximity: Proximity
    certainty: Certainty
    proven: float
    off: float
    iterated: bool


class Methods(Struct, frozen=True, eq=False, dict=True):
    """One pair's answers by method, each computed when it is first read; None for a method that does not apply.

    The classes for space and for the plane override the properties that return None here. `limits`: of the slow
    methods.
    """

    a: Body
    b: Body
    scale: PairScale
    limits: Limits = NO_LIMITS

    @cached_property
    def closed(self) -> Proximity | None:
        """The answer in closed form; None for a pair without a formula."""
        return closed_form(self.a, self.b)

    @property
    def table(self) -> SatTable | None:
        """SAT's table; None here."""
        return None

    @property
    def solid(self) -> MinkowskiDifference | None:
        """The explicit difference in space; None here."""
        return None

    @property
    def polygon(self) -> MinkowskiPolygon | None:
        """The explicit difference in the plane; None here."""
        return None

    @property
    def planes(self) -> PlanesTest | None:
        """The planes test, if it decides about the pair; None here."""
        return None

    @property
    def explicit(self) -> float | None:
        """The separation by the explicit difference alone; None here."""
        return None

    @property
    def boundary(self) -> Proximity | None:
        """The answer by SAT and the explicit difference; None here."""
        return None

    @property
    def beyond_limits(self) -> str:
        """One sentence about what the limits leave out, else empty."""
        return ""

    @property
    def refused(self) -> str:
        """One sentence about what would take too much memory, else empty."""
        return ""

    @cached_property
    def maps(self) -> Difference | None:
        """The support maps for GJK and EPA; None with a half-space."""
        return None if half_space_of(self.a, self.b) is not None else support_maps(self.a, self.b)

    @cached_property
    def gjk_epa(self) -> GjkEpaRun | None:
        """GJK's and EPA's run; None with a half-space. Passes on their exceptions."""
        return None if self.maps is None else record(signed_distance_steps(self.maps, epa_settings=self.limits.epa))

    @property
    def distance(self) -> SignedDistance | None:
        """GJK's and EPA's answer, with both their results; None with a half-space."""
        return None if self.gjk_epa is None else self.gjk_epa.result

    @property
    def radius(self) -> float:
        """The sum of the radii that GJK and EPA keep apart from the cores."""
        return 0.0 if self.maps is None else self.maps.radius

    def answers(self) -> Iterator[Headline]:
        """Yields the answer of each method that applies, in their order."""
        if self.closed is not None:
            yield self._by_formula(self.closed)
        if self.boundary is not None:
            yield self._by_formula(self.boundary)
        if self.distance is not None:
            yield self._by_bounds(self.distance)

    def _by_formula(self, found: Proximity) -> Headline:
        """The answer of a formula: its number is an upper bound of the separation, its normal proves a lower bound.

        The number is an upper bound because its two points are that far apart. For overlapping bodies it is one because
        no direction has a larger separation.
        """
        scale = self.scale
        proven, within = certificate(self.a, self.b, found.normal), certified_within(scale.largest_radius, scale.extent)
        known = certainty_of(proven, found.separation, within, EXACT * scale.extent)
        return Headline(found, known, proven, _off(found, proven), iterated=False)

    def _by_bounds(self, found: SignedDistance) -> Headline:
        proximity = Proximity(found.separation, found.normal, found.witness_a, found.witness_b)
        proven, known = certificate(self.a, self.b, found.normal), found.certainty.at_least(self.scale.rounding)
        return Headline(
            proximity, known, proven, max(_off(proximity, proven), found.upper - found.lower), iterated=True
        )


def _off(answer: Proximity, proven: float) -> float:
    """The larger of two errors: the number less `proven`, and how far the points are off it along the normal."""
    aside = length(answer.witness_b - answer.witness_a - answer.separation * answer.normal)
    return max(answer.separation - proven, aside)


class OwnRuns(Struct, frozen=True, eq=False):
    """The runs of methods that only the plane has: the planes test, and the article's GJK; None for one not run."""

    planes: Recording[PlanesTestStep, PlanesTest] | None = None
    article: Recording[ArticleStep, ArticleResult] | None = None


def headline(methods: Methods) -> Headline:
    """The answer of the first method whose own normal proves it to rounding, else the best proved.

    Methods after the first such one are not computed. Raises ValueError if no method applies.
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
    """SAT's table, or one row with the answer's normal if there is none; its `exact` is judged by the answer."""
    found = answer.proximity
    table = methods.table or final_normal_table(methods.a, methods.b, found.normal)
    return table.against(found.separation, methods.scale.agreement + answer.certainty.gap)


def disagreements(methods: Methods, contacts: Manifold | None, answer: Headline) -> tuple[Sentence, ...]:
    """One sentence, with both numbers, for each contradiction; none if all is well.

    `contacts`: the pair's manifold; None if there is none to check.
    """
    found = answer.proximity
    # The gap of a formula's number is not added to the slack, as it is the very error that is tested here.
    gap = answer.certainty.gap if answer.iterated else 0.0
    separation, slack = found.separation, methods.scale.agreement + gap
    said = [
        equal("The answer", separation, "the support along its normal", answer.proven, slack),
        _against_witnesses(found, methods.radius, slack, gap),
    ]
    if answer.iterated and methods.boundary is not None:
        # The difference may have lost a corner: then it is too small, and its number too large, an upper bound.
        least = methods.boundary.separation
        said.append(outside_bounds("The answer", separation, "the Minkowski difference", -inf, least, slack))
    elif methods.explicit is not None:
        said.append(equal("The answer", separation, "the Minkowski difference", methods.explicit, slack))
    # For bodies apart, SAT's separation is a lower bound, unless its table has the axis of the closest points.
    if methods.table is not None and (methods.table.exact or separation <= 0.0):
        said.append(equal("The answer", separation, "SAT", methods.table.separation, slack))
    elif methods.table is not None:
        said.append(outside_bounds("The answer", separation, "SAT", methods.table.separation, inf, slack))
    if methods.planes is not None:
        # For polygons that overlap, the widest gap is the answer; for polygons apart, a lower bound.
        lower, upper = methods.planes.gap, methods.planes.gap if separation <= 0.0 else inf
        said.append(outside_bounds("The answer", separation, "the planes test", lower, upper, slack))
    if contacts is not None:
        said.append(_against_manifold(methods, contacts, separation, slack))
    return tuple(sentence for sentence in (*said, *_against_gjk_and_epa(methods, separation, slack)) if sentence)


def _against_witnesses(found: Proximity, radius: float, slack: float, gap: float) -> Sentence | None:
    """Compares the distance of the witness points, on the surfaces or in the cores, with the answer.

    If the cores meet, the vector between the points must be the separation along the normal. Cores that are u apart
    give s = u - R, with R the sum of the radii. GJK moves the cores' points out along the direction d from one to the
    other, or, if u is at most R/2, along the normal n. d may differ from n, but u - u d·n <= gap, as the lower bound is
    at most u d·n. Points moved out along d are |s| apart; moved back along n, they are sqrt(u^2 + 2 |s| R (1 - d·n)) <=
    u + gap |s| R / u^2 apart. Points moved out along n are sqrt(s^2 + 2 u R (1 - d·n)) <= |s| + gap R / |s| apart;
    moved back, u. So the longer of u and |s| is measured. It is off by at most two gaps, at u = |s| = R/2. None if the
    two agree within `slack` and `gap`.
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
    """Compares the depth of the deepest contact with the answer.

    None if they agree, and for a body so thin that its features coincide.
    """
    a, b, scale = methods.a, methods.b, methods.scale
    # The depth may be off by the contacts' own tolerance, and by SUPPORT from clipping about the normal.
    smaller = min(body.shape.bounding_radius for body in (a, b))
    rough = slack + max(DEFAULTS.witness * smaller, SUPPORT * scale.largest_radius)
    said = None
    if contacts.contacts:
        deepest = max(contact.depth for contact in contacts.contacts)
        said = equal("The answer", separation, "the manifold's deepest contact", -deepest, rough)
    elif separation < -rough - scale.touching_band():
        said = Sentence("The answer says {:.17g}, but the manifold has no contact.", (separation,))
    return said if said and min(_thickness(a.shape), _thickness(b.shape)) > SUPPORT * scale.extent else None


def _thickness(shape: Shape) -> float:
    """The least extent of a shape along the normals of its flat faces; without such faces its core's radius, or inf."""
    normals = shape.face_normals
    if not len(normals):
        return inf if shape.core is None else shape.core.radius
    return float((shape.reach(normals) + shape.reach(-normals)).min())


def _against_gjk_and_epa(methods: Methods, separation: float, slack: float) -> list[Sentence | None]:
    """Compares the answer with the bounds of GJK and of EPA, less the radii that they keep apart.

    Empty with a half-space; an entry is None if the answer is within the bounds.
    """
    if methods.distance is None:
        return []
    gjk, epa = methods.distance.gjk, methods.distance.epa
    radius = methods.radius
    # Only a positive lower bound proves anything; without one GJK has only an upper bound of the distance.
    lower = gjk.lower - radius if not gjk.overlapping and gjk.lower > 0.0 else -inf
    upper = -radius if gjk.overlapping else gjk.upper - radius
    said = [outside_bounds("The answer", separation, "GJK", lower, upper, slack)]
    if epa is not None:
        said.append(outside_bounds("The answer", separation, "EPA", -epa.upper - radius, -epa.lower - radius, slack))
    return said


def equal(name: str, value: float, other: str, against: float, slack: float) -> Sentence | None:
    """The sentence that two numbers which must be equal differ by more than `slack`; None if they do not."""
    # The comparison is such that a NaN on either side is a disagreement too.
    words = f"{name} says {{:.17g}}, {other} says {{:.17g}}."
    return None if abs(value - against) <= slack else Sentence(words, (value, against))


def outside_bounds(name: str, value: float, other: str, lower: float, upper: float, slack: float) -> Sentence | None:
    """The sentence that a number is beyond another algorithm's bounds by more than `slack`; None if it is not."""
    if lower - slack <= value <= upper + slack:
        return None
    word, bound = ("at most", upper) if value > upper else ("at least", lower)
    return Sentence(f"{name} says {{:.17g}}, {other} says {word} {{:.17g}}.", (value, bound))
