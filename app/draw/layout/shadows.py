"""What a convex solid hides: its shadow, the points p whose line of sight to the eye meets the solid.

The shadow of a convex solid is convex, so it hides one stretch of a straight line, found exactly:

- A polyhedron with faces π (homogeneous planes, π·p <= 0 inside) seen from E = (eye, 1), or (direction to the
  viewer, 0) when orthographic. Face f is a front face when π_f·E > 0. The shadow is behind every front face and inside
  every plane (π_f·E) π_b - (π_b·E) π_f through E and the edge between a front face f and another face b. Pairs of
  faces without a common edge give valid planes too (eliminate the position along the line of sight from the pair of
  inequalities), so topology only saves time.
- A ball is the quadric |p - c|² - r²; behind its polar plane the shadow is the tangent cone, before it the ball.
- A smooth mesh takes the planes of its front triangles, and the tangent planes along its outline.

Everything is shrunk by a tiny inset, so that a line on the surface of a solid is never half hidden by it.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from core.geometry.vector import Array, cross_rows, length_rows

from ..camera import Projection
from ..draw_list import Solid
from .contours import Contour
from .spans import BoolArray, hull_of_spans, inside_cone, inside_planes

INSET = 1e-6
"""Share of a solid's size by which its shadow is drawn in."""


class PlaneShadow(Struct, frozen=True, eq=False):
    """Intersection of half-spaces: `planes` (k, 4) rows (n, d) with n·p + d <= 0 inside, view frame."""

    planes: Array

    def spans(self, a: Array, b: Array) -> tuple[Array, Array]:
        """The hidden stretch t0, t1 (n,) of each line a..b (n, 3); empty where t0 >= t1."""
        return inside_planes(a, b, self.planes)

    def covers(self, points: Array) -> BoolArray:
        """Whether points (n, 3) are hidden, (n,) bool."""
        heights = points @ self.planes[:, :3].T + self.planes[:, 3]
        hidden: BoolArray = heights.max(axis=1) <= 0.0
        return hidden


class BallShadow(Struct, frozen=True, eq=False):
    """Ball and tangent cone: `centre` (3,), `radius` (inset), view frame; `eye` (3,) from the centre, or direction.

    `perspective` is the eye's homogeneous coordinate, 1.0 or 0.0.
    """

    centre: Array
    radius: float
    eye: Array
    perspective: float

    def spans(self, a: Array, b: Array) -> tuple[Array, Array]:
        """The hidden stretch t0, t1 (n,) of each line a..b (n, 3); empty where t0 >= t1."""
        start, way = a - self.centre, b - a
        square = np.einsum("ij,ij->i", way, way)
        linear = np.einsum("ij,ij->i", start, way)
        constant = np.einsum("ij,ij->i", start, start) - self.radius**2
        whole0, whole1 = np.zeros(len(a)), np.ones(len(a))
        ball = inside_cone(constant, linear, square, whole0, whole1)
        # Behind the polar plane: E·p <= 0 in the quadric's own product, linear along the line.
        polar, polar_way = start @ self.eye - self.perspective * self.radius**2, way @ self.eye
        polar_plane = np.array((*self.eye, -self.perspective * self.radius**2))[None]
        behind = inside_planes(start, start + way, polar_plane)
        power = float(self.eye @ self.eye) - self.perspective * self.radius**2
        cone = inside_cone(
            power * constant - polar * polar,
            power * linear - polar * polar_way,
            power * square - polar_way * polar_way,
            *behind,
        )
        return hull_of_spans(*ball, *cone)

    def covers(self, points: Array) -> BoolArray:
        """Whether points (n, 3) are hidden, (n,) bool."""
        start = points - self.centre
        power_of_point = np.einsum("ij,ij->i", start, start) - self.radius**2
        polar = start @ self.eye - self.perspective * self.radius**2
        power = float(self.eye @ self.eye) - self.perspective * self.radius**2
        hidden: BoolArray = (power_of_point <= 0.0) | ((polar <= 0.0) & (polar * polar >= power * power_of_point))
        return hidden


Shadow = PlaneShadow | BallShadow


def shadow_of(solid: Solid, corners: Array, contour: Contour | None, projection: Projection) -> Shadow | None:
    """The shadow of a solid whose triangles are `corners` (m, 3, 3) in the view frame.

    None when it has none that hides anything: it is glass, the eye is inside it, or it has no triangles.
    """
    if solid.glass:
        return None
    if solid.ball is not None:
        return _ball_shadow(solid.ball, projection)
    if len(corners) == 0:
        return None
    planes = _view_planes(solid.planes, projection) if solid.planes is not None else _triangle_planes(corners)
    heights = planes[:, 2] + projection.perspective * planes[:, 3]
    # The size of a face as seen decides when it counts as seen from the side.
    front = heights > 1e-12
    if not front.any():
        return None
    if contour is None:
        sides = _silhouette_planes(solid, planes, heights, front)
    else:
        sides = np.column_stack((contour.normals, -np.einsum("ij,ij->i", contour.normals, contour.points)))
    shadow = np.concatenate((planes[front], sides))
    size = float(np.ptp(corners[:, 0, 0]) + np.ptp(corners[:, 0, 1]) + np.ptp(corners[:, 0, 2]))
    shadow[:, 3] += INSET * size + _rounding(projection)
    return PlaneShadow(shadow)


def _ball_shadow(ball: tuple[float, float, float, float], projection: Projection) -> BallShadow | None:
    centre = projection.to_view(np.array(ball[:3]))
    radius = ball[3] / projection.camera.distance
    eye = np.array((0.0, 0.0, 1.0)) - projection.perspective * centre
    if projection.perspective and float(eye @ eye) <= radius * radius * (1.0 + INSET):
        return None
    return BallShadow(centre, radius * (1.0 - INSET) - _rounding(projection), eye, projection.perspective)


def _rounding(projection: Projection) -> float:
    # What a coordinate far from the origin loses to its last digits, in view-frame units.
    return 4e-16 * float(np.abs(projection.target).max()) / projection.camera.distance


def _view_planes(planes: Array, projection: Projection) -> Array:
    normals = planes[:, :3]
    out = np.zeros((len(planes), 4))
    out[:, :3] = normals @ projection.basis.T
    out[:, 3] = (normals @ projection.target - planes[:, 3]) / projection.camera.distance
    return out


def _triangle_planes(corners: Array) -> Array:
    normals = cross_rows(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = length_rows(normals)
    kept = lengths > 1e-12 * max(float(lengths.max()), 1e-300)
    normals = normals[kept] / lengths[kept, None]
    return np.column_stack((normals, -np.einsum("ij,ij->i", normals, corners[kept, 0])))


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
    out: Array = sides[kept] / lengths[kept, None]
    return out
