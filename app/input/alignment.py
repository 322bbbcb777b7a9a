"""Snapping of turns: a line of the turned body becomes parallel to a world axis or to a line of the other body.

The lines of a body are the directions of its edges and face normals; u and −u are the same line. A body with more than
MOST_ALIGNED lines snaps only to steps of the angle.
"""

from __future__ import annotations

from math import acos, atan2, radians

import numpy as np

from core.geometry.quaternion import from_rotation_vector, to_matrix
from core.geometry.vector import Array, cross, cross_rows, dot, dots, length_rows, product, unit
from core.scene import Body, Scene
from core.shapes.contract import ball_radius

SNAP_ANGLE = radians(5.0)
"""The largest angle by which a turn about a given axis snaps to a parallel."""
ROLLED = radians(25.0)
"""The largest angle by which a free turn, about any axis, snaps to a parallel.

With it about half of all free turns snap; with `SNAP_ANGLE` one in 25 would, because a free turn has three angles.
"""
MOST_ALIGNED = 64
"""The most lines of a body that snaps to parallels: with more, one would always be near."""
_LEVEL = 1e-6
"""The largest difference of the cosines of two lines with an axis for which a turn about it can align the lines."""


def directions_of(body: Body) -> Array:
    """The unit vectors (k, 3), world, of the body's edges and face normals, each line once.

    For a body without a core these are the axes of its frame; for a half-space its normal. Empty (0, 3) for a ball and
    for a body with more than `MOST_ALIGNED` lines.
    """
    shape = body.shape
    if ball_radius(shape) is not None:
        return np.zeros((0, 3))
    core, plane = shape.core, shape.plane
    if plane is not None:
        found = plane.normal[None]
    elif core is None:
        found = np.eye(3)
    else:
        ends = np.array(((0, 1),)) if core.solid is None else core.solid.edges
        ways = core.points[ends[:, 1]] - core.points[ends[:, 0]]
        found = np.concatenate((shape.face_normals, ways / length_rows(ways)[:, None]))
    # Of u and −u only the one is kept whose last nonzero coordinate is positive.
    rounded = np.round(found, 9)
    last = np.where(rounded[:, 2] != 0.0, rounded[:, 2], np.where(rounded[:, 1] != 0.0, rounded[:, 1], rounded[:, 0]))
    _, rows = np.unique(rounded * np.sign(last)[:, None] + 0.0, axis=0, return_index=True)
    lines: Array = product(found[rows], body.pose.matrix.T)
    return lines if len(lines) <= MOST_ALIGNED else np.zeros((0, 3))


def marks_of(scene: Scene, index: int) -> Array:
    """The lines (k, 3) to which body `index` can snap: the world's axes and the other body's lines."""
    return np.concatenate((np.eye(3)[: scene.dimension], directions_of(scene.body(1 - index))))


def to_rest_about(axis: Array, lines: Array, marks: Array, within: float = SNAP_ANGLE) -> float | None:
    """The angle of least size, in radians, about the unit `axis` (3,) that turns one of `lines` onto a mark.

    `lines` (k, 3) and `marks` (m, 3): unit vectors. None if no angle is at most `within`.
    """
    heights, above = dots(lines, axis), dots(marks, axis)
    arms, there = lines - np.outer(heights, axis), marks - np.outer(above, axis)
    sign = np.where(np.outer(heights, above) < 0.0, -1.0, 1.0)
    level = np.abs(np.abs(heights)[:, None] - np.abs(above)) <= _LEVEL
    level &= ((arms * arms).sum(axis=1) > _LEVEL)[:, None]
    # The sine is the triple product of arm, mark and axis: the arm's scalar product with mark × axis.
    sines, cosines = product(arms, cross_rows(there, np.broadcast_to(axis, there.shape)).T), product(arms, there.T)
    # A line perpendicular to the axis may be turned onto either end of a mark.
    sign = np.where(np.abs(heights)[:, None] <= _LEVEL, np.where(cosines < 0.0, -1.0, 1.0), sign)
    angles = np.where(level, np.arctan2(sign * sines, sign * cosines), np.inf)
    if not angles.size:
        return None
    best = float(angles.flat[np.argmin(np.abs(angles))])
    return best if abs(best) <= within else None


def to_rest(lines: Array, marks: Array) -> tuple[Array, ...]:
    """The turns (rotation vectors (3,), world), one after the other, that snap `lines` (k, 3) to `marks` (m, 3).

    The first turns a line onto a mark by the least angle. The second, if another line is near another mark, turns about
    the first mark. Empty if no line is within `ROLLED` of a mark.
    """
    if not len(lines):
        return ()
    cosines = product(lines, marks.T)
    row, column = np.unravel_index(np.argmax(np.abs(cosines)), cosines.shape)
    if acos(min(abs(float(cosines[row, column])), 1.0)) > ROLLED:
        return ()
    line, mark = lines[row], marks[column] * np.sign(cosines[row, column])
    across = cross(line, mark)
    about = unit(across)
    first = np.zeros(3) if about is None else atan2(dot(across, about), dot(line, mark)) * about
    x, y, z = first.tolist()
    laid = product(lines, to_matrix(from_rotation_vector((x, y, z))).T)
    second = to_rest_about(mark, laid, marks, ROLLED)
    return (first,) if second is None else (first, second * mark)
