"""The picking ray: from the pixel back into the world, and the bodies that it meets.

Distances along the ray are in scene units, from the eye; for an orthographic camera, from the ray's point in the eye's
plane. The near plane of the unprojection can be any: all give the same ray.
"""

from __future__ import annotations

from functools import lru_cache
from math import inf, tan

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.geometry.tolerances import FRAME_ROUNDING
from core.geometry.triple import triple
from core.geometry.vector import Array, dot, dots, length, product
from core.rays.raycast import GjkRaycastResult, GjkRaycastStep, RayCast, gjk_raycast_steps, raycast
from core.scene import Body, Scene
from core.shapes import Sphere
from core.study.articles import ARTICLE_VARIANTS, PickedPixel
from core.trace import Recording, record

from ..draw.camera import Camera, Projection
from . import Lens, RayLook, RayProbe

NEAR_SHARE, FAR_SHARE = 0.25, 4.0
"""Distances of near and far plane from the eye, in units of the target's distance: both are visible in the picture."""
SHIFT = 0.5
"""The first `RayProbe.shift` of an off-centre window."""


class Unprojection(Struct, frozen=True, eq=False):
    """The ray of a pixel, with all intermediate results; lengths in scene units.

    `device`: x to the right and y up, −1 to 1 across the pane. `near_distance`, `far_distance`: of the near and far
    plane from the eye. `view_near` (3,): the pixel's point on the near plane, in the eye's frame (x right, y up, z
    towards the viewer). `near`, `far` (3,): the pixel's points on both planes, world. `corners` (4, 3): of the window
    in the near plane, world. `eye` (3,): world. `origin`, `direction` (3,): the ray, world, direction unit.

    The article's shortcut supposes a window straight ahead, and a ray that starts at the eye for any camera. `shortcut`
    (3,): the unit direction of its ray. `supposed` (4, 3): the corners of its window, world.
    """

    device: tuple[float, float]
    near_distance: float
    far_distance: float
    view_near: Array
    near: Array
    far: Array
    corners: Array
    eye: Array
    origin: Array
    direction: Array
    shortcut: Array
    supposed: Array

    @property
    def shortcut_differs(self) -> bool:
        """Whether the article's shortcut gives a wrong ray."""
        apart = max(length(self.eye - self.origin), length(self.shortcut - self.direction) * self.far_distance)
        return apart > 1e-9 * self.far_distance


class OneAxis(Struct, frozen=True, eq=False):
    """The article's test of a box on one axis, and the right test by three slabs.

    `nearest` (3,): the point of the ray's infinite line nearest to the box's centre, world. `away` (3,): the axis, from
    the centre to that point; `distance`: its length. `radius`: the box's effective radius along `away`. `spans` (3, 2):
    the distances along the ray at which it enters and leaves the slab across the box's x, y and z; (inf, −inf) if it is
    never in the slab.
    """

    nearest: Array
    away: Array
    distance: float
    radius: float
    spans: Array

    @property
    def enters(self) -> float:
        """The latest entry into a slab: the distance along the ray."""
        return float(self.spans[:, 0].max())

    @property
    def leaves(self) -> float:
        """The earliest exit from a slab: the distance along the ray."""
        return float(self.spans[:, 1].min())

    @property
    def in_all_slabs(self) -> bool:
        """Whether the ray's infinite line is in all three slabs at once."""
        return self.enters <= self.leaves

    @property
    def words(self) -> str:
        """The result of the test by three slabs, in words."""
        return "in all three slabs" if self.in_all_slabs else "latest entry after earliest exit"


class ArticleTestResult(Struct, frozen=True):
    """The result of one article's test of a ray.

    `id`, `title`, `why`: the article variant's. `says`: whether the test reports a hit. `hits`: whether the ray hits.
    """

    id: str
    title: str
    says: bool
    hits: bool
    why: str


Cast = Recording[GjkRaycastStep, GjkRaycastResult]
"""The steps of the GJK ray cast and its result."""


