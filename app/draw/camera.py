"""The orbit camera of a pane, the mapping between world points and pixels, and the line of sight.

The *view frame* has its origin at the camera's target, and its unit is the camera's distance from the target: x right,
y up, z towards the viewer, the eye at (0, 0, 1). So scenes of size 1e-6 or 1e6, or 1e6 from the origin, are drawn as
well as any other. Pixels count from the top left corner, y down.
"""

from __future__ import annotations

from math import cos, isfinite, pi, radians, sin, tan

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from core.geometry.triple import Triple, triple
from core.geometry.vector import Array, dot, length, product, unit, vec

NEAR_PLANE = 0.01
"""Depth of a perspective camera's near plane before the eye, as a fraction of the target's distance."""
ORTHOGRAPHIC_RANGE = 100.0
"""Depths 0 and 1 of an orthographic camera: so many camera distances before and behind the target; clamped beyond."""
PITCH_LIMIT = radians(89.9)
"""Largest pitch of an orbit, radians, so that the view never turns upside down; `looking` may reach the pole itself."""
DISTANCE_LIMITS = (1e-36, 1e36)
"""Least and largest distance; wider than the limits of scenes (app/shapes.py), so that every scene can be framed."""

NAMED_VIEWS: dict[str, tuple[float, float]] = {
    "front": (0.0, 0.0),
    "back": (pi, 0.0),
    "right": (0.5 * pi, 0.0),
    "left": (-0.5 * pi, 0.0),
    "top": (0.0, 0.5 * pi),
    "bottom": (0.0, -0.5 * pi),
}
"""Yaw and pitch of the named views, radians; front looks along -Z with X to the right (with Z up: along +Y)."""


