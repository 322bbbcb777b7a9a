"""The policy `exact`: the contact manifold by clipping, as steps (Gregorius 2015; Box3D).

The reference face is the face most aligned with the normal. The incident face is the most opposed one at the other
body's farthest vertex. The incident face is clipped by the reference face's sides (`clipping`), and its corners below
the reference plane are the contacts. Two edges have a contact between their closest points, or two if they are
parallel; other features have one contact. Bodies are cores with a radius, or a half-space, whose plane is a reference
face without sides. Every contact lies midway between the two surfaces; its feature pair is the same whichever face is
the reference.

Departures. When a winning edge axis is nearly perpendicular to other edges of a body, several edges are level. All
pairs of them are tried, and the pair is kept whose closest points lie most nearly along the normal. The least distance
would favour the shallower pair. Reduction to four contacts is optional. As in most engines it keeps the deepest, the
farthest from it, and the two that span the largest area with them. This preserves the outline that supports a resting
body, and the depth that is resolved. The result lists the dropped contacts.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from ...closed_form import Segment, closest_points
from ...geometry.tolerances import AMBIGUOUS_EDGE, NEARLY_PARALLEL_SIN, PARALLEL_EDGES_SIN
from ...geometry.vector import Array, cross, cross_rows, dot, dots, frozen, length, length_rows
from ...pair.cores import Core, has_core
from ...pair.pair import PairScale, half_space_of
from ...scene import Body
from ...trace import Steps, run
from ..contact import ClipStep, Contact, ContactCase, DepthStep, EdgesStep, Manifold, ManifoldStep, ReduceStep
from .clipping import ClipPoint, Feature, Outline, clipped, incident_polygon, sides_of, smallest_features
from .reference_face import FacingFeatures, Participant

EQUAL = 1e-9
"""Depths and distances that differ by less, in units of the contacts' extent, are equal."""


def spread_of_four(positions: Array, depths: Array, normal: Array) -> tuple[int, ...]:
    """Indices of the four contacts to keep, in the order of choice; fewer if one is chosen twice.

    `positions` (k, 3); `depths` (k,); `normal` (3,): unit. Of equal contacts (within EQUAL) the first is chosen.
    """
    extent = float(np.ptp(positions, axis=0).max())
    deepest = _first_of_most(depths, EQUAL * extent)
    arms = positions - positions[deepest]
    flat = arms - dots(arms, normal)[:, None] * normal
    farthest = _first_of_most(length_rows(flat), EQUAL * extent)
    # Twice the signed area over the line through the first two: the widest point on either side.
    areas, tie = dots(cross_rows(flat[farthest], flat), normal), EQUAL * extent * extent
    return tuple(dict.fromkeys((deepest, farthest, _first_of_most(areas, tie), _first_of_most(-areas, tie))))


def _first_of_most(values: Array, tie: float) -> int:
    """The index of the first value within `tie` of the largest."""
    return int((values >= values.max() - tie).argmax())


def clips(a: Body, b: Body) -> bool:
    """Whether this policy can make contacts of two bodies: two cores with a radius, or a half-space and one."""
    found = half_space_of(a, b)
    return has_core(a) and has_core(b) if found is None else has_core(found.body)


def exact_manifold(a: Body, b: Body, normal: Array, *, reduce: bool = False) -> Manifold:
    """The manifold along the unit `normal` (3,) from A to B; no contacts if the bodies are beyond the touching band.

    `reduce`: keep at most four contacts. Raises ValueError for two half-spaces, TypeError for any other pair for which
    `clips` is False.
    """
    return run(exact_steps(a, b, normal, reduce=reduce))


def exact_steps(
    a: Body, b: Body, normal: Array, *, reduce: bool = False, speculative: float = 0.0
) -> Steps[ManifoldStep, Manifold]:
    """`exact_manifold` as steps. Raises as that.

    `normal` (3,): unit, from A to B, world. `reduce`: keep at most four contacts. `speculative`: surfaces at most this
    far apart, scene units, have contacts too.
    """
    scale = PairScale.of(a, b)
    facing = FacingFeatures.of(a, b, normal, scale, speculative)
    yield facing.step()
    if facing.case in (ContactCase.FACE_OF_A, ContactCase.FACE_OF_B):
        found = yield from _on_a_face(facing)
    else:
        found = yield from _between_edges(facing)
    if not reduce or len(found) <= 4:
        return Manifold(facing.case, facing.normal, found)
    chosen = spread_of_four(np.array([c.position for c in found]), np.array([c.depth for c in found]), facing.normal)
    places = sorted(chosen)
    kept = tuple(found[k] for k in places)
    dropped = tuple(contact for k, contact in enumerate(found) if k not in chosen)
    yield ReduceStep(kept, dropped, tuple(places.index(k) for k in chosen))
    return Manifold(facing.case, facing.normal, kept, dropped)


