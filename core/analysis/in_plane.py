"""The functions for bodies of the plane: methods, contacts, the difference's construction, and motion.

`in_space` has the same functions for three dimensions; `of` in `analysis` chooses.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ..closed_form import Proximity
from ..contact.contact import Manifold, ManifoldStep
from ..contact.manifold import manifold_steps
from ..contact.policies.policy import BY_OVERLAP_REGION, PLANE_RULES, refusal
from ..geometry.vec2 import raised, raised_rows, without_z
from ..geometry.vector import Array
from ..gjk.article_gjk import FIRST_DIRECTION, Outward, article_gjk_steps
from ..minkowski.difference import BuildStep, build_steps_of
from ..minkowski.plane import MinkowskiPolygon, NearestPoint, minkowski_difference, nearest_point
from ..minkowski.polyhedron_difference import MinkowskiDifference
from ..pair.candidate_axes import AxisKind, CandidateAxis
from ..pair.cores import PlanePair
from ..pair.features import ContactVertices, supporting_features
from ..pair.pair import PairScale
from ..pair.support import support_maps
from ..sat.plane import plane_sat
from ..sat.separating_planes import PlanesTest, decides, planes_test, planes_test_steps
from ..sat.table import SatTable
from ..scene import Body
from ..trace import Steps, record
from .algorithm_settings import DEFAULT_SETTINGS, AlgorithmSettings, contact_settings
from .methods import Limits, Methods, OwnRuns

if TYPE_CHECKING:
    from ..toi import Method
    from ..toi.motion import Motion


class PlaneMethods(Methods, frozen=True, eq=False, dict=True):
    """Every method that applies to bodies of the plane."""

    @cached_property
    def table(self) -> SatTable | None:
        """SAT's table, which any two bodies of the plane have; never None."""
        return plane_sat(self.a, self.b)

    @property
    def polygon(self) -> MinkowskiPolygon | None:
        """The explicit difference; never None."""
        return self._nearest[0]

    @cached_property
    def planes(self) -> PlanesTest | None:
        """The planes test; None if a body is a circle, has a radius or is a point, and for two segments."""
        return planes_test(self.a, self.b) if decides(PlanePair.of(self.a, self.b)) else None

    @property
    def explicit(self) -> float | None:
        """The separation from the nearest point of `polygon`; never None."""
        return self._nearest[1].separation

    @cached_property
    def boundary(self) -> Proximity | None:
        """The answer from the nearest point of `polygon` alone; never None. SAT is only compared with it."""
        found = self._nearest[1]
        return Proximity(found.separation, raised(found.normal), raised(found.witness_a), raised(found.witness_b))

    @cached_property
    def _nearest(self) -> tuple[MinkowskiPolygon, NearestPoint]:
        return _nearest(self.a, self.b)


def methods_of(a: Body, b: Body, scale: PairScale, limits: Limits) -> Methods:  # noqa: ARG001 - all of it is fast
    """The methods that apply; none is computed yet."""
    return PlaneMethods(a, b, scale)


@lru_cache(maxsize=4)
def _nearest(a: Body, b: Body) -> tuple[MinkowskiPolygon, NearestPoint]:
    """The difference, and its point nearest the origin; cached, because the methods and the contacts both use them.

    Raises TypeError for shapes of space.
    """
    polygon, pair = minkowski_difference(a, b), PlanePair.of(a, b)
    return polygon, nearest_point(polygon, pair.offset, pair.scale.rounding)


def too_slow(a: Body, b: Body) -> str:  # noqa: ARG001 - as in space
    """Always empty: in the plane every answer is quick enough for a drag."""
    return ""


def contact_vertices(a: Body, b: Body, normal: Array) -> ContactVertices:
    """Supporting features of both bodies on the two sides of the separating line; `normal` (3,) from A to B."""
    return supporting_features(a, b, without_z(normal))


def contact_steps(
    a: Body,
    b: Body,
    found: Proximity,
    band: float,
    table_of: Callable[[], SatTable],  # noqa: ARG001 - as in space
    settings: AlgorithmSettings = DEFAULT_SETTINGS,
) -> Steps[ManifoldStep, Manifold] | None:
    """The steps of the contacts: the overlap region's for the answer `found`, or those of the policy's rule.

    None if the policy has no contacts for the pair. `band`: half width of the touching band.
    """
    if refusal(settings.preference, a, b):
        return None
    if settings.preference in BY_OVERLAP_REGION:
        return manifold_steps(a, b, found, contact_settings(settings), band)
    return PLANE_RULES[settings.preference](a, b, *_nearest(a, b), settings.contacts.speculative)


def build_steps(
    a: Body,  # noqa: ARG001 - the polygon has the cores
    b: Body,  # noqa: ARG001 - the polygon has the cores
    explicit: MinkowskiDifference | MinkowskiPolygon | None,
    candidates: tuple[CandidateAxis, ...],  # noqa: ARG001 - as in space
) -> tuple[BuildStep, ...]:
    """The steps of the difference's construction; the edges of A are added first.

    Empty without an explicit difference in the plane.
    """
    if not isinstance(explicit, MinkowskiPolygon):
        return ()
    points = raised_rows(pair.point for pair in explicit.vertex_pairs)
    sources = np.array([(pair.vertex_a, pair.vertex_b) for pair in explicit.vertex_pairs])
    kinds = [AxisKind.FACE_B if edge.edge_a is None else AxisKind.FACE_A for edge in explicit.edges]
    return tuple(build_steps_of(points, sources, len(explicit.core_b.ring), kinds, set(explicit.sources)))


def own_runs(a: Body, b: Body, settings: AlgorithmSettings) -> OwnRuns:
    """The planes test of two polygons, and the article's GJK if the settings ask for it, with radii in the bodies."""
    pair, first = PlanePair.of(a, b), settings.gjk.first_direction
    way = FIRST_DIRECTION if first is None else first[:2]
    outward = Outward.THIRD_POINT if settings.third_point else Outward.FROM_EDGE
    return OwnRuns(
        planes=record(planes_test_steps(a, b)) if decides(pair) else None,
        article=record(article_gjk_steps(support_maps(a, b, rounded="full"), way, outward))
        if settings.article
        else None,
    )


def motion_of(a: Body, b: Body) -> Motion:
    """The motion of two bodies. Raises ValueError for too large ones."""
    # Imported for the first motion only, here and below, to keep the program's start fast.
    from ..toi.plane import PlaneMotion

    return PlaneMotion.of(a, b)


def motion_methods(motion: Motion) -> list[Method]:
    """The methods that apply to a motion, the strongest first."""
    from ..toi.plane import plane_methods

    return plane_methods(motion)
