"""The graphics book's mistakes about picking, one in each function.

In these scenes A is the body that may be picked. The ray starts at B's position and runs along B's displacement; B
itself is only a mark. In the variants about pixels B is the eye: it looks along its own -z, with x to the right and y
up. Each function raises TypeError for shapes of A that its question is not about. The ray must have a direction.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec import Struct

from ...closed_form import Segment
from ...geometry.quaternion import Pose
from ...geometry.triple import Triple
from ...geometry.vector import Array, dot, length
from ...rays.raycast import raycast
from ...scene import Body, Scene
from ...shapes import Box, Capsule, Shape, Sphere
from .comparison import ArticleVariant, capsule_of, half_extents, radius_of
from .separating_axes import CUBE


class PickedPixel(Struct, frozen=True):
    """A pixel of a camera: `x` from -1, left, to 1, right; `y` from -1, bottom, to 1, top.

    `left`, `right`, `bottom`, `top`: edges of the window in the near plane. `near`, `far`: distances of the near and
    far plane from the eye. All lengths are scene units. `orthographic`: whether all rays are parallel to the direction
    of view; else they pass through the eye.
    """

    x: float
    y: float
    left: float
    right: float
    bottom: float
    top: float
    near: float = 1.0
    far: float = 100.0
    orthographic: bool = False

    def unprojected(self, depth: float) -> Array:
        """The point (3,), eye's frame, drawn at this pixel with a `depth` from -1, near plane, to 1, far plane.

        This is (x, y, depth) transformed by the inverse of the camera's projection matrix.
        """
        wide, high, deep = self.right - self.left, self.top - self.bottom, self.far - self.near
        across, up = 0.5 * (self.x * wide + self.right + self.left), 0.5 * (self.y * high + self.top + self.bottom)
        if self.orthographic:
            return np.array((across, up, -0.5 * (depth * deep + self.far + self.near)))
        ahead = 2.0 * self.far * self.near / (self.far + self.near - depth * deep)
        return np.array((ahead * across / self.near, ahead * up / self.near, -ahead))


OFF_CENTRE = PickedPixel(0.5, 0.25, 0.0, 1.0, -0.5, 0.5)
ORTHOGRAPHIC = PickedPixel(0.5, 0.25, -4.0, 4.0, -4.0, 4.0, orthographic=True)


def pixel_ray(pixel: PickedPixel, eye: Pose) -> tuple[Array, Array]:
    """Returns the start (3,) on the near plane and the direction (3,), not of unit length, of a pixel's ray, world.

    Uses the inverses of projection and view. `eye`: the camera's pose.
    """
    near, far = (eye.to_world(pixel.unprojected(depth)) for depth in (-1.0, 1.0))
    return near, far - near


def p11_symmetric_perspective(scene: Scene, pixel: PickedPixel) -> bool:
    """Whether A is hit by the pixel's ray if the window is taken as centred in front of the eye.

    The ray starts at the eye. Its direction, eye's frame, is (x tan(w/2), y tan(h/2), -1), with the angles of view w
    and h.
    """
    across, up = 0.5 * (pixel.right - pixel.left), 0.5 * (pixel.top - pixel.bottom)
    ahead = np.array((pixel.x * across, pixel.y * up, -pixel.near))
    eye = scene.b.pose
    return raycast(scene.a, eye.position, eye.direction_to_world(ahead)) is not None


def p11_symmetric_for_off_centre(scene: Scene) -> bool:
    """`p11_symmetric_perspective` for a window to the right of the eye, as for one half of a stereo pair."""
    return p11_symmetric_perspective(scene, OFF_CENTRE)


def p11_symmetric_for_orthographic(scene: Scene) -> bool:
    """`p11_symmetric_perspective` for a camera with parallel rays."""
    return p11_symmetric_perspective(scene, ORTHOGRAPHIC)


def p12_sphere_turned_round(scene: Scene) -> bool:
    """A hit if the line's distance from the sphere's centre is at least the radius."""
    return length(_perpendicular(scene)) >= radius_of(scene.a)


def p12_box_turned_round(scene: Scene) -> bool:
    """A hit if the line's distance from the box's centre is at least the effective radius.

    The axis runs from the centre to the line's nearest point.
    """
    away = _perpendicular(scene)
    return length(away) >= _radius_along(scene, away)


def p12_box_one_axis(scene: Scene) -> bool:
    """A hit unless line and box are apart on one axis: from the box's centre to the line's nearest point."""
    away = _perpendicular(scene)
    return length(away) <= _radius_along(scene, away)


def p12_box_as_printed(scene: Scene) -> bool:
    """The test on one axis with the wrong sign of t, the line's parameter, and without unit length.

    So the axis is not perpendicular to the line, and the effective radius is multiplied by the axis's length.
    """
    skew = _skew(scene)
    return length(skew) <= dot(np.abs(scene.a.pose.direction_to_local(skew)), half_extents(scene.a))


def p12_box_skew(scene: Scene) -> bool:
    """The test on one axis of unit length, with the wrong sign of t: it is not perpendicular to the line."""
    skew = _skew(scene)
    return length(skew) <= _radius_along(scene, skew)


def p12_box_not_unit(scene: Scene) -> bool:
    """The test on one axis perpendicular to the line, without unit length.

    The effective radius is multiplied by the axis's length, the distance is not.
    """
    away = _perpendicular(scene)
    return length(away) <= dot(np.abs(scene.a.pose.direction_to_local(away)), half_extents(scene.a))


def p12_capsule_turned_round(scene: Scene) -> bool:
    """A hit if the line's distance from the capsule's segment is at least the radius."""
    start, direction = _ray(scene)
    core, radius = _core(scene)
    unit = direction / length(direction)
    # Projected along the infinite line, the line is a point: its distance from the projected segment is the same.
    flat = Segment(core.middle - dot(core.middle, unit) * unit, *_flattened(core, unit))
    shadow = start - dot(start, unit) * unit
    return length(shadow - flat.at(flat.nearest(shadow))) >= radius


def p12_capsule_same_parameter(scene: Scene) -> bool:
    """A hit if, for some t, the line's point at t is within the radius of the point at the same t on the core's line.

    The right test has a parameter for each line. The core's line has t = 0 at the segment's lower end and t = 1 at its
    upper end.
    """
    start, direction = _ray(scene)
    core, radius = _core(scene)
    along = 2.0 * core.half_length * core.direction
    between, drift = start - core.at(-core.half_length), direction - along
    t = -dot(between, drift) / dot(drift, drift)
    return length(between + t * drift) <= radius


def p12_endless_line(scene: Scene) -> bool:
    """Whether the infinite line hits A, a sphere, box or capsule; bodies behind the ray's start are hit too.

    The line runs through B's position along B's displacement. Raises TypeError for other shapes of A.
    """
    shape = scene.a.shape
    if shape.half_extents is None and (shape.core is None or shape.core.solid is not None):
        raise TypeError("this published version is about spheres, boxes and capsules")
    start, direction = scene.b.pose.position, np.array(scene.b.displacement)
    return any(raycast(scene.a, start, way) is not None for way in (direction, -direction))


def _ray(scene: Scene) -> tuple[Array, Array]:
    """Returns the ray's start (3,), relative to A's position, and its direction (3,), not of unit length."""
    return scene.b.pose.position - scene.a.pose.position, np.array(scene.b.displacement)


def _perpendicular(scene: Scene) -> Array:
    """The vector (3,) from A's position to the nearest point of the ray's infinite line."""
    start, direction = _ray(scene)
    return start - dot(start, direction) / dot(direction, direction) * direction


def _skew(scene: Scene) -> Array:
    """The vector (3,) of `_perpendicular`, with the wrong sign of t: to another point of the line."""
    start, direction = _ray(scene)
    return start + dot(start, direction) / dot(direction, direction) * direction


def _radius_along(scene: Scene, away: Array) -> float:
    """The box's effective radius along `away`; 0 if `away` is the zero vector, for a line through the centre."""
    size = length(away)
    return dot(np.abs(scene.a.pose.direction_to_local(away)), half_extents(scene.a)) / size if size > 0.0 else 0.0


