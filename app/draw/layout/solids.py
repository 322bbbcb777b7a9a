"""Outlines of solids, triangles of balls, and the parts of lines that solids hide.

A ball's outline is exactly its tangent circle. Its triangles are made for each view, in rings about the line of sight.
One ring is the outline; a mesh made without a camera would leave slivers beside it. A sum of ellipsoids has such rings
too: of support points, the outline's along the normals of the tangent planes through the eye. The outline of any other
convex solid is the hull of its corners on the screen, so that fill and outline end at the same corners.

A solid's shadow is the set of points p whose line of sight to the eye meets the solid. The shadow of a convex solid is
convex, so it hides one stretch of a straight line. The stretch is computed exactly:

- A polyhedron has faces π (homogeneous planes, π·p <= 0 inside). The eye is E = (eye, 1), or (direction to the
  viewer, 0) in parallel projection. Face f is a front face if π_f·E > 0. The shadow is behind every front face and
  inside every plane (π_f·E) π_b - (π_b·E) π_f, which goes through E and the edge between a front face f and another
  face b. Pairs of faces without a common edge also give valid planes (eliminate the position along the line of sight
  from the two inequalities), so the solid's edges only save time.
- A ball is the quadric |p - c|² - r². Behind its polar plane the shadow is the tangent cone, before it the ball.
- A smooth mesh has the planes of its front triangles and the tangent planes along its outline.

Every shadow is made smaller by a tiny inset, so that a solid never half hides a line on its surface.

A line runs from `a` (t = 0) to `b` (t = 1); rows are lines. A stretch is a pair t0 < t1; one with t0 >= t1 is empty.
Clipping after Cyrus and Beck (1978): a convex region meets a line in one stretch.
"""

from __future__ import annotations

from math import cos, sin, tau

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from core.geometry.vector import Array, any_perpendicular, cross, cross_rows, dot, dots, length, length_rows, product

from ..camera import NEAR_PLANE, Projection
from ..draw_list import IntArray, Solid
from ..ellipsoid_sum import EllipsoidSum

_ROUND: Array = np.array([(cos(turn), sin(turn)) for turn in (tau * k / 160 for k in range(160))])
"""Directions (160, 2) on the screen, counter-clockwise, whose farthest corners make the outline. A corner between two
of them is missed by less than 2e-4 of the solid's size."""
_FEW = 10
"""The search begins with each tenth direction of _ROUND."""
POSITION_ROUNDING = 1e-9
"""Share of the points' extent to which positions along a direction are rounded, so that nearly equal ones are equal."""


Ball = tuple[float, float, float, float]
"""Centre and radius, world."""


class Contour(Struct, frozen=True, eq=False):
    """A closed outline in the view frame.

    `start`, `end` (n, 3): its lines. `points` (k, 3) of it, each with the unit normal `normals` (k, 3) of a plane
    through the eye that touches the solid, which lies behind it. `of_mesh`: its corners are those of the solid's mesh.
    """

    start: Array
    end: Array
    points: Array
    normals: Array
    of_mesh: bool = False


_NO_CONTOUR = Contour(*np.zeros((4, 0, 3)))


def contour_of(solid: Solid, corners: Array, projection: Projection) -> Contour | None:
    """The outline of a solid with `corners` (m, 3, 3) in the view frame; None if the solid is not smooth.

    It is empty if the eye is inside a ball, or if a mesh has no corners or reaches through the near plane.
    """
    if not solid.smooth:
        return None
    if solid.ball is not None:
        return _ball_contour(solid.ball, projection)
    if solid.ellipsoids is not None and (found := _sum_contour(solid.ellipsoids.seen(projection), projection)):
        return found
    return _mesh_contour(corners, projection)


