"""The functions for bodies of space: methods, contacts, the difference's construction, and motion.

`in_plane` has the same functions for two dimensions; `of` in `analysis` chooses.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ..closed_form import Proximity
from ..contact.contact import Manifold, ManifoldStep
from ..contact.manifold import manifold_steps
from ..contact.policies.exact import exact_steps
from ..contact.policies.jolt import SPECULATIVE, jolt_steps
from ..contact.policies.policy import BY_OVERLAP_REGION, ContactPolicy, axis_normal, preferred_row, refusal
from ..geometry.vector import Array, frozen
from ..gjk.epa import EpaSettings
from ..minkowski.difference import BuildStep, difference, difference_steps, has_difference
from ..minkowski.distance import BoundaryPoint, nearest_boundary_point, witness_points
from ..minkowski.polyhedron_difference import MOST_DIFFERENCES, MinkowskiDifference
from ..pair.candidate_axes import CandidateAxis
from ..pair.cores import has_core
from ..pair.features import contact_vertices as contact_vertices
from ..pair.pair import PairScale, TooLargeError
from ..sat.sat import SatTable, sat, sat_applies
from ..scene import Body
from ..trace import Steps, record
from .algorithm_settings import DEFAULT_SETTINGS, AlgorithmSettings, contact_settings
from .methods import Limits, Methods, OwnRuns

if TYPE_CHECKING:
    from ..minkowski.plane import MinkowskiPolygon
    from ..toi import Method
    from ..toi.motion import Motion

MOST_VERTICES = 128
"""LIMITED leaves out SAT's table and the difference of two bodies with more vertices than this together. With more,
both take longer than 10 ms, while GJK and EPA take 2 ms at 1,000 vertices each."""

MOST_EXPANSIONS = 96
"""LIMITED's iteration limit of EPA. The default of 256 takes 100 ms on coaxial cones, and still gives only a bound."""

LIMITED = Limits(MOST_VERTICES, EpaSettings(iterations=MOST_EXPANSIONS))
"""The limits with which the answers about any pair take some milliseconds."""


class SpaceMethods(Methods, frozen=True, eq=False, dict=True):
    """Every method that applies to bodies of space."""

    @property
    def table(self) -> SatTable | None:
        """SAT's table; None for a curved body unless the other is a half-space, and if left out or refused."""
        return self._table_and_solid[0]

    @property
    def solid(self) -> MinkowskiDifference | None:
        """The explicit difference; None where `table` is."""
        return self._table_and_solid[1]

    @property
    def refused(self) -> str:
        """One sentence about what would take too much memory, else empty."""
        return self._table_and_solid[2]

    @cached_property
    def beyond_limits(self) -> str:
        """One sentence if the limits leave out SAT's table and the difference, else empty."""
        return _beyond(self.a, self.b, self.limits.vertices)

    @property
    def explicit(self) -> float | None:
        """The separation from the nearest point of `solid`; None without `solid`."""
        return None if self._point is None else self._point.separation

    @cached_property
    def boundary(self) -> Proximity | None:
        """The answer: SAT's depth if overlapping, the difference's distance if apart.

        None with a half-space, and without `table` or `solid`.
        """
        table, solid, point = self.table, self.solid, self._point
        if table is None or solid is None or solid.plane is not None or point is None:
            return None
        return _explicit(self.a, self.b, self.scale, table, solid, point)

    @cached_property
    def _point(self) -> BoundaryPoint | None:
        solid = self.solid
        return None if solid is None else nearest_boundary_point(solid, _winning_face(solid, self.table))

    @cached_property
    def _table_and_solid(self) -> tuple[SatTable | None, MinkowskiDifference | None, str]:
        """SAT's table, the difference, and `refused`.

        Each of the first two is None if it does not apply. Both are None beyond the limits, or if either takes too much
        memory.
        """
        a, b = self.a, self.b
        if self.beyond_limits:
            return None, None, ""
        try:
            table = sat(a, b) if sat_applies(a, b) else None
            solid = difference(a, b) if has_difference(a, b) else None
        except TooLargeError as error:
            return None, None, f"SAT's table and the Minkowski difference would take too much memory. {error}"
        return table, solid if solid is None or table is None else _sharpened(solid, table, self.scale), ""


def methods_of(a: Body, b: Body, scale: PairScale, limits: Limits) -> Methods:
    """The methods that apply; none is computed yet."""
    return SpaceMethods(a, b, scale, limits)


def too_slow(a: Body, b: Body) -> str:
    """One sentence about what LIMITED leaves out of the answers about two bodies; empty if nothing."""
    return _beyond(a, b, LIMITED.vertices)


def _beyond(a: Body, b: Body, vertices: float) -> str:
    if vertices == inf:
        return ""
    cores = (a.shape.core, b.shape.core)
    counts = [0 if core is None or core.solid is None else len(core.points) for core in cores]
    if not has_difference(a, b) or sum(counts) <= vertices:
        return ""
    return f"SAT's table and the Minkowski difference of {sum(counts):,} vertices follow when you stop dragging."


