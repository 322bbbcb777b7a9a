"""The shape that an engine with a margin tests: a shape shrunk, then grown by a border; and the border's seams."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ..geometry.elementary import sin_cos_rows
from ..geometry.vector import Array
from .box import Box
from .cylinder import Cylinder
from .hull import Hull
from .rounded import Rounded, Shape


def with_margin(shape: Shape, inset: float, radius: float) -> Rounded | None:
    """The shape with its surface moved inwards by `inset`, then grown by a border of `radius`; None if it is too thin.

    `inset`, `radius`: scene units. A flat hull with an inset counts as too thin. Raises TypeError with an inset for a
    shape other than a box, a cylinder or a hull, and ValueError as `Rounded`.
    """
    drawn_in = _drawn_in(shape, inset) if inset else shape
    return None if drawn_in is None else Rounded(drawn_in, radius)


def seams(shape: Rounded) -> tuple[Array, ...]:
    """Closed loops (n, 3), body frame, along which flat faces, and a cylinder's side, meet the round border.

    Raises TypeError for a curved shape other than a cylinder.
    """
    core, radius = shape.sharp, shape.border_radius
    if isinstance(core, Cylinder):
        angles = np.linspace(0.0, 2.0 * np.pi, 64, endpoint=False)
        sines, cosines = sin_cos_rows(angles)
        circle = np.column_stack((cosines, np.zeros_like(angles), sines))
        up, half = np.array((0.0, 1.0, 0.0)), 0.5 * core.height
        caps = [core.radius * circle + end * up for end in (half + radius, -half - radius)]
        sides = [(core.radius + radius) * circle + end * up for end in (half, -half)]
        return (*caps, *sides)
    solid = core.polyhedron
    if solid is None:
        raise TypeError(f"no margin is known of a {core.word}")
    faces = zip(solid.faces, solid.normals, strict=True)
    return tuple(solid.vertices[list(face)] + radius * normal for face, normal in faces)


@lru_cache(maxsize=8)
def _drawn_in(shape: Shape, inset: float) -> Shape | None:
    """The shape with its surface moved inwards by `inset`; None if nothing is left.

    Raises TypeError for a shape other than a box, a cylinder or a hull.
    """
    match shape:
        case Box(size):
            x, y, z = (side - 2.0 * inset for side in size)
            return Box((x, y, z)) if min(x, y, z) > 0.0 else None
        case Cylinder(radius, height):
            less = radius - inset, height - 2.0 * inset
            return Cylinder(*less) if min(less) > 0.0 else None
        case Hull(polyhedron=solid):
            points = None if len(solid.faces) < 4 else _corners_within(solid.normals, solid.offsets - inset)
            return None if points is None else Hull(tuple(map(tuple, points.tolist())))
    raise TypeError(f"no margin is known of a {shape.word}")


def _corners_within(normals: Array, offsets: Array) -> Array | None:
    """Corners (n, 3) of the solid of all p with `normals·p <= offsets`, (f, 3) and (f,); None if it is empty."""
    # Imported on demand: only hulls of engines with a margin need it.
    from scipy.optimize import linprog
    from scipy.spatial import HalfspaceIntersection, QhullError

    # The unknowns are the centre and the radius of the largest ball inside.
    touching = np.column_stack((normals, np.ones(len(normals))))
    ball = linprog((0.0, 0.0, 0.0, -1.0), touching, offsets, bounds=(None, None)).x
    if ball is None or ball[3] <= 0.0:
        return None
    try:
        corners: Array = HalfspaceIntersection(np.column_stack((normals, -offsets)), ball[:3]).intersections
    except QhullError:
        return None
    return corners
