"""The contact manifold as steps: which features meet, what clipping leaves of them, and which points touch.

Reference face the one most aligned with the normal, incident face the most opposed one on the other body; clip
(clipping), keep what lies below the reference plane; edge against edge the closest points of the two; everything else
is one point (Gregorius 2015; Box3D). Bodies are cores grown by radii, or a half-space, whose plane is a reference face
without sides. Every point lies midway between the two surfaces, and its feature pair is the same whichever face is the
reference.

Departures. When a winning edge is nearly perpendicular to another one, several edges are level: all pairs are tried,
and the pair is kept whose closest points lie most nearly along the normal (the distance itself would favour the
shallower pair). Reduction is optional and says what it drops.
"""

from __future__ import annotations

import numpy as np

from ..geometry.tolerances import AMBIGUOUS_EDGE, NEARLY_PARALLEL_SIN, PARALLEL_EDGES_SIN
from ..geometry.vector import Array, cross, dot, frozen, length, length_rows
from ..scene import Body
from ..shapes import HalfSpace
from ..trace import Steps, run
from .clipping import ClipPoint, Feature, clipped, incident_polygon, settled, sides_of
from .closed_form import Segment, distance_segment_segment
from .contact import ClipStep, Contact, ContactCase, DepthStep, EdgesStep, Manifold, ManifoldStep, ReduceStep
from .cores import Core, has_core
from .manifold_reduction import spread_of_four
from .meeting import Meeting, Participant, vertices_of
from .pair import PairScale

__all__ = ["Contact", "ContactCase", "Manifold", "ManifoldStep", "has_manifold", "manifold", "manifold_steps"]


def has_manifold(a: Body, b: Body) -> bool:
    """Whether there is one: for cores grown by a radius, and a half-space against one."""
    spaces = sum(isinstance(body.shape, HalfSpace) for body in (a, b))
    return spaces + has_core(a) + has_core(b) == 2 and spaces < 2


def manifold(a: Body, b: Body, normal: Array, *, reduce: bool = False) -> Manifold:
    """The contacts along the unit `normal` (3,) from A to B; none if the bodies are apart by more than their band."""
    return run(manifold_steps(a, b, normal, reduce=reduce))


def manifold_steps(a: Body, b: Body, normal: Array, *, reduce: bool = False) -> Steps[ManifoldStep, Manifold]:
    """The same as steps. `reduce`: keep four points of more. Raises TypeError where `has_manifold` says no."""
    scale = PairScale.of(a, b)
    meeting = Meeting.of(a, b, normal, scale)
    yield meeting.features()
    if meeting.case in (ContactCase.FACE_OF_A, ContactCase.FACE_OF_B):
        found = yield from _on_a_face(meeting)
    else:
        found = yield from _between_edges(meeting)
    if not reduce or len(found) <= 4:
        return Manifold(meeting.case, meeting.normal, found)
    chosen = spread_of_four(np.array([c.position for c in found]), np.array([c.depth for c in found]), meeting.normal)
    kept = tuple(contact for k, contact in enumerate(found) if k in chosen)
    dropped = tuple(contact for k, contact in enumerate(found) if k not in chosen)
    yield ReduceStep(kept, dropped)
    return Manifold(meeting.case, meeting.normal, kept, dropped)


