"""Where two methods contradict each other: every number of a pair held against every other that must equal or bound it.

Tolerances follow from what each method certifies: numbers that are exact agree to PairScale.agreement, bounds hold to
as much, and an answer that is known within a gap may be off by that gap besides.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from ..closed_form import Proximity
from ..contact.contact import Manifold
from ..contact.manifold import DEFAULTS
from ..geometry.tolerances import SUPPORT
from ..geometry.vector import length
from ..pair.certificate import certificate
from ..pair.pair import PairScale
from ..sat.sat import SatTable
from ..scene import Body
from ..shapes import Shape
from .methods import Headline, Methods

if TYPE_CHECKING:
    from ..sat.planes_test import PlanesTest


def disagreements(
    a: Body, b: Body, scale: PairScale, methods: Methods, table: SatTable, contacts: Manifold | None, answer: Headline
) -> tuple[str, ...]:
    """One sentence, with both numbers, for each contradiction; none if all is well."""
    found = answer.proximity
    separation, slack = found.separation, scale.agreement + answer.certainty.gap
    said = [
        equal("The answer", separation, "the support along its normal", certificate(a, b, found.normal), slack),
        _against_witnesses(found, methods.radius, slack, answer.certainty.gap),
    ]
    if methods.explicit is not None:
        said.append(equal("The answer", separation, "the Minkowski difference", methods.explicit, slack))
    if methods.table is not None and (table.exact or separation <= 0.0):
        said.append(equal("The answer", separation, "SAT", table.separation, slack))
    elif methods.table is not None:
        said.append(between("The answer", separation, "SAT", table.separation, inf, slack))
    if methods.planes is not None:
        said.append(_against_planes(methods.planes, separation, slack))
    if contacts is not None:
        said.append(_against_manifold(a, b, scale, contacts, separation, slack))
    return tuple(sentence for sentence in (*said, *_against_gjk_and_epa(methods, separation, slack)) if sentence)


def _against_witnesses(found: Proximity, radius: float, slack: float, gap: float) -> str:
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
        return "" if aside <= slack else f"The witness points are {aside:.17g} off the separation along the normal."
    if cores <= -separation:
        return equal("The answer", separation, "the distance of the witness points", -length(way), slack + gap)
    apart = length(way + radius * found.normal)
    return equal("The cores' distance", cores, "the distance of the witness points in them", apart, slack + gap)


def _against_manifold(a: Body, b: Body, scale: PairScale, contacts: Manifold, separation: float, slack: float) -> str:
    """The depth of the deepest contact; that of a body so thin that all its features are one says nothing."""
    # A contact has the depth if it is as near it as the contacts' own tolerance, and the normal's clipping to SUPPORT.
    smaller = min(body.shape.bounding_radius for body in (a, b))
    rough = slack + max(DEFAULTS.witness * smaller, SUPPORT * scale.larger)
    said = ""
    if contacts.contacts:
        deepest = max(contact.depth for contact in contacts.contacts)
        said = equal("The answer", separation, "the manifold's deepest contact", -deepest, rough)
    elif separation < -rough - scale.band:
        said = f"The answer says {separation:.17g}, but the manifold has no contact."
    return said if said and min(_thickness(a.shape), _thickness(b.shape)) > SUPPORT * scale.extent else ""


def _thickness(shape: Shape) -> float:
    """The least extent between a polyhedron's face and what lies opposite; the radius of a rounded shape."""
    normals = shape.face_normals
    if not len(normals):
        return inf if shape.core is None else shape.core.radius
    return float((shape.reach(normals) + shape.reach(-normals)).min())


def _against_planes(test: PlanesTest, separation: float, slack: float) -> str:
    """Of polygons that meet the widest gap is the answer; of those apart it is a lower bound."""
    upper = test.gap if separation <= 0.0 else inf
    return between("The answer", separation, "the planes test", test.gap, upper, slack)


def _against_gjk_and_epa(methods: Methods, separation: float, slack: float) -> list[str]:
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


def equal(name: str, value: float, other: str, against: float, slack: float) -> str:
    """The sentence that two numbers for one thing differ; empty if they do not."""
    # Written so that a NaN on either side is a disagreement too.
    return "" if abs(value - against) <= slack else f"{name} says {value:.17g}, {other} says {against:.17g}."


def between(name: str, value: float, other: str, lower: float, upper: float, slack: float) -> str:
    """The sentence that a number lies outside of another algorithm's bounds; empty if it does not."""
    if lower - slack <= value <= upper + slack:
        return ""
    bound = f"at most {upper:.17g}" if value > upper else f"at least {lower:.17g}"
    return f"{name} says {value:.17g}, {other} says {bound}."