def _core(scene: Scene) -> tuple[Segment, float]:
    """Returns a capsule's segment, relative to A's position, and its radius."""
    half_length, radius = capsule_of(scene.a)
    return Segment(np.zeros(3), scene.a.pose.matrix[:, 1], half_length), radius


def _flattened(core: Segment, unit: Array) -> tuple[Array, float]:
    """Returns direction and half length of the segment's projection on a plane perpendicular to the vector `unit`."""
    shadow = core.direction - dot(core.direction, unit) * unit
    size = length(shadow)
    return (shadow / size if size > 0.0 else core.direction), core.half_length * size


def _right_pick(pixel: PickedPixel) -> Callable[[Scene], bool]:
    return lambda scene: raycast(scene.a, *pixel_ray(pixel, scene.b.pose)) is not None


def _right_hit(scene: Scene) -> bool:
    return raycast(scene.a, scene.b.pose.position, np.array(scene.b.displacement)) is not None


_MARK = Sphere(0.05)


def _shot(name: str, shape: Shape, start: Triple, direction: Triple) -> Scene:
    return Scene(Body(shape), Body(_MARK, start, displacement=direction), name)


def _seen(name: str, place: Triple, size: float) -> Scene:
    """A scene with a ball of radius `size` at `place`, seen from (0, 0, 8)."""
    return Scene(Body(Sphere(size), place), Body(_MARK, (0.0, 0.0, 8.0)), name)