def _on_a_face(meeting: Meeting) -> Steps[ManifoldStep, tuple[Contact, ...]]:
    """Clips the incident feature to the reference face and keeps what lies below it."""
    of_a = meeting.case is ContactCase.FACE_OF_A
    reference, incident = (meeting.a, meeting.b) if of_a else (meeting.b, meeting.a)
    if incident.core is None:
        raise TypeError("two half-spaces have no manifold")
    up = reference.plane_normal
    polygon = incident_polygon(incident.core, incident.feature, reference.feature)
    sides = sides_of(reference.core, reference.feature.number) if reference.core is not None else ()
    for place, side in enumerate(sides):
        before = polygon
        polygon = clipped(before, sides, place, incident.feature, meeting.tolerance)
        name = reference.name(Feature("edge", side.edge))
        yield _clip_step(meeting, name, side.normal, side.offset, before, polygon, of_a=of_a)
    corners = [_settled(meeting, corner, reference, incident) for corner in polygon]
    gaps = [dot(up, corner.point) - reference.plane_offset - reference.radius - incident.radius for corner in corners]
    kept = _lowest_of_each_name(corners, gaps, meeting.margin)
    names = tuple(_names(meeting, corner, of_a=of_a) for corner in corners)
    surface = np.array([corner.point for corner in corners]).reshape(-1, 3) - incident.radius * up
    yield DepthStep(
        up,
        reference.plane_offset + reference.radius + dot(up, meeting.origin),
        frozen(surface + meeting.origin),
        frozen(-np.array(gaps)),
        names,
        tuple(k in kept for k in range(len(corners))),
    )
    return tuple(Contact(frozen(meeting.origin + surface[k] - 0.5 * gaps[k] * up), -gaps[k], *names[k]) for k in kept)


def _clip_step(
    meeting: Meeting,
    side: str,
    normal: Array,
    offset: float,
    before: tuple[ClipPoint, ...],
    after: tuple[ClipPoint, ...],
    *,
    of_a: bool,
) -> ClipStep:
    origin = meeting.origin
    old = {id(corner) for corner in before}
    return ClipStep(
        side,
        frozen(normal),
        offset + dot(normal, origin),
        frozen(np.array([corner.point for corner in before]).reshape(-1, 3) + origin),
        frozen(np.array([corner.point for corner in after]).reshape(-1, 3) + origin),
        tuple(_names(meeting, corner, of_a=of_a) for corner in after),
        tuple(id(corner) not in old for corner in after),
    )


def _names(meeting: Meeting, corner: ClipPoint, *, of_a: bool) -> tuple[str, str]:
    """The feature pair, A's first."""
    first, second = (corner.reference, corner.incident) if of_a else (corner.incident, corner.reference)
    return meeting.a.name(first), meeting.b.name(second)


def _settled(meeting: Meeting, corner: ClipPoint, reference: Participant, incident: Participant) -> ClipPoint:
    """The corner with both features named by the smallest that it touches."""
    up, tolerance = reference.plane_normal, meeting.tolerance
    on_reference, on_incident = corner.reference, corner.incident
    if reference.core is not None:
        on_reference = settled(reference.core, on_reference, reference.feature, corner.point, up, tolerance)
    if incident.core is not None:
        on_incident = settled(incident.core, on_incident, incident.feature, corner.point, up, tolerance)
    return ClipPoint(corner.point, on_incident, on_reference, corner.along)


def _lowest_of_each_name(corners: list[ClipPoint], gaps: list[float], margin: float) -> list[int]:
    """Places of the corners that lie no more than `margin` above the reference surface, one for each feature pair."""
    best: dict[tuple[Feature, Feature], int] = {}
    for k, corner in enumerate(corners):
        name = (corner.reference, corner.incident)
        if gaps[k] <= margin and (name not in best or gaps[k] < gaps[best[name]]):
            best[name] = k
    return sorted(best.values())


