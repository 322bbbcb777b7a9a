"""`analyse2(scene)`: every answer about one scene of the plane, from the algorithms; no ideas of its own."""

from __future__ import annotations

from math import inf

from msgspec import Struct

from ..answer import Certainty, Provenance, Verdict, verdict_of
from ..cross_checks import between, equal
from ..geometry.tolerances import SUPPORT, touching_band
from .contact import Contacts2, contacts2
from .epa import EpaResult2
from .features import ContactVertices2, contact_vertices2
from .gjk import GjkResult2
from .gjk_epa import SignedDistance2, signed_distance2
from .minkowski import MinkowskiPolygon, NearestPoint2, minkowski_difference, nearest_point
from .pair import Core2, Pair2
from .planes_test import PlanesTest, planes_test
from .sat import SatTable2, sat2
from .scene import Scene2
from .support import Difference2
from .vec2 import Vec2, add, dot, length, negated, scaled, sub


class Analysis2(Struct, frozen=True, eq=False):
    """The answers for `scene`, in world space; signs as in space (`core.analysis.Analysis`).

    `separation` signed (positive apart); `normal` unit, from A towards B; `mtv` = depth * normal, None when separated;
    witnesses with `|b - a| = |separation|` on the two outlines; `certainty` of the separation and `band`, the half
    width of the touching band; `nearest`: the boundary point of the difference nearest the origin,
    `-separation * normal`. `planes`: None unless both are polygons. `gjk` and `epa` (None where GJK sufficed) are
    relative to A's position and keep radii apart from cores. `contacts`: without any when apart. `disagreements`: one
    sentence per pair of algorithms that differ beyond tolerance.
    """

    scene: Scene2
    verdict: Verdict
    separation: float
    normal: Vec2
    mtv: Vec2 | None
    witness_a: Vec2
    witness_b: Vec2
    nearest: Vec2
    certainty: Certainty
    band: float
    sat: SatTable2
    planes: PlanesTest | None
    difference: MinkowskiPolygon
    gjk: GjkResult2
    epa: EpaResult2 | None
    contacts: Contacts2
    contact_vertices: ContactVertices2
    disagreements: tuple[str, ...]


def analyse2(scene: Scene2) -> Analysis2:
    """All answers about the scene's two bodies as they stand; pure."""
    a, b = scene.a, scene.b
    pair = Pair2.of(a, b)
    difference = minkowski_difference(a, b)
    found = nearest_point(difference, pair.offset, pair.scale.rounding)
    table = sat2(a, b).against(found.separation, pair.scale.agreement)
    planes = planes_test(a, b) if pair.a.normals and pair.b.normals else None
    distance = signed_distance2(Difference2.of(a, b))
    contacts = contacts2(a, b, difference, found)
    # The scale's extent is L + |T|: what the projections may be off by.
    band = touching_band(pair.scale.smaller, pair.scale.larger, pair.scale.extent - pair.scale.larger)
    verdict = verdict_of(found.separation, band)
    return Analysis2(
        scene=scene,
        verdict=verdict,
        separation=found.separation,
        normal=found.normal,
        mtv=None if verdict is Verdict.SEPARATED else scaled(found.normal, -found.separation),
        witness_a=add(found.witness_a, a.position),
        witness_b=add(found.witness_b, a.position),
        nearest=found.point,
        certainty=Certainty(Provenance.EXACT),
        band=band,
        sat=table,
        planes=planes,
        difference=difference,
        gjk=distance.gjk,
        epa=distance.epa,
        contacts=contacts,
        contact_vertices=contact_vertices2(a, b, found.normal),
        disagreements=_disagreements(pair, found, table, planes, distance, contacts),
    )


def certificate2(pair: Pair2, normal: Vec2) -> float:
    """What the unit vector `normal`, from A towards B, proves: `min_B n·x - max_A n·x` (theory.md, certificates)."""
    return -_reach(pair.b, negated(normal)) - _reach(pair.a, normal)


def _reach(core: Core2, direction: Vec2) -> float:
    return max(dot(point, direction) for point in core.ring) + core.radius


def _disagreements(
    pair: Pair2,
    found: NearestPoint2,
    table: SatTable2,
    planes: PlanesTest | None,
    distance: SignedDistance2,
    contacts: Contacts2,
) -> tuple[str, ...]:
    """One sentence, with both numbers, for each contradiction; none if all is well."""
    separation, slack = found.separation, pair.scale.agreement
    # Of the cores, without the radii: see core.cross_checks.
    apart = length(add(sub(found.witness_b, found.witness_a), scaled(found.normal, pair.radius)))
    # Only a positive lower bound proves anything: without one, GJK has found no more than how near the bodies are.
    gjk, epa = distance.gjk, distance.epa
    lower = gjk.lower - pair.radius if not gjk.overlapping and gjk.lower > 0.0 else -inf
    upper = -pair.radius if gjk.overlapping else gjk.upper - pair.radius
    said = [
        equal("The answer", separation, "the support along its normal", certificate2(pair, found.normal), slack),
        equal(
            "The cores' distance", abs(separation + pair.radius), "the distance of their witness points", apart, slack
        ),
        _at_least("SAT", table.separation, separation, slack, exact=table.exact),
        between("The answer", separation, "GJK", lower, upper, slack),
    ]
    if planes is not None:
        said.append(_at_least("the planes test", planes.gap, separation, slack, exact=separation <= 0.0))
    if epa is not None:
        said.append(between("The answer", separation, "EPA", -epa.upper - pair.radius, -epa.lower - pair.radius, slack))
    if contacts.contacts:
        # An edge takes part if it is level to LEVEL_SIN, and then the contacts are measured along its normal.
        deepest = max(contact.depth for contact in contacts.contacts)
        rough = slack + SUPPORT * pair.scale.larger
        said.append(equal("The answer", separation, "the deepest contact", -deepest, rough))
    return tuple(sentence for sentence in said if sentence)


def _at_least(name: str, value: float, separation: float, slack: float, *, exact: bool) -> str:
    """The answer must be a table's number where that is exact, and no less where it is a lower bound."""
    if exact:
        return equal("The answer", separation, name, value, slack)
    return between("The answer", separation, name, value, inf, slack)