_BALL, _PILL = Sphere(1.0), Capsule(0.25, 2.0)
_BALL_HIT = _shot("A ray into a ball", _BALL, (-4.0, 0.5, 0.0), (8.0, 0.0, 0.0))
_BALL_BEHIND = _shot("A ray away from a ball", _BALL, (4.0, 0.5, 0.0), (8.0, 0.0, 0.0))
_BALL_EDGE = _shot("A ray that touches a ball", _BALL, (-4.0, 1.0, 0.0), (8.0, 0.0, 0.0))
_BALL_PASSED = _shot("A ray past a ball", _BALL, (-4.0, 1.5, 0.0), (8.0, 0.0, 0.0))
_BOX_HIT = _shot("A ray into a cube", CUBE, (-4.0, 0.5, 0.25), (8.0, 0.0, 0.0))
_BOX_EDGE = _shot("A ray that touches a cube's face", CUBE, (-4.0, 1.0, 0.0), (8.0, 0.0, 0.0))
_BOX_HIT_FROM_AFAR = _shot("A ray into a cube from afar", CUBE, (-4.0, 0.5, 0.25), (8.0, 0.0, 0.0))
_BOX_PASSED = _shot("A ray past a cube", CUBE, (-4.0, 3.0, 0.5), (8.0, 0.0, 0.0))
_BOX_BESIDE = _shot("A ray along a cube's side, close by", CUBE, (1.125, 0.375, -4.0), (0.0, 0.0, 8.0))
_PILL_HIT = _shot("A ray into a capsule's middle", _PILL, (-4.0, 0.0, 0.0), (8.0, 0.0, 0.0))
_PILL_END = _shot("A ray into a capsule's upper half", _PILL, (-4.0, 0.75, 0.0), (8.0, 0.0, 0.0))
_PILL_EDGE = _shot("A ray that touches a capsule's end", _PILL, (-4.0, 1.25, 0.0), (8.0, 0.0, 0.0))
_PILL_PASSED = _shot("A ray past a capsule", _PILL, (-4.0, 0.0, 1.0), (8.0, 0.0, 0.0))
_SMALL_BOX_HIT = _shot("A ray into a small box", Box((0.5, 0.5, 0.5)), (-2.0, 0.1, 0.1), (4.0, 0.0, 0.0))

_WRONG_WAY = (
    "The line misses if it is farther away than the radius: the published test has hit and miss the wrong way round."
)