def _on_a_face(facing: FacingFeatures) -> Steps[ManifoldStep, tuple[Contact, ...]]:
    """Clips the incident feature to the reference face, and makes contacts of the corners below it.

    Raises TypeError for two half-spaces.
    """
    reference, incident = facing.reference_first
    if incident.core is None:
        raise TypeError("two half-spaces have no manifold")
    up = reference.plane_normal
    polygon = yield from _clip(facing, reference, incident)
    points = _points(polygon)
    pairs = list(
        zip(
            _settled(facing, reference, [corner.reference for corner in polygon], points, up),
            _settled(facing, incident, [corner.incident for corner in polygon], points, up),
            strict=True,
        )
    )
    gaps = dots(points, up) - (reference.plane_offset + reference.radius + incident.radius)
    lowest = _lowest_of_each_name(pairs, gaps.tolist(), facing.margin)
    names = tuple(facing.names(*pair) for pair in pairs)
    surface = points - incident.radius * up + facing.origin
    yield DepthStep(
        up,
        reference.plane_offset + reference.radius + dot(up, facing.origin),
        frozen(surface),
        frozen(-gaps),
        names,
        tuple(k in lowest for k in range(len(pairs))),
    )
    middles = frozen(surface - 0.5 * gaps[:, None] * up)
    return tuple(Contact(middles[k], -float(gaps[k]), *names[k], gap=bool(gaps[k] > facing.band)) for k in lowest)


class _Shown(Struct, frozen=True, eq=False):
    """A polygon for a step: the corners' positions (k, 3), world, and their feature pairs, A's first."""

    points: Array
    names: tuple[tuple[str, str], ...]

    @staticmethod
    def of(facing: FacingFeatures, polygon: tuple[ClipPoint, ...]) -> _Shown:
        names = tuple(facing.names(corner.reference, corner.incident) for corner in polygon)
        return _Shown(frozen(_points(polygon) + facing.origin), names)


def _clip(
    facing: FacingFeatures, reference: Participant, incident: Participant
) -> Steps[ManifoldStep, tuple[ClipPoint, ...]]:
    """The incident feature, cut by one side of the reference face after another; a half-space's plane has no sides."""
    polygon = incident_polygon(incident.outline, reference.feature)
    shown = _Shown.of(facing, polygon)
    sides = () if reference.core is None else sides_of(reference.core, reference.feature.number, reference.outline)
    for place, side in enumerate(sides):
        before, shown_before = polygon, shown
        polygon = clipped(before, sides, place, incident.feature, facing.tolerance)
        if polygon is not before:
            shown = _Shown.of(facing, polygon)
        old = {id(corner) for corner in before}
        normal = np.array(side.normal)
        yield ClipStep(
            side=reference.name(Feature("edge", side.edge)),
            normal=frozen(normal),
            offset=side.offset + dot(normal, facing.origin),
            before=shown_before.points,
            after=shown.points,
            names=shown.names,
            cut=tuple(id(corner) not in old for corner in polygon),
        )
    return polygon


def _points(polygon: tuple[ClipPoint, ...]) -> Array:
    """The corners (k, 3), relative to A's position."""
    return np.array([corner.point for corner in polygon]).reshape(-1, 3)


def _settled(
    facing: FacingFeatures, participant: Participant, features: list[Feature], points: Array, direction: Array
) -> list[Feature]:
    """`features` of the participant, each replaced by the smallest at its point, seen along `direction`."""
    if participant.core is None:
        return features
    return smallest_features(participant.outline, features, points, direction, facing.tolerance)


def _lowest_of_each_name(pairs: list[tuple[Feature, Feature]], gaps: list[float], margin: float) -> list[int]:
    """Indices of the corners no more than `margin` above the reference surface; of each feature pair the lowest."""
    best: dict[tuple[Feature, Feature], int] = {}
    for k, pair in enumerate(pairs):
        if gaps[k] <= margin and (pair not in best or gaps[k] < gaps[best[pair]]):
            best[pair] = k
    return sorted(best.values())