class Camera(Struct, frozen=True):
    """A camera that looks at the point `target` (world) from `distance` (scene units).

    `yaw`: angle about the up axis, from the front to the right; `pitch`: angle above the horizontal plane;
    `field_of_view`: vertical; all radians. An orthographic camera shows the same height at the target. `z_up`: the
    world's Z points up on the screen instead of Y; no coordinate changes.
    """

    target: Triple = (0.0, 0.0, 0.0)
    distance: float = 8.0
    yaw: float = radians(35.0)
    pitch: float = radians(22.0)
    field_of_view: float = radians(35.0)
    orthographic: bool = False
    z_up: bool = False

    def basis(self) -> Array:
        """The rotation (3, 3) from world to view frame; rows point right and up on the screen, and to the viewer."""
        cy, sy, cp, sp = cos(self.yaw), sin(self.yaw), cos(self.pitch), sin(self.pitch)
        rows = np.array(((cy, 0.0, -sy), (-sy * sp, cp, -cy * sp), (sy * cp, sp, cy * cp)))
        if self.z_up:
            # The view of a world that is turned by 90° about X, so that Z takes the place of Y.
            rows = np.stack((rows[:, 0], -rows[:, 2], rows[:, 1]), axis=1)
        return rows

    def eye(self) -> Array:
        """The position (3,) of a perspective camera, world."""
        eye: Array = np.array(self.target) + self.distance * self.basis()[2]
        return eye

    def units_per_pixel(self, height: float) -> float:
        """World units across one pixel at the target, for a pane `height` pixels high."""
        return 2.0 * self.distance * tan(0.5 * self.field_of_view) / max(height, 1.0)

    def orbited(self, dyaw: float, dpitch: float) -> Camera:
        """The camera turned by the angles, radians; the pitch stops at ±PITCH_LIMIT."""
        pitch = min(max(self.pitch + dpitch, -PITCH_LIMIT), PITCH_LIMIT)
        return replace(self, yaw=(self.yaw + dyaw + pi) % (2.0 * pi) - pi, pitch=pitch)

    def panned(self, dx: float, dy: float, height: float) -> Camera:
        """The camera moved sideways: points at the target's depth follow a pointer by (dx, dy) pixels, y down.

        `height`: of the pane in pixels.
        """
        right, up, _ = self.basis()
        scale = self.units_per_pixel(height)
        return replace(self, target=triple(np.array(self.target) + scale * (dy * up - dx * right)))

    def zoomed_to(self, factor: float, x: float, y: float, width: float, height: float) -> Camera:
        """The camera with its distance divided by `factor`; the point at the target's depth under pixel (x, y) stays.

        `width`, `height`: of the pane in pixels. `factor` is above 0; the distance stays within DISTANCE_LIMITS.
        """
        low, high = DISTANCE_LIMITS
        distance = min(max(self.distance / factor, low), high)
        kept = 1.0 - distance / self.distance
        return replace(self.panned((0.5 * width - x) * kept, (0.5 * height - y) * kept, height), distance=distance)

    def framed(self, points: Array, aspect: float, margin: float = 1.15, upright_margin: float | None = None) -> Camera:
        """The camera moved, but not turned, to the least distance at which it sees all of `points` (n, 3), world.

        `aspect`: width over height of the pane. `margin` > 1 leaves room round the points; `upright_margin` replaces
        it above and below. A single point changes only the target; no point changes nothing. The target becomes the
        middle of the view. The near plane is not considered: it may cut points much nearer than the target.
        """
        if len(points) == 0:
            return self
        basis = self.basis()
        centre = 0.5 * (points.min(axis=0) + points.max(axis=0))
        x, y, z = product(points - centre, basis.T).T
        tangent = tan(0.5 * self.field_of_view)
        middle_x, distance_x = _fit(x, z, tangent * aspect / margin, self.orthographic)
        middle_y, distance_y = _fit(y, z, tangent / (upright_margin or margin), self.orthographic)
        middle_z = 0.5 * float(z.min() + z.max())
        distance = max(distance_x, distance_y) - (0.0 if self.orthographic else middle_z)
        target = triple(centre + product(np.array((middle_x, middle_y, middle_z)), basis))
        low, high = DISTANCE_LIMITS
        if not (isfinite(distance) and distance > low):
            return replace(self, target=target)
        return replace(self, target=target, distance=min(distance, high))

    def far_enough(self, points: Array, aspect: float, margin: float = 1.15) -> float:
        """The least distance at which the camera, neither turned nor with another target, sees all `points` (n, 3).

        0 without points. `aspect`, `margin` and the near plane as in `framed`.
        """
        x, y, z = product(points - np.array(self.target), self.basis().T).T
        tangent = tan(0.5 * self.field_of_view) / margin
        distances = np.maximum(np.abs(x) / (tangent * aspect), np.abs(y) / tangent)
        return float((distances if self.orthographic else distances + z).max(initial=0.0))

    def framed_ball(self, centre: Array, radius: float, aspect: float, margin: float = 1.15) -> Camera:
        """The camera moved, but not turned, to the least distance at which it sees a whole ball about `centre` (3,).

        `radius` > 0; the target becomes the centre. `aspect` and `margin` as in `framed`.
        """
        half = 0.5 * self.field_of_view
        limit = tan(half) * min(aspect, 1.0) / margin
        # Half the angle under which a ball is seen has the sine radius / distance; that is not its tangent.
        stretch = 1.0 if self.orthographic else (1.0 + limit * limit) ** 0.5
        low, high = DISTANCE_LIMITS
        return replace(self, target=triple(centre), distance=min(max(radius * stretch / limit, low), high))

    def looking(self, preset: str) -> Camera:
        """The camera turned to one of NAMED_VIEWS: front, back, right, left, top or bottom.

        Raises KeyError for another name.
        """
        yaw, pitch = NAMED_VIEWS[preset]
        return replace(self, yaw=yaw, pitch=pitch)

    def with_other_projection(self) -> Camera:
        """The camera with perspective and orthographic exchanged; sizes at the target's depth stay."""
        return replace(self, orthographic=not self.orthographic)