def picked_pixel(camera: Camera, device: tuple[float, float], aspect: float, shift: float = 0.0) -> PickedPixel:
    """The pixel as a `PickedPixel`, in units of the target's distance, so that no scene's size costs digits."""
    half = tan(0.5 * camera.field_of_view) * (1.0 if camera.orthographic else NEAR_SHARE)
    wide = half * aspect
    left, right = wide * (shift - 1.0), wide * (shift + 1.0)
    return PickedPixel(
        *device,
        left=left,
        right=right,
        bottom=-half,
        top=half,
        near=NEAR_SHARE,
        far=FAR_SHARE,
        orthographic=camera.orthographic,
    )


@lru_cache(maxsize=8)
def unprojection(
    camera: Camera, pixel: tuple[float, float], size: tuple[float, float], shift: float = 0.0
) -> Unprojection:
    """The ray through a pixel, by the inverses of projection and view. Arguments as in `RayProbe`."""
    width, height = size
    device = (2.0 * pixel[0] / width - 1.0, 1.0 - 2.0 * pixel[1] / height)
    picked = picked_pixel(camera, device, width / height, shift)
    turn, eye = camera.basis().T, camera.eye()

    def placed(x: float, y: float, depth: float) -> Array:
        """The point (3,) of device coordinates, in the eye's frame, scene units."""
        return camera.distance * replace(picked, x=x, y=y).unprojected(depth)

    view_near, view_far = placed(*device, -1.0), placed(*device, 1.0)
    near, far = eye + dots(turn, view_near), eye + dots(turn, view_far)
    corners = np.array([placed(x, y, -1.0) for x, y in ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))])
    # In a window straight ahead, the same ray passes through another pixel.
    origin, direction = Projection(camera, width, height).ray(pixel[0] + 0.5 * shift * width, pixel[1])
    across, up = 0.5 * (picked.right - picked.left), 0.5 * (picked.top - picked.bottom)
    ahead = dots(turn, np.array((device[0] * across, device[1] * up, -NEAR_SHARE)))
    aside = np.array((shift * across * camera.distance, 0.0, 0.0))
    shortcut = ahead / length(ahead)
    window, supposed = (eye + product(each, turn.T) for each in (corners, corners - aside))
    return Unprojection(
        device=device,
        near_distance=NEAR_SHARE * camera.distance,
        far_distance=FAR_SHARE * camera.distance,
        view_near=view_near,
        near=near,
        far=far,
        corners=window,
        eye=eye,
        origin=origin,
        direction=direction,
        shortcut=shortcut,
        supposed=supposed,
    )


def ray_of(probe: RayProbe) -> Unprojection:
    """The unprojection of a probe."""
    return unprojection(probe.camera, probe.pixel, probe.size, probe.shift)


def lens_of(probe: RayProbe) -> Lens:
    """The projection of the probe's camera."""
    if probe.camera.orthographic:
        return Lens.ORTHOGRAPHIC
    return Lens.OFF_CENTRE if probe.shift else Lens.PERSPECTIVE


def with_lens(probe: RayProbe, lens: Lens) -> RayProbe:
    """The probe with another projection, at the ray cast's first step.

    An off-centre window keeps the ray, which then has another pixel.
    """
    straight = with_shift(probe, 0.0)
    camera = replace(probe.camera, orthographic=lens is Lens.ORTHOGRAPHIC)
    seen = replace(straight, camera=camera, step=0)
    if lens is not Lens.OFF_CENTRE:
        return seen
    _, high = shifts(seen)
    return with_shift(seen, SHIFT if high >= SHIFT else -SHIFT)


def shifts(probe: RayProbe) -> tuple[float, float]:
    """Returns the least and the largest shift of the window for which the ray still passes through it."""
    place = 2.0 * probe.pixel[0] / probe.size[0] + probe.shift
    return max(place - 2.0, -1.0), min(place, 1.0)


def with_shift(probe: RayProbe, shift: float) -> RayProbe:
    """The probe with the window shifted by `shift` and the same ray; the nearest pixel if the ray misses the window."""
    (x, y), width = probe.pixel, probe.size[0]
    moved = x + 0.5 * (probe.shift - shift) * width
    return replace(probe, pixel=(min(max(moved, 0.0), width), y), shift=shift)


