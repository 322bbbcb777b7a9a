"""Convex hull of points in space as triangles, exact in its decisions (Quickhull: Barber, Dobkin, Huhdanpaa 1996).

The hull grows point by point: the triangles that see the new point are replaced by a fan from their rim to it. Every
"does it see" is the sign of a volume, computed in doubles where their error bound allows it and in whole numbers
where not (the bound: Shewchuk 1997), so that the triangles are those of the points as given, whatever lies nearly in
one plane. Qhull itself decides in doubles alone and then merges what contradicts itself: on meshes turned by an odd
angle its triangulated faces fold over. A point in the plane of a triangle does not see it.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..geometry.tolerances import EPS
from ..geometry.vector import Array, cross_rows
from .polyhedron import Indices

_BOUND = 16.0 * EPS
"""Error of a volume of three edges, in units of the product of their lengths; Shewchuk's bound is half of this."""

_TINY = 1e-290
"""Below this, products have lost digits to the end of the range of doubles."""


def hull_triangles(points: Array) -> tuple[Indices, Indices]:
    """The hull's triangles (t, 3), counter-clockwise from outside, and their neighbours (t, 3).

    Neighbour k of a row lies across the edge from corner k to corner k + 1. The points (n, 3) are all different, of
    size about 1, and span space. Points on a triangle but no corner of the hull are left out.
    """
    growing = _GrowingHull(points)
    while growing.waiting:
        growing.add_farthest(next(iter(growing.waiting)))
    return growing.result()