class PaneLens(Struct, frozen=True, eq=False):
    """The numbers that map view-frame points to pixels: scalars for one pane, or (n,) for n points in several panes.

    `width`, `height`: of the pane in pixels; `focal`, `perspective`: as in Projection.
    """

    width: Array | float
    height: Array | float
    focal: Array | float
    perspective: Array | float

    def at(self, panes: NDArray[np.int64]) -> PaneLens:
        """The lens of n points: row i has the numbers of the pane `panes[i]`. Scalars stay scalars."""
        parts = self.width, self.height, self.focal, self.perspective
        return PaneLens(*(part[panes] if isinstance(part, np.ndarray) else part for part in parts))

    def screen(self, view: Array) -> Array:
        """Projects view-frame points (..., 3), or (n, 3) in several panes, to x, y pixels and depth, of the same shape.

        Depth grows from 0 (near) to 1 (far). On any plane it is linear across the screen, as a depth buffer needs.
        Points on the viewer's side of the near plane are projected as if at its depth: finite, with depth 0.
        """
        out, z = np.zeros(view.shape), view[..., 2]
        w = np.maximum(1.0 - self.perspective * z, NEAR_PLANE)
        scale = self.focal / w
        out[..., 0] = 0.5 * self.width + view[..., 0] * scale
        out[..., 1] = 0.5 * self.height - view[..., 1] * scale
        near, parallel = 1.0 - NEAR_PLANE / w, np.minimum(np.maximum(0.5 - z * (0.5 / ORTHOGRAPHIC_RANGE), 0.0), 1.0)
        out[..., 2] = np.where(self.perspective, near, parallel)
        return out

    def towards_viewer(self, view: Array) -> Array:
        """Vectors from view-frame points (..., 3) to the eye (perspective) or to the viewer, (0, 0, 1); not unit."""
        out = -np.asarray(self.perspective)[..., None] * view
        out[..., 2] += 1.0
        return out


class Projection:
    """A camera's mapping onto a pane of `width` x `height` pixels.

    `basis` (3, 3): rotation from world to view frame; `target` (3,), world; `perspective`: 1.0, or 0.0 if orthographic;
    `focal`: pixels per view-frame unit at the target's depth; `lens`: size, `focal` and `perspective`.
    """

    __slots__ = ("basis", "camera", "focal", "height", "lens", "perspective", "target", "width")

    def __init__(self, camera: Camera, width: float, height: float) -> None:
        self.camera = camera
        self.width = width
        self.height = height
        self.basis = camera.basis()
        self.target = np.array(camera.target, dtype=np.float64)
        self.perspective = 0.0 if camera.orthographic else 1.0
        self.focal = camera.distance / camera.units_per_pixel(height)
        self.lens = PaneLens(width, height, self.focal, self.perspective)

    def to_view(self, points: Array) -> Array:
        """World points (..., 3) in the view frame."""
        return self.turned(points - self.target) / self.camera.distance

    def turned(self, vectors: Array) -> Array:
        """World vectors (..., 3), rotated into the view frame and not scaled."""
        if vectors.ndim == 3 and vectors.strides[1] == 0:
            # A broadcast array: the three corners share one vector, which is turned once.
            return np.broadcast_to(self.turned(vectors[:, 0])[:, None], vectors.shape)
        # One product for all rows: for (m, 3, 3) numpy would compute one for each triangle, ten times slower.
        return product(vectors.reshape(-1, 3), self.basis.T).reshape(vectors.shape)

    def screen(self, view: Array) -> Array:
        """View-frame points (..., 3) as x, y pixels and depth, (..., 3): see PaneLens.screen."""
        return self.lens.screen(view)

    def project(self, points: Array) -> Array:
        """World points (n, 3) as x, y pixels and depth 0..1, (n, 3)."""
        return self.screen(self.to_view(points))

    def towards_viewer(self, view: Array) -> Array:
        """Vectors from view-frame points (..., 3) to the eye (perspective) or to the viewer, (0, 0, 1); not unit."""
        return self.lens.towards_viewer(view)

    def in_front(self, point: Array) -> bool:
        """Whether a world point (3,) lies on the far side of the near plane; always true if orthographic."""
        return 1.0 - self.perspective * float(self.to_view(point)[2]) >= NEAR_PLANE

    def pixels_per_unit(self, point: Array) -> float:
        """The length in pixels of one world unit parallel to the screen, at the depth of a world point (3,)."""
        w = 1.0 - self.perspective * float(self.to_view(point)[2])
        return self.focal / (max(w, NEAR_PLANE) * self.camera.distance)

    def ray(self, x: float, y: float) -> tuple[Array, Array]:
        """Origin (3,) and unit direction (3,), world, of the line of sight through a pixel.

        Perspective lines of sight start at the eye; orthographic ones are parallel and start at the eye's depth.
        """
        across = vec((x - 0.5 * self.width) / self.focal, (0.5 * self.height - y) / self.focal, 0.0)
        forward = vec(0.0, 0.0, -1.0)
        start, along = (-forward, across + forward) if self.perspective else (across - forward, forward)
        origin: Array = self.target + self.camera.distance * product(start, self.basis)
        direction: Array = product(along, self.basis)
        return origin, direction / length(direction)


