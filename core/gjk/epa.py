"""EPA: the depth of two overlapping convex bodies (van den Bergen 2001), between two bounds that close in on it.

A polytope inside the difference A - B grows where it is nearest the origin. The plane of its nearest face bounds the
depth from below, because the polytope lies within the difference. The support along that face's normal bounds the depth
from above, because moving B that far along the normal separates the bodies. When both bounds meet, the face is one of
the difference.

Departures: the start may be any simplex that GJK ends with, even a single point, and need not have the origin strictly
inside. Planes have signed offsets, so if the origin is on the polytope or outside it, EPA grows that side first. If the
support point along some normal does not reach the origin, the cores are apart, and that normal proves it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from itertools import count
from operator import itemgetter

from msgspec import Struct

from ..geometry.tolerances import CERTIFIED, DOUBLE, ROUNDING, Precision
from ..geometry.triple import ZERO, Triple, array_of, dot, length, point_along, scaled, sub
from ..geometry.vector import Array
from ..pair.support import Difference, DifferencePoint, weighted_sources
from ..trace import Steps, run
from ..verdict import Bounded
from .hand_over import flat_normal, spanning_points
from .polytope import Growth, Polytope, PolytopeFace
from .simplex import NearestOnSimplex, nearest_on_simplex


class EpaStop(StrEnum):
    """Why EPA ended."""

    CONVERGED = "CONVERGED"
    """The nearest face is a face of the difference, to rounding."""
    REPEATED_SUPPORT = "REPEATED_SUPPORT"
    """The support point is already a corner of the polytope: only rounding is left between the bounds."""
    FLAT_POLYTOPE = "FLAT_POLYTOPE"
    """The difference of the cores has no volume (crossing segments, one point in another): their depth is 0."""
    ORIGIN_OUTSIDE = "ORIGIN_OUTSIDE"
    """The cores are apart, and the normal proves it: minus the cores' depth is a lower bound of their distance."""
    ITERATION_LIMIT = "ITERATION_LIMIT"
    """Too many iterations, as for a curved difference; the depth may be only a bound with its gap."""


class EpaAction(StrEnum):
    """The action of a step."""

    HAND_OVER = "HAND_OVER"
    """Extended GJK's simplex to a tetrahedron."""
    EXPAND = "EXPAND"
    STOP = "STOP"


class EpaSettings(Struct, frozen=True):
    """Settings.

    `gap`: bounds this close, a fraction of L + |T| for doubles, have met. `certified`: bounds this close, a fraction of
    L, are certified. `iterations`: the most expansions.
    """

    gap: float = ROUNDING
    certified: float = CERTIFIED
    iterations: int = 256


DEFAULTS = EpaSettings()

LAST_LOOK = 32
"""The number of nearest faces among which the answer is chosen at the iteration limit."""


class EpaStep(Struct, frozen=True, eq=False):
    """One expansion: the polytope before it, the support point, and the change of the polytope.

    `number`: of the expansion, from 1; 0 for the hand-over and for a flat difference. `vertices`: all points so far, in
    the order they came; the first `given` are GJK's. `faces`: of the polytope, each with the indices of its vertices.
    `nearest`: the face nearest the origin; `support`: the point found along its normal; `closest` (3,): the polytope's
    point nearest the origin. All three are None in the hand-over step, which shows the new tetrahedron, and in the one
    step of a flat difference. `removed`, `horizon` (directed edges), `added`: empty when the step stops; in the
    hand-over all faces are added. `lower`, `upper`: bounds of the cores' depth after this step, None before the first
    face was tried. `stop`: None unless the run ends with this step. `precision`: of the numbers.
    """

    number: int
    action: EpaAction
    vertices: tuple[DifferencePoint, ...]
    given: int
    faces: tuple[PolytopeFace, ...]
    nearest: PolytopeFace | None = None
    support: DifferencePoint | None = None
    removed: tuple[PolytopeFace, ...] = ()
    horizon: tuple[tuple[int, int], ...] = ()
    added: tuple[PolytopeFace, ...] = ()
    lower: float | None = None
    upper: float | None = None
    stop: EpaStop | None = None
    precision: Precision = DOUBLE

    @property
    def held(self) -> tuple[tuple[int, ...], NearestOnSimplex] | None:
        """The vertex indices of the face with the point `closest`, and that point on the face; None without `nearest`.

        With several faces in one plane, like the halves of a parallelogram, the face may be another one than `nearest`.
        With the origin outside it is `nearest`. Computed on demand, as the bounds do not need it while the origin is
        inside.
        """
        if self.nearest is None:
            return None
        points = [point.xyz for point in self.vertices]
        if self.nearest.offset < 0.0:
            return self.nearest.vertices, _nearest_on(points, self.nearest, self.precision.flat)
        rounding = self.precision.rounding * max(length(points[k]) for k in self.nearest.vertices)
        return _foot(points, self.faces, self.nearest, rounding, self.precision.flat)

    @property
    def closest(self) -> Array | None:
        """The polytope's point (3,) nearest the origin; with the origin outside, that of `nearest`; None without it."""
        held = self.held
        return None if held is None else array_of(held[1].point)


