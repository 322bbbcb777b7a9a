"""From points to the convex polyhedron they span: what no hull can be made of is refused, the rest goes to Qhull.

Qhull decides in doubles. Its answer is checked; where nearly coplanar points have led it into a contradiction, it is
asked again with the points turned, which makes it decide otherwise. A vertex left with fewer than three faces, or no
further from its neighbour than rounding, is none; it is dropped and the hull is taken again.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..geometry.tolerances import HULL_FLATNESS
from ..geometry.vector import Array, area_vectors, length_rows
from .hull_faces import HullFaces, hull_faces
from .polyhedron import Polyhedron

_ATTEMPTS = ("Qt", *(f"Qt QR{seed}" for seed in range(1, 8)))
"""Options for Qhull: triangles out of merged facets, then the same with the points turned at random by a fixed seed."""

_TOO_THIN = "the hull is so thin that rounding hides its faces"


def convex_hull(points: Array) -> Polyhedron:
    """The hull of `points` (n, 3), its vertices in the order of the points.

    Raises ValueError with one sentence if they are fewer than four, not finite, span no solid, or one so thin that
    its faces are lost in rounding.
    """
    different = rows = _checked(points)
    while True:
        scaled = _scaled(rows)
        _refuse_flat(scaled)
        found = _faces(scaled)
        real = _real_vertices(scaled, found.loops)
        if all(real[loop].all() for loop in found.loops):
            break
        rows = rows[real]
    number = (np.cumsum(real) - 1).tolist()
    solid = Polyhedron.from_faces(rows[real], [[number[k] for k in loop] for loop in found.loops], found.normals)
    if len(rows) < len(different) and _beyond(different, solid) > 4.0 * _flat(different):
        raise ValueError(_TOO_THIN)
    return solid


def _faces(points: Array) -> HullFaces:
    """The first of Qhull's answers that holds."""
    for options in _ATTEMPTS:
        found = hull_faces(points, _flat(points), options)
        if found is not None:
            return found
    raise ValueError(_TOO_THIN)


def _beyond(points: Array, solid: Polyhedron) -> float:
    """How far the points (n, 3) reach beyond the solid's planes: those that were dropped, one after another."""
    return max(
        float((points @ normal).max() - offset) for normal, offset in zip(solid.normals, solid.offsets, strict=True)
    )


def _checked(points: Array) -> Array:
    """The different points in their order; raises ValueError if there are not enough or they are not finite."""
    strange = np.flatnonzero(~np.isfinite(points).all(axis=1))
    if len(strange):
        raise ValueError(f"points[{strange[0]}] of the hull is not finite")
    if len(points) < 4:
        raise ValueError(f"a hull needs at least four points, got {len(points)}")
    _, first = np.unique(points, axis=0, return_index=True)
    rows = points[np.sort(first)]
    if len(rows) < 4:
        raise ValueError(f"a hull needs at least four different points, got {len(rows)}")
    return rows


def _refuse_flat(points: Array) -> None:
    """Raises ValueError if all points lie in one place, line or plane, to rounding of their coordinates."""
    flat = _flat(points)
    first = points[0]
    distances = length_rows(points - first)
    second = points[distances.argmax()]
    if distances.max() <= flat:
        raise ValueError("all points of the hull are the same to rounding")
    areas = area_vectors(*np.broadcast_arrays(first, second, points))
    sizes = length_rows(areas)
    if sizes.max() <= flat * distances.max():
        raise ValueError("all points of the hull lie on one line")
    normal = areas[sizes.argmax()] / sizes.max()
    if np.abs((points - first) @ normal).max() <= flat:
        raise ValueError("all points of the hull lie in one plane")


def _real_vertices(points: Array, loops: list[list[int]]) -> NDArray[np.bool_]:
    """Which points (n,) are vertices: corners of three faces, and of those that rounding has doubled the first."""
    corners = [k for loop in loops for k in loop]
    real = np.bincount(corners, minlength=len(points)) >= 3
    following = [k for loop in loops for k in (*loop[1:], loop[0])]
    short = length_rows(points[following] - points[corners]) <= _flat(points)
    for start, end in sorted({(a, b) for a, b, s in zip(corners, following, short, strict=True) if s and a < b}):
        if real[start]:
            real[end] = False
    return real


def _scaled(rows: Array) -> Array:
    """The points with the largest coordinate at about 1, by a power of two, which touches no digit."""
    scaled: Array = np.ldexp(rows, -int(np.frexp(np.abs(rows).max())[1]))
    return scaled


def _flat(points: Array) -> float:
    """How far from a plane a point still lies in it."""
    return HULL_FLATNESS * float(np.abs(points).max())
