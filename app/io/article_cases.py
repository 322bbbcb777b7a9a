"""Every mistake of the articles with a scene that breaks it, as the gallery lists them.

The scenes are those that `core.articles` and `core.articles.plane` bring along; where a version is
about a ray, the scene holds that ray against the body.
"""

from __future__ import annotations

from functools import cache
from math import asin, atan, atan2, isfinite

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.articles import ARTICLE_VARIANTS, MOTION_VARIANTS, Answer, ArticleVariant, PickedPixel
from core.articles.picking import OFF_CENTRE, ORTHOGRAPHIC
from core.articles.plane import PLANAR_VARIANTS
from core.geometry.triple import triple
from core.geometry.vector import Array, length
from core.scene import Scene

from ..draw.camera import Camera
from ..probes import RayLook, RayProbe
from ..state.playback import moves
from ..state.view import Panes, View
from ..words.axis_words import plain

PANE = 600.0
"""Pixels: a ray's pane is square."""
PIXELS = {"P11-off-centre": OFF_CENTRE, "P11-orthographic": ORTHOGRAPHIC}
ARTICLES = "SPGV"
"""The articles by their letters, in the order of the digest."""
FAR_OVER_DISTANCE = 4.0
"""How many times the camera's distance a probe's ray reaches."""


class ArticleCase(Struct, frozen=True):
    """One mistake. `id`, `system`, `title`: the variant's; `why`: in one sentence.

    `article`, `right`: both answers about `scene`, in words. `view`: with the ray, where it is about one; else the
    default, lest a scene be looked at as the ray before it was.
    """

    id: str
    system: str
    title: str
    why: str
    article: str
    right: str
    scene: Scene
    view: View


@cache
def article_cases() -> tuple[ArticleCase, ...]:
    """All of them, about pairs, rays, motions and the plane, in the order of the articles' rows."""
    cases = (
        *(_ray_case(v) if v.system in ("P11", "P12") else _case(v, "depth ") for v in ARTICLE_VARIANTS),
        *(_case(variant, "t = ") for variant in MOTION_VARIANTS),
        *(_flat_case(variant) for variant in PLANAR_VARIANTS),
    )
    return tuple(sorted(cases, key=lambda case: (ARTICLES.index(case.system[0]), int(case.system[1:]))))


def _case(variant: ArticleVariant, number: str) -> ArticleCase:
    # Bodies that rest have no motion to look at.
    scene = next(
        scene for scene in variant.breaks if variant not in MOTION_VARIANTS or moves(scene.a) or moves(scene.b)
    )
    with np.errstate(all="ignore"):
        answers = variant.compare(scene)
    article, right = _words(answers.article, number), _words(answers.right, number)
    return ArticleCase(variant.id, variant.system, variant.title, variant.why, article, right, scene, View())


def _flat_case(variant: ArticleVariant) -> ArticleCase:
    answers = variant.compare(variant.breaks[0])
    article, right, scene = str(answers.article), str(answers.right), variant.breaks[0]
    return ArticleCase(variant.id, variant.system, variant.title, variant.why, article, right, scene, View())


def _ray_case(variant: ArticleVariant) -> ArticleCase:
    case, pixel = _case(variant, ""), PIXELS.get(variant.id)
    start, way = np.array(case.scene.b.position), np.array(case.scene.b.displacement)
    probe = _along(start, way) if pixel is None else _through(pixel, start)
    mark = replace(case.scene.b, displacement=(0.0, 0.0, 0.0))
    article, right = ({"they meet": "hit", "they do not meet": "miss"}[word] for word in (case.article, case.right))
    view = View(world=Camera(yaw=0.9, pitch=0.35), panes=Panes.WORLD, probe=probe)
    return replace(case, article=article, right=right, scene=replace(case.scene, b=mark), view=view)


def _along(start: Array, way: Array) -> RayProbe:
    """The ray from `start` (3,) on along `way` (3,), and as far: through the middle of its pane."""
    reach = length(way)
    x, y, z = (-way / reach).tolist()
    distance = reach / FAR_OVER_DISTANCE
    camera = Camera(triple(start + way / FAR_OVER_DISTANCE), distance, atan2(x, z), asin(y))
    return RayProbe(camera, (0.5 * PANE, 0.5 * PANE), (PANE, PANE), RayLook.ONE_AXIS)


def _through(pixel: PickedPixel, eye: Array) -> RayProbe:
    """The ray through a pixel of a camera that stands at `eye` (3,) and looks along -z."""
    half, middle = 0.5 * (pixel.right - pixel.left), 0.5 * (pixel.right + pixel.left)
    # An orthographic picture is as wide as the angle is at the camera's distance.
    distance = 8.0
    angle = 2.0 * atan(half / (distance if pixel.orthographic else pixel.near))
    at = (0.5 * PANE * (1.0 + pixel.x), 0.5 * PANE * (1.0 - pixel.y))
    camera = Camera(triple(eye - (0.0, 0.0, distance)), distance, 0.0, 0.0, angle, pixel.orthographic)
    return RayProbe(camera, at, (PANE, PANE), shift=0.0 if pixel.orthographic else middle / half)


def _words(answer: Answer, number: str) -> str:
    if isinstance(answer, bool):
        return "they meet" if answer else "they do not meet"
    if isinstance(answer, tuple):
        return f"({', '.join(plain(part) for part in answer)})"
    if isinstance(answer, float):
        return f"{number}{plain(answer)}" if isfinite(answer) else "no contact"
    return f"{answer} vertices of A in contact" if isinstance(answer, int) else answer