def _fit(across: Array, towards: Array, tangent: float, orthographic: bool) -> tuple[float, float]:
    """The middle of the view in one screen direction, and the eye's least distance from z = 0 that shows all points.

    `across` (n,): coordinates in that direction; `towards` (n,): towards the viewer, z. `tangent`: of half the angle of
    view, divided by the margin. `orthographic`: the size of what is seen does not depend on z.
    """
    slope = 0.0 if orthographic else tangent
    above = float((across + towards * slope).max())
    below = float((across - towards * slope).min())
    return 0.5 * (above + below), 0.5 * (above - below) / tangent


LEAST_DRAG_SINE = 0.05
"""A sine. The pointer drags along no plane whose angle to the line of sight has a smaller one, and along no axis whose
angle to the screen's normal has. A pixel would be many times the size of the dragged thing."""


class Sight(Struct, frozen=True, eq=False):
    """The line of sight through the pointer, world: `origin` (3,), unit `direction` (3,) away from the viewer.

    `towards` (3,): unit normal of the screen, towards the viewer.
    """

    origin: Array
    direction: Array
    towards: Array

    @staticmethod
    def through(projection: Projection, x: float, y: float) -> Sight:
        """The line of sight through the pixel (x, y) of a pane."""
        origin, direction = projection.ray(x, y)
        return Sight(origin, direction, projection.basis[2])

    def on_plane(self, point: Array, normal: Array) -> Array | None:
        """The point (3,), world, where the line meets the plane through `point` (3,) with the unit `normal` (3,).

        None if it is parallel to the plane, or meets it behind its origin.
        """
        slope = dot(self.direction, normal)
        if abs(slope) < 1e-9:
            return None
        distance = dot(point - self.origin, normal) / slope
        return self.origin + distance * self.direction if distance > 0.0 else None

    def distance_along(self, point: Array, axis: Array) -> float | None:
        """The pointer's signed distance from `point` (3,) along the unit vector `axis` (3,), both in the world.

        It is measured on the plane through the axis that faces the viewer most. None if the axis points at the viewer
        (LEAST_DRAG_SINE), or if the line of sight does not meet the plane.
        """
        facing = unit(self.towards - dot(self.towards, axis) * axis)
        if facing is None or 1.0 - dot(self.towards, axis) ** 2 < LEAST_DRAG_SINE**2:
            return None
        met = self.on_plane(point, facing)
        return None if met is None else dot(met - point, axis)
