"""The answers and the steps about a scene of the plane, said as those of space: every vector with z = 0.

No number is computed here: all come from `core.planar`. What the plane alone has (the planes test, the article's GJK,
EPA's polygon) keeps its own steps (`PlanarStep`).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from .algorithms.candidate_axes import AxisKind, CandidateAxis
from .algorithms.contact import ClipStep, Contact, ContactCase, DepthStep, FeaturesStep, Manifold, ManifoldStep
from .algorithms.epa import EpaResult
from .algorithms.features import ContactVertices, SupportFeature
from .algorithms.gjk import GjkResult, WarmStart
from .algorithms.gjk_epa import SignedDistance
from .algorithms.sat_steps import SatStep
from .algorithms.sat_table import SatTable
from .algorithms.support import DifferencePoint, support_maps
from .flat import FlatAnalysis, FlatGjkStep, FlatScene
from .flat_build import flat_build_steps
from .geometry.vector import Array, frozen
from .knobs import Knobs
from .methods import Detail
from .planar.analysis import analyse2
from .planar.article_gjk import ArticleStep, Outward
from .planar.contact import ClipStep2, Contact2, ContactCase2, Contacts2, ContactStep2, FeaturesStep2
from .planar.epa import EpaResult2, EpaStep2
from .planar.gjk import GjkResult2, GjkSettings2, GjkStep2
from .planar.gjk_epa import SignedDistance2
from .planar.planes_test import PlaneStep
from .planar.query import Knobs2, Phase2, QueryStep2, query2
from .planar.sat import AxisKind2, CandidateAxis2, SatTable2
from .planar.support import DifferencePoint2
from .planar.vec2 import Vec2, unit
from .planar.worked_example import FIRST_DIRECTION
from .query import Moment, Phase, PlanarStep, Query, QueryStep

PHASES = {
    Phase2.PLANES: Phase.PLANES,
    Phase2.SAT: Phase.SAT,
    Phase2.ARTICLE: Phase.ARTICLE,
    Phase2.GJK: Phase.GJK,
    Phase2.EPA: Phase.EPA,
    Phase2.CONTACTS: Phase.CONTACTS,
}
"""What the phases of the plane are called in space."""

_KINDS = {
    AxisKind2.EDGE_A: AxisKind.FACE_A,
    AxisKind2.EDGE_B: AxisKind.FACE_B,
    AxisKind2.CENTRES: AxisKind.CENTRES,
}
_CASES = {
    ContactCase2.EDGE_OF_A: ContactCase.FACE_OF_A,
    ContactCase2.EDGE_OF_B: ContactCase.FACE_OF_B,
    ContactCase2.POINT: ContactCase.POINT,
}


def flat_analysis(scene: FlatScene) -> FlatAnalysis:
    """All answers about a scene of the plane."""
    found = analyse2(scene.planar)
    return FlatAnalysis(
        scene=scene,
        verdict=found.verdict,
        separation=found.separation,
        normal=raised(found.normal),
        mtv=None if found.mtv is None else raised(found.mtv),
        witness_a=raised(found.witness_a),
        witness_b=raised(found.witness_b),
        nearest=raised(found.nearest),
        certainty=found.certainty,
        band=found.band,
        sat=_table(found.sat),
        difference=None,
        gjk=_gjk_result(found.gjk),
        epa=None if found.epa is None else _epa_result(found.epa),
        closing=None,
        contacts=_manifold(found.contacts),
        contact_vertices=ContactVertices(
            raised_feature(found.contact_vertices.a), raised_feature(found.contact_vertices.b)
        ),
        detail=Detail.FULL,
        left_out="",
        disagreements=found.disagreements,
        planar=found,
    )


def flat_query(analysis: FlatAnalysis, knobs: Knobs, start: WarmStart | None = None) -> Query:
    """Every step about a scene of the plane, under the knobs as far as the plane has them.

    `start`: where GJK begins if `knobs.warm_start`.
    """
    ways = start.directions.tolist() if start is not None and knobs.warm_start else []
    found = query2(analysis.planar, knobs_of_plane(knobs), [way for x, y, _ in ways if (way := unit((x, y)))])
    scene = analysis.scene
    built = flat_build_steps(analysis.planar.difference) if knobs.build else ()
    return Query(
        analysis=analysis,
        knobs=knobs,
        moments=(
            *(Moment(Phase.BUILD, k, len(built), step) for k, step in enumerate(built)),
            *(Moment(PHASES[m.phase], m.index, m.count, _step(m.step)) for m in found.moments),
        ),
        support_maps=support_maps(scene.a, scene.b, rounded=knobs.rounded),
        distance=None if found.distance is None else _distance(found.distance),
        manifold=None if found.contacts is None else _manifold(found.contacts),
        failures=found.failures,
    )


def raised(point: Vec2) -> Array:
    """A point of the plane in space, (3,)."""
    return frozen(np.array((*point, 0.0)))


def raised_rows(points: Iterable[Vec2]) -> Array:
    """Points of the plane in space, (n, 3)."""
    return frozen(np.array([(x, y, 0.0) for x, y in points]).reshape(-1, 3))


@lru_cache(maxsize=1024)
def raised_point(point: DifferencePoint2) -> DifferencePoint:
    """A point of the difference with its sources, in space; remembered: what stays in a simplex stays the same one."""
    return DifferencePoint(
        w=raised(point.w),
        a=raised(point.a),
        b=raised(point.b),
        vertex_a=point.vertex_a,
        vertex_b=point.vertex_b,
        direction=raised(point.direction),
        xyz=(*point.w, 0.0),
    )


def knobs_of_plane(knobs: Knobs) -> Knobs2:
    """The knobs as far as the plane has them."""
    first = knobs.gjk.first_direction
    return Knobs2(
        gjk=GjkSettings2(
            gap=knobs.gjk.gap,
            certified=knobs.gjk.certified,
            iterations=knobs.gjk.iterations,
            sub_distance=knobs.gjk.sub_distance,
            first_direction=None if first is None or not any(first[:2]) else first[:2],
        ),
        epa=knobs.epa,
        rounded=knobs.rounded,
        article=knobs.article,
        article_direction=FIRST_DIRECTION if first is None or not any(first[:2]) else first[:2],
        outward=Outward.THIRD_POINT if knobs.third_point else Outward.FROM_EDGE,
    )


def _table(table: SatTable2) -> SatTable:
    return SatTable(
        candidates=tuple(raised_candidate(candidate) for candidate in table.candidates),
        axes=frozen(np.column_stack((table.axes, np.zeros(len(table.axes))))),
        interval_a=table.interval_a,
        interval_b=table.interval_b,
        offset=table.offset,
        separations=table.separations,
        sides=table.sides,
        statuses=table.statuses,
        same_as=table.same_as,
        winner=table.winner,
        ties=table.ties,
        separation=table.separation,
        normal=raised(table.normal),
        verdict=table.verdict,
        exact=table.exact,
    )


def raised_candidate(candidate: CandidateAxis2) -> CandidateAxis:
    """An axis of the plane's table: an edge's normal as a face's."""
    kind = _KINDS[candidate.kind]
    of_a = candidate.edge if kind is AxisKind.FACE_A else None
    of_b = candidate.edge if kind is AxisKind.FACE_B else None
    return CandidateAxis(candidate.label, kind, of_a, of_b, 1.0, False, ())