def seen_ball(ball: Ball, projection: Projection) -> tuple[Array, float, Array]:
    """View frame: the ball's centre (3,) and radius, and the vector (3,) from the centre to the eye.

    In parallel projection the vector is the direction to the viewer, (0, 0, 1).
    """
    centre = projection.to_view(np.array(ball[:3]))
    radius = ball[3] / projection.camera.distance
    eye = np.array((0.0, 0.0, 1.0)) - projection.perspective * centre
    return centre, radius, eye


def _ball_contour(ball: Ball, projection: Projection) -> Contour:
    centre, radius, eye = seen_ball(ball, projection)
    distance = length(eye)
    if projection.perspective and distance <= radius:
        return _NO_CONTOUR
    towards = eye / distance
    sine = radius / distance if projection.perspective else 0.0
    pixels = radius * projection.focal / max(float(1.0 - projection.perspective * centre[2]), 0.1)
    # Enough corners for the polygon to be within a fifth of a pixel of the circle.
    count = 8 * int(min(max(np.sqrt(max(pixels, 1.0)) * 0.65, 3.0), 32.0))
    angles = np.arange(count) * (2.0 * np.pi / count)
    side = any_perpendicular(towards)
    ring = np.cos(angles)[:, None] * side + np.sin(angles)[:, None] * cross(towards, side)
    normals = sine * towards + np.sqrt(1.0 - sine * sine) * ring
    points = centre + radius * normals
    return Contour(points, np.roll(points, -1, axis=0), points, normals)


def _mesh_contour(corners: Array, projection: Projection) -> Contour:
    points = corners.reshape(-1, 3)
    away = 1.0 - projection.perspective * points[:, 2]
    if len(points) == 0 or away.min() < NEAR_PLANE:
        return _NO_CONTOUR
    screen = points[:, :2] / away[:, None]
    rows = _farthest(screen)
    ends = np.roll(rows, -1)
    # A corner can be farthest in several directions, and is a corner of several triangles.
    kept = np.abs(screen[rows] - screen[ends]).max(axis=1) > 0.0
    start, end = rows[kept], ends[kept]
    way = screen[end] - screen[start]
    normals = np.column_stack((way[:, 1], -way[:, 0], np.zeros(len(way))))
    # The plane through the eye and the line.
    normals[:, 2] = projection.perspective * dots(normals[:, :2], screen[start])
    normals /= length_rows(normals)[:, None]
    return Contour(points[start], points[end], points[start], normals, of_mesh=True)


def _farthest(screen: Array) -> IntArray:
    """The row of the point (n, 2) that is farthest along each direction of _ROUND, (160,)."""
    # Points inside the polygon of a few extreme points are farthest in no direction; usually less than a tenth remain.
    corners = screen[_farthest_along(_ROUND[::_FEW], screen)]
    way = np.roll(corners, -1, axis=0) - corners
    outward = np.column_stack((way[:, 1], -way[:, 0]))
    reach = dots(outward, corners)
    # A row for each side of the polygon: with a column for each, the maximum is 20 times slower.
    beyond = (product(outward, screen.T) - reach[:, None]).max(axis=0)
    left = np.flatnonzero(beyond >= -10.0 * POSITION_ROUNDING * np.abs(outward).max() * np.ptp(corners, axis=0).max())
    rows: IntArray = left[_farthest_along(_ROUND, screen[left])]
    return rows


def _farthest_along(directions: Array, screen: Array) -> IntArray:
    """Rows (k,) of the points (n, 2) farthest along directions (k, 2); of equal ones (POSITION_ROUNDING) the first."""
    heights = product(directions, (screen - screen[0]).T)
    found: IntArray = np.rint(heights / (POSITION_ROUNDING * max(float(np.abs(heights).max()), 1e-300))).argmax(axis=1)
    return found


FRONT_RINGS = 5
BACK_RINGS = 3
"""Rings of triangles of a ball, before its outline and behind it."""


