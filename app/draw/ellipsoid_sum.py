"""Sums of ellipsoids and a ball: bodies whose outline and triangles the layout makes for each view.

An ellipsoid, the difference of two, that of one and a ball, and the cores of these are such sums. Each has one smooth
support point in every direction, so that a picture of any size has no corners.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from core.geometry.vector import Array, dots, product
from core.scene import Body
from core.shapes import ball_radius, sharp_of

from .camera import Projection


class EllipsoidSum(Struct, frozen=True, eq=False):
    """The sum of ellipsoids and a ball about `centre` (3,).

    `forms` (k, 3, 3): P for each ellipsoid, which reaches sqrt(n·P n) along the unit n. `radius`: of the ball; negative
    for a core, which is the sum less a ball. `flattest_radius`: the largest radius of curvature.
    """

    centre: Array
    forms: Array
    radius: float
    flattest_radius: float

    def reached(self, normals: Array) -> tuple[Array, Array]:
        """The reach (...,) from the centre along unit `normals` (..., 3), and the farthest points (..., 3) from it."""
        reach, points = np.full(normals.shape[:-1], self.radius), self.radius * normals
        for form in self.forms:
            way = product(normals, form)
            size = np.sqrt(dots(normals, way))
            reach, points = reach + size, points + way / size[..., None]
        return reach, points

    def seen(self, projection: Projection) -> EllipsoidSum:
        """The body in the view frame."""
        turn, size = projection.basis, projection.camera.distance
        # Each form is symmetric, so that P Tᵀ transposed is T P.
        forms = product(product(self.forms, turn.T).transpose(0, 2, 1), turn.T) / (size * size)
        return EllipsoidSum(projection.to_view(self.centre), forms, self.radius / size, self.flattest_radius / size)

    def less(self, radius: float) -> EllipsoidSum:
        """The body less a ball of this radius: no larger than the sum of the ellipsoids' least radii of curvature."""
        return EllipsoidSum(self.centre, self.forms, self.radius - radius, self.flattest_radius - radius)


def sum_of(body: Body) -> EllipsoidSum | None:
    """An ellipsoid, with or without a border, as a sum; None for another shape."""
    sharp, border = sharp_of(body.shape)
    radii = sharp.radii
    if radii is None:
        return None
    turned = body.pose.matrix * np.array(radii)
    flattest_radius = max(radii) ** 2 / min(radii) + border
    return EllipsoidSum(np.array(body.position), product(turned, turned.T)[None], border, flattest_radius)


def difference_sum(a: Body, b: Body) -> EllipsoidSum | None:
    """A − B as a sum; None unless one of the bodies is an ellipsoid, and the other one too or a ball."""
    sums = [sum_of(body) for body in (a, b)]
    balls = [ball_radius(body.shape) for body in (a, b)]
    forms, radius, flattest_radius = np.zeros((0, 3, 3)), 0.0, 0.0
    for found, ball in zip(sums, balls, strict=True):
        if found is not None:
            forms = np.concatenate((forms, found.forms))
            radius, flattest_radius = radius + found.radius, flattest_radius + found.flattest_radius
        elif ball is not None:
            radius, flattest_radius = radius + ball, flattest_radius + ball
        else:
            return None
    centre = np.array(a.position) - np.array(b.position)
    return EllipsoidSum(centre, forms, radius, flattest_radius) if len(forms) else None