class EpaResult(Bounded, Struct, frozen=True, eq=False):
    """The penetration of two bodies.

    `core_depth`: of the cores, along `normal`. It equals `upper`; the true depth of the cores is within [`lower`,
    `upper`]. `depth`: core_depth plus both radii. If negative, the bodies are apart by at least -depth. `normal` (3,):
    unit, A to B. `witness_a`, `witness_b` (3,): on the bodies' surfaces, relative to A's position, `b - a = -depth
    normal`. `iterations`: the number of faces tried. `within`: bounds this close are certified; if they are farther
    apart, `depth` is an upper bound.
    """

    stop: EpaStop
    depth: float
    core_depth: float
    lower: float
    upper: float
    normal: Array
    witness_a: Array
    witness_b: Array
    iterations: int
    within: float


_Bound = tuple[float, Triple]
"""A support value, and the normal along which it was taken."""

_NONE = Growth((), (), ())


def _tightest(difference: Difference, polytope: Polytope, rounding: float) -> tuple[PolytopeFace, _Bound]:
    """The answer at the iteration limit: a face, its support value and its normal.

    Of the LAST_LOOK nearest faces, those count in which the origin's foot on their plane lies. The one with the least
    support value is taken. The least value of all steps is not used: its face may have been removed, and with it the
    witness points.
    """
    best = None
    for face in sorted(polytope.faces.values(), key=lambda face: face.offset)[:LAST_LOOK]:
        nearest = _nearest_on(polytope.points, face, difference.precision.flat)
        if best is None or length(nearest.point) <= face.offset + rounding:
            value = dot(face.normal, difference.support(face.normal).xyz)
            if best is None or value < best[1][0]:
                best = (face, (value, face.normal))
    assert best is not None
    return best


def _nearest_on(points: Sequence[Triple], face: PolytopeFace, flat: float) -> NearestOnSimplex:
    """The face's point nearest the origin."""
    return nearest_on_simplex([points[k] for k in face.vertices], flat=flat)


def _nearest_to(place: Triple, points: Sequence[Triple], face: PolytopeFace, flat: float) -> NearestOnSimplex:
    """The face's point nearest to `place`."""
    found = nearest_on_simplex([sub(points[k], place) for k in face.vertices], flat=flat)
    return NearestOnSimplex(found.region, found.weights, point_along(place, 1.0, found.point))


def stop_of(offset: float, value: float, rounding: float, *, known: bool, last: bool) -> EpaStop | None:
    """Returns why EPA stops at the nearest face, or in the plane the nearest edge; None if it goes on.

    `offset`: of the face's plane; `value`: the support value along its normal. `known`: whether the support point is
    already a vertex; `last`: whether this is the last iteration.
    """
    if value < -rounding:
        return EpaStop.ORIGIN_OUTSIDE
    if value - offset <= rounding:
        return EpaStop.CONVERGED
    if known:
        return EpaStop.REPEATED_SUPPORT
    return EpaStop.ITERATION_LIMIT if last else None


def flat_result(
    difference: Difference, simplex: Sequence[DifferencePoint], normal: Triple, settings: EpaSettings
) -> EpaResult:
    """The result for a difference of cores without volume, or in the plane without area: depth 0 along `normal`."""
    value = dot(normal, difference.support(normal).xyz)
    nearest = nearest_on_simplex([point.xyz for point in simplex], flat=difference.precision.flat)
    lower = min(0.0, value)
    return answer(difference, settings, EpaStop.FLAT_POLYTOPE, normal, value, lower, simplex, nearest, 0)


def _result(
    difference: Difference,
    settings: EpaSettings,
    stop: EpaStop,
    polytope: Polytope,
    vertices: Sequence[DifferencePoint],
    face: PolytopeFace,
    bound: _Bound,
    floor: PolytopeFace,
    iterations: int,
) -> EpaResult:
    """The answer from a face, its upper bound `bound`, and the face `floor`, whose plane gives the lower bound."""
    rounding = difference.rounding(settings.gap)
    corners, nearest = _foot(polytope.points, polytope.faces.values(), face, rounding, difference.precision.flat)
    # With the origin outside, `nearest` is the polytope's point nearest the origin; the bound is minus its distance.
    lower = floor.offset if floor.offset >= 0.0 else -length(nearest.point)
    sources = [vertices[k] for k in corners]
    return answer(difference, settings, stop, bound[1], bound[0], lower, sources, nearest, iterations)