def ball_triangles(ball: Ball, contour: Contour, projection: Projection) -> tuple[Array, Array]:
    """Corners (m, 3, 3) and unit normals (m, 3, 3), view frame, of a ball with the outline `contour` (not empty)."""
    centre, radius, eye = seen_ball(ball, projection)
    towards = eye / length(eye)
    sine = radius / length(eye) if projection.perspective else 0.0
    rim_angle = np.arccos(sine)
    ring = (contour.normals - sine * towards) / np.sqrt(1.0 - sine * sine)
    angles = np.concatenate(
        (np.linspace(0.0, rim_angle, FRONT_RINGS + 1), np.linspace(rim_angle, np.pi, BACK_RINGS + 1)[1:])
    )
    normals = _between_rings(np.cos(angles)[:, None, None] * towards + np.sin(angles)[:, None, None] * ring)
    return centre + radius * normals, normals


def _between_rings(rings: Array) -> Array:
    """Triangles (m, 3, 3) between rings (k, n, 3) of points or normals, of which the first and the last are poles."""
    near, far = rings[:-1], rings[1:]
    near_next, far_next = np.roll(near, -1, axis=1), np.roll(far, -1, axis=1)
    # One triangle of each quad at the two poles has no area.
    lower = np.stack((near, far, far_next), axis=2).reshape(-1, 3, 3)[: -rings.shape[1]]
    upper = np.stack((near, far_next, near_next), axis=2).reshape(-1, 3, 3)[rings.shape[1] :]
    return np.concatenate((lower, upper))


SUM_RINGS = 6, 3
"""Rings of triangles of a sum of ellipsoids, before its outline and behind it."""
LEAST_CORNERS, MOST_CORNERS = 32, 512
"""Fewest and most corners of the outline of a sum of ellipsoids."""
OUTLINE_ERROR = 0.18
"""Largest distance of the outline's sides from the true one, pixels, unless that takes more than MOST_CORNERS."""
NEWTON_STEPS = 8
RIM_ERROR = 1e-9
"""Largest distance of the eye from the tangent planes of an outline, as a share of its distance from the centre."""


def _sum_contour(body: EllipsoidSum, projection: Projection) -> Contour | None:
    """The outline of a sum of ellipsoids in the view frame; None if the eye is in it or so near that none is found."""
    eye = np.array((0.0, 0.0, 1.0)) - projection.perspective * body.centre
    distance = length(eye)
    towards, away = eye / distance, max(float(1.0 - projection.perspective * body.centre[2]), 0.1)
    flattest_radius = body.flattest_radius * projection.focal / away
    corners = 8 * round(tau * np.sqrt(flattest_radius / OUTLINE_ERROR / 8.0) / 8.0)
    angles = np.arange(min(max(corners, LEAST_CORNERS), MOST_CORNERS))
    angles = angles * (tau / len(angles))
    side = any_perpendicular(towards)
    normals = ring = np.cos(angles)[:, None] * side + np.sin(angles)[:, None] * cross(towards, side)
    reach, points = body.reached(normals)
    if projection.perspective:
        # The angle from `towards` to the normal of the plane that touches the body and has the eye on it.
        turn = np.arccos(np.clip(reach / distance, 0.0, 0.99))
        for _ in range(NEWTON_STEPS):
            sine, cosine = np.sin(turn)[:, None], np.cos(turn)[:, None]
            normals = cosine * towards + sine * ring
            reach, points = body.reached(normals)
            height = dots(normals, eye) - reach
            slope = dots(cosine * ring - sine * towards, eye - points)
            turn = np.clip(turn - height / np.where(slope < 0.0, slope, -1.0), 0.0, 0.5 * np.pi)
        if np.abs(height).max() > RIM_ERROR * distance or float(body.reached(towards)[0]) >= distance:
            return None
    points = body.centre + points
    if (1.0 - projection.perspective * points[:, 2]).min() < NEAR_PLANE:
        return None
    return Contour(points, np.roll(points, -1, axis=0), points, normals)


