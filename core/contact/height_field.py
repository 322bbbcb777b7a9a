"""A body's height field: its height over each point across the normal, from a line cast along the normal.

A shape with a formula for the stretch of a line inside it (`line_span`) uses the formula. A polyhedron with a border
radius is bounded by balls about its vertices, cylinders about its edges and its faces moved out; the highest that the
line meets counts. For a round shape with a border, the ray cast uses the support map.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

import numpy as np

from ..geometry.tolerances import ROUNDING
from ..geometry.vector import Array, cross_rows, dot, dots, length_rows, product
from ..rays.raycast import raycast
from ..scene import Body
from ..shapes import RoundedCore
from ..shapes.polyhedron import Polyhedron

HeightField = Callable[[float, float], float]
"""Returns for a point (u, v) across a direction the body's height on the line there; -inf if the line misses it."""


def height_field(body: Body, across: Array, sign: float) -> HeightField:
    """The field of a bounded body along `sign` n, with the directions u, v, n as the columns of `across` (3, 3).

    Heights and (u, v) count from the origin of the frame of the body's pose.
    """
    u, v, n = across.T
    d = sign * n
    core = body.shape.core
    if body.shape.line_span is None and core is not None and core.solid is not None:
        to_frame = product(body.pose.matrix.T, np.array((u, v, d)).T)
        return _over_rounded(core, core.solid, to_frame, product(body.pose.position, np.array((u, v, d)).T))
    # The line starts outside the body's bounding sphere, one radius from it.
    start = dot(d, body.pose.position) + 2.0 * body.shape.bounding_radius

    def height(x: float, y: float) -> float:
        hit = raycast(body, x * u + y * v + start * d, -d)
        return -inf if hit is None else start - hit.t

    return height


def _over_rounded(core: RoundedCore, solid: Polyhedron, turn: Array, shift: Array) -> HeightField:
    """The field of a polyhedron grown by a radius; `turn` (3, 3) and `shift` (3,) map it to a frame of lines along +z.

    The parts that do not depend on the line are computed once.
    """
    r = core.radius
    rows = product(solid.vertices, turn) + shift
    ends = rows[solid.edges[:, 0]], rows[solid.edges[:, 1]]
    run = ends[1] - ends[0]
    lengths = np.maximum(length_rows(run), 1e-300)
    (eu, ev, eh), (su, sv, sh) = (run / lengths[:, None]).T, ends[0].T
    # If the line runs nearly along an edge (slant near 0), the balls at the edge's ends give the height.
    slant = eu * eu + ev * ev
    normals = product(solid.normals, turn)
    offsets = solid.offsets + dots(normals, shift)
    walls, wall_offsets = _walls(solid, rows, normals, offsets)
    (up,) = (normals[:, 2] > 0.0).nonzero()

    def height(x: float, y: float) -> float:
        # Balls: t = h ± √(r² - across²).
        away_u, away_v = rows[:, 0] - x, rows[:, 1] - y
        room = r * r - (away_u * away_u + away_v * away_v)
        met = room >= 0.0
        found = float((rows[met, 2] + np.sqrt(room[met])).max()) if met.any() else -inf
        # Cylinders: the part of (x, y, t) - start perpendicular to the edge has the length r.
        du, dv = x - su, y - sv
        along = du * eu + dv * ev - sh * eh
        half = -sh - along * eh
        room = half * half - slant * (du * du + dv * dv + sh * sh - along * along - r * r)
        met = (room >= 0.0) & (slant > ROUNDING)
        t = (np.sqrt(room[met]) - half[met]) / slant[met]
        share = along[met] + t * eh[met]
        t = t[(share >= 0.0) & (share <= lengths[met])]
        if len(t):
            found = max(found, float(t.max()))
        if not len(up):
            return found  # a flat hull seen on edge
        # The lowest of the planes moved out counts if its foot lies on the polyhedron; else an edge or a vertex counts.
        (nu, nv, nh), over = normals[up].T, offsets[up]
        heights = (over + r - nu * x - nv * y) / nh
        lowest = int(heights.argmin())
        top, face = float(heights[lowest]), normals[up[lowest]]
        fu, fv, fh = (np.array((x, y, top)) - r * face).tolist()
        slack = ROUNDING * (abs(fu) + abs(fv) + abs(fh) + r)
        beyond = walls[:, 0] * fu + walls[:, 1] * fv + walls[:, 2] * fh - wall_offsets
        return max(found, top) if float(beyond.max()) <= slack else found

    return height


def _walls(solid: Polyhedron, rows: Array, normals: Array, offsets: Array) -> tuple[Array, Array]:
    """Planes that bound the polyhedron with vertices `rows` (v, 3): normals (p, 3) and offsets (p,).

    A flat hull has two faces and no walls round them: planes through its edges, perpendicular to it, are added.
    """
    if len(normals) != 2:
        return normals, offsets
    starts, ends = rows[solid.edges[:, 0]], rows[solid.edges[:, 1]]
    out = cross_rows(ends - starts, np.broadcast_to(normals[0], starts.shape))
    out /= np.maximum(length_rows(out), 1e-300)[:, None]
    # Outwards is away from the middle of the vertices.
    reach = dots(out, starts - rows.mean(axis=0))
    out *= np.where(reach < 0.0, -1.0, 1.0)[:, None]
    at = dots(out, starts)
    return np.concatenate((normals, out)), np.concatenate((offsets, at))