def _foot(
    points: Sequence[Triple], faces: Iterable[PolytopeFace], face: PolytopeFace, rounding: float, flat: float
) -> tuple[tuple[int, int, int], NearestOnSimplex]:
    """The polytope's point nearest the origin on the side of `face`, and the face that holds it.

    The foot of the origin on that face's plane may lie in another face of a flat or round side. The point nearest the
    foot is taken; with the origin outside, the point nearest the origin.
    """
    foot = ZERO if face.offset < 0.0 else scaled(face.normal, face.offset)
    nearest = _nearest_on(points, face, flat)
    holder, missing = face, length(sub(nearest.point, foot))
    if missing <= rounding:
        return holder.vertices, nearest
    # Faces are tried by the distance of their planes from the foot, as no point of a face is nearer than its plane. The
    # planes' offsets are not used: the normals of faces in one plane differ by rounding over a face's height, and so do
    # the offsets.
    for away, other in sorted(((abs(dot(it.normal, foot) - it.offset), it) for it in faces), key=itemgetter(0)):
        if away >= missing:
            break
        found = _nearest_to(foot, points, other, flat)
        distance = length(sub(found.point, foot))
        if distance < missing:
            missing, holder, nearest = distance, other, found
    return holder.vertices, nearest


def answer(
    difference: Difference,
    settings: EpaSettings,
    stop: EpaStop,
    normal: Triple,
    value: float,
    lower: float,
    corners: Sequence[DifferencePoint],
    nearest: NearestOnSimplex,
    iterations: int,
) -> EpaResult:
    """The result with the depth `value` along `normal`, and the witness points of the point `nearest` on `corners`."""
    witness_a, witness_b = weighted_sources([corners[k] for k in nearest.region], nearest.weights)
    return EpaResult(
        stop=stop,
        depth=value + difference.radius,
        core_depth=value,
        lower=min(lower, value),
        upper=value,
        normal=array_of(normal),
        witness_a=array_of(point_along(witness_a, difference.radius_a, normal)),
        witness_b=array_of(point_along(witness_b, -difference.radius_b, normal)),
        iterations=iterations,
        within=difference.within(settings.certified),
    )


def epa_steps(
    difference: Difference, simplex: Sequence[DifferencePoint], settings: EpaSettings = DEFAULTS
) -> Steps[EpaStep, EpaResult]:
    """EPA on the cores of a difference, from the one to four points of the simplex that GJK ended with."""
    rounding, precision = difference.rounding(settings.gap), difference.precision
    vertices, given = spanning_points(difference, simplex, rounding)
    if len(vertices) < 4:
        flat = EpaStop.FLAT_POLYTOPE
        yield EpaStep(
            0, EpaAction.STOP, tuple(vertices), given, (), lower=0.0, upper=0.0, stop=flat, precision=precision
        )
        normal = flat_normal([point.xyz for point in vertices], difference.offset, precision.rounding)
        return flat_result(difference, simplex, normal, settings)
    polytope = Polytope([point.xyz for point in vertices], rounding, precision)
    faces = tuple(polytope.faces.values())
    yield EpaStep(0, EpaAction.HAND_OVER, tuple(vertices), given, faces, added=faces, precision=precision)
    best: _Bound | None = None
    surest: tuple[float, PolytopeFace, _Bound] | None = None
    for number in count(1):
        face = polytope.nearest()
        support = difference.support(face.normal)
        value = dot(face.normal, support.xyz)
        bound, known = (value, face.normal), support.xyz in polytope.points
        if best is None or value < best[0]:
            best = bound
        if surest is None or value - face.offset < surest[0]:
            surest = (value - face.offset, face, bound)
        stop = stop_of(face.offset, value, rounding, known=known, last=number >= settings.iterations)
        faces = tuple(polytope.faces.values())
        growth = _NONE if stop is not None else polytope.grow(support.xyz, face)
        action = EpaAction.EXPAND if stop is None else EpaAction.STOP
        removed, horizon, added = growth.removed, growth.horizon, growth.added
        points = tuple(vertices)
        # The lower bound from the nearest face: its offset, or with the origin outside, minus the distance of the face.
        lower = face.offset if face.offset >= 0.0 else -length(_nearest_on(polytope.points, face, precision.flat).point)
        yield EpaStep(
            number=number,
            action=action,
            vertices=points,
            given=given,
            faces=faces,
            nearest=face,
            support=support,
            removed=removed,
            horizon=horizon,
            added=added,
            lower=lower,
            upper=best[0],
            stop=stop,
            precision=precision,
        )
        if stop is not None:
            bound, floor = best if stop is EpaStop.ORIGIN_OUTSIDE else bound, face
            if stop is EpaStop.ITERATION_LIMIT:
                face, bound = _tightest(difference, polytope, rounding)
                floor = polytope.nearest()
            if surest[0] < bound[0] - floor.offset and stop is not EpaStop.ORIGIN_OUTSIDE:
                # A sliver's plane may have folded the polytope: then the closest bounds of an earlier step are used.
                _, face, bound = surest
                floor = face
            return _result(difference, settings, stop, polytope, vertices, face, bound, floor, number)
        vertices.append(support)
    raise AssertionError("counting ended")


def epa(difference: Difference, simplex: Sequence[DifferencePoint], settings: EpaSettings = DEFAULTS) -> EpaResult:
    """The result of `epa_steps` alone."""
    return run(epa_steps(difference, simplex, settings))
