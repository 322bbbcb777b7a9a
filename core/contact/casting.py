"""How high a body is over a point of the plane across the normal: a line cast along it.

A shape that says where lines run inside it is asked. A polyhedron with a border radius is the union of balls about its
vertices, cylinders about its edges and its faces moved out, and the highest of those that the line meets counts. What
is left, round shapes with a border, is asked through its support map.
"""

from __future__ import annotations

from math import inf, sqrt

import numpy as np

from ..geometry.tolerances import ROUNDING
from ..geometry.vector import Array, cross_rows, length_rows
from ..rays.raycast import raycast
from ..scene import Body
from ..shapes import RoundedCore
from ..shapes.polyhedron import Polyhedron


def height_over(body: Body, point: Array, d: Array) -> float:
    """How far the body reaches along the unit d (3,) on the line through a point (3,), from there; -inf for a miss."""
    core = body.shape.core
    if body.shape.line_span is None and core is not None and core.solid is not None:
        local = body.pose.to_local(point)
        return _over_rounded(core, core.solid, local, body.pose.direction_to_local(d))
    # From well before the body: a line that starts near it has its digits from there.
    start = float(d @ (body.pose.position - point)) + 2.0 * body.shape.bounding_radius
    hit = raycast(body, point + start * d, -d)
    return -inf if hit is None else start - hit.t


def _over_rounded(core: RoundedCore, solid: Polyhedron, point: Array, d: Array) -> float:
    """The same in the body's frame, for a polyhedron grown by a radius."""
    r = core.radius
    found = -inf
    # Balls: t² - 2 t a·d + a² = r² with a from the point to the vertex.
    away = solid.vertices - point
    along = away @ d
    room = r * r - length_rows(away - along[:, None] * d) ** 2
    met = room >= 0.0
    if met.any():
        found = float((along[met] + np.sqrt(room[met])).max())
    # Cylinders: what is left of t d - a across the edge has the length r.
    starts, run = solid.vertices[solid.edges[:, 0]], solid.edge_directions()
    lengths = np.maximum(length_rows(run), 1e-300)
    e = run / lengths[:, None]
    rise = e @ d
    across = d - rise[:, None] * e
    off = starts - point
    off_along = np.einsum("ei,ei->e", off, e)
    off_across = off - off_along[:, None] * e
    a = np.einsum("ei,ei->e", across, across)
    b = np.einsum("ei,ei->e", across, off_across)
    room = b * b - a * (np.einsum("ei,ei->e", off_across, off_across) - r * r)
    met = (room >= 0.0) & (a > ROUNDING)
    t = (b[met] + np.sqrt(room[met])) / a[met]
    share = t * rise[met] - off_along[met]
    t = t[(share >= 0.0) & (share <= lengths[met])]
    if len(t):
        found = max(found, float(t.max()))
    # The lowest face moved out, if its foot on the face itself is there: an edge has it otherwise.
    facing = solid.normals @ d
    up = facing > 0.0
    if not up.any():
        return found  # along a flat hull: both its faces stand on edge
    heights = (solid.offsets[up] + r - solid.normals[up] @ point) / facing[up]
    lowest = int(heights.argmin())
    foot = point + heights[lowest] * d - r * solid.normals[up][lowest]
    slack = ROUNDING * (sqrt(float(foot @ foot)) + r)
    beyond = solid.normals @ foot - solid.offsets
    if len(solid.normals) == 2:
        # A flat hull has two faces and no walls round them: of its edges, which way is out is seen from the middle.
        out = cross_rows(e, np.broadcast_to(solid.normals[0], e.shape))
        out *= np.where(np.einsum("ei,ei->e", out, starts - solid.vertices.mean(axis=0)) < 0.0, -1.0, 1.0)[:, None]
        beyond = np.append(beyond, np.einsum("ei,ei->e", out, foot - starts))
    if float(beyond.max()) <= slack:
        found = max(found, float(heights[lowest]))
    return found
