"""The closest points of two segments in any position: skew, parallel, crossing, or points.

Source: Ericson 2005, 5.1.9, computed in another way. A segment has a middle, a unit direction and a half length, so
that a segment of length zero needs no special case. The nearest pair of the infinite lines, and the nearest partner of
each of the four ends, are all computed, and the closest pair is taken. So no tolerance decides about parallel segments.
At distances near rounding, the direction between the closest points is noise. Then the normal is the direction with the
largest `s(n) = min_B n·x - max_A n·x` among those that the closest features allow.

Here are also spheres and capsules against each other: points and segments grown by a radius. The difference of such
cores has no volume, so the separation is the distance of the cores minus both radii, at any depth.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from msgspec import Struct

from ..geometry.quaternion import Pose
from ..geometry.tolerances import EPS, ROUNDING
from ..geometry.vector import Array, any_perpendicular, cross, dot, length, unit
from ..shapes import Shape
from .proximity import X_AXIS, Proximity


class Segment(Struct, frozen=True, eq=False):
    """`middle` (3,), unit `direction` (3,), `half_length` >= 0: all `middle + s direction` with |s| <= half_length."""

    middle: Array
    direction: Array
    half_length: float

    def at(self, s: float) -> Array:
        """The point (3,) at the signed distance `s` from the middle."""
        return self.middle + s * self.direction

    def nearest(self, point: Array) -> float:
        """The parameter s of the segment's point nearest to `point` (3,)."""
        return self.clamped(dot(self.direction, point - self.middle))

    def clamped(self, s: float) -> float:
        """The parameter `s` clamped to the segment."""
        return min(max(s, -self.half_length), self.half_length)

    def reach(self, direction: Array) -> float:
        """The largest height of the segment along `direction` (3,): its support value."""
        return dot(direction, self.middle) + self.half_length * abs(dot(direction, self.direction))


def distance_segment_segment(a: Segment, b: Segment) -> Proximity:
    """The distance of two segments, never negative; the normal separates them best even if they cross."""
    point_a, point_b = closest_points(a, b)
    apart = length(point_b - point_a)
    return Proximity(apart, _certified_normal(a, b, point_b - point_a), point_a, point_b)


def closest_points(a: Segment, b: Segment) -> tuple[Array, Array]:
    """Returns the closest points (3,) of A and B; for parallel segments the middle of all closest pairs."""
    pairs = [(length(between := b.at(t) - a.at(s)), s, t, between) for s, t in _candidate_pairs(a, b)]
    nearest = min(pair[0] for pair in pairs)
    noise = ROUNDING * (length(b.middle - a.middle) + a.half_length + b.half_length)
    short = [pair for pair in pairs if pair[0] <= nearest + noise]
    # A distance changes to second order only, so points of tied pairs may be off by the square root of rounding. The
    # pair whose direction proves most is taken, with all tied pairs that have the same vector between their points.
    # Closest pairs form a convex set, so the mean of these is a closest pair too.
    _, _, _, across = max(short, key=lambda pair: _proven(a, b, pair[3]))
    tied = [(s, t) for _, s, t, between in short if length(between - across) <= noise]
    return a.at(sum(s for s, _ in tied) / len(tied)), b.at(sum(t for _, t in tied) / len(tied))


def _candidate_pairs(a: Segment, b: Segment) -> Iterator[tuple[float, float]]:
    """Yields candidates for the closest pair, as parameters on A and on B.

    They are the nearest pair of the lines, clamped to the segments, and each end with its nearest partner.
    """
    normal = common_perpendicular(a, b)
    squared = dot(normal, normal)
    if squared > 0.0:
        between = b.middle - a.middle
        s = a.clamped(dot(cross(between, b.direction), normal) / squared)
        # For nearly parallel lines s has few good digits; the nearest t for it, then the nearest s for t, correct it.
        t = b.nearest(a.at(s))
        yield a.nearest(b.at(t)), t
    for s in (-a.half_length, a.half_length):
        yield s, b.nearest(a.at(s))
    for t in (-b.half_length, b.half_length):
        yield a.nearest(b.at(t)), t