def _between_edges(meeting: Meeting) -> Steps[ManifoldStep, tuple[Contact, ...]]:
    """Edge against edge, or a vertex against an edge or a vertex: the closest points; parallel edges keep two."""
    core_a, core_b = meeting.a.core, meeting.b.core
    if core_a is None or core_b is None:
        raise TypeError("a half-space meets everything with its plane")
    level_a = _level_features(core_a, meeting.a.feature, meeting.normal)
    level_b = _level_features(core_b, meeting.b.feature, -meeting.normal)
    tried = [(fa, fb) for fa in level_a for fb in level_b]
    closest = [distance_segment_segment(_segment(core_a, fa), _segment(core_b, fb)) for fa, fb in tried]
    between = np.array([found.point_second - found.point_first for found in closest])
    misses = length_rows(between - (between @ meeting.normal)[:, None] * meeting.normal)
    # The supporting edges come first: another pair has to be closer by more than rounding.
    chosen = int(np.argmax(misses <= misses.min() + meeting.tolerance))
    yield EdgesStep(
        tuple((fa.name(core_a), fb.name(core_b)) for fa, fb in tried),
        frozen(np.array([found.point_first for found in closest]) + meeting.origin),
        frozen(np.array([found.point_second for found in closest]) + meeting.origin),
        frozen(misses),
        chosen,
    )
    feature_a, feature_b = tried[chosen]
    pairs = [(closest[chosen].point_first, closest[chosen].point_second)]
    if feature_a.kind == feature_b.kind == "edge":
        pairs = _ends_in_common(core_a, feature_a, core_b, feature_b, meeting.normal) or pairs
    contacts = []
    for point_a, point_b in pairs:
        gap = dot(meeting.normal, point_b - point_a) - core_a.radius - core_b.radius
        if gap > meeting.margin:
            continue
        name_a = settled(core_a, feature_a, feature_a, point_a, meeting.normal, meeting.tolerance).name(core_a)
        name_b = settled(core_b, feature_b, feature_b, point_b, meeting.normal, meeting.tolerance).name(core_b)
        middle = point_a + core_a.radius * meeting.normal + point_b - core_b.radius * meeting.normal
        contacts.append(Contact(frozen(meeting.origin + 0.5 * middle), -gap, name_a, name_b))
    return tuple(contacts)


def _level_features(core: Core, feature: Feature, direction: Array) -> list[Feature]:
    """The supporting edge, and every other that is as far along `direction` but for AMBIGUOUS_EDGE."""
    if feature.kind != "edge" or not core.has_volume:
        return [feature]
    heights = core.solid.vertices @ direction
    size = float(np.abs(core.solid.vertices - core.solid.vertices.mean(axis=0)).max())
    level = (heights >= heights.max() - AMBIGUOUS_EDGE * size)[core.solid.edges].all(axis=1)
    others = [Feature("edge", int(edge)) for edge in np.flatnonzero(level) if edge != feature.number]
    return [feature, *others]


def _segment(core: Core, feature: Feature) -> Segment:
    """The edge as a segment; a vertex is one of length 0."""
    points = core.solid.vertices[list(vertices_of(core, feature))]
    if len(points) == 1:
        return Segment(points[0], np.array((1.0, 0.0, 0.0)), 0.0)
    # The direction is the edge's own: far away, the difference of its vertices may have lost every digit.
    return Segment(0.5 * (points[0] + points[1]), core.edge_units[feature.number], 0.5 * length(points[1] - points[0]))


def _ends_in_common(
    core_a: Core, feature_a: Feature, core_b: Core, feature_b: Feature, normal: Array
) -> list[tuple[Array, Array]]:
    """The two ends of the stretch that parallel edges share, on either; none if they are not parallel."""
    first, second = _segment(core_a, feature_a), _segment(core_b, feature_b)
    round_ones = not (core_a.has_volume or core_b.has_volume)
    limit = NEARLY_PARALLEL_SIN if round_ones else PARALLEL_EDGES_SIN
    if length(cross(first.direction, second.direction)) > limit:
        return []
    along = first.direction - dot(first.direction, normal) * normal
    ends_a = [dot(along, end) for end in core_a.solid.vertices[list(vertices_of(core_a, feature_a))]]
    ends_b = [dot(along, end) for end in core_b.solid.vertices[list(vertices_of(core_b, feature_b))]]
    low, high = max(min(ends_a), min(ends_b)), min(max(ends_a), max(ends_b))
    if not low < high:
        return []
    return [(_at(first, along, place), _at(second, along, place)) for place in (low, high)]


def _at(segment: Segment, along: Array, place: float) -> Array:
    """The point of the segment whose product with `along` is `place`."""
    share = (place - dot(along, segment.middle)) / dot(along, segment.direction)
    clamped = min(max(share, -segment.half_length), segment.half_length)
    point: Array = segment.middle + clamped * segment.direction
    return point
