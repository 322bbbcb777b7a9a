"""The flat part of a body in the plane: a part of its outline, seen as an interval across the normal.

The frame's u lies in the plane and v is perpendicular to it, so the interval is a segment in space and the manifold
uses the same code. Heights come from the outline's edges that face the other body, and with a border radius also from
the round corners.
"""

from __future__ import annotations

from math import inf, sqrt

import numpy as np

from ..geometry.elementary import asin, hypot, sin
from ..geometry.vec2 import Vec2, without_z
from ..geometry.vector import Array
from ..pair.cores import PlaneCore
from .flat import Flat, FlatFeature, FlatKind
from .frame import FacingBody


class PlaneFlat(Flat, frozen=True, eq=False, dict=True):
    """The flat part of a body in the plane.

    `core`: the body's, relative to A's position; never None. `ring` (k, 2): its corners as (u, height), in the core's
    order. `tops`: the numbers of the edges that face
    the other body.
    """

    core: PlaneCore | None = None
    ring: tuple[Vec2, ...] = ()
    tops: tuple[int, ...] = ()

    @property
    def is_face(self) -> bool:
        """Whether this part is an edge that lies flat."""
        return self.kind is FlatKind.SEGMENT

    @property
    def is_curve(self) -> bool:
        """Whether this part is a circle."""
        return self.angle is None

    def features(self, points: list[Vec2]) -> list[FlatFeature]:
        """The smallest feature at each point, by its u alone: a corner or an edge."""
        return [self._feature(u) for u, _ in points]

    def _feature(self, u: float) -> FlatFeature:
        assert self.core is not None
        reached = {k for edge in self.tops for k in (edge, (edge + 1) % len(self.ring))}
        lateral = self.seen.lateral
        if over := [k for k in reached if abs(self.ring[k][0] - u) <= lateral]:
            # An upright wall may face the other body by rounding: its lower end is as near to u, but does not count.
            top = max(self.ring[k][1] for k in over)
            upper = (k for k in over if self.ring[k][1] >= top - lateral)
            near = min(upper, key=lambda k: (abs(self.ring[k][0] - u), k))
            return FlatFeature("corner", near, f"v{self.core.numbers[near]}")
        edge = min(self.tops, key=lambda k: (self._beside(k, u), k))
        return FlatFeature("inside", edge, f"edge{edge}")

    def _beside(self, edge: int, u: float) -> float:
        """The distance of u from the interval of an edge, 0 inside."""
        ends = (self.ring[edge][0], self.ring[(edge + 1) % len(self.ring)][0])
        return max(min(ends) - u, u - max(ends), 0.0)

    def heights_at(self, points: list[Vec2], features: list[FlatFeature]) -> list[float]:
        """The body's height along d over each point; `features`: those at the points."""
        found = []
        for w, feature in zip(points, features, strict=True):
            exact = feature.kind == "corner" and not self.rounded
            found.append(min(self.ring[feature.number][1] if exact else self.surface_height(w), self.seen.reach))
        return found

    def surface_height(self, w: Vec2) -> float:
        """The largest height over w of the edges, moved out by the radius, and of the circles about the corners.

        -inf if none is over w. Without a radius, a point beside an edge within the lateral tolerance counts as over the
        edge's end.
        """
        assert self.core is not None
        u, r, found = w[0], self.core.radius, -inf
        for k in self.tops:
            (pu, ph), (qu, qh) = self.ring[k], self.ring[(k + 1) % len(self.ring)]
            du, dh = qu - pu, qh - ph
            size = hypot(du, dh)
            # Moved out by r along the outward normal, whose height is |du| / size.
            shift, rise = r * dh / size * (-1.0 if du > 0.0 else 1.0), r * abs(du) / size
            share = (u - pu - shift) / du
            slack = self.seen.lateral / abs(du) if r == 0.0 else 0.0
            if -slack <= share <= 1.0 + slack:
                found = max(found, ph + rise + min(max(share, 0.0), 1.0) * dh)
        for pu, ph in self.ring if r > 0.0 else ():
            if abs(u - pu) <= r:
                found = max(found, ph + sqrt((r - (u - pu)) * (r + (u - pu))))
        return found

    def feature_of(self, point: Array) -> str:
        """The name of the smallest feature at a point (3,) of the outline, relative to A's position."""
        assert self.core is not None
        if not self.core.normals:
            return "centre"
        u, _, h = self.seen.frame.coordinates(point - self.core.radius * self.seen.d)
        at = (u, self.seen.sign * h)
        near = min(range(len(self.ring)), key=lambda k: (hypot(self.ring[k][0] - u, self.ring[k][1] - at[1]), k))
        if hypot(self.ring[near][0] - u, self.ring[near][1] - at[1]) <= self.seen.lateral:
            return f"v{self.core.numbers[near]}"
        edges = range(len(self.ring))
        return f"edge{min(edges, key=lambda k: (_off_segment(at, self.ring[k], self.ring[(k + 1) % len(edges)]), k))}"


