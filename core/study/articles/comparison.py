"""`ArticleVariant`: an article's mistaken version of an answer, with the right one.

Here are also functions that read a formula's inputs from a body, such as a box's half extents. Each raises TypeError
for another shape. `compared` then returns None, as the variant does not apply to the pair.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isclose

import numpy as np
from msgspec import Struct

from ...geometry.plane import Plane
from ...geometry.vector import Array
from ...pair.cores import FlatCore
from ...scene import Body, Scene
from ...shapes import ball_radius
from ...shapes.box import VERTEX_SIGNS

ArticleValue = bool | int | float | str | tuple[float, ...]
"""The answer to an article's question: whether bodies meet, a count, a length or a time, a verdict, a vector."""


class Comparison(Struct, frozen=True):
    """Both answers for one scene, and one sentence on why they may differ."""

    article: ArticleValue
    right: ArticleValue
    why: str

    @property
    def agree(self) -> bool:
        """Whether both answers for this scene are equal; numbers and vectors may differ by about 1e-9, relative."""
        if isinstance(self.article, tuple) and isinstance(self.right, tuple):
            pairs = zip(self.article, self.right, strict=True)
            return all(isclose(one, other, rel_tol=1e-9, abs_tol=1e-9) for one, other in pairs)
        if isinstance(self.article, float) and isinstance(self.right, float):
            return isclose(self.article, self.right, rel_tol=1e-9, abs_tol=1e-12)
        return self.article == self.right


class ArticleVariant(Struct, frozen=True):
    """A question with an article's mistaken answer and the right one.

    `id`: unique, begins with the `system`. `article` and `right`: functions from a scene to the mistaken and the right
    answer; both raise TypeError for shapes that the question is not about. `why`: one sentence on the mistake.
    `breaks`: scenes for which the answers differ. `agrees`: scenes for which they are equal.
    """

    id: str
    title: str
    article: Callable[[Scene], ArticleValue]
    right: Callable[[Scene], ArticleValue]
    why: str
    breaks: tuple[Scene, ...]
    agrees: tuple[Scene, ...]

    @property
    def system(self) -> str:
        """The id up to its first hyphen: a letter for the article, and a number."""
        return self.id.partition("-")[0]

    def compare(self, scene: Scene) -> Comparison:
        """The article's answer and the right one for a scene. Raises TypeError for shapes that it is not about.

        A variant about motion raises ValueError if a body turns, or if bodies are too large or too far apart.
        """
        return Comparison(self.article(scene), self.right(scene), self.why)


def compared(variant: ArticleVariant, scene: Scene) -> Comparison | None:
    """The comparison for a scene, or for the scene with A and B swapped; None if the variant is about other shapes.

    If the variant is about motion, raises ValueError if a body turns, or if bodies are too large or too far apart. A
    ray must have a direction.
    """
    for either in (scene, scene.swapped()):
        try:
            return variant.compare(either)
        except TypeError:
            continue
    return None


def registry(*variants: ArticleVariant) -> tuple[ArticleVariant, ...]:
    """Returns the variants in order. Raises ValueError if two share an id."""
    ids = [variant.id for variant in variants]
    if doubled := sorted({name for name in ids if ids.count(name) > 1}):
        raise ValueError(f"article variants named twice: {', '.join(doubled)}")
    return variants


def half_extents(body: Body) -> Array:
    """Half extents (3,) of a box. Raises TypeError for another shape."""
    half = body.shape.half_extents
    if half is None:
        raise TypeError("this published version is about boxes")
    return half


def box_vertices(body: Body) -> Array:
    """Vertices (8, 3) of a box, body frame. Raises TypeError for another shape."""
    return VERTEX_SIGNS * half_extents(body)


def radius_of(body: Body) -> float:
    """The radius of a sphere. Raises TypeError for another shape, and for a point."""
    radius = ball_radius(body.shape)
    if not radius:
        raise TypeError("this published version is about spheres")
    return radius


def radii_of(body: Body) -> Array:
    """The radii (3,) of an ellipsoid. Raises TypeError for another shape."""
    if body.shape.radii is None:
        raise TypeError("this published version is about ellipsoids")
    return np.array(body.shape.radii)


def capsule_of(body: Body) -> tuple[float, float]:
    """Half the length of a capsule's segment, which lies along the body's y axis, and the capsule's radius.

    Raises TypeError for another shape.
    """
    core = body.shape.core
    capsule = core is not None and len(core.points) == 2 and core.radius > 0.0
    if core is None or not capsule or core.points[:, ::2].any() or core.points.sum(axis=0).any():
        raise TypeError("this published version is about capsules")
    return float(core.points[1, 1]), core.radius


def plane_of(body: Body, position: Array) -> Plane:
    """The boundary plane of a half-space, with the body's rotation but at `position` (3,) instead of its own.

    Raises TypeError for another shape.
    """
    plane = body.shape.plane
    if plane is None:
        raise TypeError("this published version is about a plane")
    return plane.placed(body.pose.matrix, position)


def polygon_of(body: Body) -> list[tuple[float, float]]:
    """The points (x, y) of a 2D polygon, body frame. Raises TypeError for another shape and fewer than 3 corners."""
    corners, solid = FlatCore.of(body.shape).corners, body.shape.polyhedron
    if solid is None or len(corners) < 3:
        raise TypeError("this published version is about polygons")
    return [(x, y) for x, y, _ in solid.vertices.tolist()]
