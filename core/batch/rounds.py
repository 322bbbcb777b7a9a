"""Spheres against boxes and each other in closed form, for many pairs (the single ones: algorithms/closed_form)."""

from __future__ import annotations

import numpy as np

from ..geometry.tolerances import EPS, ROUNDING
from .answers import Found, Reals, dots, lengths


def sphere_sphere(radii_a: Reals, radii_b: Reals, offsets: Reals) -> Found:
    """`offsets` (3, m): B less A. With coincident centres every direction is as good as any other; +x is taken."""
    apart = lengths(offsets)
    known = apart > 0.0
    normals = offsets / np.where(known, apart, 1)
    normals[0] += ~known
    return _exact(apart - radii_a - radii_b, normals)


def sphere_box(radii: Reals, offsets: Reals, half: Reals, axes: Reals) -> Found:
    """From spheres to boxes with half extents (3, m) and axes (3 axes, 3, m); `offsets` (3, m): box less sphere.

    A centre inside the box leaves through the nearest face; of equally near ones through that of the lowest axis, and
    of two opposite ones through the positive one.
    """
    local = -dots(axes.swapaxes(0, 1), offsets[:, None])
    beyond = local - np.clip(local, -half, half)
    apart = lengths(beyond)
    outside = apart > 0.0
    ways_out = half - np.abs(local)
    spacing = float(np.finfo(half.dtype).eps) / EPS
    nearest = ways_out <= ways_out.min(axis=0) + (ROUNDING * spacing) * half.max(axis=0)
    face = np.argmax(nearest, axis=0)
    columns = np.arange(len(radii))
    inward = np.zeros_like(half)
    inward[face, columns] = np.where(local[face, columns] >= 0.0, 1, -1)
    towards = np.where(outside, beyond / np.where(outside, apart, 1), inward)
    distances = np.where(outside, apart, -ways_out[face, columns])
    normals = -dots(axes, towards[:, None])
    return _exact(distances - radii, normals)


def _exact(separations: Reals, normals: Reals) -> Found:
    return Found(separations, normals, np.zeros_like(separations), np.zeros(len(separations), dtype=np.bool_))