def common_perpendicular(a: Segment, b: Segment) -> Array:
    """`a.direction × b.direction` (3,), computed from their difference, which keeps the digits of nearly parallel ones.

    Zero for parallel segments.
    """
    flip = -1.0 if dot(a.direction, b.direction) < 0.0 else 1.0
    return flip * cross(a.direction, flip * b.direction - a.direction)


def _certified_normal(a: Segment, b: Segment, between: Array) -> Array:
    """The unit direction (3,) from A to B that separates the segments most: along `between`, unless that is noise."""
    candidates = [between]
    along = [segment.direction for segment in (a, b) if segment.half_length > 0.0]
    candidates += [between - dot(between, direction) * direction for direction in along]
    if len(along) == 2:
        common = common_perpendicular(a, b)
        candidates += [common, -common]
    directions = [direction for candidate in candidates if (direction := unit(candidate)) is not None]
    directions += [any_perpendicular(direction) for direction in along] or [a.direction]
    proven = [_certificate(a, b, direction) for direction in directions]
    best = max(proven)
    # The direction between the closest points is preferred if it is as good to rounding.
    noise = 4.0 * EPS * (length(b.middle - a.middle) + a.half_length + b.half_length)
    own = length(between) > 0.0 and proven[0] >= best - noise
    return directions[0 if own else proven.index(best)]


def _proven(a: Segment, b: Segment, between: Array) -> float:
    """The separation along the direction of `between` (3,); minus infinity for the zero vector."""
    direction = unit(between)
    return -inf if direction is None else _certificate(a, b, direction)


def _certificate(a: Segment, b: Segment, direction: Array) -> float:
    """The separation `s(n) = min_B n·x - max_A n·x` along a unit direction n (3,)."""
    return -b.reach(-direction) - a.reach(direction)


def distance_sphere_sphere(centre_a: Array, radius_a: float, centre_b: Array, radius_b: float) -> Proximity:
    """The proximity of sphere A to sphere B; centres (3,) in one frame. If they coincide, the normal is +x."""
    between = centre_b - centre_a
    apart = length(between)
    normal = between / apart if apart > 0.0 else X_AXIS
    return Proximity(apart - radius_a - radius_b, normal, centre_a + radius_a * normal, centre_b - radius_b * normal)


def distance_sphere_capsule(centre: Array, radius: float, segment: Segment, across: float) -> Proximity:
    """The proximity of the sphere about `centre` (3,) to the capsule of radius `across` about a segment."""
    return distance_capsule_capsule(Segment(centre, X_AXIS, 0.0), radius, segment, across)


def core_segment(shape: Shape, pose: Pose) -> tuple[Segment | None, float]:
    """Returns the segment of a capsule, or of a hull of two points, placed at `pose`, and the radius by which it grows.

    None and 0 for every other shape.
    """
    core = shape.core
    if core is None or core.solid is not None or len(core.points) != 2:
        return None, 0.0
    low, high = core.points
    along = high - low
    size = length(along)
    # The ends of an extremely short capsule may coincide.
    direction = pose.direction_to_world(along / size) if size > 0.0 else pose.matrix[:, 1]
    return Segment(pose.to_world(0.5 * (low + high)), direction, 0.5 * size), core.radius


def distance_capsule_capsule(a: Segment, radius_a: float, b: Segment, radius_b: float) -> Proximity:
    """The proximity of the capsules of `radius_a` about segment A and `radius_b` about segment B; radii may be 0.

    If the segments cross, the normal is perpendicular to both.
    """
    cores = distance_segment_segment(a, b)
    normal = cores.normal
    return Proximity(
        cores.separation - radius_a - radius_b,
        normal,
        cores.witness_a + radius_a * normal,
        cores.witness_b - radius_b * normal,
    )