def _off_segment(at: Vec2, p: Vec2, q: Vec2) -> float:
    """The distance of a point from the segment from p to q."""
    du, dv = q[0] - p[0], q[1] - p[1]
    size = hypot(du, dv)
    share = min(max(((at[0] - p[0]) * (du / size) + (at[1] - p[1]) * (dv / size)) / size, 0.0), 1.0)
    return hypot(at[0] - p[0] - share * du, at[1] - p[1] - share * dv)


def plane_flat(seen: FacingBody) -> PlaneFlat:
    """The flat part of a body in the plane, from the lowest to the highest u of its corners.

    Its corners are the highest corners, the corners that edges within α join to these, and the ends of edges whose
    normals are within α of d.
    """
    frame, sign = seen.frame, seen.sign
    core = PlaneCore.placed(seen.body, without_z(seen.position))
    rows = [frame.coordinates(np.array((x, y, 0.0))) for x, y in core.ring]
    ring = tuple((u, sign * h) for u, _, h in rows)
    count, top = len(ring), max(h for _, h in ring)
    # `rise`: the component along d of edge k's outward normal, positive if the edge faces the other body. `slopes`: the
    # distance of that unit normal from d.
    d = (sign * frame.n[0], sign * frame.n[1])
    rise = [nx * d[0] + ny * d[1] for nx, ny in core.normals]
    slopes = [hypot(nx - d[0], ny - d[1]) for nx, ny in core.normals]
    reached = {k for k in range(count) if ring[k][1] >= top - seen.height_tie}
    sine, chord = sin(seen.alpha), 2.0 * sin(0.5 * seen.alpha)
    level = [
        abs(ring[k][1] - ring[(k + 1) % count][1])
        <= sine * hypot(*(ring[k][i] - ring[(k + 1) % count][i] for i in (0, 1))) + seen.height_tie
        for k in range(len(core.normals))
    ]
    grown = True
    while grown:
        more = {end for k in range(len(level)) if level[k] for end in _ends(k, count) if set(_ends(k, count)) & reached}
        grown = not more <= reached
        reached |= more
    for k, slope in enumerate(slopes):
        if slope <= chord:
            reached |= set(_ends(k, count))
    low = min(reached, key=lambda k: (ring[k][0], k))
    high = max(reached, key=lambda k: (ring[k][0], -k))
    angle = 2.0 * asin(min(0.5 * min(slopes), 1.0)) if slopes else None
    flat = bool(slopes) and ring[high][0] - ring[low][0] > seen.lateral
    flattest = min(range(len(slopes)), key=slopes.__getitem__) if slopes else 0
    one = f"v{core.numbers[low]}" if slopes else "centre"
    return PlaneFlat(
        FlatKind.SEGMENT if flat else FlatKind.POINT,
        seen,
        f"edge{flattest}" if flat else one,
        angle,
        corners=((ring[low][0], 0.0), (ring[high][0], 0.0)) if flat else (),
        heights=(ring[low][1] + core.radius, ring[high][1] + core.radius) if flat else (),
        names=(f"v{core.numbers[low]}", f"v{core.numbers[high]}") if flat else (),
        sides=(f"edge{flattest}",) * 2 if flat else (),
        real=(True, True) if flat else (),
        rounded=core.radius > 0.0,
        core=core,
        ring=ring,
        tops=tuple(k for k, it in enumerate(rise) if it > 0.0 and ring[k][0] != ring[(k + 1) % count][0]),
    )


def _ends(edge: int, count: int) -> tuple[int, int]:
    """The indices of an edge's two ends in a ring of `count` corners."""
    return edge, (edge + 1) % count