def raised_feature(feature: SupportFeature) -> SupportFeature:
    """A feature of the plane, whose points have two coordinates, in space."""
    points = frozen(np.column_stack((feature.points, np.zeros(len(feature.points)))))
    return SupportFeature(feature.kind, points, feature.indices, feature.name)


def raised_contact(contact: Contact2) -> Contact:
    """A contact of the plane in space."""
    return Contact(raised(contact.position), contact.depth, contact.feature_a, contact.feature_b)


def _manifold(found: Contacts2) -> Manifold:
    return Manifold(
        _CASES[found.case], raised(found.normal), tuple(raised_contact(contact) for contact in found.contacts)
    )


def _gjk_result(found: GjkResult2) -> GjkResult:
    return GjkResult(
        stop=found.stop,
        overlapping=found.overlapping,
        distance=found.distance,
        lower=found.lower,
        upper=found.upper,
        separation=found.separation,
        normal=None if found.normal is None else raised(found.normal),
        witness_a=raised(found.witness_a),
        witness_b=raised(found.witness_b),
        simplex=tuple(raised_point(point) for point in found.simplex),
        weights=np.array(found.weights),
        iterations=found.iterations,
        certified=found.certified,
    )


def _epa_result(found: EpaResult2) -> EpaResult:
    return EpaResult(
        stop=found.stop,
        depth=found.depth,
        core_depth=found.core_depth,
        lower=found.lower,
        upper=found.upper,
        normal=raised(found.normal),
        witness_a=raised(found.witness_a),
        witness_b=raised(found.witness_b),
        iterations=found.iterations,
        certified=found.certified,
    )


def _distance(found: SignedDistance2) -> SignedDistance:
    return SignedDistance(
        separation=found.separation,
        lower=found.lower,
        upper=found.upper,
        normal=raised(found.normal),
        witness_a=raised(found.witness_a),
        witness_b=raised(found.witness_b),
        certainty=found.certainty,
        gjk=_gjk_result(found.gjk),
        epa=None if found.epa is None else _epa_result(found.epa),
    )


def _step(step: QueryStep2) -> QueryStep:
    match step:
        case SatStep():
            return step
        case GjkStep2():
            return _gjk_step(step)
        case PlaneStep() | ArticleStep() | EpaStep2():
            return PlanarStep(step)
        case _:
            return _contact_step(step)


def _gjk_step(step: GjkStep2) -> FlatGjkStep:
    return FlatGjkStep(
        number=step.number,
        simplex=tuple(raised_point(point) for point in step.simplex),
        region=step.region,
        weights=np.array(step.weights),
        closest=raised(step.closest),
        direction=None if step.direction is None else raised(step.direction),
        support=None if step.support is None else raised_point(step.support),
        lower=step.lower,
        upper=step.upper,
        stop=step.stop,
        planar=step,
    )


def _contact_step(step: ContactStep2) -> ManifoldStep:
    match step:
        case FeaturesStep2(case, normal, feature_a, feature_b, points_a, points_b):
            return FeaturesStep(
                _CASES[case], raised(normal), feature_a, feature_b, raised_rows(points_a), raised_rows(points_b)
            )
        case ClipStep2(side, normal, offset, before, after, names):
            cut = tuple(point not in before for point in after)
            return ClipStep(side, raised(normal), offset, raised_rows(before), raised_rows(after), names, cut)
        case _:
            return DepthStep(
                raised(step.normal), step.offset, raised_rows(step.points), np.array(step.depths), step.names, step.kept
            )