def _between_edges(facing: FacingFeatures) -> Steps[ManifoldStep, tuple[Contact, ...]]:
    """Makes contacts of the closest points of two edges, or of a vertex and an edge or vertex.

    Raises TypeError for a half-space.
    """
    core_a, core_b = facing.a.core, facing.b.core
    if core_a is None or core_b is None:
        raise TypeError("a half-space touches everything with its plane")
    level_a = _level_features(core_a, facing.a.feature, facing.normal)
    level_b = _level_features(core_b, facing.b.feature, -facing.normal)
    tried = [(fa, fb) for fa in level_a for fb in level_b]
    closest = [closest_points(_segment(core_a, fa), _segment(core_b, fb)) for fa, fb in tried]
    at_a, at_b = (np.array(points) for points in zip(*closest, strict=True))
    between = at_b - at_a
    misses = length_rows(between - dots(between, facing.normal)[:, None] * facing.normal)
    # The supporting edges come first: another pair is chosen only if it misses by less, by more than rounding.
    chosen = int(np.argmax(misses <= misses.min() + facing.tolerance))
    yield EdgesStep(
        tuple((fa.name(core_a), fb.name(core_b)) for fa, fb in tried),
        frozen(at_a + facing.origin),
        frozen(at_b + facing.origin),
        frozen(misses),
        chosen,
    )
    feature_a, feature_b = tried[chosen]
    pairs = [closest[chosen]]
    if feature_a.kind == feature_b.kind == "edge":
        pairs = _ends_in_common(core_a, feature_a, core_b, feature_b, facing.normal) or pairs
    contacts = []
    for point_a, point_b in pairs:
        gap = dot(facing.normal, point_b - point_a) - core_a.radius - core_b.radius
        if gap > facing.margin:
            continue
        name_a, name_b = _name_at(facing, core_a, feature_a, point_a), _name_at(facing, core_b, feature_b, point_b)
        middle = point_a + core_a.radius * facing.normal + point_b - core_b.radius * facing.normal
        contacts.append(Contact(frozen(facing.origin + 0.5 * middle), -gap, name_a, name_b, gap=gap > facing.band))
    return tuple(contacts)


def _name_at(facing: FacingFeatures, core: Core, feature: Feature, point: Array) -> str:
    """The name of the edge or vertex `feature`; if `point` (3,) lies at an end of the edge, the vertex's."""
    found = smallest_features(
        Outline.of(core, feature), [feature], point.reshape(1, 3), facing.normal, facing.tolerance
    )
    return found[0].name(core)


def _level_features(core: Core, feature: Feature, direction: Array) -> list[Feature]:
    """The supporting edge, then all other edges that are as far along `direction`, within AMBIGUOUS_EDGE.

    Only `feature` if it is a vertex, or if the core has no volume.
    """
    if feature.kind != "edge" or not core.has_volume:
        return [feature]
    heights = dots(core.solid.vertices, direction)
    size = float(np.abs(core.solid.vertices - core.solid.vertices.mean(axis=0)).max())
    level = (heights >= heights.max() - AMBIGUOUS_EDGE * size)[core.solid.edges].all(axis=1)
    others = [Feature("edge", int(edge)) for edge in np.flatnonzero(level) if edge != feature.number]
    return [feature, *others]


def _segment(core: Core, feature: Feature) -> Segment:
    """The edge as a segment; a vertex as a segment of length 0."""
    points = Outline.of(core, feature).corners
    if len(points) == 1:
        return Segment(points[0], np.array((1.0, 0.0, 0.0)), 0.0)
    # The direction is the edge's own: far away, the difference of its vertices may have lost every digit.
    return Segment(0.5 * (points[0] + points[1]), core.edge_units[feature.number], 0.5 * length(points[1] - points[0]))


def _ends_in_common(
    core_a: Core, feature_a: Feature, core_b: Core, feature_b: Feature, normal: Array
) -> list[tuple[Array, Array]]:
    """The ends of the stretch that parallel edges share: two pairs of points, A's first.

    Empty if the edges are not parallel or share no stretch.
    """
    first, second = _segment(core_a, feature_a), _segment(core_b, feature_b)
    round_ones = not (core_a.has_volume or core_b.has_volume)
    limit = NEARLY_PARALLEL_SIN if round_ones else PARALLEL_EDGES_SIN
    if length(cross(first.direction, second.direction)) > limit:
        return []
    along = first.direction - dot(first.direction, normal) * normal
    ends_a = [dot(along, end) for end in Outline.of(core_a, feature_a).corners]
    ends_b = [dot(along, end) for end in Outline.of(core_b, feature_b).corners]
    low, high = max(min(ends_a), min(ends_b)), min(max(ends_a), max(ends_b))
    if not low < high:
        return []
    return [(_at(first, along, place), _at(second, along, place)) for place in (low, high)]


def _at(segment: Segment, along: Array, place: float) -> Array:
    """The point of the segment, or its nearer end, whose dot product with `along` is `place`."""
    share = (place - dot(along, segment.middle)) / dot(along, segment.direction)
    clamped = min(max(share, -segment.half_length), segment.half_length)
    point: Array = segment.middle + clamped * segment.direction
    return point