class _GrowingHull:
    """Triangles by number, in dictionaries: replaced ones are taken out.

    `corners`: three point numbers; `neighbours`: three triangle numbers. `waiting`: per triangle the points that see
    it, of which each waits at one triangle only; a point that sees none is inside and waits nowhere. `planes`: a
    corner, the normal (of any length) and the error bound of a volume, per distance of the point from that corner.
    """

    def __init__(self, points: Array) -> None:
        self.points = points
        self.rows: list[list[float]] = points.tolist()
        self.exact = _WholeNumbers(points)
        self.planes: dict[int, tuple[float, ...]] = {}
        self.corners: dict[int, tuple[int, int, int]] = {}
        self.neighbours: dict[int, list[int]] = {}
        self.waiting: dict[int, Indices] = {}
        self.made = 0
        a, b, c, d = _first_four(points)
        if self.exact.volume(a, b, c, d) > 0:
            b, c = c, b
        for corners, others in (
            ((a, b, c), [3, 2, 1]),
            ((a, c, d), [0, 2, 3]),
            ((c, b, d), [0, 3, 1]),
            ((b, a, d), [0, 1, 2]),
        ):
            self._make(corners, others)
        rest = np.setdiff1d(np.arange(len(points)), (a, b, c, d))
        self._let_wait(rest, [0, 1, 2, 3])

    def add_farthest(self, triangle: int) -> None:
        """Adds the point that waits farthest from `triangle`."""
        candidates = self.waiting[triangle]
        heights, _ = self._volumes(candidates, [triangle])
        point = int(candidates[heights[:, 0].argmax()])
        seen, rim = self._seen_from(point, triangle)
        homeless = np.concatenate([self.waiting.pop(t) for t in seen if t in self.waiting])
        for t in seen:
            del self.planes[t], self.corners[t], self.neighbours[t]
        self._let_wait(homeless[homeless != point], self._fan(point, rim))

    def result(self) -> tuple[Indices, Indices]:
        """Corners and neighbours as arrays, the triangles numbered from 0 in order of their making."""
        number = {t: k for k, t in enumerate(self.corners)}
        corners = np.array(list(self.corners.values()), dtype=np.int64)
        neighbours = np.array([[number[t] for t in others] for others in self.neighbours.values()], dtype=np.int64)
        return corners, neighbours

    def _seen_from(self, point: int, first: int) -> tuple[list[int], dict[int, tuple[int, int]]]:
        """The triangles that `point` sees, and their rim: per start corner the end corner and the triangle beyond."""
        # A dictionary keeps the order in which triangles were found, and a set would not: the hull is to be the same
        # on every run.
        seen: dict[int, None] = {first: None}
        unseen: set[int] = set()
        rim: dict[int, tuple[int, int]] = {}
        pending = [first]
        while pending:
            triangle = pending.pop()
            corners = self.corners[triangle]
            for k, other in enumerate(self.neighbours[triangle]):
                if other in seen:
                    continue
                if other not in unseen and self._sees(point, other):
                    seen[other] = None
                    pending.append(other)
                else:
                    unseen.add(other)
                    rim[corners[k]] = (corners[(k + 1) % 3], other)
        return list(seen), rim

    def _fan(self, point: int, rim: dict[int, tuple[int, int]]) -> list[int]:
        """New triangles from every edge of the rim to `point`, in order round the rim."""
        start = next(iter(rim))
        loop = [start]
        while (corner := rim[loop[-1]][0]) != start:
            loop.append(corner)
        first, count = self.made, len(loop)
        for k, (corner, following) in enumerate(pairwise([*loop, start])):
            beyond = rim[corner][1]
            theirs = self.corners[beyond]
            self.neighbours[beyond][theirs.index(following)] = self.made
            self._make((corner, following, point), [beyond, first + (k + 1) % count, first + (k - 1) % count])
        return list(range(first, first + count))

    def _make(self, corners: tuple[int, int, int], neighbours: list[int]) -> None:
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = (self.rows[k] for k in corners)
        ux, uy, uz = bx - ax, by - ay, bz - az
        vx, vy, vz = cx - ax, cy - ay, cz - az
        size = _BOUND * (abs(ux) + abs(uy) + abs(uz)) * (abs(vx) + abs(vy) + abs(vz))
        self.planes[self.made] = (ax, ay, az, uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx, size)
        self.corners[self.made] = corners
        self.neighbours[self.made] = neighbours
        self.made += 1

    def _let_wait(self, points: Indices, triangles: list[int]) -> None:
        """Lets each of `points` wait at the first of `triangles` that it sees."""
        if not len(points):
            return
        volumes, certain = self._volumes(points, triangles)
        seen = volumes > 0.0
        for row, column in np.argwhere(~certain).tolist():
            seen[row, column] = self.exact.volume(*self.corners[triangles[column]], int(points[row])) > 0
        home = np.where(seen.any(axis=1), seen.argmax(axis=1), -1)
        for k in np.unique(home[home >= 0]).tolist():
            self.waiting[triangles[k]] = points[home == k]

    def _sees(self, point: int, triangle: int) -> bool:
        """Whether `point` lies in front of `triangle`: `_volumes` for one pair, which plain floats do faster."""
        ax, ay, az, nx, ny, nz, size = self.planes[triangle]
        px, py, pz = self.rows[point]
        wx, wy, wz = px - ax, py - ay, pz - az
        volume = wx * nx + wy * ny + wz * nz
        if abs(volume) > size * (abs(wx) + abs(wy) + abs(wz)) + _TINY:
            return volume > 0.0
        return self.exact.volume(*self.corners[triangle], point) > 0

    def _volumes(self, points: Indices, triangles: list[int]) -> tuple[Array, NDArray[np.bool_]]:
        """Six times the signed volumes (p, t) of points over triangles, and whether their signs are certain."""
        planes = np.array([self.planes[t] for t in triangles])
        away = self.points[points][:, None, :] - planes[:, :3]
        volumes = np.einsum("pti,ti->pt", away, planes[:, 3:6])
        return volumes, np.abs(volumes) > planes[:, 6] * np.abs(away).sum(axis=-1) + _TINY


class _WholeNumbers:
    """The points as whole multiples of one power of two: doubles are nothing else."""

    def __init__(self, points: Array) -> None:
        ratios = [value.as_integer_ratio() for value in points.ravel().tolist()]
        common = max(below for _, below in ratios)
        whole = [above * (common // below) for above, below in ratios]
        self._rows = list(zip(whole[0::3], whole[1::3], whole[2::3], strict=True))

    def volume(self, a: int, b: int, c: int, p: int) -> int:
        """Six times the signed volume of four points by number: positive if p is in front of the triangle abc."""
        ax, ay, az = self._rows[a]
        bx, by, bz = self._rows[b]
        cx, cy, cz = self._rows[c]
        px, py, pz = self._rows[p]
        ux, uy, uz = bx - ax, by - ay, bz - az
        vx, vy, vz = cx - ax, cy - ay, cz - az
        return (px - ax) * (uy * vz - uz * vy) + (py - ay) * (uz * vx - ux * vz) + (pz - az) * (ux * vy - uy * vx)


def _first_four(points: Array) -> tuple[int, int, int, int]:
    """Four points that span a large tetrahedron."""
    a = 0
    away = points - points[a]
    b = int(np.einsum("ni,ni->n", away, away).argmax())
    areas = cross_rows(away[b], away)
    c = int(np.einsum("ni,ni->n", areas, areas).argmax())
    d = int(np.abs(away @ areas[c]).argmax())
    return a, b, c, d
