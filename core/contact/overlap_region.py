"""The overlap region of two flat parts: where their shadows overlap and the clearance along the normal is at most δ.

The region is found by clipping the intersection of both shadows. While the bodies are more than δ apart at a corner,
the corner is cut off by the line at which the planes that bound the bodies there are δ apart. The number of pairs of
planes that are tested is about the number of the region's sides, even for a hull of thousands of faces.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, sqrt, tau
from operator import itemgetter
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from ..geometry.elementary import atan2, hypot, sin
from ..geometry.vec2 import Vec2, add, cross, dot, length, sub
from .flat import Flat, FlatFeature, FlatKind
from .region import (
    BISECTIONS,
    Arc,
    HalfPlane,
    Loop,
    clip,
    common_disc,
    full_circle,
    highest,
    middle_of,
    off_chord,
    places_along,
    polygon_loop,
    side_line,
    spans,
    thinned,
    triangle,
)

MOST_CONTACTS = 32
"""The most corners of one pair that become contacts; of more, those that add the least area are dropped.

A contact at the deepest place may be added to them.
"""

OVERSHOOT = 1e-6
"""A corner beyond the level by at most this fraction of δ counts as on it, since crossings are rounded."""

ON_LEVEL = 1e-10
"""The search for a place at the level stops when the overlap is above -δ by at most this fraction of δ. So near the
level, the result does not depend on where the search began."""


class Corner(Struct, frozen=True):
    """A corner of the region, at `point` in the frame.

    `names`: on the first body and on the second; `heights`: of both bodies there, each along its own d.
    """

    point: Vec2
    names: tuple[str, str]
    heights: tuple[float, float]


class _Tag(NamedTuple):
    """The source of a corner: the `planes` of the sides before and after it, or the arc it lies on and its number.

    `before`, `after`: None for a side that is no level line. `arc`: None for a corner between two sides.
    """

    before: tuple[int, int] | None = None
    after: tuple[int, int] | None = None
    arc: Arc | None = None
    number: str = ""


def shadows_loop(first: Flat, second: Flat, start: Callable[[], Vec2]) -> Loop:
    """The loop of the shadow that is clipped by the sides of the other; of two discs their intersection.

    `start`: the unit direction in the frame at which a full circle begins.
    """
    if first.ellipse is not None and second.ellipse is not None:
        at = first.ellipse.angle(_ahead(first, start()))
        return common_disc(first.ellipse, second.ellipse, at, first.seen.lateral)
    for body, flat in enumerate((first, second)):
        if flat.ellipse is not None:
            return full_circle(body, flat.ellipse, flat.ellipse.angle(_ahead(flat, start())))
    return polygon_loop(list(first.corners or second.corners))


def _ahead(flat: Flat, direction: Vec2) -> Vec2:
    assert flat.ellipse is not None
    return add(flat.ellipse.centre, direction)


def clipping_sides(first: Flat, second: Flat) -> tuple[Flat, list[tuple[HalfPlane, str]]]:
    """The flat part whose sides clip the loop of `shadows_loop`, and its sides as lines with names.

    There are none for a disc, and none beside a plane.
    """
    clipper = first if second.ellipse is not None or not second.corners else second
    corners = clipper.corners if clipper.kind is FlatKind.POLYGON and (first.is_region and second.is_region) else ()
    if not (first.corners or first.ellipse) or not (second.corners or second.ellipse):
        corners = ()
    lines = []
    for k, name in enumerate(clipper.sides[: len(corners)]):
        line = side_line(corners[k], corners[(k + 1) % len(corners)])
        if line is not None:
            lines.append((line, name))
    return clipper, lines


def widened(clipper: Flat, sides: list[tuple[HalfPlane, str]], by: float) -> list[HalfPlane]:
    """The sides moved out `by` a length, and a line across each corner, as a sharp one would otherwise lie far out."""
    lines = [line for line, _ in sides]
    return [(g0 - by, gu, gv) for g0, gu, gv in lines] + corner_ends(clipper.corners, lines, by)


def corner_ends(corners: tuple[Vec2, ...], sides: list[HalfPlane], by: float) -> list[HalfPlane]:
    """A line across each corner of a polygon, a length `by` beyond it. `sides`: side k runs from corner k on."""
    ends = []
    for (cu, cv), (_, au, av), (_, bu, bv) in zip(corners, sides[-1:] + sides, sides, strict=False):
        # A segment has two sides with opposite normals: its end lies ahead of the side that runs there.
        u, v = (au + bu, av + bv) if len(corners) > 2 else (-av, au)
        if size := hypot(u, v):
            ends.append((-(cu * u + cv * v) / size - by, u / size, v / size))
    return ends


class LevelClips:
    """Clips a loop at the level δ by one pair of planes after the other, until no place on it is more than δ apart.

    `used`: the pairs of planes that have clipped already.
    """

    def __init__(self, first: Flat, second: Flat, delta: float) -> None:
        self.used: set[tuple[int, int]] = set()
        self._bodies, self._delta = (first, second), delta
        # By place, the overlap there and the two planes that give it. They are kept, as a clip leaves most places.
        self._known: dict[Vec2, tuple[float, tuple[int, int]]] = {}

    def clip(self, loop: Loop) -> Loop | None:
        """The loop after one more clip, at the place where the clearance is largest; None if no new pair clips."""
        places = places_along(loop)
        self._look([w for w in places if w not in self._known])
        level = -self._delta * (1.0 + OVERSHOOT)
        beyond = [found for w in places if (found := self._known[w])[0] < level]
        for _, pair in sorted(beyond, key=itemgetter(0)):
            if pair not in self.used:
                self.used.add(pair)
                one, other = (flat.planes[k].tolist() for flat, k in zip(self._bodies, pair, strict=True))
                g0, gu, gv = (-x - y for x, y in zip(one, other, strict=True))
                return clip(loop, (g0 - self._delta, gu, gv), pair)
        return None

    def _look(self, places: list[Vec2]) -> None:
        if not places:
            return
        (one, first), (other, second) = (flat.lowest_planes(places) for flat in self._bodies)
        found = zip(places, one, first, other, second, strict=True)
        self._known.update({w: (low + lower, (k, number)) for w, low, k, lower, number in found})


def corners_of(
    first: Flat, second: Flat, loop: Loop, start: Callable[[], Vec2], *, beside: bool
) -> tuple[list[Corner], int]:
    """The region's corners with their names, counter-clockwise, and the number of corners dropped as too many.

    The number includes those that both flat parts left out. An arc is replaced by points on it. Corners within the
    lateral tolerance of their neighbours' chord are left out, and not counted. `beside`: the shadows of the flat parts
    lie beside each other, and the corners are moved to where these touch.
    """
    points: list[Vec2] = []
    tags: list[_Tag] = []
    lateral, whole = first.seen.lateral, len(loop) == 1
    # An arc no longer than the lateral tolerance becomes a straight side: rounding decides whether a rim that passes
    # through a corner has such an arc.
    loop = [piece if piece.arc is None or piece.arc.length > lateral else piece._replace(arc=None) for piece in loop]
    arcs = [piece.arc for piece in loop if piece.arc is not None]
    counts = dict(zip(map(id, arcs), spans(arcs, lateral), strict=True)) if arcs else {}
    order = {id(arc): k for k, arc in enumerate(sorted(arcs, key=lambda arc: _bearing(arc, start())))}
    for k, piece in enumerate(loop):
        if not whole:
            points.append(piece.start)
            tags.append(_Tag(loop[k - 1].planes, piece.planes))
        if piece.arc is None:
            continue
        arc, count = piece.arc, counts[id(piece.arc)]
        for j in range(0 if whole else 1, count):
            points.append(arc.ellipse.at(arc.low + (arc.high - arc.low) * j / count))
            tags.append(_Tag(arc=arc, number=f"{order[id(arc)]}.{j}" if len(arcs) > 1 else f"{j}"))
    kept = thinned(points, off_chord, lambda off, _: off <= lateral)
    if len(kept) == 2 and length(sub(points[kept[0]], points[kept[1]])) <= lateral:
        points, tags, kept = [middle_of(points)], [_Tag()], [0]
    dropped = max(0, len(kept) - MOST_CONTACTS)
    if dropped:
        kept = [kept[k] for k in thinned([points[k] for k in kept], triangle, lambda _, count: count > MOST_CONTACTS)]
    moved = [touching(first, second, points[k]) if beside else points[k] for k in kept]
    corners = located(first, second, moved, [tags[k] for k in kept])
    return _unique(first, second, corners, start), dropped + first.lowered + second.lowered


def touching(first: Flat, second: Flat, w: Vec2) -> Vec2:
    """The place near w where the flat parts touch: the corner at w, else the point of the side at w, else w.

    If both flat parts have one, it is the middle of both.
    """
    found = [(flat, flat.features([w])[0]) for flat in (first, second)]
    for kind in ("corner", "side"):
        if feet := [flat.nearest(feature, w) for flat, feature in found if feature.kind == kind]:
            (pu, pv), (qu, qv) = feet[0], feet[-1]
            return (0.5 * (pu + qu), 0.5 * (pv + qv))
    return w


def located(first: Flat, second: Flat, points: list[Vec2], tags: list[_Tag] | None = None) -> list[Corner]:
    """The corners at these points, with names and heights.

    `tags`: the sources of the names, one for each point; None for the smallest features there.
    """
    features = first.features(points), second.features(points)
    heights = first.heights_at(points, features[0]), second.heights_at(points, features[1])
    corners = []
    for k, w in enumerate(points):
        pair = features[0][k], features[1][k]
        names = (pair[0].name, pair[1].name) if tags is None else _names(first, second, tags[k], pair)
        corners.append(Corner(w, names, (heights[0][k], heights[1][k])))
    return corners


def overlap_at(first: Flat, second: Flat, w: Vec2) -> float:
    """The overlap of the bodies on the line through a point of both shadows."""
    here = [w]
    return first.heights_at(here, first.features(here))[0] + second.heights_at(here, second.features(here))[0]


def _bearing(arc: Arc, start: Vec2) -> float:
    """The angle of an arc's middle about its disc, from the direction `start`; arcs are numbered in its order."""
    arm = sub(arc.ellipse.at(0.5 * (arc.low + arc.high)), arc.ellipse.centre)
    return (atan2(cross(start, arm), dot(start, arm)) + 1e-9) % tau