PICKING = (
    ArticleVariant(
        id="P11-off-centre",
        title="A pixel's ray as if the window were centred in front of the eye",
        article=p11_symmetric_for_off_centre,
        right=_right_pick(OFF_CENTRE),
        why="The tangents of half the angles fit a symmetric window only; any other shifts every ray sideways.",
        breaks=(_seen("A ball in the pixel's line of sight", (6.0, 1.0, 0.0), 0.5),),
        agrees=(
            _seen("A ball that no such ray meets", (-6.0, 1.0, 0.0), 0.5),
            _seen("A huge ball", (0.0, 0.0, -20.0), 20.0),
        ),
    ),
    ArticleVariant(
        id="P11-orthographic",
        title="A pixel's ray from the eye, although all rays are parallel",
        article=p11_symmetric_for_orthographic,
        right=_right_pick(ORTHOGRAPHIC),
        why="An orthographic camera shoots parallel rays, each from its own place: they do not start at the eye.",
        breaks=(_seen("A ball straight ahead of the pixel", (2.0, 1.0, -10.0), 0.5),),
        agrees=(
            _seen("A ball that no such ray meets", (-6.0, 1.0, 0.0), 0.5),
            _seen("A huge ball", (0.0, 0.0, -40.0), 45.0),
        ),
    ),
    ArticleVariant(
        id="P12-sphere-turned-round",
        title="The sphere's inequality reversed",
        article=p12_sphere_turned_round,
        right=_right_hit,
        why=_WRONG_WAY,
        breaks=(_BALL_HIT, _BALL_PASSED),
        agrees=(_BALL_EDGE,),
    ),
    ArticleVariant(
        id="P12-box-turned-round",
        title="The box's inequality reversed",
        article=p12_box_turned_round,
        right=_right_hit,
        why=_WRONG_WAY,
        breaks=(_BOX_HIT, _BOX_PASSED),
        agrees=(_BOX_EDGE,),
    ),
    ArticleVariant(
        id="P12-box-one-axis",
        title="One axis decides for the box",
        article=p12_box_one_axis,
        right=_right_hit,
        why="No miss on one axis is necessary, not sufficient: about 3 % of random lines still pass the box.",
        breaks=(_BOX_BESIDE,),
        agrees=(_BOX_HIT, _BOX_EDGE, _BOX_PASSED),
    ),
    ArticleVariant(
        id="P12-box-as-printed",
        title="The box's one axis, skew and not of unit length",
        article=p12_box_as_printed,
        right=_right_hit,
        why="With the sign of t wrong the axis is not perpendicular to the line, and its length stretches one "
        "side only.",
        breaks=(_BOX_PASSED, _SMALL_BOX_HIT),
        agrees=(_BOX_HIT, _shot("A ray past a small box", Box((0.5, 0.5, 0.5)), (-2.0, 1.0, 0.5), (4.0, 0.0, 0.0))),
    ),
    ArticleVariant(
        id="P12-box-skew",
        title="The box's one axis, skew",
        article=p12_box_skew,
        right=_right_hit,
        why="With the sign of t wrong the axis runs to another point of the line, and is not perpendicular to it.",
        breaks=(_BOX_HIT_FROM_AFAR,),
        agrees=(_BOX_PASSED,),
    ),
    ArticleVariant(
        id="P12-box-not-unit",
        title="The box's one axis, not of unit length",
        article=p12_box_not_unit,
        right=_right_hit,
        why="The axis is as long as the distance, and only the effective radius is multiplied by it.",
        breaks=(_BOX_PASSED, _SMALL_BOX_HIT),
        agrees=(_BOX_HIT,),
    ),
    ArticleVariant(
        id="P12-capsule-turned-round",
        title="The capsule's inequality reversed",
        article=p12_capsule_turned_round,
        right=_right_hit,
        why=_WRONG_WAY,
        breaks=(_PILL_HIT, _PILL_PASSED),
        agrees=(_PILL_EDGE,),
    ),
    ArticleVariant(
        id="P12-capsule-same-parameter",
        title="Ray and core share one parameter",
        article=p12_capsule_same_parameter,
        right=_right_hit,
        why="The nearest points of two lines have two parameters; with one, ray and core are two moving points that "
        "miss each other.",
        breaks=(_PILL_END,),
        agrees=(_PILL_HIT, _PILL_PASSED),
    ),
    ArticleVariant(
        id="P12-endless-line",
        title="An endless line, although picking needs a ray",
        article=p12_endless_line,
        right=_right_hit,
        why="The line also runs backwards from the eye, so what lies behind it is picked too.",
        breaks=(_BALL_BEHIND, _shot("A ray away from a cube", CUBE, (4.0, 0.5, 0.25), (8.0, 0.0, 0.0))),
        agrees=(_BALL_HIT, _BALL_EDGE, _BALL_PASSED),
    ),
)