def sum_triangles(body: EllipsoidSum, contour: Contour, projection: Projection) -> tuple[Array, Array]:
    """Corners (m, 3, 3) and unit normals (m, 3, 3), view frame, of a sum of ellipsoids with the outline `contour`."""
    seen = body.seen(projection)
    eye = np.array((0.0, 0.0, 1.0)) - projection.perspective * seen.centre
    towards = eye / length(eye)
    cosine = dots(contour.normals, towards)
    ring = contour.normals - cosine[:, None] * towards
    ring /= length_rows(ring)[:, None]
    rim, (front, back) = np.arccos(np.clip(cosine, -1.0, 1.0)), SUM_RINGS
    ahead, behind = np.linspace(0.0, 1.0, front + 1)[:, None], np.linspace(0.0, 1.0, back + 1)[1:, None]
    turn = np.concatenate((ahead * rim, rim + behind * (np.pi - rim)))[..., None]
    normals = np.cos(turn) * towards + np.sin(turn) * ring
    _, points = seen.reached(normals)
    return _between_rings(seen.centre + points), _between_rings(normals)


BoolArray = NDArray[np.bool_]
MANY_PLANES = 40
"""With more planes than this, lines that no plane cuts are found first, without quotients.

With more than twice as many, lines are first tested against about this many of the planes.
"""
SHORTEST_SHARE = 1e-9
"""Parts shorter than this share of their line come from rounding and are left out."""


class Pieces(Struct, frozen=True, eq=False):
    """Parts of lines: `line` (m,): row of each part's line; `t0`, `t1` (m,): its stretch; `covered` (m,): hidden."""

    line: IntArray
    t0: Array
    t1: Array
    covered: BoolArray

    def at(self, rows: IntArray | BoolArray) -> Pieces:
        """The parts with these rows, or the rows where a mask is True, in the order given."""
        return Pieces(self.line[rows], self.t0[rows], self.t1[rows], self.covered[rows])