def _names(first: Flat, second: Flat, tag: _Tag, found: tuple[FlatFeature, FlatFeature]) -> tuple[str, str]:
    """The names of a corner on both bodies: those of the features at it, but for corners on arcs and at the level.

    On an arc: the rim with the number of the point, after that of the arc if there are several; on the other body, the
    feature. Between two level lines: for each body the names of the two faces on whose crease the corner lies, or
    "level" if it lies on one face. Between a level line and a side: the feature, but "level" for an inside; if both are
    inside, only for the second body's.
    """
    names = (found[0].name, found[1].name)
    if tag.arc is not None:
        own = (first, second)[tag.arc.body]
        rim = f"{own.sides[0]}.{tag.number}"
        return (rim, names[1]) if tag.arc.body == 0 else (names[0], rim)
    if tag.before is None and tag.after is None:
        return names
    if tag.before is not None and tag.after is not None:
        creases = [
            "level" if one == other else "/".join(sorted({flat.plane_name(one), flat.plane_name(other)}))
            for flat, one, other in zip((first, second), tag.before, tag.after, strict=True)
        ]
        return creases[0], creases[1]
    sides = ["level" if feature.kind == "inside" else feature.name for feature in found]
    return (sides[0], sides[1]) if sides != ["level", "level"] else (names[0], "level")


