"""What a mistaken version from an article is, beside the right answer.

What an article takes a body for. Each raises TypeError for another shape, which says that it is not about it.
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

Answer = bool | int | float | str | tuple[float, ...]
"""Whatever the article's question asks for: a verdict, a count, a length, a hit, a unit vector."""


class Comparison(Struct, frozen=True):
    """One scene's two answers, and one sentence on why they differ where they do."""

    article: Answer
    right: Answer
    why: str

    @property
    def agree(self) -> bool:
        """Whether the mistake leaves this scene's answer alone; lengths may differ by rounding."""
        if isinstance(self.article, tuple) and isinstance(self.right, tuple):
            pairs = zip(self.article, self.right, strict=True)
            return all(isclose(one, other, rel_tol=1e-9, abs_tol=1e-9) for one, other in pairs)
        if isinstance(self.article, float) and isinstance(self.right, float):
            return isclose(self.article, self.right, rel_tol=1e-9, abs_tol=1e-12)
        return self.article == self.right


class ArticleVariant(Struct, frozen=True):
    """A question answered as an article has it.

    `id`: unique, begins with the `system`. `article` and `right`: the two answers to a scene. `why`: one sentence.
    `breaks`: scenes on which the two differ, `agrees`: scenes on which they do not.
    """

    id: str
    title: str
    article: Callable[[Scene], Answer]
    right: Callable[[Scene], Answer]
    why: str
    breaks: tuple[Scene, ...]
    agrees: tuple[Scene, ...]

    @property
    def system(self) -> str:
        """What the id begins with: a letter for the article, a number for its row."""
        return self.id.partition("-")[0]

    def compare(self, scene: Scene) -> Comparison:
        """The article's answer beside the right one."""
        return Comparison(self.article(scene), self.right(scene), self.why)


def compared(variant: ArticleVariant, scene: Scene) -> Comparison | None:
    """The bodies in either order; None where the version is about other shapes."""
    for either in (scene, scene.swapped()):
        try:
            return variant.compare(either)
        except TypeError:
            # Its own way of saying that it is about other shapes.
            continue
    return None


def registry(*variants: ArticleVariant) -> tuple[ArticleVariant, ...]:
    """The variants in order. ValueError when two share an id."""
    ids = [variant.id for variant in variants]
    if doubled := sorted({name for name in ids if ids.count(name) > 1}):
        raise ValueError(f"article variants named twice: {', '.join(doubled)}")
    return variants


def half_extents(body: Body) -> Array:
    """Half extents (3,) of a box."""
    half = body.shape.half_extents
    if half is None:
        raise TypeError("this published version is about boxes")
    return half


def box_vertices(body: Body) -> Array:
    """Vertices (8, 3) of a box, body frame."""
    return VERTEX_SIGNS * half_extents(body)


def radius_of(body: Body) -> float:
    """The radius of a sphere."""
    radius = ball_radius(body.shape)
    if not radius:
        raise TypeError("this published version is about spheres")
    return radius


def radii_of(body: Body) -> Array:
    """The radii (3,) of an ellipsoid."""
    if body.shape.radii is None:
        raise TypeError("this published version is about ellipsoids")
    return np.array(body.shape.radii)


def capsule_of(body: Body) -> tuple[float, float]:
    """Half the length of a capsule's segment, which lies along its y axis, and its radius."""
    core = body.shape.core
    capsule = core is not None and len(core.points) == 2 and core.radius > 0.0
    if core is None or not capsule or core.points[:, ::2].any() or core.points.sum(axis=0).any():
        raise TypeError("this published version is about capsules")
    return float(core.points[1, 1]), core.radius


def plane_of(body: Body, position: Array) -> Plane:
    """The plane of a half-space that stands at `position` (3,), with the body's turn."""
    plane = body.shape.plane
    if plane is None:
        raise TypeError("this published version is about a plane")
    return plane.placed(body.pose.matrix, position)


def polygon_of(body: Body) -> list[tuple[float, float]]:
    """The points (x, y) of a polygon of the plane, body frame."""
    corners, solid = FlatCore.of(body.shape).corners, body.shape.polyhedron
    if solid is None or len(corners) < 3:
        raise TypeError("this published version is about polygons")
    return [(x, y) for x, y, _ in solid.vertices.tolist()]