def inside_planes(a: Array, b: Array, planes: Array) -> tuple[Array, Array]:
    """The stretches t0, t1 (n,) of lines a..b (n, 3) that are behind all planes.

    `planes` (k, 4): rows (normal, d); a point p is behind a plane if normal·p + d <= 0.
    """
    if len(planes) <= MANY_PLANES:
        return clip(_heights(a, planes), _heights(b, planes))
    if len(planes) > 2 * MANY_PLANES:
        # Most lines that lie wholly before some plane lie before one of a few; only the others are tested with all.
        some = planes[:: len(planes) // MANY_PLANES]
        left = np.nonzero(np.minimum(_heights(a, some), _heights(b, some)).max(axis=0) <= 0.0)[0]
    else:
        left = np.arange(len(a))
    at_a, at_b = _heights_of_many(a[left], planes), _heights_of_many(b[left], planes)
    # Most of the others are wholly behind all planes, or wholly before one; only lines that are cut need quotients.
    whole = (at_a.max(axis=1) <= 0.0) & (at_b.max(axis=1) <= 0.0)
    rest = np.nonzero(~whole)[0]
    cut = rest[np.minimum(at_a[rest], at_b[rest]).max(axis=1) <= 0.0]
    t0, t1 = np.ones(len(a)), np.zeros(len(a))
    t0[left[whole]], t1[left[whole]] = 0.0, 1.0
    t0[left[cut]], t1[left[cut]] = clip(at_a[cut].T, at_b[cut].T)
    return t0, t1


def _heights(points: Array, planes: Array) -> Array:
    """Signed heights (k, n) of points (n, 3) over planes (k, 4)."""
    return product(planes[:, :3], points.T) + planes[:, 3:]


def _heights_of_many(points: Array, planes: Array) -> Array:
    """The heights, transposed to (n, k): the maximum of thousands along rows is five times as fast."""
    if len(points) == 1:
        return _heights(points, planes).T
    return product(points, planes[:, :3].T) + planes[:, 3]


def clip(at_a: Array, at_b: Array) -> tuple[Array, Array]:
    """The stretches t0, t1 (n,) behind k planes, from the heights (k, n) of the lines' ends over them."""
    fall = at_a - at_b
    level = fall == 0.0
    t = at_a / np.where(level, 1.0, fall)
    # A line parallel to a plane is wholly behind it or wholly before it.
    t0 = np.where(fall > 0.0, t, np.where(level & (at_a > 0.0), 2.0, 0.0)).max(axis=0, initial=0.0)
    t1 = np.where(fall < 0.0, t, 1.0).min(axis=0, initial=1.0)
    return t0, t1


def inside_cone(constant: Array, linear: Array, square: Array, t0: Array, t1: Array) -> tuple[Array, Array]:
    """The part of the stretches t0..t1 where `square t² + 2 linear t + constant <= 0`, all (n,).

    The quadric's part along each stretch must be convex, for example one half of a cone. Then at most one of the two
    rays outside the roots meets the stretch.
    """
    # Seen from very near, the coefficients are so large that their squares would overflow.
    largest = np.maximum(np.maximum(np.abs(constant), np.abs(linear)), np.abs(square))
    shrink = 1.0 / np.where(largest == 0.0, 1.0, largest)
    constant, linear, square = constant * shrink, linear * shrink, square * shrink
    root = np.sqrt(np.maximum(linear * linear - square * constant, 0.0))
    # Citardauq formula: avoids the difference of nearly equal numbers.
    q = -(linear + np.where(linear < 0.0, -root, root))
    safe_square = np.where(square == 0.0, 1.0, square)
    first = np.where(square == 0.0, np.where(q < 0.0, np.inf, -np.inf), q / safe_square)
    second = np.where(q == 0.0, first, constant / np.where(q == 0.0, 1.0, q))
    low, high = np.minimum(first, second), np.maximum(first, second)
    crosses = linear * linear - square * constant > 0.0
    between_low, between_high = np.maximum(t0, low), np.minimum(t1, high)
    # If the parabola opens downwards, the rays before `low` and after `high` are inside.
    before = np.minimum(t1, low)
    after = np.maximum(t0, high)
    ray_low = np.where(before > t0, t0, after)
    ray_high = np.where(before > t0, before, t1)
    opens_up = square > 0.0
    out0 = np.where(crosses, np.where(opens_up, between_low, ray_low), t0)
    out1 = np.where(crosses, np.where(opens_up, between_high, ray_high), t1)
    nowhere = ~crosses & (np.where(opens_up, 1.0, constant) > 0.0)
    return np.where(nowhere, 1.0, out0), np.where(nowhere, 0.0, out1)


def hull_of_spans(t0: Array, t1: Array, u0: Array, u1: Array) -> tuple[Array, Array]:
    """The smallest stretch that contains t0..t1 and u0..u1; an empty one is ignored; all (n,)."""
    no_t, no_u = t0 >= t1, u0 >= u1
    low = np.where(no_t, u0, np.where(no_u, t0, np.minimum(t0, u0)))
    high = np.where(no_t, u1, np.where(no_u, t1, np.maximum(t1, u1)))
    return low, high


def split(t0: Array, t1: Array) -> Pieces:
    """Cuts n lines by k stretches t0..t1 (n, k) each: returns the parts covered by any stretch, then the free parts."""
    count, k = t0.shape
    empty = t0 >= t1
    starts, ends = np.where(empty, 0.0, t0), np.where(empty, 0.0, t1)
    if k > 1:
        order = np.argsort(starts, axis=1)
        starts, ends = np.take_along_axis(starts, order, axis=1), np.take_along_axis(ends, order, axis=1)
        ends = np.maximum.accumulate(ends, axis=1)
    free0, free1 = np.zeros((count, k + 1)), np.ones((count, k + 1))
    free0[:, 1:], free1[:, :-1] = ends, starts
    # A covered run begins at a stretch after a gap, or at the first stretch, and ends at the next gap.
    begins = np.ones((count, k), dtype=bool)
    begins[:, 1:] = starts[:, 1:] > ends[:, :-1]
    last = np.ones((count, k), dtype=bool)
    last[:, :-1] = begins[:, 1:]
    run_ends = np.minimum.accumulate(np.where(last, ends, np.inf)[:, ::-1], axis=1)[:, ::-1]
    runs = begins & (run_ends - starts > SHORTEST_SHARE)
    gaps = free1 - free0 > SHORTEST_SHARE
    covered_line, covered_at = np.nonzero(runs)
    free_line, free_at = np.nonzero(gaps)
    return Pieces(
        np.concatenate((covered_line, free_line)),
        np.concatenate((starts[covered_line, covered_at], free0[free_line, free_at])),
        np.concatenate((run_ends[covered_line, covered_at], free1[free_line, free_at])),
        np.arange(len(covered_line) + len(free_line)) < len(covered_line),
    )


INSET = 1e-6
"""Share of a solid's size by which its shadow is shrunk."""


class PlaneShadow(Struct, frozen=True, eq=False):
    """A shadow bounded by `planes` (k, 4), view frame: rows (normal, d), normal·p + d <= 0 inside."""

    planes: Array

    def spans(self, a: Array, b: Array) -> tuple[Array, Array]:
        """The hidden stretch t0, t1 (n,) of each line a..b (n, 3); empty where t0 >= t1."""
        return inside_planes(a, b, self.planes)

    def covers(self, points: Array) -> BoolArray:
        """Whether points (n, 3) are hidden, (n,) bool."""
        heights = product(points, self.planes[:, :3].T) + self.planes[:, 3]
        hidden: BoolArray = heights.max(axis=1) <= 0.0
        return hidden


class BallShadow(Struct, frozen=True, eq=False):
    """The shadow of a ball: the ball and its tangent cone, view frame.

    `centre` (3,); `radius`: made smaller by the inset; `eye` (3,): as from `seen_ball`; `perspective`: the eye's
    homogeneous coordinate, 1.0, or 0.0 in parallel projection.
    """

    centre: Array
    radius: float
    eye: Array
    perspective: float

    def spans(self, a: Array, b: Array) -> tuple[Array, Array]:
        """The hidden stretch t0, t1 (n,) of each line a..b (n, 3); empty where t0 >= t1."""
        start, way = a - self.centre, b - a
        square = dots(way, way)
        linear = dots(start, way)
        constant = dots(start, start) - self.radius**2
        whole0, whole1 = np.zeros(len(a)), np.ones(len(a))
        ball = inside_cone(constant, linear, square, whole0, whole1)
        # Behind the polar plane the product of eye and point in the quadric's bilinear form is <= 0; it is linear in t.
        polar, polar_way = dots(start, self.eye) - self.perspective * self.radius**2, dots(way, self.eye)
        polar_plane = np.array((*self.eye, -self.perspective * self.radius**2))[None]
        behind = inside_planes(start, start + way, polar_plane)
        power = dot(self.eye, self.eye) - self.perspective * self.radius**2
        cone = inside_cone(
            power * constant - polar * polar,
            power * linear - polar * polar_way,
            power * square - polar_way * polar_way,
            *behind,
        )
        return hull_of_spans(*ball, *cone)

    def turned_away(self, a: Array, b: Array) -> tuple[Array, Array]:
        """The stretch t0, t1 (n,) of each line a..b (n, 3) on the ball's surface that is turned away from the viewer.

        It ends at the outline: it is behind the polar plane, by so much that the outline itself is not.
        """
        plane = np.array((*self.eye, INSET * self.radius - self.perspective * self.radius**2))[None]
        return inside_planes(a - self.centre, b - self.centre, plane)

    def covers(self, points: Array) -> BoolArray:
        """Whether points (n, 3) are hidden, (n,) bool."""
        start = points - self.centre
        power_of_point = dots(start, start) - self.radius**2
        polar = dots(start, self.eye) - self.perspective * self.radius**2
        power = dot(self.eye, self.eye) - self.perspective * self.radius**2
        hidden: BoolArray = (power_of_point <= 0.0) | ((polar <= 0.0) & (polar * polar >= power * power_of_point))
        return hidden


Shadow = PlaneShadow | BallShadow


def shadow_of(solid: Solid, corners: Array, contour: Contour | None, projection: Projection) -> Shadow | None:
    """The shadow of a solid whose triangles are `corners` (m, 3, 3) in the view frame.

    None if the solid is glass, if the eye is inside it, or if it has neither a ball nor triangles.
    """
    if solid.glass:
        return None
    if solid.ball is not None:
        return _ball_shadow(solid.ball, projection)
    if len(corners) == 0:
        return None
    planes = _view_planes(solid.planes, projection) if solid.planes is not None else _triangle_planes(corners)
    heights = planes[:, 2] + projection.perspective * planes[:, 3]
    # The eye's heights over the planes; a front face has the eye above its plane, by more than rounding.
    front = heights > 1e-12
    if not front.any():
        return None
    if contour is None:
        sides = _silhouette_planes(solid, planes, heights, front)
    else:
        sides = np.column_stack((contour.normals, -dots(contour.normals, contour.points)))
    shadow = np.concatenate((planes[front], sides))
    size = float(np.ptp(corners[:, 0, 0]) + np.ptp(corners[:, 0, 1]) + np.ptp(corners[:, 0, 2]))
    shadow[:, 3] += INSET * size + _rounding(projection)
    return PlaneShadow(shadow)


def _ball_shadow(ball: Ball, projection: Projection) -> BallShadow | None:
    centre, radius, eye = seen_ball(ball, projection)
    if projection.perspective and dot(eye, eye) <= radius * radius * (1.0 + INSET):
        return None
    return BallShadow(centre, radius * (1.0 - INSET) - _rounding(projection), eye, projection.perspective)


def _rounding(projection: Projection) -> float:
    # Rounding error of coordinates far from the world's origin, in view-frame units.
    return 4e-16 * float(np.abs(projection.target).max()) / projection.camera.distance


def _view_planes(planes: Array, projection: Projection) -> Array:
    normals = planes[:, :3]
    out = np.zeros((len(planes), 4))
    out[:, :3] = product(normals, projection.basis.T)
    out[:, 3] = (dots(normals, projection.target) - planes[:, 3]) / projection.camera.distance
    return out


def _triangle_planes(corners: Array) -> Array:
    normals = cross_rows(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = length_rows(normals)
    kept = lengths > 1e-12 * max(float(lengths.max()), 1e-300)
    normals = normals[kept] / lengths[kept, None]
    return np.column_stack((normals, -dots(normals, corners[kept, 0])))


def _silhouette_planes(solid: Solid, planes: Array, heights: Array, front: BoolArray) -> Array:
    if solid.plane_pairs is None:
        fronts, backs = np.nonzero(front)[0], np.nonzero(~front)[0]
        f, b = np.repeat(fronts, len(backs)), np.tile(backs, len(fronts))
    else:
        first, second = solid.plane_pairs[:, 0], solid.plane_pairs[:, 1]
        rim = front[first] != front[second]
        first, second = first[rim], second[rim]
        turned = front[second]
        f, b = np.where(turned, second, first), np.where(turned, first, second)
    sides = heights[f, None] * planes[b] - heights[b, None] * planes[f]
    lengths = length_rows(sides[:, :3])
    kept = lengths > 0.0
    return sides[kept] / lengths[kept, None]