def _unique(first: Flat, second: Flat, corners: list[Corner], start: Callable[[], Vec2]) -> list[Corner]:
    """The corners with unique names: two of one name get "-" and "+", more a number, in order along the named side.

    The order follows the side's own direction on its body, so that a swap of A and B does not change it.
    """
    groups: dict[tuple[str, str], list[int]] = {}
    for k, corner in enumerate(corners):
        groups.setdefault(corner.names, []).append(k)
    for names, places in groups.items():
        if len(places) == 1:
            continue
        along = _direction(first, names[0]) or _direction(second, names[1]) or start()
        rank = sorted(places, key=lambda k: corners[k].point[0] * along[0] + corners[k].point[1] * along[1])
        on_first = names[0] != "level"
        for number, k in enumerate(rank):
            mark = "-+"[number] if len(rank) == 2 else f"#{number}"
            marked = (names[0] + mark, names[1]) if on_first else (names[0], names[1] + mark)
            corners[k] = replace(corners[k], names=marked)
    return corners


def _direction(flat: Flat, name: str) -> Vec2 | None:
    """The direction of a named side, from the end with the smaller name; None for any other name."""
    if name not in flat.sides or flat.ellipse is not None:
        return None
    k = flat.sides.index(name)
    after = (k + 1) % len(flat.corners)
    (pu, pv), (qu, qv) = flat.corners[k], flat.corners[after]
    return (qu - pu, qv - pv) if flat.names[k] < flat.names[after] else (pu - qu, pv - qv)