def contact_steps(
    a: Body,
    b: Body,
    found: Proximity,
    band: float,
    table_of: Callable[[], SatTable],
    settings: AlgorithmSettings = DEFAULT_SETTINGS,
) -> Steps[ManifoldStep, Manifold] | None:
    """The steps of the contacts for the answer `found`, or on the axis that the policy prefers.

    None if the policy has no contacts for the pair. `band`: half width of the touching band. `table_of`: returns SAT's
    table.
    """
    if refusal(settings.preference, a, b):
        return None
    if settings.preference in BY_OVERLAP_REGION:
        return manifold_steps(a, b, found, contact_settings(settings), band, reduce=settings.reduce)
    if settings.preference is ContactPolicy.JOLT:
        speculative = settings.contacts.speculative
        return jolt_steps(a, b, found, max(band, speculative), speculative or SPECULATIVE)
    normal = found.normal
    if settings.preference is not ContactPolicy.EXACT and (table := table_of()).applies:
        normal = axis_normal(table, preferred_row(a, b, table, settings.preference))
    return exact_steps(a, b, normal, reduce=settings.reduce, speculative=settings.contacts.speculative)


def build_steps(
    a: Body, b: Body, explicit: MinkowskiDifference | MinkowskiPolygon | None, candidates: tuple[CandidateAxis, ...]
) -> tuple[BuildStep, ...]:
    """The steps of the difference's construction.

    Empty without an explicit difference in space, with a half-space or a curved body, and for more than
    MOST_DIFFERENCES differences of vertices.
    """
    if not isinstance(explicit, MinkowskiDifference) or explicit.plane is not None or not (has_core(a) and has_core(b)):
        return ()
    apart = b.pose.position - a.pose.position
    at_a, at_b = placed_vertices(a, 0.0 * apart), placed_vertices(b, apart)
    if len(at_a) * len(at_b) > MOST_DIFFERENCES:
        return ()
    steps = difference_steps(at_a, at_b, explicit, candidates)
    return record(steps).steps


def own_runs(a: Body, b: Body, settings: AlgorithmSettings) -> OwnRuns:  # noqa: ARG001 - the plane has some
    """No runs: no method exists in space only."""
    return OwnRuns()


def motion_of(a: Body, b: Body) -> Motion:
    """The motion of two bodies. Raises ValueError for two half-spaces and for too large bodies."""
    # Imported for the first motion only, here and below, to keep the program's start fast.
    from ..toi.motion import Motion

    return Motion.of(a, b)


def motion_methods(motion: Motion) -> list[Method]:
    """The methods that apply to a motion, the strongest first."""
    from ..toi import methods_of

    return methods_of(motion)


def placed_vertices(body: Body, offset: Array) -> Array:
    """Vertices (k, 3) of the body's core, world axes, with the body's position at `offset` (3,).

    Raises TypeError for a body without a core.
    """
    points = body.turned_core
    if points is None:
        raise TypeError("only boxes, hulls, capsules and spheres have a core with vertices")
    return points + offset


def _winning_face(solid: MinkowskiDifference, table: SatTable | None) -> int | None:
    """The difference's face on the deciding axis, on B's side; None if it has none."""
    if table is None or table.winner >= len(solid.axis_faces):
        return None
    face = int(solid.axis_faces[table.winner, 0 if table.sides[table.winner] > 0 else 1])
    return face if face >= 0 else None


def _sharpened(solid: MinkowskiDifference, table: SatTable, scale: PairScale) -> MinkowskiDifference:
    """The difference with the deciding axis as its face's normal, if that proves more than the face's own normal.

    Neighbouring faces merge if their normals agree within SAME_AXIS_SIN, and the merged face has the normal of one of
    them. The normal of another may differ from it by many times as much.
    """
    face, core = _winning_face(solid, table), solid.core
    if face is None or -float(core.offsets[face]) - solid.radius >= table.separation - scale.rounding:
        return solid
    normals, offsets = core.normals.copy(), core.offsets.copy()
    normals[face], offsets[face] = table.normal, -table.separation - solid.radius
    return replace(solid, core=replace(core, normals=frozen(normals), offsets=frozen(offsets)))


def _explicit(
    a: Body, b: Body, scale: PairScale, table: SatTable, solid: MinkowskiDifference, point: BoundaryPoint
) -> Proximity:
    """The answer: SAT's depth if overlapping, the difference's distance if apart; relative to A's position.

    The normal is that of `point`. Of axes that rounding cannot tell apart, this is the one along which the witness
    points lie. Raises TypeError for a body without a core.
    """
    core_a, core_b, points_a, points_b = a.shape.core, b.shape.core, a.turned_core, b.turned_core
    if core_a is None or core_b is None or points_a is None or points_b is None:
        raise TypeError("only cores grown by a radius have an explicit difference with witnesses")
    on_a, on_b = witness_points(solid, point, points_a, points_b)
    on_b += scale.offset
    # SAT's gap is proved, while merged faces of the difference are flat to 1e-12 only.
    meeting = table.separation + solid.radius <= 0.0
    separation = table.separation if meeting else max(table.separation, point.separation)
    normal = point.normal
    return Proximity(separation, normal, on_a + core_a.radius * normal, on_b - core_b.radius * normal)