def first_met(scene: Scene, origin: Array, direction: Array) -> int | None:
    """The body (0 for A, 1 for B) that a ray meets first, None without one. `origin`, `direction` (3,): world, unit."""
    casts = [raycast(body, origin, direction) for body in (scene.a, scene.b)]
    met = [(cast.t, k) for k, cast in enumerate(casts) if cast is not None]
    return min(met)[1] if met else None


def crossing(body: Body, ray: Unprojection) -> RayCast | None:
    """The ray cast against a body: entry and exit; None for a miss."""
    return raycast(body, ray.origin, ray.direction)


def picked_words(scene: Scene, origin: Array, direction: Array) -> str:
    """The body that a click with this ray picks: `A`, `B` or `nothing`."""
    met = first_met(scene, origin, direction)
    return "nothing" if met is None else "AB"[met]


def nearest_body(scene: Scene, ray: Unprojection) -> int:
    """The body (0 or 1) that a click selects for a ray probe: the first one that is hit, else the nearest.

    The nearest is the one whose position is nearest to the ray's infinite line; never a half-space.
    """
    met = first_met(scene, ray.origin, ray.direction)
    if met is not None:
        return met
    bodies = (scene.a, scene.b)
    distances = [inf if it.shape.plane is not None else length(_away(it.pose.position, ray)) for it in bodies]
    return int(distances[1] < distances[0])


def one_axis(body: Body, ray: Unprojection) -> OneAxis | None:
    """The article's test of a box, and the right one by three slabs; None for other shapes."""
    half = body.shape.half_extents
    if half is None:
        return None
    away = _away(body.pose.position, ray)
    size = length(away)
    radius = float(dots(np.abs(product(away, body.pose.matrix)), half)) / size if size > 0.0 else 0.0
    start, along = body.pose.to_local(ray.origin), body.pose.direction_to_local(ray.direction)
    spans = np.array([_slab(*row) for row in zip(start.tolist(), along.tolist(), half.tolist(), strict=True)])
    return OneAxis(body.pose.position + away, away, size, radius, spans)


def article_answers(body: Body, ray: Unprojection) -> tuple[ArticleTestResult, ...]:
    """The results of the articles' tests that apply to this body, each with the right answer."""
    mark = Body(Sphere(1.0), triple(ray.origin), displacement=triple(ray.far_distance * ray.direction))
    scene = Scene(body, mark)
    answers = []
    for variant in ARTICLE_VARIANTS:
        if variant.system != "P12":
            continue
        try:
            compared = variant.compare(scene)
        except TypeError:
            continue
        found = bool(compared.article), bool(compared.right)
        answers.append(ArticleTestResult(variant.id, variant.title, *found, compared.why))
    return tuple(answers)


def gjk_cast(body: Body, ray: Unprojection) -> Cast | None:
    """The GJK ray cast against a bounded body, with all steps; None for a half-space."""
    if body.shape.plane is not None:
        return None
    return record(gjk_raycast_steps(body, ray.origin, ray.direction))


def drawn_look(body: Body, probe: RayProbe, ray: Unprojection) -> RayLook:
    """The probe's way to show the ray, or the crossings if `body`, the one that is tested, does not have that way.

    A body that is no box has no one axis, and some casts have no steps.
    """
    if probe.look is RayLook.ONE_AXIS and body.shape.half_extents is not None:
        return RayLook.ONE_AXIS
    if probe.look is RayLook.CAST and (cast := gjk_cast(body, ray)) is not None and cast.steps:
        return RayLook.CAST
    return RayLook.CROSSINGS


def _away(centre: Array, ray: Unprojection) -> Array:
    """The vector (3,) from a centre (3,) to the nearest point of the ray's infinite line."""
    start = ray.origin - centre
    away: Array = start - dot(start, ray.direction) * ray.direction
    return away


def _slab(start: float, along: float, half: float) -> tuple[float, float]:
    """Returns the interval in which a line is between two parallel faces; (inf, -inf) if it never is.

    A line parallel to the faces, to rounding, is always or never between them.
    """
    if abs(along) <= FRAME_ROUNDING:
        return (-inf, inf) if abs(start) <= half else (inf, -inf)
    ends = sorted(((-half - start) / along, (half - start) / along))
    return ends[0], ends[1]