def stretch(
    overlap: Callable[[float], float], low: float, high: float, inside: float, delta: float
) -> tuple[float, float] | None:
    """The part of [low, high] in which a concave overlap is at least -δ; None if there is none.

    `inside`: a place where the overlap is probably large; if it is below -δ there, its maximum is searched.
    """
    ends = [(place, overlap(place)) for place in (low, high)]
    middle = min(max(inside, low), high)
    if (most := overlap(middle)) < -delta:
        middle = highest(overlap, low, high)
        if (most := overlap(middle)) < -delta:
            return None
    found = [end[0] if end[1] >= -delta else _passing(overlap, (middle, most), end, delta) for end in ends]
    return found[0], found[1]


def _passing(
    overlap: Callable[[float], float], within: tuple[float, float], beyond: tuple[float, float], delta: float
) -> float:
    """The place where a concave overlap passes -δ, between one `within` and one `beyond`, each with its overlap.

    The method is regula falsi (Illinois): the value at the end that stays is halved. While the overlap beyond is -inf,
    as the line misses a body, it is bisection.
    """
    (inside, more), (outside, less) = within, beyond
    more, less = more + delta, less + delta
    for _ in range(BISECTIONS):
        share = more / (more - less) if less > -inf else 0.5
        place = inside + share * (outside - inside)
        if place in (inside, outside):
            place = 0.5 * (inside + outside)
        if place in (inside, outside) or more == 0.0:
            break
        value = overlap(place) + delta
        if value >= 0.0:
            inside, more, less = place, value, 0.5 * less
            if value <= ON_LEVEL * delta:
                break
        else:
            outside, less, more = place, value, 0.5 * more
    return inside


def within_level(
    first: Flat, second: Flat, corners: list[Corner], delta: float, deepest: Callable[[], Vec2]
) -> list[Corner]:
    """The corners; those beyond the level are moved to the level, towards a point within; none if no point is within.

    The planes that clip the region of a round body lie above its rounded edges, so some corners may be beyond the
    level. The point within is the mean of the corners, weighted by overlap + δ where that is positive, and of the
    `deepest` place, weighted by its overlap + δ less the others' sum. So the point changes continuously with the
    corners, also where two of them are equally deep.
    """
    overlaps = [sum(corner.heights) + delta for corner in corners]
    if min(overlaps, default=0.0) >= -OVERSHOOT * delta:
        return corners
    weights = [max(it, 0.0) for it in overlaps]
    deep = deepest()
    weights.append(max(overlap_at(first, second, deep) + delta - sum(weights), 0.0))
    total = sum(weights)
    if total == 0.0:
        return []
    points = [corner.point for corner in corners] + [deep]
    ou = sum(weight * u for weight, (u, _) in zip(weights, points, strict=True)) / total
    ov = sum(weight * v for weight, (_, v) in zip(weights, points, strict=True)) / total
    inside = overlap_at(first, second, (ou, ov))
    out = []
    for corner, above in zip(corners, overlaps, strict=True):
        if above < -OVERSHOOT * delta:
            du, dv = corner.point[0] - ou, corner.point[1] - ov

            def overlap(share: float, du: float = du, dv: float = dv) -> float:
                return overlap_at(first, second, (ou + share * du, ov + share * dv))

            share = _passing(overlap, (0.0, inside), (1.0, above - delta), delta) if inside > -delta else 0.0
            found = located(first, second, [(ou + share * du, ov + share * dv)])[0]
            corner = replace(found, names=corner.names)
        out.append(corner)
    return out


def deepest_place(first: Flat, second: Flat) -> Vec2 | None:
    """The middle of all places where two polyhedra are deepest, to half the lateral tolerance.

    It is the middle of the intersection of the shadows of both `support`s. None if that is empty, and if either flat
    part is a point, or has fewer than two corners in its `support`.
    """
    if first.kind is FlatKind.POINT or second.kind is FlatKind.POINT:
        return None
    one, other = list(first.support), list(second.support)
    if len(one) < 2 or len(other) < 2:
        return None
    margin = 0.5 * first.seen.lateral
    sides = [line for p, q in zip(other, other[1:] + other[:1], strict=True) if (line := side_line(p, q, margin))]
    loop = polygon_loop(one)
    for line in (*sides, *corner_ends(tuple(other), sides, margin)):
        loop = clip(loop, line)
    return middle_of([piece.start for piece in loop]) if loop else None


def clipped_segment(segment: Flat, region: Flat) -> tuple[float, float]:
    """The part of a segment, low and high from 0 to 1, that lies over a region within half the lateral tolerance.

    Low is above high if there is none. Half the tolerance ensures that the part's ends count as lying on the sides.
    """
    (pu, pv), (qu, qv) = segment.corners
    low, high, margin = 0.0, 1.0, 0.5 * region.seen.lateral
    if region.ellipse is not None:
        size = min(hypot(*region.ellipse.p), hypot(*region.ellipse.q))
        x, y = region.ellipse.within((pu, pv))
        ex, ey = region.ellipse.within((qu, qv))
        dx, dy = ex - x, ey - y
        a, b = dx * dx + dy * dy, x * dx + y * dy
        wide = 1.0 + margin / size
        room = b * b - a * (x * x + y * y - wide * wide)
        if room < 0.0 or a == 0.0:
            return 1.0, 0.0
        return max(low, (-b - sqrt(room)) / a), min(high, (-b + sqrt(room)) / a)
    sides = [
        line
        for k in range(len(region.corners))
        if (line := side_line(region.corners[k], region.corners[(k + 1) % len(region.corners)], margin))
    ]
    for line in (*sides, *corner_ends(region.corners, sides, margin)):
        first = line[0] + line[1] * pu + line[2] * pv
        last = line[0] + line[1] * qu + line[2] * qv
        if first > 0.0 and last > 0.0:
            return 1.0, 0.0
        # A segment that crosses the side steeply ends on the side itself, since at a margin beyond it, over a steep
        # wall, the depth would be wrong by more. A segment nearly along the side ends at the margin, as the side is not
        # known more closely.
        steep = abs(first - last) >= 0.5 * hypot(qu - pu, qv - pv)
        place = (first + (margin if steep else 0.0)) / (first - last) if first != last else 0.0
        if first > 0.0:
            low = max(low, place)
        elif last > 0.0:
            high = min(high, place)
    return low, high


def common_line(first: Flat, second: Flat, alpha: float) -> tuple[Vec2, Vec2] | None:
    """The middle line of two segments parallel within α, along the stretch that they share; None if there is none."""
    (pu, pv), (qu, qv) = first.corners
    (ru, rv), (su, sv) = second.corners
    du, dv, eu, ev = qu - pu, qv - pv, su - ru, sv - rv
    one, other = hypot(du, dv), hypot(eu, ev)
    if abs(du * ev - dv * eu) > sin(alpha) * one * other:
        return None
    turn = 1.0 if du * eu + dv * ev >= 0.0 else -1.0
    mu, mv = du / one + turn * eu / other, dv / one + turn * ev / other
    size = hypot(mu, mv)
    mu, mv = mu / size, mv / size
    ends_first = sorted((u * mu + v * mv, (u, v)) for u, v in first.corners)
    ends_second = sorted((u * mu + v * mv, (u, v)) for u, v in second.corners)
    low, high = max(ends_first[0][0], ends_second[0][0]), min(ends_first[1][0], ends_second[1][0])
    if low > high:
        return None
    middle = 0.5 * (low + high)
    across = 0.5 * sum(_off_at(ends, middle, (-mv, mu)) for ends in (ends_first, ends_second))
    return tuple((place * mu - across * mv, place * mv + across * mu) for place in (low, high))  # type: ignore[return-value]


def _off_at(ends: list[tuple[float, Vec2]], place: float, left: Vec2) -> float:
    """The offset of a segment to the `left`, a unit vector, at a `place` along the perpendicular direction.

    `ends`: each end's place along that direction, and its point.
    """
    (first, (pu, pv)), (last, (qu, qv)) = ends
    share = (place - first) / (last - first) if last > first else 0.5
    u, v = pu + share * (qu - pu), pv + share * (qv - pv)
    return u * left[0] + v * left[1]
